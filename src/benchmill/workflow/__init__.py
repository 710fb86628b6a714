"""The beginning of a run of the workflow, and how commands run it."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmill import __version__
from benchmill.core import UserError, shown
from benchmill.core.beside import ROOT
from benchmill.core.whole_file import remove_begun
from benchmill.study import yaml_text
from benchmill.workflow import borrowed

#: The workflow, which `snakemake -s`, an `include` or a `module` can name.
SNAKEFILE = str(ROOT / "Snakefile")


def check_folder(folder: Path) -> None:
    """Refuse a folder in which Snakemake cannot work.

    Raises
    ------
    UserError
        Its path has a brace, which Snakemake takes for a wildcard.
    """
    if "{" in str(folder) or "}" in str(folder):
        raise UserError(f"{folder}: Snakemake cannot work in a folder with a brace in its path; rename it.")


def flow(workflow: Any) -> str:
    """Return the file with the rules: that beside the Snakefile, or the installed one where that is read from git.

    Raises
    ------
    snakemake.exceptions.WorkflowError
        A rule or a script there is another than the installed one.
    """
    place, rules = workflow.current_basedir.get_path_or_uri(secret_free=True), "workflow/rules/flow.smk"
    if Path(place).is_dir():
        return rules
    installed = sorted([*ROOT.glob("workflow/rules/*.smk"), *ROOT.glob("scripts/*.py")])
    for path in installed if borrowed.begins_run(workflow) else ():
        name = path.relative_to(ROOT).as_posix()
        text = borrowed.source_text(workflow, name)
        # of what Snakemake reads from git the end of the last line is lost
        if text is None or text.rstrip("\n") != path.read_text("utf-8").rstrip("\n"):
            raise mistake(
                f"{place}: {name} there is not that of the installed benchmill {__version__}; install the version that the "
                "Snakefile names, or let it name the installed one."
            )
    return str(ROOT / rules)


def results_of(workflow: Any, studies: Iterable[str]) -> str:
    """Return the folder of the results: `results`, or where a module moves it.

    Raises
    ------
    snakemake.exceptions.WorkflowError
        The module moves some of the results and not others.
    """
    moved = borrowed.moved(workflow)
    folder = moved("results/_").removesuffix("/_")
    for study in studies:
        if (there := moved(f"results/{study}/_")) != f"{folder}/{study}/_":
            raise mistake(
                f"replace_prefix: it moves results/{study}/ to {there.removesuffix('_')}, expected `results/` as a whole."
            )
    return folder


def readable(path: str) -> str:
    """Return the path of a configuration, after a look whether Snakemake can read it, whose own error is a traceback.

    Raises
    ------
    snakemake.exceptions.WorkflowError
        The file is no YAML, or more than `benchmill.study.yaml_text` allows.
    """
    if Path(path).is_file():
        try:
            yaml_text.read(Path(path).read_text("utf-8", "replace"), Path(path).name)
        except UserError as error:
            raise mistake(str(error)) from None
    return path


def mistake(text: str) -> Exception:
    """Return what a Snakefile raises about a mistake of its user: Snakemake shows the text alone."""
    from snakemake.exceptions import WorkflowError

    class Mistake(WorkflowError):  # type: ignore[misc]
        #: Snakemake prints the places that an exception has come through.
        __traceback__ = property(lambda self: None, lambda self, value: None)

    return Mistake(text)


def begin(workflow: Any) -> None:
    """Begin a run: schedule and end without delay, and remove what killed runs have left among the results.

    Call it in `onstart` of a Snakefile that uses the workflow as a `module`.
    """
    borrowed.start_jobs_at_once(workflow)
    borrowed.end_on_request(workflow)
    borrowed.keep_groups_together(workflow)
    # A run that holds the lock of its folder, with jobs of its own machine alone, is the only one that writes there: the jobs of
    # a killed one end with it. On a cluster they may go on.
    if borrowed.runs_jobs_here(workflow) and borrowed.holds_folder(workflow):
        for folder in ("results", "downloads"):
            remove_begun(folder)


# --- the workflow, run by a command that needs its results ---------------------------------------

#: So many of the last lines of Snakemake are told.
_LAST_LINES = 12


def make(
    config: Path,
    folder: Path,
    cores: str,
    targets: Sequence[str] = (),
    *,
    snakefile: str | Path | None = None,
    of_strangers: bool = False,
    quiet: bool = False,
) -> None:
    """Make what is not made of a configuration, or not of what there is now.

    Raises
    ------
    UserError
        Snakemake fails; what it says is told.
    """
    command = [
        *(sys.executable, "-P", "-m", "snakemake", "--snakefile", str(snakefile or SNAKEFILE)),
        *([] if snakefile else ["--configfile", str(config.resolve())]),
        *("--directory", str(folder.resolve()), "--cores", cores, *(["--nocolor"] if quiet else [])),
        *("--", *targets),
    ]
    with tempfile.TemporaryDirectory(prefix="benchmill-") as empty:
        # Snakemake looks for a profile where it is started
        where = Path(empty) if of_strangers else folder
        safe = {"PYTHONSAFEPATH": "1"} if of_strangers else {}
        # what a command prints can be piped: it says nothing of jobs
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if quiet else {"stdout": 2}
        done = subprocess.run(command, cwd=where, env={**os.environ, **safe}, check=False, text=True, **streams)  # type: ignore[call-overload]
    if done.returncode:
        seen = f"{config}: the workflow failed, and has said why; mend that, and give the same command again."
        raise UserError(_reason(config, folder, done.stdout) if quiet else seen)


def _reason(config: Path, folder: Path, output: str) -> str:
    """Return what the first job that failed says in its log, else what Snakemake said last."""
    for log in re.findall(r"^ *log: (\S+) \(check log file", output, re.MULTILINE):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = (folder / log).read_text("utf-8").splitlines()
            # a mistake of a user is one line; a longer log is the traceback of something else
            if len(lines) == 1:
                return f"{config}: {shown(lines[0])} ({log})"
    last_lines = [shown(line) for line in output.splitlines() if line.strip()][-_LAST_LINES:]
    return "\n".join([f"{config}: the workflow failed; it said last:", *(f"  {line}" for line in last_lines)])
