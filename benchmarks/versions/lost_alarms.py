"""How often `lost` is met, or undecided, where nothing has changed, with several runs of each version an instance.

    python benchmarks/versions/lost_alarms.py [N [INSTANCES ...]]

N comparisons (2000 by default), of 10, 30 and 100 instances, of a version with itself: the logarithms of the times of an
instance are normal around its own mean with a spread of 0.3 (or 1) from run to run; the means have a spread of 1.5, around e^3
s, where 1 % of all runs fail, or around the limit of 600 s, where half do. Heavy tails: Student's with 3 degrees of freedom, of
the same spread. p values and the interval of the share solved are those of `benchmill compare`, and so is the rule: an instance
that the one always solves and the other never is lost, whatever chance there is.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core import seeds
from benchmill.inference import clusters
from benchmill.versions.measured import Pair, p_of_endings
from benchmill.versions.sentences import judged, rule

LEVEL, LIMIT, SPREAD = 0.95, 600.0, 1.5


def outcome(log: np.ndarray) -> str:
    """Return the outcome of the rule for logarithms of times, (n_instances, 2, n_runs)."""
    instances, _, runs = log.shape
    success = log < np.log(LIMIT)
    rows = pd.DataFrame(
        {
            "cell": np.repeat(np.arange(instances), 2 * runs),
            "new": np.tile(np.repeat([0, 1], runs), instances),
            "cost": np.where(success, np.exp(log), np.inf).ravel(),
            "limit": LIMIT,
            "n": 1,
        }
    )
    nothing = pa.table({})
    pair = Pair(nothing, nothing, rows, pa.table({"problem": np.arange(instances)}), np.arange(instances))
    p, least = p_of_endings(pair)
    share = success.mean(axis=2)
    d = share[:, [1]] - share[:, [0]]
    flips = clusters.flips(d, seeds.stream(1, "versions"), 1 - LEVEL)
    found = {
        "level": LEVEL,
        "seeds": True,
        "lost": [
            {"instance": str(i), "p": p[i], "base_share": share[i, 0], "new_share": share[i, 1], "new": "time limit"}
            for i in np.flatnonzero(share[:, 1] < share[:, 0])
        ],
        "only_base": [],
        "fewer": [],
        "p_min": least,
        "solved": {
            "difference": flips.effect[0],
            "low": flips.low[0],
            "high": flips.high[0],
            "p_min": 2.0 ** (1 - instances),
            "changed": np.count_nonzero(d),
        },
    }
    return next(name for name, told in judged(found, rule("lost")).items() if told)


def alarms(
    instances: int, runs: int, centre: float, noise: float, times: int, rng: np.random.Generator, *, tails: bool = False
) -> tuple[float, float]:
    """The shares of comparisons in which the rule is met, and undecided."""
    shape = (times, instances, 2, runs)
    drawn = rng.standard_t(3, shape) / np.sqrt(3) if tails else rng.normal(size=shape)
    found = [outcome(one) for one in rng.normal(centre, SPREAD, (times, instances, 1, 1)) + noise * drawn]
    return found.count("met") / times, found.count("undecided") / times


def main() -> None:
    """Print the table: met / undecided."""
    times, *sizes = [int(given) for given in sys.argv[1:]] or [2000]
    print("| instances | runs that fail | spread of runs | 2 runs of each | 3 | 5 | 10 |")
    print("| --: | :-- | :-- | --: | --: | --: | --: |")
    for instances in sizes or (10, 30, 100):
        for fail, centre in (("1 %", 3.0), ("half", float(np.log(LIMIT)))):
            for noise, tails in ((0.3, False), (1.0, False), (0.3, True)):
                # the same numbers whatever else is asked for
                rng = np.random.default_rng([instances, round(centre), int(10 * noise), tails])
                found = (alarms(instances, runs, centre, noise, times, rng, tails=tails) for runs in (2, 3, 5, 10))
                how = f"{noise}, heavy tails" if tails else f"{noise}"
                shares = " | ".join(" / ".join(f"{100 * share:.1f} %" for share in both) for both in found)
                print(f"| {instances} | {fail} | {how} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
