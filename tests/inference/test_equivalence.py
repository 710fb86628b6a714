"""Equivalence: SciPy's t tests, exact small cases, and the level in simulated studies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from benchmill.core import UserError
from benchmill.inference.equivalence import equivalence, of_means
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


def test_nothing_but_ties_is_equivalence_only_with_enough_clusters():
    # as a sign test, so that five agreeing clusters decide at 5 %, and four do not
    assert of_means(np.zeros((5, 1)), 0.1)[3][0] == 1 / 32
    _, low, high, p = of_means(np.zeros((4, 1)), 0.1)
    assert (low[0], high[0], p[0]) == (-INF, INF, 1 / 16)


def test_interval_is_inside_the_margin_exactly_when_p_is_small():
    rng = np.random.default_rng(3)
    d = np.clip(rng.normal(0, rng.uniform(0.02, 0.5, 60), (12, 60)), -1, 1)
    _, low, high, p = of_means(d, 0.3)
    assert ((low >= -0.3) & (high <= 0.3)).tolist() == (p <= 0.05).tolist()
    assert 0 < (p <= 0.05).sum() < 60


def test_cost_ratio_of_a_study():
    """Costs 2 % apart in all clusters, within 5 %; the third fails once; the second and the first swap."""
    costs = np.array([[100.0, 102.0, 100.0], [10, 10.2, 10], [7, 7.14, INF], [1, 1.02, 1], [3, 3.06, 3], [5, 5.1, 5]])
    found = equivalence([keyed(costs)], [("a1", "a2"), ("a2", "a1"), ("a1", "a3")], 5)
    np.testing.assert_allclose(found.effect[:2], [math.log(1.02), -math.log(1.02)])
    assert found.p[:2] == pytest.approx([2**-6] * 2)
    assert found.p_adjusted == pytest.approx([3 * 2**-6, 3 * 2**-6, 1])
    assert (found.effect[2], found.low[2], found.high[2], found.p[2]) == (INF, -INF, INF, 1)
    assert found.n_one_failed.tolist() == [0, 0, 1]
    narrow = equivalence([keyed(costs)], [("a1", "a2")], 1)
    assert narrow.p[0] > 0.5


def test_targets_are_pooled_within_clusters():
    """Two algorithms that win in turn on two targets of each of 30 problems are equal in every cluster."""
    easy, hard = keyed(np.tile([1.0, 2.0], (30, 1))), keyed(np.tile([9.0, 4.5], (30, 1)))
    found = equivalence([easy, hard], [("a1", "a2")], 10)
    assert (found.n_clusters, found.effect[0], found.p[0]) == (30, pytest.approx(0), 2.0**-30)
    failing = equivalence([keyed(np.full((6, 2), INF))], [("a1", "a2")], 10)
    assert failing.n_both_failed[0] == 6


def test_runs_that_fail_more_often_than_others_are_not_as_good():
    """One run of five fails, and four of five: on all problems but one neither has a mean cost."""
    costs = np.ones((10, 2, 5))
    costs[1:, 0, 0] = costs[1:, 1, 1:] = INF
    found = equivalence([keyed(costs)], [("a1", "a2")], 5)
    assert (found.p[0], found.n_one_failed[0], found.n_both_failed[0]) == (1, 9, 0)
    # nor is anything known of runs that fail as often
    costs[1:, 0, 1:] = INF
    assert equivalence([keyed(costs)], [("a1", "a2")], 5).p[0] == 1


def test_mistakes_are_told():
    one = [keyed(np.ones((6, 2)))]
    with pytest.raises(UserError, match=r"margin: found 0 %"):
        equivalence(one, [("a1", "a2")], 0)
    with pytest.raises(UserError, match="no algorithm 'b'; choose from a1, a2"):
        equivalence(one, [("a1", "b")], 5)
    with pytest.raises(UserError, match="found the cost -1, and only costs above 0 have ratios"):
        equivalence([keyed(-np.ones((6, 2)))], [("a1", "a2")], 5)


def test_algorithms_that_differ_by_the_margin_are_rarely_called_equal():
    """5 % and 2.6 standard errors of 2 000 studies."""
    rng = np.random.default_rng(5)
    assert (of_means(rng.normal(0.1, 0.2, (10, 2000)), 0.1)[3] <= 0.05).mean() <= 0.063
