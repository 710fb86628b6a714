"""Text files cut at every byte of their last lines: no value is read that the whole file does not have."""

import gzip
import math
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers.text import is_whole
from tests.readers.making import Result, folder
from tests.readers.test_aslib import ARFF
from tests.readers.test_perprof import TABLE as PERPROF

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
real = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA does not name the folder of real logs")

KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run")
VALUES = ("cost", "best_value", "violation", "budget", "runtime_s", "n", "n_successes", "success_performance", "outcome")


def trials(path, out, **entry):
    """Trials by their keys, and what the report counts; None for a source that is refused."""
    try:
        result = Result(path, out, **entry)
    except UserError:
        return None
    keyed = {tuple(t[key] for key in KEYS): tuple(t[value] for value in VALUES) for t in result.trials}
    return keyed, result.counts()


def same(one, other):
    """Whether values are the same but for the last digit that double precision holds."""
    both_numbers = isinstance(one, float) and isinstance(other, float)
    return math.isclose(one, other, rel_tol=1e-14) if both_numbers else one == other


def check_cuts(tmp_path, name, text, last, beside=None, step=1, **entry):
    """Cut the file at every byte of its last `last` lines, or every `step` bytes; returns whether each cut was told."""
    whole, counts = trials(folder(tmp_path / "whole", {name: text, **(beside or {})}), tmp_path / "out", **entry)
    assert "cut_line" not in counts
    begin = len(text) - sum(len(line) for line in text.splitlines(keepends=True)[-last:])
    told = []
    for end in range(begin + 1, len(text), step):
        found = trials(folder(tmp_path / "cut", {name: text[:end], **(beside or {})}), tmp_path / "out", **entry)
        if found is None:
            told.append(True)
            continue
        for key, values in found[0].items():
            unread = [None] * len(values)
            assert key in whole, (end, text[begin:end], key)
            for value, its, none in zip(values, whole[key], unread, strict=True):
                assert same(value, its) or (value is none and found[1]), (end, text[begin:end], values, whole[key])
        missing = len(whole) - len(found[0])
        # Between two lines, and before a cell that nobody reads, nothing shows a cut.
        told.append(bool(found[1]) or not missing or text[end - 1] == "\n" or text[end] in "\r\n")
    assert all(told)
    return told


COSTS = "algorithm,problem,cost\nA,p1,10000.0\nA,p2,189.31\nB,p1,12.5\nB,p2,4711.25\n"
WIDE = "problem,A,B\np1,3.5,10\np2,40.25,11\np3,7,1250\n"
STATUSES = "algorithm,problem,cost,outcome\nA,p1,3.5,ok\nA,p2,9.25,timeout\nB,p1,3.5,ok\nB,p2,4.5,timeout\n"
JSON_LINES = "".join(f'{{"algorithm": "A", "problem": "p{p}", "cost": {p * 111.5}}}\n' for p in range(1, 5))
BLANKS = "problem cost\np1   189.31\np2   12.5\np3   4711.25\n"
UNITS = "algorithm,problem,cost\nA,p1,40.5s\nA,p2,1800.0s\nA,p3,312s\n"


@pytest.mark.parametrize(
    ("name", "text", "entry"),
    [
        ("t.csv", COSTS, {}),
        ("t.csv", WIDE, {"wide": "algorithm"}),
        ("t.csv", STATUSES, {"outcomes": {"ok": "solved", "timeout": "time_limit"}, "time_limit": 10}),
        ("t.jsonl", JSON_LINES, {}),
        ("t.txt", BLANKS, {"separator": " ", "algorithm": "A"}),
        ("t.csv", UNITS, {}),
        ("t.csv", COSTS.replace("\n", "\r\n"), {}),
    ],
)
def test_tables(tmp_path, name, text, entry):
    check_cuts(tmp_path, name, text, 2, format="table", **entry)


LAYOUT = {"files": "{algorithm}_{function}_{dimension}.txt", "fractions": [0.1, 0.5, 1.0], "budget": 1000}
MATRIX = [[189.31, 45.2], [12.5, 9.75], [3.0625, 1.893]]
FIXED = [[300.0 / (1 + k + r) for r in range(5)] for k in range(3)]


@pytest.mark.parametrize(
    ("printed", "end"),
    [("{:g}", "\n"), ("{}", "\n"), ("{:.8e}", "\n"), ("{:.6f}", "\n"), ("{}", "\r\n"), ("{:.8e}", " \n")],
)
@pytest.mark.parametrize("matrix", [MATRIX, FIXED], ids=["small", "large"])
def test_matrices_with_checkpoints_in_rows(tmp_path, printed, matrix, end):
    text = "".join("  ".join(printed.format(value) for value in row) + end for row in matrix)
    # cuts between lines are those of the small one
    check_cuts(tmp_path, "A_1_10.txt", text, 2 if matrix is MATRIX else 1, format="cec", **LAYOUT)


@pytest.mark.parametrize("printed", ["{:g}", "{:.8e}"])
def test_matrices_with_runs_in_rows(tmp_path, printed):
    text = "".join("\t".join(printed.format(value) for value in run) + "\n" for run in zip(*FIXED, strict=True))
    check_cuts(tmp_path, "A_1_10.txt", text, 2, format="cec", **LAYOUT, rows="runs")


def test_pairs_of_matrices(tmp_path):
    entry = {**LAYOUT, "files": "{algorithm}_F{function}.txt", "violations": "{algorithm}_V{function}.txt", "dimension": 10}
    values = {name: "".join(f"{a} {b}\n" for a, b in MATRIX) for name in ("A_F1.txt", "A_V1.txt")}
    for name, text in values.items():
        other = {n: t for n, t in values.items() if n != name}
        check_cuts(tmp_path, name, text, 2, beside=other, format="cec", **entry)


def test_the_last_run_alone_is_left_out_of_a_matrix(tmp_path):
    """189.31 that was cut to 18 is no value of the second run, whose other checkpoints are of no use without it."""
    result = Result(folder(tmp_path / "s", {"A_1_10.txt": "900 800\n300 200\n100 18"}), tmp_path / "out", format="cec", **LAYOUT)
    assert (result.column("best_value"), result.counts()) == ([100], {"cut_line": 1})
    assert result.first("cut_line") == ("A_1_10.txt", 3)


def test_evaluations_of_the_last_run_are_not_read_where_they_may_be_cut(tmp_path):
    rows = "".join("5 5\n" for _ in range(15)) + "0 0\n"
    entry = {"format": "cec", "preset": "cec2022"}
    whole = Result(folder(tmp_path / "s", {"A_1_10.txt": rows + "190000 199999\n"}), tmp_path / "out", **entry)
    assert [whole.trace(0)[-1], whole.trace(1)[-1]] == [(190000, 0), (199999, 0)]
    cut = Result(folder(tmp_path / "s", {"A_1_10.txt": rows + "190000 19999"}), tmp_path / "out", **entry)
    assert [cut.trace(0)[-1], cut.trace(1)[-1]] == [(190000, 0), (200000, 0)]
    assert cut.counts()["cut_line"] == 1


SUMMARIES = "problem,mean,success rate,success performance\ng01,1000.5,100%,1000.5\ng02,3000,50%,6000\ng03,2500,100%,2500\n"
PRINTED = "".join(f"g0{k} 1.0 2.0 3.0 {k}500.0 0.5 100% 100% {k}500.0\n" for k in (1, 2, 3, 4))


@pytest.mark.parametrize(("name", "text"), [("s.csv", SUMMARIES), ("s.txt", PRINTED)])
def test_summaries_of_2006(tmp_path, name, text):
    check_cuts(tmp_path, name, text, 2, format="cec2006", runs=50)


@pytest.mark.parametrize("what", ["PR", "SR"])
def test_rates_of_2013(tmp_path, what):
    rows = [" ".join(str(rate) for rate in (1, 1, 0.5, 0.24, 0.12))] * 20
    both = {f"A_{name}.dat": "".join(f"{row}\n" for row in rows) for name in ("PR", "SR")}
    name = f"A_{what}.dat"
    check_cuts(tmp_path, name, both.pop(name), 1, beside=both, format="cec2013_niching")


def test_other_tables_of_solvers(tmp_path):
    check_cuts(tmp_path, "a.table", PERPROF, 2, format="perprof")
    check_cuts(tmp_path, "algorithm_runs.arff", ARFF, 2, format="aslib", time_limit=1000)


def test_a_list_of_best_known_values(tmp_path):
    """A best-known value that was cut would make a right answer wrong."""
    table = PERPROF.replace("+1.5 +6.8e-07", "+1234.5 +6.8e-07")
    for text, rules in (("=opt= P1 1234.5\n", {}), ("=opt= P1 1234.5", {"cut_line": 1}), ("=opt= P1 12", {"cut_line": 1})):
        result = Result(folder(tmp_path / "s", {"a.table": table, "b.solu": text}), tmp_path / "out", format="perprof")
        assert {rule: count for rule, count in result.counts().items() if rule == "cut_line"} == rules
        assert "wrong" not in result.column("outcome")


def test_the_message_can_be_followed(tmp_path):
    cut = Result(folder(tmp_path / "s", {"t.csv": COSTS.rstrip("\n")}), tmp_path / "out", format="table")
    assert (len(cut.trials), cut.counts()) == (3, {"cut_line": 1})
    assert cut.first("cut_line") == ("t.csv", 5)
    assert "end it with a line break" in cut.report["irregularities"][0]["meaning"]
    assert len(Result(folder(tmp_path / "s", {"t.csv": COSTS}), tmp_path / "out", format="table").trials) == 4
    with pytest.raises(UserError, match=r"t\.csv:2: its only row may be cut; end it with a line break"):
        Result(folder(tmp_path / "s", {"t.csv": "algorithm,problem,cost\nA,p,1"}), tmp_path / "out", format="table")


def test_rows_of_a_trial(tmp_path):
    text = "algorithm,problem,evaluations,value\nA,p,10,100.5\nA,p,20,50.25\nA,p,30,12.75"
    result = Result(folder(tmp_path / "s", {"t.csv": text}), tmp_path / "out", format="table", direction="min")
    assert (result.trace(0), result.counts()["cut_line"]) == ([(10, 100.5), (20, 50.25)], 1)


def test_a_cell_that_is_not_read_may_be_cut(tmp_path):
    text = "algorithm,problem,cost,remark\nA,p1,1,good\nA,p2,2,go"
    assert Result(folder(tmp_path / "s", {"t.csv": text}), tmp_path / "out", format="table").counts() == {"column_not_used": 1}


@pytest.mark.parametrize(
    ("last", "others", "whole"),
    [
        ("10", ["10", "10", "10"] * 9, False),
        ("1.893", ["189.31", "1.2"], False),
        ("1.25", ["3.75"] * 99, False),
        ("1.25", ["3.75", "3.50", "1.00"], True),
        ("1.25", ["3.50", "1.00"], False),
        ("1.2", ["3.75", "3.50", "1.00"], False),
        ("1.5", ["3.0", "2.0", "1.0"] * 9, False),
        ("1.250000e+02", ["3.750000e-01"], True),
        ("1.250000e+0", ["3.750000e-01"], False),
        ("1.25e+30", ["3.75e+99"], False),  # of e+308, say; there is no e+310
        ("1.25e+31", ["3.75e+99"], True),
        ("1.250000", ["3.750000e-01"] * 9, False),
        ("1.25e-10", ["3.75e-09", "1.00e-99"], False),
        ("1.25e-10", ["3.75e-09", "1.00e-20"], True),
        ("1324.43557422969", ["28"], True),
        ("1.32443557422969", ["28"], False),
        ("1324.43557422", ["28"], False),
        ("15000.0s", ["40.0s", "1s"], True),
        ("15000.0", ["40.0s", "1s"], False),
        ("20m", ["20ms", "1ms"], False),
        ("84%", ["100%"], True),
        ("84", ["100%"], False),
        ("time", ["time", "ok"], True),
        ("time", ["time", "time_limit"], False),
        ("tim", ["time", "ok"], False),
        ("-", ["-", "3"], False),
        ("", ["", ""], False),
        ('"12"', [], True),
        ("12", [], False),
    ],
)
def test_what_shows_that_a_cell_is_whole(last, others, whole):
    assert is_whole(last, others) is whole


@given(st.lists(st.floats(1e-9, 1e9), min_size=12, max_size=20), st.sampled_from(["{:.3f}", "{:.10e}"]), st.data())
def test_numbers_of_a_fixed_format_are_whole_or_cut(values, printed, data):
    *others, last = [printed.format(value) for value in values]
    filled_up = any(other.endswith("0") for other in others)
    assert is_whole(last, others) == (filled_up or "e" in printed)
    assert not is_whole(last[: data.draw(st.integers(1, len(last) - 1))], others)


def head(text, lines):
    return "".join(text.splitlines(keepends=True)[:lines])


@real
@pytest.mark.parametrize(
    ("path", "lines", "entry"),
    [
        ("mittelmann-extract/lpopt-29-Apr-2026.csv", 12, {"format": "table", "wide": "algorithm", "time_limit": 15000}),
        (
            "sat-competition/sat2020-parallel.csv",
            5,
            {
                "format": "table",
                "columns": {"problem": "cnf"},
                "wide": {"key": "algorithm", "except": ["solution"]},
                "outcomes": {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"},
                "time_limit": 5000,
                "step": 3,
            },
        ),
        ("cec2006-constrained/tables/SaDE.txt", 1000, {"format": "cec2006"}),
    ],
)
def test_real_tables(tmp_path, path, lines, entry):
    check_cuts(tmp_path, Path(path).name, head((REAL / path).read_text(), lines), 1, **entry)


@real
def test_a_real_table_of_statuses(tmp_path):
    text = gzip.decompress((REAL / "energy-lp-milp/benchmark_results.csv.gz").read_bytes()).decode()
    words = {"ok": "solved", "TO": "time_limit", "ER": "error", "OOM": "memory_limit", "warning": "unknown", "error": "error"}
    columns = {"problem": "bench-size", "algorithm": ["Solver", "Solver Version"], "outcome": "Status"}
    columns |= {"cost": "Runtime (s)", "time_limit": "Timeout"}
    check_cuts(tmp_path, "energy.csv", head(text, 20), 1, step=3, format="table", outcomes=words, columns=columns)


@real
def test_real_matrices_without_a_last_line_end_are_read(tmp_path):
    with tarfile.open(REAL / "cec2014-expensive/14280-SA-DE-DPS.tgz") as archive:
        text = archive.extractfile("14280-SA-DE-DPS/SA-DE-DPS_1_20_expensive.txt").read().decode()
    assert not text.endswith("\n")
    check_cuts(tmp_path, "SA-DE-DPS_1_20_expensive.txt", text, 1, format="cec", preset="cec2014_expensive")


@real
@pytest.mark.parametrize("path", ["cec2014-expensive/14280-SA-DE-DPS.tgz", "mip-logs/scip-multi-instance-check.tgz"])
def test_honest_files_without_a_last_line_end_lose_nothing(path):
    entry = {"preset": "cec2014_expensive"} if path.startswith("cec") else None
    report = readers.examine(REAL / path, options=entry)
    assert "cut_line" not in [irregularity["rule"] for irregularity in report["irregularities"]]
