"""Leaders by the pairs of the primary analysis: net shares of wins, ranks that each can have, and the scores behind a pair.

Nothing is assumed of how the shares of different pairs go together: where algorithms beat each other in a circle, none may be the
best.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmill.core import Array, Index, Mask, keys, natural_key
from benchmill.inference import clusters
from benchmill.inference.design import Designs, net_wins


def net_shares(d: Array, names: Sequence[str]) -> dict[str, float]:
    """Return the mean net share of wins of each algorithm over all others, by the scores of all pairs (n_clusters, n_pairs)."""
    k = len(names)
    if k < 2 or np.isnan(d).all():
        return {}
    mean = np.nanmean(d, axis=0)
    i, j = np.triu_indices(k, 1)
    total = np.bincount(i, mean, k) - np.bincount(j, mean, k)
    # sums that are 0 on paper differ in the last bits
    return dict(zip(names, (total / (k - 1)).round(12).tolist(), strict=True))


def most_wins(first: Sequence[str], second: Sequence[str], effect: Sequence[float | None]) -> list[str]:
    """Return the algorithm with the largest sum of effects over its pairs, of equal ones the first by name; or none."""
    total: dict[str, float] = {}
    for a, b, share in zip(first, second, effect, strict=True):
        total[a], total[b] = total.get(a, 0.0) + (share or 0.0), total.get(b, 0.0) - (share or 0.0)
    return sorted(total, key=lambda name: (-total[name], natural_key(name)))[:1]


def rank_sets(effect: Array, decided: Mask, k: int, pairs: tuple[Index, Index] | None = None) -> tuple[Index, Index]:
    """Return the smallest and the largest rank that each algorithm can have; who has a smallest rank of 1 can be the best.

    One more than the algorithms shown to be better, and k less those shown to be worse (Mogstad, Romano, Shaikh, Wilhelm 2024).
    All sets hold together with the chance with which no pair is decided falsely. The effect is above 0 where the first of a pair
    is better; by default pairs are all in the order of `numpy.triu_indices`.
    """
    i, j = np.triu_indices(k, 1) if pairs is None else pairs
    first, second = decided & (effect > 0), decided & (effect < 0)
    worse_than = np.bincount(j, first, k) + np.bincount(i, second, k)
    better_than = np.bincount(i, first, k) + np.bincount(j, second, k)
    return (1 + worse_than).astype(np.int64), (k - better_than).astype(np.int64)


# --- behind a pair ------------------------------------------------------------------------------


def of_pair(designs: Designs, cluster_keys: keys.Keys, first: str, second: str) -> pd.DataFrame:
    """Return one row a cluster: its name, cells, and the mean net share of wins of the first algorithm over the second.

    The mean of `score` over the rows is the effect that the verdict states. Rows with the least are first: those against.
    """
    cluster, names = clusters.named(designs, cluster_keys)
    cells = [net_wins(one.values[:, [one.treatments.index(first), one.treatments.index(second)]]) for one in designs]
    score = clusters.means(np.concatenate(cells), cluster)[:, 0] if cluster.size else np.zeros(0)
    return pd.DataFrame(
        {"cluster": clusters.in_words(names), "n_cells": np.bincount(cluster, minlength=len(names)), "score": score}
    ).sort_values("score", kind="stable", ignore_index=True)


def of_cells(designs: Designs, cluster_keys: keys.Keys, first: str, second: str) -> pd.DataFrame:
    """Return one row a cell: its problem, target or budget, median cost of each algorithm, score of the first, and cluster."""
    parts = [pd.DataFrame()]
    cluster, names = clusters.named(designs, cluster_keys)
    for one in designs:
        values = one.values[:, [one.treatments.index(first), one.treatments.index(second)]]
        middle = np.quantile(values, 0.5, axis=2, method="inverted_cdf") if values.size else np.zeros((0, 2))
        part = pd.DataFrame(one.problems or [{"problem": block} for block in one.blocks])
        part = part.assign(target=one.target, at_budget=one.at_budget, cost_a=middle[:, 0], cost_b=middle[:, 1])
        parts.append(part.assign(score=net_wins(values)[:, 0]))
    return pd.concat(parts, ignore_index=True).assign(cluster=np.array(clusters.in_words(names), object)[cluster])
