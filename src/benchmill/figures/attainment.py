"""Attainment surfaces: which share of its trials has reached a value after a number of evaluations, over both."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from benchmill.core.options import some
from benchmill.figures import axes_level, captions, convergence, options, panels, scales, style
from benchmill.figures.sheet import Sheet
from benchmill.text import display, frames
from benchmill.text.appearance import Pen
from benchmill.text.frames import at

#: Rows of panels that fit a page, and the width of a column in inches and of a line of the name above it in characters.
_MOST = 5
_COLUMN = 0.85
_NAME = 13


@dataclass(frozen=True, kw_only=True)
class Options(options.Asked):
    """Settings of the figure."""

    problems: tuple[str, ...] | None = some("The problems; by default up to five, evenly chosen.")


def select(sheet: Sheet) -> None:
    """Take some problems in one dimension, and the algorithms that have room."""
    data, _, _ = convergence.in_dimension(sheet)
    wanted = sheet.settings.get("problems")
    rows = data[data["problem"].isin(wanted)] if wanted else data
    rows = sheet.some(rows, f"problems {display.listed(list(wanted or []))}")
    sheet.take(rows, panels.PROBLEM, most=len(rows) if wanted else _MOST)
    sheet.rows = data
    sheet.order_by(convergence.best_first(data))
    shown = sorted((name for name, pen in sheet.pens.items() if not pen.faded), key=lambda n: sheet.pens[n].stands != "front")
    sheet.pens = {name: sheet.pens[name] for name in shown[: int(style.width_of(sheet.settings) / _COLUMN)]}
    sheet.of = {"floor": convergence.bottom(sheet)}
    sheet.shared = {"shares": frames.only(data, "share"), "limits": convergence.span(data), "linewidth": 0.9}


def draw(sheet: Sheet) -> Figure:
    """Draw the empirical attainment function of every algorithm (columns) on the problems (rows).

    Level sets are exact; the line is the median trial.
    """
    settings, pens, shares = sheet.settings, sheet.pens, sheet.shared["shares"]
    with style.rc(settings):
        width = style.width_of(settings)
        room = min(_NAME, max(5, int((width - 0.6) / len(pens) * 72 / (0.55 * style.TYPE))))
        short = display.short_names([pen.label for pen in pens.values()], 2 * room - 1)
        figure = style.new_figure(settings, True, 0.85 + len(sheet.parts) * max(0.8, 0.9 * width / len(pens)))
        grid = figure.subplots(len(sheet.parts), len(pens), squeeze=False, sharex=True, sharey="row")
        for line, (problem, here) in zip(grid, sheet.parts, strict=True):
            values = _limits(here, sheet.of["floor"])
            for axes, name in zip(line, pens, strict=True):
                own = frames.rows_of(here, {"algorithm": name})
                if not own.empty:
                    plot(own, values=values, palette=pens, ax=axes, **sheet.of, **sheet.shared)
                axes.set(xlabel="", ylabel="")
            line[0].set_ylabel(style.text(at(problem, settings, heading=True)))
        for axes, pen in zip(grid[0], pens.values(), strict=True):
            title = "\n".join(map(style.text, textwrap.wrap(short[pen.label], room)))
            axes.set_title(title, pad=3, fontweight=style.weight(pen))
        shades = [Patch(color=grey, label=_percent(share)) for grey, share in zip(_greys(len(shares)), shares, strict=True)]
        said = [f"{convergence.unit(sheet.rows)} (log scale)", "share of trials that have reached the value"]
        panels.legend_below(figure, {}, "; ".join(said), convergence.value_label(sheet), shades)
    return figure


@axes_level.drawing()
def plot(
    axes: Axes,
    data: pd.DataFrame,
    pens: dict[str, Pen],
    floor: float | None = 1e-8,
    shares: Sequence[float] | None = None,
    limits: tuple[float, float] | None = None,
    values: tuple[float, float, float] | None = None,
    linewidth: float | None = None,
) -> None:
    """Draw the attainment function of one algorithm on one problem.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `attainment` of one algorithm, problem and dimension.
    shares : sequence of float, optional
        Those that have a shade, the lightest first; by default those of the data.
    values : (float, float, float), optional
        Ends of the vertical axis, and the worst value, from which surfaces are filled.
    """
    name = data["algorithm"].iloc[0]
    shares = frames.only(data, "share") if shares is None else shares
    start, right = limits or convergence.span(data)
    low, high, worst = values or _limits(data, floor)
    own = convergence.curves(data, right, floor)[name]
    for share, grey in zip(shares, _greys(len(shares)), strict=True):
        x, y = own.get(share, convergence.NONE)
        if x.size:
            named: dict[str, Any] = {"label": _percent(share), "gid": axes_level.gid(axes, "level", f"{share:g}")}
            axes.fill_between(x, y, worst, step="post", color=grey, lw=0, zorder=2, **named)
    x, y = own.get(convergence.middle(list(shares)), convergence.NONE)
    line = style.line_style(pens[name], linewidth) | {"linestyle": "solid", "zorder": 3}
    axes.plot(x, y, drawstyle="steps-post", gid=axes_level.gid(axes, "median"), **line)
    scales.log_axis(axes, "x", 0.9 * start, right, most=3)
    if floor is None:
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3))
    else:
        scales.log_axis(axes, "y", low, high, most=3)
    axes.set(xlabel=f"{convergence.unit(data)} (log scale)", ylabel="best value so far")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data, shares, floor = sheet.rows, sheet.shared["shares"], sheet.of["floor"]
    _, dimension, others = convergence.in_dimension(sheet)
    problems = len(frames.keys_of(data, panels.PROBLEM)) - len(sheet.parts)
    algorithms = data["algorithm"].nunique() - len(sheet.pens)
    where = f" in dimension {dimension}" if dimension is not None else ""
    return [
        f"Empirical attainment functions of {display.plural(len(sheet.pens), 'algorithm')} on "
        f"{display.plural(len(sheet.parts), 'problem')}{where}: the share of trials that reach a value within so many "
        f"{convergence.unit(data)}. Shades begin at {display.listed([f'{display.target(100 * s)} %' for s in shares])}, the line "
        f"is {display.target(100 * convergence.middle(shares))} %.",
        f"Values below {display.target(floor)} are drawn at it." if floor is not None else "",
        f"Not drawn: {display.plural(problems, 'problem')}." if problems else "",
        f"Not drawn: {display.plural(algorithms, 'algorithm')}." if algorithms else "",
        panels.left_out(others, "dimension", str),
        captions.trial_words(sheet.tables),
    ]


def _limits(here: pd.DataFrame, floor: float | None) -> tuple[float, float, float]:
    """Return the ends of the axis, and the worst value, from which surfaces are filled."""
    if floor is None:
        value = here["value"].to_numpy()
        margin = 0.05 * float(np.ptp(value)) or 1.0
        low, high = float(value.min()) - margin, float(value.max()) + margin
    else:
        low, high = convergence.value_limits(here, floor)
    return low, high, high if convergence.falls(here) else low


def _percent(share: float) -> str:
    return f"≥ {display.target(100 * share)} %"


def _greys(n: int) -> list[str]:
    return [f"{v:.2f}" for v in np.linspace(0.9, 0.6, n)] if n > 1 else ["0.75"]
