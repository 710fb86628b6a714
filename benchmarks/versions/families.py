"""How often the interval of `benchmill compare` covers where instances of a family change alike, and families are found.

    python benchmarks/versions/families.py [N]

N comparisons (1000 by default) of each kind: the log ratio of the times of an instance is normal around 0, or Student's with 3
degrees of freedom of the same spread, with this correlation within the families; instances are called `fam3_07`. The interval
is that of the ratio of geometric means, over instances, over the true families, and over the clusters that `benchmill compare`
finds.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.core import keys
from benchmill.indicators.intervals import ratio_of_means
from benchmill.inference import families

SPREAD, LEVEL = 0.3, 0.95


def covered(
    n_families: int, size: int, correlation: float, times: int, rng: np.random.Generator, *, tails: bool = False
) -> list[float]:
    """Shares of the comparisons whose interval covers 1, by instances, families and what is found; and that find the families."""
    problems = [{"suite": None, "problem": f"fam{i}_{j:02}"} for i in range(n_families) for j in range(size)]
    true = np.repeat(np.arange(n_families), size)
    counts = np.zeros(4)
    for _ in range(times):
        shape = (n_families, size + 1)
        drawn = rng.standard_t(3, shape) / np.sqrt(3) if tails else rng.normal(size=shape)
        change = SPREAD * (np.sqrt(correlation) * drawn[:, :1] + np.sqrt(1 - correlation) * drawn[:, 1:]).ravel()
        table = families.found(change[:, None], problems, seed=int(rng.integers(1 << 30)))
        family = next((key for key in keys.resolved(keys.DEFAULT_CLUSTER_KEYS, table) if isinstance(key, keys.Family)), None)
        log = np.column_stack([np.zeros(change.size), change])
        for i, clusters in enumerate((np.arange(change.size), true, true if family else np.arange(change.size))):
            low, high = ratio_of_means(log, 0.0, clusters, LEVEL)
            counts[i] += low <= 1 <= high
        counts[3] += family is not None
    return [float(share) for share in counts / times]


def main() -> None:
    """Print the table."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(1)
    print("| families | noise | correlation | by instances | by families | families found | as `compare` does |")
    print("| :-- | :-- | --: | --: | --: | --: | --: |", flush=True)
    for n_families, size in ((8, 10), (20, 5)):
        for tails in (False, True):
            for correlation in (0.0, 0.1, 0.3, 0.66):
                each, own, found, seen = covered(n_families, size, correlation, times, rng, tails=tails)
                kind = "heavy tails" if tails else "normal"
                shares = " | ".join(f"{100 * share:.1f} %" for share in (each, own, seen, found))
                print(f"| {n_families} of {size} | {kind} | {correlation} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
