"""The probabilistic performance profile: the expected share of problems solved within a factor of the best mean.

Barreto, Bernardino, Barbosa 2010. The cost of an algorithm on a problem is a random variable C_ij, the ratio R_ij = C_ij / b_j
with b_j = min_k E[C_kj], and the profile is rhobar_i(x) = (1/n_p) sum_j P(R_ij <= x), section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from benchmill.core import (
    Amounts,
    Array,
    ArrayLike,
    Mask,
    MaybeArray,
    Named,
    TwoArrays,
    UserError,
    chunks,
    frozen,
    keys,
    quietly,
    reals,
    record,
    replicates,
    step_functions,
)
from benchmill.core.options import option
from benchmill.profiles import measures, options, variant
from benchmill.profiles.distributions import cdf, cdf_integral, density, quantile
from benchmill.profiles.groups import Cells, Drawn, Group, Summaries, summaries, weights_of
from benchmill.profiles.variant import Warned
from benchmill.registry.variants import RATIO, Variant

#: Points of a smooth curve at equal distances, and at equal factors.
_HALF = 200
#: Numbers held at once in a chunk.
_CHUNK = 2**20
#: A normal cost with more than this probability of a value <= 0 is reported.
MASS_BELOW_ZERO = 0.01
#: tau* of a smooth profile is the smallest tau at which it reaches 1 - epsilon.
EPSILON = 0.01
_NODES = np.array([1e-10, 1e-6, 1e-3, 0.02, 0.16, 0.5, 0.84, 0.98, 0.999, 1 - 1e-6, 1 - 1e-10])


def baseline(cost: ArrayLike) -> Array:
    """Return b_j: the smallest cost of any algorithm; inf where no algorithm has a success."""
    return reals(np.min(reals(cost), axis=0, initial=np.inf))


@frozen
class RandomCosts:
    """Costs of single runs, (n_algorithms, n_problems); what nobody, or an algorithm, never solves has the share 0.

    Attributes
    ----------
    base : (n_algorithms, n_problems) array
        b_j > 0 of each problem.
    share : (n_algorithms, n_problems) array
        s_ij/n_ij: of the runs that succeed.
    weights : (n_problems,) array
        They add up to 1.
    """

    model: str
    mean: Array
    sd: Array
    base: Array
    share: Array
    weights: Array

    @classmethod
    def of(
        cls,
        mean: ArrayLike,
        sd: ArrayLike,
        baseline: ArrayLike = 1.0,
        *,
        share: ArrayLike = 1.0,
        model: str = "normal",
        weights: MaybeArray = None,
    ) -> RandomCosts:
        """Make what is inf, of a baseline where no algorithm has a success, safe to compute with."""
        m, s, b, p = np.broadcast_arrays(*(reals(values) for values in (mean, sd, baseline, share)))
        usable, w = np.isfinite(m) & np.isfinite(b), weights_of(weights, m.shape[1])
        m, s, b = np.where(usable, m, 1.0), np.where(usable, s, 0.0), np.where(usable, b, 1.0)
        return cls(model, m, s, b, np.where(usable, p, 0.0), w / w.sum())

    def values(self, tau: ArrayLike) -> Array:
        """Return rhobar_i(tau) = sum_j w_j (s_ij/n_ij) F_ij(tau b_j) / sum_j w_j.

        Barreto, Bernardino, Barbosa 2010, section 4; for the normal distribution F(x) = Phi((x - mean)/sd).
        """
        t, m, s, b = np.atleast_1d(reals(tau)), self.mean[..., None], self.sd[..., None], self.base[..., None]
        rows = [own @ cdf(self.model, b[i] * t, m[i], s[i]) for i, own in enumerate(self.share * self.weights)]
        return np.stack(rows) if rows else np.zeros((0, t.size))

    def areas(self, start: float, end: float) -> Array:
        """Return the area under each profile over an interval in closed form.

        For the normal distribution, with m = mean/b_j and s = sd/b_j, a term is G(b) - G(a) with G(x) = (x - m) Phi((x - m)/s) +
        s phi((x - m)/s).
        """
        terms = cdf_integral(self.model, start * self.base, end * self.base, self.mean, self.sd)
        return reals((self.share * self.weights * terms / self.base).sum(axis=1))

    def log_areas(self, tau_max: float) -> Array:
        """Return the area under each profile over ln tau, from 1 to tau_max."""
        random = self.sd > 0
        constant = np.maximum(np.log(tau_max) - np.maximum(np.log(self.mean / self.base), 0.0), 0.0)
        exact = np.where(random, 0.0, self.share * self.weights * constant).sum(axis=1)
        if not random.any():
            return reals(exact)
        at, gauss = np.polynomial.legendre.leggauss(8)
        ends = np.linspace(0.0, np.log(tau_max), 65)
        half = np.diff(ends)[:, None] / 2
        u = (ends[:-1, None] + half * (1 + at)).ravel()
        only = replace(self, share=np.where(random, self.share, 0.0))
        return reals(exact + only.values(np.exp(u)) @ (half * gauss).ravel())

    def reliability_at(self, epsilon: float) -> Array:
        """Return zeta_epsilon: the smallest tau >= 1 with rhobar_i(tau) >= 1 - epsilon.

        The zeta = sup{rho < 1} of the paper is infinite for every distribution without an upper end. To a relative 1e-12; inf
        where failures keep the profile below 1 - epsilon.
        """
        m, s, base, weight = self.mean, self.sd, self.base, self.share * self.weights
        level = (1 - epsilon) * (1 - 1e-14)

        def reached(tau: Array) -> Mask:
            return np.asarray((weight * cdf(self.model, tau[:, None] * base, m, s)).sum(axis=1) >= level, bool)

        possible = weight.sum(axis=1) >= level
        low = np.ones(m.shape[0])
        done = reached(low)
        high = np.max((m + 4 * np.nan_to_num(s)) / base, axis=1, initial=1.0)
        for _ in range(200):
            short = possible & ~reached(high)
            if not short.any():
                break
            high = np.where(short, 2 * high, high)
        for _ in range(200):
            middle = (low + high) / 2
            above = reached(middle)
            low, high = np.where(above, low, middle), np.where(above, middle, high)
            if (high - low <= 1e-13 * high).all():
                break
        return np.where(done, 1.0, np.where(possible, high, np.inf))

    def win_probability(self) -> TwoArrays:
        """Return the expected share of problems on which one run of each algorithm makes it (tied) best, and its error.

        P(C_ij <= C_kj for all k), averaged over the problems; runs are independent, a failed run never wins. By Gauss-Legendre
        between quantiles of all algorithms; the error is the difference of two orders plus the mass beyond the nodes.
        """
        k, n_problems = self.mean.shape
        total, error = np.zeros(k), np.full(k, 2e-10)
        step = _CHUNK // (k * k * _NODES.size * 8)
        for part in chunks(n_problems, step):
            cut = self.mean[:, part], self.sd[:, part], self.share[:, part]
            fine, coarse = (_wins_by_quadrature(*cut, self.model, order) for order in (8, 5))
            total += fine @ self.weights[part]
            error += np.abs(fine - coarse) @ self.weights[part]
        return total, error


def _wins_by_quadrature(mean: Array, sd: Array, share: Array, model: str, order: int) -> Array:
    """Return P(algorithm i is (tied) best) for each problem, (n_algorithms, n_problems)."""
    k, n_problems = mean.shape
    ends = quantile(model, _NODES, mean[..., None], sd[..., None])
    ends = np.sort(ends.transpose(1, 0, 2).reshape(n_problems, -1), axis=1)
    at, gauss = np.polynomial.legendre.leggauss(order)
    half = np.diff(ends, axis=1)[..., None] / 2
    x = (ends[:, :-1, None] + half * (1 + at)).reshape(n_problems, -1)
    width = (half * gauss).reshape(n_problems, -1)

    def others(points: Array) -> Array:
        """Return the product over all k but i of P(C_k >= x), (n_algorithms, n_problems, n_points)."""
        # a constant is at least x if it ties with it, hence the open side of its step
        constant = ~(sd > 0)[..., None]
        spread = np.where(constant, 1.0, sd[..., None])
        below = np.where(
            constant, mean[..., None] * (1 + step_functions.TOLERANCE) < points, cdf(model, points, mean[..., None], spread)
        )
        return _of_others(1 - share[..., None] * below)

    of_density = (density(model, x, mean[..., None], sd[..., None]) * width * others(x)).sum(axis=-1)
    result = np.where(sd > 0, of_density, 0.0)
    if not (sd > 0).all():
        at_constant = others(mean.T[None, :, :].repeat(k, axis=0))
        result = np.where(sd > 0, result, at_constant[np.arange(k), :, np.arange(k)])
    return np.asarray(share * result)


def profile_functions(cells: Cells, base: ArrayLike, weights: MaybeArray = None) -> step_functions.Curves:
    """Return the profiles under the empirical distribution of the runs: rhobar_i(tau) = sum_j w_j #{c_ijt <= tau b_j}/n_ij.

    `base` is b_j (n_problems,), inf where no algorithm has a success.
    """
    if (cells.n > 1).any():
        raise UserError("profiles: the model empirical needs single runs, but a source states means; choose another model.")
    b, n_problems = reals(base), cells.shape[1]
    w = weights_of(weights, n_problems)
    w = w / w.sum()
    sizes, cell = np.diff(cells.offsets), keys.of_rows(cells.offsets)
    ratio = step_functions.ratios(cells.cost, b[cell % n_problems])
    weight = w[cell % n_problems] / sizes[cell]
    curves = []
    for i in range(cells.shape[0]):
        rows = slice(cells.offsets[i * n_problems], cells.offsets[(i + 1) * n_problems])
        # a cell without trials (missing: failure) is a failure
        empty = w[sizes[i * n_problems : (i + 1) * n_problems] == 0]
        jumps = np.append(ratio[rows], np.full(empty.size, np.inf))
        curves.append(step_functions.ecdf(jumps, np.append(weight[rows], empty)))
    return curves


@record
class Options(options.Options):
    """Settings of a probabilistic profile."""

    model: Literal["normal", "truncated_normal", "lognormal", "gamma", "empirical"] = option(
        """Distribution of the cost of one run: with the mean and standard deviation of the successful runs, or that of the runs
        themselves (`empirical`).""",
        "normal",
    )
    baseline: Literal["ert", "mean_success", "truncated_mean"] = option(
        """What costs are divided by, the smallest of any algorithm: expected running time (success performance where the budget
        of a failure is not known), mean of the successes, or mean of cost and budget.""",
        "ert",
    )
    sd: float | Amounts | None = option(
        """Standard deviation to assume instead of that of the trials, for all costs or by algorithm (`default` for the
        others).""",
        None,
        minimum=0,
        additionalProperties={"type": "number", "minimum": 0},
    )
    tau_min: float = option(options.TAU_MIN, 1.0, minimum=0, maximum=1)


class Profile(variant.Profile[Options]):
    """Probabilistic profiles, from `tau_min` to `tau_max`, which is by default that of the Dolan-Moré profiles."""

    variant = "probabilistic"

    def __init__(self, ratios: pa.Table, costs: pa.Table | None = None, **settings: Any) -> None:
        super().__init__(ratios, costs, **settings)
        if costs is not None and any(np.isinf(group.costs).any() for group in self.groups):
            self.groups = [self._with_single_runs(number) for number in range(len(self.groups))]

    def _with_single_runs(self, number: int) -> Group:
        """Return a group whose right end and unsolved problems count what single runs solved."""
        group, terms = self.groups[number], self.terms[number]
        ratio = step_functions.ratios(terms.mean, baseline(terms.baseline_cost))
        hidden = np.isinf(group.costs) & np.isfinite(ratio)
        if not hidden.any():
            return group
        end = group.tau_max if self.options.tau_max is not None else float(ratio[np.isfinite(ratio)].max(initial=group.tau_max))
        return replace(
            group, tau_max=end, n_unsolved=group.n_unsolved - int((np.isinf(group.costs).all(axis=0) & hidden.any(axis=0)).sum())
        )

    def cells_of(self, number: int) -> Cells:
        """Return the trials of a group, without their stated deviations where the study assumes some."""
        cells = super().cells_of(number)
        # assumed in place of what the trials say, so that they need not say it
        return cells if self.options.sd is None else replace(cells, sd=np.zeros(cells.sd.shape))

    @cached_property
    def terms(self) -> list[Summaries]:
        """Return the mean and deviation of every cost of each group."""
        result = []
        for number, cells in enumerate(self.cells):
            terms = summaries(cells, baseline=self.options.baseline, describe=f"measure {self.measure!r}")
            assumed = self._assumed(number)
            if assumed is not None:
                terms = replace(terms, sd=np.broadcast_to(assumed[:, None], terms.sd.shape))
            result.append(terms)
        return result

    def curves_of(self, number: int) -> step_functions.Curves:
        """Return the expected share of problems with a ratio of at most tau."""
        group, terms = self.groups[number], self.terms[number]
        base = baseline(terms.baseline_cost)
        if self.options.model == "empirical":
            return [
                step_functions.within(f, self.options.tau_min, group.tau_max)
                for f in profile_functions(self.cells[number], base, group.weights)
            ]
        tau = _grid(self.options.tau_min, group.tau_max, terms, base)
        return [(tau, rho) for rho in self._random(number).values(tau)]

    def measures_of(self, number: int) -> Named:
        """Return the areas in closed form, zeta_epsilon as `tau_star`, and win probabilities."""
        numbers = self._empirical_measures(number) if self.options.model == "empirical" else self._smooth_measures(number)
        return measures.ranked(
            self.groups[number].tau_max, {**numbers, "epsilon": np.full(len(self.groups[number].algorithms), EPSILON)}
        )

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Drawn:
        """Let mean, deviation and baseline be estimated afresh in each resample."""
        return Drawn(self.cells[number], self.options.model, self.options.baseline, self._assumed(number))

    @np.errstate(divide="ignore")
    def warnings_of(self, number: int) -> dict[str, Warned]:
        """Return where the model of a group's profile is doubtful, cell by cell."""
        terms, model = self.terms[number], self.options.model
        of_rule = {}
        solved = np.isfinite(terms.mean)
        if model == "normal":
            safe = np.where(solved, terms.mean, 1.0), np.where(solved, terms.sd, 0.0)
            below = cdf(model, 0.0, *safe)
            of_rule["mass_below_zero"] = (solved & (below > MASS_BELOW_ZERO), below)
        if model != "empirical":
            of_rule["single_run"] = (solved & np.isnan(terms.sd), terms.n_successes)
            of_rule["no_spread"] = (solved & (terms.sd == 0), terms.n_successes)
            skew = _skewness(self.cells[number])
            of_rule["skewed"] = (np.abs(skew) > 3 * np.sqrt(6 / terms.n_successes), skew)
        return of_rule

    def _assumed(self, number: int) -> Array | None:
        sd = self.options.sd
        return None if sd is None else assumed_deviations(sd, self.groups[number].algorithms, self.options.model)

    @quietly()
    def _random(self, number: int) -> RandomCosts:
        """Return what the profile of a group is computed from."""
        terms, weights = self.terms[number], self.groups[number].weights
        share = np.where(terms.n_trials > 0, terms.n_successes / terms.n_trials, 0.0)
        base = baseline(terms.baseline_cost)
        return RandomCosts.of(terms.mean, terms.sd, base, share=share, model=self.options.model, weights=weights)

    def _empirical_measures(self, number: int) -> dict[str, Array]:
        group, cells = self.groups[number], self.cells[number]
        curves = profile_functions(cells, baseline(self.terms[number].baseline_cost), group.weights)
        chance, error = empirical_win_probability(cells, group.weights)
        return {
            "auc": np.array([step_functions.area(f, 1.0, group.tau_max) for f in curves]),
            "auc_log": np.array([step_functions.log_area(f, group.tau_max) for f in curves]),
            "rho_1": step_functions.values(curves, [1.0])[:, 0],
            "rho_tau_max": step_functions.values(curves, [group.tau_max])[:, 0],
            "tau_star": np.array([step_functions.first_at(f, 1 - EPSILON) for f in curves]),
            "reliability": np.array([step_functions.first_at(f, 1.0) for f in curves]),
            "win_probability": chance,
            "win_error": error,
        }

    def _smooth_measures(self, number: int) -> dict[str, Array]:
        tau_max, terms, costs = self.groups[number].tau_max, self.terms[number], self._random(number)
        ends = costs.values([1.0, tau_max])
        chance, error = costs.win_probability()
        largest = np.max(step_functions.ratios(terms.mean, baseline(terms.baseline_cost)), axis=1)
        sure = ~(terms.sd > 0).any(axis=1) & (terms.n_successes == terms.n_trials).all(axis=1)
        return {
            "auc": costs.areas(1.0, tau_max),
            "auc_log": costs.log_areas(tau_max),
            "rho_1": ends[:, 0],
            "rho_tau_max": ends[:, 1],
            "tau_star": costs.reliability_at(EPSILON),
            "reliability": np.where(sure, largest, np.inf),
            "win_probability": chance,
            "win_error": error,
        }


def empirical_win_probability(of_runs: Cells, weights: MaybeArray = None) -> TwoArrays:
    """Return the win probability when each algorithm draws one of its own runs, and 0 for its error: exact.

    Ties win (up to `step_functions.TOLERANCE`); a failure never does.
    """
    k, n_problems = of_runs.shape
    w = weights_of(weights, n_problems)
    cells = np.split(of_runs.cost, of_runs.offsets[1:-1])
    total = np.zeros(k)
    for problem in range(n_problems):
        runs = [np.sort(cell) for cell in cells[problem::n_problems]]
        sizes, every = np.array([own.size for own in runs]), np.concatenate(runs)
        below = np.stack([np.searchsorted(own, every * (1 - step_functions.TOLERANCE)) for own in runs])
        survive = _of_others(1 - below / np.maximum(sizes, 1)[:, None])
        algorithm = np.repeat(np.arange(k), sizes)
        best = np.where(np.isfinite(every), survive[algorithm, np.arange(algorithm.size)], 0.0)
        total += w[problem] * np.bincount(algorithm, best, k) / np.maximum(sizes, 1)
    return total / w.sum(), np.zeros(k)


def _of_others(survive: Array) -> Array:
    """Return for each row the product of all other rows."""
    one = np.ones((1, *survive.shape[1:]))
    before = np.concatenate([one, np.cumprod(survive[:-1], axis=0)])
    after = np.concatenate([np.cumprod(survive[:0:-1], axis=0)[::-1], one])
    return np.asarray(before * after)


@quietly()
def _skewness(cells: Cells) -> Array:
    """Return the sample skewness of the successful runs of each cell."""
    success = np.isfinite(cells.cost)
    keep = np.where(success & (cells.n == 1), 1.0, 0.0)
    count = replicates.totals(keep, cells.offsets)
    mean = replicates.totals(np.where(success, cells.cost, 0.0) * keep, cells.offsets) / count
    centred = np.where(keep > 0, np.where(success, cells.cost, 0.0) - mean[keys.of_rows(cells.offsets)], 0.0)
    second = replicates.totals(centred**2, cells.offsets) / count
    skew = replicates.totals(centred**3, cells.offsets) / count / second**1.5
    return np.where((count > 2) & (second > 0), skew, np.nan).reshape(cells.shape)


def assumed_deviations(sd: float | Amounts, algorithms: Sequence[str], model: str) -> Array:
    """Return the standard deviation that a study assumes for each algorithm: one number, or a mapping with `default`."""
    of_name = {"default": sd} if isinstance(sd, int | float) else dict(sd)
    unknown = [name for name in of_name if name not in (*algorithms, "default")]
    lacking = [name for name in algorithms if name not in of_name and "default" not in of_name]
    if unknown or lacking:
        raise UserError(
            f"profiles: sd names {unknown[0]!r}, which is no algorithm here; there are {', '.join(algorithms)}, and default."
            if unknown
            else f"profiles: sd has no value for {lacking[0]!r}; give it, or default."
        )
    values = np.array([of_name.get(name, of_name.get("default")) for name in algorithms], float)
    if model not in ("normal", "lognormal", "gamma") or not (np.isfinite(values) & (values >= 0)).all():
        raise UserError(f"profiles: sd is {sd} with the model {model}, expected numbers >= 0 and normal, lognormal or gamma.")
    return values


@np.errstate(invalid="ignore")
def _grid(tau_min: float, tau_max: float, terms: Summaries, base: Array) -> Array:
    jumps = step_functions.ratios(terms.mean, base)[np.isfinite(terms.mean) & ~(terms.sd > 0)]
    between = np.linspace(1.0, tau_max, _HALF), np.geomspace(1.0, tau_max, _HALF)
    below = np.linspace(tau_min, 1.0, _HALF, endpoint=False)
    return np.unique(np.concatenate([below, *between, jumps[(jumps > 1) & (jumps < tau_max)]]))


ENTRIES = (
    Variant(
        "probabilistic",
        "probabilistic profile",
        profile=Profile,
        options=Options,
        references=("barreto2010",),
        costs=True,
        of_ratios=True,
        smooth=True,
        steps=(("model", "empirical"),),
        heading="Performance",
        tau=RATIO,
        definition="Probabilistic: ρ(τ) is the expected share of {what} on which one run costs at most τ times the smallest "
        "{baseline}.",
        facts=(
            "expected shares for one run, distribution of the successful costs: {model}{sd}",
            "ratios to the smallest {baseline}",
        ),
    ),
)
