"""Matrix of all pairs: effect size in colour, significance as marks, adjusted p as text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from benchmill.core.natural_order import natural_key
from benchmill.figures import panels, profile, style
from benchmill.text import display

_POINT = ["target", "at_budget", "stratum"]
#: Effect sizes from 0 to 1: told apart under the common forms of colour blindness; in grey the marks say which side is better.
_COLOURS = LinearSegmentedColormap.from_list("effects", ["#8a4b08", "#d9a55b", "#f7f7f7", "#6fa8d6", "#0b3c6f"])
#: More algorithms than this are not given their p values as text.
_MOST_WRITTEN = 10


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a target or budget (and stratum): row against column, algorithms in the order of their average ranks.

    The colour is Vargha and Delaney's A: the chance that a run of the row is better than one of the column on the same problem.
    A filled dot marks a pair that differs significantly with the row better, an open one with the column better. Where the cells
    are large enough the adjusted p value stands below the dot.

    Parameters
    ----------
    tables : mapping
        `ranks`, `comparisons`.
    settings : mapping
        `measures`: the settings of one measure; `method` (default: the first of the study): the comparison; `width`: see the
        package.
    """
    ranks, pairs = panels.compared(tables, settings, "pair_matrix")
    looks = panels.looks(ranks, tables)
    points = panels.groups(ranks, _POINT)
    n = len(ranks["algorithm"].unique())
    with style.rc(settings):
        size = style.points(settings) - 1
        longest = max(len(looks[name].label) for name in ranks["algorithm"].unique().to_pylist())
        room = style.text_width(settings) - 0.1
        names = 0.062 * longest * size / 7 + 0.15
        most = max(1, int(room / (names + max(1.4, 0.11 * n))))
        rows, columns = panels.arrangement(len(points), settings, min(most, 3))
        wide = columns > 1 or n > 14 or longest > 16
        width = (style.PRESETS[settings.get("width") or "ieee"]["text" if wide else "column"] - 0.1) / columns
        cell = min((width - names) / n, 0.34, (9.2 - 0.6) / rows / (n + names / 0.34))
        figure = style.new_figure(settings, wide=wide, height=min(rows * (n * cell + names + 0.28) + 0.55, 9.2))
        grid = figure.subplots(rows, columns, squeeze=False)
        mesh: Any = None
        for axes, point in zip(grid.flat, points, strict=False):
            mesh = _panel(axes, panels.rows_of(ranks, point), panels.rows_of(pairs, point), looks, size, cell)
            axes.set_title(style.text(panels.heading(point, points)), loc="left")
        for axes in list(grid.flat)[len(points) :]:
            axes.set_axis_off()
        bar = figure.colorbar(mesh, ax=list(grid.flat), location="bottom", fraction=0.03, aspect=45, pad=0.02)
        bar.set_label("A: chance that the row is better than the column", fontsize=style.points(settings))
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=size)
        bar.solids.set_edgecolor("face")  # type: ignore[union-attr]
        bar.solids.set_rasterized(False)  # type: ignore[union-attr]
    return figure


def _panel(axes: Axes, ranks: pa.Table, pairs: pa.Table, looks: Mapping[str, Any], size: float, cell: float) -> Any:
    rows = sorted(ranks.to_pylist(), key=lambda r: (r["average_rank"], natural_key(r["algorithm"])))
    order = [row["algorithm"] for row in rows]
    place = {name: i for i, name in enumerate(order)}
    n = len(order)
    effect = np.full((n, n), np.nan)
    filled: list[tuple[int, int]] = []
    hollow: list[tuple[int, int]] = []
    written = n <= _MOST_WRITTEN and cell * 72 > 2.4 * size
    for row in pairs.to_pylist():
        i, j = place[row["algorithm_a"]], place[row["algorithm_b"]]
        if row["a_better"] is not None:
            effect[i, j], effect[j, i] = row["a_better"], 1 - row["a_better"]
        if row["significant"]:
            ahead = _ahead(row)
            (filled if ahead else hollow).append((j, i))
            (hollow if ahead else filled).append((i, j))
        if written and row["p_adjusted"] is not None:
            text = display.p_value(row["p_adjusted"])
            for x, y in ((i, j), (j, i)):
                dark = abs((effect[y, x] if math.isfinite(effect[y, x]) else 0.5) - 0.5) > 0.3
                axes.annotate(
                    text, (x + 0.5, y + 0.72), ha="center", va="center", fontsize=size - 2.5, color="white" if dark else "0.1"
                )
    mesh = axes.pcolormesh(effect, cmap=_COLOURS, vmin=0, vmax=1, edgecolors="white", linewidth=0.3)
    marker = min(4.2, 0.4 * cell * 72)
    for found, face, edge, kind in ((filled, "black", "white", "row better"), (hollow, "white", "black", "column better")):
        if found:
            x, y = np.transpose(found)
            axes.plot(
                x + 0.5,
                y + (0.36 if written else 0.5),
                linestyle="none",
                marker="o",
                ms=marker,
                mfc=face,
                mec=edge,
                mew=0.6,
                gid=kind,
            )
    axes.set_xlim(0, n)
    axes.set_ylim(n, 0)
    texts = [style.text(looks[name].label) for name in order]
    small = min(size, cell * 72 / 1.15)
    axes.set_yticks(np.arange(n) + 0.5, texts, fontsize=small)
    axes.set_xticks(np.arange(n) + 0.5, texts, fontsize=small, rotation=90)
    axes.xaxis.tick_bottom()
    axes.tick_params(length=0)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return mesh


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what colours, dots and numbers are, and which comparison and correction decides."""
    ranks, pairs = panels.compared(tables, settings, "pair_matrix")
    rows = pairs.to_pylist()
    first = rows[0]
    points = panels.groups(ranks, _POINT)
    n = len(ranks["algorithm"].unique())
    decided = [row for row in rows if row["p_adjusted"] is not None or row["significant"]]
    against = sum(row["significant"] and row["a_better"] is not None and (row["a_better"] - 0.5) * _sign(row) < 0 for row in rows)
    measure = profile.named(settings["measures"][0])
    significant = sum(row["significant"] for row in rows)
    text = (
        f"All pairs of {display.plural(n, 'algorithm')} for the measure {measure}, best average rank first. Colour: Vargha and "
        "Delaney’s A, the chance that a run of the row is better than one of the column on the same problem (equal costs count "
        f"half). Dots: pairs that differ significantly by {display.comparison_name(first['method'])} "
        f"({display.correction_words(first['correction'])}) at the level α = {display.target(first['alpha'])}, filled where the "
        f"row is better, open where the column is; {display.count(significant)} of {display.plural(len(rows), 'pair')}"
        f"{' over all panels' if len(points) > 1 else ''} differ."
    )
    if n <= _MOST_WRITTEN and any(row["p_adjusted"] is not None for row in rows):
        text += " Numbers: adjusted p, where cells have room."
    if not decided:
        text += " The comparison is not defined here."
    if against:
        text += (
            f" In {display.plural(against, 'pair')} the comparison and A, which measure different things, disagree on the better."
        )
    return text


def _sign(row: Mapping[str, Any]) -> int:
    """1 where the comparison says that a is better, -1 for b, 0 for neither."""
    difference = row["difference"] or 0.0
    return -1 if difference > 0 else 1 if difference < 0 else 0


def _ahead(row: Mapping[str, Any]) -> bool:
    return _sign(row) > 0
