"""The Bayesian signed-rank test against its definition, sample by sample, and in cases with a known answer."""

import os

import numpy as np
import pytest

from benchmill.inference.bayes import signed_rank
from tests.inference.making import classifier_scores


def rng(seed=0):
    return np.random.default_rng(seed)


def plainly(z, rope, s, samples):
    """All Walsh averages of every sample, without sorting."""
    draw = rng(99)
    z = np.append(z, 0.0)
    sums = z[:, None] + z
    wins = np.zeros(3)
    for _ in range(samples):
        w = draw.dirichlet([*[1.0] * (z.size - 1), s])
        both = np.outer(w, w)
        shares = [both[sums < -2 * rope].sum(), both[np.abs(sums) <= 2 * rope].sum(), both[sums > 2 * rope].sum()]
        wins[int(np.argmax(shares))] += 1
    return wins / samples


@pytest.mark.parametrize("rope", [0.05, 0.3])
def test_equals_the_definition(rope):
    z = rng(1).normal(0.1, 0.4, 9)
    found = signed_rank(z, rng(2), rope=rope)
    expected = plainly(z, rope, 0.5, 4000)
    assert (found.a_better, found.equal, found.b_better) == pytest.approx(tuple(expected), abs=0.03)


def test_one_difference_by_the_beta_distribution():
    """Weights (w, 1 - w), w ~ Beta(1, s): the pairs (z, z) and (z, 0) point to the second, (0, 0) to neither."""
    found = signed_rank([1.0], rng(3), samples=200_000)
    # theta_right = 1 - (1 - w)^2 > (1 - w)^2 if and only if 1 - w < sqrt(1/2); P(1 - w < t) = t^s
    assert found.b_better == pytest.approx(0.5**0.25, abs=0.004)
    assert found.a_better == 0


def test_direction_symmetry_and_sum():
    z = rng(4).normal(0.3, 1, 12)
    one, two = signed_rank(z, rng(5), rope=0.1), signed_rank(-z, rng(6), rope=0.1)
    assert one.a_better + one.equal + one.b_better == pytest.approx(1)
    assert one.a_better == pytest.approx(two.b_better, abs=0.02)
    assert signed_rank(z - 5, rng(), rope=0.1).a_better > 0.99
    assert signed_rank(z, rng(), rope=100).equal == 1
    assert signed_rank([], rng()).equal == 1
    assert signed_rank(z, rng(7)) == signed_rank(z, rng(7))


def test_wrong_arguments():
    for wrong in ({"rope": -1}, {"prior_strength": 0}, {"samples": 0}):
        with pytest.raises(ValueError, match="must be"):
            signed_rank([1.0], rng(), **wrong)
    with pytest.raises(ValueError, match="NaN"):
        signed_rank([np.nan], rng())


def test_a_failure_outweighs_any_difference_and_two_opposite_ones_cancel():
    z = np.array([0.5, -0.25, 0.125, 1.0, -2.0])
    for failed in ([np.inf], [np.inf, -np.inf, -np.inf]):
        far = np.array(failed)
        large = np.where(far > 0, 1e6, -1e6)
        assert signed_rank([*z, *failed], rng(1), rope=0.1) == signed_rank([*z, *large], rng(1), rope=0.1)


def test_published_comparison_of_naive_bayes_and_j48():
    """baycomp's README, nbc and j48 on 54 data sets with rope 1: (0.23124, 0.00666, 0.7621)."""
    root = os.environ.get("BENCHMILL_REAL_DATA")
    if not root:
        pytest.skip("needs BENCHMILL_REAL_DATA")
    scores = classifier_scores(root)
    accuracy = {name: np.mean(rows, axis=1) for name, rows in scores.items()}
    # smaller is better here, larger there
    found = signed_rank(accuracy["j48"] - accuracy["nbc"], rng(2), rope=1)
    assert (found.a_better, found.equal, found.b_better) == pytest.approx((0.23124, 0.00666, 0.7621), abs=0.01)
