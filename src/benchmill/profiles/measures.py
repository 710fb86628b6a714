"""Numbers read off performance profiles: area, reliability, wins, ranks."""

from collections.abc import Collection, Mapping

import numpy as np
import pyarrow as pa

from benchmill.core import (
    Array,
    ArrayLike,
    Mask,
    MaybeArray,
    Named,
    Numbers,
    Ranks,
    TwoArrays,
    beside,
    keys,
    reals,
    schema,
    step_functions,
)
from benchmill.core.ranks import midranks
from benchmill.profiles.groups import weights_of
from benchmill.registry.criteria import Criterion


def area_under_profiles(ratios: ArrayLike, tau_max: float, weights: Array | None = None) -> Array:
    """Return the exact area under each profile over [1, tau_max].

    sum_j w_j max(tau_max - r_ij, 0) / sum_j w_j: Barbosa, Bernardino, Barreto 2010, section II. A failure adds nothing.
    """
    return np.average(np.maximum(tau_max - reals(ratios), 0.0), axis=1, weights=weights)


def log_area_under_profiles(ratios: ArrayLike, tau_max: float, weights: Array | None = None) -> Array:
    """Return the exact area under each profile over ln tau: sum_j w_j max(ln tau_max - ln r_ij, 0) / sum_j w_j."""
    return area_under_profiles(np.log(reals(ratios)), np.log(tau_max), weights)


def competition_ranks(values: ArrayLike, *, larger_is_better: bool) -> Ranks:
    """Return the ranks from 1; equal values share the smallest ("1, 1, 1, 4")."""
    v = reals(values) * (-1.0 if larger_is_better else 1.0)
    slack = np.where(np.isfinite(v), step_functions.TOLERANCE * np.abs(v), 0.0)
    return (1 + np.searchsorted(np.sort(v), v - slack, side="left")).astype(np.int32)


def measures(ratios: ArrayLike, tau_max: float, weights: MaybeArray = None) -> Named:
    """Return all measures of a set of profiles: (n_algorithms,) arrays by column of the table `profile_measures`."""
    r = reals(ratios)
    w = weights_of(weights, r.shape[1])
    best, solved = step_functions.reached(r, 1.0), step_functions.reached(r, tau_max)
    return ranked(
        tau_max,
        {
            "auc": area_under_profiles(r, tau_max, w),
            "auc_log": log_area_under_profiles(r, tau_max, w),
            "reliability": r.max(axis=1),
            "tau_star": r[:, w > 0].max(axis=1),
            "rho_1": np.average(best, axis=1, weights=w),
            "rho_tau_max": np.average(solved, axis=1, weights=w),
            "wins": best.sum(axis=1),
        },
    )


def ranked(tau_max: float, numbers: Mapping[str, Numbers]) -> Named:
    """Add to the numbers of a set of profiles what follows from them: shares of the best, ranks, Pareto fronts.

    `numbers` has (n_algorithms,) arrays `auc`, `auc_log`, `reliability`, `tau_star`, `rho_1`, `rho_tau_max`, and what else the
    variant has; keys are columns of the table `profile_measures`.
    """
    auc, auc_log, rho_1, solved, tau_star = (numbers[name] for name in ("auc", "auc_log", "rho_1", "rho_tau_max", "tau_star"))
    # where tau_max is 1 every area is 0, and rho(1) is its limit
    height, log_height = (auc, auc_log) if auc.any() else (rho_1, rho_1)
    tau_min = tau_star.min()
    by_solved = competition_ranks(solved, larger_is_better=True)
    by_tau_star = competition_ranks(tau_star, larger_is_better=False)
    certain = np.isfinite(tau_star)
    return {
        **numbers,
        "auc_normalised": height / height.max() if height.max() > 0 else np.zeros(auc.size),
        "auc_log_normalised": log_height / log_height.max() if log_height.max() > 0 else np.zeros(auc.size),
        "tau_max": np.full(auc.size, float(tau_max)),
        "tau_min_over_tau_star": tau_min / tau_star if np.isfinite(tau_min) else np.zeros(auc.size),
        "rank_auc": competition_ranks(height, larger_is_better=True),
        "rank_auc_log": competition_ranks(log_height, larger_is_better=True),
        "rank_rho_1": competition_ranks(rho_1, larger_is_better=True),
        "rank_rho_tau_max": by_solved,
        "rank_rho_tau_max_tau_star": competition_ranks(by_solved * (auc.size + 1.0) + by_tau_star, larger_is_better=False),
        "rank_tau_star": by_tau_star,
        "front_wins_solved": pareto_front(np.stack([rho_1, solved], axis=1)),
        "front_wins_tau_star": certain & pareto_front(np.where(certain[:, None], np.stack([rho_1, -tau_star], axis=1), -np.inf)),
    }


def pareto_front(values: ArrayLike) -> Mask:
    """Return which rows of two columns are on the Pareto front, both being better when larger.

    Barbosa, Bernardino, Barreto 2010, Figure 8. Equal rows (up to rounding, relative 1e-12) are all kept.
    """
    # ranks instead of values: equal up to rounding is equal
    first, second = (competition_ranks(column, larger_is_better=True) for column in reals(values).T)
    best = np.full(first.size + 2, second.size + 1)
    np.minimum.at(best, first + 1, second)
    # better than all with a smaller first rank, and as good as those with the same
    return np.asarray((second < np.minimum.accumulate(best)[first]) & (second == best[first + 1]), bool)


def rank_sums(ranks: ArrayLike) -> tuple[Array, Ranks]:
    """Return the rank of a competition: algorithms by the sum of their ranks over several criteria, ties sharing the smallest.

    Barbosa, Bernardino, Barreto 2010, Table IV.
    """
    sums = reals(ranks).sum(axis=1)
    return sums, competition_ranks(sums, larger_is_better=False)


def average_ranks(costs: ArrayLike, weights: Array | None = None) -> Array:
    """Return the mean over the problems of the rank of each cost; equal costs, failures among them."""
    return np.average(midranks(reals(costs).T), axis=0, weights=weights)


def mean_rates(costs: ArrayLike, weights: Array | None = None) -> Array:
    """Return the mean over the problems of rates whose reciprocals are the costs; a failure is the rate 0.

    Barbosa, Bernardino, Barreto 2010, Table IV (feasible rate, success rate).
    """
    return np.average(1.0 / reals(costs), axis=1, weights=weights)


def of_competing(measures: pa.Table, not_competing: Collection[str]) -> pa.Table:
    """Return the table `profile_measures` with ranks and Pareto fronts of the algorithms that compete alone."""
    if not not_competing:
        return measures
    frame = measures.to_pandas()
    own = ~frame["algorithm"].isin(not_competing)
    groups = frame[own].groupby(["measure", "variant", "dimension", "target"], observed=True, dropna=False)
    # ranks among more algorithms than these order them, and become ranks among these
    ranks = {name: groups[name].rank(method="min") for name in frame.columns if name.startswith("rank_")}
    for front, by in (("front_wins_solved", "rank_rho_tau_max"), ("front_wins_tau_star", "rank_tau_star")):
        ranks[front] = own & False
        for _, rows in groups:
            certain = rows[np.isfinite(rows["tau_star"])] if by == "rank_tau_star" else rows
            ranks[front].loc[certain.index] = pareto_front(-certain[["rank_rho_1", by]].to_numpy(float))
    columns = {name: pa.array(values.reindex(frame.index), from_pandas=True) for name, values in ranks.items()}
    return schema.table("profile_measures", {name: columns.get(name, measures.column(name)) for name in measures.column_names})


def differences(curves: step_functions.Curves) -> TwoArrays:
    """Return the smallest and largest value of rho_a - rho_b over the whole interval, exact for step functions."""
    n = len(curves)
    points = np.unique(np.concatenate([tau for tau, _ in curves])) if n else np.empty(0)
    at, smallest, largest = step_functions.values(curves, points), np.zeros((n, n)), np.zeros((n, n))
    for a in range(n):
        # a pair has other values only where one of the two jumps: here the first, the second in its own turn
        jumps = np.flatnonzero(np.append(True, at[a, 1:] != at[a, :-1])[: points.size])
        gap = at[a, jumps] - at[:, jumps]
        smallest[a], largest[a] = gap.min(axis=1), gap.max(axis=1)
    # 0 - x, so that no zero is negative
    return np.minimum(smallest, 0 - largest.T), np.maximum(largest, 0 - smallest.T)


def profile_pairs(profiles: pa.Table) -> pa.Table:
    """Return the table `profile_pairs`: curves of each ordered pair of algorithms compared on the interval that they cover."""
    if not profiles.num_rows:
        return schema.TABLES["profile_pairs"].empty_table()
    tables = []
    tau, rho = profiles.column("tau").to_numpy(), profiles.column("rho").to_numpy()
    for group, rows in keys.grouped(profiles, ["measure", "variant", "dimension", "target"]):
        own = list(keys.grouped(profiles.take(pa.array(rows)), ["algorithm"]))
        names = pa.array([key["algorithm"] for key, _ in own], pa.string())
        smallest, largest = differences([(tau[rows[curve]], rho[rows[curve]]) for _, curve in own])
        a, b = np.nonzero(~np.eye(len(names), dtype=bool))
        low, high = smallest[a, b], largest[a, b]
        columns = {
            **group,
            "algorithm_a": names.take(pa.array(a)),
            "algorithm_b": names.take(pa.array(b)),
            "smallest_difference": low,
            "largest_difference": high,
            "dominates": (low >= -1e-9) & (high > 1e-9),
        }
        tables.append(schema.table("profile_pairs", columns))
    return schema.concatenate(tables).combine_chunks()


ENTRIES = tuple(
    Criterion(name=name, function={"average_rank": average_ranks, "mean_rate": mean_rates}.get(name), **facts)
    for name, facts in beside.toml(__file__).items()
)
