"""Means of the normalised costs and average ranks, side by side, with intervals of half the minimum significant difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.registry.comparisons import COMPARISONS
from benchmill.text import display, measures

_METHODS = {name: comparison.panel for name, comparison in COMPARISONS.items()}
#: What a study can set.
Options = options.OfMeasures


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a row of panels for every target or budget (and stratum): one panel per method that has a common MSD.

    The three panels of Chiarandini, Basso, Stützle 2005, Figure 3: parametric, permutation, rank. The algorithms stand in one
    order in
    all panels, by their mean in the first, so that changes of order between methods are seen.
    """
    data = _rows(tables, settings)
    looks = panels.highlighted(panels.looks(data, tables, settings), frames.algorithms(data.sort_values("mean")), settings)
    points = frames.groups(data, frames.POINT)
    methods = _methods(data)
    n = data["algorithm"].nunique()
    with style.rc(settings):
        rows, columns = len(points), len(methods)
        height = 0.45 + rows * (0.155 * n + 0.55)
        figure = style.new_figure(settings, wide=columns > 1, height=height)
        grid = figure.subplots(rows, columns, squeeze=False, sharex="col")
        for line, point in zip(grid, points, strict=True):
            here = frames.rows_of(data, point)
            order = list(frames.rows_of(here, {"method": methods[0]}).sort_values(["mean", "algorithm"])["algorithm"])
            for column, (axes, method) in enumerate(zip(line, methods, strict=True)):
                plot(frames.rows_of(here, {"method": method}), order=order, palette=looks, ax=axes)
                axes.tick_params(labelleft=column == 0)
                heading = [panels.name_of(point, settings)] if column == 0 and len(points) > 1 else []
                axes.set_title(style.text("\n".join([*heading, _METHODS.get(method, method)])), loc="left")
                axes.set_xlabel(_label(data, method))
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
    """Draw the intervals of one method, target and budget.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `intervals` of one method and point: `algorithm`, `mean`, `low`, `high`, `scale`.
    order : sequence of str, optional
        The algorithms, from the top; by default all, the smallest mean first.
    """
    axes = axes_level.given(ax, facet)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    if data.empty and order is not None:
        # a panel of a figure in which this method has nothing
        style.name_rows(axes, [palette[name] for name in order])
        return axes
    _, data, looks = axes_level.begun(data, palette, axes, facet)
    names = list(data.sort_values(["mean", "algorithm"])["algorithm"]) if order is None else list(order)
    rows = data.set_index("algorithm")
    best = rows.loc[rows["mean"].idxmin()]
    axes.axvspan(best["low"], best["high"], color="0.92", lw=0, zorder=0)
    for place, name in enumerate(names):
        if name in rows.index:
            look, row = looks[name], rows.loc[name]
            bar: dict[str, Any] = {**style.line_style(look, 1.3), "linestyle": "-"}
            axes.plot([row["low"], row["high"]], [place, place], **bar)
            axes.plot([row["mean"]], [place], linestyle="none", **axes_level.point(look, 4.4))
    style.name_rows(axes, [looks[name] for name in names])
    axes.set_xlabel(_label(data, data["method"].iloc[0]))
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the panels compare and how to read the bars."""
    data = _rows(tables, settings)
    blocks, runs = frames.only(data, "n_blocks"), frames.only(data, "n_runs")
    of_means = [m for m in _methods(data) if _scale(data, m) != "average rank"]
    of_ranks = [m for m in _methods(data) if _scale(data, m) == "average rank"]
    normalisation = frames.only(frames.rows_of(tables["designs"], _measure(settings)), "normalisation")
    what = []
    if of_means:
        names = display.listed([_METHODS.get(m, m) for m in of_means])
        what.append(f"means of normalised costs ({'; '.join(normalisation)}) for {names}")
    if of_ranks:
        what.append(f"average ranks within problems for {display.listed([_METHODS.get(m, m) for m in of_ranks])}")
    return (
        f"Comparison of {display.plural(data['algorithm'].nunique(), 'algorithm')}, measure "
        f"{measures.told(settings['measure'])}, over {captions.counted(blocks, 'problem')} with {captions.counted(runs, 'run')} "
        f"each: {' and '.join(what)}; smaller is better. Bars: ± MSD/2 (minimum significant difference, α = "
        f"{display.target(data['alpha'].iloc[0])}). Grey: the interval of the best."
    )


def _measure(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"measure": settings["measure"]["name"]}


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pd.DataFrame:
    data = frames.rows_of(tables["intervals"], _measure(settings))
    return panels.some(data, "intervals", f"measure {settings['measure']['name']!r}")


def _methods(data: pd.DataFrame) -> list[str]:
    """Methods in the order of the configuration, which is that of the rows."""
    return list(data["method"].unique())


def _label(data: pd.DataFrame, method: str) -> str:
    return "average rank" if _scale(data, method) == "average rank" else "mean normalised cost"


def _scale(data: pd.DataFrame, method: str) -> str:
    return str(frames.rows_of(data, {"method": method})["scale"].iloc[0])
