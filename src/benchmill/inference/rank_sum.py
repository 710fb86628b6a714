"""The rank-sum test of the best algorithm of a problem against each of the others, which stars of a table of ERT rest on.

As in COCO (cocopp 2.9, `toolsstats.significancetest`) the algorithm with the smallest ERT is compared with every other one, both
cut at the smallest budget of a failure; undecided trials are tied behind all others. p is multiplied by the number of problems,
dimensions and targets (Bonferroni); COCO counts the functions of a dimension alone.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, Index, TwoArrays, chunks, keys, limits, schema
from benchmill.core.ranks import midranks

#: Columns of the tables `costs` and `indicators` that `rank_sums` needs.
COLUMNS = {
    "costs": [*limits.INSTANCE, "algorithm", "measure", "target", "cost", "budget", "crashed", "n"],
    "indicators": [*limits.INSTANCE, "algorithm", "measure", "target", "ert"],
}

#: Up to so many ways to deal the ranks they are counted; beyond, the statistic is taken for normal.
_MOST_DEALS = 1000
_NUMBERS_AT_ONCE = 1 << 22


def rank_sum(x: ArrayLike, y: ArrayLike) -> TwoArrays:
    """Test pairs of samples, one a row, by the sum of their ranks (Wilcoxon, Mann and Whitney); inf = failure, two of which tie.

    Two-sided p by all ways to deal the ranks where these are at most 1000 (6 and 6 trials); beyond, from the normal distribution
    with correction for ties and for continuity. Returns p (1 where all are tied) and how far x is ahead, the mean rank of y less
    that of x.
    """
    from scipy.special import ndtr

    x, y = np.atleast_2d(np.asarray(x, float)), np.atleast_2d(np.asarray(y, float))
    n, m = x.shape[1], y.shape[1]
    ranks = midranks(np.concatenate([x, y], axis=1))
    total, mean = n * (n + m + 1) / 2, (n + m + 1) / 2
    off = np.abs(ranks[:, :n].sum(axis=1) - total)
    ahead = ranks[:, n:].mean(axis=1) - ranks[:, :n].mean(axis=1)
    if comb(n + m, n) <= _MOST_DEALS:
        deals = np.array(list(combinations(range(n + m), n)))
        p = np.empty(off.size)
        for rows in chunks(off.size, _NUMBERS_AT_ONCE // deals.size):
            # ranks are multiples of a half: a quarter is below any difference
            p[rows] = (np.abs(ranks[rows][:, deals].sum(axis=2) - total) >= off[rows, None] - 0.25).mean(axis=1)
        return p, ahead
    spread = np.sqrt(n * m / ((n + m) * (n + m - 1)) * ((ranks - mean) ** 2).sum(axis=1))
    return 2 * ndtr(-np.divide(np.maximum(off - 0.5, 0), spread, out=np.zeros(off.size), where=spread > 0)), ahead


def of_cells(cost: Array, budget: Array, offsets: Index, first: Index, second: Index) -> TwoArrays:
    """Test pairs of cells of trials, of any size, each cut at the smallest budget of a failure of the two.

    Trials `offsets[i]` to `offsets[i + 1]` are cell i; a budget is what a failure spent, NaN = not known. Returns p and `ahead`
    as of `rank_sum`; 1 and 0 where a cell has no trial.
    """
    p, ahead = np.ones(first.size), np.zeros(first.size)
    sample = np.stack([np.diff(offsets)[first], np.diff(offsets)[second]])
    for n, m in np.unique(sample[:, sample.all(axis=0)], axis=1).T:
        mine = np.flatnonzero((sample[0] == n) & (sample[1] == m))
        rows = [offsets[cell][mine, None] + np.arange(size) for cell, size in ((first, n), (second, m))]
        ends = (np.where(np.isinf(cost[r]) & ~np.isnan(budget[r]), budget[r], np.inf).min(axis=1) for r in rows)
        until = np.minimum(*ends)[:, None]
        p[mine], ahead[mine] = rank_sum(*(np.where(cost[r] > until, np.inf, cost[r]) for r in rows))
    return p, ahead


def rank_sums(
    costs: pa.Table,
    indicators: pa.Table,
    *,
    measure: str,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    alpha: float = 0.05,
    not_competing: Sequence[str] = (),
) -> pa.Table:
    """Compare the algorithm with the smallest ERT of every problem and target with all others: the table `rank_sums`.

    A problem that none solves, or with summaries in place of trials, has no rows. `p` is 1 where the best by ERT does not have
    the smaller mean rank.
    """
    point = [*problem_keys, "target"]
    data = keys.of_measure(keys.without(costs, not_competing), measure)
    described = keys.of_measure(indicators, measure)
    ((cell, said_cell), cells), ((algorithm, said_algorithm), algorithms) = (
        keys.together([data, described], columns) for columns in (point, ["algorithm"])
    )
    names = algorithms["algorithm"].cast(pa.string()).to_pylist()
    if not names:
        return schema.TABLES["rank_sums"].empty_table()
    k = len(names)
    order, offsets = keys.starts(cell * k + algorithm, cells.num_rows * k)
    cost, budget = data["cost"].to_numpy()[order], limits.stopped_at(data)[order]
    stands_for = data["n"].to_numpy()[order]
    sizes = np.diff(offsets).reshape(cells.num_rows, k)
    single = np.bincount(cell[order], stands_for != 1, cells.num_rows) == 0
    ert = np.full(sizes.shape, np.nan)
    ert[said_cell, said_algorithm] = schema.floats(described, "ert")
    ert[sizes == 0] = np.nan
    best = np.argmin(np.where(np.isnan(ert), np.inf, ert), axis=1)
    tested = np.isfinite(ert[np.arange(cells.num_rows), best]) & single
    c, j = np.nonzero(tested[:, None] & (sizes > 0) & (np.arange(k) != best[:, None]))
    p, ahead = of_cells(cost, budget, offsets, c * k + best[c], c * k + j)
    p[ahead <= 0] = 1.0
    n_cells = int(tested.sum())
    adjusted = np.minimum(p * n_cells, 1.0)
    words = pa.array(names, pa.string())
    return schema.table(
        "rank_sums",
        {
            "measure": measure,
            # words anew, so that none is stored that no row has
            **cells.select(point).take(pa.array(c)).to_pydict(),
            "algorithm": words.take(pa.array(j)),
            "best": words.take(pa.array(best[c])),
            "ahead": ahead,
            "p": p,
            "p_adjusted": adjusted,
            "n_cells": n_cells,
            "alpha": float(alpha),
            "significant": adjusted <= alpha,
        },
    )
