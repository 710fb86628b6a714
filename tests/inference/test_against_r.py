"""Numbers that R 4.2.2 gives for small data sets; each test has the call that made them."""

import numpy as np
import pytest

from benchmill.inference import corrections
from benchmill.inference.anova import anova, checks
from benchmill.inference.comparisons import range_isf, range_sf, tukey, wilcoxon
from benchmill.inference.friedman import friedman
from benchmill.reproduction.chiarandini2005 import scheffe

# x <- matrix(c(3,5,2,8, ...), nrow=7, byrow=TRUE): blocks by treatments, with ties
X = np.array([[3, 5, 2, 8], [1, 4, 4, 9], [2, 2, 6, 7], [5, 3, 1, 8], [4, 6, 5, 5], [7, 8, 3, 9], [2, 6, 4, 4]], float)

# y <- c(4.1, 5.3, ...); d <- data.frame(y=y, t=factor(rep(rep(1:3, each=4), 3)), b=factor(rep(1:3, each=12)))
Y = np.array(
    [
        [[4.1, 5.3, 3.8, 4.9], [5.2, 6.1, 6.6, 5.0], [7.9, 6.8, 8.1, 7.2]],
        [[9.3, 8.8, 10.4, 9.9], [9.1, 11.2, 10.8, 9.7], [12.5, 11.9, 12.2, 13.3]],
        [[2.2, 3.1, 1.7, 2.9], [2.0, 2.6, 3.3, 2.4], [6.1, 5.2, 4.9, 6.6]],
    ]
)

U = np.array([12.1, 9.4, 14.8, 10.2, 8.8, 13.5, 11.7, 9.9, 15.2, 10.6])
V = np.array([11.3, 9.9, 12.9, 10.9, 7.1, 12.0, 12.8, 8.6, 13.6, 9.4])


def test_friedman():
    # friedman.test(x)
    found = friedman(X)
    assert (found.chi2, found.p_chi2) == pytest.approx((10.4090909090909, 0.0153904383330879))


def test_analysis_of_variance():
    # summary(aov(y ~ b + t, d)); summary(aov(y ~ b * t, d)); summary(aov(y ~ t + Error(b/t), d))
    additive, within, sampled = (anova(Y, error) for error in ("additive", "cells", "interaction"))
    assert (additive.f, additive.p, additive.df1, additive.df2) == pytest.approx((60.0974453005164, 2.15417494527968e-11, 2, 31))
    assert (within.f, within.p) == pytest.approx((60.560124839361, 1.04740812287463e-10))
    assert (sampled.f, sampled.p) == pytest.approx((57.1502079002078, 0.00114326640131561))
    # Design 1: aov(y ~ b + t) on x
    single = anova(X)
    assert (single.f, single.p) == pytest.approx((5.31262729124236, 0.00845268885914349))


def test_tukey():
    # TukeyHSD(aov(y ~ b + t, d), "t"), pairs 2-1, 3-1, 3-2
    found = tukey(Y)
    assert -found.difference == pytest.approx([0.633333333333334, 3.025, 2.391666666666667])
    assert -found.high == pytest.approx([-0.0829774705432322, 2.3086891961234342, 1.6753558627901006], abs=1e-5)
    assert -found.low == pytest.approx([1.34964413720990, 3.74131080387657, 3.10797747054323], abs=1e-5)
    # R's tail is a difference to 1: 3.8e-11 has few digits
    assert found.p_adjusted == pytest.approx(
        [9.13026070236330e-02, 3.77852193977901e-11, 8.27160628880108e-09], rel=1e-6, abs=1e-11
    )
    assert (scheffe(Y).msd > found.msd).all()


def test_wilcoxon():
    # wilcox.test(u, v, paired=TRUE, exact=TRUE); wilcox.test(u, v, paired=TRUE, exact=FALSE, correct=FALSE)
    exact = wilcoxon(U[:, None], V[:, None])
    assert (exact.w_plus[0], exact.p[0]) == (48, pytest.approx(0.037109375))
    normal = wilcoxon(U[:, None], V[:, None], exact_limit=0)
    assert normal.p[0] == pytest.approx(0.0366579286722145)


def test_adjusted_p_values():
    # p.adjust(p, method)
    p = [0.0004, 0.0131, 0.0250, 0.0093, 0.2100, 0.0471, 0.0008, 0.6200, 0.0311, 0.0050]
    expected = {
        "holm": [0.004, 0.0786, 0.125, 0.0651, 0.42, 0.1413, 0.0072, 0.62, 0.125, 0.04],
        "bonferroni": [0.004, 0.131, 0.25, 0.093, 1, 0.471, 0.008, 1, 0.311, 0.05],
    }
    for name, values in expected.items():
        assert corrections.adjusted(p, name) == pytest.approx(values)


def test_checks_of_assumptions():
    # r <- residuals(aov(y ~ b * t, d)); shapiro.test(r); aov(abs(r - ave(r, d$t, FUN=median)) ~ d$t)
    found = {check.name: check for check in checks(Y)}
    assert (found["shapiro_wilk"].statistic, found["shapiro_wilk"].p) == pytest.approx((0.924603399718137, 0.0172245523602447))
    assert (found["brown_forsythe"].statistic, found["brown_forsythe"].p) == pytest.approx((0.220683066634818, 0.803144760632622))
    # the line b:t of summary(aov(y ~ b * t, d))
    assert (found["interaction"].statistic, found["interaction"].p) == pytest.approx((1.05966587112172, 0.395476196715365))
    # anova(lm(y ~ b + t), lm(y ~ b + t + fitted^2)) on x
    tukeys = next(check for check in checks(X) if check.name == "tukey_additivity")
    assert (tukeys.statistic, tukeys.p) == pytest.approx((0.00215053511544506, 0.963552685940529))


@pytest.mark.parametrize(
    ("k", "df", "tails", "quantile", "error"),
    [
        (3, 2, [0.935556794428081, 0.476560568374146, 0.229471520694271, 0.0920938042467953], 8.33078255118983, 1e-9),
        (9, 40, [0.999991153684784, 0.885688664382219, 0.274361768373815, 0.0036634817186314], 4.63445732608767, 1e-9),
        (30, 5, [1, 0.991503966854668, 0.728006352997231, 0.210924248050547], 8.87471832829457, 1e-6),
        (50, 200, [1, 0.999999871945262, 0.944654607690124, 0.0265471815339062], 5.73985322288937, 1e-6),
    ],
)
def test_studentised_range(k, df, tails, quantile, error):
    # ptukey(c(0.5, 2, 3.5, 6), k, df, lower.tail=FALSE); qtukey(0.95, k, df), whose documented tolerance is 0.0001.
    # For many means R is up to 2.2e-7 off: the next test has the integral by another rule.
    q = [0.5, 2.0, 3.5, 6.0]
    assert range_sf(q, k, df) == pytest.approx(tails, abs=error)
    assert range_isf(0.05, k, df) == pytest.approx(quantile, rel=1e-5)


@pytest.mark.parametrize(("k", "df"), [(3, 2), (9, 40), (30, 5), (50, 200)])
def test_studentised_range_by_the_trapezoid_rule(k, df):
    """The defining double integral on an even grid, in its other form: P(range <= q s), averaged over s."""
    from scipy.special import gammaln, ndtr

    z = np.linspace(-9, 9, 1201)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    u = np.linspace(-14, 4, 4001) if df < 10 else np.linspace(-1.5, 1.0, 1501)
    log_density = np.log(2) + df / 2 * np.log(df / 2) - gammaln(df / 2) + df * u - df / 2 * np.exp(2 * u)
    weight = np.exp(log_density) * (u[1] - u[0])
    for q in (2.0, 3.5, 6.0):
        reach = q * np.exp(u)
        inner = k * sum(d * (ndtr(v) - ndtr(v - reach)) ** (k - 1) for v, d in zip(z, density, strict=True))
        assert range_sf(q, k, df) == pytest.approx(1 - float(inner @ weight), abs=2e-10)
