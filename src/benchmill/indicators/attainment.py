"""Empirical attainment: which values a share of the trials has reached by when, and the limit of infinitely many targets.

The distribution function of the first evaluations at which trials reach a value v or better, as a function of the evaluations x
and of v, is the empirical attainment function (Grunert da Fonseca, Fonseca and Hall 2001; López-Ibáñez et al. 2024 for the
convergence of one objective). Its level sets are curves of the k-th best trial. Its mean over all v between two bounds,
spaced linearly or logarithmically, is the ECDF over infinitely many targets, and the area under that the AOCC.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import keys, schema
from benchmill.best_so_far import improves, running_minimum
from benchmill.errors import UserError
from benchmill.indicators.ecdf import BUDGET_RULE
from benchmill.indicators.missing import missing
from benchmill.replicates import deviation, mean

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

_NUMBERS_AT_ONCE = 1 << 22


class Rows(Protocol):
    """Consecutive rows of traces: row `offsets[i]` to `offsets[i + 1]` are of trial `trial[i]`, by rising evaluations."""

    @property
    def trial(self) -> Index:
        """Trials, ascending; a trial may go on in the next piece."""

    @property
    def offsets(self) -> Index:
        """Where each starts, and the end."""

    @property
    def evaluations(self) -> Index:
        """Evaluations of each row."""

    @property
    def value(self) -> Array:
        """Value of each row; a worst possible one (inf, or -inf where larger is better) does not count."""


def attained(values: npt.ArrayLike, low: float, high: float, *, log: bool = True) -> Array:
    """Share of all targets between two bounds that a value reaches (smaller is better): the limit of infinitely many targets.

    With targets spaced evenly on [low, high], or evenly in their logarithm, the share of those at or above v is
    (high - v) / (high - low), cut to [0, 1].

    Raises
    ------
    UserError
        The bounds are not two finite numbers in ascending order, or not positive with `log`.
    """
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
    """Normalised area over the convergence curve of every trial: the mean of `height` over [1, end], exactly.

    Parameters
    ----------
    trial : (n_rows,) array_like of int
        Ascending, from 0 to n_trials - 1; a trial may have no row.
    evaluations : (n_rows,) array_like
        Ascending within a trial.
    height : (n_rows,) array_like
        From `attained`, of the best value so far; not falling within a trial.
    ends : (n_trials,) array_like
        Evaluations, above 1. A trial that stopped before keeps its last height.
    log : bool
        The mean over log x instead of x.

    Returns
    -------
    (n_trials,) array
        In [0, 1], 1 is best. Before its first row a trial has height 0; without rows 0.
    """
    t, h, end = np.asarray(trial, np.int64), np.asarray(height, float), np.asarray(ends, float)
    own = end[t]
    start = np.clip(np.asarray(evaluations, float), 1.0, own)
    last = np.append(t[1:] != t[:-1], True)[: t.size]
    until = np.where(last, own, np.append(start[1:], 1.0)[: t.size])
    if log:
        start, until, end = np.log(start), np.log(until), np.log(end)
        return np.asarray(np.bincount(t, h * (until - start), end.size) / end, float)
    return np.asarray(np.bincount(t, h * (until - start), end.size) / (end - 1.0), float)


def surfaces(
    run: npt.ArrayLike, evaluations: npt.ArrayLike, values: npt.ArrayLike, n_runs: int, ranks: Sequence[int]
) -> list[tuple[Index, Array]]:
    """The k-th best value of all runs after any number of evaluations, for several k: level sets of the attainment function.

    Parameters
    ----------
    run : (n_rows,) array_like of int
        From 0 to `n_runs` - 1.
    evaluations : (n_rows,) array_like of int
    values : (n_rows,) array_like
        Smaller is better; need not improve.
    n_runs : int
        Runs without a row have reached nothing.
    ranks : sequence of int
        k, from 1 (the best run) to `n_runs` (the worst).

    Returns
    -------
    list of (evaluations, values)
        For each k a falling right-continuous step function; empty where fewer than k runs ever have a value.
    """
    r, e, v = np.asarray(run, np.int64), np.asarray(evaluations, np.int64), np.asarray(values, float)
    times, at = np.unique(e, return_inverse=True)
    order = np.argsort(at, kind="stable")
    r, at, v = r[order], at[order], v[order]
    found = np.empty((len(ranks), times.size))
    best = np.full(n_runs, np.inf)
    step = max(1, _NUMBERS_AT_ONCE // max(n_runs, 1))
    positions = [k - 1 for k in ranks]
    for start in range(0, times.size, step):
        width = min(step, times.size - start)
        inside = slice(*np.searchsorted(at, [start, start + width]))
        block = np.full((n_runs, width), np.inf)
        np.minimum.at(block, (r[inside], at[inside] - start), v[inside])
        block[:, 0] = np.minimum(block[:, 0], best)
        np.minimum.accumulate(block, axis=1, out=block)
        best = block[:, -1].copy()
        found[:, start : start + width] = np.partition(block, sorted(set(positions)), axis=0)[positions]
    changes = (
        np.isfinite(found) & np.append(np.ones((len(ranks), 1), bool), found[:, 1:] < found[:, :-1], axis=1)[:, : times.size]
    )
    return [(times[row], level[row]) for row, level in zip(changes, found, strict=True)]


def attainment(
    trials: pa.Table,
    traces: Iterable[Rows],
    *,
    larger: npt.ArrayLike,
    shares: Sequence[float] = (0.25, 0.5, 0.75),
    value_from: float = 1e-8,
    value_to: float = 1e2,
    value_log: bool = True,
    budget: float = 1000.0,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    report: Mapping[str, Any] | None = None,
) -> tuple[pa.Table, pa.Table]:
    """Attainment curves and AOCC of one source, by algorithm and problem; every trial weighs the same.

    Parameters
    ----------
    trials : pyarrow.Table
        Table `trials` of one source.
    traces : iterable of `Rows`
        Its traces, on the scale to be shown. Rows beyond the budget of their trial do not count.
    larger : (n_trials,) array_like of bool
        Whether larger values are better.
    shares : sequence of float
        In (0, 1]: the curve of share p is the value that at least p of the trials have reached, the k-th best, k = ceil(p n).
    value_from, value_to, value_log
        The bounds of the AOCC and of the limit of infinitely many targets, and whether these are spaced logarithmically.
    budget : float
        End of the AOCC, in evaluations per dimension (in evaluations where a problem has no dimension); it starts at the first
        evaluation.
    problem_keys : sequence of str
        What makes a problem; other keys are null in the result.
    report : mapping, optional
        Ingest report of the source, for `n_missing`; 0 without it.

    Returns
    -------
    attainment, convergence : pyarrow.Table
        The curves; and one row an algorithm and problem with the AOCC, the mean over its trials, and what it stands on.

    Raises
    ------
    UserError
        A share is not in (0, 1], the bounds are not in order, or the budget is not above one evaluation.
    """
    if not shares or not all(0 < share <= 1 for share in shares):
        raise UserError(f"attainment: shares are {list(shares)}, expected one or more numbers above 0 and up to 1.")
    names = [name for name in ("suite", "problem", "dimension", "instance") if name in problem_keys]
    cell, cells = keys.cells(trials, [*names, "algorithm"])
    order, offsets = keys.starts(cell, cells.num_rows)
    trial, evaluations, value = _best_so_far(trials, traces, np.asarray(larger, bool))
    sign = np.where(np.asarray(larger, bool), -1.0, 1.0)
    dimension = pc.fill_null(trials.column("dimension"), 1).to_numpy().astype(float)
    ends = budget * dimension
    if not (ends > 1).all():
        raise UserError(f"attainment: budget is {budget:g}, expected more than one evaluation.")
    direct = attained(value, value_from, value_to, log=value_log)
    reverse = 1.0 - attained(np.where(np.isfinite(value), -value, -np.inf), value_from, value_to, log=value_log)
    height = np.where(sign[trial] > 0, direct, reverse)
    areas = [aocc(trial, evaluations, height, ends, log=log)[order] for log in (False, True)]
    rows_of_trial = np.searchsorted(trial, np.arange(trials.num_rows + 1))
    curves: list[tuple[int, float, int, Index, Array]] = []
    for number in range(cells.num_rows):
        own = order[offsets[number] : offsets[number + 1]]
        counts = np.diff(rows_of_trial)[own]
        rows = np.repeat(rows_of_trial[own] - np.append(0, np.cumsum(counts)[:-1]), counts) + np.arange(counts.sum())
        # rounded first: 0.07 * 100 is 7.000000000000001
        ranks = [max(1, math.ceil(round(share * own.size, 9))) for share in shares]
        levels = surfaces(np.repeat(np.arange(own.size), counts), evaluations[rows], value[rows], own.size, ranks)
        curves += [(number, share, k, x, sign[own[0]] * v) for share, k, (x, v) in zip(shares, ranks, levels, strict=True)]
    sizes = [x.size for *_, x, _ in curves]
    of = pa.array(np.repeat(np.array([number for number, *_ in curves], np.int64), sizes))
    curve_table = schema.table(
        "attainment",
        {
            **{name: cells.column(name).take(of) for name in cells.column_names},
            "share": np.repeat([share for _, share, *_ in curves], sizes),
            "rank": np.repeat(np.array([k for _, _, k, *_ in curves], np.int32), sizes),
            "evaluations": np.concatenate([*(x for *_, x, _ in curves), np.zeros(0, np.int64)]),
            "value": np.concatenate([*(v for *_, v in curves), np.zeros(0)]),
        },
    )
    sd = deviation(areas[0], offsets)
    instance = keys.cells(trials, ["suite", "problem", "dimension", "instance"])[0][order]
    width = int(instance.max(initial=0)) + 1
    pairs = np.unique(cell[order] * width + instance)
    summary = schema.table(
        "convergence",
        {
            **{name: cells.column(name) for name in cells.column_names},
            "aocc": mean(areas[0], offsets),
            "aocc_sd": pa.array(sd, mask=np.isnan(sd)),
            "aocc_log": mean(areas[1], offsets),
            "value_from": np.full(cells.num_rows, value_from),
            "value_to": np.full(cells.num_rows, value_to),
            "value_log": np.full(cells.num_rows, value_log),
            "evaluations_to": ends[order][offsets[:-1]],
            "n_trials": np.diff(offsets).astype(np.int32),
            "n_instances": np.bincount(pairs // width, minlength=cells.num_rows).astype(np.int32),
            "n_missing": missing(cells, [*names, "algorithm"], [trials], [report] if report else []),
            "budget_rule": [BUDGET_RULE] * cells.num_rows,
        },
    )
    return curve_table, summary


def _best_so_far(trials: pa.Table, traces: Iterable[Rows], larger: npt.NDArray[np.bool_]) -> tuple[Index, Index, Array]:
    """Trial, evaluations and value of all rows that improve, minimised; rows beyond the trial's budget are left out."""
    budget = pc.fill_null(trials.column("budget").cast(pa.float64()), np.inf).to_numpy()
    parts: list[tuple[Index, Index, Array]] = []
    for piece in traces:
        trial = np.repeat(piece.trial, np.diff(piece.offsets))
        value = np.where(larger[trial], -piece.value, piece.value)
        keep = (piece.evaluations <= budget[trial]) & np.isfinite(value)
        parts.append((trial[keep], np.asarray(piece.evaluations)[keep], value[keep]))
    trial = np.concatenate([np.zeros(0, np.int64), *(part[0] for part in parts)])
    evaluations = np.concatenate([np.zeros(0, np.int64), *(part[1] for part in parts)])
    value = np.concatenate([np.zeros(0), *(part[2] for part in parts)])
    best = running_minimum(trial, value)
    better = improves(trial, best)
    return trial[better], evaluations[better], best[better]
