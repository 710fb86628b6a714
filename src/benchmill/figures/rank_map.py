"""Heat map of ranks: algorithms by problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.core.natural_order import natural_key
from benchmill.core.ranks import midranks
from benchmill.figures import axes_level, captions, frames, grid, heat, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look, appearance

#: From the best rank to the worst; its lightness rises evenly, so that it can be read in grey.
_COLOURS = seaborn.blend_palette(["#0b3c5d", "#2f7f93", "#8cc3a8", "#dfe9c5", "#ffffff"], as_cmap=True)
#: More problems than this are not named, and cells have no numbers.
_MOST_NAMED = 48

#: What a study can set.
Options = options.OfMeasures

#: Ranks are among all algorithms, whichever are shown.
RANKS_ALL = True


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per dimension: a row for each algorithm, best on top, a column for each problem, its mean rank in colour.

    Ranks are by cost on every problem and target; equal costs share the mean of their ranks, and failures are equal and
    last. A cell is the mean over the targets (or budgets); a cross marks an algorithm that fails on all of them.
    """
    data = _rows(tables, settings)
    of_dimensions = frames.parts(data, ["dimension"])
    dimensions = [group["dimension"] for group, _ in of_dimensions]
    looks = panels.looks(data, tables, settings)
    parts = [_ranks(rows) for _, rows in of_dimensions]
    algorithms = _order([mean for mean, _, _ in parts])
    wanted = settings.get("algorithms") or algorithms
    n = len(algorithms)
    algorithms = [name for name in algorithms if name in wanted]
    looks = panels.highlighted(looks, algorithms, settings)
    with style.rc(settings):
        width, size = style.width_of(settings), style.points(settings)
        most = max(len(problems) for _, _, problems in parts)
        beside = 0.5 * max(len(look.label) for look in looks.values()) * size
        n_rows, columns = panels.arrangement(len(parts), settings, 1 if most > 12 else None)
        if width * 72 / columns - beside < 1.5 * size * most:
            n_rows, columns = len(parts), 1
        # 9.5 or 10.5
        digits = (0.5 * (3 if n < 10 else 4) + 0.2) * size
        line = min(1.55 * size / 72, 7.0 / max(len(algorithms) * n_rows, 1))
        named = most <= _MOST_NAMED
        tall = named and max(len(problem) for _, _, problems in parts for problem in problems) > 4
        heads = 0.25 if not tall else 0.12 * 6
        figure = style.new_figure(settings, wide=True, height=n_rows * (len(algorithms) * line + heads + 0.3) + 0.5)
        axes_of = panels.spread(figure, len(parts), (n_rows, columns))
        for axes, (group, rows), (_, _, problems) in zip(axes_of, of_dimensions, parts, strict=True):
            fits = named and (width * 72 / columns - beside) / max(len(problems), 1) > digits
            of: dict[str, Any] = {"order": algorithms, "n": n, "named": named, "written": fits, "upright": tall}
            plot(rows, **of, looks=looks, ax=axes)
            axes.set_title(style.text(panels.heading(group, dimensions, settings)), loc="left")
        heat.colour_bar(figure, axes_of[0].collections[0], "mean rank (1 = best)", settings)
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    order: Sequence[str] | None = None,
    n: int | None = None,
    named: bool | None = None,
    written: bool | None = None,
    upright: bool = True,
    looks: Mapping[str, Look] | None = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the ranks of one dimension as a heat map.

    `axes.collections[0]` has the colours, for a colour bar.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ratios` of one measure: keys, `algorithm`, `cost`.
    order : sequence of str, optional
        The algorithms, from the top; by default all, by their mean rank.
    n : int, optional
        The worst rank; by default the number of algorithms.
    named, written : bool, optional
        Whether problems are named and ranks written; by default where there is room.
    upright : bool
        Whether the names of the problems stand upright.
    looks : mapping, optional
        The looks of the algorithms, for their labels.
    """
    axes = axes_level.given(ax, facet)
    mean, failed, problems = _ranks(axes_level.named(data))
    algorithms = _order([mean]) if order is None else list(order)
    shown = appearance(mean.index) if looks is None else looks
    size = axes_level.points()
    named = len(problems) <= _MOST_NAMED if named is None else named
    if written is None:
        written = named and axes.get_window_extent().width / axes.figure.dpi / len(problems) * 72 > 1.35 * size
    rank = mean.reindex(algorithms)
    out = failed.reindex(algorithms, fill_value=False)
    texts = rank.map(lambda v: f"{v:.0f}" if v == round(v, 0) else f"{v:.1f}") if written else rank.map(lambda _: "")
    names = [style.text(shown[name].label) for name in algorithms]
    below = [style.text(problem) for problem in problems] if named else []
    limits = (1, n or len(mean))
    heat.cells(axes, rank, _COLOURS, limits, (names, below), size, texts.mask(out, "×"), {"fontsize": size})
    axes.tick_params(axis="x", rotation=90 if upright else 0, labelsize=size)
    style.stress(axes.get_yticklabels(), shown.values())
    if not named:
        axes.set_xlabel(f"{len(problems)} problems")
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is ranked, over what it is averaged, and how failures and ties count."""
    measure = settings["measures"][0]
    data = _rows(tables, settings)
    n_points = len(frames.groups(data, ["target", "at_budget"]))
    n_problems = len(frames.groups(data, ["suite", "problem", "dimension", "instance"]))
    mean = f"A cell is the mean over {display.count(n_points)} targets or budgets. " if n_points > 1 else ""
    return (
        f"Ranks of {display.plural(data['algorithm'].nunique(), 'algorithm')} on {display.plural(n_problems, 'problem')}, "
        f"measure {measures.told(measure)}; 1 is best. {mean}A cross marks an algorithm that "
        f"{'always fails' if n_points > 1 else 'fails'} there. Best mean rank over all panels first. "
        f"{captions.trial_words(tables, measure)}"
    ).rstrip()


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pd.DataFrame:
    name = settings["measures"][0]["name"]
    rows = frames.rows_of(tables["ratios"], {"measure": name, "included": True})
    return panels.some(rows, "rank_map", f"measure {name!r}")


def _ranks(data: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """By algorithm and problem the mean rank, and whether the algorithm fails throughout; and the names of the problems."""
    cell, cells = frames.cells(data, [*grid.PROBLEM, "target", "at_budget"])
    wide = data.assign(cell=cell).pivot(index="algorithm", columns="cell", values="cost")
    cost = wide.to_numpy()
    there = ~np.isnan(cost)
    rank = np.full(cost.shape, np.nan)
    # an algorithm without a cost on a problem has no rank there and takes none from the others
    for pattern in np.unique(there, axis=1).T:
        columns = (there == pattern[:, None]).all(axis=0)
        rank[np.ix_(pattern, columns)] = midranks(cost[np.ix_(pattern, columns)].T).T
    problems = list(dict.fromkeys(tuple(cell[key] for key in grid.PROBLEM) for cell in cells))
    place = {problem: i for i, problem in enumerate(problems)}
    of = np.array([place[tuple(cell[key] for key in grid.PROBLEM)] for cell in cells])
    names = [str(name) for name in wide.index]
    mean = np.stack([rank[:, of == j].mean(axis=1) for j in range(len(problems))], axis=1)
    failed = np.stack([np.isinf(cost[:, of == j]).all(axis=1) for j in range(len(problems))], axis=1)
    return pd.DataFrame(mean, index=names), pd.DataFrame(failed, index=names), [_label(*problem) for problem in problems]


def _order(ranks: Sequence[pd.DataFrame]) -> list[str]:
    """Algorithms by their mean rank over all problems, equal ones in natural order."""
    mean = pd.concat(ranks, axis=1).mean(axis=1)
    return sorted(mean.index, key=lambda name: (mean[name], natural_key(name)))


def _label(_: str | None, name: str, instance: str | None) -> str:
    """A problem within a panel: its name, with the instance where problems have one, at most 16 characters."""
    text = name if instance is None else f"{name} i{instance}"
    return next(iter(display.short_names([text], 16).values()))
