"""Areas under the ECDF curves as bars: one number per algorithm and curve, with the share that is solved in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator

from benchmill.figures import axes_level, frames, grid, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

_PANEL = ["suite", "group", "problem", "dimension", "target"]
_MOST_PANELS = 12
_AREA = "area under the ECDF over log evaluations; line: share solved"
#: What a study can set.
Options = options.joined(options.Aggregation, options.Paged, options.Asked)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per curve (dimension, group) with one bar per algorithm: the mean height of the curve over log x.

    A short line marks where the curve ends: the share solved. The algorithms stand in one order in all panels, by the mean over
    the panels.
    """
    data, groups, _ = _rows(tables, settings)
    drawn = pd.concat([frames.rows_of(data, group) for group in groups])
    order = _order(drawn)
    looks = panels.highlighted(panels.looks(data, tables, settings), order, settings)
    with style.rc(settings):
        figure, axes = bar_page(len(groups), looks, settings)
        for one, group in zip(axes, groups, strict=True):
            plot(frames.rows_of(data, group), order=order, palette=looks, ax=one)
            one.set_xlabel("")
            one.set_title(style.text(panels.name_of(group, settings)), loc="left", pad=2)
        figure.supxlabel(_AREA, fontsize=style.points(settings))
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    order: Sequence[str] | None = None,
    palette: Any = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the areas under the curves of one panel as bars.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ecdf_curves` of one panel: `algorithm`, `area_log`, `solved`.
    order : sequence of str, optional
        The algorithms, from the top; by default all, the largest area first.
    """
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    names = _order(data) if order is None else list(order)
    own = data.set_index("algorithm")[["area_log", "solved"]].astype(float).reindex(names)
    number = axes_level.number(axes)
    shown = {name: looks[name] for name in names}
    bars(axes, shown, own["area_log"].to_numpy(), f"bars-{number}", own["solved"].to_numpy())
    for place, solved in enumerate(own["solved"]):
        if np.isfinite(solved):
            axes.vlines(solved, place - 0.38, place + 0.38, color="0.25", lw=0.9, gid=f"end-{number}-{place}")
    axes.set_xlabel(_AREA)
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say between which limits the areas are taken, over which targets, and on how many problems and trials they rest."""
    data, groups, shown = _rows(tables, settings)
    row = data.iloc[0]
    restarts = f" Restarts are simulated ({display.plural(row['restarts'], 'run')} for each failure)." if row["restarts"] else ""
    ends = [display.target(value) for value in dict.fromkeys((row["target_largest"], row["target_smallest"]))]
    targets = f"{display.plural(row['n_targets'], 'target')}, {' to '.join(ends)}"
    return (
        f"Area under the ECDF of running times of {display.plural(data['algorithm'].nunique(), 'algorithm')} in "
        f"{display.plural(len(groups), 'panel')}{shown}, from {display.target(row['x_from'])} to {display.target(row['x_to'])} "
        f"{row['x_unit']}, over {targets}; 1 is best. Small line: the share of (problem, target) pairs solved in "
        f"the end. Per curve: {span(data, 'n_problems', 'problem')} and {span(data, 'n_trials', 'trial')} of "
        f"{span(data, 'n_instances', 'instance')}, {missing(data)}.{restarts}"
    )


def bar_page(n: int, looks: Mapping[str, Look], settings: Mapping[str, Any]) -> tuple[Figure, list[Axes]]:
    """A figure for `n` panels of horizontal bars over [0, 1], names on the left."""
    width = style.width_of(settings)
    rows, columns = panels.arrangement(n, settings, 4 if width > 5 else 2)
    figure = style.new_figure(settings, wide=columns > 1, height=0.45 + rows * (0.15 * len(looks) + 0.35))
    axes = panels.spread(figure, n, (rows, columns), sharex=True, sharey=True)
    # also those that are set off: the axes of all panels are one
    for one in figure.axes:
        style.name_rows(one, list(looks.values()))
    return figure, axes


def bars(axes: Axes, looks: Mapping[str, Look], values: Sequence[float], name: str, lines: Sequence[float] = ()) -> None:
    """One bar per algorithm, from the top, with its value; nothing where it has none (NaN).

    The value stands at the end of the bar, or behind the line at the place in `lines` where it would be written over that.
    """
    size = float(axes.title.get_fontsize())
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    axes.xaxis.set_major_formatter(FixedFormatter(["0", "", "0.5", "", "1"]))
    style.name_rows(axes, list(looks.values()))
    room = 2.1 * size / (72 * axes.bbox.width / axes.figure.dpi)
    for place, (look, value) in enumerate(zip(looks.values(), values, strict=True)):
        if np.isfinite(value):
            axes.barh(place, value, 0.62, gid=f"{name}-{place}", **style.bar_style(look))
            line = lines[place] if len(lines) else np.nan
            axes.annotate(
                f"{value:.2f}",
                (line if value < line < value + room else value, place),
                (2, 0),
                textcoords="offset points",
                va="center",
                fontsize=size,
                zorder=5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.7},
            )


def span(data: pd.DataFrame, column: str, word: str) -> str:
    """A count that may differ between rows, in words: `24 problems`, `5 to 24 problems`."""
    low, high = int(data[column].min()), int(data[column].max())
    return display.plural(high, word) if low == high else f"{display.count(low)} to {display.plural(high, word)}"


def missing(data: pd.DataFrame) -> str:
    """The most missing trials behind any row, in words."""
    most = int(data["n_missing"].max())
    return f"with up to {display.count(most)} missing" if most else "none missing"


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, list[dict[str, Any]], str]:
    data = panels.some(tables["ecdf_curves"], "areas", "curves")
    return data, *grid.chosen(data, _PANEL, _MOST_PANELS, settings)


def _order(data: pd.DataFrame) -> list[str]:
    """Algorithms by the mean of their areas over all panels, the largest first."""
    means = data.groupby("algorithm", observed=True)["area_log"].mean()
    return grid.order_of({name: float(means[name]) for name in frames.algorithms(data)})
