"""Empirical cumulative distributions of running time: the share of (problem, target) pairs solved within a budget."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from benchmill.figures import panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

_MARKS = 4
#: What tells panels apart.
_PANEL = ["suite", "group", "problem", "dimension", "target"]
#: More panels than this do not fit a page: then only one dimension is drawn, and the caption says so.
_MOST_PANELS = 40


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw the ECDF of one aggregation: one panel a suite, dimension or problem, whatever the curves are kept apart by.

    Parameters
    ----------
    tables : mapping
        `ecdf`.
    settings : mapping
        `indicators` and `width`: see the package; `aggregation`: which rows (default: the one in the table);
        `dimension` (optional): draw this one only; `budgets` (optional): mapping of algorithm to mapping
        of dimension (or None) to the largest budget on the scale of x, marked by a cross on the curve.
    """
    data, _ = _rows(tables["ecdf"], settings)
    groups = panels.groups(data, _PANEL)
    looks = panels.highlighted(panels.looks(data, tables), _order(data, groups), settings)
    left, right = _range(data)
    n_curves = sum(not look.faded for look in looks.values())
    direct = len(groups) == 1 and n_curves <= panels.MOST_DIRECT_LABELS
    several_suites = len({g["suite"] for g in groups}) > 1
    with style.rc(settings):
        if direct:
            figure = style.new_figure(settings, wide=True, height=max(2.6, 0.16 * n_curves + 1.0))
            axes = figure.add_subplot()
            _scale(axes, left, right)
            ends = _panel(axes, data, groups[0], looks, settings, (left, right))
            entries = [
                (y, f"{display.share(y)}  {looks[name].label}", looks[name]) for name, y in ends.items() if not looks[name].faded
            ]
            style.direct_labels(axes, entries, settings, "share solved, algorithm")
            axes.set_xlabel(_x_label(settings))
            axes.set_ylabel("share of (problem, target) pairs")
            axes.set_title(style.text(_title(groups[0], True)), loc="left")
            return figure
        small = len(groups) > 12
        width = style.PRESETS[settings.get("width") or "ieee"]["text"]
        rows, columns = panels.arrangement(len(groups), settings, _columns(groups, small, width))
        room = int(width / columns * 72 / (0.55 * style.points(settings)))
        legend = panels.legend_height(n_curves + 1, max(len(look.label) for look in looks.values()), width, settings)
        figure = style.new_figure(settings, wide=True, height=min(0.4 + rows * max(1.15, width / columns * 0.72) + legend, 9.2))
        grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        # one for all: each would tell all others
        _scale(grid[0, 0], left, right)
        for place, (axes, group) in enumerate(zip(grid.flat, groups, strict=False)):
            _panel(axes, panels.rows_of(data, group), group, looks, settings, (left, right), small)
            lines = textwrap.wrap(_title(group, several_suites), room) or [""]
            axes.set_title("\n".join(style.text(line) for line in lines), loc="left", pad=2 if small else None)
            if place + columns >= len(groups):
                axes.tick_params(labelbottom=True)
            if place % columns == 0 and not small:
                axes.set_ylabel("share of pairs solved")
        for axes in list(grid.flat)[len(groups) :]:
            axes.set_axis_off()
        if small:
            figure.supylabel("share of targets reached", fontsize=style.points(settings))
        panels.legend_below(figure, list(looks.values()), settings, _x_label(settings))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown, over which targets and problems it is averaged, and which conventions are in force.

    Parameters
    ----------
    settings : mapping
        As `draw`; `measure` gives the targets.
    """
    data, left_out = _rows(tables["ecdf"], settings)
    groups = panels.groups(data, _PANEL)
    aggregation = _aggregation(tables["ecdf"], settings)
    over = {
        "trial": "trials",
        "target": "targets",
        "problem_per_target": "problems",
        "problem": "problems and targets",
        "group": "problems of a group and targets",
        "dimension": "dimensions, problems and targets",
    }
    targets = (settings.get("measure") or {}).get("targets") or []
    n_algorithms = len(data["algorithm"].unique())
    chosen = ((settings.get("indicators") or {}).get("ecdf") or {}).get("target_set")
    grid = ""
    if len(targets) > 1:
        grid = f" ({display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))})"
    if grid and chosen:
        grid = f"{grid[:-1]}, of which the target set {chosen} takes some on each problem)"
    elif targets and not grid:
        grid = f" (target {display.target(targets[0])})"
    parts = [
        f"Empirical cumulative distribution of the running time of {display.plural(n_algorithms, 'algorithm')}, over "
        f"{over[aggregation]}{grid}, in {display.plural(len(groups), 'panel')}.",
        f"A curve shows the share of (problem, target) pairs reached within so many {_unit(settings)}; {_weights(settings)}. "
        f"{_restarts(settings)} a target that was not reached is never counted.",
    ]
    curves = [origin for name, origin in tables.get("origins", {}).items() if name.startswith("ecdf/")]
    n_left_out = sum(origin.get("n_left_out", 0) for origin in curves)
    if n_left_out:
        parts.append(f"Left out, since an algorithm has no trial on them: {display.plural(n_left_out, 'problem')}.")
    if settings.get("budgets"):
        parts.append("A cross marks the largest budget of an algorithm; beyond it the curve holds its last value.")
    counted = panels.trials(tables)
    bands = ((settings.get("indicators") or {}).get("ecdf") or {}).get("bands")
    if data["fraction_low"].null_count < data.num_rows:
        level = f" ({display.target(100 * bands['level'])} %)" if bands else ""
        parts.append(f"Bands are pointwise bootstrap intervals{level}: the trials of each problem drawn again.")
    if counted is not None:
        parts.append(f"Trials found: {display.count(counted[0])}, missing: {display.count(counted[1])}.")
    if left_out:
        parts.append(f"Drawn for one dimension only; {display.listed([f'{d}-D' for d in left_out])} are in the table.")
    parts.append("The horizontal axis is logarithmic (base 10).")
    looks = panels.highlighted(panels.looks(data, tables), _order(data, groups), settings)
    parts.append(panels.highlight_words(looks, settings))
    return " ".join(part for part in parts if part)


def _rows(table: pa.Table, settings: Mapping[str, Any]) -> tuple[pa.Table, list[int]]:
    """The rows to draw, and the dimensions that are left for want of room."""
    aggregation = _aggregation(table, settings)
    rows = panels.rows_of(table, {"aggregation": aggregation})
    left_out: list[int] = []
    if settings.get("dimension") is not None:
        rows = panels.rows_of(rows, {"dimension": settings["dimension"]})
    elif len(panels.groups(rows, _PANEL)) > _MOST_PANELS:
        dimensions = [g["dimension"] for g in panels.groups(rows, ["dimension"])]
        if len(dimensions) > 1:
            rows, left_out = panels.rows_of(rows, {"dimension": dimensions[-1]}), [d for d in dimensions[:-1] if d is not None]
    if not rows.num_rows:
        raise panels.nothing_to_draw("ecdf", f"aggregation {aggregation!r}")
    return rows, left_out


def _aggregation(table: pa.Table, settings: Mapping[str, Any]) -> str:
    found = table["aggregation"].unique().to_pylist()
    wanted = settings.get("aggregation") or (found[0] if len(found) == 1 else None)
    if wanted is None:
        raise panels.nothing_to_draw("ecdf", f"one aggregation (the table has {display.listed(found)})")
    return str(wanted)


def _range(data: pa.Table) -> tuple[float, float]:
    x = data["x"].to_numpy()
    x = x[np.isfinite(x) & (x > 0)]
    if not len(x):
        return 1.0, 10.0
    left, right = float(x.min()), float(x.max())
    return left * 0.9, max(right, left * 10) * 1.25


def _unit(settings: Mapping[str, Any]) -> str:
    return (
        "evaluations"
        if ((settings.get("indicators") or {}).get("ecdf") or {}).get("x") == "evaluations"
        else "evaluations/dimension"
    )


def _weights(settings: Mapping[str, Any]) -> str:
    weight = ((settings.get("indicators") or {}).get("ecdf") or {}).get("weight", "instance")
    return {
        "instance": "every pair has the same weight, within a pair every instance, and within an instance every trial",
        "trial": "every pair has the same weight, and within a pair every trial",
        "pooled": "every trial has the same weight, so that pairs with more trials weigh more",
    }[weight]


def _restarts(settings: Mapping[str, Any]) -> str:
    restarts = ((settings.get("indicators") or {}).get("ecdf") or {}).get("restarts", 0)
    if restarts:
        return (
            f"With simulated restarts: each failed trial starts {display.plural(restarts, 'simulated run')}, in which trials "
            "are drawn until one succeeds;"
        )
    return "Trials are taken as they are, without simulated restarts;"


def _x_label(settings: Mapping[str, Any]) -> str:
    return f"{_unit(settings)} (log₁₀ scale)"


def _title(group: Mapping[str, Any], with_suite: bool) -> str:
    name = panels.name_of(group)
    suite = group.get("suite")
    return f"{panels.name_of({'suite': suite})}: {name}" if with_suite and suite and name != suite else name


def _columns(groups: list[dict[str, Any]], small: bool, width: float) -> int | None:
    """Panels side by side: groups of problems have a row each where the page is wide enough."""
    dimensions = {group["dimension"] for group in groups}
    if width > 5 and groups[0]["group"] is not None and 1 < len(dimensions) <= 6:
        return len(dimensions)
    return 6 if small and width > 5 else None


def _order(data: pa.Table, groups: list[dict[str, Any]]) -> list[str]:
    total: dict[str, list[float]] = {}
    for group in groups:
        for name, (_, fraction) in panels.steps(panels.rows_of(data, group), "x", ["fraction"]).items():
            total.setdefault(name, []).append(float(fraction[-1]))
    return sorted(total, key=lambda name: -sum(total[name]) / len(groups))


def _scale(axes: Axes, left: float, right: float) -> None:
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(-0.015, 1.03)


def _panel(
    axes: Axes,
    data: pa.Table,
    group: Mapping[str, Any],
    looks: Mapping[str, Look],
    settings: Mapping[str, Any],
    limits: tuple[float, float],
    small: bool = False,
) -> dict[str, float]:
    """Draw one panel; gives the last value of each curve."""
    left, right = limits
    curves = panels.steps(data, "x", ["fraction"])
    # a curve without two trials on any problem has no band
    banded = data.filter(pc.and_(pc.is_valid(data["fraction_low"]), pc.greater(data["x"], 0.0)))
    bands = panels.steps(banded, "x", ["fraction_low", "fraction_high"])
    ends: dict[str, float] = {}
    number = axes.figure.axes.index(axes)  # ids are unique in a file
    for place, (name, (x, fraction)) in enumerate(curves.items()):
        look = looks[name]
        line = {"linewidth": 0.9 if small else 1.15, "zorder": 3, **style.line_style(look)}
        # from zero at the left edge up the first step; after the last step the curve holds its value
        inside = x > 0
        start = float(fraction[~inside][-1]) if (~inside).any() else 0.0
        full_x = np.concatenate([[left], x[inside], [right]])
        full_y = np.concatenate([[start], fraction[inside], [fraction[-1] if len(fraction) else 0.0]])
        if name in bands and not look.faded:
            band_x, band_low, band_high = bands[name]
            axes.fill_between(
                [*band_x, right],
                [*band_low, band_low[-1]],
                [*band_high, band_high[-1]],
                step="post",
                color=look.colour,
                alpha=0.14,
                lw=0,
                zorder=2,
            )
        curve = Line2D(
            full_x, full_y, drawstyle="steps-post", **line, label=style.text(look.label), gid=f"curve-{number}-{place}"
        )
        # not `plot`, which looks at the limits of all panels again for every curve
        axes.add_artist(curve)
        if not look.faded:
            marks = 2 if small else _MARKS
            shares = (np.arange(marks) + (place + 0.5) / len(curves)) / marks
            at = np.exp(math.log(left) + shares * math.log(right / left))
            values = full_y[np.searchsorted(full_x, at, side="right") - 1]
            axes.plot(
                at[values > 0], values[values > 0], linestyle="none", **style.marker_style(look, 2.4 if small else 3.4), zorder=4
            )
        ends[name] = float(full_y[-1])
        budget = ((settings.get("budgets") or {}).get(name) or {}).get(group.get("dimension"))
        if budget is not None and left <= budget <= right:
            value = full_y[np.searchsorted(full_x, budget, side="right") - 1]
            axes.plot(
                [budget], [value], linestyle="none", marker="x", markersize=4.5, markeredgewidth=1.1, color=look.colour, zorder=6
            )
    low, high = math.ceil(math.log10(left)), math.floor(math.log10(right))
    stride = max(1, math.ceil((high - low) / (4 if small else 8)))
    axes.xaxis.set_major_locator(FixedLocator([10.0**k for k in range(low, high + 1, stride)]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"$10^{{{round(math.log10(v))}}}$"))
    axes.xaxis.set_minor_locator(LogLocator(base=10, subs=tuple(range(2, 10)), numticks=100) if not small else FixedLocator([]))
    axes.xaxis.set_minor_formatter(NullFormatter())
    return ends
