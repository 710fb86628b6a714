"""Which trials a mistake or a setting is about, where others are beside it."""

import warnings

import pyarrow as pa
import pytest

from benchmill.core import UserError
from benchmill.costs import costs
from tests.costs.making import INF, source

TRACE = {"trace": [(1, 9.0), (4, 1.0)]}
MEANS = {"cost": 30.0, "n": 4, "n_successes": 3}
SUMMARY = {**MEANS, "success_performance": 40.0}


@pytest.mark.parametrize(
    ("kind", "settings", "good", "bad", "message"),
    [
        ("given", {}, {"cost": 1.0}, {}, "has no stated cost"),
        ("given", {}, {"cost": INF}, {"cost": -INF}, "has no stated cost"),
        ("given", {}, {"cost": 1.0}, {"cost": 1.0, "maximise": True}, "larger is better"),
        ("given", {"quantity": "rate"}, {"cost": 0.0}, {"cost": -2.0}, "states -2"),
        ("given", {"quantity": "rate"}, {"cost": 0.5}, {"cost": INF}, "states inf"),
        ("given", {"quantity": "nodes"}, {"status": "solved", "nodes": 4}, {"status": "solved"}, "states no nodes"),
        ("fixed_budget", {"budgets": [2]}, TRACE, {**TRACE, "dimension": None}, "has no dimension"),
        (
            "fixed_budget",
            {"budgets": [2]},
            TRACE,
            {**TRACE, "maximise": True, "value_kind": "absolute"},
            "larger values are better",
        ),
        ("fixed_target", {"targets": [2], "scale": "distance"}, TRACE, {**TRACE, "value_kind": "absolute"}, "is not known"),
        ("fixed_target", {"targets": [2]}, TRACE, {"cost": 3.0}, "states the cost"),
        ("fixed_target", {"targets": [2]}, TRACE, {**TRACE, "n": 5}, "means over several runs"),
        ("success_performance", {}, SUMMARY, {**SUMMARY, "n_successes": None}, "states no success rate"),
        ("success_performance", {}, SUMMARY, {**SUMMARY, "success_performance": None}, "states no success performance"),
        ("success_performance", {}, SUMMARY, {**SUMMARY, "success_performance": 0.0}, "states no success performance"),
        ("success_performance", {}, SUMMARY, {**SUMMARY, "success_performance": INF}, "states no success performance"),
        ("success_performance", {"published": "recomputed"}, SUMMARY, {**SUMMARY, "cost": None}, "states no mean number"),
        ("success_performance", {"published": "recomputed"}, MEANS, {**MEANS, "n_successes": None}, "states no success rate"),
    ],
)
def test_the_first_wrong_trial_is_named(kind, settings, good, bad, message):
    trials, traces = source([good, {**bad, "problem": "f2"}, {**good, "problem": "f3"}, {**bad, "problem": "f4"}])
    with pytest.raises(UserError, match=rf"^log\.txt:2: .*f2.*{message}|^log\.txt:2: .*{message}.*f2"):
        costs(kind, trials, traces, "m", settings)
    trials, traces = source([good, {**good, "problem": "f3"}])
    assert costs(kind, trials, traces, "m", settings).num_rows


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("fixed_budget", {"budgets": {"evaluations": [5, 0]}}),
        ("fixed_budget", {"budgets": {"evaluations": [5, -1]}}),
        ("fixed_target", {"targets": [1, float("nan")]}),
        ("fixed_target", {"targets": [1, 2, 1]}),
    ],
)
def test_one_wrong_level_among_good_ones(kind, settings):
    with pytest.raises(UserError, match="none twice"):
        costs(kind, *source([TRACE]), "m", settings)


def test_an_infinite_target_is_reached_with_the_first_value():
    assert costs("fixed_target", *source([TRACE]), "m", {"targets": [INF, 1]}).column("cost").to_pylist() == [1, 4]


def test_only_some_dimensions():
    runs = [{**TRACE, "dimension": d, "instance": str(d)} for d in (2, 5, None, 2)]
    for settings, trials in (({}, [0, 1, 2, 3]), ({"dimensions": [2]}, [0, 3]), ({"dimensions": [5], "exclude": ["f9"]}, [1])):
        table = costs("fixed_target", *source(runs), "m", {"targets": [1], **settings})
        assert table.column("trial").to_pylist() == trials
        assert set(table.column("cost").to_pylist()) == {4}
    # what is not measured need not be known
    assert costs("fixed_budget", *source(runs), "m", {"budgets": [2], "dimensions": [5]}).num_rows == 1


def test_rows_recorded_for_their_number_of_evaluations_reach_no_target_and_are_values():
    trials, traces = source([{"trace": [(1, 9.0), (4, 1.0), (7, 0.5)]}])
    at = traces.schema.get_field_index("on_target")
    traces = traces.set_column(at, traces.schema.field(at), pa.array([True, False, True]))
    assert costs("fixed_target", trials, traces, "m", {"targets": [1.0]}).column("cost").to_pylist() == [7]
    assert costs("fixed_budget", trials, traces, "m", {"budgets": {"evaluations": [5]}}).column("cost").to_pylist() == [1]


def test_differences_are_minimised_whatever_the_direction_of_the_problem():
    trials, traces = source([{**TRACE, "maximise": True}], value_kind="difference")
    assert costs("fixed_target", trials, traces, "m", {"targets": [9.0, 1.0]}).column("cost").to_pylist() == [1, 4]
    assert costs("fixed_budget", trials, traces, "m", {"budgets": {"evaluations": [9]}}).column("cost").to_pylist() == [1]


def test_one_of_several_optima_is_0():
    """Its distance is not divided, and the user is told; the others are."""
    runs = [{"trace": [(1, 12.0)], "optimum": 10.0}, {"trace": [(1, 2.0)], "optimum": 0.0, "problem": "f2"}]
    with pytest.warns(UserWarning, match=r"^log.txt:2: the optimum of problem f2 in dimension 2 is 0"):
        table = costs(
            "fixed_budget",
            *source(runs, value_kind="absolute"),
            "m",
            {"budgets": {"evaluations": [1]}, "scale": "relative"},
        )
    assert table.column("cost").to_pylist() == [0.2, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        costs(
            "fixed_budget",
            *source(runs[:1], value_kind="absolute"),
            "m",
            {"budgets": {"evaluations": [1]}, "scale": "relative"},
        )


def test_the_deviation_of_a_mean_is_not_that_of_a_printed_success_performance():
    trials, _ = source([{**SUMMARY, "cost_sd": 5.0}])
    for published, cost, sd in (("printed", 30.0, None), ("recomputed", 30.0, 5.0)):
        rows = costs("success_performance", trials, None, "m", {"published": published}).to_pylist()
        assert [(row["cost"], row["n"], row["cost_sd"]) for row in rows] == [(cost, 3, sd), (INF, 1, None)]


def test_the_first_trial_out_of_order_is_named():
    trials, traces = source([TRACE, TRACE, TRACE])
    with pytest.raises(UserError, match="rows of trial 1 are out of order"):
        costs("fixed_target", trials, traces.take([0, 1, 3, 2, 5, 4]), "m", {"targets": [1]})
    # a first evaluation of 0 is in order
    trials, traces = source([{"trace": [(0, 9.0), (3, 1.0)]}])
    assert costs("fixed_target", trials, traces, "m", {"targets": [9.0]}).column("cost").to_pylist() == [0]


def test_the_first_trial_without_a_value_is_named():
    runs = [{"trace": [(1, 9.0), (8, 1.0)]}, {"trace": [(5, 9.0)], "problem": "f2"}, {"trace": [(6, 9.0)], "problem": "f3"}]
    with pytest.warns(UserWarning, match=r"^log.txt:2: nothing is recorded of problem f2 .* budget 4 .*; this and 1 more"):
        table = costs("fixed_budget", *source(runs), "m", {"budgets": {"evaluations": [4, 7]}})
    assert table.column("cost").to_pylist() == [9, 9, INF, 9, INF, 9]


def test_a_budget_a_little_below_a_whole_number_is_below_it():
    settings = {"budgets": [1.9999999996, 2]}
    assert costs("fixed_budget", *source([TRACE]), "m", settings).column("cost").to_pylist() == [9, 1]


def test_a_printed_success_performance_is_no_trace():
    printed = {"success_performance": 40.0, "n": 4}
    with pytest.raises(UserError, match=r"^log.txt:1: .* states no success rate"):
        costs("success_performance", *source([printed, TRACE]), "m", {})


def test_a_mean_below_one_is_a_number_as_any_other():
    trials, _ = source([{**SUMMARY, "success_performance": 0.8}])
    assert costs("success_performance", trials, None, "m", {}).column("cost").to_pylist() == [pytest.approx(0.6), INF]


def test_a_stated_cost_beside_a_trace_is_not_measured():
    for stated in ({"cost": 5.0, "maximise": True}, {"cost": 5.0}):
        with pytest.raises(UserError, match=r"^log.txt:2: the source states the cost"):
            costs("success_rate", *source([TRACE, stated]), "m", {"targets": [1], "scale": "logged"})


def test_a_measure_that_the_study_has_not_named_is_not_told_to_change():
    trials, _ = source([{"cost": 3.0}])
    with pytest.raises(UserError, match=r"log\.txt:1: .* so measure 'ecdf' cannot be read off; set `x: y`\.$"):
        costs("fixed_target", trials, None, "ecdf", {"targets": [1.0]}, "set `x: y`")
    with pytest.raises(UserError, match=r"use kind: given\.$"):
        costs("fixed_target", trials, None, "own", {"targets": [1.0]})
