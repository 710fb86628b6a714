"""The rank-sum tests behind the stars of the table of expected running times."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from benchmill.core import schema
from benchmill.inference.rank_sum import rank_sum, rank_sums

INF = math.inf


def test_published_example():
    # Gibbons and Chakraborti style table: the most extreme order of 3 and 4 has 2 of 35 deals, two-sided
    p, ahead = rank_sum([[1, 2, 3]], [[4, 5, 6, 7]])
    assert p == pytest.approx([2 / 35])
    assert ahead == pytest.approx([3.5])


def test_three_against_three_can_never_be_significant():
    # the normal approximation says 0.0495
    p, _ = rank_sum([[1, 2, 3]], [[INF, INF, INF]])
    assert p == pytest.approx([0.1])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0, INF]), min_size=5, max_size=5))
def test_small_samples_are_counted_with_their_ties(values):
    x, y = values[:2], values[2:]
    p, ahead = rank_sum([x], [y])
    ranks = [sum(v < w for v in values) + (values.count(w) + 1) / 2 for w in values]
    sums = [sum(deal[:2]) for deal in permutations(ranks)]
    expected = sum(abs(s - 6) >= abs(sum(ranks[:2]) - 6) - 1e-9 for s in sums) / len(sums)
    assert p[0] == pytest.approx(expected)
    assert ahead[0] == pytest.approx(np.mean(ranks[2:]) - np.mean(ranks[:2]))


def test_larger_samples_are_those_of_scipy():
    rng = np.random.default_rng(4)
    x = rng.integers(0, 12, (20, 15)).astype(float)
    y = rng.integers(3, 15, (20, 11)).astype(float)
    x[::3, :4], y[::2, :6] = INF, INF
    p, _ = rank_sum(x, y)
    np.testing.assert_allclose(p, mannwhitneyu(x, y, axis=1, method="asymptotic").pvalue, rtol=1e-12)
    assert rank_sum(np.ones((1, 9)), np.ones((1, 9)))[0] == 1.0


def study(trials, ert):
    """`trials`: problem (`f1@5`: in 5-D) -> algorithm -> list of (cost, budget); `ert`: what the indicators say."""
    rows = [(p, a, c, b) for p, of in trials.items() for a, values in of.items() for c, b in values]
    costs = schema.table(
        "costs",
        {
            "suite": ["s"] * len(rows),
            "problem": [r[0].partition("@")[0] for r in rows],
            "dimension": np.array([r[0].partition("@")[2] or 2 for r in rows], np.int32),
            "instance": [str(i) for i in range(len(rows))],
            "algorithm": [r[1] for r in rows],
            "run": np.ones(len(rows), np.int32),
            "trial": np.arange(len(rows), dtype=np.int32),
            "measure": ["ert"] * len(rows),
            "target": np.full(len(rows), 1e-3),
            "cost": np.array([r[2] for r in rows], float),
            "budget": np.array([r[3] for r in rows], float),
            "success": np.isfinite([r[2] for r in rows]),
            "n": np.ones(len(rows), np.int32),
        },
    )
    said = [(p, a, v) for p, of in ert.items() for a, v in of.items()]
    needed = ("success_rate", "mean", "median", *(f"q{q:02d}" for q in (2, 5, 10, 25, 50, 75, 90, 95, 98)))
    counts = ("n_trials", "n_successes", "n_instances", "n_missing", "n_ill_finalised")
    indicators = schema.table(
        "indicators",
        {
            "measure": ["ert"] * len(said),
            "suite": ["s"] * len(said),
            "problem": [r[0].partition("@")[0] for r in said],
            "dimension": np.array([r[0].partition("@")[2] or 2 for r in said], np.int32),
            "target": np.full(len(said), 1e-3),
            "algorithm": [r[1] for r in said],
            "ert": np.array([r[2] for r in said], float),
            **{name: np.ones(len(said)) for name in needed},
            **{name: np.ones(len(said), np.int32) for name in counts},
        },
    )
    return rank_sums(costs, indicators, measure="ert").to_pylist()


def spent(*costs, budget=1000.0):
    return [(c, budget if c == INF else c) for c in costs]


def test_the_best_is_compared_with_every_other_one_and_p_is_corrected_for_all_of_a_table():
    fast, slow = spent(*range(1, 7)), spent(*range(11, 17))
    found = study(
        {p: {"a": fast, "b": slow, "c": spent(*range(1, 7))} for p in ("f1", "f2", "f10")},
        {p: {"a": 3.5, "b": 13.5, "c": 3.6} for p in ("f1", "f2", "f10")},
    )
    assert [(r["problem"], r["algorithm"], r["best"]) for r in found] == [
        (p, a, "a") for p in ("f1", "f2", "f10") for a in ("b", "c")
    ]
    assert [r["p"] for r in found] == pytest.approx([2 / 924, 1.0] * 3)
    assert [r["p_adjusted"] for r in found] == pytest.approx([6 / 924, 1.0] * 3)
    assert [r["significant"] for r in found] == [True, False] * 3
    assert {r["n_cells"] for r in found} == {3}
    # dimensions count as problems do
    of = {p: {"a": fast, "b": slow} for p in ("f1@2", "f1@5", "f2@2", "f2@5")}
    found = study(of, {p: {"a": 3.5, "b": 13.5} for p in of})
    assert [(r["dimension"], r["n_cells"]) for r in found] == [(2, 4), (5, 4), (2, 4), (5, 4)]
    assert [r["p_adjusted"] for r in found] == pytest.approx([8 / 924] * 4)


def test_trials_are_compared_up_to_the_smallest_budget_of_a_failure():
    # b gave up after 10 evaluations; at that budget a had nothing to show either
    found = study({"f1": {"a": spent(*range(20, 26)), "b": spent(*[INF] * 6, budget=10.0)}}, {"f1": {"a": 22.5, "b": INF}})
    assert [(r["p"], r["ahead"]) for r in found] == [(1.0, 0.0)]
    found = study({"f1": {"a": spent(*range(20, 26)), "b": spent(*[INF] * 6, budget=100.0)}}, {"f1": {"a": 22.5, "b": INF}})
    assert found[0]["p"] == pytest.approx(2 / 924)


def test_the_best_by_ert_need_not_be_ahead_by_ranks():
    # one late success spoils the mean of b
    found = study({"f1": {"a": spent(10, 11, 12, 13, 14, 15), "b": spent(1, 2, 3, 4, 5, 900)}}, {"f1": {"a": 12.5, "b": 152.5}})
    assert (found[0]["best"], found[0]["p"], found[0]["significant"]) == ("a", 1.0, False)
    assert found[0]["ahead"] < 0


def test_a_problem_that_none_solves_has_no_row():
    lost = spent(INF, INF)
    assert study({"f1": {"a": lost, "b": lost}}, {"f1": {"a": INF, "b": INF}}) == []
    assert study({"f1": {"a": lost}}, {}) == []


def test_pairs_side_by_side_are_those_alone():
    x, y = [[1.0, 2, 3], [9, 8, INF], [4, 4, 4]], [[4.0, 5, 2], [1, 2, 3], [4, 4, 4]]
    p, ahead = rank_sum(x, y)
    # mean ranks 5/2 and 9/2; 5 and 2; 7/2 of all
    assert ahead.tolist() == [pytest.approx(13.5 / 3 - 7.5 / 3), -3, 0]
    assert p.tolist() == [rank_sum(a, b)[0].item() for a, b in zip(x, y, strict=True)]
