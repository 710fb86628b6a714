import math
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError, schema, step_functions
from benchmill.indicators import attainment as attainment_module
from benchmill.indicators.attainment import Options, aocc, attained, attainment, surfaces
from tests.costs.making import INF, source


def test_share_of_infinitely_many_targets():
    assert attained([1e2, 1.0, 1e-8, 1e-20, 1e5], 1e-8, 1e2) == pytest.approx([0, 0.2, 1, 1, 0])
    assert attained([10, 2.5, 0], 0, 10, log=False) == pytest.approx([0, 0.75, 1])


def test_aocc_by_hand():
    # heights 0.5 from the third and 1 from the eleventh evaluation on, to 21; the second trial has no row
    found = aocc([0, 0, 2], [3, 11, 1], [0.5, 1, 0.25], [21, 21, 21])
    assert found == pytest.approx([(8 * 0.5 + 10) / 20, 0, 0.25])
    logs = aocc([0, 0], [3, 11], [0.5, 1], [21], log=True)
    assert logs == pytest.approx([(math.log(11 / 3) * 0.5 + math.log(21 / 11)) / math.log(21)])
    assert aocc([0, 0], [3, 50], [0.5, 1], [21]) == pytest.approx([18 * 0.5 / 20])  # what comes later does not count


values = st.lists(st.floats(1e-9, 1e3), min_size=1, max_size=8)


@given(values, st.integers(1, 40))
def test_the_limit_of_many_targets(trace, gap):
    """Area under the ECDF over n log-spaced targets goes to the AOCC; their difference is at most 1 / n."""
    evaluations = np.arange(1, len(trace) + 1) * gap
    best = np.minimum.accumulate(trace)
    n = 2000
    targets = 10.0 ** (-8 + 10 * (np.arange(n) + 0.5) / n)
    hits = [next((e for e, b in zip(evaluations, best, strict=True) if b <= t), INF) for t in targets]
    many = step_functions.area(step_functions.ecdf(hits), 1, 100) / 99
    assert aocc(np.zeros(len(trace)), evaluations, attained(best, 1e-8, 1e2), [100])[0] == pytest.approx(many, abs=1.01 / n)


def test_surfaces_by_hand():
    """Three runs: 9, 4 at 1, 5; 7, 2 at 2, 6; 5 at 4."""
    run, evaluations, value = [0, 0, 1, 1, 2], [1, 5, 2, 6, 4], [9.0, 4.0, 7.0, 2.0, 5.0]
    best, middle, worst = surfaces(run, evaluations, value, 3, [1, 2, 3])
    assert [list(v) for v in best] == [[1, 2, 4, 5, 6], [9, 7, 5, 4, 2]]
    assert [list(v) for v in middle] == [[2, 4, 5, 6], [9, 7, 5, 4]]
    assert [list(v) for v in worst] == [[4, 5, 6], [9, 7, 5]]
    assert [v.size for v in surfaces(run, evaluations, value, 4, [4])[0]] == [0, 0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 20), st.integers(0, 9)), max_size=25), st.integers(1, 30))
def test_surfaces_are_order_statistics(rows, chunk):
    run, evaluations, value = (np.array([row[i] for row in rows], int) for i in range(3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attainment_module, "_NUMBERS_AT_ONCE", chunk)
        found = surfaces(run, evaluations, value, 4, [1, 3, 4])
    for x in range(22):
        so_far = sorted(min((v for r, e, v in rows if r == i and e <= x), default=INF) for i in range(4))
        for k, (times, level) in zip((1, 3, 4), found, strict=True):
            at = np.searchsorted(times, x, side="right")
            assert (level[at - 1] if at else INF) == so_far[k - 1]


def pieces(trials, traces, sizes):
    """The traces cut into pieces of some sizes, as the costs read them."""
    trial, evaluations, value = (traces.column(name).to_numpy() for name in ("trial", "evaluations", "value"))
    start = 0
    for size in sizes:
        rows = slice(start, start + size)
        own, first = np.unique(trial[rows], return_index=True)
        yield SimpleNamespace(
            trial=own, offsets=np.append(first, trial[rows].size), evaluations=evaluations[rows], value=value[rows]
        )
        start += size


RUNS = [
    {"trace": [(1, 50.0), (10, 1.0), (30, 2.0), (40, 1e-8)], "instance": "1", "budget": 100},
    {"trace": [(2, 10.0), (150, 1e-3)], "instance": "2", "budget": 100},
    {"trace": [], "instance": "2", "budget": 100},
    {"trace": [(1, 1e-4)], "problem": "f2", "budget": 1},
]


@pytest.mark.parametrize("sizes", [[7], [3, 4], [1] * 7])
def test_curves_and_aocc_of_a_source(sizes):
    trials, traces = source(RUNS)
    report = {"missing": [{"suite": "s", "problem": "f1", "dimension": 2, "instance": "2", "count": 4}]}
    curves, summary = attainment(
        trials,
        pieces(trials, traces, sizes),
        larger=[False] * 4,
        report=report,
        options=Options(shares=[1 / 3, 2 / 3, 1], budget=50),
    )
    found = [(r["problem"], r["rank"], r["evaluations"], r["value"]) for r in schema.concatenate(curves).to_pylist()]
    assert found == [
        ("f1", 1, 1, 50.0),
        ("f1", 1, 2, 10.0),
        ("f1", 1, 10, 1.0),
        ("f1", 1, 40, 1e-8),
        ("f1", 2, 2, 50.0),
        ("f1", 2, 10, 10.0),
        *[("f2", 1, 1, 1e-4)] * 3,
    ]
    first, second = summary.to_pylist()
    height = attained([50, 1.0, 10.0], 1e-8, 1e2)
    one = (9 * height[0] + 30 * height[1] + 60) / 99
    two = 98 * height[2] / 99  # the row at 150 is beyond the budget of its trial
    assert first["aocc"] == pytest.approx((one + two + 0) / 3)
    assert first["aocc_sd"] == pytest.approx(np.std([one, two, 0], ddof=1))
    assert (first["n_trials"], first["n_instances"], first["n_missing"]) == (3, 2, 4)
    assert (second["aocc"], second["aocc_log"]) == (pytest.approx(0.6), pytest.approx(0.6))
    assert (second["n_missing"], second["aocc_sd"], second["evaluations_to"]) == (0, None, 100)


def test_larger_is_better():
    trials, traces = source([{"trace": [(1, 2.0), (5, 8.0)], "budget": 10, "maximise": True}], value_kind="absolute")
    options = Options(shares=[1], between=(0, 10), value_log=False, budget=5)
    curves, summary = attainment(trials, pieces(trials, traces, [2]), options, larger=[True])
    assert schema.concatenate(curves).column("value").to_pylist() == [2, 8]
    assert summary["aocc"].to_pylist() == [pytest.approx((4 * 0.2 + 5 * 0.8) / 9)]


def test_mistakes():
    trials, traces = source(RUNS)
    for settings, message in (
        ({"shares": [0]}, "shares are"),
        ({"between": (0, 100)}, "bounds are 0 and 100"),
        ({"budget": 0.5}, "budget is 0.5"),
    ):
        with pytest.raises(UserError, match=message):
            attainment(trials, pieces(trials, traces, [7]), Options(**settings), larger=[False] * 4)


def old_levels(trials, traces, shares):
    """The curves the plain way: at each evaluation at which any trial has a row, the k-th best of all trials so far."""
    rows = list(zip(*(traces.column(n).to_pylist() for n in ("trial", "evaluations", "value")), strict=True))
    found = []
    for problem in sorted(set(trials.column("problem").to_pylist())):
        own = [t for t, p in enumerate(trials.column("problem").to_pylist()) if p == problem]
        for share in shares:
            k = max(1, math.ceil(round(share * len(own), 9)))
            last = INF
            for x in sorted({e for t, e, _ in rows if t in own}):
                level = sorted(min((v for t, e, v in rows if t == i and e <= x), default=INF) for i in own)[k - 1]
                if level < last:
                    found.append((problem, k, x, level))
                    last = level
    return found


_trace = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 9)), max_size=9).map(sorted)


@given(st.lists(st.tuples(_trace, st.sampled_from(["f1", "f2"])), min_size=1, max_size=5), st.integers(1, 7))
def test_pieces_change_nothing(runs, piece):
    shares = [0.3, 1]
    trials, traces = source([{"trace": [(e, float(v)) for e, v in t], "problem": p, "budget": 50} for t, p in runs])
    settings = {"larger": [False] * len(runs), "options": Options(shares=shares, between=(1.0, 9.0), budget=10)}
    n = traces.num_rows
    whole, summary = attainment(trials, pieces(trials, traces, [n] if n else []), **settings)
    cut = [min(piece, n - at) for at in range(0, n, piece)]
    curves, same = attainment(trials, pieces(trials, traces, cut), **settings)
    assert same.equals(summary)  # to the bit
    found = schema.concatenate(curves)
    assert found.equals(schema.concatenate(whole))
    assert [(r["problem"], r["rank"], r["evaluations"], r["value"]) for r in found.to_pylist()] == old_levels(
        trials, traces, shares
    )


def test_memory_grows_with_improvements_alone():
    trials, _ = source([{"trace": [], "budget": 10**9}] * 2)

    def peak(n, falling):
        def rows():
            for trial in (0, 1):
                for at in range(0, n, 4096):
                    x = np.arange(at, min(at + 4096, n)) + 1
                    yield SimpleNamespace(
                        trial=np.array([trial]),
                        offsets=np.array([0, x.size]),
                        evaluations=x,
                        value=1e9 - x if falling else np.full(x.size, 2.0),
                    )

        tracemalloc.start()
        curves, _ = attainment(trials, rows(), larger=[False] * 2, options=Options(shares=[0.5, 1], between=(1, 1e9)))
        assert sum(curve.num_rows for curve in curves) == (2 * n if falling else 2)
        largest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return largest

    peak(5000, True)
    assert peak(400_000, False) < 1.5 * peak(40_000, False)
    # of all rows an improvement
    assert peak(400_000, True) / 800_000 < 200
