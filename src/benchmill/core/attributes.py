"""Read what a study's own tables say about its problems and algorithms besides their keys: class, size, licence, known bounds."""

import csv
import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from benchmill.core import Array, Given, UserError, Words, keys, natural_key

#: What results call something else; no attribute can have such a name.
TAKEN = (
    *("suite", "problem", "dimension", "instance", "algorithm", "run", "trial", "seed", "version", "settings", "time_limit_s"),
    *("measure", "variant", "target", "at_budget", "group", "stratum"),
)

#: By attribute, what it says of each problem or algorithm, by name; an empty cell says nothing.
Attributes = dict[str, dict[str, str]]


def read(path: Path, key: str, where: str) -> Attributes:
    """Read a table of attributes (CSV or Parquet), a row for each problem or algorithm; `key` is the column with their names.

    Returns
    -------
    dict of str to dict of str to str
        By attribute the value of each name, as text; names without a value are left out.

    Raises
    ------
    UserError
        The file cannot be read, lacks the names or anything else, has a name twice, or a column that results call something else.
    """
    import pandas as pd

    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            table = pd.read_parquet(path)
            table = table.astype(object).where(table.notna(), "").set_axis(range(1, len(table) + 1))
            # as a CSV file has them: whole numbers without a point
            table = table.map(lambda cell: str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell))
        else:
            # pandas would take the first cells of rows that are too long for an index
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv.reader(file)
                (_, header), *rows = [(reader.line_num, row) for row in reader if row] or [(1, list[str]())]
            if ragged := [number for number, row in rows if len(row) != len(header)]:
                raise UserError(
                    f"{where}: {path}: row {ragged[0]} has not as many cells as the header ({len(header)}); correct it."
                )
            table = pd.DataFrame([row for _, row in rows], [number for number, _ in rows], header, dtype=str)
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(
            f"{where}: {path} cannot be read as a table ({' '.join(str(error).split())}); give a CSV or Parquet file."
        ) from None
    table.columns = [str(column).strip() for column in table.columns]
    if key not in table or len(table.columns) < 2:
        raise UserError(
            f"{where}: {path} has the columns {', '.join(table.columns)}, expected {key!r} and columns that describe each."
        )
    if wrong := [column for column in table.columns if column in TAKEN and column != key]:
        raise UserError(f"{where}: {path} has a column {wrong[0]!r}, a name that results use themselves; give it another name.")
    twice = table.columns[table.columns.duplicated()]
    if len(twice):
        raise UserError(f"{where}: {path} has two columns {twice[0]!r}; give one of them another name.")
    names = table[key].str.strip()
    again = names[names == next(iter(names[names.duplicated()]), None)]
    if len(again):
        one, other, *_ = again.index
        raise UserError(f"{where}: {path}:{one} and {path}:{other}: two rows for {again.iloc[0]!r}; keep one for each {key}.")
    return {
        column: {name: value for name, value in zip(names, table[column].str.strip(), strict=True) if value}
        for column in table.columns
        if column != key
    }


def numeric(attributes: Attributes) -> dict[str, dict[str, float]]:
    """Return the attributes whose values are all finite numbers."""
    import pandas as pd

    numbers = {name: pd.to_numeric(pd.Series(values, dtype=object), errors="coerce") for name, values in attributes.items()}
    return {
        name: column.astype(float).to_dict()
        for name, column in numbers.items()
        if len(column) and (column.abs() < math.inf).all()
    }


def groups(values: Words) -> dict[str, list[str]]:
    """Return the names that have each value, both in natural order."""
    return {
        value: list(names)
        for value, names in groupby(
            sorted(values, key=lambda name: (natural_key(values[name]), natural_key(name))), values.__getitem__
        )
    }


class ProblemValues:
    """Numbers of a CSV file, such as known bounds of problems, found by the key columns that it has; an empty cell is NaN.

    Raises
    ------
    UserError
        The file cannot be read, lacks a column, has text where a number is needed, or has a problem twice.
    """

    def __init__(self, path: str, columns: Sequence[str], where: str) -> None:
        self._at = f"{where}: {path}"
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(file)
                header, rows = list(reader.fieldnames or []), list(reader)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise UserError(f"{self._at} cannot be read as a CSV file ({error}).") from None
        if "problem" not in header or not set(columns) & set(header):
            more = f" and {' or '.join(columns)!r}" if "problem" in header else ""
            raise UserError(f"{self._at} has the columns {', '.join(header) or 'none'}, expected 'problem'{more}.")
        self._keys = [name for name in keys.OF_PROBLEMS if name in header and name not in columns]
        self._values: dict[tuple[Any, ...], list[float]] = {}
        for line, row in enumerate(rows, 2):
            try:
                key, values = self._key(row), [_number(row.get(name) or "") for name in columns]
            except (TypeError, ValueError):
                raise UserError(f"{path}:{line}: the row {row} has no number where one is needed; correct it.") from None
            if key in self._values:
                named = f"{', '.join(map(str, key))}, after {path}:{[*self._values].index(key) + 2}"
                raise UserError(f"{path}:{line}: a second row for {named}; keep one row per problem.")
            self._values[key] = values

    def of(self, problems: Iterable[Given], what: str) -> Array:
        """Return the numbers of each problem, (n_problems, n_columns); `what` has these problems, for messages.

        Raises
        ------
        UserError
            A problem is not in the file, or the file tells problems apart by a key that these do not have.
        """
        rows = []
        for problem in problems:
            if unknown := [name for name in self._keys if name not in problem]:
                raise UserError(
                    f"{what}: {self._at} tells problems apart by {unknown[0]!r}, which is no key of the problems here "
                    f"({', '.join(problem)}); leave the column out."
                )
            key = self._key(problem)
            if key not in self._values:
                raise UserError(
                    f"{what}: {self._at} has no row for {keys.described({name: problem[name] for name in self._keys})}; add one, "
                    "or exclude the problem."
                )
            rows.append(self._values[key])
        return np.array(rows, float).reshape(len(rows), -1)

    def _key(self, row: Given) -> tuple[Any, ...]:
        """Return the keys of a row of the file, or of the data, in the form in which both are equal."""
        return tuple(
            None if row[name] in (None, "") else str(row[name]) if name in ("suite", "problem", "instance") else float(row[name])
            for name in self._keys
        )


def _number(text: str) -> float:
    if math.isnan(number := float(text.strip() or "-inf")):
        raise ValueError("no number")
    return number if text.strip() else math.nan
