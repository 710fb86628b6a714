"""Logs of MOSEK."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome


def parse(log: Log) -> Run:
    """Return what the log of a run says; the summary of its solution and its return code tell how it ended."""
    run = log.run(
        version=r"^MOSEK Version (\d+(?:\.\d+)*)",
        problem=r"^ *Name +: (\S+) *$",
        time=r"^ *Optimizer terminated\. Time: (\S+) *$",
        value=r"^ *Objective of best integer solution : (\S+)",
        bound=r"^ *Best objective bound +: (\S+)",
        nodes=r"^ *Number of branches +: (\d+)",
        iterations=r"^ *Number of simplex iterations +: (\d+)",
    )
    run.problem = run.problem or log.word(r"^Open file '([^'\n]+)'")
    run.maximise = log.says(r"^ *Objective sense +: (min|max)", "max")
    solution, problem = log.word(r"^ *Solution status +: (\w+)"), log.word(r"^ *Problem status +: (\w+)")
    stopped = log.word(r"^Return code - +\d+ +\[MSK_RES_TRM_(\w+)\]")
    if (solution or problem) and not np.isnan(run.time):
        run.verdict = _verdict(solution or "", problem or "", stopped)
    if run.verdict == "solved" and np.isnan(run.value):
        run.value = log.of(r"^ *Primal\. +obj: (\S+)")
    # BRANCHES RELAXS ACT_NDS DEPTH BEST_INT_OBJ BEST_RELAX_OBJ REL_GAP(%) TIME
    found = log.rows(r"^ *\d+ +\d+ +\d+ +\d+ +\S+ +\S+ +\S+ +[0-9.]+ *$")
    run.course = course((number(row[7]), number(row[4]), number(row[5])) for row in found)
    return run


def _verdict(solution: str, problem: str, stopped: str | None) -> str:
    if solution in ("OPTIMAL", "INTEGER_OPTIMAL"):
        return "solved"
    if "INFEASIBLE_OR_UNBOUNDED" in problem:
        return "unknown"
    if solution.startswith(("PRIMAL_INFEAS", "DUAL_INFEAS")) or problem in ("PRIMAL_INFEASIBLE", "DUAL_INFEASIBLE"):
        return "infeasible" if "PRIMAL_INFEAS" in (solution + problem) else "unbounded"
    if stopped is None:
        return "unknown"
    return {"STALL": "error", "NUMERICAL_PROBLEM": "error", "USER_CALLBACK": "stopped"}.get(
        stopped, outcome(f"{stopped} limit reached")
    )


DIALECT = Dialect(
    "MOSEK",
    lines(r"^ *(?:MOSEK Version \d|MOSEK error|Optimizer  - solved problem +: the )"),
    lines(r"(?<!started\.\n)^ *(?:MOSEK Version \d|Problem$)"),
    lines(r"^ *Optimizer started\."),
    parse,
    unread=lines(r"^ *(?:MOSEK (?:fatal )?error\b|Return code - +\d+ +\[MSK_RES_ERR_|(?:Error|ERROR)\b).*$"),
    again=(lines(r"^ *Optimizer terminated\."), lines(r"^ *Optimizer started\.")),
)
