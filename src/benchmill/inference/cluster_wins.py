"""Bayesian comparison of two algorithms by their net share of wins over clusters, by quadrature."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from benchmill.inference.bayes import Posterior
from benchmill.inference.clusters import Codes, means
from benchmill.inference.effects import net_wins
from benchmill.registry.posteriors import BayesianComparison

#: Scale of the Cauchy prior of the mean, in standard deviations between clusters (the usual one of Morey and Rouder 2011).
_SCALE = math.sqrt(0.5)
#: Prior variance between clusters, which counts as one of them: that of a uniform share of wins.
_VARIANCE = 1 / 3
#: Range and step of the logarithm of g, by which a Cauchy distribution is a mixture of normal ones.
_LOG_G = np.arange(-7.0, 60.0, 0.2)


def of_cells(first: npt.ArrayLike, second: npt.ArrayLike, clusters: Codes, rope: float = 0.0) -> Posterior | None:
    """Return `of_shares` of the net shares of wins of two algorithms, (n_blocks, n_runs) each; None without blocks or runs."""
    x = np.stack([np.asarray(first, float), np.asarray(second, float)], axis=1)
    return of_shares(means(net_wins(x), clusters)[:, 0], rope) if x.size else None


def of_shares(d: npt.ArrayLike, rope: float = 0.0) -> Posterior:
    """Return the probabilities that the mean of d over clusters like these is below -rope, within, and above rope.

    d, in [-1, 1], is normal about the mean with an unknown variance. Before the data each statement has the probability 1/3;
    given sigma the mean has within each the density of a Cauchy distribution about 0 of scale 0.707 sigma, cut at ±rope (Morey
    and Rouder 2011, non-overlapping hypotheses; rope = 0: the point 0). sigma^2 is scaled inverse chi-squared with one degree of
    freedom and the variance of a uniform share of wins, 1/3, so that clusters that all agree do not make the answer certain. By
    sums of equal steps in log sigma and log g, of which the Cauchy distribution is a mixture; no random numbers. Without clusters
    1/3 each.
    """
    from scipy.special import ndtr

    x = np.asarray(d, float)
    if not (np.abs(x) <= 1).all() or not rope >= 0:
        raise ValueError("shares of wins must be in [-1, 1], and rope not negative")
    if rope >= 1:
        return Posterior(0.0, 1.0, 0.0, 0)
    n = x.size
    if not n:
        return Posterior(1 / 3, 1 / 3, 1 / 3, 0)
    mean = float(x.mean())
    squares = float(((x - mean) ** 2).sum()) + _VARIANCE
    # the density of log sigma falls off as exp(-n log sigma) on the right, and faster on the left
    low, high = (0.5 * math.log(about / n) for about in (squares, squares + n * mean**2))
    step = 0.3 / math.sqrt(n)
    log_sigma = np.arange(low - 8 / math.sqrt(n), high + 8 / math.sqrt(n) + 40 / n, step)[:, None]
    sigma = np.exp(log_sigma)
    weight = -n * log_sigma - squares / (2 * sigma**2)
    spread = np.exp(_LOG_G) * _SCALE**2
    # inverse gamma (1/2, 1/2), by log g
    mixed = weight - 0.5 * _LOG_G - 0.5 * np.exp(-_LOG_G)
    total = sigma**2 * (1 / n + spread)
    mixed = mixed - 0.5 * np.log(total) - mean**2 / (2 * total)
    centre = mean * n * spread / (1 + n * spread)
    width = sigma * np.sqrt(spread / (1 + n * spread))
    inside = 2 / np.pi * np.arctan(rope / (_SCALE * sigma))
    above, below = ndtr((centre - rope) / width), ndtr((-centre - rope) / width)
    top = mixed.max()
    density = np.exp(mixed - top)
    outside = [float((density * part / ((1 - inside) / 2)).sum()) for part in (above, below)]
    if rope:
        equal = float((density * (ndtr((rope - centre) / width) - ndtr((-rope - centre) / width)) / inside).sum())
    else:
        # the mixture integrates to this; its steps in log g are those of the others
        of_g = np.exp(-0.5 * _LOG_G - 0.5 * np.exp(-_LOG_G)).sum()
        equal = float(np.exp(weight - log_sigma + 0.5 * math.log(n) - n * mean**2 / (2 * sigma**2) - top).sum() * of_g)
    whole = outside[0] + outside[1] + equal
    return Posterior(outside[0] / whole, equal / whole, outside[1] / whole, 0)


ENTRIES = (
    BayesianComparison(
        name="cluster_wins",
        words="Bayesian comparison of net wins",
        function=of_cells,
        references=("morey2011",),
        phrase="a Bayesian t test of the net shares of wins in the clusters",
        note="over clusters, with a probability of its own for a draw",
        failures=True,
        normalised=False,
        of_clusters=True,
        needs="problems on which every algorithm has runs",
        scale="net share of wins",
    ),
)
