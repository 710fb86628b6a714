"""Rates of runs, and success performance: which found a feasible point or reached a target, and at what cost."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.options import TARGETS, TARGETS_MEANING, option
from benchmill.core.traces import SCALE, Scale, Traces, check_numbering, refuse
from benchmill.costs import fixed_target
from benchmill.costs.options import Options, kinds
from benchmill.costs.rows import cost_table, split, without


@dataclass(frozen=True, kw_only=True)
class Successes(Options):
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


@dataclass(frozen=True, kw_only=True)
class Performance(Successes):
    """Settings of a measure of this kind."""

    published: Literal["printed", "recomputed"] = option(
        """For a published table, whose success performance need not agree with its mean and success rate: take it as it stands
        (`printed`), or `recomputed` from them.""",
        "printed",
    )


def feasible(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
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


def successful(trials: pa.Table, traces: Traces | None, measure: str, options: Successes) -> pa.Table:
    """Return cost 1 for a successful run, inf for another: their success performance is 1 / success rate.

    Barbosa, Bernardino, Barreto 2010, equations (2) and (4): a run succeeds if it finds a feasible x with f(x) - f* <= 1e-4. A
    summary has one row of its successful runs and one of the others.
    """
    check_numbering(trials)
    n = schema.floats(trials, "n")
    cost = schema.floats(trials, "cost")
    # where larger is better, what is stated is a rate and says nothing of single runs
    hits = np.where(np.isnan(cost) | schema.flags(trials, "maximise"), np.nan, np.where(np.isfinite(cost), n, 0.0))
    stated = schema.floats(trials, "n_successes")
    hits = np.where(np.isnan(stated), hits, stated)
    if n.size and not np.isnan(hits).any():
        parts, unit = split(without(trials, "budget", "cost_sd"), np.ones(n.size), hits)
        return cost_table(parts, unit[:, None], measure)
    table = fixed_target.costs(trials, traces, measure, options.reading)
    return without(schema.replaced(table, cost=np.where(np.isfinite(table["cost"].to_numpy()), 1.0, np.inf)), "budget")


def performance(trials: pa.Table, traces: Traces | None, measure: str, options: Performance) -> pa.Table:
    """Make one cost M n / s of evaluations to success of every run; the trials of a problem.

    Barbosa, Bernardino, Barreto 2010, equation (5): M is the mean of the evaluations of the s successful of the n runs. A summary
    has one row of its successful runs, with cost M, and one of the others.
    """
    check_numbering(trials)
    s = schema.floats(trials, "n_successes")
    printed = schema.floats(trials, "success_performance")
    if np.isnan(s).all() and np.isnan(printed).all():
        return fixed_target.costs(trials, traces, measure, options.reading)

    mean = schema.floats(trials, "cost")
    n = schema.floats(trials, "n")
    as_printed = options.published == "printed"
    value = printed * s / n if as_printed else mean
    lacking = "success performance" if as_printed else "mean number of evaluations"
    for wrong, what, or_else in (
        (np.isnan(s), "success rate", "leave the problem out with `exclude`"),
        ((s > 0) & ~(np.isfinite(value) & (value > 0)), lacking, "choose the other kind of `published`"),
    ):
        refuse(
            trials,
            wrong,
            measure,
            f"{{problem}} states no {what}, which measure {{measure!r}} of kind 'success_performance' needs with published: "
            f"{options.published}; correct the table, or {or_else}",
        )
    parts, cost = split(without(trials, "cost_sd") if as_printed else trials, value, s)
    return cost_table(parts, cost[:, None], measure)


ENTRIES = kinds(
    __file__,
    feasible_rate=(feasible, Options),
    success_rate=(successful, Successes),
    success_performance=(performance, Performance),
)
