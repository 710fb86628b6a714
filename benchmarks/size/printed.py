"""How often anything false stands in what a study of equal algorithms prints.

    python benchmarks/size/printed.py [studies]

Two kinds of study, with the settings that a study has by default. *Solvers*: times on instances (`selection.py`); *targets*: runs
on functions in four dimensions (`stars.py`). False is that the algorithms differ, a pair, an interval of a ratio to the best that
leaves out 1, or a star in the table of expected running times; all but the first stand only where the algorithms are shown to
differ, and beside it is how often there would be an interval or a star otherwise.
"""

from __future__ import annotations

import sys

import numpy as np
from selection import equal

from benchmill.core.replicates import ert
from benchmill.indicators.intervals import ratios_of_means
from benchmill.inference.design import Design
from benchmill.inference.rank_sum import of_cells
from benchmill.inference.verdicts import Declaration, Tested, primary

LEVEL, PERMUTATIONS = 0.05, 10_000


def differ(values: np.ndarray, problems: list[dict[str, object]], seed: int) -> bool:
    """Return True if the primary analysis says that the algorithms differ; nothing is said of pairs otherwise."""
    names = [f"a{i}" for i in range(values.shape[1])]
    design = Design(values[:, :, None], [str(i) for i in range(len(values))], names, problems=problems)
    tested = primary({"m": [design]}, Declaration(permutations=PERMUTATIONS, seed=seed))
    assert isinstance(tested, Tested)
    return tested.opened


def solvers(rng: np.random.Generator, k: int, n: int, seed: int) -> tuple[bool, bool]:
    """Return whether the algorithms are said to differ, and whether an interval of a ratio leaves out 1."""
    log = equal(rng, n, k)
    low, high = ratios_of_means(log, 0.1, np.arange(n), 0.95, np.ones(k, bool), int(log.mean(axis=0).argmin()))
    said = differ(np.exp(log), [{"suite": "s", "problem": f"p{i}"} for i in range(n)], seed)
    return said, bool(((low > 1) | (high < 1)).any())


def targets(rng: np.random.Generator, k: int, runs: int, seed: int) -> tuple[bool, bool]:
    """Return whether the algorithms are said to differ, and whether the best has a star somewhere."""
    cells = 96
    level = rng.normal(size=(24, 4, 1, 1))
    time = np.exp(level + rng.normal(size=(24, 4, k, runs))).reshape(cells, k, runs)
    budget = np.quantile(time, 0.7)
    cost = np.where(time <= budget, time, np.inf).ravel()
    offsets, spent = np.arange(cells * k + 1) * runs, np.full(cost.size, budget)
    of = ert(cost, spent, offsets).reshape(cells, k)
    best, solved = of.argmin(axis=1), np.isfinite(of.min(axis=1))
    c, j = np.nonzero(np.arange(k) != best[:, None])
    p, ahead = of_cells(cost, spent, offsets, c * k + best[c], c * k + j)
    worst = np.where(ahead <= 0, 1.0, p).reshape(cells, k - 1).max(axis=1)
    problems = [{"suite": "s", "problem": f"f{g}", "dimension": d} for g in range(24) for d in range(4)]
    return differ(of, problems, seed), bool((worst[solved] * solved.sum() <= LEVEL).any())


def main(studies: int = 200) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row; per cent")
    print("| study | they differ | ratio or star alone | anything printed |\n| --- | --- | --- | --- |")
    for words, kind, k, n in (
        *((f"{k} solvers, {n} instances", solvers, k, n) for k in (2, 8) for n in (24, 100)),
        *((f"{k} algorithms, {runs} runs, a target", targets, k, runs) for k, runs in ((2, 51), (2, 15))),
    ):
        rng = np.random.default_rng([k, n])
        found = np.array([kind(rng, k, n, seed) for seed in range(studies)])
        print(
            f"| {words} | {100 * found[:, 0].mean():.1f} | {100 * found[:, 1].mean():.1f} | {100 * found[:, 0].mean():.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
