"""Compare runs that were stopped at different limits: which is worse by that alone, and at which limit costs can be compared.

Costs that were subject to a stated limit are cut at the common one. Running times to a target are not, but wherever an algorithm
counts as worse since it was stopped, that is said.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Index, Mask, TwoArrays, UserError, keys, schema

#: Limits that differ by less are one, as where they were read off the times of runs that met them.
SAME = 0.01
#: Runs that ended at so many times the smallest such time of an algorithm may have had the same limit.
_OVERRUN = 1.5

INSTANCE = ("suite", "problem", "dimension", "instance")

#: How runs end at a limit, by what is counted of them beside their cost; where nothing is said of it, they are taken to.
_STOPPED = {"runtime_s": ("time_limit", None), **dict.fromkeys(("nodes", "iterations"), ("time_limit", "limit", None))}

#: How runs fail by themselves; of all others it may have been a limit that stopped them.
_CRASHES = ("infeasible", "unbounded", "memory_limit", "error", "wrong")


def problem_columns(problem_keys: Collection[str]) -> list[str]:
    """Return the columns that make a problem in their order; a `UserError` where these are no such keys."""
    if "problem" not in problem_keys or not set(problem_keys) <= set(INSTANCE):
        raise UserError(f"problem_keys: found {list(problem_keys)}, expected problem and, as needed, suite, dimension, instance.")
    return [name for name in INSTANCE if name in problem_keys]


class Ends(NamedTuple):
    """Ends of the runs of each cell, (n_cells, n_algorithms).

    The least that a failed run had spent (inf without one, or unknown), and the most that a success took (-inf without one).
    """

    stopped: Array
    longest: Array

    @classmethod
    def of(cls, values: Array, budgets: Array | None) -> Ends:
        """Take them from costs and what failed runs spent, (n_cells, n_algorithms, n_runs); NaN where it is not known."""
        spent = np.full(values.shape, np.inf) if budgets is None else np.where(np.isnan(budgets), np.inf, budgets)
        # a failure that counts a multiple of what it spent has taken nothing to succeed
        return cls(spent.min(axis=2), np.where(np.isfinite(values) & np.isinf(spent), values, -np.inf).max(axis=2))

    @classmethod
    def of_cells(cls, cost: Array, spent: Array) -> Ends:
        """Take them from one cost of each cell, and `spent` of the table `ratios` unless all crashed, (n_cells, n_algorithms).

        Not from costs alone: an expected running time is longer than any run, where some failed.
        """
        failed, known = np.isinf(cost), ~np.isnan(spent)
        return cls(np.where(failed & known, spent, np.inf), np.where(failed, -np.inf, np.where(known, spent, cost)))

    @property
    def early(self) -> Mask:
        """Return True where a run of the algorithm was stopped at less than a run of another one took to succeed."""
        # the longest of the others is the longest of all, but for the algorithm that it is of
        first, place = self.longest.max(axis=1, keepdims=True), self.longest.argmax(axis=1, keepdims=True)
        own = np.arange(self.longest.shape[1]) == place
        return np.asarray(self.stopped < np.where(own, np.where(own, -np.inf, self.longest).max(axis=1, keepdims=True), first))

    def early_in(self, first: Index, second: Index) -> Index:
        """Count the cells in which the first algorithm of each pair was stopped before the second one succeeded."""
        k = self.stopped.shape[1]
        counts = [(self.stopped[:, [one]] < self.longest).sum(axis=0) for one in range(k)]
        return np.array(counts, np.int64).reshape(k, k)[first, second]


class Common(NamedTuple):
    """Limits of runs (NaN where unknown), the smallest that counts on each instance (inf without one), and where they differ."""

    own: Array
    smallest: Array
    differs: Mask

    @classmethod
    def of(cls, limit: Array, instance: Index, counts: Mask, algorithm: Index | None = None, shows: Mask | None = None) -> Common:
        """Find the common limits of runs from `limit`, NaN where it is not known.

        Those of runs in `counts` cut the others. With `algorithm`, a run that states no limit has that of the algorithm's other
        runs, where these agree. `shows` marks limits that runs are stopped at, not what one had spent that ended before; by
        default all.
        """
        own = limit if shows is None else np.where(shows, limit, np.nan)
        if algorithm is not None:
            least, most = _ends(own, algorithm)
            own = np.where(np.isnan(own) & np.isfinite(least) & (most <= least * (1 + SAME)), least, own)
        smallest, largest = _ends(np.where(counts, own, np.nan), instance)
        return cls(own, smallest, np.asarray(largest > smallest * (1 + SAME)))

    def cut(self, cost: Array, limit: Array) -> tuple[Array, Array, Mask]:
        """Return costs and limits at the common ones, and which runs succeeded later, where limits differ: these fail."""
        late = self.differs & np.isfinite(cost) & (cost > self.smallest)
        return np.where(late, np.inf, cost), np.where(self.differs, np.fmin(limit, self.smallest), limit), late


def shown(trials: pa.Table) -> pa.Array:
    """Return the limit of the stated cost of each trial; null where it is not known, or what one had spent that ended before.

    Where no limit is stated and costs are times, that of an algorithm is the least time after which its runs ended at one.
    """
    solved = schema.says(trials, "status", "solved")
    stopped = schema.says(trials, "outcome", "time_limit")
    limit, cost, time = (schema.floats(trials, name) for name in ("cost_budget", "cost", "runtime_s"))
    limit[~(solved | stopped | np.asarray(trials.column("outcome").is_null(), bool))] = np.nan
    if solved.any() and np.array_equal(cost[solved], time[solved]):
        own = np.where(stopped & np.isnan(limit), time, np.nan)
        least, _ = _ends(own, keys.numbers(trials, ["algorithm"]))
        # solvers look at the clock seldom
        limit = np.where(np.isnan(own), limit, np.where(own <= _OVERRUN * least, least, own))
    return pa.array(limit, from_pandas=True)


def crashed(trials: pa.Table) -> pa.Array:
    """Return whether trials failed by themselves, whatever they may have spent; null where none did."""
    failed = (
        ~schema.says(trials, "status", "solved")
        & pc.is_in(trials.column("outcome").cast(pa.string()), pa.array(_CRASHES)).to_numpy()
    )
    return pa.array(failed, mask=np.full(failed.size, not failed.any()))


def stopped_at(costs: pa.Table) -> Array:
    """Return what stopped trials of a table `costs` had spent; NaN where it is not known, and of what failed by itself."""
    return np.where(schema.flags(costs, "crashed"), np.nan, schema.floats(costs, "budget"))


def of_failures(spent: Array, outcome: Sequence[str | None], limit: Array, quantity: str = "cost") -> Array:
    """Return what failed runs count in means: of a quantity beside the cost not what one had spent that crashed; NaN if unknown.

    `limit`: of the times of the runs, NaN where it is not known.
    """
    if quantity not in _STOPPED:
        return spent
    stated = limit if quantity == "runtime_s" else np.full(len(limit), np.nan)
    return np.where(np.isnan(stated) & [word in _STOPPED[quantity] for word in outcome], spent, stated)


def common_of(costs: pa.Table, not_competing: Collection[str] = ()) -> Common:
    """Find the common limits of the runs of one measure, table `costs`; algorithms that do not compete cut no others."""
    algorithm, names = keys.algorithms(costs)
    return Common.of(
        schema.floats(costs, "limit"),
        keys.numbers(costs, list(INSTANCE)),
        np.array([name not in not_competing for name in names], bool)[algorithm],
        algorithm,
    )


def costs_of(costs: keys.Costs, measure: str, not_competing: Collection[str] = ()) -> tuple[pa.Table, Mask]:
    """Return the costs of a measure at the common limit of each instance, and which runs succeeded later, and so count as failed.

    Costs without a limit stay as they are. Parameters and errors are those of `benchmill.core.keys.costs_of`.
    """
    data = keys.costs_of(costs, measure)
    if "limit" not in data.column_names or data.column("limit").null_count == data.num_rows:
        return data, np.zeros(data.num_rows, bool)
    cost, budget, late = common_of(data, not_competing).cut(schema.floats(data, "cost"), schema.floats(data, "budget"))
    changed = {"cost": cost, "budget": pa.array(budget, from_pandas=True), "success": np.isfinite(cost)}
    return schema.replaced(data, **{name: values for name, values in changed.items() if name in data.column_names}), late


def _ends(values: Array, group: Index) -> TwoArrays:
    """Return the smallest and the largest known value of each one's group; inf and -inf without any."""
    least, most = np.full((2, group.max(initial=0) + 1), [[np.inf], [-np.inf]])
    np.fmin.at(least, group, values)
    np.fmax.at(most, group, values)
    return least[group], most[group]
