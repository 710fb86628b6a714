import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.core.ranks import midranks
from benchmill.inference.comparisons import conover, nemenyi
from benchmill.inference.design import from_ratios
from benchmill.inference.friedman import friedman
from benchmill.profiles.ratios import ratios
from benchmill.registry.entry import asked
from benchmill.registry.inference import COMPARISONS, CORRECTIONS
from tests.costs.making import INF, cost_rows, matrix_costs
from tests.inference.making import analyse, rows
from tests.inference.test_friedman import designs


def pairwise(table, **settings):
    settings.setdefault("comparisons", settings.pop("methods", ("conover", "nemenyi")))
    return analyse(from_ratios(table, measure="m"), measure="m", **settings)["comparisons"]


@given(designs)
def test_conover_by_conovers_own_formula_for_rank_sums(costs):
    """|R_i - R_j| against t sqrt(2 (b A - sum R_j^2) / ((b - 1)(k - 1))): Conover 1999, section 5.8."""
    assume(friedman(costs).residual)
    ranks = midranks(costs)
    b, k = ranks.shape
    sums = ranks.sum(axis=0)
    scale = math.sqrt(2 * (b * (ranks**2).sum() - (sums**2).sum()) / ((b - 1) * (k - 1)))
    found = conover(costs, 0.1)
    expected = (sums[found.a] - sums[found.b]) / scale
    assert found.statistic == pytest.approx(expected)
    assert found.p == pytest.approx(2 * scipy.stats.t.sf(np.abs(expected), (b - 1) * (k - 1)))
    pairs = k * (k - 1) // 2
    assert found.msd == pytest.approx(scipy.stats.t.isf(0.1 / 2 / pairs, (b - 1) * (k - 1)) * scale / b)
    # whoever differs by the bound for all pairs differs by Holm's steps
    assert (found.p_adjusted[np.abs(found.difference) > found.msd * (1 + 1e-9)] <= 0.1).all()


def test_agreement_of_all_blocks_is_a_sign_test_and_not_certainty():
    found = conover([[1, 2]] * 5)
    assert found.statistic.tolist() == [-INF]
    assert found.p.tolist() == [2 * 0.5**5]
    assert np.isnan(found.msd).all()
    assert conover([[1, 1, 2]] * 5).p.tolist() == [1, 2 * 0.5**5, 2 * 0.5**5]


def test_nemenyi_against_tables_of_the_studentised_range():
    # Demšar 2006, table 5(a): q_0.05 for 2 to 10 classifiers
    table = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    rng = np.random.default_rng(1)
    for k, q in enumerate(table, start=2):
        found = nemenyi(rng.random((7, k)), 0.05)
        assert found.msd == pytest.approx(q * math.sqrt(k * (k + 1) / 6 / 7), abs=2e-3)


@given(designs)
def test_nemenyi_decides_by_the_critical_difference(costs):
    assume(friedman(costs).residual is not None)
    found = nemenyi(costs, 0.05)
    clear = np.abs(np.abs(found.difference) - found.msd) > 1e-6
    assert np.array_equal((found.p_adjusted <= 0.05)[clear], (np.abs(found.difference) >= found.msd)[clear])


def test_table():
    rng = np.random.default_rng(3)
    costs = rng.random((4, 9)) + np.arange(4)[:, None] / 2
    table = pairwise(ratios(matrix_costs(costs), measure="m", aggregate="single"), alpha=0.05)
    assert table.column("method").to_pylist() == ["conover"] * 6 + ["nemenyi"] * 6
    assert table.column("correction").to_pylist() == ["holm"] * 6 + ["studentised_range"] * 6
    names = [(r["algorithm_a"], r["algorithm_b"]) for r in table.to_pylist()[:6]]
    assert names == [("a1", "a2"), ("a1", "a3"), ("a1", "a4"), ("a2", "a3"), ("a2", "a4"), ("a3", "a4")]
    first, last = table.to_pylist()[2], table.to_pylist()[8]
    assert first["difference"] < 0  # a1 is better than a4
    assert first["p_adjusted"] >= first["p"]
    assert last["p"] is None
    assert last["df"] == INF
    for row in table.to_pylist():
        assert row["significant"] == (row["p_adjusted"] <= 0.05)
    only = pairwise(ratios(matrix_costs(costs), measure="m", aggregate="single"), methods=["nemenyi"])
    assert only.num_rows == 6


@pytest.mark.parametrize("costs", [[[1.0], [2.0]], [[1.0, 1.0], [1.0, 1.0]], [[INF, INF], [INF, INF]]])
def test_nothing_to_test_is_null_and_not_significant(costs):
    table = pairwise(ratios(matrix_costs(costs), measure="m", aggregate="single"))
    assert table.num_rows == 2
    for name in ("statistic", "p", "p_adjusted", "msd"):
        assert table.column(name).null_count == 2
    assert table.column("significant").to_pylist() == [False, False]


def test_one_algorithm_or_no_common_problem_has_no_pairs_to_show():
    assert pairwise(ratios(matrix_costs([[1.0, 2.0]]), measure="m")).num_rows == 0
    alone = ratios(cost_rows([{"algorithm": a, "problem": a, "cost": 1} for a in "AB"]), measure="m")
    assert pairwise(alone).num_rows == 0
    with pytest.raises(UserError, match="there is no 'dunn'; choose from net_wins, "):
        pairwise(alone, methods=["dunn"])


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([1, 4]), st.floats(0, 2.5))
def test_interval_and_decision_never_contradict_each_other(seed, runs, shift):
    """Of every comparison with intervals, under every correction: 0 is outside if and only if the pair is significant."""
    x = np.random.default_rng(seed).gamma(2.0, size=(9, 4, runs)) + shift * np.array([0, 0, 0.6, 1.2])[:, None]
    names = [name for name, comparison in COMPARISONS.items() if name != "log_rank_pairs"]
    every = {"comparisons": names, "corrections": list(asked(CORRECTIONS)), "methods": [], "permutations": 199}
    checked = set()
    for row in rows(x, "comparisons", seed=seed, **every):
        if row["low"] is not None:
            checked.add(row["method"])
            assert row["low"] <= row["difference"] <= row["high"]
            assert row["significant"] == (not row["low"] <= 0 <= row["high"])
        # the minimum significant difference is Bonferroni's, which a stepwise correction can only undercut
        if row["method"] in ("conover", "tukey", "scheffe", "nemenyi") and row["msd"] is not None:
            assert row["significant"] or abs(row["difference"]) <= row["msd"] * (1 + 1e-9)
    assert checked >= {"net_wins", "conover", "nemenyi", "tukey", "scheffe"}
