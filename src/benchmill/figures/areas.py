"""Areas under the ECDF curves as bars: one number an algorithm and curve, with the share that is solved in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator

from benchmill.figures import frames, grid, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

_PANEL = ["suite", "group", "problem", "dimension", "target"]
_MOST_PANELS = 12


@dataclass(frozen=True, kw_only=True)
class Options(options.Aggregation, options.Asked):
    """What a study can set."""


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a panel a curve (dimension, group) with a bar an algorithm: the mean height of the curve over log x.

    A short line marks where the curve ends: the share solved. The algorithms stand in one order in all panels, by the mean over
    the panels.

    Parameters
    ----------
    tables : mapping
        `ecdf_curves` of one aggregation.
    settings : mapping
        `width`: see the package.
    """
    data, groups = _rows(tables)
    values, ends = _matrix(data, groups, "area_log"), _matrix(data, groups, "solved")
    order = grid.order_of({name: float(np.nanmean(row)) for name, row in values.items()})
    looks = panels.highlighted(panels.looks(data, tables, settings), order, settings)
    with style.rc(settings):
        figure, axes = bar_page(len(groups), looks, settings)
        for number, (one, group) in enumerate(zip(axes, groups, strict=True)):
            heights, solved = ([found[name][number] for name in looks] for found in (values, ends))
            bars(one, looks, heights, f"bars-{number}", solved)
            for place, name in enumerate(looks):
                if np.isfinite(ends[name][number]):
                    one.vlines(ends[name][number], place - 0.38, place + 0.38, color="0.25", lw=0.9, gid=f"end-{number}-{place}")
            one.set_title(style.text(panels.name_of(group)), loc="left", pad=2)
        figure.supxlabel("area under the ECDF over log evaluations; line: share solved", fontsize=style.points(settings))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say between which limits the areas are taken, over which targets, and on how many problems and trials they rest."""
    data, groups = _rows(tables)
    row = data.iloc[0]
    restarts = (
        f"With simulated restarts ({display.plural(row['restarts'], 'run')} for each failure)."
        if row["restarts"]
        else "Without simulated restarts."
    )
    shown = (
        f" {display.count(_n_panels(data) - len(groups))} more panels are in the table." if len(groups) < _n_panels(data) else ""
    )
    return (
        f"Area under the ECDF of running times of {display.plural(data['algorithm'].nunique(), 'algorithm')} in "
        f"{display.plural(len(groups), 'panel')}: the mean height of the curve over the logarithm of {row['x_unit']}, from "
        f"{display.target(row['x_from'])} to {display.target(row['x_to'])}, over {display.count(row['n_targets'])} targets from "
        f"{display.target(row['target_largest'])} to {display.target(row['target_smallest'])}; 1 is best. The line is the share "
        f"of (problem, target) pairs solved in the end. A curve rests on {span(data, 'n_problems', 'problem')} and "
        f"{span(data, 'n_trials', 'trial')} of {span(data, 'n_instances', 'instance')}, {missing(data)}. {restarts} Trials are "
        f"followed to the budget that each spent.{shown}"
    )


def bar_page(n: int, looks: Mapping[str, Look], settings: Mapping[str, Any]) -> tuple[Figure, list[Axes]]:
    """A figure for `n` panels of horizontal bars over [0, 1], names on the left."""
    width = style.width_of(settings)
    rows, columns = panels.arrangement(n, settings, 4 if width > 5 else 2)
    figure = style.new_figure(settings, wide=columns > 1, height=0.45 + rows * (0.15 * len(looks) + 0.35))
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for place, one in enumerate(axes.flat):
        if place >= n:
            one.set_axis_off()
        elif place + columns >= n:
            one.tick_params(labelbottom=True)
    first = axes[0, 0]
    first.set_xlim(0, 1)
    first.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    first.xaxis.set_major_formatter(FixedFormatter(["0", "", "0.5", "", "1"]))
    for one in axes.flat:
        style.name_rows(one, list(looks.values()))
    return figure, list(axes.flat)[:n]


def bars(axes: Axes, looks: Mapping[str, Look], values: Sequence[float], name: str, lines: Sequence[float] = ()) -> None:
    """One bar an algorithm, from the top, with its value; nothing where it has none (NaN).

    The value stands at the end of the bar, or behind the line at the place in `lines` where it would be written over that.
    """
    size = float(axes.title.get_fontsize())
    room = 2.1 * size / (72 * axes.bbox.width / axes.figure.dpi)
    for place, (look, value) in enumerate(zip(looks.values(), values, strict=True)):
        if np.isfinite(value):
            axes.barh(place, value, 0.62, gid=f"{name}-{place}", **style.bar_style(look))
            line = lines[place] if len(lines) else np.nan
            axes.annotate(
                f"{value:.2f}",
                (line if value < line < value + room else value, place),
                (2, 0),
                textcoords="offset points",
                va="center",
                fontsize=size,
                zorder=5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.7},
            )


def span(data: pd.DataFrame, column: str, word: str) -> str:
    """A count that may differ between rows, in words: `24 problems`, `5 to 24 problems`."""
    low, high = int(data[column].min()), int(data[column].max())
    return display.plural(high, word) if low == high else f"{display.count(low)} to {display.plural(high, word)}"


def missing(data: pd.DataFrame) -> str:
    """The most missing trials behind any row, in words."""
    most = int(data["n_missing"].max())
    return f"with up to {display.count(most)} missing" if most else "none missing"


def _rows(tables: Mapping[str, Any]) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    data = tables["ecdf_curves"]
    if data.empty:
        raise panels.nothing_to_draw("areas", "curves")
    groups = grid.sample(frames.groups(data, _PANEL), _MOST_PANELS)
    return data, groups


def _n_panels(data: pd.DataFrame) -> int:
    return len(frames.groups(data, _PANEL))


def _matrix(data: pd.DataFrame, groups: Sequence[Mapping[str, Any]], column: str) -> dict[str, list[float]]:
    """By algorithm the values of all panels; NaN where it has no curve."""
    of = [frames.rows_of(data, group).set_index("algorithm")[column] for group in groups]
    return {name: [float(values.get(name, np.nan)) for values in of] for name in frames.algorithms(data)}
