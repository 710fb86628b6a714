"""What this workflow takes from inside Snakemake, beyond what its documentation promises: all of it is here.

Every function looks first whether what it takes is there and is what it expects, as in Snakemake 9.20 to 9.27. Where it is not,
Snakemake works in its own way: a run takes longer, or a killed one leaves something behind, and the results are the same.

`workflow` is `snakemake.workflow.Workflow`, the object of that name in every Snakefile.
"""

from __future__ import annotations

import inspect
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

#: The last of the lines that Snakemake puts before the text of a script.
PREAMBLE_END = b"######## snakemake preamble end #########\n"

_TEMPORARY = ("TMPDIR", "TMP", "TEMPDIR", "TEMP")


class UnknownPlugins(Exception):
    """The storage plugins of this Snakemake are not as they are known here."""


def run_scripts(run: Callable[[str, dict[str, str]], int], folder: str | Path) -> bool:
    """From now on, run the Python scripts in a folder by a function.

    Snakemake still runs scripts of other folders itself, and those that need an environment, a container, more than one thread, a
    shadow folder or a benchmark.

    Parameters
    ----------
    run : callable
        Takes the path of a script, as Snakemake has written it with its preamble, and variables to add to its environment; gives
        its exit status. It raises `OSError` if the script was not begun: then Snakemake runs it.
    folder : path
        Where the scripts of this workflow are.

    Returns
    -------
    bool
        Whether Snakemake will; if not, it runs all scripts itself.
    """
    try:
        from snakemake.script import PythonScript

        ordinary = PythonScript.execute_script
        if list(inspect.signature(ordinary).parameters) != ["self", "fname", "edit"]:
            return False
    except (ImportError, AttributeError):
        return False
    folder = os.path.realpath(folder)

    def execute_script(self: Any, fname: str, edit: bool = False) -> None:
        variables = None if edit else _variables(self, folder)
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


def _variables(script: Any, folder: str) -> dict[str, str] | None:
    """What Snakemake adds to the environment of a script in a folder; None if the script needs more than that."""
    try:
        if os.path.dirname(os.path.realpath(script.path.get_path_or_uri(secret_free=True))) != folder:
            return None
        if script.conda_env or script.container_img or script.env_modules or script.shadow_dir:
            return None
        if script.bench_record is not None or script.threads != 1:
            return None
        scratch = script.resources.get("tmpdir")
    except (AttributeError, TypeError):
        return None
    return dict.fromkeys(_TEMPORARY, str(scratch)) if scratch else {}


def compare_parameters_without_pandas() -> None:
    """Let Snakemake note the parameters of jobs, and hand them to scripts, without importing pandas, which takes half a second.

    It looks whether a parameter is a table of pandas, or of another library. None is where nothing has imported pandas.
    """
    iocontainers = sys.modules.get("snakemake.iocontainers")
    _replace(getattr(iocontainers, "Snakemake", None), "_safely_store_params", ["self", "params"], _plain_stored)
    persistence = sys.modules.get("snakemake.persistence")
    # the second name is that of older versions
    kind: Any = getattr(persistence, "PersistenceBase", None) or getattr(persistence, "Persistence", None)
    plain, of_pandas = (getattr(kind, f"_serialize_param_{name}", None) for name in ("builtin", "pandas"))
    if plain is None or of_pandas is None:
        return

    def serialize(self: Any, value: Any) -> Any:
        return (of_pandas if "pandas" in sys.modules else plain)(self, value)

    kind._serialize_param_pandas = serialize


def _plain_stored(ordinary: Any) -> Any:
    tables = {"pandas", "numpy", "polars"}

    def _safely_store_params(self: Any, params: Any) -> None:
        if any(kind.__module__.partition(".")[0] in tables for value in params for kind in type(value).__mro__):
            ordinary(self, params)
            return
        self._params_store, self._params_types = type(params)(toclone=list(params)), {}
        self._params_store._take_names(params._get_names())

    return _safely_store_params


def plan_each_thing_once() -> None:
    """Let Snakemake find out once what it otherwise asks again for every job.

    It is which rules make a file, for each job that reads it; whether the script of a rule is there, for each job of the rule;
    how many of the jobs that a job of a group waits for are in the group, whenever any of them has ended; and whether a group
    depends on itself, for each of its jobs.
    """
    dag, index = sys.modules.get("snakemake.dag"), sys.modules.get("snakemake.output_index")
    _replace(getattr(index, "OutputIndex", None), "match_producers", ["self", "targetfile"], _producers)
    _replace(getattr(dag, "ScriptProcessor", None), "process_job", ["self", "job"], _script_there)
    _replace(getattr(dag, "DAG", None), "_ready", ["self", "job"], _group_ready)
    _replace(getattr(dag, "DAG", None), "_check_groups", ["self"], _groups_checked)


def _replace(kind: Any, name: str, parameters: list[str], by: Callable[[Any], Any]) -> None:
    """Replace a method of a class, once, by what a function makes of it; not one that is other than it is known here."""
    ordinary = getattr(kind, name, None)
    if ordinary is None or hasattr(ordinary, "ordinary") or list(inspect.signature(ordinary).parameters) != parameters:
        return
    replacement = by(ordinary)
    replacement.ordinary = ordinary
    setattr(kind, name, replacement)


def _producers(ordinary: Any) -> Any:
    def match_producers(self: Any, targetfile: str) -> Any:
        known = vars(self).setdefault("_known", {})
        path = str(targetfile)
        if path not in known:
            known[path] = ordinary(self, targetfile)
        return known[path]

    return match_producers


def _script_there(ordinary: Any) -> Any:
    def process_job(self: Any, job: Any) -> None:
        script = str(job.rule.script), str(job.rule.basedir)
        known = vars(self).setdefault("_known", set())
        if script in known:
            return
        ordinary(self, job)
        if job.is_script and "{" not in script[0]:
            known.add(script)

    return process_job


def _group_ready(ordinary: Any) -> Any:
    def _ready(self: Any, job: Any) -> bool:
        group = self._group.get(job)
        if group is None:
            return bool(ordinary(self, job))
        of, within = vars(self).get("_within", (None, {}))
        # Snakemake makes the groups anew whenever jobs come or go
        if of is not self._group:
            within = {}
            self._within = self._group, within
        for each in group:
            if each not in within:
                within[each] = sum(self._group.get(other) == group for other in self._dependencies[each])
            if self._n_until_ready[each] != within[each]:
                return False
        return True

    return _ready


def _groups_checked(ordinary: Any) -> Any:
    def _check_groups(self: Any) -> None:
        groups = self._group
        # what is looked at are the values, of which there is one for each job
        self._group = {id(group): group for group in groups.values()}
        try:
            ordinary(self)
        finally:
            self._group = groups

    return _check_groups


def start_jobs_at_once(workflow: Any) -> None:
    """Let Snakemake start as many jobs a second as there are cores for, on this machine.

    To keep to its limit of jobs a second, Snakemake looks at all ready jobs again, once a second for every job that it has
    started: work that grows with the square of the number of jobs.
    """
    scheduler: Any = getattr(workflow, "scheduler", None)
    if runs_jobs_here(workflow) and hasattr(scheduler, "job_rate_limiter"):
        scheduler.job_rate_limiter = None


def end_on_request(workflow: Any) -> None:
    """Let Snakemake end after SIGTERM.

    Its handler takes the lock of the scheduler in a thread that may hold it already, and would wait for itself for ever.
    """
    scheduler: Any = getattr(workflow, "scheduler", None)
    if isinstance(getattr(scheduler, "_lock", None), type(threading.Lock())):
        scheduler._lock = threading.RLock()


def runs_jobs_here(workflow: Any) -> bool:
    """Whether all jobs are processes of this machine that end with the run; False if that cannot be told."""
    return getattr(workflow, "local_exec", None) is True


def holds_folder(workflow: Any) -> bool:
    """Whether no other run can work in the same folder; False if that cannot be told."""
    return getattr(getattr(workflow, "execution_settings", None), "lock", None) is True


def begins_run(workflow: Any) -> bool:
    """Whether this process is the run that a user has started, and not one that a run has started for a job of its own.

    True if that cannot be told: then a job notes the code as it is when the job starts, and not when the run began.
    """
    return not (getattr(workflow, "remote_exec", False) or getattr(workflow, "subprocess_exec", False))


def sends_batches(workflow: Any) -> bool:
    """Whether jobs are sent to a cluster, many at a time (`group-components` of a profile); False if that cannot be told."""
    return bool(getattr(getattr(workflow, "group_settings", None), "group_components", None))


def keep_groups_together(workflow: Any) -> None:
    """Let whatever runs a submission on a cluster know its groups, which then are one start of Snakemake there.

    The plugin for Slurm does not pass them on: its part on the node starts Snakemake for every job of a group, one by one.
    """
    settings: Any = getattr(getattr(workflow, "executor_plugin", None), "common_settings", None)
    if hasattr(settings, "pass_group_args"):
        settings.pass_group_args = True


def may_run_jobs(workflow: Any) -> bool:
    """Whether jobs may be started; False for a dry run, and if that cannot be told."""
    return getattr(getattr(workflow, "output_settings", None), "dryrun", None) is False


def make_again(workflow: Any, paths: Iterable[str]) -> bool:
    """Let Snakemake make files again that it takes for made, while it plans; False where it cannot be told to."""
    forced = getattr(getattr(workflow, "dag", None), "forcefiles", None)
    if not isinstance(forced, set):
        return False
    forced.update(paths)
    return True


def makes_again(workflow: Any) -> bool:
    """Whether the user has asked for something to be made again in any case; True if that cannot be told."""
    settings: Any = getattr(workflow, "dag_settings", None)
    return any(getattr(settings, name, True) for name in ("forcerun", "forcetargets", "forceall"))


def moved(workflow: Any) -> Callable[[str], str]:
    """Where another workflow, which uses this one as a module, has a path of it (`prefix` or `replace_prefix`)."""
    modifier: Any = getattr(getattr(workflow, "modifier", None), "path_modifier", None)
    return getattr(modifier, "replace_prefix", str)


def config_files(workflow: Any) -> list[Path]:
    """The files that the configuration is read from: those of the command line, otherwise those of the Snakefile."""
    paths = getattr(workflow, "overwrite_configfiles", None) or getattr(workflow, "configfiles", None)
    return [Path(path) for path in paths or ()]


def stores_results_elsewhere(workflow: Any) -> bool:
    """Whether paths of results are those of a remote storage, so that a path on this machine has to be marked by `local`.

    True if that cannot be told, since the mark does no harm.
    """
    return getattr(getattr(workflow, "storage_settings", None), "default_storage_provider", "unknown") is not None


def stored(url: str, path: Path) -> Any:
    """What stands for a URL among the storage plugins of Snakemake: it says whether there is such a file, and fetches it.

    Snakemake's own way, `storage()` in an input, asks the server whenever a run is planned.

    Parameters
    ----------
    url : str
    path : Path
        Where to put the file.

    Returns
    -------
    snakemake_interface_storage_plugins.storage_object.StorageObjectRead or None
        None if no plugin that is installed knows the URL.

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
        found = provider.object(url)
        found.set_local_path(path)
    except (ImportError, AttributeError, TypeError) as error:
        raise UnknownPlugins(str(error)) from error
    return found
