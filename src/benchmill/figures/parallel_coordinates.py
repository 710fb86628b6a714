"""Parallel coordinates: several qualities of each algorithm on axes side by side, larger is better on all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.core.options import option
from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display, variants
from benchmill.text.appearance import Look

#: What is read off the profile of the main measure, beside the area.
_OF_MAIN = (
    ("rho_tau_max", r"$\rho(\tau_{\mathrm{max}})$"),
    ("tau_min_over_tau_star", r"$\tau_{\mathrm{min}}/\tau^*$"),
    ("rho_1", r"$\rho(1)$"),
)


@dataclass(frozen=True, kw_only=True)
class Options(options.OfProfiles):
    """Settings of the figure."""

    main: str | None = option("The measure whose profile gives the last three axes; by default the first.", None)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one line per algorithm over several qualities (Barbosa, Bernardino, Barreto 2010, Figure 9)."""
    names, main = _measures(settings)
    axes_of, places = _axes(names, main), _panels(tables, settings)
    known = panels.looks(tables["profile_measures"], tables, settings)
    values_of = [_values(rows, axes_of) for _, rows in places]
    looks_of = [panels.highlighted(known, list(values), settings) for values in values_of]
    shown = {name: look for looks in looks_of for name, look in looks.items() if not look.faded}
    with style.rc(settings):
        beside = panels.fit_beside([look.label for look in shown.values()], settings)
        width, size, named = style.width_of(settings), style.points(settings), max(len(look.label) for look in shown.values())
        longest = max(len(line) for label, _, _ in axes_of for line in label.split("\n") if "$" not in line)
        between = (width * 72 - (0.5 * named * beside + 7) * size) / (len(axes_of) - 1)
        upright = 0.55 * longest * size > between
        heads = 0.5 * longest * size / 72 if upright else 0.0
        below = 0.0 if beside else panels.legend_height(len(shown) + 1, shown.values(), width, settings)
        room = 0.155 * len(shown) + 0.9 if beside else 0
        figure = style.new_figure(settings, wide=True, height=len(places) * (max(2.4, room) + heads) + 0.1 + below)
        grid = figure.subplots(len(places), 1, squeeze=False)
        for axes, (name, rows), values, looks in zip(grid.flat, places, values_of, looks_of, strict=True):
            plot(rows, measures=names, main=main, palette=looks, ax=axes)
            if upright:
                for tick in axes.get_xticklabels():
                    tick.set(rotation=90, linespacing=1.0)
            axes.set_title(style.text(name), loc="left")
            if beside:
                ends = [(y[-1], looks[a].label, looks[a]) for a, y in values.items() if not looks[a].faded]
                style.direct_labels(axes, ends, settings)
        if not beside:
            panels.legend_below(figure, {**looks_of[0], **shown}, settings)
    return figure


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], measures: Sequence[str] = (), main: str | None = None) -> None:
    """Draw one line per algorithm over the axes.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `profile_measures` of one variant, dimension and target, and of one measure or several.
    measures : sequence of str, optional
        The measures whose areas are shown; by default all, in the order of the rows.
    main : str, optional
        The measure whose profile gives the last three axes; by default the first.
    """
    shown = measures or list(data["measure"].unique())
    axes_of = _axes(shown, main or shown[0])
    x = np.arange(len(axes_of))
    for i, (algorithm, y) in enumerate(reversed(_values(data, axes_of).items())):
        look = looks[algorithm]
        axes_level.step(axes, x, y, look, i, drawstyle="default")
        axes.plot(x, y, linestyle="none", **axes_level.marker(look, 4.2), clip_on=False)
    axes.set(xlim=(0, len(axes_of) - 1), ylim=(-0.02, 1.02))
    axes.set_xticks(x, [label for label, _, _ in axes_of])
    axes.grid(axis="x", color="0.45", lw=0.7)
    axes.grid(axis="y", visible=False)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    names, main = _measures(settings)
    places = _panels(tables, settings)
    order = list(_values(places[0][1], _axes(names, main)))
    data = panels.rows_of_profiles(tables["profile_measures"], settings, "parallel_coordinates")
    problems = frames.only(data, "n_problems")
    areas = display.listed([display.words(name) for name in names])
    looks = panels.looks(tables["profile_measures"], tables, settings, order)
    return captions.joined(
        f"Parallel coordinates of {display.plural(len(order), 'algorithm')} on {captions.counted(problems, 'problem')}; larger "
        f"is better on every axis. AUC: normalised area under the profile ({areas}). Of {display.words(main)}: share solved "
        "ρ(τ_max), speed to solve everything τ_min/τ*, share of wins ρ(1). Profiles: "
        f"{display.listed([variants.title(v) for v in settings['profiles']])}.",
        panels.highlight_words(looks, settings),
    )


def _measures(settings: Mapping[str, Any]) -> tuple[list[str], str]:
    names = [measure["name"] for measure in settings["measures"]]
    return names, settings.get("main") or names[0]


def _axes(measures: Sequence[str], main: str) -> list[tuple[str, str, str]]:
    """Return label, measure and column of every axis."""
    several = len(measures) > 1
    areas = [(f"AUC\n{style.text(_short(name))}" if several else "AUC", name, "auc_normalised") for name in measures]
    if not several:
        areas.append(("AUC over ln τ", main, "auc_log_normalised"))
    of_main = f"\n{style.text(_short(main))}" if several else ""
    return areas + [(label + of_main, main, column) for column, label in _OF_MAIN]


def _short(name: str) -> str:
    return next(iter(display.short_names([display.words(name)], 20).values()))


def _panels(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> list[tuple[str, pd.DataFrame]]:
    data = panels.rows_of_profiles(tables["profile_measures"], settings, "parallel_coordinates")
    parts = frames.parts(data, ["variant", "dimension", "target"])
    titles = {variant["name"]: variants.title(variant) if len(parts) > 1 else "" for variant in settings["profiles"]}
    named = [(titles[group["variant"]], panels.name_of(group, settings)) for group, _ in parts]
    return [(", ".join(filter(None, words)), rows) for words, (_, rows) in zip(named, parts, strict=True)]


def _values(rows: pd.DataFrame, axes_of: Sequence[tuple[str, str, str]]) -> dict[str, list[float]]:
    """Return the values of every algorithm that has all of them, the largest mean first."""
    wide = rows.pivot(index="algorithm", columns="measure")
    whole = pd.concat([wide[column][measure] for _, measure, column in axes_of], axis=1).dropna()
    values = {str(algorithm): [float(v) for v in row] for algorithm, *row in whole.itertuples()}
    return dict(sorted(values.items(), key=lambda item: -sum(item[1])))
