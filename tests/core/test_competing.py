"""Algorithms that do not compete change nothing: every statement is that of the same data without them."""

from __future__ import annotations

import pytest

from benchmill.core import UserError, keys, schema
from benchmill.indicators.ert import indicators
from benchmill.inference import conventions
from benchmill.inference.claims import evaluated
from benchmill.inference.design import of_study
from benchmill.inference.rank_sum import rank_sums
from benchmill.inference.verdicts import Declaration, primary, rank_sets, verdicts
from benchmill.profiles import all_tables
from benchmill.profiles import options as of_profiles
from benchmill.profiles.changes import text
from benchmill.profiles.ratios import ratios
from benchmill.profiles.standings import leaders, standings
from benchmill.registry.inference import Options
from tests.inference.making import analyse
from tests.inference.test_claims import rows

NAMES = ("A", "B", "C")


def cost(name, problem, dimension, target, run):
    """A before B before C, by factors that differ, with some runs out of order; the guest is D."""
    if name == "D":
        return None
    usual = {"A": 10.0, "B": 20.0, "C": 40.0}[name] * (1 + problem / 100) * (1 + 0.1 * run)
    return usual * (4 if name == "A" and (problem + run) % 5 == 0 else 1)


def guest(factor, present=lambda problem, run: True):
    """The same with a guest, whose cost is `factor` times that of A, where it has a run."""

    def of(name, problem, dimension, target, run):
        if name != "D":
            return cost(name, problem, dimension, target, run)
        return factor * cost("A", problem, dimension, target, run) if present(problem, run) else None

    return of


GUESTS = {
    "never the best": guest(100.0),
    "always the best": guest(0.01),
    "the best on some, without runs on others": guest(0.5, lambda problem, run: problem % 3 > 0),
    "with fewer runs": guest(0.5, lambda problem, run: run == 0),
}


def study(costs, design="single", missing="common", not_competing=(), claimed=False):
    """Every table of statements of a study with these costs."""
    rated = ratios(costs, measure="ert", aggregate="ert", missing=missing)
    designs = of_study(
        Options(design=design),
        measure="ert",
        problem_keys=("suite", "problem", "dimension"),
        seed=1,
        ratios=rated if design == "single" else None,
        costs=[("s", costs)],
        not_competing=not_competing,
    )
    leading = leaders({"ert": rated}, not_competing=not_competing)
    plan = Declaration(permutations=999)
    judged = verdicts({"ert": designs}, plan, leading)
    claims = {}
    if claimed:
        own = keys.without(costs, not_competing)
        settings = conventions.Settings(aggregate="ert", missing=missing, permutations=999)
        looked_at = conventions.analysis("ert", designs, own, ("suite", "problem", "dimension"), settings, None)
        claims["claims"] = evaluated(None, {"ert": looked_at}, judged, leading)
    return {
        **claims,
        **analyse(designs, measure="ert", permutations=999),
        "leaders": leading,
        "verdicts": judged,
        "rank_sets": rank_sets(primary({"ert": designs}, plan, leading)),
    }


def small(of, names, **more):
    return rows(of, problems=8, dimensions=(2,), runs=2, names=names, **more)


@pytest.mark.parametrize("kind", GUESTS)
@pytest.mark.parametrize(
    ("design", "missing"), [("single", "common"), ("single", "failure"), ("replicated", "common")], ids=lambda word: word
)
def test_statements_are_those_of_the_data_without_the_guest(kind, design, missing):
    expected = study(small(cost, NAMES), design, missing)
    found = study(small(GUESTS[kind], (*NAMES, "D")), design, missing, ("D",))
    assert {name: table.to_pylist() for name, table in found.items()} == {
        name: table.to_pylist() for name, table in expected.items()
    }
    assert {row["algorithm"] for row in found["ranks"].to_pylist()} == set(NAMES)


def test_claims_are_those_of_the_data_without_the_guest():
    expected = study(small(cost, NAMES), claimed=True)["claims"]
    assert expected.num_rows
    found = study(small(GUESTS["the best on some, without runs on others"], (*NAMES, "D")), not_competing=("D",), claimed=True)
    assert found["claims"].to_pylist() == expected.to_pylist()


def test_problems_that_the_guest_alone_has_are_none():
    def alone(name, problem, dimension, target, run):
        return None if name != "D" and problem > 6 else GUESTS["always the best"](name, problem, dimension, target, run)

    expected = study(rows(cost, problems=6, dimensions=(2,), runs=2), missing="failure")
    found = study(small(alone, (*NAMES, "D")), missing="failure", not_competing=("D",))
    for name in ("tests", "ranks", "comparisons", "leaders", "rank_sets"):
        assert found[name].to_pylist() == expected[name].to_pylist(), name


def test_without_the_setting_the_guest_counts():
    found = study(small(GUESTS["always the best"], (*NAMES, "D")))
    assert found["leaders"].to_pylist()[-1]["algorithm"] == "D"
    assert {row["algorithm"] for row in found["rank_sets"].to_pylist()} == {*NAMES, "D"}


def test_none_left_is_an_error():
    costs = small(cost, NAMES)
    for design in ("single", "replicated"):
        with pytest.raises(UserError, match="not_competing: no algorithm is left to compare on the measure 'ert'"):
            study(costs, design, not_competing=NAMES)


@pytest.mark.parametrize("kind", ["never the best", "always the best"])
def test_standings_rank_the_others(kind):
    def ranked(costs, **more):
        rated = ratios(costs, measure="ert", aggregate="ert")
        settings = {"by": [], "weights": "equal", "unsolved": "keep"}
        profile = all_tables(rated, costs, measure="ert", variant="dolan_more", **settings)["profile_measures"]
        return standings(profile, {"ert": rated}, options=of_profiles.Options(**settings), **more).to_pylist()

    found = ranked(small(GUESTS[kind], (*NAMES, "D")), not_competing=("D",))
    expected = ranked(small(cost, NAMES))
    # ratios, and with them areas and wins, are to the best that is shown
    of_costs = ("average_rank",)
    assert [row for row in found if row["criterion"] in of_costs] == [
        {**row, "tau_max": other["tau_max"]}
        for row, other in zip(
            (row for row in expected if row["criterion"] in of_costs),
            (row for row in found if row["criterion"] in of_costs),
            strict=True,
        )
    ]
    assert {row["algorithm"] for row in found} == set(NAMES)
    for criterion in {row["criterion"] for row in found}:
        assert min(row["rank"] for row in found if row["criterion"] == criterion) == 1
        assert max(row["rank"] for row in found if row["criterion"] == criterion) <= 3


def test_the_best_of_a_problem_is_one_that_competes():
    def tested(costs, **more):
        indicated = indicators(costs)
        return rank_sums(costs, indicated, measure="ert", **more).to_pylist()

    expected = tested(small(cost, NAMES))
    assert expected
    assert tested(small(GUESTS["always the best"], (*NAMES, "D")), not_competing=("D",)) == expected


def test_changes_are_those_among_the_others():
    def told(costs, **more):
        return text("s", {"ert": ratios(costs, measure="ert", aggregate="ert")}, {"ert": "common"}, **more)

    plain = told(small(cost, NAMES))
    found = told(small(GUESTS["always the best"], (*NAMES, "D")), not_competing=("D",))
    assert found.replace("\nLeft out throughout, as not competing: D.\n", "") == plain


def test_a_table_without_guests_is_itself():
    table = schema.TABLES["ratios"].empty_table()
    assert keys.without(table, ()) is table
    assert keys.ratios_without(table, ()) is table
