"""Success rate: the share of runs that reached a target with a feasible point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.options import TARGETS, TARGETS_MEANING, option
from benchmill.core.traces import SCALE, Scale, Traces, check_numbering
from benchmill.costs import fixed_target, options
from benchmill.costs.rows import cost_table, split, without
from benchmill.registry.measures import CRITERION, Measure


@dataclass(frozen=True, kw_only=True)
class Options(options.OfRates):
    """Settings of a measure of this kind.

    Not used where the source states costs or numbers of successes: these say what succeeded.
    """

    targets: tuple[float, ...] = option(TARGETS_MEANING, [1e-4], **TARGETS)
    scale: Scale = option(SCALE, "distance")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.reading  # noqa: B018

    @property
    def reading(self) -> fixed_target.Options:
        """Return how traces are read."""
        return fixed_target.Options(targets=self.targets, scale=self.scale)


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Return cost 1 for a successful run, inf for another: their success performance is 1 / success rate.

    Barbosa, Bernardino, Barreto 2010, equations (2) and (4): a run succeeds if it finds a feasible x with f(x) - f* <= 1e-4. A
    summary has one row of its successful runs and one of the others.
    """
    check_numbering(trials)
    n = schema.floats(trials, "n")
    cost = schema.floats(trials, "cost")
    # where larger is better, what is stated is a rate and says nothing of single runs
    unknown = np.isnan(cost) | np.asarray(trials.column("maximise"), bool)
    hits = np.where(unknown, np.nan, np.where(np.isfinite(cost), n, 0.0))
    stated = schema.floats(trials, "n_successes")
    hits = np.where(np.isnan(stated), hits, stated)
    if n.size and not np.isnan(hits).any():
        parts, unit = split(without(trials, "budget", "cost_sd"), np.ones(n.size), hits)
        return cost_table(parts, unit[:, None], measure)
    table = fixed_target.costs(trials, traces, measure, options.reading)
    reached = np.isfinite(table.column("cost").to_numpy())
    return without(schema.replaced(table, cost=pa.array(np.where(reached, 1.0, np.inf))), "budget")


ENTRIES = (
    Measure(
        "success_rate",
        "success rate",
        function=costs,
        options=Options,
        references=("barbosa2010",),
        phrase="the share of the runs on a problem that succeeded " + CRITERION + "; the cost is 1 / rate, infinite where "
        "no run did",
        caption="1 / success rate",
        levels="targets",
        rate=True,
        fixed_aggregate=True,
    ),
)
