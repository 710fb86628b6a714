"""Permutation tests against plain enumeration, other implementations, and what Chiarandini et al. 2005 define."""

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill.inference.design import Outcome
from benchmill.inference.permutation import (
    pairs,
    synchronised,
    within_blocks,
)
from benchmill.registry.inference import TESTS
from benchmill.reproduction.chiarandini2005 import (
    published_msd,
    synchronised_equal,
    synchronised_pairs,
)

small = st.integers(0, 4).map(float)


def rng(seed=0):
    return np.random.default_rng(seed)


def share(found, observed):
    return float(np.mean([s >= observed - 1e-9 for s in found]))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.lists(small, min_size=3, max_size=3), min_size=1, max_size=3))
def test_within_blocks_equals_the_enumeration_of_all_orders(costs):
    x = np.array(costs)
    every = [
        (np.sum(blocks, axis=0) ** 2).sum() for blocks in product(*(list(map(np.array, permutations(row))) for row in costs))
    ]
    found = within_blocks(x, rng())
    assert found.p == pytest.approx(share(every, (x.sum(axis=0) ** 2).sum()))
    assert found.n_resamples == 6 ** (len(costs) - 1)


def test_within_blocks_equals_scipy_by_chance():
    x = np.random.default_rng(3).normal(size=(8, 4)) + np.array([0, 0.2, 0.5, 1.0])

    def statistic(*columns, axis):
        return sum(column.sum(axis=axis) ** 2 for column in columns)

    other = scipy.stats.permutation_test(
        tuple(x.T), statistic, permutation_type="samples", vectorized=True, n_resamples=19999, alternative="greater", rng=rng(1)
    )
    mine = within_blocks(x, rng(2), permutations=19999, exact_limit=1)
    assert mine.n_resamples <= 19999
    assert mine.p == pytest.approx(other.pvalue, abs=5 * math.sqrt(2 * other.pvalue / 19999))


@pytest.mark.parametrize(("blocks", "resamples"), [(500, 2000), (40, 99)])
def test_shuffles_shared_between_resamples_give_the_same_distribution(blocks, resamples):
    """The pool of shuffled blocks against the normal limit of the statistic: chi-square with k - 1 degrees of freedom."""
    x = np.random.default_rng(5).normal(size=(blocks, 6))
    scale = (x.var(axis=1, ddof=1)).sum()
    centred = x - x.mean(axis=1, keepdims=True)
    observed = (centred.sum(axis=0) ** 2).sum() / scale
    expected = scipy.stats.chi2.sf(observed, 5)
    found = np.mean([within_blocks(x, rng(i), permutations=resamples).p for i in range(5)])
    assert found == pytest.approx(expected, abs=0.05)


def test_smallest_p_is_reached_and_not_undercut():
    x = np.tile(np.arange(3.0), (4, 1))
    assert within_blocks(x, rng()).p == within_blocks(x, rng()).p_min == 1 / 216
    clear = np.arange(6.0).reshape(1, 2, 3)
    assert synchronised(clear, rng()).p == synchronised(clear, rng()).p_min == pytest.approx(2 / 20)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.lists(st.lists(small, min_size=2, max_size=2), min_size=3, max_size=3), min_size=1, max_size=2))
def test_synchronised_equals_the_enumeration_of_all_permutations(costs):
    x = np.array(costs)
    b, k, r = x.shape
    flat = x.reshape(b, k * r)
    every = [(flat[:, list(order)].reshape(b, k, r).sum(axis=(0, 2)) ** 2).sum() for order in permutations(range(k * r))]
    found = synchronised(x, rng())
    assert found.n_resamples == 90
    assert found.p == pytest.approx(share(every, (x.sum(axis=(0, 2)) ** 2).sum()))


def test_synchronised_of_two_is_the_two_sample_permutation_test_of_the_sums():
    x = np.random.default_rng(1).normal(size=(3, 2, 5))
    z = x.sum(axis=0)
    other = scipy.stats.permutation_test(
        tuple(z), lambda a, b, axis: a.mean(axis) - b.mean(axis), vectorized=True, n_resamples=np.inf
    )
    assert synchronised(x, rng()).p == pytest.approx(other.pvalue)
    assert synchronised_pairs(x, rng()).p == pytest.approx(other.pvalue)
    assert pairs(x, rng(), alpha_cw=0.1).p[0] == pytest.approx(other.pvalue)


def test_random_resamples_come_near_the_enumeration():
    x = np.random.default_rng(4).normal(size=(4, 3, 3)) + np.array([0, 0.4, 0.8])[:, None]
    exact = synchronised(x, rng())
    drawn = synchronised(x, rng(), permutations=20000, exact_limit=1)
    assert drawn.p == pytest.approx(exact.p, abs=0.012)
    exact = synchronised_pairs(x, rng())
    drawn = synchronised_pairs(x, rng(), permutations=20000, exact_limit=1)
    assert drawn.p == pytest.approx(exact.p, abs=0.012)


def algorithm_1(x):
    """The published test, loop by loop."""
    b, k, r = x.shape
    every = []
    for chosen in combinations(range(2 * r), r):
        rest = [t for t in range(2 * r) if t not in chosen]
        total = 0.0
        for i, j in combinations(range(k), 2):
            of_block = []
            for h in range(b):
                both = np.concatenate([x[h, i], x[h, j]])
                of_block.append(both[list(chosen)].sum() - both[rest].sum())
            total += sum(of_block) ** 2
        every.append(total)
    return share(every, every[0])


def test_published_test_equals_its_loops():
    x = np.random.default_rng(7).integers(0, 9, (3, 4, 3)).astype(float)
    assert synchronised_pairs(x, rng()).p == pytest.approx(algorithm_1(x))


def test_pure_interaction_is_no_main_effect():
    """Two blocks in which two algorithms swap places: no main effect at all."""
    noise = np.array([-1.5, -0.5, 0.5, 1.5]) * 1e-3
    x = np.array([[[0.0], [10.0]], [[10.0], [0.0]]]) + noise
    assert synchronised_pairs(x, rng()).p == 1
    assert synchronised(x, rng()).p == 1


def test_smallest_p_of_the_published_test():
    for r, least in ((2, 0.333), (3, 0.1), (4, 0.0286), (5, 0.0079)):
        x = np.arange(2.0 * r).reshape(1, 2, r)
        assert synchronised_pairs(x, rng()).p_min == pytest.approx(least, abs=5e-4)
        assert synchronised_pairs(x, rng()).p == pytest.approx(least, abs=5e-4)


def aligned_p(x, i, j, msd):
    """#{S* <= S0} / B with the values aligned and shifted, as Algorithm 2 counts it, split by split."""
    r = x.shape[2]
    first = x[:, i] - x[:, i].mean(axis=1, keepdims=True) - msd
    second = x[:, j] - x[:, j].mean(axis=1, keepdims=True)
    both = np.concatenate([first, second], axis=1).sum(axis=0)
    total = both.sum()
    s0 = 2 * both[:r].sum() - total
    stars = [2 * both[list(c)].sum() - total for c in combinations(range(2 * r), r)]
    return float(np.mean([s <= s0 + 1e-9 for s in stars]))


def test_msd_is_where_the_aligned_test_changes_its_mind():
    x = np.random.default_rng(2).gamma(1.0, size=(3, 3, 4))
    alpha = 0.2
    found = pairs(x, rng(), alpha_cw=alpha)
    for n, (i, j) in enumerate(combinations(range(3), 2)):
        both = [(i, j), (j, i)]
        assert all(aligned_p(x, a, b, found.msd[n] * (1 + 1e-6) + 1e-9) <= alpha / 2 for a, b in both)
        assert any(aligned_p(x, a, b, found.msd[n] * (1 - 1e-6)) > alpha / 2 for a, b in both)


def test_two_algorithms_with_four_runs_can_differ_significantly():
    """Two of 70 splits reach as far as these samples, p = 0.0286: at 5 % a difference that is large enough is significant."""
    x = np.array([[[1.0, 2, 3, 4], [11, 12, 13, 14]]])
    found = pairs(x, rng(), alpha_cw=0.05)
    assert found.p[0] == pytest.approx(2 / 70)
    assert np.isfinite(found.msd[0])
    assert abs(found.difference[0]) > found.msd[0]


def test_msd_of_sign_flips_by_enumeration():
    x = np.random.default_rng(6).gamma(1.0, size=(7, 2))
    d = (x[:, 0] - x[:, 1]) - (x[:, 0] - x[:, 1]).mean()
    means = sorted((np.mean(d[list(f)]) for size in range(1, 8) for f in combinations(range(7), size)), reverse=True)
    rank = math.floor(0.05 * 128) + 1  # the empty set is the first
    expected = max(means[rank - 2], -means[-(rank - 1)])
    found = pairs(x, rng(), alpha_cw=0.1)
    assert found.msd[0] == pytest.approx(expected)
    assert found.p_min == 2.0**-6
    assert found.p[0] == pytest.approx(
        np.mean(
            [
                abs((s * (x[:, 0] - x[:, 1])).sum()) >= abs((x[:, 0] - x[:, 1]).sum()) - 1e-9
                for s in map(np.array, product([1, -1], repeat=7))
            ]
        )
    )


def test_a_level_out_of_reach_has_an_infinite_msd():
    x = np.random.default_rng(1).normal(size=(5, 9, 2))
    assert np.isinf(pairs(x, rng(), alpha_cw=0.05 / 36).msd).all()
    assert pairs(x, rng(), alpha_cw=0.05 / 36).p_min == pytest.approx(1 / 3)


def test_published_loop_reports_that_it_would_not_end():
    x = np.random.default_rng(3).normal(size=(4, 5, 4))
    none, _, smallest = published_msd(x, rng(), alpha_cw=0.1, epsilon=0.01)
    assert np.isnan(none)
    msd, p, _ = published_msd(x, rng(), alpha_cw=0.1, epsilon=smallest * 1.01)
    assert (np.abs(p - 0.05) < smallest).all()
    for n, (i, j) in enumerate(combinations(range(5), 2)):
        assert p[n] == pytest.approx(aligned_p(x, i, j, msd - 1e-9))


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 5), st.integers(1, 3), st.integers(1, 4), st.integers(0, 100))
def test_order_and_scale_do_not_matter(k, r, b, seed):
    x = np.random.default_rng(seed).normal(size=(b, k, r))
    order = np.random.default_rng(seed).permutation(k)
    for test in (synchronised, within_blocks):
        if test is within_blocks and math.factorial(k) ** (b - 1) > 1000:
            continue
        if test is synchronised and k * r > 8:
            continue
        one, two = test(x, rng()), test(3 * x[:, order] + 7, rng())
        assert one.p == pytest.approx(two.p)


def test_nothing_to_rearrange():
    for x in (np.empty((0, 3, 2)), np.ones((3, 1, 2))):
        assert synchronised(x, rng()).p == 1
        assert synchronised_pairs(x, rng()).p == 1
        assert within_blocks(x, rng()).p == 1
    # the arrangement as it is, and no other
    for shape in ((0, 2, 3), (4, 2, 0)):
        assert synchronised_equal(np.empty(shape), rng()) == Outcome("synchronised_equal", 0.0, 1.0, None, 1.0, 1.0, 1)
        assert synchronised_pairs(np.empty(shape), rng()) == Outcome("synchronised_pairs", 0.0, 1.0, None, 1.0, 1.0, 1)
        found = pairs(np.empty(shape), rng(), alpha_cw=0.1)
        assert (found.p_min, found.n_resamples, found.exact) == (1, 1, True)
        assert np.isnan(found.p).all()
    assert within_blocks(np.full((4, 3), 0.1), rng()).p == 1
    assert synchronised(np.full((4, 3, 2), 0.1), rng()).p == 1
    with pytest.raises(ValueError, match="finite"):
        synchronised(np.full((2, 2, 2), np.inf), rng())


def test_runs_are_shuffled_within_their_cells():
    """The statistic of all cells stays, and p is that of one order of the runs or another, by the seed alone."""
    x = rng(3).normal(size=(2, 2, 4)) + np.array([0.0, 0.6])[:, None]
    found = [TESTS["synchronised"].call(x, rng=rng(seed), permutations=999)[0] for seed in (1, 1, 2, 3, 4)]
    assert {round(one.statistic, 9) for one in found} == {round(synchronised(x, rng()).statistic, 9)}
    assert found[0].p == found[1].p
    assert len({one.p for one in found}) > 1


@pytest.mark.parametrize("shape", [(2, 2, 2), (1, 2, 3), (3, 2, 2), (1, 3, 2), (2, 3, 1)])
def test_equal_numbers_exchanged_by_plain_enumeration(shape):
    """All ways to exchange the same number of runs of every pair in every block, each counted once."""
    x = rng(3).integers(0, 6, shape).astype(float)
    b, k, r = shape
    pairs_of = list(combinations(range(k), 2))
    every = []
    for nu in range(r + 1):
        subsets = list(combinations(range(r), nu))
        for chosen in product(product(product(subsets, subsets), repeat=b), repeat=len(pairs_of)):
            squares = 0.0
            for (i, j), of_pair in zip(pairs_of, chosen, strict=True):
                total = 0.0
                for block, (out, into) in zip(x, of_pair, strict=True):
                    first = [v for t, v in enumerate(block[i]) if t not in out] + [block[j][t] for t in into]
                    second = [v for t, v in enumerate(block[j]) if t not in into] + [block[i][t] for t in out]
                    total += sum(first) - sum(second)
                squares += total**2
            every.append(math.sqrt(squares))
    found = synchronised_equal(x, rng())
    assert found.n_resamples == len(every) == sum(math.comb(r, nu) ** (2 * b * len(pairs_of)) for nu in range(r + 1))
    as_is = math.sqrt(sum((x[:, i].sum() - x[:, j].sum()) ** 2 for i, j in pairs_of))
    assert found.statistic == pytest.approx(as_is)
    assert found.p == pytest.approx(share(every, as_is))
    assert found.p_min == 2 / len(every)
    drawn = synchronised_equal(x, rng(1), permutations=40_000, exact_limit=1)
    assert drawn.n_resamples <= 40_000
    assert drawn.p == pytest.approx(found.p, abs=0.015)


def test_a_study_of_more_than_two_algorithms_can_ask_for_the_rule_of_few_runs():
    """Its smallest p is far below the 2 / C(2 r, r) of one common split; of too many algorithms there is none."""
    x = rng(5).normal(size=(4, 3, 3)) + np.array([0, 0, 9.0])[:, None]
    (found,) = TESTS["synchronised_equal"].call(x, rng=rng(), permutations=999)
    assert found.p == found.p_min == 1 / 1000 < synchronised_pairs(x, rng()).p_min == 0.1
    (none,) = TESTS["synchronised_equal"].call(rng(5).normal(size=(2, 11, 2)), rng=rng(), permutations=99)
    assert none.p is None


def test_random_orders_within_blocks_come_near_the_enumeration():
    """Two treatments, so that all orders can be counted."""
    x = np.random.default_rng(11).normal(size=(12, 2)) + np.array([0, -0.1])
    exact = within_blocks(x, rng())
    assert exact.n_resamples == 2**11
    assert 0.05 < exact.p < 0.5
    drawn = [within_blocks(x, rng(i), permutations=9999, exact_limit=1) for i in range(3)]
    assert {found.n_resamples for found in drawn} == {9999}
    assert np.mean([found.p for found in drawn]) == pytest.approx(exact.p, abs=0.015)


def test_random_signs_of_pairs_come_near_the_enumeration():
    x = np.random.default_rng(9).normal(size=(10, 3, 1)) + np.array([0, 0.3, 0.6])[:, None]
    exact, drawn = (pairs(x, rng(), alpha_cw=0.05, permutations=20000, exact_limit=limit) for limit in (2000, 1))
    assert (exact.n_resamples, drawn.n_resamples) == (1024, 20000)
    assert drawn.p == pytest.approx(exact.p, abs=0.012)
    assert drawn.msd == pytest.approx(exact.msd, rel=0.1)
    assert drawn.p_min == exact.p_min == 2 / 1024


def test_msd_takes_whole_numbers_of_all_rearrangements():
    """20 splits of two times three runs: up to 1/10 of them are one in each tail, also at 4/21, where 21 would give two."""
    x = np.random.default_rng(10).normal(size=(2, 3, 3))
    assert pairs(x, rng(), alpha_cw=4 / 21).msd.tolist() == pairs(x, rng(), alpha_cw=0.1).msd.tolist()
    assert (pairs(x, rng(), alpha_cw=0.2).msd < pairs(x, rng(), alpha_cw=0.1).msd).all()


def test_random_rearrangements_count_the_observed_one():
    """None of 999 comes near, so p is 1 of 1000, and could not be smaller."""
    x = np.tile(np.arange(3.0), (20, 1))
    found = within_blocks(x, rng(), permutations=999)
    assert (found.p, found.p_min, found.n_resamples) == (1 / 1000, 1 / 1000, 999)
    runs = np.random.default_rng(1).normal(size=(2, 2, 8)) + np.array([0.0, 50.0])[:, None]
    found = pairs(runs, rng(), alpha_cw=0.05, permutations=999, exact_limit=1)
    assert (found.p.tolist(), found.p_min, found.n_resamples) == ([1 / 1000], 1 / 1000, 999)
    found = synchronised(runs, rng(), permutations=999, exact_limit=1)
    assert (found.p, found.p_min) == (1 / 1000, 1 / 1000)
