"""How the running time grows with the precision: ERT over the target, a panel a problem."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import frames, grid, options, panels, scaling, style
from benchmill.text import display

_MOST_PANELS = 30


@dataclass(frozen=True, kw_only=True)
class Options(options.Dimension, options.OfMeasures):
    """What a study can set."""


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw ERT / dimension against the target in one dimension, easy targets on the left, a line an algorithm.

    Crosses and whiskers are those of `benchmill.figures.scaling`; a target that is not positive has no place on the axis and
    stands at the right end.

    Parameters
    ----------
    tables : mapping
        `indicators`.
    settings : mapping
        `measure`, `width`: see the package; `dimension` (optional): by default the largest.
    """
    data, _, _ = _rows(tables, settings)
    looks = panels.highlighted(panels.looks(data, tables, settings), scaling.solved(data), settings)
    problems = grid.sample(frames.groups(data, ["suite", "problem", "instance"]), _MOST_PANELS)
    targets = [row["target"] for row in frames.groups(data, ["target"])]
    place = {target: i for i, target in enumerate(targets)}
    low, high = scaling.limits(data)
    shown = range(0, len(targets), max(1, math.ceil(len(targets) / 3)))
    with style.rc(settings):
        figure, axes = grid.page(len(problems), settings, legend=list(looks.values()))
        for number, (one, problem) in enumerate(zip(axes, problems, strict=True)):
            grid.log_axis(one, "y", low, high)
            one.set_xlim(-0.4, max(len(targets) - 0.6, 0.4))
            one.xaxis.set_major_locator(FixedLocator(shown))
            one.xaxis.set_minor_locator(NullLocator())
            one.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(targets[round(v)])))
            mine = frames.rows_of(data, problem)
            for line, (name, look) in enumerate(looks.items()):
                rows = _to_the_first_unsolved(frames.rows_of(mine, {"algorithm": name}))
                shift = 0.4 * ((line + 0.5) / len(looks) - 0.5)
                x = rows["target"].map(place).to_numpy(float) + shift
                scaling.points(one, rows, x, look, f"{number}-{line}")
            one.set_title(style.text(panels.name_of(problem)), loc="left", pad=2)
        figure.supylabel("ERT / dimension", fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings, "target (harder to the right)")
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say which targets and dimension, what crosses and whiskers are, and which trials it rests on."""
    data, dimension, others = _rows(tables, settings)
    looks = panels.highlighted(panels.looks(data, tables, settings), scaling.solved(data), settings)
    targets = [row["target"] for row in frames.groups(data, ["target"])]
    where = f" in dimension {dimension}" if dimension is not None else ""
    per = ", divided by the dimension," if dimension is not None else ""
    return " ".join(
        part
        for part in (
            f"Expected running time (ERT){per} to {display.plural(len(targets), 'target')} "
            f"({display.listed([display.target(t) for t in targets])}), evenly spaced from easy to hard, on "
            f"{display.plural(min(len(frames.groups(data, ['suite', 'problem', 'instance'])), _MOST_PANELS), 'problem')}{where} "
            f"(measure {display.words(settings['measure']['name'])}).",
            scaling.words(data, tables),
            "The cross stands at the easiest target that none reached; the line has ended before it.",
            grid.left_out(others, "dimensions", str),
            panels.highlight_words(looks, settings),
        )
        if part
    )


def _to_the_first_unsolved(rows: pd.DataFrame) -> pd.DataFrame:
    """Of the targets that no trial reached the easiest: one cross is enough."""
    solved = np.isfinite(rows["ert"].to_numpy())
    target = rows["target"].to_numpy()
    first = ~solved & (target == np.max(target[~solved], initial=-np.inf))
    return rows[solved | first]


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, Any, list[Any]]:
    name = settings["measure"]["name"]
    data = frames.rows_of(tables["indicators"], {"measure": name})
    data = data[data["ert"].notna()]
    if data.empty:
        raise panels.nothing_to_draw("running_time", f"measure {name!r} with a running time")
    return grid.one_of(data, "dimension", settings.get("dimension"))
