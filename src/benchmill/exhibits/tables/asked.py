"""A table as a study asks for it: some rows and columns of one that it has."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.errors import UserError
from benchmill.text import display, frames, labels
from benchmill.text.settings import Asked


def chosen(data: frames.Data, names: Sequence[str], asked: Asked) -> dict[str, Any]:
    """Return the results that a table is made from, with the rows that are asked for. Raises UserError if there are none."""
    results = dict(data)
    for key, wanted in asked.chosen.items():
        if not wanted:
            continue
        column = frames.CHOSEN[key]
        there: dict[Any, None] = {}
        for name in names:
            table = results.get(name)
            if isinstance(table, pa.Table) and column in table.column_names and table.num_rows:
                results[name], values = _rows(table, column, wanted)
                there.update(dict.fromkeys(values))
        known = [value for value in there if value is not None]
        if absent := [value for value in wanted if not any(frames.same(value, other) for other in known)]:
            choice = f"expected some of {display.listed([frames.said(key, value) for value in known])}; choose among these"
            other = f"but {asked.table} is not split by {column.removeprefix('at_')}; leave {key} out"
            raise UserError(f"tables: {asked.name}: {key}: found {absent[0]!r}, {choice if known else other}.")
    return results


def _rows(table: pa.Table, column: str, wanted: Sequence[Any]) -> tuple[pa.Table, list[Any]]:
    values = table.column(column)
    different = pc.unique(values).to_pylist()
    kept = [value for value in different if value is not None and any(frames.same(value, other) for other in wanted)]
    if pa.types.is_dictionary(values.type):
        values = values.cast(pa.string())
    return table.filter(pc.is_in(values, pa.array(kept, values.type))), different


def ordered(table: display.Table, data: frames.Data, asked: Asked) -> display.Table:
    """Return the table under its own name, with the algorithms that are asked for, and a caption that says what was chosen."""
    # blocks have rows of the algorithms that are asked for
    if asked.algorithms and not asked.layout:
        table = _with_algorithms(table, data, asked.name, asked.algorithms)
    selection = frames.chosen_words(asked.chosen)
    words = f" Shown of the results: {selection} only." if selection else ""
    if asked.algorithms:
        n = len(asked.algorithms)
        words += f" Only {n} of the study's algorithms {'is' if n == 1 else 'are'} shown; what is best is so among all of them."
    return replace(table, name=asked.name, caption=f"{table.caption}{words}", place="asked")


def _with_algorithms(table: display.Table, data: frames.Data, asked: str, wanted: Sequence[str]) -> display.Table:
    names = sorted({*frames.algorithms(data), *wanted})
    # tables cut names to the room that they have, and say of solvers who competes and who is the single best one
    full = {
        labels.with_role(short, role): name
        for limit, role in product((20, 24, 32), ("", "not_competing", "single_best"))
        for name, short in display.short_names(names, limit).items()
    }
    columns = {full[column.header]: i for i, column in enumerate(table.columns) if column.header in full}
    keys = [i for i, column in enumerate(table.columns) if column.key]
    rows_of = {full[row[i].text] for row in table.rows for i in keys if row[i].text in full}
    if absent := [name for name in wanted if name not in columns and name not in rows_of]:
        known = display.listed(sorted({*columns, *rows_of})) or "none: the table is not of algorithms"
        raise UserError(f"tables: {asked}: algorithms: found {absent[0]!r}, expected some of {known}.")
    if columns:
        order = [i for i in range(len(table.columns)) if i not in columns.values()] + [columns[n] for n in wanted]
        sections = tuple(replace(s, rows=tuple(tuple(row[i] for i in order) for row in s.rows)) for s in table.sections)
        return replace(table, columns=tuple(table.columns[i] for i in order), sections=sections)
    sections = tuple(
        replace(s, rows=tuple(row for row in s.rows if {full[row[i].text] for i in keys if row[i].text in full} <= set(wanted)))
        for s in table.sections
    )
    return replace(table, sections=tuple(section for section in sections if section.rows))
