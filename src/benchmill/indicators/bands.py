"""Bootstrap bands around ECDF curves: the trials of every problem are drawn again, each with all its targets."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from benchmill.indicators.bootstrap import row_quantile

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

_NUMBERS_AT_ONCE = 1 << 22


def draws(offsets: npt.ArrayLike, shares: npt.ArrayLike, resamples: int, rng: np.random.Generator) -> Array:
    """How much each trial weighs in each resample, relative to its weight in the sample.

    Parameters
    ----------
    offsets : (n_problems + 1,) array_like of int
        Trials `offsets[i]` to `offsets[i + 1]` are those of problem i.
    shares : (n_trials,) array_like
        Positive. The n trials of a problem are drawn n times with probability proportional to their shares.
    resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    (n_trials, resamples) array
        Expectation 1 each: the resampled share over the share.
    """
    bounds, w = np.asarray(offsets, np.int64), np.asarray(shares, float)
    result = np.empty((w.size, resamples))
    for start, end in pairwise(bounds):
        probability = w[start:end] / w[start:end].sum()
        counts = rng.multinomial(end - start, probability, resamples)
        result[start:end] = (counts / ((end - start) * probability)).T
    return result


def band(jumps: npt.ArrayLike, weights: npt.ArrayLike, trial: npt.ArrayLike, drawn: Array, level: float) -> tuple[Array, Array]:
    """Pointwise percentile band of a distribution function whose jumps belong to trials.

    Parameters
    ----------
    jumps : (n,) array_like
        inf: never.
    weights : (n,) array_like
        They are divided by their sum.
    trial : (n,) array_like of int
        The row of `drawn` that each jump follows.
    drawn : (n_trials, resamples) array
        From `draws`.
    level : float
        In (0, 1): at each jump the quantiles (1 - level) / 2 and (1 + level) / 2 (type 7) of the resampled curves.

    Returns
    -------
    low, high : arrays
        At the distinct finite jumps, ascending, as `step_functions.ecdf` has them.
    """
    r, w, of = np.asarray(jumps, float), np.asarray(weights, float), np.asarray(trial, np.int64)
    w = w / w.sum()
    order = np.argsort(r, kind="stable")
    order = order[np.isfinite(r[order]) & (w[order] > 0)]
    r, w, of = r[order], w[order], of[order]
    last = np.flatnonzero(np.append(r[1:] != r[:-1], True)[: r.size])
    low, high = np.empty(last.size), np.empty(last.size)
    step = max(1, _NUMBERS_AT_ONCE // drawn.shape[1])
    carried = np.zeros(drawn.shape[1])
    done = 0
    for start in range(0, r.size, step):
        rows = slice(start, start + step)
        height = carried + np.cumsum(w[rows, None] * drawn[of[rows]], axis=0)
        carried = height[-1]
        until = int(np.searchsorted(last, min(start + step, r.size)))
        if until > done:
            at = height[last[done:until] - start]
            low[done:until] = row_quantile(at, (1 - level) / 2)
            high[done:until] = row_quantile(at, (1 + level) / 2)
        done = until
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
