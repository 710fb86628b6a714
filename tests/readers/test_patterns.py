"""Logs of solvers that are read by expressions alone: what each says, and that nothing cut short is solved."""

import json
import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers import solver_logs
from benchmill.readers.interface import listed
from benchmill.readers.solver_logs import dialect_of
from tests.readers import test_mip_log
from tests.readers.making import Result

DIALECTS = tomllib.loads(Path(solver_logs.__file__).with_suffix(".toml").read_text("utf-8"))
IPOPT = """
******************************************************************************
This program contains Ipopt, a library for large-scale nonlinear optimization.
******************************************************************************

This is Ipopt version 3.14.11, running with linear solver MUMPS 5.5.1.

Number of Iterations....: 8

                                   (scaled)                 (unscaled)
Objective...............:   1.5000000000000000e+00    3.0000000000000000e+00
Overall NLP error.......:   2.0000000000000000e-09    2.0000000000000000e-09

Number of objective function evaluations             = 9
Total seconds in IPOPT                               = 0.125

EXIT: Optimal Solution Found.
"""
IPOPT_OLD = IPOPT.replace("3.14.11", "3.12.13").replace(
    "Total seconds in IPOPT                               = 0.125",
    "Total CPU secs in IPOPT (w/o function evaluations)   =      0.100\n"
    "Total CPU secs in NLP function evaluations           =      0.025",
)
KNITRO = """
=======================================
          Commercial License
         Artelys Knitro 12.4.0
=======================================

maxtime_real:            60
Objective goal:  Maximize

EXIT: Locally optimal solution found.

Final Statistics
----------------
Final objective value               =   3.00000000000000e+00
# of iterations                     =          8
# of function evaluations           =         40
Total program time (secs)           =       0.12500 (     0.343 CPU time)
Time spent in evaluations (secs)    =       0.05838

"""
BARON = """===========================================================================
 BARON version 23.6.22. Built: LNX-64 Thu Jun 22 11:01:04 EDT 2023
===========================================================================
  Iteration       Time (s)     Mem   Lower bound     Upper bound   Progress
          1           0.10    10MB       1.00000         3.00000      0.00%

                         *** Normal completion ***

 Wall clock time:                     0.125
 Total CPU time used:                 0.10

 Total no. of BaR iterations:       8
 Best solution found at node:       4
"""
BARON_OLD = """===========================================================================
 Welcome to BARON v. 9.3.1 (Built: LNX-64 Thu Aug 11 16:00:30 EDT 2011)
===========================================================================
  Iteration     Open Nodes     Total Time    Lower Bound      Upper Bound
          1             1       000:00:01      1.00000         3.00000

                         *** Normal Completion ***

 LP subsolver time :            000:00:00,    in seconds:         0.09
 Total time elapsed :           000:00:02,    in seconds:         0.125
   on parsing :                 000:00:00,    in seconds:         0.01

 Total no. of BaR iterations:       8
"""
COUENNE = """Couenne 0.5 -- an Open-Source solver for Mixed Integer Nonlinear Optimization
Constraints:            2
Clp0000I Optimal - objective value 2.5
Cbc0001I Search completed - best objective 3, took 8 iterations and 2 nodes (0.12 seconds)

couenne: Optimal

     "Finished"

Linearization cuts added in total:              3  (separation time: 0s)
Total solve time:                           0.125s (0.1s in branch-and-bound)
Lower bound:                                     3
Upper bound:                                     3  (gap: 0.00%)
Branch-and-bound nodes:                         12
"""
BONMIN = """Bonmin 1.8.9 using Cbc 2.10.8 and Ipopt 3.14.11
bonmin:
Cbc0012I Integer solution of 3 found by DiveMIPFractional after 4 iterations and 0 nodes (0.10 seconds)
Cbc0001I Search completed - best objective 3.0, took 8 iterations and 12 nodes (0.125 seconds)
Cbc0035I Maximum depth 2, 0 variables fixed on reduced cost

 \t"Finished"
bonmin: Optimal
"""
#: A problem without integers, whose answer Pyomo or JuMP reads.
BONMIN_NLP = """Bonmin 1.8.9 using Cbc 2.10.8 and Ipopt 3.14.11
bonmin:
Cbc3007W No integer variables - nothing to do

NLP0012I
              Num      Status      Obj             It       time                 Location
NLP0014I             1         OPT 3        8 0.125
Cbc3007W No integer variables - nothing to do

 \t"Finished"
"""
GLPK = """GLPSOL: GLPK LP/MIP Solver, v4.65
Parameter(s) specified in the command line:
 --lp models/knapsack.lp --tmlim 60
Reading problem data from 'models/knapsack.lp'...
GLPK Integer Optimizer, v4.65
*     8: obj =   2.500000000e+00 inf =   0.000e+00 (0)
OPTIMAL LP SOLUTION FOUND
Integer optimization begins...
+     8: mip =     not found yet >=              -inf        (1; 0)
+    12: >>>>>   3.000000000e+00 >=   3.000000000e+00   0.0% (1; 0)
+    12: mip =   3.000000000e+00 >=     tree is empty   0.0% (0; 1)
INTEGER OPTIMAL SOLUTION FOUND
Time used:   0.125 secs
Memory used: 0.2 Mb (194356 bytes)
"""
#: What it prints now and then while it searches.
GLPK_GOES_ON = "Time used: 60.1 secs.  Memory used: 293.6 Mb.\n+    13: mip =     not found yet >=   1.0e+00        (3; 0)\n"
CLP = """Coin LP version 1.17.6, build Apr 16 2021
command line - clp afiro.mps -seconds 60 -solve
Problem AFIRO has 27 rows, 32 columns and 83 elements
Clp0000I Optimal - objective value 3
Optimal objective 3 - 8 iterations time 0.125
"""
LP_SOLVE = """Set parameter lp_solve
set_XXXX: Invalid parameter
lp_solve optimization 5.5.2.5
       ... 0.124 seconds in simplex solver, in total 0.125 seconds.

Value of objective function: 3.00000000
"""
LP_SOLVE_LONG = """Constraints: 3

Model name:  'tiny' - run #1
Objective:   Minimize(r_0)

SUBMITTED
Improved solution      3.5 after       8 iter,        3 nodes (gap 1.3%)

Optimal solution                   3 after          9 iter,         4 nodes (gap 0.0%).

 MEMO: lp_solve version 5.5.2.5 for 64 bit OS, with 64 bit REAL variables.
      Time to load data was 0.006 seconds, presolve used 0.003 seconds,
       ... 0.119 seconds in simplex solver, in total 0.125 seconds.

Value of objective function: 3.00000000
"""
MINIZINC = """{"type": "statistics", "statistics": {"solveTime": 0.12}}
{"type": "solution", "output": {"json": {"x": 1, "_objective": 3}}, "sections": ["json"], "time": 100}
{"type": "status", "status": "OPTIMAL_SOLUTION", "time": 125}
"""
#: What GAMS prints of a problem that CPLEX solves, and solves again with its integers fixed.
CPLEX_IN_GAMS = """--- Job m1.gms Start 01/10/24 10:00:00 46.1.0 LEX-LEG x86 64bit/Linux
--- Executing CPLEX (Solvelink=2): elapsed 0:00:00.019

Version identifier: 12.7.0.0 | 2022-11-28 | 9160aff4d
CPXPARAM_TimeLimit                               60
Tried aggregator 1 time.
Reduced MIP has 2 rows, 2 columns, and 4 nonzeros.
Found incumbent of value 3.000000 after 0.10 sec. (0.10 ticks)
Total (root+branch&cut) =    0.125 sec. (0.10 ticks)

--- MIP status (101): integer optimal solution.
--- Cplex Time: 0.12sec (det. 0.10 ticks)

--- Fixing integer variables and solving final LP...

Version identifier: 12.7.0.0 | 2022-11-28 | 9160aff4d
CPXPARAM_TimeLimit                               59.875
Tried aggregator 1 time.
Presolve time = 0.00 sec. (0.01 ticks)

--- Fixed MIP status (1): optimal.
--- Cplex Time: 0.00sec (det. 0.01 ticks)

Proven optimal solution
MIP Solution:            3.000000    (8 iterations, 0 nodes)
"""
CPLEX = """
Log started (V12.7.0.0) Tue Jan 10 10:00:00 2017

Problem 'models/knapsack.lp' read.
Read time = 0.00 sec. (0.00 ticks)
Tried aggregator 1 time.

MIP - Integer optimal solution:  Objective =  3.0000000000e+00
Solution time =    0.125 sec.  Iterations = 8  Nodes = 12
Deterministic time = 0.10 ticks  (1.00 ticks/sec)
"""
#: Name of the solver and its log.
ALL = {
    "Ipopt 3.14.11": IPOPT,
    "Ipopt 3.12.13": IPOPT_OLD,
    "Knitro 12.4.0": KNITRO,
    "BARON 23.6.22": BARON,
    "BARON 9.3.1": BARON_OLD,
    "Couenne 0.5": COUENNE,
    "Bonmin 1.8.9": BONMIN,
    "Bonmin 1.8.9 without integers": BONMIN_NLP,
    "GLPK 4.65": GLPK,
    "CLP 1.17.6": CLP,
    "lp_solve 5.5.2.5": LP_SOLVE,
    "CPLEX 12.7.0.0": CPLEX,
}


@pytest.fixture
def read(tmp_path):
    def read(log, name="m1.log", **options):
        (tmp_path / name).write_text(log)
        return Result(tmp_path / name, tmp_path / "out", **options)

    return read


@pytest.mark.parametrize("name", ALL)
def test_what_a_solver_prints(read, name):
    result = read(ALL[name])
    assert result.report["format"] == "mip_log"
    (trial,) = result.trials
    solver = " ".join(name.split()[:2])
    assert (trial["algorithm"], trial["outcome"], trial["runtime_s"]) == (solver, "solved", pytest.approx(0.125))
    assert trial["best_value"] == (None if "BARON" in name else 3)
    assert trial["problem"] == {"GLPK 4.65": "knapsack", "CPLEX 12.7.0.0": "knapsack", "CLP 1.17.6": "AFIRO"}.get(name, "m1")
    assert trial["proven"] == (name.split()[0] not in ("Ipopt", "Knitro", "Bonmin"))
    assert trial["maximise"] == ("Knitro" in name)
    assert trial["time_limit_s"] == (60 if name.split()[0] in ("Knitro", "GLPK", "CLP") else None)


@pytest.mark.parametrize(
    ("log", "old", "new", "outcome"),
    [
        (IPOPT, "Optimal Solution Found", "Maximum CPU time exceeded", "time_limit"),
        (IPOPT, "Optimal Solution Found", "Maximum wallclock time exceeded", "time_limit"),
        (IPOPT, "Optimal Solution Found", "Maximum Number of Iterations Exceeded", "limit"),
        (IPOPT, "Optimal Solution Found", "Solved To Acceptable Level", "limit"),
        (IPOPT, "Optimal Solution Found", "Restoration Failed!", "error"),
        (IPOPT, "Optimal Solution Found", "Converged to a point of local infeasibility. Problem may be infeasible", "unknown"),
        (KNITRO, "Locally optimal solution found", "Time limit reached", "time_limit"),
        (KNITRO, "Locally optimal solution found", "Convergence to an infeasible point", "unknown"),
        (BARON, "Normal completion", "Max. allowable time exceeded", "time_limit"),
        (BARON, "Normal completion", "Problem is infeasible", "infeasible"),
        (BARON, "Normal completion", "Max. allowable nodes in memory reached", "limit"),
        (COUENNE, "couenne: Optimal", "couenne: Optimization interrupted on limit.", "time_limit"),
        (COUENNE, "couenne: Optimal", "couenne: Infeasible", "infeasible"),
        (COUENNE, "couenne: Optimal", "", "solved"),
        (
            COUENNE.replace("couenne: Optimal", ""),
            "Upper bound:                                     3",
            "Upper bound: inf",
            "unknown",
        ),
        (COUENNE.replace("couenne: Optimal", ""), "Finished", "Not finished", "time_limit"),
        (BONMIN, "bonmin: Optimal", "bonmin: Infeasible", "infeasible"),
        (BONMIN, "bonmin: Optimal\n", "", "solved"),
        (BONMIN.replace("bonmin: Optimal", ""), "Finished", "Not finished", "limit"),
        (BONMIN.replace("bonmin: Optimal", ""), "best objective 3.0", "best objective 1e+50", "infeasible"),
        (BONMIN_NLP, "1         OPT", "1      FAILED", "unknown"),
        (BONMIN_NLP, "Finished", "Aborted", "error"),
        (GLPK, "INTEGER OPTIMAL SOLUTION FOUND", "TIME LIMIT EXCEEDED; SEARCH TERMINATED", "time_limit"),
        (GLPK, "INTEGER OPTIMAL SOLUTION FOUND", "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION", "infeasible"),
        (GLPK, "INTEGER OPTIMAL SOLUTION FOUND", "RELATIVE MIP GAP TOLERANCE REACHED; SEARCH TERMINATED", "solved"),
        (GLPK, "INTEGER OPTIMAL SOLUTION FOUND", "SEARCH TERMINATED BY APPLICATION", "stopped"),
        (GLPK, GLPK[GLPK.index("INTEGER OPTIMAL") :], GLPK_GOES_ON, "truncated"),
        (KNITRO, "Knitro 12.4.0", "KNITRO 10.2.0", "solved"),
        (CLP, "Optimal objective", "PrimalInfeasible objective", "infeasible"),
        (CLP, "Optimal objective", "Stopped objective", "limit"),
        (CLP, "Optimal objective 3 - 8 iterations time 0.125", "Stopped objective 3 - 8 iterations time 60.01", "time_limit"),
        (LP_SOLVE, "\nValue of", "Suboptimal solution\n\nValue of", "limit"),
        (LP_SOLVE, "Value of objective function: 3.00000000", "This problem is infeasible", "infeasible"),
        (
            LP_SOLVE_LONG,
            "\nOptimal solution",
            "lp_solve optimization was stopped due to time-out.\nSuboptimal solution",
            "time_limit",
        ),
    ],
)
def test_verdicts(read, log, old, new, outcome):
    assert old in log
    assert read(log.replace(old, new)).column("outcome") == [outcome]


#: The line of each log before which no solver says both how the run ended and what it took.
ENDS = {
    **dict.fromkeys(("Ipopt 3.14.11", "Ipopt 3.12.13"), "EXIT:"),
    **{
        "Knitro 12.4.0": "Total program",
        "BARON 23.6.22": "Wall clock",
        "BARON 9.3.1": "Total time el",
        "Couenne 0.5": "Total solve",
        "GLPK 4.65": "Time used",
    },
    **dict.fromkeys(("Bonmin 1.8.9", "Bonmin 1.8.9 without integers"), ' \t"Finished"'),
    **{"CLP 1.17.6": "Optimal objective 3 -", "lp_solve 5.5.2.5": "Value of"},
    "CPLEX 12.7.0.0": "Solution time",
}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ((), "cover.mod"),
        (("cover.mod",), "cover.mod"),
        (("a.dat",), "cover.mod a.dat"),
        (("c.dat", "b.dat"), "cover.mod c.dat b.dat"),
    ],
)
def test_a_model_with_data_in_other_files_is_called_after_all(read, data, problem):
    read_from = ["model section from models/cover.mod", *(f"data section from data/{name}" for name in data)]
    begin = "".join(f"Reading {part}...\n34 lines were read\n" for part in read_from)
    log = GLPK.replace("Reading problem data from 'models/knapsack.lp'...\n", begin)
    assert read(log).column("problem") == [problem]


@pytest.mark.parametrize(("name", "pattern"), [(name, p) for name, said in DIALECTS.items() for p in listed(said["known"])])
def test_a_dialect_is_searched_for_by_the_beginning_of_a_line_or_by_a_letter(name, pattern):
    slow = re.search(r"[\^|:]\.\*", pattern) or not re.match(r"[\^A-Za-z]", pattern)
    assert not slow, f"{name}: it takes seconds to search 30 MB"


@pytest.mark.parametrize("name", ALL)
def test_no_beginning_of_a_log_is_solved(tmp_path, name):
    before = ALL[name][: ALL[name].index(ENDS[name])].splitlines(keepends=True)
    for end in range(1, len(before) + 1):
        text = "".join(before[:end])
        (tmp_path / "m1.log").write_text(text)
        if dialect_of(text):
            with suppress(UserError):  # a session without a model is no run
                assert "solved" not in readers.load(tmp_path / "m1.log")[0]["outcome"].to_pylist()


def test_lp_solve_names_its_models_and_its_version_at_the_end_of_each_run(read):
    result = read(LP_SOLVE_LONG + LP_SOLVE_LONG.replace("tiny", "small"))
    rows = [(trial["algorithm"], trial["problem"], trial["outcome"], trial["best_value"]) for trial in result.trials]
    assert rows == [("lp_solve 5.5.2.5", name, "solved", 3) for name in ("small", "tiny")]


def test_a_session_of_cplex_without_a_model_is_not_lost_in_the_next(read):
    refused = (
        "\nLog started (V12.7.0.0) Tue Jan 10 09:00:00 2017\n\nCPLEX Error  1434: Line 4: Couldn't convert '0+1' to a number.\n"
    )
    with pytest.raises(UserError, match=r"m1\.log:12: 1 run of this file is of models without a name"):
        read(CPLEX + refused + CPLEX)
    result = read(CPLEX + refused + CPLEX, unnamed="file and number")
    assert [(t["problem"], t["outcome"]) for t in result.trials] == [("knapsack", "solved")] * 2 + [("m1 2", "error")]
    empty = refused.partition("CPLEX Error")[0]
    assert read(CPLEX + empty + CPLEX).counts() == {"no_model": 1, "repeated_run": 1}


def test_cplex_took_at_least_as_long_as_its_search(read):
    log = CPLEX.replace("0.125 sec", "0.00 sec")
    assert read(log).column("runtime_s") == [0]
    total = "Total (root+branch&cut) =    2.01 sec. (390.60 ticks)\n\nMIP - "
    assert read(log.replace("MIP - ", total)).column("runtime_s") == [2.01]


def test_a_file_that_clp_could_not_open_or_understand_is_a_failed_run(read):
    begin = CLP[: CLP.index("Problem AFIRO")]
    (trial,) = read(f"{begin}Unable to open file models/afiro.mps\n** Current model not valid\n").trials
    assert (trial["problem"], trial["outcome"], trial["status"]) == ("afiro", "error", "failed")
    read_badly = f"{begin}Problem AFIRO has 27 rows, 32 columns and 83 elements\nThere were 4 errors on input\n"
    assert [(t["problem"], t["outcome"]) for t in read(read_badly).trials] == [("AFIRO", "error")]


def test_cplex_in_gams_is_one_run(read):
    (trial,) = read(CPLEX_IN_GAMS).trials
    assert (trial["algorithm"], trial["outcome"], trial["runtime_s"]) == ("CPLEX 12.7.0.0", "solved", 0.125)
    assert (trial["problem"], trial["best_value"], trial["time_limit_s"]) == ("m1", 3, 60)
    late = CPLEX_IN_GAMS.replace("(101): integer optimal solution.", "(107): time limit exceeded.")
    assert read(late).column("outcome") == ["time_limit"]
    linear = CPLEX_IN_GAMS[: CPLEX_IN_GAMS.index("Found incumbent")]
    linear += "--- LP status (1): optimal.\n--- Cplex Time: 0.125sec (det. 0.01 ticks)\n"
    (trial,) = read(linear).trials
    assert (trial["outcome"], trial["runtime_s"]) == ("solved", 0.125)


def flat(method):
    return {"flatTime": 0.1, "method": method}, {"nSolutions": 1}


def stream(method, *between):
    """Return MiniZinc's `--json-stream` of a run with statistics."""
    first, last = ({"type": "statistics", "statistics": found} for found in flat(method))
    solved = {"type": "statistics", "statistics": {"initTime": 0.005, "solveTime": 0.02, "nodes": 12}}
    return "".join(json.dumps(line) + "\n" for line in (first, *between, solved, last))


def text(method, *between):
    """Return MiniZinc's own text of the same run."""
    stats = f'%%%mzn-stat: flatTime=0.1\n%%%mzn-stat: method="{method}"\n%%%mzn-stat-end\n'
    end = "%%%mzn-stat: initTime=0.005\n%%%mzn-stat: solveTime=0.02\n%%%mzn-stat: nodes=12\n%%%mzn-stat-end\n"
    return stats + "".join(f"{line}\n" for line in between) + end + "%%%mzn-stat: nSolutions=1\n%%%mzn-stat-end\n"


SOLUTION = {"type": "solution", "output": {"dzn": "x = 1;\n"}, "sections": ["dzn"]}
#: Logs of one run, without the times of `--output-time`, and its outcome.
MINIZINC_RUNS = [
    (stream("maximize", SOLUTION, {"type": "status", "status": "OPTIMAL_SOLUTION"}), "solved"),
    (stream("maximize", SOLUTION), "limit"),
    # the time of a solution is not that of the run
    (stream("maximize", SOLUTION | {"time": 90}), "limit"),
    (stream("satisfy", SOLUTION), "solved"),
    (stream("satisfy", {"type": "status", "status": "UNSATISFIABLE"}), "infeasible"),
    (text("maximize", "x = 1;", "----------", "=========="), "solved"),
    (text("maximize", "x = 1;", "----------"), "limit"),
    (text("maximize", "x = 1;", "----------", "% Time limit exceeded!"), "time_limit"),
    (text("satisfy", "x = 1;", "----------"), "solved"),
    (text("satisfy", "=====UNSATISFIABLE====="), "infeasible"),
    (text("satisfy", "=====UNKNOWN====="), "unknown"),
]


def test_minizinc_does_not_say_which_solver_ran(read):
    with pytest.raises(UserError, match="does not say which solver ran"):
        read(MINIZINC)
    (trial,) = read(MINIZINC, algorithm={"unknown solver": "Gecode"}).trials
    assert (trial["algorithm"], trial["outcome"], trial["runtime_s"], trial["best_value"]) == ("Gecode", "solved", 0.125, 3)


@pytest.mark.parametrize(("log", "outcome"), MINIZINC_RUNS)
def test_minizinc_with_statistics(read, log, outcome):
    (trial,) = read(log, algorithm="Gecode").trials
    assert (trial["outcome"], trial["nodes"], trial["runtime_s"]) == (outcome, 12, pytest.approx(0.125))


def test_minizinc_may_begin_with_the_statistics_of_its_compiler(read):
    """No line of the first run is taken for the beginning of another one, and the method says the direction."""
    log = (
        '{"type": "statistics", "statistics": {"method": "maximize", "flatTime": 0.125}}\n'
        '{"type": "solution", "output": {"json": {"x": 2, "_objective": 22}}, "sections": ["json"]}\n'
        '{"type": "status", "status": "OPTIMAL_SOLUTION"}\n'
        '{"type": "statistics", "statistics": {"nSolutions": 1}}\n'
        '{"type": "statistics", "statistics": {"objective": 22, "failures": 0, "solveTime": 0.125}}\n'
    )
    result = read(log, algorithm="Gecode")
    (trial,) = result.trials
    assert (trial["outcome"], trial["runtime_s"], trial["best_value"], trial["maximise"]) == ("solved", 0.25, 22, True)
    assert "not_a_log" not in result.counts()


@pytest.mark.parametrize("begin", [0, 5])
def test_runs_of_minizinc_in_one_file(read, begin):
    logs = [log for log, _ in MINIZINC_RUNS[begin : begin + 4]]
    found = read("".join(logs), algorithm="Gecode", unnamed="number")
    assert found.column("outcome") == [outcome for _, outcome in MINIZINC_RUNS[begin : begin + 4]]


def test_a_log_called_like_a_program_has_its_models_fingerprint(read, tmp_path):
    log = """Gurobi Optimizer version 11.0.0 build v11.0.0rc2 (linux64)

Optimize a model with 3 rows, 4 columns and 5 nonzeros
Model fingerprint: 0x1234abcd
Solved in 1 iterations and 0.01 seconds (0.00 work units)
Optimal objective  3.000000000e+00
"""
    assert read(log, "gurobi.log").column("problem") == ["model 0x1234abcd (3 rows, 4 columns, 5 nonzeros)"]
    with pytest.raises(UserError, match="is that of none"):
        read(IPOPT, "ipopt.log")


def test_what_minizinc_passes_on_is_no_log_of_its_own(read):
    stream = """{"type": "comment", "comment": "Gurobi Optimizer version 11.0.1 build v11.0.1rc0 (linux64)"}
{"type": "solution", "output": {"default": "x=3"}, "objective": 3, "time": 120}
{"type": "statistics", "statistics": {"objective": 3, "nodes": 12, "solveTime": 0.11, "method": "minimize"}}
{"type": "status", "status": "OPTIMAL_SOLUTION", "time": 140}
"""
    found = read(stream, algorithm="Gurobi in MiniZinc")
    assert found.column("outcome") == ["solved"]
    assert "not_bare" not in found.counts()


DISGUISES = {
    "a stamp": lambda row, n: f"[2024-01-0{n % 9 + 1}T10:00:{n % 60:02d}Z, INFO] {row}".rstrip(),
    "the number of a container's line": lambda row, n: f"[{9000 + n}] => {row}",
    "an indentation": lambda row, n: f"    {row}" if row else "",
    "seconds, with more and more digits": lambda row, n: f"[{0.37 * n:.3f}s] {row}",
    "colours": lambda row, n: f"\x1b[1;32m{row}\x1b[0m",
}


@pytest.mark.parametrize(("name", "disguise"), [*((name, "a stamp") for name in ALL), *(("Gurobi", one) for one in DISGUISES)])
def test_what_stands_before_every_line_is_no_part_of_it(tmp_path, name, disguise):
    """A run must not look cut because nobody knows the lines with which it ends."""
    log = test_mip_log.GUROBI if name == "Gurobi" else ALL[name]
    found = []
    for number, change in enumerate((lambda row, n: row, DISGUISES[disguise])):
        (tmp_path / "m1.log").write_text("".join(f"{change(row, n)}\n" for n, row in enumerate(log.splitlines())))
        result = Result(tmp_path / "m1.log", tmp_path / "out")
        assert result.counts().get("not_bare", 0) == number
        found.append([{key: value for key, value in trial.items() if key != "course_s"} for trial in result.trials])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("line", "maximise"),
    [
        ("command line - cbc m1.mps -max -timeMode elapsed -solve (default strategy 1)", True),
        ("command line - cbc m1.mps max branch printingOptions all (default strategy 1)", True),
        ("command line - cbc max.mps -solve (default strategy 1)", False),
    ],
)
def test_cbc_maximises_where_its_command_says_so(read, line, maximise):
    end = "Result - Optimal solution found\n\nObjective value:                50.0\nEnumerated nodes:               0\n"
    time = "Total time (CPU seconds):       0.00   (Wallclock seconds):       0.25\n"
    (trial,) = read(f"Welcome to the CBC MILP Solver\nVersion: 2.10.3\n\n{line}\n\n{end}{time}").trials
    assert (trial["outcome"], trial["best_value"], trial["maximise"]) == ("solved", 50, maximise)


def test_a_problem_that_cbc_solves_before_its_search_is_solved(read):
    log = (
        "Welcome to the CBC MILP Solver\nVersion: devel\n\n"
        "Starting solution of the Linear programming relaxation problem using Primal Simplex\n\n"
        "Clp0032I Optimal objective 1 - 0 iterations time 0.622, Presolve 0.50\n\nStarting MIP optimization\n"
        "Cbc3007W No integer variables - nothing to do\n"
        "Total time (CPU seconds):       0.58   (Wallclock seconds):       0.58\n"
    )
    (trial,) = read(log).trials
    assert (trial["outcome"], trial["best_value"], trial["runtime_s"]) == ("solved", 1, 0.58)


def test_cplex_below_ampl_says_how_it_ended(read):
    log = (
        "MIP Presolve eliminated 2 rows and 1 columns.\nTried aggregator 1 time.\n"
        "Total (root+branch&cut) =    0.25 sec. (296.38 ticks)\n\nTimes (seconds):\nInput =  0.05\n"
        "CPLEX 12.5.0.0: optimal integer solution; objective 600\n35 MIP simplex iterations\n7 branch-and-bound nodes\n"
        "Tried aggregator 3 times\n"
    )
    (trial,) = read(f"CPLEX 12.5.0.0: timing 1\nmipdisplay 2\ntime = 3600\n{log}").trials
    assert trial["time_limit_s"] == 3600
    assert (trial["algorithm"], trial["outcome"], trial["runtime_s"]) == ("CPLEX 12.5.0.0", "solved", 0.25)
    assert (trial["best_value"], trial["nodes"], trial["iterations"]) == (600, 7, 35)


def test_runs_of_scip_below_another_program_begin_at_their_tables(read):
    """A program that brings its own model shows no banner, no reading and no presolving."""
    row = " 1.5s|     1 |     0 |   118 | {0} | {0} |   0.00%| unknown\n"
    head = " time | node  | left  |LP iter|  dualbound   | primalbound  |  gap   | compl. \n"
    end = (
        "\nSCIP Status        : {1}\nSolving Time (sec) : {2}\nSolving Nodes      : 1\n"
        "Primal Bound       : +{0} (2 solutions)\nDual Bound         : +{0}\nGap                : 0.00 %\n"
    )
    runs = [
        ("2.0e+00", "problem is solved [optimal solution found]", "2.5"),
        ("3.0e+00", "solving was interrupted [time limit reached]", "60.0"),
    ]
    log = "".join(f"Instance path: x\n{head}{row}{head}{row}{end}".format(*run) for run in runs)
    result = read(log, unnamed="number", time_limit=60)
    assert result.column("outcome") == ["solved", "time_limit"]
    assert result.column("runtime_s") == [2.5, 60]
    assert result.column("best_value") == [2, 3]


def test_the_banner_of_xpress_may_stand_behind_a_prompt(read):
    log = (
        ">>> p.solve()FICO Xpress v8.13.1, Community, solve started 18:15:59, Dec 5, 2021\n"
        "Maximizing LP paints using up to 4 threads, with these control settings:\nOUTPUTLOG = 1\n"
        "Optimal solution found\nDual solved problem\n  2 simplex iterations in 0.25 seconds at time 0\n\n"
        "Final objective                       : 2.100000000000000e+01\n"
    )
    (trial,) = read(log).trials
    assert (trial["algorithm"], trial["problem"], trial["best_value"]) == ("XPRESS 8.13.1", "paints", 21)


#: What AMPL shows of three solves, without a log.
AMPL = """ampl: model cover.mod; solve;
{0}: optimal integer solution; objective 17
5 MIP simplex iterations
1 branch-and-bound nodes
x [*] :=
 1  1
;
ampl: let n := 9; solve;
{0}: infeasible problem.
3 simplex iterations
ampl: let n := 5; solve;
{0}: time limit with integer solution; objective 12.5
"""


@pytest.mark.parametrize("solver", ["CPLEX 12.6.0.0", "Gurobi 9.0.2"])
def test_a_result_that_ampl_prints_in_one_line_ends_a_run_without_a_time(read, solver):
    result = read(AMPL.format(solver), unnamed="number")
    rows = [(t["algorithm"], t["outcome"], t["best_value"], t["runtime_s"]) for t in result.trials]
    assert rows == [(solver, "solved", 17, None), (solver, "infeasible", None, None), (solver, "time_limit", 12.5, None)]
    assert result.counts()["time_not_stated"] == 2
    assert "truncated_log" not in result.counts()
    (trial,) = read(f"{solver}: optimal solution; objective 3\n").trials
    assert (trial["outcome"], trial["best_value"], trial["problem"]) == ("solved", 3, "m1")


def test_bonmin_below_ampl_says_how_it_ended_and_no_time(read):
    assert read("bonmin: Optimal\nz = 3.5\n").column("outcome") == ["solved"]
    result = read("bonmin: Optimal\nz = 3.5\nbonmin: Infeasible problem\n", unnamed="number")
    assert result.column("outcome") == ["solved", "infeasible"]


def test_blanks_behind_a_line_are_no_part_of_it(read):
    """As a terminal fills its lines with them, or a file with line breaks of two systems."""
    plain, filled = (read(re.sub("$", blanks, test_mip_log.GUROBI, flags=re.MULTILINE)) for blanks in ("", "   \r"))
    assert plain.trials == filled.trials
    assert "not_bare" not in filled.counts()


@pytest.mark.parametrize(("violation", "value"), [("1.2e-09", 3.0), ("0.0000e+00", 3.0), ("4.5e-02", None), ("1.0e+01", None)])
def test_a_point_that_is_not_feasible_has_no_value(read, violation, value):
    stopped = "EXIT: Maximum Number of Iterations Exceeded."
    errors = f"Dual infeasibility......:   1.0e+00    1.0e+00\nConstraint violation....:   {violation}    {violation}\n"
    ipopt = IPOPT.replace("EXIT: Optimal Solution Found.", stopped).replace("Overall", f"{errors}Overall")
    assert [(t["outcome"], t["best_value"]) for t in read(ipopt).trials] == [("limit", value)]
    knitro = KNITRO.replace("Locally optimal solution found", "Iteration limit reached").replace(
        "e+00\n#", f"e+00\nFinal feasibility error (abs / rel) =   {violation} / {violation}\n#"
    )
    assert [(t["outcome"], t["best_value"]) for t in read(knitro).trials] == [("limit", value)]


@pytest.mark.parametrize("width", [3, 4])
def test_a_log_in_a_block_of_code_within_a_text_is_read(read, width):
    block = "".join(f"{' ' * width}{line}\n" if line else "\n" for line in test_mip_log.HIGHS.splitlines())
    result = read(f"# Solving\n\n{block}\nThe variables follow.\n")
    plain = read(test_mip_log.HIGHS)
    assert [(t["outcome"], t["best_value"]) for t in result.trials] == [(t["outcome"], t["best_value"]) for t in plain.trials]
    assert result.counts()["not_bare"] == 1


def test_mosek_states_its_time_in_the_summary_too(read):
    log = """MOSEK Version 11.0.13

Problem
  Name                   : plan
  Constraints            : 12

Interior-point solution summary
  Problem status  : UNKNOWN
  Solution status : UNKNOWN
  Primal.  obj: 1.5e+16    nrm: 4e+10

Optimizer summary
  Optimizer                 -                        time: 62.50
    Interior-point          - iterations : 25        time: 61.75

Return code - 100006  [MSK_RES_TRM_STALL]
"""
    (trial,) = read(log).trials
    assert (trial["problem"], trial["outcome"], trial["runtime_s"]) == ("plan", "error", 62.5)
