"""The nested performance profile: the mean of profiles among ever fewer solvers, the best of each wave leaving the race."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema, seeds, step_functions
from benchmill.core.arrays import Array, Index, Mask
from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.profiles import measures, options, variant
from benchmill.profiles.dolan_more import profile_functions as dolan_more_functions
from benchmill.profiles.groups import Counted, Group, weights_of
from benchmill.profiles.ratios import performance_ratios
from benchmill.registry.variants import RATIO, Variant

RULES = ("wins", "sum")
#: Two totals closer than this are computed afresh before they are compared: they were updated from wave to wave.
_NEAR = 1e-9


@dataclass(frozen=True)
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
    problem, first, count, baseline : (n_pieces,) arrays
        The smallest cost of a problem within S' is `baseline` for `count` waves beginning with wave `first` (from 0).
    """

    order: Index
    tied: Mask
    wins: Array
    sums: Array
    failures: Array
    problem: Index
    first: Index
    count: Index
    baseline: Array


def waves(
    costs: npt.ArrayLike,
    n_waves: int | None = None,
    *,
    rule: str = "wins",
    failure_ratio: float | None = None,
    weights: npt.ArrayLike | None = None,
    rng: np.random.Generator | None = None,
) -> Waves:
    """Eliminate the best solver again and again: Steps 1 to 3 of the paper, for k = `n_waves` from 1 to n_solvers.

    The best has most ratios of 1, or the smallest sum, a failure adding `failure_ratio` (r_M); of several the first, or by `rng`.
    """
    c = np.asarray(costs, float)
    n_solvers, n_problems = c.shape
    k = max(1, n_solvers - 1) if n_waves is None else int(n_waves)
    if not 1 <= k <= n_solvers or rule not in RULES:
        raise ValueError(f"n_waves is {k} (expected 1 to {n_solvers}), rule {rule!r} (expected one of {RULES})")
    w = weights_of(weights, n_problems)
    live = np.array(c.T, order="C")  # problems by solvers: a wave touches whole rows
    # what is further below the largest cost of its problem would make ratios and their sums infinite
    np.maximum(live, np.where(np.isinf(live), 0.0, live).max(axis=1, keepdims=True) / step_functions.LARGEST_RATIO, out=live)
    base = live.min(axis=1)
    failed = np.isinf(live)
    failures = _totals(failed, w)
    tied_best = _tied_best(live, base)
    solved = np.where(failed, 0.0, live)
    wins, sums = _totals(tied_best, w), (w * _inverse(base)) @ solved
    # solver in each column, whether it is still in the race, and its failures
    solver, remaining, missed = np.arange(n_solvers), np.ones(n_solvers, bool), failures
    order, ties = np.empty(k, np.int64), np.zeros(k, bool)
    all_wins, all_sums = np.full((k, n_solvers), np.nan), np.full((k, n_solvers), np.nan)
    since = np.zeros(n_problems, np.int64)
    pieces: list[tuple[Index, Index, Index, Array]] = []
    for wave in range(k):
        if 2 * (n_solvers - wave) <= solver.size:
            # the fewer are left, the more problems each of them is best on: rows are touched more often, so they are made short
            live, solved = np.ascontiguousarray(live[:, remaining]), np.ascontiguousarray(solved[:, remaining])
            tied_best = np.ascontiguousarray(tied_best[:, remaining])
            solver, missed, wins, sums = solver[remaining], missed[remaining], wins[remaining], sums[remaining]
            remaining = np.ones(solver.size, bool)
        if rule == "wins":
            score = -wins
        elif failure_ratio is None:
            fewest = missed[remaining].min()
            score = np.where(missed <= fewest + step_functions.TOLERANCE * fewest, sums, np.inf)
        else:
            score = sums + failure_ratio * missed
        score = np.where(remaining, score, np.inf)
        best = score.min()
        near = np.flatnonzero(remaining & (score <= best + _NEAR * max(1.0, abs(best))))
        if near.size > 1:
            exact_wins = w @ tied_best[:, near]
            exact_sums = w @ _finite_ratios(live[:, near], base)
            wins[near], sums[near] = exact_wins, exact_sums
            exact = -exact_wins if rule == "wins" else exact_sums + (failure_ratio or 0.0) * missed[near]
            best = exact.min()
            near = near[exact <= best + step_functions.TOLERANCE * abs(best)]
        ties[wave] = near.size > 1
        chosen = int(near[0] if rng is None else rng.choice(near))
        order[wave] = solver[chosen]
        all_wins[wave, solver[remaining]], all_sums[wave, solver[remaining]] = wins[remaining], sums[remaining]
        if wave == k - 1:
            break
        affected = np.flatnonzero(tied_best[:, chosen])
        live[:, chosen], remaining[chosen] = np.inf, False
        new, old_base = live[affected], base[affected]
        new_base = new.min(axis=1)
        new_tied = _tied_best(new, new_base)
        wins += _totals(new_tied, w[affected]) - _totals(tied_best[affected], w[affected])
        sums += (w[affected] * (_inverse(new_base) - _inverse(old_base))) @ solved[affected]
        # where the eliminated solver was alone at the top, the problem's smallest cost changes
        moved = new_base != old_base
        which = affected[moved]
        pieces.append((which, since[which], wave + 1 - since[which], base[which]))
        since[which] = wave + 1
        base[affected], tied_best[affected] = new_base, new_tied
    pieces.append((np.arange(n_problems), since, k - since, base))
    problem, first, count, baseline = (np.concatenate(part) for part in zip(*pieces, strict=True))
    return Waves(order, ties, all_wins, all_sums, np.asarray(failures, float), problem, first, count, baseline)


def _tied_best(live: Array, base: Array) -> Mask:
    # where nobody is left who solves the problem, nobody is best
    limit = np.where(np.isfinite(base), base * (1 + step_functions.TOLERANCE), -np.inf)
    return np.asarray(live <= limit[:, None], bool)


def _totals(chosen: Mask, weights: Array) -> Array:
    """Return the weight of the true rows of each column of a matrix that is false nearly everywhere."""
    row, column = np.divmod(np.flatnonzero(chosen), chosen.shape[1])
    return np.asarray(np.bincount(column, weights[row], chosen.shape[1]), float)


def _inverse(base: Array) -> Array:
    """Return 1 / base."""
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(1.0 / base, np.finfo(float).max), float)


def _finite_ratios(live: Array, base: Array) -> Array:
    return np.where(np.isfinite(live), step_functions.ratios(live, base[:, None]), 0.0)


def _ratios(costs: Array, baseline: Array) -> Array:
    """Return max(1, c / b)."""
    ratio = np.maximum(step_functions.ratios(costs, baseline), 1.0)
    # that is right but where nobody is left
    nobody = np.flatnonzero(np.isinf(baseline))
    if nobody.size:
        ratio[..., nobody] = np.where(np.isinf(costs[..., nobody]), np.inf, 1.0)
    return np.asarray(ratio, float)


def wave_ratios(costs: npt.ArrayLike, found: Waves, wave: int) -> Array:
    """Return the ratios r^i of one wave (from 0), (n_solvers, n_problems), the eliminated solvers included."""
    c = np.asarray(costs, float)
    of_wave = (found.first <= wave) & (wave < found.first + found.count)
    baseline = np.empty(c.shape[1])
    baseline[found.problem[of_wave]] = found.baseline[of_wave]
    return _ratios(c, baseline)


def profile_functions(costs: npt.ArrayLike, found: Waves, weights: npt.ArrayLike | None = None) -> list[step_functions.Steps]:
    """Return the nested profiles rho^Overall_s(tau) = (1/k) sum_i rho^i_s(tau), equation (2.3), one a solver."""
    return [step_functions.ecdf(*pieces) for pieces in _pieces(costs, found, weights)]


def _pieces(costs: npt.ArrayLike, found: Waves, weights: npt.ArrayLike | None) -> Iterator[tuple[Array, Array]]:
    """Yield the ratios of each solver over all waves, and their weights."""
    c = np.asarray(costs, float)
    w = weights_of(weights, c.shape[1])
    for cost in c:
        yield _ratios(cost[found.problem], found.baseline), found.count * w[found.problem]


def left_out(costs: npt.ArrayLike, tau_max: float, weights: npt.ArrayLike | None = None) -> dict[str, Array]:
    """Return rho(1) and area of the Dolan-Moré profiles when each solver l is left out in turn: row l, with NaN for l itself."""
    c = np.asarray(costs, float)
    w = weights_of(weights, c.shape[1])
    w = w / w.sum()
    ratio, base = performance_ratios(c)
    at_one, height = step_functions.reached(ratio, 1.0).astype(float), np.maximum(tau_max - ratio, 0.0)
    result = {"rho_1": np.tile(at_one @ w, (c.shape[0], 1)), "auc": np.tile(height @ w, (c.shape[0], 1))}
    first = c.argmin(axis=0)
    for leaving in range(c.shape[0]):
        mine = np.flatnonzero((first == leaving) & np.isfinite(base))
        others = np.delete(c[:, mine], leaving, axis=0)
        without = np.insert(_ratios_among(others), leaving, np.inf, axis=0)
        result["rho_1"][leaving] += (step_functions.reached(without, 1.0) - at_one[:, mine]) @ w[mine]
        result["auc"][leaving] += (np.maximum(tau_max - without, 0.0) - height[:, mine]) @ w[mine]
        for values in result.values():
            values[leaving, leaving] = np.nan
    return result


def _ratios_among(costs: Array) -> Array:
    return performance_ratios(costs)[0] if costs.size else np.empty(costs.shape)


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
    live, left = costs.copy(), np.ones((b, k), bool)
    result = np.empty((b, k, n_waves, p))
    for wave in range(n_waves):
        base = live.min(axis=1, keepdims=True)
        result[:, :, wave] = np.maximum(step_functions.ratios(costs, base), 1.0)
        of_live = step_functions.ratios(live, base)
        if rule == "wins":
            score = -np.einsum("bkp,bp->bk", (of_live <= 1 + step_functions.TOLERANCE).astype(float), weights)
        else:
            failed = np.einsum("bkp,bp->bk", np.isinf(of_live).astype(float), weights)
            score = np.einsum("bkp,bp->bk", np.where(np.isfinite(of_live), of_live, 0.0), weights)
            if failure_ratio is None:
                fewest = np.where(left, failed, np.inf).min(axis=1, keepdims=True)
                score = np.where(failed <= fewest * (1 + step_functions.TOLERANCE), score, np.inf)
            else:
                score = score + failure_ratio * failed
        score = np.round(np.where(left, score, np.inf), 9)
        best = score.argmin(axis=1)
        if rng is not None:
            tied = score == score.min(axis=1, keepdims=True)
            best = np.where(tied, rng.random((b, k)), -1.0).argmax(axis=1)
        live[np.arange(b), best], left[np.arange(b), best] = np.inf, False
    return result.reshape(b, k, n_waves * p)


@dataclass(frozen=True, kw_only=True)
class Options(options.Options):
    """Settings of a nested profile."""

    waves: int | None = option(
        "Number of waves, of which each but the first begins by eliminating the best algorithm; by default all.", None, minimum=1
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
            k = None if chosen.waves is None else min(chosen.waves, len(group.algorithms))
            result.append(waves(group.costs, k, **self._rule, weights=group.weights, rng=rng))
        return result

    def curves_of(self, number: int) -> list[step_functions.Steps]:
        """Return the mean of the curves of all waves."""
        group = self.groups[number]
        functions = profile_functions(group.costs, self.found[number], group.weights)
        return [step_functions.within(f, self.options.tau_min, group.tau_max) for f in functions]

    def measures_of(self, number: int) -> dict[str, npt.NDArray[Any]]:
        """Read them off the ratios of all waves."""
        group = self.groups[number]
        of_solver = [
            measures.measures(ratio[None], group.tau_max, weight)
            for ratio, weight in _pieces(group.costs, self.found[number], group.weights)
        ]
        plain = ("auc", "auc_log", "reliability", "tau_star", "rho_1", "rho_tau_max")
        return measures.ranked(group.tau_max, {key: np.concatenate([m[key] for m in of_solver]) for key in plain})

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted:
        """Return the waves of each resample."""
        k, how = self.found[number].order.size, self.options
        picks = rng if how.ties == "random" else None
        return Counted(lambda costs, weights: nested_thresholds(costs, k, how.rule, weights, how.failure_ratio, picks), k)

    @cached_property
    def waves(self) -> pa.Table:
        """Return the table `waves`: who is eliminated when, and why."""
        return schema.concatenate([_wave_rows(*of_group) for of_group in self._of_groups()])

    @cached_property
    def wave_profiles(self) -> pa.Table:
        """Return the table `wave_profiles`: the profile of every wave.

        Its rows that are not `eliminated` are the series of successive profiles of Gould and Scott (2016).
        """
        return schema.concatenate([_wave_profile_rows(*of_group, self.options.tau_min) for of_group in self._of_groups()])

    @cached_property
    def stability(self) -> pa.Table:
        """Return the table `stability`: the pairs whose order changes when one solver is left out."""
        of_groups = (of_group for of_group in self._of_groups() if len(of_group[1].algorithms) > 2)
        found = (_stability_rows(*of_group, self._rule) for of_group in of_groups)
        return schema.concatenate([*found, schema.TABLES["stability"].empty_table()])

    @property
    def _rule(self) -> dict[str, Any]:
        return {"rule": self.options.rule, "failure_ratio": self.options.failure_ratio}

    def _of_groups(self) -> Iterator[tuple[dict[str, object], Group, Waves]]:
        for group, found in zip(self.groups, self.found, strict=True):
            yield {"measure": self.measure, "variant": self.name, **group.keys}, group, found


def _wave_rows(keys: dict[str, object], group: Group, found: Waves) -> pa.Table:
    k, n = found.wins.shape
    gone = np.isnan(found.wins)
    total = group.ratios.shape[1] if group.weights is None else group.weights.sum()
    best = np.zeros((k, n), bool)
    best[np.arange(k), found.order] = True
    return schema.table(
        "waves",
        {
            **keys,
            "wave": np.repeat(np.arange(1, k + 1), n),
            "algorithm": group.algorithms * k,
            "eliminated": gone.ravel(),
            "rho_1": [None if g else float(v) for g, v in zip(gone.ravel(), (found.wins / total).ravel(), strict=True)],
            "sum_of_ratios": [None if g else float(v) for g, v in zip(gone.ravel(), found.sums.ravel(), strict=True)],
            "failures": np.tile(found.failures / total, k),
            "best": best.ravel(),
            "tied": (best & found.tied[:, None]).ravel(),
        },
    )


def _wave_profile_rows(keys: dict[str, object], group: Group, found: Waves, tau_min: float) -> pa.Table:
    pieces = []
    for wave in range(found.order.size):
        functions = dolan_more_functions(wave_ratios(group.costs, found, wave), group.weights)
        curves = [step_functions.within(f, tau_min, group.tau_max) for f in functions]
        sizes = [tau.size for tau, _ in curves]
        pieces.append(
            schema.table(
                "wave_profiles",
                {
                    **keys,
                    "wave": wave + 1,
                    "algorithm": [a for a, size in zip(group.algorithms, sizes, strict=True) for _ in range(size)],
                    "eliminated": np.repeat(np.isnan(found.wins[wave]), sizes),
                    "tau": np.concatenate([tau for tau, _ in curves]),
                    "rho": np.concatenate([rho for _, rho in curves]),
                },
            )
        )
    return schema.concatenate(pieces)


def _nested_areas(costs: Array, found: Waves, tau_max: float, weights: Array | None) -> Array:
    pieces = _pieces(costs, found, weights)
    return np.array([measures.area_under_profiles(ratio[None], tau_max, w)[0] for ratio, w in pieces])


def _stability_rows(keys: dict[str, object], group: Group, found: Waves, settings: Mapping[str, Any]) -> pa.Table:
    c, n = group.costs, len(group.algorithms)
    k = found.order.size
    before = {
        "rho_1": np.average(step_functions.reached(group.ratios, 1.0), axis=1, weights=group.weights),
        "auc": measures.area_under_profiles(group.ratios, group.tau_max, group.weights),
        "nested_auc": _nested_areas(c, found, group.tau_max, group.weights),
    }
    after = left_out(c, group.tau_max, group.weights)
    after["nested_auc"] = np.full((n, n), np.nan)
    for leaving in range(n):
        rest = np.delete(c, leaving, axis=0)
        again = waves(rest, min(k, n - 1), weights=group.weights, **settings)
        after["nested_auc"][leaving, np.arange(n) != leaving] = _nested_areas(rest, again, group.tau_max, group.weights)
    rows = []
    a, b = np.triu_indices(n, 1)
    for by, was in before.items():
        # a difference within rounding is no difference
        slack = 1e-12 * max(1.0, float(np.abs(was).max()))
        old = was[a] - was[b]
        for leaving in range(n):
            new = after[by][leaving][a] - after[by][leaving][b]
            changed = ~np.isnan(new) & (_sign(old, slack) != _sign(new, slack))
            for pair in np.flatnonzero(changed):
                rows.append(
                    {
                        **keys,
                        "left_out": group.algorithms[leaving],
                        "best": leaving == found.order[0],
                        "by": by,
                        "algorithm_a": group.algorithms[a[pair]],
                        "algorithm_b": group.algorithms[b[pair]],
                        "before": float(old[pair]),
                        "after": float(new[pair]),
                        "reversed": bool(_sign(old[pair], slack) * _sign(new[pair], slack) < 0),
                    }
                )
    return schema.of_rows("stability", rows)


def _sign(values: npt.ArrayLike, slack: float) -> Array:
    v = np.asarray(values, float)
    return np.where(np.abs(v) <= slack, 0.0, np.sign(v))


ENTRIES = (
    Variant(
        "nested",
        "nested profile",
        profile=Profile,
        options=Options,
        references=("hekmati2018",),
        tables=("waves", "wave_profiles", "stability"),
        of_ratios=True,
        heading="Performance",
        tau=RATIO,
        definition="Nested: the mean over waves of the share of {what} solved at up to τ times the smallest cost in the race, "
        "which the best ({best}) leaves after each wave.",
        title="by {rule}",
        facts=("mean over {waves} waves, the best by {rule} leaving before each further one",),
    ),
)
