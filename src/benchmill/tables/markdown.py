"""A table as Markdown, for a README, an issue or a page: the rows, the words and the rounding of the printed table.

Tables are those of GitHub Flavored Markdown, one for each heading between the rows.
"""

from __future__ import annotations

import re

from benchmill.text import labels
from benchmill.text.display import Cell, Table

#: Punctuation that may mean something within a line; `<`, `&` and `$` as entities, since mathematics and HTML ignore backslashes.
_MARKS = re.compile(r"([\\`*_\[\]|~])")
_ENTITIES = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "&#36;", "@": "&#64;"})


def render(table: Table) -> str:
    """The table as Markdown: title, caption, then the rows; the best cells are bold. An empty table says so in words."""
    lines = [f"## {escaped(table.title)}", "", escaped(table.caption), ""]
    if not table.n_rows:
        return "\n".join([*lines, "There are no rows.", ""])
    head = f"| {' | '.join(escaped(column.header) or ' ' for column in table.columns)} |"
    rule = f"| {' | '.join('--:' if column.align == 'r' else ':--' for column in table.columns)} |"
    for section in table.sections:
        if section.heading:
            lines += [f"**{escaped(section.heading)}**", ""]
        lines += [head, rule, *(f"| {' | '.join(map(_cell, row))} |" for row in section.rows), ""]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Any text as Markdown that shows it and does nothing else."""
    return _MARKS.sub(r"\\\1", labels.shown(text)).translate(_ENTITIES).replace("://", "&#58;//")


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    return f"**{text}**" if cell.best and text else text
