"""From rows to the tables `trials` and `traces`: what comes after the parsing of COCO's and IOHprofiler's data files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.readers import blocks as data_files
from benchmill.readers.archive import View
from benchmill.readers.blocks import BYTES_AT_ONCE, Blocks, Rows
from benchmill.readers.interface import Report
from benchmill.readers.rows import Columns, indices
from benchmill.readers.same_content import Contents

Unit = TypeVar("Unit")
Options = TypeVar("Options")

_KEYS = ["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]


def first_rises(group: np.ndarray, value: np.ndarray) -> list[int]:
    """Return of each group (a trial or a block), whose rows stand together, the first whose value is above the one before."""
    rises = np.flatnonzero((group[1:] == group[:-1]) & (value[1:] > value[:-1])) + 1
    return list(rises[np.unique(group[rises], return_index=True)[1]].tolist())


def improvements(rows: Rows) -> tuple[np.ndarray, Rows]:
    """Tell which rows make the traces, and return all with the best values so far.

    They are sorted by trial and evaluations, and smaller values are better. Timed rows have to improve on all rows, the others on
    their like.
    """
    value, keep = rows.value.copy(), np.zeros(len(rows.trial), bool)
    others = indices(~rows.timed)
    value[others] = running_minimum(rows.trial[others], value[others])
    keep[others] = improves(rows.trial[others], value[others])
    keep |= rows.timed & improves(rows.trial, running_minimum(rows.trial, value))
    return keep, rows._replace(value=value)


class Reader(ABC, Generic[Unit, Options]):
    """Turns units, a function in a dimension with its data files each, into rows of `trials` and `traces`."""

    def __init__(self, view: View, report: Report, names: Mapping[str, str], options: Options) -> None:
        self.view, self.report, self.names, self.options = view, report, names, options
        self.sizes = {member.name: member.size for member in view.members}
        self.trials = 0
        self._contents = Contents(view, report)
        self._runs: Counter[tuple[Any, ...]] = Counter()

    @abstractmethod
    def parse(self, part: list[Unit]) -> Iterator[tuple[pa.Table, pa.Table]]:
        """Yield the tables of some units."""

    def tables(self, units: Iterable[Unit], size: Callable[[Unit], int], most: int) -> Iterator[tuple[pa.Table, pa.Table]]:
        """Yield the tables of all units, as many of them parsed together as make up `most` bytes."""
        part, total = list[Unit](), 0
        for unit in units:
            more = size(unit)
            if part and total + more > most:
                yield from self.parse(part)
                part, total = [], 0
            part.append(unit)
            total += more
        if part:
            yield from self.parse(part)

    def made(self, columns: dict[str, Any], rows: Rows, keep: np.ndarray, there: np.ndarray) -> tuple[pa.Table, pa.Table]:
        """Return the tables of the trials that are there, whose `columns` these are, and of the rows to keep."""
        first = self.trials
        self.trials += len(columns["suite"])
        fixed = {"trial": np.arange(first, self.trials), "n": np.ones(self.trials - first, np.int32)}
        trials = schema.table("trials", columns | fixed)
        rows = rows.at(keep)
        keys = trials.select(_KEYS).take(pa.array((np.cumsum(there) - 1)[rows.trial]))
        values = {"evaluations": rows.evaluations, "value": rows.value, "on_target": ~rows.timed}
        return trials, schema.table("traces", {name: keys[name] for name in _KEYS} | values)

    def blocks(
        self,
        names: list[str],
        marks: bytes,
        columns: Columns,
        among: Sequence[Hashable],
        *,
        adds: bool = False,
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
            found = data_files.parse_large(self.view, names, marks, columns, self.report, adds=adds)
        else:
            found = data_files.parse(names, [text or b"" for text in texts], marks, columns, self.report, adds=adds)
        self.report.rows_read += found.read
        return found

    def numbered(self, columns: Mapping[str, Sequence[Any]]) -> list[int]:
        """Return the run of each trial: its number among those with the same keys."""
        runs: list[int] = []
        for key in zip(*columns.values(), strict=True):
            self._runs[key] += 1
            runs.append(self._runs[key])
        return runs
