"""Cactus plots: the time within which a solver solves so many instances, each on its own."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import curves, options, runs
from benchmill.figures.sheet import Grid, Sheet, lay_out
from benchmill.text import measures
from benchmill.text.appearance import Pen

#: What a study can set.
Options = options.OfMeasures


def select(sheet: Sheet) -> None:
    """Take the runs of the instances that all solvers were run on."""
    sheet.take(sheet.table(included=True))
    runs.order(sheet, list(runs.shares(sheet.rows).index))
    sheet.of = {"unit": measures.with_unit(sheet.measure)}


def draw(sheet: Sheet) -> Figure:
    """Draw the times of the instances that each solver solves, sorted; a curve that ends further right solves more."""
    wide = sum(not pen.faded for pen in sheet.pens.values()) > 8
    return lay_out(sheet, plot, Grid(0.0, lambda _, width: 2.7 if width > 5 else 2.3, wide=wide, legend=True, bare=False))


@runs.drawing
def plot(axes: Axes, data: pd.DataFrame, pens: dict[str, Pen], unit: str = "time") -> None:
    """Draw the sorted times of each solver as steps over the number of instances.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `solver_runs` of one measure: `algorithm`, `role`, `cost`, `limit`, `outcome`, `weight`, `included`.
    """
    solved = data[data["outcome"] == "solved"]
    low = runs.time_axis(axes, solved["cost"], runs.limits(data))
    order = list(runs.shares(data).index)
    for place, name in enumerate(order):
        own = solved[solved["algorithm"] == name].sort_values("cost", kind="stable")
        times, many = np.maximum(own["cost"].to_numpy(float), low), np.cumsum(own["weight"].to_numpy(float))
        first = times[:1] if times.size else np.nan
        at = (times.size * curves.shares(4, place, len(order))).astype(int)
        x, y = np.append(0.0, many), np.append(first, times)
        curves.curve(axes, pens[name], place, x, y, marks=many[np.unique(at)] if times.size else (), drawstyle="steps-pre")
    runs.draw_limits(axes, data)
    axes.set_xlim(0, max(float(runs.shares(data).max()) * 1.03, 1.0))
    axes.set(xlabel="instances solved", ylabel=unit)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    return [
        f"Cactus plot of {runs.which(sheet)}: at (n, t) a solver has solved n instances in at most t each; "
        "lower right is better.",
        "Runs of one instance share its weight." if (sheet.rows["weight"] < 1).any() else "",
        runs.limit_words(sheet.rows),
        runs.best_words(sheet.rows),
    ]
