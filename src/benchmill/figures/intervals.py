"""Means of the normalised costs and average ranks, side by side, with intervals of half the minimum significant difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmill.core.natural_order import natural_key
from benchmill.figures import panels, profile, style
from benchmill.registry.comparisons import COMPARISONS
from benchmill.text import display

_METHODS = {name: comparison.panel for name, comparison in COMPARISONS.items()}
_POINT = ["target", "at_budget", "stratum"]


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw a row of panels for every target or budget (and stratum): one panel a method that has a common MSD.

    The three panels of Chiarandini, Basso, Stützle 2005, Figure 3: parametric, permutation, rank. The algorithms stand in one
    order in
    all panels, by their mean in the first, so that changes of order between methods are seen.

    Parameters
    ----------
    tables : mapping
        `intervals`.
    settings : mapping
        `measure`, `width`: see the package.
    """
    data = _rows(tables, settings)
    looks = panels.looks(data, tables)
    points = panels.groups(data, _POINT)
    methods = _methods(data)
    n = len(data["algorithm"].unique())
    with style.rc(settings):
        rows, columns = len(points), len(methods)
        height = 0.45 + rows * (0.155 * n + 0.55)
        figure = style.new_figure(settings, wide=columns > 1, height=min(height, 9.2))
        grid = figure.subplots(rows, columns, squeeze=False, sharex="col")
        for line, point in zip(grid, points, strict=True):
            here = panels.rows_of(data, point)
            order = [row["algorithm"] for row in _sorted(panels.rows_of(here, {"method": methods[0]}))]
            for column, (axes, method) in enumerate(zip(line, methods, strict=True)):
                mine = {row["algorithm"]: row for row in panels.rows_of(here, {"method": method}).to_pylist()}
                if mine:
                    best = min(mine.values(), key=lambda row: row["mean"])
                    axes.axvspan(best["low"], best["high"], color="0.92", lw=0, zorder=0)
                for place, name in enumerate(order):
                    if name in mine:
                        look, row = looks[name], mine[name]
                        axes.plot([row["low"], row["high"]], [place, place], color=look.colour, lw=1.6, solid_capstyle="butt")
                        axes.plot([row["mean"]], [place], linestyle="none", **style.marker_style(look, 4.4))
                names = [style.text(looks[name].label) for name in order] if column == 0 else [""] * len(order)
                axes.set_yticks(range(len(order)), names)
                axes.set_ylim(len(order) - 0.4, -0.6)
                axes.tick_params(axis="y", length=0)
                axes.grid(axis="y", visible=False)
                heading = [panels.name_of(point)] if column == 0 and len(points) > 1 else []
                axes.set_title(style.text("\n".join([*heading, _METHODS.get(method, method)])), loc="left")
                axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
                axes.set_xlabel("average rank" if _scale(data, method) == "average rank" else "mean normalised cost")
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the panels compare and how to read the bars."""
    data = _rows(tables, settings)
    rows = data.to_pylist()
    blocks = sorted({row["n_blocks"] for row in rows})
    runs = sorted({row["n_runs"] for row in rows})
    span = " to ".join(display.count(v) for v in dict.fromkeys((blocks[0], blocks[-1])))
    each = " to ".join(display.count(v) for v in dict.fromkeys((runs[0], runs[-1])))
    of_means = [m for m in _methods(data) if _scale(data, m) != "average rank"]
    of_ranks = [m for m in _methods(data) if _scale(data, m) == "average rank"]
    normalisation = sorted({row["normalisation"] for row in panels.rows_of(tables["designs"], _measure(settings)).to_pylist()})
    what = []
    if of_means:
        names = display.listed([_METHODS.get(m, m) for m in of_means])
        what.append(f"means of the normalised costs ({'; '.join(normalisation)}) for {names}")
    if of_ranks:
        what.append(f"average ranks within the problems for {display.listed([_METHODS.get(m, m) for m in of_ranks])}")
    return (
        f"Comparison of {display.plural(len(data['algorithm'].unique()), 'algorithm')} on the measure "
        f"{profile.named(settings['measure'])} over {span} problems with {each} runs of each algorithm: "
        f"{' and '.join(what)}. Bars are ± MSD/2 with the minimum significant difference that holds for all pairs "
        f"at the family-wise level α = {display.target(rows[0]['alpha'])}: where bars do not overlap, two "
        "algorithms differ significantly by that method. "
        "The grey band is the interval of the best; smaller is better."
    )


def _measure(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"measure": settings["measure"]["name"]}


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pa.Table:
    data = panels.rows_of(tables["intervals"], _measure(settings))
    if not data.num_rows:
        raise panels.nothing_to_draw("intervals", f"measure {settings['measure']['name']!r}")
    return data


def _methods(data: pa.Table) -> list[str]:
    """Methods in the order of the configuration, which is that of the rows."""
    return list(dict.fromkeys(data["method"].to_pylist()))


def _scale(data: pa.Table, method: str) -> str:
    return str(panels.rows_of(data, {"method": method})["scale"][0].as_py())


def _sorted(rows: pa.Table) -> list[dict[str, Any]]:
    return sorted(rows.to_pylist(), key=lambda row: (row["mean"], natural_key(row["algorithm"])))
