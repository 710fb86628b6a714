"""How often Bayesian comparisons decide for one of two algorithms with a probability of at least 0.95.

    python benchmarks/size/bayes.py [studies]

A region of practical equivalence of 0.01 on either side. `cluster_wins` by single problems exactly, since it depends on the
number of wins alone; in clusters of four problems, whose differences correlate by 0.5, and `signed_rank` (uniform costs)
simulated.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import stats

from benchmill.inference import bayes
from benchmill.inference.clusters import means

PROBLEMS = (6, 10, 24, 96)
ROPE = 0.01


def decided(found: bayes.Posterior) -> bool:
    """Whether one is called better."""
    return max(found.a_better, found.b_better) >= 0.95


def exactly(n: int, chance: float) -> float:
    """Chance that `cluster_wins` decides for one of two algorithms, of which the first wins a problem with this chance."""
    wins = np.arange(n + 1)
    told = [decided(bayes.of_shares(np.repeat([1.0, -1.0], [won, n - won]), ROPE)) for won in wins]
    return float(stats.binom.pmf(wins, n, chance) @ np.array(told, float))


def in_clusters(n: int, rng: np.random.Generator) -> bool:
    """The same of n clusters of four problems and equal algorithms."""
    of = np.arange(4 * n) // 4
    apart = rng.normal(size=n)[of] + rng.normal(size=4 * n)
    return decided(bayes.of_shares(means(np.sign(apart)[:, None], of)[:, 0], ROPE))


def main(studies: int = 1000) -> None:
    """Print a line for each number of problems."""
    print("problems: signed_rank; cluster_wins: equal, equal in clusters, the first wins 70 % (sign test finds)")
    for n in PROBLEMS:
        rng = np.random.default_rng(n)
        one = [decided(bayes.signed_rank(rng.random(n) - rng.random(n), rng, rope=ROPE, samples=4000)) for _ in range(studies)]
        clustered = [in_clusters(n, rng) for _ in range(studies)]
        enough = stats.binom.isf(0.025, n, 0.5) + 1
        found = [np.mean(one), exactly(n, 0.5), np.mean(clustered), exactly(n, 0.7), stats.binom.sf(enough - 1, n, 0.7)]
        print(f"{n}: " + ", ".join(f"{100 * share:.1f}" for share in found), flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
