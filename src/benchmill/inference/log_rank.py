"""The log-rank test, stratified by problem: runs that stop without success are censored where they stop."""

import numpy as np

from benchmill.core import ArrayLike, Generator, Index, TwoArrays, quietly
from benchmill.inference import draws
from benchmill.inference.clusters import MAX_T, flips, totals
from benchmill.inference.comparisons import Pairs
from benchmill.inference.design import Outcome, cells
from benchmill.inference.permutation import labels_permuted
from benchmill.registry.entry import described
from benchmill.registry.inference import Comparison, OmnibusTest

#: Its name in the registries of tests and of comparisons.
ALL, PAIRS = "log_rank", "log_rank_pairs"


def scores(values: ArrayLike, budgets: ArrayLike | None = None) -> TwoArrays:
    """Return for every block and treatment the successes less those expected, and their variance, (n_blocks, n_treatments) each.

    At the time of each success with n runs under way, n_i of them of treatment i, and d successes at that time, n_i / n of a
    success is expected of i, and V_i = n_i (n - n_i) / n^2 (n - d) / (n - 1) for each (Mantel 1966). A run that fails is under
    way up to its budget, that time included, or without one for ever. Scores of a block add up to 0.
    """
    x = cells(values)
    b, k, r = x.shape
    end = np.full(x.shape, np.nan) if budgets is None else np.asarray(budgets, float).reshape(x.shape)
    # a failure may have a cost that stands for it
    solved = (np.isfinite(x) & np.isnan(end)).reshape(b, k * r)
    time = np.where(np.isnan(end), x, end).reshape(b, k * r)
    score, variance = np.zeros((b, k)), np.zeros((b, k))
    for run in range(k * r):
        # the success of this run of every block
        here = solved[:, run]
        under_way = (time >= time[:, run, None]).reshape(b, k, r).sum(axis=2)
        n = under_way.sum(axis=1)
        together = ((time == time[:, run, None]) & solved).sum(axis=1)
        share = under_way / n[:, None]
        expected = -share
        expected[:, run // r] += 1
        score += np.where(here[:, None], expected, 0.0)
        ties = (n - together) / np.maximum(n - 1, 1)
        variance += np.where(here[:, None], share * (1 - share) * ties[:, None], 0.0)
    return score, variance


def outcomes(
    values: ArrayLike,
    clusters: Index,
    rng: Generator,
    permutations: int = draws.MOST,
    budgets: ArrayLike | None = None,
    alpha: float = 0.05,
) -> list[Outcome]:
    """Test that all treatments have one distribution of times on each problem: labels are permuted within whole clusters.

    The statistic is the sum over the treatments of the squared sum of their scores; undefined where no run succeeds, or all at
    once.
    """
    return [labels_permuted(ALL, totals(scores(values, budgets)[0], clusters), rng, permutations, alpha)]


@quietly()
def pairs(
    values: ArrayLike,
    clusters: Index,
    rng: Generator,
    alpha: float = 0.05,
    permutations: int = draws.MOST,
    budgets: ArrayLike | None = None,
) -> Pairs:
    """Compare all pairs, each by the stratified log-rank test of the two alone, by flips of the signs of whole clusters.

    `difference` is the logarithm of the ratio of hazards of b and a by one step, -sum of scores / sum of variances (Peto and
    others 1977); NaN where neither succeeds. There is no interval.
    """
    x = cells(values)
    b, k, _ = x.shape
    ends = np.full(x.shape, np.nan) if budgets is None else np.asarray(budgets, float).reshape(x.shape)
    first, second = np.triu_indices(k, 1)
    score, variance = np.zeros((b, first.size)), np.zeros(first.size)
    for pair, both in enumerate(zip(first, second, strict=True)):
        scored, spread = scores(x[:, both], ends[:, both])
        score[:, pair], variance[pair] = scored[:, 0], spread[:, 0].sum()
    d = totals(score, clusters)
    found_by = flips(d / np.maximum(np.abs(d).max(initial=0.0), np.finfo(float).tiny), rng, alpha, permutations)
    return Pairs.of(
        k, np.where(variance > 0, 0.0 - score.sum(axis=0) / variance, np.nan), "log hazard ratio", MAX_T, **found_by.tested
    )


ENTRIES = (
    *described(__file__, OmnibusTest, log_rank=outcomes),
    *described(__file__, Comparison, log_rank_pairs=pairs),
)
