"""Tables as CSV, with the rows and the rounding of the printed table.

Where a table has headings between its rows, the first column repeats them. Numbers are written as programs read them (`1.23e5`,
`inf`), a dash as nothing, and a text that a spreadsheet would take for a formula with an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import re

from benchmill.text import display, labels
from benchmill.text.display import Cell, Table

#: What spreadsheets take for the start of a formula: OWASP, "CSV Injection"; with the wide forms of East Asian text.
_FORMULA = re.compile(r"^[\s]*[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"^-?(?:[0-9]+(?:\.[0-9]*)?(?:e-?[0-9]+)?|inf)$")
_POWER = re.compile(r"(?:([0-9.]+)×)?10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_STARS = re.compile(r"[*]([⁰¹²³⁴⁵⁶⁷⁸⁹]*)")
_LOWERED = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")


def render(table: Table) -> str:
    """Return CSV (RFC 4180 with line feeds), UTF-8 without a mark.

    Heads that are there twice get the head before them in brackets.
    """
    headed = any(section.heading for section in table.sections)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([*(["section"] if headed else []), *(safe(head) for head in _heads(table))])
    for section in table.sections:
        first = [safe(labels.shown(section.heading))] if headed else []
        rows.writerows([*first, *map(_cell, row)] for row in section.rows)
    return out.getvalue()


def plain(text: str) -> str:
    """Write a number of this project as programs read it; any other text stays."""
    found = _POWER.sub(lambda m: f"{m[1] or '1'}e{m[2].translate(_LOWERED)}", text)
    found = _STARS.sub(lambda m: f"*{m[1].translate(_LOWERED)}", found)
    found = found.replace("\u202f", "").replace("−", "-").replace("∞", "inf")
    return found if _NUMBER.match(re.split(r"[*]| \(", found)[0]) else text


def safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula; numbers stay numbers."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def _cell(cell: Cell) -> str:
    if cell.text == display.ABSENT:
        return ""
    return safe(labels.shown(cell.text) if cell.value is None else plain(cell.text))


def _heads(table: Table) -> list[str]:
    heads: list[str] = []
    for place, column in enumerate(table.columns):
        head = labels.shown(column.header)
        # `#`, the rank by the column before it, is there more than once
        heads.append(head if [c.header for c in table.columns].count(column.header) == 1 else f"{head} ({heads[place - 1]})")
    return heads
