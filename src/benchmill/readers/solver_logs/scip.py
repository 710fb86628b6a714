"""Logs of SCIP."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from benchmill.readers.solver_logs.dialect import Course, Dialect, Log, Run, course, lines, number, outcome

#: Parameters of SCIP that are limits or concern its output.
_OWN = r"limits/(?!gap$).*|(?:display|timing|vbc|visual|memory)/.*|misc/reference.*"
_SEED = "randomization/randomseedshift|(?:misc|randomization)/permutationseed"


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = log.run(
        version=r"^SCIP version (\S+)",
        problem=r"^(?:SCIP> )?read problem <([^>\n]+)>",
        time=r"^Solving Time \(sec\)\s*:\s*(\S+)$",
        limit=r"^limits/time = (\S+)$",
    )
    stated = re.search(r"^  Problem name\s*: (?!unnamed$|model$|<)(\S+)$", log, re.MULTILINE)
    run.problem = run.problem or (stated[1] if stated else None)
    if run.problem is None:
        # what was to be read, where that failed or the process ended before it was
        run.problem = log.word(r"^SCIP> read (\S+)$")
    words = log.word(r"^SCIP Status\s*:\s*(.+)$")
    # quiet runs print the statistics alone, which say the same behind two blanks
    quiet = np.isnan(run.time)
    margin = "^  " if quiet else "^"
    if quiet:
        run.time = log.of(r"^Total Time\s*:[^\n]*\n  solving\s*:\s*(\S+)$")
    if words and not np.isnan(run.time):
        inside = re.search(r"\[(.*)\]", words)
        # A gap limit is the tolerance that was asked for, as an optimal solution within the tolerance of other solvers.
        run.verdict = "solved" if "gap limit" in words else outcome(inside[1] if inside else words)
        # Without its last line the log was cut; but a run that is stopped in presolving has no dual bound and no gap.
        early = log.last(r"^Primal Bound[^\n]*\(0 solutions\)[ \t]*\n\s*(?!Dual Bound)\S")
        early = early or log.last(r"^presolving was interrupted\.\n(?:.*\n)*?Primal Bound")
        if not log.last(rf"{margin}Gap\s*:") and not (
            early and run.verdict in ("time_limit", "memory_limit", "limit", "stopped")
        ):
            run.verdict = None
    nodes = log.last(r"^Solving Nodes\s*:\s*(\d+)(?: \(total of (\d+) nodes)?")
    run.nodes = number(nodes[2] or nodes[1]) if nodes else log.of(r"^  nodes(?: \(total\))?\s*:\s*(\d+)")
    run.value = log.of(rf"{margin}Primal Bound\s*:\s*(\S+)")
    run.bound = log.of(rf"{margin}Dual Bound\s*:\s*(\S+)")
    # The statistics state it for the original problem, then for the presolved one, which is always minimised.
    sense = re.search(r"^  Objective(?: sense)?\s*:\s*(minimize|maximize)", log, re.MULTILINE)
    run.maximise = None if sense is None else sense[1] == "maximize"
    run.take(log.pairs(r"^([a-z]\w*(?:/\w+)+) = (\S+)$"), _OWN, seed=_SEED)
    if not number(run.settings.get("limits/gap")) > 0:
        run.settings.pop("limits/gap", None)
    for path in re.findall(r"^loaded parameter file <([^>\n]+)>", log, re.MULTILINE):
        name = path.rpartition("/")[2].removesuffix(".set")
        if name != "default":
            run.settings["settings"] = name
    run.course = _course(log)
    lp = log.word(r"\[LP solver: ([^\]\n]+)\]")
    if lp:
        run.settings["LP"] = lp
    return run


#: A solution found while presolving, and the first and the last improvement in the statistics.
_FOUND = r"^feasible solution found by .*? after +(?P<t>[0-9.]+) seconds, objective value +(?P<p>\S+)"
_STATED = r"^  {} : (?P<p>\S+) +\(in run \d+, after \d+ nodes, (?P<t>[0-9.]+) seconds"
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def _course(log: Log) -> Course:
    listed = course([*log.matches(_FOUND), *_rows(log)])
    valued = listed[np.isfinite(listed[:, 1]), 0]
    first, best = (course(log.matches(_STATED.format(name)))[:1] for name in ("First Solution  ", "Primal Bound    "))
    listed = np.concatenate([first[: int(not (valued <= first[:, :1] + 0.1).any())], listed, best])
    # a tenth that is printed may be past already
    listed[:, 0] = np.ceil(np.round(listed[:, 0] * 10, 6)) / 10
    return listed[np.argsort(listed[:, 0], kind="stable")]


def _rows(log: Log) -> Iterator[tuple[float, float, float]]:
    names: list[str] = []
    for line in log.splitlines():
        cells = [cell.strip() for cell in line[:400].split("|")]
        if "dualbound" in cells:
            names = cells
        elif len(cells) == len(names) and (time := re.fullmatch(r"[^0-9]? *([0-9.]+)([smhd])", cells[0])):
            value, bound = (number(cells[names.index(name)]) for name in ("primalbound", "dualbound"))
            yield number(time[1]) * _UNITS[time[2]], value, bound


DIALECT = Dialect(
    "SCIP",
    lines(
        r"^(?:SCIP version \S+ \[|SCIP Status +: |SCIP> |(?:original|presolved) problem has \d+ variables|presolving:$"
        r"|[ p]?time \| node +\| left|read problem <|(?:user parameter|loaded parameter) file <"
        r"|feasible solution found by .* heuristic|\(round \d+, (?:fast|medium|exhaustive)|\[(?:src/scip/)?\w+\.c:\d+\] ERROR)"
    ),
    lines(r"^(?:SCIP version \S+ \[|(?:SCIP> )?read problem <)"),
    lines(r"^(?:presolving:|SCIP Status)"),
    parse,
    unread=lines(
        r"^(?:(?:error (?:reading|opening)|cannot (?:read|open)) file(?: <(?P<file>[^>\n]+)>)?|file <[^>\n]*> not found"
        r"|no reader for|syntax error"
        r"|.*\[(?:src/scip/)?reader_\w+\.c:\d+\] ERROR).*$"
    ),
    again=(lines(r"^Solving Time \(sec\)"), lines(r"^(?:original problem has \d|feasible solution found by|presolving:)")),
)
