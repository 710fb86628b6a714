"""Empirical attainment: which values a share of the trials has reached by when, and the limit of infinitely many targets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, schema
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.errors import UserError
from benchmill.core.options import option, some
from benchmill.core.replicates import deviation, mean
from benchmill.core.traces import SCALE, Scale, check_scale, larger_is_better, pieces
from benchmill.indicators.ecdf import BUDGET_RULE
from benchmill.indicators.job import Given, Made
from benchmill.indicators.missing import missing

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

_NUMBERS_AT_ONCE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which curves are drawn, and between which bounds the area over the convergence curve is taken."""

    shares: tuple[float, ...] = some(
        "The curve of a share is the value that so large a share of the trials has reached.",
        (0.25, 0.5, 0.75),
        items={"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    )
    scale: Scale = option(SCALE, "logged")
    value_from: float = option("Lower bound of the values for the AOCC.", 1e-8)
    value_to: float = option("Upper bound of the values for the AOCC.", 100)
    value_log: bool = option("Whether values count by their logarithm.", True)
    budget: float = option(
        "End of the AOCC in evaluations per dimension; it starts at the first evaluation.", 1000, exclusiveMinimum=0
    )

    def __post_init__(self) -> None:
        if not self.shares or not all(0 < share <= 1 for share in self.shares):
            raise UserError(f"attainment: shares are {list(self.shares)}, expected one or more numbers above 0 and up to 1.")
        attained([], self.value_from, self.value_to, log=self.value_log)


class Rows(Protocol):
    """Consecutive rows of traces: row `offsets[i]` to `offsets[i + 1]` are of trial `trial[i]`, by rising evaluations."""

    @property
    def trial(self) -> Index:
        """Return trials, ascending; a trial may go on in the next piece."""

    @property
    def offsets(self) -> Index:
        """Return where each starts, and the end."""

    @property
    def evaluations(self) -> Index:
        """Return the evaluations of each row."""

    @property
    def value(self) -> Array:
        """Return value of each row; a worst possible one (inf, or -inf where larger is better) does not count."""


def attained(values: npt.ArrayLike, low: float, high: float, *, log: bool = True) -> Array:
    """Return the share of all targets between two bounds that a value reaches (smaller is better)."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high and (low > 0 or not log)):
        raise UserError(
            f"attainment: the bounds are {low:g} and {high:g}, expected two ascending numbers, above 0 on a log scale."
        )
    v = np.clip(np.asarray(values, float), low, high)
    if log:
        v, low, high = np.log10(v), math.log10(low), math.log10(high)
    return np.asarray((high - v) / (high - low), float)


def aocc(
    trial: npt.ArrayLike, evaluations: npt.ArrayLike, height: npt.ArrayLike, ends: npt.ArrayLike, *, log: bool = False
) -> Array:
    """Return normalised area over the convergence curve of every trial: the mean of `height` over [1, end], exactly.

    Parameters
    ----------
    trial : (n_rows,) array_like of int
        Ascending, from 0 to n_trials - 1; a trial may have no row.
    height : (n_rows,) array_like
        From `attained`, of the best value so far; not falling within a trial.
    ends : (n_trials,) array_like
        Evaluations, above 1. A trial that stopped before keeps its last height.
    log : bool
        The mean over log x instead of x.

    Returns
    -------
    (n_trials,) array
        In [0, 1], 1 is best.
    """
    t, end = np.asarray(trial, np.int64), np.asarray(ends, float)
    start = np.clip(np.asarray(evaluations, float), 1.0, end[t])
    last = np.append(t[1:] != t[:-1], True)[: t.size]
    until = np.where(last, end[t], np.append(start[1:], 1.0)[: t.size])
    if log:
        start, until = np.log(start), np.log(until)
    area = np.bincount(t, np.asarray(height, float) * (until - start), end.size)
    return np.asarray(area / (np.log(end) if log else end - 1.0), float)


def surfaces(
    run: npt.ArrayLike, evaluations: npt.ArrayLike, values: npt.ArrayLike, n_runs: int, ranks: Sequence[int]
) -> list[tuple[Index, Array]]:
    """Return the k-th best value of all runs after any number of evaluations, for several k.

    Parameters
    ----------
    n_runs : int
        Runs without a row have reached nothing.
    ranks : sequence of int
        k, from 1 (the best run) to `n_runs` (the worst).

    Returns
    -------
    list of (evaluations, values)
        For each k a falling right-continuous step function; empty where fewer than k runs ever have a value.
    """
    positions = [k - 1 for k in ranks]
    times, at = np.unique(np.asarray(evaluations, np.int64), return_inverse=True)
    order = np.argsort(at, kind="stable")
    runs, at, value = np.asarray(run, np.int64)[order], at[order], np.asarray(values, float)[order]
    found, best = np.empty((len(positions), times.size)), np.full(n_runs, np.inf)
    step = max(1, _NUMBERS_AT_ONCE // max(n_runs, 1))
    for start in range(0, times.size, step):
        width = min(step, times.size - start)
        inside = slice(*np.searchsorted(at, [start, start + width]))
        block = np.full((n_runs, width), np.inf)
        np.minimum.at(block, (runs[inside], at[inside] - start), value[inside])
        block[:, 0] = np.minimum(block[:, 0], best)
        np.minimum.accumulate(block, axis=1, out=block)
        best = block[:, -1].copy()
        found[:, start : start + width] = np.partition(block, sorted(set(positions)), axis=0)[positions]
    before = np.append(np.full((len(positions), 1), np.inf), found[:, :-1], axis=1)[:, : times.size]
    changes = np.isfinite(found) & (found < before)
    return [(times[row], level[row]) for row, level in zip(changes, found, strict=True)]


#: The options of a study that says nothing of them.
USUAL = Options()


def attainment(
    trials: pa.Table,
    traces: Iterable[Rows],
    options: Options = USUAL,
    *,
    larger: npt.ArrayLike,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    report: Mapping[str, Any] | None = None,
) -> tuple[pa.Table, pa.Table]:
    """Return attainment curves and AOCC of one source, by algorithm and problem; every trial weighs the same.

    Returns
    -------
    attainment : pyarrow.Table
        The curves; of the traces the improvements have to fit into memory, which are few.
    convergence : pyarrow.Table
        One row per algorithm and problem with the AOCC, the mean over its trials, and what it stands on.
    """
    names = [name for name in ("suite", "problem", "dimension", "instance") if name in problem_keys]
    cell, cells = keys.cells(trials, [*names, "algorithm"])
    order, offsets = keys.starts(cell, cells.num_rows)
    larger = np.asarray(larger, bool)
    dimension = pc.fill_null(trials.column("dimension"), 1).to_numpy().astype(float)
    ends = options.budget * dimension
    if not (ends > 1).all():
        raise UserError(f"attainment: budget is {options.budget:g}, expected more than one evaluation.")
    low, high, log = options.value_from, options.value_to, options.value_log
    trial, evaluations, value = (np.concatenate(part) for part in zip(*_best_so_far(trials, traces, larger), strict=True))
    height = np.where(larger[trial], 1.0 - attained(-value, low, high, log=log), attained(value, low, high, log=log))
    areas = [aocc(trial, evaluations, height, ends, log=along)[order] for along in (False, True)]
    # rows of a trial stand side by side
    rows = np.searchsorted(trial, np.arange(trials.num_rows + 1))
    curves: list[tuple[int, float, int, Index, Array]] = []
    for number, (a, b) in enumerate(itertools.pairwise(offsets)):
        own = order[a:b]
        # rounded first: 0.07 * 100 is 7.000000000000001
        ranks = [max(1, math.ceil(round(share * own.size, 9))) for share in options.shares]
        mine = np.concatenate([np.arange(rows[one], rows[one + 1]) for one in own])
        run = np.repeat(np.arange(own.size), rows[own + 1] - rows[own])
        sign = -1.0 if larger[own[0]] else 1.0
        steps = surfaces(run, evaluations[mine], value[mine], own.size, ranks)
        curves += [(number, share, k, x, sign * v) for share, k, (x, v) in zip(options.shares, ranks, steps, strict=True)]
    sd = deviation(areas[0], offsets)
    instance = keys.numbers(trials, ["suite", "problem", "dimension", "instance"])
    summary = schema.table(
        "convergence",
        {
            **{name: cells.column(name) for name in cells.column_names},
            "aocc": mean(areas[0], offsets),
            "aocc_sd": pa.array(sd, mask=np.isnan(sd)),
            "aocc_log": mean(areas[1], offsets),
            "value_from": low,
            "value_to": high,
            "value_log": log,
            "evaluations_to": ends[order][offsets[:-1]],
            "n_trials": np.diff(offsets).astype(np.int32),
            "n_instances": keys.count_distinct(cell, instance, cells.num_rows).astype(np.int32),
            "n_missing": missing(cells, [*names, "algorithm"], [trials], [report] if report else []),
            "budget_rule": BUDGET_RULE,
        },
    )
    return _table(curves, cells), summary


def _best_so_far(trials: pa.Table, traces: Iterable[Rows], larger: npt.NDArray[np.bool_]) -> Iterator[tuple[Index, Index, Array]]:
    """Return trial, evaluations and value of the rows that improve, minimised."""
    budget = pc.fill_null(trials.column("budget").cast(pa.float64()), np.inf).to_numpy()
    held: tuple[Index, Index, Array] = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    for piece in traces:
        trial = np.repeat(piece.trial, np.diff(piece.offsets))
        value = np.where(larger[trial], -piece.value, piece.value)
        keep = (piece.evaluations <= budget[trial]) & np.isfinite(value)
        # the best so far of the trial that may go on is the row that was held back
        rows = (trial[keep], np.asarray(piece.evaluations)[keep], value[keep])
        trial, evaluations, value = (np.concatenate(two) for two in zip(held, rows, strict=True))
        best = running_minimum(trial, value)
        better = improves(trial, best)
        trial, evaluations, best = trial[better], evaluations[better], best[better]
        final = np.append((trial[1:] != trial[:-1]) | (evaluations[1:] != evaluations[:-1]), True)[: trial.size]
        trial, evaluations, best = trial[final], evaluations[final], best[final]
        held = trial[-1:], evaluations[-1:], best[-1:]
        yield trial[:-1], evaluations[:-1], best[:-1]
    yield held


def _table(curves: Sequence[tuple[int, float, int, Index, Array]], cells: pa.Table) -> pa.Table:
    sizes = [x.size for *_, x, _ in curves]
    of = pa.array(np.repeat(np.array([number for number, *_ in curves], np.int64), sizes))
    return schema.table(
        "attainment",
        {
            **{name: cells.column(name).take(of) for name in cells.column_names},
            "share": np.repeat([share for _, share, *_ in curves], sizes),
            "rank": np.repeat(np.array([k for _, _, k, *_ in curves], np.int32), sizes),
            "evaluations": np.concatenate([*(x for *_, x, _ in curves), np.zeros(0, np.int64)]),
            "value": np.concatenate([*(v for *_, v in curves), np.zeros(0)]),
        },
    )


def job(given: Given) -> Made:
    """Make `attainment` and `convergence` of trials and traces of one source."""
    options = given.options(Options)
    (trials,), (report,) = given.read("trials"), given.reports
    if trials.column("known_targets").null_count < trials.num_rows:
        # a background, whose report says so: it knows the evaluations to some targets, and no curves
        return Made({name: schema.TABLES[name].empty_table() for name in ("attainment", "convergence")})
    check_scale(trials, options.scale, "attainment")
    larger = larger_is_better(trials, options.scale)
    traces = pieces(given.pieces("traces"), trials, options.scale, on_target=False)
    curves, areas = attainment(trials, traces, options, larger=larger, report=report, **given.needed)
    return Made({"attainment": curves, "convergence": areas})
