"""Heat map of the times of solver runs: solvers by instances, with how failures ended."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import axes_level, captions, frames, heat, options, runs, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

#: From the shortest time to the longest; its lightness falls evenly, so that it can be read in grey.
_COLOURS = seaborn.blend_palette(["#ffffe0", "#f6c667", "#d8662d", "#7a1c4b", "#1b0c2b"], as_cmap=True)
#: How a failed run ended -> the colour and the letter of its cell.
_CELLS = {outcome: (colour, letter) for outcome, (_, colour, letter) in runs.OUTCOMES.items() if letter}
_INSTANCE = ["suite", "problem", "dimension", "instance"]
#: More instances than this are not named.
_MOST_NAMED = 80
#: More cells than this are pixels in vector files too.
_MOST_VECTORS = 4000

#: What a study can set.
Options = options.OfMeasures

#: What the notebook adds to `plot`.
beside = runs.beside


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a row for each solver, most solved on top, and a column for each instance, easy ones left; the time is the colour."""
    data = runs.rows_of(tables, {**settings, "virtual_best": False}, "times")
    order = list(runs.shares(data).index)
    looks = runs.looks(data, order, tables, {**settings, "others": "named"})
    measure = settings["measures"][0]
    with style.rc(settings):
        width, size = style.width_of(settings), style.points(settings)
        line = min(1.55 * size / 72, 7.0 / max(len(order), 1))
        time, failed, _ = _cells(data)
        n = time.shape[1]
        label = max(len(look.label) for look in looks.values()) * 0.5 * size / 72
        named = n <= _MOST_NAMED and (width - label) * 72 / n >= 1.05 * style.SMALLEST
        ends = [(runs.OUTCOMES[one][0], _CELLS[one][0]) for one in _there(failed)]
        below = runs.legend_height([word for word, _ in ends], width, settings)
        figure = style.new_figure(settings, wide=True, height=len(order) * line + (1.1 if named else 0.35) + 0.7 + below)
        axes = plot(
            data, order=order, looks=looks, named=named, written=(width - label) * 72 / n >= 0.75 * size, ax=figure.subplots()
        )
        axes.tick_params(axis="y", labelsize=max(style.SMALLEST, min(size, line * 72 / 1.15)))
        colours = axes.collections[0]
        heat.colour_bar(figure, colours, style.text(measures.with_unit(measure)), settings)
        _decades(figure.axes[-1])
        handles = [Patch(facecolor=colour, edgecolor="0.3", lw=0.4, label=word) for word, colour in ends]
        runs.legend(figure, handles, settings)
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    order: Sequence[str] | None = None,
    named: bool | None = None,
    written: bool | None = None,
    unit: str = "time",
    looks: Mapping[str, Look] | None = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the times as a heat map of their decimal logarithms.

    `axes.collections[0]` has the colours, for a colour bar.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `solver_runs` of one measure: keys, `algorithm`, `role`, `cost`, `outcome`, `weight`, `included`.
    order : sequence of str, optional
        The solvers, from the top; by default all, most solved first.
    named, written : bool, optional
        Whether instances are named and failures have letters; by default where there is room.
    unit : str
        What the colours are of: said by the caller's colour bar.
    looks : mapping, optional
        The looks of the solvers, for their labels.
    """
    axes = axes_level.given(ax, facet)
    data = axes_level.named(data[data["included"] & (data["role"] != "virtual_best")])
    time, ended, problems = _cells(data)
    names = list(runs.shares(data).index if order is None else order)
    shown = runs.looks_of(data) if looks is None else looks
    time, ended = time.loc[names], ended.loc[names]
    size = axes_level.points()
    room = axes.get_window_extent().width / axes.figure.dpi * 72 / time.shape[1]
    named = time.shape[1] <= _MOST_NAMED and room >= 1.05 * style.SMALLEST if named is None else named
    written = room >= 0.75 * size if written is None else written
    values = time.to_numpy(float)
    positive = values[values > 0]
    low, high = (float(positive.min()), float(positive.max())) if positive.size else (1.0, 10.0)
    high = max(high, 10 * low)
    with np.errstate(divide="ignore"):
        logs = np.log10(np.maximum(values, low))
    below = [style.text(name) for name in problems] if named else []
    rows = [style.text(shown[name].label) for name in names]
    heat.cells(axes, logs, _COLOURS, (math.log10(low), math.log10(high)), (rows, below), size)
    gap = 0.3 if room > 3 else 0.0
    axes.collections[0].set(linewidth=gap, rasterized=time.size > _MOST_VECTORS)
    codes = {outcome: i for i, outcome in enumerate(_CELLS)}
    failed = np.vectorize(lambda word: float(codes.get(word, np.nan)), otypes=[float])(ended.to_numpy(object))
    if np.isfinite(failed).any():
        colours = ListedColormap([colour for colour, _ in _CELLS.values()])
        ends: dict[str, Any] = {"vmin": -0.5, "vmax": len(_CELLS) - 0.5, "rasterized": time.size > _MOST_VECTORS}
        axes.pcolormesh(np.ma.masked_invalid(failed), cmap=colours, linewidth=gap, edgecolor="white" if gap else "none", **ends)
    if written:
        for i, j in zip(*np.isfinite(failed).nonzero(), strict=True):
            letter = _CELLS[ended.iat[i, j]][1]
            axes.text(j + 0.5, i + 0.5, letter, ha="center", va="center", fontsize=min(size, style.SMALLEST + 1), gid="letter")
    axes.tick_params(axis="x", rotation=90, labelsize=style.SMALLEST)
    style.stress(axes.get_yticklabels(), shown.values())
    if not named:
        axes.set_xlabel(f"{time.shape[1]} instances")
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a cell is, and what its letters mean."""
    data = runs.rows_of(tables, {**settings, "virtual_best": False}, "times")
    letters = [f"{_CELLS[outcome][1]} {runs.OUTCOMES[outcome][0]}" for outcome in _there(_cells(data)[1])]
    several = (
        " Several runs of a solver on an instance show as their mean, or as a failure if any failed."
        if (data["weight"] < 1).any()
        else ""
    )
    return (
        f"Costs of {runs.which(data, settings)}, as colours. Top rows solve most; left columns are solved by most.{several} "
        + (f"Failures: {display.listed(letters)}. " if letters else "")
        + captions.trial_words(tables, settings["measures"][0])
    ).rstrip()


def _cells(data: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """By solver and instance, easy ones first, the mean time (NaN with any failure) and how one failed; and the instances."""
    number, found = frames.cells(data, _INSTANCE)
    data = data.assign(
        number=number,
        algorithm=data["algorithm"].astype(str),
        paid=data["cost"] * data["weight"],
        ended=data["outcome"].astype(str).where(~data["outcome"].isin(["solved", "missing"])),
    )
    parts = data.groupby(["algorithm", "number"])
    time = parts["paid"].sum().replace(np.inf, np.nan).unstack()
    ended = parts["ended"].first().where(parts["ended"].nunique() < 2, "several").unstack()
    order = pd.DataFrame({"unsolved": time.isna().sum(), "time": np.log(time.where(time > 0)).mean()})
    columns = list(order.sort_values(["unsolved", "time"], kind="stable").index)
    told = [key for key in _INSTANCE if len({one[key] for one in found}) > 1] or ["problem"]
    names = [", ".join(str(found[n][key]) for key in told if found[n][key] is not None) for n in columns]
    short = display.short_names(names, 16)
    return time[columns], ended[columns], [short[name] for name in names]


def _there(ended: pd.DataFrame) -> list[str]:
    """The outcomes of failures that there are."""
    return [outcome for outcome in _CELLS if (ended == outcome).to_numpy().any()]


def _decades(axes: Axes) -> None:
    """Name the decimal logarithms of a colour bar as what they are of."""
    low, high = axes.get_xlim()
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    axes.xaxis.set_major_locator(FixedLocator(list(range(first, last + 1, max(1, math.ceil((last - first) / 8))))))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(10.0**v) if -3 < v < 5 else f"$10^{{{round(v)}}}$"))
    axes.xaxis.set_minor_locator(NullLocator())
