"""Bands around ECDF curves: the trials of each problem are a sample, each with all its targets; the problems stay."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmill.core.intervals import wilson

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]


def band(jumps: npt.ArrayLike, weights: npt.ArrayLike, trial: Index, problem: Index, level: float) -> tuple[Array, Array]:
    """Return pointwise band of a distribution function whose jumps belong to trials, and trials to problems.

    Returns
    -------
    low, high : arrays
        At the distinct finite jumps, ascending, as `step_functions.ecdf` has them.
    """
    r, w = np.asarray(jumps, float), np.asarray(weights, float)
    w = w / w.sum()
    _, trial = np.unique(trial, return_inverse=True)
    _, problem = np.unique(problem, return_inverse=True)
    most = np.bincount(trial, w)
    home = np.zeros(most.size, np.int64)
    home[trial] = problem
    n = np.bincount(home).astype(float)
    whole, squares = np.bincount(home, most), np.bincount(home, most**2)
    # by problem, and there from left to right
    order = np.lexsort((r, problem))
    order = order[np.isfinite(r[order])]
    r, w, trial, problem = r[order], w[order], trial[order], problem[order]
    before = _running(w, trial) - w
    total, square, product = (_running(x, problem) for x in (w, w * (2 * before + w), w * most[trial]))
    share = total / whole[problem]
    many = np.where(n > 1, n / np.maximum(n - 1, 1), 0.0)
    variance = many[problem] * (square - 2 * share * product + share**2 * squares[problem])
    # what each jump adds to the variance of all
    first = np.append(True, problem[1:] != problem[:-1])[: r.size]
    added = np.where(first, variance, variance - np.append(0.0, variance[:-1])[: r.size])
    along = np.argsort(r, kind="stable")
    last = np.flatnonzero(np.append(r[along][1:] != r[along][:-1], True)[: r.size])
    if not (n > 1).any():
        return np.full(last.size, np.nan), np.full(last.size, np.nan)
    fraction, of_all = np.cumsum(w[along])[last], np.cumsum(added[along])[last]
    return wilson(fraction, of_all, 1 / squares.sum(), (n - 1).sum(), level)


def _running(values: Array, group: Index) -> Array:
    """Return the sum of the values of the same group up to each."""
    order = np.argsort(group, kind="stable")
    total = np.cumsum(values[order])
    first = np.flatnonzero(np.append(True, group[order][1:] != group[order][:-1])[: group.size])
    start = np.repeat(total[first] - values[order][first], np.diff(np.append(first, group.size)))
    result = np.empty(values.size)
    result[order] = total - start
    return result
