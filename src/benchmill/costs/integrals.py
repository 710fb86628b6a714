r"""Integrals of gaps over the trajectories of solver runs: the primal, the dual and the primal-dual integral.

The best value and the bound of a run are step functions of time, from the moment on at which its log states them. What is
integrated is Berthold's gap (2013) of a value u and a bound l below it, min(1, (u - l) / max(\|u\|, \|l\|)), 0 if u <= l, 1 if
one of them is not there yet. T. Berthold, Operations Research Letters 41(6), 2013, pp. 611-614; with `half_life` T. Berthold, Z.
Csizmadia, Mathematical Programming 188, 2021, pp. 523-537.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, Index, Mask, schema
from benchmill.core.options import option
from benchmill.core.traces import Traces, check_numbering, refuse
from benchmill.costs import options
from benchmill.costs.rows import cost_table


@dataclass(frozen=True, kw_only=True)
class Options(options.OfSolverRuns):
    """Settings of a measure that is an integral."""

    until: float | None = option(
        """End of the integral, in seconds. By default the time limit of each run, which only runs that fail need. No run may
        have failed at a shorter limit, because nobody knows what it would have found later.""",
        None,
        exclusiveMinimum=0,
    )
    half_life: float | None = option(
        """Seconds in which the weight of a moment halves (confined integral), so that early solutions count more and the time
        limit hardly matters. By default all moments weigh the same.""",
        None,
        exclusiveMinimum=0,
    )
    aggregate: Literal["mean", "median", "single"] = option(options.AGGREGATE, "mean")


class Trajectories(NamedTuple):
    """The trajectories of all trials: a row for each stretch of time, (n_rows,), in which nothing changes.

    `trial` ascends, and the stretches of a trial follow each other from 0 to its horizon. Values and bounds are as minimised, inf
    for no value and -inf for no bound.
    """

    trial: Index
    begin: Array
    end: Array
    value: Array
    bound: Array


def costs(kind: str, trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Integrate the gap of a kind over the trajectory of each trial.

    `primal`: between the best value and the best-known one, 1 before the first solution, 0 beyond the best-known. `dual`: between
    the best-known value and the bound, 1 before the first bound, 0 at or beyond the best-known. `primal_dual`: between the best
    value and the bound, 1 as long as one is missing, as SCIP and Xpress print it.
    """
    traced = trajectories(trials, measure, options)
    known = traced.value if kind == "primal_dual" else reference(trials, measure)[traced.trial]
    upper, lower = known if kind == "dual" else traced.value, known if kind == "primal" else traced.bound
    return cost_table(trials, integral(traced, gap(upper, lower), trials.num_rows, options.half_life)[:, None], measure)


def gap(upper: ArrayLike, lower: ArrayLike) -> Array:
    """Return Berthold's gap, from 0 to 1, between values (inf for none) and bounds below them (-inf for none), as minimised."""
    u, low = np.broadcast_arrays(np.asarray(upper, float), np.asarray(lower, float))
    there = np.isfinite(u) & np.isfinite(low) & (u > low)
    a, b = np.where(there, u, 1.0), np.where(there, low, 0.0)
    return np.where(there, np.minimum(1.0, (a - b) / np.maximum(np.abs(a), np.abs(b))), (u > low).astype(float))


def trajectories(trials: pa.Table, measure: str, options: Options) -> Trajectories:
    """Return the trajectories of the trials of a source, up to where they are integrated.

    A run that fails before its limit, as by a crash, keeps what it had up to the limit; one that is solved ends when it ends. A
    run whose answer is `wrong` has neither values nor bounds. A `UserError` where a run has no trajectory, or failed with an
    unknown time limit or one before `until`.
    """
    check_numbering(trials)
    _check(
        trials,
        ~np.asarray(trials["course_s"].is_valid(), bool),
        measure,
        "{problem} has no trajectory of values and bounds over time, which measure {measure!r} integrates; use sources with logs "
        "or solvetrace files of these runs, or leave it out with `exclude`",
    )
    until = _horizon(trials, measure, options.until)
    moments = [trials[name].combine_chunks() for name in ("course_s", "course_value", "course_bound")]
    sizes = pc.list_value_length(moments[0]).to_numpy(zero_copy_only=False).astype(np.int64)
    seconds, value, bound = (column.flatten().to_numpy(zero_copy_only=False).astype(float) for column in moments)
    # before its first moment a trial has nothing
    first, numbers = np.cumsum(sizes) - sizes, np.arange(trials.num_rows)
    trial = np.insert(np.repeat(numbers, sizes), first, numbers)
    begin = np.insert(seconds, first, 0.0)
    sign = np.where(schema.flags(trials, "maximise"), -1.0, 1.0)[trial]
    value, bound = (sign * np.insert(values, first, np.nan) for values in (value, bound))
    wrong = schema.says(trials, "outcome", "wrong")[trial]
    value, bound = np.where(wrong | np.isnan(value), np.inf, value), np.where(wrong | np.isnan(bound), -np.inf, bound)
    end = np.append(begin[1:], 0.0)
    end[np.append(trial[1:] != trial[:-1], True)[: trial.size]] = until
    return Trajectories(trial, np.minimum(begin, until[trial]), np.minimum(end, until[trial]), value, bound)


def integral(over: Trajectories, height: Array, n_trials: int, half_life: float | None) -> Array:
    """Return the integral, in seconds, of a step function over the trajectory of each trial, (n_trials,).

    With a half-life of h seconds a moment t has the weight 2^(-t/h).
    """
    if half_life is None:
        width = over.end - over.begin
    else:
        rate = np.log(2) / half_life
        # the difference of two exponentials, without losing the digits of short stretches
        width = np.exp(-rate * over.begin) * -np.expm1(-rate * (over.end - over.begin)) / rate
    return np.asarray(np.bincount(over.trial, height * width, minlength=n_trials), float)


def reference(trials: pa.Table, measure: str) -> Array:
    """Return the best-known value of the problem of each trial, as minimised; it is an error where none is known."""
    known = schema.floats(trials, "optimum")
    _check(
        trials,
        np.isnan(known),
        measure,
        "no finite best-known value of {problem} is known, with which measure {measure!r} compares; state it in "
        "a `.solu` list (`best_known` in the source's entry), or leave the problem out with `exclude`",
    )
    return np.where(schema.flags(trials, "maximise"), -known, known)


def _horizon(trials: pa.Table, measure: str, until: float | None) -> Array:
    """Return up to where each trial is integrated: to its end if it is solved."""
    solved = schema.says(trials, "status", "solved")
    time, limit = (schema.floats(trials, name) for name in ("runtime_s", "time_limit_s"))
    _check(
        trials,
        solved & np.isnan(time),
        measure,
        "the solved run on {problem} does not state its time, which measure {measure!r} needs; leave it out with `exclude`",
    )
    limit = np.where(np.isnan(limit) & schema.says(trials, "outcome", "time_limit"), time, limit)
    if until is None:
        _check(
            trials,
            ~solved & np.isnan(limit),
            measure,
            "the run on {problem} failed, and its time limit is not known, up to which measure "
            "{measure!r} integrates; state `time_limit` in the source's entry, or `until` for the measure",
        )
        return np.where(solved, time, limit)
    _check(
        trials,
        ~solved & (limit < until),
        measure,
        "the run on {problem} failed at a time limit before `until` of measure {measure!r}; set `until` to the shortest time "
        "limit or less",
    )
    return np.where(solved, np.fmin(time, until), until)


def _check(trials: pa.Table, wrong: Mask, measure: str, message: str) -> None:
    others = f" ({wrong.sum()} such runs in this source)" if wrong.sum() > 1 else ""
    what, _, advice = message.partition("; ")
    refuse(trials, wrong, measure, f"{what}{others}; {advice}")


ENTRIES = options.kinds(
    __file__, **{f"{kind}_integral": (partial(costs, kind), Options) for kind in ("primal", "dual", "primal_dual")}
)
