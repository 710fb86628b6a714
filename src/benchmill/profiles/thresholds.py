"""Profiles that count thresholds other than the ratio to the best: from which tau on a problem counts as solved.

Data, accuracy and log-ratio profiles differ in what tau is compared with; their curves, areas and ranks are made alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import step_functions
from benchmill.core.errors import UserError
from benchmill.profiles import measures
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.groups import Group, groups

Array = npt.NDArray[np.float64]
#: A group whose `tau_max` is the right end of its profile, and its thresholds (n_algorithms, n_problems).
Found = tuple[Group, Array]


def found(
    ratios: pa.Table,
    measure: str,
    by: Sequence[str],
    weights: str | None,
    weights_table: str | None,
    tau_max: float | None,
    unsolved: str,
    thresholds_of: Callable[[Group], Found],
) -> list[Found]:
    """The groups of a profile with their thresholds.

    Parameters
    ----------
    ratios, measure, by, weights, weights_table, unsolved
        As `benchmill.profiles.dolan_more.profile`.
    tau_max : float, optional
        Right end; by default the largest finite threshold (1 where there is none).
    thresholds_of : callable
        Gives the thresholds of a group, and the group itself, or that part of its algorithms that is compared.

    Raises
    ------
    UserError
        As `groups`, or `tau_max` is not a positive number.
    """
    if tau_max is not None and not 0 < tau_max < np.inf:
        raise UserError(f"profiles: tau_max is {tau_max}, expected a finite number above 0.")
    result = []
    for every in groups(ratios, measure, by, weights, None, unsolved, weights_table):
        group, thresholds = thresholds_of(every)
        finite = thresholds[np.isfinite(thresholds)]
        end = float(tau_max) if tau_max is not None else float(finite.max(initial=0.0)) or 1.0
        result.append((replace(group, tau_max=end), thresholds))
    return result


def profile_table(of_groups: Sequence[Found], measure: str, name: str) -> pa.Table:
    """Table `profiles`, from the smallest tau at which a problem is solved to the right end."""
    parts = []
    for group, thresholds in of_groups:
        start = float(thresholds.min(initial=group.tau_max))
        curves = profile_functions(thresholds, group.weights)
        parts.append((group, [step_functions.within(f, start, group.tau_max) for f in curves]))
    return measures.profile_table(parts, measure, name)


def measures_table(of_groups: Sequence[Found], measure: str, name: str) -> pa.Table:
    """Table `profile_measures`: areas, tau* and what is solved of these profiles; wins and rho(1) of the costs themselves."""
    rows = []
    for group, thresholds in of_groups:
        best = measures.measures(group.ratios, 1.0, group.weights)
        own = measures.measures(thresholds, group.tau_max, group.weights)
        plain = ("auc", "auc_log", "reliability", "tau_star", "rho_tau_max")
        rows.append(
            measures.ranked(group.tau_max, {**{key: own[key] for key in plain}, "rho_1": best["rho_1"], "wins": best["wins"]})
        )
    return measures.table([group for group, _ in of_groups], rows, measure, name)
