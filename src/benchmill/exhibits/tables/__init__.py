"""The tables of a study as people read them: one object becomes LaTeX, CSV, Markdown and HTML."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Given, UserError
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import forms, latex, numbers, profiles, solver_runs, verdicts
from benchmill.exhibits.tables.fields import Results
from benchmill.exhibits.tables.verdicts import primary
from benchmill.registry.tables import KINDS, Kind
from benchmill.text import display, frames, labels
from benchmill.text.measures import floored
from benchmill.text.sentences import leader
from benchmill.text.settings import Asked, Settings

__all__ = ["FORMATS", "KINDS", "Results", "build", "latex", "leader", "numbers", "primary", "runs", "summary", "verdict", "write"]

#: How a table is written, by the suffix of the file.
FORMATS: dict[str, Callable[[display.Table], str]] = {
    ".tex": latex.render,
    ".csv": forms.csv,
    ".md": forms.markdown,
    ".txt": lambda table: f"{table.caption}\n",
}


def build(kind: str, data: frames.Data, settings: Given) -> display.Table:
    """Make a table of a study: `kind` is a key of `KINDS`.

    `data` are Arrow tables by schema, with `ingest`, `config` and `origins`; `settings` are those of
    `benchmill.text.settings.Settings`, as far as needed. Raises UserError if a kind, a key or a value is not there.
    """
    if kind not in KINDS:
        raise UserError(f"tables: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    about = Settings.parsed(settings)
    about = replace(about, control=frames.control(about.control, frames.algorithms(data)) or about.control)
    if about.asked is None:
        return _built(KINDS[kind], Results(data, about))
    tables_read = list(dict.fromkeys(name.split("/")[0] for name in KINDS[kind].tables))
    return _ordered(_built(KINDS[kind], Results(_chosen(data, tables_read, about.asked), about)), data, about.asked)


def _built(kind: Kind, results: Results) -> display.Table:
    table: display.Table = kind.build(results)
    measure = results.measure
    if kind.budgets and measure.kind.values and measure.per_dimension:
        table = replace(table, caption=f"{table.caption} Budgets are in evaluations/dimension.")
    floor_sentence = floored(results.data.get("indicators"), [measure])
    return replace(table, caption=f"{table.caption} {floor_sentence}") if floor_sentence else table


def runs(data: frames.Data, settings: Given) -> list[str]:
    """Say how runs of solvers end; `settings` as of `build`."""
    return solver_runs.sentences(Results(data, Settings.parsed(settings)))


def summary(data: frames.Data, settings: Given) -> list[str]:
    """Say what the profiles of one measure and variant show; `settings` as of `build`."""
    return profiles.summary(Results(data, Settings.parsed(settings)))


def verdict(data: frames.Data, settings: Given) -> list[str]:
    """Say what can be claimed of a measure; `settings` as of `build`."""
    return verdicts.verdict(Results(data, Settings.parsed(settings)))


def write(table: display.Table, path: str | Path, layout: Given | None = None) -> None:
    """Write a table in the format of the file's suffix; `layout` has keywords of `benchmill.exhibits.tables.latex.render`."""
    path = Path(path)
    write_text(path, latex.render(table, **(layout or {})) if path.suffix == ".tex" else FORMATS[path.suffix](table))


def _chosen(data: frames.Data, names: Sequence[str], asked: Asked) -> dict[str, Any]:
    """Return the results that a table is made from, with the rows that are asked for. Raises UserError if there are none."""
    results = dict(data)
    for key, wanted in asked.chosen.items():
        if not wanted:
            continue
        column = frames.CHOSEN[key]
        tables = {name: results[name] for name in names if isinstance(results.get(name), pa.Table)}
        values = {name: table[column] for name, table in tables.items() if column in table.column_names and table.num_rows}
        known = list(dict.fromkeys(value for one in values.values() for value in one.unique().drop_null().to_pylist()))
        if absent := [value for value in wanted if not frames.among(value, known)]:
            choice = f"expected some of {display.listed([frames.said(key, value) for value in known])}; choose among these"
            other = f"but {asked.table} is not split by {column.removeprefix('at_')}; leave {key} out"
            raise UserError(f"tables: {asked.name}: {key}: found {absent[0]!r}, {choice if known else other}.")
        kept = [value for value in known if frames.among(value, wanted)]
        for name, one in values.items():
            plain = one.cast(pa.string()) if pa.types.is_dictionary(one.type) else one
            results[name] = tables[name].filter(pc.is_in(plain, pa.array(kept, plain.type)))
    return results


def _ordered(table: display.Table, data: frames.Data, asked: Asked) -> display.Table:
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

    def named(row: Sequence[display.Cell]) -> set[str]:
        return {full[row[i].text] for i in keys if row[i].text in full}

    there = set(columns).union(*map(named, table.rows))
    if absent := [name for name in wanted if name not in there]:
        known = display.listed(sorted(there)) or "none: the table is not of algorithms"
        raise UserError(f"tables: {asked}: algorithms: found {absent[0]!r}, expected some of {known}.")
    if columns:
        order = [i for i in range(len(table.columns)) if i not in columns.values()] + [columns[n] for n in wanted]
        sections = tuple(replace(s, rows=tuple(tuple(row[i] for i in order) for row in s.rows)) for s in table.sections)
        return replace(table, columns=tuple(table.columns[i] for i in order), sections=sections)
    sections = tuple(replace(s, rows=tuple(row for row in s.rows if named(row) <= set(wanted))) for s in table.sections)
    return replace(table, sections=tuple(section for section in sections if section.rows))
