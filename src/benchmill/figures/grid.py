"""Pages of small panels: what is chosen when not all fit, and logarithmic axes."""

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
from benchmill.figures import frames, panels, scales, style
from benchmill.text import display
from benchmill.text.appearance import Look

#: What makes a problem of one dimension.
PROBLEM = ("suite", "problem", "instance")


def page(n: int, settings: Mapping[str, Any], looks: Mapping[str, Look], sharey: bool = True) -> tuple[Figure, list[Axes]]:
    """Return a figure of the text's width with `n` panels and room for a legend."""
    columns = 6 if n > 12 and style.width_of(settings) > 5 else None
    tall = lambda width: max(1.0, 0.72 * width)  # noqa: E731
    return panels.sheet(n, settings, columns, rest=0.4, row=tall, wide=True, legend=looks, sharex=True, sharey=sharey)


def one_of(table: pd.DataFrame, column: str, wanted: Any = None, *, which: int = -1) -> tuple[pd.DataFrame, Any, list[Any]]:
    """Return the rows of one value of a key, by default that at place `which`, the value, and the others."""
    found = [group[column] for group in frames.groups(table, [column])]
    value = wanted if wanted is not None else found[which] if found else None
    return frames.rows_of(table, {column: value}), value, [other for other in found if other != value]


#: Keys and rows of each panel.
Parts = list[tuple[dict[str, Any], pd.DataFrame]]


def chosen(data: pd.DataFrame, keys: Sequence[str], most: int, settings: Mapping[str, Any]) -> tuple[Parts, str]:
    """Return the panels that are shown, and what a caption says behind their number, if not all are.

    Of too many these are the `page` that is asked for (UserError if there is none), or a sample.
    """
    found = frames.parts(data, keys)
    n, page = len(found), settings.get("page")
    if page is None:
        return sample(found, most), f" of {display.count(n)} (evenly chosen)" if n > most else ""
    pages = max(1, math.ceil(n / most))
    if page > pages:
        raise UserError(f"figures: page: found {page}, expected at most {pages} ({n} panels); choose another one.")
    first, last = (page - 1) * most, min(page * most, n)
    which = f" of {display.count(n)} ({display.count(first + 1)} to {display.count(last)} in their order)"
    return found[first:last], which if n > most else ""


def sample(items: Sequence[Any], most: int) -> list[Any]:
    """Return so many of the items, spread evenly."""
    if len(items) <= most:
        return list(items)
    return [items[round(i)] for i in np.linspace(0, len(items) - 1, most)]


def order_of(values: Mapping[str, float]) -> list[str]:
    """Order algorithms by falling values, equal ones in natural order."""
    return sorted(values, key=lambda name: (-values[name], natural_key(name)))


def log_axis(axes: Axes, which: str, low: float, high: float, *, most: int = 5) -> None:
    """Make an axis logarithmic, with powers of ten as ticks, or plain numbers where it has no two."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last > first:
        ticks = [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / most)))]
        axis.set_major_formatter(FuncFormatter(lambda v, _: scales.power(v)))
    else:
        ticks = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
        ticks = ticks or [math.sqrt(low * high)]
        axis.set_major_formatter(FuncFormatter(lambda v, _: display.target(float(f"{v:.3g}"))))
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_formatter(NullFormatter())
    # minor ticks would take most of the time of a page of panels
    axis.set_minor_locator(NullLocator())


def left_out(others: Sequence[Any], word: str, form: Any = display.target) -> str:
    """Say in a caption which values of a key are not drawn; empty without any."""
    return f"Not drawn: {word}{'s' * (len(others) > 1)} {display.listed([form(v) for v in others])}." if others else ""
