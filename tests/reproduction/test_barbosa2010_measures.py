"""Table V of Barbosa, Bernardino, Barreto 2010 through the reader and the measures made for it: no column is handled by hand."""

import pytest

from benchmill import readers
from benchmill.core import storage
from benchmill.costs import costs
from benchmill.profiles import fit
from benchmill.profiles.ratios import ratios
from tests.reproduction.tables import FOLDER
from tests.reproduction.test_barbosa2010 import PRINTED, agrees

#: Measure to the problems it leaves out, section IV of the paper.
EXCLUDED = {"feasible_rate": ["g20"], "success_rate": ["g20"], "success_performance": ["g20", "g22"]}


@pytest.fixture(scope="module")
def trials(tmp_path_factory):
    out = tmp_path_factory.mktemp("cec2006")
    files = [out / name for name in ("trials", "traces", "report")]
    readers.ingest(FOLDER / "barbosa2010_source_cec2006_measures.csv", files, name="cec2006")
    return storage.read(files[0], "trials")


@pytest.fixture(scope="module")
def measured(trials):
    found = {}
    for kind, exclude in EXCLUDED.items():
        table = costs(kind, trials, None, kind, {"exclude": exclude})
        rated = ratios(table, measure=kind, problem_keys=["problem"], aggregate="success_performance")
        found[kind] = {row["algorithm"]: row for row in fit(rated, measure=kind).profile_measures.to_pylist()}
    return found


@pytest.mark.parametrize("algorithm", PRINTED)
def test_table_5(measured, algorithm):
    printed = PRINTED[algorithm]
    for kind, column in (
        ("feasible_rate", "feas_rate_auc"),
        ("success_performance", "succ_perf_auc"),
        ("success_rate", "succ_rate_auc"),
    ):
        assert agrees(measured[kind][algorithm]["auc_normalised"], printed[column])
    performance = measured["success_performance"][algorithm]
    assert agrees(performance["rho_tau_max"], printed["rho_tau_max"])
    assert agrees(performance["tau_min_over_tau_star"], printed["tau_min_over_tau_star"])
    assert agrees(performance["rho_1"], printed["wins"])
    assert performance["n_problems"] == 22


def test_runs_are_counted(trials):
    table = costs("success_rate", trials, None, "m", {"exclude": ["g20"]})
    rated = ratios(table, measure="m", problem_keys=["problem"], aggregate="success_performance").to_pylist()
    row = next(r for r in rated if (r["algorithm"], r["problem"]) == ("MDE", "g02"))
    assert (row["n_trials"], row["n_successes"], row["cost"]) == (25, 4, 6.25)
