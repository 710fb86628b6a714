import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import step_functions as sf

INF = float("inf")
points = st.lists(st.one_of(st.floats(0, 100), st.sampled_from([1.0, 2.0, INF])), min_size=1, max_size=12)


def test_ties_merge_and_inf_stays_in_the_denominator():
    x, y = sf.ecdf([3, 1, INF, 1, 3])
    assert x.tolist() == [1, 3]
    assert y.tolist() == [2 / 5, 4 / 5]


def test_weights():
    x, y = sf.ecdf([2, 1, INF, 5], [1, 2, 1, 0])
    assert x.tolist() == [1, 2]
    assert y.tolist() == [0.5, 0.75]
    assert sf.ecdf([5, 1, 2], [0.1, 0.2, 0.7])[1][-1] == 1.0
    assert [part.tolist() for part in sf.ecdf([5, 2, 1], [0, 1, 3])] == [[1, 2], [0.75, 1]]


def test_nothing_is_the_zero_function():
    for empty in (sf.ecdf([]), sf.ecdf([INF, INF]), sf.ecdf([INF], [2.0])):
        assert sf.value(empty, [0, 1e9]).tolist() == [0, 0]
        assert sf.area(empty, 0, 10) == 0


def test_right_continuous_and_zero_before_the_first_jump():
    steps = sf.ecdf([1, 2])
    assert sf.value(steps, [0, 0.999, 1, 1.5, 2, INF]).tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert sf.value(sf.ecdf([0, 1]), [-1e-9, 0]).tolist() == [0, 0.5]


def test_a_ratio_that_exceeds_tau_by_rounding_counts():
    ratio = 2.1 / 0.7
    assert ratio > 3
    assert sf.value(sf.ecdf([ratio]), 3.0) == 1
    assert bool(sf.reached(ratio, 3.0))
    assert not sf.reached(3.000001, 3.0)
    assert not sf.reached(INF, INF)


@pytest.mark.parametrize("bad", [[float("nan")], [-INF], [1, float("nan")], [2, -INF, 1]])
def test_refuses_what_is_no_point(bad):
    with pytest.raises(ValueError, match="numbers or inf"):
        sf.ecdf(bad)
    with pytest.raises(ValueError, match="numbers or inf"):
        sf.ecdf(bad, np.ones(len(bad)))


@pytest.mark.parametrize("weights", [[1], [1, -1], [0, 0], [1, INF], [1, float("nan")]])
def test_refuses_weights(weights):
    with pytest.raises(ValueError, match="weights"):
        sf.ecdf([1, 2], weights)


def test_area_by_hand():
    steps = sf.ecdf([1, 3])  # 0.5 on [1, 3), 1 from 3
    assert sf.area(steps, 0, 4) == 0.5 * 2 + 1
    assert sf.area(steps, 2, 2.5) == 0.25
    assert sf.area(steps, 5, 7) == 2
    assert sf.area(steps, 2, 2) == 0
    with pytest.raises(ValueError, match="finite"):
        sf.area(steps, 0, INF)


@given(points, st.floats(0, 100), st.floats(0, 100))
def test_area_is_the_mean_of_what_each_jump_adds(jumps, a, b):
    a, b = min(a, b), max(a, b)
    expected = np.mean([max(b - max(a, j), 0) for j in jumps])
    assert sf.area(sf.ecdf(jumps), a, b) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_values_of_many():
    functions = [sf.ecdf([1]), sf.ecdf([2, INF])]
    assert sf.values(functions, [1, 2]).tolist() == [[1, 1], [0, 0.5]]
    assert sf.values([], [1, 2]).shape == (0, 2)


@given(points)
def test_equal_weights_are_no_weights(jumps):
    x, y = sf.ecdf(jumps)
    xw, yw = sf.ecdf(jumps, np.full(len(jumps), 0.3))
    assert np.array_equal(x, xw)
    assert y == pytest.approx(yw)


def test_reached_is_relative():
    assert sf.reached([0.0, -1.0], [0.0, -1.0]).all()
    assert bool(sf.reached(1e9 * (1 + 5e-13), 1e9))
    assert sf.reached([2e-6, 1e-6 * (1 + 2e-12), 1e-6 * (1 + 5e-13)], 1e-6).tolist() == [False, False, True]


def test_log_area_by_hand():
    steps = np.array([-1.0, 0.0, 2.0]), np.array([0.25, 0.5, 1.0])
    # 1/2 on [1, 2), 1 on [2, 8]
    assert sf.log_area(steps, 8.0) == pytest.approx(0.5 * np.log(2) + np.log(4), rel=1e-14)
    assert sf.log_area(sf.ecdf([0.5, 4.0, INF, INF]), 16.0) == pytest.approx(0.25 * np.log(16) + 0.25 * np.log(4), rel=1e-14)
    assert sf.log_area(steps, 1.0) == sf.log_area(steps, 0.5) == 0


def test_first_at_a_level():
    steps = sf.ecdf([5, 1, 3, INF])
    assert [sf.first_at(steps, level) for level in (0.0, 0.25, 0.26, 0.5, 0.75, 0.76, 1.0)] == [1, 1, 3, 3, 5, INF, INF]
    assert sf.first_at(sf.ecdf([INF]), 0.5) == INF
    # shares that add up to 1 but for rounding
    tenths = np.cumsum(np.full(10, 0.1))
    assert tenths[-1] < 1
    assert sf.first_at((np.arange(1.0, 11.0), tenths), 1.0) == 10
    # a curve that was computed with errors may fall by them
    assert sf.first_at((np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.9 - 1e-15])), 0.9) == 2


def test_within_an_interval():
    steps = sf.ecdf([1, 2, 3, 4])
    assert [part.tolist() for part in sf.within(steps, 1.0, 3.0)] == [[1, 2, 3], [0.25, 0.5, 0.75]]
    assert [part.tolist() for part in sf.within(steps, 0.5, 3.5)] == [[0.5, 1, 2, 3, 3.5], [0, 0.25, 0.5, 0.75, 0.75]]
    assert [part.tolist() for part in sf.within(steps, 5.0, 9.0)] == [[5, 9], [1, 1]]
    # what rounding alone tells apart rises together
    close = np.array([1.0, 1 + 1e-13, 2.0]), np.array([0.25, 0.5, 1.0])
    assert [part.tolist() for part in sf.within(close, 1.0, 3.0)] == [[1, 2, 3], [0.5, 1, 1]]
    assert sf.value((np.array([-1.0]), np.array([1.0])), -1.0) == 1
