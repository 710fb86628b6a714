"""Area over the convergence curve (AOCC) as bars, one dot per problem: the ECDF over infinitely many targets in one number."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.core import limits
from benchmill.exhibits.figures import axes_level, options, panels
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, rows_of_names
from benchmill.exhibits.figures.style import Drawn
from benchmill.text import frames

_AREA = "AOCC over log evaluations; small lines: problems"
#: What a study can set.
Options = options.Asked
GRID = Grid(0.45, lambda sheet, _: rows_of_names(sheet, 0.35), across=(4, 2), share="xy", x=_AREA)


def select(sheet: Sheet) -> None:
    """Take a panel per suite and dimension."""
    data = sheet.table(what="trials with a trace")
    here, of_panel = (
        data.groupby(keys, observed=True, dropna=False)["algorithm"].transform("nunique")
        for keys in (list(limits.INSTANCE), list(sheet.kind.panel))
    )
    # means over other problems would compare these
    sheet.take(sheet.some(data[here == of_panel], "a problem on which every algorithm has a trial"), most=12)
    sheet.order_by(pd.concat([_means(rows) for _, rows in sheet.parts], axis=1).mean(axis=1))
    sheet.cut()
    sheet.shared = {"order": list(sheet.pens)}


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, order: Sequence[str] | None = None) -> None:
    """Draw the means over the problems of one panel as bars, with one line per problem.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `convergence` of one suite and dimension: `algorithm`, `aocc_log`.
    """
    means = _means(data)
    names = panels.order_of(means.to_dict()) if order is None else list(order)
    axes_level.bars(axes, {name: pens[name] for name in names}, means.reindex(names).to_numpy(float), _AREA)
    for place, name in enumerate(names):
        dots = data.loc[data["algorithm"] == name, "aocc_log"].to_numpy()
        mark: Drawn = {"marker": "|", "markersize": 2.6, "markeredgewidth": 0.4, "color": "0.35", "linestyle": "none"}
        axes.plot(dots, np.full(len(dots), place + 0.36), **mark, zorder=3, gid=axes_level.gid(axes, "dots", place))


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data = sheet.rows
    drawn, there = (len(frames.keys_of(rows, limits.INSTANCE)) for rows in (data, sheet.table()))
    per = sorted(set((data["evaluations_to"] / data["dimension"].fillna(1)).astype(float).round(9)))
    return sheet.told(
        row=data.iloc[0],
        until=per[0] if len(per) == 1 and data["dimension"].notna().all() else None,
        most=data["evaluations_to"].max(),
        missing=int(data["n_missing"].max()),
        left=there - drawn,
    )


def _means(rows: Frame) -> pd.Series:
    return rows.groupby("algorithm", observed=True)["aocc_log"].mean()
