"""Moderated t tests: Student's where nothing is lent, the written formulas otherwise, and how often they err."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, special, stats

from benchmill.inference.moderated import moderated

ALARMS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/versions/instances.py"))


def of(values):
    """The moderated differences of values, (n_cells, 2, n_runs)."""
    mean = values.mean(axis=2)
    return moderated(mean, ((values - mean[..., None]) ** 2).sum(axis=(1, 2)), np.full(mean.shape, values.shape[2]))


def test_one_cell_is_tested_by_student():
    values = np.random.default_rng(1).normal(size=(1, 2, 4))
    found = of(values)
    expected = stats.ttest_ind(values[0, 1], values[0, 0])
    assert found.p == pytest.approx(expected.pvalue)
    assert np.ravel(found.interval(0.95)) == pytest.approx(list(expected.confidence_interval(0.95)))


def test_groups_of_different_size_too():
    one, other = np.array([1.0, 1.3, 1.1]), np.array([2.0, 2.1])
    squares = ((one - one.mean()) ** 2).sum() + ((other - other.mean()) ** 2).sum()
    found = moderated([[one.mean(), other.mean()]], [squares], [[3, 2]])
    assert found.p == pytest.approx(stats.ttest_ind(one, other).pvalue)


def test_the_variance_is_shrunk_as_written():
    """With d0 by a root of another program, for noise that differs by a factor e^1."""
    rng = np.random.default_rng(2)
    values = np.exp(rng.normal(size=(200, 1, 1))) * rng.normal(size=(200, 2, 3))
    d, v = 4, values.var(axis=2, ddof=1).mean(axis=1)
    spread = np.log(v).var(ddof=1) * (1 + np.sqrt(2 / 199)) - special.polygamma(1, d / 2)
    d0 = 2 * optimize.brentq(lambda y: special.polygamma(1, y) - spread, 1e-3, 1e3)
    shrunk = (d0 * v.mean() + d * v) / (d0 + d)
    t = (values[:, 1].mean(axis=1) - values[:, 0].mean(axis=1)) / np.sqrt(2 * shrunk / 3)
    assert of(values).df == pytest.approx(d0 + d)
    assert of(values).p == pytest.approx(2 * stats.t.sf(np.abs(t), d0 + d))


def test_the_same_noise_everywhere_is_pooled():
    """Without any spread of the variances the test has all degrees of freedom of all cells."""
    values = np.tile([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], (10, 1, 1))
    found = of(values)
    assert found.df == pytest.approx(40)
    assert found.error == pytest.approx(np.sqrt(2 / 3))


def test_without_noise_any_difference_is_one():
    values = np.zeros((4, 2, 3))
    values[1, 1] = 1e-9
    assert list(of(values).p) == [1, 0, 1, 1]


def test_turned_round_nothing_but_the_sign_changes():
    values = np.random.default_rng(3).normal(size=(20, 2, 3))
    one, other = of(values), of(values[:, ::-1])
    assert one.p == pytest.approx(other.p)
    assert one.interval(0.9)[0] == pytest.approx(-other.interval(0.9)[1])


@pytest.mark.parametrize(("instances", "runs", "spread"), [(5, 3, 0.5), (30, 2, 1.0), (120, 3, 0.0)])
def test_unchanged_instances_are_seldom_named(instances, runs, spread):
    """Of 200 comparisons at most 6 % and what chance allows (binomial, 1 in 1 000)."""
    share = ALARMS["named"](instances, runs, spread, 200, np.random.default_rng(1))[0]
    assert share <= stats.binom.ppf(0.999, 200, 0.06) / 200


def test_instances_that_are_much_slower_are_named():
    assert ALARMS["named"](120, 3, 0.5, 100, np.random.default_rng(1), slower=20)[1] >= 0.97
