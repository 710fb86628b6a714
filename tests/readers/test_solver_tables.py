"""Tables of solver runs: words in place of times, units, limits, penalties, wide tables, JSON lines, names of files."""

import csv
import gzip
import io
import json
import math
import os
import tarfile
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import SMALL, Result, folder, one_sentence

REAL = os.environ.get("BENCHMILL_REAL_DATA")
real = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")

WIDE = "cnf,solution,s1,s2\np1,SAT,12.5,TIMEOUT\np2,UNKNOWN,FAILED,inf\np3,SAT,5000,10000\np4,SAT,5001,3\n"
SAT = {
    "columns": {"problem": "cnf"},
    "wide": {"key": "algorithm", "except": ["solution"]},
    "outcomes": {"TIMEOUT": "time_limit", "FAILED": "error"},
    "time_limit": 5000,
}
STATED = """name,solver,version,Status,seconds,Limit
m1,A,1,ok,10.5,60
m1,A,2,TO,60.5,60
m1,B,1,ok,70,60
m2,A,1,OOM,,3600
m2,A,2,ER,1.5,3600
m2,B,1,TO,36000,3600
"""
STATES = {
    "columns": {
        "problem": "name",
        "algorithm": ["solver", "version"],
        "outcome": "Status",
        "cost": "seconds",
        "time_limit": "Limit",
    },
    "outcomes": {"ok": "solved", "TO": "time_limit", "OOM": "memory_limit", "ER": "error"},
}


@pytest.fixture
def read(tmp_path):
    def read(text, name="t.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Result(path, tmp_path / "out", format="table", **options)

    return read


def rows(result, *names):
    return [tuple(t[n] for n in names) for t in result.trials]


def test_a_wide_table_with_words_and_a_limit(read):
    result = read(WIDE, **SAT)
    names = ("problem", "algorithm", "cost", "runtime_s", "status", "outcome", "cost_budget", "source")
    assert rows(result, *names) == [
        ("p1", "s1", 12.5, 12.5, "solved", "solved", 5000, "t.csv:2"),
        ("p1", "s2", math.inf, None, "failed", "time_limit", 5000, "t.csv:2"),
        ("p2", "s1", math.inf, None, "failed", "error", 5000, "t.csv:3"),
        ("p2", "s2", math.inf, None, "failed", "unknown", 5000, "t.csv:3"),
        ("p3", "s1", math.inf, 5000, "failed", "time_limit", 5000, "t.csv:4"),
        ("p3", "s2", math.inf, None, "failed", "time_limit", 5000, "t.csv:4"),
        ("p4", "s1", math.inf, 5001, "failed", "time_limit", 5000, "t.csv:5"),
        ("p4", "s2", 3, 3, "solved", "solved", 5000, "t.csv:5"),
    ]
    assert result.counts() == {"column_not_used": 1, "censored": 2, "penalised": 1}
    assert result.first("penalised") == ("t.csv", 4)


def test_a_declared_penalty_is_the_only_one(read):
    text = "algorithm,problem,cost\nA,p1,300\nA,p2,200\nA,p3,100.5\n"
    assert rows(read(text, time_limit=100, penalty=3), "runtime_s", "status") == [
        (None, "failed"),
        (200, "failed"),
        (100.5, "failed"),
    ]
    assert rows(read(text, time_limit=100), "runtime_s") == [(300,), (None,), (100.5,)]
    with pytest.raises(UserError, match="`penalty` needs `time_limit`"):
        read(text, penalty=3)


def test_a_number_is_a_cost_whatever_the_words_for_outcomes_are(read):
    text = "solver,model,time,ok\nA,p1,1,1\nA,p2,0,1\nB,p1,1,0\nB,p2,3,1\n"
    columns = {"algorithm": "solver", "problem": "model", "cost": "time", "outcome": "ok"}
    result = read(text, columns=columns, outcomes={"1": "solved", "0": "unknown"})
    assert result.column("cost") == [1.0, math.inf, 0.0, 3.0]


def test_stated_outcomes_and_several_limits(read):
    result = read(STATED, **STATES)
    names = ("problem", "algorithm", "cost", "runtime_s", "outcome", "time_limit_s", "cost_budget")
    assert rows(result, *names) == [
        ("m1", "A 1", 10.5, 10.5, "solved", 60, 60),
        ("m1", "A 2", math.inf, 60.5, "time_limit", 60, 60),
        ("m1", "B 1", 70, 70, "solved", 60, 60),
        ("m2", "A 1", math.inf, None, "memory_limit", 3600, 3600),
        ("m2", "A 2", math.inf, 1.5, "error", 3600, 3600),
        ("m2", "B 1", math.inf, None, "time_limit", 3600, 3600),
    ]
    assert result.counts() == {"solved_beyond_limit": 1, "penalised": 1}
    with pytest.raises(UserError, match=r"t.csv:3: column 'Status' is 'TO'; expected a word of `outcomes`"):
        read(STATED, **STATES | {"outcomes": {"ok": "solved"}})
    with pytest.raises(UserError, match="column 'seconds' is empty"):
        read(STATED.replace("OOM", "ok"), **STATES)
    assert read(STATED.replace("OOM", "ok"), **STATES, empty="failure").column("outcome")[3] == "unknown"


def test_without_any_declaration_nothing_changes(read):
    result = read("algorithm,problem,cost\nA,p,3\nA,q,inf\n")
    assert result.column("outcome") == [None, None]
    assert result.column("cost_budget") == [None, None]
    with pytest.raises(UserError, match="expected a number"):
        read("algorithm,problem,cost\nA,p,TIMEOUT\n")


def test_units(read):
    text = "problem,A,B\np1,40.0s,1s\np2,1.5min,20ms\np3,2h,inf\n"
    assert read(text, wide="algorithm").column("cost") == [40, 1, 90, 0.02, 7200, math.inf]
    assert read(text, wide="algorithm", time_limit=40).column("status") == [
        "failed",
        "solved",
        "failed",
        "solved",
        "failed",
        "failed",
    ]
    mixed = text.replace("20ms", "20")
    with pytest.raises(UserError, match=r"t.csv:3: column 'B' is '20'; expected a number with its unit"):
        read(mixed, wide="algorithm")
    assert read(mixed, wide="algorithm", unit="ms").column("cost")[3] == 0.02
    assert read("algorithm,problem,cost\nA,p,1500\n", unit="ms").column("cost") == [1.5]
    with pytest.raises(UserError, match="expected a number"):
        read("algorithm,problem,cost\nA,p,3 apples\n")


LIMITS = "problem,A,B\np1,40.0s,>15000s\np2,> 7200s,3s\np3,≥60min,>= 1.5h\n"


def test_a_time_that_is_more_than_a_number_is_a_failure_at_that_limit(read):
    result = read(LIMITS, wide="algorithm")
    assert rows(result, "cost", "outcome", "time_limit_s", "cost_budget", "runtime_s") == [
        (40, "solved", None, None, 40),
        (math.inf, "time_limit", 15000, 15000, 15000),
        (math.inf, "time_limit", 7200, 7200, 7200),
        (3, "solved", None, None, 3),
        (math.inf, "time_limit", 3600, 3600, 3600),
        (math.inf, "time_limit", 5400, 5400, 5400),
    ]
    assert result.counts() == {"beyond_limit": 4}
    assert result.first("beyond_limit") == ("t.csv", 2)
    # what other runs are allowed is stated apart
    assert read(LIMITS, wide="algorithm", time_limit=20000).column("time_limit_s") == [20000, 15000, 7200, 20000, 3600, 5400]
    with pytest.raises(UserError, match=r"t\.csv:2: column 'B' is '> 15000'; expected a number with its unit, .*or `unit`"):
        read(LIMITS.replace(">15000s", "> 15000"), wide="algorithm")
    assert read(LIMITS.replace(">15000s", "> 15000"), wide="algorithm", unit="s").column("time_limit_s")[1] == 15000
    with pytest.raises(UserError, match="column 'B' is '>many'"):
        read(LIMITS.replace(">15000s", ">many"), wide="algorithm")


def test_empty_cells(read):
    text = "problem,A,B\np1,1,\np2,,2\n"
    with pytest.raises(UserError, match=r"t.csv:2: column 'B' is empty"):
        read(text, wide="algorithm")
    result = read(text, wide="algorithm", empty="missing")
    assert rows(result, "problem", "algorithm", "source") == [("p1", "A", "t.csv:2"), ("p2", "B", "t.csv:3")]
    assert result.report["trials"]["missing"] == 2
    assert result.counts() == {"empty_is_missing": 2}
    assert read(text, wide="algorithm", empty="failure").column("cost") == [1, math.inf, math.inf, 2]


def test_what_the_columns_of_a_wide_table_are(read):
    text = "algorithm,f1,f2\nA,1,2\nB,3,4\n"
    result = read(text, wide="problem")
    assert rows(result, "algorithm", "problem", "cost") == [("A", "f1", 1), ("B", "f1", 3), ("A", "f2", 2), ("B", "f2", 4)]
    result = read("algorithm,problem,1,2\nA,f,1,2\n", wide="run")
    assert rows(result, "run", "cost") == [(1, 1), (2, 2)]
    result = read("problem,A,B,note\np,1,2,x\n", wide={"key": "algorithm", "columns": ["A"]})
    assert result.report["algorithms"] == ["A"]
    assert result.counts() == {"column_not_used": 2}
    with pytest.raises(UserError, match="did you mean 'note'"):
        read("problem,A,B,note\np,1,2,x\n", wide={"key": "algorithm", "except": ["nte"]})
    with pytest.raises(UserError, match="no column is left"):
        read("problem,A\np,1\n", wide={"key": "algorithm", "except": ["A"]})
    with pytest.raises(UserError, match="given elsewhere"):
        read("problem,who,A\np,x,1\n", wide="algorithm", columns={"algorithm": "who"})


def test_no_header_titles_and_blanks(read):
    text = "first\n   p1 1.5   2.5\n  p2 3 4\nsecond\np1   5 6\n"
    result = read(text, "t.txt", separator=" ", header=["problem"], titles="algorithm", wide="run")
    assert rows(result, "problem", "algorithm", "run", "cost", "source") == [
        ("p1", "first", 1, 1.5, "t.txt:2"),
        ("p1", "first", 2, 2.5, "t.txt:2"),
        ("p1", "second", 1, 5, "t.txt:5"),
        ("p1", "second", 2, 6, "t.txt:5"),
        ("p2", "first", 1, 3, "t.txt:3"),
        ("p2", "first", 2, 4, "t.txt:3"),
    ]
    with pytest.raises(UserError, match="no title above it"):
        read("p1 1 2\nfirst\n", separator=" ", header=["problem"], titles="algorithm", wide="run")
    with pytest.raises(UserError, match="`header` 3 names"):
        read("p1,1\n", header=["problem", "cost", "algorithm"])
    with pytest.raises(UserError, match="leave `titles` out"):
        read('{"problem": "p1", "cost": 1}\n', "t.jsonl", titles="algorithm")
    titled = "problem;cost\nA\np1;1\nB\np1;2\n"
    assert rows(read(titled, titles="algorithm"), "algorithm", "cost") == [("A", 1), ("B", 2)]


def test_rows_that_occur_twice(read):
    text = "problem,1,2\np,3,4\nq,1,1\np,3,4\n"
    result = read(text, wide="run", constants={"algorithm": "A"})
    assert len(result.trials) == 4
    assert result.counts() == {"duplicate_row": 2}
    assert result.first("duplicate_row") == ("t.csv", 4)
    with pytest.raises(UserError, match="same run"):
        read(text.replace("p,3,4\nq", "p,3,5\nq"), wide="run", constants={"algorithm": "A"})
    with pytest.raises(UserError, match="duplicate_row"):
        read(text, wide="run", constants={"algorithm": "A"}, strict=True)


def test_names_of_files(tmp_path):
    files = {"x/n10_p1_A.out": "3\n4\n", "x/n10_p1_B_2.out": "5\n6\n", "x/readme.md": "hello"}
    source = folder(tmp_path / "in", files)
    options = {"format": "table", "header": ["cost"], "file_pattern": "n{dimension}_{problem}_{algorithm}.out"}
    result = Result(source, tmp_path / "out", **options)
    assert rows(result, "dimension", "problem", "algorithm", "run", "cost") == [
        (10, "p1", "A", 1, 3),
        (10, "p1", "A", 2, 4),
        (10, "p1", "B_2", 1, 5),
        (10, "p1", "B_2", 2, 6),
    ]
    assert result.counts() == {"file_not_used": 1}
    for pattern, message in (
        ("n{size}.out", "is none of"),
        ("{run}_{run}.out", "twice"),
        ("z{problem}.out", "no file in it fits"),
    ):
        with pytest.raises(UserError, match=message):
            Result(source, tmp_path / "out", **options | {"file_pattern": pattern})


def test_json_lines(read, tmp_path):
    lines = [{"solver": "A", "model": "p1", "time": 1.50, "ok": True}, {"model": "p2", "solver": "A", "time": None, "ok": False}]
    text = "\n".join(json.dumps(line) for line in lines) + "\n"
    columns = {"algorithm": "solver", "problem": "model", "cost": "time", "outcome": "ok"}
    result = read(text, "t.jsonl", columns=columns, outcomes={"true": "solved", "false": "unknown"})
    assert rows(result, "problem", "cost", "source") == [("p1", 1.5, "t.jsonl:1"), ("p2", math.inf, "t.jsonl:2")]
    assert readers.sniff(tmp_path / "t.jsonl").format == "table"
    for bad in ('{"a": 1}\n{"a": ', '{"a": [1]}\n', '{"a": 1}\n3\n'):
        with pytest.raises(UserError) as error:
            read(bad, "t.jsonl", columns=columns)
        one_sentence(error.value)


def test_packed_tables_in_a_folder(tmp_path):
    source = folder(
        tmp_path / "in",
        {"a.csv.gz": gzip.compress(b"algorithm,problem,cost\nA,p,3\n"), "b.csv": "algorithm,problem,cost\nB,p,4\n"},
    )
    assert readers.examine(source, format="table")["algorithms"] == ["A", "B"]


def test_further_columns(read):
    text = "algorithm,problem,cost,nodes,iterations,dual_bound,best_value\nA,p,3,17,99,1.5,inf\nB,p,4,,,,2\n"
    result = read(text, time_limit=10)
    assert rows(result, "nodes", "iterations", "dual_bound", "best_value") == [(17, 99, 1.5, None), (None, None, None, 2)]


def test_options_that_do_not_fit(read):
    text = "algorithm,problem,cost\nA,p,3\n"
    for options, message in (
        ({"time_limit": 5, "direction": "max"}, "leave one of them out"),
        ({"outcomes": {"x": "lost"}}, "outcomes.x"),
        ({"outcomes": {True: "solved"}}, "in quotes"),
        ({"file_pattern": "t.csv"}, "file_pattern"),
        ({"columns": {"cost": ["cost", "none"]}}, "no column"),
    ):
        with pytest.raises(UserError, match=message):
            read(text, **options)
    with pytest.raises(UserError, match="single runs"):
        read("algorithm,problem,mean\nA,p,3\n", outcomes={"x": "error"})


# ---- what is written otherwise --------------------------------------------------------------------------------------

PLAIN = "problem,solver,cost\np1,A,1.5\np2,A,20\np1,B,3\np2,B,0.25\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_utf_16_and_byte_order_marks(read, encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    result = read((mark + PLAIN).encode(encoding), columns={"algorithm": "solver"})
    assert rows(result, "problem", "algorithm", "cost", "source") == [
        ("p1", "A", 1.5, "t.csv:2"),
        ("p1", "B", 3, "t.csv:4"),
        ("p2", "A", 20, "t.csv:3"),
        ("p2", "B", 0.25, "t.csv:5"),
    ]
    assert readers.sniff(result.files[0].parents[1] / "t.csv").format == "table"
    with pytest.raises(UserError, match="begins as a text in UTF-16 and is none"):
        read(PLAIN.encode("utf-16")[:-1], columns={"algorithm": "solver"})


def test_the_index_of_pandas_is_no_algorithm(read, tmp_path):
    lines = "problem,A,B\np1,1,2\np2,3,4\n".splitlines()
    for first in ("", "Unnamed: 0"):
        text = "".join(f"{number},{line}\n" for number, line in zip((first, 0, 1), lines, strict=True))
        result = read(text, wide="algorithm")
        assert rows(result, "problem", "algorithm", "cost") == [("p1", "A", 1), ("p1", "B", 2), ("p2", "A", 3), ("p2", "B", 4)]
        assert result.counts() == {"index_column": 1}
        assert readers.sniff(tmp_path / "t.csv").format == "table"
    # an index of names is a column
    result = read(",A,B\np1,1,2\np2,3,4\n", wide="algorithm", columns={"problem": "Unnamed: 0"})
    assert result.report["problems"] == ["p1", "p2"]


def test_a_list_of_json_objects(read):
    objects = [dict(zip(("problem", "algorithm", "cost"), row, strict=True)) for row in [("p1", "A", 1.5), ("p2", "A", None)]]
    result = read(json.dumps(objects, indent=1), "t.json", empty="failure")
    assert rows(result, "problem", "cost", "source") == [("p1", 1.5, "t.json:1"), ("p2", math.inf, "t.json:2")]
    with pytest.raises(UserError, match=r"t\.json:1: the file is no JSON document"):
        read(json.dumps(objects)[:-5], "t.json", empty="failure")
    with pytest.raises(UserError, match=r"t\.json:2: the line is no JSON object"):
        read('[{"problem": "p1"}, 3]', "t.json")


RUN = {"problem": "p1", "cost": 1.5}


@pytest.mark.parametrize(
    ("document", "options", "expected"),
    [
        ({"solver": "A", "results": [RUN]}, {"records": "results", "columns": {"algorithm": "solver"}}, [("p1", "A", 1.5)]),
        (
            {"out": {"A": RUN, "B": RUN}},
            {"records": "out", "columns": {"algorithm": "key"}},
            [("p1", "A", 1.5), ("p1", "B", 1.5)],
        ),
        (
            {"A": {"p1": {"cost": 1}, "p2": {"cost": 2}}, "B": {"p1": {"cost": 3}, "p2": {"cost": 4}}},
            {"records": "*.*", "columns": {"algorithm": "key", "problem": "key 2"}},
            [("p1", "A", 1), ("p1", "B", 3), ("p2", "A", 2), ("p2", "B", 4)],
        ),
        (
            {"system": "A", "result": [[0.1, 0.2], [0.3, None]]},
            {"records": "result", "wide": "run", "columns": {"algorithm": "system", "problem": "index"}, "empty": "missing"},
            [("1", "A", 0.1), ("1", "A", 0.2), ("2", "A", 0.3)],
        ),
        ([["problem", "algorithm", "cost"], ["p1", "A", 2]], {}, [("p1", "A", 2)]),
        ('["problem", "algorithm", "cost"]\n["p1", "A", 2]\n', {}, [("p1", "A", 2)]),
        ('["p1", "A", 2]\n["p2", "A", 3]\n', {"header": ["problem", "algorithm", "cost"]}, [("p1", "A", 2), ("p2", "A", 3)]),
        (
            '{"a": {"runs": [{"problem": "p1", "cost": 2}]}}\n{"a": {"runs": []}}\n',
            {"records": "a.runs", "algorithm": "A"},
            [("p1", "A", 2)],
        ),
    ],
)
def test_records_within_documents_of_json(read, document, options, expected):
    text = document if isinstance(document, str) else json.dumps(document, indent=1)
    assert rows(read(text, "t.json", **options), "problem", "algorithm", "cost") == expected


def test_where_the_records_are_is_asked(read, tmp_path):
    with pytest.raises(UserError, match=r"say where they are, `records: runs` or `records: more\.old`"):
        read(json.dumps({"runs": [RUN], "more": {"old": [RUN]}}), "t.json")
    with pytest.raises(UserError, match=r"no record is at that path; paths of it are runs"):
        read(json.dumps({"runs": [RUN]}), "t.json", records="rans")
    versions = json.dumps({"2.0": {"host.org": {"runs": [RUN]}}, "1.4": {"host.org": {"runs": [RUN]}}})
    with pytest.raises(UserError, match=r"`records: '\*\.host\\.org\.runs'`"):
        read(versions, "t.json")
    assert len(read(versions, "t.json", records=r"*.host\.org.runs", columns={"algorithm": "key"}).trials) == 2
    assert rows(read(versions, "t.json", records=r"1\.4.host\.org.runs", algorithm="A"), "problem", "cost") == [("p1", 1.5)]
    path = tmp_path / "u.json"
    path.write_text(json.dumps({"solver": "A", "runs": [RUN, RUN | {"problem": "p2"}]}, indent=1))
    with pytest.raises(UserError, match=r"it can be read with `records: runs, columns: \{algorithm: solver\}`"):
        readers.examine(path)


def test_a_table_within_a_text_is_read_in_place(read, tmp_path):
    for name, text, lines in (
        ("t.out", "Summary of host x\n\nproblem  algorithm  cost\np1  A  1.5\np2  A  2\n\nDone.\n", "lines: 3-5, separator: ' '"),
        (
            "t.md",
            "# Runs\n\n| problem | algorithm | cost |\n|---|---|---|\n| p1 | A | 1.5 |\n| p2 | A | 2 |\n\nEnd.\n",
            "lines: 3-6",
        ),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(UserError, match=f"`(format: table, )?{lines}`"):
            readers.examine(tmp_path / name)
        options = {"lines": lines.split(",")[0].split()[1]} | ({"separator": " "} if "separator" in lines else {})
        result = read(text, name, **options)
        assert rows(result, "problem", "algorithm", "cost") == [("p1", "A", 1.5), ("p2", "A", 2)]
    assert result.column("source") == ["t.md:5", "t.md:6"]
    two = "a,b\nx,1\ny,2\n\nc;d;e\nx;1;2\ny;2;3\n"
    (tmp_path / "two.out").write_text(f"Two tables\n\n{two}")
    found = readers.interface.Incomplete
    with pytest.raises(found) as error:
        readers.examine(tmp_path / "two.out")
    assert "`lines: 3-5` or `lines: 7-9`" in error.value.asked.questions[0]


def test_deviations_in_parentheses_and_bounds(read):
    result = read("problem,algorithm,mean,n\np1,A,93.5(0.5),9\np2,A,92 (1.25),9\np3,A,<1,9\n")
    assert rows(result, "cost", "cost_sd") == [(93.5, 0.5), (92, 1.25), (1, None)]
    assert result.counts() == {"mean_and_sd": 2, "at_most": 1}
    # a rank or a count is no deviation
    result = read("problem,algorithm,mean,n\np1,A,93.5 (1),9\np2,A,92.25 (2),9\n")
    assert rows(result, "cost", "cost_sd") == [(93.5, None), (92.25, None)]


def test_a_virtual_best_is_set_aside(read):
    text = "cnf,A,B,VBS\np1,1,2,1\np2,3,4,3\n"
    result = read(text, columns={"problem": "cnf"}, wide="algorithm")
    assert result.report["algorithms"] == ["A", "B"]
    assert result.counts()["virtual_best"] == 2
    frame = pd.DataFrame({"problem": ["p1", "p1"], "algorithm": ["A", "VBS"], "cost": [1.0, 1.0]})
    sink = io.BytesIO()
    frame.to_parquet(sink)
    assert read(sink.getvalue(), "t.parquet").report["algorithms"] == ["A"]
    named = read(text, columns={"problem": "cnf"}, wide={"key": "algorithm", "columns": ["A", "VBS"]})
    assert named.report["algorithms"] == ["A", "VBS"]


def test_an_object_of_json_objects_within_which_are_others(read):
    runs = {"x": {"problem": "p1", "set": {"algorithm": "A", "seeds": [1, 2]}, "cost": 1.50}, "y": {"problem": "p2", "cost": 2}}
    runs["y"]["set"] = {"algorithm": "B"}
    result = read(json.dumps(runs, indent=1), "t.json", columns={"algorithm": "set.algorithm"})
    assert rows(result, "problem", "algorithm", "cost") == [("p1", "A", 1.5), ("p2", "B", 2)]
    unused = next(e for e in result.report["irregularities"] if e["rule"] == "column_not_used")
    assert [e["detail"] for e in unused["examples"]] == ["the column 'key'", "the column 'set.seeds'"]
    with pytest.raises(UserError, match=r"t\.json:1: the key 'a\.b' occurs twice"):
        read('{"x": {"a.b": 1, "a": {"b": 2}}}', "t.json")


def test_decimal_commas(read):
    text = "problem;A;B\n1,5;1,5;2\n2,5;3e-1;>1000,5\n"
    with pytest.raises(UserError, match=r"t\.csv:2: column 'A' is '1,5'; expected a number or inf \(or declare `decimal: ','`\)"):
        read(text.replace(">1000,5", "4"), wide="algorithm")
    result = read(text, wide="algorithm", decimal=",")
    assert rows(result, "problem", "cost", "time_limit_s") == [
        ("1,5", 1.5, None),
        ("1,5", 2, None),
        ("2,5", 0.3, None),
        ("2,5", math.inf, 1000.5),
    ]


@pytest.mark.parametrize(
    ("cell", "hint"),
    [
        ("1,234", "between thousands there is no comma: 1234; or declare `decimal: ','`, if decimals follow it"),
        ("1,234,567", "between thousands there is no comma: 1234567)"),
        ("1,234.5", "between thousands there is no comma: 1234.5)"),
    ],
)
def test_commas_between_thousands_are_not_taken_for_decimal_ones(read, cell, hint):
    """The advice to declare `decimal: ','` made 1.234 of 1,234."""
    text = f"problem;A;B\np;{cell};2\nq;5;3.5\n"
    with pytest.raises(UserError) as error:
        read(text, wide="algorithm")
    assert f"t.csv:2: column 'A' is {cell!r}; expected a number or inf ({hint}" in str(error.value)
    with pytest.raises(UserError, match=r"t\.csv:3: '3\.5' has a point, and `decimal` says") as error:
        read(text, wide="algorithm", decimal=",")
    one_sentence(error.value)
    assert read(text.replace(cell, cell.replace(",", "")), wide="algorithm").column("cost")


@pytest.mark.parametrize(
    ("cell", "hint"),
    [
        ("1,234.5 ms", "between thousands there is no comma: 1234.5 ms)"),
        ("1,234 ms/op", "between thousands there is no comma: 1234 ms/op; or declare `decimal: ','`, if decimals follow it"),
        ("0,5 ms", "or declare `decimal: ','`"),
    ],
)
def test_commas_in_times_with_a_unit(read, cell, hint):
    with pytest.raises(UserError) as error:
        read(f"problem;A;B\np;{cell};2 ms\n", wide="algorithm")
    assert f"t.csv:2: column 'A' is {cell!r}; expected a number or inf ({hint}" in str(error.value)


# ---- what is chosen -------------------------------------------------------------------------------------------------


def test_rows_are_chosen_by_columns_of_the_file(read):
    names = ("problem", "algorithm")
    result = read(STATED, **STATES, where={"version": 1, "Limit": [60.0]})
    assert rows(result, *names) == [("m1", "A 1"), ("m1", "B 1")]
    assert result.counts() == {"not_chosen": 4, "solved_beyond_limit": 1}
    assert result.report["trials"]["missing"] == 0
    result = read(STATED, **STATES, where={"Status": {"not": ["OOM", "ER"]}, "algorithm": {"not": "B 1"}})
    assert rows(result, *names) == [("m1", "A 1"), ("m1", "A 2")]
    for where, message in (
        ({"Status": "TOO"}, r"t\.csv: `where` names 'TOO', which is no value of 'Status'; did you mean 'TO'\?"),
        ({"status": "TO"}, "`where` names 'status', which is no column of the table; did you mean 'Status'"),
        ({"algorithm": "C"}, "'C', which is no value of 'algorithm'; it has 'A 1', 'A 2', 'B 1'"),
    ):
        with pytest.raises(UserError, match=message):
            read(STATED, **STATES, where=where)


def test_trials_of_logs_are_chosen_and_what_is_left_out_is_not_missing(tmp_path):
    whole = Result(folder(tmp_path / "logs", SMALL), tmp_path / "whole")
    part = Result(tmp_path / "logs", tmp_path / "part", where={"dimension": 3})
    assert [t["dimension"] for t in whole.trials] == [2, 2, 3, 3]
    assert [(t["dimension"], t["trial"]) for t in part.trials] == [(3, 0), (3, 1)]
    first = len(whole.traces) - len(part.traces)
    assert part.traces["value"].to_pylist() == whole.traces["value"].to_pylist()[first:]
    assert part.traces["trial"].to_pylist() == [t - 2 for t in whole.traces["trial"].to_pylist()[first:]]
    assert part.counts() == {"not_chosen": 2}
    assert part.report["trials"]["missing"] == 0
    with pytest.raises(UserError, match="'cost', by which no trial can be chosen"):
        readers.examine(tmp_path / "logs", options={"where": {"cost": 1}})


@real
def test_sat_competitions():
    """Words and penalised times as `grep -o` counts them in the files."""
    folder = Path(REAL) / "sat-competition"
    path = folder / "sat2020-parallel.csv"
    options = SAT | {"outcomes": {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"}}
    report = readers.examine(path, format="table", options=options)
    text = path.read_text()
    failed = sum(text.count(word) for word in ("TIMEOUT", "FAILED", "INCORRECT"))
    assert failed == 2035 + 35 + 12
    assert (report["trials"]["found"], report["trials"]["failed"]) == (400 * 14, failed)
    for name, column in (("main", "vresult"), ("parallel", "result")):
        path = Path(REAL) / f"sat-competition/sat2024-detailed_{name}.csv"
        options = {
            "columns": {"problem": "hash"},
            "wide": {"key": "algorithm", "except": [column]},
            "time_limit": 5000,
            "penalty": 2,
        }
        report = readers.examine(path, format="table", options=options)
        assert report["trials"]["failed"] == path.read_text().count(",10000.0")
        options |= {"lookup": str(folder / "sat2024-meta.csv"), "columns": {"problem": "filename", "suite": "family"}}
        named = readers.examine(path, format="table", options=options)
        names = dict(line.split(" ")[:2] for line in (folder / "sat2024-meta.csv").read_text().splitlines()[1:])
        assert set(named["problems"]) == {names[hash] for hash in report["problems"]}
        assert (len(named["problems"]), named["trials"]["failed"]) == (400, report["trials"]["failed"])


LOOKED_UP = {"columns": {"problem": "name"}, "wide": {"key": "algorithm", "except": ["solution"]}, "outcomes": SAT["outcomes"]}


@pytest.mark.parametrize("separator", [" ", ",", "\t"])
def test_names_from_a_lookup(read, tmp_path, separator):
    lines = ("size cnf name", "1 p4 d", "2 p1 a", "1 p5 e", "3 p3 c", "1 p2 b")
    (tmp_path / "meta.csv").write_text("".join(line.replace(" ", separator) + "\n" for line in lines))
    plain, named = read(WIDE, **SAT), read(WIDE, lookup=str(tmp_path / "meta.csv"), time_limit=5000, **LOOKED_UP)
    names = {"p1": "a", "p2": "b", "p3": "c", "p4": "d"}
    assert [names[p] for p in plain.column("problem")] == named.column("problem")
    for column in ("algorithm", "cost", "source"):
        assert plain.column(column) == named.column(column)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cnf,name\np1,a\np2,b\np4,d\n", r"t\.csv:4: 'p3' is not in the column 'cnf' of the lookup 'meta\.csv'"),
        ("cnf,name\np1,a\np2,b\np1,c\n", r"meta\.csv:4: 'p1' is in 'cnf' as in meta\.csv:2"),
        ("model,name\np1,a\n", r"meta\.csv: it has none of the columns .* of 't\.csv'; a lookup needs exactly one"),
        ("cnf,solution,name\np1,SAT,a\n", r"it has \['cnf', 'solution'\] of the columns .* of 't\.csv'"),
    ],
)
def test_lookups_that_do_not_fit(read, tmp_path, text, message):
    (tmp_path / "meta.csv").write_text(text)
    with pytest.raises(UserError, match=message):
        read(WIDE, lookup=str(tmp_path / "meta.csv"), time_limit=5000, **LOOKED_UP)
    with pytest.raises(UserError, match="correct `lookup`"):
        read(WIDE, lookup=str(tmp_path / "none.csv"), time_limit=5000, **LOOKED_UP)


@real
def test_energy_models(tmp_path):
    path = Path(REAL) / "energy-lp-milp/benchmark_results.csv.gz"
    columns = {"problem": "bench-size", "algorithm": ["Solver", "Solver Version"], "outcome": "Status", "cost": "Runtime (s)"}
    options = {
        "columns": columns | {"time_limit": "Timeout", "best_value": "Objective Value"},
        "outcomes": dict.fromkeys(("ER", "error"), "error")
        | {"ok": "solved", "TO": "time_limit", "OOM": "memory_limit", "warning": "unknown"},
    }
    result = Result(path, tmp_path, format="table", **options)
    assert Counter(result.column("outcome")) == {
        "solved": 1744,
        "time_limit": 917,
        "error": 66,
        "unknown": 35,
        "memory_limit": 28,
    }
    assert Counter(result.column("time_limit_s")) == {3600.0: 2428, 86400.0: 362}
    with gzip.open(path, "rt") as file:
        times = [float(row["Runtime (s)"]) for row in csv.DictReader(file) if row["Status"] == "ok"]
    assert sum(t["cost"] for t in result.trials if t["status"] == "solved") == pytest.approx(sum(times))


@real
def test_quadratic_programs():
    options = {
        "columns": {"algorithm": ["solver", "settings"], "cost": "runtime", "outcome": "found"},
        "outcomes": {"True": "solved", "False": "unknown"},
        "time_limit": 1000,
    }
    path = Path(REAL) / "qpbenchmark/qpbenchmark_results.csv.gz"
    report = readers.examine(path, format="table", options=options)
    with gzip.open(path, "rt") as file:
        found = Counter(row["found"] for row in csv.DictReader(file))
    assert report["trials"]["found"] == 9 * 552 + 5 * 248
    assert (report["trials"]["solved"], report["trials"]["failed"]) == (found["True"], found["False"])
    assert len(report["algorithms"]) == 14 * 4


@real
def test_times_with_units():
    path = Path(REAL) / "mittelmann-extract/lpopt-29-Apr-2026.csv"
    report = readers.examine(path, format="table", options={"wide": "algorithm", "time_limit": 15000})
    cells = [cell for row in list(csv.reader(path.read_text().splitlines()))[1:] for cell in row[1:]]
    assert report["trials"]["found"] == len(cells)
    assert report["trials"]["failed"] == cells.count("15000.0s")


@real
def test_scores_of_classifiers_and_of_graph_algorithms(tmp_path):
    """The 54 rows of each classifier hold 53 data sets: the row of `credit` is there twice."""
    path = Path(REAL) / "classifier-cv-accuracies/accuracies.txt.gz"
    options = {"separator": " ", "header": ["problem"], "titles": "algorithm", "wide": "run", "direction": "max"}
    report = readers.examine(path, format="table", options=options)
    assert (len(report["algorithms"]), len(report["problems"]), report["trials"]["found"]) == (5, 53, 5 * 53 * 100)
    assert [(i["rule"], i["count"]) for i in report["irregularities"]] == [("duplicate_row", 5 * 100)]

    archive = Path(REAL) / "scmamp/rgg-loading-tests.tgz"
    one = Result(
        archive,
        tmp_path,
        format="table",
        file_pattern="experiment_files/rgg_size_{suite}_r_{problem}_{algorithm}.out",
        header=["cost"],
        direction="max",
    )
    two = Result(
        archive,
        tmp_path,
        format="table",
        file_pattern="comparison_files/rgg_size_{suite}_r_{problem}.out",
        wide="algorithm",
        direction="max",
    )
    keys = ("suite", "problem", "algorithm", "run", "cost")
    assert len(one.trials) == 900 * 8
    assert sorted(rows(one, *keys)) == sorted(rows(two, *keys))
    with tarfile.open(archive) as tar:
        name = "loading_tests/comparison_files/rgg_size_100_r_0.140.out"
        table = list(csv.DictReader(io.TextIOWrapper(tar.extractfile(name))))
    read = [t["cost"] for t in two.trials if (t["suite"], t["problem"], t["algorithm"]) == ("100", "0.140", "Turau")]
    assert read == [float(row["Turau"]) for row in table]
