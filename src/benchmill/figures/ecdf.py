"""Empirical cumulative distributions of running time: the share of (problem, target) pairs solved within a budget."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import captions, curves, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

#: What tells panels apart.
_PANEL = ["suite", "group", "problem", "dimension", "target"]
#: More panels than this do not fit a page: then only one dimension is drawn, and the caption says so.
_MOST_PANELS = 40
#: What a study can set.
Options = options.joined(options.Aggregation, options.Panels, options.Asked)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the ECDF of one aggregation: one panel per suite, dimension or problem, whatever the curves are kept apart by.

    Parameters
    ----------
    tables : mapping
        `ecdf`.
    settings : mapping
        `indicators` and `width`: see the package; `aggregation`: which rows (default: the one in the table);
        `dimension` (optional): draw this one only; `spent` (optional): mapping of algorithm to mapping
        of dimension (or None) to the largest budget on the scale of x, marked by a cross on the curve.
    """
    data, _ = _rows(tables["ecdf"], settings)
    groups = frames.groups(data, _PANEL)
    looks = panels.highlighted(panels.looks(data, tables, settings), _order(data), settings)
    left, right = curves.ecdf_range(data["x"])
    ends = curves.ends(data, "x", "fraction")
    named = {name: f"{display.share(y)}  {looks[name].label}" for name, y in ends.items() if not looks[name].faded}
    n_curves = len(named)
    direct = len(groups) == 1 and panels.fit_beside(list(named.values()), settings)
    several_suites = len({g["suite"] for g in groups}) > 1
    with style.rc(settings):
        if direct:
            figure = style.new_figure(settings, wide=True, height=max(2.6, 0.16 * n_curves + 1.0))
            axes = figure.add_subplot()
            curves.ecdf_scale(axes, left, right)
            _panel(axes, data, groups[0], looks, settings, (left, right))
            entries = [(ends[name], label, looks[name]) for name, label in named.items()]
            style.direct_labels(axes, entries, settings, "share solved, algorithm")
            axes.set_xlabel(_x_label(settings))
            axes.set_title(style.text(_title(groups[0], True, settings)), loc="left")
            return figure
        small = len(groups) > 12
        width = style.width_of(settings)
        where = panels.arranged(groups, settings, 6 if small and width > 5 else None)
        columns = where.columns
        room = int(width / columns * 72 / (0.55 * style.points(settings)))
        legend = panels.legend_height(n_curves + 1, looks.values(), width, settings)
        figure = style.new_figure(settings, wide=True, height=0.4 + where.rows * max(1.15, width / columns * 0.72) + legend)
        grid = panels.spread(figure, len(groups), (where.rows, columns), sharex=True, sharey=True)
        # one for all: each would tell all others
        curves.ecdf_scale(grid[0], left, right)
        for place, (group, mine) in zip(where.places, frames.parts(data, _PANEL), strict=True):
            axes = grid[place]
            _panel(axes, mine, group, looks, settings, (left, right), small)
            panels.bare(axes)
            if where.headings is None:
                lines = textwrap.wrap(_title(group, several_suites, settings), room) or [""]
                axes.set_title("\n".join(style.text(line) for line in lines), loc="left", pad=2 if small else None)
            if place % columns == 0 and not small:
                axes.set_ylabel("share of pairs solved")
        panels.head(grid, where, settings)
        if small:
            figure.supylabel("share of targets reached", fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings, _x_label(settings))
    return figure


#: Draws one panel.
plot = curves.ecdf_plot


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `plot` that the settings of curves tell."""
    return {"unit": _unit(settings)}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown, over which targets and problems it is averaged, and which conventions are in force.

    Parameters
    ----------
    settings : mapping
        As `draw`; `measure` gives the targets.
    """
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
    chosen = ((settings.get("indicators") or {}).get("ecdf") or {}).get("target_set")
    grid = ""
    if len(targets) > 1:
        grid = f" ({display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))})"
    if grid and chosen:
        grid = f"{grid[:-1]}, of which the target set {chosen} takes some on each problem)"
    elif targets and not grid:
        grid = f" (target {display.target(targets[0])})"
    parts = [
        f"Empirical cumulative distribution (ECDF) of the running time of {display.plural(n_algorithms, 'algorithm')}, over "
        f"{over[aggregation]}{grid}{f', in {len(groups)} panels' if len(groups) > 1 else ''}: the share of (problem, target) "
        f"pairs reached within so many {_unit(settings)}.{_restarts(settings)}",
    ]
    curves = [origin for name, origin in tables.get("origins", {}).items() if name.startswith("ecdf/")]
    n_left_out = sum(origin.get("n_left_out", 0) for origin in curves)
    if n_left_out:
        parts.append(f"Left out: {display.plural(n_left_out, 'problem')} on which an algorithm has no trial.")
    if settings.get("spent"):
        parts.append("Cross: the largest budget of an algorithm.")
    bands = ((settings.get("indicators") or {}).get("ecdf") or {}).get("bands")
    if data["fraction_low"].notna().any():
        level = f" ({display.target(100 * bands['level'])} %)" if bands else ""
        parts.append(f"Bands: pointwise intervals{level} for these problems, from the trials of each.")
    parts.append(captions.trial_words(tables))
    if left_out:
        parts.append(f"Dimensions not drawn: {display.listed([str(d) for d in left_out])}.")
    looks = panels.highlighted(panels.looks(data, tables, settings), _order(data), settings)
    parts.append(panels.highlight_words(looks, settings))
    return captions.joined(*parts)


def _rows(table: pd.DataFrame, settings: Mapping[str, Any]) -> tuple[pd.DataFrame, list[int]]:
    """The rows to draw, and the dimensions that are left for want of room."""
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


def _unit(settings: Mapping[str, Any]) -> str:
    return (
        "evaluations"
        if ((settings.get("indicators") or {}).get("ecdf") or {}).get("x") == "evaluations"
        else "evaluations/dimension"
    )


def _restarts(settings: Mapping[str, Any]) -> str:
    restarts = ((settings.get("indicators") or {}).get("ecdf") or {}).get("restarts", 0)
    return f" Restarts are simulated ({display.plural(restarts, 'run')} for each failure)." if restarts else ""


def _x_label(settings: Mapping[str, Any]) -> str:
    return f"{_unit(settings)} (log₁₀ scale)"


def _title(group: Mapping[str, Any], with_suite: bool, settings: Mapping[str, Any]) -> str:
    name = panels.name_of(group, settings)
    suite = group.get("suite")
    return f"{panels.name_of({'suite': suite}, settings)}: {name}" if with_suite and suite and name != suite else name


def _order(data: pd.DataFrame) -> list[str]:
    """Algorithms by the mean over all panels of the share at which their curves end, falling."""
    curve, found = frames.cells(data, [*_PANEL, "algorithm"])
    order = np.lexsort((data["x"].to_numpy(), curve))
    last = order[np.searchsorted(curve[order], np.arange(len(found)), side="right") - 1]
    total: dict[str, list[float]] = {}
    for key, end in zip(found, data["fraction"].to_numpy()[last].tolist(), strict=True):
        total.setdefault(key["algorithm"], []).append(end)
    # sums of shares that are equal on paper differ in the last bits
    return sorted(total, key=lambda name: -round(sum(total[name]), 12))


def _panel(
    axes: Axes,
    data: pd.DataFrame,
    group: Mapping[str, Any],
    looks: Mapping[str, Look],
    settings: Mapping[str, Any],
    limits: tuple[float, float],
    small: bool = False,
) -> None:
    """Draw one panel, and a cross at the largest budget of each algorithm."""
    size: dict[str, Any] = {"n_marks": 2, "markersize": 2.4, "linewidth": 0.9} if small else {}
    plot(data, palette=looks, limits=limits, ax=axes, **size)
    budgets = settings.get("spent") or {}
    for name, (x, fraction) in frames.steps(data, "x", ["fraction"]).items() if budgets else ():
        budget = (budgets.get(name) or {}).get(group.get("dimension"))
        if budget is not None and limits[0] <= budget <= limits[1]:
            value = np.append(0.0, fraction)[np.searchsorted(x, budget, side="right")]
            cross: dict[str, Any] = {"marker": "x", "markersize": 4.5, "markeredgewidth": 1.1, "color": looks[name].colour}
            axes.plot([budget], [value], linestyle="none", zorder=6, **cross)
