"""The budget that a failure is charged: its own, the largest, or one common to the trials of a cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmill.core.errors import UserError

Array = npt.NDArray[np.float64]

#: `own`: what the trial itself spent (COCO). `max`: the largest budget of any trial of the cell (IOHanalyzer). `common`: all
#: trials are cut at one budget (the definition of IOHprofiler), the stated one or the smallest of a failure of the cell.
BUDGET_RULES = ("own", "common", "max")


def charged(
    rule: str, costs: npt.ArrayLike, budgets: npt.ArrayLike, offsets: npt.ArrayLike, common: npt.ArrayLike | None = None
) -> tuple[Array, Array]:
    """Return the costs and budgets of the trials under a budget rule.

    Parameters
    ----------
    rule : {"own", "common", "max"}
        `own`: a failure is charged B_i.
    common : (n_trials,) array_like, optional
        B of the rule `common`, the same for the trials of a cell.

    Returns
    -------
    costs, budgets : (n_trials,) arrays
        Unknown budgets stay NaN. With the rules `own` and `max` the costs are as given.
    """
    t, b = np.asarray(costs, float), np.asarray(budgets, float)
    if rule not in BUDGET_RULES:
        raise UserError(f"budget_rule is {rule!r}, expected one of {', '.join(BUDGET_RULES)}.")
    if rule == "own":
        return t, b
    bounds = np.asarray(offsets, np.int64)
    cell = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    if rule == "max":
        largest = np.full(bounds.size - 1, -np.inf)
        with np.errstate(invalid="ignore"):
            np.maximum.at(largest, cell, b)  # NaN wins: a largest budget is unknown as soon as one is
        return t, largest[cell]
    if common is None:
        smallest = np.full(bounds.size - 1, np.inf)
        failed = np.isinf(t)
        with np.errstate(invalid="ignore"):
            np.minimum.at(smallest, cell[failed], b[failed])
        limit = smallest[cell]
    else:
        limit = np.broadcast_to(np.asarray(common, float), t.shape)
    # a comparison with NaN is false: without a known limit no trial is cut
    cut = np.isfinite(t) & (t > limit)
    return np.where(cut, np.inf, t), np.where(cut | (b > limit), limit, b)
