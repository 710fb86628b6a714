"""The log-rank test: SciPy, all relabellings of a small case, and what the budget of a failed run changes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import CensoredData, logrank

from benchmill.inference.design import from_costs
from benchmill.inference.log_rank import outcomes, pairs, scores
from tests.inference.making import analyse

INF, NAN = math.inf, math.nan


def test_one_problem_and_two_algorithms_are_scipys():
    """With ties, and runs censored at different budgets; also at the time of a success."""
    rng = np.random.default_rng(2)
    time = rng.integers(1, 12, (40, 2, 9)).astype(float)
    failed = rng.random(time.shape) < 0.3
    score, variance = scores(np.where(failed, INF, time), np.where(failed, time, NAN))
    for block in range(len(time)):
        a, b = (CensoredData.right_censored(time[block, i], failed[block, i]) for i in range(2))
        found = score[block, 0] / math.sqrt(variance[block, 0])
        # SciPy's is of the second sample
        assert found == pytest.approx(-logrank(a, b).statistic) or found == pytest.approx(logrank(a, b).statistic)
        assert math.erfc(abs(found) / math.sqrt(2)) == pytest.approx(logrank(a, b).pvalue)
    np.testing.assert_allclose(score.sum(axis=1), 0, atol=1e-12)


def test_by_hand():
    # at 1: 1 - 2/4; at 2: a run of b, -1/3; at 4: 1 - 1/1; the run of b that stops at 3 is no success
    score, variance = scores([[[1, 4], [2, INF]]], [[[NAN, NAN], [NAN, 3]]])
    assert score[0].tolist() == pytest.approx([1 / 2 - 1 / 3, 1 / 3 - 1 / 2])
    assert variance[0, 0] == pytest.approx(1 / 4 + 2 / 9)


def test_a_budget_is_what_a_failure_tells():
    """A run that failed after one evaluation says less than one that failed after a thousand."""
    values = [[[5, 6, 7], [INF, INF, INF]]]
    early, _ = scores(values, [[[NAN] * 3, [1] * 3]])
    late, _ = scores(values, [[[NAN] * 3, [1000] * 3]])
    assert early[0, 0] == 0 < late[0, 0]
    np.testing.assert_allclose(late, scores(values)[0])


def test_nothing_succeeds():
    values, of = np.full((6, 3, 2), INF), np.arange(6)
    assert outcomes(values, of, np.random.default_rng(0))[0].p is None
    found = pairs(values, of, np.random.default_rng(0))
    assert np.isnan(found.difference).all()
    assert found.p.tolist() == [1, 1, 1]


def test_pairs_are_all_flips_of_clusters():
    rng = np.random.default_rng(8)
    values = rng.exponential([1.0, 1.5, 3.0], (12, 4, 3)).transpose(0, 2, 1)
    budgets = np.where(values > 2, 2.0, NAN)
    values, of = np.where(values > 2, INF, values), np.repeat(np.arange(6), 2)
    found = pairs(values, of, rng)
    for pair, both in enumerate(((0, 1), (0, 2), (1, 2))):
        score, variance = scores(values[:, both], budgets[:, both])
        d = score[:, 0].reshape(6, 2).sum(axis=1)
        every = [abs(np.dot(signs, d)) for signs in itertools.product((1, -1), repeat=6)]
        known = pairs(values, of, rng, budgets=budgets)
        assert known.p[pair] == np.mean([value >= abs(d.sum()) - 1e-9 for value in every])
        assert known.difference[pair] == pytest.approx(-d.sum() / variance[:, 0].sum())
    # the first is fastest: negative
    assert found.difference[1] < 0


def test_labels_are_permuted_as_counted_one_by_one():
    rng = np.random.default_rng(5)
    values = rng.exponential(1, (4, 3, 2))
    (found,) = outcomes(values, np.arange(4), rng)
    score = scores(values)[0]
    every = [
        (np.sum([row[list(order)] for row, order in zip(score, orders, strict=True)], axis=0) ** 2).sum()
        for orders in itertools.product(itertools.permutations(range(3)), repeat=4)
    ]
    assert found.p == pytest.approx(np.mean(np.array(every) >= (score.sum(axis=0) ** 2).sum() - 1e-9))


def test_a_study_gives_the_budgets_of_failed_runs(costs_of_runs):
    """a2 fails twice as early as a1; a penalty for failures changes nothing."""
    plain, penalised = (from_costs(costs_of_runs, measure="m", failure=failure)[0] for failure in (None, 10))
    np.testing.assert_array_equal(plain.budgets, penalised.budgets)
    assert np.isnan(plain.budgets).tolist() == np.isfinite(plain.values).tolist()
    found = [
        analyse([one], measure="m", methods=["log_rank"], comparisons=["log_rank_pairs"])["comparisons"].to_pylist()[0]
        for one in (plain, penalised)
    ]
    assert found[0]["p"] == found[1]["p"]
    assert found[0]["difference"] == found[1]["difference"]


@pytest.fixture
def costs_of_runs():
    from benchmill.core import schema

    rows = [
        {
            "trial": number,
            "suite": "s",
            "instance": None,
            "algorithm": name,
            "problem": f"f{p}",
            "dimension": 2,
            "run": run,
            "measure": "m",
            "target": 0.1,
            "cost": (p + run + 1.0) * (1 + (name == "a2")) if (p + run) % 3 else INF,
            "budget": 40.0 * (1 + (name == "a1")),
            "n": 1,
            "success": bool((p + run) % 3),
        }
        for number, (name, p, run) in enumerate(itertools.product(("a1", "a2"), range(6), range(4)))
    ]
    return schema.of_rows("costs", rows)


@pytest.mark.parametrize("budget", [0.5, 2.0])
def test_different_budgets_alone_are_no_difference(budget):
    """The same algorithm twice, once stopped early: called different in at most 5 % and 2.6 standard errors of 300 studies."""
    rng, false = np.random.default_rng(3), 0
    limits = np.array([budget, 3.0])[:, None]
    for _ in range(300):
        time = rng.exponential(1.0, (12, 2, 4))
        failed = time > limits
        values, budgets = np.where(failed, INF, time), np.where(failed, limits, NAN)
        false += pairs(values, np.arange(12), rng, permutations=99, budgets=budgets).p[0] <= 0.05
    assert false <= 0.083 * 300
