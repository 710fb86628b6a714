"""Tables: one row per trial, per improvement within a trial, or per published mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.readers import (
    blocks,
    interface,
    same_content,
    selection,
    solver_runs,
    table_files,
    table_presets,
    table_proposal,
)
from benchmill.readers.archive import View
from benchmill.readers.interface import Asked, Found, Incomplete, Proposal, Report, rules
from benchmill.readers.selection import Selection
from benchmill.readers.table_options import PRESETS, Options
from benchmill.readers.table_rows import SUFFIX, columns_of, load, rows_of
from benchmill.readers.table_trials import costs, traces_of

#: Rows that are shown to whoever is asked about a table, and tables in a text.
_SHOWN, _MOST_TABLES = 3, 6

RULES = {
    **rules("table"),
    **same_content.RULES,
    **{rule: solver_runs.RULES[rule] for rule in ("solvers_disagree", "cut_line")},
    "row_before_first": blocks.RULES["row_before_first"],
}


def sniff(view: View) -> Found | None:
    """Recognise Parquet, Arrow, and text with at least two names and as many cells below; in folders also by their suffixes."""
    if view.members and table_presets.of(view):
        return Found("table")
    if not view.members or (view.kind != "file" and not all(SUFFIX.search(m.name) for m in view.members)):
        return None
    name = view.members[0].name
    head = view.head(name, 65536)
    if head.startswith(table_files.TYPED):
        # a folder may have a zip of something else
        return Found("table") if not head.startswith(b"PK") or SUFFIX.search(name) or view.kind == "file" else None
    try:
        head = table_files.plain(name, head[: len(head) // 2 * 2])
    except UserError:
        return None
    if b"\0" in head:
        return None
    if table_files.begins_as_json(head):
        return Found("table")
    lines = [
        line
        for line in head.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
        if line.strip() and not line.startswith("#")
    ]
    # the last line of the head may be a part of one
    lines = unframed(lines[:-1] if len(lines) > 3 else lines)
    if len(lines) < 2:
        return None
    separator = table_files.separator_of(lines[0])
    names = [cell.strip().strip('"') for cell in lines[0].split(separator)]
    # the first column may be an index without a name
    plain = all(re.search(r"[A-Za-z]", n) for n in (names if names[0] else names[1:]))
    if len(names) < 2 or not plain or ("," in separator and lines[1].count(separator) < len(names) - 1):
        return None
    return Found("table")


def read(view: View, options: Options, report: Report) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Read all rows, in natural order of suite, problem and dimension, then in order of appearance."""
    options = table_presets.chosen(view, options, report)
    cells, options = load(view, options, report)
    maximise = options.direction == "max"
    if cells.kind == "trace":
        if options.direction is None:
            report.add("direction_assumed", cells.files[0].name, 1, "smaller values are taken to be better")
        yield traces_of(cells, maximise, options.counted_from, report)
    else:
        yield costs(cells, maximise, options, report)


def propose(view: View, entry: Mapping[str, Any]) -> Iterator[Proposal]:
    """Propose an entry where known names tell all of it and reading by it leaves no doubt."""
    asked = ask(view, entry)
    if asked is not None and not asked.questions:
        yield Proposal(asked.options)


def ask(view: View, entry: Mapping[str, Any]) -> Asked | None:
    """Return the first rows, what the names of columns tell, and what they leave open."""
    layout: dict[str, Any] = {}
    try:
        layout = _layout(view, entry)
        taken = table_presets.chosen(view, Options(**{**entry, **layout}), Report(RULES))
        table, given, _ = rows_of(view, taken, Report(RULES))
        if taken.preset in PRESETS:
            entry = {**entry, "columns": {**table_presets.with_columns(taken, table).columns}}
    except Incomplete as error:
        return Asked(_first_lines(view), layout, (f"{error.found}; {error.remedy}.",))
    except UserError as error:
        return Asked(_first_lines(view), layout, (f"It cannot be read as a table: {error}",)) if view.kind == "file" else None
    except TypeError:
        return None
    frame = table[columns_of(table)].apply(lambda column: column.str.strip())
    told = table_proposal.told(frame, {**entry, "constants": {**dict.fromkeys(given, ""), **entry.get("constants", {})}})
    if told is None:
        question = "In which lines does a table stand (`lines: first-last`), and what is between its cells (`separator: ...`)?"
        return Asked(lines, {}, (question,)) if view.kind == "file" and (lines := _first_lines(view)) else None
    options, questions = layout | told.options, list(told.questions)
    if not questions:
        report = Report({**interface.RULES, **selection.RULES, **RULES})
        chosen = Options(**{**entry, **options})
        report.selection = Selection(chosen.where) if chosen.where else None
        try:
            for _ in read(view, chosen, report):
                pass
        except UserError as error:
            questions.append(f"So it cannot be read: {error}")
        questions += [question for proposal in report.asked for question in proposal.questions]
        doubtful = [] if report.asked else [RULES[rule] for rule in report.counts if rule in RULES and RULES[rule].doubtful]
        questions += [rule.meaning for rule in doubtful]
    rows = [list(frame), *frame.head(_SHOWN).to_numpy().tolist()]
    return Asked(rows, options, tuple(dict.fromkeys(questions)))


def _first_lines(view: View) -> list[list[str]]:
    data = view.unpacked_head(view.members[0].name, 65536)
    lines = [] if b"\0" in data else data.decode("utf-8", "replace").splitlines()
    return [[line] for line in lines if line.strip()][: _SHOWN + 1]


def _layout(view: View, entry: Mapping[str, Any]) -> dict[str, Any]:
    name = next((m.name for m in view.members if view.kind == "file" or SUFFIX.search(m.name)), None)
    data = view.unpacked_head(name, 65536) if name else b""
    if table_files.begins_as_json(data) and "records" not in entry and name:
        try:
            paths = table_files.paths_in(json.loads(view.unpacked(name)))
        except (ValueError, RecursionError):
            paths = []
        return {"records": paths[0]} if len(paths) == 1 else {}
    if {"separator", "header"} & entry.keys() or not table_files.is_text(data):
        return {}
    if view.kind == "file" and "lines" not in entry and sniff(view) is None and name:
        tables = table_files.tables_in(view.unpacked(name).decode("utf-8", "replace"))
        if len(tables) > 1:
            listed = " or ".join(f"`lines: {lines}`" for lines in [*tables][:_MOST_TABLES])
            raise Incomplete(f"{name}: {len(tables)} tables are in its text", f"say in which lines the one to read is, {listed}")
        for lines, separator in tables.items():
            first, last = map(int, lines.split("-"))
            whole = sum(1 for line in view.unpacked(name).splitlines() if line.strip()) == last - first + 1
            return ({} if whole else {"lines": lines}) | ({"separator": separator} if separator != "|" else {})
    line = next((line for line in data.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    return {"separator": " "} if line.split()[1:] and not table_files.has_separator(line) else {}


def unframed(lines: list[str]) -> list[str]:
    """Return rows without the frame that Markdown and databases draw."""
    return [row for row in table_files.without_frame(lines) if row is not None]
