"""Logs of COPT, the Cardinal Optimizer."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome


def parse(log: Log) -> Run:
    """Return what the log of a run says: a problem with integers has a summary, any other one line."""
    run = log.run(
        version=r"Cardinal Optimizer v(\d+(?:\.\d+)*)",
        problem=r"^Reading from '([^'\n]+)'",
        value=r"^Best solution +: (\S+)$",
        bound=r"^Best bound +: (\S+)$",
        time=r"^Solve time +: (\S+)$",
        nodes=r"^Solve node +: (\d+)$",
    )
    run.maximise = log.says(r"^(Minimizing|Maximizing) an? ", "Maximizing")
    run.take(log.pairs(r"^Setting parameter '(\w+)' to (\S+)$"), "Log.*", limit="TimeLimit")
    linear = log.last(r"^Status: (.+?)  Objective: (\S+)  Iterations: (\d+)(?:\(\d+\))?  Time: (\S+)s$")
    if linear:
        run.verdict, run.iterations, run.time = outcome(linear[1]), number(linear[3]), number(linear[4])
        run.value = number(linear[2]) if run.verdict == "solved" else np.nan
        return run
    status = log.last(r"^MIP status +: (.+)\nSolution status +: (.+)$")
    if status and not np.isnan(run.time):
        proven = re.match(r"integer optimal|infeasible|unbounded", status[2])
        run.verdict = outcome(status[2] if proven else status[1])
        if not proven and status[1] == "stopped" and run.time >= run.limit:  # while it presolves, it does not say why
            run.verdict = "time_limit"
    # Nodes Active LPit/n IntInf BestBound BestSolution Gap Time
    found = log.rows(r"^[A-Za-z*]? *\d+ +\d+ +\S+ +\S+ +\S+ +\S+ +\S+ +[0-9.]+s$")
    run.course = course((number(row[-1].rstrip("s")), number(row[-3]), number(row[-4])) for row in found)
    return run


DIALECT = Dialect(
    "COPT",
    lines(r"^(?:(?:Using )?Cardinal Optimizer v\d|Starting the MIP solver with \d+ threads and \d+ tasks|MIP status +: )"),
    lines(r"^(?:Cardinal Optimizer v\d|Reading from '|Model fingerprint: )"),
    lines(r"^(?:Minimizing|Maximizing) an? "),
    parse,
    unread=lines(
        r"^.*\b(?:[Ee]rror|ERROR|[Ff]ail(?:ed|ure)?|(?:[Cc]annot|[Uu]nable to|[Cc]ould not) (?:open|read|load)|[Nn]ot found)\b.*$"
    ),
)
