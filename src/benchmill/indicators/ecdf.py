"""Empirical distributions of running times and of values reached; exact step functions, without a grid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import (
    Array,
    ArrayLike,
    Generator,
    Index,
    Mask,
    TwoArrays,
    UserError,
    keys,
    natural_key,
    schema,
    seeds,
    step_functions,
)
from benchmill.core.groups import problems_of
from benchmill.core.intervals import wilson
from benchmill.core.replicates import totals
from benchmill.indicators.job import Groups, columns_of, lasts
from benchmill.registry.indicator_options import AGGREGATIONS, OF_BUDGETS
from benchmill.registry.indicator_options import Ecdf as Options
from benchmill.registry.measures import RUNNING_TIMES, VALUES

#: The same for values reached within a budget.
VALUE_AGGREGATIONS = {
    OF_BUDGETS.get(name, name): ["at_budget" if key == "target" else key for key in curve_keys]
    for name, curve_keys in AGGREGATIONS.items()
}
#: Units of running times.
UNITS = {"evaluations_per_dimension": "evaluations/dimension", "evaluations": "evaluations"}
#: How far trials are followed in curves and densities: to their own budgets. A failure is charged nothing there, and what it
#: spent with restarts.
BUDGET_RULE = "own"
#: What tells the problems of curves apart.
PROBLEM = ["suite", "problem", "dimension"]
#: What curves, and what is told of them, are made from: a job that gathers all sources reads no other columns of their costs.
COLUMNS = [*PROBLEM, "instance", "algorithm", "trial", "measure", "target", "at_budget", "cost", "budget", "larger"]


#: The options of a study that says nothing of them.
USUAL = Options()


def ecdf(
    costs: Costs,
    aggregation: str,
    options: Options = USUAL,
    seed: int = 1,
) -> pa.Table:
    """Return the share of (problem, target) pairs that each algorithm has solved after a number of evaluations."""
    paired = _one_measure(costs, aggregation)
    data = paired.costs
    unit = scale(data, options.x)
    jumps = data["cost"].to_numpy() / unit
    nothing = 1.0 / unit
    share = _shares(paired, options.weight)
    if options.restarts:
        rows, jumps, share = _restarted(data, jumps, schema.floats(data, "budget") / unit, share, options.restarts, seed)
        paired, nothing = pairs(data.take(pa.array(rows))), nothing[rows]
    return _table("ecdf", paired, jumps, share, nothing, aggregation, options)


def value_ecdf(
    costs: Costs,
    aggregation: str,
    options: Options = USUAL,
) -> pa.Table:
    """Return the share of (problem, budget) pairs in which each algorithm has reached a value or a better one.

    An algorithm without any value has one row, fraction 0 at the smallest value of all algorithms.
    """
    paired = _one_measure(costs, aggregation, "at_budget")
    jumps = paired.costs["cost"].to_numpy()
    finite = jumps[np.isfinite(jumps)]
    nothing = np.full(jumps.size, finite.min() if finite.size else 1.0)
    larger = schema.flags(paired.costs, "larger")
    return _table("value_ecdf", paired, jumps, _shares(paired, options.weight), nothing, aggregation, options, larger)


def left_out(costs: Costs, aggregation: str) -> schema.Rows:
    """Return the problems that a curve leaves out because an algorithm of the same panel has no trial on them.

    Per panel that loses problems: its keys, `n_problems` (with any trial), `n_left_out`, and `problems` left out with dimension
    and algorithms without a trial; natural order.
    """
    paired = pairs(costs)
    return common(_one_measure(paired, aggregation, "at_budget" if _is_of_values(paired.keys) else "target").keys, aggregation)[1]


class Pairs(NamedTuple):
    """Costs of one measure, and of which algorithm, problem, and target (or budget) each row is.

    Attributes
    ----------
    pair : (n_rows,) array
        The pair of each row; numbered as they first appear.
    keys : pyarrow.Table
        One row per pair.
    bounds : (n_sources + 1,) array
        Rows `bounds[i]` to `bounds[i + 1]` are of source i.
    """

    costs: pa.Table
    pair: Index
    keys: pa.Table
    bounds: Index

    def within(self, inside: Mask) -> Pairs:
        """Return the rows of chosen pairs alone; `inside` says of each pair whether it is one."""
        if inside.all():
            return self
        kept = inside[self.pair]
        # pairs that are left stay in the order of their first rows, because they lose all their rows or none
        return Pairs(
            self.costs.filter(pa.array(kept)),
            (np.cumsum(inside) - 1)[self.pair[kept]],
            self.keys.filter(pa.array(inside)),
            np.append(0, np.cumsum(kept))[self.bounds],
        )

    def sources(self) -> list[pa.Table]:
        """Return the pairs of each source."""
        return [self.keys.take(pa.array(np.unique(self.pair[start:end]))) for start, end in pairwise(self.bounds)]


Costs: TypeAlias = pa.Table | Sequence[pa.Table] | Pairs


def pairs(costs: Costs) -> Pairs:
    """Put the tables `costs` of all sources together."""
    import pandas as pd

    if isinstance(costs, Pairs):
        return costs
    tables: Sequence[pa.Table] = [costs] if isinstance(costs, pa.Table) else costs
    data = schema.concatenate(tables)
    code = keys.numbers(data, [*_part(data), "algorithm"])
    return Pairs(
        data,
        pd.factorize(code)[0],
        data.select([*PROBLEM, "algorithm", "target", "at_budget"]).filter(pa.array(~pd.Series(code).duplicated())),
        np.append(0, np.cumsum([table.num_rows for table in tables], dtype=np.int64)),
    )


class Curves(NamedTuple):
    """Rows sorted into curves: row `rows[i]` of the data belongs to curve `curve[i]`, described by row `curve[i]` of `keys`."""

    rows: Index
    curve: Index
    keys: pa.Table


def members(pair_keys: pa.Table, aggregation: str, groups: Groups = None) -> Curves:
    """Return which pairs (`Pairs.keys`) make which curve, after problems that are not common to the panel are left out."""
    names = _aggregations(pair_keys)[aggregation]
    everywhere = common(pair_keys, aggregation)[0]
    rows, chosen = np.flatnonzero(everywhere), pair_keys
    if rows.size < everywhere.size:
        chosen = chosen.filter(pa.array(everywhere))
    if "group" in names:
        problem = chosen["problem"].to_pandas()
        groups = problems_of(groups, sorted(problem.unique(), key=natural_key))
        if not groups:
            raise UserError("ecdf: the aggregation 'group' needs groups of problems; add groups.")
        inside = [np.flatnonzero(problem.isin(own)) for own in groups.values()]
        number = np.repeat(np.arange(len(inside), dtype=np.int32), [own.size for own in inside])
        words = pa.array([f"{group}" for group in groups], pa.string())
        every = np.concatenate(inside)
        rows, chosen = rows[every], chosen.take(pa.array(every))
        chosen = chosen.append_column("group", pa.DictionaryArray.from_arrays(pa.array(number), words))
    curve, curve_keys = keys.cells(chosen, [*names, "algorithm"])
    return Curves(rows, curve, curve_keys)


def rows_of(curves: Curves, pair: Index) -> Curves:
    """Return the same for the rows of the pairs; the rows of a curve are in their order."""
    order, offsets = keys.starts(pair, int(max(pair.max(initial=-1), curves.rows.max(initial=-1))) + 1)
    sizes = np.diff(offsets)[curves.rows]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    rows = order[np.repeat(offsets[curves.rows], sizes) + within]
    by_row = np.argsort(rows, kind="stable")
    return Curves(rows[by_row], np.repeat(curves.curve, sizes)[by_row], curves.keys)


def _table(
    name: str,
    paired: Pairs,
    jumps: Array,
    shares: Array,
    nothing: Array,
    aggregation: str,
    options: Options,
    larger: Mask | None = None,
) -> pa.Table:
    """Return the table of the curves, which rise at the `jumps` of the rows of costs by their shares."""
    data = paired.costs
    rows_in, curve, curves = rows_of(members(paired.keys, aggregation, options.groups), paired.pair)
    order, offsets = keys.starts(curve, curves.num_rows)
    if options.bands:
        trial, problem = (keys.numbers(data, ["algorithm", *PROBLEM, *more]) for more in (["trial"], []))
    columns = ["x", "fraction", *(["fraction_low", "fraction_high"] if options.bands else [])]
    steps = [[*np.empty((len(columns), 0))]]
    for start, end in pairwise(offsets):
        rows = rows_in[order[start:end]]
        own = [*step_functions.ecdf(jumps[rows], shares[rows])]
        if options.bands:
            own += band(jumps[rows], shares[rows], trial[rows], problem[rows], options.level)
        if not own[0].size:
            own = [nothing[rows].min(keepdims=True), np.zeros(1), *np.full((len(columns) - 2, 1), np.nan)]
        if larger is not None and larger[rows].any():
            if not larger[rows].all():
                names = [data["problem"][int(rows[np.argmax(larger[rows] == side)])].as_py() for side in (True, False)]
                raise UserError(
                    f"ecdf: larger values are better on problem {names[0]} and smaller ones on {names[1]}, so a curve over both "
                    "means nothing; set indicators.ecdf.aggregate: [trial, target]."
                )
            own[0] = -own[0]
        steps.append(own)
    return schema.table(
        name,
        {
            "aggregation": aggregation,
            **columns_of(curves, np.repeat(np.arange(curves.num_rows), [x.size for x, *_ in steps[1:]])),
            **{column: schema.or_null(np.concatenate(parts)) for column, *parts in zip(columns, *steps, strict=True)},
        },
    )


def _restarted(
    data: pa.Table,
    times: Array,
    budgets: Array,
    share: Array,
    restarts: int,
    seed: int,
) -> tuple[Index, Array, Array]:
    """Return rows, running times and shares of the simulated runs of every algorithm, problem and target."""
    cell, cells = keys.cells(data, ["algorithm", *_part(data)])
    order, offsets = keys.starts(cell, cells.num_rows)
    failed = np.isinf(times)
    succeeds = np.bincount(cell[~failed], minlength=cells.num_rows) > 0
    unknown = failed & succeeds[cell] & np.isnan(budgets)
    if unknown.any():
        row = data.slice(int(np.argmax(unknown)), 1).to_pylist()[0]
        raise UserError(
            f"ecdf: simulated restarts need the budget of every failed trial, and {row['algorithm']} states none for problem "
            f"{row['problem']}; set restarts: 0."
        )
    algorithm, names = keys.algorithms(cells)
    first_cell = np.searchsorted(algorithm, np.arange(len(names) + 1))
    parts = [(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))]
    for number, name in enumerate(names):
        own = offsets[first_cell[number] : first_cell[number + 1] + 1]
        inside = order[own[0] : own[-1]]
        stream = seeds.stream(seed, "ecdf", "restarts", name)
        trial, time = simulated(times[inside], budgets[inside], own - own[0], share[inside], restarts, stream)
        parts.append((inside[trial], time, (share[inside] / np.bincount(trial, minlength=inside.size))[trial]))
    rows, jumps, shares = (np.concatenate(column) for column in zip(*parts, strict=True))
    return rows, jumps, shares


def scale(data: pa.Table, x: str) -> Array:
    """Return what evaluations are divided by."""
    return np.ones(data.num_rows) if x == "evaluations" else dimensions(data, "ecdf", "set x: evaluations")


def dimensions(data: pa.Table, needed_by: str, advice: str) -> Array:
    """Return the dimensions of rows, where `needed_by` needs them; a `UserError` for a problem without one."""
    values = schema.floats(data, "dimension")
    if np.isnan(values).any():
        problem = data["problem"][int(np.argmax(np.isnan(values)))].as_py()
        raise UserError(f"{needed_by}: problem {problem} has no dimension to divide evaluations by; {advice}.")
    return values


def _is_of_values(table: pa.Table) -> bool:
    return bool(table.num_rows > 0 and table["at_budget"].null_count < table.num_rows)


def _part(data: pa.Table) -> list[str]:
    """Return the keys of a pair: problem and target, or problem and budget."""
    return [*PROBLEM, "at_budget" if _is_of_values(data) else "target"]


def _aggregations(data: pa.Table) -> dict[str, list[str]]:
    return VALUE_AGGREGATIONS if _is_of_values(data) else AGGREGATIONS


def _one_measure(costs: Costs, aggregation: str, level: str = "target") -> Pairs:
    """Return the costs put together, all of one measure that has targets (or budgets)."""
    allowed = AGGREGATIONS if level == "target" else VALUE_AGGREGATIONS
    if aggregation not in allowed:
        raise UserError(f"ecdf: aggregation is {aggregation!r}, expected one of {', '.join(allowed)}.")
    paired = pairs(costs)
    measures = pc.unique(paired.costs["measure"]).to_pylist()
    if len(measures) > 1:
        raise UserError(f"ecdf: the costs are of the measures {', '.join(measures)}, expected one measure.")
    if paired.costs[level].null_count:
        what, kind = ("target", RUNNING_TIMES) if level == "target" else ("budget", VALUES)
        raise UserError(f"ecdf: the costs of measure {measures[0]!r} have no {what}; this ECDF needs a measure of kind {kind}.")
    return paired


def common(data: pa.Table, aggregation: str) -> tuple[Mask, schema.Rows]:
    """Return True if each row (or pair) belongs to a problem (and target) common to its panel."""
    if "problem" in _aggregations(data)[aggregation]:
        return np.ones(data.num_rows, bool), []
    algorithm, names = keys.algorithms(data)
    # what is there of one is common
    if len(names) == 1:
        return np.ones(data.num_rows, bool), []
    panel_keys = ["suite"] if aggregation == "dimension" else ["suite", "dimension"]
    part, parts = keys.cells(data, _part(data))
    panel_of_part, panels = keys.cells(parts, panel_keys)
    has = np.zeros((parts.num_rows, len(names)), bool)
    has[part, algorithm] = True
    import pandas as pd

    without = pd.DataFrame(has).groupby(panel_of_part).transform("any").to_numpy(bool) & ~has
    problem_of_part, problems = keys.cells(parts, PROBLEM)
    row, absent = np.nonzero(without)
    cells = pd.DataFrame({"panel": panel_of_part[row], "problem": problem_of_part[row], "algorithm": absent}).drop_duplicates()
    places, report = problems.select(["problem", "dimension"]).to_pylist(), []
    for number, own in cells.sort_values(list(cells)).groupby("panel"):
        listed = [
            {**places[problem], "algorithms": [names[i] for i in absent]}
            for problem, absent in own.groupby("problem")["algorithm"]
        ]
        report.append(
            {
                **panels.slice(int(number), 1).to_pylist()[0],
                "n_problems": int(np.unique(problem_of_part[panel_of_part == number]).size),
                "n_left_out": len(listed),
                "problems": listed,
            }
        )
    return ~without.any(axis=1)[part], report


def _shares(paired: Pairs, weight: str) -> Array:
    """Return the weight of each row."""
    share = np.ones(paired.pair.size)
    if weight == "pooled":
        return share
    outer = paired.pair
    if weight == "trial":
        return share / np.bincount(outer)[outer]
    inner = keys.numbers(paired.costs, ["instance"], within=outer)
    return share / np.bincount(inner)[inner] / keys.count_distinct(outer, inner, paired.keys.num_rows)[outer]


_DRAWS_AT_ONCE = 1 << 22


@np.errstate(invalid="ignore")
def simulated(
    times: ArrayLike,
    budgets: ArrayLike,
    offsets: ArrayLike,
    shares: ArrayLike,
    draws: int,
    rng: Generator,
) -> tuple[Index, Array]:
    """Return the running times with simulated restarts: the trial that each simulated run starts with, ascending, and its time.

    A failure is followed by other trials of its cell, drawn with probability proportional to their positive `shares`, until one
    succeeds; so `draws` times, since runs that start with the same success are all alike. The expectation over the samples of a
    cell, each weighing its trial's share over the trial's number of samples, is the expected running time (ERT) where shares are
    equal.
    """
    t, b, w = (np.asarray(a, float) for a in (times, budgets, shares))
    bounds = np.asarray(offsets, np.int64)
    cell = keys.of_rows(bounds)
    failed = np.isinf(t)
    of_success, of_failure = np.where(failed, 0.0, w), np.where(failed, w, 0.0)
    p = totals(of_success, bounds) / totals(w, bounds)
    goes_on = failed & (p[cell] > 0)
    trial = np.repeat(np.arange(t.size), np.where(goes_on, draws, 1))
    time = t[trial]
    sample = np.flatnonzero(goes_on[trial])
    in_cell = cell[trial[sample]]
    further = rng.geometric(p[in_cell]) - 1 if sample.size else np.zeros(0, np.int64)
    total = b[trial[sample]] + t[_draw(of_success, bounds, in_cell, rng)]
    first = 0
    before = np.append(0, np.cumsum(further))
    while first < sample.size:
        last = max(first + 1, int(np.searchsorted(before, before[first] + _DRAWS_AT_ONCE, side="right")) - 1)
        run = np.repeat(np.arange(first, last), further[first:last])
        total[first:last] += np.bincount(run - first, b[_draw(of_failure, bounds, in_cell[run], rng)], last - first)
        first = last
    time[sample] = total
    return trial, time


def _draw(weights: Array, bounds: Index, cells: Index, rng: Generator) -> Index:
    """Return one trial of each of the given cells, drawn with probability proportional to `weights`."""
    total = np.append(0.0, np.cumsum(weights))
    last = np.zeros(bounds.size - 1, np.int64)
    positive = np.flatnonzero(weights > 0)
    np.maximum.at(last, np.searchsorted(bounds, positive, side="right") - 1, positive)
    low, high = total[bounds[cells]], total[bounds[cells + 1]]
    places = np.searchsorted(total, low + rng.random(cells.size) * (high - low), side="right") - 1
    # rounding may carry a number just below the end of the cell to the end
    return np.asarray(np.minimum(places, last[cells]), np.int64)


def band(jumps: ArrayLike, weights: ArrayLike, trial: Index, problem: Index, level: float) -> TwoArrays:
    """Return the pointwise band of a distribution function whose jumps belong to trials, and trials to problems, which stay.

    Low and high at the distinct finite jumps, ascending, as `step_functions.ecdf` has them.
    """
    r, w = np.asarray(jumps, float), np.asarray(weights, float)
    w = w / w.sum()
    _, trial = np.unique(trial, return_inverse=True)
    _, problem = np.unique(problem, return_inverse=True)
    most = np.bincount(trial, w)
    home = np.zeros(most.size, np.int64)
    home[trial] = problem
    n = np.bincount(home).astype(float)
    whole, squares = np.bincount(home, most), np.bincount(home, most**2)
    # by problem, and there from left to right
    order = np.lexsort((r, problem))
    order = order[np.isfinite(r[order])]
    r, w, trial, problem = r[order], w[order], trial[order], problem[order]
    before = _running(w, trial) - w
    total, square, product = (_running(x, problem) for x in (w, w * (2 * before + w), w * most[trial]))
    share = total / whole[problem]
    many = np.where(n > 1, n / np.maximum(n - 1, 1), 0.0)
    variance = many[problem] * (square - 2 * share * product + share**2 * squares[problem])
    # what each jump adds to the variance of all
    first = lasts(problem[::-1])[::-1]
    added = np.where(first, variance, variance - np.append(0.0, variance[:-1])[: r.size])
    along = np.argsort(r, kind="stable")
    last = np.flatnonzero(lasts(r[along]))
    if not (n > 1).any():
        nan = np.full(last.size, np.nan)
        return nan, nan
    fraction, of_all = np.cumsum(w[along])[last], np.cumsum(added[along])[last]
    return wilson(fraction, of_all, 1 / squares.sum(), (n - 1).sum(), level)


def _running(values: Array, group: Index) -> Array:
    """Return the sum of the values of the same group up to each."""
    import pandas as pd

    return np.asarray(pd.Series(values).groupby(group).cumsum(), float)
