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
from benchmill.figures import axes_level, captions, convergence, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

#: Rows of panels that fit a page, and the width of a column in inches and of a line of the name above it in characters.
_MOST_PROBLEMS = 5
_COLUMN = 0.85
_NAME = 13


@dataclass(frozen=True, kw_only=True)
class Options(options.Dimension, options.Asked):
    """Settings of the figure."""

    problems: tuple[str, ...] | None = some("The problems; by default up to five, evenly chosen.")


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the empirical attainment function of every algorithm (columns) on some problems (rows) in one dimension.

    Level sets are exact; the line is the median trial.
    """
    data, _, _ = convergence.rows(tables, settings, "attainment")
    looks = panels.looks(data, tables, settings, convergence.best_first(data))
    problems, names = _chosen(data, looks, settings)
    shares = frames.only(data, "share")
    floor, limits = convergence.bottom(settings), convergence.span(data)
    with style.rc(settings):
        width, size = style.width_of(settings), style.points(settings)
        room = min(_NAME, max(5, int((width - 0.6) / len(names) * 72 / (0.55 * size))))
        short = display.short_names([looks[name].label for name in names], 2 * room - 1)
        height = 0.85 + len(problems) * max(0.8, 0.9 * width / len(names))
        figure = style.new_figure(settings, wide=True, height=height)
        axes = figure.subplots(len(problems), len(names), squeeze=False, sharex=True, sharey="row")
        for line, (problem, here) in zip(axes, problems, strict=True):
            of: dict[str, Any] = {"floor": floor, "limits": limits, "values": _limits(here, floor), "linewidth": 0.9}
            for one, name in zip(line, names, strict=True):
                own = frames.rows_of(here, {"algorithm": name})
                if not own.empty:
                    plot(own, shares=shares, **of, palette=looks, ax=one)
                panels.bare(one)
            line[0].set_ylabel(style.text(panels.name_of(problem, settings)))
        for one, name in zip(axes[0], names, strict=True):
            title = "\n".join(map(style.text, textwrap.wrap(short[looks[name].label], room)))
            one.set_title(title, pad=3, fontsize=size, fontweight=style.weight(looks[name]))
        figure.supylabel(style.text(convergence.value_label(settings)), fontsize=size)
        figure.legend(
            handles=[Patch(color=grey, label=_percent(share)) for grey, share in zip(_greys(len(shares)), shares, strict=True)],
            loc="outside lower center",
            ncols=len(shares),
            title=f"{convergence.unit(data)} (log₁₀ scale){'; ' if width > 5 else chr(10)}"
            "share of trials that have reached the value",
            title_fontsize=size,
        )
    return figure


@axes_level.drawing()
def plot(
    axes: Axes,
    data: pd.DataFrame,
    looks: dict[str, Look],
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
    line = style.line_style(looks[name], linewidth) | {"linestyle": "solid", "zorder": 3}
    axes.plot(x, y, drawstyle="steps-post", gid=axes_level.gid(axes, "median"), **line)
    panels.log_axis(axes, "x", 0.9 * start, right, most=3)
    if floor is None:
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3))
    else:
        panels.log_axis(axes, "y", low, high, most=3)
    axes.set(xlabel=f"{convergence.unit(data)} (log₁₀ scale)", ylabel="best value so far")


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return further keywords of `plot`."""
    return {"floor": convergence.bottom(settings)}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, dimension, others = convergence.rows(tables, settings, "attainment")
    looks = panels.looks(data, tables, settings, convergence.best_first(data))
    problems, names = _chosen(data, looks, settings)
    n_problems, n_names = len(frames.groups(data, panels.PROBLEM)), data["algorithm"].nunique()
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
    parts += [panels.left_out(others, "dimension", str), words, captions.trial_words(tables)]
    return captions.joined(*parts)


def _chosen(data: pd.DataFrame, looks: Mapping[str, Look], settings: Mapping[str, Any]) -> tuple[panels.Parts, list[str]]:
    found = frames.parts(data, panels.PROBLEM)
    wanted = settings.get("problems")
    problems = [part for part in found if part[0]["problem"] in wanted] if wanted else panels.sample(found, _MOST_PROBLEMS)
    if not problems:
        raise panels.nothing_to_draw("attainment", f"problems {display.listed(list(wanted or []))}")
    shown = sorted((name for name, look in looks.items() if not look.faded), key=lambda name: looks[name].stands != "front")
    return problems, shown[: int(style.width_of(settings) / _COLUMN)]


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
