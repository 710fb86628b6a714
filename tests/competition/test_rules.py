"""What the rules say of runs: small cases by hand."""

import datetime
from dataclasses import replace

import pyarrow as pa
import pytest

from benchmill.competition import options, rules
from benchmill.competition.exhibits import AWARDS

RULES = options.Options()


def trials(rows, **more):
    """A part of the table `trials`, of rows (problem, dimension, seed, budget, value, seconds)."""
    keys = ("problem", "dimension", "seed", "budget", "best_value", "runtime_s")
    given = [dict(zip(keys, row, strict=True)) for row in rows]
    usual = {"suite": "s", "instance": None, "violation": None, "cost": None, "status": "solved", "source": "runs.csv:2"}
    types = {"dimension": pa.int64(), "seed": pa.int64(), "budget": pa.int64()}
    words = ("suite", "problem", "instance", "status", "source")
    types |= dict.fromkeys(words, pa.string())
    full = [{**usual, **more, **row} for row in given]
    return pa.table({key: pa.array([row[key] for row in full], types.get(key, pa.float64())) for key in (*usual, *keys)})


GOOD = trials([(p, 2, s, 100, 0.25 * s, 1.5 * s) for p in ("f1", "f2") for s in (1, 2)])


def said(table, **given):
    return [(one.rule, one.breaks) for one in rules.of_trials(table, replace(RULES, **given))]


@pytest.mark.parametrize(
    ("given", "broken"),
    [
        ({}, []),
        ({"problems": ["f1", "f2"], "dimensions": [2], "trials": 2, "seeds": [1, 2], "budget": 100, "time_limit": 3.0}, []),
        ({"problems": ["f1", "f3"]}, ["problems"]),
        ({"dimensions": [2, 5]}, ["dimensions"]),
        ({"trials": 3}, ["trials"]),
        ({"seeds": [1, 2, 3]}, ["seeds"]),
        ({"seeds": [1]}, ["seeds"]),
        ({"budget": 99}, ["budget"]),
        ({"budget": 50, "budget_per_dimension": True}, []),
        ({"budget": 49, "budget_per_dimension": True}, ["budget"]),
        ({"time_limit": 2.9}, ["time_limit"]),
    ],
)
def test_each_rule_by_itself(given, broken):
    assert said(GOOD, **given) == [(rule, True) for rule in broken]


def test_what_is_said_of_runs_that_take_too_much():
    table = trials([("f1", 2, 1, 100, 0.5, 1.0), ("f1", 2, 2, 300, 0.5, 1.0), ("f1", 2, 3, None, 0.5, 1.0)])
    texts = [one.text for one in rules.of_trials(table, replace(RULES, budget=100))]
    assert texts == [
        "1 run of 3 spent more than they may, such as 300 of 100 evaluations (runs.csv:2).",
        "Of 1 run the logs do not say how many evaluations they took, so the rule cannot be held.",
    ]


def test_no_seed_is_no_seed_that_was_asked_for():
    table = trials([("f1", None, 1, 1, 0.5, 1.0), ("f1", None, None, 1, 0.5, 1.0)])
    assert said(table, seeds=[1]) == [("seeds", True)]


@pytest.mark.parametrize(
    ("day", "deadline", "known", "aside", "expected"),
    [
        ("2026-06-30", "2026-06-30", False, False, []),
        ("2026-07-01", "2026-06-30", False, False, [True]),
        ("2026-07-01", "2026-06-30", False, True, [False]),
        ("2026-07-01", "2026-06-30", True, False, []),
        ("2026-07-01", None, False, False, []),
    ],
)
def test_late(day, deadline, known, aside, expected):
    found = rules.late(datetime.date.fromisoformat(day), deadline, known, aside)
    assert [one.breaks for one in found] == expected


def test_runs_of_another_entry_are_found_whatever_they_are_called_and_in_any_order():
    copied = GOOD.take([3, 1, 0, 2]).set_column(GOOD.schema.get_field_index("source"), "source", pa.array(["else:1"] * 4))
    (found,) = rules.duplicates(copied, {"A": GOOD})
    assert found.breaks
    assert found.text == "4 of 4 runs are those of “A”, in all that they reached and took."
    other = trials([(p, 2, s, 100, 0.26 * s, 1.5 * s) for p in ("f1", "f2") for s in (1, 2)])
    assert rules.duplicates(GOOD, {"B": other}) == []
    (half,) = rules.duplicates(pa.concat_tables([GOOD, other]), {"A": GOOD})
    assert not half.breaks
    assert rules.duplicates(pa.concat_tables([GOOD, other.slice(1), other]), {"A": GOOD}) == []


def test_runs_that_reached_nothing_are_equal_by_chance():
    failed = trials([(p, None, 1, None, None, 60.0) for p in ("a", "b")], status="failed")
    assert rules.duplicates(failed, {"A": failed}) == []


def test_every_award_has_a_name():
    assert set(AWARDS) == set(options.AWARDS)


def test_a_copy_with_one_run_changed_is_a_copy():
    copied = trials([(p, 2, s, 100, 0.25 * s, 1.5 * s) for p in ("f1", "f2", "f3") for s in range(1, 121)])
    changed = trials([("f1", 2, 1, 100, 0.99, 1.5)])
    mine = pa.concat_tables([changed, copied.slice(1)])
    (found,) = rules.duplicates(mine, {"A": copied})
    assert found.breaks
    assert found.text.startswith("359 of 360 runs are those of “A”")
    # any share can break, and the organiser says which
    some = pa.concat_tables([copied.slice(0, 36), trials([("f9", 2, s, 100, 0.3 * s, 1.0) for s in range(1, 325)])])
    assert [rules.duplicates(some, {"A": copied}, most) for most in (0.5, 0.1)] == [[], []]
    (found,) = rules.duplicates(some, {"A": copied}, 0.05)
    assert found.breaks
    assert rules.duplicates(some, {"A": copied}, 0)[0].breaks


@pytest.mark.parametrize(
    ("outcome", "allowed", "breaking", "expected"),
    [
        ("noted", [], [], False),
        ("noted", [], ["beyond_optimum"], True),
        ("noted", [], ["all"], True),
        ("noted", ["beyond_optimum"], ["all"], False),
        ("noted", [], ["files_disagree"], False),
        ("repaired", [], [], True),
        ("repaired", ["beyond_optimum"], ["all"], False),
    ],
)
def test_notes_break_where_the_rules_say_so(outcome, allowed, breaking, expected):
    example = {"file": "a.dat", "line": 3, "detail": "by 1"}
    note = {"rule": "beyond_optimum", "outcome": outcome, "meaning": "A value.", "count": 2, "examples": [example]}
    report = {"irregularities": [note], "trials": {"missing": 0, "ill_finalised": 0}}
    (found,) = rules.of_report(report, allowed, breaking)
    assert found.breaks == expected


def test_values_beyond_the_optimum_break_unless_they_are_allowed():
    assert "beyond_optimum" in RULES.breaking


def test_problems_and_dimensions_that_the_rules_do_not_name():
    table = trials([("f1", 2, 1, 100, 0.5, 1.0), ("f25", 2, 1, 100, 0.5, 1.0), ("f1", 40, 1, 100, 0.5, 1.0)])
    found = rules.of_trials(table, replace(RULES, problems=["f1"], dimensions=[2]))
    assert [(one.rule, one.text) for one in found] == [
        ("problems", "There are runs on problems that the rules do not name (f25); leave them out."),
        ("dimensions", "There are runs on dimensions that the rules do not name (40); leave them out."),
    ]


def test_what_the_organiser_leaves_out_is_no_matter():
    notes = [
        {"rule": rule, "outcome": "noted", "meaning": "x", "count": 2, "examples": []} for rule in ("not_chosen", "not_in_study")
    ]
    found = rules.of_report({"irregularities": notes, "trials": {"missing": 0, "ill_finalised": 0}}, [], ["all"])
    assert [one.breaks for one in found] == [False, False]


def test_one_run_on_many_instances_is_one_run():
    def runs(values):
        every = [trials([("f1", 2, 1, 100, value, None)], instance=str(n)) for n, value in enumerate(values, 1)]
        return pa.concat_tables(every)

    (found,) = rules.duplicates(runs([0.25] * 15), {}, 0.05)
    assert found.breaks
    assert found.text.startswith("15 of 15 runs are there again on another instance")
    assert rules.duplicates(runs([0.25 + 0.01 * n for n in range(15)]), {}, 0.05) == []
    # a deterministic algorithm that repeats an instance reaches the same each time
    assert rules.duplicates(pa.concat_tables([runs([0.25, 0.5])] * 3), {}, 0.05) == []
