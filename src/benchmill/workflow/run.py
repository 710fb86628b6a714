"""The workflow, run by a command that needs its results."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.workflow import SNAKEFILE


def make_all(config: Path, folder: Path, cores: str, *, of_strangers: bool = False) -> None:
    """Make everything of a configuration that is not made, or not of what there is now; Snakemake's words go to the terminal.

    Parameters
    ----------
    config : Path
        The configuration.
    folder : Path
        Where the results are, in `results`.
    cores : str
        For Snakemake: a number, or `all`.
    of_strangers : bool
        Whether what is in the folder comes from elsewhere. Then no profile and no Python module is taken from there.

    Raises
    ------
    UserError
        Snakemake fails; it has said why.
    """
    command = [sys.executable, "-P", "-m", "snakemake", "--snakefile", SNAKEFILE, "--configfile", str(config.resolve())]
    command += ["--directory", str(folder.resolve()), "--cores", cores]
    with tempfile.TemporaryDirectory(prefix="benchmill-") as empty:
        # Snakemake looks for a profile where it is started
        where = Path(empty) if of_strangers else folder
        safe = {"PYTHONSAFEPATH": "1"} if of_strangers else {}
        # what a command prints can be piped: it says nothing of jobs
        done = subprocess.run(command, cwd=where, env={**os.environ, **safe}, stdout=2, check=False)
    if done.returncode:
        raise UserError(f"{config}: the workflow failed, and has said why; mend that, and give the same command again.")
