"""Runs of solvers to the table `trials`: what the formats of solver logs share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import contradictions, keys, schema
from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.readers import best_known, courses, interface, same_content
from benchmill.readers.archive import View, plain_name
from benchmill.readers.interface import Proposal, Report, place, renamed, rules
from benchmill.readers.statuses import OUTCOMES
from benchmill.readers.text import CUT_LINE
from benchmill.text.labels import shown


@dataclass(frozen=True)
class Options(interface.Options):
    """The options of a source of solver runs."""

    time_limit: float | None = option(
        "time limit in seconds of the runs whose log states none", None, type="number", exclusiveMinimum=0
    )
    infeasible: str = option(
        "what a proof that a problem is infeasible or unbounded counts as", "solved", enum=["solved", "failed"]
    )
    best_known: str | None = option(
        "path of a list of best-known values, a .solu file or a register in CSV, relative to the configuration or absolute; by "
        "default the .solu files of the source itself",
        None,
        type="string",
        minLength=1,
    )
    tolerance: float = option(
        "relative difference from which two objective values contradict each other",
        contradictions.TOLERANCE,
        exclusiveMinimum=0,
        exclusiveMaximum=1,
    )
    files: str | Sequence[str] | None = option(
        "the files to read, as a pattern such as `linlib/*.trc` or a list of patterns; by default all", None, **interface.NAMES
    )


RULES = {**rules("solver_runs"), **best_known.RULES, **courses.RULES, **same_content.RULES, "cut_line": CUT_LINE}


@dataclass
class Runs:
    """Columns with one entry per run; NaN and None where a log does not say.

    `proves` tells whether `solved` claims a proven global optimum; `limit` is in seconds; nodes and iterations are floats,
    so that they can be NaN. `course` has rows of seconds, value and bound (see `courses`), or is None.
    """

    algorithm: list[str] = field(default_factory=list)
    problem: list[str] = field(default_factory=list)
    suite: list[str | None] = field(default_factory=list)
    instance: list[str | None] = field(default_factory=list)
    outcome: list[str] = field(default_factory=list)
    time: list[float] = field(default_factory=list)
    limit: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    bound: list[float] = field(default_factory=list)
    violation: list[float] = field(default_factory=list)
    nodes: list[float] = field(default_factory=list)
    iterations: list[float] = field(default_factory=list)
    course: list[npt.NDArray[np.float64] | None] = field(default_factory=list)
    maximise: list[bool] = field(default_factory=list)
    proves: list[bool] = field(default_factory=list)
    run: list[int | None] = field(default_factory=list)
    seed: list[int | None] = field(default_factory=list)
    version: list[str | None] = field(default_factory=list)
    settings: list[str | None] = field(default_factory=list)
    file: list[str] = field(default_factory=list)
    line: list[int] = field(default_factory=list)

    _ABSENT = {  # noqa: RUF012
        "suite": None,
        "instance": None,
        "course": None,
        "maximise": False,
        "proves": True,
        "run": None,
        "seed": None,
        "version": None,
        "settings": None,
    }

    def add(self, **values: Any) -> None:
        """Append a run; what is not given is not known."""
        unknown = set(values) - set(self.__dataclass_fields__)
        if unknown:
            raise TypeError(f"a run has no {sorted(unknown)}")
        for name in self.__dataclass_fields__:
            getattr(self, name).append(values[name] if name in values else self._ABSENT.get(name, np.nan))

    def fill(self) -> None:
        """Make all columns as long as that of the problems, with what is not known."""
        for name in self.__dataclass_fields__:
            column = getattr(self, name)
            column += [self._ABSENT.get(name, np.nan)] * (len(self.problem) - len(column))

    def __len__(self) -> int:
        return len(self.problem)


def chosen(view: View, options: Options, suffixes: tuple[str, ...] | None) -> list[str]:
    """Return names of the members to read: those of the option `files`, else those with one of the suffixes, else all."""
    from fnmatch import fnmatchcase

    patterns = options.files
    if patterns is None:
        return by_suffix(view, suffixes)
    names = [member.name for member in view.members]
    matched: set[str] = set()
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        found = {name for name in names if fnmatchcase(name, pattern) or fnmatchcase(name, f"*/{pattern}")}
        if not found:
            raise UserError(f"{view.name}: `files` has {pattern!r}, which matches none of its {len(names)} files; correct it.")
        matched |= found
    return [name for name in names if name in matched]


def by_suffix(view: View, suffixes: tuple[str, ...] | None) -> list[str]:
    """Return names of the members with one of the suffixes; of a single file and without suffixes, of all."""
    names = [member.name for member in view.members]
    if view.kind == "file" or suffixes is None:
        return names
    return [name for name in names if plain_name(name.lower()).endswith(suffixes)]


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a text in whatever encoding: UTF-8, and every byte that is none as in Latin-1."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


# ---- the table ------------------------------------------------------------------------------------------------------


def trials(view: View, runs: Runs, options: Options, report: Report) -> tuple[pa.Table, pa.Table]:
    """Return the tables `trials` and `traces` (empty) of all runs of a source."""
    count = len(runs)
    if not count:
        return schema.TABLES["trials"].empty_table(), schema.TABLES["traces"].empty_table()
    contents = same_content.Contents(view, report)
    for name in dict.fromkeys(runs.file):
        contents.compare(name, None)
    names = renamed(sorted(set(runs.algorithm)), options.algorithm, view.name)
    algorithm = [names[name] for name in runs.algorithm]
    suite = [options.suite] * count if options.suite else runs.suite
    time, limit = np.asarray(runs.time, float), np.asarray(runs.limit, float)
    if options.time_limit is not None:
        limit = np.where(np.isnan(limit), float(options.time_limit), limit)
    time, limit = _possible(runs, time, limit, report)
    outcome = np.array(runs.outcome, dtype=object)
    known = _known(view, runs, suite, options, report)
    _compare_with_best_known(runs, known, outcome, options, report)

    solved = np.array([OUTCOMES[o] is True for o in outcome])
    if options.infeasible == "failed":
        solved &= outcome == "solved"
    ended = np.array([OUTCOMES[o] is not None for o in outcome])
    for row in np.flatnonzero(solved & np.isnan(time)).tolist():
        report.add("time_not_stated", runs.file[row], runs.line[row], f"{shown(algorithm[row])} on {shown(runs.problem[row])}")
    bare = np.flatnonzero(~solved & np.isnan(limit))
    if len(bare):
        row = int(bare[0])
        detail = f"{shown(algorithm[row])} on {shown(runs.problem[row])}, the first of them"
        report.add("limit_not_stated", runs.file[row], runs.line[row], detail, len(bare))
        reached, took = time[(outcome == "time_limit") & np.isnan(limit)], time[solved]
        usual = usual_limit(reached[np.isfinite(reached)], took[np.isfinite(took)])
        if usual is not None and options.time_limit is None:
            question = f"Was the time limit {usual:g} s? {len(bare)} failed runs state none."
            report.asked.append(Proposal({"time_limit": usual}, (question,)))

    dimension = pa.nulls(count, pa.int32())
    columns: dict[str, Any] = {
        "suite": suite,
        "problem": runs.problem,
        "dimension": dimension,
        "instance": runs.instance,
        "algorithm": algorithm,
        "run": np.ones(count, np.int32),
        "trial": np.arange(count),
        "best_value": _floats(np.where(np.isin(outcome, ("infeasible", "unbounded")), np.nan, np.asarray(runs.value, float))),
        "violation": _floats(runs.violation),
        "optimum": _floats([one.value for one in known]),
        "value_kind": ["absolute"] * count,
        "maximise": runs.maximise,
        "runtime_s": _floats(time),
        "cost": _floats(np.where(solved, time, np.inf)),
        "cost_budget": _floats(limit),
        "n": np.ones(count, np.int32),
        "status": np.where(solved, "solved", np.where(ended, "failed", "ill_finalised")).tolist(),
        "outcome": outcome.tolist(),
        "proven": runs.proves,
        "time_limit_s": _floats(limit),
        "nodes": _counts(runs.nodes),
        "iterations": _counts(runs.iterations),
        "dual_bound": _floats(runs.bound),
        **courses.columns(runs, time, report),
        "seed": runs.seed,
        "version": runs.version,
        "settings": runs.settings,
        "source": [place(file, line) for file, line in zip(runs.file, runs.line, strict=True)],
    }
    table = schema.table("trials", columns)
    cell, _ = keys.cells(table, ["suite", "problem"])
    order = np.argsort(cell, kind="stable")
    table = table.take(pa.array(order))
    code, _ = keys.cells(table, ["suite", "problem", "instance", "algorithm"])
    stated = [runs.run[i] for i in order]
    run = _numbered(code) if None in stated else _stated(view, table, code, stated)
    return schema.replaced(table, run=run, trial=np.arange(count)), schema.TABLES["traces"].empty_table()


#: Units of times.
SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
#: Time limits that people set, in seconds.
_LIMITS = (
    60,
    100,
    300,
    600,
    900,
    1000,
    1200,
    1800,
    2000,
    2400,
    3600,
    5000,
    7200,
    10000,
    10800,
    14400,
    18000,
    36000,
    43200,
    86400,
)
#: Times from which on the longest one tells something of a limit.
_MANY_TIMES = 20


def usual_limit(reached: npt.NDArray[np.float64], solved: npt.NDArray[np.float64]) -> int | None:
    """Return the usual time limit that runs which hit one took, or that the longest solved one comes near.

    Parameters
    ----------
    reached, solved : array
        Times of runs that hit a limit, and of solved ones, in seconds.
    """
    if len(reached):
        # solvers stop somewhat later than they are told to
        return next((limit for limit in _LIMITS if 0.9 * limit <= np.median(reached) <= 1.02 * limit), None)
    if len(solved) < _MANY_TIMES:
        return None
    # a time that reaches the limit would not be solved
    return next((limit for limit in _LIMITS if 0.9 * limit <= solved.max() < limit), None)


def overrun_limit(times: npt.NDArray[np.float64]) -> int | None:
    """Return the usual time limit that the largest times lie at or little above, where hardly any lie little below.

    Parameters
    ----------
    times : (n,) array
        In seconds, n > 0.
    """
    # solvers stop somewhat later than they are told to
    limit = next((limit for limit in _LIMITS if limit <= times.max() <= 1.02 * limit), None)
    if limit is None:
        return None
    below = np.count_nonzero((times >= 0.96 * limit) & (times < limit))
    return limit if np.count_nonzero(times >= limit) > 2 * below else None


def short(number: float) -> float:
    """Return a number as a person would write it."""
    return int(number) if float(number).is_integer() else float(number)


def _possible(
    runs: Runs, time: npt.NDArray[np.float64], limit: npt.NDArray[np.float64], report: Report
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    bad_time = (time < 0) | np.isinf(time)
    bad_limit = (limit <= 0) | (limit == -np.inf)
    for wrong, what, stated in ((bad_time, "time", time), (bad_limit, "time limit", limit)):
        for row in np.flatnonzero(wrong).tolist():
            detail = f"{shown(runs.algorithm[row])} on {shown(runs.problem[row])} states a {what} of {stated[row]:g} s"
            report.add("impossible_time", runs.file[row], runs.line[row], detail)
    return np.where(bad_time, np.nan, time), np.where(bad_limit | np.isinf(limit), np.nan, limit)


def _floats(values: npt.ArrayLike) -> pa.Array:
    numbers = np.asarray(values, float)
    return pa.array(numbers, mask=np.isnan(numbers))


def _counts(values: npt.ArrayLike) -> pa.Array:
    numbers = np.asarray(values, float)
    bad = ~(np.isfinite(numbers) & (numbers >= 0) & (numbers < 2**53))
    return pa.array(np.where(bad, 0, numbers).astype(np.int64), mask=bad)


def _numbered(code: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    order = np.argsort(code, kind="stable")
    begins = np.flatnonzero(np.r_[True, np.diff(code[order]) > 0])
    run = np.empty(len(code), np.int32)
    run[order] = np.arange(len(code)) - np.repeat(begins, np.diff(np.r_[begins, len(code)])) + 1
    return run


def _stated(view: View, table: pa.Table, code: npt.NDArray[np.int64], stated: Sequence[Any]) -> npt.NDArray[np.int32]:
    run = np.array(stated, np.int64)
    if run.min() == 0:
        run = run + 1
    order = np.lexsort((run, code))
    again = np.flatnonzero((np.diff(code[order]) == 0) & (np.diff(run[order]) == 0))
    if len(again):
        row = int(order[again[0] + 1])
        raise UserError(
            f"{table['source'][row].as_py()}: the run {stated[row]} of {shown(table['algorithm'][row].as_py())} on "
            f"{shown(table['problem'][row].as_py())} is in {shown(view.name)} twice; number the runs apart."
        )
    return run.astype(np.int32)


# ---- claims that cannot be true -------------------------------------------------------------------------------------


def _tolerance(options: Options) -> float:
    return float(options.tolerance)


def _known(view: View, runs: Runs, suite: Sequence[str | None], options: Options, report: Report) -> list[best_known.Known]:
    if options.best_known is not None:
        return best_known.entries(best_known.read(options.best_known, report), suite, runs.problem)
    lists = {m.name: lines_of(view.unpacked(m.name)) for m in view.members if plain_name(m.name.lower()).endswith(".solu")}
    suites, stems = set(suite), {Path(file).stem: file for file in lists}
    found: best_known.Register = {}
    dropped: set[tuple[str | None, str]] = set()
    for file, lines in lists.items():
        entries = list(best_known.read_solu(lines, file, report))
        for one in suites:
            if stems.get(str(one), file) == file:
                best_known.merge(found, one, entries, file, report, dropped, _tolerance(options))
    return best_known.entries(found, suite, runs.problem)


def _compare_with_best_known(
    runs: Runs, known: Sequence[best_known.Known], outcome: npt.NDArray[Any], options: Options, report: Report
) -> None:
    value, bound = np.asarray(runs.value, float), np.asarray(runs.bound, float)
    sense = [run if one.maximise is None else one.maximise for run, one in zip(runs.maximise, known, strict=True)]
    stated = best_known.Stated(outcome, value, bound, np.array(sense, bool), np.asarray(runs.proves, bool))
    what, better = best_known.judged(known, stated, _tolerance(options))
    solved = np.isin(outcome, ("solved", "infeasible", "unbounded"))
    off = report.is_off("contradicts_best_known")
    for row in np.flatnonzero(np.array(what) != "").tolist():
        rule = "contradicts_best_known" if solved[row] and not off else "contradiction"
        told = best_known.told(what[row], known[row], value[row], bound[row])
        detail = f"{shown(runs.algorithm[row])} on {shown(runs.problem[row])} states {told}"
        report.add(rule, runs.file[row], runs.line[row], detail)
        if rule == "contradicts_best_known":
            outcome[row] = "wrong"
    for row in np.flatnonzero(better).tolist():
        detail = f"{shown(runs.algorithm[row])} on {shown(runs.problem[row])}: {value[row]:.10g}, known {known[row].value:.10g}"
        report.add("better_than_best_known", runs.file[row], runs.line[row], detail)
