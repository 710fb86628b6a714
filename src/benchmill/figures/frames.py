"""The tables of a study as DataFrames, in the order of a figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmill.text.frames import POINT as POINT
from benchmill.text.frames import frame as frame
from benchmill.text.frames import groups as _groups
from benchmill.text.frames import numbered as numbered
from benchmill.text.frames import records

#: The different values of some columns, each with its rows, in the order of `groups`.
parts = _groups


def rows_of(data: pd.DataFrame, where: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows whose columns have the given values; None matches empty."""
    mask = np.ones(len(data), bool)
    for column, value in where.items():
        found = data[column].isna() if value is None else data[column].eq(value).fillna(False)
        mask &= found.to_numpy(bool)
    return data[mask]


def chosen(data: pd.DataFrame, wanted: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Return the rows of some values of the keys; columns that the table lacks are passed over, the virtual best solver stays.

    Raises KeyError with the column and the value that no row has.
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
    """Compare values of a key: numbers but for the last bits, in which a configuration may differ."""
    return bool(a == b) if isinstance(a, str) or isinstance(b, str) else math.isclose(a, b, rel_tol=1e-9)


def groups(data: pd.DataFrame, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the different values of some columns: text in natural order, dimensions rising, targets falling, None first."""
    return records(numbered(data, columns)[1]) if len(data) else []


def steps(data: pd.DataFrame, x: str, y: Sequence[str], by: str = "algorithm") -> dict[Any, tuple[np.ndarray, ...]]:
    """Return break points, rising, and values of the step function of each algorithm (or value of `by`)."""
    data = data.iloc[np.argsort(data[x].to_numpy(), kind="stable")]
    return {key[by]: tuple(rows[column].to_numpy() for column in (x, *y)) for key, rows in parts(data, [by])}


def algorithms(data: pd.DataFrame) -> list[str]:
    """Return the different algorithms, as they first appear."""
    return [str(name) for name in data["algorithm"].unique()]


def only(data: pd.DataFrame, column: str) -> list[Any]:
    """Return the different values of a column that are there, rising."""
    return sorted(data[column].dropna().unique().tolist())
