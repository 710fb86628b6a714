"""Intervals of what is averaged over few runs: ERT and success performance, shifted geometric means, ECDF curves.

Percentile bootstraps of five runs cover 80 % where they say 95 %. These are Student's intervals on the scale of the logarithm,
from the influence of each run on the estimate, and Wilson's for shares. docs/inference.md has what they cover.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from benchmill.core import replicates
from benchmill.core.replicates import totals

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]


def student(influence: npt.ArrayLike, offsets: npt.ArrayLike, level: float) -> Array:
    """Half the width of Student's interval of an estimate, from the influence of each unit on it.

    t s / sqrt(n), t the quantile of Student's distribution with n - 1 degrees of freedom and s the standard deviation of the
    influences. Of a mean they are the deviations from it; of the logarithm of a ratio of means, x / mean(x) - y / mean(y).

    Parameters
    ----------
    influence : (n_units,) array_like
        They add up to 0 over each cell.
    offsets : (n_cells + 1,) array_like of int
        Units `offsets[i]` to `offsets[i + 1]` are cell i.
    level : float
        In (0, 1).

    Returns
    -------
    (n_cells,) array
        NaN for fewer than two units.
    """
    n = np.diff(np.asarray(offsets, np.int64)).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(totals(np.asarray(influence, float) ** 2, offsets) / (n * (n - 1)))
        return np.asarray(np.where(n > 1, quantile(n - 1, level) * error, np.nan), float)


def quantile(df: npt.ArrayLike, level: float) -> Array:
    """What Student's variable stays below in size with probability `level`; NaN without degrees of freedom."""
    return np.asarray(special.stdtrit(np.asarray(df, float), (1 + level) / 2), float)


def running_times(
    costs: npt.ArrayLike, budgets: npt.ArrayLike, offsets: npt.ArrayLike, level: float = 0.95
) -> tuple[Array, Array]:
    """Intervals of ERT and success performance, for every cell.

    Student's, on the scale of the logarithm: the influence of trial i on log ERT is, of n trials of which s succeed,
    n spent_i / sum(spent) - n success_i / s; on the logarithm of success performance it is
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
        np.where(known, _around_log(estimate, student(influence, bounds, level)), np.nan)
        for estimate, influence in zip(estimates, (of_ert, of_performance), strict=True)
    )
    return ert, performance


def _around_log(estimate: Array, half: Array) -> Array:
    """Ends (2, n) of intervals that are symmetric around the logarithm."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.stack([estimate * np.exp(-half), estimate * np.exp(half)])


def shifted_means(
    log: Array, shift: float, clusters: Index, level: float, first: int | None
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Intervals of shifted geometric means, and of their ratios to that of one solver, over clusters of instances.

    Student's: of the mean of log(t + s); of the logarithm of a ratio from the influence of each instance on it, so that two
    solvers are compared on the same instances. The influences of a cluster are added up.

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
    half = student(influence.T.ravel(), offsets, level)
    # costs are above -shift
    means = np.exp(centre - half) - shift, np.exp(centre + half) - shift
    if first is None:
        return means, (np.full(k, np.nan), np.full(k, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = influence * ((found + shift) / found)
        low, high = _around_log(found / found[first], student((relative - relative[:, [first]]).T.ravel(), offsets, level))
    return means, (low, high)


def wilson(share: npt.ArrayLike, variance: npt.ArrayLike, n: float, df: float, level: float) -> tuple[Array, Array]:
    """Wilson's interval of a share whose variance is known by other means than share (1 - share) / n.

    (n f + t^2 / 2 ± t sqrt(n^2 v + t^2 / 4)) / (n + t^2), t Student's quantile with `df` degrees of freedom. With
    v = f (1 - f) / n and the normal quantile it is Wilson's (1927). It keeps a width where all units agree.

    Parameters
    ----------
    share, variance : (m,) array_like
        f, and v of f.
    n : float
        Units.
    df : float
        Degrees of freedom of v, at least 1.
    level : float
    """
    f, v = np.asarray(share, float), np.asarray(variance, float)
    t2 = float(quantile(df, level)) ** 2
    middle, half = n * f + t2 / 2, np.sqrt(t2 * (n**2 * np.maximum(v, 0.0) + t2 / 4))
    low, high = (middle - half) / (n + t2), (middle + half) / (n + t2)
    # f is inside up to rounding
    return np.maximum(np.minimum(low, f), 0.0), np.minimum(np.maximum(high, f), 1.0)
