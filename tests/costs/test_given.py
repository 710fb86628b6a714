import pytest

from benchmill.core import UserError
from benchmill.costs import costs
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, source


def test_takes_over_what_the_source_states():
    trials, _ = source([{"cost": 3.5, "cost_sd": 0.5, "n": 25}, {"cost": INF, "budget": 100}])
    table = costs("given", trials, None, "time", {})
    assert table.column("cost").to_pylist() == [3.5, INF]
    assert table.column("cost_sd").to_pylist() == [0.5, None]
    assert table.column("n").to_pylist() == [25, 1]
    assert table.column("budget").to_pylist() == [None, 100]
    assert table.column("success").to_pylist() == [True, False]
    assert table.column("target").to_pylist() == [None, None]
    assert table.column("measure").to_pylist() == ["time", "time"]


def test_rates_become_costs():
    trials, _ = source([{"cost": 0.8, "cost_sd": 0.1, "maximise": True}, {"cost": 0.0, "maximise": True}, {"cost": -0.0}])
    table = costs("given", trials, None, "rate", {"quantity": "rate"})
    assert table.column("cost").to_pylist() == [1 / 0.8, INF, INF]
    assert table.column("cost_sd").null_count == 3


def test_a_run_that_failed_by_its_outcome_has_no_rate():
    runs = [{"cost": 0.5, "outcome": "solved", "status": "solved"}, {"cost": INF, "outcome": "time_limit", "status": "failed"}]
    assert costs("given", source(runs)[0], None, "rate", {"quantity": "rate"}).column("cost").to_pylist() == [2.0, INF]
    with pytest.raises(UserError, match="states inf for measure 'rate'"):
        costs("given", source([{"cost": INF}])[0], None, "rate", {"quantity": "rate"})


def test_what_failed_by_itself_is_marked():
    ends = ["solved", "time_limit", "limit", "stopped", None, "error", "memory_limit", "wrong"]
    runs = [
        {
            "cost": 2.5 if end == "solved" else INF,
            "status": "solved" if end == "solved" else "failed",
            "outcome": end,
            "runtime_s": 3.0,
        }
        for end in ends
    ]
    for quantity in ("cost", "runtime_s"):
        table = costs("given", source(runs)[0], None, "time", {"quantity": quantity})
        assert table.column("crashed").to_pylist() == [False] * 5 + [True] * 3
    assert costs("given", source(runs[:5])[0], None, "time", {}).column("crashed").null_count == 5


def test_the_limit_of_a_solver_run_is_its_budget():
    runs = [
        {"cost": 2.5, "cost_budget": 60.0, "outcome": "solved", "status": "solved", "maximise": True},
        {"cost": INF, "cost_budget": 60.0, "budget": 7, "outcome": "error"},
        {"cost": INF, "budget": 7, "outcome": "error"},
        {"cost": INF, "outcome": "unknown"},
    ]
    table = costs("given", source(runs)[0], None, "time", {})
    assert table.column("cost").to_pylist() == [2.5, INF, INF, INF]
    assert table.column("budget").to_pylist() == [60, 60, 7, None]


def test_stated_costs_with_budgets_have_an_expected_running_time():
    """Of seven successes and three failures of 1000: 7740 / 7, as of the same running times to a target."""
    times = [500, INF, 740, 610, INF, INF, 555, 905, 1000, 430]
    runs = [{"cost": float(time), "budget": 1000} for time in times]
    runs += [{**run, "algorithm": "B", "cost": 2000.0} for run in runs[:1]]
    table = costs("given", source(runs)[0], None, "time", {"aggregate": "ert"})
    rated = ratios(table, measure="time", aggregate="ert").to_pylist()
    assert {row["algorithm"]: row["cost"] for row in rated} == {"A": pytest.approx(1105.714, abs=1e-3), "B": 2000}
    unknown = costs("given", source([{"cost": 2.0}, {"cost": INF}])[0], None, "time", {"aggregate": "ert"})
    with pytest.raises(UserError, match="states no budget, which ERT needs"):
        ratios(unknown, measure="time", aggregate="ert")
    with pytest.raises(UserError, match="rates, which are not spent"):
        costs("given", source([{"cost": 0.5}])[0], None, "m", {"aggregate": "ert", "quantity": "rate"})


def test_nodes_in_place_of_the_time():
    runs = [
        {"cost": 2.5, "cost_budget": 60.0, "outcome": "solved", "status": "solved", "nodes": 0},
        {"cost": INF, "cost_budget": 60.0, "outcome": "time_limit", "nodes": 99},
        {"cost": INF, "cost_budget": 60.0, "outcome": "truncated", "status": "ill_finalised"},
    ]
    trials, _ = source(runs)
    table = costs("given", trials, None, "nodes", {"quantity": "nodes"})
    assert table.column("cost").to_pylist() == [0, INF, INF]
    assert table.column("budget").to_pylist() == [0, 99, None]
    with pytest.raises(UserError, match="states no iterations"):
        costs("given", trials, None, "m", {"quantity": "iterations"})
    with pytest.raises(UserError, match="one of cost, rate, nodes"):
        costs("given", trials, None, "m", {"quantity": "seconds"})


def test_wall_times_wrong_answers_and_values_beside_the_cost():
    runs = [
        {"cost": 2.5, "runtime_s": 1.5, "outcome": "solved", "status": "solved", "best_value": 7.0},
        {"cost": INF, "runtime_s": 9.0, "outcome": "wrong", "best_value": 1.0},
        {"cost": INF, "outcome": "time_limit", "best_value": 8.0, "maximise": True},
        {"cost": INF, "outcome": "time_limit"},
    ]
    trials, _ = source(runs)
    wall = costs("given", trials, None, "wall", {"quantity": "runtime_s"})
    assert wall.column("cost").to_pylist() == [1.5, INF, INF, INF]
    assert wall.column("budget").to_pylist() == [1.5, 9, None, None]
    assert costs("given", trials, None, "wrong", {"quantity": "wrong"}).column("cost").to_pylist() == [0, 1, 0, 0]
    # a wrong answer has none, and one that was found within the limit has
    with pytest.warns(UserWarning, match="wrong answer, count as failures of measure 'value': 2 of 4, the first on"):
        assert costs("given", trials, None, "value", {"quantity": "value"}).column("cost").to_pylist() == [7, INF, -8, INF]


def test_what_failed_has_no_rate():
    trials, _ = source([{"cost": 0.8, "maximise": True}, {"cost": INF, "maximise": True}])
    assert costs("given", trials, None, "m", {"quantity": "rate"}).column("cost").to_pylist() == [1.25, INF]


@pytest.mark.parametrize(
    ("run", "settings", "message"),
    [
        ({}, {}, r"log.txt:1: problem f1 in dimension 2 has no stated cost"),
        ({"cost": float("nan")}, {}, "no stated cost"),
        ({"cost": -INF}, {}, "no stated cost"),
        ({"cost": 1.0, "maximise": True}, {}, "set quantity: rate"),
        ({"cost": -1.0}, {"quantity": "rate"}, "states -1"),
        ({"cost": INF}, {"quantity": "rate"}, "states inf"),
    ],
)
def test_mistakes(run, settings, message):
    trials, _ = source([run])
    with pytest.raises(UserError, match=message):
        costs("given", trials, None, "m", settings)
