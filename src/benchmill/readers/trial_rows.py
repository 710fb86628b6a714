"""From rows to the tables `trials` and `traces`: what comes after the parsing of COCO's and IOHprofiler's data files."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.readers import blocks as data_files
from benchmill.readers.archive import View
from benchmill.readers.blocks import BYTES_AT_ONCE, Blocks
from benchmill.readers.interface import Report
from benchmill.readers.rows import Columns, indices
from benchmill.readers.same_content import Contents

#: Rows of trials and traces gathered into one batch.
_ROWS_AT_ONCE = 200_000

Unit = TypeVar("Unit")
Options = TypeVar("Options")

_KEYS = ["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]


def first_rises(group: np.ndarray, value: np.ndarray) -> list[int]:
    """Return of each group (a trial or a block), whose rows stand together, the first whose value is above the one before."""
    rises = np.flatnonzero((group[1:] == group[:-1]) & (value[1:] > value[:-1])) + 1
    return list(rises[np.unique(group[rises], return_index=True)[1]].tolist())


def improvements(trial: np.ndarray, value: np.ndarray, timed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tell which rows make the traces, and their values.

    Parameters
    ----------
    trial, value : ndarray, shape (rows,)
        Sorted by trial and evaluations; smaller values are better.
    timed : ndarray of bool, shape (rows,)
        Rows that were recorded for their number of evaluations. They have to improve on all rows, the others on their like.
    """
    value, keep = value.copy(), np.zeros(len(trial), bool)
    others = indices(~timed)
    value[others] = running_minimum(trial[others], value[others])
    keep[others] = improves(trial[others], value[others])
    return keep | (timed & improves(trial, running_minimum(trial, value))), value


class Gathered:
    """Trials and their rows, numbered from 0 through a source, until they are taken."""

    def __init__(self) -> None:
        self.done = 0
        self.rows = 0
        self._count = 0
        self._trials: list[dict[str, Any]] = []
        self._traces: list[tuple[np.ndarray, ...]] = []

    def add(self, columns: dict[str, Any], traces: tuple[np.ndarray, ...], there: np.ndarray) -> None:
        """Add the trials that are there, and the rows of their traces: trial, evaluations, value and `on_target`."""
        self._trials.append(columns)
        self._traces.append(((np.cumsum(there) - 1 + self._count)[traces[0]], *traces[1:]))
        self._count += len(columns["suite"])
        self.rows += len(there) + len(traces[0])

    def take(self) -> tuple[pa.Table, pa.Table]:
        """Return the tables of what was added since the last call."""
        if not self._trials:
            return schema.TABLES["trials"].empty_table(), schema.TABLES["traces"].empty_table()
        columns: dict[str, Any] = {}
        for name in self._trials[0]:
            parts = [part[name] for part in self._trials]
            joined = isinstance(parts[0], np.ndarray)
            columns[name] = np.concatenate(parts) if joined else list(itertools.chain.from_iterable(parts))
        fixed = {"trial": np.arange(self.done, self._count), "n": np.ones(self._count - self.done, np.int32)}
        trials = schema.table("trials", columns | fixed)
        number, evaluations, value, on_target = (np.concatenate(parts) for parts in zip(*self._traces, strict=True))
        keys = trials.select(_KEYS).take(pa.array(number - self.done))
        columns = {"evaluations": evaluations, "value": value, "on_target": on_target}
        traces = schema.table("traces", {name: keys[name] for name in _KEYS} | columns)
        self.done = self._count
        self._trials, self._traces, self.rows = [], [], 0
        return trials, traces


class Reader(Generic[Unit, Options]):
    """Turns units, a function in a dimension with its data files each, into rows of `trials` and `traces`."""

    def __init__(self, view: View, report: Report, names: Mapping[str, str], options: Options) -> None:
        self.view, self.report, self.names, self.options = view, report, names, options
        self.sizes = {member.name: member.size for member in view.members}
        self.gathered = Gathered()
        self._contents = Contents(view, report)
        self._runs: Counter[tuple[Any, ...]] = Counter()

    def parse(self, part: list[Unit]) -> Iterator[None]:
        """Gather the trials of some units; yield whenever what is gathered may be taken."""
        raise NotImplementedError

    def tables(self, units: Iterable[Unit], size: Callable[[Unit], int], most: int) -> Iterator[tuple[pa.Table, pa.Table]]:
        """Yield the tables of all units, as many of them parsed together as make up `most` bytes."""
        for part in data_files.batches(units, size, most):
            for _ in self.parse(part):
                if self.gathered.rows >= _ROWS_AT_ONCE:
                    yield self.gathered.take()
        yield self.gathered.take()

    def blocks(
        self,
        names: list[str],
        marks: bytes,
        columns: Columns,
        among: Sequence[Hashable],
        *,
        weight: int = 0,
        held: bool = False,
    ) -> Blocks:
        """Return the blocks of data files, which are parsed in pieces if they are large (unless they must be `held`).

        Those with the content of an earlier one `among` the same are reported; None compares a file with none.
        """
        large = not held and sum(self.sizes[name] for name in names) > 2 * BYTES_AT_ONCE
        texts = [None if large else self.view.read(name) for name in names]
        for name, text, alike in zip(names, texts, among, strict=True):
            if alike is not None:
                self._contents.compare(name, text, alike)
        if large:
            found = data_files.parse_large(self.view, names, marks, columns, self.report, weight=weight)
        else:
            found = data_files.parse(names, [text or b"" for text in texts], marks, columns, self.report, weight=weight)
        self.report.rows_read += found.read
        return found

    def numbered(self, columns: Mapping[str, Sequence[Any]]) -> list[int]:
        """Return the run of each trial: its number among those with the same keys."""
        runs: list[int] = []
        for key in zip(*columns.values(), strict=True):
            self._runs[key] += 1
            runs.append(self._runs[key])
        return runs
