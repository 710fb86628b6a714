"""Do what two users do on a working day, and compare every number with plain pandas, and with other tools where they are there.

python benchmarks/frontdoor/tries.py

The first is a developer of a solver, with a CSV of runs of each version (developer.ipynb); the second has DataFrames
(dataframes.ipynb). Prints the largest relative difference of each kind of number; ends with status 1 where one is above 10⁻⁹
(10⁻⁴ where others approximate critical values).
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tarfile
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import benchmill as bm

ROUNDING = 1e-9
#: Others have an approximation of critical values.
OF_TABLES = {"critical difference of Nemenyi's test, autorank": 1e-4}


def executed(notebook: str, **parameters: Any) -> dict[str, Any]:
    """Run the cells of a notebook one after the other, and return its names; parameters replace those of the tagged cell."""
    names: dict[str, Any] = {}
    cells = json.loads(Path(__file__).with_name(notebook).read_text("utf-8"))["cells"]
    for number, cell in enumerate(one for one in cells if one["cell_type"] == "code"):
        exec(compile("".join(cell["source"]), f"{notebook}[{number}]", "exec"), names)
        names |= parameters if "parameters" in cell["metadata"].get("tags", ()) else {}
    return names


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


def optimiser() -> dict[str, float]:
    """Differences from PAVER's statistics of GAMS traces, by their definitions in its `solvestat.py` and `setupdefault.py`.

    As with `--mintime 0 --timeshift 10 --failtime` at the limit: a run that does not end normally fails and counts the limit,
    at which times are cut; the virtual best solver has the least time of an instance.
    """
    archive = Path(os.environ.get("BENCHMILL_REAL_DATA", ""), "gams-trace/paver-globallib-linlib-miplib2010.tgz")
    if not archive.is_file():
        print("PAVER's statistics are not compared with: BENCHMILL_REAL_DATA has no gams-trace")
        return {}
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
        paths = sorted(Path(folder, "examples/miplib2010").glob("*.trc"))
        tables = []
        for path in paths:
            comments = [line[1:].strip() for line in path.read_text("utf-8").splitlines() if line.startswith("*")]
            columns = ",".join(comments[2:4]).replace(",,", ",").split(",")
            tables.append(pd.read_csv(path, comment="*", names=columns, na_values="NA"))
        costs = bm.costs(bm.read([str(path) for path in paths]), mean_shift=10.0)
    runs = pd.concat(tables, ignore_index=True)
    limit = float(next(line.split(",")[1] for line in comments if line.startswith("TIMELIMIT")))
    runs["ended"] = (runs["SolverStatus"] == 1) & (runs["SolverTime"] <= limit)
    runs["time"] = runs["SolverTime"].where(runs["ended"], limit)
    time, ended = (runs.pivot(index="InputFileName", columns="SolverName", values=name) for name in ("time", "ended"))
    time["virtual best"] = time.min(axis=1)
    summary = bm.summary(costs, brackets=[]).frame.set_index(["subset", "unsolved", "algorithm"])
    differences: dict[str, float] = {}
    for unsolved, own in (("limit", time), ("all_solved", time[ended.all(axis=1)])):
        for name, values in own.items():
            ours = summary.loc[("all", unsolved, name)]
            theirs = {"mean": values.mean(), "sgm": np.exp(np.log(values + 10).mean()) - 10, "instances": len(values)}
            theirs |= {"solved": ended[name].sum()} if name in ended and unsolved == "limit" else {}
            for what, value in theirs.items():
                off = abs(float(ours[what]) / value - 1)
                differences[f"{what}, PAVER's definition"] = max(differences.get(f"{what}, PAVER's definition", 0.0), off)
    everywhere = costs.frame.groupby("problem", observed=True)["cost"].transform(lambda cost: np.isfinite(cost).all())
    ours = costs.ratios[costs.ratios["problem"].isin(costs.frame.loc[everywhere, "problem"])]
    mean = time[ended.all(axis=1)].div(time["virtual best"], axis=0).mean()
    ratio = ours.astype({"algorithm": str}).groupby("algorithm")["ratio"].mean()
    differences["ratio to the virtual best, PAVER's definition"] = float(np.abs(ratio / mean[ratio.index] - 1).max())
    return differences


def main() -> int:
    """Print the differences."""
    warnings.simplefilter("ignore")
    tried = [executed(notebook) for notebook in ("developer.ipynb", "dataframes.ipynb")]
    print(tried[0]["compared"])
    found = {**tried[0]["differences"], **tried[1]["differences"], **verifier(), **optimiser()}
    print("\n".join(f"{name}: {off:.1e}" for name, off in found.items()))
    return int(any(off > OF_TABLES.get(name, ROUNDING) for name, off in found.items()))


if __name__ == "__main__":
    sys.exit(main())
