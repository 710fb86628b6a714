"""Published numbers beside the recomputed ones."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from benchmill import display
from benchmill.display import Cell, Column, Section, Table


def build(reproduction: pa.Table) -> Table:
    """Make the table of printed numbers: a section a place in a paper, a row a number or statement.

    Data that a recomputation starts from (verdict `input`) are counted in the caption and not listed.
    """
    rows = reproduction.to_pylist()
    counts = Counter(row["verdict"] for row in rows)
    sections: dict[str, list[tuple[Cell, ...]]] = {}
    for row in rows:
        if row["verdict"] != "input":
            line = (
                Cell(row["quantity"]),
                Cell(row["printed"]),
                Cell(row["recomputed"] or display.ABSENT, row["value"]),
                Cell(row["verdict"]),
                Cell(row["reason"]),
            )
            sections.setdefault(f"{row['paper']}, {row['place']}", []).append(line)
    told = [
        f"{display.count(counts[name])} {name}"
        for name in ("reproduced", "misprint", "not recomputable", "differs")
        if counts[name]
    ]
    return Table(
        name="reproduction",
        title="Published numbers, printed and recomputed",
        caption=(
            f"Every number and statement that the papers print: {display.listed(told)}; {display.count(counts['input'])} more "
            "are the "
            "data that the recomputation starts from. A number is reproduced if the recomputed one rounds to it."
        ),
        columns=(
            Column("quantity", "l", key=True, wrap=True),
            Column("printed", "r"),
            Column("recomputed", "r"),
            Column("verdict", "l"),
            Column("reason", "l", wrap=True),
        ),
        sections=tuple(Section(heading, tuple(lines)) for heading, lines in sections.items()),
        place="appendix",
    )
