"""Logs of HiGHS."""

from __future__ import annotations

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    report = log.after("Solving report") if "\nSolving report\n" in log else Log()
    run = report.run(
        time=r"^  Timing\s+(\S+)(?: \(total\))?$",
        value=r"^  Primal bound\s+(\S+)$",
        bound=r"^  Dual bound\s+(\S+)$",
        nodes=r"^  Nodes\s+(\d+)",
        iterations=r"^  LP iterations\s+(\d+)",
    )
    if not report:
        run = log.run(value=r"^Objective value\s*:\s*(\S+)$", iterations=r"^Simplex\s+iterations:\s*(\d+)$")
    run.version = log.word(r"^Running HiGHS (\S+)")
    run.problem = (
        log.word(r"^  Model\s+(\S+)$")
        or log.word(r"^Model name\s*:\s*(\S+)$")
        or log.word(r"^(?:LP|MIP|QP)\s+(\S+) has \d+ rows")
    )
    words = report.word(r"^  Status\s+(.+)$") or log.word(r"^Model\s+status\s*:\s*(.+)$")
    if np.isnan(run.time):
        run.time = log.of(r"^HiGHS run time\s*:\s*(\S+)$")
    if words and not np.isnan(run.time):
        run.verdict = outcome(words)
    own = "log_file|output_flag|log_to_console|solution_file|write_solution_to_file"
    run.take(log.pairs(r'^Set option (\w+) to "?(\S*?)"?$'), own, limit="time_limit", seed="random_seed")
    # Src Proc. InQueue | Leaves Expl. | BestBound BestSol Gap | Cuts InLp Confl. | LpIters Time
    found = log.rows(r"^ ?[A-Za-z]? +\d\S* +\d\S* +\d\S* +[0-9.]+% .*\ds$")
    cells = (row[-12:] for row in found if len(row) in (12, 13))
    run.course = course((number(row[-1].rstrip("s")), number(row[5]), number(row[4])) for row in cells)
    return run


DIALECT = Dialect(
    "HiGHS",
    lines(r"^(?:Running HiGHS \d|HiGHS run time +:|Solving MIP model with:$)"),
    lines(r"^Running HiGHS \d"),
    None,
    parse,
    unread=lines(
        r"^(?:ERROR *: *)?(?:Parser error reading|(?:Cannot|Unable to) \w+ (?:model )?file|(?:Model )?[Ff]ile) +(?P<file>\S+).*$"
    ),
    again=(
        lines(r"^(?:  Timing +\d|HiGHS run time +:)"),
        lines(r"^(?:(?:LP|MIP|QP) +\S* ?has \d+ rows|Coefficient ranges:|Presolving model|Solving MIP model with)"),
    ),
)
