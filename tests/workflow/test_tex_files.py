"""Every file that a paper reads is found, wherever its name stands."""

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmill.core import UserError
from benchmill.workflow.typesetting import paper_files, tex_engine_available


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Writes files, `own/paper.tex` among them, and gives those that belong to the paper."""
    monkeypatch.chdir(tmp_path)

    def files(texts):
        for name, text in texts.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        paper_files.cache_clear()
        return [str(path) for path in paper_files(Path("own/paper.tex"))]

    return files


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"\input{sections/intro}", "own/sections/intro.tex"),
        (r"\input{sections/intro.tex}", "own/sections/intro.tex"),
        (r"\input sections/intro ", "own/sections/intro.tex"),
        (r"\include{sections/intro}", "own/sections/intro.tex"),
        (r"\subfile{ sections/intro }", "own/sections/intro.tex"),
        (r"\includegraphics[width=5cm]{pictures/map}", "own/pictures/map.pdf"),
        (r"\includegraphics{pictures/map.png}", "own/pictures/map.png"),
        (r"\graphicspath{{pictures/}{more/}}\includegraphics{map}", "own/pictures/map.jpg"),
        (r"\import{sections/}{intro}", "own/sections/intro.tex"),
        (r"\bibliography{refs/first,refs/second}", "own/refs/second.bib"),
        (r"\addbibresource{refs/first.bib}", "own/refs/first.bib"),
        (r"\bibliographystyle{styles/mine}", "own/styles/mine.bst"),
        (r"\documentclass[10pt]{classes/mine}", "own/classes/mine.cls"),
        (r"\usepackage{amsmath,styles/mine}", "own/styles/mine.sty"),
        (r"\input{../shared/macros}", "shared/macros.tex"),
        (r"\exhibit{pictures/map}{A map.}", "own/pictures/map.pdf"),
        (r"\foreach \n in {1,2} {\includegraphics{pictures/map\n}}", "own/pictures/map2.pdf"),
        (r"\newcommand\part[1]{\input{sections/#1}}\part{intro}", "own/sections/intro.tex"),
        (r"\input{sections/with blanks}", "own/sections/with blanks.tex"),
        ("no name at all", "own/beside.bib"),
    ],
)
def test_every_way_to_name_a_file(found, text, name):
    assert found({"own/paper.tex": text, name: ""}) == [name]


def test_sources_are_followed_and_circles_end(found):
    texts = {
        "own/paper.tex": r"\documentclass{classes/mine}\input{sections/one}",
        "own/classes/mine.cls": r"\RequirePackage{classes/colours}",
        "own/classes/colours.sty": r"\input{sections/one}",
        "own/sections/one.tex": r"\input{paper}\input{sections/two}\graphicspath{{pictures/}}",
        "own/sections/two.tex": r"\includegraphics{map}",
        "own/pictures/map.pdf": "",
    }
    others = {"own/sections/three.tex": "", "own/pictures/other.pdf": ""}
    assert found({**others, **texts}) == sorted(set(texts) - {"own/paper.tex"})


def test_the_pdf_that_the_author_makes_by_hand_is_no_source(found):
    assert found({"own/paper.tex": r"\hypersetup{pdftitle={paper}}", "own/paper.pdf": ""}) == []


def test_results_are_products(found):
    source = r"\input{../results/small/numbers}\input{../results/small/tables/\name}"
    assert found({"own/paper.tex": source, "results/small/numbers.tex": "", "results/small/tables/a.tex": ""}) == []


def test_a_paper_beside_everything_else(found, tmp_path):
    """In the main folder of a study the paper's folder is that of its results too."""
    (tmp_path / "own").mkdir()
    (tmp_path / "results").mkdir()
    (tmp_path / "own" / "results").symlink_to(tmp_path / "results")
    assert found({"own/paper.tex": r"\input{results/a}\includegraphics{logs/}", "results/a.tex": "", "own/logs/x.csv": ""}) == []


def test_strange_names_are_none(found):
    assert found({"own/paper.tex": "{" + "x" * 299 + "}{..}{.}{/}{a\0b}{~}" + "{" + "é" * 200 + "}"}) == []


def test_what_cannot_be_watched_is_refused(found, tmp_path, monkeypatch):
    monkeypatch.setattr("benchmill.workflow.typesetting._MOST_FILES", 3)
    with pytest.raises(UserError, match="names more than 3 files"):
        found({"own/paper.tex": "", "own/a.tex": "", "own/b.tex": "", "own/c.tex": ""})
    monkeypatch.setattr("benchmill.workflow.typesetting._LARGEST_SOURCE", 10)
    with pytest.raises(UserError, match=r"paper\.tex: has more than 0 MB"):
        found({"own/paper.tex": "x" * 11})


@pytest.mark.skipif(not tex_engine_available() or not shutil.which("kpsewhich"), reason="needs pdflatex")
def test_it_is_all_that_latex_reads(found, tmp_path):
    """Told by LaTeX's own record of the files it has opened."""
    texts = {
        "own/paper.tex": r"\documentclass{classes/mine}\begin{document}\input{sections/one}\include{sections/two}\end{document}",
        "own/classes/mine.cls": r"\LoadClass{article}\RequirePackage{classes/colours}",
        "own/classes/colours.sty": r"\newcommand\part@of[1]{\input{sections/#1}}\AtEndDocument{\part@of{three}}",
        "own/sections/one.tex": "one",
        "own/sections/two.tex": r"two \input ../shared/four ",
        "own/sections/three.tex": "three",
        "shared/four.tex": "four",
    }
    expected = found(texts)
    (tmp_path / "out" / "sections").mkdir(parents=True)
    subprocess.run(
        ["pdflatex", "-recorder", "-interaction=nonstopmode", "-output-directory=../out", "paper.tex"],
        cwd=tmp_path / "own",
        check=True,
        capture_output=True,
    )
    lines = (tmp_path / "out" / "paper.fls").read_text().splitlines()
    inputs = {(tmp_path / "own" / line[6:]).resolve() for line in lines if line.startswith("INPUT ")}
    read = {str(path.relative_to(tmp_path)) for path in inputs if path.is_relative_to(tmp_path)}
    assert {name for name in read if not name.startswith("out/")} - {"own/paper.tex"} == set(expected)
