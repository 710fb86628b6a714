"""Find where a series that is examined after each new value changes its level: splits by tests that spend alpha over looks.

The look at n values spends the share ln(7.5) / (n ln(n)^2) of alpha, so that all looks from the eighth value on spend alpha at
most. The error of a mean is that of an autocorrelation of 0.3, or of a larger one that the series shows around its levels.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from benchmill.core import Array, ArrayLike

#: Fewer values than these are not tested, and no level has fewer than those.
FEWEST, SHORTEST = 8, 3
#: The share of alpha that is for pieces of a series, where one of several changes stands alone.
_IN_PIECES = 0.1
#: The autocorrelation that is allowed for, and the largest that is reckoned with.
AUTOCORRELATION, LARGEST = 0.3, 0.95


@dataclass(frozen=True)
class Change:
    """A change of the level at the first value with the new one; p is adjusted for all places and all looks, so many tests."""

    at: int
    p: float
    tests: float


def change_points(values: ArrayLike, alpha: float = 0.05) -> list[Change]:
    """Find where a series changes its level, as it is seen by someone who has looked after each value.

    By binary segmentation (Scott and Knott 1974), t at the best place by Bonferroni's inequality (Worsley 1979) and spending of
    alpha (Lan and DeMets 1983). Steps up and down hide each other in the whole: pieces are split, too (Kovács et al. 2023). None
    in a series, or a part of one, of fewer than 8 values.
    """
    x = np.asarray(values, float)
    if not np.isfinite(x).all():
        raise ValueError("a series with a level needs finite values")
    changes = _changes(x, alpha, AUTOCORRELATION)
    levels = np.split(x, [change.at for change in changes])
    shown = autocorrelation(np.concatenate([level - level.mean() for level in levels]), len(levels)) if x.size else 0.0
    return changes if shown <= AUTOCORRELATION else _changes(x, alpha, min(shown, LARGEST))


def _changes(x: Array, alpha: float, correlation: float) -> list[Change]:
    changes = []
    # both parts of a split share what it has spent
    parts = [(0, x.size, looks(x.size))]
    while parts:
        start, stop, factor = parts.pop()
        if stop - start < FEWEST:
            continue
        best = _best(x[start:stop], correlation)
        p, at = min(1.0, factor * best.p), start + best.at
        if p <= alpha:
            changes.append(Change(at, p, factor * best.tests))
            parts += [(start, at, 2 * factor), (at, stop, 2 * factor)]
    return sorted(changes, key=lambda change: change.at)


def looks(n: int) -> float:
    """Return what p at the look at n values is multiplied by, for all looks so far and to come."""
    return n * math.log(max(n, 2)) ** 2 / math.log(FEWEST - 0.5)


def autocorrelation(residuals: Array, levels: int) -> float:
    """Return the correlation of a value with the next, around a number of levels estimated from the same values."""
    squares = float((residuals**2).sum())
    if not squares:
        return 0.0
    correlation = float((residuals[1:] * residuals[:-1]).sum()) / squares
    # means of few values take correlation with them
    return correlation + levels * (1 + 3 * correlation) / residuals.size


def _best(x: Array, r: float) -> Change:
    """Return the best split of a series, of the whole or of a piece."""
    pieces = _pieces(x.size)
    alone = _IN_PIECES if pieces else 0.0
    splits = []
    for start, stop, share in [(0, x.size, 1 - alone), *((*piece, alone / len(pieces)) for piece in pieces)]:
        at, p = _split(x[start:stop], r)
        splits.append(Change(start + at, min(1.0, p / share), (stop - start + 1 - 2 * SHORTEST) / share))
    return min(splits, key=lambda change: change.p)


def _pieces(n: int) -> list[tuple[int, int]]:
    """Return where pieces of a half, a quarter and so on of n values start and stop; each overlaps the next by half."""
    halved = [k for k in range(1, n.bit_length()) if n >> k >= FEWEST]
    starts = {k: np.linspace(0, n - (n >> k), 2 ** (k + 1) - 1).astype(int).tolist() for k in halved}
    return [(start, start + (n >> k)) for k in halved for start in starts[k]]


def _split(x: Array, r: float) -> tuple[int, float]:
    """Return the best place to split a series at, and its p for all places."""
    n = x.size
    k = np.arange(SHORTEST, n - SHORTEST + 1)
    total = np.cumsum(x - x.mean())
    # the mean behind a place minus that before it
    apart = -total[k - 1] * n / (k * (n - k))
    between = apart**2 * k * (n - k) / n
    at = int(k[np.argmax(between)])
    within = float(((x[:at] - x[:at].mean()) ** 2).sum() + ((x[at:] - x[at:].mean()) ** 2).sum())
    if within <= between.max() * 1e-24:
        return at, 0.0 if between.max() > 0 else 1.0
    t = math.sqrt(between.max() * (n - 2) / within * (1 - r) / (1 + r))
    return at, float(min(1.0, 2 * k.size * special.stdtr(n - 2, -t)))
