"""What the functions share that draw one panel into axes, in the manner of seaborn; figures and notebooks call the same ones.

Such a function takes a DataFrame with the rows of one panel and draws in the style that is in force: into `ax`, or the current
axes. It names the axes, makes neither title nor legend (what it draws has labels, so that `legend()` works), and returns the
axes. It works in `seaborn.FacetGrid(...).map_dataframe(...)`. `palette` is what seaborn takes: the name of a palette, a list of
colours, or colours by algorithm; by default algorithms have the looks of benchmill, which differ in colour, line and marker.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import matplotlib
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties

from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.figures import style
from benchmill.text import display
from benchmill.text.appearance import Look, appearance

Drawing = TypeVar("Drawing", bound=Callable[..., Axes])

#: What the documentation of every such function says of the parameters that all have.
_PALETTE = """palette : optional
    Name of a palette, list of colours, or colours by algorithm, as in seaborn; or looks by name
    (`benchmill.text.appearance.appearance`). By default the looks of benchmill, which differ in colour, line and marker.
"""
_SHARED = """ax : matplotlib.axes.Axes, optional
    By default the current one.
**facet
    What a `seaborn.FacetGrid` passes: `color`, `label`; nothing else. With a hue it can draw profiles and ECDFs only, curve by
    curve.

Returns
-------
matplotlib.axes.Axes

Raises
------
ValueError
    There is no row to draw.
TypeError
    An unknown keyword, or a grid with a hue where all algorithms have to be drawn together.
"""
_NO_COLOUR = """UserError
    A palette lacks a colour.
"""


def documented(plot: Drawing) -> Drawing:
    """Complete the documentation of an axes-level function by what holds for all: `palette`, `ax`, what it returns and raises."""
    own, _, raises = inspect.cleandoc(plot.__doc__ or "").partition("\n\nRaises\n------\n")
    coloured = "palette" in inspect.signature(plot).parameters
    plot.__doc__ = "".join(
        (f"{own}\n", _PALETTE if coloured else "", _SHARED, _NO_COLOUR if coloured else "", f"{raises}\n" if raises else "")
    )
    return plot


def given(ax: Axes | None, facet: Mapping[str, Any], one_by_one: bool = False) -> Axes:
    """The axes to draw into: the current ones where none are given.

    Parameters
    ----------
    facet : mapping
        What a FacetGrid passes: `color`, and with a hue `label`.
    one_by_one : bool
        Whether algorithms can be drawn one after the other, as a FacetGrid with a hue does.

    Raises
    ------
    TypeError
        An unknown keyword; or a grid with a hue, where all algorithms have to be drawn together.
    """
    if unknown := sorted(set(facet) - {"color", "label"}):
        raise TypeError(f"there is no keyword {unknown[0]!r}")
    if facet.get("label") is not None and not one_by_one:
        raise TypeError("all algorithms of a panel are drawn together; leave hue out of the grid (palette= colours them)")
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.gca()


def begun(
    data: pd.DataFrame,
    palette: Any,
    ax: Axes | None,
    facet: Mapping[str, Any],
    *,
    hue: str = "algorithm",
    one_by_one: bool = False,
) -> tuple[Axes, pd.DataFrame, dict[str, Look]]:
    """The axes to draw into, the rows with their names in order, and the look of each algorithm.

    Parameters and errors are those of `given`, `named` and `looks_of`.
    """
    axes, data = given(ax, facet, one_by_one), named(data, hue)
    return axes, data, looks_of(data, palette, facet, hue=hue)


def named(data: pd.DataFrame, hue: str = "algorithm") -> pd.DataFrame:
    """The rows, with names that sort in natural order.

    Raises
    ------
    ValueError
        There is no row.
    """
    if data.empty:
        raise ValueError("there is no row to draw")
    if isinstance(data[hue].dtype, pd.CategoricalDtype) and data[hue].cat.ordered:
        return data
    names = data[hue].astype(str)
    kinds = pd.CategoricalDtype(sorted(names.unique(), key=natural_key), ordered=True)
    return data.assign(**{hue: names.astype(kinds)})


def looks_of(data: pd.DataFrame, palette: Any, facet: Mapping[str, Any], *, hue: str = "algorithm") -> dict[str, Look]:
    """The look of each algorithm in the data, in natural order; looks that are given keep theirs.

    Parameters
    ----------
    data : pandas.DataFrame
        As `named` gives it.
    palette : optional
        Looks by name (`benchmill.text.appearance.appearance`), what `seaborn.color_palette` takes, or colours by name.
    facet : mapping
        See `given`.

    Raises
    ------
    UserError
        A palette by name lacks a colour.
    """
    names: Sequence[str] = list(data[hue].cat.categories)
    if isinstance(palette, Mapping) and all(isinstance(look, Look) for look in palette.values()):
        return dict(palette)
    looks = appearance(names)
    if palette is None and facet.get("label") is not None:
        # the grid has a colour for each curve, and one look for all panels comes from all names
        return {name: replace(look, colour=to_hex(facet["color"])) for name, look in looks.items()}
    if palette is None:
        return looks
    chosen = (
        palette if isinstance(palette, Mapping) else dict(zip(names, seaborn.color_palette(palette, len(names)), strict=True))
    )
    if absent := [name for name in data[hue].unique() if name not in chosen]:
        raise UserError(f"palette: there is no colour for {display.listed(absent)}; add it.")
    return {name: replace(look, colour=to_hex(chosen.get(name, look.colour))) for name, look in looks.items()}


def number(axes: Axes) -> int:
    """The place of the axes in their figure, so that ids are unique in a file."""
    return axes.figure.axes.index(axes)


def points() -> float:
    """Size of the type at the ticks, in points."""
    return FontProperties(size=matplotlib.rcParams["xtick.labelsize"]).get_size_in_points()


def marker(look: Look, size: float) -> dict[str, Any]:
    """Keywords of a marker, in proportion to the size that rcParams say."""
    return style.marker_style(
        look, size * matplotlib.rcParams["lines.markersize"] / matplotlib.rcParamsDefault["lines.markersize"]
    )


def point(look: Look, size: float) -> dict[str, Any]:
    """Keywords of a marker that is all that is drawn of a value: a dot where lines of others have none."""
    dot = {"marker": "o", "markersize": 2.6, "markerfacecolor": look.colour} if look.faded else {}
    return marker(look, size) | dot
