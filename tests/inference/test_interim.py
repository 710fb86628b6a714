"""Looks at a study that grows: what each may spend, what is recorded, and what is said."""

import math

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.inference.interim import Look, level, look, planned, read, recorded, written
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.registry.primary import Primary
from benchmill.text.sentences import sentences
from tests.inference.making import design


def of(clusters, shift=0.0, runs=1):
    x = np.random.default_rng(1).normal(size=(clusters, 3, runs))
    x[:, 0] -= shift
    return design(x, problems=[{"suite": "s", "problem": f"f{i}"} for i in range(clusters)])


def at(one, plan):
    return look([one], plan, "ert")


@pytest.mark.parametrize("planned_looks", [2, 5, 20])
def test_the_parts_add_up_to_the_level_and_grow(planned_looks):
    parts = [level(0.05, number, planned_looks) for number in range(1, planned_looks + 1)]
    assert math.fsum(parts) == pytest.approx(0.05)
    assert parts == sorted(parts)
    assert level(0.05, planned_looks + 1, planned_looks) < 1e-6


def test_the_second_of_two_looks_has_seven_eighths():
    assert level(0.08, 2, 2) == pytest.approx(0.07)


def test_only_growth_makes_a_new_look():
    plan = Declaration()
    first, more, other = at(of(8), plan), at(of(12), plan), at(of(8, shift=1.0), plan)
    assert first.runs == {"a1": 8, "a2": 8, "a3": 8}
    assert recorded([], first) == [first]
    assert recorded([first], first) == [first]
    # as many runs with other values: a repair, which takes the place
    assert recorded([first], other) == [other]
    assert recorded([first], more) == [first, more]
    # a part of the data is no new look, nor the whole again
    assert recorded([first, more], first) == [first, more]
    assert recorded([first], at(of(8, runs=2), plan)) == [first, at(of(8, runs=2), plan)]


def test_an_algorithm_that_joins_is_no_growth():
    first = Look("x", 8, {"A": 8})
    assert len(recorded([first], Look("y", 8, {"A": 8, "B": 80}))) == 1


def test_runs_behind_one_cost_a_problem_are_counted_once_for_all_targets():
    rows = [
        {"algorithm": name, "problem": f"f{i}", "target": target, "n_trials": 15}
        for name in ("a1", "a2", "a3")
        for i in range(8)
        for target in (1.0, 0.1)
    ]
    fixed = {"measure": "ert", "cost": 1.0, "n_successes": 15, "included": True}
    ratios = schema.of_rows("ratios", [fixed | row for row in rows])
    assert look([of(8)], Declaration(), "ert", ratios).runs == {"a1": 120, "a2": 120, "a3": 120}


def test_a_planned_look_spends_its_part_and_says_so():
    plan = Declaration(primary=Primary(looks=2), permutations=199)
    one, two = at(of(12), plan), at(of(24), plan)
    assert "after the first look" in planned(plan, [at(of(12), Declaration()), two]).note
    assert "after the first look" not in planned(plan, [one, two]).note
    second = planned(plan, [one, two])
    assert second.alpha == pytest.approx(0.05 * 7 / 8)
    about = verdicts({"ert": [of(24)]}, second).to_pylist()[0]
    assert about["alpha"] == second.alpha
    assert "This is look 2 of the 2 planned" in about["text"]
    # the smallest p of random flips allows for the part
    early = planned(Declaration(primary=Primary(looks=20)), [one])
    assert early.alpha * early.permutations >= 10


def test_after_the_last_look_nothing_is_decided():
    plan = planned(Declaration(primary=Primary(looks=2), permutations=199), [Look("x", n, {"a1": n}) for n in (8, 16, 24)])
    rows = verdicts({"ert": [of(24, shift=9.0)]}, plan).to_pylist()
    assert not any(row["significant"] for row in rows)
    assert "no part of the level is left to decide with" in rows[0]["text"]


def test_growth_without_a_plan_is_told_and_nothing_else():
    plan = Declaration(permutations=199)
    assert planned(plan, [at(of(8), plan)]) == plan
    told = planned(plan, [at(of(8), plan), at(of(12), plan), at(of(16), plan)])
    assert told.alpha == plan.alpha
    assert "made 2 times before the study grew (then over 8 and 12 clusters), and no looks were planned" in told.note


def test_a_record_is_read_as_it_was_written():
    looks = [at(of(8), Declaration()), at(of(12), Declaration())]
    assert read(written(looks), "f") == looks
    assert read("", "f") == []
    for wrong in ("{", "[]", '{"looks": [1]}', "null"):
        with pytest.raises(UserError, match="f: this is no record of looks"):
            read(wrong, "f")


def test_after_the_last_look_nothing_is_decided_and_no_p_is_held_against_a_level():
    plan = Declaration(primary=Primary(looks=2))
    every = [at(of(clusters, shift=3.0), plan) for clusters in (8, 12, 20)]
    about_all, pair, *_ = verdicts({"ert": [of(20, shift=3.0)]}, planned(plan, every)).to_pylist()
    assert about_all["text"].startswith(
        "Primary analysis, measure ERT, over 20 clusters of 20 problems: nothing more can be decided. Both planned looks have "
    )
    assert pair["text"].startswith("a1 and a2: nothing more can be decided; net share of wins of a1 ")
    assert not pair["significant"]
    found = sentences({"verdicts": schema.of_rows("verdicts", [about_all, pair])}, {})
    assert found.headline == (
        "All planned looks have been taken, so nothing more can be decided: a1 and a2 cannot be told apart on problems like "
        "these (20 problems)."
    )
    assert "p <" not in found.named["findings"]
