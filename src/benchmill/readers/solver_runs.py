"""The table `trials` of solver runs: what the formats of solver logs share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import Array, Index, Mask, UserError, beside, contradictions, keys, schema, shown
from benchmill.core.best_so_far import running_minimum
from benchmill.core.options import option
from benchmill.readers import best_known, interface
from benchmill.readers.archive import SAME_CONTENT, Contents, View, plain_name
from benchmill.readers.interface import Batch, Incomplete, Proposal, Report, file_and_line, grouped, listed, place, renamed, rules
from benchmill.readers.text import CUT_LINE, lines_of
from benchmill.text.display import plural


@dataclass(frozen=True)
class Repeated:
    """The option for runs that are in several files."""

    repetitions: bool = option(
        "whether runs of an algorithm on a problem that are in several files, and that no seed tells apart, are repetitions; "
        "by default you are asked",
        False,
    )


@dataclass(frozen=True)
class Options(Repeated, interface.Options):
    """The options of a source of solver runs."""

    time_limit: float | None = option(
        "time limit in seconds of the runs whose log states none", None, type="number", exclusiveMinimum=0
    )
    infeasible: str = option(
        "what a proof that a problem is infeasible or unbounded counts as", "solved", enum=["solved", "failed"]
    )
    best_known: str | None = option(
        "path of a list of best-known values, a .solu file or a register in CSV, relative to the configuration or absolute; "
        "by default the source's own .solu files",
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


RULES = {**rules("solver_runs"), **best_known.RULES, **SAME_CONTENT, "cut_line": CUT_LINE}


#: The columns of `Runs`, and what stands in them where a log does not say.
_COLUMNS: schema.Row = {
    **dict.fromkeys(("algorithm", "problem", "suite", "instance", "outcome")),
    **dict.fromkeys(("time", "limit", "value", "bound", "violation", "nodes", "iterations"), np.nan),
    **{"course": None, "maximise": False, "proves": True, "quality": False},
    **dict.fromkeys(("run", "seed", "version", "settings", "file", "line")),
}


class Runs(SimpleNamespace):
    """Columns with one entry per run; NaN and None where a log does not say.

    `proves` tells whether `solved` states a proven global optimum; `limit` is in seconds; nodes and iterations are floats,
    so that they can be NaN. `course` has rows of seconds, value and bound (see `_courses`), or is None. With `quality` the
    value is what is compared, and neither time nor limit is known.
    """

    def __init__(self) -> None:
        super().__init__(**{name: [] for name in _COLUMNS})

    def add(self, **values: Any) -> None:
        """Append a run; what is not given is not known."""
        self.extend(1, **{name: [value] for name, value in values.items()})

    def extend(self, count: int, **columns: Sequence[Any]) -> None:
        """Append a number of runs."""
        for name, absent in _COLUMNS.items():
            getattr(self, name).extend(columns.get(name, [absent] * count))

    def report(self, rule: str, row: int, report: Report, words: str = "") -> None:
        """Report an irregularity of a run, with what else is to be said of it."""
        what = f"{shown(self.algorithm[row])} on {shown(self.problem[row])}{words}"
        report.add(rule, self.file[row], self.line[row], what)

    def __len__(self) -> int:
        return len(self.problem)


def several(runs: Runs, names: list[str], places: Sequence[Any], stated: Sequence[Any], rule: str, report: Report) -> set[str]:
    """Return the names of which runs in one place state different things, and report each."""
    groups = grouped(((name, at), one) for name, at, one in zip(names, places, stated, strict=True))
    differing = {name for (name, _), ones in groups.items() if len(set(ones)) > 1}
    for name in sorted(differing):
        report.add(rule, runs.file[names.index(name)], runs.line[names.index(name)], shown(name))
    return differing


def chosen(view: View, options: Options, usual: Sequence[str]) -> Sequence[str]:
    """Return names of the members to read: those of the option `files`, else the usual ones; never lists of best-known values."""
    if options.files is None:
        return [name for name in usual if not _lists_best_known(name)]
    names, patterns = [member.name for member in view.members if not _lists_best_known(member.name)], listed(options.files)
    fits = {pattern: {n for n in names if fnmatchcase(n, pattern) or fnmatchcase(n, f"*/{pattern}")} for pattern in patterns}
    if unmet := [pattern for pattern in patterns if not fits[pattern]]:
        raise UserError(f"{view.name}: `files` has {unmet[0]!r}, which matches none of its {len(names)} files; correct it.")
    return [name for name in names if any(name in fitting for fitting in fits.values())]


def by_suffix(view: View, suffixes: tuple[str, ...]) -> list[str]:
    """Return names of the members with one of the suffixes; of a single file its own."""
    return [m.name for m in view.members if view.kind == "file" or plain_name(m.name.lower()).endswith(suffixes)]


def _lists_best_known(name: str) -> bool:
    return plain_name(name.lower()).endswith(".solu")


# ---- the table ------------------------------------------------------------------------------------------------------


def trials(view: View, runs: Runs, options: Options, report: Report) -> Batch:
    """Return the tables `trials` and `traces` (empty) of all runs of a source."""
    count, no_traces = len(runs), schema.TABLES["traces"].empty_table()
    if not count:
        return schema.TABLES["trials"].empty_table(), no_traces
    contents = Contents(view, report)
    for name in dict.fromkeys(runs.file):
        contents.compare(name)
    names = renamed(sorted(set(runs.algorithm)), options.algorithm, view.name)
    suite = [options.suite] * count if options.suite else runs.suite
    time, limit, value = (np.asarray(column, float) for column in (runs.time, runs.limit, runs.value))
    quality = np.array(runs.quality)
    if options.time_limit is not None:
        limit = np.where(np.isnan(limit), float(options.time_limit), limit)
    limit[quality] = np.nan
    time, limit = _possible(runs, time, limit, report)
    stated_limit = _floats(limit)
    outcome = np.array(runs.outcome, dtype=object)
    finite = ~np.isin(outcome, ("infeasible", "unbounded"))
    status = np.array([STATUSES[one] for one in runs.outcome], dtype=object)
    status[~finite] = options.infeasible
    columns: schema.Row = {
        "suite": suite,
        **{name: getattr(runs, name) for name in ("problem", "instance", "maximise", "seed", "version", "settings")},
        "algorithm": [names[name] for name in runs.algorithm],
        "run": 1,
        "trial": np.arange(count),
        "best_value": _floats(np.where(finite & np.isfinite(value), value, np.nan)),
        "violation": _floats(runs.violation),
        "value_kind": "absolute",
        "runtime_s": _floats(time),
        "cost": _floats(np.where(status == "solved", np.where(quality, value, time), np.inf)),
        "cost_budget": stated_limit,
        "n": 1,
        "status": status,
        # without an outcome nobody takes a quality for the time of a solver
        "outcome": pa.array(outcome, mask=quality),
        "proven": runs.proves,
        "time_limit_s": stated_limit,
        "nodes": _counts(runs.nodes),
        "iterations": _counts(runs.iterations),
        "dual_bound": _floats(runs.bound),
        **_courses(runs, time, report),
        "source": [place(file, line) for file, line in zip(runs.file, runs.line, strict=True)],
    }
    table = schema.table("trials", columns)
    table = best_known.compared(table, _known(view, set(suite), options, report), report, options.tolerance)
    _tell_what_is_not_stated(table.filter(pa.array(~quality)), options, report)
    order = np.argsort(keys.numbers(table, ["suite", "problem"]), kind="stable")
    table = table.take(pa.array(order))
    run = _numbered(view, table, [runs.run[i] for i in order], options, report)
    return schema.replaced(table, run=run, trial=np.arange(count)), no_traces


def _tell_what_is_not_stated(table: pa.Table, options: Options, report: Report) -> None:
    """Note solved runs without a time or beyond their limit, and failed ones without a limit; ask for a usual limit."""
    time, limit = (schema.floats(table, name) for name in ("runtime_s", "time_limit_s"))
    solved = schema.says(table, "status", "solved")

    def tell(rule: str, row: int, after: str = "", times: int = 1) -> None:
        report.add(rule, *file_and_line(table["source"][row].as_py()), f"{_of(table, row)}{after}", times)

    for row in np.flatnonzero(solved & np.isnan(time)).tolist():
        tell("time_not_stated", row)
    bare, beyond = np.flatnonzero(~solved & np.isnan(limit)), np.flatnonzero(solved & (time > limit))
    for rule, rows in (("limit_not_stated", bare), ("solved_beyond_limit", beyond)):
        if len(rows):
            tell(rule, int(rows[0]), ", the first of them", len(rows))
    reached, took = time[schema.says(table, "outcome", "time_limit") & np.isnan(limit)], time[solved]
    usual = usual_limit(reached[np.isfinite(reached)], took[np.isfinite(took)])
    if len(bare) and usual is not None and options.time_limit is None:
        question = f"Was the time limit {usual:g} s? {len(bare)} failed runs state none."
        report.asked.append(Proposal({"time_limit": usual}, (question,)))


#: Relative difference that the fewest digits can make with which a solver prints a number (Gurobi: `-5.890e+08`).
_PRINTED = 1e-3


def _courses(runs: Runs, time: Array, report: Report) -> dict[str, pa.Array]:
    """Return the columns `course_s`, `course_value` and `course_bound` of `trials`; null for a run without a course.

    The last moment of a run is its time with its last value and bound. As these have all their digits, nothing before is better
    than they are. Lines without a time, or with one that is negative or infinite, are left out.

    Parameters
    ----------
    time : (n_runs,) array
        Seconds that each run took; NaN where they are not known.
    """
    there = np.array([course is not None for course in runs.course])
    sign = np.where(runs.maximise, -1.0, 1.0)
    # what is less is later, or better
    less = np.column_stack([-np.ones(len(runs)), sign, -sign])
    last = np.column_stack([time, np.asarray(runs.value, float), np.asarray(runs.bound, float)])
    parts = [
        np.zeros((0, 3)) if course is None else np.vstack([np.reshape(course, (-1, 3)), end])
        for course, end in zip(runs.course, last, strict=True)
    ]
    rows, trial = np.concatenate(parts), np.repeat(np.arange(len(runs)), [len(part) for part in parts])
    timed = np.isfinite(rows[:, 0]) & (rows[:, 0] >= 0)
    rows, trial = rows[timed], trial[timed]
    stated = rows * less[trial]
    stated[np.isnan(stated)] = np.inf
    best = np.column_stack([running_minimum(trial, column) for column in stated.T])
    inside = trial[1:] == trial[:-1]
    falls = _beyond(best, stated)
    falls[:, 0] &= np.append(inside, False)  # the time that a run took in all may be of another clock
    ends = (less * last)[trial]
    ends[:, 0] = np.nan
    beyond = np.unique(trial[_beyond(best, ends).any(axis=1)])
    for rule, at_fault in (("course_falls_back", np.unique(trial[falls.any(axis=1)])), ("course_beyond_end", beyond)):
        for run in at_fault.tolist():
            runs.report(rule, run, report)
    there[beyond] = False
    best = np.fmax(best, ends)
    kept = np.append(True, ~inside | (best[1:, 1:] != best[:-1, 1:]).any(axis=1))[: trial.size]
    kept &= there[trial] & np.isfinite(best[:, 1:]).any(axis=1)
    best, trial = best[kept], trial[kept]
    offsets = np.append(0, np.cumsum(np.bincount(trial, minlength=len(runs))))
    index = pa.array(offsets, pa.int32(), mask=np.append(~there, False))
    names, columns = ("course_s", "course_value", "course_bound"), (best * less[trial]).T
    return {
        name: pa.ListArray.from_arrays(index, pa.array(values, mask=np.isinf(values)))
        for name, values in zip(names, columns, strict=True)
    }


def _beyond(better: Array, worse: Array) -> Mask:
    with np.errstate(invalid="ignore"):
        return np.isfinite(better - worse) & (better < worse - _PRINTED * np.fmax(1.0, np.fmax(np.abs(better), np.abs(worse))))


_DATA = beside.toml(__file__)
#: Units of times.
SECONDS: dict[str, float] = _DATA["seconds"]
#: Time limits that people set, in seconds.
_LIMITS = _DATA["limits"]
#: Times from which on the longest one tells something of a limit.
_MANY_TIMES = 20


def usual_limit(reached: Array, solved: Array) -> int | None:
    """Return the usual time limit that runs which hit one took, or that the longest solved one comes near.

    Parameters
    ----------
    reached, solved : array
        Times of runs that hit a limit, and of solved ones, in seconds.
    """
    if len(reached):
        # solvers stop somewhat later than they are told to
        return next((limit for limit in _LIMITS if 0.9 * limit <= np.median(reached) <= 1.02 * limit), None)
    # a time that reaches the limit would not be solved
    longest = solved.max() if len(solved) >= _MANY_TIMES else np.nan
    return next((limit for limit in _LIMITS if 0.9 * limit <= longest < limit), None)


def overrun_limit(times: Array) -> int | None:
    """Return the usual time limit that the largest times lie at or little above, where hardly any lie little below.

    Parameters
    ----------
    times : (n,) array
        In seconds, n > 0.
    """
    # solvers stop somewhat later than they are told to
    limit = next((limit for limit in _LIMITS if limit <= times.max() <= 1.02 * limit), np.inf)
    below = np.count_nonzero((times >= 0.96 * limit) & (times < limit))
    return int(limit) if np.count_nonzero(times >= limit) > 2 * below else None


def short(number: float) -> float:
    """Return a number as a person would write it."""
    return int(number) if float(number).is_integer() else float(number)


def _possible(runs: Runs, time: Array, limit: Array, report: Report) -> tuple[Array, Array]:
    bad_time = (time < 0) | np.isinf(time)
    bad_limit = limit <= 0
    for wrong, what, stated in ((bad_time, "time", time), (bad_limit, "time limit", limit)):
        for row in np.flatnonzero(wrong).tolist():
            runs.report("impossible_time", row, report, f" states a {what} of {stated[row]:g} s")
    return np.where(bad_time, np.nan, time), np.where(bad_limit | np.isinf(limit), np.nan, limit)


def _floats(values: Any) -> pa.Array:
    return pa.array(np.asarray(values, float), from_pandas=True)


def _counts(values: Any) -> pa.Array:
    numbers = np.asarray(values, float)
    bad = ~(np.isfinite(numbers) & (numbers >= 0) & (numbers < 2**53))
    return pa.array(np.where(bad, 0, numbers).astype(np.int64), mask=bad)


def _numbered(view: View, table: pa.Table, stated: Sequence[int | None], options: Options, report: Report) -> np.ndarray:
    """Return the number of each run, as stated, or counted within its cell where a log does not state it."""
    import pandas as pd

    cell = keys.numbers(table, ["suite", "problem", "instance", "algorithm"])
    seeds, sources = (table[name].to_pylist() for name in ("seed", "source"))
    if None in stated:
        if not options.repetitions:
            ask_about_repetitions(table, cell, seeds, sources, "say which files to read (`files`)")
        for row in np.flatnonzero(_by_file(cell, seeds, sources).duplicated()).tolist():
            report.add("repeated_run", *file_and_line(sources[row]), _of(table, row))
        return np.asarray(pd.Series(cell).groupby(cell).cumcount() + 1, np.int32)
    run = np.array(stated, np.int64)
    run = run + (run.min() == 0)
    again = pd.DataFrame({"cell": cell, "run": run}).duplicated()
    if again.any():
        row = int(again.argmax())
        raise UserError(
            f"{sources[row]}: the run {stated[row]} of {_of(table, row)} is in {shown(view.name)} twice; number the runs apart, "
            "or say which files to read (`files`)."
        )
    return np.asarray(run, np.int32)


def _of(table: pa.Table, row: int) -> str:
    algorithm, problem = (shown(table[name][row].as_py()) for name in ("algorithm", "problem"))
    return f"{algorithm} on {problem}"


def _by_file(cell: Index, seeds: Sequence[Any], sources: Sequence[str]) -> Any:
    """Return cell, seed and file of runs as a data frame."""
    import pandas as pd

    return pd.DataFrame({"cell": cell, "seed": seeds, "file": [file_and_line(source)[0] for source in sources]})


def ask_about_repetitions(named: pa.Table, cell: Index, seeds: Sequence[Any], sources: Sequence[str], remedy: str) -> None:
    """Raise if runs of one cell and one seed are in several files; `named` has `algorithm` and `problem` of each."""
    runs = _by_file(cell, seeds, sources)
    again = runs["file"].ne(runs.groupby(["cell", "seed"], dropna=False)["file"].transform("first"))
    if not again.any():
        return
    row = int(np.argmax(again))
    alike = runs["cell"].eq(cell[row]) & runs["seed"].isin([runs["seed"][row]])
    one, other = sources[int(np.argmax(alike))], sources[row]
    raise Incomplete(
        f"{one} and {other}: both have a run of {_of(named, row)}, and no seed tells such runs apart "
        f"({plural(int(again.sum()), 'run')} in all); if they are not repetitions, {remedy}",
        "say that they are (`repetitions: true`)",
        [Proposal({"repetitions": True}, (f"Are {one} and {other} repetitions? Else {remedy}.",))],
    )


# ---- answers that cannot be true ------------------------------------------------------------------------------------


def _known(view: View, suites: set[str | None], options: Options, report: Report) -> best_known.Register:
    """Return the register that the entry names, else the lists in the source; one called as a suite holds for it alone."""
    if options.best_known is not None:
        return best_known.read(options.best_known, report)
    lists = {m.name: lines_of(view.unpacked(m.name)) for m in view.members if _lists_best_known(m.name)}
    stems = {Path(file).stem: file for file in lists}
    register: best_known.Register = {}
    dropped: set[tuple[str | None, str]] = set()
    for file, lines in lists.items():
        entries = list(best_known.read_solu(lines, file, report))
        for one in suites:
            if stems.get(str(one), file) == file:
                best_known.merge(register, one, entries, file, report, dropped, options.tolerance)
    return register


# ---- how runs end, in words ------------------------------------------------------------------------------------------

#: How a run can end, and what that means for the status of a trial.
STATUSES: dict[str, str] = _DATA["statuses"]
#: The same as whether it is `solved`; None where the log does not say how it ended.
OUTCOMES = {one: None if status == "ill_finalised" else status == "solved" for one, status in STATUSES.items()}

#: What a user calls a solved run that states the optimum, and words that state it by themselves.
PROVEN = "optimal"


def known(word: str) -> str | None:
    """Return the outcome of a table's word, None where it is not known."""
    plain = re.sub(r"[\W_]+", " ", word).strip().lower()
    return next((meant for meant, pattern in _DATA["words"].items() if re.fullmatch(pattern, plain)), None)


def outcome(words: str) -> str:
    """Return the outcome from a solver's last words, `unknown` if they show none."""
    return next((meant for pattern, meant in _DATA["last_words"].items() if re.search(pattern, words, re.IGNORECASE)), "unknown")


def states_optimum(word: str) -> bool:
    """Return True if a word states a proven optimum."""
    return word == PROVEN or re.fullmatch(_DATA["optimum"], word.strip()) is not None


def tells_failure(text: str) -> bool:
    """Return True if a text speaks of an error, a crash or the end of the time."""
    return re.search(_DATA["failure"], text) is not None
