"""Tables as plain text for a terminal."""

from __future__ import annotations

import unicodedata

from benchmill.text import labels
from benchmill.text.display import Table


def render(table: Table, most: int = 20) -> str:
    """Return the title and `most` rows in columns, with a star behind the best cells; further rows are counted."""
    lines, left = [table.title], most
    for section in table.sections:
        shown = section.rows[:left]
        if not shown:
            break
        left -= len(shown)
        cells = [[labels.shown(cell.text) + ("*" if cell.best and cell.text else "") for cell in row] for row in shown]
        columns = list(zip([labels.shown(column.header) for column in table.columns], *cells, strict=True))
        widths = [max(map(_width, column)) for column in columns]
        lines += ["", labels.shown(section.heading)] if section.heading else [""]
        for row in zip(*columns, strict=True):
            parts = [
                " " * (width - _width(text)) + text if column.align == "r" else text + " " * (width - _width(text))
                for text, width, column in zip(row, widths, table.columns, strict=True)
            ]
            lines.append("  ".join(parts).rstrip())
    if table.n_rows > most:
        lines += ["", f"... and {table.n_rows - most} more rows"]
    return "\n".join(lines if table.n_rows else [*lines, "", "There are no rows."])


def _width(text: str) -> int:
    """Count columns of a terminal: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
