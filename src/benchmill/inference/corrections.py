"""Corrections of p values for the number of comparisons: adjusted p values, to be compared with alpha itself.

NaN (no test) stays NaN and does not count as a test; the procedures for all pairs (Shaffer, Bergmann–Hommel) count it as 1.
References: García and Herrera 2008 (JMLR 9); Hommel 1988; Shaffer 1986;
Bergmann and Hommel 1988; Benjamini and Hochberg 1995.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from benchmill.core.errors import UserError
from benchmill.registry.corrections import CORRECTIONS

Array = npt.NDArray[np.float64]


def _on_tested(adjust: Callable[[Array], Array]) -> Callable[[npt.ArrayLike], Array]:
    """Apply `adjust` to the sorted p values that are not NaN, and put the result back."""

    def on_tested(p: npt.ArrayLike) -> Array:
        values = np.asarray(p, float)
        result = np.full(values.shape, np.nan)
        tested = np.flatnonzero(~np.isnan(values))
        order = tested[np.argsort(values[tested], kind="stable")]
        if order.size:
            result[order] = np.minimum(adjust(values[order]), 1.0)
        return result

    return on_tested


def bonferroni(p: npt.ArrayLike) -> Array:
    """Number of tests times p."""
    return _on_tested(lambda s: s.size * s)(p)


def holm(p: npt.ArrayLike) -> Array:
    """Holm's step-down adjusted p values: max over the smaller ones of (number not smaller) times p, at most 1."""
    return _on_tested(lambda s: np.maximum.accumulate(np.arange(s.size, 0, -1) * s))(p)


def none(p: npt.ArrayLike) -> Array:
    """The p values as they are: each comparison at its own level."""
    return np.array(p, float)


@cache
def true_counts(k: int) -> tuple[int, ...]:
    """All numbers of pairwise hypotheses of k treatments that can be true together, ascending (Shaffer 1986)."""
    found = {0}
    for j in range(2, k + 1):
        found |= {math.comb(j, 2) + x for x in true_counts(k - j)}
    return tuple(sorted(found))


def shaffer(p: npt.ArrayLike) -> Array:
    """Shaffer's static procedure for all pairs: as Holm, with the largest number of hypotheses that can still be true.

    Parameters
    ----------
    p : (k (k - 1) / 2,) array_like
        One for every pair.

    Raises
    ------
    UserError
        The number of p values is not that of all pairs of some number of treatments.
    """
    values = np.asarray(p, float)
    k = _treatments(values, "shaffer")
    undefined = np.isnan(values)

    def adjust(s: Array) -> Array:
        counts = np.array(true_counts(k))
        left = np.arange(s.size, 0, -1)
        t = counts[np.searchsorted(counts, left, side="right") - 1]
        return np.maximum.accumulate(t * s)

    return np.where(undefined, np.nan, _on_tested(adjust)(np.where(undefined, 1.0, values)))


def _treatments(values: Array, name: str) -> int:
    k = round((1 + math.sqrt(1 + 8 * values.size)) / 2)
    if k * (k - 1) // 2 != values.size:
        raise UserError(
            f"correction {name}: it needs the p value of every pair of algorithms, found {values.size} values; use holm."
        )
    return k


def adjusted(p: npt.ArrayLike, correction: str) -> Array:
    """The p values, adjusted by the correction of that name.

    Parameters
    ----------
    p : array_like
        NaN = no test.
    correction : str
        Key of `benchmill.registry.corrections.CORRECTIONS` that studies ask for.

    Raises
    ------
    UserError
        The correction cannot be made of so many p values.
    """
    return np.asarray(CORRECTIONS[correction].call(p), float)


def smallest_adjusted(p_min: float, n_tests: int, correction: str) -> float:
    """The smallest adjusted p value that a family can show if no single p value can be below `p_min`.

    One pair at `p_min`, all others at 1, for the step-down procedures; all pairs at `p_min` for those that look at the
    largest p value first (Hochberg, Hommel, Benjamini–Hochberg): above it no data can reject anything.
    """
    if n_tests < 1:
        return 1.0
    return float(np.min(adjusted(np.full(n_tests, p_min), correction)))
