"""Several performance profiles in one figure: side by side, or one variant drawn over another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmill.core.options import option
from benchmill.figures import captions, curves, frames, options, panels, scales, style
from benchmill.text import display, measures, variants
from benchmill.text.appearance import Look

_GROUP = ["dimension", "target"]
#: Width of the lines of the variant that lies under the other, in points.
_UNDER = 0.55


@dataclass(frozen=True, kw_only=True)
class Options(options.Axis, options.OfProfiles):
    """What a study can set."""

    layout: Literal["beside", "overlaid"] = option(
        "Whether panels stand side by side, or variants lie over each other.", "beside"
    )


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a panel for every measure, variant, dimension and target.

    As Barreto, Bernardino, Barbosa 2010, Figures 2 to 5, and Hekmati, Mirhajianmoghadam 2018, Figure 2, compare standard with
    probabilistic or nested profiles. `overlaid` draws the variants of a measure into one panel: the last with the looks
    of the algorithms, those before it with thin lines.
    """
    shown = _shown(tables, settings)
    looks = _looks(shown, tables, settings)
    shown = _shortened(shown, settings)
    scale = scales.axis_of([rows["tau"] for _, _, rows in shown], settings.get("axis"))
    overlaid = settings.get("layout") == "overlaid"
    n_measures = len({measure["name"] for measure, _, _ in shown})
    places: list[tuple[str, list[tuple[Mapping[str, Any], pd.DataFrame]]]] = []
    for measure, variant, rows in shown:
        for group, mine in frames.parts(rows, _GROUP):
            parts = [measures.called(measure)] if n_measures > 1 else []
            parts += [] if overlaid else [variants.title(variant)]
            parts += [panels.name_of(group, settings)] if panels.name_of(group, settings) else []
            name = ", ".join(parts)
            if overlaid and name in [place[0] for place in places]:
                next(place[1] for place in places if place[0] == name).append((variant, mine))
            else:
                places.append((name, [(variant, mine)]))
    with style.rc(settings):
        width = style.width_of(settings)
        n_variants = len({variant["name"] for _, variant, _ in shown})
        columns = n_variants if not overlaid and 1 < n_variants <= 3 and n_measures > 1 else None
        n_rows, columns = panels.arrangement(len(places), settings, columns or (3 if width > 5 and len(places) % 4 else None))
        width = width if len(places) > 1 else style.width_of(settings, wide=False)
        legend = panels.legend_height(len(looks) + (n_variants if overlaid else 0), looks.values(), width, settings)
        height = 0.35 + n_rows * min(max(1.6, width / columns * 0.68), 2.1) + legend
        figure = style.new_figure(settings, wide=len(places) > 1, height=height)
        grid = panels.spread(figure, len(places), (n_rows, columns), sharey=True)
        for i, (axes, (name, layers)) in enumerate(zip(grid, places, strict=True)):
            for variant, rows in layers:
                last = variant is layers[-1][0]
                if last:  # its limits hold for what lies under it
                    curves.profile_plot(rows, palette=looks, scale=scale, smooth=variants.is_smooth(variant), ax=axes)
            for variant, rows in layers[:-1]:
                smooth = variants.is_smooth(variant)
                curves.profile_plot(rows, palette=looks, scale=scale, smooth=smooth, under=_UNDER, ax=axes)
            panels.bare(axes)
            axes.set_title(style.text(name), loc="left")
            if i % columns == 0:
                axes.set_ylabel("share ρ(τ)")
        all_variants = [variant for _, variant in {v["name"]: v for _, v, _ in shown}.items()]
        handles = []
        if overlaid:
            for variant in all_variants:
                thin = variant is not all_variants[-1]
                handles.append(
                    Line2D([], [], color="0.3", lw=_UNDER if thin else 1.15, label=style.text(variants.title(variant)))
                )
        panels.legend_below(figure, list(looks.values()), settings, captions.x_label(all_variants[-1], scale), handles)
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what each panel shows, on how many problems it rests, and which conventions are in force."""
    shown = _shown(tables, settings)
    looks = _looks(shown, tables, settings)
    of = list({measure["name"]: measure for measure, _, _ in shown}.values())
    layers = list({variant["name"]: variant for _, variant, _ in shown}.values())
    facts = panels.rows_of_profiles(tables["profile_measures"], settings, "profiles")
    problems, unsolved, ends = (frames.only(facts, column) for column in ("n_problems", "n_unsolved", "tau_max"))
    overlaid = settings.get("layout") == "overlaid"
    titles = [variants.title(variant) for variant in layers]
    over = f"; thin lines: {display.listed(titles[:-1])}, over them {titles[-1]}" if overlaid else ""
    named = display.listed([measures.told(m) for m in of])
    parts = [
        captions.stopped_words(facts, "problem"),
        f"Performance profiles of {display.plural(len(looks), 'algorithm')} on {captions.counted(problems, 'problem')} per "
        f"panel, {'measure' if len(of) == 1 else 'measures'} {named}{over}.",
    ]
    seen: list[str] = []
    for variant in layers:
        words = variants.definition(variant, "problems")
        if words not in seen:
            seen.append(words)
    parts += [words.removesuffix(".") + "." for words in seen]
    parts.append(captions.cut_words(ends, settings) or f"Curves end at τ_max = {captions.span(ends, display.number)}.")
    if any(unsolved):
        parts.append(f"Problems that no algorithm solved: {captions.span(unsolved)} per panel.")
    parts.append(captions.trial_words(tables, of[0]))
    parts.append(panels.highlight_words(looks, settings))
    return captions.joined(*parts)


_Shown = list[tuple[Mapping[str, Any], Mapping[str, Any], pd.DataFrame]]


def _shortened(shown: _Shown, settings: Mapping[str, Any]) -> _Shown:
    """Up to where the axis ends."""
    return [
        (measure, variant, scales.shortened(rows, settings, smooth=variants.is_smooth(variant)))
        for measure, variant, rows in shown
    ]


def _shown(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> _Shown:
    """Measure, variant and rows of every profile of the figure."""
    found = []
    for measure in settings["measures"]:
        for variant in settings["profiles"]:
            rows = frames.rows_of(tables["profiles"], {"measure": measure["name"], "variant": variant["name"]})
            if not rows.empty:
                found.append((measure, variant, rows))
    if not found:
        names = display.listed([str(m["name"]) for m in settings["measures"]], "or")
        raise panels.nothing_to_draw("profiles", f"any variant of {names}")
    return found


def _looks(shown: _Shown, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    known = panels.looks(tables["profiles"], tables, settings)
    order = curves.order(part for _, _, rows in shown for _, part in frames.parts(rows, _GROUP))
    return panels.highlighted(known, order, settings)
