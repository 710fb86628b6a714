"""Dual integral: how far the bound is from the best-known value, over time."""

from __future__ import annotations

import pyarrow as pa

from benchmill.core.traces import Traces
from benchmill.costs import courses
from benchmill.costs.courses import gap
from benchmill.costs.rows import cost_table

Options = courses.Options


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Integral over time of the gap between the best-known value and the bound, for every trial.

    The gap is 1 before the first bound, and 0 for a bound at or beyond the best-known value. Where the best-known value is not
    optimal, the gap of the best possible bound is not 0, which is the same for all solvers.

    Raises
    ------
    UserError
        A run has no course, or failed at an unknown time limit or before `until`; or no best-known value of a problem is
        known.
    """
    course = courses.course(trials, measure, options)
    height = gap(courses.reference(trials, measure)[course.trial], course.bound)
    return cost_table(trials, courses.integral(course, height, trials.num_rows, options.half_life)[:, None], measure)
