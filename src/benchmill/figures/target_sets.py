"""How the ranking depends on the targets: places by the area under the ECDF, for every set of targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from benchmill.figures import areas, axes_level, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

_MOST_PANELS = 12
_PLACE = "place by area under the ECDF"

#: What a study can set.
Options = options.Asked


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per suite and dimension: sets of targets from left to right, places from the top, one line per algorithm.

    Below a set stands Kendall's tau-b of its areas with those of the first set.
    """
    data, parts, sets = _rows(tables)
    first = frames.rows_of(data, {"target_set": sets[0]})
    mean = (data if first.empty else first).groupby("algorithm", observed=True)["rank"].mean()
    order = panels.order_of({name: -float(mean.get(name, 1e9)) for name in frames.algorithms(data)})
    looks = panels.looks(data, tables, settings, order)
    with style.rc(settings):
        columns, tall = 4 if style.width_of(settings) > 5 else 2, 0.15 * len(looks) + 0.75
        figure, axes = panels.sheet(len(parts), settings, columns, rest=0.35, row=tall, wide=True, legend=looks, sharey=True)
        panels.fill(axes, parts, settings, partial(plot, sets=sets, palette=looks, linewidth=1.0, markersize=3.6))
        panels.legend_below(figure, looks, settings, y=_PLACE)
    return figure


@axes_level.drawing()
def plot(
    axes: Axes,
    data: pd.DataFrame,
    looks: dict[str, Look],
    sets: Sequence[str] | None = None,
    linewidth: float | None = None,
    markersize: float = 4.2,
) -> None:
    """Draw the place of every algorithm for every set of targets.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `target_sensitivity` of one suite and dimension.
    sets : sequence of str, optional
        The sets, from left to right; by default all, as they first appear.
    """
    sets = list(data["target_set"].unique()) if sets is None else list(sets)
    words = {name: name.replace("_", " ") for name in sets}
    short = display.short_names(words.values(), 16)
    tau = data.groupby("target_set", observed=True)["kendall_tau"].last()
    ranks = data.pivot(index="algorithm", columns="target_set", values="rank").reindex(columns=sets)
    for place, (name, look) in enumerate(looks.items()):
        y = ranks.loc[name] if name in ranks.index else [np.nan] * len(sets)
        drawn = axes_level.marker(look, markersize) | style.line_style(look, linewidth)
        axes.plot(range(len(sets)), y, **drawn, label=style.text(look.label), gid=axes_level.gid(axes, "ranks", place))
    n = len(looks)
    axes.yaxis.set_major_locator(FixedLocator([1, *range(5, n + 1, 5)] if n > 8 else list(range(1, n + 1))))
    axes.yaxis.set_minor_locator(NullLocator())
    shown = ["\n".join(style.text(word) for word in short[words[name]].split(" ")) for name in sets]
    for place, name in enumerate(sets[1:], 1):
        if pd.notna(tau.get(name)):
            shown[place] += f"\nτ = {display.number(tau[name], 2)}"
    axes.set_xticks(range(len(sets)), shown, linespacing=0.95)
    axes.set(xlim=(-0.3, len(sets) - 0.7), ylim=(n + 0.5, 0.5), ylabel=_PLACE)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, parts, sets = _rows(tables)
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
        f"{display.plural(len(sets), 'set')} of targets, in {display.plural(len(parts), 'panel')}: {display.listed(chosen)} of "
        f"problem and target. τ: Kendall's tau-b with the first set. Per set: {areas.span(data, 'n_trials', 'trial')} of an "
        f"algorithm, {areas.missing(data)}."
    )


def _rows(tables: Mapping[str, Any]) -> tuple[pd.DataFrame, panels.Parts, list[str]]:
    data = panels.some(tables["target_sensitivity"], "target_sets", "sets of targets")
    return data, panels.sample(frames.parts(data, ["suite", "dimension"]), _MOST_PANELS), list(data["target_set"].unique())
