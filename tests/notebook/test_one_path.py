"""What a notebook computes is what the workflow computes of the same data, to the last bit."""

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import benchmill as bm
from benchmill.core import schema, storage
from benchmill.notebook.objects import plain

from .conftest import BUDGETS, FEW, TARGETS, VARIANTS, solver_runs

pytestmark = pytest.mark.workflow

OF_TABLE = {
    **{"algorithm": "solver", "problem": "model", "dimension": "vars", "cost": "seconds"},
    **{"status": "state", "failed": "timeout", "aggregate": "median", "missing": "failure"},
}
MEASURES = {"ert": {"targets": TARGETS}, "quality": {"budgets": BUDGETS, "floor": 1e-8}}


def workflow(made, name, *paths):
    """Tables of a study, one below the other."""
    return plain(schema.concatenate(storage.read(made.path(f"{path}.parquet"), name) for path in paths))


def tables_of(profile):
    """Every table that the variant makes, by name."""
    return {name: plain(table) for name, table in profile.data.items() if isinstance(table, pa.Table)}


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
    runs = bm.read(made.folder / "runs.csv", columns=columns, outcomes={"ok": "solved", "timeout": "time_limit"})
    of_file = bm.costs(runs, aggregate="median", missing="failure")
    pd.testing.assert_frame_equal(of_file.frame, times.frame, check_exact=True)
    assert of_file.settings == times.settings


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_profiles_of_a_dataframe(made, times, options):
    settings = {**options, "seed": 1}
    profile = bm.profile(times, **settings)
    name = profile.settings["profile"]["name"]
    assert len(tables_of(profile)) >= 5
    for table, frame in tables_of(profile).items():
        found = workflow(made, table, f"table/{table}/cost/{name}")
        pd.testing.assert_frame_equal(frame, found, check_exact=True)
    assert profile.to_latex() == text(made, f"table/tables/profile_cost_{name}.tex")
    assert profile.to_markdown() == text(made, f"table/tables/profile_cost_{name}.md")


def test_captions(made, runs):
    of_logs = bm.profile(bm.costs(runs, **MEASURES["ert"]), "data").caption
    assert of_logs + "\n" == text(made, "logs/figures/profile_ert_data.txt")


@pytest.mark.parametrize("measure", MEASURES)
def test_costs_and_profiles_of_logs(made, runs, measure):
    costs = bm.costs(runs, **MEASURES[measure])
    paths = [f"logs/costs/{measure}/{name}" for name in ("Alpha", "Beta", "Gamma")]
    pd.testing.assert_frame_equal(costs.frame, workflow(made, "costs", *paths), check_exact=True)
    for variant in ("dolan_more", "probabilistic"):
        profile = bm.profile(costs, variant)
        for table, frame in tables_of(profile).items():
            pd.testing.assert_frame_equal(frame, workflow(made, table, f"logs/{table}/{measure}/{variant}"), check_exact=True)


def in_study(made, name, measure):
    """Rows of a measure in the indicators of a study."""
    sources = ("Alpha", "Beta", "Gamma") if name == "logs" else ("runs",)
    found = schema.concatenate(storage.read(made.path(f"{name}/indicators/{source}.parquet"), "indicators") for source in sources)
    return plain(found.filter(pc.equal(found["measure"].cast("string"), measure)))


def test_indicators(made, times, runs):
    found = bm.indicators(times)
    pd.testing.assert_frame_equal(found.frame, in_study(made, "table", "cost"), check_exact=True)
    for measure, settings in MEASURES.items():
        frame = bm.indicators(bm.costs(runs, **settings)).frame
        pd.testing.assert_frame_equal(frame, in_study(made, "logs", measure), check_exact=True)


def test_expected_running_times(made, runs):
    found = bm.ert(bm.costs(runs, **MEASURES["ert"]))
    pd.testing.assert_frame_equal(found.rank_sums, workflow(made, "rank_sums", "logs/rank_sums/ert"), check_exact=True)
    # the table of a study has stars only where its primary analysis shows that the algorithms differ
    verdicts = storage.read(made.folder / "results/logs/verdicts.parquet", "verdicts")
    found = type(found)({**found.data, "verdicts": verdicts}, found.settings)
    assert found.to_latex() == text(made, "logs/tables/ert_ert.tex")
    assert found.to_markdown() == text(made, "logs/tables/ert_ert.md")


def test_comparisons(made, times, runs):
    found = bm.compare(times, control="Third one", comparisons=["wilcoxon", "conover"], corrections=["holm", "shaffer"], **FEW)
    for name, frame in {"comparisons": found.frame, "tests": found.tests, "ranks": found.ranks, "designs": found.designs}.items():
        pd.testing.assert_frame_equal(frame, workflow(made, name, f"table/{name}/cost"), check_exact=True)
    assert found.to_latex() == text(made, "table/tables/comparisons_cost.tex")
    loaded = bm.load(made.folder / "results/table").compare("cost")
    assert loaded.verdict == found.verdict
    pd.testing.assert_frame_equal(found.statements, workflow(made, "verdicts", "table/verdicts"), check_exact=True)
    assert {*found.statements["family"]} == {"all algorithms at once", "Third one against every other algorithm"}
    pd.testing.assert_frame_equal(found.against, loaded.against, check_exact=True)
    assert {name: loaded.data[name] for name in loaded.data if name != "ingest"}.keys() == found.data.keys() - {"ingest"}
    # of two measures, the first with a primary and secondary analysis
    statements = bm.load(made.folder / "results/logs").compare("ert").statements
    assert [*statements["analysis"].unique()] == ["primary", "secondary"]
    alone = bm.compare(bm.costs(runs, **MEASURES["ert"]), **FEW).statements
    # secondary statements of a study are one family with those of its other measures
    of_study, of_one = (one[one["analysis"] == "primary"] for one in (statements, alone))
    pd.testing.assert_frame_equal(of_study, of_one, check_exact=True)
    of_logs = bm.compare(bm.costs(runs, **MEASURES["quality"]), **FEW)
    pd.testing.assert_frame_equal(of_logs.frame, workflow(made, "comparisons", "logs/comparisons/quality"), check_exact=True)


def test_summaries(made, times):
    found = bm.summary(times)
    pd.testing.assert_frame_equal(found.frame, workflow(made, "summary", "table/summary/cost"), check_exact=True)
    # the table of a study has ratios that leave 1 out only where its primary analysis shows that the algorithms differ
    verdicts = storage.read(made.folder / "results/table/verdicts.parquet", "verdicts")
    gated = type(found)({**found.data, "verdicts": verdicts}, found.settings)
    assert gated.to_latex() == text(made, "table/tables/summary_cost.tex")
    assert gated.to_markdown() == text(made, "table/tables/summary_cost.md")
    assert gated.outcomes.to_markdown() == text(made, "table/tables/outcomes_cost.md")
    loaded = bm.load(made.folder / "results/table").summary()
    assert loaded.frame.equals(found.frame)
    assert loaded.settings == found.settings


@pytest.mark.parametrize("aggregate", ["target", "problem", "dimension"])
def test_distributions_of_running_times(made, runs, aggregate):
    found = bm.ecdf(runs, aggregate, targets=TARGETS)
    pd.testing.assert_frame_equal(found.frame, workflow(made, "ecdf", f"logs/ecdf/{aggregate}"), check_exact=True)
    pd.testing.assert_frame_equal(
        found.measures, workflow(made, "ecdf_curves", f"logs/ecdf_curves/{aggregate}"), check_exact=True
    )
    if aggregate == "problem":
        assert found.caption + "\n" == text(made, "logs/figures/ecdf_problem.txt")


def test_results_of_a_run_are_the_same_objects(made, times, runs):
    table, logs = (bm.load(made.folder / "results" / name) for name in ("table", "logs"))
    # a notebook calls the source otherwise
    assert table.costs().frame.equals(times.frame)
    assert (table.measures, logs.measures) == (["cost"], ["ert", "quality"])
    assert logs.runs.trials.drop(columns="source").equals(runs.trials.drop(columns="source"))
    for options in VARIANTS:
        profile = bm.profile(times, **options)
        loaded = table.profile("cost", profile.settings["profile"]["name"])
        assert loaded.settings == profile.settings
        assert all(tables_of(loaded)[name].equals(frame) for name, frame in tables_of(profile).items())
    ert, quality = (bm.costs(runs, **settings) for settings in MEASURES.values())
    assert logs.profile("quality") == bm.profile(quality)
    assert logs.ert("ert") == bm.ert(ert)
    assert logs.ecdf("target") == bm.ecdf(runs, "target", targets=TARGETS)
    assert logs.ecdf("problem", "quality") == bm.ecdf(quality, "problem")
    assert logs.profile("ert", "data").caption == bm.profile(ert, "data").caption
    assert logs.frame("standings", "profiles")["rank"].min() == 1
    assert {"profiles/ert/data", "value_ecdf/quality/problem"} < set(logs.tables)
    of_logs, of_table = (text(made, f"{name}/references.bib") for name in ("logs", "table"))
    assert "@article{dolan2002,\n" in of_logs
    assert "@article{hansen2021,\n" in of_logs
    assert "@misc{table_runs,\n  key = {table\\_runs},\n  note = {Nobody, 2024},\n}" in of_table
    with pytest.raises(bm.UserError, match=r"there is no measure 'time'; choose from ert, quality"):
        logs.profile("time")
    with pytest.raises(bm.UserError, match=r"holds the results of several studies .*; give one of .*logs, .*table"):
        bm.load(made.folder)
