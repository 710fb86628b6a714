"""Kaplan and Meier's curves against published values, restricted means against plain means, and what a horizon leaves out."""

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.exhibits.tables import build, numbers
from benchmill.indicators.kaplan_meier import Options, curves, kaplan_meier, restricted_means

#: Remission times of 21 patients on 6-MP (Freireich and others 1963); + is censored.
PRINTED = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"
#: The estimate after each relapse, as Cox and Oakes (1984) and every package print it.
PUBLISHED = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
INF = float("inf")


def unsolved(of, cell, at):
    return 1 - of.drop[cell][of.time[cell] <= at].sum()


@pytest.fixture(scope="module")
def remissions():
    times = PRINTED.split()
    return curves([float(t.rstrip("+")) for t in times], [t.endswith("+") for t in times], [0, 21])


@pytest.mark.parametrize(("at", "expected"), PUBLISHED.items())
def test_published_estimates(remissions, at, expected):
    assert unsolved(remissions, 0, at) == pytest.approx(expected, abs=5e-4)


def test_the_published_restricted_mean_and_nothing_beyond_the_last_run(remissions):
    # R's survfit: 23.3 up to 35
    assert restricted_means(remissions, 35.0) == pytest.approx([23.287], abs=5e-4)
    assert np.isnan(restricted_means(remissions, 35.1)).all()


def test_without_stopped_runs_it_is_the_share_and_the_mean():
    rng = np.random.default_rng(1)
    times = np.round(rng.exponential(size=60), 1)
    of = curves(times, np.zeros(60, bool), [0, 25, 60])
    assert np.isinf(of.end).all()
    for cell, own in enumerate((times[:25], times[25:])):
        for at in (0.0, 0.1, 0.5, 2.0):
            assert unsolved(of, cell, at) == pytest.approx((own > at).mean())
    found = restricted_means(of, [0.7, 0.9])
    assert found == pytest.approx([np.minimum(times[:25], 0.7).mean(), np.minimum(times[25:], 0.9).mean()])


def costs(*rows, **more):
    """algorithm, problem, cost, budget"""
    fixed = {"suite": "s", "dimension": 2, "measure": "m", "n": 1, "trial": 0, "run": 1, **more}
    return schema.of_rows(
        "costs",
        [fixed | {"algorithm": a, "problem": p, "cost": c, "budget": b, "success": np.isfinite(c)} for a, p, c, b in rows],
    )


def test_the_horizon_is_up_to_where_all_were_followed():
    table = costs(("A", "p", 1.0, 1.0), ("A", "p", INF, 3.0), ("A", "q", 2.0, 2.0), ("B", "p", INF, 8.0), ("B", "q", 4.0, 4.0))
    means = kaplan_meier(table)["restricted_means"].to_pylist()
    assert {row["horizon"] for row in means} == {3.0}
    # of A (1 + 3) / 2 on p and 2 on q; of B 3 and 3
    assert [row["mean"] for row in means] == pytest.approx([2.0, 3.0])
    assert [row["unsolved"] for row in means] == pytest.approx([0.25, 1.0])
    assert [row["n_stopped"] for row in means] == [0, 0]


def test_a_stated_horizon_says_nothing_of_who_was_not_followed_so_far():
    table = costs(("A", "p", 1.0, 1.0), ("A", "p", INF, 3.0), ("B", "p", INF, 8.0), target=0.1)
    found = kaplan_meier(table, Options(horizon=2.5))
    one, two = found["restricted_means"].to_pylist()
    # evaluations per dimension: 5
    assert (one["horizon"], one["mean"], one["followed"], one["n_stopped"]) == (5.0, None, 3.0, 1)
    assert two["mean"] == 5.0


def test_nothing_is_left_where_all_runs_succeed_and_runs_have_no_expected_time():
    rows = [("A", f"p{problem}", 1.0 + run + problem / 10, 9.0) for problem in range(8) for run in range(3)]
    found = kaplan_meier(costs(*rows, target=0.1))
    assert found["restricted_means"]["unsolved"].to_pylist() == [0.0]
    assert found["kaplan_meier"]["unsolved"].to_pylist()[-1] == 0.0
    measure = {"name": "ert", "kind": "fixed_target", "targets": [0.1], "label": "ERT"}
    table = build("restricted_means", found, {"measure": measure})
    assert table.caption.startswith("Restricted mean of the running time: ")


def test_a_problem_that_one_lacks_is_left_out():
    table = costs(("A", "p", 1.0, 1.0), ("A", "q", 9.0, 9.0), ("B", "p", 2.0, 2.0))
    means = kaplan_meier(table)["restricted_means"].to_pylist()
    assert [(row["n_problems"], row["n_left_out"]) for row in means] == [(1, 1), (1, 1)]
    assert kaplan_meier(costs(("A", "p", 1.0, 1.0), ("B", "q", 2.0, 2.0)))["restricted_means"].num_rows == 0


def test_steps_and_intervals_of_the_mean_curve():
    rng = np.random.default_rng(2)
    rows = [("A", f"f{p}", *((t, t) if t < 1.5 else (INF, 1.5))) for p in range(12) for t in rng.exponential(size=4)]
    found = kaplan_meier(costs(*rows), problem_keys=["suite", "problem", "dimension"])
    frame = found["kaplan_meier"].to_pandas()
    assert frame["unsolved"].is_monotonic_decreasing
    assert (frame["low"] <= frame["unsolved"]).all()
    assert (frame["unsolved"] <= frame["high"]).all()
    # at any step the plain mean over the problems of the shares
    at = frame["x"].iloc[len(frame) // 2]
    shares = [np.mean([c > at for _, p, c, _ in rows if p == f"f{q}"]) for q in range(12)]
    assert frame["unsolved"].iloc[len(frame) // 2] == pytest.approx(np.mean(shares))
    (mean,) = found["restricted_means"].to_pylist()
    assert mean["low"] < mean["mean"] < mean["high"]
    assert mean["mean"] == pytest.approx(np.mean([min(c, 1.5) for _, _, c, _ in rows]))


def test_one_cluster_has_no_interval():
    (mean,) = kaplan_meier(costs(("A", "p", 1.0, 1.0), ("A", "p", 2.0, 2.0)))["restricted_means"].to_pylist()
    assert (mean["low"], mean["high"], mean["horizon"]) == (None, None, 2.0)


@pytest.mark.parametrize(("cost", "budget", "unsolved"), [(INF, None, 1.0), (INF, 0.0, 1.0), (0.0, 0.0, 0.0)])
def test_without_an_event_or_a_limit_there_is_no_horizon_and_no_mean(cost, budget, unsolved):
    table = costs(*((a, p, cost, budget) for a in "AB" for p in "pqr"))
    made = kaplan_meier(table)
    for mean in made["restricted_means"].to_pylist():
        assert [mean[key] for key in ("horizon", "mean", "low", "high", "unsolved")] == [None, None, None, None, unsolved]
    assert made["kaplan_meier"].column("x").to_pylist() == [0.0] * 4
    (section,) = build("restricted_means", made, {"measure": {"name": "m"}}).sections
    assert section.heading.endswith("no horizon: no run is known to end after 0")
    assert [row[1].text for row in section.rows] == ["–", "–"]
    assert not numbers.build("s", made)
    # a horizon that is asked for is one
    asked = kaplan_meier(table, Options(horizon=4.0))["restricted_means"].to_pylist()
    assert [row["mean"] for row in asked] == ([None] * 2 if budget == 0.0 and cost else [4.0 * unsolved] * 2)


def test_what_are_no_times_is_refused():
    with pytest.raises(UserError, match="values at budgets"):
        kaplan_meier(costs(("A", "p", 1.0, None), at_budget=100.0))
    with pytest.raises(UserError, match="found the cost -1"):
        kaplan_meier(costs(("A", "p", -1.0, None)))
    with pytest.raises(UserError, match="stands for several runs"):
        kaplan_meier(costs(("A", "p", 1.0, None), n=25))


def test_intervals_cover():
    """Means of min(time, 1) on problems drawn from a population, three to a cluster; many of them cover the true mean."""
    rng, inside = np.random.default_rng(3), 0
    true = np.mean(np.minimum(rng.exponential(size=400_000) * np.exp(rng.normal(size=400_000)), 1.0))
    for _ in range(40):
        scale = np.exp(np.repeat(rng.normal(size=24), 5))
        times = rng.exponential(size=120) * scale
        rows = [("A", f"f{i // 5}", *((t, t) if t < 1 else (INF, 1.0))) for i, t in enumerate(times)]
        (mean,) = kaplan_meier(costs(*rows), Options(horizon=1.0))["restricted_means"].to_pylist()
        inside += mean["low"] <= true <= mean["high"]
    assert inside >= 34
