"""One way to look at a folder, an archive or a single file: a sorted list of members with their bytes."""

import bz2
import hashlib
import io
import lzma
import os
import re
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, NamedTuple, Self, cast

import pyarrow as pa
from isal import igzip, isal_zlib

from benchmill.core import UserError, natural_key, shown
from benchmill.readers.interface import Report, rules

#: An archive (or a folder) with more files than this is refused.
MOST_MEMBERS = 1_000_000
#: An archive that unpacks to more bytes than this is refused.
MOST_BYTES = 64 * 2**30
#: An archive that unpacks to more than this many times its size is refused, beyond `RATIO_FREE` bytes. Logs reach about 30.
MOST_RATIO = 200
RATIO_FREE = 64 * 2**20
#: An unpacked archive up to this size stays in memory; a larger tar goes to a temporary file.
KEPT_IN_MEMORY = 64 * 2**20
#: So many parts of a source are named where it is spoken of as a whole.
_NAMED_PARTS = 4

#: Bytes that are best read and parsed together; a much larger file is parsed in pieces.
BYTES_AT_ONCE = 4 * 2**20

RULES = rules("archive")
#: Those of a reader that compares its files with each other (`Contents`).
SAME_CONTENT = rules("same_content")

_ARCHIVE = re.compile(r"\.(tar|tgz|tbz2?|txz|tzst|tar\.(gz|bz2|xz|zst))$", re.IGNORECASE)
#: Suffix of a packed file.
COMPRESSED = re.compile(r"(?<=.)\.(gz|bz2|xz|zst)$", re.IGNORECASE)
_CHUNK = 2**20
_SMALL_CHUNK = 2**12
#: Makes of a packed file a stream of what it holds.
_Opener = Callable[[IO[bytes]], Any]
#: How to unpack a file, by what it begins with.
_PACKED: dict[bytes, _Opener] = {
    b"\x1f\x8b": igzip.open,
    b"BZh": lambda file: _Streams(file, bz2.BZ2Decompressor),
    b"\xfd7zXZ\0": lambda file: _Streams(file, lzma.LZMADecompressor),
    b"\x28\xb5\x2f\xfd": lambda file: pa.input_stream(file, compression="zstd"),
}

_DAMAGED = (
    *(EOFError, OSError, zlib.error, isal_zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile),
    *(NotImplementedError, ValueError),
    MemoryError,  # what a few bytes can ask a decompressor to set aside
)


class Member(NamedTuple):
    """A file of a source: its name with `/` between folders, relative to the source, and its size in bytes."""

    name: str
    size: int


class Skipped(NamedTuple):
    """A member that is not read: the rule, its name, and what was found."""

    rule: str
    name: str
    detail: str


@dataclass
class View:
    """The files of a source in natural order of their names, whatever the order in the archive.

    A context manager; leaving it closes the archive and deletes its temporary file.
    """

    name: str
    kind: str
    members: list[Member]
    skipped: list[Skipped]
    _locators: dict[str, Any]
    _open: Callable[[Any], AbstractContextManager[Any]]
    """Makes of a locator a stream from its first byte."""
    _close: Callable[[], None] = field(default=lambda: None)
    opened: set[str] = field(default_factory=set)
    """Members that were read beyond their head."""
    parts: "dict[str, View]" = field(default_factory=dict)
    """Where it is a source of several parts, each by its name."""

    def __contains__(self, name: str) -> bool:
        return name in self._locators

    def only(self, member: Member) -> Self:
        """Return the same source as if it had this member alone: to look at, not to close."""
        return replace(
            self,
            members=[member],
            skipped=[],
            opened=set(),
            _locators={member.name: self._locators[member.name]},
            _close=lambda: None,
        )

    def read(self, name: str) -> bytes:
        """Return all bytes of a member."""
        return b"".join(self.chunks(name, -1))

    def chunks(self, name: str, size: int) -> Iterator[bytes]:
        """Return the bytes of a member in pieces of at most `size` (-1: one), so that a large one need not be held at once."""
        self.opened.add(name)
        with self.stream(name) as stream:
            while chunk := stream.read(size):
                yield chunk

    def is_packed(self, name: str) -> bool:
        """Tell whether a member is a file packed with gzip, bzip2, xz or zstd."""
        return _opener(self.head(name, 8)) is not None

    def unpacked(self, name: str) -> bytes:
        """Return all bytes of a member, unpacked if it is a packed file (as in a folder of packed tables)."""
        data = self.read(name)
        if (opener := _opener(data)) is None:
            return data
        with self._named(name):
            return b"".join(_unpacked(io.BytesIO(data), opener, shown(name), len(data)))

    def unpacked_head(self, name: str, size: int) -> bytes:
        """Return the first bytes of a member, unpacked as `unpacked` does: at most `size`, from as many packed ones."""
        data = self.head(name, size)
        if (opener := _opener(data)) is None:
            return data
        if len(data) < size:
            return self.unpacked(name)[:size]
        parts = b""
        with suppress(*_DAMAGED), opener(io.BytesIO(data)) as stream:
            while len(parts) < size and (part := stream.read(_SMALL_CHUNK)):
                parts += part
        return parts[:size]

    def head(self, name: str, size: int = 4096) -> bytes:
        """Return the first `size` bytes of a member (fewer if it is shorter)."""
        with self.stream(name) as stream:
            return bytes(stream.read(size))

    @contextmanager
    def stream(self, name: str) -> Iterator[Any]:
        """Open a member, to be read from its first byte on."""
        with self._named(name), self._open(self._locators[name]) as stream:
            yield stream

    @contextmanager
    def _named(self, name: str) -> Iterator[None]:
        try:
            yield
        except (*_DAMAGED, RuntimeError) as error:
            raise UserError(f"{self.name}: the file {shown(name)!r} cannot be read ({_reason(error)}); get it again.") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()


class Contents:
    """The contents of the files read so far: if a folder was copied into itself, nothing else shows it."""

    def __init__(self, view: View, report: Report) -> None:
        self._view, self._report = view, report
        self._sizes = {member.name: member.size for member in view.members}
        self._alike = Counter(self._sizes.values())
        self._seen: dict[Any, str] = {}

    def compare(self, name: str, text: bytes | None = None, among: Hashable = None) -> None:
        """Report a file with the content of an earlier one; only those of the same length are compared.

        Parameters
        ----------
        text : bytes or None
            Its content, where it is at hand.
        """
        size = self._sizes[name]
        if (plain := plain_name(name)) != name and plain in self._sizes:
            self._report.add("same_content", name, None, f"by its name it is {plain}, packed")
        if size and self._alike[size] > 1:
            total = hashlib.sha256()
            for chunk in self._view.chunks(name, BYTES_AT_ONCE) if text is None else [text]:
                total.update(chunk)
            first = self._seen.setdefault((among, total.digest()), name)
            if first != name:
                self._report.add("same_content", name, None, f"it is the same as {first}")


def part_names(paths: Sequence[str | Path]) -> list[str]:
    """Return the last part of each path, after its number if another one has the same name."""
    names: list[str] = []
    for number, path in enumerate(paths, 1):
        name = _utf8(Path(path).name or Path(path).resolve().name)
        names.append(f"{number}/{name}" if name in names else name)
    return names


def plain_name(name: str) -> str:
    """Return the name of a file without the suffix that says how it is packed."""
    return COMPRESSED.sub("", name)


def open_parts(paths: Sequence[str | Path]) -> View:
    """Look into several folders, archives and files as if they were folders of one; a single one is looked into as it is.

    Parameters
    ----------
    paths : sequence of path-like
        At least one. Members are named `<part>/<member>`, with the parts called by `part_names` (a part that is a single
        file keeps its own name), and stand in the order of the parts.

    Raises
    ------
    UserError
        As `open_view`; or the same part is listed twice, or two members have the same name.
    """
    if len(paths) == 1:
        return open_view(paths[0])
    resolved = [Path(path).resolve() for path in paths]
    for number, path in enumerate(resolved):
        if path in resolved[:number]:
            raise UserError(f"{paths[number]}: it is listed twice among the parts of a source; list it once.")
    with ExitStack() as stack:
        # all are open at once
        parts = {
            name: stack.enter_context(open_view(path, KEPT_IN_MEMORY // len(paths)))
            for name, path in zip(part_names(paths), paths, strict=True)
        }
        members: list[Member] = []
        locators: dict[str, Any] = {}
        skipped: list[Skipped] = []
        for name, view in parts.items():
            # `2/times.csv.gz` unpacks to `times.csv`
            folder = f"{name}/" if view.kind != "file" else name[: name.rfind("/") + 1]
            for member in view.members:
                if folder + member.name in locators:
                    raise UserError(f"{folder}{member.name}: two parts of a source have a file of this name; rename one.")
                members.append(member._replace(name=folder + member.name))
                locators[folder + member.name] = view, member.name
            skipped += [item._replace(name=folder + item.name) for item in view.skipped]
            _check_count(", ".join(map(str, paths)), len(members) + len(skipped))
        close = stack.pop_all().close
    named = list(parts) if len(parts) <= _NAMED_PARTS else [*list(parts)[: _NAMED_PARTS - 1], "...", list(parts)[-1]]
    return View(", ".join(named), "folder", members, skipped, locators, lambda at: at[0].stream(at[1]), close, parts=parts)


def open_view(path: str | Path, memory: int = KEPT_IN_MEMORY) -> View:
    """Look into a folder, an archive (tar plain or packed with gzip, bzip2, xz or zstd; zip), or a file (plain or packed).

    What a file is, is told from its first bytes, not from its name. Up to `memory` bytes that an archive unpacks to are held.

    Raises
    ------
    UserError
        There is no such path, it is empty or cannot be read, the archive is damaged or cut short, or it exceeds a limit.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return _folder(path)
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: it is neither a file nor a folder; give a folder, an archive or a table.")
        with path.open("rb") as file:
            head = file.read(512)
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file or folder; correct the path.") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({_reason(error)}); give a folder or file that you may read.") from None
    if not head:
        raise UserError(f"{path}: the file is empty (0 bytes); give a folder, an archive or a table with content.")
    try:
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
            with zipfile.ZipFile(path) as archive:
                workbook = "xl/workbook.xml" in archive.namelist()
            # a workbook is a table, not an archive of its parts
            return _of_path(path) if workbook else _zip(path, memory)
        opener = _opener(head)
        if opener or _looks_like_tar(head) or _ARCHIVE.search(path.name):
            return _stream(path, opener, memory)
    except _DAMAGED as error:
        raise UserError(f"{path}: the archive is damaged or cut short ({_reason(error)}); get it again.") from None
    return _of_path(path)


def view_of_bytes(name: str, data: bytes) -> View:
    """Look at what is in memory as if it were a file of this name; it is not unpacked."""
    return _single(name, len(data), lambda _: io.BytesIO(data))


#: The rule by which a member is not read, and what it is; None where it is.
_Trouble = tuple[str, str] | None


def _reason(error: BaseException) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return shown(text).rstrip(".") or type(error).__name__


def _single(name: str, size: int, opened: Callable[[Any], Any], close: Callable[[], None] = lambda: None) -> View:
    name = _utf8(name)
    return View(name, "file", [Member(name, size)], [], {name: None}, opened, close)


def _of_path(path: Path) -> View:
    return _single(path.name, path.stat().st_size, lambda _: path.open("rb", buffering=0))


def _utf8(name: str) -> str:
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _folder(path: Path) -> View:
    members = _Members(str(path))
    stack = [("", str(path))]
    while stack:
        above, folder = stack.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                name = above + _utf8(entry.name)
                left = _unread(entry.name, "folder")
                if left is None or left[0] == "nested_archive":
                    if entry.is_symlink():
                        left = "link", "a symbolic link"
                    elif entry.is_dir():
                        stack.append((name + "/", entry.path))
                        continue
                    elif not entry.is_file():
                        left = "special_file", "neither a file nor a folder"
                members.count()
                if left:
                    members.skipped.append(Skipped(left[0], name, left[1]))
                else:
                    members.there[name] = entry.stat().st_size, entry.path
    return members.view(path, lambda file: open(file, "rb", buffering=0), kind="folder")


def _check_count(name: str, count: int) -> None:
    if count > MOST_MEMBERS:
        raise UserError(f"{name}: it has more than {MOST_MEMBERS} files, the most that is read; split it into several sources.")


def _check_size(name: str, unpacked: int, packed: int) -> None:
    if unpacked > MOST_BYTES:
        raise UserError(
            f"{name}: it unpacks to more than {MOST_BYTES} bytes, the most that is read; unpack it and give the folder."
        )
    if unpacked > RATIO_FREE and unpacked > MOST_RATIO * packed:
        raise UserError(
            f"{name}: it unpacks to more than {MOST_RATIO} times its size of {packed} bytes, as no logs do; "
            "if you trust it, unpack it and give the folder."
        )


class _Members:
    def __init__(self, archive: str) -> None:
        self.archive = archive
        self.there: dict[str, tuple[int, Any]] = {}
        """The size of each member, and where it is, by name."""
        self.skipped: list[Skipped] = []

    def count(self) -> None:
        _check_count(self.archive, len(self.there) + len(self.skipped) + 1)

    def add(self, raw: str, size: int, locator: Any, trouble: _Trouble) -> None:
        self.count()
        path = _utf8(raw).replace("\\", "/")
        parts = [part for part in path.split("/") if part not in ("", ".")]
        name = "/".join(parts)
        if path.startswith("/") or ".." in parts or "\0" in path or re.match("[A-Za-z]:", name):
            trouble, name = ("unsafe_name", "the name leads out of the archive"), _utf8(raw)
        trouble = trouble or _unread(name, "archive") or (None if name else ("unsafe_name", "a file without a name"))
        if trouble:
            self.skipped.append(Skipped(trouble[0], name or _utf8(raw), trouble[1]))
            return
        if name in self.there:
            self.skipped.append(Skipped("duplicate_member", name, "the name occurs again; the last one counts"))
        self.there[name] = size, locator

    def view(
        self, path: Path, opened: Callable[[Any], Any], close: Callable[[], None] = lambda: None, kind: str = "archive"
    ) -> View:
        return View(
            _utf8(path.name or path.resolve().name),
            kind,
            [Member(name, self.there[name][0]) for name in sorted(self.there, key=natural_key)],
            sorted(self.skipped, key=lambda s: (s.rule, natural_key(s.name))),
            {name: locator for name, (_, locator) in self.there.items()},
            opened,
            close,
        )


def _unread(name: str, where: str) -> _Trouble:
    if re.search(r"(^|/)(__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)(/|$)", name):
        return "junk_file", "left behind by an operating system"
    if re.search(r"(^|/)\.", name):
        return "hidden_file", "hidden"
    is_nested = re.search(r"\.(zip|tar|tgz|tbz2?|txz|tzst|tar\.(gz|bz2|xz|zst)|7z|rar)$", name, re.IGNORECASE)
    return ("nested_archive", f"an archive inside the {where}") if is_nested else None


def _special(is_link: bool, is_plain: bool) -> _Trouble:
    if is_link:
        return "link", "a link"
    return None if is_plain else ("special_file", "neither a plain file nor a folder")


def _opener(head: bytes) -> _Opener | None:
    return next((opener for begin, opener in _PACKED.items() if head.startswith(begin)), None)


def _unpacked(file: IO[bytes], opener: _Opener, name: str, packed: int) -> Iterator[bytes]:
    size = 0
    with opener(file) as stream:
        while piece := stream.read(_CHUNK):
            size += len(piece)
            _check_size(name, size, packed)
            yield piece


class _Streams(nullcontext[Any]):
    """The packed streams of a file, one after the other, unpacked."""

    def __init__(self, file: IO[bytes], begin: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor]) -> None:
        super().__init__(self)
        self._file, self._begin, self._stream = file, begin, begin()
        self._packed = b""

    def read(self, size: int) -> bytes:
        while True:
            if self._stream.eof:
                more = self._stream.unused_data
                while not more.strip(b"\0"):
                    if not (more := self._file.read(_CHUNK)):
                        return b""
                self._packed, self._stream = more.lstrip(b"\0"), self._begin()
            elif self._stream.needs_input and not self._packed:
                self._packed = self._file.read(_CHUNK)
                if not self._packed:
                    raise EOFError("it ends within a packed stream")
            data = self._stream.decompress(self._packed, size)
            self._packed = b""
            if data:
                return data


def _looks_like_tar(head: bytes) -> bool:
    return len(head) == 512 and head[257:262] == b"ustar"


def _stream(path: Path, opener: _Opener | None, memory: int) -> View:
    size = path.stat().st_size
    with ExitStack() as stack:
        file: Any = stack.enter_context(path.open("rb"))
        if opener is not None:
            held = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=memory))
            with file:
                size = sum(map(held.write, _unpacked(file, opener, str(path), size)))
            file = held
        file.seek(0)
        if _looks_like_tar(file.read(512)) or _ARCHIVE.search(path.name):
            members = _Members(str(path))
            begin: int | None = 0
            while begin is not None:
                begin = _next_archive(path, file, _entries(path, file, size, begin, members), members)
            view = members.view(path, lambda at: _Sized(file, at[1], at[0]), file.close)
        elif size:
            view = _single(COMPRESSED.sub("", path.name), size, lambda _: _Sized(file, size, 0), file.close)
        else:
            raise UserError(f"{path}: it unpacks to nothing; get it again.")
        stack.pop_all()
        return view


def _entries(path: Path, file: IO[bytes], size: int, begin: int, members: _Members) -> int:
    file.seek(begin)
    with tarfile.open(fileobj=file, mode="r:") as tar:
        while (info := tar.next()) is not None:
            cast(Any, tar).members.clear()  # a tar of a million members need not be held twice
            if info.isdir():
                continue
            trouble = _special(info.issym() or info.islnk(), info.isreg() and not info.issparse())
            if not trouble and info.offset_data + info.size > size:
                raise UserError(f"{path}: the archive is cut short inside {shown(info.name)!r}; get it again.")
            members.add(info.name, info.size, (info.offset_data, info.size), trouble)
        # tarfile takes a damaged header for the end of the archive; what follows the last member must be zeros or nothing.
        file.seek(tar.offset)
        end = file.read(512)
        if end.strip(b"\0"):
            raise UserError(f"{path}: the archive is damaged after {len(members.there)} files (byte {tar.offset}); get it again.")
        if not end:
            members.skipped.append(Skipped("archive_without_end", path.name, "the end mark is missing"))
        return int(tar.offset)


def _next_archive(path: Path, file: IO[bytes], end: int, members: _Members) -> int | None:
    file.seek(end)
    at, step = end, 512  # small at first: a hostile file can have an end mark in every kilobyte
    while chunk := file.read(step):
        step = min(2 * step, _CHUNK)
        if content := len(chunk.lstrip(b"\0")):
            at += (len(chunk) - content) // 512 * 512
            break
        at += len(chunk)
    else:
        return None
    file.seek(at)
    try:
        tarfile.TarInfo.frombuf(file.read(512), "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        members.skipped.append(Skipped("after_the_end", path.name, f"what begins at byte {at} is no tar"))
        return None
    members.count()
    members.skipped.append(Skipped("joined_archives", path.name, f"a further tar begins at byte {at}"))
    return at


class _Sized(nullcontext[Any]):
    """A member of an archive, which ends where its header says or is damaged; `at` is its next byte in a file of many."""

    def __init__(self, file: IO[bytes], size: int, at: int | None = None) -> None:
        super().__init__(self)
        self._file, self._left, self._at = file, size, at

    def read(self, limit: int = -1) -> bytes:
        wanted = self._left if limit < 0 else min(limit, self._left)
        if self._at is not None:
            self._file.seek(self._at)
            self._at += wanted
        data = self._file.read(wanted)
        if len(data) != wanted:
            raise EOFError("it ends early")
        self._left -= wanted
        return data


@contextmanager
def _of_zip(at: tuple[zipfile.ZipFile, zipfile.ZipInfo]) -> Iterator[_Sized]:
    with at[0].open(at[1]) as file:
        yield _Sized(file, at[1].file_size)


def _infos(path: Path, archive: zipfile.ZipFile, memory: int) -> Iterator[tuple[str, zipfile.ZipFile, zipfile.ZipInfo]]:
    """Yield the entries of an archive, and in place of archives in it theirs, with their folder."""
    held = 0
    for info in archive.infolist():
        inner = None
        if info.filename.lower().endswith(".zip") and not info.flag_bits & 1 and info.file_size <= memory:
            held += info.file_size
            _check_size(str(path), held, path.stat().st_size)
            with suppress(zipfile.BadZipFile), archive.open(info) as file:
                inner = zipfile.ZipFile(io.BytesIO(file.read(info.file_size)))
        if inner is None:
            yield "", archive, info
        else:
            yield from ((f"{info.filename[:-4]}/", inner, one) for one in inner.infolist())


def _zip(path: Path, memory: int) -> View:
    with ExitStack() as stack:
        archive = stack.enter_context(zipfile.ZipFile(path))
        members = _Members(str(path))
        total = 0
        if min((info.header_offset for info in archive.infolist()), default=0) > 0:
            raise UserError(
                f"{path}: before the files that it lists it holds others, as `cat a.zip b.zip` makes; "
                "give each archive as a source of its own."
            )
        with path.open("rb") as file:
            file.seek(-22 - len(archive.comment), io.SEEK_END)
            if file.read(4) != b"PK\x05\x06":
                members.skipped.append(Skipped("after_the_end", path.name, "more bytes than the archive lists"))
        for before, within, info in _infos(path, archive, memory):
            if info.filename.endswith("/"):  # not `is_dir`, which fails on a name without a character
                continue
            total += info.file_size
            _check_size(str(path), total, path.stat().st_size)
            mode = info.external_attr >> 16
            trouble = _special(stat.S_ISLNK(mode), stat.S_IFMT(mode) in (0, stat.S_IFREG))
            if info.flag_bits & 1:
                raise UserError(
                    f"{path}: the file {shown(info.filename)!r} is encrypted; unpack the archive and give the folder."
                )
            members.add(before + info.filename, info.file_size, (within, info), trouble)
        stack.pop_all()
    return members.view(path, _of_zip, archive.close)
