import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.profiles import data, fit
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, cost_rows
from tests.profiles.test_dolan_more import columns, curves
from tests.profiles.test_ratios import matrices


def test_data_profile_by_hand():
    """Dimensions 1 and 4: costs 10 and 30 are 5 and 6 simplex gradients."""
    costs = {("A", "p", 1): 10, ("A", "q", 4): 30, ("B", "p", 1): 2, ("B", "q", 4): INF}
    rows = [{"algorithm": a, "problem": p, "dimension": d, "cost": c, "budget": 99} for (a, p, d), c in costs.items()]
    rated = ratios(cost_rows(rows), measure="m")
    assert curves(fit(rated, measure="m", variant="data").profiles) == {
        (None, None, "A"): [(1, 0), (5, 0.5), (6, 1)],
        (None, None, "B"): [(1, 0.5), (6, 0.5)],
    }
    found = fit(rated, measure="m", variant="data", tau_max=10).profile_measures
    assert columns(found, "auc", "tau_star", "wins", "rho_1", "rho_tau_max", "tau_max") == {
        "A": ((5 + 4) / 2, 6, 1, 0.5, 1, 10),
        "B": (9 / 2, INF, 1, 0.5, 0.5, 10),
    }


@given(matrices, st.data())
def test_data_profile_does_not_depend_on_the_others(costs, given_data):
    dimensions = np.array(given_data.draw(st.lists(st.integers(1, 40), min_size=costs.shape[1], max_size=costs.shape[1])))
    assert np.array_equal(data.thresholds_of(costs[:1], dimensions), data.thresholds_of(costs, dimensions)[:1])


def test_they_refuse_what_they_are_not_defined_for():
    at_target = ratios(cost_rows([{"algorithm": "A", "cost": 1, "dimension": None}]), measure="m", aggregate="single")
    with pytest.raises(UserError, match="needs the dimension"):
        fit(at_target, measure="m", variant="data").tables()
    at_budget = ratios(cost_rows([{"algorithm": "A", "cost": 1, "at_budget": 9.0}]), measure="m", aggregate="single")
    with pytest.raises(UserError, match="needs evaluations"):
        fit(at_budget, measure="m", variant="data").tables()
