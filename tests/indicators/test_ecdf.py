import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill import step_functions
from benchmill.errors import UserError
from benchmill.indicators.ecdf import ecdf, left_out
from tests.costs.making import INF, cost_rows


def curves(table):
    result = {}
    for row in table.to_pylist():
        key = (row["problem"], row["dimension"], row["algorithm"])
        result.setdefault(key, ([], []))[0].append(row["x"])
        result[key][1].append(row["fraction"])
    return {key: (np.array(x), np.array(y)) for key, (x, y) in result.items()}


def rows(costs, **extra):
    """Rows from {(algorithm, problem, dimension, target): [cost of each trial]}."""
    return cost_rows(
        [
            {"algorithm": a, "problem": p, "dimension": d, "target": t, "cost": c, **extra}
            for (a, p, d, t), of_trials in costs.items()
            for c in of_trials
        ]
    )


def test_one_problem_by_hand():
    table = rows({("A", "f1", 2, 1.0): [4, 8], ("A", "f1", 2, 0.1): [8, INF]})
    per_dimension = curves(ecdf(table, aggregation="target"))["f1", 2, "A"]
    assert per_dimension[0].tolist() == [2, 4]
    assert per_dimension[1].tolist() == [0.25, 0.75]
    assert curves(ecdf(table, aggregation="target", x="evaluations"))["f1", 2, "A"][0].tolist() == [4, 8]


def test_pairs_weigh_the_same_whatever_their_numbers_of_trials():
    table = rows({("A", "f1", 1, 1.0): [1], ("A", "f2", 1, 1.0): [2, 2, INF, INF]})
    x, y = curves(ecdf(table, aggregation="problem"))[None, 1, "A"]
    assert x.tolist() == [1, 2]
    assert y.tolist() == [0.5, 0.75]


def test_instances_can_weigh_the_same():
    costs = [("1", 1), ("1", 1), ("1", 1), ("2", INF)]
    table = cost_rows([{"algorithm": "A", "target": 1.0, "dimension": 1, "instance": i, "cost": c} for i, c in costs])
    assert ecdf(table, aggregation="target").column("fraction").to_pylist() == [0.75]
    assert ecdf(table, aggregation="target", weight="instance").column("fraction").to_pylist() == [0.5]


def test_an_algorithm_without_success_keeps_a_curve():
    table = rows({("A", "f1", 4, 1.0): [INF], ("B", "f1", 4, 1.0): [8]})
    assert ecdf(table, aggregation="problem").select(["algorithm", "x", "fraction"]).to_pylist() == [
        {"algorithm": "A", "x": 0.25, "fraction": 0},
        {"algorithm": "B", "x": 2, "fraction": 1},
    ]


def test_dimensions_are_pooled_per_suite():
    table = rows({("A", "f1", 2, 1.0): [2], ("A", "f1", 10, 1.0): [INF]})
    assert ecdf(table, aggregation="dimension").select(["suite", "problem", "dimension", "x", "fraction"]).to_pylist() == [
        {"suite": "s", "problem": None, "dimension": None, "x": 1, "fraction": 0.5}
    ]


def test_only_common_problems_enter_and_the_others_are_named():
    costs = {("A", "f1", 2, 1.0): [2], ("B", "f1", 2, 1.0): [4], ("A", "f2", 2, 1.0): [INF], ("A", "f2", 5, 1.0): [5]}
    table = rows(costs)
    by_problem = curves(ecdf(table, aggregation="problem"))
    assert set(by_problem) == {(None, 2, "A"), (None, 2, "B"), (None, 5, "A")}  # B has no panel in dimension 5
    assert by_problem[None, 2, "A"][1].tolist() == [1]
    lost = {"problem": "f2", "dimension": 2, "algorithms": ["B"]}
    assert left_out(table, aggregation="problem") == [
        {"suite": "s", "dimension": 2, "n_problems": 2, "n_left_out": 1, "problems": [lost]}
    ]
    assert set(curves(ecdf(table, aggregation="dimension"))) == {(None, None, "A"), (None, None, "B")}
    (whole,) = left_out(table, aggregation="dimension")
    assert (whole["n_problems"], whole["n_left_out"]) == (3, 2)
    assert [(p["problem"], p["dimension"]) for p in whole["problems"]] == [("f2", 2), ("f2", 5)]


costs_of_parts = st.dictionaries(
    st.tuples(st.just("A"), st.sampled_from(["f1", "f2", "f3"]), st.sampled_from([2, 5]), st.sampled_from([1.0, 0.1])),
    st.lists(st.one_of(st.integers(1, 100), st.just(INF)), min_size=1, max_size=4),
    min_size=1,
)


@given(costs_of_parts)
def test_area_under_an_aggregated_curve_is_the_mean_over_its_parts(parts):
    table = rows(parts)
    for aggregation, same in (("target", (1, 2)), ("problem", (2,)), ("dimension", ())):
        for (problem, dimension, _), curve in curves(ecdf(table, aggregation=aggregation, x="evaluations")).items():
            inside = [k for k in parts if all(k[i] == (problem, dimension)[i - 1] for i in same)]
            areas = [np.mean([max(200 - c, 0) for c in parts[k]]) for k in inside]
            assert step_functions.area(curve, 0, 200) == pytest.approx(np.mean(areas))


@given(costs_of_parts)
def test_curves_rise_to_the_share_that_is_solved(parts):
    for x, y in curves(ecdf(rows(parts), aggregation="problem")).values():
        assert (np.diff(x) > 0).all()
        assert (np.diff(y) > 0).all()
        assert y[-1] <= 1
    if all(c < INF for trials in parts.values() for c in trials):
        assert all(y[-1] == 1 for _, y in curves(ecdf(rows(parts), aggregation="dimension")).values())


def test_order_of_tables_does_not_matter():
    one, two = rows({("A", "f1", 2, 1.0): [3]}), rows({("B", "f1", 2, 1.0): [4]})
    assert ecdf([one, two], aggregation="target").equals(ecdf([two, one], aggregation="target"))


@pytest.mark.parametrize(
    ("table", "settings", "message"),
    [
        (rows({}, target=None), {"aggregation": "suite"}, "aggregation is 'suite', expected one of target"),
        (rows({}), {"aggregation": "target", "x": "time"}, "x is 'time'"),
        (rows({}), {"aggregation": "target", "weight": "run"}, "weight is 'run'"),
        (cost_rows([{"algorithm": "A", "cost": 1}]), {"aggregation": "target"}, "no target.*fixed_target"),
        (rows({("A", "f1", None, 1.0): [1]}), {"aggregation": "target"}, "problem f1 has no dimension.*x: evaluations"),
    ],
)
def test_mistakes(table, settings, message):
    with pytest.raises(UserError, match=message):
        ecdf(table, **settings)


def test_two_measures_are_refused():
    with pytest.raises(UserError, match="expected one measure"):
        ecdf([cost_rows([{"algorithm": "A", "cost": 1, "target": 1.0}], m) for m in ("m", "n")], aggregation="target")


def test_no_costs():
    assert ecdf(rows({}), aggregation="target").num_rows == 0
