"""How often two algorithms that differ by the margin are called equally good, and how often two that are equal.

    python benchmarks/size/equivalence.py [studies]

Every row draws the scores of clusters, as `benchmill.inference.equivalence` takes them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmill.inference.equivalence import of_means

CLUSTERS = (6, 10, 24, 60)


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


MARGIN = 0.05
ROWS = (
    ("log ratio, normal", normal),
    ("log ratio, heavy tails", heavy),
    ("log ratio, skewed", skewed),
    ("log ratio, skewed beyond the margin", rare),
)


def main(studies: int = 2000) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row; per cent\n")
    print("| data | at the margin | equal |\n" + "| --- " * 3 + "|")
    for words, data in ROWS:
        at, equal = [], []
        for n in CLUSTERS:
            rng = np.random.default_rng([n, *words.encode()])
            for shares, mean in ((at, MARGIN), (equal, 0.0)):
                shares.append(100 * float((of_means(data(mean)(rng, (n, studies)), MARGIN)[3] <= 0.05).mean()))
        shown = [", ".join(f"{v:.1f}" for v in shares) for shares in (at, equal)]
        print(f"| {words} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
