"""The words of solvers and tables for how runs end."""

import pytest

from benchmill.readers import aslib, solver_runs
from benchmill.readers.solver_runs import OUTCOMES


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("Optimum; OPTIMUM FOUND; integer optimal solution; integer optimal, tolerance; Locally_Solved; ok; UNSAT", "solved"),
        ("t/o; TLE; TIMEOUT (wall); TIME_LIMIT; Time limit reached; MaxTimeExceeded; cutoff", "time_limit"),
        ("M.O.; memout; out of memory; OUT OF JAVA MEMORY; Memory limit", "memory_limit"),
        ("ITERATION_LIMIT; max_iter; maximum number of iterations; node limit", "limit"),
        ("ER; Error 3; PARSE_ERROR; segmentation fault; failed; Exception; numerical issues", "error"),
        ("infeasible or unbounded; INF_OR_UNBD; UNK; unknown", "unknown"),
        ("INFEASIBLE; proven infeasible", "infeasible"),
        ("killed; interrupted by user", "stopped"),
    ],
)
def test_words_that_are_known(words, meant):
    for word in words.split("; "):
        assert solver_runs.known(word) == meant, word


@pytest.mark.parametrize(
    "word",
    [
        *("", "fine", "warning", "C", "S", "t", "feasible", "infeasible solution", "suboptimal", "not optimal", "near optimal"),
        *("optimal_inaccurate", "unsolved", "no error", "true", "complete", "optimal with unscaled infeasibilities"),
    ],
)
def test_words_that_are_asked_about(word):
    assert solver_runs.known(word) is None


#: How GLOP calls the ends of its runs.
OF_GLOP = {
    **{"OPTIMAL": "solved", "PRIMAL_INFEASIBLE": "infeasible", "DUAL_UNBOUNDED": "infeasible", "DUAL_INFEASIBLE": "unbounded"},
    **{"PRIMAL_UNBOUNDED": "unbounded", "IMPRECISE": "error", "ABNORMAL": "error", "INVALID_PROBLEM": "error"},
}


@pytest.mark.parametrize("words", [aslib._STATUSES, OF_GLOP])
def test_words_of_formats_mean_nothing_else_in_tables(words):
    for word, outcome in words.items():
        assert solver_runs.known(word) in (None, outcome) or OUTCOMES[solver_runs.known(word)] == OUTCOMES[outcome], word


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        *(
            ("Error: no memory", True),
            ("ValueError('x')", True),
            ("Traceback (most recent call last)", True),
            ("timed out", True),
        ),
        *(("", False), ("final error rate", True), ("fine", False), ("a note on time", False)),
    ],
)
def test_texts_of_failures(text, tells):
    assert solver_runs.tells_failure(text) == tells
