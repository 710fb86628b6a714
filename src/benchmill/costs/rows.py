"""The rows of the table `costs`: of a matrix of costs, and of published summaries, successful and failed runs apart."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, Mask, schema

_KEYS = ["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]


def cost_table(
    trials: pa.Table,
    cost: Array,
    measure: str,
    targets: Array | None = None,
    at_budgets: Array | None = None,
    *,
    spent: pa.ChunkedArray | pa.Array | None = None,
    larger: Mask | None = None,
    floored: Mask | None = None,
) -> pa.Table:
    """Lay out costs (n_trials, n_columns) as rows, one a trial and column."""
    n_columns = cost.shape[1]
    rows = None if n_columns == 1 else pa.array(np.repeat(np.arange(trials.num_rows), n_columns))
    flat = np.ascontiguousarray(cost).ravel()
    violation = trials["violation"]
    spent = trials["budget"] if spent is None else spent

    def spread(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
        return column if rows is None else column.take(rows)

    columns = {name: spread(trials[name]) for name in [*_KEYS, "cost_sd", "n"]}
    columns |= {
        "measure": pa.DictionaryArray.from_arrays(pa.array(np.zeros(flat.size, np.int32)), pa.array([measure])),
        "cost": flat,
        "budget": spread(spent.cast(pa.float64())),
        "success": np.isfinite(flat),
        "feasible": spread(pc.less_equal(violation, 0.0)),
    }
    if larger is not None and larger.any():
        columns["larger"] = np.repeat(larger, n_columns)
    if floored is not None and floored.any():
        columns["floored"] = np.ascontiguousarray(floored).ravel()
    for name, levels in (("target", targets), ("at_budget", at_budgets)):
        if levels is not None:
            columns[name] = np.tile(levels, trials.num_rows)
    return schema.table("costs", columns)


def split(trials: pa.Table, cost: ArrayLike, hits: ArrayLike) -> tuple[pa.Table, Array]:
    """Split each summary into its hits (runs that count) and the others, which fail; `n` counts the runs.

    `cost` is that of each hit, `hits` their number among the `n` runs; NaN leaves the row as it is. Returns the trials, and the
    cost of each, inf for runs that are no hits.
    """
    c, h = np.asarray(cost, float), np.asarray(hits, float)
    n = schema.floats(trials, "n")
    whole = np.isnan(h)
    if whole.all():
        return trials, c
    size = np.column_stack([np.where(whole, n, h), np.where(whole, 0.0, n - h)])
    kept = size.ravel() > 0
    table = trials.take(pa.array(np.repeat(np.arange(c.size), 2)[kept]))
    # the failures have no cost that spreads
    sd = np.where(np.tile([False, True], c.size)[kept], np.nan, schema.floats(table, "cost_sd"))
    table = schema.replaced(table, n=pa.array(size.ravel()[kept].astype(np.int32)), cost_sd=pa.array(sd, from_pandas=True))
    return table, np.column_stack([c, np.full(c.size, np.inf)]).ravel()[kept]


def without(trials: pa.Table, *columns: str) -> pa.Table:
    """Return the trials with these columns empty."""
    return schema.replaced(trials, **{name: pa.nulls(trials.num_rows, trials.schema.field(name).type) for name in columns})
