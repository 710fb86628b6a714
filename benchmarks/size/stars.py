"""How often a table of expected running times has a star although all algorithms are equal.

    python benchmarks/size/stars.py [studies]

Functions in four dimensions with some targets each; the runs of all algorithms are of the same distribution, a share of them
fails at a common budget. A star stands where the algorithm with the smallest ERT is better than every other one by a rank-sum
test, with Bonferroni's correction over all cells, as `benchmill.inference.rank_sum` does it.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.core.replicates import ert
from benchmill.inference.rank_sum import of_cells

LEVEL = 0.05


def starred(rng: np.random.Generator, cells: int, algorithms: int, runs: int, failing: float, targets: int) -> bool:
    """Return True if a table of equal algorithms has a star."""
    step = np.abs(rng.normal(0, 0.4, (cells, algorithms, runs, targets))).cumsum(axis=3)
    time = np.exp(rng.normal(size=(cells, algorithms, runs, 1)) + step)
    time = np.moveaxis(time, 3, 1).reshape(cells * targets, algorithms, runs)
    budget = np.quantile(time, 1 - failing)
    cost, n = np.where(time <= budget, time, np.inf).ravel(), cells * targets
    offsets = np.arange(n * algorithms + 1) * runs
    spent = np.full(cost.size, budget)
    of = ert(cost, spent, offsets).reshape(n, algorithms)
    best = of.argmin(axis=1)
    solved = np.isfinite(of.min(axis=1))
    c, j = np.nonzero(np.arange(algorithms) != best[:, None])
    p, ahead = of_cells(cost, spent, offsets, c * algorithms + best[c], c * algorithms + j)
    worst = np.where(ahead <= 0, 1.0, p).reshape(n, algorithms - 1).max(axis=1)
    return bool((worst[solved] * solved.sum() <= LEVEL).any())


def main(studies: int = 300) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row, 24 functions in four dimensions; per cent with a star")
    print("| algorithms | runs | fail | targets | with a star |\n| --- | --- | --- | --- | --- |")
    for algorithms, runs, failing, targets in (
        *((2, runs, failing, targets) for runs in (5, 15, 51) for failing, targets in ((0.0, 1), (0.3, 1), (0.3, 6))),
        (3, 15, 0.3, 6),
        (8, 15, 0.3, 6),
    ):
        rng = np.random.default_rng([algorithms, runs, int(10 * failing), targets])
        n = sum(starred(rng, 96, algorithms, runs, failing, targets) for _ in range(studies))
        print(f"| {algorithms} | {runs} | {100 * failing:.0f} % | {targets} | {100 * n / studies:.1f} |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
