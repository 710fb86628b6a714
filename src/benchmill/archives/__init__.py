"""Data by name: what public archives hold, found by name, fetched once per user, checked, and kept with its licence."""

import contextlib
import hashlib
import json
import os
import sys
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from benchmill.archives import listings, transfer
from benchmill.archives.listings import Entries, Entry, Name, parsed
from benchmill.core import UserError, storage, whole_file
from benchmill.text.labels import file_name

#: No list of an archive is longer, in bytes: GitHub cuts its trees at 7 MB.
_LONGEST_LIST = 10_000_000


@dataclass(frozen=True)
class Store:
    """Where files come from and are kept.

    Attributes
    ----------
    mirror : str or None
        What stands for the hosts of archives (`benchmill.archives.transfer.Route`).
    """

    folder: Path
    mirror: str | None = None


def store(folder: str | os.PathLike[str] | None = None, mirror: str | None = None) -> Store:
    """Return the store of `BENCHMILL_CACHE` and `BENCHMILL_MIRROR`, by default in the system's folder for caches."""
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    below = Path(os.environ.get("XDG_CACHE_HOME") or usual) / "benchmill"
    chosen = Path(folder or os.environ.get("BENCHMILL_CACHE") or below).expanduser()
    return Store(chosen, mirror or os.environ.get("BENCHMILL_MIRROR") or None)


def find(text: str, at: Store, *, ask: bool = True, again: bool = False) -> Entries:
    """Return the entries that a name means, in the order of the archive's list; all if it names only the archive."""
    name = parsed(text)
    listed = _listed(name, at, ask, again)
    if not name.wanted:
        return listed
    entries = listings.picked(name, listed)
    if not entries:
        from difflib import get_close_matches
        from glob import has_magic

        names = [entry.name for entry in listed]
        end = name.wanted.rpartition("/")[2].lower()
        near = [one for one in names if end and end in one.lower()] or (
            [] if has_magic(end) else get_close_matches(text, names, n=1)
        )
        hint = f"did you mean {near[0]}?" if near else f"`benchmill fetch --list '{name.of_archive}'` lists what there is."
        raise UserError(f"{text}: the archive has nothing by that name; {hint}")
    return entries


def fetch(entry: Entry, at: Store, progress: transfer.Progress | None = None) -> Path:
    """Fetch an entry unless it is here, check it, and write beside it what is known of it (`~.json`)."""
    route = transfer.Route(listings.address(parsed(entry.name)).hosts, at.mirror)
    whole = kept(entry, at)
    for file in entry.files:
        path = _below(whole, file.path[len(entry.path) :]) if entry.is_folder else whole
        mark = hashlib.sha256(os.fsencode(path)).hexdigest()
        transfer.download(file, path, route, at.folder / "locks" / mark, progress)
    record = {
        "name": entry.name,
        "urls": [file.url for file in entry.files],
        "sha256": storage.digest(whole),
        "stated": {file.path: f"{file.digest.kind}:{file.digest.value}" for file in entry.files if file.digest},
        "licence": entry.licence,
        "citation": entry.citation,
    }
    # no file of an archive is kept under a name with ~
    whole_file.write_text(whole.with_name(f"{whole.name}~.json"), json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return whole


def kept(entry: Entry, at: Store) -> Path:
    """Return where an entry is kept."""
    name = parsed(entry.name)
    return _below(_below(at.folder / name.kind, name.archive), entry.path)


def _listed(name: Name, at: Store, ask: bool, again: bool) -> Entries:
    # how deep it looks matters to a list, not what it wants
    name = replace(name, wanted="/" * name.wanted.count("/"))
    here = _below(at.folder / "lists" / name.kind, name.archive + ".txt")
    if not again:
        with contextlib.suppress(FileNotFoundError):
            return listings.entries(name, here.read_text("utf-8"))
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            sheet = resources.files(__name__) / "sheets" / name.kind / f"{file_name(name.archive)}.txt"
            return listings.entries(name, sheet.read_text("utf-8"))
        if not ask:
            raise UserError(
                f"{name.of_archive}: its list is not here, and is not fetched while a study is planned; get it with `benchmill "
                f"fetch --list '{name.of_archive}'`."
            )
    where = listings.address(name)
    text = transfer.text(where.url, transfer.Route(where.hosts, at.mirror), _LONGEST_LIST)
    entries = listings.entries(name, text)
    whole_file.write_text(here, text)
    return entries


def _below(folder: Path, path: str) -> Path:
    return folder.joinpath(*(file_name(part) for part in path.split("/") if part))
