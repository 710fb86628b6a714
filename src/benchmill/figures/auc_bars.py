"""Bars of the normalised area under performance profiles, one panel per profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display, measures, variants
from benchmill.text.appearance import Look

_GROUP = ["measure", "variant", "dimension", "target"]
#: Narrowest panel in inches, beside the names.
_NARROWEST = 1.15
_AREA = "normalised area under the profile"

#: What a study can set.
Options = options.OfProfiles


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per profile, a bar for each algorithm (Barbosa, Bernardino, Barreto 2010, Figures 3, 5 and 7)."""
    data = panels.rows_of_profiles(tables["profile_measures"], settings, "auc_bars")
    parts = frames.parts(data, _GROUP)
    groups = [group for group, _ in parts]
    known = panels.looks(data, tables, settings)
    with style.rc(settings):
        size, n = style.points(settings), data["algorithm"].nunique()
        names = max(len(known[name].label) for name in frames.algorithms(data)) * size * 0.5 / 72
        columns = max(1, min(4, int(style.width_of(settings) / (_NARROWEST + names))))
        tall = 1.45 * size / 72 * n + 0.35
        figure, grid = panels.sheet(len(parts), settings, columns, rest=0.45, row=tall, sharex=True)
        for axes, (group, mine) in zip(grid, parts, strict=True):
            looks = panels.highlighted(known, _order(mine), settings)
            plot(mine, intervals=tables.get("profile_intervals"), palette=looks, ax=axes)
            panels.bare(axes)
            axes.set_ylim(n - 0.4, -0.6)
            axes.tick_params(labelbottom=True)
            axes.set_title(style.text(panels.title_of(group, groups, settings)), loc="left")
        # the values stand to the right of the axes
        figure.set_layout_engine("constrained", w_pad=0.14)
        figure.supxlabel(_AREA, fontsize=size)
    return figure


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], intervals: pd.DataFrame | None = None) -> None:
    """Draw the bars of one profile into axes.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `profile_measures`: `algorithm`, `auc_normalised`.
    """
    order = _order(data)
    values = data.set_index("algorithm")["auc_normalised"]
    bounds = _intervals(intervals, frames.groups(data, _GROUP)[0]) if intervals is not None else pd.DataFrame()
    beside: dict[str, Any] = {"xytext": (2.5, 0), "textcoords": "offset points", "va": "center", "annotation_clip": False}
    for place, name in enumerate(order):
        axes.barh(place, values[name], height=0.72, **style.bar_style(looks[name]))
        end = values[name]
        if name in bounds.index:
            low, high = bounds.loc[name, ["low", "high"]]
            axes.plot([low, high], [place, place], color="0.15", lw=0.9, solid_capstyle="butt", zorder=3)
            end = max(end, high)
        axes.annotate(display.share(values[name]), (end, place), fontsize=axes_level.points(), **beside)
    style.name_rows(axes, [looks[name] for name in order])
    axes.set(xlim=(0, 1.0), xlabel=_AREA)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return further keywords of `plot`."""
    return {"intervals": tables["profile_intervals"]}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data = panels.rows_of_profiles(tables["profile_measures"], settings, "auc_bars")
    groups = frames.groups(data, _GROUP)
    problems = frames.only(data, "n_problems")
    ends = frames.only(data, "tau_max")
    per_panel = " per panel" if len(groups) > 1 else ""
    shown = [m for m in settings["measures"] if m["name"] in set(data["measure"])]
    named = display.listed([measures.told(m) for m in shown])
    n = data["algorithm"].nunique()
    words = (
        f"Area under the performance profile over [1, τ_max] of {display.plural(n, 'algorithm')} on "
        f"{captions.counted(problems, 'problem')}{per_panel}, divided by the largest area of the panel: "
        f"{display.listed([variants.title(v) for v in settings['profiles']])} for {named}; "
        f"τ_max = {captions.span(ends, display.number)}. A failure adds no area."
    )
    bounds = tables.get("profile_intervals")
    if bounds is not None and any(not _intervals(bounds, group).empty for group in groups):
        level = bounds["level"].iloc[0]
        words += f" Lines are intervals at level {level:g}, from bootstrap resamples."
    return words


def _order(data: pd.DataFrame) -> list[str]:
    return list(data.sort_values(["auc_normalised", "algorithm"], ascending=[False, True])["algorithm"])


def _intervals(intervals: pd.DataFrame, group: Mapping[str, Any]) -> pd.DataFrame:
    return frames.rows_of(intervals, {**group, "quantity": "auc_normalised"}).set_index("algorithm")
