"""Summarise the trials of a cell by one number: ERT, success performance, mean, median, deviation, quantiles.

The trials of cell i are `costs[offsets[i]:offsets[i + 1]]`; without `offsets` all are one cell. `inf` is a failure. An empty cell
gives NaN.
"""

from collections.abc import Sequence

import numpy as np

from benchmill.core import Array, ArrayLike, Index, MaybeArray, keys, quietly, reals


def _offsets(costs: Array, offsets: MaybeArray) -> Index:
    return np.array([0, costs.size]) if offsets is None else np.asarray(offsets, np.int64)


def totals(values: ArrayLike, offsets: MaybeArray = None) -> Array:
    """Sum over each cell; 0 for an empty one."""
    v = reals(values)
    bounds = _offsets(v, offsets)
    return np.bincount(keys.of_rows(bounds), v[bounds[0] : bounds[-1]], bounds.size - 1).astype(float)


def _counts(values: Array, n: MaybeArray) -> Array:
    """Return the number of runs that each row stands for."""
    return np.ones(values.size) if n is None else reals(n)


def truncated(costs: ArrayLike, budgets: ArrayLike) -> Array:
    """Replace each failure by the trial's own budget, min(t_i, B_i); it stays infinite where that is NaN."""
    t, b = reals(costs), reals(budgets)
    return np.where(np.isfinite(t), t, np.where(np.isnan(b), np.inf, b))


@quietly()
def ert(costs: ArrayLike, budgets: ArrayLike, offsets: MaybeArray = None, n: MaybeArray = None) -> Array:
    """Return the expected running time: what all trials spent, divided by the number of successes.

    ERT = sum_i min(t_i, B_i) / #{t_i < inf} (Hansen et al. 2009), B_i the budget of each failed trial; `n` are the runs that
    each row stands for. inf without a success; NaN where the budget of a failure is NaN although there are successes.
    """
    t, b = reals(costs), reals(budgets)
    count = _counts(t, n)
    failed = ~np.isfinite(t)
    successes = totals(np.where(failed, 0.0, count), offsets)
    return np.where(
        (successes == 0) & (totals(count, offsets) > 0), np.inf, totals(count * np.where(failed, b, t), offsets) / successes
    )


@quietly()
def success_performance(costs: ArrayLike, offsets: MaybeArray = None, n: MaybeArray = None) -> Array:
    """Return the mean cost of the successes divided by the success rate (Barbosa, Bernardino, Barreto 2010, equation 5).

    Budgets of failures do not enter. inf without a success.
    """
    t = reals(costs)
    count = _counts(t, n)
    successes = totals(np.where(np.isfinite(t), count, 0.0), offsets)
    trials = totals(count, offsets)
    return np.where((successes == 0) & (trials > 0), np.inf, mean_successful(t, offsets, n) * (trials / successes))


def penalised(
    costs: ArrayLike,
    budgets: ArrayLike,
    factor: float = 10.0,
    offsets: MaybeArray = None,
    n: MaybeArray = None,
) -> Array:
    """Return PAR-k: the mean cost, where a failure counts `factor` times its budget; inf where that is NaN."""
    return mean(truncated(costs, factor * reals(budgets)), offsets, n)


def aggregated(how: str, costs: ArrayLike, budgets: ArrayLike, offsets: MaybeArray = None, n: MaybeArray = None) -> Array:
    """Return one cost of the trials of each cell: `ert`, `success_performance`, `median`, `par` and its factor, else the mean."""
    match how:
        case "ert":
            return ert(costs, budgets, offsets, n)
        case "success_performance":
            return success_performance(costs, offsets, n)
        case "median":
            return median(costs, offsets)
    return penalised(costs, budgets, float(how[3:]), offsets, n) if how.startswith("par") else mean(costs, offsets, n)


def mean_successful(costs: ArrayLike, offsets: MaybeArray = None, n: MaybeArray = None) -> Array:
    """Return the mean cost of the successes; NaN where there is none."""
    t = reals(costs)
    success = np.isfinite(t)
    return mean(np.where(success, t, 0.0), offsets, np.where(success, _counts(t, n), 0.0))


@np.errstate(invalid="ignore")
def mean(values: ArrayLike, offsets: MaybeArray = None, n: MaybeArray = None) -> Array:
    """Return the mean over each cell; inf if it holds an infinite value."""
    v = reals(values)
    count = _counts(v, n)
    return totals(count * v, offsets) / totals(count, offsets)


@quietly()
def deviation(values: ArrayLike, offsets: MaybeArray = None) -> Array:
    """Return the standard deviation (n - 1) over each cell; NaN for fewer than two values or with an infinite one."""
    v = reals(values)
    bounds = _offsets(v, offsets)
    sizes = np.diff(bounds)
    centred = v[bounds[0] : bounds[-1]] - np.repeat(mean(v, bounds), sizes)
    return np.sqrt(totals(centred**2, bounds - bounds[0]) / np.where(sizes > 1, sizes - 1.0, np.nan))


#: Ways to read a quantile off a sample, by their number in Hyndman and Fan 1996: linear interpolation, an observed value.
QUANTILE_TYPES = (7, 3)


@np.errstate(invalid="ignore")
def quantiles(values: ArrayLike, p: Sequence[float], offsets: MaybeArray = None, quantile_type: int = 7) -> Array:
    """Return quantiles over each cell, (len(p), n_cells).

    Parameters
    ----------
    values : (n_trials,) array_like
        A quantile between a finite and an infinite value is that infinity.
    quantile_type : {7, 3}
        Hyndman and Fan 1996: 7 interpolates linearly (NumPy, R); 3 is the observed value nearest to n p, the even one of two
        (IOHanalyzer's choice for running times).
    """
    if quantile_type not in QUANTILE_TYPES:
        raise ValueError(f"quantiles are of type {', '.join(map(str, QUANTILE_TYPES))}, not {quantile_type}")
    v = reals(values)
    bounds = _offsets(v, offsets)
    sizes = np.diff(bounds)
    v = v[bounds[0] : bounds[-1]]
    v = np.append(np.sort(v) if sizes.size == 1 else v[np.lexsort((v, keys.of_rows(bounds)))], np.nan)
    first = bounds[:-1] - bounds[0]
    result = np.empty((len(p), sizes.size))
    for i, share in enumerate(p):
        # rounded first: (n - 1) p and n p should be whole where p is a short decimal fraction of them
        if quantile_type == 7:
            h = np.round(np.maximum(sizes - 1, 0) * share, 9)
        else:
            # rint takes the even one of two equally near
            h = np.clip(np.rint(np.round(sizes * share, 9)) - 1, 0, np.maximum(sizes - 1, 0))
        below = np.floor(h).astype(np.int64)
        low = v[np.where(sizes > 0, first + below, -1)]
        high = v[np.where(sizes > 0, first + np.minimum(below + 1, sizes - 1), -1)]
        part = h - below
        result[i] = np.where((part == 0) | (low == high) | np.isneginf(low), low, low + part * (high - low))
    return result


def median(values: ArrayLike, offsets: MaybeArray = None) -> Array:
    """Return the median over each cell; the mean of the two middle values for an even number."""
    return np.asarray(quantiles(values, [0.5], offsets)[0])
