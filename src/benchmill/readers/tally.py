"""The report of a source: counts of what its tables hold, and what its design lacks."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.core.names import lookalikes
from benchmill.core.natural_order import natural_key
from benchmill.readers.design import Cell, Instances, missing
from benchmill.readers.interface import Report, flow

#: What of `trials` is counted, and what decides which measures can be made of them (`benchmill.readers.needs`).
COLUMNS = ["algorithm", "suite", "problem", "dimension", "instance", "cost", "n", "outcome", "status", "time_limit_s", "nodes"]
COLUMNS += ["dual_bound", "maximise", "best_value", "value_kind", "budget"]


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
        numbers = trials["trial"].to_numpy()
        if not np.array_equal(numbers, np.arange(self.trials, self.trials + len(numbers))):
            raise AssertionError("a reader must number its trials from 0 without gaps")
        self.trials += len(numbers)
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

    def summary(self, report: Report, full_grid: bool, most_missing: int | None) -> dict[str, Any]:
        """Return the part of the report that says what there is and what is missing."""
        trials = self.table
        cells: defaultdict[Cell, Instances] = defaultdict(Counter)
        for where, number in _counted(trials, "algorithm", "suite", "problem", "dimension", "instance").items():
            cells[where[:4]][where[4]] += number
        expected, lacking, unexpected, too_sparse = missing(cells, report.absent, full_grid, most_missing)
        if too_sparse:
            what = (
                f"a full design would have {too_sparse} trials; to have those listed that are missing from it, set "
                f"`most_missing: {too_sparse + lacking.total()}` in the source's entry"
            )
            report.add("design_too_sparse", self._where, None, what)
        axes = [set(axis) for axis in zip(*cells, strict=True)] or [set[Any]()] * 4
        algorithms, suites, problems = (sorted(axis - {None}, key=natural_key) for axis in axes[:3])
        self._check_names(algorithms, problems)
        budgets = trials["budget"].drop_null().to_numpy()
        statuses = _counted(trials, "status")
        instances: Instances = Counter()
        for several in cells.values():
            instances |= several
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
            "outcomes": dict(sorted(_counted(trials.filter(trials["outcome"].is_valid()), "outcome").items())),
            "time_limits": sorted(trials["time_limit_s"].drop_null().unique().to_pylist()),
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
        for one, other in lookalikes(sorted(algorithms)):
            say = flow({"algorithm": {other: f"{other} (2)"}})
            raise UserError(
                f"{self._where}: it holds the algorithms {one!a} and {other!a}, which look the same where they are "
                f"printed; give one of them another name in the entry of the source, such as `{say}`, or the name of the other."
            )
        for one, other in lookalikes(sorted(problems)):
            raise UserError(
                f"{self._where}: it holds the problems {one!a} and {other!a}, which look the same where they are "
                "printed; write the name the same way everywhere, or leave one out (`where`)."
            )


def _counted(data: pa.Table, *columns: str) -> Counter[Any]:
    plain = {name: data[name].cast(pa.string()) if pa.types.is_dictionary(data[name].type) else data[name] for name in columns}
    counts = pa.table(plain).group_by(list(columns), use_threads=False).aggregate([([], "count_all")])
    keys = [counts[name].to_pylist() for name in columns]
    called = zip(*keys, strict=True) if len(columns) > 1 else keys[0]
    return Counter(dict(zip(called, counts["count_all"].to_pylist(), strict=True)))


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
