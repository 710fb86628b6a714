"""How large a study would have to be to decide what it leaves open: by simulation from the clusters that it has.

An estimate for planning, conditional on what was seen. It says nothing about the study as it is: the chance to find what one has
found, or has not, adds nothing to the p value (Hoenig and Heisey 2001), so no size is asked about that is not larger.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core import keys
from benchmill.inference import clusters
from benchmill.inference.design import Design
from benchmill.inference.effects import net_wins

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

#: Resamples of the runs that their noise is estimated from.
_RESAMPLES = 40
#: Largest number of flips that are counted instead of drawn, times statements: simulated studies are many.
_MOST_COUNTED = 50_000


@dataclass(frozen=True)
class Scores:
    """What larger studies are drawn from.

    Attributes
    ----------
    clusters : (n_clusters, m) array
        Net share of wins of each pair in each cluster.
    from_runs : (m,) array
        Share of their variance that comes from the runs; NaN where every cell has one value.
    both_fail : (m,) array
        Share of the cells in which both algorithms fail in all runs.
    n_runs : int
    """

    clusters: Array
    from_runs: Array
    both_fail: Array
    n_runs: int


def scores(
    designs: Sequence[Design],
    pairs: Sequence[tuple[int, int]],
    rng: np.random.Generator,
    cluster_keys: Sequence[keys.Key] = keys.CLUSTER_KEYS,
) -> Scores:
    """Take what larger studies are drawn from out of the pooled designs of the primary analysis.

    Parameters
    ----------
    designs : sequence of Design
    pairs : sequence of (int, int)
        Columns of the algorithms; all of one family.
    rng : numpy.random.Generator
        For the noise of the runs: the variance of a cluster's score when the runs of its cells are drawn with replacement.
    cluster_keys : sequence of str
    """
    of = clusters.of_blocks(designs, cluster_keys)
    d = _of_pairs([design.values for design in designs], pairs, of)
    runs = min((design.values.shape[2] for design in designs), default=0)
    noise = np.full(d.shape[1], np.nan)
    if runs > 1:
        drawn = np.array([_of_pairs([_redrawn(design.values, rng) for design in designs], pairs, of) for _ in range(_RESAMPLES)])
        # a resample of r runs varies by (r - 1) / r of what r new runs would
        noise = drawn.var(axis=0, ddof=1).mean(axis=0) * runs / (runs - 1)
    total = d.var(axis=0, ddof=1) if len(d) > 1 else np.full(d.shape[1], np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.minimum(noise / total, 1.0)
    failed = np.concatenate([np.isinf(design.values).all(axis=2) for design in designs])
    both = np.array([(failed[:, a] & failed[:, b]).mean() for a, b in pairs])
    return Scores(d, share, both, runs)


def _of_pairs(values: Sequence[Array], pairs: Sequence[tuple[int, int]], of: Codes) -> Array:
    cells = np.concatenate([np.hstack([net_wins(x[:, list(pair)]) for pair in pairs]) for x in values])
    return clusters.means(cells, of)


def _redrawn(values: Array, rng: np.random.Generator) -> Array:
    return np.take_along_axis(values, rng.integers(values.shape[2], size=values.shape), axis=2)


@dataclass(frozen=True)
class Power:
    """How often simulated studies of one size decide each pair in the direction that was seen.

    Attributes
    ----------
    n_clusters, n_runs : int
    as_seen : (m,) array
        Where the effects are as seen: clusters are drawn with equal chances.
    unsure : (m,) array
        Where they are not known exactly: the chances of the clusters are drawn anew for every study, from Dirichlet(1, ..., 1).
    """

    n_clusters: int
    n_runs: int
    as_seen: Array
    unsure: Array


def power(
    found: Scores,
    n_clusters: int,
    n_runs: int,
    rng: np.random.Generator,
    *,
    alpha: float = 0.05,
    studies: int = 200,
    permutations: int = 199,
) -> Power:
    """Simulate studies of another size and test them as the primary analysis does (`clusters.flips`).

    Clusters are drawn with replacement. With r' runs instead of r the scores keep their mean and have the variance
    V (1 - s + s r / r'), where s is the share of the variance V that comes from the runs.

    Parameters
    ----------
    found : Scores
    n_clusters, n_runs : int
        Of the studies that are simulated; `n_runs` is that of `found` where no noise is known.
    rng : numpy.random.Generator
    alpha : float
    studies : int
        How many are simulated; the standard error of a share near 0.8 is 0.4 / sqrt(studies).
    permutations : int
        Random flips of each.
    """
    d = found.clusters
    seen = np.sign(d.mean(axis=0))
    if n_runs != found.n_runs:
        kept = 1 - found.from_runs * (1 - found.n_runs / n_runs)
        d = np.clip(d.mean(axis=0) + (d - d.mean(axis=0)) * np.sqrt(kept), -1, 1)
    as_seen, unsure = np.zeros(d.shape[1]), np.zeros(d.shape[1])
    for _ in range(studies):
        weights = rng.dirichlet(np.ones(len(d)))
        for counted, chances in ((as_seen, None), (unsure, weights)):
            drawn = d[rng.choice(len(d), n_clusters, p=chances)]
            result = clusters.flips(drawn, rng, 0.0, permutations, most_counted=_MOST_COUNTED)
            counted += (result.p_adjusted <= alpha) & (np.sign(result.effect) == seen)
    return Power(n_clusters, n_runs, as_seen / studies, unsure / studies)


def sizes(n_clusters: int, n_runs: int, more_runs: bool, most: float = 4.0) -> list[tuple[int, int]]:
    """Larger studies to ask about: 1.25, 1.5, 2, 3, ... times as many clusters, and as many with twice as many runs."""
    factors = [factor for factor in (1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0) if factor <= most]
    wider = [(math.ceil(n_clusters * factor), n_runs) for factor in factors]
    return [*dict.fromkeys(wider), *((n, 2 * n_runs) for n in [n_clusters, *dict(wider)] if more_runs)]
