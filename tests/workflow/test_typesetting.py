"""LaTeX runs until it is settled, ends with who started it, and leaves nothing."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from benchmill.core import UserError
from benchmill.workflow import typesetting

pytestmark = pytest.mark.skipif(not typesetting.tex_engine_available(), reason="needs pdflatex")


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """Compiles a source and gives the PDF; scratch folders are in a folder of their own."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))

    def run(text, **settings):
        (tmp_path / "own.tex").write_text(text)
        typesetting.compile_pdf(tmp_path / "own.tex", tmp_path / "own.pdf", **settings)
        assert not list((tmp_path / "scratch").iterdir())
        return tmp_path / "own.pdf"

    return run


def pages(pdf):
    return subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True).stdout.split("\f")


def runs(monkeypatch):
    """Which programs ran, in their order."""
    begun, ordinary = [], typesetting._run
    monkeypatch.setattr(typesetting, "_run", lambda command, *rest: begun.append(command[0]) or ordinary(command, *rest))
    return begun


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler-utils")
def test_the_contents_list_names_the_right_pages(compiled):
    """The list itself fills pages, all of its numbers have two digits: no version of it differs from another in its size."""
    sections = "".join(f"\\section{{Part {n}}}Text\\vspace{{3cm}}\n\n" for n in range(10, 80))
    found = pages(
        compiled(
            rf"\documentclass{{article}}\begin{{document}}\setcounter{{page}}{{11}}\tableofcontents {sections}\end{{document}}"
        )
    )
    listed = dict(re.findall(r"^ *\d+ +(Part \d+) +(\d+)$", "".join(found), re.MULTILINE))
    there = {
        part: str(10 + n) for n, page in enumerate(found, 1) for part in re.findall(r"^ *\d+ +(Part \d+)$", page, re.MULTILINE)
    }
    assert len(there) == 70
    assert listed == there


def test_the_last_run_reads_what_it_writes(compiled, monkeypatch):
    """A label that a run learns from a label that it learned in the run before: a chain that takes as many runs as it is long."""
    begun = runs(monkeypatch)
    chain = "".join(rf"\makeatletter\@ifundefined{{r@a{i}}}{{}}{{\label{{a{i + 1}}}}}\makeatother " for i in range(5))
    compiled(rf"\documentclass{{article}}\begin{{document}}\label{{a0}}{chain}text\end{{document}}")
    assert begun == ["pdflatex"] * 7


def test_a_paper_that_never_settles_is_an_error(compiled, tmp_path):
    restless = (
        r"\makeatletter\@ifundefined{turns}{\gdef\turns{0}}{}"
        r"\immediate\write\@auxout{\gdef\string\turns{\the\numexpr\turns+1\relax}}\makeatother text"
    )
    with pytest.raises(UserError, match=r"own\.tex: its pages do not settle: paper\.aux differ.* See own\.log"):
        compiled(rf"\documentclass{{article}}\begin{{document}}{restless}\end{{document}}")
    assert (tmp_path / "own.log").exists()
    assert not (tmp_path / "own.pdf").exists()
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.skipif(not (shutil.which("pdftotext") and shutil.which("bibtex")), reason="needs poppler-utils and BibTeX")
def test_chapters_in_folders_a_bibliography_and_an_index(compiled, tmp_path, monkeypatch):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "first.tex").write_text("Said before~\\cite{one}.\\index{word}\n")
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "mine.bib").write_text("@book{one, author={A. Author}, title={A Title}, publisher={P}, year=2001}\n")
    (tmp_path / "mine.bst").write_text(Path(subprocess.run(
        ["kpsewhich", "plain.bst"], capture_output=True, text=True, check=True).stdout.strip()).read_text())  # fmt: skip
    begun = runs(monkeypatch)
    source = (
        r"\documentclass{article}\usepackage{makeidx}\makeindex\begin{document}\include{chapters/first}"
        r"\bibliographystyle{mine}\bibliography{refs/mine}\printindex\end{document}"
    )
    text = "".join(pages(compiled(source)))
    assert "Said before [1]" in text
    assert "A Title" in text
    assert re.search(r"Index\s+word, 1", text)
    assert begun.count("bibtex") == begun.count("makeindex") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chapters", "mine.bst", "own.pdf", "own.tex", "refs", "scratch"]
    (tmp_path / "refs" / "mine.bib").unlink()
    with pytest.raises(UserError, match=r"own\.tex: bibtex failed: .*couldn't open database file refs/mine\.bib"):
        compiled(source)


def test_a_program_that_is_missing_is_named(compiled, monkeypatch):
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bibtex" else which(name))
    with pytest.raises(UserError, match=r"own\.tex: it needs bibtex, which is not installed"):
        compiled(r"\documentclass{article}\begin{document}\cite{x}\bibliographystyle{plain}\bibliography{y}\end{document}")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (r"\documentclass{unheard}\begin{document}x\end{document}", "`apt-file search unheard` says"),
        (r"\documentclass{unheard-of}\begin{document}x\end{document}", "apt-get install texlive-unheard. "),
        (
            r"\documentclass{article}\begin{document}\font\x=unheard at 9pt \x y\end{document}",
            "apt-get install texlive-fonts-recommended",
        ),
        (
            r"\documentclass{article}\begin{document}\cite{x}\bibliographystyle{unheard-of}\bibliography{y}\end{document}",
            "apt-get install texlive-unheard. ",
        ),
    ],
)
def test_what_to_install_is_named(compiled, monkeypatch, source, said):
    monkeypatch.setattr(typesetting, "_PACKAGES", {"texlive-unheard": "other unheard-of"})
    with pytest.raises(UserError, match=re.escape(said)):
        compiled(source)


def test_the_class_of_the_tutorial_is_among_what_can_be_installed():
    assert "On Debian and Ubuntu: apt-get install texlive-publishers." in typesetting._installed_by(
        "! LaTeX Error: File `IEEEtran.cls' not found."
    )


ENDLESS = r"\documentclass{article}\begin{document}\def\again{\again}\again\end{document}"


def engines(folder):
    """Processes of LaTeX that write into a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == b"pdflatex" and any(os.fsencode(folder) in word for word in words):
            found.append(int(path.parent.name))
    return found


def test_after_the_time_limit_nothing_runs_on(compiled, tmp_path):
    with pytest.raises(UserError, match=r"did not end within 1 s"):
        compiled(ENDLESS, timeout=1)
    assert not engines(tmp_path)
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="on Linux the system ends it")
def test_of_a_compilation_that_is_killed_nothing_runs_on(compiled, tmp_path):
    (tmp_path / "own.tex").write_text(ENDLESS)
    paths = f"{str(tmp_path / 'own.tex')!r}, {str(tmp_path / 'own.pdf')!r}"
    say = f"from benchmill.workflow.typesetting import compile_pdf; compile_pdf({paths})"
    with subprocess.Popen([sys.executable, "-c", say], env={**os.environ, "TMPDIR": str(tmp_path / "scratch")}) as process:
        deadline = time.monotonic() + 60
        while not engines(tmp_path):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    while engines(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(
    not typesetting.tex_engine_available() or not shutil.which("pdftotext"), reason="needs pdflatex and pdftotext"
)
def test_a_paper_is_undated_where_it_prints_today(tmp_path):
    source = tmp_path / "own.tex"
    source.write_text(
        "\\documentclass{article}\\title{T}\\author{A}\\begin{document}\\maketitle Made on \\today.\\end{document}\n"
    )
    typesetting.compile_pdf(source, tmp_path / "own.pdf")
    said = subprocess.run(["pdftotext", tmp_path / "own.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "1970" not in said
    assert said.count("undated") == 2
