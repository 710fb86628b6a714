"""Small multiples: a page of panels of one kind that share axes and one legend, and what is chosen when not all fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.figures import frames, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look


def page(
    n: int,
    settings: Mapping[str, Any],
    *,
    columns: int | None = None,
    aspect: float = 0.72,
    legend: Sequence[Look] = (),
    sharey: bool = True,
) -> tuple[Figure, list[Axes]]:
    """A figure of the text's width with `n` panels that share their axes; to be called within `style.rc`.

    Parameters
    ----------
    columns : int, optional
        Panels side by side; by default as many as `panels.arrangement` says, 6 where there are more than 12 on a wide page.
    aspect : float
        Height of a panel over its width, as far as the page allows.
    legend : sequence of Look
        What `panels.legend_below` will show: room is left for it.
    sharey : bool
        Whether the vertical axis is one.
    """
    width = style.width_of(settings)
    rows, columns = panels.arrangement(n, settings, columns or (6 if n > 12 and width > 5 else None))
    below = panels.legend_height(len(legend), legend, width, settings) if legend else 0.0
    height = 0.4 + rows * max(1.0, width / columns * aspect) + below
    figure = style.new_figure(settings, wide=True, height=height)
    return figure, panels.spread(figure, n, (rows, columns), sharex=True, sharey=sharey)


#: What makes a problem of one dimension.
PROBLEM = ("suite", "problem", "instance")


def one_of(table: pd.DataFrame, column: str, wanted: Any = None, *, which: int = -1) -> tuple[pd.DataFrame, Any, list[Any]]:
    """The rows of one value of a key: the wanted one, or the one at place `which` in order (-1: the last).

    Returns
    -------
    rows : pyarrow.Table
    value
        None where the column is empty.
    others : list
        The values that are not drawn, in order.
    """
    found = [group[column] for group in frames.groups(table, [column])]
    value = wanted if wanted is not None else found[which] if found else None
    return frames.rows_of(table, {column: value}), value, [other for other in found if other != value]


def shown(items: Sequence[Any], most: int, settings: Mapping[str, Any]) -> list[Any]:
    """At most so many of the items: those of the `page` that is asked for, else some, spread evenly, first and last among them.

    Raises
    ------
    UserError
        There is no such page.
    """
    page = settings.get("page")
    if page is not None:
        pages = max(1, math.ceil(len(items) / most))
        if page > pages:
            raise UserError(f"figures: page: found {page}, expected at most {pages} ({len(items)} panels); choose another one.")
        return list(items[(page - 1) * most : page * most])
    return list(items) if len(items) <= most else sample(items, most)


def chosen(data: pd.DataFrame, keys: Sequence[str], most: int, settings: Mapping[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """By the keys that tell panels apart those that are shown, and what a caption says behind their number: see `shown`."""
    found = frames.groups(data, keys)
    return shown(found, most, settings), shown_words(len(found), most, settings)


def shown_words(n: int, most: int, settings: Mapping[str, Any]) -> str:
    """What a caption says behind the number of panels that are shown, of `n`; empty where all are."""
    page = settings.get("page")
    if n <= most:
        return ""
    if page is None:
        return f" of {display.count(n)} (evenly chosen)"
    return (
        f" of {display.count(n)} ({display.count((page - 1) * most + 1)} to {display.count(min(page * most, n))} in their order)"
    )


def sample(items: Sequence[Any], most: int) -> list[Any]:
    """So many of the items, spread evenly, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[round(i)] for i in np.linspace(0, len(items) - 1, most)]


def order_of(values: Mapping[str, float]) -> list[str]:
    """Algorithms by falling values, equal ones in natural order."""
    return sorted(values, key=lambda name: (-values[name], natural_key(name)))


def log_axis(axes: Axes, which: str, low: float, high: float, *, most: int = 5) -> None:
    """A logarithmic axis from `low` to `high` with at most so many powers of ten, or plain numbers where it has no two."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last > first:
        ticks = [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / most)))]
        axis.set_major_formatter(FuncFormatter(lambda v, _: f"$10^{{{round(math.log10(v))}}}$"))
    else:
        ticks = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
        ticks = ticks or [math.sqrt(low * high)]
        axis.set_major_formatter(FuncFormatter(lambda v, _: display.target(float(f"{v:.3g}"))))
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_formatter(NullFormatter())
    # minor ticks would take most of the time of a page of panels
    axis.set_minor_locator(NullLocator())


def left_out(others: Sequence[Any], word: str, form: Any = display.target) -> str:
    """The sentence of a caption about values of a key that are in the table but not drawn; empty without any."""
    return f"Not drawn: {word}{'s' * (len(others) > 1)} {display.listed([form(v) for v in others])}." if others else ""
