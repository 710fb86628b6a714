"""Several performance profiles in one figure: side by side, or one variant drawn over another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmill.core.options import option
from benchmill.figures import captions, curves, options, panels, scales, style
from benchmill.figures.sheet import Parts, Sheet
from benchmill.text import display, frames, limits, measures, variants
from benchmill.text.frames import at

_GROUP = ["dimension", "target"]
#: Width of the lines of the variant that lies under the other, in points.
_UNDER = 0.55


@dataclass(frozen=True, kw_only=True)
class Options(options.Axis, options.OfProfiles):
    """Settings of the figure."""

    layout: Literal["beside", "overlaid"] = option(
        "Whether panels stand side by side, or variants lie over each other.", "beside"
    )


def select(sheet: Sheet) -> None:
    """Take the curves of every measure, variant, dimension and target."""
    shown = []
    for measure, variant in product(sheet.settings["measures"], sheet.settings["profiles"]):
        rows = frames.rows_of(sheet.tables["profiles"], {"measure": measure["name"], "variant": variant["name"]})
        shown += [({"measure": measure, "variant": variant, **group}, part) for group, part in frames.groups(rows, _GROUP)]
    names = display.listed([str(m["name"]) for m in sheet.settings["measures"]], "or")
    of_all = pd.concat([rows for _, rows in shown]) if shown else sheet.tables["profiles"].iloc[:0]
    sheet.rows = sheet.some(of_all, f"any variant of {names}")
    sheet.parts = shown
    sheet.order(curves.order(rows for _, rows in shown))


def draw(sheet: Sheet) -> Figure:
    """Draw a panel for every measure, variant, dimension and target (Barreto, Bernardino, Barbosa 2010, Figures 2 to 5).

    `overlaid` draws the variants of a measure into one panel.
    """
    settings, pens = sheet.settings, sheet.pens
    shown = [
        (group, scales.shortened(rows, settings, smooth=variants.is_smooth(group["variant"]))) for group, rows in sheet.parts
    ]
    scale = scales.axis_of([rows["tau"] for _, rows in shown], settings.get("axis"))
    overlaid = settings.get("layout") == "overlaid"
    of, layers = _measures(sheet), _variants(sheet)
    places: dict[Any, Parts] = {}
    for number, (group, rows) in enumerate(shown):
        words = [measures.called(group["measure"]) if len(of) > 1 else "", "" if overlaid else variants.title(group["variant"])]
        own = {key: group[key] for key in _GROUP}
        name = ", ".join(filter(None, [*words, at(own, settings, heading=True)]))
        places.setdefault((name, overlaid or number), []).append((group, rows))
    thin = [_UNDER] * (len(layers) - 1)
    more = [
        Line2D([], [], color="0.3", lw=lw, label=style.text(variants.title(variant)))
        for lw, variant in zip([*thin, 1.15] if overlaid else [], layers, strict=False)
    ]
    with style.rc(settings):
        columns = len(layers) if not overlaid and 1 < len(layers) <= 3 and len(of) > 1 else None
        columns = columns or (3 if style.width_of(settings) > 5 and len(places) % 4 else None)
        rows_, columns = panels.arrangement(len(places), settings, columns)
        width = style.width_of(settings, wide=len(places) > 1)
        tall = min(max(1.6, width / columns * 0.68), 2.1)
        height = 0.35 + rows_ * tall + panels.legend_height(pens, width, more)
        figure = style.new_figure(settings, wide=len(places) > 1, height=height)
        grid = panels.spread(figure, len(places), (rows_, columns), sharey=True)
        for i, (axes, ((name, _), parts)) in enumerate(zip(grid, places.items(), strict=True)):
            # the limits of the last one hold for what lies under it
            for under, (group, rows) in zip([None, *thin], [parts[-1], *parts[:-1]], strict=False):
                smooth = variants.is_smooth(group["variant"])
                curves.profile_plot(rows, palette=pens, scale=scale, smooth=smooth, under=under, ax=axes)
            axes.set(xlabel="", ylabel="" if i % columns else "share ρ(τ)")
            axes.set_title(style.text(name), loc="left")
        tau = variants.entry_of(layers[-1]).tau + scales.SCALE_WORDS[scale]
        panels.legend_below(figure, pens, tau, more=more)
    return figure


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    of, layers = _measures(sheet), _variants(sheet)
    facts = sheet.of_profiles()
    problems, unsolved, ends = (frames.only(facts, column) for column in ("n_problems", "n_unsolved", "tau_max"))
    titles = [variants.title(variant) for variant in layers]
    overlaid = sheet.settings.get("layout") == "overlaid"
    over = f"; thin lines: {display.listed(titles[:-1])}, over them {titles[-1]}" if overlaid else ""
    named = display.listed([measures.told(m) for m in of])
    return [
        limits.of_profiles(facts, "problem"),
        f"Performance profiles of {display.plural(len(sheet.pens), 'algorithm')} on {captions.counted(problems, 'problem')} per "
        f"panel, {'measure' if len(of) == 1 else 'measures'} {named}{over}.",
        *[f"{words.removesuffix('.')}." for words in dict.fromkeys(variants.definition(v, "problems") for v in layers)],
        captions.cut_words(ends, sheet.settings) or f"Curves end at τ_max = {captions.span(ends, display.number)}.",
        f"Problems that no algorithm solved: {captions.span(unsolved)} per panel." if any(unsolved) else "",
        captions.trial_words(sheet.tables, of[0]),
    ]


def _measures(sheet: Sheet) -> list[Mapping[str, Any]]:
    return list({group["measure"]["name"]: group["measure"] for group, _ in sheet.parts}.values())


def _variants(sheet: Sheet) -> list[Mapping[str, Any]]:
    return list({group["variant"]["name"]: group["variant"] for group, _ in sheet.parts}.values())
