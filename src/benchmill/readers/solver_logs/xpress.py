"""Logs of XPRESS."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import (
    Course,
    Dialect,
    Run,
    course,
    last,
    lines,
    number,
    of,
    outcome,
    table,
    whole,
    word,
)


def parse(text: str) -> Run:
    """What the log of a run says."""
    run = Run(version=word(r"^[ \t]*FICO Xpress.*?\bv(\d\S*?),?(?:\s|$)", text))
    run.problem = word(r"^Reading Problem (\S+)$", text)
    run.maximise = None
    sense = word(r"^(Minimizing|Maximizing) (?:MILP|LP|MIQP|QP|MIQCQP|QCQP)", text)
    run.maximise = None if sense is None else sense == "Maximizing"
    kind = last(r"^(?:Minimizing|Maximizing) (\w+)(?: (\S+))?", text)
    run.problem = run.problem or (kind[2] if kind else None)
    ended = last(r"^[ \t]*\*\*\* Search (completed|unfinished) \*\*\*(?:\s+Time:\s*(\S+)(?:\s+Nodes:\s*(\d+))?)?", text)
    summary = last(r"^[ \t]*Solution time / primaldual integral\s*:\s*([0-9.]+)s", text)
    if ended:
        run.time = number(summary[1]) if summary else number(ended[2])
        run.nodes = number(ended[3]) if ended[3] else of(r"^[ \t]*Number of solutions found / nodes\s*:\s*\d+ /\s*(\d+)", text)
        stopped = word(r"STOPPING - (.+?)(?: limit)? reached", text)
        if last(r"^[ \t]*(?:The )?[Pp]roblem is (?:integer )?infeasible", text):
            run.verdict = "infeasible"
        elif last(r"^[ \t]*(?:The )?[Pp]roblem is unbounded", text):
            run.verdict = "unbounded"
        elif ended[1] == "completed":
            run.verdict = "solved"
        else:
            run.verdict = outcome(f"{stopped} limit reached") if stopped else "stopped"
        if np.isnan(run.time):
            run.verdict = None
    elif kind and kind[1] in ("LP", "QP"):
        _linear(text, run)
    run.value = of(r"^[ \t]*(?:Best integer solution found is|Final MIP objective\s*:)\s*(\S+)", text)
    if np.isnan(run.value) and kind and kind[1] in ("LP", "QP"):
        run.value = of(r"^Final objective\s*:\s*(\S+)$", text)
    run.bound = of(r"^[ \t]*(?:Best bound is|Final MIP bound\s*:)\s*(\S+)", text)
    if run.verdict == "solved" and np.isnan(run.value):
        run.verdict = None  # the lines with the result, which may also say infeasible, are not there
    run.course = _course(text)
    limit = of(r"^[ \t]*(?:maxtime|MAXTIME|TIMELIMIT|timelimit)\s*=\s*(-?\S+)$", text)
    run.limit = abs(limit)
    for key, value in re.findall(r"^[ \t]*([A-Z]{4,}) ?= ?(\S+)$", text, re.MULTILINE):
        if key == "RANDOMSEED":
            run.seed = whole(value)
        elif key not in ("MAXTIME", "TIMELIMIT", "OUTPUTLOG"):
            run.settings[key] = value
    return run


def _course(text: str) -> Course:
    """Solutions with their time, and the lines of the tables of the root and of the search, which end in whole seconds."""
    moments = []
    for line, cells in table(r"^( Its Type|    Node) +BestSoln +BestBound", ("BestSoln", "BestBound"), text):
        if found := re.match(r"^ *\*\*\* Solution found: +(\S+) +Time: +([0-9.]+) ", line):
            moments.append((number(found[2]), number(found[1]), np.nan))
        elif cells and re.match(r"^[A-Za-z*]? *\d* +(?:[A-Z] +)?[-0-9.]", line) and re.search(r" \d+$", line):
            moments.append((number(line.split()[-1]), number(cells[0]), number(cells[1])))
    listed = course(moments)
    # whole seconds that follow a fraction are not before it
    listed[:, 0] = np.maximum.accumulate(listed[:, 0])
    return listed


def _linear(text: str, run: Run) -> None:
    """What XPRESS says of a problem without integers, which has no search."""
    time = last(r"^[ \t]*(\d+) (?:simplex|barrier|network|hybrid gradient) iterations in ([0-9.]+)\s*s", text)
    presolved = of(r"^Presolve finished in ([0-9.]+) seconds", text)
    run.time = number(time[2]) if time else presolved
    run.iterations = number(time[1]) if time else np.nan
    stopped = word(r"STOPPING - (.+?)(?: limit)? reached", text)
    if stopped or last(r"^Maximum number of iterations reached", text):
        run.verdict = outcome(f"{stopped or 'iteration'} limit reached")
    elif np.isnan(run.time):
        return
    elif last(r"^(?:The )?[Pp]roblem is infeasible", text):
        run.verdict = "infeasible"
    elif last(r"^(?:The )?[Pp]roblem is unbounded", text):
        run.verdict = "unbounded"
    elif time and last(r"^Optimal solution found", text) and last(r"^Final objective\s*:", text):
        run.verdict = "solved"


DIALECT = Dialect(
    "XPRESS",
    lines(r"^[ \t]*FICO Xpress.*\bv\d"),
    lines(r"^(?:[ \t]*FICO Xpress.*\bv\d|Reading Problem )"),
    lines(r"^(?:(?:Minimizing|Maximizing) [A-Z]|[ \t]*\*\*\* Search (?:completed|unfinished))"),
    parse,
)
