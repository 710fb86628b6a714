"""Time what a notebook does with a DataFrame beside the workflow's own computing on the same data as a file, interleaved.

python benchmarks/frontdoor/run.py [--rows 1000000] [--repeats 3]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import benchmill as bm
from benchmill import readers
from benchmill.core import storage
from benchmill.costs import costs
from benchmill.profiles import all_tables
from benchmill.profiles.ratios import COLUMNS, ratios


def runs(n: int) -> pd.DataFrame:
    """Lognormal costs of ten algorithms on a thousand problems."""
    rng = np.random.default_rng(1)
    algorithms, problems = [f"a{i}" for i in range(10)], [f"p{i}" for i in range(1000)]
    each = max(1, n // 10_000)
    return pd.DataFrame(
        {
            "algorithm": np.repeat(algorithms, 1000 * each),
            "problem": np.tile(np.repeat(problems, each), 10),
            "cost": rng.lognormal(0, 2, 10_000 * each),
        }
    )


def notebook(frame: pd.DataFrame) -> pd.DataFrame:
    """From a DataFrame to the measures of a profile."""
    return bm.profile(bm.costs(frame)).measures


def workflow(csv: Path) -> None:
    """The same, as the scripts of the workflow do it: from file to file."""
    file = {name: csv.with_name(f"{name}.parquet") for name in ("trials", "traces", "costs", "ratios")}
    readers.ingest(csv, [file["trials"], file["traces"], csv.with_suffix(".json")], name="runs")
    measured = costs("given", storage.read(file["trials"], "trials"), storage.pieces(file["traces"], "traces"), "cost", {})
    storage.write(measured, "costs", file["costs"])
    rated = ratios([("runs", storage.read(file["costs"], "costs", COLUMNS))], measure="cost", aggregate="mean")
    storage.write(rated, "ratios", file["ratios"])
    for name, table in all_tables(storage.read(file["ratios"], "ratios"), measure="cost").items():
        storage.write(table, name, csv.with_name(f"{name}.parquet"))


def steps(frame: pd.DataFrame) -> list[float]:
    """Processor seconds of a groupby of pandas, of `costs` and of `summary` of the same rows."""
    found = [time.process_time()]
    frame.groupby(["algorithm", "problem"])["cost"].mean()
    found.append(time.process_time())
    times = bm.costs(frame, limit=1e9)
    found.append(time.process_time())
    bm.summary(times)
    return np.diff([*found, time.process_time()]).tolist()


def main() -> None:
    """Print the median of the ratios of processor times, and both medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    frame = runs(asked.rows)
    mine, theirs, each = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder, "runs.csv")
        frame.to_csv(csv, index=False)
        for _ in range(asked.repeats):
            for function, given, times in ((workflow, csv, theirs), (notebook, frame, mine)):
                start = time.process_time()
                function(given)
                times.append(time.process_time() - start)
            each.append(steps(frame))
    ratio = statistics.median(a / b for a, b in zip(mine, theirs, strict=True))
    print(
        f"DataFrame to profile measures, {len(frame)} rows: {ratio:.2f} times the workflow's own computing "
        f"({statistics.median(mine):.2f} s against {statistics.median(theirs):.2f} s)"
    )
    pandas, measured, summarised = np.median(each, axis=0)
    print(
        f"a groupby of pandas {pandas:.3f} s; costs {measured / pandas:.0f} and summary {summarised / pandas:.0f} times as long"
    )


if __name__ == "__main__":
    main()
