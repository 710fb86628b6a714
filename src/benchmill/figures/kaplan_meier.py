"""Kaplan and Meier's curves: the share unsolved after a time, a panel for each suite, dimension and target."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, frames, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

_PANEL = ["suite", "dimension", "target"]
_MOST_PANELS = 12
#: What a study can set.
Options = options.OfMeasures


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one curve per algorithm up to the horizon, with an interval as a band."""
    data, looks = _rows(tables, settings)
    parts = panels.sample(frames.parts(data, _PANEL), _MOST_PANELS)
    rest, tall = (0.0, 2.6) if len(parts) == 1 else (0.3, 1.7)
    with style.rc(settings):
        figure, axes = panels.sheet(len(parts), settings, 3, rest=rest, row=tall, wide=True, legend=looks, sharey=True)
        panels.fill(axes, parts, settings, partial(plot, palette=looks))
        panels.legend_below(figure, looks, settings, measures.with_unit(settings["measure"]), "share unsolved")
    return figure


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], unit: str = "time") -> None:
    """Draw the share unsolved over a logarithmic axis of times, as steps.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `kaplan_meier` of one panel: `algorithm`, `x`, `unsolved`, `low`, `high`.
    unit : str
        Label of the axis of times.
    """
    banded = panels.banded(looks)
    positive = data.loc[data["x"] > 0, "x"]
    start = float(positive.min()) / 1.3 if len(positive) else 1.0
    for place, (name, own) in enumerate(data.groupby("algorithm", sort=False, observed=True)):
        own, look = own.sort_values("x"), looks[name]
        x, y = np.maximum(own["x"].to_numpy(float), start), own["unsolved"].to_numpy(float)
        if own["low"].notna().all() and name in banded:
            axes.fill_between(x, own["low"], own["high"], step="post", color=look.colour, alpha=0.14, lw=0)
        axes_level.step(axes, x, y, look, place)
        if not look.faded and x.size > 1:
            at = np.unique(np.linspace(1, x.size - 1, 3).astype(int))
            axes.plot(x[at], y[at], linestyle="none", **axes_level.marker(look, 3.2))
    axes.set(xscale="log", ylim=(-0.015, 1.03), xlabel=unit, ylabel="share unsolved")


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, looks = _rows(tables, settings)
    means = frames.rows_of(tables["restricted_means"], {"measure": settings["measure"]["name"]})
    every, banded = frames.groups(data, _PANEL), panels.banded(looks)
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


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, dict[str, Look]]:
    data = panels.of_measure(tables, settings, "kaplan_meier", "kaplan_meier")
    order = data.groupby("algorithm", observed=True, sort=False)["unsolved"].min().sort_values(kind="stable").index
    return data, panels.looks(data, tables, settings, list(order))
