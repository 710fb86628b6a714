"""Made-up tables in the shape of a real study: heavy-tailed costs with failures, several problems, dimensions and targets.

The numbers mean nothing; every derived column follows the definition of its schema, by plain loops.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.indicators.kaplan_meier import kaplan_meier
from benchmill.indicators.summary import Options, summary
from benchmill.inference.design import Design
from benchmill.inference.verdicts import Declaration, primary, rank_sets, verdicts
from benchmill.profiles.standings import leaders
from benchmill.text.sentences import Sentences
from tests.costs.making import solver_runs

#: A study as paper and page take it, of which nothing is known.
NOTHING: dict[str, Any] = {
    "name": "x",
    "config": {},
    "methods": [],
    "data": {},
    "evidence": {"runs": None, "why": ""},
    "sentences": asdict(Sentences()),
    **dict.fromkeys(("title", "primary", "pens")),
    **{key: {} for key in ("groups", "runs", "summaries", "verdicts")},
    **{key: [] for key in ("reports", "figures", "repeated", "tables", "long", "held", "numbers")},
}
ALGORITHMS = ("CMA-ES", "DE", "L-BFGS-B", "Nelder-Mead", "PSO", "Powell", "Random search", "SLSQP")
HOSTILE = (
    r"\input{/etc/passwd}",
    '<img src=x onerror="alert(1)">',
    "100 % of $x^2$ & ~#_{}",
    "‮evil‬ خوارزمية",
    "🚀 rocket 😀",
    "L" + "o" * 197 + "ng",
    "L" + "o" * 197 + "mg",
    "]]><script>alert(1)</script><!--",
    "é–ß “quoted” -- ‐",
    "日本語",
)


def costs(algorithms=ALGORITHMS, n_problems=24, dimensions=(2, 3, 5, 10), targets=(10.0, 1e-3, 1e-7), n_trials=5, seed=7):
    """Array (algorithm, problem, dimension, target, trial) of costs, inf for failure, and the budgets."""
    rng = np.random.default_rng(seed)
    shape = (len(algorithms), n_problems, len(dimensions), len(targets), n_trials)
    skill = np.linspace(0, 2.2, len(algorithms))[:, None, None, None, None]
    hard = rng.normal(0, 1.2, n_problems)[None, :, None, None, None]
    size = np.log(np.array(dimensions))[None, None, :, None, None]
    taste = rng.normal(0, 1.0, (len(algorithms), n_problems, 1, 1, 1))
    steps = np.cumsum(rng.gamma(2.0, 0.5, shape), axis=3)
    log_cost = 3 + 0.8 * skill + hard + 1.3 * size + taste + steps + 0.3 * rng.standard_t(2.5, shape)
    budget = np.broadcast_to(1000.0 * np.array(dimensions)[None, None, :, None, None], shape)
    cost = np.ceil(np.exp(log_cost))
    return np.where(cost <= budget, np.maximum(cost, 1), np.inf), budget


def tables(algorithms=ALGORITHMS, suite="bbob", measure="ert", **sizes: Any) -> dict[str, pa.Table]:
    """Profiles (two variants), measures, indicators, ECDF, tests, ranks and comparisons of a made-up study, computed once."""
    return dict(_tables(tuple(algorithms), suite, measure, **sizes))


@functools.cache
def _tables(algorithms, suite, measure, **sizes):
    sizes = {"n_problems": 24, "dimensions": (2, 3, 5, 10), "targets": (10.0, 1e-3, 1e-7), **sizes}
    cost, budget = costs(algorithms, **sizes)
    dimensions, targets = sizes["dimensions"], sizes["targets"]
    problems = [f"f{i + 1}" for i in range(sizes["n_problems"])]
    failed = np.isinf(cost)
    spent = np.where(failed, budget, cost).sum(axis=4)
    wins = (~failed).sum(axis=4)
    with np.errstate(divide="ignore", invalid="ignore"):
        ert = np.where(wins > 0, spent / wins, np.inf)  # (algorithm, problem, dimension, target)
        best = ert.min(axis=0)
        ratio = np.where(np.isinf(ert), np.inf, ert / best)
    out: dict[str, pa.Table] = {}
    found = [_profiles(algorithms, measure, "dolan_more", None, None, ratio.reshape(len(algorithms), -1))]
    for d, dimension in enumerate(dimensions):
        found.append(
            _profiles(
                algorithms, measure, "dolan_more_by_dimension", dimension, None, ratio[:, :, d].reshape(len(algorithms), -1)
            )
        )
    out["profiles"] = schema.table("profiles", _join([f[0] for f in found]))
    out["profile_measures"] = schema.table("profile_measures", _join([f[1] for f in found]))
    out["indicators"] = _indicators(algorithms, suite, measure, problems, dimensions, targets, cost, budget, ert)
    out["ecdf"] = _ecdf(algorithms, suite, problems, dimensions, cost)
    out |= _standings(out["profile_measures"].to_pylist())
    out |= _inference(algorithms, measure, targets, ert)
    out["leaders"] = leaders({measure: _ratios(algorithms, suite, measure, (problems, dimensions, targets), ert)})
    designs = {measure: _designs(algorithms, suite, (problems, dimensions, targets), ert)}
    out["verdicts"] = verdicts(designs, Declaration(permutations=199), out["leaders"])
    out["rank_sets"] = rank_sets(primary(designs, Declaration(permutations=199)))
    seconds = [[None if math.isinf(c) else float(c) for c in own] for own in cost[:, :, 0, 0, 0]]
    first = dict(zip(algorithms, seconds, strict=True))
    stated, trials = solver_runs(first, limit=1e4, measure=measure)
    out["restricted_means"] = kaplan_meier(stated)["restricted_means"]
    out |= summary([stated], [trials], Options(), shift=10.0)
    return out


def _ratios(algorithms, suite, measure, shape, ert):
    """What leaders are named by: costs alone."""
    problems, dimensions, targets = shape
    cells = list(itertools.product(algorithms, problems, dimensions, targets))
    keys = dict(zip(("algorithm", "problem", "dimension", "target"), zip(*cells, strict=True), strict=True))
    n = len(cells)
    columns = {"measure": [measure] * n, "suite": [suite] * n, **keys, "cost": ert.ravel(), "included": [True] * n}
    counts = {"n_trials": [1] * n, "n_successes": np.isfinite(ert).ravel().astype(int)}
    empty = {name: [None] * n for name in ("instance", "at_budget", "ratio", "baseline")}
    return schema.table("ratios", {**columns, **counts, **empty})


def _designs(algorithms, suite, shape, ert):
    problems, dimensions, targets = shape
    keys = [{"suite": suite, "problem": problem, "dimension": d} for problem in problems for d in dimensions]
    return [
        Design(
            ert[..., t].reshape(len(algorithms), -1).T[:, :, None],
            [f"{key['problem']} {key['dimension']}" for key in keys],
            list(algorithms),
            target=target,
            problems=keys,
        )
        for t, target in enumerate(targets)
    ]


def _join(parts: list[dict[str, list[Any]]]) -> dict[str, list[Any]]:
    return {key: list(itertools.chain.from_iterable(part[key] for part in parts)) for key in parts[0]}


def _profiles(algorithms, measure, variant, dimension, target, ratio):
    finite = ratio[np.isfinite(ratio)]
    tau_max = float(finite.max()) if finite.size else 1.0
    n = ratio.shape[1]
    curves: dict[str, list[Any]] = {k: [] for k in ("measure", "variant", "dimension", "target", "algorithm", "tau", "rho")}
    auc, log_auc, rho_1, rho_end, star = [], [], [], [], []
    for name, row in zip(algorithms, ratio, strict=True):
        points = np.unique(np.concatenate([[1.0], row[np.isfinite(row)], [tau_max]]))
        values = [(row <= t).mean() for t in points]
        for t, v in zip(points, values, strict=True):
            for key, value in zip(curves, (measure, variant, dimension, target, name, t, v), strict=True):
                curves[key].append(value)
        auc.append(float(np.maximum(tau_max - row[np.isfinite(row)], 0).sum() / n))
        log_auc.append(float(np.maximum(np.log(tau_max / row[np.isfinite(row)]), 0).sum() / n))
        rho_1.append(values[0])
        rho_end.append(values[-1])
        star.append(float(row.max()))
    k = len(algorithms)

    def rank(v, sign):
        return [1 + sum(other < own if sign > 0 else other > own for other in v) for own in v]

    smallest = min(star)
    measures = {
        "measure": [measure] * k,
        "variant": [variant] * k,
        "dimension": [dimension] * k,
        "target": [target] * k,
        "algorithm": list(algorithms),
        "auc": auc,
        "auc_normalised": [a / max(auc) if max(auc) else 0.0 for a in auc],
        "tau_max": [tau_max] * k,
        "reliability": star,
        "tau_star": star,
        "tau_min_over_tau_star": [0.0 if math.isinf(s) else smallest / s for s in star],
        "rho_1": rho_1,
        "rho_tau_max": rho_end,
        "wins": [round(r * n) for r in rho_1],
        "n_problems": [n] * k,
        "n_unsolved": [int(np.isinf(ratio).all(axis=0).sum())] * k,
        "rank_auc": rank(auc, -1),
        "rank_rho_1": rank(rho_1, -1),
        "rank_rho_tau_max": rank(rho_end, -1),
        "rank_tau_star": rank(star, 1),
        "epsilon": [0.0] * k,
        "auc_log": log_auc,
        "auc_log_normalised": [a / max(log_auc) if max(log_auc) else 0.0 for a in log_auc],
        "rank_auc_log": rank(log_auc, -1),
        "rank_rho_tau_max_tau_star": rank([(-end, at) for end, at in zip(rho_end, star, strict=True)], 1),
        "front_wins_solved": [r == max(rho_1) for r in rho_1],
        "front_wins_tau_star": [s == smallest for s in star],
    }
    return curves, measures


def _standings(rows):
    """Ranks by three criteria, and pairs in the order of the areas."""
    group = ("measure", "variant", "dimension", "target")
    ranked, pairs = [], []
    for row in rows:
        shared = {key: row[key] for key in group}
        others = [other for other in rows if all(other[key] == row[key] for key in group)]
        for criterion, larger in (("auc", True), ("rho_1", True), ("tau_star", False)):
            better = [o for o in others if (o[criterion] > row[criterion] if larger else o[criterion] < row[criterion])]
            equal = [o for o in others if o[criterion] == row[criterion]]
            ranked.append(
                {
                    **{key: row.get(key) for key in schema.TABLES["standings"].names},
                    "criterion": criterion,
                    "value": row[criterion],
                    "larger_is_better": larger,
                    "rank": 1 + len(better),
                    "n_sharing": len(equal),
                }
            )
        for other in others:
            if other is not row:
                names = {"algorithm_a": row["algorithm"], "algorithm_b": other["algorithm"]}
                gap = {"smallest_difference": -0.5, "largest_difference": 0.5, "dominates": row["auc"] > other["auc"]}
                pairs.append({**shared, **names, **gap})
    made = {"standings": ranked, "profile_pairs": pairs}
    return {name: schema.table(name, {key: [row[key] for row in found] for key in found[0]}) for name, found in made.items()}


def _indicators(algorithms, suite, measure, problems, dimensions, targets, cost, budget, ert):
    rows: list[dict[str, Any]] = []
    for (a, name), (p, problem), (d, dimension), (t, target) in itertools.product(
        enumerate(algorithms), enumerate(problems), enumerate(dimensions), enumerate(targets)
    ):
        own = cost[a, p, d, t]
        ok = np.isfinite(own)
        truncated = np.where(ok, own, budget[a, p, d, t])
        quantiles = {f"q{q:02d}": float(np.percentile(truncated, q)) for q in (2, 5, 10, 25, 50, 75, 90, 95, 98)}
        rows.append(
            {
                "measure": measure,
                "suite": suite,
                "problem": problem,
                "dimension": dimension,
                "instance": None,
                "target": target,
                "at_budget": None,
                "algorithm": name,
                "ert": float(ert[a, p, d, t]),
                "success_rate": float(ok.mean()),
                "success_performance": float(own[ok].mean() / ok.mean()) if ok.any() else math.inf,
                "mean": float(truncated.mean()),
                "median": float(np.median(truncated)),
                "sd": float(truncated.std(ddof=1)),
                **quantiles,
                "mean_successful": float(own[ok].mean()) if ok.any() else None,
                "n_trials": len(own),
                "n_successes": int(ok.sum()),
                "n_instances": len(own),
                "n_missing": 0,
                "n_ill_finalised": 0,
            }
        )
    return schema.table("indicators", {key: [row[key] for row in rows] for key in rows[0]})


def _ecdf(algorithms, suite, problems, dimensions, cost):
    keys = ("aggregation", "suite", "problem", "dimension", "algorithm", "x", "fraction")
    columns: dict[str, list[Any]] = {k: [] for k in keys}

    def add(aggregation, problem, dimension, name, x):
        for point in np.unique(x[np.isfinite(x)]):
            row = (aggregation, suite, problem, dimension, name, float(point), float((x <= point).mean()))
            for key, value in zip(keys, row, strict=True):
                columns[key].append(value)

    scaled = cost / np.array(dimensions)[None, None, :, None, None]
    for a, name in enumerate(algorithms):
        add("dimension", None, None, name, scaled[a].ravel())
        for d, dimension in enumerate(dimensions):
            add("problem", None, dimension, name, scaled[a, :, d].ravel())
            for p, problem in enumerate(problems):
                add("target", problem, dimension, name, scaled[a, p, d].ravel())
    return schema.table("ecdf", columns)


def _inference(algorithms, measure, targets, ert):
    from scipy import stats

    tests: list[dict[str, Any]] = []
    ranks: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    posteriors: list[dict[str, Any]] = []
    k = len(algorithms)
    for t, target in enumerate(targets):
        blocks = ert[:, :, :, t].reshape(k, -1)
        b = blocks.shape[1]
        rank = stats.rankdata(blocks, axis=0).mean(axis=1)
        statistic, p = stats.friedmanchisquare(*np.where(np.isinf(blocks), 1e300, blocks)) if k > 2 else (None, None)
        common = {"measure": measure, "target": target, "at_budget": None}
        tests.append(
            {
                **common,
                "method": "friedman",
                "statistic": statistic,
                "df1": k - 1.0,
                "df2": None,
                "p": p,
                "alpha": 0.05,
                "significant": p is not None and p <= 0.05,
                "n_blocks": b,
                "n_treatments": k,
                "n_left_out": 0,
                "n_all_tied": int((blocks == blocks[0]).all(axis=0).sum()),
            }
        )
        ranks += [
            {**common, "algorithm": a, "average_rank": float(r), "n_blocks": b} for a, r in zip(algorithms, rank, strict=True)
        ]
        msd = 3.1 * math.sqrt(k * (k + 1) / (6 * b))
        for i, j in itertools.combinations(range(k), 2):
            difference = float(rank[i] - rank[j])
            p_pair = float(2 * stats.norm.sf(abs(difference) / math.sqrt(k * (k + 1) / (6 * b))))
            adjusted = min(1.0, p_pair * k * (k - 1) / 2)
            pairs.append(
                {
                    **common,
                    "method": "conover",
                    "correction": "holm",
                    "algorithm_a": algorithms[i],
                    "algorithm_b": algorithms[j],
                    "difference": difference,
                    "statistic": difference / msd,
                    "df": float((b - 1) * (k - 1)),
                    "p": p_pair,
                    "p_adjusted": adjusted,
                    "msd": msd,
                    "a_better": float(((blocks[i] < blocks[j]) + (blocks[i] == blocks[j]) / 2).mean()),
                    "alpha": 0.05,
                    "significant": adjusted <= 0.05,
                }
            )
            better = float(stats.norm.cdf(-difference))
            posteriors.append(
                {
                    **common,
                    "method": "signed_rank",
                    "algorithm_a": algorithms[i],
                    "algorithm_b": algorithms[j],
                    "rope": 0.01,
                    "normalisation": "position",
                    "a_better": 0.9 * better,
                    "equal": 0.1,
                    "b_better": 0.9 * (1 - better),
                    "n_samples": 1000,
                    "n_blocks": b,
                    "alpha": 0.05,
                }
            )
    made = {"tests": tests, "ranks": ranks, "comparisons": pairs, "posteriors": posteriors}
    same = {"n_runs": 1, "n_failures": 0, "scale": "average rank"}
    return {
        name: schema.table(name, {c: [row.get(c, same.get(c)) for row in rows] for c in schema.TABLES[name].names})
        for name, rows in made.items()
    }


def reports(algorithms=ALGORITHMS, suite="bbob") -> list[dict[str, Any]]:
    """Ingest reports of one source an algorithm; the second has missing trials and a repaired line."""
    found = []
    for i, name in enumerate(algorithms):
        bad = i == 1
        found.append(
            {
                "source": f"source_{i}",
                "format": "coco-info",
                "path": f"logs/{i}.tgz",
                "sha256": f"{i:064x}",
                "bytes": 12345 * (i + 1),
                "algorithms": [name],
                "suites": [suite],
                "problems": [f"f{j + 1}" for j in range(24)],
                "dimensions": [2, 3, 5, 10],
                "instances": ["1", "2", "3", "4", "5"],
                "trials": {
                    "expected": 480,
                    "found": 477 if bad else 480,
                    "missing": 3 if bad else 0,
                    "ill_finalised": 2 if bad else 0,
                    "solved": 400,
                    "failed": 75 if bad else 80,
                },
                "budget": {"min": 200, "median": 15000.0, "max": 100000, "total": 7654321},
                "rows": 99999,
                "missing": [{"suite": suite, "problem": "f7", "dimension": 10, "instance": "3", "count": 3}] if bad else [],
                "irregularities": [
                    {
                        "rule": "unterminated last line",
                        "outcome": "repaired",
                        "count": 2,
                        "detail": f"trial of {name} has no final colon",
                        "file": "data_f1/exp_f1_DIM2.info",
                        "line": 7,
                        "meaning": "the last line has no end",
                        "examples": [{"file": "data_f1/exp_f1_DIM2.info", "line": 7, "detail": "3:200061|3.2e-03, 4"}],
                    },
                    {
                        "rule": "stray file",
                        "outcome": "refused",
                        "count": 1,
                        "detail": "no .info names it",
                        "file": "x_DIM1.dat",
                        "line": None,
                        "examples": [],
                    },
                ]
                if bad
                else [],
            }
        )
    return found
