"""LaTeX that compiles anywhere and shows every row."""

import re

from benchmill.tables import latex
from benchmill.text.display import Cell, Column, Section, Table


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
            r"% Caption with 50 \% \& \$x\$.",
            "% needs: booktabs",
            r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}",
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
    source = latex.render(wide)
    for row in cells:
        for cell in row[1:]:
            assert source.count(f" {cell.text} ") == 1
    assert source.count("row 3") == len(parts)


def test_a_long_table_breaks_over_pages():
    cells = [[Cell(f"r{r}"), Cell("1")] for r in range(latex.LONG + 1)]
    source = latex.render(table(cells, heading="dimension 5"))
    assert r"\begin{longtable}" in source
    assert r"\endlastfoot" in source
    assert "needs: booktabs, longtable" in source
    assert len(rows_in(source)) == len(cells)
    assert not latex.is_long(table(cells[:40]))


def test_names_without_end_break_their_lines():
    cells = [[Cell("x" * 200), Cell("1")]]
    source = latex.render(table(cells))
    assert re.search(r"\{@\{\}p\{\d+pt\}r@\{\}\}", source)
    assert source.count(r"\allowbreak") >= 15
    assert sum(latex._width(table(cells), i) for i in (0, 1)) < 517


def test_an_empty_table_says_so():
    empty = Table("t", "Title", "Caption", (Column("x"),))
    assert "There are no rows" in latex.render(empty)
