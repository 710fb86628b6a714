"""Rows of numbers in blocks, taken from texts line by line: what `benchmill.readers.rows.scan` is compared with."""

import math

import numpy as np

from benchmill.readers.rows import BLANKS, NUMBER, Columns, Rows

_TO_BLANK = bytes(32 if byte <= 32 and byte != 10 else byte for byte in range(256))


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
