"""Drawings into axes, in the manner of seaborn: data in, the axes out, in the style that is in force.

Each function draws a DataFrame into one set of axes, by default the current ones, and works in
`seaborn.FacetGrid(...).map_dataframe(...)`. `palette` is what seaborn takes: the name of a palette, a list of colours, or colours
by name; by default algorithms have the looks of benchmill, which differ in colour, line and marker.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.figures import frames, style
from benchmill.figures.critical_differences import rank_plot as critical_differences
from benchmill.figures.curves import ecdf_plot as ecdf
from benchmill.figures.curves import profile_plot as profile
from benchmill.text import display, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["critical_differences", "ecdf", "profile"]


def one_panel(table: pa.Table, asked: Mapping[str, Any], keys: Sequence[str]) -> pd.DataFrame:
    """The rows of the one panel that is asked for.

    Parameters
    ----------
    table : pyarrow.Table
        Curves.
    asked : mapping
        By key, what it shall be; a key that is None is not asked for.
    keys : sequence of str
        What tells the panels apart.

    Raises
    ------
    UserError
        There are several such panels, or none.
    """
    wanted = {key: value for key, value in asked.items() if value is not None}
    data = frames.rows_of(frames.frame(table), wanted)
    groups = frames.groups(data, keys)
    if len(groups) != 1:
        found = groups or frames.groups(frames.frame(table), keys)
        listed = display.listed([str({key: value for key, value in group.items() if value is not None}) for group in found])
        raise UserError(
            f"plot: {len(groups)} panels are like {wanted}, expected one of {listed}; say which ({'=, '.join(keys)}=), or draw "
            "all (figure())."
        )
    return data


def axes_of(ax: Axes | None) -> Axes:
    """The axes that were given, or those of a new figure."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def labelled(axes: Axes, x: str, y: str, legend: bool) -> Axes:
    """The axes with what they show, and a legend of the curves."""
    axes.set(xlabel=x, ylabel=y)
    if legend:
        axes.legend()
    return axes


def image(figure: Figure, caption: str) -> str:
    """A figure as an element `img`."""
    data = base64.b64encode(style.png(figure)).decode()
    width = figure.get_size_inches()[0] * 96
    return (
        f'<img alt="{labels.html(caption)}" style="max-width: {width:.0f}px; width: 100%" src="data:image/png;base64,{data}">\n'
    )
