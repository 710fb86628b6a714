"""Logs of solvers: a run as a log states it, how each solver writes it, and what takes more than expressions to read.

The expressions are in a file beside this one, with a table for each solver.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from benchmill.core import Array, beside
from benchmill.core.contradictions import TOLERANCE
from benchmill.readers.interface import Given, listed
from benchmill.readers.solver_runs import outcome
from benchmill.readers.text import number as number_in

#: Rows of seconds, value and bound.
Course = Array

#: Seconds, value and bound, one after the other.
Moments = Iterator[tuple[float, float, float]]

Pattern = re.Pattern[str]

#: Longer lines are no rows of a table.
_LONGEST = 400


def lines(pattern: str) -> Pattern:
    """Return a pattern whose `^` and `$` are the ends of lines."""
    return re.compile(pattern, re.MULTILINE)


def number(text: str | None) -> float:
    """Return a number as a solver prints it; NaN for none and for infinity (1e20 and beyond)."""
    value = number_in((text or "").rstrip(",;:."))
    return value if abs(value) < 1e20 else np.nan


def course(moments: Iterable[tuple[float, float, float]]) -> Course:
    """Return moments (seconds, value, bound) in the order of the log."""
    return np.array(list(moments), float).reshape(-1, 3)


class Log(str):
    """The text of a log, and how numbers, words and tables are found in it: `^` and `$` are the ends of lines."""

    __slots__ = ()

    def first(self, pattern: str) -> re.Match[str] | None:
        """Return the first place where the pattern is found."""
        return re.search(pattern, self, re.MULTILINE)

    def last(self, pattern: str) -> re.Match[str] | None:
        """Return the last place where the pattern is found."""
        return next(iter(deque(re.finditer(pattern, self, re.MULTILINE), maxlen=1)), None)

    def of(self, patterns: str | Sequence[str]) -> float:
        """Return the number in the first group that has a text, of the last match of the first pattern that is found."""
        return number(self.word(patterns))

    def word(self, patterns: str | Sequence[str]) -> str | None:
        """Return the text of that group."""
        match = next(filter(None, map(self.last, listed(patterns))), None)
        return next((group.strip() for group in match.groups() if group), None) if match else None

    def first_of(self, verdicts: Mapping[str, str]) -> str | None:
        """Return what the first pattern that is found means."""
        return next((meant for pattern, meant in verdicts.items() if self.first(pattern)), None)

    def pairs(self, pattern: str) -> list[tuple[str, str]]:
        """Return the two groups of every match."""
        return re.findall(pattern, self, re.MULTILINE)

    def matches(self, pattern: str) -> Moments:
        """Yield a moment for each match of a pattern with groups `t` and perhaps `p` or `q` (value) and `d` (bound)."""
        for match in re.finditer(pattern, self, re.MULTILINE):
            named = match.groupdict()
            yield number(named["t"]), number(named.get("p") or named.get("q")), number(named.get("d"))

    def table(self, header: str) -> Iterator[tuple[str, list[str] | None]]:
        """Return the lines, and of those below a header the cells under all but the first of its groups, which end as these do.

        A line has no cells where one of its words goes beyond a cell.
        """
        pattern, edges = re.compile(header), list[int]()
        for line in self.splitlines():
            if match := pattern.match(line):
                edges = [end for _, end in match.regs[1:]]
            elif edges and len(line) <= _LONGEST and not any(line[e - 1 : e].strip() and line[e : e + 1].strip() for e in edges):
                yield line, [line[a:b].strip() for a, b in pairwise(edges)]
                continue
            yield line, None


@dataclass
class Run:
    """A run as its log states it; None or NaN for what it does not state."""

    verdict: str | None = None
    time: float = np.nan
    limit: float = np.nan
    value: float = np.nan
    bound: float = np.nan
    nodes: float = np.nan
    iterations: float = np.nan
    course: Course = field(default_factory=lambda: np.zeros((0, 3)))
    problem: str | None = None
    version: str | None = None
    seed: int | None = None
    maximise: bool | None = None
    proves: bool = True
    """True if what it calls solved is a proven global optimum."""
    model: str | None = None
    """Fingerprint and size of a model, which tell it from others."""
    size: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    trouble: tuple[str, str] | None = None
    """Why there was no run: the rule that tells it, and the line of the log."""

    def take(self, stated: Iterable[tuple[str, str]], own: str, limit: str = "", seed: str = "") -> None:
        """Take over the settings that a log states."""
        for key, value in stated:
            if re.fullmatch(limit, key):
                self.limit = number(value)
            elif re.fullmatch(seed, key):
                self.seed = int(value) if re.fullmatch(r"-?[0-9]{1,18}", value) else None
            elif not re.fullmatch(own, key):
                self.settings[key] = value


@dataclass(frozen=True)
class Dialect:
    """The expressions that find a run in the logs of a solver: its entry in `solver_logs.toml`."""

    name: str
    entry: Given
    known: list[Pattern]
    add: Callable[[Log, Run], None] | None
    """Adds to a run what takes more than expressions."""

    def pattern(self, what: str) -> Pattern:
        """Return the pattern of a kind of lines; what nothing says is never met."""
        return lines("|".join(listed(self.entry.get(what, "(?!)"))))

    def shows_model(self, part: str) -> bool | None:
        """Tell whether a part of a log has a line that no solver prints without a model; None if no line shows it."""
        shown_by = next((what for what in ("solves", "again") if what in self.entry), None)
        return None if shown_by is None else self.pattern(shown_by).search(part) is not None


#: Settings, of Gurobi, CBC, XPRESS and CPLEX, of the value that a solution has to be better than.
_CUTOFF = re.compile(r"[Cc]utoff|MIPABSCUTOFF|.*_(?:Upper|Lower)Cutoff")
#: Words of a solver that looks for global optima, where it has another one.
_LOCAL = r"(?i)^(?:(?:\w+ - )?(?:locally|first[- ]order) optimal|Final \w+ objective \(local optimum\))"
#: What SCIP and HiGHS say of a solution that they called optimal, once they have checked it.
_VIOLATED = (
    r"^best solution is not feasible in original problem|^  Solution status +infeasible$"
    r"|^ERROR: +(?:\w+ solver claims optimality, but|Setting model status to Solve error)"
    r"|^WARNING: User scaled problem solved to optimality, but unscaled solution does not satisfy"
)
#: What tells models without a name apart, and how large they are before they are presolved.
_FINGERPRINT = r"^(?:Model fingerprint: |Initial \w+ model '[^'\n]*': \(model_fingerprint: )(\w+)"
_SIZE = (
    r"^(?:Optimize a model with (\d+) rows, (\d+) [Cc]olumns and (\d+) [Nn]onzeros"
    r"|The original problem has:\n +(\d+) rows, (\d+) columns and (\d+) non-zero elements"
    r"|(?:LP|MIP|QP) +(?:\S+ +)?has (\d+) rows; (\d+) cols; (\d+) nonzeros"
    r"|Initial problem: (\d+) rows, (\d+) columns, (\d+) entries"
    r"|Problem \S+ has (\d+) rows, (\d+) columns and (\d+) elements"
    r"|Original problem has:\n +(\d+) rows +(\d+) cols +(\d+) elements)"
)


def parsed(dialect: Dialect, text: str) -> Run:
    """Return what the log of a run says; a run without a model or a licence is an error."""
    log = Log(text)
    run, fingerprint, size = _parse(dialect, log), log.word(_FINGERPRINT), log.first(_SIZE)
    run.size = "{} rows, {} columns, {} nonzeros".format(*filter(None, size.groups())) if size else None
    run.model = fingerprint and f"model {fingerprint}" + (f" ({run.size})" if size else "")
    # of a model without a solution better than the cutoff nothing says that it has none
    if run.verdict == "infeasible" and any(map(_CUTOFF.fullmatch, run.settings)):
        run.verdict = "limit"
    # stopped while it cleans up its solution, CBC 2.10 says infeasible of a problem that it has solutions of
    if (run.verdict == "infeasible" and np.isfinite(run.course[:, 1]).any()) or (run.verdict == "solved" and log.last(_VIOLATED)):
        run.verdict = "wrong"
    # what is optimal within a wide gap is no statement of the optimum
    apart = run.verdict == "solved" and abs(run.value - run.bound) > TOLERANCE * max(1.0, abs(run.value))
    run.proves = run.proves and not apart and not log.last(_LOCAL)
    if run.verdict not in (None, "unknown"):
        return run
    if refused := _NO_LICENCE.search(text):
        run.trouble = "no_licence", refused[0].strip()
    # the first of several errors is the cause
    elif (unread := dialect.pattern("unread").search(text)) and not dialect.shows_model(text):
        run.trouble = "model_not_read", unread[0].strip()
        run.problem = run.problem or unread.groupdict().get("file")
    run.verdict = "error" if run.trouble else run.verdict
    return run


#: Names that modelling languages make up: of files that they delete (PuLP, Pyomo), and of models without a name.
MADE_UP = re.compile(
    r"-pulp(?:\.(?:mps|lp))?$|\.pyomo(?:\.(?:mps|lp|nl))?$|^/tmp/tmp[a-z0-9_]{8}\b|^(?:MODEL|BLANK|OBJROW|_MPS_)$"
)

#: Lines that say that a solver had no licence for its run, or only one for smaller models.
_NO_LICENCE = lines(
    r"^.*(?:(?i:\bno (?:\w+ ){0,2}licen[cs]e\b(?! files in| found\. (?:starting|\w+ size))"
    r"|\bproblem (?:with|obtaining) (?:the |a )?licen[cs]e|\bhostid mismatch"
    r"|\blicen[cs]e(?: \w+){0,2} (?:error|fail\w*|expired|invalid|not found|mismatch|denied|cannot|could not|is for version)\b"
    r"|\b(?:invalid|expired|unable to \w+|failed to (?:\w+ )+|could not \w+|cannot \w+) (?:a |the |valid )*licen[cs]e\b"
    r"|\bproblem size limits exceeded|\btoo large for size-limited)"
    r"|\b(?:ERROR|Error) (?:10009|1002[0-9]|1003[0-9])\b|CPLEX Error +32[0-9]{3}\b|^[ \t]*\?900\b).*$"
)

#: How a process ended that was killed, in the words of a shell, `timeout`, `time` or a cluster, or crashed, in its own;
#: the first is the end of a run whatever its solver had said.
CRASHES = {
    r"^.*\b(?:[Ss]egmentation (?:fault|violation)|[Cc]ore dumped|dumped core|[Bb]us error|[Ii]llegal instruction"
    r"|[Dd]ouble free or corruption|[Ss]tack smashing detected|[Ff]loating point exception|SIGSEGV|SIGABRT"
    r"|[Cc]aught signal(?! (?:2|14|15|24)\b)"
    r"|[Tt]race/breakpoint trap|terminated by signal \d+|non-zero status 1[3-9]\d)\b.*$"
    r"|^.*\bAssertion .*failed\b|^terminate called (?:after|without)\b|^libc\+\+abi"
    r"|^(?:.*: )?(?:Aborted|Killed|Abort trap.*)$|^.*: line \d+: +\d+ (?:Aborted|Killed)\b"
    r"|\bstd::bad_alloc\b|^(?:.*: )?malloc(?:\(\))?: ": "error",
    r"(?i)^.*\b(?:oom[-_ ]kill|out of memory: kill)": "memory_limit",
    r"^(?:.*: line \d+: +\d+ )?Terminated\b|^.*\bCANCELLED AT \d": "stopped",
    r"^Traceback \(most recent call last\):|error while loading shared libraries|^Command exited with non-zero status": "error",
}
FATAL = next(iter(CRASHES))


# ---- SCIP -------------------------------------------------------------------------------------------------------------


def _scip(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    # without its last line the log was cut; but a run that is stopped in presolving has no dual bound and no gap.
    early = run.verdict in ("time_limit", "memory_limit", "limit", "stopped") and log.first(_EARLY_END_OF_SCIP)
    if not early and not log.first(r"^(?:  )?Gap\s*:"):
        run.verdict = None
    if loaded := log.word(r"^loaded parameter file <(?:[^>\n]*/)?(?!default(?:\.set)?>)([^>/\n]+?)(?:\.set)?>"):
        run.settings["settings"] = loaded
    listed = course([*log.matches(_FOUND_OF_SCIP), *_scip_rows(log)])
    valued = listed[np.isfinite(listed[:, 1]), 0]
    first, best = (course(log.matches(_STATED_OF_SCIP.format(name)))[:1] for name in ("First Solution  ", "Primal Bound    "))
    listed = np.concatenate([first[: int(not (valued <= first[:, :1] + 0.1).any())], listed, best])
    # a tenth that is printed may be past already
    listed[:, 0] = np.ceil(np.round(listed[:, 0] * 10, 6)) / 10
    run.course = listed[np.argsort(listed[:, 0], kind="stable")]
    # without a solution it prints a limit of the objective in its place
    if not np.isnan(run.value) and log.last(r"^(?:  )?Primal Bound\s*:\s*\S+ +\((?:.*\b0 solutions|user objective limit)\)"):
        run.value = run.course[:, 1] = np.nan
        run.verdict = "limit" if run.verdict == "infeasible" else run.verdict
    run.settings |= log.pairs(r"\[(LP) solver: ([^\]\n]+)\]")


_EARLY_END_OF_SCIP = (
    r"^Primal Bound[^\n]*\b0 solutions\)[ \t]*\n\s*(?!Dual Bound)\S|^presolving was interrupted\.\n(?:.*\n)*?Primal Bound"
)
#: A solution found while presolving, and the first and the last improvement in the statistics.
_FOUND_OF_SCIP = r"^feasible solution found by .*? after +(?P<t>[0-9.]+) seconds, objective value +(?P<p>\S+)"
_STATED_OF_SCIP = r"^  {} : (?P<p>\S+) +\(in run \d+, after \d+ nodes, (?P<t>[0-9.]+) seconds"
_UNITS_OF_SCIP = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def _scip_rows(log: Log) -> Moments:
    names: list[str] = []
    for line in log.splitlines():
        cells = [cell.strip() for cell in line[:400].split("|")]
        if "dualbound" in cells:
            names = cells
        elif len(cells) == len(names) and (time := re.fullmatch(r"[^0-9]? *([0-9.]+)([smhd])", cells[0])):
            value, bound = (number(cells[names.index(name)]) for name in ("primalbound", "dualbound"))
            yield number(time[1]) * _UNITS_OF_SCIP[time[2]], value, bound


# ---- Gurobi -----------------------------------------------------------------------------------------------------------

#: Parameters of Gurobi that are limits of memory, or concern its output or licence.
_OWN_OF_GUROBI = (
    "LogFile|ResultFile|SolFiles|OutputFlag|LogToConsole|DisplayInterval|Username|LicenseID|TokenServer|JobID"
    "|CSAPISecret|WLSAccessID|WLSSecret|WLSToken|ServerPassword|Server|ComputeServer|SoftMemLimit|MemLimit|Tune\\w+"
)
#: What a call prints that goes on with the search of the one before.
GOES_ON = "\nContinuing optimization...\n"


def _gurobi(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    bounded = "Explored" not in log or log.first(r"^Best objective \S+, best bound \S+, gap ")
    if not bounded and run.verdict in ("solved", "time_limit", "limit"):
        run.verdict = None  # the line with the bounds, which follows, is not there
    listed = log.last(r"^Solution count \d+: (\S+) .*?(\S+) *(?:\.\.\.)?$")
    if listed and run.maximise is None:
        best, worst = map(number, listed.groups())
        run.maximise = best > worst if abs(best - worst) > 0 else None
    stated = log.pairs(r'^(?:Set parameter|Changed value of parameter) (\w+) to (?:value)? *"?(.*?)"? *$')
    block = log.last(r"^Non-default parameters:\n((?:\w+ +\S+\n)+)")
    run.take([*stated, *Log(block[1] if block else "").pairs(r'^(\w+) +"?(\S*?)"?$')], _OWN_OF_GUROBI, "TimeLimit", "Seed")
    if GOES_ON in log:
        # time and nodes are those of all calls, and the limit is that of the last one alone
        run.limit += run.time - log.of(r"^Most recent optimization runtime was (\S+) seconds")
    run.settings |= {key: f"{number_in(value):g}" for key, value in run.settings.items() if np.isfinite(number_in(value))}


# ---- CPLEX ------------------------------------------------------------------------------------------------------------


def _cplex(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    log = Log(re.sub(r"(?<=\d),(?=\d)", ".", log))
    # the library may print 0 for the time
    run.time = np.fmax(log.of(r"^Solution time =\s+(\S+) sec\."), log.of(_TOTAL_OF_CPLEX))
    run.course = course(_cplex_moments(log, run.time))
    before, solution, _ = log.rpartition("\nSolution time =")
    total = log.last(_TOTAL_OF_CPLEX)
    if solution and (words := Log(before).word(_WORDS_OF_CPLEX)):
        run.verdict, run.value = outcome(words.partition(":  Objective")[0]), Log(words).of(r"Objective =\s+(\S+)")
    elif total and not solution:
        status = Log(log[total.start() :]).word(_STATUS_OF_CPLEX)
        run.verdict = outcome(status) if status else None
        values, bounds = (column[np.isfinite(column)] for column in run.course[:, 1:].T)
        run.value = values[-1] if values.size else run.value
        run.bound = bounds[-1] if bounds.size and run.verdict != "solved" else np.nan


_WORDS_OF_CPLEX = r"^(?:CPLEX> )?((?:MIP|(?:Dual|Primal) simplex|Barrier|Presolve|Sifting|Network|Populate) - .+)$"
#: Below GAMS a linear problem has a status with a time below it.
_TOTAL_OF_CPLEX = r"^(?:Total \(root\+branch&cut\) = +|--- LP status .*\n--- Cplex Time: )([0-9.,]+) ?sec"
_STATUS_OF_CPLEX = (
    r"^(?:(?:Solution|CPLEX) status *[:=] *|--- \w+ status \(\d+\): |CPLEX \d+(?:\.\d+)+: )?"
    r"((?<=[:=] )(?:Optimal|Infeasible|Unbounded)|(?:integer )?(?:optimal|infeasible|unbounded)\b.*|aborted.*"
    r"|(?:(?:deterministic )?time|node|memory|solution) limit exceeded.*)$"
)


def _cplex_moments(log: Log, end: float) -> Moments:
    waiting: list[tuple[float, float]] = []
    for line, cells in log.table(r"^( +Node +Left +Objective +IInf)( +Best Integer)( +Best (?:Bound|Node))"):
        if cells and re.match(r"^[* ] *\d+\+? +\d+ ", line):
            value, bound = (number(cell) for cell in cells)
            waiting.append((value, bound))
        elif time := re.match(r"Elapsed time = +(\S+) sec\.", line):
            yield from ((number(time[1]), *moment) for moment in waiting)
            waiting = []
        elif match := re.match(r"Found incumbent of value (\S+) after (\S+) sec\.", line):
            yield number(match[2]), number(match[1]), np.nan
    yield from ((end, *moment) for moment in waiting)


# ---- CBC --------------------------------------------------------------------------------------------------------------


def _cbc(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    ended = log.last(_ENDED_OF_CBC)
    found, *others = map(number, ended.groups()) if ended else [np.nan]
    # the lines of its result say it, if they are there
    if not np.isnan(run.time) and not log.first("^Result - "):
        if ended:
            run.value, (run.bound, run.iterations, run.nodes) = found, others
        elif run.verdict == "solved" and np.isnan(run.value):
            run.value = log.of(r"^Clp0032I Optimal objective (\S+)")
    # to maximise, it minimises the negated objective
    if found != 0 and np.isclose(found, -run.value):
        run.maximise = True
    if np.isnan(run.value) and not np.isnan(run.time):
        run.value = -found if run.maximise else found  # stopped while it cleans up its solution, it prints 1e50
    values = run.course[np.isfinite(run.course[:, 1]), 1]
    if run.maximise and values.size and abs(values[-1] + run.value) < abs(values[-1] - run.value):
        run.course[:, 1:] *= -1


_ENDED_OF_CBC = (
    r"^Cbc000(?:1I Search completed|5I Partial search) - best objective (\S+?),?(?: \(best possible (\S+)\),)? took (\d+) "
    r"iterations and (\d+) nodes"
)


# ---- XPRESS -----------------------------------------------------------------------------------------------------------


def _xpress(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    run.course = _xpress_course(log)
    # the seconds of the iterations leave out those before them, and whole seconds say when they ended
    run.time = np.fmax(run.time, log.of(r"^[ \t]*\d+ [\w ]+ iterations in \S+ seconds at time (\d+)$"))
    if np.isnan(run.value) and (run.verdict == "solved" or np.isfinite(run.course[:, 1]).any()):
        run.verdict = None  # the lines with the result, which may also say infeasible, are not there


def _xpress_course(log: Log) -> Course:
    moments = []
    for line, cells in log.table(r"^( Its Type|    Node)( +BestSoln)( +BestBound)"):
        if match := re.match(r"^ *\*\*\* Solution found: +(\S+) +Time: +([0-9.]+) ", line):
            moments.append((number(match[2]), number(match[1]), np.nan))
        elif cells and re.match(r"^[A-Za-z*]? *\d* +(?:[A-Z] +)?[-0-9.]", line) and re.search(r" \d+$", line):
            moments.append((number(line.split()[-1]), number(cells[0]), number(cells[1])))
    listed = course(moments)
    # whole seconds that follow a fraction are not before it
    listed[:, 0] = np.maximum.accumulate(listed[:, 0])
    return listed


# ---- CP-SAT of OR-Tools (`log_search_progress`) -----------------------------------------------------------------------


def _cp_sat(log: Log, run: Run) -> None:
    """Add what the log of a run says."""
    parameters = Log(log.word(r"^Parameters: (.*)$") or "").pairs(r"(\w+): (\S+)")
    run.take(parameters, "log_.*", limit="max_time_in_seconds", seed="random_seed")
    row = r"^#(?:\d+|Bound|Done) +([0-9.]+)s best:(\S+) +next:\[([^,\]\s]*),?([^,\]\s]*)\]"
    moments = (map(number_in, match.groups()) for match in re.finditer(row, log, re.MULTILINE))
    run.course = course((time, best, high if best < low else low) for time, best, low, high in moments)


#: What adds to a run, by the name of its dialect.
PARSERS = {"SCIP": _scip, "Gurobi": _gurobi, "CPLEX": _cplex, "CBC": _cbc, "XPRESS": _xpress, "CP-SAT": _cp_sat}


# ---- all dialects ------------------------------------------------------------------------------------------------------


def _dialect(name: str, entry: Given) -> Dialect:
    # a search is quick for what begins with a letter, and with `^` it is not
    first = [pattern[1:] for pattern in listed(entry["known"]) if pattern.startswith("^")]
    known = [lines(rf"\n(?:{'|'.join(first)})"), *(lines(pattern) for pattern in listed(entry["known"]) if pattern[0] != "^")]
    return Dialect(entry.get("name", name), entry, known, PARSERS.get(name))


def _parse(dialect: Dialect, log: Log) -> Run:
    """Return what the log of a run says, by the expressions of its solver and what adds to these."""
    entry = dialect.entry
    log = Log(log.partition(entry["until"])[0]) if "until" in entry else log
    run = Run(proves=entry.get("proves", True), version=log.word(entry.get("version", ())))
    problems = (dict.fromkeys(lines(pattern).findall(log)) for pattern in listed(entry.get("problem", ())))
    files = [*next(filter(None, problems), ())]
    run.problem = files[0] if len(files) == 1 else " ".join(dict.fromkeys(re.split(r"[/\\]", f)[-1] for f in files)) or None
    for name in ("value", "bound", "nodes", "iterations", "limit"):
        setattr(run, name, log.of(entry.get(name, ())))
    run.time = _first_of_each(log, entry.get("times", [entry.get("time", ())])) * entry.get("unit", 1.0)
    if np.isnan(run.time):
        run.time = _first_of_each(log, entry.get("seconds", ()))
    if sense := log.word(entry.get("sense", ())):
        run.maximise = sense.lower().startswith(("max", "<", "-", "upper"))
    if "settings" in entry:
        pattern, *kinds = entry["settings"]
        run.take(log.pairs(pattern), *kinds)
    if entry.get("timeless") or not np.isnan(run.time) or dialect.pattern("ends").search(log):
        run.verdict = None if dialect.pattern("part").search(log) else _verdict(entry, log)
    if run.verdict == entry.get("late_says", "unknown") and run.time >= entry.get("late", np.inf) * run.limit:
        run.verdict = "time_limit"
    if "course" in entry and not dialect.pattern("other_model").search(log):
        run.course = course(log.matches(entry["course"]))
    if dialect.add is not None:
        dialect.add(log, run)
    return run


def _first_of_each(log: Log, patterns: Sequence[str | Sequence[str]]) -> float:
    """Return the sum of the numbers that are found; NaN where none is."""
    texts = [log.word(pattern) for pattern in patterns]
    return sum(number(text) for text in texts if text) if any(texts) else np.nan


def _verdict(entry: Given, log: Log) -> str | None:
    if "words" in entry:
        log = Log("\n".join(filter(None, (log.word(pattern) for pattern in entry["words"]))))
        if not log:
            return None
    status = log.word(entry.get("status", ()))
    return log.first_of(entry.get("verdicts", {})) or (outcome(status) if status else log.first_of(entry.get("otherwise", {})))


_ALL = [_dialect(*item) for item in beside.toml(__file__).items()]


def dialects_in(text: str) -> list[Dialect]:
    """Return the dialects that have lines in a text, in the order of their first lines; none that another one calls."""
    text = f"\n{text}"
    places = sorted((m.start(), i) for i, dialect in enumerate(_ALL) for known in dialect.known if (m := known.search(text)))
    called = {name for _, i in places for name in _ALL[i].entry.get("calls", ())}
    return [_ALL[i] for i in dict.fromkeys(i for _, i in places) if _ALL[i].name not in called]


def dialect_of(text: str) -> Dialect | None:
    """Return the dialect whose line comes first."""
    return next(iter(dialects_in(text)), None)
