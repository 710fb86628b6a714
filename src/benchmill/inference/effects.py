"""Effect sizes of all pairs: Vargha and Delaney's A within blocks with its interval, and net shares of wins."""

from collections.abc import Callable

import numpy as np

from benchmill.core import Array, ArrayLike
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference.design import cells


def vargha_delaney(values: ArrayLike, alpha: float = 0.05) -> dict[str, Array]:
    """Return A of every pair: the mean over the blocks of P(X_i < X_j) + P(X_i = X_j) / 2 (Vargha and Delaney 2000).

    Columns `a_better`, `a_better_low` and `a_better_high` of the pairs i < j (order of `numpy.triu_indices`).
    Costs; inf = failure, two failures tie. The interval, of each pair alone, is Newcombe's method 5 (Statistics in Medicine 25,
    2006) for samples of r and r runs, averaged over b blocks: it solves (A - t)^2 = z^2 V(t) / b with V(t) = t (1 - t) [1 + (r -
    1) ((1 - t) / (2 - t) + t / (1 + t))] / r^2, for one run a cell Wilson's. Blocks are taken as fixed. NaN without blocks.
    """
    from scipy.special import ndtri

    x = cells(values)
    b, k, r = x.shape
    if not x.size:
        return dict.fromkeys(("a_better", "a_better_low", "a_better_high"), np.full(k * (k - 1) // 2, np.nan))
    a = (1 + net_wins(x).mean(axis=0)) / 2
    z2 = float(ndtri(1 - alpha / 2)) ** 2

    def beyond(t: Array) -> Array:
        v = t * (1 - t) * (1 + (r - 1) * ((1 - t) / (2 - t) + t / (1 + t))) / r**2
        return np.asarray((a - t) ** 2 - z2 * v / b, float)

    return {"a_better": a, "a_better_low": _end(beyond, a, 0.0), "a_better_high": _end(beyond, a, 1.0)}


@np.errstate(invalid="ignore")
def net_wins(values: ArrayLike) -> Array:
    """Return the net share of wins of the first of every pair in every block over all pairs of runs, (n_blocks, n_pairs).

    In [-1, 1]; costs that differ by rounding alone, and two failures, are tied. Pairs in the order of `numpy.triu_indices`.
    """
    x = cells(values)
    b, k, r = x.shape
    result, start = np.zeros((b, k * (k - 1) // 2)), 0
    for first in range(k - 1):
        others = x[:, first + 1 :]
        part = result[:, start : start + k - 1 - first]
        for run in range(r):
            own = x[:, first, run, None, None]
            slack = TOLERANCE * np.minimum(np.abs(others), np.abs(own))
            # NaN, of two failures, is neither
            gap = others - own
            part += (gap > slack).sum(axis=2)
            part -= (gap < -slack).sum(axis=2)
        start += k - 1 - first
    return np.asarray(result / max(r * r, 1), float)


def _end(beyond: Callable[[Array], Array], a: Array, end: float) -> Array:
    """Find where the bound is met between A and `end`, by bisection."""
    inner, outer = a.copy(), np.full(a.shape, end)
    for _ in range(60):
        middle = (inner + outer) / 2
        inside = beyond(middle) <= 0
        inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
    return np.asarray((inner + outer) / 2, float)
