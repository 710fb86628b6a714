"""How often the Bayesian signed-rank comparison decides for one of two equal algorithms with a probability of at least 0.95.

    python benchmarks/size/bayes.py [studies]

Uniform costs, a region of practical equivalence of 0.01 on either side.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.inference.bayes import signed_rank

PROBLEMS = (6, 10, 24, 96)


def main(studies: int = 1000) -> None:
    """Print a line for each number of problems."""
    for n in PROBLEMS:
        rng = np.random.default_rng(n)
        decided = 0
        for _ in range(studies):
            found = signed_rank(rng.random(n) - rng.random(n), rng, rope=0.01, samples=4000)
            decided += max(found.first_better, found.second_better) >= 0.95
        print(f"{n} problems: {100 * decided / studies:.1f} %", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
