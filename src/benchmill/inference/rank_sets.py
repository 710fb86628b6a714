"""Which ranks each algorithm can have, and which can be the best: the order of the primary analysis with its uncertainty.

An algorithm's rank is one more than the number of algorithms that are better than it, by the net share of wins over clusters.
Nothing is assumed of how the shares of different pairs go together, as models of strengths do (`bradley_terry`): where algorithms
beat each other in a circle, none may be the best.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema
from benchmill.inference.verdicts import Tested

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def rank_sets(tested: Tested | None) -> pa.Table:
    """Make the table `rank_sets` of a study, by what its primary analysis says of pairs.

    Parameters
    ----------
    tested : Tested or None
        See `verdicts.primary`. Where it is about the pairs with a control alone, the sets are what these tell.

    Returns
    -------
    pyarrow.Table
        A row for each algorithm. Without clusters, or with one algorithm, none.
    """
    if tested is None or not tested.of.size or len(tested.families[0].names) < 2:
        return schema.of_rows("rank_sets", [])
    (family,), found, alpha = tested.families, tested.found, tested.plan.alpha
    low, high = of_pairs(found.effect, found.p_adjusted <= alpha, len(family.names), (family.a, family.b))
    rows: list[dict[str, Any]] = [
        {
            "measure": family.measure,
            "algorithm": name,
            "net_share": tested.leads[0][name],
            "rank_low": int(low[place]),
            "rank_high": int(high[place]),
            "can_be_best": bool(low[place] == 1),
            "alpha": alpha,
            "n_clusters": int(tested.of.max()) + 1,
            "n_cells": int(tested.of.size),
        }
        for place, name in enumerate(family.names)
    ]
    return schema.of_rows("rank_sets", rows)


def of_pairs(
    effect: Array, decided: npt.NDArray[np.bool_], k: int, pairs: tuple[Places, Places] | None = None
) -> tuple[Places, Places]:
    """Smallest and largest rank that each algorithm can have, by pairs that were decided with one level for the family.

    One more than the algorithms shown to be better, and k less those shown to be worse (Mogstad, Romano, Shaikh, Wilhelm 2024).
    All sets hold together with the chance with which no pair is decided falsely.

    Parameters
    ----------
    effect : (n_pairs,) array
        Above 0 where the first of the pair is better.
    pairs : two (n_pairs,) int arrays, optional
        The first and the second of each pair; by default all pairs in the order of `numpy.triu_indices`.
    """
    i, j = np.triu_indices(k, 1) if pairs is None else pairs
    first, second = decided & (effect > 0), decided & (effect < 0)
    worse_than = np.bincount(j, first, k) + np.bincount(i, second, k)
    better_than = np.bincount(i, first, k) + np.bincount(j, second, k)
    return (1 + worse_than).astype(np.int64), (k - better_than).astype(np.int64)
