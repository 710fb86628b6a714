"""Cactus plots: the time within which a solver solves so many instances, each on its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, captions, panels, runs, style
from benchmill.text import measures
from benchmill.text.appearance import Look

Options = runs.Options
beside = runs.beside


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the times of the instances that each solver solves, sorted; a curve that ends further right solves more."""
    data = runs.rows_of(tables, settings, "cactus")
    looks = runs.looks(data, list(runs.shares(data).index), tables, settings)
    with style.rc(settings):
        shown = sum(not look.faded for look in looks.values())
        wide = shown > 8
        width = style.width_of(settings, wide)
        legend = panels.legend_height(shown + 1, looks.values(), width, settings)
        figure = style.new_figure(settings, wide=wide, height=(2.7 if width > 5 else 2.3) + legend)
        unit = measures.with_unit(settings["measures"][0])
        plot(data, palette=looks, scale=settings.get("scale", "auto"), unit=unit, ax=figure.subplots())
        panels.legend_below(figure, looks, settings)
    return figure


@runs.drawing
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], scale: str = "auto", unit: str = "time") -> None:
    """Draw the sorted times of each solver as steps over the number of instances.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `solver_runs` of one measure: `algorithm`, `role`, `cost`, `limit`, `outcome`, `weight`, `included`.
    scale : {"auto", "linear", "log"}
        The axis of the times.
    """
    solved = data[data["outcome"] == "solved"]
    low = runs.time_axis(axes, solved["cost"], runs.limits(data), scale)
    order = list(runs.shares(data).index)
    for place, name in enumerate(order):
        own = solved[solved["algorithm"] == name].sort_values("cost", kind="stable")
        times, many = np.maximum(own["cost"].to_numpy(float), low), np.cumsum(own["weight"].to_numpy(float))
        first = times[:1] if times.size else np.nan
        axes_level.step(axes, np.append(0.0, many), np.append(first, times), looks[name], place, drawstyle="steps-pre")
        if not looks[name].faded:
            at = runs.marks(times.size, place, len(order))
            axes.plot(many[at], times[at], linestyle="none", **axes_level.marker(looks[name], 3.4))
    runs.draw_limits(axes, data)
    axes.set_xlim(0, max(float(runs.shares(data).max()) * 1.03, 1.0))
    axes.set(xlabel="instances solved", ylabel=unit)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data = runs.rows_of(tables, settings, "cactus")
    found = runs.shares(data)
    looks = runs.looks(data, list(found.index), tables, settings)
    return captions.joined(
        f"Cactus plot of {runs.which(data, settings)}: at (n, t) a solver has solved n instances in at most t each; "
        "lower right is better.",
        runs.seed_words(data),
        runs.limit_words(data),
        runs.best_words(data),
        panels.highlight_words(looks, settings),
    )
