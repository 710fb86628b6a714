"""Effect sizes of all pairs: Vargha and Delaney's A within blocks, and the difference of means, with intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core.step_functions import TOLERANCE
from benchmill.inference.design import cells

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effects:
    """Effect sizes of the pairs a < b (order of `numpy.triu_indices`).

    Attributes
    ----------
    a, a_low, a_high : (n_pairs,) arrays
        Probability that a run of the first is better (smaller) than one of the second on the same block, ties half.
    """

    a: Array
    a_low: Array
    a_high: Array


def vargha_delaney(values: npt.ArrayLike, alpha: float = 0.05) -> Effects:
    """A of every pair: the mean over the blocks of P(X_i < X_j) + P(X_i = X_j) / 2.

    Vargha and Delaney 2000, for small costs being better; 0.5 is no effect. Runs are compared within blocks only, so scales of
    blocks need not be comparable. The interval is Newcombe's method 5 (Statistics in Medicine 25, 2006) for samples of r and r
    runs, averaged over b blocks: it solves (A - t)^2 = z^2 V(t) / b with V(t) = t (1 - t) [1 + (r - 1) ((1 - t) / (2 - t) +
    t / (1 + t))] / r^2. For one run per cell it is Wilson's interval of a share of blocks. It keeps a width where the samples do
    not overlap (A = 0 or 1). Blocks are taken as fixed; where their A differ the interval is conservative.

    Parameters
    ----------
    values : (n_blocks, n_treatments[, n_runs]) array_like
        inf = failure; two failures are tied.
    alpha : float
        Every interval holds with 1 - alpha on its own; there is no correction for the number of pairs.

    Returns
    -------
    Effects
        NaN without blocks.
    """
    from scipy.special import ndtri

    x = cells(values)
    b, k, r = x.shape
    if not x.size:
        nan = np.full(k * (k - 1) // 2, np.nan)
        return Effects(nan, nan.copy(), nan.copy())
    a = (1 + net_wins(x).mean(axis=0)) / 2
    z2 = float(ndtri(1 - alpha / 2)) ** 2

    def beyond(t: Array) -> Array:
        v = t * (1 - t) * (1 + (r - 1) * ((1 - t) / (2 - t) + t / (1 + t))) / r**2
        return np.asarray((a - t) ** 2 - z2 * v / b, float)

    return Effects(a, _end(beyond, a, 0.0), _end(beyond, a, 1.0))


def net_wins(values: npt.ArrayLike) -> Array:
    """Of every pair and block the share of the pairs of runs in which the first is better, less the share in which it is worse.

    Parameters
    ----------
    values : (n_blocks, n_treatments[, n_runs]) array_like
        Costs; inf = failure. Costs that differ by rounding alone, and two failures, are tied.

    Returns
    -------
    (n_blocks, n_pairs) array
        In [-1, 1]; pairs in the order of `numpy.triu_indices`.
    """
    x = cells(values)
    b, k, r = x.shape
    result, start = np.zeros((b, k * (k - 1) // 2)), 0
    for first in range(k - 1):
        others = x[:, first + 1 :]
        part = result[:, start : start + k - 1 - first]
        for run in range(r):
            own = x[:, first, run, None, None]
            slack = TOLERANCE * np.minimum(np.abs(others), np.abs(own))
            with np.errstate(invalid="ignore"):
                # NaN, of two failures, is neither
                gap = others - own
                part += (gap > slack).sum(axis=2)
                part -= (gap < -slack).sum(axis=2)
        start += k - 1 - first
    return np.asarray(result / max(r * r, 1), float)


def _end(beyond: Callable[[Array], Array], a: Array, end: float) -> Array:
    """Where the bound is met between A and `end`, by bisection."""
    inner, outer = a.copy(), np.full(a.shape, end)
    for _ in range(60):
        middle = (inner + outer) / 2
        inside = beyond(middle) <= 0
        inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
    return np.asarray((inner + outer) / 2, float)


@dataclass(frozen=True)
class Studentised:
    """Comparison of all pairs that allows unequal variances; NaN where a number is not defined.

    Attributes
    ----------
    difference, low, high : (n_pairs,) arrays
        What is compared and its interval at 1 - alpha on its own.
    statistic, df, p : (n_pairs,) arrays
    """

    difference: Array
    low: Array
    high: Array
    statistic: Array
    df: Array
    p: Array


def welch(values: npt.ArrayLike, alpha: float = 0.05) -> Studentised:
    """Differences of means studentised by the variances of their own two treatments.

    With runs: t = sum_h (mean_hi - mean_hj) / sqrt(sum_h (s_hi^2 + s_hj^2) / r) and Satterthwaite's degrees of freedom; blocks
    are fixed. With one run per cell: the paired t test over the blocks. Unlike Tukey's it needs no common variance.

    Parameters
    ----------
    values : (n_blocks, n_treatments[, n_runs]) array_like
        Finite.
    alpha : float

    Raises
    ------
    ValueError
        A value is not finite.
    """
    x = cells(values)
    if not np.isfinite(x).all():
        raise ValueError("differences of means need finite values; give failures a value or take ranks")
    b, k, r = x.shape
    i, j = np.triu_indices(k, 1)
    if not x.size:
        return _studentised(np.full(i.size, np.nan), np.full(i.size, np.nan), np.full(i.size, np.nan), alpha)
    if r == 1:
        d = x[:, i, 0] - x[:, j, 0]
        variance = d.var(axis=0, ddof=1) / b if b > 1 else np.full(i.size, np.nan)
        return _studentised(d.mean(axis=0), variance, np.full(i.size, float(b - 1)), alpha)
    means = x.mean(axis=(0, 2))
    parts = x.var(axis=2, ddof=1) / r / b**2
    variance = parts[:, i].sum(axis=0) + parts[:, j].sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = variance**2 / ((parts[:, i] ** 2).sum(axis=0) + (parts[:, j] ** 2).sum(axis=0)) * (r - 1)
    return _studentised(means[i] - means[j], variance, df, alpha)


def brunner_munzel(values: npt.ArrayLike, alpha: float = 0.05) -> Studentised:
    """Brunner and Munzel's test of A = 1/2 for every pair, averaged over the blocks.

    Per block the placements of Brunner and Munzel 2000 (equal samples of r runs); estimates and variances are averaged over the
    blocks (fixed), with Satterthwaite's degrees of freedom. Needs no common variance and takes failures. For one block it is
    SciPy's `brunnermunzel`.

    Parameters
    ----------
    values : (n_blocks, n_treatments, n_runs) array_like
        inf = failure.
    alpha : float

    Returns
    -------
    Studentised
        `difference` is A - 1/2 for the first being smaller. NaN with fewer than two runs a cell, and where samples do not
        overlap at all (their variance is estimated as 0).
    """
    from benchmill.core.ranks import midranks

    x = cells(values)
    b, k, r = x.shape
    i, j = np.triu_indices(k, 1)
    estimate, variance, df = (np.full(i.size, np.nan) for _ in range(3))
    if b and r > 1:
        own = midranks(x.reshape(b * k, r)).reshape(b, k, r)
        for pair, (first, second) in enumerate(zip(i, j, strict=True)):
            joint = midranks(np.concatenate([x[:, first], x[:, second]], axis=1))
            mine, other = joint[:, :r] - own[:, first], joint[:, r:] - own[:, second]
            parts = np.stack([mine.var(axis=1, ddof=1), other.var(axis=1, ddof=1)]) / r**3 / b**2
            estimate[pair] = 0.5 - mine.mean() / r
            variance[pair] = parts.sum()
            with np.errstate(invalid="ignore", divide="ignore"):
                df[pair] = parts.sum() ** 2 / (parts**2).sum() * (r - 1)
    return _studentised(estimate, variance, df, alpha)


def _studentised(difference: Array, variance: Array, df: Array, alpha: float) -> Studentised:
    from scipy.special import stdtr, stdtrit

    ok = (variance > (TOLERANCE * np.abs(difference)) ** 2) & (df > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(ok, np.sqrt(variance), np.nan)
        statistic = difference / error
        safe = np.where(ok, df, 1.0)
        p = np.where(ok, np.minimum(2 * stdtr(safe, -np.abs(statistic)), 1.0), np.nan)
        half = error * stdtrit(safe, 1 - alpha / 2)
    return Studentised(difference, difference - half, difference + half, statistic, np.where(ok, df, np.nan), p)
