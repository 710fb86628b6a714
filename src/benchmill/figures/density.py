"""Densities of running times or values, one below the other: one panel per problem, one ridge per algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look
from benchmill.text.measures import called

_MOST_PANELS = 24
#: What a study can set.
Options = options.joined(options.Dimension, options.Target, options.Paged, options.OfMeasures)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the densities for one target (or budget) and dimension, of equal height, with the share of trials of finite cost."""
    data, _, _ = _rows(tables, settings)
    looks = panels.looks(tables["densities"], tables, settings)
    every = set(frames.rows_of(tables["densities"], {"measure": settings["measure"]["name"]})["algorithm"])
    looks = panels.highlighted(looks, [n for n in looks if n in every], settings)
    parts, _ = panels.chosen(data, panels.PROBLEM, _MOST_PANELS, settings)
    with style.rc(settings):
        columns, tall = 4 if style.width_of(settings) > 5 else 2, max(0.9, 0.14 * len(looks) + 0.4)
        figure, axes = panels.sheet(len(parts), settings, columns, rest=0.5, row=tall, wide=True, sharey=True)
        panels.fill(axes, parts, settings, partial(plot, order=list(looks), palette=looks))
        figure.supxlabel(style.text(_axis_label(data)), fontsize=style.points(settings))
    return figure


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], order: Sequence[str] | None = None) -> None:
    """Draw the densities on one problem, one below the other.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `densities` of one problem, dimension, and target or budget.
    """
    names = list(dict.fromkeys(data["algorithm"].sort_values())) if order is None else list(order)
    for place, name in enumerate(names):
        own = data[data["algorithm"] == name]
        if len(own):
            _ridge(axes, own, looks[name], len(names) - 1 - place, axes_level.gid(axes, "ridge", place))
    axes.set_ylim(-0.15, len(names) + 0.05)
    axes.set_yticks(np.arange(len(names))[::-1] + 0.2, [style.text(looks[name].label) for name in names])
    style.stress(axes.get_yticklabels(), looks.values())
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    log = bool(data["log"].iloc[0])
    # the whole figure, also where the axes are in a part of it; Matplotlib 3.9 has no get_figure(root=True)
    figure = axes.figure.figure
    # numbers of four digits beside each other take more than half a column
    half_column = figure.get_figwidth() < 5 and axes.get_position().width < 0.5
    axes.xaxis.set_major_locator(MaxNLocator(nbins=2 if half_column else 3, integer=log))
    if log:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"$10^{{{v:g}}}$"))
    # kernels reach below zero where no running time can be
    elif data["target"].notna().any() and data["left"].min() < 0:
        axes.set_xlim(left=0.0)
    axes.set_xlabel(_axis_label(data))


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, where, others = _rows(tables, settings)
    parts, of = panels.chosen(data, panels.PROBLEM, _MOST_PANELS, settings)
    kinds = set(data["kind"])
    made = {
        "kde": "Gaussian kernel estimates (bandwidth nrd0)",
        "histogram": "histograms",
        "mass": "single values with their probability" + (" where all are equal" if len(kinds) > 1 else ""),
    }
    trials = frames.only(data, "n_trials")
    counted = display.plural(trials[-1], "trial") if len(trials) == 1 else f"{trials[0]} to {display.plural(trials[-1], 'trial')}"
    log = ", of the decimal logarithm" if data["log"].iloc[0] else ""
    return captions.joined(
        f"Densities of the {_axis_label(data)}{where} on {display.plural(len(parts), 'problem')}{of}"
        " (measure "
        f"{called(settings['measure'])}): "
        f"{display.listed([made[k] for k in ('kde', 'histogram', 'mass') if k in kinds])}{log}.",
        f"Numbers: the share of trials with a finite cost, of {counted} per ridge.",
        panels.left_out(others, "target" if data["at_budget"].isna().any() else "budget"),
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, str, list[Any]]:
    name = settings["measure"]["name"]
    data = panels.some(frames.rows_of(tables["densities"], {"measure": name}), "density", f"measure {name!r} with a finite cost")
    data, dimension, _ = panels.one_of(data, "dimension", settings.get("dimension"))
    where = f" in dimension {dimension}" if dimension is not None else ""
    if data["target"].notna().any():
        n = len(frames.groups(data, ["target"]))
        data, target, others = panels.one_of(data, "target", settings.get("target"), which=(n - 1) // 2)
        return data, f" to the target {display.target(target)}{where}", others
    data, budget, others = panels.one_of(data, "at_budget", settings.get("at_budget"))
    return data, f"{f' at the budget {display.target(budget)}' if budget is not None else ''}{where}", others


def _axis_label(data: pd.DataFrame) -> str:
    if data["target"].notna().any():
        return "running time (evaluations)"
    return "value" if data["at_budget"].notna().any() else "cost"


def _ridge(axes: Axes, rows: pd.DataFrame, look: Look, base: float, gid: str) -> None:
    left, right, height = (rows[column].to_numpy() for column in ("left", "right", "height"))
    kind, scale = rows["kind"].iloc[0], 0.85 / float(height.max())
    colour: dict[str, Any] = {"color": look.colour, "gid": gid}
    if kind == "kde":
        axes.fill_between(left, base, base + scale * height, alpha=0.3, lw=0, color=look.colour, zorder=2)
        axes.plot(left, base + scale * height, lw=0.8, zorder=3, **colour)
    elif kind == "histogram":
        axes.bar(left, scale * height, right - left, bottom=base, align="edge", alpha=0.5, lw=0, color=look.colour, zorder=2)
        edges = np.append(left, right[-1:])
        axes.stairs(base + scale * height, edges, baseline=base, lw=0.8, zorder=3, **colour)
    else:
        axes.vlines(left, base, base + scale * height, lw=1.6, zorder=3, **colour)
    share = rows["n_successes"].iloc[0] / rows["n_trials"].iloc[0]
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "bottom", "fontsize": axes.title.get_fontsize()}
    axes.annotate(f"{share:.2f}", (1.01, base), color="0.35", annotation_clip=False, **place)
