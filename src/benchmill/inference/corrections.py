"""Corrections of p values for the number of comparisons: adjusted p values, to be compared with alpha itself.

NaN (no test) stays NaN and does not count as a test; Shaffer's procedure for all pairs counts it as 1.
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from benchmill.core import Array, ArrayLike, UserError
from benchmill.registry.entry import described
from benchmill.registry.inference import CORRECTIONS, Correction


def _on_tested(adjust: Callable[[Array], Array]) -> Callable[[ArrayLike], Array]:
    """Apply `adjust` to the sorted p values that are not NaN, and put the result back."""

    def on_tested(p: ArrayLike) -> Array:
        values = np.asarray(p, float)
        result = np.full(values.shape, np.nan)
        tested = np.flatnonzero(~np.isnan(values))
        order = tested[np.argsort(values[tested], kind="stable")]
        if order.size:
            result[order] = np.minimum(adjust(values[order]), 1.0)
        return result

    return on_tested


def bonferroni(p: ArrayLike) -> Array:
    """Return the number of tests times p."""
    return _on_tested(lambda s: s.size * s)(p)


def holm(p: ArrayLike) -> Array:
    """Adjust by Holm's step-down procedure: max over the smaller ones of (number not smaller) times p, at most 1."""
    return _on_tested(lambda s: np.maximum.accumulate(np.arange(s.size, 0, -1) * s))(p)


def none(p: ArrayLike) -> Array:
    """Return the p values as they are."""
    return np.array(p, float)


@cache
def true_counts(k: int) -> tuple[int, ...]:
    """Return all numbers of pairwise hypotheses of k treatments that can be true together, ascending (Shaffer 1986)."""
    return tuple(sorted({0} | {math.comb(j, 2) + x for j in range(2, k + 1) for x in true_counts(k - j)}))


def shaffer(p: ArrayLike) -> Array:
    """Adjust by Shaffer's static procedure for all pairs: as Holm, with the largest number of hypotheses that can still be true.

    A `UserError` where the number of p values is not that of all pairs of some treatments.
    """
    values = np.asarray(p, float)
    k = round((1 + math.sqrt(1 + 8 * values.size)) / 2)
    if k * (k - 1) // 2 != values.size:
        raise UserError(
            f"correction shaffer: it needs the p value of every pair of algorithms, found {values.size} values; use holm."
        )
    undefined = np.isnan(values)

    def adjust(s: Array) -> Array:
        counts = np.array(true_counts(k))
        t = counts[np.searchsorted(counts, np.arange(s.size, 0, -1), side="right") - 1]
        return np.maximum.accumulate(t * s)

    return np.where(undefined, np.nan, _on_tested(adjust)(np.where(undefined, 1.0, values)))


def adjusted(p: ArrayLike, correction: str) -> Array:
    """Return the p values, NaN = no test, adjusted by the correction of that name."""
    return np.asarray(CORRECTIONS[correction].call(p), float)


def smallest_adjusted(p_min: float, n_tests: int, correction: str) -> float:
    """Return the smallest adjusted p value that a family can show if no single p value can be below `p_min`."""
    return float(np.min(adjusted(np.full(n_tests, p_min), correction))) if n_tests > 0 else 1.0


ENTRIES = described(__file__, Correction, holm=holm, shaffer=shaffer, bonferroni=bonferroni, none=none)
