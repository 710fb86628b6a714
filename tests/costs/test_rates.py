"""Feasible rate, success rate and success performance, from single runs and from published summaries."""

import pytest

from benchmill.core import UserError
from benchmill.costs import costs
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, source

#: Four runs on f1 (f* = 100, absolute values, violations): two succeed, one is feasible, one never is.
RUNS = [
    {"trace": [(10, 90.0, 1.0), (20, 101.0, 0.0), (40, 100.00005, 0.0)], "budget": 100, "violation": 0.0},
    {"trace": [(5, 100.0, 0.5), (60, 100.0, 0.0)], "budget": 100, "violation": 0.0},
    {"trace": [(10, 103.0, 0.0)], "budget": 100, "violation": 0.0},
    {"trace": [(10, 99.0, 0.25)], "budget": 100, "violation": 0.25},
]
SUMMARY = {"cost": 50.0, "cost_sd": 4.0, "n": 4, "n_feasible": 3, "n_successes": 2, "success_performance": 104.0, "budget": 100}


def runs():
    return source([{"optimum": 100.0, **run} for run in RUNS], value_kind="absolute")


def rated(table, measure="m"):
    """Cost, trials and successes of the one problem."""
    row = ratios(table, measure=measure, problem_keys=["problem"], aggregate="success_performance").to_pylist()[0]
    return row["cost"], row["n_trials"], row["n_successes"]


def test_rates_of_runs():
    trials, traces = runs()
    feasible = costs("feasible_rate", trials, traces, "m", {})
    assert feasible.column("cost").to_pylist() == [1, 1, 1, INF]
    assert feasible.column("feasible").to_pylist() == [True, True, True, False]
    assert rated(feasible) == (4 / 3, 4, 3)
    success = costs("success_rate", trials, traces, "m", {})
    assert success.column("cost").to_pylist() == [1, 1, INF, INF]
    assert success.column("target").to_pylist() == [1e-4] * 4
    assert rated(success) == (2, 4, 2)


def test_success_performance_of_runs():
    """Mean of 40 and 60 evaluations, over the rate 1/2; the infeasible points of better value do not count."""
    table = costs("success_performance", *runs(), "m", {})
    assert table.column("cost").to_pylist() == [40, 60, INF, INF]
    assert rated(table) == (100, 4, 2)


def test_the_relative_criterion_divides_by_the_size_of_the_optimum():
    """Remark 1: 1e-4 relative to f* = 100 is 0.01; to f* = -100 the same."""
    for optimum in (100.0, -100.0):
        trials, traces = source(
            [{"trace": [(1, optimum + gap)], "optimum": optimum} for gap in (0.0099, 0.0101)], value_kind="absolute"
        )
        table = costs("success_rate", trials, traces, "m", {"scale": "relative"})
        assert table.column("cost").to_pylist() == [1, INF]


def test_the_relative_criterion_is_absolute_at_an_optimum_of_0_and_says_so():
    trials, traces = source([{"trace": [(1, gap)], "optimum": 0.0} for gap in (0.9e-4, 1.1e-4)], value_kind="absolute")
    with pytest.warns(UserWarning, match="the optimum of problem f1 in dimension 2 is 0"):
        table = costs("success_rate", trials, traces, "m", {"scale": "relative"})
    assert table.column("cost").to_pylist() == [1, INF]


def test_differences_need_their_optimum_to_be_relative():
    trials, traces = source([{"trace": [(1, 0.5)]}])
    with pytest.raises(UserError, match="the optimum of problem f1 in dimension 2 is not known"):
        costs("success_rate", trials, traces, "m", {"scale": "relative"})


def test_a_summary_counts_its_runs():
    trials, _ = source([SUMMARY])
    assert rated(costs("feasible_rate", trials, None, "m", {})) == (4 / 3, 4, 3)
    assert rated(costs("success_rate", trials, None, "m", {})) == (2, 4, 2)
    assert rated(costs("success_performance", trials, None, "m", {})) == (104, 4, 2)
    assert rated(costs("success_performance", trials, None, "m", {"published": "recomputed"})) == (100, 4, 2)


def test_a_stated_cost_is_that_of_the_successes():
    trials, _ = source([SUMMARY, {"cost": 7.0, "n": 3}])
    table = costs("given", trials, None, "m", {})
    assert table.column("trial").to_pylist() == [0, 0, 1]
    assert table.column("cost").to_pylist() == [50, INF, 7]
    assert table.column("n").to_pylist() == [2, 2, 3]
    assert table.column("cost_sd").to_pylist() == [4, None, None]
    assert table.column("budget").to_pylist() == [100, 100, None]


def test_nobody_succeeds():
    trials, _ = source([{"cost": INF, "n": 25, "n_feasible": 0, "n_successes": 0}])
    for kind in ("feasible_rate", "success_rate", "success_performance"):
        table = costs(kind, trials, None, "m", {})
        assert (table.column("cost").to_pylist(), table.column("n").to_pylist()) == ([INF], [25])


def test_stated_costs_say_what_succeeded():
    trials, _ = source([{"cost": 3.0}, {"cost": INF}, {"cost": 5.0}])
    assert rated(costs("success_rate", trials, None, "m", {})) == (1.5, 3, 2)


@pytest.mark.parametrize(
    ("run", "kind", "settings", "message"),
    [
        ({"trace": [(1, 1.0)]}, "feasible_rate", {}, "neither a constraint violation nor a feasible rate"),
        ({"cost": 3.0, "n": 5, "n_successes": 5}, "success_performance", {}, "states no success performance"),
        ({"success_performance": 3.0, "n": 5}, "success_performance", {}, "states no success rate"),
        (
            {"success_performance": 3.0, "n": 5, "n_successes": 5},
            "success_performance",
            {"published": "recomputed"},
            "states no mean",
        ),
        ({"cost": 3.0}, "success_performance", {"published": "both"}, "published is 'both'"),
    ],
)
def test_mistakes(run, kind, settings, message):
    trials, traces = source([run])
    with pytest.raises(UserError, match=message):
        costs(kind, trials, traces, "m", settings)


def test_excluded_problems_have_no_costs():
    """f2 has no known optimum: without `exclude` that is an error."""
    several = [{"optimum": 100.0, **RUNS[0]}, {"problem": "f2", **RUNS[1]}, {"optimum": 100.0, "instance": "2", **RUNS[2]}]
    trials, traces = source(several, value_kind="absolute")
    with pytest.raises(UserError, match="leave the problem out with `exclude`"):
        costs("success_performance", trials, traces, "m", {})
    for pieces in (traces, [traces.slice(i, 1) for i in range(traces.num_rows)]):
        table = costs("success_performance", trials, pieces, "m", {"exclude": ["f2"]})
        assert table.column("trial").to_pylist() == [0, 2]
        assert table.column("cost").to_pylist() == [40, INF]
        assert table.column("instance").to_pylist() == ["1", "2"]
    assert costs("feasible_rate", trials, traces, "m", {"exclude": ["f1", "f2"]}).num_rows == 0
