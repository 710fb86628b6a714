"""Percentile bootstrap intervals of ERT and success performance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmill.core import seeds

Array = npt.NDArray[np.float64]

_CELLS_TIMES_RESAMPLES = 1 << 21


def intervals(
    costs: npt.ArrayLike,
    budgets: npt.ArrayLike,
    offsets: npt.ArrayLike,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = 1000,
) -> tuple[Array, Array]:
    """Percentile bootstrap intervals of ERT and success performance, for every cell.

    The n trials of a cell are drawn n times with replacement, `resamples` times over; a resample without success has an
    infinite ERT. The ends are quantiles of type 7 of the resampled values (Efron and Tibshirani 1993, section 13.3). Cells with
    the same number of trials share their draws, which depend on the seed and that number alone: an interval does not depend on
    what else is computed beside it.

    Parameters
    ----------
    costs, budgets : (n_trials,) array_like
        As for `benchmill.core.replicates.ert`, after the budget rule.
    offsets : (n_cells + 1,) array_like of int
    seed : int
        Of the study.
    level : float
        In (0, 1).
    resamples : int

    Returns
    -------
    ert, success_performance : (2, n_cells) arrays
        Lower and upper ends. The upper one may be inf. NaN for fewer than two trials and without a success (where every
        resample is infinite and nothing is learnt); for ERT also where the budget of a failure is unknown.
    """
    t, b = np.asarray(costs, float), np.asarray(budgets, float)
    bounds = np.asarray(offsets, np.int64)
    sizes = np.diff(bounds)
    success = np.isfinite(t)
    spent = np.where(success, t, b)
    ert = np.full((2, sizes.size), np.nan)
    performance = np.full((2, sizes.size), np.nan)
    for n in np.unique(sizes[sizes > 1]):
        counts = resample_counts(seed, int(n), resamples)
        cells = np.flatnonzero(sizes == n)
        step = max(1, _CELLS_TIMES_RESAMPLES // resamples)
        for start in range(0, cells.size, step):
            chunk = cells[start : start + step]
            rows = bounds[chunk][:, None] + np.arange(n)
            successes = success[rows].astype(float) @ counts
            with np.errstate(divide="ignore", invalid="ignore"):
                running = (spent[rows] @ counts) / successes
                mean = (np.where(success[rows], t[rows], 0.0) @ counts) / successes
                reached = np.where(successes == 0, np.inf, mean * (n / successes))
            some = success[rows].any(axis=1)
            ert[:, chunk] = np.where(some, _ends(running, level), np.nan)
            performance[:, chunk] = np.where(some, _ends(reached, level), np.nan)
    return ert, performance


def resample_counts(seed: int, n: int, resamples: int) -> Array:
    """How often each of `n` trials is drawn in each resample: an (n, resamples) array whose columns add up to n."""
    draws = seeds.stream(seed, "indicators", "bootstrap", str(n)).multinomial(n, np.full(n, 1.0 / n), resamples)
    return np.ascontiguousarray(draws.T, dtype=float)


def _ends(values: Array, level: float) -> Array:
    """Quantiles (1 - level) / 2 and (1 + level) / 2 of type 7 of each row, as (2, n_rows); NaN for a row with NaN."""
    return np.stack([row_quantile(values, (1 - level) / 2), row_quantile(values, (1 + level) / 2)])


def row_quantile(values: Array, p: float) -> Array:
    """Quantile of type 7 of each row of a matrix; inf allowed, NaN for a row with NaN."""
    h = round((values.shape[1] - 1) * p, 9)
    below = int(h)
    above = min(below + 1, values.shape[1] - 1)
    parted = np.partition(values, [below, above], axis=1)
    low, high = parted[:, below], parted[:, above]
    with np.errstate(invalid="ignore"):
        between = low + (h - below) * (high - low)
    result = np.where((h == below) | (low == high), low, between)
    return np.asarray(np.where(np.isnan(values).any(axis=1), np.nan, result), float)
