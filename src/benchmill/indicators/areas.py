"""Counts behind an ECDF curve (trials, problems, targets), and the area under it between stated limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, schema, step_functions
from benchmill.core.arrays import Index
from benchmill.core.errors import UserError
from benchmill.indicators.ecdf import BUDGET_RULE, UNITS, USUAL, Options, Pairs, members, pairs, rows_of, scale
from benchmill.indicators.job import missing

_PROBLEM = ["suite", "problem", "dimension"]


def normalised_area(steps: step_functions.Steps, start: float, end: float, *, log: bool = False) -> float:
    """Return the mean height of a curve between two limits, over x or over log x, exactly: the area divided by the width."""
    if not (math.isfinite(start) and math.isfinite(end) and start < end and (start > 0 or not log)):
        raise UserError(
            f"area: the limits are {start:g} and {end:g}, expected two numbers in ascending order (above 0 on a log axis)."
        )
    if not log:
        return step_functions.area(steps, start, end) / (end - start)
    x, y = steps
    a, b = math.log10(start), math.log10(end)
    return step_functions.area((np.log10(np.maximum(x, start)), y), a, b) / (b - a)


def ecdf_curves(
    curves: pa.Table,
    costs: Sequence[pa.Table] | Pairs,
    aggregation: str,
    options: Options = USUAL,
    reports: Sequence[Mapping[str, Any]] = (),
) -> pa.Table:
    """Return the table `ecdf_curves`, a row per curve: the data behind it, the share it reaches, and the area under it."""
    of = pairs(costs)
    described = _described(curves, of, aggregation, options.groups, reports)
    start, end = limits(of, options)
    steps = _steps(curves)
    return schema.table(
        "ecdf_curves",
        {
            **described,
            "budget_median": _median_budgets(of, aggregation, options),
            "solved": np.array([y[-1] for _, y in steps]),
            "area": np.array([normalised_area(curve, start, end) for curve in steps]),
            "area_log": np.array([normalised_area(curve, start, end, log=True) for curve in steps]),
            "x_from": start,
            "x_to": end,
            "x_unit": UNITS[options.x],
            "weight": options.weight,
            "restarts": options.restarts,
        },
    )


def _median_budgets(of: Pairs, aggregation: str, options: Options) -> pa.Array:
    """Return the median budget of the trials behind each curve, in the unit of x; null where one is unknown."""
    import pandas as pd

    own = members(of.keys, aggregation, options.groups)
    rows, curve, _ = rows_of(own, of.pair)
    trial = keys.numbers(of.costs, ["trial"], within=keys.numbers(of.keys, _PROBLEM)[of.pair])
    spent = schema.floats(of.costs, "budget") / scale(of.costs, options.x)
    behind = pd.DataFrame({"curve": curve, "trial": trial[rows], "spent": spent[rows]}).drop_duplicates(["curve", "trial"])
    found = behind.groupby("curve")["spent"].agg(["median", "count", "size"])
    known = found["count"] == found["size"]
    return pa.array(found["median"].where(known).reindex(range(own.keys.num_rows)), pa.float64(), from_pandas=True)


def value_ecdf_curves(
    curves: pa.Table,
    costs: Sequence[pa.Table] | Pairs,
    aggregation: str,
    options: Options = USUAL,
    reports: Sequence[Mapping[str, Any]] = (),
) -> pa.Table:
    """Return one row per curve of `value_ecdf`: the data behind it and the share of pairs with any value; see `ecdf_curves`."""
    described = _described(curves, costs, aggregation, options.groups, reports)
    steps = _steps(curves)
    return schema.table(
        "value_ecdf_curves",
        {**described, "recorded": np.array([y[-1] for _, y in steps]), "weight": options.weight},
    )


def _steps(curves: pa.Table) -> list[step_functions.Steps]:
    x, y = (curves.column(name).to_numpy() for name in ("x", "fraction"))
    return [(x[start:end], y[start:end]) for start, end in pairwise(offsets_of(curves))]


def offsets_of(curves: pa.Table) -> Index:
    """Return the rows `offsets[i]` to `offsets[i + 1]` of a table `ecdf` are of curve i."""
    code = keys.numbers(curves, _key_names(curves))
    return np.concatenate([[0], np.flatnonzero(code[1:] != code[:-1]) + 1, np.full(min(code.size, 1), code.size)]).astype(
        np.int64
    )


def _key_names(curves: pa.Table) -> list[str]:
    end = curves.column_names.index("algorithm")
    return [str(name) for name in curves.column_names[1 : end + 1]]


def limits(of: Pairs, options: Options) -> tuple[float, float]:
    """Return where areas begin and end, in the unit of x."""
    start, end = (options.area.get(key) for key in ("from", "to"))
    start = 1.0 if start is None else start
    if end is not None:
        return start, end
    costs = of.costs
    spent = pc.if_else(pc.is_finite(costs.column("cost")), costs.column("cost"), pa.scalar(0.0)).to_numpy()
    spent = np.fmax(spent, schema.floats(costs, "budget")) / scale(costs, options.x)
    return start, max(start * 10, float(np.nanmax(spent, initial=0.0)))


def _described(
    curves: pa.Table,
    costs: Sequence[pa.Table] | Pairs,
    aggregation: str,
    groups: Mapping[str, Sequence[str]] | str | None,
    reports: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the keys and counts of each curve."""
    of = pairs(costs)
    level = "at_budget" if "at_budget" in curves.column_names else "target"
    own = members(of.keys, aggregation, groups)
    found = own.keys
    names = [name for name in _key_names(curves) if name in found.column_names]
    problem, levels = keys.numbers(of.keys, _PROBLEM), keys.numbers(of.keys, [level])
    value = of.keys.column(level).to_numpy()[own.rows]
    smallest, largest = np.full(found.num_rows, np.inf), np.full(found.num_rows, -np.inf)
    np.minimum.at(smallest, own.curve, value)
    np.maximum.at(largest, own.curve, value)
    rows, curve, _ = rows_of(own, of.pair)
    of_problem = problem[of.pair]
    trial, instance = (keys.numbers(of.costs, [name], within=of_problem)[rows] for name in ("trial", "instance"))
    word = "budget" if level == "at_budget" else "target"
    of_keys = [name for name in names if name != level]
    return {
        "aggregation": aggregation,
        **{name: found.column(name) for name in names},
        "n_problems": keys.count_distinct(own.curve, problem[own.rows], found.num_rows).astype(np.int32),
        f"n_{word}s": keys.count_distinct(own.curve, levels[own.rows], found.num_rows).astype(np.int32),
        f"{word}_largest": largest,
        f"{word}_smallest": smallest,
        "n_trials": keys.count_distinct(curve, trial, found.num_rows).astype(np.int32),
        "n_instances": keys.count_distinct(curve, instance, found.num_rows).astype(np.int32),
        "n_missing": missing(found, of_keys, of.sources(), reports, groups),
        "budget_rule": BUDGET_RULE,
    }
