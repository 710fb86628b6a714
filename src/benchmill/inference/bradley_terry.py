"""Bradley and Terry's model over clusters: one strength for each algorithm, whose differences are log odds to be better.

Every pair meets equally often, so that the strengths depend on nothing but the share of wins of each algorithm over the others.
Whole clusters are drawn again; the problems of a cluster may depend on each other in any way.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import draws
from benchmill.inference.clusters import MAX_T, Codes, means
from benchmill.inference.comparisons import Pairs
from benchmill.inference.design import cells
from benchmill.inference.effects import net_wins

Array = npt.NDArray[np.float64]

#: Clusters at which all algorithms are level that are added to the data.
LEVEL = 1.0
#: Steps of Newton's method, the longest of one, and what it may leave.
_STEPS, _LONGEST, _LEFT = 100, 2.0, 1e-10
#: Numbers held at once.
_CHUNK = 2_000_000


def strengths(wins: npt.ArrayLike, meetings: npt.ArrayLike) -> Array:
    """The strengths that make the given wins most likely, by Newton's method for many data at once.

    The chance that a is better than b is 1 / (1 + exp(theta_b - theta_a)). Where every pair meets n times, theta solves
    sum over b of n / (1 + exp(theta_b - theta_a)) = wins of a.

    Parameters
    ----------
    wins : (..., k) array_like
        Wins of each algorithm over all others; a draw is half a win for both. Each subset of algorithms has to win once against
        the others, else the strengths are infinite (Ford 1957): adding wins to all, as `pairs` does, makes sure of it.
    meetings : (...,) array_like
        How often each pair meets.

    Returns
    -------
    (..., k) array
        They add up to 0.

    References
    ----------
    R. A. Bradley, M. E. Terry. Rank analysis of incomplete block designs: I. The method of paired comparisons. Biometrika 39,
    324-345, 1952.
    """
    n = np.asarray(meetings, float)[..., None]
    share = np.asarray(wins, float) / n
    theta = np.zeros(share.shape)
    for _ in range(_STEPS):
        expected, information = _moments(theta)
        step = np.linalg.solve(information, (share - expected)[..., None])[..., 0]
        longest = np.abs(step).max(initial=0.0, axis=-1, keepdims=True)
        theta = theta + step * np.minimum(1.0, _LONGEST / np.maximum(longest, _LONGEST))
        if longest.max(initial=0.0) < _LEFT:
            break
    return np.asarray(theta - theta.mean(axis=-1, keepdims=True), float)


def _moments(theta: Array) -> tuple[Array, Array]:
    """Expected wins in one meeting of every pair, and their information, made regular by a constant that all strengths share."""
    k = theta.shape[-1]
    chance = expit(theta[..., :, None] - theta[..., None, :])
    spread = chance * (1 - chance)
    information = np.eye(k) * spread.sum(axis=-1)[..., None] - spread
    return chance.sum(axis=-1) - 0.5, information + 1.0 / k


def pairs(
    values: npt.ArrayLike,
    clusters: Codes,
    rng: np.random.Generator,
    permutations: int = draws.BATCH,
    alpha: float = 0.05,
) -> Pairs:
    """Compare all pairs by their strengths.

    Parameters
    ----------
    values : (n_blocks, n_treatments[, n_runs]) array_like
        inf = failure; two failures are tied. A tie is half a win for both; with runs a cell has the mean over all pairs of runs.
    clusters : (n_blocks,) int array
        The cluster of each block, numbered from 0.
    rng : numpy.random.Generator
    permutations : int
        How often clusters are drawn, at most `draws.BATCH` times.
    alpha : float
        Level of the decisions; what is still open at it is undecided.

    Returns
    -------
    Pairs
        `difference` is the strength of b less that of a: negative = a is better. One cluster at which all are level is added to
        the data, so that it is finite, and too small where one nearly always wins. `p_adjusted` is by step-down max-T: in each
        draw of whole clusters the differences change by so many of their own standard errors (the sandwich over the clusters
        that are drawn), and at least 2^(1 - n_clusters). There is no minimum significant difference and no interval. Undefined
        for fewer than two clusters.

    References
    ----------
    J. P. Romano, M. Wolf. Exact and approximate stepdown methods for multiple hypothesis testing. Journal of the American
    Statistical Association 100, 94-108, 2005.
    """
    x = cells(values)
    k = x.shape[1]
    a, b = np.triu_indices(k, 1)
    d = means(net_wins(x), clusters) if len(x) else np.zeros((0, a.size))
    groups = len(d)
    if groups < 2 or not a.size:
        return Pairs.of(k, np.full(a.size, np.nan), "log odds", MAX_T)
    # of each cluster the wins of each algorithm over the others
    wins = np.zeros((groups, k))
    np.add.at(wins.T, a, ((1 + d) / 2).T)
    np.add.at(wins.T, b, ((1 - d) / 2).T)
    found, error = (numbers[0] for numbers in _fitted(np.ones((1, groups)), wins))
    statistic = _studentised(found, error)
    order = np.argsort(-statistic, kind="stable")
    at = statistic[order] * (1 - TOLERANCE)
    alone, together = np.ones(a.size), np.ones(a.size)
    size, permutations = max(1, _CHUNK // (k * k)), min(permutations, draws.BATCH)
    for start in range(0, permutations, size):
        times = rng.multinomial(groups, np.full(groups, 1 / groups), size=min(size, permutations - start)).astype(float)
        drawn, spread = _fitted(times, wins)
        changes = _studentised(drawn - found, spread)[:, order]
        alone += (changes >= at).sum(axis=0)
        together += (np.maximum.accumulate(changes[:, ::-1], axis=1)[:, ::-1] >= at).sum(axis=0)
    p, adjusted, low = np.empty(a.size), np.empty(a.size), np.full(a.size, np.nan)
    # where all clusters agree no draw differs, and there is no more evidence than signs give
    least = max(1 / (permutations + 1), 2.0 ** (1 - groups))
    p[order] = np.maximum(alone / (permutations + 1), least)
    first, last = draws.open_steps(together - 1, permutations, alpha)
    of_step = together / (permutations + 1)
    for step in range(first, last if least <= alpha else first):
        low[order[step]], of_step[step] = draws.interval(int(together[step]) - 1, permutations)
    adjusted[order] = np.maximum(np.maximum.accumulate(of_step), least)
    known = {"statistic": statistic, "p": p, "p_adjusted": adjusted, "p_min": least, "n_resamples": permutations}
    return Pairs.of(k, found, "log odds", MAX_T, p_low=low, **known)


def _studentised(difference: Array, error: Array) -> Array:
    """Size in standard errors; 0 without a difference, infinite where every cluster agrees on one."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.abs(difference) > TOLERANCE, np.abs(difference) / error, 0.0)


def _fitted(times: Array, wins: Array) -> tuple[Array, Array]:
    """Differences of strengths, second less first, and their standard errors, (n, n_pairs); clusters count so many times."""
    k = wins.shape[1]
    groups = times.sum(axis=1)
    meetings = groups + LEVEL
    theta = strengths(times @ wins + LEVEL * (k - 1) / 2, meetings)
    expected, information = _moments(theta)
    inverse = np.linalg.inv(information * meetings[:, None, None])
    # sum over the clusters of (wins - expected) (wins - expected)'
    products = (wins[:, :, None] * wins[:, None, :]).reshape(len(wins), -1)
    mean = times @ wins
    cross = mean[:, :, None] * expected[:, None, :]
    outer = (times @ products).reshape(-1, k, k) - cross - cross.transpose(0, 2, 1)
    outer = outer + groups[:, None, None] * expected[:, :, None] * expected[:, None, :]
    covariance = inverse @ outer @ inverse * (groups / (groups - 1))[:, None, None]
    a, b = np.triu_indices(k, 1)
    variance = covariance[:, a, a] + covariance[:, b, b] - 2 * covariance[:, a, b]
    return theta[:, b] - theta[:, a], np.sqrt(np.maximum(variance, 0.0))
