"""How the running time grows with the dimension: ERT over dimension, a panel a problem."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import grid, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look, appearance

_MOST_PANELS = 30


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw ERT / dimension against dimension, both logarithmic, for one target, a line an algorithm.

    Where no trial reached the target a cross stands at what a failed trial spent, and no line leads there. Whiskers are the
    bootstrap intervals. Dotted lines have the slope of quadratic growth of ERT, horizontal ones that of linear growth. Algorithms
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
    dimensions = [row["dimension"] for row in panels.groups(data, ["dimension"])]
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
            mine = panels.rows_of(data, problem)
            for place, name in enumerate(order):
                rows = panels.rows_of(mine, {lines: name})
                shift = math.exp(0.5 * spread * ((place + 0.5) / len(order) - 0.5))
                points(one, rows, rows["dimension"].to_numpy() * shift, looks[name], f"{axes.index(one)}-{place}")
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
    several = tables["indicators"].filter(pc.equal(tables["indicators"]["measure"], settings["measure"]["name"]))
    others = [row["target"] for row in panels.groups(several, ["target"]) if row["target"] not in (target, None)]
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


def words(data: pa.Table, tables: Mapping[str, Any]) -> str:
    """What points, crosses and whiskers are, the budget rule, and the trials behind them."""
    rule = {
        "own": "a failed trial counts with what it spent",
        "max": "a failed trial counts with the largest budget of its algorithm on the problem",
        "common": "all trials are cut at one common budget",
    }
    rules = sorted({r for r in data["budget_rule"].to_pylist() if r})
    level = [v for v in data["level"].to_pylist() if v is not None][:1]
    whiskers = (
        f" Whiskers are bootstrap intervals ({display.target(100 * level[0])} %, percentiles) where they are finite."
        if level and data["ert_low"].null_count < data.num_rows
        else ""
    )
    trials = data["n_trials"].to_numpy()
    fewest, most = int(trials.min()), int(trials.max())
    counted = display.plural(most, "trial") if fewest == most else f"{display.count(fewest)} to {display.plural(most, 'trial')}"
    missing = int(data["n_missing"].to_numpy().sum())
    return (
        f"ERT is what all trials spent over the number of successes; {' or '.join(rule[r] for r in rules) or rule['own']}. "
        "A cross marks the mean budget of the trials where none succeeded."
        f"{whiskers} Each point rests on {counted}{f' ({display.count(missing)} missing in all)' if missing else ''}."
    )


def limits(data: pa.Table) -> tuple[float, float]:
    """Limits of ERT / dimension over everything that is drawn."""
    dimension = pc.fill_null(data["dimension"], 1).to_numpy().astype(float)
    values = np.concatenate([data[name].to_numpy(zero_copy_only=False) / dimension for name in ("ert", "failure_budget")])
    values = values[np.isfinite(values) & (values > 0)]
    if not values.size:
        return 0.5, 20.0
    return float(values.min()) / 1.5, max(float(values.max()), 10 * float(values.min())) * 1.5


def points(axes: Axes, rows: pa.Table, x: np.ndarray, look: Look, name: str) -> None:
    """Draw the ERTs of one line: markers joined where neighbours are finite, whiskers, crosses where nothing succeeded."""
    order = np.argsort(x, kind="stable")
    dimension = pc.fill_null(rows["dimension"], 1).to_numpy().astype(float)
    ert, low, high, spent = (
        (rows[c].to_numpy(zero_copy_only=False) / dimension)[order] for c in ("ert", "ert_low", "ert_high", "failure_budget")
    )
    x = x[order]
    found = np.isfinite(ert)
    line = {**style.line_style(look), **({} if look.faded else {"linewidth": 0.9, "zorder": 3})}
    axes.plot(x, np.where(found, ert, np.nan), **line, **style.marker_style(look, 2.6), gid=f"line-{name}")
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


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pa.Table, Any, str]:
    """The rows to draw, the target, and what makes a line: `algorithm`, or `target` in a study of one algorithm."""
    name = settings["measure"]["name"]
    data = panels.rows_of(tables["indicators"], {"measure": name})
    data = data.filter(pc.and_(pc.is_valid(data["ert"]), pc.is_valid(data["dimension"])))
    if not data.num_rows:
        raise panels.nothing_to_draw("scaling", f"measure {name!r} with a running time and a dimension")
    if len(data["algorithm"].unique()) == 1 and settings.get("target") is None:
        return data, None, "target"
    targets = [row["target"] for row in panels.groups(data, ["target"])]
    rows, target, _ = grid.one_of(data, "target", settings.get("target"), which=len(targets) // 2)
    return rows, target, "algorithm"


def _lines(
    data: pa.Table, tables: Mapping[str, Any], settings: Mapping[str, Any], lines: str
) -> tuple[dict[Any, Look], list[Any]]:
    """The looks of the lines, best first, and their order from left to right."""
    if lines == "target":
        targets = [row["target"] for row in panels.groups(data, ["target"])]
        looks = appearance([display.target(t) for t in targets])
        return {t: looks[display.target(t)] for t in targets}, targets
    names = solved(data)
    looks = panels.looks(data, tables)
    return panels.highlighted(looks, names, settings), [name for name in looks if name in names]


def solved(data: pa.Table) -> list[str]:
    """Algorithms by the number of rows with a finite ERT, falling, then by the mean of log ERT."""
    names, ert = np.array(data["algorithm"].to_pylist()), data["ert"].to_numpy(zero_copy_only=False)
    return grid.order_of(
        {
            name: float(np.isfinite(own).sum() - np.log1p(own[np.isfinite(own)]).mean() / 1e3 if np.isfinite(own).any() else 0.0)
            for name in dict.fromkeys(names.tolist())
            for own in [ert[names == name]]
        }
    )


def _problems(data: pa.Table) -> list[dict[str, Any]]:
    return grid.sample(panels.groups(data, ["suite", "problem", "instance"]), _MOST_PANELS)


def _slopes(axes: Axes, dimensions: Sequence[int], low: float, high: float) -> None:
    """Dotted lines of slope 1: ERT that grows with the square of the dimension."""
    x = np.array([dimensions[0] / 3, dimensions[-1] * 3], float)
    for k in range(math.floor(math.log10(low)) - 3, math.ceil(math.log10(high)) + 1):
        axes.plot(x, 10.0**k * x / dimensions[0], color="0.75", lw=0.5, linestyle=(0, (1, 2)), zorder=0.5)
