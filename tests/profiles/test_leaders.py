"""Leaders by each criterion: orders by hand, and the headline of a study."""

from __future__ import annotations

import math

import pytest

from benchmill.core import UserError, schema
from benchmill.profiles.standings import leaders
from benchmill.registry.criteria import CRITERIA

#: Costs of a, b and c on four problems: c loses one problem badly, a wins the most, b is never last.
COSTS = {"a": [1.0, 1.0, 1.0, 100.0], "b": [2.0, 2.0, 2.0, 1.0], "c": [4.0, 4.0, math.inf, 2.0]}


def table(costs, target=None, included=True, clusters=None):
    rows = [
        {
            "measure": "m",
            "problem": f"f{(clusters or range(len(values)))[j]}",
            "dimension": j,
            "target": target,
            "algorithm": name,
            "cost": value,
            "n_trials": 1,
            "n_successes": int(math.isfinite(value)),
            "included": included,
        }
        for name, values in costs.items()
        for j, value in enumerate(values)
    ]
    return schema.of_rows("ratios", rows)


def of(found, criterion):
    return {row["algorithm"]: row for row in found.to_pylist() if row["criterion"] == criterion}


def test_values_and_ranks_are_those_of_the_profile():
    found = leaders({"m": table(COSTS)})
    log = of(found, "auc_log")
    # the right end is the largest ratio, 100; a failure adds nothing
    assert log["a"]["tau_max"] == 100
    assert log["a"]["value"] == pytest.approx(3 * math.log(100) / 4)
    assert log["b"]["value"] == pytest.approx((3 * math.log(50) + math.log(100)) / 4)
    assert log["c"]["value"] == pytest.approx((2 * math.log(25) + math.log(50)) / 4)
    assert [log[name]["rank"] for name in "abc"] == [2, 1, 3]
    assert all(row["headline"] for row in log.values())
    one = of(found, "rho_1")
    assert [one[name]["value"] for name in "abc"] == [0.75, 0.25, 0]
    assert [one[name]["rank"] for name in "abc"] == [1, 2, 3]
    rank = of(found, "average_rank")
    assert [rank[name]["value"] for name in "abc"] == [1.5, 1.75, 2.75]
    assert found.to_pylist()[0]["criterion"] == "auc_log"
    assert "win_probability" not in set(found.column("criterion").to_pylist())


@pytest.mark.parametrize("criterion", [name for name, one in CRITERIA.items() if not one.of_runs and name != "mean_rate"])
def test_a_study_names_its_leader_by_the_criterion_that_it_likes(criterion):
    found = leaders({"m": table(COSTS)}, criterion=criterion)
    assert {row["criterion"] for row in found.to_pylist() if row["headline"]} == {criterion}


def test_rates_have_their_mean_and_only_they():
    found = of(leaders({"m": table(COSTS)}, criterion="mean_rate", rates=["m"]), "mean_rate")
    assert found["c"]["value"] == pytest.approx((0.25 + 0.25 + 0 + 0.5) / 4)
    with pytest.raises(UserError, match="mean_rate needs rates, and the measure 'm' has none"):
        leaders({"m": table(COSTS)}, criterion="mean_rate")
    with pytest.raises(UserError, match="there is no criterion 'win_probability', expected one of auc_log, auc"):
        leaders({"m": table(COSTS)}, criterion="win_probability")


def test_costs_that_are_not_positive_go_by_their_ranks():
    found = leaders({"m": table({"a": [-1.0, 0.0], "b": [2.0, 3.0]})})
    assert {row["criterion"] for row in found.to_pylist()} == {"average_rank"}
    assert [row["rank"] for row in found.to_pylist()] == [1, 2]
    assert all(row["headline"] and row["tau_max"] is None for row in found.to_pylist())


def test_the_primary_analysis_can_be_of_some_targets():
    both = schema.concatenate([table(COSTS, 1.0), table({"a": [9.0] * 4, "b": [1.0] * 4, "c": [2.0] * 4}, 0.1)])
    every, some = leaders({"m": both}), leaders({"m": both}, measure="m", targets=[0.1])
    assert (of(every, "rho_1")["a"]["n_problems"], of(some, "rho_1")["a"]["n_problems"]) == (8, 4)
    assert of(some, "rho_1")["b"]["value"] == 1
    # of another measure all targets count
    assert leaders({"m": both, "other": both}, measure="other", targets=[0.1]).slice(0, 1).column("n_problems")[0].as_py() == 8


def test_nothing_is_said_of_problems_that_not_all_have():
    assert leaders({"m": table(COSTS, included=False)}).num_rows == 0
    assert leaders({}).num_rows == 0
