"""The lines of the logs behind each trial, a few of each, in which a reader can look up its numbers."""

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.core.arrays import Index
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.readers.archive import View
from benchmill.readers.interface import file_and_line
from benchmill.readers.text import decoded

#: A source whose trials begin at more places has no excerpts: it cannot be listed run by run.
MOST_PLACES = 200_000
#: Lines that are kept at the start and at the end of a trial, for sources with at most so many places.
_KEPT = ((500, 3, 16), (5_000, 2, 4), (MOST_PLACES, 1, 2))
#: Characters of a line that are kept.
_LONGEST = 160
_CHUNK = 2**24
#: Behind the last line of any file.
_NO_END = 2**62
#: Places that are packed together.
_TOGETHER = 20_000


class Places:
    """Where the trials of a source begin."""

    def __init__(self) -> None:
        self._lines: dict[str, set[int]] = {}
        self._count = 0

    def add(self, trials: pa.Table) -> None:
        """Add those of some rows of `trials`; those without a line are of no use."""
        if self._count > MOST_PLACES:
            return
        for source in pc.unique(trials["source"]).to_pylist():
            file, line = file_and_line(source)
            if line is not None:
                own = self._lines.setdefault(file, set())
                self._count += line not in own
                own.add(line)

    def excerpts(self, view: View) -> Iterator[pa.Table]:
        """Return tables `excerpts`, of the files in natural order; none of a file that is no text or cannot be read again."""
        if self._count > MOST_PLACES:
            return
        first, last = next((first, last) for most, first, last in _KEPT if self._count <= most)
        # texts of many files packed together take a third of what they take one by one
        some: list[tuple[str, int, int, str, str]] = []
        for file in sorted(self._lines, key=natural_key):
            if file in view:
                some += _of_file(view, file, sorted(self._lines[file]), first, last)
            if len(some) >= _TOGETHER:
                yield _table(some)
                some = []
        if some:
            yield _table(some)


def _table(rows: list[tuple[str, int, int, str, str]]) -> pa.Table:
    return schema.table("excerpts", dict(zip(schema.TABLES["excerpts"].names, zip(*rows, strict=True), strict=True)))


def _of_file(view: View, file: str, begins: list[int], first: int, last: int) -> Iterator[tuple[str, int, int, str, str]]:
    begin = np.array(begins)
    # of the last part the end is not known before the file's
    end = np.append(begin[1:] - 1, _NO_END)
    wanted = np.unique(np.concatenate([*(begin + i for i in range(first)), *(end - i for i in range(last))]))
    kept: dict[int, bytes] = {}
    total = 0
    for start, text, breaks in _lines(view, file):
        total = start + len(breaks) - 2
        ends = range(max(start, total + 1 - last), total + 1)
        for number in (*wanted[bisect_left(wanted, start) : bisect_left(wanted, total + 1)].tolist(), *ends):
            kept[number] = text[breaks[number - start] : breaks[number - start + 1]]
    for line, last_line in zip(begins, np.minimum(end, total).tolist(), strict=True):
        if line in kept:
            head = range(line, min(line + first, last_line + 1))
            tail = range(max(head.stop, last_line + 1 - last), last_line + 1)
            yield file, line, last_line, *(_shown(b"".join(kept[number] for number in part)) for part in (head, tail))


def _lines(view: View, file: str) -> Iterator[tuple[int, bytes, Index]]:
    try:
        rest, number = b"", 1
        for chunk in [view.unpacked(file)] if view.is_packed(file) else view.chunks(file, _CHUNK):
            if number == 1 and not rest and b"\0" in chunk[:4096]:
                return
            text = rest + chunk
            breaks = np.append(0, np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")) + 1)
            if len(breaks) > 1:
                yield number, text, breaks
            number += len(breaks) - 1
            rest = text[breaks[-1] :]
        if rest:
            yield number, rest + b"\n", np.array([0, len(rest) + 1])
    except UserError:
        return


def _shown(lines: bytes) -> str:
    texts = [decoded(line[: 4 * _LONGEST]).rstrip("\r") for line in lines[:-1].split(b"\n")]
    return "\n".join([text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts])
