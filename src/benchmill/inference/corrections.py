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

#: Bergmann and Hommel's procedure looks at every partition of the treatments: 115 975 for ten, 678 570 for eleven.
MOST_TREATMENTS = 10


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


def hochberg(p: npt.ArrayLike) -> Array:
    """Hochberg's step-up: min over the larger ones of (number not smaller) times p.

    Valid for independent or positively dependent tests.
    """
    return _on_tested(lambda s: np.minimum.accumulate((np.arange(s.size, 0, -1) * s)[::-1])[::-1])(p)


def hommel(p: npt.ArrayLike) -> Array:
    """Hommel's procedure: the closure of Simes' test, at least as powerful as Hochberg's, under the same conditions."""

    def adjust(s: Array) -> Array:
        n = s.size
        # Wright 1992, as in R's p.adjust
        q = np.full(n, np.min(n * s / np.arange(1, n + 1)))
        result = q.copy()
        for m in range(n - 1, 1, -1):
            head = n - m + 1
            smallest = np.min(m * s[head:] / np.arange(2, m + 1))
            q[:head] = np.minimum(m * s[:head], smallest)
            q[head:] = q[head - 1]
            result = np.maximum(result, q)
        return np.maximum(result, s)

    return _on_tested(adjust)(p)


def finner(p: npt.ArrayLike) -> Array:
    """Finner's step-down: max over the smaller ones of 1 - (1 - p)^(n / i).

    Valid for independent or positively dependent tests.
    """

    def adjust(s: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(np.maximum.accumulate(-np.expm1(s.size / np.arange(1, s.size + 1) * np.log1p(-s))), float)

    return _on_tested(adjust)(p)


def benjamini_hochberg(p: npt.ArrayLike) -> Array:
    """Control of the false discovery rate, not of the family: min over the larger ones of n p / i."""
    return _on_tested(lambda s: np.minimum.accumulate((s.size * s / np.arange(1, s.size + 1))[::-1])[::-1])(p)


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


def bergmann_hommel(p: npt.ArrayLike) -> Array:
    """Bergmann and Hommel's procedure for all pairs: the most powerful of those that need nothing about dependence.

    An exhaustive set is all pairs within the classes of a partition of the treatments. A hypothesis' adjusted p value is the
    largest `|I| min_{j in I} p_j` over the exhaustive sets I that hold it (García and Herrera 2008).

    Parameters
    ----------
    p : (k (k - 1) / 2,) array_like
        In the order of `numpy.triu_indices(k, 1)`; at most `MOST_TREATMENTS` treatments.

    Raises
    ------
    UserError
        As `shaffer`, or there are too many treatments to enumerate the partitions.
    """
    values = np.asarray(p, float)
    k = _treatments(values, "bergmann_hommel")
    if k > MOST_TREATMENTS:
        raise UserError(
            f"correction bergmann_hommel: {k} algorithms have too many partitions to enumerate (at most {MOST_TREATMENTS} "
            "algorithms); use shaffer."
        )
    undefined = np.isnan(values)
    values = np.where(undefined, 1.0, values)
    classes = _partitions(k)
    a, b = np.triu_indices(k, 1)
    size, smallest = np.zeros(len(classes)), np.full(len(classes), np.inf)
    for i, j, value in zip(a, b, values, strict=True):
        together = classes[:, i] == classes[:, j]
        size += together
        smallest = np.where(together & (value < smallest), value, smallest)
    bound = np.where(size > 0, size * np.where(size > 0, smallest, 0.0), 0.0)
    adjusted = np.array([bound[classes[:, i] == classes[:, j]].max() for i, j in zip(a, b, strict=True)])
    return np.where(undefined, np.nan, np.minimum(adjusted, 1.0))


@cache
def _partitions(k: int) -> npt.NDArray[np.int8]:
    """All partitions of k things: row by row the class of each, classes numbered as they appear."""
    rows = np.zeros((1, 1), np.int8)
    for _ in range(1, k):
        n = rows.max(axis=1).astype(int) + 2
        last = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        rows = np.hstack([np.repeat(rows, n, axis=0), last[:, None].astype(np.int8)])
    return rows


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
    KeyError
        There is no such correction.
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
