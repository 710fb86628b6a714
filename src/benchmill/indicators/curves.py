"""The ECDF curves of a study, with what is behind each and what was left out; two sources are in memory at a time."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Index, Mask, UserError, keys, schema, step_functions, storage
from benchmill.core.groups import check, is_attribute
from benchmill.core.storage import Kept
from benchmill.indicators.ecdf import (
    BUDGET_RULE,
    COLUMNS,
    PROBLEM,
    UNITS,
    USUAL,
    Costs,
    Pairs,
    common,
    ecdf,
    left_out,
    members,
    pairs,
    rows_of,
    scale,
    value_ecdf,
)
from benchmill.indicators.job import Given, Groups, Made, Reports, columns_of, lasts, missing
from benchmill.indicators.job import within as of_measure
from benchmill.registry.entry import described
from benchmill.registry.indicator_options import Ecdf as Options
from benchmill.registry.indicators import Indicator

__all__ = ["Options", "of_running_times", "of_values"]


def normalised_area(steps: step_functions.Steps, start: float, end: float, *, log: bool = False) -> float:
    """Return the mean height of a curve between two limits, over x or over log x, exactly: the area divided by the width."""
    if not (math.isfinite(start) and math.isfinite(end) and start < end and (start > 0 or not log)):
        raise UserError(
            f"area: the limits are {start:g} and {end:g}, expected two numbers in ascending order (above 0 on a log axis)."
        )
    if not log:
        return step_functions.area(steps, start, end) / (end - start)
    x, y = steps
    a, b = math.log10(start), math.log10(end)
    return step_functions.area((np.log10(np.maximum(x, start)), y), a, b) / (b - a)


def ecdf_curves(
    curves: pa.Table,
    costs: Costs,
    aggregation: str,
    options: Options = USUAL,
    reports: Reports = (),
) -> pa.Table:
    """Return the table `ecdf_curves`, a row per curve: the data behind it, the share it reaches, and the area under it."""
    import pandas as pd

    paired = pairs(costs)
    described, trials = _described(curves, paired, aggregation, options.groups, reports)
    start, end = limits(paired, options)
    steps = _steps(curves)
    # the median budget of the trials behind each curve, in the unit of x; null where one is unknown
    spent = schema.floats(paired.costs, "budget") / scale(paired.costs, options.x)
    budgets = pd.Series(spent[trials["row"]]).groupby(trials["curve"].to_numpy()).agg(["median", "count", "size"])
    medians = budgets["median"].where(budgets["count"] == budgets["size"])
    return schema.table(
        "ecdf_curves",
        {
            **described,
            "budget_median": schema.or_null(medians),
            "solved": np.array([y[-1] for _, y in steps]),
            "area": np.array([normalised_area(curve, start, end) for curve in steps]),
            "area_log": np.array([normalised_area(curve, start, end, log=True) for curve in steps]),
            "x_from": start,
            "x_to": end,
            "x_unit": UNITS[options.x],
            "weight": options.weight,
            "restarts": options.restarts,
        },
    )


def value_ecdf_curves(
    curves: pa.Table,
    costs: Costs,
    aggregation: str,
    options: Options = USUAL,
    reports: Reports = (),
) -> pa.Table:
    """Return one row per curve of `value_ecdf`: the data behind it and the share of pairs with any value; see `ecdf_curves`."""
    described, _ = _described(curves, costs, aggregation, options.groups, reports)
    return schema.table(
        "value_ecdf_curves", {**described, "recorded": np.array([y[-1] for _, y in _steps(curves)]), "weight": options.weight}
    )


def _steps(curves: pa.Table) -> list[step_functions.Steps]:
    x, y = (curves[name].to_numpy() for name in ("x", "fraction"))
    return [(x[start:end], y[start:end]) for start, end in pairwise(offsets_of(curves))]


def offsets_of(curves: pa.Table) -> Index:
    """Return the rows `offsets[i]` to `offsets[i + 1]` of a table `ecdf` are of curve i."""
    return np.append(0, np.flatnonzero(lasts(keys.numbers(curves, _key_names(curves)))) + 1)


def _key_names(curves: pa.Table) -> list[str]:
    return [str(name) for name in curves.column_names[1 : curves.column_names.index("algorithm") + 1]]


def limits(paired: Pairs, options: Options) -> tuple[float, float]:
    """Return where areas begin and end, in the unit of x."""
    if options.area_to is not None:
        return 1.0, options.area_to
    costs = paired.costs
    spent = pc.if_else(pc.is_finite(costs["cost"]), costs["cost"], pa.scalar(0.0)).to_numpy()
    spent = np.fmax(spent, schema.floats(costs, "budget")) / scale(costs, options.x)
    return 1.0, max(10.0, float(np.nanmax(spent, initial=0.0)))


def _described(
    curves: pa.Table,
    costs: Costs,
    aggregation: str,
    groups: Groups,
    reports: Reports,
) -> tuple[schema.Row, Any]:
    """Return the keys and counts of each curve, and a frame of the trials behind it, each with a row of the costs."""
    import pandas as pd

    paired = pairs(costs)
    level = "at_budget" if "at_budget" in curves.column_names else "target"
    own = members(paired.keys, aggregation, groups)
    curve_keys = own.keys
    names = [name for name in _key_names(curves) if name in curve_keys.column_names]
    problem, levels = keys.numbers(paired.keys, PROBLEM), keys.numbers(paired.keys, [level])
    levels_of = pd.Series(paired.keys[level].to_numpy()[own.rows]).groupby(own.curve)
    word = "budget" if level == "at_budget" else "target"
    of_pairs = {"n_problems": problem[own.rows], f"n_{word}s": levels[own.rows]}
    rows, curve, _ = rows_of(own, paired.pair)
    of_problem = problem[paired.pair]
    trial, instance = (keys.numbers(paired.costs, [name], within=of_problem)[rows] for name in ("trial", "instance"))
    trials = pd.DataFrame({"curve": curve, "trial": trial, "row": rows}).drop_duplicates(["curve", "trial"])
    described = {
        "aggregation": aggregation,
        **columns_of(curve_keys.select(names)),
        **{name: keys.count_distinct(own.curve, numbers, curve_keys.num_rows) for name, numbers in of_pairs.items()},
        "n_trials": np.bincount(trials["curve"]),
        "n_instances": keys.count_distinct(curve, instance, curve_keys.num_rows),
        f"{word}_largest": levels_of.max().to_numpy(float),
        f"{word}_smallest": levels_of.min().to_numpy(float),
        "n_missing": missing(curve_keys, [name for name in names if name != level], paired.sources(), reports, groups),
        "budget_rule": BUDGET_RULE,
    }
    return described, trials


# --- source by source -----------------------------------------------------------------------------


class Sources:
    """Costs of one measure with targets, source by source; no algorithm is in two of them.

    `keys` has the pairs (`Pairs.keys`) of one source after the other.
    """

    def __init__(
        self,
        read: Sequence[Callable[[], pa.Table]],
        options: Options,
        reports: Reports = (),
        kept: Kept | None = None,
        digests: Sequence[str] = (),
    ) -> None:
        self._reports, self._kept = reports, kept or Kept()
        self._digests = digests or [""] * len(read)
        self._pairs = lru_cache(2)(lambda number: pairs(read[number]()))

        def seen(number: int) -> list[pa.Table]:
            of = self._pairs(number)
            return [of.keys, pa.table({"to": [float(limits(of, options)[1])]})]

        about = ("seen", options.x, options.area_to)
        curves = [self._kept.tables((*about, of), partial(seen, number)) for number, of in enumerate(self._digests)]
        self.keys = schema.concatenate(of_keys for of_keys, _ in curves)
        ends = pa.concat_tables([ends for _, ends in curves])
        self.area_to = max(ends["to"].to_pylist())
        self._bounds = np.cumsum([0, *(of_keys.num_rows for of_keys, _ in curves)])

    def curves(self, aggregation: str, options: Options, seed: int = 1) -> tuple[pa.Table, pa.Table, schema.Rows]:
        """Return what `ecdf`, `ecdf_curves` and `left_out` make of the costs of all sources at once."""
        options = replace(options, area_to=self.area_to)
        curves = members(self.keys, aggregation, options.groups)
        counts = np.zeros(self.keys.num_rows, bool)
        counts[curves.rows] = True
        parts = [
            self._made(number, own, aggregation, options, seed)
            for number, own in enumerate(np.split(counts, self._bounds[1:-1]))
            if own.any()
        ]
        return *_ordered(parts, curves.keys), common(self.keys, aggregation)[1]

    def _made(self, number: int, counts: Mask, aggregation: str, options: Options, seed: int) -> tuple[pa.Table, pa.Table]:
        """Return the curves of a source, of those of its pairs that count."""
        reports = self._reports[number : number + 1]

        def make() -> tuple[pa.Table, pa.Table]:
            own = self._pairs(number).within(counts)
            of_own = replace(options, groups=_those_of(own, options.groups))
            steps = ecdf(own, aggregation, of_own, seed)
            return steps, ecdf_curves(steps, own, aggregation, of_own, reports)

        about = ("curves", self._digests[number], np.packbits(counts).tobytes(), aggregation, options, seed, reports)
        steps, described = self._kept.tables(about, make)
        return steps, described


def _those_of(own: Pairs, groups: Any) -> Any:
    """Return the groups without problems that a source does not have."""
    if not isinstance(groups, Mapping) or is_attribute(groups):
        return groups
    there = set(own.keys["problem"].to_pylist())
    return {name: [problem for problem in problems if problem in there] for name, problems in groups.items()}


def _ordered(parts: Sequence[tuple[pa.Table, pa.Table]], of_curves: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Return the curves of all sources in the order of their keys."""
    if not parts:
        return schema.TABLES["ecdf"].empty_table(), schema.TABLES["ecdf_curves"].empty_table()
    steps, described = (schema.concatenate(tables) for tables in zip(*parts, strict=True))
    (place, own), _ = keys.together([of_curves, described], of_curves.column_names)
    order = np.argsort(np.argsort(place)[own], kind="stable")
    offsets = offsets_of(steps)
    rows = np.concatenate([np.arange(offsets[curve], offsets[curve + 1]) for curve in order])
    return steps.take(pa.array(rows)), described.take(pa.array(order))


def of_running_times(given: Given) -> Made:
    """Make `ecdf` and `ecdf_curves` of running times of all sources."""
    options = given.options(Options)
    check(options.groups, given.reports, "indicators.ecdf.groups")
    paths = given.files["costs"]
    sources = Sources(
        [partial(storage.read, path, "costs", COLUMNS) for path in paths],
        options,
        given.reports,
        given.kept,
        [storage.digest(path) for path in paths],
    )
    curves, described, lost = sources.curves(given.aggregation, options, given.needed["seed"])
    return Made({"ecdf": curves, "ecdf_curves": described}, lost_in(lost))


def of_values(given: Given) -> Made:
    """Make `value_ecdf` and `value_ecdf_curves` of values reached of all sources."""
    options = given.options(Options)
    check(options.groups, given.reports, "indicators.ecdf.groups")
    paired = pairs(given.read("costs", COLUMNS))
    curves = value_ecdf(paired, given.aggregation, options)
    (measure,) = given.needed["measures"].values()
    described = value_ecdf_curves(
        curves, paired, given.aggregation, options, [of_measure(report, measure) for report in given.reports]
    )
    return Made({"value_ecdf": curves, "value_ecdf_curves": described}, lost_in(left_out(paired, given.aggregation)))


def lost_in(lost: schema.Rows) -> dict[str, object]:
    """Return what is noted beside curves of the problems that they leave out."""
    return {"left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}


ENTRIES = (
    *described(__file__, partial(Indicator, options=Options), ecdf=of_running_times),
    *described(__file__, Indicator, value_ecdf=of_values),
)
