"""The logs of COCO: `.info` with `.dat` and `.tdat`, old format, `bbob-new2`, and the indicator of bi-objective suites."""

import bisect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import multimode
from typing import Any

import numpy as np

from benchmill.core import Numbers, UserError, natural_key, shown
from benchmill.readers import rows as row_reader
from benchmill.readers.archive import BYTES_AT_ONCE, SAME_CONTENT, View
from benchmill.readers.blocks import RULES as OF_BLOCKS
from benchmill.readers.blocks import Blocks, Reader, TrialRows, first_rises, is_timed, pieces
from benchmill.readers.blocks import Options as Options
from benchmill.readers.blocks import added as evaluations_added
from benchmill.readers.interface import Batch, Batches, Found, Report, Texts, grouped, rules
from benchmill.readers.listing import DIMENSION, Draft, Listed, Listing, Read, Run, found, keys_at, tell_unlisted
from benchmill.readers.text import in_utf_8

RULES = {**rules("coco"), **SAME_CONTENT, **OF_BLOCKS}

_READ_AGAIN = 10
_READ_ANYWAY = 64 * 2**20

_OPTIMUM = re.compile(rb"[Ff]opt\s*\(([^)]*)\)|reference value\s*=\s*([^\s,]+)")
_INSTANCE = re.compile(rb"^%\s*instance\s*=\s*([0-9]{1,18})\b", re.MULTILINE)

#: Trials that `.info` files may list, beyond one for so many bytes of data files: a block and its row are longer.
_LISTED_ANYWAY = 100_000
_BYTES_A_TRIAL = 16

# Blanks before a header are those of its line: a search across lines takes for ever on a file of blank ones.
_BEGIN = rb"^(?:\xef\xbb\xbf)?[ \t\r]*(?:suite\s*=[^\r\n]*)?"
_FIRST = re.compile(_BEGIN + rb"funcId\s*=\s*\d+\s*,\s*DIM\s*=\s*\d+\s*,\s*Precision\s*=", re.MULTILINE)
_INDICATOR = re.compile(_BEGIN + rb"algorithm\s*=[^\r\n]*\bindicator\s*=", re.MULTILINE)
_DATA = re.compile(r"\.t?dat$", re.IGNORECASE)
_INTEGER = re.compile(r"^[0-9]{1,18}$")

#: Its suite, its name, and a dimension.
_Function = tuple[str | None, str, int]


@dataclass(eq=False)
class Unit(Listed):
    """A data file (its `.dat` and `.tdat`) with the trials that `.info` lists for it."""

    indicator: bool
    dat: str
    tdat: str

    @property
    def files(self) -> tuple[str, str]:
        """The names of both."""
        return self.dat, self.tdat

    @property
    def function_of(self) -> _Function:
        """The function whose instances have one optimum: with constraints and two objectives by dimension, too."""
        return self.suite, self.problem, self.dimension if self.indicator or "constrained" in str(self.suite) else 0


def sniff(view: View) -> Found | None:
    """Recognise the first `.info` file with `funcId`, `DIM` and `Precision`, or `algorithm` and `indicator`."""
    for member in view.members:
        if member.name.lower().endswith(".info"):
            head = in_utf_8(view.head(member.name))
            for pattern, key in ((_FIRST, "algId"), (_INDICATOR, "algorithm")):
                if match := pattern.search(head):
                    return found("coco", keys_at(head, match).get(key, ""))
    return None


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all trials, in natural order of suite, problem and dimension, then in order of appearance.

    Values are differences to the optimum (`value_kind` is `difference`). A trace has the first evaluation at which each new best
    value was recorded in `.dat` or `.tdat`; the first recorded row is always in it.
    """
    if view.kind == "file":
        raise UserError(f"{view.name}: an `.info` file is read with its data files beside it; give the folder that holds it.")
    units = _infos(view, options.suite, report)
    listed = {name for unit in units for name in unit.files}
    tell_unlisted(view, listed, _DATA, report)
    reader = _Reader(view, units, options, report, "`algId` is empty in an `.info` file; name the algorithm")
    again, once = sum(map(reader.size, units)), sum(reader.sizes.get(name, 0) for name in listed)
    if again > max(_READ_AGAIN * once, _READ_ANYWAY):
        raise UserError(
            f"{view.name}: its `.info` files name the same data files again and again ({again} bytes to read of {once}); "
            "each function, dimension and algorithm needs its own."
        )
    yield from reader.tables(BYTES_AT_ONCE)


# ---- the listings --------------------------------------------------------------------------------------------------


def _infos(view: View, suite_given: str | None, report: Report) -> list[Unit]:
    """Return the data files that `.info` files list, in natural order of functions and dimensions."""
    units: dict[Any, Unit] = {}
    folded = {member.name.casefold(): member.name for member in reversed(view.members)}
    data_bytes = sum(member.size for member in view.members if member.name.lower().endswith((".dat", ".tdat")))
    allowed = _LISTED_ANYWAY + data_bytes // _BYTES_A_TRIAL
    listed = 0
    read: Read = {}
    for member in view.members:
        if not member.name.lower().endswith(".info"):
            continue
        data = in_utf_8(view.read(member.name))
        info = Listing(member.name, report, "info_unreadable", "trial", "final")
        if not info.looks(
            data, (_FIRST, _INDICATOR), "no line with `funcId`, `DIM` and `Precision`, or with `indicator`"
        ) or info.again(data, read):
            continue
        listed += data.count(b",")
        if listed > allowed:
            raise UserError(
                f"{member.name}: the `.info` files list more trials than the data files can hold ({data_bytes} bytes); "
                "give the data files with them, or the `.info` files that belong to these."
            )
        for number, line, keys in info.lines(data, _lacking):
            if indicator := "indicator" in keys:
                match = re.match(r"function\s*=\s*([0-9]{1,18})\s*,\s*dim\s*=\s*([0-9]{1,18})\s*,(.*)", line)
                if not match or not 0 < int(match[2]) < 2**31:
                    info.wrong(number, f"{shown(line)[:80]!r} names no `function` and `dim`")
                    continue
                function, dimension, line = int(match[1]), int(match[2]), match[3]
                named = re.search(r"([\w-]+?)_f[0-9]+_d[0-9]+_\w+\.t?dat", line)
                suite = suite_given or keys.get("suite") or (named[1] if named else "bbob-biobj")
                algorithm, below, precision = keys.get("algorithm", ""), keys.get("folder", ""), 0.0
            else:
                function, dimension = int(keys["funcId"]), int(keys["DIM"])
                suite = suite_given or keys.get("suite") or ("bbob-noisy" if 101 <= function <= 130 else "bbob")
                algorithm, below, precision = keys.get("algId", ""), "", float(keys["Precision"])
            for path, runs in info.runs(number, line, _DATA, below):
                if info.misplaces(number, path, dimension):
                    break
                both = (_DATA.sub("", path) + suffix for suffix in (".dat", ".tdat"))
                dat, tdat = (name if name in view else folded.get(name.casefold(), name) for name in both)
                unit = Unit(suite, f"f{function}", dimension, algorithm, info.name, number, indicator, dat, tdat)
                units.setdefault((*unit.cell, dat, algorithm), unit).runs += [replace(run, precision=precision) for run in runs]
    return sorted(units.values(), key=lambda unit: (natural_key(unit.suite), natural_key(unit.problem), unit.dimension))


def _lacking(keys: Texts) -> str:
    kinds = {} if "indicator" in keys else {"funcId": _INTEGER, "DIM": DIMENSION, "Precision": row_reader.NUMBER}
    bad = next((key for key, kind in kinds.items() if not kind.fullmatch(keys.get(key, ""))), "")
    return f"no usable number is given for {bad!r}" if bad else ""


# ---- .dat and .tdat -------------------------------------------------------------------------------------------------


@dataclass
class _Blocks(Blocks):
    optimum: Numbers
    instance: list[str | None]


def _columns(header: bytes, unit: Unit, _: str) -> tuple[int, int] | None:
    if b"evaluation" not in header:
        return None
    if b"indicator value" in header:
        return 1, -1
    return 2, (1 if "constrained" in str(unit.suite) and b"g evaluations" in header else -1)


def _optimum(heading: bytes) -> float:
    match = _OPTIMUM.search(heading)
    number = row_reader.number((match[1] or match[2]).decode("utf-8", "replace")) if match else None
    return np.nan if number is None else number


# ---- trials ---------------------------------------------------------------------------------------------------------


_Draft = Draft[Unit]
_Drafts = list[_Draft]


class _Reader(Reader[Unit, Options]):
    def __init__(self, *of_source: Any) -> None:
        super().__init__(*of_source)
        #: The optima of instances by their functions: as blocks have them, and as the headers of all files of a function do.
        self._known: dict[Any, float] = {}
        self._told: dict[_Function, dict[str, float]] = {}

    def files(self, unit: Unit) -> list[str]:
        return [name for name in unit.files if name in self.view]

    def matched(self, part: list[Unit]) -> tuple[_Drafts, Blocks]:
        for unit in part:
            for name in unit.files:
                if name not in self.view:
                    self.report.add("file_missing", unit.file, unit.line, name=name)
        _, parsed, of_file = self.blocks(part, b"%", _columns, adds=True)
        blocks = _Blocks(
            **vars(parsed),
            optimum=np.array([*map(_optimum, parsed.heading)], float),
            instance=[str(int(match[1])) if match else None for match in map(_INSTANCE.search, parsed.heading)],
        )
        halves = ((unit, (of_file.get((unit, name), []) for name in unit.files)) for unit in part)
        return [draft for unit, files in halves for draft in self._matched(unit, blocks, *files)], blocks

    def _matched(self, unit: Unit, blocks: _Blocks, dat: list[int], tdat: list[int]) -> Iterator[_Draft]:
        drafts = [Draft(unit, run, []) for run in unit.runs]
        extra: _Drafts = []
        labels: dict[str, float] = {}
        if not unit.indicator and any(len(file_blocks) not in (0, len(unit.runs)) for file_blocks in (dat, tdat)):
            labels = self._own_optima(unit, tdat or dat, blocks) | self._optima(unit)
        for file_blocks in (dat, tdat):
            left: list[int] = []
            for block, target in zip(file_blocks, self._places(unit, file_blocks, blocks, labels), strict=True):
                if target is None:
                    left.append(block)
                elif (its := drafts[target].blocks) and abs(blocks.optimum[its[0]] - blocks.optimum[block]) > 0:
                    self.report.add("blocks_disagree", *blocks.where(block), draft=drafts[target], optimum=blocks.optimum[block])
                else:
                    its.append(block)
            self._unlisted(unit, left, extra, blocks, labels)
        for draft in drafts:
            if not draft.blocks:
                self.missing(draft)
                continue
            optimum = blocks.optimum[draft.blocks[0]]
            before = self._known.setdefault((*unit.function_of, draft.run.instance), optimum)
            if abs(before - optimum) > 0:
                self.report.add("instance_mismatch", *blocks.where(draft.blocks[0]), draft=draft, optimum=optimum, before=before)
            yield draft
        yield from extra

    def missing(self, draft: _Draft) -> None:
        if draft.run.listed:
            self.tell("block_missing", draft)
            super().missing(draft)

    def _places(self, unit: Unit, file_blocks: list[int], blocks: _Blocks, labels: Mapping[str, float]) -> list[int | None]:
        optima = blocks.optimum[file_blocks]
        if unit.indicator:
            by_instance = grouped((unit.runs[j].instance, j) for j in reversed(range(len(unit.runs))))
            free = (by_instance.get(blocks.instance[block] or "") for block in file_blocks)
            return [candidates.pop() if candidates else None for candidates in free]
        if len(optima) == len(unit.runs):
            return list(range(len(optima)))
        places: list[int | None] = [None] * len(optima)
        listed = grouped((labels.get(run.instance), j) for j, run in enumerate(unit.runs))
        following = 0
        for i, optimum in enumerate(optima.tolist()):
            candidates = listed.get(optimum, [])
            at = bisect.bisect_left(candidates, following)
            if at < len(candidates):
                places[i] = candidates[at]
                following = candidates[at] + 1
        return places

    def _own_optima(self, unit: Unit, file_blocks: list[int], blocks: _Blocks) -> dict[str, float]:
        last, best = blocks.facts["latest"][file_blocks], blocks.facts["lowest"][file_blocks]
        order = np.argsort(last, kind="stable")
        finished = [
            (run.instance, (run.evaluations, run.value, run.precision))
            for run in unit.runs
            if run.evaluations is not None and run.value is not None
        ]
        known: dict[Any, Numbers] = {}
        for end in {end for _, end in finished}:
            evaluations, value, precision = end
            low, high = (np.searchsorted(last, evaluations, side, order) for side in ("left", "right"))
            alike = order[low:high]
            known[end] = alike[_agree(best[alike], value, precision)]
        optima: dict[str, float] = {}
        for (instance, _), at in zip(finished, _only_order([known[end] for _, end in finished]), strict=True):
            if at is not None and not np.isnan(blocks.optimum[file_blocks[at]]):
                optima[instance] = blocks.optimum[file_blocks[at]]
        return optima

    def _optima(self, unit: Unit) -> dict[str, float]:
        if unit.function_of in self._told:
            return self._told[unit.function_of]
        told: list[tuple[str, float]] = []
        alike = [other for other in self.units if other.function_of == unit.function_of]
        for other, name in [(one, name) for one in alike for name in self.files(one)]:
            headers = [
                _optimum(header)
                for piece in pieces(self.view, name, b"%")
                for header in re.findall(rb"^%[^\n]*evaluation[^\n]*", piece, re.MULTILINE)
            ]
            if len(headers) == len(other.runs):
                told += zip((run.instance for run in other.runs), headers, strict=True)
        self._told[unit.function_of] = optima = {instance: min(multimode(each)) for instance, each in grouped(told).items()}
        return optima

    def _unlisted(self, unit: Unit, left: list[int], extra: _Drafts, blocks: _Blocks, labels: Mapping[str, float]) -> None:
        instances = grouped((optimum, instance) for instance, optimum in labels.items())
        partners = grouped((blocks.optimum[draft.blocks[0]], draft) for draft in reversed(extra))
        for block in left:
            optimum = blocks.optimum[block]
            if partners.get(optimum):
                partners[optimum].pop().blocks.append(block)
                continue
            where = blocks.where(block)
            stated = blocks.instance[block] if unit.indicator else None
            candidates = [stated] if stated is not None else instances.get(optimum, [])
            if len(candidates) == 1:
                reason = "it names" if stated is not None else f"by its optimum {optimum:.12g} it is"
                self.report.add("block_not_listed", *where, f"{reason} instance {candidates[0]}")
                precision = unit.runs[0].precision if unit.runs else 1e-8
                extra.append(Draft(unit, Run(candidates[0], precision=precision, listed=False), [block]))
            else:
                what = f"its optimum ({optimum:.12g}) is that of no instance listed for {unit.problem}"
                self.report.add(
                    "block_of_no_instance",
                    *where,
                    "its header states no optimum, by which its instance would be told" if np.isnan(optimum) else what,
                )

    def made(self, drafts: _Drafts, of_block: Numbers, blocks: _Blocks) -> Batch:
        drafts, stated, rows = self.rows(drafts, of_block, blocks)
        added = evaluations_added(rows.second)
        rows = rows._replace(evaluations=rows.evaluations + added, second=added)
        constrained = np.unique(rows.trial[added > 0])
        if len(constrained):
            first = drafts[constrained[0]]
            self.report.add("constraint_evaluations_added", *blocks.where(first.blocks[0]), draft=first, count=len(constrained))
        for block, where, what in blocks.falls():
            if of_block[block] >= 0:
                self.report.add("evaluations_not_sorted", *where, what)
        if ((rows.block[1:] == rows.block[:-1]) & (rows.evaluations[1:] < rows.evaluations[:-1])).any():
            rows = rows.at(np.lexsort((rows.evaluations, rows.block)))
        rises = first_rises(rows.block, rows.value)
        for i in rises:
            where = blocks.where(rows.block[i], rows.line[i])
            self.report.add("running_minimum", *where, draft=drafts[rows.trial[i]], here=rows.value[i], before=rows.value[i - 1])
        rose = set(rows.trial[rises].tolist())
        # the best values of the `.dat` and of the `.tdat`, and their largest evaluations
        best, latest = np.full((2, len(drafts)), np.inf), np.full((2, len(drafts)), -1)
        half = np.array([is_timed(name) for name in blocks.names], int)[blocks.file[rows.block]]
        np.minimum.at(best, (half, rows.trial), rows.value)
        np.maximum.at(latest, (half, rows.trial), rows.evaluations)
        self._halves(drafts, best, latest >= 0)
        rows = rows.at(np.lexsort((rows.timed, rows.value, rows.evaluations, rows.trial)))
        self._disagreeing(drafts, rows, latest, rose, blocks)
        last = np.flatnonzero(np.append(rows.trial[1:] != rows.trial[:-1], True)[: len(rows.trial)])
        evaluations, least = rows.evaluations[last], best.min(0)
        final, precision = (np.array([getattr(draft.run, name) for draft in drafts], float) for name in ("value", "precision"))
        ends = stated >= 0
        stated = np.where(ends, stated + rows.second[last], -1)
        disagrees = ~np.isnan(final) & ~_agree(least, final, precision)
        for i in np.flatnonzero((stated != evaluations) | disagrees).tolist():
            draft, run = drafts[i], drafts[i].run
            if not run.listed:
                continue
            self.tell_end(draft, stated[i], evaluations[i], evaluations[i])
            if stated[i] > evaluations[i]:
                self.tell("trace_ends_before_budget", draft, stated=stated[i], end=evaluations[i])
            if disagrees[i]:
                self.tell("final_value_disagrees", draft, best=least[i])
        status = np.where(ends, "failed", "ill_finalised").astype(object)
        status[(least <= precision) | (final < 0)] = "solved"
        return self.batch(
            drafts,
            rows,
            blocks,
            value_kind="difference",
            maximise=False,
            budget=np.maximum(stated, evaluations),
            best_value=least,
            optimum=[
                None if optimum != optimum else optimum for optimum in blocks.optimum[[draft.blocks[0] for draft in drafts]]
            ],
            status=status.tolist(),
        )

    def _disagreeing(self, drafts: _Drafts, rows: TrialRows, latest: Numbers, rose: set[int], blocks: _Blocks) -> None:
        disagreements: dict[int, Any] = {}
        for i in first_rises(rows.trial, rows.value):
            here, there = (f"{rows.value[at]:.10g} at {rows.evaluations[at]}" for at in (i, i - 1))
            what = f"{here} evaluations, where the other file has {there}"
            disagreements[rows.trial[i]] = blocks.where(rows.block[i], rows.line[i]), what
        dat, tdat = latest
        for trial in np.flatnonzero((dat > tdat) & (tdat >= 0)).tolist():
            what = f"{dat[trial]} evaluations, where the other file ends at {tdat[trial]}"
            disagreements.setdefault(trial, (blocks.where(drafts[trial].blocks[0]), what))
        for trial, (where, what) in sorted(disagreements.items()):
            if trial not in rose:
                self.report.add("files_disagree", *where, draft=drafts[trial], what=what)

    def _halves(self, drafts: _Drafts, best: Numbers, there: Numbers) -> None:
        for i in np.flatnonzero(there[0] ^ there[1]).tolist():
            draft = drafts[i]
            lacking = draft.unit.tdat if there[0, i] else draft.unit.dat
            if lacking in self.view:
                self.report.add("half_trial", lacking, None, draft=draft)
        # The largest target below the last value of .dat; 1e-9 is for the digits that the logger cuts off.
        with np.errstate(divide="ignore"):
            level = np.ceil(5 * np.log10(np.maximum(best[0], 0) * (1 - 1e-9))) - 1
        target = 10.0 ** (np.where(np.isfinite(level), level, -np.inf) / 5)
        single = np.array([not draft.unit.indicator for draft in drafts], bool)
        early = single & there.all(0) & (level >= -40) & (level < 60) & (best[1] < target * (1 - 1e-9)) & np.isfinite(best[0])
        for i in np.flatnonzero(early).tolist():
            self.report.add("dat_ends_early", drafts[i].unit.dat, None, draft=drafts[i], best=best[:, i])


def _only_order(fits: list[Numbers]) -> list[int | None]:
    some = [i for i, places in enumerate(fits) if len(places)]
    earliest: dict[int, int] = {}
    latest: dict[int, int] = {}
    before, after = -1, np.iinfo(np.int64).max
    for first, last in zip(some, reversed(some), strict=True):
        low = np.searchsorted(fits[first], before, "right")
        high = np.searchsorted(fits[last], after, "left") - 1
        if low == len(fits[first]) or high < 0:
            return [None] * len(fits)
        earliest[first] = before = fits[first][low]
        latest[last] = after = fits[last][high]
    return [earliest[i] if i in earliest and earliest[i] == latest[i] else None for i in range(len(fits))]


def _agree(best: Numbers, final: Any, precision: Any) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        rounded = np.isfinite(final) & (final != 0)
        tolerance = np.where(rounded, 0.0501 * 10.0 ** np.floor(np.log10(np.abs(np.where(rounded, final, 1.0)))), 0.0)
        agrees: Numbers = (best == final) | ((final == 0) & (best <= precision))
        for value in (best - precision, best):
            agrees |= np.abs(value - final) <= tolerance + 1e-9 * np.abs(value)
    return agrees
