"""How often two algorithms that differ by the margin are called equally good, and how often two that are equal.

    python benchmarks/size/equivalence.py [studies]

Every row draws the scores of clusters, as `benchmill.inference.equivalence` takes them. Student's
two one-sided tests stand beside.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmill.inference.equivalence import of_means, p_of_shares

CLUSTERS = (6, 10, 24, 60)


def ties(mean: float) -> Callable[[np.random.Generator, tuple[int, int]], np.ndarray]:
    """Clusters of one cell, seven of ten tied, or as many as the mean leaves."""
    differ = max(0.3, abs(mean))
    return lambda rng, shape: rng.choice([-1.0, 0.0, 1.0], shape, p=[(differ - mean) / 2, 1 - differ, (differ + mean) / 2])


def cells(mean: float) -> Callable[[np.random.Generator, tuple[int, int]], np.ndarray]:
    """Clusters of four cells that are won or lost, independently."""
    return lambda rng, shape: 2 * rng.binomial(4, (1 + mean) / 2, shape) / 4 - 1


def normal(mean: float) -> Callable[[np.random.Generator, tuple[int, int]], np.ndarray]:
    """Log ratios with a standard deviation of twice the margin."""
    return lambda rng, shape: rng.normal(mean, 0.1, shape)


def heavy(mean: float) -> Callable[[np.random.Generator, tuple[int, int]], np.ndarray]:
    """Log ratios with Student's distribution of three degrees of freedom."""
    return lambda rng, shape: mean + 0.05 * rng.standard_t(3, shape)


def skewed(mean: float) -> Callable[[np.random.Generator, tuple[int, int]], np.ndarray]:
    """Log ratios with an exponential distribution: rarely far away."""
    return lambda rng, shape: mean + 0.1 * (1 - rng.standard_exponential(shape))


def rare(mean: float) -> Callable[[np.random.Generator, tuple[int, int]], np.ndarray]:
    """The same, rarely far beyond the margin."""
    return lambda rng, shape: mean + 0.1 * (rng.standard_exponential(shape) - 1)


def p_of_means(d: np.ndarray, margin: float) -> np.ndarray:
    """The p values of two one-sided t tests."""
    return of_means(d, margin)[3]


ROWS = (
    ("net wins, 70 % ties", ties, 0.2, p_of_shares),
    ("net wins, four cells a cluster", cells, 0.2, p_of_shares),
    ("log ratio, normal", normal, 0.05, p_of_means),
    ("log ratio, heavy tails", heavy, 0.05, p_of_means),
    ("log ratio, skewed", skewed, 0.05, p_of_means),
    ("log ratio, skewed beyond the margin", rare, 0.05, p_of_means),
)


def main(studies: int = 2000) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row; per cent\n")
    print("| data | margin | at the margin | Student's there | equal |\n" + "| --- " * 5 + "|")
    for words, data, margin, test in ROWS:
        at, plain, equal = [], [], []
        for n in CLUSTERS:
            rng = np.random.default_rng([n, *words.encode()])
            drawn = data(margin)(rng, (n, studies))
            for shares, used, x in ((at, test, drawn), (plain, p_of_means, drawn), (equal, test, data(0.0)(rng, (n, studies)))):
                shares.append(100 * float((used(x, margin) <= 0.05).mean()))
        shown = [", ".join(f"{v:.1f}" for v in shares) for shares in (at, plain, equal)]
        print(f"| {words} | {margin:g} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
