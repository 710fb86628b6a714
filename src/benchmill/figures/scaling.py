"""How the running time grows with the dimension: ERT over dimension, one panel per problem."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look, appearance
from benchmill.text.measures import called

_MOST_PANELS = 30
#: What a study can set.
Options = options.joined(options.Target, options.Paged, options.OfMeasures)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw ERT / dimension against dimension, both logarithmic, for one target, one line per algorithm.

    A cross is what a failed trial spent. Of one algorithm there is a line per target instead.
    """
    data, _, lines = _rows(tables, settings)
    looks, order = _lines(data, tables, settings, lines)
    if lines == "target":
        data = data.assign(target=data["target"].map(display.target))
    parts, _ = panels.chosen(data, panels.PROBLEM, _MOST_PANELS, settings)
    dimensions = [row["dimension"] for row in frames.groups(data, ["dimension"])]
    of: dict[str, Any] = {"hue": lines, "order": order, "dimensions": dimensions, "limits": span(data), "linewidth": 0.9}
    with style.rc(settings):
        figure, axes = panels.page(len(parts), settings, looks)
        panels.fill(axes, parts, settings, partial(plot, **of, markersize=2.6, palette=looks))
        panels.legend_below(figure, looks, settings, "dimension (log scale)", "ERT / dimension")
    return figure


@axes_level.drawing(rows=lambda data: data[data["ert"].notna() & data["dimension"].notna()])
def plot(
    axes: Axes,
    data: pd.DataFrame,
    looks: dict[str, Look],
    hue: str = "algorithm",
    order: Sequence[Any] | None = None,
    dimensions: Sequence[int] | None = None,
    limits: tuple[float, float] | None = None,
    linewidth: float | None = None,
    markersize: float = 4.2,
) -> None:
    """Draw ERT / dimension against dimension of one problem.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `indicators` of one problem, and of one target: `algorithm`, `dimension`, `ert`, `failure_budget`, and with
        whiskers `ert_low` and `ert_high`.
    dimensions : sequence of int, optional
        What the axis has room for; by default the data.
    """
    order = list(data[hue].cat.categories) if order is None else order
    dimensions = frames.only(data, "dimension") if dimensions is None else dimensions
    low, high = limits or span(data)
    spread = min((math.log(b / a) for a, b in pairwise(dimensions)), default=1.0)
    panels.log_axis(axes, "y", low, high)
    axes.set_xscale("log")
    axes.set_xlim(dimensions[0] * math.exp(-0.6 * spread), dimensions[-1] * math.exp(0.6 * spread))
    axes.xaxis.set_major_locator(FixedLocator([float(d) for d in dimensions]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(v)))
    # dotted lines of slope 1: ERT that grows with the square of the dimension
    across = np.array([dimensions[0] / 3, dimensions[-1] * 3], float)
    for k in range(math.floor(math.log10(low)) - 3, math.ceil(math.log10(high)) + 1):
        axes.plot(across, 10.0**k * across / dimensions[0], color="0.75", lw=0.5, linestyle=(0, (1, 2)), zorder=0.5)
    for place, name in enumerate(order):
        rows = data[data[hue] == name]
        shift = math.exp(0.5 * spread * ((place + 0.5) / len(order) - 0.5))
        points(axes, rows, rows["dimension"].to_numpy(float) * shift, looks[name], place, (linewidth, markersize))
    axes.set(xlabel="dimension (log scale)", ylabel="ERT / dimension")


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, target, lines = _rows(tables, settings)
    looks, _ = _lines(data, tables, settings, lines)
    parts, of = panels.chosen(data, panels.PROBLEM, _MOST_PANELS, settings)
    what = f"to the target {display.target(target)}" if lines == "algorithm" else "to several targets"
    several = frames.rows_of(tables["indicators"], {"measure": settings["measure"]["name"]})
    others = [row["target"] for row in frames.groups(several, ["target"]) if row["target"] not in (target, None)]
    return captions.joined(
        f"Expected running time (ERT), divided by the dimension, {what} against the dimension on "
        f"{display.plural(len(parts), 'problem')}{of} (measure {called(settings['measure'])}).",
        words(data, tables),
        panels.left_out(others, "target") if lines == "algorithm" else "",
        panels.highlight_words(looks, settings),
    )


def words(data: pd.DataFrame, tables: Mapping[str, Any]) -> str:
    """Say what whiskers are, and how many trials are behind the points."""
    level = data["level"].dropna()
    whiskers = (
        f"Whiskers: {display.target(100 * level.iloc[0])} % intervals over the trials. "
        if level.size and data["ert_low"].notna().any()
        else ""
    )
    fewest, most = int(data["n_trials"].min()), int(data["n_trials"].max())
    counted = display.plural(most, "trial") if fewest == most else f"{display.count(fewest)} to {display.plural(most, 'trial')}"
    missing = int(data["n_missing"].sum())
    return f"{whiskers}Each point rests on {counted}{f' ({display.count(missing)} missing in all)' if missing else ''}."


def span(data: pd.DataFrame) -> tuple[float, float]:
    """Return limits of ERT / dimension over everything that is drawn."""
    dimension = data["dimension"].fillna(1).to_numpy(float)
    values = np.concatenate([data[name].to_numpy() / dimension for name in ("ert", "failure_budget")])
    values = values[np.isfinite(values) & (values > 0)]
    if not values.size:
        return 0.5, 20.0
    return float(values.min()) / 1.5, max(float(values.max()), 10 * float(values.min())) * 1.5


def points(axes: Axes, rows: pd.DataFrame, x: np.ndarray, look: Look, place: int, sizes: tuple[float | None, float]) -> None:
    """Draw the ERTs of one line: markers joined where neighbours are finite, whiskers, crosses where nothing succeeded."""
    order = np.argsort(x, kind="stable")
    dimension = rows["dimension"].fillna(1).to_numpy(float)
    columns = ("ert", "ert_low", "ert_high", "failure_budget")
    ert, low, high, spent = ((rows[c].to_numpy(float, na_value=np.nan) / dimension)[order] for c in columns)
    x = x[order]
    found = np.isfinite(ert)
    drawn = axes_level.marker(look, sizes[1]) | style.line_style(look, sizes[0])
    axes.plot(x, np.where(found, ert, np.nan), **drawn, label=style.text(look.label), gid=axes_level.gid(axes, "line", place))
    if look.faded:
        return
    whole = found & np.isfinite(low) & np.isfinite(high) & (low > 0)
    axes.vlines(x[whole], low[whole], high[whole], color=look.colour, lw=0.5, zorder=2)
    cross: dict[str, Any] = {"linestyle": "none", "marker": "x", "markersize": 3.0, "markeredgewidth": 0.8, "zorder": 4}
    axes.plot(x[~found], spent[~found], color=look.colour, gid=axes_level.gid(axes, "unsolved", place), **cross)


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, Any, str]:
    """Return rows, target, and what makes a line: `target` in a study of one algorithm."""
    name = settings["measure"]["name"]
    data = frames.rows_of(tables["indicators"], {"measure": name})
    data = data[data["ert"].notna() & data["dimension"].notna()]
    panels.some(data, "scaling", f"measure {name!r} with a running time and a dimension")
    if data["algorithm"].nunique() == 1 and settings.get("target") is None:
        return data, None, "target"
    targets = [row["target"] for row in frames.groups(data, ["target"])]
    rows, target, _ = panels.one_of(data, "target", settings.get("target"), which=len(targets) // 2)
    return rows, target, "algorithm"


def _lines(
    data: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any], lines: str
) -> tuple[dict[str, Look], list[str]]:
    """Return the looks of the lines, best first, and their order from left to right."""
    if lines == "target":
        targets = [row["target"] for row in frames.groups(data, ["target"])]
        names = [display.target(t) for t in targets]
        looks = appearance(names)
        return {name: looks[name] for name in names}, names
    names = solved(data)
    looks = panels.looks(data, tables, settings)
    return panels.highlighted(looks, names, settings), [name for name in looks if name in names]


def solved(data: pd.DataFrame) -> list[str]:
    """Order algorithms by finite ERTs, falling, then by the mean of log ERT."""
    found = data[np.isfinite(data["ert"])].groupby("algorithm", observed=True)["ert"]
    score = found.count() - found.agg(lambda ert: np.log1p(ert.to_numpy()).mean()) / 1e3
    return panels.order_of({name: float(score.get(name, 0.0)) for name in frames.algorithms(data)})
