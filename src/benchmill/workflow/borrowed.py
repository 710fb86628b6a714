"""Everything this workflow uses of Snakemake's internals (9.20 to 9.27), beyond what its documentation promises.

Where what is taken is not as expected, Snakemake works in its own way: slower, with the same results.
"""

import inspect
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

#: The last of the lines that Snakemake puts before the text of a script.
PREAMBLE_END = b"######## snakemake preamble end #########\n"

_TEMPORARY = ("TMPDIR", "TMP", "TEMPDIR", "TEMP")


class UnknownPlugins(Exception):
    """The storage plugins of this Snakemake are not as they are known here."""


def _of(workflow: Any, path: str, unknown: Any = None) -> Any:
    """Return what a workflow has at a dotted path; `unknown` where that is not as it is known here."""
    return reduce(lambda part, name: getattr(part, name, unknown), path.split("."), workflow)


def run_scripts(run: Callable[[str, dict[str, str]], int], folder: Path) -> bool:
    """Let a function run the Python scripts in a folder; return False where Snakemake will run them itself.

    Snakemake runs those that need an environment, a container, threads, a shadow folder or a benchmark, and those that `run` does
    not begin (`OSError`). `run` takes a script with its preamble and variables of its environment, and returns its exit status.
    """
    try:
        from snakemake.script import PythonScript

        ordinary = PythonScript.execute_script
        if list(inspect.signature(ordinary).parameters) != ["self", "fname", "edit"]:
            return False
    except (ImportError, AttributeError):
        return False
    own_folder = os.path.realpath(folder)

    def execute_script(self: Any, fname: str, edit: bool = False) -> None:
        variables = None if edit else _variables(self, own_folder)
        try:
            status = None if variables is None else run(fname, variables)
        except OSError:
            status = None
        if status is None:
            ordinary(self, fname, edit)
        elif status:
            raise subprocess.CalledProcessError(status, f"{sys.executable} {fname}")

    PythonScript.execute_script = execute_script
    return True


def know_code_by_digest(folder: Path) -> bool:
    """Make Snakemake treat the scripts in a folder as unchanged, whatever their dates: their rules have digests of their code."""
    try:
        from snakemake.jobs import Job

        ordinary = Job.outputs_older_than_script_or_notebook
        if list(inspect.signature(ordinary).parameters) != ["self"]:
            return False
    except (ImportError, AttributeError):
        return False
    own_folder = os.path.realpath(folder)

    async def outputs_older_than_script_or_notebook(self: Any) -> Any:
        try:
            place = self.rule.basedir.join(self.rule.script).get_path_or_uri(secret_free=True)
            own = os.path.dirname(os.path.realpath(place)) == own_folder
        except (AttributeError, TypeError):
            own = False
        if not own:
            async for path in ordinary(self):
                yield path

    Job.outputs_older_than_script_or_notebook = outputs_older_than_script_or_notebook
    return True


def _variables(script: Any, folder: str) -> dict[str, str] | None:
    try:
        elsewhere = os.path.dirname(os.path.realpath(script.path.get_path_or_uri(secret_free=True))) != folder
        wrapped = script.conda_env or script.container_img or script.env_modules or script.shadow_dir
        if elsewhere or wrapped or script.bench_record is not None or script.threads != 1:
            return None
        scratch = script.resources.get("tmpdir")
    except (AttributeError, TypeError):
        return None
    return dict.fromkeys(_TEMPORARY, str(scratch)) if scratch else {}


def start_jobs_at_once(workflow: Any) -> None:
    """Let Snakemake start as many jobs a second as there are cores on this machine.

    Its limit of jobs a second makes it look at all ready jobs once for every job that it has started.
    """
    if runs_jobs_here(workflow) and _of(workflow, "scheduler.job_rate_limiter") is not None:
        workflow.scheduler.job_rate_limiter = None


def end_on_request(workflow: Any) -> None:
    """Let Snakemake end after SIGTERM: its handler takes a lock in a thread that may hold it already."""
    if isinstance(_of(workflow, "scheduler._lock"), type(threading.Lock())):
        workflow.scheduler._lock = threading.RLock()


def runs_jobs_here(workflow: Any) -> bool:
    """Return True if all jobs are processes of this machine that end with the run."""
    return getattr(workflow, "local_exec", None) is True


def holds_folder(workflow: Any) -> bool:
    """Return True if no other run can work in the same folder."""
    return _of(workflow, "execution_settings.lock") is True


def begins_run(workflow: Any) -> bool:
    """Return True unless this process was started by a run for one of its jobs; True if that cannot be determined."""
    return not (getattr(workflow, "remote_exec", False) or getattr(workflow, "subprocess_exec", False))


def is_main(workflow: Any) -> bool:
    """Return True if the Snakefile that is read is not that of a module of another one."""
    return _of(workflow, "modifier.base_snakefile", "unknown") is None


def source_text(workflow: Any, path: str) -> str | None:
    """Return the text of a file beside the Snakefile that is read from git, or None."""
    try:
        source = workflow.current_basedir.join(path)
        # beside a Snakefile at the top of a repository
        source.path = source.path.lstrip("/")
        with workflow.sourcecache.open(source) as file:
            return str(file.read())
    except Exception:
        # of git, of a server, of the cache: none of them is a file that can be compared
        return None


def sends_batches(workflow: Any) -> bool:
    """Return True if a profile sends jobs to a cluster many at a time (`group-components`)."""
    return bool(_of(workflow, "group_settings.group_components"))


def grouped(workflow: Any, name: str, **wildcards: str) -> str | None:
    """Return the group of a job, whose name in a profile has wildcards; None where jobs are not sent many at a time."""
    if not sends_batches(workflow):
        return None
    group = name.format(**wildcards)
    known = getattr(workflow, "parent_groupids", None)
    if isinstance(known, dict):
        known[group] = name
    return group


def keep_groups_together(workflow: Any) -> None:
    """Let a submission on a cluster be one start of Snakemake: the plugin for Slurm does not pass its groups on."""
    settings = _of(workflow, "executor_plugin.common_settings")
    if hasattr(settings, "pass_group_args"):
        settings.pass_group_args = True


def may_run_jobs(workflow: Any) -> bool:
    """Return True if jobs may be started, False for a dry run."""
    return _of(workflow, "output_settings.dryrun") is False


def make_again(workflow: Any, paths: Iterable[str]) -> bool:
    """Make Snakemake remake files; return False if that is not possible."""
    forced = _of(workflow, "dag.forcefiles")
    if not isinstance(forced, set):
        return False
    forced.update(paths)
    return True


def makes_again(workflow: Any) -> bool:
    """Return True if the user has asked for something to be remade, or if that cannot be determined."""
    return any(_of(workflow, f"dag_settings.{name}", True) for name in ("forcerun", "forcetargets", "forceall"))


def kept_with(workflow: Any) -> Any:
    """Return the mapping that is kept with a workflow, however often its Snakefile is read as that of a module."""
    return vars(workflow).setdefault("benchmill_rules", {})


def named(items: Any) -> dict[str, Any]:
    """Return by name the inputs, outputs or parameters of a rule."""
    return dict(items.items())


def pattern(path: Any) -> str:
    """Return the path of an output with bare wildcards, without their constraints."""
    from snakemake.io import strip_wildcard_constraints

    return str(strip_wildcard_constraints(str(path)))


def complete(workflow: Any, rule: Any, *, log: str, conda: str, groups: Mapping[str, Callable[[Any], str | None]]) -> None:
    """Give a rule, where it has none, its log, environment, and group, by the first wildcard of `groups` that it has."""
    if not rule.log:
        rule.log_modifier = workflow.modifier.path_modifier
        rule.set_log(log)
    rule.conda_env = conda
    # for `snakemake --list`
    rule.docstring = rule.docstring or rule.message
    group = next((group for name, group in groups.items() if name in rule.wildcard_names), None)
    # what `rule.group` says is None wherever jobs run here
    has_none = getattr(rule, "_group", group) is None
    if group and has_none and rule.name not in getattr(workflow, "_localrules", (rule.name,)):
        rule.group = group


def replace_input(rule: Any, change: Callable[[Any], Any]) -> None:
    """Put another function in the place of each input function of a rule."""
    names = named(rule.input)
    for number, item in enumerate(rule.input):
        rule.input[number] = change(item)
        for name in [name for name, one in names.items() if one is item]:
            setattr(rule.input, name, rule.input[number])


def moved(workflow: Any) -> Callable[[str], str]:
    """Return where a path is: for another workflow, which uses this one as a module (`prefix`), or in the remote storage."""
    modifier = _of(workflow, "modifier.path_modifier")
    replaced, stored = getattr(modifier, "replace_prefix", str), getattr(modifier, "apply_default_storage", str)
    return lambda path: stored(replaced(path))


def elsewhere(workflow: Any) -> Callable[[str], Any] | None:
    """Return a function from a path to its object in the remote storage, a new one each time; None where there is none."""
    if _of(workflow, "storage_settings.default_storage_provider") is None:
        return None
    place: Callable[[str], Any] = moved(workflow)
    return lambda path: place(path).flags["storage_object"]


def config_files(workflow: Any) -> list[Path]:
    """Return the files that the configuration is read from: those of the command line, otherwise those of the Snakefile."""
    paths = getattr(workflow, "overwrite_configfiles", None) or getattr(workflow, "configfiles", None)
    return [Path(path) for path in paths or ()]


def stores_results_elsewhere(workflow: Any) -> bool:
    """Return True if results go to a remote storage, or if that cannot be determined."""
    return _of(workflow, "storage_settings.default_storage_provider", "unknown") is not None


def stored(url: str, path: Path) -> Any:
    """Return the object of a storage plugin for a URL, which is put at a path; None if no plugin knows the URL.

    Raises
    ------
    UnknownPlugins
        The plugins are not as they are known here.
    """
    try:
        from snakemake_interface_storage_plugins.registry import StoragePluginRegistry

        registry = StoragePluginRegistry()
        if not registry.plugins:
            registry.collect_plugins()
        plugin = next((each for each in registry.plugins.values() if each.storage_provider.is_valid_query(url)), None)
        if plugin is None:
            return None
        provider = plugin.storage_provider(
            logger=logging.getLogger("benchmill"),
            local_prefix=path.parent,
            settings=plugin.settings_cls() if plugin.settings_cls else None,
            keep_local=True,
            retrieve=True,
            is_default=False,
            wait_for_free_local_storage=None,
        )
        stored_object = provider.object(url)
        stored_object.set_local_path(path)
    except (ImportError, AttributeError, TypeError) as error:
        raise UnknownPlugins(str(error)) from error
    return stored_object
