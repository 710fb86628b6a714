"""Logs of MIP solvers: what each solver prints, frames, several runs a file, and logs that end early."""

import itertools
import math
import os
import re
import tarfile
from pathlib import Path

import pytest

from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import Result, folder, one_sentence

REAL = os.environ.get("BENCHMILL_REAL_DATA")
real = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")

SCIP = """SCIP version 5.0.0 [precision: 8 byte] [memory: block] [mode: optimized] [LP solver: SoPlex 3.1.0] [GitHash: 1]
SCIP> set limits time 7200
limits/time = 7200
SCIP> set randomization randomseedshift 3
randomization/randomseedshift = 3
heuristics/rins/freq = -1
read problem </x/y/air04.mps.gz>
presolving:
SCIP Status        : solving was interrupted [time limit reached]
Solving Time (sec) : 7200.01
Solving Nodes      : 60 (total of 61 nodes in 2 runs)
Primal Bound       : +5.61370000000000e+04 (2 solutions)
Dual Bound         : +5.60000000000000e+04
Gap                : 0.24 %
"""
GUROBI = """Set parameter TimeLimit to value 300
Set parameter MIPFocus to value 2
Set parameter Seed to value 7
Set parameter LogFile to value "a.log"

Gurobi Optimizer version 10.0.3 build v10.0.3rc0 (linux64)
Read MPS format model from file /m/k16x240.mps.bz2
Optimize a model with 256 rows, 480 columns and 960 nonzeros
Explored 1234 nodes (56789 simplex iterations) in 12.25 seconds (9.00 work units)
Thread count was 16 (of 16 available processors)

Optimal solution found (tolerance 1.00e-04)
Best objective 1.067400000000e+04, best bound 1.067300000000e+04, gap 0.0094%
"""
CPLEX = """Welcome to IBM(R) ILOG(R) CPLEX(R) Interactive Optimizer 12.8.0.0
CPLEX> New value for time limit in seconds: 7200
Selected objective sense:  MAXIMIZE
Problem 'a/bab5.mps.gz' read.
CPXPARAM_TimeLimit                               7200
CPXPARAM_Threads                                 1
CPXPARAM_RandomSeed                              5

MIP - Time limit exceeded, integer feasible:  Objective =  1.5000000000e+01
Current MIP best bound =  2.0000000000e+01 (gap = 5, 33.33%)
Solution time = 7200.02 sec.  Iterations = 4932561  Nodes = 51737 (12)
Deterministic time = 2124826.69 ticks  (1369.50 ticks/sec)
"""
CBC = """Welcome to the CBC MILP Solver
Version: 2.9.8
command line - cbc -import a/p0033.mps.gz -sec 100 -solve
seconds was changed from 1e+100 to 100
ratioGap was changed from 0 to 0

Result - Optimal solution found

Objective value:                3089.00000000
Enumerated nodes:               12
Total iterations:               345
Time (CPU seconds):             0.20
Time (Wallclock seconds):       0.30

Total time (CPU seconds):       0.25   (Wallclock seconds):       0.35
"""
XPRESS = """FICO Xpress-Optimizer 64-bit v8.4.4
Reading Problem p0033
maxtime=-100
 *** Search completed ***     Time:    12 Nodes:   123
Number of integer feasible solutions found is 5
Best integer solution found is   3089.000000
Best bound is   3089.000000
"""
MIPCL = """/x/bin/mipcl -threads 1 -time 100 a/p0033.mps.gz
Reading data...
NAME           p0033
Start preprocessing: Rows - 16, Cols - 33 (Int - 33, Bin - 33), NZs - 98
===========================================
MIPCL version 1.3.1
Solution time: 0.461
Branch-and-Cut nodes: 13
Objective value: 3089.0000 - optimality proven
"""
HIGHS = """Running HiGHS 1.7.0 (git hash: 50670fd4c): Copyright (c) 2024 HiGHS under MIT licence terms
Set option time_limit to 100
Set option random_seed to 4
MIP  p0033 has 16 rows; 33 cols; 98 nonzeros; 33 integer variables (33 binary)

Solving report
  Status            Infeasible
  Primal bound      inf
  Dual bound        inf
  Gap               inf
  Solution status   -
  Timing            0.01 (total)
                    0.00 (presolve)
  Nodes             1
  LP iterations     12 (total)
                    0 (strong br.)
"""
HIGHS_LP = """Running HiGHS 1.5.3 [date: 2023-05-16, git hash: 594fa5a9d]
LP   afiro has 27 rows; 32 cols; 83 nonzeros
Model   status      : Optimal
Simplex   iterations: 22
Objective value     : -4.6475314286e+02
HiGHS run time      :          0.02
"""
ALL = {
    "scip": SCIP,
    "gurobi": GUROBI,
    "cplex": CPLEX,
    "cbc": CBC,
    "xpress": XPRESS,
    "mipcl": MIPCL,
    "highs": HIGHS,
    "lp": HIGHS_LP,
}


def framed(log, instance="/m/frame1.mps.gz", end=True, limit="60"):
    tail = f"@04 1477436097\n@05 {limit}\n\n=ready=\n" if end else ""
    return f"@01 {instance} ===========\n-----\n@03 1477436050\n{log}{tail}"


@pytest.fixture
def read(tmp_path):
    number = itertools.count()

    def read(content, **options):
        content = {"run.log": content} if isinstance(content, str) else content
        return Result(folder(tmp_path / f"in{next(number)}", content), tmp_path / "out", **options)

    return read


def test_a_run_without_a_node_has_none_of_them(tmp_path):
    """None is a number of nodes; what is not stated is no number."""
    logs = {"a.log": GUROBI.replace("1234 nodes (56789", "0 nodes (0"), "b.log": GUROBI.replace("Explored 1234", "Explored")}
    result = Result(folder(tmp_path / "s", logs), tmp_path / "out", repetitions=True)
    assert sorted(result.column("nodes"), key=str) == [0, None]
    assert sorted(result.column("iterations"), key=str) == [0, None]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (
            SCIP,
            (
                *("air04", "SCIP 5.0.0 (LP=SoPlex 3.1.0, heuristics/rins/freq=-1)", "failed", "time_limit", math.inf, 7200.01),
                *(7200, 56137, 56000, 61, None, 3, False),
            ),
        ),
        (
            GUROBI,
            ("k16x240", "Gurobi 10.0.3 (MIPFocus=2)", "solved", "solved", 12.25, 12.25, 300, 10674, 10673, 1234, 56789, 7, False),
        ),
        (
            CPLEX,
            (
                "bab5",
                "CPLEX 12.8.0.0 (Threads=1)",
                "failed",
                "time_limit",
                math.inf,
                7200.02,
                7200,
                15,
                20,
                51737,
                4932561,
                5,
                True,
            ),
        ),
        (CBC, ("p0033", "CBC 2.9.8 (ratioGap=0)", "solved", "solved", 0.35, 0.35, 100, 3089, None, 12, 345, None, False)),
        (XPRESS, ("p0033", "XPRESS 8.4.4", "solved", "solved", 12, 12, 100, 3089, 3089, 123, None, None, False)),
        (MIPCL, ("p0033", "MIPCL 1.3.1 (threads=1)", "solved", "solved", 0.461, 0.461, 100, 3089, None, 13, None, None, False)),
        (HIGHS, ("p0033", "HiGHS 1.7.0", "solved", "infeasible", 0.01, 0.01, 100, None, None, 1, 12, 4, False)),
        (HIGHS_LP, ("afiro", "HiGHS 1.5.3", "solved", "solved", 0.02, 0.02, None, -464.75314286, None, None, 22, None, False)),
    ],
    ids=list(ALL),
)
def test_what_a_solver_prints(read, log, expected):
    result = read(log)
    assert result.report["format"] == "mip_log"
    names = (
        "problem",
        "algorithm",
        "status",
        "outcome",
        "cost",
        "runtime_s",
        "time_limit_s",
        "best_value",
        "dual_bound",
        "nodes",
    )
    assert tuple(result.trials[0][n] for n in (*names, "iterations", "seed", "maximise")) == expected
    assert result.trials[0]["cost_budget"] == result.trials[0]["time_limit_s"]
    assert not result.counts()


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("Optimal solution found (tolerance 1.00e-04)", "Time limit reached", "time_limit"),
        ("Optimal solution found (tolerance 1.00e-04)", "Model is infeasible", "infeasible"),
        ("Optimal solution found (tolerance 1.00e-04)", "Model is infeasible or unbounded", "unknown"),
        ("Optimal solution found (tolerance 1.00e-04)", "Node limit reached", "limit"),
        ("Optimal solution found (tolerance 1.00e-04)", "Memory limit reached", "memory_limit"),
        ("Optimal solution found (tolerance 1.00e-04)", "Interrupt request received", "stopped"),
        ("Optimal solution found (tolerance 1.00e-04)", "Numeric error", "error"),
        ("Optimal solution found (tolerance 1.00e-04)", "Solve interrupted (error code 10001)", "memory_limit"),
        ("Optimal solution found (tolerance 1.00e-04)", "Solve interrupted (error code 10005)", "error"),
    ],
)
def test_verdicts_of_gurobi(read, old, new, outcome):
    assert read(GUROBI.replace(old, new)).column("outcome") == [outcome]


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("problem is solved [optimal solution found]", "solved"),
        ("problem is solved [infeasible]", "infeasible"),
        ("problem is solved [infeasible or unbounded]", "unknown"),
        ("problem is solved [unbounded]", "unbounded"),
        ("solving was interrupted [node limit reached]", "limit"),
        ("solving was interrupted [memory limit reached]", "memory_limit"),
        ("solving was interrupted [gap limit reached]", "solved"),
        ("solving was interrupted [user interrupt]", "stopped"),
        ("solving was interrupted [solution limit reached]", "limit"),
    ],
)
def test_verdicts_of_scip(read, words, outcome):
    assert read(SCIP.replace("solving was interrupted [time limit reached]", words)).column("outcome") == [outcome]


@pytest.mark.parametrize(
    ("log", "old", "new", "outcome"),
    [
        (CBC, "Optimal solution found", "Stopped on time limit", "time_limit"),
        (CBC, "Optimal solution found", "Problem proven infeasible", "infeasible"),
        (CBC, "Optimal solution found", "Stopped on node limit", "limit"),
        (CPLEX, "Time limit exceeded, integer feasible", "Integer optimal solution", "solved"),
        (CPLEX, "Time limit exceeded, integer feasible:  Objective =  1.5000000000e+01", "Integer infeasible.", "infeasible"),
        (CPLEX, "Time limit exceeded, integer feasible", "Memory limit exceeded, integer feasible", "memory_limit"),
        (XPRESS, "completed", "unfinished", "stopped"),
        (XPRESS, " *** Search completed", "STOPPING - MAXTIME limit reached (time = 12)\n *** Search unfinished", "time_limit"),
        (XPRESS, "Best integer solution found is   3089.000000", "Problem is integer infeasible", "infeasible"),
        (MIPCL, "Objective value: 3089.0000 - optimality proven", "This problem is infeasible", "infeasible"),
        (HIGHS, "Infeasible", "Time limit reached", "time_limit"),
        (HIGHS, "Infeasible", "Unbounded", "unbounded"),
        (HIGHS, "Infeasible", "Optimal", "solved"),
    ],
)
def test_verdicts_of_others(read, log, old, new, outcome):
    assert read(log.replace(old, new)).column("outcome") == [outcome]


def test_frames_name_the_instance_and_the_limit(read):
    text = framed(GUROBI.partition("\n")[2]) + framed(GUROBI, "/m/frame2.lp", end=False) + framed("nothing\n", "/m/frame3.mps")
    result = read(text, algorithm={"unknown solver": "Gurobi 10.0.3 (MIPFocus=2)"})
    rows = [(t["problem"], t["outcome"], t["status"], t["time_limit_s"]) for t in result.trials]
    assert rows == [
        ("frame1", "solved", "solved", 60),
        ("frame2", "truncated", "ill_finalised", 300),
        ("frame3", "error", "failed", 60),
    ]
    assert result.counts() == {"truncated_log": 1, "no_verdict": 1, "not_a_log": 1}
    assert result.first("truncated_log") == ("run.log", text[: text.index("@01 /m/frame2")].count("\n") + 1)


def test_a_frame_states_no_limit_that_its_run_did_not_reach(read):
    log = "Running HiGHS 1.14.0\nSolving MIP model with:\n  Status            Time limit reached\n  Timing            {}\n"
    result = read(framed(log.format(59.9)) + framed(log.format(2), "/m/frame2.lp"))
    assert result.column("outcome") == ["time_limit"] * 2
    assert result.column("time_limit_s") == [60, None]
    assert result.counts() == {"limit_not_stated": 1}


def test_highs_that_goes_on_from_a_basis_has_run_again(read):
    result = "Model   status      : Optimal\nHiGHS run time      : {}\n"
    log = "Running HiGHS 1.2.1\nLP   m has 18 rows; 12 cols; 108 nonzeros\n" + result.format(0.5)
    again = "Solving LP without presolve or with basis\n" + result.format(0.25)
    assert read(log + again, unnamed="file").column("cost") == [0.5, 0.25]


def test_a_frame_without_a_folder_names_the_instance(read):
    assert read(framed(GUROBI.partition("\n")[2], "frame1.mps")).column("problem") == ["frame1"]


@pytest.mark.parametrize("named_by", ["solver", [], ["solver", "solver"], ["colour"]])
def test_what_names_algorithms_is_a_list_of_words_that_are_known(read, named_by):
    with pytest.raises(UserError, match="named_by"):
        read(GUROBI, named_by=named_by)


def test_runs_without_frames_are_told_apart(read):
    result = read(
        {"a.log": GUROBI + GUROBI.replace("Seed to value 7", "Seed to value 8"), "b.log": SCIP + SCIP, "c.log": CBC + CBC}
    )
    rows = [(t["problem"], t["run"], t["seed"]) for t in result.trials]
    assert sorted(rows, key=str) == sorted(
        [("k16x240", 1, 7), ("k16x240", 2, 8), ("air04", 1, 3), ("air04", 2, 3), ("p0033", 1, None), ("p0033", 2, None)], key=str
    )


def test_a_run_that_breaks_off_before_the_next_is_truncated(read):
    cut = GUROBI[: GUROBI.index("Explored")]
    result = read(cut + GUROBI)
    assert result.column("outcome") == ["truncated", "solved"]


def test_names_of_algorithms(read):
    two = {"a.log": GUROBI, "b.log": GUROBI.replace("TimeLimit to value 300", "TimeLimit to value 500")}
    result = read(two)
    assert result.report["algorithms"] == [f"Gurobi 10.0.3 (MIPFocus=2, time limit {limit} s)" for limit in (300, 500)]
    assert result.counts() == {"several_limits": 1}
    assert read(GUROBI, named_by=["solver"]).report["algorithms"] == ["Gurobi"]
    assert read(GUROBI, named_by=["file"]).report["algorithms"] == ["run"]
    assert read(GUROBI, named_by=["solver", "version"]).report["algorithms"] == ["Gurobi 10.0.3"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("day1.highs.log", "day1"),
        ("highs_day1.out", "day1"),
        ("HiGHS-day1.lp.log", "day1"),
        ("day1.lp.highs15.log", "day1"),
        ("day1-highs.txt", "day1"),
        ("highs/day1.log", "day1"),
        ("day1.gurobi.log", "day1.gurobi"),
        ("highsea.log", "highsea"),
    ],
)
def test_the_name_of_its_solver_in_that_of_a_file_is_no_part_of_the_problem(read, name, problem):
    log = HIGHS_LP.replace("LP   afiro has", "LP   has")
    assert read({name: log}).column("problem") == [problem]


def test_a_log_that_names_no_problem(read):
    result = read(GUROBI.replace("Read MPS format model", "No model"))
    assert result.column("problem") == ["run"]
    assert result.counts() == {"name_from_file": 1}


def test_best_known_values_and_other_solvers(read):
    files = {"a.log": framed(GUROBI), "b.log": framed(CBC), "x.solu": "=opt= frame1 3089\n"}
    result = read(files)
    outcomes = dict(zip(result.column("algorithm"), result.column("outcome"), strict=True))
    assert outcomes == {"Gurobi 10.0.3 (MIPFocus=2)": "wrong", "CBC 2.9.8 (ratioGap=0)": "solved"}
    del files["x.solu"]
    assert read(files).counts() == {"solvers_disagree": 1}


def test_other_files_and_encodings(read):
    result = read(
        {"a.log": GUROBI.replace("Thread count", "Gerät").encode("latin-1"), "notes.txt": "hello\n", "b.bin": b"\0\1" * 50}
    )
    assert result.counts() == {"not_a_log": 2}
    assert len(result.trials) == 1
    assert read(GUROBI.replace("\n", "\r\n")).column("cost") == [12.25]


@pytest.mark.parametrize("name", ALL)
def test_no_beginning_of_a_log_is_solved(tmp_path, name):
    log = ALL[name].encode()
    path = tmp_path / "a.log"
    needed = log.index(b"                    0.00 (presolve)") if name == "highs" else len(log)
    if name == "cplex":
        log = log.replace(b"Time limit exceeded, integer feasible", b"Integer optimal solution")
        needed = log.index(b"Deterministic")
    if name == "scip":
        log = log.replace(b"solving was interrupted [time limit reached]", b"problem is solved [optimal solution found]")
        needed = len(log)
    if name == "xpress":
        needed = log.index(b"Best bound")
    for end in [*range(1, needed - 120, 37), *range(max(needed - 120, 1), needed, 3), needed - 1]:
        path.write_bytes(log[:end])
        try:
            report = readers.examine(path, format="mip_log")
        except UserError as error:
            one_sentence(error)
            continue
        assert report["trials"]["solved"] == 0, log[:end]


def test_no_beginning_of_a_frame_is_solved(tmp_path):
    log = framed(CBC).encode()
    path = tmp_path / "a.log"
    for end in range(1, log.index(b"@04 ") + 4, 11):
        path.write_bytes(log[:end])
        try:
            assert readers.examine(path, format="mip_log")["trials"]["solved"] == 0
        except UserError as error:
            one_sentence(error)


@real
def test_real_logs(tmp_path):
    """One run a file; how each ended as found by searching the files for the solvers' own words."""
    archive = Path(REAL) / "mip-logs/mip-logs.tgz"
    result = Result(archive, tmp_path, best_known=str(Path(REAL) / "mip-logs/miplib2010.solu"), repetitions=True)
    words = {
        "time_limit": r"\[time limit reached\]|^Result - Stopped on time limit",
        "memory_limit": r"\[memory limit reached\]",
        "infeasible": r"\[infeasible\]|^Model is infeasible|Integer infeasible|proven infeasible|^This problem is infeasible",
        "solved": r"\[optimal solution|^Optimal solution found|MIP - Integer optimal|^Result - Optimal|optimality proven",
    }
    with tarfile.open(archive) as tar:
        for trial in result.trials:
            text = tar.extractfile(trial["source"].rpartition(":")[0]).read().decode("utf-8", "replace")
            found = [name for name, pattern in words.items() if re.search(pattern, text, re.MULTILINE)]
            assert found == ([trial["outcome"]] if trial["outcome"] != "truncated" else [])
        assert len(result.trials) == len(tar.getnames()) == 42
    assert [t["source"] for t in result.trials if t["status"] == "ill_finalised"] == ["scip400-crashed.out:4"]
    assert result.counts() == {"truncated_log": 1}


@real
def test_real_logs_cut_anywhere(tmp_path):
    with tarfile.open(Path(REAL) / "mip-logs/mip-logs.tgz") as tar:
        for member in tar.getmembers()[::4]:
            data = tar.extractfile(member).read()
            end = data.find(b"@04 ")
            for share in (0.3, 0.7, 0.95, 0.999):
                path = tmp_path / "a.out"
                path.write_bytes(data[: int(share * end)])
                try:
                    assert readers.examine(path, format="mip_log")["trials"]["solved"] == 0
                except UserError as error:
                    one_sentence(error)


@real
def test_real_logs_of_many_runs(tmp_path):
    report = readers.examine(Path(REAL) / "mip-logs/scip-multi-instance-check.tgz")
    assert (report["trials"]["found"], report["trials"]["solved"], len(report["problems"])) == (46, 46, 46)
    assert "contradicts_best_known" not in {i["rule"] for i in report["irregularities"]}
    report = readers.examine(Path(REAL) / "gurobi-logs/k16x240-gurobi-1003.tgz")
    assert (len(report["algorithms"]), report["trials"]["found"], report["trials"]["missing"]) == (18, 180, 0)
    result = Result(Path(REAL) / "gurobi-logs/mixed-model-types.tgz", tmp_path)
    assert len(result.trials) == 25
    assert sum(t["problem"] == "glass4" for t in result.trials) == 13
    datt = next(t for t in result.trials if t["problem"] == "datt256")
    assert (datt["outcome"], datt["runtime_s"], datt["iterations"]) == ("time_limit", 300.0, 75321)


SCIP_MAX = """presolving:
presolved problem has 3 variables (3 bin, 0 int, 0 impl, 0 cont) and 1 constraints
SCIP Status        : problem is solved [optimal solution found]
Solving Time (sec) : 0.50
Solving Nodes      : 9
Primal Bound       : +1.70000000000000e+01 (2 solutions)
Dual Bound         : +1.70000000000000e+01
Gap                : 0.00 %
SCIP Status        : problem is solved [optimal solution found]
Original Problem   :
  Problem name     : m/knap.lp
  Objective        : maximize, 3 non-zeros (abs.min = 1, abs.max = 9)
Presolved Problem  :
  Problem name     : t_m/knap.lp
  Objective        : minimize, 3 non-zeros (abs.min = 1, abs.max = 9)
"""


def test_scip_states_the_direction_of_the_presolved_problem_too(read):
    result = read(SCIP_MAX)
    assert result.column("maximise") == [True]
    assert result.column("problem") == ["knap"]
    assert result.column("algorithm") == ["SCIP"]


def test_runs_of_a_library_that_prints_its_banner_once(read):
    second = SCIP_MAX.replace("m/knap", "m/other").replace("[optimal solution found]", "[infeasible]")
    restarted = SCIP_MAX.replace("SCIP Status", "presolving:\nSCIP Status", 1)
    result = read("SCIP version 9.2.1 [precision: 8 byte] [LP solver: SoPlex 7.1]\n" + restarted + second)
    assert result.column("problem") == ["knap", "other"]
    assert result.column("version") == ["9.2.1", "9.2.1"]
    assert result.column("outcome") == ["solved", "infeasible"]
    solve = "Presolving model\n\nSolving report\n  Status            {}\n  Timing            {}\n  LP iterations     5\n"
    two = "Running HiGHS 1.7.2 (git hash: 1)\n" + solve.format("Optimal", "1.50") + solve.format("Infeasible", "0.10")
    result = read(two, unnamed="number")
    assert result.column("problem") == ["1", "2"]
    assert result.column("outcome") == ["solved", "infeasible"]
    assert result.column("runtime_s") == [1.5, 0.1]
    assert set(result.column("algorithm")) == {"HiGHS 1.7.2"}


@pytest.mark.parametrize("name", ["scip", "cplex"])
def test_a_run_killed_after_its_start_is_not_lost_in_the_next(read, name):
    start = {"scip": "presolving:\n", "cplex": "Tried aggregator 1 time.\n"}[name]
    log = ALL[name]
    end = log.index({"scip": "SCIP Status", "cplex": "\nMIP - "}[name])
    assert sorted(read(log[:end].replace("presolving:\n", "") + start + log).column("outcome")) == ["time_limit", "truncated"]


def test_scip_stopped_in_presolving_has_no_dual_bound(read):
    log = SCIP[: SCIP.index("Primal Bound")].replace("time limit", "memory limit")
    log += "Primal Bound       : +1.00000000000000e+20 (0 solutions)\n"
    assert read(log + "\nSCIP> quit\n").column("outcome") == ["memory_limit"]
    assert read(log).column("outcome") == ["truncated"]
    assert read(log + "Dual Bo").column("outcome") == ["truncated"]


XPRESS_LP = """FICO Xpress Solver 64bit v9.2.0 Oct 1 2023
Reading Problem m1
FICO Xpress v9.2.0, Hyper, solve started 10:00:00, Nov 1, 2023
Minimizing LP m1
Presolve finished in 0 seconds
"""
XPRESS_DONE = """Optimal solution found
Dual solved problem
  12 simplex iterations in 0.25 seconds at time 0

Final objective                       : 9.000000000000000e+00
"""


@pytest.mark.parametrize(
    ("rest", "outcome", "cost"),
    [
        (XPRESS_DONE, "solved", 0.25),
        ("The problem is infeasible due to row c1\n", "infeasible", 0),
        ("The problem is unbounded due to column y\n", "unbounded", 0),
        ("Maximum number of iterations reached\n", "limit", math.inf),
        ("STOPPING - MAXTIME limit reached (TIMELIMIT=2.00  time=2.00).\n", "time_limit", math.inf),
        (XPRESS_DONE[: XPRESS_DONE.index("Final")], "truncated", math.inf),
    ],
)
def test_xpress_without_integers(read, rest, outcome, cost):
    result = read(XPRESS_LP + rest)
    assert result.column("outcome") == [outcome]
    assert result.column("cost") == [cost]


def test_xpress_names_each_run_of_a_process_before_it_starts(read):
    second = (XPRESS_LP + XPRESS_DONE).partition("\n")[2].replace("m1", "m2").replace(" 12 simplex", " 13 simplex")
    result = read(XPRESS_LP + XPRESS_DONE + second)
    assert result.column("problem") == ["m1", "m2"]
    assert result.column("iterations") == [12, 13]
    assert result.column("version") == ["9.2.0", "9.2.0"]


CBC_HEAD = """Welcome to the CBC MILP Solver
Version: 2.10.3
command line - /bin/cbc m/p1.lp -solve (default strategy 1)
"""
CBC_TAIL = "Total time (CPU seconds):       0.00   (Wallclock seconds):       0.25\n"


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("Problem is infeasible - 0.00 seconds\n", "infeasible"),
        ("Problem is unbounded - 0.00 seconds\n", "unbounded"),
        ("Pre-processing says infeasible or unbounded\n", "unknown"),
        ("Continuous objective value is 3 - 0.00 seconds\nPre-processing says infeasible or unbounded\n", "infeasible"),
        ("Result - Problem proven infeasible\n", "infeasible"),
        (
            "Cbc0012I Integer solution of 2 found by x after 1 iterations and 0 nodes (0.1 seconds)\n"
            "Result - Problem proven infeasible\n",
            "wrong",
        ),
    ],
)
def test_cbc_without_a_search(read, says, outcome):
    result = read(CBC_HEAD + says + CBC_TAIL)
    assert result.column("outcome") == [outcome]
    assert result.column("problem") == ["p1"]
    assert result.counts().get("contradicts_itself", 0) == (outcome == "wrong")


def test_names_that_modelling_languages_make_up_are_none(read):
    log = CBC_HEAD.replace("m/p1.lp", "/tmp/91aa-pulp.mps") + "Problem MODEL has 1 rows, 2 columns and 2 elements\n"
    assert read(log + CBC_TAIL).column("problem") == ["run"]
    log = "Running HiGHS 1.5.3\nMIP  91aa-pulp has 114 rows; 113 cols; 644 nonzeros\n"
    assert read(log + "Model   status      : Optimal\nHiGHS run time      : 1.5\n").column("problem") == ["run"]
    for log, name in ((CPLEX, "a/bab5.mps.gz"), (GUROBI, "/m/k16x240.mps.bz2")):
        for made_up in ("/tmp/tmpq1w2e3r4.pyomo.lp", "/var/folders/x/tmpq1w2e3r4.pyomo.lp", "/tmp/tmpq1w2e3r4.lp"):
            result = read(log.replace(name, made_up))
            assert result.column("problem") == ["run"]
            assert result.counts() == {"name_from_file": 1}


def test_a_banner_after_other_words_in_its_line(read):
    assert read(GUROBI.replace("Gurobi Optimizer", "Running solver... Gurobi Optimizer")).column("cost") == [12.25]
    pdhg = "PDHG solved model in 4303 iterations and 0.18 seconds (0.43 work units)\nOptimal objective 1.52071064e+02\n"
    head = "Gurobi Optimizer version 13.0.0 build v13.0.0rc1 (linux64)\nOptimize a model with 80 rows, 9 columns and 9 nonzeros\n"
    result = read(head + pdhg)
    assert (result.column("cost"), result.column("best_value"), result.column("iterations")) == ([0.18], [152.071064], [4303])


def test_gurobi_with_a_cutoff_or_a_search_for_conflicts(read):
    log = GUROBI.replace("Optimal solution found (tolerance 1.00e-04)", "Model is infeasible")
    assert read(log).column("outcome") == ["infeasible"]
    assert read("Set parameter Cutoff to value 5\n" + log).column("outcome") == ["limit"]
    conflicts = (
        "Gurobi Optimizer version 10.0.3 build v10.0.3rc0 (linux64)\n\nComputing Irreducible Inconsistent Subsystem (IIS)...\n"
    )
    assert read(log + conflicts + "IIS runtime: 0.00 seconds\n" + GUROBI).column("outcome") == ["infeasible", "solved"]
    limit = GUROBI.replace("Optimal solution found (tolerance 1.00e-04)", "Optimization achieved user objective limit")
    assert read(limit).column("outcome") == ["limit"]


def test_lists_of_minlplib(read):
    solu = "=best= frame1 3089\n=bestdual= frame1 3000\n=bestdual= other 1\n"
    assert not read({"a.log": framed(CBC), "minlplib.solu": solu}).counts()


def test_settings_of_xpress_with_and_without_blanks(read):
    for stated in ("THREADS=4\n", "THREADS = 4\n"):
        result = read(XPRESS.replace("maxtime", stated + "maxtime"))
        assert result.column("algorithm") == ["XPRESS 8.4.4 (THREADS=4)"]


def test_cplex_states_the_direction_of_a_displayed_problem(read):
    log = CPLEX.replace("Selected objective sense:  MAXIMIZE", "Objective sense      : Maximize").replace(
        "2.0000000000e+01", "1.5e+01"
    )
    assert read(log).column("maximise") == [True]
    assert read(log.replace("Maximize", "Minimize")).column("maximise") == [False]


def test_logs_that_are_there_twice_are_noted(tmp_path):
    source = folder(tmp_path / "s", {"a.log": framed(SCIP), "b.log": framed(SCIP), "c.log": framed(SCIP, "/m/frame2.mps.gz")})
    result = Result(source, tmp_path / "out", repetitions=True)
    assert (len(result.trials), result.counts()["same_content"]) == (3, 1)
    assert result.first("same_content") == ("b.log", None)


#: What a run prints that shows nothing of itself and then its statistics.
QUIET = """objective value:                     3.0006
x                                         1 \t(obj:0)
SCIP Status        : problem is solved [optimal solution found]
Total Time         :       5.33
  solving          :       5.32
  presolving       :       0.09 (included in solving)
Original Problem   :
  Problem name     : ../instances/p9.lp
  Objective sense  : maximize
Presolved Problem  :
  Problem name     : t_../instances/p9.lp
  Objective sense  : minimize
B&B Tree           :
  number of runs   :          2
  nodes            :         60
  nodes (total)    :         77
Root Node          :
  Final Dual Bound : +4.00000000000000e+00
Solution           :
  First Solution   : +1.00000000000000e+00   (in run 1, after 0 nodes, 0.05 seconds, depth 0, found by <trivial>)
  Primal Bound     : +3.00060000000000e+00   (in run 1, after 1044 nodes, 2.39 seconds, depth 44, found by <relaxation>)
  Dual Bound       : +3.00070000000000e+00
  Gap              :       0.00 %
"""


def test_statistics_of_scip_say_what_its_summary_does(tmp_path):
    limit = QUIET.replace("problem is solved [optimal solution found]", "solving was interrupted [time limit reached]")
    cut = QUIET[: QUIET.index("  Dual Bound ")]
    result = Result(folder(tmp_path / "logs", {"a.out": QUIET, "b.out": limit, "c.out": cut}), tmp_path / "out", repetitions=True)
    assert result.report["format"] == "mip_log"
    assert result.column("problem") == ["p9"] * 3
    assert result.column("outcome") == ["solved", "time_limit", "truncated"]
    assert result.column("cost") == [5.32, math.inf, math.inf]
    assert result.column("best_value") == [3.0006] * 3
    assert result.column("dual_bound") == [3.0007, 3.0007, None]
    assert result.column("nodes") == [77] * 3
    assert result.column("maximise") == [True] * 3
