"""`benchmill plan` on results that are written here: what it leaves open, what it asks for, and mistakes."""

from __future__ import annotations

import itertools
import shutil

import numpy as np
import pandas as pd
import pytest
import yaml

from benchmill import cli
from benchmill.core import schema, storage
from benchmill.inference.design import from_ratios
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.notebook import enlarging

NAMES = ["A", "B", "C"]


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A is better than C on all ten problems, B is in between; B lacks two of its runs on f3."""
    costs = np.random.default_rng(0).uniform(0, 1, (10, 3)) + np.array([0, 0.3, 2.0])
    key = {"suite": "s", "dimension": 2, "instance": None}
    ratios = [
        {**key, "problem": f"f{p}", "measure": "ert", "target": 0.1, "algorithm": name, "cost": costs[p, a] * 100}
        | {"n_trials": 5, "n_successes": 5, "included": True, "ratio": 1.0, "baseline": 1.0}
        for p in range(10)
        for a, name in enumerate(NAMES)
    ]
    trials = [
        {**key, "trial": number, "problem": f"f{p}", "algorithm": name, "run": run, "budget": 100, "n": 1}
        for number, (p, name, run) in enumerate((p, name, run) for p in range(10) for name in NAMES for run in range(5))
        if not (name == "B" and p == 3 and run > 2)
    ]
    settings = {
        "seed": 1,
        "problem_keys": ["suite", "problem", "dimension"],
        "cluster_keys": ["suite", "problem"],
        "not_competing": [],
        "primary": {"measure": None, "targets": None},
        "inference": {"design": "single", "stratify": []},
        **{"measures": {}, "indicators": {}, "appearance": {}, "profiles": [], "control": None},
    }
    folder = tmp_path / "results/mine"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(yaml.safe_dump({"studies": {"mine": settings}}))
    table = schema.of_rows("ratios", ratios)
    storage.write(table, "ratios", folder / "ratios/ert.parquet", {})
    storage.write(of_trials(trials), "trials", folder / "trials/a.parquet", {})
    listed = [{"algorithm": name, "source": "a", "format": "coco"} for name in NAMES]
    storage.write(schema.of_rows("algorithms", listed), "algorithms", folder / "algorithms.parquet", {})
    (folder / "ingest").mkdir()
    (folder / "ingest/a.json").write_text('{"source": "a"}')
    said = verdicts({"ert": from_ratios(table, measure="ert")}, Declaration())
    storage.write(said, "verdicts", folder / "verdicts.parquet", {})
    monkeypatch.chdir(tmp_path)
    return folder


def of_trials(rows):
    usual = {"value_kind": "difference", "maximise": False, "source": "x", "status": "complete"}
    return schema.of_rows("trials", [{**usual, **row} for row in rows])


def test_of_many_open_pairs_those_with_the_smallest_p_are_told(results, capsys, monkeypatch):
    asked = ["plan", "mine", "--studies", "20", "--most", "2", "--csv", "curve.csv"]
    assert cli.main(asked) == 0
    assert "Above are" not in capsys.readouterr().out
    curve = pd.read_csv("curve.csv")
    monkeypatch.setattr(enlarging, "_MOST_PAIRS", 0)
    assert cli.main(asked) == 0
    text = capsys.readouterr().out
    assert "Above are none of 1 open pair, those with the smallest p; --csv has all." in text
    assert "as seen  cautious" not in text
    assert pd.read_csv("curve.csv").equals(curve)


def test_open_pairs_sizes_and_costs(results, capsys):
    assert cli.main(["plan", "mine", "--studies", "20", "--most", "2", "--csv", "curve.csv"]) == 0
    text = capsys.readouterr().out
    curve = pd.read_csv("curve.csv")
    decided = storage.read(results / "verdicts.parquet", "verdicts").to_pandas().query("algorithm_a == algorithm_a")
    expected = decided[~decided["significant"]][["algorithm_a", "algorithm_b"]].drop_duplicates()
    assert 0 < len(expected) < 3
    assert curve[["algorithm_a", "algorithm_b"]].drop_duplicates().to_numpy().tolist() == expected.to_numpy().tolist()
    assert curve["clusters"].drop_duplicates().tolist() == [13, 15, 20]
    # 148 trials of 100 evaluations on 10 clusters
    assert curve["more_evaluations"].drop_duplicates().tolist() == pytest.approx([4440, 7400, 14800])
    assert f"{len(expected)} of 3 pairs open" in text
    assert "Run these cells first, which have fewer than 5 runs: B on s f3 2 (3)." in text
    assert "conditional on what was seen here" in text


def test_runs_that_spend_no_evaluations_are_planned_for(results, capsys):
    trials = storage.read(results / "trials/a.parquet", "trials").to_pylist()
    storage.write(of_trials([{**row, "budget": None} for row in trials]), "trials", results / "trials/a.parquet", {})
    assert cli.main(["plan", "mine", "--studies", "10", "--most", "1.5", "--csv", "curve.csv"]) == 0
    assert pd.read_csv("curve.csv")["more_evaluations"].isna().all()
    assert "nan" not in capsys.readouterr().out


def test_the_curve_is_written(results):
    assert cli.main(["plan", "mine", "--studies", "10", "--most", "1.5", "--csv", "curve.csv"]) == 0
    assert len(pd.read_csv("curve.csv")) > 0


def test_without_budgets_nobody_knows_what_more_costs(results, capsys):
    path = results / "trials/a.parquet"
    trials = storage.read(path, "trials")
    storage.write(schema.replaced(trials, budget=[None] * trials.num_rows), "trials", path, {})
    assert cli.main(["plan", "mine", "--studies", "10", "--most", "1.5", "--csv", "curve.csv"]) == 0
    assert pd.read_csv("curve.csv")["more_evaluations"].isna().all()
    assert "%                 –\n" in capsys.readouterr().out


def test_the_same_plan_twice(results, capsys):
    texts = []
    for study in ("mine", str(results)):
        assert cli.main(["plan", study, "--studies", "10", "--most", "1.5"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_a_plan_that_takes_long_says_how_far_it_is(results, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    clock = itertools.count(0, 3)
    monkeypatch.setattr("benchmill.text.commands.time.monotonic", lambda: next(clock))
    assert cli.main(["plan", "mine", "--studies", "10", "--most", "1.5"]) == 0
    said = capsys.readouterr().err
    assert "\rmine, simulated studies: 0 of 20\033[K\rmine, simulated studies: 10 of 20\033[K" in said
    assert said.endswith("\r\033[K")


def test_strata_by_an_attribute_are_pooled_again(results, capsys):
    texts = []
    for strata in ([], ["class"]):
        config = yaml.safe_load((results / "config.yaml").read_text())
        config["studies"]["mine"]["inference"]["stratify"] = strata
        (results / "config.yaml").write_text(yaml.safe_dump(config))
        assert cli.main(["plan", "mine", "--studies", "10", "--most", "1.5"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_a_source_that_was_removed_plans_nothing(results, capsys):
    texts = []
    for name in ("b", "c"):
        assert cli.main(["plan", "mine", "--studies", "10", "--most", "1.5"]) == 0
        texts.append(capsys.readouterr().out)
        shutil.copy(results / "trials/a.parquet", results / f"trials/{name}.parquet")
    assert texts[0] == texts[1]


def test_mistakes(results, capsys):
    assert cli.main(["plan", "nothing"]) == 2
    assert "results/nothing: there is no such folder" in capsys.readouterr().err
    assert cli.main(["plan", "mine", "--power", "1.5"]) == 2
    assert "--power: found 1.5, expected more than 0 and at most 1." in capsys.readouterr().err
    (results / "ratios/ert.parquet").unlink()
    assert cli.main(["plan", "mine"]) == 2
    assert (
        "ratios/ert.parquet: there is no such file; the study has no such result, or the run has not come that far"
        in capsys.readouterr().err
    )
