"""Drawings of one panel into axes, in the manner of seaborn; figures and notebooks call the same ones."""

import difflib
import functools
import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties

from benchmill.core import UserError, beside, natural_key
from benchmill.exhibits.figures import style
from benchmill.text import display
from benchmill.text.appearance import Pen, Pens, appearance
from benchmill.text.frames import Row

#: What the documentation of such functions says of what all have, and of parameters that several have.
_ALL, _SOME = beside.toml(__file__).values()


def drawing(
    *,
    rows: Callable[[pd.DataFrame], pd.DataFrame] = lambda data: data,
    pens: Callable[..., Pens] | None = None,
    one_by_one: bool = False,
    of_pairs: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., Axes]]:
    """Make functions `plot(data, *, palette, ax, **options)` of `draw(axes, data, pens, **options)`.

    With `one_by_one` a FacetGrid with a hue can draw curve by curve; `of_pairs` have columns `algorithm_a` and `algorithm_b`.
    """

    def decorate(draw: Callable[..., None]) -> Callable[..., Axes]:
        signature = inspect.signature(draw)
        own = [one.replace(kind=one.KEYWORD_ONLY) for one in list(signature.parameters.values())[3:]]
        names = {one.name for one in own}

        def plot(data: pd.DataFrame, *, palette: Any = None, ax: Axes | None = None, **facet: Any) -> Axes:
            options = {name: facet.pop(name) for name in [*facet] if name in names}
            hue, axes = options.get("hue", "algorithm"), given(ax, facet, one_by_one)
            try:
                data = rows(data)
                known = named(pd.DataFrame({hue: [*data["algorithm_a"], *data["algorithm_b"]]}) if of_pairs else data, hue)
                draw(axes, data if of_pairs else known, (pens or pens_of)(known, palette, facet, hue=hue), **options)
            except KeyError as error:
                if error.args[0] in data:
                    raise
                raise UserError(
                    f"plot: the rows have no column {error.args[0]!r}; give those of the table that is drawn."
                ) from error
            return axes

        first, *shared = inspect.signature(plot).parameters.values()
        functools.update_wrapper(plot, draw)
        vars(plot)["__signature__"] = signature.replace(parameters=[first, *own, *shared], return_annotation=Axes)
        some = "".join(f"{text}\n" for name, text in _SOME.items() if name in names)
        plot.__doc__ = f"{inspect.cleandoc(draw.__doc__ or '')}\n{some}{_ALL}"
        return plot

    return decorate


def given(ax: Axes | None, facet: Row, one_by_one: bool = False) -> Axes:
    """Return the axes to draw into, the current ones where none are given; UserError for what a FacetGrid cannot pass."""
    if unknown := sorted(set(facet) - {"color", "label"}):
        raise UserError(f"there is no keyword {unknown[0]!r}")
    if facet.get("label") is not None and not one_by_one:
        raise UserError("all algorithms of a panel are drawn together; leave hue out of the grid (palette= colours them)")
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.gca()


def named(data: pd.DataFrame, hue: str = "algorithm") -> pd.DataFrame:
    """Return the rows with names that sort in natural order; UserError without a row."""
    if data.empty:
        raise UserError("there is no row to draw")
    if isinstance(data[hue].dtype, pd.CategoricalDtype) and data[hue].cat.ordered:
        return data
    names = data[hue].astype(str)
    return data.assign(**{hue: names.astype(pd.CategoricalDtype(sorted(names.unique(), key=natural_key), ordered=True))})


def pens_of(data: pd.DataFrame, palette: Any, facet: Row, *, hue: str = "algorithm") -> Pens:
    """Return the pen of each algorithm, in natural order, by a palette: pens, colours by name, or what seaborn takes."""
    names: Sequence[str] = list(data[hue].cat.categories)
    if isinstance(palette, Mapping) and all(isinstance(pen, Pen) for pen in palette.values()):
        return dict(palette)
    pens = appearance(names)
    if palette is None:
        # a grid has a colour for each curve, and one pen for all panels comes from all names
        return pens if facet.get("label") is None else {k: replace(pen, colour=to_hex(facet["color"])) for k, pen in pens.items()}
    try:
        chosen = (
            palette if isinstance(palette, Mapping) else dict(zip(names, seaborn.color_palette(palette, len(names)), strict=True))
        )
        if absent := [name for name in data[hue].unique() if name not in chosen]:
            raise UserError(f"palette: there is no colour for {display.listed(absent)}; add it.")
        if (n := len(set(map(to_hex, chosen.values())))) < len(names):
            warnings.warn(
                f"palette: {display.plural(n, 'colour')} for {len(names)} algorithms, so some share one; give more.",
                stacklevel=2,
            )
        return {name: replace(pen, colour=to_hex(chosen.get(name, pen.colour))) for name, pen in pens.items()}
    except (TypeError, ValueError):
        near = difflib.get_close_matches(str(palette), [*seaborn.palettes.SEABORN_PALETTES, *matplotlib.colormaps], 1)
        hint = (
            f"did you mean {near[0]!r}?" if near else "expected a palette of seaborn, a list of colours, or colours by algorithm."
        )
        raise UserError(f"palette: found {palette!r}; {hint}") from None


def gid(axes: Axes, word: str, *place: int | str) -> str:
    """Return an id that is unique in a file."""
    return "-".join(map(str, (word, axes.figure.axes.index(axes), *place)))


def points() -> float:
    """Return the size of the type at the ticks, in points."""
    return FontProperties(size=matplotlib.rcParams["xtick.labelsize"]).get_size_in_points()


def marker(pen: Pen, size: float) -> style.Drawn:
    """Return keywords of a marker, in proportion to the size that rcParams say."""
    return style.marker_style(
        pen, size * matplotlib.rcParams["lines.markersize"] / matplotlib.rcParamsDefault["lines.markersize"]
    )


def point(pen: Pen, size: float) -> style.Drawn:
    """Return keywords of a marker without a line, a dot if lines have none."""
    return {
        "linestyle": "none",
        **marker(pen, size),
        **({"marker": "o", "markersize": 2.6, "markerfacecolor": pen.colour} if pen.faded else {}),
    }


def step(axes: Axes, x: Any, y: Any, pen: Pen, place: int, *, width: float | None = None, **more: Any) -> None:
    """Draw the steps of an algorithm."""
    axes.plot(
        x,
        y,
        **{
            "drawstyle": "steps-post",
            "label": style.text(pen.label),
            "gid": gid(axes, "curve", place),
            **style.line_style(pen, width),
            **more,
        },
    )


def interval(axes: Axes, pen: Pen, place: int, low: float, middle: float, high: float, **mark: Any) -> None:
    """Draw a value with its interval in a row of a panel."""
    axes.plot([low, high], [place, place], **{**style.line_style(pen, 1.3), "linestyle": "-"})
    axes.plot([middle], [place], **{**point(pen, 4.4), **mark})


def bars(axes: Axes, pens: Pens, values: Sequence[float], xlabel: str) -> None:
    """Draw one bar over [0, 1] per algorithm, from the top, with its value to the right of the axes."""
    axes.set(xlim=(0, 1), xticks=[0, 0.25, 0.5, 0.75, 1], xticklabels=["0", "", "0.5", "", "1"], xlabel=xlabel)
    style.name_rows(axes, list(pens.values()))
    written: style.Drawn = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    for place, (pen, value) in enumerate(zip(pens.values(), values, strict=True)):
        if np.isfinite(value):
            opacity = style.STANDS[pen.stands][3]
            axes.barh(place, value, 0.66, gid=gid(axes, "bars", place), color=pen.colour, alpha=opacity, linewidth=0, zorder=2)
            axes.annotate(display.share(value), (1, place), (3, 0), ("axes fraction", "data"), fontsize=points(), **written)
