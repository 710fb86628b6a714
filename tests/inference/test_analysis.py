"""The tables of an analysis: every method in its rows, what cannot be computed is null, same seed same numbers."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from benchmill.core import UserError, seeds
from benchmill.inference import permutation
from benchmill.inference.analysis import normalise
from benchmill.registry import inference as registry
from benchmill.registry.entry import asked
from benchmill.registry.inference import COMPARISONS, CORRECTIONS
from benchmill.reproduction.chiarandini2005 import published
from tests.inference.making import analyse, design

ALL = {
    "methods": list(asked(registry.TESTS)),
    "comparisons": list(COMPARISONS),
    "corrections": list(asked(CORRECTIONS)),
    "permutations": 199,
}


@pytest.fixture(scope="module")
def values():
    return np.random.default_rng(1).gamma(2.0, size=(5, 4, 6)) + np.array([0, 0.2, 0.6, 1.5])[:, None] + 1


def test_every_method_has_its_rows(values):
    found = analyse([design(values)], measure="m", **ALL)
    tests = {row["method"]: row for row in found["tests"].to_pylist()}
    assert list(tests) == list(registry.TESTS)
    assert all(0 <= row["p"] <= 1 for row in tests.values())
    assert all(row["p_min"] is None or row["p"] >= row["p_min"] for row in tests.values())
    assert (tests["synchronised"]["n_resamples"], tests["anova"]["n_resamples"]) == (199, None)
    assert all(row["significant"] == (row["p"] <= 0.05) for row in tests.values())
    pairs = found["comparisons"].to_pylist()
    free = [name for name, comparison in COMPARISONS.items() if not comparison.correction]
    assert len(pairs) == 6 * (len(free) * len(asked(CORRECTIONS)) + len(COMPARISONS) - len(free))
    for row in pairs:
        by_msd = row["msd"] is not None and abs(row["difference"]) > row["msd"]
        by_p = row["p_adjusted"] is not None and row["p_adjusted"] <= 0.05
        assert row["significant"] == (by_msd if row["method"] == "permutation_published" else by_p)
    assert all(row["a_better_low"] <= row["a_better"] <= row["a_better_high"] for row in pairs)
    of_means = {"tukey", "tukey_cells", "tukey_interaction", "scheffe", "permutation"}
    assert {row["method"] for row in found["intervals"].to_pylist()} == {"conover", "nemenyi"} | of_means
    assert [row["check"] for row in found["assumptions"].to_pylist()] == [
        "shapiro_wilk",
        "brown_forsythe",
        "brown_forsythe_blocks",
        "interaction",
    ]


def test_all_methods_agree_on_the_direction(values):
    pairs = analyse([design(values)], measure="m", **ALL)["comparisons"].to_pylist()
    first_last = [row for row in pairs if (row["algorithm_a"], row["algorithm_b"]) == ("a1", "a4")]
    assert len(first_last) > 8
    assert all(row["difference"] < 0 for row in first_last)
    assert all(row["a_better"] > 0.5 for row in first_last)
    assert all(row["low"] <= row["difference"] <= row["high"] for row in first_last if row["low"] is not None)


def test_same_seed_same_numbers(values):
    one, two = (analyse([design(values)], measure="m", seed=3, **ALL) for _ in range(2))
    assert all(one[name].equals(two[name]) for name in one)
    other = analyse([design(values)], measure="m", seed=4, **ALL)
    assert not one["tests"].equals(other["tests"])


def test_failures_leave_what_takes_them_and_nothing_else(values):
    x = values.copy()
    x[0, 0, 0] = math.inf
    found = analyse([design(x, n_failures=1)], measure="m", **ALL)
    for row in found["tests"].to_pylist():
        assert (row["p"] is None) == (row["method"] not in ("cluster_permutation", "log_rank", "friedman", "iman_davenport"))
        assert row["n_failures"] == 1
    for row in found["comparisons"].to_pylist():
        assert (row["p_adjusted"] is None) == (not COMPARISONS[row["method"]].failures)
    assert found["assumptions"].num_rows == 0
    assert {row["method"] for row in found["intervals"].to_pylist()} == {"conover", "nemenyi"}


@pytest.mark.parametrize("shape", [(0, 3, 1), (1, 2, 1), (3, 1, 2), (4, 2, 1), (1, 3, 2)])
def test_small_designs(shape):
    found = analyse([design(np.random.default_rng(0).random(shape) + 1)], measure="m", **ALL)
    assert all(row["p"] is None or 0 <= row["p"] <= 1 for row in found["tests"].to_pylist())
    assert found["designs"].to_pylist()[0]["n_blocks"] == shape[0]


def test_a_design_made_by_hand_leaves_nothing_out(values):
    (made,) = analyse([design(values)], measure="m")["designs"].to_pylist()
    assert (made["n_left_out"], made["n_runs_unused"], made["n_failures"]) == (0, 0, 0)


def test_limits_of_the_design():
    x = np.tile(np.arange(9.0), (6, 1)) + 1
    found = analyse([design(x)], measure="m", comparisons=["wilcoxon", "nemenyi", "permutation"], methods=["friedman"])
    pairs = {row["method"]: row for row in found["comparisons"].to_pylist()}
    assert (pairs["wilcoxon"]["p_min"], pairs["wilcoxon"]["p_adjusted_min"]) == (0.03125, 1.0)
    assert math.isinf(pairs["permutation"]["msd"])
    # consistent ranks are as far as Friedman and Nemenyi go
    for row in found["tests"].to_pylist():
        assert row["p"] == pytest.approx(row["p_min"])
    extreme = [
        r
        for r in found["comparisons"].to_pylist()
        if (r["method"], r["algorithm_a"], r["algorithm_b"]) == ("nemenyi", "a1", "a9")
    ]
    assert extreme[0]["p_adjusted"] == pytest.approx(extreme[0]["p_adjusted_min"])


def test_names_are_checked():
    for key in ("methods", "comparisons", "corrections"):
        with pytest.raises(UserError, match=rf"inference\.{key}: there is no 'x'"):
            analyse([], measure="m", **{key: ["x"]})
    assert all(table.num_rows == 0 for table in analyse([], measure="m").values())


@pytest.mark.parametrize(("name", "df"), [("tukey", 112), ("scheffe", 112), ("tukey_cells", 100), ("tukey_interaction", 12)])
def test_the_name_says_which_error_a_comparison_of_means_has(values, name, df):
    found = analyse([design(values)], measure="m", comparisons=[name])
    assert {row["df"] for row in found["comparisons"].to_pylist()} == {df}


def test_published_rule_decides_by_its_own_difference_or_says_why_there_is_none(values, monkeypatch):
    def within(epsilon):
        entry = replace(COMPARISONS["permutation_published"], function=partial(published, epsilon=epsilon))
        monkeypatch.setitem(COMPARISONS.entries, "permutation_published", entry)
        return analyse([design(values)], measure="m", comparisons=["permutation_published"], permutations=499)

    wide = within(0.2)
    rows = wide["comparisons"].to_pylist()
    (msd,) = {row["msd"] for row in rows}
    assert msd > 0
    assert [row["significant"] for row in rows] == [abs(row["difference"]) > msd for row in rows]
    assert any(row["significant"] for row in rows)
    smallest = rows[0]["smallest_epsilon"]
    assert 0 < smallest < 0.2
    assert {row["method"] for row in wide["intervals"].to_pylist()} == {"permutation_published"}
    narrow = within(1e-9)
    for row in narrow["comparisons"].to_pylist():
        assert (row["msd"], row["significant"], row["smallest_epsilon"]) == (None, False, smallest)
    assert narrow["intervals"].num_rows == 0
    single = analyse([design(values[:, :, :1])], measure="m", comparisons=["permutation_published"])
    assert {row["p"] for row in single["comparisons"].to_pylist()} == {None}


def test_posteriors_of_all_pairs(values):
    found = analyse([design(values)], measure="m", bayes=["signed_rank", "cluster_wins"], rope=0.05)["posteriors"].to_pylist()
    assert [row["method"] for row in found] == ["signed_rank"] * 6 + ["cluster_wins"] * 6
    for row in found:
        assert row["a_better"] + row["equal"] + row["b_better"] == pytest.approx(1)
        assert (row["n_blocks"], row["n_runs"], row["rope"]) == (5, 6, 0.05)
        assert row["normalisation"].startswith("position") == (row["method"] == "signed_rank")
    far = [row for row in found if (row["algorithm_a"], row["algorithm_b"]) == ("a1", "a4")]
    assert all(row["a_better"] > 0.8 for row in far)
    # a pair's numbers do not depend on who else is compared
    two = analyse([design(values[:, :2])], measure="m", bayes=["signed_rank"], rope=0.05, normalise="none")[
        "posteriors"
    ].to_pylist()
    all_four = analyse([design(values)], measure="m", bayes=["signed_rank"], rope=0.05, normalise="none")[
        "posteriors"
    ].to_pylist()
    assert two[0] == {**all_four[0], "n_blocks": 5}
    assert analyse([design(values)], measure="m")["posteriors"].num_rows == 0
    with pytest.raises(UserError, match=r"inference\.bayes: there is no 'x'"):
        analyse([], measure="m", bayes=["x"])


def test_bounds_of_a_file(values, tmp_path):
    file = tmp_path / "bounds.csv"
    file.write_text("problem,lower,upper\np1,0,10\np2,0,\np3,,20\np4,1,30\np5,0,10\n")
    problems = [{"problem": f"p{i + 1}"} for i in range(5)]
    found = analyse([design(values, problems=problems)], measure="m", normalise={"e2": str(file)})
    (row,) = found["designs"].to_pylist()
    assert "known (of 4 of 5 blocks, else the smallest seen)" in row["normalisation"]
    low, high = np.array([0, 0, values[2].min(), 1, 0]), np.array([10, values[1].max(), 20, 30, 10])
    by_hand = (values - low[:, None, None]) / (high - low)[:, None, None]
    same = analyse([design(by_hand)], measure="m", normalise="none", methods=["anova"])["tests"]["p"]
    assert (
        analyse([design(values, problems=problems)], measure="m", normalise={"e2": str(file)}, methods=["anova"])["tests"]["p"]
        == same
    )
    for text, message in (
        ("problem,lower\np1,0\n", "no row for problem p2"),
        ("problem,lower\np1,x\n", "no number where one is needed"),
        ("problem,lower\np1,0\np1,1\n", "a second row for p1"),
        ("problem\np1\n", "expected 'problem' and 'lower or upper'"),
        ("problem,dimension,lower\np1,2,0\n", "by 'dimension', which is no key"),
    ):
        file.write_text(text)
        with pytest.raises(UserError, match=message):
            analyse([design(values, problems=problems)], measure="m", normalise={"e2": str(file)})


def test_intervals_are_half_a_significant_difference_to_each_side(values):
    found = analyse([design(values)], measure="m", **ALL)
    msd = {
        row["method"]: row["msd"] for row in found["comparisons"].to_pylist() if row["method"] in ("tukey", "scheffe", "nemenyi")
    }
    ranks = {row["algorithm"]: row["average_rank"] for row in found["ranks"].to_pylist()}
    for row in found["intervals"].to_pylist():
        if row["method"] in msd:
            assert row["high"] - row["mean"] == pytest.approx(msd[row["method"]] / 2)
            assert row["mean"] - row["low"] == pytest.approx(msd[row["method"]] / 2)
            assert row["msd"] == msd[row["method"]]
        if row["scale"] == "average rank":
            assert row["mean"] == ranks[row["algorithm"]]


def test_the_significant_difference_of_a_rearrangement_holds_for_the_family(values):
    made = analyse([design(values[:, :3, :5])], measure="m", comparisons=["permutation"], corrections=["holm", "none"])
    msd = {row["correction"]: row["msd"] for row in made["comparisons"].to_pylist()}
    # at alpha / 3, as three pairs of three algorithms need, and at alpha
    for correction, alpha in (("holm", 0.05 / 3), ("none", 0.05)):
        rng = seeds.stream(1, "permutation")
        scaled = normalise(values[:, :3, :5], "e2")[0]
        expected = permutation.pairs(rng.permuted(scaled, axis=2), rng, alpha_cw=alpha, permutations=9999).msd
        assert msd[correction] == pytest.approx(expected[-1])


def test_two_algorithms_are_enough(values):
    found = analyse([design(values[:, :2])], measure="m", **ALL)
    assert all(row["p"] is not None for row in found["tests"].to_pylist())
    assert len({row["method"] for row in found["comparisons"].to_pylist()}) == len(COMPARISONS)


def test_net_wins_over_clusters_take_failures_and_say_what_the_region_is_of(values):
    failed = values.copy()
    failed[0, 0, 0] = np.inf
    (row, *_) = analyse([design(failed)], measure="m", bayes=["cluster_wins"], rope=0.05)["posteriors"].to_pylist()
    assert row["normalisation"] == "net share of wins"
    assert row["a_better"] + row["equal"] + row["b_better"] == pytest.approx(1)
    assert row["n_samples"] == 0
