"""Performance profiles: the share of problems an algorithm solves within a factor of the best, over that factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import captions, curves, frames, options, panels, scales, style
from benchmill.registry.variants import DEFAULT
from benchmill.text import display, measures, variants
from benchmill.text.appearance import Look

_GROUP = ["dimension", "target"]
#: What a study can set.
Options = options.joined(options.Axis, options.Panels, options.OfProfiles)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per group (dimension, target) of a profile.

    Curves are right-continuous steps from tau = 1 to tau_max, where they end; in the margin beyond,
    each algorithm's marker shows rho(tau_max), so that what lies above it is its unsolved share.
    The axis is logarithmic where tau_max > 10, to base 2 up to 1000 and to base 10 beyond, if `axis` does not say otherwise.
    """
    data = _rows(tables["profiles"], settings)
    groups = frames.groups(data, _GROUP)
    looks = _looks(data, tables, settings)
    data = scales.shortened(data, settings, smooth=variants.is_smooth(settings["profile"]))
    n_curves = sum(not look.faded for look in looks.values())
    scale, profile = scales.axis_of([data["tau"]], settings.get("axis")), settings["profile"]
    ends = curves.ends(data[np.isfinite(data["tau"])], "tau", "rho")
    named = {name: f"{display.share(ends[name])}  {look.label}" for name, look in looks.items() if not look.faded}
    if len(groups) == 1 and panels.fit_beside(list(named.values()), settings):
        with style.rc(settings):
            figure = style.new_figure(settings, wide=True, height=max(2.6, 0.16 * n_curves + 1.0))
            axes = figure.add_subplot()
            plot(data, palette=looks, scale=scale, smooth=variants.is_smooth(profile), ax=axes)
            _ceiling(axes, groups[0], tables, settings)
            entries = [(ends[name], label, looks[name]) for name, label in named.items()]
            style.direct_labels(axes, entries, settings, f"ρ({display.number(scales.end_of(data['tau']))}), algorithm")
            axes.set_xlabel(captions.x_label(profile, scale))
            if panels.name_of(groups[0], settings):
                axes.set_title(style.text(panels.name_of(groups[0], settings)), loc="left")
        return figure

    with style.rc(settings):
        where = panels.arranged(groups, settings)
        columns = where.columns
        width = style.width_of(settings)
        legend = panels.legend_height(n_curves + 1, looks.values(), width, settings)
        figure = style.new_figure(settings, wide=True, height=0.35 + where.rows * max(1.5, width / columns * 0.72) + legend)
        grid = panels.spread(figure, len(groups), (where.rows, columns), sharey=True)
        for place, (group, mine) in zip(where.places, frames.parts(data, _GROUP), strict=True):
            axes = grid[place]
            plot(mine, palette=looks, scale=scale, smooth=variants.is_smooth(profile), ax=axes)
            _ceiling(axes, group, tables, settings)
            panels.bare(axes)
            if where.headings is None:
                axes.set_title(style.text(panels.heading(group, groups, settings)), loc="left")
            if place % columns == 0:
                axes.set_ylabel("share ρ(τ)")
        panels.head(grid, where, settings)
        panels.legend_below(figure, list(looks.values()), settings, captions.x_label(profile, scale))
    return figure


def _ceiling(axes: Axes, group: Mapping[str, Any], tables: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """The virtual best solver of solver runs: its ratio is 1 wherever some algorithm solves the problem."""
    if _has_ceiling(tables, settings):
        facts = frames.rows_of(_rows(tables["profile_measures"], settings), {key: group[key] for key in _GROUP}).iloc[0]
        height = 1.0 if settings["profile"].get("unsolved") == "drop" else 1 - facts["n_unsolved"] / facts["n_problems"]
        axes.axhline(height, color="#4D4D4D", lw=0.9, ls=(0, (4, 1.6)), zorder=1.7, gid="virtual-best")


def _has_ceiling(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Whether the virtual best solver is drawn: of plain profiles of solver runs, whose problems weigh the same."""
    profile = settings["profile"]
    plain = (profile.get("variant") or DEFAULT) == DEFAULT and (profile.get("weights") or "equal") == "equal"
    return bool(settings.get("solver_runs")) and plain and "profile_measures" in tables


#: Draws one panel.
plot = curves.profile_plot


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `plot` that the settings of a profile tell."""
    return {"smooth": variants.is_smooth(settings["profile"]), "unit": variants.entry_of(settings["profile"]).tau}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown, how many problems and trials it rests on, and which conventions are in force.

    Parameters
    ----------
    settings : mapping
        As `draw`.
    """
    data = _rows(tables["profiles"], settings)
    measured = _rows(tables["profile_measures"], settings)
    profile = settings["profile"]
    columns = ["n_problems", "n_unsolved", "tau_max"]
    facts = measured.groupby(_GROUP, observed=True, dropna=False)[columns].max()
    n_algorithms = data["algorithm"].nunique()
    problems, unsolved, ends = (frames.only(facts, column) for column in columns)
    joint = len(settings["measure"].get("targets") or settings["measure"].get("budgets") or []) > 1
    what, word = ("(problem, target) pair", "pair") if joint and "target" not in (profile.get("by") or []) else ("problem",) * 2
    per_panel = " per panel" if len(facts) > 1 else ""
    part = f" ({variants.part_of(profile)})" if profile.get("problems") else ""
    parts = [
        captions.stopped_words(measured, word),
        f"{variants.heading(profile)} profiles of {display.plural(n_algorithms, 'algorithm')} on "
        f"{captions.counted(problems, what)}{part}{per_panel}, measure {measures.told(settings['measure'])}.",
        variants.definition(profile, f"{word}s"),
    ]
    if profile.get("weights", "equal") != "equal":
        parts.append(f"Problems are weighted by {display.words(str(profile['weights']))}.")
    where_from = (
        " (as set in the study)"
        if profile.get("tau_max")
        else ""
        if variants.entry_of(profile).of_ratios
        else " (no curve rises further)"
    )
    parts.append(
        captions.cut_words(ends, settings) or f"Curves end at τ_max = {captions.span(ends, display.number)}{where_from}."
    )
    if any(unsolved):
        rule = "left out" if profile.get("unsolved") == "drop" else "kept in the denominator"
        parts.append(f"{word.capitalize()}s that no algorithm solved: {captions.span(unsolved)}{per_panel} ({rule}).")
    if _has_ceiling(tables, settings):
        parts.append("Dashed: the virtual best algorithm.")
    if profile.get("bands") and data["rho_low"].notna().any():
        parts.append(captions.band_words(profile.get("bands")))
    parts.append(captions.trial_words(tables, settings["measure"]))
    parts.append(panels.highlight_words(_looks(data, tables, settings), settings))
    return captions.joined(*parts)


def _looks(data: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    """Looks in the order in which the curves end, some faded."""
    order = curves.order(rows for _, rows in frames.parts(data, _GROUP))
    return panels.highlighted(panels.looks(data, tables, settings), order, settings)


def _rows(table: pd.DataFrame, settings: Mapping[str, Any]) -> pd.DataFrame:
    rows = frames.rows_of(table, {"measure": settings["measure"]["name"], "variant": settings["profile"]["name"]})
    return panels.some(rows, "profile", f"measure {settings['measure']['name']!r}, variant {settings['profile']['name']!r}")
