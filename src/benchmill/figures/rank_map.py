"""Heat map of ranks: algorithms by problems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from benchmill.core.natural_order import natural_key
from benchmill.core.ranks import midranks
from benchmill.figures import panels, profile, style
from benchmill.text import display

#: From the best rank to the worst; its lightness rises evenly, so that it can be read in grey.
_COLOURS = LinearSegmentedColormap.from_list("ranks", ["#0b3c5d", "#2f7f93", "#8cc3a8", "#dfe9c5", "#ffffff"])
#: More problems than this are not named, and cells have no numbers.
_MOST_NAMED = 48


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a dimension: a row for each algorithm, best on top, a column for each problem, its mean rank in colour.

    Ranks are by cost on every problem and target; equal costs share the mean of their ranks, and failures are equal and
    last. A cell is the mean over the targets (or budgets); a cross marks an algorithm that fails on all of them.

    Parameters
    ----------
    tables : mapping
        `ratios`.
    settings : mapping
        `measures`: the settings of one measure; `width`: see the package.
    """
    data = _rows(tables, settings)
    dimensions = [g["dimension"] for g in panels.groups(data, ["dimension"])]
    looks = panels.looks(data, tables)
    parts = {dimension: _ranks(panels.rows_of(data, {"dimension": dimension})) for dimension in dimensions}
    algorithms = _order(list(parts.values()))
    n = len(algorithms)
    with style.rc(settings):
        width, size = style.text_width(settings), style.points(settings) - 1
        most = max(len(problems) for _, problems, _, _ in parts.values())
        n_rows, columns = panels.arrangement(len(dimensions), settings, 1 if most > 12 else None)
        line = min(1.55 * size / 72, 7.0 / max(n * n_rows, 1))
        named = most <= _MOST_NAMED
        tall = named and max(len(_label(p)) for _, problems, _, _ in parts.values() for p in problems) > 4
        heads = 0.25 if not tall else 0.12 * 6
        figure = style.new_figure(settings, wide=True, height=min(n_rows * (n * line + heads + 0.3) + 0.5, 9.2))
        grid = figure.subplots(n_rows, columns, squeeze=False)
        mesh = None
        for axes, dimension in zip(grid.flat, dimensions, strict=False):
            names, problems, rank, failed = parts[dimension]
            places = [algorithms.index(name) for name in names]
            full = np.full((n, len(problems)), np.nan)
            full[places] = rank
            mesh = axes.pcolormesh(full, cmap=_COLOURS, vmin=1, vmax=n, edgecolors="white", linewidth=0.3)
            fits = named and width / columns / max(len(problems), 1) * 72 > 1.35 * size
            for i, j in zip(*np.nonzero(np.isfinite(full)), strict=True):
                out = failed[names.index(algorithms[i]), j]
                if not (out or fits):
                    continue
                shade = "white" if full[i, j] < 0.45 * n else "0.1"
                text = "×" if out else f"{full[i, j]:.0f}" if full[i, j] == round(full[i, j]) else f"{full[i, j]:.1f}"
                axes.annotate(text, (j + 0.5, i + 0.5), ha="center", va="center", fontsize=size - 2, color=shade)
            axes.set_ylim(n, 0)
            axes.set_yticks(np.arange(n) + 0.5, [style.text(looks[name].label) for name in algorithms], fontsize=size)
            axes.tick_params(length=0)
            axes.grid(visible=False)
            for spine in axes.spines.values():
                spine.set_visible(False)
            if named:
                rotation = 90 if tall else 0
                texts = [style.text(_label(p)) for p in problems]
                axes.set_xticks(np.arange(len(problems)) + 0.5, texts, rotation=rotation, fontsize=size - 1)
            else:
                axes.set_xticks([])
                axes.set_xlabel(f"{len(problems)} problems")
            axes.set_title(style.text(panels.heading({"dimension": dimension}, dimensions)), loc="left")
        for axes in list(grid.flat)[len(dimensions) :]:
            axes.set_axis_off()
        if mesh is not None:
            bar = figure.colorbar(mesh, ax=list(grid.flat), location="bottom", fraction=0.03, aspect=50, pad=0.02)
            bar.set_label("mean rank (1 = best)", fontsize=style.points(settings))
            bar.outline.set_visible(False)
            bar.ax.tick_params(labelsize=size)
            bar.solids.set_edgecolor("face")  # type: ignore[union-attr]
            bar.solids.set_rasterized(False)  # type: ignore[union-attr]
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is ranked, over what it is averaged, and how failures and ties count."""
    measure = settings["measures"][0]
    data = _rows(tables, settings)
    n_points = len(panels.groups(data, ["target", "at_budget"]))
    n_problems = len(panels.groups(data, ["suite", "problem", "dimension", "instance"]))
    mean = f"A cell is the mean over {display.count(n_points)} targets or budgets. " if n_points > 1 else ""
    return (
        f"Ranks of {display.plural(len(data['algorithm'].unique()), 'algorithm')} on {display.plural(n_problems, 'problem')} "
        "for the "
        f"measure {profile.named(measure)}; 1 is best, equal costs share the mean of "
        "their "
        f"ranks, and all failures on a problem are equal and last. {mean}A cross marks an algorithm that "
        f"{'always fails there' if n_points > 1 else 'fails there'}. Rows are in the order of the mean rank over all panels. "
        f"{profile.trial_words(tables, measure)}"
    ).rstrip()


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pa.Table:
    name = settings["measures"][0]["name"]
    rows = panels.rows_of(tables["ratios"], {"measure": name, "included": True})
    if not rows.num_rows:
        raise panels.nothing_to_draw("rank_map", f"measure {name!r}")
    return rows


_Part = tuple[list[str], list[tuple[Any, ...]], np.ndarray, np.ndarray]


def _ranks(data: pa.Table) -> _Part:
    """Algorithms, problems, mean ranks (algorithm, problem), and where an algorithm fails throughout."""
    names = sorted(data["algorithm"].unique().to_pylist(), key=natural_key)
    keys = ["suite", "problem", "instance", "target", "at_budget"]
    cells = list(zip(*(data[key].to_pylist() for key in keys), strict=True))
    order = sorted(set(cells), key=lambda c: (*map(natural_key, c[:3]), -(c[3] or 0), c[4] or 0))
    place, row = {cell: i for i, cell in enumerate(order)}, {name: i for i, name in enumerate(names)}
    cost = np.full((len(names), len(order)), np.nan)
    cost[[row[a] for a in data["algorithm"].to_pylist()], [place[c] for c in cells]] = data["cost"].to_numpy()
    there = np.isfinite(cost) | np.isinf(cost)
    rank = np.full(cost.shape, np.nan)
    # an algorithm without a cost on a problem has no rank there and takes none from the others
    for pattern in np.unique(there, axis=1).T:
        columns = (there == pattern[:, None]).all(axis=0)
        rank[np.ix_(pattern, columns)] = midranks(cost[np.ix_(pattern, columns)].T).T
    problems = list(dict.fromkeys(cell[:3] for cell in order))
    column = np.array([problems.index(cell[:3]) for cell in order])
    mean = np.stack([rank[:, column == j].mean(axis=1) for j in range(len(problems))], axis=1)
    failed = np.stack([np.isinf(cost[:, column == j]).all(axis=1) for j in range(len(problems))], axis=1)
    return names, problems, mean, failed


def _order(parts: list[_Part]) -> list[str]:
    total: dict[str, list[float]] = {}
    for names, _, rank, _ in parts:
        for name, row in zip(names, rank, strict=True):
            total.setdefault(name, []).extend(float(v) for v in row if math.isfinite(v))
    return sorted(total, key=lambda name: (float(np.mean(total[name])), natural_key(name)))


def _label(problem: tuple[Any, ...]) -> str:
    """A problem within a panel: its name, with the instance where problems have one, at most 16 characters."""
    _, name, instance = problem
    text = name if instance is None else f"{name} i{instance}"
    return next(iter(display.short_names([text], 16).values()))
