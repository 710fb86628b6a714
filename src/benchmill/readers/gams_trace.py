"""GAMS trace files: one line per model and solver, with or without a header that names the columns."""

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from benchmill.core import beside, shown
from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers.archive import View
from benchmill.readers.interface import Batches, Found, Report, Texts, Written, rules
from benchmill.readers.text import is_binary, lines_of, number
from benchmill.registry.formats import FORMATS

_SUFFIXES = FORMATS["gams_trace"].suffixes


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    local_optimum: str = option(
        "solved: a locally optimal solution counts as solved; failed: as failed", "solved", enum=["solved", "failed"]
    )


RULES = {**rules("gams_trace"), **solver_runs.RULES}

_DATA = beside.toml(__file__)
_DEFAULT: list[str] = _DATA["columns"]
_TYPES = frozenset(_DATA["types"])
#: The point of Examiner whose infeasibilities are the violation: that in user space, unscaled.
_POINT = "SOLUP"
_INFEASIBILITIES: list[str] = _DATA["infeasibilities"]
_STATUS = re.compile(r"[0-9]{1,3}")
_NOTHING = frozenset(("", "NA", "NaN", "nan", "na"))


def outcome(model: int, solver: int) -> tuple[str, bool]:
    """Return outcome of a run, and whether `solved` states a proven global optimum, from GAMS's two statuses.

    A model status that states optimality (1, 15, 16, 17) holds whatever ended the solver; a locally optimal or an integer
    solution (2, 8) is `solved` after normal completion only, when the solver met its tolerances, and is not a proof.
    """
    if model in _DATA["optimal"]:
        return "solved", True
    return (_DATA["model"].get(str(model), "unknown") if solver == 1 else _DATA["solver"].get(str(solver), "unknown")), False


def sniff(view: View) -> Found | None:
    """Recognise a `.trc` or `.pav` file, or a single file, that begins with a trace record or its definition."""
    heads = (view.unpacked_head(name, 65536) for name in solver_runs.by_suffix(view, _SUFFIXES))
    return next(filter(None, (_begun(lines_of(head)[:-1]) for head in heads if not is_binary(head))), None)


def _begun(lines: list[str]) -> Found | None:
    layout = _Layout()
    for text in lines:
        if text.startswith("*"):
            layout.comment(text)
        elif text.strip():
            fields = layout.fields(text)
            return Found("gams_trace", (fields["SolverName"],)) if fields else None
    return Found("gams_trace") if layout.defined else None


class _Layout:
    """The columns of a file and the limits that its comments state."""

    def __init__(self) -> None:
        self.defined = False
        self.names: list[str] = []
        self.time_limit = np.nan
        self.separator: str | None = ","
        self._open = False

    def comment(self, text: str) -> None:
        body = text[1:].strip()
        if body.lower().startswith("trace record definition"):
            self.defined, self.names, self._open = True, [], True
            return
        key, comma, value = body.partition(",")
        if comma and key.isupper() and key not in _TYPES and not value.startswith("#"):
            self._open = False
            if key == "TIMELIMIT":
                self.time_limit = _number(value.strip())
            return
        words = body.replace(",", " ").split()
        if self._open and not words:
            self._open = not self.names
        # a title such as `GamsSolve` has no comma; a list may end in one, or begin with one in the next line
        elif self._open and (self.names or comma or (len(words) > 1 and {"ModelStatus", "InputFileName"} & {*words})):
            # GAMS separates the fields as the definition separates their names
            self.separator = self.separator if self.names else "," if comma else None
            self.names += words

    def fields(self, text: str) -> Texts | None:
        """Return the fields of a line by their columns, empty where there is none, or None if it is no trace record."""
        columns = self.names or _DEFAULT
        parts = [part.strip() for part in text.split(self.separator)]
        if len(parts) == len(columns) + 1 and parts[-1].startswith("#"):
            parts.pop()  # the user's comment at the end
        if not self.names and len(parts) >= 18:
            columns = columns[: len(parts)]
        if len(parts) != len(columns):
            return None
        fields = defaultdict(str, zip(columns, parts, strict=True))
        if "SolverStatus" not in fields:
            fields["SolverStatus"] = _DATA["words"].get(fields["TerminationStatus"].lower(), "")
        statuses = (fields["ModelStatus"], fields["SolverStatus"])
        named = fields["InputFileName"] and fields["SolverName"] and fields.get("ModelType", "LP").upper() in _TYPES
        return fields if named and all(map(_STATUS.fullmatch, statuses)) else None


def _number(text: str) -> float:
    return number(text.replace("D", "E"))


#: Runs while their further points are looked for: of each its number, what all of them share, and the points.
_Seen = dict[tuple[str, ...], tuple[int, tuple[str, ...], set[str]]]


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all runs, in natural order of suite and model, then in order of appearance.

    The problem is the model, the algorithm `SolverName`. A run is solved by the statuses (see `outcome`); its cost is
    `SolverTime`, its dual bound `ObjectiveValueEstimate`.
    """
    runs = solver_runs.Runs()
    names = solver_runs.chosen(view, options, solver_runs.by_suffix(view, _SUFFIXES))
    folders = {name.rpartition("/")[0] for name in names}
    if len(folders) > 1 and not options.suite:
        report.add("suite_from_folder", names[0], None, f"{len(folders)} folders")
    for name in names:
        suite = name.rpartition("/")[0].rpartition("/")[2]
        _read_file(name, view.unpacked(name), suite if len(folders) > 1 else None, runs, options, report)
    several = solver_runs.several(
        runs, runs.algorithm, [*zip(runs.suite, runs.problem, strict=True)], runs.settings, "several_option_files", report
    )
    runs.algorithm = [
        f"{solver} ({setting})" if solver in several and setting else solver
        for solver, setting in zip(runs.algorithm, runs.settings, strict=True)
    ]
    yield solver_runs.trials(view, runs, options, report)


def _model(name: str) -> str:
    return re.sub(r"(?<=.)(\.gms)?(\.(gz|bz2))?$", "", name)


def _read_file(name: str, data: bytes, suite: str | None, runs: solver_runs.Runs, options: Options, report: Report) -> None:
    layout = _Layout()
    lines = lines_of(data)
    begun = len(runs)
    seen: _Seen = {}
    for at, text in enumerate(lines, 1):
        if text.startswith("*"):
            layout.comment(text)
        if text.startswith("*") or not text.strip():
            continue
        fields = None if "\0" in text else layout.fields(text)
        # Without a line end the last line may be cut within its last number, unless it closes with its mark.
        if at == len(lines) and (fields is None or not text.rpartition(",")[2].strip().startswith("#")):
            report.add("cut_line", name, at, f"{shown(text)!r}")
            continue
        if fields is None:
            report.add("malformed_line", name, at, f"{shown(text)!r}, expected {len(layout.names or _DEFAULT)} fields")
            continue
        report.rows_read += 1
        if not layout.names and len(runs) == begun:
            report.add("no_header", name, at, f"{len(fields)} fields")
        if not _again(fields, seen, name, at, runs, report):
            runs.add(**_run(fields, options), suite=suite, limit=layout.time_limit, file=name, line=at)
    if len(runs) == begun:
        report.add("not_a_trace", name, None, "no line of it is a trace record")


def _again(
    fields: Texts,
    seen: _Seen,
    name: str,
    line: int,
    runs: solver_runs.Runs,
    report: Report,
) -> bool:
    key = (_model(fields["InputFileName"]), fields["SolverName"], fields["OptionFile"])
    point = fields["WhatPoint"]
    same = tuple(value for column, value in fields.items() if column not in _DATA["checked"])
    row, first, points = seen.get(key, (-1, same, {point}))
    if not point or point in points:
        seen[key] = len(runs), same, {point}
        return False
    what = f"{shown(key[1])} on {shown(key[0])}"
    if len(points) == 1:
        runs.report("points_reduced", row, report)
    points.add(point)
    if same != first:
        report.add("points_disagree", name, line, f"{what}, point {shown(point)}")
    if point == _POINT:
        runs.violation[row] = _violation(fields)
    return True


def _violation(fields: Texts) -> float:
    parts = [_number(fields[column]) for column in _INFEASIBILITIES]
    return float(np.max(parts)) if not np.isnan(parts).any() else np.nan


def _run(fields: Texts, options: Options) -> Written:
    model, solver = int(fields["ModelStatus"]), int(fields["SolverStatus"])
    what, proves = outcome(model, solver)
    if what == "solved" and not proves and options.local_optimum == "failed":
        what = "unknown"
    setting = fields["OptionFile"]
    numbers = {name: _number(fields[column]) for name, column in _DATA["numbers"].items()}
    return {
        "algorithm": fields["SolverName"],
        "problem": _model(fields["InputFileName"]),
        "outcome": what,
        "proves": proves,
        **numbers,
        "value": numbers["value"] if model in _DATA["with_solution"] else np.nan,
        # solvers write 1e20, 1e50, ... for no bound
        "bound": numbers["bound"] if model not in _DATA["without_bound"] and abs(numbers["bound"]) < 1e20 else np.nan,
        "violation": _violation(fields) if fields["WhatPoint"] == _POINT else np.nan,
        "maximise": fields["Direction"] == "1",
        "settings": None if setting in _NOTHING or setting == "0" else f"option file {setting}",
    }
