import os
import sys
from pathlib import Path

import pytest
import yaml

from benchmill import cli, workflow
from benchmill.core import UserError
from benchmill.core.beside import ROOT
from benchmill.workflow import commands
from tests.readers.making import SMALL, tar
from tests.runs.conftest import snakemake


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_it_has_what_a_run_needs_and_copies_it_unchanged(tmp_path):
    made = commands.start(tmp_path / "a" / "study")
    assert made == files(tmp_path / "a" / "study")
    assert {"config.yaml", "Snakefile", "README.md", ".gitignore", "profiles/default/config.yaml"} < set(made)
    assert sum(name.startswith("data/") for name in made) == 3
    for name in made:
        there = ROOT / ("" if name.startswith("profiles/") else "studies/new") / name
        assert (tmp_path / "a" / "study" / name).read_bytes() == there.read_bytes()
    assert os.access(tmp_path / "a" / "study" / "profiles/cluster-generic/status.sh", os.X_OK)


def test_an_empty_folder_will_do(tmp_path):
    assert "config.yaml" in commands.start(tmp_path)


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "\x1b[31mred"])
def test_what_is_there_is_left_alone(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match=r"the folder is not empty \(.* is there\)") as caught:
        commands.start(tmp_path)
    assert "\x1b" not in str(caught.value)
    assert files(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_a_file_in_its_place(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "astray").symlink_to(tmp_path / "nowhere")
    for name in ("file", "astray"):
        with pytest.raises(UserError, match="this is a file"):
            commands.start(tmp_path / name)
    with pytest.raises(UserError, match="cannot be written there"):
        commands.start(tmp_path / "file" / "study")


def test_copies_of_what_is_write_protected_can_be_edited_and_a_run_leaves_no_trace(tmp_path, monkeypatch):
    for name in (
        "studies/new/config.yaml",
        "studies/new/results/x.txt",
        "studies/new/.snakemake/y",
        "profiles/default/config.yaml",
    ):
        path = tmp_path / "installed" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o444)
    monkeypatch.setattr(commands, "ROOT", tmp_path / "installed")
    assert commands.start(tmp_path / "study") == ["config.yaml", "profiles/default/config.yaml"]
    assert (tmp_path / "study" / "config.yaml").stat().st_mode & 0o777 == 0o644


def test_the_command_says_what_to_do_next(tmp_path, capsys):
    assert cli.main(["init", str(tmp_path / "my study")]) == 0
    assert f"cd '{tmp_path}/my study' && snakemake --cores all" in capsys.readouterr().out
    assert cli.main(["init", str(tmp_path / "my study")]) == 2
    assert capsys.readouterr().err.startswith("benchmill: ")
    with pytest.raises(SystemExit) as stop:
        cli.main(["init", "--help"])
    assert stop.value.code == 0
    assert "snakemake --cores all" in capsys.readouterr().out


def test_logs_of_ones_own_can_be_added_to_it(tmp_path, monkeypatch):
    commands.start(tmp_path / "study")
    tar(tmp_path / "walker.tgz", SMALL)
    monkeypatch.chdir(tmp_path / "study")
    assert cli.main(["add", "sample", "../walker.tgz"]) == 0
    sources = yaml.safe_load((tmp_path / "study" / "config.yaml").read_text())["studies"]["sample"]["sources"]
    assert sources == ["data/*", "../walker.tgz"]


@pytest.mark.workflow
def test_its_logs_are_the_ones_in_it(tmp_path):
    """The repository has logs at the same relative path; those of the study's folder count."""
    commands.start(tmp_path)
    source = Path(commands.__file__).parents[1]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(source)}
    code, output = snakemake(["-n", "--nocolor", "--quiet", "rules"], environment, tmp_path)
    assert code == 0, output
    jobs = dict(line.split() for line in output.splitlines() if len(line.split()) == 2)
    assert jobs["ingest"] == "3"
    assert jobs["paper"] == jobs["everything"] == "1"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("studies: &a {s: *a}", "studies.s is an alias (`*...`) of what it is in; write out what is meant."),
        (
            f"studies: {{s: {{sources: A, seed: {'9' * 5000}}}}}",
            "studies.s.seed is a number of 5000 digits, expected 400 at most",
        ),
        ("studies: [", "it is not YAML"),
        ("studies: {s: {sources: 5}}", "config.yaml has one mistake:\n  - studies.s.sources: "),
    ],
)
def test_a_configuration_that_snakemake_cannot_read_is_one_sentence(tmp_path, text, told):
    commands.start(tmp_path / "study")
    (tmp_path / "study" / "config.yaml").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(Path(workflow.__file__).parents[2])}
    code, output = snakemake(["-n", "--nocolor"], environment, tmp_path / "study")
    assert code != 0
    assert (told if "one mistake" in told else f"config.yaml: {told}") in output
    for place in ("RecursionError", "ValueError", ".smk", "File ", "Traceback"):
        assert place not in output


def test_a_configuration_that_can_be_read_or_is_not_there_is_left_to_snakemake(tmp_path):
    (tmp_path / "config.yaml").write_text("studies: {}")
    for name in ("config.yaml", "none.yaml"):
        assert workflow.readable(str(tmp_path / name)) == str(tmp_path / name)
