"""How often `benchmill compare --trend` finds a change where there is none, looked at after each commit, and how soon a true one.

    python benchmarks/versions/trend_alarms.py [N]

N courses (1000 by default) of 50 and 200 comparisons. Their logarithms have normal noise (or Student's with 3 degrees of
freedom, of the same spread) whose values are correlated with those before them. A look is taken after each comparison from the
eighth on; an alarm is a change that any of them shows. Then a true change after the 20th, of so many standard deviations of the
noise: the share of courses that show it, within two of its place, at the look after 5, 10 and 30 more. Then a change that is
taken back.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.signal import lfilter

from benchmill.inference.change_points import FEWEST, change_points


def courses(times: int, n: int, correlation: float, rng: np.random.Generator, *, tails: bool = False) -> np.ndarray:
    """Courses of n values of variance 1, (times, n), without a change."""
    shape = (times, n + 50)
    drawn = rng.standard_t(3, shape) / np.sqrt(3) if tails else rng.normal(size=shape)
    return lfilter([np.sqrt(1 - correlation**2)], [1, -correlation], drawn, axis=1)[:, 50:]


def alarms(times: int, n: int, correlation: float, rng: np.random.Generator, *, tails: bool = False) -> float:
    """The share of courses in which any look shows a change."""
    return float(
        np.mean(
            [
                any(change_points(x[:look]) for look in range(FEWEST, n + 1))
                for x in courses(times, n, correlation, rng, tails=tails)
            ]
        )
    )


def found(times: int, after: int, size: float, correlation: float, rng: np.random.Generator) -> float:
    """The share of courses whose change after the 20th value is shown by the look so many values later."""
    x = courses(times, 20 + after, correlation, rng)
    x[:, 20:] += size
    return float(np.mean([any(abs(change.at - 20) <= 2 for change in change_points(one)) for one in x]))


def taken_back(times: int, size: float, correlation: float, rng: np.random.Generator) -> float:
    """The share of courses of 30 in which a change after the 10th value and its end after the 20th are both shown, within two."""
    x = courses(times, 30, correlation, rng)
    x[:, 10:20] += size
    shown = [{change.at for change in change_points(one)} for one in x]
    return float(np.mean([all(one & set(range(at - 2, at + 3)) for at in (10, 20)) for one in shown]))


def main() -> None:
    """Print the tables."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(1)
    print("| comparisons | noise | autocorrelation 0 | 0.3 | 0.6 |\n| --: | :-- | --: | --: | --: |", flush=True)
    for n in (50, 200):
        for tails in (False, True):
            shares = [alarms(times, n, correlation, rng, tails=tails) for correlation in (0.0, 0.3, 0.6)]
            kind = "heavy tails" if tails else "normal"
            print(f"| {n} | {kind} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |", flush=True)
    print("\n| change | autocorrelation | after 5 | 10 | 30 |\n| --: | --: | --: | --: | --: |")
    for size in (2, 3, 5, 10):
        for correlation in (0.0, 0.3):
            shares = [found(times, after, size, correlation, rng) for after in (5, 10, 30)]
            print(f"| {size} sd | {correlation:g} | {' | '.join(f'{100 * share:.0f} %' for share in shares)} |", flush=True)
    print("\n| change | autocorrelation | both shown |\n| --: | --: | --: |")
    for size in (5, 7, 10):
        for correlation in (0.0, 0.3):
            print(f"| {size} sd | {correlation:g} | {100 * taken_back(times, size, correlation, rng):.0f} % |", flush=True)


if __name__ == "__main__":
    main()
