"""Densities of running times or values, one below the other: one panel per problem, one ridge per algorithm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from benchmill.core import UserError
from benchmill.exhibits.figures import axes_level, options, panels, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet
from benchmill.text import display, frames
from benchmill.text.appearance import Pen

#: Of fewer successes nothing is drawn but their share.
_FEWEST = 5
#: Above the foot of a ridge stand its name and its share.
_MIDDLE = 0.2

#: What a study can set.
Options = options.PagedMeasures
#: Ridges have equal heights.
GRID = Grid(0.5, lambda sheet, _: max(0.9, 0.14 * len(sheet.pens) + 0.4), across=(4, 2), wide=True, share="y")


def select(sheet: Sheet) -> None:
    """Take a panel per problem, for one target (or budget) and dimension."""
    there = frames.names(sheet.table(what=f"measure {sheet.measure.name!r} with a finite cost"))
    rows = _at_one(sheet)
    ridges = _ridges(rows)
    if not ridges.any():
        raise UserError(
            f"figures: density: no algorithm has {_FEWEST} trials with a finite cost on a problem, and with fewer no density "
            "is drawn; leave the figure out, or give more runs."
        )
    sheet.take(rows[ridges >= min(2, ridges.max())], panels.PROBLEM, most=24)
    order = [name for name in sheet.known(there) if name in there]
    sheet.order(dict.fromkeys([*_best_first(rows), *order]))
    sheet.cut()
    sheet.shared, sheet.grid = {"order": [name for name in order if name in sheet.pens]}, GRID._replace(x=_axis_label(rows))


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, order: Sequence[str] | None = None) -> None:
    """Draw the densities on one problem, one below the other.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `densities` of one problem, dimension, and target or budget.
    """
    names = list(dict.fromkeys(data["algorithm"].sort_values())) if order is None else list(order)
    for place, name in enumerate(names):
        own = data[data["algorithm"] == name]
        if len(own):
            _ridge(axes, own, pens[name], len(names) - 1 - place, axes_level.gid(axes, "ridge", place))
    axes.set_yticks(np.arange(len(names))[::-1] + _MIDDLE, [style.text(pens[name].label) for name in names])
    style.stress(axes.get_yticklabels(), pens.values())
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    # numbers of four digits beside each other take more than half a column of the whole figure, also where the axes are in a part
    # of it; Matplotlib 3.9 has no get_figure(root=True)
    half_column = axes.figure.figure.get_figwidth() < 5 and axes.get_position().width < 0.5
    axes.xaxis.set_major_locator(MaxNLocator(nbins=2 if half_column else 3))
    # kernels reach below zero where no running time can be
    if data["target"].notna().any() and data["left"].min() < 0:
        axes.set_xlim(left=0.0)
    axes.set(ylim=(-0.15, len(names) + 0.05), xlabel=_axis_label(data))


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data = _at_one(sheet)
    with_ridge = data["n_successes"] >= _FEWEST
    return sheet.told(
        data=data,
        label=_axis_label(data),
        point=frames.heading({key: value for key, (value, _) in sheet.single.items() if key != "dimension"}),
        kinds=set(data.loc[with_ridge, "kind"]),
        fewest=_FEWEST,
        some_without=not with_ridge.all(),
        left=len(frames.keys_of(data, panels.PROBLEM)) - len(frames.keys_of(sheet.rows, panels.PROBLEM)),
        several=_ridges(data).max() > 1,
    )


def _ridges(rows: Frame) -> pd.Series[int]:
    """Return of each row how many algorithms have a ridge on its problem."""
    return (
        rows["algorithm"]
        .where(rows["n_successes"] >= _FEWEST)
        .groupby([rows[key] for key in panels.PROBLEM], observed=True, dropna=False)
        .transform("nunique")
    )


def _best_first(rows: Frame) -> list[str]:
    """Order algorithms by the mean share of trials with a finite cost, then by the mean rank of the means of these costs."""
    number = frames.numbered(rows, panels.PROBLEM)[0]
    shares, middle = rows["n_successes"] / rows["n_trials"], (rows["left"] + rows["right"].fillna(rows["left"])) / 2
    ridges = rows.assign(number=number, share=shares, weighted=middle * rows["height"]).groupby(
        ["number", "algorithm"], observed=True
    )
    means = ridges["weighted"].sum() / ridges["height"].sum()
    scores = pd.DataFrame({"share": ridges["share"].first(), "rank": means.groupby(level="number").rank()})
    scores = scores.groupby(level="algorithm", observed=True).mean()
    return list(scores.sort_values(["share", "rank"], ascending=[False, True], kind="stable").index)


def _at_one(sheet: Sheet) -> Frame:
    """Return the rows of one dimension and target or budget."""
    data = sheet.take_one(sheet.table(), "dimension")
    n = data["target"].nunique()
    return sheet.take_one(data, "target", (n - 1) // 2) if n else sheet.take_one(data, "at_budget")


def _axis_label(data: Frame) -> str:
    if data["target"].notna().any():
        return "running time (evaluations)"
    return "value" if data["at_budget"].notna().any() else "cost"


def _ridge(axes: Axes, rows: Frame, pen: Pen, base: float, gid: str) -> None:
    left, right, height = (rows[column].to_numpy() for column in ("left", "right", "height"))
    first = rows.iloc[0]
    kind = first["kind"] if first["n_successes"] >= _FEWEST else ""
    height = 0.85 / float(height.max()) * height
    top = base + height
    colour: style.Drawn = {"color": pen.colour, "gid": gid}
    if kind == "kde":
        axes.fill_between(left, base, top, alpha=0.3, lw=0, color=pen.colour, zorder=2)
        axes.plot(left, top, lw=0.8, zorder=3, **colour)
    elif kind == "histogram":
        axes.bar(
            left,
            height,
            right - left,
            bottom=base,
            align="edge",
            alpha=0.5,
            lw=0,
            color=pen.colour,
            zorder=2,
        )
        axes.stairs(top, np.append(left, right[-1:]), baseline=base, lw=0.8, zorder=3, **colour)
    elif kind == "mass":
        axes.vlines(left, base, top, lw=1.6, zorder=3, **colour)
    # on the line of its name
    axes.annotate(
        display.share(first["n_successes"] / first["n_trials"], 2),
        (1.01, base + _MIDDLE),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=axes.title.get_fontsize(),
        color="0.35",
        annotation_clip=False,
    )
