"""Readings of a table other than its entry says, which are noted or asked about, and change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core import Array, UserError, beside, contradictions, natural_key, schema, shown
from benchmill.readers.interface import PLACEHOLDER, Given, Texts, Written, file_and_line, flow
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
    is_named,
    is_none,
    is_number,
    keys_named,
    larger_is_better,
    matches,
    not_numbered,
    unit_of,
)
from benchmill.text import prose
from benchmill.text.labels import named

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
#: Words for means and for deviations in names of columns.
_MEANS, _DEVIATIONS = ("mean", "avg", "average", ""), ("std", "sd", "stdev", "std dev", "stddev")
_YES, _NO = set(_DATA["yes"]), set(_DATA["no"])
#: What solvers take for no gap and no violation of constraints: up to 0.01 %.
_CLOSED = 1e-4


def meanings(cells: pd.Series) -> dict[str, str | None]:
    """Return what each word of a column of outcomes means, None where that is not certain."""
    words = sorted(set(cells))
    if (asked := _answered(cells)) is not None:
        no = "unknown" if asked == "solved" else "solved"
        return {word: asked if word.lower() in _YES else no for word in words}
    # beside an optimum what is satisfiable has a solution, and perhaps a better one
    proven = any(map(states_optimum, words))
    return {word: None if proven and re.fullmatch(_DATA["satisfiable"], word) else known(word) for word in words}


def _answered(cells: pd.Series) -> str | None:
    """Return what a yes means in a column of yes and no, by its name; None in any other column."""

    def has(pattern: str) -> bool:
        return re.search(rf"(^|[\W_])({pattern})([\W_]|$)", str(cells.name), re.IGNORECASE) is not None

    answers = {cell.lower() for cell in cells.unique()}
    if not (answers <= _YES | _NO and answers & _YES and answers & _NO):
        return None
    meant = next((meant for pattern, meant in _DATA["answers"].items() if has(pattern)), None)
    return None if meant == "solved" and has(_DATA["otherwise"]) else meant


def outcome_named(frame: pd.DataFrame, of_runs: bool = True) -> str | None:
    """Return the column of outcomes: by its name, its words, or a yes or no whose name says what it answers."""
    few: list[str] = [c for c in frame if len(c) <= LONGEST and frame[c].nunique() <= _MOST_WORDS]
    for column in all_named(few, "outcome"):
        cells = frame[column]
        stated = [cell for cell in cells.unique() if not is_none(cell)]
        numbers = [cell for cell in stated if is_number(cell)]
        codes = len(stated) <= _MOST_CODES and cells.str.fullmatch("-?[0-9]{1,4}").all()
        measured = len(numbers) == len(stated) or any("." in cell for cell in numbers)
        first = stated[0] if of_runs and stated else "0"
        fails = not is_number(first) and (known(first) != "solved" or states_optimum(first))
        if (cells.nunique() != 1 or fails) and (codes or not measured):
            return column
    for column in few:
        known_words = [None if is_number(word) else known(word) for word in frame[column].unique() if word]
        # of problems it may be unknown whether they have a solution
        ended = {OUTCOMES[str(one)] for one in known_words if of_runs or one != "unknown"} if None not in known_words else set()
        if ended >= {True, False}:
            return column
    # of several that answer the same, the one by which the fewest runs are solved
    asked = {column: _answered(frame[column]) for column in reversed(few)}
    strict = sorted(asked, key=lambda c: -(frame[c].str.lower().isin(_YES) == (asked[c] == "solved")).sum())
    answers = {asked[column]: column for column in strict}
    return next((answers[meant] for meant in _DATA["answers"].values() if meant in answers), None)


def ask_about_outcomes(cells: Cells, unread: pd.DataFrame, below: pd.Series) -> None:
    """Ask about columns that are not read and tell of limits, or of failures in rows `below` them; in wide tables note them."""
    of_runs = cells.spread is None
    status = None if "outcome" in cells else outcome_named(unread, of_runs)
    meant = {} if status is None else meanings(unread[status])
    failing = [word for word, one in meant.items() if one is None or OUTCOMES[one] is not True]
    columns = {}
    if status is not None and (unread[status].isin(failing) & (below | (not of_runs))).any():
        columns["outcome"] = status
    limits = [] if "time_limit" in cells else all_named(unread, "time_limit")[:1]
    if limits and unread[limits[0]].map(is_number).all():
        columns["time_limit"] = limits[0]
    for role, column in columns.items():
        cells.tell("outcome_not_used", f"the column {named(column)} looks like `{role}`")
    if not of_runs:
        return
    meant = meant if "outcome" in columns else {}
    questions = prose.sentences(
        __file__,
        "Outcomes",
        columns=list(columns.values()),
        unknown=[word for word, one in meant.items() if one is None],
        status=status,
    )
    outcomes = {word: one for word, one in meant.items() if one is not None and word not in OUTCOMES}
    for column, hit, told, those in _silent_failures(unread, cells, below) if not {"outcome"} & {*columns, *cells.frame} else ():
        what = f"{hit.sum()} of {below.sum()} runs with a cost {told}"
        cells.tell("outcome_not_used", f"{what}, and count as solved")
        questions.append(f"{what}. Did these runs fail?")
        if "outcome" not in columns:
            columns["outcome"], outcomes = column, those
    if columns:
        cells.ask({"columns": columns} | ({"outcomes": outcomes} if outcomes else {}), *questions)


def _silent_failures(unread: pd.DataFrame, cells: Cells, fine: pd.Series) -> Iterator[tuple[str, pd.Series, str, Texts]]:
    """Yield columns in which `fine` runs have an error's text, a gap or no number: which have, what, and `outcomes`."""
    for column, stated in unread.items():
        words = _no_numbers(stated)
        none, bad = set(filter(is_none, words)), set(filter(tells_failure, words))
        said = {*words} - none
        of_errors, of_gaps = (re.fullmatch(_DATA[names], column, re.IGNORECASE) is not None for names in ("of_errors", "of_gaps"))
        others = {word for word in said if known(word) != "solved"}
        numbers = pd.to_numeric(stated.str.rstrip("% "), errors="coerce")
        numeric = all(map(is_number, said))
        # beside words of success others are no success, and so are the texts that some runs have in a column of errors, and
        # those among numbers
        success = len(words) <= _MOST_WORDS and "solved" in map(known, words)
        success &= "outcome" in cells or _is_of_runs(column, stated.isin(others), cells)
        if of_errors or success or (not numeric and numbers.notna().any() and _is_of_runs(column, numbers.isna(), cells)):
            bad |= others
        open_gap = fine & of_gaps & ((stated.isin(others) & numbers.notna().any()) | (numbers.abs() > _CLOSED))
        failing, lacking, which = fine & stated.isin(bad), fine & stated.isin(none), named(column)
        if open_gap.any():
            hit, told = open_gap, f"are not at 0 in {which}, but at {shown(stated[open_gap].iloc[0])} or the like"
            meant = {**dict.fromkeys(sorted({*stated[numbers.abs() <= _CLOSED]})[:_MOST_WORDS], "solved"), "*": "unknown"}
        elif failing.any():
            hit, told = failing, f"have {named(stated[failing].iloc[0])} or the like in {which}"
            meant = {**dict.fromkeys(sorted(none), "solved"), "*": "error"} if stated.isin(none | bad).all() else {}
        elif (
            numeric
            and "outcome" not in cells
            and 0 < lacking.sum() < fine.sum()
            and _is_of_runs(column, stated.isin(none), cells)
        ):
            hit, told = lacking, f"have no {which}"
            meant = {**dict.fromkeys(sorted(none), "unknown"), "*": "solved"}
        else:
            continue
        yield column, hit, told, meant


def _no_numbers(cells: pd.Series) -> list[str]:
    """Return once each cell that is not a plain number."""
    words = pd.Series(cells.unique(), dtype=str)
    return [*words[pd.to_numeric(words, errors="coerce").isna()]]


def _is_of_runs(column: str, lacks: pd.Series, cells: Cells) -> bool:
    """Return True if runs of one problem and of one algorithm differ in lacking a cell, or the column is named as a result."""
    return is_named(column, "value", "outcome") or (
        "algorithm" in cells
        and cells["algorithm"].nunique() > 1
        and all(lacks.groupby(cells[key]).nunique().max() > 1 for key in ("problem", "algorithm"))
    )


def ask_about_direction(cells: Cells, unused: Sequence[str]) -> None:
    """Refuse a name such as `accuracy` where no direction is stated, and `objective`, or `cost` beside times, with outcomes.

    The name is that of the column, of one of those spread in a wide table, or else of the file. The direction of other values
    is noted, since `result` or `fitness` do not say it.
    """
    file, called, spread, options = cells.file, cells.called, cells.spread_columns(), cells.options
    column = "" if spread else next((called[name] for name in ("cost", "mean", "value") if name in called), "")
    if options.direction is not None:
        return
    stated = {"outcome", "time_limit"} & called.keys() or options.outcomes
    of_runs = column and options.unit is None and "cost" in called and stated
    times = all_named(unused, "cost") if of_runs and called["cost"] == "cost" and "cost" not in options.columns else []
    if times or (of_runs and is_named(column, "value")):
        raise UserError(
            f"{file}: beside outcomes or limits costs are times, and {shown(column)!r} "
            + (f"may be none beside {shown(times[0])!r}" if times else "is by its name none")
            + "; say `direction: min` or `direction: max` if it is compared as it is, `unit` if it is a time, or name the times "
            "in `columns`."
        )
    # beside outcomes the names of columns are those of solvers
    names = [column] if column else not_numbered([] if stated else spread)
    smaller = any(SMALLER.fullmatch(name) or is_named(name, "cost") or unit_of(name) for name in names)
    refuse_larger(file, names if stated or smaller or options.unit or options.preset else [*names, PurePath(file).stem])
    if "value" in called or (is_named(column, "value") and not SMALLER.fullmatch(column)):
        cells.tell("direction_assumed", f"smaller values of {named(column or spread[0])} are taken to be better")


def refuse_larger(file: str, names: Sequence[str]) -> None:
    """Refuse the first name that says that larger values are better."""
    if larger := next(filter(larger_is_better, names), None):
        raise UserError(
            f"{file}: by its name, larger values of {shown(larger)!r} are better, and nothing else says so; say "
            "`direction: max`, or `direction: min` if smaller values are better."
        )


def _several(cells: Cells, stated: pd.Series, rule: str, what: str) -> list[str]:
    """Note costs at several budgets or of several quantities, and return some of these."""
    several = (
        stated.groupby([cells[name] for name in cells.those(*KEYS[:-1])], sort=False)
        .agg(["nunique", "unique"])
        .query("nunique > 1")
    )
    names = sorted(several["unique"].iloc[0], key=natural_key) if len(several) else []
    if names:
        listed = ", ".join(map(shown, names[:4])) + (", ..." if len(names) > 4 else "")
        cells.tell(rule, f"{what} such as {listed} of one algorithm on one problem", len(several))
    return names


def ask_about_budgets(cells: Cells) -> None:
    """Ask whether costs at the largest of several budgets are those compared."""
    if budgets := _several(cells, cells["budget"], "several_budgets", "budgets"):
        cells.ask(
            {"where": {cells.called["budget"]: budgets[-1]}},
            f"Runs of one algorithm on one problem have the budgets {', '.join(map(shown, budgets[:4]))}. Is the largest to be "
            "compared?",
        )


def _of_quantities(unread: pd.DataFrame) -> list[str]:
    """Return the columns that by their names or their words say what was measured."""
    statistics = {"", *_DATA["statistics"]}
    stated = [column for column in unread if {""} < {"", *unread[column].str.lower()} <= statistics]
    return [*dict.fromkeys([*all_named(unread, "quantity"), *stated])]


def ask_about_quantities(cells: Cells, unread: pd.DataFrame) -> None:
    """Ask which rows are compared where a column says what was measured in each, and its direction where all say the same."""
    for column in _of_quantities(unread):
        several = _several(cells, unread[column], "several_quantities", f"{shown(column)}s")
        words = sorted({*unread[column]} - {""})
        larger = [word for word in words if word.lower().startswith("neg") or larger_is_better(word)]
        if larger == words and cells.options.direction is None:
            refuse_larger(cells.file, words)
        if not several and 0 < len(larger) < len(words):
            smaller = next(word for word in words if word not in larger)
            cells.tell(
                "several_quantities",
                f"by their names larger values of {named(larger[0])} are better, and smaller ones of {named(smaller)}",
            )
            several = words
        if several:
            cells.ask(
                {"where": {column: several[0]}} | ({"direction": "max"} if several[0] in larger else {}),
                f"Which {named(column)} is to be compared, and are its larger values better (`direction: max`)?",
            )


def ask_about_unit(cells: Cells) -> None:
    """Ask whether the names of columns of costs have their unit, where no cell has one; refuse several units."""
    options, (role, *_) = cells.options, cells.those("cost", "mean")
    told = {unit_of(name): shown(name) for name in cells.spread_columns() or [cells.called[role]]}
    units = [unit for unit in told if unit is not None]
    if not units or options.unit is not None or options.direction is not None or matches(cells[role], UNIT).any():
        return
    if len(units) > 1:
        raise UserError(
            f"{cells.file}: by their names {told[units[0]]!r} is in {units[0]}, and {told[units[1]]!r} in {units[1]}; "
            "give the columns of each unit as a source of its own (`columns` of `wide`, and `unit`), or say `direction: min` "
            "if they are not times."
        )
    if units != ["s"] and None not in told:
        _ask(cells, "unit_not_used in a name", {"unit": units[0]}, 0, column=told[units[0]], unit=units[0])


def ask_about_units(cells: Cells, unread: pd.DataFrame) -> None:
    """Ask whether a column that is not read has the units of the costs."""
    for role in [role for role in ("cost", "mean") if role in cells.called][:1]:
        for column in unread:
            if "unit" in column.lower() and {"s"} != {*unread[column]} <= SECONDS.keys():
                costs = cells.called[role]
                _ask(cells, "unit_not_used", {"columns": {role: [costs, column]}}, column=column, costs=costs)


def ask_about_course(cells: Cells, unread: pd.DataFrame) -> bool:
    """Ask whether rows that count as repetitions are the course of a run, and return True if that is asked."""
    progress = _progress(cells, unread)
    how = _order(cells) if progress is None and cells.kind == "cost" else None
    if progress is None and how is None:
        return False
    columns = {"evaluations": progress}
    _ask(
        cells,
        "key_not_used of a course",
        {"columns": columns} if progress is not None and cells.spread else {},
        progress=progress,
        how=how,
        spread=cells.spread,
        role="cost" if cells.kind == "cost" else "mean",
        pair=flow(columns),
    )
    return True


def ask_about_keys(cells: Cells, unread: pd.DataFrame, problem: Sequence[str]) -> None:
    """Ask about columns in which, by name or alike for all algorithms, rows differ that count as one run or as repetitions."""
    course = cells.kind == "trace"
    several = dict.fromkeys(("suite", "dimension", "instance"), cells.those("problem", "algorithm"))
    several |= dict.fromkeys(("run", "seed") if course else (), cells.those(*KEYS, "evaluations"))
    columns = {}
    for role, keys in several.items():
        candidates = keys_named(unread, unread, role) if keys and role not in cells else []
        if candidates and unread[candidates[0]].groupby([cells[key] for key in keys]).nunique().max() > 1:
            columns[role] = candidates[0]
            cells.tell("key_not_used", f"the column {named(candidates[0])} looks like `{role}`")
    if columns:
        which = " and ".join(map(named, columns.values()))
        cells.ask({"columns": columns}, f"Do the columns {which}, which are not read, tell runs apart?")
        return
    column, count = (None, 0) if course else _apart(cells, unread)
    if column is not None:
        _ask(
            cells,
            "key_not_used",
            {"columns": {"problem": [*problem, column]} if problem else {"instance": column}},
            column=column,
            count=count,
        )


def _groups(cells: Cells) -> list[pd.Series]:
    """Return the columns of keys, those of rows that nothing else tells apart."""
    return [cells[key] for key in cells.those(*KEYS, "seed")]


def _order(cells: Cells) -> str | None:
    """Return how costs of equal keys change from row to row, if they do so in one direction alone."""
    runs = pd.to_numeric(cells["cost"], errors="coerce").groupby(_groups(cells))
    change = runs.diff().dropna()
    counts = {"fall": (change < 0).sum(), "rise": (change > 0).sum()}
    is_long = len(change) >= 2 * runs.ngroups
    return next((how for how, count in counts.items() if is_long and _IN_ORDER <= count == sum(counts.values())), None)


def _progress(cells: Cells, unread: pd.DataFrame) -> str | None:
    """Return the column of evaluations or steps, by its name, that grows from row to row of equal keys, or begins again."""
    for column in [*all_named(unread, "evaluations"), *all_named(unread, "step")]:
        steps = pd.to_numeric(unread[column], errors="coerce")
        runs = steps.groupby(_groups(cells))
        grows = runs.diff() > 0
        if grows.sum() >= _LATER and (grows | (steps == runs.transform("first"))).all():
            return column
    return None


def ask_about_spread(cells: Cells, told: Sequence[str]) -> None:
    """Ask about columns of a wide table, unless they are `told` in its entry, that by their names are no algorithms."""
    columns = [column for column in cells.spread_columns() if column not in told]
    of_one: dict[str, Texts] = {}
    for column in columns:
        parts = re.fullmatch(_DATA["quantity"], re.sub(r"[\W_]+", " ", column[:LONGEST]).strip().lower())
        whose, quantity = (parts["a"] or parts["b"], parts["what"]) if parts else (column.lower(), "")
        of_one.setdefault(whose, {})[quantity] = column
    if several := [quantities for quantities in of_one.values() if len(quantities) > 1]:
        means, deviations = ([next((q[w] for w in words if w in q), "") for q in several] for words in (_MEANS, _DEVIATIONS))
        _ask(
            cells,
            "key_not_used of one",
            {"wide": {"key": cells.spread, "columns": means, "sd": deviations}} if all(means + deviations) else {},
            columns=list(several[0].values()),
            key=cells.spread,
        )
    with_sd = cells.frame.loc[~cells.blank("sd"), cells.spread].unique() if "sd" in cells else columns
    # among A, B, C, a D is an algorithm
    letters = [column for column in with_sd if len(column) == 1]
    letters = letters if len(letters) > 2 else []
    # a mean is that of the ends of runs
    roles = ["dimension", "instance", "run", "seed", "time_limit", *(["evaluations", "step"] if cells.kind != "summary" else [])]
    for role in [role for role in roles if role not in (cells.spread, *cells.frame)]:
        for column in all_named([c for c in columns if c not in letters], role)[:1]:
            columns.remove(column)
            called = "evaluations" if role == "step" else role
            _ask(cells, "key_not_used in a row", {"columns": {called: column}}, column=column, role=called, key=cells.spread)
    of_problems = [c for c in columns if cells.spread == "algorithm" and re.fullmatch(_DATA["of_problems"], c[:LONGEST])]
    if aside := [column for column in columns if column in of_problems or column not in with_sd]:
        _ask(cells, "key_not_used aside", {"wide": {"key": cells.spread, "except": aside}}, columns=aside, key=cells.spread)


def ask_about_means(cells: Cells, unread: pd.DataFrame, stated: bool) -> None:
    """Ask of how many runs means are, unless it is `stated`, and whether they are of the successful ones alone.

    A column `n`, the same for all algorithms of a problem and another for others, may have the sizes of problems. Columns that
    are numbered may be the runs themselves.
    """
    several = "n" in cells and not stated and "problem" in cells and cells["n"].nunique() > 1
    if several and cells.frame.groupby("problem")["n"].nunique().max() == 1:
        _ask(cells, "sizes_as_runs", {"columns": {"dimension": "n"}}, runs=cells["n"].iat[0], problem=cells["problem"].iat[0])
    roles = {column: role for role in ("n", "sd") if role not in cells for column in all_named(unread, role)[:1]}
    if "n_successes" not in cells:
        roles |= {column: "n_successes" for column in unread if re.fullmatch(_DATA["of_successes"], column[:LONGEST])}
    for column, role in roles.items():
        counts = unread[column].str.fullmatch("[0-9]+").all() and not unread[column].isin(["0", "1"]).all()
        _ask(cells, "means_in_doubt", {"columns": {role: column}} if counts or role == "sd" else {}, column=column, role=role)
    if runs := [c for c in unread if c not in not_numbered([*unread]) and unread[c].map(is_number).all()]:
        _ask(cells, "means_in_doubt by runs", {"wide": {"key": "run", "columns": runs}}, runs=runs)


def _apart(cells: Cells, unread: pd.DataFrame) -> tuple[str | None, int]:
    """Return the column in which most rows of one problem differ in the same way for all algorithms, and their number."""
    frame, counts = cells.frame, dict[str | None, int]({None: 0})
    keys = [key for key in cells.those(*KEYS, "seed") if key != "algorithm"]
    cell = pd.DataFrame({"problem": frame.groupby(keys).ngroup(), "algorithm": frame.get("algorithm", "")})
    again = cell.duplicated(keep=False)
    alone, quantities = cell["algorithm"].nunique() == 1, _of_quantities(unread)
    for column, stated in unread.items() if again.any() else ():
        if column in quantities or is_named(column, "run", "seed", "outcome", "value", "cost", "time_limit"):
            continue
        words = _no_numbers(stated)
        # as runs and rows are counted, from 0 or from 1 on
        counted = any({*stated.unique()} == {str(i + first) for i in range(stated.nunique())} for first in (0, 1))
        if (
            counted
            or (alone and all(is_number(w) for w in words if w))
            or (len(words) <= _MOST_WORDS and any(known(w) or tells_failure(w) for w in words))
            or stated.str.match(_DATA["date"]).all()
        ):
            continue
        rows = cell[again].assign(value=stated[again])
        rows = rows[rows.groupby(["problem", "algorithm"])["value"].transform("nunique") > 1]
        algorithms = [rows.groupby(keys)["algorithm"].transform("nunique") for keys in (["problem", "value"], "problem")]
        if len(rows) and (algorithms[0] == algorithms[1]).mean() > 0.5:
            counts[column] = len(rows)
    column = max(counts, key=counts.__getitem__)
    return column, counts[column]


def doubt(cells: Cells, solved: pd.Series, unread: pd.DataFrame) -> None:
    """Note runs that are solved by their outcome and, by a column that is not read, are not."""
    for _, hit, told, _ in _silent_failures(unread, cells, solved):
        what, n = f"{hit.sum()} of {solved.sum()} solved runs {told}", int(hit.sum())
        cells.report.add("solved_in_doubt", *cells.at(int(np.argmax(hit))), what, n)


def compare_with_optima(cells: Cells, columns: Given) -> None:
    """Note costs that are better than the optimum beside them, or objective values of proven optima that differ from it."""
    optimum, proven = columns["optimum"].to_numpy(zero_copy_only=False), columns.get("proven")
    stated = columns["cost"] if proven is None else columns["best_value"].to_numpy(zero_copy_only=False)
    better = (stated - optimum) * (1 if columns["maximise"] else -1)
    better = better if proven is None else np.where(proven, abs(better), 0)
    cells.note(
        (better > contradictions.TOLERANCE * np.maximum(1, abs(optimum))) & np.isfinite(stated),
        "beyond_optimum" if proven is None else "solved_in_doubt",
        "{problem}: {stated:.10g}, and its optimum is {best:.10g}",
        stated=stated,
        best=optimum,
    )


def ask_about_largest(cells: Cells, cost: Array) -> None:
    """Ask whether the largest cost, or those just above a usual limit, mean failures."""
    finite = np.isfinite(cost) & (cost > 0) & (not cells.maximise)
    numbers, counts = np.unique(cost[finite], return_counts=True)
    if numbers.size <= _OTHERS:
        return
    often = max(_OFTEN, _SHARE * finite.sum())
    second, largest = numbers[-2:].tolist()
    same = counts[-1] >= max(often, counts[-2] * 2)
    limit = largest if same else overrun_limit(cost[finite])
    rows = np.flatnonzero(finite & (cost >= (np.inf if limit is None else limit)))
    if limit is None or len(rows) < often or cells["problem"].iloc[rows].nunique() < _PROBLEMS:
        return
    multiple = next((m for m in (10, 5, 2) if same and largest / m >= second > largest / m / 2), 1)
    at = limit / multiple
    # a limit is on the scale of the costs
    options = {"time_limit": short(at / cells.seconds)} | ({"penalty": multiple} if multiple > 1 else {})
    facts = {"options": flow(options), "n": len(rows), "total": finite.sum(), "limit": limit, "largest": largest}
    facts |= {"same": same, "second": second, "multiple": multiple, "at": at}
    told, question = prose.sentences(__file__, "same_largest", **facts)
    cells.report.add("same_largest", *cells.at(int(rows[0])), told)
    if not cells.report.asked:  # columns that say how runs ended may say this, too
        cells.ask(options, question)


def ask_about_placeholders(cells: Cells, cost: Array) -> None:
    """Ask whether large powers of ten, nines above all others, or a -1 or -999 alone below 0, are failures."""
    finite, text = np.isfinite(cost) & (cost < PLACEHOLDER) & (not cells.maximise), cells["cost"]
    large = finite & (cost >= INFINITY) & are_called(text, _DATA["power_of_ten"])
    most = finite & (cost == cost[finite & ~large].max(initial=0)) & are_called(text, _DATA["sentinel"])
    below = (cost < 0) & (np.unique(cost[cost < 0]).size == 1) & are_called(text, r"-(?:1|9+)(?:\.0*)?")
    for where, why in ((large, "large"), (most, "most"), (below, "below")):
        if words := text[where].unique().tolist():
            options, n = {"outcomes": dict.fromkeys(words, "unknown")}, int(where.sum())
            _ask(cells, "stands_for_none", options, int(where.argmax()), n, why=why, words=words, total=cells.rows)


def ask_about_shares(cells: Cells, cost: Array) -> None:
    """Ask whether larger costs are better where all columns of a wide table have numbers from 0 to 1, and nothing says what."""
    finite, options = cost[np.isfinite(cost)], cells.options
    shares = finite.size > 1 and 0 <= finite.min() < finite.max() <= 1
    stated = options.direction or options.unit or cells.those("outcome", "time_limit")
    if cells.spread and shares and not stated:
        _ask(cells, "direction_assumed", {"direction": "max"}, 0, least=finite.min(), most=finite.max())


def ask_about_optima(cells: Cells, trials: pa.Table) -> None:
    """Ask whether solved runs state an optimum, if their objective values differ and their words do not mention optima."""
    words, proven = cells["outcome"], schema.flags(trials, "proven")
    solved = schema.says(trials, "outcome", "solved") & ~proven & ~matches(words, _DATA["of_optima"])
    optimal = schema.replaced(trials.filter(solved), proven=~proven[solved])
    if contradicting := contradictions.of_sources({"": optimal}).to_pylist():
        row = {key: shown(str(value)).removeprefix("the optimum ") for key, value in contradicting[0].items()}
        told, question = prose.sentences(__file__, "optima_in_doubt", n=len(contradicting), **row)
        options, where = {"outcomes": dict.fromkeys(sorted({*words[solved]}), PROVEN)}, contradicting[0]["other_place"]
        cells.report.ask(options, question, "optima_in_doubt", file_and_line(where), told, len(contradicting))


def ask_about_totals(cells: Cells) -> None:
    """Ask whether rows named total, average, or the like are made of the others."""
    total, best, selection = _DATA["total"], _DATA["best"], cells.report.selection
    for key, made in (
        ("problem", are_called(cells["problem"], total) | are_statistics(cells["problem"]).to_numpy(bool)),
        ("algorithm", are_called(cells["algorithm"], f"{total}|{best}")),
    ):
        rows = np.flatnonzero(made)
        if selection is not None and key in selection.where:
            rows = rows[[selection.chosen(key, name) for name in cells[key].iloc[rows]]]
        if 0 < rows.size < cells.rows:
            names = cells[key].iloc[rows].unique().tolist()
            _ask(
                cells,
                "row_of_totals",
                {"where": {key: {"not": names}}},
                int(rows[0]),
                rows.size,
                key=key,
                names=names[:_MOST_TOTALS],
            )


def _ask(cells: Cells, part: str, options: Written, row: int | None = None, n: int = 1, **facts: Any) -> None:
    """Note and ask what a part of the template says, whose first word is the rule, of a row or else of the table."""
    told, question = prose.sentences(__file__, part, options=flow(options), n=n, **facts)
    cells.report.ask(options, question, part.split()[0], (cells.file, 1) if row is None else cells.at(row), told, n)
