"""Tables: one row per trial, per improvement within a trial, or per published mean."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from benchmill.core import UserError
from benchmill.readers import (
    blocks,
    interface,
    selection,
    solver_runs,
    table_files,
    table_options,
)
from benchmill.readers.archive import SAME_CONTENT, View
from benchmill.readers.interface import (
    Asked,
    Batches,
    Found,
    Given,
    Incomplete,
    Proposal,
    Report,
    Written,
    flow,
    listed,
    rules,
)
from benchmill.readers.table_cells import (
    NAMES,
    all_named,
    has_sd,
    holds_numbers,
    is_none,
    is_number,
    keys_named,
    meaning_in_place,
    not_numbered,
    unit_of,
    words_in,
)
from benchmill.readers.table_checks import meanings, outcome_named
from benchmill.readers.table_options import Options
from benchmill.readers.table_rows import SUFFIX, columns_of, load, rows_of
from benchmill.readers.table_trials import costs, traces_of
from benchmill.readers.text import decoded, is_binary
from benchmill.text import prose

#: Rows that are shown to whoever is asked about a table, and tables in a text.
_SHOWN, _MOST_TABLES = 3, 6
#: Names of columns that say which answer is right.
_EXPECTED = ("expected", "expected result", "expected status", "expected answer")
#: Names of what a table of means has of the same runs.
_BESIDE_MEANS = ("best", "worst", "median", "min", "max", "minimum", "maximum")
#: Names of parts of a problem, which are none.
_PARTS = ("fold", "split")

RULES = {
    **rules("table"),
    **SAME_CONTENT,
    **{rule: solver_runs.RULES[rule] for rule in ("solvers_disagree", "cut_line")},
    "row_before_first": blocks.RULES["row_before_first"],
}


def sniff(view: View) -> Found | None:
    """Recognise Parquet, Arrow, and text with at least two names and as many cells below; in folders also by their suffixes."""
    return Found("table") if view.members and (table_options.preset_of(view) or _looks_like_cells(view)) else None


def _looks_like_cells(view: View) -> bool:
    if view.kind != "file" and not all(SUFFIX.search(m.name) for m in view.members):
        return False
    name = view.members[0].name
    head = view.head(name, 65536)
    if head.startswith(table_files.TYPED):
        # a folder may have a zip of something else
        return not head.startswith(b"PK") or SUFFIX.search(name) is not None or view.kind == "file"
    try:
        head = table_files.plain(name, head[: len(head) // 2 * 2])
    except UserError:
        return False
    if b"\0" in head or table_files.begins_as_json(head):
        return b"\0" not in head
    rows = [line for line in decoded(head).splitlines() if line.strip() and not line.startswith(("#", "%"))]
    lines = [row for row in table_files.without_frame(rows) if row is not None]
    if len(lines) < 2:
        return False
    separator = table_files.separator_of(lines[0])
    names = [cell.strip().strip('"') for cell in lines[0].split(separator)]
    # the first column may be an index without a name
    plain = all(re.search(r"[A-Za-z]", n) for n in (names if names[0] else names[1:])) or len(all_named(names, "algorithm")) > 0
    return len(names) > 1 and plain and ("," not in separator or lines[1].count(separator) >= len(names) - 1)


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all rows, in natural order of suite, problem and dimension, then in order of appearance."""
    options = table_options.with_preset(view, options, report)
    cells = load(view, options, report)
    yield (traces_of if cells.kind == "trace" else costs)(cells)


def propose(view: View, entry: Given) -> Iterator[Proposal | Asked]:
    """Yield an entry where known names tell all of it and reading by it leaves no doubt, else what they leave open."""
    if (asked := _ask(view, entry)) is not None:
        yield asked if asked.questions else Proposal(asked.options)


def _ask(view: View, entry: Given) -> Asked | None:
    layout = {}
    is_file = view.kind == "file"
    try:
        layout = _layout(view, entry)
        taken = table_options.with_preset(view, Options(**{**entry, **layout}), Report(RULES))
        table, given, files = rows_of(view, taken, Report(RULES))
        if taken.program:
            entry = {**entry, "columns": {**table_options.with_columns(taken, table).columns}}
    except Incomplete as error:
        return Asked(_first_lines(view), layout, (f"{error.found}; {error.remedy}.",))
    except UserError as error:
        # a blank between cells was a guess
        guessed = "separator" in layout and "lines" not in layout
        question = _question("No numbers", several=False) if guessed else f"It cannot be read as a table: {error}"
        return Asked(_first_lines(view), {} if guessed else layout, (question,)) if is_file else None
    except TypeError:
        return None
    frame = table[columns_of(table)]
    by_names = told_by_names(
        frame, {**entry, "constants": {**dict.fromkeys(given, ""), **entry.get("constants", {})}}, len(files) > 1
    )
    if by_names is None:
        # where it is said which is compared, the message tells what is wrong with it
        is_open = not {"cost", "mean", "value"} & {*frame, *entry.get("columns", {})}
        question = _question("No numbers", several=len(frame.columns) > 1)
        return Asked(_first_lines(view), {}, (question,)) if is_file and is_open else None
    options, questions = layout | by_names.options, list(by_names.questions)
    if not questions:
        report = Report({**interface.RULES, **selection.RULES, **RULES})
        chosen = Options(**{**entry, **options})
        report.selection = selection.Selection(chosen.where) if chosen.where else None
        try:
            algorithms = {name for trials, _ in read(view, chosen, report) for name in trials["algorithm"].unique().to_pylist()}
            if len(algorithms) > chosen.most_algorithms:
                questions.append(_question("Many algorithms", count=len(algorithms)))
        except UserError as error:
            questions.append(f"So it cannot be read: {error}")
        questions += [
            f"{question} If so, say `{flow(proposal.options)}`." if proposal.options else question
            for proposal in report.asked
            for question in proposal.questions
        ]
        if not report.asked:
            questions += [RULES[rule].meaning for rule in report.counts if rule in RULES and RULES[rule].doubtful]
    return Asked([list(frame), *frame.head(_SHOWN).to_numpy().tolist()], options, tuple(dict.fromkeys(questions)))


def _question(part: str, **facts: Any) -> str:
    return prose.said(__file__, part, **facts)


def _first_lines(view: View) -> list[list[str]]:
    lines = [] if is_binary(data := view.unpacked_head(view.members[0].name, 65536)) else decoded(data).splitlines()
    return [[line] for line in lines if line.strip()][: _SHOWN + 1]


def _layout(view: View, entry: Given) -> Written:
    name = next((m.name for m in view.members if view.kind == "file" or SUFFIX.search(m.name)), None)
    data = view.unpacked_head(name, 65536) if name else b""
    if table_files.begins_as_json(data) and "records" not in entry and name:
        try:
            paths = table_files.paths_in(table_files.loaded(name, table_files.plain(name, view.unpacked(name))))
        except (ValueError, RecursionError):
            paths = []
        return {"records": paths[0]} if len(paths) == 1 else {}
    if {"separator", "header"} & entry.keys() or not table_files.is_text(data):
        return {}
    if view.kind == "file" and "lines" not in entry and sniff(view) is None and name:
        tables = table_files.tables_in(decoded(table_files.plain(name, view.unpacked(name))))
        if len(tables) > 1:
            choices = " or ".join(f"`lines: {lines}`" for lines in [*tables][:_MOST_TABLES])
            raise Incomplete(f"{name}: {len(tables)} tables are in its text", f"say in which lines the one to read is, {choices}")
        for lines, separator in tables.items():
            first, last = map(int, lines.split("-"))
            whole = sum(1 for line in view.unpacked(name).splitlines() if line.strip()) == last - first + 1
            return ({} if whole else {"lines": lines}) | ({"separator": separator} if separator != "|" else {})
    line = next((line for line in data.splitlines() if line.strip() and not line.startswith((b"#", b"%"))), b"")
    return {"separator": " "} if line.split()[1:] and not table_files.has_separator(line) else {}


# ---- what the names of columns tell ---------------------------------------------------------------------------------


class _Told:
    """Roles of columns, other options, and questions."""

    def __init__(self, frame: pd.DataFrame, entry: Given) -> None:
        self.frame, self.entry = frame, entry
        self.columns = dict(entry.get("columns", {}))
        self.wide = table_options.spread(entry.get("wide"))
        used = {c for theirs in self.columns.values() for c in listed(theirs)}
        self.known = {*self.columns, *entry.get("constants", {}), *({"time_limit", "algorithm"} & entry.keys())}
        self.known |= {c for c in frame if c in NAMES and c not in used}
        self.known |= {"cost", self.wide["key"], *self.wide} - {"key"} if self.wide else set()
        self.free = [c for c in frame if c not in used and c not in self.known]
        self.more: Written = {}
        self.questions: list[str] = []

    def ask(self, part: str, **facts: Any) -> None:
        """Add a question of the template."""
        self.questions.append(_question(part, **facts))

    def take(self, role: str, columns: Sequence[str], question: str = "") -> None:
        """Give a role to the one column that can have it; ask where several can."""
        if role in self.known or not columns:
            return
        asked = columns if question else columns[:1]
        if len(asked) > 1:
            self.ask("Several columns", question=question, columns=asked, role=role)
        else:
            self.columns[role] = columns[0]
        self.free = [c for c in self.free if c not in asked]
        self.known.add(role)

    def cells(self, *roles: str) -> list[pd.Series]:
        """Return the columns of those of the roles that have one."""
        return [self.frame[c] for c in map(self.columns.get, roles, roles) if isinstance(c, str) and c in self.frame]


def told_by_names(frame: pd.DataFrame, entry: Given, several: bool = False) -> Proposal | None:
    """Return what an entry of one or `several` files could say beside what it says, with questions; None without numbers."""
    state = _Told(frame, entry)
    known = all_named(frame, "problem") or all_named(frame, "algorithm")
    if any(is_number(column) for column in frame) and not known and not {"columns", "wide"} & entry.keys():
        return Proposal({}, (_question("No names"),))
    if not any(holds_numbers(frame[column]) for column in frame):
        return None
    problems = all_named(state.free, "problem") or all_named([c for c in state.free if c.lower() not in _PARTS], "instance")
    if problems and problems[0].lower() == "problem":
        problems = problems[:1]
    state.take("problem", problems, "Which column names the problem:")
    state.take("problem", ["instance"] if "instance" in frame and "instance" not in state.columns else [])
    state.take("algorithm", all_named(state.free, "algorithm"), "Which column names the algorithm:")
    for role in ("suite", "dimension", "instance", "run", "seed"):
        state.take(role, keys_named(frame, state.free, role))
    if merged := [str(cells.name) for cells in state.cells("problem", "algorithm") if cells.iat[0] and (cells == "").any()]:
        state.ask("Empty cells", columns=merged, options=flow({"fill": merged}))
    if not state.wide:
        _take_values(state)
    for role, of_all in (("problem", "constants: {problem: ...}"), ("algorithm", "algorithm: ...")):
        # each of several columns may be an algorithm, or a problem
        if role not in state.known and {"cost", "mean", "value"} & state.known:
            state.ask("No column", role=role, of_all=of_all, several=several)
    unit = unit_of(column) if isinstance(column := state.columns.get("cost", state.columns.get("mean")), str) else None
    # time_min may be the least of several
    if unit not in (None, "s") and "unit" not in entry and not str(column).lower().endswith(("_min", " min")):
        state.more["unit"] = unit
    if "cost" in state.known:
        _take_outcomes(state)
        _ask_about_costs(state)
    columns = {role: column for role, column in state.columns.items() if role != column}
    if columns and columns != entry.get("columns"):
        state.more = {"columns": columns, **state.more}
    return Proposal(state.more, tuple(state.questions))


def _take_values(state: _Told) -> None:
    """Find what is compared."""
    if "mean" in state.known:
        for role in ("sd", "n"):
            state.take(role, all_named(state.free, role))
    if state.known & {"cost", "mean"} or {"evaluations", "value"} <= state.known:
        return
    # beside a mean and its deviation, the best and the worst of the runs are what goes with them
    aside = _BESIDE_MEANS if all_named(state.free, "mean") and all_named(state.free, "sd") else ()
    numeric = [c for c in state.free if c.lower() not in aside and holds_numbers(state.frame[c])]
    costs, evaluations, values = (
        all_named(not_numbered(numeric), role) or [str(cells.name) for cells in state.cells(role) if holds_numbers(cells)]
        for role in ("cost", "evaluations", "value")
    )
    which = "Which column is compared:"
    if evaluations and values and not costs:
        state.ask("Improvements", evaluations=evaluations[0], value=values[0])
    elif not costs and not values and (means := all_named(numeric, "mean")):
        # without deviations it may be the mean of others that stand beside it
        state.take("mean", means if aside else [*dict.fromkeys([*means, *numeric])], which)
        _take_values(state)
    elif costs or values:
        # an error beside a mean may be that of the mean
        state.take("cost", [*costs, *values, *all_named(numeric, "mean")], which)
    elif numeric:
        others = [c for c in state.free if c not in numeric]
        spread = {
            key: flow({"wide": {"key": key, "except": others} if others else key})
            for key in [key for key in ("algorithm", "problem") if key not in state.known]
        }
        # of some columns of times others may say how their runs ended
        runs = sum(bool(re.search("[0-9]", column)) for column in numeric) > 1
        state.ask("Compared", columns=numeric, evaluations=evaluations, spread=spread, runs=runs)
        if "n" not in state.known and has_sd(pd.concat([state.frame[c] for c in numeric])):
            state.ask("Runs of means")


def _take_outcomes(state: _Told) -> None:
    """Find outcomes and limits."""
    state.take("time_limit", all_named([c for c in state.free if state.frame[c].map(is_number).all()], "time_limit"))
    if not state.wide:
        state.take(
            "outcome",
            [c for c in all_named(state.free, "outcome") if outcome_named(state.frame[[c]])],
            "Which says how runs ended:",
        )
    expected = [c for c in state.free if c.lower() in _EXPECTED]
    if expected and isinstance(answer := state.columns.get("outcome", "outcome"), str):
        state.ask("Right answers", expected=expected[0], answer=answer)


def _ask_about_costs(state: _Told) -> None:
    """Find the meanings of words, which are asked about where they are read; ask about repetitions."""
    wide, costs, outcomes = state.wide, state.cells("cost"), state.cells("outcome")
    if wide:
        left = [c for c in state.free if c not in (*wide.get("except", ()), *wide.get("sd", ()))]
        costs = [state.frame[c] for c in wide.get("columns", left)]
        outcomes += [state.frame[c] for c in wide.get("outcome", ())]
    in_place = {word: meaning_in_place(word) for cells in costs for word in words_in(cells) if not is_none(word)}
    words: dict[str, str | None] = {}
    for stated in outcomes:
        # a word in place of the cost counts before the outcome
        beside = stated if len(costs) != 1 else stated[~costs[0].isin([word for word, meant in in_place.items() if meant])]
        words |= {word: one for word, one in meanings(beside).items() if word not in solver_runs.OUTCOMES}
    own = state.entry.get("outcomes", {})
    meant = {word: one for word, one in (words | in_place | own).items() if one is not None}
    if meant and meant != own:
        state.more["outcomes"] = meant
    if wide or state.known & {"run", "seed"} or not state.cells("problem"):
        return
    rows = pd.concat(state.cells("suite", "problem", "dimension", "instance", "algorithm"), axis=1)
    if again := int(rows.duplicated().sum()):
        names = [c for c in state.free if not state.frame[c].str.contains(r"^[^a-z]*\.[^a-z]*$", case=False).any()]
        state.ask(
            "Repetitions",
            count=again,
            columns=[c for c in names if rows.assign(**{"\0": state.frame[c]}).duplicated().sum() < again],
        )
