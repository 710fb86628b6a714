import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.core.options import made
from benchmill.costs import costs, fixed_target
from tests.costs.making import INF, source

traces = st.lists(
    st.lists(st.tuples(st.integers(1, 50), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 10.0, INF])), max_size=8).map(
        lambda rows: sorted(rows, key=lambda row: row[0])
    ),
    min_size=1,
    max_size=6,
)
some_targets = st.lists(st.sampled_from([-1.0, 0.0, 0.4, 0.5, 1.0, 3.0, 100.0]), min_size=1, max_size=5, unique=True)


def naive(trace, target, budget=INF, maximise=False):
    for evaluations, value in trace:
        if (value >= target if maximise else value <= target) and evaluations <= budget:
            return evaluations
    return INF


@given(traces, some_targets, st.booleans(), st.booleans())
def test_kernel_equals_a_plain_scan(runs, targets, maximise, improving):
    if improving:
        runs = [
            [(e, v) for (e, _), v in zip(run, sorted((v for _, v in run), reverse=not maximise), strict=True)] for run in runs
        ]
    offsets = np.cumsum([0] + [len(r) for r in runs])
    rows = [row for run in runs for row in run]
    found = fixed_target.hitting_times(offsets, [e for e, _ in rows], [v for _, v in rows], targets, maximise=maximise)
    assert found.tolist() == [[naive(run, t, maximise=maximise) for t in targets] for run in runs]


def test_kernel_on_a_slice_of_a_longer_trace():
    found = fixed_target.hitting_times([1, 3], [7, 1, 4, 9], [0.0, 5.0, 2.0, 0.0], [5, 2, 1])
    assert found.tolist() == [[1, 4, INF]]


def test_kernel_reaches_nothing_with_nan_and_refuses_a_nan_target():
    assert fixed_target.hitting_times([0, 2], [1, 2], [np.nan, 3.0], [1e300]).tolist() == [[2]]
    with pytest.raises(ValueError, match="target"):
        fixed_target.hitting_times([0, 1], [1], [1.0], [np.nan])


@given(
    traces,
    some_targets,
    st.lists(st.integers(0, 48), max_size=5),
    st.lists(st.one_of(st.none(), st.integers(1, 60)), min_size=6, max_size=6),
)
def test_table_equals_a_plain_scan_however_the_traces_are_cut(runs, targets, cuts, budgets):
    trials, trace = source([{"trace": run, "budget": budget} for run, budget in zip(runs, budgets, strict=False)])
    bounds = sorted({0, *(c for c in cuts if c < trace.num_rows), trace.num_rows})
    pieces = [trace.slice(a, b - a) for a, b in itertools.pairwise(bounds)]
    expected = [
        naive(run, t, INF if budget is None else budget) for run, budget in zip(runs, budgets, strict=False) for t in targets
    ]
    whole = costs("fixed_target", trials, trace, "m", {"targets": targets})
    assert whole.column("cost").to_pylist() == expected
    assert whole.column("success").to_pylist() == [e < INF for e in expected]
    assert whole.column("target").to_pylist() == targets * len(runs)
    assert whole.column("trial").to_pylist() == [i for i in range(len(runs)) for _ in targets]
    assert whole.equals(costs("fixed_target", trials, iter(pieces), "m", {"targets": targets}))
    batches = [batch for piece in pieces for batch in piece.to_batches()]
    assert whole.equals(costs("fixed_target", trials, batches, "m", {"targets": targets}))


def test_a_failure_carries_its_own_budget_and_no_trace_is_a_failure():
    trials, trace = source([{"trace": [(1, 5.0), (30, 1.0)], "budget": 200}, {"trace": [], "budget": 0}])
    table = costs("fixed_target", trials, trace, "m", {"targets": [1.0, 0.1]})
    assert table.column("cost").to_pylist() == [30, INF, INF, INF]
    assert table.column("budget").to_pylist() == [200, 200, 0, 0]


def test_first_record_counts_when_the_best_value_rises():
    trials, trace = source([{"trace": [(1, 6.31), (100, 11.7), (200, 5.0)]}])
    assert costs("fixed_target", trials, trace, "m", {"targets": [10.0]}).column("cost").to_pylist() == [1]


def test_infeasible_points_reach_no_target():
    trials, trace = source(
        [
            {"trace": [(1, -9.0, 2.0), (5, 3.0, 0.0), (9, 0.5, 0.0)], "violation": 0.0},
            {"trace": [(1, -9.0, 1.0)], "violation": 1.0},
        ]
    )
    table = costs("fixed_target", trials, trace, "m", {"targets": [3.0]})
    assert table.column("cost").to_pylist() == [5, INF]
    assert table.column("feasible").to_pylist() == [True, False]


def test_maximisation_reaches_from_below():
    trials, trace = source([{"trace": [(1, 3.0), (8, 10.0)], "maximise": True}], value_kind="absolute")
    assert costs("fixed_target", trials, trace, "m", {"targets": [10.0, 3.0, 11.0]}).column("cost").to_pylist() == [8, 1, INF]


def test_infeasible_under_maximisation_is_worst_too():
    trials, trace = source([{"trace": [(1, 99.0, 1.0), (8, 10.0, 0.0)], "maximise": True}], value_kind="absolute")
    assert costs("fixed_target", trials, trace, "m", {"targets": [10.0]}).column("cost").to_pylist() == [8]


def test_distance_is_signed_and_follows_the_direction():
    runs = [
        {"trace": [(1, -14.0), (5, -14.99995)], "optimum": -15.0},
        {"trace": [(2, -14.0), (7, -15.5)], "optimum": -15.0},  # better than the best known value
        {"trace": [(3, 15.0), (9, 16.0)], "optimum": 16.0, "maximise": True},
        {"trace": [(4, 1.0), (11, 1e-5)], "value_kind": "difference"},
    ]
    trials, trace = source(runs, value_kind="absolute")
    table = costs("fixed_target", trials, trace, "m", {"targets": [1.0, 1e-4], "scale": "distance"})
    assert table.column("cost").to_pylist() == [1, 5, 2, 7, 3, 9, 4, 11]


@pytest.mark.parametrize(
    ("run", "settings", "message"),
    [
        (
            {"trace": [(1, 1.0)], "value_kind": "absolute"},
            {"targets": [1], "scale": "distance"},
            r"^log.txt:1: the optimum of problem f1 in dimension 2 is not known.*scale: logged",
        ),
        ({"cost": 3.0}, {"targets": [1]}, "log.txt:1: the source states the cost.*kind: given"),
        ({"trace": [(1, 1.0)]}, {"targets": []}, "targets are"),
        ({"trace": [(1, 1.0)]}, {"targets": [1, 1]}, "none twice"),
        ({"trace": [(1, 1.0)]}, {"targets": [1], "scale": "log"}, "expected one of logged, distance, relative"),
        (
            {"trace": [(1, 1.0)]},
            {"targets": [1], "floor": 1},
            "measure 'm': the kind 'fixed_target' has no setting 'floor'; it has label, unit, missing,",
        ),
    ],
)
def test_mistakes(run, settings, message):
    trials, trace = source([run])
    with pytest.raises(UserError, match=message):
        costs("fixed_target", trials, trace, "m", settings)


def test_unknown_kind():
    with pytest.raises(UserError, match="no kind 'x' of measure; choose one of fixed_target, fixed_budget, given"):
        costs("x", *source([]), "m", {})


def test_rows_out_of_order_or_of_another_source_are_refused():
    trials, trace = source([{"trace": [(1, 5.0), (3, 1.0)]}, {"trace": [(1, 5.0)]}])
    for wrong in (trace.take([2, 0, 1]), trace.take([1, 0, 2])):
        with pytest.raises(UserError, match="out of order"):
            costs("fixed_target", trials, wrong, "m", {"targets": [1]})
    with pytest.raises(UserError, match="belong to no trial"):
        costs("fixed_target", trials.slice(0, 1), trace, "m", {"targets": [1]})
    with pytest.raises(UserError, match="one source at a time"):
        costs("fixed_target", pa.concat_tables([trials, trials]), trace, "m", {"targets": [1]})


def test_out_of_order_between_pieces_is_refused():
    trials, trace = source([{"trace": [(1, 5.0), (3, 1.0)]}, {"trace": [(1, 5.0)]}])
    with pytest.raises(UserError, match="out of order"):
        costs("fixed_target", trials, [trace.slice(1), trace.slice(0, 1)], "m", {"targets": [1]})


def test_no_trials():
    table = costs("fixed_target", *source([]), "m", {"targets": [1]})
    assert table.num_rows == 0


def test_a_mean_over_runs_has_no_hitting_time():
    trials, traces = source([{"trace": [(1, 5.0), (9, 0.5)], "n": 20}])
    with pytest.raises(UserError, match="means over several runs, which do not tell when a run reached a target"):
        costs("fixed_target", trials, traces, "m", {"targets": [1.0]})


def test_a_series_of_targets_is_made_where_there_is_no_configuration():
    found = made(fixed_target.Options, {"targets": {"from": 100, "to": 1, "number": 3}}, "x")
    assert list(found.targets) == [100, 10, 1]
    with pytest.raises(UserError, match=r"x: targets are \{'from': 1, 'to': 0\}, expected a list, or `from` and `to` above 0"):
        made(fixed_target.Options, {"targets": {"from": 1, "to": 0}}, "x")
