"""Empirical attainment: which values a share of the trials has reached by when, and the limit of infinitely many targets."""

from __future__ import annotations

import math
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, schema
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.errors import UserError
from benchmill.core.options import option, some
from benchmill.core.replicates import deviation, mean
from benchmill.core.traces import SCALE, Piece, Scale, check_scale, larger_is_better, pieces
from benchmill.indicators.ecdf import BUDGET_RULE
from benchmill.indicators.job import Given, Made, missing
from benchmill.registry.indicators import Indicator

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

_NUMBERS_AT_ONCE = 1 << 20

#: Rows of curves that are handed on together (a row group of the file), at least.
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
    t, end = np.asarray(trial, np.int64), np.asarray(ends, float)
    start = np.clip(np.asarray(evaluations, float), 1.0, end[t])
    last = np.append(t[1:] != t[:-1], True)[: t.size]
    until = np.where(last, end[t], np.append(start[1:], 1.0)[: t.size])
    width = np.log(until) - np.log(start) if log else until - start
    area = np.bincount(t, np.asarray(height, float) * width, end.size)
    return np.asarray(area / (np.log(end) if log else end - 1.0), float)


def surfaces(
    run: npt.ArrayLike, evaluations: npt.ArrayLike, values: npt.ArrayLike, n_runs: int, ranks: Sequence[int]
) -> list[tuple[Index, Array]]:
    """Return the k-th best value of all runs after any number of evaluations, for k in `ranks`, from 1 to `n_runs`.

    Falling right-continuous step functions (evaluations, values); empty where fewer than k runs ever have a value.
    """
    times, at = np.unique(np.asarray(evaluations, np.int64), return_inverse=True)
    order, positions = np.argsort(at, kind="stable"), [k - 1 for k in ranks]
    own, at, value = np.asarray(run, np.int64)[order], at[order], np.asarray(values, float)[order]
    found = np.full((len(positions), times.size + 1), np.inf)
    best = np.full(n_runs, np.inf)
    step = max(1, _NUMBERS_AT_ONCE // max(n_runs, 1))
    for start in range(0, times.size, step):
        width = min(step, times.size - start)
        inside = slice(*np.searchsorted(at, [start, start + width]))
        block = np.full((n_runs, width), np.inf)
        np.minimum.at(block, (own[inside], at[inside] - start), value[inside])
        block[:, 0] = np.minimum(block[:, 0], best)
        np.minimum.accumulate(block, axis=1, out=block)
        best = block[:, -1].copy()
        found[:, start + 1 : start + width + 1] = np.partition(block, sorted(set(positions)), axis=0)[positions]
    changes = found[:, 1:] < found[:, :-1]
    return [(times[row], level[1:][row]) for row, level in zip(changes, found, strict=True)]


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

    The curves come piece by piece: of them and of the traces no more than one problem has to fit into memory. Then the table
    `convergence`, a row per algorithm and problem with the AOCC, the mean over its trials.
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
    for piece in _best_so_far(trials, traces, larger):
        rows.append(*piece)
    members = [order[start:end] for start, end in pairwise(offsets)]
    areas = np.empty((2, trials.num_rows))
    for own in members:
        run, evaluations, value = rows.of(own)
        upward = 1.0 - attained(-value, low, high, log=log)
        height = np.where(larger[own][run], upward, attained(value, low, high, log=log))
        areas[:, own] = [aocc(run, evaluations, height, ends[own], log=by_log) for by_log in (False, True)]
    areas = areas[:, order]
    curves = _curves(rows, cells, members, larger, options.shares)
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


def _best_so_far(
    trials: pa.Table, traces: Iterable[Piece], larger: npt.NDArray[np.bool_]
) -> Iterator[tuple[Index, Index, Array]]:
    """Yield trial, evaluations and value of the rows that improve, minimised; inf, the worst possible value, does not count."""
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
        self._ends = np.zeros(n_trials + 1, np.int64)

    def append(self, trial: Index, evaluations: Index, value: Array) -> None:
        """Add rows behind those that are there."""
        rows = np.empty(trial.size, self._ROW)
        rows["evaluations"], rows["value"] = evaluations, value
        self._file.write(rows.tobytes())
        self._ends += np.searchsorted(trial, np.arange(self._ends.size))

    def of(self, trials: Index) -> tuple[Index, Index, Array]:
        """Return run (its place in `trials`), evaluations and value of the rows of some trials."""
        parts = []
        for start, end in zip(self._ends[trials].tolist(), self._ends[trials + 1].tolist(), strict=True):
            self._file.seek(start * self._ROW.itemsize)
            parts.append(np.frombuffer(self._file.read((end - start) * self._ROW.itemsize), self._ROW))
        rows = np.concatenate(parts)
        return np.repeat(np.arange(trials.size), [part.size for part in parts]), rows["evaluations"], rows["value"]


def _curves(
    rows: _Improvements, cells: pa.Table, members: Sequence[Index], larger: npt.NDArray[np.bool_], shares: Sequence[float]
) -> Iterator[pa.Table]:
    """Return the curves of each cell, as tables of `_ROWS_A_TABLE` rows or more but for the last."""
    held: list[tuple[int, float, int, Index, Array]] = []
    for number, own in enumerate(members):
        # rounded first: 0.07 * 100 is 7.000000000000001
        ranks = [max(1, math.ceil(round(share * own.size, 9))) for share in shares]
        sign = -1.0 if larger[own[0]] else 1.0
        found = surfaces(*rows.of(own), own.size, ranks)
        held += [(number, share, k, x, sign * v) for share, k, (x, v) in zip(shares, ranks, found, strict=True) if x.size]
        if sum(x.size for *_, x, _ in held) >= _ROWS_A_TABLE:
            yield _table(held, cells)
            held = []
    if held:
        yield _table(held, cells)


def _table(curves: Sequence[tuple[int, float, int, Index, Array]], cells: pa.Table) -> pa.Table:
    number, share, rank, x, value = zip(*curves, strict=True)
    sizes = [part.size for part in x]
    of = pa.array(np.repeat(np.array(number, np.int64), sizes))
    return schema.table(
        "attainment",
        {
            **{name: cells.column(name).take(of) for name in cells.column_names},
            "share": np.repeat(share, sizes),
            "rank": np.repeat(np.array(rank, np.int32), sizes),
            "evaluations": np.concatenate(x),
            "value": np.concatenate(value),
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
