"""The lines of the logs behind each trial, a few of each, so that a reader of the results can look where their numbers come from.

A trial begins at the line that its column `source` names, and reaches to the line before the next one in the file. Of these lines
the first and the last are kept: the first name the run, the last say how it ended.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
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
        """Tables `excerpts`, of the files in natural order; none of a file that is no text or cannot be read again."""
        if self._count > MOST_PLACES:
            return
        first, last = next((first, last) for most, first, last in _KEPT if self._count <= most)
        # texts of many files packed together take a third of what they take one by one
        some: list[pa.Table] = []
        places = 0
        for file in sorted(self._lines, key=natural_key):
            if file in view:
                some.append(_of_file(view, file, sorted(self._lines[file]), first, last))
                places += some[-1].num_rows
            if places >= _TOGETHER:
                yield schema.concatenate(some)
                some, places = [], 0
        if some:
            yield schema.concatenate(some)


def _of_file(view: View, file: str, begins: list[int], first: int, last: int) -> pa.Table:
    """The excerpts of one file.

    Parameters
    ----------
    begins : list of int
        Lines from 1, rising.
    first, last : int
        Lines to keep at the start and at the end.
    """
    heads: list[list[bytes]] = [[] for _ in begins]
    tails: list[list[bytes]] = [[] for _ in begins]
    ends = [after - 1 for _, after in pairwise(begins)]
    total = 0
    for start, lines in _lines(view, file):
        total = start + len(lines) - 1
        # the last part that begins before these lines may go on in them
        for k in range(max(bisect_left(begins, start) - 1, 0), bisect_left(begins, total + 1)):
            begin, end = begins[k] - start, min((ends[k] if k < len(ends) else total) + 1 - start, len(lines))
            heads[k] += lines[max(begin, 0) : max(min(begin + first, end), 0)]
            tails[k] = (tails[k] + lines[max(begin + first, end - last, 0) : end])[-last:]
    there = [k for k, head in enumerate(heads) if head]
    return schema.table(
        "excerpts",
        {
            "file": [file] * len(there),
            "line": [begins[k] for k in there],
            "last_line": [ends[k] if k < len(ends) else total for k in there],
            "first": ["\n".join(_short(line) for line in heads[k]) for k in there],
            "last": ["\n".join(_short(line) for line in tails[k]) for k in there],
        },
    )


def _lines(view: View, file: str) -> Iterator[tuple[int, list[bytes]]]:
    """Lines of a file, many at a time, each time with the number of the first; none of a file that is no text."""
    try:
        rest, number = b"", 1
        for chunk in [view.unpacked(file)] if view.is_packed(file) else view.chunks(file, _CHUNK):
            if number == 1 and not rest and b"\0" in chunk[:4096]:
                return
            *lines, rest = (rest + chunk).split(b"\n")
            if lines:
                yield number, lines
            number += len(lines)
        if rest:
            yield number, [rest]
    except UserError:
        return


def _short(line: bytes) -> str:
    """A line without its end, cut where it is long."""
    text = decoded(line[: 4 * _LONGEST]).rstrip("\r")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
