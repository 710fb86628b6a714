"""What is borrowed from the inside of Matplotlib, in one place: without these names figures are the same, drawn slower."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from matplotlib.axes import Axes


def settled_labels(axes: Axes) -> Iterator[tuple[Any, str, bool]]:
    """What keeps a drawing from placing labels and titles anew that stay where they are.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        After its layout.

    Yields
    ------
    thing, name, value
        An attribute to set while the figure is drawn; none where this version of Matplotlib has no such attribute.
    """
    for axis in (axes.xaxis, axes.yaxis):
        if not axis.label.get_text() and hasattr(axis, "_autolabelpos"):
            yield axis, "_autolabelpos", False
    titles = [axes.title, *(getattr(axes, name, None) for name in ("_left_title", "_right_title"))]
    # of a title that nothing pushed up
    if hasattr(axes, "_autotitlepos") and all(title is not None and title.get_position()[1] == 1.0 for title in titles):
        yield axes, "_autotitlepos", False
