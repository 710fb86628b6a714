"""The summary of solver runs: who solves what, shifted geometric means, PAR, the virtual best, and what each adds to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import claims, keys, replicates, schema
from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.core.ranks import midranks
from benchmill.indicators.ert import Intervals
from benchmill.indicators.intervals import shifted_means
from benchmill.indicators.job import Given, Made

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

#: What a failure counts, as a multiple of its limit.
FACTORS = {"limit": 1.0, "x2": 2.0, "x10": 10.0}
#: In place of a multiple: the instances alone that all solvers solve.
ALL_SOLVED = "all_solved"

#: Outcome of a failed run -> the column that counts it; others count as `other`.
COUNTED = {"time_limit": "timeout", "memory_limit": "memory", "error": "error", "wrong": "wrong"}

VIRTUAL_BEST = "virtual best"

_INSTANCE = ["suite", "problem", "dimension", "instance"]
#: What of the table `trials` the summary is made of.
TRIAL_COLUMNS = ["outcome", "nodes", "iterations"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """How runs of solvers are summarised."""

    measures: tuple[str, ...] | None = option(
        "Measures of kind `given` that are summarised; by default those of studies whose sources are runs of solvers.",
        None,
        type=["array", "null"],
        uniqueItems=True,
        items={"type": "string"},
    )
    brackets: tuple[float, ...] = option(
        """Subsets that are summarised too: the instances that some solver solves and that take the slowest one at least so much.
        0 and all instances are always there.""",
        (1, 10, 100),
        uniqueItems=True,
        items={"type": "number", "exclusiveMinimum": 0},
    )
    not_ranked: tuple[str, ...] = option(
        "Algorithms that are shown, but have no rank and are no part of the virtual best.",
        (),
        uniqueItems=True,
        items={"type": "string"},
    )
    intervals: Intervals = option("Student's intervals of means and ratios, over clusters of instances.", Intervals())


#: The options of a study that says nothing of them.
USUAL = Options()


def shifted_geometric_mean(values: npt.ArrayLike, shift: float) -> float:
    """exp(mean(log(t + s))) - s of Achterberg's thesis (2007), appendix A.3.

    Parameters
    ----------
    values : (n,) array_like
        Above `-shift`.
    shift : float
        s: times far below it make no difference.

    Returns
    -------
    float
        NaN for no values, and where one is not above `-shift`.
    """
    v = np.asarray(values, float) + shift
    return float(np.exp(np.log(v).mean()) - shift) if v.size and (v > 0).all() else float("nan")


class Runs(NamedTuple):
    """The runs of a study, one entry a run.

    Attributes
    ----------
    instance, algorithm : (n_runs,) arrays of int
        Numbers from 0.
    cost : (n_runs,) array
        inf for a failure.
    limit : (n_runs,) array
        What a failure is charged; NaN where it is not known.
    weight : (n_runs,) array
        Runs that the entry stands for.
    outcome : (n_runs,) array of object
        How a run ended, where its source states it.
    shape : (int, int)
        Number of instances and of algorithms.
    """

    instance: Index
    algorithm: Index
    cost: Array
    limit: Array
    weight: Array
    outcome: npt.NDArray[np.object_]
    shape: tuple[int, int]

    @property
    def solved(self) -> Mask:
        """Whether each run solved its instance."""
        return np.isfinite(self.cost)

    def mean(self, values: Array) -> Array:
        """Mean over the runs of each instance and algorithm, shape (n_instances, n_algorithms); NaN without a run."""
        cell = np.ravel_multi_index((self.instance, self.algorithm), self.shape)
        size = self.shape[0] * self.shape[1]
        with np.errstate(invalid="ignore"):
            found = np.bincount(cell, self.weight * values, size) / np.bincount(cell, self.weight, size)
        return np.asarray(found.reshape(self.shape), float)

    def charged(self, factor: float) -> Array:
        """Cost of each run, a failure with so many times its limit."""
        return np.where(self.solved, self.cost, factor * self.limit)


class Cells(NamedTuple):
    """Arrays (n_instances, n_algorithms) of the runs of each algorithm on each instance."""

    mean: Array
    log: Array


def cells_of(runs: Runs, factor: float, shift: float, missing: Literal["common", "failure"]) -> Cells:
    """Mean cost and mean logarithm of the shifted cost of each algorithm on each instance.

    With `missing="failure"` an algorithm without a run counts as failed, with the largest limit of any run on the instance.
    NaN where there is no run, where the limit of a failure is not known, and where a cost is not above `-shift`.
    """
    value = runs.charged(factor)
    with np.errstate(invalid="ignore", divide="ignore"):
        log = np.log(np.where(value + shift > 0, value + shift, np.nan))
        found = Cells(runs.mean(value), runs.mean(log))
        if missing == "common":
            return found
        limit = np.full(runs.shape[0], -np.inf)
        np.maximum.at(limit, runs.instance, np.where(np.isnan(runs.limit), -np.inf, runs.limit))
        charge = factor * np.where(np.isfinite(limit), limit, np.nan)[:, None]
        absent = runs.mean(np.zeros(runs.cost.size)) != 0  # NaN without a run
        return Cells(np.where(absent, charge, found.mean), np.where(absent, np.log(charge + shift), found.log))


def virtual_best(mean: Array, ranked: Mask, absent: Mask) -> tuple[Index, Index]:
    """The best and the second best ranked algorithm of each instance, by mean costs (n_instances, n_algorithms).

    The first of several equal ones, those that are `absent` (as `mean`) behind the others; an unknown mean goes last. -1 where
    there is no second.
    """
    known = np.where(np.isnan(mean) | ~ranked, np.inf, mean)
    # algorithms that are not ranked go behind those whose mean is not known
    order = np.lexsort((absent, np.broadcast_to(~ranked, mean.shape), known), axis=1)
    second = order[:, 1] if ranked.sum() > 1 else np.full(len(mean), -1)
    return np.asarray(order[:, 0], np.int64), np.asarray(second, np.int64)


class _Part(NamedTuple):
    """A subset of the instances, under one convention for those that are not solved.

    Attributes
    ----------
    inside : (n_instances,) array of bool
    clusters : (n_instances,) array of int
        The cluster of each instance.
    cells : Cells
    absent : (n_instances, n_algorithms) array of bool
        Where there is no run.
    share : (n_instances, n_algorithms) array
        Share of the runs that solve the instance.
    best, second : (n_instances,) arrays of int
        See `virtual_best`.
    """

    runs: Runs
    inside: Mask
    clusters: Index
    cells: Cells
    absent: Mask
    share: Array
    ranked: Mask
    best: Index
    second: Index
    shift: float

    def counts(self, number: int) -> dict[str, float]:
        """Runs by how they ended, of an algorithm or (its number is one more than the last) of the virtual best one."""
        runs, mine = self.runs, self.of(number)
        weight, failed = runs.weight[mine], ~runs.solved[mine]
        column = np.array([COUNTED.get(word, "other") for word in runs.outcome[mine]], object)
        found = {name: float(weight[failed & (column == name)].sum()) for name in (*COUNTED.values(), "other")}
        if number == self.ranked.size:
            # which of several failures it takes means nothing
            found = dict.fromkeys(found, float("nan"))
        unknown = failed & np.isnan(runs.limit[mine])
        return {
            "instances": int(self.inside.sum()),
            "n": float(weight.sum()),
            "solved": float(weight[~failed].sum()),
            **found,
            "limit_unknown": float(weight[unknown].sum()),
        }

    def of(self, number: int) -> Mask:
        """The runs of an algorithm, or those that the virtual best one takes."""
        taken = self.best[self.runs.instance] if number == self.ranked.size else number
        return np.asarray(self.inside[self.runs.instance] & (self.runs.algorithm == taken), bool)

    def with_best(self, values: Array) -> Array:
        """Columns of the algorithms and of the virtual best one, of the instances inside."""
        return np.column_stack([values, np.take_along_axis(values, self.best[:, None], axis=1)])[self.inside]

    def geometric(self, level: float) -> dict[str, Array]:
        """Shifted geometric means with intervals, and their ratios to the smallest of a ranked algorithm."""
        log = self.with_best(self.cells.log)
        found = np.exp(log.mean(axis=0)) - self.shift
        own = np.where(self.ranked, found[:-1], np.inf)
        # who is first is known where all means are
        first = None if np.isnan(own).any() else int(np.argmin(own))
        clusters = np.unique(self.clusters[self.inside], return_inverse=True)[1]
        means, ratios = shifted_means(log, self.shift, clusters, level, first)
        return {
            "sgm": found,
            "sgm_ratio": found / found[first] if first is not None else np.full(found.size, np.nan),
            **dict(zip(("sgm_low", "sgm_high"), means, strict=True)),
            **dict(zip(("sgm_ratio_low", "sgm_ratio_high"), ratios, strict=True)),
        }

    def ranks(self, sgm: Array) -> Array:
        """Ranks of the ranked algorithms by their means; NaN for others, and for all where one mean is not known."""
        rank = np.full(sgm.size, np.nan)
        ranked = np.flatnonzero(self.ranked)
        if not np.isnan(sgm[ranked]).any():
            rank[ranked] = midranks(sgm[ranked][None, :])[0]
        return rank

    def contributions(self) -> dict[str, Array]:
        """What the virtual best solver loses without each algorithm, and how far that leads; NaN where there is no other."""
        found = {
            name: np.full(self.ranked.size + 1, np.nan)
            for name in ("unique", "adds_solved", "adds_mean", "adds_sgm", "lead", "at")
        }
        if self.ranked.sum() < 2:
            return found
        rows = np.flatnonzero(self.inside)
        best, second = self.best[rows], self.second[rows]

        def lost(values: Array) -> Array:
            return np.asarray(values[rows, second] - values[rows, best], float)

        solved = self.share[rows, best] - self.share[rows, second]

        others = np.where(self.ranked, self.share[rows] > 0, False)
        alone = others.sum(axis=1) == 1
        with_all = self.cells.log[rows, best]
        for number in np.flatnonzero(self.ranked):
            mine = best == number
            found["unique"][number] = np.count_nonzero(alone & others[:, number])
            found["adds_solved"][number] = solved[mine].sum()
            found["adds_mean"][number] = lost(self.cells.mean)[mine].sum() / rows.size
            without = np.where(mine, self.cells.log[rows, second], with_all).mean()
            found["adds_sgm"][number] = (np.exp(without) - self.shift) / (np.exp(with_all.mean()) - self.shift)
            ahead = np.where(mine & (self.share[rows, number] > 0), lost(self.cells.log), -np.inf)
            if np.isfinite(ahead).any():
                at = int(np.nanargmax(ahead))
                found["lead"][number], found["at"][number] = np.exp(ahead[at]), rows[at]
        return found

    def median(self, number: int, factor: float) -> float:
        """Median cost of the runs; NaN for published means of several runs."""
        mine = self.of(number)
        if (self.runs.weight[mine] > 1).any():
            return float("nan")
        taken = self.best if number == self.ranked.size else np.full(self.best.size, number)
        rows = np.flatnonzero(self.inside)
        rows = rows[self.absent[rows, taken[rows]]]
        filled = np.append(self.runs.charged(factor)[mine], self.cells.mean[rows, taken[rows]])
        # a quantile of NaN is whatever it is sorted next to
        return float("nan") if np.isnan(filled).any() else float(replicates.median(filled)[0])

    def rows(self, factor: float, level: float) -> list[dict[str, Any]]:
        """One row per algorithm, and one of the virtual best."""
        columns = {
            **self.geometric(level),
            "mean": self.with_best(self.cells.mean).mean(axis=0),
            **self.contributions(),
        }
        columns["rank"] = self.ranks(columns["sgm"])
        role = np.append(np.where(self.ranked, "solver", "not_ranked"), "virtual_best").astype(object)
        if np.isfinite(columns["rank"]).any():
            role[int(np.nanargmin(columns["rank"]))] = "single_best"
        found = []
        for number in range(self.ranked.size + 1):
            row: dict[str, Any] = {name: float(values[number]) for name, values in columns.items()}
            row |= {"role": role[number], **self.counts(number)}
            row["median"] = self.median(number, factor)
            found.append(row)
        return found


def summary(
    costs: Sequence[pa.Table],
    trials: Sequence[pa.Table],
    options: Options = USUAL,
    *,
    shift: float,
    missing: Literal["common", "failure", "error"] = "common",
    contradictions: pa.Table | None = None,
    cluster_keys: Sequence[str] = keys.CLUSTER_KEYS,
) -> pa.Table:
    """Counts of outcomes, means, ranks and intervals of every solver, and of the virtual best one.

    An instance is what all keys of a problem name; its runs with different seeds weigh together as much as the one run of
    another instance. The virtual best solver takes, on each instance, the solver with the smallest mean cost where failures count
    ten times their limit. The single best one is the solver that is first by the shifted geometric mean.

    Parameters
    ----------
    costs : sequence of pyarrow.Table
        Tables `costs` of one measure without targets, one a source.
    trials : sequence of pyarrow.Table
        Tables `trials` of the same sources: how runs ended, their nodes and iterations.
    options : Options
    shift : float
        Of the geometric mean, in the unit of the costs.
    missing : {"common", "failure", "error"}
        Whether an instance on which a ranked solver has no run is left out, or counts as its failure; with `error` there is none.
    contradictions : pyarrow.Table, optional
        Table `contradictions` of the runs.
    cluster_keys : sequence of str
        Instances that agree in these depend on each other, for the intervals.

    Returns
    -------
    pyarrow.Table
        Table `summary`, by subset, what a failure counts, algorithm in natural order, the virtual best last. Means are null
        where the limit of a failure is not known. Of a subset without any instance there are no rows.

    Raises
    ------
    UserError
        An algorithm that is not to be ranked is none of the study, or none is left to rank.
    """
    data = schema.concatenate(costs)
    if not data.num_rows:
        return schema.TABLES["summary"].empty_table()
    instance, instances = keys.cells(data, _INSTANCE)
    clusters = keys.numbers(instances, [key for key in _INSTANCE if key in cluster_keys])
    algorithm, algorithms = keys.cells(data, ["algorithm"])
    names = [str(name) for name in algorithms.column("algorithm").to_pylist()]
    strangers = [name for name in options.not_ranked if name not in names]
    ranked = np.array([name not in options.not_ranked for name in names], bool)
    if strangers or not ranked.any():
        found = f"{strangers[0]!r} is no algorithm of the study" if strangers else "no algorithm is left to rank"
        raise UserError(f"indicators.summary.not_ranked: {found}; expected some of {', '.join(names)}.")
    of_runs = pa.concat_tables(
        [run.select(TRIAL_COLUMNS).take(own.column("trial")) for own, run in zip(costs, trials, strict=True)]
    ).unify_dictionaries()
    runs = Runs(
        instance,
        algorithm,
        data.column("cost").to_numpy(),
        data.column("budget").to_numpy(zero_copy_only=False).astype(float),
        data.column("n").to_numpy().astype(float),
        np.array(of_runs.column("outcome").to_pylist(), object),
        (instances.num_rows, algorithms.num_rows),
    )
    filling: Literal["common", "failure"] = "failure" if missing == "failure" else "common"
    cells = {name: cells_of(runs, factor, shift, filling) for name, factor in FACTORS.items()}
    absent = np.isnan(runs.mean(np.zeros(algorithm.size)))
    enters = np.asarray(~absent[:, ranked].any(axis=1) | (filling == "failure"), bool)
    share = np.nan_to_num(runs.mean(runs.solved.astype(float)))
    picked = virtual_best(cells["x10"].mean, ranked, absent)
    claimed = _contradicted(contradictions)
    rows: list[dict[str, Any]] = []
    slowest = np.where(ranked, cells["limit"].mean, -np.inf).max(axis=1)
    for subset, inside in _subsets(runs, of_runs, share, slowest, ranked, options.brackets).items():
        for unsolved in (*FACTORS, ALL_SOLVED):
            kept = enters & inside
            if unsolved == ALL_SOLVED:
                kept &= (share[:, ranked] == 1).all(axis=1)
            if not kept.any():
                continue
            part = _Part(runs, kept, clusters, cells.get(unsolved, cells["limit"]), absent, share, ranked, *picked, shift)
            pars = {f"par{FACTORS[name]:g}": part.with_best(of.mean).mean(axis=0) for name, of in cells.items()}
            for number, row in enumerate(part.rows(FACTORS.get(unsolved, 1.0), options.intervals.level)):
                of_study = number < len(names)
                at = row.pop("at")
                row |= {par: float(values[number]) for par, values in pars.items()}
                row |= {
                    "subset": subset,
                    "unsolved": unsolved,
                    "algorithm": names[number] if of_study else VIRTUAL_BEST,
                    "missing": int(absent[:, number].sum()) if of_study else 0,
                    "contradicted": claimed[names[number]] if of_study else 0,
                    "lead_problem": None if np.isnan(at) else keys.described(instances.slice(int(at), 1).to_pylist()[0]),
                }
                rows.append(row)
    columns = {
        name: [None if isinstance(row[name], float) and np.isnan(row[name]) else row[name] for row in rows]
        for name in schema.TABLES["summary"].names
        if not rows or name in rows[0]
    }
    return schema.table(
        "summary",
        columns
        | {
            "measure": [str(data.column("measure")[0])] * len(rows),
            "shift": [shift] * len(rows),
            "level": [options.intervals.level] * len(rows),
            "left_out": [int((~enters).sum())] * len(rows),
        },
    )


def _subsets(
    runs: Runs, of_runs: pa.Table, share: Array, slowest: Array, ranked: Mask, brackets: Sequence[float]
) -> dict[str, Mask]:
    """The subsets of the instances, by name, as masks (n_instances,).

    A bracket holds the instances that some ranked solver solves and that take the slowest one so much or more, a failure with its
    limit (Achterberg and Wunderling 2013); a limit that is not known is above every bracket.
    """
    some = (share[:, ranked] > 0).any(axis=1)
    found = {"all": np.ones(len(share), bool)}
    found |= {f"[{low:g}, limit]": some & ~(slowest < low) for low in (0, *brackets)}
    affected = _affected(runs, of_runs, ranked)
    return found if affected is None else {**found, "affected": affected}


def _affected(runs: Runs, of_runs: pa.Table, ranked: Mask) -> Mask | None:
    """Instances that the ranked solvers went through with different numbers of nodes or iterations.

    One whose runs state neither counts as affected; None where no run of the study states any.
    """
    found = np.zeros(runs.shape[0], bool)
    stated = False
    told = np.zeros(runs.shape[0], bool)
    own = ranked[runs.algorithm]
    for name in ("nodes", "iterations"):
        number = np.asarray(of_runs.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False), float)[own]
        stated |= bool(np.isfinite(number).any())
        low, high = np.full(runs.shape[0], np.inf), np.full(runs.shape[0], -np.inf)
        known = np.isfinite(number)
        np.minimum.at(low, runs.instance[own][known], number[known])
        np.maximum.at(high, runs.instance[own][known], number[known])
        unknown = np.bincount(runs.instance[own][~known], minlength=runs.shape[0]) > 0
        told |= high >= low
        # a solver that does not state what others state has taken another way, as far as anyone can tell
        found |= (high > low) | (unknown & (high >= low))
    return found | ~told if stated else None


def _contradicted(contradictions: pa.Table | None) -> Counter[str]:
    """On how many problems each algorithm claims what another one refutes."""
    found: Counter[str] = Counter()
    for row in contradictions.select(["algorithm", "other_algorithm"]).to_pylist() if contradictions is not None else ():
        found.update({row["algorithm"], row["other_algorithm"]})
    return found


def job(given: Given) -> Made:
    """Costs and trials of all sources become `summary`."""
    trials = given.read("trials", sorted({*claims.COLUMNS, *TRIAL_COLUMNS}))
    needed = dict(given.needed)
    contradictions = claims.of_sources(dict(zip(needed.pop("sources"), trials, strict=True)))
    options = given.options(Options)
    return Made({"summary": summary(given.read("costs"), trials, options, contradictions=contradictions, **needed)})
