"""Find statements of solver runs that cannot all be true: what one run proves and another one refutes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import Array, Index, Mask, frozen, keys, schema

#: Relative difference (absolute below 1) from which two objective values contradict each other.
TOLERANCE = 1e-4

#: What of the table `trials` says what runs state.
COLUMNS = (
    *("suite", "problem", "instance", "algorithm", "best_value", "dual_bound", "maximise", "outcome", "proven", "sense_open"),
    "source",
)


@frozen
class Stated:
    """Statements of runs, one entry each: that there is no solution, or a value (NaN), that it is optimal, and a bound (NaN)."""

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
        differ), `better` (a solution is better than a proven optimum), `bound` (one excludes a solution). The last two only
        where the runs agree on the direction.
    row, other : int
        The smaller statement first: without a solution, the smaller optimum, the better solution, the bound.
    """
    for rows in _problems(stated):
        for what, low, high in _kinds(stated, rows):
            first, last = np.argmin(low), np.argmax(high)
            if _apart(low[first], high[last], tolerance):
                pair = int(rows[first]), int(rows[last])
                yield what, *(pair[::-1] if what == "bound" else pair)
                break


def refuted(stated: Stated, tolerance: float = TOLERANCE) -> Mask:
    """Return which runs state what some other run on the problem refutes."""
    mask = np.zeros(len(stated.value), bool)
    for rows in _problems(stated):
        for _, low, high in _kinds(stated, rows):
            mask[rows] |= _apart(low, high.max(), tolerance) | _apart(low.min(), high, tolerance)
    return mask


def _problems(stated: Stated) -> Iterable[Index]:
    """Return the runs on each problem that state anything."""
    import pandas as pd

    stating = np.flatnonzero(stated.infeasible | stated.solution | stated.optimal | np.isfinite(stated.bound))
    return pd.Series(stating).groupby(stated.problem[stating]).agg(np.asarray) if stating.size else ()


def _kinds(stated: Stated, rows: Index) -> Iterator[tuple[str, Array, Array]]:
    """Yield, of each kind, numbers of runs (inf without one) that none of others (-inf without one) can be above."""
    value, sign = stated.value[rows], np.where(stated.maximise[rows], -1.0, 1.0)
    some, infeasible = (stated.solution | stated.optimal)[rows], stated.infeasible[rows]
    optimal = stated.optimal[rows] & np.isfinite(value)
    yield "infeasible", np.where(infeasible, 0.0, np.inf), np.where(some, 1.0, -np.inf)
    yield "optima", np.where(optimal, value, np.inf), np.where(optimal, value, -np.inf)
    if np.ptp(sign) == 0:
        best, bound = np.where(some & np.isfinite(value), sign * value, np.inf), sign * stated.bound[rows]
        yield "better", best, np.where(optimal, sign * value, -np.inf)
        yield "bound", best, np.where(np.isfinite(bound) & ~infeasible, bound, -np.inf)


def _apart(low: Any, high: Any, tolerance: float) -> Any:
    """Return where the second number is beyond the first; nowhere where one is not there."""
    return high - low > tolerance * np.maximum(np.maximum(np.abs(low), np.abs(high)), 1.0)


def told(what: str, row: int, other: int, value: Array, bound: Array) -> tuple[str, str]:
    """Tell in words what the two runs of a contradiction state."""
    solution = f"a solution of {value[other]:.10g}" if np.isfinite(value[other]) else "a solution"
    return {
        "infeasible": ("no solution", solution),
        "optima": (f"the optimum {value[row]:.10g}", f"the optimum {value[other]:.10g}"),
        "better": (f"a solution of {value[row]:.10g}", f"the optimum {value[other]:.10g}"),
        "bound": (f"the bound {bound[row]:.10g}", solution),
    }[what]


def of_sources(trials: schema.Tables, tolerance: float = TOLERANCE) -> pa.Table:
    """Return the table `contradictions` between the runs of a study, by the columns `COLUMNS` of `trials` of each source."""
    if not trials:
        return schema.TABLES["contradictions"].empty_table()
    whole, name, stated = _read(trials)
    pairs = list(between(stated, tolerance))
    rows, others = [one for _, one, _ in pairs], [other for *_, other in pairs]
    words = [told(what, row, other, stated.value, stated.bound) for what, row, other in pairs]
    here, there = whole.take(pa.array(rows, pa.int64())), whole.take(pa.array(others, pa.int64()))
    return schema.table(
        "contradictions",
        {
            **{key: here[key].to_pylist() for key in ("suite", "problem", "instance")},
            "kind": [what for what, _, _ in pairs],
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
    """Return on how many problems each algorithm states what another run refutes, by the columns `COLUMNS` of `trials`."""
    whole, _, stated = _read({str(number): table for number, table in enumerate(trials)})
    which = refuted(stated)
    return Counter(
        name
        for name, _ in {*zip(whole["algorithm"].filter(pa.array(which)).to_pylist(), stated.problem[which].tolist(), strict=True)}
    )


def _read(trials: schema.Tables) -> tuple[pa.Table, npt.NDArray[np.object_], Stated]:
    """Return the runs of sources that state anything, the source of each, and what they state."""
    whole = pa.concat_tables([table.select(list(COLUMNS)) for table in trials.values()]).unify_dictionaries()
    name = np.repeat(np.array(list(trials), dtype=object), [table.num_rows for table in trials.values()])
    # a run that has neither a value nor a bound can contradict by a proof alone
    telling = schema.says(whole, "outcome", "infeasible") | schema.flags(whole, "proven")
    telling |= np.isfinite(schema.floats(whole, "best_value")) | np.isfinite(schema.floats(whole, "dual_bound"))
    telling &= np.asarray(whole["outcome"].is_valid(), bool)
    whole = whole.filter(pa.array(telling))
    value, bound = (schema.floats(whole, name) for name in ("best_value", "dual_bound"))
    proven, maximise, unsensed = (schema.flags(whole, name) for name in ("proven", "maximise", "sense_open"))
    problem, _ = keys.cells(whole, ["suite", "problem", "instance"])
    return (
        whole,
        name[telling],
        of_runs(problem, np.array(whole["outcome"].to_pylist(), dtype=object), proven, value, bound, maximise, unsensed),
    )


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
    stating = (solved | (ended & proven)) & (optimal | ~unsensed)
    return Stated(
        problem=problem,
        infeasible=np.asarray(outcome == "infeasible", bool),
        optimal=optimal,
        solution=np.asarray(stating & np.isfinite(value), bool),
        value=value,
        bound=np.where(stating & ~unsensed, bound, np.nan),
        maximise=maximise,
    )
