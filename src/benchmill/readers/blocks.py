"""Rows of numbers in blocks: what the data files of COCO and IOHprofiler have in common."""

import itertools
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from benchmill.core import Numbers, UserError, beside, schema, shown
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.options import option
from benchmill.readers.archive import BYTES_AT_ONCE, Contents, View
from benchmill.readers.interface import (
    MOST_EXAMPLES,
    Batch,
    Batches,
    Report,
    Written,
    file_and_line,
    grouped,
    place,
    renamed,
    rules,
    trace_rows,
)
from benchmill.readers.interface import Options as SourceOptions
from benchmill.readers.listing import Draft, OfFormat
from benchmill.readers.rows import BLANKS, Columns, Rows, indices, scan
from benchmill.readers.text import CUT_LINE, in_utf_8

#: Rows that one trial may have: they are held at once, in some 200 bytes each.
MOST_ROWS = 10_000_000


@dataclass(frozen=True)
class Options(SourceOptions):
    """The options of a source with numbers of evaluations."""

    counted_from: int | None = option(
        "the number that the log gives the first evaluation, 1 or 0, if a row is at 0", None, enum=[0, 1]
    )


#: The irregularities that `parse` reports; a format takes them into its own.
RULES = {**rules("blocks"), "cut_line": CUT_LINE}

#: Lines of which a header has at most.
_LONGEST_HEADER = 100

#: So many values that are not whole no two runs of a method with chance in it have in common.
_MANY = 5

#: Of a longer line of a large file only the beginning is read.
_LONGEST_LINE = 2**23


class TrialRows(NamedTuple):
    """Rows of trials: arrays of one length."""

    trial: Numbers
    block: Numbers
    evaluations: Numbers
    value: Numbers
    line: Numbers
    decimals: Numbers
    second: Numbers
    timed: Numbers
    """True where a row was recorded for its number of evaluations, in a trial that has others."""

    def at(self, chosen: slice | Numbers) -> Self:
        """Return some of the rows."""
        return type(self)(*(each[chosen] for each in self))


def is_timed(name: str) -> bool:
    """Tell whether a file has rows for given numbers of evaluations."""
    return name.lower().endswith((".tdat", ".idat"))


@dataclass
class Blocks(Rows):
    """The blocks of several files, in order; of large ones two columns.

    Attributes
    ----------
    facts : ndarray of `FACTS`, shape (blocks,)
        What the rows of each block amount to.
    store : Store or None
        Where the rows are if they are too many to be held: the arrays over rows are empty, and `of` fetches some.
    """

    facts: Numbers
    store: "Store | None"
    names: list[str]

    def where(self, block: int, line: int | None = None) -> tuple[str, int]:
        """Return the file of a block, and the line of its header or another one, as a report takes them."""
        return self.names[self.file[block]], int(self.line[block] if line is None else line)

    def places(self, blocks: Numbers) -> list[str]:
        """Return the same of several blocks, as the column `source` has it."""
        where = zip(self.file[blocks].tolist(), self.line[blocks].tolist(), strict=True)
        return [place(self.names[file], line) for file, line in where]

    def of(self, blocks: Numbers) -> Self:
        """Return the same with the rows of these blocks alone; `row_block` counts all blocks still."""
        if self.store is None:
            chosen = np.zeros(len(self.file) + 1, bool)
            chosen[blocks] = True
            rows = np.flatnonzero(chosen[self.row_block])
            arrays: schema.Row = {name: getattr(self, name)[rows] for name in _WHOLE_NUMBERS}
            return replace(self, **arrays, values=[column[rows] for column in self.values])
        return replace(self, store=None, **self.store.rows(np.sort(blocks)))

    def falls(self) -> Iterator[tuple[int, tuple[str, int], str]]:
        """Yield each block whose evaluations do not ascend, the place of the first that do not, and what is there."""
        for block in np.flatnonzero(self.facts["fall_line"]).tolist():
            facts = self.facts[block]
            yield block, self.where(block, facts["fall_line"]), f"{facts['fall']} evaluations come after {facts['fall_after']}"

    def rows(
        self,
        trial_of_block: Numbers,
        stated: Numbers,
        counted_from: int | None,
        report: Report,
        name_of: Callable[[int], str],
    ) -> TrialRows:
        """Return the rows of trials, with evaluations counted from 1.

        Parameters
        ----------
        trial_of_block : ndarray of int, shape (blocks,)
            -1 for none.
        stated : ndarray of int, shape (trials,)
            The evaluations of each trial by its listing; -1 where it does not say.
        counted_from : {0, 1} or None
            What the source's entry says; None where it does not.
        name_of : callable
            Says which trial one is, for the report.
        """
        there = (trial_of_block >= 0) & (self.facts["size"] > 0)
        timed = np.array([is_timed(name) for name in self.names], bool)[self.file]
        reached = np.zeros(len(stated), bool)
        # a trial that has no other rows has no timed ones either
        reached[trial_of_block[there & ~timed & (self.facts["latest"] > (0 if counted_from == 1 else -1))]] = True
        trial = trial_of_block[self.row_block]
        rows = TrialRows(
            trial,
            self.row_block,
            self.evaluations,
            self.value,
            self.row_line,
            self.decimals,
            self.second,
            timed[self.row_block] & reached[trial],
        ).at(indices(trial >= 0))
        if counted_from == 0:
            return rows._replace(evaluations=rows.evaluations + 1)
        begins = np.zeros(len(stated), bool)
        begins[trial_of_block[there & (self.facts["first"] == 0)]] = True
        if not begins.any():
            return rows
        last = np.zeros(len(stated), np.int64)
        np.maximum.at(last, trial_of_block[there], self.facts["latest"][there])
        shifted = begins & (last + 1 == stated) & (counted_from is None)
        before = begins & (counted_from == 1)
        zero = np.flatnonzero((rows.evaluations == 0) & (shifted | before)[rows.trial])
        for row in zero[np.unique(rows.trial[zero], return_index=True)[1]].tolist():
            report.add(
                "counted_from_zero" if shifted[rows.trial[row]] else "row_before_first",
                *self.where(rows.block[row], rows.line[row]),
                trial=name_of(rows.trial[row]),
            )
        return rows._replace(evaluations=rows.evaluations + shifted[rows.trial]).at(
            indices(~(before[rows.trial] & (rows.evaluations == 0)))
        )

    def by_trial(self, of_trials: list[list[int]]) -> Iterator[tuple[slice, Numbers, Self]]:
        """Return trials in their order, as many at a time as are well held at once.

        Parameters
        ----------
        of_trials : list of list of int
            The blocks that belong to each trial.

        Yields
        ------
        slice
            Which trials.
        ndarray of int, shape (blocks,)
            The trial of each block, counted from the first of these; -1 for a block of none of them.
        Blocks
            With the rows of (at least) these trials.
        """
        count = len(of_trials)
        trial = np.full(len(self.file), -1, np.int64)
        for number, its in enumerate(of_trials):
            trial[its] = number
        if not count:
            return
        if self.store is None:
            yield slice(0, count), trial, self
            return
        rows = np.bincount(trial + 1, weights=self.facts["size"], minlength=count + 1)[1:]
        if rows.max() > MOST_ROWS:
            file, line = self.where(np.flatnonzero(trial == np.argmax(rows))[0])
            raise UserError(
                f"{place(file, line)}: the trial has {rows.max():.0f} rows, and at most {MOST_ROWS} of one trial are read; log "
                "its improvements alone."
            )
        ends = np.flatnonzero(np.diff(np.cumsum(rows) // ROWS_AT_ONCE)) + 1
        for begin, end in itertools.pairwise([0, *ends.tolist(), count]):
            mine = (trial >= begin) & (trial < end)
            yield slice(begin, end), np.where(mine, trial - begin, -1), self.of(np.flatnonzero(mine))


_NOTHING: dict[str, tuple[str, float]] = beside.toml(__file__)
#: What the rows of a block amount to.
FACTS = np.dtype([(name, kind) for name, (kind, _) in _NOTHING.items()])

_SUMS = {
    **{"size": np.add, "first": np.minimum, "latest": np.maximum},
    **{"lowest": np.minimum, "highest": np.maximum, "decimals": np.maximum},
}


def _amounts(parts: Mapping[str, Numbers] | Numbers, block: Numbers, count: int) -> Numbers:
    """Return what rows, or parts of blocks with rows, amount to in each of the blocks; those of the parts ascend."""
    facts = np.full(count, np.array(tuple(none for _, none in _NOTHING.values()), FACTS))
    if not len(block):
        return facts
    same = block[1:] == block[:-1]
    start = np.flatnonzero(np.append(True, ~same))
    some, last = block[start], np.append(start[1:], len(block)) - 1
    for name, function in _SUMS.items():
        facts[name][some] = function.reduceat(parts[name], start)
    for names, at in ((("value", "second", "end"), last), (("begin", "line"), start)):
        for name in names:
            facts[name][some] = parts[name][at]
    between = np.append(False, same & (parts["begin"][1:] < parts["end"][:-1]))
    falls = np.flatnonzero(between | (parts["fall_line"] > 0))
    falls = falls[np.unique(block[falls], return_index=True)[1]]
    for name, here, before in (("fall_line", "line", 0), ("fall", "begin", 0), ("fall_after", "end", 1)):
        facts[name][block[falls]] = np.where(between[falls], parts[here][falls - before], parts[name][falls])
    return facts


def added(second: Numbers) -> Numbers:
    """Return evaluations of constraints that count beside those of the objective."""
    return np.where(np.isfinite(second) & (second >= 0) & (second < 2**53), second, 0).astype(np.int64)


#: The arrays over rows.
_WHOLE_NUMBERS = ("row_block", "row_line", "evaluations", "decimals")
ROW_ARRAYS = (*_WHOLE_NUMBERS, "value", "second")

#: Rows of a large file that are held at once.
ROWS_AT_ONCE = 250_000


class Store:
    """Rows in a temporary file without a name, block after block."""

    _ROW = np.dtype([(name, "i8") for name in ("row_line", "evaluations", "decimals")] + [("value", "f8"), ("second", "f8")])

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed when nothing refers to the store any more)
        weakref.finalize(self, self._file.close)
        self._parts, self._blocks = [np.zeros(0, FACTS)], [np.zeros(0, np.int64)]
        self._count = 0

    @cached_property
    def facts(self) -> Numbers:
        """Those of all blocks; none is added any more."""
        parts, block = np.concatenate(self._parts), np.concatenate(self._blocks)
        filled = parts["size"] > 0
        return _amounts(parts[filled], block[filled], self._count)

    @cached_property
    def cuts(self) -> Numbers:
        """The row at which each block begins, and the number of rows; no block is added any more."""
        return np.append(0, np.cumsum(self.facts["size"]))

    def append(self, rows: Blocks, continued: bool) -> None:
        """Add the rows of further blocks of a file, the first of which continues the last one there is (`continued`) or not."""
        table = np.zeros(len(rows.row_block), self._ROW)
        for column in ROW_ARRAYS[1:]:
            table[column] = getattr(rows, column)
        self._file.write(table.view(np.uint8).data)
        self._parts.append(rows.facts)
        self._blocks.append(np.arange(len(rows.facts)) + self._count - continued)
        self._count += len(rows.facts) - continued

    def rows(self, blocks: Numbers) -> schema.Row:
        """Return the arrays over the rows of these blocks, which ascend."""
        self._file.flush()
        table = np.memmap(self._file, self._ROW, "r") if self.cuts[-1] else np.empty(0, self._ROW)
        table = np.concatenate([table[:0], *(table[self.cuts[block] : self.cuts[block + 1]] for block in blocks.tolist())])
        arrays = {name: np.ascontiguousarray(table[name]) for name in ROW_ARRAYS[1:]}
        values = [arrays.pop(name) for name in ("value", "second")]
        return {**arrays, "row_block": np.repeat(blocks, np.diff(self.cuts)[blocks]), "values": values}


def parse_large(
    view: View,
    names: list[str],
    marks: bytes,
    columns: Columns,
    report: Report,
    *,
    adds: bool = False,
) -> Blocks:
    """Parse data files piece by piece, with the rows in a `Store`: memory does not grow with their size.

    Parameters, result and irregularities are those of `parse`, the files being members of `view`.
    """
    store = Store()
    heads: list[tuple[int, int, bytes]] = []
    same: dict[bytes, bytes] = {}  # one object for each different header
    read = 0
    for number, name in enumerate(names):
        header = b""
        above = 0
        for piece in pieces(view, name, marks):
            # A piece begins under the last header of the piece before.
            text = header + b"\n" + piece if header else piece
            before = above - bool(header)
            blocks = parse(
                [name], [text], marks, partial(lambda at, mark, _: columns(mark, at), number), report, adds=adds, before=before
            )
            store.append(blocks, bool(header))
            new = list(zip(blocks.line.tolist(), blocks.heading, strict=True))[bool(header) :]
            heads += [(number, line, same.setdefault(text, text)) for line, text in new]
            read += blocks.read
            above = before + blocks.lines
            header = blocks.heading[-1].rpartition(b"\n")[2] if blocks.heading else b""
    places = np.array([head[:2] for head in heads], np.int64).reshape(-1, 2)
    return Blocks(
        file=places[:, 0],
        line=places[:, 1],
        heading=[text for *_, text in heads],
        **dict.fromkeys(_WHOLE_NUMBERS, np.empty(0, np.int64)),
        values=[np.empty(0)] * 2,
        refused=[],
        facts=store.facts,
        read=read,
        lines=0,
        store=store,
        names=names,
    )


def pieces(view: View, name: str, marks: bytes) -> Iterator[bytes]:
    """Return a data file in pieces of whole lines, such that a header is in one piece with the line that follows it."""
    held = b""
    old_mac: bool | None = None
    for chunk in view.chunks(name, BYTES_AT_ONCE):
        text = held + chunk
        if old_mac is None and (b"\n" in text or b"\r" in text[:-1]):
            old_mac = b"\n" not in text
        if old_mac:
            text = text.replace(b"\r", b"\n")
        end = cut = text.rfind(b"\n") + 1
        for _ in range(_LONGEST_HEADER):
            start = text.rfind(b"\n", 0, max(cut - 1, 0)) + 1
            first = text[start:cut].lstrip(BLANKS)[:1]
            if not cut or (first and first not in marks):
                break
            cut = start
        if cut:
            yield text[:cut]
        held = text[cut : end + _LONGEST_LINE]
    if held:
        yield held


def parse(
    names: list[str],
    texts: list[bytes],
    marks: bytes,
    columns: Columns,
    report: Report,
    *,
    adds: bool = False,
    before: int = 0,
) -> Blocks:
    """Parse data files together.

    Notes
    -----
    What a number is says `benchmill.readers.rows.scan`.
    """
    rows = scan([_plain(text) for text in texts], marks, cache(columns), before, MOST_EXAMPLES)
    for rule, (count, lines) in zip(
        ("cut_line", "malformed_line", "rows_without_header", "malformed_line"), rows.refused, strict=True
    ):
        for i, (file, line, text) in enumerate(lines):
            # A binary file can have millions of such lines: those beyond the examples are counted with the last one.
            more = count - len(lines) if i == len(lines) - 1 else 0
            what = f"the line reads {shown(text.decode('utf-8', 'replace'))!r}"
            if rule == "rows_without_header":
                what += ", and no header of a run stands above it"
            report.add(rule, names[file], line, what, 1 + more)
    counted, none = rows.evaluations + (added(rows.second) if adds else 0), np.zeros(len(rows.evaluations), np.int64)
    parts = {
        **{"size": none + 1, "first": rows.evaluations, "latest": rows.evaluations, "lowest": rows.value, "highest": rows.value},
        **{"decimals": rows.decimals, "value": rows.value, "second": rows.second, "end": counted, "begin": counted},
        **{"line": rows.row_line, "fall_line": none, "fall": none, "fall_after": none},
    }
    return Blocks(**vars(rows), facts=_amounts(parts, rows.row_block, len(rows.heading)), store=None, names=names)


def _plain(text: bytes) -> bytes:
    text = text.removeprefix(b"\xef\xbb\xbf")
    return text.replace(b"\r", b"\n") if b"\r" in text[:4096] and b"\n" not in text else text


# ---- trials and traces ------------------------------------------------------------------------------------------------


def first_rises(group: Numbers, value: Numbers) -> list[int]:
    """Return the first row of each group (a trial or a block, with contiguous rows) whose value is above the one before."""
    rises = np.flatnonzero((group[1:] == group[:-1]) & (value[1:] > value[:-1])) + 1
    return list(rises[np.unique(group[rises], return_index=True)[1]].tolist())


def improvements(rows: TrialRows) -> tuple[Numbers, TrialRows]:
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


OfSource = TypeVar("OfSource", bound=Options)


class Reader(ABC, Generic[OfFormat, OfSource]):
    """Turns units, a function in a dimension with its data files each, into rows of `trials` and `traces`."""

    def __init__(self, view: View, units: list[OfFormat], options: OfSource, report: Report, nameless: str) -> None:
        self.view, self.units, self.options, self.report = view, units, options, report
        self.names = renamed((unit.algorithm for unit in units), options.algorithm, view.name)
        if "" in self.names.values():
            raise UserError(f"{view.name}: {nameless} in the source's entry (`algorithm: ...`).")
        self.sizes = {member.name: member.size for member in view.members}
        self._contents = Contents(view, report)
        self._runs = Counter[Any]()
        self._logged: dict[int, str] = {}

    @abstractmethod
    def files(self, unit: OfFormat) -> list[str]:
        """Return the data files of a unit that are there."""

    def size(self, unit: OfFormat) -> int:
        """Return how many bytes they have."""
        return sum(self.sizes[name] for name in self.files(unit))

    @abstractmethod
    def matched(self, part: list[OfFormat]) -> tuple[list[Draft[OfFormat]], Blocks]:
        """Return the trials of some units, and the blocks of their data files."""

    @abstractmethod
    def made(self, drafts: list[Draft[OfFormat]], of_block: Numbers, blocks: Any) -> Batch:
        """Return the tables of some trials, of which `of_block` says by block which one it belongs to, or -1."""

    def tables(self, most: int) -> Batches:
        """Yield the tables of all units, as many of them parsed together as make up `most` bytes."""
        part, total = list[OfFormat](), 0
        for unit in [*self.units, None]:
            more = self.size(unit) if unit else most + 1
            if part and total + more > most:
                drafts, blocks = self.matched(part)
                for which, of_block, rows in blocks.by_trial([draft.blocks for draft in drafts]):
                    yield self.made(drafts[which], of_block, rows)
                part, total = [], 0
            if unit:
                part.append(unit)
            total += more

    def missing(self, draft: Draft[OfFormat]) -> None:
        """Count a trial without rows as missing."""
        self.report.expect((self.names[draft.unit.algorithm], *draft.unit.cell, draft.run.instance))

    def rows(
        self, drafts: Sequence[Draft[OfFormat]], of_block: Numbers, blocks: Blocks
    ) -> tuple[list[Draft[OfFormat]], Numbers, TrialRows]:
        """Return the trials that have rows, the evaluations that listings state of them (-1 where they do not), and the rows."""
        stated = np.array([-1 if draft.run.evaluations is None else draft.run.evaluations for draft in drafts], np.int64)
        rows = blocks.rows(of_block, stated, self.options.counted_from, self.report, lambda trial: drafts[trial].what)
        there = np.isin(np.arange(len(drafts)), rows.trial)
        for draft in itertools.compress(drafts, ~there):
            self.missing(draft)
        return [*itertools.compress(drafts, there)], stated[there], rows._replace(trial=(np.cumsum(there) - 1)[rows.trial])

    def tell(self, rule: str, draft: Draft[OfFormat], **facts: Any) -> None:
        """Report a trial where it is listed."""
        self.report.add(rule, draft.run.file, draft.run.line, draft=draft, **facts)

    def tell_end(self, draft: Draft[OfFormat], stated: int, end: int, reached: int) -> None:
        """Report a trial whose data `end` unannounced, or have `reached` more evaluations than its listing states."""
        if stated < 0:
            self.tell("unfinished_trial", draft, end=end)
        elif stated < reached:
            self.tell("budget_from_trace", draft, stated=stated, reached=reached)

    def batch(
        self, drafts: Sequence[Draft[OfFormat]], rows: TrialRows, blocks: Blocks, sign: Numbers | None = None, **columns: Any
    ) -> Batch:
        """Return the tables of trials with the `columns` that the format has of its own, and sorted rows times their `sign`."""
        of_trial = [(*draft.unit.cell, draft.run.instance, self.names[draft.unit.algorithm]) for draft in drafts]
        keys: Written = {
            name: [key[i] for key in of_trial]
            for i, name in enumerate(("suite", "problem", "dimension", "instance", "algorithm"))
        }
        runs: list[int] = []
        for key in of_trial:
            self._runs[key] += 1
            runs.append(self._runs[key])
        source = blocks.places(np.array([draft.blocks[0] for draft in drafts], np.int64))
        trials = schema.table("trials", keys | columns | {"run": runs, "source": source, "trial": np.arange(len(drafts)), "n": 1})
        keep, rows = improvements(rows)
        rows = rows.at(keep) if sign is None else rows._replace(value=rows.value * sign[rows.trial] + 0.0).at(keep)
        points = np.split(np.column_stack([rows.evaluations, rows.value]), np.searchsorted(rows.trial, np.arange(1, len(drafts))))
        for key, where, its in zip(of_trial, source, points, strict=False):
            first = self._logged.setdefault(hash((*key, its.tobytes())), where)
            if first != where and np.count_nonzero(np.modf(its[:, 1])[0]) >= _MANY:
                self.report.add("same_rows", *file_and_line(where), rows=len(its), first=first)
        return trials, trace_rows(
            trials, rows.trial, {"evaluations": rows.evaluations, "value": rows.value, "on_target": ~rows.timed}
        )

    def blocks(
        self,
        part: list[OfFormat],
        marks: bytes,
        columns: Callable[[bytes, OfFormat, str], tuple[int, ...] | None],
        *,
        adds: bool = False,
        held: bool = False,
    ) -> tuple[list[tuple[OfFormat, str]], Blocks, dict[tuple[OfFormat, str], list[int]]]:
        """Return the data files of some units, their blocks, and which blocks are of which file.

        They are parsed in pieces if they are large (unless they must be `held`). Those with the content of an earlier one of the
        same function in the same dimension are reported.
        """
        files = [(unit, name) for unit in part for name in self.files(unit)]
        names = [name for _, name in files]
        large = not held and sum(self.sizes[name] for name in names) > 2 * BYTES_AT_ONCE
        texts = [b"" if large else in_utf_8(self.view.read(name)) for name in names]
        for (unit, name), text in zip(files, texts, strict=True):
            if not is_timed(name):
                self._contents.compare(name, None if large else text, unit.cell)

        parsed = partial(parse_large, self.view, names) if large else partial(parse, names, texts)
        blocks = parsed(marks, lambda header, file: columns(header, *files[file]), self.report, adds=adds)
        self.report.rows_read += blocks.read
        return files, blocks, grouped((files[file], block) for block, file in enumerate(blocks.file.tolist()))
