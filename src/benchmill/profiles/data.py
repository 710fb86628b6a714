"""The data profile: the share of problems solved within a number of simplex gradients.

Moré, Wild 2009, equation (2.2): d_s(alpha) = share of the problems with t_ps/(n_p + 1) <= alpha, for costs t_ps in evaluations
and n_p variables. In the table of profiles alpha is `tau`. Unlike a performance profile it does not depend on the other
algorithms.
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


def thresholds_of(costs: npt.ArrayLike, dimensions: npt.ArrayLike) -> Array:
    """Costs per n + 1 evaluations: t_ps/(n_p + 1).

    Parameters
    ----------
    costs : (n_algorithms, n_problems) array_like
        Evaluations; inf = failure.
    dimensions : (n_problems,) array_like
        Number of variables, >= 1.

    Returns
    -------
    (n_algorithms, n_problems) array
    """
    return np.asarray(np.asarray(costs, float) / (np.asarray(dimensions, float) + 1), float)


def profile(
    ratios: pa.Table,
    *,
    measure: str,
    name: str = "data",
    by: Sequence[str] = (),
    weights: str | None = None,
    weights_table: str | None = None,
    tau_max: float | None = None,
    unsolved: str = "keep",
) -> pa.Table:
    """Profiles of one measure as a table.

    Parameters
    ----------
    ratios : pyarrow.Table
        Table `ratios`; its costs are used.
    measure, name, by, weights, weights_table, tau_max, unsolved
        As `benchmill.profiles.dolan_more.profile`, with tau as above.

    Returns
    -------
    pyarrow.Table
        Table `profiles`, from the smallest tau at which a problem is solved to `tau_max`.

    Raises
    ------
    UserError
        As `benchmill.profiles.dolan_more.profile`, or the thresholds are not defined for these costs.
    """
    return thresholds.profile_table(_found(ratios, measure, by, weights, weights_table, tau_max, unsolved), measure, name)


def profile_measures(
    ratios: pa.Table,
    *,
    measure: str,
    name: str = "data",
    by: Sequence[str] = (),
    weights: str | None = None,
    weights_table: str | None = None,
    tau_max: float | None = None,
    unsolved: str = "keep",
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
    return thresholds.measures_table(_found(ratios, measure, by, weights, weights_table, tau_max, unsolved), measure, name)


def _found(
    ratios: pa.Table,
    measure: str,
    by: Sequence[str],
    weights: str | None,
    weights_table: str | None,
    tau_max: float | None,
    unsolved: str,
) -> list[thresholds.Found]:
    def of(group: Group) -> thresholds.Found:
        dimensions = group.problems.column("dimension")
        if dimensions.null_count:
            raise UserError(
                f"measure {measure!r}: a data profile needs the dimension of every problem; add dimension to problem_keys, and "
                "the column to the source."
            )
        if group.problems.column("at_budget").null_count < group.problems.num_rows:
            raise UserError(f"measure {measure!r}: a data profile needs evaluations, but this measure has a fixed budget.")
        return group, thresholds_of(group.costs, dimensions.to_numpy())

    return thresholds.found(ratios, measure, by, weights, weights_table, tau_max, unsolved, of)
