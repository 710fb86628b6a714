"""Bayesian comparisons: for every pair the probabilities that one is practically better, and that both are practically equal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from benchmill.core.natural_order import natural_key
from benchmill.figures import panels, profile, style
from benchmill.text import display

_POINT = ["method", "target", "at_budget", "stratum"]
#: Dark, light, middle: told apart in grey, and the middle one is hatched.
_FIRST, _EQUAL, _SECOND = "#0b3c6f", "#e8e8e8", "#d9a55b"
#: More pairs than this a panel: only those with the best algorithm are drawn.
_MOST_PAIRS = 45


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a method and target or budget (and stratum): a bar a pair, which the three probabilities share.

    The algorithm that is more probably better stands on the left; pairs are in the order of that probability. Lines mark where a
    probability decides (one minus the level of the study).

    Parameters
    ----------
    tables : mapping
        `posteriors`, `ranks`.
    settings : mapping
        `measures`: the settings of one measure; `width`: see the package.
    """
    data = _rows(tables, settings)
    looks = panels.looks(
        pa.table({"algorithm": [row[s] for row in data.to_pylist() for s in ("algorithm_a", "algorithm_b")]}), tables
    )
    points = panels.groups(data, _POINT)
    with style.rc(settings):
        size = style.points(settings) - 1
        parts = [_shown(tables, settings, panels.rows_of(data, point))[0] for point in points]
        most = max(len(rows) for rows in parts)
        longest = max(len(look.label) for look in looks.values())
        columns = 2 if len(points) > 1 and longest <= 20 and style.text_width(settings) > 5 else 1
        n_rows = math.ceil(len(points) / columns)
        line = min(1.28 * size / 72, (9.2 - 0.5) / n_rows / (most + 3))
        figure = style.new_figure(
            settings, wide=columns > 1 or longest > 16, height=min(n_rows * (most * line + 0.45) + 0.35, 9.2)
        )
        grid = figure.subplots(n_rows, columns, squeeze=False, sharex=True)
        for axes, point, rows in zip(grid.flat, points, parts, strict=False):
            _panel(axes, rows, looks, min(size, line * 72 / 1.15))
            heading = [display.POSTERIORS[point["method"]], panels.name_of({k: v for k, v in point.items() if k != "method"})]
            axes.set_title(style.text(_sentence(", ".join(part for part in heading if part))), loc="left")
        for axes in list(grid.flat)[len(points) :]:
            axes.set_axis_off()
        handles = [
            Patch(facecolor=_FIRST, label="left practically better"),
            Patch(facecolor=_EQUAL, edgecolor="0.5", hatch="////", linewidth=0.0, label="practically equal"),
            Patch(facecolor=_SECOND, label="right practically better"),
        ]
        columns = 3 if figure.get_size_inches()[0] > 4.5 else 2
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, columnspacing=1.2, handlelength=1.4)
    return figure


def _panel(axes: Axes, rows: list[Mapping[str, Any]], looks: Mapping[str, Any], size: float) -> None:
    right = axes.twinx()
    names: tuple[list[str], list[str]] = ([], [])
    for place, row in enumerate(rows):
        first, second, shares = _turned(row)
        names[0].append(style.text(looks[first].label))
        names[1].append(style.text(looks[second].label))
        start = 0.0
        for share, colour, hatch in zip(shares, (_FIRST, _EQUAL, _SECOND), (None, "////", None), strict=True):
            if share is not None:
                axes.barh(
                    place, share, left=start, height=0.72, color=colour, hatch=hatch, edgecolor="0.5" if hatch else colour, lw=0
                )
                start += share
    sure = 1 - rows[0]["alpha"]
    for at in (1 - sure, sure):
        axes.axvline(at, color="0.35", lw=0.6, dashes=(2, 2), zorder=3)
    for side, texts in zip((axes, right), names, strict=True):
        side.set_ylim(len(rows) - 0.5, -0.5)
        side.set_yticks(range(len(rows)), texts, fontsize=size)
        side.tick_params(axis="y", length=0)
        side.grid(visible=False)
        for spine in side.spines.values():
            spine.set_visible(False)
    axes.set_xlim(0, 1)
    axes.tick_params(labelbottom=True)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what the probabilities are of, within which region, on which scale, and what is not drawn."""
    data = _rows(tables, settings)
    rows = data.to_pylist()
    ropes = display.listed([f"±{display.target(v)}" for v in sorted({row["rope"] for row in rows})])
    scale = display.listed(sorted({row["normalisation"] for row in rows}))
    methods = display.listed([display.POSTERIORS[m] for m in dict.fromkeys(row["method"] for row in rows)])
    blocks = sorted({row["n_blocks"] for row in rows})
    span = " to ".join(display.count(v) for v in dict.fromkeys((blocks[0], blocks[-1])))
    measure = profile.named(settings["measures"][0])
    text = (
        f"Posterior probabilities of all pairs for the measure {measure} over {span} problems ({methods}): that the algorithm on "
        "the left is practically better, that both are practically equal (their costs differ by no more than "
        f"{ropes}; scale: {scale}), and that the one on the right is. Dashed lines: a probability of "
        f"{display.target(1 - rows[0]['alpha'])}, which decides."
    )
    found = [_shown(tables, settings, panels.rows_of(data, point)) for point in panels.groups(data, _POINT)]
    hidden = max(n for _, n, _ in found)
    stuck = sum(n for _, _, n in found)
    if hidden:
        text += f" Drawn are the pairs with the algorithm of the best average rank, and not the {display.count(hidden)} others."
    if stuck:
        text += f" {display.plural(stuck, 'pair')} without a bar: not defined, or the Markov chains have not converged."
    return text


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pa.Table:
    name = settings["measures"][0]["name"]
    data = panels.rows_of(tables["posteriors"], {"measure": name})
    if not data.num_rows:
        raise panels.nothing_to_draw("posteriors", f"measure {name!r}")
    return data


#: As in the tables: a Markov chain with a larger split-R-hat has not converged.
_CONVERGED = 1.1


def _shown(tables: Mapping[str, Any], settings: Mapping[str, Any], data: pa.Table) -> tuple[list[Mapping[str, Any]], int, int]:
    """The pairs of a panel, surest first; how many are not drawn for want of room; how many of the drawn have no bar."""
    rows: list[Mapping[str, Any]] = data.to_pylist()
    hidden = 0
    if len(rows) > _MOST_PAIRS:
        where = {"measure": settings["measures"][0]["name"], **{key: rows[0][key] for key in ("target", "at_budget", "stratum")}}
        ranked = panels.rows_of(tables["ranks"], where).to_pylist()
        leader = min(ranked, key=lambda r: (r["average_rank"], natural_key(r["algorithm"])))["algorithm"]
        kept = [row for row in rows if leader in (row["algorithm_a"], row["algorithm_b"])]
        hidden, rows = len(rows) - len(kept), kept
    rows = [
        {**row, "a_better": None, "equal": None, "b_better": None}
        if row["r_hat"] is not None and row["r_hat"] > _CONVERGED
        else row
        for row in rows
    ]
    rows.sort(key=lambda row: (_key(row), natural_key(row["algorithm_a"]), natural_key(row["algorithm_b"])))
    return rows, hidden, sum(row["equal"] is None for row in rows)


def _key(row: Mapping[str, Any]) -> tuple[float, float]:
    _, _, (first, equal, _) = _turned(row)
    return (2.0, 0.0) if first is None else (-first, equal or 0.0)


def _turned(row: Mapping[str, Any]) -> tuple[str, str, tuple[float | None, float | None, float | None]]:
    """The pair with the more probable winner first."""
    a, b = row["algorithm_a"], row["algorithm_b"]
    if (row["a_better"] or 0.0) >= (row["b_better"] or 0.0):
        return a, b, (row["a_better"], row["equal"], row["b_better"])
    return b, a, (row["b_better"], row["equal"], row["a_better"])


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
