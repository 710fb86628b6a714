"""How often `regression` is met where nothing has changed, and how often a slowdown is found.

    python benchmarks/versions/false_alarms.py [N]

N comparisons (2000 by default) of each kind: times of an instance are log-normal around e^3 s with a spread of 1.5, and the two
versions differ on it by log-normal noise with a spread of 0.3; the new one needs 0, 5, 10 or 20 % more on top. Times are cut at
600 s. The rule is met when the interval of the ratio of shifted geometric means (shift 10) begins above 1 (above 1.05), as in
`benchmill compare`. Heavy tails: the noise is Student's with 3 degrees of freedom.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.indicators.intervals import ratio_of_means

SHIFT, LIMIT, SPREAD, NOISE, LEVEL = 10.0, 600.0, 1.5, 0.3, 0.95


def lower_ends(n: int, slowdown: float, tails: bool, times: int, rng: np.random.Generator) -> np.ndarray:
    """The lower end of the interval of the ratio in each of the comparisons of n instances."""
    found = np.empty(times)
    for i in range(times):
        base = rng.normal(3, SPREAD, n)
        noise = rng.standard_t(3, (n, 2)) / np.sqrt(3) if tails else rng.normal(size=(n, 2))
        logs = base[:, None] + NOISE / np.sqrt(2) * noise + np.log([1, 1 + slowdown])
        cost = np.minimum(np.exp(logs), LIMIT)
        cost = cost[(cost < LIMIT).any(axis=1)]
        found[i] = ratio_of_means(np.log(cost + SHIFT), SHIFT, np.arange(len(cost)), LEVEL)[0]
    return found


def main() -> None:
    """Print the table."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(1)
    alike = "`regression`, nothing changed | `regression>5%`, nothing changed"
    print(f"| instances | noise | {alike} | 5 % more | 10 % more | 20 % more |")
    print("| --: | :-- | --: | --: | --: | --: | --: |")
    for n in (10, 30, 100):
        for tails in (False, True):
            same = lower_ends(n, 0.0, tails, times, rng)
            slower = [lower_ends(n, share, tails, times, rng) for share in (0.05, 0.1, 0.2)]
            shares = [(same > 1).mean(), (same > 1.05).mean(), *((found > 1).mean() for found in slower)]
            print(f"| {n} | {'heavy tails' if tails else 'normal'} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |")


if __name__ == "__main__":
    main()
