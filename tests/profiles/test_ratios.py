import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmill.core import UserError, schema
from benchmill.profiles.ratios import performance_ratios, ratios
from tests.costs.making import INF, cost_rows, matrix_costs

cost = st.one_of(st.floats(1e-3, 1e6), st.just(INF))
matrices = hnp.arrays(float, hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=6), elements=cost)


def test_ratios_by_hand():
    r, baseline = performance_ratios([[2, 1, INF, INF], [1, 4, 3, INF]])
    assert r.tolist() == [[2, 1, INF, INF], [1, 4, 1, INF]]
    assert baseline.tolist() == [1, 1, 3, INF]


@given(matrices)
def test_the_best_has_ratio_one_and_no_ratio_is_below(costs):
    r, baseline = performance_ratios(costs)
    assert (r >= 1).all()
    solved = np.isfinite(baseline)
    assert (r.min(axis=0)[solved] == 1).all()
    assert np.isinf(r[:, ~solved]).all()
    assert np.array_equal(np.isinf(r), np.isinf(costs))


@given(matrices, st.data())
def test_scaling_a_problem_changes_nothing(costs, data):
    scale = 2.0 ** np.array(data.draw(st.lists(st.integers(-20, 20), min_size=costs.shape[1], max_size=costs.shape[1])))
    assert np.array_equal(performance_ratios(costs * scale)[0], performance_ratios(costs)[0])


@given(matrices, st.data())
def test_a_dominated_algorithm_changes_no_ratio(costs, data):
    worse = costs.max(axis=0) * data.draw(st.floats(1, 10))
    assert np.array_equal(performance_ratios(np.vstack([costs, worse]))[0][:-1], performance_ratios(costs)[0])


@given(matrices, st.randoms())
def test_permutations_permute(costs, random):
    rows, columns = (random.sample(range(n), n) for n in costs.shape)
    r, baseline = performance_ratios(costs)
    permuted, permuted_baseline = performance_ratios(costs[rows][:, columns])
    assert np.array_equal(permuted, r[rows][:, columns])
    assert np.array_equal(permuted_baseline, baseline[columns])


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), -INF])
def test_kernel_refuses_costs_that_are_not_positive(bad):
    with pytest.raises(UserError, match="algorithm 1 on problem 0"):
        performance_ratios([[1, 1], [bad, 1]])


@given(matrices)
def test_table_equals_the_kernel(costs):
    table = ratios(matrix_costs(costs), measure="m", aggregate="single")
    r, baseline = performance_ratios(costs)
    assert table.column("ratio").to_pylist() == r.T.ravel().tolist()
    assert table.column("cost").to_pylist() == costs.T.ravel().tolist()
    assert table.column("baseline").to_pylist() == np.repeat(baseline, costs.shape[0]).tolist()
    assert table.column("algorithm").to_pylist() == [f"a{i + 1}" for i in range(costs.shape[0])] * costs.shape[1]
    assert table.column("included").to_pylist() == [True] * costs.size
    assert set(table.column("instance").to_pylist()) == {None}


REPLICATES = [
    {"algorithm": "A", "cost": 100, "budget": 1000},
    {"algorithm": "A", "cost": INF, "budget": 700},
    {"algorithm": "A", "cost": 300, "budget": 1000, "instance": "2"},
    {"algorithm": "B", "cost": 50, "budget": 1000},
]


@pytest.mark.parametrize(
    ("aggregate", "expected"), [("ert", 1100 / 2), ("success_performance", 200 * 3 / 2), ("mean", INF), ("median", 300)]
)
def test_replicates_become_one_cost(aggregate, expected):
    table = ratios(cost_rows(REPLICATES), measure="m", aggregate=aggregate)
    assert table.column("cost").to_pylist() == [expected, 50]
    assert table.column("ratio").to_pylist() == [expected / 50, 1]
    assert table.column("n_trials").to_pylist() == [3, 1]
    assert table.column("n_successes").to_pylist() == [2, 1]


def test_median_of_an_even_number_with_a_failure_between_is_a_failure():
    rows = [{"algorithm": "A", "cost": c} for c in (1, INF)]
    assert ratios(cost_rows(rows), measure="m", aggregate="median").column("cost").to_pylist() == [INF]


def test_every_target_is_a_problem_of_its_own_in_the_order_of_the_study():
    rows = [
        {"algorithm": a, "problem": p, "target": t, "cost": 1.0} for a in "BA" for p in ("f10", "f9") for t in (10.0, 0.1, 1.0)
    ]
    table = ratios(cost_rows(rows), measure="m", aggregate="single")
    assert table.select(["problem", "target", "algorithm"]).to_pylist() == [
        {"problem": p, "target": t, "algorithm": a} for p in ("f9", "f10") for t in (10.0, 0.1, 1.0) for a in "AB"
    ]


def test_instances_as_problems():
    table = ratios(cost_rows(REPLICATES), measure="m", problem_keys=["problem", "instance"], missing="failure")
    assert table.column("instance").to_pylist() == ["1", "1", "2", "2"]
    assert table.column("dimension").to_pylist() == [None] * 4
    assert table.column("cost").to_pylist() == [800, 50, 300, INF]


INCOMPLETE = [
    {"algorithm": "A", "problem": "p1", "cost": 2},
    {"algorithm": "B", "problem": "p1", "cost": 4},
    {"algorithm": "A", "problem": "p2", "cost": 6},
]


def test_missing_is_not_failed():
    common = ratios(cost_rows(INCOMPLETE), measure="m", missing="common")
    assert common.num_rows == 3
    assert common.column("included").to_pylist() == [True, True, False]
    failure = ratios(cost_rows(INCOMPLETE), measure="m", missing="failure")
    assert failure.column("included").to_pylist() == [True] * 4
    assert failure.column("cost").to_pylist() == [2, 4, 6, INF]
    assert failure.column("n_trials").to_pylist() == [1, 1, 1, 0]
    with pytest.raises(UserError, match=r"1 of 4 cells have no trial, first 'B' on suite s, problem p2, dimension 2"):
        ratios(cost_rows(INCOMPLETE), measure="m", missing="error")


def test_missing_on_one_target_only():
    rows = [{"algorithm": "A", "target": t, "cost": 1} for t in (1.0, 0.1)] + [{"algorithm": "B", "target": 1.0, "cost": 1}]
    assert ratios(cost_rows(rows), measure="m").column("included").to_pylist() == [True, True, False]


def test_a_trial_of_negative_cost_does_not_lower_a_mean():
    rows = [{"algorithm": "A", "cost": c} for c in (10, 20, -5)] + [{"algorithm": "B", "cost": c} for c in (10, 20, 5)]
    with pytest.raises(UserError, match="a trial of 'A' on suite s, problem f1, dimension 2 costs -5, but"):
        ratios(cost_rows(rows), measure="m", aggregate="mean")
    # the middle one of three costs is what it is
    assert ratios(cost_rows(rows), measure="m", aggregate="median").column("ratio").to_pylist() == [1, 1]
    # with the shift that the message proposes, (15 + 25 + 0) / 3 and (15 + 25 + 10) / 3
    assert ratios(cost_rows(rows), measure="m", aggregate="mean", shift=5).column("ratio").to_pylist() == [1, 50 / 40]


def test_where_no_profile_is_made_costs_are_as_they_are():
    table = ratios(matrix_costs([[0, 2, 3], [-4529, 1, INF]]), measure="m", profiled=False)
    assert table.column("cost").to_pylist() == [0, -4529, 2, 1, 3, INF]
    assert table.column("ratio").to_pylist() == [None, None, 2, 1, 1, INF]
    assert table.column("baseline").to_pylist() == [None, None, 1, 1, 3, 3]


def test_what_failures_spent_is_shifted_with_the_costs():
    """Nobody was stopped before another one succeeded, whatever is added to the costs."""
    rows = cost_rows([{"algorithm": "A", "cost": 80.0}, {"algorithm": "B", "cost": INF, "budget": 100.0}])
    for row in ratios(rows, measure="m", aggregate="mean", shift=50.0).to_pylist():
        assert (row["cost"], row["spent"]) == ((130.0, 130.0) if row["algorithm"] == "A" else (INF, 150.0))


def test_shift():
    table = ratios(matrix_costs([[0, -1], [1, 3]]), measure="m", shift=2)
    assert table.column("cost").to_pylist() == [2, 3, 1, 5]
    assert table.column("ratio").to_pylist() == [1, 1.5, 1, 5]


@pytest.mark.parametrize(
    ("rows", "settings", "message"),
    [
        ([{"algorithm": "A", "cost": 0}], {}, r"'A' on suite s, problem f1, dimension 2 is 0.*add.* `shift`.*`profiles: \[\]`"),
        ([{"algorithm": "A", "cost": 0, "at_budget": 9.0}], {"aggregate": "mean"}, "is 0.*`floor`.*`shift`.*`exclude`"),
        ([{"algorithm": "A", "cost": 0, "target": 9.0}], {"aggregate": "mean"}, "add to the measure `exclude`"),
        ([{"algorithm": "A", "cost": -3}], {}, "is -3"),
        ([{"algorithm": "A", "cost": float("nan")}], {}, "not a number"),
        ([{"algorithm": "A", "cost": 1}, {"algorithm": "A", "cost": INF}], {}, "states no budget.*success_performance"),
        ([{"algorithm": "A", "cost": 1}] * 2, {"aggregate": "single"}, "has 2 trials, but aggregate is single"),
        (
            [{"algorithm": a, "cost": 1, "budget": 1} for a in "ABBC"],
            {"aggregate": "single"},
            "'B' on suite s, problem f1, dimension 2 has 2 trials",
        ),
        (
            [{"algorithm": a, "cost": c} for a, c in [("A", 1), ("B", 1), ("B", INF), ("C", 1)]],
            {},
            "a failure of 'B' on suite s, problem f1",
        ),
        ([{"algorithm": "A", "cost": 1, "n": 5}] * 2, {"aggregate": "median"}, "published summaries"),
        ([{"algorithm": "A", "cost": 1, "n": 5, "at_budget": 10}], {"aggregate": "median"}, "no median"),
        ([{"algorithm": "A", "cost": 1, "at_budget": 10.0}], {}, "fixed-budget costs are values"),
        ([{"algorithm": "A", "cost": 1}], {"aggregate": "max"}, "aggregate is 'max', expected one of ert"),
        ([{"algorithm": "A", "cost": 1}], {"missing": "drop"}, "missing is 'drop'"),
        ([{"algorithm": "A", "cost": 1}], {"problem_keys": ["suite"]}, "expected problem and"),
        ([{"algorithm": "A", "cost": 1}], {"problem_keys": ["problem", "run"]}, "expected problem and"),
        ([], {}, "there are no costs of it"),
    ],
)
def test_mistakes(rows, settings, message):
    with pytest.raises(UserError, match=message):
        ratios(cost_rows(rows), measure="m", **settings)


def test_other_measures_are_ignored():
    both = schema.concatenate([matrix_costs([[1.0]], "m"), matrix_costs([[-7.0]], "other")])
    assert ratios(both, measure="m").column("cost").to_pylist() == [1]


def test_failures_of_unknown_budget_are_fine_where_nothing_succeeded():
    rows = [{"algorithm": "A", "cost": INF}, {"algorithm": "B", "cost": 2}]
    assert ratios(cost_rows(rows), measure="m").column("ratio").to_pylist() == [INF, 1]


def test_the_same_trials_in_two_sources_are_refused():
    one, two = cost_rows([{"algorithm": "A", "cost": 1}]), cost_rows([{"algorithm": "A", "cost": 1}])
    with pytest.raises(
        UserError, match="'first' and 'second' both hold algorithm A, suite s, problem f1, dimension 2, instance 1"
    ):
        ratios([("first", one), ("second", two)], measure="m")


def test_one_algorithm_may_be_spread_over_sources():
    one = cost_rows([{"algorithm": "A", "cost": 1, "instance": "1"}])
    two = cost_rows([{"algorithm": "A", "cost": 3, "instance": "2"}])
    assert ratios([("first", one), ("second", two)], measure="m").column("cost").to_pylist() == [2]


def test_order_of_sources_does_not_matter():
    one, two = cost_rows([{"algorithm": "A", "cost": 1}]), cost_rows([{"algorithm": "B", "cost": 2}])
    assert ratios([("1", one), ("2", two)], measure="m").equals(ratios([("2", two), ("1", one)], measure="m"))
