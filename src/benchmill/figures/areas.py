"""Areas under the ECDF curves as bars: one number per algorithm and curve, with the share that is solved in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator

from benchmill.figures import axes_level, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

_PANEL = ["suite", "group", "problem", "dimension", "target"]
_MOST_PANELS = 12
_AREA = "area under the ECDF over log evaluations; line: share solved"
#: What a study can set.
Options = options.joined(options.Aggregation, options.Paged, options.Asked)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per curve with one bar per algorithm: the mean height of the curve over log x."""
    data, parts, _ = _rows(tables, settings)
    order = _order(pd.concat([rows for _, rows in parts]))
    return bars_of(parts, panels.looks(data, tables, settings, order), settings, plot, _AREA)


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], order: Sequence[str] | None = None) -> None:
    """Draw the areas under the curves of one panel as bars.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ecdf_curves` of one panel: `algorithm`, `area_log`, `solved`.
    """
    names = _order(data) if order is None else list(order)
    own = data.set_index("algorithm")[["area_log", "solved"]].astype(float).reindex(names)
    bars(axes, {name: looks[name] for name in names}, own["area_log"].to_numpy(), own["solved"].to_numpy())
    for place, solved in enumerate(own["solved"]):
        if np.isfinite(solved):
            axes.vlines(solved, place - 0.38, place + 0.38, color="0.25", lw=0.9, gid=axes_level.gid(axes, "end", place))
    axes.set_xlabel(_AREA)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, parts, shown = _rows(tables, settings)
    row = data.iloc[0]
    restarts = f" Restarts are simulated ({display.plural(row['restarts'], 'run')} for each failure)." if row["restarts"] else ""
    ends = [display.target(value) for value in dict.fromkeys((row["target_largest"], row["target_smallest"]))]
    targets = f"{display.plural(row['n_targets'], 'target')}, {' to '.join(ends)}"
    return (
        f"Area under the ECDF of running times of {display.plural(data['algorithm'].nunique(), 'algorithm')} in "
        f"{display.plural(len(parts), 'panel')}{shown}, from {display.target(row['x_from'])} to {display.target(row['x_to'])} "
        f"{row['x_unit']}, over {targets}; 1 is best. Small line: the share of (problem, target) pairs solved in "
        f"the end. Per curve: {span(data, 'n_problems', 'problem')} and {span(data, 'n_trials', 'trial')} of "
        f"{span(data, 'n_instances', 'instance')}, {missing(data)}.{restarts}"
    )


def bars_of(parts: panels.Parts, looks: Mapping[str, Look], settings: Mapping[str, Any], draw: Any, label: str) -> Figure:
    """Draw panels of horizontal bars over [0, 1], names on the left."""
    with style.rc(settings):
        columns = 4 if style.width_of(settings) > 5 else 2
        tall = 0.15 * len(looks) + 0.35
        figure, axes = panels.sheet(len(parts), settings, columns, rest=0.45, row=tall, sharex=True, sharey=True)
        # also those that are set off: the axes of all panels are one
        for one in figure.axes:
            style.name_rows(one, list(looks.values()))
        panels.fill(axes, parts, settings, partial(draw, order=list(looks), palette=looks))
        figure.supxlabel(label, fontsize=style.points(settings))
    return figure


def bars(axes: Axes, looks: Mapping[str, Look], values: Sequence[float], lines: Sequence[float] = ()) -> None:
    """Draw one bar per algorithm, from the top, with its value at the end, or behind its line where both would meet."""
    size = float(axes.title.get_fontsize())
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    axes.xaxis.set_major_formatter(FixedFormatter(["0", "", "0.5", "", "1"]))
    style.name_rows(axes, list(looks.values()))
    room = 2.1 * size / (72 * axes.bbox.width / axes.figure.dpi)
    written: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": size, "zorder": 5}
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.7}
    for place, (look, value) in enumerate(zip(looks.values(), values, strict=True)):
        if np.isfinite(value):
            axes.barh(place, value, 0.62, gid=axes_level.gid(axes, "bars", place), **style.bar_style(look))
            line = lines[place] if len(lines) else np.nan
            end = line if value < line < value + room else value
            axes.annotate(f"{value:.2f}", (end, place), (2, 0), bbox=behind, **written)


def span(data: pd.DataFrame, column: str, word: str) -> str:
    """Return `24 problems`, or `5 to 24 problems`."""
    low, high = int(data[column].min()), int(data[column].max())
    return display.plural(high, word) if low == high else f"{display.count(low)} to {display.plural(high, word)}"


def missing(data: pd.DataFrame) -> str:
    """Return the most missing trials behind any row, in words."""
    most = int(data["n_missing"].max())
    return f"with up to {display.count(most)} missing" if most else "none missing"


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, panels.Parts, str]:
    data = panels.some(tables["ecdf_curves"], "areas", "curves")
    return data, *panels.chosen(data, _PANEL, _MOST_PANELS, settings)


def _order(data: pd.DataFrame) -> list[str]:
    means = data.groupby("algorithm", observed=True)["area_log"].mean()
    return panels.order_of({name: float(means[name]) for name in frames.algorithms(data)})
