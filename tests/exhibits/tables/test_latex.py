"""LaTeX that compiles anywhere and shows every row."""

import re
import shutil
import subprocess

import pytest

from benchmill.exhibits.tables import latex
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.widths import PRESETS


def table(cells, columns=None, heading=""):
    columns = columns or (Column("name", "l", key=True), *(Column(f"c{i}") for i in range(len(cells[0]) - 1)))
    return Table("t", "Title", "Caption with 50 % & $x$.", tuple(columns), (Section(heading, tuple(map(tuple, cells))),))


def rows_in(source):
    return [line for line in source.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]


def test_a_small_table_in_full():
    cells = [[Cell("a_b"), Cell("1.2×10⁵", 1.2e5, True)], [Cell("c"), Cell("∞", float("inf"))]]
    assert latex.render(table(cells)) == "\n".join(
        [
            "% Title",
            r"% Caption with 50~\% \& \$x\$.",
            "% needs: booktabs",
            r"\par\begingroup\setlength{\parindent}{0pt}\setlength{\tabcolsep}{3pt}",
            r"\fontsize{8}{9.6}\selectfont",
            r"\begin{tabular}{@{}lr@{}}",
            r"\toprule",
            r"name & \multicolumn{1}{c}{c0} \\",
            r"\midrule",
            r"a\_b & \textbf{\boldmath 1.2$\times$10$^{5}$} \\",
            r"c & $\infty$ \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\endgroup",
            "",
        ]
    )


def test_comments_stay_comments():
    hostile = Table("t", "a\nb\r\\input{x}", "line\u2028break\n\\end{document}", (Column("x"),), (Section("", ((Cell("1"),),)),))
    first, second, third, *_ = latex.render(hostile).splitlines()
    assert first.startswith("% a b")
    assert second.startswith("% line break")
    assert third == "% needs: booktabs"


def test_a_row_that_looks_like_an_argument_is_not_one():
    source = latex.render(table([[Cell("[U+1F600]"), Cell("1")], [Cell("*star"), Cell("2")]]))
    assert "{}[U+1F600] &" in source
    assert "{}*star &" in source


def test_a_wide_table_is_split_and_loses_no_column():
    cells = [[Cell(f"row {r}"), *(Cell(f"{r}.{c} (10/15)") for c in range(30))] for r in range(4)]
    wide = table(cells)
    parts = latex.split(wide)
    assert len(parts) > 1
    assert all(part[0] == 0 for part in parts)  # the key column is in every part
    assert sorted(i for part in parts for i in part if i) == list(range(1, 31))
    # no part has one column left over
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    source = latex.render(wide, widths=(516, 516))
    for row in cells:
        for cell in row[1:]:
            assert source.count(f" {cell.text} ") == 1
    assert source.count("row 3") == len(parts)


def test_a_long_table_breaks_between_tabulars():
    cells = [[Cell(f"r{r}"), Cell("1")] for r in range(2 * latex.LONG + 1)]
    source = latex.render(table(cells, heading="dimension 5"))
    assert [len(rows_in(part)) for part in source.split(r"\begin{tabular}")[1:]] == [latex.LONG, latex.LONG, 1]
    assert source.count("dimension 5") == 3
    assert latex.is_long(table(cells))
    assert not latex.is_long(table(cells[:40]))


def test_smaller_type_comes_before_fewer_columns():
    cells = [[Cell("row"), *(Cell("0.123") for _ in range(n))] for n in range(4, 14)]
    sizes = {len(row) - 1: latex._layout(table([row]), 252.0) for row in cells}
    widths = {n: sum(latex._width(table([[Cell("row")] + [Cell("0.123")] * n]), i) for i in range(n + 1)) for n in sizes}
    for n, (size, parts) in sizes.items():
        assert (size == 8 and len(parts) == 1) == (widths[n] <= 252)
        assert (size == 7) == (len(parts) == 1 and widths[n] > 252)
    assert {size for size, _ in sizes.values()} == {7, 8}


DOCUMENTS = {
    "two columns": r"\documentclass[10pt,twocolumn]{article}",
    "IEEEtran": r"\documentclass[10pt]{IEEEtran}",
    "acmart": r"\documentclass[sigconf]{acmart}",
    "llncs": r"\documentclass{llncs}",
    "elsarticle": r"\documentclass[5p,twocolumn]{elsarticle}",
}
PAPERS = {"two columns": "article", "IEEEtran": "ieee", "acmart": "acm", "llncs": "lncs", "elsarticle": "elsevier"}
WIDTHS = {name: tuple(PRESETS[paper][part] for part in ("column", "text")) for name, paper in PAPERS.items()}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_table_fits_a_column_and_the_text_of_a_document(name, tmp_path):
    document = DOCUMENTS[name]
    style, head = re.search(r"\{(\w+)\}", document)[1], r"\maketitle" if name != "elsarticle" else ""
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "p.tex"]
    (tmp_path / "p.tex").write_text(document + r"\usepackage{booktabs}\begin{document}Text.\end{document}")
    if not shutil.which("pdflatex") or subprocess.run(run, cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip(f"needs the class {style}, with the packages and fonts that it takes")
    columns = [Column("problem", "l", key=True), Column("target", key=True)]
    columns += [Column(f"Algorithm {i}") for i in range(8)]
    rows = tuple((Cell(f"f{r}"), Cell("10⁻⁷"), *(Cell("1.234×10⁵ (12/15)") for _ in range(8))) for r in range(30))
    made = Table("t", "T", "C", tuple(columns), (Section("dimension 2", rows), Section("dimension 5", rows)))
    floated = Table("u", "T", "C", tuple(columns), (Section("dimension 2", rows[:6]),))
    for table_, file in ((made, "long.tex"), (floated, "short.tex")):
        (tmp_path / file).write_text(latex.render(table_, widths=WIDTHS[name]), "utf-8")
    (tmp_path / "p.tex").write_text(
        # acmart sets the title on every page
        document + r"\usepackage{booktabs}\title{T}\begin{document}" + head + r" Text.\begin{table*}\input{short}\end{table*}"
        # LaTeX puts floats above a piece of a table that then does not fit any more
        r"\begin{table}\input{short}\end{table}\clearpage\input{long.tex}\end{document}"
    )
    made_by = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert made_by.returncode == 0, made_by.stdout[-2000:]
    # acmart balances the columns of the last page, to 2 pt
    assert all(float(by) < 2.5 for by in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt", made_by.stdout))
    assert "should only be used" not in made_by.stdout
    # in a float, which does not break, the long one would run off the page
    (tmp_path / "p.tex").write_text(
        document
        + r"\usepackage{booktabs}\title{T}\begin{document}\maketitle Text.\begin{table}\input{long}\end{table}\end{document}"
    )
    refused = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert refused.returncode
    assert "The table t is taller than the page" in refused.stdout


def test_names_without_end_break_their_lines():
    cells = [[Cell("x" * 200), Cell("1")]]
    source = latex.render(table(cells))
    assert re.search(r"\{@\{\}p\{\d+pt\}r@\{\}\}", source)
    assert source.count(r"\allowbreak") >= 15
    assert sum(latex._width(table(cells), i) for i in (0, 1)) < 517


def test_an_empty_table_says_so():
    empty = Table("t", "Title", "Caption", (Column("x"),))
    assert "There are no rows" in latex.render(empty)
