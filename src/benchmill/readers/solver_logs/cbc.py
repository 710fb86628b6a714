"""Logs of CBC."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import (
    MADE_UP,
    Dialect,
    Run,
    course,
    last,
    lines,
    matches,
    number,
    of,
    outcome,
    whole,
    word,
)


def parse(text: str) -> Run:
    """What the log of a run says."""
    run = Run(version=word(r"^Version:\s+(\S+)", text))
    run.problem = word(r"\s-import (\S+)", text)
    if run.problem is None:
        file = word(r"^command line - \S+ ([^\s-]\S*)", text)
        name = word(r"^Problem (\S+) has \d+ rows", text)
        own = [n for n in (file, name) if n and not MADE_UP.search(n)]
        run.problem = own[0] if own else None
    words = word(r"^Result - (.+)$", text)
    time = last(r"^Total time \(CPU seconds\):\s+(\S+)\s+\(Wallclock seconds\):\s+(\S+)$", text)
    if time:
        run.time = number(time[2])
        if words:
            run.verdict = outcome(words)
            # Stopped while it cleans up its solution, CBC 2.10 says infeasible of a problem that it has solutions of.
            if run.verdict == "infeasible" and last(r"^Cbc00(?:04|12|16)I Integer solution of", text):
                run.verdict = "wrong"
        elif last(r"^Optimal (?:-|objective)", text) and "Starting MIP optimization" not in text:
            run.verdict = "solved"
        elif last(r"^Problem is infeasible", text):
            run.verdict = "infeasible"
        elif last(r"^Problem is unbounded", text):
            run.verdict = "unbounded"
        elif last(r"^Pre-processing says infeasible or unbounded", text):
            # with a bounded relaxation it cannot be unbounded
            run.verdict = "infeasible" if last(r"^Continuous objective value is", text) else "unknown"
        else:
            _searched(text, run)
    if np.isnan(run.value):
        run.value = of(r"^(?:Objective value:\s+|Optimal - objective value |Optimal objective )(\S+)", text)
    run.bound = run.bound if np.isfinite(run.bound) else of(r"^(?:Lower|Upper) bound:\s+(\S+)$", text)
    run.maximise = True if last(r"^Upper bound:", text) else None
    run.nodes = run.nodes if np.isfinite(run.nodes) else of(r"^Enumerated nodes:\s+(\d+)$", text)
    run.iterations = run.iterations if np.isfinite(run.iterations) else of(r"^Total iterations:\s+(\d+)$", text)
    run.limit = of(r"^(?:seconds|timeLimit|maxSeconds) was changed from \S+ to (\S+)$", text)
    for key, value in re.findall(r"^(?:Option for )?(\w+) (?:was )?changed from \S+ to (\S+)$", text, re.MULTILINE):
        if key.lower() in ("randomseed", "randomcbcseed"):
            run.seed = whole(value)
        elif key not in ("seconds", "timeLimit", "maxSeconds", "timeMode", "logLevel"):
            run.settings[key] = value
    run.course = course(matches(_MOMENTS, text))
    values = run.course[np.isfinite(run.course[:, 1]), 1]
    if run.maximise and values.size and abs(values[-1] + run.value) < abs(values[-1] - run.value):
        run.course[:, 1:] *= -1  # it minimises the negated objective
    return run


#: Nodes, and solutions.
_MOMENTS = (
    r"^Cbc00(?:10I After \d+ nodes, \d+ on tree, (?P<p>\S+) best solution, best possible (?P<d>\S+)"
    r"|(?:04|12|16)I Integer solution of (?P<q>\S+) found .*) \((?P<t>[0-9.]+) seconds\)"
)


def _searched(text: str, run: Run) -> None:
    """What the last lines of the search say, where no lines with the result follow, as of the library and of `devel`."""
    ended = last(
        r"^Cbc00(01I Search completed|05I Partial search) - best objective (\S+?),?(?: \(best possible (\S+)\),)? took (\d+) "
        r"iterations and (\d+) nodes",
        text,
    )
    if ended is None:
        linear = last(r"^Clp0032I Optimal objective (\S+)", text)
        if linear and "Starting MIP optimization" not in text:
            run.verdict, run.value = "solved", number(linear[1])
        return
    run.value, run.bound = number(ended[2]), number(ended[3])
    run.iterations, run.nodes = number(ended[4]), number(ended[5])
    if ended[1].startswith("01I"):
        run.verdict = "infeasible" if np.isnan(run.value) else "solved"
    elif stopped := last(r"^Cbc00\d\dI Exiting on (.+)", text):
        run.verdict = "time_limit" if "time" in stopped[1] else "limit"
    else:
        run.verdict = "unknown"


DIALECT = Dialect(
    "CBC",
    lines(r"^Welcome to the CBC MILP Solver"),
    lines(r"^Welcome to the CBC MILP Solver"),
    None,
    parse,
    (lines(r"^Total time \(CPU seconds\):"), lines(r"^Starting solution of the Linear programming relaxation")),
)
