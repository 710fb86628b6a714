"""From rows to the tables `trials` and `traces`: what comes after the parsing of COCO's and IOHprofiler's data files."""

from __future__ import annotations

import itertools
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.best_so_far import running_minimum
from benchmill.readers import blocks as data_files
from benchmill.readers.archive import View
from benchmill.readers.blocks import BYTES_AT_ONCE, ROWS_AT_ONCE, Blocks
from benchmill.readers.interface import Report
from benchmill.readers.rows import Columns
from benchmill.readers.same_content import Contents

#: Rows of trials and traces gathered into one batch.
_ROWS_AT_ONCE = 200_000

Unit = TypeVar("Unit")
Options = TypeVar("Options")

_KEYS = ["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]


class RowBefore:
    """The row before each, within its group (a trial or a block)."""

    def __init__(self, count: int, *first: float) -> None:
        self.last = [np.full(count, value) for value in first]
        """By column the last row so far of each group."""

    def of(self, group: np.ndarray, *columns: np.ndarray) -> list[np.ndarray]:
        """Return the columns of the rows before; the rows of a group stand together."""
        if not len(group):
            return [column[:0] for column in columns]
        begins = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
        ends = np.append(begins[1:], len(group)) - 1
        found = []
        for last, column in zip(self.last, columns, strict=True):
            before = np.append(column[:1], column[:-1])
            before[begins] = last[group[begins]]
            last[group[ends]] = column[ends]
            found.append(before)
        return found


def first_rises(before: RowBefore, group: np.ndarray, value: np.ndarray, *others: np.ndarray) -> Iterator[tuple[int, list[Any]]]:
    """Yield for each group the first row whose value is above that of the row before, and that row."""
    rows = before.of(group, value, *others)
    places = np.flatnonzero(value > rows[0])
    for i in places[np.unique(group[places], return_index=True)[1]].tolist():
        yield i, [column[i] for column in rows]


class _BestSoFar:
    """The smallest value so far of trials, and which rows lower it."""

    def __init__(self, count: int) -> None:
        self._before = RowBefore(count, np.nan)

    @property
    def best(self) -> np.ndarray:
        return self._before.last[0]

    def of(self, trial: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        best = running_minimum(trial, value)
        if not np.isnan(self.best).all():
            best = np.fmin(best, self.best[trial])
        (before,) = self._before.of(trial, best)
        return best, ~(best >= before)


class Trace:
    """Which rows of trials make their traces."""

    def __init__(self, count: int) -> None:
        self._reached, self._both = _BestSoFar(count), _BestSoFar(count)

    def of(self, trial: np.ndarray, value: np.ndarray, timed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tell whether each row is kept, and its value.

        Parameters
        ----------
        trial, value : ndarray, shape (rows,)
            Sorted by trial and evaluations; smaller values are better.
        timed : ndarray of bool, shape (rows,)
            Rows that were recorded for their number of evaluations. They have to improve on all rows, the others on their like.
        """
        if not timed.any():
            value, keep = self._reached.of(trial, value)
            np.fmin(self._both.best, self._reached.best, out=self._both.best)
            return keep, value
        value = value.copy()
        keep = np.zeros(len(trial), bool)
        reached = np.flatnonzero(~timed)
        value[reached], keep[reached] = self._reached.of(trial[reached], value[reached])
        return keep | (timed & self._both.of(trial, value)[1]), value


class Gathered:
    """Trials and their rows, numbered from 0 through a source, until they are taken."""

    def __init__(self) -> None:
        self.done = 0
        self.rows = 0
        self._count = 0
        self._trials: list[dict[str, Any]] = []
        self._traces: list[tuple[np.ndarray, ...]] = []
        self._last = schema.TABLES["trials"].empty_table().select(_KEYS)

    def add(self, columns: dict[str, Any], traces: Iterable[tuple[np.ndarray, ...]], there: np.ndarray) -> Iterator[bool]:
        """Add the trials that are there, and their rows; whenever they are many, yield whether they must be taken."""
        self._trials.append(columns)
        number = np.where(there, np.cumsum(there) - 1 + self._count, -1)
        self._count += len(columns["suite"])
        self.rows += len(number)
        pieces = 0
        for trial, *rest in traces:
            if pieces:
                yield True
            pieces += 1
            self._traces.append((number[trial], *rest))
            self.rows += len(trial)
        yield pieces > 1

    def take(self) -> tuple[pa.Table, pa.Table]:
        """Return the tables of what was added since the last call; rows alone where those of the last trial go on."""
        if not self._traces:
            return schema.TABLES["trials"].empty_table(), schema.TABLES["traces"].empty_table()
        columns: dict[str, Any] = {}
        for name in self._trials[0] if self._trials else ():
            parts = [part[name] for part in self._trials]
            joined = isinstance(parts[0], np.ndarray)
            columns[name] = np.concatenate(parts) if joined else list(itertools.chain.from_iterable(parts))
        count = self._count - self.done
        fixed = {"trial": np.arange(self.done, self._count), "n": np.ones(count, np.int32)}
        trials = schema.table("trials", columns | fixed) if columns else schema.TABLES["trials"].empty_table()
        number, evaluations, value, on_target = (np.concatenate(parts) for parts in zip(*self._traces, strict=True))
        keys = trials.select(_KEYS) if count else self._last
        self._last = keys.slice(keys.num_rows - 1) if count else keys
        keys = keys.take(pa.array(number - keys["trial"][0].as_py() if len(number) else number))
        columns = {"evaluations": evaluations, "value": value, "on_target": on_target}
        traces = schema.table("traces", {name: keys[name] for name in _KEYS} | columns)
        self.done = self._count
        self._trials, self._traces, self.rows = [], [], 0
        return trials, traces


class TraceRows:
    """Rows of the traces of trials: of many trials in memory, of one that comes in several shares in a temporary file."""

    _ROW = np.dtype([("evaluations", "i8"), ("value", "f8"), ("on_target", "?")])

    def __init__(self) -> None:
        self._held: tuple[np.ndarray, ...] | None = None
        self._file: IO[bytes] | None = None

    def append(self, trial: np.ndarray, evaluations: np.ndarray, value: np.ndarray, on_target: np.ndarray) -> None:
        """Add rows; all but those of the first call go behind these, and all are of trial 0."""
        if self._held is None and self._file is None:
            self._held = trial, evaluations, value, on_target
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed when nothing refers to the rows any more)
            weakref.finalize(self, self._file.close)
        for rows in (self._held, (trial, evaluations, value, on_target)):
            if rows is not None:
                table = np.empty(len(rows[0]), self._ROW)
                table["evaluations"], table["value"], table["on_target"] = rows[1:]
                self._file.write(table.tobytes())
        self._held = None

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        """Return trial, evaluations, value and `on_target` of all rows, piece by piece."""
        if self._held is not None:
            yield self._held
        if self._file is not None:
            self._file.seek(0)
            while data := self._file.read(ROWS_AT_ONCE * self._ROW.itemsize):
                rows = np.frombuffer(data, self._ROW)
                yield np.zeros(len(rows), np.int64), rows["evaluations"], rows["value"], rows["on_target"]


class Reader(Generic[Unit, Options]):
    """Turns units, a function in a dimension with its data files each, into rows of `trials` and `traces`."""

    def __init__(self, view: View, report: Report, names: Mapping[str, str], options: Options) -> None:
        self.view, self.report, self.names, self.options = view, report, names, options
        self.sizes = {member.name: member.size for member in view.members}
        self.gathered = Gathered()
        self._contents = Contents(view, report)
        self._runs: Counter[tuple[Any, ...]] = Counter()

    def parse(self, part: list[Unit]) -> Iterator[bool]:
        """Gather the trials of some units; yield whether what is gathered must be taken, whenever it may be."""
        raise NotImplementedError

    def tables(self, units: Iterable[Unit], size: Callable[[Unit], int], most: int) -> Iterator[tuple[pa.Table, pa.Table]]:
        """Yield the tables of all units, as many of them parsed together as make up `most` bytes."""
        for part in data_files.batches(units, size, most):
            for whole in self.parse(part):
                if whole or self.gathered.rows >= _ROWS_AT_ONCE:
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
