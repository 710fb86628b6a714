"""The rows of the table `costs` from a matrix of costs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema

_KEYS = ["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]


def cost_table(
    trials: pa.Table,
    cost: npt.NDArray[np.float64],
    measure: str,
    targets: npt.NDArray[np.float64] | None = None,
    at_budgets: npt.NDArray[np.float64] | None = None,
    *,
    spent: pa.ChunkedArray | pa.Array | None = None,
    larger: npt.NDArray[np.bool_] | None = None,
    floored: npt.NDArray[np.bool_] | None = None,
) -> pa.Table:
    """Lay out costs (n_trials, n_columns) as rows, one a trial and column."""
    n_columns = cost.shape[1]
    rows = None if n_columns == 1 else pa.array(np.repeat(np.arange(trials.num_rows), n_columns))
    flat = np.ascontiguousarray(cost).ravel()
    violation = trials.column("violation")
    spent = trials.column("budget") if spent is None else spent

    def spread(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
        return column if rows is None else column.take(rows)

    columns = {name: spread(trials.column(name)) for name in [*_KEYS, "cost_sd", "n"]}
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
