"""Tests and comparisons against R, statsmodels, scikit-posthocs, baycomp and autorank, where they are installed."""

import importlib.util
import shutil
import subprocess
import warnings

import numpy as np
import pytest

from benchmill.inference import corrections
from benchmill.inference.anova import anova, checks
from benchmill.inference.bayes import signed_rank
from benchmill.inference.comparisons import conover, nemenyi, range_isf, range_sf, signed_ranks, tukey, wilcoxon
from benchmill.inference.friedman import friedman

pytestmark = pytest.mark.compare

needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")


def module(name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"needs {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def r(code, **arrays):
    """Numbers that an R program prints, one a line."""
    head = "".join(f"{name} <- c({','.join(repr(float(v)) for v in np.ravel(value))})\n" for name, value in arrays.items())
    made = subprocess.run(
        ["Rscript", "-"], input=head + "options(digits=17)\n" + code, capture_output=True, text=True, check=True
    )
    return [float(word) for word in made.stdout.split()]


@pytest.fixture(scope="module")
def matrix():
    """Blocks by treatments, with ties."""
    return np.random.default_rng(1).integers(0, 12, (9, 5)) + np.array([0.0, 0, 1, 2, 4])


@pytest.fixture(scope="module")
def replicated():
    x = np.random.default_rng(2).normal(size=(4, 3, 5)) + np.array([0, 0.3, 1.2])[:, None]
    return x + np.arange(4.0)[:, None, None]


@needs_r
def test_friedman(matrix):
    code = """m <- matrix(x, nrow=9, byrow=TRUE)
    f <- friedman.test(m)
    cat(f$statistic, f$p.value)"""
    found = friedman(matrix)
    assert r(code, x=matrix) == pytest.approx([found.chi2, found.p_chi2])


@needs_r
def test_anova_and_tukey(replicated):
    code = """d <- data.frame(y=x, t=factor(rep(rep(1:3, each=5), 4)), b=factor(rep(1:4, each=15)))
    a <- aov(y ~ b + t, d); s <- summary(a)[[1]]
    i <- summary(aov(y ~ b * t, d))[[1]]
    e <- summary(aov(y ~ t + Error(b/t), d))[["Error: b:t"]][[1]]
    h <- TukeyHSD(a, "t")$t
    cat(s[2, 4], s[2, 5], i[2, 4], i[2, 5], e[1, 4], e[1, 5], h[, 1], h[, 4])"""
    values = r(code, x=replicated)
    expected = []
    for error in ("additive", "cells", "interaction"):
        found = anova(replicated, error)
        expected += [found.f, found.p]
    pairs = tukey(replicated)
    # R orders its pairs 2-1, 3-1, 3-2 and takes the second minus the first
    assert values[:9] == pytest.approx([*expected, *(-pairs.difference)])
    assert values[9:] == pytest.approx(pairs.p_adjusted, rel=1e-5, abs=1e-9)


@needs_r
def test_studentised_range():
    q = np.array([0.5, 2.0, 3.5, 6.0])
    for k, df in ((3, 2), (9, 40), (50, 200), (30, 5)):
        values = r(f"cat(ptukey(q, {k}, {df}, lower.tail=FALSE), qtukey(0.95, {k}, {df}))", q=q)
        # for many means R is up to 2.2e-7 away from the integral by the trapezoid rule, this and SciPy are not
        assert values[:4] == pytest.approx(range_sf(q, k, df), abs=3e-7)
        assert values[4] == pytest.approx(range_isf(0.05, k, df), rel=1e-5)


@needs_r
def test_wilcoxon():
    rng = np.random.default_rng(3)
    for n in (6, 25, 80):
        x, y = rng.normal(size=(2, n))
        (value,) = r("cat(wilcox.test(x, y, paired=TRUE, exact=length(x) <= 50, correct=FALSE)$p.value)", x=x, y=y)
        assert wilcoxon(x[:, None], y[:, None]).p[0] == pytest.approx(value)


@needs_r
def test_adjusted_p_values():
    p = np.random.default_rng(4).random(15) ** 3
    for name in ("holm", "bonferroni"):
        assert r(f'cat(p.adjust(x, "{name}"))', x=p) == pytest.approx(corrections.adjusted(p, name))


def test_statsmodels():
    module("statsmodels")
    multitest = module("statsmodels.stats.multitest")
    p = np.random.default_rng(5).random(21) ** 3
    for name in ("holm", "bonferroni"):
        assert multitest.multipletests(p, method=name)[1] == pytest.approx(corrections.adjusted(p, name))


def test_scikit_posthocs(matrix):
    """Nemenyi and Conover agree; its Wilcoxon takes no midranks into account, so that is compared without ties."""
    sp = module("scikit_posthocs")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = nemenyi(matrix)
        assert np.array(sp.posthoc_nemenyi_friedman(matrix))[found.a, found.b] == pytest.approx(found.p_adjusted, abs=1e-6)
        plain = conover(matrix, correction="none")
        assert np.array(sp.posthoc_conover_friedman(matrix))[plain.a, plain.b] == pytest.approx(plain.p_adjusted)
        x = np.random.default_rng(6).normal(size=(12, 4))
        exact = signed_ranks(x)
        rows = x.T.tolist()
        assert np.array(sp.posthoc_wilcoxon(rows, p_adjust="holm"))[exact.a, exact.b] == pytest.approx(exact.p_adjusted)


def test_baycomp():
    """The Bayesian signed-rank test, whose regions baycomp calls left (the first scores less) and right."""
    baycomp = module("baycomp")
    draw = np.random.default_rng(9)
    for shift, rope in ((0.0, 0.3), (0.4, 0.2), (0.2, 0.01)):
        x, y = draw.normal(size=(2, 14)) + np.array([[0.0], [shift]])
        found = signed_rank(x - y, np.random.default_rng(10), rope=rope)
        # left: x exceeds y, so that as costs the second is better
        left, equal, right = baycomp.SignedRankTest(x, y, rope, nsamples=20_000, random_state=1).probs()
        assert (found.b_better, found.equal, found.a_better) == pytest.approx((left, equal, right), abs=0.015)


def test_autorank(matrix):
    """Its average ranks and its critical difference, which is Nemenyi's."""
    autorank = module("autorank")
    pandas = module("pandas")
    frame = pandas.DataFrame(matrix, columns=list("abcde"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = autorank.autorank(frame, alpha=0.05, verbose=False, order="ascending", force_mode="nonparametric")
    ours = nemenyi(matrix)
    assert found.omnibus == "friedman"
    assert found.cd == pytest.approx(ours.common_msd, rel=1e-4)
    ranks = friedman(matrix).average_ranks
    assert found.rankdf["meanrank"].loc[list("abcde")].to_numpy() == pytest.approx(ranks)
    assert found.pvalue == pytest.approx(friedman(matrix).p_chi2)


@needs_r
def test_brown_forsythe_and_interaction(replicated):
    code = """d <- data.frame(y=x, t=factor(rep(rep(1:3, each=5), 4)), b=factor(rep(1:4, each=15)))
    r <- residuals(aov(y ~ b * t, d)); z <- abs(r - ave(r, d$t, FUN=median)); f <- summary(aov(z ~ d$t))[[1]]
    i <- summary(aov(y ~ b * t, d))[[1]]; s <- shapiro.test(r)
    cat(f[1, 4], f[1, 5], i[3, 4], i[3, 5], s$statistic, s$p.value)"""
    found = {check.name: check for check in checks(replicated)}
    expected = [v for name in ("brown_forsythe", "interaction", "shapiro_wilk") for v in (found[name].statistic, found[name].p)]
    assert r(code, x=replicated) == pytest.approx(expected)
