"""Published numbers beside the recomputed ones."""

from __future__ import annotations

import re
from collections import Counter

import pyarrow as pa

from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table

#: Names of quantities in the tables of published numbers, as they are written.
_WRITTEN = (
    (r"\bcec_rank_", "CEC rank by "),
    (r"\brank_", "rank by "),
    (r"\bfeas_rate_auc\b", "AUC, feasible rate,"),
    (r"\bsucc_perf_auc\b", "AUC, success performance,"),
    (r"\bsucc_rate_auc\b", "AUC, success rate,"),
    (r"\brho_tau_max\b", "ρ(τ_max)"),
    (r"\btau_min_over_tau_star\b", "τ_min/τ*"),
    (r"\b(feasible_rate|success_performance|success_rate)\b", lambda found: found[0].replace("_", " ")),
)


def _written(quantity: str) -> str:
    for pattern, words in _WRITTEN:
        quantity = re.sub(pattern, words, quantity)
    return quantity


def _value(text: str | None) -> str:
    return "∞" if text == "inf" else text or display.ABSENT


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
                Cell(_written(row["quantity"])),
                Cell(_value(row["printed"])),
                Cell(_value(row["recomputed"]), row["value"]),
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
