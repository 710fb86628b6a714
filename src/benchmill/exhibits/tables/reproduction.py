"""Published numbers beside the recomputed ones."""

import re

import pyarrow as pa

from benchmill.core import beside
from benchmill.exhibits.tables.fields import columns, exhibit, section
from benchmill.text import display, frames

#: Patterns of names of quantities in the tables of published numbers, and how they are written.
_WRITTEN: dict[str, str] = beside.toml(__file__)


def _written(quantity: str) -> str:
    for pattern, written in _WRITTEN.items():
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
