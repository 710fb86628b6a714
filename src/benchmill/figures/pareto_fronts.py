"""Pareto fronts of wins against reliability, read off performance profiles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from benchmill.core.natural_order import natural_key
from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

_GROUP = ["measure", "variant", "dimension", "target"]
_MARGIN = 0.06
#: What says of a reliability who is on the front.
_FRONTS = {"rho_tau_max": "front_wins_solved", "tau_star": "front_wins_tau_star"}

#: What a study can set.
Options = options.OfProfiles


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw two panels a profile: rho(1) against rho(tau_max), and tau* (Barbosa, Bernardino, Barreto 2010, Figure 8)."""
    data = panels.rows_of_profiles(tables["profile_measures"], settings, "pareto_fronts")
    parts = frames.parts(data, _GROUP)
    groups = [group for group, _ in parts]
    looks = panels.looks(data, tables, settings, _order(data))
    with style.rc(settings):
        width = style.width_of(settings)
        named = sum(not look.faded for look in looks.values())
        legend = panels.legend_height(min(named + 1, len(looks)), looks.values(), width, settings)
        figure = style.new_figure(settings, wide=True, height=0.2 + len(parts) * 2.3 + legend)
        pairs = figure.subplots(len(parts), 2, squeeze=False)
        for (left, right), (group, rows) in zip(pairs, parts, strict=True):
            for axes, y in ((left, "rho_tau_max"), (right, "tau_star")):
                plot(rows, y=y, palette=looks, ax=axes)
            title = panels.title_of(group, groups, settings)
            left.set_title(style.text(title if len(parts) > 1 else "wins and problems solved"), loc="left")
            heading = "wins and τ*, where all is solved" if width > 5 else "τ*, where all is solved"
            right.set_title(heading if len(parts) == 1 else "", loc="left")
        panels.legend_below(figure, {name: looks[name] for name in sorted(looks, key=natural_key)}, settings)
    return figure


@axes_level.drawing()
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look], y: str = "rho_tau_max") -> None:
    """Draw the share of wins against reliability, with the line through the front.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `profile_measures` of one profile.
    y : {"rho_tau_max", "tau_star"}
        The share solved; or tau* of the algorithms that solve everything, the smallest on top.
    """
    falling = y == "tau_star"
    axes.set_xlabel("share of wins ρ(1)")
    axes.set_ylabel("τ* (log₁₀ scale, best on top)" if falling else r"share solved $\rho(\tau_{\mathrm{max}})$")
    if falling:
        axes.set_yscale("log")
    rows = data[np.isfinite(data[y])].sort_values(_FRONTS[y], kind="stable")
    if rows.empty:
        axes.annotate("nobody solves everything", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center", color="0.35")
        axes.xaxis.set_major_locator(NullLocator())
        axes.yaxis.set_major_locator(NullLocator())
        axes.yaxis.set_minor_locator(NullLocator())
        return
    front = rows.loc[rows[_FRONTS[y]], ["rho_1", y]].drop_duplicates().sort_values(["rho_1", y])
    gid = axes_level.gid(axes, f"front-{int(falling)}")
    axes.plot(front["rho_1"], front[y], color="0.4", lw=0.9, zorder=2, gid=gid)
    xs, ys, on_front = (rows[column].to_numpy() for column in ("rho_1", y, _FRONTS[y]))
    for x, at, on, look in zip(xs, ys, on_front, map(looks.__getitem__, rows["algorithm"]), strict=True):
        drawn = axes_level.point(look, 6.0 if on else 4.6)
        if not look.faded:
            drawn["markerfacecolor"] = look.colour if on else "white"
        axes.plot([x], [at], **drawn, clip_on=False, label=style.text(look.label))
    span = max(float(np.ptp(xs)), 0.05)
    axes.set_xlim(float(xs.min()) - _MARGIN * span, float(xs.max()) + _MARGIN * span)
    if falling:
        low, high = math.log10(ys.min()), math.log10(ys.max())
        pad = max(_MARGIN * (high - low), 0.05)
        panels.log_axis(axes, "y", 10 ** (low - pad), 10 ** (high + pad))
        axes.invert_yaxis()
    else:
        pad = _MARGIN * max(float(np.ptp(ys)), 0.05)
        axes.set_ylim(float(ys.min()) - pad, float(ys.max()) + pad)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    data = panels.rows_of_profiles(tables["profile_measures"], settings, "pareto_fronts")
    found = frames.parts(data, _GROUP)
    groups = [group for group, _ in found]
    looks = panels.looks(data, tables, settings)
    parts = [
        f"Wins against reliability of {display.plural(data['algorithm'].nunique(), 'algorithm')} on "
        f"{captions.counted(frames.only(data, 'n_problems'), 'problem')}: share of wins ρ(1) against share solved ρ(τ_max) and "
        "against τ*, at which everything is solved. Filled and joined: the Pareto front."
    ]
    for group, rows in found:
        title = panels.title_of(group, groups, settings)
        head = f"{title[:1].upper()}{title[1:]}: " if len(groups) > 1 else ""
        solved = _front(rows, "front_wins_solved", looks)
        fast = _front(rows[np.isfinite(rows["tau_star"])], "front_wins_tau_star", looks)
        parts.append(f"{head}{'f' if head else 'F'}ront of ρ(1) and ρ(τ_max): {solved}; of ρ(1) and τ*: {fast}.")
    n_faded = sum(look.faded for look in panels.highlighted(looks, _order(data), settings).values())
    if n_faded:
        parts.append(f"Small and grey: {display.plural(n_faded, 'other')}.")
    return " ".join(parts)


def _order(data: pd.DataFrame) -> list[str]:
    """Order algorithms: those on any front, then by shares of wins and of problems solved."""
    found = data.assign(front=data["front_wins_solved"] | data["front_wins_tau_star"], share=data["rho_1"] + data["rho_tau_max"])
    order = found.sort_values(["front", "share", "algorithm"], ascending=[False, False, True])
    return frames.algorithms(order)


def _front(rows: pd.DataFrame, column: str, looks: Mapping[str, Look]) -> str:
    return display.listed([looks[name].label for name in rows.loc[rows[column], "algorithm"].sort_values()])
