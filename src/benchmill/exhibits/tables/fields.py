"""Names, captions and columns of tables, as `fields.toml` has them, and how rows become cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from benchmill.core import Given, beside, natural_key
from benchmill.registry.tables import Kind
from benchmill.text import display, labels, prose
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import Data, Frame, Row, Series, frame, records, short_names
from benchmill.text.measures import Measure
from benchmill.text.settings import Settings

_WORDS = beside.toml(__file__)


def _cost(value: float | None) -> str:
    """Write four digits; of tens of thousands of seconds all before the point."""
    return display.count(round(value)) if value is not None and 1e4 <= value < 1e6 else display.number(value, 4)


def _whole(value: float | None) -> str:
    return display.count(value) if value is None or float(value).is_integer() else display.number(value)


#: How `fields.toml` calls the ways to write a number.
FORMS: dict[str, Callable[[Any], str]] = {
    "cost": _cost,
    "count": display.count,
    "four": partial(display.number, digits=4),
    "number": display.number,
    "p": display.p_value,
    "plain": str,
    "probability": lambda value: f"{value:.0f}" if value in (0.0, 1.0) else display.share(value),
    "share": display.share,
    "target": display.target,
    "tenths": lambda value: f"{value:.1f}".removesuffix(".0"),
    "two": partial(display.number, digits=2),
    "whole": _whole,
    "yes": lambda value: "yes" if value else display.ABSENT,
    "whole_number": lambda value: display.ABSENT if value is None else str(value),
}


@dataclass(frozen=True)
class Results:
    """The results of a study that a table is made of.

    Attributes
    ----------
    data : mapping
        Arrow tables by schema, and `ingest`, `config`, `origins`.
    about : Settings
        What is known of the study.
    """

    data: Data
    about: Settings

    @property
    def measure(self) -> Measure:
        """Return the measure."""
        return self.about.measure

    def rows(self, table: str, **chosen: Any) -> Frame:
        """Return rows of the measure, chosen as by `frame`; empty without the table."""
        return frame(self.data.get(table), self.measure.name, **chosen)

    def names(self, rows: Frame, limit: int = 32) -> dict[str, str]:
        """Return the names of the algorithms of rows, or of their pairs, as all tables of the study write them."""
        sides = (rows[column].dropna().unique() for column in ("algorithm", "algorithm_a", "algorithm_b") if column in rows)
        return short_names(self.data, chain.from_iterable(sides), limit)


@dataclass(frozen=True)
class Field:
    """A column, how its cells are made, and the value by which the best are marked."""

    column: Column
    cell: Callable[[Row], Cell]
    marked: str = ""


def kinds(**made_by: Callable[[Results], Table]) -> tuple[Kind, ...]:
    """Return the entries of tables, each with the function that makes it."""
    entries = {table: beside.fixed({"name": table, **_WORDS[table]["entry"]}) for table in made_by}
    return tuple(Kind(build=made_by[table], **entry) for table, entry in entries.items())


def columns(
    table: str,
    shown: Mapping[str, str] | None = None,
    of: Mapping[str, Callable[[Row], str]] | None = None,
    *,
    bold: Mapping[str, Callable[[Row], Any]] | None = None,
    without: Collection[str] = (),
    **words: Any,
) -> list[Field]:
    """Return the columns of a table.

    `shown` are names of algorithms as they are written; by the name of a value, `of` writes rows otherwise and `bold` marks them;
    `words` stand in heads and meanings.
    """
    return [
        _field(spec, shown or {}, of or {}, bold or {}, words)
        for spec in _WORDS[table]["columns"]
        if spec.get("value", spec["head"]) not in without
    ]


def _field(
    spec: Given,
    shown: Mapping[str, str],
    of: Mapping[str, Callable[[Row], str]],
    bold: Mapping[str, Callable[[Row], Any]],
    words: Given,
) -> Field:
    name, kind = spec.get("value", spec["head"]), spec.get("kind", "number")
    own_form, marked = of.get(name), bold.get(name)
    written: Given = {"name": lambda value: shown[value], "text": str}
    form = written.get(kind, FORMS[spec.get("form", "number")])

    def cell(row: Row) -> Cell:
        text, value = form(row[name]) if own_form is None else own_form(row), row[name] if kind == "number" else None
        return Cell(text, float(value) if isinstance(value, bool) else value, bool(marked and marked(row)))

    column = Column(
        prose.filled(spec["head"], **words),
        spec.get("align", "r" if kind == "number" else "l"),
        prose.filled(spec.get("meaning", ""), **words),
        spec.get("key", kind == "name"),
        spec.get("wrap", False),
    )
    return Field(column, cell, spec.get("marked", name if kind == "number" else ""))


def value(header: str, name: str, meaning: str, form: Callable[[Any], str] = display.number) -> Field:
    """Return a column of values that is not in `fields.toml`, since the study names it."""
    return Field(Column(header, "r", meaning), lambda row: Cell(form(row[name]), row[name]), name)


def decided(p: str = "p_adjusted") -> Callable[[Row], str]:
    """Return what says of a row whether it is significant, or left to chance."""

    def word(row: Row) -> str:
        if row.get("p_low") is not None:
            return "undecided"
        return display.ABSENT if row[p] is None else "yes" if row["significant"] else "no"

    return word


def lines(
    fields: Sequence[Field],
    rows: Frame | Iterable[Row],
    best: Row | None = None,
    own: Callable[[Row], Any] | None = None,
) -> list[tuple[Cell, ...]]:
    """Return the rows of a table, with the values in `best` marked where `own` is true."""
    rows_of_cells = []
    for row in records(rows) if hasattr(rows, "columns") else rows:
        marks = best if best and (own is None or own(row)) else {}
        top = {name for name, value in marks.items() if row[name] == value}
        cells = ((field.cell(row), field.marked in top) for field in fields)
        rows_of_cells.append(tuple(replace(cell, best=True) if is_top else cell for cell, is_top in cells))
    return rows_of_cells


def section(heading: str, fields: Sequence[Field], rows: Frame | Iterable[Row], *marks: Any) -> Section:
    """Return rows below a heading."""
    return Section(heading, tuple(lines(fields, rows, *marks)))


def exhibit(
    table: str, fields: Sequence[Field], sections: Iterable[Section], measure: Measure | None = None, **words: Any
) -> Table:
    """Return a table with its title and caption, in which `words` and a measure are filled in."""
    entry = _WORDS[table]
    if measure is not None:
        words = {"file": labels.file_name(measure.name), "measure": measure, **words}
    # of sentences that are empty no blanks are left
    name, title, caption = (
        re.sub(" +", " ", prose.filled(entry.get(key, ""), **words)).strip() for key in ("name", "title", "caption")
    )
    return Table(
        name or table, title, caption, tuple(field.column for field in fields), tuple(sections), entry.get("place", "results")
    )


def alone(table: str, fields: Sequence[Field], rows: Frame | Iterable[Row], *marks: Any, **words: Any) -> Table:
    """Return a table without headings."""
    only = section("", fields, rows, *marks)
    return exhibit(table, fields, (only,) if only.rows else (), **words)


#: A section of a table shows all pairs up to this number: those of 14 algorithms.
MOST = 100

#: Of more, it shows so many of those with one algorithm.
NEAREST = 30


def cut(sections: Iterable[Frame]) -> str:
    """Return what a caption says of sections with too many pairs; empty where there are none."""
    if all(len(rows) <= MOST for rows in sections):
        return ""
    return (
        f"Where a section has more than {MOST} pairs, it shows those of the control, or else of the algorithm that is best over "
        f"all pairs, with the {NEAREST} that come nearest to it; the others are counted."
    )


def section_of_pairs(
    heading: str,
    fields: Sequence[Field],
    rows: Frame,
    effect: Series,
    control: str | None,
    turned: Callable[[Row], Row],
    file: str,
    counted_words: Mapping[str, str],
) -> Section:
    """Return pairs below a heading, those of too many counted in one more row.

    `counted_words` stand in this row below the heads (`{n}` significant).
    `effect` says how much better the first of each pair is. The better one is `first` in the table; `turned` says the values of
    a row, whose `turn` is -1 where that is `algorithm_b`.
    """
    shown, rest = apart(rows, effect, control)
    back, (a, b) = effect[shown.index] < 0, (shown[column].astype(object) for column in ("algorithm_a", "algorithm_b"))
    shown = shown.assign(turn=np.where(back, -1, 1), first=a.mask(back, b), second=b.mask(back, a))
    shown_lines = lines(fields, map(turned, records(shown)))
    if len(rest):
        n = display.count(int(rest["significant"].sum())) if "significant" in rest else ""
        left = (Cell(counted_words.get(field.column.header, display.ABSENT).format(n=n)) for field in fields[2:])
        shown_lines.append((Cell(f"{display.count(len(rest))} more pairs"), Cell(f"in {file}"), *left))
    return Section(heading, tuple(shown_lines))


def apart(rows: Frame, effect: Series, control: str | None = None) -> tuple[Frame, Frame]:
    """Part the pairs of a section into those shown and the others; none is left out up to `MOST`.

    Shown are the `NEAREST` by `effect` of those with the control, or else with the algorithm of the largest sum.
    """
    if len(rows) <= MOST:
        return rows, rows.iloc[:0]
    first, second = (rows[column].astype(str) for column in ("algorithm_a", "algorithm_b"))
    known = effect.fillna(0.0)
    total = known.groupby(first).sum().sub(known.groupby(second).sum(), fill_value=0.0)
    total = total.loc[sorted(total.index, key=natural_key)]
    center = control if control in total.index else str(total.idxmax())
    own = np.flatnonzero((first == center) | (second == center))
    chosen = np.isin(np.arange(len(rows)), own[np.argsort(known.abs().to_numpy()[own], kind="stable")[:NEAREST]])
    return rows[chosen], rows[~chosen]
