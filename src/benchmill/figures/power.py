"""The chance that larger studies decide, a panel for each open pair (`benchmill plan --figure`)."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator, PercentFormatter

from benchmill.figures import panels, style
from benchmill.text import display
from benchmill.text.appearance import COLOURS

#: Pairs that are drawn: those that come nearest to the chance that is wanted.
MOST = 8


def draw(curve: pd.DataFrame, wanted: float) -> Figure:
    """Draw the chance to decide each open pair over the number of clusters (`benchmill.workflow.enlarging.Outlook`).

    Solid: the effect is the lower end of its 50 % interval; dashed: it is as seen.
    """
    nearest = curve.groupby(["algorithm_a", "algorithm_b"], sort=False)["power_cautious"].max().nlargest(MOST).index
    pairs = [key for key in curve.groupby(["algorithm_a", "algorithm_b"], sort=False).groups if key in nearest]
    runs = sorted(curve["runs"].unique())
    colours = {number: COLOURS[place % len(COLOURS)] for place, number in enumerate(runs)}
    with style.rc({}):
        rows, columns = panels.arrangement(len(pairs), {}, 2)
        figure = style.new_figure({}, wide=columns > 1, height=0.4 + 1.75 * rows)
        grid = panels.spread(figure, len(pairs), (rows, columns), sharey=True)
        for axes, pair in zip(grid, pairs, strict=True):
            own = curve[(curve["algorithm_a"] == pair[0]) & (curve["algorithm_b"] == pair[1])]
            _panel(axes, own, colours, wanted)
            names = display.short_names(pair, 16)
            axes.set_title(style.text(f"{names[pair[0]]} and {names[pair[1]]}"), loc="left", pad=22 if _priced(own) else 4)
        for axes in grid[-columns:]:
            axes.set_xlabel("clusters of problems")
        figure.supylabel("chance to decide", fontsize=style.points({}))
        handles = [line for line in grid[0].get_lines() if not str(line.get_label()).startswith("_")]
        figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 4))
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[int, str], wanted: float) -> None:
    axes.axhline(wanted, color="0.5", lw=0.8, linestyle=(0, (1, 2)), zorder=1)
    for place, number in enumerate(colours):
        own = rows[rows["runs"] == number].sort_values("clusters")
        words = f", {display.plural(int(number), 'run')}" if len(colours) > 1 else ""
        kept: dict[str, Any] = {"color": colours[number], "zorder": 3}
        dots: dict[str, Any] = {"marker": "o", "markersize": 3, "gid": f"cautious-{place}"}
        axes.plot(own["clusters"], own["power_cautious"], label=f"cautious{words}", **dots, **kept)
        axes.plot(own["clusters"], own["power_as_seen"], linestyle=(0, (4, 2)), lw=0.8, label=f"as seen{words}", **kept)
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    if _priced(rows):
        fewest = rows[rows["runs"] == rows["runs"].min()].sort_values("clusters")
        places = fewest.iloc[[0, -1]]
        above = axes.secondary_xaxis("top")
        above.xaxis.set_major_locator(FixedLocator(places["clusters"].to_list()))
        above.xaxis.set_minor_locator(NullLocator())
        at = f", {display.plural(int(fewest['runs'].iloc[0]), 'run')}" if len(colours) > 1 else ""
        above.set_xticklabels([f"+{display.number(value)} evaluations{at}" for value in places["more_evaluations"]])
        above.get_xticklabels()[0].set_horizontalalignment("left")
        above.get_xticklabels()[-1].set_horizontalalignment("right")


def _priced(rows: pd.DataFrame) -> bool:
    return bool(rows["more_evaluations"].notna().all())
