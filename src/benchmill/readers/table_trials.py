"""The rows of a table as trials and traces."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, limits, schema
from benchmill.core.errors import UserError
from benchmill.readers import solver_runs, table_checks
from benchmill.readers.interface import Batch, Incomplete, Proposal, Report, trace_rows
from benchmill.readers.solver_runs import OUTCOMES, SECONDS, STATUSES, short
from benchmill.readers.table_cells import (
    FILE,
    NUMBER,
    STATED,
    Cells,
    all_named,
    are_differences,
    extras_of,
    floats,
    keys_of,
    matches,
    runs_of,
    whole,
    without_placeholders,
)
from benchmill.readers.table_files import LINE
from benchmill.readers.table_options import Options
from benchmill.text.labels import shown

#: A time that a run took more than.
_AT_LEAST = r"[0-9.]+(?:[eE][+-]?[0-9]+)?\s*(?:ns|us|µs|ms|s|sec|min|h|d)?"
_BEYOND = rf"^(?:(?:>\s*=?|≥)\s*{_AT_LEAST}|{_AT_LEAST}\s*\+)$"
#: What a run with each of the outcomes is, and those by which it has solved its problem, as has one without an outcome.
_SOLVED = ["", *(one for one, status in STATUSES.items() if status == "solved")]
#: Numbers that differ by less are one; how little below its limit a time may be that a limit on another clock has cut.
_ALIKE, _NEAR = 1e-9, 1e-3
#: By what trials are sorted.
_PLACE = ("suite", "problem", "dimension")
#: Words that a message lists.
_MOST_WORDS = 30


def costs(cells: Cells, maximise: bool, options: Options, report: Report) -> Batch:
    """Return the trials of costs or means, and no traces."""
    cells = _without_duplicates(cells, report) if "run" in cells else cells
    table_checks.ask_about_unit(cells, options, report)
    solver: schema.Row = {}
    if _are_of_solvers(cells, options):
        timed = options.direction is None
        cells = _without_negative_times(cells, options, report) if timed else cells
        solver = _solver_columns(cells, options, report)
        # what has a direction of its own is no time: outcomes say which runs failed, and no more
        solver = solver if timed else {name: solver[name] for name in ("cost", "status")}
    elif options.unit and cells.kind == "cost":
        cells = _without_negative_times(cells, options, report)
    cost = solver["cost"] if solver else _stated_costs(cells, maximise, options, report)
    if cells.kind == "cost" and not {"outcome", "time_limit"} & set(cells.frame):
        table_checks.ask_about_placeholders(cells, cost, maximise, report)
        if not maximise:
            table_checks.ask_about_largest(cells, cost, report)
    table_checks.ask_about_totals(cells, report)
    table_checks.ask_about_shares(cells, cost, options, report)
    named, rows = keys_of(cells), np.arange(cells.rows)
    order = np.argsort(keys.numbers(named, _PLACE), kind="stable")
    cell, extras = keys.numbers(named, named.column_names), extras_of(cells, rows)
    again = np.isfinite(cost) & (cells.kind == "cost" and "run" not in cells)
    again &= cells.frame[[name for name in ("seed",) if name in cells]].assign(cell=cell, cost=cost).duplicated().to_numpy()
    cells.note(again, "repeated_row", lambda row: f"{cells.shown('problem', row)}: {cells.shown('cost', row)}", report)
    if "run" not in cells:
        _ask_about_files(cells, named, cell, options)
    columns = {
        **{name: named[name] for name in named.column_names},
        **extras,
        "run": runs_of(cells, cell, rows),
        "trial": rows,
        "cost": cost,
        "n": 1,
        "value_kind": pc.if_else(are_differences(cells, rows), "difference", "absolute"),
        "maximise": maximise,
        "status": pc.if_else(np.isfinite(cost), "solved", "failed"),
        **solver,
    }
    if cells.kind == "summary":
        columns |= _of_means(cells, cost, report)
    if "budget" in cells:
        budget, blank = whole(cells, "budget", 0, 2**62, empty=True)
        columns["budget"] = pa.array(budget, mask=blank)
    of_times = options.unit is not None or (
        cells.called.get("cost") != "cost" and all_named([cells.called.get("cost", "")], "cost")
    )
    if "optimum" in extras and ("best_value" in extras if "proven" in solver else not of_times):
        table_checks.compare_with_optima(cells, columns, report)
    trials = schema.table("trials", {**columns, "source": cells.sources(rows)})
    if solver and {"outcome", "best_value"} <= set(cells.frame):
        table_checks.ask_about_optima(cells, trials, report)
    # most columns have nothing
    taken = [column if column.null_count == len(rows) else column.take(pa.array(order)) for column in trials.columns]
    return schema.replaced(pa.table(taken, trials.schema), trial=rows), schema.TABLES["traces"].empty_table()


def _stated_costs(cells: Cells, maximise: bool, options: Options, report: Report) -> np.ndarray:
    """Return costs or means; inf for failures, and where no run succeeded."""
    name, empty_fails = "cost" if cells.kind == "cost" else "mean", options.empty == "failure"
    none = np.zeros(cells.rows, bool)
    if "n_successes" in cells:
        successes, unknown = whole(cells, "n_successes", 0, 2**31 - 1, empty=True)
        none = ~unknown & (successes == 0)
    cost = floats(cells, name, empty=empty_fails or bool(none.any()))
    if not maximise:
        cost = without_placeholders(cells, name, cost, report)
    empty = np.isnan(cost) & ~none
    cells.refuse(empty & (not empty_fails), name, "a number or inf (or declare `empty: failure` or `empty: missing`)")
    for row in np.flatnonzero(empty).tolist():
        report.add("empty_is_failure", *cells.at(row), f"column {cells.column(name, row)!r} is empty")
    cost[none | empty] = np.inf
    cells.refuse(cost == -np.inf, name, "a number, or inf for a failure")
    return cost


def _of_means(cells: Cells, cost: np.ndarray, report: Report) -> schema.Row:
    """Return of how many runs means are, and how these spread."""
    columns: schema.Row = {}
    n = np.ones(cells.rows, np.int64)
    if "n" in cells:
        n, _ = whole(cells, "n", 1, 2**31 - 1, empty=False)
        columns["n"] = n.astype(np.int32)
    else:
        report.add("runs_not_stated", *cells.at(0), "no column gives `n`", count=cells.rows)
    if "sd" in cells:
        sd = floats(cells, "sd", empty=True)
        cells.refuse((sd < 0) | np.isinf(sd), "sd", "a standard deviation of 0 or more")
        columns["cost_sd"] = pa.array(sd, mask=np.isnan(sd))
    for count in [count for count in ("n_successes", "n_feasible") if count in cells]:
        numbers, blank = whole(cells, count, 0, 2**31 - 1, empty=True)
        cells.refuse(~blank & (numbers > n), count, lambda row: f"a whole number up to the {n[row]} runs of the row")
        none = np.isinf(cost) & ~blank & (numbers > 0) & (count == "n_successes")
        cells.refuse(none, "mean", lambda row: f"the mean of the {numbers[row]} successful runs, a finite number")  # noqa: B023
        columns[count] = pa.array(numbers.astype(np.int32), mask=blank)
    return columns


def _beyond(cells: Cells) -> np.ndarray:
    """Return which costs say that a run took more than a time."""
    return matches(cells.frame["cost"], _BEYOND)


def _are_of_solvers(cells: Cells, options: Options) -> bool:
    """Return True if the entry or a cell states outcomes."""
    if cells.kind == "cost" and (options.outcomes or {"outcome", "time_limit"} & set(cells.frame) or _beyond(cells).any()):
        if options.direction is not None and options.time_limit is not None:
            raise UserError(
                f"{cells.files[0].name}: `time_limit` is of times, and `direction` of costs that are not; leave one of them out."
            )
        if "*" in options.outcomes and "outcome" not in cells and not (cells.frame["cost"] == "*").any():
            raise UserError(f"{cells.files[0].name}: `outcomes` has '*', and no column is the `outcome`; name it in `columns`.")
        return True
    if options.penalty is not None or options.outcomes or ("outcome" in cells and cells.kind == "summary"):
        what = "`penalty` needs `time_limit`" if options.penalty is not None else "outcomes belong to costs of single runs"
        raise UserError(f"{cells.files[0].name}: {what}; correct the source's entry.")
    return False


def _solver_columns(cells: Cells, options: Options, report: Report) -> schema.Row:
    """Return costs, outcomes and limits: a stated outcome counts, then a word, then whether the number reaches the limit."""
    limit = np.full(cells.rows, np.nan)
    if "time_limit" in cells and options.direction is None:
        limit = floats(cells, "time_limit", empty=True)
        cells.refuse(
            (limit <= 0) | (limit >= table_checks.INFINITY),
            "time_limit",
            f"a time above 0 and below {table_checks.INFINITY:g}, or an empty cell for none",
        )
    beyond, stated = _beyond(cells), cells.frame["cost"]
    outcome = np.array(stated.map({word: options.meaning(word) for word in options.outcomes}).astype(object).fillna(""))
    if "outcome" in cells:  # a number there is a cost, whatever the words for outcomes are
        outcome[matches(stated, NUMBER)] = ""
    worded = outcome != ""
    # a word stands in place of a number; the number of a failure may be missing too
    plain = stated.mask(worded, "").mask(beyond, stated.str.strip(">=≥+ "))
    number = floats(replace(cells, frame=cells.frame.assign(**{"cost": plain, STATED: stated})), "cost", empty=True)
    number = without_placeholders(cells, "cost", number, report)
    limit[beyond] = number[beyond]
    outcome[beyond] = "time_limit"
    proven = np.zeros(cells.rows, bool)
    if "outcome" in cells:
        outcome = np.where(worded | beyond, outcome, _stated_outcomes(cells, options, worded | beyond))
        words = cells.frame["outcome"]
        proven = words.isin([word for word in words.unique() if options.states_optimum(word)]).to_numpy(bool)
    blank = pd.Series(outcome).isin(_SOLVED).to_numpy() & np.isnan(number)
    cells.refuse(
        blank & ~worded & (options.empty != "failure"), "cost", "a number, inf, a word of `outcomes`, or `empty: failure`"
    )
    for row in np.flatnonzero(blank).tolist():
        report.add("empty_is_failure", *cells.at(row), f"column {cells.column('cost', row)!r} is empty")
    outcome[blank | ((outcome == "") & np.isinf(number))] = "unknown"
    reached = (number >= limit) & np.isfinite(number)
    censored = reached & (outcome == "")
    outcome[censored] = "time_limit"
    outcome[outcome == ""] = "solved"
    status = pd.Series(outcome).map(STATUSES)
    solved = (status == "solved").to_numpy()
    # what was multiplied may have been the time that it took to stop
    factors = (2.0, 5.0, 10.0) if options.penalty is None else (options.penalty,)
    penalised = ~solved & np.any(
        [(number >= f * limit * (1 - _ALIKE)) & (number <= f * limit * (1 + limits.SAME)) for f in factors], 0
    )
    near = ~(worded | ("outcome" in cells)) & solved & (number < limit) & (number >= (1 - _NEAR) * limit)

    for rule, which, beside in (
        ("beyond_limit", beyond, "is beyond"),
        ("censored", censored & ~penalised, "reaches"),
        ("penalised", penalised, "is a multiple of"),
        ("solved_beyond_limit", reached & solved, "is beyond"),
        ("near_limit", near, "is little below"),
    ):
        cells.note(which, rule, lambda row: f"the time {beside} the limit of {limit[row]:g}: {cells.shown('cost', row)}", report)  # noqa: B023
    if near.any():
        what = f"{near.sum()} of {cells.rows} times are less than {_NEAR:.1%} below the limit"
        shortest = short(float(number[near].min()) / SECONDS[cells.unit or "s"])
        report.asked.append(Proposal({"time_limit": shortest}, (f"{what}. Did the limit stop these runs?",)))
    time = np.where(penalised | np.isinf(number), np.nan, number)
    if "runtime_s" in cells:
        time = floats(cells, "runtime_s", empty=True)
        time[np.isinf(time)] = np.nan
    cells.refuse(solved & ~np.isfinite(number), "cost", "a finite time of a run that is solved")
    stated_limits = pa.array(limit, from_pandas=True)
    return {
        "cost": np.where(solved, number, np.inf),
        "status": pa.array(status, pa.string()),
        "outcome": pa.array(outcome, pa.string()),
        "proven": proven & (outcome == "solved"),
        "sense_open": True,
        "time_limit_s": stated_limits,
        "cost_budget": stated_limits,
        "runtime_s": pa.array(time, from_pandas=True),
    }


def _stated_outcomes(cells: Cells, options: Options, is_known: np.ndarray) -> np.ndarray:
    """Return what the column of outcomes says where the cost tells none; ask what words mean."""
    words = cells.frame["outcome"]
    meant = {word: options.meaning(word) for word in words[~is_known].unique()}
    if unknown := [word for word, one in meant.items() if one is None]:
        listed = ", ".join(repr(shown(word)) for word in unknown[:_MOST_WORDS])
        wrong = cells.wrong(
            int(np.argmax((words == unknown[0]) & ~is_known)),
            "outcome",
            f"a word of `outcomes`, or one of {', '.join(OUTCOMES)}; such words are {listed}",
        )
        raise Incomplete(str(wrong).removesuffix("."), "say in `outcomes` what they mean")
    return np.asarray(words.map(meant).astype(object).fillna(""))


def traces_of(cells: Cells, maximise: bool, options: Options, report: Report) -> Batch:
    """Return the trials and traces of improvements; equal keys, run and seed make a trial."""
    cells, evaluations, value, violation = _improvements(cells, maximise, options.counted_from, report)
    named = keys_of(cells)
    code = keys.numbers(named, named.column_names)
    stated = [name for name in ("run", "seed") if name in cells]
    _ask_about_files(cells, named, _numbered(cells, code, [name for name in stated if name == "run"]), options)
    if not stated:
        cells = _with_runs(cells, code, evaluations, value, options.repetitions, report)
    trial = _numbered(
        cells, code, [name for name in ("run", "seed", FILE) if name in cells and (name != FILE or options.repetitions)]
    )
    first_row = np.unique(trial, return_index=True)[1]
    run_of = runs_of(cells, code[first_row], first_row)
    listed = np.lexsort((first_row, keys.numbers(named, _PLACE)[first_row]))
    trial, rows = np.argsort(listed)[trial], first_row[listed]

    # of each row what it has, by violation and then by value, and what its trial has at best so far
    rank = pd.DataFrame({"violation": violation, "value": -value if maximise else value}).groupby(["violation", "value"]).ngroup()
    course = pd.DataFrame({"trial": trial, "evaluations": evaluations, "rank": rank})
    course = course.sort_values(["trial", "evaluations", "rank"])
    course["best"] = course.groupby("trial")["rank"].cummin()
    for row in course[course["rank"] > course["best"]].drop_duplicates("trial").index.tolist():
        what = f"{value[row]:.10g} at {evaluations[row]} evaluations is worse than an earlier value"
        report.add("running_minimum", *cells.at(row), what)
    kept = course.drop_duplicates(["trial", "best"]).index.to_numpy()
    last = course.drop_duplicates("trial", keep="last").index.to_numpy()
    best_row = course.groupby("trial")["rank"].idxmin().to_numpy()

    budget = _budgets(cells, rows, evaluations[last], trial, report)
    final, feasible = value[best_row], violation[best_row] <= 0
    difference = are_differences(cells, rows)
    solved = difference & (final <= 0) & feasible
    extras = extras_of(cells, rows)
    if "optimum" in extras:
        optimum = extras["optimum"].to_numpy(zero_copy_only=False)
        solved |= (final >= optimum if maximise else final <= optimum) & feasible
    if "violation" in cells:
        extras["violation"] = pa.array(violation[best_row])
    trials = schema.table(
        "trials",
        {name: named[name].take(pa.array(rows)) for name in named.column_names}
        | extras
        | {
            "run": run_of[listed],
            "trial": np.arange(len(rows)),
            "budget": budget,
            "best_value": final,
            "n": 1,
            "value_kind": pc.if_else(difference, "difference", "absolute"),
            "maximise": maximise,
            "status": pc.if_else(solved, "solved", "failed"),
            "source": cells.sources(rows),
        },
    )
    columns: schema.Row = {"evaluations": evaluations[kept], "value": value[kept], "on_target": True}
    columns |= {"violation": violation[kept]} if "violation" in cells else {}
    return trials, trace_rows(trials, trial[kept], columns)


def _improvements(
    cells: Cells, maximise: bool, counted_from: int | None, report: Report
) -> tuple[Cells, np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows from the first evaluation on, their evaluations, values and violations."""
    evaluations, _ = whole(cells, "evaluations", 0, 2**62, empty=False)
    evaluations = evaluations + (counted_from == 0)
    if counted_from == 1:
        cells.note(evaluations == 0, "row_before_first", lambda row: "the row is at 0 evaluations", report)
        cells, evaluations = replace(cells, frame=cells.frame[evaluations > 0]), evaluations[evaluations > 0]
    value = floats(cells, "value")
    # an infinite value that is the worst is none; one that is the best would reach every target
    cells.refuse(value == (np.inf if maximise else -np.inf), "value", "a finite number, or the worst infinity for none")
    violation = floats(cells, "violation") if "violation" in cells else np.zeros(cells.rows)
    cells.refuse(violation == -np.inf, "violation", "a number of 0 or more")
    return cells, evaluations, value, violation


def _numbered(cells: Cells, code: np.ndarray, columns: list[str]) -> np.ndarray:
    """Number what rows are of: one code, and the same in some columns."""
    return np.asarray(cells.frame[columns].assign(code=code).groupby([*columns, "code"], sort=False).ngroup())


def _ask_about_files(cells: Cells, named: pa.Table, cell: np.ndarray, options: Options) -> None:
    """Ask about runs of several files that nothing tells apart."""
    if len(cells.files) > 1 and not options.repetitions:
        solver_runs.ask_about_repetitions(
            named,
            cell,
            cells.frame["seed"].tolist() if "seed" in cells else [None] * cells.rows,
            cells.sources(np.arange(cells.rows)).to_pylist(),
            "say what the names of the files tell (`file_pattern`), or give one of them",
        )


def _with_runs(
    cells: Cells, code: np.ndarray, evaluations: np.ndarray, value: np.ndarray, by_file: bool, report: Report
) -> Cells:
    """Number runs that follow one another, perhaps in separate files."""
    rows = pd.DataFrame({"code": code, "file": cells.frame[FILE].to_numpy(), "evaluations": evaluations, "value": value})
    each = ["code", "file"] if by_file else ["code"]
    again = rows.drop_duplicates().duplicated([*each, "evaluations"]).any()
    begins = (rows.groupby(each)["evaluations"].diff() < 0).to_numpy() & again
    cells.note(begins, "runs_in_a_row", lambda row: "the evaluations begin again", report)
    begins = begins | (by_file & (rows.groupby("code")["file"].diff() > 0).to_numpy())
    if not begins.any():
        return cells
    run = pd.Series(begins).groupby(code).cumsum() + 1
    return replace(cells, frame=cells.frame.assign(run=run.astype(str).to_numpy()), called={**cells.called, "run": "run"})


def _budgets(cells: Cells, first: np.ndarray, largest: np.ndarray, trial: np.ndarray, report: Report) -> np.ndarray:
    if "budget" not in cells:
        report.add("budget_from_trace", *cells.at(0), "no column gives `budget`", count=len(first))
        return largest
    stated, _ = whole(cells, "budget", 0, 2**62, empty=False)
    own = stated[first][trial]
    cells.refuse(stated != own, "budget", lambda row: f"the same budget in all rows of a trial, {own[row]}")
    budget = stated[first]
    for i in np.flatnonzero(largest > budget).tolist():
        report.add(
            "budget_from_trace",
            *cells.at(int(first[i])),
            f"the trial has {largest[i]} evaluations, more than its budget of {budget[i]}",
        )
    return np.asarray(np.maximum(budget, largest))


def _without_duplicates(cells: Cells, report: Report) -> Cells:
    again = cells.frame.drop(columns=[FILE, LINE]).duplicated().to_numpy()
    return cells.without(
        again, "duplicate_row", lambda row: f"{cells.shown('problem', row)}, run {cells.shown('run', row)}", report
    )


def _without_negative_times(cells: Cells, options: Options, report: Report) -> Cells:
    column = cells.frame["cost"]
    # a number that the entry calls an outcome is no time
    negative = matches(cells.text("cost"), r"^-[0-9.]*[1-9]") & ~column.isin([*options.outcomes]).to_numpy(bool)
    if "outcome" in cells:
        # a run that failed needs no time
        solved = cells.frame["outcome"].map(lambda word: OUTCOMES.get(options.meaning(word) or "solved") is True)
        failed = negative & ~solved.to_numpy(bool)
        cells = replace(cells, frame=cells.frame.assign(cost=column.mask(failed, "")))
        negative = negative & ~failed
    for row in keys_of(replace(cells, frame=cells.frame[negative])).to_pylist():
        report.expect((row["algorithm"], row["suite"], row["problem"], row["dimension"], row["instance"]))
    return cells.without(negative, "impossible_time", lambda row: f"a time of {cells.shown('cost', row)}", report)
