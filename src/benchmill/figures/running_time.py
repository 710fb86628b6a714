"""How the running time grows with the precision: ERT over the target, one panel per problem."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmill.figures import axes_level, options, panels, scales, scaling
from benchmill.figures.sheet import Sheet
from benchmill.text import display, frames
from benchmill.text.appearance import Pen
from benchmill.text.measures import called

#: What a study can set.
Options = options.joined(options.Paged, options.OfMeasures)
GRID = scaling.GRID._replace(x="target (harder to the right)")


def select(sheet: Sheet) -> None:
    """Take a panel per problem in one dimension."""
    data, _, _ = sheet.take_one(scaling.known(sheet), "dimension")
    sheet.take(data, panels.PROBLEM, most=30)
    sheet.order_by(scaling.solved(data))
    sheet.shared = {
        "targets": frames.only(data, "target")[::-1],
        "limits": scaling.span(data),
        "linewidth": 0.9,
        "markersize": 2.6,
    }
    sheet.more = scaling.entries(data)


@axes_level.drawing(rows=lambda data: data[data["ert"].notna()])
def plot(
    axes: Axes,
    data: pd.DataFrame,
    pens: dict[str, Pen],
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
    scales.log_axis(axes, "y", *(limits or scaling.span(data)))
    axes.set_xlim(-0.4, max(len(shown) - 0.6, 0.4))
    axes.xaxis.set_major_locator(FixedLocator(range(0, len(shown), max(1, math.ceil(len(shown) / 3)))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(shown[round(v)])))
    unsolved = []
    for line, (name, pen) in enumerate(pens.items()):
        rows = _to_the_first_unsolved(data[data["algorithm"] == name])
        at = rows["target"].map(place).to_numpy(float)
        shift = 0.4 * ((line + 0.5) / len(pens) - 0.5)
        unsolved.append(scaling.points(axes, rows, at, shift, pen, line, (linewidth, markersize)))
    scaling.crosses(axes, unsolved)
    axes.set(xlabel="target (harder to the right)", ylabel="ERT / dimension")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data, dimension, others = sheet.take_one(scaling.known(sheet), "dimension")
    targets = frames.only(data, "target")[::-1]
    where = f" in dimension {dimension}" if dimension is not None else ""
    per = ", divided by the dimension," if dimension is not None else ""
    return [
        f"Expected running time (ERT){per} to {display.plural(len(targets), 'target')} "
        f"({display.listed([display.target(t) for t in targets])}) on "
        f"{display.plural(len(sheet.parts), 'problem')}{sheet.which}{where} (measure {called(sheet.measure)}).",
        *scaling.words(data),
        panels.left_out(others, "dimension", str),
    ]


def _to_the_first_unsolved(rows: pd.DataFrame) -> pd.DataFrame:
    """Keep one cross: the easiest target that no trial reached."""
    solved = np.isfinite(rows["ert"].to_numpy())
    target = rows["target"].to_numpy()
    first = ~solved & (target == np.max(target[~solved], initial=-np.inf))
    return rows[solved | first]
