import math
from itertools import permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmill.core import UserError
from benchmill.core.ranks import midranks
from benchmill.inference.design import from_ratios
from benchmill.inference.friedman import friedman
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, cost_rows, matrix_costs
from tests.inference.making import analyse

values = st.sampled_from([1.0, 2.0, 3.0, 4.0, 7.0, INF])
designs = hnp.arrays(float, st.tuples(st.integers(2, 8), st.integers(3, 6)), elements=values)


@given(designs)
def test_midranks_equal_scipy(costs):
    assert np.array_equal(midranks(costs), scipy.stats.rankdata(costs, axis=1))


def test_midranks_of_failures_rounding_and_signs():
    assert midranks([[INF, 1, INF]]).tolist() == [[2.5, 1, 2.5]]
    assert midranks([[0.1 + 0.2, 0.3, 0.1]]).tolist() == [[2.5, 2.5, 1]]
    assert midranks([[-3, -1e-300, 0, -4]]).tolist() == [[2, 3, 4, 1]]
    assert midranks([[5]]).tolist() == [[1]]
    assert midranks(np.empty((0, 3))).shape == (0, 3)


@given(designs)
def test_chi2_equals_scipy_which_corrects_ties(costs):
    result = friedman(costs)
    if result.chi2 is None:
        assert (np.ptp(midranks(costs), axis=1) == 0).all()
        return
    expected = scipy.stats.friedmanchisquare(*np.where(np.isinf(costs), 1e9, costs).T)
    assert result.chi2 == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert result.p_chi2 == pytest.approx(expected.pvalue, rel=1e-9)


@given(designs)
def test_f_is_the_analysis_of_variance_of_the_ranks(costs):
    """F from the sums of squares of a two-way layout, written out."""
    result = friedman(costs)
    assume(result.chi2 is not None)
    ranks = midranks(costs)
    b, k = ranks.shape
    grand = ranks.mean()
    treatments = b * ((ranks.mean(axis=0) - grand) ** 2).sum()
    residual = ((ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + grand) ** 2).sum()
    assume(residual > 1e-9)
    f = (treatments / (k - 1)) / (residual / ((b - 1) * (k - 1)))
    assert result.f == pytest.approx(f)
    assert result.residual == pytest.approx(residual / ((b - 1) * (k - 1)))
    assert result.p_f == pytest.approx(scipy.stats.f.sf(f, k - 1, (b - 1) * (k - 1)), rel=1e-6)
    # Iman and Davenport from chi2
    assert result.f == pytest.approx((b - 1) * result.chi2 / (b * (k - 1) - result.chi2))


@given(designs, st.randoms())
def test_order_of_blocks_does_not_matter_and_treatments_permute(costs, random):
    blocks, treatments = (random.sample(range(n), n) for n in costs.shape)
    one, two = friedman(costs), friedman(costs[blocks][:, treatments])
    assert (one.chi2, one.f) == (two.chi2, two.f)
    assert np.array_equal(two.average_ranks, one.average_ranks[treatments])


def test_perfect_agreement_has_the_exact_probability():
    result = friedman([[1, 2, 3]] * 4)
    assert result.f == INF
    assert result.p_f == pytest.approx((1 / 6) ** 3)
    assert result.residual == 0
    # by enumeration, with a tie: all rearrangements of the ranks within two blocks
    ranks = (1, 2.5, 2.5)
    alike = [a == b for a, b in product(permutations(ranks), permutations(ranks))]
    assert friedman([[1, 2, 2]] * 2).p_f == pytest.approx(np.mean(alike))


def test_undefined_is_none():
    for costs in ([[1, 2, 3]], [[1], [2]], [[1, 1, 1], [INF, INF, INF]]):
        result = friedman(costs)
        assert (result.chi2, result.f, result.p_chi2, result.p_f, result.residual) == (None,) * 5
    assert friedman([[1, 1, 1], [INF, INF, INF], [1, 2, 2]]).n_all_tied == 2
    assert np.isnan(friedman(np.empty((0, 3))).average_ranks).all()


def test_tables():
    costs = {1.0: [[1, 2, 3], [1, 3, 2], [2, 5, 4], [1, 4, 9]], 0.1: [[INF] * 3] * 4}
    rows = [
        {"algorithm": f"a{i}", "problem": f"p{j}", "target": t, "cost": c, "budget": 1}
        for t, matrix in costs.items()
        for j, block in enumerate(matrix)
        for i, c in enumerate(block)
    ]
    rows.append({"algorithm": "a0", "problem": "only", "target": 1.0, "cost": 1})
    found = analyse(from_ratios(ratios(cost_rows(rows), measure="m"), measure="m"), measure="m", alpha=0.1, methods=["friedman"])
    tests, ranks = found["tests"], found["ranks"]
    chi2, f, no_chi2, no_f = tests.to_pylist()
    expected = scipy.stats.friedmanchisquare(*np.array(costs[1.0]).T)
    assert (chi2["method"], f["method"], chi2["target"], no_f["target"]) == ("friedman", "iman_davenport", 1.0, 0.1)
    assert (chi2["statistic"], chi2["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (chi2["df1"], chi2["df2"], f["df1"], f["df2"]) == (2, None, 2, 6)
    assert (chi2["n_blocks"], chi2["n_treatments"], chi2["n_left_out"], chi2["n_all_tied"]) == (4, 3, 1, 0)
    assert chi2["significant"] == (expected.pvalue <= 0.1)
    assert (no_chi2["statistic"], no_chi2["p"], no_chi2["significant"], no_chi2["n_all_tied"]) == (None, None, False, 4)
    assert ranks.filter(ranks.column("target").to_numpy() == 1.0).column("average_rank").to_pylist() == [1, 2.5, 2.5]
    assert set(ranks.column("n_blocks").to_pylist()) == {4}


def test_problems_that_nobody_shares_leave_no_block():
    table = ratios(cost_rows([{"algorithm": a, "problem": a, "cost": 1} for a in "AB"]), measure="m")
    found = analyse(from_ratios(table, measure="m"), measure="m", methods=["friedman"])
    tests, ranks = found["tests"], found["ranks"]
    assert tests.column("n_blocks").to_pylist() == [0, 0]
    assert tests.column("n_left_out").to_pylist() == [2, 2]
    assert tests.column("p").null_count == 2
    assert ranks.num_rows == 0


def test_unknown_measure():
    with pytest.raises(UserError, match="there are no ratios of it"):
        from_ratios(ratios(matrix_costs([[1.0]]), measure="m"), measure="x")


def test_large_designs_are_exact_and_fast():
    # 1000 algorithms on 300 problems without noise but one swapped pair
    costs = np.tile(np.arange(1.0, 1001), (300, 1))
    costs[0, :2] = 2, 1
    result = friedman(costs)
    assert math.isfinite(result.f)
    assert result.residual > 0
