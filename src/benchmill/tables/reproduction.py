"""Published numbers beside the recomputed ones."""

from __future__ import annotations

import re

import pyarrow as pa

from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import frame, records

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
    """Make the table of printed numbers: one section per place in a paper, one row per number or statement.

    Data that a recomputation starts from (verdict `input`) are counted in the caption and not listed.
    """
    data = frame(reproduction)
    counts = data["verdict"].value_counts()
    sections = []
    listed = data[data["verdict"] != "input"]
    for (paper, place), rows in listed.groupby(["paper", "place"], sort=False, observed=True):
        lines = tuple(
            (
                Cell(_written(row["quantity"])),
                Cell(_value(row["printed"])),
                Cell(_value(row["recomputed"]), row["value"]),
                Cell(row["verdict"]),
                Cell(row["reason"]),
            )
            for row in records(rows)
        )
        sections.append(Section(f"{paper}, {place}", lines))
    told = [
        f"{display.count(counts.get(name, 0))} {name}"
        for name in ("reproduced", "misprint", "not recomputable", "differs")
        if counts.get(name, 0)
    ]
    return Table(
        name="reproduction",
        title="Published numbers, printed and recomputed",
        caption=(
            f"Every number and statement that the papers print: {display.listed(told)}; "
            f"{display.count(counts.get('input', 0))} more are the data that the recomputation starts from. "
            "A number is reproduced if the recomputed one rounds to it."
        ),
        columns=(
            Column("quantity", "l", key=True, wrap=True),
            Column("printed", "r"),
            Column("recomputed", "r"),
            Column("verdict", "l"),
            Column("reason", "l", wrap=True),
        ),
        sections=tuple(sections),
        place="appendix",
    )
