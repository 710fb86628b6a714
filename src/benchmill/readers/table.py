"""Tables: one row per trial, per improvement within a trial, or per published mean."""

import re
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from benchmill.core.errors import UserError
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
from benchmill.readers.table_options import PRESETS, Options
from benchmill.readers.table_rows import SUFFIX, columns_of, load, rows_of
from benchmill.readers.table_trials import costs, traces_of
from benchmill.readers.text import decoded, is_binary
from benchmill.text.display import plural
from benchmill.text.labels import shown

#: Rows that are shown to whoever is asked about a table, and tables in a text.
_SHOWN, _MOST_TABLES = 3, 6
#: Names of columns that say which answer is right.
_EXPECTED = ("expected", "expected result", "expected status", "expected answer")
#: Names of what a table of means has of the same runs.
_BESIDE_MEANS = ("best", "worst", "median", "min", "max", "minimum", "maximum")
#: Names of parts of a problem, which are none.
_PARTS = ("fold", "split")
#: What is asked where no column has numbers: where there is one column, and where there are several.
_NO_NUMBERS = (
    "Which lines hold the table (`lines: first-last`), and what separates its cells (`separator: ...`)?",
    "Which column holds the costs (`columns: {cost: ...}`)? None has numbers, or times with a unit such as 90s, in most rows.",
)
#: What else the columns of a table may be that each has costs, and what they may be where the algorithm is known.
_RUNS = "`{}: run` if each is a run, `{}: evaluations` if each is how far a run had come)"
_SOME = (
    " (`wide: {key: algorithm, columns: [...], outcome: [...]}` if some are, and others say how their runs ended; "
    + _RUNS.format("key", "key")
)
#: Columns and words that a question lists.
_MOST_LISTED = 8

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
    cells, options = load(view, options, report)
    trials_of = traces_of if cells.kind == "trace" else costs
    yield trials_of(cells, options.direction == "max", options, report)


def propose(view: View, entry: Given) -> Iterator[Proposal | Asked]:
    """Yield an entry where known names tell all of it and reading by it leaves no doubt, else what they leave open."""
    if (asked := _ask(view, entry)) is not None:
        yield asked if asked.questions else Proposal(asked.options)


def _ask(view: View, entry: Given) -> Asked | None:
    layout: Written = {}
    try:
        layout = _layout(view, entry)
        taken = table_options.with_preset(view, Options(**{**entry, **layout}), Report(RULES))
        table, given, files = rows_of(view, taken, Report(RULES))
        if taken.preset in PRESETS:
            entry = {**entry, "columns": {**table_options.with_columns(taken, table).columns}}
    except Incomplete as error:
        return Asked(_first_lines(view), layout, (f"{error.found}; {error.remedy}.",))
    except UserError as error:
        question = f"It cannot be read as a table: {error}"
        if "separator" in layout and "lines" not in layout:
            # a blank between cells was a guess
            layout, question = {}, _NO_NUMBERS[0]
        return Asked(_first_lines(view), layout, (question,)) if view.kind == "file" else None
    except TypeError:
        return None
    frame = table[columns_of(table)].apply(lambda column: column.str.strip())
    by_names = told_by_names(
        frame, {**entry, "constants": {**dict.fromkeys(given, ""), **entry.get("constants", {})}}, len(files) > 1
    )
    if by_names is None:
        # where it is said which is compared, the message tells what is wrong with it
        is_open = not {"cost", "mean", "value"} & {*frame, *entry.get("columns", {})}
        asked = Asked(_first_lines(view), {}, (_NO_NUMBERS[len(frame.columns) > 1],))
        return asked if view.kind == "file" and is_open else None
    options, questions = layout | by_names.options, list(by_names.questions)
    if not questions:
        report = Report({**interface.RULES, **selection.RULES, **RULES})
        chosen = Options(**{**entry, **options})
        report.selection = selection.Selection(chosen.where) if chosen.where else None
        try:
            algorithms = {name for trials, _ in read(view, chosen, report) for name in trials["algorithm"].unique().to_pylist()}
            if len(algorithms) > chosen.most_algorithms:
                questions.append(
                    f"Are there {len(algorithms)} algorithms (`most_algorithms: {len(algorithms)}`), or does another column name "
                    "them (`columns: {algorithm: ...}`)?"
                )
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
        used = {c for named in self.columns.values() for c in listed(named)}
        wide = entry.get("wide")
        spread = {wide, "cost"} if isinstance(wide, str) else {wide["key"], "cost", *wide} if wide else set()
        self.known = {
            *(*self.columns, *entry.get("constants", {}), *spread, *({"time_limit", "algorithm"} & entry.keys())),
            *(c for c in frame if c in NAMES and c not in used),
        }
        self.free = [c for c in frame if c not in used and c not in self.known]
        self.more: Written = {}
        self.questions: list[str] = []

    def take(self, role: str, columns: Sequence[str], question: str = "") -> None:
        """Give a role to the one column that can have it; ask where several can."""
        if role in self.known or not columns:
            return
        asked = columns if question else columns[:1]
        if len(asked) > 1:
            self.questions.append(f"{question} {_listed(asked)}? Name it in `columns` ({{{role}: ...}}).")
        else:
            self.columns[role] = columns[0]
        self.free = [c for c in self.free if c not in asked]
        self.known.add(role)

    def cells(self, *roles: str) -> list[pd.Series]:
        """Return the columns of those of the roles that have one."""
        named = (self.columns.get(role, role) for role in roles)
        return [self.frame[column] for column in named if isinstance(column, str) and column in self.frame]


def told_by_names(frame: pd.DataFrame, entry: Given, several: bool = False) -> Proposal | None:
    """Return what an entry of one or `several` files could say beside what it says, with questions; None without numbers."""
    state = _Told(frame, entry)
    known = all_named(frame, "problem") or all_named(frame, "algorithm")
    if any(is_number(column) for column in frame) and not known and not {"columns", "wide"} & entry.keys():
        return Proposal(
            {},
            (
                "Are there no names in the first line? Then name the columns, as in `header: [problem, algorithm, cost]`; "
                "else say what they are (`columns`, `wide`).",
            ),
        )
    if not any(holds_numbers(frame[column]) for column in frame):
        return None
    problems = all_named(state.free, "problem") or all_named([c for c in state.free if c.lower() not in _PARTS], "instance")
    state.take(
        "problem", problems[:1] if "problem" in map(str.lower, problems[:1]) else problems, "Which column names the problem:"
    )
    state.take("problem", ["instance"] if "instance" in frame and "instance" not in state.columns else [])
    state.take("algorithm", all_named(state.free, "algorithm"), "Which column names the algorithm:")
    for role in ("suite", "dimension", "instance", "run", "seed"):
        state.take(role, keys_named(frame, state.free, role))
    if merged := [str(cells.name) for cells in state.cells("problem", "algorithm") if cells.iat[0] and (cells == "").any()]:
        state.questions.append(f"Does an empty cell of {_listed(merged)} repeat the one above (`{flow({'fill': merged})}`)?")
    if "wide" not in entry:
        _take_values(state)
    for role, of_all in (("problem", "constants: {problem: ...}"), ("algorithm", "algorithm: ...")):
        # each of several columns may be an algorithm, or a problem
        if role not in state.known and {"cost", "mean", "value"} & state.known:
            state.questions.append(
                f"Which column names the {role} (`columns: {{{role}: ...}}`)? If all rows belong to one, name it (`{of_all}`)"
                + (f", and if the names of the files tell it, how (`file_pattern: '{{{role}}}.csv'`)." if several else ".")
            )
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
    if evaluations and values and not costs:
        pair = f"evaluations: {shown(evaluations[0])}, value: {shown(values[0])}"
        state.questions.append(
            f"Is each row an improvement within a run (`columns: {{{pair}}}`), or the end of one (`columns: {{cost: ...}}`)?"
        )
    elif not costs and not values and (means := all_named(numeric, "mean")):
        # without deviations it may be the mean of others that stand beside it
        state.take("mean", means if aside else [*dict.fromkeys([*means, *numeric])], "Which column is compared:")
        _take_values(state)
    elif costs or values:
        # an error beside a mean may be that of the mean
        state.take("cost", [*costs, *values, *all_named(numeric, "mean")], "Which column is compared:")
    elif numeric:
        others = [c for c in state.free if c not in numeric]
        spread = "".join(
            f", or say `{flow({'wide': {'key': key, 'except': others} if others else key})}` if each is of one {key}"
            for key in ("algorithm", "problem")
            if key not in state.known
        )
        # of some columns of times others may say how their runs ended
        several = sum(bool(re.search("[0-9]", column)) for column in numeric) > 1
        spread += _SOME if "algorithm" not in state.known else f" ({_RUNS.format('wide', 'wide')}" if several else ""
        pair = f", or {{evaluations: {shown(evaluations[0])}, value: ...}} if rows are the course of a run" if evaluations else ""
        state.questions.append(
            f"Which column is compared: {_listed(numeric)}? Name it in `columns` ({{cost: ...}}{pair}){spread}."
        )
        if "n" not in state.known and has_sd(pd.concat([state.frame[c] for c in numeric])):
            state.questions.append("How many runs is each mean of (`constants: {n: ...}`)?")


def _take_outcomes(state: _Told) -> None:
    """Find outcomes and limits."""
    state.take("time_limit", all_named([c for c in state.free if state.frame[c].map(is_number).all()], "time_limit"))
    if "wide" not in state.entry:
        named = [c for c in all_named(state.free, "outcome") if outcome_named(state.frame, [c])]
        state.take("outcome", named, "Which says how runs ended:")
    expected = next((c for c in state.free if c.lower() in _EXPECTED), None)
    if expected is not None and isinstance(answer := state.columns.get("outcome", "outcome"), str):
        state.questions.append(
            f"Does {shown(expected)!r} say which answer is right? Then read both (`columns: {{outcome: [{shown(answer)}, "
            f"{shown(expected)}]}}`), and say in `outcomes` which pairs are solved and which wrong."
        )


def _ask_about_costs(state: _Told) -> None:
    """Find the meanings of words, which are asked about where they are read; ask about repetitions."""
    entry, costs, outcomes = state.entry, state.cells("cost"), state.cells("outcome")
    if "wide" in entry:
        of_wide = entry["wide"] if isinstance(entry["wide"], Mapping) else {}
        left = [c for c in state.free if c not in (*of_wide.get("except", ()), *of_wide.get("sd", ()))]
        costs = [state.frame[c] for c in of_wide.get("columns", left)]
        outcomes += [state.frame[c] for c in of_wide.get("outcome", ())]
    in_place = {word: meaning_in_place(word) for cells in costs for word in words_in(cells) if not is_none(word)}
    words: dict[str, str | None] = {}
    for stated in outcomes:
        # a word in place of the cost counts before the outcome
        beside = stated if len(costs) != 1 else stated[~costs[0].isin([word for word, meant in in_place.items() if meant])]
        words |= {word: one for word, one in meanings(str(stated.name), beside).items() if word not in solver_runs.OUTCOMES}
    meant = {word: one for word, one in (words | in_place | entry.get("outcomes", {})).items() if one is not None}
    if meant and meant != entry.get("outcomes"):
        state.more["outcomes"] = meant
    if "wide" in entry or state.known & {"run", "seed"} or not state.cells("problem"):
        return
    rows = pd.concat(state.cells("suite", "problem", "dimension", "instance", "algorithm"), axis=1)
    if again := int(rows.duplicated().sum()):
        names = [c for c in state.free if not state.frame[c].str.contains(r"^[^a-z]*\.[^a-z]*$", case=False).any()]
        apart = [c for c in names if rows.assign(**{"\0": state.frame[c]}).duplicated().sum() < again]
        remedy = f" If {_listed(apart)} tells them apart, name it in `columns`: as `run`, or beside the name of the problem or "
        state.questions.append(
            f"{plural(again, 'row')} with the problem and the algorithm of an earlier one: repetitions?"
            + (f"{remedy}the algorithm." if apart else "")
        )


def _listed(names: Sequence[str]) -> str:
    texts = [repr(shown(name)) for name in names]
    return ", ".join(texts if len(texts) <= _MOST_LISTED else [*texts[: _MOST_LISTED - 2], "...", texts[-1]])
