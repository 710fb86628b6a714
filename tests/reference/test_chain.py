"""Numbers of the shipped studies, from what is said down to file and line in the raw logs, and from there again the naive way."""

import csv
import random
import re
import tarfile
from fractions import Fraction
from math import inf
from pathlib import Path

import pyarrow.compute as pc
import pytest
import yaml

from benchmill.core import storage
from benchmill.costs import costs
from benchmill.indicators import ecdf, ert
from benchmill.indicators.summary import summary
from benchmill.inference.design import from_ratios
from benchmill.inference.ranking import of_pair
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.profiles import fit
from benchmill.profiles.ratios import ratios
from benchmill.readers import ingest

from . import naive
from .test_whole_way import UP

ROOT = Path(__file__).parents[2]
STUDIES = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))["studies"]
TARGETS = STUDIES["bbob"]["measures"]["ert"]["targets"]


def near(value):
    return inf if value == inf else pytest.approx(float(value), rel=1e-12)


@pytest.fixture(scope="module")
def bbob(tmp_path_factory):
    """By algorithm the trials as they are read, with the naive trial at the place that each of them names, and the costs."""
    folder, found = tmp_path_factory.mktemp("chain"), {}
    for archive in sorted((ROOT / "data/bbob").glob("*.tar.xz")):
        with tarfile.open(archive) as packed:
            files = {one.name: packed.extractfile(one).read().decode() for one in packed if one.isfile()}
        # `1:242|5.9e-07` in the .info file: instance, evaluations, distance at the end, of each run in the order of the .dat file
        budgets = {}
        for name, text in files.items():
            if name.endswith(".info"):
                for line in filter(lambda line: ".dat," in line, text.splitlines()):
                    data, *runs = line.split(", ")
                    budgets[f"{name.rpartition('/')[0]}/{data.strip()}"] = [int(re.split("[:|]", run)[1]) for run in runs]
        ingest(archive, [folder / "trials", folder / "traces", folder / "report"], name=archive.stem)
        trials, traces = storage.read(folder / "trials", "trials"), storage.read(folder / "traces", "traces")
        of, raw = {}, {name: text.splitlines() for name, text in files.items() if name.endswith(".dat")}
        begins = {name: [at for at, line in enumerate(lines) if line.startswith("%")] for name, lines in raw.items()}
        for row in trials.to_pylist():
            name, _, line = row["source"].rpartition(":")
            which = begins[name].index(int(line) - 1)
            end = (*begins[name], len(raw[name]))[which + 1]
            rows = [line.split() for line in raw[name][int(line) : end]]
            one = {"rows": [(int(r[0]), float(r[2])) for r in rows], "budget": budgets[name][which], "instance": row["instance"]}
            of.setdefault(f"{row['problem']}/{row['dimension']}", []).append(one)
        (algorithm,) = set(trials["algorithm"].to_pylist())
        found[algorithm] = (of, trials, costs("fixed_target", trials, traces, "ert", {"targets": TARGETS}))
    return found


def test_every_primary_statement_of_bbob_is_in_its_logs(bbob):
    """Effects of all pairs, and the score of each cluster."""
    study = {algorithm: of for algorithm, (of, _, _) in bbob.items()}
    tables = [(algorithm, table) for algorithm, (_, _, table) in bbob.items()]
    designs = from_ratios(ratios(tables, measure="ert", problem_keys=["suite", "problem", "dimension"]), measure="ert")
    rows = verdicts({"ert": designs}, Declaration(permutations=199)).to_pylist()
    cost_rows = naive.cost_matrix(study, TARGETS)
    pairs = [row for row in rows if row["analysis"] == "primary" and row["algorithm_a"]]
    assert len(pairs) == 28
    for row in pairs:
        pair = (row["algorithm_a"], row["algorithm_b"])
        expected = naive.cluster_scores(cost_rows, lambda where: where[0].split("/")[0], *pair)
        assert row["effect"] == pytest.approx(float(naive.mean(expected)), abs=1e-12), pair
        scores = of_pair(designs, ["suite", "problem"], *pair)["score"]
        assert sorted(scores) == pytest.approx(sorted(map(float, expected)), abs=1e-12)


def test_drawn_values_of_ert_and_ecdf_are_in_their_logs(bbob):
    rng = random.Random(1)
    for algorithm, (of, trials, table) in bbob.items():
        values = ert.indicators([table], ert.Options(), trials=trials).to_pylist()
        for row in rng.sample(values, 40):
            own = of[f"{row['problem']}/{row['dimension']}"]
            assert row["ert"] == near(naive.ert(own, row["target"])), (algorithm, row["problem"])
    study = {algorithm: of for algorithm, (of, _, _) in bbob.items()}
    curves = ecdf.ecdf([table for _, _, table in bbob.values()], "problem", ecdf.Options(x="evaluations_per_dimension"))
    for row in rng.sample(curves.to_pylist(), 40):
        own = {p: trials for p, trials in study[row["algorithm"]].items() if p.endswith(f"/{row['dimension']}")}
        x, dimensions = Fraction(row["x"]) * UP, dict.fromkeys(own, row["dimension"])
        assert row["fraction"] == near(naive.ecdf({row["algorithm"]: own}, row["algorithm"], TARGETS, x, dimensions))


def test_every_number_of_the_summary_of_solvers_is_in_its_file(tmp_path):
    options = STUDIES["solver_runs"]["sources"]
    path = ROOT / options["path"]
    ingest(
        path,
        [tmp_path / "trials", tmp_path / "traces", tmp_path / "report"],
        name="runs",
        format="table",
        options={key: options[key] for key in ("columns", "outcomes", "time_limit")},
    )
    trials = storage.read(tmp_path / "trials", "trials")
    lines = path.read_text("utf-8").splitlines()
    limit, runs, shown = Fraction(options["time_limit"]), {}, {}
    for row in trials.to_pylist():
        raw = dict(zip(lines[0].split(","), next(csv.reader([lines[int(row["source"].rpartition(":")[2]) - 1]])), strict=True))
        assert (raw["problem"], raw["solver"], raw["seed"]) == (row["problem"], row["algorithm"], str(row["run"]))
        took = Fraction(raw["seconds"]) if raw["status"] == "solved" else inf
        runs.setdefault(raw["problem"], {}).setdefault(raw["solver"], []).append((took, limit))
        shown.setdefault(raw["problem"], {}).setdefault(raw["solver"], []).append(limit)
    table = summary([costs("given", trials, None, "time", {})], [trials], shift=10)["summary"]
    rows = {(row["unsolved"], row["algorithm"]): row for row in table.to_pylist() if row["subset"] == "all"}
    for unsolved, factor in (("limit", 1), ("x2", 2), ("x10", 10)):
        for algorithm, values in naive.summary(runs, factor, 10, shown).items():
            row = rows[unsolved, algorithm]
            assert {name: row[name] for name in values} == {name: v if v is None else near(v) for name, v in values.items()}


@pytest.mark.parametrize("study", ["barreto2010", "hekmati2018"])
def test_statements_and_profiles_of_published_tables_are_in_their_files(tmp_path, study):
    """Effects, both p values of each pair, and the profile of Dolan and Moré, from the lines that the trials name."""
    listed = STUDIES[study]["sources"]
    given = {"path": listed} if isinstance(listed, str) else listed[0]
    path, columns = ROOT / given["path"], given.get("columns", {})
    ingest(
        path,
        [tmp_path / "trials", tmp_path / "traces", tmp_path / "report"],
        name="s",
        format="table",
        options={"columns": columns},
    )
    trials = storage.read(tmp_path / "trials", "trials")
    lines, rows = path.read_text("utf-8").splitlines(), {}
    head = lines[0].split(",")
    for trial in trials.to_pylist():
        raw = dict(zip(head, lines[int(trial["source"].rpartition(":")[2]) - 1].split(","), strict=True))
        told = raw["problem"], raw[columns.get("algorithm", "algorithm")]
        assert told == (trial["problem"], trial["algorithm"])
        cost = raw[columns.get("cost", "cost")]
        rows.setdefault((told[0], None), {})[told[1]] = inf if cost == "inf" else Fraction(cost)
    assert len(rows) == 5
    table = costs("given", trials, None, "m", {})
    names = sorted({name for row in rows.values() for name in row})
    tables = [(name, table.filter(pc.equal(table["algorithm"].cast("string"), name))) for name in names]
    rated = ratios(tables, measure="m", problem_keys=["problem"])
    said = verdicts({"m": from_ratios(rated, measure="m")}, Declaration(permutations=199)).to_pylist()
    said = [row for row in said if row["algorithm_a"]]
    scores = [naive.cluster_scores(rows, lambda where: where[0], row["algorithm_a"], row["algorithm_b"]) for row in said]
    gate = naive.exchangeable(rows, lambda where: where[0])
    assert len(said) == 3
    for row, own, (p, adjusted) in zip(said, scores, naive.max_t(scores), strict=True):
        assert (row["effect"], row["p"], row["p_adjusted"]) == (near(naive.mean(own)), near(p), near(max(adjusted, gate)))
    against = naive.ratios(rows)
    for row in fit(rated, measure="m").profile_measures.to_pylist():
        assert row["rho_1"] == near(naive.rho(against, row["algorithm"], 1))
        assert row["auc"] == near(naive.area(against, row["algorithm"], Fraction(row["tau_max"])))
