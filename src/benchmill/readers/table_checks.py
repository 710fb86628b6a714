"""Readings of a table other than its entry says, which are noted or asked about, and change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import beside, contradictions, schema
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.readers.interface import PLACEHOLDER, Given, Proposal, Report, Texts, Written, file_and_line, flow
from benchmill.readers.solver_runs import OUTCOMES, PROVEN, SECONDS, known, overrun_limit, short, states_optimum, tells_failure
from benchmill.readers.table_cells import (
    KEYS,
    LONGEST,
    SMALLER,
    UNIT,
    Cells,
    all_named,
    are_called,
    are_statistics,
    is_none,
    is_number,
    keys_named,
    larger_is_better,
    matches,
    not_numbered,
    unit_of,
)
from benchmill.text.display import plural
from benchmill.text.labels import shown

if TYPE_CHECKING:
    from benchmill.readers.table_options import Options

_DATA = beside.toml(__file__)

#: A status has few words, and fewer numbers that stand for words.
_MOST_WORDS, _MOST_CODES = 30, 15
#: Names of totals that a question has.
_MOST_TOTALS = 6
#: How often the largest number is there, at least, to be asked about, on how many problems, and among how many other numbers.
_OFTEN, _SHARE, _PROBLEMS, _OTHERS = 5, 0.02, 3, 20
#: How many rows, at least, go on where those before them ended.
_LATER = 3
#: How many costs, at least, fall or rise from row to row.
_IN_ORDER = 5
#: Powers of ten from here to `PLACEHOLDER` are what solvers write for infinity: 1e20 (CPLEX, SCIP), 1e30 (formats of models).
INFINITY = 1e20
#: What a column beside means is by its name, and what is asked of it.
_BESIDE_MEANS = {
    "n": ("counts the runs behind each mean", "Does it?"),
    "sd": ("is the deviation of the runs behind each mean", "Is it?"),
    "n_successes": (
        "says how many runs were successful",
        "Are the means those of the successful runs alone (`columns: {n_successes: ...}`)?",
    ),
}
#: Words for means and for deviations in names of columns.
_MEANS, _DEVIATIONS = ("mean", "avg", "average", ""), ("std", "sd", "stdev", "std dev", "stddev")
_YES = {"1", "1.0", "true", "yes", "y", *"✓✔✅☑", "✔\ufe0f", "☑\ufe0f"}
_NO = {"0", "0.0", "false", "no", "n", *"✗✘❌✕✖", "✖\ufe0f"}
#: Names of columns of gaps and of violations of constraints, and what solvers take for none: up to 0.01 %.
_OF_GAPS, _CLOSED = r"(?:.*[\W_])?(?:gap|violations?)(?:[\W_].*)?", 1e-4


def meanings(name: str, cells: pd.Series) -> dict[str, str | None]:
    """Return what each word of a column of outcomes means, None where that is not certain."""
    asked = _answered(name) if _yes_and_no(cells) else None
    no = "unknown" if asked == "solved" else "solved"
    words = sorted(set(cells))
    # beside an optimum what is satisfiable has a solution, and perhaps a better one
    unsure = [word for word in words if re.fullmatch(_DATA["satisfiable"], word)] if any(map(states_optimum, words)) else []
    if asked:
        return {word: asked if word.lower() in _YES else no for word in words}
    return {word: None if word in unsure else known(word) for word in words}


def _answered(name: str) -> str | None:

    def has(pattern: str) -> bool:
        return re.search(rf"(^|[\W_])({pattern})([\W_]|$)", name, re.IGNORECASE) is not None

    meant = next((meant for pattern, meant in _DATA["answers"].items() if has(pattern)), None)
    return None if meant == "solved" and has(_DATA["otherwise"]) else meant


def _yes_and_no(cells: pd.Series) -> bool:
    answers = {cell.lower() for cell in cells.unique()}
    return answers <= _YES | _NO and bool(answers & _YES) and bool(answers & _NO)


def outcome_named(frame: pd.DataFrame, columns: Sequence[str], of_runs: bool = True) -> str | None:
    """Return the column of outcomes: by its name, its words, or a yes or no whose name says what it answers."""
    few = [c for c in columns if len(c) <= LONGEST and frame[c].nunique() <= _MOST_WORDS]
    for column in all_named(few, "outcome"):
        stated = [cell for cell in frame[column].unique() if not is_none(cell)]
        idle = (
            not stated or not of_runs or is_number(stated[0]) or (known(stated[0]) == "solved" and not states_optimum(stated[0]))
        )
        numbers = [cell for cell in stated if is_number(cell)]
        codes = len(stated) <= _MOST_CODES and frame[column].str.fullmatch("-?[0-9]{1,4}").all()
        measured = len(numbers) == len(stated) or any("." in cell for cell in numbers)
        if not (frame[column].nunique() == 1 and idle) and (codes or not measured):
            return column
    for column in few:
        known_words = [None if is_number(word) else known(word) for word in frame[column].unique() if word]
        # of problems it may be unknown whether they have a solution
        ended = {OUTCOMES[str(one)] for one in known_words if of_runs or one != "unknown"} if None not in known_words else set()
        if ended >= {True, False}:
            return column
    # of several that answer the same, the one by which the fewest runs are solved
    strict = sorted(reversed(few), key=lambda c: -(frame[c].str.lower().isin(_YES) == (_answered(c) == "solved")).sum())
    answers = {_answered(column): column for column in strict if _yes_and_no(frame[column])}
    return next((answers[meant] for meant in _DATA["answers"].values() if meant in answers), None)


def ask_about_outcomes(file: str, unread: pd.DataFrame, frame: pd.DataFrame, below: pd.Series | None, report: Report) -> None:
    """Ask about columns that are not read and tell of limits, or of failures in rows `below` them (None in wide tables)."""
    unread = unread.apply(lambda column: column.str.strip())
    status = None if "outcome" in frame else outcome_named(unread, list(unread), below is not None)
    meant = {} if status is None else meanings(status, unread[status])
    failing = [word for word, one in meant.items() if one is None or OUTCOMES[one] is not True]
    if status is not None and not (unread[status].isin(failing) & (True if below is None else below)).any():
        status, meant = None, {}
    limit = None if "time_limit" in frame else next(iter(all_named(unread, "time_limit")), None)
    if limit is not None and not unread[limit].map(is_number).all():
        limit = None
    columns = {role: column for role, column in (("outcome", status), ("time_limit", limit)) if column is not None}
    outcomes = {word: one for word, one in meant.items() if one is not None and word not in OUTCOMES}
    for role, column in columns.items():
        report.add("outcome_not_used", file, 1, f"the column {shown(column)!r} looks like `{role}`")
    named = " and ".join(f"{shown(column)!r}" for column in columns.values())
    questions = [f"Do the columns {named}, which are not read, say how runs ended and what their limits were?"] if columns else []
    open_words = ", ".join(repr(shown(word)) for word, one in meant.items() if one is None)
    if open_words:
        questions.append(f"What do the words {open_words} of {shown(str(status))!r} mean? Say it in `outcomes`.")
    if below is not None and "outcome" not in frame and "outcome" not in columns:
        for column, hit, told, outcomes_told in _silent_failures(unread, frame, below):
            what = f"{hit.sum()} of {below.sum()} runs with a cost {told}"
            report.add("outcome_not_used", file, 1, f"{what}, and count as solved")
            questions.append(f"{what}. Did these runs fail?")
            if "outcome" not in columns:
                columns["outcome"], outcomes = column, outcomes_told
    if columns and below is not None:
        report.asked.append(Proposal({"columns": columns} | ({"outcomes": outcomes} if outcomes else {}), tuple(questions)))


def _silent_failures(unread: pd.DataFrame, frame: pd.DataFrame, fine: pd.Series) -> Iterator[tuple[str, pd.Series, str, Texts]]:
    """Yield columns in which `fine` runs have an error's text, a gap or no number: which have, what, and `outcomes`."""
    for column, cells in unread.items():
        words = _no_numbers(cells)
        none, bad = {word for word in words if is_none(word)}, {word for word in words if tells_failure(word)}
        named = re.fullmatch(_DATA["of_errors"], column, re.IGNORECASE) is not None
        others = {word for word in words if word not in none and known(word) != "solved"}
        numbers = pd.to_numeric(cells.str.rstrip("% "), errors="coerce")
        numeric = all(is_number(word) for word in words if word not in none)
        # beside words of success others are no success, and so are the texts that some runs have in a column of errors, and
        # those among numbers
        success = len(words) <= _MOST_WORDS and any(known(word) == "solved" for word in words)
        success &= "outcome" in frame or _is_of_runs(str(column), cells.isin(others), frame)
        if named or success or (not numeric and numbers.notna().any() and _is_of_runs(str(column), numbers.isna(), frame)):
            bad |= others
        is_gap = re.fullmatch(_OF_GAPS, column, re.IGNORECASE) is not None
        open_gap = fine & is_gap & ((cells.isin(others) & numbers.notna().any()) | (numbers.abs() > _CLOSED))
        failing, lacking, which = fine & cells.isin(bad), fine & cells.isin(none), shown(column)
        if open_gap.any():
            hit, told = open_gap, f"are not at 0 in {which!r}, but at {shown(cells[open_gap].iloc[0])} or the like"
            meant = {**dict.fromkeys(sorted({*cells[numbers.abs() <= _CLOSED]})[:_MOST_WORDS], "solved"), "*": "unknown"}
        elif failing.any():
            hit, told = failing, f"have {shown(cells[failing].iloc[0])!r} or the like in {which!r}"
            meant = {**dict.fromkeys(sorted(none), "solved"), "*": "error"} if cells.isin(none | bad).all() else {}
        elif (
            numeric
            and "outcome" not in frame
            and 0 < lacking.sum() < fine.sum()
            and _is_of_runs(str(column), cells.isin(none), frame)
        ):
            hit, told = lacking, f"have no {which!r}"
            meant = {**dict.fromkeys(sorted(none), "unknown"), "*": "solved"}
        else:
            continue
        yield str(column), hit, told, meant


def _no_numbers(cells: pd.Series) -> list[str]:
    """Return once each cell that is not a plain number."""
    words = pd.Series(cells.unique(), dtype=str)
    return [*words[pd.to_numeric(words, errors="coerce").isna()]]


def _is_of_runs(column: str, lacks: pd.Series, frame: pd.DataFrame) -> bool:
    """Return True if runs of one problem and of one algorithm differ in lacking a cell, or the column is named as a result."""
    if all_named([column], "value") or all_named([column], "outcome"):
        return True
    return frame.get("algorithm", pd.Series()).nunique() > 1 and all(
        lacks.groupby(frame[key]).nunique().max() > 1 for key in ("problem", "algorithm")
    )


def ask_about_direction(
    file: str, named: Mapping[str, str], spread: Sequence[str], unused: Sequence[str], options: Options, report: Report
) -> None:
    """Refuse a name such as `accuracy` where no direction is stated, and `objective`, or `cost` beside times, with outcomes.

    The name is that of the column, of one of those `spread` in a wide table, or else of the file. The direction of other values
    is noted, since `result` or `fitness` do not say it.
    """
    column = "" if spread else next((named[name] for name in ("cost", "mean", "value") if name in named), "")
    if options.direction is not None:
        return
    stated = {"outcome", "time_limit"} & named.keys() or options.outcomes
    of_runs = column and options.unit is None and "cost" in named and stated
    times = all_named(unused, "cost") if of_runs and named["cost"] == "cost" and "cost" not in options.columns else []
    if times or (of_runs and all_named([column], "value")):
        raise UserError(
            f"{file}: beside outcomes or limits costs are times, and {shown(column)!r} "
            + (f"may be none beside {shown(times[0])!r}" if times else "is by its name none")
            + "; say `direction: min` or `direction: max` if it is compared as it is, `unit` if it is a time, or name the times "
            "in `columns`."
        )
    # beside outcomes the names of columns are those of solvers
    names = [column] if column else not_numbered([] if stated else spread)
    smaller = any(SMALLER.fullmatch(name) or all_named([name], "cost") or unit_of(name) for name in names)
    refuse_larger(file, names if stated or smaller or options.unit or options.preset else [*names, PurePath(file).stem])
    if "value" in named or (all_named([column], "value") and not SMALLER.fullmatch(column)):
        report.add("direction_assumed", file, 1, f"smaller values of {shown(column or spread[0])!r} are taken to be better")


def refuse_larger(file: str, names: Sequence[str]) -> None:
    """Refuse the first name that says that larger values are better."""
    if larger := next(filter(larger_is_better, names), None):
        raise UserError(
            f"{file}: by its name, larger values of {shown(larger)!r} are better, and nothing else says so; say "
            "`direction: max`, or `direction: min` if smaller values are better."
        )


def tell_several(file: str, frame: pd.DataFrame, cells: pd.Series, rule: str, what: str, report: Report) -> list[str]:
    """Note costs at several budgets or of several quantities, and return some of these."""
    keys = [name for name in KEYS if name in frame and name != "run"]
    several = cells.groupby([frame[name] for name in keys], sort=False).agg(["nunique", "unique"]).query("nunique > 1")
    names = sorted(several["unique"].iloc[0], key=natural_key) if len(several) else []
    if names:
        listed = ", ".join(map(shown, names[:4])) + (", ..." if len(names) > 4 else "")
        report.add(rule, file, 1, f"{what} such as {listed} of one algorithm on one problem", len(several))
    return names


def ask_about_budgets(cells: Cells, report: Report) -> None:
    """Ask whether costs at the largest of several budgets are those compared."""
    frame = cells.frame
    budgets = tell_several(cells.files[0].name, frame, frame["budget"], "several_budgets", "budgets", report)
    if budgets:
        what = f"Runs of one algorithm on one problem have the budgets {', '.join(map(shown, budgets[:4]))}"
        report.asked.append(
            Proposal({"where": {cells.called["budget"]: budgets[-1]}}, (f"{what}. Is the largest to be compared?",))
        )


def _of_quantities(unread: pd.DataFrame) -> list[str]:
    """Return the columns that by their names or their words say what was measured."""
    statistics = {"", *_DATA["statistics"]}
    stated = [column for column in unread if {""} < {"", *unread[column].str.strip().str.lower()} <= statistics]
    return [*dict.fromkeys([*all_named(unread, "quantity"), *stated])]


def ask_about_quantities(file: str, frame: pd.DataFrame, unread: pd.DataFrame, options: Options, report: Report) -> None:
    """Ask which rows are compared where a column says what was measured in each, and its direction where all say the same."""
    for column in _of_quantities(unread):
        several = tell_several(file, frame, unread[column], "several_quantities", f"{shown(column)}s", report)
        named = sorted({*unread[column]} - {""})
        larger = [word for word in named if word.lower().startswith("neg") or larger_is_better(word)]
        if larger == named and options.direction is None:
            refuse_larger(file, named)
        if not several and 0 < len(larger) < len(named):
            report.add(
                "several_quantities",
                file,
                1,
                f"by their names larger values of {shown(larger[0])!r} are better, and smaller ones of "
                f"{shown(next(word for word in named if word not in larger))!r}",
            )
            several = named
        if several:
            report.asked.append(
                Proposal(
                    {"where": {column: several[0]}} | ({"direction": "max"} if several[0] in larger else {}),
                    (f"Which {shown(column)!r} is to be compared, and are its larger values better (`direction: max`)?",),
                )
            )


def ask_about_unit(cells: Cells, options: Options, report: Report) -> None:
    """Ask whether the names of columns of costs have their unit, where no cell has one; refuse several units."""
    role = next(role for role in ("cost", "mean") if role in cells)
    told = {unit_of(name): shown(name) for name in cells.spread_columns() or [cells.called[role]]}
    units = [unit for unit in told if unit is not None]
    if not units or options.unit is not None or options.direction is not None or matches(cells.frame[role], UNIT).any():
        return
    if len(units) > 1:
        raise UserError(
            f"{cells.files[0].name}: by their names {told[units[0]]!r} is in {units[0]}, and {told[units[1]]!r} in {units[1]}; "
            "give the columns of each unit as a source of its own (`columns` of `wide`, and `unit`), or say `direction: min` "
            "if they are not times."
        )
    if units != ["s"] and None not in told:
        unit, called = units[0], told[units[0]]
        report.ask(
            {"unit": unit},
            f"Is {called!r} in {unit}?",
            "unit_not_used",
            cells.at(0),
            f"the column {called!r} is by its name in {unit}, and its numbers count as they stand; if it is, say `unit: {unit}`",
        )


def ask_about_units(file: str, named: Mapping[str, str], unread: pd.DataFrame, report: Report) -> None:
    """Ask whether a column that is not read has the units of the costs."""
    role = next((role for role in ("cost", "mean") if role in named), "")
    for column in unread if role else ():
        if "unit" in column.lower() and {"s"} != {*unread[column].str.strip()} <= SECONDS.keys():
            what = f"the column {shown(column)!r} holds units of time, and the numbers of {shown(named[role])!r} have no unit"
            report.ask(
                {"columns": {role: [named[role], column]}},
                f"{what[0].upper()}{what[1:]}. Are these their units?",
                "unit_not_used",
                (file, 1),
                what,
            )


def ask_about_course(cells: Cells, unread: pd.DataFrame, report: Report) -> bool:
    """Ask whether rows that count as repetitions are the course of a run, and return True if that is asked."""
    progress = _progress(cells.frame, unread)
    how = _order(cells.frame) if progress is None and cells.kind == "cost" else None
    role = "cost" if cells.kind == "cost" else "mean"
    if progress is not None:
        what = f"{shown(progress)!r} grows from row to row of what count as repetitions"
        pair = f"{{{flow({'evaluations': progress})}, value: ...}}"
        remedy = "?" if cells.spread else f"? If so, say `columns: {pair}` in place of {role!r}."
    elif how is not None:
        what = f"costs {how} from row to row of what count as repetitions"
        remedy = ", or sorted? Rows of a course need a column that numbers them (`columns: {evaluations: ..., value: ...}`)."
    else:
        return False
    options = {"columns": {"evaluations": progress}} if progress is not None and cells.spread else {}
    question = f"{what[0].upper()}{what[1:]}. Are these rows the course of a run{remedy}"
    report.ask(options, question, "key_not_used", (cells.files[0].name, 1), what)
    return True


def ask_about_keys(cells: Cells, unread: pd.DataFrame, problem: Sequence[str], report: Report) -> None:
    """Ask about columns in which, by name or alike for all algorithms, rows differ that count as one run or as repetitions."""
    file, frame, course = cells.files[0].name, cells.frame, cells.kind == "trace"
    several = [(role, [c for c in ("problem", "algorithm") if c in frame]) for role in ("suite", "dimension", "instance")]
    if course:
        several += [(role, [c for c in (*KEYS, "evaluations") if c in frame]) for role in ("run", "seed")]
    columns: Written = {}
    for role, keys in several:
        named = keys_named(unread, unread, role) if keys and role not in frame else []
        if named and unread[named[0]].groupby([frame[key] for key in keys]).nunique().max() > 1:
            columns[role] = named[0]
            report.add("key_not_used", file, 1, f"the column {shown(named[0])!r} looks like `{role}`")
    if columns:
        listed = " and ".join(f"{shown(column)!r}" for column in columns.values())
        report.asked.append(Proposal({"columns": columns}, (f"Do the columns {listed}, which are not read, tell runs apart?",)))
        return
    column, count = (None, 0) if course else _apart(frame, unread)
    if column is not None:
        what = f"{count} rows have the problem and the algorithm of another one and differ in {shown(column)!r}"
        report.ask(
            {"columns": {"problem": [*problem, column]} if problem else {"instance": column}},
            f"{what}. Are they different problems, and no repetitions, or instances (`columns: {{instance: ...}}`), or the "
            "course of a run (`columns: {evaluations: ..., value: ...}`)?",
            "key_not_used",
            (file, 1),
            f"{what}; they count as repetitions",
        )


def _order(frame: pd.DataFrame) -> str | None:
    """Return how costs of equal keys change from row to row, if they do so in one direction alone."""
    runs = pd.to_numeric(frame["cost"], errors="coerce").groupby([frame[k] for k in (*KEYS, "seed") if k in frame])
    change = runs.diff().dropna()
    counts = {"fall": (change < 0).sum(), "rise": (change > 0).sum()}
    is_long = len(change) >= 2 * runs.ngroups
    return next((how for how, count in counts.items() if is_long and _IN_ORDER <= count == sum(counts.values())), None)


def _progress(frame: pd.DataFrame, unread: pd.DataFrame) -> str | None:
    """Return the column of evaluations or steps, by its name, that grows from row to row of equal keys, or begins again."""
    keys = [frame[key] for key in (*KEYS, "seed") if key in frame]
    for column in [*all_named(unread, "evaluations"), *all_named(unread, "step")]:
        steps = pd.to_numeric(unread[column], errors="coerce")
        runs = steps.groupby(keys)
        grows = runs.diff() > 0
        if grows.sum() >= _LATER and (grows | (steps == runs.transform("first"))).all():
            return column
    return None


def ask_about_spread(cells: Cells, named: Sequence[str], report: Report) -> None:
    """Ask about columns of a wide table, unless they are `named` in its entry, that by their names are no algorithms."""
    columns, place = [column for column in cells.spread_columns() if column not in named], (cells.files[0].name, 1)
    of_one: dict[str, Texts] = {}
    for column in columns:
        parts = re.fullmatch(_DATA["quantity"], re.sub(r"[\W_]+", " ", column[:LONGEST]).strip().lower())
        whose, quantity = (parts["a"] or parts["b"], parts["what"]) if parts else (column.lower(), "")
        of_one.setdefault(whose, {})[quantity] = column
    if several := [quantities for quantities in of_one.values() if len(quantities) > 1]:
        means, deviations = ([next((q[w] for w in words if w in q), "") for q in several] for words in (_MEANS, _DEVIATIONS))
        what = f"by their names {' and '.join(map(repr, map(shown, several[0].values())))} are of one {cells.spread}"
        report.ask(
            {"wide": {"key": cells.spread, "columns": means, "sd": deviations}} if all(means) and all(deviations) else {},
            f"{what[0].upper()}{what[1:]}. Which are compared (`wide: {{key: {cells.spread}, columns: [...]}}`)?",
            "key_not_used",
            place,
            f"{what}, and each counts as one",
        )
    with_sd = cells.frame.loc[~cells.blank("sd"), cells.spread].unique() if "sd" in cells else columns
    # among A, B, C, a D is an algorithm
    letters = [column for column in with_sd if len(column) == 1]
    candidates = [column for column in columns if len(letters) < 3 or column not in letters]
    # a mean is that of the ends of runs
    roles = ["dimension", "instance", "run", "seed", "time_limit", *(["evaluations", "step"] if cells.kind != "summary" else [])]
    for role in [role for role in roles if role not in (cells.spread, *cells.frame)]:
        for column in all_named([c for c in candidates if c in columns], role)[:1]:
            columns.remove(column)
            called = "evaluations" if role == "step" else role
            what = f"the column {shown(column)!r} looks like `{called}`, and counts as one of the {cells.spread}s"
            question = f"{what[0].upper()}{what[1:]}. Is it not one of them (or say `except` in `wide`)?"
            report.ask({"columns": {called: column}}, question, "key_not_used", place, what)
    of_problems = [c for c in columns if cells.spread == "algorithm" and re.fullmatch(_DATA["of_problems"], c[:LONGEST])]
    if aside := [column for column in columns if column in of_problems or column not in with_sd]:
        what = f"{', '.join(map(repr, map(shown, aside)))} by name, or by having no deviation, may be no {cells.spread}"
        report.ask({"wide": {"key": cells.spread, "except": aside}}, f"{what}. Is that so?", "key_not_used", place, what)


def ask_about_means(file: str, frame: pd.DataFrame, unread: pd.DataFrame, stated: bool, report: Report) -> None:
    """Ask of how many runs means are, unless it is `stated`, and whether they are of the successful ones alone.

    A column `n`, the same for all algorithms of a problem and another for others, may have the sizes of problems.
    """
    several = "n" in frame and not stated and "problem" in frame and frame["n"].nunique() > 1
    if several and frame.groupby("problem")["n"].nunique().max() == 1:
        report.ask(
            {"columns": {"dimension": "n"}},
            "Is 'n' the size of each problem? If it counts the runs behind each mean, write `columns: {n: n}`.",
            "sizes_as_runs",
            (file, 1),
            f"{shown(frame['n'].iat[0])} runs for each mean of {shown(frame['problem'].iat[0])}",
        )
    roles = {column: role for role in ("n", "sd") if role not in frame for column in all_named(unread, role)[:1]}
    if "n_successes" not in frame:
        roles |= {column: "n_successes" for column in unread if re.fullmatch(_DATA["of_successes"], column[:LONGEST])}
    for column, role in roles.items():
        what, question = _BESIDE_MEANS[role]
        counts = unread[column].str.fullmatch("[0-9]+").all() and not unread[column].isin(["0", "1"]).all()
        report.ask(
            {"columns": {role: column}} if counts or role == "sd" else {},
            f"By its name {shown(column)!r} {what}. {question}",
            "means_in_doubt",
            (file, 1),
            f"the column {shown(column)!r} {what}, and is not read",
        )


def ask_about_runs(file: str, unread: pd.DataFrame, report: Report) -> None:
    """Ask whether numbered columns beside means are the runs behind them."""
    if runs := [c for c in unread if c not in not_numbered([*unread]) and unread[c].map(is_number).all()]:
        what = f"{shown(runs[0])!r} to {shown(runs[-1])!r} stand beside means"
        report.ask(
            {"wide": {"key": "run", "columns": runs}},
            f"{what}. Are they the runs themselves, to be read in place of the means?",
            "means_in_doubt",
            (file, 1),
            f"{what}, and are not read",
        )


def _apart(frame: pd.DataFrame, unread: pd.DataFrame) -> tuple[str | None, int]:
    """Return the column in which most rows of one problem differ in the same way for all algorithms, and their number."""
    keys = [key for key in (*KEYS, "seed") if key in frame and key != "algorithm"]
    counts: dict[str | None, int] = {None: 0}
    cell = pd.DataFrame({"problem": frame.groupby(keys).ngroup(), "algorithm": frame.get("algorithm", "")})
    again = cell.duplicated(keep=False)
    alone, quantities = cell["algorithm"].nunique() == 1, _of_quantities(unread)
    for column in unread if again.any() else ():
        cells = unread[column].str.strip()
        aside = any(all_named([column], role) for role in ("run", "seed", "outcome", "value", "cost", "time_limit"))
        aside = aside or column in quantities
        words = [] if aside else _no_numbers(cells)
        # as runs and rows are counted, from 0 or from 1 on
        counted = any({*cells.unique()} == {str(i + first) for i in range(cells.nunique())} for first in (0, 1))
        if (
            aside
            or counted
            or (alone and all(is_number(w) for w in words if w))
            or (len(words) <= _MOST_WORDS and any(known(w) or tells_failure(w) for w in words))
            or cells.str.match(_DATA["date"]).all()
        ):
            continue
        rows = cell[again].assign(value=cells[again])
        rows = rows[rows.groupby(["problem", "algorithm"])["value"].transform("nunique") > 1]
        algorithms = [rows.groupby(keys)["algorithm"].transform("nunique") for keys in (["problem", "value"], "problem")]
        if len(rows) and (algorithms[0] == algorithms[1]).mean() > 0.5:
            counts[column] = len(rows)
    column = max(counts, key=counts.__getitem__)
    return column, counts[column]


def doubt(cells: Cells, solved: pd.Series, unread: pd.DataFrame, report: Report) -> None:
    """Note runs that are solved by their outcome and, by a column that is not read, are not."""
    for _, hit, told, _ in _silent_failures(unread, cells.frame, solved):
        report.add(
            "solved_in_doubt", *cells.at(int(np.argmax(hit))), f"{hit.sum()} of {solved.sum()} solved runs {told}", int(hit.sum())
        )


def compare_with_optima(cells: Cells, columns: Given, report: Report) -> None:
    """Note costs that are better than the optimum beside them, or objective values of proven optima that differ from it."""
    optimum, proven = columns["optimum"].to_numpy(zero_copy_only=False), columns.get("proven")
    stated = columns["cost"] if proven is None else columns["best_value"].to_numpy(zero_copy_only=False)
    better = (stated - optimum) * (1 if columns["maximise"] else -1)
    wrong = (better if proven is None else np.where(proven, abs(better), 0)) > contradictions.TOLERANCE * np.maximum(
        1, abs(optimum)
    )
    cells.note(
        wrong & np.isfinite(stated),
        "beyond_optimum" if proven is None else "solved_in_doubt",
        lambda row: f"{cells.shown('problem', row)}: {stated[row]:.10g}, and its optimum is {optimum[row]:.10g}",
        report,
    )


def ask_about_largest(cells: Cells, cost: np.ndarray, report: Report) -> None:
    """Ask whether the largest cost, or those just above a usual limit, mean failures."""
    finite = np.isfinite(cost) & (cost > 0)
    numbers, counts = np.unique(cost[finite], return_counts=True)
    if numbers.size <= _OTHERS:
        return
    often = max(_OFTEN, _SHARE * finite.sum())
    largest, second = float(numbers[-1]), float(numbers[-2])
    same = counts[-1] >= max(often, counts[-2] * 2)
    limit = largest if same else overrun_limit(cost[finite])
    rows = np.flatnonzero(finite & (cost >= (np.inf if limit is None else limit)))
    if limit is None or len(rows) < often or cells.frame["problem"].iloc[rows].nunique() < _PROBLEMS:
        return
    multiple = next((m for m in (10, 5, 2) if same and largest / m >= second > largest / m / 2), 1)
    at = limit / multiple
    # a limit is on the scale of the costs
    options = {"time_limit": short(at / SECONDS[cells.unit or "s"])} | ({"penalty": multiple} if multiple > 1 else {})
    what = f"{len(rows)} of {finite.sum()} costs are {'' if same else f'between {limit:g} and '}{largest:.10g}, the largest"
    means, failed = f"{'that' if same else f'{limit:g}'} is the time limit", "that limit" if same else f"a limit of {limit:g}"
    if multiple > 1:
        what += f", and no other is above {second:g}"
        means = f"it stands for a failure at a limit of {at:g}"
        failed = f"a limit of {at:g}, {multiple} times which stands for a failure"
    report.add("same_largest", *cells.at(int(rows[0])), f"{what}; if {means}, say `{flow(options)}`")
    if not report.asked:  # columns that say how runs ended may say this, too
        report.asked.append(Proposal(options, (f"{what}. Did these runs fail at {failed}?",)))


def ask_about_placeholders(cells: Cells, cost: np.ndarray, maximise: bool, report: Report) -> None:
    """Ask whether large powers of ten, nines above all others, or a -1 or -999 alone below 0, are failures."""
    finite, text = np.isfinite(cost) & (cost < PLACEHOLDER) & (not maximise), cells.frame["cost"]
    large = finite & (cost >= INFINITY) & are_called(text, _DATA["power_of_ten"])
    most = finite & (cost == cost[finite & ~large].max(initial=0)) & are_called(text, _DATA["sentinel"])
    below = (cost < 0) & (np.unique(cost[cost < 0]).size == 1) & are_called(text, r"-(?:1|9+)(?:\.0*)?")
    reasons = "which solvers write for infinity", "the largest, and what stands for no number", "the only number below 0"
    for where, why in zip((large, most, below), reasons, strict=True):
        if words := text[where].unique().tolist():
            options, n = {"outcomes": dict.fromkeys(words, "unknown")}, int(where.sum())
            what = f"{n} of {cells.rows} costs are {', '.join(words)}, {why}"
            report.ask(
                options,
                f"{what}. Are they failures?",
                "stands_for_none",
                cells.at(int(where.argmax())),
                f"{what}; if they are failures, say `{flow(options)}`",
                n,
            )


def ask_about_shares(cells: Cells, cost: np.ndarray, options: Options, report: Report) -> None:
    """Ask whether larger costs are better where all columns of a wide table have numbers from 0 to 1, and nothing says what."""
    finite = cost[np.isfinite(cost)]
    shares = finite.size > 1 and 0 <= finite.min() < finite.max() <= 1
    if (
        cells.spread
        and shares
        and options.direction is None
        and options.unit is None
        and not {"outcome", "time_limit"} & {*cells.frame}
    ):
        what = f"All costs are from {finite.min():g} to {finite.max():g}, as shares are"
        report.ask({"direction": "max"}, f"{what}. Are larger ones better?", "direction_assumed", cells.at(0), what)


def ask_about_optima(cells: Cells, trials: pa.Table, report: Report) -> None:
    """Ask whether solved runs state an optimum, if their objective values differ and their words do not mention optima."""
    words, proven = cells.frame["outcome"], np.asarray(trials["proven"], bool)
    solved = (
        np.asarray(pc.equal(trials["outcome"].cast(pa.string()), "solved"), bool) & ~proven & ~matches(words, _DATA["of_optima"])
    )
    optimal = schema.replaced(trials.filter(pa.array(solved)), proven=~proven[solved])
    if contradicting := contradictions.of_sources({"": optimal}).to_pylist():
        row = {key: shown(str(value)).removeprefix("the optimum ") for key, value in contradicting[0].items()}
        what = (
            f"solved runs differ in their objective values on {plural(len(contradicting), 'problem')}, such as {row['problem']}: "
            f"{row['claim']} by {row['algorithm']}, {row['other_claim']} by {row['other_algorithm']}"
        )
        report.ask(
            {"outcomes": dict.fromkeys(sorted({*words[solved]}), PROVEN)},
            f"{what[0].upper()}{what[1:]}. Are these words claims of an optimum?",
            "optima_in_doubt",
            file_and_line(contradicting[0]["other_place"]),
            what,
            len(contradicting),
        )


def ask_about_totals(cells: Cells, report: Report) -> None:
    """Ask whether rows named total, average, or the like are made of the others."""
    total, best = _DATA["total"], _DATA["best"]
    of_problems = are_called(cells.frame["problem"], total) | are_statistics(cells.frame["problem"]).to_numpy(bool)
    of_algorithms = are_called(cells.frame["algorithm"], f"{total}|{best}")
    for key, made in (("problem", of_problems), ("algorithm", of_algorithms)):
        named = cells.frame[key]
        rows = np.flatnonzero(made)
        if report.selection is not None and key in report.selection.where:
            rows = rows[[report.selection.chosen(key, name) for name in named.iloc[rows]]]
        if not 0 < rows.size < cells.rows:
            continue
        names = named.iloc[rows].unique().tolist()
        options = {"where": {key: {"not": names}}}
        listed = " or ".join(repr(shown(name)) for name in names[:_MOST_TOTALS])
        what = f"the {key} {listed} has a name for what is computed from the others"
        report.ask(
            options,
            f"{what[0].upper()}{what[1:]}. Is it {'a sum or a mean' if key == 'problem' else 'one'} of theirs?",
            "row_of_totals",
            cells.at(int(rows[0])),
            f"{what}; if it is, say `{flow(options)}`",
            rows.size,
        )
