"""Tables as GitHub Flavored Markdown, one for each heading between the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmill.text import labels
from benchmill.text.display import Block, Cell, Section, Table

#: Rows of each table in a comment.
MOST_ROWS = 10


def render(table: Table) -> str:
    """Return title, caption and rows; the best cells are bold."""
    return "\n".join([f"## {labels.markdown(table.title)}", "", labels.markdown(table.caption), "", rows(table)])


def rows(table: Table) -> str:
    """Return the rows alone."""
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


def short(title: str, said: str, blocks: Sequence[Block]) -> str:
    """Return parts of a text, short enough for a comment: up to `MOST_ROWS` rows of each table."""
    lines = [f"## {labels.markdown(title)}", "", labels.markdown(said), ""]
    for block in blocks:
        if block.heading:
            lines += [f"### {labels.markdown(block.heading)}", ""]
        lines += [line for sentence in block.sentences for line in (labels.markdown(sentence), "")]
        for table in block.tables:
            left = table.n_rows - MOST_ROWS
            shown = rows(replace(table, sections=(Section("", table.sections[0].rows[:MOST_ROWS]),)))
            more = f"… and {left} more, on the page.\n" if left > 0 else ""
            summary = f"{labels.markdown(table.title)}: {table.n_rows}"
            lines += [f"<details><summary>{summary}</summary>\n", shown, more, "</details>\n"] if block.folded else [shown, more]
    return "\n".join(lines).rstrip("\n") + "\n"


def _cell(cell: Cell) -> str:
    text = labels.markdown(cell.text)
    return f"**{text}**" if cell.best and text else text
