"""A source that cannot be read is a job that fails with its sentence; what does not need it is made, planned and unlocked."""

import re

import pytest

from .conftest import Workspace

pytestmark = pytest.mark.workflow

COLUMNS = "format: table, columns: {algorithm: solver, problem: name, cost: seconds}"
STUDY = f"""
studies:
  good:
    sources: [{{path: costs.csv, {COLUMNS}}}]
    measures: {{time: {{kind: given}}}}
  bad:
    sources: [{{path: other.csv, {COLUMNS}}}, %s]
    measures: {{time: {{kind: given}}}}
"""
#: By what is wrong: the entry, the name of its source, and what is told.
BROKEN = {
    "damaged": ("logs/Damaged.tar.xz", "Damaged", r"sources\[2\]: .*Damaged\.tar\.xz"),
    "in a pattern": ('"logs/*.tar.xz"', "Damaged", r"sources\[2\]: .*Damaged\.tar\.xz"),
    "missing": (
        f"{{path: logs/Missing.csv, {COLUMNS}}}",
        "Missing",
        r"sources\[2\]\.path: there is no file or folder 'logs/Missing\.csv'",
    ),
    "a sheet": ("sheet.yaml", "sheet.yaml", r"sources\[2\]\.path: the sources sheet 'sheet\.yaml' holds the number 3"),
    "no sheet": ("absent.yaml", "absent.yaml", r"sources\[2\]\.path: there is no sources sheet 'absent\.yaml'"),
    "parts": (
        "{parts: [costs.csv, no.csv], name: whole}",
        "whole",
        r"sources\[2\]\.parts\[2\]: no file or folder matches 'no\.csv'",
    ),
    "beside": (
        f"{{path: more.csv, lookup: names.csv, {COLUMNS}}}",
        "more",
        r"sources\[2\]\.lookup: there is no file 'names\.csv'",
    ),
    "in a folder": (f"{{path: folder, {COLUMNS}}}", "folder", r"(sources\[2\]: )?folder.*(Too many levels of symbolic links)"),
}


@pytest.fixture
def broken(tmp_path):
    """A study of good sources, and one of which a source cannot be read."""

    def make(what):
        (tmp_path / "folder").mkdir()
        for name in ("costs.csv", "other.csv", "more.csv", "folder/c.csv"):
            (tmp_path / name).write_text(f"solver,name,seconds\n{name[:2]},p,1\nB {name[:2]},p,2\n")
        (tmp_path / "logs").mkdir()
        (tmp_path / "logs/Damaged.tar.xz").write_bytes(b"\xfd7zXZ\x00 and no more")
        if what == "in a folder":
            # nobody can read a link to itself
            (tmp_path / "folder/loop.csv").symlink_to("loop.csv")
        (tmp_path / "sheet.yaml").write_text("3\n")
        (tmp_path / "study.yaml").write_text(STUDY % BROKEN[what][0])
        return Workspace(tmp_path)

    return make


@pytest.mark.parametrize("what", BROKEN)
def test_what_does_not_need_a_broken_source_is_planned(broken, what):
    workspace, (_, name, told) = broken(what), BROKEN[what]
    run = workspace.run("-n", "--", "results/good/ratios/time.parquet", f"results/bad/ingest/{name}.json")
    assert run.code == 0, run.output
    # below a folder that can be read at first sight only its job will look
    assert len(re.findall(f"^study.yaml: studies.bad.{told}", run.output, re.MULTILINE)) == (what != "in a folder"), run.output
    assert "Computing ratios of time for good" in run.jobs
    assert [job for job in run.jobs if not job.endswith(" good")] == [f"Reading {name} for bad"]


@pytest.mark.parametrize("what", ["missing", "in a folder"])
def test_its_job_fails_with_its_sentence_and_the_rest_is_made(broken, what):
    workspace, (_, name, told) = broken(what), BROKEN[what]
    wanted = ["results/good/ratios/time.parquet", "results/bad/costs/time/other.parquet", "results/bad/ratios/time.parquet"]
    run = workspace.run("--keep-going", "--", *wanted)
    assert run.code == 1
    assert [(workspace.folder / path).exists() for path in wanted] == [True, True, False], run.output
    log = (workspace.folder / f".snakemake/joblogs/ingest{'_folder' * (what == 'in a folder')}/bad/{name}.log").read_text("utf-8")
    assert re.fullmatch(rf"study 'bad': (studies\.bad\.)?{told}.*\n", log), log
    for option in ("--unlock", "--summary"):
        run = workspace.run(option, "--", *wanted)
        assert run.code == 0, run.output
    if what == "missing":
        (workspace.folder / "logs/Missing.csv").write_text("solver,name,seconds\nA,p,1\n")
    else:
        (workspace.folder / "folder/loop.csv").unlink()
    run = workspace.run("--", *wanted)
    assert run.code == 0, run.output
    assert len([job for job in run.jobs if job.startswith("Reading")]) == 1


def test_a_mistake_in_the_names_of_a_study_stops_its_own_figures_alone(broken):
    workspace = broken("missing")
    (workspace.folder / "study.yaml").write_text(STUDY % f"{{path: other.csv, name: again, {COLUMNS}}}")
    figures = [f"results/{study}/figures/critical_differences_time.svg" for study in ("good", "bad")]
    run = workspace.run("-k", "--", *figures)
    assert "studies.bad.sources: 'other.csv' and 'other.csv' both hold the algorithms" in run.output
    assert [workspace.folder.joinpath(figure).exists() for figure in figures] == [True, False], run.output
