"""The wheel and the source archive hold what they should, and the wheel works by itself."""

import csv
import email
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import benchmill
from benchmill.paper.references import TITLE

HERE = Path(__file__).parents[1]
VERSION = benchmill.__version__


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """A wheel and a source archive of this folder."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", folder]
    subprocess.run(command, cwd=HERE, check=True, capture_output=True)
    return folder / f"benchmill-{VERSION}-py3-none-any.whl", folder / f"benchmill-{VERSION}.tar.gz"


def below(*folders):
    """Files below folders of the project."""
    found = (path for folder in folders for path in [HERE / folder, *(HERE / folder).rglob("*")] if path.is_file())
    return {path.relative_to(HERE).as_posix() for path in found if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_package_and_one_copy_of_the_workflow(packages):
    with zipfile.ZipFile(packages[0]) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info/" not in name]
        workflow = below("Snakefile", "workflow", "scripts", "profiles", "environment.yml", "data/paper-tables")
        new = {"studies/new/" + name for name in ("Snakefile", "config.yaml", "README.md", ".gitignore")}
        new |= below("studies/competition")
        package = {name.removeprefix("src/") for name in below("src/benchmill") if not name.endswith(".so")}
        carried = {f"benchmill/_workflow/{name}" for name in workflow | new | below("studies/new/data")}
        assert sorted(names) == sorted(package | carried)
        assert "benchmill/py.typed" in names
        for name in sorted(carried):
            assert wheel.read(name) == (HERE / name.removeprefix("benchmill/_workflow/")).read_bytes()
        status = wheel.getinfo("benchmill/_workflow/profiles/cluster-generic/status.sh")
        assert status.external_attr >> 16 & 0o100


def test_the_wheel_says_what_it_is(packages):
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    with zipfile.ZipFile(packages[0]) as wheel:
        info = f"benchmill-{VERSION}.dist-info/"
        said = email.message_from_string(wheel.read(info + "METADATA").decode("utf-8"))
        assert (said["Name"], said["Version"], said["License-Expression"]) == ("benchmill", VERSION, "BSD-3-Clause")
        assert said["Requires-Python"] == project["requires-python"]
        assert set(project["optional-dependencies"]) == set(said.get_all("Provides-Extra"))
        assert wheel.read(info + "licenses/LICENSE") == (HERE / "LICENSE").read_bytes()
        assert "benchmill = benchmill.cli:command" in wheel.read(info + "entry_points.txt").decode()


def test_the_source_archive_holds_all_that_is_in_the_repository(packages):
    if not (HERE / ".git").exists():
        pytest.skip("this is not a clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HERE, check=True, capture_output=True, text=True).stdout
    with tarfile.open(packages[1]) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    tracked = {name for name in listed.split("\0") if name and (HERE / name).is_file()}
    assert tracked <= names
    # what is not in the repository: made by the build, or new here and not yet added
    assert {name for name in names - tracked if not (HERE / name).exists()} == {"PKG-INFO"}


def test_the_version_is_the_same_everywhere():
    assert yaml.safe_load((HERE / "CITATION.cff").read_text("utf-8"))["version"] == VERSION
    headings = re.findall(r"^## \[(.*?)\](?: - (\d{4}-\d\d-\d\d))?$", (HERE / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == VERSION
    assert all(date for _, date in headings[1:])


def test_the_citation_says_what_the_package_says():
    cited = yaml.safe_load((HERE / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors", "version", "abstract"} <= set(cited)
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
    assert (cited["license"], cited["keywords"]) == (project["license"], project["keywords"])
    # what `references.bib` of every study has
    assert cited["title"] == TITLE
    assert [author["name"] for author in cited["authors"]] == ["The benchmill authors"]


def test_continuous_integration_tests_every_python_that_is_promised():
    flow = yaml.safe_load((HERE / ".github/workflows/ci.yml").read_text("utf-8"))
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    promised = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r"Python :: 3\.", c)]
    assert flow["jobs"]["installed"]["strategy"]["matrix"]["python"] == promised
    steps = [step for job in flow["jobs"].values() for step in job["steps"]]
    assert ".ci/run" in [step.get("run") for step in steps]
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in steps if "uses" in step)
    # nothing is released that was not built and tested
    assert set(flow["jobs"]["release"]["needs"]) == {"everything", "installed"}
    assert flow["jobs"]["installed"]["needs"] == "build"
    assert [name.partition("-")[0] for name in flow["jobs"]["elsewhere"]["strategy"]["matrix"]["system"]] == ["macos", "windows"]
    assert "secrets." not in (HERE / ".github/workflows/ci.yml").read_text("utf-8")


def test_the_text_of_a_release_is_its_part_of_the_changelog():
    notes = runpy.run_path(str(HERE / ".ci/release_notes.py"))["notes"]()
    assert notes
    assert "## [" not in notes
    assert notes in (HERE / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.workflow
def test_install_the_wheel_begin_a_study_run_it(packages, tmp_path):
    """What somebody does who has no clone: `pip install`, `benchmill init`, `snakemake`."""
    installed, study = tmp_path / "installed", tmp_path / "my-study"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--root-user-action=ignore", "--target", installed, packages[0]], check=True)
    path = f"{installed / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(installed), "HOME": str(tmp_path)}

    def run(*command, folder):
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    assert run("benchmill", "--version", folder=tmp_path) == f"benchmill {VERSION}\n"
    where = run(sys.executable, "-c", "from benchmill import workflow; print(workflow.SNAKEFILE)", folder=tmp_path)
    assert where == f"{installed}/benchmill/_workflow/Snakefile\n"
    assert "snakemake --cores all" in run("benchmill", "init", "my-study", folder=tmp_path)
    run("snakemake", "--cores", "all", folder=study)
    assert "Three solvers on five BBOB functions" in (study / "results/report.html").read_text("utf-8")
    assert (study / "results/paper.pdf").exists() == bool(shutil.which("pdflatex"))
    # one trial per instance: 3 solvers, 5 functions, 2 dimensions, instances 1 to 5
    with (study / "results/sample/tables/inventory.csv").open(encoding="utf-8", newline="") as stream:
        trials = {row["algorithm"]: row["trials"] for row in csv.DictReader(stream)}
    assert trials == dict.fromkeys(["CMA-ES", "L-BFGS-B", "Nelder-Mead"], "50/50")
    assert "Nothing to be done" in run("snakemake", "--cores", "all", folder=study)
