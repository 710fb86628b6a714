"""The kinds of table agree with the tables and the modules that make them, and a new one is one module and one line."""

from types import MappingProxyType, SimpleNamespace

import pytest

from benchmill.core import schema
from benchmill.exhibits import tables
from benchmill.registry.tables import KINDS, Kind
from benchmill.study.study import made_of, tables_of
from benchmill.text.display import Cell, Column, Section, Table


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_made_from_tables_that_there_are(name):
    kind = KINDS[name]
    assert kind.name == name
    assert callable(kind.build)
    assert {table.split("/")[0] for table in kind.tables} <= set(schema.TABLES)
    assert kind.each in ("study", "measure", "profile")


def study(settings=MappingProxyType({})):
    variants = {
        "split": {"variant": "dolan_more", "by": ["dimension"]},
        "plain": {"variant": "dolan_more", "by": []},
        "smooth": {"variant": "probabilistic", "by": []},
    }
    return SimpleNamespace(
        measures={"ert": {"kind": "fixed_target"}, "q": {"kind": "fixed_budget"}},
        variants=variants,
        profiled=[("split", "ert"), ("plain", "ert"), ("plain", "q"), ("smooth", "ert")],
        source_names=["a", "b"],
        setting=lambda key: {
            "inference.bayes": [],
            "indicators.kaplan_meier.measures": [],
            "primary.margin": None,
            "indicators.quantiles": ["q"],
            **settings,
        }[key],
        summarised=["q"],
        summarised_as_is=[],
        measures_for=lambda stage: ["ert", "q"],
        variants_for=lambda measure: variants if measure == "ert" else {"plain": variants["plain"]},
    )


def test_the_tables_of_a_study_in_their_order():
    assert list(tables_of(study())) == [
        *(
            "inventory",
            "outcomes_q",
            "summary_q",
            "contributions_q",
            "times_q",
            "profile_ert_split",
            "profile_ert_plain",
            "profile_ert_smooth",
            "profile_q_plain",
            "values_at_one_ert",
        ),
        *(
            "standings",
            "dominance",
            "leaders",
            "rank_sets",
            "verdicts",
            "tests_ert",
            "ranks_ert",
            "comparisons_ert",
            "tests_q",
            "ranks_q",
            "comparisons_q",
        ),
        *("ert_ert", "quantiles_q", "irregularities", "missing", "settings"),
    ]
    assert "posteriors_q" in tables_of(study({"inference.bayes": ["signed_rank"]}))
    assert "equivalence" in tables_of(study({"primary.margin": 5.0}))


def test_what_a_table_is_made_from():
    made = {name: made_of(study(), kind, chosen) for name, (kind, chosen) in tables_of(study()).items()}
    assert made["profile_ert_split"] == ["profile_measures/ert/split", "profile_intervals/ert/split"]
    # of the profiles of all problems
    assert made["values_at_one_ert"] == ["profile_measures/ert/plain", "profile_measures/ert/smooth"]
    places = ("ert/split", "ert/plain", "q/plain", "ert/smooth")
    assert made["dominance"] == [f"{table}/{place}" for table in ("profile_pairs", "profile_measures") for place in places]
    assert made["ert_ert"] == ["indicators/a", "indicators/b", "rank_sums/ert"]
    assert made["quantiles_q"] == ["costs/q/a", "costs/q/b"]
    assert made["summary_q"] == made["outcomes_q"] == ["summary/q"]
    assert made["times_q"] == ["solver_runs/q", "summary/q"]
    assert made["inventory"] == []


def counted(results):
    rows = ((Cell(str(results.data["tests"].num_rows)),),)
    return Table("count", "Count", "How many tests there are.", (Column("tests"),), (Section("", rows),))


def test_a_new_table_is_made_for_every_study_that_has_what_it_shows(monkeypatch):
    kind = Kind(name="count", words="number of tests", build=counted, section="tests", file="count_{measure}", each="measure")
    monkeypatch.setitem(KINDS.entries, "count", kind)
    assert "count_ert" in tables_of(study())
    built = tables.build("count", {"tests": schema.TABLES["tests"].empty_table()}, {})
    assert built.sections[0].rows[0][0].text == "0"
