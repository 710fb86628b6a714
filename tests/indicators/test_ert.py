import math

import pytest

from benchmill import schema
from benchmill.errors import UserError
from benchmill.indicators.ert import indicators
from tests.costs.making import INF, cost_rows, source

KEYS = ("problem", "dimension", "target")


def rows(table):
    return {tuple(row[k] for k in KEYS): row for row in table.to_pylist()}


def test_one_cell_by_hand():
    table = cost_rows(
        [
            {"algorithm": "A", "target": 1.0, "cost": 10, "budget": 100, "instance": "1"},
            {"algorithm": "A", "target": 1.0, "cost": 30, "budget": 100, "instance": "2"},
            {"algorithm": "A", "target": 1.0, "cost": INF, "budget": 60, "instance": "2"},
        ]
    )
    (row,) = indicators(table).to_pylist()
    assert row["ert"] == 50
    assert row["success_rate"] == 2 / 3
    assert row["success_performance"] == 30
    assert row["mean"] == pytest.approx(100 / 3)
    assert row["median"] == row["q50"] == 30
    assert row["q25"] == 20
    assert row["sd"] == pytest.approx(math.sqrt(((10 - 100 / 3) ** 2 + (30 - 100 / 3) ** 2 + (60 - 100 / 3) ** 2) / 2))
    assert row["mean_successful"] == 20
    assert (row["n_trials"], row["n_successes"], row["n_instances"]) == (3, 2, 2)
    assert (row["n_missing"], row["n_ill_finalised"]) == (0, 0)
    assert row["instance"] is None


def test_no_success_and_one_trial():
    (row,) = indicators(cost_rows([{"algorithm": "A", "target": 1.0, "cost": INF, "budget": 60}])).to_pylist()
    assert row["ert"] == INF
    assert row["success_performance"] == INF
    assert row["mean"] == row["median"] == 60
    assert row["sd"] is None
    assert row["mean_successful"] is None


def test_unknown_budget_of_a_failure_is_not_guessed():
    table = cost_rows([{"algorithm": "A", "cost": c} for c in (2, 4, INF)])
    (row,) = indicators(table).to_pylist()
    assert row["ert"] is None
    assert row["success_performance"] == 4.5
    assert (row["mean"], row["median"], row["sd"]) == (INF, 4, None)


def test_fixed_budget_has_no_running_time():
    table = cost_rows([{"algorithm": "A", "at_budget": 10.0, "cost": c, "budget": 1000} for c in (2.0, 4.0, INF)])
    (row,) = indicators(table).to_pylist()
    assert row["ert"] is None
    assert row["success_performance"] is None
    # the budget is not on the scale of the cost
    assert (row["mean"], row["median"], row["mean_successful"]) == (INF, 4, 3)


def test_published_summary():
    table = cost_rows([{"algorithm": "A", "cost": 7.5, "cost_sd": 1.5, "n": 25}])
    (row,) = indicators(table).to_pylist()
    assert (row["mean"], row["sd"], row["n_trials"], row["n_successes"], row["ert"]) == (7.5, 1.5, 25, 25, 7.5)
    assert math.isnan(row["median"])
    assert math.isnan(row["q05"])


def test_missing_trials_are_counted_and_never_fail():
    table = cost_rows([{"algorithm": "A", "target": t, "cost": 5, "budget": 9, "instance": i} for t in (1.0, 0.1) for i in "12"])
    report = {
        "missing": [
            {"suite": "s", "problem": "f1", "dimension": 2, "instance": "3", "count": 2},
            {"suite": "s", "problem": "f1", "dimension": 2, "instance": "4", "count": 1},
            {"suite": "s", "problem": "f2", "dimension": 5, "instance": "1", "count": 7},
        ]
    }
    found = rows(indicators([table], report=report))
    assert set(found) == {(p, d, t) for p, d in (("f1", 2), ("f2", 5)) for t in (1.0, 0.1)}
    present, absent = found["f1", 2, 1.0], found["f2", 5, 0.1]
    assert (present["n_trials"], present["n_missing"], present["success_rate"], present["ert"]) == (2, 3, 1, 5)
    assert (absent["n_trials"], absent["n_missing"], absent["n_successes"], absent["ert"]) == (0, 7, 0, None)
    assert math.isnan(absent["success_rate"])
    assert math.isnan(absent["mean"])


def test_missing_of_one_of_several_algorithms_and_by_instance():
    table = cost_rows([{"algorithm": a, "cost": 5} for a in "AB"])
    report = {"missing": [{"algorithm": "B", "suite": "s", "problem": "f1", "dimension": 2, "instance": "1", "count": 2}]}
    found = indicators(table, report=report, problem_keys=["suite", "problem", "dimension", "instance"])
    assert found.column("n_missing").to_pylist() == [0, 2]
    assert found.column("instance").to_pylist() == ["1", "1"]


def test_a_report_of_another_source_is_refused():
    report = {"missing": [{"algorithm": "B", "suite": "s", "problem": "f1", "dimension": 2, "instance": "1", "count": 2}]}
    with pytest.raises(UserError, match="missing trials of 'B', of which there are no costs"):
        indicators(cost_rows([{"algorithm": "A", "cost": 5}]), report=report)


def test_ill_finalised_trials_are_counted_from_the_trials():
    trials, _ = source([{"status": "failed"}, {"status": "ill_finalised"}, {"status": "ill_finalised"}])
    table = cost_rows([{"algorithm": "A", "target": t, "cost": 5, "trial": i} for i in range(3) for t in (1.0, 0.1)])
    assert indicators(table, trials=trials).column("n_ill_finalised").to_pylist() == [2, 2]


def test_several_measures_and_natural_order():
    one = cost_rows(
        [{"algorithm": "A", "problem": p, "target": t, "cost": 5} for p in ("f10", "f9") for t in (10.0, 1e-8)], "ert"
    )
    two = cost_rows([{"algorithm": "A", "problem": "f9", "at_budget": 10.0, "cost": 5}], "best")
    table = indicators([one, two])
    assert table.select(["measure", "problem", "target"]).to_pylist() == [
        {"measure": "best", "problem": "f9", "target": None},
        *({"measure": "ert", "problem": p, "target": t} for p in ("f9", "f10") for t in (10.0, 1e-8)),
    ]


def test_no_costs():
    assert indicators(schema.TABLES["costs"].empty_table(), report={"missing": []}).num_rows == 0


def test_mistake():
    with pytest.raises(UserError, match="problem_keys"):
        indicators(cost_rows([]), problem_keys=["dimension"])
