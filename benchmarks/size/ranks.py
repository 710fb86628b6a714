"""How often the sets of ranks hold the true ranks of all algorithms, and how wide they are.

    python benchmarks/size/ranks.py [studies]

Eight algorithms on functions in four dimensions, whose differences correlate by 0.5; 999 flips, level 5 %. An algorithm's true
rank is one more than the number of those that win more often against it than they lose. Beside it the sets by the strengths of
Bradley and Terry's model.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.inference.clusters import flips, means
from benchmill.inference.design import net_wins
from benchmill.inference.ranking import rank_sets

K, DIMENSIONS, ALPHA, PERMUTATIONS = 8, 4, 0.05, 999
#: By name what each algorithm loses, in standard deviations of its costs.
STUDIES = {
    "all equal": np.zeros(K),
    "two groups of four": np.repeat([0.0, 1.0], 4),
    "in order, 0.3 apart": 0.3 * np.arange(K),
    "in order, 1 apart": 1.0 * np.arange(K),
    "one better by 1": np.minimum(np.arange(K), 1.0),
}


def main(studies: int = 1000) -> None:
    """Print a line for each kind of study and number of functions."""
    print("study, functions: all ranks inside, ranks a set, the best can be the best, how many can")
    for name, loss in STUDIES.items():
        true = 1 + (loss[None, :] < loss[:, None]).sum(axis=1)
        for functions in (10, 24):
            rng = np.random.default_rng(functions)
            found = np.zeros((studies, 4))
            of = np.repeat(np.arange(functions), DIMENSIONS)
            for study in range(studies):
                common = np.repeat(rng.normal(size=(functions, K)), DIMENSIONS, axis=0)
                cost = loss + np.sqrt(0.5) * (common + rng.normal(size=(of.size, K)))
                d = means(net_wins(cost), of)
                result = flips(d, rng, 0.0, PERMUTATIONS)
                low, high = rank_sets(result.effect, result.p_adjusted <= ALPHA, K)
                best = low == 1
                # each of several that are equal is the best
                found[study] = (
                    np.all((low <= true) & (true <= high)),
                    (high - low + 1).mean(),
                    best[true == 1].all() if (true == 1).sum() == 1 else best[true == 1].mean(),
                    best.sum(),
                )
            told = found.mean(axis=0) * [100, 1, 100, 1]
            print(f"{name}, {functions}: {', '.join(f'{number:.1f}' for number in told)}", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
