"""Digests of what files hold, so that a change is seen whatever their dates say, and notes of what results were made from.

Snakemake remembers in `.snakemake` what it made files from. A clone or a copy of `results` comes without that memory, and a file
can be replaced behind its back. So each job leaves a note below `origins` of its results (`catalogue.origin`): a
digest of what was asked of it (its settings and its code), one of all that it read, and one of each file that it wrote.
`benchmill.workflow.up_to_date` holds the notes against what is asked for when a run is planned.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.core.storage import below_results, digest, files_below
from benchmill.core.whole_file import write_text

#: Where the digests are kept, in the folder of the run; they can be deleted at any time.
KEPT = Path(".snakemake/benchmill-digests")

#: Two changes within a tick of the clock look alike: 10 ms at most on Linux, 2 s on old file systems.
TICK_NS = 2_000_000_000


def digests(paths: Iterable[str | Path]) -> list[str]:
    """Return the SHA-256 of each file, or of the names and contents of all files below a folder, as hex.

    A path is looked at once in a process, and what it held then is the answer from then on.

    Raises
    ------
    UserError
        There is nothing at a path, or it cannot be read.
    """
    return [_once(str(path)) for path in paths]


def digests_or_why(paths: Iterable[str | Path]) -> list[str]:
    """Return the same, or a sentence that says why there is none, for the job that would read it."""
    try:
        return digests(paths)
    except UserError as error:
        return [str(error)]


def check_readable(begun_with: Iterable[str]) -> None:
    """Raise `UserError` where the run, as it began, could not read an input; `begun_with` is what `digests_or_why` said."""
    if why := [found for found in begun_with if " " in found]:
        raise UserError(why[0])


def check(begun_with: Collection[str], inputs: Iterable[str | Path]) -> None:
    """Look whether the inputs of a job still hold what they held when the run began.

    Raises
    ------
    UserError
        One of them holds something else by now.
    """
    missing, others = set(begun_with), []
    # results are products of jobs, seldom watched and sometimes large
    for path in sorted(map(str, inputs), key=lambda path: bool(below_results(path))):
        if not missing:
            return
        if (found := digest_of(path)) in begun_with:
            missing.discard(found)
        else:
            others.append(path)
    if missing:
        raise UserError(f"{(others or ['an input'])[0]}: it was changed after the run began; give the same command again.")


def digest_of(path: str | Path) -> str:
    """SHA-256 of a file or folder as it is now; see `digests`."""
    path = str(path)
    note = KEPT / f"{hashlib.sha256(os.fsencode(path)).hexdigest()}.json"
    kept, now = _read(note), time.time_ns()
    try:
        files = sorted(files_below(path)) if os.path.isdir(path) else [path]
        found = {file: _entry(file, kept.get(os.fsencode(file).hex())) for file in files}
        total = digest(path, {file: sha256 for file, (_, sha256) in found.items()}) if os.path.isdir(path) else found[path][1]
    except OSError as error:
        raise UserError(f"{error.filename or path}: cannot be read ({error.strerror}); it is an input, put it back.") from None
    # the name as hex: those of some archives are in no encoding
    keep = {os.fsencode(file).hex(): entry for file, entry in found.items() if entry[0][-1] < now - TICK_NS}
    if keep != kept:
        # a disk that must not be written is the jobs' matter
        with contextlib.suppress(UserError):
            write_text(note, json.dumps(keep))
    return total


_once = cache(digest_of)


def _entry(file: str, kept: tuple[list[int], str] | None) -> tuple[list[int], str]:
    """Return which file it is, its change time last, and its digest, taken where that is another file."""
    state = os.stat(file)
    is_now = [state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]
    return kept if kept is not None and kept[0] == is_now else (is_now, digest(file))


def _read(note: Path) -> dict[str, tuple[list[int], str]]:
    try:
        return {name: (list(state), str(sha256)) for name, (state, sha256) in json.loads(note.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


# --- notes -------------------------------------------------------------------------------------

#: The folder of notes, in that of a study or in `results`.
FOLDER = "origins"


@dataclass(frozen=True)
class Note:
    """Note of a job.

    Attributes
    ----------
    asked : str
        Digest of settings and code.
    read : str
        Digest of the digests of all that was read, in order.
    made : mapping
        The digest of each file, by its path below the folder of the study, or below `results`.
    names : mapping
        By the name of an algorithm in the logs that were read, what the study calls it; None of one that it does not take.
    """

    asked: str
    read: str
    made: Mapping[str, str]
    names: Mapping[str, str | None]


def of_all(digests: Iterable[str]) -> str:
    """Return one digest of several."""
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def of_record(path: str | Path) -> str:
    """Return the digest of a record, which is not there before anything was added to it."""
    return digest(path) if os.path.exists(path) else ""


def write_note(
    path: str | Path, asked: str, read: Iterable[str], outputs: Iterable[str | Path], names: Mapping[str, str | None]
) -> None:
    """Write the note of a job that has written its outputs; `read` are the digests of all that it read."""
    note = Note(asked, of_all(read), {below(path, output): digest(output) for output in outputs}, names)
    write_text(path, json.dumps(vars(note), indent=1) + "\n")


def below(note: str | Path, path: str | Path) -> str:
    """Return the path of a file below the folder that has the notes."""
    of_study = below_results(note)[1:2] == (FOLDER,)
    return "/".join(below_results(path)[of_study:])


def read_note(path: str | Path) -> Note | None:
    """Return the note at a path; None where there is none that can be read."""
    try:
        said = json.loads(Path(path).read_bytes())
        return Note(str(said["asked"]), str(said["read"]), {**said["made"]}, {**said["names"]})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
