"""Fetch sources by URL through Snakemake's storage plugins, by name from archives: once, verified, whole or not at all."""

import os
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

from benchmill import archives
from benchmill.archives.listings import Entry, is_name
from benchmill.archives.transfer import only_outside
from benchmill.core import UserError
from benchmill.core.storage import digest
from benchmill.core.whole_file import whole_file
from benchmill.workflow import borrowed


def fetch(url: str, path: str | Path, sha256: str | None, source: str, most_mb: float | None = None) -> str:
    """Fetch a file, verify it, and put it where it belongs; it is there complete or not at all.

    With `most_mb` the address is a stranger's: the file may have so many megabytes, and nothing inside is asked.

    Raises
    ------
    UserError
        No plugin knows the scheme, there is no such file, the connection failed or was cut, or the file is another one, too
        large, or inside.
    """
    if is_name(url):
        return _named(url, path, sha256, source, most_mb)
    try:
        with whole_file(path) as part, only_outside(most_mb is not None):
            try:
                stored = borrowed.stored(url, part)
            except borrowed.UnknownPlugins:
                raise UserError(
                    f"source {source}: the storage plugins of this Snakemake cannot fetch {url}; download it yourself to {path}, "
                    "and run again: what is there is not fetched."
                ) from None
            if stored is None:
                raise UserError(
                    f"source {source}: nothing that is installed can fetch {url}; for https and s3 pip install -e '.[remote]', "
                    "for other schemes a storage plugin of Snakemake."
                )
            if not stored.exists():
                raise UserError(
                    f"source {source}: there is no file {url}, or its server does not give it; look at the URL and at the server."
                )
            size = stored.size()
            _check_size(url, size, most_mb, source)
            stored.retrieve_object()
            _check_size(url, part.stat().st_size, most_mb, source)
            # more bytes than stated are no loss: the server compressed them on the way
            if part.stat().st_size < size:
                raise UserError(
                    f"source {source}: {url} was cut off, {part.stat().st_size} of {size} bytes came; run again to fetch it "
                    "again."
                )
            actual = digest(part)
            verify(url, sha256, source, actual, _REPLACED)
    except UserError:
        raise
    # each plugin fails in its own way
    except Exception as error:
        raise UserError(
            f"source {source}: {url} could not be fetched ({_reason(error)}); run again to fetch it, what is complete is kept."
        ) from error
    return actual


def _check_size(url: str, size: int, most_mb: float | None, source: str) -> None:
    if most_mb is not None and size > most_mb * 1e6:
        raise UserError(f"source {source}: {url} has {size / 1e6:.2g} MB, expected {most_mb:g} at most; give a smaller file.")


def _named(name: str, path: str | Path, sha256: str | None, source: str, most_mb: float | None) -> str:
    store = archives.store()
    try:
        (entry,) = archives.find(name, store, ask=False)
        _check_size(name, entry.size or 0, most_mb, source)
        if most_mb is not None:
            most = int(most_mb * 1e6)
            entry = replace(entry, files=tuple(replace(one, largest=min(one.largest or most, most)) for one in entry.files))
        # a mirror is the user's own
        with only_outside(most_mb is not None and store.mirror is None):
            here = archives.fetch(entry, store)
    except UserError as error:
        raise UserError(f"source {source}: {error}") from None
    with whole_file(path) as part:
        if entry.is_folder:
            _pack(entry, here, part)
        else:
            try:
                os.link(here, part)
            except (AttributeError, OSError):
                shutil.copyfile(here, part)
        actual = digest(part)
        verify(name, sha256, source, actual, _REPLACED)
    return actual


def _pack(entry: Entry, folder: Path, path: Path) -> None:
    """Return the files of a folder as a tar without times, owners and rights."""
    with tarfile.open(path, "w") as packed:
        for name in sorted(file.path for file in entry.files):
            here = archives.kept(replace(entry, path=name), archives.store())
            member = tarfile.TarInfo(f"{folder.name}/{name[len(entry.path) + 1 :]}")
            member.size = here.stat().st_size
            with here.open("rb") as content:
                packed.addfile(member, content)


#: What to do where another file came than the entry of its source means.
_REPLACED = "if the file was replaced on purpose, correct sha256 in the entry of the source."
_MISPLACED = "put the right file there (one that was downloaded: delete it and run again), or correct sha256."


def verify(path: str | Path, sha256: str | None, source: str, actual: str, advice: str = _MISPLACED) -> None:
    """Check that a file, whose SHA-256 was found, is the one that the entry of its source means.

    Raises
    ------
    UserError
        Its SHA-256 is another one.
    """
    if sha256 and actual != sha256.lower():
        raise UserError(
            f"source {source}: {path} is not the file that is meant: its sha256 is {actual}, expected {sha256.lower()}; {advice}"
        )


def _reason(error: BaseException) -> str:
    while below := error.__cause__ or error.__context__:
        error = below
    return " ".join(str(error).split())[:200] or type(error).__name__
