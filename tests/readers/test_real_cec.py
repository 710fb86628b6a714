"""Entries of the competitions as they were handed in; skipped without them."""

import os
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from benchmill import readers
from benchmill.core import storage
from benchmill.costs import costs as measured
from tests.readers.making import Result
from tests.readers.test_cec2006 import ORGANISERS, averages

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA does not name the folder of real logs")

LEARNING = {"preset": "cec2015_learning"}
EXPENSIVE = {"preset": "cec2014_expensive"}
#: File, entry, algorithms, problems, dimensions, trials, irregularities that must be there.
MATRICES = [
    ("cec2015-learning/15170-MVMO_learning_based_SORP_optimization.zip", LEARNING, 15, [10, 30, 50, 100], 51, {}),
    ("cec2015-learning/15620-DEsPA-results.tgz", LEARNING, 15, [10, 30, 50, 100], 51, {"columns_are_not_runs": 59}),
    # f7 is not defined in dimension 5: 16 checkpoints of 30 runs have 1e300
    ("cec2020-bound/E-24505-results.zip", {"preset": "cec2020"}, 10, [5, 10, 15, 20], 30, {"placeholder": 480}),
    ("cec2020-bound/E24365-IMODE-results.tgz", {"preset": "cec2020"}, 10, [5, 10, 15, 20], 30, {}),
    ("cec2014-expensive/14543-GCO.tgz", EXPENSIVE | {"header": 1, "labels": 2}, 8, [10, 20, 30], 20, {}),
    ("cec2014-expensive/14280-SA-DE-DPS.tgz", EXPENSIVE, 8, [10, 20, 30], 20, {"runs_differ": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "entry", "problems", "dimensions", "runs", "rules"), MATRICES)
def test_matrices(tmp_path, path, entry, problems, dimensions, runs, rules):
    result = Result(REAL / path, tmp_path, format="cec", **entry)
    assert len(result.report["problems"]) == problems
    assert result.report["dimensions"] == dimensions
    trials = result.report["trials"]
    assert trials["found"] == trials["expected"] == problems * len(dimensions) * runs
    assert {rule: result.counts().get(rule) for rule in rules} == rules
    if not rules:
        assert not result.counts()
    if "runs_differ" in rules:
        assert (trials["missing"], trials["unexpected"]) == (1, 1)
        assert result.report["missing"] == [
            {
                "algorithm": "SA-DE-DPS",
                "suite": "cec2014-expensive",
                "problem": "f7",
                "dimension": 10,
                "instance": None,
                "count": 1,
            }
        ]


def test_values_of_1e300_are_failures_and_no_costs(tmp_path):
    result = Result(REAL / "cec2020-bound/E-24505-results.zip", tmp_path, format="cec", preset="cec2020")
    trials = storage.read(result.files[0], "trials")
    costs = measured("fixed_budget", trials, result.traces, "m", {"budgets": [10_000]})
    undefined = [row["problem"] == "f7" and row["dimension"] == 5 for row in costs.to_pylist()]
    cost = costs["cost"].to_numpy()
    assert sum(undefined) == 30
    assert np.isinf(cost[undefined]).all()
    assert cost[~np.array(undefined)].max() < 1e12


def test_every_matrix_is_recognised():
    for path in ("cec2015-learning/15620-DEsPA-results.tgz", "cec2020-bound/E24365-IMODE-results.tgz",
                 "cec2020-realworld-constrained/EnMODE-results.tgz"):  # fmt: skip
        assert readers.sniff(REAL / path).format == "cec"


@pytest.mark.parametrize("name", ["EnMODE", "BiPopEpsMAgES"])
def test_pairs_are_compared_by_violation_first(tmp_path, name):
    result = Result(
        REAL / f"cec2020-realworld-constrained/{name}-results.tgz", tmp_path, format="cec", preset="cec2020_real_world"
    )
    trials = result.report["trials"]
    assert (trials["found"], trials["expected"], len(result.report["problems"])) == (57 * 25, 57 * 25, 57)
    rows = pq.read_table(result.files[1], columns=["trial", "value", "violation"])
    trial, value, violation = (rows.column(c).to_numpy() for c in ("trial", "value", "violation"))
    same = trial[1:] == trial[:-1]
    better = (violation[1:] < violation[:-1]) | ((violation[1:] == violation[:-1]) & (value[1:] < value[:-1]))
    assert better[same].all()
    if name == "EnMODE":
        assert result.first("no_value")[0].endswith("EnMODE_RC2__F.txt")


def test_statistics_in_place_of_runs(tmp_path):
    entry = EXPENSIVE | {"statistics": ["mean", "median"]}
    without = Result(REAL / "cec2014-expensive/14210-Without-Approx.tgz", tmp_path / "a", format="cec", **entry)
    assert (len(without.trials), set(without.column("n"))) == (24, {20})
    somods = Result(REAL / "cec2014-expensive/14756-SOMODS.tgz", tmp_path / "b", format="cec", **entry, labels=1)
    assert somods.report["algorithms"] == ["SOMODS_A", "SOMODS_B"]
    assert somods.counts()["wrong_shape"] == 4
    assert somods.report["trials"]["missing"] == 4


def test_free_logs_agree_with_the_summaries_beside_them(tmp_path):
    """The `.dat` files of the entry have feasible runs, and min, median, mean and max of the final values, of each problem."""
    result = Result(REAL / "cec2010-constrained/eDEa-logs.tgz", tmp_path)
    assert result.report["trials"]["found"] == 36 * 25
    assert result.report["trials"]["missing"] == 0
    import tarfile

    with tarfile.open(REAL / "cec2010-constrained/eDEa-logs.tgz") as archive:
        summaries = {m.name: archive.extractfile(m).read().decode() for m in archive if m.name.endswith(".dat")}
    compared = 0
    for name, text in summaries.items():
        dimension = int(re.search(r"eDEa-(\d+)-", name)[1])
        for problem, feasible, numbers in re.findall(r"^(C\d+)\nfeasible (\d+) / 25\nmin.*\n(.*) \\\\", text, re.MULTILINE):
            trials = [t for t in result.trials if (t["problem"], t["dimension"]) == (problem, dimension)]
            assert sum(t["violation"] == 0 for t in trials) == int(feasible)
            values = sorted(t["best_value"] for t in trials)
            found = [min(values), float(np.median(values)), float(np.mean(values)), max(values)]
            assert found == pytest.approx([float(x) for x in numbers.split("&")[:4]], rel=1e-6, abs=1e-7)
            compared += 1
    assert compared == 36


def test_niching(tmp_path):
    result = Result(REAL / "cec2013-niching", tmp_path)
    assert len(result.report["algorithms"]) == 15
    assert len(result.trials) == 15 * 20 * 5
    assert result.first("wrong_shape")[0] == "ANSGAII_SR.dat"


def test_the_ten_tables_and_their_averages(tmp_path):
    names = {"eps-DE": "eDE", "PESOplus": "PESO+"}
    table = Result(REAL / "cec2006-constrained/fes_to_success.csv", tmp_path / "a")
    texts = Result(REAL / "cec2006-constrained/tables", tmp_path / "b")
    for result in (table, texts):
        assert result.report["format"] == "cec2006"
        feasible, success = averages(result.trials, "n_feasible"), averages(result.trials, "n_successes")
        assert {names.get(name, name): (feasible[name], success[name]) for name in feasible} == ORGANISERS
    columns = ("problem", "cost", "cost_sd", "n_feasible", "n_successes", "success_performance")
    facts = [
        {(names.get(t["algorithm"], t["algorithm"]), *(t[c] for c in columns)) for t in result.trials}
        for result in (table, texts)
    ]
    assert len(facts[0]) == 240
    assert facts[0] == facts[1]
    disagree = {e["detail"].split(":")[0] for e in next(
        i for i in table.report["irregularities"] if i["rule"] == "success_performance_disagrees")["examples"]}  # fmt: skip
    assert {"MDE on g02", "MPDE on g03", "PCX on g02", "DMS-PSO on g02", "DMS-PSO on g23"} <= disagree
    assert {d.split()[0] for d in disagree} == {"MDE", "MPDE", "PCX", "DMS-PSO", "SaDE", "jDE-2"}
