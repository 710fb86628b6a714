"""A new folder, of a study that runs as it is or of a competition: `benchmill init`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from benchmill import workflow
from benchmill.core.errors import UserError
from benchmill.text.labels import shown

#: What a run leaves, should the folder of a clone have been run in.
_MADE = {"results", ".snakemake"}


def start(folder: str | Path, template: str = "new") -> list[str]:
    """Make a folder with everything that a study needs: configuration, Snakefile, profiles, a few small logs.

    Raises
    ------
    UserError
        If there is something already, or the folder cannot be written. What was there stays as it was.
    """
    folder = Path(folder)
    name = shown(str(folder))
    made = []
    try:
        if folder.is_dir():
            if there := min((path.name for path in folder.iterdir()), default=""):
                raise UserError(f"{name}: the folder is not empty ({shown(there)} is there); give a new one.")
        elif folder.exists() or folder.is_symlink():
            raise UserError(f"{name}: this is a file, where a new folder was expected; give another name.")
        for path, inside in _files(template):
            copy = folder / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            # what is installed may be write-protected; the copy is the user's
            copy.chmod(path.stat().st_mode & 0o777 | 0o200)
            made.append(str(inside))
    except OSError as error:
        raise UserError(f"{name}: the study cannot be written there ({error.strerror}); give another folder.") from None
    return sorted(made)


def _files(template: str) -> Iterator[tuple[Path, PurePosixPath]]:
    if template != "new":
        # every folder runs the same workflow
        yield workflow.ROOT / "studies/new/Snakefile", PurePosixPath("Snakefile")
    for folder, inside in ((f"studies/{template}", ""), ("profiles", "profiles")):
        source = workflow.ROOT / folder
        for path in sorted(source.rglob("*")):
            below = path.relative_to(source)
            if path.is_file() and not _MADE & set(below.parts):
                yield path, PurePosixPath(inside, below.as_posix())
