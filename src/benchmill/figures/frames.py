"""The tables of a study as DataFrames: choosing rows, and taking them apart by their keys in the order of a figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core.natural_order import natural_key
from benchmill.text.frames import POINT as POINT
from benchmill.text.frames import groups as _groups
from benchmill.text.frames import numbered, records

#: The different values of some columns, each with its rows, in the order of `cells`.
parts = _groups


def frame(table: pa.Table) -> pd.DataFrame:
    """An Arrow table as a DataFrame in which pandas sorts and groups as figures need it.

    Parameters
    ----------
    table : pyarrow.Table

    Returns
    -------
    pandas.DataFrame
        Text is an ordered category, so that `f2` sorts before `f10`; a whole number that can be missing is `Int64`, so that a
        dimension stays one.
    """
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            table = table.set_column(place, field.name, table.column(place).dictionary_encode())
    data = table.to_pandas()
    for field in table.schema:
        if pa.types.is_dictionary(field.type):
            names = sorted(data[field.name].cat.categories, key=natural_key)
            data[field.name] = data[field.name].cat.set_categories(names, ordered=True)
        elif pa.types.is_integer(field.type) and table[field.name].null_count:
            data[field.name] = data[field.name].astype("Int64")
    return data


def rows_of(data: pd.DataFrame, where: Mapping[str, Any]) -> pd.DataFrame:
    """Rows whose columns have the given values; a value of None matches empty, a key that is left out matches all."""
    mask = np.ones(len(data), bool)
    for column, value in where.items():
        found = data[column].isna() if value is None else data[column].eq(value).fillna(False)
        mask &= found.to_numpy(bool)
    return data[mask]


def chosen(data: pd.DataFrame, wanted: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """The rows of some values of the keys.

    Parameters
    ----------
    wanted : mapping
        By column the values; a column that the table has not is passed over. Of a table of pairs (`algorithm_a`, `algorithm_b`)
        those rows stay of which both are wanted. The virtual best solver stays, whichever algorithms are wanted.

    Raises
    ------
    KeyError
        With the column and the value: no row has it.
    """
    for name, values in wanted.items():
        for column in [c for c in (name, f"{name}_a", f"{name}_b") if c in data.columns]:
            found = data[column].dropna().unique().tolist()
            absent = [value for value in values if not any(_same(value, other) for other in found)]
            if absent and column == name and len(data):
                raise KeyError(name, absent[0])
            kept = data[column].isin([other for other in found if any(_same(value, other) for value in values)])
            if column == "algorithm" and "role" in data:
                kept |= data["role"] == "virtual_best"
            data = data[kept]
    return data


def _same(a: Any, b: Any) -> bool:
    """Whether two values of a key are one: numbers but for the last bits, in which a configuration may differ."""
    return bool(a == b) if isinstance(a, str) or isinstance(b, str) else math.isclose(a, b, rel_tol=1e-9)


def cells(data: pd.DataFrame, columns: Sequence[str]) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """Number the different values of some columns.

    Returns
    -------
    number : (n_rows,) array of int
        The place of each row in `found`.
    found : list of dict
        By column, None where it is empty: text in natural order, dimensions rising, targets falling (easy first), empty first.
    """
    if data.empty:
        return np.empty(0, int), []
    number, found = numbered(data, columns)
    return number, records(found)


def groups(data: pd.DataFrame, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The different values of some columns, in the order of `cells`."""
    return cells(data, columns)[1]


def steps(data: pd.DataFrame, x: str, y: Sequence[str], by: str = "algorithm") -> dict[Any, tuple[np.ndarray, ...]]:
    """Break points and values of the step function of each algorithm (or value of `by`), by rising x; in the order of `cells`."""
    of, names = cells(data, [by])
    # all with one sort: a page of panels has thousands of curves
    order = np.lexsort((data[x].to_numpy(), of))
    ends = np.searchsorted(of[order], np.arange(len(names) + 1))
    columns = [data[c].to_numpy()[order] for c in (x, *y)]
    return {name[by]: tuple(c[ends[i] : ends[i + 1]] for c in columns) for i, name in enumerate(names)}


def algorithms(data: pd.DataFrame) -> list[str]:
    """The different algorithms, as they first appear."""
    return [str(name) for name in data["algorithm"].unique()]


def only(data: pd.DataFrame, column: str) -> list[Any]:
    """The different values of a column that are there, rising."""
    return sorted(data[column].dropna().unique().tolist())
