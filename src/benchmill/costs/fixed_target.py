"""Fixed target: the evaluations a trial needs to reach a value (vertical reading of a convergence graph)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, Index, Mask, UserError, keys, schema
from benchmill.core.options import TARGETS, TARGETS_MEANING, option
from benchmill.core.traces import SCALE, Scale, Traces, check_scale, check_traced, larger_is_better, pieces, refuse
from benchmill.costs import options
from benchmill.costs.rows import cost_table


@dataclass(frozen=True, kw_only=True)
class Options(options.Options):
    """Settings of a measure of this kind."""

    targets: tuple[float, ...] = option(TARGETS_MEANING, [10.0, 1.0, 0.1, 1e-3, 1e-5, 1e-7], **TARGETS)
    target_titles: tuple[str, ...] = option(
        "What the targets are called in headings of figures and tables, one title for each; by default `target 10⁻⁷` and so on.",
        (),
        items={"type": "string", "minLength": 1},
    )
    scale: Scale = option(SCALE, "logged")
    aggregate: Literal["ert", "success_performance", "mean", "median", "single"] = option(options.AGGREGATE, "ert")

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = np.asarray(self.targets, float).ravel()
        if not wanted.size or np.isnan(wanted).any() or np.unique(wanted).size < wanted.size:
            raise UserError(f"targets are {list(self.targets)}, expected at least one number and none twice.")
        if self.target_titles and len(self.target_titles) != wanted.size:
            raise UserError(
                f"target_titles has {len(self.target_titles)} titles for {wanted.size} targets; give one for each, or none."
            )


def hitting_times(
    offsets: ArrayLike,
    evaluations: ArrayLike,
    values: ArrayLike,
    targets: ArrayLike,
    *,
    maximise: bool = False,
) -> Array:
    """Return the first recorded evaluation at which each trial is at least as good as each target, (n_trials, n_targets).

    inf where it is not reached; NaN reaches nothing. Values need not improve from row to row.
    """
    bounds, e = np.asarray(offsets, np.int64), np.asarray(evaluations)
    v, t = _minimised(bounds, values, targets, maximise)
    times = np.full((bounds.size - 1, t.size), np.inf)
    trial, first, count = _first_reached(bounds, v, t)
    row = np.flatnonzero(count)
    count = count[row]
    # the targets that each of these rows is the first to reach, the easiest first
    targets_of = np.arange(count.sum()) + np.repeat(first[row] - np.cumsum(count) + count, count)
    times[np.repeat(trial[row], count), np.argsort(-t, kind="stable")[targets_of]] = e[bounds[0] + np.repeat(row, count)]
    return times


def decisive(
    offsets: ArrayLike,
    values: ArrayLike,
    targets: ArrayLike,
    *,
    maximise: bool = False,
) -> Mask:
    """Return the rows of traces that determine `hitting_times`: at most one per trial and target, the first to reach it."""
    bounds = np.asarray(offsets, np.int64)
    return np.asarray(_first_reached(bounds, *_minimised(bounds, values, targets, maximise))[2] > 0)


def _minimised(bounds: Index, values: ArrayLike, targets: ArrayLike, maximise: bool) -> tuple[Array, Array]:
    """Return the values of these trials and the targets, such that smaller is better."""
    v, t = np.asarray(values, float)[bounds[0] : bounds[-1]], np.asarray(targets, float)
    if np.isnan(t).any():
        raise ValueError("a target must be a number")
    return (-v, -t) if maximise else (v, t)


def _first_reached(bounds: Index, v: Array, t: Array) -> tuple[Index, Index, Index]:
    """Return by row its trial, how many targets its trial has reached before."""
    trial = keys.of_rows(bounds)
    least = trial * (t.size + 1)
    highest = np.maximum.accumulate(least + t.size - np.searchsorted(np.sort(t), v, side="left"))
    before = np.maximum(np.append(0, highest[:-1])[: v.size], least)
    return trial, before - least, highest - before


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Return the evaluations to each target, for every trial of one source."""
    wanted, scale = np.asarray(options.targets, float).ravel(), options.scale
    check_scale(trials, scale, measure)
    larger = larger_is_better(trials, scale)
    times = np.full((trials.num_rows, wanted.size), np.inf)
    has_rows = np.zeros(trials.num_rows, bool)
    for piece in pieces(traces if traces is not None else [], trials, scale, on_target=True, targets=wanted):
        has_rows[piece.trial] = True
        for maximise in np.unique(larger[piece.trial]):
            same_sense = larger[piece.trial] == maximise
            hits = hitting_times(piece.offsets, piece.evaluations, piece.value, wanted, maximise=maximise)
            times[piece.trial[same_sense]] = np.minimum(times[piece.trial[same_sense]], hits[same_sense])
    check_traced(trials, has_rows, measure)
    refuse(
        trials,
        has_rows & (trials["n"].to_numpy() > 1),
        measure,
        "the values on {problem} are means over several runs, which do not tell when a run reached a target; use "
        "kind: fixed_budget with aggregate: mean for measure {measure!r}, or leave the source out",
    )
    # an unknown budget is NaN and limits nothing
    times[times > schema.floats(trials, "budget")[:, None]] = np.inf
    return cost_table(trials, times, measure, targets=wanted)


ENTRIES = options.kinds(__file__, fixed_target=(costs, Options))
