"""How the ratio of the costs of two algorithms is distributed, with those that one alone solves at the ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator

from benchmill.figures import axes_level, captions, frames, pairs, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

#: What a study can set.
Options = pairs.Options

#: Bars in an axis at most.
_MOST_BARS = 24
#: Widths of a bar in powers of two.
_WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per pair: how many problems there are for each ratio of the costs of the one to those of the other."""
    data, chosen = pairs.rows_of(tables, settings, "speedups")
    looks = panels.by_name(panels.looks(data, tables, settings), settings)
    with style.rc(settings):
        columns = min(len(chosen), 2)
        n_rows = math.ceil(len(chosen) / columns)
        figure = style.new_figure(settings, wide=columns > 1, height=n_rows * 2.3)
        grid = panels.spread(figure, len(chosen), (n_rows, columns))
        for axes, pair in zip(grid, chosen, strict=True):
            plot(data, pair=pair, palette=looks, ax=axes)
            a, b = (looks[name] for name in pair)
            found = pairs.counts(*_costs(data, *pair))
            axes.set_title(_title(found, a, b, style.width_of(settings, columns > 1) / columns, settings), loc="left")
            if style.weight(a) == "bold" or style.weight(b) == "bold":
                axes.xaxis.label.set_fontweight("bold")
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame, *, pair: tuple[str, str] | None = None, palette: Any = None, ax: Axes | None = None, **facet: Any
) -> Axes:
    """Draw a histogram of the logarithm of the ratio; bars in the grey ends count what one alone solves.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ratios` of one measure: keys, `algorithm`, `cost`, `ratio`.
    pair : (str, str), optional
        Whose cost is divided by whose; by default the two that are best on most problems.

    Raises
    ------
    UserError
        There is no such algorithm, or no second one.
    """
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    first, second = pairs.wanted(data, list(pair or ()), "speedups")[:2]
    a, b = _costs(data, first, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log2(a) - np.log2(b)
    both = np.isfinite(a) & np.isfinite(b)
    ratio[both & (a == b)] = 0.0
    # a cost of zero against one above it is further than any ratio
    finite = ratio[both & np.isfinite(ratio)]
    most = float(np.abs(finite).max(initial=1.0))
    width = next((w for w in _WIDTHS if 2 * most / w <= _MOST_BARS), _WIDTHS[-1])
    reach = math.ceil(most / width) * width
    edges = np.arange(-reach, reach + width / 2, width)
    ties = float((finite == 0).sum())
    heights = np.histogram(finite[finite != 0], edges)[0].astype(float)
    middle = (edges[:-1] + edges[1:]) / 2
    rim, gap = 1.6 * width, 0.7 * width
    solved_a, solved_b = np.isfinite(a), np.isfinite(b)
    left = (solved_a & ~solved_b).sum() + (ratio[both] == -np.inf).sum()
    right = (solved_b & ~solved_a).sum() + (ratio[both] == np.inf).sum()
    for look, side, end, many in (
        (looks[first], middle < 0, -reach - gap - rim / 2, left),
        (looks[second], middle > 0, reach + gap + rim / 2, right),
    ):
        bars = style.bar_style(look)
        axes.bar(middle[side], heights[side], 0.92 * width, label=_faster(look), gid="ratios", **bars)
        axes.bar([end], [many], 0.8 * rim, gid="alone", **{**bars, "hatch": "////", "edgecolor": "white"})
        axes.annotate(display.count(int(many)), (end, many), (0, 1.5), textcoords="offset points", ha="center", va="bottom",
                      fontsize=axes_level.points(), annotation_clip=False)  # fmt: skip
        axes.axvspan(end - rim / 2 - gap / 2, end + rim / 2 + gap / 2, color="0.94", lw=0, zorder=0)
    if ties:
        axes.bar([0], [ties], 0.3 * width, color="0.15", zorder=3, gid="ties", label="equal")
    axes.axvline(0, color="0.3", lw=0.6, zorder=1.5)
    axes.set_xlim(-reach - rim - 1.5 * gap, reach + rim + 1.5 * gap)
    axes.set_ylim(0, max(heights.max(initial=1.0), left, right, ties) * 1.14)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    # the ticks of the ends need room
    inner = reach - 0.16 * (reach + rim)
    step = max(1, math.ceil(inner / 3)) if inner >= 1 else inner
    ticks = [k * step for k in range(-int(inner // step), int(inner // step) + 1)]
    ends = [-reach - gap - rim / 2, reach + gap + rim / 2]
    axes.xaxis.set_major_locator(FixedLocator([ends[0], *ticks, ends[1]]))
    axes.set_xticklabels(["alone", *(_ratio(t) for t in ticks), "alone"])
    axes.grid(axis="x", visible=False)
    axes.set_xlabel("\n".join(map(style.text, _axis(looks[first].label, looks[second].label).split("\n"))))
    axes.set_ylabel("problems")
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say whose costs are divided by whose, the median ratio, and count who is better."""
    data, chosen = pairs.rows_of(tables, settings, "speedups")
    looks = panels.looks(data, tables, settings)
    what = "(problem, target) pairs" if len(frames.groups(data, ["target", "at_budget"])) > 1 else "problems"
    parts = [
        f"Ratios of the costs of two algorithms on {what}, measure {measures.told(settings['measures'][0])}. Hatched, in "
        "the grey ends: solved by one alone."
    ]
    for pair in chosen:
        a, b = _costs(data, *pair)
        first, second = (looks[name].label for name in pair)
        both = np.isfinite(a) & np.isfinite(b) & (a > 0) & (b > 0)
        middle = display.number(math.exp(np.median(np.log(a[both] / b[both])))) if both.any() else ""
        median = f" Median ratio of {first} to {second} where both solve: {middle}." if middle else ""
        parts.append(pairs.sentence(pairs.counts(a, b), first, second) + median)
    parts.append(captions.trial_words(tables, settings["measures"][0]))
    return captions.joined(*parts)


def _costs(data: pd.DataFrame, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
    both = pairs.points(data, a, b)
    return both["a"].to_numpy(float), both["b"].to_numpy(float)


def _title(found: Mapping[str, int], a: Look, b: Look, width: float, settings: Mapping[str, Any]) -> str:
    return style.wrapped(pairs.verdict(found, a.label, b.label, measures.better(settings["measures"][0])), width - 0.6, settings)


def _faster(look: Look) -> str:
    return style.text(f"{look.label} is better")


def _axis(a: str, b: str) -> str:
    return f"cost of {a} / cost of {b}" if len(a) + len(b) <= 24 else f"cost of {a}\n/ cost of {b}"


def _ratio(power: float) -> str:
    """A power of two as a ratio."""
    if abs(power) > 13:
        return f"$2^{{{round(power)}}}$"
    return display.target(2.0**power) if power >= 0 else f"1/{display.target(2.0**-power)}"
