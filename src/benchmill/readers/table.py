"""Tables: one row per trial, per improvement within a trial, or per published mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.readers import (
    blocks,
    interface,
    same_content,
    selection,
    solver_runs,
    table_files,
    table_json,
    table_presets,
    table_proposal,
    table_typed,
)
from benchmill.readers.archive import View
from benchmill.readers.interface import Asked, Found, Incomplete, Proposal, Report, Rule
from benchmill.readers.selection import Selection
from benchmill.readers.table_options import PRESETS, Options
from benchmill.readers.table_rows import SUFFIX, columns_of, load, rows_of
from benchmill.readers.table_trials import costs, traces_of

#: Rows that are shown to whoever is asked about a table, and tables in a text.
_SHOWN, _MOST_TABLES = 3, 6

RULES: dict[str, Rule] = {
    "budget_from_trace": Rule(
        "repaired",
        "The budget of a trial is not stated, or its rows go beyond it; its largest number of evaluations is its budget.",
    ),
    "runs_in_a_row": Rule(
        "repaired",
        "No column tells runs apart, and the evaluations of rows that otherwise are of one run begin again. Each time they do, a "
        "new run begins.",
    ),
    "running_minimum": Rule(
        "repaired",
        "A later row of a trial is worse than an earlier one; the best value so far (by violation first, where there is "
        "one) is taken.",
    ),
    "empty_is_failure": Rule("noted", "An empty cost is a failure, as the source's entry declares (`empty: failure`)."),
    "empty_is_missing": Rule(
        "noted", "An empty cost stands for a trial that was not made, as the source's entry declares (`empty: missing`)."
    ),
    "duplicate_row": Rule(
        "repaired", "A row with a stated run is the same as an earlier one in every cell that is read; it is left out."
    ),
    "censored": Rule("noted", "A time that reaches the declared limit, of a run whose outcome is not stated; it is a failure."),
    "same_largest": Rule(
        "noted",
        "Many costs are the same and the largest, or lie just above a usual limit, as where runs that failed have the time "
        "limit, a multiple of it, or what it took to stop in place of a time. They count as solved unless the entry says "
        "so (`time_limit`, `penalty`).",
        doubtful=True,
    ),
    "beyond_limit": Rule(
        "noted",
        "A time that is written as more than a number, such as `>7200`: the run had not ended by then. It is a failure, and the "
        "number is its time limit.",
    ),
    "stands_for_none": Rule(
        "noted",
        "A cost is a power of ten from 1e20 on, which solvers write for infinity. It counts as it stands unless the source's "
        "entry says what it means (`outcomes`).",
        doubtful=True,
    ),
    "row_of_totals": Rule(
        "noted",
        "A row whose problem is called total, average, or the like. It counts as a problem unless the source's entry leaves it "
        "out (`where`).",
        doubtful=True,
    ),
    "outcome_not_used": Rule(
        "noted",
        "A column that by its words, or its name and its words, says how runs ended, that has texts of errors or no number for "
        "some of them, or by its name and its numbers says what their limit was, is not read. Every run with a cost counts as "
        "solved unless the source's entry names it (`columns`, `outcomes`); in a wide table, where a column can be of one "
        "algorithm alone, give every run a row first.",
        doubtful=True,
    ),
    "key_not_used": Rule(
        "noted",
        "A column that by its name is a dimension, an instance, a suite (or, in rows of improvements, a run or a seed), or in "
        "which rows of one problem differ alike for all algorithms, is not read. Such rows count as one run, or as repetitions, "
        "unless the source's entry names it (`columns`).",
        doubtful=True,
    ),
    "several_quantities": Rule(
        "noted",
        "A column that is not read says by its name what was measured (a metric, an indicator), and rows of one algorithm on one "
        "problem differ in it. They count as repetitions; `where` chooses those of one.",
        doubtful=True,
    ),
    "several_budgets": Rule(
        "noted",
        "Rows of one algorithm on one problem have different budgets. They count as repetitions; `where` chooses those of one "
        "budget.",
        doubtful=True,
    ),
    "solved_in_doubt": Rule(
        "noted",
        "A run counts as solved by its outcome, and a column that is not read, which has a word of success for most solved runs, "
        "has another one for it; it stays solved.",
    ),
    "penalised": Rule("noted", "A failure has a multiple of the time limit in place of its time, which is not known."),
    "impossible_time": Rule("refused", "A row states a negative time; it is left out, and its trial is missing."),
    "solved_beyond_limit": Rule("noted", "A run is stated as solved with a time beyond its limit; it counts as solved."),
    "preset": Rule("noted", "The files are results of a benchmark program, and are read as its preset says."),
    "failed_benchmark": Rule("noted", "A line says that a benchmark failed; it has no time, and the case is missing."),
    "file_not_used": Rule("noted", "A file whose name does not fit `file_pattern`; it is not read."),
    "direction_assumed": Rule(
        "noted", "The source's entry does not say whether smaller or larger values are better (`direction`); smaller is taken."
    ),
    "mean_and_sd": Rule(
        "noted",
        "A cell is a mean with a number behind it, as in `1.5 ± 0.2`, which is taken for the standard deviation of the runs; "
        "marks of tests and of bold type are left out.",
    ),
    "at_most": Rule("noted", "A cell such as `<1`: less than that was measured; the number counts, which is at most too large."),
    "virtual_best": Rule(
        "noted",
        "An algorithm is called a virtual best: it is made of the others, and is set aside unless `where` or `wide` names it.",
    ),
    "runs_not_stated": Rule("noted", "A mean without the number of runs behind it (`n`); it counts as one run."),
    "solvers_disagree": solver_runs.RULES["solvers_disagree"],
    **same_content.RULES,
    **table_files.RULES,
    "row_before_first": blocks.RULES["row_before_first"],
    "column_not_used": Rule(
        "noted", "A column that has none of benchmill's names and that `columns` does not mention; it is not read."
    ),
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
    if table_json.begins(head):
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
    typed = table_typed.trials(view, options, report)
    if typed is not None:
        yield typed, schema.TABLES["traces"].empty_table()
        return
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
    if table_json.begins(data) and "records" not in entry and name:
        try:
            paths = table_json.paths_in(json.loads(view.unpacked(name)))
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
