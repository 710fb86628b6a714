"""The rows of a table as trials and traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.core.best_so_far import lowest_ranks
from benchmill.core.errors import UserError
from benchmill.readers import table_checks
from benchmill.readers.interface import Incomplete, Report
from benchmill.readers.statuses import OUTCOMES
from benchmill.readers.table_cells import (
    FILE,
    NUMBER,
    STATED,
    Cells,
    extras_of,
    first_true,
    floats,
    keyed_by,
    runs_of,
    text_of,
    value_kinds,
    whole,
    without_placeholders,
)
from benchmill.readers.table_files import LINE
from benchmill.readers.table_names import KEYS
from benchmill.readers.table_options import Options
from benchmill.text.labels import shown

#: A time that a run took more than.
_AT_LEAST = r"[0-9.]+(?:[eE][+-]?[0-9]+)?\s*(?:ns|us|µs|ms|s|sec|min|h|d)?"
_BEYOND = rf"^(?:(?:>\s*=?|≥)\s*{_AT_LEAST}|{_AT_LEAST}\s*\+)$"
#: Words that a message lists.
_MOST_WORDS = 30


def costs(cells: Cells, maximise: bool, options: Options, report: Report) -> tuple[pa.Table, pa.Table]:
    """Return the trials of a table of costs or of means, and no traces."""
    name = "cost" if cells.kind == "cost" else "mean"
    cells = _without_duplicates(cells, report) if "run" in cells else cells
    words = options.meanings
    empty_fails = options.empty == "failure"
    if cells.kind == "cost" and (words or options.unit or {"outcome", "time_limit"} & set(cells.frame)):
        cells = _without_negative_times(cells, report)
    solver = _solver_columns(cells, words, options, report)
    counts = {c: whole(cells, c, 0, 2**31 - 1, empty=True) for c in ("n_successes", "n_feasible") if c in cells}
    if solver is None:
        successes, unknown = counts.get("n_successes", (np.ones(cells.rows, np.int64), np.ones(cells.rows, bool)))
        none = ~unknown & (successes == 0)  # no run succeeded, so there is no mean
        cost = floats(cells, name, empty=empty_fails or bool(none.any()))
        if not maximise:
            cost = without_placeholders(cells, name, cost, report)
        lacking = first_true(np.isnan(cost) & ~none)
        if lacking is not None and not empty_fails:
            raise cells.wrong(lacking, name, "a number or inf (or declare `empty: failure`)")
        cost[none] = np.inf
        empty = np.isnan(cost)
        for row in np.flatnonzero(empty).tolist():
            report.add("empty_is_failure", *cells.at(int(row)), f"column {shown(cells.called[name])!r} is empty")
        cost[empty] = np.inf
        endless = first_true(cost == -np.inf)
        if endless is not None:
            raise cells.wrong(endless, name, "a number, or inf for a failure")
    else:
        cost = solver.cost
    if cells.kind == "cost" and not maximise and not {"outcome", "time_limit"} & set(cells.frame):
        table_checks.ask_about_infinity(cells, cost, report)
        table_checks.ask_about_largest(cells, cost, report)
    table_checks.ask_about_totals(cells, report)

    keyed = keyed_by(cells)
    order = np.argsort(keyed.order, kind="stable")
    run = runs_of(cells, keyed.code, np.arange(cells.rows))
    n = np.ones(cells.rows, np.int64)
    columns: dict[str, Any] = {}
    if cells.kind == "summary":
        if "n" in cells:
            n, _ = whole(cells, "n", 1, 2**31 - 1, empty=False)
        else:
            report.add("runs_not_stated", *cells.at(0), "no column gives `n`", count=cells.rows)
        if "sd" in cells:
            sd = floats(cells, "sd", empty=True)
            negative = first_true((sd < 0) | np.isinf(sd))
            if negative is not None:
                raise cells.wrong(negative, "sd", "a standard deviation of 0 or more")
            columns["cost_sd"] = pa.array(sd[order], mask=np.isnan(sd[order]))
        for count, (numbers, blank) in counts.items():
            beyond = first_true(~blank & (numbers > n))
            if beyond is not None:
                raise cells.wrong(beyond, count, f"a whole number up to the {n[beyond]} runs of the row")
            columns[count] = pa.array(numbers[order].astype(np.int32), mask=blank[order])
        endless = first_true(np.isinf(cost) & ~none & ~unknown)
        if endless is not None:
            raise cells.wrong(endless, name, f"the mean of the {successes[endless]} successful runs, a finite number")
    if "budget" in cells:
        budget, blank = whole(cells, "budget", 0, 2**62, empty=True)
        columns["budget"] = pa.array(budget[order], mask=blank[order])
    trials = schema.table(
        "trials",
        {key: column.take(pa.array(order)) for key, column in keyed.columns.items()}
        | columns
        | extras_of(cells, order)
        | {
            "run": run[order],
            "trial": np.arange(cells.rows),
            "cost": cost[order],
            "n": n[order].astype(np.int32),
            "value_kind": value_kinds(cells, order),
            "maximise": [maximise] * cells.rows,
            "status": np.where(np.isfinite(cost[order]), "solved", "failed").tolist(),
            "source": cells.sources(order),
        }
        | ({} if solver is None else solver.ordered(order)),
    )
    return trials, schema.TABLES["traces"].empty_table()


@dataclass
class _SolverColumns:
    """What the rows of a table of solver runs say beside their keys."""

    cost: np.ndarray
    outcome: np.ndarray
    limit: np.ndarray
    time: np.ndarray
    proven: np.ndarray

    def ordered(self, order: np.ndarray) -> dict[str, Any]:
        """Columns of `trials`."""
        outcome = self.outcome[order]
        status = ["ill_finalised" if OUTCOMES[o] is None else "solved" if OUTCOMES[o] else "failed" for o in outcome]
        limit, time = self.limit[order], self.time[order]
        return {
            "status": status,
            "outcome": outcome.tolist(),
            "proven": self.proven[order],
            "sense_open": np.ones(len(order), bool),
            "time_limit_s": pa.array(limit, mask=np.isnan(limit)),
            "cost_budget": pa.array(limit, mask=np.isnan(limit)),
            "runtime_s": pa.array(time, mask=np.isnan(time)),
        }


def _solver_columns(cells: Cells, words: Mapping[str, str], options: Options, report: Report) -> _SolverColumns | None:
    """Costs and outcomes of a table of solver runs; None if the source's entry declares nothing about outcomes.

    A stated outcome counts. Without one, a number below the limit is solved and one that reaches it is not; a word is what
    `outcomes` says. A failure keeps its time, unless it is a penalty.
    """
    stated = "outcome" in cells
    text = cells.text("cost") if cells.kind == "cost" else pa.array([], pa.string())
    beyond = pc.match_substring_regex(text, _BEYOND).to_numpy(zero_copy_only=False)
    if not (words or stated or beyond.any() or "time_limit" in cells) or cells.kind != "cost":
        if options.penalty is not None or words or (stated and cells.kind == "summary"):
            what = "`penalty` needs `time_limit`" if options.penalty is not None else "outcomes belong to costs of single runs"
            raise UserError(f"{cells.files[0].name}: {what}; correct the source's entry.")
        return None
    if options.direction == "max":
        raise UserError(
            f"{cells.files[0].name}: outcomes and limits belong to times, which are better when smaller; leave out `direction`."
        )
    limit = np.full(cells.rows, np.nan)
    if "time_limit" in cells:
        limit = floats(cells, "time_limit", empty=True)
        wrong = first_true((limit <= 0) | (limit >= table_checks.INFINITY))
        if wrong is not None:
            raise cells.wrong(
                wrong, "time_limit", f"a time above 0 and below {table_checks.INFINITY:g}, or an empty cell for none"
            )
    outcome = np.full(cells.rows, "", dtype=object)
    coded = text.dictionary_encode()
    meaning = np.array([words.get(word, "") for word in coded.dictionary.to_pylist()] or [""], dtype=object)
    by_word = meaning[coded.indices.to_numpy(zero_copy_only=False)] if cells.rows else outcome
    worded = by_word != ""
    if stated:  # a number there is a cost, whatever the words for outcomes are
        worded &= ~pc.match_substring_regex(text, NUMBER).to_numpy(zero_copy_only=False)
    outcome[worded] = by_word[worded]
    # a word stands in place of a number; the number of a failure may be missing too
    plain = cells.frame["cost"].mask(worded, "").mask(beyond, cells.frame["cost"].str.lstrip(">=≥ ").str.rstrip("+ "))
    number = floats(replace(cells, frame=cells.frame.assign(**{"cost": plain, STATED: cells.frame["cost"]})), "cost", empty=True)
    number = without_placeholders(cells, "cost", number, report)
    limit[beyond] = number[beyond]
    outcome[beyond] = "time_limit"
    proven = np.zeros(cells.rows, bool)
    if stated:
        _state_outcomes(cells, options, outcome)
        coded = cells.text("outcome").dictionary_encode()
        claims = np.array([options.claims_optimum(word) for word in coded.dictionary.to_pylist()] or [False])
        proven = claims[coded.indices.to_numpy(zero_copy_only=False)]
    solved = np.array([o == "" or OUTCOMES[o] is True for o in outcome], bool)
    blank = solved & np.isnan(number)
    row = first_true(blank & ~worded)
    if row is not None and options.empty != "failure":
        raise cells.wrong(row, "cost", "a number, inf, a word of `outcomes`, or `empty: failure`")
    for row in np.flatnonzero(blank).tolist():
        report.add("empty_is_failure", *cells.at(row), "the cost of a run is empty")
    outcome[blank] = "unknown"
    outcome[(outcome == "") & np.isinf(number)] = "unknown"
    multiples = np.array([2.0, 5.0, 10.0] if options.penalty is None else [options.penalty])
    penalised = (number[:, None] == multiples * limit[:, None]).any(axis=1)
    reached = (number >= limit) & np.isfinite(number)
    censored = reached & (outcome == "")
    outcome[censored] = "time_limit"
    outcome[outcome == ""] = "solved"
    solved = np.array([OUTCOMES[o] is True for o in outcome], bool)
    for rule, which, what in (
        ("beyond_limit", beyond, "the time is beyond the limit"),
        ("censored", censored & ~penalised, "the time reaches the limit"),
        ("penalised", penalised & ~solved, "the time is a multiple of the limit"),
        ("solved_beyond_limit", reached & solved, "the time is beyond the limit"),
    ):
        row = first_true(which)
        if row is not None:
            report.add(rule, *cells.at(row), f"{what} of {limit[row]:g}: {shown(text[row].as_py())}", int(which.sum()))
    time = np.where((penalised & ~solved) | np.isinf(number), np.nan, number)
    if "runtime_s" in cells:
        time = floats(cells, "runtime_s", empty=True)
        time[np.isinf(time)] = np.nan
    failed_number = solved & ~np.isfinite(number)
    row = first_true(failed_number)
    if row is not None:
        raise cells.wrong(row, "cost", "a finite time of a run that is solved")
    return _SolverColumns(np.where(solved, number, np.inf), outcome, limit, time, proven & (outcome == "solved"))


def _state_outcomes(cells: Cells, options: Options, outcome: np.ndarray) -> None:
    """Take outcomes from the column `outcome`, where the cost has no word of its own."""
    coded = cells.text("outcome").dictionary_encode()
    index = coded.indices.to_numpy(zero_copy_only=False)
    found: list[str] = coded.dictionary.to_pylist()
    meant = [options.meaning(word) for word in found]
    if None in meant:
        row = int(np.argmax(index == meant.index(None)))
        wrong = cells.wrong(row, "outcome", f"a word of `outcomes`, or one of {', '.join(OUTCOMES)}")
        unknown = [word for word, one in zip(found, meant, strict=True) if one is None]
        listed = ", ".join(repr(shown(word)) for word in unknown[:_MOST_WORDS])
        raise Incomplete(f"{str(wrong).removesuffix('.')}; such words are {listed}", "say in `outcomes` what they mean")
    stated = np.array(meant, dtype=object)[index] if len(index) else outcome
    outcome[outcome == ""] = stated[outcome == ""]


def traces_of(cells: Cells, maximise: bool, counted_from: int | None, report: Report) -> tuple[pa.Table, pa.Table]:
    """Return the trials and traces of a table of improvements."""
    evaluations, _ = whole(cells, "evaluations", 0, 2**62, empty=False)
    evaluations = evaluations + (counted_from == 0)
    early = np.flatnonzero(evaluations == 0)
    if len(early) and counted_from == 1:
        report.add("row_before_first", *cells.at(int(early[0])), "the row is at 0 evaluations", len(early))
        left = np.flatnonzero(evaluations > 0)
        cells, evaluations = cells.only(left), evaluations[left]
    value = floats(cells, "value")
    # An infinite value that is the worst is none; one that is the best would reach every target.
    reached = first_true(value == (np.inf if maximise else -np.inf))
    if reached is not None:
        raise cells.wrong(reached, "value", "a finite number, or the worst infinity for none")
    violation = np.zeros(cells.rows)
    if "violation" in cells:
        violation = floats(cells, "violation")
        endless = first_true(violation == -np.inf)
        if endless is not None:
            raise cells.wrong(endless, "violation", "a number of 0 or more")
    keyed = keyed_by(cells)

    if not {"run", "seed"} & set(cells.frame):
        cells = _with_runs(cells, keyed.code, evaluations, value, report)
    # A trial is a set of rows with equal keys, run and seed.
    parts = cells.frame[[name for name in ("run", "seed") if name in cells]].assign(code=keyed.code)
    trial = parts.groupby(list(parts), sort=False).ngroup().to_numpy()
    first_row = np.unique(trial, return_index=True)[1]
    run_of = runs_of(cells, keyed.code[first_row], first_row)
    position = np.empty(len(first_row), np.int64)
    listed = np.lexsort((first_row, keyed.order[first_row]))
    position[listed] = np.arange(len(listed))
    trial = position[trial]
    rows = first_row[listed]
    count = len(rows)

    # Rank of each row among all: by violation, then by value in the direction of the study.
    signed = -value if maximise else value
    by_quality = np.lexsort((signed, violation))
    step = np.zeros(cells.rows, np.int64)
    for column in (violation[by_quality], signed[by_quality]):
        step[1:] |= column[1:] != column[:-1]
    rank = np.empty(cells.rows, np.int64)
    rank[by_quality] = np.cumsum(step)

    order = np.lexsort((rank, evaluations, trial))
    trial, rank, sorted_rows = trial[order], rank[order], order
    begins = np.r_[True, trial[1:] != trial[:-1]] if cells.rows else np.zeros(0, bool)
    best = lowest_ranks(trial, rank)
    worse = np.flatnonzero(rank > best)
    off = report.is_off("running_minimum")
    if len(worse) and not off:
        for i in worse[np.unique(trial[worse], return_index=True)[1]].tolist():
            row = int(sorted_rows[i])
            what = f"{value[row]:.10g} at {evaluations[row]} evaluations is worse than an earlier value"
            report.add("running_minimum", *cells.at(row), what)
    keep = begins.copy()
    followed = rank if off else best
    keep[1:] |= followed[1:] != followed[:-1]
    kept = sorted_rows[keep]
    ends = np.flatnonzero(np.r_[trial[1:] != trial[:-1], True]) if cells.rows else np.zeros(0, np.int64)
    best_row = _row_of_rank(trial, rank, best[ends], sorted_rows, count)

    largest = evaluations[sorted_rows[ends]]
    budget = _budgets(cells, rows, largest, sorted_rows, trial, report)
    final = value[best_row]
    difference = value_kinds(cells, rows)
    solved = np.array([k == "difference" for k in difference], bool) & (final <= 0) & (violation[best_row] <= 0)
    extras = extras_of(cells, rows)
    if "optimum" in extras:
        optimum = extras["optimum"].to_numpy(zero_copy_only=False)
        solved |= (final >= optimum if maximise else final <= optimum) & (violation[best_row] <= 0)
    if "violation" in cells:
        extras["violation"] = pa.array(violation[best_row])
    take = pa.array(rows)
    trials = schema.table(
        "trials",
        {key: column.take(take) for key, column in keyed.columns.items()}
        | extras
        | {
            "run": run_of[listed],
            "trial": np.arange(count),
            "budget": budget,
            "best_value": final,
            "n": np.ones(count, np.int32),
            "value_kind": difference,
            "maximise": [maximise] * count,
            "status": np.where(solved, "solved", "failed").tolist(),
            "source": cells.sources(rows),
        },
    )
    keys = trials.select([*KEYS, "trial"]).take(pa.array(trial[keep]))
    columns: dict[str, Any] = {n: keys[n] for n in keys.column_names}
    columns |= {"evaluations": evaluations[kept], "value": value[kept], "on_target": np.ones(len(kept), bool)}
    if "violation" in cells:
        columns["violation"] = violation[kept]
    return trials, schema.table("traces", columns)


def _with_runs(cells: Cells, code: np.ndarray, evaluations: np.ndarray, value: np.ndarray, report: Report) -> Cells:
    """Number the runs that stand one after the other, where one cannot have had all values of the rows with its keys."""
    rows = pd.DataFrame({"code": code, "evaluations": evaluations, "value": value})
    begins = (rows.groupby("code")["evaluations"].diff() < 0).to_numpy()
    if not begins.any() or not rows.drop_duplicates().duplicated(["code", "evaluations"]).any():
        return cells
    report.add("runs_in_a_row", *cells.at(int(np.argmax(begins))), "the evaluations begin again", int(begins.sum()))
    run = pd.Series(begins).groupby(code).cumsum() + 1
    return replace(cells, frame=cells.frame.assign(run=run.astype(str).to_numpy()), called={**cells.called, "run": "run"})


def _row_of_rank(trial: np.ndarray, rank: np.ndarray, best: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The first row of each trial that has its best rank."""
    hits = np.flatnonzero(rank == best[trial]) if count else np.zeros(0, np.int64)
    first = np.unique(trial[hits], return_index=True)[1]
    return np.asarray(rows[hits[first]])


def _budgets(
    cells: Cells, first: np.ndarray, largest: np.ndarray, rows: np.ndarray, trial: np.ndarray, report: Report
) -> np.ndarray:
    if "budget" not in cells:
        report.add("budget_from_trace", *cells.at(0), "no column gives `budget`", count=len(first))
        return largest
    stated, _ = whole(cells, "budget", 0, 2**62, empty=False)
    row = first_true(stated[rows] != stated[first][trial])
    if row is not None:
        raise cells.wrong(int(rows[row]), "budget", f"the same budget in all rows of a trial, {stated[first[trial[row]]]}")
    budget = stated[first]
    for i in np.flatnonzero(largest > budget).tolist():
        what = f"the trial has {largest[i]} evaluations, more than its budget of {budget[i]}"
        report.add("budget_from_trace", *cells.at(int(first[i])), what)
    return np.asarray(np.maximum(budget, largest))


def _without_duplicates(cells: Cells, report: Report) -> Cells:
    """Leave out the rows that are equal to an earlier one in every column."""
    again = cells.frame.drop(columns=[FILE, LINE]).duplicated().to_numpy()
    for row in np.flatnonzero(again).tolist():
        report.add("duplicate_row", *cells.at(row), f"{cells.shown('problem', row)}, run {cells.shown('run', row)}")
    return cells.only(~again)


def _without_negative_times(cells: Cells, report: Report) -> Cells:
    """Leave out the rows whose cost, which the source's entry declares to be a time, is negative."""
    negative = pc.match_substring_regex(cells.text("cost"), r"^-[0-9.]*[1-9]").to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(negative).tolist():
        report.add("impossible_time", *cells.at(row), f"a time of {cells.shown('cost', row)}")
        where = [text_of(cells, name, False)[row].as_py() for name in ("algorithm", "suite", "problem", "dimension", "instance")]
        where[3] = int(where[3]) if where[3] and where[3].isdigit() else None
        report.expect((str(where[0]), where[1], str(where[2]), where[3], where[4]))
    return cells.only(~negative)
