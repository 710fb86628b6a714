"""Small tables for tests, written by hand: trials with their improvements, stated costs, costs, ratios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.costs import costs as measured

INF = float("inf")


def source(
    runs: Iterable[dict[str, Any]], *, algorithm: str = "A", suite: str | None = "s", value_kind: str = "difference"
) -> tuple[pa.Table, pa.Table]:
    """Tables `trials` and `traces`; each run has `trace` [(evaluations, value[, violation])] and any column of `trials`."""
    trials: dict[str, list[Any]] = {name: [] for name in schema.TABLES["trials"].names}
    traces: dict[str, list[Any]] = {name: [] for name in schema.TABLES["traces"].names}
    seen: dict[Any, int] = {}
    for number, run in enumerate(runs):
        keys = {"suite": suite, "problem": "f1", "dimension": 2, "instance": "1", "algorithm": algorithm} | {
            name: run[name] for name in ("suite", "problem", "dimension", "instance", "algorithm") if name in run
        }
        seen[tuple(keys.values())] = repetition = seen.get(tuple(keys.values()), 0) + 1
        keys |= {"run": repetition, "trial": number}
        trace = run.get("trace", [])
        defaults = {
            "budget": trace[-1][0] if trace else None,
            "value_kind": value_kind,
            "maximise": False,
            "n": 1,
            "status": "failed",
            "source": f"log.txt:{number + 1}",
        }
        row = defaults | {k: v for k, v in run.items() if k != "trace"} | keys
        for name, column in trials.items():
            column.append(row.get(name))
        for step in trace:
            for name, value in (
                keys | {"evaluations": step[0], "value": step[1], "on_target": True, "violation": (*step, None)[2]}
            ).items():
                traces[name].append(value)
    return schema.table("trials", trials), schema.table("traces", traces)


def cost_rows(rows: Sequence[dict[str, Any]], measure: str = "m") -> pa.Table:
    """Table `costs` from rows with at least `algorithm` and `cost`."""
    columns: dict[str, list[Any]] = {name: [] for name in schema.TABLES["costs"].names}
    for number, given in enumerate(rows):
        row = {
            "suite": "s",
            "problem": "f1",
            "dimension": 2,
            "instance": "1",
            "run": 1,
            "trial": number,
            "measure": measure,
            "n": 1,
        }
        row |= given
        row["success"] = bool(np.isfinite(row["cost"]))
        for name, column in columns.items():
            column.append(row.get(name))
    return schema.table("costs", columns)


def matrix_costs(costs: Any, measure: str = "m", **extra: Any) -> pa.Table:
    """Table `costs` from a matrix (algorithms by problems) of single costs; algorithms a1, a2, …, problems p1, p2, …"""
    c = np.asarray(costs, float)
    return cost_rows(
        [
            {"algorithm": f"a{i + 1}", "problem": f"p{j + 1}", "cost": c[i, j], **extra}
            for i in range(c.shape[0])
            for j in range(c.shape[1])
        ],
        measure,
    )


def solver_runs(
    times: dict[str, Sequence[Any]], limit: float | None = 100.0, measure: str = "time", **columns: Any
) -> tuple[pa.Table, pa.Table]:
    """Costs and trials of one source; times by algorithm: a number, None (time limit), or the name of another outcome."""
    runs = []
    for algorithm, own in times.items():
        for problem, time in enumerate(own, 1):
            for one in time if isinstance(time, list) else [time]:
                failed = one is None or isinstance(one, str)
                outcome = ("time_limit" if one is None else one) if failed else "solved"
                run = {"algorithm": algorithm, "problem": f"p{problem}", "outcome": outcome, "dimension": None, "instance": None}
                run |= {"cost": INF if failed else one, "status": "failed" if failed else "solved", "cost_budget": limit}
                runs.append(run | {name: values.get((algorithm, problem)) for name, values in columns.items()})
    trials, _ = source([run for run in runs if run["outcome"] != "absent"], suite=None)
    return measured("given", trials, None, measure, {}), trials
