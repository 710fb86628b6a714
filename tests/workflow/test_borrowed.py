"""What is taken from inside Snakemake: it is there, and where it is not, Snakemake works in its own way."""

import inspect
import os
import re
import subprocess
import sys
import threading
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import numpy
import pandas
import pytest
import snakemake.api
import snakemake.dag
import snakemake.persistence
import snakemake.scheduling.job_scheduler
import snakemake.script
from snakemake.dag import DAG, ScriptProcessor
from snakemake.iocontainers import Params, Snakemake
from snakemake.output_index import OutputIndex
from snakemake.settings.types import ExecutionSettings, GroupSettings, OutputSettings, StorageSettings
from snakemake_interface_executor_plugins.settings import CommonSettings

from benchmill import workflow as benchmill_workflow
from benchmill.core.errors import UserError
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


@pytest.mark.parametrize("name", ["PersistenceBase", "Persistence"])
def test_parameters_are_looked_at_without_pandas_where_none_can_be_of_it(monkeypatch, name):
    class Persistence:
        def _serialize_param_builtin(self, value):
            return "plain", value

        def _serialize_param_pandas(self, value):
            return "of pandas", value

    monkeypatch.setitem(sys.modules, "snakemake.persistence", SimpleNamespace(**{name: Persistence}))
    borrowed.compare_parameters_without_pandas()
    monkeypatch.setitem(sys.modules, "pandas", "imported by somebody else")
    assert Persistence()._serialize_param_pandas(1) == ("of pandas", 1)
    monkeypatch.delitem(sys.modules, "pandas")
    assert Persistence()._serialize_param_pandas(1) == ("plain", 1)


@pytest.mark.parametrize("persistence", [SimpleNamespace(), SimpleNamespace(PersistenceBase=str), None])
def test_a_snakemake_that_looks_at_parameters_otherwise_does_so(monkeypatch, persistence):
    monkeypatch.setitem(sys.modules, "snakemake.persistence", persistence)
    borrowed.compare_parameters_without_pandas()


def test_parameters_are_handed_to_scripts_as_snakemake_does(monkeypatch, tmp_path):
    ordinary = getattr(Snakemake._safely_store_params, "ordinary", Snakemake._safely_store_params)
    monkeypatch.setattr(Snakemake, "_safely_store_params", ordinary)
    borrowed.compare_parameters_without_pandas()
    assert Snakemake._safely_store_params is not ordinary

    class Given:
        pass

    for values in ([1, {"a": [2]}, None], [1, numpy.arange(2)], [1, pandas.DataFrame({"a": [2]})]):
        params = Params(fromdict=dict(zip("xyz", values, strict=False)))
        ours, theirs = Given(), Given()
        Snakemake._safely_store_params(ours, params)
        ordinary(theirs, params)
        assert ours._params_types == theirs._params_types
        assert list(ours._params_store) == list(theirs._params_store)
        assert dict(ours._params_store.items()) == dict(theirs._params_store.items())
        assert dict(params.items()).keys() == dict(ours._params_store.items()).keys()


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


class Index:
    """Stands for what knows which rules make a file."""

    asked = 0

    def match_producers(self, targetfile):
        self.asked += 1
        return {f"rule of {targetfile}"}


class Scripts:
    """Stands for what looks whether the script of a job is there."""

    def __init__(self):
        self.looked = []

    def process_job(self, job):
        self.looked.append(job.rule.script)
        if job.rule.script == "missing.py":
            raise OSError(job.rule.script)


class Dag:
    """Stands for the plan: which jobs are in which group, what they wait for, and for how many of these still."""

    def __init__(self, group, dependencies, waiting):
        self._group, self._dependencies, self._n_until_ready = group, dependencies, waiting

    def _ready(self, job):
        return self._n_until_ready[job] == 0

    def _check_groups(self):
        self.checked = list(self._group.values())
        if "itself" in self.checked:
            raise ValueError("it depends on itself")


@pytest.fixture
def planned_once(monkeypatch):
    """These in the place of Snakemake's, after `plan_each_thing_once`."""
    of_index, of_dag = SimpleNamespace(OutputIndex=type("Index", (Index,), {})), SimpleNamespace()
    of_dag.ScriptProcessor, of_dag.DAG = type("Scripts", (Scripts,), {}), type("Dag", (Dag,), {})
    monkeypatch.setitem(sys.modules, "snakemake.output_index", of_index)
    monkeypatch.setitem(sys.modules, "snakemake.dag", of_dag)
    # a second workflow of the same process, as where one is a module of another
    for _ in range(2):
        borrowed.plan_each_thing_once()
    return of_index, of_dag


def test_who_makes_a_file_is_looked_up_once(planned_once):
    index, other = planned_once[0].OutputIndex(), planned_once[0].OutputIndex()
    assert [index.match_producers(path) for path in "aba"] == [{"rule of a"}, {"rule of b"}, {"rule of a"}]
    assert index.asked == 2
    other.match_producers("a")
    assert other.asked == 1


def test_a_script_is_looked_for_once_a_rule(planned_once):
    def job(script, folder="rules"):
        return SimpleNamespace(rule=SimpleNamespace(script=script, basedir=folder), is_script=script is not None)

    scripts = planned_once[1].ScriptProcessor()
    for each in [job("a.py"), job("a.py"), job("a.py", "elsewhere"), *[job("{wildcards.x}.py")] * 2, *[job(None)] * 2]:
        scripts.process_job(each)
    assert scripts.looked == ["a.py", "a.py", "{wildcards.x}.py", "{wildcards.x}.py", None, None]
    for _ in range(2):
        with pytest.raises(OSError, match="missing"):
            scripts.process_job(job("missing.py"))


def test_a_group_is_ready_when_it_waits_for_no_job_outside(planned_once):
    """As Snakemake says it: all that its jobs still wait for is in the group."""
    group, other = ("a", "b"), ("a", "b", "outside")
    waiting = {"a": 1, "b": 1, "outside": 0}
    dag = planned_once[1].DAG({"a": group, "b": group}, {"a": ["outside"], "b": ["a"], "outside": []}, waiting)
    assert dag._ready("outside")
    assert not dag._ready("a")
    assert not dag._ready("b")
    waiting["a"] = 0
    assert dag._ready("a")
    assert dag._ready("b")
    # the groups are made anew, and the job that was waited for is among them
    waiting["a"] = 1
    dag._group = dict.fromkeys(other, other)
    assert dag._ready("a")


def test_a_group_is_checked_once_and_not_for_each_of_its_jobs(planned_once):
    groups = {"a": "one", "b": "one", "c": "other"}
    dag = planned_once[1].DAG(groups, {}, {})
    dag._check_groups()
    assert sorted(dag.checked) == ["one", "other"]
    assert dag._group is groups
    groups["d"] = "itself"
    with pytest.raises(ValueError, match="itself"):
        dag._check_groups()
    assert dag._group is groups


@pytest.mark.parametrize("lacking", [SimpleNamespace(), SimpleNamespace(OutputIndex=str, ScriptProcessor=str, DAG=str), None])
def test_a_snakemake_that_plans_otherwise_does_so(monkeypatch, lacking):
    for name in ("dag", "output_index"):
        monkeypatch.setitem(sys.modules, f"snakemake.{name}", lacking)
    borrowed.plan_each_thing_once()


def test_a_method_that_takes_something_else_stays(monkeypatch):
    class Other:
        def match_producers(self, targetfile, more):
            pass

    before = Other.match_producers
    monkeypatch.setitem(sys.modules, "snakemake.output_index", SimpleNamespace(OutputIndex=Other))
    borrowed.plan_each_thing_once()
    assert Other.match_producers is before


def test_this_snakemake_has_all_of_it(monkeypatch, tmp_path):
    """A new version that lacks something is noticed here; it would only make runs slower."""
    monkeypatch.setattr(snakemake.script.PythonScript, "execute_script", snakemake.script.PythonScript.execute_script)
    assert borrowed.run_scripts(None, tmp_path)
    kind = snakemake.persistence.PersistenceBase
    monkeypatch.setattr(kind, "_serialize_param_pandas", ordinary := kind._serialize_param_pandas)
    borrowed.compare_parameters_without_pandas()
    assert kind._serialize_param_pandas is not ordinary
    replaced = [(OutputIndex, "match_producers"), (ScriptProcessor, "process_job"), (DAG, "_ready"), (DAG, "_check_groups")]
    for kind, name in replaced:
        monkeypatch.setattr(kind, name, getattr(getattr(kind, name), "ordinary", getattr(kind, name)))
    borrowed.plan_each_thing_once()
    assert all(hasattr(getattr(kind, name), "ordinary") for kind, name in replaced)
    text = Path(snakemake.dag.__file__).read_text("utf-8")
    assert "self._group = groups" in text
    assert re.findall(r"self\._group\b.*", inspect.getsource(DAG._check_groups.ordinary)) == ["self._group.values():"]
    assert "(self._n_until_ready[job] - n_internal_deps(job)) == 0 for job in group" in text
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
