"""Given: costs as the source states them, for published tables and solver timings without a trace."""

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import UserError, limits, schema
from benchmill.core.options import option
from benchmill.core.step_functions import ratios
from benchmill.core.traces import Traces, check_numbering, place, refuse
from benchmill.costs import options
from benchmill.costs.rows import cost_table, split, without


@dataclass(frozen=True, kw_only=True)
class Options(options.OfSolverRuns):
    """Settings of a measure of this kind."""

    quantity: Literal["cost", "rate", "nodes", "iterations", "runtime_s", "wrong", "value"] = option(
        """The cost of a run: what the source states (its time); for a `rate`, which is better when larger, 1 / what it states,
        0 being a failure; for a solver run also its nodes or iterations, its wall time where the source states that beside the
        cost (`runtime_s`), whether its answer is wrong (`wrong`, 1 or 0), or the objective value that it found (`value`,
        negated where larger is better; infinite if there is none). Leave the last two out of the `measures` of profiles, which
        need costs above 0.""",
        "cost",
    )
    aggregate: Literal["mean", "median", "single", "ert", "success_performance"] = option(options.AGGREGATE, "mean")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.quantity == "rate" and self.aggregate in ("ert", "success_performance"):
            raise UserError(
                f"aggregate is {self.aggregate}, but the costs are rates, which are not spent; choose mean, median or single."
            )

    @property
    def usual_shift(self) -> float:
        """Return 10 (seconds) of costs as stated and of wall times, 1 of what is counted."""
        return 10.0 if self.quantity in ("cost", "rate", "runtime_s") else 1.0


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Return the stated costs, a row a trial; a summary that states its successes has a row of these and one of the failures."""
    check_numbering(trials)
    if options.quantity in ("wrong", "value"):
        wrong = schema.says(trials, "outcome", "wrong")
        value = schema.floats(trials, "best_value") * np.where(schema.flags(trials, "maximise"), -1.0, 1.0)
        stated = wrong.astype(float) if options.quantity == "wrong" else np.where(wrong | np.isnan(value), np.inf, value)
        if np.isinf(stated).any():
            source, problem = place(trials, int(np.isinf(stated).argmax()))
            warnings.warn(
                f"{source}: runs without an objective value, or with a wrong answer, count as failures of measure {measure!r}: "
                f"{np.isinf(stated).sum()} of {stated.size}, the first on {problem}.",
                stacklevel=2,
            )
        return cost_table(without(trials, "cost_sd"), stated[:, None], measure)
    if options.quantity not in ("cost", "rate"):
        # what is counted in a solved run
        number = trials[options.quantity].cast(pa.float64())
        cost = np.where(schema.says(trials, "status", "solved"), number.to_numpy(zero_copy_only=False), np.inf)
        refuse(
            trials,
            np.isnan(cost),
            measure,
            "the solved run on {problem} states no {quantity}, which measure {measure!r} counts; use quantity: cost, or sources "
            "that state them",
            quantity=options.quantity,
        )
        return schema.replaced(
            cost_table(without(trials, "cost_sd"), cost[:, None], measure, spent=number), crashed=limits.crashed(trials)
        )
    cost = schema.floats(trials, "cost")
    refuse(
        trials,
        np.isnan(cost) | np.isneginf(cost),
        measure,
        "{problem} has no stated cost, which measure {measure!r} of kind 'given' needs; state a number or inf, or use kind: "
        "fixed_target or fixed_budget on its trace",
    )
    if options.quantity == "rate":
        # what failed by its outcome has no rate, and a table of what is better when larger says inf of its failures too
        failed = schema.flags(trials, "maximise") | np.asarray(trials["outcome"].is_valid(), bool)
        failed &= np.isinf(cost) & ~schema.says(trials, "status", "solved")
        wrong = ((cost < 0) | np.isinf(cost)) & ~failed
        refuse(
            trials,
            wrong,
            measure,
            "{problem} states {cost[0]:g} for measure {measure!r}, whose reciprocal is the cost; expected a finite number >= 0 "
            "where 0 is a failure",
            cost=cost[wrong],
        )
        cost = np.where(failed | (cost == 0), np.inf, ratios(1.0, cost))
        trials = without(trials, "cost_sd")
    # A solver's time, which has an outcome, is better when smaller whatever the direction of the model that it solved.
    else:
        refuse(
            trials,
            schema.flags(trials, "maximise") & np.asarray(trials["outcome"].is_null(), bool),
            measure,
            "larger is better on {problem}, but costs are minimised; set quantity: rate for measure {measure!r} or give costs "
            "that are better when smaller",
        )
        # a rate, on the other hand, is one over all runs
        trials, cost = split(trials, cost, schema.floats(trials, "n_successes"))
    table = cost_table(
        trials,
        cost[:, None],
        measure,
        spent=pc.coalesce(trials["cost_budget"], trials["budget"].cast(pa.float64())),
    )
    return (
        table
        if options.quantity == "rate"
        else schema.replaced(table, limit=limits.shown(trials), crashed=limits.crashed(trials))
    )


ENTRIES = options.kinds(__file__, given=(costs, Options))
