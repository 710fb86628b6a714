"""GAMS trace files: layouts, statuses, points, best-known values."""

import itertools
import math
import os
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers.gams_trace import outcome
from tests.readers.making import Result, folder, one_sentence

REAL = os.environ.get("BENCHMILL_REAL_DATA")
real = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")

SHORT = """* Trace Record Definition
* InputFileName,ModelType,SolverName,Direction,ModelStatus,SolverStatus,ObjectiveValue,SolverTime
m1,LP,S,0,1,1,5.5E+01,2.5
m2,LP,S,0,19,1,0.0,0.4
m3,LP,S,0,13,13,NA,NA
"""
LIMITS = """* Trace Record Definition
* GamsSolve
* InputFileName,ModelType,SolverName,OptionFile,Direction,NumberOfEquations,NumberOfVariables,
* ModelStatus,SolverStatus,ObjectiveValue,ObjectiveValueEstimate,SolverTime,NumberOfIterations,NumberOfNodes
*
* SOLVER,S
* TIMELIMIT,3600
m1,MIP,S,NA,0,7,8,8,3,402,151,3602.919,14591843,127918
m2,MIP,S,1,1,7,8,1,1,10,10.5,12.5,99,7
"""
EXAMINER = """* Trace Record Definition
* GAMS/Examiner link
* InputFileName,ModelType,SolverName,Direction
*  ,ModelStatus,SolverStatus,ObjectiveValue,SolverTime,#empty1
*  ,WhatPoint,PrimalVarInfeas,PrimalConInfeas,DualConInfeas
*
m1,NLP,S,0,2,1,5,0.1,#,SOLVP,0,1e-9,0
m1,NLP,S,0,2,1,5,0.1,#,SOLVP_SCALED,0,1e-10,0
m1,NLP,S,0,2,1,5,0.1,#,SOLUP,1e-7,3e-6,0
m1,NLP,S,0,2,1,5,0.1,#,SOLUP_SCALED,0,1e-8,0
m2,NLP,S,0,14,6,NA,0,#,SOLVP,NA,NA,NA
"""
DEFAULT = (
    "aa,LP,A,CONOPT,BDMLP,3.7E+04,0,824,8905,0,81870,0,,1,1,5.5E+04,,1.5E+01,3742,0,,# \n"
    "bb,LP,A,CONOPT,BDMLP,3.7E+04,0,826,8628,0,79434,0,,8,3,4.9E+04,,7.7E+00,2347,0,,# \n"
)


@pytest.fixture
def read(tmp_path):
    number = itertools.count()

    def read(content, **options):
        content = {"S.trc": content} if isinstance(content, str) else content
        return Result(folder(tmp_path / f"in{next(number)}", content), tmp_path / "out", **options)

    return read


def test_a_run_that_its_user_stopped_is_a_failure(read):
    result = read(SHORT.replace("0,1,1,", "0,8,8,"))
    assert (result.column("outcome")[0], result.column("status")[0], result.column("cost")[0]) == ("stopped", "failed", math.inf)


def test_files_in_several_folders_have_suites(read):
    one = read({"lp/a.trc": SHORT, "lp/b.trc": SHORT.replace(",S,", ",T,")})
    assert (set(one.column("suite")), one.counts().get("suite_from_folder")) == ({None}, None)
    two = read({"lp/a.trc": SHORT, "mip/a.trc": SHORT.replace(",S,", ",T,")})
    assert (set(two.column("suite")), two.counts()["suite_from_folder"]) == ({"lp", "mip"}, 1)


def test_traces_that_the_scripts_of_scip_write(read):
    """Their header goes on in a second line, no value is 1e+20 with its sign, and the suffix is that of PAVER's page."""
    header = "* Trace Record Definition\n* InputFileName,ModelType,SolverName,Direction,ModelStatus,SolverStatus,ObjectiveValue,"
    ended = ("1,1,5,5,12.3,10", "8,3,6,5.5,3600,1", "14,3,+1e+20,4,3600,1")
    rows = "".join(f"p{i},MIP,SCIP_x,0,{how},20,3,4\n" for i, how in enumerate(ended))
    more = "ObjectiveValueEstimate,SolverTime\n* NumberOfNodes,NumberOfIterations,NumberOfEquations,NumberOfVariables\n"
    result = read({"check.x.pav": header + more + rows, "check.x.tex": "text"})
    assert result.report["format"] == "gams_trace"
    assert result.column("outcome") == ["solved", "time_limit", "time_limit"]
    assert result.column("cost") == [12.3, math.inf, math.inf]
    assert result.column("best_value") == [5, 6, None]
    assert result.column("dual_bound") == [5, 5.5, 4]
    assert result.column("nodes") == [10, 1, 1]


def test_a_short_header(read):
    result = read(SHORT)
    assert result.report["format"] == "gams_trace"
    rows = [(t["problem"], t["algorithm"], t["cost"], t["status"], t["outcome"], t["source"]) for t in result.trials]
    assert rows == [
        ("m1", "S", 2.5, "solved", "solved", "S.trc:3"),
        ("m2", "S", 0.4, "solved", "infeasible", "S.trc:4"),
        ("m3", "S", math.inf, "failed", "error", "S.trc:5"),
    ]
    assert result.column("best_value") == [55.0, None, None]
    assert result.column("runtime_s") == [2.5, 0.4, None]
    assert result.counts() == {"limit_not_stated": 1}
    assert read(SHORT, infeasible="failed").column("cost") == [2.5, math.inf, math.inf]


def test_a_header_over_several_lines_and_limits(read):
    result = read(LIMITS)
    first, second = result.trials
    assert (first["status"], first["outcome"], first["cost"], first["runtime_s"]) == ("failed", "time_limit", math.inf, 3602.919)
    assert (first["cost_budget"], first["time_limit_s"], first["dual_bound"], first["best_value"]) == (3600, 3600, 151, 402)
    assert (first["nodes"], first["iterations"], first["settings"]) == (127918, 14591843, None)
    assert (second["cost"], second["maximise"], second["settings"]) == (12.5, True, "option file 1")
    assert not result.counts()


def test_points_are_one_run(read):
    result = read(EXAMINER)
    assert result.column("problem") == ["m1", "m2"]
    assert result.column("violation") == [3e-6, None]
    assert result.column("outcome") == ["solved", "error"]
    assert result.counts() == {"points_reduced": 1, "limit_not_stated": 1}
    disagree = read(EXAMINER.replace("0.1,#,SOLUP,", "0.2,#,SOLUP,"))
    assert disagree.counts()["points_disagree"] == 1
    assert disagree.column("runtime_s")[0] == 0.1
    with pytest.raises(UserError, match="points_reduced"):
        read(EXAMINER, strict=True)


def test_without_a_header(read):
    result = read(DEFAULT)
    assert result.counts() == {"no_header": 1, "limit_not_stated": 1}
    assert result.column("runtime_s") == [15.0, 7.7]
    assert result.column("iterations") == [3742, 2347]
    assert read(DEFAULT, time_limit=60).column("cost_budget") == [60.0, 60.0]


def test_repetitions_are_numbered(read):
    result = read(SHORT + "m1,LP,S,0,1,1,5.5E+01,2.75\n")
    assert [(t["problem"], t["run"], t["cost"]) for t in result.trials if t["problem"] == "m1"] == [
        ("m1", 1, 2.5),
        ("m1", 2, 2.75),
    ]
    assert result.counts()["repeated_run"] == 1


def test_cut_and_broken_lines(read):
    assert read(SHORT + "m4,LP,S,0,1,1,5.5").counts()["cut_line"] == 1
    assert read(SHORT + "m4,LP,S,0,1,1,5.5E+01,2.").counts()["cut_line"] == 1
    result = read(SHORT + "m4,LP,S,0,1\nm5,XX,S,0,1,1,1,1\nm6,LP,S,0,1,x,1,1\n")
    assert result.counts()["malformed_line"] == 3
    assert result.first("malformed_line") == ("S.trc", 6)
    assert len(result.trials) == 3


@pytest.mark.parametrize(
    ("model", "solver", "expected"),
    [
        (1, 1, ("solved", True)),
        (1, 4, ("solved", True)),
        (2, 1, ("solved", False)),
        (2, 3, ("time_limit", False)),
        (8, 3, ("time_limit", False)),
        (8, 1, ("solved", False)),
        (13, 13, ("error", False)),
        (19, 1, ("infeasible", False)),
        (10, 1, ("infeasible", False)),
        (5, 1, ("unknown", False)),
        (3, 1, ("unbounded", False)),
        (14, 3, ("time_limit", False)),
        (6, 4, ("limit", False)),
        (7, 8, ("stopped", False)),
        (99, 1, ("unknown", False)),
        (7, 99, ("unknown", False)),
        *((model, 1, ("solved", True)) for model in (15, 16, 17)),
        *((model, 1, ("error", False)) for model in (11, 12)),
        (18, 1, ("unbounded", False)),
        (4, 1, ("infeasible", False)),
        *((14, solver, ("error", False)) for solver in (5, 6, 7, 9, 10, 11, 12)),
        (14, 2, ("limit", False)),
    ],
)
def test_statuses(model, solver, expected):
    assert outcome(model, solver) == expected


def test_solutions_are_those_of_the_statuses_that_have_one(read):
    """Of GAMS's model statuses 1, 2, 7, 8, 15, 16 and 17 have a feasible solution, 9 one that is not integer."""
    lines = "".join(f"m{model},LP,S,0,{model},1,{model}.5,1\n" for model in range(1, 20))
    result = read("\n".join(SHORT.splitlines()[:2]) + "\n" + lines)
    found = {int(t["problem"][1:]): t["best_value"] for t in result.trials}
    assert {model: value for model, value in found.items() if value is not None} == {m: m + 0.5 for m in (1, 2, 7, 8, 15, 16, 17)}
    assert result.report["rows"]["read"] == 19


def test_a_line_shorter_than_a_header_of_its_own_is_malformed(read):
    names = "InputFileName,ModelType,SolverName,Direction,ModelStatus,SolverStatus,ObjectiveValue,SolverTime"
    header = f"* Trace Record Definition\n* {names}," + ",".join(f"More{i}" for i in range(12)) + "\n"
    fields = "m{},LP,S,0,1,1,5,1" + 11 * ",0"
    result = read(header + fields.format(1) + ",0\n" + fields.format(2) + "\n")
    assert result.column("problem") == ["m1"]
    assert result.counts()["malformed_line"] == 1


@pytest.mark.parametrize("options", [{"local_optimum": "maybe"}, {"point": ""}])
def test_options_that_mean_nothing_are_refused(read, options):
    with pytest.raises(UserError, match=next(iter(options))):
        read(SHORT, **options)


SOLU = "=opt=  m1   55.0 \n=opt= m2 3\n=inf= m3\n=best= m4 10\n=unkn= m5\nnonsense\n"
FOUR = """* Trace Record Definition
* InputFileName,ModelType,SolverName,Direction,ModelStatus,SolverStatus,ObjectiveValue,ObjectiveValueEstimate,SolverTime
m1,MIP,A,0,1,1,55.001,55.001,2
m1,MIP,B,0,1,1,60,60,2
m1,MIP,C,0,1,1,50,50,2
m1,MIP,D,0,2,1,60,NA,2
m1,MIP,E,0,8,3,60,58,9
m2,MIP,A,0,19,1,NA,NA,1
m3,MIP,A,0,1,1,7,7,1
m3,MIP,B,0,4,1,0,0,1
m4,MIP,A,0,1,1,9,9,1
m4,MIP,B,0,1,1,11,11,1
"""


def test_best_known_values(read):
    result = read({"a.trc": FOUR, "a.solu": SOLU})
    outcomes = {(t["problem"], t["algorithm"]): t["outcome"] for t in result.trials}
    assert outcomes == {
        ("m1", "A"): "solved",  # within the tolerance of 1e-4
        ("m1", "B"): "wrong",
        ("m1", "C"): "wrong",
        ("m1", "D"): "solved",  # a local optimum is no claim of the best
        ("m1", "E"): "time_limit",
        ("m2", "A"): "wrong",
        ("m3", "A"): "wrong",
        ("m3", "B"): "infeasible",
        ("m4", "A"): "solved",
        ("m4", "B"): "wrong",
    }
    assert all((t["status"] == "failed") == (t["cost"] == math.inf) for t in result.trials)
    counts = result.counts()
    assert (counts["contradicts_best_known"], counts["contradiction"], counts["better_than_best_known"]) == (5, 1, 1)
    assert counts["best_known_unreadable"] == 1
    kept = read({"a.trc": FOUR, "a.solu": SOLU}, switch_off=["contradicts_best_known"])
    assert Counter(kept.column("outcome"))["wrong"] == 0
    assert kept.counts()["contradiction"] == 6


def test_a_larger_value_is_better_where_the_trace_says_so(read):
    text = FOUR.replace(",0,1,1,50,50", ",1,1,1,50,50").replace("m1,MIP,B,0", "m1,MIP,B,1")
    result = read({"a.trc": text, "a.solu": SOLU})
    details = {
        e["detail"] for e in result.report["irregularities"] if e["rule"] == "contradicts_best_known" for e in e["examples"]
    }
    assert any("C on m1 states an optimum worse" in d for d in details)
    assert any("B on m1 states a value better" in d for d in details)


def test_solvers_that_disagree(read):
    result = read(FOUR)
    assert result.counts()["solvers_disagree"] == 3  # m1 and m4 by value, m3 by feasibility
    assert set(result.column("outcome")) == {"solved", "infeasible", "time_limit"}


def test_a_file_of_best_known_values(read, tmp_path):
    path = tmp_path / "x.solu"
    path.write_text(SOLU)
    assert read(FOUR, best_known=str(path)).counts()["contradicts_best_known"] == 5
    with pytest.raises(UserError, match="correct `best_known`"):
        read(FOUR, best_known=str(tmp_path / "none.solu"))


def test_lists_that_contradict_each_other(read):
    result = read({"a.trc": FOUR, "a.solu": "=opt= m1 55\n", "b.solu": "=opt= m1 60\n"})
    assert result.counts()["best_known_disagree"] == 1
    assert "contradicts_best_known" not in result.counts()


def test_folders_are_suites_and_files_can_be_chosen(read):
    files = {"x/one/a.trc": SHORT, "x/two/b.trc": SHORT.replace(",S,", ",T,")}
    result = read(files)
    assert result.report["suites"] == ["one", "two"]
    assert result.report["trials"]["missing"] == 0
    assert read(files, files="two/*.trc").report["algorithms"] == ["T"]
    assert read(files, suite="s").report["trials"]["missing"] == 0
    with pytest.raises(UserError, match="matches none"):
        read(files, files="three/*")


def test_every_cut_of_a_file_is_read_or_refused(tmp_path):
    whole = (EXAMINER + SHORT).encode()
    path = tmp_path / "a.trc"
    for end in range(1, len(whole), 3):
        path.write_bytes(whole[:end])
        try:
            readers.examine(path, format="gams_trace")
        except UserError as error:
            one_sentence(error)


@real
def test_counts_of_real_traces():
    """Models by file as `awk -F, '!/^\\*/ {print $1}' | sort -u | wc -l` counts them; statuses as stated in the files."""
    archive = Path(REAL) / "gams-trace/paver-globallib-linlib-miplib2010.tgz"
    with tarfile.open(archive) as tar:
        statuses = Counter()
        for name in tar.getnames():
            if "globallib/" in name and name.endswith(".trc"):
                lines = tar.extractfile(name).read().decode().splitlines()
                rows = {tuple(line.split(",")[i] for i in (0, 13, 14)) for line in lines if not line.startswith("*")}
                assert len({r[0] for r in rows}) == (410 if "prancer" in name else 411)
                statuses.update(r[1:] for r in rows)
    report = readers.examine(archive, options={"files": "globallib/*", "switch_off": ["contradicts_best_known"]})
    assert len(report["problems"]) == 411
    assert report["trials"]["found"] == 6 * 411 + 410
    assert [m["algorithm"] for m in report["missing"]] == ["prancer"]
    claimed = sum(n for (m, s), n in statuses.items() if m == "1" or (s == "1" and m in ("2", "3", "4", "8", "10", "18", "19")))
    assert report["trials"]["solved"] == claimed
    for suite, models, algorithms in (("linlib", 77, 6), ("miplib2010", 87, 5)):
        report = readers.examine(archive, options={"files": f"{suite}/*"})
        assert (len(report["problems"]), report["trials"]["found"]) == (models, models * algorithms)


@real
def test_a_wrong_optimum_in_a_real_trace_is_found(tmp_path):
    """Balin states 14048954.46 as the optimum of zib54-UUE, which is 10334015.8."""
    archive = Path(REAL) / "gams-trace/paver-globallib-linlib-miplib2010.tgz"
    result = Result(archive, tmp_path, files="miplib2010/*")
    run = next(t for t in result.trials if (t["algorithm"], t["problem"]) == ("Balin", "zib54-UUE"))
    assert (run["outcome"], run["cost"], run["runtime_s"], run["cost_budget"]) == ("wrong", math.inf, 3.947, 3600)


def test_a_solved_run_with_an_impossible_time_has_no_cost(read):
    result = read(
        "* Trace Record Definition\n* InputFileName,SolverName,ModelStatus,SolverStatus,SolverTime\n*\nm,A,1,1,-4\nn,A,1,1,inf\n"
    )
    assert [(t["status"], t["runtime_s"], t["cost"]) for t in result.trials] == [("solved", None, None)] * 2
    assert result.counts()["impossible_time"] == 2
    assert result.counts()["time_not_stated"] == 2


HEAD = "* Trace Record Definition\n* GamsSolve\n"


def test_option_files_of_a_solver_are_algorithms(read):
    columns = "* InputFileName,SolverName,OptionFile,ModelStatus,SolverStatus,SolverTime\n"
    result = read({"a.trc": HEAD + columns + "m,S,0,1,1,1\nm,S,1,1,1,2\nm,T,1,1,1,3\n"})
    assert dict(zip(result.column("algorithm"), result.column("cost"), strict=True)) == {"S": 1, "S (option file 1)": 2, "T": 3}
    assert result.counts() == {"several_option_files": 1}


def test_definitions_and_fields_with_blanks(read):
    columns = "* InputFileName ModelType SolverName ModelStatus\n*  SolverStatus\n* SolverTime\n"
    result = read({"a.trc": HEAD + columns + "m.gms LP S 1 1 2.5\nn.gms.gz LP S 8 3 10\n"})
    assert result.column("problem") == ["m", "n"]
    assert result.column("outcome") == ["solved", "time_limit"]
    assert result.column("runtime_s") == [2.5, 10]


def test_words_for_the_end_of_a_run_and_bounds_that_are_none(read):
    columns = "* InputFileName,SolverName,ModelStatus,TerminationStatus,ObjectiveValue,ObjectiveValueEstimate,SolverTime\n"
    rows = [("a", 1, "Normal"), ("b", 8, "TimeLimit"), ("c", 8, "NodeLimit"), ("d", 13, "Error"), ("e", 14, "Other")]
    text = HEAD + columns + "".join(f"{m},S,{s},{w},2,-1e+50,1\n" for m, s, w in rows) + "f,S,1,Sideways,2,1,1\n"
    result = read({"a.trc": text})
    assert result.column("outcome") == ["solved", "time_limit", "limit", "error", "unknown"]
    assert result.column("dual_bound") == [None] * 5
    assert result.counts()["malformed_line"] == 1


def test_a_limit_that_no_run_states_is_asked_for(tmp_path):
    """Of GAMS's traces without `* TIMELIMIT`: proposed where the runs that hit it took a usual one, asked for otherwise."""

    def examined(longest, **options):
        # InputFileName, SolverName, ModelStatus, SolverStatus, SolverTime
        rows = [("a.gms", "S", 1, 1, 5.5), ("b.gms", "S", 8, 3, longest)]
        head = "* Trace Record Definition\n* InputFileName,SolverName,ModelStatus,SolverStatus,SolverTime\n*\n"
        (tmp_path / "s.trc").write_text(head + "".join(",".join(map(str, row)) + "\n" for row in rows))
        report = readers.examine(tmp_path / "s.trc", options=options)
        return report["checks"], report["proposals"]

    checks, (proposal,) = examined(1801.2)
    assert any(check.startswith("Failed runs state no time limit") for check in checks)
    assert proposal == {"options": {"time_limit": 1800}, "questions": ["Was the time limit 1800 s? 1 failed runs state none."]}
    checks, proposals = examined(1500.0)
    assert (any(check.startswith("Failed runs state no time limit") for check in checks), proposals) == (True, [])
    assert examined(1500.0, time_limit=1500) == ([], [])


def test_an_infinite_objective_is_none(read):
    result = read(SHORT.replace("5.5E+01", "+INF"))
    assert (result.column("outcome")[0], result.column("best_value")[0]) == ("solved", None)
