"""Logs of CPLEX."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Run, course, last, lines, number, of, outcome, table, whole, word


def parse(text: str) -> Run:
    """What the log of a run says."""
    run = Run(version=word(r"CPLEX\(R\) Interactive Optimizer (\S+)", text) or word(r"^Version identifier: (\S+)", text))
    run.problem = word(r"Problem '([^'\n]+)' read\.", text)
    time = last(r"^Solution time =\s+(\S+) sec\.\s+Iterations = (\d+)(?:\s+Nodes = (\d+))?", text)
    if time:
        run.time, run.iterations, run.nodes = number(time[1]), number(time[2]), number(time[3])
        before = text[: time.start()]
        words = last(r"^(?:CPLEX> )?((?:MIP|(?:Dual|Primal) simplex|Barrier|Presolve|Sifting|Network) - .+)$", before)
        if words:
            run.verdict = outcome(words[1].partition(":  Objective")[0])
            value = re.search(r"Objective =\s+(\S+)", words[1])
            run.value = number(value[1]) if value else np.nan
        run.bound = of(r"^Current MIP best bound =\s+(\S+)", text)
    else:
        _of_library(text, run)
    run.course = course(_moments(text, run.time))
    run.limit = of(r"^(?:CPLEX> )?(?:CPXPARAM_TimeLimit\s+|New value for time limit in seconds: )(\S+)$", text)
    sense = word(
        r"(?:(?:Selected|Specified) objective sense:|^Objective sense\s*:)\s+(MINIMIZE|MAXIMIZE|Minimize|Maximize)$", text
    )
    run.maximise = None if sense is None else sense.upper() == "MAXIMIZE"
    for key, value in re.findall(r"^(?:CPLEX> )?CPXPARAM_(\w+)\s+(\S+)$", text, re.MULTILINE):
        if key == "RandomSeed":
            run.seed = whole(value)
        elif key not in ("TimeLimit", "DetTimeLimit", "ClockType", "MIP_Display", "Output_CloneLog"):
            run.settings[key] = value
    return run


_STATUS = (
    r"^(?:Solution status *[:=] *)?((?:integer )?optimal\b.*|(?:integer )?(?:infeasible|unbounded)\b.*|aborted.*"
    r"|(?:(?:deterministic )?time|node|memory|solution) limit exceeded.*)$"
)


def _of_library(text: str, run: Run) -> None:
    """What the log of the library says, which ends in a time: how the run ended stands there if the caller prints its status."""
    time = last(r"^Total \(root\+branch&cut\) = +(\S+) sec\.", text)
    if time:
        run.time = _decimal(time[1])
        status = last(_STATUS, text[time.end() :])
        run.verdict = outcome(status[1]) if status else None
        found = course(_moments(text, run.time))
        values, bounds = found[np.isfinite(found[:, 1]), 1], found[np.isfinite(found[:, 2]), 2]
        run.value = values[-1] if values.size else np.nan
        run.bound = bounds[-1] if bounds.size and run.verdict != "solved" else np.nan


def _decimal(text: str) -> float:
    """A number, which the library prints with a comma in some countries."""
    return number(text.replace(",", "."))


def _moments(text: str, end: float) -> Iterator[tuple[float, float, float]]:
    """The lines of the table, at the time that stands below them."""
    waiting: list[tuple[float, float]] = []
    for line, cells in table(r"^( +Node +Left +Objective +IInf) +Best Integer", ("Best Integer", "Best Bound"), text):
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
    lines(r"^(?:Welcome to IBM\(R\) ILOG\(R\) CPLEX|Version identifier: \d)"),
    lines(r"^(?:Welcome to IBM\(R\) ILOG\(R\) CPLEX|Version identifier: \d|(?:CPLEX> )?Problem '[^'\n]+' read)"),
    lines(r"^(?:Solution time =|Tried aggregator|Reduced (?:MIP|LP) has|Iteration log|Presolve time =)"),
    parse,
)
