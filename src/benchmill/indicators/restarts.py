"""Simulated restarts: what an algorithm would need if each failed trial were followed by another one, until one succeeds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmill.core.replicates import totals

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

_DRAWS_AT_ONCE = 1 << 22


def simulated(
    times: npt.ArrayLike,
    budgets: npt.ArrayLike,
    offsets: npt.ArrayLike,
    shares: npt.ArrayLike,
    draws: int,
    rng: np.random.Generator,
) -> tuple[Index, Array]:
    """Return the running times with simulated restarts, from trials with and without success.

    Parameters
    ----------
    budgets : (n_trials,) array_like
        What each trial spent; used for failures in cells with a success.
    shares : (n_trials,) array_like
        Positive; within a cell a trial is drawn with probability proportional to its share.
    draws : int
        Simulated runs that start with each failure (those that start with the same success are all alike).

    Returns
    -------
    trial : (n_samples,) int64
        The trial each simulated run starts with, ascending.
    time : (n_samples,) array
        The expectation over the samples of a cell, each weighing its trial's share over the trial's number of samples, is the
        expected running time (ERT) of the cell where shares are equal.
    """
    t, b, w = (np.asarray(a, float) for a in (times, budgets, shares))
    bounds = np.asarray(offsets, np.int64)
    cell = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    failed = np.isinf(t)
    of_success, of_failure = np.where(failed, 0.0, w), np.where(failed, w, 0.0)
    with np.errstate(invalid="ignore"):
        p = totals(of_success, bounds) / totals(w, bounds)
    goes_on = failed & (p[cell] > 0)
    trial = np.repeat(np.arange(t.size), np.where(goes_on, draws, 1))
    time = t[trial]
    sample = np.flatnonzero(goes_on[trial])
    in_cell = cell[trial[sample]]
    further = rng.geometric(p[in_cell]) - 1 if sample.size else np.zeros(0, np.int64)
    total = b[trial[sample]] + t[_draw(of_success, bounds, in_cell, rng)]
    first = 0
    before = np.append(0, np.cumsum(further))
    while first < sample.size:
        last = max(first + 1, int(np.searchsorted(before, before[first] + _DRAWS_AT_ONCE, side="right")) - 1)
        run = np.repeat(np.arange(first, last), further[first:last])
        drawn = _draw(of_failure, bounds, in_cell[run], rng)
        total[first:last] += np.bincount(run - first, b[drawn], last - first)
        first = last
    time[sample] = total
    return trial, time


def _draw(weights: Array, bounds: Index, cells: Index, rng: np.random.Generator) -> Index:
    """Return one trial of each of the given cells, drawn with probability proportional to `weights`."""
    total = np.append(0.0, np.cumsum(weights))
    last = np.zeros(bounds.size - 1, np.int64)
    positive = np.flatnonzero(weights > 0)
    np.maximum.at(last, np.searchsorted(bounds, positive, side="right") - 1, positive)
    low, high = total[bounds[cells]], total[bounds[cells + 1]]
    found = np.searchsorted(total, low + rng.random(cells.size) * (high - low), side="right") - 1
    # rounding may carry a number just below the end of the cell to the end
    return np.asarray(np.minimum(found, last[cells]), np.int64)
