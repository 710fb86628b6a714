"""Which pairs of algorithms change their order when a third one is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmill import display, labels
from benchmill.figures import panels, profile, style

_BY = {"rho_1": "wins ρ(1)", "auc": "area under the Dolan–Moré profile", "nested_auc": "area under the nested profile"}
#: More pairs than this have no room: those that change most often are drawn, and the caption says so.
_MOST_PAIRS = 40


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a criterion: a row for each pair whose order depends on others, a column for each algorithm left out.

    A filled mark: without that algorithm the pair changes places (Gould and Scott 2016 warned of it). A hollow mark: a tie is
    made or broken.

    Parameters
    ----------
    tables : mapping
        `stability`, and `waves`, which names all algorithms.
    settings : mapping
        `measures` and `profiles`: the settings of one measure and one nested variant; `width`: see the package.
    """
    rows, names = _rows(tables, settings)
    looks = panels.looks(tables["waves"], tables)
    kinds = [by for by in _BY if by in set(rows["by"].to_pylist())]
    pairs = {by: _pairs(rows, by)[0] for by in kinds}
    with style.rc(settings):
        size = style.points(settings) - 1
        if not kinds:
            figure = style.new_figure(settings, wide=False, height=0.8)
            axes = figure.add_subplot()
            axes.set_axis_off()
            axes.annotate(
                "no pair changes its order", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center", color="0.35"
            )
            return figure
        line = 1.5 * size / 72
        heads = max(len(looks[name].label) for name in names) * size * 0.52 / 72
        width = style.text_width(settings)
        heights = [len(pairs[by]) * line + 0.25 for by in kinds]
        figure = style.new_figure(settings, wide=True, height=min(sum(heights) + heads + 0.45, 9.2))
        grid = figure.subplots(len(kinds), 1, squeeze=False, sharex=True, height_ratios=heights)
        most = max(16, int(0.42 * width * 72 / (0.5 * size)))
        for axes, by in zip(grid.flat, kinds, strict=True):
            mine = panels.rows_of(rows, {"by": by}).to_pylist()
            place = {pair: i for i, pair in enumerate(pairs[by])}
            for row in mine:
                pair = (row["algorithm_a"], row["algorithm_b"])
                if pair in place:
                    axes.plot(
                        [names.index(row["left_out"])],
                        [place[pair]],
                        marker="o",
                        markersize=4.6,
                        markerfacecolor="0.15" if row["reversed"] else "white",
                        markeredgecolor="0.15",
                        markeredgewidth=0.7,
                        linestyle="none",
                        zorder=3,
                    )
            texts = [_lead(mine, pair, looks, (most - 8) // 2) for pair in pairs[by]]
            axes.set_yticks(range(len(texts)), [style.text(text) for text in texts])
            axes.set_ylim(len(texts) - 0.5, -0.5)
            axes.set_xlim(-0.5, len(names) - 0.5)
            axes.tick_params(length=0)
            axes.set_title(f"by {_BY[by]}", loc="left")
        bottom = list(grid.flat)[-1]
        bottom.set_xticks(
            range(len(names)), [style.text(_shorter(looks[name].label, 24)) for name in names], rotation=90, fontsize=size
        )
        bottom.set_xlabel("algorithm left out")
        handles = [
            Line2D([], [], linestyle="none", marker="o", markersize=4.6, markeredgewidth=0.7, markeredgecolor="0.15",
                   markerfacecolor=face, label=text)
            for face, text in (("0.15", "order reversed"), ("white", "tie made or broken"))
        ]  # fmt: skip
        figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what was left out, what orders the pairs, and how many change."""
    rows, names = _rows(tables, settings)
    measure = settings["measures"][0]
    n_pairs = len(names) * (len(names) - 1) // 2
    head = (
        f"Stability of the order of {display.plural(len(names), 'algorithm')} for the measure "
        f"{display.words(measure['name'])}{profile.measure_words(measure)} when one of them is left out and all ratios are made "
        "again. Of a pair, the algorithm that is ahead with all algorithms stands first; a filled mark means that without the "
        "algorithm of the column the pair changes places, a hollow one that a tie is made or broken."
    )
    facts = []
    for by in _BY:
        mine = panels.rows_of(rows, {"by": by}).to_pylist()
        reversed_pairs = {(r["algorithm_a"], r["algorithm_b"]) for r in mine if r["reversed"]}
        drawn, hidden = _pairs(rows, by)
        more = f" ({display.count(hidden)} pairs that change least often are not drawn)" if hidden and drawn else ""
        facts.append(f"by {_BY[by]} {display.count(len(reversed_pairs))}{more}")
    return f"{head} Pairs that change places, of {display.count(n_pairs)}: {'; '.join(facts)}."


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[pa.Table, list[str]]:
    """Rows of the part that is drawn (the last dimension and target, the hardest), and all algorithms."""
    where = {"measure": settings["measures"][0]["name"], "variant": settings["profiles"][0]["name"]}
    waves = panels.rows_of(tables["waves"], where)
    if not waves.num_rows:
        raise panels.nothing_to_draw("stability", f"measure {where['measure']!r}, nested variant {where['variant']!r}")
    group = panels.groups(waves, ["dimension", "target"])[-1]
    names = sorted(panels.rows_of(waves, group)["algorithm"].unique().to_pylist(), key=labels.natural_key)
    return panels.rows_of(tables["stability"], {**where, **group}), names


def _pairs(rows: pa.Table, by: str) -> tuple[list[tuple[str, str]], int]:
    """Pairs that change, those that change places most often first; and how many are left for want of room."""
    score: dict[tuple[str, str], list[int]] = {}
    for row in panels.rows_of(rows, {"by": by}).to_pylist():
        found = score.setdefault((row["algorithm_a"], row["algorithm_b"]), [0, 0])
        found[0] += row["reversed"]
        found[1] += 1
    order = sorted(score, key=lambda pair: (-score[pair][0], -score[pair][1], *map(labels.natural_key, pair)))
    return order[:_MOST_PAIRS], max(0, len(order) - _MOST_PAIRS)


def _lead(rows: list[dict[str, Any]], pair: tuple[str, str], looks: Mapping[str, Any], most: int) -> str:
    """`A before B`, or `A with B` where they are tied, with all algorithms."""
    before = next(row["before"] for row in rows if (row["algorithm_a"], row["algorithm_b"]) == pair)
    a, b = (_shorter(looks[name].label, most) for name in pair)
    return f"{b} before {a}" if before < 0 else f"{a} before {b}" if before > 0 else f"{a} with {b}"


def _shorter(text: str, most: int) -> str:
    """The text with its middle left out where it is longer."""
    return text if len(text) <= most else f"{text[: (most - 1) * 2 // 3].rstrip()}…{text[-((most - 1) // 3) :].lstrip()}"
