"""The common parts of all objects of a notebook."""

from __future__ import annotations

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.tables import build, forms, latex
from benchmill.text.display import Table
from benchmill.text.frames import frame

#: A key of a configuration with its value, as messages write it.
_KEY = re.compile(r"`(\w+): ([^`{}\[\]]+)`|\b(missing|scale|kind|reciprocal|per_dimension|floor): (\w+)")


@dataclass(frozen=True, eq=False, repr=False)
class Shown(ABC):
    """An object of a notebook: data that do not change, and how they are shown."""

    @property
    @abstractmethod
    def table(self) -> Table:
        """The object as a table of a paper."""

    @property
    def caption(self) -> str:
        """The caption of the table."""
        return self.table.caption

    def to_latex(self) -> str:
        """Return the table as LaTeX, for `booktabs`."""
        return latex.render(self.table)

    def to_markdown(self) -> str:
        """Return the table as Markdown, with its title and caption."""
        return forms.markdown(self.table)

    def to_html(self) -> str:
        """Return the table as HTML."""
        return forms.html(self.table)

    def __repr__(self) -> str:
        return forms.terminal(self.table)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return _same(self, other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False, repr=False)
class Result(Shown):
    """A result for one measure: `data` has tables by name and `ingest`, `settings` what they were made with."""

    #: The kind of table that is shown of it.
    kind_of_table: ClassVar[str]

    _data: Mapping[str, Any] = field(repr=False)
    _settings: Mapping[str, Any]

    @property
    def table(self) -> Table:
        """The object as a table of a paper."""
        return build(self.kind_of_table, self._data, self._settings)

    @property
    def data(self) -> Mapping[str, Any]:
        """The tables by name, and the reports of the sources; they cannot be replaced."""
        return MappingProxyType(self._data)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings, defaults too: a copy."""
        return own(self._settings)


def _same(one: Any, other: Any) -> bool:
    """Compare two values, an undefined number being equal to another."""
    if isinstance(one, pa.Table) and isinstance(other, pa.Table):
        # a chunk or a dictionary of its own makes no difference
        return bool(one.schema.equals(other.schema) and plain(one).equals(plain(other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if is_dataclass(one) and is_dataclass(other) and type(one) is type(other):
        return all(_same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, partial) and isinstance(other, partial):
        return one.func == other.func and _same(one.args, other.args)
    return bool(one == other)


def plain(table: pa.Table | None) -> pd.DataFrame:
    """Return a table of benchmill as a DataFrame: text is categorical in natural order."""
    return frame(table)


def frame_of(name: str, words: str, of_measure: bool = False) -> pd.DataFrame:
    """Return a property: a table of an object as a DataFrame."""

    def get(self: Result) -> pd.DataFrame:
        return frame(self.data.get(name), self.settings["measure"]["name"] if of_measure else None)

    found: Any = property(get, doc=words)
    return cast(pd.DataFrame, found)


def own(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings that can be changed without changing those of an object."""
    return copy.deepcopy(dict(settings))


def names(value: str | Sequence[str]) -> list[str]:
    """Return one name or several as a list."""
    return [value] if isinstance(value, str) else list(value)


@contextmanager
def in_own_words(advice: str | None = None, rows: pd.Index | None = None) -> Iterator[None]:
    """Tell a user's mistake with keywords for keys, the caller's `rows` for lines, and other `advice`."""
    try:
        yield
    except UserError as error:
        text = str(error)
        if advice is not None:
            text = f"{text.rpartition('; ')[0] or text.rstrip('.')}; {advice}."
        if rows is not None:
            text = re.sub(r"\bDataFrame:(\d+)", lambda match: f"row {rows[int(match[1]) - 1]!r} of the DataFrame", text)
        text = _KEY.sub(lambda match: f"{match[1] or match[3]}={_python(match[2] or match[4])}", text)
        raise type(error)(text) if type(error) is UserError else UserError(text) from None


def _python(value: str) -> str:
    if value in ("true", "false"):
        return value.capitalize()
    return value if re.fullmatch(r"[-+.0-9e]+|\.\.\.", value) else repr(value)
