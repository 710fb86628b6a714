import pytest

from benchmill.core.intervals import wilson


def test_wilson_is_that_of_a_share():
    """7 of 20: statsmodels' proportion_confint(7, 20, method="wilson") gives 0.1811918, 0.5671457."""
    low, high = wilson([0.35], [0.35 * 0.65 / 20], 20, 1e9, 0.95)
    assert (low[0], high[0]) == pytest.approx((0.1811918, 0.5671457))
    low, high = wilson([0.0, 1.0], [0.0, 0.0], 10, 9, 0.95)
    assert low[0] == pytest.approx(0)
    assert high[1] == pytest.approx(1)
    assert 0.2 < high[0] == pytest.approx(1 - low[1])
