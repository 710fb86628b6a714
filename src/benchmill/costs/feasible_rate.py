"""Feasible rate: the share of runs that found a feasible point."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.traces import Traces, check_numbering
from benchmill.costs.options import OfRates as Options
from benchmill.costs.rows import cost_table, refuse, split, without
from benchmill.registry.measures import Measure

__all__ = ["Options", "costs"]


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Return cost 1 for a feasible run, inf for another: their success performance is 1 / feasible rate.

    Barbosa, Bernardino, Barreto 2010, equation (3). A summary has a row for its feasible runs and one for the others.
    """
    check_numbering(trials)
    n = schema.floats(trials, "n")
    violation = schema.floats(trials, "violation")
    hits = np.where(np.isnan(violation), np.nan, np.where(violation <= 0, n, 0.0))
    stated = schema.floats(trials, "n_feasible")
    hits = np.where(np.isnan(stated), hits, stated)
    refuse(
        trials,
        np.isnan(hits),
        measure,
        "{problem} states neither a constraint violation nor a feasible rate, which measure {measure!r} of kind "
        "'feasible_rate' needs; leave it out with `exclude`, or give a source that states it",
    )
    parts, cost = split(without(trials, "budget", "cost_sd"), np.ones(n.size), hits)
    return schema.replaced(cost_table(parts, cost[:, None], measure), feasible=pa.array(np.isfinite(cost)))


ENTRIES = (
    Measure(
        "feasible_rate",
        "feasible rate",
        function=costs,
        options=Options,
        references=("barbosa2010",),
        phrase="the share of the runs on a problem that found a feasible point; the cost is 1 / rate, infinite where no run did",
        caption="1 / feasible rate",
        rate=True,
        fixed_aggregate=True,
    ),
)
