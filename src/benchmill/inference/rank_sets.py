"""Which ranks each algorithm can have, and which can be the best: the order of the primary analysis with its uncertainty.

An algorithm's rank is one more than the number of algorithms that are better than it, by the net share of wins over clusters.
Nothing is assumed of how the shares of different pairs go together, as models of strengths do (`bradley_terry`): where algorithms
beat each other in a circle, none may be the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema, seeds
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import clusters
from benchmill.inference.design import Design
from benchmill.inference.effects import net_wins
from benchmill.inference.verdicts import Plan, pooled

Array = npt.NDArray[np.float64]

#: Numbers that are drawn at once, and leads that stay in the caches of a processor.
_CHUNK, _AT_ONCE = 2_000_000, 1 << 17


def rank_sets(designs: Mapping[str, Sequence[Design]], plan: Plan) -> pa.Table:
    """Make the table `rank_sets` of a study, of the measure and the targets of its primary analysis.

    Parameters
    ----------
    designs : mapping
        By measure, in the order of the study, its designs.
    plan : Plan

    Returns
    -------
    pyarrow.Table
        A row for each algorithm. Without clusters, or with one algorithm, none.
    """
    measure = plan.primary.measure or next(iter(designs), None)
    if measure is None or measure not in designs:
        return schema.of_rows("rank_sets", [])
    chosen = pooled(designs[measure], plan, measure)
    names = chosen[0].treatments if chosen else []
    of = clusters.of_blocks(chosen, plan.cluster_keys)
    if not of.size or len(names) < 2:
        return schema.of_rows("rank_sets", [])
    d = clusters.means(np.concatenate([net_wins(design.values) for design in chosen]), of)
    found = clusters.flips(d, seeds.stream(plan.seed, "rank_sets", measure), plan.alpha, plan.permutations)
    low, high = of_pairs(found.effect, found.p_adjusted <= plan.alpha, len(names))
    p = could_be_best(d, len(names), seeds.stream(plan.seed, "could_be_best", measure), plan.permutations)
    i, j = np.triu_indices(len(names), 1)
    share = (np.bincount(i, found.effect, len(names)) - np.bincount(j, found.effect, len(names))) / (len(names) - 1)
    rows: list[dict[str, Any]] = [
        {
            "measure": measure,
            "algorithm": name,
            "net_share": float(share[place]),
            "rank_low": int(low[place]),
            "rank_high": int(high[place]),
            "p_best": float(p[place]),
            "can_be_best": bool(p[place] > plan.alpha),
            "alpha": plan.alpha,
            "n_clusters": len(d),
            "n_cells": int(of.size),
        }
        for place, name in enumerate(names)
    ]
    return schema.of_rows("rank_sets", rows)


def of_pairs(effect: Array, decided: npt.NDArray[np.bool_], k: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Smallest and largest rank that each algorithm can have, by pairs that were decided with one level for the family.

    One more than the algorithms shown to be better, and k less those shown to be worse (Mogstad, Romano, Shaikh, Wilhelm 2024).
    All sets hold together with the chance with which no pair is decided falsely.

    Parameters
    ----------
    effect : (n_pairs,) array
        Above 0 where the first of the pair is better; pairs in the order of `numpy.triu_indices`.
    decided : (n_pairs,) bool array
    k : int
    """
    i, j = np.triu_indices(k, 1)
    first, second = decided & (effect > 0), decided & (effect < 0)
    worse_than = np.bincount(j, first, k) + np.bincount(i, second, k)
    better_than = np.bincount(i, first, k) + np.bincount(j, second, k)
    return (1 + worse_than).astype(np.int64), (k - better_than).astype(np.int64)


def could_be_best(d: Array, k: int, rng: np.random.Generator, permutations: int = 9999) -> Array:
    """For each algorithm the p value of the hypothesis that no other is better.

    The comparison with the best of Hsu (1981), by flips of the signs of whole clusters: the largest lead of another algorithm
    over this one, each lead its sum over the clusters by the root of its sum of squares. Only the k - 1 pairs of one algorithm
    are corrected for, since the truly best one is excluded by its own pairs alone. So the set of all with p above alpha has the
    best one in it with a chance of at least 1 - alpha.

    Parameters
    ----------
    d : (n_clusters, n_pairs) array
        Net shares of wins, above 0 where the first is better; NaN counts 0.
    k : int
    rng : numpy.random.Generator
    permutations : int
        Random flips, where there are too many to count.

    Returns
    -------
    (k,) array
        1 where no other algorithm leads.
    """
    filled = np.nan_to_num(d)
    squares = (filled**2).sum(axis=0)
    scaled = filled / np.sqrt(np.where(squares > 0, squares, 1.0))
    groups, m = scaled.shape
    # the pairs of each algorithm with all later ones
    pairs = [slice(start, stop) for start, stop in pairwise(np.cumsum([0, *range(k - 1, 0, -1)]).tolist())]

    def leads(sums: Iterable[Array], n: int) -> Array:
        lead = np.full((n, k), -np.inf)
        for one, own in enumerate(sums):
            np.maximum(lead[:, one], -own.min(axis=1), out=lead[:, one])
            np.maximum(lead[:, one + 1 :], own, out=lead[:, one + 1 :])
        return lead

    found = scaled.sum(axis=0)[None]
    observed = leads((found[:, own] for own in pairs), 1)[0] * (1 - TOLERANCE) - TOLERANCE
    counted = groups <= clusters.MOST_CLUSTERS and 2 ** (groups - 1) <= permutations
    total = 2 ** (groups - 1) if counted else permutations
    flips = np.concatenate([*clusters.signs(groups, total, max(1, _CHUNK // (m * 2)), None if counted else rng)])
    reached = np.zeros(k)
    for some in np.array_split(flips, math.ceil(total * k / _AT_ONCE)):
        # of all flips those that are counted are one half
        for signs in (some, -some) if counted else (some,):
            reached += (leads((signs @ scaled[:, own] for own in pairs), len(signs)) >= observed).sum(axis=0)
    p = reached / (2 * total) if counted else (reached + 1) / (total + 1)
    return np.asarray(np.where(observed > 0, p, 1.0), float)
