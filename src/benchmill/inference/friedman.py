"""Friedman's rank test for blocks and treatments, with correction for ties, and its F form (Iman and Davenport)."""

import math
from dataclasses import dataclass

import numpy as np
import scipy  # imports its parts when they are asked for

from benchmill.core import Array, ArrayLike
from benchmill.core.ranks import midranks
from benchmill.inference.design import Outcome, cells
from benchmill.registry.entry import described
from benchmill.registry.inference import OmnibusTest


@dataclass(frozen=True)
class Friedman:
    """Result of `friedman`; None where a number is not defined.

    Attributes
    ----------
    average_ranks : (n_treatments,) array
        1 = best; NaN without blocks.
    df1, df2 : int
        Of F; chi2 has `df1`.
    residual : float or None
        s^2, the mean square of the ranks that blocks and treatments leave.
    n_blocks, n_all_tied : int
        Blocks, and those in which all costs are equal.
    """

    average_ranks: Array
    chi2: float | None
    p_chi2: float | None
    f: float | None
    p_f: float | None
    df1: int
    df2: int
    residual: float | None
    n_blocks: int
    n_all_tied: int


def friedman(costs: ArrayLike) -> Friedman:
    """Test that all treatments have the same distribution of costs in every block; inf = failure, failures in a block are tied.

    With N = k r runs a block ranked jointly, rank sums R_i, A the sum of all squared ranks and C = b N (N + 1)^2 / 4: SS = sum_i
    (R_i - b r (N + 1) / 2)^2 / (b r), chi2 = b (N - 1) SS / (A - C) and F = [SS / (k - 1)] / s^2 with s^2 = (A - C - SS) / (b k r
    - b - k + 1) (Conover 1999, section 5.8; Friedman 1937, Iman and Davenport 1980). Both correct for ties. None with fewer than
    two treatments, without degrees of freedom for F, and where every block is tied throughout. Where all blocks rank alike F is
    inf, and its p the exact probability of that.
    """
    c = cells(costs)
    b, k, r = c.shape
    n = k * r
    ranks = midranks(c.reshape(b, n)).reshape(c.shape)
    n_all_tied = int((np.ptp(ranks, axis=(1, 2)) == 0).sum()) if n else 0
    average = ranks.mean(axis=(0, 2)) if c.size else np.full(k, np.nan)
    df1, df2 = max(k - 1, 0), max(b * n - b - k + 1, 0) if b else 0
    # Ranks are multiples of 1/2, so these two sums have no rounding error.
    within = float((ranks**2).sum() - b * n * (n + 1) ** 2 / 4)
    between = float(((ranks.sum(axis=(0, 2)) - b * r * (n + 1) / 2) ** 2).sum())
    if df2 < 1 or k < 2 or within == 0:
        return Friedman(average, None, None, None, None, df1, df2, None, b, n_all_tied)
    chi2 = (n - 1) * between / (r * within)
    rest = b * r * within - between
    if rest > 0:
        f = df2 / df1 * between / rest
        p_f = float(scipy.special.fdtrc(df1, df2, f))
    else:
        # arrangements of a block, and those of them in which the runs of every treatment are tied
        orders = math.lgamma(n + 1) - sum(math.lgamma(int(t) + 1) for t in np.unique(ranks[0], return_counts=True)[1])
        pure = math.lgamma(k + 1) - sum(math.lgamma(int(t) + 1) for t in np.unique(ranks[0][:, 0], return_counts=True)[1])
        f, p_f = math.inf, math.exp(pure - b * orders)
    return Friedman(average, chi2, float(scipy.special.chdtrc(df1, chi2)), f, p_f, df1, df2, rest / (b * r) / df2, b, n_all_tied)


def outcomes(costs: Array) -> list[Outcome]:
    """Return both forms of the test as rows of `tests`: chi-square and F."""
    result = friedman(costs)
    b, k, r = costs.shape
    # the smallest p values that both forms can give: all blocks rank alike, without ties
    least: tuple[float | None, float | None] = (None, None)
    if r == 1 and b > 1 and k > 1:
        least = (float(scipy.special.chdtrc(k - 1, b * (k - 1))), math.exp(-(b - 1) * math.lgamma(k + 1)))
    return [
        Outcome("friedman", result.chi2, result.df1, None, result.p_chi2, least[0]),
        Outcome("iman_davenport", result.f, result.df1, result.df2, result.p_f, least[1]),
    ]


ENTRIES = described(__file__, OmnibusTest, friedman=outcomes, iman_davenport=outcomes)
