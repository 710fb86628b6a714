"""A run that was solved is never infinite, whatever the costs: an overflow would make a failure of it."""

import numpy as np
import pandas as pd
import pytest

import benchmill as bm
from benchmill.core import step_functions
from benchmill.profiles import log_ratio, nested, ratios
from benchmill.registry.variants import VARIANTS

COSTS = np.array([[1e-300, 1.0, 2.0, np.inf], [3e98, 2.0, 1.0, 1e-308], [2e-305, 3e98, np.inf, 3e98]])


def test_ratios_are_infinite_for_failures_alone():
    found, baseline = ratios.performance_ratios(COSTS)
    assert np.array_equal(np.isinf(found), np.isinf(COSTS))
    assert baseline.tolist() == [2e-305, 1.0, 1.0, 1e-308]
    assert found[1, 0] == step_functions.LARGEST_RATIO
    # whatever can be told apart is
    assert found[2, 1] == 3e98
    assert (found >= 1).all()


def test_so_are_those_of_two_and_of_every_wave():
    factors = log_ratio.thresholds_of(COSTS[:2])
    assert np.array_equal(np.isinf(factors), np.isinf(COSTS[:2]))
    found = nested.waves(COSTS)
    assert np.isfinite(found.sums[~np.isnan(found.sums)]).all()
    for wave in range(2):
        solved = nested.wave_ratios(COSTS, found, wave)
        assert np.array_equal(np.isinf(solved), np.isinf(COSTS))


@pytest.mark.parametrize("model", ["normal", "truncated_normal", "lognormal", "gamma"])
def test_so_does_a_probabilistic_one_of_any_distribution(model):
    rows = [(name, f"p{j}", cost) for name, row in zip("ABC", COSTS, strict=True) for j, cost in enumerate(row)]
    found = bm.profile(pd.DataFrame(rows, columns=["algorithm", "problem", "cost"]), "probabilistic", model=model).measures
    assert found["rho_tau_max"].tolist() == [0.75, 1.0, 0.75]
    assert np.isfinite(found["tau_star"]).tolist() == [False, True, False]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_profile_counts_what_was_solved(variant):
    rows = [(name, f"p{j}", cost) for name, row in zip("ABC", COSTS, strict=True) for j, cost in enumerate(row)]
    costs = bm.costs(pd.DataFrame(rows, columns=["algorithm", "problem", "cost"]).assign(dimension=2), dimension="dimension")
    assert np.isfinite(costs.ratios["ratio"]).sum() == np.isfinite(COSTS).sum()
    settings = {"probabilistic": {"model": "empirical"}, "log_ratio": {"pair": ["A", "B"]}}
    found = bm.profile(costs, variant=variant, **settings.get(variant, {})).frame
    last = found.groupby("algorithm", observed=True)["rho"].max()
    if variant in ("dolan_more", "probabilistic"):
        assert last.tolist() == [0.75, 1.0, 0.75]
    assert np.isfinite(found["tau"]).all()


def test_a_small_rate_is_no_failure():
    rows = pd.DataFrame({"algorithm": ["A", "B"], "problem": "p", "cost": [1e-310, 0.5]})
    found = bm.costs(rows, quantity="rate").frame["cost"]
    assert np.isfinite(found).all()


def test_a_limit_that_stands_for_none_is_refused():
    rows = pd.DataFrame({"algorithm": ["A", "B"], "problem": "p", "cost": [1.0, 2.0], "limit": [1e300, 1e300]})
    with pytest.raises(bm.UserError, match=r"column 'limit' is '1e\+300'; expected a time above 0 and below 1e\+20"):
        bm.costs(rows, limit="limit")
