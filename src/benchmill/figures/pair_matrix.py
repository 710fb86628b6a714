"""Matrix of all pairs: effect size in colour, significance as marks, adjusted p as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, captions, frames, heat, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look, appearance

#: Effect sizes from 0 to 1: told apart under the common forms of colour blindness; in grey the marks say which side is better.
_COLOURS = seaborn.blend_palette(["#8a4b08", "#d9a55b", "#f7f7f7", "#6fa8d6", "#0b3c6f"], as_cmap=True)
#: More algorithms than this are not given their p values as text.
_MOST_WRITTEN = 10
#: The largest cell in inches.
_CELL = 0.4
#: What a study can set.
Options = options.joined(options.Method, options.OfMeasures)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per target or budget (and stratum): row against column, algorithms in the order of their average ranks.

    The colour is Vargha and Delaney's A: the chance that a run of the row is better than one of the column on the same problem.
    A filled dot marks a pair that differs significantly with the row better, an open one with the column better. Where the cells
    are large enough the adjusted p value stands below the dot.
    """
    ranks, pairs = panels.compared(tables, settings, "pair_matrix")
    looks = panels.ranked(ranks, tables, settings)
    points = frames.groups(ranks, frames.POINT)
    with style.rc(settings):
        rows, columns, wide, names, n = _layout(ranks, looks, settings)
        cell = _cell(n, rows, (style.width_of(settings, wide=wide) - 0.1) / columns, names, settings)
        figure = style.new_figure(settings, wide=wide, height=rows * (n * cell + names + 0.28) + 0.55)
        grid = panels.spread(figure, len(points), (rows, columns))
        for axes, point in zip(grid, points, strict=True):
            mine = frames.rows_of(ranks, point).sort_values(["average_rank", "algorithm"]).iloc[:n]
            plot(mine, pairs=pairs, method=settings.get("method"), cell=cell, looks=looks, ax=axes)
            axes.set_title(style.text(panels.heading(point, points, settings)), loc="left")
        heat.colour_bar(figure, grid[0].collections[0], "A: chance that the row is better than the column", settings, aspect=45)
    return figure


def _layout(ranks: pd.DataFrame, looks: Mapping[str, Look], settings: Mapping[str, Any]) -> tuple[int, int, bool, float, int]:
    """Rows and columns of panels, whether they take the width of the text, inches of the names, and how many algorithms fit."""
    points, n = len(frames.groups(ranks, frames.POINT)), ranks["algorithm"].nunique()
    size = style.points(settings)
    longest = max(len(looks[name].label) for name in frames.algorithms(ranks))
    names = 0.062 * longest * size / 7 + 0.15
    most = max(1, int((style.width_of(settings) - 0.1) / (names + max(1.4, 0.11 * n))))
    rows, columns = panels.arrangement(points, settings, min(most, 3))
    wide = columns > 1 or n > 14 or longest > 16
    width = (style.width_of(settings, wide=wide) - 0.1) / columns
    fits = (m for m in range(n, 2, -1) if _cell(m, rows, width, names, settings) * 72 / 1.15 >= style.SMALLEST * size / 8)
    return rows, columns, wide, names, next(fits, 2)


def _cell(n: int, rows: int, width: float, names: float, settings: Mapping[str, Any]) -> float:
    """Side of a cell in inches, where `n` algorithms and their names share the width and the rows of panels the page."""
    return min((width - names) / n, _CELL, (style.tallest(settings) - 0.6) / rows / (n + names / _CELL))


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    pairs: pd.DataFrame,
    method: str | None = None,
    cell: float | None = None,
    looks: Mapping[str, Look] | None = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the pairs of one target or budget.

    `axes.collections[0]` has the colours, for a colour bar.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ranks` of one target or budget (and stratum): `algorithm`, `average_rank`.
    pairs : pandas.DataFrame
        Rows of `comparisons`, of this point or of all.
    method : str, optional
        The comparison that decides; by default the first.
    cell : float, optional
        Size of a cell in inches, which type and marks are made for; by default that of the axes.
    looks : mapping, optional
        The looks of the algorithms, for their labels.
    """
    axes = axes_level.given(ax, facet)
    ranks = axes_level.named(data)
    pairs = frames.rows_of(panels.deciding(pairs, method), frames.groups(ranks, frames.POINT)[0])
    shown = appearance(ranks["algorithm"]) if looks is None else looks
    size, extent = axes_level.points(), axes.get_window_extent()
    cell = min(extent.width, extent.height) / axes.figure.dpi / len(ranks) if cell is None else cell
    order = list(ranks.sort_values(["average_rank", "algorithm"])["algorithm"])
    both = _both_ways(pairs)
    effect, written, better = (
        both.pivot(index="row", columns="column", values=value).reindex(index=order, columns=order)
        for value in ("effect", "p_adjusted", "better")
    )
    texts = None
    if len(order) <= _MOST_WRITTEN and cell * 72 > 3.2 * size and written.notna().any(axis=None):
        texts = written.map(lambda p: "" if pd.isna(p) else display.p_value(p))
    names = [style.text(shown[name].label) for name in order]
    small = min(size, cell * 72 / 1.15)
    # the numbers stand below the dots
    heat.cells(axes, effect, _COLOURS, (0, 1), (names, names), small, texts, {"fontsize": size, "va": "top"})
    axes.tick_params(axis="x", rotation=90, labelsize=small)
    style.stress([*axes.get_xticklabels(), *axes.get_yticklabels()], shown.values())
    marker: dict[str, Any] = {"linestyle": "none", "marker": "o", "ms": min(4.2, 0.4 * cell * 72), "mew": 0.6}
    for ahead, face, edge, kind in ((1, "black", "white", "row better"), (-1, "white", "black", "column better")):
        y, x = np.nonzero(better.to_numpy() == ahead)
        if x.size:
            axes.plot(x + 0.5, y + (0.5 if texts is None else 0.3), mfc=face, mec=edge, gid=kind, **marker)
    return axes


def _both_ways(pairs: pd.DataFrame) -> pd.DataFrame:
    """Each pair as row against column and as column against row.

    Columns `effect`, `p_adjusted`, and `better`: 1 where they differ significantly with the row better, -1 with the column.
    """
    found = pairs.assign(better=np.where(pairs["significant"], np.where(_sign(pairs) > 0, 1, -1), 0))
    there = found.rename(columns={"algorithm_a": "row", "algorithm_b": "column", "a_better": "effect"})
    back = found.rename(columns={"algorithm_b": "row", "algorithm_a": "column", "a_better": "effect"})
    back = back.assign(effect=1 - back["effect"], better=-back["better"])
    columns = ["row", "column", "effect", "p_adjusted", "better"]
    return pd.concat([there[columns].astype({"row": str, "column": str}), back[columns].astype({"row": str, "column": str})])


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `plot` that other tables have."""
    return {"pairs": tables["comparisons"]}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what colours, dots and numbers are, and which comparison and correction decides."""
    ranks, pairs = panels.compared(tables, settings, "pair_matrix")
    shown = _layout(ranks, panels.ranked(ranks, tables, settings), settings)[-1]
    first = pairs.iloc[0]
    points = frames.groups(ranks, frames.POINT)
    n = ranks["algorithm"].nunique()
    decided = pairs["p_adjusted"].notna() | pairs["significant"]
    against = int((pairs["significant"] & ((pairs["a_better"] - 0.5) * _sign(pairs) < 0)).sum())
    measure = measures.told(settings["measures"][0])
    significant = int(pairs["significant"].sum())
    text = (
        f"All pairs of {display.plural(n, 'algorithm')}, measure {measure}, best average rank first. Colour: Vargha and "
        "Delaney’s A, the chance that the row is better than the column. Dots: pairs that differ significantly "
        f"({display.comparison_name(first['method'])}, {display.correction_words(first['correction'])}"
        f"{captions.clusters(frames.only(pairs, 'n_clusters'))}, α = {display.target(first['alpha'])}), filled where the row is "
        f"better; {display.out_of(significant, len(pairs), 'pair')}{' over all panels' if len(points) > 1 else ''} "
        f"{'differs' if significant < 2 else 'differ'}."
    )
    if shown < n:
        text += f" Each panel shows its {shown} algorithms of the best average rank; counts are of all."
    if min(n, shown) <= _MOST_WRITTEN and pairs["p_adjusted"].notna().any():
        text += " Numbers: adjusted p."
    if not decided.any():
        text += " The test is not defined here."
    if against:
        text += f" In {display.plural(against, 'pair')} the test and A disagree about which is better."
    return text


def _sign(pairs: pd.DataFrame) -> np.ndarray:
    """1 where the comparison says that a is better, -1 for b, 0 for neither."""
    sign: np.ndarray = -np.sign(pairs["difference"].fillna(0.0).to_numpy())
    return sign
