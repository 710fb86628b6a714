"""Time the costs of a list of targets, from traces as they are stored, beside a bare scan of their columns.

python benchmarks/ingest/costs.py [--rows 10000000] [--trials 1000 30000] [--targets 51] [--rounds 3]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmill.core import schema, storage, traces
from benchmill.costs import costs


def write(folder: Path, rows: int, trials: int) -> tuple[Path, Path]:
    """Tables of so many trials, whose values fall from 1000 over eleven decades at every row."""
    random = np.random.default_rng(1)
    each, number = rows // trials, np.arange(trials)
    said = {
        "suite": "bbob",
        "algorithm": "a",
        "run": 1,
        "value_kind": "difference",
        "maximise": False,
        "status": "failed",
        "source": "x",
    }
    columns = {name: [value] * trials for name, value in said.items()}
    columns |= {"problem": [f"f{i % 24 + 1}" for i in number], "instance": [f"{i % 15 + 1}" for i in number]}
    numbers = {"dimension": 10, "n": 1, "budget": 10**9, "best_value": 1e-8}
    columns |= {name: np.full(trials, value) for name, value in numbers.items()}
    table = schema.table("trials", {**columns, "trial": number})
    storage.write(table, "trials", folder / "trials")
    keys = ["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]
    with storage.Writer("traces", folder / "traces") as writer:
        for some in np.array_split(number, max(rows // 500_000, 1)):
            shape = len(some), each
            of_row = table.select(keys).take(pa.array(np.repeat(some, each)))
            values = {
                "evaluations": np.cumsum(random.integers(1, 5, shape), 1).ravel(),
                "value": 1e3 * np.exp(-np.cumsum(random.exponential(25 / each, shape), 1)).ravel(),
                "on_target": np.ones(len(some) * each, bool),
            }
            writer.write(schema.table("traces", {name: of_row[name] for name in keys} | values))
    return folder / "trials", folder / "traces"


def best(rounds: int, run: Callable[[], object]) -> float:
    """Least processor time of several runs."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def scan(path: Path) -> None:
    """Read the columns that costs are made of, and make nothing of them."""
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        file.read_row_group(group, columns=traces.COLUMNS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("rows", 10_000_000), ("targets", 51), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--trials", type=int, nargs="+", default=[1000, 30_000])
    asked = parser.parse_args()
    targets = np.logspace(2, -8, asked.targets).tolist()
    for count in asked.trials:
        with tempfile.TemporaryDirectory() as made:
            of_trials, of_traces = write(Path(made), asked.rows, count)
            table = storage.read(of_trials, "trials")
            times = {
                "scan": best(asked.rounds, lambda of_traces=of_traces: scan(of_traces)),
                "costs": best(
                    asked.rounds,
                    lambda table=table, of_traces=of_traces: costs(
                        "fixed_target", table, storage.pieces(of_traces, "traces", traces.COLUMNS), "ert", {"targets": targets}
                    ),
                ),
            }
            size = of_traces.stat().st_size / asked.rows
        told = ", ".join(f"{name} {asked.rows / seconds / 1e6:.0f} million rows a second" for name, seconds in times.items())
        print(f"{count} trials, {asked.targets} targets, {size:.1f} bytes a row: {told}")
