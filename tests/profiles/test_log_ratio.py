import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError, step_functions
from benchmill.profiles import all_tables, fit, log_ratio
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.ratios import performance_ratios, ratios
from tests.costs.making import INF, matrix_costs

#: a is twice as fast, equal, 4 times slower; alone; not at all; neither
COSTS = np.array([[1.0, 3, 8, 5, INF, INF], [2, 3, 2, INF, 7, INF]])

pairs = st.lists(st.tuples(*[st.sampled_from([1.0, 2.0, 3.0, 5.0, 8.0, INF])] * 2), min_size=1, max_size=8).map(
    lambda rows: np.array(rows).T
)


def rated(costs):
    return ratios(matrix_costs(costs), measure="m", aggregate="mean")


def curves(table):
    found = {}
    for row in table.to_pylist():
        found.setdefault(row["algorithm"], []).append((row["tau"], row["rho"]))
    return found


def test_morales_by_hand():
    assert log_ratio.log_ratios(COSTS).tolist()[:5] == [-1.0, 0.0, 2.0, -INF, INF]
    assert np.isnan(log_ratio.log_ratios(COSTS)[5])
    table = fit(rated(COSTS), measure="m", variant="log_ratio").log_ratios
    assert [row["problem"] for row in table.to_pylist()] == ["p4", "p1", "p2", "p3", "p5", "p6"]
    assert table.column("log2_ratio").to_pylist() == [-INF, -1.0, 0.0, 2.0, INF, None]
    assert table.column("position").to_pylist() == [1, 2, 3, 4, 5, 6]
    assert set(zip(*(table.column(f"algorithm_{x}").to_pylist() for x in "ab"), strict=True)) == {("a1", "a2")}


def test_profile_by_hand():
    # factors of a: 1/2, 1, 4, only a (left end 1/4), inf, inf; of b: 2, 1, 1/4, inf, only b (1/4), inf
    found = curves(fit(rated(COSTS), measure="m", variant="log_ratio").profiles)
    assert found == {
        "a1": [(0.25, 1 / 6), (0.5, 2 / 6), (1.0, 3 / 6), (4.0, 4 / 6)],
        "a2": [(0.25, 2 / 6), (1.0, 3 / 6), (2.0, 4 / 6), (4.0, 4 / 6)],
    }
    measures = all_tables(rated(COSTS), measure="m", variant="log_ratio")["profile_measures"].to_pylist()
    assert [row["wins"] for row in measures] == [3, 3]
    assert [row["rho_tau_max"] for row in measures] == [4 / 6, 4 / 6]
    # over ln tau from 1/4 to 4, failures of the other counting from the left end on
    assert measures[0]["auc_log"] == pytest.approx((np.log(4) * 2 + np.log(8) + np.log(4) + 0) / 6)
    assert measures[1]["auc_log"] == pytest.approx((np.log(2) + np.log(4) + np.log(16) * 2) / 6)


def test_tau_max_cuts_both_ends():
    found = curves(fit(rated(COSTS), measure="m", variant="log_ratio", tau_max=2.0).profiles)
    assert found["a2"] == [(0.5, 2 / 6), (1.0, 3 / 6), (2.0, 4 / 6)]
    assert found["a1"] == [(0.5, 2 / 6), (1.0, 3 / 6), (2.0, 3 / 6)]


@given(pairs)
def test_right_of_one_it_is_the_performance_profile_of_the_two(costs):
    factors = log_ratio.thresholds_of(costs)
    regular = profile_functions(performance_ratios(costs)[0])
    tau = np.unique(np.concatenate([[1.0], factors[np.isfinite(factors) & (factors >= 1)]]))
    assert step_functions.values(profile_functions(factors), tau) == pytest.approx(step_functions.values(regular, tau))


@given(pairs)
def test_exchanging_the_two_mirrors_it(costs):
    assert log_ratio.log_ratios(costs[::-1]) == pytest.approx(-log_ratio.log_ratios(costs), nan_ok=True)
    assert np.array_equal(log_ratio.thresholds_of(costs)[::-1], log_ratio.thresholds_of(costs[::-1]))
    both = np.isfinite(costs).all(axis=0)
    assert log_ratio.thresholds_of(costs)[:, both] == pytest.approx(1 / log_ratio.thresholds_of(costs)[::-1, both])


def test_a_third_algorithm_changes_nothing():
    two = fit(rated(COSTS), measure="m", variant="log_ratio").profiles
    three = rated(np.vstack([COSTS, np.full(6, 0.1)]))
    assert curves(fit(three, measure="m", variant="log_ratio", pair=["a1", "a2"]).profiles) == curves(two)


def test_what_neither_solves_is_unsolved_whatever_a_third_does():
    # p3 is solved by the third alone, p4 by none
    table = rated(np.array([[1.0, 2, INF, INF], [2.0, 1, INF, INF], [4.0, 4, 1, INF]]))
    for unsolved, n_problems in (("keep", 4), ("drop", 2)):
        found = fit(table, measure="m", variant="log_ratio", pair=["a2", "a1"], unsolved=unsolved).profile_measures.to_pylist()
        assert [row["algorithm"] for row in found] == ["a2", "a1"]
        assert [(row["n_unsolved"], row["n_problems"]) for row in found] == [(2, n_problems)] * 2


def test_bands():
    costs = np.array([[1.0, 2, 3, 4], [2, 4, 6, 8]])
    found = all_tables(
        rated(costs), matrix_costs(costs), measure="m", variant="log_ratio", bands="problems",
        by=[], weights=None, unsolved="keep", name="log_ratio", pair=None, tau_max=None,
    )  # fmt: skip
    assert all(row["rho_low"] <= row["rho"] <= row["rho_high"] for row in found["profiles"].to_pylist())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "compares two algorithms, but there are 3"),
        ({"pair": ["a1", "b"]}, "pair names 'b', which is no algorithm here"),
        ({"pair": ["a1", "a1"]}, "expected two different algorithms"),
        ({"pair": ["a1", "a2"], "tau_max": 0.5}, "tau_max is 0.5"),
    ],
)
def test_mistakes(settings, message):
    with pytest.raises(UserError, match=message):
        fit(rated(np.ones((3, 2))), measure="m", variant="log_ratio", **settings).tables()
