"""The trials behind a profile: every cell (algorithm and problem) with the costs of its runs, or its published summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import keys, replicates
from benchmill.core.errors import UserError
from benchmill.profiles.groups import ROW_KEYS, Group

Array = npt.NDArray[np.float64]
_COLUMNS = [*ROW_KEYS, "algorithm", "measure", "cost", "budget", "cost_sd", "n"]

BASELINES = ("ert", "mean_success", "truncated_mean")


@dataclass(frozen=True)
class Cells:
    """Trials of the algorithms of a group, cell by cell; the cell of algorithm i and problem j is `i * n_problems + j`.

    Attributes
    ----------
    cost, budget, sd, n : (n_rows,) arrays
        Rows of the table `costs`: inf = failure, NaN = budget or deviation not stated, `n` > 1 for a published summary.
    offsets : (n_algorithms * n_problems + 1,) array
        Rows `offsets[c]:offsets[c + 1]` belong to cell c; a cell can be empty.
    """

    shape: tuple[int, int]
    cost: Array
    budget: Array
    sd: Array
    n: Array
    offsets: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Summaries:
    """Summaries of the runs of each cell; arrays (n_algorithms, n_problems).

    Attributes
    ----------
    baseline_cost : array
        The cost that the baseline b_j is the smallest of; inf without a success.
    """

    mean: Array
    sd: Array
    n_successes: Array
    n_trials: Array
    baseline_cost: Array


@dataclass(frozen=True)
class Counted:
    """How a profile that counts thresholds is made of costs that were drawn again.

    Attributes
    ----------
    thresholds : callable
        `thresholds(costs (b, n_algorithms, n_problems), weights (b, n_problems))` gives the thresholds (b, n_algorithms,
        n_problems), or (b, n_algorithms, waves * n_problems).
    waves : int, optional
        How many waves the profile is the mean of; rho(1) is such a mean then, too, and there is no number of wins.
    """

    thresholds: Callable[[Array, Array], Array]
    waves: int | None = None


@dataclass(frozen=True)
class Drawn:
    """How a profile of random costs is made of runs that were drawn again.

    Attributes
    ----------
    sd : (n_algorithms,) array, optional
        Standard deviations that are assumed, not estimated.
    """

    found: Cells
    model: str
    baseline: str
    sd: Array | None = None


def cells(group: Group, costs: pa.Table, measure: str) -> Cells:
    """Find the rows of `costs` that each ratio of a group was made from."""
    rows = keys.of_measure(costs, measure).select(_COLUMNS)
    used = [name for name in ROW_KEYS if group.problems.column(name).null_count < group.problems.num_rows] or ["problem"]
    # numbered together, so that equal keys get equal numbers
    both = pa.concat_tables([group.problems.select(used), rows.select(used)], promote_options="none").unify_dictionaries()
    code, distinct = keys.cells(both, used)
    n_problems = group.problems.num_rows
    problem_of = np.full(distinct.num_rows, -1)
    problem_of[code[:n_problems]] = np.arange(n_problems)
    problem = problem_of[code[n_problems:]]
    index = {name: i for i, name in enumerate(group.algorithms)}
    algorithm_code, algorithms = keys.cells(rows, ["algorithm"]) if rows.num_rows else (np.empty(0, np.int64), None)
    of_code = [index.get(name, -1) for name in algorithms.column("algorithm").to_pylist()] if algorithms is not None else []
    algorithm = np.array([*of_code, -1])[algorithm_code]
    inside = np.flatnonzero((problem >= 0) & (algorithm >= 0))
    shape = (len(group.algorithms), n_problems)
    order, offsets = keys.starts(algorithm[inside] * n_problems + problem[inside], shape[0] * shape[1])
    taken = rows.take(pa.array(inside[order]))

    def column(name: str) -> Array:
        return np.asarray(taken.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False), float)

    return Cells(shape, column("cost"), column("budget"), column("cost_sd"), column("n"), offsets)


def summaries(found: Cells, *, baseline: str = "ert", describe: str = "profiles") -> Summaries:
    """Return mean and deviation of the successful runs of each cell, and the cost that the baseline is the smallest of.

    Several published summaries of a cell are joined as if their runs were there: (N - 1) sd^2 = sum (n_i - 1) sd_i^2 + sum n_i
    (mean_i - mean)^2.

    Parameters
    ----------
    baseline : {"ert", "mean_success", "truncated_mean"}
        `ert`: expected running time where the budgets of the failures are known, else success performance M n/s.
    """
    if baseline not in BASELINES:
        raise UserError(f"{describe}: baseline is {baseline!r}, expected one of {', '.join(BASELINES)}.")
    c, offsets = found.cost, found.offsets
    success = np.isfinite(c)
    if ((found.n > 1) & success & np.isnan(found.sd)).any():
        raise UserError(
            f"{describe}: a published mean of several runs states no standard deviation, which the probabilistic profile needs; "
            "give the column sd, or n = 1."
        )
    count = np.where(success, found.n, 0.0)
    n_successes, n_trials = replicates.totals(count, offsets), replicates.totals(found.n, offsets)
    mean = replicates.mean_successful(c, offsets, found.n)
    rows = replicates.totals(success.astype(float), offsets)
    of_row = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    centred = np.where(success, np.where(success, c, 0.0) - mean[of_row], 0.0)
    stated = np.nan_to_num(found.sd)
    squares = replicates.totals(count * centred**2 + np.maximum(count - 1, 0.0) * stated**2, offsets)
    with np.errstate(invalid="ignore", divide="ignore"):
        sd = np.sqrt(squares / np.where(n_successes > 1, n_successes - 1, np.nan))
    # a single stated deviation stands as it is, also where n is not stated or 1
    alone = (rows == 1) & (replicates.totals(np.where(success & ~np.isnan(found.sd), 1.0, 0.0), offsets) == 1)
    sd = np.where(alone, replicates.totals(np.where(success, stated, 0.0), offsets), sd)
    mean = np.where(n_successes > 0, mean, np.inf)
    if (mean <= 0).any() or np.isnan(mean).any():
        raise UserError(f"{describe}: a mean cost is {mean[~(mean > 0)][0]:g}, expected a number > 0.")
    if baseline == "ert":
        ert = replicates.ert(c, found.budget, offsets, found.n)
        from_mean = replicates.success_performance(c, offsets, found.n)
        cost = np.where(np.isnan(ert), from_mean, ert)
    elif baseline == "mean_success":
        cost = mean
    else:
        cost = replicates.mean(replicates.truncated(c, found.budget), offsets, found.n)
        if (np.isinf(cost) & (n_successes > 0)).any():
            raise UserError(
                f"{describe}: baseline is truncated_mean, but a failure states no budget; choose ert or mean_success."
            )
    cost = np.where(n_successes > 0, cost, np.inf)
    return Summaries(*(a.reshape(found.shape) for a in (mean, sd, n_successes, n_trials, cost)))
