"""Sets of targets: which of a measure's targets a distribution is taken over, and how the ranking depends on the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import keys, replicates, schema, storage
from benchmill.core.arrays import Array, Mask
from benchmill.core.errors import UserError
from benchmill.core.options import TARGETS, made, option, some
from benchmill.indicators.curves import PAIR, Sources, inside
from benchmill.indicators.ecdf import COLUMNS, USUAL, Options, Pairs, pairs
from benchmill.indicators.job import Given, Made
from benchmill.registry.indicators import TARGET_SETS, Indicator, OptionSet

_PROBLEM = ["suite", "problem", "dimension"]


class Candidates(NamedTuple):
    """The targets of a measure on every problem, easiest first; masks are (n_problems, n_targets).

    Attributes
    ----------
    ert : (n_algorithms, n_problems, n_targets) array
        NaN where an algorithm has no trial, and where the budget of a failure is unknown.
    immediate : mask
        Whether every trial reached it with its first evaluation.
    """

    problems: pa.Table
    targets: Array
    algorithms: list[str]
    present: Mask
    ert: Array
    reached: Mask
    immediate: Mask


def counted(costs: pa.Table | Sequence[pa.Table] | Pairs) -> pa.Table:
    """Return what the choice of targets is made from, a row for each algorithm, problem and target."""
    of = pairs(costs)
    cost, budget = of.costs.column("cost").to_numpy(), schema.floats(of.costs, "budget")
    order, offsets = keys.starts(of.pair, of.keys.num_rows)
    numbers = {
        "ert": replicates.ert(cost[order], budget[order], offsets),
        "reached": replicates.totals(np.isfinite(cost)[order], offsets) > 0,
        "later": replicates.totals((cost > 1)[order], offsets) > 0,
    }
    return pa.table({**{name: of.keys.column(name) for name in (*PAIR, "algorithm")}, **numbers})


def candidates(tables: Sequence[pa.Table]) -> Candidates:
    """Return what the choice of targets is made from: what is `counted` of the sources, of one fixed-target measure."""
    of = schema.concatenate(tables)
    problem, problems = keys.cells(of, _PROBLEM)
    algorithm, algorithms = keys.cells(of, ["algorithm"])
    value = of.column("target").to_numpy()
    targets = np.unique(value)[::-1]
    level = targets.size - 1 - np.searchsorted(targets[::-1], value)
    ert = np.full((algorithms.num_rows, problems.num_rows, targets.size), np.nan)
    ert[algorithm, problem, level] = of.column("ert").to_numpy()
    present, reached, later = (np.zeros(ert.shape[1:], bool) for _ in range(3))
    present[problem, level] = True
    for mask, column in ((reached, "reached"), (later, "later")):
        rows = np.asarray(of.column(column), bool)
        mask[problem[rows], level[rows]] = True
    names = [str(name) for name in algorithms.column("algorithm").to_pylist()]
    return Candidates(problems, targets, names, present, ert, reached, present & ~later)


def between_limits(of: Candidates, number: int | None = None) -> Mask:
    """Return the targets between the limits of the data: reached by some trial, and not by every trial with its first evaluation.

    `number` values with logarithmic spacing between the two limits of a problem, each moved to the nearest candidate; those that
    meet count once. None on a problem on which nothing is reached or everything at once.
    """
    inside = of.present & of.reached & ~of.immediate
    if number is None:
        return inside
    if number < 2:
        raise UserError(f"target_sets: number is {number}, expected at least 2.")
    if (of.targets <= 0).any():
        raise UserError("target_sets: targets with logarithmic spacing must be positive; leave out number.")
    chosen = np.zeros_like(inside)
    logs = np.log10(of.targets)
    for row in np.flatnonzero(inside.any(axis=1)):
        own = np.flatnonzero(inside[row])
        wanted = np.linspace(logs[own[0]], logs[own[-1]], number)
        chosen[row, own[np.argmin(np.abs(logs[own][None, :] - wanted[:, None]), axis=1)]] = True
    return chosen


def by_budgets(of: Candidates, budgets: Sequence[float], reference: str = "best") -> Mask:
    """Return the targets that a reference algorithm just fails to reach within given budgets, different for every problem.

    For each budget b, in evaluations per dimension, the easiest target f with ERT_ref(f) > max(1, b) (Hansen et al. 2021, section
    4.3: runlength-based targets), or the hardest candidate where the reference reaches them all. Budgets that lead to the same
    target count once. `best` is the smallest ERT of any algorithm, target by target.
    """
    if not of.present.size:
        return np.zeros_like(of.present)
    if reference == "best":
        ert = np.where(np.isnan(of.ert), np.inf, of.ert).min(axis=0, initial=np.inf)
    elif reference in of.algorithms:
        ert = of.ert[of.algorithms.index(reference)]
    else:
        raise UserError(f"target_sets: the reference {reference!r} is no algorithm of the study; expected best or one of them.")
    lost = of.reached & ~np.isfinite(ert) if reference == "best" else np.isnan(ert) & of.present
    unknown = lost.any(axis=1)
    if unknown.any():
        where = keys.described(of.problems.slice(int(np.argmax(unknown)), 1).to_pylist()[0])
        raise UserError(
            f"target_sets: the expected running time of the reference {reference!r} is not known on {where} (no trials, or "
            "failures without a budget); name another reference or leave budgets out of the target sets."
        )
    scale = schema.floats(of.problems, "dimension")
    if np.isnan(scale).any():
        name = of.problems.column("problem")[int(np.argmax(np.isnan(scale)))].as_py()
        raise UserError(
            f"target_sets: problem {name} has no dimension to multiply budgets by; leave budgets out of the target sets."
        )
    chosen = np.zeros_like(of.present)
    hardest = of.present.shape[1] - 1 - np.argmax(of.present[:, ::-1], axis=1)
    for budget in budgets:
        missed = of.present & (ert > np.maximum(1.0, budget * scale)[:, None])
        chosen[np.arange(scale.size), np.where(missed.any(axis=1), np.argmax(missed, axis=1), hardest)] = True
    return chosen


def fixed(of: Candidates, targets: Sequence[float]) -> Mask:
    """Return the given targets on every problem."""
    wanted = np.asarray(targets, float)
    near = np.abs(of.targets[None, :] - wanted[:, None]) <= 1e-12 * np.abs(wanted)[:, None]
    if not near.any(axis=1).all():
        stranger = wanted[~near.any(axis=1)][0]
        raise UserError(f"target_sets: {stranger:g} is not among the targets of the ECDF; add it to indicators.ecdf.targets.")
    return np.asarray(of.present & near.any(axis=0), bool)


@dataclass(frozen=True)
class All:
    """All targets of the ECDF."""

    def chosen(self, of: Candidates) -> Mask:
        """Return the targets of the set on every problem."""
        return of.present


@dataclass(frozen=True, kw_only=True)
class Fixed:
    """See `fixed`."""

    targets: tuple[float, ...] = option("Some targets of the ECDF.", **TARGETS)

    def chosen(self, of: Candidates) -> Mask:
        """Return the targets of the set on every problem."""
        return fixed(of, self.targets)


@dataclass(frozen=True, kw_only=True)
class BetweenLimits:
    """See `between_limits`."""

    number: int | None = option(
        "So many with logarithmic spacing between the limits of each problem; by default all in between.",
        None,
        type=["integer", "null"],
        minimum=2,
    )

    def chosen(self, of: Candidates) -> Mask:
        """Return the targets of the set on every problem."""
        return between_limits(of, self.number)


@dataclass(frozen=True, kw_only=True)
class OfBudgets:
    """See `by_budgets`."""

    budgets: tuple[float, ...] = some(
        "In evaluations per dimension: for each the easiest target that the reference does not reach within it.",
        (0.5, 1.2, 3, 10, 50),
        items={"type": "number", "exclusiveMinimum": 0},
    )
    reference: str = option("An algorithm of the study, or `best` for the smallest ERT of any, target by target.", "best")

    def chosen(self, of: Candidates) -> Mask:
        """Return the targets of the set on every problem."""
        return by_budgets(of, self.budgets, self.reference)


def chosen(of: Candidates, settings: Mapping[str, Any]) -> Mask:
    """Return the targets of a set as the study describes it: its `kind` and the options of the kind."""
    kind = settings["kind"]
    if kind not in TARGET_SETS:
        raise UserError(f"target_sets: there is no kind {kind!r}, expected one of {', '.join(TARGET_SETS)}.")
    options = {key: value for key, value in settings.items() if key != "kind"}
    mask: Mask = made(TARGET_SETS[kind].options, options, f"target_sets: the kind {kind!r}").chosen(of)
    return mask


def target_sets(costs: pa.Table | Sequence[pa.Table] | Candidates, sets: Mapping[str, Mapping[str, Any]]) -> pa.Table:
    """Return the table `target_sets`: the targets of every set, by its `kind` and the options of the kind, on every problem."""
    of = costs if isinstance(costs, Candidates) else candidates([counted(costs)])
    names, problems, levels = [], [], []
    for name, settings in sets.items():
        problem, level = np.nonzero(chosen(of, settings))
        names += [name] * problem.size
        problems.append(problem)
        levels.append(level)
    index = np.concatenate([*problems, np.zeros(0, np.int64)])
    rows = pa.array(index)
    level = np.concatenate([*levels, np.zeros(0, np.int64)])
    best = np.where(np.isnan(of.ert), np.inf, of.ert).min(axis=0, initial=np.inf)
    return schema.table(
        "target_sets",
        {
            "target_set": names,
            **{name: of.problems.column(name).take(rows) for name in _PROBLEM},
            "target": of.targets[level],
            "best_ert": best[index, level],
        },
    )


def target_sensitivity(
    costs: Sequence[pa.Table] | Sources,
    sets: pa.Table,
    options: Options = USUAL,
    reports: Sequence[Mapping[str, Any]] = (),
) -> pa.Table:
    """Return the table `target_sensitivity`: how areas under the ECDF, and ranks by `area_log`, depend on the set of targets.

    Ties share the smallest rank.
    """
    options = replace(options, restarts=0, bands=None)
    of = costs if isinstance(costs, Sources) else Sources([partial(schema.concatenate, [one]) for one in costs], options, reports)
    parts = []
    first: dict[tuple[Any, ...], tuple[list[str], Array]] = {}
    names = list(dict.fromkeys(sets.column("target_set").to_pylist()))
    masks = [inside(of.keys, sets, name) for name in names]
    for name, mask, found in zip(names, masks, of.curves("problem", options, within=masks), strict=True):
        curves = found.described
        panel, panels = keys.cells(curves, ["suite", "dimension"])
        order, offsets = keys.starts(panel, panels.num_rows)
        area = curves.column("area_log").to_numpy()
        rank, tau = np.zeros(area.size, np.int32), np.full(area.size, np.nan)
        algorithms = curves.column("algorithm").to_pylist()
        for number, (start, end) in enumerate(pairwise(offsets)):
            rows = order[start:end]
            rank[rows] = 1 + (area[rows][None, :] > area[rows][:, None]).sum(axis=1)
            here = [algorithms[row] for row in rows]
            others, reference = first.setdefault(tuple(panels.slice(number, 1).to_pylist()[0].values()), (here, area[rows]))
            if others == here:
                tau[rows] = kendall_tau(area[rows], reference)
        parts.append(
            schema.table(
                "target_sensitivity",
                {
                    "target_set": name,
                    **{key: curves.column(key) for key in ("suite", "dimension", "algorithm", "n_problems", "n_targets")},
                    "n_pairs": _n_pairs(of.keys.filter(pa.array(mask)), curves),
                    **{key: curves.column(key) for key in ("solved", "area", "area_log", "x_from", "x_to", "x_unit")},
                    **{key: curves.column(key) for key in ("n_trials", "n_instances", "n_missing", "budget_rule")},
                    "rank": rank,
                    "kendall_tau": pa.array(tau, mask=np.isnan(tau)),
                },
            )
        )
    return schema.concatenate(parts) if parts else schema.TABLES["target_sensitivity"].empty_table()


def _n_pairs(of: pa.Table, curves: pa.Table) -> npt.NDArray[np.int32]:
    """Return the number of (problem, target) pairs of the suite and dimension of each curve."""
    _, distinct = keys.cells(of, PAIR)
    (code, of_curve), panels = keys.together([distinct, curves], ["suite", "dimension"])
    return np.bincount(code, minlength=panels.num_rows)[of_curve].astype(np.int32)


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Kendall's tau-b of two rankings of the same items (Kendall 1945): 1 the same order, -1 the reverse.

    NaN where one of them ties all items, and for fewer than two.
    """
    x, y = np.asarray(a, float), np.asarray(b, float)
    upper = np.triu_indices(x.size, 1)
    s, t = (np.sign(v[upper[0]] - v[upper[1]]) for v in (x, y))
    scale = np.sqrt((s**2).sum() * (t**2).sum())
    return float((s * t).sum() / scale) if scale > 0 else float("nan")


def job(given: Given) -> Made:
    """Make `target_sets` and `target_sensitivity` of running times of all sources."""
    read = [partial(storage.read, path, "costs", COLUMNS) for path in given.files["costs"]]
    options = given.options(Options)
    digests = [storage.digest(path) for path in given.files["costs"]]
    costs = Sources(read, options, given.reports, counted, given.kept, digests)
    sets = target_sets(candidates(costs.looked), given.needed["sets"])
    return Made({"target_sets": sets, "target_sensitivity": target_sensitivity(costs, sets, options)})


ENTRIES = (
    Indicator(
        "target_sets",
        "how algorithms rank over sets of targets",
        function=job,
        each="ecdf",
        section="indicators.ecdf",
        keys=("x", "weight", "area"),
        needs=("costs", "ingest", "sets"),
        makes={
            "target_sets": "a target of a set on a problem",
            "target_sensitivity": "an algorithm × set of targets × dimension: area under its ECDF, rank",
        },
    ),
    OptionSet("all", "all targets of the ECDF", options=All),
    OptionSet("fixed", "these targets", options=Fixed),
    OptionSet(
        "between_limits",
        "targets that some trial reaches, and not every trial with its first evaluation",
        options=BetweenLimits,
    ),
    OptionSet(
        "budgets",
        "targets that a reference just fails to reach within given budgets",
        references=("hansen2021",),
        options=OfBudgets,
    ),
)
