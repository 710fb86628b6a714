"""Values that are maximised, without a known optimum: mean, median, quantiles, ECDF and density of the values themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.core.schema import QUANTILES
from benchmill.indicators.curves import value_ecdf_curves
from benchmill.indicators.density import Options as DensityOptions
from benchmill.indicators.density import densities
from benchmill.indicators.ecdf import value_ecdf
from benchmill.indicators.ert import Options as ErtOptions
from benchmill.indicators.ert import indicators
from tests.costs.making import INF, cost_rows


def rows(values, larger, **more):
    """Costs at one budget of trials that reached these values; None: nothing recorded."""
    sign = -1 if larger else 1
    given = [
        {"algorithm": "A", "at_budget": 10.0, "cost": INF if v is None else sign * v, "larger": larger or None} for v in values
    ]
    return cost_rows([row | more for row in given])


@pytest.mark.parametrize("quantile_type", [7, 3])
@given(values=st.lists(st.integers(-50, 50), min_size=1, max_size=12))
def test_statistics_are_those_of_the_values(values, quantile_type):
    (up,) = indicators(rows(values, True), options=ErtOptions(quantile_type=quantile_type)).to_pylist()
    (down,) = indicators(rows(values, False), options=ErtOptions(quantile_type=quantile_type)).to_pylist()
    assert up["larger"] is True
    assert down["larger"] is None
    for name in ("mean", "median", "sd", "mean_successful", "median_successful", "n_successes", "success_rate"):
        assert up[name] == pytest.approx(down[name])
    for q in QUANTILES:
        for name in (f"q{q:02d}", f"q{q:02d}_successful"):
            assert up[name] == pytest.approx(down[name])


def test_a_trial_without_a_value_is_worse_than_all():
    (row,) = indicators(rows([3, 5, None, None], True)).to_pylist()
    assert (row["mean"], row["median"], row["mean_successful"], row["success_rate"]) == (-INF, -INF, 4, 0.5)
    assert (row["q02"], row["q98"]) == (-INF, pytest.approx(4.88))
    assert row["ert"] is None


def test_ecdf_by_hand():
    """The share of trials that have reached a value or a larger one."""
    curve = value_ecdf(rows([3, 5, 5, None], True), aggregation="budget")
    assert curve.select(["x", "fraction"]).to_pylist() == [{"x": 5, "fraction": 0.5}, {"x": 3, "fraction": 0.75}]
    (row,) = value_ecdf_curves(curve, [rows([3, 5, 5, None], True)], aggregation="budget").to_pylist()
    assert (row["recorded"], row["n_trials"]) == (0.75, 4)
    empty = value_ecdf(rows([None], True), aggregation="budget")
    assert empty.column("fraction").to_pylist() == [0]


def test_a_curve_has_one_direction():
    import pyarrow as pa

    both = pa.concat_tables([rows([1], True), rows([1], False, problem="f2")]).unify_dictionaries()
    with pytest.raises(UserError, match="larger values are better on problem f1 and smaller ones on f2"):
        value_ecdf(both, aggregation="problem")
    assert value_ecdf(both, aggregation="budget").num_rows == 2


def test_density_of_the_values():
    found = densities(rows([3, 5, 5, None], True), options=DensityOptions(kind="mass")).to_pylist()
    assert [(r["left"], r["height"]) for r in found] == [(3, 0.25), (5, 0.5)]
