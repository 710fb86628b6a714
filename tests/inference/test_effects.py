"""Effect sizes, comparisons without equal variances, assumption checks."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmill.inference.anova import checks, residuals
from benchmill.inference.design import vargha_delaney

INF = math.inf
designs = hnp.arrays(
    float, st.tuples(st.integers(1, 4), st.integers(2, 3), st.integers(1, 4)), elements=st.sampled_from([1.0, 2, 3, INF])
)


@given(designs)
def test_a_is_the_share_of_wins(x):
    found = vargha_delaney(x)
    pair = 0
    for i in range(x.shape[1]):
        for j in range(i + 1, x.shape[1]):
            wins = [(p < q) + 0.5 * (p == q) for h in range(x.shape[0]) for p in x[h, i] for q in x[h, j]]
            assert found["a_better"][pair] == pytest.approx(np.mean(wins))
            assert found["a_better_low"][pair] - 1e-12 <= found["a_better"][pair] <= found["a_better_high"][pair] + 1e-12
            pair += 1


def test_interval_of_single_runs_is_wilsons():
    x = np.array([[1.0, 2], [1, 2], [1, 2], [2, 1], [1, 2]])
    found = vargha_delaney(x)
    other = scipy.stats.binomtest(4, 5).proportion_ci(0.95, "wilson")
    assert (found["a_better"][0], found["a_better_low"][0], found["a_better_high"][0]) == pytest.approx(
        (0.8, other.low, other.high)
    )


def test_interval_keeps_a_width_and_covers():
    x = np.array([[[1.0, 2, 3], [4, 5, 6]]])
    found = vargha_delaney(x)
    assert found["a_better"][0] == found["a_better_high"][0] == 1
    assert 0.3 < found["a_better_low"][0] < 0.9
    rng = np.random.default_rng(0)
    true = scipy.stats.norm.cdf(0.8 / math.sqrt(2))
    hits = 0
    for _ in range(300):
        y = rng.normal(size=(3, 2, 6)) + np.array([0, 0.8])[:, None]
        one = vargha_delaney(y)
        hits += one["a_better_low"][0] <= true <= one["a_better_high"][0]
    assert hits / 300 > 0.92


def test_checks_find_what_is_there():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(6, 3, 10))
    good = {c.name: c.p for c in checks(x)}
    assert set(good) == {"shapiro_wilk", "brown_forsythe", "brown_forsythe_blocks", "interaction"}
    assert min(good.values()) > 1e-3
    skewed = {c.name: c.p for c in checks(np.exp(2 * x))}
    assert skewed["shapiro_wilk"] < 1e-6
    spread = {c.name: c.p for c in checks(x * np.array([1, 1, 5])[:, None])}
    assert spread["brown_forsythe"] < 1e-6
    assert spread["brown_forsythe_blocks"] > 1e-3
    crossed = {c.name: c.p for c in checks(x + np.arange(18).reshape(6, 3, 1) % 4)}
    assert crossed["interaction"] < 1e-6
    single = {c.name: c.p for c in checks(np.outer(np.arange(1, 9.0), [1, 2, 3]) + x[0, 0, :8, None] * 0.1)}
    assert single["tukey_additivity"] < 1e-6


def test_checks_equal_scipy():
    x = np.random.default_rng(7).normal(size=(1, 3, 9))
    found = {c.name: c for c in checks(x)}
    other = scipy.stats.levene(*x[0], center="median")
    assert (found["brown_forsythe"].statistic, found["brown_forsythe"].p) == pytest.approx((other.statistic, other.pvalue))
    w, p = scipy.stats.shapiro(residuals(x).ravel())
    assert (found["shapiro_wilk"].statistic, found["shapiro_wilk"].p) == pytest.approx((w, p))
    nothing = {c.name: c.p for c in checks(np.ones((3, 2, 2)))}
    assert set(nothing.values()) == {None}


def test_tukeys_one_degree_of_freedom_by_regression():
    x = np.random.default_rng(8).normal(size=(5, 4))
    b, t = x.mean(axis=1) - x.mean(), x.mean(axis=0) - x.mean()
    e = residuals(x)[:, :, 0].ravel()
    product = np.outer(b, t).ravel()
    slope = product @ e / (product @ product)
    rest = ((e - slope * product) ** 2).sum()
    found = next(c for c in checks(x) if c.name == "tukey_additivity")
    assert found.statistic == pytest.approx(((e**2).sum() - rest) / (rest / 11))


def test_no_product_of_effects_where_there_are_none():
    """A Latin square: all means of blocks and of treatments are 2, so that a regression on their products explains nothing."""
    found = next(c for c in checks([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]]) if c.name == "tukey_additivity")
    assert (found.statistic, found.df1, found.df2, found.p) == (0, 1, 3, 1)


@pytest.mark.parametrize(("shape", "df1", "df2"), [((2, 3, 2), 2, 6), ((4, 1, 2), 0, 4), ((1, 3, 2), 0, 3)])
def test_an_interaction_without_error_has_its_degrees_of_freedom_alone(shape, df1, df2):
    found = next(c for c in checks(np.ones(shape)) if c.name == "interaction")
    assert (found.statistic, found.df1, found.df2, found.p) == (None, df1, df2, None)


def test_equal_costs_of_zero_count_half():
    assert vargha_delaney(np.zeros((2, 2, 3)))["a_better"].tolist() == [0.5]
    assert vargha_delaney([[[0.0, 1.0], [0.0, 0.0]]])["a_better"].tolist() == [0.25]
