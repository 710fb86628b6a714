"""A table as a study asks for it: some rows and columns of one that it has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.errors import UserError
from benchmill.core.options import option, some
from benchmill.text import display, frames


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A table to order: some of one that the study has."""

    table: str = option("The table that it is made from, such as `ert_ert`: one of those below `results/<study>/tables/`.")
    name: str = option("Name of its files.", pattern="^[A-Za-z][A-Za-z0-9_]*$")
    dimensions: tuple[int, ...] | None = some("The dimensions that are shown; by default all.")
    targets: tuple[float, ...] | None = some("The targets that are shown; by default those of the table.")
    budgets: tuple[float, ...] | None = some("The budgets that are shown; by default all.")
    problems: tuple[str, ...] | None = some("The problems that are shown; by default all.")
    algorithms: tuple[str, ...] | None = some(
        """The algorithms that are shown, in this order where they are columns; by default all. What is best, and all ranks and
        tests, stay as they are among all of the study."""
    )
    layout: Literal["blocks"] | None = option(
        """`blocks`, of a table of expected running times, as COCO lays it out: one for each problem, in which targets are
        columns, the first row is the smallest ERT of any algorithm, and the others are multiples of it, the control first; with
        `width: text` two beside each other.""",
        None,
    )
    width: Literal["column", "text"] | None = option(
        """Where it shall stand: in a `column`, or across the `text` (in a `table*`). What does not fit there is refused. By
        default a table fits both, in several parts where it must.""",
        None,
    )


#: Keys by which rows of results are chosen, and the columns that they choose in.
_COLUMNS = {"dimensions": "dimension", "targets": "target", "budgets": "at_budget", "problems": "problem"}


def chosen(data: Mapping[str, Any], of: Sequence[str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results that a table is made from, with the rows that are asked for. Raises UserError if there are none."""
    found = dict(data)
    for key, column in _COLUMNS.items():
        wanted = asked.get(key)
        if not wanted:
            continue
        there: dict[Any, None] = {}
        for name in of:
            table = found.get(name)
            if isinstance(table, pa.Table) and column in table.column_names and table.num_rows:
                found[name], values = _rows(table, column, wanted)
                there.update(dict.fromkeys(values))
        known = [value for value in there if value is not None]
        if absent := [value for value in wanted if not any(frames.same(value, other) for other in known)]:
            choice = f"expected some of {display.listed([_said(key, value) for value in known])}; choose among these"
            other = f"but {asked['table']} is not kept apart by {column.removeprefix('at_')}; leave {key} out"
            raise UserError(f"tables: {asked['name']}: {key}: found {absent[0]!r}, {choice if known else other}.")
    return found


def _rows(table: pa.Table, column: str, wanted: Sequence[Any]) -> tuple[pa.Table, list[Any]]:
    values = table.column(column)
    different = pc.unique(values).to_pylist()
    kept = [value for value in different if value is not None and any(frames.same(value, other) for other in wanted)]
    if pa.types.is_dictionary(values.type):
        values = values.cast(pa.string())
    return table.filter(pc.is_in(values, pa.array(kept, values.type))), different


def _said(key: str, value: Any) -> str:
    return display.target(value) if key in ("targets", "budgets") else str(value)


def ordered(table: display.Table, data: Mapping[str, Any], asked: Mapping[str, Any]) -> display.Table:
    """Return the table under its own name, with the algorithms that are asked for, and a caption that says what was chosen."""
    # blocks have rows of the algorithms that are asked for
    if asked.get("algorithms") and not asked.get("layout"):
        table = _with_algorithms(table, data, asked)
    said = frames.chosen_words(asked, _COLUMNS)
    words = f" Shown of the results: {said} only." if said else ""
    if asked.get("algorithms"):
        n = len(asked["algorithms"])
        words += f" Only {n} of the study's algorithms {'is' if n == 1 else 'are'} shown; what is best is so among all of them."
    return replace(table, name=asked["name"], caption=f"{table.caption}{words}", place="asked")


def _with_algorithms(table: display.Table, data: Mapping[str, Any], asked: Mapping[str, Any]) -> display.Table:
    names = sorted({*frames.algorithms(data), *asked["algorithms"]})
    # tables cut names to the room that they have
    full = {short: name for limit in (24, 32) for name, short in display.short_names(names, limit).items()}
    columns = {full[column.header]: i for i, column in enumerate(table.columns) if column.header in full}
    keys = [i for i, column in enumerate(table.columns) if column.key]
    rows_of = {full[row[i].text] for section in table.sections for row in section.rows for i in keys if row[i].text in full}
    if absent := [name for name in asked["algorithms"] if name not in columns and name not in rows_of]:
        known = display.listed(sorted({*columns, *rows_of})) or "none: the table is not of algorithms"
        raise UserError(f"tables: {asked['name']}: algorithms: found {absent[0]!r}, expected some of {known}.")
    if columns:
        order = [i for i in range(len(table.columns)) if i not in columns.values()] + [columns[n] for n in asked["algorithms"]]
        sections = tuple(replace(s, rows=tuple(tuple(row[i] for i in order) for row in s.rows)) for s in table.sections)
        return replace(table, columns=tuple(table.columns[i] for i in order), sections=sections)
    wanted = set(asked["algorithms"])
    sections = tuple(
        replace(s, rows=tuple(row for row in s.rows if {full[row[i].text] for i in keys if row[i].text in full} <= wanted))
        for s in table.sections
    )
    return replace(table, sections=tuple(section for section in sections if section.rows))
