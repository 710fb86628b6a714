"""How the running time grows with the precision: ERT over the target, one panel per problem."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import axes_level, captions, frames, options, panels, scaling, style
from benchmill.text import display
from benchmill.text.appearance import Look
from benchmill.text.measures import called

_MOST_PANELS = 30
#: What a study can set.
Options = options.joined(options.Dimension, options.Paged, options.OfMeasures)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw ERT / dimension against the target in one dimension, easy targets on the left, one line per algorithm."""
    data, _, _ = _rows(tables, settings)
    looks = panels.looks(data, tables, settings, scaling.solved(data))
    parts, _ = panels.chosen(data, panels.PROBLEM, _MOST_PANELS, settings)
    targets = [row["target"] for row in frames.groups(data, ["target"])]
    of: dict[str, Any] = {"targets": targets, "limits": scaling.span(data), "linewidth": 0.9, "markersize": 2.6}
    with style.rc(settings):
        figure, axes = panels.page(len(parts), settings, looks)
        panels.fill(axes, parts, settings, partial(plot, **of, palette=looks))
        panels.legend_below(figure, looks, settings, "target (harder to the right)", "ERT / dimension")
    return figure


@axes_level.drawing(rows=lambda data: data[data["ert"].notna()])
def plot(
    axes: Axes,
    data: pd.DataFrame,
    looks: dict[str, Look],
    targets: Sequence[float] | None = None,
    limits: tuple[float, float] | None = None,
    linewidth: float | None = None,
    markersize: float = 4.2,
) -> None:
    """Draw ERT / dimension against the target of one problem and dimension.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `indicators`, as for `benchmill.figures.scaling.plot`, with `target`.
    targets : sequence of float, optional
        What the axis has room for, in this order; by default the data, falling.
    """
    shown = frames.only(data, "target")[::-1] if targets is None else targets
    place = {target: i for i, target in enumerate(shown)}
    panels.log_axis(axes, "y", *(limits or scaling.span(data)))
    axes.set_xlim(-0.4, max(len(shown) - 0.6, 0.4))
    axes.xaxis.set_major_locator(FixedLocator(range(0, len(shown), max(1, math.ceil(len(shown) / 3)))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(shown[round(v)])))
    for line, (name, look) in enumerate(looks.items()):
        rows = _to_the_first_unsolved(data[data["algorithm"] == name])
        x = rows["target"].map(place).to_numpy(float) + 0.4 * ((line + 0.5) / len(looks) - 0.5)
        scaling.points(axes, rows, x, look, line, (linewidth, markersize))
    axes.set(xlabel="target (harder to the right)", ylabel="ERT / dimension")


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, dimension, others = _rows(tables, settings)
    looks = panels.looks(data, tables, settings, scaling.solved(data))
    targets = [row["target"] for row in frames.groups(data, ["target"])]
    where = f" in dimension {dimension}" if dimension is not None else ""
    parts, of = panels.chosen(data, panels.PROBLEM, _MOST_PANELS, settings)
    per = ", divided by the dimension," if dimension is not None else ""
    return captions.joined(
        f"Expected running time (ERT){per} to {display.plural(len(targets), 'target')} "
        f"({display.listed([display.target(t) for t in targets])}) on "
        f"{display.plural(len(parts), 'problem')}{of}{where} "
        f"(measure {called(settings['measure'])}).",
        scaling.words(data, tables),
        panels.left_out(others, "dimension", str),
        panels.highlight_words(looks, settings),
    )


def _to_the_first_unsolved(rows: pd.DataFrame) -> pd.DataFrame:
    """Keep one cross: the easiest target that no trial reached."""
    solved = np.isfinite(rows["ert"].to_numpy())
    target = rows["target"].to_numpy()
    first = ~solved & (target == np.max(target[~solved], initial=-np.inf))
    return rows[solved | first]


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, Any, list[Any]]:
    name = settings["measure"]["name"]
    data = frames.rows_of(tables["indicators"], {"measure": name})
    data = data[data["ert"].notna()]
    panels.some(data, "running_time", f"measure {name!r} with a running time")
    return panels.one_of(data, "dimension", settings.get("dimension"))
