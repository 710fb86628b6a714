"""Where a series changes its level: binary segmentation, each split decided by a permutation test.

The series is split where the means before and behind differ most, on the scale of their standard error; the split stands where
fewer than alpha of all orders of the same values show one as large. Then both parts are looked at in the same way. For a series
whose values could as well have come in any other order, the chance of any false change is alpha at most, whatever the
distribution of the values and without an estimate of their spread. Values that depend on those before them break that promise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core.step_functions import TOLERANCE

Array = npt.NDArray[np.float64]

#: Fewer values than these cannot show a change at alpha = 0.05: of 7 values 35 orders split into 3 and 4.
FEWEST = 8
#: Numbers held at once.
_CHUNK = 2_000_000


@dataclass(frozen=True)
class Change:
    """A change of the level.

    Attributes
    ----------
    at : int
        The first value with the new level.
    p : float
        Of the permutation test, within the part of the series that was split.
    """

    at: int
    p: float


def change_points(values: npt.ArrayLike, rng: np.random.Generator, alpha: float = 0.05, permutations: int = 999) -> list[Change]:
    """Find where a series changes its level.

    Parameters
    ----------
    values : (n,) array_like
        In the order of time; finite.
    rng : numpy.random.Generator
    alpha : float
        The chance of any change where there is none.
    permutations : int
        Random orders.

    Returns
    -------
    list of Change
        In the order of time. None in a series, or a part of one, of fewer than 8 values.

    Raises
    ------
    ValueError
        A value is not finite.

    References
    ----------
    A. J. Scott, M. Knott. A cluster analysis method for grouping means in the analysis of variance. Biometrics 30(3), 507-512,
    1974 (binary segmentation). D. S. Matteson, N. A. James. A nonparametric approach for multiple change point analysis of
    multivariate data. Journal of the American Statistical Association 109(505), 334-345, 2014, section 3.2 (splits decided by
    permutations).
    """
    x = np.asarray(values, float)
    if not np.isfinite(x).all():
        raise ValueError("a series with a level needs finite values")
    found: list[Change] = []
    parts = [(0, x.size)]
    while parts:
        start, stop = parts.pop()
        if stop - start < FEWEST:
            continue
        at, p = _split(x[start:stop], rng, permutations)
        if p <= alpha:
            found.append(Change(start + at, p))
            parts += [(start, start + at), (start + at, stop)]
    return sorted(found, key=lambda change: change.at)


def _split(x: Array, rng: np.random.Generator, permutations: int) -> tuple[int, float]:
    """The best place to split a series at, and its p."""
    gain = _gains(x[None, :])[0]
    at = int(np.argmax(gain))
    reached = 0
    for start in range(0, permutations, max(1, _CHUNK // x.size)):
        rows = min(permutations - start, max(1, _CHUNK // x.size))
        drawn = rng.permuted(np.broadcast_to(x, (rows, x.size)), axis=1)
        reached += int((_gains(drawn).max(axis=1) >= gain[at] * (1 - TOLERANCE)).sum())
    return at + 1, (reached + 1) / (permutations + 1)


def _gains(x: Array) -> Array:
    """How far the means before and behind each place are apart, (rows, n - 1): |difference| sqrt(k (n - k) / n)."""
    n = x.shape[1]
    k = np.arange(1, n)
    before = np.cumsum(x - x.mean(axis=1, keepdims=True), axis=1)[:, :-1]
    return np.asarray(np.abs(before) / np.sqrt(k * (n - k) / n), float)
