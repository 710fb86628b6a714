"""Every sentence that texts and captions can have, each made by its function from a small study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.exhibits import figures
from benchmill.exhibits.sentences.methods import methods, reading
from benchmill.exhibits.sentences.statements import statements
from benchmill.exhibits.tables import build, leader, primary, verdict
from benchmill.exhibits.tables import runs as sentences
from benchmill.exhibits.tables.verdicts import error
from benchmill.indicators.summary import Options, summary
from benchmill.inference.families import found as families_in
from benchmill.inference.interim import Look, planned
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.registry.figures import KINDS
from benchmill.registry.inference import COMPARISONS, POSTERIORS, TESTS
from benchmill.registry.measures import MEASURES
from benchmill.registry.primary import Primary
from benchmill.registry.variants import VARIANTS
from benchmill.text import display, families
from benchmill.text.leaders import caution, of_table
from tests.costs.making import solver_runs
from tests.exhibits.figures import studies
from tests.inference import test_as_good, test_claims
from tests.inference.making import design
from tests.page.synthetic import NOTHING
from tests.text.test_leaders import statement

ERT = {"name": "ert", "kind": "fixed_target", "targets": [10.0, 1e-3], "aggregate": "ert", "missing": "common"}
TIME = {"name": "time", "kind": "given", "unit": "s"}


@cache
# a search that is cut short after removals of two clusters has the same words, and takes a tenth of the time
@patch("benchmill.inference.fragility._MOST_SCREENED", 20_000_000)
def examples() -> dict[str, list[str]]:
    """Headings, and under each every sentence that can stand there."""
    return {
        "Who leads": _unique(_leaders()),
        "Runs of solvers": _unique(_runs()),
        "What may be claimed": _unique(_verdicts()),
        "How often it is wrong": [error("0.05"), error("0.05", pa.table({"sgm_ratio_low": [None, 1.1]}))],
        "Families of problems": _unique(_families()),
        "Claims under other conventions": _unique(_claims()),
        "What to mind about other tests": _unique(_cautions()),
        "The abstract": _unique(one.text for study in _studies() for one in statements(study) if one.kind in ("pairs", "data")),
        "Captions of figures": _unique(_figures()),
        "Captions of figures, in rare cases": _unique(_rare_figures()),
        "How to read figures": _unique(sentence for kind in KINDS.values() for sentence in kind.reading),
        "Captions of tables": _unique(table.caption for table in _tables()),
        "Titles, sections and columns of tables": _unique(_headings(table) for table in _tables()),
        "Methods": _unique(_methods()),
    }


def _unique(texts: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _leaders() -> Iterator[str]:
    tables = {kind: schema.of_rows("verdicts", [statement(*pair, 0.9, True, kind) for pair in _CIRCLE]) for kind in _KINDS}
    yield from (f"A comes first, {of_table(table, 'm')}." for table in (*tables.values(), None))
    yield from (caution(part) for part in (tables["primary"], tables["primary"].slice(0, 1), tables["primary"].slice(0, 2)))
    yield caution(schema.of_rows("verdicts", [statement("A", "B", 0.1, False)]))
    yield from leader({"leaders": studies.tables()["leaders"]}, {"measure": ERT})


_CIRCLE, _KINDS = (("A", "B"), ("B", "C"), ("C", "A")), ("primary", "secondary")


def _families() -> Iterator[str]:
    for n in (5, 8):
        named = [f"fam{i}_{j}" for i in range(n) for j in range(8)]
        yield families.sentence(families_in(np.repeat(np.arange(n), 8)[:, None] - n / 2, [{"problem": name} for name in named]))


def _solver_study(times: dict[str, Any], **more: Any) -> dict[str, Any]:
    columns = {key: more.pop(key) for key in ("limit", "cost_budget") if key in more}
    costs, trials = solver_runs(times, **columns)
    return summary([costs], [trials], Options(), shift=10.0, **more)


#: Made-up times of solvers: a number, or how the run failed.
_TIMES: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"A": [1.0, 2.0, 90.0], "B": [3.0, 4.0, None], "C": [5.0, "memory_limit", "wrong"]}, {}),
    ({"A": [1.0], "B": [1.0]}, {}),
    ({"A": [1.0, 2.0], "B": [1.0, "absent"]}, {}),
    ({"A": [1.0, None], "B": [9.0, 80.0], "C": ["error", "error"]}, {}),
    ({"A": [1.0, 99.0], "B": [20.0, None]}, {"not_competing": ("B",)}),
    ({"A": [None], "B": [None]}, {}),
    ({"A": [1.0, 99.0], "B": [20.0, None]}, {"limit": None}),
    ({"A": [None], "B": [1.0]}, {"limit": None}),
    ({"A": [1.0, "absent"], "B": ["absent", 1.0]}, {}),
    ({"A": [[1.0, 2.0], [3.0, None]], "B": [[2.0, 4.0], [None, None]]}, {}),
    ({name: [1.0 + n, 50.0 - 5 * n] for n, name in enumerate("ABCDEF")}, {}),
    ({"A": [float(n) for n in range(1, 11)], "B": [n + 3.0 * (n % 3) for n in range(1, 11)]}, {}),
    (
        {"A": [1.0, None], "B": [9.0, 800.0]},
        {"cost_budget": {("A", 1): 100.0, ("A", 2): 100.0, ("B", 1): 1000.0, ("B", 2): 1000.0}},
    ),
)


def _runs() -> Iterator[str]:
    for times, more in _TIMES:
        for measure in (TIME, {"name": "nodes", "kind": "given"}):
            columns = {key: more[key] for key in ("limit", "cost_budget") if key in more}
            costs, trials = solver_runs(times, **columns, measure=measure["name"])
            rest = {key: value for key, value in more.items() if key not in columns}
            yield " ".join(sentences(summary([costs], [trials], Options(), shift=10.0, **rest), {"measure": measure}))


def _designs(
    seed: int = 1, n: int = 24, shift: float = 3.0, k: int = 4, targets: int = 2, runs: int = 1, *, interacting: bool = False
) -> list[Any]:
    rng = np.random.default_rng(seed)
    keys = [{"suite": "bbob", "problem": f"f{i // 2 + 1}", "dimension": (2, 5)[i % 2]} for i in range(n)]
    made = []
    for target in (10.0, 1e-3)[:targets]:
        x = rng.normal(size=(n, k, runs))
        x[:, 0] -= shift
        x[::2, 1:2] += 9.0 * interacting
        x[:, k - 1] += shift
        made.append(design(x, problems=keys, target=target))
    return made


def _verdicts() -> Iterator[str]:
    wide, level, few, one = _designs(), _designs(shift=0.0), _designs(n=4), _designs(k=1)
    repeated = _designs(runs=5, targets=1)
    many = planned(Declaration(primary=Primary(looks=2)), [Look("a", 8, {"A": 8}, 2), Look("b", 12, {"A": 12}, 2)])
    late = planned(Declaration(primary=Primary(looks=2)), [Look(c, 8 + n, {"A": 8 + n}, 2) for n, c in enumerate("abc")])
    unplanned = planned(Declaration(), [Look("a", 8, {"A": 8}), Look("b", 12, {"A": 12})])
    changed = planned(Declaration(primary=Primary(looks=3)), [Look("a", 8, {"A": 8}), Look("b", 12, {"A": 12}, 3)])
    plans = (
        (wide, Declaration(permutations=199)),
        (wide, Declaration(permutations=199, control="a2")),
        (level, Declaration(permutations=199)),
        (few, Declaration(permutations=199)),
        (one, Declaration(permutations=199)),
        (repeated, Declaration(permutations=199)),
        (_designs(runs=5, targets=1, interacting=True), Declaration(permutations=199)),
        # too few flips to decide whether any differ, and which
        *((_designs(seed, n=48, shift=0.4), Declaration(permutations=199)) for seed in (2, 6)),
        ([test_as_good.design(test_as_good.costs())], Declaration(permutations=199, primary=Primary(margin=5.0))),
        ([test_as_good.design(test_as_good.costs(4))], Declaration(permutations=199, primary=Primary(margin=5.0))),
        *((level, plan) for plan in (many, late, unplanned, changed)),
    )
    for designs, plan in (*plans, *_rare_designs()):
        table = verdicts({"ert": designs}, plan)
        yield from (one for one in verdict({"verdicts": table}, {"measure": ERT}))
        pairs = [row["text"] for row in table.to_pylist() if row["algorithm_a"] is not None]
        behind = [row["text"] for row in table.to_pylist() if row["algorithm_a"] is None and row["analysis"] == "secondary"]
        yield from dict.fromkeys([*pairs[:2], *pairs[-1:], *behind[:1]])


def _rare_designs() -> Iterator[tuple[list[Any], Declaration]]:
    """Algorithms that fail, that share no problem, and that were stopped early."""
    costs = test_as_good.costs()
    costs[:2, 1], costs[:3, 2], costs[:2, 0] = np.inf, np.inf, np.inf
    margin = Declaration(permutations=199, primary=Primary(margin=5.0))
    both, alike = costs.copy(), test_as_good.costs()
    both[:, 1:], alike[0] = np.inf, np.inf
    early = test_as_good.design(costs)
    spent = np.where(np.isinf(early.values), 0.5, np.nan)
    empty = replace(test_as_good.design(costs[:0]), target=1e-3)
    near = test_as_good.costs()
    near[0, :2] = np.inf
    yield [test_as_good.design(costs)], margin
    yield [test_as_good.design(both)], margin
    yield [test_as_good.design(near)], margin
    yield [test_as_good.design(alike)], margin
    yield [replace(early, budgets=spent, n_left_out=2)], Declaration(permutations=199)
    late = np.zeros(early.values.shape[:2], bool)
    late[:3, 0], late[:5, 1] = True, True
    yield [replace(early, late=late)], Declaration(permutations=199)
    yield [replace(early, target=10.0), empty], Declaration(permutations=199)
    # each of three is better than another, and all are better than the last
    circle = np.array([[*np.roll([1.0, 2.0, 3.0], p), 4.0] for p in range(90)])
    yield [test_as_good.design(circle, "ABCD")], Declaration()


def _claims() -> Iterator[str]:
    def contested(name: str, problem: int, dimension: int, target: float, run: int) -> float:
        return {"A": 1.0, "B": 2.0 if dimension > 2 else 0.5, "C": 4.0}[name] * (1 + problem / 100) * (1 + 0.1 * run)

    def failing(name: str, problem: int, dimension: int, target: float, run: int) -> float:
        return math.inf if name == "B" and problem == 1 else test_claims.steady(name, problem, dimension, target, run)

    def hanging(name: str, problem: int, dimension: int, target: float, run: int) -> float:
        return {"A": 1.0, "B": 2.0 if problem <= 6 else 1.0, "C": 4.0}[name]

    for cost, size, claims in (
        (hanging, 8, ("A better than B",)),
        (failing, 24, ("A as good as B within 5 %",)),
        (test_claims.steady, 24, ("A better than B", "B better than A", "A best", "A as good as B within 5 %")),
        (contested, 24, ("A better than B", "A best")),
        (test_claims.steady, 4, ("A better than B",)),
        (test_claims.steady, 24, ()),
    ):
        found = test_claims.looked_at(test_claims.rows(cost, problems=size), *claims)
        yield from (row["text"] for row in found if row["convention"] == "primary analysis")
        yield from list({row["outcome"]: row["text"] for row in found if row["convention"] != "primary analysis"}.values())


def _cautions() -> Iterator[str]:
    made = studies.tables()
    yield from verdict({name: made[name] for name in made if name not in ("verdicts", "claims")}, {"measure": ERT})
    checks = [
        ("shapiro_wilk", "residuals are not normal", 0.001),
        ("brown_forsythe", "variances differ", 0.002),
        ("interaction", "algorithms and problems interact", 0.003),
    ]
    point = {"measure": "ert", "target": 10.0, "at_budget": None, "stratum": None}
    first = {name: made[name].to_pylist()[0] for name in ("tests", "comparisons")}
    first = {name: {**row, **point} for name, row in first.items()}
    tests = [
        {**first["tests"], "method": name, "p_min": p_min, "n_runs": 5}
        for name, p_min in zip(TESTS, [0.2, *[None] * 20], strict=False)
    ]
    pairs = [
        {**first["comparisons"], "method": name, "correction": "holm", "p": 0.04, "p_min": 0.03, "p_adjusted_min": 0.09}
        for name in COMPARISONS
    ]
    pairs[0] |= {"smallest_epsilon": 0.02, "msd": None}
    pairs[1] |= {"p": None}
    assumptions = [
        {**point, "check": check, "statistic": 1.0, "df1": 1.0, "df2": 1.0, "n": 40, "p": p, "meaning": meaning}
        for check, meaning, p in checks
    ]
    data = {
        "tests": schema.of_rows("tests", tests),
        "comparisons": schema.of_rows("comparisons", pairs),
        "assumptions": schema.of_rows("assumptions", assumptions),
    }
    yield from filter(None, verdict(data, {"measure": ERT}))


def _report(source: str = "a", irregular: int = 0, **trials: Any) -> dict[str, Any]:
    rules = [{"rule": f"{rule}", "outcome": "repaired", "count": n + 1} for n, rule in enumerate(_RULES[:irregular])]
    return {"source": source, "trials": {"ill_finalised": 0, **trials}, "irregularities": rules, "algorithms": [source]}


_RULES = ("blank_line", "unknown_column", "cut_line", "two_headers", "no_newline")


def _studies() -> Iterator[dict[str, Any]]:
    config = {"measures": {"ert": {}}}
    for designs in (_designs(), _designs(shift=0.0)):
        yield {
            **NOTHING,
            "config": config,
            "primary": primary({"verdicts": verdicts({"ert": designs}, Declaration(permutations=199))}),
        }
    for reports in (
        [_report(expected=15, found=15, missing=0)],
        [_report(expected=15, found=14, missing=1, ill_finalised=2, irregular=1), _report("b", expected=5, found=3, missing=2)],
        [_report(expected=None, found=9, missing=None, irregular=5)],
        [_report(expected=15, found=13, missing=2), _report("b", expected=None, found=9, missing=None, ill_finalised=1)],
    ):
        yield {**NOTHING, "config": config, "reports": reports}


#: Kind of figure to what else it is asked for.
_ASKED: dict[str, tuple[dict[str, Any], ...]] = {
    "profile": (
        {"dimensions": [5]},
        {"axis_end": 0.5},
        {"algorithms": ["DE", "PSO"], "highlight": ["DE"], "others": "grey"},
        {"profile": {**studies.DOLAN_MORE, "weights": "n", "unsolved": "drop", "tau_max": 50.0}},
        {"measure": {**studies.MEASURE, "dimensions": [2], "exclude": ["f1"]}},
    ),
    "profiles": ({"layout": "overlaid"},),
    "ecdf": (
        {"indicators": {"ecdf": {"restarts": 3}}},
        {"indicators": {"ecdf": {"bands": True}}},
    ),
    "convergence": ({"page": 1},),
}


def _figures() -> Iterator[str]:
    large, small = studies.tables(), studies.tables(n_problems=1, dimensions=(5,), targets=(10.0,), algorithms=("DE", "PSO"))
    for kind, settings in studies.SETTINGS.items():
        yield figures.caption(kind, large, settings)
        for more in _ASKED.get(kind, ()):
            known = {key: value for key, value in more.items() if key != "dimensions"}
            yield figures.caption(kind, large, {**settings, **known})
    banded = {
        **large,
        "profiles": schema.table("profiles", {**large["profiles"].to_pydict(), "rho_low": large["profiles"]["rho"]}),
    }
    for bands in (None, "problems", "runs"):
        profile = {**studies.DOLAN_MORE, "bands": bands}
        yield figures.caption("profile", banded, {**studies.SETTINGS["profile"], "profile": profile})
    for kind in ("profile", "critical_differences", "ecdf", "scatter", "cactus", "outcomes", "scaling", "aocc"):
        one = {**ERT, "targets": [10.0]}
        settings = {**studies.SETTINGS[kind]}
        settings |= {"measure": one} if "measure" in settings and kind != "ecdf" else {}
        yield figures.caption(kind, small, settings)


def _altered(tables: Mapping[str, Any], name: str, **changes: Any) -> dict[str, Any]:
    """The tables with other values in one of them; a change is a value, or a function of the row."""
    rows = [
        {**row, **{key: value(row) if callable(value) else value for key, value in changes.items()}}
        for row in tables[name].to_pylist()
    ]
    return {**tables, name: schema.of_rows(name, rows)}


def _rare_figures() -> Iterator[str]:
    """Captions of what few studies have: failures of a method, many algorithms, columns that are seldom filled."""
    few = studies.tables(algorithms=("CMA-ES", "DE", "PSO"), n_problems=4, dimensions=(2, 5))
    names = tuple(f"solver {n}" for n in range(1, 23))
    many = studies.tables(algorithms=names, n_problems=2, dimensions=(5,), targets=(10.0,))
    next_to = lambda row: abs(int(row["algorithm_a"][7:]) - int(row["algorithm_b"][7:])) == 1  # noqa: E731
    sparse = _altered(many, "comparisons", significant=lambda row: next_to(row) and int(row["algorithm_a"][7:]) % 2 == 1)
    failing = lambda row: math.inf if row["problem"] == "f2" and row["algorithm"] == "DE" else row["cost"]  # noqa: E731
    intervals = [
        {"measure": "ert", "variant": variant, "algorithm": "DE", "quantity": "auc_normalised", "low": 1.0, "high": 2.0}
        for variant in ("dolan_more", "nested")
    ]
    resampled = {"dimension": None, "target": None, "level": 0.95, "resample": "both"}
    bounded = {**few, "profile_intervals": schema.of_rows("profile_intervals", [{**resampled, **row} for row in intervals])}
    alone = [row for row in few["indicators"].to_pylist() if row["algorithm"] == "DE"]
    data = {**studies.DOLAN_MORE, "variant": "data"}
    cases: tuple[tuple[str, Mapping[str, Any], dict[str, Any]], ...] = (
        ("auc_bars", bounded, {}),
        ("critical_differences", _altered(few, "comparisons", scale="normalised cost"), {}),
        ("critical_differences", _altered(few, "tests", significant=False), {}),
        ("critical_differences", sparse, {}),
        ("density", _altered(few, "densities", kind=lambda row: "mass" if row["problem"] == "f1" else "kde"), {}),
        (
            "density",
            _altered(few, "densities", n_successes=lambda row: 9 * (row["problem"] != "f1" or row["algorithm"] == "DE")),
            {},
        ),
        (
            "density",
            _altered(few, "densities", n_successes=lambda row: 9 * (row["problem"] != "f1" and row["algorithm"] == "DE")),
            {},
        ),
        ("ecdf", _altered(few, "ecdf", aggregation="group", fraction_low=lambda row: row["fraction"]), {"aggregation": "group"}),
        ("intervals", _altered(few, "intervals", method="tukey", scale="normalised cost"), {}),
        ("kaplan_meier", _altered(few, "restricted_means", n_left_out=1), {}),
        ("outcomes", _altered(few, "summary", adds_solved=2.0, left_out=1), {}),
        ("scatter", _altered(few, "ratios", cost=failing), {}),
        ("pareto_fronts", few, {"highlight": ["DE"], "others": "grey"}),
        ("profile", few, {"profile": data}),
        ("profile", _altered(few, "profile_measures", n_unsolved=2), {}),
        ("profiles", _altered(few, "profile_measures", n_unsolved=2), {}),
        ("critical_differences", {**few, "comparisons": few["comparisons"].slice(0, 0)}, {}),
        ("cactus", _altered(few, "solver_runs", limit=None), {}),
        ("cactus", _altered(few, "solver_runs", limit=lambda row: float(row["problem"][1:]), weight=0.5), {}),
        ("ecdf", few, {"aggregation": "problem"}),
        ("ecdf", few, {"aggregation": "problem", "highlight": ["DE"], "others": "grey"}),
        ("ecdf", few, {"aggregation": "problem", "indicators": {"ecdf": {"restarts": 3}}}),
        ("scaling", _altered(few, "indicators", ert=math.inf, failure_budget=700.0), {}),
        ("scaling", _altered(few, "indicators", level=0.95, ert_low=1.0, n_missing=1), {}),
        ("scaling", {**few, "indicators": schema.of_rows("indicators", alone)}, {"targets": None}),
    )
    for kind, tables, more in cases:
        yield figures.caption(kind, tables, {**studies.SETTINGS[kind], **more})


def _headings(table: display.Table) -> str:
    """What stands above the rows of a table, and what its columns say when they are pointed at."""
    sections = "; ".join(dict.fromkeys(section.heading for section in table.sections if section.heading))
    meanings = "; ".join(dict.fromkeys(f"{column.header}: {column.meaning}" for column in table.columns if column.meaning))
    cells = [cell.text for section in table.sections for row in section.rows for cell in row[:2] if " in " in cell.text]
    return " ".join(
        f"{text}."
        for text in (table.title, sections and f"Sections: {sections}", meanings and f"Columns: {meanings}", *cells)
        if text
    )


@cache
def _tables() -> tuple[display.Table, ...]:
    made = studies.tables()
    settings = {"measure": ERT, "profile": studies.DOLAN_MORE, "problem_keys": ["suite", "problem", "dimension"]}
    kinds = ("ert", "tests", "ranks", "comparisons", "profile_measures", "leaders", "verdicts", "rank_sets", "posteriors")
    found = [build(kind, made, settings) for kind in kinds]
    for times, more in _TIMES:
        data = _solver_study(times, **more)
        for kind in ("summary", "outcomes", "contributions", "solver_times"):
            if kind != "solver_times" or "ratios" in data:
                found.append(build(kind, data, {"measure": TIME}))
    costs, trials = solver_runs({"A": [1.0, 2.0], "B": [1.0, 2.0]}, nodes={("A", 1): 5, ("B", 1): 7})
    affected = summary([costs], [trials], Options(), shift=10.0)
    doubtful = _altered(affected, "summary", contradicted=1)
    found += [build(kind, doubtful, {"measure": TIME}) for kind in ("summary", "outcomes")]
    gap = {"name": "time", "kind": "gap", "label": "gap"}
    limits = [
        {**row, "limit_unknown": 1} for row in affected["summary"].to_pylist() if row["unsolved"] in ("limit", "all_solved")
    ]
    ways = {"limit": "as_is", "all_solved": "all_measured"}
    as_is = schema.of_rows("summary", [{**row, "unsolved": ways[row["unsolved"]]} for row in limits])
    found.append(build("summary", {"summary": as_is}, {"measure": gap}))
    costs_of_pairs = [test_as_good.design(test_as_good.costs())]
    plan = Declaration(permutations=199, primary=Primary(margin=5.0))
    found.append(build("equivalence", {"verdicts": verdicts({"ert": costs_of_pairs}, plan)}, {}))
    crowd = test_as_good.design(np.exp(np.random.default_rng(1).normal(size=(9, 60))), names=[f"A{n}" for n in range(60)])
    for designs in ([crowd], _designs(6, n=48, shift=0.4)):
        found.append(build("verdicts", {"verdicts": verdicts({"ert": designs}, Declaration(permutations=199))}, {}))
    return tuple(found)


#: What a kind needs that has levels.
_LEVELS = {"targets": {"targets": [0.5]}, "budgets": {"budgets": [3]}}


def _methods() -> Iterator[str]:
    inference = {
        "methods": [name for name, one in TESTS.items() if one.asked],
        "comparisons": list(COMPARISONS),
        "bayes": list(POSTERIORS),
        "alpha": 0.05,
    }
    configurations: list[dict[str, Any]] = [
        {
            "problem_keys": ["suite", "problem", "dimension"],
            "measures": {
                name: {"kind": name, "missing": "failure", **_LEVELS.get(kind.levels, {})} for name, kind in MEASURES.items()
            },
            "profiles": [{"variant": name} for name in VARIANTS],
            "indicators": {"ecdf": {"aggregate": ["target"], "targets": [10.0, 1e-3]}, "level": 0.95},
            "inference": inference,
        },
        {
            "measures": {
                "ert": {**ERT, "exclude": ["f1"], "missing": "failure"},
                "gap": {"kind": "gap", "floor": 1e-8, "shift": 1.0},
            },
            "profiles": [
                {"variant": "dolan_more", "unsolved": "drop", "tau_max": 50, "weights": "n", "by": ["dimension"]}
                | {"bands": "both"}
            ],
            "indicators": {"ecdf": {"aggregate": ["target"], "restarts": 3, "weight": "pooled"}},
            "inference": {
                **inference,
                "design": "replicated",
                "comparisons": ["conover", "nemenyi"],
                "failure": 10.0,
                "stratify": ["dimension"],
                "normalise": {"e2": "bounds.csv"},
            },
            "control": "Ours",
            "claims": ["Ours best"],
            "not_competing": ["Old"],
        },
    ]
    given = {"kind": "given", "aggregate": "mean"}
    for n, aggregate in enumerate(("success_performance", "mean", "median", "single")):
        measures = {
            "m": {**given, "aggregate": aggregate, "missing": ("common", "error")[n % 2], "mean_shift": 10.0, "unit": "s"}
        }
        ecdf = {"aggregate": ["target"], "targets": [10.0], "weight": ("trial", "instance")[n % 2]}
        section = {**inference, "normalise": ("none", "e1", "log", "ranks")[n], "design": "replicated"}
        section |= {"unbalanced": (["subsample"], [])[n % 2]}
        summary_of = {"measures": ["m", "gap"], "level": 0.95}
        measures["gap"] = {"kind": "gap", "mean_shift": 0.01}
        measures["quality"] = {"kind": "fixed_budget", "budgets": [100], "floor": 1e-8}
        configurations.append(
            {
                "measures": {**measures, "ert": {**ERT, "missing": "error"}, "p": {"kind": "primal_integral", "half_life": 60.0}},
                "profiles": [{"variant": "dolan_more"}, {"variant": "nested", "unsolved": "drop"}],
                "indicators": {"summary": summary_of, "ecdf": ecdf, "budget_rule": ("max", {"common": 9}, "own", "own")[n]},
                "inference": section,
                "not_competing": ["Old"],
            }
        )
    for config in configurations:
        for heading, text in [*methods(config), *reading([])]:
            yield f"{heading}: {text}"
