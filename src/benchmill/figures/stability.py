"""Which pairs of algorithms change their order when a third one is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmill.core.natural_order import natural_key
from benchmill.figures import axes_level, frames, options, panels, style
from benchmill.text import display, measures
from benchmill.text.appearance import Look, appearance

_BY = {"rho_1": "wins ρ(1)", "auc": "area under the Dolan–Moré profile", "nested_auc": "area under the nested profile"}
_PAIR = ["algorithm_a", "algorithm_b"]
#: More pairs than this have no room: those that change most often are drawn, and the caption says so.
_MOST_PAIRS = 40
#: Names of the columns are cut to so many characters.
_LONGEST = 24

#: What a study can set.
Options = options.OfProfiles


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per criterion, dimension and target of the variant.

    A row for each pair whose order depends on others, a column for each algorithm left out.

    A filled mark: without that algorithm the pair changes places (Gould and Scott 2016 warned of it). A hollow mark: a tie is
    made or broken.
    """
    parts, names = _rows(tables, settings)
    looks = panels.by_name(panels.looks(tables["waves"], tables, settings), settings)
    with style.rc(settings):
        size = style.points(settings)
        if not parts:
            figure = style.new_figure(settings, wide=False, height=0.8)
            axes = figure.add_subplot()
            axes.set_axis_off()
            axes.annotate(
                "no pair changes its order", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center", color="0.35"
            )
            return figure
        line = 1.5 * size / 72
        longest = max(min(len(looks[name].label), _LONGEST) for name in names) * size * 0.52 / 72
        wide = len(names) > 8 or max(len(looks[name].label) for name in names) > 12
        width = style.width_of(settings, wide)
        upright = longest > 0.6 * width / len(names)
        if upright:
            # columns without a mark take the room of the others
            names = [name for name in names if any(name in part.changing for part in parts)]
        heights = [max(len(part.pairs), 1.6) * line + 0.25 for part in parts]
        heads = longest if upright else line
        figure = style.new_figure(settings, wide=wide, height=sum(heights) + heads + 0.5)
        grid = figure.subplots(len(parts), 1, squeeze=False, sharex=True, height_ratios=heights)
        most = max(16, int(0.42 * width * 72 / (0.5 * size)))
        for axes, part in zip(grid.flat, parts, strict=True):
            plot(part.rows, left_out=names, most=len(part.pairs), longest=most - 8, looks=looks, ax=axes)
            panels.bare(axes)
            axes.set_title(style.text(_title(part.group, part.by, settings)), loc="left")
        bottom = list(grid.flat)[-1]
        short = _short(looks, _LONGEST)
        shown = [style.text(short[name]) for name in names]
        fits = max(0.55 * width * 72 / len(names) / 1.1, style.SMALLEST * size / 8)
        bottom.set_xticks(range(len(names)), shown, rotation=90 if upright else 0, fontsize=min(size, fits) if upright else size)
        for label, name in zip(bottom.get_xticklabels(), names, strict=True):
            label.set_fontweight(style.weight(looks[name]))
        bottom.set_xlabel("algorithm left out")
        handles = [
            Line2D([], [], linestyle="none", **_mark(face), label=text)
            for face, text in (("0.15", "order reversed"), ("white", "tie made or broken"))
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=2, handletextpad=0.2)
    return figure


@axes_level.documented
def plot(
    data: pd.DataFrame,
    *,
    left_out: Sequence[str] | None = None,
    most: int = _MOST_PAIRS,
    longest: int = 2 * _LONGEST,
    looks: Mapping[str, Look] | None = None,
    ax: Axes | None = None,
    **facet: Any,
) -> Axes:
    """Draw the pairs of one criterion that change; one column per algorithm left out.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `stability` of one criterion (`by`), dimension and target.
    left_out : sequence of str, optional
        The columns; by default the algorithms that change a pair.
    most : int
        Of more pairs those that change most often are drawn.
    longest : int
        How many characters the two names of a row have together.
    looks : mapping, optional
        The looks of the algorithms, for their labels.
    """
    axes = axes_level.given(ax, facet)
    if data.empty:
        raise ValueError("there is no row to draw")
    pairs = _changing(data).iloc[:most]
    rows = data.merge(pairs.assign(place=range(len(pairs))), on=_PAIR, how="inner")
    names = sorted({*rows["left_out"]}, key=natural_key) if left_out is None else list(left_out)
    shown = appearance({*data["left_out"], *data["algorithm_a"], *data["algorithm_b"]}) if looks is None else looks
    marked = rows[rows["left_out"].isin(names)]
    for face, some in (("0.15", marked[marked["reversed"]]), ("white", marked[~marked["reversed"]])):
        label = "order reversed" if face == "0.15" else "tie made or broken"
        x = [names.index(name) for name in some["left_out"]]
        axes.plot(x, some["place"], linestyle="none", zorder=3, label=label, gid=label, **_mark(face))
    texts = [_lead(rows, pair, shown, longest) for pair in pairs.itertuples(index=False, name=None)]
    ticks = axes.set_yticks(range(len(texts)), [_in_line(style.text(text)) for text in texts])
    for tick, pair in zip(ticks, pairs.itertuples(index=False), strict=True):
        tick.label1.set_fontweight("bold" if any(shown[name].stands == "front" for name in pair) else "normal")
    axes.set_ylim(len(texts) - 0.4, -0.6)
    axes.set_xlim(-0.5, len(names) - 0.5)
    short = _short(shown, _LONGEST)
    axes.set_xticks(range(len(names)), [style.text(short[name]) for name in names])
    axes.set_xlabel("algorithm left out")
    axes.tick_params(length=0)
    return axes


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what was left out, what orders the pairs, and how many change."""
    parts, names = _rows(tables, settings)
    measure = settings["measures"][0]
    n_pairs = len(names) * (len(names) - 1) // 2
    head = (
        f"Pairs of {display.plural(len(names), 'algorithm')} whose order changes when a third one is left out, measure "
        f"{measures.told(measure)}. Rows: pairs, the leader first; columns: the algorithm left out."
    )
    facts = []
    for group in _groups(tables, settings):
        for by in _BY:
            own = [part for part in parts if part.by == by and part.group == group]
            n_reversed = sum(part.n_reversed for part in own)
            hidden = sum(part.hidden for part in own)
            more = f" ({display.count(hidden)} of them, which change least often, not drawn)" if hidden else ""
            facts.append(f"{_title(group, by, settings)} {display.count(n_reversed)}{more}")
    return f"{head} Pairs that change places, of {display.count(n_pairs)}: {'; '.join(facts)}."


@dataclass(frozen=True)
class _Part:
    """A panel: the pairs of one dimension and target that change their order by one criterion."""

    group: Mapping[str, Any]
    by: str
    rows: pd.DataFrame
    pairs: pd.DataFrame
    hidden: int

    @property
    def changing(self) -> set[str]:
        """Algorithms without which one of the drawn pairs changes."""
        return set(self.rows.merge(self.pairs, on=_PAIR)["left_out"])

    @property
    def n_reversed(self) -> int:
        return len(self.rows.loc[self.rows["reversed"], _PAIR].drop_duplicates())


def _title(group: Mapping[str, Any], by: str, settings: Mapping[str, Any]) -> str:
    name = panels.name_of(group, settings)
    return f"{name}, by {_BY[by]}" if name else f"by {_BY[by]}"


def _groups(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The dimensions and targets of the variant."""
    where = {"measure": settings["measures"][0]["name"], "variant": settings["profiles"][0]["name"]}
    what = f"measure {where['measure']!r}, nested variant {where['variant']!r}"
    waves = panels.some(frames.rows_of(tables["waves"], where), "stability", what)
    return frames.groups(waves, ["dimension", "target"])


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[list[_Part], list[str]]:
    """The panels in which a pair changes, and all algorithms."""
    where = {"measure": settings["measures"][0]["name"], "variant": settings["profiles"][0]["name"]}
    waves = frames.rows_of(tables["waves"], where)
    names = sorted(frames.algorithms(waves), key=natural_key)
    found = []
    for group in _groups(tables, settings):
        rows = frames.rows_of(tables["stability"], {**where, **group})
        found += [(group, by, frames.rows_of(rows, {"by": by})) for by in _BY if (rows["by"] == by).any()]
    return [_part(group, by, rows, max(1, _MOST_PAIRS // len(found))) for group, by, rows in found], names


def _part(group: Mapping[str, Any], by: str, rows: pd.DataFrame, most: int) -> _Part:
    """A panel of the pairs that change places most often, at most so many."""
    changes = _changing(rows)
    return _Part(group, by, rows, changes.iloc[:most], max(len(changes) - most, 0))


def _changing(rows: pd.DataFrame) -> pd.DataFrame:
    """The pairs, those that change places most often first."""
    changes = rows.groupby(_PAIR, observed=True)["reversed"].agg(["sum", "size"]).reset_index()
    return changes.sort_values(["sum", "size", *_PAIR], ascending=[False, False, True, True])[_PAIR]


def _mark(face: str) -> dict[str, Any]:
    """Keywords of a mark."""
    edge = {"markeredgewidth": 0.7, "markeredgecolor": "0.15"}
    return {"marker": "o", "markersize": 4.6, "markerfacecolor": face, **edge}


def _lead(rows: pd.DataFrame, pair: tuple[str, str], looks: Mapping[str, Any], most: int) -> str:
    """`A before B`, or `A with B` where they are tied, with all algorithms; both names have `most` characters together."""
    before = frames.rows_of(rows, dict(zip(_PAIR, pair, strict=True)))["before"].iloc[0]
    lengths = [len(looks[name].label) for name in pair]
    # a short name leaves room to a long one
    a, b = (_short(looks, max(most // 2, most - sum(lengths) + n))[name] for name, n in zip(pair, lengths, strict=True))
    return f"{b} before {a}" if before < 0 else f"{a} before {b}" if before > 0 else f"{a} with {b}"


def _in_line(text: str) -> str:
    """Two names side by side, neither of which is drawn into the other where both run from right to left (`style.text`)."""
    if not text.startswith("\u200e"):
        return text
    return text.replace(" before ", "\u200e before \u200e").replace(" with ", "\u200e with \u200e")


def _short(looks: Mapping[str, Look], most: int) -> dict[str, str]:
    """The labels of algorithms in at most so many characters, no two alike."""
    short = display.short_names((look.label for look in looks.values()), most)
    return {name: short[look.label] for name, look in looks.items()}
