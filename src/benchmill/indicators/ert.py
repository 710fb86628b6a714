"""Expected running time, success rates and descriptive statistics of one source, independent of all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import keys, schema
from benchmill.errors import UserError
from benchmill.replicates import deviation, ert, mean, mean_successful, quantiles, success_performance, totals, truncated

__all__ = ["QUANTILES", "ert", "indicators", "success_performance"]

#: Per cent; the list of IOHprofiler.
QUANTILES = (2, 5, 10, 25, 50, 75, 90, 95, 98)

_PROBLEM_KEYS = ("suite", "problem", "dimension", "instance")


def indicators(
    costs: pa.Table | Sequence[pa.Table],
    *,
    report: Mapping[str, Any] | None = None,
    trials: pa.Table | None = None,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
) -> pa.Table:
    """ERT, success rate and statistics per algorithm, problem, measure and target or budget.

    Parameters
    ----------
    costs : pyarrow.Table or sequence of pyarrow.Table
        Tables `costs` of one source, any number of measures.
    report : mapping, optional
        Ingest report of the source; its `missing` lists the trials that the source's design expects and that are absent, as
        {algorithm, suite, problem, dimension, instance, count} each (without `algorithm`: of every algorithm). They are counted
        in `n_missing`, nowhere else.
    trials : pyarrow.Table, optional
        Table `trials` of the source, for `n_ill_finalised`; 0 without it.
    problem_keys : sequence of str
        What makes a problem; other keys are null in the result and their trials are replicates.

    Returns
    -------
    pyarrow.Table
        Table `indicators`, by measure, problem, target or budget, algorithm. Failures count with their own budget in mean,
        median, deviation and quantiles (IOHprofiler); a failure whose budget is unknown, or of a fixed-budget measure, counts as
        inf, and `ert` is null there. Median and quantiles are NaN for published summaries (n > 1), whose deviation is the stated
        one. A problem all of whose trials are missing has `n_trials` 0, NaN and null statistics.

    Raises
    ------
    UserError
        `problem_keys` without `problem`, or a report of another source.
    """
    if "problem" not in problem_keys or not set(problem_keys) <= set(_PROBLEM_KEYS):
        raise UserError(f"problem_keys: found {list(problem_keys)}, expected problem and, as needed, suite, dimension, instance.")
    data = schema.concatenate([costs] if isinstance(costs, pa.Table) else costs)
    levels = _appearance(data)
    absent = _absent(data, report, levels)
    kept = [name for name in _PROBLEM_KEYS if name in problem_keys]
    cell_keys = ["measure", *kept, "target", "at_budget", "algorithm"]
    both = pa.concat_tables([data.select(cell_keys), absent.select(cell_keys)]).unify_dictionaries()
    code, cells = keys.cells(both, cell_keys)
    of_trial, of_absent = code[: data.num_rows], code[data.num_rows :]
    order, offsets = keys.starts(of_trial, cells.num_rows)
    rows = data.take(pa.array(order))
    cost, n = rows.column("cost").to_numpy(), rows.column("n").to_numpy().astype(float)
    fixed_budget = pc.is_valid(rows.column("at_budget")).to_numpy(zero_copy_only=False)
    budget = np.where(fixed_budget, np.nan, rows.column("budget").to_numpy(zero_copy_only=False))
    spent = truncated(cost, budget)
    size, n_trials = np.diff(offsets), totals(n, offsets)
    n_successes = totals(np.where(np.isfinite(cost), n, 0.0), offsets)
    is_value = pc.is_valid(cells.column("at_budget")).to_numpy(zero_copy_only=False)
    summary = n_trials > size
    quantile = np.where(summary & (size > 0), np.nan, quantiles(spent, [q / 100 for q in QUANTILES], offsets))
    with np.errstate(invalid="ignore", divide="ignore"):
        success_rate = n_successes / n_trials
    stated_sd = totals(rows.column("cost_sd").to_numpy(zero_copy_only=False), offsets)
    sd = np.where(summary, np.where((size == 1) & (n_successes > 0), stated_sd, np.nan), deviation(spent, offsets))
    return schema.table(
        "indicators",
        {
            **{name: cells.column(name) for name in cell_keys},
            "ert": _or_null(np.where(is_value, np.nan, ert(cost, budget, offsets, n))),
            "success_rate": success_rate,
            "success_performance": _or_null(np.where(is_value, np.nan, success_performance(cost, offsets, n))),
            "mean": mean(spent, offsets, n),
            "median": quantile[QUANTILES.index(50)],
            "sd": _or_null(sd),
            **{f"q{q:02d}": quantile[i] for i, q in enumerate(QUANTILES)},
            "mean_successful": _or_null(mean_successful(cost, offsets, n)),
            "n_trials": n_trials.astype(np.int32),
            "n_successes": n_successes.astype(np.int32),
            "n_instances": _distinct_instances(rows, offsets),
            "n_missing": np.bincount(of_absent, absent.column("n").to_numpy(), cells.num_rows).astype(np.int32),
            "n_ill_finalised": totals(_ill_finalised(rows, trials), offsets).astype(np.int32),
        },
    )


def _or_null(values: npt.NDArray[np.float64]) -> pa.Array:
    return pa.array(values, mask=np.isnan(values))


def _appearance(data: pa.Table) -> pa.Table:
    """The distinct (measure, target, at_budget, algorithm) of the costs."""
    return keys.cells(data, ["measure", "target", "at_budget", "algorithm"])[1]


def _absent(data: pa.Table, report: Mapping[str, Any] | None, levels: pa.Table) -> pa.Table:
    """A row with the count `n` for every missing entry of the report and every measure and target of the source."""
    entries = list((report or {}).get("missing", []))
    schema_of = pa.schema([*(data.schema.field(k) for k in (*_PROBLEM_KEYS, *levels.column_names)), pa.field("n", pa.float64())])
    columns: dict[str, Any] = {}
    known = {None, *levels.column("algorithm").to_pylist()}
    strangers = sorted({str(entry["algorithm"]) for entry in entries if entry.get("algorithm") not in known})
    if strangers and levels.num_rows:
        raise UserError(
            f"ingest report: it lists missing trials of {strangers[0]!r}, of which there are no costs; make the report and "
            "the costs from the same source."
        )
    wanted = [
        (entry, level)
        for entry in entries
        for level in range(levels.num_rows)
        if entry.get("algorithm") in (None, levels.column("algorithm")[level].as_py())
    ]
    for name in _PROBLEM_KEYS:
        values = [entry.get(name) for entry, _ in wanted]
        columns[name] = _typed([v if v is None or name == "dimension" else str(v) for v in values], schema_of.field(name).type)
    level_rows = pa.array([level for _, level in wanted], pa.int64())
    columns |= {name: levels.column(name).take(level_rows) for name in levels.column_names}
    columns["n"] = pa.array([float(entry.get("count", 1)) for entry, _ in wanted], pa.float64())
    return pa.table({field.name: columns[field.name] for field in schema_of}, schema=schema_of)


def _typed(values: list[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.array(values, pa.string()).dictionary_encode().cast(kind)
    return pa.array(values, kind)


def _distinct_instances(rows: pa.Table, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Number of different instances in each cell; an instance without a name is one instance."""
    instance, names = keys.cells(rows, ["instance"])
    cell = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    pairs = np.unique(cell * max(names.num_rows, 1) + instance)
    return np.bincount(pairs // max(names.num_rows, 1), minlength=offsets.size - 1).astype(np.int32)


def _ill_finalised(rows: pa.Table, trials: pa.Table | None) -> npt.NDArray[np.float64]:
    if trials is None:
        return np.zeros(rows.num_rows)
    ill = np.asarray(pc.equal(trials.column("status").cast(pa.string()), "ill_finalised"), float)
    return np.asarray(ill[rows.column("trial").to_numpy()], float)
