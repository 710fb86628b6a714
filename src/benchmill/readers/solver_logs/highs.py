"""Logs of HiGHS."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Run, course, lines, number, of, outcome, rows, whole, word


def parse(text: str) -> Run:
    """What the log of a run says."""
    run = Run(version=word(r"^Running HiGHS (\S+)", text))
    run.problem = (
        word(r"^  Model\s+(\S+)$", text)
        or word(r"^Model name\s*:\s*(\S+)$", text)
        or word(r"^(?:LP|MIP|QP)\s+(\S+) has \d+ rows", text)
    )
    report = text.rpartition("\nSolving report\n")[2] if "\nSolving report\n" in text else ""
    words = word(r"^  Status\s+(.+)$", report) or word(r"^Model\s+status\s*:\s*(.+)$", text)
    run.time = of(r"^  Timing\s+(\S+)(?: \(total\))?$", report) if report else np.nan
    if np.isnan(run.time):
        run.time = of(r"^HiGHS run time\s*:\s*(\S+)$", text)
    if words and not np.isnan(run.time):
        run.verdict = outcome(words)
    run.value = of(r"^  Primal bound\s+(\S+)$", report) if report else of(r"^Objective value\s*:\s*(\S+)$", text)
    run.bound = of(r"^  Dual bound\s+(\S+)$", report)
    run.nodes = of(r"^  Nodes\s+(\d+)", report)
    run.iterations = of(r"^  LP iterations\s+(\d+)", report)
    if not report:
        run.iterations = of(r"^Simplex\s+iterations:\s*(\d+)$", text)
    for key, value in re.findall(r"^Set option (\w+) to (\S+)$", text, re.MULTILINE):
        value = value.strip('"')
        if key == "time_limit":
            run.limit = number(value)
        elif key == "random_seed":
            run.seed = whole(value)
        elif key not in ("log_file", "output_flag", "log_to_console", "solution_file", "write_solution_to_file"):
            run.settings[key] = value
    # Src Proc. InQueue | Leaves Expl. | BestBound BestSol Gap | Cuts InLp Confl. | LpIters Time
    found = rows(r"^ ?[A-Za-z]? +\d\S* +\d\S* +\d\S* +[0-9.]+% .*\ds$", text)
    cells = (row[-12:] for row in found if len(row) in (12, 13))
    run.course = course((number(row[-1].rstrip("s")), number(row[5]), number(row[4])) for row in cells)
    return run


DIALECT = Dialect(
    "HiGHS",
    lines(r"^Running HiGHS \d"),
    lines(r"^Running HiGHS \d"),
    None,
    parse,
    (
        lines(r"^(?:  Timing +\d|HiGHS run time +:)"),
        lines(r"^(?:(?:LP|MIP|QP) +\S* ?has \d+ rows|Coefficient ranges:|Presolving model|Solving MIP model with)"),
    ),
)
