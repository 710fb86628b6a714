"""Do what two users do on a working day, and compare every number with plain pandas, and with other tools where they are there.

python benchmarks/frontdoor/tries.py

The first is a developer of a solver, with a CSV of runs of each version; the second has DataFrames and a notebook. Prints the
largest relative difference of each kind of number; ends with status 1 where one is above 10⁻⁹
(10⁻⁴ where others approximate critical values).
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import benchmill as bm

LIMIT, SHIFT, ROUNDING = 600.0, 10.0, 1e-9
#: Others have an approximation of critical values.
OF_TABLES = {"critical difference of Nemenyi's test, autorank": 1e-4}


def versions(rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Runs of two versions on 120 instances of three classes, with three seeds; the new one is 5 % slower on one class."""
    names = [f"{kind}_{family}_{i}" for kind in ("sat", "unsat", "rnd") for family in range(4) for i in range(10)]
    base = np.exp(rng.normal(3, 2, len(names)))
    found = {}
    for version, slower in (("1.0", 1.0), ("1.1", 1.05)):
        planted = np.where([name.startswith("unsat") for name in names], slower, 1.0)
        time = base[:, None] * planted[:, None] * np.exp(rng.normal(0, 0.03, (len(names), 3)))
        rows = pd.DataFrame({"solver": version, "instance": np.repeat(names, 3), "seed": np.tile([1, 2, 3], len(names))})
        rows["status"] = np.where(time.ravel() < LIMIT, "optimal", "timeout")
        found[version] = rows.assign(seconds=time.ravel().clip(max=LIMIT))
    return found


def developer() -> dict[str, float]:
    """Differences of the numbers that a developer of a solver reads."""
    made = versions(np.random.default_rng(7))
    runs = pd.concat(made.values(), ignore_index=True)
    kinds = {name: name.partition("_")[0] for name in runs["instance"].unique()}
    named = {"algorithm": "solver", "problem": "instance", "cost": "seconds", "status": "status"}
    costs = bm.costs(runs, **named, failed={"timeout": "time_limit"}, run="seed", limit=LIMIT, mean_shift=SHIFT)
    summary = bm.summary(costs, by=kinds, brackets=[])
    ours = summary.frame.set_index(["subset", "unsolved", "algorithm"])
    differences: dict[str, float] = {}
    for subset, some in {"all": runs, **{f"class {k}": g for k, g in runs.groupby(runs["instance"].map(kinds))}}.items():
        for version, own in some.groupby("solver"):
            ok = own["status"] == "optimal"
            par10 = own["seconds"].where(ok, 10 * LIMIT).groupby(own["instance"]).mean().mean()
            log = np.log(own["seconds"] + SHIFT).groupby(own["instance"]).mean()
            row = ours.loc[(subset, "limit", version)]
            for name, expected in (
                ("solved runs", ok.sum()),
                ("par10", par10),
                ("sgm", np.exp(log.mean()) - SHIFT),
            ):
                off = abs(float(row[name.split()[0]]) / expected - 1)
                differences[f"{name} by class, pandas"] = max(differences.get(f"{name} by class, pandas", 0.0), off)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for version, rows in made.items():
            paths.append(Path(folder, f"{version}.csv"))
            rows.drop(columns="solver").to_csv(paths[-1], index=False)
        options = {"algorithm": "S", "columns": {"problem": "instance", "cost": "seconds", "run": "seed", "outcome": "status"}}
        options |= {"outcomes": {"optimal": "solved", "timeout": "time_limit"}, "time_limit": LIMIT}
        found = bm.compare_versions(*paths, by=kinds, base_options=options, new_options=options)
    print(found)
    return differences


def notebook() -> dict[str, float]:
    """Differences of the numbers that someone with DataFrames reads."""
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.lognormal(0, 1, (30, 4)) * [1, 1.5, 2, 4], columns=list("ABCD")).rename_axis("problem").reset_index()
    costs = bm.costs(wide, wide=list("ABCD"))
    plain = wide.set_index("problem")
    ratios = costs.ratios.astype({"problem": int, "algorithm": str}).pivot(index="problem", columns="algorithm", values="ratio")
    differences = {"ratio, pandas": float(np.abs(ratios / plain.div(plain.min(axis=1), axis=0) - 1).max().max())}
    ranks = bm.compare(costs).ranks.set_index("algorithm")["average_rank"]
    differences["average rank, pandas"] = float(np.abs(ranks / plain.rank(axis=1).mean()[ranks.index] - 1).max())
    try:
        autorank = importlib.import_module("autorank")
    except ImportError as error:
        print(f"autorank is not compared with: {error}")
        return differences
    theirs = autorank.autorank(plain, alpha=0.05, order="ascending", force_mode="nonparametric")
    friedman = bm.compare(costs, methods="friedman").tests.set_index("method").loc["friedman", "p"]
    differences["average rank, autorank"] = float(np.abs(ranks / theirs.rankdf["meanrank"][ranks.index] - 1).max())
    differences["p of Friedman's test, autorank"] = abs(float(friedman) / theirs.pvalue - 1)
    msd = bm.compare(costs, comparisons="nemenyi").frame["msd"].iloc[0]
    differences["critical difference of Nemenyi's test, autorank"] = abs(float(msd) / theirs.cd - 1)
    return differences


def main() -> int:
    """Print the differences."""
    warnings.simplefilter("ignore")
    for name in ("paver", "benchexec"):
        if importlib.util.find_spec(name) is None:
            print(f"{name} is not compared with: it is not installed")
    found = {**developer(), **notebook()}
    print("\n".join(f"{name}: {off:.1e}" for name, off in found.items()))
    return int(any(off > OF_TABLES.get(name, ROUNDING) for name, off in found.items()))


if __name__ == "__main__":
    sys.exit(main())
