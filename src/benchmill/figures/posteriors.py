"""Bayesian comparisons: for every pair the probabilities that one is practically better, and that both are practically equal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.figures.sheet import Sheet
from benchmill.registry.posteriors import POSTERIORS
from benchmill.text import display, measures
from benchmill.text.appearance import Pen
from benchmill.text.frames import at

#: Dark, light, middle: told apart in grey, and the middle one is hatched.
_PARTS = (
    ("#0b3c6f", None, "left practically better"),
    ("#e8e8e8", "////", "practically equal"),
    ("#d9a55b", None, "right practically better"),
)
#: More pairs than this a panel, or than have room: only those with the best algorithm are drawn.
_MOST_PAIRS = 45

#: What a study can set.
Options = options.OfMeasures


def select(sheet: Sheet) -> None:
    """Take a panel per method and target or budget, with the pairs that have room."""
    sheet.take(sheet.table())
    sheet.order(sheet.known([*sheet.rows["algorithm_a"], *sheet.rows["algorithm_b"]]), others="named")
    fits = _layout(sheet)[-1]
    sheet.parts = [(point, _kept(sheet, rows, fits)) for point, rows in sheet.parts]


def draw(sheet: Sheet) -> Figure:
    """Draw one bar per pair, which the three probabilities share."""
    settings = sheet.settings
    with style.rc(settings):
        size = style.points(settings)
        columns, n_rows, _ = _layout(sheet)
        width = style.width_of(settings, columns > 1)
        pens = panels.named_on_both_sides(sheet.pens, width / columns, settings)
        most = max(len(rows) for _, rows in sheet.parts)
        line = min(1.28 * size / 72, (style.tallest(settings) - 0.5) / n_rows / (most + 3))
        figure = style.new_figure(settings, wide=columns > 1, height=n_rows * (most * line + 0.45) + 0.35)
        grid = panels.spread(figure, len(sheet.parts), (n_rows, columns), sharex=True)
        for axes, (point, rows) in zip(grid, sheet.parts, strict=True):
            plot(rows, size=min(size, line * 72 / 1.15), palette=pens, ax=axes)
            axes.set_xlabel("")
            title = ", ".join(filter(None, [POSTERIORS[point["method"]].words, at(point, settings, heading=True)]))
            title = title[0].upper() + title[1:]
            axes.set_title(style.wrapped(title, 0.5 * width, settings) if width < 5 else style.text(title), loc="left")
        handles = [
            Patch(
                facecolor=colour, edgecolor="0.5" if hatch else None, hatch=hatch, linewidth=0.0 if hatch else None, label=label
            )
            for colour, hatch, label in _PARTS
        ]
        columns = 3 if figure.get_size_inches()[0] > 4.5 else 2
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, columnspacing=1.2, handlelength=1.4)
    return figure


def _layout(sheet: Sheet) -> tuple[int, int, int]:
    """Return columns and rows of panels, and how many pairs fit into one."""
    n, settings = len(sheet.parts), sheet.settings
    columns = 2 if n > 1 and style.width_of(settings) > 5 else 1
    n_rows = math.ceil(n / columns)
    smallest = 1.15 * style.SMALLEST / 8 * style.points(settings) / 72
    fits = int((style.tallest(settings) - 0.5) / n_rows / smallest + 1e-9) - 3
    return columns, n_rows, max(1, min(_MOST_PAIRS, fits))


@axes_level.drawing(of_pairs=True)
def plot(axes: Axes, data: pd.DataFrame, pens: dict[str, Pen], size: float | None = None) -> None:
    """Draw the pairs of one method, target and budget.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `posteriors` of one method and point.
    size : float, optional
        Type size of the names in points; by default what the rows have room for.
    """
    rows = _surest_first(data)
    if size is None:
        size = min(axes_level.points(), axes.get_window_extent().height / axes.figure.dpi / len(rows) * 72 / 1.15)
    right = axes.twinx()
    shares = rows[["left_better", "equal", "right_better"]]
    there = shares["equal"].notna().to_numpy()
    places, shares = np.flatnonzero(there), shares[there]
    starts = shares.cumsum(axis=1).shift(axis=1, fill_value=0.0)
    for side, (colour, hatch, label) in zip(shares, _PARTS, strict=True):
        bars: dict[str, Any] = {"color": colour, "hatch": hatch, "edgecolor": "0.5" if hatch else colour, "lw": 0, "label": label}
        axes.barh(places, shares[side], left=starts[side], height=0.72, **bars)
    sure = 1 - rows["alpha"].iloc[0]
    for level in (1 - sure, sure):
        axes.axvline(level, color="0.35", lw=0.6, dashes=(2, 2), zorder=3)
    for side, column in ((axes, "left"), (right, "right")):
        side.set_ylim(len(rows) - 0.5, -0.5)
        side.set_yticks(range(len(rows)), [style.text(pens[name].label) for name in rows[column]], fontsize=size)
        style.stress(side.get_yticklabels(), pens.values())
        side.tick_params(axis="y", length=0)
        side.grid(visible=False)
        for spine in side.spines.values():
            spine.set_visible(False)
    axes.set_xlim(0, 1)
    axes.tick_params(labelbottom=True)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
    axes.set_xlabel("posterior probability")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data = sheet.rows
    ropes = display.listed([f"±{display.target(v)}" for v in frames.only(data, "rope")])
    methods = display.listed([POSTERIORS[m].words for m in data["method"].unique()])
    of_all = data.groupby(list(sheet.kind.panel), observed=True, dropna=False).size().max()
    shown = max(len(rows) for _, rows in sheet.parts)
    every = shown == len(sheet.pens) - 1
    stuck = sum(int(rows["equal"].isna().sum()) for _, rows in sheet.parts)
    return [
        f"Posterior probabilities of all pairs, measure {measures.told(sheet.measure)}, over "
        f"{captions.counted(frames.only(data, 'n_blocks'), 'problem')} ({methods}): the algorithm on the left is practically "
        f"better, both are practically equal (within {ropes}; scale: {display.listed(frames.only(data, 'normalisation'))}), the "
        f"one on the right is. Dashed: {display.target(1 - data['alpha'].iloc[0])}, which decides.",
        f"Only pairs of the algorithm of the best average rank{'' if every else ' with the next ones by that rank'} are drawn, "
        f"not the other {display.count(of_all - shown)}."
        if of_all > shown
        else "",
        f"{display.plural(stuck, 'pair')} without a bar: undefined, or the Markov chains did not converge." if stuck else "",
    ]


def _kept(sheet: Sheet, data: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return the pairs that are drawn: if not all have room those of the first by rank with the next ones."""
    if len(data) <= most:
        return data
    point = frames.groups(data.iloc[:1], frames.POINT)[0]
    leader, *others = sheet.table("ranks", **point).sort_values(["average_rank", "algorithm"])["algorithm"]
    a, b, near = data["algorithm_a"], data["algorithm_b"], others[:most]
    return data[(a == leader) & b.isin(near) | (b == leader) & a.isin(near)]


def _surest_first(data: pd.DataFrame) -> pd.DataFrame:
    """Order pairs, the more probable winner on the left."""
    rows = data.assign(a=data["algorithm_a"], b=data["algorithm_b"])
    turned = rows["a_better"].fillna(0.0) < rows["b_better"].fillna(0.0)
    sides = (("left", "right"), ("right", "left"))
    found = [
        part.rename(columns={"algorithm_a": a, "algorithm_b": b, "a_better": f"{a}_better", "b_better": f"{b}_better"})
        for part, (a, b) in zip((rows[~turned], rows[turned]), sides, strict=True)
    ]
    return pd.concat(found).sort_values(["left_better", "equal", "a", "b"], ascending=[False, True, True, True])
