"""Results of BenchExec in XML (`*.results.*.xml`), as SV-COMP and others publish them: one file for each tool and run set.

The format is that of BenchExec's `doc/result.dtd`. A run has a name, perhaps a property, and columns, of which `status` is what
the tool said, `category` whether that is right, and `cputime` and `walltime` are in seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from xml.parsers import expat

import numpy as np
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers.archive import View
from benchmill.readers.interface import Found, Place, Report, Rule
from benchmill.text.labels import shown


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    time: Literal["cputime", "walltime"] = option("the time that is the cost of a run; limits are those of CPU time", "cputime")
    named_by: tuple[str, ...] = option(
        "what makes the name of an algorithm",
        ("tool", "version", "run_set"),
        type="array",
        minItems=1,
        uniqueItems=True,
        items={"enum": ["tool", "version", "run_set", "options"]},
    )
    unconfirmed: Literal["solved", "failed"] = option("what a correct answer counts as whose witness was not confirmed", "failed")


RULES: dict[str, Rule] = {
    **solver_runs.RULES,
    "repeated_run": Rule("noted", "A tool has several runs on a task; they count as repetitions."),
    "options_differ": Rule(
        "noted",
        "Files of one algorithm have different options; their runs count as those of one (`named_by` with `options` parts them).",
    ),
    "not_run": Rule("noted", "A task without a status was not run; its trial is missing."),
    "answer_not_judged": Rule("noted", "A tool has answered, and the expected answer is not known; it counts as solved."),
    "not_confirmed": Rule("noted", "An answer is correct, and its witness was not confirmed; see the option `unconfirmed`."),
    "cut_file": Rule("refused", "A file ends within its XML; runs that are whole are read, the others are missing."),
}

#: The first element of a file.
_BEGINS = re.compile(rb"<result\s[^>]*\bbenchmarkname=")
_TOOL = re.compile(rb'\stool="([^"]*)"')
#: Statuses that are no answer of the tool, in the words of BenchExec, and why it ended (`terminationreason`).
_STATUSES = (
    ("time_limit", re.compile(r"(SOFT)?TIMEOUT\b.*")),
    ("memory_limit", re.compile(r"OUT OF (JAVA )?MEMORY\b.*")),
    ("limit", re.compile(r"(DISK QUOTA EXCEEDED|FILES?-(COUNT|SIZE)).*")),
    ("stopped", re.compile(r"KILLED.*")),
    ("unknown", re.compile(r"unknown\b.*", re.IGNORECASE)),
)
#: Answers of a tool, which are right or wrong.
_ANSWER = re.compile(r"done|true|false(\(.*\))?|sat|unsat|witness confirmed")
_REASONS = {"cputime": "time_limit", "cputime-soft": "time_limit", "walltime": "time_limit", "memory": "memory_limit"}
_SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0, "d": 86400.0}


def sniff(view: View) -> Found | None:
    """Recognise the first element of a file, with a name of a benchmark and a tool."""
    for member in view.members:
        head = view.unpacked_head(member.name, 8192)
        if head.lstrip().startswith((b"<", b"\xef\xbb\xbf<")) and _BEGINS.search(head) and (tool := _TOOL.search(head)):
            return Found("benchexec", (tool[1].decode("utf-8", "replace"),))
    return None


def read(view: View, options: Options, report: Report) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Read all files; of a folder or an archive those with the suffix `.xml`, packed or not.

    Raises
    ------
    UserError
        A file declares entities, or is no XML from the beginning on.
    """
    runs = solver_runs.Runs()
    seen: set[Place] = set()
    settings: dict[str, str] = {}
    for name in solver_runs.chosen(view, options, (".xml", ".xml.bz2", ".xml.gz", ".xml.xz")):
        file = _File(name, view.unpacked(name), report)
        algorithm = file.algorithm(options.named_by)
        if settings.setdefault(algorithm, file.head.get("options", "")) != file.head.get("options", ""):
            report.add("options_differ", name, 1, shown(algorithm))
        limit = _seconds(file.head.get("timelimit")) if options.time == "cputime" else np.nan
        for run in file.runs:
            report.rows_read += 1
            what = f"{shown(algorithm)} on {shown(run.task['name'])}"
            place = (algorithm, options.suite or file.head.get("block") or None, run.task["name"], None, run.property)
            outcome = _outcome(run, name, what, options, report)
            if outcome is None:
                report.expect(place)
                continue
            if place in seen:
                report.add("repeated_run", name, run.line, what)
            seen.add(place)
            runs.add(
                algorithm=algorithm,
                problem=run.task["name"],
                suite=file.head.get("block") or None,
                instance=run.property,
                outcome=outcome,
                proves=False,
                time=_seconds(run.columns.get(options.time)),
                limit=limit,
                version=file.head.get("version") or None,
                settings=file.head.get("options") or None,
                file=name,
                line=run.line,
            )
    yield solver_runs.trials(view, runs, options, report)


class _Run(NamedTuple):
    """A run: its line, the attributes of its task, and the values of its columns."""

    line: int
    task: dict[str, str]
    columns: dict[str, str]

    @property
    def property(self) -> str | None:
        """What was to be checked: one task may have several."""
        return self.task.get("properties") or None


class _File:
    """A file: the attributes of its first element, and of its runs line, attributes and columns.

    Nothing outside of the file is read: external entities are not followed, and a file that declares entities is refused.
    """

    def __init__(self, name: str, data: bytes, report: Report) -> None:
        self.name = name
        self.head: dict[str, str] = {}
        self.runs: list[_Run] = []
        self._open = False
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.EntityDeclHandler = self._entity
        self._parser = parser
        try:
            parser.Parse(data, True)
        except UserError:
            raise
        except (expat.ExpatError, LookupError, ValueError) as error:  # of encodings, too
            line, why = parser.CurrentLineNumber, " ".join(str(error).split())
            if not self.head:
                raise UserError(f"{name}:{line}: it is no XML that can be read ({why}); get the file again.") from None
            # the run that was open is not whole
            self.runs = self.runs[:-1] if self._open else self.runs
            report.add("cut_file", name, line, why)

    def _begin(self, element: str, attributes: dict[str, str]) -> None:
        if element == "result":
            self.head = attributes
        elif element == "run" and "name" in attributes:
            self._open = True
            self.runs.append(_Run(self._parser.CurrentLineNumber, attributes, {}))
        elif element == "column" and self._open and "value" in attributes:
            self.runs[-1].columns.setdefault(attributes.get("title", ""), attributes["value"])

    def _end(self, element: str) -> None:
        if element == "run":
            self._open = False

    def _entity(self, *_: Any) -> None:
        raise UserError(f"{self.name}: it declares entities, as results of BenchExec never do; it is not read.")

    def algorithm(self, named_by: tuple[str, ...]) -> str:
        """The name of the algorithm: what the file says of the parts."""
        run_set = self.head.get("name", "")
        parts = {
            "tool": self.head.get("displayName") or self.head.get("tool", ""),
            "version": self.head.get("version", ""),
            # the set of runs is named with the block of tasks
            "run_set": run_set.removesuffix(self.head.get("block", "")).rstrip("."),
            "options": self.head.get("options", ""),
        }
        return " ".join(part for name in named_by if (part := parts[name].strip())) or parts["tool"] or "tool"


def _outcome(run: _Run, file: str, what: str, options: Options, report: Report) -> str | None:
    """How a run ended; None where it was not made."""
    status, category = run.columns.get("status", "").strip(), run.columns.get("category", "")
    if not status:
        report.add("not_run", file, run.line, what)
        return None
    if category == "correct-unconfirmed":
        report.add("not_confirmed", file, run.line, what)
        return "solved" if options.unconfirmed == "solved" else "unknown"
    if category in ("correct", "wrong", "unknown"):
        return "solved" if category == "correct" else category
    if category == "missing" or (not category and _ANSWER.fullmatch(status)):
        if status != "done":
            report.add("answer_not_judged", file, run.line, f"{what}: {shown(status)!r}")
        return "solved"
    named = (outcome for outcome, pattern in _STATUSES if pattern.fullmatch(status))
    return next(named, None) or _REASONS.get(run.columns.get("terminationreason", ""), "error")


def _seconds(text: str | None) -> float:
    """A time with or without its unit; NaN where there is none."""
    match = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([a-z]*)\s*", text or "")
    return float(match[1]) * _SECONDS[match[2]] if match and match[2] in _SECONDS else np.nan
