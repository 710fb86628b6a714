import math

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.costs import costs
from benchmill.indicators.ert import Options, indicators
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


def test_what_a_measure_is_not_about_is_not_missing_from_it():
    """A trial of f1 in dimension 2; f1 lacks trials in dimensions 2 and 10, f2 all of its own."""
    costs = cost_rows([{"algorithm": "A", "measure": m, "cost": 5} for m in ("all", "some")])
    missing = [
        {"suite": "s", "problem": p, "dimension": d, "instance": "1", "count": 1} for p, d in (("f1", 2), ("f1", 10), ("f2", 2))
    ]
    some = {"dimensions": [2], "exclude": ["f2"]}
    found = indicators(costs, report={"missing": missing}, measures={"some": some}).to_pylist()
    cells = {
        name: [(r["problem"], r["dimension"], r["n_missing"]) for r in found if r["measure"] == name] for name in ("all", "some")
    }
    assert cells == {"all": [("f1", 2, 1), ("f1", 10, 1), ("f2", 2, 1)], "some": [("f1", 2, 1)]}


def test_missing_of_one_of_several_algorithms_and_by_instance():
    table = cost_rows([{"algorithm": a, "cost": 5} for a in "AB"])
    report = {"missing": [{"algorithm": "B", "suite": "s", "problem": "f1", "dimension": 2, "instance": "1", "count": 2}]}
    found = indicators(table, report=report, problem_keys=["suite", "problem", "dimension", "instance"])
    assert found.column("n_missing").to_pylist() == [0, 2]
    assert found.column("instance").to_pylist() == ["1", "1"]


def test_a_report_of_another_source_is_refused():
    report = {"missing": [{"algorithm": "B", "suite": "s", "problem": "f1", "dimension": 2, "instance": "1", "count": 2}]}
    with pytest.raises(UserError, match="missing trials of 'B', for which there are no costs"):
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


IOH_TIMES = [500, INF, 740, 610, INF, INF, 555, 905, 1000, 430]


def ioh_example(budgets=(1000,) * 10, **settings):
    """The running times of the IOHprofiler definitions, with a budget of 1000; a time equal to it is a success."""
    rows_ = [{"algorithm": "A", "target": 1.0, "cost": c, "budget": b} for c, b in zip(IOH_TIMES, budgets, strict=True)]
    (row,) = indicators(cost_rows(rows_), Options(**settings)).to_pylist()
    return row


def test_definitions_of_iohprofiler_on_explicit_times():
    row = ioh_example()
    assert (row["mean"], row["median"], row["success_rate"]) == (774, 822.5, 0.7)
    assert row["ert"] == pytest.approx(1105.714, abs=5e-4)
    assert row["success_performance"] == pytest.approx(967.347, abs=5e-4)
    assert row["par"] == pytest.approx((4740 + 3 * 10_000) / 10)
    assert (row["failure_budget"], row["budget_rule"], row["quantile_type"]) == (1000, "own", 7)
    # R: quantile(c(500, 1000, 740, 610, 1000, 1000, 555, 905, 1000, 430), c(.25, .75), type = 7)
    assert (row["q25"], row["q75"]) == (568.75, 1000)
    assert (row["mean_successful"], row["median_successful"]) == (pytest.approx(4740 / 7), 610)
    assert row["q25_successful"] == 527.5
    assert row["sd_successful"] == pytest.approx(np.std([t for t in IOH_TIMES if t < INF], ddof=1))
    assert row["ert_low"] < row["ert"] < row["ert_high"]
    assert row["success_performance_low"] < row["success_performance"] < row["success_performance_high"]


def test_quantiles_of_type_3_are_observed_values():
    row = ioh_example(quantile_type=3)
    # n p = 2.5 and 7.5: the even position of the two nearest
    assert (row["q25"], row["q75"], row["q50"]) == (500, 1000, 740)
    assert row["quantile_type"] == 3
    assert row["median"] == 822.5
    assert row["q50_successful"] == 610


def test_budget_rules():
    budgets = (1000, 400, 1000, 1000, 600, 800, 1000, 1000, 1000, 1000)
    assert ioh_example(budgets)["ert"] == pytest.approx((4740 + 1800) / 7)
    largest = ioh_example(budgets, budget_rule="max")
    assert largest["ert"] == pytest.approx((4740 + 3000) / 7)
    common = ioh_example(budgets, budget_rule="common")
    assert (common["n_successes"], common["ert"], common["failure_budget"]) == (0, INF, 400)
    stated = ioh_example(budgets, budget_rule={"common": 300})  # dimension 2
    assert (stated["n_successes"], stated["failure_budget"]) == (3, (400 + 7 * 600 - 600) / 7)
    assert stated["ert"] == pytest.approx((500 + 555 + 430 + 400 + 6 * 600) / 3)


def test_a_summary_has_no_interval():
    (row,) = indicators(cost_rows([{"algorithm": "A", "cost": c, "n": 5} for c in (3.0, 4.0)])).to_pylist()
    assert row["ert_low"] is None
    assert row["median_successful"] is None


def test_an_algorithm_does_not_depend_on_the_others():
    rows_ = [
        {"algorithm": a, "problem": p, "target": t, "cost": c if c < 1000 / k else INF, "budget": 100 * k}
        for a, k in (("A", 1), ("B", 2))
        for p in ("f1", "f2")
        for t in (1.0, 0.1)
        for c in (10, 30, 600, 7)
    ]
    both = indicators(cost_rows(rows_)).to_pylist()
    alone = indicators(cost_rows([row for row in rows_ if row["algorithm"] == "B"])).to_pylist()
    assert [row for row in both if row["algorithm"] == "B"] == alone


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quantile_type": 5}, "quantile_type is 5, expected one of 7, 3"),
        ({"budget_rule": "mean"}, "budget_rule is 'mean'"),
        ({"budget_rule": {"common": 5.0}}, "problem f1 has no dimension"),
    ],
)
def test_mistakes(settings, message):
    with pytest.raises(UserError, match=message):
        indicators(cost_rows([{"algorithm": "A", "cost": 1, "dimension": None}]), Options(**settings))


def test_keys_without_the_problem():
    with pytest.raises(UserError, match="problem_keys: found"):
        indicators(cost_rows([{"algorithm": "A", "cost": 1}]), problem_keys=["dimension"])


def test_the_problem_without_a_dimension_is_named():
    costs = [{"algorithm": "A", "problem": p, "cost": 1, "dimension": d} for p, d in (("f1", 2), ("f2", None), ("f3", None))]
    with pytest.raises(UserError, match="problem f2 has no dimension"):
        indicators(cost_rows(costs), options=Options(budget_rule={"common": 5.0}))


def test_a_crash_is_charged_its_limit_in_par_and_never_what_it_had_spent():
    def par(limit, quantity="runtime_s"):
        runs = [
            {"cost": 30.0, "runtime_s": 30.0, "nodes": 5, "outcome": "solved", "status": "solved", "cost_budget": limit},
            {"cost": INF, "runtime_s": 0.2, "nodes": 1, "outcome": "error", "cost_budget": limit},
        ]
        trials, _ = source(runs)
        table = costs("given", trials, None, "m", {"quantity": quantity})
        (row,) = indicators(table, trials=trials, quantities={"m": quantity}).to_pylist()
        (failed,) = indicators(table.slice(1), trials=trials).to_pylist()
        assert (row["crashed"], failed["crashed"]) == (None, True)
        return row["par"]

    assert par(60.0) == (30 + 10 * 60) / 2 == par(60.0, "cost")
    # where nothing is known of a limit
    assert par(None) is None is par(None, "cost")
    # the limit of its time is none of its nodes
    assert par(60.0, "nodes") is None
