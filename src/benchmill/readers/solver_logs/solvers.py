"""Logs of solvers that take more than expressions to read: one function a dialect, which adds to what these say of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from benchmill.readers.solver_logs.dialect import MADE_UP, Course, Log, Run, course, number
from benchmill.readers.statuses import outcome

# ---- SCIP -------------------------------------------------------------------------------------------------------------


def _scip(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    read = log.word(r"^(?:SCIP> )?read problem <([^>\n]+)>")
    stated = re.search(r"^  Problem name\s*: (?!unnamed$|model$|<)(\S+)$", log, re.MULTILINE)
    # the last is what was to be read, where that failed or the process ended before it was
    run.problem = read or (stated[1] if stated else log.word(r"^SCIP> read (\S+)$"))
    words = log.word(r"^SCIP Status\s*:\s*(.+)$")
    if words and not np.isnan(run.time):
        inside = re.search(r"\[(.*)\]", words)
        # A gap limit is the tolerance that was asked for, as an optimal solution within the tolerance of other solvers.
        run.verdict = "solved" if "gap limit" in words else outcome(inside[1] if inside else words)
        # Without its last line the log was cut; but a run that is stopped in presolving has no dual bound and no gap.
        early = log.last(r"^Primal Bound[^\n]*\(0 solutions\)[ \t]*\n\s*(?!Dual Bound)\S") or log.last(
            r"^presolving was interrupted\.\n(?:.*\n)*?Primal Bound"
        )
        if not log.last(r"^(?:  )?Gap\s*:") and not (early and run.verdict in ("time_limit", "memory_limit", "limit", "stopped")):
            run.verdict = None
    for path in re.findall(r"^loaded parameter file <([^>\n]+)>", log, re.MULTILINE):
        name = path.rpartition("/")[2].removesuffix(".set")
        if name != "default":
            run.settings["settings"] = name
    run.course = _scip_course(log)
    lp = log.word(r"\[LP solver: ([^\]\n]+)\]")
    if lp:
        run.settings["LP"] = lp


#: A solution found while presolving, and the first and the last improvement in the statistics.
_FOUND_OF_SCIP = r"^feasible solution found by .*? after +(?P<t>[0-9.]+) seconds, objective value +(?P<p>\S+)"
_STATED_OF_SCIP = r"^  {} : (?P<p>\S+) +\(in run \d+, after \d+ nodes, (?P<t>[0-9.]+) seconds"
_UNITS_OF_SCIP = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def _scip_course(log: Log) -> Course:
    listed = course([*log.matches(_FOUND_OF_SCIP), *_scip_rows(log)])
    valued = listed[np.isfinite(listed[:, 1]), 0]
    first, best = (course(log.matches(_STATED_OF_SCIP.format(name)))[:1] for name in ("First Solution  ", "Primal Bound    "))
    listed = np.concatenate([first[: int(not (valued <= first[:, :1] + 0.1).any())], listed, best])
    # a tenth that is printed may be past already
    listed[:, 0] = np.ceil(np.round(listed[:, 0] * 10, 6)) / 10
    return listed[np.argsort(listed[:, 0], kind="stable")]


def _scip_rows(log: Log) -> Iterator[tuple[float, float, float]]:
    names: list[str] = []
    for line in log.splitlines():
        cells = [cell.strip() for cell in line[:400].split("|")]
        if "dualbound" in cells:
            names = cells
        elif len(cells) == len(names) and (time := re.fullmatch(r"[^0-9]? *([0-9.]+)([smhd])", cells[0])):
            value, bound = (number(cells[names.index(name)]) for name in ("primalbound", "dualbound"))
            yield number(time[1]) * _UNITS_OF_SCIP[time[2]], value, bound


# ---- Gurobi -----------------------------------------------------------------------------------------------------------

_VERDICT_OF_GUROBI = (
    r"^(Optimal solution found|Optimal objective|Time limit reached|Node limit reached|Iteration limit reached"
    r"|Solution limit reached|Memory limit reached|Work limit reached"
    r"|Model is [Ii]nfeasible.*|Infeasible (?:or unbounded )?model|Model is unbounded"
    r"|Unbounded model|Infeasible or unbounded model|Solve interrupted|Interrupt request received|Numeric error|Numerical trouble"
    r"|Sub-optimal termination|Out of memory|Optimization exhausted available memory|(?:User )?[Oo]bjective (?:bound )?limit"
    r"|Optimization achieved user objective limit"
    r"|First-order optimal solution|Locally optimal solution found)"
)
#: Parameters of Gurobi that are limits of memory, or concern its output or licence.
_OWN_OF_GUROBI = (
    "LogFile|ResultFile|SolFiles|OutputFlag|LogToConsole|DisplayInterval|Username|LicenseID|TokenServer|JobID"
    "|CSAPISecret|WLSAccessID|WLSSecret|WLSToken|ServerPassword|Server|ComputeServer|SoftMemLimit|MemLimit"
)


def _gurobi(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    # Verdicts of parts of a run stand in the log before the one of the whole.
    several = "Multi-objectives: starting" in log and not log.last(r"^Multi-objectives: (?:solved|stopped) in")
    crossing = "Crossover log" in log and "Explored" not in log and not log.last(r"^(?:Solved|Stopped) in")
    found = log.last(_VERDICT_OF_GUROBI)
    if found and not np.isnan(run.time) and not several and not crossing:
        run.verdict = outcome(found[1])
    if run.verdict == "solved" and np.isnan(run.value) and "Explored" in log:
        run.verdict = None  # the line with the bounds, which follows, is not there
    if run.verdict == "infeasible" and log.last(r"^(?:Set parameter )?Cutoff\b"):
        run.verdict = "limit"  # no solution is better than the cutoff; the model may have others
    run.maximise = _gurobi_direction(log) if run.maximise is None else run.maximise
    stated = log.pairs(r'^(?:Set parameter|Changed value of parameter) (\w+) to (?:value)? *"?(.*?)"? *$')
    block = re.search(r"^Non-default parameters:\n((?:\w+ +\S+\n)+)", log, re.MULTILINE)
    run.take([*stated, *Log(block[1] if block else "").pairs(r'^(\w+) +"?(\S*?)"?$')], _OWN_OF_GUROBI, "TimeLimit", "Seed")
    for key, value in run.settings.items():
        if re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", value):
            run.settings[key] = f"{float(value):g}"


def _gurobi_direction(log: Log) -> bool | None:
    listed = log.last(r"^Solution count \d+: (\S+) .*?(\S+) *(?:\.\.\.)?$")
    best, worst = (number(cell) for cell in listed.groups()) if listed else (np.nan, np.nan)
    return None if np.isnan(best - worst) or best == worst else best > worst


# ---- CPLEX ------------------------------------------------------------------------------------------------------------


def _cplex(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    time = log.last(r"^Solution time =\s+(\S+) sec\.\s+Iterations = (\d+)(?:\s+Nodes = (\d+))?")
    if time:
        # the library may print 0 for the time
        run.time, run.iterations, run.nodes = np.fmax(number(time[1]), log.of(_TOTAL_OF_CPLEX)), number(time[2]), number(time[3])
        words = Log(log[: time.start()]).last(
            r"^(?:CPLEX> )?((?:MIP|(?:Dual|Primal) simplex|Barrier|Presolve|Sifting|Network) - .+)$"
        )
        if words:
            run.verdict = outcome(words[1].partition(":  Objective")[0])
            value = re.search(r"Objective =\s+(\S+)", words[1])
            run.value = number(value[1]) if value else np.nan
    else:
        _cplex_of_library(log, run)
    run.course = course(_cplex_moments(log, run.time))


#: Below GAMS a linear problem has a status with a time below it.
_TOTAL_OF_CPLEX = r"^(?:Total \(root\+branch&cut\) = +|--- LP status .*\n--- Cplex Time: )([0-9.,]+) ?sec"
_STATUS_OF_CPLEX = (
    r"^(?:Solution status *[:=] *|--- \w+ status \(\d+\): |CPLEX \d+(?:\.\d+)+: )?"
    r"((?<=[:=] )(?:Optimal|Infeasible|Unbounded)|(?:integer )?(?:optimal|infeasible|unbounded)\b.*|aborted.*"
    r"|(?:(?:deterministic )?time|node|memory|solution) limit exceeded.*)$"
)


def _cplex_of_library(log: Log, run: Run) -> None:
    time = log.last(_TOTAL_OF_CPLEX)
    if time:
        run.time = _cplex_decimal(time[1])
        status = Log(log[time.start() :]).last(_STATUS_OF_CPLEX)
        run.verdict = outcome(status[1]) if status else None
        found = course(_cplex_moments(log, run.time))
        values, bounds = found[np.isfinite(found[:, 1]), 1], found[np.isfinite(found[:, 2]), 2]
        run.value = values[-1] if values.size else run.value
        run.bound = bounds[-1] if bounds.size and run.verdict != "solved" else np.nan


def _cplex_decimal(text: str) -> float:
    return number(text.replace(",", "."))


def _cplex_moments(log: Log, end: float) -> Iterator[tuple[float, float, float]]:
    waiting: list[tuple[float, float]] = []
    for line, cells in log.table(r"^( +Node +Left +Objective +IInf)( +Best Integer)( +Best (?:Bound|Node))"):
        if cells and re.match(r"^[* ] *\d+\+? +\d+ ", line):
            value, bound = (_cplex_decimal(cell) for cell in cells)
            waiting.append((value, bound))
        elif time := re.match(r"Elapsed time = +(\S+) sec\.", line):
            yield from ((_cplex_decimal(time[1]), *moment) for moment in waiting)
            waiting = []
        elif found := re.match(r"Found incumbent of value (\S+) after (\S+) sec\.", line):
            yield _cplex_decimal(found[2]), _cplex_decimal(found[1]), np.nan
    yield from ((end, *moment) for moment in waiting)


# ---- CBC --------------------------------------------------------------------------------------------------------------


def _cbc(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    run.problem = log.word(r"\s-import (\S+)")
    if run.problem is None:
        file = log.word(r"^command line - .*?([^\s\"]+\.(?:mps|lp)(?:\.(?:gz|bz2))?)\"?(?: |$)")
        own = [n for n in (file, log.word(r"^Problem (\S+) has \d+ rows")) if n and not MADE_UP.search(n)]
        run.problem = own[0] if own else None
    if not np.isnan(run.time):
        if run.verdict:
            # Stopped while it cleans up its solution, CBC 2.10 says infeasible of a problem that it has solutions of.
            if run.verdict == "infeasible" and log.last(r"^Cbc00(?:04|12|16)I Integer solution of"):
                run.verdict = "wrong"
        elif log.last(r"^Optimal (?:-|objective)") and "Starting MIP optimization" not in log:
            run.verdict = "solved"
        elif verdict := log.first_of({"^Problem is infeasible": "infeasible", "^Problem is unbounded": "unbounded"}):
            run.verdict = verdict
        elif log.last(r"^Pre-processing says infeasible or unbounded"):
            # with a bounded relaxation it cannot be unbounded
            run.verdict = "infeasible" if log.last(r"^Continuous objective value is") else "unknown"
        else:
            _cbc_searched(log, run)
    run.maximise = True if log.last(r"^Upper bound:|^command line - .* -?max(?:imi[sz]e)? ") else None
    run.course = course(log.matches(_MOMENTS_OF_CBC))
    values = run.course[np.isfinite(run.course[:, 1]), 1]
    if run.maximise and values.size and abs(values[-1] + run.value) < abs(values[-1] - run.value):
        run.course[:, 1:] *= -1  # it minimises the negated objective


#: Nodes, and solutions.
_MOMENTS_OF_CBC = (
    r"^Cbc00(?:10I After \d+ nodes, \d+ on tree, (?P<p>\S+) best solution, best possible (?P<d>\S+)"
    r"|(?:04|12|16)I Integer solution of (?P<q>\S+) found .*) \((?P<t>[0-9.]+) seconds\)"
)


def _cbc_searched(log: Log, run: Run) -> None:
    ended = log.last(
        r"^Cbc00(01I Search completed|05I Partial search) - best objective (\S+?),?(?: \(best possible (\S+)\),)? took (\d+) "
        r"iterations and (\d+) nodes"
    )
    if ended is None:
        linear = log.last(r"^Clp0032I Optimal objective (\S+)")
        if linear and ("Starting MIP optimization" not in log or "Cbc3007W No integer variables" in log):
            run.verdict, run.value = "solved", number(linear[1])
        return
    run.value, run.bound = number(ended[2]), number(ended[3])
    run.iterations, run.nodes = number(ended[4]), number(ended[5])
    if ended[1].startswith("01I"):
        run.verdict = "infeasible" if np.isnan(run.value) else "solved"
    elif stopped := log.last(r"^Cbc00\d\dI Exiting on (.+)"):
        run.verdict = "time_limit" if "time" in stopped[1] else "limit"
    else:
        run.verdict = "unknown"


# ---- XPRESS -----------------------------------------------------------------------------------------------------------

_NONE_OF_XPRESS = {
    r"^[ \t]*(?:The )?[Pp]roblem is (?:integer )?infeasible": "infeasible",
    r"^[ \t]*(?:The )?[Pp]roblem is unbounded": "unbounded",
}


def _xpress(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    kind = log.last(r"^(?:Minimizing|Maximizing) (\w+)")
    ended = log.last(r"^[ \t]*\*\*\* Search (completed|unfinished) \*\*\*(?:\s+Time:\s*(\S+)(?:\s+Nodes:\s*(\d+))?)?")
    summary = log.last(r"^[ \t]*Solution time / primaldual integral\s*:\s*([0-9.]+)s")
    if ended:
        run.time = number(summary[1]) if summary else number(ended[2])
        run.nodes = number(ended[3]) if ended[3] else log.of(r"^[ \t]*Number of solutions found / nodes\s*:\s*\d+ /\s*(\d+)")
        stopped = log.word(r"STOPPING - (.+?)(?: limit)? reached")
        if verdict := log.first_of(_NONE_OF_XPRESS):
            run.verdict = verdict
        elif ended[1] == "completed":
            run.verdict = "solved"
        else:
            run.verdict = outcome(f"{stopped} limit reached") if stopped else "stopped"
        if np.isnan(run.time):
            run.verdict = None
    elif kind and kind[1] in ("LP", "QP"):
        _xpress_linear(log, run)
    if np.isnan(run.value) and kind and kind[1] in ("LP", "QP"):
        run.value = log.of(r"^Final objective\s*:\s*(\S+)$")
    if run.verdict == "solved" and np.isnan(run.value):
        run.verdict = None  # the lines with the result, which may also say infeasible, are not there
    run.course = _xpress_course(log)


def _xpress_course(log: Log) -> Course:
    moments = []
    for line, cells in log.table(r"^( Its Type|    Node)( +BestSoln)( +BestBound)"):
        if found := re.match(r"^ *\*\*\* Solution found: +(\S+) +Time: +([0-9.]+) ", line):
            moments.append((number(found[2]), number(found[1]), np.nan))
        elif cells and re.match(r"^[A-Za-z*]? *\d* +(?:[A-Z] +)?[-0-9.]", line) and re.search(r" \d+$", line):
            moments.append((number(line.split()[-1]), number(cells[0]), number(cells[1])))
    listed = course(moments)
    # whole seconds that follow a fraction are not before it
    listed[:, 0] = np.maximum.accumulate(listed[:, 0])
    return listed


def _xpress_linear(log: Log, run: Run) -> None:
    time = log.last(r"^[ \t]*(\d+) (?:simplex|barrier|network|hybrid gradient) iterations in ([0-9.]+)\s*s")
    run.time = number(time[2]) if time else log.of(r"^Presolve finished in ([0-9.]+) seconds")
    run.iterations = number(time[1]) if time else np.nan
    stopped = log.word(r"STOPPING - (.+?)(?: limit)? reached")
    if stopped or log.last(r"^Maximum number of iterations reached"):
        run.verdict = outcome(f"{stopped or 'iteration'} limit reached")
    elif np.isnan(run.time):
        return
    elif verdict := log.first_of(_NONE_OF_XPRESS):
        run.verdict = verdict
    elif time and log.last(r"^Optimal solution found") and log.last(r"^Final objective\s*:"):
        run.verdict = "solved"


# ---- CP-SAT of OR-Tools (`log_search_progress`) -----------------------------------------------------------------------


def _cp_sat(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    run.take(
        Log(log.word(r"^Parameters: (.*)$") or "").pairs(r"(\w+): (\S+)"),
        "log_.*",
        limit="max_time_in_seconds",
        seed="random_seed",
    )
    moments = list(_moments(log))
    run.maximise = _maximises(log, run)
    run.course = course((t, p, high if run.maximise else low) for t, p, low, high in moments)


def _moments(log: Log) -> Iterator[tuple[float, float, float, float]]:
    row = r"^#(?:\d+|Bound|Done) +([0-9.]+)s best:(\S+) +next:\[([^,\]\s]*),?([^,\]\s]*)\]"
    for found in re.finditer(row, log, re.MULTILINE):
        yield number(found[1]), number(found[2]), number(found[3] or "nan"), number(found[4] or "nan")


def _maximises(log: Log, run: Run) -> bool | None:
    none = log.last(r"^#Bound +\S+ best:(-?)inf ")
    if none:
        return bool(none[1])
    found = next((moment for moment in _moments(log) if np.isfinite(moment).all()), None)
    value, bound = found[1:3] if found else (run.value, run.bound)
    return bool(bound > value) if found or bound != value else None


#: What adds to a run, by the name of its dialect.
PARSERS = {"SCIP": _scip, "Gurobi": _gurobi, "CPLEX": _cplex, "CBC": _cbc, "XPRESS": _xpress, "CP-SAT": _cp_sat}
