"""Tables as workbooks of Excel; what is read here is written by hand, part by part."""

import sys
import zipfile

import pytest

from benchmill import readers
from benchmill.core import UserError

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OF_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
OF_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"

ROWS = [["problem", "solver", "time"], ["p1", "A", 1.5], ["p2", "A", 7200], [], ["p1", "B", 2], [3, "B", 0.25]]
OPTIONS = {"columns": {"algorithm": "solver", "cost": "time"}, "time_limit": 7200}


def row(number, cells):
    def cell(i, value):
        at = f'r="{"ABCDEF"[i]}{number}"'
        if isinstance(value, str) and value.startswith(("=", "#")):
            return f'<c {at} t="e"><v>{value}</v></c>' if value[0] == "#" else f"<c {at}><f>{value[1:]}</f><v>0</v></c>"
        return f'<c {at} t="inlineStr"><is><t>{value}</t></is></c>' if isinstance(value, str) else f"<c {at}><v>{value}</v></c>"

    return f'<row r="{number}">{"".join(cell(i, value) for i, value in enumerate(cells))}</row>'


def write(path, calculation="", **sheets):
    """A workbook with sheets by their names; `calculation` says how it is computed."""
    numbers = range(1, len(sheets) + 1)
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in zip(numbers, sheets, strict=True))
    related = "".join(
        f'<Relationship Id="rId{n}" Type="{OF_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    kinds = "".join(f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{KIND}.worksheet+xml"/>' for n in numbers)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{OF_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{KIND}.sheet.main+xml"/>{kinds}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{OF_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{OF_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{OF_OFFICE}"><sheets>{listed}</sheets>{calculation}</workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{OF_PACKAGE}/relationships">{related}</Relationships>',
    }
    for n, rows in zip(numbers, sheets.values(), strict=True):
        inside = "".join(row(number, cells) for number, cells in enumerate(rows, 1) if cells)
        parts[f"xl/worksheets/sheet{n}.xml"] = f"<worksheet {MAIN}><sheetData>{inside}</sheetData></worksheet>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return path


def test_a_workbook_is_read_as_any_table(tmp_path):
    path = write(tmp_path / "runs.xlsx", runs=ROWS)
    trials, _, report = readers.load(path, options=OPTIONS)
    rows = [(t["algorithm"], t["problem"], t["cost"], t["source"]) for t in trials.to_pylist()]
    assert rows == [
        ("B", "3", 0.25, "runs.xlsx:6"),
        ("A", "p1", 1.5, "runs.xlsx:2"),
        ("B", "p1", 2, "runs.xlsx:5"),
        ("A", "p2", float("inf"), "runs.xlsx:3"),
    ]
    assert (report["format"], report["source"]) == ("table", "runs")


def test_of_several_sheets_one_is_named(tmp_path):
    path = write(tmp_path / "runs.xlsx", about=[["made", "by"]], runs=ROWS)
    with pytest.raises(UserError, match=r"has 2 sheets; name one of 'about', 'runs' in the source's entry \(`sheet: ...`\)"):
        readers.load(path, options=OPTIONS)
    with pytest.raises(UserError, match="has no sheet 'run'; name one of 'about', 'runs'"):
        readers.load(path, options={**OPTIONS, "sheet": "run"})
    assert readers.load(path, options={**OPTIONS, "sheet": "runs"})[0].num_rows == 4


def test_a_title_above_the_table_is_left_out_by_lines(tmp_path):
    path = write(tmp_path / "runs.xlsx", runs=[["Times in seconds"], [], *ROWS[:3]])
    with pytest.raises(UserError, match=r"`lines: first-last`"):
        readers.load(path, options=OPTIONS)
    trials, _, _ = readers.load(path, options={**OPTIONS, "lines": "3-5"})
    assert [(t["problem"], t["source"]) for t in trials.to_pylist()] == [("p1", "runs.xlsx:4"), ("p2", "runs.xlsx:5")]
    with pytest.raises(UserError, match="a line of a single cell"):
        readers.load(path, options={**OPTIONS, "titles": "suite"})


def test_formulas_that_no_spreadsheet_has_computed_are_no_numbers(tmp_path):
    rows = [*ROWS[:2], ["p2", "A", "=1+2"]]
    with pytest.raises(UserError, match=r"runs\.xlsx:3: column 'time' is '=1\+2'"):
        readers.load(
            write(tmp_path / "runs.xlsx", calculation='<calcPr calcId="1" fullCalcOnLoad="1"/>', runs=rows), options=OPTIONS
        )
    assert readers.load(write(tmp_path / "runs.xlsx", runs=rows), options=OPTIONS)[0]["cost"].to_pylist() == [1.5, 0]


def test_an_error_in_a_cell_is_no_empty_cell(tmp_path):
    path = write(tmp_path / "runs.xlsx", runs=[*ROWS[:2], ["p2", "A", "#DIV/0!"]])
    with pytest.raises(UserError, match=r"runs\.xlsx:3: column 'time' is '#ERROR!'"):
        readers.load(path, options={**OPTIONS, "empty": "missing"})


def test_without_what_reads_workbooks_a_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(UserError, match=r"run `pip install 'benchmill\[excel\]'`, or save the sheet as CSV"):
        readers.load(write(tmp_path / "runs.xlsx", runs=ROWS), options=OPTIONS)


def test_a_damaged_workbook_is_told(tmp_path):
    with zipfile.ZipFile(tmp_path / "bad.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", "no XML")
    with pytest.raises(UserError, match="the workbook cannot be read"):
        readers.load(tmp_path / "bad.xlsx", format="table", options=OPTIONS)


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/workbook.xml", "x")
        book.writestr("xl/media/zeros", bytes(2**27))
    with pytest.raises(UserError, match="more than a table may"):
        readers.load(path, format="table", options={**OPTIONS, "most_cells": 10**9})
