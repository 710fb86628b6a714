"""A made-up study in all tables that figures show, and how each kind of figure is asked for."""

import functools
import itertools

import numpy as np

from benchmill.core import schema
from benchmill.core.traces import pieces
from benchmill.costs import costs
from benchmill.indicators.attainment import attainment
from benchmill.indicators.curves import ecdf_curves
from benchmill.indicators.density import densities
from benchmill.indicators.ecdf import ecdf, value_ecdf
from benchmill.indicators.kaplan_meier import kaplan_meier
from benchmill.profiles import all_tables
from tests.costs.making import source
from tests.page import synthetic

MEASURE = {"name": "ert", "kind": "fixed_target", "targets": [10.0, 1e-3], "aggregate": "ert", "missing": "common"}
DOLAN_MORE = {"name": "dolan_more", "variant": "dolan_more", "by": [], "unsolved": "keep"}
NESTED = {"name": "nested", "variant": "nested", "by": [], "unsolved": "keep", "rule": "wins", "waves": None}
VALUES = {"name": "ert", "kind": "fixed_budget", "budgets": [10.0, 100.0]}
_ASKED = {"measures": [MEASURE], "profiles": [DOLAN_MORE]}

#: Kind of figure to the settings with which the tests draw it.
SETTINGS = {
    "profile": {"measure": MEASURE, "profile": DOLAN_MORE},
    "profiles": {"measures": [MEASURE], "profiles": [DOLAN_MORE, NESTED]},
    "auc_bars": {"measures": [MEASURE], "profiles": [DOLAN_MORE, NESTED]},
    "parallel_coordinates": _ASKED,
    "pareto_fronts": _ASKED,
    "outcomes": _ASKED,
    "cactus": _ASKED,
    "scatter": _ASKED,
    "ecdf": {"aggregation": "dimension", "measure": {"name": "ecdf", "targets": [10.0, 1e-3]}},
    "value_ecdf": {"measures": [VALUES]},
    "intervals": {"measure": MEASURE},
    "critical_differences": {"measures": [MEASURE]},
    "effects": {"measures": [MEASURE]},
    "scaling": {"measure": MEASURE, "targets": [10.0]},
    "running_time": {"measure": MEASURE},
    "density": {"measure": MEASURE, "targets": [10.0]},
    "kaplan_meier": {"measure": MEASURE},
    "convergence": {},
    "aocc": {},
    "specification_curve": {},
}


def tables(algorithms=synthetic.ALGORITHMS, n_problems=5, suite="bbob", dimensions=(2, 5), targets=(10.0, 1e-3)):
    """Tables of a study by the names of their schemas, computed once, and its ingest reports."""
    found = _tables(tuple(algorithms), n_problems, suite, tuple(dimensions), tuple(targets))
    return {**found, "ingest": synthetic.reports(algorithms, suite)}


@functools.cache
def _tables(algorithms, n_problems, suite, dimensions, targets):
    sizes = {"n_problems": n_problems, "dimensions": dimensions, "targets": targets}
    found = synthetic.tables(algorithms, suite, **sizes)
    rated = ratios(synthetic.costs(algorithms, **sizes), algorithms, suite, dimensions, targets)
    made = [
        all_tables(rated, measure="ert", seed=1, **{k: v for k, v in variant.items() if k not in ("rule", "waves")})
        for variant in (DOLAN_MORE, NESTED)
    ]
    for name in ("profiles", "profile_measures", "profile_intervals"):
        found[name] = schema.concatenate([part[name] for part in made])
    found |= {name: made[1][name] for name in ("waves", "wave_profiles")}
    found["ratios"] = rated
    found |= _intervals(found["ranks"])
    found |= _of_indicators(synthetic.costs(algorithms, **sizes), algorithms, suite, dimensions, targets)
    found["claims"] = _claims("DE" if "DE" in algorithms else sorted(algorithms)[0], dimensions, targets, len(algorithms))
    return found


def _claims(name, dimensions, targets, n):
    """A claim that holds for most of the conventions, with numbers of a fixed stream."""
    alone = [("each_target", f"target {target:g}") for target in targets]
    alone += [("dimension", f"dimension {dimension}") for dimension in dimensions]
    alone += [("penalty", f"a failure counts {factor} times its budget") for factor in (2, 10)]
    others = [("nemenyi", "Nemenyi's comparison"), *(("without_cluster", f"without f{i}") for i in range(12))]
    both = [(f"{a} × penalty", f"{x}, {y}") for (a, x), (b, y) in itertools.product(alone[:-2], alone[-2:])]
    rng = np.random.default_rng(3)
    rows = []
    for rule, words in [("primary", "primary analysis"), *alone, *others, *both]:
        effect = float(rng.normal(0.3, 0.25))
        few = "dimension" in rule and effect < 0.1
        outcome = "undecidable" if few else "holds" if effect > 0.2 else "not shown" if effect > -0.2 else "opposite"
        rows.append(
            {
                "claim": f"{name} best",
                "stated": True,
                "kind": "best",
                "algorithm": name,
                "measure": "ert",
                "convention": words,
                "rule": rule,
                "group": "x",
                "holds": None if few else outcome == "holds",
                "outcome": outcome,
                "same_as": "primary analysis" if words == "without f3" else None,
                "criterion": "mean rank" if rule == "nemenyi" else "net share of wins",
                "test": "x",
                "effect": effect,
                "effect_low": None if rule == "nemenyi" else effect - 0.2,
                "effect_high": None if rule == "nemenyi" else effect + 0.2,
                "alpha": 0.05,
                "n_clusters": 12,
                "n_cells": 48,
                "n_algorithms": n,
                "text": "x",
            }
        )
    return schema.of_rows("claims", [{**dict.fromkeys(schema.TABLES["claims"].names), **row} for row in rows])


def ratios(made, algorithms, suite, dimensions, targets):
    """The table of ratios, by its definition: expected running times over the smallest of any algorithm."""
    cost, budget = made
    failed = np.isinf(cost)
    wins = (~failed).sum(axis=4)
    with np.errstate(divide="ignore", invalid="ignore"):
        ert = np.where(wins > 0, np.where(failed, budget, cost).sum(axis=4) / wins, np.inf)
        best = np.broadcast_to(ert.min(axis=0), ert.shape)
        ratio = np.where(np.isinf(ert), np.inf, ert / best)
    rows = [
        {
            "measure": "ert",
            "suite": suite,
            "problem": f"f{p + 1}",
            "dimension": dimension,
            "target": target,
            "algorithm": name,
            "cost": float(ert[a, p, d, t]),
            "ratio": float(ratio[a, p, d, t]),
            "baseline": float(best[a, p, d, t]),
            "n_trials": cost.shape[4],
            "n_successes": int(wins[a, p, d, t]),
            "included": True,
        }
        for p, (d, dimension), (t, target), (a, name) in itertools.product(
            range(cost.shape[1]), enumerate(dimensions), enumerate(targets), enumerate(algorithms)
        )
    ]
    return schema.table("ratios", {c: [row.get(c) for row in rows] for c in schema.TABLES["ratios"].names})


def _intervals(ranks):
    rows = ranks.to_pylist()
    common = {"measure": "ert", "method": "conover", "scale": "average rank", "msd": 1.0, "alpha": 0.05, "n_runs": 3}
    made = [
        {
            **common,
            "target": row["target"],
            "algorithm": row["algorithm"],
            "mean": row["average_rank"],
            "low": row["average_rank"] - 0.5,
            "high": row["average_rank"] + 0.5,
            "n_blocks": row["n_blocks"],
        }
        for row in rows
    ]
    targets = sorted({row["target"] for row in rows})
    counts = ("n_blocks", "n_treatments", "n_runs", "n_left_out", "n_runs_unused", "n_clusters", "n_failures", "seed")
    designs = [
        {"measure": "ert", "target": target, "rule": "x", "normalisation": "ranks", **dict.fromkeys(counts, 3)}
        for target in targets
    ]
    return {
        name: schema.table(name, {c: [row.get(c) for row in found] for c in schema.TABLES[name].names})
        for name, found in (("intervals", made), ("designs", designs))
    }


def _of_indicators(made, algorithms, suite, dimensions, targets):
    """Densities, attainment and areas of the same costs: a trial falls from 100 to each target at its cost."""
    cost, budget = made
    _, n_problems, _, _, n_trials = cost.shape
    places = list(itertools.product(range(n_problems), range(len(dimensions)), range(n_trials)))
    measured, valued, reached = [], [], []
    for a, name in enumerate(algorithms):
        runs = [
            {
                "problem": f"f{p + 1}",
                "dimension": dimensions[d],
                "instance": str(t),
                "trace": sorted(
                    {(1, 100.0), *((int(cost[a, p, d, k, t]), v) for k, v in enumerate(targets) if cost[a, p, d, k, t] < np.inf)}
                ),
                "budget": int(budget[a, p, d, 0, t]),
            }
            for p, d, t in places
        ]
        trials, traces = source(runs, algorithm=name, suite=suite)
        valued.append(costs("fixed_budget", trials, traces, "ert", {"budgets": VALUES["budgets"]}))
        measured.append(costs("fixed_target", trials, traces, "ert", {"targets": targets}))
        steps = pieces(traces, trials, "logged", on_target=False)
        reached.append(attainment(trials, steps, larger=np.zeros(trials.num_rows, bool)))
    return {
        "densities": schema.concatenate([densities(one) for one in measured]),
        **kaplan_meier(measured),
        "attainment": schema.concatenate([piece for one, _ in reached for piece in one]),
        "convergence": schema.concatenate([one for _, one in reached]),
        "ecdf_curves": ecdf_curves(ecdf(measured, aggregation="problem"), measured, aggregation="problem"),
        "value_ecdf": value_ecdf(valued, aggregation="problem"),
    }
