"""How a solver's cost changes from comparison to comparison (`benchmill compare --trend FILE --figure FILE`)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator

from benchmill.exhibits.figures import style
from benchmill.text import display
from benchmill.text.appearance import COLOURS, USUAL

#: Labels along the axis at most, and characters of each.
_MOST_LABELS, _ROOM = 12, 16


def draw(points: pd.DataFrame) -> Figure:
    """Draw the level of every comparison with its interval, and of each part between changes; below it that of each class."""
    labels = points.loc[points["class"] == "", "label"]
    # the first digits of a commit say which it is
    short = labels.str.replace("^([0-9a-f]{8})[0-9a-f]{1,32}$", r"\1", regex=True)
    points = points.assign(place=points["label"].map(labels.tolist().index))
    n = points["class"].nunique()
    with style.rc(USUAL):
        figure = style.new_figure(USUAL, wide=True, height=1.1 + 1.5 * n)
        grid = figure.subplots(n, sharex=True, squeeze=False)[:, 0]
        for axes, (name, course) in zip(grid, points.groupby("class", sort=False), strict=True):
            axes.axhline(1.0, color="0.6", lw=0.8, zorder=1)
            axes.vlines(course["place"], course["low"], course["high"], color=COLOURS[0], lw=0.8, alpha=0.6, zorder=2)
            axes.plot(
                course["place"],
                course["level"],
                "o",
                markersize=3,
                color=COLOURS[0],
                label="comparison, with its interval over instances",
                zorder=3,
            )
            for number, part in course.groupby("part"):
                ends = [part["place"].iloc[0] - 0.5, part["place"].iloc[-1] + 0.5]
                axes.plot(
                    ends,
                    [part["part_level"].iloc[0]] * 2,
                    color=COLOURS[1],
                    lw=1.6,
                    label="_" if number else "level between changes",
                    zorder=4,
                )
                if number:
                    axes.axvline(ends[0], color="0.4", lw=0.8, linestyle=(0, (2, 2)), zorder=1)
            axes.set_title(style.text(f"class {name}" if name else "all instances") * (n > 1), loc="left", pad=2)
            axes.set_yscale("log", base=2)
            # powers of two are too far apart where little changes
            axes.yaxis.set_major_locator(
                MaxNLocator(5 if n == 1 else 3) if course["high"].max() < 4 * course["low"].min() else LogLocator(2)
            )
            axes.yaxis.set_major_formatter(lambda value, _: display.number(value))
        figure.supylabel("cost relative to the first BASE", fontsize=style.TYPE)
        shown = np.unique(np.linspace(0, len(labels) - 1, min(len(labels), _MOST_LABELS)).round().astype(int))
        axes.set_xticks(shown, short.map(display.short_names(short, _ROOM)).map(style.text).iloc[shown], rotation=45, ha="right")
        figure.legend(handles=axes.get_legend_handles_labels()[0], loc="outside lower center", ncols=2)
    return figure
