"""Several performance profiles in one figure: side by side, or one variant drawn over another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
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
    """Settings of the figure."""

    layout: Literal["beside", "overlaid"] = option(
        "Whether panels stand side by side, or variants lie over each other.", "beside"
    )


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a panel for every measure, variant, dimension and target (Barreto, Bernardino, Barbosa 2010, Figures 2 to 5).

    `overlaid` draws the variants of a measure into one panel.
    """
    shown = _shown(tables, settings)
    looks = _looks(shown, tables, settings)
    scale = scales.axis_of([part.rows["tau"] for part in shown], settings.get("axis"))
    overlaid = settings.get("layout") == "overlaid"
    n_measures = len({part.measure["name"] for part in shown})
    layers = list({part.variant["name"]: part.variant for part in shown}.values())
    places: dict[Any, list[_Part]] = {}
    for number, part in enumerate(shown):
        words = [measures.called(part.measure) if n_measures > 1 else "", "" if overlaid else variants.title(part.variant)]
        name = ", ".join(filter(None, [*words, panels.name_of(part.group, settings)]))
        places.setdefault((name, overlaid or number), []).append(part)
    with style.rc(settings):
        n_variants = len(layers)
        columns = n_variants if not overlaid and 1 < n_variants <= 3 and n_measures > 1 else None
        columns = columns or (3 if style.width_of(settings) > 5 and len(places) % 4 else None)
        width = style.width_of(settings, wide=len(places) > 1)
        legend = panels.legend_height(len(looks) + (n_variants if overlaid else 0), looks.values(), width, settings)
        tall = lambda width: min(max(1.6, width * 0.68), 2.1)  # noqa: E731
        wide = len(places) > 1
        figure, grid = panels.sheet(len(places), settings, columns, rest=0.35 + legend, row=tall, wide=wide, sharey=True)
        _, columns = panels.arrangement(len(places), settings, columns)
        for i, (axes, ((name, _), parts)) in enumerate(zip(grid, places.items(), strict=True)):
            # the limits of the last one hold for what lies under it
            for under, part in zip([None, *[_UNDER] * (len(parts) - 1)], [parts[-1], *parts[:-1]], strict=True):
                smooth = variants.is_smooth(part.variant)
                curves.profile_plot(part.rows, palette=looks, scale=scale, smooth=smooth, under=under, ax=axes)
            panels.bare(axes)
            axes.set_title(style.text(name), loc="left")
            if i % columns == 0:
                axes.set_ylabel("share ρ(τ)")
        widths = [*[_UNDER] * (n_variants - 1), 1.15] if overlaid else []
        handles = [
            Line2D([], [], color="0.3", lw=lw, label=style.text(variants.title(variant)))
            for lw, variant in zip(widths, layers, strict=False)
        ]
        panels.legend_below(figure, looks, settings, captions.x_label(layers[-1], scale), more=handles)
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    shown = _shown(tables, settings)
    looks = _looks(shown, tables, settings)
    of = list({part.measure["name"]: part.measure for part in shown}.values())
    layers = list({part.variant["name"]: part.variant for part in shown}.values())
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
    parts += [f"{words.removesuffix('.')}." for words in dict.fromkeys(variants.definition(v, "problems") for v in layers)]
    parts.append(captions.cut_words(ends, settings) or f"Curves end at τ_max = {captions.span(ends, display.number)}.")
    if any(unsolved):
        parts.append(f"Problems that no algorithm solved: {captions.span(unsolved)} per panel.")
    parts.append(captions.trial_words(tables, of[0]))
    parts.append(panels.highlight_words(looks, settings))
    return captions.joined(*parts)


@dataclass(frozen=True)
class _Part:
    """The curves of a panel, whole and up to where the axis ends."""

    measure: Mapping[str, Any]
    variant: Mapping[str, Any]
    group: Mapping[str, Any]
    rows: pd.DataFrame
    whole: pd.DataFrame


def _shown(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> list[_Part]:
    found = []
    for measure, variant in product(settings["measures"], settings["profiles"]):
        rows = frames.rows_of(tables["profiles"], {"measure": measure["name"], "variant": variant["name"]})
        for group, part in frames.parts(rows, _GROUP):
            short = scales.shortened(part, settings, smooth=variants.is_smooth(variant))
            found.append(_Part(measure, variant, group, short, part))
    if not found:
        names = display.listed([str(m["name"]) for m in settings["measures"]], "or")
        raise panels.nothing_to_draw("profiles", f"any variant of {names}")
    return found


def _looks(shown: Sequence[_Part], tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    return panels.looks(tables["profiles"], tables, settings, curves.order(part.whole for part in shown))
