"""Logs in the words of competitions of SAT, PB, MaxSAT and XCSP solvers, alone and below their watcher, and of CP Optimizer."""

import pytest

from tests.readers.making import Result, folder
from tests.readers.test_solver_logs import said

#: What a watcher prints before and after a solver.
WATCHED = """This is runsolver version 3.4.0 (svn: 3055)

command line: ./runsolver --timestamp -C {cpu} -W 400 ./alpha shop.xml

Enforcing CPUTime limit (soft limit, will send SIGTERM then SIGKILL): {cpu} seconds
Enforcing CPUTime limit (hard limit, will send SIGXCPU): 330 seconds
Enforcing wall clock limit (soft limit, will send SIGTERM then SIGKILL): 400 seconds

{log}
{says}
Child status: 0
Real time (s): 12.5
CPU time (s): 48.25
CPU user time (s): 48
"""
OPTIMAL = """0.12/0.05	c Alpha, a solver
0.20/0.11	o 45
1.90/1.02	o 44
48.00/12.40	s OPTIMUM FOUND
48.10/12.45	v x1 -x2
"""
PLAIN = "c Alpha\no 45\no 44\ns OPTIMUM FOUND\nv x1 -x2\n"


@pytest.fixture
def read(tmp_path):
    def read(log, name="shop.log", **options):
        return Result(folder(tmp_path / "in", {name: log}), tmp_path / "out", algorithm="Alpha", **options)

    return read


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ("solved", 44, True)),
        ("OPTIMUM FOUND", "SATISFIABLE", ("limit", 44, True)),
        ("o 45\no 44\ns OPTIMUM FOUND", "s SATISFIABLE", ("solved", None, True)),
        ("o 45\no 44\ns OPTIMUM FOUND", "s UNSATISFIABLE", ("infeasible", None, True)),
        ("OPTIMUM FOUND", "UNKNOWN", ("unknown", 44, True)),
        ("o 45\no 44\ns OPTIMUM FOUND", "s UNSUPPORTED", ("error", None, True)),
        ("s OPTIMUM FOUND\nv x1 -x2\n", "", ("truncated", 44, True)),
        ("s OPTIMUM FOUND\nv x1 -x2\n", "Killed\n", ("error", 44, True)),
        ("s OPTIMUM FOUND\nv x1 -x2\n", "c caught signal 11 (SIGSEGV)\n", ("error", 44, True)),
        ("s OPTIMUM FOUND\nv x1 -x2\n", "c caught signal 15 (SIGTERM)\n", ("stopped", 44, True)),
        ("s OPTIMUM FOUND\nv x1 -x2\n", "c caught signal 14 (SIGALRM)\nc UNKNOWN\n", ("time_limit", 44, True)),
    ],
)
def test_statuses(read, old, new, expected):
    assert said(read(PLAIN.replace(old, new)), "outcome", "best_value", "proven") == [expected]


def test_the_limit_of_the_watcher_says_which_time_counts(read):
    names = ("outcome", "runtime_s", "time_limit_s", "best_value", "course_s")
    stated = WATCHED.format(cpu=300, log=OPTIMAL, says="")
    assert said(read(stated), *names) == [("solved", 48.25, 300, 44, [0.11, 1.02])]
    wall = WATCHED.format(cpu=0, log=OPTIMAL, says="")
    assert said(read(wall), *names) == [("solved", 12.5, 400, 44, [0.11, 1.02])]


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("Maximum CPU time exceeded: sending SIGTERM then SIGKILL", "time_limit"),
        ("Maximum wall clock time exceeded: sending SIGTERM then SIGKILL", "time_limit"),
        ("Maximum memory exceeded: sending SIGTERM then SIGKILL", "memory_limit"),
        ("Child ended because it received signal 11 (SIGSEGV)", "error"),
        ("", "truncated"),
    ],
)
def test_a_run_that_the_watcher_ends(read, says, outcome):
    log = OPTIMAL[: OPTIMAL.index("48.00")]
    assert said(read(WATCHED.format(cpu=300, log=log, says=says)), "outcome", "best_value") == [(outcome, 44)]


def test_an_answer_after_the_limit_is_none(read):
    says = "Maximum CPU time exceeded: sending SIGTERM then SIGKILL"
    assert read(WATCHED.format(cpu=40, log=OPTIMAL, says=says)).column("outcome") == ["time_limit"]


def test_values_that_rise_are_of_a_problem_that_is_maximised(read):
    assert said(read(PLAIN.replace("o 44", "o 46")), "best_value", "maximise") == [(46, True)]
    assert said(read(PLAIN), "best_value", "maximise") == [(44, False)]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (
            "c --- [ banner ] ------\nc Beta SAT Solver\nc reading DIMACS file from '/m/queens.cnf'\n"
            "c setting time limit to 2 seconds\n{}\nc total real time since initialization:    2.00    seconds\n",
            ("queens", 2.0, 2.0),
        ),
        (
            "c ---- [ banner ] ----\nc\nc Gamma SAT Solver\nc opened and reading DIMACS file:\nc\nc   /m/queens.cnf\nc\n{}\n"
            "c process-time:   3m 5s       185.20 seconds\n",
            ("queens", 185.2, None),
        ),
        (
            "=====[ Problem Statistics ]=====\n|  Number of variables:  150  |\nCPU time              : 1.5 s\n\n{}\n",
            ("shop", 1.5, None),
        ),
        ("clingo version 5.7.1\nReading from queens.lp\nSolving...\n{}\n\nTime         : 0.25s (Solving)\nCPU Time     : 0.2s\n",
         ("queens", 0.25, None)),
    ],
)  # fmt: skip
def test_times_and_problems_of_solvers(read, log, expected):
    found = read(log.format("s UNSATISFIABLE" if log.startswith("c ") else "UNSATISFIABLE"))
    assert said(found, "outcome", "problem", "runtime_s", "time_limit_s") == [("infeasible", *expected)]


def test_unknown_at_the_limit_is_a_time_limit(read):
    log = "c Beta SAT Solver\nc setting time limit to 2 seconds\nc UNKNOWN\nc total real time since initialization:  {} seconds\n"
    assert read(log.format("2.01")).column("outcome") == ["time_limit"]
    assert read(log.format("1.50")).column("outcome") == ["unknown"]


def test_results_one_below_the_other_are_asked_about(read):
    with pytest.raises(Exception, match="2 runs of this file are of models without a name"):
        read(PLAIN + PLAIN)
    assert said(read(PLAIN + PLAIN.replace("OPTIMUM FOUND", "UNKNOWN"), unnamed="number"), "problem", "outcome") == [
        ("1", "solved"),
        ("2", "unknown"),
    ]


def test_runs_with_a_banner_in_one_file_keep_their_times(read):
    log = "=====[ Problem Statistics ]=====\n| Number of variables: 150 |\nCPU time     : {} s\n\n{}\n"
    found = read(log.format("1.5", "SATISFIABLE") + log.format("9.5", "UNSATISFIABLE"), unnamed="number")
    assert said(found, "outcome", "runtime_s") == [("solved", 1.5), ("infeasible", 9.5)]


def test_which_solver_ran_is_asked(tmp_path):
    with pytest.raises(Exception, match="does not say which solver ran"):
        Result(folder(tmp_path / "in", {"shop.log": PLAIN}), tmp_path / "out")


@pytest.mark.parametrize("log", [WATCHED.format(cpu=300, log=OPTIMAL, says=""), PLAIN])
def test_no_beginning_of_a_log_is_solved(tmp_path, log):
    """A log cut before the line of its status is not."""
    for end in range(20, log.index("OPTIMUM"), 7):
        path = folder(tmp_path / str(end), {"shop.log": log[:end]})
        try:
            result = Result(path, tmp_path / "out", algorithm="Alpha", format="mip_log")
        except Exception:  # no line shows what it is
            continue
        assert "solved" not in result.column("outcome")


CP_OPTIMIZER = """ ! --------------------------------------------------- CP Optimizer 22.1.1.0 --
 ! Maximization problem - 63 variables, 55 constraints
 ! TimeLimit            = 30
 ! FailLimit            = 100
 ! RandomSeed           = 7
 ! LogPeriod            = 100000
 ! Initial process time : 0.00s (0.00s extraction + 0.00s propagation)
 ! ----------------------------------------------------------------------------
 !          Best Branches  Non-fixed            Branch decision
 + New bound is 52
 *            40      113  0.02s        2      (gap is 30.00%)
 *            48     2.1k  9.50s               (gap is 8.33%)
              48     3000          1            246  = startOf(x)
 ! ----------------------------------------------------------------------------
 ! Search terminated by limit, 2 solutions found.
 ! Best objective         : 48 (gap is 8.33%)
 ! Best bound             : 52
 ! ----------------------------------------------------------------------------
 ! Number of branches     : 3777
 ! Time spent in solve    : 29.99s (29.98s engine + 0.01s extraction)
"""


def test_cp_optimizer(tmp_path):
    def read(old="", new=""):
        return Result(folder(tmp_path / "in", {"shop.log": CP_OPTIMIZER.replace(old, new)}), tmp_path / "out")

    names = ("algorithm", "seed", "outcome", "runtime_s", "time_limit_s", "best_value", "dual_bound", "maximise")
    assert "not_bare" not in read().counts()
    assert said(read(), *names) == [("CP Optimizer 22.1.1.0 (FailLimit=100)", 7, "time_limit", 29.99, 30, 48, 52, True)]
    assert said(read(), "course_s", "course_value") == [([0.02, 9.5, 29.99], [40, 48, 48])]
    assert read("29.99s", "12.50s").column("outcome") == ["limit"]
    assert read("terminated by limit", "completed").column("outcome") == ["solved"]
    assert said(read("terminated by limit", "completed"), "proven") == [(False,)]
    assert read("terminated by limit, 2 solutions found", "completed, model has no solution").column("outcome") == ["wrong"]
    stamped = "".join(f"[{number}] {row}\n" for number, row in enumerate(CP_OPTIMIZER.splitlines(), 8))
    assert said(read(CP_OPTIMIZER, stamped), *names) == said(read(), *names)
    assert read("29.99s (", "29,99s (").column("outcome") == ["truncated"]
    for end in range(200, CP_OPTIMIZER.index("29.99s"), 40):
        assert read(CP_OPTIMIZER[end:]).column("outcome") == ["truncated"]


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("normally, optimal found (tol. = 0)", "solved"),
        ("normally, solution found", "solved"),
        ("normally, no solution found", "infeasible"),
        ("by limit, solution found", "limit"),
    ],
)
def test_cp_optimizer_before_it_told_of_its_best_objective(tmp_path, says, outcome):
    log = f""" ! --------------------------------------------------- CP Optimizer 12.4.0.0 --
 ! Minimization problem - 63 variables, 55 constraints
 ! Search terminated, replaying optimal solution
 ! Solution status        : Terminated {says}
 ! Time spent in solve    : 3.63 (3.63 engine + 0.00 extraction)

OBJECTIVE: 7
"""
    log = log if outcome != "infeasible" else log.replace("OBJECTIVE: 7\n", "")
    found = Result(folder(tmp_path / "in", {"shop.log": log}), tmp_path / "out")
    assert said(found, "outcome", "runtime_s", "best_value") == [(outcome, 3.63, None if outcome == "infeasible" else 7)]
