"""Differences of two groups of few values in each of many cells, whose noise borrows from that of all cells."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from benchmill.core import Array, ArrayLike, TwoArrays, quietly


@dataclass(frozen=True)
class Moderated:
    """Differences of means, second minus first, a cell each: with standard errors of shrunk variances, degrees of freedom."""

    difference: Array
    error: Array
    df: Array

    @property
    @quietly()
    def p(self) -> Array:
        """Two-sided p of each cell; a difference without any noise has 0, no difference 1."""
        t = np.where(self.difference == 0, 0.0, np.abs(self.difference) / self.error)
        return np.asarray(np.minimum(1.0, 2 * special.stdtr(self.df, -t)), float)

    def interval(self, level: float) -> TwoArrays:
        """Return the ends of the joint intervals of all differences (Bonferroni)."""
        reach = special.stdtrit(self.df, 1 - (1 - level) / (2 * max(1, self.df.size))) * self.error
        return self.difference - reach, self.difference + reach


def moderated(mean: ArrayLike, squares: ArrayLike, runs: ArrayLike) -> Moderated:
    """Compare two means in each cell, with the variance of its values shrunk to that of all cells (Smyth 2004, sections 3, 6.2).

    The variances of cells vary around a common one as s0^2 d0 / chi^2(d0). s0^2 is their mean; d0 comes from the spread of their
    logarithms, plus one standard error of it. The shrunk variance is (d0 s0^2 + d v) / (d0 + d), of d0 + d degrees of freedom.
    `squares` are sums of squared deviations from the mean of a group, `runs` (n_cells, 2) its values, 3 of both together at
    least.
    """
    means, counts = np.asarray(mean, float).reshape(-1, 2), np.asarray(runs, float).reshape(-1, 2)
    d = counts.sum(axis=1) - 2
    variance = np.asarray(squares, float) / d
    prior, common = _prior(variance, d)
    weight = 1.0 if np.isinf(prior) else prior / (prior + d)
    shrunk = weight * common + (1 - weight) * variance
    return Moderated(means[:, 1] - means[:, 0], np.sqrt(shrunk * (1 / counts).sum(axis=1)), np.minimum(prior + d, d.sum()))


def _prior(variance: Array, d: Array) -> tuple[float, float]:
    """Return the degrees of freedom that all cells lend one, and the common variance."""
    if variance.size < 2 or not variance.any():
        return 0.0, 0.0
    # cells without any noise would have the logarithm of 0
    log = np.log(np.maximum(variance, 1e-5 * np.median(variance[variance > 0])))
    e = log - special.digamma(d / 2) + np.log(d / 2)
    spread = e.var(ddof=1) * (1 + np.sqrt(2 / (e.size - 1))) - special.polygamma(1, d / 2).mean()
    return np.inf if spread <= 0 else 2 * _inverse_trigamma(spread), float((d * variance).sum() / d.sum())


def _inverse_trigamma(x: float) -> float:
    """Return the y whose trigamma is x, by the steps of Smyth's appendix."""
    y = 0.5 + 1 / x
    for _ in range(50):
        step = special.polygamma(1, y) * (1 - special.polygamma(1, y) / x) / special.polygamma(2, y)
        y += step
        if -step / y < 1e-8:
            break
    return float(y)
