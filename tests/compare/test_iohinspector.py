"""ERT, PAR-10, success rates and fixed-budget statistics against iohinspector, where that is installed, with the true budget.

Both start from the logs: here by this package's reader, there by iohinspector's.
"""

import importlib.util
import os
import runpy
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmill.costs import costs
from benchmill.indicators.ert import indicators

DATA = Path(os.environ.get("BENCHMILL_REAL_DATA", "")) / "ioh-json-dat"

pytestmark = [
    pytest.mark.compare,
    pytest.mark.skipif(importlib.util.find_spec("iohinspector") is None, reason="needs iohinspector"),
    pytest.mark.skipif(not DATA.is_dir(), reason="needs BENCHMILL_REAL_DATA, a folder with public logs"),
    pytest.mark.filterwarnings("ignore"),
]
TOOL = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/indicators/against_iohinspector.py"))


PLACE = ["algorithm_name", "dimension"]


@pytest.fixture(scope="module", params=["SO_Data", "MABBOB_Baselines.zip"])
def logs(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ioh")
    path = DATA / request.param
    trials, traces = TOOL["read"](path, folder)
    if path.suffix == ".zip":
        zipfile.ZipFile(path).extractall(folder / "logs")
        path = folder / "logs"
    frame = TOOL["load"](path)
    runs = Counter(frame.select(["data_id", *PLACE]).unique().select(PLACE).iter_rows())
    ours = Counter(zip(trials["algorithm"].to_pylist(), trials["dimension"].to_pylist(), strict=True))
    whole = {key for key, n in ours.items() if runs[key] == n}
    # a run that begins with the row at which the one before it ended is lost there: one of 1000 of one algorithm
    assert set(ours) - whole == ({("ERADS_QuantumFluxUltraRefined", 2)} if request.param.startswith("MABBOB") else set())
    return frame, trials, traces, whole


def place(row):
    return row["algorithm"], int(row["problem"].removeprefix("f")), row["dimension"]


def test_running_times(logs):
    frame, trials, traces, whole = logs
    theirs = TOOL["theirs"](frame, trials)
    targets = sorted({row["raw_y"] for row in theirs}, reverse=True)
    table = costs("fixed_target", trials, traces, "ert", {"targets": targets})
    found = {(*place(row), row["target"]): row for row in indicators(table).to_pylist()}
    assert len(theirs) == len(found)
    assert len(found) % 50 == 0
    for row in theirs:
        # values of the .dat are rounded to ten decimals, the last one of the .json is not: targets near that differ
        if (row["algorithm_name"], row["dimension"]) not in whole or row["raw_y"] < 1e-7:
            continue
        ours = found[row["algorithm_name"], row["function_id"], row["dimension"], row["raw_y"]]
        assert ours["n_successes"] == row["success_count"]
        assert ours["success_rate"] == pytest.approx(row["success_ratio"], rel=1e-12)
        assert ours["ert"] == pytest.approx(row["ERT"], rel=1e-12)
        assert ours["par"] == pytest.approx(row["PAR-10"], rel=1e-12)


def test_values_at_budgets(logs):
    import polars
    from iohinspector.metrics import aggregate_convergence

    frame, trials, traces, whole = logs
    names = ["algorithm_name", "function_id", "dimension"]
    compared = 0
    for algorithm, dimension in sorted(whole):
        own = frame.filter((polars.col("algorithm_name") == algorithm) & (polars.col("dimension") == dimension))
        spent = TOOL["budget"](trials, algorithm, dimension)
        theirs = aggregate_convergence(own, free_vars=names, eval_min=1, eval_max=spent).to_dict("records")
        budgets = sorted({float(row["evaluations"]) for row in theirs})
        table = costs("fixed_budget", trials, traces, "quality", {"budgets": {"evaluations": budgets}})
        found = {(*place(row), row["at_budget"]): row for row in indicators(table).to_pylist()}
        for row in theirs:
            ours = found[(*(row[name] for name in names), float(row["evaluations"]))]
            for name in ("mean", "median"):
                assert ours[name] == pytest.approx(row[name], rel=1e-7, abs=1e-9)  # the .json has more digits than the .dat
            assert ours["sd"] == pytest.approx(row["std"], rel=1e-7, abs=1e-9) or np.isnan(row["std"])
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("m", [2, 3])
def test_indicators_of_several_objectives_are_those_of_iohinspector(m, tmp_path):
    """The traces against iohinspector's indicators, which are moocore's, at some evaluations of a log written here."""
    import polars as pl
    from iohinspector.indicators import anytime

    from benchmill import readers
    from tests.readers.test_multi_objective import DAT, JSON, block, listing

    rng = np.random.default_rng(m)
    points = (rng.random((200, m)) * np.linspace(2, 1, 200)[:, None]).round(10)
    against = rng.random((30, m))
    names = ["raw_y", *(f"F{k}" for k in range(2, m + 1))]
    for name, text in {JSON: listing([200], ["evaluations", *names]), DAT: block(points, names)}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    np.savetxt(tmp_path / "set.csv", against, delimiter=",", header=",".join(names), comments="")
    group = pl.DataFrame({"evaluations": np.arange(1, 201), **dict(zip(names, points.T, strict=True))})
    at = [1, 2, 7, 30, 100, 200]
    for theirs, column, options in (
        (anytime.HyperVolume(np.full(m, 1.5)), "HyperVolume", {"indicator": "hypervolume", "reference_point": [1.5] * m}),
        (anytime.IGDPlus(against), "IGD+", {"indicator": "igd_plus", "reference_set": str(tmp_path / "set.csv")}),
    ):
        _, traces, _ = readers.load(tmp_path, format="ioh", options=options)
        ours = np.array(traces["value"])[np.searchsorted(np.array(traces["evaluations"]), at, side="right") - 1]
        assert ours == pytest.approx(theirs(group, names, at)[column].to_numpy(), rel=1e-12)
