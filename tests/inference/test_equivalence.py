"""Equivalence: statsmodels, Clopper and Pearson, draws of the weights, exact small cases, and the level in simulated studies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest, ttest_1samp

from benchmill.core.errors import UserError
from benchmill.inference.equivalence import equivalence, of_means, of_shares, p_of_shares
from tests.inference.making import design

INF = math.inf


def keyed(values):
    """A design of clusters of one problem each."""
    return design(values, problems=[{"suite": "s", "problem": f"f{i}"} for i in range(len(values))])


def test_means_are_two_one_sided_t_tests():
    d = np.random.default_rng(1).normal(0.02, 0.1, (11, 3))
    effect, low, high, p = of_means(d, 0.1)
    expected = [
        max(ttest_1samp(x, -0.1, alternative="greater").pvalue, ttest_1samp(x, 0.1, alternative="less").pvalue) for x in d.T
    ]
    np.testing.assert_allclose(p, np.maximum(expected, 2.0**-11))
    intervals = [ttest_1samp(x, 0).confidence_interval(0.9) for x in d.T]
    np.testing.assert_allclose(np.column_stack([low, high]), intervals)
    np.testing.assert_allclose(effect, d.mean(axis=0))


@pytest.mark.parametrize(("clusters", "won"), [(6, 0), (10, 1), (24, 12), (60, 60)])
def test_shares_of_wins_have_the_interval_of_clopper_and_pearson(clusters, won):
    d = np.repeat([1.0, -1.0], [won, clusters - won])[:, None]
    _, low, high, p = of_shares(d, 0.3)
    exact = binomtest(won, clusters).proportion_ci(0.9)
    assert (low[0], high[0]) == pytest.approx((2 * exact.low - 1, 2 * exact.high - 1), abs=1e-6)
    one_sided = [binomtest(won, clusters, q, alternative=side).pvalue for q, side in ((0.65, "less"), (0.35, "greater"))]
    assert p[0] == pytest.approx(max(one_sided), abs=1e-6)


def test_shares_are_what_drawn_weights_give():
    rng = np.random.default_rng(0)
    d = rng.uniform(-0.5, 0.5, (9, 1))
    weights = rng.dirichlet(np.ones(10), 200_000)
    p = max((weights @ [*d[:, 0], 1] > 0.2).mean(), (weights @ [*d[:, 0], -1] < -0.2).mean())
    assert of_shares(d, 0.2)[3][0] == pytest.approx(p, abs=0.005)


def test_nothing_but_ties_is_equivalence_only_with_enough_clusters():
    # an algorithm that wins a share q of clusters wins none of 40 with probability (1 - q)^40
    effect, low, high, p = of_shares(np.zeros((40, 1)), 0.1)
    assert (effect[0], p[0]) == (0, pytest.approx(0.9**40))
    assert (-low[0], high[0]) == pytest.approx((1 - 0.05 ** (1 / 40),) * 2)
    assert of_shares(np.zeros((20, 1)), 0.1)[3][0] > 0.05
    # of costs: as a sign test, so that five agreeing clusters decide at 5 %, and four do not
    assert of_means(np.zeros((5, 1)), 0.1)[3][0] == 1 / 32
    _, low, high, p = of_means(np.zeros((4, 1)), 0.1)
    assert (low[0], high[0], p[0]) == (-INF, INF, 1 / 16)


@pytest.mark.parametrize("test", [of_means, of_shares])
def test_interval_is_inside_the_margin_exactly_when_p_is_small(test):
    rng = np.random.default_rng(3)
    d = np.clip(rng.normal(0, rng.uniform(0.02, 0.5, 60), (12, 60)), -1, 1)
    _, low, high, p = test(d, 0.3)
    assert ((low >= -0.3) & (high <= 0.3)).tolist() == (p <= 0.05).tolist()
    assert 0 < (p <= 0.05).sum() < 60


def test_cost_ratio_of_a_study():
    """Costs 2 % apart in all clusters, within 5 %; the third fails once; the second and the first swap."""
    costs = np.array([[100.0, 102.0, 100.0], [10, 10.2, 10], [7, 7.14, INF], [1, 1.02, 1], [3, 3.06, 3], [5, 5.1, 5]])
    found = equivalence([keyed(costs)], [("a1", "a2"), ("a2", "a1"), ("a1", "a3")], 5, effect="cost_ratio")
    np.testing.assert_allclose(found.effect[:2], [math.log(1.02), -math.log(1.02)])
    assert found.p[:2] == pytest.approx([2**-6] * 2)
    assert found.p_adjusted == pytest.approx([3 * 2**-6, 3 * 2**-6, 1])
    assert (found.effect[2], found.low[2], found.high[2], found.p[2]) == (INF, -INF, INF, 1)
    assert found.n_one_failed.tolist() == [0, 0, 1]
    narrow = equivalence([keyed(costs)], [("a1", "a2")], 1, effect="cost_ratio")
    assert narrow.p[0] > 0.5


def test_net_wins_pool_targets_within_clusters():
    """Two algorithms that win in turn on two targets of each of 30 problems tie in every cluster."""
    easy, hard = keyed(np.tile([1.0, 2.0], (30, 1))), keyed(np.tile([9.0, 8.0], (30, 1)))
    found = equivalence([easy, hard], [("a1", "a2")], 10, effect="share_of_wins")
    assert (found.n_clusters, found.effect[0], found.p[0]) == (30, 0, pytest.approx(0.9**30))
    failing = equivalence([keyed(np.full((6, 2), INF))], [("a1", "a2")], 10, effect="share_of_wins")
    assert failing.n_both_failed[0] == 6


def test_mistakes_are_told():
    one = [keyed(np.ones((6, 2)))]
    with pytest.raises(UserError, match=r"margin: found 0 %"):
        equivalence(one, [("a1", "a2")], 0, effect="cost_ratio")
    with pytest.raises(UserError, match="less than 100"):
        equivalence(one, [("a1", "a2")], 100, effect="share_of_wins")
    with pytest.raises(UserError, match="no algorithm 'b'; choose from a1, a2"):
        equivalence(one, [("a1", "b")], 5, effect="share_of_wins")
    with pytest.raises(UserError, match="found the cost -1, and only costs above 0 have ratios"):
        equivalence([keyed(-np.ones((6, 2)))], [("a1", "a2")], 5, effect="cost_ratio")


def test_algorithms_that_differ_by_the_margin_are_rarely_called_equal():
    """A true net share of 0.3, of clusters that are mostly ties; 5 % and 2.6 standard errors of 2 000 studies."""
    rng = np.random.default_rng(5)
    d = rng.choice([-1.0, 0.0, 1.0], (24, 2000), p=[0.05, 0.6, 0.35])
    assert (p_of_shares(d, 0.3) <= 0.05).mean() <= 0.063
    assert (of_means(rng.normal(0.1, 0.2, (10, 2000)), 0.1)[3] <= 0.05).mean() <= 0.063
