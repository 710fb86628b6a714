"""Gap: how far apart value and bound of a solver run are when it ends."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, UserError, quietly, schema
from benchmill.core.options import option
from benchmill.core.traces import Traces, check_numbering
from benchmill.costs import options
from benchmill.costs.rows import cost_table

Definition = Literal["larger", "value", "smaller"]


@dataclass(frozen=True, kw_only=True)
class Options(options.OfSolverRuns):
    """Settings of a measure of this kind."""

    relative_to: Definition = option(
        """What the difference of value and bound is divided by: `value`, the size of the value (Gurobi, CPLEX, HiGHS); `larger`,
        the larger size of both (Berthold, Xpress), which makes a gap of at most 1; `smaller` (SCIP, PAVER), which makes it
        infinite where their signs differ.""",
        "value",
    )
    floor: float | None = option(options.FLOOR, 1e-4, exclusiveMinimum=0)
    aggregate: Literal["mean", "median", "single"] = option(options.AGGREGATE, "median")

    @property
    def usual_shift(self) -> float:
        """Return a gap of one per cent."""
        return 0.01


@quietly()
def gaps(value: ArrayLike, bound: ArrayLike, relative_to: Definition) -> Array:
    """Return the relative gap between the objective values p of solutions and bounds d on it; not finite where there is none.

    `value`: `|p - d| / |p|`; `larger`: `min(1, |p - d| / max(|p|, |d|))`; `smaller`: `|p - d| / min(|p|, |d|)`, infinite where
    the signs differ. 0 where p = d, also where both are 0. inf where one of them is not there, or the divisor alone is 0.
    """
    p, d = np.broadcast_arrays(np.asarray(value, float), np.asarray(bound, float))
    there = np.isfinite(p) & np.isfinite(d)
    a, b = np.where(there, np.abs(p), np.nan), np.where(there, np.abs(d), np.nan)
    gap = np.abs(p - d) / {"value": a, "larger": np.fmax(a, b), "smaller": np.where(p * d < 0, 0.0, np.fmin(a, b))}[relative_to]
    gap = np.where(p == d, 0.0, np.minimum(gap, 1.0) if relative_to == "larger" else gap)
    return np.where(there, gap, np.inf)


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Return the gap of each trial when it ended, at its limit or before; 0.01 is a gap of 1 %."""
    check_numbering(trials)
    if trials.num_rows and not trials["dual_bound"].is_valid().to_numpy().any():
        raise UserError(
            f"{trials.column('source')[0].as_py()}: no run of this source states a bound (`dual_bound`), which measure "
            f"{measure!r} compares values with; leave the source out, or use kind: given."
        )
    value, bound = (schema.floats(trials, name) for name in ("best_value", "dual_bound"))
    solved = schema.says(trials, "status", "solved")
    gap = gaps(np.where(schema.says(trials, "outcome", "wrong"), np.nan, value), bound, options.relative_to)
    gap = np.where(solved & ~(np.isfinite(value) & np.isfinite(bound)), 0.0, gap)
    floor = -np.inf if options.floor is None else options.floor
    return cost_table(trials, np.maximum(gap, floor)[:, None], measure, floored=(gap < floor)[:, None])


ENTRIES = options.kinds(__file__, gap=(costs, Options))
