"""Pareto fronts of wins against reliability, read off performance profiles."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.core import natural_key
from benchmill.exhibits.figures import axes_level, options, scales, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, lay_out
from benchmill.text import frames

_GROUP = ["measure", "variant", "dimension", "target"]
_MARGIN = 0.06
#: What says of a reliability who is on the front.
_FRONTS = {"rho_tau_max": "front_wins_solved", "tau_star": "front_wins_tau_star"}

#: What a study can set.
Options = options.OfProfiles


def select(sheet: Sheet) -> None:
    """Take two panels a profile; those on any front are first, then those of large shares of wins and of problems solved."""
    sheet.take(sheet.of_profiles(), _GROUP)
    fronts = sheet.rows.assign(
        front=sheet.rows["front_wins_solved"] | sheet.rows["front_wins_tau_star"],
        share=sheet.rows["rho_1"] + sheet.rows["rho_tau_max"],
    )
    sheet.order(frames.names(fronts.sort_values(["front", "share", "algorithm"], ascending=[False, False, True])))


def draw(sheet: Sheet) -> Figure:
    """Draw rho(1) against rho(tau_max), and tau* (Barbosa, Bernardino, Barreto 2010, Figure 8)."""
    heads = {"rho_tau_max": "wins and problems solved", "tau_star": "wins and τ*, where all is solved"}
    parts = [
        ({"title": sheet.heading(group) if len(sheet.parts) > 1 else head}, rows.assign(y=y))
        for group, rows in sheet.parts
        for y, head in heads.items()
    ]

    def panel(rows: Frame, **drawn_by: Any) -> None:
        plot(rows, y=rows["y"].iloc[0], **drawn_by)

    pens = {name: sheet.pens[name] for name in sorted(sheet.pens, key=natural_key)}
    return lay_out(
        replace(sheet, parts=parts, pens=pens),
        panel,
        Grid(0.2, lambda *_: 2.3, across=(2, 2), wide=True, legend=True, bare=False),
    )


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, y: str = "rho_tau_max") -> None:
    """Draw the share of wins against reliability, with the line through the front.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `profile_measures` of one profile.
    y : {"rho_tau_max", "tau_star"}
        The share solved; or tau* of the algorithms that solve everything, the smallest on top.
    """
    falling = y == "tau_star"
    axes.set(
        xlabel="share of wins ρ(1)",
        ylabel="τ* (log scale, best on top)" if falling else r"share solved $\rho(\tau_{\mathrm{max}})$",
    )
    rows = data[np.isfinite(data[y])].sort_values(_FRONTS[y], kind="stable")
    if rows.empty:
        axes.annotate("nobody solves everything", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center", color="0.35")
        axes.set(xticks=[], yticks=[])
        return
    front = rows.loc[rows[_FRONTS[y]], ["rho_1", y]].drop_duplicates().sort_values(["rho_1", y])
    axes.plot(front["rho_1"], front[y], color="0.4", lw=0.9, zorder=2, gid=axes_level.gid(axes, f"front-{int(falling)}"))
    for row in rows.to_dict("records"):
        pen, on = pens[row["algorithm"]], row[_FRONTS[y]]
        drawn = axes_level.point(pen, 6.0 if on else 4.6)
        drawn |= {} if pen.faded else {"markerfacecolor": pen.colour if on else "white"}
        axes.plot([row["rho_1"]], [row[y]], **drawn, clip_on=False, label=style.text(pen.label))
    axes.set_xlim(_around(rows["rho_1"]))
    if falling:
        low, high = _around(np.log10(rows[y]))
        scales.log_axis(axes, "y", 10**low, 10**high)
        axes.invert_yaxis()
    else:
        axes.set_ylim(_around(rows[y]))


def _around(values: pd.Series) -> tuple[float, float]:
    """Return ends of an axis with a margin."""
    pad = _MARGIN * max(float(np.ptp(values)), 0.05)
    return float(values.min()) - pad, float(values.max()) + pad


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    fronts = []
    for group, rows in sheet.parts:
        title = sheet.heading(group) if len(sheet.parts) > 1 else ""
        fronts.append((title, *([sheet.pens[name].label for name in _front(rows, y)] for y in _FRONTS)))
    return sheet.told(fronts=fronts)


def _front(rows: Frame, y: str) -> list[str]:
    return list(rows.loc[rows[_FRONTS[y]] & np.isfinite(rows[y]), "algorithm"].sort_values())
