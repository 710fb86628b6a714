"""Attainment surfaces: which share of its trials has reached a value after a number of evaluations, over both."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from benchmill.core.options import some
from benchmill.figures import axes_level, captions, convergence, frames, grid, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

#: Rows of panels that fit a page, and the width of a column in inches and of a line of the name above it in characters.
_MOST_PROBLEMS = 5
_COLUMN = 0.85
_NAME = 13


@dataclass(frozen=True, kw_only=True)
class Options(options.Dimension, options.Asked):
    """What a study can set."""

    problems: tuple[str, ...] | None = some("The problems; by default up to five, evenly chosen.")


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the empirical attainment function of every algorithm (columns) on some problems (rows) in one dimension.

    The surface is shown by its exact level sets: the darker, the larger the share of trials that have reached the value or a
    better one. The line in the middle is the median trial, as in `benchmill.figures.convergence`.
    """
    data, _, _ = convergence.rows(tables, settings, "attainment")
    looks = _looks(data, tables, settings)
    problems, names = _chosen(data, looks, settings)
    shares = frames.only(data, "share")
    floor, (start, right) = convergence.bottom(settings), convergence.span(data)
    with style.rc(settings):
        width = style.width_of(settings)
        room = min(_NAME, max(5, int((width - 0.6) / len(names) * 72 / (0.55 * style.points(settings)))))
        short = display.short_names([looks[name].label for name in names], 2 * room - 1)
        height = 0.85 + len(problems) * max(0.8, 0.9 * width / len(names))
        figure = style.new_figure(settings, wide=True, height=height)
        axes = figure.subplots(len(problems), len(names), squeeze=False, sharex=True, sharey="row")
        for row, problem in enumerate(problems):
            here = frames.rows_of(data, problem)
            values = _limits(here, floor)
            for column, name in enumerate(names):
                one = axes[row, column]
                own = frames.rows_of(here, {"algorithm": name})
                if not own.empty:
                    of: dict[str, Any] = {"floor": floor, "limits": (start, right), "values": values}
                    plot(own, shares=shares, **of, palette=looks, linewidth=0.9, ax=one)
                panels.bare(one)
                if row == 0:
                    lines = textwrap.wrap(short[looks[name].label], room)
                    title = "\n".join(map(style.text, lines))
                    one.set_title(title, pad=3, fontsize=style.points(settings), fontweight=style.weight(looks[name]))
                if column == 0:
                    one.set_ylabel(style.text(panels.name_of(problem, settings)))
        figure.supylabel(style.text(convergence.value_label(settings)), fontsize=style.points(settings))
        figure.legend(
            handles=[Patch(color=grey, label=_percent(share)) for grey, share in zip(_greys(len(shares)), shares, strict=True)],
            loc="outside lower center",
            ncols=len(shares),
            title=f"{convergence.unit(data)} (log₁₀ scale){'; ' if width > 5 else chr(10)}"
            "share of trials that have reached the value",
            title_fontsize=style.points(settings),
        )
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    floor: float | None = 1e-8,
    shares: Sequence[float] | None = None,
    limits: tuple[float, float] | None = None,
    values: tuple[float, float, float] | None = None,
    palette: Any = None,
    linewidth: float | None = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the attainment function of one algorithm on one problem.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `attainment` of one algorithm, problem and dimension.
    floor : float or None
        The axis of values is logarithmic, and smaller ones are drawn at this one; None: it is linear.
    shares : sequence of float, optional
        Those that have a shade, the lightest first; by default those of the data.
    limits, values : optional
        First and last place on the horizontal axis; lower and upper end of the vertical one, and the worst value, from which
        surfaces are filled. By default those of the data.
    linewidth : float, optional
        Of the median, in points; by default as rcParams say.
    """
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    name = data["algorithm"].iloc[0]
    shares = frames.only(data, "share") if shares is None else shares
    start, right = limits or convergence.span(data)
    low, high, worst = values or _limits(data, floor)
    own = convergence.curves(data, right, floor)[name]
    number = axes_level.number(axes)
    for share, grey in zip(shares, _greys(len(shares)), strict=True):
        x, y = own.get(share, convergence.NONE)
        if x.size:
            words = _percent(share)
            axes.fill_between(x, y, worst, step="post", color=grey, lw=0, zorder=2, label=words, gid=f"level-{number}-{share:g}")
    x, y = own.get(convergence.middle(list(shares)), convergence.NONE)
    line = style.line_style(looks[name], linewidth) | {"linestyle": "solid", "zorder": 3}
    axes.plot(x, y, drawstyle="steps-post", gid=f"median-{number}", **line)
    grid.log_axis(axes, "x", 0.9 * start, right, most=3)
    if floor is None:
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3))
    else:
        grid.log_axis(axes, "y", low, high, most=3)
    axes.set(xlabel=f"{convergence.unit(data)} (log₁₀ scale)", ylabel="best value so far")
    return axes


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `plot` that the settings of these curves tell."""
    return {"floor": convergence.bottom(settings)}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the levels are, and what is drawn of what is in the table."""
    data, dimension, others = convergence.rows(tables, settings, "attainment")
    looks = _looks(data, tables, settings)
    problems, names = _chosen(data, looks, settings)
    n_problems, n_names = len(frames.groups(data, grid.PROBLEM)), data["algorithm"].nunique()
    shares = frames.only(data, "share")
    floor = convergence.bottom(settings)
    where = f" in dimension {dimension}" if dimension is not None else ""
    parts = [
        f"Empirical attainment functions of {display.plural(len(names), 'algorithm')} on "
        f"{display.plural(len(problems), 'problem')}{where}: the share of trials that reach a value within so many "
        f"{convergence.unit(data)}. Shades begin at {display.listed([f'{display.target(100 * s)} %' for s in shares])}, the line "
        f"is {display.target(100 * convergence.middle(shares))} %.",
    ]
    if floor is not None:
        parts.append(f"Values below {display.target(floor)} are drawn at it.")
    if len(problems) < n_problems:
        parts.append(f"Not drawn: {display.plural(n_problems - len(problems), 'problem')}.")
    if len(names) < n_names:
        parts.append(f"Not drawn: {display.plural(n_names - len(names), 'algorithm')}.")
    words = panels.highlight_words({name: looks[name] for name in names}, settings)
    parts += [grid.left_out(others, "dimension", str), words, captions.trial_words(tables)]
    return captions.joined(*parts)


def _looks(data: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    return panels.highlighted(panels.looks(data, tables, settings), convergence.best_first(data), settings)


def _chosen(data: pd.DataFrame, looks: Mapping[str, Look], settings: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    found = frames.groups(data, grid.PROBLEM)
    wanted = settings.get("problems")
    problems = [p for p in found if p["problem"] in wanted] if wanted else grid.sample(found, _MOST_PROBLEMS)
    if not problems:
        raise panels.nothing_to_draw("attainment", f"problems {display.listed(list(wanted or []))}")
    shown = sorted((name for name, look in looks.items() if not look.faded), key=lambda name: looks[name].stands != "front")
    return problems, shown[: int(style.width_of(settings) / _COLUMN)]


def _limits(here: pd.DataFrame, floor: float | None) -> tuple[float, float, float]:
    """Lower and upper end of the axis of a row, and the worst value, from which surfaces are filled."""
    value = here["value"].to_numpy()
    if floor is None:
        margin = 0.05 * float(np.ptp(value)) or 1.0
        low, high = float(value.min()) - margin, float(value.max()) + margin
        return low, high, high if convergence.falls(here) else low
    low, high = convergence.value_limits(here, floor)
    return low, high, high if convergence.falls(here) else low


def _percent(share: float) -> str:
    return f"≥ {display.target(100 * share)} %"


def _greys(n: int) -> list[str]:
    """Shades from light to dark."""
    return [f"{v:.2f}" for v in np.linspace(0.9, 0.6, n)] if n > 1 else ["0.75"]
