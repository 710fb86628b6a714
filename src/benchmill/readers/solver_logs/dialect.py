"""The common part of the dialects of solver logs: a run as a log states it, and how numbers, words and tables are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from benchmill.readers.text import number as number_in

#: Rows of seconds, value and bound.
Course = npt.NDArray[np.float64]

#: Longer lines are no rows of a table.
_LONGEST = 400


def lines(pattern: str) -> re.Pattern[str]:
    """Return a pattern whose `^` and `$` are the ends of lines."""
    return re.compile(pattern, re.MULTILINE)


def number(text: str | None) -> float:
    """Return a number as a solver prints it; NaN for none and for what stands for infinity (1e20 and beyond)."""
    found = number_in((text or "").rstrip(",;:."))
    return found if abs(found) < 1e20 else np.nan


def course(moments: Iterable[tuple[float, float, float]]) -> Course:
    """Return moments (seconds, value, bound) in the order of the log."""
    return np.array(list(moments), float).reshape(-1, 3)


class Log(str):
    """The text of a log, and how numbers, words and tables are found in it: `^` and `$` are the ends of lines."""

    __slots__ = ()

    def last(self, pattern: str) -> re.Match[str] | None:
        """Return the last place where the pattern is found."""
        found = None
        for found in re.finditer(pattern, self, re.MULTILINE):  # noqa: B007
            pass
        return found

    def of(self, pattern: str) -> float:
        """Return the number in the first group of the last match."""
        return number(self.word(pattern))

    def word(self, pattern: str) -> str | None:
        """Return the text in the first group of the last match."""
        found = self.last(pattern)
        return found[1].strip() if found else None

    def first_of(self, verdicts: Mapping[str, str]) -> str | None:
        """Return what the first pattern that is found means."""
        return next((meant for pattern, meant in verdicts.items() if re.search(pattern, self, re.MULTILINE)), None)

    def pairs(self, pattern: str) -> list[tuple[str, str]]:
        """Return the two groups of every match."""
        return re.findall(pattern, self, re.MULTILINE)

    def matches(self, pattern: str) -> Iterator[tuple[float, float, float]]:
        """Yield a moment for each match of a pattern with groups `t` and perhaps `p` or `q` (value) and `d` (bound)."""
        for found in re.finditer(pattern, self, re.MULTILINE):
            named = found.groupdict()
            yield number(named["t"]), number(named.get("p") or named.get("q")), number(named.get("d"))

    def rows(self, begins: str) -> Iterator[list[str]]:
        """Return the words of the lines that match."""
        pattern = re.compile(begins)
        for line in self.splitlines():
            if len(line) <= _LONGEST and pattern.match(line):
                yield line.split()

    def table(self, header: str) -> Iterator[tuple[str, list[str] | None]]:
        """Return the lines, and of those below a header the cells under all but the first of its groups, which end as these do.

        A line has no cells where one of its words goes beyond a cell.
        """
        pattern, edges = re.compile(header), list[int]()
        for line in self.splitlines():
            if found := pattern.match(line):
                edges = [end for _, end in found.regs[1:]]
            elif edges and len(line) <= _LONGEST and not any(line[e - 1 : e].strip() and line[e : e + 1].strip() for e in edges):
                yield line, [line[a:b].strip() for a, b in pairwise(edges)]
                continue
            yield line, None


@dataclass
class Run:
    """A run as its log states it; None or NaN where it says nothing."""

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
    """How a solver writes its logs; `dialect.toml` says what the patterns are."""

    name: str
    parse: Callable[[Log], Run]
    known: list[re.Pattern[str]]
    begins: re.Pattern[str]
    solves: re.Pattern[str] | None = None
    again: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    unread: re.Pattern[str] | None = None
    session: re.Pattern[str] | None = None
    ends: re.Pattern[str] | None = None
    version: re.Pattern[str] | None = None
    calls: tuple[str, ...] = ()

    def shows_model(self, part: str) -> bool | None:
        """Tell whether a part of a log has a line that no solver prints without a model; None where no line tells."""
        line = self.solves or (self.again and self.again[1])
        return None if line is None else line.search(part) is not None


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
    run = dialect.parse(log)
    fingerprint, size = log.word(_FINGERPRINT), re.search(_SIZE, log, re.MULTILINE)
    run.size = "{} rows, {} columns, {} nonzeros".format(*filter(None, size.groups())) if size else None
    run.model = fingerprint and f"model {fingerprint}" + (f" ({run.size})" if size else "")
    # the first of several errors is the cause
    unread = dialect.unread.search(text) if dialect.unread else None
    if run.verdict not in (None, "unknown"):
        return run
    if refused := _NO_LICENCE.search(text):
        run.trouble = "no_licence", refused[0].strip()
    elif unread and not dialect.shows_model(text):
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
    r"^.*(?:(?i:\bno (?:\w+ ){0,2}licen[cs]e\b|\bproblem (?:with|obtaining) (?:the |a )?licen[cs]e|\bhostid mismatch"
    r"|\blicen[cs]e(?: \w+){0,2} (?:error|fail\w*|expired|invalid|not found|mismatch|denied|cannot|could not|is for version)\b"
    r"|\b(?:invalid|expired|unable to \w+|failed to (?:\w+ )+|could not \w+|cannot \w+) (?:a |the |valid )*licen[cs]e\b"
    r"|\bproblem size limits exceeded|\btoo large for size-limited)"
    r"|\b(?:ERROR|Error) (?:10009|1002[0-9]|1003[0-9])\b|CPLEX Error +32[0-9]{3}\b|^[ \t]*\?900\b).*$"
)

#: How a process ended that was killed, in the words of a shell, `timeout`, `time` or a cluster, or crashed, in its own;
#: the first is the end of a run whatever its solver had said.
CRASHES = {
    r"^.*\b(?:[Ss]egmentation (?:fault|violation)|[Cc]ore dumped|dumped core|[Bb]us error|[Ii]llegal instruction"
    r"|[Dd]ouble free or corruption|[Ss]tack smashing detected|[Ff]loating point exception|SIGSEGV|SIGABRT|[Cc]aught signal"
    r"|[Tt]race/breakpoint trap|terminated by signal \d+|non-zero status 1[3-9]\d)\b.*$"
    r"|^.*\bAssertion .*failed\b|^terminate called (?:after|without)\b|^libc\+\+abi"
    r"|^(?:.*: )?(?:Aborted|Killed|Abort trap.*)$|^.*: line \d+: +\d+ (?:Aborted|Killed)\b"
    r"|\bstd::bad_alloc\b|^(?:.*: )?malloc(?:\(\))?: ": "error",
    r"(?i)^.*\b(?:oom[-_ ]kill|out of memory: kill)": "memory_limit",
    r"^(?:.*: line \d+: +\d+ )?Terminated\b|^.*\bCANCELLED AT \d": "stopped",
    r"^Traceback \(most recent call last\):|error while loading shared libraries|^Command exited with non-zero status": "error",
}
FATAL = next(iter(CRASHES))
