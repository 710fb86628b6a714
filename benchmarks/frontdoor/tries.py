"""Do what two users do on a working day, and compare every number with plain pandas, and with other tools where they are there.

python benchmarks/frontdoor/tries.py

The first is a developer of a solver, with a CSV of runs of each version; the second has DataFrames and a notebook. Prints the
largest relative difference of each kind of number; ends with status 1 where one is above 10⁻⁹
(10⁻⁴ where others approximate critical values).
"""

from __future__ import annotations

import importlib
import re
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


RESULT = """<?xml version="1.0"?>
<result benchmarkname="{tool}" date="2024-01-01 10:00:00 UTC" starttime="2024-01-01T10:00:00+00:00" tool="{tool}" version="1"
 toolmodule="tool" generator="BenchExec 3.25" options="" memlimit="1000000000B" timelimit="900s" cpuCores="1" name="r">
<columns><column title="status"/><column title="cputime"/></columns>
{runs}
</result>
"""
RUN = """<run files="[{name}.c]" name="{name}.yml" properties="p" propertyFile="p.prp" expectedVerdict="true">
<column title="status" value="{status}"/><column title="category" value="{category}" hidden="true"/>
<column title="cputime" value="{time:.6f}s"/></run>"""


def verifier() -> dict[str, float]:
    """Differences from the statistics of BenchExec's table-generator: counts, and times of correct answers."""
    try:
        generator = importlib.import_module("benchexec.tablegenerator")
    except ImportError as error:
        print(f"BenchExec is not compared with: {error}")
        return {}
    rng, differences = np.random.default_rng(11), dict[str, float]()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{tool}.results.r.xml") for tool in ("Alpha", "Beta")]
        for file, tool in zip(files, ("Alpha", "Beta"), strict=True):
            runs = []
            for i, time in enumerate(np.exp(rng.normal(4, 2, 60)).tolist()):
                late, right = time > 900, rng.random() < 0.9
                status = "TIMEOUT" if late else "true" if right else "false(p)"
                category = "error" if late else "correct" if right else "wrong"
                runs.append(RUN.format(name=f"f{i}", status=status, category=category, time=min(time, 905.0)))
            file.write_text(RESULT.format(tool=tool, runs="\n".join(runs)), "utf-8")
        generator.main(["", *map(str, files), "-f", "statistics-tex", "-o", folder, "-n", "t", "-q"])
        told = re.findall(
            r"Result\{(\w+)\}\{R\}\{(\w+)\}\{(\w+)\}\{\}\{(\w+)\}\{([\d.]+)\}", Path(folder, "t.table.statistics.tex").read_text()
        )
        theirs = {tuple(key): float(value) for *key, value in told}
        costs = bm.costs(bm.read([str(file) for file in files]))
    summary = bm.summary(costs, brackets=[]).frame.query("subset == 'all' and unsolved == 'limit'").set_index("algorithm")
    for tool in ("Alpha", "Beta"):
        name = next(one for one in summary.index if one.startswith(tool))
        times = costs.frame.loc[lambda frame, name=name: (frame["algorithm"] == name) & np.isfinite(frame["cost"]), "cost"]
        for what, ours, key in (
            ("correct answers", summary.loc[name, "solved"], ("Status", "Correct", "Count")),
            ("wrong answers", summary.loc[name, "wrong"], ("Status", "Wrong", "Count")),
            ("sum of times of correct answers", times.sum(), ("Cputime", "Correct", "Sum")),
            ("median of times of correct answers", times.median(), ("Cputime", "Correct", "Median")),
        ):
            off = abs(float(ours) / theirs[tool, *key] - 1)
            differences[f"{what}, BenchExec"] = max(differences.get(f"{what}, BenchExec", 0.0), off)
    return differences


def main() -> int:
    """Print the differences."""
    warnings.simplefilter("ignore")
    found = {**developer(), **notebook(), **verifier()}
    print("\n".join(f"{name}: {off:.1e}" for name, off in found.items()))
    return int(any(off > OF_TABLES.get(name, ROUNDING) for name, off in found.items()))


if __name__ == "__main__":
    sys.exit(main())
