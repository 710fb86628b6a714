"""Logs of MIP (and LP) solvers: SCIP, Gurobi, CPLEX, CBC, XPRESS, MIPCL and HiGHS, as the solver prints them.

A file holds one run or many. The scripts of MIPLIB frame each run by lines `@01 instance`, `@03 start`, `@04 end`, `@05 limit`;
without frames a run begins at the banner of its solver, or where the solver reads or optimises the next model.

A run is only what its log says to the end: without the line that states how it ended and the one that states its time, or
without `@04` in a frame that has a start, it is `truncated`, whatever stands before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers.archive import View
from benchmill.readers.interface import Found, Report, Rule
from benchmill.text.labels import shown


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    named_by: tuple[str, ...] = option(
        "what makes the name of an algorithm",
        ("solver", "version", "settings"),
        type="array",
        minItems=1,
        uniqueItems=True,
        items={"enum": ["solver", "version", "settings", "time_limit", "file"]},
    )


RULES: dict[str, Rule] = {
    **solver_runs.RULES,
    "truncated_log": Rule(
        "noted", "The log of a run ends without saying how the run ended; the trial is kept with the status `ill_finalised`."
    ),
    "no_verdict": Rule(
        "noted",
        "A run between its start and its end has no line that says how it ended, as after a crash; it counts as an `error`.",
    ),
    "name_from_file": Rule("repaired", "The log does not name the problem; the name of the file is taken."),
    "several_limits": Rule(
        "noted", "Runs of a solver on a problem have different time limits; the limit becomes part of the algorithm's name."
    ),
    "contradicts_itself": Rule(
        "repaired", "A run claims that its problem is infeasible, though its log shows solutions; its outcome is `wrong`."
    ),
    "not_a_log": Rule("refused", "A file, or a part of it with a frame, that is the log of no known solver; it is not read."),
}


@dataclass
class _Run:
    """What the log of a run says; None or NaN where it says nothing."""

    verdict: str | None = None
    time: float = np.nan
    limit: float = np.nan
    value: float = np.nan
    bound: float = np.nan
    nodes: float = np.nan
    iterations: float = np.nan
    problem: str | None = None
    version: str | None = None
    seed: int | None = None
    maximise: bool | None = None
    settings: dict[str, str] = field(default_factory=dict)


def _last(pattern: str, text: str) -> re.Match[str] | None:
    found = None
    for found in re.finditer(pattern, text, re.MULTILINE):  # noqa: B007
        pass
    return found


def _number(text: str | None) -> float:
    """A number as a solver prints it; NaN for none and for what stands for infinity (1e20 and beyond)."""
    try:
        number = float((text or "nan").rstrip(",;:."))
    except ValueError:
        return np.nan
    return number if abs(number) < 1e20 else np.nan


def _of(pattern: str, text: str, group: int = 1) -> float:
    found = _last(pattern, text)
    return _number(found[group]) if found else np.nan


def _word(pattern: str, text: str) -> str | None:
    found = _last(pattern, text)
    return found[1].strip() if found else None


def _whole(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"-?[0-9]{1,18}", text) else None


def _by_words(words: str, table: tuple[tuple[str, str], ...]) -> str:
    """The outcome of the first row of the table whose pattern is in the words of the solver."""
    return next((outcome for pattern, outcome in table if re.search(pattern, words, re.IGNORECASE)), "unknown")


_WORDS = (
    (r"time.?limit|maxtime|time limit exceeded", "time_limit"),
    (r"memory|mem limit", "memory_limit"),
    (r"infeasible or unbounded|unbounded or infeasible", "unknown"),
    (r"node|iteration|solution limit|restart|stall|work limit|limit exceeded|limit reached|bound limit|objective limit", "limit"),
    (r"bound on objective|target for objective|stopped on gap", "limit"),
    (r"\binfeasible|integer infeasible", "infeasible"),
    (r"unbounded", "unbounded"),
    (r"interrupt|aborted|user|signal|stopped by", "stopped"),
    (r"error|difficult|numeric|failed|trouble|sub-?optimal|out of memory", "error"),
    (r"optimal", "solved"),
)


#: Parameters of SCIP that are limits or concern its output.
_SCIP_OWN = ("limits/", "display/", "timing/", "vbc/", "visual/", "misc/reference", "memory/")


def _scip(text: str) -> _Run:
    run = _Run(version=_word(r"^SCIP version (\S+)", text))
    run.problem = _word(r"^(?:SCIP> )?read problem <([^>\n]+)>", text)
    stated = re.search(r"^  Problem name\s*: (?!unnamed$|model$|<)(\S+)$", text, re.MULTILINE)
    run.problem = run.problem or (stated[1] if stated else None)
    words = _word(r"^SCIP Status\s*:\s*(.+)$", text)
    run.time = _of(r"^Solving Time \(sec\)\s*:\s*(\S+)$", text)
    if words and not np.isnan(run.time):
        inside = re.search(r"\[(.*)\]", words)
        # A gap limit is the tolerance that was asked for, as an optimal solution within the tolerance of other solvers.
        run.verdict = "solved" if "gap limit" in words else _by_words(inside[1] if inside else words, _WORDS)
        # Without its last line the log was cut; but a run that is stopped in presolving has no dual bound and no gap.
        early = _last(r"^Primal Bound[^\n]*\(0 solutions\)[ \t]*\n\s*(?!Dual Bound)\S", text)
        if not _last(r"^Gap\s*:", text) and not (early and run.verdict in ("time_limit", "memory_limit", "limit", "stopped")):
            run.verdict = None
    nodes = _last(r"^Solving Nodes\s*:\s*(\d+)(?: \(total of (\d+) nodes)?", text)
    run.nodes = _number(nodes[2] or nodes[1]) if nodes else np.nan
    run.value = _of(r"^Primal Bound\s*:\s*(\S+)", text)
    run.bound = _of(r"^Dual Bound\s*:\s*(\S+)", text)
    run.limit = _of(r"^limits/time = (\S+)$", text)
    # The statistics state it for the original problem, then for the presolved one, which is always minimised.
    sense = re.search(r"^  Objective(?: sense)?\s*:\s*(minimize|maximize)", text, re.MULTILINE)
    run.maximise = None if sense is None else sense[1] == "maximize"
    for key, value in re.findall(r"^([a-z]\w*(?:/\w+)+) = (\S+)$", text, re.MULTILINE):
        if key in ("randomization/randomseedshift", "misc/permutationseed", "randomization/permutationseed"):
            run.seed = _whole(value)
        elif not key.startswith(_SCIP_OWN) or (key == "limits/gap" and _number(value) > 0):
            run.settings[key] = value
    for path in re.findall(r"^loaded parameter file <([^>\n]+)>", text, re.MULTILINE):
        name = path.rpartition("/")[2].removesuffix(".set")
        if name != "default":
            run.settings["settings"] = name
    lp = _word(r"\[LP solver: ([^\]\n]+)\]", text)
    if lp:
        run.settings["LP"] = lp
    return run


_GUROBI_WORDS = (
    r"^(Optimal solution found|Optimal objective|Time limit reached|Node limit reached|Iteration limit reached"
    r"|Solution limit reached|Memory limit reached|Work limit reached"
    r"|Model is [Ii]nfeasible.*|Infeasible (?:or unbounded )?model|Model is unbounded"
    r"|Unbounded model|Infeasible or unbounded model|Solve interrupted|Interrupt request received|Numeric error|Numerical trouble"
    r"|Sub-optimal termination|Out of memory|Optimization exhausted available memory|(?:User )?[Oo]bjective (?:bound )?limit"
    r"|Optimization achieved user objective limit"
    r"|First-order optimal solution|Locally optimal solution found)"
)
_GUROBI_TIME = (
    r"^(?:Explored \d+ nodes \((?P<simplex>\d+) simplex iterations\)|(?:Solved|Stopped) in (?P<lp>\d+) iterations"
    r"|(?:(?:NL )?[Bb]arrier|PDHG) (?:solved model|performed)(?: in)? (?P<barrier>\d+) iterations"
    r"|Multi-objectives: (?:solved|stopped))(?: and| in) (?P<time>[0-9.]+) seconds"
)
#: Parameters of Gurobi that are limits of memory, or concern its output or licence.
_GUROBI_OWN = frozenset(
    (
        "LogFile",
        "ResultFile",
        "SolFiles",
        "OutputFlag",
        "LogToConsole",
        "DisplayInterval",
        "Username",
        "LicenseID",
        "TokenServer",
        "JobID",
        "CSAPISecret",
        "WLSAccessID",
        "WLSSecret",
        "WLSToken",
        "ServerPassword",
        "Server",
        "ComputeServer",
        "SoftMemLimit",
        "MemLimit",
    )
)


def _gurobi(text: str) -> _Run:
    run = _Run(version=_word(r"Gurobi Optimizer version (\d\S*) build", text))
    run.problem = _word(r"^Read \S+ format model from file (.+)$", text)
    time = _last(_GUROBI_TIME, text)
    if time:
        run.time = _number(time["time"])
        run.nodes = _of(r"^Explored (\d+) nodes", text)
        # a barrier may be followed by the simplex iterations of a crossover, whose line comes last
        run.iterations = _number(time["simplex"] or time["lp"] or time["barrier"])
    # Verdicts of parts of a run stand in the log before the one of the whole.
    several = "Multi-objectives: starting" in text and not _last(r"^Multi-objectives: (?:solved|stopped) in", text)
    crossing = "Crossover log" in text and "Explored" not in text and not _last(r"^(?:Solved|Stopped) in", text)
    found = _last(_GUROBI_WORDS, text)
    if found and time and not several and not crossing:
        run.verdict = _by_words(found[1], _WORDS)
    bounds = _last(r"^Best objective (\S+), best bound (\S+), gap \S+$", text)
    if bounds:
        run.value, run.bound = _number(bounds[1]), _number(bounds[2])
    else:
        run.value = _of(r"^(?:Optimal objective\s+|Solution objective\s+|Sub-optimal termination - objective )(\S+)$", text)
    if run.verdict == "solved" and np.isnan(run.value) and "Explored" in text:
        run.verdict = None  # the line with the bounds, which follows, is not there
    if run.verdict == "infeasible" and _last(r"^(?:Set parameter )?Cutoff\b", text):
        run.verdict = "limit"  # no solution is better than the cutoff; the model may have others
    sense = _word(r"^Optimize a model with .* nonzeros \((Min|Max)\)", text)
    run.maximise = None if sense is None else sense == "Max"
    stated = re.findall(r"^Set parameter (\w+) to value (.*)$", text, re.MULTILINE)
    block = re.search(r"^Non-default parameters:\n((?:\w+ +\S+\n)+)", text, re.MULTILINE)
    stated += re.findall(r"^(\w+) +(\S+)$", block[1], re.MULTILINE) if block else []
    for key, value in stated:
        value = value.strip().strip('"')
        if key == "TimeLimit":
            run.limit = _number(value)
        elif key == "Seed":
            run.seed = _whole(value)
        elif key not in _GUROBI_OWN:
            run.settings[key] = f"{float(value):g}" if re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", value) else value
    return run


def _cplex(text: str) -> _Run:
    run = _Run(version=_word(r"CPLEX\(R\) Interactive Optimizer (\S+)", text) or _word(r"^Version identifier: (\S+)", text))
    run.problem = _word(r"Problem '([^'\n]+)' read\.", text)
    time = _last(r"^Solution time =\s+(\S+) sec\.\s+Iterations = (\d+)(?:\s+Nodes = (\d+))?", text)
    if time:
        run.time, run.iterations, run.nodes = _number(time[1]), _number(time[2]), _number(time[3])
        before = text[: time.start()]
        words = _last(r"^(?:CPLEX> )?((?:MIP|(?:Dual|Primal) simplex|Barrier|Presolve|Sifting|Network) - .+)$", before)
        if words:
            run.verdict = _by_words(words[1].partition(":  Objective")[0], _WORDS)
            value = re.search(r"Objective =\s+(\S+)", words[1])
            run.value = _number(value[1]) if value else np.nan
        run.bound = _of(r"^Current MIP best bound =\s+(\S+)", text)
    run.limit = _of(r"^(?:CPLEX> )?(?:CPXPARAM_TimeLimit\s+|New value for time limit in seconds: )(\S+)$", text)
    sense = _word(r"(?:Selected objective sense:|^Objective sense\s*:)\s+(MINIMIZE|MAXIMIZE|Minimize|Maximize)$", text)
    run.maximise = None if sense is None else sense.upper() == "MAXIMIZE"
    for key, value in re.findall(r"^(?:CPLEX> )?CPXPARAM_(\w+)\s+(\S+)$", text, re.MULTILINE):
        if key == "RandomSeed":
            run.seed = _whole(value)
        elif key not in ("TimeLimit", "DetTimeLimit", "ClockType", "MIP_Display", "Output_CloneLog"):
            run.settings[key] = value
    return run


def _cbc(text: str) -> _Run:
    run = _Run(version=_word(r"^Version:\s+(\S+)", text))
    run.problem = _word(r"\s-import (\S+)", text)
    if run.problem is None:
        file = _word(r"^command line - \S+ ([^\s-]\S*)", text)
        name = _word(r"^Problem (\S+) has \d+ rows", text)
        own = [n for n in (file, name) if n and not _MADE_UP.search(n)]
        run.problem = own[0] if own else None
    words = _word(r"^Result - (.+)$", text)
    time = _last(r"^Total time \(CPU seconds\):\s+(\S+)\s+\(Wallclock seconds\):\s+(\S+)$", text)
    if time:
        run.time = _number(time[2])
        if words:
            run.verdict = _by_words(words, _WORDS)
            # Stopped while it cleans up its solution, CBC 2.10 says infeasible of a problem that it has solutions of.
            if run.verdict == "infeasible" and _last(r"^Cbc00(?:04|12|16)I Integer solution of", text):
                run.verdict = "wrong"
        elif _last(r"^Optimal (?:-|objective)", text):
            run.verdict = "solved"
        elif _last(r"^Problem is infeasible", text):
            run.verdict = "infeasible"
        elif _last(r"^Problem is unbounded", text):
            run.verdict = "unbounded"
        elif _last(r"^Pre-processing says infeasible or unbounded", text):
            # with a bounded relaxation it cannot be unbounded
            run.verdict = "infeasible" if _last(r"^Continuous objective value is", text) else "unknown"
    run.value = _of(r"^(?:Objective value:\s+|Optimal - objective value |Optimal objective )(\S+)", text)
    run.bound = _of(r"^(?:Lower|Upper) bound:\s+(\S+)$", text)
    run.maximise = True if _last(r"^Upper bound:", text) else None
    run.nodes = _of(r"^Enumerated nodes:\s+(\d+)$", text)
    run.iterations = _of(r"^Total iterations:\s+(\d+)$", text)
    run.limit = _of(r"^(?:seconds|timeLimit|maxSeconds) was changed from \S+ to (\S+)$", text)
    for key, value in re.findall(r"^(?:Option for )?(\w+) (?:was )?changed from \S+ to (\S+)$", text, re.MULTILINE):
        if key.lower() in ("randomseed", "randomcbcseed"):
            run.seed = _whole(value)
        elif key not in ("seconds", "timeLimit", "maxSeconds", "timeMode", "logLevel"):
            run.settings[key] = value
    return run


def _xpress(text: str) -> _Run:
    run = _Run(version=_word(r"^[ \t]*FICO Xpress.*?\bv(\d\S*?),?(?:\s|$)", text))
    run.problem = _word(r"^Reading Problem (\S+)$", text)
    run.maximise = None
    sense = _word(r"^(Minimizing|Maximizing) (?:MILP|LP|MIQP|QP|MIQCQP|QCQP)", text)
    run.maximise = None if sense is None else sense == "Maximizing"
    kind = _last(r"^(?:Minimizing|Maximizing) (\w+)(?: (\S+))?", text)
    run.problem = run.problem or (kind[2] if kind else None)
    ended = _last(r"^[ \t]*\*\*\* Search (completed|unfinished) \*\*\*(?:\s+Time:\s*(\S+)(?:\s+Nodes:\s*(\d+))?)?", text)
    summary = _last(r"^[ \t]*Solution time / primaldual integral\s*:\s*([0-9.]+)s", text)
    if ended:
        run.time = _number(summary[1]) if summary else _number(ended[2])
        run.nodes = _number(ended[3]) if ended[3] else _of(r"^[ \t]*Number of solutions found / nodes\s*:\s*\d+ /\s*(\d+)", text)
        stopped = _word(r"STOPPING - (.+?)(?: limit)? reached", text)
        if _last(r"^[ \t]*(?:The )?[Pp]roblem is (?:integer )?infeasible", text):
            run.verdict = "infeasible"
        elif _last(r"^[ \t]*(?:The )?[Pp]roblem is unbounded", text):
            run.verdict = "unbounded"
        elif ended[1] == "completed":
            run.verdict = "solved"
        else:
            run.verdict = _by_words(f"{stopped} limit reached", _WORDS) if stopped else "stopped"
        if np.isnan(run.time):
            run.verdict = None
    elif kind and kind[1] in ("LP", "QP"):
        _xpress_lp(text, run)
    run.value = _of(r"^[ \t]*(?:Best integer solution found is|Final MIP objective\s*:)\s*(\S+)", text)
    if np.isnan(run.value) and kind and kind[1] in ("LP", "QP"):
        run.value = _of(r"^Final objective\s*:\s*(\S+)$", text)
    run.bound = _of(r"^[ \t]*(?:Best bound is|Final MIP bound\s*:)\s*(\S+)", text)
    if run.verdict == "solved" and np.isnan(run.value):
        run.verdict = None  # the lines with the result, which may also say infeasible, are not there
    limit = _of(r"^[ \t]*(?:maxtime|MAXTIME|TIMELIMIT|timelimit)\s*=\s*(-?\S+)$", text)
    run.limit = abs(limit)
    for key, value in re.findall(r"^[ \t]*([A-Z]{4,}) ?= ?(\S+)$", text, re.MULTILINE):
        if key == "RANDOMSEED":
            run.seed = _whole(value)
        elif key not in ("MAXTIME", "TIMELIMIT", "OUTPUTLOG"):
            run.settings[key] = value
    return run


def _xpress_lp(text: str, run: _Run) -> None:
    """What XPRESS says of a problem without integers, which has no search."""
    time = _last(r"^[ \t]*(\d+) (?:simplex|barrier|network|hybrid gradient) iterations in ([0-9.]+)\s*s", text)
    presolved = _of(r"^Presolve finished in ([0-9.]+) seconds", text)
    run.time = _number(time[2]) if time else presolved
    run.iterations = _number(time[1]) if time else np.nan
    stopped = _word(r"STOPPING - (.+?)(?: limit)? reached", text)
    if stopped or _last(r"^Maximum number of iterations reached", text):
        run.verdict = _by_words(f"{stopped or 'iteration'} limit reached", _WORDS)
    elif np.isnan(run.time):
        return
    elif _last(r"^(?:The )?[Pp]roblem is infeasible", text):
        run.verdict = "infeasible"
    elif _last(r"^(?:The )?[Pp]roblem is unbounded", text):
        run.verdict = "unbounded"
    elif time and _last(r"^Optimal solution found", text) and _last(r"^Final objective\s*:", text):
        run.verdict = "solved"


def _mipcl(text: str) -> _Run:
    run = _Run(version=_word(r"^MIPCL version (\S+)$", text))
    run.problem = _word(r"^NAME\s+(\S+)", text)
    run.time = _of(r"^Solution time: (\S+)$", text)
    run.nodes = _of(r"^Branch-and-Cut nodes: (\d+)$", text)
    value = _last(r"^Objective value:\s+(\S+)(?: - (.+))?$", text)
    if not np.isnan(run.time):
        if value and value[2]:
            run.verdict = "solved" if "proven" in value[2] else _by_words(value[2], _WORDS)
        elif _last(r"^This problem is infeasible", text):
            run.verdict = "infeasible"
        elif _last(r"^This problem is unbounded", text):
            run.verdict = "unbounded"
        elif _last(r"^(?:Time limit|.*time limit).*$", text):
            run.verdict = "time_limit"
    run.value = _number(value[1]) if value else np.nan
    run.bound = _of(r"^(?:Lower|Upper)[- ]bound:?\s+(\S+)$", text)
    run.limit = _of(r"\s-time (\S+)", text)
    threads = _word(r"\s-threads (\S+)", text)
    if threads:
        run.settings["threads"] = threads
    return run


def _highs(text: str) -> _Run:
    run = _Run(version=_word(r"^Running HiGHS (\S+)", text))
    run.problem = (
        _word(r"^  Model\s+(\S+)$", text)
        or _word(r"^Model name\s*:\s*(\S+)$", text)
        or _word(r"^(?:LP|MIP|QP)\s+(\S+) has \d+ rows", text)
    )
    report = text.rpartition("\nSolving report\n")[2] if "\nSolving report\n" in text else ""
    words = _word(r"^  Status\s+(.+)$", report) or _word(r"^Model\s+status\s*:\s*(.+)$", text)
    run.time = _of(r"^  Timing\s+(\S+)(?: \(total\))?$", report) if report else np.nan
    if np.isnan(run.time):
        run.time = _of(r"^HiGHS run time\s*:\s*(\S+)$", text)
    if words and not np.isnan(run.time):
        run.verdict = _by_words(words, _WORDS)
    run.value = _of(r"^  Primal bound\s+(\S+)$", report) if report else _of(r"^Objective value\s*:\s*(\S+)$", text)
    run.bound = _of(r"^  Dual bound\s+(\S+)$", report)
    run.nodes = _of(r"^  Nodes\s+(\d+)", report)
    run.iterations = _of(r"^  LP iterations\s+(\d+)", report)
    if not report:
        run.iterations = _of(r"^Simplex\s+iterations:\s*(\d+)$", text)
    for key, value in re.findall(r"^Set option (\w+) to (\S+)$", text, re.MULTILINE):
        value = value.strip('"')
        if key == "time_limit":
            run.limit = _number(value)
        elif key == "random_seed":
            run.seed = _whole(value)
        elif key not in ("log_file", "output_flag", "log_to_console", "solution_file", "write_solution_to_file"):
            run.settings[key] = value
    return run


@dataclass(frozen=True)
class _Solver:
    name: str
    known: re.Pattern[str]
    """A line that only this solver prints, near the beginning where it has one there."""
    begins: re.Pattern[str]
    """Lines that begin a run in a file without frames."""
    solves: re.Pattern[str] | None
    """The line after which one of the `begins` belongs to the next run; None: every one of them does."""
    parse: Callable[[str], _Run]
    again: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    """A line at the end of a run, and one after it that begins another run of a process that says no more than that."""


def _lines(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


_SOLVERS = (
    _Solver(
        "SCIP",
        _lines(r"^(?:SCIP version \S+ \[|SCIP Status +: |presolved problem has \d+ variables|[ p]?time \| node +\| left)"),
        _lines(r"^(?:SCIP version \S+ \[|(?:SCIP> )?read problem <)"),
        _lines(r"^(?:presolving:|SCIP Status)"),
        _scip,
        (_lines(r"^Solving Time \(sec\)"), _lines(r"^(?:original problem has \d|feasible solution found by|presolving:)")),
    ),
    _Solver(
        "Gurobi",
        _lines(r"(?:Gurobi Optimizer version \d\S* build|^Gurobi \d\S* \(|^Optimize a model with \d+ rows)"),
        _lines(
            r"^(?:.*Gurobi Optimizer version \d\S* build|Gurobi \d\S* \(|Set parameter |Read \S+ format model"
            r"|Optimize a model with)"
        ),
        _lines(r"^Optimize a model with"),
        _gurobi,
    ),
    _Solver(
        "CPLEX",
        _lines(r"^(?:Welcome to IBM\(R\) ILOG\(R\) CPLEX|Version identifier: \d)"),
        _lines(r"^(?:Welcome to IBM\(R\) ILOG\(R\) CPLEX|Version identifier: \d|(?:CPLEX> )?Problem '[^'\n]+' read)"),
        _lines(r"^(?:Solution time =|Tried aggregator|Reduced (?:MIP|LP) has|Iteration log|Presolve time =)"),
        _cplex,
    ),
    _Solver("CBC", _lines(r"^Welcome to the CBC MILP Solver"), _lines(r"^Welcome to the CBC MILP Solver"), None, _cbc),
    _Solver(
        "XPRESS",
        _lines(r"^[ \t]*FICO Xpress.*\bv\d"),
        _lines(r"^(?:[ \t]*FICO Xpress.*\bv\d|Reading Problem )"),
        _lines(r"^(?:(?:Minimizing|Maximizing) [A-Z]|[ \t]*\*\*\* Search (?:completed|unfinished))"),
        _xpress,
    ),
    _Solver(
        "MIPCL", _lines(r"^(?:MIPCL version|Start preprocessing: Rows - \d)"), _lines(r"^Reading data\.\.\."), None, _mipcl
    ),
    _Solver(
        "HiGHS",
        _lines(r"^Running HiGHS \d"),
        _lines(r"^Running HiGHS \d"),
        None,
        _highs,
        (
            _lines(r"^(?:  Timing +\d|HiGHS run time +:)"),
            _lines(r"^(?:(?:LP|MIP|QP) +\S* ?has \d+ rows|Coefficient ranges:|Presolving model|Solving MIP model with)"),
        ),
    ),
)  # fmt: skip

_FRAME = _lines(r"^@01[ \t]+(.*)$")
_SUFFIXES = re.compile(
    r"(\.(mps|lp|cip|opb|wbo|fzn|zpl|nl|pip|rew|rlp|osil|gms|mof\.json|sav|cnf|dimacs|qplib))?(\.(gz|bz2|xz|zst|Z|zip))?$", re.I
)


#: Names that modelling languages make up: of files that they delete (PuLP, Pyomo), and of models without a name.
_MADE_UP = re.compile(r"-pulp\.(?:mps|lp)$|\.pyomo(?:\.(?:mps|lp|nl))?$|^/tmp/tmp[a-z0-9_]{8}\b|^(?:MODEL|BLANK|OBJROW)$")


def _name(path: str) -> str:
    """The name of an instance from the path of its file: without folders and the suffixes of models and of packing."""
    base = path.strip().strip("'\"").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _SUFFIXES.sub("", base) or base


def sniff(view: View) -> Found | None:
    """Recognise a file with a frame `@01` or with the banner of a solver, among the first twenty of a folder or an archive."""
    for member in view.members[:20]:
        head = view.head(member.name, 65536)
        if b"\0" in head:
            continue
        text = "\n".join(solver_runs.lines_of(head))
        solver = _solver(text)
        if solver:
            return Found("mip_log")
        if _FRAME.search(text) and _lines(r"^@03 \d+").search(text):
            return Found("mip_log")
    return None


def _solver(text: str) -> _Solver | None:
    """The solver whose line comes first."""
    found = [(m.start(), i) for i, solver in enumerate(_SOLVERS) if (m := solver.known.search(text))]
    return _SOLVERS[min(found)[1]] if found else None


def read(view: View, options: Options, report: Report) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Read all runs, in natural order of their problem, then in order of appearance.

    The algorithm is the solver with its version and the settings that the log states (`named_by`); the problem is the name of
    the model's file without suffixes, from the frame where there is one.

    Raises
    ------
    UserError
        An option does not fit the files.
    """
    runs = solver_runs.Runs()
    solvers: list[str] = []
    for name in solver_runs.chosen(view, options, None):
        if name.lower().endswith(".solu"):
            continue
        data = view.read(name)
        if b"\0" in data:
            report.add("not_a_log", name, None, "it holds binary data")
            continue
        lines = solver_runs.lines_of(data)
        if lines[-1] and not lines[-1].startswith(("@04 ", "=ready=")):
            report.add("cut_line", name, len(lines), f"{shown(lines[-1][:80])!r}")
            lines[-1] = ""
        text = "\n".join(lines)
        previous, version = None, None
        for line, part, framed in _parts(text):
            solver = _solver(part)
            if framed is None and previous and solver in (None, previous):
                solver = previous  # a process says which solver it is before its first run
            else:
                version = None
            if solver is None:
                report.add("not_a_log", name, line, "no known solver printed it")
                if not framed:
                    continue
            report.rows_read += part.count("\n")
            _add(name, line, part, framed, solver, runs, solvers, report)
            runs.version[-1] = version = runs.version[-1] or version
            previous = solver
    _name_algorithms(runs, solvers, options, report)
    yield solver_runs.trials(view, runs, options, report)


def _parts(text: str) -> Iterator[tuple[int, str, str | None]]:
    """First line, text and instance (None without a frame) of every run of a file."""
    line, counted = 1, 0
    frames = list(_FRAME.finditer(text))
    if frames:
        for frame, after in zip(frames, [*frames[1:], None], strict=True):
            end = after.start() if after else len(text)
            line, counted = line + text.count("\n", counted, frame.start()), frame.start()
            yield line, text[frame.start() : end], frame[1].rstrip("= ")
        return
    begins = [0]
    solver = _solver(text)
    if solver is not None:
        patterns = {"begin": solver.begins, "solve": solver.solves}
        if solver.again:
            patterns["end"], patterns["again"] = solver.again
        events = [(m.start(), what) for what, pattern in patterns.items() if pattern for m in pattern.finditer(text)]
        solved, ended, first = solver.solves is None, False, True
        for at, what in sorted(events):
            if (what == "begin" and solved and not first) or (what == "again" and ended):
                begins.append(at)
                solved, ended = solver.solves is None, False
            first = False
            solved = solved or what in ("solve", "end")
            ended = ended or what == "end"
        # Gurobi's search for what makes a model infeasible has a banner, but is part of the run before.
        ends = [*begins[1:], len(text)]
        begins = [at for at, end in zip(begins, ends, strict=True) if not (at and _explains(text[at:end], solver))]
    for at, end in zip(begins, [*begins[1:], len(text)], strict=True):
        line, counted = line + text.count("\n", counted, at), at
        yield line, text[at:end], None


def _explains(part: str, solver: _Solver) -> bool:
    return "Computing Irreducible Inconsistent Subsystem" in part and not (solver.solves and solver.solves.search(part))


def _add(
    name: str,
    line: int,
    part: str,
    framed: str | None,
    solver: _Solver | None,
    runs: solver_runs.Runs,
    solvers: list[str],
    report: Report,
) -> None:
    run = solver.parse(part) if solver else _Run()
    problem = _name(framed) if framed else None
    if not problem and run.problem and not _MADE_UP.search(run.problem.strip("'\"")):
        problem = _name(run.problem)
    if not problem:
        problem = _name(name.removesuffix(".log").removesuffix(".out"))
        report.add("name_from_file", name, line, shown(problem))
    what = f"{solver.name if solver else 'a run'} on {shown(problem)}"
    started = framed is not None and re.search(r"^@03\b", part, re.MULTILINE)
    ended = framed is not None and re.search(r"^@04\b", part, re.MULTILINE)
    if started and not ended:
        outcome = "truncated"
    elif run.verdict is not None:
        outcome = run.verdict
    else:
        outcome = "error" if ended else "truncated"
    if outcome == "wrong":
        report.add("contradicts_itself", name, line, what)
    if outcome == "truncated":
        report.add("truncated_log", name, line, what)
    elif run.verdict is None:
        report.add("no_verdict", name, line, what)
    limit = _of(r"^@05 (\S+)$", part) if framed is not None else np.nan
    # The relation of its two bounds tells the direction of a model where the log does not.
    slack = 1e-6 * max(1.0, abs(run.value)) if np.isfinite(run.value) else 0.0
    runs.add(
        algorithm=name,
        problem=problem,
        outcome=outcome,
        time=run.time,
        limit=run.limit if not np.isnan(run.limit) else limit,
        value=run.value,
        bound=run.bound,
        nodes=run.nodes,
        iterations=run.iterations,
        maximise=bool(run.bound > run.value + slack) if run.maximise is None else run.maximise,
        seed=run.seed,
        version=run.version,
        settings=", ".join(f"{key}={value}" for key, value in sorted(run.settings.items())) or None,
        file=name,
        line=line,
    )
    solvers.append(solver.name if solver else "unknown solver")


def _name_algorithms(runs: solver_runs.Runs, solvers: list[str], options: Options, report: Report) -> None:
    """Give every run the name of its algorithm."""
    parts = options.named_by

    def name(row: int, with_limit: bool) -> str:
        limit = runs.limit[row]
        texts: dict[str, str] = {
            "solver": solvers[row],
            "version": runs.version[row] or "",
            "file": _name(runs.file[row].removesuffix(".log").removesuffix(".out")),
        }
        settings = runs.settings[row]
        inside = [settings] if "settings" in parts and settings else []
        if (with_limit or "time_limit" in parts) and not np.isnan(limit):
            inside.append(f"time limit {limit:g} s")
        outside = " ".join(text for part in parts if (text := texts.get(part)))
        return f"{outside} ({', '.join(inside)})" if outside and inside else outside or ", ".join(inside) or solvers[row]

    plain = [name(row, False) for row in range(len(runs))]
    limits: dict[tuple[str, str], set[float]] = {}
    for row, algorithm in enumerate(plain):
        limits.setdefault((algorithm, runs.problem[row]), set()).add(runs.limit[row])
    several = {algorithm for (algorithm, _), values in limits.items() if len(values) > 1}
    for algorithm in sorted(several):
        row = plain.index(algorithm)
        report.add("several_limits", runs.file[row], runs.line[row], shown(algorithm))
    runs.algorithm = [name(row, True) if algorithm in several else algorithm for row, algorithm in enumerate(plain)]
