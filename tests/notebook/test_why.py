"""Why a sentence or number stands there: from the verdict to the line of the log."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import numpy as np
import pandas as pd
import pytest

import benchmill as bm
from benchmill.cli import main
from benchmill.core import UserError
from benchmill.text import labels
from benchmill.why import answers

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def decided():
    """B is twice as slow as A on nine models of ten."""
    times = pd.DataFrame({"problem": [f"m{i}" for i in range(10)], "A": 1.0, "B": [2.0] * 9 + [0.5]})
    return bm.compare(bm.costs(times, wide=["A", "B"]), permutations=199)


def test_a_comparison_says_what_speaks_for_and_against(decided):
    why = decided.why("B", "A")
    assert why.sentence.startswith("A is better than B")
    assert why.frame["cluster"].iloc[0] == "m9"
    assert why.frame["score"].tolist() == [-1.0] + [1.0] * 9
    assert why.frame["against"].tolist() == [True] + [False] * 9
    assert why.frame["score"].mean() == pytest.approx(why.statement["effect"])
    # nine of ten: 22 of 1024 flips; eight of nine: 20 of 512; seven of eight: 18 of 256
    assert why.statement["fragility"] == 2
    assert "would not be said without" in why.fragility
    axes = why.plot()
    assert axes.get_xlabel() == "net share of wins of A over B"
    assert [label.get_text() for label in axes.get_yticklabels()] == why.frame["cluster"].tolist()


def test_clusters_with_commas_in_their_names_carry_a_verdict():
    times = pd.DataFrame({"problem": [f"m, {i}" for i in range(10)], "A": 1.0, "B": [2.0] * 9 + [0.5]})
    found = bm.compare(bm.costs(times, wide=["A", "B"]), permutations=199)
    why = found.why("A", "B")
    assert why.frame["carries"].sum() == why.statement["fragility"] == 2
    carrying = why.frame["cluster"][why.frame["carries"]].tolist()
    assert found.text.fragility == f"Without {', '.join(carrying)}, A would not be said to be better than B."


def test_nobody_is_asked_about_who_is_not_compared(decided):
    with pytest.raises(UserError, match=r"why: in the primary analysis: there is no algorithm 'b'; choose from A, B\."):
        decided.why("A", "b")


def asked(capsys, folder, *more):
    assert main(["why", str(folder), *more, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def results(made):
    return made.folder / "results"


def test_every_name_is_answered(results, capsys):
    """Of each kind one; and each listed name is one that the command takes."""
    for study in ("table", "logs"):
        listed = [one["name"] for one in asked(capsys, results / study)]
        assert len(set(listed)) == len(listed)
        kinds = {}
        for name in listed:
            kinds.setdefault(name.partition("/")[0], name)
        for name in kinds.values():
            assert asked(capsys, results / study, name)["name"] == name


def test_a_pair_is_found_by_sentence_name_and_path_and_leads_to_lines(results, capsys):
    (row,) = [row for row in bm.load(results / "logs").frame("verdicts").to_dict("records") if row["name"] == "Alpha/Beta"]
    printed = next(csv.DictReader((results / "logs/tables/verdicts.csv").read_text("utf-8").splitlines()))
    assert {printed["better"], printed["worse"]} == {"Alpha", "Beta"}
    for way in ("Beta better than Alpha", "Alpha/Beta", r"\benchmill{logs/Beta/Alpha/effect}", row["text"], printed["row"]):
        found = asked(capsys, results / "logs", way, "--problem", "f8", "--run", "1")
        assert found["name"] == "Alpha/Beta"
    assert np.mean([one["score"] for one in found["clusters"]]) == pytest.approx(abs(row["effect"]))
    assert found["algorithms"] == (["Alpha", "Beta"] if row["effect"] >= 0 else ["Beta", "Alpha"])
    assert {one["key"] for one in found["settings"]} >= {"studies.logs.inference.alpha", "studies.logs.cluster_keys"}
    assert {one["algorithm"] for one in found["runs"]} == {"Alpha", "Beta"}
    for one in found["runs"]:
        assert one["log_is_here"]
        assert one["source"].endswith(".dat:1") or "bbobexp_f8" in one["source"]
        assert one["lines"][0].startswith("% f evaluations")


def test_the_page_gets_what_the_command_answers(results, capsys):
    page = answers.on_page(bm.load(results / "logs"))
    assert page["of"] == len(page["statements"]) == 3
    for one in page["statements"]:
        same = asked(capsys, results / "logs", one["name"])
        shown = one.keys() - {"cells", "measure"}
        assert {key: same[key] for key in shown} == {key: one[key] for key in shown}
        for cluster in one["clusters"]:
            own = [cell["score"] for cell in one["cells"] if cell["cluster"] == cluster["cluster"]]
            assert (len(own), np.mean(own)) == (cluster["n_cells"], pytest.approx(cluster["score"]))
    assert answers.on_page(bm.load(results / "table"))["of"] > 0


def test_a_text_of_several_numbers_is_asked_back(results, capsys):
    folder = results / "logs"
    shared = {one["text"] for one in asked(capsys, folder) if one["name"] in ("trials/Alpha/found", "trials/Beta/found")}
    assert len(shared) == 1
    assert main(["why", str(folder), *shared]) == 2
    text = capsys.readouterr().err
    assert f"numbers of which '{shared.pop()}' is said: trials/Alpha/found, trials/Beta/found" in text
    assert text.rstrip().endswith("; name one of them.")


def test_single_numbers_lead_to_their_runs(results, capsys):
    name = "indicators/ert/bbob-f1/dimension-2-target-10/Alpha/ert"
    assert rf"benchmill@logs/{name}\endcsname" in (results / "logs/numbers.tex").read_text("utf-8")
    found = asked(capsys, results / "logs", name)
    assert found["value"] == found_ert(results)
    assert len(found["runs"]) == 3
    assert all(len(one["costs"]) == 1 for one in found["runs"])


def test_a_small_target_is_said_as_it_is(results, capsys):
    texts = [one["text"] for one in asked(capsys, results / "logs") if one["name"].endswith("target-0.001/Alpha/ert")]
    assert texts
    assert all(" target 0.001: " in text for text in texts)
    assert answers._DASHES.sub(" ", "dimension-3-target-1e-07") == "dimension 3 target 1e-07"
    assert answers._DASHES.sub(" ", "target--2.5e-08-budget-1e+06") == "target -2.5e-08 budget 1e+06"


def test_what_is_left_out_of_many_statements_is_counted():
    many = {"name": "leader", "sentence": "A comes first.", "statements": [f"A/B{i}: not shown" for i in range(39)]}
    assert "… 23 more (--json has all)" in answers.written(many)
    assert "more" not in answers.written({**many, "statements": many["statements"][:16]})


def test_numbers_of_a_summary_lead_to_the_runs_that_make_them(results, capsys):
    """Also those on what all solve, and of the virtual best solver."""
    means = [
        one["name"]
        for one in asked(capsys, results / "table")
        if one["name"].startswith("summary/") and one["name"].split("/")[-1] in ("mean", "par2", "par10")
    ]
    assert {name.split("/")[2] for name in means} == {"all_solved"}
    assert any("/virtual_best" in name for name in means)
    for name in means:
        found = asked(capsys, results / "table", name)
        runs = pd.DataFrame(found["instances"])
        assert (runs["counts"] * runs["weight"]).sum() / runs["weight"].sum() == pytest.approx(found["value"]), name


@pytest.mark.parametrize(("number", "counts"), [("limit/A/mean", 60), ("x10/A/mean", 600), ("limit/A/par2", 120)])
def test_a_failure_behind_a_mean_counts_what_it_counts_there(number, counts):
    keys = {"problem": "p", "suite": None, "dimension": None, "instance": None, "run": 1, "weight": 1.0, "included": True}
    runs = pd.DataFrame([{**keys, "algorithm": "A", "role": "solver", "outcome": "timeout", "cost": np.inf, "limit": 60.0}])
    results = SimpleNamespace(
        study="s",
        settings={},
        measures=["time"],
        frame=lambda table, *_: runs if table == "solver_runs" else pd.DataFrame({"algorithm": ["A"]}),
    )
    found = answers._number(results, f"summary/time/{number}", 1.0)
    assert [run["counts"] for run in found["instances"]] == [counts]


def test_a_curve_has_a_value_everywhere(results, capsys):
    curve = "ecdf/problem/bbob-2/Alpha"
    steps = asked(capsys, results / "logs", curve)["steps"]
    for one in (steps[0], steps[len(steps) // 2], steps[-1]):
        found = asked(capsys, results / "logs", f"{curve}/at-{one['x']:g}")
        assert found["value"] == one["fraction"]
    assert asked(capsys, results / "logs", f"logs/{curve}/at-1e-9")["value"] == 0
    (end,) = re.findall(rf"{re.escape(curve)}/solved\\endcsname{{.*}}% (.*)", (results / "logs/numbers.tex").read_text("utf-8"))
    assert float(end) == steps[-1]["fraction"]


def found_ert(results):
    rows = bm.load(results / "logs").ert("ert").frame
    (value,) = rows.loc[
        (rows["algorithm"] == "Alpha") & (rows["problem"] == "f1") & (rows["dimension"] == 2) & (rows["target"] == 10), "ert"
    ]
    return value


def test_a_wrong_name_tells_the_nearest(results, capsys):
    assert main(["why", str(results / "logs"), "Alpha better than Bta"]) == 2
    assert "the nearest are" in capsys.readouterr().err
    assert main(["why", str(results / "logs"), "Alpha/Beta", "--problem", "f9"]) == 2
    assert "there is no problem 'f9'" in capsys.readouterr().err


def test_results_without_their_logs_say_so(results, tmp_path, capsys):
    shutil.copytree(results / "logs", tmp_path / "results" / "logs")
    assert main(["why", str(tmp_path / "results" / "logs"), "Alpha/Beta", "--problem", "f8"]) == 0
    assert "The logs are not here: " in capsys.readouterr().out


def test_logs_of_one_name_in_several_folders_stay_those_of_their_sources(tmp_path):
    for place in ("a", "b", "more"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "runs.csv").write_text("x", "utf-8")
    (tmp_path / "more" / "c.csv").write_text("x", "utf-8")
    entries = [
        {"name": "first one", "path": "a/runs.csv"},
        {"name": "second", "path": "b/runs.csv"},
        {"parts": ["more/c.csv", "a/runs.csv"]},
        {"path": "more/r*.csv"},
        {"path": "gone/d.csv"},
    ]
    results = SimpleNamespace(folder=str(tmp_path / "results/s"), settings={"sources": entries})
    for source, here, *places in (
        (labels.file_name("first one"), True, "a/runs.csv"),
        ("second", True, "b/runs.csv"),
        ("c", True, "more/c.csv", "a/runs.csv"),
        ("runs", True, "more/runs.csv"),
        ("d", False, "gone/d.csv"),
        ("e", False, "e.csv"),
    ):
        found, where = answers._log(results, {"source": source, "path": "e.csv"})
        assert found == here
        expected = [str(Path(os.path.relpath(tmp_path / place)) if here else Path(place)) for place in places]
        assert where == ", ".join(expected)


def test_a_long_list_among_the_settings_is_told_by_its_ends_and_its_length():
    settings = [{"key": "indicators.ecdf", "value": {"targets": [10.0 ** (2 - i / 5) for i in range(51)], "budgets": [1, 2]}}]
    lines = answers.written({"name": "ecdf/x", "sentence": "ECDF of A.", "settings": settings}).splitlines()
    assert lines[-1] == "  indicators.ecdf: {'targets': [100.0, …, 1e-08] (51 in all), 'budgets': [1, 2]}"
