"""Heat maps: a matrix as coloured cells, and the one colour bar of all panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import seaborn
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap
from matplotlib.figure import Figure

from benchmill.figures import style


def cells(
    axes: Axes,
    values: npt.ArrayLike,
    colours: Colormap,
    limits: tuple[float, float],
    names: tuple[Sequence[str], Sequence[str]],
    size: float,
    texts: npt.ArrayLike | None = None,
    near: Mapping[str, Any] | None = None,
) -> ScalarMappable:
    """Draw a matrix by `seaborn.heatmap`, its first row on top, without ticks and spines.

    Parameters
    ----------
    values : (n_rows, n_columns) array_like
        NaN is left white.
    limits : (float, float)
        Values of the first and the last colour.
    names : (rows, columns)
        What is written beside and below; no columns: none are named.
    size : float
        Type size of the names in points.
    texts : (n_rows, n_columns) array_like of str, optional
        What is written into the cells.
    near : mapping, optional
        Keywords of these texts.

    Returns
    -------
    ScalarMappable
        For `colour_bar`.
    """
    figure: Any = axes.figure
    canvas = figure.canvas
    # seaborn draws the figure to see whether tick labels overlap; this canvas draws nothing
    FigureCanvasBase(figure)
    seaborn.heatmap(
        np.asarray(values, float),
        ax=axes,
        cmap=colours,
        vmin=limits[0],
        vmax=limits[1],
        linewidths=0.3,
        linecolor="white",
        cbar=False,
        annot=False if texts is None else np.asarray(texts),
        fmt="",
        annot_kws=dict(near or {}),
        xticklabels=False,
        yticklabels=False,
    )
    figure.set_canvas(canvas)
    rows, columns = names
    axes.set_yticks(np.arange(len(rows)) + 0.5, list(rows), fontsize=size)
    axes.set_xticks(np.arange(len(columns)) + 0.5, list(columns))
    axes.tick_params(length=0)
    axes.grid(visible=False)
    seaborn.despine(ax=axes, left=True, bottom=True)
    return axes.collections[0]


def colour_bar(figure: Figure, mesh: ScalarMappable, label: str, settings: Mapping[str, Any], aspect: float = 50) -> None:
    """One bar for all panels, below them."""
    bar: Any = figure.colorbar(mesh, ax=figure.axes, location="bottom", fraction=0.03, aspect=aspect, pad=0.02)
    bar.set_label(label, fontsize=style.points(settings))
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=style.points(settings))
    bar.solids.set_edgecolor("face")
    bar.solids.set_rasterized(False)
