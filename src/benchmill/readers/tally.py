"""The report of a source: what its tables hold, what its design lacks, and what a study of it needs to say."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from benchmill.core import keys, schema
from benchmill.core.errors import UserError
from benchmill.core.names import lookalikes
from benchmill.core.natural_order import natural_key
from benchmill.readers.interface import Given, Place, Report, Written, flow, grouped
from benchmill.registry.measures import GAP, STATED, VALUES

if TYPE_CHECKING:
    # planning reads no trials
    import pandas as pd

#: What of `trials` is counted, and what decides which measures can be made of them (`Needs`).
COLUMNS = [
    *("algorithm", "suite", "problem", "dimension", "instance", "cost", "n", "outcome", "status", "time_limit_s", "nodes"),
    *("dual_bound", "maximise", "best_value", "value_kind", "budget"),
]

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
        of_row, places = keys.cells(trials, [*_CELL, "instance"])
        called = zip(
            *(column.cast(getattr(column.type, "value_type", column.type)).to_pylist() for column in places.columns), strict=True
        )
        for where, number in zip(called, np.bincount(of_row).tolist(), strict=True):
            cells[where[:4]][where[4]] += number
            instances[where[4]] = max(instances[where[4]], number)
        expected, lacking, unexpected, too_sparse = missing(cells, report.absent, full_grid, most_missing)
        if too_sparse:
            report.add(
                "design_too_sparse",
                self._where,
                None,
                f"a full design would have {too_sparse} trials; to have those listed that are missing from it, set "
                f"`most_missing: {too_sparse + lacking.total()}` in the source's entry",
            )
        axes = [set(axis) for axis in zip(*cells, strict=True)] or [set[Any]()] * 4
        algorithms, suites, problems = (sorted(axis - {None}, key=natural_key) for axis in axes[:3])
        self._check_names(algorithms, problems)
        budgets = trials["budget"].drop_null().to_numpy()
        statuses = _counted(trials, "status")
        return {
            "algorithms": algorithms,
            "suites": suites,
            "problems": problems,
            "dimensions": sorted(axes[3] - {None}),
            "instances": _compact(instances),
            "trials": {
                "expected": expected,
                "found": self.trials,
                "missing": lacking.total(),
                "unexpected": unexpected,
                "solved": statuses["solved"],
                "failed": statuses["failed"],
                "ill_finalised": statuses["ill_finalised"],
            },
            "outcomes": dict(sorted(_counted(trials, "outcome").items())),
            "time_limits": sorted(trials["time_limit_s"].unique().drop_null().to_pylist()),
            "budget": None
            if not len(budgets)
            else {
                "min": int(budgets.min()),
                "median": float(np.median(budgets)),
                "max": int(budgets.max()),
                "total": sum(budgets.tolist()),
            },
            "rows": {"read": report.rows_read, "kept": self.rows},
            "missing": [
                {"algorithm": a, "suite": s, "problem": p, "dimension": d, "instance": i, "count": count}
                for (a, s, p, d, i), count in lacking.items()
            ],
        }

    def _check_names(self, algorithms: Sequence[str], problems: Sequence[str]) -> None:
        """Refuse names that look the same."""
        named = "give one of them another name in the entry of the source, such as `{}`, or the name of the other"
        written = "write the name the same way everywhere, or leave one out (`where`)"
        for what, names, remedy in (("algorithms", algorithms, named), ("problems", problems, written)):
            for one, other in lookalikes(sorted(names)):
                raise UserError(
                    f"{self._where}: it holds the {what} {one!a} and {other!a}, which look the same where they are printed; "
                    f"{remedy.format(flow({'algorithm': {other: f'{other} (2)'}}))}."
                )


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
        names = [instance for _, instance in group]
        text = names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}"
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
        trials: pd.DataFrame = self._table.to_pandas(integer_object_nulls=True)
        return trials

    @cached_property
    def _problems(self) -> dict[str, set[tuple[Any, ...]]]:
        cells = self._trials[list(_CELL)].drop_duplicates().astype(object)
        problems: defaultdict[str, set[tuple[Any, ...]]] = defaultdict(set)
        for algorithm, *cell in cells.where(cells.notna(), None).itertuples(index=False, name=None):
            problems[algorithm].add(tuple(cell))
        return problems

    def study(self, settings: Given) -> tuple[Written, list[str]]:
        """Return settings of a study of this source alone, beside `sources`, and what they decide that its owner has to check.

        `settings` are those that its report has for a measure of its costs.

        There are none where the defaults fit, or nothing is known to fit.
        """
        trials = self._trials
        if self._rows and not (trials["n"] > 1).any():
            return {}, []
        if self._rows:
            # statistics over runs have no hitting times
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
        groups = self._groups()
        if len(groups) < 2 or min(map(len, groups)) < 2:
            return {}
        suites = [{str(cell[0]) for name in group for cell in self._problems[name] if cell[0] is not None} for group in groups]
        several = [suite for suites_of in suites for suite in suites_of]
        named = all(len(suites_of) == 1 for suites_of in suites) and len(set(several)) == len(several)
        names = [min(suites_of) for suites_of in suites] if named else [str(i) for i in range(1, len(groups) + 1)]
        return dict(zip(names, groups, strict=True))

    def _groups(self) -> list[list[str]]:
        groups: list[tuple[list[str], set[tuple[Any, ...]]]] = []
        for name in sorted(self._problems, key=natural_key):
            joined = [group for group in groups if group[1] & self._problems[name]]
            groups = [group for group in groups if group not in joined]
            names = sorted([name, *(other for group in joined for other in group[0])], key=natural_key)
            groups.append((names, self._problems[name].union(*(group[1] for group in joined))))
        return sorted((group[0] for group in groups), key=lambda names: natural_key(names[0]))


# ---- what a design lacks ----------------------------------------------------------------------------------------------


class Design(NamedTuple):
    """How many trials are expected, and which are missing."""

    expected: int
    """Number of trials of the design."""
    missing: Counter[Place]
    """Trials expected and not found, in natural order."""
    unexpected: int
    """Trials found beyond the design."""
    too_sparse: int
    """Trials that designs would expect which are too empty to be meant, and which are therefore not expected; mostly 0."""


def missing(
    instances_of: Mapping[Cell, Instances], absent: Counter[Place], full_grid: bool, most_missing: int | None = None
) -> Design:
    """Compare the trials found with the design of the experiment they come from."""
    by_instance: dict[Cell, Instances] = {}
    for where, count in absent.items():
        by_instance.setdefault(where[:4], Counter())[where[4]] += count
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
    return Design(sum(e.total() for e in expected.values()), lacking, unexpected, too_sparse)


def _plan(
    listed: Mapping[Cell, Instances], cells: list[Cell], full_grid: bool
) -> tuple[int, int, list[str], Iterable[tuple[tuple[Any, ...], Instances]]]:
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
    kinds: Counter[frozenset[tuple[str | None, int]]] = Counter(frozenset(instances.items()) for instances in several)

    def weight(kind: frozenset[tuple[str | None, int]]) -> tuple[Any, ...]:
        return -kinds[kind], -sum(count for _, count in kind), sorted((natural_key(i), count) for i, count in kind)

    usual = min(kinds, key=weight) if len(kinds) > 1 else next(iter(kinds))
    return Counter(dict(usual))
