"""Wilcoxon's signed-rank test of matched pairs, exact with ties (midranks), for many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core.ranks import ROUNDING, midranks

Array = npt.NDArray[np.float64]

#: Up to this many differences that are not 0 the distribution is exact.
EXACT = 50
#: Differences looked at together: what fits into the caches of a processor.
_CHUNK = 1 << 15


@dataclass(frozen=True)
class Wilcoxon:
    """Result of `wilcoxon`, one entry per pair.

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


def wilcoxon(a: npt.ArrayLike, b: npt.ArrayLike, *, exact_limit: int = EXACT, pratt: bool = False) -> Wilcoxon:
    """Signed-rank tests of the columns of `a` against those of `b`.

    Zeros are dropped, before the ranks (Wilcoxon's own treatment) or after them (Pratt's). Equal absolute differences share the
    mean of their ranks. Up to `exact_limit` differences p is exact by convolution, ties included: P(W+ <= min(W+, W-)) doubled
    over all 2^n signs. Above it is the normal approximation with the variance sum(rank^2) / 4, without continuity correction
    (SciPy's default; R corrects).

    Parameters
    ----------
    a, b : (n_blocks, n_pairs) array_like
        Matched values. inf is a failure: two failures differ by 0, a failure is worse than any value by more than any other
        difference.
    exact_limit : int
    pratt : bool
        Whether zeros are ranked with the others, and then dropped (Pratt 1959): many ties then leave less to be decided.

    Returns
    -------
    Wilcoxon
    """
    # contiguous along the blocks of a pair
    x, y = np.ascontiguousarray(np.asarray(a, float).T), np.ascontiguousarray(np.asarray(b, float).T)
    pairs, blocks = x.shape
    plus, minus, p = (np.empty(pairs) for _ in range(3))
    n = np.empty(pairs, np.int64)
    step = max(1, _CHUNK // max(blocks, 1))
    for first in range(0, pairs, step):
        part = slice(first, first + step)
        plus[part], minus[part], n[part], p[part] = _tested(x[part], y[part], exact_limit, pratt)
    return Wilcoxon(plus, minus, np.minimum(p, 1.0), n, np.minimum(2.0 ** (1.0 - n), 1.0), n <= exact_limit)


def _tested(x: Array, y: Array, exact_limit: int, pratt: bool) -> tuple[Array, Array, npt.NDArray[np.int64], Array]:
    """W+, W-, number of differences and p of some pairs, (n_pairs, n_blocks) each."""
    with np.errstate(invalid="ignore"):
        d = x - y
        size = np.maximum(np.abs(x), np.abs(y))
    if not np.isfinite(size).all():
        d, size = np.where(x == y, 0.0, d), np.where(np.isinf(size), 0.0, size)
    blocks = d.shape[1]
    plus, minus = np.empty(len(d)), np.empty(len(d))
    n, p = np.full(len(d), blocks, np.int64), np.empty(len(d))
    plain, above = _without_ties(d, ROUNDING * size.max(axis=1, initial=0.0))
    some = np.flatnonzero(plain)
    if some.size:
        whole = blocks * (blocks + 1) / 2
        plus[some], minus[some] = above[some], whole - above[some]
        smaller = np.minimum(plus, minus)[some]
        if blocks <= exact_limit:
            at, where = np.unique(smaller, return_inverse=True)
            p[some] = _exact(np.repeat(np.arange(1.0, blocks + 1)[:, None], at.size, axis=1), at)[where]
        else:
            variance = np.full(some.size, blocks * (blocks + 1) * (2 * blocks + 1) / 24)
            p[some] = _approximate(plus[some] - minus[some], variance)
    some = np.flatnonzero(~plain)
    if some.size:
        plus[some], minus[some], n[some], p[some] = _tied(d[some], ROUNDING * size[some], exact_limit, pratt)
    return plus, minus, n, p


def _without_ties(d: Array, error: Array) -> tuple[npt.NDArray[np.bool_], Array]:
    """Which pairs have neither ties nor zeros, and their W+ (of the others it means nothing).

    Sorted are the bits of the absolute values, which as whole numbers stand in the same order, with the sign in the last bit:
    that changes a value by less than the rounding error, and the signs need no second pass.
    """
    bits = (np.abs(d).view(np.int64) & ~np.int64(1)) | (d > 0)
    bits.sort(axis=1)
    place = np.arange(1.0, d.shape[1] + 1)
    above = (bits & 1).astype(float) @ place
    value = bits.view(float)
    with np.errstate(invalid="ignore"):
        gap = np.diff(value, axis=1, prepend=0.0).min(axis=1, initial=np.inf)
    # NaN: failures, whose last bit makes them no numbers; they go the general way
    return (gap > 4 * error) & np.isfinite(gap), above


def _tied(d: Array, error: Array, exact_limit: int, pratt: bool) -> tuple[Array, Array, npt.NDArray[np.int64], Array]:
    """The general case: zeros are dropped, equal absolute differences share the mean of their ranks."""
    distance = np.abs(d)
    distance[distance <= error] = 0.0
    zero = distance == 0
    n = distance.shape[1] - zero.sum(axis=1)
    ranks = midranks(distance, np.where(zero, 0.0, error))
    if not pratt:
        # zeros rank first and are then taken off: the others' ranks begin at 1
        ranks -= (distance.shape[1] - n)[:, None]
    ranks[zero] = 0.0
    plus = (ranks * (d > 0)).sum(axis=1)
    minus = ranks.sum(axis=1) - plus
    p = _approximate(plus - minus, np.einsum("ij,ij->i", ranks, ranks) / 4)
    some = np.flatnonzero(n <= exact_limit)
    if some.size:
        p[some] = _exact(ranks[some].T, np.minimum(plus, minus)[some])
    return plus, minus, n, p


def _approximate(difference: Array, variance: Array) -> Array:
    """Normal approximation for W+ - W-, of which `variance` is a quarter of its variance."""
    from scipy.special import ndtr

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0, 2 * ndtr(-np.abs(difference) / 2 / np.sqrt(variance)), 1.0)


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
