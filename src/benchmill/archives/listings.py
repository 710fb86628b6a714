"""Names of data in public archives, such as `coco:bbob/2009/BIPOP-CMA-ES`, their lists, and the entries that a name means."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, cast

from benchmill.core import UserError
from benchmill.registry.archives import ARCHIVES

_ARCHIVE_SUFFIX = re.compile(r"\.(tar(\.(gz|bz2|xz|zst))?|tgz|tbz2?|txz|zip)$", re.IGNORECASE)


#: A part of a name that stands for a suite, a repository, a tag.
PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"


@dataclass(frozen=True)
class Name:
    """The parts of a name."""

    kind: str
    archive: str
    wanted: str

    @property
    def module(self) -> Any:
        """The module of its kind."""
        return ARCHIVES[self.kind].load()

    @property
    def of_archive(self) -> str:
        """The name of the archive alone."""
        return self.of("").rstrip("/#")

    def of(self, path: str) -> str:
        """Return the name of what the archive has under a path."""
        order = "{archive}#{path}" if "://" in self.archive else ARCHIVES[self.kind].order
        return f"{self.kind}:{order.format(archive=self.archive, path=path)}"


def is_name(text: str) -> bool:
    """Tell whether a text names data in an archive, and no path or URL."""
    kind, colon, rest = text.partition(":")
    return bool(colon) and not rest.startswith("//") and kind in ARCHIVES


def parsed(text: str) -> Name:
    """Split a name into its parts."""
    kind, _, rest = text.partition(":")
    if not is_name(text):
        forms = "; ".join(archive.form for archive in ARCHIVES.values())
        raise UserError(f"{text}: it names no data in an archive; expected one of {forms}.")
    match = next(filter(None, (re.fullmatch(pattern, rest) for pattern in ARCHIVES[kind].patterns)), None)
    if match is None:
        # what stands before an @ could be a password
        raise UserError(
            f"{kind}:{rest.rpartition('@')[2]}: it is not the name of data in an archive; expected {ARCHIVES[kind].form}."
        )
    name = Name(kind, match["archive"], match["wanted"] or "")
    if ".." in name.wanted.split("/"):
        raise UserError(f"{text}: it leads out of the archive; expected {ARCHIVES[kind].form}.")
    return name


@dataclass(frozen=True)
class Digest:
    """A digest as an archive states it; `kind` is `sha256`, `md5` or `git` (SHA-1 of a blob)."""

    kind: str
    value: str


@dataclass(frozen=True)
class File:
    """A file of an archive: where it is there, and how to recognise it.

    Attributes
    ----------
    digest : Digest or None
        None where the archive states none.
    smallest, largest : int or None
        Bounds of its size in bytes; lists of COCO state it in thousands.
    """

    path: str
    url: str
    digest: Digest | None
    smallest: int | None = None
    largest: int | None = None


@dataclass(frozen=True)
class Entry:
    """One file of an archive, or the files of a folder.

    Attributes
    ----------
    format : str or None
        Name of the reader, where the archive is of one format.
    algorithm : str or None
        What an archive of COCO calls the algorithm.
    page : str or None
        The address at which a browser shows a folder; it ends with a slash.
    licence, citation : str or None
        Where the archive states them.
    """

    name: str
    path: str
    files: tuple[File, ...]
    format: str | None = None
    algorithm: str | None = None
    page: str | None = None
    licence: str | None = None
    citation: str | None = None

    @property
    def is_folder(self) -> bool:
        """True for a folder of files."""
        return [file.path for file in self.files] != [self.path]

    @property
    def size(self) -> int | None:
        """Size of all its files in bytes, as far as the archive states it."""
        sizes = [file.smallest for file in self.files]
        return None if None in sizes else sum(size for size in sizes if size is not None)


#: What the list of an archive has.
Entries = tuple[Entry, ...]


@dataclass(frozen=True)
class Address:
    """Where the list of an archive is, and the hosts that it and its files come from."""

    url: str
    hosts: frozenset[str]


def address(name: Name) -> Address:
    """Return where the list of the archive of a name is."""
    return cast(Address, name.module.address(name))


@lru_cache(64)
def entries(name: Name, text: str) -> Entries:
    """Return all entries that the list of the archive of a name has."""
    try:
        listed = cast(Entries, name.module.entries(name, text))
        if twice := [path for path, times in Counter(file.path for entry in listed for file in entry.files).items() if times > 1]:
            raise ValueError(f"it has {twice[0]!r} twice")
        return listed
    except (AttributeError, KeyError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError) as error:
        what = plain(str(error)) or type(error).__name__
        raise UserError(
            f"{name.of_archive}: what {address(name).url} gives is not the list of an archive ({what[:100]}); look at the "
            "address, or fetch the files yourself and give their paths."
        ) from None


def picked(name: Name, listed: Sequence[Entry]) -> Entries:
    """Return the entries that a name means, in the order of the list."""
    exact = [entry for entry in listed if name.wanted in _names(entry)]
    return tuple(exact or [entry for entry in listed if any(fnmatchcase(one, name.wanted) for one in _names(entry))])


def _names(entry: Entry) -> tuple[str, ...]:
    names = (entry.path, without_suffix(entry.path))
    return names if entry.algorithm is None else (beside(entry.path, entry.algorithm), *names)


def beside(path: str, name: str) -> str:
    """Return a name in the folder of a path."""
    return path[: path.rfind("/") + 1] + name


def without_suffix(path: str) -> str:
    """Return a path without the suffix of archives."""
    return _ARCHIVE_SUFFIX.sub("", path)


def safe_path(path: Any) -> str:
    """Return a path in an archive that leads nowhere else."""
    if not isinstance(path, str) or not path.isprintable() or "\\" in path or re.match("[A-Za-z]:", path):
        raise ValueError(f"{path!r} is no name of a file")
    if any(part in ("", ".", "..") for part in path.split("/")):
        raise ValueError(f"{path!r} leads out of the archive")
    return path


def digest(kind: str, value: Any, length: int) -> Digest:
    """Return a digest with this many hexadecimal digits."""
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-fA-F]{{{length}}}", value):
        raise ValueError(f"{value!r} is no digest of {length} hexadecimal digits")
    return Digest(kind, value.lower())


def size(value: Any) -> int:
    """Return a number of bytes."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no size")
    return value


def plain(text: Any) -> str:
    """Return a text from a list in one line, without characters that are not printed; empty if it is no text."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split()) if isinstance(text, str) else ""
