"""The tutorial works as it is printed: its files are written, its commands are run, and the article says what holds."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.runs.conftest import PROJECT

pytestmark = pytest.mark.workflow
PAGE = PROJECT / "docs/tutorial.md"
CLASS = shutil.which("kpsewhich") and subprocess.run(
    ["kpsewhich", "IEEEtran.cls", "ptmr7t.tfm", "IEEEtran.bst"], capture_output=True, text=True, check=False
).stdout.count("\n") == 3  # fmt: skip


def printed(language):
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return block


def commands():
    """The indented commands."""
    text = re.sub(r"^```.*?^```", "", PAGE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^    (\S.*)$", text, re.MULTILINE)


def text_of(pdf):
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"-\n|\s+", lambda found: "" if found[0] == "-\n" else " ", text)


def words_of(pdf):
    """The words of a PDF, with the points that they take on a page of 612 by 792."""
    boxes = subprocess.run(["pdftotext", "-bbox", pdf, "-"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>', boxes)
    return [(word, *map(float, place)) for *place, word in found]


@pytest.mark.skipif(not CLASS or not shutil.which("pdftotext"), reason="needs IEEEtran, its fonts and pdftotext")
def test_the_tutorial_makes_an_article_as_printed(tmp_path):
    (project := tmp_path / "path/to").mkdir(parents=True)
    (project / "benchmill").symlink_to(PROJECT)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT / "src"),
        "PYTHONDONTWRITEBYTECODE": "",
    }

    def run(command, folder):
        done = subprocess.run(command, cwd=folder, env=environment, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    init, enter, *fill, make, pack = commands()
    assert (init, enter) == ("benchmill init article", "cd article")
    assert (make, pack) == ("snakemake --cores all", "benchmill pack mine")
    run(init, tmp_path)
    folder = tmp_path / "article"
    for command in fill:
        run(command.replace("path/to/benchmill", str(project / "benchmill")), folder)
    (folder / "config.yaml").write_text(printed("yaml"))
    (folder / "article.tex").write_text(printed("latex"))
    run(make, folder)
    results = folder / "results/mine"
    first = text_of(results / "paper.pdf")
    assert "We compare 7 algorithms in 10" in first
    assert "??" not in first
    assert "Random search" not in first
    assert "[?]" not in first
    off = [word for word, left, top, right, bottom in words_of(results / "paper.pdf") if left < 40 or right > 572 or bottom > 760]
    assert not off
    # the control is in every statement of the primary analysis, and in no other pair
    claims = re.search(r"benchmill@mine/claims/ert\\endcsname\{(.*)\}", (results / "texts.tex").read_text("utf-8"))[1]
    assert "step{-}down max{-}T over 6 statements" in claims
    run(pack, folder)
    with zipfile.ZipFile(folder / "mine.zip") as archive:
        assert {"article.tex", "numbers.tex", "figures/groups.pdf", "references.bib"} <= set(archive.namelist())
        assert not [name for name in archive.namelist() if name.startswith(("/", ".."))]
    pens = yaml.safe_load((folder / "pens.yaml").read_text())

    # one less
    config = folder / "config.yaml"
    config.write_text(config.read_text().replace("except: [Random search]", "except: [Random search, Powell]"))
    run("snakemake --cores all results/mine/numbers.tex", folder)
    numbers = (results / "numbers.tex").read_text("utf-8")
    assert r"benchmill@mine/algorithms\endcsname{6}" in numbers
    assert r"benchmill@mine/trials/found\endcsname{8" in numbers
    # who is dropped keeps the number for the case of coming back; nobody else changes
    assert yaml.safe_load((folder / "pens.yaml").read_text()) == pens
