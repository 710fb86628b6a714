"""Rank costs within blocks: the one rule for ties that every rank in the project follows."""

import numpy as np

from benchmill.core import Array, ArrayLike, MaybeArray, reals
from benchmill.core.step_functions import TOLERANCE

#: Differences are equal if they are so up to rounding of what they are differences of, relative to that: 6.1 - 7.7 and 5.0 - 6.6.
ROUNDING = 16 * np.finfo(float).eps


@np.errstate(invalid="ignore")
def midranks(costs: ArrayLike, error: MaybeArray = None) -> Array:
    """Return ranks within each block (row), from 1 for the smallest cost; ties share the mean of their ranks.

    Failures (inf) are tied at the end, and so are costs that differ by rounding alone: relative 1e-12, or by the `error` of each.
    """
    c = reals(costs)
    order = np.argsort(c, axis=1)
    ordered = np.take_along_axis(c, order, axis=1)
    position = np.broadcast_to(np.arange(c.shape[1]), c.shape)
    gap = TOLERANCE * np.abs(ordered[:, :-1])
    if error is not None:
        rounding = np.take_along_axis(reals(error), order, axis=1)
        gap = np.maximum(gap, np.maximum(rounding[:, 1:], rounding[:, :-1]))
    step = ordered[:, 1:] - ordered[:, :-1] > gap
    step |= np.isinf(ordered[:, 1:]) & ~np.isinf(ordered[:, :-1])
    edge = np.ones((c.shape[0], 1), bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, step]), position, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack([step, edge]), position, c.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(c.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return ranks
