"""ERT and success rates of IOHprofiler logs: this package and iohinspector, one after the other, on the same rows."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmill import schema
from benchmill.costs import costs
from benchmill.indicators.ecdf import ecdf
from benchmill.indicators.ert import indicators

N_TARGETS = 50  # iohinspector has no other number


def load(folder: str | Path):
    """Rows of all runs below a folder, as iohinspector reads them."""
    import iohinspector

    manager = iohinspector.DataManager()
    manager.add_folder(str(folder))
    return manager.load(monotonic=True, include_meta_data=True)


def tables(frame, budget_per_dimension: int | None = None, budget: int | None = None) -> tuple[pa.Table, pa.Table]:
    """Tables `trials` and `traces` from rows of iohinspector; a trial is a `data_id`."""
    frame = frame.sort(["data_id", "evaluations"])
    first = frame.unique(subset=["data_id"], keep="first", maintain_order=True)
    trial = np.searchsorted(first["data_id"].to_numpy(), frame["data_id"].to_numpy())
    n = len(first)
    dimension = first["dimension"].to_numpy().astype(np.int32)
    names = {
        "suite": ["ioh"] * n,
        "problem": [f"f{i}" for i in first["function_id"].to_list()],
        "dimension": dimension,
        "instance": [str(i) for i in first["instance"].to_list()],
        "algorithm": [str(name) for name in first["algorithm_name"].to_list()],
        "run": np.ones(n, np.int32),
        "trial": np.arange(n, dtype=np.int32),
    }
    spent = dimension.astype(np.int64) * budget_per_dimension if budget_per_dimension else np.full(n, budget, np.int64)
    trials = schema.table(
        "trials",
        {
            **names,
            "budget": spent,
            "value_kind": ["difference"] * n,
            "maximise": np.zeros(n, bool),
            "n": np.ones(n, np.int32),
            "status": ["failed"] * n,
            "source": ["log"] * n,
        },
    )
    index = pa.array(trial)
    traces = schema.table(
        "traces",
        {
            **{name: trials.column(name).take(index) for name in names},
            "evaluations": frame["evaluations"].to_numpy().astype(np.int64),
            "value": frame["raw_y"].to_numpy(),
            "on_target": np.ones(trial.size, bool),
        },
    )
    return trials, traces


def ours(trials: pa.Table, traces: pa.Table, targets: np.ndarray) -> pa.Table:
    """Hitting times, indicators with intervals, and ECDF curves; gives the indicators."""
    table = costs("fixed_target", trials, traces, "ert", {"targets": targets.tolist()})
    ecdf(table, aggregation="target", x="evaluations")
    return indicators(table)


def theirs(frame, targets: np.ndarray, eval_max: int):
    """ERT and success rates by algorithm and dimension."""
    from iohinspector.metrics import aggregate_running_time

    return aggregate_running_time(
        frame,
        free_vars=["algorithm_name", "function_id", "dimension"],
        f_min=float(targets.min()),
        f_max=float(targets.max()),
        eval_max=eval_max,
    )


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call, all threads together."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main(folder: str, budget_per_dimension: int, repetitions: int = 3) -> None:
    """Print both times, interleaved, and the median of their ratios."""
    frame = load(folder)
    trials, traces = tables(frame, budget_per_dimension)
    low, high = float(frame["raw_y"].min()), float(frame["raw_y"].max())
    targets = np.geomspace(max(low, 1e-8), high, N_TARGETS)[::-1]
    limit = int(trials["budget"].to_numpy().max())
    print(f"{trials.num_rows} trials, {traces.num_rows} rows, {N_TARGETS} targets")
    ratios = []
    for _ in range(repetitions):
        a, b = cpu(lambda: ours(trials, traces, targets)), cpu(lambda: theirs(frame, targets, limit))
        ratios.append(b / a)
        print(f"benchmill (hitting times, indicators, intervals, ECDF) {a:.2f} s CPU; iohinspector (ERT) {b:.2f} s CPU")
    print(f"median ratio {statistics.median(ratios):.1f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
