"""Costs of algorithms against an attribute of the problems, such as their size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.figures import axes_level, captions, frames, grid, options, panels, runs, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

_MOST_PANELS = 12
#: Bins at most, and the problems that each has at least.
_MOST_BINS, _FEWEST = 8, 8
#: An axis is logarithmic where its values span this factor.
_DECADE = 10.0
#: Inches of a panel that is alone.
_ALONE = (3.5, 2.6)
_PANEL = ["dimension", "target", "at_budget"]


@dataclass(frozen=True, kw_only=True)
class Options(options.Paged, options.OfMeasures):
    """What a study can set."""

    attribute: str | None = option(
        "The attribute: a column of numbers of `attributes.problems`; by default the first one.", None, minLength=1
    )


@dataclass(frozen=True)
class _Scale:
    """An axis: its lower end, the end of its values, and that of the rim beyond them, which may be empty."""

    low: float
    inner: float
    outer: float
    log: bool

    def beyond(self, share: float) -> float:
        """Return the place in the rim at this share of its height."""
        if self.log:
            return float(self.inner * (self.outer / self.inner) ** share)
        return self.inner + share * (self.outer - self.inner)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a point for each algorithm and problem, and the median cost of each algorithm in bins of the attribute.

    A panel for each dimension and target. Failures lie on the rim above, in a row for each algorithm; of solver runs their marks
    say how the runs ended, and dotted lines are limits. An axis whose values span a decade is logarithmic. Of the settings
    `attribute` is the name of the attribute, and `values` its number by problem.
    """
    data, of_runs = _rows(tables, settings)
    looks = panels.looks(data, tables, settings, _best_first(data))
    # as the legend has them
    looks = dict(sorted(looks.items(), key=lambda item: item[1].stands != "front"))
    parts, _ = grid.chosen(data, _PANEL, _MOST_PANELS, settings)
    across, up = _scale(data["value"].to_numpy(float)), _costs_scale(data, of_runs, len(looks))
    outcomes = [name for name in runs.RIM if (data["ended"] == name).any()]
    more = [Line2D([], [], linestyle="none", **runs.rim_mark(name), label=runs.OUTCOMES[name][0]) for name in outcomes]

    def panel(rows: pd.DataFrame, ax: Axes) -> None:
        _panel(ax, rows, looks, across, up)
        if of_runs is not None:
            runs.draw_limits(ax, of_runs)

    with style.rc(settings):
        if len(parts) > 1:
            figure, axes = grid.page(len(parts), settings, looks)
        else:
            width = min(style.width_of(settings, wide=False), _ALONE[0])
            below = panels.legend_height(len(looks) + len(more), looks.values(), width, settings)
            figure = style.new_figure(settings, wide=False, height=_ALONE[1] + below)
            axes = [figure.subplots()]
        panels.fill(axes, parts, settings, panel, pad=None)
        label = settings["attribute"] + (" (log scale)" if across.log else "")
        panels.legend_below(figure, looks, settings, label, measures.with_unit(settings["measures"][0]), more)
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what points, lines and rim are, how many problems are in a bin, and which are left out."""
    data, of_runs = _rows(tables, settings)
    name, (parts, shown) = settings["attribute"], grid.chosen(data, _PANEL, _MOST_PANELS, settings)
    known = data.drop_duplicates(list(grid.PROBLEM))
    every = panels.of_measure(tables, settings, "against", "ratios", included=True).drop_duplicates(list(grid.PROBLEM))
    absent = len(every) - len(known)
    counts = [np.bincount(_problems(rows)["bin"]) for _, rows in parts]
    n_bins, sizes = sorted({len(found) for found in counts}), sorted({int(n) for found in counts for n in found})
    lines = (
        "Larger markers: medians over all problems."
        if n_bins == [1]
        else f"Lines: medians in {captions.span(n_bins)} bins of {captions.counted(sizes, 'problem')} of similar {name}."
    )
    failed = np.isinf(data["cost"].to_numpy(float))
    return captions.joined(
        f"Cost of {display.plural(data['algorithm'].nunique(), 'algorithm')} on {display.plural(len(known), 'problem')}, measure "
        f"{measures.told(settings['measures'][0])}, against {name}. {lines}",
        f"Panels shown: {display.count(len(parts))}{shown}." if shown else "",
        "Grey rim (∞): failures, one row per algorithm." if failed.any() else "",
        "Points on the lower edge cost 0." if _costs_scale(data, of_runs, 1).log and (data["cost"] == 0).any() else "",
        runs.limit_words(of_runs) if of_runs is not None else "",
        f"{display.plural(absent, 'problem')} without a value of {name} {'is' if absent == 1 else 'are'} left out."
        if absent
        else "",
        captions.trial_words(tables, settings["measures"][0]),
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return rows of `ratios` with the attribute as `value` and how failed runs ended as `ended`; the rows of `solver_runs`."""
    rows = panels.of_measure(tables, settings, "against", "ratios", included=True)
    name, values = settings.get("attribute"), settings.get("values")
    if not name or not values:
        raise UserError(
            "figures: against: found no attribute of problems, expected `attribute`, its name, and `values`, a number by "
            "problem; of a study, name a table with a column of numbers in attributes.problems."
        )
    rows = rows.assign(value=rows["problem"].astype(str).map(values).astype(float))
    rows = rows[rows["value"].notna()]
    if rows.empty:
        raise UserError(
            f"figures: against: found no problem with a value of {name!r}, expected some; write the names of problems in "
            "attributes.problems as the results have them."
        )
    of_runs = runs.of_measure(tables, settings)
    return rows.assign(ended=runs.ended(rows, of_runs)), of_runs


def _best_first(data: pd.DataFrame) -> list[str]:
    """Order algorithms by the number of rows that they solve."""
    solved = data[np.isfinite(data["cost"])].groupby("algorithm", observed=True).size()
    return grid.order_of({name: float(solved.get(name, 0)) for name in frames.algorithms(data)})


def _scale(values: np.ndarray, reach: Sequence[float] = (), rim: float = 0.0) -> _Scale:
    """Return the axis of some values, up to at least `reach`, with a rim of this share of its length; zeros need not be on it."""
    found = np.concatenate([values[np.isfinite(values)], reach])
    positive = found[found > 0]
    low, high = (float(found.min()), float(found.max())) if found.size else (1.0, 10.0)
    # zero is drawn at the lower edge of costs; an attribute with one has a linear axis
    if positive.size and (low > 0 or (rim and low == 0)) and high >= _DECADE * positive.min():
        low = float(positive.min())
        span = high / low
        inner = high * span ** (0.1 if len(reach) else 0.05)
        return _Scale(low / span**0.05, inner, inner * span**rim, True)
    span = (high - low) or abs(high) or 1.0
    inner = high + (0.1 if len(reach) else 0.05) * span
    return _Scale(low - 0.05 * span, inner, inner + rim * span, False)


def _costs_scale(data: pd.DataFrame, of_runs: pd.DataFrame | None, n: int) -> _Scale:
    """Return the axis of the costs; its rim has a row for each of `n` algorithms."""
    reach = [] if of_runs is None else runs.limits(of_runs)
    found = _scale(data["cost"].to_numpy(float), reach, min(0.04 + 0.035 * n, 0.4))
    return found if np.isinf(data["cost"]).any() else _Scale(found.low, found.inner, found.inner, found.log)


def _bins(values: np.ndarray) -> np.ndarray:
    """Return the bin of each value: about equally many in each, equal values in the same one, numbered without gaps."""
    n = len(values)
    wanted = np.clip(n // _FEWEST, 1, _MOST_BINS)
    # equal values share their mean rank, and so their bin
    place = (pd.Series(values).rank().to_numpy() - 0.5) / n
    return np.unique(np.floor(place * wanted), return_inverse=True)[1]


def _problems(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the problems of a panel with their values and bins."""
    found = rows.drop_duplicates(list(grid.PROBLEM))[[*grid.PROBLEM, "value"]]
    return found.assign(bin=_bins(found["value"].to_numpy(float)))


def _panel(axes: Axes, rows: pd.DataFrame, looks: Mapping[str, Look], across: _Scale, up: _Scale) -> None:
    """Draw points, rim and medians of one panel."""
    _axis(axes, "x", across)
    _axis(axes, "y", up)
    if up.outer > up.inner:
        axes.axhspan(up.inner, up.outer, color="0.94", lw=0, zorder=0)
    problems = _problems(rows)
    middle = problems.groupby("bin")["value"].median()
    bin_of = problems.drop_duplicates("value").set_index("value")["bin"]
    medians = rows.assign(bin=rows["value"].map(bin_of)).groupby(["algorithm", "bin"], observed=True)["cost"].median()
    for place, (name, look) in enumerate(looks.items()):
        mine = rows[rows["algorithm"] == name]
        if mine.empty:
            continue
        failed, least = np.isinf(mine["cost"]), up.low if up.log else -np.inf
        dot = {**style.marker_style(look, 2.6), "linestyle": "none"}
        dot |= {"markerfacecolor": "none", "marker": "." if look.faded else look.marker, "alpha": 0.65}
        solved = mine[~failed]
        axes.plot(solved["value"], np.maximum(solved["cost"], least), gid=axes_level.gid(axes, "points", place), **dot)
        lane = up.beyond(1 - (place + 0.75) / (len(looks) + 0.5))
        for outcome, lost in mine[failed].groupby(mine["ended"].fillna(""), observed=True):
            mark = {**runs.rim_mark(str(outcome)), "markeredgecolor": look.colour} if outcome else dot
            gid = axes_level.gid(axes, "rim", place, str(outcome))
            axes.plot(lost["value"], np.full(len(lost), lane), **{**mark, "linestyle": "none", "gid": gid})
        found = medians.loc[name]
        y = np.where(np.isfinite(found), np.maximum(found, least), np.nan)
        drawn = style.line_style(look) | style.marker_style(look, 4.2)
        axes.plot(middle[found.index], y, **drawn, label=style.text(look.label), gid=axes_level.gid(axes, "medians", place))


def _axis(axes: Axes, which: str, scale: _Scale) -> None:
    """Set up an axis: its ticks, and that of the rim."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    if scale.log:
        grid.log_axis(axes, which, scale.low, scale.inner)
        ticks, words = list(axis.get_major_locator().tick_values(0, 1)), axis.get_major_formatter()
    else:
        ticks = [v for v in MaxNLocator(5).tick_values(scale.low, scale.inner) if scale.low <= v <= scale.inner]
        words = FuncFormatter(lambda v, _: display.target(float(f"{v:.6g}")))
    rim = [scale.beyond(0.5)] if scale.outer > scale.inner else []
    axis.set_major_locator(FixedLocator([*ticks, *rim]))
    axis.set_major_formatter(FuncFormatter(lambda v, place: "∞" if v > scale.inner else words(v, place)))
    (axes.set_xlim if which == "x" else axes.set_ylim)(scale.low, scale.outer)
