"""Results of BenchExec, in the words and the layout of its `doc/result.dtd`."""

import bz2
import math
import zipfile
from collections import Counter

import pytest

from benchmill import readers
from benchmill.core.errors import UserError

HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN" '
    '"https://www.sosy-lab.org/benchexec/result-3.0.dtd">\n'
)


def run(name, status, cputime="1.5s", walltime="1.25s", category=None, properties="unreach-call", **columns):
    values = {"status": status, "cputime": cputime, "walltime": walltime, "category": category, **columns}
    lines = "".join(f'    <column title="{title}" value="{value}"/>\n' for title, value in values.items() if value is not None)
    return f'  <run name="{name}" files="[{name}]" properties="{properties}">\n{lines}  </run>\n'


def results(runs, tool="Walker", version="1.0", name="main.Loops", block="Loops", options="-a &lt;b&gt;", end="</result>\n"):
    head = (
        f'<result benchmarkname="w" block="{block}" name="{name}" date="2026-01-01" generator="BenchExec 3.21" tool="{tool}" '
        f'toolmodule="t" version="{version}" options="{options}" timelimit="900s" memlimit="15000000000B" cpuCores="2">\n'
    )
    system = '  <columns><column title="status"/></columns>\n  <systeminfo hostname="h"><ram size="1"/></systeminfo>\n'
    return HEAD + head + system + "".join(runs) + '  <column title="cputime" value="9.5"/>\n' + end


RUNS = [
    run("a.yml", "true", "2.5s", "1.5s", "correct"),
    run("b.yml", "false(unreach-call)", category="wrong"),
    run("c.yml", "TIMEOUT", "901.2s", "600s", "error", terminationreason="cputime"),
    run("d.yml", "OUT OF MEMORY", category="error"),
    run("e.yml", "ERROR (recursion)", category="error"),
    run("f.yml", "unknown", category="unknown"),
    run("g.yml", "true", category="correct-unconfirmed"),
    run("h.yml", "done", category="missing"),
    run("i.yml", "false(unreach-call)", category="missing"),
    run("j.yml", None, None, None),
    run("k.yml", "SEGMENTATION FAULT", category="error", terminationreason="memory"),
    run("a.yml", "true", "3500ms", category="correct", properties="no-overflow"),
]
SAMPLE = results(RUNS)


def load(folder, files, **options):
    for name, text in files.items():
        data = text.encode()
        (folder / name).write_bytes(bz2.compress(data) if name.endswith(".bz2") else data)
    return readers.load(folder, options=options)


def rules(report):
    return {i["rule"]: i["count"] for i in report["irregularities"]}


def test_how_runs_end(tmp_path):
    trials, traces, report = load(tmp_path, {"w.2026-01-01.results.main.Loops.xml.bz2": SAMPLE})
    assert (report["format"], traces.num_rows) == ("benchexec", 0)
    rows = {(row["problem"], row["instance"]): row for row in trials.to_pylist()}
    assert {key[0]: row["outcome"] for key, row in rows.items()} == {
        "a.yml": "solved", "b.yml": "wrong", "c.yml": "time_limit", "d.yml": "memory_limit", "e.yml": "error", "f.yml": "unknown",
        "g.yml": "unknown", "h.yml": "solved", "i.yml": "solved", "k.yml": "memory_limit",
    }  # fmt: skip
    first = rows["a.yml", "unreach-call"]
    assert (first["algorithm"], first["suite"], first["version"], first["settings"]) == (
        "Walker 1.0 main",
        "Loops",
        "1.0",
        "-a <b>",
    )
    assert (first["cost"], first["runtime_s"], first["time_limit_s"], first["cost_budget"]) == (2.5, 2.5, 900, 900)
    assert first["source"] == "w.2026-01-01.results.main.Loops.xml.bz2:6"
    assert rows["a.yml", "no-overflow"]["cost"] == 3.5
    assert rows["c.yml", "unreach-call"]["cost"] == math.inf
    assert rules(report) == {"answer_not_judged": 1, "not_confirmed": 1, "not_run": 1}
    # what was not run is missing, not failed
    assert [(row["problem"], row["instance"]) for row in report["missing"]] == [("j.yml", "unreach-call")]


def test_unconfirmed_answers_and_wall_time(tmp_path):
    trials, _, report = load(tmp_path, {"w.xml": SAMPLE}, unconfirmed="solved", time="walltime")
    rows = {(row["problem"], row["instance"]): row for row in trials.to_pylist()}
    assert rows["g.yml", "unreach-call"]["outcome"] == "solved"
    assert rows["a.yml", "unreach-call"]["cost"] == 1.5
    # the limit is one of CPU time
    assert rows["c.yml", "unreach-call"]["time_limit_s"] is None
    assert rules(report)["limit_not_stated"] == 6


def test_tools_and_run_sets_are_algorithms_and_files_are_told_apart(tmp_path):
    one = [run("a.yml", "true", category="correct")]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("r/w.results.main.Loops.xml.bz2", bz2.compress(results(one).encode()))
        archive.writestr("r/w.results.fast.Loops.xml", results(one, name="fast.Loops"))
        archive.writestr("r/w.results.main.Again.xml", results(one, options="-other"))
        archive.writestr("r/x.results.xml", results(one, tool="Xplore", version="", name="", block=""))
        archive.writestr("r/w.logfiles/a.log", "a line\n")
    trials, _, report = readers.load(tmp_path / "all.zip")
    assert Counter(trials["algorithm"].to_pylist()) == {"Walker 1.0 main": 2, "Walker 1.0 fast": 1, "Xplore": 1}
    assert rules(report) == {"options_differ": 1, "repeated_run": 1}
    trials, _, report = readers.load(tmp_path / "all.zip", options={"named_by": ["tool", "options"]})
    assert Counter(trials["algorithm"].to_pylist()) == {"Walker -a <b>": 2, "Walker -other": 1, "Xplore -a <b>": 1}


def test_a_file_that_is_cut_keeps_its_whole_runs(tmp_path):
    text = SAMPLE[: SAMPLE.index("ERROR (rec")]
    trials, _, report = load(tmp_path, {"w.xml": text})
    assert trials["problem"].to_pylist() == ["a.yml", "b.yml", "c.yml", "d.yml"]
    assert rules(report) == {"cut_file": 1}


def test_entities_are_not_expanded_and_other_xml_is_not_ours(tmp_path):
    bomb = SAMPLE.replace('result-3.0.dtd">', 'result-3.0.dtd" [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]>')
    bomb = bomb.replace('name="e.yml"', 'name="&b;"')
    with pytest.raises(UserError, match="declares entities"):
        load(tmp_path, {"w.xml": bomb})
    outside = SAMPLE.replace('result-3.0.dtd">', 'result-3.0.dtd" [<!ENTITY a SYSTEM "file:///etc/hostname">]>')
    with pytest.raises(UserError, match="declares entities"):
        load(tmp_path, {"w.xml": outside.replace('name="e.yml"', 'name="&a;"')})
    (tmp_path / "w.xml").write_text('<?xml version="1.0"?><result value="1"/>', "utf-8")
    with pytest.raises(UserError, match="no format recognises it"):
        readers.load(tmp_path / "w.xml")
