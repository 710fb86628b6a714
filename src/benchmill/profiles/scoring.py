"""Scores of competitions: penalised means, solved then time, SMT-COMP's orders, MiniZinc's Borda count, CEC's score.

Each function takes `Runs` and returns keys (n_algorithms, n_keys): smaller is better, the first decides, the next part ties.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import Array, Mask, Ranks, UserError, beside, frozen, reals, schema
from benchmill.core.limits import INSTANCE
from benchmill.core.ranks import midranks
from benchmill.profiles.groups import ROW_KEYS, matrices
from benchmill.profiles.measures import competition_ranks
from benchmill.registry.criteria import SCORES, Score


@frozen
class Runs:
    """Costs that are scored, one an algorithm and problem.

    Attributes
    ----------
    cost, spent : (n_algorithms, n_problems) arrays
        inf = failure; what a failure spent, NaN where that is not known.
    beside : mapping of str to Runs
        Other measures of the same runs, by what the criterion takes them for.
    limit, shift : float
        What a run may cost: one above it has failed. What is added before logarithms are taken.
    """

    cost: Array
    spent: Array
    dimension: Array
    beside: Mapping[str, Runs] = field(default_factory=dict)
    limit: float | None = None
    shift: float = 10.0

    @property
    def failed(self) -> Mask:
        """Return True where a run has failed, or took more than it may."""
        return ~np.isfinite(self.cost) | (self.cost > (np.inf if self.limit is None else self.limit))

    def counted(self, factor: float) -> Array:
        """Return the costs, a failure counting `factor` times the limit."""
        return np.where(self.failed, factor * self._limit(self.failed), self.cost)

    @property
    def taken(self) -> Array:
        """Return the costs, a failure counting what it spent, at most the limit; the limit where that is not known."""
        unknown = self.failed & ~np.isfinite(self.spent)
        spent = np.where(unknown, self._limit(unknown), self.spent)
        return np.where(self.failed, spent if self.limit is None else np.minimum(spent, self.limit), self.cost)

    def _limit(self, where: Mask) -> float:
        if self.limit is None and where.any():
            raise UserError(
                "primary.limit: is missing, and runs have failed; say what a run may take, by which failures are scored."
            )
        return self.limit or 0.0

    def at(self, rows: Any, columns: Any) -> Runs:
        """Return the runs of some algorithms on some problems."""
        cut = {name: getattr(self, name)[rows][:, columns] for name in ("cost", "spent")}
        return replace(
            self,
            **cut,
            dimension=self.dimension[columns],
            beside={role: one.at(rows, columns) for role, one in self.beside.items()},
        )


def runs_of(table: pa.Table, ratios: schema.Tables, scale: schema.Facts) -> Runs:
    """Return the runs of a table of ratios, with those of the measures that `scale["beside"]` names, `limit` and `shift`.

    What was `added` for the ratios is taken off. A `UserError` where another measure has not just one cost for each algorithm and
    problem.
    """
    problems, names, (cost, spent) = matrices(table, ROW_KEYS, cost=np.inf, spent=np.nan)

    def of(one: pa.Table, *columns: str) -> Any:
        return one.select([*columns]).to_pandas().astype({name: object for name in columns if name in (*INSTANCE, "algorithm")})

    places = of(problems, *INSTANCE).assign(column=np.arange(cost.shape[1]))
    beside = {}
    for role, name in (scale.get("beside") or {}).items():
        mine = of(ratios[name], *INSTANCE, "algorithm", "cost", "spent").merge(places, on=[*INSTANCE])
        mine = mine[mine["algorithm"].isin(names)]
        if len(mine) != cost.size or mine.duplicated(["algorithm", "column"]).any():
            raise UserError(
                f"primary.beside.{role}: its measure does not have one cost for each algorithm on each problem; give it the "
                "same problems, and one target or budget."
            )
        wide = mine.pivot(index="algorithm", columns="column", values=["cost", "spent"]).loc[names]
        beside[role] = Runs(
            wide["cost"].to_numpy(float),
            wide["spent"].to_numpy(float),
            np.full(cost.shape[1], np.nan),
            limit=scale.get("limit") if role == "cpu" else None,
        )
    added = scale.get("added", 0.0)
    return Runs(
        cost - added,
        spent - added,
        problems.column("dimension").to_pandas().to_numpy(float),
        beside,
        scale.get("limit"),
        scale.get("shift", 10.0),
    )


def ranked(name: str, runs: Runs) -> tuple[Array, Ranks]:
    """Return the values of a criterion and the ranks by all of its keys; who is equal in all shares the smallest rank."""
    entry = SCORES[name]
    keys = entry.function(runs)  # type: ignore[misc]
    places = [
        tuple(int(rank) for rank in row)
        for row in np.stack([competition_ranks(column, larger_is_better=False) for column in keys.T], axis=1)
    ]
    first = {place: 1 + number for number, place in reversed(list(enumerate(sorted(places))))}
    return keys[:, 0] * (-1 if entry.larger_is_better else 1), np.array([first[place] for place in places], np.int32)


def penalised_mean(factor: float, runs: Runs) -> Array:
    """Return the mean cost, a failure counting a multiple of the limit: 2 is the score of the SAT Competition since 2017."""
    return reals(runs.counted(factor).mean(axis=1)[:, None])


def shifted_geometric_mean(runs: Runs) -> Array:
    """Return exp(mean(log(cost + shift))) - shift, a failure counting the limit: the score of Mittelmann's benchmarks."""
    cost = runs.counted(1) + runs.shift
    if not (cost > 0).all():
        raise UserError(
            "shifted_geometric_mean: costs below 0 remain after `mean_shift` is added; choose a larger one, or another criterion."
        )
    return reals(np.exp(np.log(cost).mean(axis=1)) - runs.shift)[:, None]


def solved_then_time(runs: Runs) -> Array:
    """Return the number of problems not failed, negated, and the sum of the costs on these."""
    return np.stack([-(~runs.failed).sum(axis=1), np.where(runs.failed, 0, runs.cost).sum(axis=1)], axis=1)


def smt_parallel(runs: Runs) -> Array:
    """Return errors, correct answers (negated), wall time and CPU time: SMT-COMP's order, of costs in wall time."""
    return np.column_stack([_answers(runs), runs.taken.sum(axis=1), runs.beside["cpu"].taken.sum(axis=1)])


def smt_sequential(runs: Runs) -> Array:
    """Return errors, correct answers (negated) and CPU time: SMT-COMP's order under a limit of CPU time, of costs in it."""
    return np.column_stack([_answers(runs), runs.taken.sum(axis=1)])


def _answers(runs: Runs) -> Array:
    """Return the numbers of wrong answers within the limit, and of correct ones, negated."""
    wrong = (runs.beside["errors"].cost > 0) & ~(runs.spent > (np.inf if runs.limit is None else runs.limit))
    return np.stack([wrong.sum(axis=1), -(~runs.failed & ~wrong).sum(axis=1)], axis=1).astype(float)


def borda(runs: Runs) -> Array:
    """Return the sum over problems and opponents of the points of the MiniZinc Challenge, negated.

    The better answer takes the point: a complete search before an answer, an answer before none, of two answers the better
    `quality`. Where answers are as good, times t and t' split it, t' / (t + t'); two that found nothing get none.
    """
    quality = runs.beside["quality"].cost if "quality" in runs.beside else np.full(runs.cost.shape, np.inf)
    level = np.where(~runs.failed, 2, np.isfinite(quality).astype(int))
    quality = np.where(level == 1, quality, 0.0)
    time = np.where(level > 0, runs.taken, 0.0)
    points = np.zeros(len(time))
    for i in range(len(time)):
        better = (level[i] > level) | ((level[i] == level) & (quality[i] < quality))
        same = (level[i] == level) & (quality[i] == quality) & (level > 0)
        both = time[i] + time
        shared = np.divide(time, both, out=np.full(both.shape, 0.5), where=both > 0)
        points[i] = np.delete(np.where(better, 1.0, np.where(same, shared, 0.0)), i, axis=0).sum()
    return -points[:, None]


def cec_ranks(runs: Runs) -> Array:
    """Return the sum over problems of ranks, equal costs and failures sharing the smallest: the order of CEC 2006."""
    ranks = [competition_ranks(column, larger_is_better=False) for column in np.where(runs.failed, np.inf, runs.cost).T]
    return reals(np.sum(ranks, axis=0))[:, None]


def cec(runs: Runs) -> Array:
    """Return the score of CEC's bound-constrained competitions since 2017, negated: 50 for the errors, 50 for their ranks.

    Both are sums over problems and dimensions, weights growing with the place of a dimension (0.1, 0.2, 0.3, 0.4 of four), and
    score as the smallest sum of all divided by the own one.
    """
    if (runs.cost < 0).any():
        raise UserError("primary.criterion: cec needs errors, and some costs are below 0; take a measure of differences.")
    place = np.unique(np.nan_to_num(runs.dimension), return_inverse=True)[1] + 1
    weight = place / np.unique(place).sum()
    sums = [np.dot(runs.cost, weight), np.dot(midranks(runs.cost.T).T, weight)]
    first, second = (
        50 * np.divide(own.min(), own, out=np.where(np.isinf(own), 0.0, 1.0), where=np.isfinite(own) & (own > 0)) for own in sums
    )
    return reals(-(first + second)[:, None])


_FUNCTIONS: dict[str, Callable[[Runs], Array]] = {
    "par2": partial(penalised_mean, 2),
    "par10": partial(penalised_mean, 10),
    **{one.__name__: one for one in (shifted_geometric_mean, solved_then_time, smt_parallel, smt_sequential)},
    **{one.__name__: one for one in (borda, cec_ranks, cec)},
}

ENTRIES = tuple(
    Score(name=name, function=_FUNCTIONS[name], **beside.fixed(facts)) for name, facts in beside.toml(__file__).items()
)
