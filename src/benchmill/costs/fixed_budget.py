"""Fixed budget: the value a trial has reached after a number of evaluations (horizontal reading of a convergence graph)."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, UserError, keys, schema
from benchmill.core.best_so_far import running_minimum
from benchmill.core.options import option
from benchmill.core.traces import (
    SCALE,
    Scale,
    Traces,
    are_distances,
    check_scale,
    check_traced,
    larger_is_better,
    pieces,
    place,
    refuse,
)
from benchmill.costs import options
from benchmill.costs.rows import cost_table
from benchmill.registry.measures import Budgets, amounts

_AMOUNTS: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "uniqueItems": True,
    "items": {"type": "number", "exclusiveMinimum": 0},
}


@dataclass(frozen=True, kw_only=True)
class Options(options.Options):
    """Settings of a measure of this kind.

    Where it is `described` the cost of values that are maximised is the negated value, and the column `larger` says so: enough
    for statistics and for ranks, while ratios need positive costs.
    """

    budgets: Budgets = option(
        """Budgets at which the best value is read: multiples of the dimension, as `[100, 1000]`, or evaluations, as
        `{evaluations: [1000, 5000]}`.""",
        oneOf=[
            _AMOUNTS,
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["evaluations"],
                "properties": {"evaluations": _AMOUNTS},
            },
        ],
    )
    scale: Scale = option(SCALE, "logged")
    floor: float | None = option(options.FLOOR, None, exclusiveMinimum=0)
    shift: float = option(options.SHIFT, 0.0, minimum=0)
    aggregate: Literal["mean", "median", "single"] = option(options.AGGREGATE, "median")

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = np.asarray(amounts(self.budgets), float).ravel()
        if not wanted.size or not (wanted > 0).all() or np.unique(wanted).size < wanted.size:
            raise UserError(f"budgets are {list(amounts(self.budgets))}, expected one or more positive numbers, none twice.")


def values_at(offsets: ArrayLike, evaluations: ArrayLike, values: ArrayLike, budgets: ArrayLike) -> Array:
    """Return the smallest value recorded at or before each budget, (n_trials, n_budgets); NaN before the first row of a trial."""
    bounds, e, b = np.asarray(offsets, np.int64), np.asarray(evaluations, np.int64), np.asarray(budgets, float)
    trial = keys.of_rows(bounds)
    e = e[bounds[0] : bounds[-1]]
    v = np.append(running_minimum(trial, np.asarray(values, float)[bounds[0] : bounds[-1]]), np.nan)
    recorded = np.stack([np.bincount(trial[e <= budget[trial]], minlength=bounds.size - 1) for budget in b.T], axis=1)
    return v[np.where(recorded > 0, bounds[:-1, None] - bounds[0] + recorded - 1, v.size - 1)]


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Return the best value at each budget, `at_budget` as given, for every trial of one source."""
    wanted, scale = np.asarray(amounts(options.budgets), float).ravel(), options.scale
    floor = -np.inf if options.floor is None else options.floor
    check_scale(trials, scale, measure)
    larger = larger_is_better(trials, scale)
    refuse(
        trials,
        larger & (options.floor is not None or not options.described),
        measure,
        "larger values are better on {problem}, but costs are minimised; set scale: distance for measure {measure!r} (the "
        "optimum must be known)",
    )
    allowed = np.tile(wanted, (trials.num_rows, 1))
    if not isinstance(options.budgets, Mapping):
        dimension = schema.floats(trials, "dimension")
        refuse(
            trials,
            np.isnan(dimension),
            measure,
            "{problem} has no dimension, so measure {measure!r} cannot have budgets per dimension; say `{{evaluations: [...]}}`",
        )
        allowed *= dimension[:, None]
        # a product such as 0.1 * 30 must not fall short of the whole number it stands for
        allowed = np.where(np.isclose(allowed, np.round(allowed), rtol=1e-12, atol=0), np.round(allowed), allowed)
    cost = np.full(allowed.shape, np.nan)
    has_rows = np.zeros(trials.num_rows, bool)
    for piece in pieces(traces if traces is not None else [], trials, scale, on_target=False):
        has_rows[piece.trial] = True
        value = np.where(np.repeat(larger[piece.trial], np.diff(piece.offsets)), -piece.value, piece.value)
        cost[piece.trial] = np.fmin(values_at(piece.offsets, piece.evaluations, value, allowed[piece.trial]), cost[piece.trial])
    check_traced(trials, has_rows, measure)
    early = np.isnan(cost) & has_rows[:, None]
    if early.any():
        trial, at = np.argwhere(early)[0].tolist()
        source, problem = place(trials, trial)
        warnings.warn(
            f"{source}: nothing is recorded of {problem} up to the budget {wanted[at]:g} of measure {measure!r}; this and "
            f"{early.sum() - 1} more such values count as failures.",
            stacklevel=2,
        )
    cost = np.where(np.isnan(cost), np.inf, cost)
    floored = cost < floor
    tied = floored & ~are_distances(trials, scale)[:, None]
    if tied.any():
        trial, at = np.argwhere(tied)[0].tolist()
        source, problem = place(trials, trial)
        raise UserError(
            f"{source}: the value of {problem} at the budget {wanted[at]:g} is {cost[trial, at]:g} and no distance to an "
            f"optimum; the floor {floor:g} of measure {measure!r} would make {tied.sum()} different values of this source "
            "equal. Leave `floor` out; profiles of such values need `shift` (a number added to every cost) or scale: distance "
            "(to the optimum, or to the best value that `best_known` of the study names for each problem), or set "
            "`profiles: []`: ranks and tests take values as they are."
        )
    return cost_table(trials, np.maximum(cost, floor), measure, at_budgets=wanted, larger=larger, floored=floored)


ENTRIES = options.kinds(__file__, fixed_budget=(costs, Options))
