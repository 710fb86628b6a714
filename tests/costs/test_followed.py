"""Every message of a measure that names a setting works when it is followed: the messages are found in the code."""

import re
from dataclasses import fields

import pytest

from benchmill.core import UserError
from benchmill.costs import costs
from benchmill.registry.measures import MEASURES
from tests.costs.making import source
from tests.messages import naming, not_said

SETTINGS = {field.name for kind in MEASURES.values() for field in fields(kind.options)} | {"kind"}
FOUND = naming("costs", named := lambda text: any(re.search(rf"\b{name}: |`{name}`", text) for name in SETTINGS))
FOUND |= naming("core/traces.py", named)

TRACE = [(1, 5.0), (3, 2.0)]
PLAIN = {"trace": TRACE}
ABSOLUTE = {"value_kind": "absolute"}
STATED = {"cost": 3.0, "status": "solved"}
BUDGETS, TARGETS = {"kind": "fixed_budget", "budgets": [2]}, {"kind": "fixed_target", "targets": [3.0]}
WITHOUT = {"exclude": ["f1"]}
#: Runs, how values are stated, the measure that fails, and what its message says; None is a setting to leave out.
CASES = {
    "larger values": (
        [{**PLAIN, "maximise": True, "optimum": 9.0}],
        ABSOLUTE,
        {**BUDGETS, "scale": "logged"},
        {"scale": "distance"},
    ),
    "a floor of values": ([{**PLAIN, "optimum": 1.0}], ABSOLUTE, {**BUDGETS, "scale": "logged", "floor": 7.0}, {"floor": None}),
    "a floor of values, distances": (
        [{**PLAIN, "optimum": 1.0}],
        ABSOLUTE,
        {**BUDGETS, "scale": "logged", "floor": 7.0},
        {"scale": "distance"},
    ),
    "no dimension": ([{**PLAIN, "dimension": None}], {}, {**BUDGETS, "budgets": [2]}, {"budgets": {"evaluations": [2]}}),
    "means": ([{**PLAIN, "n": 5}], {}, TARGETS, {"kind": "fixed_budget", "targets": None, "budgets": [2]}),
    "no trace": ([STATED], {}, TARGETS, {"kind": "given", "targets": None}),
    "no optimum": ([PLAIN], ABSOLUTE, {**TARGETS, "scale": "distance"}, {"scale": "logged"}),
    "no optimum, without the problem": ([PLAIN], ABSOLUTE, {**TARGETS, "scale": "distance"}, WITHOUT),
    "no violation": ([STATED], {}, {"kind": "feasible_rate"}, WITHOUT),
    "no bound": ([STATED], {}, {"kind": "gap"}, {"kind": "given"}),
    "no cost": ([PLAIN], {}, {"kind": "given"}, TARGETS),
    "no cost, at a budget": ([PLAIN], {}, {"kind": "given"}, BUDGETS),
    "no such number": ([STATED], {}, {"kind": "given", "quantity": "nodes"}, {"quantity": "cost"}),
    "larger costs": ([{**STATED, "maximise": True}], {}, {"kind": "given"}, {"quantity": "rate"}),
    "no printed value": (
        [{"cost": 3.0, "n": 5, "n_successes": 4}],
        {},
        {"kind": "success_performance", "published": "printed"},
        {"published": "recomputed"},
    ),
    "no success rate": (
        [{"cost": 3.0, "n": 5, "n_successes": 4}, {"problem": "f2", "cost": 3.0, "n": 5}],
        {},
        {"kind": "success_performance", "published": "recomputed"},
        {"exclude": ["f2"]},
    ),
}


def measured(case, **change):
    runs, values, measure, _ = CASES[case]
    settings = {key: value for key, value in {**measure, **change}.items() if value is not None}
    trials, traces = source(runs, **values)
    return costs(settings.pop("kind"), trials, traces, "m", settings)


def told(case):
    with pytest.raises(UserError) as error:
        measured(case)
    return str(error.value)


@pytest.mark.parametrize("case", CASES)
def test_what_a_measure_says_can_be_done(case):
    message, change = told(case), CASES[case][3]
    assert all(key in message for key in change if key not in ("budgets", "targets"))
    assert measured(case, **change).num_rows or change == WITHOUT


def test_every_message_of_a_measure_that_names_a_setting_is_followed():
    assert not_said(FOUND, [told(case) for case in CASES]) == []
