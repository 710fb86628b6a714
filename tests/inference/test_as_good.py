"""Statements that algorithms are as good as each other: which pairs, in what words, and how often they are wrong."""

import numpy as np
import pytest

from benchmill.core import UserError
from benchmill.exhibits.tables import build
from benchmill.inference.design import Design
from benchmill.inference.equivalence import statements
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.registry.primary import Primary

KEY = {"measure": "ert", "alpha": 0.05, "population": "problems like these"}


def design(values, names="ABC"):
    x = np.asarray(values, float)
    problems = [{"suite": "s", "problem": f"f{i}"} for i in range(len(x))]
    return Design(x[:, :, None], [f"f{i}" for i in range(len(x))], list(names[: x.shape[1]]), problems=problems)


def rows(values, control=None, **primary):
    declared = Declaration(primary=Primary(**primary), control=control, permutations=199)
    return verdicts({"ert": [design(values)]}, declared)


def costs(n=24, apart=(0.0, 0.01, 0.5), noise=0.02):
    return np.exp(np.random.default_rng(1).normal(size=(n, 3)) * noise + np.array(apart))


def test_only_a_study_that_states_a_margin_says_it():
    assert "equivalence" not in rows(costs()).column("analysis").to_pylist()


def test_near_algorithms_are_as_good_and_far_ones_are_not():
    found = rows(costs(), margin=5.0)
    stated = [row for row in found.to_pylist() if row["analysis"] == "equivalence"]
    about, *pairs = stated
    assert [(row["algorithm_a"] + row["algorithm_b"], row["significant"]) for row in pairs] == [
        ("AB", True),
        ("AC", False),
        ("BC", False),
    ]
    # the log of the cost of b over that of a
    x = np.log(costs())
    assert pairs[1]["effect"] == pytest.approx((x[:, 2] - x[:, 0]).mean())
    assert "1 of 3 pairs is shown to be as good as each other within 5 % of the ratio of costs" in about["text"]
    assert pairs[0]["text"].startswith("A is as good as B within 5 % on problems like these: costs of B over those of A")
    assert pairs[1]["text"].startswith("It is not shown that A is as good as C within 5 %")
    table = build("equivalence", {"verdicts": found}, {})
    assert [cell.text for cell in table.sections[0].rows[0][:2]] == ["A", "B"]
    assert build("verdicts", {"verdicts": found}, {}).n_rows == 3


def test_of_a_control_its_pairs_alone():
    stated = [row for row in rows(costs(), control="B", margin=5.0).to_pylist() if row["analysis"] == "equivalence"]
    assert [(row["algorithm_a"], row["algorithm_b"]) for row in stated[1:]] == [("B", "A"), ("B", "C")]
    assert {row["family_size"] for row in stated} == {2}


def test_a_failure_of_one_leaves_nothing_to_say():
    x = costs()
    x[0, 1] = np.inf
    by_ratio = [row for row in rows(x, margin=5.0).to_pylist() if row["analysis"] == "equivalence"]
    assert by_ratio[1]["effect"] is None
    assert "on 1 problem some of their runs fail and others do not" in by_ratio[1]["text"]


def test_costs_without_ratios_name_the_key():
    with pytest.raises(UserError, match=r"primary\.margin.*only costs above 0 have ratios; state no margin"):
        rows(costs() - 1, margin=5.0)


def test_at_the_margin_few_are_called_as_good():
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(300):
        x = np.exp(np.stack([rng.normal(size=24) * 0.1, np.log(1.05) + rng.normal(size=24) * 0.1], axis=1))
        family = statements([design(x)], [("A", "B")], 5.0, KEY, ("suite", "problem"))
        found += family[1]["significant"]
    assert found / 300 < 0.09


def test_what_both_fail_on_shows_nothing_of_their_costs_and_is_told():
    values = costs()
    values[:20, :2] = np.inf
    pair = next(r for r in rows(values[:, :2], margin=5.0).to_pylist() if r["analysis"] == "equivalence" and r["algorithm_a"])
    assert pair["significant"]
    assert pair["text"].endswith("on 20 of 24 problems both fail, which counts as equal.")
    about = next(r for r in rows(values[:, :2], margin=5.0).to_pylist() if r["analysis"] == "equivalence")
    assert about["text"].endswith("Two failures count as equal, as on up to 20 of 24 problems.")
    values[:, :2] = np.inf
    pair = next(r for r in rows(values[:, :2], margin=5.0).to_pylist() if r["analysis"] == "equivalence" and r["algorithm_a"])
    assert not pair["significant"]
    assert "within 5 %: both fail on every problem, so there is no ratio of costs" in pair["text"]
