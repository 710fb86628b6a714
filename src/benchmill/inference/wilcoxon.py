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
    """Result of `wilcoxon`, one entry per pair: rank sums, two-sided p (1 without differences), `n` differences but 0."""

    w_plus: Array
    w_minus: Array
    p: Array
    n: npt.NDArray[np.int64]
    p_min: Array
    exact: npt.NDArray[np.bool_]


def wilcoxon(a: npt.ArrayLike, b: npt.ArrayLike, *, exact_limit: int = EXACT) -> Wilcoxon:
    """Test the columns of `a` against those of `b` by their signed ranks.

    Zeros are dropped before the ranks. Equal absolute differences share the mean of their ranks. Up to `exact_limit` of them p
    is exact by convolution, ties included: P(W+ <= min(W+, W-)) doubled over all 2^n signs. Above it is the normal approximation
    with the variance sum(rank^2) / 4, without continuity correction (SciPy's default; R corrects).

    Parameters
    ----------
    a, b : (n_blocks, n_pairs) array_like
        Matched values. inf is a failure: two failures differ by 0, a failure is worse than any value by more than any other
        difference.
    """
    x, y = np.asarray(a, float).T, np.asarray(b, float).T
    pairs, blocks = x.shape
    plus, minus, p = (np.empty(pairs) for _ in range(3))
    n = np.empty(pairs, np.int64)
    step = max(1, _CHUNK // max(blocks, 1))
    for first in range(0, pairs, step):
        part = slice(first, first + step)
        plus[part], minus[part], n[part], p[part] = _tested(x[part], y[part], exact_limit)
    return Wilcoxon(plus, minus, np.minimum(p, 1.0), n, np.minimum(2.0 ** (1.0 - n), 1.0), n <= exact_limit)


def _tested(x: Array, y: Array, exact_limit: int) -> tuple[Array, Array, npt.NDArray[np.int64], Array]:
    """Return W+, W-, number of differences and p of some pairs, (n_pairs, n_blocks) each."""
    with np.errstate(invalid="ignore"):
        d = np.where(x == y, 0.0, x - y)
    size = np.maximum(np.abs(x), np.abs(y))
    error = ROUNDING * np.where(np.isinf(size), 0.0, size)
    distance = np.abs(d)
    distance[distance <= error] = 0.0
    zero = distance == 0
    n = distance.shape[1] - zero.sum(axis=1)
    # zeros rank first and are then taken off: the others' ranks begin at 1
    ranks = midranks(distance, np.where(zero, 0.0, error)) - (distance.shape[1] - n)[:, None]
    ranks[zero] = 0.0
    plus = (ranks * (d > 0)).sum(axis=1)
    minus = ranks.sum(axis=1) - plus
    p = _approximate(plus - minus, np.einsum("ij,ij->i", ranks, ranks) / 4)
    some = np.flatnonzero(n <= exact_limit)
    if some.size:
        p[some] = _exact(ranks[some].T, np.minimum(plus, minus)[some])
    return plus, minus, n, p


def _approximate(difference: Array, variance: Array) -> Array:
    """Return the normal approximation for W+ - W-, of which `variance` is a quarter of its variance."""
    from scipy.special import ndtr

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0, 2 * ndtr(-np.abs(difference) / 2 / np.sqrt(variance)), 1.0)


def _exact(ranks: Array, smaller: Array) -> Array:
    """Return 2 P(sum of the ranks with random signs <= smaller), by convolution over the ranks in halves."""
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
