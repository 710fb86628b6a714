"""How often `compare_factors` finds an effect in a sweep of two parameters without any, and how often its intervals hold one.

    python benchmarks/versions/sweeps.py [N]

N sweeps (200 by default) of two by three values, with two seeds and noise of 5 % from run to run, by the number of problems
and the noise that a problem has with each combination. Printed is the share in which any interval leaves 1 out where nothing
has an effect, and in which all intervals hold the planted ones: 10 % less for one of two values, 5 and 15 % more for two of
three.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

import benchmill as bm

PLANTED = {"cuts": (0.9, 1.0), "emphasis": (1.0, 1.05, 1.15)}


def sweep(rng: np.random.Generator, problems: int, combination: float, effects: bool) -> pd.DataFrame:
    """Return the runs of a sweep."""
    shape = (problems, 2, 3, 2)
    log = rng.normal(3, 1, (problems, 1, 1, 1)) + rng.normal(0, 0.05, shape)
    log += combination * rng.standard_t(5, (problems, 2, 3, 1))
    if effects:
        log += np.log(np.multiply.outer(PLANTED["cuts"], PLANTED["emphasis"]))[None, :, :, None]
    names = pd.MultiIndex.from_product(map(range, shape), names=["problem", "cuts", "emphasis", "seed"])
    rows = pd.DataFrame({"cost": np.exp(log).ravel()}, index=names).reset_index()
    return rows.assign(problem="p" + rows["problem"].astype(str))


def main() -> None:
    """Print the table."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for problems in (12, 30):
        for combination in (0.0, 0.1):
            alarms, held = 0, 0
            for seed in range(n):
                for effects in (False, True):
                    rows = sweep(np.random.default_rng([seed, problems]), problems, combination, effects)
                    found = bm.compare_factors(rows, list(PLANTED), run="seed", limit=1e9, mean_shift=0.0)
                    least = found["value"].astype(str).where(found["ratio"] == 1).groupby(found["factor"]).transform("first")
                    values = zip(found["factor"], found["value"].astype(int), least.astype(int), strict=True)
                    true = [PLANTED[f][a] / PLANTED[f][b] if effects else 1.0 for f, a, b in values]
                    inside = bool(((found["low"] <= true) & (true <= found["high"])).all())
                    alarms += not effects and not inside
                    held += effects and inside
            print(f"{problems} problems, noise of combinations {combination:g}: {alarms / n:.1%} alarms, {held / n:.1%} hold")


if __name__ == "__main__":
    main()
