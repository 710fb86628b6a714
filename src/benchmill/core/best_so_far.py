"""The best value so far of every trial: logs may go up and down, convergence does not."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def running_minimum(trial: npt.NDArray[np.int64], value: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Smallest value so far within each trial.

    Parameters
    ----------
    trial : (n_rows,) array of int
        Ascending, from 0 or above.
    value : (n_rows,) array
        inf allowed; a NaN counts as larger than all others.

    Returns
    -------
    (n_rows,) array
        Empty for no rows.
    """
    levels, rank = np.unique(value, return_inverse=True)
    # later trials get lower ranks as a whole, so that one running minimum starts anew with each
    shift = (trial.max(initial=0) - trial) * levels.size
    return np.asarray(levels[np.minimum.accumulate(rank + shift) - shift], float)


def improves(trial: npt.NDArray[np.int64], value: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
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
