"""Logs of XPRESS."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import Course, Dialect, Log, Run, course, lines, number, outcome

_NONE = {
    r"^[ \t]*(?:The )?[Pp]roblem is (?:integer )?infeasible": "infeasible",
    r"^[ \t]*(?:The )?[Pp]roblem is unbounded": "unbounded",
}


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = log.run(
        version=r"^[ \t]*FICO Xpress.*?\bv(\d\S*?),?(?:\s|$)",
        problem=r"^Reading Problem (\S+)$",
        value=r"^[ \t]*(?:Best integer solution found is|Final MIP objective\s*:)\s*(\S+)",
        bound=r"^[ \t]*(?:Best bound is|Final MIP bound\s*:)\s*(\S+)",
        limit=r"^[ \t]*(?:maxtime|MAXTIME|TIMELIMIT|timelimit)\s*=\s*(-?\S+)$",
    )
    run.limit = abs(run.limit)
    run.maximise = log.says(r"^(Minimizing|Maximizing) (?:MILP|LP|MIQP|QP|MIQCQP|QCQP)", "Maximizing")
    kind = log.last(r"^(?:Minimizing|Maximizing) (\w+)(?: (\S+))?")
    run.problem = run.problem or (kind[2] if kind else None)
    ended = log.last(r"^[ \t]*\*\*\* Search (completed|unfinished) \*\*\*(?:\s+Time:\s*(\S+)(?:\s+Nodes:\s*(\d+))?)?")
    summary = log.last(r"^[ \t]*Solution time / primaldual integral\s*:\s*([0-9.]+)s")
    if ended:
        run.time = number(summary[1]) if summary else number(ended[2])
        run.nodes = number(ended[3]) if ended[3] else log.of(r"^[ \t]*Number of solutions found / nodes\s*:\s*\d+ /\s*(\d+)")
        stopped = log.word(r"STOPPING - (.+?)(?: limit)? reached")
        if verdict := log.first_of(_NONE):
            run.verdict = verdict
        elif ended[1] == "completed":
            run.verdict = "solved"
        else:
            run.verdict = outcome(f"{stopped} limit reached") if stopped else "stopped"
        if np.isnan(run.time):
            run.verdict = None
    elif kind and kind[1] in ("LP", "QP"):
        _linear(log, run)
    if np.isnan(run.value) and kind and kind[1] in ("LP", "QP"):
        run.value = log.of(r"^Final objective\s*:\s*(\S+)$")
    if run.verdict == "solved" and np.isnan(run.value):
        run.verdict = None  # the lines with the result, which may also say infeasible, are not there
    run.course = _course(log)
    run.take(log.pairs(r"^[ \t]*([A-Z]{4,}) ?= ?(\S+)$"), "MAXTIME|TIMELIMIT|OUTPUTLOG", seed="RANDOMSEED")
    return run


def _course(log: Log) -> Course:
    moments = []
    for line, cells in log.table(r"^( Its Type|    Node) +BestSoln +BestBound", ("BestSoln", "BestBound")):
        if found := re.match(r"^ *\*\*\* Solution found: +(\S+) +Time: +([0-9.]+) ", line):
            moments.append((number(found[2]), number(found[1]), np.nan))
        elif cells and re.match(r"^[A-Za-z*]? *\d* +(?:[A-Z] +)?[-0-9.]", line) and re.search(r" \d+$", line):
            moments.append((number(line.split()[-1]), number(cells[0]), number(cells[1])))
    listed = course(moments)
    # whole seconds that follow a fraction are not before it
    listed[:, 0] = np.maximum.accumulate(listed[:, 0])
    return listed


def _linear(log: Log, run: Run) -> None:
    time = log.last(r"^[ \t]*(\d+) (?:simplex|barrier|network|hybrid gradient) iterations in ([0-9.]+)\s*s")
    presolved = log.of(r"^Presolve finished in ([0-9.]+) seconds")
    run.time = number(time[2]) if time else presolved
    run.iterations = number(time[1]) if time else np.nan
    stopped = log.word(r"STOPPING - (.+?)(?: limit)? reached")
    if stopped or log.last(r"^Maximum number of iterations reached"):
        run.verdict = outcome(f"{stopped or 'iteration'} limit reached")
    elif np.isnan(run.time):
        return
    elif verdict := log.first_of(_NONE):
        run.verdict = verdict
    elif time and log.last(r"^Optimal solution found") and log.last(r"^Final objective\s*:"):
        run.verdict = "solved"


DIALECT = Dialect(
    "XPRESS",
    lines(
        r"^(?:[ \t]*FICO Xpress.*\bv\d|(?:Minimizing|Maximizing) (?:MI|LP|QP|QCQP)|[ \t]*\?\d+ Error\b"
        r"|.*\bXpress\b.*\b[Ll]icen[cs]e\b|.*Problem with licen[cs]e)"
    ),
    lines(r"^(?:[ \t]*FICO Xpress.*\bv\d|Reading Problem )"),
    lines(r"^(?:(?:Minimizing|Maximizing) [A-Z]|[ \t]*\*\*\* Search (?:completed|unfinished))"),
    parse,
    unread=lines(r"^[ \t]*\??(?:\d+ )?Error:(?:.*?\b[Ff]ile(?: not found:)? ['\"<]?(?P<file>[^\s'\">]*[^\s'\">.]))?.*$"),
)
