"""Areas under curves of running times, and what curves of values rest on: one row per algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.tables.fields import heads, named, numbers, section
from benchmill.text import display, labels, measures
from benchmill.text.display import Table
from benchmill.text.frames import best, frame, groups, short_names

#: What tells curves apart, beside the algorithm.
_PANEL = ["suite", "group", "problem", "dimension", "target"]
_PANEL_OF_VALUES = [*_PANEL[:-1], "at_budget"]


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of the ECDF curves of one aggregation: one section per panel, the largest area first."""
    rows = frame(data["ecdf_curves"])
    shown = short_names(data, rows["algorithm"])
    marked = ("solved", "area_log", "area")
    fields = (
        named("algorithm", shown),
        numbers("solved", "solved", "share of (problem, target) pairs solved in the end", display.share),
        numbers("area, log", "area_log", "mean height of the curve over the logarithm of the running time", display.share),
        numbers("area", "area", "mean height of the curve over the running time", display.share),
        numbers("trials", "n_trials", "trials behind the curve", display.count),
        numbers("miss.", "n_missing", "trials missing", display.count),
    )
    sections = tuple(
        section(
            _heading(group),
            fields,
            members.sort_values("area_log", ascending=False, kind="stable"),
            {name: best(members[name], largest=True) for name in marked},
        )
        for group, members in groups(rows, _PANEL)
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
        columns=heads(fields),
        sections=sections,
    )


def of_values(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of the ECDF curves of the values of one measure and aggregation: one section per panel."""
    rows = frame(data["value_ecdf_curves"])
    shown = short_names(data, rows["algorithm"])
    fields = (
        named("algorithm", shown),
        numbers("recorded", "recorded", "share of (problem, budget) pairs with any value", display.share),
        numbers("problems", "n_problems", "problems of the curve", display.count),
        numbers("budgets", "n_budgets", "different budgets of the curve", display.count),
        numbers("trials", "n_trials", "trials behind the curve", display.count),
        numbers("miss.", "n_missing", "trials missing", display.count),
    )
    aggregation = str(rows["aggregation"].iloc[0])
    left_out = sum(origin.get("n_left_out", 0) for origin in data.get("origins", {}).values())
    lost = f" Left out, since an algorithm has no trial on them: {display.plural(left_out, 'problem')}." if left_out else ""
    return Table(
        name=f"value_ecdf_{labels.file_name(settings['measure']['name'])}_{labels.file_name(aggregation)}",
        title=f"Values of {measures.called(settings['measure'])}, averaged over {display.words(aggregation)}",
        caption=(
            "Empirical cumulative distributions of the values reached: the share of (problem, budget) pairs on which an algorithm"
            " has reached a value or a better one. A trial with nothing recorded by the budget never counts and stays in the "
            f"denominator. Missing trials are expected by the design of their source and were not found.{lost}"
        ),
        columns=heads(fields),
        sections=tuple(section(_heading(group), fields, members) for group, members in groups(rows, _PANEL_OF_VALUES)),
    )


def _heading(group: Mapping[str, Any]) -> str:
    parts = [str(group[key]) for key in ("suite", "group", "problem") if group[key] is not None]
    parts += [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
    for key, word in (("target", "target"), ("at_budget", "budget")):
        parts += [f"{word} {display.target(group[key])}"] if group.get(key) is not None else []
    return ", ".join(parts)
