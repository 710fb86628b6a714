"""One file for a paper: the archive compiles where it is unpacked, and what cannot be made is said in a sentence."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from benchmill.core import UserError
from benchmill.deposits import deposit
from benchmill.workflow import typesetting

needs_tex = pytest.mark.skipif(not typesetting.tex_engine_available(), reason="needs pdflatex")


@pytest.fixture
def results(tmp_path):
    """Results of a study, and more of them than its paper reads."""
    folder = tmp_path / "results" / "mine"
    (folder / "tables").mkdir(parents=True)
    (folder / "numbers.tex").write_text("\\newcommand{\\answer}{42}\n\\input{tables/ranks}\n")
    (folder / "tables/ranks.tex").write_text("ranks\n")
    (folder / "tables/other.tex").write_text("other\n")
    (folder / "references.bib").write_text("@book{me, author={A. Author}, title={A Title}, publisher={P}, year=2001}\n")
    (folder / "section.tex").write_text("The whole study \\cite{me}.\n")
    (folder / "section.md").write_text("# A study\n\nSaid by Author [@me].\n\n| a | b |\n|:--|--:|\n| x | 1 |\n")
    return folder


@pytest.fixture
def paper(tmp_path):
    folder = tmp_path / "paper"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts/intro.tex").write_text("Intro.\n")
    (folder / "unused.tex").write_text("never\n")
    path = folder / "own.tex"
    path.write_text(
        "\\documentclass{article}\\begin{document}\\input{numbers}\\input{parts/intro}Answer: \\answer. \\cite{me}"
        "\\bibliographystyle{plain}\\bibliography{references}\\end{document}\n"
    )
    return path


@needs_tex
def test_the_archive_has_what_is_read_and_compiles_where_it_is_unpacked(results, paper, tmp_path):
    made = [tmp_path / "a.zip", tmp_path / "b.zip"]
    for target in made:
        named = deposit.pack(results, target, paper)
    assert named == ["numbers.tex", "own.tex", "parts/intro.tex", "references.bib", "tables/ranks.tex"]
    assert made[0].read_bytes() == made[1].read_bytes()
    (there := tmp_path / "there").mkdir()
    with zipfile.ZipFile(made[0]) as archive:
        assert archive.namelist() == named
        archive.extractall(there)
    typesetting.compile_pdf(there / "own.tex", tmp_path / "there.pdf")
    typesetting.compile_pdf(paper, tmp_path / "here.pdf", reads=results)
    assert (tmp_path / "there.pdf").read_bytes() == (tmp_path / "here.pdf").read_bytes()


@needs_tex
def test_a_study_without_a_paper_is_an_article_of_its_section(results, tmp_path):
    assert deposit.pack(results, tmp_path / "a.zip") == ["article.tex", "references.bib", "section.tex"]


@needs_tex
def test_a_name_that_is_not_there_is_told_with_the_nearest(results, tmp_path):
    (results / "numbers.tex").write_text(
        "\\newcommand{\\benchmill}[1]{\\ifcsname benchmill@#1\\endcsname\\csname benchmill@#1\\endcsname\\else"
        "\\PackageError{benchmill}{There is no number called `#1'}{}\\fi}\n"
        "\\expandafter\\def\\csname benchmill@mine/trials\\endcsname{7}\n"
        "\\expandafter\\def\\csname benchmill@mine/x\\endcsname{7}\n"
    )
    source = tmp_path / "own.tex"
    source.write_text("\\documentclass{article}\\input{numbers}\\begin{document}\\benchmill{mine/trails}\\end{document}\n")
    with pytest.raises(UserError, match=r"no number called `mine/trails'.*Did you mean 'mine/trials'\?"):
        deposit.pack(results, tmp_path / "a.zip", source)
    assert not (tmp_path / "a.zip").exists()


def test_what_cannot_be_made_is_said(results, tmp_path):
    with pytest.raises(UserError, match=r"a\.pages: found no known suffix, expected \.zip; for Word"):
        deposit.pack(results, tmp_path / "a.pages")
    with pytest.raises(UserError, match=r"found no section\.md, expected results of a study; make them with `snakemake"):
        deposit.pack(tmp_path, tmp_path / "a.zip")


@pytest.mark.skipif(not shutil.which("pandoc"), reason="needs pandoc")
def test_a_document_for_word_has_the_words_the_table_and_the_citation(results, tmp_path):
    """The command of docs/figures.md."""
    page = Path(deposit.__file__).parents[3] / "docs/figures.md"
    (command,) = re.findall(r"^    cd results/mine && (pandoc .*)$", page.read_text("utf-8"), re.M)
    subprocess.run(command.split(), cwd=results, check=True)
    command = ["pandoc", results / "mine.docx", "-t", "plain"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Said by Author (Author 2001)" in text
    assert "A Title" in text


@needs_tex
def test_files_keep_the_names_by_which_the_paper_reads_them(results, tmp_path):
    source = tmp_path / "own.tex"
    body = "\\input{results/mine/tables/ranks}\\input{tables/other}"
    source.write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}\n")
    assert deposit.pack(results, tmp_path / "a.zip", source) == ["own.tex", "results/mine/tables/ranks.tex", "tables/other.tex"]
    (there := tmp_path / "there").mkdir()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(there)
    typesetting.compile_pdf(there / "own.tex", tmp_path / "there.pdf")


@needs_tex
def test_a_file_outside_the_folder_of_the_paper_is_named(results, tmp_path):
    (tmp_path / "shared.tex").write_text("Shared.\n")
    (folder := tmp_path / "paper").mkdir()
    source = folder / "own.tex"
    source.write_text("\\documentclass{article}\\begin{document}\\input{../shared}\\end{document}\n")
    with pytest.raises(UserError, match=r"reads \.\./shared\.tex, which is not below its folder; put it there"):
        deposit.pack(results, tmp_path / "a.zip", source)
