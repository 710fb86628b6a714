from itertools import product

import numpy as np
import pytest

from benchmill.core import replicates
from benchmill.indicators.bootstrap import intervals, resample_counts, row_quantile
from tests.costs.making import INF

NAN = float("nan")


def enumerated(costs, budgets, level):
    """The ends from all n^n resamples, each as likely as the others."""
    draws = np.array(list(product(range(len(costs)), repeat=len(costs))))
    t, b = np.asarray(costs, float)[draws], np.asarray(budgets, float)[draws]
    offsets = np.arange(draws.shape[0] + 1) * len(costs)
    of_ert = replicates.ert(t.ravel(), b.ravel(), offsets)
    of_sp = replicates.success_performance(t.ravel(), offsets)
    shares = [(1 - level) / 2, (1 + level) / 2]
    return [np.sort(v)[np.round(np.array(shares) * (v.size - 1)).astype(int)] for v in (of_ert, of_sp)]


@pytest.mark.parametrize(
    ("costs", "budgets", "level"),
    [
        ([10, 20, 40], [50, 50, 50], 0.8),
        ([10, INF, 40, 80], [50, 30, 50, 90], 0.9),
        ([10, INF, INF, 40], [50, 30, 70, 50], 0.95),
    ],
)
def test_ends_are_those_of_all_resamples(costs, budgets, level):
    """The values are few and apart, so with many resamples both ends meet the quantiles of the exact distribution."""
    ert, sp = intervals(costs, budgets, [0, len(costs)], seed=3, level=level, resamples=40_000)
    expected_ert, expected_sp = enumerated(costs, budgets, level)
    assert ert[:, 0] == pytest.approx(expected_ert)
    assert sp[:, 0] == pytest.approx(expected_sp)


def test_what_cannot_be_said():
    costs = [5, INF, INF, 7, INF, 3, 4]
    budgets = [5, 10, 10, 7, NAN, 3, 4]
    ert, sp = intervals(costs, budgets, [0, 1, 3, 5, 7, 7], seed=1, resamples=200)
    assert np.isnan(ert[:, [0, 1, 2, 4]]).all()  # one trial; no success; an unknown budget; no trial
    assert np.isnan(sp[:, [0, 1, 4]]).all()
    assert sp[0, 2] == 7
    assert sp[1, 2] == INF
    assert ert[:, 3].tolist() == sp[:, 3].tolist() == [3, 4]


def test_an_interval_does_not_depend_on_the_cells_beside_it():
    rng = np.random.default_rng(5)
    costs, budgets = rng.integers(1, 99, 60).astype(float), np.full(60, 100.0)
    costs[rng.random(60) < 0.3] = INF
    whole = intervals(costs, budgets, [0, 15, 30, 40, 60], seed=1)
    alone = intervals(costs[15:30], budgets[15:30], [0, 15], seed=1)
    for one, other in zip(whole, alone, strict=True):
        assert one[:, 1].tolist() == other[:, 0].tolist()


def test_draws():
    counts = resample_counts(1, 7, 100)
    assert (counts.sum(axis=0) == 7).all()
    assert (counts != resample_counts(2, 7, 100)).any()


def test_row_quantile_is_type_7():
    values = np.random.default_rng(0).normal(size=(5, 12))
    for p in (0.0, 0.025, 0.5, 0.9, 1.0):
        assert row_quantile(values, p) == pytest.approx(np.quantile(values, p, axis=1))
    assert row_quantile(np.array([[1, INF, INF]]), 0.25).tolist() == [INF]
