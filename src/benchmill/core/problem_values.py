"""Read values that you supply for each problem, such as its weight or its known bounds, from a CSV file."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmill.core import arrays, keys
from benchmill.core.errors import UserError

#: Columns that can tell problems (and targets and budgets on them) apart.
KEYS = ("suite", "problem", "dimension", "instance", "target", "at_budget")


class ProblemValues:
    """Numbers of a CSV file, found by the key columns that it has; an empty cell of a column in `optional` is NaN.

    Raises
    ------
    UserError
        The file cannot be read, lacks a column, has text where a number is needed, or has a problem twice.
    """

    def __init__(self, path: str, columns: Sequence[str], where: str, optional: Sequence[str] = ()) -> None:
        self._path, self._where = path, where
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(file)
                header, rows = list(reader.fieldnames or []), list(reader)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise UserError(f"{where}: {path} cannot be read as a CSV file ({error}).") from None
        lacking = [name for name in ("problem", *columns) if name not in header and name not in optional]
        if lacking or not set(columns) & set(header):
            needed = [name for name in ("problem", *columns) if name not in optional]
            expected = " and ".join(map(repr, needed if lacking else [*needed, " or ".join(optional)]))
            raise UserError(f"{where}: {path} has the columns {', '.join(header) or 'none'}, expected {expected}.")
        self._keys = [name for name in KEYS if name in header and name not in columns]
        self._values: dict[tuple[Any, ...], list[float]] = {}
        for line, row in enumerate(rows, 2):
            try:
                key = tuple(_same(name, row[name]) for name in self._keys)
                values = [_number(row.get(name), name in optional) for name in columns]
            except (TypeError, ValueError):
                raise UserError(f"{path}:{line}: the row {row} has no number where one is needed; correct it.") from None
            if key in self._values:
                named = f"{', '.join(map(str, key))}, after {path}:{[*self._values].index(key) + 2}"
                raise UserError(f"{path}:{line}: a second row for {named}; keep one row per problem.")
            self._values[key] = values

    def of(self, problems: Iterable[Mapping[str, Any]], what: str) -> arrays.Array:
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
                    f"{what}: {self._where}: {self._path} tells problems apart by {unknown[0]!r}, which is no key of "
                    f"the problems here ({', '.join(problem)}); leave the column out."
                )
            key = tuple(_same(name, problem[name]) for name in self._keys)
            if key not in self._values:
                own = keys.described({name: problem[name] for name in self._keys})
                raise UserError(f"{what}: {self._where}: {self._path} has no row for {own}; add one, or exclude the problem.")
            rows.append(self._values[key])
        return np.array(rows, float).reshape(len(rows), -1)


def _same(name: str, value: Any) -> Any:
    """Return the form in which a key of the file and one of the data are equal."""
    if value in (None, ""):
        return None
    return str(value) if name in ("suite", "problem", "instance") else float(value)


def _number(text: str | None, optional: bool) -> float:
    if optional and (text is None or not text.strip()):
        return math.nan
    if text is None or math.isnan(float(text)):
        raise ValueError("no number")
    return float(text)
