"""Average ranks with intervals of half the minimum significant difference on each side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

#: What a study can set.
Options = options.joined(options.Method, options.OfMeasures)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per target or budget: the average rank of each algorithm, best on top, with rank ± MSD/2.

    Of pairs with different MSDs the largest is drawn, and the caption says so (Chiarandini, Basso, Stützle 2005).
    """
    data, comparisons = _rows(tables, settings)
    looks = panels.ranked(data, tables, settings)
    data = data[data["algorithm"].isin(panels.with_lines(looks))]
    parts = frames.parts(data, frames.POINT)
    with style.rc(settings):
        longest = max(len(looks[row].label) for row in frames.algorithms(data))
        width = style.width_of(settings)
        columns = max(1, int(width / (1.2 + 0.055 * longest)))
        tall = 0.155 * data["algorithm"].nunique() + 0.42
        figure, axes = panels.sheet(len(parts), settings, columns, rest=0.45, row=tall, sharex=True)
        panels.fill(axes, parts, settings, partial(plot, pairs=comparisons, palette=looks), pad=None)
        ends = [(rows["average_rank"], _half(rows, comparisons)) for _, rows in parts]
        lowest, highest = min(1.0, *(rank.min() - half for rank, half in ends)), max(rank.max() + half for rank, half in ends)
        # a marker at either end is whole
        pad = max(0.03, 6 / (72 * width / panels.arrangement(len(parts), settings, columns)[1])) * (highest - lowest) or 0.5
        axes[0].set_xlim(lowest - pad, highest + pad)
        figure.supxlabel("average rank (1 = best)", fontsize=style.points(settings))
    return figure


@axes_level.drawing()
def plot(
    axes: Axes, data: pd.DataFrame, looks: dict[str, Look], pairs: pd.DataFrame | None = None, method: str | None = None
) -> None:
    """Draw the average ranks for one target or budget, best on top; intervals only with `pairs`.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ranks` of one target or budget (and stratum): `algorithm`, `average_rank`.
    """
    data = data.sort_values(["average_rank", "algorithm"])
    half = 0.0 if pairs is None else _half(data, panels.deciding(pairs, method))
    if half:
        best = data["average_rank"].iloc[0]
        axes.axvspan(best - half, best + half, color="0.92", lw=0, zorder=0)
    for place, (name, rank) in enumerate(zip(data["algorithm"], data["average_rank"], strict=True)):
        axes_level.interval(axes, looks[name], place, rank - half, rank, rank + half, clip_on=False)
    style.name_rows(axes, [looks[name] for name in data["algorithm"]])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7, integer=True))
    axes.tick_params(labelbottom=True)
    axes.set_xlabel("average rank (1 = best)")


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return further keywords of `plot`."""
    return {"pairs": tables["comparisons"]}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, comparisons = _rows(tables, settings)
    groups = frames.groups(data, frames.POINT)
    blocks = frames.only(data, "n_blocks")
    head = (
        f"Average ranks of {display.plural(data['algorithm'].nunique(), 'algorithm')}, measure "
        f"{measures.told(settings['measure'])}, over {captions.counted(blocks, 'problem')}"
        f"{' per panel' if len(groups) > 1 else ''}; 1 is best."
        f"{panels.line_words(panels.ranked(data, tables, settings))}"
    )
    values = [_msd(frames.rows_of(comparisons, group)) for group in groups]
    if not any(values):
        return head
    rows = comparisons[comparisons["msd"].notna()]
    beyond = rows["difference"].abs() > rows["msd"]
    apart, not_significant = int(beyond.sum()), int((beyond & ~rows["significant"]).sum())
    overlapping = int((~beyond & rows["significant"]).sum())
    common = all(not v or max(v) - min(v) <= 1e-9 * max(v) for v in values)
    rule = "over all panels " if len(groups) > 1 else ""
    rule += f"{display.plural(apart, 'pair differs', 'pairs differ')} by more" if apart else "no pair differs by more"
    rule += "" if common else " than its own MSD, of which the largest is drawn"
    if overlapping:
        more = " more" if apart else ""
        rule += f"; {display.count(overlapping)}{more} {'is' if overlapping == 1 else 'are'} significant by the corrected p"
    if not_significant:
        are = "is" if not_significant == 1 else "are"
        rule += f"; {display.count(not_significant)} of these {are} not significant by the corrected p"
    method = display.comparison_name(rows["method"].iloc[0])
    return (
        f"{head} Bars: ± MSD/2, the minimum significant difference ({method}, α = "
        f"{display.target(rows['alpha'].iloc[0])}); {rule}. Grey: the interval of the best."
    )


def _half(data: pd.DataFrame, pairs: pd.DataFrame) -> float:
    return max(_msd(frames.rows_of(pairs, frames.groups(data, frames.POINT)[0])) or [0.0]) / 2


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    data = panels.of_measure(tables, settings, "ranks", "ranks")
    where = {"measure": settings["measure"]["name"], "scale": "average rank"}
    return data, panels.deciding(frames.rows_of(tables["comparisons"], where), settings.get("method"))


def _msd(rows: pd.DataFrame) -> list[float]:
    return [v for v in rows["msd"] if math.isfinite(v)]
