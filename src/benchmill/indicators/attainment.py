"""Empirical attainment: which values a share of the trials has reached by when, and the limit of infinitely many targets."""

from __future__ import annotations

import itertools
import math
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, schema
from benchmill.core.arrays import Array, Index, Mask
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.errors import UserError
from benchmill.core.options import option, some
from benchmill.core.replicates import deviation, mean
from benchmill.core.traces import SCALE, Piece, Scale, check_scale, larger_is_better, pieces
from benchmill.indicators.ecdf import BUDGET_RULE
from benchmill.indicators.job import Given, Made, missing
from benchmill.registry.indicators import Indicator

_NUMBERS_AT_ONCE = 1 << 20

#: Rows of one problem that are held at once, and rows of curves that are handed on together (a row group of the file).
_ROWS_AT_ONCE = 1 << 18
_ROWS_A_TABLE = 1 << 18

#: Bytes of improvements that are kept in memory; more go to a temporary file without a name.
_BYTES_IN_MEMORY = 1 << 26


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
    """Return the normalised area over the convergence curve of every trial: the mean of `height` over [1, end], or over log x.

    Exact; `trial` ascends, `height` is `attained` of the best value so far. A trial that stopped before its end, of more than one
    evaluation, keeps its last height.
    """
    t, h, end = np.asarray(trial, np.int64), np.asarray(height, float), np.asarray(ends, float)
    areas = _Areas(end, log)
    areas.add(t, np.asarray(evaluations, float), h)
    return areas.total()


class _Areas:
    """Areas over convergence curves, added up piece by piece in the order of the rows."""

    def __init__(self, ends: Array, log: bool) -> None:
        self._ends = ends
        self._log = log
        self._sum = np.zeros(ends.size)
        self._open: tuple[Index, Array, Array] | None = None

    def add(self, trial: Index, evaluations: Array, height: Array) -> None:
        """Add rows, sorted by trial and evaluations."""
        if self._open is not None:
            trial, evaluations, height = (
                np.concatenate(two) for two in zip(self._open, (trial, evaluations, height), strict=True)
            )
        # what the last row adds depends on the next one
        self._open = trial[-1:], evaluations[-1:], height[-1:]
        self._count(trial, evaluations, height, slice(0, -1))

    def _count(self, trial: Index, evaluations: Array, height: Array, rows: slice) -> None:
        own = self._ends[trial]
        start = np.clip(evaluations, 1.0, own)
        last = np.append(trial[1:] != trial[:-1], True)[: trial.size]
        until = np.where(last, own, np.append(start[1:], 1.0)[: trial.size])
        if self._log:
            start, until = np.log(start), np.log(until)
        trial, weight = trial[rows], (height * (until - start))[rows]
        if trial.size:
            first = trial[0]
            # one by one from the sum so far, as if there had been no pieces
            found = np.bincount(np.append(0, trial - first), np.append(self._sum[first], weight))
            self._sum[first : first + found.size] = found

    def total(self) -> Array:
        """Return the normalised areas."""
        if self._open is not None:
            self._count(*self._open, slice(None))
            self._open = None
        return np.asarray(self._sum / (np.log(self._ends) if self._log else self._ends - 1.0), float)


def surfaces(
    run: npt.ArrayLike, evaluations: npt.ArrayLike, values: npt.ArrayLike, n_runs: int, ranks: Sequence[int]
) -> list[tuple[Index, Array]]:
    """Return the k-th best value of all runs after any number of evaluations, for k in `ranks`, from 1 to `n_runs`.

    Falling right-continuous step functions (evaluations, values); empty where fewer than k runs ever have a value.
    """
    levels = _Levels(n_runs, ranks)
    return levels.add(np.asarray(run, np.int64), np.asarray(evaluations, np.int64), np.asarray(values, float))


class _Levels:
    """The k-th best values of all runs, for rows that come in windows of evaluations."""

    def __init__(self, n_runs: int, ranks: Sequence[int]) -> None:
        self._positions = [k - 1 for k in ranks]
        self._best = np.full(n_runs, np.inf)
        self._last = np.full((len(ranks), 1), np.inf)

    def add(self, run: Index, evaluations: Index, values: Array) -> list[tuple[Index, Array]]:
        """Return the steps of each curve within a window, whose evaluations all come after those of the windows before."""
        times, at = np.unique(evaluations, return_inverse=True)
        order = np.argsort(at, kind="stable")
        run, at, values = run[order], at[order], values[order]
        found = np.empty((len(self._positions), times.size))
        n_runs = self._best.size
        step = max(1, _NUMBERS_AT_ONCE // max(n_runs, 1))
        for start in range(0, times.size, step):
            width = min(step, times.size - start)
            inside = slice(*np.searchsorted(at, [start, start + width]))
            block = np.full((n_runs, width), np.inf)
            np.minimum.at(block, (run[inside], at[inside] - start), values[inside])
            block[:, 0] = np.minimum(block[:, 0], self._best)
            np.minimum.accumulate(block, axis=1, out=block)
            self._best = block[:, -1].copy()
            found[:, start : start + width] = np.partition(block, sorted(set(self._positions)), axis=0)[self._positions]
        before = np.append(self._last, found, axis=1)
        self._last = before[:, -1:]
        changes = np.isfinite(found) & (found < before[:, :-1])
        return [(times[row], level[row]) for row, level in zip(changes, found, strict=True)]


#: The options of a study that says nothing of them.
USUAL = Options()


def attainment(
    trials: pa.Table,
    traces: Iterable[Piece],
    options: Options = USUAL,
    *,
    larger: npt.ArrayLike,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    report: Mapping[str, Any] | None = None,
) -> tuple[Iterator[pa.Table], pa.Table]:
    """Return attainment curves and AOCC of one source, by algorithm and problem; every trial weighs the same.

    The curves come piece by piece: neither they nor the traces have to fit into memory. Then the table `convergence`, a row per
    algorithm and problem with the AOCC, the mean over its trials.
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
    rows = _Improvements(trials.num_rows)
    sums = _Areas(ends, False), _Areas(ends, True)
    for trial, evaluations, value in _best_so_far(trials, traces, larger):
        rows.append(trial, evaluations, value)
        direct = attained(value, low, high, log=log)
        reverse = 1.0 - attained(-value, low, high, log=log)
        height = np.where(larger[trial], reverse, direct)
        for area in sums:
            area.add(trial, evaluations.astype(float), height)
    areas = [area.total()[order] for area in sums]
    curves = _curves(rows, cells, [order[a:b] for a, b in itertools.pairwise(offsets)], larger, options.shares)
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
    return curves, summary


def _best_so_far(trials: pa.Table, traces: Iterable[Piece], larger: Mask) -> Iterator[tuple[Index, Index, Array]]:
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


class _Improvements:
    """Rows that improve, sorted by trial and evaluations, in memory or (many) in a temporary file."""

    _ROW = np.dtype([("evaluations", "i8"), ("value", "f8")])

    def __init__(self, n_trials: int) -> None:
        self._file = tempfile.SpooledTemporaryFile(_BYTES_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._file.close)  # when nothing refers to the rows any more
        self._counts = np.zeros(n_trials, np.int64)

    def append(self, trial: Index, evaluations: Index, value: Array) -> None:
        """Add rows behind those that are there."""
        rows = np.empty(trial.size, self._ROW)
        rows["evaluations"], rows["value"] = evaluations, value
        self._file.write(rows.tobytes())
        np.add.at(self._counts, trial, 1)

    def windows(self, trials: Index) -> Iterator[tuple[Index, Index, Array]]:
        """Run (its place in `trials`), evaluations and value of the rows of some trials, by windows of evaluations."""
        begins = (np.cumsum(self._counts) - self._counts)[trials]
        ends = begins + self._counts[trials]
        share = _ROWS_AT_ONCE if (ends - begins).sum() <= _ROWS_AT_ONCE else max(1, _ROWS_AT_ONCE // trials.size)
        held = [np.empty(0, self._ROW)] * trials.size
        while True:
            for i in np.flatnonzero(begins < ends):
                if not held[i].size:
                    until = min(begins[i] + share, ends[i])
                    self._file.seek(int(begins[i]) * self._ROW.itemsize)
                    held[i] = np.frombuffer(self._file.read(int(until - begins[i]) * self._ROW.itemsize), self._ROW)
                    begins[i] = until
            unread = [held[i]["evaluations"][-1] for i in np.flatnonzero(begins < ends)]
            cuts = [np.searchsorted(one["evaluations"], min(unread), "right") if unread else one.size for one in held]
            rows = np.concatenate([one[:cut] for one, cut in zip(held, cuts, strict=True)])
            yield np.repeat(np.arange(trials.size), cuts), rows["evaluations"].copy(), rows["value"].copy()
            held = [one[cut:] for one, cut in zip(held, cuts, strict=True)]
            if not unread:
                return


def _curves(
    rows: _Improvements, cells: pa.Table, members: Sequence[Index], larger: Mask, shares: Sequence[float]
) -> Iterator[pa.Table]:
    """Return the curves of each cell, as tables of `_ROWS_A_TABLE` rows but for the last."""
    held: list[tuple[int, float, int, Index, Array]] = []
    size = 0
    for number, own in enumerate(members):
        # rounded first: 0.07 * 100 is 7.000000000000001
        ranks = [max(1, math.ceil(round(share * own.size, 9))) for share in shares]
        sign = -1.0 if larger[own[0]] else 1.0
        for (share, k), steps in zip(zip(shares, ranks, strict=True), _steps(rows, own, ranks), strict=True):
            for x, v in steps:
                held.append((number, share, k, x, sign * v))
                size += x.size
                while size >= _ROWS_A_TABLE:
                    *_, x, v = held[-1]
                    full = x.size - (size - _ROWS_A_TABLE)
                    held[-1] = (number, share, k, x[:full], v[:full])
                    yield _table(held, cells)
                    held, size = [(number, share, k, x[full:], v[full:])], x.size - full
    if size:
        yield _table(held, cells)


def _steps(rows: _Improvements, own: Index, ranks: Sequence[int]) -> Iterator[Iterable[tuple[Index, Array]]]:
    """Return for each rank the steps of its curve, in pieces."""
    levels = _Levels(own.size, ranks)
    windows = (levels.add(*window) for window in rows.windows(own))
    first = next(windows)
    second = next(windows, None)
    if second is None:
        yield from ([curve] for curve in first)
        return
    # one curve goes out after the other, and all are made together
    stores = [_Improvements(1) for _ in ranks]
    for window in itertools.chain([first, second], windows):
        for store, (x, v) in zip(stores, window, strict=True):
            store.append(np.zeros(x.size, np.int64), x, v)
    for store in stores:
        yield ((x, v) for _, x, v in store.windows(np.zeros(1, np.int64)))


def _table(curves: Sequence[tuple[int, float, int, Index, Array]], cells: pa.Table) -> pa.Table:
    sizes = [x.size for *_, x, _ in curves]
    of = pa.array(np.repeat(np.array([number for number, *_ in curves], np.int64), sizes))
    return schema.table(
        "attainment",
        {
            **{name: cells.column(name).take(of) for name in cells.column_names},
            "share": np.repeat([share for _, share, *_ in curves], sizes),
            "rank": np.repeat(np.array([k for _, _, k, *_ in curves], np.int32), sizes),
            "evaluations": np.concatenate([x for *_, x, _ in curves]),
            "value": np.concatenate([v for *_, v in curves]),
        },
    )


def job(given: Given) -> Made:
    """Make `attainment` and `convergence` of trials and traces of one source."""
    options = given.options(Options)
    (trials,), (report,) = given.read("trials"), given.reports
    if trials.column("known_targets").null_count < trials.num_rows:
        # a background, whose report says so: it knows the evaluations to some targets, and no curves
        return Made({"attainment": iter(()), "convergence": schema.TABLES["convergence"].empty_table()})
    check_scale(trials, options.scale, "attainment")
    larger = larger_is_better(trials, options.scale)
    traces = pieces(given.pieces("traces"), trials, options.scale, on_target=False)
    curves, areas = attainment(trials, traces, options, larger=larger, report=report, **given.needed)
    return Made({"attainment": curves, "convergence": areas})


ENTRIES = (
    Indicator(
        "attainment",
        "empirical attainment curves, and the area over the convergence curve (AOCC): the ECDF over infinitely many targets; "
        "made where a study has an ECDF",
        function=job,
        options=Options,
        references=("lopezibanez2025",),
        each="traced source",
        needs=("trials", "traces", "ingest", "problem_keys"),
        makes={
            "attainment": "an algorithm × problem × share of trials × improvement of that share",
            "convergence": "an algorithm × problem: area over the convergence curve (AOCC)",
        },
    ),
)
