"""Area over the convergence curve (AOCC) as bars, with a dot a problem: the ECDF over infinitely many targets in one number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from benchmill.figures import areas, frames, grid, options, panels, style
from benchmill.text import display

_MOST_PANELS = 12

#: What a study can set.
Options = options.Asked


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a panel a suite and dimension: a bar an algorithm is the mean over its problems, a dot a problem.

    Parameters
    ----------
    tables : mapping
        `convergence`.
    settings : mapping
        `width`: see the package.
    """
    data, groups = _rows(tables)
    found = [_by_algorithm(frames.rows_of(data, group)) for group in groups]
    every = frames.algorithms(data)
    means = {name: float(np.nanmean([np.mean(own[name]) if name in own else np.nan for own in found])) for name in every}
    looks = panels.highlighted(panels.looks(data, tables, settings), grid.order_of(means), settings)
    with style.rc(settings):
        figure, axes = areas.bar_page(len(groups), looks, settings)
        for number, (one, group, own) in enumerate(zip(axes, groups, found, strict=True)):
            areas.bars(one, looks, [float(np.mean(own[n])) if n in own else np.nan for n in looks], f"bars-{number}")
            for place, name in enumerate(looks):
                dots = own.get(name, [])
                one.plot(
                    dots,
                    np.full(len(dots), place + 0.36),
                    linestyle="none",
                    marker="|",
                    markersize=2.6,
                    markeredgewidth=0.4,
                    color="0.35",
                    zorder=3,
                    gid=f"dots-{number}-{place}",
                )
            one.set_title(style.text(panels.heading(group, groups)), loc="left", pad=2)
        figure.supxlabel("AOCC over log evaluations; small lines: problems", fontsize=style.points(settings))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say between which limits of values and evaluations the areas are taken, and on how many trials they rest."""
    data, _ = _rows(tables)
    row, ends = data.iloc[0], data["evaluations_to"]
    per = sorted(set((ends / data["dimension"].fillna(1)).astype(float).round(9)))
    until = (
        f"{display.target(per[0])} evaluations per dimension" if len(per) == 1 else f"{display.target(ends.max())} evaluations"
    )
    spaced = " (evenly in the logarithm)" if row["value_log"] else ""
    n = data["algorithm"].nunique()
    return (
        f"Area over the convergence curve (AOCC) of {display.plural(n, 'algorithm')}: the mean over the "
        "logarithm of the evaluations, from the first to "
        f"{until}, of the share of all targets between {display.target(row['value_from'])} and {display.target(row['value_to'])}"
        f"{spaced} that a trial has reached: the area under the ECDF over infinitely many targets; 1 is best. A bar is the mean "
        "over problems, a small line a problem (the mean over its trials). A problem rests on "
        f"{areas.span(data, 'n_trials', 'trial')} of {areas.span(data, 'n_instances', 'instance')}, {areas.missing(data)}. "
        "A trial that stopped before the end keeps its value."
    )


def _rows(tables: Mapping[str, Any]) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    data = tables["convergence"]
    if data.empty:
        raise panels.nothing_to_draw("aocc", "trials with a trace")
    return data, grid.sample(frames.groups(data, ["suite", "dimension"]), _MOST_PANELS)


def _by_algorithm(rows: pd.DataFrame) -> dict[str, list[float]]:
    return dict(rows.groupby("algorithm", observed=True)["aocc_log"].agg(list))
