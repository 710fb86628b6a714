"""Find what solver runs state that cannot all be true: what one run proves and another one refutes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import keys, schema
from benchmill.core.arrays import Array, Index, Mask

#: Relative difference (absolute below 1) from which two objective values contradict each other.
TOLERANCE = 1e-4

#: What of the table `trials` says what runs state.
COLUMNS = (
    *("suite", "problem", "instance", "algorithm", "best_value", "dual_bound", "maximise", "outcome", "proven", "sense_open"),
    "source",
)


@dataclass(frozen=True)
class Stated:
    """Claims of runs, one entry each: that there is no solution, or a value (NaN), that it is optimal, and a bound (NaN)."""

    problem: Index
    infeasible: Mask
    optimal: Mask
    solution: Mask
    value: Array
    bound: Array
    maximise: Mask


def between(stated: Stated, tolerance: float = TOLERANCE) -> Iterator[tuple[str, int, int]]:
    """Yield the pairs of runs on a problem that cannot both be right, one for each problem.

    The most extreme, ties to the first run.

    Yields
    ------
    what : str
        The first that applies: `infeasible` (one run proves that there is no solution, the other has one), `optima` (two
        differ),
        `better` (a solution is better than a proven optimum), `bound` (one excludes a solution). The last two only where the
        runs
        agree on the direction.
    row, other : int
        The smaller statement first: without a solution, the smaller optimum, the better solution, the bound.
    """
    import pandas as pd

    sign = np.where(stated.maximise, -1.0, 1.0)
    loss, bound, nothing = sign * stated.value, sign * stated.bound, np.zeros(len(stated.value))
    some = stated.solution | stated.optimal
    solution, optimal = (mask & np.isfinite(stated.value) for mask in (some, stated.optimal))
    bounded = np.isfinite(stated.bound) & ~stated.infeasible
    claiming = np.flatnonzero(stated.infeasible | some | bounded)
    for rows in pd.Series(claiming).groupby(stated.problem[claiming]).agg(np.asarray) if claiming.size else ():

        def least(mask: Mask, values: Array) -> int:
            own = rows[mask[rows]]  # noqa: B023 - called at once
            return int(own[np.argmin(values[own])]) if own.size else -1

        def apart(low: int, high: int, below: Array, above: Array) -> bool:
            return min(low, high) >= 0 and bool(
                above[high] - below[low] > tolerance * max(abs(below[low]), abs(above[high]), 1.0)
            )

        none, other = least(stated.infeasible, nothing), least(some, nothing)
        smallest, largest = least(optimal, stated.value), least(optimal, -stated.value)
        best, best_optimal, best_bound = least(solution, loss), least(optimal, loss), least(bounded, -bound)
        one_way = np.ptp(sign[rows]) == 0
        if min(none, other) >= 0:
            yield "infeasible", none, other
        elif apart(smallest, largest, stated.value, stated.value):
            yield "optima", smallest, largest
        elif one_way and apart(best, best_optimal, loss, loss):
            yield "better", best, best_optimal
        elif one_way and apart(best, best_bound, loss, bound):
            yield "bound", best_bound, best


def refuted(stated: Stated, tolerance: float = TOLERANCE) -> Mask:
    """Return which runs claim what some other run on the problem refutes."""
    found = np.zeros(len(stated.value), bool)
    for _, row, _ in between(stated, tolerance):
        rows = np.flatnonzero(stated.problem == stated.problem[row])
        sign = np.where(stated.maximise[rows], -1.0, 1.0)
        some = (stated.solution | stated.optimal)[rows]
        loss, bound = sign * stated.value[rows], sign * stated.bound[rows]
        proven, solved = (np.where(mask, loss, np.nan) for mask in (stated.optimal[rows], some))
        optimum = sign * proven
        bound[stated.infeasible[rows]] = np.nan
        against = np.outer(stated.infeasible[rows], some) | _apart(optimum, optimum, tolerance)
        if np.ptp(sign) == 0:
            against |= _apart(solved, proven, tolerance) | _apart(solved, bound, tolerance)
        found[rows] = (against | against.T).any(axis=1)
    return found


def _apart(low: Array, high: Array, tolerance: float) -> Mask:
    """Return of all pairs whether the second number is beyond the first."""
    return high - low[:, None] > tolerance * np.maximum(np.maximum(np.abs(high), np.abs(low)[:, None]), 1.0)


def told(what: str, row: int, other: int, value: Array, bound: Array) -> tuple[str, str]:
    """Tell in words what the two runs of a contradiction state."""
    found = f"a solution of {value[other]:.10g}" if np.isfinite(value[other]) else "a solution"
    return {
        "infeasible": ("no solution", found),
        "optima": (f"the optimum {value[row]:.10g}", f"the optimum {value[other]:.10g}"),
        "better": (f"a solution of {value[row]:.10g}", f"the optimum {value[other]:.10g}"),
        "bound": (f"the bound {bound[row]:.10g}", found),
    }[what]


def of_sources(trials: Mapping[str, pa.Table], tolerance: float = TOLERANCE) -> pa.Table:
    """Return the table `contradictions` between the runs of a study, by the columns `COLUMNS` of `trials` of each source."""
    if not trials:
        return schema.TABLES["contradictions"].empty_table()
    whole, name, stated = _read(trials)
    value, bound = stated.value, stated.bound
    found = list(between(stated, tolerance))
    rows, others = [one for _, one, _ in found], [other for *_, other in found]
    words = [told(what, row, other, value, bound) for what, row, other in found]
    here, there = whole.take(pa.array(rows, pa.int64())), whole.take(pa.array(others, pa.int64()))
    return schema.table(
        "contradictions",
        {
            **{key: here[key].to_pylist() for key in ("suite", "problem", "instance")},
            "kind": [what for what, _, _ in found],
            "algorithm": here["algorithm"].to_pylist(),
            "claim": [one for one, _ in words],
            "in_source": name[rows].tolist(),
            "place": here["source"].to_pylist(),
            "other_algorithm": there["algorithm"].to_pylist(),
            "other_claim": [other for _, other in words],
            "other_in_source": name[others].tolist(),
            "other_place": there["source"].to_pylist(),
        },
    )


def by_algorithm(trials: Sequence[pa.Table]) -> Counter[str]:
    """Return on how many problems each algorithm claims what another claim refutes, by the columns `COLUMNS` of `trials`."""
    whole, _, stated = _read({str(number): table for number, table in enumerate(trials)})
    which = refuted(stated)
    named = whole.filter(pa.array(which))["algorithm"].to_pylist()
    return Counter(name for name, _ in {*zip(named, stated.problem[which].tolist(), strict=True)})


def _read(trials: Mapping[str, pa.Table]) -> tuple[pa.Table, npt.NDArray[np.object_], Stated]:
    """Return the runs of sources that state anything, the source of each, and what they state."""
    whole = pa.concat_tables([table.select(list(COLUMNS)) for table in trials.values()]).unify_dictionaries()
    name = np.repeat(np.array(list(trials), dtype=object), [table.num_rows for table in trials.values()])
    # a run that has neither a value nor a bound can contradict by a proof alone
    telling = schema.says(whole, "outcome", "infeasible") | schema.flags(whole, "proven")
    telling |= np.isfinite(schema.floats(whole, "best_value")) | np.isfinite(schema.floats(whole, "dual_bound"))
    telling &= np.asarray(whole["outcome"].is_valid(), bool)
    whole = whole.filter(pa.array(telling))
    outcome = np.array(whole["outcome"].to_pylist(), dtype=object)
    value, bound = (schema.floats(whole, name) for name in ("best_value", "dual_bound"))
    proven, maximise, unsensed = (schema.flags(whole, name) for name in ("proven", "maximise", "sense_open"))
    problem, _ = keys.cells(whole, ["suite", "problem", "instance"])
    return whole, name[telling], of_runs(problem, outcome, proven, value, bound, maximise, unsensed)


def of_runs(
    problem: Index,
    outcome: npt.NDArray[np.object_],
    proven: Mask,
    value: Array,
    bound: Array,
    maximise: Mask,
    unsensed: Mask | np.bool_ = np.False_,
) -> Stated:
    """Read off how runs ended what they state.

    A solved run has a solution, a proven one the optimum; one that was stopped has a solution if its solver is one that proves.
    A run in error or cut short states nothing. Where nobody says which values are better (`unsensed`), only optima can differ.
    """
    ended = np.isin(outcome, ("time_limit", "memory_limit", "limit", "stopped"))
    solved = outcome == "solved"
    # the logs of some solvers have one word for a solution and for a proof that there is none
    optimal = np.asarray(solved & proven & (np.isfinite(value) | unsensed), bool)
    claiming = (solved | (ended & proven)) & (optimal | ~unsensed)
    return Stated(
        problem=problem,
        infeasible=np.asarray(outcome == "infeasible", bool),
        optimal=optimal,
        solution=np.asarray(claiming & np.isfinite(value), bool),
        value=value,
        bound=np.where(claiming & ~unsensed, bound, np.nan),
        maximise=maximise,
    )
