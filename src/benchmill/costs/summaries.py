"""Published summaries as rows of costs: successful and failed runs in rows of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema

Array = npt.NDArray[np.float64]


def counted(trials: pa.Table, column: str) -> Array:
    """Return the runs of each row that `column` (`n_feasible` or `n_successes`) counts; NaN where it is not stated."""
    return np.asarray(trials.column(column).cast(pa.float64()).to_numpy(zero_copy_only=False), float)


def split(trials: pa.Table, cost: npt.ArrayLike, hits: npt.ArrayLike) -> tuple[pa.Table, Array]:
    """Split each summary into its hits (runs that count) and the others, which fail.

    Parameters
    ----------
    cost : (n_trials,) array_like
        Cost of each hit of a row.
    hits : (n_trials,) array_like
        Hits among the `n` runs of a row; NaN leaves the row as it is, with its `cost`.

    Returns
    -------
    trials : pyarrow.Table
        A row for the hits, then one for the others, as far as there are any; `n` counts the runs.
    cost : (n_rows,) array
        inf for runs that are no hits.
    """
    c, h = np.asarray(cost, float), np.asarray(hits, float)
    n = trials.column("n").to_numpy().astype(float)
    whole = np.isnan(h)
    if whole.all():
        return trials, c
    size = np.column_stack([np.where(whole, n, h), np.where(whole, 0.0, n - h)])
    value = np.column_stack([c, np.full(c.size, np.inf)])
    kept = size.ravel() > 0
    rows = np.repeat(np.arange(c.size), 2)[kept]
    table = trials.take(pa.array(rows))
    sd = table.column("cost_sd").to_numpy(zero_copy_only=False)
    sd = np.where(np.tile([False, True], c.size)[kept], np.nan, sd)
    table = schema.replaced(table, n=pa.array(size.ravel()[kept].astype(np.int32)), cost_sd=pa.array(sd, mask=np.isnan(sd)))
    return table, value.ravel()[kept]


def without(trials: pa.Table, *columns: str) -> pa.Table:
    """Return the trials with these columns empty."""
    return schema.replaced(trials, **{name: pa.nulls(trials.num_rows, trials.schema.field(name).type) for name in columns})
