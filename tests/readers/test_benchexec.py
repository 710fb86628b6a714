"""Results of BenchExec, in the words and the layout of its `doc/result.dtd`."""

import bz2
import math
import zipfile
from collections import Counter

import pytest

from benchmill import readers
from benchmill.core import UserError

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


def test_runs_had_another_name_before(tmp_path):
    old = SAMPLE.replace("<run ", "<sourcefile ").replace("</run>", "</sourcefile>")
    assert load(tmp_path, {"w.xml": old})[0].equals(load(tmp_path, {"w.xml": SAMPLE})[0])


def test_an_answer_without_a_category_is_not_judged_and_one_of_an_error_is_none(tmp_path):
    files = {"a.xml": results([run("a.yml", "true"), run("b.yml", "done"), run("c.yml", "true", category="error")])}
    trials, _, report = load(tmp_path, files)
    assert trials["outcome"].to_pylist() == ["solved", "solved", "error"]
    assert rules(report)["answer_not_judged"] == 1


def test_wall_time(tmp_path):
    trials, _, report = load(tmp_path, {"w.xml": SAMPLE}, time="walltime")
    rows = {(row["problem"], row["instance"]): row for row in trials.to_pylist()}
    assert rows["a.yml", "unreach-call"]["cost"] == 1.5
    # the limit is one of CPU time
    assert rows["c.yml", "unreach-call"]["time_limit_s"] is None
    assert rules(report)["limit_not_stated"] == 7


def test_tools_and_run_sets_are_algorithms_and_files_are_told_apart(tmp_path):
    one = [run("a.yml", "true", category="correct")]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("r/w.results.main.Loops.xml.bz2", bz2.compress(results(one).encode()))
        archive.writestr("r/w.results.fast.Loops.xml", results(one, name="fast.Loops"))
        archive.writestr("r/w.results.main.Again.xml", results(one, options="-other"))
        archive.writestr("r/x.results.xml", results(one, tool="Xplore", version="", name="", block=""))
        archive.writestr("r/w.logfiles/a.log", "a line\n")
    with pytest.raises(
        UserError, match=r"Again\.xml:6 and r/w\.results\.main\.Loops\.xml\.bz2:6: both have a run of Walker 1\.0 main on a"
    ):
        readers.load(tmp_path / "all.zip")
    trials, _, report = readers.load(tmp_path / "all.zip", options={"repetitions": True})
    assert Counter(trials["algorithm"].to_pylist()) == {"Walker 1.0 main": 2, "Walker 1.0 fast": 1, "Xplore": 1}
    assert rules(report) == {"options_differ": 1}
    trials, _, report = readers.load(tmp_path / "all.zip", options={"named_by": ["tool", "options"], "repetitions": True})
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


# ---- the CSV of table-generator ---------------------------------------------------------------------------------------

#: What table-generator 3.35 made of two run sets of BenchExec on six tasks; what BenchExec says of them in XML is below.
TABLE = """\
tool\t\tFake 1.2\tFake 1.2\tFake 1.2\tFake 1.2\tFake 1.2\tFake 1.2
run set\t\tmore.Loops\tmore.Loops\tmore.Loops\tplain.Loops\tplain.Loops\tplain.Loops
tasks/\t\tstatus\tcputime (s)\twalltime (s)\tstatus\tcputime (s)\twalltime (s)
t1.yml\tfalse\tfalse\t0.003253868\t0.15084593299980043\tfalse\t0.003760063\t0.20033193299605045
t2.yml\ttrue\ttrue\t0.004148526\t0.3107605830009561\ttrue\t0.003754544\t0.3776023889950011
t3.yml\tfalse\ttrue\t0.003585414\t0.1908023720025085\ttrue\t0.003436632\t0.2529096370053594
t4.yml\ttrue\tunknown\t0.004961161\t0.19447908000438474\tunknown\t0.003682822\t0.5348293549977825
t5.yml\tfalse\tTIMEOUT\t2.033382172\t31.203469241001585\tTIMEOUT\t1.636377233\t34.03870341400034
t6.yml\ttrue\tERROR (3)\t0.003774031\t0.277710976995877\tERROR (3)\t0.004366792\t0.33108923099644016
"""
#: The categories in the XML files: correct, correct, wrong, unknown, error by a timeout, error.
JUDGED = ["solved", "solved", "wrong", "unknown", "time_limit", "error"]


def test_a_table_is_judged_by_the_answers_that_are_expected(tmp_path):
    trials, _, report = load(tmp_path, {"w.table.csv": TABLE}, time_limit=2)
    assert report["format"] == "benchexec"
    assert report["algorithms"] == ["Fake 1.2 more.Loops", "Fake 1.2 plain.Loops"]
    rows = trials.to_pylist()
    assert [row["outcome"] for row in rows if row["algorithm"].endswith("plain.Loops")] == JUDGED
    assert [row["outcome"] for row in rows if row["algorithm"].endswith("more.Loops")] == JUDGED
    assert rows[0]["problem"] == "tasks/t1.yml"
    assert {row["cost"] for row in rows if row["problem"] == "tasks/t1.yml"} == {0.003253868, 0.003760063}
    assert rules(report) == {"judged_by_answer": 6}
    trials, _, _ = load(tmp_path, {"w.table.csv": TABLE}, time="walltime", time_limit=60)
    assert trials["cost"].to_pylist()[0] == 0.15084593299980043


def without_expected(text=TABLE):
    return "".join("\t".join(cell for i, cell in enumerate(line.split("\t")) if i != 1) for line in text.splitlines(True))


def test_where_no_answer_is_expected_it_is_asked_which_count(tmp_path):
    files = {"w.csv": without_expected()}
    with pytest.raises(UserError, match=r"answers false, true, and nothing says .* `answers: \['false', 'true'\]`"):
        load(tmp_path, files)
    for answers in (["true"], [True]):  # without quotes, YAML reads a truth value
        trials, _, report = load(tmp_path, files, answers=answers)
        assert Counter(trials["outcome"].to_pylist()) == {"solved": 4, "unknown": 4, "time_limit": 2, "error": 2}
        assert rules(report)["answer_not_judged"] == 4
    assert load(tmp_path, {"w.csv": without_expected().replace("\ttrue\t", "\tdone\t").replace("\tfalse\t", "\tdone\t")})


def test_a_table_that_has_the_categories_is_judged_by_them(tmp_path):
    rows = {"a": "sat\tcorrect", "b": "sat\twrong", "c": "unsat\tcorrect-unconfirmed", "d": "unsat\tunknown", "e": "ERROR\terror"}
    table = "tool\tT 1\tT 1\tT 1\nt/\tstatus\tcategory\tcputime (s)\n" + "".join(f"{t}\t{said}\t1\n" for t, said in rows.items())
    outcomes = ["solved", "wrong", "unknown", "unknown", "error"]
    for options in ({}, {"answers": ["sat", "unsat"]}):
        assert load(tmp_path, {"w.csv": table}, **options)[0]["outcome"].to_pylist() == outcomes
    with pytest.raises(UserError, match="has the answers unsat, and nothing says"):
        load(tmp_path, {"w.csv": table + "f\tunsat\tmissing\t1\n"})
    trials, _, _ = load(tmp_path, {"w.csv": table + "f\tunsat\tmissing\t1\n"}, answers=["unsat"])
    assert trials["outcome"].to_pylist() == [*outcomes, "solved"]


@pytest.mark.parametrize(
    ("status", "expected", "outcome"),
    [
        ("false(no-overflow)", "false(no-overflow)", "solved"),
        ("false(no-overflow)", "false(valid-deref)", "unknown"),
        ("false(unreach-call)", "false", "solved"),
        ("true", "false(no-overflow)", "wrong"),
        ("false(no-overflow)", "true", "wrong"),
        ("true", "true", "solved"),
        ("true", "", "solved"),
        ("OUT OF MEMORY", "true", "memory_limit"),
    ],
)
def test_answers_are_judged_as_benchexec_does(tmp_path, status, expected, outcome):
    """By `get_result_category` of BenchExec 3.35; an answer to which none is expected is not judged there, and solved here."""
    text = f"tool\t\t\tT 1\tT 1\nt/\t\t\tstatus\tcputime (s)\na\tp.prp\t{expected}\t{status}\t1.5\nb\tp.prp\ttrue\ttrue\t1\n"
    trials, _, _ = load(tmp_path, {"w.csv": text})
    assert [trials[name][0].as_py() for name in ("problem", "instance", "outcome")] == ["t/a", "p.prp", outcome]


def test_a_table_that_is_cut_or_damaged(tmp_path):
    lines = TABLE.splitlines(True)
    trials, _, report = load(tmp_path, {"w.csv": "".join(lines).rstrip("\n")})
    assert (trials.num_rows, rules(report)["cut_line"]) == (10, 1)
    trials, _, report = load(tmp_path, {"w.csv": "".join([*lines[:4], "t9.yml\ttrue\n", *lines[4:]])})
    assert (trials.num_rows, rules(report)["malformed_line"]) == (12, 1)
    # a table of another kind stays one
    other = "tool\tstatus\ttime\nA\tok\t1\n"
    assert readers.sniff((tmp_path / "w.csv").parent).format == "benchexec"
    (tmp_path / "w.csv").write_text(other)
    assert readers.sniff(tmp_path).format == "table"


def test_a_run_set_that_broke_off_has_failed_runs_and_a_signal_is_no_success(tmp_path):
    runs = [
        run("a.yml", "true", category="correct"),
        run("b.yml", None, None, None),
        run("c.yml", "done", category="missing", exitsignal="11"),
    ]
    text = results(runs)
    trials, _, report = load(tmp_path, {"w.xml": text.replace("<result ", '<result error="killed by signal 11" ')})
    assert trials["outcome"].to_pylist() == ["solved", "error", "error"]
    assert rules(report)["run_set_failed"] == 1
    # whoever interrupts a set says nothing of the tool
    trials, _, report = load(tmp_path, {"w.xml": text.replace("<result ", '<result error="interrupted" ')})
    assert (trials["problem"].to_pylist(), rules(report)["not_run"]) == (["a.yml", "c.yml"], 1)


def test_runs_of_a_task_in_one_file_count_as_repetitions(tmp_path):
    trials, _, report = load(tmp_path, {"w.xml": results([run("a.yml", "true", category="correct")] * 2)})
    assert trials["run"].to_pylist() == [1, 2]
    assert rules(report) == {"repeated_run": 1}


def test_a_process_that_is_done_and_returned_another_number_than_0_is_doubted(tmp_path):
    runs = [run("a.yml", "done", returnvalue="0"), run("b.yml", "done", returnvalue="1"), run("c.yml", "true", returnvalue="2")]
    trials, _, report = load(tmp_path, {"w.xml": results(runs)})
    assert trials["outcome"].to_pylist() == ["solved"] * 3
    told = [(i["line"], i["detail"]) for i in readers.doubts(report)]
    assert told == [(12, "Walker 1.0 main on b.yml returned 1")]


def test_an_answer_after_the_limit_is_told(tmp_path):
    runs = [run("a.yml", "true", "901s", category="correct"), run("b.yml", "true", "900s", category="correct")]
    trials, _, report = load(tmp_path, {"w.xml": results(runs)})
    assert trials["outcome"].to_pylist() == ["solved"] * 2
    assert [(i["rule"], i["count"], i["detail"]) for i in report["irregularities"]] == [
        ("solved_beyond_limit", 1, "Walker 1.0 main on a.yml, the first of them")
    ]
