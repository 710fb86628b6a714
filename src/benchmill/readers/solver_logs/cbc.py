"""Logs of CBC."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import MADE_UP, Dialect, Log, Run, course, lines, number, outcome


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = log.run(
        version=r"^Version:\s+(\S+)",
        problem=r"\s-import (\S+)",
        limit=r"^(?:seconds|timeLimit|maxSeconds) was changed from \S+ to (\S+)$",
    )
    if run.problem is None:
        file = log.word(r"^command line - .*?([^\s\"]+\.(?:mps|lp)(?:\.(?:gz|bz2))?)\"?(?: |$)")
        name = log.word(r"^Problem (\S+) has \d+ rows")
        own = [n for n in (file, name) if n and not MADE_UP.search(n)]
        run.problem = own[0] if own else None
    words = log.word(r"^Result - (.+)$")
    time = log.last(r"^Total time \(CPU seconds\):\s+(\S+)\s+\(Wallclock seconds\):\s+(\S+)$")
    if time:
        run.time = number(time[2])
        if words:
            run.verdict = outcome(words)
            # Stopped while it cleans up its solution, CBC 2.10 says infeasible of a problem that it has solutions of.
            if run.verdict == "infeasible" and log.last(r"^Cbc00(?:04|12|16)I Integer solution of"):
                run.verdict = "wrong"
        elif log.last(r"^Optimal (?:-|objective)") and "Starting MIP optimization" not in log:
            run.verdict = "solved"
        elif verdict := log.first_of({"^Problem is infeasible": "infeasible", "^Problem is unbounded": "unbounded"}):
            run.verdict = verdict
        elif log.last(r"^Pre-processing says infeasible or unbounded"):
            # with a bounded relaxation it cannot be unbounded
            run.verdict = "infeasible" if log.last(r"^Continuous objective value is") else "unknown"
        else:
            _searched(log, run)
    for name, pattern in _RESULTS.items():
        if np.isnan(getattr(run, name)):
            setattr(run, name, log.of(pattern))
    run.maximise = True if log.last(r"^Upper bound:") else None
    stated = log.pairs(r"^(?:Option for )?(\w+) (?:was )?changed from \S+ to (\S+)$")
    run.take(stated, "seconds|timeLimit|maxSeconds|timeMode|logLevel", seed="(?i)random(?:cbc)?seed")
    run.course = course(log.matches(_MOMENTS))
    values = run.course[np.isfinite(run.course[:, 1]), 1]
    if run.maximise and values.size and abs(values[-1] + run.value) < abs(values[-1] - run.value):
        run.course[:, 1:] *= -1  # it minimises the negated objective
    return run


_RESULTS = {
    "value": r"^(?:Objective value:\s+|Optimal - objective value |Optimal objective )(\S+)",
    "bound": r"^(?:Lower|Upper) bound:\s+(\S+)$",
    "nodes": r"^Enumerated nodes:\s+(\d+)$",
    "iterations": r"^Total iterations:\s+(\d+)$",
}
#: Nodes, and solutions.
_MOMENTS = (
    r"^Cbc00(?:10I After \d+ nodes, \d+ on tree, (?P<p>\S+) best solution, best possible (?P<d>\S+)"
    r"|(?:04|12|16)I Integer solution of (?P<q>\S+) found .*) \((?P<t>[0-9.]+) seconds\)"
)


def _searched(log: Log, run: Run) -> None:
    ended = log.last(
        r"^Cbc00(01I Search completed|05I Partial search) - best objective (\S+?),?(?: \(best possible (\S+)\),)? took (\d+) "
        r"iterations and (\d+) nodes"
    )
    if ended is None:
        linear = log.last(r"^Clp0032I Optimal objective (\S+)")
        if linear and "Starting MIP optimization" not in log:
            run.verdict, run.value = "solved", number(linear[1])
        return
    run.value, run.bound = number(ended[2]), number(ended[3])
    run.iterations, run.nodes = number(ended[4]), number(ended[5])
    if ended[1].startswith("01I"):
        run.verdict = "infeasible" if np.isnan(run.value) else "solved"
    elif stopped := log.last(r"^Cbc00\d\dI Exiting on (.+)"):
        run.verdict = "time_limit" if "time" in stopped[1] else "limit"
    else:
        run.verdict = "unknown"


DIALECT = Dialect(
    "CBC",
    lines(r"^(?:Welcome to the CBC MILP Solver|C(?:bc|gl)\d{4}[IWE] )"),
    lines(r"^Welcome to the CBC MILP Solver"),
    None,
    parse,
    unread=lines(
        r"^(?:(?:Unable to|Could not|Cannot) (?:open|read)|There were -?\d+ errors on input|\*\* Current model not valid"
        r"|.*[Nn]o such file).*$"
    ),
    again=(lines(r"^Total time \(CPU seconds\):"), lines(r"^Starting solution of the Linear programming relaxation")),
)
