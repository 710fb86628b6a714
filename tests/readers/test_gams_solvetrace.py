"""GAMS solvetrace files: last lines, outcomes, damage."""

import math
import os
from pathlib import Path

import pytest

from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import Result, folder, one_sentence

REAL = os.environ.get("BENCHMILL_REAL_DATA")

FIELDS = "* fields are lineNum, seriesID, node, seconds, bestFound, bestBound\n"
OPTIMAL = f"""* solvetrace file /r/A_m1.solvetrace: ID = A.1 OrigInst = x.y_m1 Instance = m1
{FIELDS}1, S, 0, 0.5, na, -20
2, T, 7, 1.5, -3, -20
3, N, 9, 2, -12, -20
4, E, 9, 2.25, -12.5, -12.5
* solvetrace file closed
"""
OPEN = f"""* miptrace file /r/B_m1.solvetrace: ID = B 12.5 Instance = m1
{FIELDS}1, S, 0, 0.25, na, 1e+50
2, T, 0, 1, 3, 20
3, E, 4, 60, 12.5, 14
"""
CUT = f"""* solvetrace file /r/A_m2.solvetrace: ID = A.1 OrigInst = x.y_m2 Instance = m2
{FIELDS}1, S, 0, 0.5, na, na
2, T, 3, 4, 7, na
"""


def test_runs(tmp_path):
    logs = folder(tmp_path / "logs", {"a.solvetrace": OPTIMAL, "b.solvetrace": OPEN + CUT + "3, E, 5, 6, 7"})
    assert readers.sniff(logs) == readers.Found("gams_solvetrace", ("A.1",))
    result = Result(logs, tmp_path / "out")
    rows = {(t["problem"], t["algorithm"]): t for t in result.trials}
    names = ("outcome", "status", "cost", "runtime_s", "best_value", "dual_bound", "nodes", "maximise", "source")
    assert {key: tuple(row[name] for name in names) for key, row in rows.items()} == {
        ("m1", "A.1"): ("solved", "solved", 2.25, 2.25, -12.5, -12.5, 9, False, "a.solvetrace:1"),
        ("m1", "B 12.5"): ("unknown", "failed", math.inf, 60, 12.5, 14, 4, True, "b.solvetrace:1"),
        ("m2", "A.1"): ("truncated", "ill_finalised", math.inf, 4, 7, None, 3, False, "b.solvetrace:6"),
    }
    # a moment that states neither a value nor a bound is none of the course
    assert {key[0]: row["course_s"] for key, row in rows.items() if key[1] == "A.1"} == {"m1": [0.5, 1.5, 2, 2.25], "m2": [4]}
    counts = result.counts()
    assert counts["status_from_bounds"] == 3
    assert (counts["cut_line"], counts["run_without_end"], counts.get("not_a_trace")) == (1, 1, None)
    logs = folder(tmp_path / "more", {"a.solvetrace": OPTIMAL, "b.solvetrace": FIELDS})
    assert Result(logs, tmp_path / "again").counts()["not_a_trace"] == 1


def test_a_course_that_falls_back_twice_is_told_once(tmp_path):
    text = OPTIMAL.partition("1, S")[0] + "1, S, 0, 0.5, 5, 1\n2, T, 1, 1, 7, 1\n3, T, 1, 2, 8, 1\n4, E, 1, 3, 5, 1\n"
    (tmp_path / "x.solvetrace").write_text(text)
    assert Result(tmp_path / "x.solvetrace", tmp_path / "out").counts()["course_falls_back"] == 1


@pytest.mark.parametrize(("bound", "maximise"), [(14.00001, False), (14.0001, True)])
def test_a_bound_above_the_value_by_more_than_rounding_tells_a_maximisation(tmp_path, bound, maximise):
    """Of which 1e-6, relative, is none: solvers print seven digits."""
    (tmp_path / "b.solvetrace").write_text(OPEN.replace("12.5, 14", f"14, {bound}").replace("3, 20", "3, 2"))
    assert Result(tmp_path / "b.solvetrace", tmp_path / "out").column("maximise") == [maximise]


def test_a_single_file_of_any_name(tmp_path):
    (tmp_path / "x.txt").write_text(OPTIMAL)
    assert readers.sniff(tmp_path / "x.txt").format == "gams_solvetrace"


@pytest.mark.parametrize(
    "line", ["2, T, 0, x, 3, 20", "2, T, 0, 1, 3", "2, T, 0, na, 3, 20", "2, T, 0, 1, 1e, 3", "2, T, 0, 1, 3, 4, 5"]
)
def test_malformed_lines(tmp_path, line):
    (tmp_path / "x.solvetrace").write_text(OPTIMAL.replace("2, T, 7, 1.5, -3, -20", line))
    result = Result(tmp_path / "x.solvetrace", tmp_path / "out")
    assert result.first("malformed_line")[1] == 4
    assert result.column("cost") == [2.25]


def test_every_cut_is_read_or_refused(tmp_path):
    """What is cut is never solved, unless only the closing comment is missing."""
    text = OPTIMAL.encode()
    whole = text.index(b"* solvetrace file closed")
    for size in range(1, len(text)):
        (tmp_path / "x.solvetrace").write_bytes(text[:size])
        try:
            report = readers.examine(tmp_path / "x.solvetrace")
        except UserError as error:
            one_sentence(error)
            continue
        assert (report["trials"]["solved"] == 1) == (size >= whole)


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")
def test_real_files(tmp_path):
    result = Result(Path(REAL) / "gams-trace/solvetrace-sample.tgz", tmp_path / "out")
    assert len(result.trials) == 16
    row = next(t for t in result.trials if (t["algorithm"], t["problem"]) == ("CBC.1", "air04"))
    assert (row["outcome"], row["cost"], row["best_value"], row["nodes"]) == ("solved", 39.4559, 56137, 374)
    row = next(t for t in result.trials if (t["algorithm"], t["problem"]) == ("SCIP.1", "ns1758913"))
    assert (row["outcome"], row["runtime_s"], row["best_value"], row["maximise"]) == ("unknown", 3627.19, -591.7109396, False)
