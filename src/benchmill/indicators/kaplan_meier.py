"""Kaplan–Meier curves of running times, and restricted means: a run that was stopped says only that it took longer."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, Index, Mask, TwoArrays, UserError, chunks, keys, limits, record, schema
from benchmill.core.intervals import wilson
from benchmill.core.options import LEVEL, option
from benchmill.indicators.job import Given, Made
from benchmill.registry.entry import described
from benchmill.registry.indicators import Indicator

_COLUMNS = [*limits.INSTANCE, "algorithm", "measure", "target", "at_budget", "cost", "budget", "crashed", "n"]
#: Numbers held at once, clusters times times.
_NUMBERS_AT_ONCE = 1 << 23
#: What tells one panel from another: each target by itself.
_PANEL = ["suite", "dimension", "target"]


@record
class Options:
    """Which running times are followed, and how far."""

    measures: tuple[str, ...] = option(
        """Measures of running times (kinds `fixed_target` and `given`) for which curves and restricted means are made; by default
        none.""",
        (),
        uniqueItems=True,
        items={"type": "string"},
    )
    horizon: float | None = option(
        """End of the curves, on the scale of the costs (evaluations per dimension for costs to targets). By default the largest
        time to which every algorithm was followed on every problem.""",
        None,
        exclusiveMinimum=0,
    )
    level: float = option("Probability that Wilson's intervals, over clusters, cover.", 0.95, **LEVEL)


#: The options of a study that says nothing of them.
USUAL = Options()


class Curves(NamedTuple):
    """Curves of some cells.

    Attributes
    ----------
    time, drop : (n_cells, n_runs) arrays
        In ascending order the times of all runs, and by how much the curve falls there: 0 where a run is stopped.
    end : (n_cells,) array
        Up to where a curve is known: where its last run is stopped; for ever where that succeeds.
    """

    time: Array
    drop: Array
    end: Array


def curves(times: ArrayLike, stopped: ArrayLike, offsets: ArrayLike) -> Curves:
    """Return Kaplan and Meier's estimate of the share that is unsolved after a time, for every cell."""
    t, failed, bounds = np.asarray(times, float), np.asarray(stopped, bool), np.asarray(offsets, np.int64)
    sizes = np.diff(bounds)
    most = int(sizes.max(initial=0))
    cell = np.repeat(np.arange(sizes.size), sizes)
    # successes first among equal times
    order = np.lexsort((failed, t, cell))
    place = np.arange(t.size) - bounds[cell]
    time = np.full((sizes.size, most), np.inf)
    success = np.zeros((sizes.size, most), bool)
    time[cell, place], success[cell, place] = t[order], ~failed[order]
    under_way = np.maximum(sizes[:, None] - np.arange(most), 1)
    left = np.cumprod(np.where(success, 1 - 1 / under_way, 1.0), axis=1)
    before = np.column_stack([np.ones(sizes.size), left[:, :-1]])[:, :most]
    last = np.maximum(sizes - 1, 0)
    rows = np.arange(sizes.size)
    return Curves(time, before - left, np.where(success[rows, last], np.inf, time[rows, last]))


def restricted_means(followed: Curves, horizon: ArrayLike) -> Array:
    """Return the area under each curve up to a horizon: the mean of min(time, horizon); NaN where it is not known so far."""
    h = np.broadcast_to(np.asarray(horizon, float), followed.end.shape)
    saved = np.where(followed.time < h[:, None], followed.drop * (h[:, None] - np.minimum(followed.time, h[:, None])), 0.0)
    return np.where(followed.end >= h, h - saved.sum(axis=1), np.nan)


def kaplan_meier(
    costs: pa.Table | Sequence[pa.Table],
    options: Options = USUAL,
    *,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS,
) -> dict[str, pa.Table]:
    """Return the tables `kaplan_meier` and `restricted_means`, of problems on which all algorithms of a panel have runs."""
    table = schema.concatenate(costs).select(_COLUMNS)
    names = limits.problem_columns(problem_keys)
    panel_keys = [key for key in _PANEL if key in names or key == "target"]
    time, failed = _times(table)
    code, cells = keys.cells(table, [*panel_keys, *(key for key in names if key not in panel_keys), "algorithm"])
    order, offsets = keys.starts(code, cells.num_rows)
    followed = curves(time[order], failed[order], offsets)
    problem = keys.numbers(cells, [*panel_keys, *names])
    cluster = keys.of_clusters(cells.select(names), cluster_keys)
    algorithm, names_there = keys.algorithms(cells)
    runs = np.diff(offsets)
    measure = table["measure"][0].as_py() if table.num_rows else ""
    steps, rows = list[schema.Row](), list[schema.Row]()
    for group, mine in keys.grouped(cells, panel_keys):
        present = np.unique(algorithm[mine])
        shared = np.bincount(problem[mine], minlength=int(problem.max(initial=0)) + 1) == present.size
        kept = mine[shared[problem[mine]]]
        if not kept.size:
            continue
        horizon = _horizon(followed, kept, options, group)
        for one in present:
            own = kept[algorithm[kept] == one]
            key = {"measure": measure, **group, "algorithm": names_there[int(one)]}
            part = Curves(*(values[own] for values in followed))
            clusters = np.unique(cluster[own], return_inverse=True)[1]
            mean, low, high = _over_clusters(restricted_means(part, horizon) / horizon, clusters, options.level) * horizon
            # without a horizon a curve is seen at 0 alone
            at, surviving, below, above = _mean_curve(part, clusters, np.nan_to_num(horizon), options.level)
            until = horizon if np.isfinite(mean) else float(part.end.min())
            rows.append(
                {
                    **key,
                    "horizon": schema.known(horizon),
                    "followed": until,
                    "mean": schema.known(mean),
                    "low": schema.known(low),
                    "high": schema.known(high),
                    "unsolved": surviving[-1],
                    "n_problems": own.size,
                    "n_clusters": clusters.max() + 1,
                    "n_runs": runs[own].sum(),
                    "n_stopped": (np.isfinite(part.time) & (part.drop == 0) & (part.time < horizon)).sum(),
                    "n_left_out": np.unique(problem[mine]).size - own.size,
                    "level": options.level,
                }
            )
            inside = np.flatnonzero(at <= until)
            # the curve holds its last value to its end
            inside, at = np.append(inside, inside[-1]), np.append(at[inside], until if np.isfinite(until) else 0.0)
            steps.append(
                {
                    **key,
                    "x": at,
                    "unsolved": surviving[inside],
                    "low": schema.or_null(below[inside]),
                    "high": schema.or_null(above[inside]),
                }
            )
    return {"kaplan_meier": schema.stacked("kaplan_meier", steps), "restricted_means": schema.of_rows("restricted_means", rows)}


def _times(table: pa.Table) -> tuple[Array, Mask]:
    """Return up to when each run was followed, and whether it failed."""
    cost = table["cost"].to_numpy()
    if table["at_budget"].null_count < table.num_rows:
        raise UserError("kaplan_meier: these are values at budgets, not times; name a measure of running times.")
    if (cost < 0).any():
        raise UserError(f"kaplan_meier: found the cost {cost.min():g}, expected times, none below 0.")
    if (table["n"].to_numpy() > 1).any():
        raise UserError("kaplan_meier: a row stands for several runs, and their times are not known; give the runs themselves.")
    # what failed by itself was stopped by nothing, and takes for ever
    budget = limits.stopped_at(table)
    failed = np.isinf(cost)
    return np.where(failed, np.where(np.isnan(budget), np.inf, budget), cost), failed


def _horizon(followed: Curves, kept: Index, options: Options, group: schema.Facts) -> float:
    """Return up to where the curves of a panel are compared; NaN where no run is known to end after 0."""
    if options.horizon is not None:
        per_dimension = group.get("target") is not None and group.get("dimension") is not None
        return options.horizon * (group["dimension"] if per_dimension else 1)
    end, time = float(followed.end[kept].min()), followed.time[kept]
    return (end if np.isfinite(end) else float(time[np.isfinite(time)].max(initial=0.0))) or np.nan


def _mean_curve(followed: Curves, clusters: Index, horizon: float, level: float) -> tuple[Array, Array, Array, Array]:
    """Return the break points of the mean of some curves, with the mean and the ends of its interval from each on."""
    used = (followed.drop > 0) & (followed.time <= horizon)
    at, place = np.unique(np.append(0.0, followed.time[used]), return_inverse=True)
    place, drop, cluster = place[1:], followed.drop[used], clusters[np.nonzero(used)[0]]
    size, n = np.bincount(clusters)[:, None], len(followed.end)
    mean = np.clip(1 - np.cumsum(np.bincount(place, drop, at.size)) / n, 0.0, 1.0)
    # what rounding leaves of nothing is smaller than the share of any one run
    mean[mean < 1e-12] = 0.0
    spread = np.zeros(at.size)
    for some in chunks(len(size), _NUMBERS_AT_ONCE // at.size):
        own, mine = size[some], (cluster >= some.start) & (cluster < some.stop)
        fallen = np.zeros((len(own), at.size))
        np.add.at(fallen, (cluster[mine] - some.start, place[mine]), drop[mine])
        # what is left in each cluster, less its part of the mean
        spread += ((own * (1 - mean) - fallen.cumsum(axis=1)) ** 2).sum(axis=0)
    return at, mean, *_interval(mean, spread, n, len(size), level)


def _over_clusters(share: Array, clusters: Index, level: float) -> Array:
    """Return the mean of shares in [0, 1], one a problem, and the ends of its interval."""
    mean = share.mean(keepdims=True)
    apart = np.bincount(clusters, share - mean)
    return np.concatenate([mean, *_interval(mean, (apart**2).sum(keepdims=True), share.size, apart.size, level)])


def _interval(mean: Array, spread: Array, n: float, groups: int, level: float) -> TwoArrays:
    """Return Wilson's interval of the mean of n shares whose deviations, summed within clusters, have this sum of squares."""
    nan = np.full(mean.size, np.nan)
    if groups < 2:
        return nan, nan
    return wilson(mean, groups / (groups - 1) * spread / n**2, groups, groups - 1, level)


def job(given: Given) -> Made:
    """Make `kaplan_meier` and `restricted_means` of costs of one measure of all sources."""
    return Made(kaplan_meier(given.read("costs", _COLUMNS), given.options(Options), **given.needed))


ENTRIES = described(__file__, partial(Indicator, options=Options), kaplan_meier=job)
