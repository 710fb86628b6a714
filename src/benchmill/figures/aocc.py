"""Area over the convergence curve (AOCC) as bars, one dot per problem: the ECDF over infinitely many targets in one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import areas, axes_level, options, panels
from benchmill.text import display
from benchmill.text.appearance import Look

_MOST_PANELS = 12
_AREA = "AOCC over log evaluations; small lines: problems"

#: What a study can set.
Options = options.Asked


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per suite and dimension: a bar per algorithm is the mean over its problems."""
    data, parts, _ = _rows(tables, settings)
    means = pd.concat([_means(rows) for _, rows in parts], axis=1).mean(axis=1)
    looks = panels.looks(data, tables, settings, panels.order_of(means.to_dict()))
    return areas.bars_of(parts, looks, settings, plot, _AREA)


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], order: Sequence[str] | None = None) -> None:
    """Draw the means over the problems of one panel as bars, with one line per problem.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `convergence` of one suite and dimension: `algorithm`, `aocc_log`.
    """
    means = _means(data)
    names = panels.order_of(means.to_dict()) if order is None else list(order)
    areas.bars(axes, {name: looks[name] for name in names}, [means.get(name, np.nan) for name in names])
    for place, name in enumerate(names):
        dots = data.loc[data["algorithm"] == name, "aocc_log"].to_numpy()
        mark: dict[str, Any] = {"marker": "|", "markersize": 2.6, "markeredgewidth": 0.4, "color": "0.35"}
        mark |= {"linestyle": "none", "zorder": 3, "gid": axes_level.gid(axes, "dots", place)}
        axes.plot(dots, np.full(len(dots), place + 0.36), **mark)
    axes.set_xlabel(_AREA)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data, parts, shown = _rows(tables, settings)
    panes = f" in {display.plural(len(parts), 'panel')}{shown}" if shown else ""
    row, ends = data.iloc[0], data["evaluations_to"]
    per = sorted(set((ends / data["dimension"].fillna(1)).astype(float).round(9)))
    until = (
        f"{display.target(per[0])} evaluations per dimension" if len(per) == 1 else f"{display.target(ends.max())} evaluations"
    )
    spaced = " (evenly in the logarithm)" if row["value_log"] else ""
    n = data["algorithm"].nunique()
    return (
        f"Area over the convergence curve (AOCC) of {display.plural(n, 'algorithm')}{panes}, for targets between "
        f"{display.target(row['value_from'])} and {display.target(row['value_to'])}{spaced} and up to {until}; 1 is best. Bars: "
        "means over problems; small lines: problems. Per problem: "
        f"{areas.span(data, 'n_trials', 'trial')} of {areas.span(data, 'n_instances', 'instance')}, {areas.missing(data)}."
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, panels.Parts, str]:
    data = panels.some(tables["convergence"], "aocc", "trials with a trace")
    return data, *panels.chosen(data, ["suite", "dimension"], _MOST_PANELS, settings)


def _means(rows: pd.DataFrame) -> pd.Series:
    return rows.groupby("algorithm", observed=True)["aocc_log"].mean()
