"""Kaplan–Meier curves: the share unsolved after a time, a panel for each suite, dimension and target."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.exhibits.figures import axes_level, curves, options
from benchmill.exhibits.figures.panels import banded
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet

#: What a study can set.
Options = options.OfMeasures
GRID = Grid(0.3, lambda *_: 1.7, across=(3, 2), wide=True, share="y", legend=True, y="share unsolved")


def select(sheet: Sheet) -> None:
    """Take a panel per suite, dimension and target."""
    sheet.take(sheet.table(), most=12)
    least = sheet.rows.groupby("algorithm", observed=True, sort=False)["unsolved"].min()
    means = sheet.table("restricted_means").groupby("algorithm", observed=True)["mean"].mean()
    order = pd.DataFrame({"least": least, "mean": means.reindex(least.index)}).sort_values(["least", "mean"], kind="stable")
    sheet.order(order.index, leader=str(order["mean"].idxmin()) if order["mean"].notna().any() else "")
    unit = sheet.measure.of_runs.with_unit()
    sheet.keywords, sheet.grid = {"unit": unit}, GRID._replace(x=unit)
    if len(sheet.parts) == 1:
        sheet.grid = sheet.grid._replace(rest=0.0, row=lambda *_: 2.6)


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, unit: str = "time") -> None:
    """Draw the share unsolved over a logarithmic axis of times, as steps.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `kaplan_meier` of one panel: `algorithm`, `x`, `unsolved`, `low`, `high`.
    unit : str
        Label of the axis of times.
    """
    wide = banded(pens)
    positive = data.loc[data["x"] > 0, "x"]
    start = float(positive.min()) / 1.3 if len(positive) else 1.0
    for place, (name, own) in enumerate(data.groupby("algorithm", sort=False, observed=True)):
        own, pen = own.sort_values("x"), pens[name]
        x, y = np.maximum(own["x"].to_numpy(float), start), own["unsolved"].to_numpy(float)
        band = (x, own["low"], own["high"]) if own["low"].notna().all() and name in wide else ()
        curves.curve(axes, pen, place, x, y, band=band, marks=x[np.unique(np.linspace(1, x.size - 1, 3).astype(int))])
    axes.set(xscale="log", ylim=(-0.015, 1.03), xlabel=unit, ylabel="share unsolved")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    means = sheet.table("restricted_means")
    return sheet.told(
        level=means["level"].iloc[0],
        stopped=int(means["n_stopped"].sum()),
        targets=means["target"].nunique(),
        banded=sheet.rows["low"].notna().any(),
        lost=int(means.groupby(["suite", "dimension"], dropna=False, observed=True)["n_left_out"].max().sum()),
    )
