"""The profiles that a table of ratios makes, one for each value of the keys they are split by, and the trials behind each."""

from collections.abc import Callable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import (
    Array,
    Index,
    MaybeArray,
    UserError,
    frozen,
    keys,
    limits,
    quietly,
    reals,
    replicates,
    schema,
    step_functions,
)
from benchmill.core.groups import is_attribute
from benchmill.profiles.options import Options

#: What tells the problems of a table of ratios apart.
ROW_KEYS = list(keys.OF_PROBLEMS)
#: Columns of ratios that can be the weights of problems.
_WEIGHTS = ("dimension", "baseline", "target", "at_budget")


@frozen
class Group:
    """One profile.

    Attributes
    ----------
    keys : dict
        `dimension` and `target` of the profile; None where pooled.
    tau_max : float
        Right end; 1 where no ratio is finite.
    n_unsolved : int
        Problems that no algorithm solves, kept or dropped.
    n_stopped : (n_algorithms,) array of int
        Problems on which an algorithm fails that has spent less than another one takes.
    n_late : (n_algorithms,) array of int
        Problems on which runs of it succeeded after the common limit, and count as failed.
    """

    keys: schema.Row
    algorithms: list[str]
    problems: pa.Table
    ratios: Array
    costs: Array
    weights: Array | None
    tau_max: float
    n_unsolved: int
    n_stopped: Index
    n_late: Index


def groups(ratios: pa.Table, measure: str, options: Options) -> list[Group]:
    """Split the included rows of a measure by the options `by`, `weights`, `tau_max` and `unsolved`."""
    of_measure = keys.of_measure(ratios, measure)
    data = of_measure.filter(of_measure.column("included"))
    if not of_measure.num_rows:
        raise UserError(f"measure {measure!r}: there are no ratios of it; check its name.")
    if not data.num_rows:
        raise UserError(
            f"measure {measure!r}: there is no problem on which every algorithm has a trial, so there is no profile; set "
            "missing: failure, or leave out the algorithms with few problems."
        )
    if options.groups is not None:
        if isinstance(options.groups, str) or len(options.groups) != 1 or is_attribute(options.groups):
            raise UserError("profiles: a study makes a profile of each of its `groups`; give one of them, with its problems.")
        ((name, problems),) = options.groups.items()
        data = data.filter(pc.is_in(data.column("problem").cast(pa.string()), pa.array(problems, pa.string())))
        if not data.num_rows:
            raise UserError(
                f"measure {measure!r}: no problem on which every algorithm has a trial is in the group {name!r} of a profile; "
                "leave the group out (that of an attribute by `where`), or correct its names of problems."
            )
    split = [name for name in ("dimension", "target") if name in options.by]
    pooled = {"dimension": None, "target": None}
    if not split:
        return [_group(pooled, data, measure, options)]
    return [
        _group({**pooled, **group_keys}, data.take(pa.array(rows)), measure, options)
        for group_keys, rows in keys.grouped(data, split)
    ]


def weights_of(weights: MaybeArray, n_problems: int) -> Array:
    """Return the weights of problems, 1 where none are given."""
    return np.ones(n_problems) if weights is None else reals(weights)


def matrices(rows: pa.Table, row_keys: list[str], **empty: float) -> tuple[pa.Table, list[str], list[Array]]:
    """Return problems, algorithms, and columns as matrices (n_algorithms, n_problems), each with what is where no row is."""
    problem, problems = keys.cells(rows, row_keys)
    algorithm, names = keys.algorithms(rows)
    columns = []
    for name, value in empty.items():
        columns.append(np.full((len(names), problems.num_rows), value))
        columns[-1][algorithm, problem] = rows.column(name).to_numpy(zero_copy_only=False)
    return problems, names, columns


@np.errstate(invalid="ignore")
def _group(group_keys: schema.Row, rows: pa.Table, measure: str, options: Options) -> Group:
    problems, names, (matrix, costs) = matrices(rows, ROW_KEYS, ratio=np.nan, cost=np.inf)
    if rows.num_rows != matrix.size or np.isnan(matrix).any():
        raise UserError(
            f"measure {measure!r}: the ratios are not one per algorithm and included problem; make them again from the costs."
        )
    nobody = np.isinf(matrix).all(axis=0)
    kept = ~nobody if options.unsolved == "drop" else np.ones(nobody.size, bool)
    if not kept.any():
        raise UserError(f"measure {measure!r}: no algorithm solves any problem, and unsolved is drop; set unsolved: keep.")
    own, weights, weight = problems.filter(pa.array(kept)), options.weights, None
    if weights not in (None, "equal"):
        match weights:
            case Mapping():
                weight = np.array([weights.get(str(name), np.nan) for name in own.column("problem").to_pylist()])
            case "median_cost":
                weight = np.median(costs, axis=0)[kept]
            case _ if weights in _WEIGHTS:
                weight = matrices(rows, ROW_KEYS, **{str(weights): np.nan})[2][0][0, kept]
            case _:
                raise UserError(
                    f"measure {measure!r}: weights are {weights!r}, expected 'equal', one of {', '.join(_WEIGHTS)}, median_cost, "
                    "or a number for each problem."
                )
        wrong = ~(np.isfinite(weight) & (weight >= 0)) if weight.any() else np.ones(weight.size, bool)
        if wrong.any():
            name = own.column("problem")[int(np.argmax(wrong))]
            raise UserError(
                f"measure {measure!r}: the weight of the problem {name.as_py()!r} is {weight[wrong][0]:g}, expected a finite "
                "number of at least 0, and above 0 on some problem; give others, exclude the problem, or set "
                "unsolved: drop if the problems that no algorithm solves have no weight."
            )
    matrix = matrix[:, kept]
    end = float(matrix[np.isfinite(matrix)].max(initial=1.0)) if options.tau_max is None else float(options.tau_max)
    return Group(group_keys, names, own, matrix, costs[:, kept], weight, end, int(nobody.sum()), *stopped_and_late(rows))


def stopped_and_late(rows: pa.Table) -> tuple[Index, Index]:
    """Count the problems on which each algorithm was stopped before another succeeded, or succeeded after the common limit."""
    *_, (costs, spent, crashed, late) = matrices(rows, ROW_KEYS, cost=np.inf, spent=np.nan, crashed=np.nan, n_late=np.nan)
    return limits.Ends.of_cells(costs.T, np.where(crashed > 0, np.nan, spent).T).early.sum(axis=0), (late > 0).sum(axis=1)


# --- the trials --------------------------------------------------------------------------------

_COLUMNS = [*ROW_KEYS, "algorithm", "measure", "cost", "budget", "cost_sd", "n"]


@frozen
class Cells:
    """Trials of the algorithms of a group, cell by cell; the cell of algorithm i and problem j is `i * n_problems + j`.

    Attributes
    ----------
    cost, budget, sd, n : (n_rows,) arrays
        inf = failure, NaN = budget or deviation not stated, `n` > 1 for a published summary.
    offsets : (n_algorithms * n_problems + 1,) array
        Rows `offsets[c]:offsets[c + 1]` belong to cell c, which can be empty.
    """

    shape: tuple[int, int]
    cost: Array
    budget: Array
    sd: Array
    n: Array
    offsets: Index


@frozen
class Summaries:
    """Summaries of the runs of each cell, (n_algorithms, n_problems); b_j is the smallest `baseline_cost`, inf without any."""

    mean: Array
    sd: Array
    n_successes: Array
    n_trials: Array
    baseline_cost: Array


@frozen
class Counted:
    """How a profile that counts thresholds is made of costs that were drawn again.

    `thresholds(costs (b, n_algorithms, n_problems), weights (b, n_problems))` gives (b, n_algorithms, n_problems) thresholds, or
    `waves` times as many: of waves the profile and rho(1) are means, and there is no number of wins.
    """

    thresholds: Callable[[Array, Array], Array]
    waves: int | None = None


@frozen
class Drawn:
    """How a profile of random costs is made of runs that were drawn again; `sd` (n_algorithms,) is assumed, not estimated."""

    found: Cells
    model: str
    baseline: str
    sd: Array | None = None


def cells(group: Group, costs: pa.Table, measure: str) -> Cells:
    """Find the rows of `costs` that each ratio of a group was made from."""
    rows = keys.of_measure(costs, measure).select(_COLUMNS)
    used = [name for name in ROW_KEYS if group.problems.column(name).null_count < group.problems.num_rows] or ["problem"]
    (own, of_rows), distinct = keys.together([group.problems, rows], used)
    problem_of = np.full(distinct.num_rows, -1)
    n_problems = group.problems.num_rows
    problem_of[own] = np.arange(n_problems)
    problem = problem_of[of_rows]
    number = {name: i for i, name in enumerate(group.algorithms)}
    algorithm = np.array([number.get(name, -1) for name in rows.column("algorithm").to_pylist()], np.int64)
    inside = np.flatnonzero((problem >= 0) & (algorithm >= 0))
    shape = (len(group.algorithms), n_problems)
    order, offsets = keys.starts(algorithm[inside] * n_problems + problem[inside], shape[0] * shape[1])
    taken = rows.take(pa.array(inside[order]))
    cost, budget, sd, n = (schema.floats(taken, name) for name in ("cost", "budget", "cost_sd", "n"))
    # what is further below the largest cost of its problem would make ratios to it infinite
    largest, of_row = np.zeros(n_problems), problem[inside[order]]
    np.maximum.at(largest, of_row, np.where(np.isinf(cost), 0.0, cost))
    return Cells(shape, np.maximum(cost, largest[of_row] / step_functions.LARGEST_RATIO), budget, sd, n, offsets)


@quietly()
def summaries(cells_of_runs: Cells, *, baseline: str = "ert", describe: str = "profiles") -> Summaries:
    """Return mean and deviation of the successful runs of each cell, and the cost that the baseline is the smallest of.

    `baseline` `ert`: expected running time where the budgets of the failures are known, else success performance M n/s;
    `mean_success`; or `truncated_mean`, for which a failure costs its budget. Several published summaries of a cell are joined as
    if their runs were there: (N - 1) sd^2 = sum (n_i - 1) sd_i^2 + sum n_i (mean_i - mean)^2.
    """
    c, offsets = cells_of_runs.cost, cells_of_runs.offsets
    success = np.isfinite(c)
    if ((cells_of_runs.n > 1) & success & np.isnan(cells_of_runs.sd)).any():
        raise UserError(
            f"{describe}: a published mean of several runs states no standard deviation, which the probabilistic profile needs; "
            "give the column sd, or n = 1."
        )
    count = np.where(success, cells_of_runs.n, 0.0)
    n_successes, n_trials = replicates.totals(count, offsets), replicates.totals(cells_of_runs.n, offsets)
    mean = replicates.mean_successful(c, offsets, cells_of_runs.n)
    rows = replicates.totals(success.astype(float), offsets)
    centred = np.where(success, np.where(success, c, 0.0) - mean[keys.of_rows(offsets)], 0.0)
    stated = np.nan_to_num(cells_of_runs.sd)
    squares = replicates.totals(count * centred**2 + np.maximum(count - 1, 0.0) * stated**2, offsets)
    sd = np.sqrt(squares / np.where(n_successes > 1, n_successes - 1, np.nan))
    # a single stated deviation stands as it is, also where n is not stated or 1
    alone = (rows == 1) & (replicates.totals(np.where(success & ~np.isnan(cells_of_runs.sd), 1.0, 0.0), offsets) == 1)
    sd = np.where(alone, replicates.totals(np.where(success, stated, 0.0), offsets), sd)
    mean = np.where(n_successes > 0, mean, np.inf)
    if (mean <= 0).any() or np.isnan(mean).any():
        raise UserError(f"{describe}: a mean cost is {mean[~(mean > 0)][0]:g}, expected a number > 0.")
    match baseline:
        case "ert":
            ert = replicates.ert(c, cells_of_runs.budget, offsets, cells_of_runs.n)
            cost = np.where(np.isnan(ert), replicates.success_performance(c, offsets, cells_of_runs.n), ert)
        case "mean_success":
            cost = mean
        case _:
            cost = replicates.mean(replicates.truncated(c, cells_of_runs.budget), offsets, cells_of_runs.n)
            if (np.isinf(cost) & (n_successes > 0)).any():
                raise UserError(
                    f"{describe}: baseline is truncated_mean, but a failure states no budget; choose ert or mean_success."
                )
    cost = np.where(n_successes > 0, cost, np.inf)
    return Summaries(*(a.reshape(cells_of_runs.shape) for a in (mean, sd, n_successes, n_trials, cost)))
