"""How the ranks of solvers change with what a failure counts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, captions, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look

#: What a failure counts, as the axis says it.
_PLACES = {"limit": "limit", "x2": "2 ×\nlimit", "x10": "10 ×\nlimit", "all_solved": "solved\nby all"}

#: What a study can set.
Options = options.OfMeasures


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one line per solver: its rank for each way to count failures; 1 is on top."""
    rows, ranks, looks = _rows(tables, settings)
    with style.rc(settings):
        wide = max(len(look.label) for look in looks.values()) > 16
        figure = style.new_figure(settings, wide=wide, height=max(0.155 * len(ranks) + 0.75, 1.4))
        axes = plot(rows, palette=looks, ax=figure.subplots())
        ends = [(float(-row.iloc[-1]), looks[name].label, looks[name]) for name, row in ranks.iterrows() if not looks[name].faded]
        style.direct_labels(axes, ends, settings)
    return figure


@axes_level.drawing(rows=lambda data: data[data["rank"].notna() & (data["subset"] == "all")])
def plot(axes: Axes, data: pd.DataFrame, looks: dict[str, Look]) -> None:
    """Draw one line per solver over the ways to count failures.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `summary` of one measure: `algorithm`, `subset` (only `all` is drawn), `unsolved`, `rank`.
    """
    ranks = _ranks(data)
    x, n = np.arange(ranks.shape[1]), len(ranks)
    for i, name in enumerate(reversed(ranks.index)):
        y = -ranks.loc[name].to_numpy(float)
        axes_level.step(axes, x, y, looks[name], i, drawstyle="default")
        axes.plot(x, y, linestyle="none", **axes_level.marker(looks[name], 4.2), clip_on=False)
    axes.set_xticks(x, [_PLACES[str(column)] for column in ranks.columns])
    shown = range(1, n + 1, 1 + (n - 1) // 20)
    axes.set_yticks([-place for place in shown], [str(place) for place in shown])
    axes.set(xlim=(0, max(len(x) - 1, 1)), ylim=(-n - 0.5, -0.5), xlabel="what a failure counts", ylabel="rank (1 = best)")
    axes.grid(axis="y", visible=False)


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    rows, ranks, looks = _rows(tables, settings)
    pairs = list(combinations(ranks.index, 2))
    changing = [(a, b) for a, b in pairs if {-1, 1} <= set(np.sign(ranks.loc[a] - ranks.loc[b]))]
    words = [f"{looks[a].label} and {looks[b].label}" for a, b in changing]
    moved = (
        f"Of {display.plural(len(pairs), 'pair')}, {len(changing)} {'changes' if len(changing) == 1 else 'change'} places: "
        f"{display.listed(words, limit=6)}."
        if changing
        else "No two solvers change places."
    )
    sizes = rows.groupby("unsolved", observed=True)["instances"].first()
    some = sizes.get("all_solved", sizes.max()) < sizes.max()
    solved = f" ({display.count(sizes['all_solved'])} for those that all solve)" if some else ""
    return captions.joined(
        f"Ranks of {display.plural(len(ranks), 'solver')} by the shifted geometric mean (shift "
        f"{display.target(float(rows['shift'].iloc[0]))}), measure {measures.told(settings['measures'][0])}, over "
        f"{display.plural(int(sizes.max()), 'instance')}{solved}, by how a failure counts; 1 is best. {moved}",
        panels.highlight_words(looks, settings),
    )


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Look]]:
    rows = panels.of_measure(tables, settings, "rank_changes", "summary", subset="all")
    rows = panels.some(rows[rows["rank"].notna()], "rank_changes", f"measure {settings['measures'][0]['name']!r}")
    ranks = _ranks(rows)
    return rows, ranks, panels.looks(tables["summary"], tables, settings, list(ranks.index))


def _ranks(rows: pd.DataFrame) -> pd.DataFrame:
    """Return ranks by solver, the best of the last column first."""
    wide = rows.astype({"algorithm": str, "unsolved": str}).pivot(index="algorithm", columns="unsolved", values="rank")
    wide = wide[[name for name in _PLACES if name in wide]]
    return wide.sort_values([wide.columns[-1], *wide.columns[:-1]], kind="stable")
