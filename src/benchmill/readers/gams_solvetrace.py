"""GAMS solvetrace (and miptrace) files: the course of one solver run, one line per moment."""

import re
from collections.abc import Iterator

import numpy as np

from benchmill.core import shown
from benchmill.readers import solver_runs
from benchmill.readers.archive import View
from benchmill.readers.interface import Batches, Found, Report, Written, rules
from benchmill.readers.rows import number
from benchmill.readers.text import lines_of
from benchmill.registry.formats import FORMATS

_SUFFIXES = FORMATS["gams_solvetrace"].suffixes

Options = solver_runs.Options

RULES = {**rules("gams_solvetrace"), **solver_runs.RULES}

_FIELDS = "* fields are "
_DEFAULT = ("lineNum", "seriesID", "node", "seconds", "bestFound", "bestBound")
_NEEDED = ("seriesID", "seconds", "bestFound", "bestBound")
#: Of a longer line only the beginning is looked at.
_LONGEST = 4096

#: What solvers write for a bound or value that there is not, such as CBC's 1e+50.
_NONE = 1e49


def sniff(view: View) -> Found | None:
    """Recognise a `.solvetrace` or `.miptrace` file, or a single file, by its first line."""
    for name in solver_runs.by_suffix(view, _SUFFIXES):
        if first := _opened(lines_of(view.unpacked_head(name, 65536))[0]):
            return Found("gams_solvetrace", first[:1])
    return None


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all runs, in natural order of the files, then in order of appearance.

    The algorithm is the `ID` of the first line, the problem its `Instance`; time, value, dual bound and nodes are those of the
    last line of a run. The objective is maximised where a bound lies above the value that it belongs to.
    """
    runs = solver_runs.Runs()
    for name in solver_runs.chosen(view, options, solver_runs.by_suffix(view, _SUFFIXES)):
        begun = len(runs)
        for run in _runs(name, view.unpacked(name), report):
            runs.add(**run)
        if len(runs) == begun:
            report.add("not_a_trace", name, None, "no run in it has a line")
    if len(runs):
        report.add("status_from_bounds", runs.file[0], runs.line[0], f"the outcome is {runs.outcome[0]!r}", len(runs))
    yield solver_runs.trials(view, runs, options, report)


def _opened(text: str) -> tuple[str, str] | None:
    text = text[:_LONGEST]
    if not re.match(r"\*\s?(?:solve|mip)trace file\b", text):
        return None
    left, _, instance = text.rpartition(" Instance = ")
    algorithm = left.partition(": ID = ")[2].partition(" OrigInst = ")[0]
    return (algorithm.strip(), instance.strip()) if algorithm.strip() and instance.strip() else None


def _runs(name: str, data: bytes, report: Report) -> Iterator[Written]:
    lines = lines_of(data)
    runs: list[Written] = []
    for at, text in enumerate(lines, 1):
        if text.startswith("*"):
            if first := _opened(text):
                fields: tuple[str, ...] = _DEFAULT
                runs.append({"algorithm": first[0], "problem": first[1], "file": name, "line": at, "course": []})
            elif text.startswith(_FIELDS):
                named = tuple(part.strip() for part in text[len(_FIELDS) : _LONGEST].split(","))
                fields = named if set(_NEEDED) <= set(named) else fields
        elif text.strip() and at == len(lines):
            report.add("cut_line", name, at, f"{shown(text[:60])!r}")
        elif text.strip():
            cells = dict(zip(fields, (cell.strip() for cell in text.split(",")), strict=False)) if runs else {}
            moment = [_number(cells.get(field, "na")) for field in ("seconds", "bestFound", "bestBound", "node")]
            if not runs or text.count(",") != len(fields) - 1 or None in moment or moment[0] != moment[0]:
                what = f"{shown(text[:60])!r}, expected {', '.join(fields)}" if runs else "it belongs to no run"
                report.add("malformed_line", name, at, what)
                continue
            report.rows_read += 1
            runs[-1]["course"].append(moment)
            runs[-1]["series"] = cells["seriesID"]
    for run in [run for run in runs if run["course"]]:
        course = np.array(run["course"], float)
        last = dict(zip(("time", "value", "bound", "nodes"), course[-1].tolist(), strict=True))
        outcome = "solved" if last["value"] == last["bound"] else "unknown"
        if run.pop("series") != "E":
            outcome = "truncated"
            report.add("run_without_end", name, run["line"], f"{shown(run['algorithm'])} on {shown(run['problem'])}")
        # Where both are there, the bound of a minimisation lies below the value.
        _, value, bound, _ = course.T
        maximise = bool(((bound > value) & ~np.isclose(bound, value, rtol=1e-6, atol=1e-9)).any())
        yield run | last | {"course": course[:, :3], "maximise": maximise, "outcome": outcome}


def _number(text: str) -> float | None:
    """Return a number of a line, NaN where it says that there is none."""
    value = np.nan if text.lower() in ("na", "") else number(text)
    return np.nan if value is not None and abs(value) >= _NONE else value
