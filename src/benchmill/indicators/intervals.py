"""Intervals of ERT, success performance, and shifted geometric means: Student's on the scale of the logarithm, with its skewness.

Percentile bootstraps of five runs cover 80 % where they say 95 %. docs/inference.md has what these cover.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmill.core import replicates
from benchmill.core.intervals import skewed
from benchmill.core.replicates import totals

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]


def running_times(
    costs: npt.ArrayLike, budgets: npt.ArrayLike, offsets: npt.ArrayLike, level: float = 0.95
) -> tuple[Array, Array]:
    """Intervals of ERT and success performance, for every cell.

    On the scale of the logarithm (`benchmill.core.intervals.skewed`): of n trials of which s succeed, the influence of trial i on
    log ERT is n spent_i / sum(spent) - n success_i / s; on the logarithm of success performance it is
    n cost_i / sum(cost of successes) - 2 n success_i / s + 1.

    Parameters
    ----------
    costs, budgets : (n_trials,) array_like
        As for `benchmill.core.replicates.ert`, after the budget rule.
    offsets : (n_cells + 1,) array_like of int
    level : float
        In (0, 1).

    Returns
    -------
    ert, success_performance : (2, n_cells) arrays
        Lower and upper ends. NaN for fewer than two trials and without a success (where nothing is learnt about it); for ERT also
        where the budget of a failure is unknown.
    """
    t, b = np.asarray(costs, float), np.asarray(budgets, float)
    bounds = np.asarray(offsets, np.int64)
    cell = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    success = np.isfinite(t)

    def shares(values: Array) -> Array:
        """Values over their mean in the cell; 1 where all are 0."""
        mean = replicates.mean(values, bounds)[cell]
        return np.divide(values, mean, out=np.ones(values.size), where=mean != 0)

    solved = shares(success.astype(float))
    of_ert = shares(np.where(success, t, b)) - solved
    of_performance = shares(np.where(success, t, 0.0)) - 2 * solved + 1
    estimates = replicates.ert(t, b, bounds), replicates.success_performance(t, bounds)
    known = totals(success, bounds) > 0
    ert, performance = (
        np.where(known, _around_log(estimate, *skewed(influence, bounds, level)), np.nan)
        for estimate, influence in zip(estimates, (of_ert, of_performance), strict=True)
    )
    return ert, performance


def _around_log(estimate: Array, below: Array, above: Array) -> Array:
    """Ends (2, n) of intervals that reach so far from the logarithm."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.stack([estimate * np.exp(-below), estimate * np.exp(above)])


def shifted_means(
    log: Array, shift: float, clusters: Index, level: float, first: int | None
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Intervals of shifted geometric means, and of their ratios to that of one solver, over clusters of instances.

    By `benchmill.core.intervals.skewed`: of the mean of log(t + s); of the logarithm of a ratio from the influence of each
    instance on it, so that two solvers are compared on the same instances. The influences of a cluster are added up.

    Parameters
    ----------
    log : (n_instances, n_solvers) array
        log(t + s).
    shift : float
        s.
    clusters : (n_instances,) int array
        The cluster of each instance, from 0.
    level : float
    first : int, optional
        The solver that the others are divided by; ratios are NaN without.

    Returns
    -------
    means, ratios : (low, high) of (n_solvers,) arrays
        NaN for fewer than two clusters.
    """
    n, k = log.shape
    groups = int(clusters.max(initial=-1)) + 1
    centre = log.mean(axis=0)
    found = np.exp(centre) - shift
    influence = np.zeros((groups, k))
    np.add.at(influence, clusters, (log - centre) * (groups / n))
    offsets = np.arange(k + 1) * groups
    below, above = skewed(influence.T.ravel(), offsets, level)
    # the mean of costs that are 0 or more is so too
    with np.errstate(divide="ignore"):
        least = np.where((log >= np.log(shift)).all(axis=0), 0.0, -np.inf)
    means = np.maximum(np.exp(centre - below) - shift, least), np.exp(centre + above) - shift
    if first is None:
        return means, (np.full(k, np.nan), np.full(k, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = influence * ((found + shift) / found)
        low, high = _around_log(found / found[first], *skewed((relative - relative[:, [first]]).T.ravel(), offsets, level))
    return means, (low, high)
