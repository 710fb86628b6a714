"""Bootstrap of profiles: bands around the curves, intervals of areas, wins and ranks, and how often one algorithm is ahead."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # imports `scipy.special` when it is asked for

from benchmill.core import intervals, step_functions
from benchmill.core.arrays import Array, Index
from benchmill.core.errors import UserError
from benchmill.profiles.distributions import cdf, cdf_integral
from benchmill.profiles.dolan_more import ratio_thresholds
from benchmill.profiles.groups import Cells, summaries, weights_of

#: Numbers held at once in a chunk of resamples: few, so that they stay in the processor's cache.
_CHUNK = 200_000


@dataclass(frozen=True)
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
        of = np.arange(p) if self.clusters is None else self.clusters
        n = int(of.max(initial=-1)) + 1
        drawn = self.rng.integers(n, size=(b, n)) + n * np.arange(b)[:, None]
        return np.bincount(drawn.ravel(), minlength=b * n).reshape(b, n)[:, of].astype(float)


@dataclass(frozen=True)
class Runs:
    """Drawn runs (b, m, n) of the m `cells` that have n runs each, `algorithm * n_problems + problem`."""

    cells: Index
    cost: Array
    budget: Array


def drawn_runs(found: Cells, b: int, rng: np.random.Generator | None) -> list[Runs]:
    """Draw the runs of every cell again, with replacement, `b` times; without `rng` the runs themselves, once."""
    if (found.n > 1).any():
        raise UserError("profiles: bands by resampling runs need single runs, but a source states means; set resample: problems.")
    sizes = np.diff(found.offsets)
    result = []
    for n in np.unique(sizes[sizes > 0]):
        members = np.flatnonzero(sizes == n)
        start = found.offsets[members]
        small = np.uint8 if n <= 2**8 else np.uint16 if n <= 2**16 else np.int64
        size = (b, members.size, int(n))
        drawn = rng.integers(n, size=size, dtype=small) if rng is not None else np.broadcast_to(np.arange(n), size)
        rows = start[:, None] + drawn
        result.append(Runs(members, found.cost[rows], found.budget[rows]))
    return result


def costs_of(runs: Sequence[Runs], shape: tuple[int, int], aggregate: str) -> Array:
    """Return the cost of each cell over its drawn runs, (b, n_algorithms, n_problems); inf for a cell without runs."""
    b = runs[0].cost.shape[0] if runs else 1
    result = np.full((b, shape[0] * shape[1]), np.inf)
    for part in runs:
        c = part.cost
        if aggregate in ("ert", "success_performance"):
            success = np.isfinite(c)
            n_successes = success.sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            if aggregate == "ert":
                value = np.where(success, c, part.budget).sum(axis=-1) / n_successes
                value = np.where(n_successes > 0, value, np.inf)
            elif aggregate == "success_performance":
                value = np.where(success, c, 0.0).sum(axis=-1) / n_successes**2 * c.shape[-1]
                value = np.where(n_successes > 0, value, np.inf)
            elif aggregate == "median":
                value = np.median(c, axis=-1)
            else:
                value = c.sum(axis=-1) / c.shape[-1]
        result[:, part.cells] = value
    return result.reshape(b, *shape)


def shares(thresholds: Array, tau: Array, weights: Array) -> Array:
    """Return the weighted share of thresholds up to each tau, (b, n_algorithms, n_tau); thresholds (b, n_algorithms, n)."""
    b, k, _ = thresholds.shape
    bins = tau.size + 1
    at = np.where(np.isfinite(thresholds), np.searchsorted(tau * (1 + step_functions.TOLERANCE), thresholds), tau.size)
    flat = at + np.arange(b * k).reshape(b, k, 1) * bins
    w = np.broadcast_to(weights[:, None, :], thresholds.shape)
    counts = np.bincount(flat.ravel(), w.ravel(), b * k * bins).reshape(b, k, bins)
    total = weights.sum(axis=1)[:, None, None]
    return np.asarray(np.cumsum(counts[..., :-1], axis=-1) / total, float)


def areas(thresholds: Array, tau_max: float, weights: Array) -> Array:
    """Return the area up to tau_max, (b, n_algorithms)."""
    height = np.maximum(tau_max - thresholds, 0.0)
    return np.asarray(np.einsum("bkp,bp->bk", height, weights) / weights.sum(axis=1)[:, None], float)


#: `evaluate(batch of costs, how often each problem was drawn (b, p), weights (p,), tau)
#: -> rho (b, k, n_tau), auc (b, k), rho_1 (b, k), wins (b, k)`
Evaluate = Callable[[Array, Array, Array, Array], tuple[Array, Array, Array, Array]]


def step_evaluation(thresholds: Callable[[Array, Array], Array], tau_max: float, *, of_waves: bool = False) -> Evaluate:
    """Return the evaluation of a variant whose profile counts thresholds; `thresholds(costs, weights)`."""

    def evaluate(costs: Array, times: Array, weights: Array, tau: Array) -> tuple[Array, Array, Array, Array]:
        weights = weights * times
        t = thresholds(costs, weights)
        w = np.tile(weights, (1, t.shape[2] // weights.shape[1]))
        best = (ratio_thresholds(costs) <= 1 + step_functions.TOLERANCE).astype(float)
        rho_1 = np.einsum("bkp,bp->bk", best, weights) / weights.sum(axis=1)[:, None]
        if of_waves:
            rho_1 = shares(t, np.ones(1), w)[..., 0]
        return (
            shares(t, tau, w),
            areas(t, tau_max, w),
            rho_1,
            np.einsum("bkp,bp->bk", best, times),
        )

    return evaluate


def _chunks(scheme: Scheme, numbers: int, make: Callable[[int], tuple[Array, ...]]) -> list[Array]:
    """Return what `make` gives of all replicates, of some at a time; one of them holds so many numbers."""
    size = max(1, _CHUNK // numbers)
    parts = [make(min(size, scheme.replicates - start)) for start in range(0, scheme.replicates, size)]
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def step_resamples(
    costs: Array,
    evaluate: Evaluate,
    tau: Array,
    scheme: Scheme,
    *,
    found: Cells | None = None,
    aggregate: str = "single",
    cost_factor: int = 1,
) -> tuple[Array, Array, Array, Array]:
    """Return the profiles of resamples; `evaluate` holds `cost_factor` times the numbers of a batch of costs."""
    k, p = costs.shape
    w = weights_of(scheme.weights, p)
    of_runs = scheme.drawn != "problems"
    if of_runs and found is None:
        raise ValueError("resampling runs needs the runs")

    def make(b: int) -> tuple[Array, ...]:
        if found is None or not of_runs:
            batch = np.broadcast_to(costs, (b, k, p))
        else:
            batch = costs_of(drawn_runs(found, b, scheme.rng), (k, p), aggregate)
        return evaluate(batch, scheme.times(b, p), w, tau)

    numbers = max(k * p * cost_factor, k * (tau.size + 1), found.cost.size if found is not None and of_runs else 0)
    rho, auc, rho_1, wins = _chunks(scheme, numbers, make)
    return rho, auc, rho_1, wins


def probabilistic_resamples(
    found: Cells,
    tau: Array,
    tau_max: float,
    scheme: Scheme,
    *,
    model: str = "normal",
    baseline: str = "ert",
    sd: Array | None = None,
) -> tuple[Array, Array, Array]:
    """As `step_resamples`, for the probabilistic profile: mean, deviation and baseline are estimated afresh in each resample.

    `sd` are (n_algorithms,) deviations that are assumed, not estimated.
    """
    k, p = found.shape
    w = weights_of(scheme.weights, p)
    at = np.append(tau, 1.0)
    fixed: tuple[Array, ...] = ()
    if scheme.drawn == "problems":
        terms = summaries(found, baseline=baseline)
        share = np.divide(terms.n_successes, terms.n_trials, out=np.zeros(found.shape), where=terms.n_trials > 0)
        fixed = tuple(v[None] for v in (terms.mean, np.nan_to_num(terms.sd), share, terms.baseline_cost))

    def make(b: int) -> tuple[Array, ...]:
        mean, dev, share, base_cost = fixed or _moments(drawn_runs(found, b, scheme.rng), (k, p), baseline)
        if sd is not None:
            dev = np.broadcast_to(sd[None, :, None], mean.shape)
        times = scheme.times(b, p) * w
        mean, dev, share, base_cost = (np.broadcast_to(v, (b, k, p)) for v in (mean, dev, share, base_cost))
        base = base_cost.min(axis=1)
        usable = np.isfinite(mean) & np.isfinite(base)[:, None]
        weight = np.where(usable, share, 0.0) * (times / times.sum(axis=1, keepdims=True))[:, None]
        m, s = np.where(usable, mean, 1.0), np.where(usable, dev, 0.0)
        safe = np.broadcast_to(np.where(np.isfinite(base), base, 1.0)[:, None], m.shape)
        rho = np.empty((b, k, at.size))
        for i in range(k):
            below = cdf(model, safe[:, i, :, None] * at, m[:, i, :, None], s[:, i, :, None])
            rho[:, i] = np.einsum("bp,bpt->bt", weight[:, i], below)
        auc = (weight * cdf_integral(model, safe, tau_max * safe, m, s) / safe).sum(axis=2)
        return rho[..., :-1], auc, rho[..., -1]

    rho, auc, rho_1 = _chunks(scheme, max(found.cost.size, k * p * 8, p * at.size), make)
    return rho, auc, rho_1


def empirical_resamples(
    found: Cells, tau: Array, tau_max: float, scheme: Scheme, *, baseline: str = "ert"
) -> tuple[Array, Array, Array]:
    """As `probabilistic_resamples`, under the empirical distribution of the runs."""
    k, p = found.shape
    w = weights_of(scheme.weights, p)
    # what is never reached, or beyond the last tau, goes into one bin more
    limits = np.append(tau, np.inf) * (1 + step_functions.TOLERANCE)
    bins, again = limits.size, scheme.drawn != "problems"

    def make(b: int) -> tuple[Array, ...]:
        runs = drawn_runs(found, b if again else 1, scheme.rng if again else None)
        base = _moments(runs, (k, p), baseline)[-1].min(axis=1)
        times = scheme.times(b, p) * w
        share = times / times.sum(axis=1, keepdims=True)
        counts, auc, at_one = np.zeros(b * k * bins), np.zeros((b, k)), np.zeros((b, k))
        for part in runs:
            algorithm, problem = np.divmod(part.cells, p)
            ratio = step_functions.ratios(part.cost, base[:, problem, None])
            weight = np.broadcast_to(share[:, problem, None] / part.cost.shape[-1], (b, *part.cost.shape[1:]))
            ratio = np.broadcast_to(ratio, weight.shape)
            place = np.where(np.isfinite(ratio), np.searchsorted(limits, ratio, side="left"), bins - 1)
            of = np.arange(b)[:, None, None] * k + algorithm[None, :, None]
            counts += np.bincount((of * bins + place).ravel(), weight.ravel(), b * k * bins)
            flat = np.broadcast_to(of, weight.shape).ravel()
            height = np.maximum(tau_max - np.maximum(ratio, 1.0), 0.0)
            auc += np.bincount(flat, (weight * height).ravel(), b * k).reshape(b, k)
            at_one += np.bincount(flat, (weight * step_functions.reached(ratio, 1.0)).ravel(), b * k).reshape(b, k)
        return np.cumsum(counts.reshape(b, k, bins)[..., :-1], axis=-1), auc, at_one

    rho, auc, rho_1 = _chunks(scheme, 4 * max(found.cost.size, k * bins), make)
    return rho, auc, rho_1


def _moments(runs: Sequence[Runs], shape: tuple[int, int], baseline: str) -> tuple[Array, ...]:
    """Return the mean and deviation of the successes, their share, cost behind the baseline."""
    b = runs[0].cost.shape[0] if runs else 1
    mean, sd, share, ert = (np.full((b, shape[0] * shape[1]), fill) for fill in (np.inf, 0.0, 0.0, np.inf))
    for part in runs:
        success = np.isfinite(part.cost)
        n = success.sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            average = np.where(success, part.cost, 0.0).sum(axis=-1) / n
            squares = (np.where(success, part.cost - average[..., None], 0.0) ** 2).sum(axis=-1)
            spent = np.where(success, part.cost, part.budget).sum(axis=-1) / n
            known = np.where(np.isnan(spent), average * part.cost.shape[-1] / n, spent)
            if baseline == "mean_success":
                known = average
            elif baseline == "truncated_mean":
                known = spent * n / part.cost.shape[-1]
            mean[:, part.cells] = np.where(n > 0, average, np.inf)
            sd[:, part.cells] = np.where(n > 1, np.sqrt(squares / (n - 1)), 0.0)
        share[:, part.cells] = n / part.cost.shape[-1]
        ert[:, part.cells] = np.where(n > 0, known, np.inf)
    return tuple(v.reshape(b, *shape) for v in (mean, sd, share, ert))


# --- bands and intervals ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    """How many units a scheme draws from: clusters, or the runs of each cell.

    The variance of n units that are drawn again is too small by `inflation`, n / (n - 1).
    """

    total: float
    df: float
    inflation: float

    @classmethod
    def of(cls, scheme: Scheme, found: Cells | None, n_problems: int) -> Size:
        """Return the size of the data that a scheme draws from."""
        if scheme.drawn == "runs" and found is not None:
            n = np.diff(found.offsets)
            many = n[n > 1]
            return cls(n.sum() / found.shape[0], float((many - 1).sum()), float((many / (many - 1)).mean()) if many.size else 1.0)
        n_clusters = n_problems if scheme.clusters is None else np.unique(scheme.clusters).size
        return cls(n_clusters, n_clusters - 1.0, n_clusters / max(n_clusters - 1, 1))


def limits(drawn: Array, estimate: Array, size: Size, level: float, most: float | None = None) -> tuple[Array, Array]:
    """Return the interval of each quantity, from its resamples: the wider of two at either end; NaN for fewer than two units."""
    if size.df < 1:
        return np.full(estimate.shape, np.nan), np.full(estimate.shape, np.nan)
    t = float(intervals.quantile(size.df, level))
    below, above = np.quantile(drawn, _expanded(size, level), axis=0)
    centre = drawn.mean(axis=0)
    variance = size.inflation * drawn.var(axis=0, ddof=1) + (centre - estimate) ** 2
    unbiased = 2 * estimate - centre
    if most is None:
        half = t * np.sqrt(variance)
        low, high = np.maximum(unbiased - half, 0.0), unbiased + half
    else:
        share = np.clip(unbiased / most, 0.0, 1.0)
        low, high = (most * end for end in intervals.wilson(share, variance / most**2, size.total, size.df, level))
    return np.minimum(low, below), np.maximum(high, above)


def _expanded(size: Size, level: float) -> list[float]:
    """Return the shares that expanded percentiles are taken at."""
    share = float(scipy.special.ndtr(-math.sqrt(size.inflation) * float(intervals.quantile(size.df, level))))
    return [share, 1 - share]


def ahead(auc: Array) -> Array:
    """Return the share of the resamples in which algorithm a has a larger area than b, ties counting half."""
    k = auc.shape[1]
    result = np.empty((k, k))
    for a in range(k):
        gap = auc[:, a, None] - auc
        slack = step_functions.TOLERANCE * np.abs(auc).max(initial=1.0)
        result[a] = (gap > slack).mean(axis=0) + 0.5 * (np.abs(gap) <= slack).mean(axis=0)
    return result


def batch_ranks(values: Array) -> Array:
    """Return the ranks within each resample, larger is better, ties sharing the smallest: (replicates, n_algorithms)."""
    slack = step_functions.TOLERANCE * np.maximum(np.abs(values), 1.0)
    ordered = np.sort(-values, axis=1)
    k = values.shape[1]
    result = np.empty(values.shape)
    for a in range(k):
        result[:, a] = 1 + (ordered < (-values[:, a] - slack[:, a])[:, None]).sum(axis=1)
    return result


def of_measures(
    drawn: Mapping[str, Array], estimates: Mapping[str, Array], size: Size, level: float, n_problems: int
) -> Mapping[str, tuple[Array, Array]]:
    """Return the intervals of what is read off profiles, and of the ranks by area and rho(1); none for fewer than two units.

    `drawn` are (replicates, n_algorithms) arrays `auc`, `rho_1`, and `wins` where a variant has them, `estimates` the same of the
    data, and `auc_normalised`. Ranks are some that occurred, by expanded percentiles.
    """
    if size.df < 1:
        return {}
    auc = drawn["auc"]
    top = auc.max(axis=1, keepdims=True)
    normalised = np.divide(auc, top, out=np.zeros_like(auc), where=top > 0)
    found = {}
    for name, values in {"auc": auc, "auc_normalised": normalised, **drawn}.items():
        most = {"rho_1": 1.0, "wins": float(n_problems)}.get(name)
        low, high = limits(values, estimates[name], size, level, most)
        found[name] = low, np.minimum(high, 1.0) if name == "auc_normalised" else high
    for name in ("auc", "rho_1"):
        low, high = np.quantile(batch_ranks(drawn[name]), _expanded(size, level), axis=0, method="inverted_cdf")
        found[f"rank_{name}"] = low, high
    return found
