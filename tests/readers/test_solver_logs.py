"""What each dialect of solver logs says: outcomes of those that need a log of their own, and the course of all of them."""

import itertools
import os
import re
import tarfile
from pathlib import Path

import numpy as np
import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.costs import costs
from benchmill.readers import solver_runs
from benchmill.readers.solver_logs import dialect_of
from tests.readers.making import Result, one_sentence

REAL = os.environ.get("BENCHMILL_REAL_DATA")

CP_SAT = """
Starting CP-SAT solver v9.15.6755
Parameters: random_seed: 7 max_time_in_seconds: 5 log_search_progress: true num_workers: 1

Initial optimization model 'shop': (model_fingerprint: 0x7b27d7c28943b0b3)
#Variables: 34 (#bools: 30 in objective) (34 primary variables)
#Bound   0.06s best:inf   next:[-3090,9274] initial_domain
#1       0.13s best:130   next:[0,129]    main
#Model   0.14s var:29/34 constraints:4/4
#2       0.86s best:34    next:[0,33]     main
#Bound   1.50s best:34    next:[7,33]     main [skipped_logs=2]
#3       1.75s best:12    next:[7,11]     main

CpSolverResponse summary:
status: FEASIBLE
objective: 12
best_bound: 7
conflicts: 1741
branches: 4820
walltime: 4.96152
usertime: 4.96152
gap_integral: 0
"""
#: The library of 9.8 and before; larger is better, and the last line closes the search.
CP_SAT_MAX = """Starting CP-SAT solver v9.3.10497
Parameters: log_search_progress: true
Setting number of workers to 16

Initial optimization model '':
#Bound   0.00s best:-inf  next:[0,22]     initial_domain
#1       0.01s best:10.5  next:[11,22]    default_lp
#2       0.11s best:21.5  next:[22,22]    default_lp
#Done    0.30s default_lp

CpSolverResponse summary:
status: OPTIMAL
objective: 21.5
best_bound: 21.5
walltime: 0.31
"""
GLOP = """
Initial problem: 20 rows, 60 columns, 1200 entries with magnitude in [1.100000e+01, 9.980000e+02]
Parameters: max_time_in_seconds: 5 log_search_progress: true

Final unscaled solution:
Primal objective (before moving primal/dual values) = -1.729687942067823E+04
Primal objective (after moving primal/dual values) = -1.729687942067823E+04
Max. primal infeasibility = 3.63798e-12
status: OPTIMAL
objective: -17296.9
iterations: 68
time: 0.00179548
deterministic_time: 0.000286454

"""
COPT = """Cardinal Optimizer v8.0.7. Build date Sep 20 2026
Copyright Cardinal Operations 2026. All Rights Reserved

Reading from '/m/gain.mps.gz'
Reading finished (0.00s)
Setting parameter 'TimeLimit' to 5
Setting parameter 'Threads' to 1
Model fingerprint: 79666b31

Using Cardinal Optimizer v8.0.7 (e9a62f7d0e) on Linux
Maximizing a MIP problem

Starting the MIP solver with 1 thread and 1 task

     Nodes    Active  LPit/n  IntInf     BestBound  BestSolution     Gap   Time
         0         1      --       0  2.208720e+04            --     Inf  0.02s
H        0         1      --       0  2.208720e+04 -0.000000e+00     Inf  0.04s
H        0         1      --       5  1.151029e+04  4.618400e+03 149.23%  0.24s
         1         2     6.0       7  1.149154e+04  4.618400e+03 148.82%  5.01s

Best solution   : 4618.400000014
Best bound      : 11491.535613205
Best gap        : 148.8207%
Solve time      : 5.03
Solve node      : 753
MIP status      : stopped (time limit reached)
Solution status : integer feasible

"""
COPT_LP = """Cardinal Optimizer v6.5.1. Build date Apr 11 2023
Reading from 'plan.mps'
Minimizing an LP problem

Starting the simplex solver using 1 thread
Method   Iteration           Objective  Primal.NInf   Dual.NInf        Time
Dual            50   -1.7296898269e+04            0           0       0.00s

Solving finished
Status: Optimal  Objective: -1.7296879421e+04  Iterations: 50  Time: 0.02s
"""
MOSEK = """MOSEK Version 11.0.13 (Build date: 2025-3-17 10:00:42)
Copyright (c) MOSEK ApS, Denmark WWW: mosek.com

Problem
  Name                   : desks.mps.gz
  Objective sense        : minimize
  Type                   : LO (linear optimization problem)
  Integer variables      : 12

Optimizer started.
Mixed integer optimizer started.
BRANCHES RELAXS   ACT_NDS  DEPTH    BEST_INT_OBJ         BEST_RELAX_OBJ       REL_GAP(%)  TIME
0        1        1        0        NA                   2.5000000000e+03     NA          0.1
0        1        1        0        8.4000000000e+03     2.5000000000e+03     70.24       0.4
211      215      8        6        3.2100000000e+03     3.1000000000e+03     3.43        60.0

Objective of best integer solution : 3.210000000000e+03
Best objective bound               : 3.100000000000e+03
Number of branches                 : 255
Number of simplex iterations       : 6414
Optimizer terminated. Time: 60.02

Integer solution solution summary
  Problem status  : PRIMAL_FEASIBLE
  Solution status : PRIMAL_FEASIBLE
  Primal.  obj: 3.2100000000e+03    nrm: 1e+03    Viol.  con: 4e-13    var: 7e-15    itg: 7e-15

Return code - 100001  [MSK_RES_TRM_MAX_TIME]
"""
MOSEK_LP = """MOSEK Version 9.2.38 (Build date: 2021-1-1 12:00:00)
Problem
  Name                   : plan
  Objective sense        : max
Optimizer started.
Optimizer terminated. Time: 13.07

Interior-point solution summary
  Problem status  : PRIMAL_AND_DUAL_FEASIBLE
  Solution status : OPTIMAL
  Primal.  obj: 2.8296047432e+02    nrm: 2e+01    Viol.  con: 6e-10    var: 0e+00
  Dual.    obj: 2.8296047432e+02    nrm: 2e+01    Viol.  con: 0e+00    var: 5e-11
"""
#: From Python, and with the commas of other countries.
CPLEX = """
Specified objective sense: MAXIMIZE
Version identifier: 22.2.0.0 | 2026-07-01 | 7cae668b4
CPXPARAM_TimeLimit                               60
Found incumbent of value 19,000000 after 0,26 sec. (376,58 ticks)
Root relaxation solution time = 0,32 sec. (202,11 ticks)

        Nodes                                         Cuts/
   Node  Left     Objective  IInf  Best Integer    Best Bound    ItCnt     Gap

*     0+    0                           19,0000      397,0000              ---
      0     0      108,9569   896       19,0000      108,9569     5105  473,46%
*     0+    0                           89,0000      108,9569            22,42%
      0     0      107,0579   934       89,0000    Cuts: 3017     7285   17,65%
Elapsed time = 34,63 sec. (13849,15 ticks, tree = 0,02 MB, solutions = 5)
*    15+    7                           98,0000      103,9209             6,04%
     39    22        cutoff             98,0000      100,2021    42994    2,25%

Total (root+branch&cut) =   42,22 sec. (68532,91 ticks)
integer optimal, tolerance
"""
CBC = """Welcome to the CBC MILP Solver
Version: devel
Build Date: Nov 15 2020

Starting solution of the Linear programming relaxation problem using Primal Simplex

Clp0032I Optimal objective 2 - 0 iterations time 0.652, Presolve 0.02, Idiot 0.63

Starting MIP optimization
Cbc0012I Integer solution of 9 found by feasibility pump after 0 iterations and 0 nodes (10.45 seconds)
Cbc0010I After 0 nodes, 1 on tree, 9 best solution, best possible 6 (11.10 seconds)
Cbc0012I Integer solution of 7 found by DiveCoefficient after 7909 iterations and 24 nodes (12.27 seconds)
Cbc0001I Search completed - best objective 7, took 16483 iterations and 46 nodes (13.45 seconds)
Total time (CPU seconds):       13.66   (Wallclock seconds):       13.70
"""
CBC_STOPPED = CBC.replace(
    "Cbc0001I Search completed - best objective 7,",
    "Cbc0020I Exiting on maximum time\nCbc0005I Partial search - best objective 7 (best possible 6.5),",
)
#: Lines with solutions in logs of those below.
SOLUTIONS = re.compile(r"^(?:#(?:\d|Bound)|[H ] +\d|\d+ +\d|Cbc001[02]I).*\n", re.MULTILINE)
ALL = {
    "cp-sat": CP_SAT,
    "cp-sat-max": CP_SAT_MAX,
    "glop": GLOP,
    "copt": COPT,
    "copt-lp": COPT_LP,
    "mosek": MOSEK,
    "mosek-lp": MOSEK_LP,
    "cplex": CPLEX,
    "cbc": CBC,
    "cbc-stopped": CBC_STOPPED,
}
N = None


@pytest.fixture
def read(tmp_path):
    number = itertools.count()

    def read(log, **options):
        folder = tmp_path / str(next(number))
        folder.mkdir()
        (folder / "run.log").write_text(log)
        return Result(folder, tmp_path / "out", **options)

    return read


def said(result, *names):
    return [tuple(trial[name] for name in names) for trial in result.trials]


def course(trial):
    seconds, values, bounds = (trial[name] for name in ("course_s", "course_value", "course_bound"))
    return list(zip(seconds, values, bounds, strict=True))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cp-sat", ("shop", "CP-SAT 9.15.6755 (num_workers=1)", "time_limit", 4.96152, 5, 12, 7, N, N, 7, False)),
        ("cp-sat-max", ("run", "CP-SAT 9.3.10497", "solved", 0.31, N, 21.5, 21.5, N, N, N, True)),
        ("glop", ("run", "GLOP", "solved", 0.00179548, 5, -17296.87942067823, N, N, 68, N, False)),
        ("copt", ("gain", "COPT 8.0.7 (Threads=1)", "time_limit", 5.03, 5, 4618.400000014, 11491.535613205, 753, N, N, True)),
        ("copt-lp", ("plan", "COPT 6.5.1", "solved", 0.02, N, -17296.879421, N, N, 50, N, False)),
        ("mosek", ("desks", "MOSEK 11.0.13", "time_limit", 60.02, N, 3210, 3100, 255, 6414, N, False)),
        ("mosek-lp", ("plan", "MOSEK 9.2.38", "solved", 13.07, N, 282.96047432, N, N, N, N, True)),
        ("cplex", ("run", "CPLEX 22.2.0.0", "solved", 42.22, 60, 98, N, N, N, N, True)),
        ("cbc", ("run", "CBC devel", "solved", 13.7, N, 7, N, 46, 16483, N, False)),
        ("cbc-stopped", ("run", "CBC devel", "time_limit", 13.7, N, 7, 6.5, 46, 16483, N, False)),
    ],
)
def test_what_a_solver_prints(read, name, expected):
    result = read(ALL[name])
    (trial,) = result.trials
    columns = ("problem", "algorithm", "outcome", "runtime_s", "time_limit_s", "best_value", "dual_bound", "nodes", "iterations")
    assert tuple(trial[column] for column in (*columns, "seed", "maximise")) == expected
    assert not {"course_falls_back", "course_beyond_end"} & set(result.counts())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cp-sat", [(0.06, N, -3090), (0.13, 130, 0), (0.86, 34, 0), (1.5, 34, 7), (1.75, 12, 7)]),
        ("cp-sat-max", [(0, N, 22), (0.01, 10.5, 22), (0.11, 21.5, 22), (0.31, 21.5, 21.5)]),
        ("copt", [(0.02, N, 22087.2), (0.04, 0, 22087.2), (0.24, 4618.4, 11510.29), (5.01, 4618.4, 11491.54), (5.03, N, N)]),
        ("mosek", [(0.1, N, 2500), (0.4, 8400, 2500), (60, 3210, 3100)]),
        (
            "cplex",
            [
                (0.26, 19, N),
                (34.63, 19, 397),
                (34.63, 19, 108.9569),
                (34.63, 89, 108.9569),
                (42.22, 98, 103.9209),
                (42.22, 98, 100.2021),
            ],
        ),
        ("cbc", [(10.45, 9, N), (11.1, 9, 6), (12.27, 7, 6)]),
        ("cbc-stopped", [(10.45, 9, N), (11.1, 9, 6), (12.27, 7, 6), (13.7, 7, 6.5)]),
        ("glop", [(0.00179548, -17296.87942067823, N)]),
    ],
)
def test_courses(read, name, expected):
    found = course(read(ALL[name]).trials[0])
    if name == "copt":  # the end has more digits than the table
        assert found.pop() == (5.03, 4618.400000014, 11491.535613205)
        expected = expected[:-1]
    assert found == expected


@pytest.mark.parametrize(
    ("name", "old", "new", "outcome"),
    [
        ("cp-sat", "status: FEASIBLE", "status: OPTIMAL", "solved"),
        ("cp-sat", "status: FEASIBLE", "status: INFEASIBLE", "infeasible"),
        ("cp-sat", "status: FEASIBLE", "status: MODEL_INVALID", "error"),
        ("cp-sat", "walltime: 4.96152", "walltime: 3.96152", "unknown"),
        ("cp-sat-max", "status: OPTIMAL", "status: FEASIBLE", "unknown"),
        ("cp-sat", "Initial optimization", "Initial satisfaction", "solved"),
        ("glop", "status: OPTIMAL", "status: PRIMAL_INFEASIBLE", "infeasible"),
        ("glop", "status: OPTIMAL", "status: DUAL_INFEASIBLE", "unbounded"),
        ("glop", "status: OPTIMAL", "status: IMPRECISE", "error"),
        ("glop", "OPTIMAL\nobjective: -17296.9\niterations: 68\ntime: 0.00179548", "PRIMAL_FEASIBLE\ntime: 5.01", "time_limit"),
        ("copt", "stopped (time limit reached)", "stopped (node limit reached)", "limit"),
        ("copt", "stopped (time limit reached)", "stopped (user interrupted)", "stopped"),
        ("copt", " (time limit reached)\nSolution status : integer feas", "\nSolution status : infeas", "infeasible"),
        ("copt", "integer feasible", "integer optimal (relative gap limit 0.0001)", "solved"),
        ("copt-lp", "Status: Optimal ", "Status: Infeasible ", "infeasible"),
        ("copt-lp", "Status: Optimal ", "Status: Timeout ", "time_limit"),
        ("mosek", "Solution status : PRIMAL_FEASIBLE", "Solution status : INTEGER_OPTIMAL", "solved"),
        ("mosek", "Problem status  : PRIMAL_FEASIBLE", "Problem status  : PRIMAL_INFEASIBLE", "infeasible"),
        ("mosek", "MAX_TIME", "MIO_NUM_BRANCHES", "limit"),
        ("mosek", "MAX_TIME", "STALL", "error"),
        ("mosek", "MAX_TIME", "USER_CALLBACK", "stopped"),
        ("mosek-lp", "Solution status : OPTIMAL", "Solution status : DUAL_INFEASIBLE_CER", "unbounded"),
        ("cplex", "integer optimal, tolerance", "time limit exceeded, no integer solution", "time_limit"),
        ("cplex", "integer optimal, tolerance", "integer infeasible or unbounded", "unknown"),
        ("cplex", "integer optimal, tolerance", "memory limit exceeded, tree exists", "memory_limit"),
        ("cplex", "integer optimal, tolerance\n", "", "truncated"),
        ("cbc", "best objective 7,", "best objective 1e+50,", "infeasible"),
        ("cbc-stopped", "maximum time", "maximum nodes", "limit"),
    ],
)  # fmt: skip
def test_verdicts(read, name, old, new, outcome):
    assert old in ALL[name]
    log = ALL[name].replace(old, new)
    if outcome == "infeasible":
        log = re.sub(SOLUTIONS, "", log)
    assert read(log).column("outcome") == [outcome]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cp-sat", "status: FEASIBLE", "status: INFEASIBLE"),
        ("copt", " (time limit reached)\nSolution status : integer feas", "\nSolution status : infeas"),
        ("mosek", "Problem status  : PRIMAL_FEASIBLE", "Problem status  : PRIMAL_INFEASIBLE"),
        ("cbc", "best objective 7,", "best objective 1e+50,"),
    ],
)
def test_a_problem_of_which_a_log_shows_solutions_is_not_infeasible(read, name, old, new):
    result = read(ALL[name].replace(old, new))
    assert (result.column("outcome"), result.column("status")) == (["wrong"], ["failed"])
    assert result.counts()["contradicts_itself"] == 1


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("Barrier - Non-optimal", "unknown"),
        ("Nearly Optimal", "unknown"),
        ("Not optimal", "unknown"),
        ("ALMOST_OPTIMAL", "unknown"),
        ("optimal_inaccurate", "unknown"),
        ("INFEASIBLE_OR_UNBOUNDED", "unknown"),
        ("Barrier - Dual infeasible", "unknown"),
        ("Primal and dual infeasible", "infeasible"),
        ("Locally infeasible", "unknown"),
        ("Dual simplex - Infeasible", "infeasible"),
        ("MIP - Integer optimal solution with unscaled infeasibilities", "solved"),
    ],
)
def test_last_words(words, outcome):
    assert solver_runs.outcome(words) == outcome


LOCAL = """Gurobi Optimizer version 13.0.0 build v13.0.0rc1 (linux64)
Optimize a model with 80 rows, 9 columns and 9 nonzeros

NL barrier solved model in 15 iterations and 0.20 seconds (0.00 work units)
Locally optimal solution found
Solution objective  1.20000000e+01
"""


def test_a_local_optimum_of_a_global_solver_is_no_proof(read):
    assert [(t["outcome"], t["proven"]) for t in read(LOCAL).trials] == [("solved", False)]
    assert [(t["outcome"], t["proven"]) for t in read(LOCAL.replace("Locally o", "O")).trials] == [("solved", True)]
    assert read(LOCAL.replace("Locally", "First-order")).column("proven") == [False]
    # what a heuristic of it tells
    told = LOCAL.replace("Locally o", "O").replace("NL barrier", "The start is a locally optimal point\nNL barrier")
    assert read(told).column("proven") == [True]


def test_nothing_better_than_a_cutoff_is_not_infeasible(read):
    none = CBC.replace("best objective 7,", "best objective 1e+50,")
    log = re.sub(SOLUTIONS, "", none).replace("Starting sol", "cutoff was changed from 1e+50 to 6\nStarting sol")
    assert read(log).column("outcome") == ["limit"]
    log = """SCIP version 9.2.0 [precision: 8 byte] [memory: block] [mode: optimized] [LP solver: SoPlex 7.1.2] [GitHash: abc]
read problem </m/knap.mps>
presolving:
SCIP Status        : problem is solved [infeasible]
Solving Time (sec) : 1.00
Solving Nodes      : 7
Primal Bound       : +6.00000000000000e+00 (0 solutions)
Dual Bound         : +6.00000000000000e+00
Gap                : 0.00 %
"""
    rows = " time | node | left | dualbound | primalbound | gap\n  0.1s|    1 |    0 | 5.000e+00 | 6.000e+00 | 20%\n"
    (trial,) = read(log.replace("presolving:\n", f"presolving:\n{rows}")).trials
    assert (trial["outcome"], trial["best_value"], trial["course_value"]) == ("limit", None, [None, None])
    assert [(t["outcome"], t["best_value"]) for t in read(log).trials] == [("limit", None)]
    stopped = log.replace("problem is solved [infeasible]", "solving was interrupted [time limit reached]")
    assert [(t["outcome"], t["best_value"]) for t in read(stopped).trials] == [("time_limit", None)]
    limited = log.replace("[infeasible]", "[infeasible] (objective limit reached)").replace("(0 sol", "(objective limit, 0 sol")
    assert [(t["outcome"], t["best_value"]) for t in read(limited).trials] == [("limit", None)]
    exceeds = re.sub(r"\n[ H*]+\d+ +\d+ .*", "", GUROBI).replace("Time limit reached", "Model objective exceeds cutoff")
    exceeds = exceeds.replace("objective 8.000000000000e+00", "objective -").replace("gap 59.3750%", "gap -")
    assert [(t["outcome"], t["best_value"]) for t in read(exceeds).trials] == [("limit", None)]
    none = log.replace("Primal Bound       : +6.0", "Primal Bound       : +1.00000000000000e+20")
    # a setting with the word in its name
    none = none.replace("read problem", "lp/disablecutoff = 1\nread problem")
    assert [(t["outcome"], t["best_value"]) for t in read(none).trials] == [("infeasible", None)]


def test_infeasible_or_unbounded_is_no_proof_of_either(read):
    stopped = COPT.replace("5.03", "1.03").replace(" (time limit reached)", "")
    log = re.sub(SOLUTIONS, "", stopped.replace("integer feasible", "infeasible or unbounded"))
    assert read(log).column("outcome") == ["unknown"]


def test_a_search_for_what_makes_a_model_infeasible_shows_no_solution(read):
    log = re.sub(r"\n[ H*]+\d+ +\d+ .*|\nBest objective .*", "", GUROBI).replace("Time limit reached", "Model is infeasible")
    explained = """Gurobi Optimizer version 13.0.3 build v13.0.3rc0 (linux64)

Computing Irreducible Inconsistent Subsystem (IIS)...

           Constraints          |            Bounds           |  Runtime
      Min       Max     Guess   |   Min       Max     Guess   |
--------------------------------------------------------------------------
        0         4         -         0         2         0           0s
        3         3         3         1         1         1           2s

IIS computed: 3 constraints, 1 bounds
IIS runtime: 2.00 seconds (0.10 work units)
"""
    assert [(t["outcome"], t["runtime_s"]) for t in read(log + explained).trials] == [("infeasible", 45.01)]


def test_a_licence_for_small_models_is_a_licence(read):
    warned = "2026-01-01 [WARN] no license files in HOME folder: /root\nNo license found. Starting COPT with size limitations\n"
    cut = COPT[: COPT.index("MIP status")].replace("Model finger", "No license found. The size is limited\nModel finger")
    assert read(warned + cut).column("outcome") == ["truncated"]
    assert read(warned + COPT).column("outcome") == ["time_limit"]

    linear = "No license found. LP size is limited to 10000 variables and 10000 constraints\n"
    assert read(COPT_LP[: COPT_LP.index("Solving finished")].replace("Minimizing", f"{linear}Minimizing")).column("outcome") == [
        "truncated"
    ]


GUROBI_CALL = """Set parameter {limit}
Gurobi Optimizer version 13.0.3 build v13.0.3rc0 (linux64)

Non-default parameters:
{listed}

Optimize a model with 40 rows, 90 columns and 3600 nonzeros (Min)
Model fingerprint: 0xfd7cca15
{search}
Explored {nodes} nodes (900 simplex iterations) in {time} seconds (0.04 work units)
{recent}Thread count was 2 (of 2 available processors)

Solution count 1: 20

{says}
Best objective 2.0e+01, best bound {bound}e+00, gap 1%
"""


def test_a_search_of_gurobi_that_goes_on_is_one_run(read):
    """Its nodes and its time are those of all calls; the limit is that of the last one, from where it began."""
    first = GUROBI_CALL.format(
        limit="TimeLimit to value 2", listed="TimeLimit  2", search="H    0     0       20.0   10.0  50.0%     -    1s",
        nodes=9805, time=2.01, recent="", says="Time limit reached", bound=12.0,
    )  # fmt: skip
    goes_on = "Presolved: 40 rows, 90 columns, 3600 nonzeros\n\nContinuing optimization...\n\n"
    second = GUROBI_CALL.format(
        limit="TimeLimit to value 3", listed="TimeLimit  3",
        search=f"{goes_on}  9805  90   15.0  5  12   20.0   15.0  25%  12  4s",
        nodes=22475, time=5.02, recent="Most recent optimization runtime was 3.01 seconds (0.63 work units)\n",
        says="Time limit reached", bound=15.0,
    )  # fmt: skip
    result = read(first + second)
    (trial,) = result.trials
    assert [trial[key] for key in ("outcome", "runtime_s", "nodes", "dual_bound")] == ["time_limit", 5.02, 22475, 15]
    assert trial["time_limit_s"] == pytest.approx(5.01)
    assert trial["course_s"] == [1, 4]
    assert result.counts()["resumed"] == 1
    solved = second.replace("Time limit reached", "Optimal solution found (tolerance 1.00e-04)").replace(
        "bound 15.0", "bound 20.0"
    )
    assert read(first + solved).column("outcome") == ["solved"]
    # of an older version, which does not say how long the last call took, the limit is not known
    assert read(first + solved.replace("Most recent", "Most")).column("time_limit_s") == [None]
    nodes = first.replace("TimeLimit to value 2", "NodeLimit to value 9").replace("TimeLimit  2", "NodeLimit  9")
    again = nodes + second.replace("TimeLimit to value 3", "NodeLimit to value 99").replace("TimeLimit  3", "NodeLimit  99")
    assert read(again).column("algorithm") == ["Gurobi 13.0.3 (NodeLimit=99)"]


def test_parameters_of_a_search_for_parameters_name_no_algorithm(read):
    tuned = "Set parameter TuneTimeLimit to value 10\nSet parameter TuneResults to value 1\nStart tuning.\n"
    assert read(tuned + GUROBI).column("algorithm") == read(GUROBI).column("algorithm")


def test_settings_of_copt_between_two_runs_are_those_of_the_second(read):
    again = COPT[COPT.index("Setting parameter 'TimeLimit'") :].replace("to 5\n", "to 9\n").replace("5.03", "9.03")
    result = read(COPT + again, unnamed="file", repetitions=True)
    assert [(t["runtime_s"], t["time_limit_s"]) for t in result.trials] == [(5.03, 5), (9.03, 9)]


HIGHS_PRESOLVED = """MIP day has 7 rows; 20 cols; 122 nonzeros; 20 integer variables (0 binary)
Presolving model
Presolve: Infeasible

Solving report
  Model             day
  Status            Infeasible
  Primal bound      inf
  Dual bound        -inf
  Timing            0.01
  Nodes             0
"""


def test_a_library_of_highs_that_has_no_search_prints_no_banner_either(read):
    rows = [(t["algorithm"], t["problem"], t["outcome"], t["runtime_s"]) for t in read(HIGHS_PRESOLVED).trials]
    assert rows == [("HiGHS", "day", "infeasible", 0.01)]
    assert dialect_of(HIGHS_PRESOLVED[HIGHS_PRESOLVED.index("Solving report") :]).name == "HiGHS"


def test_a_limit_of_another_clock_is_not_that_of_the_time(read):
    """CBC counts the seconds of all its threads, and states those of a clock on the wall."""
    log = CBC_LIMIT.format(cpu=60.11, wall=15.24)
    assert [(t["outcome"], t["runtime_s"], t["time_limit_s"]) for t in read(log).trials] == [("time_limit", 15.24, None)]
    assert read(CBC_LIMIT.format(cpu=60.11, wall=61.5)).column("time_limit_s") == [60]


CBC_LIMIT = """Welcome to the CBC MILP Solver
Version: 2.10.3
command line - cbc p.mps -sec 60 -threads 4 -solve
seconds was changed from 1e+100 to 60
Result - Stopped on time limit

Objective value:                20.00000000
Lower bound:                    15.000

Total time (CPU seconds):       {cpu}   (Wallclock seconds):       {wall}
"""


def test_a_nonlinear_problem_of_xpress_has_a_value_and_a_bound(read):
    log = XPRESS.replace("Final MIP objective                  ", "Final MINLP objective (feasible sol.)")
    log = log.replace("Final MIP bound      ", "Final MINLP bound    ")
    assert [(t["best_value"], t["dual_bound"]) for t in read(log).trials] == [(11407.4, 11437.46986244881)]
    solved = log.replace("STOPPING - MAXTIME limit reached (TIMELIMIT=5.00  time=5.04).\n", "").replace("unfinished", "completed")
    solved = solved.replace("1.143746986244881e+04", "1.140740000000000e+04")
    found = [solved.replace("(feasible sol.)", f"({kind} optimum)") for kind in ("global", "local")]
    assert [(t["outcome"], t["proven"]) for log in found for t in read(log).trials] == [("solved", True), ("solved", False)]


def test_a_log_that_ends_before_its_values_says_not_how_the_run_ended(read):
    """Though the line that says so is there: without the values, a gap would be that of a run without a solution."""
    for log, end in ((GUROBI, "Best objective"), (XPRESS, "Final MIP objective"), (MINIZINC, "%%%mzn-stat: solveTime")):
        assert read(log[: log.index(end)], algorithm="A").column("outcome") == ["truncated"], log


def test_a_search_of_xpress_that_goes_on_has_the_limit_that_stops_it(read):
    (trial,) = read(XPRESS + XPRESS[XPRESS.index("STOPPING") :].replace("5.0", "9.0")).trials
    assert (trial["time_limit_s"], trial["runtime_s"]) == (9, 9.04)


def test_cbc_shows_by_signs_that_it_maximises_and_finds_what_it_forgets(read):
    ended = "Cbc0001I Search completed - best objective -20, took 44 iterations and 12 nodes (9.00 seconds)\n\nResult"
    solved = CBC_MAX.replace("\nResult - Stopped on time limit", f"{ended} - Optimal solution found")
    (trial,) = read(re.sub("\nUpper bound.*", "", solved)).trials
    assert (trial["maximise"], trial["best_value"], trial["course_value"][-1]) == (True, 20, 20)
    shifted = solved.replace("best objective -20", "best objective -10")
    assert read(re.sub("\nUpper bound.*", "", shifted)).column("maximise") == [False]
    stopped = CBC_MAX.replace("\nResult", ended.replace("1I Search completed", "5I Partial search"))
    lost = stopped.replace("20.00000000", f"{1e50:.8f}")
    assert [(t["best_value"], t["dual_bound"]) for t in read(lost).trials] == [(20, 27.5)]
    least = lost.replace("Upper bound:", "Lower bound:").replace("best objective -20", "best objective 20")
    assert [(t["best_value"], t["maximise"]) for t in read(least).trials] == [(20, False)]


def test_the_value_of_a_model_that_is_scaled_is_that_of_the_model(read):
    scaled = "After solving the user-scaled model, the unscaled solution has objective value 701760\n"
    (trial,) = read(HIGHS + scaled).trials
    assert (trial["best_value"], trial["dual_bound"], trial["course_value"]) == (701760, None, [701760])


LP_SOLVE = """Model name:  'gain' - run #1
Objective:   Maximize(obj)

Feasible solution                169 after         65 iter,        16 nodes (gap 16900.0%)
Improved solution                171 after        364 iter,        88 nodes (gap 300.0%)

lp_solve optimization was stopped due to time-out.

Optimal solution                 171 after       2439 iter,       738 nodes (gap 100.0%).

 MEMO: lp_solve version 5.5.2.11 for 64 bit OS, with 64 bit REAL variables.
       ... 10.001 seconds in simplex solver, in total 10.001 seconds.
Suboptimal solution

Value of objective function: 171.00000000
"""


def test_lp_solve_counts_and_says_what_it_looks_for(read):
    (trial,) = read(LP_SOLVE).trials
    assert [trial[name] for name in ("outcome", "nodes", "iterations", "maximise")] == ["time_limit", 738, 2439, True]


#: Until 9.0.
CP_SAT_OLD = """Parameters: max_time_in_seconds: 6 log_search_progress: true num_search_workers: 2
Optimization model '':
#Variables: 300 (300 in objective)
*** starting model presolve at 0.00s
#Bound   0.19s best:-inf  next:[-0,3159]  initial domain
*** starting Search at 0.19s with 2 workers and subsolvers: [ default_lp, reduced_costs ]
#1       0.93s best:1117  next:[1118,1392] reduced_costs fixed_bools:0/300
CpSolverResponse:
status: FEASIBLE
objective: 1181
best_bound: 1388
walltime: 5.97927
"""


def test_a_library_that_does_not_say_its_version(read):
    satisfied = CP_SAT_OLD.replace("Optimization model", "Satisfaction model")
    result = read(CP_SAT_OLD + satisfied, unnamed="number")
    assert result.column("outcome") == ["time_limit", "solved"]
    assert result.column("algorithm") == ["CP-SAT (num_search_workers=2)"] * 2
    assert (result.column("best_value")[0], result.column("maximise")[0]) == (1181, True)


MINIZINC = """%%%mzn-stat: paths=0
%%%mzn-stat: method="maximize"
%%%mzn-stat: flatTime=0.25
%%%mzn-stat-end
----------
==========
%%%mzn-stat: objective=7
%%%mzn-stat: solveTime=1.5
%%%mzn-stat-end
%%%mzn-stat: nSolutions=1
%%%mzn-stat-end
"""


def test_runs_of_minizinc_keep_what_is_theirs(read):
    error = '{"type": "warning", "message": "old"}\n{"type": "error", "what": "type error", "message": "no function"}\n'
    lesser = MINIZINC.replace("maximize", "minimize")
    result = read(MINIZINC + lesser + error + MINIZINC, unnamed="number", algorithm="Gecode")
    assert result.column("outcome") == ["solved", "solved", "error", "solved"]
    assert result.column("maximise") == [True, False, False, True]
    assert result.column("runtime_s") == [1.75, 1.75, None, 1.75]


def test_a_file_that_highs_cannot_read_is_no_empty_model(read):
    log = "Running HiGHS 1.16.0 (git hash: 1)\nERROR:   File a/plan.mps not found\nLP has 0 rows; 0 cols; 0 nonzeros\n"
    result = read(log + "Model status        : Empty\nHiGHS run time      :          0.00\n")
    assert (result.column("problem"), result.column("outcome")) == (["plan"], ["error"])


def test_a_problem_that_ipopt_cannot_take_is_an_error(read):
    log = "This is Ipopt version 3.14.19, running with linear solver MUMPS 5.4.1.\n\n{}\n"
    result = read(log.format("EXIT: Problem has too few degrees of freedom."))
    assert result.column("outcome") == ["error"]
    assert read(log.format("Number of Iterations....: 0")).column("outcome") == ["truncated"]


def test_what_highs_prints_of_a_search_for_what_makes_a_model_infeasible_is_no_time(read):
    ended = "\nIIS status          : Irreducible\nRows                : 2\nColumns             : 3\nHiGHS run time      : 0.01s\n"
    log = "LP plan has 7 rows; 3 cols; 9 nonzeros\nModel status        : Infeasible\nHiGHS run time      :          0.02\n"
    found = read(log + ended)
    assert said(found, "outcome", "runtime_s") == [("infeasible", 0.02)]


def test_objectives_that_gurobi_combines_to_one_are_one_run(read):
    """Below a line it prints the size of the combined model."""
    size = "Optimize a model with 40 rows, 90 columns and 3600 nonzeros (Min)\nModel fingerprint: {}\n"
    line = 75 * "-" + "\n"
    starts = f"Multi-objectives: starting optimization (min) with 2 objectives (1 combined)...\n{line}"
    head, search = GUROBI.split("Optimize a model", 1)
    search = search.partition("\n")[2].partition("\n")[2]
    log = (
        f"{head}{size.format('0xaa0c3116')}\n{line}{starts}\nMulti-objectives: optimize objective 1 (weighted) ...\n{line}\n"
        f"{size.format('0x87b7d323')}{search}\n{line}Multi-objectives: stopped in 45.03 seconds, solution count 3\n"
    )
    assert [(t["outcome"], t["runtime_s"]) for t in read(log).trials] == [("time_limit", 45.03)]


def test_a_search_that_cplex_goes_on_with_has_no_presolving(read):
    """A log of the library says in no other line that the second call has a model."""
    call = "Version identifier: 22.2.0.0 | 2026-07-01\nCPXPARAM_TimeLimit   {0}\n{1}\nRoot node processing (before b&c):\n"
    total = "Total (root+branch&cut) =    {0}.00 sec. (749.93 ticks)\n\n"
    total += "CPLEX status: time limit exceeded\n"
    log = "".join((call + total).format(time, words) for time, words in ((1, "Tried aggregator 1 time."), (2, "")))
    result = read(log, unnamed="file and number")
    assert said(result, "problem", "outcome", "runtime_s") == [("run 1", "time_limit", 1.0), ("run 2", "time_limit", 2.0)]


def test_an_invalid_model_of_cp_sat_has_no_value(read):
    """It prints 0 for what it has not computed."""
    log = "Starting CP-SAT solver v9.15.6755\nInvalid model: var #0\nCpSolverResponse summary:\nstatus: MODEL_INVALID\n"
    (trial,) = read(log + "objective: 0\nbest_bound: 0\nintegers: 0\nwalltime: 3.9e-05\n").trials
    assert [trial[name] for name in ("outcome", "best_value", "dual_bound")] == ["error", None, None]


def test_glpk_proves_no_more_than_its_gap(read):
    log = "GLPSOL: GLPK LP/MIP Solver, v4.65\n+    33: mip =   7.102e+03 <=   7.195e+03   1.3% (16; 0)\n{}Time used:   0.2 secs\n"
    found = read(log.format("RELATIVE MIP GAP TOLERANCE REACHED; SEARCH TERMINATED\n"))
    assert said(found, "outcome", "best_value", "dual_bound", "proven") == [("solved", 7102, 7195, False)]
    ended = "+   204: mip =   7.110e+03 <=     tree is empty   0.0% (0; 59)\nINTEGER OPTIMAL SOLUTION FOUND\n"
    found = read(log.format(ended))
    assert said(found, "outcome", "best_value", "dual_bound", "proven") == [("solved", 7110, None, True)]


def test_times_of_a_command_of_lp_solve(read):
    times = "CPU Time for Parsing input: 0.001s (0.001s total since program start)\n"
    times += "CPU Time for solving: 2.5s (2.501s total since program start)\n"
    (trial,) = read(f"{times}\nValue of objective function: 1649.00000000\n").trials
    assert (trial["outcome"], trial["runtime_s"], trial["best_value"]) == ("solved", 2.5, 1649)
    again = times.replace("2.5s", "8.4e-05s")
    found = read(f"{times}\nValue of objective function: 1649\n{again}\nThis problem is infeasible\n", unnamed="number")
    assert said(found, "outcome", "runtime_s") == [("solved", 2.5), ("infeasible", 8.4e-05)]
    without = read("Value of objective function: 3\nx   1\n\nThis problem is unbounded\n", unnamed="number")
    assert without.column("outcome") == ["solved", "unbounded"]


def test_a_model_of_cp_sat_that_is_infeasible_as_it_stands_is_a_run(read):
    """It has no banner."""
    alone = "CpSolverResponse summary:\nstatus: INFEASIBLE\nobjective: NA\nbest_bound: NA\nwalltime: 0\n"
    found = read(CP_SAT + alone, unnamed="number", algorithm="CP-SAT")
    assert said(found, "outcome", "best_value") == [("infeasible", None), ("time_limit", 12)]


SOPLEX = """SoPlex version 7.1.0 [mode: optimized] [precision: 8 byte] [rational: GMP 6.2.1] [githash: 7e2d3a4]

int:verbosity = 3
real:timelimit = 60
int:simplifier = 0

Reading (real) LP file </m/plan.mps.gz> . . .
Reading took 0.01 seconds.

type |   time |   iters | facts |    shift | viol sum | viol num | obj value
  L  |    0.0 |       0 |     3 | 0.00e+00 | 8.00e-01 |        1 | 5.00000000e+00

SoPlex status       : problem is solved [optimal]
Solving time (sec)  : 0.25
Iterations          : 27
Objective value     : -4.64753143e+02
"""


@pytest.mark.parametrize(
    ("says", "outcome", "value"),
    [
        ("problem is solved [optimal]", "solved", -464.753143),
        ("problem is solved [infeasible]", "infeasible", None),
        ("problem is solved [unbounded]", "unbounded", None),
        ("solving aborted [time limit reached]", "time_limit", None),
        ("solving aborted [iteration limit reached]", "limit", None),
        ("error [unspecified]", "error", None),
    ],
)
def test_soplex(read, says, outcome, value):
    names = ("algorithm", "problem", "outcome", "runtime_s", "time_limit_s", "iterations", "best_value")
    found = read(SOPLEX.replace("problem is solved [optimal]", says).replace("0.25", "59.99"))
    assert said(found, *names) == [("SoPlex 7.1.0 (simplifier=0)", "plan", outcome, 59.99, 60, 27, value)]
    for end in (SOPLEX.index("0.25"), SOPLEX.index("Iterations "), SOPLEX.index("Objective value")):
        assert read(SOPLEX[:end]).column("outcome") == ["truncated"]


CUOPT = """Setting parameter time_limit to 6.000000e+01
Setting parameter mip_relative_gap to 1.000000e-04
cuOpt version: 26.2.0, git hash: f73da24d, host arch: x86_64
Solving a problem with 340 constraints, 190 variables (190 integers), and 1010 nonzeros
Status: Optimal   Objective: 1.70000000e+01  Iterations: 120  Time: 0.500s
 | Explored | Unexplored |    Objective    |     Bound     | IntInf | Depth | Iter/Node |   Gap    |  Time  |
H                            +2.500000e+01    +1.700000e+01                                32.0%      1.41
           0            0    +1.745800e+01    +1.700000e+01      224      0   2.4e+03      97.7%      1.68
H                            +2.000000e+01    +1.750000e+01                                12.5%     12.50
Explored 270 nodes in 59.90s.
Optimal solution found.
Solution objective: 20.000000 , relative_mip_gap 0.000000 solution_bound 20.000000 presolve_time 1.5 total_solve_time 59.95 \
max constraint violation 0.000000 nodes 270 simplex_iterations 6926
""".replace("\\\n", "")
CUOPT_LP = """Running file /m/plan.mps
Solving a problem with 27 constraints, 32 variables (0 integers), and 83 nonzeros
Concurrent time:  0.013s
Status: {}   Objective: -3.60000000e-01  Iterations: 12  Time: 0.013s
"""


def test_cuopt(read):
    names = ("algorithm", "outcome", "runtime_s", "time_limit_s", "best_value", "dual_bound", "nodes", "iterations")
    name = "cuOpt 26.2.0 (mip_relative_gap=1.000000e-04)"
    assert said(read(CUOPT), *names) == [(name, "solved", 59.95, 60, 20, 20, 270, 6926)]
    assert course(read(CUOPT).trials[0])[:2] == [(1.41, 25, 17), (12.5, 20, 17.5)]
    late = CUOPT.replace("Optimal solution found.\n", "").replace("bound 20", "bound 18")
    assert said(read(late), *names) == [(name, "time_limit", 59.95, 60, 20, 18, 270, 6926)]
    assert read(late.replace("59.95", "12.00")).column("outcome") == ["unknown"]
    assert read(CUOPT[: CUOPT.index("Solution objective")]).column("outcome") == ["truncated"]


def test_cuopt_without_integers(read):
    names = ("algorithm", "problem", "outcome", "runtime_s", "best_value", "iterations")
    assert said(read(CUOPT_LP.format("Optimal")), *names) == [("cuOpt", "plan", "solved", 0.013, -0.36, 12)]
    assert said(read(CUOPT_LP.format("PrimalInfeasible")), *names) == [("cuOpt", "plan", "infeasible", 0.013, None, 12)]
    assert read(CUOPT_LP.format("DualInfeasible")).column("outcome") == ["unknown"]


CROSSOVER = """Gurobi Optimizer version 13.0.3 build v13.0.3rc0 (linux64)
Optimize a model with 40 rows, 100 columns and 4000 nonzeros (Max)

Barrier solved model in 9 iterations and 0.20 seconds (0.00 work units)
Optimal objective 2.65404643e+03

Crossover log...

       4 DPushes remaining with DInf 0.0000000e+00                 0s

Solved in 4 iterations and 0.50 seconds (0.00 work units)
Optimal objective  2.654047092e+03
"""


def test_a_crossover_that_is_not_at_its_end_is_not_solved(read):
    names = ("outcome", "runtime_s", "best_value")
    assert said(read(CROSSOVER), *names) == [("solved", 0.5, 2654.047092)]
    for line in ("       4 DPushes", "Solved in 4", "Optimal objective  "):
        assert read(CROSSOVER[: CROSSOVER.index(line)]).column("outcome") == ["truncated"]
    alone = CROSSOVER[: CROSSOVER.index("Crossover log")]
    assert said(read(alone), *names) == [("solved", 0.2, 2654.04643)]


def test_a_simplex_method_that_is_stopped_has_no_value(read):
    log = "LP plan has 7 rows; 3 cols; 9 nonzeros\nModel status        : {}\nSimplex   iterations: 12\n"
    log += "Objective value     :  1.2500000000e+02\nHiGHS run time      :          5.02\n"
    assert said(read(log.format("Optimal")), "outcome", "best_value") == [("solved", 125)]
    assert said(read(log.format("Time limit reached")), "outcome", "best_value") == [("time_limit", None)]
    assert said(read(MOSEK_LP), "best_value") == [(282.96047432,)]
    unknown = re.sub("(Problem|Solution) status *: .*", r"\1 status : UNKNOWN", MOSEK_LP)
    assert said(read(unknown), "outcome", "best_value") == [("unknown", None)]


XPRESS_LP = """FICO Xpress v9.9.1, Community, solve started 14:43:19, Nov 22, 2026
{} {} plan using 1 thread and up to 23GB memory, with these control settings:
TIMELIMIT = 60
Presolve finished in 12 seconds
Barrier method finished in 30 seconds
Uncrunching matrix
Optimal solution found
Barrier solved problem
  8 barrier iterations in 18.42 seconds at time 30

Final objective                       : -7.125e+01
"""


@pytest.mark.parametrize(("sense", "kind"), [("Minimizing", "LP"), ("Maximizing", "QP"), ("Minimizing", "QCQP")])
def test_a_time_of_xpress_has_that_before_its_iterations(read, sense, kind):
    found = read(XPRESS_LP.format(sense, kind))
    assert said(found, "outcome", "runtime_s", "best_value", "iterations") == [("solved", 30, -71.25, 8)]
    stop = "STOPPING - MAXTIME limit reached (TIMELIMIT=60.00  time=60.25).\nPresolve finished in 12 seconds\n"
    stopped = XPRESS_LP.format(sense, kind).partition("Presolve finished")[0] + stop
    assert said(read(stopped), "outcome", "runtime_s", "time_limit_s") == [("time_limit", 60.25, 60)]


def test_a_limit_of_iterations_of_copt(read):
    log = re.sub("^Status: [^ ]+ ", "Status: IterLimit ", COPT_LP, flags=re.MULTILINE)
    assert said(read(log), "outcome", "best_value") == [("limit", None)]


def optimal_of_highs():
    return HIGHS.replace("Time limit reached", "Optimal").replace("Dual bound        11079", "Dual bound        10965")


@pytest.mark.parametrize(
    "says",
    [
        "ERROR:   MIP solver claims optimality, but with num/max/sum primal(1/1.00001e-06/1.00001e-06) infeasibilities\n",
        "ERROR:   Setting model status to Solve error\n",
        "WARNING: User scaled problem solved to optimality, but unscaled solution does not satisfy feasibilty and tolerances\n",
    ],
)
def test_what_highs_takes_back_is_not_solved(read, says):
    assert read(optimal_of_highs()).column("outcome") == ["solved"]
    result = read(optimal_of_highs() + says)
    assert (result.column("outcome"), result.first("contradicts_itself")) == (["wrong"], ("run.log", 1))
    assert read(HIGHS + says).column("outcome") == ["time_limit"]


def test_an_optimal_solution_that_is_not_feasible_is_not_solved(read):
    assert read(optimal_of_highs().replace("status   feasible", "status   infeasible")).column("outcome") == ["wrong"]
    solved = SCIP.replace("solving was interrupted [time limit reached]", "problem is solved [optimal solution found]")
    assert read(solved).column("outcome") == ["solved"]
    violated = "  [linear] <c1>: <x1> <= 3;\nviolation: right hand side is violated by 1\n"
    checked = solved.replace("0.91 %\n", f"0.00 %\n{violated}best solution is not feasible in original problem\n")
    assert read(checked).column("outcome") == ["wrong"]


def test_a_library_of_bonmin_is_not_the_one_that_it_calls(read):
    log = "NLP0012I \nNLP0014I             1         OPT 100        0 0\nCbc0004I Integer solution of 100 found (0.02 seconds)\n"
    assert read(log).column("algorithm") == ["Bonmin"]


def test_a_model_that_glpk_cannot_read(read):
    head = "GLPSOL--GLPK LP/MIP Solver 5.0\nReading problem data from 'a/plan.lp'...\n"
    missing = "Unable to open 'a/plan.lp' - No such file or directory\n"
    for says in (missing, "a/plan.lp:2: syntax error\n"):
        result = read(f"{head}{says}CPLEX LP file processing error\n")
        assert (result.column("problem"), result.column("outcome")) == (["plan"], ["error"])
        assert result.counts()["model_not_read"] == 1


def test_a_model_that_is_solved_again_keeps_its_name(read):
    stamped = GUROBI.replace("(Min)\n", "(Min)\nModel fingerprint: 0x1a\n")
    again = stamped.replace("Read MPS format model from file mark.mps\n", "")
    assert read(stamped + again).column("problem") == ["mark", "mark"]
    other = read(stamped + again.replace("0x1a", "0x2b")).column("problem")
    assert other == ["mark", "model 0x2b (4 rows, 38 columns, 127 nonzeros)"]


def test_numbers_are_written_in_plain_digits(read):
    assert read(GLOP.replace("time: 0.00179548", "time: 0.001_7")).column("outcome") == ["truncated"]
    assert read(GLOP.replace("time: 0.00179548", "time: １")).column("runtime_s") == [None]


@pytest.mark.parametrize("name", ALL)
def test_no_beginning_of_a_log_is_solved(tmp_path, name):
    """Nor is it lost: from where the solver is known, the run is there."""
    words = [
        (r"status: FEASIBLE", "status: OPTIMAL"),
        (r"integer feasible", "integer optimal"),
        ("PRIMAL_FEASIBLE", "INTEGER_OPTIMAL"),
    ]
    log = ALL[name]
    for old, new in words:
        log = re.sub(old, new, log)
    enough = {"glop": "deterministic", "mosek": "\n  Primal.", "mosek-lp": "\n  Primal.", "cp-sat": "usertime"}.get(name)
    needed = log.index(enough) if enough else len(log.rstrip("\n")) + 1
    path = tmp_path / "a.log"
    for end in [*range(1, needed - 90, 37), *range(needed - 90, needed, 3), needed - 1]:
        path.write_text(log[:end])
        try:
            report = readers.examine(path, format="mip_log")
        except UserError as error:
            one_sentence(error)
            continue
        assert report["trials"]["solved"] == 0, log[:end]
        assert report["trials"]["found"] == 1


def test_runs_of_one_process(read):
    """The library of CBC says which solver it is once; CP-SAT says so in every run."""
    again = CBC[CBC.index("Starting solution") :]
    result = read(CBC + "\n" + again.replace("13.70", "2.50") + "\n" + again[:400], unnamed="file")
    assert result.column("outcome") == ["solved", "solved", "truncated"]
    assert result.column("runtime_s") == [13.7, 2.5, None]
    assert read(CP_SAT + CP_SAT_MAX, unnamed="file").column("runtime_s") == [0.31, 4.96152]
    assert read(GLOP + GLOP, unnamed="file").column("outcome") == ["solved", "solved"]
    assert read(COPT + COPT_LP[COPT_LP.index("Reading from") :]).column("problem") == ["gain", "plan"]
    assert read(MOSEK + MOSEK_LP, unnamed="file").column("outcome") == ["time_limit", "solved"]


SCIP = """SCIP version 9.2.0 [precision: 8 byte] [memory: block] [mode: optimized] [LP solver: SoPlex 7.1.2] [GitHash: 1]
read problem </m/knap.mps>
feasible solution found by trivial heuristic after 0.0 seconds, objective value 0.000000e+00
presolving:
 time | node  | left  |  dualbound   | primalbound  |  gap   | compl.
p 0.0s|     1 |     0 |-2.770060e+04 |-1.238920e+04 | 123.59%| unknown
  1.4s|     1 |     0 |-1.442723e+04 |-1.238920e+04 |  12.61%| unknown
* 1.5m|    20 |    19 |-1.441049e+04 |-1.422540e+04 |   1.30%| unknown

SCIP Status        : solving was interrupted [time limit reached]
Solving Time (sec) : 600.00
Solving Nodes      : 60
Primal Bound       : -1.42700000000000e+04 (4 solutions)
Dual Bound         : -1.44000000000000e+04
Gap                : 0.91 %
Solution           :
  First Solution   : +0.00000000000000e+00   (in run 1, after 0 nodes, 0.00 seconds, depth 0, found by <trivial>)
  Primal Bound     : -1.42700000000000e+04   (in run 1, after 31 nodes, 222.22 seconds, depth 6, found by <rounding>)
"""
GUROBI = """Gurobi Optimizer version 13.0.3 build v13.0.3rc0 (linux64)
Read MPS format model from file mark.mps
Optimize a model with 4 rows, 38 columns and 127 nonzeros (Min)
Found heuristic solution: objective 3090.0000000

    Nodes    |    Current Node    |     Objective Bounds      |     Work
 Expl Unexpl |  Obj  Depth IntInf | Incumbent    BestBd   Gap | It/Node Time

     0     0    0.00000    0    4          -    0.00000      -     -    0s
H    0     0                      99.0000000    0.00000   100%     -    1s
     0     2    0.00000    0    6   99.00000    2.50000  97.5%   1.7    3s
* 1910   153              33       8.0000000    2.50000  68.8%   2.0   30s
  2000   100     cutoff   20         8.00000    3.00000  62.5%   2.0   31s

Explored 3110 nodes (5743 simplex iterations) in 45.01 seconds (0.16 work units)

Time limit reached
Best objective 8.000000000000e+00, best bound 3.250000000000e+00, gap 59.3750%
"""
XPRESS = """FICO Xpress v9.9.1, Community, solve started 14:43:19, Nov 22, 2026
Maximizing MILP gain     using 1 thread and up to 23GB memory, with these control settings:
TIMELIMIT = 5
 *** Solution found:  10317.00000   Time:   0.02    Heuristic: e ***

Starting root cutting & heuristics

 Its Type    BestSoln    BestBound   Sols    Add    Del     Gap     GInf   Time
a         10734.60000  11510.29052      3                  6.74%       0      0
   1  K   10734.60000  11490.61599      7     15      0    1.47%       5      1

Elapsed time (sec): 2, estimated tree completion: 0.08460

    Node     BestSoln    BestBound   Sols Active  Depth     Gap     GInf   Time
     411  10734.60000  11458.76334      9    181     14    0.45%       7      2
*    956  11407.40000  11458.76334      9    268     23    0.45%       0      4
STOPPING - MAXTIME limit reached (TIMELIMIT=5.00  time=5.04).
 *** Search unfinished ***    Time:     5.04 Nodes:       1056
Final MIP objective                   : 1.140740000000000e+04
Final MIP bound                       : 1.143746986244881e+04
  Solution time / primaldual integral :      5.04s/ 1.121384%
  Number of solutions found / nodes   :         9 /      1056
"""
MIPCL = """MIPCL version 1.3.1
Reading data...
NAME p0033
Start preprocessing: Rows - 12 (Eq - 0, Le - 12, Gr - 0, Rg - 0)
   10.335      1        12583          10            20            0             0
Optimizing...
      Time     Nodes    Leaves   Sols       Best Solution         Lower Bound     Gap%
     9.046         1         1      0                 inf            -20.0000      inf
    71.393       446       157      1            123.0000             -8.9907      inf
    75.348       500       145      2             33.0000             -8.0000      inf
Objective value: 33.0000 - optimality proven
Solution time: 80.461
"""
HIGHS = """Running HiGHS 1.15.1 (git hash: 04024d7): Copyright (c) 2026 under MIT licence terms
MIP has 5 rows; 40 cols; 200 nonzeros; 40 integer variables (40 binary)

        Nodes      |    B&B Tree     |            Objective Bounds              |  Dynamic Constraints |       Work
Src  Proc. InQueue |  Leaves   Expl. | BestBound       BestSol              Gap |   Cuts   InLp Confl. | LpIters     Time

 z       0       0         0   0.00%   inf             -0                 Large        0      0      0         0     0.0s
 S       0       0         0   0.00%   21774           9353             132.80%        0      0      0         0     0.1s
        31      21         6   0.00%   11079.920301    10965              1.05%      303      7    157     1443k     5.0s

Solving report
  Status            Time limit reached
  Primal bound      10965
  Dual bound        11079
  Gap               1.04% (tolerance: 0.01%)
  P-D integral      0.196368093995
  Solution status   feasible
  Timing            5.01
                    0.13 (Presolve)
  Nodes             31
  LP iterations     1443
"""
#: Maximised: it minimises the negated objective, and says so in the last lines alone.
CBC_MAX = """Welcome to the CBC MILP Solver
Version: 2.10.3
command line - cbc gain.lp -sec 10 -solve
Cbc0010I After 0 nodes, 1 on tree, 1e+50 best solution, best possible -30.5 (1.10 seconds)
Cbc0004I Integer solution of -20 found after 12 iterations and 3 nodes (2.50 seconds)
Cbc0010I After 10 nodes, 1 on tree, -20 best solution, best possible -28 (4.00 seconds)

Result - Stopped on time limit

Objective value:                20.00000000
Upper bound:                    27.500
Enumerated nodes:               12
Total time (CPU seconds):       10.00   (Wallclock seconds):       10.01
"""


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (
            SCIP,
            [
                (0, 0, N),
                (0, -12389.2, -27700.6),
                (1.4, -12389.2, -14427.23),
                (90, -14225.4, -14410.49),
                (222.3, -14270, -14410.49),
                (600, -14270, -14400),
            ],
        ),
        (GUROBI, [(0, N, 0), (1, 99, 0), (3, 99, 2.5), (30, 8, 2.5), (31, 8, 3), (45.01, 8, 3.25)]),
        (
            XPRESS,
            [
                (0.02, 10317, N),
                (0.02, 10734.6, 11510.29052),
                (1, 10734.6, 11490.61599),
                (2, 10734.6, 11458.76334),
                (4, 11407.4, 11458.76334),
                (5.04, 11407.4, 11437.46986244881),
            ],
        ),
        (MIPCL, [(9.046, N, -20), (71.393, 123, -8.9907), (75.348, 33, -8)]),
        (HIGHS, [(0, 0, N), (0.1, 9353, 21774), (5, 10965, 11079.920301), (5.01, 10965, 11079)]),
        (CBC_MAX, [(1.1, N, 30.5), (2.5, 20, 30.5), (4, 20, 28), (10.01, 20, 27.5)]),
    ],
    ids=["scip", "gurobi", "xpress", "mipcl", "highs", "cbc"],
)
def test_courses_of_others(read, log, expected):
    result = read(log)
    assert course(result.trials[0]) == expected
    assert not {"course_falls_back", "course_beyond_end"} & set(result.counts())


def test_a_course_that_is_of_something_else_is_not_used(read):
    result = read(GUROBI.replace("Best objective 8.000000000000e+00", "Best objective 9.000000000000e+00"))
    assert result.first("course_beyond_end") == ("run.log", 1)
    assert result.column("course_s") == [None]
    assert result.column("best_value") == [9]


def test_a_course_that_falls_back_keeps_the_best(read):
    result = read(GUROBI.replace("8.00000    3.00000  62.5%", "8.00000    1.00000  87.5%"))
    assert result.counts()["course_falls_back"] == 1
    assert course(result.trials[0])[-2:] == [(30, 8, 2.5), (45.01, 8, 3.25)]


def test_a_run_without_a_table_has_its_end_alone(read):
    log = re.sub(r"\n    Nodes.*?\n\n(?=Explored)", "\n", GUROBI, flags=re.DOTALL)
    assert course(read(log).trials[0]) == [(45.01, 8, 3.25)]


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")
def test_integrals_are_those_that_scip_prints(tmp_path):
    """It prints gaps in percent; the table has fewer moments than it integrates, and tenths of seconds."""
    with tarfile.open(Path(REAL) / "mip-logs/mip-logs.tgz") as tar:
        for name in ("scip400-optimal.out", "scip400-primalintegral-emptyline.out"):
            text = tar.extractfile(next(m for m in tar.getnames() if m.endswith(name))).read()
            (tmp_path / name).write_bytes(text)
            files = [tmp_path / f"{name}.{part}" for part in ("trials", "traces", "report")]
            readers.ingest(tmp_path / name, files, name="w")
            trials = readers.storage.read(files[0], "trials")
            found = costs("primal_dual_integral", trials, None, "m", {})["cost"][0].as_py()
            printed = float(re.search(r"([0-9.]+) primal-dual integral", text.decode()).group(1)) / 100
            assert found == pytest.approx(printed, rel=0.1)


@pytest.mark.parametrize(
    ("counted", "maximise"),
    [
        ("2: 1025 945 ", True),
        ("2: 945 1025 ", False),
        ("10: 9.5 9.25 -9 ... -1e+02", True),
        ("3: -7 -6.5 2", False),
        ("1: 1025 ", False),
        ("2: 7 7 ", False),
        ("0", False),
    ],
)
def test_gurobi_counts_solutions_with_the_best_one_first(read, counted, maximise):
    log = (
        "Gurobi Optimizer version 12.0.3 build v12.0.3rc0 (linux64)\nOptimize a model with 1 rows, 40 columns and 40 nonzeros\n"
        "Explored 0 nodes (0 simplex iterations) in 0.02 seconds (0.00 work units)\n"
        f"\nSolution count {counted}\n\nOptimal solution found (tolerance 1.00e-04)\n"
        "Best objective 1.025000000000e+03, best bound 1.025000000000e+03, gap 0.0000%\n"
    )
    (trial,) = read(log).trials
    assert (trial["outcome"], trial["best_value"], trial["maximise"]) == ("solved", 1025, maximise)
    stated = log.replace("40 nonzeros", "40 nonzeros (Min)")
    assert read(stated).column("maximise") == [False]


def test_a_dialect_is_told_by_what_only_it_prints():
    for log in [*ALL.values(), SCIP, GUROBI, XPRESS, MIPCL, HIGHS, CBC_MAX]:
        assert dialect_of(log)
    assert dialect_of("Optimal solution found.\nStatus: Optimal\nModel fingerprint: 1\n") is None


#: What Couenne prints below its own banner, which people leave out.
COUENNE = """Cbc0012I Integer solution of 6.5 found by Couenne Rounding NLP after 0 iterations and 0 nodes (0.00 seconds)
Cbc0001I Search completed - best objective 6.5, took 0 iterations and 0 nodes (0.00 seconds)

couenne: Optimal

     "Finished"

Total solve time:                        0.003s (0.003s in branch-and-bound)
Lower bound:                                  6.5
Upper bound:                                  6.5  (gap: 0.00%)
Branch-and-bound nodes:                         0
"""
#: What Knitro prints below MATLAB, which indents it.
KNITRO = """         Artelys Knitro 12.4.0

   Objective goal:  Maximize
   EXIT: Locally optimal solution found.

   Final objective value               =  -1.50000000000000e+00
   # of iterations                     =          7
   Total program time (secs)           =       0.25 (     0.092 CPU time)
"""
#: What GLPK prints with its solution, which says what it was to do.
GLPK = """GLPSOL: GLPK LP/MIP Solver, v4.52
Reading model section from p.mod...
GLPK Simplex Optimizer, v4.52
*     2: obj =   2.800000000e+03  infeas =  0.000e+00 (0)
OPTIMAL LP SOLUTION FOUND
Time used:   0.5 secs
Writing basic solution to `/dev/stdout'...
Objective:  obj = 2800 (MAXimum)
"""


@pytest.mark.parametrize(
    ("log", "algorithm", "cost", "value", "maximise"),
    [
        (COUENNE, "Couenne", 0.003, 6.5, False),
        (KNITRO, "Knitro 12.4.0", 0.25, -1.5, True),
        (GLPK, "GLPK 4.52", 0.5, 2800, True),
    ],
)
def test_logs_below_other_programs(read, log, algorithm, cost, value, maximise):
    (trial,) = read(log).trials
    found = (trial["algorithm"], trial["outcome"], trial["cost"], trial["best_value"], trial["maximise"])
    assert found == (algorithm, "solved", cost, value, maximise)


@pytest.mark.parametrize("log", [GUROBI + COPT, COPT + GUROBI, SCIP + CBC, HIGHS + XPRESS])
def test_no_run_of_two_solvers_in_one_file_is_lost(read, log):
    with pytest.raises(UserError, match=r"it has runs of .* and ") as error:
        read(log)
    one_sentence(error.value)


#: What SCIP 10 wrote of a knapsack problem, stopped while it presolved, and of its relaxation.
SCIP_PRESOLVING = """feasible solution found by trivial heuristic after 0.0 seconds, objective value 0.000000e+00
presolving:
   (0.1s) probing: 2/40 (5.0%) - 0 fixings, 0 aggregations, 0 implications, 0 bound changes
   (0.1s) probing aborted: solving stopped
presolving (2 rounds: 2 fast, 2 medium, 2 exhaustive):
 0 implications, 0 cliques, 0 implied integral variables (0 bin, 0 int, 0 cont)
presolving was interrupted.
Presolving Time: 0.09

SCIP Status        : solving was interrupted [time limit reached]
Solving Time (sec) : 0.09
Solving Nodes      : 0
Primal Bound       : +0.00000000000000e+00 (1 solutions)
"""
SCIP_LP = """feasible solution found by trivial heuristic after 0.0 seconds, objective value 0.000000e+00
presolving:
Presolving Time: 0.03

 time | node  | left  |LP iter|LP it/n|mem/heur|  dualbound   | primalbound  |  gap   | compl.
* 0.1s|     1 |     0 |    21 |     - |    LP  | 9.771575e+02 | 9.771575e+02 |   0.00%| unknown
  0.1s|     1 |     0 |    21 |     - |  1280k | 9.771575e+02 | 9.771575e+02 |   0.00%| unknown

SCIP Status        : problem is solved [optimal solution found]
Solving Time (sec) : 0.09
Solving Nodes      : 1
Primal Bound       : +9.77157509768824e+02 (2 solutions)
Dual Bound         : +9.77157509768824e+02
Gap                : 0.00 %
"""
#: What COPT 8 wrote of the same problem with a limit of 10 ms; its API returned the status 8, a timeout.
COPT_PRESOLVING = """Setting parameter 'TimeLimit' to 0.01
Model fingerprint: 4194c387

Using Cardinal Optimizer v8.0.7 (e9a62f7d0e) on Linux (x86_64)
Maximizing a MIP problem

Starting the MIP solver with 2 threads and 4 tasks

Presolving the problem


Best solution   : -inf
Best bound      : +inf
Best gap        : +inf
Solve time      : 0.04
Solve node      : 0
MIP status      : stopped
Solution status : unknown
"""


def test_runs_that_are_stopped_while_they_presolve_have_an_end(read):
    stopped = read(SCIP_PRESOLVING)
    assert (stopped.column("outcome"), stopped.column("best_value"), stopped.column("runtime_s")) == (["time_limit"], [0], [0.09])
    # without its end, the log was cut
    assert read(SCIP_PRESOLVING[: SCIP_PRESOLVING.index("Primal Bound")]).column("outcome") == ["truncated"]
    stopped = read(COPT_PRESOLVING)
    assert (stopped.column("outcome"), stopped.column("time_limit_s"), stopped.column("runtime_s")) == (
        ["time_limit"],
        [0.01],
        [0.04],
    )
    assert read(COPT_PRESOLVING.replace("0.01\n", "10\n")).column("outcome") == ["unknown"]  # by whom, it does not say


def test_values_that_rise_are_of_a_model_that_is_maximised(read):
    solved = read(SCIP_LP)
    assert (solved.column("maximise"), solved.column("best_value")) == ([True], [977.157509768824])
    assert course(solved.trials[0])[0] == (0, 0, N)
    assert not {"course_falls_back", "course_beyond_end"} & set(solved.counts())
    turned = SCIP_LP.replace("9.771575", "-9.771575").replace("+9.77157", "-9.77157")
    assert read(turned).column("maximise") == [False]


def test_usual_limits():
    """Whole minutes or hundreds of seconds; of runs that hit no limit the longest counts, and one alone says nothing."""
    times = np.linspace(1, 1990, 25)
    nothing = np.zeros(0)
    assert solver_runs.usual_limit(nothing, times) == 2000
    assert solver_runs.usual_limit(nothing, times[-1:]) is None
    assert solver_runs.usual_limit(nothing, np.linspace(1, 1300, 25)) is None  # half an hour is far, twenty minutes are over
    assert solver_runs.usual_limit(np.array([3601.5, 3600.2, 12.0]), times) == 3600
    found = {
        solver_runs.usual_limit(np.array([second]), nothing)
        for second in (*range(50, 4000), *range(7000, 7500), *range(86_000, 87_000))
    } - {None}
    assert {60, 300, 600, 1800, 2000, 3600, 7200, 86400} <= found
    assert all(limit % 60 == 0 or limit % 100 == 0 for limit in found)


def test_what_is_optimal_within_a_wide_gap_claims_no_optimum(read, tmp_path):
    wide = GUROBI.replace("Time limit reached", "Optimal solution found (tolerance 6.00e-01)")
    known = tmp_path / "known.solu"
    known.write_text("=opt= mark 7\n")
    for log, proven, outcome in ((wide, False, "solved"), (wide.replace("bound 3.25", "bound 8.00"), True, "wrong")):
        (trial,) = read(log, best_known=str(known)).trials
        assert (trial["proven"], trial["outcome"]) == (proven, outcome)
