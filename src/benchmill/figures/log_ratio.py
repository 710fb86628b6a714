"""Sorted log ratios of the costs of two algorithms: on how many problems, and by which factor, one is faster."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from benchmill.figures import axes_level, frames, options, panels, scatter, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

_GROUP = ["dimension", "target"]

#: What a study can set.
Options = options.OfProfiles


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per dimension and target of the variant: a bar for each problem, sorted (Morales 2002).

    Below 0 the first algorithm is faster; bars into the grey rim are problems that one solves alone.
    """
    data = _rows(tables, settings)
    # the positions of the table start anew in each part of the variant
    keys = [key for key in _GROUP if key in (settings["profiles"][0].get("by") or [])]
    parts = frames.parts(data, keys) if keys else [({}, data)]
    both = [data["algorithm_a"].iloc[0], data["algorithm_b"].iloc[0]]
    looks = panels.by_name(panels.looks(_named(data), tables, settings), settings)
    with style.rc(settings):
        figure, grid = panels.sheet(len(parts), settings, rest=0.6, row=lambda width: max(1.5, width * 0.55), sharey=True)
        columns = grid[0].get_gridspec().ncols  # type: ignore[union-attr]
        for i, (axes, (group, mine)) in enumerate(zip(grid, parts, strict=True)):
            plot(mine, most=_most(data), palette=looks, ax=axes)
            axes.set_title(style.text(panels.name_of(group, settings)), loc="left")
            if i % columns:
                axes.set_ylabel("")
        handles = [Patch(color=looks[name].colour, label=_better(looks[name])) for name in both]
        longest = max(len(looks[name].label) for name in both)
        legend = figure.legend(handles=handles, loc="outside lower center", ncols=1 if longest > 16 and len(parts) == 1 else 2)
        for shown, name in zip(legend.get_texts(), both, strict=True):
            shown.set_fontweight(style.weight(looks[name]))
    return figure


@axes_level.drawing(of_pairs=True)
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], most: float | None = None) -> None:
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
    colours = [looks[a if height < 0 else b].colour for height in heights]
    bars = axes.bar(x[shown], heights, width=wide, color=colours, linewidth=0, zorder=2)
    for name, side in ((a, heights < 0), (b, heights > 0)):
        for place in np.flatnonzero(side)[:1]:
            bars.patches[place].set_label(_better(looks[name]))
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
    axes.set(xlabel="problems, sorted", ylabel=style.text(_axis_label(looks[a].label, looks[b].label)))


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    measure = settings["measures"][0]
    data = _rows(tables, settings)
    looks = panels.looks(_named(data), tables, settings)
    a, b = (looks[data[column].iloc[0]].label for column in ("algorithm_a", "algorithm_b"))
    values = data["log2_ratio"].to_numpy()
    found = {
        **{"a": values < 0, "b": values > 0, "equal": values == 0, "neither": np.isnan(values)},
        **{"only_a": values == -math.inf, "only_b": values == math.inf},
    }
    counts = scatter.sentence({key: int(where.sum()) for key, where in found.items()}, a, b)
    return (
        f"Cost of {a} over cost of {b} on each problem (and target), sorted, measure {measures.told(measure)}. "
        f"{counts} Grey rim: solved by one alone."
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pd.DataFrame:
    measure = settings["measures"][0]["name"]
    variants = [variant["name"] for variant in settings["profiles"]]
    rows = frames.rows_of(tables["log_ratios"], {"measure": measure})
    rows = frames.rows_of(rows, {"variant": variants[0]}) if variants else rows
    return panels.some(rows, "log_ratio", f"measure {measure!r}, variant {display.listed(variants, 'or')!r}")


def _most(data: pd.DataFrame) -> float:
    values = data["log2_ratio"].to_numpy()
    return float(np.abs(values[np.isfinite(values)]).max(initial=1.0))


def _better(look: Look) -> str:
    return style.text(f"{look.label} is better")


def _axis_label(a: str, b: str) -> str:
    return f"cost of {a} / cost of {b} (log₂)" if len(a) + len(b) <= 20 else "ratio of costs (log₂ scale)"


def _named(data: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"algorithm": [*data["algorithm_a"].unique(), *data["algorithm_b"].unique()]})


def _tick(value: float, most: float) -> str:
    """Return a ratio for the axis; the rim is without bound."""
    if abs(value) > most * 1.05:
        return "∞" if value > 0 else "0"
    return display.target(2.0**value) if value >= 0 else f"1/{display.target(2.0**-value)}"
