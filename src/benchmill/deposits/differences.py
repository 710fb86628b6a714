"""By how much two files differ that should be the same: column by column where they are tables, else from which line on."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmill.text.display import listed
from benchmill.text.labels import shown

#: So many columns are named.
_NAMED = 5

#: Of a file that is longer than the other by more than that (bytes), no more is read: it may come from anybody.
_LONGER = 2**20


def difference(then: Path, now: Path) -> str:
    """Say by how much a file differs from what it was."""
    if not then.is_file():
        return "only its digest is known, which is another"
    sizes = then.stat().st_size, now.stat().st_size
    if then.suffix == ".parquet":
        return _tables(then, now)
    if sizes[0] > 2 * sizes[1] + _LONGER:
        return f"{sizes[0]} bytes, here {sizes[1]}"
    try:
        if then.suffix in _COLUMNS:
            return _columns(*(_COLUMNS[then.suffix](path) for path in (then, now)))
    except (ValueError, RecursionError):
        # as text, then
        pass
    try:
        texts = then.read_text("utf-8").splitlines(), now.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return f"{sizes[0]} bytes, here {sizes[1]}"
    line = next((number for number, (a, b) in enumerate(zip(*texts, strict=False), 1) if a != b), min(map(len, texts)) + 1)
    return f"from line {line} on"


def _tables(then: Path, now: Path) -> str:
    try:
        # of a few bytes that stand for any number of rows, no more is read than was made here
        a, b = (pq.read_metadata(path) for path in (then, now))
        if pq.read_schema(then) != pq.read_schema(now) or a.num_rows != b.num_rows:
            return f"{a.num_rows} rows and {a.num_columns} columns, here {b.num_rows} and {b.num_columns}"
        old, new = pq.read_table(then), pq.read_table(now)
    except (OSError, pa.ArrowException):
        return "it cannot be read as a table"
    found = [(name, *_differing(old[name], new[name])) for name in old.column_names if not old[name].equals(new[name])]
    of_rows = [(name, count, size) for name, count, size in found if count]
    if not of_rows:
        return "the same numbers; what the file notes of its origin differs, or how it is stored"
    return _told([(name, f"{count} of {old.num_rows} rows", size) for name, count, size in of_rows])


def _differing(a: pa.ChunkedArray, b: pa.ChunkedArray) -> tuple[int, str]:
    """Count the rows in which two columns of one type differ, and say by how much at the most."""
    if not (pa.types.is_integer(a.type) or pa.types.is_floating(a.type)):
        return sum(x != y for x, y in zip(a.to_pylist(), b.to_pylist(), strict=True)), ""
    # large integers are told apart that are one number as floats
    other = pc.fill_null(pc.not_equal(a, b), True).to_numpy() & ~(a.is_null().to_numpy() & b.is_null().to_numpy())
    x, y = (column.cast(pa.float64(), safe=False).to_numpy() for column in (a, b))
    if pa.types.is_floating(a.type):
        other &= ~(np.isnan(x) & np.isnan(y) & a.is_valid().to_numpy() & b.is_valid().to_numpy())
    return int(other.sum()), _size(x[other], y[other])


def _size(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> str:
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        by = np.abs(a - b)
        relative = by / np.maximum(np.abs(a), np.abs(b))
    known = by[~np.isnan(by)]
    if not known.size:
        return ""
    share = relative[np.isfinite(relative)].max(initial=0.0) if np.isfinite(known).all() else np.inf
    return f"by up to {known.max():.3g}" + (f", {100 * share:.3g} %" if np.isfinite(share) else "")


def _told(found: Sequence[tuple[str, str, str]]) -> str:
    told = [f"{shown(name)} ({count}, {size})" if size else f"{shown(name)} ({count})" for name, count, size in found]
    return f"in {listed(told, limit=_NAMED)}"


# --- tables as text, and JSON ------------------------------------------------------------------------


def _columns(then: Mapping[str, Sequence[Any]], now: Mapping[str, Sequence[Any]]) -> str:
    if then.keys() != now.keys() or any(len(then[name]) != len(now[name]) for name in now):
        lengths = [max(map(len, one.values()), default=0) for one in (then, now)]
        if lengths[0] != lengths[1]:
            return f"{lengths[0]} rows, here {lengths[1]}"
        return f"other columns: {listed(sorted(map(shown, set(then) ^ set(now))) or ['of other lengths'], limit=_NAMED)}"
    found = []
    for name in now:
        pairs = [(a, b) for a, b in zip(then[name], now[name], strict=True) if a != b]
        if pairs:
            numbers = [(x, y) for x, y in ((_number(a), _number(b)) for a, b in pairs) if x is not None and y is not None]
            found.append((name, f"{len(pairs)} of {len(now[name])} values", _size(*np.array(numbers).T) if numbers else ""))
    return _told(found) if found else "the same values, written in another way"


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _of_csv(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    if any(len(row) != len(header) for row in rows):
        raise ValueError("rows are of different lengths")
    return {
        f"{name}" if header.count(name) == 1 else f"{name} ({at})": [row[at] for row in rows] for at, name in enumerate(header)
    }


def _of_json(path: Path) -> dict[str, list[Any]]:
    """Return the values of a JSON document by where they stand, entries of a list together."""
    found: dict[str, list[Any]] = {}
    for name, value in _leaves(json.loads(path.read_bytes()), ""):
        found.setdefault(name, []).append(value)
    return found


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, name)
    else:
        yield name or "value", value


_COLUMNS: dict[str, Callable[[Path], dict[str, list[Any]]]] = {".csv": _of_csv, ".json": _of_json}
