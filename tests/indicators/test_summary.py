"""The summary of solver runs, by hand and by what must hold; tests/readers/test_real_solver_runs.py has published ones."""

import numpy as np
import pytest
from scipy import stats

from benchmill.core import UserError, keys, schema
from benchmill.costs import costs as measured
from benchmill.costs import gap, given, integrals
from benchmill.indicators.summary import Options, summary
from tests.costs.making import solver_runs, source

USUAL = Options()


def rows(times, subset="all", unsolved="limit", options=USUAL, **settings):
    own = {name: settings.pop(name) for name in ("limit", "nodes", "iterations") if name in settings}
    table, trials = solver_runs(times, **own)
    found = summary([table], [trials], options, **{"shift": 10.0, **settings})["summary"]
    return {r["algorithm"]: r for r in found.to_pylist() if (r["subset"], r["unsolved"]) == (subset, unsolved)}


#: Three instances: both solve the first, A alone the second, nobody the third.
TWO = {"A": [10.0, 90.0, None], "B": [30.0, None, "memory_limit"]}


def test_two_solvers_by_hand():
    found = rows(TWO)
    assert list(found) == ["A", "B", "virtual best"]
    a, b, best = found.values()
    assert [a["solved"], a["timeout"], a["memory"]] == [2, 1, 0]
    assert [b["solved"], b["timeout"], b["memory"]] == [1, 1, 1]
    # 20 * 100 * 110 = 220000 and 40 * 110 * 110 = 484000 under the cube root
    assert a["sgm"] == pytest.approx(220000 ** (1 / 3) - 10)
    assert b["sgm"] == pytest.approx(484000 ** (1 / 3) - 10)
    assert b["sgm_ratio"] == pytest.approx(b["sgm"] / a["sgm"])
    assert [a["rank"], b["rank"], best["rank"]] == [1, 2, None]
    assert [a["role"], b["role"], best["role"]] == ["single_best", "solver", "virtual_best"]
    assert (a["mean"], a["par1"], a["par2"], a["par10"]) == pytest.approx((200 / 3, 200 / 3, 100, 1100 / 3))
    assert (a["median"], b["median"]) == (90, 100)
    # A is best everywhere, so that the virtual best is A and loses without it the second instance
    assert best["sgm"] == a["sgm"]
    assert (best["solved"], best["timeout"]) == (2, None)
    assert (a["unique"], a["adds_solved"], a["adds_mean"]) == pytest.approx((1, 1, 30 / 3))
    assert a["adds_sgm"] == pytest.approx(b["sgm"] / a["sgm"])
    assert (a["lead"], a["lead_problem"]) == (pytest.approx(2.0), "problem p1")
    assert (b["unique"], b["adds_solved"], b["adds_mean"], b["adds_sgm"], b["lead"]) == (0, 0, 0, 1, None)


@pytest.mark.parametrize(
    ("runs", "best"),
    [
        ({"A": [float("inf"), float("inf")], "B": [float("inf"), float("inf")]}, []),
        ({"A": [3.0, 5.0], "B": [5.0, 3.0]}, []),
        ({"A": [3.0, 5.0], "B": [5.0, 3.0], "C": [9.0, 9.0]}, []),
        ({"A": [3.0, 5.0], "B": [5.0, 4.0]}, ["A"]),
        ({"A": [3.0, float("inf")], "B": [float("inf"), float("inf")]}, ["A"]),
    ],
)
def test_of_several_that_are_first_none_is_the_single_best_nor_is_anybody_where_all_fail(runs, best):
    costs, trials = solver_runs(runs)
    found = summary([costs], [trials], shift=10)["summary"].to_pylist()
    assert [row["algorithm"] for row in found if row["role"] == "single_best" and row["unsolved"] == "limit"][:1] == best


def test_what_failures_count():
    for unsolved, factor in (("x2", 2), ("x10", 10)):
        found = rows(TWO, unsolved=unsolved)
        assert found["A"]["mean"] == pytest.approx((100 + factor * 100) / 3)
        assert found["A"]["par2"] == pytest.approx(100)
        assert found["B"]["sgm"] == pytest.approx((40 * (factor * 100 + 10) ** 2) ** (1 / 3) - 10)
    solved = rows(TWO, unsolved="all_solved")
    assert {name: (row["instances"], row["mean"]) for name, row in solved.items()} == {
        "A": (1, 10), "B": (1, 30), "virtual best": (1, 10)
    }  # fmt: skip


def test_brackets_need_a_solver_that_solves_and_a_slow_one():
    times = {"A": [0.5, 3.0, 20.0, None], "B": [0.2, 0.5, 15.0, None]}
    names = {name: rows(times, name) for name in ("all", "[0, limit]", "[1, limit]", "[10, limit]", "[100, limit]")}
    assert {name: found["A"]["instances"] for name, found in names.items() if found} == {
        "all": 4, "[0, limit]": 3, "[1, limit]": 2, "[10, limit]": 1
    }  # fmt: skip
    # one that B does not solve takes it the limit
    assert rows({"A": [5.0], "B": [None]}, "[100, limit]")["A"]["instances"] == 1


def test_affected_instances_have_different_paths():
    nodes = {("A", 1): 5, ("B", 1): 5, ("A", 2): 7, ("B", 2): 8, ("A", 3): 1}
    found = rows({"A": [1.0, 1.0, 1.0], "B": [1.0, 1.0, 1.0]}, "affected", nodes=nodes)
    assert found["A"]["instances"] == 2
    assert rows(TWO, "affected") == {}


def test_seeds_of_an_instance_weigh_as_much_as_one_run():
    found = rows({"A": [[10.0, 30.0], 40.0], "B": [[20.0, None], 50.0]})
    assert found["A"]["sgm"] == pytest.approx(np.exp((np.log(20) / 2 + np.log(40) / 2 + np.log(50)) / 2) - 10)
    assert found["A"]["mean"] == pytest.approx((20 + 40) / 2)
    assert (found["A"]["n"], found["A"]["instances"], found["B"]["solved"]) == (3, 2, 2)
    # the virtual best takes a solver for an instance, not a seed
    assert found["virtual best"]["mean"] == pytest.approx(30)
    assert found["A"]["adds_solved"] == 0.5


def test_instances_that_a_solver_lacks():
    times = {"A": [10.0, 20.0], "B": [30.0, "absent"]}
    common = rows(times)
    assert [(common[a]["instances"], common[a]["missing"], common[a]["left_out"]) for a in "AB"] == [(1, 0, 1), (1, 1, 1)]
    failed = rows(times, missing="failure")
    assert (failed["B"]["mean"], failed["B"]["median"], failed["B"]["n"]) == (65, 65, 1)
    assert failed["B"]["sgm"] == pytest.approx((40 * 110) ** 0.5 - 10)
    assert failed["A"]["unique"] == 1


def test_a_limit_that_is_not_known():
    found = rows(TWO, limit=None)
    assert (found["A"]["sgm"], found["A"]["mean"], found["A"]["median"], found["A"]["rank"]) == (None, None, None, None)
    assert (found["A"]["limit_unknown"], found["B"]["limit_unknown"], found["A"]["unique"]) == (1, 2, 1)
    # B is solved everywhere, and still nobody knows who is first
    half = rows({"A": [1.0, None], "B": [50.0, 50.0]}, limit=None)
    assert (half["B"]["sgm"], half["B"]["rank"], half["B"]["sgm_ratio"], half["B"]["role"]) == (
        pytest.approx(50),
        None,
        None,
        "solver",
    )
    assert rows(TWO, unsolved="all_solved", limit=None)["A"]["sgm"] == pytest.approx(10)


def stopped_sooner(limits=(10.0, 100.0), seed=1):
    """Times of two solvers that are one and the same, the first of which is stopped sooner; and the limits of the runs."""
    times = np.exp(np.random.default_rng(seed).normal(2, 2, 40)).tolist()
    own = {name: [t if t <= limit else None for t in times] for name, limit in zip("AB", limits, strict=True)}
    return own, {(name, p): limit for name, limit in zip("AB", limits, strict=True) for p in range(1, 41)}


def test_of_two_equal_solvers_none_is_better_because_it_is_stopped_sooner():
    times, limits = stopped_sooner()
    table, trials = solver_runs(times, cost_budget=limits)
    found = summary([table], [trials], USUAL, shift=10.0)
    of_all = [row for row in found["summary"].to_pylist() if row["subset"] == "all"]
    for unsolved in ("limit", "x2", "x10"):
        a, b, _ = (row for row in of_all if row["unsolved"] == unsolved)
        same = ("sgm", "mean", "par2", "par10", "rank", "solved", "timeout", "median")
        assert [a[name] for name in same] == [b[name] for name in same]
        assert (b["sgm_ratio_low"], b["sgm_ratio_high"]) == (1, 1)
    late = sum(t is not None and t > 10 for t in times["B"])
    assert late > 5
    assert [(row["own_limit"], row["late"], row["limits_differ"]) for row in of_all[:2]] == [(10, 0, 40), (100, late, 40)]
    runs = [row for row in found["solver_runs"].to_pylist() if row["algorithm"] == "B"]
    assert sum(row["late"] for row in runs) == late
    assert {row["limit"] for row in runs} == {10}


def test_limits_on_instances_that_are_left_out_do_not_count():
    """Of the two instances C has no run of the second, where a run of A takes longer than the limit of B."""
    times = {"A": [1.0, 20.0], "B": [2.0, 3.0], "C": [4.0, "absent"]}
    limits = {(name, p): limit for name, limit in {"A": 100.0, "B": 10.0, "C": 100.0}.items() for p in (1, 2)}
    table, trials = solver_runs(times, cost_budget=limits)
    first = summary([table], [trials], USUAL, shift=10.0)["summary"].to_pylist()[0]
    assert (first["instances"], first["left_out"], first["limits_differ"], first["late"]) == (1, 1, 1, 0)


def test_a_limit_that_only_failed_runs_show_is_that_of_the_solver():
    times, limits = stopped_sooner()
    shown = {place: limit for place, limit in limits.items() if times[place[0]][place[1] - 1] is None}
    table, trials = solver_runs(times, cost_budget=shown)
    found = summary([table], [trials], USUAL, shift=10.0)["summary"].to_pylist()
    a, b = found[:2]
    assert (a["sgm"], a["par10"], a["rank"]) == (b["sgm"], b["par10"], b["rank"])


def test_a_crash_is_no_limit():
    # B ends with an error after a second, and what it had spent stands for its limit there
    limits = {("A", 1): 100.0, ("A", 2): 100.0, ("B", 1): 1.0, ("B", 2): 100.0}
    table, trials = solver_runs({"A": [20.0, 30.0], "B": ["error", 40.0]}, cost_budget=limits)
    found = summary([table], [trials], USUAL, shift=10.0)["summary"].to_pylist()
    assert [(row["solved"], row["limits_differ"]) for row in found[:2]] == [(2, None), (1, None)]


def test_who_does_not_compete_changes_nothing_of_others():
    three = {**TWO, "C": [1.0, 1.0, "absent"]}
    found = rows(three, not_competing=("C",))
    assert (found["C"]["rank"], found["C"]["role"], found["C"]["sgm"], found["C"]["missing"]) == (None, "not_competing", None, 1)
    assert {name: row for name, row in found.items() if name != "C"} == rows(TWO)
    for wrong, message in ((("D",), "'D' is no algorithm of the study"), (("A", "B"), "no algorithm is left to rank")):
        with pytest.raises(UserError, match=message):
            rows(TWO, not_competing=wrong)


def test_intervals_are_of_whole_instances():
    rng = np.random.default_rng(5)
    times = np.exp(rng.normal(3, 1, 40))
    found = rows({"A": times.tolist(), "B": (2 * times).tolist()}, shift=0.0, limit=300.0)
    a, b = found["A"], found["B"]
    # B takes twice as long everywhere, so that its ratio is certain whatever is drawn
    assert (b["sgm_ratio_low"], b["sgm_ratio_high"]) == pytest.approx((2, 2))
    assert (a["sgm_ratio_low"], a["sgm_ratio_high"]) == (1, 1)
    half = stats.t.ppf(0.975, 39) * np.log(times).std(ddof=1) / 40**0.5
    # the side of the shorter tail is Student's
    assert min(np.log(a["sgm"] / a["sgm_low"]), np.log(a["sgm_high"] / a["sgm"])) == pytest.approx(half)
    assert rows({"A": [1.0], "B": [2.0]})["A"]["sgm_low"] is None


def test_claims_that_cannot_both_be_true_are_counted():
    table, trials = solver_runs({"A": [1.0, 1.0], "B": [1.0, 1.0], "C": [1.0, 1.0]})
    rows_ = trials.to_pylist()
    for row in rows_:
        row |= {"best_value": 7.0 if (row["algorithm"], row["problem"]) == ("B", "p2") else 1.0, "proven": True}
    trials = schema.table("trials", {name: [row[name] for row in rows_] for name in trials.column_names})
    found = summary([table], [trials], USUAL, shift=1.0)["summary"]
    assert {r["algorithm"]: r["contradicted"] for r in found.to_pylist()} == {"A": 1, "B": 1, "C": 1, "virtual best": 0}


#: Gaps of two solvers on three instances: A solves the first, B has no solution of the third.
GAPS = {"A": [(1e-4, "solved"), (0.1, "failed"), (0.3, "failed")], "B": [(0.02, "failed"), (0.05, "failed"), (np.inf, "failed")]}


def gap_rows(gaps, unsolved="as_is", **settings):
    """The summary of gaps by solver, from a cost and a status for each run."""
    runs = [
        {"algorithm": name, "problem": f"p{i}", "status": status, "outcome": "solved" if status == "solved" else "time_limit"}
        | {"dimension": None, "instance": None, "cost": cost, "cost_budget": 100.0}
        for name, own in gaps.items()
        for i, (cost, status) in enumerate(own, 1)
    ]
    trials, _ = source(runs, suite=None)
    table = measured("given", trials, None, "gap", {})
    found = summary([table], [trials], Options(as_is=True), shift=0.01, **settings)
    assert set(found["summary"].column("subset").to_pylist()) == {"all"}
    return {r["algorithm"]: r for r in found["summary"].to_pylist() if r["unsolved"] == unsolved}, found["solver_runs"]


def test_gaps_count_as_they_are_and_solved_goes_by_the_status():
    (a, b, best), runs = (list(found.values()) if isinstance(found, dict) else found for found in gap_rows(GAPS))
    assert [(row["n"], row["solved"], row["timeout"], row["limit_unknown"]) for row in (a, b)] == [(3, 1, 2, 0), (3, 0, 3, 1)]
    assert a["sgm"] == pytest.approx((0.0101 * 0.11 * 0.31) ** (1 / 3) - 0.01)
    assert (a["mean"], a["median"]) == pytest.approx((0.4001 / 3, 0.1))
    # B has a run without a gap: no mean, and nobody is first; but the median is known
    assert [b[name] for name in ("sgm", "mean", "rank", "sgm_ratio")] == [None] * 4
    assert b["median"] == pytest.approx(0.05)
    assert (a["rank"], a["role"], {row[par] for row in (a, b, best) for par in ("par1", "par2", "par10")}) == (
        None,
        "solver",
        {None},
    )
    assert best["sgm"] == pytest.approx((0.0101 * 0.06 * 0.31) ** (1 / 3) - 0.01)
    assert (best["solved"], a["unique"], b["lead"], b["lead_problem"]) == (1, 1, pytest.approx(0.11 / 0.06), "problem p2")
    assert runs.column("outcome").to_pylist()[:6] == ["solved", "timeout", "timeout", "timeout", "timeout", "timeout"]


def test_gaps_of_runs_that_are_stopped_sooner_are_told():
    costs, trials = solver_runs({"A": [0.1, 0.2], "B": [0.3, 0.4]}, cost_budget={("A", 1): 10.0, ("B", 1): 99.0})
    found = summary([costs], [trials], Options(as_is=True), shift=0.01)["summary"].to_pylist()
    # one that states a limit once has it everywhere
    assert [(row["own_limit"], row["late"], row["limits_differ"]) for row in found[:2]] == [(10, 0, 2), (99, 0, 2)]
    assert found[0]["sgm"] < found[1]["sgm"]


def test_gaps_where_every_run_has_one():
    found, _ = gap_rows(GAPS, "all_measured")
    assert [found[name]["instances"] for name in "AB"] == [2, 2]
    assert found["B"]["sgm"] == pytest.approx((0.03 * 0.06) ** 0.5 - 0.01)
    assert found["A"]["sgm_ratio"] == pytest.approx(1)
    assert (found["A"]["rank"], found["A"]["role"], found["B"]["rank"]) == (1, "single_best", 2)


def test_of_equal_gaps_the_virtual_best_takes_that_of_a_solved_run():
    found, _ = gap_rows({"A": [(1e-4, "failed")], "B": [(1e-4, "solved")]})
    assert (found["virtual best"]["solved"], found["A"]["solved"], found["B"]["unique"]) == (1, 0, 1)


def test_a_missing_run_has_no_gap():
    gaps = {"A": [(0.1, "failed"), (0.2, "failed")], "B": [(0.1, "failed")]}
    failed, _ = gap_rows(gaps, missing="failure")
    assert (failed["B"]["sgm"], failed["B"]["mean"], failed["B"]["missing"]) == (None, None, 1)
    common, _ = gap_rows(gaps)
    assert [(common[name]["mean"], common[name]["left_out"]) for name in "AB"] == [(pytest.approx(0.1), 1)] * 2


def test_no_costs():
    table, trials = solver_runs({})
    assert summary([table], [trials], shift=10.0)["summary"].num_rows == 0


def test_values_that_have_no_shifted_logarithm():
    assert rows({"A": [-20.0, 5.0], "B": [1.0, 1.0]})["A"]["sgm"] is None


def test_the_shift_is_ten_for_times_and_one_for_counts():
    assert given.Options().geometric_shift == 10
    assert given.Options(quantity="nodes").geometric_shift == 1
    assert given.Options(quantity="runtime_s").geometric_shift == 10
    assert given.Options(mean_shift=0.0).geometric_shift == 0
    assert (gap.Options().geometric_shift, integrals.Options().geometric_shift) == (0.01, 1)


def test_a_mean_that_one_failure_more_would_change_has_no_interval():
    """Thirty runs of about 20 s and a limit of an hour: a failure of one in twenty might not be seen, and decides the mean."""
    usual = (20 * np.exp(0.1 * np.random.default_rng(0).normal(size=30))).tolist()
    failing = [*usual[:24], *[None] * 6]
    found = rows({"A": usual, "B": failing, "C": [*usual[:10], *failing[10:]]}, limit=3600.0)
    assert found["A"]["sgm_low"] is found["A"]["sgm_high"] is None
    assert found["B"]["sgm_low"] < found["B"]["sgm"] < found["B"]["sgm_high"]
    # the ratio is to a mean that is not known
    assert found["B"]["sgm_ratio_low"] is None
    near = rows({"A": usual, "B": failing}, limit=60.0)
    assert near["A"]["sgm_low"] < near["A"]["sgm"] < near["A"]["sgm_high"]


def test_each_class_is_summarised_as_if_it_were_all_and_a_problem_without_one_is_in_none():
    times = {"A": [10.0, 90.0, None, 5.0], "B": [30.0, None, 20.0, 5.0]}
    names = list(dict.fromkeys(solver_runs(times)[0]["problem"].to_pylist()))
    classes = keys.Family("answer", {names[0]: "SAT", names[1]: "SAT", names[2]: "UNSAT"})
    for word, chosen in {"SAT": slice(0, 2), "UNSAT": slice(2, 3)}.items():
        alone = rows({name: own[chosen] for name, own in times.items()}, "all", "x2")
        within = rows(times, f"answer {word}", "x2", by=classes)
        for name, row in alone.items():
            assert [within[name][key] for key in ("instances", "solved", "par2", "rank")] == [
                row[key] for key in ("instances", "solved", "par2", "rank")
            ]
            assert within[name]["sgm"] == pytest.approx(row["sgm"])
    assert rows(times, f"problem {names[3]}", by="problem")["A"]["mean"] == 5
    assert not rows(times, "answer None", by=classes)
