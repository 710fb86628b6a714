import numpy as np
import pytest

from benchmill.core import UserError, replicates
from benchmill.indicators import ecdf as restarts_module
from benchmill.indicators.ecdf import Options, ecdf, simulated
from tests.costs.making import INF, cost_rows


def rng():
    return np.random.default_rng(11)


def test_every_trial_starts_and_successes_stay():
    times = [5, INF, INF, 7, INF, 9]
    budgets = [5, 100, 100, 7, 50, 9]
    trial, time = simulated(times, budgets, [0, 3, 3, 5, 6], np.ones(6), 4, rng())
    assert trial.tolist() == [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 5]
    # in the first cell a run is some number of failures of 100 and the one success of 5
    assert set((time[1:9] - 5) % 100) == {0}
    assert (time[1:9] >= 105).all()
    assert (time[[0, 9, 14]] == [5, 7, 9]).all()
    assert set((time[10:14] - 7) % 50) == {0}


def test_a_cell_without_success_stays_unsolved():
    trial, time = simulated([INF, INF], [3, 4], [0, 2], [1, 1], 5, rng())
    assert trial.tolist() == [0, 1]
    assert time.tolist() == [INF, INF]


def test_the_mean_is_the_expected_running_time():
    times, budgets = [10, INF, 40, INF, INF], [60, 50, 60, 80, 70]
    trial, time = simulated(times, budgets, [0, 5], np.ones(5), 200_000, rng())
    share = (1 / np.bincount(trial))[trial]
    mean = (time * share).sum() / share.sum()
    assert mean == pytest.approx(replicates.ert(times, budgets)[0], rel=0.01)


def test_trials_are_drawn_by_their_shares():
    """One instance with a success of share 1/2, one with a success and two failures: shares 1/2, 1/6, 1/6, 1/6."""
    times, budgets, shares = [1, 1000, INF, INF], [1, 1000, 10**6, 10**7], [1 / 2, 1 / 6, 1 / 6, 1 / 6]
    trial, time = simulated(times, budgets, [0, 4], shares, 100_000, rng())
    after = time[trial >= 2]
    assert np.isin(after % 10**6, [1, 1000]).all()
    assert (after % 10**6 == 1).mean() == pytest.approx(3 / 4, abs=0.01)
    # 1/p = 3/2 trials until a success: half a failure more than the first, of 5.5 million on average
    assert (after[trial[trial >= 2] == 2].mean() - 10**6) == pytest.approx(0.5 * 5.5e6, rel=0.02)


def test_many_failures_are_drawn_in_pieces(monkeypatch):
    monkeypatch.setattr(restarts_module, "_DRAWS_AT_ONCE", 7)
    times = np.append(np.full(30, INF), 3.0)
    _, time = simulated(times, np.full(31, 10.0), [0, 31], np.ones(31), 3, rng())
    assert ((time - 3) % 10 == 0).all()
    assert time.max() > 500


def costs_of(algorithms):
    return cost_rows(
        [
            {"algorithm": a, "problem": p, "target": t, "cost": c, "budget": 90.0}
            for a in algorithms
            for p in ("f1", "f2")
            for t in (1.0, 0.1)
            for c in ([4, INF, 60] if t == 1 else [INF, INF, 80])
        ]
    )


def test_curves_with_restarts_reach_one_where_something_succeeded_and_do_not_depend_on_other_algorithms():
    both = ecdf(costs_of("AB"), aggregation="problem", seed=4, options=Options(restarts=3))
    alone = ecdf(costs_of("B"), aggregation="problem", seed=4, options=Options(restarts=3))
    assert [row for row in both.to_pylist() if row["algorithm"] == "B"] == alone.to_pylist()
    assert alone.column("fraction")[-1].as_py() == pytest.approx(1)
    assert ecdf(costs_of("B"), aggregation="problem").column("fraction")[-1].as_py() == pytest.approx(0.5)
    assert not alone.equals(ecdf(costs_of("B"), aggregation="problem", seed=5, options=Options(restarts=3)))
    unsolved = cost_rows([{"algorithm": "A", "target": 1.0, "cost": INF, "budget": 5.0}] * 2)
    assert ecdf(unsolved, aggregation="target", options=Options(restarts=3)).column("fraction").to_pylist() == [0]


def test_restarts_need_budgets_and_exclude_bands():
    table = cost_rows([{"algorithm": "A", "target": 1.0, "cost": c} for c in (5, INF)])
    with pytest.raises(UserError, match="A states none for problem f1; set restarts: 0"):
        ecdf(table, aggregation="target", options=Options(restarts=2))
    with pytest.raises(UserError, match="restarts and bands"):
        ecdf(table, aggregation="target", options=Options(restarts=2, bands=True))


def test_a_budget_is_not_needed_where_nothing_succeeded():
    """There a failure stays a failure, whatever it spent."""
    table = cost_rows(
        [{"algorithm": "A", "problem": p, "target": 1.0, "cost": c, "budget": b} for p, c, b in (("f1", INF, None), ("f2", 4, 4))]
    )
    found = ecdf(table, aggregation="problem", options=Options(restarts=2, x="evaluations"))
    assert (found.column("x").to_pylist(), found.column("fraction").to_pylist()) == ([4], [0.5])
