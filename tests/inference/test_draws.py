"""Rearrangements until chance decides nothing: the interval by another implementation, and decisions that no seed changes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from benchmill.core import UserError
from benchmill.inference import clusters, draws
from benchmill.inference.comparisons import rearranged
from benchmill.inference.permutation import synchronised, within_blocks

#: Won on 16 of 22 clusters and lost on 6: the sign test's p, twice the chance of 16 or more heads of 22, is just above 5 %.
NEAR = np.repeat([1.0, -1.0], [16, 6])[:, None]
P = binomtest(16, 22).pvalue


def test_the_interval_is_clopper_and_pearsons():
    for reached, drawn in ((0, 10_000), (430, 10_000), (512, 10_000), (10_000, 10_000), (7, 99)):
        interval = binomtest(reached, drawn).proportion_ci(0.999, method="exact")
        assert draws.interval(reached, drawn) == pytest.approx((interval.low, interval.high), abs=1e-12)
        below, above = draws.clear([reached], drawn, 0.05)
        assert (below[0], above[0]) == (interval.high <= 0.05, interval.low >= 0.05)


def test_a_decision_near_the_level_does_not_depend_on_the_seed():
    """One batch would decide otherwise in one of nine; with all that may be drawn none does."""
    assert pytest.approx(0.0525, abs=5e-5) == P
    found = [clusters.flips(NEAR, np.random.default_rng(seed)) for seed in range(20)]
    assert {bool(one.p_adjusted[0] > 0.05) for one in found} == {True}
    assert all(np.isnan(one.p_low).all() for one in found)
    assert max(one.n_flips for one in found) > 50_000
    assert np.mean([one.p_adjusted[0] for one in found]) == pytest.approx(P, abs=0.001)


def test_what_is_still_open_counts_as_not_shown():
    for seed in range(20):
        found = clusters.flips(NEAR, np.random.default_rng(seed), permutations=2000)
        if not np.isnan(found.p_low[0]):
            assert found.p_low[0] <= 0.05 < found.p_adjusted[0]
            assert found.low[0] <= 0 <= found.high[0]
            assert (found.p_low[0], found.p_adjusted[0]) == draws.interval(round(found.p[0] * 2001) - 1, 2000)
            break
    else:
        raise AssertionError("none was open")


def test_pairs_far_from_the_level_take_one_batch_and_others_go_on():
    clear, level = np.ones((22, 1)), np.tile([1.0, -1.0], 11)[:, None]
    assert clusters.flips(np.hstack([clear, level]), np.random.default_rng(1)).n_flips == draws.BATCH
    found = clusters.flips(np.hstack([clear, NEAR]), np.random.default_rng(1))
    assert found.n_flips > draws.BATCH
    # the last step is alone, and the first was clear after one batch
    assert found.p_adjusted[0] == pytest.approx(1 / (draws.BATCH + 1))
    assert found.p_adjusted[1] == pytest.approx(P, abs=0.003)


def test_a_level_that_no_flips_can_reach_takes_one_batch():
    found = clusters.flips(np.ones((30, 2)), np.random.default_rng(0), alpha=1e-9)
    assert found.n_flips == draws.BATCH
    assert np.isnan(found.p_low).all()


@pytest.mark.parametrize("test", [within_blocks, synchronised])
def test_tests_of_all_algorithms_go_on_until_they_are_clear(test):
    """At a level of its own p: one batch cannot tell; and far from it one is enough."""
    x = np.random.default_rng(3).normal(size=(12, 3, 8)) + np.array([0, 0.15, 0.3])[:, None]
    at = np.mean([test(x, np.random.default_rng(seed), exact_limit=1, alpha=0.0).p for seed in range(10)])
    found = test(x, np.random.default_rng(2), exact_limit=1, permutations=50_000, alpha=at)
    assert found.n_resamples == 50_000
    assert found.p_low is not None
    assert found.p_low <= at < found.p
    assert test(x, np.random.default_rng(2), exact_limit=1, alpha=at / 3).n_resamples == draws.BATCH


def test_pairs_by_rearrangement_are_drawn_anew_where_one_is_open():
    x = np.random.default_rng(5).normal(size=(22, 2, 1))
    every = [rearranged(x, np.random.default_rng(seed), permutations=draws.BATCH, correction="none").p[0] for seed in range(10)]
    found = rearranged(x, np.random.default_rng(1), alpha=float(np.mean(every)), correction="none")
    assert found.n_resamples == draws.COUNTED
    assert rearranged(x, np.random.default_rng(1), alpha=every[0] / 3, correction="none").n_resamples == draws.BATCH


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.05 / 36])
def test_fewer_draws_than_some_leave_everything_open(alpha):
    n = draws.fewest(alpha)
    assert draws.clear(0, n, alpha)[0]
    assert not draws.clear(0, n - 1, alpha)[0]
    draws.refuse_few(n, alpha)
    with pytest.raises(UserError, match=rf"found {n - 1}, which cannot decide anything at the level .*; expected {n} or more\."):
        draws.refuse_few(n - 1, alpha)
