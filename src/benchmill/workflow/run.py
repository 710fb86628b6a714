"""The workflow, run by a command that needs its results."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.text.labels import shown
from benchmill.workflow import SNAKEFILE

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
    command = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(snakefile or SNAKEFILE)]
    command += [] if snakefile else ["--configfile", str(config.resolve())]
    command += ["--directory", str(folder.resolve()), "--cores", cores, *(["--nocolor"] if quiet else []), "--", *targets]
    with tempfile.TemporaryDirectory(prefix="benchmill-") as empty:
        # Snakemake looks for a profile where it is started
        where = Path(empty) if of_strangers else folder
        safe = {"PYTHONSAFEPATH": "1"} if of_strangers else {}
        # what a command prints can be piped: it says nothing of jobs
        told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if quiet else {"stdout": 2}
        done = subprocess.run(command, cwd=where, env={**os.environ, **safe}, check=False, text=True, **told)  # type: ignore[call-overload]
    if done.returncode and quiet:
        raise UserError(_reason(config, folder, done.stdout))
    if done.returncode:
        raise UserError(f"{config}: the workflow failed, and has said why; mend that, and give the same command again.")


def _reason(config: Path, folder: Path, told: str) -> str:
    """Return what the first job that failed says in its log, else what Snakemake said last."""
    for log in re.findall(r"^ *log: (\S+) \(check log file", told, re.MULTILINE):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = (folder / log).read_text("utf-8").splitlines()
            # a mistake of a user is one line; a longer log is the traceback of something else
            if len(lines) == 1:
                return f"{config}: {shown(lines[0])} ({log})"
    said = [shown(line) for line in told.splitlines() if line.strip()][-_LAST_LINES:]
    return "\n".join([f"{config}: the workflow failed; it said last:", *(f"  {line}" for line in said)])
