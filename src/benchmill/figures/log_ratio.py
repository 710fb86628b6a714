"""Sorted log ratios of the costs of two algorithms: on how many problems, and by which factor, one is faster."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from benchmill.figures import axes_level, options, panels, scatter, style
from benchmill.figures.sheet import Sheet
from benchmill.text import display, measures
from benchmill.text.appearance import Pen

#: What a study can set.
Options = options.OfProfiles


def select(sheet: Sheet) -> None:
    """Take a panel per dimension and target of the variant."""
    names = [variant["name"] for variant in sheet.settings["profiles"]]
    what = f"measure {sheet.measure['name']!r}, variant {display.listed(names, 'or')!r}"
    # the positions of the table start anew in each part of the variant
    keys = [key for key in sheet.kind.panel if key in (sheet.settings["profiles"][0].get("by") or [])]
    sheet.take(sheet.table(what=what, variant=names[0]), keys)
    both = [sheet.rows["algorithm_a"].iloc[0], sheet.rows["algorithm_b"].iloc[0]]
    sheet.order(both, **{} if isinstance(sheet.settings.get("highlight"), list | tuple) else {"highlight": None}, others="named")
    sheet.shared = {"most": _most(sheet.rows)}


def draw(sheet: Sheet) -> Figure:
    """Draw a bar for each problem, sorted (Morales 2002).

    Below 0 the first algorithm is faster; bars into the grey rim are problems that one solves alone.
    """
    settings, n = sheet.settings, len(sheet.parts)
    with style.rc(settings):
        shape = panels.arrangement(n, settings)
        tall = max(1.5, style.width_of(settings, n > 1) / shape[1] * 0.55)
        figure = style.new_figure(settings, wide=n > 1, height=0.6 + shape[0] * tall)
        grid = panels.spread(figure, n, shape, sharey=True)
        for i, (axes, (group, mine)) in enumerate(zip(grid, sheet.parts, strict=True)):
            plot(mine, palette=sheet.pens, ax=axes, **sheet.shared)
            axes.set_title(style.text(sheet.heading(group)), loc="left")
            if i % shape[1]:
                axes.set_ylabel("")
        handles = [Patch(color=pen.colour, label=_better(pen)) for pen in sheet.pens.values()]
        longest = max(len(pen.label) for pen in sheet.pens.values())
        legend = figure.legend(handles=handles, loc="outside lower center", ncols=1 if longest > 16 and n == 1 else 2)
        for shown, pen in zip(legend.get_texts(), sheet.pens.values(), strict=True):
            shown.set_fontweight(style.weight(pen))
    return figure


@axes_level.drawing(of_pairs=True)
def plot(axes: Axes, data: pd.DataFrame, pens: dict[str, Pen], most: float | None = None) -> None:
    """Draw a bar for each problem, sorted.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `log_ratios` of one panel: `algorithm_a`, `algorithm_b`, `position`, `log2_ratio`.
    most : float, optional
        The largest finite logarithm of a ratio on the axis; by default that of the data.
    """
    a, b = data[["algorithm_a", "algorithm_b"]].iloc[0]
    most = _most(data) if most is None else most
    rim = most * 1.16
    y = data.sort_values("position")["log2_ratio"].to_numpy()
    x = np.arange(1, len(y) + 1)
    shown = np.isfinite(y) | np.isinf(y)
    heights = np.clip(y[shown], -rim, rim)
    wide = 1.0 if len(y) > 40 else 0.8
    colours = [pens[a if height < 0 else b].colour for height in heights]
    bars = axes.bar(x[shown], heights, width=wide, color=colours, linewidth=0, zorder=2)
    for name, side in ((a, heights < 0), (b, heights > 0)):
        for place in np.flatnonzero(side)[:1]:
            bars.patches[place].set_label(_better(pens[name]))
    ties = x[shown][heights == 0]
    axes.plot(ties, np.zeros(len(ties)), linestyle="none", marker="|", markersize=4, color="0.15", zorder=3)
    axes.axhline(0, color="0.3", lw=0.6, zorder=3)
    for low, high in ((most * 1.08, rim), (-rim, -most * 1.08)):
        axes.axhspan(low, high, color="0.94", lw=0, zorder=0)
    axes.set(ylim=(-rim, rim), xlim=(0.3, max(len(y), 2) + 0.7))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    step = max(1, math.ceil(most / 4))
    ticks = [float(t) for t in range(-int(most // step) * step, int(most // step) * step + 1, step)]
    axes.yaxis.set_major_locator(FixedLocator([-rim * 0.97, *ticks, rim * 0.97]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: _tick(v, most)))
    axes.grid(axis="x", visible=False)
    axes.set(xlabel="problems, sorted", ylabel=style.text(_axis_label(pens[a].label, pens[b].label)))


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    a, b = (pen.label for pen in sheet.pens.values())
    values = sheet.rows["log2_ratio"].to_numpy()
    found = {
        **{"a": values < 0, "b": values > 0, "equal": values == 0, "neither": np.isnan(values)},
        **{"only_a": values == -math.inf, "only_b": values == math.inf},
    }
    counts = scatter.sentence({key: int(where.sum()) for key, where in found.items()}, a, b)
    return [
        f"Cost of {a} over cost of {b} on each problem (and target), sorted, measure {measures.told(sheet.measure)}. "
        f"{counts} Grey rim: solved by one alone."
    ]


def _most(data: pd.DataFrame) -> float:
    values = data["log2_ratio"].to_numpy()
    return float(np.abs(values[np.isfinite(values)]).max(initial=1.0))


def _better(pen: Pen) -> str:
    return style.text(f"{pen.label} is better")


def _axis_label(a: str, b: str) -> str:
    return f"cost of {a} / cost of {b} (log)" if len(a) + len(b) <= 20 else "ratio of costs (log scale)"


def _tick(value: float, most: float) -> str:
    """Return a ratio for the axis; the rim is without bound."""
    if abs(value) > most * 1.05:
        return "∞" if value > 0 else "0"
    return display.target(2.0**value) if value >= 0 else f"1/{display.target(2.0**-value)}"
