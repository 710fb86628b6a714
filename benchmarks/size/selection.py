"""Intervals of the ratios of solvers to the best one, which the same runs have chosen.

    python benchmarks/size/selection.py [studies]

Exchangeable solvers: the share of tables in which an interval leaves out 1, with the intervals of all pairs that the summary
prints, and with those of single pairs. Solvers that differ: the share of tables in which an interval misses the true ratio.
Logarithms of times have a spread of 1.5 between instances; a solver differs from that by one of 0.3, of 1.5 in a fifth of the
cases, and a fifth of the runs ends at the limit. Solvers that differ: the spread is 0.5, and the share of failures rises from 0
to 30 % from the first to the last. Means: the share of intervals that miss the true mean of one solver, whose times have a
spread of 0.5 or 1.5 and which fails on 1 to 20 % of the instances; behind it those that are printed, and how many are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmill.indicators.intervals import ratio_of_means, ratios_of_means, settled, shifted_means

Array = np.ndarray
LIMIT, SHIFT = 3600.0, 10.0


def equal(rng: np.random.Generator, n: int, k: int) -> Array:
    """Logarithms of shifted times of exchangeable solvers."""
    x = rng.normal(size=(n, 1)) * 1.5 + rng.normal(size=(n, k)) * rng.choice([0.3, 1.5], (n, k), p=[0.8, 0.2])
    return np.log(np.exp(np.minimum(x, np.quantile(x, 0.8))) + 0.1)


def different(factor: float) -> Callable[[np.random.Generator, int, int], Array]:
    """Logarithms of shifted times of solvers that fail on more and more instances, a failure counting so many limits."""

    def draw(rng: np.random.Generator, n: int, k: int) -> Array:
        x = np.exp(rng.normal(3, 1.5, (n, 1)) + 0.5 * rng.normal(size=(n, k)))
        failed = (rng.random((n, k)) < np.linspace(0, 0.3, k)) | (x > LIMIT)
        return np.log(np.where(failed, factor * LIMIT, x) + SHIFT)

    return draw


def missed(log: Array, shift: float, truth: Array) -> tuple[bool, bool]:
    """Whether an interval of a ratio to the best misses the truth: one of all pairs, and one of a single pair."""
    n, k = log.shape
    first = int(log.mean(axis=0).argmin())
    others = [i for i in range(k) if i != first]
    true = truth / truth[first]
    low, high = ratios_of_means(log, shift, np.arange(n), 0.95, np.ones(k, bool), first)
    alone = [ratio_of_means(log[:, [first, i]], shift, np.arange(n), 0.95) for i in others]
    return bool(((low > true) | (high < true)).any()), any(
        a > true[i] or b < true[i] for (a, b), i in zip(alone, others, strict=True)
    )


def main(studies: int = 500) -> None:
    """Print the tables of the documentation."""
    print("| solvers | instances | all pairs | single pairs |\n| --- | --- | --- | --- |")
    rng = np.random.default_rng(1)
    for k, n in ((2, 10), (2, 24), (2, 100), (3, 24), (8, 10), (8, 24), (8, 100), (30, 24)):
        found = np.mean([missed(equal(rng, n, k), 0.1, np.ones(k)) for _ in range(studies)], axis=0)
        print(f"| equal, {k} | {n} | {100 * found[0]:.1f} | {100 * found[1]:.1f} |", flush=True)
    for factor, sizes in ((1, (10, 24, 50, 100)), (10, (30, 50, 100))):
        draw = different(factor)
        for k in (2, 8):
            log = np.mean([draw(rng, 100_000, k).mean(axis=0) for _ in range(10)], axis=0)
            truth = np.exp(log) - SHIFT
            for n in sizes:
                found = np.mean([missed(draw(rng, n, k), SHIFT, truth) for _ in range(studies)], axis=0)
                words = f"{k} that fail on 0 to 30 %, × {factor}"
                print(f"| {words} | {n} | {100 * found[0]:.1f} | {100 * found[1]:.1f} |", flush=True)
    print("\n| spread | fails on | failures count | " + " | ".join(map(str, SIZES)) + " |")
    print("| --- " * (3 + len(SIZES)) + "|")
    for spread in (0.5, 1.5):
        for share in (0.01, 0.05, 0.1, 0.2):
            for factor in (1, 2, 10):
                found = [means_missed(rng, spread, share, factor, n, 4 * studies) for n in SIZES]
                row = [f"{100 * missed:.1f}, {100 * left_missed:.1f} ({100 * left:.0f})" for missed, left_missed, left in found]
                print(f"| {spread} | {100 * share:g} % | × {factor} | {' | '.join(row)} |", flush=True)


SIZES = (5, 10, 20, 30, 50, 100)


def means_missed(
    rng: np.random.Generator, spread: float, share: float, factor: float, n: int, samples: int
) -> tuple[float, float, float]:
    """Return the share of intervals of one solver's mean that miss it, that of those that are printed, and how many are."""

    def draw(shape: tuple[int, ...]) -> Array:
        x = np.exp(rng.normal(3, spread, shape))
        return np.log(np.where(rng.random(shape) < share, factor * LIMIT, np.minimum(x, LIMIT)) + SHIFT)

    true = np.exp(draw((1_000_000,)).mean()) - SHIFT
    log = draw((n, samples))
    low, high = shifted_means(log, SHIFT, np.arange(n), 0.95)
    missed, printed = (low > true) | (high < true), settled(log, SHIFT, np.arange(n), 0.95, factor * LIMIT)
    return float(missed.mean()), float(missed[printed].mean()) if printed.any() else 0.0, float(printed.mean())


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
