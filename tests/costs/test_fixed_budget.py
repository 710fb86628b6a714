import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.costs import costs, fixed_budget
from tests.costs.making import INF, source
from tests.costs.test_fixed_target import traces


def naive(trace, budget):
    reached = [value for evaluations, value in trace if evaluations <= budget]
    return min(reached, default=INF)


@pytest.mark.filterwarnings("ignore:.*nothing is recorded")
@given(
    traces,
    st.lists(st.sampled_from([0.5, 1, 3, 10, 25, 50, 1000]), min_size=1, max_size=4, unique=True),
    st.lists(st.integers(0, 48), max_size=4),
)
def test_equals_a_plain_scan_however_the_traces_are_cut(runs, budgets, cuts):
    trials, trace = source([{"trace": run} for run in runs])
    bounds = sorted({0, *(c for c in cuts if c < trace.num_rows), trace.num_rows})
    pieces = [trace.slice(a, b - a) for a, b in itertools.pairwise(bounds)]
    table = costs("fixed_budget", trials, pieces, "m", {"budgets": {"evaluations": budgets}})
    assert table.column("cost").to_pylist() == [naive(run, b) for run in runs for b in budgets]
    assert table.column("at_budget").to_pylist() == budgets * len(runs)


def test_kernel_gives_nan_before_the_first_record():
    found = fixed_budget.values_at([0, 2, 2], [3, 5], [9.0, 1.0], [[2, 3, 4, 5, 99]] * 2)
    assert np.isnan(found[0, 0])
    assert found[0, 1:].tolist() == [9, 9, 1, 1]
    assert np.isnan(found[1]).all()


def test_the_last_value_is_carried_forward_and_the_true_budget_shown():
    trials, trace = source([{"trace": [(1, 5.0), (30, 1.0)], "budget": 40}])
    table = costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [10, 1000]}})
    assert table.column("cost").to_pylist() == [5, 1]
    assert table.column("budget").to_pylist() == [40, 40]


@pytest.mark.filterwarnings("ignore:.*nothing is recorded")
def test_per_dimension_meets_whole_numbers():
    trials, trace = source([{"trace": [(1, 9.0), (29, 5.0)], "dimension": 100}, {"trace": [(1, 8.0), (6, 2.0)], "dimension": 2}])
    table = costs("fixed_budget", trials, trace, "m", {"budgets": [0.29, 3]})
    assert 0.29 * 100 < 29
    assert table.column("cost").to_pylist() == [5, 5, INF, 2]
    assert table.column("at_budget").to_pylist() == [0.29, 3] * 2


def test_floor_and_infeasible():
    trials, trace = source([{"trace": [(1, -1.0), (2, -3.0)]}, {"trace": [(1, -5.0, 1.0), (4, 7.0, 0.0)]}])
    table = costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [2]}, "floor": 1e-8})
    assert table.column("cost").to_pylist() == [1e-8, INF]
    assert table.column("success").to_pylist() == [True, False]
    assert table.column("floored").to_pylist() == [True, False]
    table = costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [4]}, "floor": 7.0})
    assert table.select(["cost", "floored"]).to_pylist() == [{"cost": 7, "floored": True}, {"cost": 7, "floored": False}]
    assert costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [4]}}).column("floored").null_count == 2


def test_a_floor_makes_no_two_values_equal_that_are_no_distances():
    """Of real-world problems: -142.7 and -4529 are different, whatever the floor; and 3 is above it."""
    runs = [{"trace": [(1, 3.0), (2, -142.7)]}, {"trace": [(1, 4.0), (2, -4529.0)]}]
    trials, trace = source(runs, value_kind="absolute")
    table = costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [1]}, "floor": 1e-8})
    assert table.select(["cost", "floored"]).to_pylist() == [{"cost": 3, "floored": None}, {"cost": 4, "floored": None}]
    with pytest.raises(UserError, match=r"log.txt:1: .* budget 2 is -142.7 and no distance.*make 2 different values.*`shift`"):
        costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [1, 2]}, "floor": 1e-8})
    assert costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [2]}}).column("cost").to_pylist() == [
        -142.7,
        -4529,
    ]
    runs = [{**run, "optimum": optimum} for run, optimum in zip(runs, [-150.0, -4529.0], strict=True)]
    trials, trace = source(runs, value_kind="absolute")
    table = costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [2]}, "floor": 1e-8, "scale": "distance"})
    assert table.column("cost").to_pylist() == pytest.approx([7.3, 1e-8])
    assert table.column("floored").to_pylist() == [False, True]


def test_distance_under_maximisation():
    trials, trace = source([{"trace": [(1, 3.0), (4, 9.0)], "maximise": True, "optimum": 10.0}], value_kind="absolute")
    table = costs("fixed_budget", trials, trace, "m", {"budgets": {"evaluations": [1, 9]}, "scale": "distance"})
    assert table.column("cost").to_pylist() == [7, 1]


@pytest.mark.parametrize(
    ("run", "settings", "message"),
    [
        ({"maximise": True, "value_kind": "absolute"}, {"budgets": [1]}, "log.txt:1: larger values are better.*scale: distance"),
        ({"dimension": None}, {"budgets": [1]}, "problem f1 has no dimension"),
        ({}, {"budgets": [0]}, "measure 'm': budgets are .*positive"),
        ({}, {}, "measure 'm': the kind 'fixed_budget' needs the setting 'budgets'"),
        ({}, {"budgets": [2, 2]}, "none twice"),
        ({"trace": [], "cost": 1.0}, {"budgets": [2]}, "kind: given"),
    ],
)
def test_mistakes(run, settings, message):
    trials, trace = source([{"trace": [(1, 1.0)], **run}])
    with pytest.raises(UserError, match=message):
        costs("fixed_budget", trials, trace, "m", settings)


def test_a_trace_that_begins_after_the_budget_is_said_to_fail():
    trials, traces = source([{"trace": [(100, 1.0)]}, {"trace": [(1, 3.0), (100, 1.0)]}])
    with pytest.warns(
        UserWarning, match=r"log.txt:1: nothing is recorded of problem f1 in dimension 2 up to the budget 10 .* 0 more"
    ):
        table = costs("fixed_budget", trials, traces, "m", {"budgets": {"evaluations": [10, 100]}})
    assert table.column("cost").to_pylist() == [INF, 1, 3, 1]


def test_values_that_are_maximised_enter_negated_when_asked():
    runs = [{"trace": [(1, 3.0), (4, 2.0), (9, 7.0)], "maximise": True}, {"trace": [(5, 1.0)], "maximise": True}]
    trials, traces = source(runs, value_kind="absolute")
    with pytest.warns(UserWarning, match="nothing is recorded"):
        table = costs("fixed_budget", trials, traces, "m", {"budgets": {"evaluations": [4, 100]}, "described": True})
    assert table.column("cost").to_pylist() == [-3, -7, INF, -1]
    assert table.column("larger").to_pylist() == [True] * 4
    with pytest.raises(UserError, match="larger values are better"):
        costs("fixed_budget", trials, traces, "m", {"budgets": {"evaluations": [4]}, "described": True, "floor": 1e-8})
    trials, traces = source([{"trace": [(1, 3.0)]}])
    table = costs("fixed_budget", trials, traces, "m", {"budgets": {"evaluations": [4]}, "described": True})
    assert table.select(["cost", "larger"]).to_pylist() == [{"cost": 3, "larger": None}]
