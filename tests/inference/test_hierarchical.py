"""The hierarchical comparison against quadrature, against parameters drawn from its own prior, and against published results."""

import os
from dataclasses import astuple

import numpy as np
import pytest
from scipy import stats

from benchmill.inference import hierarchical as module
from benchmill.inference.hierarchical import Means, hierarchical, of_independent_runs
from tests.inference.making import classifier_scores


def rng(seed=0):
    return np.random.default_rng(seed)


def of_matched_runs(differences, correlation=0.0):
    """Means of matched runs; they are correlated, by 1 / number of folds in a cross-validation (Nadeau and Bengio 2003)."""
    n = differences.shape[1]
    squares = ((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    # the covariance is s^2 ((1 - rho) I + rho J): sigma^2 = s^2 (1 - rho) is the variance around the mean
    factor = 1 / n + correlation / (1 - correlation)
    return Means(differences.mean(axis=1), squares, n - 1, factor, float(np.abs(differences).max()))


def by_quadrature(x, s, f, c, reach, rope):
    """The posterior on a grid of (delta_0, s, nu); the sigma_i integrated out in closed form, the delta_i numerically."""
    unit = s.mean()
    x, s, rope = x / unit, s / unit, rope / unit
    reach, widest = reach / unit, 1000 * max(x.std(), np.sqrt(c))
    centres = reach * (2 * (np.arange(60) + 0.5) / 60 - 1)
    spreads = np.exp(np.linspace(np.log(1e-3), np.log(widest), 50))
    log_nu = np.linspace(-6, 6.5, 14)
    shape, rate = np.meshgrid(np.linspace(1, 2, 21), np.linspace(0.01, 0.1, 21))
    prior = np.array([stats.gamma.pdf(np.exp(v), shape, scale=1 / rate).mean() * np.exp(v) for v in log_nu])
    nodes = np.linspace(-1, 1, 81)
    density = np.zeros((centres.size, spreads.size, log_nu.size))
    for k, v in enumerate(log_nu):
        nu = 1 + np.exp(v)
        log_like = np.zeros(density.shape[:2])
        for xi, si in zip(x, s, strict=True):
            # delta_i = x_i + t quantile: integrate the population density over the likelihood of delta_i, a t with f - 1
            at = xi + si * np.sqrt(c * f / (f - 1)) * stats.t.ppf((np.arange(81) + 0.5) / 81, f - 1)
            population = stats.t.pdf((at - centres[:, None, None]) / spreads[:, None], nu) / spreads[:, None]
            narrow = population.mean(axis=-1)
            # where the population is narrower than the nodes are apart, the other way round
            of_population = centres[:, None, None] + spreads[:, None] * stats.t.ppf((nodes * 0.999 + 1) / 2, nu)
            scale = si * np.sqrt(c * f / (f - 1))
            wide = (stats.t.pdf((of_population - xi) / scale, f - 1) / scale).mean(axis=-1)
            log_like += np.log(np.where(spreads < 0.5 * scale, wide, narrow))
        density[:, :, k] = np.exp(log_like) * spreads * prior[k]
    density /= density.sum()
    nu = 1 + np.exp(log_nu)
    below = stats.t.cdf((-rope - centres[:, None, None]) / spreads[:, None], nu)
    above = stats.t.sf((rope - centres[:, None, None]) / spreads[:, None], nu)
    best = np.argmax(np.stack([below, 1 - below - above, above]), axis=0)
    return [float(density[best == i].sum()) for i in range(3)]


@pytest.mark.parametrize(
    ("x", "rope"), [((-0.5, 0.4, 1.0, 0.7), 0.2), ((0.1, 0.05, -0.1, 0.0, 0.3), 0.4), ((-2.0, -1.5, 1.0, -1.8, 9.0), 0.3)]
)
def test_equals_quadrature(x, rope):
    x, f, c = np.array(x), 8, 0.2
    s = np.linspace(0.8, 1.2, x.size)
    reach = np.abs(x).max() + 1
    found = hierarchical(Means(x, f * s**2, f, c, reach), rng(1), rope=rope, samples=64_000)
    expected = by_quadrature(x, s, f, c, reach, rope)
    assert (found.first_better, found.equal, found.second_better) == pytest.approx(expected, abs=0.015)
    assert found.r_hat < 1.05
    assert found.n_samples == 64_000


def test_calibrated_when_differences_are_drawn_from_the_population():
    """Of claims held with 80 % and more, at least that many are right, for populations with both signs and both widths."""
    draw = rng(2)
    claimed = right = 0
    for i in range(30):
        centre, spread = draw.normal(0, 0.5), draw.uniform(0.1, 0.6)
        delta = centre + spread * draw.standard_t(5, 12)
        first = delta[:, None] + draw.normal(size=(12, 6))
        found = hierarchical(of_independent_runs(first, draw.normal(size=(12, 6))), rng(i), rope=0.2, samples=3_200)
        shares = stats.t.cdf(-0.2 - centre, 5, scale=spread), stats.t.sf(0.2 - centre, 5, scale=spread)
        truth = int(np.argmax([shares[0], 1 - sum(shares), shares[1]]))
        p = [found.first_better, found.equal, found.second_better]
        if max(p) >= 0.8:
            claimed += 1
            right += int(np.argmax(p)) == truth
    assert claimed >= 12
    # 80 % of the claims less three standard errors
    assert right >= 0.8 * claimed - 3 * np.sqrt(0.16 * claimed)


def test_published_comparison_of_classifiers():
    """Naive Bayes and HNB on 54 data sets, ten times ten folds: the tutorial of Benavoli and others prints 0.9965 and 0.002."""
    root = os.environ.get("BENCHMILL_REAL_DATA")
    if not root:
        pytest.skip("needs BENCHMILL_REAL_DATA")
    scores = classifier_scores(root)
    nbc, hnb = np.array(scores["nbc"]), np.array(scores["hnb"])
    found = hierarchical(of_matched_runs(hnb - nbc, 0.1), rng(3), rope=1.0)
    assert found.second_better == pytest.approx(0.9965, abs=0.003)
    assert found.equal == pytest.approx(0.002, abs=0.003)
    # two of the classifiers give practically equal accuracies, as the article says of J48 and its grafted form
    j48 = hierarchical(of_matched_runs(np.array(scores["j48gr"]) - np.array(scores["j48"]), 0.1), rng(4), rope=1.0)
    assert j48.equal > 0.99


def test_means_of_runs():
    x, y = rng(5).normal(size=(2, 4, 6))
    free = of_independent_runs(x, y)
    assert free.difference == pytest.approx(x.mean(axis=1) - y.mean(axis=1))
    assert free.squares / free.df == pytest.approx((x.var(axis=1, ddof=1) + y.var(axis=1, ddof=1)) / 2)
    assert (free.df, free.factor) == (10, 1 / 3)
    # the variance of a mean of n equally correlated values is s^2 (1 + (n - 1) rho) / n, that around it s^2 (1 - rho)
    rho, n = 0.3, 6
    matched = of_matched_runs(x - y, rho)
    assert matched.factor * (1 - rho) == pytest.approx((1 + (n - 1) * rho) / n)
    assert (matched.df, of_matched_runs(x - y).factor) == (5, pytest.approx(1 / 6))


def test_order_scale_sign_and_seed():
    x, y = rng(6).normal(size=(2, 8, 5)) + np.array([[[0.0]], [[0.4]]])
    one = hierarchical(of_independent_runs(x, y), rng(7), rope=0.1)
    assert one == hierarchical(of_independent_runs(x[:, ::-1], y), rng(7), rope=0.1)
    scaled = hierarchical(of_independent_runs(8 * x, 8 * y), rng(7), rope=0.8)
    assert scaled.first_better == pytest.approx(one.first_better, abs=1e-6)
    other = hierarchical(of_independent_runs(y, x), rng(8), rope=0.1)
    assert other.second_better == pytest.approx(one.first_better, abs=0.03)
    assert one.first_better + one.equal + one.second_better == pytest.approx(1)


def test_problems_without_any_variation():
    """Both always at the floor of a measure: equal, without noise; always apart by more than the region: not equal."""
    same = np.zeros((10, 4))
    assert hierarchical(of_independent_runs(same, same), rng(9), rope=0.01).equal > 0.95
    assert hierarchical(of_independent_runs(same, same + 1), rng(10), rope=0.01).first_better > 0.95
    mixed = np.concatenate([np.zeros((6, 4)), rng(11).normal(size=(4, 4))])
    assert hierarchical(of_independent_runs(mixed, mixed[:, ::-1]), rng(12), rope=0.1).r_hat < 1.1


def test_a_deviation_counts_as_at_least_that_of_an_error_within_the_region():
    """A variable uniform in [-rope, rope] has the variance rope^2 / 3."""
    x, rope, f = rng(14).normal(size=5), 0.2, 6

    def found(variance):
        return astuple(hierarchical(Means(x, np.full(5, f * variance), f, 0.5, 3.0), rng(15), rope=rope, samples=640))

    least = stats.uniform(-rope, 2 * rope).var()
    assert found(0.0) == pytest.approx(found(least))
    assert found(0.0) != pytest.approx(found(1.1 * least))


@pytest.fixture
def chains(monkeypatch):
    """Steps by chains of delta_0, s and nu of every comparison that is made."""
    kept, summed_up = [], module._probabilities

    def keep(trace, rope):
        kept.append(np.moveaxis(trace, 1, 0))
        return summed_up(trace, rope)

    monkeypatch.setattr(module, "_probabilities", keep)
    return kept


def test_chains_know_nothing_of_each_other(chains):
    """The variance of a mean of independent chains is that of one over their number, also where s is near 0."""
    hierarchical(Means(np.zeros(5), np.full(5, 8.0), 8, 0.2, 1.0), rng(16), rope=0.1, samples=6_400)
    centre, _, _ = chains[0]
    steps, number = centre.shape
    assert steps * number == 6_400
    assert centre.mean(axis=1).var() * number / centre.var(axis=1).mean() == pytest.approx(1, abs=0.6)


def test_convergence_by_its_definition(chains):
    """Gelman and others, Bayesian Data Analysis, third edition, (11.1) to (11.4), over all halves of chains."""
    # the scale of differences is that of one mean standard deviation, which is 1 here
    found = hierarchical(Means(np.array([0.0, 0.5, 2.0]), np.full(3, 4.0), 4, 0.3, 4.0), rng(17), rope=0.4, samples=192)
    centre, spread, nu = chains[0]
    below, above = stats.t.cdf((-0.4 - centre) / spread, nu), stats.t.sf((0.4 - centre) / spread, nu)
    largest = 0.0
    for values in (centre, below, above):
        halves = [part for chain in values.T for part in (chain[:3], chain[3:])]
        means, n, m = [sum(half) / 3 for half in halves], 3, len(halves)
        between = n * sum((mean - sum(means) / m) ** 2 for mean in means) / (m - 1)
        within = sum(sum((v - mean) ** 2 for v in half) / (n - 1) for half, mean in zip(halves, means, strict=True)) / m
        largest = max(largest, (((n - 1) / n * within + between / n) / within) ** 0.5)
    assert found.r_hat == pytest.approx(largest)


@pytest.mark.parametrize(("shape", "rope"), [((2, 5), 0.1), ((5, 1), 0.1), ((5, 4), 0.0)])
def test_too_little_to_say(shape, rope):
    x = rng(13).normal(size=(2, *shape))
    with pytest.raises(ValueError, match="needs 3 blocks"):
        hierarchical(of_independent_runs(x[0], x[1]), rng(), rope=rope)
