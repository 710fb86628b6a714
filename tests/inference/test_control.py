"""One algorithm against each other: the pairs of a control in a family of their own."""

import re

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import benchmill as bm
from benchmill.core import UserError

NAMES = list("ABCDE")


@pytest.fixture(scope="module")
def wide():
    rng = np.random.default_rng(5)
    values = rng.lognormal(0, 1, (15, 5)) * [1.0, 1.6, 0.8, 3.0, 1.1]
    return pd.DataFrame(values, columns=NAMES).rename_axis("problem").reset_index()


def compared(wide, control, **options):
    options = {"comparisons": "wilcoxon", "normalise": "none", "permutations": 199, **options}
    return bm.compare(bm.costs(wide, wide=NAMES), control=control, **options)


def holm(p):
    """Holm 1979, by hand: the i-th smallest times what is left, never below one before it."""
    order, adjusted, least = sorted(range(len(p)), key=p.__getitem__), [0.0] * len(p), 0.0
    for place, index in enumerate(order):
        least = max(least, (len(p) - place) * p[index])
        adjusted[index] = min(least, 1.0)
    return adjusted


@pytest.mark.parametrize("control", ["A", "C", "E"])
def test_wilcoxon_and_holm_are_those_of_scipy_and_by_hand(wide, control):
    found = compared(wide, control, corrections="holm").against
    others = [name for name in NAMES if name != control]
    assert found["algorithm_a"].tolist() == [control] * 4
    assert found["algorithm_b"].tolist() == others
    p = [scipy.stats.wilcoxon(wide[control], wide[other], method="exact").pvalue for other in others]
    np.testing.assert_allclose(found["p"], p, rtol=1e-12)
    np.testing.assert_allclose(found["p_adjusted"], holm(p), rtol=1e-12)
    assert found["significant"].tolist() == [value <= 0.05 for value in holm(p)]
    wins = [(wide[control] < wide[other]).mean() for other in others]
    np.testing.assert_allclose(found["a_better"], wins, rtol=1e-12)
    # rank-biserial correlation; negative where the control is better
    for other, difference in zip(others, found["difference"], strict=True):
        d = (wide[control] - wide[other]).to_numpy()
        ranks = scipy.stats.rankdata(np.abs(d))
        assert difference == pytest.approx((ranks * np.sign(d)).sum() / ranks.sum(), rel=1e-12)


def test_a_family_is_the_pairs_of_the_control_by_one_method(wide):
    c = compared(wide, "C", comparisons=["wilcoxon", "conover", "nemenyi"], corrections=["bonferroni", "shaffer", "none"])
    found = c.against
    kept = [("wilcoxon", "bonferroni"), ("wilcoxon", "none"), ("conover", "bonferroni"), ("conover", "none")]
    assert list(dict.fromkeys(zip(found["method"], found["correction"], strict=True))) == kept
    by = {key: rows["p_adjusted"].to_numpy() for key, rows in found.groupby(["method", "correction"], observed=True)}
    for method in ("wilcoxon", "conover"):
        np.testing.assert_allclose(by[method, "bonferroni"], np.minimum(4 * by[method, "none"], 1), rtol=1e-12)
    # all pairs stay what they are
    assert c.frame.equals(
        compared(wide, None, comparisons=["wilcoxon", "conover", "nemenyi"], corrections=["bonferroni", "shaffer", "none"]).frame
    )
    least = found.query("method == 'wilcoxon' and correction == 'bonferroni'")["p_adjusted_min"]
    np.testing.assert_allclose(least, 4 * 2.0**-14, rtol=1e-12)


def test_shaffer_needs_all_pairs_even_where_the_number_of_pairs_fits(wide):
    # three pairs with a control are as many as all pairs of three algorithms
    costs = bm.costs(wide.drop(columns="E"), wide=NAMES[:4])
    c = bm.compare(costs, control="A", comparisons="wilcoxon", corrections=["shaffer"], normalise="none")
    with pytest.raises(UserError, match="wilcoxon with shaffer cannot be corrected"):
        _ = c.against


def test_statements_are_of_the_control_alone(wide):
    c = compared(wide, "C")
    pairs = c.statements.dropna(subset="algorithm_a")
    assert pairs["algorithm_a"].tolist() == ["C"] * 4
    assert pairs["family"].unique().tolist() == ["C against every other algorithm"]
    assert pairs["family_size"].tolist() == [4] * 4
    assert pairs["analysis"].unique().tolist() == ["primary"]
    assert c.verdict[0] == c.statements["text"].iloc[0]
    assert c.verdict[0].startswith("Primary analysis")
    assert " C is better than D " in c.verdict[0]
    assert len(compared(wide, None).statements.dropna(subset="algorithm_a")) == 10


def test_how_much_worse_the_control_is_is_said_without_a_sign(wide):
    text = compared(wide, "D").verdict[0]
    pair = compared(wide, "D").statements.query("algorithm_b == 'C'").iloc[0]
    assert pair["significant"]
    assert pair["effect"] < 0
    assert "D is worse than " in text
    said = re.search(r"C by ([0-9.]+) \(([0-9.]+) to ([0-9.]+)\)", text)
    expected = [-pair[end] for end in ("effect", "effect_high", "effect_low")]
    np.testing.assert_allclose([float(number) for number in said.groups()], expected, rtol=5e-3)
