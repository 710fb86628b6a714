"""How the ranking depends on the targets: the place of every algorithm by the area under its ECDF, for every set of targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from benchmill.figures import areas, axes_level, frames, grid, options, panels, style
from benchmill.text import display

_MOST_PANELS = 12
_PLACE = "place by area under the ECDF"

#: What a study can set.
Options = options.Asked


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per suite and dimension: sets of targets from left to right, places from the top, one line per algorithm.

    Lines that cross are pairs whose order depends on the targets. Below a set stands Kendall's tau-b of its areas with those of
    the first set.
    """
    data, groups, sets = _rows(tables)
    first = frames.rows_of(data, {"target_set": sets[0]})
    mean = (data if first.empty else first).groupby("algorithm", observed=True)["rank"].mean()
    order = grid.order_of({name: -float(mean.get(name, 1e9)) for name in frames.algorithms(data)})
    looks = panels.highlighted(panels.looks(data, tables, settings), order, settings)
    with style.rc(settings):
        width = style.width_of(settings)
        rows, columns = panels.arrangement(len(groups), settings, 4 if width > 5 else 2)
        legend = panels.legend_height(len(looks), looks.values(), width, settings)
        height = 0.35 + rows * (0.15 * len(looks) + 0.75) + legend
        figure = style.new_figure(settings, wide=True, height=height)
        axes = panels.spread(figure, len(groups), (rows, columns), sharey=True)
        for one, group in zip(axes, groups, strict=True):
            plot(frames.rows_of(data, group), sets=sets, palette=looks, linewidth=1.0, markersize=3.6, ax=one)
            panels.bare(one)
            one.set_title(style.text(panels.heading(group, groups, settings)), loc="left", pad=2)
        figure.supylabel(_PLACE, fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings)
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    sets: Sequence[str] | None = None,
    palette: Any = None,
    linewidth: float | None = None,
    markersize: float = 4.2,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the place of every algorithm for every set of targets.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `target_sensitivity` of one suite and dimension.
    sets : sequence of str, optional
        The sets, from left to right; by default all, as they first appear.
    linewidth, markersize : float
        In points; a line is by default as wide as rcParams say.
    """
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    sets = list(data["target_set"].unique()) if sets is None else list(sets)
    short = display.short_names([name.replace("_", " ") for name in sets], 16)
    tau = data.groupby("target_set", observed=True)["kendall_tau"].last()
    ranks = data.set_index(["algorithm", "target_set"])["rank"]
    for place, (name, look) in enumerate(looks.items()):
        y = [ranks.get((name, chosen), np.nan) for chosen in sets]
        drawn = axes_level.marker(look, markersize) | style.line_style(look, linewidth)
        axes.plot(range(len(sets)), y, **drawn, label=style.text(look.label), gid=f"ranks-{axes_level.number(axes)}-{place}")
    n = len(looks)
    axes.set_xlim(-0.3, len(sets) - 0.7)
    axes.set_ylim(n + 0.5, 0.5)
    axes.yaxis.set_major_locator(FixedLocator([1, *range(5, n + 1, 5)] if n > 8 else list(range(1, n + 1))))
    axes.yaxis.set_minor_locator(NullLocator())
    shown = ["\n".join(style.text(word) for word in short[name.replace("_", " ")].split(" ")) for name in sets]
    for place, name in enumerate(sets[1:], 1):
        if pd.notna(tau.get(name)):
            shown[place] += f"\nτ = {display.number(tau[name], 2)}"
    axes.set_xticks(range(len(sets)), shown, linespacing=0.95)
    axes.set_ylabel(_PLACE)
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the sets are, how places are given, and on how many pairs they rest."""
    data, groups, sets = _rows(tables)
    row = data.iloc[0]
    chosen = []
    for name in sets:
        own = frames.rows_of(data, {"target_set": name})
        chosen.append(
            f"{name.replace('_', ' ')} ({areas.span(own, 'n_targets', 'target')}, {areas.span(own, 'n_pairs', 'pair')})"
        )
    n = data["algorithm"].nunique()
    return (
        f"Places of {display.plural(n, 'algorithm')} by the area under their ECDF, from {display.target(row['x_from'])} to "
        f"{display.target(row['x_to'])} {row['x_unit']}, for "
        f"{display.plural(len(sets), 'set')} of targets, in {display.plural(len(groups), 'panel')}: {display.listed(chosen)} of "
        f"problem and target. τ: Kendall's tau-b with the first set. Per set: {areas.span(data, 'n_trials', 'trial')} of an "
        f"algorithm, {areas.missing(data)}."
    )


def _rows(tables: Mapping[str, Any]) -> tuple[pd.DataFrame, list[dict[str, Any]], list[str]]:
    data = panels.some(tables["target_sensitivity"], "target_sets", "sets of targets")
    groups = grid.sample(frames.groups(data, ["suite", "dimension"]), _MOST_PANELS)
    return data, groups, list(data["target_set"].unique())
