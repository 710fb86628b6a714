import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmill.core import UserError, step_functions
from benchmill.core.options import held
from benchmill.profiles import all_tables, fit
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.measures import area_under_profiles, competition_ranks, measures
from benchmill.profiles.ratios import performance_ratios, ratios
from benchmill.text.variants import Profile
from tests.costs.making import INF, cost_rows, matrix_costs
from tests.profiles.test_ratios import matrices


def rated(costs, **extra):
    return ratios(matrix_costs(costs, **extra), measure="m", aggregate="single")


def curves(table):
    result = {}
    for row in table.to_pylist():
        result.setdefault((row["dimension"], row["target"], row["algorithm"]), []).append((row["tau"], row["rho"]))
    return result


def columns(table, *names):
    return {row["algorithm"]: tuple(row[name] for name in names) for row in table.to_pylist()}


def test_a_profile_of_some_problems():
    table = rated([[1, 2, INF], [4, 2, 3]])
    found = fit(table, measure="m", groups={"some": ["p1", "p9"]}).profiles
    assert curves(found) == {(None, None, "a1"): [(1, 1), (4, 1)], (None, None, "a2"): [(1, 0), (4, 1)]}
    with pytest.raises(UserError, match="in the group 'class hard' of a profile"):
        fit(table, measure="m", groups={"class hard": ["p9"]}).tables()
    for several in ("class", {"a": ["p1"], "b": ["p2"]}, {"class": {"hard": ["p1"]}}):
        with pytest.raises(UserError, match="a study makes a profile of each of its `groups`; give one of them"):
            fit(table, measure="m", groups=several)


def test_who_does_not_compete_has_no_rank():
    """The guest wins all; of the others, which keep their ratios to it, a3 and a4 are equal behind a2."""
    table = rated([[1, 1, 1], [2, 2, 2], [4, 4, 4], [4, 4, 4]])
    found = all_tables(table, measure="m", not_competing=["a1"])["profile_measures"]
    assert columns(found, "rank_auc", "rank_auc_log", "rank_rho_1", "rank_tau_star", "front_wins_tau_star") == {
        "a1": (None, None, None, None, False),
        "a2": (1, 1, 1, 1, True),
        "a3": (2, 2, 1, 2, False),
        "a4": (2, 2, 1, 2, False),
    }
    every = all_tables(table, measure="m")["profile_measures"]
    kept = [name for name in every.column_names if not name.startswith(("rank_", "front_"))]
    assert found.select(kept).equals(every.select(kept))


@given(matrices)
def test_ranks_without_a_guest_are_in_the_order_of_all(costs):
    table = ratios(matrix_costs(costs), measure="m", aggregate="single")
    every = all_tables(table, measure="m")["profile_measures"].to_pylist()
    names = [row["algorithm"] for row in every]
    found = all_tables(table, measure="m", not_competing=names[:1])["profile_measures"].to_pylist()
    for key in (name for name in every[0] if name.startswith("rank_")):
        order = [row[key] for row in every[1:]]
        assert [row[key] for row in found] == [None, *(1 + sum(other < own for other in order) for own in order)]


def test_rows_start_at_one_and_end_at_tau_max():
    table = fit(rated([[1, 2, INF], [4, 2, 3]]), measure="m").profiles
    assert curves(table) == {
        (None, None, "a1"): [(1, 2 / 3), (4, 2 / 3)],
        (None, None, "a2"): [(1, 2 / 3), (4, 1)],
    }
    assert set(table.column("variant").to_pylist()) == {"dolan_more"}


def test_all_equal_and_all_failed():
    equal = rated([[2, 2], [2, 2]])
    assert curves(fit(equal, measure="m").profiles) == {(None, None, a): [(1, 1)] for a in ("a1", "a2")}
    found = fit(equal, measure="m").profile_measures
    assert columns(found, "auc", "auc_normalised", "tau_max", "tau_star", "tau_min_over_tau_star", "wins", "rank_auc") == {
        a: (0, 1, 1, 1, 1, 2, 1) for a in ("a1", "a2")
    }
    failed = rated([[INF, INF], [INF, INF]])
    assert curves(fit(failed, measure="m").profiles) == {(None, None, a): [(1, 0)] for a in ("a1", "a2")}
    found = fit(failed, measure="m").profile_measures
    assert columns(
        found, "auc", "auc_normalised", "tau_max", "reliability", "tau_min_over_tau_star", "rho_1", "rank_auc", "n_unsolved"
    ) == {a: (0, 0, 1, INF, 0, 0, 1, 2) for a in ("a1", "a2")}


def test_equal_costs_with_failures_are_told_apart_though_every_area_is_zero():
    found = fit(rated([[2, 2], [2, INF]]), measure="m").profile_measures
    assert columns(found, "auc", "auc_normalised", "rank_auc") == {"a1": (0, 1, 1), "a2": (0, 0.5, 2)}


def test_unsolved_problems_are_kept_or_dropped_and_counted_either_way():
    table = rated([[1, INF, 2], [1, INF, 1]])
    kept = fit(table, measure="m").profile_measures
    dropped = fit(table, measure="m", unsolved="drop").profile_measures
    assert columns(kept, "rho_tau_max", "n_problems", "n_unsolved", "tau_star") == {
        "a1": (2 / 3, 3, 1, INF),
        "a2": (2 / 3, 3, 1, INF),
    }
    assert columns(dropped, "rho_tau_max", "n_problems", "n_unsolved", "tau_star") == {"a1": (1, 2, 1, 2), "a2": (1, 2, 1, 1)}
    assert columns(kept, "auc_normalised") == columns(dropped, "auc_normalised")
    with pytest.raises(UserError, match="no algorithm solves any problem"):
        fit(rated([[INF]]), measure="m", unsolved="drop").tables()


def test_groups_by_dimension_and_target():
    costs = {("A", 10, 1.0): 1, ("B", 10, 1.0): 2, ("A", 2, 1.0): 3, ("B", 2, 1.0): 3, ("A", 2, 0.1): 8, ("B", 2, 0.1): 4}
    rows = [{"algorithm": a, "dimension": d, "target": t, "cost": c} for (a, d, t), c in costs.items()]
    table = ratios(cost_rows(rows), measure="m")
    assert curves(fit(table, measure="m", by=["dimension", "target"]).profiles) == {
        (2, 1.0, "A"): [(1, 1)],
        (2, 1.0, "B"): [(1, 1)],
        (2, 0.1, "A"): [(1, 0), (2, 1)],
        (2, 0.1, "B"): [(1, 1), (2, 1)],
        (10, 1.0, "A"): [(1, 1), (2, 1)],
        (10, 1.0, "B"): [(1, 0), (2, 1)],
    }
    assert set(curves(fit(table, measure="m", by=["target"]).profiles)) == {(None, t, a) for t in (1.0, 0.1) for a in "AB"}
    assert curves(fit(table, measure="m").profiles)[None, None, "A"] == [(1, 2 / 3), (2, 1)]


def test_weights():
    costs = {("p1", 3): (1, 2), ("p2", 9): (4, 2)}
    rows = [
        {"algorithm": a, "problem": p, "dimension": d, "cost": c}
        for (p, d), of_problem in costs.items()
        for a, c in zip("AB", of_problem, strict=True)
    ]
    table = ratios(cost_rows(rows), measure="m")
    assert curves(fit(table, measure="m", weights="dimension").profiles)[None, None, "A"] == [(1, 0.25), (2, 1)]
    found = fit(table, measure="m", weights="dimension", tau_max=3).profile_measures
    assert columns(found, "auc", "rho_1", "wins") == {"A": (0.25 * 2 + 0.75 * 1, 0.25, 1), "B": (0.75 * 2 + 0.25 * 1, 0.75, 1)}
    # a posteriori: by what the best algorithm needed (1 and 2)
    by_need = columns(fit(table, measure="m", weights="baseline").profile_measures, "rho_1")
    assert by_need == {"A": (pytest.approx(1 / 3),), "B": (pytest.approx(2 / 3),)}
    assert fit(table, measure="m", weights="equal").profiles.equals(fit(table, measure="m").profiles)
    with pytest.raises(UserError, match="the weight of the problem 'p1' is inf, expected a finite number"):
        fit(rated([[INF, 1]]), measure="m", weights="baseline").tables()
    with pytest.raises(UserError, match="expected 'equal', one of dimension"):
        fit(table, measure="m", weights="size").tables()
    names = [str(name) for name in dict.fromkeys(table.column("problem").to_pylist())]
    listed = dict(zip(names, (1.0, 3.0), strict=True))
    found = fit(table, measure="m", weights=listed)
    assert (
        Profile.parsed({"variant": "dolan_more", **held(found.options)}).called == "Dolan–Moré, weighted by numbers of their own"
    )
    assert curves(found.profiles)[None, None, "A"] == [(1, 0.25), (2, 1)]
    with pytest.raises(UserError, match=f"the weight of the problem '{names[1]}' is nan, expected a finite number of at least 0"):
        fit(table, measure="m", weights={names[0]: 1.0}).tables()
    for wrong in (-1.0, INF, float("nan")):
        with pytest.raises(UserError, match=f"the weight of the problem '{names[0]}' is {wrong:g}, expected"):
            fit(table, measure="m", weights={**listed, names[0]: wrong}).tables()
    with pytest.raises(UserError, match=f"'{names[0]}' is 0, expected a finite number of at least 0, and above 0 on some"):
        fit(table, measure="m", weights=dict.fromkeys(names, 0)).tables()


def test_ratios_that_differ_by_rounding_rise_together():
    assert 2.1 / 0.7 > 3
    table = rated([[2.1, 3.0], [0.7, 1.0]])
    assert curves(fit(table, measure="m").profiles)[None, None, "a1"][1] == (3.0, 1)


def test_user_tau_max_cuts_the_curve_and_the_area():
    table = rated([[1, 1, 1], [2, 5, 9]])
    assert curves(fit(table, measure="m", tau_max=5).profiles)[None, None, "a2"] == [(1, 0), (2, 1 / 3), (5, 2 / 3)]
    assert curves(fit(table, measure="m", tau_max=20).profiles)[None, None, "a2"][-1] == (20, 1)
    assert columns(fit(table, measure="m", tau_max=5).profile_measures, "auc", "rho_tau_max", "tau_star")["a2"] == (1, 2 / 3, 9)


def test_name_and_mistakes():
    table = rated([[1.0]])
    assert fit(table, measure="m", variant="dolan_more", name="mine").profiles.column("variant").to_pylist() == ["mine"]
    for settings, message in [
        ({"variant": "nest"}, "no variant 'nest'"),
        ({"bi": 1}, "no setting 'bi'"),
        ({"by": ["suite"]}, "by is"),
        ({"tau_max": 0.5}, "tau_max is 0.5"),
        ({"tau_max": INF}, "tau_max is inf"),
        ({"unsolved": "x"}, "unsolved is 'x'"),
    ]:
        with pytest.raises(UserError, match=message):
            fit(table, measure="m", **settings).tables()
    with pytest.raises(UserError, match="no ratios of it"):
        fit(table, measure="n").tables()
    alone = ratios(cost_rows([{"algorithm": a, "problem": a, "cost": 1} for a in "AB"]), measure="m")
    with pytest.raises(UserError, match="no problem on which every algorithm has a trial"):
        fit(alone, measure="m").tables()


def test_excluded_problems_do_not_enter():
    rows = [{"algorithm": "A", "problem": p, "cost": 1} for p in ("p1", "p2")] + [{"algorithm": "B", "problem": "p1", "cost": 3}]
    found = fit(ratios(cost_rows(rows), measure="m"), measure="m").profile_measures
    assert columns(found, "n_problems", "wins") == {"A": (1, 1), "B": (1, 0)}


@given(matrices, st.floats(1, 1e4))
def test_area_from_ratios_is_the_integral_of_the_profile(costs, tau_max):
    r = performance_ratios(costs)[0]
    areas = [step_functions.area(f, 1, tau_max) for f in profile_functions(r)]
    assert areas == pytest.approx(area_under_profiles(r, tau_max), rel=1e-9, abs=1e-12)


@given(matrices)
def test_table_is_the_profile(costs):
    r = performance_ratios(costs)[0]
    tau_max = r[np.isfinite(r)].max(initial=1)
    found = curves(fit(rated(costs), measure="m").profiles)
    for i, row in enumerate(r):
        points = found[None, None, f"a{i + 1}"]
        assert points[0][0] == 1
        assert points[-1][0] == tau_max
        for tau, rho in points:
            assert rho == pytest.approx(np.mean(row <= tau * (1 + 1e-12)))
        assert all(b[1] > a[1] for a, b in itertools.pairwise(points[:-1]))
        assert all(tau in row for tau, _ in points[1:-1])


@given(matrices)
def test_duplicating_all_problems_changes_nothing(costs):
    r = performance_ratios(costs)[0]
    once, twice = measures(r, 50), measures(np.hstack([r, r]), 50)
    for name, values in once.items():
        assert twice[name] == pytest.approx(2 * values if name == "wins" else values)


@given(matrices, st.randoms())
def test_permuting_problems_changes_nothing_and_permuting_algorithms_permutes(costs, random):
    r = performance_ratios(costs)[0]
    rows, order = (random.sample(range(n), n) for n in r.shape)
    plain, permuted = measures(r, 50), measures(r[rows][:, order], 50)
    for name, values in plain.items():
        assert permuted[name] == pytest.approx(values[rows])


@given(matrices)
def test_measures_are_consistent(costs):
    r = performance_ratios(costs)[0]
    finite = r[np.isfinite(r)]
    assume(finite.size)
    found = measures(r, finite.max())
    assert (found["rho_1"] <= found["rho_tau_max"]).all()
    assert ((found["auc_normalised"] >= 0) & (found["auc_normalised"] <= 1)).all()
    assert found["auc_normalised"].max() == 1
    assert np.array_equal(found["rank_auc"] == 1, found["auc_normalised"] >= 1 - 1e-12)
    assert found["wins"].sum() >= np.isfinite(r).any(axis=0).sum()
    assert np.array_equal(found["reliability"], r.max(axis=1))


def test_ranks_share_the_smallest():
    assert competition_ranks([1, 1, 1, 0.5], larger_is_better=True).tolist() == [1, 1, 1, 4]
    assert competition_ranks([INF, 2, INF, 1], larger_is_better=False).tolist() == [3, 2, 3, 1]
    assert competition_ranks([0.1 + 0.2, 0.3], larger_is_better=True).tolist() == [1, 1]
    assert competition_ranks([0.30001, 0.3], larger_is_better=True).tolist() == [1, 2]
