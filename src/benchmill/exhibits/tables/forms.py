"""Tables as CSV, Markdown, HTML for a notebook, and text for a terminal."""

import csv as _csv
import io
import re
import unicodedata
from collections.abc import Sequence

from benchmill.core import shown
from benchmill.text import display, limits, prose
from benchmill.text.display import Block, Cell, Table

#: Rows of each table in a comment.
MOST_ROWS = 10

#: What spreadsheets take for the start of a formula: OWASP, "CSV Injection"; with the wide forms of East Asian text.
_FORMULA = re.compile(r"^[\s]*[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"^-?(?:[0-9]+(?:\.[0-9]*)?(?:e-?[0-9]+)?|inf)$")
_POWER = re.compile(r"(?:([0-9.]+)×)?10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_STARS = re.compile(r"[*]([⁰¹²³⁴⁵⁶⁷⁸⁹]*)")


def csv(table: Table) -> str:
    """Return CSV (RFC 4180) with numbers as programs read them; headings between rows repeat in a first column.

    A text that a spreadsheet would take for a formula gets an apostrophe; heads that repeat get the head before them in brackets.
    """
    headed = any(section.heading for section in table.sections)
    out = io.StringIO()
    rows = _csv.writer(out, lineterminator="\n")
    rows.writerow([*(["section"] if headed else []), *(safe(head) for head in _heads(table))])
    for section in table.sections:
        first = [safe(shown(section.heading))] if headed else []
        rows.writerows([*first, *map(_csv_cell, row)] for row in section.rows)
    return out.getvalue()


def plain(text: str) -> str:
    """Write a number of this project as programs read it; any other text stays."""
    ascii_text = _POWER.sub(lambda m: f"{m[1] or '1'}e{m[2].translate(display.PLAIN)}", text)
    ascii_text = _STARS.sub(lambda m: f"*{m[1].translate(display.PLAIN)}", ascii_text)
    ascii_text = ascii_text.replace("\u202f", "").replace("−", "-").replace("∞", "inf")
    return ascii_text if _NUMBER.match(re.split(r"[*]| \(", ascii_text)[0]) else text


def safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula; numbers stay numbers."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def _csv_cell(cell: Cell) -> str:
    if cell.text == display.ABSENT:
        return ""
    return safe(shown(cell.text) if cell.value is None else plain(cell.text))


def _heads(table: Table) -> list[str]:
    heads: list[str] = []
    for place, column in enumerate(table.columns):
        head = shown(column.header)
        # `#`, the rank by the column before it, is there more than once
        heads.append(head if [c.header for c in table.columns].count(column.header) == 1 else f"{head} ({heads[place - 1]})")
    return heads


def markdown(table: Table) -> str:
    """Return title, caption and rows; the best cells are bold."""
    return f"{prose.whole(__file__, 'markdown', table=table).rstrip()}\n"


def markdown_rows(table: Table) -> str:
    """Return the rows alone, a table for each heading between them."""
    return f"{prose.whole(__file__, 'rows', table=table).rstrip()}\n"


def comment(title: str, introduction: str, blocks: Sequence[Block]) -> str:
    """Return parts of a text as Markdown, with up to `MOST_ROWS` rows of each table."""
    facts = {"title": title, "introduction": introduction, "blocks": blocks, "most": MOST_ROWS}
    return f"{prose.whole(__file__, 'comment', **facts).rstrip()}\n"


def html(table: Table) -> str:
    """Return an element `table` without a style, whose caption is the title; the best cells are bold."""
    return prose.whole(__file__, "html", table=table)


def terminal(table: Table, most: int = 20) -> str:
    """Return the title, that limits differ, and `most` rows in columns, with a star behind the best cells."""
    lines, left = [table.title, *limits.caveats(table.caption).rstrip().splitlines()], most
    for section in table.sections:
        rows = section.rows[:left]
        if not rows:
            break
        left -= len(rows)
        cells = [[shown(cell.text) + "*" * (cell.best and bool(cell.text)) for cell in row] for row in rows]
        columns = list(zip([shown(column.header) for column in table.columns], *cells, strict=True))
        widths = [max(map(_width, column)) for column in columns]
        lines += ["", shown(section.heading)] if section.heading else [""]
        for row in zip(*columns, strict=True):
            parts = [
                " " * (width - _width(text)) + text if column.align == "r" else text + " " * (width - _width(text))
                for text, width, column in zip(row, widths, table.columns, strict=True)
            ]
            lines.append("  ".join(parts).rstrip())
    if table.n_rows > most:
        lines += ["", f"... and {display.plural(table.n_rows - most, 'more row')}"]
    return "\n".join(lines if table.n_rows else [*lines, "", "There are no rows."])


def _width(text: str) -> int:
    """Count columns of a terminal: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
