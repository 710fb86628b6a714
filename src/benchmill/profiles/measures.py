"""Numbers read off performance profiles: area, reliability, wins, ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill import schema
from benchmill.profiles.groups import Group
from benchmill.step_functions import TOLERANCE, reached

Array = npt.NDArray[np.float64]


def area_under_profiles(ratios: npt.ArrayLike, tau_max: float, weights: npt.ArrayLike | None = None) -> Array:
    """Exact area under each profile over [1, tau_max].

    sum_j w_j max(tau_max - r_ij, 0) / sum_j w_j: Barbosa, Bernardino, Barreto 2010, section II. A failure adds nothing.

    Parameters
    ----------
    ratios : (n_algorithms, n_problems) array_like
    tau_max : float
        Finite, >= 1.
    weights : (n_problems,) array_like, optional

    Returns
    -------
    (n_algorithms,) array
    """
    r = np.asarray(ratios, float)
    w = None if weights is None else np.asarray(weights, float)
    return np.asarray(np.average(np.maximum(tau_max - r, 0.0), axis=1, weights=w), float)


def competition_ranks(values: npt.ArrayLike, *, larger_is_better: bool) -> npt.NDArray[np.int32]:
    """Ranks from 1; equal values share the smallest ("1, 1, 1, 4").

    Values that differ by no more than rounding (relative 1e-12) are equal: one plus the number of values better by more
    than that.
    """
    v = np.asarray(values, float) * (-1.0 if larger_is_better else 1.0)
    ordered = np.sort(v)
    slack = np.where(np.isfinite(v), TOLERANCE * np.abs(v), 0.0)
    return (1 + np.searchsorted(ordered, v - slack, side="left")).astype(np.int32)


def measures(ratios: npt.ArrayLike, tau_max: float, weights: npt.ArrayLike | None = None) -> dict[str, Array]:
    """All measures of a set of profiles.

    Parameters
    ----------
    ratios : (n_algorithms, n_problems) array_like
        inf = failure.
    tau_max : float
        Finite, >= 1.
    weights : (n_problems,) array_like, optional
        Weights of 0 leave a problem out of `tau_star`, not out of `reliability` and `wins`.

    Returns
    -------
    dict of (n_algorithms,) arrays
        The columns of the table `profile_measures` by name. `auc_normalised`: where `tau_max` is 1 every area is 0, and its
        limit rho(1) / max rho(1) is given; 0 for all where nobody solves anything.
        `tau_min_over_tau_star`: 0 where rho never is 1.
    """
    r = np.asarray(ratios, float)
    w = np.ones(r.shape[1]) if weights is None else np.asarray(weights, float)
    auc = area_under_profiles(r, tau_max, w)
    best, solved = reached(r, 1.0), reached(r, tau_max)
    rho_1, rho_tau_max = np.average(best, axis=1, weights=w), np.average(solved, axis=1, weights=w)
    height = auc if tau_max > 1 else rho_1
    tau_star = r[:, w > 0].max(axis=1)
    tau_min = tau_star.min()
    return {
        "auc": auc,
        "auc_normalised": height / height.max() if height.max() > 0 else np.zeros(r.shape[0]),
        "tau_max": np.full(r.shape[0], float(tau_max)),
        "reliability": r.max(axis=1),
        "tau_star": tau_star,
        "tau_min_over_tau_star": tau_min / tau_star if np.isfinite(tau_min) else np.zeros(r.shape[0]),
        "rho_1": rho_1,
        "rho_tau_max": rho_tau_max,
        "wins": best.sum(axis=1),
        "rank_auc": competition_ranks(height, larger_is_better=True),
        "rank_rho_1": competition_ranks(rho_1, larger_is_better=True),
        "rank_rho_tau_max": competition_ranks(rho_tau_max, larger_is_better=True),
        "rank_tau_star": competition_ranks(tau_star, larger_is_better=False),
    }


def table(groups: Sequence[Group], measure: str, name: str) -> pa.Table:
    """Table `profile_measures` of several profiles, one row a group and algorithm."""
    found = [measures(group.ratios, group.tau_max, group.weights) for group in groups]
    sizes = [len(group.algorithms) for group in groups]
    return schema.table(
        "profile_measures",
        {
            "measure": [measure] * sum(sizes),
            "variant": [name] * sum(sizes),
            "dimension": [g.keys["dimension"] for g, n in zip(groups, sizes, strict=True) for _ in range(n)],
            "target": [g.keys["target"] for g, n in zip(groups, sizes, strict=True) for _ in range(n)],
            "algorithm": [algorithm for group in groups for algorithm in group.algorithms],
            **{column: np.concatenate([f[column] for f in found]) for column in found[0]},
            "n_problems": np.repeat([group.ratios.shape[1] for group in groups], sizes),
            "n_unsolved": np.repeat([group.n_unsolved for group in groups], sizes),
        },
    )
