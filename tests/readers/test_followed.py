"""What a message of a reader says of an entry, or of a file, works when it is done; `test_sources_followed` has the rest.

The messages are found in the code: one that is new has no case, and fails.
"""

import re

import pytest

from benchmill import readers
from benchmill.core import UserError
from tests.readers import test_benchexec as benchexec
from tests.readers import test_cec2013_niching as niching
from tests.readers import test_cut, test_ioh, test_solver_logs
from tests.readers import test_multi_objective as mo
from tests.readers.making import SMALL, block, folder, info, one_sentence
from tests.readers.test_aslib import ARFF
from tests.readers.test_mip_log import SCIP

TABLE = {"t.csv": "algorithm,problem,cost\nA,p,1\nB,p,2\n"}
PAIRS = {"t.csv": "1;2\n3;4\n"}
WORDS = {"t.csv": "algorithm,problem,cost,outcome\nA,p1,3,fine\nA,p2,4,OOM\nB,p1,5,solved\n"}
MEANINGS = {"fine": "unknown", "OOM": "memory_limit"}
CEC = {"A_1_10.txt": "5 4\n3 2\n1 1\n"}
LAYOUT = test_cut.LAYOUT
UNNAMED = {name: text.replace("algId = 'Walker'", "algId = ''") for name, text in SMALL.items()}
PBO = test_ioh.SMALL_INFO
NAMELESS = {**PBO, test_ioh.INFO: PBO[test_ioh.INFO].replace("'RLS'", "''")}
FLAT = {test_ioh.INFO: PBO[test_ioh.INFO], test_ioh.QDAT: test_ioh.quoted([(1, 9, 9), (500, 9, 9)], [(600, 9, 9)])}
FROM_0 = {"a.info": info(1, 2, ["1:20|5.0e-01"], data="d/a.dat"), "d/a.dat": block(1, [(0, 5.0), (20, 0.5)])}
WITH_MEMORY = re.sub(r"@.*runstatus", r"@attribute memory NUMERIC\n\g<0>", ARFF)
TWO_MEASURES = re.sub(r",(ok|timeout|memout|crash)", r",3,\1", WITH_MEMORY)
HEADED = {"format": "table", "header": ["problem"], "separator": ";"}
NUMBERS = {**HEADED, "wide": "run"}
MANY = {"a.csv": "algorithm,problem,cost\n" + "".join(f"A{i},p,1\n" for i in range(101))}
TWO = {mo.JSON: mo.listing([8]), mo.DAT: mo.LOGGED}
POINT = {"indicator": "hypervolume", "reference_point": [2, 9]}
FRONT = {"indicator": "epsilon", "reference_set": "front.csv"}
LOGS = {f"{name}.log": SCIP.replace("air04", name) for name in ("p", "q")}


#: Files, the entry that fails, and the options that the message says: None is one to leave out.
CASES = {
    "table, go test in two configurations": (
        {
            "t.txt": "".join(
                f"goos: linux\ngoarch: {on}\npkg: a\ncpu: X\nBenchmarkF-8   \t100\t12.5 ns/op\n" for on in ("a64", "m64")
            )
        },
        {},
        {"format": "table", "columns": {"algorithm": "goarch"}},
    ),
    "table, folders with files of one name": (
        {
            f"{tool}/results.csv": f"acasxu,onnx/n.onnx,vnnlib/p.vnnlib,1.5,{said},6.5\n"
            for tool, said in (("A", "sat"), ("B", "unsat"))
        },
        {"format": "table"},
        {"file_pattern": "{algorithm}/results.csv"},
    ),
    "table, a first line without names": (
        {"t.csv": "1;23;23\n2;33;33\n"},
        {"format": "table"},
        {"header": ["problem", "algorithm", "cost"]},
    ),
    "coco, no name of an algorithm": (UNNAMED, {}, {"algorithm": "W"}),
    "coco, rows begin at 0": (FROM_0, {}, {"counted_from": 0}),
    "ioh, no name of an algorithm": (NAMELESS, {}, {"algorithm": "W"}),
    "ioh, no direction": (FLAT, {}, {"direction": "max"}),
    "ioh, another direction": (test_ioh.SMALL_JSON, {"direction": "max"}, {"direction": None}),
    "ioh, no such column": (test_ioh.SMALL_JSON, {"value": "best"}, {"value": "raw_y"}),
    "cec, no layout": ({"A_x.txt": "5 4\n3 2\n1 1\n"}, {"format": "cec"}, {**LAYOUT, "files": "{algorithm}_{problem}.txt"}),
    "cec, fractions": (CEC, {**LAYOUT, "fractions": [0.1, 0.5, 0.9]}, {"fractions": [0.1, 0.5, 1]}),
    "cec, no runs": ({"A_1_10.txt": "5 4 1\n3 2 1\n1 1 1\n"}, {**LAYOUT, "statistics": ["best", "mean", "sd"]}, {"runs": 25}),
    "cec, no dimension": (
        {"A_1.txt": CEC["A_1_10.txt"]},
        {"format": "cec", "files": "{algorithm}_{function}.txt", "fractions": [0.1, 0.5, 1.0], "budget_per_dimension": 100},
        {"dimension": 10},
    ),
    "cec, budget of another dimension": (CEC, {**LAYOUT, "budget": {"30": 5}}, {"budget": {"30": 5, "10": 7}}),
    "cec, budgets by dimension": (CEC, {**LAYOUT, "budget": {"30": 5}}, {"budget": None, "budget_per_dimension": 100}),
    "cec2013, other runs": ({"A_SR.dat": niching.RATES.replace("0.48", "0.333")}, {}, {"runs": 1000}),
    "aslib, measures": ({"s/algorithm_runs.arff": TWO_MEASURES}, {}, {"measure": "PAR10"}),
    "benchexec, no expected answers": ({"w.csv": benchexec.without_expected()}, {}, {"answers": ["true"]}),
    "ioh, directions": (
        {
            mo.JSON: mo.listing([2], (*mo.NAMES, "F3"), maximization=[False, False]),
            mo.DAT: mo.block([(1, 2, 3), (0, 3, 2)], (*mo.NAMES[1:], "F3")),
        },
        POINT,
        {"objectives": ["raw_y", "F2"]},
    ),
    "ioh, names of objectives": (TWO, {**POINT, "objectives": ["evaluations", "F2"]}, {"objectives": ["raw_y", "F2"]}),
    "ioh, no such objective": (TWO, {**POINT, "objectives": ["raw_y", "F3"]}, {"objectives": ["raw_y", "F2"]}),
    "ioh, one objective or several": (test_ioh.SMALL_JSON, {"reference_point": [1, 1]}, {"reference_point": None}),
    "ioh, a point and a set": (TWO, {**FRONT, "reference_point": [2, 9]}, {"reference_point": None}),
    "ioh, no set": (TWO, {"indicator": "igd_plus"}, {"reference_set": "front.csv"}),
    "ioh, no point": (TWO, {"indicator": "hypervolume"}, {"reference_point": [1.1, 1.1]}),
    "ioh, a value of several objectives": (TWO, {**POINT, "value": "F2"}, {"value": None, "objectives": ["raw_y", "F2"]}),
    "ioh, no file of a set": (TWO, {**FRONT, "reference_set": "none.csv"}, {"reference_set": "front.csv"}),
    "ioh, a point of another problem": (TWO, {**POINT, "reference_point": {"f2": [2, 9]}}, {"reference_point": {"f1": [2, 9]}}),
    "two formats": ({**SMALL, **test_ioh.SMALL_JSON}, {}, {"format": "ioh"}),
    "another format": (SMALL, {"format": "ioh"}, {"format": None}),
    "no format": (PAIRS, {}, {"format": "table", "header": ["problem", "cost"], "separator": ";", "algorithm": "A"}),
    "a repair that is none": (TABLE, {"switch_off": ["cut_lien"]}, {"switch_off": ["cut_line"]}),
    "another name than the logs have": (TABLE, {"algorithm": {"C": "D"}}, {"algorithm": {"A": "D"}}),
    "another key": (SMALL, {"where": {"colour": "red"}}, {"where": {"problem": "f1"}}),
    "another key of a table": (TABLE, {"where": {"colour": "red"}}, {"where": {"problem": "p"}}),
    "another value": (TABLE, {"where": {"problem": "q"}}, {"where": {"problem": "p"}}),
    "many algorithms": (MANY, {}, {"most_algorithms": 101}),
    "many cells": (TABLE, {"most_cells": 5}, {"most_cells": 9}),
    "solver logs, no such file": (LOGS, {"files": ["*.out"]}, {"files": ["*.log"]}),
    "runs in two files": ({"a.log": SCIP, "b.log": SCIP}, {}, {"repetitions": True}),
    "aslib, runs in two files": (
        {"s/algorithm_runs.arff": ARFF, "s/weka-algorithm_runs.arff": ARFF},
        {"format": "aslib"},
        {"files": "s/algorithm_runs.arff"},
    ),
    "best-known values": (LOGS, {"best_known": "none.csv"}, {"best_known": "known.csv"}),
    "no column of algorithms": ({"t.csv": "problem,cost\np,1\n"}, {}, {"algorithm": "A"}),
    "no column of problems": ({"t.csv": "algorithm,q,cost\nA,p,1\n"}, {}, {"columns": {"problem": "q"}}),
    "words for outcomes": (WORDS, {}, {"outcomes": MEANINGS}),
    "words for costs": ({"t.csv": "algorithm,problem,cost\nA,p,OOM\nB,p,2\n"}, {}, {"outcomes": MEANINGS}),
    "wide, nothing left": (
        {"t.csv": "problem,A\np,1\n"},
        {"wide": {"key": "algorithm", "except": ["A"]}},
        {"wide": {"key": "algorithm", "columns": ["A"]}},
    ),
    "costs and means": ({"t.csv": "algorithm,problem,cost,mean\nA,p,1,2\n"}, {}, {"columns": {"cost": "cost"}}),
    "no values": ({"t.csv": "algorithm,problem,much\nA,p,1\n"}, {}, {"columns": {"cost": "much"}}),
    "words for all others, without a column of outcomes": (
        TABLE,
        {"outcomes": {"*": "error"}, "time_limit": 9},
        {"outcomes": None},
    ),
    "a cost that by its name is better the larger it is": (
        {"t.csv": "problem,algorithm,score\np,A,2\n"},
        {"columns": {"cost": "score"}},
        {"direction": "max"},
    ),
    "an objective beside outcomes": (
        {"t.csv": "problem,algorithm,objective,outcome\np,A,2,solved\n"},
        {"columns": {"cost": "objective"}},
        {"direction": "min"},
    ),
    "wide, deviations": (
        {"t.csv": "problem,A,B,dA,dB\np,1,2,3,4\n"},
        {"wide": {"key": "algorithm", "columns": ["A", "B"], "sd": ["dA"]}},
        {"wide": {"key": "algorithm", "columns": ["A", "B"], "sd": ["dA", "dB"]}},
    ),
    "no names but numbers": (
        {"t.csv": "12,7,9.5\n30,7,9.3\n"},
        {"format": "table", "algorithm": "A"},
        {"header": ["evaluations", "problem", "value"]},
    ),
    "a limit of means": (
        {"t.csv": "problem,algorithm,mean\np,A,60\np,B,3\n"},
        {"time_limit": 60},
        {"time_limit": None},
    ),
    "columns in two units": (
        {"t.csv": "problem,A_ms,B_s\np,60,3\n"},
        {"wide": "algorithm"},
        {"wide": {"key": "algorithm", "columns": ["A_ms"]}, "unit": "ms"},
    ),
    "no values, a column an algorithm": ({"t.csv": "problem,A,B\np,1,2\n"}, {}, {"wide": "algorithm"}),
    "outcomes with a direction": (WORDS, {"outcomes": MEANINGS, "direction": "max", "time_limit": 9}, {"direction": None}),
    "a key given twice": (
        {"A.csv": "algorithm,problem,cost\nA,p,1\n"},
        {"format": "table", "file_pattern": "{algorithm}.csv", "columns": {"algorithm": "algorithm"}},
        {"columns": None},
    ),
    "a column and a constant": (TABLE, {"columns": {"problem": "problem"}, "constants": {"problem": "q"}}, {"constants": None}),
    "a pattern of files": (TABLE, {"file_pattern": "{algorithm}{algorithm}.csv"}, {"file_pattern": None}),
    "runs of two dimensions": (
        {"t.csv": "problem,dim,algorithm,run,cost\np,2,A,1,3\np,3,A,1,4\n"},
        {},
        {"columns": {"dimension": "dim"}},
    ),
    "names again, and the lines to read": ({"t.csv": 2 * TABLE["t.csv"]}, {}, {"lines": "1-3"}),
    "two optima of a problem": (
        {"t.csv": "problem,shift,algorithm,optimum,cost\np,1,A,0,1\np,2,A,5,6\n"},
        {},
        {"columns": {"instance": "shift"}},
    ),
    "a lookup": (TABLE, {"lookup": "none.csv"}, {"lookup": None}),
    "decimals": ({"t.csv": "algorithm,problem,cost\nA,p,1.5\n"}, {"decimal": ","}, {"decimal": None}),
    "quotes": ({"t.csv": 'algorithm,problem,cost\nA,"p,1\n'}, {"format": "table"}, None),
    "records in several places": (
        {"t.json": '{"runs": [{"problem": "p", "algorithm": "A", "cost": 1}], "solvers": [{"name": "A"}]}'},
        {"format": "table"},
        {"records": "runs"},
    ),
    "several tables in a text": (
        {"t.txt": f"Runs\n\n{TABLE['t.csv']}\nMeans\n\nalgorithm,mean,sd\nA,1,0\nB,2,0\n"},
        {},
        {"format": "table", "lines": "3-5"},
    ),
    "no records at a path": (
        {"t.json": '{"runs": [{"problem": "p", "algorithm": "A", "cost": 1}]}'},
        {"format": "table", "records": "rans"},
        {"records": "runs"},
    ),
    "results of a program that are no times": (
        {
            "t.json": '{"benchmarks": [{"metadata": {"name": "p", "unit": "byte"}, "runs": [{"values": [1, 2]}]}], '
            '"metadata": {"perf_version": "2.0"}}'
        },
        {},
        {
            **{"preset": "none", "records": "benchmarks.runs.values", "algorithm": "A"},
            "columns": {"problem": "metadata.name", "cost": "values"},
        },
    ),
    "names of the cells of arrays": (
        {"t.json": '["p", "A", 1]\n["q", "A", 2]\n'},
        {"format": "table", "header": ["problem", "algorithm"]},
        {"header": ["problem", "algorithm", "cost"]},
    ),
    "lists of different lengths": (
        {"t.json": '{"runs": [{"problem": "p", "algorithm": "A", "cost": [1, 2], "code": [0]}]}'},
        {"format": "table", "records": "runs.cost,code"},
        {"records": "runs.cost"},
    ),
    "a table in a text": (
        {"t.csv": "# Runs\nproblem,algorithm,cost\np,A,1\nq,A,2\n\nthat is all\n"},
        {"format": "table"},
        {"lines": "2-4"},
    ),
    "lines of a text": (
        {"t.txt": "Runs\n\nproblem,algorithm,cost\np,A,1\n\nthat is all\n"},
        {"format": "table", "lines": "3-40"},
        {"lines": "3-4"},
    ),
    "no titles": (
        {"t.csv": "p;1;2\nq;1;2\n"},
        {**NUMBERS, "titles": "algorithm"},
        {"titles": None, "algorithm": "A"},
    ),
    "titles in no text": (
        {"t.jsonl": '{"problem": "p1", "algorithm": "A", "cost": 1}\n'},
        {"format": "table", "titles": "algorithm"},
        {"titles": None},
    ),
    "names of columns": (
        PAIRS,
        HEADED,
        {"header": ["problem", "cost"], "algorithm": "A"},
    ),
    "a separator that is none": (TABLE, {"separator": "\n"}, {"separator": None}),
    "too many names": (
        PAIRS,
        {**HEADED, "header": ["problem", "cost", "n"]},
        {"header": ["problem", "cost"], "algorithm": "A"},
    ),
    "another separator": (
        {"t.csv": "algorithm;problem;cost\nA,b;p;1\n"},
        {"format": "table", "separator": ","},
        {"separator": ";"},
    ),
}


#: Files that entries name.
BESIDE = {
    "known.csv": "problem,value\nx,1\n",
    "front.csv": "f1,f2\n0.2,4\n0.1,5\n",
}


def load(path, entry):
    options = {key: value for key, value in entry.items() if value is not None}
    return readers.load(path, format=options.pop("format", None), options=options)[0]


def told(path, entry):
    with pytest.raises(UserError) as error:
        load(path, entry)
    one_sentence(error.value)
    return str(error.value)


@pytest.mark.parametrize("case", CASES)
def test_what_a_reader_says_can_be_done(tmp_path, case, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, BESIDE))
    files, entry, change = CASES[case]
    path = folder(tmp_path / "s", files)
    message = told(path, entry)
    if change is None:
        return
    assert any(key in message for key in change)
    assert load(path, {**entry, **change}).num_rows


# ---- what is said about the files themselves --------------------------------------------------------------------------

HEAD = "algorithm,problem,cost\n"
ROW = '[{"problem": "p", "algorithm": "A", "cost": 1}]'
ASV = (
    '{"commit_hash": "c", "env_name": "e", "result_columns": ["result", "params"], '
    '"results": {"b.time_x": [RESULT, [["1", "2"]]]}}'
)
ARFF_FILE = "s/algorithm_runs.arff"
LISTED = '["p", "A", 1]\n["q", "A", 2]\n'
LOOKED_UP = {"lookup": "more.csv", "columns": {"problem": "long"}}
MORE = "problem,long\np,pp\nq,qq\n"
C2006 = "problem,evaluations,feasible rate,success rate\ng01,10,100%,84%\ng02,12,100%,80%\n"
C2006_ENTRY = {"format": "cec2006", "runs": 25}
PERPROF = "---\nalgname: A\nsuccess: c\n---\np c 1\nq c 2\n"
KNOWN = "problem,value,sense\nair04,56137,min\n"
#: Files, the entry, and the files that are other ones when what the message says is done (None: one that is not there any more).
CORRECTED = {
    "a number": ({"t.csv": "algorithm,problem,cost\nA,p,1.2.3\n"}, {}, {"t.csv": "algorithm,problem,cost\nA,p,1.2\n"}),
    "a time in two units": ({"t.csv": HEAD + "A,p,1m30s\n"}, {}, {"t.csv": HEAD + "A,p,90s\n"}),
    "points between thousands": (
        {"t.csv": HEAD.replace(",", ";") + "A;p;1.234,5\n"},
        {"decimal": ","},
        {"t.csv": HEAD.replace(",", ";") + "A;p;1234,5\n"},
    ),
    "blanks between thousands": ({"t.csv": HEAD + "A,p,1 234.5\n"}, {}, {"t.csv": HEAD + "A,p,1234.5\n"}),
    "a mark behind a number": ({"t.csv": HEAD + "A,p,12*\n"}, {}, {"t.csv": HEAD + "A,p,12\n"}),
    "a power of ten": ({"t.csv": HEAD + "A,p,1.5×10^-3\n"}, {}, {"t.csv": HEAD + "A,p,1.5e-3\n"}),
    "a comment among rows": ({"t.csv": HEAD + "A,p,1\n#A,q,3\nA,r,2\n"}, {}, {"t.csv": HEAD + "A,p,1\nA,r,2\n"}),
    "a line of names": ({"t.csv": "\n\n"}, {"format": "table"}, TABLE),
    "binary data": ({"t.csv": "algorithm,problem\0,cost\nA,p,1\n"}, {"format": "table"}, TABLE),
    "a column twice": (
        {"t.csv": "algorithm,problem,cost,cost\nA,p,1,2\n"},
        {},
        {"t.csv": "algorithm,problem,cost,first cost\nA,p,1,2\n"},
    ),
    "a key of JSON in two ways": ({"t.json": '{"x": {"a.b": 1, "a": {"b": 2}}}'}, {"format": "table"}, {"t.json": ROW}),
    "a key of JSON twice": (
        {"t.json": '[{"problem": "p", "algorithm": "A", "cost": 1, "cost": 2}]'},
        {"format": "table"},
        {"t.json": '[{"problem": "p", "algorithm": "A", "cost": 2}]'},
    ),
    "line breaks and quotes in cells": (
        {"t.csv": HEAD + 'A,5" disk,2\nA,r,3\nA,"p\nq",1\n'},
        {},
        {"t.csv": HEAD + 'A,disk of 5,2\nA,r,3\nA,"p\nq",1\n'},
    ),
    "no object in a line": ({"t.jsonl": LISTED + "3\n"}, {"header": ["problem", "algorithm", "cost"]}, {"t.jsonl": LISTED}),
    "runs of two solvers": (
        {"p.log": SCIP + test_solver_logs.GUROBI},
        {},
        {"p.log": SCIP, "q.log": test_solver_logs.GUROBI},
    ),
    "UTF-16 that is none": ({"t.csv": b"\xff\xfea,b,c\n\x00\xd8"}, {"format": "table"}, TABLE),
    "no UTF-8": ({"t.csv": f"{HEAD}Müller,p,1\n".encode("latin-1")}, {}, {"t.csv": f"{HEAD}Müller,p,1\n"}),
    "no such column": ({"t.csv": "algorithm,problme,cost\nA,p,1\n"}, {"columns": {"problem": "problem"}}, TABLE),
    "no rows": ({"t.csv": HEAD}, {"format": "table"}, TABLE),
    "names again": (
        {"t.csv": f"{TABLE['t.csv']}{TABLE['t.csv'].replace('p,', 'r,')}"},
        {},
        {"t.csv": TABLE["t.csv"] + "A,r,1\n"},
    ),
    "a line that may be cut": ({"t.csv": "algorithm,problem,cost\nA,p,1"}, {}, {"t.csv": "algorithm,problem,cost\nA,p,1\n"}),
    "other columns": ({**TABLE, "u.csv": "algorithm,problem,cost,n\nA,r,1,2\n"}, {}, {"u.csv": None}),
    "nothing that is a table": ({"t.pdf": "x"}, {"format": "table"}, {**TABLE, "t.pdf": None}),
    "a lookup without a common column": (TABLE, {"lookup": "other.csv"}, {"t.csv": "algorithm,problem,cnf,cost\nA,p,x,1\n"}),
    "a lookup with a name twice": (TABLE, {**LOOKED_UP, "lookup": "again.csv"}, {"../again.csv": MORE}),
    "a lookup that lacks a name": ({"t.csv": "algorithm,problem,cost\nA,r,1\n"}, LOOKED_UP, TABLE),
    "a lookup that may be cut": (TABLE, {**LOOKED_UP, "lookup": "open.csv"}, {"../open.csv": MORE}),
    "names that look the same": (
        {"t.csv": "algorithm,problem,cost\nA,p,1\nА,p,2\n"},
        {},
        {"t.csv": "algorithm,problem,cost\nA,p,1\nA2,p,2\n"},
    ),
    "objectives without names": (TWO, {**FRONT, "reference_set": "bare.csv"}, {"../bare.csv": BESIDE["front.csv"]}),
    "an objective that is no number": (TWO, {**FRONT, "reference_set": "words.csv"}, {"../words.csv": BESIDE["front.csv"]}),
    "objectives that are too many": (TWO, {**FRONT, "reference_set": "three.csv"}, {"../three.csv": BESIDE["front.csv"]}),
    "aslib, no data": ({ARFF_FILE: ARFF[: ARFF.lower().index("@data")]}, {"format": "aslib"}, {ARFF_FILE: ARFF}),
    "aslib, an attribute twice": (
        {ARFF_FILE: re.sub("(?i)(@attribute algorithm.*)", r"\1\n\1", ARFF)},
        {"format": "aslib"},
        {ARFF_FILE: ARFF},
    ),
    "aslib, a line that is none": ({ARFF_FILE: "no\n" + ARFF}, {"format": "aslib"}, {ARFF_FILE: ARFF}),
    "aslib, an accuracy without a description": (
        {"s/algorithm_runs.arff": ARFF.replace("PAR10", "accuracy")},
        {},
        {"s/description.txt": "performance_measures: accuracy\nmaximize: yes\nperformance_type: solution_quality\n"},
    ),
    "aslib, a measure of another name": (
        {"s/algorithm_runs.arff": TWO_MEASURES, "s/description.txt": "performance_measures: PAR10, value\nmaximize: no, yes\n"},
        {"measure": "quality"},
        {"s/description.txt": "performance_measures: PAR10, quality\nmaximize: no, yes\n"},
    ),
    "aslib, binary": ({ARFF_FILE: ARFF + "\0"}, {"format": "aslib"}, {ARFF_FILE: ARFF}),
    "aslib, no such file": ({"s/x.txt": "x"}, {"format": "aslib"}, {ARFF_FILE: ARFF}),
    "best-known values, columns": (LOGS, {"best_known": "bad.csv"}, {"../bad.csv": KNOWN}),
    "best-known values, a problem twice": (LOGS, {"best_known": "twice.csv"}, {"../twice.csv": KNOWN}),
    "best-known values, no number": (LOGS, {"best_known": "text.csv"}, {"../text.csv": KNOWN}),
    "best-known values, a row too long": (LOGS, {"best_known": "long.csv"}, {"../long.csv": KNOWN}),
    "best-known values, a sense": (LOGS, {"best_known": "sense.csv"}, {"../sense.csv": KNOWN}),
    "best-known values, beyond a bound": (LOGS, {"best_known": "beyond.csv"}, {"../beyond.csv": KNOWN}),
    "cec2006, a rate": ({"A.csv": C2006.replace("84%", "84.5%")}, C2006_ENTRY, {"A.csv": C2006}),
    "cec2006, a problem twice": ({"A.csv": C2006.replace("g02", "g01")}, C2006_ENTRY, {"A.csv": C2006}),
    "cec2006, two columns alike": (
        {"A.csv": C2006.replace("evaluations", "success rate")},
        C2006_ENTRY,
        {"A.csv": C2006},
    ),
    "cec2006, a row too long": ({"A.csv": C2006 + "g03,1,100%,100%,7\n"}, C2006_ENTRY, {"A.csv": C2006}),
    "perprof, a column": ({"A.table": PERPROF.replace("success", "col_time: x\nsuccess")}, {}, {"A.table": PERPROF}),
    "perprof, binary": ({"A.table": "\0"}, {"format": "perprof"}, {"A.table": PERPROF}),
    "perprof, a key twice": ({"A.table": PERPROF.replace("success", "algname: B\nsuccess")}, {}, {"A.table": PERPROF}),
    "a document of JSON that is cut": ({"t.json": '[{"problem": "p",'}, {"format": "table"}, {"t.json": ROW}),
    "asv, cases without results": (
        {"t.json": ASV.replace("RESULT", "[1, 2, 3]")},
        {},
        {"t.json": ASV.replace("RESULT", "[1, 2]")},
    ),
}  # fmt: skip
BESIDE |= {
    "bare.csv": "0.2,4\n0.1,5\n",
    "words.csv": "f1,f2\n0.2,many\n0.1,5\n",
    "three.csv": "f1,f2,f3\n0.2,4,1\n0.1,5,1\n",
    "more.csv": MORE,
    "other.csv": "cnf,long\nx,y\n",
    "again.csv": MORE + "p,pq\n",
    "open.csv": MORE + "r,r",
    "bad.csv": KNOWN.replace("value", "worth"),
    "twice.csv": KNOWN + "air04,1,min\n",
    "text.csv": KNOWN.replace("56137", "many"),
    "long.csv": KNOWN + "x,1,min,2\n",
    "sense.csv": KNOWN.replace(",min", ",up"),
    "beyond.csv": "problem,value,bound,sense\nair04,56137,57000,min\n",
}


@pytest.mark.parametrize("case", CORRECTED)
def test_what_a_reader_says_of_a_file_can_be_done(tmp_path, case, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, BESIDE))
    files, entry, change = CORRECTED[case]
    path = folder(tmp_path / "s", files)
    before = told(path, entry)
    for name in [name for name, text in change.items() if text is None]:
        (path / name).unlink()
    folder(path, {name: text for name, text in change.items() if text is not None})
    try:
        after = load(path, entry).num_rows
    except UserError as error:
        one_sentence(error)
        after = str(error)
    assert after not in (0, before)
