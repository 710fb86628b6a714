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
from collections.abc import Callable, Iterable, Mapping
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


def know_code_by_digest(folder: str | Path) -> bool:
    """From now on, let Snakemake take the scripts in a folder for unchanged, whatever their dates.

    The rules that run them have a digest of their code among their parameters. Of all other scripts a later date still counts.
    """
    try:
        from snakemake.jobs import Job

        ordinary = Job.outputs_older_than_script_or_notebook
        if list(inspect.signature(ordinary).parameters) != ["self"]:
            return False
    except (ImportError, AttributeError):
        return False
    folder = os.path.realpath(folder)

    async def outputs_older_than_script_or_notebook(self: Any) -> Any:
        try:
            place = self.rule.basedir.join(self.rule.script).get_path_or_uri(secret_free=True)
            own = os.path.dirname(os.path.realpath(place)) == folder
        except (AttributeError, TypeError):
            own = False
        if not own:
            async for path in ordinary(self):
                yield path

    Job.outputs_older_than_script_or_notebook = outputs_older_than_script_or_notebook
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
    """Return True if all jobs are processes of this machine that end with the run; False if that cannot be told."""
    return getattr(workflow, "local_exec", None) is True


def holds_folder(workflow: Any) -> bool:
    """Return True if no other run can work in the same folder; False if that cannot be told."""
    return getattr(getattr(workflow, "execution_settings", None), "lock", None) is True


def begins_run(workflow: Any) -> bool:
    """Return True if this process is the run that a user has started, and not one that a run has started for a job of its own.

    True if that cannot be told: then a job notes the code as it is when the job starts, and not when the run began.
    """
    return not (getattr(workflow, "remote_exec", False) or getattr(workflow, "subprocess_exec", False))


def is_main(workflow: Any) -> bool:
    """Return True if the Snakefile that is read is not that of a module of another one; False if that cannot be told."""
    modifier = getattr(workflow, "modifier", None)
    return modifier is not None and getattr(modifier, "base_snakefile", "unknown") is None


def source_text(workflow: Any, path: str) -> str | None:
    """Return the text of a file beside the Snakefile that is read from git; None where there is none, or that cannot be told."""
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
    return bool(getattr(getattr(workflow, "group_settings", None), "group_components", None))


def grouped(workflow: Any, name: str, **wildcards: str) -> str | None:
    """Return the group of a job, whose name in a profile has wildcards; None where jobs are not sent many at a time.

    A rule that had this name would have its group in every dry run too, where Snakemake lists the jobs of a group in another way.
    """
    if not sends_batches(workflow):
        return None
    group = name.format(**wildcards)
    known = getattr(workflow, "parent_groupids", None)
    if isinstance(known, dict):
        known[group] = name
    return group


def keep_groups_together(workflow: Any) -> None:
    """Let whatever runs a submission on a cluster know its groups, which then are one start of Snakemake there.

    The plugin for Slurm does not pass them on: its part on the node starts Snakemake for every job of a group, one by one.
    """
    settings: Any = getattr(getattr(workflow, "executor_plugin", None), "common_settings", None)
    if hasattr(settings, "pass_group_args"):
        settings.pass_group_args = True


def may_run_jobs(workflow: Any) -> bool:
    """Return True if jobs may be started; False for a dry run, and if that cannot be told."""
    return getattr(getattr(workflow, "output_settings", None), "dryrun", None) is False


def make_again(workflow: Any, paths: Iterable[str]) -> bool:
    """Let Snakemake make files again that it takes for made, while it plans; False where it cannot be told to."""
    forced = getattr(getattr(workflow, "dag", None), "forcefiles", None)
    if not isinstance(forced, set):
        return False
    forced.update(paths)
    return True


def makes_again(workflow: Any) -> bool:
    """Return True if the user has asked for something to be made again in any case; True if that cannot be told."""
    settings: Any = getattr(workflow, "dag_settings", None)
    return any(getattr(settings, name, True) for name in ("forcerun", "forcetargets", "forceall"))


def rules(workflow: Any) -> list[Any]:
    """Return the rules that have been read."""
    return list(workflow.rules)


def kept_with(workflow: Any, name: str) -> dict[str, Any]:
    """Return what is kept of a workflow, however often its Snakefile is read as that of a module."""
    found: dict[str, Any] = vars(workflow).setdefault(name, {})
    return found


def named(items: Any) -> dict[str, Any]:
    """Return by name the inputs, outputs or parameters of a rule."""
    return dict(items.items())


def pattern(path: Any) -> str:
    """Return the path of an output with its wildcards alone, without what they may stand for."""
    from snakemake.io import strip_wildcard_constraints

    return str(strip_wildcard_constraints(str(path)))


def ancient(path: Any) -> Any:
    """Return an input whose time has no say."""
    from snakemake.io import ancient

    return ancient(path)


def local(path: Any) -> Any:
    """Return a path on this machine, which neither the prefix of a module nor a remote storage of results moves."""
    from snakemake.io import local

    return local(str(path))


def reported(path: str, caption: str, category: str, subcategory: str | None, labels: Mapping[str, str]) -> Any:
    """Return an output that the report of Snakemake shows; its caption is in `workflow/report`."""
    from snakemake.io import report

    return report(path, caption=f"../report/{caption}.rst", category=category, subcategory=subcategory, labels=dict(labels))


def complete(workflow: Any, rule: Any, *, log: str, conda: str, groups: Mapping[str, Callable[[Any], str | None]]) -> None:
    """Give a rule what is the same for all rules, where it does not say it itself.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
    rule : snakemake.rules.Rule
    log : str
        The file of its log, which a module moves as it moves that of any rule.
    conda : str
        The file of its environment.
    groups : mapping
        By wildcard the group of its jobs on a cluster; the first that it has counts. Jobs that stay here have none.
    """
    if not rule.log:
        rule.log_modifier = workflow.modifier.path_modifier
        rule.set_log(log)
    rule.conda_env = conda
    # for `snakemake --list`
    rule.docstring = rule.docstring or rule.message
    group = next((group for name, group in groups.items() if name in rule.wildcard_names), None)
    if group and rule._group is None and rule.name not in workflow._localrules:
        rule.group = group


def replace_input(rule: Any, change: Callable[[Any], Any]) -> None:
    """Put another function in the place of each input function of a rule."""
    names = named(rule.input)
    for number, item in enumerate(rule.input):
        rule.input[number] = change(item)
        for name in [name for name, one in names.items() if one is item]:
            setattr(rule.input, name, rule.input[number])


def moved(workflow: Any) -> Callable[[str], str]:
    """Return where another workflow, which uses this one as a module, has a path of it (`prefix` or `replace_prefix`)."""
    modifier: Any = getattr(getattr(workflow, "modifier", None), "path_modifier", None)
    return getattr(modifier, "replace_prefix", str)


def config_files(workflow: Any) -> list[Path]:
    """Return the files that the configuration is read from: those of the command line, otherwise those of the Snakefile."""
    paths = getattr(workflow, "overwrite_configfiles", None) or getattr(workflow, "configfiles", None)
    return [Path(path) for path in paths or ()]


def stores_results_elsewhere(workflow: Any) -> bool:
    """Return True if paths of results are those of a remote storage, so that a path on this machine has to be marked by `local`.

    True if that cannot be told, since the mark does no harm.
    """
    return getattr(getattr(workflow, "storage_settings", None), "default_storage_provider", "unknown") is not None


def stored(url: str, path: Path) -> Any:
    """What stands for a URL among the storage plugins of Snakemake: it says whether there is such a file, and fetches it.

    Snakemake's own way, `storage()` in an input, asks the server whenever a run is planned.

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
