"""Claims that cannot all be true: exact small cases, and a plain search over all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import contradictions, storage
from benchmill.readers import ingest

NAN = np.nan


def stated(*runs, maximise=False):
    """What runs on one problem state: outcome, proven, value, bound."""
    outcome, proven, value, bound = zip(*runs, strict=True)
    return contradictions.of_runs(
        np.zeros(len(runs), np.int64),
        np.array(outcome, object),
        np.array(proven),
        np.array(value, float),
        np.array(bound, float),
        np.full(len(runs), maximise),
    )


def found(*runs, maximise=False):
    return list(contradictions.between(stated(*runs, maximise=maximise)))


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([("solved", True, 5, NAN), ("solved", True, 7, NAN)], [("optima", 0, 1)]),
        ([("solved", True, 7, NAN), ("solved", True, 5, NAN)], [("optima", 1, 0)]),
        ([("solved", True, 5, NAN), ("solved", True, 5.0004, NAN)], []),
        ([("solved", True, 5, NAN), ("solved", True, 5.0006, NAN)], [("optima", 0, 1)]),
        # near 0 the difference is absolute
        ([("solved", True, 0, NAN), ("solved", True, 9e-5, NAN)], []),
        ([("solved", True, 0, NAN), ("infeasible", True, NAN, NAN)], [("infeasible", 1, 0)]),
        # a local optimum proves nothing, but it is a solution
        ([("solved", False, 5, NAN), ("solved", False, 7, NAN)], []),
        ([("solved", False, 7, NAN), ("solved", True, 5, NAN)], []),
        ([("solved", False, 4, NAN), ("solved", True, 5, NAN)], [("better", 0, 1)]),
        ([("solved", False, 4, NAN), ("infeasible", False, NAN, NAN)], [("infeasible", 1, 0)]),
        # so is what a solver that proves had found at its limit
        ([("time_limit", True, 4, NAN), ("solved", True, 5, NAN)], [("better", 0, 1)]),
        ([("time_limit", False, 4, NAN), ("solved", True, 5, NAN)], []),
        ([("time_limit", True, 6, 5.5), ("solved", True, 5, NAN)], [("bound", 0, 1)]),
        ([("time_limit", True, 6, 4.5), ("solved", True, 5, 5)], []),
        ([("wrong", True, 4, 9), ("error", True, 3, 9), ("truncated", True, 2, 9), ("solved", True, 5, 5)], []),
        ([("unbounded", True, NAN, NAN), ("solved", True, 5, 5)], []),
    ],
)
def test_small_cases(runs, expected):
    assert found(*runs) == expected
    mirrored = [(outcome, proven, -value, -bound) for outcome, proven, value, bound in runs]
    kinds = [kind for kind, _, _ in found(*mirrored, maximise=True)]
    assert kinds == [kind for kind, _, _ in expected]


RUNS = st.tuples(
    st.sampled_from(["solved", "infeasible", "time_limit", "wrong"]),
    st.booleans(),
    st.sampled_from([NAN, 1.0, 2.0, 3.0]),
    st.sampled_from([NAN, 1.0, 2.0, 3.0]),
)


@given(st.lists(RUNS, min_size=1, max_size=5))
def test_a_contradiction_is_told_just_where_two_runs_contradict_each_other(runs):
    def contradicts(one, other):
        def solution(run):
            return run[2] if not np.isnan(run[2]) and (run[0] == "solved" or (run[0] == "time_limit" and run[1])) else None

        def optimum(run):
            return run[2] if run[0] == "solved" and run[1] and not np.isnan(run[2]) else None

        def bound(run):
            return run[3] if solution(run) is not None or run[0] == "solved" or (run[0] == "time_limit" and run[1]) else NAN

        if one[0] == "infeasible" and solution(other) is not None:
            return True
        if solution(one) is not None and optimum(other) is not None and solution(one) < optimum(other):
            return True
        return solution(other) is not None and bound(one) > solution(other)

    expected = any(contradicts(a, b) for a in runs for b in runs)
    assert bool(found(*runs)) == expected
    # each claim that takes part in any, not those furthest apart alone
    refuted = [any(contradicts(a, b) or contradicts(b, a) for b in runs) for a in runs]
    assert contradictions.refuted(stated(*runs)).tolist() == refuted


MODEL = "* Trace Record Definition\n* InputFileName,SolverName,ModelStatus,SolverStatus,ObjectiveValue,SolverTime\n*\n"


def test_between_sources(tmp_path):
    trials = {}
    for name, lines in {
        "a": "m1,A,1,1,5,1\nm2,A,1,1,3,1\nm10,A,4,1,NA,1\nm4,A,2,1,9,1\n",
        "b": "m1,B,1,1,7,2\nm2,B,1,1,3,2\nm10,B,1,1,2,2\nm5,B,1,1,1,2\n",
    }.items():
        (tmp_path / f"{name}.trc").write_text(MODEL + lines)
        files = [tmp_path / f"{name}.{kind}" for kind in ("trials", "traces", "json")]
        ingest(tmp_path / f"{name}.trc", files, name=name)
        trials[name] = storage.read(files[0], "trials", list(contradictions.COLUMNS))
    rows = contradictions.of_sources(trials).to_pylist()
    assert [(r["problem"], r["kind"], r["claim"], r["other_claim"]) for r in rows] == [
        ("m1", "optima", "the optimum 5", "the optimum 7"),
        ("m10", "infeasible", "no solution", "a solution of 2"),
    ]
    assert (rows[0]["algorithm"], rows[0]["in_source"], rows[0]["place"]) == ("A", "a", "a.trc:4")
    assert (rows[0]["other_algorithm"], rows[0]["other_in_source"], rows[0]["other_place"]) == ("B", "b", "b.trc:4")
    assert contradictions.of_sources({"a": trials["a"]}).num_rows == 0
    assert contradictions.of_sources({}).num_rows == 0
