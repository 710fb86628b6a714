"""What is edited, and what must be made again of it: every kind of file that no job makes, whatever its size and date.

One small study is made once; each edit is put back after Snakemake has told (`-n`) which jobs it would run.
"""

import json
import os
import re
import shutil
from contextlib import contextmanager

import pytest

from .conftest import PROJECT, Workspace
from .test_runs import HAS_TEX

pytestmark = pytest.mark.workflow

STUDY = """
studies:
  small:
    sources:
      - {path: tables/costs.csv, format: table, columns: {algorithm: solver, problem: name, cost: seconds},
         lookup: tables/names.csv}
      - {path: runs, format: table, columns: {algorithm: solver, problem: name, cost: seconds}}
    attributes: {problems: tables/weights.csv}
    cluster_keys: [suite, problem]
    measures:
      time: {kind: given, label: duration}
    profiles:
      - {variant: dolan_more, name: weighted, weights: share}
    inference: {alpha: 0.05, normalise: {e1: tables/bounds.csv}, methods: [friedman], comparisons: [conover]}
    figures: [critical_differences_time]
    paper: own/paper.tex
"""
FILES = {
    "tables/costs.csv": "solver,id,seconds\nA,x,1.5\nA,y,2.5\nA,z,4\nB,x,3.5\nB,y,1.5\nB,z,8\n",
    "tables/names.csv": "id,name\nx,p1\ny,p2\nz,p3\n",
    "tables/weights.csv": "problem,share\np1,1\np2,2\np3,3\n",
    "tables/bounds.csv": "problem,lower,upper\np1,0.5,10\np2,0.5,10\np3,0.5,20\n",
    "runs/c.csv": "solver,name,seconds\nC,p1,2.5\nC,p2,3.5\nC,p3,5.5\n",
    "own/paper.tex": r"\documentclass{classes/mine}\begin{document}\input{sections/one}\bibliographystyle{plain}"
    r"\bibliography{refs/all}\end{document}",
    "own/classes/mine.cls": r"\LoadClass{article}",
    "own/sections/one.tex": r"One text.\cite{a}",
    "own/refs/all.bib": "@book{a, author={A. Author}, title={A Title}, publisher={P}, year=2001}\n",
}
#: In its own Snakefile's terms, everything that the edits below can reach.
TARGETS = [
    "results/small/standings/profiles.parquet",
    "results/small/profiles/time/weighted.parquet",
    "results/small/tests/time.parquet",
    "results/small/tables/missing.md",
    "results/paper/paper.tex",
    "results/report.html",
    *(["results/small/paper.pdf"] if HAS_TEX else []),
]


def make_study(folder, project=PROJECT):
    """The study, with nothing made of it."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "study.yaml").write_text(STUDY)
    return Workspace(folder, project)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy of the project that may be edited, and a finished run of it."""
    project = tmp_path_factory.mktemp("project") / "benchmill"
    project.mkdir()
    for name in ("Snakefile", "config.yaml", "environment.yml", "workflow", "profiles", "scripts", "src", "data"):
        source = PROJECT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, project / name)
    workspace = make_study(project.parent / "work", project)
    run = workspace.run(*TARGETS)
    assert run.code == 0, run.output
    return workspace


def test_the_label_of_a_measure_stands_in_what_is_said_of_it(finished):
    exhibits = json.loads(finished.path("small/exhibits.json").read_text())
    assert "(measure duration, 3 clusters" in exhibits["primary"]["text"]
    assert "Duration: " in dict(exhibits["methods"])["Measures"]


def disguise(path, old, new):
    """Put a text of the same length in the place of another one, with the dates of the file as they were."""
    assert len(old) == len(new)
    text, state = path.read_text("utf-8"), path.stat()
    assert old in text
    other = path.with_name(f"{path.name}.other")
    other.write_text(text.replace(old, new, 1), "utf-8")
    os.utime(other, ns=(state.st_atime_ns, state.st_mtime_ns))
    other.replace(path)


@contextmanager
def disguised(path, old, new):
    """The same, until the block ends."""
    disguise(path, old, new)
    try:
        yield
    finally:
        disguise(path, new, old)


def would_run(workspace, **settings):
    """First words of the jobs that Snakemake would run."""
    run = workspace.run("-n", *TARGETS, **settings)
    assert run.code == 0, run.output
    return {" ".join(re.sub(r" (for|of) .*", "", job).split()[:2]) for job in run.jobs}


def test_nothing_edited_runs_nothing(finished):
    assert would_run(finished) == set()
    # the time of a folder is that of the last file that came or went
    (finished.folder / "runs" / "c.csv.other").touch()
    (finished.folder / "runs" / "c.csv.other").unlink()
    assert would_run(finished) == set()


tex = pytest.mark.skipif(not HAS_TEX, reason="needs pdflatex")
OWN = {"Compiling the"}


@pytest.mark.parametrize(
    ("name", "old", "new", "again", "not_again"),
    [
        ("tables/costs.csv", "3.5", "9.5", {"Reading costs", "Measuring time"}, {"Reading runs"}),
        ("tables/names.csv", "x,p1", "x,p9", {"Reading costs"}, {"Reading runs"}),
        ("runs/c.csv", "3.5", "9.5", {"Reading runs", "Measuring time"}, {"Reading costs"}),
        ("tables/weights.csv", "p1,1", "p1,9", {"Making the", "Ranking the"}, {"Reading runs", "Testing time"}),
        ("tables/bounds.csv", "0.5", "0.1", {"Testing time"}, {"Reading runs", "Making the"}),
        pytest.param("own/paper.tex", "plain", "alpha", OWN, {"Writing the"}, marks=tex),
        pytest.param("own/sections/one.tex", "One", "Two", OWN, {"Writing the"}, marks=tex),
        pytest.param("own/classes/mine.cls", "article", "amsbook", OWN, {"Writing the"}, marks=tex),
        pytest.param("own/refs/all.bib", "A Title", "Another", OWN, {"Writing the"}, marks=tex),
    ],
)
def test_an_edited_input(finished, name, old, new, again, not_again):
    with disguised(finished.folder / name, old, new):
        found = would_run(finished)
    assert again <= found
    assert not not_again & found


@pytest.mark.parametrize(
    ("name", "old", "new", "again"),
    [
        ("workflow/paper/preamble.tex", "0.16in", "0.26in", {"Writing the"}),
        ("src/benchmill/page/templates/page.css", "px", "pt", {"Writing the"}),
        ("src/benchmill/page/templates/script/pointing.js", "40", "60", {"Writing the"}),
        # a default of the schema, for a study that says nothing of it
        ("workflow/schemas/config.schema.json", '"default": "ieee"', '"default": "lncs"', {"Drawing critical_differences_time"}),
    ],
)
def test_an_edited_template_or_default(finished, name, old, new, again):
    with disguised(finished.project / name, old, new):
        found = would_run(finished)
    assert again <= found
    assert not {"Reading costs", "Computing ratios", "Testing time"} & found


def test_an_edited_setting(finished):
    with disguised(finished.config, "alpha: 0.05", "alpha: 0.01"):
        found = would_run(finished)
    assert "Testing time" in found
    assert not {"Reading costs", "Computing ratios"} & found


@pytest.mark.parametrize(
    ("name", "again", "not_again"),
    [
        ("scripts/ratios.py", {"Computing ratios"}, {"Reading costs", "Measuring time"}),
        # what registries name is imported by no statement
        ("src/benchmill/readers/table.py", {"Reading costs", "Reading runs"}, set()),
        ("src/benchmill/costs/given.py", {"Measuring time"}, {"Reading costs"}),
        ("src/benchmill/inference/friedman.py", {"Testing time"}, {"Computing ratios", "Making the"}),
        (
            "src/benchmill/exhibits/figures/critical_differences.py",
            {"Drawing critical_differences_time"},
            {"Testing time", "Making the"},
        ),
        ("src/benchmill/exhibits/figures/scatter.py", set(), {"Drawing critical_differences_time", "Testing time"}),
        ("src/benchmill/exhibits/tables/statistics.py", {"Writing the"}, {"Testing time", "Drawing critical_differences_time"}),
    ],
)
def test_edited_code(finished, name, again, not_again):
    path = finished.project / name
    text, state = path.read_text("utf-8"), path.stat()
    # what is computed changes, no entry of a registry, which stands outside of functions
    edited, n = re.subn(r"^    return ", "    edited = True\n    return ", text, count=1, flags=re.MULTILINE)
    path.write_text(edited if n else f"{text}\n_EDITED = True\n", "utf-8")
    try:
        found = would_run(finished)
    finally:
        path.write_text(text, "utf-8")
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert again <= found
    assert not not_again & found


def test_another_environment(finished):
    """The file that Snakemake makes environments from (`--sdm conda`) counts only where it makes them."""
    with disguised(finished.project / "environment.yml", "numpy", "dummy"):
        assert would_run(finished) == set()


def test_another_version_of_a_library(finished, tmp_path):
    """The first distribution of that name in the path counts; what does not use SciPy is kept."""
    (tmp_path / "scipy-99.0.dist-info").mkdir()
    (tmp_path / "scipy-99.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 99.0\n")
    found = would_run(finished, env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{finished.project / 'src'}"})
    assert "Testing time" in found
    assert not {"Reading costs", "Reading runs"} & found


def test_after_edits_the_bytes_are_those_from_scratch(finished, tmp_path):
    code = [
        ("src/benchmill/page/templates/page.css", "px", "pt"),
        ("src/benchmill/page/templates/script/pointing.js", "40", "60"),
        ("workflow/paper/preamble.tex", "0.16in", "0.26in"),
        ("src/benchmill/exhibits/figures/critical_differences.j2", "average ranks, the smallest", "Average ranks, the smallest"),
        ("workflow/schemas/config.schema.json", '"default": "ieee"', '"default": "lncs"'),
    ]
    edits = [
        ("study.yaml", "alpha: 0.05", "alpha: 0.01"),
        ("tables/names.csv", "x,p1", "y,p1"),
        ("tables/names.csv", "y,p2", "x,p2"),
        ("tables/weights.csv", "p1,1", "p1,9"),
    ]
    if HAS_TEX:
        edits.append(("own/sections/one.tex", "One", "Two"))
    scratch = make_study(tmp_path / "scratch", finished.project)
    before = finished.contents()
    for name, old, new in code:
        disguise(finished.project / name, old, new)
    for name, old, new in edits:
        for workspace in (finished, scratch):
            disguise(workspace.folder / name, old, new)
    try:
        for workspace in (finished, scratch):
            run = workspace.run(*TARGETS)
            assert run.code == 0, run.output
        assert finished.contents() == scratch.contents()
        assert finished.contents() != before
    finally:
        for name, old, new in reversed(edits):
            disguise(finished.folder / name, new, old)
        for name, old, new in reversed(code):
            disguise(finished.project / name, new, old)
