"""Standings and leaders: the rank of every algorithm by each measure of a profile or by the costs themselves.

`standings` makes Table VI of Barbosa, Bernardino, Barreto 2010 for any study: one rank a measure and criterion, ties sharing the
smallest, and the rank of the sum of ranks by which the competition of its Table IV was decided.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Amounts, Array, Numbers, Ranks, UserError, keys, reals, schema
from benchmill.profiles import scoring
from benchmill.profiles.groups import ROW_KEYS, groups, matrices, stopped_and_late
from benchmill.profiles.measures import average_ranks, competition_ranks, measures, rank_sums
from benchmill.profiles.options import Options
from benchmill.profiles.ratios import performance_ratios
from benchmill.registry.criteria import CRITERIA, DEFAULT, OF_ANY_COST, SCORES, headlines, named

#: Columns of the table `ratios` that `leaders` reads.
COLUMNS = [*ROW_KEYS, "algorithm", "cost", "spent", "crashed", "n_late", "n_trials", "included"]


def standings(
    profile_measures: pa.Table,
    ratios: schema.Tables,
    *,
    options: Options,
    rates: Sequence[str] = (),
    rank_sum: Sequence[str] = ("auc",),
    elsewhere: Mapping[str, Amounts] | None = None,
    not_competing: Sequence[str] = (),
) -> pa.Table:
    """Rank the algorithms by every criterion that a variant has, measure by measure and over all measures: the table `standings`.

    The ranks by `rank_sum`, names in `benchmill.registry.criteria`, are added, with those from `elsewhere`, by what they are and
    algorithm.
    """
    if unknown := [criterion for criterion in rank_sum if criterion not in CRITERIA]:
        raise UserError(f"standings: rank_sum names {unknown[0]!r}, expected some of {', '.join(CRITERIA)}.")
    options = Options(by=options.by, groups=options.groups, weights=options.weights, unsolved=options.unsolved)
    parts = []
    # of each dimension and target: measure, algorithms and ranks by each criterion
    added: dict[tuple[Any, Any], list[tuple[str, list[str], Ranks]]] = {}
    profile_measures = keys.without(profile_measures, not_competing)
    for measure, table in ratios.items():
        by_group = defaultdict[tuple[Any, Any], dict[str, schema.Row]](dict)
        for row in keys.of_measure(profile_measures, measure).to_pylist():
            by_group[row["dimension"], row["target"]][row["algorithm"]] = row
        for group in groups(table, measure, options):
            where = (group.keys["dimension"], group.keys["target"])
            # a variant may be of some of the algorithms only, and none of these need compete
            names = [name for name in group.algorithms if name in by_group[where]]
            if not names:
                continue
            mine = [by_group[where][name] for name in names]
            costs = group.costs[[name in by_group[where] for name in group.algorithms]]
            columns = {name: np.array([row[name] for row in mine]) for name in mine[0] if mine[0][name] is not None}
            shared = {"measure": measure, "variant": mine[0]["variant"], **group.keys}
            facts = {key: mine[0][key] for key in ("tau_max", "epsilon", "n_problems", "n_unsolved")}
            for criterion, (values, ranks) in ordered(columns, costs, group.weights, rated=measure in rates).items():
                parts.append(_part({**shared, **facts}, criterion, names, values, ranks))
                if criterion in rank_sum:
                    added.setdefault(where, []).append((measure, names, ranks))
    variant = next((part["variant"] for part in parts), "")
    for (dimension, target), of_criterion in added.items():
        algorithms = of_criterion[0][1]
        if {measure for measure, *_ in of_criterion} == set(ratios) and all(names == algorithms for _, names, _ in of_criterion):
            every = [ranks.astype(float) for *_, ranks in of_criterion] + _from_elsewhere(elsewhere or {}, algorithms)
            sums, final = rank_sums(np.stack(every, axis=1))
            facts = {"measure": None, "variant": variant, "dimension": dimension, "target": target, "n_added": len(every)}
            parts.append(_part(facts, "rank_sum", algorithms, sums, final))
    return schema.stacked("standings", parts)


def _from_elsewhere(ranks: Mapping[str, Amounts], algorithms: Sequence[str]) -> list[Array]:
    """Return the stated ranks of these algorithms, each kind by itself."""
    for name, stated in ranks.items():
        lacking = [algorithm for algorithm in algorithms if algorithm not in stated]
        if lacking:
            raise UserError(
                f"standings.ranks.{name}: there is no rank of {lacking[0]!r}; give one for each algorithm that competes."
            )
    return [np.array([stated[algorithm] for algorithm in algorithms], float) for stated in ranks.values()]


def ordered(
    columns: Mapping[str, Numbers],
    costs: Array,
    weights: Array | None = None,
    *,
    rated: bool = False,
) -> dict[str, tuple[Array, Ranks]]:
    """Return the values and ranks of the algorithms by every criterion that is defined for a profile.

    `columns` are those of `profile_measures` that the variant has; `rated` says that the costs are 1 / rate.
    """
    flat = not columns["auc"].any()
    by_criterion = {}
    for name, entry in CRITERIA.items():
        if entry.column in columns:
            values = columns["rho_1" if flat and name in ("auc", "auc_log") else entry.column]
        elif not entry.function or (entry.of_rates and not rated):
            continue
        else:
            values = entry.function(costs, weights)
        # ranks among more algorithms than these order them, and become ranks among these
        own = competition_ranks(
            columns[entry.ranks] if entry.ranks else values, larger_is_better=entry.larger_is_better and not entry.ranks
        )
        by_criterion[name] = reals(values), np.asarray(own, np.int32)
    return by_criterion


def _part(shared: schema.Facts, criterion: str, algorithms: Sequence[str], values: Array, ranks: Ranks) -> schema.Row:
    """Return columns of the algorithms by one criterion, or by the sum of ranks, which is better when smaller."""
    return {
        **shared,
        "criterion": criterion,
        "algorithm": algorithms,
        "value": values,
        "larger_is_better": criterion in CRITERIA and CRITERIA[criterion].larger_is_better,
        "rank": ranks,
        "n_sharing": np.bincount(ranks)[ranks],
    }


# --- leaders -----------------------------------------------------------------------------------


def leaders(
    ratios: schema.Tables,
    *,
    criterion: str = DEFAULT,
    measure: str | None = None,
    targets: Sequence[float] | None = None,
    rates: Sequence[str] = (),
    not_competing: Sequence[str] = (),
    also: Sequence[str] = (),
    scale: schema.Facts | None = None,
) -> pa.Table:
    """Put the algorithms in order by every criterion, measure by measure, the headline first: the table `leaders`.

    Parameters
    ----------
    also : sequence of str
        Scores of competitions by which the primary measure is ranked beside the criterion.
    scale : mapping, optional
        What scores take: `limit` and `shift` (`benchmill.profiles.scoring.Runs`), and `beside`, measures by what they are for.
    measure, targets : optional
        The measure of the primary analysis (by default the first), and its targets or budgets, where they are not all.
    """
    if criterion not in headlines():
        raise UserError(f"criterion: there is no criterion {criterion!r}, expected one of {', '.join(headlines())}.")
    primary = next(iter(ratios), None) if measure is None else measure
    if named(criterion).of_rates and primary not in (None, *rates):
        raise UserError(f"criterion: {criterion} needs rates, and the measure {primary!r} has none; choose another criterion.")
    parts = []
    for name, table in ratios.items():
        data = keys.ratios_without(table.select(COLUMNS), not_competing)
        data = data.filter(data.column("included"))
        if name == primary and targets is not None:
            data = data.filter(
                pc.is_in(pc.coalesce(data.column("target"), data.column("at_budget")), pa.array(targets, pa.float64()))
            )
        if data.num_rows:
            scores = [one for one in dict.fromkeys([criterion, *also]) if one in SCORES and name == primary]
            runs = scoring.runs_of(data, ratios, scale or {}) if scores else None
            parts += _of_measure(data, name, criterion, name in rates, {one: scoring.ranked(one, runs) for one in scores if runs})
    return schema.stacked("leaders", parts)


def _of_measure(
    data: pa.Table, measure: str, criterion: str, rated: bool, scores: Mapping[str, tuple[Array, Any]]
) -> list[schema.Row]:
    _, names, (costs,) = matrices(data, ROW_KEYS, cost=np.inf)
    stopped, late = stopped_and_late(data)
    by_criterion, tau_max = by_costs(costs, rated)
    by_criterion |= scores
    headline = next(name for name in (criterion, DEFAULT, OF_ANY_COST) if name in by_criterion)
    return [
        {
            "measure": measure,
            "criterion": name,
            "headline": name == headline,
            "algorithm": names,
            "value": values,
            "larger_is_better": named(name).larger_is_better,
            "rank": ranks,
            "tau_max": tau_max,
            "n_problems": costs.shape[1],
            "n_stopped": stopped,
            "n_late": late,
        }
        for name, (values, ranks) in sorted(by_criterion.items(), key=lambda one: one[0] != headline)
    ]


def by_costs(costs: Array, rated: bool) -> tuple[dict[str, tuple[Array, Ranks]], float | None]:
    """Return the values and ranks of the algorithms by criterion, and tau_max; of costs that are not positive by ranks alone."""
    if not (costs > 0).all():
        values = average_ranks(costs)
        return {OF_ANY_COST: (values, competition_ranks(values, larger_is_better=False))}, None
    ratios = performance_ratios(costs)[0]
    tau_max = float(ratios[np.isfinite(ratios)].max(initial=1.0))
    return ordered(measures(ratios, tau_max), costs, rated=rated), tau_max
