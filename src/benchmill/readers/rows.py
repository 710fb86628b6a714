"""Rows of numbers in blocks, taken from texts in one pass: plainly in Python, or by compiled code that does the same.

`_rows.c` is compiled where the package is installed with a compiler at hand (hatch_build.py). It is not used if it was made of
another text than the one beside it, as after an update of a clone.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

#: A number as loggers print it, without a leading plus.
NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|-?[iI][nN][fF]")

#: Any of these bytes separates columns, beside the line break.
BLANKS = bytes(range(33))

_TO_BLANK = bytes(32 if byte <= 32 and byte != 10 else byte for byte in range(256))

#: For a header line and the number of its file: the wanted columns, counted from 0, (-1: no second one; perhaps further ones), or
#: None for a line that heads no block.
Columns = Callable[[bytes, int], tuple[int, ...] | None]

#: How many lines were refused, and of the first ones the file, the line and how it begins.
Refused = tuple[int, list[tuple[int, int, bytes]]]


class Rows(NamedTuple):
    """What texts hold; arrays over blocks, then arrays over rows.

    Attributes
    ----------
    file, line, heading
        Of each block the number of its text, the line of its header, from 1, and the lines of that header.
    block, row_line, evaluations : ndarray of int64
    decimals : ndarray of int64
        Digits printed after the decimal point of the first value; -1 with an exponent.
    values : list of ndarray of float64
        One for each wanted column, two at least; NaN where a header has fewer.
    refused : list of Refused
        Lines that may be cut, malformed rows, rows that no header is above, malformed headers.
    read : int
        Rows seen, with those refused.
    lines : int
        Line breaks of the last text.
    """

    file: Any
    line: Any
    heading: list[bytes]
    block: Any
    row_line: Any
    evaluations: Any
    decimals: Any
    values: list[Any]
    refused: list[Refused]
    read: int
    lines: int


def number(text: str) -> float | None:
    """A number as loggers print it, or None."""
    text = text.strip().removeprefix("+")
    return float(text) if NUMBER.fullmatch(text) else None


def scan(texts: list[bytes], marks: bytes, columns: Columns, before: int, most: int) -> Rows:
    """Take the rows of texts.

    Parameters
    ----------
    texts : list of bytes
    marks : bytes
        First characters of a line that is not a row.
    columns : callable
        Which columns are wanted under a header.
    before : int
        Lines of the first file that stand before its text.
    most : int
        Refused lines of a kind that are told.

    Notes
    -----
    A number of evaluations is not negative, whole and below 10^18 (2^53 if it is written with a point or an exponent); a value is
    a number above -inf, rounded as Python's `float` rounds.
    """
    if _compiled is None:
        return plainly(texts, marks, columns, before, most)
    found = Rows(*_compiled.scan(texts, marks, columns, before, most))
    integers = ("file", "line", "block", "row_line", "evaluations", "decimals")
    arrays: dict[str, Any] = {name: np.frombuffer(getattr(found, name), np.int64) for name in integers}
    return found._replace(**arrays, values=[np.frombuffer(column, np.float64) for column in found.values])


def plainly(texts: list[bytes], marks: bytes, columns: Columns, before: int, most: int) -> Rows:
    """As `scan`, line by line."""
    heads: list[tuple[int, int]] = []
    heading: list[bytes] = []
    rows: list[tuple[int, int, int, int]] = []
    values: list[list[float]] = []
    refused: list[list[tuple[int, int, bytes]]] = [[], [], [], []]
    counts = [0, 0, 0, 0]
    read = breaks = 0
    width = 2

    def refuse(kind: int, file: int, number: int, line: bytes) -> None:
        counts[kind] += 1
        if len(refused[kind]) < most:
            refused[kind].append((file, number, line[:60]))

    for file, text in enumerate(texts):
        wanted: tuple[int, ...] | None = None
        pending: list[bytes] = []
        lines = text.split(b"\n")
        breaks = len(lines) - 1
        for i, blank in enumerate(text.translate(_TO_BLANK).split(b"\n")):
            words = blank.split()
            if not words:
                continue
            number = 1 + i + (before if file == 0 else 0)
            if words[0][0] in marks:
                line = lines[i].strip(BLANKS)
                pending.append(line)
                chosen = columns(line, file)
                if chosen is not None:
                    wanted = chosen
                    width = max(width, len(chosen))
                    heads.append((file, number))
                    heading.append(b"\n".join(pending))
                    pending = []
                elif not line.startswith(b"%"):
                    refuse(3, file, number, line)
                continue
            pending = []
            read += 1
            if wanted is None:
                refuse(2, file, number, lines[i].strip(BLANKS))
                continue
            need = max(0, *wanted)
            if i == len(lines) - 1 and len(words) <= need + 1:
                # no line break ends it, and its last token may be cut
                refuse(0, file, number, lines[i].strip(BLANKS))
                continue
            evaluations = _whole(words[0])
            found = [_value(words[column]) if column >= 0 else math.nan for column in wanted] if len(words) > need else [None]
            if evaluations is None or None in found:
                refuse(1, file, number, lines[i].strip(BLANKS))
                continue
            rows.append((len(heads) - 1, number, evaluations, _decimals(words[wanted[0]])))
            values.append(found)  # type: ignore[arg-type]
    table = np.full((width, len(rows)), np.nan)
    for i, each in enumerate(values):
        table[: len(each), i] = each
    file_of, line_of = np.array(heads, np.int64).reshape(-1, 2).T
    block, row_line, evaluations_of, decimals = np.array(rows, np.int64).reshape(-1, 4).T
    told = list(zip(counts, refused, strict=True))
    return Rows(file_of, line_of, heading, block, row_line, evaluations_of, decimals, list(table), told, read, breaks)


def _value(token: bytes) -> float | None:
    text = token.decode("latin-1").removeprefix("+")
    found = float(text) if NUMBER.fullmatch(text) else -math.inf
    return None if found == -math.inf else found


def _whole(token: bytes) -> int | None:
    digits = token.removeprefix(b"+")
    if digits.isdigit() and len(digits.lstrip(b"0")) <= 18:
        return int(digits.lstrip(b"0") or b"0")
    found = _value(token)
    return None if found is None or not 0 <= found < 2**53 or found != int(found) else int(found)


def _decimals(token: bytes) -> int:
    return -1 if b"e" in token.lower() else len(token.partition(b".")[2])


def _compiled_here() -> Any:
    try:
        from benchmill.readers import _rows
    except ImportError:
        return None
    text = (Path(__file__).parent / "_rows.c").read_bytes()
    return _rows if hashlib.sha256(text).hexdigest() == _rows.SOURCE else None


_compiled = _compiled_here()
