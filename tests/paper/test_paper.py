"""The paper compiles with a plain TeX Live, to the same bytes, with every box in its place."""

import re
import shutil
import subprocess

import pytest

from benchmill.core import UserError
from benchmill.exhibits.sentences.methods import methods
from benchmill.paper import paper
from benchmill.registry.bibliography import CITATION, REFERENCES
from benchmill.workflow import typesetting
from tests.page import synthetic
from tests.page.conftest import CONFIG, TEMPLATE

needs_tex = pytest.mark.skipif(not typesetting.tex_engine_available(), reason="needs pdflatex")


@pytest.fixture(scope="module")
def compiled(results, tmp_path_factory):
    folder, _ = results
    out = tmp_path_factory.mktemp("pdf") / "paper.pdf"
    typesetting.compile_pdf(folder / "paper" / "paper.tex", out)
    return out


@needs_tex
def test_compiles_and_leaves_nothing_else(results, compiled):
    folder, _ = results
    assert compiled.read_bytes().startswith(b"%PDF-")
    assert [p.name for p in compiled.parent.iterdir()] == ["paper.pdf"]
    assert sorted(p.name for p in (folder / "paper").iterdir()) == ["paper.tex", "supplement.tex"]


def test_what_holds_for_all_studies_is_said_once():
    primary = {"measure": "ert", "text": "", "order": [], "error": "Wrong once in twenty."}
    study = {**synthetic.NOTHING, "name": "a", "title": "A", "config": CONFIG, "methods": methods(CONFIG), "primary": primary}
    one = paper.render([study], TEMPLATE)
    two = paper.render([study, study | {"name": "b"}, {**study, "name": "c", "primary": None}], TEMPLATE)
    assert [text.count("Wrong once") for text in (one, two)] == [1, 1]
    assert "(Sections~\\ref{sec:a} and \\ref{sec:b}.)\nWrong once" in re.sub(r"\n+", "\n", two)
    assert "Wrong once" in paper.section(study, TEMPLATE.with_stem("own_section"))


@needs_tex
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler-utils")
def test_results_take_eight_pages_of_one_study_and_four_of_each_of_several(results, compiled):
    _, studies = results
    text = subprocess.run(["pdftotext", "-layout", compiled, "-"], capture_output=True, text=True, check=True).stdout
    (methods_at,) = [n for n, page in enumerate(text.split("\f"), 1) if re.search(r"^ *\d+ +Methods\b", page, re.MULTILINE)][:1]
    assert methods_at <= (8 if len(studies) == 1 else 4 * len(studies))


@needs_tex
def test_same_bytes_from_another_folder(results, compiled, tmp_path, monkeypatch):
    folder, _ = results
    other = tmp_path / "a longer folder name with blanks" / "results"
    shutil.copytree(folder, other)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    typesetting.compile_pdf(other / "paper" / "paper.tex", other / "paper.pdf")
    assert (other / "paper.pdf").read_bytes() == compiled.read_bytes()


@needs_tex
@pytest.mark.parametrize("name", ["paper", "supplement"])
def test_no_overfull_boxes_and_no_missing_references(name, results, tmp_path):
    folder, _ = results
    for _ in range(4):
        subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={tmp_path}", f"{name}.tex"],
            cwd=folder / "paper",
            check=True,
            capture_output=True,
        )
    log = (tmp_path / f"{name}.log").read_text("utf-8", "replace")
    overfull = [float(points) for points in re.findall(r"Overfull \\[hv]box \(([0-9.]+)pt", log)]
    assert not [points for points in overfull if points > 5]
    assert "undefined" not in log.replace("undefined in size", "")
    assert "multiply defined" not in log


@needs_tex
@pytest.mark.skipif(not shutil.which("pdffonts"), reason="needs poppler-utils")
def test_fonts_are_embedded_and_none_is_type_3(compiled):
    lines = subprocess.run(["pdffonts", compiled], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    assert len(lines) > 5
    assert not [line for line in lines if "Type 3" in line]
    assert all(re.search(r"\byes\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$", line) for line in lines)


@needs_tex
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler-utils")
def test_strange_names_and_numbers_are_printed(compiled):
    text = subprocess.run(["pdftotext", "-layout", compiled, "-"], capture_output=True, text=True, check=True).stdout
    assert r"\input{/etc/passwd}" in text
    assert "root:" not in text
    assert "[U+1F680]" in text
    assert "3 837" in text.replace("\u2009", " ").replace("\u202f", " ")  # by \benchmill
    assert "??" not in text


@needs_tex
def test_a_number_that_does_not_exist_is_an_error_that_says_so(results, tmp_path):
    folder, _ = results
    source = tmp_path / "own.tex"
    numbers = folder / "plain" / "numbers.tex"
    body = rf"\documentclass{{article}}\input{{{numbers}}}\begin{{document}}\benchmill{{KEY}}\end{{document}}"
    source.write_text(body.replace("KEY", "plain/algorithms"))
    typesetting.compile_pdf(source, tmp_path / "own.pdf")
    source.write_text(body.replace("KEY", "plain/algorithm"))
    with pytest.raises(UserError) as error:
        typesetting.compile_pdf(source, tmp_path / "bad.pdf")
    assert "There is no number called `plain/algorithm'" in str(error.value)
    assert "bad.log" in str(error.value)
    assert str(tmp_path) not in str(error.value)
    assert (tmp_path / "bad.log").exists()
    assert not (tmp_path / "bad.pdf").exists()


@needs_tex
def test_a_paper_of_ones_own_reads_numbers_tables_and_figures(results, tmp_path):
    folder, _ = results
    mine = tmp_path / "my paper"
    mine.mkdir()
    (mine / "text.tex").write_text("Of \\benchmill{plain/trials/found} trials.\n")
    (mine / "own.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp,amsmath,graphicx,booktabs,longtable}"
        r"\input{numbers.tex}\begin{document}\input{text}\includegraphics[width=5cm]{figures/critical_differences_ert.pdf}"
        r"\input{tables/inventory.tex}\cite{me}\bibliographystyle{plain}\bibliography{mine}\end{document}"
    )
    (mine / "mine.bib").write_text("@book{me, author={A. Author}, title={A Title}, publisher={P}, year=2001}\n")
    made = [tmp_path / "a.pdf", tmp_path / "elsewhere" / "b.pdf"]
    for pdf in made:
        typesetting.compile_pdf(mine / "own.tex", pdf, reads=folder / "plain")
    assert made[0].read_bytes() == made[1].read_bytes()
    assert sorted(p.name for p in mine.iterdir()) == ["mine.bib", "own.tex", "text.tex"]
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", made[0], "-"], capture_output=True, text=True, check=True).stdout
        assert "Of 3 837 trials" in text.replace("\u2009", " ").replace("\u202f", " ")
        assert "A Title" in text


@needs_tex
@pytest.mark.parametrize(
    "kind",
    ["{article}", "[twocolumn]{article}", "[journal]{IEEEtran}", "{llncs}", "[5p,twocolumn]{elsarticle}", "[sigconf]{acmart}"],
)
def test_a_study_is_a_section_of_an_article_of_ones_own(results, tmp_path, kind):
    folder, studies = results
    lines = [rf"\documentclass{kind}\usepackage[T1]{{fontenc}}"]
    (tmp_path / "p.tex").write_text(lines[0] + r"\begin{document}Text.\end{document}")
    alone = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "p.tex"]
    if subprocess.run(alone, cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip(f"needs the class of {kind}, with the packages and fonts that it takes")
    lines += [r"\usepackage{graphicx,booktabs,amsmath,textcomp,longtable}\begin{document}"]
    if "acmart" in kind:  # sets the title on every page
        lines += [r"\title{T}\author{A}\affiliation{\institution{I}\country{C}}\maketitle"]
    for study in studies:
        path = folder / study["name"] / "section.tex"
        path.write_text(paper.section(study, TEMPLATE.with_stem("own_section")), "utf-8")
        lines += [rf"\def\benchmillfolder{{{study['name']}/}}\section{{S}}\input{{{study['name']}/section.tex}}"]
    (folder / "article.tex").write_text("\n".join([*lines, r"\end{document}"]), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={tmp_path}", "article.tex"]
    for _ in range(2):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    log = (tmp_path / "article.log").read_text("utf-8", "replace")
    assert not re.findall(r"Reference `[^']*' on page", log)
    assert not re.findall(r"Float too large.*|`[!htbp]*' float specifier changed.*", log)
    assert set(re.findall(r"Citation `([^']*)' on page", log)) <= set(REFERENCES)
    assert "without description" not in log
    (folder / "article.tex").unlink()


def test_without_tex_the_message_says_what_to_install(results, tmp_path, monkeypatch):
    folder, _ = results
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert not typesetting.tex_engine_available()
    with pytest.raises(UserError, match=r"found no pdflatex.*install TeX Live"):
        typesetting.compile_pdf(folder / "paper" / "paper.tex", tmp_path / "x.pdf")


def test_source_names_files_by_relative_paths_only(results):
    folder, studies = results
    # what is not in the paper is in the supplement
    source = "".join((folder / "paper" / f"{name}.tex").read_text("utf-8") for name in ("paper", "supplement"))
    assert str(folder) not in source
    for study in studies:
        for table in study["tables"]:
            if table.name == "settings":  # the settings are a file of their own
                continue
            # each table once, or named as having no rows, or too many
            assert source.count(f"{{../{study['name']}/tables/{table.name}.tex}}") == (0 < table.n_rows <= 40), table.name
        for figure in study["figures"]:
            assert source.count(f"\\exhibitfigure{{../{study['name']}/{figure['file']}}}") == 1
    assert r"\input{x}" not in source


def test_a_wrong_template_names_file_and_line(results, tmp_path):
    _, studies = results
    bad = tmp_path / "mine.tex"
    bad.write_text("line\n<% for %>\n")
    with pytest.raises(UserError, match=r"mine\.tex, line 2"):
        paper.render(studies, bad)
    bad.write_text("<< nothing >>")
    with pytest.raises(UserError, match=r"mine\.tex: 'nothing' is undefined"):
        paper.render(studies, bad)
    with pytest.raises(UserError, match="cannot be read"):
        paper.render(studies, tmp_path / "absent.tex")


def test_methods_say_what_the_settings_say():
    text = dict(methods(CONFIG))
    assert "instance and run" in text["Problems and trials"]
    assert "3 targets (10, 10⁻³ and 10⁻⁷)" in text["Measures"]
    assert "stay in the denominator" in text["Profiles"]
    assert "own budget" in text["Expected running times"]
    assert "α = 0.05" in text["Statistical inference"]
    budget = {
        "kind": "fixed_budget",
        "budgets": {"evaluations": [100]},
        "aggregate": "median",
        "floor": 1e-8,
        "missing": "failure",
    }
    other = dict(
        methods({**CONFIG, "measures": {"q": budget}, "profiles": [{"variant": "dolan_more", "unsolved": "drop", "tau_max": 50}]})
    )
    assert "after 100 evaluations;" in other["Measures"]
    assert "Distances to an optimum below 10⁻⁸" in other["Measures"]
    assert "A problem without trials of an algorithm counts as its failure" in other["Measures"]
    assert "dropped" in other["Profiles"]
    assert "τ_max = 50.00" in other["Profiles"]
    replicated = {
        "design": "replicated", "methods": ["synchronised", "anova_interaction"], "comparisons": ["tukey", "wilcoxon"],
        "corrections": ["shaffer", "none"], "normalise": "e1", "unbalanced": ["subsample"], "alpha": 0.01, "permutations": 999,
    }  # fmt: skip
    tests = dict(methods({**CONFIG, "inference": replicated}))["Tests"]
    for said in ("drawn at random", "random sample", "Tukey", "Wilcoxon", "Shaffer’s correction", "relative to the lower bound"):
        assert said in tests
    assert "Friedman" not in tests
    assert "separately for every target, by" in text["Tests"]
    one = {**CONFIG, "measures": {"ert": {"kind": "fixed_target", "targets": [1e-7]}}}
    assert "separately" not in dict(methods(one))["Tests"]
    assert "at least as good as the target" in text["Measures"]
    values = {"q": {"kind": "fixed_budget", "budgets": [10], "described": True}, **CONFIG["measures"]}
    assert "median" not in dict(methods({**CONFIG, "measures": values}))["Measures"]
    grouped = {**CONFIG, "profiles": [{"variant": "dolan_more", "groups": {"easy": ["f1", "f2", "f99"]}}]}
    assert "(problems: easy)" in dict(methods(grouped))["Profiles"]
    strata = {"measures": {"time": {"kind": "given"}}, "inference": {**CONFIG["inference"], "stratify": ["dimension"]}}
    assert "separately for every dimension, by" in dict(methods({**CONFIG, **strata}))["Tests"]
    strata["inference"]["stratify"] = []
    assert "separately" not in dict(methods({**CONFIG, **strata}))["Tests"]
    assert "the lower" not in text["Tests"]  # ranks need no common scale
    said = {key for _, t in methods(CONFIG) for key in CITATION.findall(t)}
    assert {"dolan2002", "hansen2021"} < said <= set(REFERENCES)


def test_the_abstract_is_the_headline_after_what_makes_it_doubtful(results):
    _, (study, _) = results
    said = {"headline": "No algorithm is best.", "caveat": "Budgets differ."}
    for answer, abstract in (
        ("Budgets differ. No algorithm is best. 8 cells.", "Budgets differ. No algorithm is best."),
        ("No algorithm is best. 8 cells. Budgets differ.", "No algorithm is best."),
    ):
        found = {**study, "sentences": said | {"findings": [["Which is best?", answer], ["And?", "So."]]}}
        source = paper.render([found, study], TEMPLATE)
        assert f"\\emph{{Eight solvers.}}\n{abstract}\n" in source
        assert f"\\paragraph{{Which is best?}} {answer}\n" in source
        assert "\\paragraph{And?} So." in source


def test_a_study_with_nothing_but_data_makes_a_paper(results, tmp_path):
    _, (study, _) = results
    bare = {**study, "figures": [], "verdicts": {}, "tables": study["tables"][:1], "long": [], "config": {}}
    source = paper.render([bare], TEMPLATE)
    assert "Eight solvers" in source
    assert r"\cite" in source or r"\begin{thebibliography}" not in source
