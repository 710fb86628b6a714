"""Time the kernels of profiles beside what they are measured against, interleaved in one run; print the median ratios.

python benchmarks/profiles/run.py [--large] [--repeats 5]
"""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from benchmill.profiles import bootstrap, nested, probabilistic
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.ratios import performance_ratios


def costs(n_algorithms: int, n_problems: int) -> np.ndarray:
    """Lognormal costs, a tenth of them failures."""
    rng = np.random.default_rng(1)
    c = np.exp(rng.normal(size=(n_algorithms, n_problems)))
    c[rng.random(c.shape) < 0.1] = np.inf
    return c


def compare(name: str, ours: Callable[[], object], other: Callable[[], object], repeats: int) -> None:
    """Print the median of the ratios of processor times, and both medians."""
    mine, theirs = [], []
    for _ in range(repeats):
        for function, times in ((other, theirs), (ours, mine)):
            start = time.process_time()
            function()
            times.append(time.process_time() - start)
    ratio = statistics.median(a / b for a, b in zip(mine, theirs, strict=True))
    print(f"{name}: {ratio:.3g} times ({statistics.median(mine):.3g} s against {statistics.median(theirs):.3g} s)", flush=True)


def dolan_more(c: np.ndarray) -> None:
    """Profiles of a matrix of costs, one curve at a time."""
    baseline = c.min(axis=0)
    for row in c:
        with np.errstate(invalid="ignore"):
            profile_functions(np.where(np.isinf(row), np.inf, row / baseline)[None])


def nest(c: np.ndarray) -> None:
    """All waves and the mean of their profiles."""
    found = nested.waves(c)
    for i in range(0, len(c), 10):
        nested.profile_functions(c[i : i + 10], found)


def bands() -> None:
    """2000 resamples of the profiles of 4 algorithms on 100 tasks with 10 runs each."""
    rng = np.random.default_rng(1)
    cost = np.exp(rng.normal(size=4 * 100 * 10))
    found = bootstrap.Cells(
        (4, 100), cost, np.full(cost.size, np.nan), np.full(cost.size, np.nan), np.ones(cost.size), np.arange(401) * 10
    )
    rho, *_ = bootstrap.step_resamples(
        np.ones((4, 100)),
        lambda batch, weights: bootstrap.ratio_thresholds(batch),
        np.linspace(1, 8, 100),
        8.0,
        bootstrap.Scheme("runs", 2000, rng),
        found=found,
        aggregate="mean",
    )
    bootstrap.limits(rho, rho.mean(axis=0), bootstrap.Size(10, 3600, 10 / 9), 0.95, 1.0)


def rliable() -> None:
    """The same number of resamples by rliable, of its score distributions at as many points."""
    from rliable import library, metrics  # noqa: F401

    rng = np.random.default_rng(1)
    scores = {f"a{i}": np.exp(rng.normal(size=(10, 100))) for i in range(4)}
    library.create_performance_profile(scores, np.linspace(0, 8, 100), reps=2000)


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="1000 x 100000 instead of 200 x 100000")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    large = costs(1000 if arguments.large else 200, 100_000)
    tracemalloc.start()
    dolan_more(large)
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"Dolan-Moré of {large.shape} needs {most:.0f} MB beside the {large.nbytes / 1e6:.0f} MB of the matrix")
    compare("Dolan-Moré / numpy.sort", lambda: dolan_more(large), lambda: np.sort(large, axis=1), arguments.repeats)
    small = costs(200, 10_000)
    compare("nested, all waves / Dolan-Moré", lambda: nest(small), lambda: dolan_more(small), arguments.repeats)
    mean = costs(100 if arguments.large else 20, 10_000)
    base, tau = performance_ratios(mean)[1], np.linspace(1, 10, 1000)
    z = np.random.default_rng(1).normal(size=(1000, 1000))
    compare(
        f"probabilistic, {len(mean)} x 10000 x 1000 / as many normal CDFs",
        lambda: probabilistic.RandomCosts.of(mean, 0.3 * np.ones(mean.shape), base).values(tau),
        lambda: [ndtr(z) for _ in range(10 * len(mean))],
        1,
    )
    try:
        import rliable as _  # noqa: F401
    except ImportError:
        print("bands / rliable: rliable is not installed")
    else:
        compare("rliable / bands, 2000 resamples", rliable, bands, 1)


if __name__ == "__main__":
    main()
