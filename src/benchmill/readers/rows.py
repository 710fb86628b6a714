"""Rows of numbers in blocks, taken from texts in one vectorised pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Numbers

#: A number as loggers print it, without a leading plus.
NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|-?[iI][nN][fF]")

#: Any of these bytes separates columns, beside the line break.
BLANKS = bytes(range(33))
#: The same length in ASCII, with one kind of blank.
_PLAIN = bytes(byte if 32 < byte < 128 or byte == 10 else ord("?" if byte > 127 else " ") for byte in range(256))

#: For a header line and the number of its file: the wanted columns, counted from 0, (-1: no second one; perhaps further ones), or
#: None for a line that heads no block.
Columns = Callable[[bytes, int], tuple[int, ...] | None]

#: How many lines were refused, and of the first ones the file, the line and how it begins.
Refused = tuple[int, list[tuple[int, int, bytes]]]


@dataclass
class Rows:
    """The rows of texts; arrays over blocks, then arrays over rows.

    Attributes
    ----------
    file, line, heading
        Of each block the number of its text, the line of its header, from 1, and the lines of that header.
    decimals : ndarray of int, shape (rows,)
        Digits printed after the decimal point of `value`; -1 with an exponent.
    values : list of ndarray of float64
        One for each wanted column, two at least; NaN where a header has fewer.
    """

    file: Numbers
    line: Numbers
    heading: list[bytes]
    row_block: Numbers
    row_line: Numbers
    evaluations: Numbers
    decimals: Numbers
    values: list[Numbers]
    refused: list[Refused]
    read: int
    lines: int

    @property
    def value(self) -> Numbers:
        """The first of the wanted columns."""
        return self.values[0]

    @property
    def second(self) -> Numbers:
        """The second one; NaN where there is none."""
        return self.values[1]


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
    lines = _Lines(texts, before)
    filled = pc.binary_length(lines.plain).to_numpy() > 0
    marked = pc.is_in(pc.utf8_slice_codeunits(lines.plain, 0, 1), pa.array([*marks.decode()])).to_numpy(zero_copy_only=False)
    heads, stray = _headers(lines, np.flatnonzero(marked), np.cumsum(filled), columns)
    head = np.array([line for line, *_ in heads], np.int64)
    # One more, for the rows before the first header.
    column = np.full((len(heads) + 1, max((len(chosen) for *_, chosen in heads), default=0)), -1)
    for i, (*_, chosen) in enumerate(heads):
        column[i, : len(chosen)] = chosen

    is_row = filled & ~marked
    row = np.flatnonzero(is_row)
    block = np.searchsorted(head, row) - 1
    orphan = np.append(lines.file[head], -1)[block] != lines.file[row]
    need = np.where(orphan, 0, column.max(1, initial=0)[block])
    tokens = pc.ascii_split_whitespace(lines.plain.filter(is_row), max_splits=int(need.max(initial=0)) + 1)
    first, count = tokens.offsets.to_numpy()[:-1], pc.list_value_length(tokens).to_numpy()
    # Where a file does not end with a line break and its last token is in a wanted column, that number may be cut short.
    cut = np.isin(row, lines.open_ends) & (count <= need + 1) & ~orphan
    good = ~cut & ~orphan & (count > need)

    def texts_at(number: int, rows: slice | Numbers) -> pa.Array:
        text = tokens.values.take(first[rows] + number)
        return pc.if_else(pc.starts_with(text, "+"), pc.utf8_slice_codeunits(text, 1), text)

    evaluations, decimals = (np.zeros(len(row), np.int64) for _ in range(2))
    values = np.full((max(2, column.shape[1]), len(row)), np.nan)
    chosen_rows = indices(good)
    evaluations[chosen_rows], fine = _integers(texts_at(0, chosen_rows))
    good[chosen_rows] &= fine
    for choice, of_block in enumerate(column.T):
        for c in sorted({*of_block.tolist()} - {-1}):
            chosen_rows = indices(good & (of_block[block] == c))
            numbers, printed = _numbers(texts_at(c, chosen_rows))
            values[choice, chosen_rows] = numbers
            good[chosen_rows] &= numbers > -np.inf
            if choice == 0:
                decimals[chosen_rows] = printed
    left = indices(good)
    return Rows(
        lines.file[head],
        lines.number[head],
        [heading for _, heading, _ in heads],
        block[left],
        lines.number[row][left],
        evaluations[left],
        decimals[left],
        [each[left] for each in values],
        [lines.told(which, most) for which in (row[cut], row[(~good & ~cut & ~orphan)], row[orphan], np.array(stray, np.int64))],
        len(row),
        texts[-1].count(b"\n") if texts else 0,
    )


def indices(mask: Numbers) -> slice | Numbers:
    """Return what selects the true elements; all of them without a copy."""
    return slice(None) if mask.all() else np.flatnonzero(mask)


class _Lines:
    """The lines of texts, joined; arrays over lines."""

    def __init__(self, texts: list[bytes], before: int) -> None:
        ended = [text if text.endswith(b"\n") else text + b"\n" for text in texts]
        count = np.array([text.count(b"\n") for text in ended], np.int64)
        begin = np.cumsum(count) - count
        self.joined = b"".join(ended)
        self.offsets = np.append(0, np.flatnonzero(np.frombuffer(self.joined, np.uint8) == 10) + 1)
        self.file = np.repeat(np.arange(len(texts)), count)
        self.number = np.arange(1, len(self.file) + 1) - begin[self.file] + before * (self.file == 0)
        #: The last lines of texts that do not end with a line break.
        self.open_ends = [last for text, last in zip(texts, begin + count - 1, strict=True) if not text.endswith(b"\n")]
        places, data = self.offsets.astype(np.int32), self.joined.translate(_PLAIN)
        lines = pa.Array.from_buffers(pa.string(), len(self.file), [None, pa.py_buffer(places), pa.py_buffer(data)])
        #: Without blanks around them, and a question mark in place of what is no character of a number.
        self.plain = pc.ascii_trim_whitespace(lines)

    def text(self, line: int) -> bytes:
        return self.joined[self.offsets[line] : self.offsets[line + 1]].strip(BLANKS)

    def told(self, which: Numbers, most: int) -> Refused:
        return len(which), [
            (int(self.file[line]), int(self.number[line]), self.text(line)[:60]) for line in which[:most].tolist()
        ]


def _headers(
    lines: _Lines, marked: Numbers, ranks: Numbers, columns: Columns
) -> tuple[list[tuple[int, bytes, tuple[int, ...]]], list[int]]:
    """Return the lines that head blocks, with all lines of each header and the wanted columns; and those that head none."""
    heads = []
    stray = []
    pending: list[bytes] = []
    following = -1, -1
    for line, rank, file in zip(marked.tolist(), ranks[marked].tolist(), lines.file[marked].tolist(), strict=True):
        if (rank, file) != following:
            pending = []
        following, text = (rank + 1, file), lines.text(line)
        pending.append(text)
        if (chosen := columns(text, file)) is not None:
            heads.append((line, b"\n".join(pending), chosen))
            pending = []
        elif not text.startswith(b"%"):
            stray.append(line)
    return heads, stray


def _match(text: pa.Array, pattern: str) -> Numbers:
    return np.asarray(pc.match_substring_regex(text, pattern).to_numpy(zero_copy_only=False), bool)


def _integers(text: pa.Array) -> tuple[Numbers, Numbers]:
    """Return tokens as whole numbers, and which are."""
    digits = _match(text, "^0*[0-9]{1,18}$")
    integers = np.full(len(text), -1)
    integers[digits] = text.filter(digits).cast(pa.int64()).to_numpy()
    others = _floats(text.filter(~digits))
    integers[~digits] = np.where((others >= 0) & (others < 2**53) & (others == np.floor(others)), others, -1)
    return np.maximum(integers, 0), integers >= 0


def _numbers(text: pa.Array) -> tuple[Numbers, Numbers]:
    """Return tokens as numbers, -inf for none, and the digits printed after their points, -1 with an exponent."""
    point, length = pc.find_substring(text, ".").to_numpy(), pc.binary_length(text).to_numpy()
    return _floats(text), np.where(_match(text, "[eE]"), -1, np.where(point >= 0, length - 1 - point, 0))


def _floats(text: pa.Array) -> Numbers:
    try:
        numbers = np.array(text.cast(pa.float64()))
    except pa.ArrowInvalid:  # one of them is none, or beyond what a double holds
        numbers = np.full(len(text), np.nan)
    # what is no finite number may be a word that a logger does not print, and one plus is gone already
    odd = ~np.isfinite(numbers) | pc.starts_with(text, "+").to_numpy(zero_copy_only=False)
    numbers[odd] = [float(token) if NUMBER.fullmatch(token) else -np.inf for token in text.filter(odd).to_pylist()]
    return numbers
