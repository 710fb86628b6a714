"""How the ranking depends on the targets: the place of every algorithm by the area under its ECDF, for every set of targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from benchmill.figures import areas, grid, panels, style
from benchmill.text import display

_MOST_PANELS = 12


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a panel a suite and dimension: sets of targets from left to right, places from the top, a line an algorithm.

    Lines that cross are pairs whose order depends on the targets. Below a set stands Kendall's tau-b of its areas with those of
    the first set.

    Parameters
    ----------
    tables : mapping
        `target_sensitivity`.
    settings : mapping
        `width`: see the package.
    """
    data, groups, sets = _rows(tables)
    first = panels.rows_of(data, {"target_set": sets[0]})
    ranks: dict[str, list[int]] = {}
    for row in (first if first.num_rows else data).to_pylist():
        ranks.setdefault(row["algorithm"], []).append(row["rank"])
    every = data["algorithm"].unique().to_pylist()
    order = grid.order_of({name: -float(np.mean(ranks.get(name, [1e9]))) for name in every})
    looks = panels.highlighted(panels.looks(data, tables), order, settings)
    with style.rc(settings):
        width = style.text_width(settings)
        rows, columns = panels.arrangement(len(groups), settings, 4 if width > 5 else 2)
        longest = max(len(look.label) for look in looks.values())
        legend = panels.legend_height(len(looks), longest, width, settings)
        height = min(0.35 + rows * (0.15 * len(looks) + 0.75) + legend, grid.TALLEST)
        figure = style.new_figure(settings, wide=True, height=height)
        axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
        short = display.short_names([name.replace("_", " ") for name in sets], 16)
        words = {name: short[name.replace("_", " ")] for name in sets}
        places = [1, *range(5, len(looks) + 1, 5)] if len(looks) > 8 else list(range(1, len(looks) + 1))
        for number, one in enumerate(axes.flat):
            if number >= len(groups):
                one.set_axis_off()
                continue
            mine = panels.rows_of(data, groups[number])
            tau = {row["target_set"]: row["kendall_tau"] for row in mine.to_pylist()}
            for place, (name, look) in enumerate(looks.items()):
                own = {row["target_set"]: row["rank"] for row in panels.rows_of(mine, {"algorithm": name}).to_pylist()}
                y = [own.get(chosen, np.nan) for chosen in sets]
                keywords = {**style.line_style(look), **({} if look.faded else {"linewidth": 1.0, "zorder": 3})}
                one.plot(range(len(sets)), y, **keywords, **style.marker_style(look, 3.6), gid=f"ranks-{number}-{place}")
            one.set_xlim(-0.3, len(sets) - 0.7)
            one.set_ylim(len(looks) + 0.5, 0.5)
            one.yaxis.set_major_locator(FixedLocator(places))
            one.yaxis.set_minor_locator(NullLocator())
            shown = ["\n".join(style.text(word) for word in words[name].split(" ")) for name in sets]
            for place, name in enumerate(sets[1:], 1):
                if tau.get(name) is not None:
                    shown[place] += f"\nτ = {display.number(tau[name], 2)}"
            one.set_xticks(range(len(sets)), shown, linespacing=0.95)
            one.set_title(style.text(panels.heading(groups[number], groups)), loc="left", pad=2)
        figure.supylabel("place by area under the ECDF", fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings)
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the sets are, how places are given, and on how many pairs they rest."""
    data, groups, sets = _rows(tables)
    row = data.slice(0, 1).to_pylist()[0]
    chosen = []
    for name in sets:
        own = panels.rows_of(data, {"target_set": name})
        chosen.append(
            f"{name.replace('_', ' ')} ({areas.span(own, 'n_targets', 'target')}, {areas.span(own, 'n_pairs', 'pair')})"
        )
    n = len(data["algorithm"].unique())
    return (
        f"Places of {display.plural(n, 'algorithm')} by the area under their ECDF (over the logarithm of "
        f"{row['x_unit']}, from {display.target(row['x_from'])} to {display.target(row['x_to'])}) for "
        f"{display.plural(len(sets), 'set')} of targets, in {display.plural(len(groups), 'panel')}: {display.listed(chosen)} of "
        "problem and target. Equal areas share the smallest place. τ is Kendall's tau-b of the areas of a set with those of the "
        f"first: 1 is the same order, −1 the reverse. A set rests on {areas.span(data, 'n_trials', 'trial')} of an algorithm, "
        f"{areas.missing(data)}."
    )


def _rows(tables: Mapping[str, Any]) -> tuple[pa.Table, list[dict[str, Any]], list[str]]:
    data = tables["target_sensitivity"]
    if not data.num_rows:
        raise panels.nothing_to_draw("target_sets", "sets of targets")
    groups = grid.sample(panels.groups(data, ["suite", "dimension"]), _MOST_PANELS)
    return data, groups, list(dict.fromkeys(data["target_set"].to_pylist()))
