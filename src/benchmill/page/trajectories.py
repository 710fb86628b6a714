"""Trajectories of runs as the page carries them: break points of the best value so far.

They tell the cost at any target, or the value at any budget: two kinds, since a log may say for some of its rows how many
evaluations there were and not when a value was reached.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa

from benchmill.core.arrays import Array, Index
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.traces import are_distances, larger_is_better, pieces
from benchmill.text import display

#: Break points of a study that the page carries at most, and how many it reads to thin them to that.
MOST_BREAKS, MOST_READ = 400_000, 4_000_000
#: Where there are more break points, their values stand on a grid: bits of a value that are kept, as many as fit.
MOST_EXACT, _BITS = 50_000, (10, 8, 5, 3)

#: What break points are asked for.
Of = Literal["targets", "budgets"]

#: What of `trials` is looked at.
TRIALS = ["algorithm", "trial", "budget", "optimum", "value_kind", "maximise", "n", "known_targets"]

#: The trials of one source, and what yields its traces piece by piece.
Source = tuple[pa.Table, Callable[[], Iterable[pa.Table]]]


class Trajectory(NamedTuple):
    """Break points of the trials of one source, by trial: where the best value so far improves."""

    trial: Index
    evaluations: Index
    value: Array


def trajectory(trials: pa.Table, traces: Iterable[pa.Table], scale: str, kind: Of) -> Trajectory | str:
    """Return the break points of the trials of one source, or why there are none.

    A target is reached at the evaluations of the first that is at most it, as in `benchmill.costs.fixed_target`; the value at a
    budget is that of the last one up to it. None where larger values are better, a needed optimum is not known, a trace is the
    mean of several runs, or the source knows the evaluations to some targets alone.
    """
    if trials.column("known_targets").null_count < trials.num_rows:
        return "a source knows the evaluations to some targets alone"
    optimum = np.asarray(trials.column("optimum").cast(pa.float64()).to_numpy(zero_copy_only=False), float)
    unknown = (are_distances(trials, scale) & ~are_distances(trials, "logged")) | (scale == "relative")
    several = trials.column("n").to_numpy() > 1
    if larger_is_better(trials, scale).any():
        return "larger values are better"
    if np.isnan(optimum[unknown]).any():
        return "an optimum is not known"
    budget = trials.column("budget").cast(pa.float64()).to_numpy(zero_copy_only=False)
    parts_of_runs = [Trajectory(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    for piece in pieces(traces, trials, scale, on_target=kind == "targets"):
        trial = np.repeat(piece.trial, np.diff(piece.offsets))
        if kind == "targets" and several[piece.trial].any():
            return "a trace is the mean of several runs"
        parts_of_runs.append(_breaks(Trajectory(trial, piece.evaluations, piece.value)))
    # a trial may go on in the next piece
    whole = _breaks(Trajectory(*(np.concatenate(parts) for parts in zip(*parts_of_runs, strict=True))))
    # a target counts within the budget; one that is not known is NaN and limits nothing
    kept = np.isfinite(whole.value) & ~((whole.evaluations > budget[whole.trial]) & (kind == "targets"))
    return Trajectory(*(column[kept] for column in whole))


def _breaks(rows: Trajectory) -> Trajectory:
    value = running_minimum(rows.trial, rows.value)
    keep = improves(rows.trial, value)
    return Trajectory(rows.trial[keep], rows.evaluations[keep], value[keep])


def coarser(courses: Sequence[Trajectory], targets: Sequence[float]) -> tuple[list[Trajectory], float] | str:
    """Return trajectories that fit into the page, and by which share of a value they are off at most; or why none fit.

    A value falls to the grid below it, and never past one of `targets`: what is read there stays what it was. Break points that
    the grid makes one are one, the first.
    """
    if sum(one.trial.size for one in courses) <= MOST_EXACT:
        return list(courses), 0.0
    levels = np.sort(np.array(targets, float))
    least = np.append(-np.inf, np.nextafter(levels, np.inf))
    for bits in _BITS:
        thinned = []
        for one in courses:
            down = (one.value.view(np.int64) >> (52 - bits) << (52 - bits)).view(np.float64)
            value = np.where(one.value > 0, np.maximum(down, least[np.searchsorted(levels, one.value)]), one.value)
            thinned.append(_breaks(one._replace(value=value)))
        if sum(one.trial.size for one in thinned) <= MOST_BREAKS:
            return thinned, 2.0**-bits
    return f"the trajectories of the runs have more than {display.count(MOST_BREAKS)} break points"


def trajectories(sources: Sequence[Source], scale: str, kind: Of) -> list[Trajectory] | str:
    """Return those of all sources; or why one or all have none, or that there are more than a page reads."""
    courses: list[Trajectory] = []
    for trials, traces in sources:
        one = trajectory(trials, traces(), scale, kind)
        if isinstance(one, str):
            return one
        courses.append(one)
        if sum(each.trial.size for each in courses) > MOST_READ:
            return f"the trajectories of the runs have more than {display.count(MOST_READ)} break points"
    return courses if any(one.trial.size for one in courses) else "the traces of the runs have no values"
