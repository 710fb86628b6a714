"""Logs of MIPCL."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = Run(version=log.word(r"^MIPCL version (\S+)$"))
    run.problem = log.word(r"^NAME\s+(\S+)")
    run.time = log.of(r"^Solution time: (\S+)$")
    run.nodes = log.of(r"^Branch-and-Cut nodes: (\d+)$")
    value = log.last(r"^Objective value:\s+(\S+)(?: - (.+))?$")
    if not np.isnan(run.time):
        if value and value[2]:
            run.verdict = "solved" if "proven" in value[2] else outcome(value[2])
        elif log.last(r"^This problem is infeasible"):
            run.verdict = "infeasible"
        elif log.last(r"^This problem is unbounded"):
            run.verdict = "unbounded"
        elif log.last(r"^(?:Time limit|.*time limit).*$"):
            run.verdict = "time_limit"
    run.value = number(value[1]) if value else np.nan
    run.bound = log.of(r"^(?:Lower|Upper)[- ]bound:?\s+(\S+)$")
    run.limit = log.of(r"\s-time (\S+)")
    threads = log.word(r"\s-threads (\S+)")
    if threads:
        run.settings["threads"] = threads
    found = (row for row in log.rows(r"^ +\d+\.\d+ +\d+ +\d+ +\d+ +(?:inf|-?\d+\.\d+) ") if len(row) == 7)
    run.course = course((number(row[0]), number(row[4]), number(row[5])) for row in found)
    return run


DIALECT = Dialect(
    "MIPCL", lines(r"^(?:MIPCL version|Start preprocessing: Rows - \d)"), lines(r"^Reading data\.\.\."), None, parse
)
