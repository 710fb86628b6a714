"""Logs of GLOP, the simplex solver of OR-Tools (`log_search_progress`)."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, lines

_VERDICTS = {
    "OPTIMAL": "solved",
    "PRIMAL_INFEASIBLE": "infeasible",
    "DUAL_UNBOUNDED": "infeasible",
    "DUAL_INFEASIBLE": "unbounded",
    "PRIMAL_UNBOUNDED": "unbounded",
    "IMPRECISE": "error",
    "ABNORMAL": "error",
    "INVALID_PROBLEM": "error",
}


def parse(log: Log) -> Run:
    """Return what the log of a run says; it states no version, and ends in the same few lines however the run ended.

    `PRIMAL_FEASIBLE`, `DUAL_FEASIBLE` and `INIT` do not say why the run ended: at its time limit if it took that long.
    """
    end = log.after("Final unscaled solution:")
    run = end.run(time=r"^time: (\S+)$", iterations=r"^iterations: (\d+)$")
    run.limit, status = log.of(r"^Parameters: .*\bmax_time_in_seconds: (\S+)"), end.word(r"^status: (\w+)$")
    if status and not np.isnan(run.time):
        run.verdict = _VERDICTS.get(status, "time_limit" if run.time >= 0.98 * run.limit else "unknown")
    if status == "OPTIMAL":
        run.value = end.of(r"^Primal objective \(after moving primal/dual values\) = (\S+)$")
    return run


DIALECT = Dialect(
    "GLOP", lines(r"^Initial problem: \d+ rows, \d+ columns, \d+ entries"), lines(r"^Initial problem: \d+ rows"), None, parse
)
