"""Empirical attainment: which values a share of the trials has reached by when, and the limit of infinitely many targets."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, Index, Mask, UserError, chunks, keys, limits, record, schema
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.replicates import deviation, mean
from benchmill.core.traces import Piece, check_scale, larger_is_better, pieces
from benchmill.indicators.ecdf import BUDGET_RULE
from benchmill.indicators.job import Given, Made, columns_of, lasts, missing
from benchmill.registry.entry import described
from benchmill.registry.indicator_options import Attainment
from benchmill.registry.indicators import Indicator

#: Numbers held at once, runs times evaluations.
_NUMBERS_AT_ONCE = 1 << 20


@record
class Options(Attainment):
    """Which curves are drawn, and between which bounds the area over the convergence curve is taken."""

    def __post_init__(self) -> None:
        if not self.shares or not all(0 < share <= 1 for share in self.shares):
            raise UserError(f"attainment: shares are {list(self.shares)}, expected one or more numbers above 0 and up to 1.")
        attained([], *self.between, log=self.value_log)


def attained(values: ArrayLike, low: float, high: float, *, log: bool = True) -> Array:
    """Return the share of all targets between two bounds that a value reaches (smaller is better)."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high and (low > 0 or not log)):
        raise UserError(
            f"attainment: the bounds are {low:g} and {high:g}, expected two ascending numbers, above 0 on a log scale."
        )
    v = np.clip(np.asarray(values, float), low, high)
    if log:
        v, low, high = np.log10(v), math.log10(low), math.log10(high)
    return np.asarray((high - v) / (high - low), float)


def aocc(trial: ArrayLike, evaluations: ArrayLike, height: ArrayLike, ends: ArrayLike, *, log: bool = False) -> Array:
    """Return the normalised area over the convergence curve of every trial: the mean of `height` over [1, end], or over log x.

    Exact; `trial` ascends, `height` is `attained` of the best value so far. A trial that stopped before its end, of more than one
    evaluation, keeps its last height.
    """
    t, h, end = np.asarray(trial, np.int64), np.asarray(height, float), np.asarray(ends, float)
    start = np.clip(np.asarray(evaluations, float), 1.0, end[t])
    until = np.where(lasts(t), end[t], np.append(start[1:], 1.0)[: t.size])
    width = np.log(until) - np.log(start) if log else until - start
    return np.bincount(t, h * width, end.size) / (np.log(end) if log else end - 1.0)


def surfaces(
    run: ArrayLike, evaluations: ArrayLike, values: ArrayLike, n_runs: int, ranks: Sequence[int]
) -> list[tuple[Index, Array]]:
    """Return the k-th best value of all runs after any number of evaluations, for k in `ranks`, from 1 to `n_runs`.

    Falling right-continuous step functions (evaluations, values); empty where fewer than k runs ever have a value.
    """
    times, at = np.unique(np.asarray(evaluations, np.int64), return_inverse=True)
    order = np.argsort(at, kind="stable")
    own, at, value = np.asarray(run, np.int64)[order], at[order], np.asarray(values, float)[order]
    places = [k - 1 for k in ranks]
    best, levels = np.full((n_runs, 1), np.inf), np.full((len(places), times.size + 1), np.inf)
    for some in chunks(times.size, _NUMBERS_AT_ONCE // max(n_runs, 1)):
        inside = slice(*np.searchsorted(at, [some.start, some.stop]))
        block = np.append(best, np.full((n_runs, some.stop - some.start), np.inf), axis=1)
        np.minimum.at(block, (own[inside], at[inside] - some.start + 1), value[inside])
        np.minimum.accumulate(block, axis=1, out=block)
        best = block[:, -1:]
        levels[:, some.start + 1 : some.stop + 1] = np.partition(block[:, 1:], sorted(set(places)), axis=0)[places]
    falls = levels[:, 1:] < levels[:, :-1]
    return [(times[own], level[own]) for own, level in zip(falls, levels[:, 1:], strict=True)]


#: The options of a study that says nothing of them.
USUAL = Options()


def attainment(
    trials: pa.Table,
    traces: Iterable[Piece],
    options: Options = USUAL,
    *,
    larger: ArrayLike,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    report: schema.Facts | None = None,
) -> tuple[Iterator[pa.Table], pa.Table]:
    """Return attainment curves and AOCC of one source, by algorithm and problem; every trial weighs the same.

    The curves come cell by cell, so that they need not fit into memory; the improvements have to. Then the table `convergence`, a
    row per algorithm and problem with the AOCC, the mean over its trials.
    """
    names = limits.problem_columns(problem_keys)
    cell, cells = keys.cells(trials, [*names, "algorithm"])
    order, offsets = keys.starts(cell, cells.num_rows)
    larger = np.asarray(larger, bool)
    ends = options.budget * pc.fill_null(trials["dimension"], 1).to_numpy().astype(float)
    if not (ends > 1).all():
        raise UserError(f"attainment: budget is {options.budget:g}, expected more than one evaluation.")
    (low, high), log = options.between, options.value_log
    trial, evaluations, value = (np.concatenate(column) for column in zip(*_best_so_far(trials, traces, larger), strict=True))
    height = np.where(larger[trial], 1.0 - attained(-value, low, high, log=log), attained(value, low, high, log=log))
    areas = [aocc(trial, evaluations, height, ends, log=over_log)[order] for over_log in (False, True)]
    run = np.empty(trials.num_rows, np.int64)
    run[order] = np.arange(trials.num_rows) - offsets[keys.of_rows(offsets)]
    by_cell, bounds = keys.starts(cell[trial], cells.num_rows)
    rows_of = (by_cell[start:stop] for start, stop in pairwise(bounds))
    of_cells = ((run[trial[rows]], evaluations[rows], value[rows]) for rows in rows_of)
    signs = np.where(larger[order[offsets[:-1]]], -1.0, 1.0)
    curves = _curves(cells, of_cells, np.diff(offsets), signs, options.shares)
    summary = schema.table(
        "convergence",
        {
            **columns_of(cells),
            "aocc": mean(areas[0], offsets),
            "aocc_sd": schema.or_null(deviation(areas[0], offsets)),
            "aocc_log": mean(areas[1], offsets),
            "value_from": low,
            "value_to": high,
            "value_log": log,
            "evaluations_to": ends[order][offsets[:-1]],
            "n_trials": np.diff(offsets),
            "n_instances": keys.count_distinct(cell, keys.numbers(trials, limits.INSTANCE), cells.num_rows),
            "n_missing": missing(cells, [*names, "algorithm"], [trials], [report] if report else []),
            "budget_rule": BUDGET_RULE,
        },
    )
    return curves, summary


def _best_so_far(trials: pa.Table, traces: Iterable[Piece], larger: Mask) -> Iterator[tuple[Index, Index, Array]]:
    """Return trial, evaluations and value of the rows that improve, minimised."""
    budget = pc.fill_null(trials["budget"].cast(pa.float64()), np.inf).to_numpy()
    held = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
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
        final = lasts(trial, evaluations)
        trial, evaluations, best = trial[final], evaluations[final], best[final]
        held = trial[-1:], evaluations[-1:], best[-1:]
        yield trial[:-1], evaluations[:-1], best[:-1]
    yield held


def _curves(
    cells: pa.Table, rows: Iterable[tuple[Index, Index, Array]], n_runs: Index, signs: Array, shares: Sequence[float]
) -> Iterator[pa.Table]:
    """Return the curves of each cell, by the run, evaluations and value of its rows."""
    for number, (own, size, sign) in enumerate(zip(rows, n_runs.tolist(), signs.tolist(), strict=True)):
        # rounded first: 0.07 * 100 is 7.000000000000001
        ranks = [max(1, math.ceil(round(share * size, 9))) for share in shares]
        x, v = zip(*surfaces(*own, size, ranks), strict=True)
        sizes = [one.size for one in x]
        yield schema.table(
            "attainment",
            {
                **columns_of(cells, np.full(sum(sizes), number)),
                "share": np.repeat(np.asarray(shares, float), sizes),
                "rank": np.repeat(np.asarray(ranks, np.int32), sizes),
                "evaluations": np.concatenate(x),
                "value": sign * np.concatenate(v),
            },
        )


def job(given: Given) -> Made:
    """Make `attainment` and `convergence` of trials and traces of one source."""
    options = given.options(Options)
    (trials,), (report,) = given.read("trials"), given.reports
    if trials["known_targets"].null_count < trials.num_rows:
        # a background, whose report says so: it knows the evaluations to some targets, and no curves
        return Made({"attainment": iter(()), "convergence": schema.TABLES["convergence"].empty_table()})
    check_scale(trials, options.scale, "attainment")
    curves, areas = attainment(
        trials,
        pieces(given.pieces("traces"), trials, options.scale, on_target=False),
        options,
        larger=larger_is_better(trials, options.scale),
        report=report,
        **given.needed,
    )
    return Made({"attainment": curves, "convergence": areas})


ENTRIES = described(__file__, partial(Indicator, options=Options), attainment=job)
