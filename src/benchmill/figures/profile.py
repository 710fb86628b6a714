"""Performance profiles: the share of problems an algorithm solves within a factor of the best, over that factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import captions, curves, options, scales
from benchmill.figures.pens import band_words
from benchmill.figures.sheet import Page, Sheet, curves_page
from benchmill.text import display, frames, limits, measures, variants

#: What a study can set.
Options = options.joined(options.Axis, options.OfProfiles)


def select(sheet: Sheet) -> None:
    """Take a panel per dimension and target of the variant."""
    where = {"measure": sheet.measure["name"], "variant": sheet.settings["profile"]["name"]}
    sheet.take(sheet.table(what="measure {measure!r}, variant {variant!r}".format(**where), variant=where["variant"]))
    sheet.order(curves.order(part for _, part in sheet.parts))
    entry = variants.entry_of(sheet.settings["profile"])
    sheet.of = {"smooth": variants.is_smooth(sheet.settings["profile"]), "unit": entry.tau}


def draw(sheet: Sheet) -> Figure:
    """Draw steps up to tau_max, and a marker at rho(tau_max) beyond.

    The axis is logarithmic where tau_max > 10, to base 2 up to 1000, if `axis` does not say otherwise.
    """
    data = scales.shortened(sheet.rows, sheet.settings, smooth=sheet.of["smooth"])
    scale = scales.axis_of([data["tau"]], sheet.settings.get("axis"))

    def panel(axes: Axes, _: Mapping[str, Any], rows: pd.DataFrame) -> None:
        plot(rows, palette=sheet.pens, scale=scale, ax=axes, **sheet.of)

    return curves_page(
        sheet,
        frames.groups(data, sheet.kind.panel),
        [sheet.heading(group) for group, _ in sheet.parts],
        curves.ends(data[np.isfinite(data["tau"])], "tau", "rho"),
        panel,
        Page(
            x=sheet.of["unit"] + scales.SCALE_WORDS[scale],
            y="share ρ(τ)",
            over=f"ρ({display.number(scales.end_of(data['tau']))}), algorithm",
            rest=0.35,
            tall=1.5,
        ),
    )


plot = curves.profile_plot


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data, profile, measure = sheet.rows, sheet.settings["profile"], sheet.measure
    measured = sheet.table("profile_measures", variant=profile["name"])
    columns = ["n_problems", "n_unsolved", "tau_max"]
    facts = measured.groupby(list(sheet.kind.panel), observed=True, dropna=False)[columns].max()
    problems, unsolved, ends = (frames.only(facts, column) for column in columns)
    what = "problem" if "target" in (profile.get("by") or []) else measures.cell(measure)
    word = what.split()[-1]
    per_panel = " per panel" if len(facts) > 1 else ""
    part = f" ({variants.part_of(profile)})" if profile.get("problems") else ""
    weighted = profile.get("weights", "equal") != "equal"
    entry = variants.entry_of(profile)
    where_from = " (as set in the study)" if profile.get("tau_max") else "" if entry.of_ratios else " (no curve rises further)"
    rule = "left out" if profile.get("unsolved") == "drop" else "kept in the denominator"
    bands = profile.get("bands") and data["rho_low"].notna().any()
    return [
        limits.of_profiles(measured, word),
        f"{variants.heading(profile)} profiles of {display.plural(data['algorithm'].nunique(), 'algorithm')} on "
        f"{captions.counted(problems, what)}{part}{per_panel}, measure {measures.told(measure)}.",
        variants.definition(profile, f"{word}s"),
        f"Problems are weighted by {display.words(str(profile['weights']))}." if weighted else "",
        captions.cut_words(ends, sheet.settings) or f"Curves end at τ_max = {captions.span(ends, display.number)}{where_from}.",
        f"{word.capitalize()}s that no algorithm solved: {captions.span(unsolved)}{per_panel} ({rule})." if any(unsolved) else "",
        band_words(sheet.pens, captions.resampled(profile.get("bands"))) if bands else "",
        captions.trial_words(sheet.tables, measure),
    ]
