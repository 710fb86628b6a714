"""Costs of two algorithms against each other, problem by problem."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from benchmill.core.options import option
from benchmill.figures import axes_level, captions, options, panels, runs, scales, style
from benchmill.figures.sheet import Sheet, nothing_to_draw
from benchmill.text import display, frames, measures
from benchmill.text.appearance import Pen

_MARKS = ("o", "s", "^", "D", "v", "P", "<", "X", ">", "*")
#: Light to dark with the dimension.
_SHADES = ("#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#882255", "#000000")
#: Ratios that have a line.
_RATIOS = (2.0, 0.5, 10.0, 0.1)
#: Inches of a panel at most.
_WIDEST = 4.0
_KEYS = ["suite", "problem", "dimension", "instance", "target", "at_budget"]
_MOST_PAIRS = 6


@dataclass(frozen=True, kw_only=True)
class Options(options.OfMeasures):
    """Settings of the figure."""

    algorithms: tuple[str, ...] | None = option(
        "The algorithms that are paired; by default those to highlight and, of fewer than two, the best on most problems.",
        None,
        minItems=2,
        uniqueItems=True,
    )


def select(sheet: Sheet) -> None:
    """Take a panel per pair."""
    sheet.rows = sheet.table(included=True)
    asked = sheet.settings.get("highlight")
    mine = [one for one in asked if one in frames.names(sheet.rows)] if isinstance(asked, list | tuple) else []
    chosen = _wanted(sheet.rows, list(sheet.settings.get("algorithms") or mine))
    sheet.parts = [({"pair": pair}, sheet.rows) for pair in list(combinations(chosen, 2))[:_MOST_PAIRS]]
    sheet.order(best_first(sheet.rows), others="named")
    sheet.of = {"of_runs": runs.of_measure(sheet)}
    sheet.shared = {"dimensions": frames.only(sheet.rows, "dimension")}


def draw(sheet: Sheet) -> Figure:
    """Draw a point for each problem and target, cost of the one against cost of the other.

    What an algorithm does not solve lies on the rim; of solver runs the marker says how the run ended.
    """
    settings, pens, n = sheet.settings, sheet.pens, len(sheet.parts)
    dimensions, of_runs = sheet.shared["dimensions"], sheet.of["of_runs"]
    with style.rc(settings):
        columns = min(n, 3 if style.width_of(settings) > 5 else 2)
        n_rows = math.ceil(n / columns)
        room = style.width_of(settings, wide=columns > 1) / columns
        side = min(room, _WIDEST)
        figure = style.new_figure(settings, wide=columns > 1, height=n_rows * (side * 0.97 + 0.12) + 0.3)
        grid = panels.spread(figure, n, (n_rows, columns))
        for axes, (group, data) in zip(grid, sheet.parts, strict=True):
            a, b = group["pair"]
            plot(data, pair=(a, b), palette=pens, ax=axes, **sheet.of, **sheet.shared)
            words = verdict(_counts(data, a, b), pens[a].label, pens[b].label, measures.better(sheet.measure))
            if room > _WIDEST:
                axes.set_box_aspect(1)
            axes.set_title("\n".join(style.in_lines(line, side - 0.5) for line in words), loc="left")
            axes.set_xlabel(style.text(measures.with_unit(sheet.measure, pens[a].label)), fontweight=style.weight(pens[a]))
            axes.set_ylabel(style.text(measures.with_unit(sheet.measure, pens[b].label)), fontweight=style.weight(pens[b]))
        found = {end for group, data in sheet.parts for end in _points(data, group["pair"], of_runs)["ended"]}
        shown = [(runs.rim_mark(outcome), runs.OUTCOMES[outcome][0]) for outcome in runs.RIM if outcome in found]
        if len(dimensions) > 1:
            shown = [(_mark(i, len(dimensions)), f"{dimension}-D") for i, dimension in enumerate(dimensions)]
        runs.legend(figure, [Line2D([], [], linestyle="none", **mark, label=word) for mark, word in shown])
    return figure


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    joint = len(frames.keys_of(sheet.rows, ["target", "at_budget"])) > 1
    of_runs, label = sheet.of["of_runs"], {name: pen.label for name, pen in sheet.pens.items()}
    pairs = [group["pair"] for group, _ in sheet.parts]
    return [
        f"Costs of two algorithms, measure {measures.told(sheet.measure)}: a point is a "
        f"{'(problem, target) pair' if joint else 'problem'}. Grey rim (∞): not solved by the algorithm of that axis.",
        "" if of_runs is None else runs.limit_words(of_runs),
        *(sentence(_counts(sheet.rows, a, b), label[a], label[b]) for a, b in pairs),
        captions.trial_words(sheet.tables, sheet.measure),
    ]


def _counts(data: pd.DataFrame, a: str, b: str) -> dict[str, int]:
    return counts(*(points(data, a, b)[cost].to_numpy(float) for cost in "ab"))


def _points(data: pd.DataFrame, pair: tuple[str, str], of_runs: pd.DataFrame | None) -> pd.DataFrame:
    """Return the points of a pair, with `ended`: how the run failed of a problem that one alone solves."""
    both = points(data.assign(ended=runs.ended(data, of_runs)), *pair)
    lost = np.isinf(both["a"])
    return both.assign(ended=both["ended_a"].where(lost, both["ended_b"]).where(lost != np.isinf(both["b"]), None))


@axes_level.drawing()
def plot(
    axes: Axes,
    data: pd.DataFrame,
    pens: dict[str, Pen],
    pair: tuple[str, str] | None = None,
    dimensions: Sequence[int] | None = None,
    of_runs: pd.DataFrame | None = None,
) -> None:
    """Draw the costs of one pair against each other; one mark and colour per dimension.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ratios` of one measure: keys, `algorithm`, `cost`, `ratio`.
    pair : (str, str), optional
        By default the two that are best on most problems; UserError for one that is not there.
    dimensions : sequence of int, optional
        Those that have marks and colours.
    of_runs : pandas.DataFrame, optional
        Rows of `solver_runs`: what the rim says of failures, and the limits.
    """
    first, second = _wanted(data, list(pair or ()))[:2]
    if dimensions is None:
        dimensions = frames.only(data, "dimension")
    both = _points(data, (first, second), of_runs)
    axes.set_xlabel(style.text(f"cost of {pens[first].label}"))
    axes.set_ylabel(style.text(f"cost of {pens[second].label}"))
    a, b = both["a"].to_numpy(float), both["b"].to_numpy(float)
    limits = [[] if of_runs is None else runs.limits(of_runs[of_runs["algorithm"] == name]) for name in (first, second)]
    finite = np.concatenate([a[np.isfinite(a) & (a > 0)], b[np.isfinite(b) & (b > 0)]])
    low, high = (float(finite.min()), max([float(finite.max()), *limits[0], *limits[1]])) if finite.size else (1.0, 10.0)
    if high < 10 * low:  # at least a decade, around what there is
        middle = math.sqrt(low * high)
        low, high = middle / math.sqrt(10), middle * math.sqrt(10)
    reach = math.log(high / low)
    low, inner = low * math.exp(-0.04 * reach), high * math.exp(0.04 * reach)
    outer, rim = inner * math.exp(0.09 * reach), inner * math.exp(0.045 * reach)
    axes.set(xscale="log", yscale="log", xlim=(low, outer), ylim=(low, outer))
    axes.axvspan(inner, outer, color="0.94", lw=0, zorder=0)
    axes.axhspan(inner, outer, color="0.94", lw=0, zorder=0)
    axes.plot([low, inner], [low, inner], color="0.35", lw=0.8, zorder=1)
    for factor in _RATIOS:
        left, right = max(low, low / factor), min(inner, inner / factor)
        if left < right:
            axes.plot([left, right], [left * factor, right * factor], color="0.45", lw=0.6, ls=(0, (1, 2)), zorder=1)
    for values, line in zip(limits, (axes.axvline, axes.axhline), strict=True):
        for value in values:
            if low < value < inner:
                line(value, color="0.25", lw=0.8, ls=(0, (1, 1.6)), zorder=1.8)
    x = np.where(np.isfinite(a), np.maximum(a, low), rim)
    y = np.where(np.isfinite(b), np.maximum(b, low), rim)
    ended = both["ended"].to_numpy()
    coded = pd.notna(ended) & (len(dimensions) < 2)
    for i, dimension in enumerate(dimensions or [0]):
        mine = (both["dimension"].fillna(0).to_numpy(int) == dimension if dimensions else np.ones(len(x), dtype=bool)) & ~coded
        of: dict[str, Any] = {**_mark(i, len(dimensions)), "label": f"{dimension}-D", "gid": axes_level.gid(axes, "points", i)}
        axes.plot(x[mine], y[mine], linestyle="none", zorder=3, **of)
    for outcome in runs.RIM:
        mine = coded & (ended == outcome)
        if mine.any():
            pen = runs.rim_mark(outcome)
            axes.plot(x[mine], y[mine], linestyle="none", **pen, zorder=3, label=runs.OUTCOMES[outcome][0], gid=f"rim-{outcome}")
    ticks = [10.0**k for k in range(math.ceil(math.log10(low)), math.floor(math.log10(inner)) + 1)]
    # the last one must not touch that of the rim
    ticks = [tick for tick in ticks[:: max(1, math.ceil(len(ticks) / 6))] if math.log(rim / tick) > 0.08 * reach]
    for axis in (axes.xaxis, axes.yaxis):
        if len(ticks) > 1:
            axis.set_major_locator(FixedLocator([*ticks, rim]))
            axis.set_major_formatter(FuncFormatter(lambda v, _: "∞" if v > inner else scales.power(v)))
            axis.set_minor_locator(scales.minor_ticks())
        else:
            axis.set_major_locator(FixedLocator([*[float(f"{v:.2g}") for v in np.geomspace(low * 1.2, inner / 1.2, 4)], rim]))
            axis.set_major_formatter(FuncFormatter(lambda v, _: "∞" if v > inner else f"{v:.3g}"))
        axis.set_minor_formatter(NullFormatter())


def _mark(i: int, n: int) -> dict[str, Any]:
    edge = {"markeredgecolor": _SHADES[i % len(_SHADES)] if n > 1 else "#0072B2", "markeredgewidth": 0.7}
    return {"marker": _MARKS[i % len(_MARKS)], "markersize": 3.0, "markerfacecolor": "none", **edge}


def _wanted(rows: pd.DataFrame, asked: Sequence[str]) -> list[str]:
    """Return the algorithms to pair: those asked for, then the best on most problems; UserError without two."""
    known, found = frames.names(rows), list(asked)
    for algorithm in found:
        if algorithm not in known:
            raise nothing_to_draw("scatter", f"algorithm {algorithm!r} (found {display.listed(sorted(known))})")
    if len(found) < 2:
        found += [a for a in best_first(rows) if a not in found][: 2 - len(found)]
    if len(found) < 2:
        raise nothing_to_draw("scatter", "a second algorithm")
    return found


def best_first(rows: pd.DataFrame) -> list[str]:
    """Order algorithms by the number of points on which they are best."""
    wins = (rows["ratio"] == 1).groupby(rows["algorithm"], observed=True).sum()
    return list(wins.sort_values(ascending=False, kind="stable").index)


def points(data: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """Return the problems and targets of both, with the costs `a` and `b`."""
    columns = [*_KEYS, "cost", *(["ended"] if "ended" in data else [])]
    first, second = (frames.rows_of(data, {"algorithm": name})[columns] for name in (a, b))
    both = first.merge(second, on=_KEYS, suffixes=("_a", "_b"))
    return both.rename(columns={"cost_a": "a", "cost_b": "b"})


def counts(a: np.ndarray, b: np.ndarray) -> dict[str, int]:
    """Count the points on which each is better, both are equal, or nobody solves."""
    solved_a, solved_b = np.isfinite(a), np.isfinite(b)
    return {
        "a": int((a < b).sum()),
        "b": int((b < a).sum()),
        "equal": int(((a == b) & solved_a).sum()),
        "only_a": int((solved_a & ~solved_b).sum()),
        "only_b": int((solved_b & ~solved_a).sum()),
        "neither": int((~solved_a & ~solved_b).sum()),
    }


def verdict(found: Mapping[str, int], first: str, second: str, word: str) -> list[str]:
    """Return the lines `faster: A 12, B 10` and `equal 3, neither solves 2`, the latter where there is any."""
    (most, name), (least, other) = sorted([(found["a"], first), (found["b"], second)], key=lambda item: -item[0])
    rest = [
        f"{words} {display.count(found[key])}" for key, words in (("equal", "equal"), ("neither", "neither solves")) if found[key]
    ]
    # lines may break behind commas alone
    first, *more = (
        words.replace(" ", "\u00a0") for words in (f"{word}: {name} {display.count(most)}", f"{other} {display.count(least)}")
    )
    return [f"{first}, {more[0]}", *([", ".join(rest)] if rest else [])]


def sentence(found: Mapping[str, int], first: str, second: str) -> str:
    """Return a sentence with these counts for a caption."""
    a, b = (display.count(found[key]) for key in "ab")
    if found["only_a"] or found["only_b"]:
        a, b = f"{a} ({display.count(found['only_a'])} that it alone solves)", f"{b} ({display.count(found['only_b'])})"
    text = f"{first} is better on {a}, {second} on {b}"
    text += f", equal on {display.count(found['equal'])}" if found["equal"] else ""
    return f"{text}; neither solves {display.count(found['neither'])}." if found["neither"] else f"{text}."
