"""Logs of MOSEK."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Run, course, lines, number, of, outcome, rows, word


def parse(text: str) -> Run:
    """What the log of a run says; the summary of its solution and its return code tell how it ended."""
    run = Run(version=word(r"^MOSEK Version (\d+(?:\.\d+)*)", text), problem=word(r"^ *Name +: (\S+) *$", text))
    sense = word(r"^ *Objective sense +: (min|max)", text)
    run.maximise = None if sense is None else sense == "max"
    run.time = of(r"^ *Optimizer terminated\. Time: (\S+) *$", text)
    solution, problem = word(r"^ *Solution status +: (\w+)", text), word(r"^ *Problem status +: (\w+)", text)
    stopped = word(r"^Return code - +\d+ +\[MSK_RES_TRM_(\w+)\]", text)
    if (solution or problem) and not np.isnan(run.time):
        run.verdict = _verdict(solution or "", problem or "", stopped)
    run.value = of(r"^ *Objective of best integer solution : (\S+)", text)
    run.bound = of(r"^ *Best objective bound +: (\S+)", text)
    run.nodes = of(r"^ *Number of branches +: (\d+)", text)
    run.iterations = of(r"^ *Number of simplex iterations +: (\d+)", text)
    if run.verdict == "solved" and np.isnan(run.value):
        run.value = of(r"^ *Primal\. +obj: (\S+)", text)
    # BRANCHES RELAXS ACT_NDS DEPTH BEST_INT_OBJ BEST_RELAX_OBJ REL_GAP(%) TIME
    found = rows(r"^ *\d+ +\d+ +\d+ +\d+ +\S+ +\S+ +\S+ +[0-9.]+ *$", text)
    run.course = course((number(row[7]), number(row[4]), number(row[5])) for row in found)
    return run


def _verdict(solution: str, problem: str, stopped: str | None) -> str:
    """How a run ended, from the statuses of its solution and its problem and why it was terminated."""
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
    lines(r"^(?:MOSEK Version \d|Optimizer  - solved problem +: the )"),
    lines(r"^ *(?:MOSEK Version \d|Problem$)"),
    lines(r"^ *Optimizer started\."),
    parse,
    (lines(r"^ *Optimizer terminated\."), lines(r"^ *Optimizer started\.")),
)
