"""Profiles and ECDFs as axes-level functions: exact steps, failures in the denominator, the last value marked."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.exhibits.figures import axes_level, scales, style
from benchmill.exhibits.figures.panels import MOST_NAMED, banded
from benchmill.exhibits.figures.sheet import Frame, Pens
from benchmill.text import frames
from benchmill.text.appearance import Pen

#: What the vertical axes of distributions show.
SHARE = "share of (problem, target) pairs"
SHARE_OF_VALUES = "share of (problem, budget) pairs"
#: The mark at a median budget.
CROSS: style.Drawn = {"marker": "x", "markersize": 4.5, "markeredgewidth": 1.1, "linestyle": "none"}
#: Share of the panel's width to the right of tau_max, in which the final values are marked.
_MARGIN = 0.07


def curve(
    axes: Axes,
    pen: Pen,
    place: int,
    x: np.ndarray,
    y: np.ndarray,
    *,
    band: tuple[Any, ...] = (),
    marks: Any = (),
    size: float = 3.4,
    **more: Any,
) -> None:
    """Draw the steps of an algorithm, the `band` around them (x, lower and upper ends), and markers at some x."""
    if band:
        x_band, low, high = band
        axes.fill_between(x_band, low, high, step="post", color=pen.colour, alpha=0.14, lw=0, zorder=2)
    axes_level.step(axes, x, y, pen, place, **more)
    if not pen.faded:
        at = np.asarray(marks, float)
        heights = np.interp(at, x, y) if more.get("drawstyle") == "default" else y[np.searchsorted(x, at, side="right") - 1]
        axes.plot(at[heights != 0], heights[heights != 0], linestyle="none", **axes_level.marker(pen, size))


@axes_level.drawing(one_by_one=True)
def profile_plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    x: str = "tau",
    y: str = "rho",
    hue: str = "algorithm",
    scale: str = "auto",
    smooth: bool = False,
    unit: str = "τ",
    under: float | None = None,
) -> None:
    """Draw performance profiles: steps up to tau_max, and in the margin beyond it the rho(tau_max) of each algorithm.

    Parameters
    ----------
    data : pandas.DataFrame
        A row for each break point. Where columns `<y>_low` and `<y>_high` have values, a band is drawn between them.
    scale : str
        `auto`, `linear`, `log`, `log2`, `log10`, or `broken`: linear up to 10 and logarithmic beyond.
    smooth : bool
        Join the points by lines instead of steps.
    under : float, optional
        Width in points of curves that lie under others: no limits, ticks and marks are set.
    """
    kind = scale if scale in scales.SCALE_WORDS else scales.axis_of([data[x]], scale)
    start, end = scales.ends_of(data[x])
    end = min(end if end > start else 2.0 * start, math.exp(scales.LOGS[1]))
    place = scales.Scale(kind, end)
    low, high = float(place.forward(start)), float(place.forward(end))
    width = (high - low) / (1 - _MARGIN)
    right, mark = (float(place.inverse(low + width * share)) for share in (1, 1 - _MARGIN / 2))
    if under is None:
        place.apply(axes)
        axes.set(xlim=(float(place.inverse(low - 0.012 * width)), right), ylim=(-0.015, 1.03))
        axes.axvspan(end, right, color="0.94", lw=0, zorder=0)
        axes.axvline(end, color="0.55", lw=0.5, zorder=1)
        if place.kind == "broken":
            axes.axvline(scales.BREAK, color="0.55", lw=0.6, linestyle=(0, (1, 2)), zorder=1)
        scales.set_ticks(axes, start, end, place.kind)
        axes.set(xlabel=unit + scales.SCALE_WORDS[place.kind], ylabel="share solved ρ(τ)")
    data = data[np.isfinite(data[x])]
    steps, bands = frames.steps(data, x, [y], by=hue), _bands(data, x, y, hue, pens)
    drawn: style.Drawn = {"drawstyle": "default"} if smooth else {}
    for i, (name, (tau, rho)) in enumerate(steps.items()):
        pen, more = pens[name], drawn | {"band": bands.get(name, ())}
        if under is not None:
            curve(axes, pen, i, tau, rho, width=under, zorder=2.5, gid=axes_level.gid(axes, "under", i), **more)
            continue
        at = place.inverse(low + shares(4, i, len(steps)) * (high - low))
        curve(axes, pen, i, tau, rho, marks=at[at <= tau[-1]], **more)
        if not pen.faded:
            axes.plot([tau[-1], mark], [rho[-1]] * 2, color=pen.colour, lw=0.5, zorder=2)
            axes.plot([mark], [rho[-1]], linestyle="none", **axes_level.marker(pen, 3.6))


@axes_level.drawing(one_by_one=True)
def ecdf_plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    x: str = "x",
    y: str = "fraction",
    hue: str = "algorithm",
    unit: str = "running time",
    limits: tuple[float, float] | None = None,
    n_marks: int = 4,
    markersize: float = 3.4,
    linewidth: float | None = None,
    ends: Frame | None = None,
) -> None:
    """Draw cumulative distributions of running times over a logarithmic axis: steps, which hold their last value.

    Parameters
    ----------
    data : pandas.DataFrame
        As of `profile_plot`.
    n_marks : int
        Markers on each curve.
    ends : pandas.DataFrame, optional
        Rows of `ecdf_curves`, of any curves: a cross marks each `budget_median`, beyond which the curve is lighter; grey ones
        end there.
    """
    left, right = limits or ecdf_range(data[x], ends)
    # of panels that share their axes the first one sets the scale for all: each would tell all others
    if limits is None or axes.get_xscale() != "log":
        axes.set(xscale="log", xlim=(left, right), ylim=(-0.015, 1.03))
    steps, bands = frames.steps(data, x, [y], by=hue), _bands(data[data[x] > 0], x, y, hue, pens)
    budgets = {} if ends is None else _budgets(data, ends)
    for place, (name, (at, fraction)) in enumerate(steps.items()):
        # from zero at the left edge up the first step; after the last step the curve holds its value, or ends where it is grey
        end = budgets.get(name, np.inf)
        stop = end if pens[name].faded and left <= end < right else right
        inside = (at > 0) & (at <= stop)
        heights = np.append(np.append(0.0, fraction[at <= 0])[-1], fraction[inside])
        full_x = np.concatenate([[left], at[inside], [stop]])
        full_y = np.append(heights, heights[-1])
        lighter: style.Drawn = {"alpha": 0.35, "label": "_beyond"} if end < stop else {}
        curve(
            axes,
            pens[name],
            place,
            full_x,
            full_y,
            marks=np.exp(math.log(left) + shares(n_marks, place, len(steps)) * math.log(right / left)),
            band=_held(bands.get(name, ()), right),
            width=linewidth,
            size=markersize,
            **lighter,
        )
        if left <= end < stop:
            last = int(np.searchsorted(full_x, end, side="right"))
            reached = [*full_y[:last], full_y[last - 1]]
            axes_level.step(axes, [*full_x[:last], end], reached, pens[name], place, width=linewidth, gid=None)
            axes.plot([end], reached[-1:], color=pens[name].colour, zorder=6, gid=axes_level.gid(axes, "budget", place), **CROSS)
    few = n_marks < 4
    scales.decades(axes.xaxis, left, right, 4 if few else 8, minor=not few)
    axes.set(xlabel=unit, ylabel=SHARE)


@axes_level.drawing(one_by_one=True)
def value_ecdf_plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    x: str = "x",
    y: str = "fraction",
    hue: str = "algorithm",
    unit: str = "value",
) -> None:
    """Draw cumulative distributions of values reached: steps from the best value on the left, which hold their last share.

    The axis is logarithmic where all values are positive and span a factor of ten.

    Parameters
    ----------
    data : pandas.DataFrame
        As of `profile_plot`. Where shares rise as x falls, larger values are better, and the axis falls from left to right.
    """
    steps, bands = frames.steps(data, x, [y], by=hue), _bands(data, x, y, hue, pens)
    larger = any(fraction[0] > fraction[-1] for _, fraction in steps.values())
    low, high = float(data[x].min()), float(data[x].max())
    if low > 0 and high >= 10 * low:
        axes.set_xscale("log")
        low, high = low * 0.9, high * 1.1
        scales.decades(axes.xaxis, low, high, 4, minor=False)
    else:
        margin = 0.05 * (high - low) or 0.5
        low, high = low - margin, high + margin
    best, worst = (high, low) if larger else (low, high)
    axes.set(xlim=(best, worst), ylim=(-0.015, 1.03))
    turn = slice(None, None, -1 if larger else 1)
    for place, (name, (at, fraction)) in enumerate(steps.items()):
        band = _held(tuple(values[turn] for values in bands.get(name, ())), worst)
        xs = np.concatenate([[best], at[turn], [worst]])
        ys = np.concatenate([[0.0], fraction[turn], fraction[turn][-1:]])
        curve(axes, pens[name], place, xs, ys, band=band)
        if not pens[name].faded:
            axes.plot(xs[-1:], ys[-1:], linestyle="none", clip_on=False, **axes_level.marker(pens[name], 3.4))
    axes.set(xlabel=unit, ylabel=SHARE_OF_VALUES)


def _budgets(data: Frame, ends: Frame) -> dict[str, float]:
    """Return the median budget of each algorithm in a panel."""
    keys = [key for key in ("suite", "group", "problem", "dimension", "target") if key in data and key in ends]
    here = frames.rows_of(ends, frames.records(data[keys].head(1))[0])
    return dict(zip(here["algorithm"].astype(str), here["budget_median"].astype(float), strict=True))


def ecdf_range(x: pd.Series, ends: Frame | None = None) -> tuple[float, float]:
    """Return the ends of an axis of running times, with room for median budgets."""
    times = pd.concat([x, *([] if ends is None else [ends["budget_median"]])])
    times = times[np.isfinite(times) & (times > 0)]
    if times.empty:
        return 1.0, 10.0
    left, right = float(times.min()), float(times.max())
    return left * 0.9, max(right, left * 10) * 1.25


def order(panels: Iterable[pd.DataFrame]) -> list[str]:
    """Order algorithms by the mean over all panels of rho(tau_max), falling, then by the height of the curve.

    Many are ordered by the height first: of them only the best stand out, which are those of the headline.
    """
    total: dict[str, list[tuple[float, float]]] = {}
    for data in panels:
        for name, (tau, rho) in frames.steps(data, "tau", ["rho"]).items():
            keep = np.isfinite(tau) & (tau > 0)
            height = float(np.dot(rho[keep][:-1], np.diff(np.log(tau[keep]))))
            total.setdefault(name, []).append((float(rho[-1]), height))
    # sums of shares that are equal on paper differ in the last bits
    ends_first = {name: [round(float(mean), 12) for mean in np.mean(values, axis=0)] for name, values in total.items()}
    return sorted(total, key=lambda name: [-mean for mean in ends_first[name][:: 1 if len(total) <= MOST_NAMED else -1]])


def ends(data: Frame, y: str) -> dict[str, float]:
    """Return the last value of each algorithm's curve, the largest share."""
    return {str(name): float(end) for name, end in data.groupby("algorithm", observed=True)[y].max().items()}


def _bands(data: Frame, x: str, y: str, hue: str, pens: Pens) -> dict[str, tuple[np.ndarray, ...]]:
    columns = [f"{y}_low", f"{y}_high"]
    if not set(columns) <= set(data.columns):
        return {}
    return {
        name: band
        for name, band in frames.steps(data[data[columns[0]].notna()], x, columns, by=hue).items()
        if name in banded(pens)
    }


def _held(band: tuple[np.ndarray, ...], end: float) -> tuple[np.ndarray, ...]:
    """Return a band that holds its last values up to the end of the axis."""
    return (np.append(band[0], end), *(np.append(side, side[-1]) for side in band[1:])) if band else ()


def shares(n: int, place: int, n_curves: int) -> np.ndarray:
    """Return places of marks on an axis from 0 to 1, for each curve others."""
    return (np.arange(n) + (place + 0.5) / n_curves) / max(n, 1)
