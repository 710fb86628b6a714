"""Empirical cumulative distributions of running time: the share of (problem, target) pairs solved within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import captions, curves, frames, options, panels
from benchmill.text import display
from benchmill.text.appearance import Look

#: What tells panels apart.
_PANEL = ["suite", "group", "problem", "dimension", "target"]
#: More panels than this do not fit a page: then only one dimension is drawn, and the caption says so.
_MOST_PANELS = 40
#: What a study can set.
Options = options.joined(options.Aggregation, options.Asked)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the ECDF of one aggregation: one panel per suite, dimension or problem, whatever tells curves apart.

    `spent` of the settings (optional) has the largest budget by algorithm and dimension (or None), marked by a cross.
    """
    data, _ = _rows(tables["ecdf"], settings)
    parts = frames.parts(data, _PANEL)
    looks, limits = panels.looks(data, tables, settings, _order(data)), curves.ecdf_range(data["x"])
    several_suites, small = len({group["suite"] for group, _ in parts}) != 1 or len(parts) == 1, len(parts) > 12
    size: dict[str, Any] = {"n_marks": 2, "markersize": 2.4, "linewidth": 0.9} if small else {}

    def panel(axes: Axes, group: Mapping[str, Any], rows: pd.DataFrame) -> None:
        plot(rows, palette=looks, limits=limits, ax=axes, **size)
        _crosses(axes, group, rows, looks, settings)

    return panels.curves_page(
        parts,
        [_title(group, several_suites, settings) for group, _ in parts],
        looks,
        curves.ends(data, "x", "fraction"),
        settings,
        panel,
        panels.Page(
            x=f"{_unit(settings)} (log₁₀ scale)",
            y="share of pairs solved",
            over="share solved, algorithm",
            rest=0.4,
            tall=1.15,
            small="share of targets reached" if small else "",
            # one for all: each would tell all others
            begin=lambda axes: curves.ecdf_scale(axes, *limits),
        ),
        sharex=True,
    )


plot = curves.ecdf_plot


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return further keywords of `plot`."""
    return {"unit": _unit(settings)}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, left_out = _rows(tables["ecdf"], settings)
    groups = frames.groups(data, _PANEL)
    aggregation = _aggregation(tables["ecdf"], settings)
    over = {
        "trial": "trials",
        "target": "targets",
        "problem_per_target": "problems",
        "problem": "problems and targets",
        "group": "problems of a group and targets",
        "dimension": "dimensions, problems and targets",
    }
    targets = (settings.get("measure") or {}).get("targets") or []
    n_algorithms = data["algorithm"].nunique()
    chosen = _settings(settings).get("target_set")
    again = _settings(settings).get("restarts", 0)
    restarts = f" Restarts are simulated ({display.plural(again, 'run')} for each failure)." if again else ""
    of = ""
    if len(targets) > 1:
        of = f" ({display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))})"
    if of and chosen:
        of = f"{of[:-1]}, of which the target set {chosen} takes some on each problem)"
    elif targets and not of:
        of = f" (target {display.target(targets[0])})"
    parts = [
        f"Empirical cumulative distribution (ECDF) of the running time of {display.plural(n_algorithms, 'algorithm')}, over "
        f"{over[aggregation]}{of}{f', in {len(groups)} panels' if len(groups) > 1 else ''}: the share of (problem, target) "
        f"pairs reached within so many {_unit(settings)}.{restarts}",
    ]
    curves = [origin for name, origin in tables.get("origins", {}).items() if name.startswith("ecdf/")]
    n_left_out = sum(origin.get("n_left_out", 0) for origin in curves)
    if n_left_out:
        parts.append(f"Left out: {display.plural(n_left_out, 'problem')} on which an algorithm has no trial.")
    if settings.get("spent"):
        parts.append("Cross: the largest budget of an algorithm.")
    bands = _settings(settings).get("bands")
    if data["fraction_low"].notna().any():
        level = f" ({display.target(100 * bands['level'])} %)" if bands else ""
        parts.append(f"Bands: pointwise intervals{level} for these problems, from the trials of each.")
    parts.append(captions.trial_words(tables))
    if left_out:
        parts.append(f"Dimensions not drawn: {display.listed([str(d) for d in left_out])}.")
    looks = panels.looks(data, tables, settings, _order(data))
    parts.append(panels.highlight_words(looks, settings))
    return captions.joined(*parts)


def _rows(table: pd.DataFrame, settings: Mapping[str, Any]) -> tuple[pd.DataFrame, list[int]]:
    """Select the rows that fit the page; return them and the dimensions left out."""
    aggregation = _aggregation(table, settings)
    rows = frames.rows_of(table, {"aggregation": aggregation})
    left_out: list[int] = []
    if settings.get("dimension") is not None:
        rows = frames.rows_of(rows, {"dimension": settings["dimension"]})
    elif len(frames.groups(rows, _PANEL)) > _MOST_PANELS:
        dimensions = [g["dimension"] for g in frames.groups(rows, ["dimension"])]
        if len(dimensions) > 1:
            rows, left_out = frames.rows_of(rows, {"dimension": dimensions[-1]}), [d for d in dimensions[:-1] if d is not None]
    return panels.some(rows, "ecdf", f"aggregation {aggregation!r}"), left_out


def _aggregation(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    found = list(table["aggregation"].unique())
    wanted = settings.get("aggregation") or (found[0] if len(found) == 1 else None)
    if wanted is None:
        raise panels.nothing_to_draw("ecdf", f"one aggregation (the table has {display.listed(found)})")
    return str(wanted)


def _settings(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    return (settings.get("indicators") or {}).get("ecdf") or {}


def _unit(settings: Mapping[str, Any]) -> str:
    return "evaluations" if _settings(settings).get("x") == "evaluations" else "evaluations/dimension"


def _title(group: Mapping[str, Any], with_suite: bool, settings: Mapping[str, Any]) -> str:
    name = panels.name_of(group, settings)
    suite = group.get("suite")
    return f"{panels.name_of({'suite': suite}, settings)}: {name}" if with_suite and suite and name != suite else name


def _order(data: pd.DataFrame) -> list[str]:
    ends = data.groupby([*_PANEL, "algorithm"], observed=True, dropna=False)["fraction"].max()
    # sums of shares that are equal on paper differ in the last bits
    return panels.order_of(ends.groupby("algorithm", observed=True).sum().round(12).to_dict())


def _crosses(
    axes: Axes, group: Mapping[str, Any], rows: pd.DataFrame, looks: Mapping[str, Look], settings: Mapping[str, Any]
) -> None:
    """Draw a cross at the largest budget of each algorithm."""
    spent = settings.get("spent") or {}
    low, high = axes.get_xlim()
    for name, (x, fraction) in frames.steps(rows, "x", ["fraction"]).items() if spent else ():
        budget = (spent.get(name) or {}).get(group.get("dimension"))
        if budget is not None and low <= budget <= high:
            value = np.append(0.0, fraction)[np.searchsorted(x, budget, side="right")]
            cross: dict[str, Any] = {"marker": "x", "markersize": 4.5, "markeredgewidth": 1.1, "color": looks[name].colour}
            axes.plot([budget], [value], linestyle="none", zorder=6, **cross)
