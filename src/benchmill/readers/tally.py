"""The report of a source: what its tables hold and its design lacks, what a study of it needs to say, and lines behind trials."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Index, UserError, keys, natural_key, schema
from benchmill.core.names import lookalikes
from benchmill.readers.archive import View
from benchmill.readers.interface import Given, Place, Report, Written, file_and_line, flow, grouped
from benchmill.readers.text import decoded
from benchmill.registry.measures import GAP, STATED, VALUES

if TYPE_CHECKING:
    # planning reads no trials
    import pandas as pd

#: What of `trials` is counted, and what decides which measures can be made of them (`Needs`).
COLUMNS = [
    *("algorithm", "suite", "problem", "dimension", "instance", "cost", "n", "outcome", "status", "time_limit_s", "nodes"),
    *("dual_bound", "maximise", "best_value", "value_kind", "budget"),
]

#: What columns have in one row.
_Values = tuple[Any, ...]
#: A cell of the design: algorithm, suite, problem, dimension.
Cell = tuple[str, str | None, str, int | None]
#: A design may lack so many trials whatever there is, beyond that so many for each trial that is there or listed.
MOST_MISSING = 10_000
_MISSING_EACH = 10
#: How often each instance occurs in a cell.
Instances = Counter[str | None]
_NONE = Instances()


class Tally:
    """Counts what the tables of a source hold."""

    def __init__(self, where: str, most_algorithms: int) -> None:
        self._where = where
        self._most_algorithms = most_algorithms
        self.trials = self.rows = 0
        self._tables = [schema.TABLES["trials"].empty_table().select(COLUMNS)]
        self._algorithms: set[str] = set()

    def add(self, trials: pa.Table, traces: pa.Table) -> None:
        """Count the trials and rows of a batch."""
        if not np.array_equal(trials["trial"].to_numpy(), np.arange(self.trials, self.trials + trials.num_rows)):
            raise AssertionError("a reader must number its trials from 0 without gaps")
        self.trials += trials.num_rows
        self.rows += traces.num_rows
        self._tables.append(trials.select(COLUMNS))
        self._algorithms.update(trials["algorithm"].unique().to_pylist())
        if len(self._algorithms) > self._most_algorithms:
            raise UserError(
                f"{self._where}: it holds more than {self._most_algorithms} algorithms; give it by parts, or say in the "
                "source's entry how many there may be (`most_algorithms: ...`)."
            )

    @property
    def table(self) -> pa.Table:
        """Return what is counted and needed of all trials."""
        return schema.concatenate(self._tables)

    def summary(self, report: Report, full_grid: bool, most_missing: int | None) -> Written:
        """Return the part of the report that says what there is and what is missing."""
        trials = self.table
        cells, instances = defaultdict[Cell, Instances](Counter), Instances()
        of_row, places = _cells(trials, [*_CELL, "instance"])
        for (*cell, instance), number in zip(places, np.bincount(of_row).tolist(), strict=True):
            cells[tuple(cell)][instance] += number
            instances[instance] = max(instances[instance], number)
        expected, lacking, unexpected, too_sparse = missing(cells, report.absent, full_grid, most_missing)
        if too_sparse:
            report.add(
                "design_too_sparse",
                self._where,
                None,
                f"a full design would have {too_sparse} trials; to have those listed that are missing from it, set "
                f"`most_missing: {too_sparse + lacking.total()}` in the source's entry",
            )
        statuses, outcomes, dimensions, limits, *names = (
            _counted(trials, column)
            for column in ("status", "outcome", "dimension", "time_limit_s", "algorithm", "suite", "problem")
        )
        algorithms, suites, problems = (sorted(each, key=natural_key) for each in names)
        self._check_names(algorithms, problems)
        budgets = sorted(trials["budget"].drop_null().to_pylist())
        return {
            "algorithms": algorithms,
            "suites": suites,
            "problems": problems,
            "dimensions": sorted(dimensions),
            "instances": _compact(instances),
            "trials": {
                "expected": expected,
                "found": self.trials,
                "missing": lacking.total(),
                "unexpected": unexpected,
                **{status: statuses[status] for status in ("solved", "failed", "ill_finalised")},
            },
            "outcomes": dict(sorted(outcomes.items())),
            "time_limits": sorted(limits),
            "budget": {"min": budgets[0], "median": float(np.median(budgets)), "max": budgets[-1], "total": sum(budgets)}
            if budgets
            else None,
            "rows": {"read": report.rows_read, "kept": self.rows},
            "missing": [
                {"algorithm": a, "suite": s, "problem": p, "dimension": d, "instance": i, "count": count}
                for (a, s, p, d, i), count in lacking.items()
            ],
        }

    def _check_names(self, algorithms: Sequence[str], problems: Sequence[str]) -> None:
        """Refuse names that look the same."""
        for what, names, remedy in (
            (
                "algorithms",
                algorithms,
                "give one of them another name in the entry of the source, such as `{}`, or the name of the other",
            ),
            ("problems", problems, "write the name the same way everywhere, or leave one out (`where`)"),
        ):
            for one, other in lookalikes(sorted(names)):
                raise UserError(
                    f"{self._where}: it holds the {what} {one!a} and {other!a}, which look the same where they are printed; "
                    f"{remedy.format(flow({'algorithm': {other: f'{other} (2)'}}))}."
                )


def _cells(trials: pa.Table, columns: Sequence[str]) -> tuple[Index, list[_Values]]:
    """Return the cell of each trial that columns make, and what each cell has in them."""
    of_row, places = keys.cells(trials, columns)
    texts = (column.cast(getattr(column.type, "value_type", column.type)).to_pylist() for column in places.columns)
    return of_row, list(zip(*texts, strict=True))


def _counted(data: pa.Table, column: str) -> Counter[Any]:
    return Counter({one["values"]: one["counts"] for one in data[column].drop_null().value_counts().to_pylist()})


def _compact(instances: Instances) -> str:
    def run(item: tuple[int, str]) -> tuple[int | str, int]:
        at, instance = item
        number = instance.isascii() and instance.isdigit() and str(int(instance)) == instance
        return int(instance) - at if number else instance, instances[instance]

    parts = []
    ordered = sorted((i for i in instances if i is not None), key=natural_key)
    for (_, count), group in itertools.groupby(enumerate(ordered), run):
        first, *more = (instance for _, instance in group)
        text = f"{first}-{more[-1]}" if more else first
        parts.append(text if count == 1 else f"{text} ×{count}")
    return ", ".join(parts)


_CELL = ("algorithm", "suite", "problem", "dimension")


class Needs:
    """Counts of the trials of a source that decide which measures can be made of them."""

    def __init__(self, trials: pa.Table, rows: int) -> None:
        """Look at trials, which have `rows` rows of traces."""
        self._table, self._rows = trials, rows

    @cached_property
    def _trials(self) -> pd.DataFrame:
        return self._table.to_pandas(integer_object_nulls=True)

    @cached_property
    def _problems(self) -> dict[str, set[_Values]]:
        return {name: set(its) for name, its in grouped((cell[0], cell[1:]) for cell in _cells(self._table, _CELL)[1]).items()}

    def study(self, settings: Given) -> tuple[Written, list[str]]:
        """Return settings of a study of this source alone, beside `sources`, and what they decide that its owner has to check.

        `settings` are those that its report has for a measure of its costs.

        There are none where the defaults fit, or nothing is known to fit.
        """
        trials = self._trials
        if self._rows:
            # statistics over runs have no hitting times
            if not (trials["n"] > 1).any():
                return {}, []
            budget, best = int(trials["budget"].dropna().max()), trials["best_value"].min()
            measure: Written = {"kind": VALUES, "budgets": {"evaluations": [budget]}, "aggregate": "mean"}
            checks = [f"Is {budget} evaluations the budget to compare values at?"]
            if best <= 0:
                measure |= {"floor": 1e-8} if (trials["value_kind"] == "difference").all() else {"shift": 1 + math.ceil(-best)}
                checks.append("Ratios need values above 0: those below `floor` count as it, and `shift` is added to all.")
            return {"measures": {"quality": measure}, "indicators": {"ecdf": {"aggregate": []}}}, checks
        if trials["cost"].isna().any():
            return {}, []
        measure, checks = {"kind": STATED, **settings}, []
        outcomes = trials["outcome"].notna().any()
        costs = trials.groupby(list(_CELL), observed=True, dropna=False)["cost"].agg(["min", "max"])
        if trials["maximise"].any() and not outcomes:
            measure["quantity"] = "rate"
        elif ((costs["min"] < 0) | (costs["max"] <= 0)).any():
            # a mean is above 0 where any of its costs is
            measure["shift"] = 1 + math.ceil(-costs["min"].min())
            checks.append("Ratios need costs above 0. `shift` is added to every cost, and the ratios depend on it.")
        apart = self.apart()
        studies = list(apart.values()) or [list(self._problems)]
        if not all(set.intersection(*(self._problems[name] for name in chosen)) for chosen in studies):
            measure["missing"] = "failure"
            checks.append(
                "No problem has a trial of every algorithm. With `missing: failure` a missing trial counts as a failure."
            )
        if apart:
            checks.append(
                "There is a study for each group of algorithms: algorithms of different groups have no problem in common."
            )
        failed = trials[trials["status"] != "solved"]
        if (failed["outcome"].notna() & failed["time_limit_s"].isna()).any():
            checks.append("Failed runs state no time limit. What was it (`time_limit`)? Without it they count in no mean.")
        if not outcomes:
            return {"measures": {"cost": measure}}, checks
        missing = {key: measure[key] for key in ("missing",) if key in measure}
        measures: Written = {"time": measure}
        nodes = trials["nodes"][trials["status"] == "solved"]
        if len(nodes) and nodes.notna().all():
            measures["nodes"] = {"kind": STATED, "quantity": "nodes"} | ({"shift": 1} if nodes.min() <= 0 else {}) | missing
        if failed["dual_bound"].notna().any():
            measures[GAP] = {"kind": GAP} | missing
        return {"measures": measures}, checks

    def apart(self) -> dict[str, list[str]]:
        """Return the algorithms of each group that shares no problem with the others, by a name; none where there is one group.

        Nothing can compare them, so that each group is a study of its own; an algorithm that is alone would have nobody to be
        compared with, and then there are no groups.
        """
        names = sorted(self._problems, key=natural_key)
        shares = [not self._problems[one].isdisjoint(self._problems[other]) for one in names for other in names]
        # through others, too
        joined = np.linalg.matrix_power(np.array(shares, bool).reshape(len(names), len(names)), len(names))
        groups = [[*itertools.compress(names, row)] for row in dict.fromkeys(map(tuple, joined.tolist()))]
        if len(groups) < 2 or min(map(len, groups)) < 2:
            return {}
        suites = [{str(cell[0]) for name in group for cell in self._problems[name] if cell[0] is not None} for group in groups]
        named = all(len(of_group) == 1 for of_group in suites) and len(set().union(*suites)) == len(groups)
        return {min(suites[i]) if named else str(i + 1): group for i, group in enumerate(groups)}


# ---- what a design lacks ----------------------------------------------------------------------------------------------


def missing(
    instances_of: Mapping[Cell, Instances], absent: Counter[Place], full_grid: bool, most_missing: int | None = None
) -> tuple[int, Counter[Place], int, int]:
    """Compare the trials found with the design of the experiment they come from.

    Returns
    -------
    expected : int
        Number of trials of the design.
    missing : Counter
        Trials expected and not found, in natural order.
    unexpected : int
        Trials found beyond the design.
    too_sparse : int
        Trials that designs would expect which are too empty to be meant, and which are therefore not expected; mostly 0.
    """
    by_instance = defaultdict[Cell, Instances](Counter)
    for where, count in absent.items():
        by_instance[where[:4]][where[4]] += count
    listed = {**instances_of, **{cell: instances_of.get(cell, _NONE) + lost for cell, lost in by_instance.items()}}

    groups = grouped(((cell[:2] if full_grid else cell[1:2]), cell) for cell in listed)
    plans = [_plan(listed, cells, full_grid) for cells in groups.values()]
    allowed = max(MOST_MISSING, _MISSING_EACH * sum(given for given, *_ in plans)) if most_missing is None else most_missing
    each = _MISSING_EACH if most_missing is None else 0
    too_many = sum(max(0, size - given) for given, size, *_ in plans) > allowed
    expected: dict[Cell, Instances] = {}
    too_sparse = 0
    for cells, (given, size, algorithms, usual) in zip(groups.values(), plans, strict=True):
        if too_many and size - given > each * given:
            too_sparse += size
            expected |= {cell: listed[cell] for cell in cells}
        else:
            expected |= {(algorithm, *place): instances for place, instances in usual for algorithm in algorithms}
    # cells share what they are expected to have
    for cell, lost in by_instance.items():
        expected[cell] = expected[cell] | Counter({instance: listed[cell][instance] for instance in lost})

    lacking: Counter[Place] = Counter()
    unexpected = 0
    # most cells are as they are expected to be
    other = [cell for cell in expected if expected[cell].items() != instances_of.get(cell, {}).items()]
    for cell in sorted(other, key=lambda cell: (*map(natural_key, cell[:3]), -1 if cell[3] is None else cell[3])):
        have = instances_of.get(cell, _NONE)
        lack = expected[cell] - have
        for instance in sorted(lack, key=natural_key):
            lacking[(*cell, instance)] = lack[instance]
        unexpected += (have - expected[cell]).total()
    return sum(e.total() for e in expected.values()), lacking, unexpected, too_sparse


def _plan(
    listed: Mapping[Cell, Instances], cells: list[Cell], full_grid: bool
) -> tuple[int, int, list[str], Iterable[tuple[_Values, Instances]]]:
    """Return the design of some cells: all problems in all dimensions, or what the other algorithms of the suite have.

    The trials in them, those that it expects, its algorithms, and suite, problem and dimension of its cells, with the instances
    that each algorithm should have there, which are not written out yet.
    """
    algorithms, suites, problems, dimensions = (list(dict.fromkeys(axis)) for axis in zip(*cells, strict=True))
    given = sum(listed[cell].total() for cell in cells)
    if full_grid:
        usual = _most_common(listed[cell] for cell in cells)
        grid = ((place, usual) for place in itertools.product(suites, problems, dimensions))
        return given, len(problems) * len(dimensions) * usual.total(), algorithms, grid
    of_problem = {where: _most_common(each) for where, each in grouped((cell[1:], listed[cell]) for cell in cells).items()}
    size = sum(instances.total() for instances in of_problem.values()) * len(algorithms)
    return given, size, algorithms, of_problem.items()


def _most_common(several: Iterable[Instances]) -> Instances:
    kinds = Counter(frozenset(instances.items()) for instances in several)

    def weight(kind: frozenset[tuple[str | None, int]]) -> _Values:
        return -kinds[kind], -sum(count for _, count in kind), sorted((natural_key(i), count) for i, count in kind)

    usual = min(kinds, key=weight)
    return Counter(dict(usual))


# ---- the lines of the logs behind each trial, a few of each, in which a reader can look up its numbers ------------------

#: A source whose trials begin at more places has no excerpts: it cannot be listed run by run.
MOST_PLACES = 200_000
#: Lines that are kept at the start and at the end of a trial, for sources with at most so many places.
_LINES_KEPT = ((500, 3, 16), (5_000, 2, 4), (MOST_PLACES, 1, 2))
#: Characters of a line that are kept.
_LONGEST = 160
_CHUNK = 2**24
#: Behind the last line of any file.
_NO_END = 2**62
#: Places that are packed together.
_TOGETHER = 20_000

#: File, first and last line of a trial, and what stands there.
_Excerpt = tuple[str, int, int, str, str]


class Places:
    """The lines of logs at which the trials of a source begin."""

    def __init__(self) -> None:
        self._lines: dict[str, set[int]] = {}
        self._count = 0

    def add(self, trials: pa.Table) -> None:
        """Add those of some rows of `trials`; those without a line are of no use."""
        if self._count > MOST_PLACES:
            return
        for source in pc.unique(trials["source"]).to_pylist():
            file, line = file_and_line(source)
            if line is not None:
                own = self._lines.setdefault(file, set())
                self._count += line not in own
                own.add(line)

    def excerpts(self, view: View) -> Iterator[pa.Table]:
        """Return tables `excerpts`, of the files in natural order; none of a file that is no text or cannot be read again."""
        if self._count > MOST_PLACES:
            return
        first, last = next((first, last) for most, first, last in _LINES_KEPT if self._count <= most)
        # texts of many files packed together take a third of what they take one by one
        some: list[_Excerpt] = []
        for file in sorted(self._lines, key=natural_key):
            if file in view:
                some += _of_file(view, file, sorted(self._lines[file]), first, last)
            if len(some) >= _TOGETHER:
                yield _excerpts(some)
                some = []
        if some:
            yield _excerpts(some)


def _excerpts(rows: list[_Excerpt]) -> pa.Table:
    return schema.table("excerpts", dict(zip(schema.TABLES["excerpts"].names, zip(*rows, strict=True), strict=True)))


def _of_file(view: View, file: str, begins: list[int], first: int, last: int) -> Iterator[_Excerpt]:
    begin = np.array(begins)
    # of the last part the end is not known before the file's
    end = np.append(begin[1:] - 1, _NO_END)
    wanted = np.unique(np.concatenate([*(begin + i for i in range(first)), *(end - i for i in range(last))]))
    kept = {}
    total = 0
    for start, text, breaks in _breaks(view, file):
        total = start + len(breaks) - 2
        ends = range(max(start, total + 1 - last), total + 1)
        for number in (*wanted[bisect_left(wanted, start) : bisect_left(wanted, total + 1)].tolist(), *ends):
            kept[number] = text[breaks[number - start] : breaks[number - start + 1]]
    for line, last_line in zip(begins, np.minimum(end, total).tolist(), strict=True):
        if line in kept:
            head = range(line, min(line + first, last_line + 1))
            tail = range(max(head.stop, last_line + 1 - last), last_line + 1)
            yield file, line, last_line, *(_first_of(b"".join(kept[number] for number in part)) for part in (head, tail))


def _breaks(view: View, file: str) -> Iterator[tuple[int, bytes, Index]]:
    try:
        rest, number = b"", 1
        for chunk in [view.unpacked(file)] if view.is_packed(file) else view.chunks(file, _CHUNK):
            if number == 1 and not rest and b"\0" in chunk[:4096]:
                return
            text = rest + chunk
            breaks = np.append(0, np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")) + 1)
            if len(breaks) > 1:
                yield number, text, breaks
            number += len(breaks) - 1
            rest = text[breaks[-1] :]
        if rest:
            yield number, rest + b"\n", np.array([0, len(rest) + 1])
    except UserError:
        return


def _first_of(lines: bytes) -> str:
    texts = [decoded(line[: 4 * _LONGEST]).rstrip("\r") for line in lines[:-1].split(b"\n")]
    return "\n".join([text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts])
