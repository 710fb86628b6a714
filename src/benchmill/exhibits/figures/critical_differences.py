"""Critical-difference diagram: average ranks on a line, bars over algorithms that are not shown to differ."""

import math
from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmill.exhibits.figures import axes_level, options, panels, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, lay_out
from benchmill.text import display, frames

#: Of more groups of algorithms that are not shown to differ than this many a panel has no bars.
_MOST_GROUPS = 40
#: Inches above the bars and names: title, axis and critical difference.
_HEAD = 0.58

#: What a study can set.
Options = options.Method


def select(sheet: Sheet) -> None:
    """Take a panel per target or budget (and stratum)."""
    sheet.rows = sheet.table("ranks")
    sheet.order(sheet.rows.groupby("algorithm", observed=True)["average_rank"].mean().sort_values(kind="stable").index)
    sheet.pens, words = panels.with_lines(sheet.pens)
    shown = list(sheet.pens)
    sheet.take(sheet.rows[sheet.rows["algorithm"].isin(shown)], frames.POINT)
    sheet.sample_words = words
    method = sheet.own(Options).method
    pairs = sheet.found("comparisons")
    pairs = _deciding(pairs if method is None else sheet.some(pairs, f"method {method!r}"), method)
    sheet.keywords = {"pairs": pairs[pairs["algorithm_a"].isin(shown) & pairs["algorithm_b"].isin(shown)]}
    sheet.parts = [
        (
            {
                **point,
                "title": f"{sheet.heading(point)}{'' if _rejects(sheet, point) else ' (no test of all rejects)'}".strip(),
            },
            rows,
        )
        for point, rows in sheet.parts
    ]


def draw(sheet: Sheet) -> Figure:
    """Draw algorithms at their average ranks (Demšar 2006, Figure 1).

    A bar joins a largest group of which no two differ significantly; dots mark its members.
    """
    columns = 2 if len(sheet.parts) > 2 and style.width_of(sheet.look) > 5 else 1
    wide = columns == 2 or len(sheet.pens) > 16
    parts = [(rows, _pairs_of(sheet, point)) for point, rows in sheet.parts]
    tall = max([0.9, *(height(*part, style.TYPE) for part in parts)])
    # headings stand above critical differences
    pad = 4 if all(_ruled(*part) is None for part in parts) else 1.9 * style.TYPE
    grid = Grid(0.0, lambda *_: tall, across=(columns, 1), wide=wide, bare=False, pad=pad)
    short = panels.shortened(sheet.pens, 0.36 * style.width_of(sheet.look, wide) / columns)
    sheet.shared = {"tall": tall}
    return lay_out(sheet, plot, grid, pens=short)


@axes_level.drawing()
def plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    pairs: Frame,
    method: str | None = None,
    tall: float | None = None,
) -> None:
    """Draw the diagram of one target or budget.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `ranks` of one target or budget (and stratum): `algorithm`, `average_rank`.
    tall : float, optional
        Height in inches of the axes and what stands above them; by default what the names need.
    """
    pairs = frames.rows_of(_deciding(pairs, method), frames.keys_of(data, frames.POINT)[0])
    size = axes_level.points()
    tall = tall or max(axes.get_window_extent().height / axes.figure.dpi + _HEAD, height(data, pairs, size))
    rank = _ranks(data)
    order, levels, half = list(rank), _levels(rank, pairs), math.ceil(len(rank) / 2)
    line, low, high = 1.3 * size / 72, rank[order[0]], rank[order[-1]]
    pad = 0.04 * (high - low) or 0.5
    axes.set(xlim=(low - pad, high + pad), ylim=(tall - _HEAD, 0))
    axes.xaxis.tick_top()
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    axes.tick_params(axis="x", labelsize=size)
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines[["left", "bottom", "right"]].set_visible(False)
    axes.spines["top"].set_visible(True)
    dots: style.Drawn = {"linestyle": "none", "marker": "o", "ms": 2.6, "mfc": "white", "mec": "0.25", "mew": 0.6}
    for number, members in enumerate(levels):
        y = 0.07 + 0.07 * number
        for group in members:
            at = [rank[name] for name in group]
            axes.plot([at[0], at[-1]], [y, y], color="0.25", lw=2.0, solid_capstyle="butt", gid="group")
            axes.plot(at, [y] * len(at), **dots, gid="members")
    below = 0.07 + 0.07 * len(levels) + 0.06
    text: style.Drawn = {"fontsize": size, "va": "center", "annotation_clip": False}
    beside: style.Drawn = {**text, "xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    for names, end, aligned, away in ((order[:half], 0, "right", -3), (order[: half - 1 : -1], 1, "left", 3)):
        for place, name in enumerate(names):
            y, pen = below + line * (place + 0.3), pens[name]
            drawn: style.Drawn = {"color": pen.colour, "lw": 1.0 if pen.stands == "front" else 0.6, "clip_on": False}
            axes.plot([rank[name], rank[name], axes.get_xlim()[end]], [0, y, y], gid="rank", **drawn)
            axes.plot([rank[name]], [0], clip_on=False, **axes_level.point(pen, 3.4))
            axes.annotate(style.text(pen.label), (end, y), (away, 0), ha=aligned, fontweight=style.weight(pen), **beside)
    msd = _ruled(data, pairs)
    if msd is not None:
        start = high + pad - msd
        y = 1 + 0.26 / max(tall - _HEAD, 0.1)
        ends = {"arrowstyle": "|-|,widthA=0.25,widthB=0.25", "lw": 0.8}
        frame = ("data", "axes fraction")
        axes.annotate("", (start, y), xytext=(start + msd, y), xycoords=frame, textcoords=frame, arrowprops=ends)
        axes.annotate(f"MSD {display.number(msd)}", (start, y), (-4, 0), frame, "offset points", ha="right", **text)


def height(ranks: Frame, pairs: Frame, size: float) -> float:
    """Return the inches that a diagram takes, with its axis."""
    rank = _ranks(ranks)
    return math.ceil(len(rank) / 2) * (1.3 * size / 72) + 0.07 * len(_levels(rank, pairs)) + 0.68


def _ruled(ranks: Frame, pairs: Frame) -> float | None:
    """Return the MSD that is drawn above the axis; None if it is too long."""
    span = float(ranks["average_rank"].max() - ranks["average_rank"].min())
    msds = frames.rows_of(pairs, {"scale": "average rank"})["msd"]
    msd = float(msds.max())
    # pairs may differ in it, or have none
    common = msds.notna().all() and math.isfinite(msd) and msd - msds.min() <= 1e-9 * msd
    return msd if common and msd < 1.08 * span + (0.0 if span else 1.0) else None


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    pairs, points = sheet.keywords["pairs"], sheet.parts
    first = None if pairs.empty else pairs.iloc[0]
    return sheet.told(
        n=sheet.table()["algorithm"].nunique(),
        clusters=frames.only(pairs, "n_clusters"),
        first=first,
        crowded=any(_groups_of(_ranks(rows), _pairs_of(sheet, point)) is None for point, rows in points),
        silent=sum(not _rejects(sheet, point) for point, _ in points),
    )


def _deciding(comparisons: Frame, method: str | None = None) -> Frame:
    """Return the rows of one comparison, by default the first, with its first correction."""
    for column, wanted in (("method", method), ("correction", None)):
        if not comparisons.empty:
            comparisons = frames.rows_of(comparisons, {column: wanted or comparisons[column].iloc[0]})
    return comparisons


def _rejects(sheet: Sheet, point: frames.Row) -> bool:
    rows = sheet.found("tests", **_keys(point))
    return bool(rows["significant"].any()) or rows.empty


def _pairs_of(sheet: Sheet, point: frames.Row) -> Frame:
    return frames.rows_of(sheet.keywords["pairs"], _keys(point))


def _keys(point: frames.Row) -> frames.Row:
    return {key: point[key] for key in frames.POINT}


def _groups_of(rank: Mapping[str, float], pairs: Frame) -> list[tuple[str, ...]] | None:
    """Return the largest groups in which no two differ (Bron and Kerbosch 1973, with pivots); None if they are too many."""
    place = {name: i for i, name in enumerate(rank)}
    alike: dict[str, set[str]] = {name: set() for name in rank}
    for a, b in pairs.loc[~pairs["significant"], ["algorithm_a", "algorithm_b"]].itertuples(index=False):
        alike[a].add(b)
        alike[b].add(a)
    cliques: list[tuple[str, ...]] = []

    def grow(chosen: set[str], possible: set[str], seen: set[str]) -> bool:
        if not possible and not seen:
            cliques.extend([tuple(sorted(chosen, key=place.__getitem__))] if len(chosen) > 1 else [])
            return len(cliques) <= _MOST_GROUPS
        pivot = max(possible | seen, key=lambda name: (len(alike[name] & possible), -place[name]))
        for name in sorted(possible - alike[pivot], key=place.__getitem__):
            if not grow(chosen | {name}, possible & alike[name], seen & alike[name]):
                return False
            possible, seen = possible - {name}, seen | {name}
        return True

    return sorted(cliques, key=lambda group: [place[name] for name in group]) if grow(set(), set(rank), set()) else None


def _levels(rank: Mapping[str, float], pairs: Frame) -> list[list[tuple[str, ...]]]:
    """Spread bars over as few levels as keep them apart: bars that touch would read as one."""
    gap = 0.02 * (max(rank.values()) - min(rank.values()))
    levels: list[list[tuple[str, ...]]] = []
    for group in _groups_of(rank, pairs) or []:
        level = next((level for level in levels if rank[level[-1][-1]] + gap < rank[group[0]]), None)
        if level is None:
            levels.append(level := [])
        level.append(group)
    return levels


def _ranks(rows: Frame) -> dict[str, float]:
    """Return the average rank of each algorithm, the best first."""
    rows = rows.sort_values(["average_rank", "algorithm"])
    return dict(zip(rows["algorithm"], rows["average_rank"], strict=True))
