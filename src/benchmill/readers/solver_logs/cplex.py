"""Logs of CPLEX."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = Run(version=log.word(r"CPLEX\(R\) Interactive Optimizer (\S+)") or log.word(r"^Version identifier: (\S+)"))
    run.version = run.version or log.word(r"^Log started \(V(\d[0-9.]*)\)")
    run.problem = log.word(r"Problem '([^'\n]+)' read\.")
    time = log.last(r"^Solution time =\s+(\S+) sec\.\s+Iterations = (\d+)(?:\s+Nodes = (\d+))?")
    if time:
        run.time, run.iterations, run.nodes = number(time[1]), number(time[2]), number(time[3])
        before = Log(log[: time.start()])
        words = before.last(r"^(?:CPLEX> )?((?:MIP|(?:Dual|Primal) simplex|Barrier|Presolve|Sifting|Network) - .+)$")
        if words:
            run.verdict = outcome(words[1].partition(":  Objective")[0])
            value = re.search(r"Objective =\s+(\S+)", words[1])
            run.value = number(value[1]) if value else np.nan
        run.bound = log.of(r"^Current MIP best bound =\s+(\S+)")
    else:
        _of_library(log, run)
    run.course = course(_moments(log, run.time))
    run.limit = log.of(r"^(?:CPLEX> )?(?:CPXPARAM_TimeLimit\s+|New value for time limit in seconds: )(\S+)$")
    sense = log.word(r"(?:(?:Selected|Specified) objective sense:|^Objective sense\s*:)\s+(MINIMIZE|MAXIMIZE|Minimize|Maximize)$")
    run.maximise = None if sense is None else sense.upper() == "MAXIMIZE"
    stated = log.pairs(r"^(?:CPLEX> )?CPXPARAM_(\w+)\s+(\S+)$")
    run.take(stated, "TimeLimit|DetTimeLimit|ClockType|MIP_Display|Output_CloneLog", seed="RandomSeed")
    return run


_STATUS = (
    r"^(?:Solution status *[:=] *)?((?:integer )?optimal\b.*|(?:integer )?(?:infeasible|unbounded)\b.*|aborted.*"
    r"|(?:(?:deterministic )?time|node|memory|solution) limit exceeded.*)$"
)


def _of_library(log: Log, run: Run) -> None:
    time = log.last(r"^Total \(root\+branch&cut\) = +(\S+) sec\.")
    if time:
        run.time = _decimal(time[1])
        status = Log(log[time.end() :]).last(_STATUS)
        run.verdict = outcome(status[1]) if status else None
        found = course(_moments(log, run.time))
        values, bounds = found[np.isfinite(found[:, 1]), 1], found[np.isfinite(found[:, 2]), 2]
        run.value = values[-1] if values.size else np.nan
        run.bound = bounds[-1] if bounds.size and run.verdict != "solved" else np.nan


def _decimal(text: str) -> float:
    return number(text.replace(",", "."))


def _moments(log: Log, end: float) -> Iterator[tuple[float, float, float]]:
    waiting: list[tuple[float, float]] = []
    for line, cells in log.table(r"^( +Node +Left +Objective +IInf) +Best Integer", ("Best Integer", "Best Bound")):
        if cells and re.match(r"^[* ] *\d+\+? +\d+ ", line):
            value, bound = (_decimal(cell) for cell in cells)
            waiting.append((value, bound))
        elif time := re.match(r"Elapsed time = +(\S+) sec\.", line):
            yield from ((_decimal(time[1]), *moment) for moment in waiting)
            waiting = []
        elif found := re.match(r"Found incumbent of value (\S+) after (\S+) sec\.", line):
            yield _decimal(found[2]), _decimal(found[1]), np.nan
    yield from ((end, *moment) for moment in waiting)


DIALECT = Dialect(
    "CPLEX",
    lines(
        r"^(?:Welcome to IBM\(R\) ILOG\(R\) CPLEX|Log started \(V\d|Version identifier: \d|CPLEX> |CPXPARAM_\w+ +\S"
        r"|.*\bCPLEX Error +\d+: )"
    ),
    lines(
        r"^(?:Welcome to IBM\(R\) ILOG\(R\) CPLEX|Log started \(V\d|Version identifier: \d|(?:CPLEX> )?Problem '[^'\n]+' read)"
    ),
    lines(r"^(?:Solution time =|Tried aggregator|Reduced (?:MIP|LP) has|Iteration log|Presolve time =)"),
    parse,
    unread=lines(r"^(?:CPLEX> )?CPLEX Error +\d+: .*(?:[Ff]ile|open) '(?P<file>[^'\n]+)'.*$"),
)
