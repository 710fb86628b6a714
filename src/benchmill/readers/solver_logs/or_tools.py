"""Logs of OR-Tools (`log_search_progress`): of CP-SAT, and of its simplex solver GLOP."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number


def _cp_sat(log: Log) -> Run:
    """Return what the log of a run says.

    `FEASIBLE` and `UNKNOWN` do not say why the search ended: at its time limit if it took that long (98 %: it stops a little
    before). Of a problem without an objective a feasible solution is all that is asked for.
    """
    summary = log.after("CpSolverResponse summary:")
    run = summary.run(time=r"^walltime: (\S+)$", value=r"^objective: (\S+)$", bound=r"^best_bound: (\S+)$")
    run.version, run.problem = log.word(r"^Starting CP-SAT solver v(\S+)"), log.word(r"^Initial \w+ model '([^'\n]+)':")
    stated = Log(log.word(r"^Parameters: (.*)$") or "").pairs(r"(\w+): (\S+)")
    run.take(stated, "log_.*", limit="max_time_in_seconds", seed="random_seed")
    status = summary.word(r"^status: (\w+)$")
    satisfied = status == "FEASIBLE" and log.last(r"^Initial satisfaction model ")
    if status and not np.isnan(run.time):
        verdicts = {"OPTIMAL": "solved", "INFEASIBLE": "infeasible", "MODEL_INVALID": "error"}
        late = "time_limit" if run.time >= 0.98 * run.limit else "unknown"
        run.verdict = "solved" if satisfied else verdicts.get(status, late)
    moments = list(_moments(log))
    run.maximise = _maximises(log, run)
    run.course = course((t, p, high if run.maximise else low) for t, p, low, high in moments)
    return run


def _moments(log: Log) -> Iterator[tuple[float, float, float, float]]:
    row = r"^#(?:\d+|Bound|Done) +([0-9.]+)s best:(\S+) +next:\[([^,\]\s]*),?([^,\]\s]*)\]"
    for found in re.finditer(row, log, re.MULTILINE):
        yield number(found[1]), number(found[2]), number(found[3] or "nan"), number(found[4] or "nan")


def _maximises(log: Log, run: Run) -> bool | None:
    none = log.last(r"^#Bound +\S+ best:(-?)inf ")
    if none:
        return bool(none[1])
    found = next((moment for moment in _moments(log) if np.isfinite(moment).all()), None)
    if found:
        return found[1] < found[2]
    return bool(run.bound > run.value) if run.bound != run.value else None


CP_SAT = Dialect("CP-SAT", lines(r"^Starting CP-SAT solver v"), lines(r"^Starting CP-SAT solver v"), None, _cp_sat)


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


def _glop(log: Log) -> Run:
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


GLOP = Dialect(
    "GLOP", lines(r"^Initial problem: \d+ rows, \d+ columns, \d+ entries"), lines(r"^Initial problem: \d+ rows"), None, _glop
)
