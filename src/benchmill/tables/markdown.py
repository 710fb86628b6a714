"""A table as Markdown, for a README, an issue or a page: the rows, the words and the rounding of the printed table.

Tables are those of GitHub Flavored Markdown, one for each heading between the rows.
"""

from __future__ import annotations

from benchmill.text import labels
from benchmill.text.display import Cell, Table


def render(table: Table) -> str:
    """The table as Markdown: title, caption, then the rows; the best cells are bold. An empty table says so in words."""
    return "\n".join([f"## {labels.markdown(table.title)}", "", labels.markdown(table.caption), "", rows(table)])


def rows(table: Table) -> str:
    """The rows alone."""
    if not table.n_rows:
        return "There are no rows.\n"
    lines: list[str] = []
    head = f"| {' | '.join(labels.markdown(column.header) or ' ' for column in table.columns)} |"
    rule = f"| {' | '.join('--:' if column.align == 'r' else ':--' for column in table.columns)} |"
    for section in table.sections:
        if section.heading:
            lines += [f"**{labels.markdown(section.heading)}**", ""]
        lines += [head, rule, *(f"| {' | '.join(map(_cell, row))} |" for row in section.rows), ""]
    return "\n".join(lines)


def _cell(cell: Cell) -> str:
    text = labels.markdown(cell.text)
    return f"**{text}**" if cell.best and text else text
