import itertools

import numpy as np
import pytest
from scipy import stats

from benchmill.indicators.intervals import ratio_of_means, ratios_of_means, running_times, shifted_means
from tests.costs.making import INF

NAN = float("nan")


def sides(x: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """How far the interval of a mean reaches, of each column: Student's, longer on the side of the longer tail."""
    n = len(x)
    t, g = stats.t.ppf((1 + level) / 2, n - 1), stats.skew(x, axis=0)
    error = x.std(axis=0, ddof=1) / np.sqrt(n)
    longer = abs(g) * (2 * t**2 + 1) / (6 * np.sqrt(n)) + g**2 * (5 * t**3 + 3 * t) / (27 * n)
    return error * (t + np.where(g < 0, longer, 0)), error * (t + np.where(g > 0, longer, 0))


def test_without_failures_ert_has_the_interval_of_a_mean_on_a_log_scale():
    """R: t.test(x)$conf.int of the mean; on the log scale its half width is divided by the mean."""
    x = np.array([12.0, 30, 18, 44, 25])
    below, above = sides(x / x.mean(), 0.95)
    ert, performance = running_times(x, np.full(5, 50.0), [0, 5])
    assert ert[:, 0] == pytest.approx([x.mean() * np.exp(-below), x.mean() * np.exp(above)])
    assert performance == pytest.approx(ert)


def test_influences_are_the_derivatives_of_the_estimates():
    """The jackknife of many runs has the variance of the delta method."""
    rng = np.random.default_rng(1)
    n = 2000
    cost = rng.exponential(size=n)
    failed = cost > 1.2
    cost, budget = np.where(failed, INF, cost), np.full(n, 1.2)
    ends = running_times(cost, budget, [0, n])
    spent, solved = np.where(failed, 1.2, cost), ~failed
    ert = (spent.sum() - spent) / (solved.sum() - solved)
    reached = np.where(failed, 0, cost)
    performance = (reached.sum() - reached) * (n - 1) / (solved.sum() - solved) ** 2
    estimates = spent.sum() / solved.sum(), reached.sum() * n / solved.sum() ** 2
    for found, without, estimate in zip(ends, (ert, performance), estimates, strict=True):
        log = np.log(without)
        half = stats.t.ppf(0.975, n - 1) * np.sqrt((n - 1) ** 2 / n * log.var(ddof=1))
        # the side of the shorter tail is Student's
        assert np.abs(np.log(found[:, 0] / estimate)).min() == pytest.approx(half, rel=0.01)


def test_what_cannot_be_said():
    costs = [5, INF, INF, 7, INF, 3, 4]
    budgets = [5, 10, 10, 7, NAN, 3, 4]
    ert, sp = running_times(costs, budgets, [0, 1, 3, 5, 7, 7])
    assert np.isnan(ert[:, [0, 1, 2, 4]]).all()  # one trial; no success; an unknown budget; no trial
    assert np.isnan(sp[:, [0, 1, 4]]).all()
    assert sp[0, 2] < 14 < sp[1, 2]
    assert ert[0, 3] < 3.5 < ert[1, 3]


@pytest.mark.parametrize(("n", "failing", "least"), [(5, 0.0, 0.935), (15, 0.0, 0.94), (15, 0.3, 0.94), (15, 0.6, 0.94)])
def test_intervals_of_ert_cover(n, failing, least):
    """Exponential running times: 2000 samples, so that the standard error is half a point. Percentiles cover 0.79 to 0.93."""
    rng = np.random.default_rng(n)
    budget = -np.log(failing) if failing else INF
    time = rng.exponential(size=(2000, n))
    cost = np.where(time <= budget, time, INF)
    # the mean of min(time, budget) is 1 - exp(-budget), the share that succeeds as well
    (low, high), _ = running_times(cost.ravel(), np.full(cost.size, budget), np.arange(2001) * n)
    known = ~np.isnan(low)
    assert ((low <= 1) & (high >= 1))[known].mean() >= least


@pytest.mark.parametrize(("n", "least"), [(5, 0.91), (10, 0.915), (15, 0.925)])
def test_intervals_of_ert_cover_heavy_tailed_times(n, least):
    """Lognormal times without failures, 4000 samples: Student's alone covers 0.89."""
    time = np.exp(np.random.default_rng(n).normal(size=(4000, n)))
    (low, high), _ = running_times(time.ravel(), time.ravel(), np.arange(4001) * n)
    true = np.exp(0.5)
    assert ((low <= true) & (high >= true)).mean() >= least


def test_shifted_means_over_clusters():
    log = np.log(np.array([[10.0, 20.0], [40.0, 30.0], [25.0, 70.0], [5.0, 9.0]]) + 10)
    below, above = sides(log, 0.8)
    means = shifted_means(log, 10.0, np.arange(4), 0.8)
    assert means[0] == pytest.approx(np.exp(log.mean(axis=0) - below) - 10)
    assert means[1] == pytest.approx(np.exp(log.mean(axis=0) + above) - 10)
    both = np.array([True, True])
    ratios = ratios_of_means(log, 10.0, np.arange(4), 0.8, both, 0)
    assert (ratios[0][0], ratios[1][0]) == (1, 1)
    # every instance twice, in the same cluster: nothing is learnt
    twice, of = np.repeat(log, 2, axis=0), np.repeat(np.arange(4), 2)
    again = [shifted_means(twice, 10.0, of, 0.8), ratios_of_means(twice, 10.0, of, 0.8, both, 0)]
    assert np.array(again).ravel() == pytest.approx(np.array([means, ratios]).ravel())
    one = np.zeros(4, int)
    assert np.isnan(np.array(shifted_means(log, 10.0, one, 0.8))).all()
    assert np.isnan(np.array(ratios_of_means(log, 10.0, one, 0.8, both, 0))[:, 1]).all()


def test_the_critical_value_of_all_pairs_is_that_of_every_flip_of_signs():
    """Three solvers, four instances, no shift: all eight flips by hand, the largest of three statistics each."""
    log = np.array([[0.0, 1.0, 3.0], [1.0, 1.5, 0.5], [2.0, 4.0, 3.5], [0.5, 0.2, 1.9]])
    pairs = [(0, 1), (0, 2), (1, 2)]
    largest = []
    for signs in itertools.product((1, -1), repeat=3):
        found = []
        for a, b in pairs:
            d = log[:, a] - log[:, b]
            flipped = (d - d.mean()) * np.array([1, *signs])
            found.append(abs(flipped.mean()) / (flipped.std(ddof=1) / 2))
        largest.append(max(found))
    # of eight flips at most a tenth may be beyond: none
    low, high = ratios_of_means(log, 0.0, np.arange(4), 0.9, np.array([True] * 3), 0)
    for other in (1, 2):
        d = log[:, other] - log[:, 0]
        reach = max(largest) * d.std(ddof=1) / 2
        # the side of the shorter tail
        below, above = d.mean() - np.log(low[other]), np.log(high[other]) - d.mean()
        assert min(below, above) == pytest.approx(reach)


def test_who_does_not_compete_widens_no_interval_of_the_others():
    log = np.random.default_rng(3).normal(size=(12, 4))
    some = np.array([True, True, True, False])
    with_guest = np.array(ratios_of_means(log, 0.0, np.arange(12), 0.95, some, 1))
    alone = np.array(ratios_of_means(log[:, :3], 0.0, np.arange(12), 0.95, some[:3], 1))
    assert with_guest[:, :3] == pytest.approx(alone)
    assert (with_guest[0, 3] < with_guest[1, 3]).all()


@pytest.mark.parametrize(("k", "n"), [(3, 24), (8, 24), (8, 100)])
def test_no_ratio_to_the_best_of_equal_solvers_leaves_out_1(k, n):
    """Exchangeable solvers, a fifth of the runs at the limit: intervals of single pairs leave 1 out in 46 % of tables of 8."""
    rng = np.random.default_rng(k * n)
    wrong = 0
    for _ in range(100):
        x = rng.normal(size=(n, 1)) * 1.5 + rng.normal(size=(n, k)) * rng.choice([0.3, 1.5], (n, k), p=[0.8, 0.2])
        log = np.log(np.minimum(np.exp(x), np.exp(np.quantile(x, 0.8))) + 0.1)
        first = int(log.mean(axis=0).argmin())
        low, high = ratios_of_means(log, 0.1, np.arange(n), 0.95, np.ones(k, bool), first)
        wrong += bool(((low > 1) | (high < 1)).any())
    assert wrong <= 10


def test_means_of_times_are_not_negative():
    times = np.array([[0.0, -1.0], [9.0, 9.0]])
    low, _ = shifted_means(np.log(times[:, :1] + 10), 10.0, np.arange(2), 0.95)
    assert low == 0
    low, _ = shifted_means(np.log(times[:, 1:] + 10), 10.0, np.arange(2), 0.95)
    assert low < -1


def test_a_ratio_is_that_of_paired_instances():
    """Without a shift, the second solver takes between 1.9 and 2.1 times as long on each instance, whose times differ a lot."""
    first = np.log([1.0, 10, 100, 1000])
    factor = np.log([1.9, 2.1, 2.0, 2.0])
    low, high = ratio_of_means(np.column_stack([first, first + factor]), 0.0, np.arange(4), 0.95)
    below, above = sides(factor, 0.95)
    assert np.log([low, high]) == pytest.approx([factor.mean() - below, factor.mean() + above])
