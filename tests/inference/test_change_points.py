"""Where a series changes: simulated steps, and how often one is found where there is none, looked at after each value."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from benchmill.inference.change_points import FEWEST, _pieces, _split, autocorrelation, change_points, looks

COURSES = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/versions/trend_alarms.py"))


def find(x):
    return [change.at for change in change_points(x)]


def test_p_is_that_of_student_at_the_best_place_for_all_places():
    """Of a series without autocorrelation beyond 0.3, whose means have an error larger by the root of 1.3 / 0.7."""
    x = np.random.default_rng(3).normal(size=12) + np.repeat([0, 4], [5, 7])
    tests = {k: abs(stats.ttest_ind(x[k:], x[:k]).statistic) for k in range(3, 10)}
    at, p = _split(x, 0.3)
    assert at == max(tests, key=tests.get) == 5
    assert p == pytest.approx(7 * 2 * stats.t.sf(tests[5] * np.sqrt(0.7 / 1.3), 10))


def test_the_looks_spend_alpha_and_no_more():
    """The shares of alpha at 8, 9, ... values; the rest of the sum is below the integral of a convex function."""
    n = np.arange(FEWEST, 100_000)
    spent = np.log(7.5) / (n * np.log(n) ** 2)
    assert spent.sum() + np.log(7.5) / np.log(100_000 - 0.5) <= 1
    x = np.random.default_rng(3).normal(size=30) + np.repeat([0, 4], 15)
    (change,) = change_points(x)
    assert change.p == pytest.approx(_split(x, 0.3)[1] / 0.9 / spent[30 - FEWEST])


def test_autocorrelation_is_that_of_the_course():
    x = COURSES["courses"](1, 20_000, 0.4, np.random.default_rng(1))[0]
    assert autocorrelation(x - x.mean(), 1) == pytest.approx(0.4, abs=0.03)
    assert autocorrelation(np.zeros(5), 1) == 0
    # of few values it is right on the mean
    many = COURSES["courses"](2000, 20, 0.3, np.random.default_rng(2))
    assert np.mean([autocorrelation(one - one.mean(), 1) for one in many]) == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize("at", [8, 20, 32])
def test_a_step_is_found_where_it_is(at):
    rng = np.random.default_rng(4)
    x = rng.normal(0, 0.02, 40) + np.where(np.arange(40) >= at, 0.2, 0.0)
    assert find(x) == [at]


def test_steps_up_and_down():
    rng = np.random.default_rng(5)
    x = rng.normal(0, 0.02, 60) + np.repeat([0, 0.3, 0.1], 20)
    assert find(x) == [20, 40]


@pytest.mark.parametrize("levels", [[0, 1, -0.5], [0, 1, 0], [0, 1, 0, 1]])
def test_steps_that_hide_each_other_in_the_whole_are_found_in_pieces(levels):
    """A slowdown that was taken back leaves the means of both halves alike."""
    x = np.random.default_rng(5).normal(size=10 * len(levels)) + 10 * np.repeat(levels, 10)
    assert _split(x, 0.3)[1] > 1e-4
    assert find(x) == list(range(10, x.size, 10))


def test_pieces_spend_a_tenth():
    """Of thirty values the whole is tested, two halves of 15 and one between them, at a tenth of the error together."""
    x = np.random.default_rng(3).normal(size=30) + np.repeat([0, 4], 15)
    (change,) = change_points(x)
    assert change.tests == pytest.approx(25 / 0.9 * looks(30))
    assert _pieces(30) == [(0, 15), (7, 22), (15, 30)]
    assert {stop - start for start, stop in _pieces(40)} == {20, 10}


def test_a_change_is_seen_less_where_values_depend_on_those_before():
    """The same steps in the same values, of which an order that wanders by itself shows fewer."""
    step, shown = np.repeat([0, 2.5], 30), [0, 0]
    for seed in range(20):
        x = COURSES["courses"](1, 60, 0.9, np.random.default_rng(seed))[0]
        shown[0] += bool(find(x + step))
        shown[1] += bool(find(np.random.default_rng(seed).permutation(x) + step))
    assert shown[0] <= 10 < 18 <= shown[1]


def test_a_constant_series_and_a_short_one_have_none():
    assert find(np.ones(30)) == []
    assert find([0, 0, 0, 1, 1, 1, 1]) == []
    assert find([]) == []


def test_a_step_without_any_noise_is_found_and_an_outlier_is_none():
    assert find(np.repeat([0.0, 1.0], [5, 4])) == [5]
    assert find([0, 1, 0, 1, 0, 1, 0, 1, 0, 9]) == []


@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_a_change_is_found_at_any_look_in_at_most_five_per_cent_of_series_without_one(correlation):
    """100 series of 50: up to 11 are what 5 % may give with a chance of 0.99."""
    assert COURSES["alarms"](100, 50, correlation, np.random.default_rng(6)) <= stats.binom.ppf(0.99, 100, 0.05) / 100


def test_the_change_does_not_depend_on_the_unit():
    x = np.random.default_rng(8).normal(0, 1, 30) + np.repeat([0, 3], 15)
    assert find(x) == find(1e6 * x + 5) == [15]


def test_not_finite():
    with pytest.raises(ValueError, match="finite"):
        change_points([1.0, np.inf] * 6)
