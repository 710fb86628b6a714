"""Means of normalised costs and average ranks, with half the minimum significant difference on each side."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from benchmill.exhibits.figures import axes_level, options, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, rows_of_names
from benchmill.registry.inference import COMPARISONS
from benchmill.text import frames

#: What a study can set.
Options = options.OfMeasures
#: As in Figure 3 of Chiarandini, Basso and Stützle (2005), with a panel per method in each row.
GRID = Grid(0.45, lambda sheet, _: rows_of_names(sheet, 0.55), share="y", bare=False)


def select(sheet: Sheet) -> None:
    """Take a row of panels for every target or budget, with one for each method."""
    compared = sheet.table("designs").query("n_blocks > 0 and n_treatments > 1")
    if len(compared) and sheet.found("intervals").empty:
        sheet.nothing = "No comparison has a minimum significant difference."
        return
    rows = sheet.table()
    methods = pd.CategoricalDtype(list(rows["method"].unique()), ordered=True)
    sheet.take(rows.assign(method=rows["method"].astype(str).astype(methods)), [*frames.POINT, "method"])
    sheet.order(frames.names(sheet.rows.sort_values(["method", "mean", "algorithm"])))
    several = len(frames.keys_of(sheet.rows, frames.POINT)) > 1
    sheet.parts = [
        ({**group, "title": (f"{sheet.heading(group)}, " if several else "") + _panel(group["method"])}, rows)
        for group, rows in sheet.parts
    ]
    sheet.cut()
    sheet.shared, sheet.grid = {"order": list(sheet.pens)}, GRID._replace(across=(len(methods.categories),) * 2)


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, order: Sequence[str] | None = None) -> None:
    """Draw the intervals of one method, target and budget.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `intervals` of one method and point: `algorithm`, `mean`, `low`, `high`, `scale`.
    """
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    names = list(data.sort_values(["mean", "algorithm"])["algorithm"]) if order is None else list(order)
    rows = data.set_index("algorithm")
    best = rows.loc[rows["mean"].idxmin()]
    axes.axvspan(best["low"], best["high"], color="0.92", lw=0, zorder=0)
    for place, name in enumerate(names):
        if name in rows.index:
            axes_level.interval(axes, pens[name], place, *rows.loc[name, ["low", "mean", "high"]])
    style.name_rows(axes, [pens[name] for name in names])
    axes.set_xlabel("average rank" if data["scale"].iloc[0] == "average rank" else "mean normalised cost")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    if sheet.nothing:
        return sheet.told()
    scales = sheet.rows.drop_duplicates("method").set_index("method")["scale"].to_dict()
    return sheet.told(
        normalisation="; ".join(frames.only(sheet.table("designs"), "normalisation")),
        of_means=[_panel(method) for method, scale in scales.items() if scale != "average rank"],
        of_ranks=[_panel(method) for method, scale in scales.items() if scale == "average rank"],
    )


def _panel(method: str) -> str:
    return COMPARISONS[method].panel if method in COMPARISONS else method
