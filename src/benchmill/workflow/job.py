"""Errors of a job in one sentence, digests of what files hold, and notes of what results were made from.

A change is seen whatever the dates of files say. Snakemake remembers in `.snakemake` what it made files from. A clone or a
copy of `results` comes without that memory, and a file can be replaced behind its back. So each job leaves a note below `origins`
of its results (`catalogue.origin`): a digest of what was asked of it (its settings and its code), one of all that it read, and
one of each file that it wrote. `benchmill.workflow.up_to_date` holds the notes against what is asked for when a run is planned.
"""

import contextlib
import gc
import hashlib
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmill.core import UserError, Written, keys, storage, whole_file
from benchmill.core.storage import below_results, digest, files_below, keep_results_in, made_from
from benchmill.workflow import fingerprint

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
        if (now := digest_of(path)) in begun_with:
            missing.discard(now)
        else:
            others.append(path)
    if missing:
        raise UserError(f"{(others or ['an input'])[0]}: it was changed after the run began; give the same command again.")


def digest_of(path: str | Path) -> str:
    """Return the SHA-256 of a file or folder as it is now; see `digests`."""
    path = str(path)
    note = KEPT / f"{hashlib.sha256(os.fsencode(path)).hexdigest()}.json"
    kept, now = _read(note), time.time_ns()
    try:
        files = sorted(files_below(path)) if os.path.isdir(path) else [path]
        entries = {file: _entry(file, kept.get(os.fsencode(file).hex())) for file in files}
        total = digest(path, {file: sha256 for file, (_, sha256) in entries.items()}) if os.path.isdir(path) else entries[path][1]
    except OSError as error:
        raise UserError(f"{error.filename or path}: cannot be read ({error.strerror}); it is an input, put it back.") from None
    # the name as hex: those of some archives are in no encoding
    keep = {os.fsencode(file).hex(): entry for file, entry in entries.items() if entry[0][-1] < now - TICK_NS}
    if keep != kept:
        # a disk that must not be written is the jobs' matter
        with contextlib.suppress(UserError):
            whole_file.write_text(note, json.dumps(keep))
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
    """Combine several digests into one."""
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def of_record(path: str | Path) -> str:
    """Return the digest of a record, which is not there before anything was added to it."""
    return digest(path) if os.path.exists(path) else ""


def below(note: str | Path, path: str | Path) -> str:
    """Return the path of a file below the folder that has the notes."""
    of_study = below_results(note)[1:2] == (FOLDER,)
    return "/".join(below_results(path)[of_study:])


def read_note(path: str | Path) -> Note | None:
    """Return the note at a path; None where there is none that can be read."""
    try:
        note = json.loads(Path(path).read_bytes())
        return Note(str(note["asked"]), str(note["read"]), {**note["made"]}, {**note["names"]})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


# --- the job ------------------------------------------------------------------------------------

#: Digests of inputs that this job has taken, by their paths.
_TAKEN: dict[str, str] = {}


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[None]:
    """Run the body of a rule's script.

    A `UserError` ends the job with its message, any other exception with its traceback, in the log and on the terminal. So does
    an input or code that changes while the job runs, since what is made would be held for made from the new one. When the
    Snakemake that started it is gone, the job ends at once.
    """
    # figures are thousands of small objects that live to the end: looking for cycles among them took a tenth of the time
    gc.set_threshold(50_000)
    keep_results_in(snakemake.params.get("results", "results"))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        # what the run, as it began, could not read (`digests_or_why`)
        if why := [with_space for with_space in snakemake.params.get("files", []) if " " in with_space]:
            raise UserError(why[0])
        before = _stamps(snakemake.input)
        yield
        after = _stamps(snakemake.input)
        if others := [path for path, stamp in before.items() if after.get(path) != stamp]:
            raise UserError(f"{others[0]}: it was changed while it was read; give the same command again.")
        check(snakemake.params.get("files", []), snakemake.input)
        if changed := fingerprint.check(getattr(sys.modules["__main__"], "__file__", None)):
            raise UserError(f"{changed}: the code was changed after the run began; give the same command again.")
        _note(snakemake)
    except Exception as error:
        message = error if isinstance(error, UserError) else None
        if isinstance(error, OSError) and error.filename is None:
            message = whole_file.cannot_write(snakemake.output[0], error)
        if message is None:
            _log(snakemake, traceback.format_exc())
            raise
        study = snakemake.wildcards.get("study") or snakemake.params.get("study")
        told = f"study {study!r}: {message}" if study else str(message)
        if figure := snakemake.wildcards.get("figure"):
            # what draws it knows its kind alone
            told = told.replace(f"figures: {snakemake.params.kind}:", f"figures: {figure}:", 1)
        _log(snakemake, f"{told}\n")
        print(f"\nbenchmill: {told}\n", file=sys.stderr)
        sys.exit(1)
    _log(snakemake, "")


def _note(snakemake: Any) -> None:
    at = getattr(snakemake.output, "origin", None)
    if at is None:
        return
    digest_by_path = _digests(snakemake.input)
    # a record as the job leaves it: what it has added it would find there
    records = [snakemake.params.record] if snakemake.params.get("record") else []
    read = [*(digest_by_path[str(path)] for path in snakemake.input), *map(of_record, records)]
    names = json.loads(Path(snakemake.output.ingest).read_bytes())["algorithms_in_logs"] if snakemake.output.get("ingest") else {}
    made = {below(at, path): digest(path) for path in snakemake.output if path != at}
    whole_file.write_text(at, json.dumps(vars(Note(snakemake.params.asked, of_all(read), made, names)), indent=1) + "\n")


def _digests(paths: Iterable[Any], known: Mapping[str, str] | None = None) -> dict[str, str]:
    _TAKEN.update(known or {})
    names = [str(path) for path in paths]
    _TAKEN.update({path: digest(path) for path in names if path not in _TAKEN})
    return {path: _TAKEN[path] for path in names}


def _log(snakemake: Any, text: str) -> None:
    # a rule that somebody has made of one of these may have none
    log = Path(snakemake.log[0] if snakemake.log else os.devnull)
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text, encoding="utf-8")
    except OSError as error:
        # on a full disk the terminal still tells what there is to tell
        print(f"benchmill: {log}: no log can be written ({error.strerror})", file=sys.stderr)


def _stamps(paths: Iterable[Any]) -> dict[str, tuple[int, int, int]]:
    """Return which file is at each path, or below it, how long it is and when it was written.

    Of a link into the store of parsed logs it is the link: its name stands for all that the content depends on.
    """
    store = os.environ.get("SNAKEMAKE_OUTPUT_CACHE")
    files = (file for path in paths for file in (files_below(path) if os.path.isdir(path) else [str(path)]))
    # what is gone has no stamp
    states = {
        file: os.stat(
            file, follow_symlinks=not (store and os.path.islink(file) and Path(os.readlink(file)).parent == Path(store))
        )
        for file in files
        if os.path.exists(file)
    }
    return {file: (state.st_ino, state.st_size, state.st_mtime_ns) for file, state in states.items()}


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


def clustered(snakemake: Any, asked: Sequence[str] | None = None) -> tuple[keys.Key, ...]:
    """Return the keys that clusters are made by, `family` being what the data have shown."""
    families = (storage.read(path, "families") for path in snakemake.input.get("families", []))
    return keys.resolved(snakemake.params.cluster_keys if asked is None else asked, next(families, None))


def origin(snakemake: Any, known: Mapping[str, str] | None = None) -> Written:
    """Return what the outputs of a job are made from: digests of its inputs, and its settings.

    Digests that are `known` are not taken again. Parameters that tell when to run again, or are for messages, are left out.
    """
    left_out = ("asked", "code", "files", "record", "sha256", "without", "entries", "results", "broken", "names")
    settings = {name: value for name, value in snakemake.params.items() if name not in left_out}
    return made_from([str(path) for path in snakemake.input], settings, _digests(snakemake.input, known))
