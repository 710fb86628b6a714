"""The page about extending: its examples, put into a copy of the project as it says, and run."""

import io
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from benchmill.core import storage
from tests.runs.conftest import PROJECT, Workspace

BLOCK = re.compile(r"^`(?P<path>[^`\n]+)`\n\n```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
STUDY = re.compile(r"^```yaml\n(studies:.*?)^```$", re.MULTILINE | re.DOTALL)


#: The sections of the page, without what stands before them.
SECTIONS = re.split(r"^## ", (PROJECT / "docs/extending.md").read_text("utf-8"), flags=re.MULTILINE)[1:]


def follow(section, project, logs):
    """Do what a section says: write its files, and put the lines with + after the lines before them."""
    for path, kind, text in BLOCK.findall(section):
        if kind == "diff":
            file = project / path
            lines = text.splitlines()
            before = "".join(line[1:] + "\n" for line in lines if line.startswith(" "))
            after = "".join(line[1:] + "\n" for line in lines if line.startswith("+"))
            found = file.read_text("utf-8")
            assert found.count(before) == 1, f"{path} has these lines {found.count(before)} times:\n{before}"
            file.write_text(found.replace(before, before + after), "utf-8")
        elif path.startswith("src/"):
            assert not (project / path).exists()
            (project / path).write_text(text, "utf-8")
        elif path.startswith("logs/"):
            (logs / path).parent.mkdir(exist_ok=True)
            (logs / path).write_text(text, "utf-8")


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """All sections followed in one copy of the project, and one study of them."""
    folder = tmp_path_factory.mktemp("extending")
    project, work = folder / "project", folder / "work"
    work.mkdir()
    for name in ("src", "scripts", "workflow", "profiles", ".ci", "config", "Snakefile", "environment.yml"):
        copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy
        copy(PROJECT / name, project / name if copy is shutil.copytree else project)
    study = {}
    (project / "docs").mkdir()
    for section in SECTIONS:
        follow(section, project, work)
        study |= yaml.safe_load(STUDY.search(section)[1])["studies"]["example"]
    python = {**os.environ, "PYTHONPATH": str(project / "src")}
    subprocess.run([sys.executable, project / ".ci/config_page.py"], env=python, check=True)
    (work / "logs/two.evals").write_text("solver: Simplex\nproblem: sphere\ndimension: 2\n2 0.5\n3 0.7\nspent: 60\n")
    (work / "study.yaml").write_text(yaml.safe_dump({"studies": {"example": study}}))
    return Workspace(work, project)


@pytest.mark.workflow
def test_what_the_page_adds_is_made(example):
    made = [f"results/example/{path}" for path in ("figures/spans.svg", "figures/profile_ert_among_best.txt")]
    made += [f"results/example/{path}" for path in ("comparisons/ert.parquet", "tables/alone_ert.csv", "ratios/ended.parquet")]
    made += ["results/example/indicator_values/reach/logs.parquet"]
    run = example.run(*made, "results/example/profile_measures/ert/among_best.parquet")
    assert run.code == 0, run.output

    # at 1 Simplex is first (after 2 evaluations; Compass needs 7), at 1e-8 Compass alone
    profiles = storage.read(example.path("example/profiles/ert/among_best.parquet"), "profiles").to_pylist()
    points = {(row["algorithm"], row["tau"]): (row["rho_low"], row["rho"], row["rho_high"]) for row in profiles}
    # two targets of one problem are drawn together: one cluster tells nothing of how far a curve could be off
    assert points["Compass", 1.0] == points["Simplex", 1.0] == points["Simplex", 2.0] == (None, 0.5, None)
    assert points["Compass", 2.0] == (None, 1.0, None)
    assert {rho for (name, tau), (_, rho, _) in points.items() if tau < 2 or name == "Simplex"} == {0.5}
    assert "among the best τ" in example.path("example/figures/profile_ert_among_best.txt").read_text("utf-8")
    assert "2 algorithms on 1 to 2 problems" in example.path("example/figures/spans.txt").read_text("utf-8")
    # Simplex is first at 1, Compass alone gets to 1e-8; one problem tells nothing
    compared = storage.read(example.path("example/comparisons/ert.parquet"), "comparisons").to_pylist()
    signs = {(row["target"], row["difference"], row["p"]) for row in compared if row["method"] == "signs"}
    assert signs == {(1.0, 1.0, 1.0), (1e-8, -1.0, 1.0)}
    ended = storage.read(example.path("example/ratios/ended.parquet"), "ratios").to_pylist()
    assert {(row["algorithm"], row["cost"]) for row in ended} == {("Compass", 40.0), ("Simplex", np.inf)}
    # each solver has one run, and that of Simplex fails at 1e-8
    reach = storage.read(example.path("example/indicator_values/reach/logs.parquet"), "indicator_values").to_pylist()
    values = {(row["algorithm"], row["target"]): (row["value"], row["n_trials"]) for row in reach if row["measure"] == "ert"}
    assert values == {
        ("Compass", 1.0): (7.0, 1),
        ("Simplex", 1.0): (2.0, 1),
        ("Compass", 1e-8): (30.0, 1),
        ("Simplex", 1e-8): (None, 1),
    }
    alone = example.path("example/tables/alone_ert.csv").read_text("utf-8").split()
    assert alone[1:] == ["Compass,1", "Simplex,1"]
    report = yaml.safe_load(example.path("example/ingest/logs.json").read_text("utf-8"))
    assert [(i["rule"], i["file"], i["line"]) for i in report["irregularities"]] == [("not_an_improvement", "two.evals", 5)]


@pytest.mark.workflow
def test_what_the_page_adds_changes_no_study_that_does_not_name_it(example, made, tmp_path):
    """Every module is the first of its list: no default is what stands first."""
    extended = made.copy(tmp_path / "work", example.project)
    shutil.rmtree(extended.folder / "results")
    shutil.rmtree(extended.folder / ".snakemake")
    # a PDF of the paper says no more than its source, and notes have the digest of the code
    wanted = [name for name in made.contents() if not name.endswith((".pdf", ".log")) and "origins/" not in name]
    run = extended.run(*(f"results/{name}" for name in wanted))
    assert run.code == 0, run.output
    before, after = made.contents(), extended.contents()
    # a kind of table that nobody has to ask for joins these; what it says of the others stays
    listing = ("config.yaml", "exhibits.json", "report.html", "section.md", "section.tex", "supplement.tex", "texts.tex")
    listing += tuple(f"settings.{suffix}" for suffix in ("csv", "md", "tex", "txt"))
    for name in before.keys() & after.keys():
        if name.endswith(".parquet"):
            # what it was made from has the digest of the code
            assert pq.read_table(io.BytesIO(after[name])).equals(pq.read_table(io.BytesIO(before[name]))), name
        elif not name.endswith(listing) and "origins/" not in name:
            assert after[name] == before[name], name
    assert {name for name in after if "alone" not in name and name not in before} == set()
    was, settings = (yaml.safe_load(found["small/config.yaml"])["studies"]["small"] for found in (before, after))
    assert [settings[key] for key in ("profiles", "measures", "inference", "primary")] == [
        was[key] for key in ("profiles", "measures", "inference", "primary")
    ]


def test_a_format_in_a_package_of_ones_own(tmp_path):
    blocks = {path: text for path, kind, text in BLOCK.findall(SECTIONS[0]) if kind != "diff"}
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/one.evals").write_text(blocks["logs/one.evals"])
    package = tmp_path / "packages"
    (package / "my_logs").mkdir(parents=True)
    (package / "my_logs/__init__.py").write_text(blocks["my_logs/__init__.py"])
    (package / "my_logs/evals.py").write_text(blocks["src/benchmill/readers/evals.py"])
    # what an installer makes of the page's pyproject.toml
    told = re.fullmatch(r'\[project\.entry-points\."(.*)"\]\n(\w+) = "(.*)"\n', blocks["pyproject.toml"])
    (package / "my_logs-1.dist-info").mkdir()
    (package / "my_logs-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: my-logs\nVersion: 1\n")
    (package / "my_logs-1.dist-info/entry_points.txt").write_text(f"[{told[1]}]\n{told[2]} = {told[3]}\n")
    code = "import sys; sys.path.insert(0, 'packages'); from benchmill.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code, "inspect", "logs"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Compass" in done.stdout
    assert "evals" in done.stdout
