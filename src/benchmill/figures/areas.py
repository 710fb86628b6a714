"""Areas under the ECDF curves as bars: one number per algorithm and curve, with the share that is solved in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.figures import axes_level, captions, options, panels, style
from benchmill.figures.sheet import Grid, Sheet, rows_of_names
from benchmill.text import display, frames
from benchmill.text.appearance import Pen

_AREA = "area under the ECDF over log evaluations; line: share solved"
#: What a study can set.
Options = options.joined(options.Aggregation, options.Paged, options.Asked)
GRID = Grid(0.45, lambda sheet, _: rows_of_names(sheet, 0.35), across=(4, 2), share="xy", x=_AREA)


def select(sheet: Sheet) -> None:
    """Take a panel per curve."""
    sheet.take(sheet.table(what="curves"), most=12)
    sheet.order(_order(pd.concat([rows for _, rows in sheet.parts])))
    sheet.shared = {"order": list(sheet.pens)}


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, pens: dict[str, Pen], order: Sequence[str] | None = None) -> None:
    """Draw the areas under the curves of one panel as bars.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ecdf_curves` of one panel: `algorithm`, `area_log`, `solved`.
    """
    names = _order(data) if order is None else list(order)
    own = data.set_index("algorithm")[["area_log", "solved"]].astype(float).reindex(names)
    bars(axes, {name: pens[name] for name in names}, own["area_log"].to_numpy())
    for place, solved in enumerate(own["solved"]):
        if np.isfinite(solved):
            axes.vlines(solved, place - 0.38, place + 0.38, color="0.25", lw=0.9, gid=axes_level.gid(axes, "end", place))
    axes.set_xlabel(_AREA)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data = sheet.rows
    row = data.iloc[0]
    restarts = f"Restarts are simulated ({display.plural(row['restarts'], 'run')} for each failure)." if row["restarts"] else ""
    ends = [display.target(value) for value in dict.fromkeys((row["target_largest"], row["target_smallest"]))]
    return [
        f"Area under the ECDF of running times of {captions.data_words(sheet)}, from {display.target(row['x_from'])} to "
        f"{display.target(row['x_to'])} {row['x_unit']}, over {display.plural(row['n_targets'], 'target')}, "
        f"{' to '.join(ends)}; 1 is best. Small line: the share of (problem, target) pairs solved in the end.",
        f"Per curve: {captions.span_of(data, 'n_problems', 'problem')} and {captions.trials_of(data)}.",
        restarts,
    ]


def bars(axes: Axes, pens: Mapping[str, Pen], values: Sequence[float]) -> None:
    """Draw one bar over [0, 1] per algorithm, from the top, with its value to the right of the axes."""
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])
    style.name_rows(axes, list(pens.values()))
    written: dict[str, Any] = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    for place, (pen, value) in enumerate(zip(pens.values(), values, strict=True)):
        if np.isfinite(value):
            axes.barh(place, value, 0.66, gid=axes_level.gid(axes, "bars", place), **style.bar_style(pen))
            at = ("axes fraction", "data")
            axes.annotate(display.share(value), (1, place), (3, 0), at, fontsize=axes_level.points(), **written)


def _order(data: pd.DataFrame) -> list[str]:
    means = data.groupby("algorithm", observed=True)["area_log"].mean()
    return panels.order_of({name: float(means[name]) for name in frames.names(data)})
