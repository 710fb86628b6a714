"""Tables of perprof: heads, columns, words of success, and edge cases."""

import math
import os
from pathlib import Path

import pytest

from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import Result, folder

REAL = os.environ.get("BENCHMILL_REAL_DATA")
real = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")

TABLE = """---
algname: Alpha
success: converged, success
free_format: True
maxtime: 600
---
# problem exit time fval primal dual
P1  converged 4.5e+01 +1.5 +6.8e-07 0
P2  short     1.0e+20 +1.0 +2.0 0
P10 timeout   600.5   +2.0 +1.0 0
P3  success   7.9e-03
"""
MOVED = """---
algname: Gamma
success: c
col_name: 3
col_exit: 2
col_time: 1
---
1.5 c P1
2.5 d P2
"""


@pytest.fixture
def read(tmp_path):
    def read(*tables, **options):
        files = {f"{number}.table": text for number, text in enumerate(tables)}
        source = folder(tmp_path / str(len(list(tmp_path.iterdir()))), files)
        return Result(source, tmp_path / "out", **options)

    return read


def test_a_table(read):
    result = read(TABLE)
    assert result.report["format"] == "perprof"
    names = ("problem", "algorithm", "cost", "runtime_s", "outcome", "best_value", "violation", "cost_budget", "source")
    assert [tuple(t[n] for n in names) for t in result.trials] == [
        ("P1", "Alpha", 45, 45, "solved", 1.5, 6.8e-7, 600, "0.table:8"),
        ("P2", "Alpha", math.inf, None, "unknown", 1, 2, 600, "0.table:9"),
        ("P3", "Alpha", 0.0079, 0.0079, "solved", None, None, 600, "0.table:11"),
        ("P10", "Alpha", math.inf, 600.5, "unknown", 2, 1, 600, "0.table:10"),
    ]
    assert not result.counts()
    assert read(TABLE, outcomes={"timeout": "time_limit"}).column("outcome")[3] == "time_limit"


def test_columns_in_other_places(read):
    result = read(MOVED)
    assert [(t["problem"], t["cost"], t["runtime_s"]) for t in result.trials] == [("P1", 1.5, 1.5), ("P2", math.inf, 2.5)]
    with pytest.raises(UserError, match="number of a column"):
        read(MOVED.replace("col_time: 1", "col_time: x"))
    assert read(MOVED.replace("col_time: 1", "col_time: 1\ncol_dual: 1000")).column("cost") == result.column("cost")
    with pytest.raises(UserError, match="col_dual is '1001'; expected the number of a column"):
        read(MOVED.replace("col_time: 1", "col_time: 1\ncol_dual: 1001"))


def test_a_head_below_comments_and_a_list_of_words(read):
    head = "\n# by hand\n---\nalgname: 'A'  # ours\nsuccess:\n  - ok\n  - \"fine\"\n---\n"
    result = read(head + "P1 ok 1\nP2 fine 2\nP3 c 3\n")
    assert set(result.column("algorithm")) == {"A"}
    assert result.column("problem") == ["P1", "P2", "P3"]
    assert result.column("outcome") == ["solved", "solved", "unknown"]
    assert "malformed_line" not in result.counts()


@pytest.mark.parametrize("head", ["---\nalgname: A\n---\n", "#Name A\n"])
def test_words_of_success_where_none_are_stated(read, head):
    result = read(head + "P1 converged 1\nP2 success 2\nP3 short 3\nP4 solved 4\n", format="perprof")
    assert result.column("outcome") == ["solved", "solved", "unknown", "solved"]
    assert set(result.column("algorithm")) == {"A"}


def test_a_column_is_not_two(read):
    result = read("---\nalgname: A\ncol_time: 4\n---\nP1 c 7 1.5\nP2 c 8 2.5\n")
    assert result.column("runtime_s") == [1.5, 2.5]
    assert result.column("best_value") == [None, None]


def test_odd_lines(read):
    result = read(TABLE + "P4\nP5 success\nP6 success fast\nP7 fail\nP1 converged 44\nP8 success 1.")
    assert result.counts() == {"malformed_line": 3, "repeated_run": 1, "cut_line": 1}
    assert [t["run"] for t in result.trials if t["problem"] == "P1"] == [1, 2]
    assert read("---\nalgname: A\n---\nP1 c 2\nP2 c -0.5\n").counts() == {"malformed_line": 1}
    assert read(TABLE.replace("maxtime", "subset")).first("head_key_not_used") == ("0.table", 1)
    assert read(TABLE.replace("maxtime", "subset")).counts() == {"head_key_not_used": 1, "limit_not_stated": 2}


def test_without_a_head(tmp_path):
    path = tmp_path / "solver.txt"
    path.write_text("p1 c 1.5\np2 d 2\n")
    result = Result(path, tmp_path / "out", format="perprof")
    assert result.column("algorithm") == ["solver", "solver"]
    assert result.column("status") == ["solved", "failed"]
    path.write_text("---\nalgname: Cut\n")
    with pytest.raises(UserError, match="no format recognises it"):
        readers.examine(path)
    path.write_text("---\nalgname: Empty\n---\n")
    with pytest.raises(UserError, match="no trial"):
        readers.examine(path)


def test_times_that_cannot_be_are_not_used(read):
    result = read("---\nalgname: A\nmaxtime: -5\n---\np1 fail -3.0\np3 c 2\np4 fail 7\n")
    assert [(t["problem"], t["status"], t["runtime_s"], t["cost"]) for t in result.trials] == [
        ("p1", "failed", None, float("inf")),
        ("p3", "solved", 2, 2),
        ("p4", "failed", 7, float("inf")),
    ]
    counts = result.counts()
    assert counts["impossible_time"] == 1 + 3  # the time of p1, and the limit of the file for each run
    assert {t["time_limit_s"] for t in result.trials} == {None}


@real
def test_real_tables():
    """873 problems a file; successes counted in the column that the head of each names."""
    solved = 0
    for name, column in (("alpha", 1), ("beta", 1), ("gamma", 2)):
        lines = (Path(REAL) / f"perprof-cutest/{name}.table").read_text().split("---\n", 2)[2].splitlines()
        assert len({line.split()[0 if column == 1 else 4] for line in lines if line.split()}) == 873
        solved += sum(line.split()[column] in ("converged", "success") for line in lines if line.split())
    report = readers.examine(Path(REAL) / "perprof-cutest")
    assert (report["algorithms"], len(report["problems"])) == (["Alpha", "Beta", "Gamma"], 873)
    assert report["trials"]["solved"] == solved
