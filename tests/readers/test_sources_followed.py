"""What a message says of a source as a whole works when it is done, and no message of a reader is left out."""

import gzip
import io
import json
import os
import re
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmill import cli
from benchmill.core import UserError
from benchmill.readers import archive, background, blocks, coco, ioh
from benchmill.readers.selection import OF_STUDY
from tests.messages import naming, not_said
from tests.readers import test_benchexec as benchexec
from tests.readers import test_eps_de, test_ioh, test_programs
from tests.readers import test_identity_of_logs as of_logs
from tests.readers.making import SMALL, folder, one_sentence, tar, zipped
from tests.readers.test_followed import (
    ARFF,
    ARFF_FILE,
    BESIDE,
    C2006,
    C2006_ENTRY,
    CASES,
    CORRECTED,
    FRONT,
    LAYOUT,
    LOGS,
    TABLE,
    TWO,
    load,
)
from tests.readers.test_workbooks import write
from tests.runs.conftest import write_archive

# ---- sources, each as what makes it in a folder -----------------------------------------------------------------------


def made(at):
    """The folder, which is there now."""
    at.mkdir(parents=True, exist_ok=True)
    return at


def written(name, data):
    """A file."""
    return lambda at: folder(at, {name: data}) / name


def tree(files):
    """A folder."""
    return lambda at: folder(at, files)


def trees(*files):
    """Several folders, each of them a part."""
    return lambda at: [folder(at / f"part{i}", each) for i, each in enumerate(files)]


def within(source, part):
    """A file in a folder, or a folder in it."""
    return lambda at: source(at) / part


def packed(files, mode="w", name="a.tar"):
    """A tar."""
    return lambda at: tar(made(at) / name, files, mode)


def changed(source, at, by=None):
    """What is made, with other bytes at a place of it, or cut there."""

    def again(where):
        path = source(where)
        data = path.read_bytes()
        begin = at(data)
        path.write_bytes(data[:begin] if by is None else data[:begin] + by + data[begin + len(by) :])
        return path

    return again


def a_zip(files):
    """A zip."""
    return lambda at: zipped(made(at) / "a.zip", files)


def joined(at):
    """Two zips, one behind the other."""
    one, other = (a_zip({f"{name}.csv": TABLE["t.csv"]})(at).read_bytes() for name in "ab")
    return written("all.zip", one + other)(at)


def pipe(at):
    """A named pipe."""
    os.mkfifo(made(at) / "t.csv")
    return at / "t.csv"


@cache
def bytes_of_background():
    """A background of two functions."""
    with tempfile.TemporaryDirectory() as at:
        write_archive(Path(at) / "Alpha.tar.xz", "Alpha", 1)
        assert cli.main(["background", "make", f"{at}/Alpha.tar.xz", "-o", f"{at}/one.zip"]) == 0
        return (Path(at) / "one.zip").read_bytes()


def a_background(at):
    """The same in a file."""
    return written("one.zip", bytes_of_background())(at)


def of_background(change):
    """A background some of whose members are others."""

    def again(at):
        with zipfile.ZipFile(a_background(at)) as packed:
            members = {name: packed.read(name) for name in packed.namelist()}
        return zipped(at / "two.zip", members | change(members))

    return again


def parquet(table):
    """Bytes of a table in Parquet."""
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def book(*names):
    """A workbook with sheets."""
    rows = [["problem", "algorithm", "cost"], ["p", "A", 1], ["q", "A", 2]]
    return lambda at: write(made(at) / "runs.xlsx", **dict.fromkeys(names, rows))


def large_book(at):
    """A workbook that unpacks to much."""
    with zipfile.ZipFile(made(at) / "large.xlsx", "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/workbook.xml", "x")
        parts.writestr("xl/media/zeros", bytes(2**26 + 2**20))
    return at / "large.xlsx"


NONE = lambda at: at / "none"  # noqa: E731
PLAIN, DEFLATED = tree(TABLE), {"t.csv": TABLE["t.csv"] + "A,q,1\n" * 1000}
FILE, TAR, BOOK = written("t.csv", TABLE["t.csv"]), packed({**TABLE, "u.txt": "x" * 30_000}), book("runs")
ARCHIVE = "a.zip"
SESSIONS = {"p1.log": of_logs.session("7.0.2", 11, 12), "p2.log": of_logs.session("7.0.2", 13)}
INFO, DATA = "W/bbobexp_f1.info", "W/data_f1/bbobexp_f1_DIM2.dat"
#: Functions that all name one data file.
ALIKE = SMALL | {INFO: "".join(re.sub("funcId = 1", f"funcId = {i}", SMALL[INFO]) for i in range(1, 25))}
LISTED = SMALL | {INFO: SMALL[INFO].replace("2:50|1.5e-03", ", ".join(["2:50|1.5e-03"] * 150_000))}
XML = benchexec.results(benchexec.RUNS)
ENTITIES = XML.replace('result-3.0.dtd">', 'result-3.0.dtd" [<!ENTITY a "b">]>')
LONG_CELL = C2006.replace("100%", "1" * 200_000, 1)
RUN_TWICE = {"s/algorithm_runs.arff": re.sub(r"(?is)(@data\s*)([^\n]+\n)", r"\1\2\2", ARFF)}
DIED = "Running HiGHS 1.7.2 (git hash: 5ce7a2753): Copyright\nERROR: it is cut\n"
OF_SETS = FRONT | {"reference_set": "of.csv"}
HEADS = {"header": ["problem", "algorithm", "cost"]}
TEXT = f"Runs\n\n{TABLE['t.csv']}\nMeans\n\nalgorithm,mean,sd\nA,1,0\nB,2,0\n"
OBJECTIVES = test_programs.configured([[1, 2], [2, 1], [3, 3], [0, 5]])
CALLED = {"algorithms": {"rename": {"A": "S", "B": "S"}}}

RUNS = np.array([[9.5, 8.5, 7.25, 4], [5, 6.5, 3.25, 2], [1, 0.5, 2.25, 1.5]])


def matrix(*columns):
    """The lines of a matrix of runs and what stands behind them."""
    return "".join(" ".join(f"{cell:.6g}" for cell in row) + "\n" for row in np.column_stack(columns).tolist())


#: The source and the entry that fail, both after what the message says is done, and limits that are lower here.
DONE = {
    "no such path": (NONE, {}, PLAIN, {}),
    "what cannot be opened": (within(FILE, "t.csv"), {}, FILE, {}),
    "a pipe": (pipe, {}, FILE, {}),
    "an empty file": (written("t.csv", ""), {}, FILE, {}),
    "nothing within": (
        written("t.csv.gz", gzip.compress(b"")),
        {},
        written("t.csv.gz", gzip.compress(TABLE["t.csv"].encode())),
        {},
    ),
    "best-known values alone": (written("k.solu", "=opt= p 3\n"), {}, tree(LOGS), {"best_known": "known.csv"}),
    "an archive of 7z": (written("a.7z", b"7z\xbc\xaf'\x1c\0\4" * 9), {}, PLAIN, {}),
    "a web page": (written("t.html", "<!DOCTYPE html>\n<table><tr><td>1</td></tr></table>\n"), {}, FILE, {}),
    "an empty folder": (made, {}, PLAIN, {}),
    "parts of two formats": (trees(SMALL, TABLE), {}, tree(SMALL), {}),
    "a part twice": (lambda at: [PLAIN(at)] * 2, {}, PLAIN, {}),
    "two parts with a file of one name": (
        lambda at: [*(FILE(at / name) for name in "ab"), within(tree({"2/t.csv": TABLE["t.csv"]}), "2")(at)],
        {},
        lambda at: [FILE(at / "a"), within(tree({"2/t2.csv": "algorithm,problem,cost\nA,q,1\n"}), "2")(at)],
        {},
    ),
    "too many files": (tree({**TABLE, "u.csv": "algorithm,problem,cost\nA,q,1\n"}), {}, PLAIN, {}, (archive, "MOST_MEMBERS", 1)),
    "too much in an archive": (a_zip(TABLE), {}, PLAIN, {}, (archive, "MOST_BYTES", 20)),
    "much more than it is packed": (
        a_zip(DEFLATED),
        {},
        tree(DEFLATED),
        {},
        (archive, "MOST_RATIO", 2),
        (archive, "RATIO_FREE", 9),
    ),
    "an archive that is none": (written("a.tgz", "no archive"), {}, TAR, {}),
    "an archive that is cut": (changed(TAR, lambda data: 10_000), {}, TAR, {}),
    "a damaged archive": (changed(TAR, lambda data: data.index(b"u.txt") + 100, b"\xff" * 8), {}, TAR, {}),
    "a damaged member": (changed(a_zip(DEFLATED), lambda data: 40, b"\xff" * 10), {}, a_zip(DEFLATED), {}),
    "an encrypted file": (
        changed(changed(a_zip(TABLE), lambda data: 6, b"\1"), lambda data: data.index(b"PK\1\2") + 8, b"\1"),
        {},
        PLAIN,
        {},
    ),
    "two zips, one behind the other": (joined, {}, a_zip(TABLE), {}),
    "names in two forms": (tree(dict.fromkeys(("caf\u00e9.log", "cafe\u0301.log"), DIED)), {}, tree({"caf\u00e9.log": DIED}), {}),
    "an option that is wrong": (PLAIN, {"most_algorithms": 0}, PLAIN, {"most_algorithms": 2}),
    "an option that the format lacks": (tree(SMALL), {"colums": {}}, tree(SMALL), {}),
    "a repair that must not be": (
        written("t.csv", TABLE["t.csv"].rstrip()[:-2]),
        {"strict": True},
        FILE,
        {"strict": True},
    ),
    "two names that become one": (PLAIN, {OF_STUDY: CALLED}, PLAIN, {OF_STUDY: {"algorithms": {"rename": {"A": "S", "B": "T"}}}}),
    "aslib, one of two without an attribute": (
        tree({ARFF_FILE: ARFF, "u/algorithm_runs.arff": re.sub("(?i)@attribute runstatus", "@attribute ended", ARFF)}),
        {},
        tree({ARFF_FILE: ARFF}),
        {},
    ),
    "aslib, files of other names": (
        tree({"runs.arff": ARFF, "feature_values.arff": ARFF}),
        {},
        tree({"runs.arff": ARFF, "feature_values.arff": ARFF}),
        {"files": "runs.arff"},
    ),
    "a run twice": (tree(RUN_TWICE), {}, tree({ARFF_FILE: ARFF}), {}),
    "a head of no background": (of_background(lambda _: {background.HEAD: b"{}"}), {}, a_background, {}),
    "a table of no background": (of_background(lambda _: {"traces.parquet": b"PAR1"}), {}, a_background, {}),
    "tables that do not agree": (
        of_background(lambda has: {"trials.parquet": parquet(pq.read_table(io.BytesIO(has["trials.parquet"])).slice(0, 0))}),
        {},
        a_background,
        {},
    ),
    "a table with many cells": (
        of_background(lambda _: {"traces.parquet": parquet(pa.table({"trial": np.zeros(10**7, np.int8)}))}),
        {},
        a_background,
        {},
        (background, "RATIO_FREE", 2**20),
    ),
    "a background of another version": (
        of_background(lambda has: {background.HEAD: json.dumps(json.loads(has[background.HEAD]) | {"version": "0.1"})}),
        {},
        of_background(lambda has: {background.HEAD: json.dumps(json.loads(has[background.HEAD]) | {"version": "0.1"})}),
        {"any_version": True},
    ),
    "benchexec, entities": (written("r.xml", ENTITIES), {}, written("r.xml", XML), {}),
    "benchexec, one of two that is no XML": (tree({"r.xml": XML, "s.xml": "what"}), {}, tree({"r.xml": XML}), {}),
    "a trial with too many rows": (
        tree(SMALL),
        {},
        tree(test_ioh.SMALL_JSON),
        {},
        (blocks, "MOST_ROWS", 1),
        *((module, "BYTES_AT_ONCE", 9) for module in (blocks, coco)),
    ),
    "cec, a pattern": (
        tree({"A_1_10.txt": "5 4\n3 2\n1 1\n"}),
        {**LAYOUT, "files": "{algorithm}.txt"},
        tree({"A_1_10.txt": "5 4\n3 2\n1 1\n"}),
        LAYOUT,
    ),
    "cec, statistics behind the runs": (
        tree({"A_1_10.txt": matrix(RUNS, RUNS.mean(1), RUNS.max(1))}),
        LAYOUT,
        tree({"A_1_10.txt": matrix(RUNS)}),
        LAYOUT,
    ),
    "cec2006, a long cell": (tree({"A.csv": LONG_CELL}), C2006_ENTRY, tree({"A.csv": C2006}), C2006_ENTRY),
    "coco, a listing alone": (within(tree(SMALL), INFO), {}, tree(SMALL), {}),
    "coco, data of several": (tree(ALIKE), {}, tree(SMALL), {}, (coco, "_READ_ANYWAY", 100)),
    "coco, trials without data": (tree(LISTED), {}, tree(SMALL), {}),
    "ioh, a listing alone": (
        within(tree(test_ioh.SMALL_JSON), next(iter(test_ioh.SMALL_JSON))),
        {},
        tree(test_ioh.SMALL_JSON),
        {},
    ),
    "ioh, a large file": (tree(TWO), FRONT, tree(test_ioh.SMALL_JSON), {}, (ioh, "_LARGEST_OF_SEVERAL", 10)),
    "ioh, a set without a problem": (tree(TWO), OF_SETS, tree(TWO), FRONT),
    "Parquet that is damaged": (
        written("t.parquet", b"PAR1 no more"),
        {},
        written("t.parquet", parquet(pa.table({"problem": ["p"], "algorithm": ["A"], "cost": [1.0]}))),
        {},
    ),
    "a workbook that is damaged": (a_zip({"xl/workbook.xml": "no XML"}), {"format": "table"}, FILE, {}),
    "a workbook that is large": (large_book, {"format": "table"}, FILE, {}),
    "a workbook with sheets": (book("runs", "more"), {}, book("runs", "more"), {"sheet": "runs"}),
    "a workbook that nothing reads": (BOOK, {}, FILE, {}, (sys.modules, "openpyxl", None)),
    "several tables in a text": (written("t.txt", TEXT), {}, written("t.txt", TEXT), {"format": "table", "lines": "3-5"}),
    "several objectives": (
        written("m.json", json.dumps(OBJECTIVES)),
        test_programs.NAMED,
        written("m.json", json.dumps(OBJECTIVES)),
        {**test_programs.NAMED, "preset": "smac", "columns": {"value": "cost.1"}},
    ),
    "a penalty without a limit": (PLAIN, {"penalty": 10}, PLAIN, {}),
    "models without a name": (tree(SESSIONS), {"format": "mip_log"}, tree(SESSIONS), {"format": "mip_log", "unnamed": "number"}),
    "a log that two formats know": (
        written("a.log", test_eps_de.HEAD + test_eps_de.FIRST + of_logs.SOLVED.format(name="p1")),
        {},
        written("a.log", test_eps_de.HEAD + test_eps_de.FIRST + of_logs.SOLVED.format(name="p1")),
        {"format": "mip_log"},
    ),
    "a log of no solver": (
        tree({"p1.log": of_logs.SOLVED.format(name="p1"), "p2.log": "timeout: the monitored command dumped core\n"}),
        {"format": "mip_log"},
        tree({"p1.log": of_logs.SOLVED.format(name="p1"), "p2.log": "timeout: the monitored command dumped core\n"}),
        {"format": "mip_log", "algorithm": "SCIP"},
    ),
    "a file with the name of a program": (
        tree({"gurobi.log": of_logs.session("7.0.2", 11)}),
        {"unnamed": "file"},
        tree({"air.log": of_logs.session("7.0.2", 11)}),
        {"unnamed": "file"},
    ),
}
BESIDE |= {"of.csv": "problem,f1,f2\nf9,1,1\n"}
#: Messages that only other rights can help, and those about all sources of a study (tests/readers/test_best_known.py).
NOT_HERE = {"a file in it cannot be read", "problems that are listed is one of the study's"}


def sources(of):
    """The paths of a source."""
    return of if isinstance(of, list) else [of]


def told(path, entry):
    """The message and what is asked beside it."""
    with pytest.raises(UserError) as error:
        load(path, entry)
    one_sentence(error.value)
    asked = getattr(error.value, "asked", None)
    return [str(error.value), *(asked.questions if asked is not None else ())]


def limit(patch, limits):
    for where, name, value in limits:
        patch.setitem(where, name, value) if isinstance(where, dict) else patch.setattr(where, name, value)


@pytest.mark.parametrize("case", DONE)
def test_what_is_said_of_a_source_can_be_done(tmp_path, case, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, BESIDE))
    before, entry, after, then, *limits = DONE[case]
    limit(monkeypatch, limits)
    said = told(before(tmp_path / "before"), entry)
    try:
        now = load(after(tmp_path / "after"), then).num_rows
    except UserError as error:
        one_sentence(error)
        now = str(error)
    assert now not in (0, *said)


def test_every_message_of_a_reader_is_done(tmp_path, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, BESIDE))
    said = []
    for number, (files, entry, _) in enumerate([*CASES.values(), *CORRECTED.values()]):
        said += told(folder(tmp_path / f"f{number}", files), entry)
    for number, (before, entry, _, _, *limits) in enumerate(DONE.values()):
        with monkeypatch.context() as patch:
            limit(patch, limits)
            said += told(before(tmp_path / f"d{number}"), entry)
    left = not_said(naming("readers", lambda text: True), said)
    assert [where for where in left if not any(part in where for part in NOT_HERE)] == []
