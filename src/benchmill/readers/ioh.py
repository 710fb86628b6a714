"""The logs of IOHprofiler: `.info` with quoted `.dat` (`.cdat`, `.tdat`, `.idat`), and `.json` with `.dat` (from 0.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np

from benchmill.core import Numbers, UserError, beside, natural_key, shown
from benchmill.readers import multi_objective
from benchmill.readers.archive import BYTES_AT_ONCE, SAME_CONTENT, View
from benchmill.readers.blocks import RULES as OF_BLOCKS
from benchmill.readers.blocks import Blocks, Reader, TrialRows, first_rises, is_timed, parse
from benchmill.readers.interface import Batch, Batches, Found, Report, rules
from benchmill.readers.ioh_listing import (
    INFO,
    JSON,
    SECOND_OBJECTIVE,
    Options,
    Unit,
    column_names,
    files_of,
    listings,
    number_functions,
)
from benchmill.readers.listing import Draft, Run, found, keys_at
from benchmill.readers.rows import indices
from benchmill.readers.text import in_utf_8

RULES = {**rules("ioh"), **SAME_CONTENT, **OF_BLOCKS}

#: Bytes of a data file in which the direction is looked for, where it is not stated.
_BYTES_FOR_DIRECTION = 65536

#: Bytes of a data file of several objectives.
_LARGEST_OF_SEVERAL = 2**28
#: Rows of a file of several objectives by which it shows at what it was logged.
_ROWS_THAT_TELL = 5

#: 10^-k: the unit of the last of k digits after the point.
_POWERS = 10.0 ** -np.arange(330.0)

#: IOHexperimenter does not take smaller differences for improvements.
_RESOLUTION = 1.1e-10

_COLUMNS: dict[str, list[str]] = beside.toml(__file__)


def sniff(view: View) -> Found | None:
    """Recognise the first `.info` with `funcId` and `DIM` but no `Precision`, or `.json` with a `function_id`."""
    for member in view.members:
        lower = member.name.lower()
        if lower.endswith(".info"):
            head = in_utf_8(view.head(member.name))
            if match := INFO.search(head):
                return found("ioh", keys_at(head, match).get("algId", ""))
        elif lower.endswith(".json"):
            head = in_utf_8(view.head(member.name))
            if JSON.search(head) and re.search(rb'"(scenarios|algorithm|maximization)"\s*:', head):
                named = re.search(r'"algorithm"\s*:\s*\{\s*"name"\s*:\s*"([^"]*)"', head.decode("utf-8", "replace"))
                return found("ioh", named[1] if named else "")
    return None


def _indicator(options: Options, report: Report) -> multi_objective.Indicator | None:
    name, point, path = options.indicator, options.reference_point, options.reference_set
    if name is None:
        unused = {"objectives": options.objectives, "reference_point": point, "reference_set": path}
        if stray := next((key for key, value in unused.items() if value), None):
            raise UserError(f"`{stray}` is for logs of several objectives; add `indicator`, or take it out.")
        return None
    if options.value != "raw" or options.values is not None:
        raise UserError("`value` and `values` are for logs of one objective; with `indicator`, name columns with `objectives`.")
    if name == "hypervolume" and point is None:
        raise UserError("`indicator: hypervolume` needs `reference_point`, such as `reference_point: [1.1, 1.1]`.")
    if name != "hypervolume" and path is None:
        raise UserError(f"`indicator: {name}` needs `reference_set`, the path of a table with a column for each objective.")
    if name != "hypervolume" and point is not None:
        raise UserError(f"`indicator: {name}` compares with a set alone; take `reference_point` out.")
    return multi_objective.Indicator(
        name, point, None if path is None else multi_objective.reference_sets(path, report), path or ""
    )


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all runs, in natural order of suite, function and dimension, then in order of appearance.

    A trace has the improvements; rows of `.tdat` and `.idat` have `on_target` false. Values are those of the column `value` asks
    for; where a `.json` states the best value with more digits than the data, these are used.
    """
    if view.kind == "file":
        raise UserError(f"{view.name}: a listing is read with its data files beside it; give the folder that holds it.")
    units = listings(view, options, report)
    number_functions(units, report)
    units.sort(key=lambda u: (natural_key(u.suite), natural_key(u.problem), u.dimension))
    indicator = _indicator(options, report)
    reader = _Reader(view, units, options, report, "a listing names no algorithm; name it")
    reader.indicator = indicator
    _direct(view, units, options, report)
    # its rows are short: so many bytes have as many of them as four times as many in other logs
    yield from reader.tables(BYTES_AT_ONCE // 4)


# ---- direction ------------------------------------------------------------------------------------------------------


def _direct(view: View, units: list[Unit], options: Options, report: Report) -> None:
    if options.direction:
        for unit in units:
            if unit.maximise not in (None, options.direction == "max"):
                raise UserError(
                    f"{unit.file}: it states {'maximisation' if unit.maximise else 'minimisation'}, but `direction` in the "
                    f"source's entry is {options.direction!r}; take `direction` out."
                )
            unit.maximise = options.direction == "max"
    shows = defaultdict[Any, set[bool]](set)
    silent = [unit for unit in units if unit.maximise is None]
    for unit in silent:
        shows[unit.suite, unit.problem] = shows[unit.suite, unit.problem] or _shown_direction(view, unit)
    for unit in silent:
        evidence = shows[unit.suite, unit.problem] or set().union(*(s for (suite, _), s in shows.items() if suite == unit.suite))
        if len(evidence) != 1:
            what = "show both" if evidence else "do not show it"
            raise UserError(
                f"{unit.file}: it does not state whether larger values are better, and the best values in its data {what}; "
                "add `direction: min` or `direction: max` to the source's entry."
            )
        unit.maximise = next(iter(evidence))
    if silent:
        report.add(
            "direction_from_best",
            silent[0].file,
            silent[0].line,
            f"best values {'rise' if silent[0].maximise else 'fall'}: `direction: {'max' if silent[0].maximise else 'min'}`",
            count=len(silent),
        )


def _shown_direction(view: View, unit: Unit) -> set[bool]:
    def best(header: bytes, _: int) -> tuple[int, int] | None:
        names = column_names(header.decode("utf-8", "replace"))
        return None if names is None else (next((i for i, name in enumerate(names) if name in _COLUMNS["best"]), len(names)), -1)

    for name in files_of(view, unit):
        text = view.head(name, _BYTES_FOR_DIRECTION)
        rows = parse([name], [text[: text.rfind(b"\n") + 1]], b'"ef', best, Report(RULES))
        steps = np.diff(rows.value)[rows.row_block[1:] == rows.row_block[:-1]]
        if directions := set((steps[steps != 0] > 0).tolist()):
            return directions
    return set()


# ---- data files -----------------------------------------------------------------------------------------------------


_Draft = Draft[Unit]
_Drafts = list[_Draft]


class _Reader(Reader[Unit, Options]):
    indicator: multi_objective.Indicator | None

    def __init__(self, *of_source: Any) -> None:
        super().__init__(*of_source)
        self._candidates: list[str] = _COLUMNS.get(self.options.value, [self.options.value])
        self._unknown_scale: set[str | None] = set()
        self._unlogged: set[str] = set()

    def files(self, unit: Unit) -> list[str]:
        return files_of(self.view, unit)

    def size(self, unit: Unit) -> int:
        whole = super().size(unit)
        if self.indicator is not None and whole > _LARGEST_OF_SEVERAL:
            raise UserError(
                f"{unit.data}: data files of several objectives are held as a whole, up to {_LARGEST_OF_SEVERAL >> 20} MB; this "
                f"one has {whole >> 20}: write a file for fewer runs."
            )
        return whole

    def _wanted(self, header: bytes, unit: Unit, name: str) -> tuple[int, ...] | None:
        if (names := column_names(header.decode("utf-8", "replace"))) is None:
            return None
        if self.indicator is not None:
            return self._objectives(names, name)
        asked = self.options.value
        column = next((names.index(c) for c in self._candidates if c in names), 0)
        if not column:
            raise UserError(
                f"{name}: no column has the {asked if asked in ('raw', 'transformed') else shown(asked)!r} values; it has "
                f"{', '.join(map(shown, names))}: name the column with `value` in the source's entry."
            )
        other = "best-so-far f(x)" if asked == "transformed" else "best af(x)+b"
        compare = names.index(other) if not unit.exact and other in names else -1
        return column, compare if compare != column else -1

    def _objectives(self, names: list[str], name: str) -> tuple[int, ...]:
        asked = self.options.objectives
        if missing := [one for one in asked if one not in names]:
            raise UserError(
                f"{name}: there is no column {missing[0]!r}; it has {', '.join(map(shown, names))}: correct `objectives`."
            )
        others = [i for i, n in enumerate(names) if i and SECOND_OBJECTIVE.match(n)]
        first = [i for i, n in enumerate(names) if i and re.fullmatch("(F|f|y|raw_y|transformed_y|obj|objective)[_-]?1?", n)][:1]
        places = [names.index(one) for one in asked] or [*first, *others]
        if len(places) < 2 or 0 in places:
            raise UserError(
                f"{name}: the objectives are not told by the columns {', '.join(map(shown, names))}: name them with "
                "`objectives` in the source's entry."
            )
        if constraints := [n for n in names if re.match(r"^[GH][0-9]+$", n) and n not in asked]:
            self.report.add("constraints_not_read", name, None, ", ".join(constraints))
        return tuple(places)

    def matched(self, part: list[Unit]) -> tuple[_Drafts, Blocks]:
        for unit in part:
            if not self.files(unit):
                self.report.add("file_missing", unit.file, unit.line, name=unit.data)
        files, parsed, of_file = self.blocks(part, b'"ef', self._wanted, held=self.indicator is not None)
        refused = parsed.facts["fall_line"] > 0
        for _, where, what in parsed.falls():
            self.report.add("evaluations_not_sorted", *where, what)
        if self.indicator is not None:
            few = self._few_points(parsed)
            for file in np.unique(parsed.file[few]).tolist():
                self.report.add("points_not_logged", parsed.names[file], None)
                self._unlogged.add(parsed.names[file])
            refused |= few
        of_file = {file: [block for block in its if not refused[block]] for file, its in of_file.items()}
        facts, transformed = parsed.facts, self.options.value == "transformed"
        best = np.where(
            np.array([bool(unit.maximise) for unit, _ in files], bool)[parsed.file], facts["highest"], facts["lowest"]
        )
        best[facts["size"] == 0] = np.nan
        other = np.where(np.isnan(facts["second"]), best if transformed else facts["value"], facts["second"])
        blocks = _Blocks(
            **vars(parsed),
            both=np.stack([other, facts["value"]] if transformed else [best, other]),
            states_raw=np.zeros(len(facts), bool),
        )
        drafts: _Drafts = []
        for unit in part:
            runs = [Draft(unit, run, []) for run in unit.runs]
            for name in self.files(unit):
                its = of_file.get((unit, name), [])
                if not unit.exact and not is_timed(name):
                    blocks.settle(its, unit.runs)
                self._match(unit, name, its, runs, blocks)
            for draft in runs:
                if draft.run.instance and draft.blocks:
                    drafts.append(draft)
                elif draft.run.instance:
                    self.missing(draft)
        if self.indicator is not None:
            blocks = _rated(self.indicator, blocks, drafts)
            for draft in drafts:
                # the best that a listing states is that of one objective
                draft.run = replace(draft.run, value=None, at=None)
                draft.unit = replace(draft.unit, maximise=self.indicator.maximise)
        return drafts, blocks

    def _few_points(self, blocks: Blocks) -> Numbers:
        # rows between others of their block: the last row of a run is logged whatever it is
        block, file, facts = blocks.row_block, blocks.file, blocks.facts
        inner = np.flatnonzero(block[2:] == block[:-2]) + 1
        step, of_step = blocks.value[inner] - blocks.value[inner - 1], file[block[inner]]
        both = np.intersect1d(of_step[step >= 0], of_step[step <= 0])
        gaps = facts["latest"] - facts["first"] + 1 > facts["size"]
        many = np.bincount(file, facts["size"])[file] >= _ROWS_THAT_TELL
        return np.asarray(many & np.isin(file, file[gaps]) & ~np.isin(file, both))

    def _match(self, unit: Unit, name: str, of_file: list[int], matched: _Drafts, blocks: _Blocks) -> None:
        if len(of_file) == len(unit.runs):
            for draft, block in zip(matched, of_file, strict=True):
                draft.blocks.append(block)
            return
        if is_timed(name) and any(draft.blocks for draft in matched):
            self.report.add("timed_file_not_read", name, None, blocks=len(of_file), runs=len(unit.runs))
            return
        best_stated, told_at = _stated(unit.runs)
        following = 0
        for block in of_file:
            agrees = blocks.agree(np.full(len(matched), block), best_stated, told_at, np.full(len(matched), unit.exact))
            agrees[:following] = False
            at = next(iter(np.flatnonzero(agrees & ~np.isnan(best_stated)).tolist()), None)
            if at is None:
                self.report.add("block_not_listed", *blocks.where(block), best=blocks.best(block, unit.exact), listing=unit.file)
            else:
                matched[at].blocks.append(block)
                following = at + 1

    def missing(self, draft: _Draft) -> None:
        if draft.unit.data not in self._unlogged and self.files(draft.unit):
            self.tell("block_missing", draft)
        super().missing(draft)

    def made(self, drafts: _Drafts, of_block: Numbers, blocks: _Blocks) -> Batch:
        drafts, ends, rows = self.rows(drafts, of_block, blocks)
        first = np.array([draft.blocks[0] for draft in drafts], np.int64)
        exact = np.array([draft.unit.exact for draft in drafts], bool)
        sign = np.array([-1.0 if draft.unit.maximise else 1.0 for draft in drafts])
        best_stated, told_at = _stated([draft.run for draft in drafts])
        in_data = blocks.agree(first, best_stated, told_at, exact)
        rows = rows._replace(value=rows.value * sign[rows.trial])
        in_data &= ~_beaten(rows, told_at, best_stated * sign, blocks)
        spent = np.zeros(len(drafts), np.int64)
        np.maximum.at(spent, rows.trial, rows.evaluations)
        # the best losses with all digits, where they are stated and in the data
        stated = np.where(in_data & exact & (self.options.value == "raw"), best_stated, np.nan) * sign
        rows = self._with_all_digits(rows, drafts, stated, told_at, blocks)
        rows = rows.at(np.lexsort((rows.timed, rows.value, rows.evaluations, rows.trial)))
        # In one block a row is behind those of fewer evaluations already; those of several files lie between each other.
        within = rows.at(np.argsort(rows.block, kind="stable"))
        for i in first_rises(within.block, within.value):
            # Columns of current values may get worse, and of a `.json` the last row often does.
            if self._is_best(blocks.heading[within.block[i]]):
                where = blocks.where(within.block[i], within.line[i])
                self.report.add("running_minimum", *where, draft=drafts[within.trial[i]])
        lowest = np.full(len(drafts), np.inf)
        np.minimum.at(lowest, rows.trial, rows.value)
        budget = np.maximum(spent, told_at)
        status = np.where(ends < 0, "ill_finalised", "failed").astype(object)
        for i in np.flatnonzero((ends < budget) | ~in_data).tolist():
            draft, run = drafts[i], drafts[i].run
            self.tell_end(draft, ends[i], spent[i], budget[i])
            if run.value is not None and not in_data[i]:
                best = blocks.best(first[i], exact[i])
                self.tell("final_value_disagrees", draft, best=best)
                if best * sign[i] > run.value * sign[i]:
                    status[i] = "ill_finalised"
        scales = [self._scale(draft.unit) for draft in drafts]
        status[lowest <= np.array([precision for _, precision in scales])] = "solved"
        return self.batch(
            drafts,
            rows,
            blocks,
            sign,
            value_kind=[kind for kind, _ in scales],
            maximise=sign < 0,
            seed=[draft.run.seed for draft in drafts],
            budget=np.maximum(budget, ends),
            best_value=lowest * sign + 0.0,
            status=status.tolist(),
        )

    def _with_all_digits(self, rows: TrialRows, drafts: _Drafts, stated: Numbers, told_at: Numbers, blocks: Blocks) -> TrialRows:
        """Return losses as exact as the listing states them, without those that are better than the best it states."""
        at, target = told_at[rows.trial], stated[rows.trial]
        near = np.flatnonzero(((at >= 0) & (rows.evaluations >= at)) | (rows.value < target))
        at, target, some = at[near], target[near], rows.at(near)
        width = _rounding(target, some.decimals)
        with np.errstate(invalid="ignore"):
            here = (at >= 0) & (some.evaluations >= at) & (np.abs(some.value - target) <= width)
            beyond = some.value < target - width - _RESOLUTION
        # Of the rows after the best one, only those of best values so far are it again, as printed.
        again = np.flatnonzero(here & (some.evaluations > at))
        here[again] = [self._is_best(blocks.heading[block]) for block in some.block[again].tolist()]
        beyond &= ~here
        value = rows.value.copy()
        value[near] = np.where(here | ((some.value < target) & ~beyond), target, some.value)
        for i in np.flatnonzero(beyond).tolist():
            self.report.add(
                "better_than_best",
                *blocks.where(some.block[i], some.line[i]),
                draft=drafts[some.trial[i]],
                evaluations=some.evaluations[i],
            )
        left = np.ones(len(value), bool)
        left[near] = ~beyond
        return rows._replace(value=value).at(indices(left))

    def _is_best(self, heading: bytes) -> bool:
        names = column_names(heading.rpartition(b"\n")[2].decode("utf-8", "replace")) or []
        return next((c for c in self._candidates if c in names), "") in _COLUMNS["best"]

    def _scale(self, unit: Unit) -> tuple[str, float]:
        """Return what the values of a function are, and the loss at or below which it is solved."""
        suite, options, bbob = (unit.suite or "").casefold(), self.options, False
        if self.indicator is not None:
            kind = "absolute" if self.indicator.maximise else "difference"
        else:
            # In IOHexperimenter, raw values of its suite BBOB are what is left to the optimum.
            bbob = unit.exact and suite == "bbob" and options.value == "raw"
            kind = options.values or ("difference" if bbob else "absolute")
            if not bbob and options.values is None and unit.suite not in self._unknown_scale and suite != "pbo":
                self._unknown_scale.add(unit.suite)
                self.report.add("scale_not_stated", unit.file, unit.line, suite=str(unit.suite))
        if kind == "absolute":
            return kind, -np.inf
        return kind, (1e-8 if bbob else 0.0) if options.precision is None else options.precision


def _rated(indicator: multi_objective.Indicator, blocks: _Blocks, drafts: _Drafts) -> _Blocks:
    value = blocks.value.copy()
    points = np.column_stack(blocks.values)
    for block, unit in sorted(((block, draft.unit) for draft in drafts for block in draft.blocks), key=itemgetter(0)):
        rows = slice(*np.searchsorted(blocks.row_block, [block, block + 1]).tolist())
        mine = points[rows]
        mine = mine[:, ~np.isnan(mine).all(axis=0)] if len(mine) else mine
        maximised = unit.senses or (unit.maximise is True,) * mine.shape[1]
        if len(maximised) != mine.shape[1]:
            raise UserError(
                f"{unit.file}: `maximization` lists {len(maximised)} objectives, but the data have {mine.shape[1]}; name "
                "the columns with `objectives`."
            )
        value[rows] = indicator.of(mine, np.where(maximised, -1.0, 1.0), unit.problem, unit.dimension)
    return replace(blocks, values=[value, np.full(len(value), np.nan)])


def _beaten(rows: TrialRows, told_at: Numbers, stated: Numbers, blocks: Blocks) -> Numbers:
    """Tell which trials, logged at given evaluations, beat the best that is stated, which is judged by all of them."""
    facts, at, best = blocks.facts[rows.block], told_at[rows.trial], stated[rows.trial]
    # a log of improvements has nothing behind the best but its last row
    behind = (at >= 0) & (rows.evaluations > at) & (rows.evaluations < facts["latest"])
    sampled = behind & (facts["latest"] - facts["first"] >= facts["size"])
    better = rows.value < best - _rounding(best, rows.decimals) - _RESOLUTION
    return np.isin(np.arange(len(stated)), np.intersect1d(rows.trial[sampled], rows.trial[better]))


def _stated(runs: Sequence[Run]) -> tuple[Numbers, Numbers]:
    return np.array([run.value for run in runs], float), np.array([-1 if run.at is None else run.at for run in runs], np.int64)


def _rounding(value: Any, decimals: Any) -> Any:
    exponent = 1.1e-5 * np.abs(value)
    point = 0.5001 * _POWERS[np.clip(decimals, 0, len(_POWERS) - 1)] + 1e-14 * np.abs(value)
    return np.where(decimals < 0, exponent, point)


@dataclass
class _Blocks(Blocks):
    """Blocks that can be compared with what the listing states of their runs."""

    both: Numbers
    """The best value of each block, (2, blocks): of the column that is read, and of the one whose best the listing states."""
    states_raw: Numbers

    def best(self, blocks: Numbers | int, exact: Numbers | bool) -> Numbers:
        """Return what the best values are to be compared with."""
        return np.asarray(np.where(exact | self.states_raw[blocks], *self.both[:, blocks]))

    def settle(self, of_file: list[int], runs: list[Run]) -> None:
        """Find which of both the listing states."""
        stated_values = np.array([run.value for run in runs if run.value is not None])
        if not of_file or not len(stated_values):
            return
        errors = []
        for values in self.both[:, of_file]:
            values = np.concatenate([[-np.inf], np.sort(values[~np.isnan(values)]), [np.inf]])
            at = np.searchsorted(values, stated_values)
            distance = np.minimum(np.abs(values[at] - stated_values), np.abs(stated_values - values[at - 1]))
            errors.append((distance <= _rounding(stated_values, -1)).sum())
        self.states_raw[of_file] = errors[0] > errors[1]

    def agree(self, blocks: Numbers, values: Numbers, told_at: Numbers, exact: Numbers) -> Numbers:
        """Return of pairs of a block and a run whether the best value stated of the run, if one is, is that of the block."""
        agree = np.isnan(values)
        placed = exact & ~agree & (told_at >= 0)
        digits = np.where(exact, np.maximum(self.facts["decimals"][blocks], 0), -1)
        agree |= ~placed & (np.abs(self.best(blocks, exact) - values) <= _rounding(values, digits))
        held = self if self.store is None else self.of(blocks)
        for i in np.flatnonzero(placed).tolist():
            begin, end = np.searchsorted(held.row_block, [blocks[i], blocks[i] + 1])
            # evaluations ascend within a block
            low, high = begin + np.searchsorted(held.evaluations[begin:end], [told_at[i], told_at[i] + 1])
            near = np.abs(held.value[low:high] - values[i]) <= _rounding(values[i], held.decimals[low:high])
            agree[i] |= near.any()
        return agree
