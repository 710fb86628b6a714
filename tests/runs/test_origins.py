"""What stands among the results is what is asked for, whatever Snakemake remembers and whatever the times of the files say."""

import json
import os
import shutil

import pytest

from benchmill import cli

from .conftest import PROJECT, Workspace, write_archive

pytestmark = pytest.mark.workflow

COSTS = "small/costs/ert/Alpha.parquet"


def forget(workspace):
    """The same folder without Snakemake's memory."""
    shutil.rmtree(workspace.folder / ".snakemake", ignore_errors=True)


def other_target(workspace):
    text = workspace.config.read_text()
    assert "1.0e-3" in text
    workspace.config.write_text(text.replace("1.0e-3", "1.0e-2"))


def alone(workspace, folder, results="results"):
    """Configuration, logs, looks and results elsewhere, with the times of a copy."""
    folder.mkdir()
    for name in ("study.yaml", "pens.yaml"):
        shutil.copyfile(workspace.folder / name, folder / name)
    # what was made last is copied first
    for name in ("logs", results):
        files = [path for path in sorted((workspace.folder / name).rglob("*"), reverse=True) if path.is_file()]
        for path in files:
            to = folder / path.relative_to(workspace.folder)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
    for name in ("tested",):
        if (workspace.folder / name).exists():
            shutil.copytree(workspace.folder / name, folder / name)
    return Workspace(folder)


def planned(workspace, *arguments):
    """Messages of the jobs that a run would start."""
    run = workspace.run("-n", *arguments, tex=False)
    assert run.code == 0, run.output
    return run.jobs


def begins(jobs, *words):
    return {word for word in words if any(job.startswith(word) for job in jobs)}


def test_a_copy_of_the_results_alone_is_as_good_as_where_they_were_made(made, tmp_path):
    copied = alone(made, tmp_path / "elsewhere")
    before = copied.times()
    assert planned(copied, *TABLES) == []
    # nor does it depend on the order in which files came
    for path in (copied.folder / "results").rglob("*"):
        os.utime(path, (1, 1))
    assert planned(copied, *TABLES) == []
    assert set(before) == set(copied.times())


#: What is made without TeX; the folder of all tests was made with it.
TABLES = ["results/report.html", "results/paper/paper.tex", "results/small/section.tex", "results/pens.yaml"]


@pytest.mark.parametrize("how", ["forgotten", "copied", "touched", "told to be touched"])
def test_another_target_measures_again_whatever_is_remembered(made, tmp_path, how):
    workspace = alone(made, tmp_path / "elsewhere") if how == "copied" else made.copy(tmp_path / "elsewhere")
    if how != "copied":
        forget(workspace)
    other_target(workspace)
    if how == "touched":
        for path in (workspace.folder / "results").rglob("*"):
            path.touch()
    if how == "told to be touched":
        assert workspace.run("--touch", *TABLES, tex=False).code == 0
    found = planned(workspace, *TABLES)
    assert begins(found, "Measuring ert of Alpha", "Testing ert", "Writing the tables") == {
        "Measuring ert of Alpha",
        "Testing ert",
        "Writing the tables",
    }
    assert not begins(found, "Reading", "Measuring quality")
    # asked for one by one
    assert [job for job in planned(workspace, f"results/{COSTS}") if job.startswith("Measuring")] == found_of(found)


def found_of(jobs):
    return [job for job in jobs if job.startswith("Measuring ert of Alpha")]


def test_what_is_made_again_is_what_a_run_from_nothing_makes(made, tmp_path):
    workspace = alone(made, tmp_path / "elsewhere")
    other_target(workspace)
    wanted = ["results/small/numbers.tex", "results/small/tests/ert.parquet"]
    assert workspace.run("--", *wanted, tex=False).code == 0
    fresh = Workspace(tmp_path / "fresh")
    fresh.folder.mkdir()
    shutil.copyfile(workspace.config, fresh.config)
    shutil.copytree(workspace.folder / "logs", fresh.folder / "logs")
    assert fresh.run("--", *wanted, tex=False).code == 0
    contents = fresh.contents()
    found = workspace.contents()
    assert {name: found[name] for name in contents} == contents
    assert planned(workspace, *wanted) == []


def test_other_names_of_algorithms_read_again_what_holds_them_and_add_knows_the_rest(made, tmp_path, monkeypatch, capsys):
    workspace = alone(made, tmp_path / "elsewhere")
    before = workspace.folder / ".snakemake/benchmill-compared.json"
    before.parent.mkdir()
    shutil.copyfile(made.folder / ".snakemake" / before.name, before)
    wanted = [f"results/small/{name}" for name in ("leaders.parquet", "ingest/Gamma.json")]
    text = workspace.config.read_text()
    head, sources, rest = text.partition("    sources:")
    workspace.config.write_text(f"{head}    algorithms: {{except: [Gamma], rename: {{Beta: Bee}}}}\n{sources}{rest}")
    run = workspace.run("--", *wanted, tex=False)
    assert run.code == 0, run.output
    assert {job for job in run.jobs if job.startswith("Reading")} == {"Reading Beta for small", "Reading Gamma for small"}
    assert not begins(run.jobs, "Measuring ert of Alpha")
    assert "small, since the last run: removed Gamma; renamed Beta to Bee. " in run.output
    fresh = Workspace(tmp_path / "fresh")
    fresh.folder.mkdir()
    shutil.copyfile(workspace.config, fresh.config)
    shutil.copytree(workspace.folder / "logs", fresh.folder / "logs")
    first = fresh.run("--", *wanted, tex=False)
    assert first.code == 0
    assert "since the last run" not in first.output
    contents, found = fresh.contents(), workspace.contents()
    assert {name: found[name] for name in contents} == contents
    monkeypatch.chdir(workspace.folder)
    write_archive(workspace.folder / "more" / "Delta.tar.xz", "Delta", 9)
    for path in (workspace.folder / "logs").iterdir():
        path.touch()
    assert cli.main(["add", "small", "more/Delta.tar.xz", "--config", workspace.config.name, "-n"]) == 0
    assert "Not read yet" not in capsys.readouterr().out
    assert cli.main(["remove", "small", "Beta", "--config", workspace.config.name, "-n"]) == 0
    assert "+    algorithms: {except: [Gamma, Beta], rename: {Beta: Bee}}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "again", "not_again"),
    [
        (COSTS, "Measuring ert of Alpha", "Reading"),
        ("small/numbers.tex", "Writing the tables", "Testing"),
        ("small/figures/ecdf_target.svg", "Drawing ecdf_target", "Writing the tables"),
        ("small/ingest/Beta.json", "Reading Beta", "Reading Alpha"),
    ],
)
def test_a_file_that_stands_in_for_another_is_made_again(workspace, name, again, not_again):
    path = workspace.path(name)
    state, content = path.stat(), path.read_bytes()
    # of the same length, with the same times
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    found = planned(workspace, *TABLES, f"results/{name}")
    assert begins(found, again, not_again) == {again}


def test_costs_of_an_older_run_are_not_those_of_this_one(workspace):
    older = {suffix: workspace.path(f"small/{suffix}").read_bytes() for suffix in ("costs/ert/Beta.parquet", ORIGIN)}
    other_target(workspace)
    wanted = f"results/{COSTS.replace('Alpha', 'Beta')}"
    assert workspace.run("--", wanted, tex=False).code == 0
    assert planned(workspace, wanted) == []
    for name, content in older.items():
        workspace.path(f"small/{name}").write_bytes(content)
        # the costs alone, then with what they were made from
        assert planned(workspace, wanted) == ["Measuring ert of Beta for small"]


ORIGIN = "origins/costs/ert/Beta.json"


def test_a_log_that_another_replaced_is_read_again_from_a_copy(made, tmp_path):
    copied = alone(made, tmp_path / "elsewhere")
    log = copied.folder / "logs" / "Beta.tar.xz"
    log.unlink()
    write_archive(log, "Beta", 77)
    os.utime(log, (1, 1))
    found = planned(copied, *TABLES)
    assert begins(found, "Reading Beta", "Measuring ert of Beta", "Testing ert", "Reading Alpha") == {
        "Reading Beta",
        "Measuring ert of Beta",
        "Testing ert",
    }


def test_code_that_was_edited_is_seen_from_a_copy(made, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for name in ("Snakefile", "config.yaml", "environment.yml", "workflow", "profiles", "scripts", "src", "data"):
        source = PROJECT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, project / name)
    copied = Workspace(alone(made, tmp_path / "elsewhere").folder, project)
    assert planned(copied, "results/small/claims.parquet") == []
    kernel = project / "src/benchmill/inference/claims.py"
    kernel.write_text(kernel.read_text("utf-8") + "\n_EDITED = True\n", "utf-8")
    assert planned(copied, "results/small/claims.parquet") == ["Checking the claims of small"]


def test_of_a_part_of_the_results_the_rest_is_made_again(made, tmp_path):
    copied = alone(made, tmp_path / "elsewhere")
    shutil.rmtree(copied.path("small/costs/ert"))
    # the file is lost, and it is known what it was
    assert planned(copied, "results/small/tests/ert.parquet") == []
    assert begins(planned(copied, f"results/{COSTS}"), "Measuring", "Reading") == {"Measuring"}
    shutil.rmtree(copied.path("small/origins/costs"))
    assert begins(planned(copied, "results/small/tests/ert.parquet"), "Measuring", "Reading") == {"Measuring"}


def test_records_are_no_results(workspace):
    """What was given out once stays when all results are deleted, and results follow it, not what was there before."""
    pens, tested = workspace.folder / "pens.yaml", workspace.folder / "tested" / "small.json"
    before = pens.read_text(), tested.read_text()
    assert len(json.loads(before[1])["looks"]) == 1
    assert workspace.run("--delete-all-output", tex=False).code == 0
    assert (pens.read_text(), tested.read_text()) == before
    assert not workspace.path("pens.yaml").exists()


def test_a_record_that_is_changed_is_an_input_that_is_changed(workspace):
    pens, tested = workspace.folder / "pens.yaml", workspace.folder / "tested" / "small.json"
    text = pens.read_text()
    pens.write_text(text.replace("Alpha: 0", "Alpha: 9"))
    assert "Assigning pens" in planned(workspace, "results/pens.yaml")
    pens.write_text(text)
    assert planned(workspace, "results/pens.yaml") == []
    tested.unlink()
    assert "Stating what small may claim" in planned(workspace, "results/small/verdicts.parquet")
