"""The accuracy profile: the share of problems on which a fixed budget leaves at most an error tau.

Beiranvand, Hare, Lucet 2017, section 4.3, draw the share of problems with at least gamma correct digits; with tau = 10^-gamma
this is the same curve, mirrored. Their error is (f - f*)/(f_0 - f*) with the starting value f_0; costs do not hold f_0, so the
worst algorithm on the problem takes its place (`reference: worst`), or nothing (`absolute`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.profiles import thresholds
from benchmill.profiles.groups import Group

Array = npt.NDArray[np.float64]


def thresholds_of(costs: npt.ArrayLike, reference: str = "worst", digits: float = 16.0) -> Array:
    """Errors relative to the reference, none below 10^-digits.

    Parameters
    ----------
    costs : (n_algorithms, n_problems) array_like
        Errors f - f* > 0; inf = failure (no value).
    reference : {"worst", "absolute"}
        Divide by the largest finite error of any algorithm on the problem, or not at all.
    digits : float
        More correct digits than these count as these.

    Returns
    -------
    (n_algorithms, n_problems) array
    """
    c = np.asarray(costs, float)
    worst = np.max(np.where(np.isfinite(c), c, 0.0), axis=0, initial=0.0) if reference == "worst" else np.ones(c.shape[1])
    return np.asarray(np.maximum(c / np.where(worst > 0, worst, 1.0), 10.0**-digits), float)


def profile(
    ratios: pa.Table,
    *,
    measure: str,
    name: str = "accuracy",
    by: Sequence[str] = (),
    weights: str | None = None,
    weights_table: str | None = None,
    tau_max: float | None = None,
    unsolved: str = "keep",
    reference: str = "worst",
    digits: float = 16.0,
) -> pa.Table:
    """Profiles of one measure as a table.

    Parameters
    ----------
    ratios : pyarrow.Table
        Table `ratios`; its costs are used.
    measure, name, by, weights, weights_table, tau_max, unsolved
        As `benchmill.profiles.dolan_more.profile`, with tau as above.
    reference : {"worst", "absolute"}
    digits : float
        As `thresholds_of`.

    Returns
    -------
    pyarrow.Table
        Table `profiles`, from the smallest tau at which a problem is solved to `tau_max`.

    Raises
    ------
    UserError
        As `benchmill.profiles.dolan_more.profile`, or the thresholds are not defined for these costs.
    """
    return thresholds.profile_table(
        _found(ratios, measure, by, weights, weights_table, tau_max, unsolved, reference, digits), measure, name
    )


def profile_measures(
    ratios: pa.Table,
    *,
    measure: str,
    name: str = "accuracy",
    by: Sequence[str] = (),
    weights: str | None = None,
    weights_table: str | None = None,
    tau_max: float | None = None,
    unsolved: str = "keep",
    reference: str = "worst",
    digits: float = 16.0,
) -> pa.Table:
    """Areas and ranks of the profiles that `profile` makes with the same arguments.

    Returns
    -------
    pyarrow.Table
        Table `profile_measures`: `auc` over [0, tau_max], `auc_log` from the smallest tau at which a problem is solved;
        `tau_star`,
        `reliability` and `rho_tau_max` are those of these profiles, `wins` and `rho_1` count the problems on which an algorithm
        has the (tied) smallest cost.
    """
    return thresholds.measures_table(
        _found(ratios, measure, by, weights, weights_table, tau_max, unsolved, reference, digits), measure, name
    )


def _found(
    ratios: pa.Table,
    measure: str,
    by: Sequence[str],
    weights: str | None,
    weights_table: str | None,
    tau_max: float | None,
    unsolved: str,
    reference: str,
    digits: float,
) -> list[thresholds.Found]:
    def of(group: Group) -> thresholds.Found:
        if group.problems.column("at_budget").null_count:
            raise UserError(f"measure {measure!r}: an accuracy profile needs values at a budget; use the kind fixed_budget.")
        if reference not in ("worst", "absolute") or not digits > 0:
            raise UserError(
                f"profiles: reference is {reference!r}, digits {digits}; expected worst or absolute, and a number > 0."
            )
        return group, thresholds_of(group.costs, reference, digits)

    return thresholds.found(ratios, measure, by, weights, weights_table, tau_max, unsolved, of)
