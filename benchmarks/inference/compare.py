"""Times of the tests beside those of other implementations, interleaved; medians and their ratios.

pip install scikit-posthocs statsmodels
python benchmarks/inference/compare.py [rounds]
"""

from __future__ import annotations

import sys
import time
import tracemalloc
import warnings
from itertools import combinations

import numpy as np
import scipy.stats

from benchmill.inference import permutation
from benchmill.inference.comparisons import signed_ranks, tukey
from benchmill.reproduction import chiarandini2005

TREATMENTS, BLOCKS, RUNS = 30, 1000, 15


def algorithm_1(x, rng, permutations):
    """Algorithm 1 as it is printed: loops over splits, pairs and blocks (the square outside the sum over blocks)."""
    b, k, r = x.shape
    found = []
    for _ in range(permutations):
        split = rng.permutation(2 * r)
        total = 0.0
        for i, j in combinations(range(k), 2):
            s = 0.0
            for h in range(b):
                both = np.concatenate([x[h, i], x[h, j]])[split]
                s += both[:r].sum() - both[r:].sum()
            total += s**2
        found.append(total)
    return found


def timed(call):
    """Seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def peak(name, call):
    """Print the most memory that a call holds at once beyond its data."""
    tracemalloc.start()
    call()
    print(f"{name:58s} {tracemalloc.get_traced_memory()[1] / 1e6:9.0f} MB", flush=True)
    tracemalloc.stop()


def compare(name, ours, theirs, rounds, scale=1.0):
    """Run both in turn; `scale` brings the other one's work to ours."""
    pairs = [(timed(ours), timed(theirs) * scale) for _ in range(rounds)]
    a, b = np.median(pairs, axis=0)
    print(f"{name:58s} {a:9.4f} s {b:12.4f} s   ratio {np.median([q / p for p, q in pairs]):8.1f}", flush=True)


def main():
    """Print one line per comparison."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    rng = np.random.default_rng(1)
    x = rng.normal(size=(BLOCKS, TREATMENTS))
    runs = rng.normal(size=(BLOCKS, TREATMENTS, RUNS))

    splits = 100_000
    compare(
        f"Algorithm 1, {splits} splits (loop: 1 split of 1 block, scaled)",
        lambda: chiarandini2005.synchronised_pairs(runs, rng, permutations=splits),
        lambda: algorithm_1(runs[:1], rng, 1),
        rounds,
        splits * BLOCKS,
    )
    compare(
        f"synchronised, {splits} permutations (loop as above)",
        lambda: permutation.synchronised(runs, rng, permutations=splits),
        lambda: algorithm_1(runs[:1], rng, 1),
        rounds,
        splits * BLOCKS,
    )

    peak("synchronised, memory", lambda: permutation.synchronised(runs, rng, permutations=splits))
    peak("Algorithm 1, memory", lambda: chiarandini2005.synchronised_pairs(runs, rng, permutations=splits))

    def statistic(*columns, axis):
        return sum(column.sum(axis=axis) ** 2 for column in columns)

    compare(
        "within blocks, 999 (scipy.stats.permutation_test)",
        lambda: permutation.within_blocks(x, rng, permutations=999),
        lambda: scipy.stats.permutation_test(
            x.T, statistic, permutation_type="samples", vectorized=True, n_resamples=999, alternative="greater", batch=50
        ),
        rounds,
    )
    compare(
        "within blocks, 999 (shuffling every block every time)",
        lambda: permutation.within_blocks(x, rng, permutations=999),
        lambda: [rng.permuted(x, axis=1).sum(axis=0) for _ in range(999)],
        rounds,
    )
    compare(
        "within blocks, 999 (drawing 1 random index a block only)",
        lambda: permutation.within_blocks(x, rng, permutations=999),
        lambda: [rng.integers(0, 128, 999) for _ in range(BLOCKS)],
        rounds,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import scikit_posthocs as sp

        rows = x.T.tolist()
        compare(
            "Wilcoxon–Holm, 435 pairs (scikit-posthocs)",
            lambda: signed_ranks(x),
            lambda: sp.posthoc_wilcoxon(rows, p_adjust="holm"),
            rounds,
        )
        compare("Tukey, 435 pairs (scikit-posthocs)", lambda: tukey(x), lambda: sp.posthoc_tukey_hsd(rows), min(rounds, 3))


if __name__ == "__main__":
    main()
