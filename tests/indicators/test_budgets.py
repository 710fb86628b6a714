import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmill.core import UserError, replicates
from benchmill.indicators.ert import charged
from tests.costs.making import INF

NAN = float("nan")
COSTS, BUDGETS, OFFSETS = [10, INF, INF, 70, INF], [100, 60, 80, 70, 50], [0, 3, 5]


@pytest.mark.parametrize(
    ("rule", "common", "costs", "budgets"),
    [
        ("own", None, COSTS, BUDGETS),
        ("max", None, COSTS, [100, 100, 100, 70, 70]),
        ("common", None, [10, INF, INF, INF, INF], [60, 60, 60, 50, 50]),
        ("common", 70, COSTS, [70, 60, 70, 70, 50]),
        ("common", 69, [10, INF, INF, INF, INF], [69, 60, 69, 69, 50]),
    ],
)
def test_by_hand(rule, common, costs, budgets):
    found = charged(rule, COSTS, BUDGETS, OFFSETS, common)
    assert found[0].tolist() == costs
    assert found[1].tolist() == budgets


def test_a_cell_without_failure_is_not_cut():
    assert charged("common", [3, 9], [3, 9], [0, 2])[0].tolist() == [3, 9]


def test_an_unknown_budget_is_not_guessed():
    for rule in ("own", "max", "common"):
        costs, budgets = charged(rule, [10, INF, INF], [20, NAN, 30], [0, 3])
        assert costs.tolist() == [10, INF, INF]
        assert np.isnan(replicates.ert(costs, budgets)[0])
    # a success beyond a stated budget has spent it, whatever its own was
    assert charged("common", [10], [NAN], [0, 1], 5)[1].tolist() == [5]


def test_mistake():
    with pytest.raises(UserError, match=r"budget_rule is 'mean', expected one of own, common, max"):
        charged("mean", COSTS, BUDGETS, OFFSETS)


trials = st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 1000)), min_size=1, max_size=12)


@given(trials, st.sampled_from(["own", "common", "max"]))
def test_identities(pairs, rule):
    """ERT = truncated mean / success rate; ERT - SP = (B - M) (n - s) / s with B the mean budget charged to a failure."""
    hit, budget = (np.array(column, float) for column in zip(*pairs, strict=True))
    costs, budgets = charged(rule, np.where(hit <= budget, hit, INF), budget, [0, hit.size])
    n, s = costs.size, int(np.isfinite(costs).sum())
    assume(s > 0)
    ert = replicates.ert(costs, budgets)[0]
    assert ert == pytest.approx(replicates.mean(replicates.truncated(costs, budgets))[0] / (s / n))
    m, sp = replicates.mean_successful(costs)[0], replicates.success_performance(costs)[0]
    b = budgets[np.isinf(costs)].mean() if s < n else 0.0
    assert ert - sp == pytest.approx((b - m) * (n - s) / s, rel=1e-9, abs=1e-6)
    if rule == "common":
        assert np.unique(budgets[np.isinf(costs)]).size <= 1
        assert (costs[np.isfinite(costs)] <= budgets[np.isinf(costs)].min(initial=INF)).all()
