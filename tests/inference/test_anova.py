"""Analysis of variance, Tukey, Scheffé and the studentised range: by projection, published tables, SciPy."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill.inference.anova import anova, interaction_of_ranks, squares
from benchmill.inference.comparisons import range_isf, range_sf, tukey
from benchmill.reproduction.chiarandini2005 import scheffe, scheffe_msd

shapes = st.tuples(st.integers(2, 5), st.integers(2, 5), st.integers(1, 4))


def made(shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape) + np.random.default_rng(seed + 1).normal(size=(shape[0], 1, 1)) * 3


def residual(y, *factors):
    """Residual sum of squares of a linear model with these dummy columns."""
    design = np.column_stack([np.ones(y.size), *(np.eye(f.max() + 1)[f] for f in factors)])
    fitted = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return ((y - fitted) ** 2).sum(), y.size - np.linalg.matrix_rank(design)


@settings(deadline=None, max_examples=25)
@given(shapes, st.integers(0, 50))
def test_all_error_terms_by_least_squares(shape, seed):
    x = made(shape, seed)
    block, treatment, _ = (a.ravel() for a in np.indices(shape))
    y = x.ravel()
    additive, df = residual(y, block, treatment)
    without, _ = residual(y, block)
    cell, df_cell = residual(y, block * shape[1] + treatment)
    k = shape[1]
    top = (without - additive) / (k - 1)
    found = anova(x)
    assert found.df2 == df == x.size - shape[0] - k + 1
    assert found.f == pytest.approx(top / (additive / df))
    assert found.p == pytest.approx(scipy.stats.f.sf(found.f, k - 1, df))
    mixed = anova(x, "interaction")
    assert mixed.df2 == (shape[0] - 1) * (k - 1)
    assert mixed.f == pytest.approx(top / ((additive - cell) / mixed.df2), rel=1e-6)
    inner = anova(x, "cells")
    if shape[2] == 1:
        assert inner.f is None
        assert mixed.f == pytest.approx(found.f)
    else:
        assert inner.df2 == df_cell
        assert inner.f == pytest.approx(top / (cell / df_cell))


def test_two_treatments_are_the_paired_t_test():
    x = made((9, 2, 1))
    t = scipy.stats.ttest_rel(x[:, 0, 0], x[:, 1, 0])
    assert anova(x).f == pytest.approx(t.statistic**2)
    assert anova(x).p == pytest.approx(t.pvalue)
    assert tukey(x).p_adjusted[0] == pytest.approx(t.pvalue)
    assert scheffe(x).p_adjusted[0] == pytest.approx(t.pvalue)


def test_one_block_is_the_one_way_layout():
    x = made((1, 4, 6))
    other = scipy.stats.f_oneway(*x[0])
    assert anova(x).f == pytest.approx(other.statistic)
    assert anova(x).p == pytest.approx(other.pvalue)
    pairs = scipy.stats.tukey_hsd(*x[0])
    found = tukey(x)
    assert found.p_adjusted == pytest.approx(pairs.pvalue[found.a, found.b], rel=1e-6)
    span = pairs.confidence_interval(0.95)
    assert found.low == pytest.approx(span.low[found.a, found.b], rel=1e-6)
    assert found.high == pytest.approx(span.high[found.a, found.b], rel=1e-6)


@pytest.mark.parametrize("compare", [tukey, scheffe])
def test_msd_and_p_agree(compare):
    x = made((6, 5, 3), 4) + np.linspace(0, 2, 5)[:, None]
    found = compare(x, 0.05)
    assert np.array_equal(found.p_adjusted <= 0.05, np.abs(found.difference) >= found.msd)
    assert 0 < (found.p_adjusted <= 0.05).sum() < 10
    assert (scheffe(x).msd >= tukey(x).msd).all()


def test_undefined():
    for x in (np.ones((3, 3, 2)), np.empty((0, 3, 1)), np.ones((1, 3, 1)) * [[[1], [2], [3]]], np.ones((4, 1, 2))):
        assert anova(x).f is None
        assert np.isnan(tukey(x).p_adjusted).all()
        assert np.isnan(scheffe(x).msd).all()
        assert anova(x).df1 == x.shape[1] - 1
        assert np.isnan(tukey(x).msd).all()
        assert math.isnan(scheffe_msd(anova(x), 0.05))
    with pytest.raises(ValueError, match="finite"):
        anova([[1, math.inf], [2, 3]])
    assert squares(np.empty((0, 2, 2))).treatments == 0


@pytest.mark.parametrize(("k", "df"), [(2, 1), (3, 2), (3, 10), (9, 40), (10, 5), (30, 29000), (9, math.inf)])
def test_studentised_range_equals_scipy(k, df):
    q = np.array([0.0, 0.5, 2, 3.5, 5, 8])
    assert range_sf(q, k, df) == pytest.approx(scipy.stats.studentized_range.sf(q, k, df), abs=1e-9)
    level = range_isf(0.05, k, df)
    assert level == pytest.approx(scipy.stats.studentized_range.isf(0.05, k, df), rel=1e-7)


def test_studentised_range_in_closed_form():
    """Two means: sqrt(2) |t|, into the far tail; and the range of two normal variables."""
    q = np.array([1.0, 5, 20, 60])
    for df in (1, 4, 60, 499, 501, 4000):
        expected = 2 * scipy.stats.t.sf(q / math.sqrt(2), df)
        assert range_sf(q, 2, df) == pytest.approx(expected, rel=1e-6, abs=1e-14)
        # most ranges are larger than these quantiles, the smallest of them 0.18
        levels = [0.9, 0.6]
        quantiles = [range_isf(level, 2, df) for level in levels]
        assert quantiles == pytest.approx(math.sqrt(2) * scipy.stats.t.isf(np.array(levels) / 2, df), rel=1e-7)
    assert range_sf([math.nan], 3, 5).tolist() == pytest.approx([math.nan], nan_ok=True)


@given(shapes, st.integers(0, 50))
def test_squares_add_up(shape, seed):
    x = made(shape, seed)
    found = squares(x)
    assert found.treatments + found.blocks + found.interaction + found.cells == pytest.approx(((x - x.mean()) ** 2).sum())
    assert 1 + (shape[1] - 1) + (shape[0] - 1) + found.df_interaction + found.df_cells == x.size
    # of the block means alone
    same = np.broadcast_to(x.mean(axis=(1, 2), keepdims=True), x.shape)
    assert squares(same).blocks == pytest.approx(found.blocks)
    assert squares(np.zeros((0, 3, 1))).df_interaction == 0


def test_an_interaction_on_ranks_is_found_whatever_the_scale_of_a_block():
    rng = np.random.default_rng(8)
    scale = 10.0 ** rng.integers(-6, 6, (24, 1, 1))
    noise = rng.normal(size=(24, 4, 5))
    mixed = rng.normal(size=(24, 4, 1))
    assert interaction_of_ranks(np.exp(noise) * scale) > 0.05
    assert interaction_of_ranks(np.exp(noise + mixed) * scale) < 1e-6
    # a main effect alone is none, and failures are ranked
    assert interaction_of_ranks((noise + np.array([0.3, 0, 0, 0])[:, None]) * scale) > 0.05
    assert interaction_of_ranks(np.where(noise > 1, np.inf, noise + mixed)) < 1e-3
    for nothing in (np.ones((3, 2, 1)), np.ones((3, 2, 2)), np.ones((0, 3, 2)), noise[:1]):
        assert interaction_of_ranks(nothing) is None


def test_the_interaction_on_ranks_keeps_its_level():
    rng = np.random.default_rng(9)
    found = [interaction_of_ranks(np.exp(rng.normal(size=(24, 8, 5)))) for _ in range(400)]
    # 5 % of 400 is 20, with a standard deviation of 4.4
    assert sum(p <= 0.05 for p in found) <= 33


def test_the_error_of_interaction_keeps_the_level_where_problems_are_a_sample():
    """Exchangeable algorithms, interaction sd 1: the additive model calls some pair different in most studies."""
    rng = np.random.default_rng(10)
    studies = [rng.normal(size=(24, 5, 1)) + rng.normal(size=(24, 5, 5)) for _ in range(60)]
    false = {
        error: sum((tukey(x, error=error).p_adjusted <= 0.05).any() for x in studies) for error in ("additive", "interaction")
    }
    # 5 % of 60 is 3; more than 8 are found with a probability of 0.3 %
    assert false["interaction"] <= 8
    assert false["additive"] > 15
