"""Restricted mean running times: runs that were stopped taken as such."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.core.keys import described
from benchmill.tables.fields import heads, named, numbers, section, words
from benchmill.text import display, labels
from benchmill.text import measures as measure_words
from benchmill.text.display import Table
from benchmill.text.frames import best, frame, groups, short_names

_PANEL = ["suite", "dimension", "target"]


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: a section per suite, dimension and target, the smallest mean first and marked."""
    measure = settings["measure"]
    rows = frame(data["restricted_means"], measure["name"])
    shown = short_names(data, rows["algorithm"])
    fields = (
        named("algorithm", shown),
        numbers("mean", "mean", "restricted mean running time"),
        words("interval", lambda row: _interval(row["low"], row["high"]), "its interval", align="r"),
        numbers("unsolved", "unsolved", "share unsolved at the horizon", display.share),
        numbers("runs", "n_runs", "runs behind it", display.count),
        numbers("stopped", "n_stopped", "runs stopped before the horizon", display.count),
    )
    sections = []
    for group, members in groups(rows, _PANEL):
        # a mean that is not known says nothing of who is first
        least = {"mean": best(members["mean"])} if members["mean"].notna().all() else {}
        found = members.sort_values("mean", kind="stable")
        sections.append(section(_heading(group, members["horizon"].iloc[0]), fields, found, least))
    level = f"{100 * rows['level'].iloc[0]:g} %" if len(rows) else ""
    return Table(
        name=f"restricted_means_{labels.file_name(measure['name'])}",
        title=f"Restricted means, measure {display.words(measure['name'])}",
        caption=(
            f"Restricted mean of the {measure_words.called(measure)}: the mean of the smaller of time and horizon, by Kaplan and "
            f"Meier, over the problems on which all algorithms have runs. Intervals: {level}, over clusters of problems. "
            "Unsolved: at the horizon. Stopped: runs stopped before it. No mean: all runs of an algorithm were stopped earlier "
            "on some problem."
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="appendix",
    )


def _heading(group: Mapping[str, Any], horizon: float) -> str:
    named = {key: group[key] for key in ("suite", "dimension")} | {
        "target": None if group["target"] is None else display.target(group["target"])
    }
    return ", ".join(part for part in (described(named), f"horizon {display.number(horizon)}") if part)


def _interval(low: float | None, high: float | None) -> str:
    return display.ABSENT if low is None or high is None else f"{display.number(low)} to {display.number(high)}"
