"""How the runs of each solver ended, as stacked bars, and what each solver adds to the others."""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from benchmill.exhibits.figures import axes_level, options, panels, runs, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, lay_out
from benchmill.text import display, labels

#: Column of each part of a bar -> word and colour; the virtual best solver has no one kind of failure.
_PARTS = {key: said for key, said in runs.OUTCOMES.items() if key != "several"} | {"unsolved_runs": ("unsolved", "#E6E6E6")}
#: What a study can set.
Options = options.OfMeasures


def select(sheet: Sheet) -> None:
    """Take the solvers, most solved first; of very many those, the control and what is highlighted by name."""
    rows, asked = _in_order(sheet.table(subset="all", unsolved="limit")), sheet.look.highlight
    kept = [sheet.about.control, *(asked if isinstance(asked, list | tuple) else ())]
    # the names of more rows would touch
    sheet.take(rows[(np.arange(len(rows)) < 80) | (rows["role"] == "virtual_best") | rows["algorithm"].isin(kept)], [])
    n = display.count((rows["role"] != "virtual_best").sum())
    sheet.sample_words = f" (of {n}, those that solve most)" if len(sheet.rows) < len(rows) else ""
    runs.order(sheet, list(sheet.rows["algorithm"]), replace(sheet.look, others="named"))
    sheet.other_entries = [
        Patch(facecolor=colour, edgecolor="0.3", lw=0.4, label=word)
        for column, (word, colour) in _PARTS.items()
        if sheet.rows[column].fillna(0).any()
    ]


def draw(sheet: Sheet) -> Figure:
    """Draw one bar per solver, of its runs by how they ended, with the instances that no other competing solver solves."""
    line = min(1.6 * style.TYPE / 72, 7.8 / len(sheet.rows))
    short = panels.shortened(sheet.pens, 0.4 * style.width_of(sheet.look, False))
    figure = lay_out(sheet, plot, Grid(0.65, lambda *_: line * len(sheet.rows), wide=False, bare=False), pens=short)
    figure.axes[0].tick_params(axis="y", labelsize=min(style.TYPE, max(style.SMALLEST, line * 72 / 1.15)))
    return figure


@axes_level.drawing(
    rows=lambda data: data[(data["subset"] == "all") & (data["unsolved"] == "limit")],
    pens=runs.pens_of,
)
def plot(axes: Axes, data: Frame, pens: Pens) -> None:
    """Draw the bars of outcomes.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `summary` of one measure: `algorithm`, `role`, `subset` and `unsolved` (only `all` and `limit` are drawn), `n`,
        `unique`, and the counts `solved`, `timeout`, `memory`, `error`, `wrong`, `other`, `missing`.
    """
    data = _in_order(data)
    y, left = np.arange(len(data)), np.zeros(len(data))
    for column, (word, colour) in _PARTS.items():
        width = data[column].fillna(0).to_numpy(float)
        if width.any():
            edge: style.Drawn = {"edgecolor": "0.3", "linewidth": 0.4} if column == "missing" else {"linewidth": 0}
            axes.barh(y, width, 0.78, left=left, color=colour, label=word, zorder=2, gid=f"bar-{column}", **edge)
            left = left + width
    style.name_rows(
        axes,
        [
            replace(pens[name], label=labels.with_role(pens[name].label, role))
            for name, role in zip(data["algorithm"], data["role"], strict=True)
        ],
    )
    end, size = float(left.max()), axes_level.points()
    axes.set(xlim=(0, end * 1.02), xlabel="runs")
    axes.locator_params("x", integer=True)
    beside: style.Drawn = {"fontsize": size, "textcoords": "offset points", "annotation_clip": False}
    inside: style.Drawn = {"fontsize": min(size, style.SMALLEST + 1), "va": "center", "ha": "right", "color": "white"}
    for place, row in enumerate(data.itertuples()):
        if row.solved > 0.08 * end:
            axes.text(float(row.solved) - 0.01 * end, place, display.count(row.solved), zorder=4, **inside)
        if pd.notna(row.unique):
            axes.annotate(display.count(row.unique), (1.02, place), (0, 0), ("axes fraction", "data"), va="center", **beside)
    if data["unique"].notna().any():
        axes.annotate("alone", (1.02, 1), (0, 3), "axes fraction", va="bottom", **beside)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    own = sheet.rows[sheet.rows["role"] != "virtual_best"]
    label = {name: pen.label for name, pen in sheet.pens.items()}
    adding = own[own["adds_solved"].fillna(0) > 0].sort_values("adds_solved", ascending=False, kind="stable")
    # labels of the picture have the role in them
    role = labels.with_role("", "not_competing")
    return sheet.told(
        late=runs.late_words(sheet.rows),
        own=own,
        first=own.iloc[0],
        uneven=(own["n"] + own["missing"].fillna(0)).nunique() > 1,
        added=[f"{label[row.algorithm]} {display.target(round(float(row.adds_solved), 3))}" for row in adding.itertuples()],
        aside=[label[name].removesuffix(role) for name in own.loc[own["role"] == "not_competing", "algorithm"]],
    )


def _in_order(rows: Frame) -> Frame:
    """Order rows: most solved first, the virtual best solver last; add what it leaves unsolved."""
    ordered = rows.assign(
        last=rows["role"].map({"not_competing": 1, "virtual_best": 2}).astype(float).fillna(0),
        most=-rows["solved"].astype(float),
        unsolved_runs=(rows["n"] - rows["solved"]).where(rows["role"] == "virtual_best", 0),
        # what is left out has no bar
        missing=rows["missing"].where(rows["left_out"] == 0, 0),
    )
    return ordered.sort_values(["last", "most", "algorithm"], kind="stable")
