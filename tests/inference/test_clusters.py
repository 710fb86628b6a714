"""Clusters: exact small cases, an independent count of all flips and permutations, and the level in simulated studies."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import multinomial

from benchmill.inference import clusters
from benchmill.inference.design import net_wins
from tests.inference.making import analyse, design

INF = math.inf


def test_net_wins_count_pairs_of_runs_and_tie_failures():
    # block 1: 1 < 2, block 2: both fail, block 3: runs (1, 4) against (2, 3)
    assert net_wins([[1, 2], [INF, INF], [3, 1]]).tolist() == [[1], [0], [-1]]
    assert net_wins([[[1, 4], [2, 3]]]).tolist() == [[0]]
    assert net_wins([[[1, 2], [2, INF]]]).tolist() == [[3 / 4]]
    assert net_wins([[1.0, 1.0 + 1e-13]]).tolist() == [[0]]


def _by_hand(d):
    """Adjusted p of step-down max-T over all flips, one by one."""
    d = np.asarray(d, float)
    scale = np.sqrt((d**2).sum(axis=0))
    t = np.abs(d.sum(axis=0)) / scale
    order = sorted(range(t.size), key=lambda j: -t[j])
    adjusted, alone, before = {}, {}, 0.0
    every = [np.abs(np.array(s) @ d) / scale for s in itertools.product((1, -1), repeat=len(d))]
    for place, j in enumerate(order):
        p = np.mean([max(found[order[place:]]) >= t[j] - 1e-9 for found in every])
        before = max(before, p)
        adjusted[j] = before
        alone[j] = np.mean([found[j] >= t[j] - 1e-9 for found in every])
    return [alone[j] for j in range(t.size)], [adjusted[j] for j in range(t.size)]


def test_flips_are_those_counted_one_by_one():
    rng = np.random.default_rng(4)
    d = rng.uniform(-1, 1, (7, 4)) + np.array([0.9, 0.5, 0, 0.1])
    alone, adjusted = _by_hand(d)
    found = clusters.flips(d, rng)
    np.testing.assert_allclose(found.p, alone)
    np.testing.assert_allclose(found.p_adjusted, adjusted)
    assert (found.n_flips, found.p_min) == (64, 1 / 64)
    np.testing.assert_allclose(found.effect, d.mean(axis=0))


@pytest.mark.parametrize("groups", [3, 5, 6, 8, 24])
def test_interval_and_decision_never_contradict_each_other(groups):
    rng = np.random.default_rng(groups)
    for _ in range(20):
        d = np.round(np.clip(rng.normal(rng.uniform(-0.6, 0.6, 10), 0.6, (groups, 10)), -1, 1), 1)
        found = clusters.flips(d, rng, permutations=499)
        outside = (found.low > 0) | (found.high < 0)
        assert outside.tolist() == (found.p_adjusted <= 0.05).tolist()
        assert (found.low <= found.effect).all()
        assert (found.effect <= found.high).all()


def test_where_all_clusters_agree_the_interval_keeps_a_width():
    # Wilson's interval of 10 of 10, with c^2 = the squared statistic that 51 of 1024 flips exceed at most
    found = clusters.flips(np.ones((10, 1)), np.random.default_rng(0))
    # |sum of 10 signs| is 8 or more in 22, 6 or more in 112 of 1024 flips
    c2 = 6**2 / 10
    assert found.low[0] == pytest.approx((10 - c2) / (10 + c2))
    assert found.high[0] == 1
    assert found.p_adjusted[0] == 2 / 1024


def test_few_clusters_cannot_decide_and_say_so():
    found = clusters.flips(np.ones((4, 3)), np.random.default_rng(0))
    assert (found.p_min, found.low.max(), found.high.min()) == (1 / 8, -1, 1)
    assert clusters.flips(np.zeros((9, 2)), np.random.default_rng(0)).p_adjusted.tolist() == [1, 1]


def test_cells_of_one_cluster_count_once():
    """Copying every block four times within its cluster changes nothing; as blocks of their own it would."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(8, 3))
    copied, of = np.repeat(x, 4, axis=0), np.repeat(np.arange(8), 4)
    once = clusters.pairs_of(x, np.arange(8), np.random.default_rng(2))
    again = clusters.pairs_of(copied, of, np.random.default_rng(2))
    for name in ("difference", "p", "p_adjusted", "low", "high"):
        np.testing.assert_allclose(getattr(once, name), getattr(again, name))
    np.testing.assert_allclose(
        clusters.outcomes(x, np.arange(8), np.random.default_rng(2))[0].p,
        clusters.outcomes(copied, of, np.random.default_rng(2))[0].p,
    )


def test_labels_are_permuted_as_counted_one_by_one():
    x = np.array([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3]], float)
    (found,) = clusters.outcomes(x, np.arange(4), np.random.default_rng(0))
    observed = ((x.mean(axis=0) - 2) ** 2).sum()
    every = itertools.product(*[list(itertools.permutations(row)) for row in x])
    expected = np.mean([((np.mean(rows, axis=0) - 2) ** 2).sum() >= observed - 1e-9 for rows in every])
    assert (found.p, found.n_resamples, found.p_min) == (pytest.approx(expected), 6**3, 1 / 6**3)
    assert found.statistic == pytest.approx(observed)


def test_verdict_on_two_does_not_depend_on_a_third_that_is_worse_everywhere():
    """Alone, a pair's p is that of the pair; ranks would let the third in."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(12, 2))
    with_third = np.column_stack([x, np.full(12, 99.0)])
    two = clusters.pairs_of(x, np.arange(12), np.random.default_rng(0))
    three = clusters.pairs_of(with_third, np.arange(12), np.random.default_rng(0))
    assert three.p[0] == two.p[0]
    assert three.difference[0] == two.difference[0]


def test_study_makes_clusters_of_suite_and_problem():
    x = np.random.default_rng(0).random((6, 3))
    keys = [{"suite": "s", "problem": f"f{i // 2}", "dimension": 2 + i % 2} for i in range(6)]
    found = analyse([design(x, problems=keys)], measure="m")
    assert found["designs"].to_pylist()[0]["n_clusters"] == 3
    (test,) = found["tests"].to_pylist()
    assert (test["method"], test["n_blocks"], test["n_resamples"]) == ("cluster_permutation", 6, 36)
    apart = analyse([design(x, problems=keys)], measure="m", cluster_keys=["suite", "problem", "dimension"])
    assert apart["designs"].to_pylist()[0]["n_clusters"] == 6


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_exchangeable_algorithms_are_rarely_called_different(correlation):
    """24 clusters of 4 cells, 8 algorithms: at 5 %, at most what 300 studies allow (5 % + 2.4 standard errors)."""
    rng = np.random.default_rng(7)
    of, studies, pairs, everything = np.repeat(np.arange(24), 4), 300, 0, 0
    for _ in range(studies):
        common, own = rng.normal(size=(24, 1, 8)), rng.normal(size=(24, 4, 8))
        x = (math.sqrt(correlation) * common + math.sqrt(1 - correlation) * own).reshape(96, 8)
        d = clusters.means(net_wins(x), of)
        pairs += bool((clusters.flips(d, rng, permutations=199).p_adjusted <= 0.05).any())
        everything += clusters.exchangeable(d, 8, rng, 199).p <= 0.05
    assert pairs <= 0.08 * studies
    assert everything <= 0.08 * studies


def test_clusters_that_are_all_ties_do_not_show_that_algorithms_are_equal():
    # one that wins a share q of all clusters and ties in the rest wins none of 23 with probability (1 - q)^23
    found = clusters.flips(np.zeros((23, 1)), np.random.default_rng(1))
    assert found.p_adjusted == [1.0]
    assert found.effect == [0.0]
    assert found.high == -found.low
    assert (1 - found.high[0]) ** 23 == pytest.approx(0.025)


@pytest.mark.parametrize("groups", [8, 12])
def test_intervals_cover_the_effects_of_pairs_that_are_mostly_ties(groups):
    """Every sample of wins, losses and ties with its chance: a win that was not seen among as many ties could have been there."""
    counts = np.array([(won, lost) for won in range(groups + 1) for lost in range(groups + 1 - won)])
    ends = []
    for won, lost in counts:
        found = clusters.flips(np.repeat([1.0, -1.0, 0.0], [won, lost, groups - won - lost])[:, None], np.random.default_rng(0))
        assert found.p_adjusted[0] > 0.05 or not found.low[0] <= 0 <= found.high[0]
        ends.append((found.low[0], found.high[0]))
    low, high = np.array(ends).T
    # one win is no reason for a narrower interval than none
    none, one = (np.flatnonzero((counts == [won, 0]).all(axis=1))[0] for won in (0, 1))
    assert high[one] > high[none]
    for differing, won in itertools.product((0.05, 0.1, 0.2, 0.3, 0.5), (1.0, 0.9, 0.6)):
        share, effect = [differing * won, differing * (1 - won), 1 - differing], differing * (2 * won - 1)
        chance = multinomial.pmf(np.column_stack([counts, groups - counts.sum(axis=1)]), groups, share)
        assert chance[(low <= effect + 1e-9) & (effect - 1e-9 <= high)].sum() > 0.93


def test_beside_clusters_that_all_agree_ties_have_the_interval_of_ties():
    """Five clusters cannot decide, p = 2 / 32; a pair that ties in them has 1 - (0.05 / 4)^(1 / 5) each way, and no more."""
    found = clusters.flips(np.array([[0.0, 1.0]] * 5), np.random.default_rng(1))
    assert found.p_adjusted.tolist() == [1, 2 / 32]
    assert (found.low[0], found.high[0]) == pytest.approx((-0.583724, 0.583724), abs=1e-6)
    assert ((found.low >= -1) & (found.high <= 1)).all()


def test_ends_of_intervals_are_0_where_they_would_be_but_for_rounding():
    """Won on five clusters, lost on none and level on fifteen: the adjusted p of one pair is 1 / 16, the interval ends at 0."""
    found = clusters.flips(np.repeat([-1.0, 0.0], [5, 15])[:, None], np.random.default_rng(0))
    assert found.p_adjusted[0] == 0.0625
    assert found.high[0] == 0
