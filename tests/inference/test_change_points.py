"""Where a series changes: simulated steps, and how often one is found where there is none."""

from itertools import permutations

import numpy as np
import pytest

from benchmill.inference.change_points import _gains, _split, change_points


def find(x, seed=1):
    return [change.at for change in change_points(x, np.random.default_rng(seed))]


def test_the_gain_is_the_difference_of_means_on_the_scale_of_its_error():
    x = np.array([1.0, 3.0, 2.0, 7.0, 8.0])
    expected = [abs(x[:k].mean() - x[k:].mean()) * np.sqrt(k * (5 - k) / 5) for k in range(1, 5)]
    assert _gains(x[None])[0] == pytest.approx(expected)


def test_p_is_the_share_of_all_orders():
    x = np.array([0.0, 0.1, 0.3, 1.0, 1.2, 1.5])
    every = _gains(np.array(list(permutations(x)))).max(axis=1)
    exact = np.mean(every >= _gains(x[None]).max() * (1 - 1e-12))
    at, p = _split(x, np.random.default_rng(1), 9999)
    assert at == 3
    assert p == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("at", [8, 20, 32])
def test_a_step_is_found_where_it_is(at):
    rng = np.random.default_rng(4)
    x = rng.normal(0, 0.02, 40) + np.where(np.arange(40) >= at, 0.2, 0.0)
    assert find(x) == [at]


def test_steps_up_and_down():
    rng = np.random.default_rng(5)
    x = rng.normal(0, 0.02, 60) + np.repeat([0, 0.3, 0.1], 20)
    assert find(x) == [20, 40]


def test_a_constant_series_and_a_short_one_have_none():
    assert find(np.ones(30)) == []
    assert find([0, 0, 0, 1, 1, 1, 1]) == []
    assert find([]) == []


@pytest.mark.parametrize("draw", ["normal", "standard_cauchy"])
def test_a_change_is_found_in_at_most_five_per_cent_of_series_without_one(draw):
    """400 series: up to 31 are what 5 % may give with a chance of 0.99."""
    rng = np.random.default_rng(6)
    series = getattr(rng, draw)(size=(400, 24))
    alarms = sum(bool(change_points(x, rng, permutations=199)) for x in series)
    assert alarms <= 31


def test_the_change_does_not_depend_on_the_unit():
    x = np.random.default_rng(8).normal(0, 1, 30) + np.repeat([0, 3], 15)
    assert find(x) == find(1e6 * x + 5)


def test_not_finite():
    with pytest.raises(ValueError, match="finite"):
        change_points([1.0, np.inf] * 6, np.random.default_rng(1))
