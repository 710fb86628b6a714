"""What runs again after a change, and what does not: read off the jobs that ran and the files that were written."""

import shutil

import pytest

from .conftest import PROJECT, write_archive

pytestmark = pytest.mark.workflow
# papers are compiled again (`tex`) only where it is about them: what is made again before them is the same


def stage(name):
    """The stage that a file of the study belongs to: `costs` of `small/costs/ert/Alpha.parquet`."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else ""


def test_a_second_run_runs_no_job_nor_does_one_after_logs_were_touched(workspace):
    before = workspace.times()
    for path in (workspace.folder / "logs").iterdir():
        path.touch()
    run = workspace.run()
    assert run.code == 0
    assert run.jobs == []
    assert "Nothing to be done" in run.output
    assert workspace.times() == before


def test_one_more_archive_and_a_changed_one_touch_no_other_source(workspace):
    before = workspace.times()
    write_archive(workspace.folder / "logs" / "Delta.tar.xz", "Delta", 9)
    changed = workspace.folder / "logs" / "Beta.tar.xz"
    changed.unlink()
    write_archive(changed, "Beta", 77)
    run = workspace.run(tex=False)
    assert run.code == 0, run.output
    written = workspace.written_since(before)
    stages = ("trials", "traces", "ingest", "costs", "indicators")
    per_source = [name for name in written if stage(name) in stages]
    assert all("/Delta." in name or "/Beta." in name for name in per_source)
    for source in ("Delta", "Beta"):
        assert {stage(name) for name in per_source if f"/{source}." in name} == set(stages)
    assert {"small/ratios/ert.parquet", "small/ecdf/problem.parquet", "small/tests/ert.parquet", "report.html"} <= set(written)


def test_other_targets_measure_again_but_read_nothing_again(workspace):
    before = workspace.times()
    workspace.config.write_text(workspace.config.read_text().replace("targets: [10, 1.0e-3]", "targets: [10, 1.0e-2]"))
    run = workspace.run(tex=False)
    assert run.code == 0, run.output
    written = workspace.written_since(before)
    assert not any(stage(name) in ("trials", "traces", "ingest") for name in written)
    assert {f"small/costs/ert/{name}.parquet" for name in ("Alpha", "Beta", "Gamma")} <= set(written)
    assert not any(name.startswith(("small/costs/ecdf", "small/costs/quality", "small/ecdf")) for name in written)


def test_a_lost_result_is_made_again(workspace):
    path = workspace.path("small/profiles/ert/dolan_more.parquet")
    content = path.read_bytes()
    path.unlink()
    run = workspace.run(tex=False)
    assert run.code == 0
    assert path.read_bytes() == content
    assert "Reading" not in " ".join(run.jobs)


@pytest.fixture(scope="module")
def copied_project(made, tmp_path_factory):
    """A copy of the project whose code may be edited, and of a finished run; the page and the paper have templates elsewhere."""
    project = tmp_path_factory.mktemp("project") / "benchmill"
    keep = ("Snakefile", "config.yaml", "environment.yml", "workflow", "profiles", "scripts", "src")
    project.mkdir()
    for name in keep:
        source = PROJECT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, project / name)
    workspace = made.copy(project.parent / "work", project)
    run = workspace.run()
    assert run.code == 0, run.output
    assert "Reading" not in " ".join(run.jobs)
    return workspace


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_a_changed_docstring_or_comment_runs_no_job(copied_project):
    package = copied_project.project / "src" / "benchmill"
    edit(package / "profiles" / "dolan_more.py", '"""', '"""Changed. ')
    edit(package / "readers" / "coco.py", "import bisect", "# a comment\nimport bisect")
    edit(copied_project.project / "scripts" / "ratios.py", '"""', '"""Changed. ')
    run = copied_project.run()
    assert run.code == 0
    assert run.jobs == [], run.output


def test_a_changed_kernel_makes_again_what_uses_it(copied_project):
    before = copied_project.times()
    path = copied_project.project / "src" / "benchmill" / "profiles" / "dolan_more.py"
    # within a function: what stands outside of them may be an entry, which counts wherever entries are read
    edit(path, "    return ", "    changed = True\n    return ")
    run = copied_project.run(tex=False)
    assert run.code == 0, run.output
    written = copied_project.written_since(before)
    stages = {stage(name) for name in written}
    assert {"profiles", "profile_measures"} <= stages
    assert not stages & {"trials", "traces", "ingest", "costs", "ratios", "indicators", "ecdf", "tests"}
