"""Logs of COPT, the Cardinal Optimizer."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Run, course, last, lines, number, of, outcome, rows, word


def parse(text: str) -> Run:
    """What the log of a run says: a problem with integers has a summary, any other one line."""
    run = Run(version=word(r"Cardinal Optimizer v(\d+(?:\.\d+)*)", text), problem=word(r"^Reading from '([^'\n]+)'", text))
    sense = word(r"^(Minimizing|Maximizing) an? ", text)
    run.maximise = None if sense is None else sense == "Maximizing"
    for key, value in re.findall(r"^Setting parameter '(\w+)' to (\S+)$", text, re.MULTILINE):
        if key == "TimeLimit":
            run.limit = number(value)
        elif not key.startswith("Log"):
            run.settings[key] = value
    linear = last(r"^Status: (.+?)  Objective: (\S+)  Iterations: (\d+)(?:\(\d+\))?  Time: (\S+)s$", text)
    if linear:
        run.verdict, run.iterations, run.time = outcome(linear[1]), number(linear[3]), number(linear[4])
        run.value = number(linear[2]) if run.verdict == "solved" else np.nan
        return run
    run.value, run.bound = of(r"^Best solution +: (\S+)$", text), of(r"^Best bound +: (\S+)$", text)
    run.time, run.nodes = of(r"^Solve time +: (\S+)$", text), of(r"^Solve node +: (\d+)$", text)
    status = last(r"^MIP status +: (.+)\nSolution status +: (.+)$", text)
    if status and not np.isnan(run.time):
        proven = re.match(r"integer optimal|infeasible|unbounded", status[2])
        run.verdict = outcome(status[2] if proven else status[1])
        if not proven and status[1] == "stopped" and run.time >= run.limit:  # while it presolves, it does not say why
            run.verdict = "time_limit"
    # Nodes Active LPit/n IntInf BestBound BestSolution Gap Time
    found = rows(r"^[A-Za-z*]? *\d+ +\d+ +\S+ +\S+ +\S+ +\S+ +\S+ +[0-9.]+s$", text)
    run.course = course((number(row[-1].rstrip("s")), number(row[-3]), number(row[-4])) for row in found)
    return run


DIALECT = Dialect(
    "COPT",
    lines(r"^(?:Cardinal Optimizer v\d|Using Cardinal Optimizer v\d)"),
    lines(r"^(?:Cardinal Optimizer v\d|Reading from '|Model fingerprint: )"),
    lines(r"^(?:Minimizing|Maximizing) an? "),
    parse,
)
