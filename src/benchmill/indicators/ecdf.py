"""Empirical distribution of running times, aggregated over targets, problems and dimensions; exact, without a grid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import keys, schema, step_functions
from benchmill.errors import UserError

#: Aggregation -> keys that tell the curves apart (beside the algorithm).
AGGREGATIONS = {
    "target": ["suite", "problem", "dimension"],
    "problem": ["suite", "dimension"],
    "dimension": ["suite"],
}
_PART = ["suite", "problem", "dimension", "target"]

#: Columns of the table `costs` that `ecdf` needs.
COLUMNS = ["suite", "problem", "dimension", "instance", "algorithm", "measure", "target", "cost"]


def ecdf(
    costs: pa.Table | Sequence[pa.Table],
    *,
    aggregation: str,
    x: str = "evaluations_per_dimension",
    weight: str = "target",
) -> pa.Table:
    """Share of (problem, target) pairs that each algorithm has solved after a number of evaluations.

    IOHprofiler, "Selected performance indicators": the mean over targets (and problems) of the distribution functions
    of the running time. The pairs weigh the same whatever their numbers of trials. Failures never count and
    stay in the denominator.

    Parameters
    ----------
    costs : pyarrow.Table or sequence of pyarrow.Table
        Tables `costs` of one fixed-target measure, of any number of algorithms. Several tables are put together.
    aggregation : {"target", "problem", "dimension"}
        What is averaged over: the targets of a problem; also the problems (a curve per suite and dimension); also the
        dimensions (a curve per suite).
    x : {"evaluations_per_dimension", "evaluations"}
        Unit of the running time.
    weight : {"target", "instance"}
        How the trials of a pair weigh: all the same, or each instance the same and within it each trial the same.

    Returns
    -------
    pyarrow.Table
        Table `ecdf`, by curve, algorithm, x. Only problems on which every algorithm of the curve's panel has trials enter;
        `left_out` lists the others. An algorithm that solves nothing has one row: fraction 0 after one evaluation.

    Raises
    ------
    UserError
        The costs are not those of one fixed-target measure, a dimension is unknown, or a setting is not one of the above.
    """
    if x not in ("evaluations_per_dimension", "evaluations"):
        raise UserError(f"ecdf: x is {x!r}, expected 'evaluations_per_dimension' or 'evaluations'.")
    if weight not in ("target", "instance"):
        raise UserError(f"ecdf: weight is {weight!r}, expected 'target' or 'instance'.")
    data = _fixed_target(costs, aggregation)
    data = data.filter(pa.array(_common(data, aggregation)[0]))
    time = data.column("cost").to_numpy()
    scale = np.ones(data.num_rows)
    if x == "evaluations_per_dimension":
        scale = data.column("dimension").cast(pa.float64()).to_numpy(zero_copy_only=False)
        if np.isnan(scale).any():
            problem = data.column("problem")[int(np.argmax(np.isnan(scale)))].as_py()
            raise UserError(f"ecdf: problem {problem} has no dimension to divide evaluations by; set x: evaluations.")
    time, one_evaluation = time / scale, 1.0 / scale
    share = _shares(data, weight)
    curve_keys = [*AGGREGATIONS[aggregation], "algorithm"]
    curve, curves = keys.cells(data, curve_keys)
    order, offsets = keys.starts(curve, curves.num_rows)
    points: list[npt.NDArray[np.float64]] = []
    heights: list[npt.NDArray[np.float64]] = []
    for start, end in pairwise(offsets):
        rows = order[start:end]
        at, fraction = step_functions.ecdf(time[rows], share[rows])
        points.append(at if at.size else one_evaluation[rows].min(keepdims=True))
        heights.append(fraction if at.size else np.zeros(1))
    index = pa.array(np.repeat(np.arange(curves.num_rows), [p.size for p in points]))
    return schema.table(
        "ecdf",
        {
            "aggregation": [aggregation] * len(index),
            **{name: curves.column(name).take(index) for name in curve_keys},
            "x": np.concatenate([*points, np.empty(0)]),
            "fraction": np.concatenate([*heights, np.empty(0)]),
        },
    )


def left_out(costs: pa.Table | Sequence[pa.Table], *, aggregation: str) -> list[dict[str, Any]]:
    """Problems that `ecdf` leaves out because an algorithm of the same panel has no trial on them.

    A panel is a suite and dimension (a suite for the aggregation over dimensions) with every algorithm that has a trial in it.

    Returns
    -------
    list of dict
        Per panel that loses problems: its keys, `n_problems` (with any trial), `n_left_out`, and `problems` left out as
        (problem, dimension, algorithms without a trial); natural order.
    """
    data = _fixed_target(costs, aggregation)
    return _common(data, aggregation)[1]


def _fixed_target(costs: pa.Table | Sequence[pa.Table], aggregation: str) -> pa.Table:
    if aggregation not in AGGREGATIONS:
        raise UserError(f"ecdf: aggregation is {aggregation!r}, expected one of {', '.join(AGGREGATIONS)}.")
    data = costs if isinstance(costs, pa.Table) else schema.concatenate(costs)
    measures = pc.unique(data.column("measure").cast(pa.string())).to_pylist()
    if len(measures) > 1:
        raise UserError(f"ecdf: the costs are of the measures {', '.join(measures)}, expected one measure.")
    if data.column("target").null_count:
        raise UserError(
            f"ecdf: the costs of measure {measures[0]!r} have no target; an ECDF of running times needs "
            "a measure of kind fixed_target."
        )
    return data


def _common(data: pa.Table, aggregation: str) -> tuple[npt.NDArray[np.bool_], list[dict[str, Any]]]:
    """Whether each row belongs to a problem (and target) common to its panel, and what does not."""
    panel_keys = [name for name in AGGREGATIONS["problem"] if aggregation != "dimension" or name != "dimension"]
    part, parts = keys.cells(data, _PART)
    algorithm, algorithms = keys.cells(data, ["algorithm"])
    panel_of_row, panels = keys.cells(data, panel_keys)
    panel_of_part = np.zeros(parts.num_rows, np.int64)
    panel_of_part[part] = panel_of_row
    has = np.zeros((parts.num_rows, algorithms.num_rows), bool)
    has[part, algorithm] = True
    in_panel = np.zeros((panels.num_rows, algorithms.num_rows), bool)
    in_panel[panel_of_row, algorithm] = True
    without = in_panel[panel_of_part] & ~has
    lost = np.asarray(without.any(axis=1), bool)
    names = algorithms.column("algorithm").to_pylist()
    problem_of_part, problems = keys.cells(parts, ["suite", "problem", "dimension"])
    report = []
    for number in np.unique(panel_of_part[lost]):
        here = panel_of_part == number
        listed = []
        for problem in np.unique(problem_of_part[here & lost]):
            absent = np.asarray(without[here & lost & (problem_of_part == problem)].any(axis=0), bool)
            row = problems.slice(int(problem), 1).to_pylist()[0]
            listed.append(
                {
                    "problem": row["problem"],
                    "dimension": row["dimension"],
                    "algorithms": [name for name, a in zip(names, absent, strict=True) if a],
                }
            )
        report.append(
            {
                **panels.slice(int(number), 1).to_pylist()[0],
                "n_problems": int(np.unique(problem_of_part[here]).size),
                "n_left_out": len(listed),
                "problems": listed,
            }
        )
    return ~lost[part], report


def _shares(data: pa.Table, weight: str) -> npt.NDArray[np.float64]:
    """Weight of each row: 1 shared by the trials (or instances) of its algorithm on its problem and target."""
    levels = [[*_PART, "algorithm"]] + ([[*_PART, "algorithm", "instance"]] if weight == "instance" else [])
    share = np.ones(data.num_rows)
    codes = [keys.cells(data, level)[0] for level in levels]
    if weight == "target":
        return share / np.bincount(codes[0])[codes[0]]
    outer, inner = codes
    of_instance = np.zeros(int(inner.max(initial=-1)) + 1, np.int64)
    of_instance[inner] = outer
    n_instances = np.bincount(of_instance)
    return share / np.bincount(inner)[inner] / n_instances[outer]
