"""Primal-dual integral: how far value and bound are from each other, over time."""

from __future__ import annotations

import pyarrow as pa

from benchmill.core.traces import Traces
from benchmill.costs import courses
from benchmill.costs.courses import gap
from benchmill.costs.rows import cost_table

Options = courses.Options


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Integral over time of the gap between the best value and the bound, for every trial.

    The gap is 1 as long as there is no solution or no bound. It needs no best-known value, and is what SCIP and Xpress print as
    their primal-dual integral (SCIP: of gaps in percent).

    Raises
    ------
    UserError
        A run has no course, or failed at an unknown time limit or before `until`.
    """
    course = courses.course(trials, measure, options)
    height = gap(course.value, course.bound)
    return cost_table(trials, courses.integral(course, height, trials.num_rows, options.half_life)[:, None], measure)
