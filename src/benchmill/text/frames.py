"""The results of a study as data frames: filtered, ordered, grouped, and the groups named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.natural_order import natural_key
from benchmill.text import display

#: Keys of what is tested on its own.
POINT = ["target", "at_budget", "stratum"]

_WHOLE = {pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}


def short_names(data: Mapping[str, Any], names: Iterable[str], limit: int = 32) -> dict[str, str]:
    """Return names of algorithms as they are shown: cut alike in all tables of a study."""
    return display.short_names([*algorithms(data), *names], limit)


def algorithms(data: Mapping[str, Any]) -> list[str]:
    """Return the algorithms of the study, if `data` has its ingest reports."""
    return [name for report in data.get("ingest") or [] for name in report["algorithms"]]


def frame(
    table: pa.Table | None, measure: str | None = None, variant: str | None = None, columns: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return rows of one measure and variant as a data frame, empty for None; text is categorical in natural order."""
    if table is None:
        return pd.DataFrame()
    of = {"measure": measure, "variant": variant}
    kept = [pc.equal(table.column(name), value) for name, value in of.items() if value is not None]
    table = table if columns is None else table.select(columns)
    table = table.filter(reduce(pc.and_, kept)) if kept else table
    table = table.unify_dictionaries()
    for place, column in enumerate(table.columns):
        if pa.types.is_dictionary(column.type):
            words = _in_order(column)
            table = table.set_column(place, pa.field(table.column_names[place], words.type), words)
    return table.to_pandas(types_mapper=_WHOLE.get)


def _in_order(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Sort the dictionary of a column naturally, without words that do not occur."""
    array = column.combine_chunks()
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    codes, words = array.indices, array.dictionary.to_pylist()
    used = sorted(pc.unique(codes).drop_null().to_pylist(), key=lambda code: natural_key(words[code]))
    place = np.zeros(len(words), np.int32)
    place[used] = np.arange(len(used))
    ordered = pa.array([words[code] for code in used], array.dictionary.type)
    return pa.DictionaryArray.from_arrays(pc.take(pa.array(place), codes), ordered, ordered=True)


def ordered(data: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Sort rows: text naturally, dimensions and budgets rising, targets falling, empty first."""
    rising = [key != "target" for key in keys]
    return data.sort_values(list(keys), ascending=rising, na_position="first", kind="stable") if len(data) else data


def groups(data: pd.DataFrame, keys: Sequence[str]) -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Return rows that agree in keys, in the order of `ordered`, each with its keys."""
    if not len(data):
        return []
    number, found = numbered(data, keys)
    order = np.argsort(number, kind="stable")
    ends = np.searchsorted(number[order], np.arange(len(found) + 1))
    return [(key, data.take(order[ends[i] : ends[i + 1]])) for i, key in enumerate(records(found))]


def numbered(data: pd.DataFrame, keys: Sequence[str]) -> tuple[npt.NDArray[np.int64], pd.DataFrame]:
    """Return the number of each row's keys among the different ones, and these in order."""
    number = np.zeros(len(data), np.int64)
    for key in keys:
        place, n = _places(data[key], falling=key == "target")
        # never more numbers than rows
        number = pd.factorize(number * n + place, sort=True)[0]
    first = np.zeros(number.max(initial=-1) + 1, np.int64)
    first[number[::-1]] = np.arange(len(data))[::-1]
    return number, data[list(keys)].iloc[first].reset_index(drop=True)


def _places(column: pd.Series, falling: bool) -> tuple[npt.NDArray[np.int64], int]:
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        place, n = column.array.codes.astype(np.int64), len(column.dtype.categories)
    else:
        place, distinct = pd.factorize(column, sort=True)
        n = len(distinct)
    return np.where(place < 0, 0, n - place if falling else place + 1), n + 1


def records(data: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as dictionaries of Python's own values, None where they are empty."""
    columns = [_values(column) for _, column in data.items()]
    names = list(data)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _values(column: pd.Series) -> list[Any]:
    # value by value: a table is made of many small frames, for which the methods of a column take ten times as long
    if isinstance(column.dtype, pd.CategoricalDtype):
        words = [*column.dtype.categories.tolist(), None]
        return [words[code] for code in column.array.codes.tolist()]
    return [None if value is pd.NA or (isinstance(value, float) and value != value) else value for value in column.tolist()]


def by_point(data: pd.DataFrame) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the rows of a measure by target, budget and stratum."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in records(ordered(data, POINT)):
        found.setdefault(tuple(row[key] for key in POINT), []).append(row)
    return found


def by_method(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return rows of several comparisons, method by method in natural order."""
    methods = sorted({row["method"] for row in rows}, key=natural_key)
    return [(method, [row for row in rows if row["method"] == method]) for method in methods]


def best(values: pd.Series, largest: bool = False) -> float:
    """Return the best finite value, or NaN; of shares, counts and areas (`largest`) 0 is none."""
    finite = values[values.abs() < float("inf")].astype(float)
    return float(finite[finite > 0].max() if largest else finite.min())


def target_title(group: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return the title that a measure gives a target, or `target 10⁻⁸`."""
    of = [settings["measure"]] if settings.get("measure") else settings.get("measures") or []
    for measure in of:
        titles = measure.get("target_titles") or ()
        if group.get("measure", measure["name"]) == measure["name"] and titles:
            named = dict(zip(map(float, measure["targets"]), titles, strict=True))
            if group["target"] in named:
                return str(named[group["target"]])
    return f"target {display.target(group['target'])}"


def at(group: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return `target 10⁻⁸` (or its title), `budget 1000`, `dimension 5, target 1` or `all problems`."""
    parts = []
    if group.get("stratum") is not None:
        parts.append(str(group["stratum"]))
    if group.get("dimension") is not None:
        parts.append(f"dimension {group['dimension']}")
    if group.get("target") is not None:
        parts.append(target_title(group, settings))
    if group.get("at_budget") is not None:
        parts.append(f"budget {display.target(group['at_budget'])}")
    return ", ".join(parts) or "all problems"
