"""How the ranking depends on the targets: places by the area under the ECDF, for every set of targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator

from benchmill.figures import axes_level, captions, frames, options, style
from benchmill.figures.sheet import Grid, Sheet, rows_of_names
from benchmill.text import display
from benchmill.text.appearance import Pen

_PLACE = "place by area under the ECDF"

#: What a study can set.
Options = options.Asked
GRID = Grid(0.35, lambda sheet, _: rows_of_names(sheet, 0.75), across=(4, 2), wide=True, share="y", legend=True, y=_PLACE)


def select(sheet: Sheet) -> None:
    """Take a panel per suite and dimension."""
    sheet.take(sheet.table(what="sets of targets"), most=12)
    sets = list(sheet.rows["target_set"].unique())
    first = frames.rows_of(sheet.rows, {"target_set": sets[0]})
    mean = (sheet.rows if first.empty else first).groupby("algorithm", observed=True)["rank"].mean()
    sheet.order_by({name: -float(mean.get(name, 1e9)) for name in frames.algorithms(sheet.rows)})
    sheet.shared = {"sets": sets, "linewidth": 1.0, "markersize": 3.6}


@axes_level.drawing()
def plot(
    axes: Axes,
    data: pd.DataFrame,
    pens: dict[str, Pen],
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
    for place, (name, pen) in enumerate(pens.items()):
        y = ranks.loc[name] if name in ranks.index else [np.nan] * len(sets)
        drawn = axes_level.marker(pen, markersize) | style.line_style(pen, linewidth)
        axes.plot(range(len(sets)), y, **drawn, label=style.text(pen.label), gid=axes_level.gid(axes, "ranks", place))
    n = len(pens)
    axes.yaxis.set_major_locator(FixedLocator([1, *range(5, n + 1, 5)] if n > 8 else list(range(1, n + 1))))
    axes.yaxis.set_minor_locator(NullLocator())
    shown = ["\n".join(style.text(word) for word in short[words[name]].split(" ")) for name in sets]
    for place, name in enumerate(sets[1:], 1):
        if pd.notna(tau.get(name)):
            shown[place] += f"\nτ = {display.number(tau[name], 2)}"
    axes.set_xticks(range(len(sets)), shown, linespacing=0.95)
    axes.set(xlim=(-0.3, len(sets) - 0.7), ylim=(n + 0.5, 0.5), ylabel=_PLACE)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data = sheet.rows
    row = data.iloc[0]
    chosen = [
        f"{name.replace('_', ' ')} ({captions.span_of(own, 'n_targets', 'target')}, {captions.span_of(own, 'n_pairs', 'pair')})"
        for name, own in ((name, frames.rows_of(data, {"target_set": name})) for name in sheet.shared["sets"])
    ]
    return [
        f"Places of {display.plural(data['algorithm'].nunique(), 'algorithm')} by the area under their ECDF, from "
        f"{display.target(row['x_from'])} to {display.target(row['x_to'])} {row['x_unit']}, for "
        f"{display.plural(len(chosen), 'set')} of targets, in {display.plural(len(sheet.parts), 'panel')}: "
        f"{display.listed(chosen)} of problem and target. τ: Kendall's tau-b with the first set. Per set: "
        f"{captions.trials_of(data)}."
    ]
