"""Average ranks with intervals of half the minimum significant difference on each side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display, measures

#: What a study can set.
Options = options.joined(options.Method, options.OfMeasures)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per target or budget: the average rank of each algorithm, best on top, with rank ± MSD/2.

    Where all pairs share one MSD, intervals that do not overlap are what the comparison calls
    significant (Chiarandini, Basso, Stützle 2005). Where they do not, the largest MSD is drawn, and the
    caption says so.
    """
    data, comparisons = _rows(tables, settings)
    looks = panels.ranked(data, tables, settings)
    data = data[data["algorithm"].isin(panels.with_lines(looks))]
    groups = frames.groups(data, frames.POINT)
    n = data["algorithm"].nunique()
    with style.rc(settings):
        longest = max(len(looks[row].label) for row in frames.algorithms(data))
        width = style.width_of(settings)
        rows, columns = panels.arrangement(len(groups), settings, max(1, int(width / (1.2 + 0.055 * longest))))
        height = 0.45 + rows * (0.155 * n + 0.42)
        figure = style.new_figure(settings, wide=columns > 1, height=height)
        grid = panels.spread(figure, len(groups), (rows, columns), sharex=True)
        lowest, highest = 1.0, 1.0
        for axes, (group, mine) in zip(grid, frames.parts(data, frames.POINT), strict=True):
            plot(mine, pairs=comparisons, palette=looks, ax=axes)
            panels.bare(axes)
            axes.set_title(style.text(panels.heading(group, groups, settings)), loc="left")
            axes.tick_params(labelbottom=True)
            half = _half(mine, comparisons)
            lowest, highest = min(lowest, mine["average_rank"].min() - half), max(highest, mine["average_rank"].max() + half)
        # a marker at either end is whole
        pad = max(0.03, 6 / (72 * width / columns)) * (highest - lowest) or 0.5
        grid[0].set_xlim(lowest - pad, highest + pad)
        figure.supxlabel("average rank (1 = best)", fontsize=style.points(settings))
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    pairs: pd.DataFrame | None = None,
    method: str | None = None,
    palette: Any = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the average ranks for one target or budget, best on top.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ranks` of one target or budget (and stratum): `algorithm`, `average_rank`.
    pairs : pandas.DataFrame, optional
        Rows of `comparisons`, of this point or of all, whose `msd` the intervals are made of; none are drawn without.
    method : str, optional
        The comparison; by default the first.
    """
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    data = data.sort_values(["average_rank", "algorithm"])
    half = 0.0 if pairs is None else _half(data, panels.deciding(pairs, method))
    if half:
        best = data["average_rank"].iloc[0]
        axes.axvspan(best - half, best + half, color="0.92", lw=0, zorder=0)
    for place, (name, rank) in enumerate(zip(data["algorithm"], data["average_rank"], strict=True)):
        look = looks[name]
        bar: dict[str, Any] = {**style.line_style(look, 1.3), "linestyle": "-"}
        axes.plot([rank - half, rank + half], [place, place], **bar)
        axes.plot([rank], [place], linestyle="none", clip_on=False, **axes_level.point(look, 4.4))
    style.name_rows(axes, [looks[name] for name in data["algorithm"]])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7, integer=True))
    axes.set_xlabel("average rank (1 = best)")
    return axes


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `plot` that other tables have."""
    return {"pairs": tables["comparisons"]}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the intervals are and what they allow one to read off."""
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
    """Half of the largest MSD of the pairs of this point; 0 without one."""
    return max(_msd(frames.rows_of(pairs, frames.groups(data, frames.POINT)[0])) or [0.0]) / 2


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    name = settings["measure"]["name"]
    data = panels.some(frames.rows_of(tables["ranks"], {"measure": name}), "ranks", f"measure {name!r}")
    comparisons = frames.rows_of(tables["comparisons"], {"measure": name})
    comparisons = frames.rows_of(comparisons, {"scale": "average rank"})
    return data, panels.deciding(comparisons, settings.get("method"))


def _msd(rows: pd.DataFrame) -> list[float]:
    return [v for v in rows["msd"] if math.isfinite(v)]
