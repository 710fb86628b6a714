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

    Parameters
    ----------
    trials : pyarrow.Table
        Table `trials` of one source of solver runs with their courses.
    traces
        Not read.
    measure : str
        Name of the measure.
    options : Options

    Returns
    -------
    pyarrow.Table
        Table `costs`: one row per trial, in seconds.

    Raises
    ------
    UserError
        A run has no course, or failed at an unknown time limit or before `until`.

    References
    ----------
    T. Berthold, "Measuring the impact of primal heuristics", Operations Research Letters 41(6), 2013, pp. 611-614. With
    `half_life`, the weights decay exponentially as in T. Berthold, Z. Csizmadia, "The confined primal integral", Mathematical
    Programming 188, 2021, pp. 523-537.
    """
    course = courses.course(trials, measure, options)
    height = gap(course.value, course.bound)
    return cost_table(trials, courses.integral(course, height, trials.num_rows, options.half_life)[:, None], measure)
