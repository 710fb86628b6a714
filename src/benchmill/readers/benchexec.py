"""Results of BenchExec in XML (`*.results.*.xml`), one file for each tool and run set, or in the CSV of its table-generator."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple
from xml.parsers import expat

import numpy as np

from benchmill.core import Given, UserError, beside, shown
from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers.archive import View, plain_name
from benchmill.readers.interface import Batches, Found, Incomplete, Proposal, Report, Texts, rules
from benchmill.readers.text import lines_of


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    time: Literal["cputime", "walltime"] = option("the time that is the cost of a run; limits are those of CPU time", "cputime")
    named_by: tuple[str, ...] = option(
        "what makes the name of an algorithm",
        ("tool", "version", "run_set"),
        minItems=1,
        uniqueItems=True,
        items={"enum": ["tool", "version", "run_set", "options"]},
    )
    answers: tuple[str | bool, ...] = option(
        "the statuses in a CSV that count as solved, if it does not say which answers are right",
        (),
        items={"type": ["string", "boolean"]},
        minItems=1,
        uniqueItems=True,
    )


RULES = {**rules("benchexec"), **solver_runs.RULES}

#: The first element of a file.
_BEGINS = re.compile(rb"<result\s[^>]*\bbenchmarkname=")
#: The elements of a run, now and in the first versions.
_RUNS = ("run", "sourcefile")
_TOOL = re.compile(rb'\stool="([^"]*)"')
#: The first lines of a CSV of table-generator.
_TABLE = re.compile(rb"(?:\xef\xbb\xbf)?tool\t+([^\t\r\n]+)[^\n]*\r?\n(?:run set\t[^\n]*\n)?[^\n]*\tstatus\b")
_EXPECTED = re.compile(r"(true|false)(?:\((.*)\))?")
#: Statuses that are no answer of the tool, and why it ended.
_DATA: dict[str, Texts] = beside.toml(__file__)
#: Answers of a tool, which are right or wrong.
_ANSWER = re.compile(r"done|true|false(\(.*\))?|sat|unsat|witness confirmed")


def sniff(view: View) -> Found | None:
    """Recognise the first element of a file, with a name of a benchmark and a tool."""
    for member in view.members:
        head = view.unpacked_head(member.name, 8192)
        if head.lstrip().startswith((b"<", b"\xef\xbb\xbf<")) and _BEGINS.search(head) and (tool := _TOOL.search(head)):
            return Found("benchexec", (tool[1].decode("utf-8", "replace"),))
        if table := _TABLE.match(head):
            return Found("benchexec", (table[1].decode("utf-8", "replace").strip(),))
    return None


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all files; of a folder or an archive those with the suffix `.xml`, packed or not, and the CSV of table-generator."""
    runs = solver_runs.Runs()
    settings: Texts = {}
    for name, head, runs_of_file in _files(view, options, report):
        algorithm = _named(head, options.named_by)
        if settings.setdefault(algorithm, head["options"]) != head["options"]:
            report.add("options_differ", name, 1, shown(algorithm))
        for run in runs_of_file:
            report.rows_read += 1
            checked, suite = run.task.get("properties") or None, head["block"] or None
            outcome = _outcome(run, head["error"], name, f"{shown(algorithm)} on {shown(run.task['name'])}", report)
            if outcome is None:
                report.expect((algorithm, options.suite or suite, run.task["name"], None, checked))
                continue
            runs.add(
                algorithm=algorithm,
                problem=run.task["name"],
                suite=suite,
                instance=checked,
                outcome=outcome,
                proves=False,
                time=_seconds(run.columns.get(options.time, "")),
                limit=_seconds(head["timelimit"]) if options.time == "cputime" else np.nan,
                version=head["version"] or None,
                settings=head["options"] or None,
                file=name,
                line=run.line,
            )
    yield solver_runs.trials(view, runs, options, report)


def _files(view: View, options: Options, report: Report) -> Iterator[_Results]:
    for name in solver_runs.chosen(view, options, solver_runs.by_suffix(view, (".xml", ".csv"))):
        data = view.unpacked(name)
        if _TABLE.match(data):
            run_sets, unjudged = _of_table(name, data, report)
            if unjudged and not options.answers:
                words = ", ".join(map(shown, _statuses(unjudged)[:5]))
                raise Incomplete(
                    f"{name}: it has the answers {words}, and nothing says which are right",
                    "name those that count as solved with `answers`, or read the XML files that it was made from",
                )
            right = tuple(str(answer).lower() if isinstance(answer, bool) else answer for answer in options.answers)
            begun = tuple(f"{answer}(" for answer in right)
            for columns in (run.columns for run in unjudged):
                solved = columns["status"] in right or columns["status"].startswith(begun)
                columns["category"] = "missing" if solved else "unknown"
            yield from run_sets
        elif not plain_name(name.lower()).endswith(".csv"):
            yield _of_xml(name, data, report)


class _Run(NamedTuple):
    line: int
    task: Texts
    columns: Texts


def _named(head: Texts, named_by: tuple[str, ...]) -> str:
    tool = head["displayName"] or head["tool"]
    # the set of runs is named with the block of tasks
    parts = {**head, "tool": tool, "run_set": head["name"].removesuffix(head["block"]).rstrip(".")}
    return " ".join(part for name in named_by if (part := parts.get(name, "").strip())) or tool or "tool"


class _Results(NamedTuple):
    """The runs of a tool in a run set, in a file, and what the head says of them, nothing where it is silent."""

    name: str
    head: defaultdict[str, str]
    runs: list[_Run]


def _of_xml(name: str, data: bytes, report: Report) -> _Results:
    head = defaultdict[str, str](str)
    runs: list[_Run] = []
    is_open = False
    parser = expat.ParserCreate()

    def begin(element: str, attributes: Texts) -> None:
        nonlocal is_open
        if element == "result":
            head.update(attributes)
        elif element in _RUNS and "name" in attributes:
            is_open = True
            runs.append(_Run(parser.CurrentLineNumber, attributes, {}))
        elif element == "column" and is_open and "value" in attributes:
            runs[-1].columns.setdefault(attributes.get("title", ""), attributes["value"])

    def end(element: str) -> None:
        nonlocal is_open
        is_open = is_open and element not in _RUNS

    def entity(*_: Any) -> None:
        raise UserError(f"{name}: it declares entities, as results of BenchExec never do; it is not read.")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begin, end, entity
    try:
        parser.Parse(data, True)
    except UserError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:  # of encodings, too
        line, why = parser.CurrentLineNumber, " ".join(str(error).split())
        if not head:
            raise UserError(f"{name}:{line}: it is no XML that can be read ({why}); get the file again.") from None
        # the run that was open is not whole
        runs = runs[:-1] if is_open else runs
        report.add("cut_file", name, line, why)
    return _Results(name, head, runs)


def _of_table(name: str, data: bytes, report: Report) -> tuple[list[_Results], list[_Run]]:
    """Return the run sets of a CSV of table-generator, and those of their runs whose answer nothing judges."""
    lines = lines_of(data)
    if lines[-1]:
        report.add("cut_line", name, len(lines), f"{shown(lines[-1][:80])!r}")
    tools, run_sets, titles = (line.split("\t") for line in [*lines, ""][:3])
    first = 3
    if run_sets[0] != "run set":
        run_sets, titles, first = [""] * len(tools), run_sets, 2
    tasks: dict[int, list[str]] = {}
    for number, line in enumerate(lines[first:-1], first + 1):
        cells = line.split("\t")
        if len(cells) == len(titles):
            tasks[number] = cells
        elif line:
            report.add("malformed_line", name, number, f"it has {len(cells)} cells, and the head {len(titles)}")
    begin = next(i for i, cell in enumerate(tools) if i and cell)
    starts = [i for i, title in enumerate(titles) if i >= begin and title == "status"]
    given = {i: [cells[i] for cells in tasks.values() if cells[i]] for i in range(1, begin)}
    expected = next((i for i, cells in given.items() if cells and all(map(_EXPECTED.fullmatch, cells))), None)
    named = {
        number: {"name": titles[0] + cells[0], "properties": " ".join(cells[i] for i in given if i != expected and cells[i])}
        for number, cells in tasks.items()
    }
    results = [
        _Results(
            name,
            defaultdict(str, tool=tools[start].strip(), name=run_sets[start].strip()),
            [_Run(at, named[at], _columns(titles[start:end], cells[start:end])) for at, cells in tasks.items()],
        )
        for start, end in pairwise([*starts, len(titles)])
    ]
    unjudged = [run for one in results for run in one.runs if _is_open(run.columns)]
    if expected is None:
        return results, unjudged
    for run in unjudged:
        cells, status = tasks[run.line], run.columns["status"]
        run.columns["category"] = _judged(status, cells[expected])
        report.add("judged_by_answer", name, run.line, f"{shown(cells[0])}: {shown(status)!r}")
    return results, []


def _statuses(runs: Sequence[_Run]) -> list[str]:
    return sorted({run.columns["status"] for run in runs})


def _columns(titles: list[str], cells: list[str]) -> Texts:
    """Return the cells of a run by their titles, which may have a unit in parentheses."""
    titled = zip((title.removesuffix(")").partition(" (") for title in titles), cells, strict=True)
    return {plain: f"{cell} {unit}" if unit and cell else cell for (plain, _, unit), cell in titled}


def propose(view: View, entry: Given) -> Iterator[Proposal]:
    """Return the answers that a CSV of table-generator does not judge, as those that count as solved."""
    names = [member.name for member in view.members if _TABLE.match(view.unpacked_head(member.name, 8192))]
    answers = _statuses([run for name in names for run in _of_table(name, view.unpacked(name), Report(RULES))[1]])
    if answers and "answers" not in entry:
        yield Proposal({"answers": answers}, ("Is each of these answers right? The XML files that the CSV was made from know.",))


def _is_open(columns: Texts) -> bool:
    """Tell whether a run has an answer, and no category that judges it."""
    not_judged = columns.get("category", "missing") in ("", "missing")
    return not_judged and columns["status"] != "done" and _ANSWER.fullmatch(columns["status"]) is not None


def _judged(status: str, expected: str | None) -> str:
    if not expected:
        return "missing"
    right, part = _EXPECTED.fullmatch(expected).groups()  # type: ignore[union-attr]
    if status != "true" and not (status == f"false({part})" if part else status.startswith("false")):
        return "unknown"
    return "correct" if (status == "true") == (right == "true") else "wrong"


def _outcome(run: _Run, failed: str, file: str, what: str, report: Report) -> str | None:
    """Return how a run ended, None if it was not run; `failed`: why its run set came to no end."""
    status, category = run.columns.get("status", "").strip(), run.columns.get("category", "")
    if not status and failed and failed != "interrupted":
        report.add("run_set_failed", file, run.line, f"{what}: {shown(failed)}")
        return "error"
    if not status:
        report.add("not_run", file, run.line, what)
        return None
    if status == "done" and "exitsignal" in run.columns:
        return "error"
    if status == "done" and run.columns.get("returnvalue", "0") != "0":
        report.add("exit_status", file, run.line, f"{what} returned {shown(run.columns['returnvalue'])}")
    if category == "correct-unconfirmed":
        report.add("not_confirmed", file, run.line, what)
        return "unknown"
    if category in ("correct", "wrong", "unknown"):
        return "solved" if category == "correct" else category
    if category == "missing" or (not category and _ANSWER.fullmatch(status)):
        if status != "done":
            report.add("answer_not_judged", file, run.line, f"{what}: {shown(status)!r}")
        return "solved"
    named = (outcome for pattern, outcome in _DATA["statuses"].items() if re.fullmatch(pattern, status))
    return next(named, None) or _DATA["reasons"].get(run.columns.get("terminationreason", ""), "error")


def _seconds(text: str) -> float:
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)\s*([a-z]*)\s*", text)
    return float(match[1]) * solver_runs.SECONDS.get(match[2] or "s", np.nan) if match else np.nan
