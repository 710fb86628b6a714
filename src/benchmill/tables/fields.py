"""Columns of results: the head, its meaning, and how a row becomes the cell below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import records

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A column, how its cells are made, and the name of the value by which the best are marked (empty for none)."""

    column: Column
    cell: Callable[[Row], Cell]
    marked: str = ""


def words(
    header: str,
    of: Callable[[Row], str],
    meaning: str = "",
    *,
    align: str = "l",
    key: bool = False,
    wrap: bool = False,
    bold: Callable[[Row], Any] | None = None,
) -> Field:
    """Return a column of words; `bold` tells whether a row is marked."""

    def cell(row: Row) -> Cell:
        return Cell(of(row), best=bold is not None and bool(bold(row)))

    return Field(Column(header, align, meaning, key, wrap), cell)


def said(header: str, name: str = "", wrap: bool = False) -> Field:
    """Return a column of words that rows have under its head or the given name."""
    return words(header, lambda row: str(row[name or header]), wrap=wrap)


def named(header: str, shown: Mapping[str, str], name: str = "algorithm", meaning: str = "") -> Field:
    """Return the column that says whose the rows are; `shown` are the names as they are written."""
    return words(header, lambda row: shown[row[name]], meaning, key=True)


def numbers(
    header: str,
    name: str,
    meaning: str = "",
    form: Callable[[Any], str] = display.number,
    *,
    of: Callable[[Row], str] | None = None,
    align: str = "r",
    key: bool = False,
    bold: Callable[[Row], Any] | None = None,
) -> Field:
    """Return a column of values, by which it is sorted: written by `form`, or of the whole row by `of`."""

    def cell(row: Row) -> Cell:
        value = row[name]
        text = form(value) if of is None else of(row)
        return Cell(text, float(value) if isinstance(value, bool) else value, bold is not None and bool(bold(row)))

    return Field(Column(header, align, meaning, key), cell, name)


def decided(meaning: str, p: str = "p_adjusted") -> Field:
    """Return the column that says whether something is significant, or left to chance; a dash without a p value."""

    def word(row: Row) -> str:
        if row.get("p_low") is not None:
            return "undecided"
        return display.ABSENT if row[p] is None else "yes" if row["significant"] else "no"

    return numbers("significant", "significant", meaning, of=word, align="l")


def heads(fields: Sequence[Field]) -> tuple[Column, ...]:
    """Return the columns of a table."""
    return tuple(field.column for field in fields)


def lines(
    fields: Sequence[Field],
    rows: pd.DataFrame | Iterable[Row],
    best: Mapping[str, Any] | None = None,
    own: Callable[[Row], Any] | None = None,
) -> list[tuple[Cell, ...]]:
    """Return the rows of a table, with the values in `best` marked in rows for which `own` is true."""
    found = []
    for row in records(rows) if isinstance(rows, pd.DataFrame) else rows:
        marks = best if best and (own is None or own(row)) else {}
        top = {name for name, value in marks.items() if row[name] == value}
        cells = ((field.cell(row), field.marked in top) for field in fields)
        found.append(tuple(replace(cell, best=True) if is_top else cell for cell, is_top in cells))
    return found


def section(heading: str, fields: Sequence[Field], rows: pd.DataFrame | Iterable[Row], *marks: Any) -> Section:
    """Return rows below a heading; parameters as of `lines`."""
    return Section(heading, tuple(lines(fields, rows, *marks)))


def plain(name: str, title: str, caption: str, fields: Sequence[Field], rows: Iterable[Row]) -> Table:
    """Return a table without headings."""
    return Table(name, title, caption, heads(fields), (section("", fields, rows),))


def alone(rows: Iterable[tuple[Cell, ...]]) -> tuple[Section, ...]:
    """Return the one section of a table without headings; none without rows."""
    found = tuple(rows)
    return (Section("", found),) if found else ()
