"""Bars of the normalised area under performance profiles, one panel a profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from benchmill.core.natural_order import natural_key
from benchmill.figures import panels, profile, style
from benchmill.text import display

_GROUP = ["measure", "variant", "dimension", "target"]
#: Narrowest panel in inches, beside the names.
_NARROWEST = 1.15


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a profile: a bar for each algorithm, longest on top, its value at the end.

    As Barbosa, Bernardino, Barreto 2010, Figures 3, 5 and 7. Where a variant has bootstrap bands, a line shows the interval.

    Parameters
    ----------
    tables : mapping
        `profile_measures`; `profile_intervals`, where there are any.
    settings : mapping
        `measures` and `profiles`: lists of the settings of measures and variants; `width`, `highlight`: see the package.
    """
    data = rows_of_profiles(tables["profile_measures"], settings, "auc_bars")
    groups = panels.groups(data, _GROUP)
    known = panels.looks(data, tables)
    with style.rc(settings):
        width = style.text_width(settings)
        size = style.points(settings) - 1
        names = max(len(known[name].label) for name in data["algorithm"].unique().to_pylist()) * size * 0.5 / 72
        n_rows, columns = panels.arrangement(len(groups), settings, max(1, min(4, int(width / (_NARROWEST + names)))))
        n = len(data["algorithm"].unique())
        bar = 1.45 * size / 72
        figure = style.new_figure(settings, wide=columns > 1, height=min(0.45 + n_rows * (bar * n + 0.35), 9.2))
        grid = figure.subplots(n_rows, columns, squeeze=False, sharex=True)
        for axes, group in zip(grid.flat, groups, strict=False):
            mine = _ordered(panels.rows_of(data, group))
            looks = panels.highlighted(known, [row["algorithm"] for row in mine], settings)
            intervals = _intervals(tables, group)
            for place, row in enumerate(mine):
                look, value = looks[row["algorithm"]], row["auc_normalised"]
                axes.barh(place, value, height=0.72, color=look.colour, alpha=0.75, linewidth=0, zorder=2)
                end = value
                if row["algorithm"] in intervals:
                    low, high = intervals[row["algorithm"]]
                    axes.plot([low, high], [place, place], color="0.15", lw=0.9, solid_capstyle="butt", zorder=3)
                    end = max(end, high)
                axes.annotate(
                    display.share(value),
                    (end, place),
                    xytext=(2.5, 0),
                    textcoords="offset points",
                    va="center",
                    ha="left",
                    fontsize=size - 0.5,
                    annotation_clip=False,
                )
            axes.set_yticks(range(len(mine)), [style.text(looks[row["algorithm"]].label) for row in mine])
            axes.set_ylim(n - 0.4, -0.6)
            axes.set_xlim(0, 1.0)
            axes.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
            axes.set_xticklabels(["0", "", "0.5", "", "1"])
            axes.tick_params(axis="y", length=0)
            axes.tick_params(labelbottom=True)
            axes.grid(axis="y", visible=False)
            # the values stand to the right of the axes
            axes.set_title(style.text(title_of(group, groups, settings)), loc="left")
        for axes in list(grid.flat)[len(groups) :]:
            axes.set_axis_off()
        figure.set_layout_engine("constrained", w_pad=0.14)
        figure.supxlabel("normalised area under the profile", fontsize=style.points(settings))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the areas are, over which interval, and on how many problems they rest."""
    data = rows_of_profiles(tables["profile_measures"], settings, "auc_bars")
    groups = panels.groups(data, _GROUP)
    problems = sorted(set(data["n_problems"].to_pylist()))
    ends = sorted(set(data["tau_max"].to_pylist()))
    per_panel = " per panel" if len(groups) > 1 else ""
    measures = [m for m in settings["measures"] if m["name"] in data["measure"].unique().to_pylist()]
    named = display.listed([profile.named(m) for m in measures])
    n = len(data["algorithm"].unique())
    words = (
        f"Area under the performance profile over [1, τ_max] of {display.plural(n, 'algorithm')} on "
        f"{profile.span(problems)} problems{per_panel}, divided by the largest area of the panel: "
        f"{display.listed([profile.title(v) for v in settings['profiles']])} for {named}; "
        f"τ_max = {profile.span(ends, display.number)}. A failure adds no area."
    )
    if any(_intervals(tables, group) for group in groups):
        level = tables["profile_intervals"]["level"][0].as_py()
        words += f" Lines are bootstrap intervals at level {level:g}."
    return words


def rows_of_profiles(table: pa.Table, settings: Mapping[str, Any], kind: str) -> pa.Table:
    """Rows of the measures and variants that a figure is asked to show."""
    measures = {measure["name"] for measure in settings["measures"]}
    variants = {variant["name"] for variant in settings["profiles"]}
    pairs = zip(table["measure"].to_pylist(), table["variant"].to_pylist(), strict=True)
    rows = table.filter(pa.array([m in measures and v in variants for m, v in pairs], pa.bool_()))
    if not rows.num_rows:
        raise panels.nothing_to_draw(kind, f"any variant of {display.listed(sorted(measures), 'or')}")
    return rows


def title_of(group: Mapping[str, Any], groups: list[dict[str, Any]], settings: Mapping[str, Any]) -> str:
    """What tells a panel from the others: measure, variant, dimension, target."""
    parts = [display.words(group["measure"])] if len({g["measure"] for g in groups}) > 1 else []
    if len({g["variant"] for g in groups}) > 1:
        parts.append(next(profile.title(v) for v in settings["profiles"] if v["name"] == group["variant"]))
    if panels.name_of(group):
        parts.append(panels.name_of(group))
    return ", ".join(parts) or panels.heading({}, groups)


def _ordered(rows: pa.Table) -> list[dict[str, Any]]:
    return sorted(rows.to_pylist(), key=lambda row: (-row["auc_normalised"], natural_key(row["algorithm"])))


def _intervals(tables: Mapping[str, Any], group: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Interval of each algorithm's normalised area, where there is one."""
    if "profile_intervals" not in tables:
        return {}
    rows = panels.rows_of(tables["profile_intervals"], {**group, "quantity": "auc_normalised"})
    return {row["algorithm"]: (row["low"], row["high"]) for row in rows.to_pylist()}
