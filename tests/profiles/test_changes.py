"""What an algorithm changes: by hand, and against making the ratios and profiles again without it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill.core import schema
from benchmill.profiles import fit
from benchmill.profiles.changes import changes, text
from benchmill.profiles.ratios import ratios
from benchmill.profiles.standings import leaders
from benchmill.registry.criteria import CRITERIA, DEFAULT

INF = np.inf


def costs(cost, present, names):
    """Table `costs` with one trial for each present cell."""
    i, j = np.nonzero(present)
    return schema.table(
        "costs",
        {
            "problem": [f"f{p + 1}" for p in j],
            "algorithm": [names[a] for a in i],
            "run": np.ones(i.size, np.int32),
            "trial": np.arange(i.size),
            "measure": ["m"] * i.size,
            "cost": cost[i, j],
            "success": np.isfinite(cost[i, j]),
            "n": np.ones(i.size, np.int32),
        },
    )


def rated(cost, present, names, missing="common"):
    return ratios(costs(cost, present, names), measure="m", problem_keys=["problem"], aggregate="single", missing=missing)


def test_a_new_best_reverses_two_others_and_says_why():
    # A is better than B on two problems and fails on the third; C makes the range of ratios wider, and a failure dearer
    cost = np.array([[10.0, 10.0, INF], [20.0, 20.0, 10.0], [1.0, 1.0, INF]])
    a, b, c = changes(cost, np.ones((3, 3), bool), ["A", "B", "C"])
    assert c.lowered.tolist() == [0, 1]
    assert c.factors.tolist() == [10.0, 10.0]
    # ratios without C: A 1 1 inf, B 2 2 1, tau_max 2, 3 x log areas A 2 ln 2, B ln 2; with C: A 10 10 inf, B 20 20 1, tau_max 20,
    # A 2 ln 2, B ln 20, C 2 ln 20
    assert [p.tolist() for p in c.places["auc_log"][1:]] == [[1, 2], [1, 2], [2, 1]]
    assert c.places["auc_log"][0] == 1
    told = text("s", {"m": rated(cost, np.ones((3, 3), bool), "ABC")}, {"m": "common"})
    part = told[told.index("## C") :]
    assert "It sets the baseline of 2 of 3 pairs." in part
    assert "problem f1, from 10.0 to 1.00" in part
    assert "by log area: B from 2 to 1 and A from 1 to 2; because the baselines of 2 pairs moved" in part
    assert "First of the others by log area: B (without it: A)." in part
    assert "by average rank is the same" in part
    assert a.lowered.tolist() == []
    assert b.lowered.tolist() == [2]


def test_costs_are_told_without_what_was_added_for_the_ratios():
    table = rated(np.array([[13.0], [12.0], [11.0]]), np.ones((3, 1), bool), "ABC")
    assert "problem f1, from 2.00 to 1.00" in text("s", {"m": table}, {"m": "common"}, scale={"shifts": {"m": 10.0}})


def test_of_one_other_no_order_is_told():
    told = text("s", {"m": rated(np.array([[10.0, 10.0], [20.0, 5.0]]), np.ones((2, 2), bool), "AB")}, {"m": "common"})
    assert "of the others" not in told[told.index("## B") :]


def test_an_algorithm_with_missing_trials_takes_problems_out():
    cost = np.array([[1.0, 2.0, 2.0], [2.0, 1.0, 1.0], [3.0, 3.0, 3.0]])
    present = np.array([[1, 1, 1], [1, 1, 1], [1, 0, 0]], bool)
    change = changes(cost, present, ["A", "B", "C"])[2]
    assert (change.n_problems, change.left_out, change.brought_in) == (1, 2, 0)
    assert [p.tolist() for p in change.places["average_rank"][1:]] == [[2, 1], [1, 2], [1, 2]]
    part = text("s", {"m": rated(cost, present, "ABC")}, {"m": "common"}).split("## C")[1]
    assert "2 pairs cannot be compared any more" in part
    assert "by average rank: A from 2 to 1 and B from 1 to 2; because 2 pairs came in or fell out of the comparison." in part
    other = changes(cost, present, ["A", "B", "C"], "failure")[2]
    assert (other.n_problems, other.left_out) == (3, 0)


def test_one_that_alone_solves_a_problem():
    cost = np.array([[1.0, INF], [2.0, 5.0]])
    change = changes(cost, np.ones((2, 2), bool), ["A", "B"])[1]
    assert change.lowered.tolist() == [1]
    assert np.isinf(change.factors).all()
    told = text("s", {"m": rated(cost, np.ones((2, 2), bool), "AB")}, {"m": "common"})
    assert "1 of 2 pairs, 1 of which no other algorithm solves." in told
    assert "nothing to compare" not in told


def test_one_algorithm_alone_has_nothing_to_change():
    told = text("s", {"m": rated(np.ones((1, 2)), np.ones((1, 2), bool), "A")}, {"m": "common"})
    assert "nothing to compare" in told


def test_hostile_names_are_text():
    names = ["<img src=x>", "[a](javascript:b) *c*\n# d"]
    told = text("s_t", {"m": rated(np.array([[1.0], [2.0]]), np.ones((2, 1), bool), names)}, {"m": "common"})
    assert "\\<img src=x\\>" in told
    assert "<img" not in told.replace("\\<img", "")
    assert "\\[a\\](javascript:b) \\*c\\* \\# d" in told


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 6), st.sampled_from(["common", "failure"]))
def test_places_are_those_of_the_study_made_again_without_it(seed, m, n, missing):
    rng = np.random.default_rng(seed)
    cost = np.where(rng.random((m, n)) < 0.2, INF, rng.integers(1, 9, (m, n)).astype(float))
    present = rng.random((m, n)) < 0.85
    present[:, 0] = True
    names = [f"A{i}" for i in range(m)]
    found = {change.algorithm: change for change in changes(cost, present, names, missing)}
    full = rated(cost, present, names, missing)
    together = measures(full)
    for i, name in enumerate(names):
        others = [j for j in range(m) if j != i]
        without = rated(cost[others], present[others], [names[j] for j in others], missing)
        own = measures(without)
        change = found[name]
        assert change.places["auc_log"][0] == together[name]
        assert change.places["auc_log"][1].tolist() == [own[names[j]] for j in others]
        assert change.n_problems == included(full)
        assert change.left_out - change.brought_in == included(without) - included(full)
        old, new = baselines(without), baselines(full)
        lower = sum(new[p] < old.get(p, INF) for p in new)
        assert change.lowered.size == lower if not change.brought_in else True


def measures(table):
    made = fit(table, measure="m").profile_measures
    return dict(zip(made["algorithm"].to_pylist(), made["rank_auc_log"].to_pylist(), strict=True))


def rows(table):
    return table.filter(table["included"]).to_pylist()


def included(table):
    return len({row["problem"] for row in rows(table)})


def baselines(table):
    return {row["problem"]: row["baseline"] for row in rows(table)}


def test_the_text_does_not_depend_on_the_order_of_the_logs():
    rng = np.random.default_rng(3)
    cost, present = rng.integers(1, 50, (4, 9)).astype(float), np.ones((4, 9), bool)
    names = ["A", "B", "C", "D"]
    order = [2, 0, 3, 1]
    one = text("s", {"m": rated(cost, present, names)}, {"m": "common"})
    assert one == text("s", {"m": rated(cost[order], present, [names[i] for i in order])}, {"m": "common"})


@pytest.mark.parametrize("missing", ["common", "error"])
def test_where_nothing_can_be_compared_it_says_so(missing):
    present = np.array([[1, 0], [0, 1]], bool)
    assert changes(np.ones((2, 2)), present, ["A", "B"], missing) == []


@pytest.mark.parametrize("criterion", ["auc", "rho_1", "rho_tau_max_tau_star", "tau_star", "average_rank", "mean_rate"])
def test_places_go_by_the_criterion_of_the_study(criterion):
    """The place of each algorithm is the rank that the table of leaders gives it."""
    costs = np.exp(np.random.default_rng(5).uniform(0, 3, (4, 12)))
    costs[0, :3] = np.inf
    names = ["a", "b", "c", "d"]
    table = schema.of_rows(
        "ratios",
        [
            dict(measure="m", problem=f"f{j}", algorithm=name, cost=c, n_trials=1, n_successes=1, included=True)
            for name, row in zip(names, costs.tolist(), strict=True)
            for j, c in enumerate(row)
        ],
    )
    order = [row for row in leaders({"m": table}, criterion=criterion, rates=["m"]).to_pylist() if row["headline"]]
    found = changes(costs, np.ones(costs.shape, bool), names, criterion=criterion, rated=True)
    assert [change.places[criterion][0] for change in found] == [row["rank"] for row in order]
    if criterion != "average_rank":
        assert list(found[0].places) == [criterion, "average_rank"]
        words = CRITERIA[criterion].words
        told = text("s", {"m": table}, {"m": "common"}, criterion, ["m"])
        assert f"by the {words}, " in told.replace("\\", "")
        assert "log area that" in told


def test_where_a_score_has_no_runs_the_usual_criterion_stands_for_it():
    """As in measures that are not the primary one of a study whose leader a score names."""
    cost = np.array([[1.0, 2, 3], [2, 1, 5], [3, 3, 1]])
    found, usual = (changes(cost, np.ones(cost.shape, bool), list("abc"), criterion=name) for name in ("par2", DEFAULT))
    assert [repr(one.places) for one in found] == [repr(one.places) for one in usual]
    assert list(found[0].places) == [DEFAULT, "average_rank"]
