"""Published numbers beside the recomputed ones."""

from __future__ import annotations

import re

import pyarrow as pa

from benchmill.tables.fields import heads, numbers, section, words
from benchmill.text import display
from benchmill.text.display import Table
from benchmill.text.frames import frame

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
    for pattern, written in _WRITTEN:
        quantity = re.sub(pattern, written, quantity)
    return quantity


def _value(text: str | None) -> str:
    return "∞" if text == "inf" else text or display.ABSENT


def build(reproduction: pa.Table) -> Table:
    """Make the table: one section per place in a paper; data that a recomputation starts from are only counted."""
    data = frame(reproduction)
    counts = data["verdict"].value_counts()
    fields = (
        words("quantity", lambda row: _written(row["quantity"]), key=True, wrap=True),
        words("printed", lambda row: _value(row["printed"]), align="r"),
        numbers("recomputed", "value", of=lambda row: _value(row["recomputed"])),
        words("verdict", lambda row: row["verdict"]),
        words("reason", lambda row: row["reason"], wrap=True),
    )
    listed = data[data["verdict"] != "input"]
    sections = tuple(
        section(f"{paper}, {place}", fields, rows)
        for (paper, place), rows in listed.groupby(["paper", "place"], sort=False, observed=True)
    )
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
        columns=heads(fields),
        sections=sections,
        place="appendix",
    )
