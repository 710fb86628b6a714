"""The courses of runs as the page carries them: break points of the best value so far, which tell the cost at any target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.traces import are_distances, larger_is_better, pieces

#: Break points of a study that the page carries at most.
MOST_BREAKS = 400_000

#: What of `trials` is looked at.
TRIALS = ["algorithm", "trial", "budget", "optimum", "value_kind", "maximise", "n", "known_targets"]

#: The trials of one source, and what yields its traces piece by piece.
Source = tuple[pa.Table, Callable[[], Iterable[pa.Table]]]


class Course(NamedTuple):
    """Break points of the trials of one source, by trial: where the best value so far improves within the budget."""

    trial: npt.NDArray[np.int64]
    evaluations: npt.NDArray[np.int64]
    value: npt.NDArray[np.float64]


def course(trials: pa.Table, traces: Iterable[pa.Table], scale: str) -> Course | None:
    """The break points of the trials of one source.

    A target is reached where one of them is at most that target, and at its evaluations: the cost is that of the measure of
    fixed targets (`benchmill.costs.fixed_target`), for every target.

    Parameters
    ----------
    trials, traces
        Tables of one source; the first with the columns `TRIALS`.
    scale : str
        See `benchmill.core.traces.scaled`.

    Returns
    -------
    Course or None
        None where larger values are better, where an optimum that the scale needs is not known, where a trace is the mean of
        several runs, and where the source knows the evaluations to some targets alone.
    """
    if trials.column("known_targets").null_count < trials.num_rows:
        return None
    optimum = np.asarray(trials.column("optimum").cast(pa.float64()).to_numpy(zero_copy_only=False), float)
    unknown = (are_distances(trials, scale) & ~are_distances(trials, "logged")) | (scale == "relative")
    several = trials.column("n").to_numpy() > 1
    if larger_is_better(trials, scale).any() or np.isnan(optimum[unknown]).any():
        return None
    budget = trials.column("budget").cast(pa.float64()).to_numpy(zero_copy_only=False)
    found = [Course(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    for piece in pieces(traces, trials, scale, on_target=True):
        trial = np.repeat(piece.trial, np.diff(piece.offsets))
        if several[piece.trial].any():
            return None
        found.append(_breaks(Course(trial, piece.evaluations, piece.value)))
    # a trial may go on in the next piece
    whole = _breaks(Course(*(np.concatenate(parts) for parts in zip(*found, strict=True))))
    # a budget that is not known is NaN and limits nothing
    kept = np.isfinite(whole.value) & ~(whole.evaluations > budget[whole.trial])
    return Course(*(column[kept] for column in whole))


def _breaks(rows: Course) -> Course:
    value = running_minimum(rows.trial, rows.value)
    keep = improves(rows.trial, value)
    return Course(rows.trial[keep], rows.evaluations[keep], value[keep])


def courses(sources: Sequence[Source], scale: str) -> list[Course] | None:
    """Those of all sources; None where one has none, or where they are more than a page carries."""
    found: list[Course] = []
    for trials, traces in sources:
        one = course(trials, traces(), scale)
        if one is None or sum(each.trial.size for each in found) + one.trial.size > MOST_BREAKS:
            return None
        found.append(one)
    return found
