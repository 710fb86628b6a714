"""What is taken from inside Snakemake: it is there, and where it is not, Snakemake works in its own way."""

import asyncio
import os
import re
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake.api
import snakemake.jobs
import snakemake.scheduling.job_scheduler
import snakemake.script
from snakemake.settings.types import ExecutionSettings, GroupSettings, OutputSettings, StorageSettings
from snakemake_interface_executor_plugins.settings import CommonSettings

from benchmill import workflow as benchmill_workflow
from benchmill.core import UserError
from benchmill.workflow import borrowed, remote


@pytest.fixture
def scripts(monkeypatch, tmp_path):
    """Stands for Snakemake's class; `started` are the scripts that started in its own way."""

    class Scripts:
        started = ()
        path = SimpleNamespace(get_path_or_uri=lambda secret_free: f"{tmp_path}/of_a_rule.py")
        conda_env = container_img = env_modules = shadow_dir = bench_record = None
        threads = 1
        resources: dict = {}  # noqa: RUF012

        def execute_script(self, fname, edit=False):
            type(self).started += (fname,)

    monkeypatch.setattr(snakemake.script, "PythonScript", Scripts)
    return Scripts


@pytest.fixture
def ran(scripts, tmp_path):
    """Scripts that ran by the function that was asked for, which ends with status 4 for one of them."""
    found = []

    def run(script, environment):
        found.append((script, environment))
        if script == "not begun":
            raise BrokenPipeError
        return 4 if script == "fails" else 0

    assert borrowed.run_scripts(run, tmp_path)
    return found


def test_a_script_runs_by_the_function_with_the_folder_for_temporary_files(scripts, ran, tmp_path):
    scripts().execute_script("plain")
    scripts.resources = {"tmpdir": tmp_path}
    scripts().execute_script("scratch")
    temporary = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), str(tmp_path))
    assert ran == [("plain", {}), ("scratch", temporary)]
    assert scripts.started == ()


def test_a_failed_script_is_told_to_snakemake(scripts, ran):
    with pytest.raises(subprocess.CalledProcessError, match="exit status 4"):
        scripts().execute_script("fails")
    assert scripts.started == ()


def test_a_script_that_was_not_begun_starts_in_snakemakes_way(scripts, ran):
    scripts().execute_script("not begun")
    assert scripts.started == ("not begun",)


@pytest.mark.parametrize(
    "settings",
    [
        {"conda_env": "x"},
        {"container_img": "x"},
        {"env_modules": "x"},
        {"shadow_dir": "x"},
        {"threads": 2},
        {"bench_record": 0},
        {"path": SimpleNamespace(get_path_or_uri=lambda secret_free: "/somebody/elses/of_a_rule.py")},
        {"path": SimpleNamespace(get_path_or_uri=lambda: "takes nothing")},
        {"resources": None},
    ],
)
def test_a_script_that_needs_more_starts_in_snakemakes_way(scripts, ran, settings):
    made = scripts()
    vars(made).update(settings)
    made.execute_script("script")
    scripts().execute_script("edited", edit=True)
    assert scripts.started == ("script", "edited")
    assert ran == []


@pytest.mark.parametrize(
    "name", ["path", "conda_env", "container_img", "env_modules", "shadow_dir", "bench_record", "threads", "resources"]
)
def test_a_script_of_which_something_is_not_known_starts_in_snakemakes_way(scripts, ran, name):
    delattr(scripts, name)
    scripts().execute_script("script")
    assert scripts.started == ("script",)
    assert ran == []


def test_where_scripts_start_otherwise_snakemake_starts_them(scripts, tmp_path, monkeypatch):
    def other(self, fname, edit, environment):
        pass

    scripts.execute_script = other
    assert not borrowed.run_scripts(None, tmp_path)
    assert scripts.execute_script is other
    del scripts.execute_script
    assert not borrowed.run_scripts(None, tmp_path)
    monkeypatch.delattr(snakemake.script, "PythonScript")
    assert not borrowed.run_scripts(None, tmp_path)


@pytest.fixture
def jobs(monkeypatch):
    """Stands for Snakemake's class of jobs, all of whose outputs are older than the script."""

    class Jobs:
        def __init__(self, folder, script="of_a_rule.py"):
            place = SimpleNamespace(get_path_or_uri=lambda secret_free: f"{folder}/{script}")
            self.rule = SimpleNamespace(basedir=SimpleNamespace(join=lambda name: place), script=script)

        async def outputs_older_than_script_or_notebook(self):
            yield "output"

    monkeypatch.setattr(snakemake.jobs, "Job", Jobs)
    return Jobs


def in_a_loop_of_its_own(coroutine):
    """What a coroutine gives; the thread of the tests may have a loop that runs already, that of a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def older(job):
    async def found():
        return [path async for path in job.outputs_older_than_script_or_notebook()]

    return in_a_loop_of_its_own(found())


def test_dates_of_scripts_in_the_folder_do_not_count_and_those_of_others_do(jobs, tmp_path):
    assert borrowed.know_code_by_digest(tmp_path)
    assert older(jobs(tmp_path)) == []
    assert older(jobs("/somebody/elses")) == ["output"]
    of_no_script = jobs(tmp_path)
    del of_no_script.rule.script
    assert older(of_no_script) == ["output"]


def test_where_snakemake_looks_at_dates_otherwise_it_does_so(jobs, tmp_path, monkeypatch):
    def other(self, more):
        pass

    jobs.outputs_older_than_script_or_notebook = other
    assert not borrowed.know_code_by_digest(tmp_path)
    assert jobs.outputs_older_than_script_or_notebook is other
    monkeypatch.delattr(snakemake.jobs, "Job")
    assert not borrowed.know_code_by_digest(tmp_path)


def a_workflow(**changed):
    """Stands for what Snakemake calls `workflow`: a run on this machine that holds its folder."""
    scheduler = SimpleNamespace(job_rate_limiter="a limiter", _lock=threading.Lock())
    known = {
        "local_exec": True,
        "remote_exec": False,
        "subprocess_exec": False,
        "scheduler": scheduler,
        "execution_settings": SimpleNamespace(lock=True),
        "output_settings": SimpleNamespace(dryrun=False),
        "storage_settings": SimpleNamespace(default_storage_provider=None),
        "overwrite_configfiles": [Path("of the command line.yaml")],
        "configfiles": ["of the command line.yaml", "of the Snakefile.yaml"],
    }
    return SimpleNamespace(**{name: value for name, value in {**known, **changed}.items() if value is not ...})


def test_a_run_schedules_without_a_limit_and_ends_on_sigterm():
    run = a_workflow()
    borrowed.start_jobs_at_once(run)
    borrowed.end_on_request(run)
    assert run.scheduler.job_rate_limiter is None
    with run.scheduler._lock:
        assert run.scheduler._lock.acquire(timeout=1)


@pytest.mark.parametrize(
    "changed",
    [
        {"local_exec": False},
        {"local_exec": ...},
        {"scheduler": SimpleNamespace()},
        {"scheduler": SimpleNamespace(_lock="of another kind")},
        {"scheduler": ...},
    ],
)
def test_what_of_the_scheduler_is_not_known_stays(changed):
    run = a_workflow(**changed)
    before = dict(vars(getattr(run, "scheduler", SimpleNamespace())))
    borrowed.start_jobs_at_once(run)
    if "local_exec" not in changed:
        borrowed.end_on_request(run)
    assert vars(getattr(run, "scheduler", SimpleNamespace())) == before


@pytest.mark.parametrize(
    ("function", "changed", "expected"),
    [
        (borrowed.runs_jobs_here, {}, True),
        (borrowed.runs_jobs_here, {"local_exec": False}, False),
        (borrowed.runs_jobs_here, {"local_exec": ...}, False),
        (borrowed.holds_folder, {}, True),
        (borrowed.holds_folder, {"execution_settings": SimpleNamespace(lock=False)}, False),
        (borrowed.holds_folder, {"execution_settings": SimpleNamespace()}, False),
        (borrowed.holds_folder, {"execution_settings": ...}, False),
        (borrowed.is_main, {}, False),
        (borrowed.is_main, {"modifier": SimpleNamespace()}, False),
        (borrowed.is_main, {"modifier": SimpleNamespace(base_snakefile="theirs")}, False),
        (borrowed.is_main, {"modifier": SimpleNamespace(base_snakefile=None)}, True),
        (borrowed.begins_run, {}, True),
        (borrowed.begins_run, {"remote_exec": True}, False),
        (borrowed.begins_run, {"subprocess_exec": True}, False),
        (borrowed.begins_run, {"remote_exec": ..., "subprocess_exec": ...}, True),
        (borrowed.sends_batches, {}, False),
        (borrowed.sends_batches, {"group_settings": SimpleNamespace(group_components={})}, False),
        (borrowed.sends_batches, {"group_settings": SimpleNamespace(group_components={"sources": 20})}, True),
        (borrowed.may_run_jobs, {}, True),
        (borrowed.may_run_jobs, {"output_settings": SimpleNamespace(dryrun=True)}, False),
        (borrowed.may_run_jobs, {"output_settings": SimpleNamespace()}, False),
        (borrowed.may_run_jobs, {"output_settings": ...}, False),
        (borrowed.config_files, {}, [Path("of the command line.yaml")]),
        (borrowed.config_files, {"overwrite_configfiles": [], "configfiles": ["mine.yaml"]}, [Path("mine.yaml")]),
        (borrowed.config_files, {"overwrite_configfiles": ..., "configfiles": ["mine.yaml"]}, [Path("mine.yaml")]),
        (borrowed.config_files, {"overwrite_configfiles": ..., "configfiles": ...}, []),
        (borrowed.stores_results_elsewhere, {}, False),
        (borrowed.stores_results_elsewhere, {"storage_settings": SimpleNamespace(default_storage_provider="s3")}, True),
        (borrowed.stores_results_elsewhere, {"storage_settings": SimpleNamespace()}, True),
        (borrowed.stores_results_elsewhere, {"storage_settings": ...}, True),
    ],
)
def test_what_cannot_be_told_is_taken_for_what_does_no_harm(function, changed, expected):
    assert function(a_workflow(**changed)) == expected


def test_a_cluster_is_told_of_groups():
    run = a_workflow(executor_plugin=SimpleNamespace(common_settings=SimpleNamespace(pass_group_args=False)))
    borrowed.keep_groups_together(run)
    assert run.executor_plugin.common_settings.pass_group_args is True
    other = SimpleNamespace(common_settings=SimpleNamespace())
    borrowed.keep_groups_together(a_workflow(executor_plugin=other))
    assert vars(other.common_settings) == {}
    borrowed.keep_groups_together(a_workflow())


def test_this_snakemake_has_all_of_it(monkeypatch, tmp_path):
    """A new version that lacks something is noticed here; it would only make runs slower."""
    monkeypatch.setattr(snakemake.script.PythonScript, "execute_script", snakemake.script.PythonScript.execute_script)
    assert borrowed.run_scripts(None, tmp_path)
    of_jobs = snakemake.jobs.Job.outputs_older_than_script_or_notebook
    monkeypatch.setattr(snakemake.jobs.Job, "outputs_older_than_script_or_notebook", of_jobs)
    assert borrowed.know_code_by_digest(tmp_path)
    assert "group_components" in {field.name for field in fields(GroupSettings)}
    assert "pass_group_args" in {field.name for field in fields(CommonSettings)}
    for name in ("local_exec", "remote_exec", "subprocess_exec", "scheduler", "overwrite_configfiles"):
        assert isinstance(getattr(snakemake.workflow.Workflow, name), property), name
    text = Path(snakemake.scheduling.job_scheduler.__file__).read_text("utf-8")
    assert "self._lock = threading.Lock()" in text
    assert "self.job_rate_limiter is None" in text
    assert "lock" in {field.name for field in fields(ExecutionSettings)}
    assert "dryrun" in {field.name for field in fields(OutputSettings)}
    assert "default_storage_provider" in {field.name for field in fields(StorageSettings)}
    assert borrowed.PREAMBLE_END.decode().strip() in Path(snakemake.script.__file__).read_text("utf-8")


def test_a_run_begins_in_a_snakemake_of_which_nothing_is_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    left = tmp_path / "results" / "x.json.0123abcd.part"
    left.parent.mkdir()
    left.write_text("beg")
    benchmill_workflow.begin(SimpleNamespace())
    assert os.listdir(left.parent) == [left.name]


def test_groups_have_the_size_that_a_profile_gives_their_name():
    run = a_workflow(group_settings=SimpleNamespace(group_components={"compare_{study}": 1000}), parent_groupids={})
    assert borrowed.grouped(run, "compare_{study}", study="s") == "compare_s"
    assert run.parent_groupids == {"compare_s": "compare_{study}"}
    assert borrowed.grouped(a_workflow(), "compare_{study}", study="s") is None


class Plugin:
    """Stands for a storage plugin, which knows URLs of `mine`."""

    settings_cls = None

    class Provider:
        def __init__(self, logger, local_prefix, settings, keep_local, retrieve, is_default, wait_for_free_local_storage):
            self.local_prefix = local_prefix

        @staticmethod
        def is_valid_query(url):
            return url.startswith("mine://")

        def object(self, url):
            found = SimpleNamespace(url=url, provider=self)
            found.set_local_path = lambda path: setattr(found, "path", path)
            return found

    storage_provider = Provider


@pytest.fixture
def plugins(monkeypatch):
    """The plugins that Snakemake finds."""
    found = {"mine": Plugin()}
    registry = "snakemake_interface_storage_plugins.registry.StoragePluginRegistry"
    monkeypatch.setattr(registry, lambda: SimpleNamespace(plugins=found))
    return found


def test_a_url_is_that_of_the_plugin_that_knows_it(plugins, tmp_path):
    found = borrowed.stored("mine://a/b.zip", tmp_path / "b.zip")
    assert (found.url, found.path, found.provider.local_prefix) == ("mine://a/b.zip", tmp_path / "b.zip", tmp_path)
    assert borrowed.stored("other://a/b.zip", tmp_path / "b.zip") is None


class OtherProvider(Plugin.Provider):
    def __init__(self, place):
        """Takes other settings."""


@pytest.mark.parametrize(
    "changed",
    [{"storage_provider": None}, {"storage_provider": OtherProvider}],
)
def test_plugins_that_are_not_known_are_told_with_the_way_around(plugins, monkeypatch, tmp_path, changed):
    for name, value in changed.items():
        monkeypatch.setattr(Plugin, name, value)
    told = "source S: the storage plugins of this Snakemake cannot fetch mine://a/b.zip; download it yourself to "
    with pytest.raises(UserError, match=re.escape(f"{told}{tmp_path}/b.zip, and run again")):
        remote.fetch("mine://a/b.zip", tmp_path / "b.zip", None, "S")
    monkeypatch.delattr("snakemake_interface_storage_plugins.registry.StoragePluginRegistry")
    with pytest.raises(UserError, match="cannot fetch mine:"):
        remote.fetch("mine://a/b.zip", tmp_path / "b.zip", None, "S")
    assert list(tmp_path.iterdir()) == []
