"""Rows of numbers in blocks, taken from texts in one vectorised pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

#: A number as loggers print it, without a leading plus.
NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|-?[iI][nN][fF]")

#: Any of these bytes separates columns, beside the line break.
BLANKS = bytes(range(33))

#: Bytes of a line that are looked at first, and lines that are looked at together.
_WINDOW = 64
_LINES_AT_ONCE = 2**15

#: For a header line and the number of its file: the wanted columns, counted from 0, (-1: no second one; perhaps further ones), or
#: None for a line that heads no block.
Columns = Callable[[bytes, int], tuple[int, ...] | None]

#: How many lines were refused, and of the first ones the file, the line and how it begins.
Refused = tuple[int, list[tuple[int, int, bytes]]]


class Rows(NamedTuple):
    """The rows of texts; arrays over blocks, then arrays over rows.

    Attributes
    ----------
    file, line, heading
        Of each block the number of its text, the line of its header, from 1, and the lines of that header.
    values : list of ndarray of float64
        One for each wanted column, two at least; NaN where a header has fewer.
    """

    file: np.ndarray
    line: np.ndarray
    heading: list[bytes]
    block: np.ndarray
    row_line: np.ndarray
    evaluations: np.ndarray
    decimals: np.ndarray
    values: list[np.ndarray]
    refused: list[Refused]
    read: int
    lines: int


def number(text: str) -> float | None:
    """Return a number as loggers print it, or None."""
    text = text.strip().removeprefix("+")
    return float(text) if NUMBER.fullmatch(text) else None


def scan(texts: list[bytes], marks: bytes, columns: Columns, before: int, most: int) -> Rows:
    """Take the rows of texts.

    Notes
    -----
    Any byte up to the blank separates columns. A number of evaluations is not negative, whole and below 10^18 (2^53 if it is
    written with a point or an exponent); a value is a number above -inf, rounded as Python's `float` rounds.
    """
    lines = _Lines.of(texts, before)
    marked = np.isin(np.arange(256), np.frombuffer(marks, np.uint8))[lines.first]
    head, heading, wanted, stray = _headers(lines, np.flatnonzero(marked), columns)
    # One more, for the rows before the first header.
    column = np.full((len(wanted) + 1, max(map(len, wanted), default=0)), -1)
    for i, chosen in enumerate(wanted):
        column[i, : len(chosen)] = chosen

    row = np.flatnonzero((lines.first > 32) & ~marked)
    block = np.cumsum(np.isin(np.arange(len(lines.first)), head))[row] - 1
    orphan = np.append(lines.file[head], -1)[block] != lines.file[row]
    need = np.where(orphan, 0, column.max(1, initial=0)[block])
    # Where a file does not end with a line break and its last token is in a wanted column, that number may be cut short.
    last = lines.unended[row]
    tokens = _Tokens(lines, row, need, last, {0, *column.ravel().tolist()})
    cut = last & (tokens.count <= need + 1) & ~orphan
    good = ~cut & ~orphan & (tokens.count > need)
    evaluations, decimals = (np.zeros(len(row), np.int64) for _ in range(2))
    values = np.full((max(2, column.shape[1]), len(row)), np.nan)
    chosen_rows = indices(good)
    evaluations[chosen_rows], fine = _integers(lines.buffer, *tokens.at(0, chosen_rows))
    good[chosen_rows] &= fine
    for choice, of_block in enumerate(column.T):
        for c in sorted({*of_block.tolist()} - {-1}):
            chosen_rows = indices(good & (of_block[block] == c))
            values[choice, chosen_rows], fine, printed = _numbers(lines.buffer, *tokens.at(c, chosen_rows), choice == 0)
            good[chosen_rows] &= fine
            if choice == 0:
                decimals[chosen_rows] = printed
    malformed = ~good & ~cut & ~orphan
    left = indices(good)
    return Rows(
        lines.file[head],
        lines.number[head],
        heading,
        block[left],
        lines.number[row][left],
        evaluations[left],
        decimals[left],
        [each[left] for each in values],
        [lines.told(which, most) for which in (row[cut], row[malformed], row[orphan], np.array(stray, np.int64))],
        len(row),
        texts[-1].count(b"\n") if texts else 0,
    )


def indices(mask: np.ndarray) -> slice | np.ndarray:
    """Return what selects the true elements; all of them without a copy."""
    return slice(None) if mask.all() else np.flatnonzero(mask)


class _Lines(NamedTuple):
    """The lines of texts, joined; arrays over lines."""

    joined: bytes
    buffer: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    file: np.ndarray
    number: np.ndarray
    first: np.ndarray
    unended: np.ndarray

    @classmethod
    def of(cls, texts: list[bytes], before: int) -> _Lines:
        # The blanks at the end let windows be cut that go beyond the last line.
        ended = [text if text.endswith(b"\n") else text + b"\n" for text in texts]
        joined = b"".join([*ended, b" " * _WINDOW])
        buffer = np.frombuffer(joined, np.uint8)
        ends = np.flatnonzero(buffer == 10)
        starts = np.append(0, ends + 1)[:-1]
        first_line = np.append(0, np.searchsorted(ends, np.cumsum([len(text) for text in ended]) - 1) + 1).astype(np.int64)
        file = np.repeat(np.arange(len(texts)), np.diff(first_line))
        number = np.arange(1, len(starts) + 1) - first_line[file]
        number[: first_line[1] if texts else 0] += before
        unended = np.zeros(len(starts), bool)
        unended[[last - 1 for text, last in zip(texts, first_line[1:].tolist(), strict=True) if not text.endswith(b"\n")]] = True
        return cls(joined, buffer, starts, ends, file, number, _unindented(joined, buffer, starts, ends), unended)

    def text(self, line: int) -> bytes:
        return self.joined[self.starts[line] : self.ends[line]].rstrip(BLANKS)

    def told(self, which: np.ndarray, most: int) -> Refused:
        told = [(int(self.file[line]), int(self.number[line]), self.text(line)[:60]) for line in which[:most].tolist()]
        return len(which), told


def _headers(
    lines: _Lines, marked: np.ndarray, columns: Columns
) -> tuple[np.ndarray, list[bytes], list[tuple[int, ...]], list[int]]:
    heads: list[int] = []
    heading: list[bytes] = []
    wanted: list[tuple[int, ...]] = []
    stray: list[int] = []
    pending: list[bytes] = []
    after = last_file = -1
    place = np.cumsum(lines.first > 32)[marked].tolist()
    for line, rank, file in zip(marked.tolist(), place, lines.file[marked].tolist(), strict=True):
        text = lines.text(line)
        if pending and (rank != after or file != last_file):
            pending = []
        after, last_file = rank + 1, file
        pending.append(text)
        chosen = columns(text, file)
        if chosen is not None:
            heads.append(line)
            heading.append(b"\n".join(pending))
            wanted.append(chosen)
            pending = []
        elif not text.startswith(b"%"):
            stray.append(line)
    return np.array(heads, np.int64), heading, wanted, stray


def _unindented(joined: bytes, buffer: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    for _ in range(8):
        blank = (buffer[starts] <= 32) & (starts < ends)
        if not blank.any():
            break
        starts += blank
    else:
        for i in np.flatnonzero(blank).tolist():
            text = joined[starts[i] : ends[i]]
            starts[i] += len(text) - len(text.lstrip(BLANKS))
    first: np.ndarray = buffer[starts]
    return first


class _Tokens:
    """Places of the wanted tokens of lines."""

    def __init__(
        self,
        lines: _Lines,
        row: np.ndarray,
        need: np.ndarray,
        exact: np.ndarray,
        wanted: set[int],
    ) -> None:
        starts, ends = lines.starts[row], lines.ends[row]
        self.count = np.zeros(len(starts), np.int64)
        self._starts = starts
        self._span = {c: (np.zeros(len(starts), np.int32), np.zeros(len(starts), np.int32)) for c in wanted if c >= 0}
        slow = exact.copy()
        length = ends - starts
        width = _WINDOW if len(starts) and length.mean() >= _WINDOW // 2 else _WINDOW // 2
        for low in range(0, len(starts), _LINES_AT_ONCE):
            part = slice(low, low + _LINES_AT_ONCE)
            slow[part] |= self._near(lines.buffer, part, length[part], need[part], width)
        if slow.any():
            self._anywhere(lines.joined, np.flatnonzero(slow), ends)

    def at(self, number: int, rows: slice | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return tuple(self._starts[rows] + offset[rows] for offset in self._span[number])

    def _near(self, buffer: np.ndarray, part: slice, length: np.ndarray, need: np.ndarray, width: int) -> np.ndarray:
        blank = _cut(buffer, self._starts[part], width).view(np.uint8) <= 32
        # Bit k of a word is set where byte k of the window is a separator.
        word = np.packbits(blank, bitorder="little").view(f"<u{width // 8}")
        one = word.dtype.type(1)
        before = np.full(len(length), -1, np.int32)
        count = np.zeros(len(length), np.int64)
        slow = np.zeros(len(length), bool)
        for k in range(int(need.max(initial=-1)) + 1):
            lowest = word & (~word + one)
            end = np.bitwise_count(lowest - one).astype(np.int32)
            word ^= lowest
            goes_on = ~slow & (need >= k) & (before < length)
            slow |= goes_on & ((end == width) | ((end == before + 1) & (end < length)))
            there = goes_on & ~slow & (end > before + 1)
            count += there
            if k in self._span:
                self._span[k][0][part] = before + 1
                self._span[k][1][part] = end
            before = end
        self.count[part] = count
        return slow

    def _anywhere(self, joined: bytes, lines: np.ndarray, ends: np.ndarray) -> None:
        """Take lines apart at every separator."""
        pieces = [joined[b:e] for b, e in zip(self._starts[lines].tolist(), ends[lines].tolist(), strict=True)]
        buffer = np.frombuffer(b"\n".join([b"", *pieces, b""]), np.uint8)
        # A token lies between two separators that are not neighbours; its line is told by the line breaks before it.
        separators = np.flatnonzero(buffer <= 32)
        before = np.flatnonzero(np.diff(separators) > 1)
        begin, end = separators[before] + 1, separators[before + 1]
        line = (np.cumsum(buffer[separators] == 10) - 1)[before]
        first = np.flatnonzero(np.diff(line, prepend=-1))
        count = np.diff(first, append=len(line))
        self.count[lines] = count
        for c, (span_begin, span_end) in self._span.items():
            has = count > c
            token = first[has] + c
            span_begin[lines[has]] = begin[token] - begin[first[has]]
            span_end[lines[has]] = end[token] - begin[first[has]]


def _cut(buffer: np.ndarray, starts: np.ndarray, width: int) -> np.ndarray:
    windows: np.ndarray = np.ndarray((len(buffer) - width + 1,), f"V{width}", buffer, strides=(1,))
    pieces: np.ndarray = windows[starts]
    return pieces


def _by_length(buffer: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> Iterator[tuple[slice | np.ndarray, np.ndarray]]:
    starts = starts + ((buffer[starts] == ord("+")) & (ends - starts > 1))
    length = ends - starts
    for width in np.flatnonzero(np.bincount(length)).tolist():
        which = indices(length == width)
        yield which, _cut(buffer, starts[which], width).view(np.uint8).reshape(-1, width)


def _text(tokens: np.ndarray) -> pa.Array:
    if (tokens > 127).any():
        tokens = np.where(tokens > 127, ord("?"), tokens).astype(np.uint8)
    offsets = np.arange(0, tokens.size + 1, tokens.shape[1], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(tokens), [None, pa.py_buffer(offsets), pa.py_buffer(tokens)])


def _integers(buffer: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    numbers, fine = np.zeros(len(starts), np.int64), np.zeros(len(starts), bool)
    for which, tokens in _by_length(buffer, starts, ends):
        digits = ((tokens >= ord("0")) & (tokens <= ord("9"))).all(1) & (tokens.shape[1] <= 18)
        found = np.full(len(tokens), -1)
        found[digits] = _text(tokens[digits]).cast(pa.int64()).to_numpy()
        found[~digits] = [_whole(token) for token in _each(tokens[~digits])]
        numbers[which], fine[which] = found, found >= 0
    return numbers, fine


def _each(tokens: np.ndarray) -> list[bytes]:
    return [token.tobytes() for token in tokens]


def _whole(token: bytes) -> int:
    if token.isdigit():
        digits = token.lstrip(b"0") or b"0"
        return int(digits) if len(digits) <= 18 else _whole_float(token)
    return _whole_float(token)


def _whole_float(token: bytes) -> int:
    found = _value(token)
    return int(found) if 0 <= found < 2**53 and found == int(found) else -1


def _value(token: bytes) -> float:
    text = token.decode("latin-1")
    return float(text) if NUMBER.fullmatch(text) else -np.inf


def _numbers(
    buffer: np.ndarray, starts: np.ndarray, ends: np.ndarray, decimals: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    numbers = np.zeros(len(starts))
    printed = np.zeros(len(starts), np.int64)
    for which, tokens in _by_length(buffer, starts, ends):
        numbers[which] = _floats(tokens)
        if decimals:
            points = tokens == ord(".")
            digits = np.where(points.any(1), tokens.shape[1] - 1 - points.argmax(1), 0)
            printed[which] = np.where((tokens | 32 == ord("e")).any(1), -1, digits)
    return numbers, numbers > -np.inf, printed


def _floats(tokens: np.ndarray) -> np.ndarray:
    text = _text(tokens)
    fine = np.ones(len(tokens), bool)
    try:
        found = np.array(text.cast(pa.float64()))
    except pa.ArrowInvalid:
        fine = pc.match_substring_regex(text, f"^(?:{NUMBER.pattern})$").to_numpy(zero_copy_only=False)
        found = np.full(len(tokens), -np.inf)
        try:
            found[fine] = text.filter(pa.array(fine)).cast(pa.float64()).to_numpy()
        except pa.ArrowInvalid:
            # beyond what a double holds
            found[fine] = [_value(token) for token in _each(tokens[fine])]
    # what is no finite number may be a word that a logger does not print, and one plus is gone already
    odd = fine & (~np.isfinite(found) | (tokens[:, 0] == ord("+")))
    found[odd] = [_value(token) for token in _each(tokens[odd])]
    return found
