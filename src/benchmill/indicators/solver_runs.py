"""The runs of the solvers of a study side by side: what each took on each instance, and which the virtual best solver takes."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Index, Mask, Numbers, UserError, keys, limits, quietly, schema
from benchmill.indicators.job import columns_of

#: What a failure counts, as a multiple of its limit.
FACTORS = {"limit": 1.0, "x2": 2.0, "x10": 10.0}

#: Outcome of a failed run -> the column that counts it; others count as `other`.
COUNTED = {"time_limit": "timeout", "memory_limit": "memory", "error": "error", "wrong": "wrong"}

#: How runs end: solved, by the columns that count failures, and the last for those of which nothing is known.
ENDINGS = ("solved", *COUNTED.values(), "other")

VIRTUAL_BEST = "virtual best"

INSTANCE = list(limits.INSTANCE)
#: What of the table `trials` is looked at.
TRIAL_COLUMNS = ["algorithm", "status", "outcome", "nodes", "iterations", "cost", "cost_budget", "runtime_s"]


class Runs(NamedTuple):
    """The runs of a study, one entry a run.

    Attributes
    ----------
    cost : (n_runs,) array
        inf for a failure; of a run that counts as it is, for one without a gap.
    limit : (n_runs,) array
        What a run without a finite cost is charged; NaN where it is not known.
    ended : (n_runs,) array of int
        How a run ended, as its place among `ENDINGS`.
    common : Common
        The limits as they were, and the smallest of each instance; costs and limits are cut at it.
    late : (n_runs,) array of bool
        Whether the run succeeded later than that, and so counts as failed.
    cell : (n_runs,) array of int
        Instance and algorithm as one number.
    """

    instance: Index
    algorithm: Index
    cost: Array
    limit: Array
    weight: Array
    solved: Mask
    ended: Index
    shape: tuple[int, int]
    common: limits.Common
    late: Mask
    cell: Index

    def total(self, values: Array | Mask | float = 1.0) -> Array:
        """Return the weighted sum over the runs of each instance and algorithm, shape (n_instances, n_algorithms)."""
        return np.asarray(np.bincount(self.cell, self.weight * values, self.shape[0] * self.shape[1]).reshape(self.shape), float)

    @np.errstate(invalid="ignore")
    def mean(self, values: Array) -> Array:
        """Return the mean over the runs of each instance and algorithm, shape (n_instances, n_algorithms); NaN without a run."""
        return self.total(values) / self.total()

    def charged(self, factor: float) -> Array:
        """Return the cost of each run, infinite ones replaced by a multiple of the limit."""
        return np.where(np.isfinite(self.cost), self.cost, factor * self.limit)


class Cells(NamedTuple):
    """Arrays (n_instances, n_algorithms) of the runs of each algorithm on each instance."""

    mean: Array
    log: Array


@quietly()
def cells_of(runs: Runs, factor: float, shift: float, filled: bool) -> Cells:
    """Return the mean cost and mean logarithm of the shifted cost of each algorithm on each instance.

    Where they are `filled` an algorithm without a run counts as failed, with the largest limit of any run on the instance. NaN
    where there is no run, where the limit of a failure is not known, and where a cost is not above `-shift`.
    """
    value = runs.charged(factor)
    log = np.log(np.where(value + shift > 0, value + shift, np.nan))
    means = Cells(runs.mean(value), runs.mean(log))
    if not filled:
        return means
    limit = np.full(runs.shape[0], -np.inf)
    np.maximum.at(limit, runs.instance, np.where(np.isnan(runs.limit), -np.inf, runs.limit))
    charge = factor * np.where(np.isfinite(limit), limit, np.nan)[:, None]
    absent = runs.mean(np.zeros(runs.cost.size)) != 0  # NaN without a run
    return Cells(np.where(absent, charge, means.mean), np.where(absent, np.log(charge + shift), means.log))


def virtual_best(mean: Array, competing: Mask, behind: npt.NDArray[np.generic]) -> tuple[Index, Index]:
    """Return the best and the second best competing algorithm of each instance, by mean costs (n_instances, n_algorithms)."""
    known = np.where(np.isnan(mean) | ~competing, np.inf, mean)
    # algorithms that do not compete go behind those whose mean is not known
    order = np.lexsort((behind, np.broadcast_to(~competing, mean.shape), known), axis=1)
    second = order[:, 1] if competing.sum() > 1 else np.full(len(mean), -1)
    return order[:, 0], second


class Compared(NamedTuple):
    """The runs of all solvers, on the instances that are compared.

    Attributes
    ----------
    as_is : bool
        Whether failed runs count their own costs, such as gaps, and not their limits.
    competing : (n_algorithms,) array of bool
        Whether each is ranked, and part of the virtual best.
    cells : dict
        `Cells` by what a failure counts, one of `FACTORS`.
    counts : dict
        Runs (n_instances, n_algorithms) by how they ended; `n`, and `limit_unknown`.
    share, measured : (n_instances, n_algorithms) arrays
        Share of the runs that solve the instance, and of those that have a finite cost.
    enters : (n_instances,) array of bool
        Whether the instance is compared: every competing algorithm has a run there, or counts as failed.
    runs_of : list of arrays of int
        The runs of each algorithm, and last those of the virtual best one.
    """

    runs: Runs
    costs: pa.Table
    trials: pa.Table
    instances: pa.Table
    names: list[str]
    as_is: bool
    competing: Mask
    cells: dict[str, Cells]
    counts: dict[str, Array]
    absent: Mask
    share: Array
    measured: Array
    enters: Mask
    best: Index
    second: Index
    runs_of: list[Index]

    def table(self, roles: Mapping[str, str]) -> pa.Table:
        """Return the table `solver_runs`: every run, a row for each that is missing, and below them those of the virtual best."""
        import pandas as pd

        runs, data, (at, who) = self.runs, self.costs, np.nonzero(self.absent)
        there: dict[str, Numbers] = {"instance": runs.instance, "algorithm": runs.algorithm, "cost": runs.cost}
        there |= {"limit": runs.limit, "late": runs.late, "outcome": runs.ended, "n": runs.weight}
        there["run"] = data["run"].to_numpy()
        # what a solver without a run is charged is its mean
        charged = self.cells["limit"].mean[at, who]
        absent = pd.DataFrame({"instance": at, "algorithm": who, "limit": charged}).assign(
            cost=np.inf, run=1, late=False, outcome=len(ENDINGS), n=1.0
        )
        every = pd.concat([pd.DataFrame(there), absent]).sort_values(["algorithm", "instance", "run"], kind="stable")
        taken = every[every["algorithm"] == self.best[every["instance"]]].assign(algorithm=len(self.names))
        rows = pd.concat([every, taken])
        instance = rows["instance"].to_numpy()
        weight = rows["n"] / rows.groupby(["instance", "algorithm"])["n"].transform("sum")
        return schema.table(
            "solver_runs",
            {
                **columns_of(self.instances, instance),
                **rows[["run", "cost", "late"]],
                "limit": schema.or_null(rows["limit"]),
                "weight": weight,
                "included": self.enters[instance],
                "outcome": np.array([*ENDINGS, "missing"], object)[rows["outcome"]],
                "algorithm": np.array([*self.names, VIRTUAL_BEST], object)[rows["algorithm"]],
                "role": np.array([*(roles[name] for name in self.names), "virtual_best"], object)[rows["algorithm"]],
                "measure": str(data["measure"][0]),
            },
        )


def compared(
    costs: Sequence[pa.Table],
    trials: Sequence[pa.Table],
    *,
    shift: float,
    missing: Literal["common", "failure", "error"] = "common",
    not_competing: Sequence[str] = (),
    as_is: bool = False,
    quantity: str = "cost",
) -> Compared:
    """Put the runs of all sources side by side; see `benchmill.indicators.summary.summary` for the parameters."""
    data = schema.concatenate(costs)
    instance, instances = keys.cells(data, INSTANCE)
    algorithm, names = keys.algorithms(data)
    shape = instances.num_rows, len(names)
    competing = np.array([name not in not_competing for name in names], bool)
    if unknown := [name for name in not_competing if name not in names]:
        raise UserError(f"not_competing: {unknown[0]!r} is no algorithm of the study; expected some of {', '.join(names)}.")
    if not competing.any():
        raise UserError(f"not_competing: no algorithm is left to rank; expected some of {', '.join(names)}, not all.")
    if VIRTUAL_BEST in names:
        raise UserError(
            f"an algorithm is called {VIRTUAL_BEST!r}, like the row that is computed from all others; rename it, or leave it out."
        )
    of_runs = pa.concat_tables(
        [run.select(TRIAL_COLUMNS).take(own["trial"]) for own, run in zip(costs, trials, strict=True)]
    ).unify_dictionaries()
    cost = data["cost"].to_numpy()
    outcome = of_runs["outcome"].combine_chunks()
    limit, late = np.full(cost.size, np.nan), np.zeros(cost.size, bool)
    if as_is:
        # a gap is not limited by seconds, but stays the larger the sooner a run is stopped
        common = limits.common_of(schema.replaced(data, limit=limits.shown(of_runs)), not_competing)
    else:
        common = limits.common_of(data, not_competing)
        cost, limit, late = common.cut(cost, schema.floats(data, "budget"))
    solved = np.asarray(pc.equal(of_runs["status"].cast(pa.string()), "solved")) if as_is else np.isfinite(cost)
    place = [ENDINGS.index(COUNTED.get(word, "other")) for word in (*outcome.dictionary.to_pylist(), "")]
    ended = np.array(place)[outcome.indices.fill_null(len(place) - 1).to_numpy(zero_copy_only=False)]
    ended = np.where(solved, 0, np.where(late, ENDINGS.index(COUNTED["time_limit"]), ended))
    runs = Runs(
        instance,
        algorithm,
        cost,
        limits.of_failures(limit, outcome.to_pylist(), schema.floats(of_runs, "cost_budget"), quantity),
        schema.floats(data, "n"),
        solved,
        ended,
        shape,
        common,
        late,
        np.ravel_multi_index((instance, algorithm), shape),
    )
    filled = missing == "failure"
    cells = {name: cells_of(runs, factor, shift, filled) for name, factor in FACTORS.items()}
    counts = {name: runs.total(ended == number) for number, name in enumerate(ENDINGS)}
    unknown = np.isinf(cost) & np.isnan(runs.limit)
    counts |= {"n": runs.total(), "limit_unknown": runs.total(unknown), "weighty": runs.total(runs.weight > 1)}
    absent = counts["n"] == 0
    share, measured = (np.nan_to_num(runs.mean(mask.astype(float))) for mask in (runs.solved, np.isfinite(runs.cost)))
    # of equal gaps that of a run which solves its instance
    best, second = virtual_best(cells["x10"].mean, competing, 1 - share if as_is else absent)
    return Compared(
        runs,
        data,
        of_runs,
        instances,
        names,
        as_is,
        competing,
        cells,
        counts,
        absent,
        share,
        measured,
        (~absent[:, competing].any(axis=1) | filled),
        best,
        second,
        [*(np.flatnonzero(algorithm == number) for number in range(len(names))), np.flatnonzero(algorithm == best[instance])],
    )
