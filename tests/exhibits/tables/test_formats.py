"""The same table as LaTeX, CSV and Markdown: the same rows, the same rounding, and no name does anything."""

import csv
import io
import re

import pytest

from benchmill.exhibits import tables
from benchmill.exhibits.tables import forms
from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table
from tests.page import synthetic

FORMULAS = ["=1+2", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "=cmd|' /C calc'!A0"]


def table(cells, columns=None, heading=""):
    columns = columns or (Column("name", "l", key=True), *(Column(f"c{i}") for i in range(len(cells[0]) - 1)))
    return Table("t", "Title", "Caption.", tuple(columns), (Section(heading, tuple(map(tuple, cells))),))


def read(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (display.number(123456.0), "1.23e5"),
        (display.number(1e-9), "1.00e-9"),
        (display.number(-12.3456), "-12.3"),
        (display.number(float("inf")), "inf"),
        (display.count(1234567), "1234567"),
        (display.target(1e-8), "1e-8"),
        (display.target(250.0), "250"),
        (display.p_value(1e-9), "<0.001"),
        (f"{display.number(12345.0)} (12/15)", "1.23e4 (12/15)"),
        (f"{display.number(12345.0)}*{display.raised(3)} (12/15)", "1.23e4*3 (12/15)"),
        ("10⁴ trials", "10⁴ trials"),
    ],
)
def test_numbers_are_those_that_programs_read(value, expected):
    assert forms.plain(value) == expected


def test_csv_in_full():
    cells = [[Cell("a, b", None), Cell("1.2×10⁵", 1.2e5, True)], [Cell('say "c"'), Cell("–")], [Cell("d"), Cell("−3", -3.0)]]
    assert forms.csv(table(cells, heading="dimension 5")) == (
        'section,name,c0\ndimension 5,"a, b",1.2e5\ndimension 5,"say ""c""",\ndimension 5,d,-3\n'
    )


@pytest.mark.parametrize("name", FORMULAS)
def test_no_name_is_a_formula(name):
    found = table([[Cell(name), Cell("1", 1.0)]], (Column(name, "l"), Column("x")), heading=name)
    for row in read(forms.csv(found)):
        assert not any(re.match(r"\s*[=+\-@＝]", cell) for cell in row)


def test_a_negative_number_stays_a_number():
    assert forms.safe("-1.5e-3") == "-1.5e-3"
    assert forms.safe("-1+1") == "'-1+1"


@pytest.mark.parametrize("kind", [kind for kind in tables.KINDS if kind not in ("quantiles", "equivalence")])
def test_all_formats_have_the_same_rows_and_numbers(kind):
    data = {
        **synthetic.tables(n_problems=4),
        "ingest": synthetic.reports(),
        "origins": {"profiles/ert/dolan_more.parquet": {"version": "9.9", "inputs": {"ratios/ert.parquet": "ab" * 32}}},
    }
    config = {"title": "x", "measures": {"ert": {"targets": [1.0, 0.1]}}}
    found = tables.build(kind, data, {"measure": {"name": "ert"}, "profile": {"name": "dolan_more"}, "config": config})
    rows = read(forms.csv(found))[1:]
    skip = 1 if any(section.heading for section in found.sections) else 0
    shown = [row for section in found.sections for row in section.rows]
    assert len(rows) == len(shown) > 0
    for row, cells in zip(rows, shown, strict=True):
        for text, cell in zip(row[skip:], cells, strict=True):
            number = re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text)
            if number and cell.value is not None:
                # printed to so many digits: within half a unit of the last of them
                digits = len(re.sub(r"e.*|[.-]", "", text).lstrip("0"))
                assert float(text) == pytest.approx(cell.value, rel=0.51 * 10.0 ** (1 - max(digits, 1)), abs=5.1e-4)
    body = [
        line for line in forms.markdown(found).splitlines() if line.startswith("|") and not line.startswith(("| --", "| :--"))
    ]
    assert len(body) - sum(bool(s.rows) for s in found.sections) == len(shown)
    assert all(len(re.findall(r"(?<!\\)\|", line)) == len(found.columns) + 1 for line in body)


def test_markdown_in_full():
    cells = [[Cell("a|b"), Cell("1", 1.0, True)], [Cell("<img src=x onerror=alert(1)>"), Cell("*2* $x$ [l](j://s)")]]
    assert forms.markdown(table(cells)) == "\n".join(
        [
            "## Title",
            "",
            "Caption.",
            "",
            "| name | c0 |",
            "| :-- | --: |",
            r"| a\|b | **1** |",
            r"| &lt;img src=x onerror=alert(1)&gt; | \*2\* &#36;x&#36; \[l\](j&#58;//s) |",
            "",
        ]
    )


def test_write_leaves_no_part_behind(tmp_path):
    for suffix in tables.FORMATS:
        tables.write(table([[Cell("a"), Cell("1")]]), tmp_path / "deep" / f"t{suffix}")
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == ["t.csv", "t.md", "t.tex", "t.txt"]
