"""Published numbers beside the recomputed ones."""

import re

import pyarrow as pa

from benchmill.exhibits.tables.fields import columns, exhibit, section
from benchmill.text import display, frames

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


def build(reproduction: pa.Table) -> display.Table:
    """Make the table: one section per place in a paper; input data are only counted."""
    data = frames.frame(reproduction)
    counts = data["verdict"].value_counts()
    forms = {
        "quantity": lambda row: _written(row["quantity"]),
        "printed": lambda row: _value(row["printed"]),
        "value": lambda row: _value(row["recomputed"]),
        "reason": lambda row: row["reason"],
    }
    fields = columns("reproduction", of=forms)
    listed = data[data["verdict"] != "input"].groupby(["paper", "place"], sort=False, observed=True)
    sections = (section(f"{paper}, {place}", fields, rows) for (paper, place), rows in listed)
    counts_listed = [
        f"{display.count(counts.get(name, 0))} {name}"
        for name in ("reproduced", "misprint", "not recomputable", "differs")
        if counts.get(name, 0)
    ]
    return exhibit("reproduction", fields, sections, verdicts=counts_listed, inputs=counts.get("input", 0))
