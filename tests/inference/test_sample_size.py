"""Planned power: studies drawn from a known population say how often pairs are decided, and so does a plan from a large pilot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmill.inference import clusters
from benchmill.inference.sample_size import Scores, power, scores, sizes
from tests.inference.making import design

PAIRS = [(0, 1), (0, 2), (1, 2)]


def study(rng, n, runs, between, better=0.0):
    """Three algorithms on n clusters of one problem each; the first better by so much, differently on each problem."""
    level = between * rng.normal(size=(n, 3, 1)) - better * np.array([1, 0, 0])[:, None]
    keys = [{"suite": "s", "problem": f"f{i}"} for i in range(n)]
    return design(level + rng.normal(size=(n, 3, runs)), problems=keys)


def test_larger_studies_from_a_large_pilot_are_those_of_the_population():
    rng = np.random.default_rng(0)
    found = scores([study(rng, 800, 1, 1.0, 1.0)], PAIRS, rng)
    as_seen, cautious = power(found, 20, 1, rng, studies=200, permutations=99)
    decided = np.zeros(3)
    for _ in range(200):
        d = scores([study(rng, 20, 1, 1.0, 1.0)], PAIRS, rng).clusters
        gate = clusters.exchangeable(d, 3, rng, 99, 0.0)
        result = clusters.flips(d, rng, 0.0, 99, most_counted=0)
        decided += (gate.p <= 0.05) & (result.p_adjusted <= 0.05) & (result.effect > 0)
    # three standard errors of a difference of shares
    np.testing.assert_allclose(as_seen[:2], decided[:2] / 200, atol=3 * math.sqrt(2 * 0.25 / 200))
    # a large pilot knows the effect
    np.testing.assert_allclose(cautious[:2], as_seen[:2], atol=3 * math.sqrt(2 * 0.25 / 200))
    assert 0.1 < as_seen[0] < 0.9


def test_a_size_is_named_by_the_lower_end_of_the_effect():
    """Eight of twelve clusters won: a mean of 1/3, whose 50 % interval reaches 0.697 standard errors down."""
    won = np.array([1.0] * 8 + [-1.0] * 4)[:, None]
    found = Scores(won, np.array([0]), np.array([math.nan]), np.zeros(1), 2, 1)
    rng = np.random.default_rng(0)
    as_seen, cautious = power(found, 48, 1, rng, permutations=99, studies=150)
    error = math.sqrt((12 * (1 - 1 / 9) + 1 / 3) / 144)
    low = 1 / 3 - 0.6974 * error
    # the population that is drawn from: the scores moved towards 0
    new = [rng.choice(won[:, 0] - (1 / 3 - low), (48, 1)) for _ in range(150)]
    by_hand = [clusters.flips(d, rng, 0.0, 99, most_counted=0).p_adjusted[0] <= 0.05 for d in new]
    assert cautious[0] == pytest.approx(np.mean(by_hand), abs=0.15)
    assert cautious[0] < as_seen[0] - 0.2


@pytest.mark.parametrize(("between", "low", "high"), [(0.0, 0.85, 1.0), (4.0, 0.0, 0.2)])
def test_share_of_the_variance_that_comes_from_runs(between, low, high):
    rng = np.random.default_rng(1)
    share = scores([study(rng, 400, 5, between)], PAIRS, rng).from_runs
    assert (low <= share).all()
    assert (share <= high).all()


def test_more_runs_are_what_a_study_with_more_runs_has():
    rng = np.random.default_rng(2)
    few, many = (scores([study(rng, 1000, runs, 0.5, 0.5)], PAIRS, rng) for runs in (5, 10))
    shrunk = few.clusters.var(axis=0) * (1 - few.from_runs * (1 - 5 / 10))
    np.testing.assert_allclose(shrunk, many.clusters.var(axis=0), rtol=0.15)
    five, ten = (power(few, 12, runs, np.random.default_rng(3), studies=100, permutations=99)[0] for runs in (5, 10))
    assert ten[0] > five[0]


def test_clusters_that_all_agree_are_decided_as_soon_as_the_test_can():
    found = Scores(np.ones((5, 1)), np.array([0]), np.array([math.nan]), np.zeros(1), 2, 1)
    rng = np.random.default_rng(0)
    assert power(found, 6, 1, rng, studies=5)[0, 0] == 1
    assert power(found, 5, 1, rng, studies=5)[0, 0] == 0
    # nor do more runs take it away
    values = np.arange(8.0).reshape(2, 4).T[:, :, None] + np.array([0, 0.1])
    found = scores([design(values)], [(0, 1)], rng)
    assert power(found, 8, 4, rng, studies=5)[0, 0] == power(found, 8, 2, rng, studies=5)[0, 0] == 1


def test_both_fail_counts_cells_in_which_no_run_of_either_succeeds():
    values = np.full((4, 3, 2), math.inf)
    values[0] = 1
    values[1, 0] = [1, math.inf]
    found = scores([design(values)], PAIRS, np.random.default_rng(0))
    assert found.both_fail.tolist() == [2 / 4, 2 / 4, 3 / 4]
    assert found.n_runs == 2


def test_no_size_is_that_of_the_study():
    assert sizes(24, 1, False, 2.0) == [(30, 1), (36, 1), (48, 1)]
    assert sizes(24, 5, True, 1.5) == [(30, 5), (36, 5), (24, 10), (30, 10), (36, 10)]
    # of four clusters a quarter more is one
    assert sizes(4, 1, False, 1.5) == [(5, 1), (6, 1)]
