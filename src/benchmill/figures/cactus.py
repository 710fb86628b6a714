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

#: What a study can set.
Options = runs.Options

#: What the notebook adds to `plot`.
beside = runs.beside


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the times of the instances that each solver solves, sorted; a curve that ends further right solves more."""
    data = runs.rows_of(tables, settings, "cactus")
    looks = runs.looks(data, list(runs.shares(data).index), tables, settings)
    with style.rc(settings):
        shown = sum(not look.faded for look in looks.values())
        wide = shown > 8
        legend = panels.legend_height(shown + 1, looks.values(), style.width_of(settings, wide), settings)
        figure = style.new_figure(settings, wide=wide, height=(2.7 if style.width_of(settings, wide) > 5 else 2.3) + legend)
        unit = measures.with_unit(settings["measures"][0])
        plot(data, palette=looks, scale=settings.get("scale", "auto"), unit=unit, ax=figure.subplots())
        panels.legend_below(figure, list(looks.values()), settings)
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    palette: Any = None,
    scale: str = "auto",
    unit: str = "time",
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the sorted times of each solver as steps over the number of instances.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `solver_runs` of one measure: `algorithm`, `role`, `cost`, `limit`, `outcome`, `weight`, `included`.
    scale : {"auto", "linear", "log"}
        The axis of the times.
    unit : str
        What it is called.
    """
    axes, data, looks = runs.begun(data, palette, ax, facet)
    solved = data[data["outcome"] == "solved"]
    low = runs.time_axis(axes.yaxis, solved["cost"], runs.limits(data), scale)
    order = list(runs.shares(data).index)
    for place, name in enumerate(order):
        own = solved[solved["algorithm"] == name].sort_values("cost", kind="stable")
        times = np.maximum(own["cost"].to_numpy(float), low)
        many = np.cumsum(own["weight"].to_numpy(float))
        look, gid = looks[name], f"curve-{axes_level.number(axes)}-{place}"
        axes.plot(
            np.append(0.0, many),
            np.append(times[:1] if times.size else np.nan, times),
            drawstyle="steps-pre",
            label=style.text(look.label),
            gid=gid,
            **style.line_style(look),
        )
        if not look.faded:
            at = runs.marks(times.size, place, len(order))
            axes.plot(many[at], times[at], linestyle="none", **axes_level.marker(look, 3.4))
    runs.draw_limits(axes, data, across=True)
    axes.set_xlim(0, max(float(runs.shares(data).max()) * 1.03, 1.0))
    axes.set(xlabel="instances solved", ylabel=unit)
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a point is, and how many instances the solvers solve."""
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
