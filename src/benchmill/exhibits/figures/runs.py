"""Cactus plots, the time within which a solver solves a number of instances, each by itself; and what figures of runs share."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.core import beside
from benchmill.exhibits.figures import axes_level, curves, options, scales, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet
from benchmill.text import display, frames, labels, prose
from benchmill.text.appearance import Appearance, Pen

#: How a run ended, from the best to what says least -> how a figure says it, and its colour; and its marker in the rim where
#: failures lie; `several` where the runs of a problem ended in different ways.
OUTCOMES, RIM = beside.toml(__file__).values()
#: What makes a problem.
_PROBLEM = ["suite", "problem", "dimension", "instance"]
#: More limits than this are not drawn.
_MOST_LIMITS = 3
#: An axis is logarithmic where times span more than this factor.
_WIDE = 30.0


def of_measure(sheet: Sheet) -> Frame | None:
    """Return the rows of `solver_runs` of the measure; None where it is not of solver runs."""
    rows = sheet.found("solver_runs", included=True)
    return None if rows.empty else rows


def ended(data: Frame, of_runs: Frame | None) -> np.ndarray:
    """Return how the failed runs behind each cost ended: a key of `RIM`; None for a finite cost, or if nothing is known."""
    if of_runs is None:
        return np.full(len(data), None)
    keys = ["algorithm", *(key for key in _PROBLEM if data[key].notna().any())]
    failed = of_runs[of_runs["outcome"] != "solved"].astype({key: str for key in keys} | {"outcome": str})
    kinds = failed.groupby(keys)["outcome"].agg(["first", "nunique"])
    kinds = kinds["first"].where(kinds["nunique"] == 1, "several").rename("ended").reset_index()
    endings = data[keys].astype(str).merge(kinds, on=keys, how="left")["ended"].to_numpy(object, copy=True)
    endings[np.isfinite(data["cost"].to_numpy(float)) | pd.isna(endings)] = None
    return np.asarray(endings)


def rim_mark(outcome: str) -> style.Drawn:
    """Return keywords of the marker of a failure that ended so."""
    return {
        "linestyle": "none",
        "label": OUTCOMES[outcome][0],
        "marker": RIM[outcome],
        "markersize": 3.6,
        "markerfacecolor": OUTCOMES[outcome][1],
        "markeredgecolor": "0.25",
        "markeredgewidth": 0.5,
    }


def shares(data: Frame) -> pd.Series:
    """Return how many instances each solver solves, most first, of equal ones the faster."""
    weight = data["weight"].where(data["outcome"] == "solved", 0.0)
    solved = data.assign(weight=weight, time=data["cost"].where(weight > 0, 0.0) * weight).groupby("algorithm", observed=True)
    return solved[["weight", "time"]].sum().sort_values(["weight", "time"], ascending=[False, True], kind="stable")["weight"]


def order(sheet: Sheet, names: Sequence[str], look: Appearance | None = None) -> None:
    """Take solvers in this order, with the single best one as their leader; the virtual best one is a dashed grey line."""
    best, (leader, *_) = _virtual_best(sheet.rows), [*_with_role(sheet.rows, "single_best"), ""]
    sheet.order([name for name in names if name not in best], look, leader)
    chosen = _told_apart(sheet.rows, sheet.pens)
    sheet.pens = {name: best[name] if name in best else chosen[name] for name in names}


def pens_of(data: Frame, palette: Any, facet: Any = None, hue: str = "algorithm") -> Pens:
    """Return the pens, which the virtual best solver does not change."""
    best = _virtual_best(data)
    own = data[~data["algorithm"].isin(best)]
    kept = own["algorithm"].cat.remove_unused_categories()
    return _told_apart(data, axes_level.pens_of(own.assign(algorithm=kept), palette, {})) | best


#: As `axes_level.drawing`, with the rows of the instances that are compared.
drawing = axes_level.drawing(rows=lambda data: data[data["included"]], pens=pens_of)


def _told_apart(data: Frame, pens: Pens) -> Pens:
    """Say in labels who does not compete."""
    aside = set(data.loc[data["role"] == "not_competing", "algorithm"])
    return {
        name: replace(pen, label=labels.with_role(pen.label, "not_competing")) if name in aside else pen
        for name, pen in pens.items()
    }


def _virtual_best(data: Frame) -> Pens:
    return {name: Pen("#4D4D4D", (4, 1.6), "None", False, name) for name in _with_role(data, "virtual_best")}


def _with_role(data: Frame, role: str) -> list[str]:
    return [str(name) for name in data.loc[data["role"] == role, "algorithm"].unique()]


def limits(data: Frame) -> list[float]:
    """Return the limits, rising; none where there are too many."""
    values = frames.only(data[np.isfinite(data["limit"].astype(float))], "limit")
    return values if len(values) <= _MOST_LIMITS else []


def _wide(times: pd.Series, reach: Sequence[float]) -> tuple[float, float] | None:
    """Return the smallest time above 0 and the largest one or limit; None where they need no logarithmic axis."""
    positive = times[np.isfinite(times) & (times > 0)]
    high = max([*positive, *reach], default=0.0)
    return (float(positive.min()), float(high)) if len(positive) and high > _WIDE * positive.min() else None


def late_words(data: Frame) -> str:
    """Say how many runs are cut at the smallest limit of an instance; empty where none is."""
    late = int(data.loc[data["role"] != "virtual_best", "late"].astype(float).sum())
    return prose.said(__file__, "Late", late=late) if late else ""


def limit_words(data: Frame) -> str:
    """Return the sentences about limits."""
    return prose.said(__file__, "Limits", late=late_words(data), drawn=limits(data), limits=data["limit"].nunique())


#: What a study can set.
Options = options.OfMeasures
GRID = Grid(0.0, lambda _, width: 2.7 if width > 5 else 2.3, legend=True, bare=False)


def select(sheet: Sheet) -> None:
    """Take the runs of the instances that all solvers were run on."""
    sheet.take(sheet.table(included=True))
    order(sheet, list(shares(sheet.rows).index))
    sheet.keywords = {"unit": sheet.measure.with_unit()}
    sheet.grid = GRID._replace(wide=sum(not pen.faded for pen in sheet.pens.values()) > 8)


@drawing
def plot(axes: Axes, data: Frame, pens: Pens, unit: str = "time") -> None:
    """Draw the sorted times of each solver as steps over the number of instances.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `solver_runs` of one measure: `algorithm`, `role`, `cost`, `limit`, `outcome`, `weight`, `included`.
    """
    solved = data[data["outcome"] == "solved"]
    reach, low = limits(data), -math.inf
    span, finite = _wide(solved["cost"], reach), solved.loc[np.isfinite(solved["cost"]), "cost"]
    if span is None:
        axes.set_ylim(min([0.0, *finite]), 1.06 * max([*finite[finite > 0], *reach], default=10.0))
    else:
        # shorter times are drawn at the lower end
        low, high = span
        low, high = low / (high / low) ** 0.02, high * (high / low) ** 0.05
        axes.set(yscale="log", ylim=(low, high))
        scales.decades(axes.yaxis, low, high, 7, plain=True)
    names = list(shares(data).index)
    for place, name in enumerate(names):
        own = solved[solved["algorithm"] == name].sort_values("cost", kind="stable")
        times, many = np.maximum(own["cost"].to_numpy(float), low), np.cumsum(own["weight"].to_numpy(float))
        first = times[:1] if times.size else np.nan
        at = (times.size * curves.shares(4, place, len(names))).astype(int)
        x, y = np.append(0.0, many), np.append(first, times)
        curves.curve(axes, pens[name], place, x, y, marks=many[np.unique(at)] if times.size else (), drawstyle="steps-pre")
    near: style.Drawn = {"fontsize": axes_level.points(), "color": "0.25", "annotation_clip": False, "va": "bottom"}
    for value in reach:
        axes.axhline(value, color="0.25", lw=0.8, ls=(0, (1, 1.6)), zorder=1.8)
        words = f"limit {display.target(value)}"
        axes.annotate(words, (0, value), (2, 2), ("axes fraction", "data"), "offset points", **near)
    axes.set(xlim=(0, max(float(shares(data).max()) * 1.03, 1.0)), xlabel="instances solved", ylabel=unit)
    axes.locator_params("x", integer=True)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data = sheet.rows
    solved = data.loc[data["outcome"] == "solved", "cost"]
    return sheet.told(
        "Cactus",
        solvers=data.loc[data["role"] != "virtual_best", "algorithm"].nunique(),
        instances=len(frames.keys_of(data, _PROBLEM)),
        shared=(data["weight"] < 1).any(),
        limits=limit_words(data),
        best=_with_role(data, "virtual_best"),
        single="".join(sheet.pens[name].label for name in _with_role(data, "single_best")),
        lowest=(solved <= 0).any() and _wide(solved, limits(data)) is not None,
    )
