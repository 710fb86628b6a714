"""Kaplan and Meier's curves: the share unsolved after a time, a panel for each suite, dimension and target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, frames, grid, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

_PANEL = ["suite", "dimension", "target"]
_MOST_PANELS = 12
#: What a study can set.
Options = options.OfMeasures


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one curve per algorithm up to the horizon, with the interval of each time alone as a band."""
    data = _rows(tables, settings)
    looks = _looks(data, tables, settings)
    every = frames.groups(data, _PANEL)
    shown = grid.sample(every, _MOST_PANELS)
    unit = measures.with_unit(settings["measure"])
    with style.rc(settings):
        rows, columns = panels.arrangement(len(shown), settings, 3)
        legend = panels.legend_height(len(looks), looks.values(), style.width_of(settings), settings)
        figure = style.new_figure(settings, wide=True, height=legend + (2.6 if len(shown) == 1 else 0.3 + 1.7 * rows))
        axes = panels.spread(figure, len(shown), (rows, columns), sharey=True)
        for one, panel in zip(axes, shown, strict=True):
            plot(frames.rows_of(data, panel), palette=looks, unit="", ax=one)
            one.set_ylabel("")
            one.set_title(style.text(panels.name_of(panel, settings)), loc="left", pad=2)
        figure.supylabel("share unsolved", fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings, unit)
    return figure


def _looks(data: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    """The looks of the algorithms, who leaves least unsolved first."""
    order = data.groupby("algorithm", observed=True, sort=False)["unsolved"].min().sort_values(kind="stable").index
    return panels.highlighted(panels.looks(data, tables, settings), list(order), settings)


@axes_level.documented
def plot(data: pd.DataFrame, *, palette: Any = None, unit: str = "time", ax: Axes | None = None, **facet: Any) -> Axes:
    """Draw the share unsolved over a logarithmic axis of times, as steps.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `kaplan_meier` of one panel: `algorithm`, `x`, `unsolved`, `low`, `high`.
    unit : str
        What the axis is called.
    """
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    banded = panels.banded(looks)
    positive = data.loc[data["x"] > 0, "x"]
    start = float(positive.min()) / 1.3 if len(positive) else 1.0
    for place, (name, own) in enumerate(data.groupby("algorithm", sort=False, observed=True)):
        own, look = own.sort_values("x"), looks[name]
        x, y = np.maximum(own["x"].to_numpy(float), start), own["unsolved"].to_numpy(float)
        if own["low"].notna().all() and name in banded:
            axes.fill_between(x, own["low"], own["high"], step="post", color=look.colour, alpha=0.14, lw=0)
        gid = f"curve-{axes_level.number(axes)}-{place}"
        axes.plot(x, y, drawstyle="steps-post", label=style.text(look.label), gid=gid, **style.line_style(look))
        if not look.faded and x.size > 1:
            at = np.unique(np.linspace(1, x.size - 1, 3).astype(int))
            axes.plot(x[at], y[at], linestyle="none", **axes_level.marker(look, 3.2))
    axes.set_xscale("log")
    axes.set_ylim(-0.015, 1.03)
    axes.set(xlabel=unit, ylabel="share unsolved")
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a curve is, how far it goes, and how many runs were stopped."""
    data = _rows(tables, settings)
    means = frames.rows_of(tables["restricted_means"], {"measure": settings["measure"]["name"]})
    every, banded = frames.groups(data, _PANEL), panels.banded(_looks(data, tables, settings))
    level, stopped = f"{100 * means['level'].iloc[0]:g}", int(means["n_stopped"].sum())
    halted = display.plural(stopped, "run was", "runs were") if stopped else "No run was"
    bands = (
        f" Bands: {level} % intervals over clusters of problems, at each time alone."
        if banded and data["low"].notna().any()
        else ""
    )
    lost = int(means.groupby(_PANEL, dropna=False, observed=True)["n_left_out"].max().sum())
    drawn = f" Panels shown: {_MOST_PANELS} of {display.count(len(every))} (evenly chosen)." if len(every) > _MOST_PANELS else ""
    without = f" Left out: {display.plural(lost, 'problem')} on which an algorithm has no run." if lost else ""
    return (
        f"Share unsolved over the {measures.called(settings['measure'])}, by Kaplan and Meier: mean of the curves of all "
        f"problems, up to the horizon. {halted} stopped earlier without success."
        f"{bands}{without}{drawn}"
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pd.DataFrame:
    name = settings["measure"]["name"]
    data = frames.rows_of(tables["kaplan_meier"], {"measure": name})
    return panels.some(data, "kaplan_meier", f"measure {name!r}")
