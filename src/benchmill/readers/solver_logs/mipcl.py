"""Logs of MIPCL."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome

_VERDICTS = {
    r"^This problem is infeasible": "infeasible",
    r"^This problem is unbounded": "unbounded",
    r"^(?:Time limit|.*time limit).*$": "time_limit",
}


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = log.run(
        version=r"^MIPCL version (\S+)$",
        problem=r"^NAME\s+(\S+)",
        time=r"^Solution time: (\S+)$",
        nodes=r"^Branch-and-Cut nodes: (\d+)$",
        bound=r"^(?:Lower|Upper)[- ]bound:?\s+(\S+)$",
        limit=r"\s-time (\S+)",
    )
    value = log.last(r"^Objective value:\s+(\S+)(?: - (.+))?$")
    if not np.isnan(run.time):
        if value and value[2]:
            run.verdict = "solved" if "proven" in value[2] else outcome(value[2])
        else:
            run.verdict = log.first_of(_VERDICTS)
    run.value = number(value[1]) if value else np.nan
    run.take(log.pairs(r"\s-(threads) (\S+)"), "")
    found = (row for row in log.rows(r"^ +\d+\.\d+ +\d+ +\d+ +\d+ +(?:inf|-?\d+\.\d+) ") if len(row) == 7)
    run.course = course((number(row[0]), number(row[4]), number(row[5])) for row in found)
    return run


DIALECT = Dialect(
    "MIPCL", lines(r"^(?:MIPCL version|Start preprocessing: Rows - \d)"), lines(r"^Reading data\.\.\."), None, parse
)
