import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmill.core import replicates

INF, NAN = float("inf"), float("nan")
trials = st.lists(st.tuples(st.one_of(st.integers(1, 10**6), st.just(INF)), st.integers(1, 10**6)), min_size=1, max_size=20)


def naive_ert(costs, budgets):
    successes = [c for c in costs if c < INF]
    if not successes:
        return INF
    return (sum(successes) + sum(b for c, b in zip(costs, budgets, strict=True) if c == INF)) / len(successes)


@given(trials)
def test_ert_is_the_sum_over_the_number_of_successes(pairs):
    costs, budgets = zip(*pairs, strict=True)
    assert replicates.ert(costs, budgets)[0] == naive_ert(costs, budgets)


def test_ert_uses_own_budgets_not_the_largest():
    # with the largest budget for every failure it would be (100 + 2 * 1000) / 1
    assert replicates.ert([100, INF, INF], [100, 50, 1000])[0] == 1150


@given(trials, st.integers(10**6, 2 * 10**6))
def test_identities_under_a_common_budget(pairs, budget):
    costs = np.array([c for c, _ in pairs], float)
    n, s = costs.size, int(np.isfinite(costs).sum())
    assume(s > 0)
    budgets = np.full(n, float(budget))
    ert = replicates.ert(costs, budgets)[0]
    truncated_mean = replicates.mean(replicates.truncated(costs, budgets))[0]
    assert ert == pytest.approx(truncated_mean / (s / n))
    m = replicates.mean_successful(costs)[0]
    sp = replicates.success_performance(costs)[0]
    assert sp == pytest.approx(m * n / s)
    assert ert - sp == pytest.approx((budget - m) * (n - s) / s, rel=1e-9, abs=1e-6)
    assert ert >= sp - 1e-6


def test_no_success_no_trial_unknown_budget():
    offsets = [0, 2, 2, 4]
    costs, budgets = [INF, INF, 5, INF], [10, NAN, 5, NAN]
    ert = replicates.ert(costs, budgets, offsets)
    assert ert[0] == INF
    assert math.isnan(ert[1])
    assert math.isnan(ert[2])
    sp = replicates.success_performance(costs, offsets)
    assert sp[0] == INF
    assert math.isnan(sp[1])
    assert sp[2] == 10
    assert replicates.truncated(costs, budgets).tolist() == [10, INF, 5, INF]


def test_summaries_count_as_often_as_they_stand_for():
    assert replicates.ert([100, INF], [100, 300], n=[4, 1])[0] == (400 + 300) / 4
    assert replicates.success_performance([100, INF], n=[4, 1])[0] == 100 * 5 / 4
    assert replicates.mean([1, 4], n=[3, 1])[0] == 7 / 4


@given(
    st.lists(st.lists(st.floats(-1e6, 1e6), min_size=0, max_size=9), min_size=1, max_size=6),
    st.sampled_from([0.0, 0.02, 0.1, 0.25, 0.5, 0.9, 0.98, 1.0]),
)
def test_quantiles_and_deviation_equal_numpy(cells, p):
    offsets = np.cumsum([0] + [len(c) for c in cells])
    values = np.concatenate([np.array(c, float) for c in cells])
    quantiles = replicates.quantiles(values, [p], offsets)[0]
    deviations = replicates.deviation(values, offsets)
    for cell, quantile, deviation in zip(cells, quantiles, deviations, strict=True):
        if not cell:
            assert math.isnan(quantile)
        else:
            assert quantile == pytest.approx(np.quantile(cell, p, method="linear"), rel=1e-9, abs=1e-9)
        if len(cell) < 2:
            assert math.isnan(deviation)
        else:
            assert deviation == pytest.approx(np.std(cell, ddof=1), rel=1e-6, abs=1e-6)


def test_quantiles_with_infinite_values():
    assert replicates.quantiles([1, 2, INF], [0.0, 0.5, 0.75, 1.0])[:, 0].tolist() == [1, 2, INF, INF]
    assert replicates.median([INF, INF])[0] == INF
    assert replicates.median([1, INF])[0] == INF
    assert math.isnan(replicates.deviation([1, INF])[0])


def test_a_slice_of_a_longer_array():
    values = np.array([99.0, 1, 2, 3, 99])
    assert replicates.mean(values, [1, 3, 4]).tolist() == [1.5, 3]
    assert replicates.median(values, [1, 3, 4]).tolist() == [1.5, 3]
    assert replicates.deviation(values, [1, 3, 4])[0] == pytest.approx(math.sqrt(0.5))


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30))
def test_quantiles_of_type_3_are_those_of_numpy(values):
    shares = [0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98]
    found = replicates.quantiles(values, shares, quantile_type=3)[:, 0]
    # Hyndman and Fan: the k-th smallest value, k the whole number nearest to n p, the even one of two
    n = len(values)
    nearest = [math.floor(n * p) if n * p - math.floor(n * p) < 0.5 - 1e-9 else math.ceil(n * p) for p in shares]
    tie = [abs(n * p - math.floor(n * p) - 0.5) < 1e-9 for p in shares]
    k = [(math.floor(n * p) + math.floor(n * p) % 2) if t else m for p, t, m in zip(shares, tie, nearest, strict=True)]
    assert found.tolist() == [sorted(values)[min(max(i, 1), n) - 1] for i in k]
    untied = [i for i, t in enumerate(tie) if not t]
    expected = np.quantile(values, shares, method="closest_observation")
    assert found[untied].tolist() == expected[untied].tolist()


def test_quantiles_of_another_type():
    with pytest.raises(ValueError, match="type 7, 3, not 5"):
        replicates.quantiles([1], [0.5], quantile_type=5)


def test_penalised():
    assert replicates.penalised([10, INF, INF], [50, 50, 70], 10).tolist() == [(10 + 500 + 700) / 3]
    assert replicates.penalised([10, INF], [50, NAN], 10).tolist() == [INF]
    assert math.isnan(replicates.penalised([], [], 10)[0])


def test_a_single_failure_without_a_budget():
    assert replicates.ert([INF], [NAN])[0] == INF
    assert replicates.success_performance([INF])[0] == INF


def test_a_failure_counts_ten_times_unless_said_otherwise():
    assert replicates.penalised([3.0, INF], [9.0, 9.0]).tolist() == [(3 + 90) / 2]
    assert replicates.penalised([3.0, INF], [9.0, 9.0], 2.0).tolist() == [(3 + 18) / 2]


def test_a_quantile_at_an_observed_value_is_that_value():
    # 0.07 * 100 is a little more than 7 in floating point, and the next value is infinite
    assert 0.07 * 100 > 7
    assert replicates.quantiles([*range(8), *[INF] * 93], [0.07]).item() == 7
    assert replicates.quantiles([-INF, 1.0], [0.5]).item() == -INF
    assert replicates.quantiles([1.0, INF], [0.5]).item() == INF
    assert replicates.quantiles([-INF, -INF, INF], [0.0, 0.5, 1.0]).ravel().tolist() == [-INF, -INF, INF]


def test_type_3_takes_the_even_one_of_two_where_floating_point_does_not_see_them():
    assert 0.7 * 45 < 31.5
    assert replicates.quantiles(range(1, 46), [0.7], quantile_type=3).item() == 32
