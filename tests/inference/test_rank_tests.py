"""Replicated Friedman, Wilcoxon, Conover and Nemenyi for replicates: enumeration and textbook formulas."""

import math
from itertools import permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmill.inference.anova import anova
from benchmill.inference.comparisons import conover, nemenyi, signed_ranks, tukey, wilcoxon
from benchmill.inference.friedman import friedman

INF = math.inf
cells = hnp.arrays(
    float, st.tuples(st.integers(2, 5), st.integers(2, 4), st.integers(2, 3)), elements=st.integers(0, 6).map(float)
)


@given(cells)
def test_replicated_friedman_is_the_anova_of_joint_ranks(costs):
    b, k, r = costs.shape
    ranks = scipy.stats.rankdata(costs.reshape(b, -1), axis=1).reshape(costs.shape)
    found, other = friedman(costs), anova(ranks)
    if other.f is None:
        return
    assert found.f == pytest.approx(other.f, abs=1e-12)
    assert found.df2 == other.df2 == b * k * r - b - k + 1
    assert found.p_f == pytest.approx(other.p, rel=1e-6)
    assert found.residual == pytest.approx(other.mse)
    error = math.sqrt(2 * other.mse / (b * r))
    assert conover(costs, 0.05, "none").common_msd == pytest.approx(scipy.stats.t.isf(0.025, other.df2) * error)


def test_replicated_friedman_without_ties_is_mack_and_skillings():
    b, k, r = 4, 3, 5
    x = np.random.default_rng(0).normal(size=(b, k, r))
    sums = scipy.stats.rankdata(x.reshape(b, -1), axis=1).reshape(x.shape).sum(axis=(0, 2))
    expected = 12 / (k * b * r**2 * (k * r + 1)) * (sums**2).sum() - 3 * b * (k * r + 1)
    assert friedman(x).chi2 == pytest.approx(expected)
    one = friedman(x[:1])
    other = scipy.stats.kruskal(*x[0])
    assert (one.chi2, one.p_chi2) == pytest.approx((other.statistic, other.pvalue))


def test_variance_of_average_joint_ranks_behind_nemenyi():
    """Over all orders of one block of 2 x 2 runs: the variance of a difference is k (k r + 1) / (6 b)."""
    found = [sum(order[:2]) / 2 - sum(order[2:]) / 2 for order in permutations(range(1, 5))]
    assert np.mean(np.square(found)) == pytest.approx(2 * (2 * 2 + 1) / 6)
    x = np.random.default_rng(1).normal(size=(3, 2, 2))
    q = scipy.stats.studentized_range.isf(0.05, 2, np.inf)
    assert nemenyi(x).common_msd == pytest.approx(q / math.sqrt(2) * math.sqrt(2 * 5 / 6 / 3), rel=1e-6)


def test_all_alike_with_replicates_by_enumeration():
    """Two blocks of 2 x 2 runs, every treatment's runs tied: the share of arrangements with infinite F."""
    block = (1.0, 1.0, 2.0, 2.0)
    alike = 0
    orders = list(permutations(block))
    for one, two in product(orders, orders):
        x = np.array([one, two]).reshape(2, 2, 2)
        alike += friedman(x).f == INF
    assert friedman(np.array([block, block]).reshape(2, 2, 2)).p_f == pytest.approx(alike / len(orders) ** 2)


def enumerated(d):
    """Two-sided p of the signed ranks over all signs, with midranks."""
    d = np.array([v for v in d if v != 0])
    if not d.size:
        return 1.0
    ranks = scipy.stats.rankdata(np.abs(d))
    w = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    sums = [np.dot(s, ranks) for s in product((0, 1), repeat=d.size)]
    return min(1.0, 2 * np.mean([v <= w for v in sums]))


@settings(deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_wilcoxon_equals_the_enumeration_with_ties_and_zeros(d):
    x = np.array(d, float)[:, None]
    found = wilcoxon(x, np.zeros_like(x))
    assert found.p[0] == pytest.approx(enumerated(d))
    assert found.n[0] == sum(v != 0 for v in d)


def test_wilcoxon_where_tables_without_ties_mislead():
    # differences that are equal only without rounding: 6.1 - 7.7 and 5.0 - 6.6
    a, b = np.array([[6.1], [5.0], [3.0], [8.0]]), np.array([[7.7], [6.6], [2.0], [5.0]])
    # 1.6, 1.6 against 1, 3
    assert (wilcoxon(a, b).w_plus[0], wilcoxon(a, b).w_minus[0]) == (5.0, 5.0)
    large = 1e6 + np.array([[0.1], [0.3], [0.6]])
    assert wilcoxon(large, 1e6 + np.array([[0.0], [0.4], [0.5]])).w_plus[0] == 4.0


def test_wilcoxon_keeps_small_differences_beside_large_ones():
    a = np.array([[1e5], [2e-8], [3e-9]])
    found = wilcoxon(a, 2 * a)
    assert (found.n[0], found.w_minus[0]) == (3, 6.0)


def test_wilcoxon_equals_scipy():
    rng = np.random.default_rng(4)
    for n in (8, 20, 49):
        x, y = rng.normal(size=(2, n, 5))
        expected = [scipy.stats.wilcoxon(x[:, i], y[:, i], method="exact").pvalue for i in range(5)]
        assert wilcoxon(x, y).p == pytest.approx(expected)
    x, y = rng.normal(size=(2, 90, 5))
    expected = [scipy.stats.wilcoxon(x[:, i], y[:, i], method="approx").pvalue for i in range(5)]
    assert wilcoxon(x, y).p == pytest.approx(expected)


def test_wilcoxon_with_failures():
    a, b = np.array([[1.0], [INF], [INF], [2.0]]), np.array([[INF], [INF], [3.0], [1.0]])
    found = wilcoxon(a, b)
    # the two one-sided failures share the largest ranks, the common one is no difference
    assert (found.w_plus[0], found.w_minus[0], found.n[0]) == (3.5, 2.5, 3)


def test_six_instances_cannot_reject_nine_algorithms():
    x = np.tile(np.arange(9.0), (6, 1)) + np.arange(6)[:, None]
    found = signed_ranks(x)
    assert found.p.tolist() == [0.03125] * 36
    assert found.p_adjusted.tolist() == [1.0] * 36
    assert found.p_min == 0.03125
    assert found.difference.tolist() == [-1.0] * 36


@settings(deadline=None, max_examples=60)
@given(
    hnp.arrays(float, (7, 4), elements=st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, 2.0, 1e5, INF])),
    hnp.arrays(float, (7, 4), elements=st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0, 3.0, INF])),
)
def test_wilcoxon_of_a_pair_does_not_depend_on_the_others(a, b):
    """Pairs with and without ties take different ways; alone, together, and with many others they must agree."""
    noise = np.random.default_rng(7).normal(size=(2, 7, 3))
    found = wilcoxon(np.hstack([a, noise[0]]), np.hstack([b, noise[1]]))
    for j in range(4):
        alone = wilcoxon(a[:, j : j + 1], b[:, j : j + 1])
        for name in ("w_plus", "w_minus", "n", "p"):
            assert getattr(found, name)[j] == getattr(alone, name)[0]
        # two failures differ by 0, one is the largest difference of all
        with np.errstate(invalid="ignore"):
            d = np.where(a[:, j] == b[:, j], 0.0, a[:, j] - b[:, j])
        d = np.where(np.isinf(d), np.sign(d) * 1e9, np.round(d, 9))
        ranks = scipy.stats.rankdata(np.abs(d[d != 0]))
        assert found.w_plus[j] == pytest.approx(ranks[d[d != 0] > 0].sum())
        assert found.n[j] == (d != 0).sum()
        assert found.p[j] == pytest.approx(enumerated(d))


def test_wilcoxon_of_large_samples_with_and_without_ties_equals_scipys():
    draw = np.random.default_rng(8)
    x = draw.normal(size=(200, 3))
    x[:, 1] = np.round(x[:, 1], 1)
    x[:40, 2] = 0
    expected = [scipy.stats.wilcoxon(x[:, j], method="approx", correction=False).pvalue for j in range(3)]
    assert wilcoxon(x, np.zeros_like(x)).p == pytest.approx(expected)


def test_tukey_with_the_interaction_as_error():
    """The textbook's formulas on cell means, whose residual mean square is that of the interaction over the runs."""
    x = np.random.default_rng(3).normal(size=(5, 3, 4)) + np.random.default_rng(4).normal(size=(5, 3, 1))
    mean = x.mean(axis=2)
    rest = mean - mean.mean(axis=1, keepdims=True) - mean.mean(axis=0) + mean.mean()
    error = (rest**2).sum() / 8
    gap = mean.mean(axis=0)[0] - mean.mean(axis=0)[1]
    of_tukey = tukey(x, error="interaction")
    assert of_tukey.p_adjusted[0] == pytest.approx(
        scipy.stats.studentized_range.sf(abs(gap) / np.sqrt(error / 5), 3, 8), rel=1e-6
    )
    assert tukey(x, error="cells").p_adjusted[0] < of_tukey.p_adjusted[0]
