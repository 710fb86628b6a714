"""Given: costs as the source states them, for published tables and solver timings without a trace."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmill.costs.rows import cost_table
from benchmill.costs.summaries import counted, split
from benchmill.costs.traces import Traces, check_numbering, place
from benchmill.errors import UserError


def costs(trials: pa.Table, traces: Traces | None = None, *, measure: str, reciprocal: bool = False) -> pa.Table:
    """Stated costs, one row a trial; a summary that states its successes has a row of these and one of the failures.

    Parameters
    ----------
    trials : pyarrow.Table
        Table `trials` of one source; `cost`, `cost_sd` and `n` are taken over. Where `n_successes` is stated, `cost` is the
        mean of the successful runs.
    traces
        Not read.
    measure : str
        Name of the measure.
    reciprocal : bool
        The stated number is better when larger (a rate): the cost is 1 / number, and inf for 0. The standard deviation is
        dropped, as there is none for the reciprocal.

    Returns
    -------
    pyarrow.Table
        Table `costs`, ordered by trial; `target` and `at_budget` are null.

    Raises
    ------
    UserError
        A trial states no cost, a cost is NaN or -inf, larger costs are better without `reciprocal`, or a number to be
        inverted is negative or infinite.
    """
    check_numbering(trials)
    cost = trials.column("cost").to_numpy(zero_copy_only=False).astype(float)
    wrong = np.isnan(cost) | np.isneginf(cost)
    if wrong.any():
        source, problem = place(trials, int(np.argmax(wrong)))
        raise UserError(
            f"{source}: {problem} has no stated cost, which measure {measure!r} of kind 'given' needs; state a number or inf, "
            "or use kind: fixed_target or fixed_budget on its trace."
        )
    if reciprocal:
        wrong = (cost < 0) | np.isinf(cost)
        if wrong.any():
            row = int(np.argmax(wrong))
            source, problem = place(trials, row)
            raise UserError(
                f"{source}: {problem} states {cost[row]:g} for measure {measure!r}, whose reciprocal is the cost; "
                "expected a finite number >= 0 where 0 is a failure."
            )
        with np.errstate(divide="ignore"):
            cost = 1.0 / np.abs(cost)
        trials = trials.set_column(
            trials.schema.get_field_index("cost_sd"), trials.schema.field("cost_sd"), pa.nulls(trials.num_rows, pa.float64())
        )
    elif (maximise := np.asarray(trials.column("maximise"), bool)).any():
        source, problem = place(trials, int(np.argmax(maximise)))
        raise UserError(
            f"{source}: larger is better on {problem}, but costs are minimised; set reciprocal: true for measure {measure!r} "
            "or give costs that are better when smaller."
        )
    if not reciprocal:  # a rate is one over all runs
        trials, cost = split(trials, cost, counted(trials, "n_successes"))
    return cost_table(trials, cost[:, None], measure)
