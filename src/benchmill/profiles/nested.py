"""The nested performance profile: the mean of profiles among ever fewer solvers, the best of each wave leaving the race."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa

from benchmill.core import (
    Array,
    ArrayLike,
    Index,
    Mask,
    MaybeArray,
    Named,
    Numbers,
    TwoArrays,
    UserError,
    frozen,
    reals,
    record,
    schema,
    seeds,
    step_functions,
)
from benchmill.core.options import option
from benchmill.profiles import measures, options, variant
from benchmill.profiles.dolan_more import profile_functions as dolan_more_functions
from benchmill.profiles.groups import Counted, Group, weights_of
from benchmill.registry.variants import RATIO, Variant

RULES = ("wins", "sum")


@frozen
class Waves:
    """The waves of a nested profile.

    Attributes
    ----------
    order : (n_waves,) array
        The best solver of each wave, which is eliminated before the next one: the ranking of the first n_waves solvers.
    tied : (n_waves,) bool array
        Whether the rule found another solver of S' as good as it.
    wins, sums : (n_waves, n_solvers) arrays
        Weighted number of wins (ratio 1), and sum of the finite ratios; NaN once eliminated.
    failures : (n_solvers,) array
        Weighted number of the problems that a solver fails.
    baseline : (n_waves, n_problems) array
        The smallest cost within S'; inf where nobody is left who solves the problem.
    """

    order: Index
    tied: Mask
    wins: Array
    sums: Array
    failures: Array
    baseline: Array


@frozen
class _Race:
    """Solvers that are left in a batch of races, (b, n_solvers, n_problems): inf for those who have left."""

    live: Array
    left: Mask
    weights: Array

    @classmethod
    def of(cls, costs: Array, weights: Array) -> _Race:
        """Begin with all; what is further below the largest cost of its problem would make ratios and their sums infinite."""
        largest = np.where(np.isinf(costs), 0.0, costs).max(axis=1, keepdims=True)
        return cls(np.maximum(costs, largest / step_functions.LARGEST_RATIO), np.ones(costs.shape[:2], bool), weights)

    def total(self, values: Numbers) -> Array:
        """Return the weighted sum over the problems."""
        return reals(np.einsum("bkp,bp->bk", values.astype(float), self.weights))

    def best(self, rule: str, failure_ratio: float | None) -> tuple[Array, Array, Array, Mask]:
        """Return the smallest costs, wins and sums of ratios, and who is best by the rule."""
        base = self.live.min(axis=1, keepdims=True)
        ratio = step_functions.ratios(self.live, base)
        wins, sums = self.total(step_functions.reached(ratio, 1.0)), self.total(np.where(np.isfinite(ratio), ratio, 0.0))
        score, missed = sums, self.total(np.isinf(ratio))
        if rule == "wins":
            score = -wins
        elif failure_ratio is None:
            fewest = np.where(self.left, missed, np.inf).min(axis=1, keepdims=True)
            score = np.where(step_functions.reached(missed, fewest), sums, np.inf)
        else:
            score = sums + failure_ratio * missed
        score = np.where(self.left, score, np.inf)
        return base[:, 0], wins, sums, step_functions.reached(score, score.min(axis=1, keepdims=True))

    def leave(self, chosen: Index) -> None:
        """Let one solver of each race leave it."""
        every = np.arange(chosen.size)
        self.live[every, chosen], self.left[every, chosen] = np.inf, False


def waves(
    costs: ArrayLike,
    n_waves: int | None = None,
    *,
    rule: str = "wins",
    failure_ratio: float | None = None,
    weights: MaybeArray = None,
    rng: np.random.Generator | None = None,
) -> Waves:
    """Eliminate the best solver again and again: Steps 1 to 3 of the paper, for k = `n_waves` from 1 to n_solvers.

    The best has most ratios of 1, or the smallest sum, a failure adding `failure_ratio` (r_M); of several the first, or by `rng`.
    """
    c = reals(costs)
    n_solvers, n_problems = c.shape
    k = max(1, n_solvers - 1) if n_waves is None else int(n_waves)
    if not 1 <= k <= n_solvers or rule not in RULES:
        raise ValueError(f"n_waves is {k} (expected 1 to {n_solvers}), rule {rule!r} (expected one of {RULES})")
    race = _Race.of(c[None], weights_of(weights, n_problems)[None])
    order, tied = np.empty(k, np.int64), np.zeros(k, bool)
    wins, sums, baseline = np.full((k, n_solvers), np.nan), np.full((k, n_solvers), np.nan), np.empty((k, n_problems))
    for wave in range(k):
        (baseline[wave],), (won,), (summed,), (best,) = race.best(rule, failure_ratio)
        wins[wave], sums[wave] = (np.where(race.left[0], values, np.nan) for values in (won, summed))
        first = np.flatnonzero(best)
        tied[wave] = first.size > 1
        order[wave] = first[0] if rng is None else rng.choice(first)
        race.leave(order[wave : wave + 1])
    return Waves(order, tied, wins, sums, np.isinf(c) @ weights_of(weights, n_problems), baseline)


def _ratios(costs: Array, baseline: Array) -> Array:
    """Return max(1, c / b): 1 if no solver is left that solves the problem."""
    return np.maximum(step_functions.ratios(costs, baseline), 1.0)


def wave_ratios(costs: ArrayLike, waves_found: Waves, wave: int) -> Array:
    """Return the ratios r^i of one wave (from 0), (n_solvers, n_problems), the eliminated solvers included."""
    return _ratios(reals(costs), waves_found.baseline[wave])


def profile_functions(costs: ArrayLike, waves_found: Waves, weights: MaybeArray = None) -> step_functions.Curves:
    """Return the nested profiles rho^Overall_s(tau) = (1/k) sum_i rho^i_s(tau), equation (2.3), one a solver."""
    return [step_functions.ecdf(*pieces) for pieces in _pieces(costs, waves_found, weights)]


def _pieces(costs: ArrayLike, waves_found: Waves, weights: MaybeArray) -> Iterator[TwoArrays]:
    """Yield the ratios of each solver over all waves, and their weights."""
    w = np.tile(weights_of(weights, waves_found.baseline.shape[1]), len(waves_found.baseline))
    for cost in reals(costs):
        yield _ratios(cost, waves_found.baseline).ravel(), w


def nested_thresholds(
    costs: Array,
    n_waves: int,
    rule: str,
    weights: Array,
    failure_ratio: float | None = None,
    rng: np.random.Generator | None = None,
) -> Array:
    """Return the ratios of all waves of a batch of costs."""
    b, k, p = costs.shape
    race, result = _Race.of(costs, weights), np.empty((b, k, n_waves, p))
    for wave in range(n_waves):
        base, _, _, best = race.best(rule, failure_ratio)
        result[:, :, wave] = _ratios(costs, base[:, None])
        race.leave((best if rng is None else np.where(best, rng.random((b, k)), -1.0)).argmax(axis=1))
    return result.reshape(b, k, n_waves * p)


@record
class Options(options.Options):
    """Settings of a nested profile."""

    waves: int | None = option(
        "Number of waves; each after the first begins by eliminating the best algorithm. By default all.", None, minimum=1
    )
    rule: Literal["wins", "sum"] = option("The best algorithm of a wave: most wins, or smallest sum of ratios.", "wins")
    failure_ratio: float | None = option(
        "What a failure adds to a sum of ratios; by default failures are counted before the ratios are added.", None, minimum=1
    )
    ties: Literal["first", "random"] = option(
        "Which of several best algorithms is eliminated, the first in natural order or one picked by the seed.", "first"
    )
    tau_min: float = option(options.TAU_MIN, 1.0, minimum=0, maximum=1)


class Profile(variant.Profile[Options]):
    """Nested profiles: the mean over the waves, from `tau_min` to `tau_max`."""

    variant = "nested"

    @cached_property
    def found(self) -> list[Waves]:
        """Return the waves of each group. More waves than solvers are cut to their number."""
        chosen, result = self.options, []
        rng = seeds.stream(self.seed, "nested", self.measure, self.name) if chosen.ties == "random" else None
        for group in self.groups:
            largest = group.ratios[np.isfinite(group.ratios)].max(initial=1.0)
            if chosen.failure_ratio is not None and chosen.failure_ratio < largest:
                raise UserError(
                    f"measure {self.measure!r}: failure_ratio is {chosen.failure_ratio:g}, expected at least the largest finite "
                    f"ratio, {largest:g}."
                )
            result.append(
                waves(
                    group.costs,
                    None if chosen.waves is None else min(chosen.waves, len(group.algorithms)),
                    rule=chosen.rule,
                    failure_ratio=chosen.failure_ratio,
                    weights=group.weights,
                    rng=rng,
                )
            )
        return result

    def curves_of(self, number: int) -> step_functions.Curves:
        """Return the mean of the curves of all waves."""
        group = self.groups[number]
        return [
            step_functions.within(f, self.options.tau_min, group.tau_max)
            for f in profile_functions(group.costs, self.found[number], group.weights)
        ]

    def measures_of(self, number: int) -> Named:
        """Read them off the ratios of all waves."""
        group = self.groups[number]
        of_solver = [
            measures.measures(ratio[None], group.tau_max, weight)
            for ratio, weight in _pieces(group.costs, self.found[number], group.weights)
        ]
        return measures.ranked(
            group.tau_max,
            {
                key: np.concatenate([m[key] for m in of_solver])
                for key in ("auc", "auc_log", "reliability", "tau_star", "rho_1", "rho_tau_max")
            },
        )

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted:
        """Return the waves of each resample."""
        k, how = self.found[number].order.size, self.options
        picks = rng if how.ties == "random" else None
        return Counted(lambda costs, weights: nested_thresholds(costs, k, how.rule, weights, how.failure_ratio, picks), k)

    @cached_property
    def waves(self) -> pa.Table:
        """Return the table `waves`: who is eliminated when, and why."""
        return schema.stacked(
            "waves",
            ({**self.key(group), **_wave_columns(group, own)} for group, own in zip(self.groups, self.found, strict=True)),
        )

    @cached_property
    def wave_profiles(self) -> pa.Table:
        """Return the table `wave_profiles`: the profile of every wave.

        Its rows that are not `eliminated` are the series of successive profiles of Gould and Scott (2016).
        """
        return schema.stacked(
            "wave_profiles",
            (
                {**self.key(group), **part}
                for group, own in zip(self.groups, self.found, strict=True)
                for part in _wave_profiles(group, own, self.options.tau_min)
            ),
        )


def _wave_columns(group: Group, waves_found: Waves) -> schema.Row:
    k, n = waves_found.wins.shape
    gone = np.isnan(waves_found.wins).ravel()
    total = group.ratios.shape[1] if group.weights is None else group.weights.sum()
    best = np.zeros((k, n), bool)
    best[np.arange(k), waves_found.order] = True
    return {
        "wave": np.repeat(np.arange(1, k + 1), n),
        "algorithm": group.algorithms * k,
        "eliminated": gone,
        "rho_1": pa.array((waves_found.wins / total).ravel(), mask=gone),
        "sum_of_ratios": pa.array(waves_found.sums.ravel(), mask=gone),
        "failures": np.tile(waves_found.failures / total, k),
        "best": best.ravel(),
        "tied": (best & waves_found.tied[:, None]).ravel(),
    }


def _wave_profiles(group: Group, waves_found: Waves, tau_min: float) -> Iterator[schema.Row]:
    """Yield the profiles of all algorithms, wave by wave."""
    for wave, wins in enumerate(waves_found.wins):
        functions = dolan_more_functions(wave_ratios(group.costs, waves_found, wave), group.weights)
        curves = [step_functions.within(function, tau_min, group.tau_max) for function in functions]
        sizes = [len(tau) for tau, _ in curves]
        yield {
            "wave": wave + 1,
            "algorithm": np.repeat(np.array(group.algorithms, object), sizes),
            "eliminated": np.repeat(np.isnan(wins), sizes),
            "tau": np.concatenate([tau for tau, _ in curves]),
            "rho": np.concatenate([rho for _, rho in curves]),
        }


ENTRIES = (
    Variant(
        "nested",
        "nested profile",
        profile=Profile,
        options=Options,
        references=("hekmati2018",),
        tables=("waves", "wave_profiles"),
        of_ratios=True,
        heading="Performance",
        tau=RATIO,
        definition="Nested: the mean over waves of the share of {what} solved at up to τ times the smallest cost in the race, "
        "which the best ({best}) leaves after each wave.",
        title="by {rule}",
        facts=("mean over {waves} waves, the best by {rule} leaving before each further one",),
    ),
)
