"""How the running time grows with the dimension: ERT over dimension, one panel per problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import axes_level, captions, options, panels, scales, style
from benchmill.figures.sheet import Grid, Sheet
from benchmill.text import display, frames
from benchmill.text.appearance import Pen, appearance
from benchmill.text.measures import called

#: What a study can set.
Options = options.joined(options.Paged, options.OfMeasures)
GRID = Grid(
    rest=0.4,
    row=lambda _, width: max(1.0, 0.72 * width),
    wide=True,
    share="xy",
    legend=True,
    x="dimension (log scale)",
    y="ERT / dimension",
)
#: The line of a growth with the square of the dimension, and the mark where nothing succeeded.
_SLOPE: dict[str, Any] = {"color": "0.75", "lw": 0.5, "linestyle": (0, (1, 2)), "zorder": 0.5}
_CROSS: dict[str, Any] = {"linestyle": "none", "marker": "x", "markersize": 3.0, "markeredgewidth": 0.8, "zorder": 4}


def select(sheet: Sheet) -> None:
    """Take a panel per problem, for one target; of one algorithm all targets, a line for each."""
    data, target, _ = _of_target(sheet)
    lines = "target" if target is None else "algorithm"
    sheet.rows = data
    if target is None:
        data = data.assign(target=data["target"].map(display.target))
        names = list(data["target"].unique())
        sheet.pens = {name: appearance(names)[name] for name in names}
        order = names
    else:
        sheet.order_by(solved(data))
        order = [name for name in sheet.known() if name in sheet.pens]
    sheet.take(data, panels.PROBLEM, most=30)
    dimensions = [row["dimension"] for row in frames.keys_of(data, ["dimension"])]
    sheet.shared = {"hue": lines, "order": order, "dimensions": dimensions, "limits": span(data)}
    sheet.shared |= {"linewidth": 0.9, "markersize": 2.6}
    sheet.more = [*entries(data), Line2D([], [], label="quadratic growth", **{**_SLOPE, "color": "0.45"})]


@axes_level.drawing(rows=lambda data: data[data["ert"].notna() & data["dimension"].notna()])
def plot(
    axes: Axes,
    data: pd.DataFrame,
    pens: dict[str, Pen],
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
    scales.log_axis(axes, "y", low, high)
    axes.set_xscale("log")
    axes.set_xlim(dimensions[0] * math.exp(-0.6 * spread), dimensions[-1] * math.exp(0.6 * spread))
    axes.xaxis.set_major_locator(FixedLocator([float(d) for d in dimensions]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(v)))
    # dotted lines of slope 1: ERT that grows with the square of the dimension
    across = np.array([dimensions[0] / 3, dimensions[-1] * 3], float)
    for k in range(math.floor(math.log10(low)) - 3, math.ceil(math.log10(high)) + 1):
        axes.plot(across, 10.0**k * across / dimensions[0], **_SLOPE)
    unsolved = []
    for place, name in enumerate(order):
        rows, shift = data[data[hue] == name], 0.5 * spread * ((place + 0.5) / len(order) - 0.5)
        at = np.log(rows["dimension"].to_numpy(float))
        unsolved.append(points(axes, rows, at, shift, pens[name], place, (linewidth, markersize), np.exp))
    crosses(axes, unsolved)
    axes.set(xlabel="dimension (log scale)", ylabel="ERT / dimension")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data, target, others = _of_target(sheet)
    what = f"to the target {display.target(target)}" if target is not None else "to several targets"
    return [
        f"Expected running time (ERT), divided by the dimension, {what} against the dimension on "
        f"{display.plural(len(sheet.parts), 'problem')}{sheet.which} (measure {called(sheet.measure)}).",
        *words(data),
        "Horizontal is linear growth.",
        panels.left_out(others, "target"),
    ]


def known(sheet: Sheet) -> pd.DataFrame:
    """Return the rows of `indicators` that have a running time."""
    data = sheet.table()
    return sheet.some(data[data["ert"].notna()], f"measure {sheet.measure['name']!r} with a running time")


def words(data: pd.DataFrame) -> list[str]:
    """Say what whiskers and crosses are, and how many trials are behind the points."""
    level = data["level"].dropna()
    counted = captions.per_row(data, "n_trials", "trial")
    missing = int(data["n_missing"].sum())
    return [
        f"Whiskers: {display.target(100 * level.iloc[0])} % intervals over the trials."
        if level.size and data["ert_low"].notna().any()
        else "",
        "Crosses: mean budgets where no trial succeeded; black: of several algorithms." if entries(data) else "",
        f"Each point rests on {counted}{f' ({display.count(missing)} missing in all)' if missing else ''}.",
    ]


def entries(data: pd.DataFrame) -> list[Line2D]:
    """Return what a legend says of crosses."""
    some = (np.isinf(data["ert"]) & data["failure_budget"].notna()).any()
    return [Line2D([], [], color="black", label="mean budget, none succeeded", **_CROSS)] if some else []


def span(data: pd.DataFrame) -> tuple[float, float]:
    """Return limits of ERT / dimension over everything that is drawn."""
    dimension = data["dimension"].fillna(1).to_numpy(float)
    values = np.concatenate([data[name].to_numpy() / dimension for name in ("ert", "failure_budget")])
    values = values[np.isfinite(values) & (values > 0)]
    if not values.size:
        return 0.5, 20.0
    return float(values.min()) / 1.5, max(float(values.max()), 10 * float(values.min())) * 1.5


def points(
    axes: Axes,
    rows: pd.DataFrame,
    x: Any,
    shift: float,
    pen: Pen,
    place: int,
    sizes: tuple[float | None, float],
    scale: Any = np.asarray,
) -> pd.DataFrame:
    """Draw the ERTs of one line: markers joined where neighbours are finite, and whiskers; return where nothing succeeded."""
    order = np.argsort(x, kind="stable")
    dimension = rows["dimension"].fillna(1).to_numpy(float)
    columns = ("ert", "ert_low", "ert_high", "failure_budget")
    ert, low, high, spent = ((rows[c].to_numpy(float, na_value=np.nan) / dimension)[order] for c in columns)
    x = x[order]
    found = np.isfinite(ert)
    at = scale(x + shift)
    drawn = axes_level.marker(pen, sizes[1]) | style.line_style(pen, sizes[0])
    axes.plot(at, np.where(found, ert, np.nan), **drawn, label=style.text(pen.label), gid=axes_level.gid(axes, "line", place))
    whole = found & np.isfinite(low) & np.isfinite(high) & (low > 0) & (not pen.faded)
    axes.vlines(at[whole], low[whole], high[whole], color=pen.colour, lw=0.5, zorder=2)
    lost = ~found & np.isfinite(spent) & (not pen.faded)
    return pd.DataFrame({"middle": scale(x[lost]), "x": at[lost], "y": spent[lost], "colour": pen.colour})


def crosses(axes: Axes, unsolved: Sequence[pd.DataFrame]) -> None:
    """Draw crosses where nothing succeeded: one in black for those that would touch."""
    lost = pd.concat(unsolved)
    lost = lost.assign(near=np.round(np.log10(lost["y"].to_numpy(float)) / 0.25))
    for place, (_, rows) in enumerate(lost.groupby(["middle", "near"])):
        alone = rows.iloc[0] if len(rows) == 1 else None
        x = rows["middle"].iloc[0] if alone is None else alone["x"]
        y = np.exp(np.log(rows["y"]).mean()) if alone is None else alone["y"]
        colour = "black" if alone is None else alone["colour"]
        axes.plot([x], [y], color=colour, gid=axes_level.gid(axes, "unsolved", place), **_CROSS)


def _of_target(sheet: Sheet) -> tuple[pd.DataFrame, Any, list[Any]]:
    """Return rows, target, and the others; of one algorithm at several targets none is chosen."""
    data = known(sheet)
    data = sheet.some(data[data["dimension"].notna()], f"measure {sheet.measure['name']!r} with a running time and a dimension")
    if data["algorithm"].nunique() == 1 and data["target"].nunique() > 1:
        return data, None, []
    return sheet.take_one(data, "target", which=data["target"].nunique() // 2)


def solved(data: pd.DataFrame) -> dict[str, float]:
    """Return the number of finite ERTs of each algorithm, less a little of the mean of log ERT."""
    found = data[np.isfinite(data["ert"])].groupby("algorithm", observed=True)["ert"]
    score = found.count() - found.agg(lambda ert: np.log1p(ert.to_numpy()).mean()) / 1e3
    return {name: float(score.get(name, 0.0)) for name in frames.names(data)}
