import numpy as np
import pytest
from scipy import optimize, stats

from benchmill.core.intervals import skewed, wilson


def test_without_skewness_the_interval_is_students():
    """R: t.test(c(1, 2, 3, 4, 5))$conf.int is 1.036757 to 4.963243."""
    below, above = skewed([-2.0, -1, 0, 1, 2], [0, 5], 0.95)
    assert (3 - below[0], 3 + above[0]) == pytest.approx((1.036757, 4.963243), abs=1e-6)


def test_the_longer_side_is_that_of_halls_transformation():
    """Up to terms of n^(-3/2), its inverse by bisection: T + g T^2 / 3 sqrt(n) + g^2 T^3 / 27 n + g / 6 sqrt(n) = -t."""
    for n, tolerance in ((400, 2e-3), (40_000, 2e-6)):
        values = np.resize([0.0, 0, 0, 1, 5], n)
        influence = values - values.mean()
        g, t, root = stats.skew(values), stats.t.ppf(0.975, n - 1), np.sqrt(n)
        exact = optimize.brentq(lambda x: x + g * x**2 / (3 * root) + g**2 * x**3 / (27 * n) + g / (6 * root) + t, -9, 9)  # noqa: B023
        error = values.std(ddof=1) / root
        below, above = skewed(np.concatenate([influence, -influence]), [0, n, 2 * n], 0.95)
        assert above[0] / error == pytest.approx(-exact, abs=tolerance)
        assert below[0] / error == pytest.approx(t)
        # mirrored
        assert (below[1], above[1]) == pytest.approx((above[0], below[0]))


def test_intervals_of_little():
    below, above = skewed([0.0, 1, 1, -2], [0, 0, 1, 1, 4], 0.95)
    assert np.isnan(below[:3]).all()
    assert below[3] > above[3] > 0
    # nothing varies
    assert [float(side[0]) for side in skewed(np.zeros(4), [0, 4], 0.95)] == [0, 0]


def test_wilson_is_that_of_a_share():
    """7 of 20: statsmodels' proportion_confint(7, 20, method="wilson") gives 0.1811918, 0.5671457."""
    low, high = wilson([0.35], [0.35 * 0.65 / 20], 20, 1e9, 0.95)
    assert (low[0], high[0]) == pytest.approx((0.1811918, 0.5671457))
    low, high = wilson([0.0, 1.0], [0.0, 0.0], 10, 9, 0.95)
    assert low[0] == pytest.approx(0)
    assert high[1] == pytest.approx(1)
    assert 0.2 < high[0] == pytest.approx(1 - low[1])
