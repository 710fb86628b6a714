"""What the entry of a source leaves out: the option `where`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from benchmill.core.errors import UserError
from benchmill.readers.interface import Place, Rule
from benchmill.text.labels import shown

#: Columns of `trials` that every format can be chosen by.
COLUMNS = ("algorithm", "suite", "problem", "dimension", "instance", "run", "seed", "version", "settings", "time_limit_s")

RULES: dict[str, Rule] = {
    "not_chosen": Rule(
        "noted", "Rows or trials that the source's entry leaves out (`where`); they count as neither found nor missing."
    ),
}

#: Values that a message lists.
_MOST_VALUES = 20


class Selection:
    """The conditions of an entry, and which of their values there are.

    Parameters
    ----------
    where : mapping
        By column a value, a list of values, or a mapping `{not: ...}` of either.
    """

    def __init__(self, where: Mapping[str, Any]) -> None:
        self.where = where
        self._met: dict[str, dict[str, None]] = {column: {} for column in where}
        self.done: set[str] = set()
        """Columns of a table's file by which its reader has chosen."""

    def mask(self, column: str, values: Iterable[Any]) -> np.ndarray:
        """Whether each value of a column is chosen."""
        codes, found = pd.factorize(pd.Series(values, dtype=object), use_na_sentinel=False)
        texts = ["" if pd.isna(value) else str(value).strip() for value in found]
        self._met[column] |= dict.fromkeys(texts)
        return np.asarray(np.array([self._chosen(column, text) for text in texts], bool)[codes])

    def holds(self, names: Iterable[str], place: Place) -> bool:
        """Whether a missing trial is one of those that are chosen, as far as its place tells."""
        known = {name: "" if value is None else str(value) for name, value in zip(names, place, strict=True)}
        return all(self._chosen(column, known[column]) for column in self.where if column in known and column not in self.done)

    def check(self, where: str, columns: Iterable[str] | None = None) -> None:
        """Check that every value of the conditions (on some columns) is there.

        Raises
        ------
        UserError
            A value is none of its column.
        """
        for column in (name for name in self.where if columns is None or name in columns):
            met = self._met[column]
            for value in self._wanted(column)[0]:
                if not any(_same(text, value) for text in met):
                    near = difflib.get_close_matches(str(value), met, 1)
                    listed = ", ".join(repr(shown(text)) for text in list(met)[:_MOST_VALUES])
                    hint = f"did you mean {shown(near[0])!r}?" if near else f"it has {listed or 'none'}."
                    raise UserError(f"{where}: `where` names {value!r}, which is no value of {column!r}; {hint}")

    def _chosen(self, column: str, text: str) -> bool:
        wanted, positive = self._wanted(column)
        return any(_same(text, value) for value in wanted) == positive

    def _wanted(self, column: str) -> tuple[list[Any], bool]:
        condition = self.where[column]
        positive = not isinstance(condition, Mapping)
        values = condition if positive else condition["not"]
        return (list(values) if isinstance(values, list | tuple) else [values]), positive


def _same(text: str, wanted: Any) -> bool:
    """Whether a cell is a value of a condition: numbers by what they are, however they are written."""
    if isinstance(wanted, bool):
        return text.lower() == str(wanted).lower()
    if isinstance(wanted, int | float):
        try:
            return float(text) == wanted
        except ValueError:
            return False
    return text == str(wanted)
