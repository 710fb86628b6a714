"""Primal integral: how far the best value is from the best-known one, over time."""

from __future__ import annotations

import pyarrow as pa

from benchmill.core.traces import Traces
from benchmill.costs import courses
from benchmill.costs.courses import gap
from benchmill.costs.rows import cost_table

Options = courses.Options


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Integral over time of the gap between the best value and the best-known one, for every trial.

    The gap is 1 before the first solution, and 0 for a value at or beyond the best-known one, whether that is proven optimal or
    not. So a run without a solution costs all the time up to its limit, and the cost divided by the limit is a mean gap.

    Raises
    ------
    UserError
        A run has no course, or failed at an unknown time limit or before `until`; or no best-known value of a problem is
        known.
    """
    course = courses.course(trials, measure, options)
    height = gap(course.value, courses.reference(trials, measure)[course.trial])
    return cost_table(trials, courses.integral(course, height, trials.num_rows, options.half_life)[:, None], measure)
