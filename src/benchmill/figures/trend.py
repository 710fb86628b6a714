"""How a solver's cost changes from comparison to comparison (`benchmill compare --trend FILE --figure FILE`)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator

from benchmill.figures import style
from benchmill.text import display
from benchmill.text.appearance import COLOURS

#: Labels along the axis at most.
_MOST_LABELS = 12


def draw(points: pd.DataFrame) -> Figure:
    """Draw the level of every comparison with its interval, and of each part between changes."""
    place = np.arange(len(points))
    level, low, high = (points[name].to_numpy(float) for name in ("level", "low", "high"))
    with style.rc():
        figure = style.new_figure({}, wide=True, height=2.6)
        axes = figure.subplots()
        axes.axhline(1.0, color="0.6", lw=0.8, zorder=1)
        axes.vlines(place, low, high, color=COLOURS[0], lw=0.8, alpha=0.6, zorder=2)
        axes.plot(
            place, level, "o", markersize=3, color=COLOURS[0], label="comparison, with its interval over instances", zorder=3
        )
        for number, part in points.assign(place=place).groupby("part"):
            ends = [part["place"].iloc[0] - 0.5, part["place"].iloc[-1] + 0.5]
            axes.plot(
                ends,
                [part["part_level"].iloc[0]] * 2,
                color=COLOURS[1],
                lw=1.6,
                label="level between changes" if number == 0 else "_",
                zorder=4,
            )
            if number:
                axes.axvline(ends[0], color="0.4", lw=0.8, linestyle=(0, (2, 2)), zorder=1)
        axes.set_yscale("log", base=2)
        # powers of two are too far apart where little changes
        axes.yaxis.set_major_locator(MaxNLocator(5) if np.nanmax(high) < 4 * np.nanmin(low) else LogLocator(2))
        axes.yaxis.set_major_formatter(lambda value, _: display.number(value))
        axes.set_ylabel("cost relative to the first BASE")
        shown = np.unique(np.linspace(0, len(points) - 1, min(len(points), _MOST_LABELS)).round().astype(int))
        axes.xaxis.set_major_locator(FixedLocator(shown.tolist()))
        names = display.short_names(points["label"], 10)
        axes.set_xticklabels([style.text(names[points["label"].iloc[i]]) for i in shown], rotation=45, ha="right")
        figure.legend(loc="outside lower center", ncols=2)
    return figure
