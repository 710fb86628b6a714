"""Every message of a reader that names an option works when it is followed.

The messages are found in the code: one that is new and names an option has no case here, and fails.
"""

import re
from dataclasses import fields

import pytest

from benchmill import readers
from benchmill.core.errors import UserError
from benchmill.registry import formats
from tests.messages import naming, not_said
from tests.readers import test_benchexec as benchexec
from tests.readers import test_cec2013_niching as niching
from tests.readers import test_cut, test_ioh
from tests.readers import test_multi_objective as mo
from tests.readers.making import SMALL, block, folder, info, one_sentence
from tests.readers.test_aslib import ARFF
from tests.readers.test_mip_log import SCIP

OPTIONS = {field.name for format in formats.FORMATS for field in fields(formats.named(format).load().Options)} | {"format"}
OF_READERS = naming("readers", lambda text: any(f"`{name}" in text for name in OPTIONS))

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


#: Messages that are followed in other tests.
ELSEWHERE = {
    "calls both": "of a study: tests/readers/test_of_study.py",
    "it has no points for": "of a reference set: tests/readers/test_multi_objective.py",
    "made this background": "tests/readers/test_background.py",
    "which look the same where": "tests/readers/test_names.py",
    ": the log of ": "tests/readers/test_identity_of_logs.py",
    "does not say which problem was solved": "tests/readers/test_identity_of_logs.py",
    "of models without a name or a fingerprint": "tests/readers/test_identity_of_logs.py",
    "name one of": "of a workbook: tests/readers/test_workbooks.py",
}
#: Files, the entry that fails, and the options that the message says: None is one to leave out.
CASES = {
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
    "no values, a column an algorithm": ({"t.csv": "problem,A,B\np,1,2\n"}, {}, {"wide": "algorithm"}),
    "outcomes with a direction": (WORDS, {"outcomes": MEANINGS, "direction": "max"}, {"direction": None}),
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
    "a lookup": (TABLE, {"lookup": "none.csv"}, {"lookup": None}),
    "decimals": ({"t.csv": "algorithm,problem,cost\nA,p,1.5\n"}, {"decimal": ","}, {"decimal": None}),
    "quotes": ({"t.csv": 'algorithm,problem,cost\nA,"p,1\n'}, {"format": "table"}, None),
    "no records at a path": (
        {"t.json": '{"runs": [{"problem": "p", "algorithm": "A", "cost": 1}]}'},
        {"format": "table", "records": "rans"},
        {"records": "runs"},
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


def test_every_message_of_a_reader_that_names_an_option_is_followed(tmp_path, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, BESIDE))
    said = [told(folder(tmp_path / str(i), files), entry) for i, (files, entry, _) in enumerate(CASES.values())]
    assert [where for where in not_said(OF_READERS, said) if not any(part in where for part in ELSEWHERE)] == []
