"""Rows of numbers in blocks: what the data files of COCO and IOHprofiler have in common.

A data file holds blocks of rows, each block headed by a line that says what its columns are; the first column of a row is the
number of evaluations, and of the others one or two are wanted. Many files are parsed together, so that thousands of small
ones cost hardly more than one large one, and only the wanted columns are converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.labels import shown
from benchmill.readers.interface import MOST_EXAMPLES, Report, Rule

#: Bytes of data files that are best parsed together; a larger file is parsed alone.
BYTES_AT_ONCE = 8 * 2**20

#: The irregularities that `parse` reports; a format takes them into its own.
RULES: dict[str, Rule] = {
    "malformed_line": Rule(
        "refused", "A line in a data file that is no header and has no number in a column that is read; it is left out."
    ),
    "cut_line": Rule("refused", "The last line of a file ends within the columns that are read; it is left out."),
    "rows_without_header": Rule(
        "refused", "Rows before the first header line of a file; they belong to no trial and are left out."
    ),
}

#: A number as loggers print it, without a leading plus.
NUMBER = re.compile(r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$|^-?[iI][nN][fF]$")

#: For a header line and the number of its file: the wanted columns, counted from 0, (-1: no second one), or None for a line
#: that heads no block.
Columns = Callable[[bytes, int], tuple[int, int] | None]


@dataclass
class Blocks:
    """The blocks of several files, in order; arrays over blocks, then arrays over rows.

    Attributes
    ----------
    file, line : ndarray of int, shape (blocks,)
        Number of the file, and line of the header in it, from 1.
    heading : list of bytes
        The header line of each block, after the other lines of the header that stand directly before it.
    row_block, row_line : ndarray of int, shape (rows,)
    evaluations : ndarray of int64, shape (rows,)
    value, second : ndarray of float, shape (rows,)
        The wanted columns; `second` is NaN where there is none.
    decimals : ndarray of int, shape (rows,)
        Digits printed after the decimal point of `value`; -1 with an exponent. Empty unless asked for.
    read : int
        Rows seen, with those left out.
    """

    file: np.ndarray
    line: np.ndarray
    heading: list[bytes]
    row_block: np.ndarray
    row_line: np.ndarray
    evaluations: np.ndarray
    value: np.ndarray
    second: np.ndarray
    decimals: np.ndarray
    read: int


def parse(
    names: list[str], texts: list[bytes], marks: bytes, columns: Columns, report: Report, *, decimals: bool = False
) -> Blocks:
    """Parse data files together.

    Parameters
    ----------
    names, texts : list
        Names and contents of the files.
    marks : bytes
        First characters of a line that is not a row of numbers.
    columns : callable
        Which columns are wanted under a header; called once for each different line and file.
    decimals : bool
        Whether the printed decimals are counted.

    Notes
    -----
    Any byte up to the blank separates columns. A number of evaluations is not negative and whole; a value is a number, `inf`
    or `-inf`, and `-inf` and NaN are malformed.
    """
    texts = [_plain(text) for text in texts]
    # A line break before the first byte, so that every token begins after a separator.
    buffer = np.frombuffer(b"".join([b"\n", *(t if t.endswith(b"\n") else t + b"\n" for t in texts)]), np.uint8)
    file_start = np.cumsum([1, *(len(t) + (not t.endswith(b"\n")) for t in texts)])

    # A token lies between two separators that are not neighbours; its line is told by the line breaks before it.
    separators = np.flatnonzero(buffer <= 32)
    before = np.flatnonzero(separators[1:] - separators[:-1] > 1)
    starts, ends = separators[before] + 1, separators[before + 1]
    breaks = buffer[separators] == 10
    token_line = np.cumsum(breaks, dtype=np.int32)[before]
    line_starts = separators[breaks] + 1

    first = np.flatnonzero(np.concatenate([[True], token_line[1:] != token_line[:-1]])) if len(starts) else starts
    tokens = np.diff(first, append=len(starts))
    line = token_line[first] - 1
    first_line = np.searchsorted(line_starts, file_start[:-1])
    line_file = (np.searchsorted(first_line, line, "right") - 1).astype(np.int64)
    marked = np.isin(buffer[starts[first]], np.frombuffer(marks, np.uint8))

    heads: list[int] = []
    heading: list[bytes] = []
    wanted: list[tuple[int, int]] = []
    known: dict[tuple[bytes, int], tuple[int, int] | None] = {}
    stray: list[int] = []
    pending: list[bytes] = []
    previous = (-2, -1)
    at = np.flatnonzero(marked)
    for i, begin, end, file in zip(
        at.tolist(), starts[first[at]].tolist(), ends[first[at] + tokens[at] - 1].tolist(), line_file[at].tolist(), strict=True
    ):
        text = buffer[begin:end].tobytes()
        if (i, file) != (previous[0] + 1, previous[1]):
            pending = []
        previous = (i, file)
        pending.append(text)
        key = (text, file)
        if key not in known:
            known[key] = columns(*key)
        chosen = known[key]
        if chosen is None:
            if not text.startswith(b"%"):
                stray.append(i)
            continue
        heads.append(i)
        heading.append(b"\n".join(pending))
        wanted.append(chosen)
        pending = []
    head = np.array(heads, np.int64)
    column = np.array(wanted, np.int64).reshape(-1, 2)

    data = np.flatnonzero(~marked)
    block = np.searchsorted(head, data, "right") - 1
    row_file = line_file[data]
    row_line = line[data] - first_line[row_file] + 1
    orphan = np.ones(len(data), bool)
    has = block >= 0
    orphan[has] = line_file[head[block[has]]] != row_file[has]

    # Where a file does not end with a line break and its last token is in a wanted column, that number may be cut short.
    need = column.max(1)[block] if len(head) else np.zeros(len(data), np.int64)
    need[orphan] = 0
    unended = np.array([bool(t) and not t.endswith(b"\n") for t in texts], bool)
    last_line = np.append(first_line[1:], len(line_starts) - 1) - 1
    cut = unended[row_file] & (line[data] == last_line[row_file]) & (tokens[data] <= need + 1)
    good = ~cut & ~orphan & (tokens[data] > need)

    evaluations = np.zeros(len(data), np.int64)
    value = np.zeros(len(data))
    second = np.full(len(data), np.nan)
    printed = np.zeros(len(data) if decimals else 0, np.int64)
    rows = np.flatnonzero(good)
    where = first[data[rows]]
    counts, fine = _integers(buffer, starts[where], ends[where])
    evaluations[rows] = counts
    for target, choice in ((value, 0), (second, 1)):
        chosen_column = column[block[rows], choice]
        asked = chosen_column >= 0
        if asked.any():
            token = (where + chosen_column)[asked]
            text = _strings(buffer, starts[token], ends[token])
            numbers, right = _numbers(text)
            target[rows[asked]] = numbers
            fine[asked] &= right
            if decimals and choice == 0:
                printed[rows[asked]] = _decimals(text)
    good[rows] = fine

    malformed = ~good & ~cut & ~orphan
    for rule, wrong in (("cut_line", cut & ~orphan), ("malformed_line", malformed), ("rows_without_header", orphan)):
        _refuse(rule, data[wrong], buffer, starts, ends, first, tokens, names, row_file[wrong], row_line[wrong], report)
    if stray:
        lines = np.array(stray)
        files = line_file[lines]
        numbers_ = line[lines] - first_line[files] + 1
        _refuse("malformed_line", lines, buffer, starts, ends, first, tokens, names, files, numbers_, report)
    return Blocks(
        file=line_file[head],
        line=line[head] - first_line[line_file[head]] + 1,
        heading=heading,
        row_block=block[good],
        row_line=row_line[good],
        evaluations=evaluations[good],
        value=value[good],
        second=second[good],
        decimals=printed[good] if decimals else printed,
        read=len(data),
    )


def _plain(text: bytes) -> bytes:
    if text.startswith(b"\xef\xbb\xbf"):
        text = text[3:]
    if b"\r" in text[:4096] and b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    return text


def _refuse(
    rule: str,
    lines: np.ndarray,
    buffer: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    first: np.ndarray,
    tokens: np.ndarray,
    names: list[str],
    files: np.ndarray,
    numbers: np.ndarray,
    report: Report,
) -> None:
    for i in range(min(len(lines), MOST_EXAMPLES)):
        begin = starts[first[lines[i]]]
        end = min(ends[first[lines[i]] + tokens[lines[i]] - 1], begin + 60)
        text = shown(buffer[begin:end].tobytes().decode("utf-8", "replace"))
        # A binary file can have millions of such lines: those beyond the examples are counted with the last one.
        count = len(lines) - i if i == MOST_EXAMPLES - 1 else 1
        report.add(rule, names[files[i]], int(numbers[i]), f"the line reads {text!r}", count)


def number(text: str) -> float | None:
    """A number as loggers print it, or None."""
    text = text.strip().removeprefix("+")
    return float(text) if NUMBER.match(text) else None


def in_order(trial: np.ndarray, evaluations: np.ndarray, value: np.ndarray, timed: np.ndarray) -> np.ndarray:
    """Indices that sort rows by trial, evaluations, value, and those recorded at evaluations last."""
    widest = int(evaluations.max(initial=0)) + 1
    if (int(trial.max(initial=0)) + 1) * widest < 2**62:
        # Rows come in long runs that are sorted already; values need a look only where evaluations are equal.
        key = trial * widest + evaluations
        order = np.argsort(key, kind="stable")
        one, other = order[:-1], order[1:]
        tied = key[one] == key[other]
        wrong = tied & ((value[one] > value[other]) | ((value[one] == value[other]) & timed[one] & ~timed[other]))
        if not wrong.any():
            return order
    return np.lexsort((timed, value, evaluations, trial))


def improves(trial: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Rows that begin a trial or are smaller than the row before; values do not rise within a trial."""
    keep = np.ones(len(trial), bool)
    keep[1:] = (trial[1:] != trial[:-1]) | (value[1:] < value[:-1])
    return keep


def running_minimum(trial: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Smallest value so far within each trial; `trial` is sorted."""
    levels, rank = np.unique(value, return_inverse=True)
    # Later trials get lower ranks as a whole, so that the minimum starts anew with each.
    _, group = np.unique(trial, return_inverse=True)
    shift = (group.max(initial=0) - group) * len(levels)
    smallest: np.ndarray = levels[np.minimum.accumulate(rank + shift) - shift]
    return smallest


def _strings(buffer: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> pa.Array:
    """Pieces of the buffer as text, without a leading plus."""
    # Every second string of an array that cuts the buffer at all starts and ends: nothing is copied before it is chosen.
    small = len(buffer) < 2**31
    cuts = np.empty(2 * len(starts), np.int32 if small else np.int64)
    cuts[0::2] = starts + ((buffer[starts] == ord("+")) & (ends - starts > 1))
    cuts[1::2] = ends
    pieces = pa.Array.from_buffers(
        pa.binary() if small else pa.large_binary(),
        max(len(cuts) - 1, 0),
        [None, pa.py_buffer(cuts), pa.py_buffer(buffer)],
    )
    chosen = pieces.take(_array(np.arange(0, len(cuts), 2, dtype=np.int32)))
    try:
        return chosen.cast(pa.string())
    except pa.ArrowInvalid:
        # Anything beyond ASCII is no digit; as `?` it stays text.
        return pa.array([piece.decode("ascii", "replace").replace("\ufffd", "?") for piece in chosen.to_pylist()], pa.string())


def _array(indices: np.ndarray) -> pa.Array:
    return pa.Array.from_buffers(pa.int32(), len(indices), [None, pa.py_buffer(indices)])


def _integers(buffer: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    text = _strings(buffer, starts, ends)
    try:
        numbers = text.cast(pa.int64()).to_numpy()
        return numbers, numbers >= 0
    except pa.ArrowInvalid:
        # Some loggers write whole numbers as 1.0e+03.
        numbers, fine = _converted(text)
        whole = fine & (numbers >= 0) & (numbers < 2**53) & (numbers == np.floor(numbers))
        return np.where(whole, numbers, 0).astype(np.int64), whole


def _numbers(text: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    try:
        numbers = text.cast(pa.float64()).to_numpy()
        fine = numbers > -np.inf
        return numbers, fine
    except pa.ArrowInvalid:
        return _converted(text)


def _converted(text: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    fine = pc.match_substring_regex(text, NUMBER.pattern).to_numpy(zero_copy_only=False)
    numbers = np.zeros(len(text))
    numbers[fine] = text.filter(pa.array(fine)).cast(pa.float64()).to_numpy()
    return numbers, fine & (numbers > -np.inf)


def _decimals(text: pa.Array) -> np.ndarray:
    point = pc.find_substring(text, ".").to_numpy()
    exponent = pc.match_substring_regex(text, "[eE]").to_numpy(zero_copy_only=False)
    length = pc.binary_length(text).to_numpy()
    return np.where(exponent, -1, np.where(point < 0, 0, length - point - 1))
