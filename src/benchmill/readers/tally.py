"""The report of a source: counts of what its tables hold, and what its design lacks."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.core.names import lookalikes
from benchmill.core.natural_order import natural_key
from benchmill.readers.design import Cell, Instances, missing
from benchmill.readers.interface import Report, flow


class Tally:
    """Counts what the tables of a source hold."""

    def __init__(self, where: str, most_algorithms: int) -> None:
        self._where = where
        self._most_algorithms = most_algorithms
        self.trials = 0
        self._rows = 0
        self._algorithms: set[str] = set()
        self._cells: defaultdict[Cell, Instances] = defaultdict(Counter)
        self._statuses: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._limits: set[float] = set()
        self._budgets: list[np.ndarray] = []

    def add(self, trials: pa.Table, traces: pa.Table) -> None:
        """Count the trials and rows of a batch."""
        numbers = trials["trial"].to_numpy()
        if not np.array_equal(numbers, np.arange(self.trials, self.trials + len(numbers))):
            raise AssertionError("a reader must number its trials from 0 without gaps")
        self.trials += len(numbers)
        self._rows += traces.num_rows
        self._statuses.update(_counted(trials, "status"))
        self._outcomes.update(_counted(trials.select(["outcome"]).drop_null(), "outcome"))
        self._limits.update(trials["time_limit_s"].drop_null().unique().to_pylist())
        budget = trials["budget"].drop_null()
        if len(budget):
            self._budgets.append(budget.to_numpy())
        for where, count in _counted(trials, "algorithm", "suite", "problem", "dimension", "instance").items():
            self._cells[where[:4]][where[4]] += count
            self._algorithms.add(where[0])
        if len(self._algorithms) > self._most_algorithms:
            raise UserError(
                f"{self._where}: it holds more than {self._most_algorithms} algorithms; give it by parts, or say in the "
                "source's entry how many there may be (`most_algorithms: ...`)."
            )

    def summary(self, report: Report, full_grid: bool, most_missing: int | None) -> dict[str, Any]:
        """Return the part of the report that says what there is and what is missing."""
        expected, lacking, unexpected, too_sparse = missing(self._cells, report.absent, full_grid, most_missing)
        if too_sparse:
            what = (
                f"a full design would have {too_sparse} trials; to have those listed that are missing from it, set "
                f"`most_missing: {too_sparse + lacking.total()}` in the source's entry"
            )
            report.add("design_too_sparse", self._where, None, what)
        self._check_names()
        budgets = np.concatenate(self._budgets) if self._budgets else None
        instances: Instances = Counter()
        for several in self._cells.values():
            instances |= several
        return {
            "algorithms": sorted({c[0] for c in self._cells}, key=natural_key),
            "suites": sorted({c[1] for c in self._cells if c[1] is not None}, key=natural_key),
            "problems": sorted({c[2] for c in self._cells}, key=natural_key),
            "dimensions": sorted({c[3] for c in self._cells if c[3] is not None}),
            "instances": _compact(instances),
            "trials": {
                "expected": expected,
                "found": self.trials,
                "missing": lacking.total(),
                "unexpected": unexpected,
                "solved": self._statuses["solved"],
                "failed": self._statuses["failed"],
                "ill_finalised": self._statuses["ill_finalised"],
            },
            "outcomes": dict(sorted(self._outcomes.items())),
            "time_limits": sorted(self._limits),
            "budget": None
            if budgets is None
            else {
                "min": int(budgets.min()),
                "median": float(np.median(budgets)),
                "max": int(budgets.max()),
                "total": sum(budgets.tolist()),
            },
            "rows": {"read": report.rows_read, "kept": self._rows},
            "missing": [
                {"algorithm": a, "suite": s, "problem": p, "dimension": d, "instance": i, "count": count}
                for (a, s, p, d, i), count in lacking.items()
            ],
        }

    def _check_names(self) -> None:
        """Refuse names that look the same."""
        for one, other in lookalikes(sorted(self._algorithms)):
            say = flow({"algorithm": {other: f"{other} (2)"}})
            raise UserError(
                f"{self._where}: it holds the algorithms {one!a} and {other!a}, which look the same where they are "
                f"printed; give one of them another name in the entry of the source, such as `{say}`, or the name of the other."
            )
        for one, other in lookalikes(sorted({cell[2] for cell in self._cells})):
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
