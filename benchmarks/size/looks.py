"""How often something false is said of a study that is tested while it grows, with its looks planned and without.

    python benchmarks/size/looks.py [studies]

Eight exchangeable algorithms on functions in four dimensions, whose differences correlate by 0.5; net wins over clusters, max-T,
999 flips (of early looks more). Five looks, at 10, 20, 30, 40 and 50 functions. Beside it the chance to find one of eight that is
better by 0.5 standard deviations, at one look of all 50 and with the looks.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from benchmill.inference.clusters import flips, means
from benchmill.inference.design import net_wins
from benchmill.inference.interim import level

K, DIMENSIONS, ALPHA, PERMUTATIONS = 8, 4, 0.05, 999
#: Of 20 clusters flips are drawn.
MOST_COUNTED = 1_000_000
LOOKS = (10, 20, 30, 40, 50)


def main(studies: int = 1000) -> None:
    """Print a line for equal algorithms, and one where the first is better."""
    levels = [level(ALPHA, number, len(LOOKS)) for number in range(1, len(LOOKS) + 1)]
    print(f"levels: {', '.join(f'{one:.4f}' for one in levels)}")
    print("better by: some statement at the last look alone, at any look at 5 % each, at any planned look")
    of = np.repeat(np.arange(LOOKS[-1]), DIMENSIONS)
    for better in (0.0, 0.5):
        rng, found = np.random.default_rng(1), np.zeros((studies, 3), bool)
        for study in range(studies):
            common = np.repeat(rng.normal(size=(LOOKS[-1], K)), DIMENSIONS, axis=0)
            cost = np.sqrt(0.5) * (common + rng.normal(size=common.shape))
            cost[:, 0] -= better
            d = means(net_wins(cost), of)
            # of the pairs with the first, where it is better
            mine = slice(0, K - 1) if better else slice(None)
            for clusters, spent in zip(LOOKS, levels, strict=True):
                drawn = max(PERMUTATIONS, math.ceil(10 / spent))
                p = flips(d[:clusters], rng, 0.0, drawn, most_counted=MOST_COUNTED).p_adjusted[mine].min()
                found[study] |= np.array([clusters == LOOKS[-1] and p <= ALPHA, p <= ALPHA, p <= spent])
        print(f"{better}: " + ", ".join(f"{100 * share:.1f}" for share in found.mean(axis=0)), flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
