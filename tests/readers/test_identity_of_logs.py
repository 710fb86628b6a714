"""Who ran, on which model, with which version: as the log says it, and asked where it does not."""

import re

import pytest
import yaml

from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import folder

MODEL = """
Optimize a model with 6 rows, 8 columns and 16 nonzeros
Presolve time: 0.00s

Explored 1 nodes (7 simplex iterations) in 0.{n} seconds

Optimal solution found (tolerance 1.00e-04)
Best objective 3.089000000000e+03, best bound 3.089000000000e+03, gap 0.0%
"""
SESSION = "Gurobi {version} (win64, Python) logging started Tue Apr 21 10:11:1{n} 2020\n"


def session(version, *times, settings=()):
    changed = "".join(f"Changed value of parameter {name} to {value}\n   Prev: 0\n" for name, value in settings)
    return SESSION.format(version=version, n=len(times)) + changed + "".join(MODEL.format(n=n) for n in times)


def load(folder, files, **options):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    trials, _, report = readers.load(folder, format="mip_log", options=options)
    rules = {entry["rule"]: entry["count"] for entry in report["irregularities"]}
    columns = ("algorithm", "problem", "outcome", "cost")
    return [tuple(row[name] for name in columns) for row in trials.select(columns).to_pylist()], rules


def test_sessions_of_gurobi_state_their_version_and_those_without_a_model_are_no_runs(tmp_path):
    text = session("7.0.2", 11, 12) + session("7.0.2") + session("8.1.1", settings=[("Threads", 4), ("Seed", 3)])
    text += session("8.1.1", 21, settings=[("Threads", 2)]) + session("9.0.0")
    rows, rules = load(tmp_path, {"a.log": text, "b.log": session("8.1.1")}, unnamed="file")
    assert rows == [
        ("Gurobi 7.0.2", "a", "solved", 0.11),
        ("Gurobi 7.0.2", "a", "solved", 0.12),
        ("Gurobi 8.1.1 (Threads=2)", "a", "solved", 0.21),
    ]
    assert rules == {"no_model": 4, "name_from_file": 3, "repeated_run": 1}


def test_a_run_without_a_version_where_others_state_one_is_asked_about(tmp_path):
    files = {"a.log": session("7.0.2", 11), "b.log": session("8.1.1", 12), "c.log": "Academic license\n" + MODEL.format(n=13)}
    with pytest.raises(UserError, match=r"c\.log:1: the log of 1 run states no version of Gurobi, as others do; it can") as error:
        load(tmp_path, files)
    said = [yaml.safe_load(f"{{{text}}}") for text in re.findall("`([^`]*)`", str(error.value))]
    assert [one["algorithm"] for one in said] == [{"Gurobi": name} for name in ("Gurobi 7.0.2", "Gurobi 8.1.1", "Gurobi")]
    rows, _ = load(tmp_path, files, **said[1])
    assert [row[0] for row in rows] == ["Gurobi 7.0.2", "Gurobi 8.1.1", "Gurobi 8.1.1"]
    assert len(load(tmp_path, files, where={"algorithm": {"not": "Gurobi"}})[0]) == 2
    assert {row[0] for row in load(tmp_path, files, named_by=["solver"])[0]} == {"Gurobi"}
    # another session in the same file does not tell it
    files["a.log"] += "Academic license - for non-commercial use only\n" + MODEL.format(n=14)
    with pytest.raises(UserError, match=r"a\.log:\d+: the log of 2 runs states no version"):
        load(tmp_path, files, unnamed="file")


def test_several_models_of_a_file_are_told_apart_by_their_fingerprints(tmp_path):
    models = [(6, "0x1a"), (6, "0x1b"), (9, "0x1a"), (6, "0x1b")]
    text = SESSION.format(version="9.5.0", n=0)
    for n, (rows, fingerprint) in enumerate(models, 11):
        size = f"with {rows} rows, 8 columns and 16 nonzeros\n"
        text += MODEL.format(n=n).replace("with 6 rows, 8 columns and 16 nonzeros\n", f"{size}Model fingerprint: {fingerprint}\n")
    rows, rules = load(tmp_path / "one", {"p1.log": text})
    assert [row[1] for row in rows] == [
        "model 0x1a (6 rows, 8 columns, 16 nonzeros)",
        "model 0x1a (9 rows, 8 columns, 16 nonzeros)",
        *["model 0x1b (6 rows, 8 columns, 16 nonzeros)"] * 2,
    ]
    assert rules == {"model_by_fingerprint": 4, "repeated_run": 1}
    # one model, solved twice, is what the file is called after
    same = text.replace("0x1b", "0x1a").replace("9 rows", "6 rows")
    rows, rules = load(tmp_path / "two", {"p1.log": same})
    assert {row[1] for row in rows} == {"p1"}
    assert rules == {"name_from_file": 4, "repeated_run": 3}
    # beside a model with a name, the file's name is none of the others'
    rows, _ = load(tmp_path / "three", {"p1.log": same + "Read MPS format model from file /m/q.mps\n" + MODEL.format(n=3)})
    assert {row[1] for row in rows} == {"q", "model 0x1a (6 rows, 8 columns, 16 nonzeros)"}


def test_several_models_of_a_file_without_name_and_fingerprint_are_asked_about(tmp_path):
    files = {"p1.log": session("7.0.2", 11, 12), "p2.log": session("7.0.2", 13)}
    what = r"p1\.log:1: 2 runs of this file are of models without a name or a fingerprint in the log \(of 6 rows, 8 columns, 16 "
    with pytest.raises(UserError, match=what):
        load(tmp_path, files)
    for unnamed, names in {
        "file": ["p1", "p1", "p2"],
        "number": ["1", "2", "p2"],
        "file and number": ["p1 1", "p1 2", "p2"],
    }.items():
        assert [row[1] for row in load(tmp_path, files, unnamed=unnamed)[0]] == names


BANNER = "SCIP version 8.0.3 [precision: 8 byte] [memory: block] [mode: optimized] [LP solver: SoPlex 6.0.3] [GitHash: 1]\n"
FRAME = "@01 /m/{name}.mps ===========\n@03 1493834082\n{text}\n@04 1493834085\n@05 600\n"
#: What a run of SCIP that crashes has printed by then.
CRASHED = {
    "banner": BANNER + "Segmentation fault (core dumped)",
    "prompt": "SCIP> read /m/x.mps\n./check.sh: line 8: 4242 Aborted",
    "parameters": "user parameter file <scip.set> not found - using default parameters\nSegmentation fault",
    "presolving": "presolving:\n(round 1, fast)       3 del vars, 2 del conss\nscip: cons.c:1: x: Assertion `a' failed.",
    "error": "[src/scip/lp.c:1234] ERROR: Error <-1> in function call\nAborted",
}


@pytest.mark.parametrize("text", CRASHED.values(), ids=CRASHED)
def test_what_a_run_of_scip_has_printed_before_its_crash_tells_the_solver(tmp_path, text):
    (row,), rules = load(tmp_path, {"a.out": FRAME.format(name="p1", text=text)})
    assert row[0].startswith("SCIP")
    assert row[1:] == ("p1", "error", float("inf"))
    assert "not_a_log" not in rules


def test_a_crash_that_tells_no_solver_is_asked_about(tmp_path):
    solved = BANNER + (
        "SCIP Status        : problem is solved [optimal solution found]\nSolving Time (sec) : 1.00\nSolving Nodes      : 1\n"
        "Primal Bound       : +3.0e+00 (1 solutions)\nDual Bound         : +3.0e+00\nGap                : 0.00 %\n"
    )
    text = FRAME.format(name="p1", text=solved) + FRAME.format(name="p2", text="Segmentation fault")
    with pytest.raises(UserError, match=r"a\.out:13: the log of 1 run does not say which solver ran; it can be read") as error:
        load(tmp_path, {"a.out": text})
    said = yaml.safe_load(f"{{{re.search('`([^`]*)`', str(error.value))[1]}}}")
    rows, _ = load(tmp_path, {"a.out": text}, **said)
    name = "SCIP 8.0.3 (LP=SoPlex 6.0.3)"
    assert rows == [(name, "p1", "solved", 1.0), (name, "p2", "error", float("inf"))]


#: Logs of a model that could not be read.
UNREAD = {
    "HiGHS": "Running HiGHS 1.5.1 [date: 2023-03-14, git hash: 45b80e859]\nCopyright\nERROR:   Parser error reading ../m/p1.mps\n"
    "Error loading file\n",
    "HiGHS parser": "Running HiGHS 1.7.2 (git hash: n/a): Copyright (c) 2024\nParser error reading /m/p1.mps\n",
    "SCIP open": BANNER + "read problem <m/p1.mps>\n============\n\nerror opening file <m/p1.mps>\n",
    "SCIP": BANNER + "SCIP> read /m/p1.mps\n\nerror reading file </m/p1.mps>\n",
    "CPLEX": "Welcome to IBM(R) ILOG(R) CPLEX(R) Interactive Optimizer 22.1.1.0\nCPLEX> CPLEX Error  1423: Could not open file "
    "'/m/p1.mps'.\n",
    "Gurobi": "Gurobi Optimizer version 9.5.0 build v9.5.0rc5 (linux64)\nUnable to open file '/m/p1.mps' for reading\n",
    "CBC": "Welcome to the CBC MILP Solver \nVersion: 2.10.3 \ncommand line - cbc /m/p1.mps\nUnable to open file /m/p1.mps\n",
    "CBC errors": "Welcome to the CBC MILP Solver \nVersion: 2.10.12 \n\ncommand line - cbc -import /m/p1.mps\nAt line 16\n"
    "Coin0008I  read with -2 errors\nThere were -2 errors on input\n** Current model not valid\n"
    "Total time (CPU seconds):       0.00   (Wallclock seconds):       0.00\n",
    "XPRESS": "FICO Xpress-Optimizer 64-bit v31.01.02 (Hyper capacity)\n?85 Error: File not found: /m/p1.mps\n"
    "?91 Error: No problem has been input\n?1055 Error: Can not resume global search - not currently solving a MIP.\n",
    "XPRESS syntax": "FICO Xpress Solver 64bit v9.2.5 Nov  9 2023\nReading Problem p1\n?107 Error: Unknown section in line 3\n",
    "COPT": "Cardinal Optimizer v8.0.3. Build date Jan 13 2026\n\nReading from '/m/p1.mps'\nReading failed (0.00s)\n",
    "COPT error": "Cardinal Optimizer v7.1.4. Build date Jun 18 2024\nReading from '/m/p1.mps'\nERROR 3: Unknown section\n",
    "MOSEK": "MOSEK Version 10.2.1 (Build date: 2024-5-13 13:03:05)\n\nOpen file '/m/p1.mps'\nMOSEK error 1052: Could not open "
    "file '/m/p1.mps'.\n\nReturn code - 1052  [MSK_RES_ERR_FILE_OPEN]\n",
    "MOSEK code": "MOSEK Version 9.2.38 (Build date: 2021-1-1 12:00:00)\n\nOpen file '/m/p1.mps'\nReading started.\n\n"
    "Return code - 1100  [MSK_RES_ERR_MPS_FILE]\n",
}


@pytest.mark.parametrize("solver", UNREAD)
def test_a_model_that_could_not_be_read_is_a_failed_run_of_it(tmp_path, solver):
    (row,), rules = load(tmp_path, {f"{solver}.log": UNREAD[solver]})
    assert row[0].startswith(f"{solver.partition(' ')[0]} ")
    assert row[1:] == ("p1", "error", float("inf"))
    assert rules == {"limit_not_stated": 1, "model_not_read": 1}


def test_a_model_that_could_not_be_read_is_told_with_the_words_of_the_solver(tmp_path):
    (tmp_path / "a.log").write_text(UNREAD["XPRESS"])
    _, _, report = readers.load(tmp_path, format="mip_log")
    told = {entry["rule"]: entry["detail"] for entry in report["irregularities"]}
    assert told["model_not_read"] == "XPRESS on p1: ?85 Error: File not found: /m/p1.mps"


@pytest.mark.parametrize("solver", UNREAD)
def test_errors_of_other_files_are_none_of_a_run_that_goes_on(tmp_path, solver):
    solved = {
        "Gurobi": MODEL.format(n=5),
        "CPLEX": "MIP - Integer optimal solution:  Objective =  1.0\nSolution time =    1.00 sec.  Iterations = 9  Nodes = 0\n",
        "XPRESS": "Minimizing MILP p1\n *** Search completed ***     Time:  1.00 Nodes:  1\nBest integer solution found is 3.0\n",
        "COPT": "Minimizing an LP problem\nStatus: Optimal  Objective: 1.0e+00  Iterations: 50  Time: 0.02s\n",
    }
    if solver in solved:
        (row,), rules = load(tmp_path, {"p1.log": UNREAD[solver] + solved[solver]})
        assert (row[2], "model_not_read" in rules) == ("solved", False)


def test_the_name_of_a_program_is_that_of_no_problem(tmp_path):
    log = "Running HiGHS 1.7.2 (git hash: 5ce7a2753): Copyright\nPresolving model\n"
    with pytest.raises(UserError, match=r"HiGHS\.log:1: the log does not say which problem was solved, and 'HiGHS', the name of"):
        load(tmp_path, {"HiGHS.log": log})
    (tmp_path / "HiGHS.log").rename(tmp_path / "p1.log")
    assert load(tmp_path, {})[0][0][1:3] == ("p1", "truncated")


#: How logs end whose process died, in the words of a shell, `timeout`, `time` or a cluster.
DIED = {
    "timeout: the monitored command dumped core": "error",
    "Segmentation fault (core dumped)": "error",
    "Aborted": "error",
    "Killed": "error",
    "run.sh: line 12:  4711 Killed                  ./scip -f p1.mps": "error",
    "bash: line 1: 99 Trace/breakpoint trap   (core dumped) scip": "error",
    "Command terminated by signal 11": "error",
    "Command exited with non-zero status 139": "error",
    "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.0.": "memory_limit",
    "slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2023-01-01T00:00:00 ***": "stopped",
    "Terminated": "stopped",
}
SOLVED = BANNER + (
    "read problem </m/{name}.mps>\npresolving:\nSCIP Status        : problem is solved [optimal solution found]\n"
    "Solving Time (sec) : 1.00\nSolving Nodes      : 1\nPrimal Bound       : +3.0e+00 (1 solutions)\n"
    "Dual Bound         : +3.0e+00\nGap                : 0.00 %\n"
)


@pytest.mark.parametrize("words", DIED)
def test_a_process_that_died_is_a_failed_run(tmp_path, words):
    log = SOLVED.format(name="p1")
    rows, _ = load(tmp_path / "one", {"a.log": log[: log.index("SCIP Status")] + words + "\n"})
    assert [row[1:] for row in rows] == [("p1", DIED[words], float("inf"))]
    frame = FRAME.format(name="p0", text=words).partition("\n@04")[0] + "\n"
    rows, _ = load(tmp_path / "two", {"a.log": frame, "b.log": log}, algorithm="S")
    assert rows[0][1:] == ("p0", DIED[words], float("inf"))


def test_a_process_that_crashed_after_its_result_is_a_failed_run(tmp_path):
    rows, rules = load(tmp_path, {"a.log": SOLVED.format(name="p1") + "timeout: the monitored command dumped core\n"})
    assert [row[1:] for row in rows] == [("p1", "error", float("inf"))]
    assert rules["crashed"] == 1


def test_a_process_that_died_before_it_said_a_word_is_asked_about(tmp_path):
    files = {"p1.log": SOLVED.format(name="p1"), "p2.log": "timeout: the monitored command dumped core\n"}
    with pytest.raises(UserError, match=r"p2\.log:1: the log of 1 run does not say which solver ran"):
        load(tmp_path, files)
    rows, _ = load(tmp_path, files, algorithm="SCIP")
    assert rows == [("SCIP", "p1", "solved", 1.0), ("SCIP", "p2", "error", float("inf"))]


#: Logs of solvers that had no licence.
UNLICENSED = {
    "Gurobi": "ERROR 10009: No Gurobi license found (user me, host box, hostid 12345678)\n",
    "Gurobi host": "HostID mismatch (licensed to 1111, hostid is 2222)\n",
    "Gurobi token": "Set parameter TimeLimit to value 60\nError 10030: Single-use license. Another Gurobi process running.\n",
    "Gurobi size": "Gurobi Optimizer version 10.0.3 build v10.0.3rc0 (linux64)\nRead MPS format model from file /m/p1.mps\n"
    "ERROR 10010: Model too large for size-limited Gurobi license; visit www.example.org\n",
    "CPLEX": "CPLEX Error 32201: ILM Error 16: CPLEX: no license found for this product.\nFailed to initialize CPLEX.\n",
    "CPLEX size": "Welcome to IBM(R) ILOG(R) CPLEX(R) Interactive Optimizer 22.1.1.0\nCPLEX> Problem '/m/p1.mps' read.\n"
    "CPLEX> CPLEX Error  1016: Community Edition. Problem size limits exceeded.\n",
    "XPRESS": "FICO Xpress Solver 64bit v9.2.0\n?900 Error: Problem with licence file\n",
    "XPRESS number": "?900 Error: no licence\n",
    "MOSEK": "MOSEK error 1008: License cannot be located.\n",
    "Knitro": "Knitro 12.4.0\nCould not find a valid license for KNITRO\n",
}


@pytest.mark.parametrize("solver", UNLICENSED)
def test_a_solver_without_a_licence_has_failed_and_says_no_version(tmp_path, solver):
    rows, rules = load(tmp_path, {"p1.log": UNLICENSED[solver]})
    assert rows[0][0].split()[0] == solver.split()[0]
    assert rows[0][1:] == ("p1", "error", float("inf"))
    assert rules["no_licence"] == 1


def test_a_run_without_a_licence_is_of_no_version_that_others_state(tmp_path):
    solved = "Gurobi Optimizer version 10.0.3 build v10.0.3rc0 (linux64)\n" + MODEL.format(n=5)
    with pytest.raises(UserError, match=r"p2\.log:1: the log of 1 run states no version of Gurobi, as others do"):
        load(tmp_path, {"p1.log": solved, "p2.log": UNLICENSED["Gurobi"]})


def test_an_academic_licence_is_one(tmp_path):
    log = "Academic license - for non-commercial use only - expires 2024-01-01\n" + MODEL.format(n=5).partition("Explored")[0]
    rows, rules = load(tmp_path, {"p1.log": log})
    assert (rows[0][2], "no_licence" in rules) == ("truncated", False)


def test_files_with_the_same_runs_are_asked_about(tmp_path):
    log = SOLVED.format(name="p1")
    files = {"first/a.log": log, "second/a.log": log.replace("1.00", "2.00")}
    with pytest.raises(
        UserError, match=r"first/a\.log:1 and second/a\.log:1: both have a run of SCIP .* on p1, and no seed"
    ) as error:
        load(tmp_path, files)
    assert "`repetitions: true`" in str(error.value)
    assert [row[3] for row in load(tmp_path, files, repetitions=True)[0]] == [1.0, 2.0]
    seeded = {name: text + f"randomization/randomseedshift = {i}\n" for i, (name, text) in enumerate(files.items())}
    assert len(load(tmp_path, seeded)[0]) == 2


#: What libraries print, which states no version.
SILENT = {
    "COPT": (
        "Reading from 'p1.mps'\nMinimizing a MIP problem\n\nStarting the MIP solver with 4 threads and 8 tasks\n\n"
        "Best solution   : 3089.000000000\nBest bound      : 3089.000000000\nBest gap        : 0.0000%\n"
        "Solve time      : 0.05\nSolve node      : 1\nMIP status      : solved\nSolution status : integer optimal\n",
        "Cardinal Optimizer v7.0.3. Build date Oct 19 2023\n",
    ),
    "MOSEK": (
        "Problem\n  Name                   : p1\n  Objective sense        : max\n\nOptimizer started.\n"
        "Optimizer  - solved problem         : the primal\nOptimizer terminated. Time: 0.05\n\n"
        "Interior-point solution summary\n  Problem status  : PRIMAL_AND_DUAL_FEASIBLE\n  Solution status : OPTIMAL\n"
        "  Primal.  obj: 8.3333333280e+01    nrm: 5e+01\n",
        "MOSEK Version 10.2.1 (Build date: 2024-5-13 13:03:05)\n",
    ),
}


@pytest.mark.parametrize("solver", SILENT)
def test_libraries_that_state_no_version(tmp_path, solver):
    log, banner = SILENT[solver]
    rows, _ = load(tmp_path / "one", {"a.log": log})
    assert rows == [(solver, "p1", "solved", 0.05)]
    rows, _ = load(tmp_path / "cut", {"a.log": log[: log.index("Sol") if solver == "COPT" else log.index("Optimizer term")]})
    assert rows[0][1:] == ("p1", "truncated", float("inf"))
    with pytest.raises(UserError, match=f"b.log:1: the log of 1 run states no version of {solver}"):
        load(tmp_path / "two", {"a.log": banner + log.replace("p1", "p0"), "b.log": log})


def test_glpk_states_its_version_without_its_program_and_its_time_only_with_it(tmp_path):
    log = "GLPK Integer Optimizer, v4.65\n16 rows\nGLPK Simplex Optimizer, v4.65\n3 rows\nOPTIMAL LP SOLUTION FOUND\n"
    whole = log + "Integer optimization begins...\nINTEGER OPTIMAL SOLUTION FOUND\n"
    rows, _ = load(tmp_path, {"p1.log": whole + whole}, unnamed="number")
    assert rows == [("GLPK 4.65", name, "truncated", float("inf")) for name in "12"]


def test_old_versions_of_mosek_print_the_problem_twice(tmp_path):
    log = SILENT["MOSEK"][0]
    head = log[: log.index("Optimizer started.\n")]
    rows, _ = load(tmp_path, {"a.log": log.replace("Optimizer started.\n", "Optimizer started.\n" + head)})
    assert rows == [("MOSEK", "p1", "solved", 0.05)]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("C:\\Users\\Ann Lee\\pulp\\cbc.exe C:\\Users\\ANN~1\\Temp\\a112c594-pulp.mps -solve (default strategy 1)", "run"),
        ("C:\\Users\\Ann Lee\\cbc.exe C:\\Users\\Ann Lee\\m\\p7.mps.gz -solve (default strategy 1)", "p7"),
        ("cbc p7.lp", "p7"),
        ("C:\\Users\\Ann Lee\\cbc.exe -solve (default strategy 1)", "run"),
    ],
)
def test_words_of_a_path_with_blanks_name_no_problem(tmp_path, line, name):
    log = (
        f"Welcome to the CBC MILP Solver \nVersion: 2.10.3 \n\ncommand line - {line}\nProblem MODEL has 1 rows, 2 columns and 2 "
    )
    log += "elements\n"
    assert load(tmp_path, {"run.log": log})[0][0][1] == name


@pytest.mark.parametrize(("sign", "maximise"), [("<=", True), (">=", False)])
def test_glpk_tells_the_direction_by_the_sign_of_its_bound(tmp_path, sign, maximise):
    log = f"GLPSOL: GLPK LP/MIP Solver, v4.65\n+   602: mip =   3.2e+03 {sign}     tree is empty   0.0% (0; 9)\n"
    (tmp_path / "p1.log").write_text(log + "INTEGER OPTIMAL SOLUTION FOUND\nTime used:   0.0 secs\n")
    trials, _, _ = readers.load(tmp_path, format="mip_log")
    assert trials["maximise"].to_pylist() == [maximise]


#: The library of CPLEX before 12.7, which says neither its name nor its version, with the decimal commas of a locale.
CPLEX_12_6 = """Tried aggregator 1 time.
MIP Presolve eliminated 11 rows and 2 columns.
Reduced MIP has 17 rows, 10 columns, and 48 nonzeros.
Presolve time =    0,00 sec.
Tried aggregator 1 time.
Root relaxation solution time =    0,01 sec.

        Nodes                                         Cuts/
   Node  Left     Objective  IInf  Best Integer     Best Node    ItCnt     Gap

      0     0        3,0000    35                      3,0000       50
*     0+    0                            5,0000        4,0000       77   20,00%
*    12     9      integral     0        4,5000        4,5000      104    0,00%

Root node processing (before b&c):
  Real time             =    0,06
                          -------
Total (root+branch&cut) =    0,25 sec.

Solution status = Optimal
"""


def test_runs_of_the_library_of_cplex_before_12_7(tmp_path):
    (trial,) = readers.load(folder(tmp_path, {"p1.log": CPLEX_12_6}))[0].to_pylist()
    named = ("algorithm", "problem", "outcome", "cost", "best_value")
    assert [trial[name] for name in named] == ["CPLEX", "p1", "solved", 0.25, 4.5]
    cut = CPLEX_12_6.partition("\nSolution status")[0]
    rows, _ = load(tmp_path, {"p1.log": CPLEX_12_6 + cut}, unnamed="number")
    assert [row[1:3] for row in rows] == [("1", "solved"), ("2", "truncated")]
    # GAMS solves again for the multipliers, which is of the same run
    gams = (
        cut + "\n--- MIP status (101): integer optimal solution.\n--- Fixing integer variables and solving final LP...\n\n" + cut
    )
    rows, _ = load(tmp_path, {"p1.log": gams})
    assert [row[1:3] for row in rows] == [("p1", "solved")]
