"""How the running time grows: ERT over dimension against the dimension, or the target, one panel per problem."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchmill.core import UserError
from benchmill.exhibits.figures import axes_level, options, panels, scales, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet
from benchmill.text import display, frames
from benchmill.text.appearance import appearance

#: What a study can set.
Options = options.PagedMeasures
#: What the horizontal axis says, by the key that it is of.
_AXES = {"dimension": "dimension (log scale)", "target": "target (harder to the right)"}
#: The line of a growth with the square of the dimension, and the mark where nothing succeeded.
_SLOPE: style.Drawn = {"color": "0.75", "lw": 0.5, "linestyle": (0, (1, 2)), "zorder": 0.5}
_CROSS: style.Drawn = {"linestyle": "none", "marker": "x", "markersize": 3.0, "markeredgewidth": 0.8, "zorder": 4}

#: Small panels, with axes that they share.
GRID = Grid(0.4, lambda _, width: max(1.0, 0.72 * width), wide=True, share="xy", legend=True)


def select(sheet: Sheet) -> None:
    """Take a panel per problem, of one target or dimension; of one algorithm all targets, a line for each."""
    over = "target" if sheet.kind.name == "running_time" else "dimension"
    data = sheet.table()
    data = data[data["ert"].notna() & data[over].notna()]
    if data.empty:
        raise UserError(
            f"figures: {sheet.kind.name}: it draws running times over the {over}, and the measure {sheet.measure.name!r} has "
            f"none with a {over}; use the table instead, or give data with a {over}."
        )
    several = data["target"].nunique()
    lines = "target" if over == "dimension" and data["algorithm"].nunique() == 1 < several else "algorithm"
    if over == "target":
        data = sheet.take_one(data, "dimension")
    elif lines == "algorithm":
        data = sheet.take_one(data, "target", several // 2)
    sheet.rows, places = data, frames.only(data, over)
    if lines == "target":
        data = data.assign(target=data["target"].map(display.target))
        pens = appearance(data["target"].unique())
        sheet.pens = {name: pens[name] for name in data["target"].unique()}
    else:
        finite = data[np.isfinite(data["ert"])].groupby("algorithm", observed=True)["ert"]
        # who has most finite ERTs is the best, then who has the smaller mean of log ERT
        score = finite.count() - finite.agg(lambda ert: np.log1p(ert.to_numpy()).mean()) / 1e3
        sheet.order_by(score.reindex(frames.names(data), fill_value=0.0))
    sheet.take(data, panels.PROBLEM, most=30)
    sheet.keywords, sheet.grid = {"over": over, "hue": lines}, GRID._replace(x=_AXES[over], y=_measured(data))
    sheet.shared = {"places": places, "limits": _span(data), "linewidth": 0.9, "markersize": 2.6}
    if (np.isinf(data["ert"]) & data["failure_budget"].notna()).any():
        sheet.other_entries = [Line2D([], [], color="black", label="mean budget, none succeeded", **_CROSS)]
    if sheet.keywords["over"] == "dimension":
        sheet.other_entries = [*sheet.other_entries, Line2D([], [], label="quadratic growth", **{**_SLOPE, "color": "0.45"})]


@axes_level.drawing(rows=lambda data: data[data["ert"].notna()])
def plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    over: str | None = None,
    hue: str = "algorithm",
    places: Sequence[float] | None = None,
    limits: tuple[float, float] | None = None,
    linewidth: float | None = None,
    markersize: float = 4.2,
) -> None:
    """Draw ERT / dimension of one problem against dimension or target.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `indicators` of one problem: `algorithm`, `dimension`, `target`, `ert`, `ert_low`, `ert_high`, `failure_budget`.
    over : {"dimension", "target"}, optional
        By default the dimension where there are several.
    places : sequence of float, optional
        What the axis has room for, rising; by default the data.
    """
    over = over or ("dimension" if data["dimension"].nunique() > 1 else "target")
    places = frames.only(data, over) if places is None else places
    at = np.log(np.asarray(places, float)) if over == "dimension" else np.arange(len(places), dtype=float)[::-1]
    where = dict(zip(places, at.tolist(), strict=True))
    ends = (min(at, default=0.0), max(at, default=0.0))
    step = min(np.abs(np.diff(at)), default=1.0)
    low, high = limits or _span(data)
    scales.log_axis(axes, "y", low, high)
    # the names of more dimensions would touch
    shown = (
        np.unique(np.abs(at[:, None] - (at if len(at) <= 12 else np.linspace(*ends, 5))).argmin(axis=0))
        if over == "dimension"
        else np.arange(len(at))[:: -max(1, math.ceil(len(at) / 3))]
    )
    axes.set_xticks(at[shown], [display.target(places[place]) for place in shown.tolist()])
    if over == "dimension":
        # dotted lines of slope 1: ERT that grows with the square of the dimension
        across = np.array([ends[0] - 1, ends[1] + 1])
        for k in range(math.floor(math.log10(low)) - 3, math.ceil(math.log10(high)) + 1):
            axes.plot(across, 10.0**k * np.exp(across - ends[0]), **_SLOPE)
    columns = data[["ert", "ert_low", "ert_high", "failure_budget"]].div(data["dimension"].fillna(1), axis=0).astype(float)
    rows = columns.assign(line=data[hue], target=data["target"], x=data[over].map(where).astype(float))
    rows, banded, crosses = rows.sort_values("x", kind="stable"), panels.banded(pens), []
    for line, (name, pen) in enumerate(pens.items()):
        own = rows[rows["line"] == name]
        if over == "target":
            # one cross: at the easiest target that no trial reached
            own = own[np.isfinite(own["ert"]) | (own["target"] == own["target"].where(np.isinf(own["ert"])).max())]
        own = own.assign(beside=own["x"] + 0.5 * step * ((line + 0.5) / len(pens) - 0.5))
        # markers joined where neighbours are finite
        reached = np.isfinite(own["ert"])
        axes.plot(
            own["beside"],
            own["ert"].where(reached),
            **(axes_level.marker(pen, markersize) | style.line_style(pen, linewidth)),
            label=style.text(pen.label),
            gid=axes_level.gid(axes, "line", line),
        )
        known = np.isfinite(own[["ert", "ert_low", "ert_high"]]).all(axis=1)
        whole = own[known & (own["ert_low"] > 0) & (name in banded)]
        axes.vlines(whole["beside"], whole["ert_low"], whole["ert_high"], color=pen.colour, lw=0.5, zorder=2)
        crosses.append(own[~reached & np.isfinite(own["failure_budget"]) & (not pen.faded)].assign(colour=pen.colour))
    # a cross where nothing succeeded; one in black for those that would touch
    unsolved = pd.concat(crosses)
    near = np.round(np.log10(unsolved["failure_budget"]) / 0.25)
    for place, (_, own) in enumerate(unsolved.groupby(["x", near])):
        first, between = own.iloc[0], np.exp(np.log(own["failure_budget"]).mean())
        left, up, colour = first[["beside", "failure_budget", "colour"]] if len(own) == 1 else (first["x"], between, "black")
        axes.plot([left], [up], color=colour, gid=axes_level.gid(axes, "unsolved", place), **_CROSS)
    axes.set(xlim=(ends[0] - 0.6 * step, ends[1] + 0.6 * step), xlabel=_AXES[over], ylabel=_measured(data))


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown, what whiskers and crosses are, and how many trials are behind the points."""
    data = sheet.rows
    level = data["level"].dropna()
    return sheet.told(
        divided=data["dimension"].notna().any(),
        targets=frames.only(data, "target")[::-1],
        intervals=level.size and data["ert_low"].notna().any(),
        level=level.iloc[0] if level.size else None,
        crossed=(np.isinf(data["ert"]) & data["failure_budget"].notna()).any(),
        missing=frames.n_missing(data),
    )


def _measured(data: Frame) -> str:
    return "ERT / dimension" if data["dimension"].notna().any() else "ERT"


def _span(data: Frame) -> tuple[float, float]:
    """Return limits of ERT / dimension over everything that is drawn."""
    values = data[["ert", "failure_budget"]].div(data["dimension"].fillna(1), axis=0).to_numpy(float, na_value=np.nan)
    values = values[np.isfinite(values) & (values > 0)]
    if not values.size:
        return 0.5, 20.0
    return float(values.min()) / 1.5, max(float(values.max()), 10 * float(values.min())) * 1.5
