"""ERT, PAR-10, success rates and fixed-budget means against iohinspector, where that is installed, with the true budget."""

import importlib.util
import os
import runpy
from pathlib import Path

import numpy as np
import pytest

from benchmill.costs import costs
from benchmill.indicators.ert import indicators

LOGS = Path(os.environ.get("BENCHMILL_REAL_DATA", "")) / "ioh-json-dat/SO_Data"
BUDGET = 1000

pytestmark = [
    pytest.mark.compare,
    pytest.mark.skipif(importlib.util.find_spec("iohinspector") is None, reason="needs iohinspector"),
    pytest.mark.skipif(not LOGS.is_dir(), reason="needs BENCHMILL_REAL_DATA, a folder with public logs"),
    pytest.mark.filterwarnings("ignore"),
]
FREE = ["algorithm_name", "function_id", "dimension"]


@pytest.fixture(scope="module")
def logs():
    tool = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/indicators/against_iohinspector.py"))
    frame = tool["load"](LOGS)
    return frame, *tool["tables"](frame, budget=BUDGET)


def place(row):
    return row["algorithm"], int(row["problem"].removeprefix("f")), row["dimension"]


def test_running_times(logs):
    from iohinspector.metrics import aggregate_running_time

    frame, trials, traces = logs
    theirs = aggregate_running_time(frame, free_vars=FREE, f_min=1e-4, f_max=1e7, eval_max=BUDGET).to_dict("records")
    targets = sorted({row["raw_y"] for row in theirs}, reverse=True)
    table = costs("fixed_target", trials, traces, "ert", {"targets": targets})
    found = {(*place(row), row["target"]): row for row in indicators(table, resamples=0).to_pylist()}
    assert len(theirs) == len(found) == 4 * 50
    for row in theirs:
        ours = found[(*(row[name] for name in FREE), row["raw_y"])]
        assert ours["n_successes"] == row["success_count"]
        assert ours["success_rate"] == row["success_ratio"]
        assert ours["ert"] == pytest.approx(row["ERT"], rel=1e-12)
        assert ours["par"] == pytest.approx(row["PAR-10"], rel=1e-12)


def test_values_at_budgets(logs):
    from iohinspector.metrics import aggregate_convergence

    frame, trials, traces = logs
    theirs = aggregate_convergence(frame, free_vars=FREE, eval_min=1, eval_max=BUDGET).to_dict("records")
    budgets = sorted({float(row["evaluations"]) for row in theirs})
    table = costs("fixed_budget", trials, traces, "quality", {"budgets": budgets})
    found = {(*place(row), row["at_budget"]): row for row in indicators(table).to_pylist()}
    assert len(theirs) == len(found) > 100
    for row in theirs:
        ours = found[(*(row[name] for name in FREE), float(row["evaluations"]))]
        for name in ("mean", "median"):
            assert ours[name] == pytest.approx(row[name], rel=1e-12)
        assert ours["sd"] == pytest.approx(row["std"], rel=1e-9) or np.isnan(row["std"])
