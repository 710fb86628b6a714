"""ERT, success rates, ECDF and simulated restarts against cocopp, the post-processing of COCO, where it is installed."""

import importlib.util
import tarfile
import warnings

import numpy as np
import pyarrow as pa
import pytest

from benchmill.core import step_functions, storage
from benchmill.costs import costs
from benchmill.indicators.ecdf import Options, ecdf
from benchmill.readers import ingest
from tests.indicators.plain_scan import ARCHIVES, DATA, TARGETS, needs_real_data, rising
from tests.indicators.test_real_logs import rows_of

pytestmark = [
    pytest.mark.compare,
    pytest.mark.skipif(importlib.util.find_spec("cocopp") is None, reason="needs cocopp"),
    needs_real_data,
]

# The best value of one trial rises (6.31 at its first evaluation, 11.7 at its 100th): the definition takes the first
# recorded hit, cocopp the first after the rise.
RISING = {("EvoSpace-PSO-GA", 18, 2, 10.0)}


@pytest.fixture(scope="module")
def cocopp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for archives on the network while it is imported
        import cocopp
    return cocopp


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("algorithm", ARCHIVES)
def test_every_cell(algorithm, cocopp, tmp_path):
    """Equal in every cell but the one where a best value rises."""
    with tarfile.open(DATA / ARCHIVES[algorithm]) as tar:
        tar.extractall(tmp_path / "logs", filter="data")
    rows = rows_of(algorithm, tmp_path)
    compared = 0
    for data in cocopp.load(str(tmp_path / "logs")):
        pairs = zip(TARGETS, data.detERT(TARGETS), data.detSuccessRates(TARGETS), strict=True)
        for target, ert, success_rate in pairs:
            key = (data.funcId, data.dim, target)
            assert rows[key]["success_rate"] == success_rate
            assert rows[key]["n_trials"] == data.nbRuns()
            if (algorithm, *key) in RISING:
                assert rows[key]["ert"] < ert
            else:
                assert rows[key]["ert"] == pytest.approx(ert, rel=1e-12)
            compared += 1
    assert compared == len(rows)


GRID = [float(f"{10 ** (2 - i / 5):.15g}") for i in range(51)]
# cocopp knows the times to 10**(i / 5) alone and takes the next smaller one, so it is asked for hardly larger ones
ASKED = [target * (1 + 1e-9) for target in GRID]


def running_times(algorithm, folder):
    """Costs of an archive for the 51 targets of COCO."""
    trials_path, traces_path = folder / "trials", folder / "traces"
    ingest(DATA / ARCHIVES[algorithm], [trials_path, traces_path, folder / "report"], name="source")
    trials = storage.read(trials_path, "trials")
    return costs("fixed_target", trials, storage.pieces(traces_path, "traces"), "ecdf", {"targets": GRID})


def curves_by_dimension(table):
    names = ("dimension", "x", "fraction")
    dimension, x, y = (table.column(name).to_numpy() for name in names)
    return {int(d): (x[dimension == d], y[dimension == d]) for d in np.unique(dimension)}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("algorithm", ARCHIVES)
def test_curves_over_functions_and_targets(algorithm, cocopp, tmp_path):
    """The 51-target ECDF of each dimension, at every step: what pprldmany draws without restarts, for monotone logs."""
    with tarfile.open(DATA / ARCHIVES[algorithm]) as tar:
        tar.extractall(tmp_path / "logs", filter="data")
    not_monotone = rising(DATA / ARCHIVES[algorithm])
    assert len(not_monotone) <= (4 if algorithm == "EvoSpace-PSO-GA" else 0)
    table = running_times(algorithm, tmp_path)
    places = zip(table["problem"].to_pylist(), table["dimension"].to_pylist(), strict=True)
    table = table.filter(pa.array([(int(p.removeprefix("f")), d) not in not_monotone for p, d in places]))
    found = curves_by_dimension(ecdf(table, aggregation="problem"))
    theirs = {}
    for data in cocopp.load(str(tmp_path / "logs")):
        if (data.funcId, data.dim) in not_monotone:
            continue
        for times in data.detEvals(ASKED):  # NaN where not reached; trials copied so that instances weigh the same
            hit = np.where(np.isnan(times), np.inf, times) / data.dim
            theirs.setdefault(data.dim, []).append(step_functions.ecdf(hit))
    assert set(theirs) == set(found)
    for dimension, parts in theirs.items():
        x = np.unique(np.concatenate([part[0] for part in parts]))
        y = step_functions.values(parts, x).mean(axis=0)
        ours = step_functions.value(found[dimension], x)
        assert np.abs(ours - y).max() < 1e-7


@pytest.mark.filterwarnings("ignore")
def test_simulated_restarts(cocopp, tmp_path):
    """Two ways to draw the same distribution: with many simulated runs the curves meet."""
    with tarfile.open(DATA / ARCHIVES["R-SHADE-10e2"]) as tar:
        tar.extractall(tmp_path / "logs", filter="data")
    table = running_times("R-SHADE-10e2", tmp_path)
    found = curves_by_dimension(ecdf(table, aggregation="problem", options=Options(restarts=20)))[5]
    cocopp.set_seed(1)
    parts = [
        step_functions.ecdf(np.where(np.isnan(times), np.inf, times) / 5)
        for data in cocopp.load(str(tmp_path / "logs"))
        if data.dim == 5
        for times in data.evals_with_simulated_restarts(ASKED, samplesize=300)
    ]
    x = np.unique(np.concatenate([part[0] for part in parts]))
    y = step_functions.values(parts, x).mean(axis=0)
    assert np.abs(step_functions.value(found, x) - y).max() < 0.003
    assert found[1][-1] == pytest.approx(y[-1], abs=1e-9)
