"""Blocks by treatments: the matrix of costs that rank tests work on, out of a table of ratios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import keys
from benchmill.errors import UserError

_BLOCK_KEYS = ["suite", "problem", "dimension", "instance"]


@dataclass(frozen=True)
class Blocks:
    """The problems of one target or budget.

    Attributes
    ----------
    target, at_budget : float or None
    algorithms : list of str
        Natural order; the columns of `costs`.
    costs : (n_blocks, n_treatments) array
        Included problems only; inf = failure.
    n_left_out : int
        Problems left out because an algorithm has no trial on them.
    """

    target: float | None
    at_budget: float | None
    algorithms: list[str]
    costs: npt.NDArray[np.float64]
    n_left_out: int


def blocks(ratios: pa.Table, measure: str) -> list[Blocks]:
    """Split the ratios of a measure by target and budget, in the order of the study.

    Raises
    ------
    UserError
        There are no ratios of the measure, or not one per algorithm and included problem.
    """
    data = ratios.filter(pc.equal(ratios.column("measure").cast(pa.string()), measure))
    if not data.num_rows:
        raise UserError(f"measure {measure!r}: there are no ratios of it; check its name.")
    algorithm, algorithms = keys.cells(data, ["algorithm"])
    names = algorithms.column("algorithm").to_pylist()
    level, levels = keys.cells(data, ["target", "at_budget"])
    order, offsets = keys.starts(level, levels.num_rows)
    cost, included = data.column("cost").to_numpy(), data.column("included").to_numpy(zero_copy_only=False)
    result = []
    for i, at in enumerate(levels.to_pylist()):
        rows = order[offsets[i] : offsets[i + 1]]
        problem, problems = keys.cells(data.take(pa.array(rows)), _BLOCK_KEYS)
        matrix = np.full((problems.num_rows, len(names)), np.nan)
        matrix[problem, algorithm[rows]] = cost[rows]
        kept = np.zeros(problems.num_rows, bool)
        kept[problem] = included[rows]
        costs = matrix[kept]
        if np.isnan(costs).any() or np.bincount(problem * len(names) + algorithm[rows]).max() > 1:
            raise UserError(
                f"measure {measure!r}: the ratios are not one per algorithm and included problem; make them again from the costs."
            )
        result.append(Blocks(at["target"], at["at_budget"], names, costs, int((~kept).sum())))
    return result


def columns(parts: list[Blocks], repeat: list[int]) -> dict[str, list[Any]]:
    """Columns `target` and `at_budget` for parts that make `repeat` rows each."""
    return {
        name: [getattr(part, name) for part, n in zip(parts, repeat, strict=True) for _ in range(n)]
        for name in ("target", "at_budget")
    }
