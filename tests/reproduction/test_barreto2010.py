"""Barreto, Bernardino, Barbosa 2010: Table 1 and the statements of section 3 about Figure 1."""

import numpy as np
import pytest

from benchmill.core import UserError, step_functions
from benchmill.profiles import fit
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, cost_rows
from tests.reproduction.tables import paper_table


def given():
    """Table 1 as costs."""
    return cost_rows(
        [
            {"algorithm": r["algorithm"], "problem": r["problem"], "cost": float(r["cost"])}
            for r in paper_table("barreto2010_table1_costs")
        ]
    )


@pytest.fixture(scope="module")
def rated():
    return ratios(given(), measure="m", problem_keys=["problem"], aggregate="single")


@pytest.fixture(scope="module")
def rho(rated):
    """Each curve as a step function."""
    points = fit(rated, measure="m", tau_max=10).profiles.to_pylist()
    return {
        a: tuple(np.array([p[name] for p in points if p["algorithm"] == a]) for name in ("tau", "rho"))
        for a in ("a1", "a2", "a3")
    }


def test_costs_are_their_own_ratios(rated):
    assert rated.column("ratio").equals(rated.column("cost"))
    assert set(rated.column("baseline").to_pylist()) == {1}


def test_wins_share_solved_and_reliability(rated):
    rows = {r["algorithm"]: r for r in fit(rated, measure="m", tau_max=10).profile_measures.to_pylist()}
    assert [rows[a]["rho_1"] for a in ("a1", "a2", "a3")] == [0.6, 0.4, 0]
    assert [rows[a]["rho_tau_max"] for a in ("a1", "a2", "a3")] == [1, 0.8, 1]
    assert [rows[a]["reliability"] for a in ("a1", "a2", "a3")] == [5, INF, 8]
    assert [rows[a]["wins"] for a in ("a1", "a2", "a3")] == [3, 2, 0]


def test_first_dominates_the_others(rho):
    at = np.unique(np.concatenate([x for x, _ in rho.values()]))
    first, second, third = step_functions.values([rho[a] for a in ("a1", "a2", "a3")], at)
    assert (first - second).min() == pytest.approx(0.2)
    assert (first - third).min() == 0


def test_order_of_second_and_third(rho):
    for start, end, order in [(1, 4, 1), (4, 5.5, -1), (5.5, 6.5, 1), (6.5, 8, 0), (8, 10, -1)]:
        at = np.linspace(start, end, 50, endpoint=False)
        second, third = step_functions.values([rho["a2"], rho["a3"]], at)
        assert (np.sign(np.round(second - third, 12)) == order).all()


def test_figure_3a_starts_at_0_with_a_third_of_the_mass_of_a1(rated):
    """Costs with sigma 5 for a1 and 0.1 for the others, drawn from tau = 0 on as in Figures 1 to 3: rhobar_1(0) = 0.339."""
    found = fit(
        rated,
        measure="m",
        costs=given(),
        variant="probabilistic",
        sd={"default": 0.1, "a1": 5.0},
        tau_min=0.0,
        tau_max=10.0,
    )
    first = {row["algorithm"]: row for row in found.profiles.to_pylist() if row["tau"] == 0}
    assert first["a1"]["rho"] == pytest.approx(0.339, abs=5e-4)
    assert max(first["a2"]["rho"], first["a3"]["rho"]) < 1e-9
    usual = fit(rated, measure="m", costs=given(), variant="probabilistic", sd={"default": 0.1, "a1": 5.0}, tau_max=10.0)
    assert found.profile_measures.equals(usual.profile_measures)
    later = [row for row in found.profiles.to_pylist() if row["tau"] >= 1]
    assert later == usual.profiles.to_pylist()
    with pytest.raises(UserError, match=r"tau_min is -1\.0, expected a number of at least 0"):
        fit(rated, measure="m", costs=given(), variant="probabilistic", tau_min=-1.0)
