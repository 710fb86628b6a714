"""Intervals of ERT, success performance and shifted geometric means: Student's for the logarithm, with its skewness."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from benchmill.core import Array, ArrayLike, Index, Mask, TwoArrays, keys, quietly, replicates, seeds
from benchmill.core.intervals import skewed

#: By how many times one failure more may raise the upper end of an interval of a mean: else what was not seen decides.
MOST_BY_A_FAILURE = 1.5
#: Most flips of signs; all are taken where there are no more.
_MOST_FLIPS = 1 << 13
#: Most numbers, flips times pairs, before fewer flips are drawn.
_MOST_NUMBERS = 1 << 24


def running_times(costs: ArrayLike, budgets: ArrayLike, offsets: ArrayLike, level: float = 0.95) -> TwoArrays:
    """Return the intervals of ERT and success performance, for every cell.

    Returns
    -------
    ert, success_performance : (2, n_cells) arrays
        Lower and upper ends.
    """
    t, b = np.asarray(costs, float), np.asarray(budgets, float)
    bounds = np.asarray(offsets, np.int64)
    cell = keys.of_rows(bounds)
    success = np.isfinite(t)

    def shares(values: Array) -> Array:
        """Return the values over their mean in the cell; 1 where all are 0."""
        mean = replicates.mean(values, bounds)[cell]
        return np.divide(values, mean, out=np.ones(values.size), where=mean != 0)

    solved = shares(success.astype(float))
    of_ert = shares(np.where(success, t, b)) - solved
    of_performance = shares(np.where(success, t, 0.0)) - 2 * solved + 1
    estimates = replicates.ert(t, b, bounds), replicates.success_performance(t, bounds)
    known = replicates.totals(success, bounds) > 0
    ert, performance = (
        np.where(known, _around_log(estimate, *skewed(influence, bounds, level)), np.nan)
        for estimate, influence in zip(estimates, (of_ert, of_performance), strict=True)
    )
    return ert, performance


@np.errstate(over="ignore", invalid="ignore")
def _around_log(estimate: Array, below: Array, above: Array) -> Array:
    """Return the ends (2, n) of intervals that reach so far from the logarithm."""
    return np.stack([estimate * np.exp(-below), estimate * np.exp(above)])


@np.errstate(divide="ignore")
def shifted_means(log: Array, shift: float, clusters: Index, level: float) -> TwoArrays:
    """Return the intervals of shifted geometric means over clusters of instances.

    Parameters
    ----------
    clusters : (n_instances,) int array
        The cluster of each instance, from 0.
    """
    centre, influence = _influence(log, clusters)
    below, above = skewed(influence.T.ravel(), np.arange(centre.size + 1) * len(influence), level)
    # the mean of costs that are 0 or more is so too
    least = np.where((log >= np.log(shift)).all(axis=0), 0.0, -np.inf)
    return np.maximum(np.exp(centre - below) - shift, least), np.exp(centre + above) - shift


def settled(log: Array, shift: float, clusters: Index, level: float, charge: float) -> Mask:
    """Return for which solvers one failure more would not raise the upper end of the interval of the mean by more than half.

    Few instances may show no failure of a solver that has some, and then its interval says nothing of what decides its mean. A
    failure counts `charge`; the rest as of `shifted_means`.
    """
    more = np.vstack([log, np.full((1, log.shape[1]), np.log(charge + shift))])
    high = shifted_means(log, shift, clusters, level)[1]
    raised = shifted_means(more, shift, np.append(clusters, clusters.max() + 1), level)[1]
    return raised <= MOST_BY_A_FAILURE * high


def ratio_of_means(log: Array, shift: float, clusters: Index, level: float) -> tuple[float, float]:
    """Return the interval of the ratio of the second of two shifted geometric means to the first."""
    centre, relative = _relative(log, shift, clusters)
    ends = skewed(relative[:, 1] - relative[:, 0], [0, len(relative)], level)
    low, high = _around_log(np.exp(centre[[1]] - centre[0]), *ends)
    return float(low[0]), float(high[0])


def ratios_of_means(log: Array, shift: float, clusters: Index, level: float, competing: Mask, first: int) -> TwoArrays:
    """Return the intervals of the ratios of shifted geometric means to that of solver `first`, which the same runs have chosen.

    1 for the first; NaN for fewer than two clusters.
    """
    centre, relative = _relative(log, shift, clusters)
    n, k = relative.shape
    ends = np.full((2, k), np.nan)
    if n < 2:
        return ends[0], ends[1]
    inside = np.flatnonzero(competing)
    a, b = (inside[one] for one in np.triu_indices(inside.size, 1))
    most = 2 ** (n - 1)
    flips = _signs(n, most if most <= _MOST_FLIPS else min(_MOST_FLIPS, max(999, _MOST_NUMBERS // max(a.size, 1))), most)
    # in pieces, which as numbers for the product fit into the cache
    flipped = np.vstack([piece.astype(float) @ relative for piece in np.array_split(flips, 1 + flips.size // (1 << 18))]) / n
    of_all = _largest(relative, a, b, flipped)
    for column in np.flatnonzero(np.arange(k) != first):
        own = of_all if competing[column] else _largest(relative, np.full(inside.size, column), inside, flipped)
        q = float(np.quantile(np.maximum(of_all, own), level, method="higher"))
        below, above = skewed(relative[:, column] - relative[:, first], [0, n], level, q)
        ends[:, [column]] = _around_log(np.exp(centre[[column]] - centre[first]), below, above)
    ends[:, first] = 1.0
    return ends[0], ends[1]


def _influence(log: Array, clusters: Index) -> TwoArrays:
    """Return the means of the columns, and the influence of each cluster on them, (n_clusters, n_solvers)."""
    centre, groups = log.mean(axis=0), int(clusters.max(initial=-1)) + 1
    influence = np.zeros((groups, centre.size))
    np.add.at(influence, clusters, (log - centre) * (groups / max(len(log), 1)))
    return centre, influence


@quietly()
def _relative(log: Array, shift: float, clusters: Index) -> TwoArrays:
    """Return the logarithms of shifted geometric means, and the influence of each cluster on them."""
    centre, influence = _influence(log, clusters)
    mean = np.exp(centre) - shift
    return np.log(mean), influence * ((mean + shift) / mean)


@lru_cache(maxsize=1)
def _signs(n: int, total: int, every: int) -> npt.NDArray[np.int8]:
    """Return the flips of n signs, (total, n); those of the last size are kept, as subsets mostly have as many clusters."""
    if total == every:
        return np.asarray(1 - 2 * ((np.arange(total)[:, None] >> np.arange(n)) & 1), np.int8)
    flips = np.ones((total, n), np.int8)
    # the data are one of the flips
    flips[1:] -= 2 * seeds.stream(0, "ratios of means").integers(2, size=(total - 1, n), dtype=np.int32).astype(np.int8)
    return flips


@quietly()
def _largest(relative: Array, a: Index, b: Index, flipped: Array) -> Array:
    """Return the largest studentised |mean| of the centred differences of some pairs of columns, of each row of their means."""
    largest = np.zeros(len(flipped))
    pieces = 1 + a.size * len(flipped) // (1 << 21)
    for first, second in zip(np.array_split(a, pieces), np.array_split(b, pieces), strict=True):
        d = relative[:, first] - relative[:, second]
        mean = (flipped[:, first] - flipped[:, second]) * d.any(axis=0)
        spread = (d**2).mean(axis=0) - mean**2
        t = np.abs(mean) / np.sqrt(np.maximum(spread, 0.0) / (len(relative) - 1))
        # two solvers that differ by the same factor everywhere leave nothing to doubt
        largest = np.maximum(largest, np.where(mean == 0, 0.0, t).max(axis=1, initial=0.0))
    return largest
