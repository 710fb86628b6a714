"""The Bayesian comparison of net wins: against plain integration, in cases with a known answer, and how often it is wrong."""

import numpy as np
import pytest
from scipy import stats

from benchmill.inference.bayes import of_cells, of_shares

SCALE = np.sqrt(0.5)


def plainly(d, rope):
    """The definition on a grid of means and standard deviations, region by region."""
    d = np.asarray(d, float)
    sigma = np.exp(np.linspace(np.log(0.05), np.log(20), 300))[:, None]
    # middles of cells whose edges meet those of the region
    mean = np.arange(-10, 10, 0.005) + 0.0025
    squares = ((d[:, None] - mean) ** 2).sum(axis=0)
    likelihood = np.exp(-d.size * np.log(sigma) - squares / (2 * sigma**2))
    # by log sigma: scaled inverse chi-squared, one degree of freedom
    density = likelihood * stats.cauchy.pdf(mean, 0, SCALE * sigma) * np.exp(-1 / (6 * sigma**2)) / sigma
    above = stats.cauchy.sf(rope, 0, SCALE * sigma)
    regions = [(mean > rope, above), (np.abs(mean) <= rope, 1 - 2 * above), (mean < -rope, above)]
    found = np.array([(density / chance)[:, inside].sum() for inside, chance in regions])
    return found / found.sum()


def test_equals_plain_integration():
    d = [0.5, -0.25, 1.0, 0.75, 0.0, 0.25]
    found = of_shares(d, 0.1)
    assert (found.a_better, found.equal, found.b_better) == pytest.approx(tuple(plainly(d, 0.1)), abs=5e-4)


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.2])
def test_sum_symmetry_and_extremes(rope):
    d = np.array([0.5, -0.25, 1.0, 0.75, 0.0, 0.25])
    one, two = of_shares(d, rope), of_shares(-d, rope)
    assert one.a_better + one.equal + one.b_better == pytest.approx(1)
    assert (one.a_better, one.equal) == pytest.approx((two.b_better, two.equal))
    assert of_shares(np.ones(12), rope).a_better > 0.999
    # one cluster tells next to nothing
    assert of_shares([1.0], rope).a_better < 0.7
    assert of_shares([], rope).equal == pytest.approx(1 / 3)
    tied = [of_shares(np.zeros(n), rope).equal for n in (1, 4, 16, 64)]
    assert tied == sorted(tied)


def test_a_point_is_the_limit_of_narrow_regions():
    d = [0.5, -0.25, 1.0, 0.75]
    point, narrow = of_shares(d, 0.0), of_shares(d, 1e-6)
    assert (point.a_better, point.equal) == pytest.approx((narrow.a_better, narrow.equal), abs=1e-5)


def test_all_shares_lie_within_a_region_of_one():
    assert of_shares([1.0, 1.0], 1.0).equal == 1


def test_cells_of_a_cluster_count_once_and_failures_are_ties():
    inf = np.inf
    first = np.array([[1.0], [1.0], [inf], [3.0]])
    second = np.array([[2.0], [inf], [inf], [1.0]])
    # two wins; a tie and a loss
    assert of_cells(first, second, np.array([0, 0, 1, 1])) == of_shares([1.0, -0.5])
    assert of_cells(np.empty((0, 1)), np.empty((0, 1)), np.empty(0, np.int64)) is None


def test_wrong_arguments():
    for d, rope in (([1.5], 0.0), ([np.nan], 0.0), ([0.5], -1.0)):
        with pytest.raises(ValueError, match="must be"):
            of_shares(d, rope)


def test_equal_algorithms_are_seldom_told_apart():
    rng = np.random.default_rng(1)
    decided = 0
    for _ in range(300):
        found = of_shares(rng.choice([-1.0, 1.0], 10), 0.01)
        decided += max(found.a_better, found.b_better) >= 0.95
    # 10 of 10 and 9 of 10 wins: 2.1 %
    assert decided / 300 < 0.05
