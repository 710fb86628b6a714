"""What rules make of the paths of a job."""

import os
from types import SimpleNamespace

import pytest

from benchmill.workflow.rules import Rules


@pytest.fixture
def rules():
    rules = Rules.__new__(Rules)
    rules.downloads, rules.away, rules._looks = {}, False, True
    return rules


def test_what_moves_with_the_folder_of_the_run_is_named_from_there(rules, tmp_path, monkeypatch):
    inside, outside = tmp_path / "clone/workflow/paper.tex", tmp_path / "installed.tex"
    inside.parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "clone")
    assert [str(path) for path in rules._placed([inside, outside])] == ["workflow/paper.tex", str(outside)]


def test_results_that_cannot_be_written_are_told_before_any_job(rules, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    rules._workflow = SimpleNamespace(output_settings=SimpleNamespace(dryrun=False))
    rules._up_to_date = SimpleNamespace(
        note=lambda *_: None, made=lambda *_: ["results/a.parquet"], moved=str, exists=os.path.exists
    )
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(Exception, match="results: it cannot be written; make the results writable"):
        rules._judged(None, {}, [])
