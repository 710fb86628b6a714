"""What the rules say of runs: small cases by hand."""

import datetime
import os
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from benchmill.competition import options, rules
from benchmill.core import schema

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
        ({"budget": {"per_dimension": 50}}, []),
        ({"budget": {"per_dimension": 49}}, ["budget"]),
        ({"time_limit": 2.9}, ["time_limit"]),
        ({"least_cost": 1e-3}, []),
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


@pytest.mark.parametrize(
    ("budget", "seconds", "more", "said"),
    [
        (100, 1e-300, {}, "1.00×10⁻³⁰⁰ of 1.00×10⁻⁹ s"),
        (0, 1.5, {}, "0 of 1 evaluations"),
        (100, 1.5, {"cost": 1e-4}, "1.00×10⁻⁴ of 0.00100 as the least cost"),
        (100, 0.0, {}, None),  # a clock that shows hundredths
        (None, 1e-9, {"cost": 1e-3}, None),
        (0, 1e-300, {"status": "failed", "cost": 0.0}, None),
    ],
)
def test_what_is_said_of_runs_that_take_less_than_any_can(budget, seconds, more, said):
    table = pa.concat_tables([GOOD, trials([("f1", 2, 3, budget, 0.5, seconds)], **more)])
    found = [(one.rule, one.breaks, one.text) for one in rules.of_trials(table, replace(RULES, least_cost=1e-3))]
    n = 5 if said else 0
    told = f"1 run of {n} that solved took less than a run can, such as {said} (runs.csv:2)."
    assert found == ([("least_cost", True, told)] if said else [])


def claims(name, **values):
    usual = {"outcome": "solved", "proven": True, "sense_open": True, "maximise": False, "value_kind": "absolute", "n": 1}
    usual |= {"status": "solved", "run": 1, "source": f"{name}.csv:2", "algorithm": name}
    rows = [{**usual, "trial": n, "problem": p, "best_value": v} for n, (p, v) in enumerate(values.items())]
    return schema.of_rows("trials", rows)


def test_a_claim_is_refuted_though_others_are_further_apart():
    """A and B contradict each other most on p; C is between them, and agrees with B on q."""
    found = {"A": claims("A", p=10.0, q=1.0), "B": claims("B", p=12.0, q=2.0), "C": claims("C", p=11.0, q=2.0)}
    (one, other) = rules.refuted(found, "C")
    assert one.text.startswith("p: A states the optimum 10 (A.csv:2), and C the optimum 11 (C.csv:2)")
    assert other.text.startswith("q: A states the optimum 1 ")
    assert one.breaks
    assert rules.refuted({name: found[name] for name in "C"}, "C") == []


def test_times_that_no_clock_has_measured_are_told():
    table = pa.concat_tables([GOOD, trials([("f1", 2, 3, 100, 0.5, 0.0)], cost=0.0)])
    text = "1 run that solved took 0 s, which no clock has measured; `least_cost` refuses such runs."
    assert [(one.breaks, one.text) for one in rules.of_trials(table, RULES)] == [(False, text)]
    assert rules.untimed(table) == 1
    assert rules.untimed(GOOD) == 0


def test_a_budget_by_dimension_is_not_kept_by_runs_without_one():
    table = trials([("f1", None, 1, 100, 0.5, 1.0), ("f1", 2, 2, 100, 0.5, 1.0)])
    (found,) = rules.of_trials(table, replace(RULES, budget={"per_dimension": 50}))
    assert found.breaks
    assert found.text == "Of 1 run the logs do not say the dimension, on which the budget depends, so the rule cannot be held."


def test_no_seed_is_no_seed_that_was_asked_for():
    table = trials([("f1", None, 1, 1, 0.5, 1.0), ("f1", None, None, 1, 0.5, 1.0)])
    assert said(table, seeds=[1]) == [("seeds", True)]


def test_a_seed_counts_once_on_each_instance():
    rows = [("f1", 2, s, 100, 0.25 * s, 1.5 * s) for s in (1, 2)]
    apart = pa.concat_tables([trials(rows, instance=name) for name in ("1", "2")])
    assert said(apart, seeds=[1, 2]) == []
    lucky = pa.concat_tables([apart, trials(rows[:1], instance="1")])
    assert said(lucky, seeds=[1, 2]) == [("seeds", True)]
    assert said(lucky) == []


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
    found = rules.late(datetime.datetime.fromisoformat(f"{day}T12:00+00:00"), deadline, known, aside)
    assert [one.breaks for one in found] == expected


def told(tables, most=0.5):
    """What is said of the runs of `Mine`: how many of all, and whether it breaks."""
    none = pa.table({"trial": pa.array([], pa.int64()), "cost": pa.array([], pa.float64())})
    found = rules.duplicates({name: rules.runs(table, none) for name, table in tables.items()}, "Mine", most)
    return [(one.text.replace(", in all that they reached and took.", ""), one.breaks) for one in found]


def many(n=24, start=0.0, problem="f1"):
    return trials([(problem, 2, s, 100, start + 1.0627 * s, 1.627 * s) for s in range(1, n + 1)])


def test_runs_of_another_entry_are_found_whatever_they_are_called_and_in_any_order():
    theirs = many()
    source, seed = (theirs.schema.get_field_index(name) for name in ("source", "seed"))
    copied = theirs.take([*range(1, 24), 0]).set_column(source, "source", pa.array(["else:1"] * 24))
    # other seeds, other order, other places in the log
    copied = copied.set_column(seed, "seed", pa.array(range(101, 125), pa.int64()))
    assert told({"Mine": copied, "A": theirs}) == [("24 of 24 runs are those of “A”", True)]
    assert told({"Mine": many(start=0.01), "A": theirs}) == []
    assert told({"Mine": pa.concat_tables([copied, many(start=0.01)]), "A": theirs}) == [
        ("24 of 48 runs are those of “A”", False)
    ]
    assert told({"Mine": pa.concat_tables([copied.slice(1), many(start=0.01)]), "A": theirs}) == []
    assert told({"Mine": copied, "A": theirs}, 1) == [("24 of 24 runs are those of “A”", False)]


def test_runs_that_are_gathered_from_several_entries_are_copies():
    others = {name: many(start=n) for n, name in enumerate("ABC")}
    mine = pa.concat_tables([table.slice(8 * n, 8) for n, table in enumerate(others.values())])
    assert told({"Mine": mine, **others}) == [("24 of 24 runs are those of “A”, “B” and “C”", True)]
    assert told({"Mine": mine.slice(0, 16), **others}, 0.4) == [
        ("8 of 16 runs are those of “A”", True),
        ("8 of 16 runs are those of “B”", True),
    ]


def test_runs_that_are_equal_by_chance_do_not_count():
    failed = trials([(p, None, 1, None, None, 61.25) for p in ("a", "b")], status="failed")
    undecided = [("Whether its runs are those of others is undecided: none has a cost or a time of three digits.", False)]
    assert told({"Mine": failed, "A": failed}) == undecided
    # all reach the optimum of a discrete problem, and a clock shows hundredths
    reached = trials([("a", 16, s, 16000, 16.0, 0.02) for s in range(1, 11)])
    assert told({"Mine": reached, "A": reached}) == undecided
    hits = [pa.table({"trial": range(10), "cost": [base + 10.0 * s for s in range(10)]}) for base in (101, 102, 101)]
    found = {name: rules.runs(reached, costs) for name, costs in zip(("Mine", "A", "B"), hits, strict=True)}
    (one,) = rules.duplicates(found, "Mine")
    assert one.text.startswith("10 of 10 runs are those of “B”")


def test_a_copy_with_one_run_changed_is_a_copy():
    copied = many(360)
    mine = pa.concat_tables([trials([("f1", 2, 1, 100, 0.99, 1.51)]), copied.slice(1)])
    assert told({"Mine": mine, "A": copied}) == [("359 of 360 runs are those of “A”", True)]
    # any share can break, and the organiser says which
    some = pa.concat_tables([copied.slice(0, 36), many(324, problem="f9")])
    expected = [("36 of 360 runs are those of “A”", True)]
    assert [told({"Mine": some, "A": copied}, most) for most in (0.5, 0.1, 0.05, 0)] == [[], [], expected, expected]


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
        return pa.concat_tables(trials([("f1", 2, 1, 100, v, None)], instance=str(n)) for n, v in enumerate(values, 1))

    assert told({"Mine": runs([0.253] * 15)}, 0.05) == [("15 of 15 runs are there again on another instance", True)]
    assert told({"Mine": runs([0.253 + 0.01 * n for n in range(15)])}, 0.05) == []
    # a deterministic algorithm that repeats an instance reaches the same each time
    assert told({"Mine": pa.concat_tables([runs([0.253, 0.511])] * 3)}, 0.05) == []


def costs(rows):
    """A part of the table `costs`, of runs (problem, target, cost)."""
    usual = {"suite": "s", "dimension": 2, "instance": None, "at_budget": None, "trial": 0}
    types = {
        "trial": pa.int64(),
        "dimension": pa.int64(),
        "cost": pa.float64(),
        "target": pa.float64(),
        "at_budget": pa.float64(),
    }
    full = [{**usual, **dict(zip(("problem", "target", "cost"), row, strict=True))} for row in rows]
    return pa.table({key: pa.array([row[key] for row in full], types.get(key, pa.string())) for key in rules.COSTS})


def solver(seed, harder=1.0):
    """Runs on ten problems, three to each of four targets; a third fail at the hardest."""
    rng = np.random.default_rng(seed)
    cells = [(f"f{p}", t, harder * 10 * p / t) for p in range(1, 11) for t in (1.0, 0.1, 0.01, 0.001) for _ in range(3)]
    return [(p, t, np.inf if t == 0.001 and rng.random() < 0.3 else cost * rng.lognormal(0, 0.7)) for p, t, cost in cells]


def test_a_copy_with_every_run_changed_is_a_copy():
    theirs = solver(1)
    everyone = {"A": costs(theirs), "B": costs(solver(2)), "C": costs(solver(3, 4.0))}
    rng = np.random.default_rng(4)
    changes = {
        "divided by three": lambda cost: cost / 3,
        "by three, in whole evaluations": lambda cost: np.ceil(100 * cost / 3),
        "each changed a little": lambda cost: cost * rng.lognormal(0, 0.03),
        "its powers": lambda cost: cost**1.1,
    }
    for what, change in changes.items():
        copy = [(p, t, change(cost)) for p, t, cost in theirs]
        # in another order, and with the good runs alone
        for mine in (copy, copy[::-1], [row for row in copy if np.isfinite(row[2])]):
            *scaled, found = rules.alike({**everyone, "Mine": costs(mine)}, "Mine", 0.99)
            assert found.breaks, what
            assert found.text.startswith("Its costs go as those of “A”"), what
            assert bool(scaled) == what.startswith(("divided", "by three"))
            assert not any(one.breaks for one in rules.alike({**everyone, "Mine": costs(mine)}, "Mine", 1, 1))
    own = {**everyone, "Mine": costs(solver(5))}
    assert not any(one.breaks for one in rules.alike(own, "Mine", 0.99))
    # of a few costs, or ones that are all equal, nothing can be judged, which is said
    few = {name: table.slice(0, 12) for name, table in {**everyone, "Mine": everyone["A"]}.items()}
    told = "is undecided: fewer than 20 are of both, or all are equal."
    assert [(one.breaks, one.text) for one in rules.alike(few, "Mine", 0.5, 1)] == [
        (False, f"Whether its costs go as those of “A”, “B” and “C” {told}")
    ]
    equal = costs([(p, t, 1.0) for p, t, _ in theirs])
    assert [(one.breaks, one.text) for one in rules.alike({"A": equal, "Mine": equal}, "Mine", 0.5)] == [
        (False, f"Whether its costs go as those of “A” {told}")
    ]


def test_a_deadline_is_a_day_of_the_calendar():
    days = [f"2027-{month:02}-{day:02}" for month in range(14) for day in range(33)]
    for day in [*days, *(f"{year:04}-02-29" for year in (*range(0, 9999, 3), *range(0, 9999, 100)))]:
        try:
            known = bool(datetime.date.fromisoformat(day))
        except ValueError:
            known = False
        for moment in (day, f"{day}T23:59-12:00"):
            assert bool(re.search(options._MOMENT, moment)) is known, moment


@pytest.mark.parametrize(("n", "noise", "expected"), [(5, 1e-4, True), (4, 1e-4, False), (16, 0.3, False)])
def test_a_few_costs_that_were_all_divided_are_a_copy(n, noise, expected):
    """Too few for a rank correlation to say anything."""
    rng = np.random.default_rng(7)
    theirs = [(f"m{m}", None, 3.0 * m * rng.lognormal(0, 0.1)) for m in range(1, n + 1)]
    mine = [(model, None, cost / 7 * rng.lognormal(0, noise)) for model, _, cost in theirs]
    found = rules.alike({"Mine": costs(mine), "A": costs(theirs)}, "Mine", 0.99)
    assert any(one.breaks for one in found) == expected
    if expected:
        assert found[0].text == f"{n} of {n} costs are 0.143 times as large as those of “A”, all by the same factor."
    # equal pairs count once: what all reach in three steps is no copy
    equal = costs([(f"m{m}", None, 3.0) for m in range(12)])
    assert not any(one.breaks for one in rules.alike({"Mine": equal, "A": equal}, "Mine", 0.99))


@pytest.mark.skipif("BENCHMILL_REAL_DATA" not in os.environ, reason="BENCHMILL_REAL_DATA names no folder")
def test_solvers_of_the_sat_competition_are_no_copies_of_each_other():
    path = f"{os.environ['BENCHMILL_REAL_DATA']}/sat-competition/sat2024-detailed_main.csv"
    frame = pd.read_csv(path).drop(columns="vresult").melt("hash").query("value < 5000")
    every = {name: costs([(model, None, time) for model, time in rows[["hash", "value"]].to_numpy().tolist()])
             for name, rows in frame.groupby("variable")}  # fmt: skip
    told = {name: rules.alike(every, name, 0.99) for name in every}
    assert not any(one.breaks for found in told.values() for one in found)
    # variants of one solver are told
    assert {name for name, found in told.items() if found} == {"AMSAT", "AMSAT_RGC"}
    third = every["CaDiCaL"].set_column(7, "cost", pc.multiply(every["CaDiCaL"]["cost"], 1 / 3))
    scaled, found = rules.alike({**every, "Mine": third}, "Mine", 0.99)
    assert scaled.breaks
    assert found.breaks
    assert "0.333 times as large as those of “CaDiCaL”" in scaled.text


@pytest.mark.parametrize(
    ("now", "moment", "expected"),
    [
        ("2026-06-30T23:59+00:00", "2026-06-30", False),
        ("2026-07-01T00:00+00:00", "2026-06-30", True),
        # a day ends in UTC, wherever the check runs
        ("2026-07-01T01:00+02:00", "2026-06-30", False),
        ("2026-07-01T11:59+00:00", "2026-06-30T23:59-12:00", False),
        ("2026-07-01T12:00+00:00", "2026-06-30T23:59-12:00", True),
        ("2026-07-01T12:00+00:00", None, True),
    ],
)
def test_deadlines_are_days_or_times_with_their_zone(now, moment, expected):
    assert rules.ahead(datetime.datetime.fromisoformat(now), moment) is not expected
