"""Free logs of a constrained competition's winner."""

import pytest

from benchmill import readers
from tests.readers.making import Result, folder

HEAD = """eOPT: options for Evolutionary Optimizer
-p 7 -len 10 -lower 0 -upper 10 -delta 0.0001 -exp 3
-gen 5000 -eval 200000 -pop 1000 -report 0 -long 0

-o eDEa: options for epsilon Constrained Differential Evolution with an Archive
"""
FIRST = """e(0)=0, cp=3
FES20000 5.5 1 = 0 1 0 0.25\t11481 46
FES100000 7.5 0 = 0 0 0 0.0\t51451 219
FES200000 7.25 0 = 0 0 0 0.0\t101019 481
Gen 2425 Eval 100128 101058 Const 198235 200078 Grad 479 481 Out 4639  1 3.15 2.99 -9.3e-12 => 7.25 0 0
"""
NO_CHECKPOINTS = """e(0)=7.1e+10, cp=12.2
Gen 2425 Eval 100128 101058 Const 150000 200010 Grad 479 481 Out 4639  1 3.15 => -1e-3 0.5 0.0003
"""
CUT = "e(0)=0, cp=3\nFES20000 5.5 1 = 0 1 0 0.25\t11481 46\nFES100000 7.5 0 = 0 0"
TIME = "\nreal\t0m24.304s\nuser\t0m24.241s\nsys\t0m0.030s\n"


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        source = folder(tmp_path / "s", {"logs/eDEa-10-7.log": text, "logs/eDEa-10.dat": "C1\nfeasible 25 / 25\n"})
        return Result(source, tmp_path / "out", **options)

    return read


def rows(result):
    return [(r["trial"], r["evaluations"], r["value"], r["violation"]) for r in result.traces.to_pylist()]


def test_checkpoints_and_the_end(read):
    result = read(HEAD + FIRST + NO_CHECKPOINTS + FIRST.replace("FES200000", "FES200001") + TIME)
    assert result.report["format"] == "eps_de"
    assert set(result.column("algorithm")) == {"eDEa"}
    assert (result.column("problem")[0], result.column("dimension")[0]) == ("C7", 10)
    assert result.column("run") == [1, 2, 3]
    assert result.column("budget") == [200_078, 200_010, 200_078]
    assert result.column("best_value") == [7.25, -1e-3, 7.25]
    # two tenths of a thousandth of the equalities are beyond the tolerance
    assert result.column("violation") == [0, pytest.approx(0.5002), 0]
    assert rows(result)[:4] == [
        (0, 20_000, 5.5, 0.25),
        (0, 100_000, 7.5, 0),
        (0, 198_235, 7.25, 0),
        (1, 150_000, -1e-3, pytest.approx(0.5002)),
    ]
    assert result.counts() == {"checkpoints_missing": 1, "file_not_read": 1}
    assert result.report["trials"]["missing"] == 0


def test_a_log_that_was_cut(read):
    result = read(HEAD + FIRST + CUT)
    assert result.column("status") == ["failed", "ill_finalised"]
    assert result.column("budget") == [200_078, 20_000]
    assert rows(result)[-1] == (1, 20_000, 5.5, 0.25)
    counts = {"budget_from_trace": 1, "cut_line": 1, "file_not_read": 1, "unfinished_trial": 1}
    assert result.counts() == counts
    assert result.report["trials"]["missing"] == 1  # of three that `-exp` announces


def test_a_later_checkpoint_that_is_worse(read):
    worse = FIRST.replace("FES100000 7.5 0 = 0 0 0 0.0", "FES100000 1.5 2 = 1 1 0 3.0")
    result = read(HEAD + worse * 3)
    assert rows(result)[:2] == [(0, 20_000, 5.5, 0.25), (0, 198_235, 7.25, 0)]
    assert result.counts()["running_minimum"] == 3


def test_lines_that_are_none(read):
    result = read(HEAD + FIRST + FIRST.replace("FES100000 7.5 0 =", "FES100000 seven 0 ="))
    assert result.first("malformed_line") == ("logs/eDEa-10-7.log", 13)
    assert len(result.trials) == 2
    more = read(HEAD + FIRST.replace("FES20000 ", f"FES{2**53 + 2} "))  # no number of evaluations that can be told from the next
    assert more.first("malformed_line") == ("logs/eDEa-10-7.log", 7)


def test_runs_of_several_files_are_counted_on(tmp_path):
    logs = {
        "a.log": HEAD + FIRST * 2,
        "b.log": HEAD + FIRST,
        "c.log": HEAD + FIRST,
        "d.log": HEAD.replace("-p 7", "-p 8") + FIRST,
    }
    result = Result(folder(tmp_path / "s", logs), tmp_path / "out")
    assert [(t["problem"], t["run"]) for t in result.trials] == [("C7", 1), ("C7", 2), ("C7", 3), ("C7", 4), ("C8", 1)]


def test_a_log_without_its_problem(tmp_path):
    source = folder(tmp_path / "s", {"a.log": HEAD + FIRST, "b.log": HEAD.replace("-p 7 ", "") + FIRST})
    assert readers.sniff(source).algorithms == ("eDEa",)
    assert Result(source, tmp_path / "out").counts() == {"header_missing": 1}
