"""Performance ratios: the cost of each algorithm on a problem divided by the smallest cost of any."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import (
    Array,
    ArrayLike,
    Index,
    Mask,
    TwoArrays,
    UserError,
    keys,
    limits,
    reals,
    replicates,
    schema,
    step_functions,
)

AGGREGATES = ("ert", "mean", "median", "success_performance", "single")
MISSING = ("common", "failure", "error")

#: Columns of the table `costs` that `ratios` needs.
COLUMNS = [*limits.INSTANCE, "algorithm", "measure", "target", "at_budget", "cost", "budget", "limit", "crashed", "n"]


def performance_ratios(costs: ArrayLike) -> TwoArrays:
    """Return the ratios r_ij = c_ij / b_j with b_j = min_k c_kj, and b.

    Barreto, Bernardino, Barbosa 2010, section 2; Dolan and Moré 2002. Ratios are at least 1, at most
    `step_functions.LARGEST_RATIO`; inf for a failure. b_j is inf where no algorithm solves the problem.
    """
    c = reals(costs)
    if c.ndim != 2:
        raise ValueError("costs must be a matrix of algorithms by problems")
    wrong = ~(c > 0)
    if wrong.any():
        i, j = np.unravel_index(int(np.argmax(wrong)), c.shape)
        raise UserError(f"ratios: the cost of algorithm {i} on problem {j} is {c[i, j]:g}, expected a number > 0.")
    baseline = np.min(c, axis=0, initial=np.inf)
    return step_functions.ratios(c, baseline), baseline


def ratios(
    costs: keys.Costs,
    *,
    measure: str,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    aggregate: str = "ert",
    missing: str = "common",
    shift: float = 0.0,
    profiled: bool = True,
    not_competing: Collection[str] = (),
) -> pa.Table:
    """Make one cost of the trials of each algorithm on each problem, and its ratio to the best: the table `ratios`.

    `profiled` says whether profiles are made of the ratios, which then have to be defined. By problem (natural order, target or
    budget as in the costs), then algorithm.
    """
    for name, value, allowed in (("aggregate", aggregate, AGGREGATES), ("missing", missing, MISSING)):
        if value not in allowed:
            raise UserError(f"measure {measure!r}: {name} is {value!r}, expected one of {', '.join(allowed)}.")
    row_keys = [*limits.problem_columns(problem_keys), "target", "at_budget"]
    data, late = limits.costs_of(costs, measure, not_competing)
    problem, problems = keys.cells(data, row_keys)
    algorithm, names = keys.algorithms(data)
    shape = (problems.num_rows, len(names))
    order, offsets = keys.starts(problem * shape[1] + algorithm, shape[0] * shape[1])

    def where(cell: int) -> str:
        return f"{names[cell % shape[1]]!r} on {keys.described(problems.slice(cell // shape[1], 1).to_pylist()[0])}"

    data = shifted(data.take(pa.array(order)), shift)
    cost, n_trials, n_successes = _aggregated(data, offsets, measure, aggregate, where)
    present = n_trials > 0
    undefined = present & ~(cost > 0)
    if profiled:
        _check_positive(data, cost, undefined, offsets, measure, aggregate, where)
    crashed = np.isinf(cost) & present & (replicates.totals(schema.flags(data, "crashed"), offsets) == np.diff(offsets))
    n_late = replicates.totals(np.where(late, data.column("n").to_numpy(), 0)[order], offsets)
    absent = np.flatnonzero(~present)
    if absent.size and missing == "error":
        first = "; ".join(where(int(cell)) for cell in absent[:3])
        raise UserError(
            f"measure {measure!r}: {absent.size} of {cost.size} cells have no trial, first {first}; add the logs or set "
            "missing: common or missing: failure."
        )
    matrix = np.where(present, cost, np.inf).reshape(shape)
    defined = np.asarray(~undefined.reshape(shape).any(axis=1), bool)
    ratio, baseline = performance_ratios(np.where(defined[:, None], matrix, np.inf).T)
    shown = np.arange(cost.size) if missing == "failure" else np.flatnonzero(present)
    no_ratio = ~defined[shown // shape[1]]
    included = np.ones(shape[0], bool) if missing == "failure" else np.asarray(present.reshape(shape).all(axis=1), bool)
    row, column = pa.array(shown // shape[1]), pa.array(shown % shape[1])
    return schema.table(
        "ratios",
        {
            "measure": pa.DictionaryArray.from_arrays(pa.array(np.zeros(shown.size, np.int32)), pa.array([measure])),
            **{name: problems.column(name).take(row) for name in row_keys},
            "algorithm": pa.array(names, pa.string()).dictionary_encode().take(column),
            "cost": matrix.ravel()[shown],
            "ratio": pa.array(ratio.T.ravel()[shown], mask=no_ratio),
            "baseline": pa.array(baseline.take(shown // shape[1]), mask=no_ratio),
            "n_trials": n_trials[shown].astype(np.int32),
            "n_successes": n_successes[shown].astype(np.int32),
            "n_late": pa.array(n_late[shown].astype(np.int32), mask=np.full(shown.size, not late.any())),
            "spent": pa.array(_spent(data, cost, offsets)[shown], from_pandas=True),
            "crashed": pa.array(crashed[shown], mask=np.full(shown.size, not crashed.any())),
            "included": included[shown // shape[1]],
        },
    )


def _spent(data: pa.Table, cost: Array, offsets: Index) -> Array:
    """Return the most that one trial of each cell spent: a failed one where its cost is infinite, else a successful one."""
    of_trial, budget, cell = data.column("cost").to_numpy(), schema.floats(data, "budget"), keys.of_rows(offsets)
    failed = np.isinf(of_trial)
    counted = (failed == np.isinf(cost)[cell]) & pc.is_null(data.column("at_budget")).to_numpy(zero_copy_only=False)
    largest = np.full(offsets.size - 1, -np.inf)
    # where one is not known neither is the largest
    spent = np.where(failed, np.where(np.isnan(budget), np.inf, budget), of_trial)
    np.maximum.at(largest, cell[counted], spent[counted])
    return np.where(np.isfinite(largest), largest, np.nan)


def shifted(costs: pa.Table, shift: float) -> pa.Table:
    """Return the table with `shift` added to every cost, and to what failed runs spent, but for values at budgets."""
    if not shift:
        return costs
    spent = pc.if_else(pc.is_null(costs.column("at_budget")), pc.add(costs.column("budget"), shift), costs.column("budget"))
    return schema.replaced(costs, cost=pc.add(costs.column("cost"), shift), budget=spent)


def _check_positive(
    data: pa.Table,
    cost: Array,
    undefined: Mask,
    offsets: Index,
    measure: str,
    aggregate: str,
    describe: Callable[[int], str],
) -> None:
    """Raise if a cell's cost is not positive, or its mean is lowered by a trial of negative cost."""
    of_trial = data.column("cost").to_numpy()
    negative = of_trial < 0 if aggregate not in ("median", "single") else np.zeros(of_trial.size, bool)
    if undefined.any():
        cell = int(np.argmax(undefined))
        what = f"the cost of {describe(cell)} is {cost[cell]:g}"
    elif negative.any():
        row = int(np.argmax(negative))
        cell = int(np.searchsorted(offsets, row, side="right")) - 1
        what = f"a trial of {describe(cell)} costs {of_trial[row]:g}"
    else:
        return
    values = data.column("at_budget").null_count < data.num_rows
    floor = "`floor` where values are distances to an optimum (the smallest distance told apart), " if values else ""
    add = "" if data.column("target").null_count < data.num_rows else f"{floor}`shift` (a number added to every cost), "
    raise UserError(
        f"measure {measure!r}: {what}, but ratios need costs > 0; correct the cost if it is a mistake, or add to the measure "
        f"{add}`exclude` (names of problems to leave out), or make no profiles of it (`profiles: []`, or profiles whose key "
        "`measures` does not name it): ranks and tests need no ratios."
    )


def _aggregated(
    data: pa.Table, offsets: Index, measure: str, aggregate: str, describe: Callable[[int], str]
) -> tuple[Array, Array, Array]:
    """Return cost, number of trials and of successes of each cell; `data` sorted by cell."""
    cost = data.column("cost").to_numpy()
    n = schema.floats(data, "n")
    rows = np.diff(offsets)
    n_trials = replicates.totals(n, offsets)
    n_successes = replicates.totals(np.where(np.isfinite(cost), n, 0.0), offsets)
    if np.isnan(cost).any():
        cell = int(np.searchsorted(offsets, int(np.argmax(np.isnan(cost))), side="right")) - 1
        raise UserError(f"measure {measure!r}: a cost of {describe(cell)} is not a number; give inf for a failure.")
    values = data.column("at_budget").null_count < data.num_rows
    if aggregate == "single" and (rows > 1).any():
        cell = int(np.argmax(rows > 1))
        raise UserError(
            f"measure {measure!r}: {describe(cell)} has {rows[cell]} trials, but aggregate is single; choose ert, mean or "
            "median, or add what tells the trials apart to problem_keys."
        )
    summaries = ((rows > 1) | values) & (n_trials > rows)
    if aggregate == "median" and summaries.any():
        raise UserError(
            f"measure {measure!r}: {describe(int(np.argmax(summaries)))} is given by published summaries, which have no median; "
            "set aggregate: mean."
        )
    if aggregate in ("ert", "success_performance") and values:
        raise UserError(
            f"measure {measure!r}: aggregate is {aggregate}, but fixed-budget costs are values; choose mean, median or single."
        )
    if aggregate == "single":
        return replicates.totals(cost, offsets), n_trials, n_successes
    result = replicates.aggregated(aggregate, cost, schema.floats(data, "budget"), offsets, n)
    unknown = (n_trials > 0) & np.isnan(result)
    if aggregate == "ert" and unknown.any():
        raise UserError(
            f"measure {measure!r}: a failure of {describe(int(np.argmax(unknown)))} states no budget, which ERT needs; give "
            "the budget or set aggregate: success_performance."
        )
    return result, n_trials, n_successes
