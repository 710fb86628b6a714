"""How often single instances are called slower that are not, and what is said of those that nobody has run.

    python benchmarks/versions/instances.py [N]

N comparisons (1000 by default) of each kind. Times have log-normal noise around a mean of their own. It varies from instance to
instance by a factor e^s with s normal around 0 (the spread), and from run to run by a tenth. The test is the moderated t test of
`benchmill compare` with Holm's correction.

Then: of instances of which 2 % become 20 times slower, how often the bound of `benchmill compare` on the share beyond the largest
change is too small. Last: how often the interval of the ratio of the geometric means leaves 1 out where nothing has changed but
the state of the machine, which moves all times of a side by 2 %.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import stats

from benchmill.indicators.intervals import ratio_of_means
from benchmill.inference.corrections import holm
from benchmill.inference.moderated import moderated
from benchmill.versions.measured import SHARED

LEVEL, NOISE = 0.95, 0.1


def named(
    instances: int, runs: int, spread: float, times: int, rng: np.random.Generator, *, slower: float = 1.0, tails: bool = False
) -> tuple[float, float]:
    """Shares of the comparisons in which an unchanged instance is named, and in which all three slower ones are."""
    wrong = right = 0
    for _ in range(times):
        sd = NOISE * np.exp(spread * rng.normal(size=(instances, 1, 1)))
        shape = (instances, 2, runs)
        log = sd * (rng.standard_t(3, shape) / np.sqrt(3) if tails else rng.normal(size=shape))
        log[:3, 1] += np.log(slower)
        mean = log.mean(axis=2)
        squares = ((log - mean[..., None]) ** 2).sum(axis=(1, 2))
        found = holm(moderated(mean, squares, np.full((instances, 2), runs)).p) <= 1 - LEVEL
        wrong += bool(found[3 if slower > 1 else 0 :].any())
        right += bool(found[:3].all())
    return wrong / times, right / times


def bounds(instances: int, times: int, rng: np.random.Generator) -> tuple[float, float]:
    """How often more instances are beyond the largest change than the bound says, and how often one of 20 is not seen."""
    log = rng.normal(0, NOISE, (times, instances)) + np.where(rng.random((times, instances)) < 0.02, np.log(20), 0.0)
    largest = log.max(axis=1)
    beyond = 0.98 * stats.norm.sf(largest / NOISE) + 0.02 * stats.norm.sf((largest - np.log(20)) / NOISE)
    return float((beyond > 1 - (1 - LEVEL) ** (1 / instances)).mean()), float((largest < np.log(10)).mean())


def shared(instances: int, noise: float, times: int, rng: np.random.Generator) -> tuple[float, float]:
    """How often the interval leaves 1 out, and what `benchmill compare` says of it, on the mean."""
    out, said = [], []
    for _ in range(times):
        log = rng.normal(0, noise, (instances, 2)) + rng.normal(0, SHARED, 2)
        low, high = np.log(ratio_of_means(log, 0.0, np.arange(instances), LEVEL))
        middle = log[:, 1].mean() - log[:, 0].mean()
        reach = min(middle - low, high - middle)
        error = reach / stats.t.ppf((1 + LEVEL) / 2, instances - 1)
        said.append(2 * stats.t.sf(reach / np.hypot(error, np.sqrt(2) * SHARED), instances - 1))
        out.append(low > 0 or high < 0)
    return float(np.mean(out)), float(np.mean(said))


def main() -> None:
    """Print the tables."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(1)
    print("| instances | runs of each | noise alike | spread 0.5 | 1 | 0.5, heavy tails |\n| --: | --: | --: | --: | --: | --: |")
    for instances in (5, 10, 30, 120):
        for runs in (2, 3, 5):
            kinds = ((0.0, False), (0.5, False), (1.0, False), (0.5, True))
            shares = [named(instances, runs, spread, times, rng, tails=tails)[0] for spread, tails in kinds]
            print(f"| {instances} | {runs} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |", flush=True)
    print("\n| of 120 instances three become slower | runs | spread | all three named |\n| :-- | --: | --: | --: |")
    for slower, runs, spread in ((20, 2, 0.5), (20, 3, 0.5), (2, 3, 0.5), (2, 5, 1.0), (1.5, 5, 0.5)):
        share = named(120, runs, spread, times, rng, slower=slower)[1]
        print(f"| {slower:g} times | {runs} | {spread:g} | {100 * share:.1f} % |", flush=True)
    print("\n| instances | bound too small | no slow instance among them |\n| --: | --: | --: |")
    for instances in (10, 30, 100):
        print(f"| {instances} | {' | '.join(f'{100 * share:.1f} %' for share in bounds(instances, 20 * times, rng))} |")
    print("\n| instances | noise of the ratio | 1 left out | said |\n| --: | --: | --: | --: |")
    for instances, noise in ((30, 0.1), (30, 0.3), (100, 0.1), (100, 0.2), (100, 0.3)):
        shares = shared(instances, noise / np.sqrt(2), times, rng)
        print(f"| {instances} | {noise:g} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |", flush=True)


if __name__ == "__main__":
    main()
