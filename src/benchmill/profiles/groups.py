"""The profiles that a table of ratios makes: one matrix of ratios for each value of the keys they are split by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, problem_values
from benchmill.core.errors import UserError
from benchmill.core.limits import Ends
from benchmill.profiles.options import Options

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

#: What tells the problems of a table of ratios apart.
ROW_KEYS = list(problem_values.KEYS)


@dataclass(frozen=True)
class Group:
    """One profile.

    Attributes
    ----------
    keys : dict
        `dimension` and `target` of the profile; None where pooled.
    problems : pyarrow.Table
        Keys, target and budget of each problem.
    tau_max : float
        Right end; 1 where no ratio is finite.
    n_unsolved : int
        Problems that no algorithm solves, kept or dropped.
    n_stopped : (n_algorithms,) array of int
        Problems on which an algorithm fails that has spent less than another one takes.
    n_late : (n_algorithms,) array of int
        Problems on which runs of it succeeded after the common limit, and count as failed.
    """

    keys: dict[str, Any]
    algorithms: list[str]
    problems: pa.Table
    ratios: npt.NDArray[np.float64]
    costs: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64] | None
    tau_max: float
    n_unsolved: int
    n_stopped: npt.NDArray[np.int64]
    n_late: npt.NDArray[np.int64]


def groups(ratios: pa.Table, measure: str, options: Options | None = None) -> list[Group]:
    """Split the included rows of a measure by the options `by`, `weights`, `weights_table`, `tau_max` and `unsolved`."""
    options = options or Options()
    if options.groups is not None:
        raise UserError("profiles: `groups` are for a study, which makes a profile of each; give `problems` for one of them.")
    of_measure = keys.of_measure(ratios, measure)
    data = of_measure.filter(of_measure.column("included"))
    if not of_measure.num_rows:
        raise UserError(f"measure {measure!r}: there are no ratios of it; check its name.")
    if not data.num_rows:
        raise UserError(
            f"measure {measure!r}: there is no problem on which every algorithm has a trial, so there is no profile; set "
            "missing: failure, or leave out the algorithms with few problems."
        )
    if options.problems is not None:
        data = data.filter(pc.is_in(data.column("problem").cast(pa.string()), pa.array(options.problems)))
        if not data.num_rows:
            what = f"the group {options.of_group!r}" if options.of_group else "`problems`"
            raise UserError(
                f"measure {measure!r}: no problem on which every algorithm has a trial is in {what} of a profile; "
                "leave the group out, or correct its names of problems."
            )
    listed = None
    if options.weights_table is not None:
        listed = problem_values.ProblemValues(options.weights_table, [options.weights or ""], "weights_table")
    split = [name for name in ("dimension", "target") if name in options.by]
    pooled = {"dimension": None, "target": None}
    if not split:
        return [_group(pooled, data, measure, options, listed)]
    of_group, distinct = keys.cells(data, split)
    order, offsets = keys.starts(of_group, distinct.num_rows)
    return [
        _group({**pooled, **group_keys}, data.take(pa.array(order[start:end])), measure, options, listed)
        for group_keys, start, end in zip(distinct.to_pylist(), offsets[:-1], offsets[1:], strict=True)
    ]


def _group(
    group_keys: dict[str, Any],
    rows: pa.Table,
    measure: str,
    options: Options,
    listed: problem_values.ProblemValues | None,
) -> Group:
    problem, problems = keys.cells(rows, ROW_KEYS)
    algorithm, algorithms = keys.cells(rows, ["algorithm"])
    shape = (algorithms.num_rows, problems.num_rows)
    matrix = np.full(shape, np.nan)
    matrix[algorithm, problem] = rows.column("ratio").to_numpy()
    costs = np.full(shape, np.inf)
    costs[algorithm, problem] = rows.column("cost").to_numpy()
    spent = np.full(shape, np.nan)
    spent[algorithm, problem] = rows.column("spent").to_numpy(zero_copy_only=False)
    if rows.num_rows != matrix.size or np.isnan(matrix).any():
        raise UserError(
            f"measure {measure!r}: the ratios are not one per algorithm and included problem; make them again from the costs."
        )
    nobody = np.isinf(matrix).all(axis=0)
    kept = ~nobody if options.unsolved == "drop" else np.ones(shape[1], bool)
    if not kept.any():
        raise UserError(f"measure {measure!r}: no algorithm solves any problem, and unsolved is drop; set unsolved: keep.")
    weights, weight = options.weights, None
    if weights not in (None, "equal"):
        if listed is not None:
            weight = listed.of(problems.to_pylist(), f"measure {measure!r}")[kept, 0]
        elif weights == "median_cost":
            with np.errstate(invalid="ignore"):
                weight = np.median(costs, axis=0)[kept]
        else:
            weight = np.empty(shape[1])
            weight[problem] = _weight_column(rows, str(weights), measure)
            weight = weight[kept]
        if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
            raise UserError(
                f"measure {measure!r}: weights are {weights!r}, which is empty, negative or infinite on a problem; choose "
                "another column, or set unsolved: drop if the problems that no algorithm solves have no weight."
            )
    matrix = matrix[:, kept]
    finite = matrix[np.isfinite(matrix)]
    end = float(options.tau_max) if options.tau_max is not None else float(finite.max(initial=1.0))
    names = algorithms.column("algorithm").to_pylist()
    stopped, late = stopped_and_late(costs, spent, rows, algorithm)
    return Group(
        group_keys, names, problems.filter(pa.array(kept)), matrix, costs[:, kept], weight, end, int(nobody.sum()), stopped, late
    )


def stopped_and_late(costs: Array, spent: Array, rows: pa.Table, algorithm: Index) -> tuple[Index, Index]:
    """Count the problems on which each algorithm was stopped before another succeeded, or succeeded after the common limit."""
    late = np.bincount(algorithm, pc.greater(rows.column("n_late"), 0).fill_null(False).to_numpy(), minlength=len(costs))
    return Ends.of(costs.T[:, :, None], spent.T[:, :, None]).early.sum(axis=0), late.astype(int)


def _weight_column(rows: pa.Table, name: str, measure: str) -> npt.NDArray[np.float64]:
    allowed = ("dimension", "baseline", "target", "at_budget")
    if name not in allowed:
        raise UserError(
            f"measure {measure!r}: weights are {name!r}, expected 'equal' or one of {', '.join(allowed)}, median_cost; for "
            "weights "
            "of your own give `weights_table`, a CSV file, and `weights`, the name of its column."
        )
    return np.asarray(rows.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False), float)
