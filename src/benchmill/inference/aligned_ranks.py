"""Friedman's test on aligned ranks (Hodges and Lehmann): all blocks ranked together, their locations taken off first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core.ranks import midranks
from benchmill.inference.design import cells
from benchmill.inference.outcome import Outcome

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AlignedRanks:
    """Result of `aligned_ranks`; None where a number is not defined.

    Attributes
    ----------
    chi2, p : float or None
    df : int
    average_ranks : (n_treatments,) array
        Of the aligned values, 1 to b k r.
    """

    chi2: float | None
    p: float | None
    df: int
    average_ranks: Array


def aligned_ranks(costs: npt.ArrayLike) -> AlignedRanks:
    """Test that all treatments are equal, by the ranks of costs minus their block's mean.

    With joint ranks R_hit, their means by treatment and by block: chi2 = (b r)^2 sum_i (mean_i - mean)^2 / V and V the variance
    of such sums when the runs of each block are exchangeable, V = sum_h r sum_it (R_hit - mean_h)^2 / (k r - 1), k - 1 degrees of
    freedom. For one run per cell this is the statistic of Hodges and Lehmann 1962 as in García et al. 2010 (equation 7), here
    with ties.

    Parameters
    ----------
    costs : (n_blocks, n_treatments[, n_runs]) array_like
        Finite, and comparable between blocks.

    Returns
    -------
    AlignedRanks
        None with fewer than two treatments, without blocks, or without differences within the blocks.

    Raises
    ------
    ValueError
        A cost is not finite: a failure has no distance from the mean.
    """
    from scipy.special import chdtrc

    x = cells(costs)
    if not np.isfinite(x).all():
        raise ValueError("aligned ranks need finite costs: a failure has no distance from the mean of its block")
    b, k, r = x.shape
    if not x.size:
        return AlignedRanks(None, None, max(k - 1, 0), np.full(k, np.nan))
    aligned = x - x.mean(axis=(1, 2), keepdims=True)
    # equal costs at different levels differ by rounding after the alignment
    digits = 10 - int(np.ceil(np.log10(np.abs(x).max() or 1.0)))
    ranks = midranks(np.round(aligned, digits).reshape(1, -1)).reshape(x.shape)
    average = ranks.mean(axis=(0, 2))
    within = ((ranks - ranks.mean(axis=(1, 2), keepdims=True)) ** 2).sum()
    if k < 2 or within == 0:
        return AlignedRanks(None, None, max(k - 1, 0), average)
    variance = r * within / (k * r - 1)
    chi2 = float((((average - average.mean()) * b * r) ** 2).sum() / variance)
    return AlignedRanks(chi2, float(chdtrc(k - 1, chi2)), k - 1, average)


def outcomes(values: Array) -> list[Outcome]:
    """The test as a row of `tests`."""
    found = aligned_ranks(values)
    return [Outcome("aligned_ranks", found.chi2, found.df, None, found.p)]
