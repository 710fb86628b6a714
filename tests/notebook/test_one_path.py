"""What a notebook computes is what the workflow computes of the same data, to the last bit."""

import pandas as pd
import pytest

import benchmill as bm
from benchmill.core import schema, storage
from benchmill.notebook.objects import plain

from .conftest import BUDGETS, TARGETS, VARIANTS, solver_runs

pytestmark = pytest.mark.workflow

OF_TABLE = {
    **{"algorithm": "solver", "problem": "model", "dimension": "vars", "cost": "seconds"},
    **{"status": "state", "failed": "timeout", "aggregate": "median", "missing": "failure"},
}
MEASURES = {"ert": {"targets": TARGETS}, "quality": {"budgets": BUDGETS, "floor": 1e-8}}


def workflow(made, name, *paths):
    """Tables of a study, one below the other."""
    return plain(schema.concatenate(storage.read(made.path(f"{path}.parquet"), name) for path in paths))


def text(made, path):
    return made.path(path).read_text("utf-8")


@pytest.fixture(scope="module")
def times():
    return bm.costs(solver_runs(), **OF_TABLE)


@pytest.fixture(scope="module")
def runs(made):
    return bm.read(str(made.folder / "logs/*.tar.xz"))


def test_costs_and_ratios_of_a_dataframe_are_those_of_its_file(made, times):
    pd.testing.assert_frame_equal(times.frame, workflow(made, "costs", "table/costs/cost/runs"), check_exact=True)
    pd.testing.assert_frame_equal(times.ratios, workflow(made, "ratios", "table/ratios/cost"), check_exact=True)


def test_costs_of_a_file_are_those_of_a_dataframe(made, times):
    columns = {"algorithm": "solver", "problem": "model", "dimension": "vars", "cost": "seconds", "outcome": "state"}
    runs = bm.read(made.folder / "runs.csv", columns=columns, outcomes={"ok": "solved", "timeout": "unknown"})
    of_file = bm.costs(runs, aggregate="median", missing="failure")
    pd.testing.assert_frame_equal(of_file.frame, times.frame, check_exact=True)
    assert of_file.settings == times.settings


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_profiles_of_a_dataframe(made, times, options):
    settings = {**options, "seed": 1}
    profile = bm.profile(times, **settings)
    name = profile.settings["profile"]["name"]
    assert len(profile.tables) >= 5
    for table, frame in profile.tables.items():
        found = workflow(made, table, f"table/{table}/cost/{name}")
        pd.testing.assert_frame_equal(frame, found, check_exact=True)
    assert profile.to_latex() == text(made, f"table/tables/profile_cost_{name}.tex")
    assert profile.to_markdown() == text(made, f"table/tables/profile_cost_{name}.md")


def test_captions(made, times, runs):
    assert bm.profile(times).caption + "\n" == text(made, "table/figures/profile_cost_dolan_more.txt")
    of_logs = bm.profile(bm.costs(runs, **MEASURES["ert"]), "data").caption
    assert of_logs + "\n" == text(made, "logs/figures/profile_ert_data.txt")


@pytest.mark.parametrize("measure", MEASURES)
def test_costs_and_profiles_of_logs(made, runs, measure):
    costs = bm.costs(runs, **MEASURES[measure])
    paths = [f"logs/costs/{measure}/{name}" for name in ("Alpha", "Beta", "Gamma")]
    pd.testing.assert_frame_equal(costs.frame, workflow(made, "costs", *paths), check_exact=True)
    for variant in ("dolan_more", "probabilistic"):
        profile = bm.profile(costs, variant)
        for table, frame in profile.tables.items():
            pd.testing.assert_frame_equal(frame, workflow(made, table, f"logs/{table}/{measure}/{variant}"), check_exact=True)
