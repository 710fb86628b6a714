"""Sets of ranks: counted by hand, as the verdict has them, and how often they hold in simulated studies."""

from __future__ import annotations

import numpy as np
import pytest

from benchmill.inference import clusters
from benchmill.inference.design import net_wins
from benchmill.inference.ranking import net_shares
from benchmill.inference.ranking import rank_sets as of_pairs
from benchmill.inference.verdicts import Declaration, primary, rank_sets, verdicts
from benchmill.registry.primary import Primary
from tests.inference.making import design


def test_ranks_count_those_shown_to_be_better_and_worse():
    # of four: the first is better than the third and fourth, the second than the fourth
    effect = np.array([0.1, 0.9, 0.9, 0.2, 0.8, -0.1])
    decided = np.array([False, True, True, False, True, False])
    low, high = of_pairs(effect, decided, 4)
    assert (low.tolist(), high.tolist()) == ([1, 1, 2, 3], [2, 3, 4, 4])
    low, high = of_pairs(effect, np.zeros(6, bool), 4)
    assert (low.tolist(), high.tolist()) == ([1] * 4, [4] * 4)


def test_a_study_has_a_row_for_each_algorithm():
    values = np.column_stack([np.arange(10.0), np.arange(10) + 1.0, np.arange(10) + 2.0])
    keys = [{"suite": "s", "problem": f"f{i}"} for i in range(10)]
    designs = {"m": [design(values, problems=keys, target=1.0), design(values[:, ::-1], problems=keys, target=2.0)]}
    rows = rank_sets(primary(designs, Declaration(primary=Primary(targets=[1.0])))).to_pylist()
    assert [(row["algorithm"], row["rank_low"], row["rank_high"], row["can_be_best"]) for row in rows] == [
        ("a1", 1, 1, True),
        ("a2", 2, 2, False),
        ("a3", 3, 3, False),
    ]
    assert [row["net_share"] for row in rows] == pytest.approx([1, 0, -1])
    # the targets pooled are all ties
    assert {(row["rank_low"], row["rank_high"]) for row in rank_sets(primary(designs, Declaration())).to_pylist()} == {(1, 3)}
    assert rank_sets(primary({}, Declaration())).num_rows == 0


@pytest.mark.parametrize("control", [None, "a3"])
def test_those_that_can_be_the_best_are_those_of_the_verdict(control):
    """One meaning in the sentence, the table and the pairs that are stated."""
    x = np.random.default_rng(5).normal(size=(20, 5)) + np.array([0, 0, 0.5, 1.5, 3])
    designs = {"m": [design(x, problems=[{"problem": f"f{i}"} for i in range(20)])]}
    plan = Declaration(control=control)
    about, *pairs = verdicts(designs, plan).to_pylist()
    beaten = {row["algorithm_b" if row["effect"] > 0 else "algorithm_a"] for row in pairs if row["significant"]}
    found = {row["algorithm"]: row for row in rank_sets(primary(designs, plan)).to_pylist()}
    assert 0 < len(beaten) < 5
    assert {name for name, row in found.items() if not row["can_be_best"]} == beaten
    assert all(row["can_be_best"] == (row["rank_low"] == 1) for row in found.values())
    if control is None:
        said = about["text"].rpartition(" by ")[2] if len(beaten) == 4 else about["text"]
        assert all(f"{name}" in said for name in found if name not in beaten)


def test_sets_hold_together():
    """Five algorithms, two of them equal and first: all ranks are covered in 95 % but 2.6 standard errors."""
    rng, of, held = np.random.default_rng(4), np.arange(16), 0
    i, j = np.triu_indices(5, 1)
    for _ in range(300):
        x = rng.normal(size=(16, 5)) + np.array([0, 0, 0.7, 0.7, 1.5])
        d = clusters.means(net_wins(x), of)
        found = clusters.flips(d, rng, permutations=199, most_counted=0)
        low, high = of_pairs(found.effect, found.p_adjusted <= 0.05, 5)
        held += (
            bool(((low <= [1, 1, 3, 3, 5]) & (high >= [2, 2, 4, 4, 5])).all())
            and not ((found.p_adjusted <= 0.05) & np.isin(i * 5 + j, [1, 13])).any()
        )
    assert held >= (0.95 - 0.033) * 300


def test_net_shares_that_cancel_are_nought():
    """A table would print -2.78×10⁻¹⁷."""
    assert net_shares(np.array([[0.1 + 0.2, 0.0, 0.3]]), ["A", "B", "C"])["B"] == 0.0
