"""The trials of a source that are left out: by the option `where` of its entry, and by its study's settings for all sources."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import Mask, UserError, keys, schema, shown
from benchmill.core.names import fits, wildcards
from benchmill.readers.interface import Given, Place, Report, did_you_mean, rules
from benchmill.readers.text import number

#: Columns of `trials` that every format can be chosen by.
COLUMNS = ("algorithm", "suite", "problem", "dimension", "instance", "run", "seed", "version", "settings", "time_limit_s")

RULES = rules("selection")

#: Key of the options of a source for what its study says of all sources: the fields of `OfStudy`.
OF_STUDY = "of_study"

#: Values that a message lists.
_MOST_VALUES = 20


class Selection:
    """The conditions of an entry, and which of their values there are."""

    def __init__(self, where: Given) -> None:
        self.where = where
        self._met: dict[str, dict[str, None]] = {column: {} for column in where}
        self.done: set[str] = set()
        """Columns of a table's file by which its reader has chosen."""

    def mask(self, column: str, values: Iterable[Any]) -> Mask:
        """Tell whether each value of a column is chosen."""
        # planning imports this module, and has no use for pandas otherwise
        import pandas as pd

        codes, levels = pd.factorize(pd.Series(values, dtype=object), use_na_sentinel=False)
        texts = ["" if pd.isna(value) else str(value).strip() for value in levels]
        self._met[column] |= dict.fromkeys(texts)
        return np.asarray(np.array([self.chosen(column, text) for text in texts], bool)[codes])

    def holds(self, names: Iterable[str], place: Place) -> bool:
        """Tell whether a missing trial is one of those that are chosen, as far as its place tells."""
        known = {name: "" if value is None else str(value) for name, value in zip(names, place, strict=True)}
        return all(self.chosen(column, known[column]) for column in self.where if column in known and column not in self.done)

    def names(self, column: str, text: str) -> bool:
        """Return True if a value of a column is chosen, or no condition is on it."""
        return column not in self.where or self.chosen(column, text)

    def check(self, where: str, columns: Iterable[str] | None = None) -> None:
        """Check that every value of the conditions (on some columns) is there."""
        for column in (name for name in self.where if columns is None or name in columns):
            met = self._met[column]
            for value in self._wanted(column)[0]:
                if not any(_same(text, value) for text in met):
                    listed = ", ".join(repr(shown(text)) for text in list(met)[:_MOST_VALUES])
                    hint = did_you_mean(str(value), met, f"it has {listed or 'none'}.")
                    raise UserError(f"{where}: `where` names {value!r}, which is no value of {column!r}; {hint}")

    def chosen(self, column: str, text: str) -> bool:
        """Tell whether a value of a column is chosen."""
        wanted, positive = self._wanted(column)
        return any(_same(text, value) for value in wanted) == positive

    def _wanted(self, column: str) -> tuple[list[Any], bool]:
        condition = self.where[column]
        positive = not isinstance(condition, Mapping)
        values = condition if positive else condition["not"]
        return (list(values) if isinstance(values, list | tuple) else [values]), positive


def _same(text: str, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return text.lower() == str(wanted).lower()
    return number(text) == wanted if isinstance(wanted, int | float) else text == str(wanted)


@dataclass(frozen=True)
class OfStudy:
    """The trials that a study takes of all its sources.

    Attributes
    ----------
    best_known : str or None
        Path of the study's list of best-known values.
    """

    algorithms: Given = field(default_factory=dict)
    where: Given = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    best_known: str | None = None

    def __bool__(self) -> bool:
        return any(self.algorithms.values()) or bool(self.where or self.attributes or self.best_known)

    def takes(self, name: str) -> bool:
        """Tell whether the study takes an algorithm, as far as its name tells."""
        only = self.algorithms.get("only")
        return (only is None or fits(name, only)) and not fits(name, self.algorithms.get("except") or ())

    def called(self, name: str) -> str:
        """Return what the study calls an algorithm; a `*` in a new name is what the pattern's `*` matched."""
        rename: Mapping[str, str] = self.algorithms.get("rename") or {}
        old = name if name in rename else next((one for one in rename if fits(name, [one])), name)
        match = wildcards(old).fullmatch(name)
        held = iter(match.groups() if match and old != name else ())
        return re.sub(r"\*", lambda _: next(held, "*"), rename.get(old, name))

    def called_of(self, names: Iterable[str]) -> dict[str, str | None]:
        """Return by its name in the logs what the study calls each algorithm; None where it does not take it."""
        return {name: self.called(name) if self.takes(name) else None for name in names}

    def kept(self, algorithm: str, problem: str) -> bool:
        """Tell whether the study takes the trials of an algorithm on a problem; both as the source names them."""
        names = {"algorithm": self.called(algorithm), "problem": problem}
        return self.takes(algorithm) and all(
            self._chosen.chosen(attribute, known[attribute].get(names[key], ""))
            for key, known in self.attributes.items()
            for attribute in self.where
            if attribute in known
        )

    @cached_property
    def _chosen(self) -> Selection:
        return Selection(self.where)

    def mask(self, trials: pa.Table) -> Mask:
        """Return which trials the study takes; algorithms are as the source names them."""
        of_pair, pairs = keys.cells(trials, ["algorithm", "problem"])
        return np.asarray(np.array([self.kept(*pair.values()) for pair in pairs.to_pylist()], bool)[of_pair])

    def renamed(self, table: pa.Table) -> pa.Table:
        """Return a table of trials or traces with the study's names of algorithms."""
        return (
            schema.renamed(table, "algorithm", {name: self.called(name) for name in table["algorithm"].unique().to_pylist()})
            if table.num_rows
            else table
        )

    def tell_missing(self, result: Given, where: str, report: Report) -> None:
        """Report the problems and (renamed) algorithms of a source for which an attribute is not known."""
        for key, known in self.attributes.items():
            for attribute, values in known.items():
                for name in result[f"{key}s"]:
                    if name not in values:
                        report.add("attribute_missing", where, None, key=key, name=name, attribute=attribute)
