"""A study whose sources are named: fetched by a job, by way of what is kept for the user, and never again."""

import hashlib
import tarfile

import pyarrow.parquet as pq
import pytest
import yaml

from benchmill import archives, cli
from benchmill.study.results import read_report
from tests.runs.conftest import Workspace, write_archive

from .conftest import definition, tree

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
    # what cannot be read is told, and is a job that fails
    assert early.code == 0
    assert "`benchmill fetch --list 'coco:bbob-mini'`" in early.output
    assert server.asked == []

    archives.find("coco:bbob-mini", archives.store(tmp_path / "kept", server.url))
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
    # in a study of all defaults a background is read, and has no curves of attainment, whatever else has them
    alpha, beta = (str(tmp_path / f"logs/{name}.tar.xz") for name in ("Alpha", "Beta"))
    assert cli.main(["background", "make", beta, "-o", str(other.folder / "b.zip")]) == 0
    other.config.write_text(CONFIG.format(sources=f"[{alpha}, b.zip]"))
    curves = [f"results/small/convergence/{name}.parquet" for name in ("Alpha", "b")]
    ran = other.run("--", *curves, env=env)
    assert ran.code == 0, ran.output
    assert [pq.read_metadata(other.folder / path).num_rows > 0 for path in curves] == [True, False]
    # a digest that is said in the entry counts
    wrong = f"[{{path: 'coco:bbob-mini/2009/Alpha', sha256: {'f' * 64}}}]"
    other.config.write_text(CONFIG.format(sources=wrong))
    refused = other.run("--retries", "0", "--", WANTED[0], env=env)
    assert refused.code == 1
    assert "is not the file that is meant" in refused.output


def scenario(server, tag="v4"):
    """Put a scenario of three instances on the server; the columns are those of the algorithm selection library."""
    columns = "instance_id STRING", "repetition NUMERIC", "algorithm STRING", "runtime NUMERIC", "runstatus {ok, timeout}"
    rows = [f"{instance},1,{solver},{cost},ok" for instance, cost in zip("abc", (3, 1, 7), strict=True) for solver in ("S", "T")]
    head = ["@RELATION ALGORITHM_RUNS_X", *(f"@ATTRIBUTE {column}" for column in columns), "@DATA"]
    files = {
        "X/algorithm_runs.arff": "\n".join([*head, *rows, ""]).encode(),
        "X/description.txt": b"scenario_id: X\nalgorithm_cutoff_time: 10\nmaximize:\n- false\nperformance_measures:\n- runtime\n",
        "X/more/deep.txt": b"deep",
    }
    tree(server, "coseal/aslib_data", tag, files)


FOLDER = """
studies:
  small:
    sources: [aslib:X@v4]
    measures: {time: {kind: given}}
"""


def test_a_folder_by_name_is_a_source(server, tmp_path, monkeypatch, capsys):
    """It comes as one file, which is the same wherever it is made, and is added, read and cited like any other."""
    scenario(server)
    env = {"BENCHMILL_CACHE": str(tmp_path / "kept"), "BENCHMILL_MIRROR": server.url}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    archives.find("aslib:X@v4", archives.store())
    workspace = Workspace(tmp_path / "work")
    workspace.folder.mkdir()
    workspace.config.write_text(FOLDER)
    wanted = ["results/small/costs/time/X.parquet", "results/small/references.bib"]
    run = workspace.run("--", *wanted, env=env)
    assert run.code == 0, run.output
    assert run.jobs[0] == "Fetching aslib:X@v4"
    file = workspace.folder / "downloads/github.com/coseal/aslib_data/tree/v4/X.tar"
    with tarfile.open(file) as packed:
        assert packed.getnames() == ["X/algorithm_runs.arff", "X/description.txt", "X/more/deep.txt"]
        assert {(member.mtime, member.uid, member.mode) for member in packed} == {(0, 0, 0o644)}
    costs = pq.read_table(workspace.folder / wanted[0]).to_pylist()
    assert sorted((row["algorithm"], row["problem"], row["cost"]) for row in costs) == [
        (solver, instance, cost) for solver in ("S", "T") for instance, cost in (("a", 3.0), ("b", 1.0), ("c", 7.0))
    ]
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    references = (workspace.folder / wanted[1]).read_text("utf-8")
    assert "https://github.com/coseal/aslib_data/tree/v4/X/" in references
    assert sha256 in references
    assert workspace.run("--", *wanted, env=env).jobs == []

    # by the command, in another folder and by way of what is kept: the same bytes, and no server is asked
    asked = list(server.asked)
    other = tmp_path / "other"
    (other / "logs").mkdir(parents=True)
    (other / "logs/runs.csv").write_text("algorithm,problem,cost\nU,a,5\nU,b,2\nU,c,4\n")
    (other / "config.yaml").write_text(
        "studies:\n  mine:\n    sources:\n      - {path: logs/runs.csv, format: table}\n    measures: {time: {kind: given}}\n"
    )
    monkeypatch.chdir(other)
    assert cli.main(["add", "mine", "aslib:X@v4"]) in (0, 1), capsys.readouterr()
    entry = yaml.safe_load((other / "config.yaml").read_text())["studies"]["mine"]["sources"][-1]
    assert (entry["path"], entry["format"], entry["sha256"]) == ("aslib:X@v4", "aslib", sha256)
    assert (other / "downloads" / sha256[:16] / "X.tar").read_bytes() == file.read_bytes()
    assert server.asked == asked
