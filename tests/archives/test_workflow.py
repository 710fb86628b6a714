"""A study whose sources are named: fetched by a job, by way of what is kept for the user, and never again."""

import pytest

from benchmill.workflow.results import read_report
from tests.runs.conftest import Workspace, write_archive

from .conftest import definition

pytestmark = pytest.mark.workflow

CONFIG = """
studies:
  small:
    sources: {sources}
    measures:
      ert: {{kind: fixed_target, targets: [10, 1.0e-3]}}
"""
WANTED = ["results/small/costs/ert/Alpha_x_noiseless.parquet", "results/small/references.bib"]


def test_a_study_of_names(server, tmp_path):
    for seed, name in enumerate(("Alpha", "Beta")):
        write_archive(tmp_path / "logs" / f"{name}.tar.xz", name, seed)
    files = {f"2009/{path.name.split('.')[0]}_x_noiseless.tar.xz": path.read_bytes() for path in (tmp_path / "logs").glob("*.xz")}
    definition(server, "bbob-mini", files)
    workspace = Workspace(tmp_path / "work")
    workspace.folder.mkdir()
    env = {"BENCHMILL_CACHE": str(tmp_path / "kept"), "BENCHMILL_MIRROR": server.url}
    workspace.config.write_text(CONFIG.format(sources="coco:bbob-mini/2009/*"))
    early = workspace.run("-n", env=env)
    assert early.code == 1
    assert "`benchmill fetch --list 'coco:bbob-mini'`" in early.output
    assert server.asked == []

    from benchmill import archives

    archives.find("coco:bbob-mini", archives.store(env["BENCHMILL_CACHE"], server.url))
    plan = workspace.run("-n", "--", *WANTED, env=env)
    assert plan.code == 0, plan.output
    assert len(server.asked) == 1
    run = workspace.run("--", *WANTED, env=env)
    assert run.code == 0, run.output
    assert len(server.asked) == 3
    report = read_report(workspace.folder / "results/small/ingest/Alpha_x_noiseless.json")
    assert report["algorithms"] == ["Alpha"]
    references = (workspace.folder / WANTED[1]).read_text("utf-8")
    assert "https://numbbo.github.io/data-archive/data-archive/bbob-mini/2009/Alpha_x_noiseless.tar.xz" in references
    assert report["sha256"] in references
    # another study of this user asks nobody
    other = Workspace(tmp_path / "other")
    other.folder.mkdir()
    other.config.write_text(CONFIG.format(sources="coco:bbob-mini/2009/Alpha"))
    again = other.run("--", WANTED[0], env=env)
    assert again.code == 0, again.output
    assert len(server.asked) == 3
    third = workspace.run("--", *WANTED, env=env)
    assert third.jobs == [], third.output
    # a digest that is said in the entry counts
    wrong = f"[{{path: 'coco:bbob-mini/2009/Alpha', sha256: {'f' * 64}}}]"
    other.config.write_text(CONFIG.format(sources=wrong))
    refused = other.run("--retries", "0", "--", WANTED[0], env=env)
    assert refused.code == 1
    assert "is not the file that is meant" in refused.output
