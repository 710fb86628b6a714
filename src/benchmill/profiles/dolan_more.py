"""The performance profile of Dolan and Moré: the share of problems solved within a factor of the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import step_functions
from benchmill.profiles import measures
from benchmill.profiles.groups import groups


def profile_functions(ratios: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> list[step_functions.Steps]:
    """Profiles rho_i(tau) = sum_j w_j [r_ij <= tau] / sum_j w_j as exact step functions.

    Barreto, Bernardino, Barbosa 2010, section 2; Barbosa, Bernardino, Barreto 2010, section II (weights).

    Parameters
    ----------
    ratios : (n_algorithms, n_problems) array_like
        inf = failure: in the denominator, never counted.
    weights : (n_problems,) array_like, optional
        Not negative, not all 0; equal by default.

    Returns
    -------
    list of (tau, rho)
        One right-continuous step function an algorithm (see `benchmill.core.step_functions`), its break points the ratios
        themselves.
    """
    r = np.asarray(ratios, float)
    return [step_functions.ecdf(row, weights) for row in r]


def profile(
    ratios: pa.Table,
    *,
    measure: str,
    name: str = "dolan_more",
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
        Table `ratios`; rows of other measures and those not `included` are ignored.
    measure : str
    name : str
        What the column `variant` shall say.
    by : sequence of {"dimension", "target"}
        One profile for each value of these; what is not named is pooled (and null in the result).
    weights : str, optional
        Equal by default. A priori: `dimension`, or a column of `weights_table`. A posteriori: `baseline` weighs a problem by what
        its best solver needed, `median_cost` by the median over the solvers (Barbosa et al. 2010, section II, leave it open).
    weights_table : str, optional
        Path of a CSV file with the weights: the column `problem`, other keys of the problems as far as it has them, and the
        column that `weights` names.
    tau_max : float, optional
        Right end of the curves; the largest finite ratio of all algorithms in the group by default.
    unsolved : {"keep", "drop"}
        Whether a problem that no algorithm solves stays in the denominator.

    Returns
    -------
    pyarrow.Table
        Table `profiles`. Per group and algorithm: a row at tau = 1, one at every ratio up to `tau_max` at which the profile rises
        (ratios that differ by rounding alone rise together), and one at `tau_max`.

    Raises
    ------
    UserError
        No problem is left to profile, or a setting is not one of the above.
    """
    parts = [
        (group, [step_functions.within(f, 1.0, group.tau_max) for f in profile_functions(group.ratios, group.weights)])
        for group in groups(ratios, measure, by, weights, tau_max, unsolved, weights_table)
    ]
    return measures.profile_table(parts, measure, name)


def profile_measures(
    ratios: pa.Table,
    *,
    measure: str,
    name: str = "dolan_more",
    by: Sequence[str] = (),
    weights: str | None = None,
    weights_table: str | None = None,
    tau_max: float | None = None,
    unsolved: str = "keep",
) -> pa.Table:
    """Areas, reliability and ranks of the profiles that `profile` makes with the same arguments.

    Returns
    -------
    pyarrow.Table
        Table `profile_measures`, by group, then algorithm. `n_unsolved` counts the problems that no algorithm
        solved, whether they stayed in the profile or were dropped.
    """
    found = groups(ratios, measure, by, weights, tau_max, unsolved, weights_table)
    return measures.table(found, [measures.measures(g.ratios, g.tau_max, g.weights) for g in found], measure, name)
