"""Expected running time, success rates and descriptive statistics of one source, independent of all others."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, Index, Mask, TwoArrays, UserError, keys, limits, quietly, schema
from benchmill.core.replicates import (
    deviation,
    ert,
    mean,
    mean_successful,
    penalised,
    quantiles,
    success_performance,
    totals,
    truncated,
)
from benchmill.indicators.ecdf import dimensions
from benchmill.indicators.intervals import running_times
from benchmill.indicators.job import Given, Made, columns_of, within
from benchmill.registry.entry import described
from benchmill.registry.indicator_options import BUDGET_RULES
from benchmill.registry.indicator_options import Ert as Options
from benchmill.registry.indicators import Indicator

_SHARES = [q / 100 for q in schema.QUANTILES]

#: How many times its budget a failure counts in the column `par`.
PAR_FACTOR = 10.0


@np.errstate(invalid="ignore")
def charged(rule: str, costs: ArrayLike, budgets: ArrayLike, offsets: ArrayLike, common: ArrayLike | None = None) -> TwoArrays:
    """Return the costs and budgets of the trials of cells under a budget rule.

    `common` is the budget B of that rule, the same for the trials of a cell. Unknown budgets stay NaN.
    """
    t, b = np.asarray(costs, float), np.asarray(budgets, float)
    if rule not in BUDGET_RULES:
        raise UserError(f"budget_rule is {rule!r}, expected one of {', '.join(BUDGET_RULES)}.")
    if rule == "own":
        return t, b
    bounds = np.asarray(offsets, np.int64)
    cell = keys.of_rows(bounds)
    # NaN wins: a largest (smallest) budget is unknown as soon as one is
    if rule == "max":
        largest = np.full(bounds.size - 1, -np.inf)
        np.maximum.at(largest, cell, b)
        return t, largest[cell]
    smallest, failed = np.full(bounds.size - 1, np.inf), np.isinf(t)
    np.minimum.at(smallest, cell[failed], b[failed])
    limit = smallest[cell] if common is None else np.broadcast_to(np.asarray(common, float), t.shape)
    # a comparison with NaN is false: without a known limit no trial is cut
    cut = np.isfinite(t) & (t > limit)
    return np.where(cut, np.inf, t), np.where(cut | (b > limit), limit, b)


#: The options of a study that says nothing of them.
USUAL = Options()


@quietly()
def indicators(
    costs: pa.Table | Sequence[pa.Table],
    options: Options = USUAL,
    *,
    report: schema.Facts | None = None,
    trials: pa.Table | None = None,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    measures: Mapping[str, schema.Facts] | None = None,
    quantities: Mapping[str, str] | None = None,
) -> pa.Table:
    """Return the table `indicators` of one source; `quantities` are what measures count beside the stated cost."""
    data = schema.concatenate(costs)
    absent = _absent(data, report, measures or {})
    (code, lacking), cells = keys.together(
        [data, absent], ["measure", *limits.problem_columns(problem_keys), "target", "at_budget", "algorithm"]
    )
    order, offsets = keys.starts(code, cells.num_rows)
    rows, instance = data.take(pa.array(order)), keys.numbers(data, ["instance"])
    n = schema.floats(rows, "n")
    cost, budget = _charged(rows, offsets, options)
    larger = schema.flags(rows, "larger")
    sign, failed = np.where(larger, -1.0, 1.0), np.isinf(cost)
    # values that are maximised stand negated among the costs, and are themselves again in their statistics
    spent = sign * truncated(cost, budget)
    size, n_trials = np.diff(offsets), totals(n, offsets)
    n_successes = totals(np.where(failed, 0.0, n), offsets)
    is_value = pc.is_valid(cells["at_budget"]).to_numpy(zero_copy_only=False)
    summary = n_trials > size
    # the successful trials alone, in the same cells
    reached, of_reached = (sign * cost)[~failed], np.append(0, np.cumsum(~failed))[offsets]
    upward = totals(larger, offsets) > 0
    success_rate = n_successes / n_trials
    failure_budget = totals(np.where(failed, n * spent, 0.0), offsets) / (n_trials - n_successes)
    mean_reached = np.where(upward, -1.0, 1.0) * mean_successful(cost, offsets, n)
    stated_sd = np.where((size == 1) & (n_successes > 0), totals(schema.floats(rows, "cost_sd"), offsets), np.nan)
    ert_ends, performance_ends = running_times(cost, budget, offsets, options.level)
    floored = totals(schema.flags(rows, "floored"), offsets)
    crashed = (totals(schema.flags(rows, "crashed"), offsets) == size) & (size > 0)
    ill = np.zeros(len(cost)) if trials is None else schema.says(trials.take(rows["trial"]), "status", "ill_finalised")
    no_interval = is_value | summary
    par = penalised(
        cost, _limits(rows, budget, trials, quantities) if trials is not None and quantities else budget, PAR_FACTOR, offsets, n
    )
    quantile = np.where(summary & (size > 0), np.nan, quantiles(spent, _SHARES, offsets, options.quantile_type))
    quantile_successful = quantiles(reached, _SHARES, of_reached, options.quantile_type)
    return schema.table(
        "indicators",
        {
            **columns_of(cells),
            "ert": schema.or_null(ert(cost, budget, offsets, n), is_value),
            **_ends("ert", ert_ends, no_interval),
            "success_rate": success_rate,
            "success_performance": schema.or_null(success_performance(cost, offsets, n), is_value),
            **_ends("success_performance", performance_ends, no_interval),
            "par": schema.or_null(par, is_value | np.isinf(par)),
            "mean": mean(spent, offsets, n),
            "median": np.where(summary & (size > 0), np.nan, quantiles(spent, [0.5], offsets)[0]),
            "sd": schema.or_null(np.where(summary, stated_sd, deviation(spent, offsets))),
            **{f"q{q:02d}": quantile[i] for i, q in enumerate(schema.QUANTILES)},
            "mean_successful": schema.or_null(mean_reached),
            "median_successful": schema.or_null(quantiles(reached, [0.5], of_reached)[0], summary),
            "sd_successful": schema.or_null(np.where(summary, stated_sd, deviation(reached, of_reached))),
            **{f"q{q:02d}_successful": schema.or_null(quantile_successful[i], summary) for i, q in enumerate(schema.QUANTILES)},
            "larger": pa.array(upward, mask=~upward),
            "failure_budget": schema.or_null(failure_budget, np.isinf(failure_budget)),
            "crashed": pa.array(crashed, mask=~crashed),
            "budget_rule": options.rule,
            "quantile_type": options.quantile_type,
            "par_factor": PAR_FACTOR,
            "level": options.level,
            "n_trials": n_trials,
            "n_successes": n_successes,
            "n_instances": keys.count_distinct(code, instance, cells.num_rows),
            "n_missing": np.bincount(lacking, absent["n"].to_numpy(), cells.num_rows),
            "n_ill_finalised": totals(ill, offsets),
            "n_floored": pa.array(floored, mask=floored == 0),
        },
    )


def _charged(rows: pa.Table, offsets: Index, options: Options) -> TwoArrays:
    """Return the costs and budgets under the budget rule; values at a budget have none."""
    fixed_budget = pc.is_valid(rows["at_budget"]).to_numpy(zero_copy_only=False)
    budget = np.where(fixed_budget, np.nan, schema.floats(rows, "budget"))
    limit = None
    if isinstance(options.budget_rule, Mapping):
        dimension = dimensions(rows, "budget_rule", "write `common`, or use another rule")
        limit = np.where(fixed_budget, np.nan, options.budget_rule["common"] * dimension)
    return charged(options.rule, rows["cost"].to_numpy(), budget, offsets, limit)


def _limits(rows: pa.Table, budget: Array, trials: pa.Table, quantities: Mapping[str, str]) -> Array:
    """Return what failures are charged a multiple of; of a crash not what it had spent, but its limit, NaN if unknown."""
    of, found = trials.take(rows["trial"]), budget
    outcome, stated = of["outcome"].to_pylist(), schema.floats(of, "cost_budget")
    for measure, quantity in quantities.items():
        found = np.where(schema.says(rows, "measure", measure), limits.of_failures(budget, outcome, stated, quantity), found)
    return found


def _ends(name: str, ends: Array | tuple[Array, Array], undefined: Mask) -> dict[str, pa.Array]:
    return {f"{name}_{side}": schema.or_null(end, undefined) for side, end in zip(("low", "high"), ends, strict=True)}


def _absent(data: pa.Table, report: schema.Facts | None, measures: Mapping[str, schema.Facts]) -> pa.Table:
    """Return a row with the count `n` for every missing entry of the report and every measure and target of the source."""
    level_keys = ["measure", "target", "at_budget", "algorithm"]
    levels = keys.cells(data, level_keys)[1].to_pylist()
    named = {level["algorithm"] for level in levels}
    without = {str(entry["algorithm"]) for entry in (report or {}).get("missing", []) if entry.get("algorithm")} - named
    if levels and (strangers := sorted(without - {*(report or {}).get("algorithms_in_logs", {}).values()})):
        raise UserError(
            f"ingest report: it lists missing trials of {strangers[0]!r}, for which there are no costs; make the report and "
            "the costs from the same source."
        )
    # algorithms of which every trial is missing
    targets = keys.cells(data, level_keys[:-1])[1].to_pylist()
    levels += [target | {"algorithm": name} for name in sorted(without) for target in targets]
    rows = []
    for level in levels:
        for entry in within(report, **measures.get(level["measure"], {}))["missing"]:
            if entry.get("algorithm") in (None, level["algorithm"]):
                place = {name: entry.get(name) for name in limits.INSTANCE}
                words = {name: None if value is None else str(value) for name, value in place.items() if name != "dimension"}
                rows.append({**level, **place, **words, "n": float(entry.get("count", 1))})
    fields = [*(data.schema.field(name) for name in (*limits.INSTANCE, *level_keys)), pa.field("n", pa.float64())]
    return pa.Table.from_pylist(rows, pa.schema(fields))


def job(given: Given) -> Made:
    """Make `indicators` of costs and trials of one source."""
    (trials,), (report,) = given.read("trials"), given.reports
    return Made(
        {"indicators": indicators(given.read("costs"), given.options(Options), report=report, trials=trials, **given.needed)}
    )


ENTRIES = described(__file__, Indicator, indicators=job)
