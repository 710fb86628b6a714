import numpy as np
import pytest
from scipy import stats

from benchmill.core import step_functions
from benchmill.core.intervals import wilson
from benchmill.indicators.ecdf import Options, band, ecdf
from tests.costs.making import INF, cost_rows


def test_the_band_of_a_single_problem_and_target_is_wilsons():
    jumps = np.array([2.0, 5.0, 5.0, INF, 9.0])
    low, high = band(jumps, np.ones(5), np.arange(5), np.zeros(5, int), 0.9)
    share = np.array([0.2, 0.6, 0.8])
    expected = wilson(share, share * (1 - share) / 4, 5, 4, 0.9)
    assert low == pytest.approx(expected[0])
    assert high == pytest.approx(expected[1])


def test_variances_are_those_of_the_trials_of_each_problem():
    """Two problems with 3 and 4 trials at two targets each, against the sums as they are defined."""
    rng = np.random.default_rng(3)
    sizes = [3, 4]
    problem = np.repeat([0, 1], [2 * n for n in sizes])
    trial = np.repeat(np.arange(7), 2)
    jumps = rng.integers(1, 9, 14).astype(float)
    jumps[[1, 9]] = INF
    weights = 1.0 / np.repeat([6, 8], [6, 8])  # a problem weighs the same whatever its trials
    x, y = step_functions.ecdf(jumps, weights)
    low, high = band(jumps, weights, trial, problem, 0.95)
    w = weights / weights.sum()
    for at, fraction, below, above in zip(x, y, low, high, strict=True):
        reached = np.bincount(trial, w * (jumps <= at))
        variance = sum(np.var(reached[part], ddof=1) * n for part, n in ((slice(0, 3), 3), (slice(3, 7), 4)))
        expected = wilson([fraction], [variance], 1 / (3 * (0.5 / 3) ** 2 + 4 * (0.5 / 4) ** 2), 5, 0.95)
        assert (below, above) == pytest.approx((expected[0][0], expected[1][0]))


def test_problems_with_one_trial_say_nothing_of_the_variance():
    low, high = band([1.0, 2.0], np.ones(2), np.arange(2), np.arange(2), 0.95)
    assert np.isnan(low).all()
    assert np.isnan(high).all()


@pytest.mark.parametrize(("n", "p"), [(15, 0.05), (15, 0.5), (5, 0.2), (10, 0.97)])
def test_bands_cover_where_trials_agree_too(n, p):
    """One problem, one target that is reached with probability p: the exact probability that Wilson's interval covers.

    Percentile bootstraps of 15 trials cover 0.05 in 54 % of samples: where no trial succeeds they have no width.
    """
    k = np.arange(1, n + 1)  # without a success there is no curve
    covers = []
    for successes in k:
        low, high = band(np.where(np.arange(n) < successes, 1.0, INF), np.ones(n), np.arange(n), np.zeros(n, int), 0.95)
        covers.append(low[0] <= p <= high[0])
    probability = stats.binom.pmf(k, n, p)
    assert probability[covers].sum() / probability.sum() >= 0.93


def rows(algorithms, n_trials=6):
    rng = np.random.default_rng(6)
    times = rng.integers(1, 50, (2, 2, n_trials))
    return cost_rows(
        [
            {"algorithm": a, "problem": f"f{p}", "target": 10.0**-t, "cost": times[p, t, i], "trial": i, "instance": str(i)}
            for a in algorithms
            for p in range(2)
            for t in range(2)
            for i in range(n_trials)
        ]
    )


def test_bands_of_curves():
    options = Options(bands=True)
    both = ecdf(rows("AB"), "problem", options).to_pylist()
    alone = ecdf(rows("B"), "problem", options).to_pylist()
    assert [row for row in both if row["algorithm"] == "B"] == alone
    assert all(row["fraction_low"] - 1e-12 <= row["fraction"] <= row["fraction_high"] + 1e-12 for row in alone)
    assert any(row["fraction_low"] < row["fraction_high"] for row in alone)


def test_no_band_around_single_trials():
    table = ecdf(rows("A", 1), aggregation="problem", options=Options(bands=True))
    assert table.column("fraction_low").null_count == table.num_rows


def test_a_curve_of_failures_has_no_band_and_leaves_those_of_the_others_in_place():
    options = Options(bands=True)
    failures = cost_rows([{"algorithm": "A", "problem": "f1", "target": 1.0, "cost": INF, "trial": i} for i in range(3)])
    both = ecdf([failures, rows("B")], "problem", options).to_pylist()
    (of_failures,) = [row for row in both if row["algorithm"] == "A"]
    assert (of_failures["fraction"], of_failures["fraction_low"], of_failures["fraction_high"]) == (0, None, None)
    banded = [row for row in both if row["algorithm"] == "B"]
    assert all(row["fraction_low"] - 1e-12 <= row["fraction"] <= row["fraction_high"] + 1e-12 for row in banded)
