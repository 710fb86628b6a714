"""How the running time grows with the dimension: ERT over dimension, a panel a problem."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import frames, grid, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look, appearance

_MOST_PANELS = 30


@dataclass(frozen=True, kw_only=True)
class Options(options.Target, options.OfMeasures):
    """What a study can set."""


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw ERT / dimension against dimension, both logarithmic, for one target, a line an algorithm.

    Where no trial reached the target a cross stands at what a failed trial spent, and no line leads there. Whiskers are the
    intervals. Dotted lines have the slope of quadratic growth of ERT, horizontal ones that of linear growth. Algorithms
    stand slightly side by side. A study of one algorithm has a line a target instead.

    Parameters
    ----------
    tables : mapping
        `indicators`.
    settings : mapping
        `measure`, `width`: see the package; `target` (optional): by default the middle one of the measure.
    """
    data, _, lines = _rows(tables, settings)
    looks, order = _lines(data, tables, settings, lines)
    problems = _problems(data)
    dimensions = [row["dimension"] for row in frames.groups(data, ["dimension"])]
    low, high = limits(data)
    spread = min((math.log(b / a) for a, b in pairwise(dimensions)), default=1.0)
    with style.rc(settings):
        figure, axes = grid.page(len(problems), settings, legend=list(looks.values()))
        for one, problem in zip(axes, problems, strict=True):
            grid.log_axis(one, "y", low, high)
            one.set_xscale("log")
            one.set_xlim(dimensions[0] * math.exp(-0.6 * spread), dimensions[-1] * math.exp(0.6 * spread))
            one.xaxis.set_major_locator(FixedLocator([float(d) for d in dimensions]))
            one.xaxis.set_minor_locator(NullLocator())
            one.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(v)))
            _slopes(one, dimensions, low, high)
            mine = frames.rows_of(data, problem)
            for place, name in enumerate(order):
                rows = frames.rows_of(mine, {lines: name})
                shift = math.exp(0.5 * spread * ((place + 0.5) / len(order) - 0.5))
                points(one, rows, rows["dimension"].to_numpy(float) * shift, looks[name], f"{axes.index(one)}-{place}")
            one.set_title(style.text(panels.name_of(problem)), loc="left", pad=2)
        figure.supylabel("ERT / dimension", fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings, "dimension (log scale)")
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say which target, what crosses, whiskers and slopes are, and which trials it rests on."""
    data, target, lines = _rows(tables, settings)
    looks, _ = _lines(data, tables, settings, lines)
    n = len(_problems(data))
    what = f"to the target {display.target(target)}" if lines == "algorithm" else "to several targets"
    several = frames.rows_of(tables["indicators"], {"measure": settings["measure"]["name"]})
    others = [row["target"] for row in frames.groups(several, ["target"]) if row["target"] not in (target, None)]
    return " ".join(
        part
        for part in (
            f"Expected running time (ERT) {what}, divided by the dimension, against the dimension, on "
            f"{display.plural(n, 'problem')} (measure {display.words(settings['measure']['name'])}).",
            "Horizontal lines are linear growth of ERT, dotted ones quadratic growth.",
            words(data, tables),
            "Algorithms stand slightly side by side." if lines == "algorithm" else "",
            grid.left_out(others, "targets") if lines == "algorithm" else "",
            panels.highlight_words(looks, settings),
        )
        if part
    )


def words(data: pd.DataFrame, tables: Mapping[str, Any]) -> str:
    """What points, crosses and whiskers are, the budget rule, and the trials behind them."""
    rule = {
        "own": "a failed trial counts with what it spent",
        "max": "a failed trial counts with the largest budget of its algorithm on the problem",
        "common": "all trials are cut at one common budget",
    }
    rules = frames.only(data, "budget_rule")
    level = data["level"].dropna()
    whiskers = (
        f" Whiskers are intervals ({display.target(100 * level.iloc[0])} %) over the trials, where they are finite."
        if level.size and data["ert_low"].notna().any()
        else ""
    )
    fewest, most = int(data["n_trials"].min()), int(data["n_trials"].max())
    counted = display.plural(most, "trial") if fewest == most else f"{display.count(fewest)} to {display.plural(most, 'trial')}"
    missing = int(data["n_missing"].sum())
    return (
        f"ERT is what all trials spent over the number of successes; {' or '.join(rule[r] for r in rules) or rule['own']}. "
        "A cross marks the mean budget of the trials where none succeeded."
        f"{whiskers} Each point rests on {counted}{f' ({display.count(missing)} missing in all)' if missing else ''}."
    )


def limits(data: pd.DataFrame) -> tuple[float, float]:
    """Limits of ERT / dimension over everything that is drawn."""
    dimension = data["dimension"].fillna(1).to_numpy(float)
    values = np.concatenate([data[name].to_numpy() / dimension for name in ("ert", "failure_budget")])
    values = values[np.isfinite(values) & (values > 0)]
    if not values.size:
        return 0.5, 20.0
    return float(values.min()) / 1.5, max(float(values.max()), 10 * float(values.min())) * 1.5


def points(axes: Axes, rows: pd.DataFrame, x: np.ndarray, look: Look, name: str) -> None:
    """Draw the ERTs of one line: markers joined where neighbours are finite, whiskers, crosses where nothing succeeded."""
    order = np.argsort(x, kind="stable")
    dimension = rows["dimension"].fillna(1).to_numpy(float)
    ert, low, high, spent = ((rows[c].to_numpy() / dimension)[order] for c in ("ert", "ert_low", "ert_high", "failure_budget"))
    x = x[order]
    found = np.isfinite(ert)
    drawn = style.marker_style(look, 2.6) | style.line_style(look, 0.9)
    axes.plot(x, np.where(found, ert, np.nan), **drawn, gid=f"line-{name}")
    if look.faded:
        return
    whole = found & np.isfinite(low) & np.isfinite(high) & (low > 0)
    axes.vlines(x[whole], low[whole], high[whole], color=look.colour, lw=0.5, zorder=2)
    axes.plot(
        x[~found],
        spent[~found],
        linestyle="none",
        marker="x",
        markersize=3.0,
        markeredgewidth=0.8,
        color=look.colour,
        zorder=4,
        gid=f"unsolved-{name}",
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, Any, str]:
    """The rows to draw, the target, and what makes a line: `algorithm`, or `target` in a study of one algorithm."""
    name = settings["measure"]["name"]
    data = frames.rows_of(tables["indicators"], {"measure": name})
    data = data[data["ert"].notna() & data["dimension"].notna()]
    if data.empty:
        raise panels.nothing_to_draw("scaling", f"measure {name!r} with a running time and a dimension")
    if data["algorithm"].nunique() == 1 and settings.get("target") is None:
        return data, None, "target"
    targets = [row["target"] for row in frames.groups(data, ["target"])]
    rows, target, _ = grid.one_of(data, "target", settings.get("target"), which=len(targets) // 2)
    return rows, target, "algorithm"


def _lines(
    data: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any], lines: str
) -> tuple[dict[Any, Look], list[Any]]:
    """The looks of the lines, best first, and their order from left to right."""
    if lines == "target":
        targets = [row["target"] for row in frames.groups(data, ["target"])]
        looks = appearance([display.target(t) for t in targets])
        return {t: looks[display.target(t)] for t in targets}, targets
    names = solved(data)
    looks = panels.looks(data, tables, settings)
    return panels.highlighted(looks, names, settings), [name for name in looks if name in names]


def solved(data: pd.DataFrame) -> list[str]:
    """Algorithms by the number of rows with a finite ERT, falling, then by the mean of log ERT."""
    found = data[np.isfinite(data["ert"])].groupby("algorithm", observed=True)["ert"]
    score = found.count() - found.agg(lambda ert: np.log1p(ert.to_numpy()).mean()) / 1e3
    return grid.order_of({name: float(score.get(name, 0.0)) for name in frames.algorithms(data)})


def _problems(data: pd.DataFrame) -> list[dict[str, Any]]:
    return grid.sample(frames.groups(data, ["suite", "problem", "instance"]), _MOST_PANELS)


def _slopes(axes: Axes, dimensions: Sequence[int], low: float, high: float) -> None:
    """Dotted lines of slope 1: ERT that grows with the square of the dimension."""
    x = np.array([dimensions[0] / 3, dimensions[-1] * 3], float)
    for k in range(math.floor(math.log10(low)) - 3, math.ceil(math.log10(high)) + 1):
        axes.plot(x, 10.0**k * x / dimensions[0], color="0.75", lw=0.5, linestyle=(0, (1, 2)), zorder=0.5)
