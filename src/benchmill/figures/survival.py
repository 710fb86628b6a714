"""Survival plots: how many instances are still unsolved after a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.core.options import option
from benchmill.figures import axes_level, captions, panels, runs, style
from benchmill.text import display, measures

#: What the notebook adds to `plot`.
beside = runs.beside


@dataclass(frozen=True, kw_only=True)
class Options(runs.Options):
    """What a study can set."""

    count: Literal["unsolved", "solved"] = option("What is counted: instances still unsolved, or those solved.", "unsolved")
    share: bool = option("Whether the vertical axis is the share of the instances, not their number.", True)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one curve per solver: the share or number of instances that it has not solved (or has solved) after each time."""
    data = runs.rows_of(tables, settings, "survival")
    found = runs.shares(data)
    looks = runs.looks(data, list(found.index), tables, settings)
    chosen = {key: settings[key] for key in ("scale", "count", "share") if key in settings}
    named = [name for name, look in looks.items() if not look.faded]
    with style.rc(settings):
        unit = measures.with_unit(settings["measures"][0])
        longest = max(len(look.label) for look in looks.values())
        wide = longest > 16 or len(named) > panels.MOST_DIRECT_LABELS
        beside_axes = panels.fit_beside([looks[name].label for name in named], settings, wide)
        legend = (
            0.0 if beside_axes else panels.legend_height(len(named) + 1, looks.values(), style.width_of(settings, wide), settings)
        )
        figure = style.new_figure(settings, wide=wide, height=max(2.4, 0.16 * len(named) + 0.9 if beside_axes else 0) + legend)
        axes = plot(data, palette=looks, unit=unit, ax=figure.subplots(), **chosen)
        if beside_axes:
            total = _total(data)
            ends = [(_height(float(found[name]), total, **_of(settings)), looks[name].label, looks[name]) for name in named]
            style.direct_labels(axes, ends, settings)
        else:
            panels.legend_below(figure, list(looks.values()), settings)
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    palette: Any = None,
    scale: str = "auto",
    unit: str = "time",
    count: str = "unsolved",
    share: bool = True,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the share or number of instances unsolved (or solved) over time, as steps.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `solver_runs` of one measure: `algorithm`, `role`, `cost`, `limit`, `outcome`, `weight`, `included`.
    scale : {"auto", "linear", "log"}
        The axis of the times.
    unit : str
        What it is called.
    count : {"unsolved", "solved"}
        What is counted.
    share : bool
        Whether as a share of the instances.
    """
    axes, data, looks = runs.begun(data, palette, ax, facet)
    solved = data[data["outcome"] == "solved"]
    low = runs.time_axis(axes.xaxis, solved["cost"], runs.limits(data), scale)
    total, order = _total(data), list(runs.shares(data).index)
    start, end = axes.get_xlim()
    for place, name in enumerate(order):
        own = solved[solved["algorithm"] == name].sort_values("cost", kind="stable")
        times = np.maximum(own["cost"].to_numpy(float), low)
        height = _height(np.append(0.0, np.cumsum(own["weight"].to_numpy(float))), total, count, share)
        look, gid = looks[name], f"curve-{axes_level.number(axes)}-{place}"
        x, y = np.concatenate([[start], times, [end]]), np.append(height, height[-1])
        axes.plot(x, y, drawstyle="steps-post", label=style.text(look.label), gid=gid, **style.line_style(look))
        if not look.faded:
            at = runs.marks(times.size, place, len(order))
            axes.plot(times[at], height[at + 1], linestyle="none", **axes_level.marker(look, 3.4))
    runs.draw_limits(axes, data, across=False)
    axes.set_xlim(start, end)
    axes.set_ylim(-0.015 * (1 if share else total), 1.03 * (1 if share else total))
    axes.set(xlabel=unit, ylabel=f"share of instances {count}" if share else f"instances {count}")
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a point is, and that failures stay."""
    data = runs.rows_of(tables, settings, "survival")
    looks = runs.looks(data, list(runs.shares(data).index), tables, settings)
    count, share = _of(settings).values()
    what = f"the {'share' if share else 'number'} of the {display.plural(round(_total(data)), 'instance')}"
    verb = "has not solved" if count == "unsolved" else "has solved"
    return captions.joined(
        f"Survival plot of {runs.which(data, settings)}: {what} that a solver {verb} after a time.",
        runs.seed_words(data),
        runs.limit_words(data),
        runs.best_words(data),
        panels.highlight_words(looks, settings),
    )


def _of(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"count": settings.get("count", "unsolved"), "share": settings.get("share", True)}


def _total(data: pd.DataFrame) -> float:
    """The number of instances: all that some solver has rows of."""
    return float(data.groupby("algorithm", observed=True)["weight"].sum().max())


def _height(solved: Any, total: float, count: str, share: bool) -> Any:
    """What the vertical axis has for so many instances solved."""
    found = total - solved if count == "unsolved" else solved
    return found / total if share else found
