"""The summary of solver runs: what each solves, shifted geometric means, PAR, the virtual best, and what each adds to it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa

from benchmill.core import Array, Index, Mask, contradictions, keys, natural_key, replicates, schema
from benchmill.core.intervals import FEWEST
from benchmill.core.ranks import midranks
from benchmill.indicators.intervals import ratios_of_means, settled, shifted_means
from benchmill.indicators.job import Given, Made
from benchmill.indicators.solver_runs import (
    ENDINGS,
    FACTORS,
    TRIAL_COLUMNS,
    VIRTUAL_BEST,
    Cells,
    Compared,
    compared,
)
from benchmill.registry.entry import described
from benchmill.registry.indicator_options import Summary as Options
from benchmill.registry.indicators import Indicator

#: In place of a multiple of the limit: the instances alone that all solvers solve.
ALL_SOLVED = "all_solved"

#: What of measures is told that failed runs have too, such as gaps: all instances, and those where each run has a finite one.
AS_IS, ALL_MEASURED = "as_is", "all_measured"
#: What the virtual best solver loses without an algorithm, and where that leads by how much.
_ADDED = ["unique", "adds_solved", "adds_mean", "adds_sgm", "lead", "at"]


#: The options of a study that says nothing of them.
USUAL = Options()


class _Part(NamedTuple):
    """A subset of the instances, under one convention for those that are not solved."""

    of: Compared
    inside: Mask
    clusters: Index
    cells: Cells
    shift: float

    def counts(self) -> dict[str, Array]:
        """Return the runs of the algorithms, and last of the virtual best one, by how they ended."""
        counts = {name: self.with_best(counted).sum(axis=0) for name, counted in self.of.counts.items()}
        for name in ENDINGS[1:]:
            # which of several failures it takes means nothing
            counts[name][-1] = np.nan
        return counts

    def with_best(self, values: Array) -> Array:
        """Return the columns of the algorithms and of the virtual best one, of the instances inside."""
        return np.column_stack([values, np.take_along_axis(values, self.of.best[:, None], axis=1)])[self.inside]

    def geometric(self, level: float, unsolved: str) -> dict[str, Array]:
        """Return shifted geometric means and their ratios to the smallest one that competes, with intervals where they hold."""
        log = self.with_best(self.cells.log)
        geometric_means = np.exp(log.mean(axis=0)) - self.shift
        # what rounding leaves of costs that are all 0
        geometric_means[np.abs(geometric_means) <= 1e-14 * self.shift] = 0.0
        own = np.where(self.of.competing, geometric_means[:-1], np.inf)
        # who is first is known where all means are; nothing is a multiple of 0
        first = None if np.isnan(own).any() or own.min() == 0 else int(np.argmin(own))
        clusters = np.unique(self.clusters[self.inside], return_inverse=True)[1]
        means = ratios = np.full((2, geometric_means.size), np.nan)
        if int(clusters.max()) + 1 >= FEWEST.get(unsolved, FEWEST["limit"]):
            held = self.settled(log, clusters, level, unsolved)
            means = np.where(held, shifted_means(log, self.shift, clusters, level), np.nan)
            if first is not None:
                # where nobody fails failures decide no ratio
                known = held & held[first] | (self.of.share[self.inside] == 1).all()
                ratios = np.where(
                    known,
                    ratios_of_means(log, self.shift, clusters, level, np.append(self.of.competing, False), first),
                    np.nan,
                )
        return {
            "sgm": geometric_means,
            "sgm_ratio": geometric_means / geometric_means[first] if first is not None else np.full(geometric_means.size, np.nan),
            **dict(zip(("sgm_low", "sgm_high"), means, strict=True)),
            **dict(zip(("sgm_ratio_low", "sgm_ratio_high"), ratios, strict=True)),
        }

    def settled(self, log: Array, clusters: Index, level: float, unsolved: str) -> Mask:
        """Return whose mean has an interval that one failure more would leave as it is; all where failures do not count so."""
        limit = self.of.runs.limit[self.inside[self.of.runs.instance]]
        limit = limit[np.isfinite(limit)]
        if unsolved not in FACTORS or not limit.size:
            return np.ones(log.shape[1], bool)
        return settled(log, self.shift, clusters, level, FACTORS[unsolved] * float(limit.max()))

    def ranks(self, sgm: Array) -> Array:
        """Return the ranks of the competing algorithms by their means; NaN for others, and for all where one is not known."""
        rank = np.full(sgm.size, np.nan)
        ranked = np.flatnonzero(self.of.competing)
        if not np.isnan(sgm[ranked]).any():
            rank[ranked] = midranks(sgm[ranked][None, :])[0]
        return rank

    def contributions(self) -> dict[int, schema.Row]:
        """Return what the virtual best solver loses without each algorithm, and how far that leads; nothing without another."""
        rows = np.flatnonzero(self.inside)
        best, second = self.of.best[rows], self.of.second[rows]

        def lost(values: Array) -> Array:
            return values[rows, second] - values[rows, best]

        solved = self.of.share[rows, best] - self.of.share[rows, second]

        others = np.where(self.of.competing, self.of.share[rows] > 0, False)
        alone = others.sum(axis=1) == 1
        with_all = self.cells.log[rows, best]
        found = {}
        for number in np.flatnonzero(self.of.competing & (self.of.competing.sum() > 1)).tolist():
            mine = best == number
            without = np.where(mine, self.cells.log[rows, second], with_all).mean()
            leads = (self.of.measured if self.of.as_is else self.of.share)[rows, number] > 0
            ahead = np.where(mine & leads, lost(self.cells.log), -np.inf)
            at = int(np.nanargmax(ahead)) if np.isfinite(ahead).any() else None
            found[number] = {
                "unique": np.count_nonzero(alone & others[:, number]),
                # who has the smallest gap need not be one that solves
                "adds_solved": np.nan if self.of.as_is else solved[mine].sum(),
                "adds_mean": lost(self.cells.mean)[mine].sum() / rows.size,
                "adds_sgm": (np.exp(without) - self.shift) / (np.exp(with_all.mean()) - self.shift),
                "lead": None if at is None else np.exp(ahead[at]),
                "at": None if at is None else rows[at],
            }
        return found

    def medians(self, factor: float) -> Array:
        """Return the median cost of the runs of each; NaN for published means of several runs."""
        whole, rows = self.of, np.flatnonzero(self.inside)
        value = whole.runs.charged(factor)
        several = self.with_best(whole.counts["weighty"]).any(axis=0)
        medians = np.full(whole.competing.size + 1, np.nan)
        for number in np.flatnonzero(~several):
            taken = whole.best if number == whole.competing.size else np.full(whole.best.size, number)
            mine = whole.runs_of[number][self.inside[whole.runs.instance[whole.runs_of[number]]]]
            absent = rows[whole.absent[rows, taken[rows]]]
            filled = np.append(value[mine], self.cells.mean[absent, taken[absent]])
            # a run without a gap is worse than any with one; elsewhere a limit that is not known leaves the median open
            if whole.as_is or not np.isnan(filled).any():
                medians[number] = replicates.median(np.where(np.isnan(filled), np.inf, filled))[0]
        return np.where(np.isfinite(medians), medians, np.nan) if whole.as_is else medians

    def rows(self, unsolved: str, level: float) -> schema.Rows:
        """Return one row per algorithm, and one of the virtual best, None for what is not known."""
        import pandas as pd

        added = pd.DataFrame.from_dict(self.contributions(), orient="index", columns=_ADDED, dtype=float)
        columns = {
            **self.geometric(level, unsolved),
            "mean": self.with_best(self.cells.mean).mean(axis=0),
            **added.reindex(range(len(self.of.names) + 1)),
            **self.counts(),
            "median": self.medians(FACTORS.get(unsolved, 1.0)),
            **{
                f"par{FACTORS[name]:g}": self.with_best(np.full_like(own.mean, np.nan) if self.of.as_is else own.mean).mean(
                    axis=0
                )
                for name, own in self.of.cells.items()
            },
        }
        rank = self.ranks(columns["sgm"])
        role = np.append(np.where(self.of.competing, "solver", "not_competing"), "virtual_best").astype(object)
        first = np.flatnonzero(rank == np.nanmin(rank, initial=np.inf))
        # of several none is the best, and nobody where all fail
        if first.size == 1 and (self.of.as_is or (columns["solved"][:-1][self.of.competing] > 0).any()):
            role[first[0]] = "single_best"
        leads = [
            None if np.isnan(at) else keys.described(self.of.instances.slice(int(at), 1).to_pylist()[0])
            for at in columns.pop("at")
        ]
        told = pd.DataFrame(columns).assign(
            rank=rank,
            role=role,
            instances=int(self.inside.sum()),
            unsolved=unsolved,
            algorithm=[*self.of.names, VIRTUAL_BEST],
            lead_problem=leads,
        )
        rows: schema.Rows = told.astype(object).where(told.notna(), None).to_dict("records")
        return rows


def summary(
    costs: Sequence[pa.Table],
    trials: Sequence[pa.Table],
    options: Options = USUAL,
    *,
    shift: float,
    missing: Literal["common", "failure", "error"] = "common",
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS,
    not_competing: Sequence[str] = (),
    by: keys.Key | None = None,
) -> dict[str, pa.Table]:
    """Return the tables `summary` and `solver_runs`: outcomes, means, ranks and intervals of every solver and the virtual best.

    The virtual best solver takes on each instance the solver with the smallest mean cost, a failure counting ten times its limit;
    the single best one is first by the shifted geometric mean: none where several are or all fail. Intervals take 10 clusters of
    instances, 30 where failures count ten times their limit, and are left out where one failure more would raise their upper end
    by more than half. Each class of problems (`by`) is a subset of its own.

    With `options.as_is` failed runs have costs too, such as gaps and integrals, and each run counts its own. What is solved
    goes by the column `status` of `trials`. There are no subsets and no PAR, and a mean is null where a run has no finite
    cost. Of equal costs the virtual best solver takes that of a solved run.
    """
    if not sum(part.num_rows for part in costs):
        return {name: schema.TABLES[name].empty_table() for name in ("summary", "solver_runs")}
    runs_compared = compared(
        costs,
        trials,
        shift=shift,
        missing=missing,
        not_competing=not_competing,
        as_is=options.as_is,
        quantity=options.quantity,
    )
    rows = _rows(runs_compared, options, shift, cluster_keys, by)
    contradicted, lost, limits = contradictions.by_algorithm(trials), int((~runs_compared.enters).sum()), _limits(runs_compared)
    for row in rows:
        known = row["algorithm"] if row["role"] != "virtual_best" else None
        row |= {
            "missing": int(runs_compared.absent[:, runs_compared.names.index(known)].sum()) if known is not None else 0,
            "contradicted": contradicted[known] if known is not None else 0,
            "measure": str(runs_compared.costs["measure"][0]),
            "shift": shift,
            "level": options.level,
            "left_out": lost,
            **limits.get(known, {}),
        }
    roles = dict.fromkeys(runs_compared.names, "solver")
    first = ("all", AS_IS if runs_compared.as_is else "limit")
    roles |= {row["algorithm"]: row["role"] for row in reversed(rows) if (row["subset"], row["unsolved"]) == first}
    return {"summary": schema.of_rows("summary", rows), "solver_runs": runs_compared.table(roles)}


def _limits(runs_compared: Compared) -> dict[str | None, schema.Row]:
    """Return by solver on how many instances limits differ, its own one, and its runs that end after the common one."""
    import pandas as pd

    runs = runs_compared.runs
    if not (differs := runs.common.differs & runs_compared.enters[runs.instance]).any():
        return {}
    by = (
        pd.DataFrame({"solver": runs.algorithm, "own": runs.common.own, "late": runs.late * runs.weight})[differs]
        .groupby("solver")
        .agg({"own": "median", "late": "sum"})
        .reindex(range(len(runs_compared.names)))
    )
    instances = int(np.unique(runs.instance[differs]).size)
    return {
        name: {"limits_differ": instances, "own_limit": schema.known(own), "late": float(late)}
        for name, own, late in zip(runs_compared.names, by["own"], by["late"].fillna(0.0), strict=True)
    }


def _rows(runs_compared: Compared, options: Options, shift: float, cluster_keys: keys.Keys, by: keys.Key | None) -> schema.Rows:
    """Return what the summary says of every solver, by subset and what a failure counts; None for what is not known."""
    clusters, level = keys.of_clusters(runs_compared.instances, cluster_keys), options.level
    made = {}
    rows = []
    parts = {"all": np.ones(len(runs_compared.share), bool)} if runs_compared.as_is else subsets(runs_compared, options.brackets)
    if by is not None:
        name = by if isinstance(by, str) else by.name
        dealt = [row[by] if isinstance(by, str) else by.of.get(row["problem"]) for row in runs_compared.instances.to_pylist()]
        words = sorted({str(word) for word in dealt if word is not None}, key=natural_key)
        parts |= {f"{name} {word}": np.array([one is not None and str(one) == word for one in dealt]) for word in words}
    only = {ALL_SOLVED: runs_compared.share, ALL_MEASURED: runs_compared.measured}
    for subset, inside in parts.items():
        for unsolved in (AS_IS, ALL_MEASURED) if runs_compared.as_is else (*FACTORS, ALL_SOLVED):
            kept = runs_compared.enters & inside
            if unsolved in only:
                kept &= (only[unsolved][:, runs_compared.competing] == 1).all(axis=1)
            if not kept.any():
                continue
            # brackets often hold the same instances
            at = unsolved, kept.tobytes()
            if at not in made:
                made[at] = _Part(
                    runs_compared, kept, clusters, runs_compared.cells.get(unsolved, runs_compared.cells["limit"]), shift
                ).rows(unsolved, level)
            rows += [{**row, "subset": subset} for row in made[at]]
    return rows


def subsets(runs_compared: Compared, brackets: Sequence[float]) -> dict[str, Mask]:
    """Return the subsets of the instances that solvers are compared on, by name, as masks (n_instances,).

    A bracket holds the instances that some competing solver solves and that take the slowest one so much or more, a failure with
    its limit (Achterberg and Wunderling 2013); a limit that is not known is above every bracket.
    """
    some = (runs_compared.share[:, runs_compared.competing] > 0).any(axis=1)
    slowest = np.where(runs_compared.competing, runs_compared.cells["limit"].mean, -np.inf).max(axis=1)
    masks = {"all": np.ones(some.size, bool)}
    masks |= {f"[{low:g}, limit]": some & ~(slowest < low) for low in (0, *brackets)}
    affected = _affected(runs_compared)
    return masks if affected is None else {**masks, "affected": affected}


def _affected(runs_compared: Compared) -> Mask | None:
    """Return the instances that the competing solvers went through with different numbers of nodes or iterations.

    One whose runs state neither counts as affected; None where no run of the study states any.
    """
    import pandas as pd

    own = runs_compared.competing[runs_compared.runs.algorithm]
    stated = pd.DataFrame({name: schema.floats(runs_compared.trials, name)[own] for name in ("nodes", "iterations")})
    if not stated.notna().any(axis=None):
        return None
    by = stated.groupby(runs_compared.runs.instance[own])
    is_stated = by.count() > 0
    # a solver that does not state what others state has taken another way, as far as anyone can tell
    other = (by.max() > by.min()) | (is_stated & by.count().lt(by.size(), axis=0))
    return np.asarray(
        (other.any(axis=1) | ~is_stated.any(axis=1)).reindex(range(runs_compared.runs.shape[0]), fill_value=True), bool
    )


def job(given: Given) -> Made:
    """Make `summary` and `solver_runs` of costs and trials of all sources."""
    trials = given.read("trials", sorted({*contradictions.COLUMNS, *TRIAL_COLUMNS}))
    needed = dict(given.needed)
    options = replace(given.options(Options), **needed.pop("reckoned"))
    name, known = needed.pop("classes")
    return Made(summary(given.read("costs"), trials, options, by=name if known is None else keys.Family(name, known), **needed))


ENTRIES = described(__file__, partial(Indicator, options=Options), summary=job)
