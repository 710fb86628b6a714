"""Logs of MIPCL."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Run, course, last, lines, number, of, outcome, rows, word


def parse(text: str) -> Run:
    """What the log of a run says."""
    run = Run(version=word(r"^MIPCL version (\S+)$", text))
    run.problem = word(r"^NAME\s+(\S+)", text)
    run.time = of(r"^Solution time: (\S+)$", text)
    run.nodes = of(r"^Branch-and-Cut nodes: (\d+)$", text)
    value = last(r"^Objective value:\s+(\S+)(?: - (.+))?$", text)
    if not np.isnan(run.time):
        if value and value[2]:
            run.verdict = "solved" if "proven" in value[2] else outcome(value[2])
        elif last(r"^This problem is infeasible", text):
            run.verdict = "infeasible"
        elif last(r"^This problem is unbounded", text):
            run.verdict = "unbounded"
        elif last(r"^(?:Time limit|.*time limit).*$", text):
            run.verdict = "time_limit"
    run.value = number(value[1]) if value else np.nan
    run.bound = of(r"^(?:Lower|Upper)[- ]bound:?\s+(\S+)$", text)
    run.limit = of(r"\s-time (\S+)", text)
    threads = word(r"\s-threads (\S+)", text)
    if threads:
        run.settings["threads"] = threads
    found = (row for row in rows(r"^ +\d+\.\d+ +\d+ +\d+ +\d+ +(?:inf|-?\d+\.\d+) ", text) if len(row) == 7)
    run.course = course((number(row[0]), number(row[4]), number(row[5])) for row in found)
    return run


DIALECT = Dialect(
    "MIPCL", lines(r"^(?:MIPCL version|Start preprocessing: Rows - \d)"), lines(r"^Reading data\.\.\."), None, parse
)
