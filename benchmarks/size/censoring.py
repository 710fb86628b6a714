"""How often an algorithm is called better than itself when its runs are stopped earlier, and how often than a slower one.

    python benchmarks/size/censoring.py [studies]

Then how often the intervals of restricted means cover: times of exponential runs on problems whose means are lognormal (sd 1),
five runs each, stopped at 1, up to 1.

Exponential times of two algorithms, five runs on each of 24 problems in 12 clusters. Failed runs are censored at their budgets
(`log_rank_pairs`), or equal and last (`net_wins`).
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.indicators.kaplan_meier import _over_clusters, curves, restricted_means
from benchmill.inference.clusters import pairs_of
from benchmill.inference.log_rank import pairs

OF = np.repeat(np.arange(12), 2)
ROWS = (
    ("equal, both stopped at 1", (1.0, 1.0), (1.0, 1.0)),
    ("equal, stopped at 0.5 and 3", (1.0, 1.0), (0.5, 3.0)),
    ("equal, stopped at 1 and 2", (1.0, 1.0), (1.0, 2.0)),
    ("one 1.5 times as slow, both stopped at 1", (1.0, 1.5), (1.0, 1.0)),
    ("one 1.5 times as slow, stopped at 1 and 2", (1.0, 1.5), (1.0, 2.0)),
)


def main(studies: int = 1000) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row; per cent\n\n| runs | log-rank | net wins |\n| --- | --- | --- |")
    for words, means, limits in ROWS:
        rng, found = np.random.default_rng([*words.encode()]), np.zeros(2)
        mean, limit = (np.array(pair)[:, None] for pair in (means, limits))
        for _ in range(studies):
            hard = rng.lognormal(0, 0.5, (24, 1, 1))
            time = rng.exponential(mean * hard, (24, 2, 5))
            failed = time > limit
            values, budgets = np.where(failed, np.inf, time), np.where(failed, limit, np.nan)
            censored = pairs(values, OF, rng, permutations=499, budgets=budgets)
            found += [made.p[0] <= 0.05 for made in (censored, pairs_of(values, OF, rng, permutations=499))]
        print(f"| {words} | " + " | ".join(f"{100 * share / studies:.1f}" for share in found) + " |", flush=True)
    coverage(studies)


def coverage(studies: int) -> None:
    """Print a line for each number of problems."""
    rng = np.random.default_rng(1)
    true = np.minimum(rng.exponential(rng.lognormal(size=2_000_000)), 1.0).mean()
    for problems in (6, 10, 24, 96):
        inside = 0
        for _ in range(studies):
            time = rng.exponential(rng.lognormal(size=(problems, 1)), (problems, 5)).ravel()
            of = curves(np.minimum(time, 1.0), time > 1, np.arange(0, time.size + 1, 5))
            _, low, high = _over_clusters(restricted_means(of, 1.0), np.arange(problems), 0.95)
            inside += low <= true <= high
        print(f"restricted mean, {problems} problems: covers {100 * inside / studies:.1f}", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
