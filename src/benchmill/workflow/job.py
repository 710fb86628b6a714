"""Errors of a job in one sentence, and notes of what its results come from."""

import gc
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmill.core import keys, storage, whole_file
from benchmill.core.errors import UserError
from benchmill.core.storage import digest, files_below, keep_results_in, made_from
from benchmill.workflow import fingerprint, watched

#: Digests of inputs that this job has taken, by their paths.
_TAKEN: dict[str, str] = {}


@contextmanager
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
        watched.check_readable(snakemake.params.get("files", []))
        before = _stamps(snakemake.input)
        yield
        after = _stamps(snakemake.input)
        if others := [path for path, stamp in before.items() if after.get(path) != stamp]:
            raise UserError(f"{others[0]}: it was changed while it was read; give the same command again.")
        watched.check(snakemake.params.get("files", []), snakemake.input)
        if changed := fingerprint.check(getattr(sys.modules["__main__"], "__file__", None)):
            raise UserError(f"{changed}: the code was changed after the run began; give the same command again.")
        _note(snakemake)
    except Exception as error:
        told = error if isinstance(error, UserError) else None
        if isinstance(error, OSError) and error.filename is None:
            told = whole_file.cannot_write(snakemake.output[0], error)
        if told is None:
            _log(snakemake, traceback.format_exc())
            raise
        study = snakemake.wildcards.get("study") or snakemake.params.get("study")
        where = f"study {study!r}: " if study else ""
        _log(snakemake, f"{where}{told}\n")
        print(f"\nbenchmill: {where}{told}\n", file=sys.stderr)
        sys.exit(1)
    _log(snakemake, "")


def _note(snakemake: Any) -> None:
    note = getattr(snakemake.output, "origin", None)
    if note is None:
        return
    found = _digests(snakemake.input)
    # a record as the job leaves it: what it has added it would find there
    records = [snakemake.params.record] if snakemake.params.get("record") else []
    read = [*(found[str(path)] for path in snakemake.input), *map(watched.of_record, records)]
    names = json.loads(Path(snakemake.output.ingest).read_bytes())["algorithms_in_logs"] if snakemake.output.get("ingest") else {}
    watched.write_note(note, snakemake.params.asked, read, [path for path in snakemake.output if path != note], names)


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
    """Return which file stands at each path, or below it, how long it is and when it was written.

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


def origin(snakemake: Any, known: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what the outputs of a job are made from: digests of its inputs, and its settings.

    Digests that are `known` are not taken again. Parameters that tell when to run again, or are for messages, are left out.
    """
    left_out = ("asked", "code", "files", "record", "sha256", "without", "entries", "results", "broken", "names")
    settings = {name: value for name, value in snakemake.params.items() if name not in left_out}
    return made_from([str(path) for path in snakemake.input], settings, _digests(snakemake.input, known))
