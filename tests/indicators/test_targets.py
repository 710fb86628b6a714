import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.indicators.curves import within
from benchmill.indicators.ecdf import Options, ecdf
from benchmill.indicators.targets import (
    between_limits,
    by_budgets,
    candidates,
    counted,
    fixed,
    kendall_tau,
    target_sensitivity,
    target_sets,
)
from tests.costs.making import INF, cost_rows

TARGETS = [100.0, 10.0, 1.0, 0.1, 0.01]


def rows(times, budget=1000.0, dimension=2):
    """Costs from {(algorithm, problem): [times to each target, by trial]}."""
    return cost_rows(
        [
            {"algorithm": a, "problem": p, "dimension": dimension, "target": t, "cost": c, "budget": budget, "trial": k}
            for (a, p), trials in times.items()
            for k, of_trial in enumerate(trials)
            for t, c in zip(TARGETS, of_trial, strict=True)
        ]
    )


def of_rows(costs):
    return candidates([counted(costs)])


#           100  10   1   0.1  0.01
TWO = {
    ("A", "f1"): [[1, 4, 20, 60, INF], [1, 1, 30, INF, INF]],
    ("B", "f1"): [[1, 9, 10, 400, 500], [1, 1, 10, 200, INF]],
    ("A", "f2"): [[1, 1, 1, 1, 1]],
    ("B", "f2"): [[1, 1, 1, 1, 1]],
}


def test_candidates():
    of = of_rows(rows(TWO))
    assert of.targets.tolist() == TARGETS
    assert of.algorithms == ["A", "B"]
    assert of.ert[0, 0].tolist() == [1, 2.5, 25, 1060, INF]
    assert of.ert[1, 0].tolist() == [1, 5, 10, 300, 1500]
    assert of.reached.all()
    assert of.immediate.tolist() == [[True, False, False, False, False], [True] * 5]
    parts = [rows({key: times for key, times in TWO.items() if key[0] == name}) for name in "BA"]
    again = candidates([counted(part) for part in parts])
    for name, value in of._asdict().items():
        assert np.array_equal(np.asarray(getattr(again, name)), np.asarray(value)), name


def test_between_the_limits_of_the_data():
    of = of_rows(rows(TWO))
    assert between_limits(of).tolist() == [[False, True, True, True, True], [False] * 5]
    assert between_limits(of, 2).tolist() == [[False, True, False, False, True], [False] * 5]
    assert between_limits(of, 50).tolist() == between_limits(of).tolist()
    with pytest.raises(UserError, match="number is 1"):
        between_limits(of, 1)


def test_targets_just_missed_within_budgets():
    of = of_rows(rows(TWO))
    # best ERT on f1: 1, 2.5, 10, 300, 1500; budgets times 2
    assert by_budgets(of, [0.5]).tolist()[0] == [False, True, False, False, False]  # ERT 1 is within max(1, 1)
    assert by_budgets(of, [1, 4, 5, 100]).tolist()[0] == [False, True, True, True, False]
    assert by_budgets(of, [10**6]).tolist()[0] == [False, False, False, False, True]  # all reached: the hardest
    assert by_budgets(of, [10], "A").tolist()[0] == [False, False, True, False, False]
    assert by_budgets(of, [10], "B").tolist()[0] == [False, False, False, True, False]
    assert by_budgets(of, [1, 4])[1].tolist() == [False] * 4 + [True]


def test_mistakes():
    of = of_rows(rows(TWO))
    with pytest.raises(UserError, match="reference 'C' is no algorithm"):
        by_budgets(of, [1], "C")
    partial = of_rows(rows({key: TWO[key] for key in TWO if key != ("A", "f2")}))
    with pytest.raises(UserError, match="'A' is not known on suite s, problem f2, dimension 2"):
        by_budgets(partial, [1], "A")
    with pytest.raises(UserError, match="5 is not among the targets"):
        fixed(of, [10.0, 5.0])
    with pytest.raises(UserError, match="no kind 'some'"):
        target_sets(rows(TWO), {"x": {"kind": "some"}})
    with pytest.raises(UserError, match="problem f1 has no dimension"):
        by_budgets(of_rows(rows(TWO, dimension=None)), [1])
    one = {key: TWO[key] for key in TWO if key[1] == "f2"}
    some = schema.concatenate([rows({key: TWO[key] for key in TWO if key[1] == "f1"}), rows(one, dimension=None)])
    with pytest.raises(UserError, match="problem f2 has no dimension"):
        by_budgets(of_rows(some), [1])


def test_the_table_and_what_is_within_it():
    costs = rows(TWO)
    sets = target_sets([costs], {"all": {"kind": "all"}, "two": {"kind": "fixed", "targets": [0.1, 10.0]}})
    own = [row for row in sets.to_pylist() if row["target_set"] == "two"]
    assert [(r["problem"], r["target"], r["best_ert"]) for r in own] == [
        ("f1", 10.0, 2.5),
        ("f1", 0.1, 300),
        ("f2", 10.0, 1),
        ("f2", 0.1, 1),
    ]
    assert within(costs, sets, "all").equals(costs)
    chosen = within(costs, sets, "two")
    assert set(chosen.column("target").to_pylist()) == {0.1, 10.0}
    assert chosen.num_rows == costs.num_rows * 2 // 5


def test_the_ranking_depends_on_the_targets():
    """A is faster to 10, B to all that is harder."""
    costs = rows(TWO)
    sets = target_sets(
        costs, {"hard": {"kind": "fixed", "targets": [1.0, 0.1, 0.01]}, "easy": {"kind": "fixed", "targets": [10.0]}}
    )
    found = {
        (r["target_set"], r["algorithm"]): r
        for r in target_sensitivity([costs], sets, options=Options(area={"from": 0.5})).to_pylist()
    }
    assert [found["hard", a]["rank"] for a in "AB"] == [2, 1]
    assert [found["easy", a]["rank"] for a in "AB"] == [1, 2]
    assert (found["hard", "A"]["kendall_tau"], found["easy", "A"]["kendall_tau"]) == (1, -1)
    assert (found["hard", "A"]["n_problems"], found["hard", "A"]["n_targets"], found["hard", "A"]["n_pairs"]) == (2, 3, 6)
    assert {r["x_to"] for r in found.values()} == {500}
    x, y = (
        ecdf(within(costs, sets, "easy"), aggregation="problem").filter(mask).column(c).to_numpy()
        for mask, c in [(np.array([True, True, False, False]), "x"), (np.array([True, True, False, False]), "fraction")]
    )
    assert (x.tolist(), y.tolist()) == ([0.5, 2], [0.75, 1])
    assert found["easy", "A"]["area_log"] == pytest.approx((np.log(2 / 0.5) * 0.75 + np.log(500 / 2)) / np.log(1000))


def test_no_costs():
    costs = rows({})
    kinds = {"a": {"kind": "all"}, "l": {"kind": "between_limits"}, "b": {"kind": "budgets", "budgets": [1]}}
    sets = target_sets(costs, kinds)
    assert sets.num_rows == 0
    assert target_sensitivity([costs], sets).num_rows == 0


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_kendall_tau_is_that_of_scipy(pairs):
    a, b = zip(*pairs, strict=True)
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert np.isnan(kendall_tau(a, b))
    else:
        assert kendall_tau(a, b) == pytest.approx(kendalltau(a, b).statistic)


def test_areas_end_where_they_are_told_to():
    """A reaches the target at 2 in three of four pairs at once, B at 4.5."""
    costs = rows({("A", "f1"): [[1, 4, 20, 60, INF]], ("B", "f1"): [[1, 9, 10, 400, 500]]})
    sets = target_sets(costs, {"easy": {"kind": "fixed", "targets": [10.0]}, "hard": {"kind": "fixed", "targets": [1.0]}})
    found = {
        (r["target_set"], r["algorithm"]): r
        for r in target_sensitivity([costs], sets, options=Options(area={"to": 5.0})).to_pylist()
    }
    assert {(r["x_from"], r["x_to"]) for r in found.values()} == {(1, 5)}
    assert [found["easy", a]["area"] for a in "AB"] == pytest.approx([3 / 4, 0.5 / 4])
    assert [found["hard", a]["area"] for a in "AB"] == [0, 0]
    assert {found["hard", a]["rank"] for a in "AB"} == {1}
    assert found["hard", "A"]["kendall_tau"] is None
    # the same end for all sets where none is told: that of all costs, not of the set
    cheap = cost_rows([{"algorithm": "A", "target": t, "cost": c, "budget": None} for t, c in ((1.0, 3), (0.1, 90))])
    sets = target_sets(cheap, {"easy": {"kind": "fixed", "targets": [1.0]}})
    assert {r["x_to"] for r in target_sensitivity([cheap], sets).to_pylist()} == {45}


def test_candidates_that_are_not_everywhere():
    of = of_rows(
        cost_rows(
            [
                {"algorithm": "A", "problem": p, "target": t, "cost": c, "budget": 9}
                for p, t, c in [("f1", -5.0, 2), ("f1", 1.0, 1), ("f2", 1.0, INF)]
            ]
        )
    )
    assert of.targets.tolist() == [1, -5]
    assert of.present.tolist() == [[True, True], [True, False]]
    assert of.reached.tolist() == [[True, True], [False, False]]
    # the second evaluation is not the first
    assert of.immediate.tolist() == [[True, False], [False, False]]
    assert fixed(of, [-5.0]).tolist() == [[False, True], [False, False]]
    assert fixed(of, [1.0]).tolist() == [[True, False], [True, False]]
