"""The best value so far of every trial: logs may go up and down, convergence does not."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def running_minimum(trial: npt.NDArray[np.integer], value: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Smallest value so far within each trial.

    Parameters
    ----------
    trial : (n_rows,) array of int
        Sorted, so that the rows of a trial stand together.
    value : (n_rows,) array
        inf allowed; a NaN counts as larger than all others.

    Returns
    -------
    (n_rows,) array
        Empty for no rows; `value` itself where nothing rises.
    """
    same = trial[1:] == trial[:-1]
    # mostly no value rises, or only single ones do
    for _ in range(3):
        rising = np.flatnonzero(same & ~(value[1:] <= value[:-1])) + 1
        if not rising.size:
            return value
        lowered = value.copy()
        lowered[rising] = np.fmin(value[rising], value[rising - 1])
        value = lowered
    levels, rank = np.unique(value, return_inverse=True)
    return np.asarray(levels[lowest_ranks(trial, rank)], float)


def lowest_ranks(trial: npt.NDArray[np.integer], rank: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Smallest rank so far within each trial.

    Parameters
    ----------
    trial : (n_rows,) array of int
        Sorted.
    rank : (n_rows,) array of int
        From 0.

    Returns
    -------
    (n_rows,) array of int64
    """
    number = np.cumsum(np.append(False, trial[1:] != trial[:-1]))[: trial.size]
    # later trials get lower ranks as a whole, so that one running minimum starts anew with each
    shift = (number.max(initial=0) - number) * (int(rank.max(initial=0)) + 1)
    return np.asarray(np.minimum.accumulate(rank + shift) - shift, np.int64)


def improves(trial: npt.NDArray[np.integer], value: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Rows that begin a trial or are smaller than the row before; values do not rise within a trial.

    Parameters
    ----------
    trial, value : (n_rows,) arrays
        As `running_minimum` takes and gives them.

    Returns
    -------
    (n_rows,) array of bool
    """
    keep = np.ones(trial.size, bool)
    keep[1:] = (trial[1:] != trial[:-1]) | (value[1:] < value[:-1])
    return keep
