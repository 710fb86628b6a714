"""The best value so far of every trial: logs may go up and down, convergence does not."""

import numpy as np

from benchmill.core import Array, Mask, Whole, reals


def running_minimum(trial: Whole, value: Array) -> Array:
    """Return the smallest value so far within each trial, whose rows are contiguous; a NaN counts as larger than all others."""
    if not ((trial[1:] == trial[:-1]) & ~(value[1:] <= value[:-1])).any():
        return value
    # planning takes this module and no pandas
    import pandas as pd

    return reals(pd.Series(value).groupby(trial).cummin().groupby(trial).ffill())


def improves(trial: Whole, value: Array) -> Mask:
    """Return True for rows that begin a trial or are smaller than the row before; values do not rise within a trial."""
    return np.append(True, (trial[1:] != trial[:-1]) | (value[1:] < value[:-1]))[: trial.size]
