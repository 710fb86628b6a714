"""The logs of IOHprofiler: `.info` with quoted `.dat` (`.cdat`, `.tdat`, `.idat`), and `.json` with `.dat` (from 0.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np

from benchmill.core import beside
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.readers import blocks as data_files
from benchmill.readers import multi_objective
from benchmill.readers.archive import BYTES_AT_ONCE, SAME_CONTENT, View
from benchmill.readers.blocks import Blocks, Reader, TrialRows, first_rises, is_timed
from benchmill.readers.interface import Batch, Batches, Found, Report, Written, grouped, renamed, rules
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
from benchmill.text.labels import shown

RULES = {**rules("ioh"), **SAME_CONTENT, **data_files.RULES}

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
_FIRST_OBJECTIVE = re.compile(r"^(F|f|y|raw_y|transformed_y|obj|objective)[_-]?1?$")


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
    sets = None if path is None else multi_objective.reference_sets(path, report)
    return multi_objective.Indicator(name, point, sets, path or "")


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
    names = renamed(sorted({u.algorithm for u in units}), options.algorithm, view.name)
    if "" in names.values():
        raise UserError(f"{view.name}: a listing names no algorithm; name it in the source's entry (`algorithm: ...`).")
    _direct(view, units, options, report)
    reader = _Reader(view, report, names, options, indicator)

    def size(unit: Unit) -> int:
        whole = sum(reader.sizes.get(name, 0) for name in files_of(view, unit))
        if indicator is not None and whole > _LARGEST_OF_SEVERAL:
            raise UserError(
                f"{unit.data}: data files of several objectives are held as a whole, up to {_LARGEST_OF_SEVERAL >> 20} MB; this "
                f"one has {whole >> 20}: write a file for fewer runs."
            )
        return whole

    # its rows are short: so many bytes have as many of them as four times as many in other logs
    yield from reader.tables(units, size, BYTES_AT_ONCE // 4)


# ---- direction ------------------------------------------------------------------------------------------------------


def _direct(view: View, units: list[Unit], options: Options, report: Report) -> None:
    asked = options.direction
    shows: defaultdict[tuple[str | None, str], set[bool]] = defaultdict(set)
    silent = [unit for unit in units if unit.maximise is None]
    for unit in units:
        if unit.maximise is not None and asked and unit.maximise != (asked == "max"):
            raise UserError(
                f"{unit.file}: it states {'maximisation' if unit.maximise else 'minimisation'}, but `direction` in the "
                f"source's entry is {asked!r}; take `direction` out."
            )
    for unit in silent:
        if not shows[unit.suite, unit.problem]:
            shows[unit.suite, unit.problem] |= {asked == "max"} if asked else _shown_direction(view, unit)
    for unit in silent:
        evidence = shows[unit.suite, unit.problem] or set().union(*(s for (suite, _), s in shows.items() if suite == unit.suite))
        if len(evidence) != 1:
            what = "show both" if evidence else "do not show it"
            raise UserError(
                f"{unit.file}: it does not state whether larger values are better, and the best values in its data {what}; "
                "add `direction: min` or `direction: max` to the source's entry."
            )
        unit.maximise = next(iter(evidence))
    if silent and not asked:
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
        rows = data_files.parse([name], [text[: text.rfind(b"\n") + 1]], b'"ef', best, Report(RULES))
        steps = np.diff(rows.value)[rows.row_block[1:] == rows.row_block[:-1]]
        if directions := set((steps[steps != 0] > 0).tolist()):
            return directions
    return set()


# ---- data files -----------------------------------------------------------------------------------------------------


_Draft = Draft[Unit]


class _Reader(Reader[Unit, Options]):
    def __init__(
        self,
        view: View,
        report: Report,
        names: Mapping[str, str],
        options: Options,
        indicator: multi_objective.Indicator | None,
    ) -> None:
        super().__init__(view, report, names, options)
        self._indicator = indicator
        self._candidates = _COLUMNS[options.value] if options.value in ("raw", "transformed") else [options.value]
        self._unknown_scale: set[str | None] = set()
        self._unlogged: set[str] = set()

    def _wanted(self, header: bytes, unit: Unit, name: str) -> tuple[int, ...] | None:
        if (names := column_names(header.decode("utf-8", "replace"))) is None:
            return None
        if self._indicator is not None:
            return self._objectives(names, name)
        asked = self.options.value
        column = next((names.index(c) for c in self._candidates if c in names), None)
        if column is None or column == 0:
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
        first = [i for i, n in enumerate(names) if i and _FIRST_OBJECTIVE.match(n)][:1]
        places = [names.index(one) for one in asked] or [*first, *others]
        if len(places) < 2 or 0 in places:
            raise UserError(
                f"{name}: the objectives are not told by the columns {', '.join(map(shown, names))}: name them with "
                "`objectives` in the source's entry."
            )
        if constraints := [n for n in names if re.match(r"^[GH][0-9]+$", n) and n not in asked]:
            self.report.add("constraints_not_read", name, None, ", ".join(constraints))
        return tuple(places)

    def parse(self, part: list[Unit]) -> Batches:
        files: list[tuple[Unit, str]] = []
        for unit in part:
            present = files_of(self.view, unit)
            files += [(unit, name) for name in present]
            if not present:
                self.report.add("file_missing", unit.file, unit.line, f"there is no file {shown(unit.data)!r}")
        blocks = self.blocks(files, b'"ef', self._wanted, held=self._indicator is not None)
        refused = blocks.facts["fall_line"] > 0
        for _, where, what in blocks.falls():
            self.report.add("evaluations_not_sorted", *where, what)
        if self._indicator is not None:
            few = self._few_points(blocks)
            for file in np.unique(blocks.file[few]).tolist():
                what = "every row improves on the first objective, and the evaluations between are not there"
                self.report.add("points_not_logged", blocks.names[file], None, what)
                self._unlogged.add(blocks.names[file])
            refused |= few
        of_file = grouped((int(blocks.file[block]), block) for block in np.flatnonzero(~refused).tolist())
        maximise = np.array([bool(unit.maximise) for unit, _ in files], bool)[blocks.file]
        best = _Statement(blocks, maximise, self.options.value == "transformed")
        for file, (unit, name) in enumerate(files):
            if not unit.exact and not is_timed(name):
                best.settle(of_file.get(file, []), unit.runs)
        drafts: list[_Draft] = []
        for unit in part:
            matched = [Draft(unit, run, []) for run in unit.runs]
            for file, (owner, name) in enumerate(files):
                if owner is unit:
                    self._match(unit, name, of_file.get(file, []), matched, best, blocks)
            for draft in matched:
                if draft.run.instance and draft.blocks:
                    drafts.append(draft)
                elif draft.run.instance:
                    self.missing(draft)
        if self._indicator is not None:
            blocks = _rated(self._indicator, blocks, drafts)
            for draft in drafts:
                # the best that a listing states is that of one objective
                draft.run = replace(draft.run, value=None, at=None)
                draft.unit = replace(draft.unit, maximise=self._indicator.maximise)
        for which, of_block, rows in blocks.by_trial([draft.blocks for draft in drafts]):
            yield self._tables(drafts[which], of_block, rows, best)

    def _few_points(self, blocks: Blocks) -> np.ndarray:
        # planning imports this module, and has no use for pandas otherwise
        import pandas as pd

        # the last row of a run is logged whatever it is
        inner = np.append(blocks.row_block[1:] == blocks.row_block[:-1], False)[: len(blocks.row_block)]
        step, of_step = pd.Series(blocks.value).groupby(blocks.row_block).diff()[inner], blocks.file[blocks.row_block[inner]]
        both = (step >= 0).groupby(of_step).any() & (step <= 0).groupby(of_step).any()
        size, of_file = blocks.facts["size"], pd.Series(blocks.file)
        gaps = blocks.facts["latest"] - blocks.facts["first"] + 1 > size
        several = (of_file.map(pd.Series(size).groupby(of_file).sum()) >= _ROWS_THAT_TELL) & of_file.isin(blocks.file[gaps])
        return np.asarray(several & ~of_file.isin(both.index[both]))

    def _match(self, unit: Unit, name: str, of_file: list[int], matched: list[_Draft], best: _Statement, blocks: Blocks) -> None:
        if len(of_file) == len(unit.runs):
            for draft, block in zip(matched, of_file, strict=True):
                draft.blocks.append(block)
            return
        if is_timed(name) and any(draft.blocks for draft in matched):
            self.report.add("timed_file_not_read", name, None, f"{len(of_file)} blocks can be read for {len(unit.runs)} runs")
            return
        best_stated, told_at = _stated(unit.runs)
        following = 0
        for block in of_file:
            agrees = best.agree(
                np.full(len(best_stated), block), best_stated, told_at, np.full(len(best_stated), unit.exact)
            ) & ~np.isnan(best_stated)
            at = next((i for i in np.flatnonzero(agrees).tolist() if i >= following), None)
            if at is None:
                self.report.add(
                    "block_not_listed",
                    name,
                    int(blocks.line[block]),
                    f"its best value {best.best(block, unit.exact):.10g} is that of no run left in {unit.file}",
                )
            else:
                matched[at].blocks.append(block)
                following = at + 1

    def missing(self, draft: _Draft) -> None:
        unit, run = draft.unit, draft.run
        if unit.data not in self._unlogged and files_of(self.view, unit):
            self.report.add("block_missing", run.file, run.line, f"{draft.what} has no block in {unit.data!r}")
        self.report.expect((self.names[unit.algorithm], unit.suite, unit.problem, unit.dimension, run.instance))

    def _tables(self, drafts: list[_Draft], of_block: np.ndarray, blocks: Blocks, best: _Statement) -> Batch:
        drafts, ends, rows = self.rows(drafts, of_block, blocks)
        first = np.array([draft.blocks[0] for draft in drafts], np.int64)
        exact = np.array([draft.unit.exact for draft in drafts], bool)
        sign = np.array([-1.0 if draft.unit.maximise else 1.0 for draft in drafts])
        best_stated, told_at = _stated([draft.run for draft in drafts])
        in_data = best.agree(first, best_stated, told_at, exact, blocks)
        rows = rows._replace(value=rows.value * sign[rows.trial])
        in_data &= ~_beaten(rows, told_at, best_stated * sign, blocks)
        spent = np.zeros(len(drafts), np.int64)
        np.maximum.at(spent, rows.trial, rows.evaluations)
        # the best losses with all digits, where they are stated and in the data
        stated = np.where(in_data & exact & (self.options.value == "raw"), best_stated, np.nan) * sign
        rows = self._with_all_digits(rows, drafts, stated, told_at, blocks)
        rows = rows.at(np.lexsort((rows.timed, rows.value, rows.evaluations, rows.trial)))
        self._worsening(drafts, rows, blocks)
        lowest = np.full(len(drafts), np.inf)
        np.minimum.at(lowest, rows.trial, rows.value)
        columns = self._rows(drafts, ends, spent, lowest * sign, told_at, in_data, best)
        return self.made(drafts, columns, rows, blocks, sign)

    def _worsening(self, drafts: list[_Draft], rows: TrialRows, blocks: Blocks) -> None:
        # In one block a row is behind those of fewer evaluations already; those of several files lie between each other.
        rows = rows.at(np.argsort(rows.block, kind="stable"))
        for i in first_rises(rows.block, rows.value):
            # Columns of current values may get worse, and of a `.json` the last row often does.
            if self._is_best(blocks.heading[rows.block[i]]):
                self.report.add(
                    "running_minimum",
                    *blocks.where(rows.block[i], rows.line[i]),
                    f"{drafts[rows.trial[i]].what}: it is worse than one before",
                )

    def _with_all_digits(
        self, rows: TrialRows, drafts: list[_Draft], stated: np.ndarray, told_at: np.ndarray, blocks: Blocks
    ) -> TrialRows:
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
            draft = drafts[some.trial[i]]
            than = f"better than the best stated, {draft.run.value:.10g} after {draft.run.at}"
            self.report.add(
                "better_than_best",
                *blocks.where(some.block[i], some.line[i]),
                f"{draft.what}: the value after {some.evaluations[i]} evaluations is {than}",
            )
        left = np.ones(len(value), bool)
        left[near] = ~beyond
        return rows._replace(value=value).at(indices(left))

    def _is_best(self, heading: bytes) -> bool:
        names = column_names(heading.rpartition(b"\n")[2].decode("utf-8", "replace")) or []
        return next((c for c in self._candidates if c in names), "") in _COLUMNS["best"]

    def _rows(
        self,
        drafts: list[_Draft],
        ends: np.ndarray,
        spent: np.ndarray,
        values: np.ndarray,
        best_at: np.ndarray,
        agrees: np.ndarray,
        best: _Statement,
    ) -> Written:
        budget = np.maximum(spent, best_at)
        status = np.where(ends < 0, "ill_finalised", "failed").astype(object)
        for i in np.flatnonzero((ends < budget) | ~agrees).tolist():
            draft, run = drafts[i], drafts[i].run
            self.tell_end(draft, ends[i], spent[i], budget[i])
            if run.value is not None and not agrees[i]:
                in_data = best.best(draft.blocks[0], draft.unit.exact)
                what = f"{draft.what} states the best value {run.value:.10g}; the best in the data is {in_data:.10g}"
                self.report.add("final_value_disagrees", run.file, run.line, what)
                if in_data < run.value if draft.unit.maximise else in_data > run.value:
                    status[i] = "ill_finalised"
        units = [draft.unit for draft in drafts]
        scales = [self._scale(unit) for unit in units]
        maximise = [bool(unit.maximise) for unit in units]
        precisions = [precision if kind == "difference" else -np.inf for kind, precision in scales]
        status[np.where(maximise, -values, values) <= np.array(precisions)] = "solved"
        return {
            "value_kind": [kind for kind, _ in scales],
            "maximise": maximise,
            "seed": [draft.run.seed for draft in drafts],
            "budget": np.maximum(budget, ends),
            "best_value": values + 0.0,
            "status": status.tolist(),
        }

    def _scale(self, unit: Unit) -> tuple[str, float]:
        if self._indicator is not None:
            return ("absolute" if self._indicator.maximise else "difference"), self.options.precision or 0.0
        # In IOHexperimenter, raw values of its suite BBOB are what is left to the optimum.
        bbob = unit.exact and (unit.suite or "").casefold() == "bbob" and self.options.value == "raw"
        kind = self.options.values or ("difference" if bbob else "absolute")
        if (
            not bbob
            and self.options.values is None
            and unit.suite not in self._unknown_scale
            and (unit.suite or "").casefold() != "pbo"
        ):
            self._unknown_scale.add(unit.suite)
            self.report.add("scale_not_stated", unit.file, unit.line, f"the suite is {shown(str(unit.suite))!r}")
        return kind, (1e-8 if bbob else 0.0) if self.options.precision is None else float(self.options.precision)


def _rated(indicator: multi_objective.Indicator, blocks: Blocks, drafts: list[_Draft]) -> Blocks:
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


def _beaten(rows: TrialRows, told_at: np.ndarray, stated: np.ndarray, blocks: Blocks) -> np.ndarray:
    """Tell which trials, logged at given evaluations, beat the best that is stated, which is judged by all of them."""
    facts, at, best = blocks.facts[rows.block], told_at[rows.trial], stated[rows.trial]
    # a log of improvements has nothing behind the best but its last row
    behind = (at >= 0) & (rows.evaluations > at) & (rows.evaluations < facts["latest"])
    sampled = behind & (facts["latest"] - facts["first"] >= facts["size"])
    better = rows.value < best - _rounding(best, rows.decimals) - _RESOLUTION
    return np.isin(np.arange(len(stated)), np.intersect1d(rows.trial[sampled], rows.trial[better]))


def _stated(runs: Sequence[Run]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([run.value for run in runs], float), np.array([-1 if run.at is None else run.at for run in runs], np.int64)


def _rounding(value: Any, decimals: Any) -> Any:
    exponent = 1.1e-5 * np.abs(value)
    point = 0.5001 * _POWERS[np.clip(decimals, 0, len(_POWERS) - 1)] + 1e-14 * np.abs(value)
    return np.where(decimals < 0, exponent, point)


class _Statement:
    """Compares blocks with what the listing states of their runs."""

    def __init__(self, blocks: Blocks, maximise: np.ndarray, transformed: bool) -> None:
        facts = blocks.facts
        best = np.where(maximise, facts["highest"], facts["lowest"])
        best[facts["size"] == 0] = np.nan
        other = np.where(np.isnan(facts["second"]), best if transformed else facts["value"], facts["second"])
        self._blocks = blocks
        self._both = np.stack([other, facts["value"]] if transformed else [best, other])
        self._states_raw = np.zeros(len(facts), bool)

    def best(self, blocks: np.ndarray | int, exact: np.ndarray | bool) -> np.ndarray:
        return np.asarray(np.where(exact | self._states_raw[blocks], *self._both[:, blocks]))

    def settle(self, of_file: list[int], runs: list[Run]) -> None:
        stated_values = np.array([run.value for run in runs if run.value is not None])
        if not of_file or not len(stated_values):
            return
        errors = []
        for values in self._both[:, of_file]:
            values = np.concatenate([[-np.inf], np.sort(values[~np.isnan(values)]), [np.inf]])
            at = np.searchsorted(values, stated_values)
            distance = np.minimum(np.abs(values[at] - stated_values), np.abs(stated_values - values[at - 1]))
            errors.append(int((distance <= _rounding(stated_values, -1)).sum()))
        self._states_raw[of_file] = errors[0] > errors[1]

    def agree(
        self, blocks: np.ndarray, values: np.ndarray, told_at: np.ndarray, exact: np.ndarray, rows: Blocks | None = None
    ) -> np.ndarray:
        """Return of pairs of a block and a run whether the best value stated of the run, if one is, is that of the block."""
        agree = np.isnan(values)
        placed = exact & ~agree & (told_at >= 0)
        digits = np.where(exact, np.maximum(self._blocks.facts["decimals"][blocks], 0), -1)
        agree |= ~placed & (np.abs(self.best(blocks, exact) - values) <= _rounding(values, digits))
        held = rows or (self._blocks if self._blocks.store is None else self._blocks.of(blocks))
        begins, ends = np.searchsorted(held.row_block, [blocks, blocks + 1]).tolist()
        places = np.flatnonzero(placed).tolist()
        # evaluations ascend within a block
        agreeing = [
            begins[i] + np.arange(*np.searchsorted(held.evaluations[begins[i] : ends[i]], told_at[i] + [0, 1])) for i in places
        ]
        row, pair = (
            np.concatenate([np.zeros(0, np.int64), *agreeing]),
            np.repeat(places, list(map(len, agreeing))).astype(np.int64),
        )
        np.logical_or.at(agree, pair, np.abs(held.value[row] - values[pair]) <= _rounding(values[pair], held.decimals[row]))
        return np.asarray(agree)
