import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill.core import UserError, step_functions
from benchmill.indicators.ecdf import Options, ecdf, left_out, value_ecdf
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
    assert curves(ecdf(table, aggregation="target", options=Options(x="evaluations")))["f1", 2, "A"][0].tolist() == [4, 8]


def test_pairs_weigh_the_same_whatever_their_numbers_of_trials():
    table = rows({("A", "f1", 1, 1.0): [1], ("A", "f2", 1, 1.0): [2, 2, INF, INF]})
    x, y = curves(ecdf(table, aggregation="problem"))[None, 1, "A"]
    assert x.tolist() == [1, 2]
    assert y.tolist() == [0.5, 0.75]


def test_instances_can_weigh_the_same():
    costs = [("1", 1), ("1", 1), ("1", 1), ("2", INF)]
    table = cost_rows([{"algorithm": "A", "target": 1.0, "dimension": 1, "instance": i, "cost": c} for i, c in costs])
    assert ecdf(table, aggregation="target").column("fraction").to_pylist() == [0.5]
    assert ecdf(table, aggregation="target", options=Options(weight="trial")).column("fraction").to_pylist() == [0.75]


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
    # each problem with those that lack it
    more = {("C", "f1", 2, 1.0): [1], ("B", "f3", 2, 1.0): [1], ("A", "f3", 2, 1.0): [1]}
    (panel,) = left_out(rows({**costs, **more}).slice(0), aggregation="problem")
    assert [(p["problem"], p["algorithms"]) for p in panel["problems"]] == [("f2", ["B", "C"]), ("f3", ["C"])]


costs_of_parts = st.dictionaries(
    st.tuples(st.just("A"), st.sampled_from(["f1", "f2", "f3"]), st.sampled_from([2, 5]), st.sampled_from([1.0, 0.1])),
    st.lists(st.one_of(st.integers(1, 100), st.just(INF)), min_size=1, max_size=4),
    min_size=1,
)


@given(costs_of_parts)
def test_area_under_an_aggregated_curve_is_the_mean_over_its_parts(parts):
    table = rows(parts)
    for aggregation, same in (("target", (1, 2)), ("problem", (2,)), ("dimension", ())):
        for (problem, dimension, _), curve in curves(
            ecdf(table, aggregation=aggregation, options=Options(x="evaluations"))
        ).items():
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
    ("table", "aggregation", "message"),
    [
        (rows({}, target=None), "suite", "aggregation is 'suite', expected one of trial, target"),
        (cost_rows([{"algorithm": "A", "cost": 1}]), "target", "no target.*fixed_target"),
        (rows({("A", "f1", None, 1.0): [1]}), "target", "problem f1 has no dimension.*x: evaluations"),
    ],
)
def test_mistakes(table, aggregation, message):
    with pytest.raises(UserError, match=message):
        ecdf(table, aggregation)


@pytest.mark.parametrize(("option", "value"), [("x", "time"), ("weight", "run")])
def test_options_that_there_are_not(option, value):
    with pytest.raises(UserError, match=f"{option} is '{value}'"):
        Options(**{option: value})


def test_two_measures_are_refused():
    with pytest.raises(UserError, match="expected one measure"):
        ecdf([cost_rows([{"algorithm": "A", "cost": 1, "target": 1.0}], m) for m in ("m", "n")], aggregation="target")


def test_no_costs():
    assert ecdf(rows({}), aggregation="target").num_rows == 0


def test_one_target_and_problems_per_target():
    table = rows(
        {("A", p, 2, t): [2 * k, INF] for k, (p, t) in enumerate([("f1", 1.0), ("f1", 0.1), ("f2", 1.0), ("f2", 0.1)], 1)}
    )
    found = ecdf(table, aggregation="trial").select(["problem", "target", "x", "fraction"]).to_pylist()
    assert [(r["problem"], r["target"], r["x"], r["fraction"]) for r in found] == [
        ("f1", 1.0, 1, 0.5),
        ("f1", 0.1, 2, 0.5),
        ("f2", 1.0, 3, 0.5),
        ("f2", 0.1, 4, 0.5),
    ]
    found = ecdf(table, aggregation="problem_per_target").select(["problem", "target", "x", "fraction"]).to_pylist()
    assert [(r["problem"], r["target"], r["x"], r["fraction"]) for r in found] == [
        (None, 1.0, 1, 0.25),
        (None, 1.0, 3, 0.5),
        (None, 0.1, 2, 0.25),
        (None, 0.1, 4, 0.5),
    ]


def test_pooled_trials():
    table = rows({("A", "f1", 1, 1.0): [1], ("A", "f2", 1, 1.0): [2, 2, INF, INF]})
    assert ecdf(table, aggregation="problem", options=Options(weight="pooled")).column("fraction").to_pylist() == [0.2, 0.6]


def test_a_curve_of_one_problem_leaves_nothing_out():
    table = rows({("A", "f1", 2, 1.0): [2], ("B", "f1", 2, 1.0): [4], ("A", "f2", 2, 1.0): [6]})
    assert set(curves(ecdf(table, aggregation="target"))) == {("f1", 2, "A"), ("f1", 2, "B"), ("f2", 2, "A")}
    assert left_out(table, aggregation="target") == []


def test_groups_of_problems():
    table = rows({("A", p, 1, 1.0): [c] for p, c in (("f1", 1), ("f2", 2), ("f3", 3))})
    groups = {"odd": ["f1", "f3"], "low": ["f1", "f2"]}
    found = ecdf(table, aggregation="group", options=Options(groups=groups)).select(["group", "x", "fraction"]).to_pylist()
    assert [(r["group"], r["x"], r["fraction"]) for r in found] == [
        ("low", 1, 0.5),
        ("low", 2, 1),
        ("odd", 1, 0.5),
        ("odd", 3, 1),
    ]
    known = ecdf(table, aggregation="group", options=Options(groups="bbob")).to_pylist()
    assert [(r["group"], r["fraction"]) for r in known] == [("f1–f5, separable", pytest.approx(k / 3)) for k in (1, 2, 3)]
    # an attribute may say more than the study has
    by_attribute = {"class": {"hard": ["f9", "f1", "f3"], "easy": ["f8"]}}
    of_class = ecdf(table, aggregation="group", options=Options(groups=by_attribute)).to_pylist()
    assert [(r["group"], r["x"], r["fraction"]) for r in of_class] == [("hard", 1, 0.5), ("hard", 3, 1)]
    for wrong, message in (
        (None, "needs groups"),
        ("cec", "no groups 'cec', expected bbob"),
    ):
        with pytest.raises(UserError, match=message):
            ecdf(table, aggregation="group", options=Options(groups=wrong))


def test_values_reached_within_budgets():
    table = cost_rows(
        [
            {"algorithm": a, "problem": "f1", "dimension": 2, "at_budget": b, "cost": c}
            for a, b, costs in (("A", 10.0, [5, 3, INF]), ("A", 20.0, [1, 3, 2]), ("B", 10.0, [INF]), ("B", 20.0, [INF]))
            for c in costs
        ]
    )
    found = curves(value_ecdf(table, aggregation="budget"))
    x, y = found["f1", 2, "A"]
    assert x.tolist() == [1, 2, 3, 5]
    assert y == pytest.approx([1 / 6, 2 / 6, 4 / 6, 5 / 6])  # F_V(v): pairs of budget and trial with a value <= v
    assert [list(values) for values in found["f1", 2, "B"]] == [[1], [0]]
    per_budget = value_ecdf(table, aggregation="trial").to_pylist()
    assert [r["fraction"] for r in per_budget if r["at_budget"] == 10 and r["algorithm"] == "A"] == pytest.approx([1 / 3, 2 / 3])
    with pytest.raises(UserError, match=r"no budget.*fixed_budget"):
        value_ecdf(rows({("A", "f1", 1, 1.0): [1]}), aggregation="budget")


@settings(max_examples=20)
@given(costs_of_parts)
def test_an_algorithm_alone_has_the_same_curves(parts):
    """Over the problems that all have; here both have the same ones."""
    both = rows(parts | {("B", *key[1:]): [c + 1 for c in trials] for key, trials in parts.items()})
    for aggregation in ("trial", "target", "problem_per_target", "problem", "dimension"):
        alone = ecdf(rows(parts), aggregation=aggregation).to_pylist()
        assert [r for r in ecdf(both, aggregation=aggregation).to_pylist() if r["algorithm"] == "A"] == alone
