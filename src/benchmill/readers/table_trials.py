"""The rows of a table as trials and traces."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Index, Mask, Numbers, UserError, keys, limits, schema
from benchmill.readers import solver_runs
from benchmill.readers.interface import NO_TRACES, Batch, Incomplete, trace_rows
from benchmill.readers.solver_runs import OUTCOMES, STATUSES, short
from benchmill.readers.table_cells import (
    FILE,
    LARGEST,
    NUMBER,
    STATED,
    Cells,
    are_differences,
    extras_of,
    floats,
    is_named,
    keys_of,
    matches,
    runs_of,
    whole,
    without_placeholders,
)
from benchmill.readers.table_checks import (
    INFINITY,
    ask_about_largest,
    ask_about_optima,
    ask_about_placeholders,
    ask_about_shares,
    ask_about_totals,
    ask_about_unit,
    compare_with_optima,
)
from benchmill.readers.table_files import LINE
from benchmill.text.labels import named

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


def costs(cells: Cells) -> Batch:
    """Return the trials of costs or means, and no traces."""
    options = cells.options
    maximise, timed = cells.maximise, options.direction is None
    if "run" in cells:
        again = cells.frame.drop(columns=[FILE, LINE]).duplicated().to_numpy()
        cells = cells.without(again, "duplicate_row", "{problem}, run {run}")
    ask_about_unit(cells)
    of_solvers = _are_of_solvers(cells)
    if timed if of_solvers else options.unit and cells.kind == "cost":
        cells = _without_negative_times(cells)
    solver = _solver_columns(cells) if of_solvers else {}
    if solver and not timed:
        # what has a direction of its own is no time: outcomes say which runs failed, and no more
        solver = {name: solver[name] for name in ("cost", "status")}
    cost = solver["cost"] if solver else _stated_costs(cells)
    if cells.kind == "cost" and not cells.those("outcome", "time_limit"):
        ask_about_placeholders(cells, cost)
        ask_about_largest(cells, cost)
    ask_about_totals(cells)
    ask_about_shares(cells, cost)
    places, rows = keys_of(cells), np.arange(cells.rows)
    order = np.argsort(keys.numbers(places, _PLACE), kind="stable")
    cell, extras = keys.numbers(places, places.column_names), extras_of(cells, rows)
    again = np.isfinite(cost) & (cells.kind == "cost" and "run" not in cells)
    again &= cells.frame[cells.those("seed")].assign(cell=cell, cost=cost).duplicated().to_numpy()
    cells.note(again, "repeated_row", "{problem}: {cost}")
    if "run" not in cells:
        _ask_about_files(cells, places, cell)
    columns = {
        **dict(zip(places.column_names, places.columns, strict=True)),
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
        columns |= _of_means(cells, cost)
    if "budget" in cells:
        budget, blank = whole(cells, "budget", 0, LARGEST, empty=True)
        columns["budget"] = pa.array(budget, mask=blank)
    called = cells.called.get("cost", "")
    of_times = options.unit is not None or (called != "cost" and is_named(called, "cost"))
    if "optimum" in extras and ("best_value" in extras if "proven" in solver else not of_times):
        compare_with_optima(cells, columns)
    trials = schema.table("trials", {**columns, "source": cells.sources(rows)})
    if solver and {"outcome", "best_value"} <= set(cells.frame):
        ask_about_optima(cells, trials)
    # most columns have nothing
    taken = [column if column.null_count == len(rows) else column.take(order) for column in trials.columns]
    return schema.replaced(pa.table(taken, trials.schema), trial=rows), NO_TRACES


def _stated_costs(cells: Cells) -> Numbers:
    """Return costs or means; inf for failures, and where no run succeeded."""
    name, empty_fails = "cost" if cells.kind == "cost" else "mean", cells.options.empty == "failure"
    none = np.zeros(cells.rows, bool)
    if "n_successes" in cells:
        successes, unknown = whole(cells, "n_successes", empty=True)
        none = ~unknown & (successes == 0)
    cost = floats(cells, name, empty=empty_fails or bool(none.any()))
    if not cells.maximise:
        cost = without_placeholders(cells, name, cost)
    empty = np.isnan(cost) & ~none
    cells.refuse(empty & (not empty_fails), name, "a number or inf (or declare `empty: failure` or `empty: missing`)")
    cells.each(empty, "empty_is_failure", "column {column!r} is empty", name)
    cost[none | empty] = np.inf
    cells.refuse(cost == -np.inf, name, "a number, or inf for a failure")
    return cost


def _of_means(cells: Cells, cost: Numbers) -> schema.Row:
    """Return of how many runs means are, and how these spread."""
    columns = {}
    n = np.ones(cells.rows, np.int64)
    if "n" in cells:
        n, _ = whole(cells, "n", 1)
        columns["n"] = n
    else:
        cells.report.add("runs_not_stated", *cells.at(0), "no column gives `n`", count=cells.rows)
    if "sd" in cells:
        sd = floats(cells, "sd", empty=True)
        cells.refuse((sd < 0) | np.isinf(sd), "sd", "a standard deviation of 0 or more")
        columns["cost_sd"] = pa.array(sd, mask=np.isnan(sd))
    for count in cells.those("n_successes", "n_feasible"):
        numbers, blank = whole(cells, count, empty=True)
        cells.refuse(~blank & (numbers > n), count, "a whole number up to the {runs} runs of the row", runs=n)
        none = np.isinf(cost) & ~blank & (numbers > 0) & (count == "n_successes")
        cells.refuse(none, "mean", "the mean of the {runs} successful runs, a finite number", runs=numbers)
        columns[count] = pa.array(numbers, mask=blank)
    return columns


def _beyond(cells: Cells) -> Numbers:
    """Return which costs say that a run took more than a time."""
    return matches(cells["cost"], _BEYOND)


def _are_of_solvers(cells: Cells) -> bool:
    """Return True if the entry or a cell states outcomes."""
    options, file = cells.options, cells.file
    if cells.kind == "cost" and (options.outcomes or cells.those("outcome", "time_limit") or _beyond(cells).any()):
        if options.direction is not None and options.time_limit is not None:
            raise UserError(f"{file}: `time_limit` is of times, and `direction` of costs that are not; leave one of them out.")
        if "*" in options.outcomes and "outcome" not in cells and not (cells["cost"] == "*").any():
            raise UserError(f"{file}: `outcomes` has '*', and no column is the `outcome`; name it in `columns`.")
        return True
    if options.penalty is not None or options.outcomes or ("outcome" in cells and cells.kind == "summary"):
        what = "`penalty` needs `time_limit`" if options.penalty is not None else "outcomes belong to costs of single runs"
        raise UserError(f"{file}: {what}; correct the source's entry.")
    return False


def _solver_columns(cells: Cells) -> schema.Row:
    """Return costs, outcomes and limits: a stated outcome counts, then a word, then whether the number reaches the limit."""
    options = cells.options
    limit = np.full(cells.rows, np.nan)
    if "time_limit" in cells and options.direction is None:
        limit, most = floats(cells, "time_limit", empty=True), INFINITY
        cells.refuse(
            (limit <= 0) | (limit >= most), "time_limit", f"a time above 0 and below {most:g}, or an empty cell for none"
        )
    beyond, stated = _beyond(cells), cells["cost"]
    outcome = np.array(stated.map({word: options.meaning(word) for word in options.outcomes}).astype(object).fillna(""))
    if "outcome" in cells:  # a number there is a cost, whatever the words for outcomes are
        outcome[matches(stated, NUMBER)] = ""
    worded = outcome != ""
    # a word stands in place of a number; the number of a failure may be missing too
    plain = stated.mask(worded, "").mask(beyond, stated.str.strip(">=≥+ "))
    number = floats(replace(cells, frame=cells.frame.assign(**{"cost": plain, STATED: stated})), "cost", empty=True)
    number = without_placeholders(cells, "cost", number)
    limit[beyond] = number[beyond]
    outcome[beyond] = "time_limit"
    proven = np.zeros(cells.rows, bool)
    if "outcome" in cells:
        outcome = np.where(worded | beyond, outcome, _stated_outcomes(cells, worded | beyond))
        words = cells["outcome"]
        proven = words.isin([word for word in words.unique() if options.states_optimum(word)]).to_numpy(bool)
    blank = pd.Series(outcome).isin(_SOLVED).to_numpy() & np.isnan(number)
    cells.refuse(
        blank & ~worded & (options.empty != "failure"), "cost", "a number, inf, a word of `outcomes`, or `empty: failure`"
    )
    cells.each(blank, "empty_is_failure", "column {column!r} is empty", "cost")
    outcome[blank | ((outcome == "") & np.isinf(number))] = "unknown"
    reached = (number >= limit) & np.isfinite(number)
    censored = reached & (outcome == "")
    outcome[censored] = "time_limit"
    outcome[outcome == ""] = "solved"
    status = pd.Series(outcome).map(STATUSES)
    solved = (status == "solved").to_numpy()
    # what was multiplied may have been the time that it took to stop
    factors = (2.0, 5.0, 10.0) if options.penalty is None else (options.penalty,)
    least, most = (np.multiply.outer(factors, limit) * slack for slack in (1 - _ALIKE, 1 + limits.SAME))
    penalised = ~solved & ((number >= least) & (number <= most)).any(0)
    near = ~(worded | ("outcome" in cells)) & solved & (number < limit) & (number >= (1 - _NEAR) * limit)

    for rule, which, beside in (
        ("beyond_limit", beyond, "is beyond"),
        ("censored", censored & ~penalised, "reaches"),
        ("penalised", penalised, "is a multiple of"),
        ("solved_beyond_limit", reached & solved, "is beyond"),
        ("near_limit", near, "is little below"),
    ):
        cells.note(which, rule, f"the time {beside} the limit of {{limit:g}}: {{cost}}", limit=limit)
    if near.any():
        cells.ask(
            {"time_limit": short(float(number[near].min()) / cells.seconds)},
            f"{near.sum()} of {cells.rows} times are less than {_NEAR:.1%} below the limit. Did the limit stop these runs?",
        )
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


def _stated_outcomes(cells: Cells, is_known: Mask) -> Numbers:
    """Return what the column of outcomes says where the cost tells none; ask what words mean."""
    words = cells["outcome"]
    meant = {word: cells.options.meaning(word) for word in words[~is_known].unique()}
    if unknown := [word for word, one in meant.items() if one is None]:
        row = int(np.argmax((words == unknown[0]) & ~is_known))
        listed = ", ".join(map(named, unknown[:_MOST_WORDS]))
        wrong = cells.wrong(row, "outcome", f"a word of `outcomes`, or one of {', '.join(OUTCOMES)}; such words are {listed}")
        raise Incomplete(str(wrong).removesuffix("."), "say in `outcomes` what they mean")
    return np.asarray(words.map(meant).astype(object).fillna(""))


def traces_of(cells: Cells) -> Batch:
    """Return the trials and traces of improvements; equal keys, run and seed make a trial."""
    maximise, by_file = cells.maximise, cells.options.repetitions
    cells, evaluations, value, violation = _improvements(cells)
    places = keys_of(cells)
    code = keys.numbers(places, places.column_names)
    _ask_about_files(cells, places, _numbered(cells, code, cells.those("run")))
    if not cells.those("run", "seed"):
        cells = _with_runs(cells, code, evaluations, value)
    trial = _numbered(cells, code, cells.those("run", "seed", *([FILE] if by_file else [])))
    first_row = np.unique(trial, return_index=True)[1]
    run_of = runs_of(cells, code[first_row], first_row)
    listed = np.lexsort((first_row, keys.numbers(places, _PLACE)[first_row]))
    trial, rows = np.argsort(listed)[trial], first_row[listed]

    # of each row what it has, by violation and then by value, and what its trial has at best so far
    rank = pd.DataFrame({"violation": violation, "value": -value if maximise else value}).groupby(["violation", "value"]).ngroup()
    course = pd.DataFrame({"trial": trial, "evaluations": evaluations, "rank": rank})
    course = course.sort_values(["trial", "evaluations", "rank"])
    course["best"] = course.groupby("trial")["rank"].cummin()
    for row in course[course["rank"] > course["best"]].drop_duplicates("trial").index.tolist():
        cells.report.add(
            "running_minimum",
            *cells.at(row),
            f"{value[row]:.10g} at {evaluations[row]} evaluations is worse than an earlier value",
        )
    kept = course.drop_duplicates(["trial", "best"]).index.to_numpy()
    last = course.drop_duplicates("trial", keep="last").index.to_numpy()
    best_row = course.groupby("trial")["rank"].idxmin().to_numpy()

    budget = _budgets(cells, rows, evaluations[last], trial)
    final, feasible = value[best_row], violation[best_row] <= 0
    difference, extras = are_differences(cells, rows), extras_of(cells, rows)
    solved = difference & (final <= 0) & feasible
    if "optimum" in extras:
        optimum = extras["optimum"].to_numpy(zero_copy_only=False)
        solved |= (final >= optimum if maximise else final <= optimum) & feasible
    columns = {"evaluations": evaluations[kept], "value": value[kept], "on_target": True}
    if "violation" in cells:
        extras["violation"] = pa.array(violation[best_row])
        columns["violation"] = violation[kept]
    trials = schema.table(
        "trials",
        {
            **dict(zip(places.column_names, places.take(rows).columns, strict=True)),
            **extras,
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
    return trials, trace_rows(trials, trial[kept], columns)


def _improvements(cells: Cells) -> tuple[Cells, Numbers, Numbers, Numbers]:
    """Return the rows from the first evaluation on, their evaluations, values and violations."""
    evaluations, _ = whole(cells, "evaluations", 0, LARGEST)
    evaluations = evaluations + (cells.options.counted_from == 0)
    if cells.options.counted_from == 1:
        cells.note(evaluations == 0, "row_before_first", "the row is at 0 evaluations")
        cells, evaluations = cells.kept(evaluations > 0), evaluations[evaluations > 0]
    value = floats(cells, "value")
    # an infinite value that is the worst is none; one that is the best would reach every target
    best = np.inf if cells.maximise else -np.inf
    cells.refuse(value == best, "value", "a finite number, or the worst infinity for none")
    violation = floats(cells, "violation") if "violation" in cells else np.zeros(cells.rows)
    cells.refuse(violation == -np.inf, "violation", "a number of 0 or more")
    return cells, evaluations, value, violation


def _numbered(cells: Cells, code: Index, columns: list[str]) -> Numbers:
    """Number what rows are of: one code, and the same in some columns."""
    return np.asarray(cells.frame[columns].assign(code=code).groupby([*columns, "code"], sort=False).ngroup())


def _ask_about_files(cells: Cells, places: pa.Table, cell: Index) -> None:
    """Ask about runs of several files that nothing tells apart."""
    if len(cells.files) > 1 and not cells.options.repetitions:
        solver_runs.ask_about_repetitions(
            places,
            cell,
            cells["seed"].tolist() if "seed" in cells else [None] * cells.rows,
            cells.sources(np.arange(cells.rows)).to_pylist(),
            "say what the names of the files tell (`file_pattern`), or give one of them",
        )


def _with_runs(cells: Cells, code: Index, evaluations: Index, value: Numbers) -> Cells:
    """Number runs that follow one another, perhaps in separate files."""
    by_file = cells.options.repetitions
    rows = pd.DataFrame({"code": code, "file": cells[FILE].to_numpy(), "evaluations": evaluations, "value": value})
    each = ["code", "file"] if by_file else ["code"]
    begins = (rows.groupby(each)["evaluations"].diff() < 0).to_numpy() & rows.drop_duplicates().duplicated(
        [*each, "evaluations"]
    ).any()
    cells.note(begins, "runs_in_a_row", "the evaluations begin again")
    begins = begins | (by_file & (rows.groupby("code")["file"].diff() > 0).to_numpy())
    if not begins.any():
        return cells
    return replace(
        cells,
        frame=cells.frame.assign(run=(pd.Series(begins).groupby(code).cumsum() + 1).astype(str).to_numpy()),
        called={**cells.called, "run": "run"},
    )


def _budgets(cells: Cells, first: Index, largest: Index, trial: Index) -> Numbers:
    report = cells.report
    if "budget" not in cells:
        report.add("budget_from_trace", *cells.at(0), "no column gives `budget`", count=len(first))
        return largest
    stated, _ = whole(cells, "budget", 0, LARGEST)
    budget = stated[first]
    cells.refuse(stated != budget[trial], "budget", "the same budget in all rows of a trial, {own}", own=budget[trial])
    for i in np.flatnonzero(largest > budget).tolist():
        report.add(
            "budget_from_trace",
            *cells.at(int(first[i])),
            f"the trial has {largest[i]} evaluations, more than its budget of {budget[i]}",
        )
    return np.asarray(np.maximum(budget, largest))


def _without_negative_times(cells: Cells) -> Cells:
    column, meaning = cells["cost"], cells.options.meaning
    # a number that the entry calls an outcome is no time
    negative = matches(cells.text("cost"), r"^-[0-9.]*[1-9]") & ~column.isin([*cells.options.outcomes]).to_numpy(bool)
    if "outcome" in cells:
        # a run that failed needs no time
        failed = negative & ~cells["outcome"].map(lambda word: OUTCOMES.get(meaning(word) or "solved") is True).to_numpy(bool)
        cells = replace(cells, frame=cells.frame.assign(cost=column.mask(failed, "")))
        negative = negative & ~failed
    for row in keys_of(cells.kept(negative)).to_pylist():
        cells.report.expect((row["algorithm"], row["suite"], row["problem"], row["dimension"], row["instance"]))
    return cells.without(negative, "impossible_time", "a time of {cost}")
