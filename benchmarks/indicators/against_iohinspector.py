"""ERT and success rates of IOHprofiler logs: this package and iohinspector, one after the other, from logs to numbers."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import storage
from benchmill.costs import costs
from benchmill.indicators.ecdf import ecdf
from benchmill.indicators.ert import indicators
from benchmill.readers import ingest

#: The targets of COCO; iohinspector has no other number than 50.
TARGETS = [float(f"{10 ** (2 - i / 5):.15g}") for i in range(51)]


def load(folder: str | Path):
    """Rows of all runs below a folder, as iohinspector reads them."""
    import iohinspector

    manager = iohinspector.DataManager()
    manager.add_folder(str(folder))
    return manager.load(monotonic=True, include_meta_data=True)


def read(logs: str | Path, folder: str | Path) -> tuple[pa.Table, list[pa.Table]]:
    """Tables `trials` and the pieces of `traces` of the same logs, by the reader of this package."""
    trials, traces, report = (Path(folder) / name for name in ("trials", "traces", "report"))
    ingest(Path(logs), [trials, traces, report], name="source")
    return storage.read(trials, "trials"), list(storage.pieces(traces, "traces"))


def ours(trials: pa.Table, traces: list[pa.Table], targets: list[float]) -> pa.Table:
    """Hitting times, indicators with intervals, and ECDF curves; gives the indicators."""
    table = costs("fixed_target", trials, traces, "ert", {"targets": targets})
    ecdf(table, aggregation="target")
    return indicators(table)


def theirs(frame, trials: pa.Table) -> list[dict[str, object]]:
    """ERT and success rates of each algorithm and dimension, with the true budget, which iohinspector does not know."""
    import polars
    from iohinspector.metrics import aggregate_running_time

    found = []
    places = trials.select(["algorithm", "dimension"]).group_by(["algorithm", "dimension"]).aggregate([])
    for place in places.to_pylist():
        own = frame.filter((polars.col("algorithm_name") == place["algorithm"]) & (polars.col("dimension") == place["dimension"]))
        found += aggregate_running_time(
            own,
            free_vars=["algorithm_name", "function_id", "dimension"],
            f_min=min(TARGETS),
            f_max=max(TARGETS),
            eval_max=budget(trials, **place),
        ).to_dict("records")
    return found


def budget(trials: pa.Table, algorithm: str, dimension: int) -> int:
    """The budget that all trials of an algorithm and dimension have spent."""
    own = trials.filter(
        pc.and_(pc.equal(trials["algorithm"].cast(pa.string()), algorithm), pc.equal(trials["dimension"], dimension))
    )
    (spent,) = np.unique(own["budget"].to_numpy()).tolist()
    return int(spent)


def cpu(work: Callable[..., object], *arguments: object) -> tuple[float, object]:
    """CPU seconds of one call, all threads together, and what it gives."""
    start = time.process_time()
    result = work(*arguments)
    return time.process_time() - start, result


def main(logs: str, rounds: int = 5) -> None:
    """Print the times of both, interleaved, and the medians of their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(logs)
        if unpacked.suffix == ".zip":  # iohinspector reads folders
            unpacked = Path(folder) / "logs"
            zipfile.ZipFile(logs).extractall(unpacked)
        times = []
        for _ in range(rounds):
            a, (trials, traces) = cpu(read, logs, folder)
            b, frame = cpu(load, unpacked)
            c, _ = cpu(ours, trials, traces, TARGETS)
            d, _ = cpu(theirs, frame, trials)
            times.append((a, b, c, d))
        n_rows = sum(piece.num_rows for piece in traces)
        print(f"{trials.num_rows} trials, {n_rows} rows, {len(TARGETS)} targets; median of {rounds} rounds, CPU seconds")
        read_ours, read_theirs, count_ours, count_theirs = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"read     benchmill {read_ours:.2f}  iohinspector {read_theirs:.2f}")
        print(f"compute  benchmill {count_ours:.2f}  iohinspector {count_theirs:.2f}")
        for name, ratios in (
            ("read", [b / a for a, b, _, _ in times]),
            ("compute", [d / c for _, _, c, d in times]),
            ("both", [(b + d) / (a + c) for a, b, c, d in times]),
        ):
            print(f"median ratio, {name}: {statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})")


if __name__ == "__main__":
    main(sys.argv[1])
