"""Costs of two algorithms against each other, problem by problem."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from benchmill.core.options import option
from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look, appearance

_KEYS = ["suite", "problem", "dimension", "instance", "target", "at_budget"]
_MARKS = ("o", "s", "^", "D", "v", "P", "<", "X", ">", "*")
#: Light to dark with the dimension.
_SHADES = ("#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#882255", "#000000")
#: Ratios that have a line.
_RATIOS = (2.0, 10.0)
_MOST_PAIRS = 6


@dataclass(frozen=True, kw_only=True)
class Options(options.OfMeasures):
    """What a study can set."""

    algorithms: tuple[str, ...] | None = option(
        "The algorithms that are paired; by default those to highlight and, of fewer than two, the best on most problems.",
        None,
        minItems=2,
        uniqueItems=True,
    )


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per pair: a point for each problem and target, cost of the one against cost of the other.

    On the diagonal both cost the same; below it the algorithm of the vertical axis is better. Lines mark the ratios 2 and 10. A
    problem that an algorithm does not solve lies on the rim beyond its axis.

    Parameters
    ----------
    tables : mapping
        `ratios`.
    settings : mapping
        `measures`: the settings of one measure; `algorithms` (optional): the algorithms whose pairs are drawn (default: the two
        that are best on most problems, `highlight` first); `width`, `highlight`: see the package.
    """
    data, pairs = _rows(tables, settings)
    looks = panels.highlighted(panels.looks(data, tables, settings), _best_first(data), settings)
    dimensions = [g["dimension"] for g in frames.groups(data, ["dimension"]) if g["dimension"] is not None]
    with style.rc(settings):
        columns = min(len(pairs), 3 if style.width_of(settings) > 5 else 2)
        n_rows = math.ceil(len(pairs) / columns)
        wide = columns > 1
        side = style.width_of(settings, wide=wide) / columns
        figure = style.new_figure(settings, wide=wide, height=n_rows * side * 0.97 + (0.2 if len(dimensions) > 1 else 0.0))
        grid = figure.subplots(n_rows, columns, squeeze=False)
        for axes, (a, b) in zip(grid.flat, pairs, strict=False):
            plot(data, pair=(a, b), dimensions=dimensions, looks=looks, ax=axes)
            axes.set_title(_count_words(_points(data, a, b)), loc="left")
            axes.set_xlabel(style.text(_axis(looks[a].label, settings)), fontweight=style.weight(looks[a]))
            axes.set_ylabel(style.text(_axis(looks[b].label, settings)), fontweight=style.weight(looks[b]))
        for axes in list(grid.flat)[len(pairs) :]:
            axes.set_axis_off()
        if len(dimensions) > 1:
            handles = [
                Line2D([], [], linestyle="none", **_mark(i, len(dimensions)), label=f"{d}-D") for i, d in enumerate(dimensions)
            ]
            figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 6), handletextpad=0.1)
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a point is, and count who is better where."""
    measure = settings["measures"][0]
    data, pairs = _rows(tables, settings)
    looks = panels.looks(data, tables, settings)
    joint = len(frames.groups(data, ["target", "at_budget"])) > 1
    what = "(problem, target) pair" if joint else "problem"
    parts = [
        f"Costs of two algorithms for the measure {captions.named(measure)}: a point is "
        f"a {what}. "
        "Both cost the same on the diagonal; dotted lines: ratios of 2 and 10. Points in the grey rim (∞) are not solved by the "
        "algorithm of "
        "that axis."
    ]
    for a, b in pairs:
        counts = _counts(_points(data, a, b))
        first, second = looks[a].label, looks[b].label
        parts.append(
            f"{first} is better on {display.count(counts['a'])}, {second} on {display.count(counts['b'])}, equal on "
            f"{display.count(counts['equal'])}; of these only {first} solves {display.count(counts['only_a'])}, only {second} "
            f"{display.count(counts['only_b'])}; neither solves {display.count(counts['neither'])} more."
        )
    parts.append(captions.trial_words(tables, measure))
    return " ".join(part for part in parts if part)


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, list[tuple[str, str]]]:
    name = settings["measures"][0]["name"]
    rows = frames.rows_of(tables["ratios"], {"measure": name, "included": True})
    if rows.empty:
        raise panels.nothing_to_draw("scatter", f"measure {name!r}")
    asked = settings.get("highlight")
    mine = [one for one in asked if one in frames.algorithms(rows)] if isinstance(asked, list | tuple) else []
    return rows, list(itertools.combinations(_wanted(rows, list(settings.get("algorithms") or mine)), 2))[:_MOST_PAIRS]


def _wanted(rows: pd.DataFrame, wanted: list[str]) -> list[str]:
    """The algorithms to pair: where fewer than two are wanted, those that are best on most problems beside them."""
    known = frames.algorithms(rows)
    for algorithm in wanted:
        if algorithm not in known:
            raise panels.nothing_to_draw("scatter", f"algorithm {algorithm!r} (found {display.listed(sorted(known))})")
    if len(wanted) < 2:
        wanted += [a for a in _best_first(rows) if a not in wanted][: 2 - len(wanted)]
    if len(wanted) < 2:
        raise panels.nothing_to_draw("scatter", "a second algorithm")
    return wanted


def _best_first(rows: pd.DataFrame) -> list[str]:
    """Algorithms by the number of points on which they are best."""
    wins = (rows["ratio"] == 1).groupby(rows["algorithm"], observed=True).sum()
    return list(wins.sort_values(ascending=False, kind="stable").index)


def _points(data: pd.DataFrame, a: str, b: str) -> dict[str, np.ndarray]:
    """Costs of both on the problems and targets of both, and the dimension (0 where there is none)."""
    first, second = (frames.rows_of(data, {"algorithm": name})[[*_KEYS, "cost"]] for name in (a, b))
    both = first.merge(second, on=_KEYS, suffixes=("_a", "_b"))
    costs = {side: both[f"cost_{side}"].to_numpy() for side in "ab"}
    return {**costs, "dimension": both["dimension"].fillna(0).to_numpy(int)}


def _counts(points: Mapping[str, np.ndarray]) -> dict[str, int]:
    """On how many points each is better (a success beats a failure), both are equal, or nobody solves."""
    a, b = points["a"], points["b"]
    solved_a, solved_b = np.isfinite(a), np.isfinite(b)
    return {
        "a": int((a < b).sum()),
        "b": int((b < a).sum()),
        "equal": int(((a == b) & solved_a).sum()),
        "only_a": int((solved_a & ~solved_b).sum()),
        "only_b": int((solved_b & ~solved_a).sum()),
        "neither": int((~solved_a & ~solved_b).sum()),
    }


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    pair: tuple[str, str] | None = None,
    dimensions: Sequence[int] | None = None,
    looks: Mapping[str, Look] | None = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the costs of one pair against each other; one mark and colour per dimension.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ratios` of one measure: keys, `algorithm`, `cost`, `ratio`.
    pair : (str, str), optional
        The algorithms of the horizontal and of the vertical axis; by default the two that are best on most problems.
    dimensions : sequence of int, optional
        Those that marks and colours are given out to; by default those of the data.
    looks : mapping, optional
        The looks of the algorithms, for their labels.

    Raises
    ------
    UserError
        There is no such algorithm, or no second one.
    """
    axes_level.check(facet)
    axes = axes_level.given(ax)
    data = axes_level.named(data)
    first, second = _wanted(data, list(pair or ()))[:2]
    shown = appearance([first, second]) if looks is None else looks
    if dimensions is None:
        dimensions = frames.only(data, "dimension")
    points = _points(data, first, second)
    axes.set_xlabel(style.text(f"cost of {shown[first].label}"))
    axes.set_ylabel(style.text(f"cost of {shown[second].label}"))
    a, b = points["a"], points["b"]
    finite = np.concatenate([a[np.isfinite(a) & (a > 0)], b[np.isfinite(b) & (b > 0)]])
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (1.0, 10.0)
    if high < 10 * low:  # at least a decade, around what there is
        middle = math.sqrt(low * high)
        low, high = middle / math.sqrt(10), middle * math.sqrt(10)
    reach = math.log(high / low)
    low, inner = low * math.exp(-0.04 * reach), high * math.exp(0.04 * reach)
    outer, rim = inner * math.exp(0.09 * reach), inner * math.exp(0.045 * reach)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(low, outer)
    axes.set_ylim(low, outer)
    axes.axvspan(inner, outer, color="0.94", lw=0, zorder=0)
    axes.axhspan(inner, outer, color="0.94", lw=0, zorder=0)
    axes.plot([low, inner], [low, inner], color="0.35", lw=0.8, zorder=1)
    for ratio in _RATIOS:
        for factor in (ratio, 1 / ratio):
            left, right = max(low, low / factor), min(inner, inner / factor)
            if left < right:
                axes.plot([left, right], [left * factor, right * factor], color="0.45", lw=0.6, ls=(0, (1, 2)), zorder=1)
    x = np.where(np.isfinite(a), np.maximum(a, low), rim)
    y = np.where(np.isfinite(b), np.maximum(b, low), rim)
    for i, dimension in enumerate(dimensions or [0]):
        mine = points["dimension"] == dimension if dimensions else np.ones(len(x), dtype=bool)
        axes.plot(
            x[mine],
            y[mine],
            linestyle="none",
            **_mark(i, len(dimensions)),
            zorder=3,
            label=f"{dimension}-D",
            gid=f"points-{axes_level.number(axes)}-{i}",
        )
    ticks = [10.0**k for k in range(math.ceil(math.log10(low)), math.floor(math.log10(inner)) + 1)]
    ticks = ticks[:: max(1, math.ceil(len(ticks) / 6))]
    for axis in (axes.xaxis, axes.yaxis):
        if len(ticks) > 1:
            axis.set_major_locator(FixedLocator([*ticks, rim]))
            axis.set_major_formatter(FuncFormatter(lambda v, _: "∞" if v > inner else f"$10^{{{round(math.log10(v))}}}$"))
            axis.set_minor_locator(LogLocator(base=10, subs=tuple(range(2, 10)), numticks=100))
        else:
            axis.set_major_locator(FixedLocator([*[float(f"{v:.2g}") for v in np.geomspace(low * 1.2, inner / 1.2, 4)], rim]))
            axis.set_major_formatter(FuncFormatter(lambda v, _: "∞" if v > inner else f"{v:.3g}"))
        axis.set_minor_formatter(NullFormatter())
    return axes


def _count_words(points: Mapping[str, np.ndarray]) -> str:
    counts = _counts(points)
    return f"above {counts['a']}, on {counts['equal']}, below {counts['b']}, unsolved {counts['neither']}"


def _mark(i: int, n: int) -> dict[str, Any]:
    """The marker of the i-th of n dimensions."""
    colour = _SHADES[i % len(_SHADES)] if n > 1 else "#0072B2"
    return {
        "marker": _MARKS[i % len(_MARKS)],
        "markersize": 3.0,
        "markerfacecolor": "none",
        "markeredgecolor": colour,
        "markeredgewidth": 0.7,
    }


def _axis(name: str, settings: Mapping[str, Any]) -> str:
    return f"{display.words(settings['measures'][0]['name'])} of {name}"
