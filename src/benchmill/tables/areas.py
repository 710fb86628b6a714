"""What curves of running times come to: the share solved and the area under the curve, a row an algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import best, frame, groups, records, short_names

#: What tells curves apart, beside the algorithm.
_PANEL = ["suite", "group", "problem", "dimension", "target"]


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of the ECDF curves of one aggregation: a row an algorithm, a section a panel, the largest area first.

    Parameters
    ----------
    data : mapping
        `ecdf_curves`; `ingest` where names are to be cut as in other tables.
    settings : mapping
        Nothing of it counts.
    """
    rows = frame(data["ecdf_curves"])
    shown = short_names(data, rows["algorithm"])
    sections = []
    for group, members in groups(rows, _PANEL):
        marks = {name: best(members[name], largest=True) for name in ("solved", "area_log", "area")}
        sections.append(
            Section(
                _heading(group),
                tuple(
                    (
                        Cell(shown[row["algorithm"]]),
                        *(Cell(display.share(row[name]), row[name], row[name] == mark) for name, mark in marks.items()),
                        Cell(display.count(row["n_trials"]), row["n_trials"]),
                        Cell(display.count(row["n_missing"]), row["n_missing"]),
                    )
                    for row in records(members.sort_values("area_log", ascending=False, kind="stable"))
                ),
            )
        )
    first = rows.iloc[0]
    aggregation = str(first["aggregation"])
    limits = f"{display.target(first['x_from'])} to {display.target(first['x_to'])} {first['x_unit']}"
    return Table(
        name=f"ecdf_{labels.file_name(aggregation)}",
        title=f"Running times, averaged over {display.words(aggregation)}",
        caption=(
            "Empirical cumulative distributions of running times: the share of (problem, target) pairs solved in the end, and "
            f"the area under the curve from {limits}, divided by the width, over a logarithmic and a linear axis. Missing trials "
            "are expected by the design of their source and were not found."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            Column("solved", "r", "share of (problem, target) pairs solved in the end"),
            Column("area, log", "r", "mean height of the curve over the logarithm of the running time"),
            Column("area", "r", "mean height of the curve over the running time"),
            Column("trials", "r", "trials behind the curve"),
            Column("miss.", "r", "trials missing"),
        ),
        sections=tuple(sections),
    )


def _heading(group: Mapping[str, Any]) -> str:
    parts = [str(group[key]) for key in ("suite", "group", "problem") if group[key] is not None]
    parts += [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
    parts += [f"target {display.target(group['target'])}"] if group["target"] is not None else []
    return ", ".join(parts)
