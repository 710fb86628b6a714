"""Performance profiles: the share of problems an algorithm solves within a factor of the best, over that factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import captions, curves, frames, options, panels, scales
from benchmill.registry.variants import DEFAULT
from benchmill.text import display, measures, variants
from benchmill.text.appearance import Look

_GROUP = ["dimension", "target"]
#: What a study can set.
Options = options.joined(options.Axis, options.OfProfiles)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per dimension and target of the variant: steps up to tau_max, and a marker at rho(tau_max) beyond.

    The axis is logarithmic where tau_max > 10, to base 2 up to 1000, if `axis` does not say otherwise.
    """
    data, parts, looks = _rows(tables, settings)
    titles = [panels.heading(group, parts, settings) for group, _ in parts]
    smooth = variants.is_smooth(settings["profile"])
    data = scales.shortened(data, settings, smooth=smooth)
    scale = scales.axis_of([data["tau"]], settings.get("axis"))

    def panel(axes: Axes, group: Mapping[str, Any], rows: pd.DataFrame) -> None:
        plot(rows, palette=looks, scale=scale, smooth=smooth, ax=axes)
        _ceiling(axes, group, tables, settings)

    return panels.curves_page(
        frames.parts(data, _GROUP),
        titles,
        looks,
        curves.ends(data[np.isfinite(data["tau"])], "tau", "rho"),
        settings,
        panel,
        panels.Page(
            x=captions.x_label(settings["profile"], scale),
            y="share ρ(τ)",
            over=f"ρ({display.number(scales.end_of(data['tau']))}), algorithm",
            rest=0.35,
            tall=1.5,
        ),
    )


def _ceiling(axes: Axes, group: Mapping[str, Any], tables: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """Draw the share that the virtual best solver of solver runs solves."""
    if _has_ceiling(tables, settings):
        facts = frames.rows_of(_measured(tables, settings), group).iloc[0]
        height = 1.0 if settings["profile"].get("unsolved") == "drop" else 1 - facts["n_unsolved"] / facts["n_problems"]
        axes.axhline(height, color="#4D4D4D", lw=0.9, ls=(0, (4, 1.6)), zorder=1.7, gid="virtual-best")


def _has_ceiling(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Return True for plain profiles of solver runs, whose problems weigh the same."""
    profile = settings["profile"]
    plain = (profile.get("variant") or DEFAULT) == DEFAULT and (profile.get("weights") or "equal") == "equal"
    return bool(settings.get("solver_runs")) and plain and "profile_measures" in tables


plot = curves.profile_plot


def beside(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return further keywords of `plot`."""
    return {"smooth": variants.is_smooth(settings["profile"]), "unit": variants.entry_of(settings["profile"]).tau}


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, _, looks = _rows(tables, settings)
    measured = _measured(tables, settings)
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
    parts.append(panels.highlight_words(looks, settings))
    return captions.joined(*parts)


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, list[Any], dict[str, Look]]:
    """Return the rows, those of each panel, and the looks."""
    rows = frames.rows_of(tables["profiles"], _where(settings))
    rows = panels.some(rows, "profile", "measure {measure!r}, variant {variant!r}".format(**_where(settings)))
    parts = frames.parts(rows, _GROUP)
    return rows, parts, panels.looks(rows, tables, settings, curves.order(part for _, part in parts))


def _measured(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pd.DataFrame:
    return frames.rows_of(tables["profile_measures"], _where(settings))


def _where(settings: Mapping[str, Any]) -> dict[str, str]:
    return {"measure": settings["measure"]["name"], "variant": settings["profile"]["name"]}
