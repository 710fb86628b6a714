"""Success performance: the mean evaluations of the successful runs divided by the success rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.options import option
from benchmill.core.traces import Traces, check_numbering
from benchmill.costs import fixed_target, success_rate
from benchmill.costs.rows import cost_table, refuse, split, without
from benchmill.registry.measures import CRITERION, Measure


@dataclass(frozen=True, kw_only=True)
class Options(success_rate.Options):
    """Settings of a measure of this kind."""

    published: Literal["printed", "recomputed"] = option(
        """Of a published table, whose success performance need not agree with its mean and its success rate: as it stands
        (`printed`), or `recomputed` from them.""",
        "printed",
    )


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
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
        needed = f"{{problem}} states no {what}, which measure {{measure!r}} of kind 'success_performance' needs"
        refuse(trials, wrong, measure, f"{needed} with published: {options.published}; correct the table, or {or_else}")
    parts, cost = split(without(trials, "cost_sd") if as_printed else trials, value, s)
    return cost_table(parts, cost[:, None], measure)


ENTRIES = (
    Measure(
        "success_performance",
        "success performance",
        function=costs,
        options=Options,
        references=("barbosa2010",),
        phrase="the mean evaluations of the successful runs over the success rate, a run being successful "
        + CRITERION
        + "; of published tables it is {published}",
        caption="mean evaluations of the successful runs over the success rate",
        levels="targets",
        fixed_aggregate=True,
    ),
)
