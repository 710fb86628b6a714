"""Bootstrap of profiles: bands around the curves, intervals of areas, wins and ranks, and how often one algorithm is ahead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import scipy  # imports `scipy.special` when it is asked for

from benchmill.core import (
    Array,
    Index,
    TwoArrays,
    UserError,
    frozen,
    intervals,
    keys,
    quietly,
    reals,
    replicates,
    schema,
    seeds,
    step_functions,
)
from benchmill.profiles.distributions import cdf, cdf_integral
from benchmill.profiles.dolan_more import ratio_thresholds
from benchmill.profiles.groups import Cells, Drawn, summaries, weights_of
from benchmill.registry.variants import RESAMPLES

#: What resamples give, (replicates, ...): profiles, areas, rho(1), and where there are some, wins.
Resamples = tuple[Array, ...]
#: Numbers held at once in a chunk of resamples: few, so that they stay in the processor's cache.
_CHUNK = 200_000


@frozen
class Scheme:
    """Units that are drawn again, and how often; by default each of the (n_problems,) `clusters` is one problem."""

    drawn: str
    replicates: int
    rng: np.random.Generator
    weights: Array | None = None
    clusters: Index | None = None

    def times(self, b: int, p: int) -> Array:
        """Return how often each of p problems is drawn in each of b resamples, (b, p)."""
        if self.drawn == "runs":
            return np.ones((b, p))
        cluster = np.arange(p) if self.clusters is None else self.clusters
        n = int(cluster.max(initial=-1)) + 1
        drawn = self.rng.integers(n, size=(b, n)) + n * np.arange(b)[:, None]
        times = np.bincount(drawn.ravel(), minlength=b * n).reshape(b, n)[:, cluster].astype(float)
        # problems that weigh nothing may be all that was drawn: the data are then as they were
        return np.where((times @ weights_of(self.weights, p) > 0)[:, None], times, 1.0)


def drawn_runs(cells: Cells, b: int, rng: np.random.Generator | None) -> Cells:
    """Draw the runs of every cell again, with replacement, `b` times, or take them as they are: cells (b * n_algorithms, ...)."""
    if (cells.n > 1).any():
        raise UserError("profiles: bands by resampling runs need single runs, but a source states means; set bands: problems.")
    starts, sizes, total = cells.offsets[:-1], np.diff(cells.offsets), cells.cost.size
    rows = np.tile(np.arange(total), (b, 1))
    for n in np.unique(sizes[sizes > 0]) if rng is not None else ():
        start = starts[sizes == n]
        small = np.uint8 if n <= 2**8 else np.uint16 if n <= 2**16 else np.int64
        drawn = start[:, None] + rng.integers(n, size=(b, start.size, int(n)), dtype=small)  # type: ignore[union-attr]
        rows[:, (start[:, None] + np.arange(n)).ravel()] = drawn.reshape(b, -1)
    offsets = np.append((total * np.arange(b)[:, None] + starts).ravel(), b * total)
    cost, budget = cells.cost[rows].ravel(), cells.budget[rows].ravel()
    k, p = cells.shape
    return Cells((b * k, p), cost, budget, np.full(cost.size, np.nan), np.ones(cost.size), offsets)


def costs_of(runs: Cells, aggregate: str) -> Array:
    """Return the cost of each cell; inf for one without runs."""
    value = replicates.aggregated(aggregate, runs.cost, runs.budget, runs.offsets)
    return np.where(np.diff(runs.offsets) > 0, value, np.inf).reshape(runs.shape)


def shares(thresholds: Array, tau: Array, weights: Array) -> Array:
    """Return the weighted share of thresholds up to each tau, (b, n_algorithms, n_tau); thresholds (b, n_algorithms, n)."""
    b, k, _ = thresholds.shape
    bins = tau.size + 1
    at = np.where(np.isfinite(thresholds), np.searchsorted(tau * (1 + step_functions.TOLERANCE), thresholds), tau.size)
    flat = at + np.arange(b * k).reshape(b, k, 1) * bins
    w = np.broadcast_to(weights[:, None, :], thresholds.shape)
    counts = np.bincount(flat.ravel(), w.ravel(), b * k * bins).reshape(b, k, bins)
    return reals(np.cumsum(counts[..., :-1], axis=-1) / weights.sum(axis=1)[:, None, None])


def areas(thresholds: Array, tau_max: float, weights: Array) -> Array:
    """Return the area up to tau_max, (b, n_algorithms)."""
    return reals(np.einsum("bkp,bp->bk", np.maximum(tau_max - thresholds, 0.0), weights) / weights.sum(axis=1)[:, None])


def _chunks(scheme: Scheme, numbers: int, make: Callable[[int], Resamples]) -> Resamples:
    """Return what `make` gives of all replicates, of some at a time; one of them holds so many numbers."""
    size = max(1, _CHUNK // numbers)
    parts = [make(min(size, scheme.replicates - start)) for start in range(0, scheme.replicates, size)]
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def step_resamples(
    costs: Array,
    thresholds: Callable[[Array, Array], Array],
    tau: Array,
    tau_max: float,
    scheme: Scheme,
    *,
    cells: Cells | None = None,
    aggregate: str = "single",
    waves: int | None = None,
) -> Resamples:
    """Return profiles (replicates, k, n_tau), areas, rho(1) and wins (replicates, k) of resamples.

    `thresholds(costs (b, k, p), weights (b, p))` are (b, k, p), or of several `waves` so many times as many. The runs `cells`
    are drawn again where the scheme says so, and needed there.
    """
    k, p = costs.shape
    w = weights_of(scheme.weights, p)
    if (scheme.drawn != "problems") != (cells is not None):
        raise ValueError(f"resampling {scheme.drawn} and runs to draw do not go together")

    def make(b: int) -> Resamples:
        batch = (
            costs_of(drawn_runs(cells, b, scheme.rng), aggregate).reshape(b, k, p)
            if cells is not None
            else np.broadcast_to(costs, (b, k, p))
        )
        times = scheme.times(b, p)
        weights = w * times
        t = thresholds(batch, weights)
        all_weights = np.tile(weights, (1, t.shape[2] // p))
        best = (ratio_thresholds(batch) <= 1 + step_functions.TOLERANCE).astype(float)
        at_one = (
            np.einsum("bkp,bp->bk", best, weights) / weights.sum(axis=1)[:, None]
            if waves is None
            else shares(t, np.ones(1), all_weights)[..., 0]
        )
        return shares(t, tau, all_weights), areas(t, tau_max, all_weights), at_one, np.einsum("bkp,bp->bk", best, times)

    numbers = max(k * p * (waves or 1), k * (tau.size + 1), 0 if cells is None else cells.cost.size)
    return _chunks(scheme, numbers, make)


def probabilistic_resamples(
    cells: Cells,
    tau: Array,
    tau_max: float,
    scheme: Scheme,
    *,
    model: str = "normal",
    baseline: str = "ert",
    sd: Array | None = None,
) -> Resamples:
    """Return the same for the probabilistic profile: mean, deviation and baseline are estimated afresh in each resample.

    `sd` are (n_algorithms,) deviations that are assumed, not estimated. No wins.
    """
    k, p = cells.shape
    w = weights_of(scheme.weights, p)
    at = np.append(tau, 1.0)
    fixed = summaries(cells, baseline=baseline) if scheme.drawn == "problems" else None

    def make(b: int) -> Resamples:
        terms = fixed or summaries(drawn_runs(cells, b, scheme.rng), baseline=baseline)
        share = np.divide(terms.n_successes, terms.n_trials, out=np.zeros(terms.mean.shape), where=terms.n_trials > 0)
        deviation = np.nan_to_num(terms.sd) if sd is None else np.tile(sd, len(share) // k)[:, None]
        mean, dev, share, base_cost = (
            np.broadcast_to(np.broadcast_to(v, share.shape).reshape(-1, k, p), (b, k, p))
            for v in (terms.mean, deviation, share, terms.baseline_cost)
        )
        times = scheme.times(b, p) * w
        base = base_cost.min(axis=1)
        usable = np.isfinite(mean) & np.isfinite(base)[:, None]
        weight = np.where(usable, share, 0.0) * (times / times.sum(axis=1, keepdims=True))[:, None]
        m, s = np.where(usable, mean, 1.0), np.where(usable, dev, 0.0)
        safe = np.broadcast_to(np.where(np.isfinite(base), base, 1.0)[:, None], m.shape)
        rho = np.empty((b, k, at.size))
        for i in range(k):
            below = cdf(model, safe[:, i, :, None] * at, m[:, i, :, None], s[:, i, :, None])
            rho[:, i] = np.einsum("bp,bpt->bt", weight[:, i], below)
        return rho[..., :-1], (weight * cdf_integral(model, safe, tau_max * safe, m, s) / safe).sum(axis=2), rho[..., -1]

    return _chunks(scheme, max(cells.cost.size, k * p * 8, p * at.size), make)


def empirical_resamples(cells: Cells, tau: Array, tau_max: float, scheme: Scheme, *, baseline: str = "ert") -> Resamples:
    """Return the same under the empirical distribution of the runs."""
    k, p = cells.shape
    w = weights_of(scheme.weights, p)
    # what is never reached, or beyond the last tau, goes into one bin more
    limits = np.append(tau, np.inf) * (1 + step_functions.TOLERANCE)

    def make(b: int) -> Resamples:
        runs = drawn_runs(cells, b, None if scheme.drawn == "problems" else scheme.rng)
        base = summaries(runs, baseline=baseline).baseline_cost.reshape(b, k, p).min(axis=1)
        times = scheme.times(b, p) * w
        share = times / times.sum(axis=1, keepdims=True)
        # of each run the algorithm, in which resample, and the problem
        cell = keys.of_rows(runs.offsets)
        profile_of_cell, problem = np.divmod(cell, p)
        ratio = step_functions.ratios(runs.cost, base[profile_of_cell // k, problem])
        weight = share[profile_of_cell // k, problem] / np.diff(runs.offsets)[cell]
        place = np.where(np.isfinite(ratio), np.searchsorted(limits, ratio), tau.size)
        counts = np.bincount(profile_of_cell * limits.size + place, weight, b * k * limits.size).reshape(b, k, -1)
        height = np.maximum(tau_max - np.maximum(ratio, 1.0), 0.0)
        areas, ones = (
            reals(np.bincount(profile_of_cell, weight * x, b * k)).reshape(b, k)
            for x in (height, step_functions.reached(ratio, 1.0))
        )
        return np.cumsum(counts[..., :-1], axis=-1), areas, ones

    return _chunks(scheme, 4 * max(cells.cost.size, k * limits.size), make)


# --- bands and intervals ---------------------------------------------------------------------------


@frozen
class Size:
    """How many units a scheme draws from: clusters, or the runs of each cell.

    The variance of n units that are drawn again is too small by `inflation`, n / (n - 1).
    """

    total: float
    df: float
    inflation: float

    @classmethod
    def of(cls, scheme: Scheme, cells: Cells | None, n_problems: int) -> Size:
        """Return the size of the data that a scheme draws from."""
        if scheme.drawn == "runs" and cells is not None:
            n = np.diff(cells.offsets)
            many = n[n > 1]
            return cls(n.sum() / cells.shape[0], float((many - 1).sum()), float((many / (many - 1)).mean()) if many.size else 1.0)
        weighing = np.flatnonzero(weights_of(scheme.weights, n_problems))
        n_clusters = weighing.size if scheme.clusters is None else np.unique(scheme.clusters[weighing]).size
        return cls(n_clusters, n_clusters - 1.0, n_clusters / max(n_clusters - 1, 1))


def limits(
    drawn: Array, estimate: Array, size: Size, level: float, most: float | None = None, largest: float = np.inf
) -> TwoArrays:
    """Return the interval of each quantity, from its resamples: the wider of two at either end; NaN for fewer than two units.

    Of shares of `most` one is Wilson's. Others are at most `largest`, and reach as far as what few units lack, or have, allows.
    """
    if size.df < 1:
        return np.full(estimate.shape, np.nan), np.full(estimate.shape, np.nan)
    t = float(intervals.quantile(size.df, level))
    # expanded percentiles
    share = float(scipy.special.ndtr(-math.sqrt(size.inflation) * t))
    below, above = np.quantile(drawn, [share, 1 - share], axis=0)
    centre = drawn.mean(axis=0)
    variance = size.inflation * drawn.var(axis=0, ddof=1) + (centre - estimate) ** 2
    unbiased = 2 * estimate - centre
    if most is None:
        half = t * np.sqrt(variance)
        low, high = (
            np.maximum(np.fmin(unbiased - half, largest - _farthest(largest - unbiased, variance, largest, size.total, t)), 0.0),
            np.fmax(unbiased + half, _farthest(unbiased, variance, largest, size.total, t)),
        )
    else:
        share = np.clip(unbiased / most, 0.0, 1.0)
        low, high = (most * end for end in intervals.wilson(share, variance / most**2, size.total, size.df, level))
    return np.minimum(low, below), np.maximum(high, above)


@quietly()
def _farthest(mean: Array, variance: Array, largest: float, n: float, t: float) -> Array:
    """Return how far the mean of n amounts may reach, (x - mean)^2 n <= t^2 (s x - x^2), where few are s and others 0."""
    known = np.clip(mean, 0.0, largest)
    one = np.where(known > 0, np.minimum(n * variance / known + known, largest), largest)
    middle = n * known + t**2 * one / 2
    return reals((middle + np.sqrt(np.maximum(middle**2 - (n + t**2) * n * known**2, 0.0))) / (n + t**2))


def of_measures(
    drawn: Mapping[str, Array], estimates: Mapping[str, Array], size: Size, level: float, n_problems: int, largest: float
) -> Mapping[str, TwoArrays]:
    """Return the intervals of what is read off profiles; none for fewer than two units.

    No area is above `largest`. `drawn` are (replicates, n_algorithms) arrays `auc`, `rho_1`, and `wins` where a variant has them,
    `estimates` the same of the data, and `auc_normalised`.
    """
    if size.df < 1:
        return {}
    auc = drawn["auc"]
    top = auc.max(axis=1, keepdims=True)
    ends = {}
    for name, values in {
        "auc": auc,
        "auc_normalised": np.divide(auc, top, out=np.zeros_like(auc), where=top > 0),
        **drawn,
    }.items():
        low, high = limits(
            values,
            estimates[name],
            size,
            level,
            {"rho_1": 1.0, "wins": float(n_problems)}.get(name),
            largest if name == "auc" else np.inf,
        )
        ends[name] = low, np.minimum(high, 1.0) if name == "auc_normalised" else high
    return ends


# --- tables -------------------------------------------------------------------------------------

#: Points at which a band is computed beside the break points, and the most of all.
_GRID, _MOST = 100, 1000


def banded(fitted: Any) -> tuple[pa.Table, pa.Table]:
    """Resample the profiles of a measure as their option `bands` says.

    Returns `profiles` with `rho_low` and `rho_high`, and with more rows, since a band also changes between the break points of
    its curve; and the table `profile_intervals`.
    """
    drawn_again, level = fitted.options.bands, fitted.options.level
    rng = seeds.stream(fitted.seed, "bands", fitted.measure, fitted.name)
    rows, found_intervals, first_row = list[schema.Row](), [], 0
    for number, group in enumerate(fitted.groups):
        curves = fitted.curves[number]
        tau = _taus(curves)
        scheme = Scheme(drawn_again, RESAMPLES, rng, group.weights, keys.of_clusters(group.problems, fitted.cluster_keys))
        rho, *numbers = _resamples(fitted, number, tau, scheme)
        n_problems = group.problems.num_rows
        size = Size.of(scheme, None if drawn_again == "problems" else fitted.cells[number], n_problems)
        low, high = limits(rho, step_functions.values(curves, tau), size, level, 1.0)
        rows += _band_rows(fitted, number, tau, low, high)
        drawn = dict(zip(("auc", "rho_1", "wins"), numbers, strict=False))
        own = fitted.profile_measures.slice(first_row, len(group.algorithms))
        first_row += len(group.algorithms)
        estimates = {name: schema.floats(own, name) for name in (*drawn, "auc_normalised")}
        ends = of_measures(drawn, estimates, size, level, n_problems, float(tau[-1] - max(tau[0], 1.0)))
        found_intervals += [
            {
                **fitted.key(group),
                "algorithm": group.algorithms,
                "quantity": quantity,
                "low": lower,
                "high": upper,
                "level": level,
                "resample": drawn_again,
            }
            for quantity, (lower, upper) in ends.items()
        ]
    return schema.stacked("profiles", rows), schema.stacked("profile_intervals", found_intervals)


def _resamples(fitted: Any, number: int, tau: Array, scheme: Scheme) -> Resamples:
    """Return profiles, areas, rho(1) and, where there are some, wins of all resamples of a group."""
    group, tau_max = fitted.groups[number], float(tau[-1])
    how = fitted.resampling(number, tau_max, scheme.rng)
    if isinstance(how, Drawn):
        if how.model == "empirical":
            return empirical_resamples(how.found, tau, tau_max, scheme, baseline=how.baseline)
        return probabilistic_resamples(how.found, tau, tau_max, scheme, model=how.model, baseline=how.baseline, sd=how.sd)
    every = step_resamples(
        group.costs,
        how.thresholds,
        tau,
        tau_max,
        scheme,
        cells=None if scheme.drawn == "problems" else fitted.cells[number],
        aggregate=fitted.aggregate,
        waves=how.waves,
    )
    # rho(1) of waves is a mean over them, and there is no number of wins (`profile_measures` has none either)
    return every if how.waves is None else every[:3]


def _taus(curves: step_functions.Curves) -> Array:
    """Return where a band is computed."""
    breaks = np.unique(np.concatenate([tau for tau, _ in curves]))
    start, end = breaks[0], breaks[-1]
    between = [np.linspace(start, end, _GRID // 2)] + ([np.geomspace(start, end, _GRID // 2)] if start > 0 else [])
    if breaks.size > _MOST:
        breaks = breaks[np.round(np.linspace(0, breaks.size - 1, _MOST)).astype(int)]
    grid = np.unique(np.concatenate([breaks, *between]))
    return reals(grid[(grid >= start) & (grid <= end)])


def _band_rows(fitted: Any, number: int, tau: Array, low: Array, high: Array) -> Iterator[schema.Row]:
    """Yield the rows of each algorithm's curve and band."""
    group = fitted.groups[number]
    for i, (x, y) in enumerate(fitted.curves[number]):
        at = np.union1d(x, tau)
        yield {
            **fitted.key(group),
            "algorithm": group.algorithms[i],
            "tau": at,
            "rho": step_functions.value((x, y), at),
            # between two points of the band its wider end holds
            "rho_low": pa.array(low[i][np.searchsorted(tau, at, side="right") - 1], from_pandas=True),
            "rho_high": pa.array(high[i][np.searchsorted(tau, at, side="left")], from_pandas=True),
        }
