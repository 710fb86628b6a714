"""Tables as HTML for a notebook."""

from __future__ import annotations

from benchmill.text import labels
from benchmill.text.display import Cell, Column, Table


def render(table: Table) -> str:
    """Return an element `table` without a style, whose caption is the title; the best cells are bold."""
    head = "".join(f'<th style="{_side(column)}"{_meaning(column)}>{labels.html(column.header)}</th>' for column in table.columns)
    lines = [f"<table>\n<caption>{labels.html(table.title)}</caption>", f"<thead><tr>{head}</tr></thead>"]
    for section in table.sections:
        lines.append("<tbody>")
        if section.heading:
            lines.append(
                f'<tr><th colspan="{len(table.columns)}" style="text-align: left">{labels.html(section.heading)}</th></tr>'
            )
        lines += [
            f"<tr>{''.join(_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))}</tr>"
            for row in section.rows
        ]
        lines.append("</tbody>")
    return "\n".join([*lines, "</table>\n"])


def _side(column: Column) -> str:
    return f"text-align: {'right' if column.align == 'r' else 'left'}"


def _meaning(column: Column) -> str:
    return f' title="{labels.html(column.meaning)}"' if column.meaning else ""


def _cell(cell: Cell, column: Column) -> str:
    text = labels.html(cell.text)
    return f'<td style="{_side(column)}">{f"<b>{text}</b>" if cell.best and text else text}</td>'
