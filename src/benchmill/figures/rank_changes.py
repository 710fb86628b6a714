"""How the ranks of solvers change with what a failure counts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.figures import axes_level, captions, frames, options, panels, style
from benchmill.text import display, measures

#: What a failure counts, as the axis says it.
_PLACES = {"limit": "limit", "x2": "2 ×\nlimit", "x10": "10 ×\nlimit", "all_solved": "solved\nby all"}

#: What a study can set.
Options = options.OfMeasures


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one line per solver: its rank by the shifted geometric mean, for each way to count failures; 1 is on top.

    Raises
    ------
    UserError
        There are no ranks.
    """
    rows = _rows(tables, settings)
    ranks = _ranks(rows)
    order = list(ranks.index)
    looks = panels.highlighted(panels.looks(tables["summary"], tables, settings), order, settings)
    with style.rc(settings):
        wide = max(len(look.label) for look in looks.values()) > 16
        figure = style.new_figure(settings, wide=wide, height=max(0.155 * len(order) + 0.75, 1.4))
        axes = plot(rows, palette=looks, ax=figure.subplots())
        ends = [(float(-ranks.loc[name].iloc[-1]), looks[name].label, looks[name]) for name in order if not looks[name].faded]
        style.direct_labels(axes, ends, settings)
    return figure


@axes_level.documented
def plot(data: pd.DataFrame, *, palette: Any = None, ax: Axes | None = None, **facet: Any) -> Axes:
    """Draw one line per solver over the ways to count failures.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `summary` of one measure: `algorithm`, `subset` (only `all` is drawn), `unsolved`, `rank`.
    """
    data = data[data["rank"].notna() & (data["subset"] == "all")]
    axes, data, looks = axes_level.begun(data, palette, ax, facet)
    ranks = _ranks(data)
    x, n = np.arange(ranks.shape[1]), len(ranks)
    for i, name in enumerate(reversed(ranks.index)):
        look, y = looks[name], -ranks.loc[name].to_numpy(float)
        axes.plot(x, y, **style.line_style(look), gid=f"curve-{axes_level.number(axes)}-{i}", label=style.text(look.label))
        axes.plot(x, y, linestyle="none", **axes_level.marker(look, 4.2), clip_on=False)
    axes.set_xlim(0, max(len(x) - 1, 1))
    axes.set_xticks(x, [_PLACES[str(column)] for column in ranks.columns])
    axes.set_ylim(-n - 0.5, -0.5)
    shown = range(1, n + 1, 1 + (n - 1) // 20)
    axes.set_yticks([-place for place in shown], [str(place) for place in shown])
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("what a failure counts")
    axes.set_ylabel("rank (1 = best)")
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is ranked, over how many instances, and which solvers change places."""
    rows = _rows(tables, settings)
    ranks = _ranks(rows)
    looks = panels.highlighted(panels.looks(tables["summary"], tables, settings), list(ranks.index), settings)
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


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> pd.DataFrame:
    measure = settings["measures"][0]["name"]
    rows = frames.rows_of(tables["summary"], {"measure": measure, "subset": "all"})
    rows = rows[rows["rank"].notna()]
    return panels.some(rows, "rank_changes", f"measure {measure!r}")


def _ranks(rows: pd.DataFrame) -> pd.DataFrame:
    """Ranks by solver (best of the last column first) and by what a failure counts."""
    wide = rows.astype({"algorithm": str, "unsolved": str}).pivot(index="algorithm", columns="unsolved", values="rank")
    wide = wide[[name for name in _PLACES if name in wide]]
    return wide.sort_values([wide.columns[-1], *wide.columns[:-1]], kind="stable")
