"""Wilcoxon's signed-rank test of matched pairs, exact with ties (midranks), for many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

#: Up to this many differences that are not 0 the distribution is exact.
EXACT = 50
#: Differences are equal if they are so to this many decimals, relative to the largest: 6.1 - 7.7 and 5.0 - 6.6 differ in
#: floating point.
_DECIMALS = 10


@dataclass(frozen=True)
class Wilcoxon:
    """Result of `wilcoxon`, one entry a pair.

    Attributes
    ----------
    w_plus, w_minus : arrays
        Sums of the ranks of positive and negative differences.
    p : array
        Two-sided; 1 where all differences are 0.
    n : int array
        Differences that are not 0.
    p_min : array
        Smallest p value that n differences allow: 2^(1 - n).
    exact : bool array
    """

    w_plus: Array
    w_minus: Array
    p: Array
    n: npt.NDArray[np.int64]
    p_min: Array
    exact: npt.NDArray[np.bool_]


def wilcoxon(a: npt.ArrayLike, b: npt.ArrayLike, *, exact_limit: int = EXACT) -> Wilcoxon:
    """Signed-rank tests of the columns of `a` against those of `b`.

    Zeros are dropped (Wilcoxon's own treatment), equal absolute differences share the mean of their ranks. Up to `exact_limit`
    differences p is exact by convolution, ties included: P(W+ <= min(W+, W-)) doubled over all 2^n signs. Above it
    is the normal approximation with the variance sum(rank^2) / 4, without continuity correction (SciPy's default; R corrects).

    Parameters
    ----------
    a, b : (n_blocks, n_pairs) array_like
        Matched values. inf is a failure: two failures differ by 0, a failure is worse than any value by more than any other
        difference.
    exact_limit : int

    Returns
    -------
    Wilcoxon
    """
    from scipy.special import ndtr

    from benchmill.inference.friedman import midranks

    x, y = np.asarray(a, float), np.asarray(b, float)
    with np.errstate(invalid="ignore"):
        d = np.where(x == y, 0.0, x - y)
    finite = np.isfinite(d)
    scale = np.max(
        np.where(finite, np.maximum(np.abs(np.where(np.isfinite(x), x, 0)), np.abs(np.where(np.isfinite(y), y, 0))), 0),
        axis=0,
        initial=0.0,
    )
    unit = np.where(scale > 0, 10.0 ** (np.ceil(np.log10(np.where(scale > 0, scale, 1))) - _DECIMALS), 1.0)
    d = np.where(finite, np.round(np.where(finite, d, 0.0) / unit) * unit, d)
    n = (d != 0).sum(axis=0)
    # zeros rank first and are then taken off: the others' ranks begin at 1
    ranks = midranks(np.abs(d).T).T - (d.shape[0] - n)
    ranks = np.where(d == 0, 0.0, ranks)
    plus = np.where(d > 0, ranks, 0.0).sum(axis=0)
    minus = np.where(d < 0, ranks, 0.0).sum(axis=0)
    exact = n <= exact_limit
    variance = (ranks**2).sum(axis=0) / 4
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(variance > 0, 2 * ndtr(-np.abs(plus - minus) / 2 / np.sqrt(variance)), 1.0)
    some = np.flatnonzero(exact)
    if some.size:
        p[some] = _exact(ranks[:, some], np.minimum(plus, minus)[some])
    return Wilcoxon(plus, minus, np.minimum(p, 1.0), n, np.minimum(2.0 ** (1.0 - n), 1.0), exact)


def _exact(ranks: Array, smaller: Array) -> Array:
    """2 P(sum of the ranks with random signs <= smaller), by convolution over the ranks in halves."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    width = int(doubled.sum(axis=0).max(initial=0)) + 1
    pairs = doubled.shape[1]
    mass = np.zeros((pairs, width))
    mass[:, 0] = 1.0
    step = np.arange(width)
    for row in doubled:
        if not row.any():
            continue
        source = step - row[:, None]
        moved = np.where(source >= 0, np.take_along_axis(mass, np.maximum(source, 0), axis=1), 0.0)
        # a dropped zero (rank 0) moves nothing and changes nothing
        mass = (mass + moved) / 2
    within = step <= np.rint(2 * smaller)[:, None]
    return np.asarray(np.minimum(2 * (mass * within).sum(axis=1), 1.0), float)
