"""A study made by the library itself from made-up costs, as Parquet files, and as the page takes it.

Some cells have no trial, some problems nobody solves, some costs tie.
"""

from __future__ import annotations

import base64
import csv
import gzip
import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from benchmill import profiles
from benchmill.core import schema, storage
from benchmill.exhibits import tables
from benchmill.exhibits.sentences.methods import methods
from benchmill.indicators.ecdf import ecdf, value_ecdf
from benchmill.indicators.ert import indicators as indicate
from benchmill.inference.design import from_ratios
from benchmill.inference.verdicts import Declaration, primary, rank_sets, verdicts
from benchmill.page import runs
from benchmill.profiles.ratios import ratios
from benchmill.study import results
from benchmill.workflow import pages
from tests.inference.making import analyse
from tests.page import synthetic

TARGETS = (10.0, 1e-3, 1e-7)
DIMENSIONS = (2, 5, 20)
TITLE = r"\input{x} <script>alert(1)</script> $x$ & % 😀 _#"
MEASURES = {
    "ert": {"kind": "fixed_target", "targets": list(TARGETS), "aggregate": "ert", "missing": "common"},
    "strict": {"kind": "fixed_target", "targets": list(TARGETS), "aggregate": "median", "missing": "failure"},
    "quality": {
        "kind": "fixed_budget",
        "budgets": [10.0, 100.0],
        "aggregate": "mean",
        "missing": "common",
    },
}
_PLAIN = {"variant": "dolan_more", "by": [], "weights": "equal", "tau_max": None, "unsolved": "keep"}
VARIANTS = {
    "dolan_more": _PLAIN,
    "by_dimension": {**_PLAIN, "by": ["dimension"]},
    "weighted": {**_PLAIN, "weights": "dimension", "unsolved": "drop"},
    "cut": {**_PLAIN, "tau_max": 3.0},
}


def costs_of(measure: str, algorithms, suite="bbob", n_problems=7, n_trials=4):
    """The table `costs` of one measure; the last algorithm has no trial on f2, the first none on f3 in dimension 5."""
    settings = MEASURES[measure]
    points = settings.get("targets") or settings["budgets"]
    cost, budget = synthetic.costs(algorithms, n_problems, DIMENSIONS, points, n_trials, seed=len(measure))
    if settings["kind"] == "fixed_budget":
        cost = np.where(np.isinf(cost), 1e4, cost) / 1e3
    cost[:, -1, 0, -1] = np.inf if settings["kind"] == "fixed_target" else 1.0  # solved by none, or tied by all
    cost[:2, 0, 0, 0] = 7.0
    index = np.indices(cost.shape).reshape(5, -1)
    here = ~((index[0] == len(algorithms) - 1) & (index[1] == 1)) & ~((index[0] == 0) & (index[1] == 2) & (index[2] == 1))
    a, p, d, t, k = index[:, here]
    value = np.array(points)[t]
    fixed_target = settings["kind"] == "fixed_target"
    return schema.table(
        "costs",
        {
            "suite": [suite] * a.size,
            "problem": [f"f{i + 1}" for i in p],
            "dimension": np.array(DIMENSIONS)[d].astype(np.int32),
            "instance": [str(i + 1) for i in k],
            "algorithm": [algorithms[i] for i in a],
            "run": np.ones(a.size, np.int32),
            # a trial has a cost for every target
            "trial": np.ravel_multi_index((a, p, d, k), (*cost.shape[:3], cost.shape[4])).astype(np.int32),
            "measure": [measure] * a.size,
            "target" if fixed_target else "at_budget": value,
            "cost": cost.ravel()[here],
            "budget": budget.ravel()[here],
            "success": np.isfinite(cost.ravel()[here]),
            "n": np.ones(a.size, np.int32),
        },
    )


def trials_of(costs, algorithms):
    """The table `trials` behind costs: by algorithm a log, in which each trial has two lines."""
    rows = costs.filter(pc.equal(costs[POINT_OF[costs["measure"][0].as_py()]], costs[POINT_OF[costs["measure"][0].as_py()]][0]))
    n = rows.num_rows
    number = rows["trial"].to_numpy()
    names = rows["algorithm"].to_pylist()
    first = {name: names.index(name) for name in algorithms}
    ended = ["time_limit", "memory_limit", "error"]
    return schema.table(
        "trials",
        {
            **{key: rows[key] for key in ("suite", "problem", "dimension", "instance", "algorithm", "run", "trial")},
            "budget": rows["budget"].cast("int64", safe=False),
            "best_value": np.where(number % 7 == 0, np.nan, 1.0 / (1 + number)),
            "value_kind": ["difference"] * n,
            "maximise": [False] * n,
            "runtime_s": (number % 97) / 8.0,
            "n": np.ones(n, np.int32),
            "status": ["solved" if c < np.inf else "failed" for c in rows["cost"].to_pylist()],
            "outcome": ["solved" if c < np.inf else ended[i % 3] for i, c in zip(number, rows["cost"].to_pylist(), strict=True)],
            "seed": number.astype(np.int64) * 11,
            "source": [f"data_f1/exp_f1_DIM2.info:{2 * (i - first[name]) + 1}" for i, name in enumerate(names)],
        },
    )


def excerpts_of(trials, name):
    """What a log says at each place: two lines a run, of which the second has markup in it."""
    places = [source.rpartition(":") for source in trials["source"].to_pylist()]
    n = len(places)
    lines = [int(line) for _, _, line in places]
    return schema.table(
        "excerpts",
        {
            "file": [file for file, _, _ in places],
            "line": lines,
            "last_line": [line + 1 for line in lines],
            "first": [f"run of {name}   begins" for _ in range(n)],
            "last": [f"<b>ends & is {line}</b>" for line in lines],
        },
    )


POINT_OF = {name: "target" if settings["kind"] == "fixed_target" else "at_budget" for name, settings in MEASURES.items()}


def write(folder: Path, name: str, algorithms, suite="bbob", **sizes: Any) -> list[Path]:
    """Write all results of the study that the page is made from below `folder/results/name`."""
    root = folder / "results" / name
    made: list[Path] = []

    def keep(table, kind, path):
        storage.write(table, kind, root / kind / path, {"version": "0", "inputs": {}, "settings": {}})
        made.append(root / kind / path)

    found, designs = [], {}
    for measure, settings in MEASURES.items():
        costs = costs_of(measure, algorithms, suite, **sizes)
        found.append(costs)
        table = ratios(costs, measure=measure, aggregate=settings["aggregate"], missing=settings["missing"])
        keep(table, "ratios", f"{measure}.parquet")
        for variant, chosen in VARIANTS.items():
            made_by = {"measure": measure, "name": variant, **chosen}
            keep(profiles.fit(table, **made_by).profiles, "profiles", f"{measure}/{variant}.parquet")
            keep(profiles.fit(table, **made_by).profile_measures, "profile_measures", f"{measure}/{variant}.parquet")
        designs[measure] = from_ratios(table, measure=measure)
        tested = analyse(designs[measure], measure=measure, methods=["friedman"], comparisons=["conover", "nemenyi"])
        for kind in ("tests", "ranks", "comparisons"):
            keep(tested[kind], kind, f"{measure}.parquet")
        keep(costs, "costs", f"{measure}/all.parquet")
    trials = trials_of(found[0], algorithms)
    keep(trials, "trials", "all.parquet")
    for i, one in enumerate(algorithms):
        own = trials.filter(pc.equal(trials["algorithm"].cast("string"), one))
        keep(excerpts_of(own, one), "excerpts", f"source_{i}.parquet")
    keep(indicate(found), "indicators", "all.parquet")
    for aggregation in ("budget", "problem"):
        values = value_ecdf(found[list(MEASURES).index("quality")], aggregation=aggregation)
        keep(values, "value_ecdf", f"quality/{aggregation}.parquet")
    for aggregation in ("target", "problem", "dimension"):
        keep(ecdf(found[0], aggregation=aggregation), "ecdf", f"{aggregation}.parquet")
    made.append(root / "verdicts.parquet")
    storage.write(
        verdicts(designs, Declaration(permutations=199)), "verdicts", made[-1], {"version": "0", "inputs": {}, "settings": {}}
    )
    made.append(root / "rank_sets.parquet")
    tested = primary(designs, Declaration(permutations=199))
    storage.write(rank_sets(tested), "rank_sets", made[-1], {"version": "0", "inputs": {}, "settings": {}})
    config = {
        "title": f"Study {name}",
        "problem_keys": ["suite", "problem", "dimension"],
        "measures": MEASURES,
        "profiles": [
            {"name": variant, **chosen, "measures": ["ert", "strict"] if variant == "cut" else None}
            for variant, chosen in VARIANTS.items()
        ],
        "indicators": {
            "ecdf": {"targets": list(TARGETS), "aggregate": [], "x": "evaluations_per_dimension"},
        },
    }
    (root / "config.yaml").write_text(yaml.safe_dump({"studies": {name: config}}), "utf-8")
    return [*made, root / "config.yaml"]


def evident(studies: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give studies the evidence that the workflow packs of what is `listed` of their runs, and of `why`."""
    return [{**study, "evidence": json.loads(json.dumps(runs.evidence(study, study.get("why") or {})))} for study in studies]


def reports_of(names: Iterable[str]) -> list[dict[str, Any]]:
    """Give the report of a source of such algorithms, of which nothing else is said."""
    return [{"source": "all", "algorithms": sorted(set(names)), "suites": [], "problems": [], "trials": {}}]


def listed_costs(study: Mapping[str, Any]) -> pa.Table:
    """All costs of the runs that the page lists."""
    return schema.concatenate(part() for part in study["listed"]["costs"])


def make(folder: Path, name: str, algorithms, suite="bbob", title="", **sizes: Any) -> dict[str, Any]:
    """Write the study, read it back as the workflow's script does, and give it as `page.pages` takes it."""
    made = write(folder, name, algorithms, suite, **sizes)
    of_runs = {
        kind: [path for path in made if kind in path.relative_to(folder / "results" / name).parts[:-1]]
        for kind in ("trials", "costs", "excerpts")
    }
    beside = {path for paths in of_runs.values() for path in paths}
    data = results.load(path for path in made if path not in beside)[name]
    reports = synthetic.reports(algorithms, suite)
    return {
        **synthetic.NOTHING,
        "name": name,
        "title": title or f"Study {name}",
        "config": data["config"],
        "methods": methods(data["config"]),
        "data": data,
        "listed": pages.listed(**of_runs),
        "groups": {"kind of problem": {"odd % <i>": ["f1", "f3", "f5"], "even": ["f2", "f4", "f6"]}},
        "tables": [
            tables.build("irregularities", {"ingest": reports}, {}),
            tables.build(
                "profile_measures", {**data, "ingest": reports}, {"measure": {"name": "ert"}, "profile": {"name": "dolan_more"}}
            ),
        ],
        "figures": [],
        "verdicts": {
            measure: tables.verdict({**data, "ingest": reports}, {"measure": {"name": measure}}) for measure in MEASURES
        },
        "primary": tables.primary(data),
        "reports": reports,
    }


def downloaded(tab, button, folder):
    """The file that a button below the picture gives, in a folder.

    Chromium begins at most ten downloads of a page a second and drops the others; a busy machine may take its time.
    """
    from playwright.sync_api import TimeoutError as NotBegun

    named = tab.locator("#explore-downloads").get_by_text(button, exact=True)
    for limit in (2_000, 20_000, 120_000):
        try:
            with tab.expect_download(timeout=limit) as download:
                named.click(timeout=90_000)
            break
        except NotBegun:
            if limit == 120_000:
                raise
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def rows_of(tab, name, tmp_path):
    """The rows of a download, as a person gets them."""
    with downloaded(tab, f"{name} (CSV)", tmp_path).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    origin = {tuple(row.pop(column) for column in ("study", "selection", "made_by")) for row in rows}
    assert len(origin) <= 1  # of one study, choice and version
    return rows


def started(tab):
    """Wait until the part to explore shows something: its data are unpacked while the page is there already."""
    tab.wait_for_selector("#explore[aria-busy]", state="detached")


def until(tab, expression, arg=None):
    """Wait until an expression holds in the page; the one of playwright needs `eval`, which the policy forbids."""
    for _ in range(600):
        if tab.evaluate(expression, arg):
            return
        tab.wait_for_timeout(50)
    raise AssertionError(expression)


def unpacked(text):
    """The content and the arrays of a block of the page."""
    data = gzip.decompress(base64.b85decode(text.replace(",", "<")))
    (length,) = struct.unpack_from("<I", data)
    found = json.loads(data[4 : 4 + length])
    at, arrays = 4 + length, []
    assert at % 8 == 0
    for kind, n in found["arrays"]:
        letter, size = {"d": ("d", 8), "i": ("i", 4), "h": ("H", 2), "b": ("B", 1), "s": ("H", 2)}[kind]
        joined = bytes(data[at + plane * n + i] for i in range(n) for plane in range(size))
        arrays.append(struct.unpack(f"<{n}{letter}", joined))
        at += size * n
    assert at == len(data)
    return found["content"], arrays
