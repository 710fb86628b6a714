"""Barreto, Bernardino, Barbosa 2010: Table 1 and the statements of section 3 about Figure 1."""

import numpy as np
import pytest

from benchmill.core import step_functions
from benchmill.profiles import profile, profile_measures
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, cost_rows
from tests.reproduction.tables import paper_table


@pytest.fixture(scope="module")
def rated():
    rows = [
        {"algorithm": r["algorithm"], "problem": r["problem"], "cost": float(r["cost"])}
        for r in paper_table("barreto2010_table1_costs")
    ]
    return ratios(cost_rows(rows), measure="m", problem_keys=["problem"], aggregate="single")


@pytest.fixture(scope="module")
def rho(rated):
    """Each curve as a step function."""
    points = profile(rated, measure="m", tau_max=10).to_pylist()
    return {
        a: tuple(np.array([p[name] for p in points if p["algorithm"] == a]) for name in ("tau", "rho"))
        for a in ("a1", "a2", "a3")
    }


def test_costs_are_their_own_ratios(rated):
    assert rated.column("ratio").equals(rated.column("cost"))
    assert set(rated.column("baseline").to_pylist()) == {1}


def test_wins_share_solved_and_reliability(rated):
    rows = {r["algorithm"]: r for r in profile_measures(rated, measure="m", tau_max=10).to_pylist()}
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
