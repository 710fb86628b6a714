"""How large a study would have to be to decide what it leaves open: by simulation from the clusters that it has.

An estimate for planning. No size is asked about that is not larger: the chance to find what one has found adds nothing to the
p value (Hoenig and Heisey 2001).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmill.core import Array, Generator, Index, keys, quietly
from benchmill.core.intervals import quantile
from benchmill.inference import clusters
from benchmill.inference.design import Designs, net_wins

#: Level of the interval of an effect whose lower end is planned with.
CAUTION = 0.5
#: Resamples of the runs that their noise is estimated from.
_RESAMPLES = 40
#: Largest number of flips, times statements, and of permutations that are counted instead of drawn: simulated studies are many.
_MOST_COUNTED = 4000
#: What is added to the squares of the scores of a pair about their mean: the variance of a uniform share of wins.
_SQUARES = 1 / 3


@dataclass(frozen=True)
class Scores:
    """Scores that larger studies are drawn from.

    Attributes
    ----------
    clusters : (n_clusters, k (k - 1) / 2) array
        Net share of wins of every pair of the k algorithms in each cluster, in the order of `numpy.triu_indices`.
    family : (m,) int array
        The columns that are tested together.
    from_runs : (m,) array
        Share of their variance that comes from the runs; NaN where every cell has one value.
    both_fail : (m,) array
        Share of the cells in which both algorithms fail in all runs.
    k, n_runs : int
    """

    clusters: Array
    family: Index
    from_runs: Array
    both_fail: Array
    k: int
    n_runs: int


@quietly()
def scores(
    designs: Designs,
    pairs: Sequence[tuple[int, int]],
    rng: Generator,
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS,
) -> Scores:
    """Take what larger studies are drawn from out of the pooled designs of the primary analysis.

    `pairs` are columns of the algorithms, all of one family; `rng` draws the runs of the cells again, for their noise.
    """
    cluster, values = clusters.named(designs, cluster_keys)[0], [design.values for design in designs]
    k, runs = values[0].shape[1], min((x.shape[2] for x in values), default=0)
    column = {pair: place for place, pair in enumerate(zip(*(i.tolist() for i in np.triu_indices(k, 1)), strict=True))}
    family = np.array([column[(min(pair), max(pair))] for pair in pairs], np.int64)

    def scored(of_cells: Sequence[Array]) -> Array:
        return clusters.means(np.concatenate([net_wins(x) for x in of_cells]), cluster)

    d = scored(values)
    noise = np.full(d.shape[1], np.nan)
    if runs > 1:
        again = ([np.take_along_axis(x, rng.integers(x.shape[2], size=x.shape), 2) for x in values] for _ in range(_RESAMPLES))
        # a resample of r runs varies by (r - 1) / r of what r new runs would
        noise = np.var([scored(x) for x in again], axis=0, ddof=1).mean(axis=0) * runs / (runs - 1)
    total = d.var(axis=0, ddof=1) if len(d) > 1 else np.full(d.shape[1], np.nan)
    share = np.minimum(noise / total, 1.0)
    failed = np.concatenate([np.isinf(x).all(axis=2) for x in values])
    return Scores(d, family, share[family], np.array([(failed[:, a] & failed[:, b]).mean() for a, b in pairs]), k, runs)


def power(
    of_study: Scores,
    n_clusters: int,
    n_runs: int,
    rng: Generator,
    *,
    alpha: float = 0.05,
    studies: int = 200,
    permutations: int = 99,
) -> Array:
    """Simulate studies of another size and test them as the primary analysis does: all algorithms first, then the pairs.

    Return the shares of studies that decide each pair of the family in the direction that was seen, (2, m): where the effects are
    as seen, and where they are the lower ends of their 50 % intervals.

    Clusters are drawn with replacement. With r' runs instead of r the scores keep their mean and have the variance V (1 - s + s r
    / r'), where s is the share of the variance V that comes from the runs. The lower end of an effect is Student's; the variance
    of a uniform share of wins counts as one cluster more, so that clusters that agree leave a doubt.
    """
    every, family = of_study.clusters, of_study.family
    mean, groups = every.mean(axis=0), len(every)
    error = np.sqrt((((every - mean) ** 2).sum(axis=0) + _SQUARES) / groups / groups)
    back = np.minimum(quantile(max(groups - 1, 1), CAUTION) * error, np.abs(mean)) * np.sign(mean)
    if n_runs != of_study.n_runs:
        kept = np.ones(mean.size)
        # what does not vary, or is not known to vary by its runs, is as it was
        kept[family] = 1 - np.nan_to_num(of_study.from_runs) * (1 - of_study.n_runs / n_runs)
        every = np.clip(mean + (every - mean) * np.sqrt(kept), -1, 1)
    shares = []
    for d in (every, every - back):
        counted = np.zeros(family.size)
        for _ in range(studies):
            drawn = d[rng.integers(groups, size=n_clusters)]
            result = clusters.flips(drawn[:, family], rng, 0.0, permutations, most_counted=_MOST_COUNTED)
            decided = (result.p_adjusted <= alpha) & (np.sign(result.effect) == np.sign(mean[family]))
            if decided.any():
                gate = clusters.exchangeable(drawn, of_study.k, rng, permutations, 0.0, most_counted=_MOST_COUNTED)
                counted += decided & gate.rejects(alpha)
        shares.append(counted / studies)
    return np.array(shares)


def sizes(n_clusters: int, n_runs: int, more_runs: bool, most: float = 4.0) -> list[tuple[int, int]]:
    """Return larger studies to ask about: 1.25, 1.5, 2, 3, ... times as many clusters, and as many with twice as many runs."""
    wider = [
        (math.ceil(n_clusters * factor), n_runs) for factor in (1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0) if factor <= most
    ]
    return [*dict.fromkeys(wider), *((n, 2 * n_runs) for n in [n_clusters, *dict(wider)] if more_runs)]
