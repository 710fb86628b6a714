"""Bradley and Terry's model: a published table, its equations, equal and separated algorithms, and how often it is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit

from benchmill.core.errors import UserError
from benchmill.inference.analysis import analyse
from benchmill.inference.bradley_terry import pairs, strengths
from benchmill.inference.rank_sets import of_pairs
from tests.inference.making import design

#: Agresti, Categorical Data Analysis, second edition, Table 10.10: wins of the row over the column, American League 1987.
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
)


def test_strengths_are_those_of_agrestis_baseball_teams():
    """Table 10.11, column 3, Baltimore being 0; every two teams meet 13 times."""
    found = strengths(BASEBALL.sum(axis=1), 13)
    assert np.round(found - found[-1], 2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]
    # many at once, each with its own number of meetings
    assert strengths(np.stack([BASEBALL.sum(axis=1), 2 * BASEBALL.sum(axis=1)]), [13, 26]) == pytest.approx(np.stack([found] * 2))


def test_strengths_are_most_likely():
    rng = np.random.default_rng(1)
    wins = rng.uniform(0.05, 0.95, (5, 5))
    wins = np.triu(wins, 1) + np.tril(1 - wins.T, -1)

    def loss(theta):
        return -(wins * np.log(expit(theta[:, None] - theta[None, :]))).sum() + theta.sum() ** 2

    expected = optimize.minimize(loss, np.zeros(5), tol=1e-12).x
    assert strengths(wins.sum(axis=1), 1) == pytest.approx(expected, abs=1e-5)


def test_one_that_always_wins_is_finite_and_clusters_that_agree_are_no_certainty():
    values = np.tile(np.arange(3.0), (12, 1))
    found = pairs(values, np.arange(12), np.random.default_rng(1), permutations=999)
    assert (found.difference < 0).all()
    assert np.isfinite(found.difference).all()
    assert (found.p_adjusted == 0.001).all()
    # one pair: the log odds of 12 wins of 12 and half a win of each at the level cluster
    alone = pairs(values[:, :2], np.arange(12), np.random.default_rng(1), permutations=99)
    assert alone.difference == pytest.approx([-np.log(12.5 / 0.5)])
    few = pairs(values[:4], np.arange(4), np.random.default_rng(1), permutations=99)
    assert (few.p_adjusted == 1 / 8).all()


def test_ties_and_circles_are_level():
    for values in (np.ones((9, 3)), np.array([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]] * 3)):
        found = pairs(values, np.arange(9), np.random.default_rng(1), permutations=99)
        assert found.difference == pytest.approx(0, abs=1e-9)
        assert (found.p_adjusted == 1).all()


def test_clusters_count_once():
    """Each problem four times in its cluster is the same as once."""
    values = np.random.default_rng(3).normal(size=(15, 4)) + np.array([0, 0.5, 1, 1.5])
    once = pairs(values, np.arange(15), np.random.default_rng(1), permutations=199)
    four = pairs(np.repeat(values, 4, axis=0), np.repeat(np.arange(15), 4), np.random.default_rng(1), permutations=199)
    assert four.difference == pytest.approx(once.difference)
    assert four.p_adjusted == pytest.approx(once.p_adjusted)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (4, 1)])
def test_what_is_too_little_has_no_numbers(shape):
    found = pairs(np.ones(shape), np.arange(shape[0]), np.random.default_rng(1), permutations=9)
    assert np.isnan(found.p_adjusted).all()
    assert not found.significant(0.05).any()


def test_a_study_can_ask_for_it():
    values = np.random.default_rng(3).normal(size=(20, 3)) + np.array([0, 0, 3])
    found = analyse([design(values)], measure="m", comparisons=["bradley_terry"], methods=[])["comparisons"].to_pylist()
    assert [(row["method"], row["correction"], row["significant"]) for row in found] == [
        ("bradley_terry", "max_t", decided) for decided in (False, True, True)
    ]
    with pytest.raises(UserError):
        analyse([design(values)], measure="m", comparisons=["bradley_terri"], methods=[])


@pytest.mark.parametrize("groups", [10, 24])
def test_sets_of_ranks_hold_together(groups):
    """Six algorithms, the first two and the next two equal: level 5 %, 200 studies, two standard errors above."""
    rng, shift, wrong = np.random.default_rng(groups), np.array([0, 0, 0.7, 0.7, 1.4, 2.1]), 0
    low, high = np.array([1, 1, 3, 3, 5, 6]), np.array([2, 2, 4, 4, 5, 6])
    for _ in range(200):
        x = np.repeat(rng.normal(size=(groups, 6)), 2, axis=0) + rng.normal(size=(2 * groups, 6)) + shift
        found = pairs(x, np.repeat(np.arange(groups), 2), rng, permutations=199)
        first, last = of_pairs(-found.difference, found.significant(0.05), 6)
        equal = np.isclose(shift[found.a], shift[found.b])
        wrong += bool((first > low).any() or (last < high).any() or (found.significant(0.05) & equal).any())
    assert wrong <= (0.05 + 0.031) * 200
