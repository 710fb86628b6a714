"""Random rearrangements, drawn until chance no longer decides.

Up to `COUNTED` rearrangements are counted. Of more, `BATCH` are drawn at a time until the 99.9 % interval (Clopper and Pearson)
of the share that reaches what was observed leaves the level out (Besag and Clifford 1991; Gandy 2009). Where it does not, the
decision is open, which counts as not shown: p is then the upper end of that interval.
"""

import math
from collections.abc import Callable

import numpy as np

from benchmill.core import ArrayLike, Mask, UserError
from benchmill.registry.inference import USUAL

#: Drawn at a time; at most, where a study says nothing else; and rearrangements that are counted instead.
BATCH, MOST, COUNTED = 10_000, USUAL.permutations, 200_000
#: Numbers (of all statements or labels together) that are drawn after the first batch, so that large studies end.
MOST_NUMBERS = 2_000_000_000
#: Chance that a share is outside its interval, half of it on each side.
_CHANCE = 0.001


def fewest(alpha: float) -> int:
    """Return how many have to be drawn so that some data can be clear of the level: all above it, where none reaches."""
    return math.ceil(math.log(_CHANCE / 2) / math.log1p(-alpha))


def refuse_few(permutations: int, alpha: float, what_for: str = "") -> None:
    """Raise a `UserError` where so few rearrangements leave every decision at the level, `what_for` says of what, to chance."""
    if permutations < fewest(alpha):
        raise UserError(
            f"inference.permutations: found {permutations}, which cannot decide anything at the level {alpha:.3g}{what_for}, "
            f"whatever the data; expected {fewest(alpha)} or more."
        )


def most(asked: int, size: int, alpha: float) -> int:
    """Return how many to draw at most: as many as are asked for and a study can wait for, one batch where none can decide."""
    enough = alpha * (asked + 1) >= 1
    return min(asked, max(BATCH, MOST_NUMBERS // max(size, 1)) if enough else BATCH)


def clear(reached: ArrayLike, drawn: int, alpha: float) -> tuple[Mask, Mask]:
    """Say whether the interval of a share, from how many draws reached it, lies below the level, and whether above it."""
    x = np.asarray(reached, np.int64)
    counts, at = np.unique(x, return_inverse=True)
    # planning imports this module, and has no use for SciPy
    from scipy.special import bdtr, bdtrc

    below = bdtr(counts.astype(float), drawn, alpha) <= _CHANCE / 2
    above = np.where(counts > 0, bdtrc(np.maximum(counts - 1.0, 0.0), drawn, alpha), 1.0) <= _CHANCE / 2
    return below[at].reshape(x.shape), above[at].reshape(x.shape)


def open_steps(reached: ArrayLike, drawn: int, alpha: float) -> tuple[int, int]:
    """Return the first open step of a step-down test, and the one after the last.

    A step rejects if it and all before it do, and does not if one of them does not.
    """
    below, above = clear(reached, drawn, alpha)
    return int(np.logical_and.accumulate(below).sum()), int((~np.logical_or.accumulate(above)).sum())


def interval(reached: int, drawn: int) -> tuple[float, float]:
    """Return Clopper and Pearson's 99.9 % interval of a share."""
    from scipy.special import betaincinv

    return (
        float(betaincinv(reached, drawn - reached + 1, _CHANCE / 2)) if reached else 0.0,
        float(betaincinv(reached + 1, drawn - reached, 1 - _CHANCE / 2)) if reached < drawn else 1.0,
    )


def until_clear(
    count: Callable[[int], int], asked: int, size: int, alpha: float, batch: int = BATCH
) -> tuple[float, int, float | None]:
    """Draw until the share that reaches the observed statistic is clear of the level.

    `count` tells of so many new rearrangements how many reach it. Returns p, (1 + reached) / (1 + drawn), or the upper end of its
    interval where that is open; how many were drawn; and the lower end where it is open.
    """
    reached = drawn = 0
    limit, is_open = most(asked, size, alpha), True
    while is_open and drawn < limit:
        n = min(batch, limit - drawn)
        reached += count(n)
        drawn += n
        is_open = not any(bool(side) for side in clear(reached, drawn, alpha))
    # too few to decide anything, whatever they show: that is said of the design
    is_open &= alpha * (limit + 1) >= 1
    p = (reached + 1) / (drawn + 1)
    low, high = interval(reached, drawn) if is_open else (None, p)
    return high, drawn, low
