"""Bayesian comparisons of two algorithms: how probable it is that one is better, or that they are practically equal."""

import math
from dataclasses import dataclass

import numpy as np

from benchmill.core import ArrayLike, Generator, Index, chunks
from benchmill.inference.clusters import means
from benchmill.inference.design import net_wins
from benchmill.registry.entry import described
from benchmill.registry.inference import BayesianComparison


@dataclass(frozen=True)
class Posterior:
    """Probabilities that the first is practically better (smaller), that both are equal, and that the second is better."""

    a_better: float
    equal: float
    b_better: float
    n_samples: int


def signed_rank(
    differences: ArrayLike,
    rng: Generator,
    *,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    samples: int = 50_000,
) -> Posterior:
    """Compare by the Bayesian signed-rank test with a region of practical equivalence.

    The differences (first minus second, one a block; ±inf where one failed) have a Dirichlet process prior of strength s with a
    pseudo-difference of 0. With weights from Dirichlet(s, 1, ..., 1) it counts how often the share of Walsh averages below -rope,
    within, or above rope is the largest, ties in equal parts (Benavoli, Corani, Demšar, Zaffalon, JMLR 18 (2017), section 4.2;
    baycomp's `SignedRankTest` with prior place `rope`). Without blocks `equal` is 1.
    """
    z = np.asarray(differences, float).ravel()
    if np.isnan(z).any() or rope < 0 or prior_strength <= 0 or samples < 1:
        raise ValueError("differences must be no NaN, rope not negative, prior_strength and samples positive")
    # two failures on opposite sides cancel, one outweighs any number
    failed = np.isinf(z)
    z = np.where(failed, np.sign(z) * 4 * (np.abs(z, where=~failed, out=np.zeros(z.shape)).max(initial=0.0) + rope + 1), z)
    z = np.append(z, 0.0)
    order = np.argsort(z, kind="stable")
    z, prior = z[order], int(np.argmax(order == z.size - 1))
    # for each i the j with z_i + z_j < -2 rope are a prefix of the sorted differences, those above a suffix
    edge = 2 * rope * (1 + 1e-12)
    below = np.searchsorted(z, -edge - z, side="left")
    above = np.searchsorted(z, edge - z, side="right")
    counts = np.zeros(3)
    for some in chunks(samples, (1 << 22) // z.size):
        n = some.stop - some.start
        w = rng.standard_exponential((z.size, n))
        w[prior] = rng.standard_gamma(prior_strength, n)
        total = np.zeros((z.size + 1, n))
        np.cumsum(w, axis=0, out=total[1:])
        whole = total[-1] ** 2
        left = np.einsum("ij,ij->j", w, total[below]) / whole
        right = 1 - np.einsum("ij,ij->j", w, total[above]) / whole
        shares = np.stack([left, 1 - left - right, right], axis=1)
        best = shares >= shares.max(axis=1, keepdims=True) - 1e-12
        counts += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    left, equal, right = (counts / samples).tolist()
    return Posterior(left, equal, right, samples)


@np.errstate(invalid="ignore")
def of_medians(first: ArrayLike, second: ArrayLike, rng: Generator, rope: float = 0.0) -> Posterior | None:
    """Return `signed_rank` of the differences of the medians of the runs, (n_blocks, n_runs) each; None without runs."""
    x, y = np.asarray(first, float), np.asarray(second, float)
    if not x.shape[1]:
        return None
    x, y = np.median(x, axis=1), np.median(y, axis=1)
    return signed_rank(np.where(x == y, 0.0, x - y), rng, rope=rope)


#: Scale of the Cauchy prior of the mean, in standard deviations between clusters (the usual one of Morey and Rouder 2011).
_SCALE = math.sqrt(0.5)
#: Prior variance between clusters, which counts as one of them: that of a uniform share of wins.
_VARIANCE = 1 / 3
#: Range and step of the logarithm of g, by which a Cauchy distribution is a mixture of normal ones.
_LOG_G = np.arange(-7.0, 60.0, 0.2)


def of_cells(first: ArrayLike, second: ArrayLike, clusters: Index, rope: float = 0.0) -> Posterior | None:
    """Return `of_shares` of the net shares of wins of two algorithms, (n_blocks, n_runs) each; None without blocks or runs."""
    x = np.stack([np.asarray(first, float), np.asarray(second, float)], axis=1)
    return of_shares(means(net_wins(x), clusters)[:, 0], rope) if x.size else None


def of_shares(d: ArrayLike, rope: float = 0.0) -> Posterior:
    """Return the probabilities that the mean of d over clusters like these is below -rope, within, and above rope.

    d, in [-1, 1], is normal about the mean with an unknown variance. Each statement has the prior probability 1/3; given sigma
    the mean has within each a Cauchy density about 0 of scale 0.707 sigma, cut at ±rope (Morey and Rouder 2011, non-overlapping
    hypotheses; rope = 0: the point 0). sigma^2 is scaled inverse chi-squared with one degree of freedom and variance 1/3, so that
    clusters that all agree do not make the answer certain. By sums of equal steps in log sigma and log g, of which the Cauchy
    distribution is a mixture. Without clusters 1/3 each.
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
    total = sigma**2 * (1 / n + spread)
    mixed = weight - 0.5 * _LOG_G - 0.5 * np.exp(-_LOG_G) - 0.5 * np.log(total) - mean**2 / (2 * total)
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


ENTRIES = described(__file__, BayesianComparison, cluster_wins=of_cells, signed_rank=of_medians)
