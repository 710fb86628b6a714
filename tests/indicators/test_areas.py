import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError, schema, step_functions
from benchmill.core.storage import Kept
from benchmill.indicators.curves import Sources, ecdf_curves, normalised_area, value_ecdf_curves
from benchmill.indicators.ecdf import Options, ecdf, left_out, value_ecdf
from tests.costs.making import INF, cost_rows


def test_by_hand():
    steps = (np.array([10.0, 100.0]), np.array([0.5, 1.0]))
    assert normalised_area(steps, 0, 200) == pytest.approx((90 * 0.5 + 100) / 200)
    assert normalised_area(steps, 1, 1000, log=True) == pytest.approx(0.5)
    assert normalised_area(steps, 50, 60) == 0.5
    assert normalised_area((np.zeros(0), np.zeros(0)), 1, 2) == 0


@given(st.lists(st.one_of(st.integers(1, 500), st.just(INF)), min_size=1, max_size=10))
def test_area_is_the_mean_over_trials_of_what_is_left(times):
    """The area under an ECDF up to B is the mean of B - min(t, B); on a log axis of log B - log min(t, B)."""
    steps = step_functions.ecdf(times)
    left = np.minimum(times, 200)
    assert normalised_area(steps, 1, 200) == pytest.approx((200 - np.maximum(left, 1)).mean() / 199)
    logs = (math.log(200) - np.log(left)) / math.log(200)
    assert normalised_area(steps, 1, 200, log=True) == pytest.approx(logs.mean())


@pytest.mark.parametrize(("limits", "log"), [((2, 2), False), ((0, 5), True), ((1, INF), False)])
def test_mistakes(limits, log):
    with pytest.raises(UserError, match="ascending order"):
        normalised_area((np.ones(1), np.ones(1)), *limits, log=log)


ROWS = [
    {"algorithm": a, "problem": p, "target": t, "cost": c, "budget": 40.0, "instance": i, "trial": k}
    for a in "AB"
    for p in ("f1", "f2")
    for k, (i, costs) in enumerate((("1", (4, 20)), ("1", (8, INF)), ("2", (2, INF))))
    for t, c in zip((1.0, 0.1), costs, strict=True)
]


def test_a_row_a_curve():
    costs = [cost_rows([row for row in ROWS if row["algorithm"] == a]) for a in "AB"]
    absent = {"suite": "s", "problem": "f2", "dimension": 2, "instance": "2", "count": 2}
    table = ecdf(costs, aggregation="problem")
    found = ecdf_curves(table, costs, aggregation="problem", reports=[{"missing": []}, {"missing": [absent]}]).to_pylist()
    assert [row["algorithm"] for row in found] == ["A", "B"]
    assert [row["n_missing"] for row in found] == [0, 2]
    row = found[0]
    assert (row["n_problems"], row["n_targets"], row["n_trials"], row["n_instances"]) == (2, 2, 6, 4)
    assert (row["target_largest"], row["target_smallest"]) == (1.0, 0.1)
    assert (row["x_from"], row["x_to"], row["x_unit"]) == (1, 20, "evaluations/dimension")
    assert (row["weight"], row["restarts"]) == ("instance", 0)
    # instance 1: hits at 2 and 4 of the easy target, 10 of the hard one; instance 2: 1
    assert row["solved"] == pytest.approx((1 + 0.25) / 2)
    easy = (18 / 4 + 16 / 4 + 19 / 2) / 19
    assert row["area"] == pytest.approx((easy + 10 / 4 / 19) / 2)


def test_limits_can_be_stated():
    costs = [cost_rows(ROWS)]
    options = Options(x="evaluations", area_to=8)
    found = ecdf_curves(ecdf(costs, "target", options), costs, "target", options)
    assert found.num_rows == 4
    assert set(zip(found["x_from"].to_pylist(), found["x_to"].to_pylist(), strict=True)) == {(1, 8)}
    assert found["x_unit"].to_pylist() == ["evaluations"] * 4


def test_curves_of_targets_that_a_problem_lacks_keep_their_areas():
    """Of f1 no trial has the easy target, which is the first that appears: f2 stands first in the logs."""
    solved = {("f2", 1.0): 2, ("f2", 0.1): INF, ("f1", 0.1): 4}
    costs = [cost_rows([{"algorithm": "A", "problem": p, "target": t, "cost": c, "budget": 8.0} for (p, t), c in solved.items()])]
    found = ecdf_curves(ecdf(costs, "trial"), costs, "trial").to_pylist()
    assert {(row["problem"], row["target"]): row["solved"] for row in found} == {key: cost < INF for key, cost in solved.items()}
    # a curve per target, over the problems that have it
    over = ecdf_curves(ecdf(costs, "problem_per_target"), costs, "problem_per_target").to_pylist()
    assert {row["target"]: (row["solved"], row["n_problems"]) for row in over} == {1.0: (1, 1), 0.1: (0.5, 2)}


@pytest.mark.parametrize("aggregation", ["trial", "target", "problem_per_target", "problem", "group", "dimension"])
def test_curves_made_source_by_source_are_those_of_all_costs(aggregation):
    """C has no trial on f2, which no curve over problems has then; D alone has f3."""
    of = {name: [{**row, "algorithm": name} for row in ROWS if row["algorithm"] == "A"] for name in "DBC"}
    of["C"] = [{**row, "cost": 30.0, "budget": 60.0} for row in of["C"] if row["problem"] == "f1"]
    of["D"] = [*of["D"], *({**row, "problem": "f3", "target": 5.0} for row in of["D"] if row["problem"] == "f2")]
    costs = [cost_rows(rows) for rows in of.values()]
    reports = [{"missing": [{"suite": "s", "problem": "f1", "dimension": 2, "count": n}]} for n in (1, 0, 3)]
    groups = {"x": ["f1"]} if aggregation == "group" else None
    options = Options(groups=groups, restarts=2)
    sources = Sources([partial(schema.concatenate, [one]) for one in costs], options, reports)
    curves, described, lost = sources.curves(aggregation, options, 3)
    whole = ecdf(costs, aggregation, options, 3)
    assert curves.to_pylist() == whole.to_pylist()
    assert described.to_pylist() == ecdf_curves(whole, costs, aggregation, options, reports).to_pylist()
    assert lost == left_out(costs, aggregation)
    assert bool(lost) == (aggregation in ("problem_per_target", "problem", "group", "dimension"))


def test_curves_of_sources_that_did_not_change_are_kept_until_other_problems_count(tmp_path):
    """A and B have f1 and f2; C has f1 alone, and F spends more than the others, so that areas end elsewhere."""
    of_a = [row for row in ROWS if row["algorithm"] == "A"]

    def rows_of(name, problems, budget=None):
        more = {"algorithm": name} if budget is None else {"algorithm": name, "budget": budget}
        return cost_rows([{**row, **more} for row in of_a if row["problem"] in problems])

    def read_for(given):
        costs, reports, read = {name: rows_of(name, *own) for name, own in given.items()}, [{}] * len(given), []

        def get(name):
            read.append(name)
            return costs[name]

        kept, digests = Kept(tmp_path / "parts"), [repr(own) for own in given.items()]
        sources = Sources([partial(get, name) for name in given], Options(), reports, kept=kept, digests=digests)
        curves, described, _ = sources.curves("problem", Options())
        kept.leave_out()
        tables = list(costs.values())
        whole = ecdf(tables, "problem")
        assert curves.to_pylist() == whole.to_pylist()
        assert described.to_pylist() == ecdf_curves(whole, tables, "problem", Options(), reports).to_pylist()
        return set(read)

    both = {name: (["f1", "f2"],) for name in "AB"}
    assert read_for(both) == {"A", "B"}
    assert read_for(both) == set()
    assert read_for({**both, "D": (["f1", "f2"],)}) == {"D"}
    assert read_for({**both, "C": (["f1"],)}) == {"A", "B", "C"}
    assert read_for({**both, "C": (["f1"],), "F": (["f1", "f2"], 1e6)}) == {"A", "B", "C", "F"}


def test_groups_and_missing():
    costs = [cost_rows(ROWS)]
    groups = {"both": ["f1", "f2"], "second": ["f2"]}
    options = Options(groups=groups)
    report = {"missing": [{"algorithm": "A", "suite": "s", "problem": "f2", "dimension": 2, "count": 3}]}
    found = ecdf_curves(ecdf(costs, "group", options), costs, "group", options, [report]).to_pylist()
    assert [(r["group"], r["algorithm"], r["n_problems"], r["n_missing"]) for r in found] == [
        ("both", "A", 2, 3),
        ("both", "B", 2, 0),
        ("second", "A", 1, 3),
        ("second", "B", 1, 0),
    ]


def test_curves_of_values():
    rows = [
        {"algorithm": "A", "at_budget": b, "cost": c, "trial": i} for i in range(2) for b, c in ((10.0, 5 + i), (20.0, 1 + i))
    ]
    costs = [cost_rows([*rows, {"algorithm": "A", "at_budget": 10.0, "cost": INF, "trial": 2}])]
    table = value_ecdf(costs, aggregation="budget")
    (row,) = value_ecdf_curves(table, costs, aggregation="budget").to_pylist()
    assert (row["n_budgets"], row["budget_smallest"], row["budget_largest"], row["n_trials"]) == (2, 10, 20, 3)
    assert row["recorded"] == pytest.approx((2 / 3 + 1) / 2)
