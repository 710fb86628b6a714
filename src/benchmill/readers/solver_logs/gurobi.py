"""Logs of Gurobi."""

from __future__ import annotations

import re

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number, outcome

_VERDICT = (
    r"^(Optimal solution found|Optimal objective|Time limit reached|Node limit reached|Iteration limit reached"
    r"|Solution limit reached|Memory limit reached|Work limit reached"
    r"|Model is [Ii]nfeasible.*|Infeasible (?:or unbounded )?model|Model is unbounded"
    r"|Unbounded model|Infeasible or unbounded model|Solve interrupted|Interrupt request received|Numeric error|Numerical trouble"
    r"|Sub-optimal termination|Out of memory|Optimization exhausted available memory|(?:User )?[Oo]bjective (?:bound )?limit"
    r"|Optimization achieved user objective limit"
    r"|First-order optimal solution|Locally optimal solution found)"
)
_TIME = (
    r"^(?:Explored \d+ nodes \((?P<simplex>\d+) simplex iterations\)|(?:Solved|Stopped) in (?P<lp>\d+) iterations"
    r"|(?:(?:NL )?[Bb]arrier|PDHG) (?:solved model|performed)(?: in)? (?P<barrier>\d+) iterations"
    r"|Multi-objectives: (?:solved|stopped))(?: and| in) (?P<time>[0-9.]+) seconds"
)
#: Parameters of Gurobi that are limits of memory, or concern its output or licence.
_OWN = (
    "LogFile|ResultFile|SolFiles|OutputFlag|LogToConsole|DisplayInterval|Username|LicenseID|TokenServer|JobID"
    "|CSAPISecret|WLSAccessID|WLSSecret|WLSToken|ServerPassword|Server|ComputeServer|SoftMemLimit|MemLimit"
)


def parse(log: Log) -> Run:
    """Return what the log of a run says."""
    run = Run(version=log.word(r"(?:Gurobi Optimizer version |^Gurobi )(\d[0-9.]*)(?: build|\S* \()"))
    run.problem = log.word(r"^Read \S+ format model from file (.+)$")
    time = log.last(_TIME)
    if time:
        run.time = number(time["time"])
        run.nodes = log.of(r"^Explored (\d+) nodes")
        # a barrier may be followed by the simplex iterations of a crossover, whose line comes last
        run.iterations = number(time["simplex"] or time["lp"] or time["barrier"])
    # Verdicts of parts of a run stand in the log before the one of the whole.
    several = "Multi-objectives: starting" in log and not log.last(r"^Multi-objectives: (?:solved|stopped) in")
    crossing = "Crossover log" in log and "Explored" not in log and not log.last(r"^(?:Solved|Stopped) in")
    found = log.last(_VERDICT)
    if found and time and not several and not crossing:
        run.verdict = outcome(found[1])
    bounds = log.last(r"^Best objective (\S+), best bound (\S+), gap \S+$")
    if bounds:
        run.value, run.bound = number(bounds[1]), number(bounds[2])
    else:
        run.value = log.of(r"^(?:Optimal objective\s+|Solution objective\s+|Sub-optimal termination - objective )(\S+)$")
    if run.verdict == "solved" and np.isnan(run.value) and "Explored" in log:
        run.verdict = None  # the line with the bounds, which follows, is not there
    if run.verdict == "infeasible" and log.last(r"^(?:Set parameter )?Cutoff\b"):
        run.verdict = "limit"  # no solution is better than the cutoff; the model may have others
    sense = log.word(r"^Optimize a model with .* nonzeros \((Min|Max)\)")
    run.maximise = _direction(log) if sense is None else sense == "Max"
    stated = log.pairs(r'^(?:Set parameter|Changed value of parameter) (\w+) to (?:value)? *"?(.*?)"? *$')
    block = re.search(r"^Non-default parameters:\n((?:\w+ +\S+\n)+)", log, re.MULTILINE)
    run.take([*stated, *Log(block[1] if block else "").pairs(r'^(\w+) +"?(\S*?)"?$')], _OWN, "TimeLimit", "Seed")
    for key, value in run.settings.items():
        if re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", value):
            run.settings[key] = f"{float(value):g}"
    # | Incumbent BestBd Gap | It/Node Time, behind columns that may be empty
    listed = (row for row in log.rows(r"^[H* ] *\d+ +\d+ .*\ds$") if len(row) >= 7)
    run.course = course((number(row[-1].rstrip("s")), number(row[-5]), number(row[-4])) for row in listed)
    return run


def _direction(log: Log) -> bool | None:
    listed = log.last(r"^Solution count \d+: (\S+) .*?(\S+) *(?:\.\.\.)?$")
    best, worst = (number(cell) for cell in listed.groups()) if listed else (np.nan, np.nan)
    return None if np.isnan(best - worst) or best == worst else best > worst


DIALECT = Dialect(
    "Gurobi",
    lines(
        r"(?:Gurobi Optimizer version \d\S* build|^Gurobi \d\S* \(|^Optimize a model with \d+ rows"
        r"|^Read \S+ format model from file|^Changed value of parameter \w+ to|Gurobi [Ll]icense|HostID mismatch"
        r"|^(?:.*\b[Gg]urobi.*)?(?:ERROR|Error) 100\d\d\b)"
    ),
    lines(
        r"^(?:.*Gurobi Optimizer version \d\S* build|Gurobi \d\S* \(|Set parameter |Changed value of parameter "
        r"|Read \S+ format model|(?:Academic|Restricted) license|Using license file|Optimize a model with)"
    ),
    lines(r"^Optimize a model with"),
    parse,
    unread=lines(r"^(?:.*Unable to open file|Error reading|Unable to read) ['\"]?(?P<file>[^'\"\n]+?)['\"]?(?: for .*)?$"),
    session=lines(r"^(?:(?P<log>Gurobi \d\S* \(.*logging started)|(?:Academic|Restricted) license|Using license file)"),
)
