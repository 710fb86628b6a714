"""Costs of two algorithms against each other, problem by problem."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter

from benchmill.core import beside
from benchmill.core.names import meant
from benchmill.exhibits.figures import axes_level, options, panels, runs, scales, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, lay_out, nothing_to_draw
from benchmill.text import display, frames

#: Marks, and their colours, light to dark with the dimension.
_MARKS, _SHADES = beside.toml(__file__).values()
#: Ratios that have a line.
_RATIOS = (2.0, 0.5, 10.0, 0.1)
#: Inches of a panel at most.
_WIDEST = 4.0
_KEYS = ["suite", "problem", "dimension", "instance", "target", "at_budget"]
_MOST_PAIRS = 6
#: Aggregates of which what was added to a cost cannot be taken away: failures have it too.
_PER_SUCCESS = ("ert", "success_performance")

#: What a study can set.
Options = options.OfMeasures


def select(sheet: Sheet) -> None:
    """Take a panel per pair."""
    data, measure, asked = sheet.table(included=True), sheet.measure, sheet.look.highlight
    # as they were before anything was added for the ratios
    sheet.rows = data.assign(cost=data["cost"] - (0.0 if measure.aggregate in _PER_SUCCESS else measure.shift))
    mine = [one for name in asked for one in meant(name, frames.names(sheet.rows))] if isinstance(asked, list | tuple) else []
    every = list(combinations(_wanted(sheet.rows, list(sheet.options.algorithms or mine), sheet.about.control), 2))
    pairs = every[:_MOST_PAIRS]
    sheet.sample_words = f"The first {len(pairs)} of {len(every)} pairs are drawn." if len(every) > len(pairs) else ""
    sheet.parts = [({"pair": pair, "title": ""}, sheet.rows.assign(pair=i)) for i, pair in enumerate(pairs)]
    sheet.order(best_first(sheet.rows), replace(sheet.look, others="named"))
    dimensions, of_runs = _dimensions(sheet.rows), runs.of_measure(sheet)
    sheet.keywords, sheet.shared = {"of_runs": of_runs, "pair": pairs[0]}, {"dimensions": dimensions}
    marks = [_mark(dimension, dimensions) for dimension in dimensions]
    if len(dimensions) < 2:
        endings = {end for pair in pairs for end in _points(sheet.rows, pair, of_runs)["ended"]}
        marks = [runs.rim_mark(end) for end in runs.RIM if end in endings]
    sheet.other_entries = [Line2D([], [], **mark) for mark in marks]


def draw(sheet: Sheet) -> Figure:
    """Draw a point for each problem and target, cost of the one against cost of the other.

    What an algorithm does not solve lies on the rim; of solver runs the marker says how the run ended.
    """
    n, pairs = len(sheet.parts), [group["pair"] for group, _ in sheet.parts]
    across = (min(n, 3), min(n, 2))
    columns = panels.arrangement(n, sheet.look, across[style.width_of(sheet.look) < 5])[1]
    # letters are narrower than those of headings may be
    room = 0.95 * style.width_of(sheet.look, n > 1) / columns

    def panel(rows: Frame, *, ax: Axes, **drawn_by: Any) -> None:
        pair = pairs[rows["pair"].iloc[0]]
        plot(rows, ax=ax, **{**drawn_by, "pair": pair})
        ax.set_box_aspect(1)
        for name, label in zip(pair, (ax.xaxis.label, ax.yaxis.label), strict=True):
            pen = sheet.pens[name]
            label.set(text=style.in_lines(sheet.measure.with_unit(pen.label), room), fontweight=style.weight(pen))

    return lay_out(sheet, panel, Grid(0.1, lambda _, width: min(width, _WIDEST), across=across, wide=n > 1, bare=False))


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    of_runs, pairs = sheet.keywords["of_runs"], [group["pair"] for group, _ in sheet.parts]
    costs = [points(sheet.rows, *pair)[["a", "b"]] for pair in pairs]
    return sheet.told(
        joint=len(frames.keys_of(sheet.rows, ["target", "at_budget"])) > 1,
        low=any((both <= 0).any(axis=None) for both in costs),
        kept=sheet.measure.aggregate in _PER_SUCCESS,
        limits="" if of_runs is None else runs.limit_words(of_runs),
        pairs=[
            (counts(both["a"], both["b"]), *(sheet.pens[name].label for name in pair))
            for pair, both in zip(pairs, costs, strict=True)
        ],
    )


def _points(data: Frame, pair: tuple[str, str], of_runs: Frame | None) -> Frame:
    """Return the points of a pair, with `ended`: how the run failed of a problem that one alone solves."""
    both = points(data.assign(ended=runs.ended(data, of_runs)), *pair)
    lost = np.isinf(both["a"])
    return both.assign(ended=both["ended_a"].where(lost, both["ended_b"]).where(lost != np.isinf(both["b"]), None))


@axes_level.drawing()
def plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    pair: tuple[str, str] | None = None,
    dimensions: Sequence[int] | None = None,
    of_runs: Frame | None = None,
) -> None:
    """Draw the costs of one pair against each other; one mark and colour per dimension.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ratios` of one measure: keys, `algorithm`, `cost`, `ratio`.
    pair : (str, str), optional
        By default the two that are best on most problems; UserError for one that is not there.
    dimensions : sequence of int, optional
        Those that have marks and colours; 0 is that of problems without one.
    of_runs : pandas.DataFrame, optional
        Rows of `solver_runs`: what the rim says of failures, and the limits.
    """
    chosen = _wanted(data, list(pair or ()))[:2]
    dimensions = _dimensions(data) if dimensions is None else dimensions
    both = _points(data, (chosen[0], chosen[1]), of_runs)
    axes.set(**{f"{axis}label": style.text(f"cost of {pens[name].label}") for axis, name in zip("xy", chosen, strict=True)})
    costs = both[["a", "b"]].to_numpy(float)
    limits = [[] if of_runs is None else runs.limits(of_runs[of_runs["algorithm"] == name]) for name in chosen]
    finite = costs[np.isfinite(costs) & (costs > 0)]
    low, high = (float(finite.min()), max([float(finite.max()), *limits[0], *limits[1]])) if finite.size else (1.0, 10.0)
    # at least a decade, around what there is
    middle, reach = math.sqrt(low * high), max(math.log(high / low), math.log(10))
    low, inner, rim, outer = (middle * math.exp(share * reach) for share in (-0.54, 0.54, 0.585, 0.63))
    axes.set(xscale="log", yscale="log", xlim=(low, outer), ylim=(low, outer))
    for span in (axes.axvspan, axes.axhspan):
        span(inner, outer, color="0.94", lw=0, zorder=0)
    axes.plot([low, inner], [low, inner], color="0.35", lw=0.8, zorder=1)
    for factor in (factor for factor in _RATIOS if abs(math.log(factor)) < math.log(inner / low)):
        across = np.array([max(low, low / factor), min(inner, inner / factor)])
        axes.plot(across, across * factor, color="0.45", lw=0.6, ls=(0, (1, 2)), zorder=1)
    for values, line in zip(limits, (axes.axvline, axes.axhline), strict=True):
        for value in (value for value in values if low < value < inner):
            line(value, color="0.25", lw=0.8, ls=(0, (1, 1.6)), zorder=1.8)
    at = both.assign(dimension=both["dimension"].fillna(0), ended=both["ended"] if len(dimensions) < 2 else None)
    at[["x", "y"]] = np.where(np.isfinite(costs), np.maximum(costs, low), rim)
    for i, dimension in enumerate(dimensions):
        own = at[(at["dimension"] == dimension) & at["ended"].isna()]
        axes.plot(own["x"], own["y"], gid=axes_level.gid(axes, "points", i), zorder=3, **_mark(dimension, dimensions))
    for end in runs.RIM:
        own = at[at["ended"] == end]
        if len(own):
            axes.plot(own["x"], own["y"], gid=f"rim-{end}", zorder=3, **runs.rim_mark(end))
    for axis in (axes.xaxis, axes.yaxis):
        # what would touch the mark of the rim goes
        scales.decades(axis, low, inner * math.exp(-0.1 * reach), 6)
        label = axis.get_major_formatter()
        axis.set_major_locator(FixedLocator([*axis.get_majorticklocs(), rim]))
        axis.set_major_formatter(FuncFormatter(lambda v, at, label=label: "∞" if v > inner else label(v, at)))


def _dimensions(rows: Frame) -> list[int]:
    """Return the dimensions of problems, 0 for those without one."""
    return sorted(rows["dimension"].fillna(0).astype(int).unique().tolist())


def _mark(dimension: int, among: Sequence[int]) -> style.Drawn:
    i, told = list(among).index(dimension), f"{dimension}-D" if dimension else "no dimension"
    return {
        **{"marker": _MARKS[i % len(_MARKS)], "markersize": 3.0, "markerfacecolor": "none", "markeredgewidth": 0.7},
        "linestyle": "none",
        "markeredgecolor": _SHADES[i % len(_SHADES)] if len(among) > 1 else "#0072B2",
        "label": told if len(among) > 1 else "",
    }


def _wanted(rows: Frame, asked: Sequence[str], control: str | None = None) -> list[str]:
    """Return the algorithms to pair: those asked for, then the control, then the best on most problems; UserError without two."""
    known = frames.names(rows)
    if unknown := [algorithm for algorithm in asked if algorithm not in known]:
        raise nothing_to_draw("scatter", f"algorithm {unknown[0]!r} (found {display.listed(sorted(known))})")
    ahead = sorted(best_first(rows), key=lambda name: name != control)
    names = list(dict.fromkeys([*asked, *ahead]))[: max(2, len(asked))]
    if len(names) < 2:
        raise nothing_to_draw("scatter", "a second algorithm")
    return names


def best_first(rows: Frame) -> list[str]:
    """Order algorithms by the number of points on which they are best."""
    return list(
        (rows["ratio"] == 1).groupby(rows["algorithm"], observed=True).sum().sort_values(ascending=False, kind="stable").index
    )


def points(data: Frame, a: str, b: str) -> Frame:
    """Return the problems and targets of both, with the costs `a` and `b`."""
    columns = [*_KEYS, "cost", *(["ended"] if "ended" in data else [])]
    first, second = (frames.rows_of(data, {"algorithm": name})[columns] for name in (a, b))
    return first.merge(second, on=_KEYS, suffixes=("_a", "_b")).rename(columns={"cost_a": "a", "cost_b": "b"})


def counts(a: npt.ArrayLike, b: npt.ArrayLike) -> dict[str, int]:
    """Count the points on which each is better, both are equal, or neither solves."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    solved_a, solved_b = np.isfinite(a), np.isfinite(b)
    masks = {"a": a < b, "b": b < a, "equal": (a == b) & solved_a, "neither": ~solved_a & ~solved_b}
    masks |= {"only_a": solved_a & ~solved_b, "only_b": solved_b & ~solved_a}
    return {name: int(where.sum()) for name, where in masks.items()}
