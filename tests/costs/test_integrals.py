"""Gaps and integrals of solver runs: small cases by hand, and the properties that the definitions have."""

import math
import os
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchmill as bm
from benchmill.core import UserError
from benchmill.costs import costs
from benchmill.costs.gap import gaps
from tests.costs.making import INF, source

REAL = os.environ.get("BENCHMILL_REAL_DATA")
NONE = None
NAN = math.nan
#: A solution of 20 after 2 s and one of 10 after 6 s, bounds of 5 from 1 s and of 10 from 8 s on.
MOMENTS = [(1, NONE, 5.0), (2, 20.0, 5.0), (6, 10.0, 5.0), (8, 10.0, 10.0)]


def run(moments=MOMENTS, outcome="solved", time=8.0, limit=100.0, **columns):
    seconds, value, bound = zip(*moments, strict=True) if moments else ((), (), ())
    known = {"course_s": list(seconds), "course_value": list(value), "course_bound": list(bound), "optimum": 10.0}
    ended = {"outcome": outcome, "status": "solved" if outcome in ("solved", "infeasible") else "failed"}
    return known | ended | {"runtime_s": time, "time_limit_s": limit, "value_kind": "absolute"} | columns


def cost(kind, runs, **settings):
    trials, _ = source(runs if isinstance(runs, list) else [runs])
    return costs(kind, trials, None, "m", settings).column("cost").to_pylist()


def test_integrals_by_hand():
    assert cost("primal_integral", run()) == [pytest.approx(2 + 4 * 0.5)]
    assert cost("dual_integral", run()) == [pytest.approx(1 + 7 * 0.5)]
    # 1 until there are both, then 15/20, then 5/10
    assert cost("primal_dual_integral", run()) == [pytest.approx(2 + 4 * 0.75 + 2 * 0.5)]


def test_a_failed_run_keeps_what_it_has_up_to_the_limit():
    crashed = run(MOMENTS[:3], "error", time=7.0, limit=20.0)
    assert cost("primal_integral", crashed) == [pytest.approx(2 + 4 * 0.5)]
    assert cost("dual_integral", crashed) == [pytest.approx(1 + 19 * 0.5)]
    assert cost("primal_dual_integral", crashed) == [pytest.approx(2 + 4 * 0.75 + 14 * 0.5)]
    assert cost("dual_integral", crashed, until=11) == [pytest.approx(1 + 10 * 0.5)]


def test_a_solved_run_has_no_gap_from_its_end_on():
    """What its tolerance leaves open is not multiplied by the time that is left."""
    runs = [run([(0, 10.001, 10.0)], time=4.0, limit=limit) for limit in (100.0, 1e6, None)]
    assert cost("primal_dual_integral", runs) == [pytest.approx(4 * 0.001 / 10.001)] * 3
    assert cost("primal_integral", run([], "infeasible", time=4.0)) == [4.0]


def test_confined_integrals_by_hand():
    """2^(-t/h) integrates to (2^(-a/h) - 2^(-b/h)) h / ln 2."""
    weight = [(2.0 ** (-a / 3) - 2.0 ** (-b / 3)) * 3 / math.log(2) for a, b in ((0, 2), (2, 6), (6, 8))]
    assert cost("primal_integral", run(), half_life=3) == [pytest.approx(weight[0] + 0.5 * weight[1])]
    assert cost("primal_dual_integral", run(), half_life=3) == [pytest.approx(np.dot(weight, [1, 0.75, 0.5]))]
    assert cost("primal_integral", run(), half_life=1e9) == [pytest.approx(4.0, rel=1e-6)]


def test_values_and_bounds_at_or_beyond_the_best_known_one_have_no_gap():
    better = [(1, 8.0, 12.0)]
    for kind in ("primal_integral", "dual_integral"):
        assert cost(kind, run(better, "time_limit", limit=50.0)) == [1.0]
    assert cost("primal_dual_integral", run(better, "time_limit", limit=50.0)) == [1.0]


def test_signs_zeros_and_directions():
    half = {"outcome": "time_limit", "limit": 2.0}
    assert cost("primal_integral", run([(1, -3.0, NONE)], optimum=-4.0, **half)) == [1.25]
    assert cost("primal_integral", run([(1, 3.0, NONE)], optimum=-4.0, **half)) == [2.0]
    assert cost("primal_integral", run([(1, 3.0, NONE)], optimum=0.0, **half)) == [2.0]
    assert cost("primal_integral", run([(1, 0.0, NONE)], optimum=0.0, **half)) == [1.0]
    assert cost("primal_integral", run([(1, 3.0, NONE)], optimum=4.0, maximise=True, **half)) == [1.25]
    assert cost("dual_integral", run([(1, NONE, 5.0)], optimum=4.0, maximise=True, **half)) == [pytest.approx(1.2)]
    assert cost("primal_dual_integral", run([(1, 3.0, 4.0)], maximise=True, **half)) == [1.25]


def test_a_claim_that_is_wrong_has_neither_values_nor_bounds():
    for kind in ("primal_integral", "dual_integral", "primal_dual_integral"):
        assert cost(kind, run(outcome="wrong")) == [100.0]


def test_trials_do_not_touch_each_other():
    runs = [
        run(problem="a"),
        run([], "time_limit", problem="b"),
        run(problem="c"),
        run([(3, 20.0, 5.0)], "memory_limit", problem="d"),
    ]
    together = cost("primal_dual_integral", runs)
    assert together == [value for one in runs for value in cost("primal_dual_integral", one)]
    assert together[1] == 100
    assert together[3] == pytest.approx(3 + 97 * 0.75)
    trials, _ = source(runs)
    assert costs("primal_dual_integral", trials, None, "m", {"exclude": ["b"]}).column("trial").to_pylist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("kind", "columns", "settings", "message"),
    [
        ("primal_integral", {"course_s": None}, {}, "no trajectory of values and bounds"),
        ("primal_integral", {"optimum": None}, {}, "no finite best-known value of problem f1"),
        ("dual_integral", {"outcome": "error", "limit": None}, {}, "its time limit is not known"),
        ("primal_dual_integral", {"outcome": "time_limit"}, {"until": 101}, "before `until`"),
        ("primal_dual_integral", {"outcome": "time_limit", "limit": None, "time": 60.0}, {"until": 61}, "before `until`"),
        ("primal_dual_integral", {"time": None}, {}, "does not state its time"),
        ("gap", {}, {}, "no run of this source states a bound"),
        ("gap", {"dual_bound": 1.0}, {"relative_to": "bound"}, "expected one of larger, value, smaller"),
    ],
)
def test_what_cannot_be_told(kind, columns, settings, message):
    with pytest.raises(UserError, match=message):
        cost(kind, run(**columns), **settings)


@pytest.mark.parametrize(
    ("p", "d", "value", "larger", "smaller"),
    [
        (10, 8, 0.2, 0.2, 0.25),
        (-8, -10, 0.25, 0.2, 0.25),
        (8, 10, 0.25, 0.2, 0.25),
        (2, -2, 2.0, 1.0, INF),
        (0, -2, INF, 1.0, INF),
        (2, 0, 1.0, 1.0, INF),
        (0, 0, 0.0, 0.0, 0.0),
        (-3, -3, 0.0, 0.0, 0.0),
        (NAN, 3, INF, INF, INF),
        (3, NAN, INF, INF, INF),
        (3, -INF, INF, INF, INF),
        (INF, INF, INF, INF, INF),
    ],
)
def test_definitions_of_the_gap(p, d, value, larger, smaller):
    found = {name: float(gaps([p], [d], name)[0]) for name in ("value", "larger", "smaller")}
    assert found == pytest.approx({"value": value, "larger": larger, "smaller": smaller})


def test_gaps_of_runs():
    runs = [
        {"best_value": 10.0, "dual_bound": 8.0, "outcome": "time_limit"},
        {"best_value": 10.0, "dual_bound": 9.9999, "outcome": "solved", "status": "solved"},
        {"best_value": 10.0, "outcome": "solved", "status": "solved"},
        {"outcome": "infeasible", "status": "solved"},
        {"dual_bound": 8.0, "outcome": "time_limit"},
        {"best_value": 10.0, "outcome": "memory_limit"},
        {"best_value": 10.0, "dual_bound": 10.0, "outcome": "wrong"},
    ]
    assert cost("gap", runs, floor=None) == pytest.approx([0.2, 1e-5, 0, 0, INF, INF, INF])
    table = costs("gap", source(runs)[0], None, "gap", {})
    assert table.column("cost").to_pylist() == pytest.approx([0.2, 1e-4, 1e-4, 1e-4, INF, INF, INF])
    assert table.column("floored").to_pylist() == [False, True, True, True, False, False, False]


positive = st.floats(0.01, 1e6)


@given(st.lists(st.tuples(st.floats(0, 90), positive, positive), max_size=6), st.floats(0.1, 1e5), positive)
def test_an_integral_is_at_most_the_time_and_does_not_depend_on_units(moments, half_life, scale):
    rows = sorted((t, 1e6 + p, 1e6 - d) for t, p, d in moments)
    best = [(t, min(r[1] for r in rows[: i + 1]), max(r[2] for r in rows[: i + 1])) for i, (t, _, _) in enumerate(rows)]
    scaled = [(t, p * scale, d * scale) for t, p, d in best]
    for kind in ("primal_integral", "dual_integral", "primal_dual_integral"):
        of, again = (run(m, "time_limit", optimum=1e6 * s) for m, s in ((best, 1.0), (scaled, scale)))
        (whole,), (confined,) = cost(kind, of), cost(kind, of, half_life=half_life)
        assert 0 <= confined <= whole * (1 + 1e-9) <= 100 * (1 + 1e-8)
        assert cost(kind, again) == [pytest.approx(whole, rel=1e-6, abs=1e-6)]
        mirrored = run([(t, -p, -d) for t, p, d in best], "time_limit", optimum=-1e6, maximise=True)
        assert cost(kind, mirrored) == [pytest.approx(whole)]


def paver_gap(a, b):
    """What PAVER integrates (`_evaluateSolvetraces` of its `paver.py`)."""
    if math.isnan(a) or math.isnan(b) or (a != b and a * b < 0):
        return 1.0
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))


def paver_integrals(text, optimum):
    """Its three integrals, from the lines of a solvetrace file."""
    total, time, value, bound = np.zeros(3), 0.0, NAN, NAN
    for line in text.splitlines():
        if not line.startswith("*"):
            cells = [NAN if cell.strip() == "na" else cell for cell in line.split(",")]
            now = float(cells[3])
            total += (now - time) * np.array([paver_gap(*pair) for pair in ((value, optimum), (bound, optimum), (value, bound))])
            time, value, bound = now, float(cells[4]), float(cells[5])
    return total


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")
def test_the_summary_of_integrals_of_pavers_traces():
    """Means over the four models of its solvetrace files; a run that ends unsolved keeps its last gap up to `until`."""
    archive, until = Path(REAL) / "gams-trace/solvetrace-sample.tgz", 10000.0
    read, cells = bm.read(archive), []
    with tarfile.open(archive) as tar:
        for trial in read.sources[0].trials.to_pylist():
            text = tar.extractfile(trial["source"].rpartition(":")[0]).read().decode()
            *_, last = [line.split(",") for line in text.splitlines() if not line.startswith("*")]
            value, bound = (NAN if cell.strip() == "na" else float(cell) for cell in last[4:6])
            done = trial["status"] == "solved"
            cost = paver_integrals(text, NAN)[2] + (0 if done else paver_gap(value, bound) * (until - float(last[3])))
            cells.append({"solver": trial["algorithm"], "model": trial["problem"], "cost": cost, "solved": done})
    runs = pd.DataFrame(cells)
    table = runs.pivot(index="model", columns="solver", values="cost")
    table["virtual best"] = table.min(axis=1)
    found = bm.summary(bm.costs(read, kind="primal_dual_integral", until=until)).frame.query("unsolved == 'as_is'")
    found = found.set_index("algorithm")
    names = list(found.index)
    assert (len(table), names[-1], runs["solved"].sum()) == (4, "virtual best", 9)
    np.testing.assert_allclose(found["mean"].astype(float), table[names].mean(), rtol=1e-9)
    np.testing.assert_allclose(found["sgm"].astype(float), np.exp(np.log1p(table[names]).mean()) - 1, rtol=1e-9)
    np.testing.assert_allclose(found["median"].astype(float), table[names].median(), rtol=1e-9)
    assert found["solved"].drop("virtual best").to_dict() == runs.groupby("solver")["solved"].sum().to_dict()


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")
def test_integrals_are_those_of_paver(tmp_path):
    """On its own solvetrace files, with its own optima: PAVER stops at the end of a run, as solved runs do here."""
    with tarfile.open(Path(REAL) / "gams-trace/paver-globallib-linlib-miplib2010.tgz") as tar:
        solu = next(m for m in tar if m.name.endswith("miplib2010.solu"))
        (tmp_path / "known.solu").write_bytes(tar.extractfile(solu).read())
    known = dict(line.split()[1:] for line in (tmp_path / "known.solu").read_text().splitlines() if line.startswith("=opt="))
    archive = Path(REAL) / "gams-trace/solvetrace-sample.tgz"
    solved = [
        t
        for t in bm.read(archive, best_known=str(tmp_path / "known.solu")).sources[0].trials.to_pylist()
        if t["outcome"] == "solved"
    ]
    assert len(solved) == 9
    with tarfile.open(archive) as tar:
        for trial in solved:
            text = tar.extractfile(trial["source"].rpartition(":")[0]).read().decode()
            ours = [cost(f"{kind}_integral", trial)[0] for kind in ("primal", "dual", "primal_dual")]
            # PAVER counts 3e-9 where a bound is printed with fewer digits than the optimum, and so lies beyond it
            assert ours == pytest.approx(paver_integrals(text, float(known[trial["problem"]])), rel=1e-12, abs=2e-5)
