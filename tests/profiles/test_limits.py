"""Limits that differ between solvers: nobody is worse, or better, by his limit alone, and every sentence says what was done."""

import numpy as np
import pandas as pd
import pytest

import benchmill as bm
from benchmill.core.limits import costs_of
from benchmill.costs import costs as measured
from benchmill.indicators.summary import Options, summary
from benchmill.inference.design import from_costs, from_ratios
from benchmill.inference.verdicts import Declaration
from benchmill.profiles import all_tables, fit
from benchmill.profiles.ratios import ratios
from benchmill.profiles.standings import leaders
from benchmill.text.limits import differing
from tests.costs.making import INF, solver_runs
from tests.inference.test_verdicts import verdicts

LIMITS = {"A": 10.0, "B": 100.0, "C": 100.0}
TIMES = np.exp(np.random.default_rng(3).normal(1.8, 1.5, (40, 3)))


def runs_of(times=TIMES, limits=LIMITS):
    """Costs and trials of solvers that are stopped at their own limits."""
    own = {
        name: [t if t <= limit else None for t in column] for (name, limit), column in zip(limits.items(), times.T, strict=True)
    }
    budgets = {(name, p): limit for name, limit in limits.items() for p in range(1, len(times) + 1)}
    return solver_runs(own, cost_budget=budgets)


@pytest.fixture(scope="module")
def stopped():
    return runs_of()[0]


def test_costs_are_those_of_runs_that_all_were_stopped_at_the_smallest_limit(stopped):
    alike = runs_of(limits=dict.fromkeys(LIMITS, 10.0))[0]
    data, late = costs_of(stopped, "time")
    for name in ("cost", "budget", "success"):
        assert data.column(name).to_pylist() == alike.column(name).to_pylist()
    assert late.sum() == ((TIMES[:, 1:] > 10) & (TIMES[:, 1:] <= 100)).sum() > 0
    # so are all profiles, and what is tested
    for aggregate in ("mean", "ert"):
        found, expected = (ratios(table, measure="time", aggregate=aggregate) for table in (stopped, alike))
        assert found.drop_columns("n_late").equals(expected.drop_columns("n_late"))
        for variant in ("dolan_more", "nested", "probabilistic"):
            one, other = (
                all_tables(table, costs, measure="time", variant=variant, aggregate=aggregate)["profiles"]
                for table, costs in ((found, stopped), (expected, alike))
            )
            assert one.equals(other)
    one, other = (from_costs(table, measure="time")[0].values for table in (stopped, alike))
    assert np.array_equal(one, other)


def test_whose_limit_is_the_smallest_but_who_does_not_compete_cuts_nobody(stopped):
    data, late = costs_of(stopped, "time", ["A"])
    assert data.equals(stopped)
    assert not late.any()
    alone = ratios(stopped, measure="time", aggregate="mean", not_competing=["A"]).to_pylist()
    costs = {row["problem"]: row["cost"] for row in alone if row["algorithm"] == "B"}
    assert [costs[f"p{n}"] for n in range(1, 41)] == pytest.approx(np.where(TIMES[:, 1] <= 100, TIMES[:, 1], INF))


def test_no_limit_no_cut():
    for table in (
        runs_of(limits=dict.fromkeys(LIMITS, 50.0))[0],
        solver_runs({"A": [1.0, None], "B": [2.0, 3.0]}, limit=None)[0],
    ):
        data, late = costs_of(table, "time")
        assert data.equals(table)
        assert not late.any()


def test_numbers_of_nodes_are_no_limits():
    nodes = {(name, p): number * p for name, number in (("A", 10), ("B", 50)) for p in (1, 2, 3)}
    _, trials = solver_runs({"A": [1.0, 2.0, None], "B": [1.0, 3.0, 4.0]}, nodes=nodes)
    table = measured("given", trials, None, "nodes", {"quantity": "nodes"})
    of_all = [row for row in summary([table], [trials], Options(), shift=1.0)["summary"].to_pylist() if row["subset"] == "all"]
    assert [(row["solved"], row["limits_differ"]) for row in of_all if row["unsolved"] == "limit"][:2] == [(2, None), (3, None)]
    assert not costs_of(table, "nodes")[1].any()


def test_every_sentence_says_that_limits_differ(stopped):
    late = {name: int(((TIMES[:, i] > 10) & (TIMES[:, i] <= 100)).sum()) for i, name in ((1, "B"), (2, "C"))}
    made = ratios(stopped, measure="time", aggregate="mean")
    counted = {
        row["algorithm"]: (row["n_late"], row["n_stopped"]) for row in fit(made, measure="time").profile_measures.to_pylist()
    }
    assert counted == {"A": (0, 0), "B": (late["B"], 0), "C": (late["C"], 0)}
    rows = [row for row in leaders({"time": made}).to_pylist() if row["measure"] == "time"]
    first, last = sorted(late, key=lambda name: -late[name])
    told = (
        f"Limits differ: on up to {late[first]} of 40 {{}} runs of {first} and {last} succeeded after the smallest limit of an "
    )
    assert differing([row for row in rows if row["headline"]], 40, "problem").startswith(told.format("problems"))
    for designs in (from_ratios(made, measure="time"), from_costs(stopped, measure="time")):
        every, *pairs = (
            row for row in verdicts({"time": designs}, Declaration(permutations=199)).to_pylist() if row["analysis"] == "primary"
        )
        assert every["text"].startswith(told.format("problems"))
        for pair in pairs:
            for name in ("B", "C"):
                said = (
                    f"runs of {name} that succeeded after the smallest limit of an instance count as failed on {late[name]} of 40"
                )
                assert (said in pair["text"]) == (name in (pair["algorithm_a"], pair["algorithm_b"]))


def test_tables_and_what_a_notebook_prints_of_them_say_it_as_well():
    rows = [
        (name, f"p{p}", t if t <= limit else INF, limit)
        for (name, limit), column in zip(LIMITS.items(), TIMES.T, strict=True)
        for p, t in enumerate(column)
    ]
    costs = bm.costs(pd.DataFrame(rows, columns=["algorithm", "problem", "cost", "limit"]), limit="limit")
    profile = bm.profile(costs)
    for told in (profile.caption, profile.table.caption, *profile.sentences, repr(profile).splitlines()[1]):
        assert told.startswith("Limits differ: on up to ")
    assert repr(bm.summary(costs)).splitlines()[1].startswith("Limits differ on 40 instances (10 for A; 100 for B and C)")
    assert repr(bm.ert(costs)).splitlines()[1].startswith("Budgets differ: on ")


def test_identical_solvers_are_not_told_apart_by_their_limits():
    shares = []
    for seed in range(60):
        times = np.exp(np.random.default_rng(seed).normal(1.8, 1.5, (40, 3)))
        found = fit(ratios(runs_of(times)[0], measure="time", aggregate="mean"), measure="time").profile_measures.to_pylist()
        ranks = {row["algorithm"]: row["auc_log"] for row in found}
        shares.append([ranks["A"] == min(ranks.values()), ranks["A"] == max(ranks.values())])
    # last and first of three in a third of the studies each; without the cut A is last in nearly all
    assert np.abs(np.mean(shares, axis=0) - 1 / 3).max() < 0.2


def unstated(limits, seed=0, n=40, overrun=0.0, word="timeout"):
    """Return the runs of solvers that differ by chance alone, each stopped at its limit or somewhat later; no limit is stated."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(4, 2, n)
    rows = []
    for name, limit in limits.items():
        times = np.exp(hard + rng.normal(0, 0.5, n))
        ends = limit * (1 + overrun * rng.random(n))
        state = np.where(times < limit, "ok", word)
        rows.append(
            pd.DataFrame({"solver": name, "model": range(n), "seconds": np.where(times < limit, times, ends), "state": state})
        )
    return pd.concat(rows)


def stated(frame, **failed):
    return bm.costs(frame, algorithm="solver", problem="model", cost="seconds", status="state", **failed)


def test_a_limit_that_nobody_states_is_known_by_the_times_of_those_who_were_stopped():
    """B, stopped ten times later, would be called better than A, which is as fast."""
    limits = {"A": 60.0, "B": 600.0, "C": 600.0}
    for failed in ("timeout", {"timeout": "time_limit"}):
        costs = stated(unstated(limits), failed=failed)
        assert bm.profile(costs).caption.startswith("Limits differ: on up to ")
    text = bm.compare(costs).text
    assert text.caveat.startswith("Limits differ: on up to ")
    assert text.headline.startswith("No algorithm is shown to be best: the 3 algorithms cannot be told apart")
    # who ends at its limit and somewhat later has one limit, and a failure of another kind tells nothing of one
    for runs, failed in (
        (unstated({"A": 600.0, "B": 600.0}, overrun=0.3), "timeout"),
        (unstated(limits, word="segfault"), {"segfault": "error"}),
        (unstated(limits).replace({"seconds": {60.0: 600.0}}), "timeout"),
    ):
        assert "imits differ" not in bm.profile(stated(runs, failed=failed)).caption
    # times are no limit of another cost
    other = unstated(limits).rename(columns={"seconds": "runtime_s"}).assign(seconds=7.0)
    assert "imits differ" not in bm.profile(stated(other, failed="timeout")).caption
