"""What the figures share about panels: choosing rows, naming, arranging, and the legend below."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D

from benchmill.core.errors import UserError
from benchmill.figures import frames, style
from benchmill.text import display, variants
from benchmill.text.appearance import Look, appearance, behind, faded, in_front
from benchmill.text.frames import target_title

#: The most curves named at their ends; more go into a legend below.
MOST_DIRECT_LABELS = 16
#: Of more curves than that only the best so many stand out, unless the study says which.
MOST_HIGHLIGHTED = 10
#: The most algorithms that have a line of their own on a page; of more only the best so many have one.
MOST_LINES, BEST_LINES = 40, 20
#: More bands than this hide each other.
MOST_BANDS = 8


def looks(table: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    """The look of every algorithm of the study, by its record of looks (`looks` of the tables) and what the study asks for."""
    known = [name for report in tables.get("ingest") or [] for name in report["algorithms"]]
    return appearance([*known, *frames.algorithms(table)], tables.get("looks"), settings)


def banded(looks: Mapping[str, Look]) -> set[str]:
    """The algorithms whose bands can be told apart: those that are not grey; of more than `MOST_BANDS`, those in front alone."""
    seen = {name for name, look in looks.items() if not look.faded}
    return seen if len(seen) <= MOST_BANDS else {name for name in seen if looks[name].stands == "front"}


def highlighted(looks: Mapping[str, Look], order: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Look]:
    """The looks of the algorithms of a figure, of which the highlighted ones stand before the others.

    Where nothing is said of them, the others are named up to `MOST_DIRECT_LABELS` algorithms, each in its thin coloured line; of
    more algorithms they are grey, and the best `MOST_HIGHLIGHTED` look as usual where the study highlights none.

    Parameters
    ----------
    looks : mapping
        Of every algorithm, as by `looks`.
    order : sequence of str
        The algorithms of the figure, best first.
    settings : mapping
        `highlight`: names, or the number of the best; `others`: `named` or `grey`.

    Returns
    -------
    dict
        In the given order.

    Raises
    ------
    UserError
        A name to highlight is of no algorithm of the study.
    """
    asked = settings.get("highlight")
    few = len(order) <= MOST_DIRECT_LABELS
    grey = settings.get("others") == "grey" or (settings.get("others") is None and not few)
    wanted = (len(order) if few or not grey else MOST_HIGHLIGHTED) if asked is None else asked
    if isinstance(wanted, int):
        wanted = order[:wanted]
    for name in wanted:
        if name not in looks:
            raise UserError(
                f"appearance.highlight: found {name!r}, expected algorithms of the study ({display.listed(list(looks), 'or')}); "
                "choose among these."
            )
    before, after = (in_front if asked is not None else _as_it_is), (faded if grey else behind)
    return {name: (before if name in wanted else after)(looks[name]) for name in order}


def by_name(looks: Mapping[str, Look], settings: Mapping[str, Any]) -> dict[str, Look]:
    """As `highlighted`, of a figure in which nobody is best: a number highlights none, and all are named."""
    asked = settings.get("highlight")
    named = {"others": "named", "highlight": asked if isinstance(asked, list | tuple) else None}
    return highlighted(looks, list(looks), named)


def _as_it_is(look: Look) -> Look:
    return look


def ranked(ranks: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    """The looks of the algorithms of a figure with average ranks, some highlighted."""
    order = ranks.groupby("algorithm", observed=True)["average_rank"].mean().sort_values(kind="stable").index
    return highlighted(looks(ranks, tables, settings), list(order), settings)


def with_lines(looks: Mapping[str, Look]) -> list[str]:
    """The algorithms that have a line of their own: all, or of too many the best ones and those that are highlighted.

    Parameters
    ----------
    looks : mapping
        The algorithms of a figure, best first, as `highlighted` gives them.
    """
    if len(looks) <= MOST_LINES:
        return list(looks)
    return [name for place, (name, look) in enumerate(looks.items()) if place < BEST_LINES or look.stands == "front"]


def line_words(looks: Mapping[str, Look]) -> str:
    """The sentence of a caption about algorithms that have no line; empty where all have one."""
    shown = set(with_lines(looks))
    left = len(looks) - len(shown)
    if not left:
        return ""
    more = len(shown) > BEST_LINES
    words = f" Shown are the {BEST_LINES} algorithms of the best mean rank{' and those highlighted' if more else ''}"
    return f"{words}; the {display.plural(left, 'other counts', 'others count')} in the ranks too."


def highlight_words(chosen: Mapping[str, Look], settings: Mapping[str, Any]) -> str:
    """The sentence of a caption about algorithms that stand before or behind others; empty where none does."""
    before = [look.label for look in chosen.values() if look.stands == "front"]
    n = sum(look.faded for look in chosen.values())
    if not n and not before:
        return ""
    if not isinstance(settings.get("highlight"), list | tuple):
        before = [f"the best {display.count(sum(look.stands in ('front', 'plain') for look in chosen.values()))}"]
    others = f"; thin and grey: {display.plural(n, 'other')}" if n else ""
    return f"Highlighted: {display.listed(before)}{others}."


def deciding(comparisons: pd.DataFrame, method: str | None = None) -> pd.DataFrame:
    """The rows of one comparison of all pairs: of the first method of the study unless told, with its first correction."""
    for column, wanted in (("method", method), ("correction", None)):
        if not comparisons.empty:
            comparisons = frames.rows_of(comparisons, {column: wanted or comparisons[column].iloc[0]})
    return comparisons


def compared(tables: Mapping[str, Any], settings: Mapping[str, Any], kind: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of `ranks` and of `comparisons` (see `deciding`) of the measure that a figure of this kind shows.

    Raises
    ------
    UserError
        There are none.
    """
    name = settings["measures"][0]["name"]
    ranks = frames.rows_of(tables["ranks"], {"measure": name})
    pairs = deciding(frames.rows_of(tables["comparisons"], {"measure": name}), settings.get("method"))
    if ranks.empty or pairs.empty:
        raise nothing_to_draw(kind, f"measure {name!r}")
    return ranks, pairs


def name_of(group: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Heading of a panel: `5-D, target 10⁻⁸`, or with the title that the measure gives the target."""
    parts = []
    if group.get("group") is not None:
        parts.append(next(iter(display.short_names([group["group"]], 40).values())))
    if group.get("problem") is not None:
        parts.append(next(iter(display.short_names([group["problem"]], 24).values())))
    if group.get("instance") is not None:
        parts.append(f"instance {next(iter(display.short_names([group['instance']], 12).values()))}")
    if group.get("stratum") is not None:
        parts.append(str(group["stratum"]))
    if group.get("dimension") is not None:
        parts.append(f"{group['dimension']}-D")
    if group.get("target") is not None:
        parts.append(target_title(group, settings))
    if group.get("at_budget") is not None:
        parts.append(f"budget {display.target(group['at_budget'])}")
    if not parts and group.get("suite") is not None:
        parts.append(next(iter(display.short_names([group["suite"]], 24).values())))
    return ", ".join(parts)


def heading(group: Mapping[str, Any], groups: Sequence[Any], settings: Mapping[str, Any]) -> str:
    """What tells a panel from the others (see `name_of`): `all problems` without a name, nothing where the panel is alone."""
    return name_of(group, settings) or ("all problems" if len(groups) > 1 else "")


def rows_of_profiles(table: pd.DataFrame, settings: Mapping[str, Any], kind: str) -> pd.DataFrame:
    """Rows of the measures and variants that a figure is asked to show."""
    measures = {measure["name"] for measure in settings["measures"]}
    profiles = {variant["name"] for variant in settings["profiles"]}
    rows = table[table["measure"].isin(measures) & table["variant"].isin(profiles)]
    return some(rows, kind, f"any variant of {display.listed(sorted(measures), 'or')}")


def title_of(group: Mapping[str, Any], groups: list[dict[str, Any]], settings: Mapping[str, Any]) -> str:
    """What tells a panel from the others: measure, variant, dimension, target."""
    parts = [display.words(group["measure"])] if len({g["measure"] for g in groups}) > 1 else []
    if len({g["variant"] for g in groups}) > 1:
        parts.append(next(variants.title(v) for v in settings["profiles"] if v["name"] == group["variant"]))
    if name_of(group, settings):
        parts.append(name_of(group, settings))
    return ", ".join(parts) or heading({}, groups, settings)


def arrangement(n: int, settings: Mapping[str, Any], columns: int | None = None) -> tuple[int, int]:
    """Rows and columns for `n` panels: as many as fit the text width, filled evenly."""
    most = columns or (2 if style.width_of(settings) < 5 else 4)
    rows = math.ceil(n / most)
    return rows, math.ceil(n / rows)


@dataclass(frozen=True)
class Arranged:
    """Where the panels of a figure stand.

    Attributes
    ----------
    rows, columns : int
    places : tuple of int
        By panel, in the order of the groups: its place in the figure, row by row.
    headings : (tuple of str, tuple of str) or None
        Of the rows and of the columns, where panels are a table of two keys; else each panel has its own title.
    """

    rows: int
    columns: int
    places: tuple[int, ...]
    headings: tuple[tuple[str, ...], tuple[str, ...]] | None = None


#: What rows and columns of panels can be, by the column of the table.
_KEYS = {"suite": "suite", "group": "group", "problem": "problem", "dimension": "dimension", "target": "target"} | {
    "at_budget": "budget",
    "stratum": "stratum",
}


def arranged(groups: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], columns: int | None = None) -> Arranged:
    """Panels as a table where two keys tell them apart and every combination is there; else as many as fit, row by row.

    Parameters
    ----------
    groups : sequence of mapping
        The keys of each panel.
    settings : mapping
        `rows` and `columns` (optional): the keys that are asked for. By default the key with more values goes across, where the
        page is wide enough for that many.
    columns : int, optional
        How many fit side by side where panels are no table.

    Raises
    ------
    UserError
        A key is asked for that does not tell panels apart, or whose panels are no table.
    """
    values = {
        key: list(dict.fromkeys(group.get(column) for group in groups))
        for column, key in _KEYS.items()
        if len({group.get(column) for group in groups}) > 1
    }
    asked = _asked_sides(values, settings)
    n = len(groups)
    if len(values) == 1 and asked:
        return Arranged(*((n, 1) if "rows" in asked else (1, n)), tuple(range(n)))
    complete = len(values) == 2 and n == math.prod(len(found) for found in values.values())
    if asked and not complete:
        raise UserError(
            f"figures: {next(iter(asked))}: panels differ in {display.listed(list(values))} and fill no rows and columns; "
            "choose fewer (dimensions, targets, groups), or leave it out."
        )
    sides = _sides(values, asked, 3 if style.width_of(settings) < 5 else 6) if complete else None
    if sides is None:
        return Arranged(*arrangement(n, settings, columns), tuple(range(n)))
    down, across = sides
    column_of = {key: column for column, key in _KEYS.items()}
    places = tuple(
        values[down].index(group.get(column_of[down])) * len(values[across]) + values[across].index(group.get(column_of[across]))
        for group in groups
    )
    rows, heads = (tuple(name_of({column_of[key]: value}, settings) for value in values[key]) for key in sides)
    return Arranged(len(rows), len(heads), places, (rows, heads))


def _asked_sides(values: Mapping[str, Sequence[Any]], settings: Mapping[str, Any]) -> dict[str, str]:
    """The keys that are asked for as `rows` and `columns`, each of which tells panels apart."""
    asked = {side: settings[side] for side in ("rows", "columns") if settings.get(side)}
    for side, key in asked.items():
        if key not in values or len(set(asked.values())) < len(asked):
            known = display.listed(list(values), "or") or "nothing: there is one panel"
            raise UserError(f"figures: {side}: found {key!r}, but panels are told apart by {known}; name one of these, once.")
    return asked


def _sides(values: Mapping[str, Sequence[Any]], asked: Mapping[str, str], most: int) -> tuple[str, str] | None:
    """Of two keys that of the rows and that of the columns; None where neither fits across and none is asked for.

    Without a wish the key with more values goes across, where no more than `most` have room there.
    """
    first, second = values
    if asked:
        across = asked.get("columns") or (second if asked["rows"] == first else first)
    else:
        longer, shorter = (first, second) if len(values[first]) >= len(values[second]) else (second, first)
        across = longer if len(values[longer]) <= most else shorter
        if len(values[across]) > most:
            return None
    return (second if across == first else first), across


def spread(figure: Figure, n: int, shape: tuple[int, int], **shared: Any) -> list[Axes]:
    """The axes of `n` panels, row by row; the places that are left stay empty, and what has nothing below it has ticks.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    **shared
        `sharex` and `sharey`, as for `Figure.subplots`.
    """
    axes = list(figure.subplots(*shape, squeeze=False, **shared).flat)
    for one in axes[n:]:
        one.set_axis_off()
    for one in axes[max(n - shape[1], 0) : n] if shared.get("sharex") else ():
        one.tick_params(labelbottom=True)
    return axes[:n]


def head(axes: Sequence[Axes], where: Arranged, settings: Mapping[str, Any]) -> None:
    """Write the headings above the columns and beside the rows of panels, each once."""
    if where.headings is None:
        return
    rows, columns = where.headings
    figure: Any = axes[0].figure
    width, height = figure.get_size_inches()
    per_em = 72 / (0.55 * style.points(settings))
    for one, text in zip(axes[: where.columns], columns, strict=True):
        lines = textwrap.wrap(text, max(8, int(width / where.columns * per_em))) or [""]
        one.set_title("\n".join(style.text(line) for line in lines), loc="left")
    for one, text in zip(axes[where.columns - 1 :: where.columns], rows, strict=True):
        lines = textwrap.wrap(text, max(8, int(0.7 * height / where.rows * per_em))) or [""]
        words = "\n".join(style.text(line) for line in lines)
        beside: dict[str, Any] = {"xy": (1.02, 0.5), "xycoords": "axes fraction", "rotation": 270, "va": "center", "ha": "left"}
        one.annotate(words, fontsize=style.points(settings), annotation_clip=False, **beside)


def legend_below(
    figure: Figure, order: Sequence[Look], settings: Mapping[str, Any], axis_label: str = "", more: Sequence[Any] = ()
) -> None:
    """One legend under all panels, in the given order, as wide as the figure allows; above it the label of the panels' axis.

    Faded algorithms share one entry, the last but for the handles `more`.
    """
    named = [look for look in order if not look.faded]
    order = sorted(named, key=lambda look: look.stands != "front") + _others(order)
    texts = [look.label for look in order] + [str(handle.get_label()) for handle in more]
    size = style.points(settings)
    longest = max((len(t) for t in texts), default=1)
    columns = max(1, min(len(texts), int(figure.get_size_inches()[0] * 72 / (size * (0.5 * longest + 4.6)))))
    rows = math.ceil(len(texts) / columns)
    columns = math.ceil(len(texts) / rows)
    handles = [style.line_handle(look) for look in order]
    if more and rows > 1:
        handles += [Line2D([], [], linestyle="none", label=" ")] * (-len(handles) % columns)
    handles += list(more)
    near: dict[str, Any] = {"columnspacing": 1.2, "handletextpad": 0.5, "borderpad": 0.0, "borderaxespad": 0.2}
    legend = figure.legend(handles=_by_row(handles, columns), loc="outside lower center", ncols=columns, **near)
    style.stress(legend.get_texts(), order)
    if axis_label:
        legend.set_title(axis_label, prop=FontProperties(size=style.points(settings)))


def named_on_both_sides(looks: Mapping[str, Look], width: float, settings: Mapping[str, Any]) -> dict[str, Look]:
    """The looks with labels so short that names left and right of a panel leave it nearly half of the width (in inches)."""
    short = display.short_names((look.label for look in looks.values()), int(0.28 * width * 72 / (0.5 * style.points(settings))))
    return {name: replace(look, label=short[look.label]) for name, look in looks.items()}


def fit_beside(names: Sequence[str], settings: Mapping[str, Any], wide: bool = True) -> bool:
    """Whether names of curves stand at their ends: not too many, and short enough to leave most of the width to the panel."""
    longest = max((len(name) for name in names), default=0)
    room = 0.4 * style.width_of(settings, wide) * 72
    return len(names) <= MOST_DIRECT_LABELS and 0.5 * longest * style.points(settings) < room


def legend_height(n: int, looks: Iterable[Look], width: float, settings: Mapping[str, Any]) -> float:
    """Height in inches that `legend_below` takes with `n` entries, none of them longer than the labels of these looks."""
    size, longest = style.points(settings), max((len(look.label) for look in looks), default=1)
    columns = max(1, min(n, int(width * 72 / (size * (0.5 * longest + 4.6)))))
    return math.ceil(n / columns) * size * 1.45 / 72 + 0.1


def _others(order: Sequence[Look]) -> list[Look]:
    """The entry of all faded algorithms together."""
    faint = [look for look in order if look.faded]
    return [replace(faint[0], label=display.plural(len(faint), "other"))] if faint else []


def _by_row(handles: list[Any], columns: int) -> list[Any]:
    """Matplotlib fills a legend column by column; this order makes it read row by row."""
    return [handles[i] for column in range(columns) for i in range(column, len(handles), columns)]


def bare(axes: Axes) -> None:
    """Take the names of the axes off a panel, which the figure writes once for all panels."""
    axes.set(xlabel="", ylabel="")


def some(rows: pd.DataFrame, kind: str, what: str) -> pd.DataFrame:
    """The rows of a figure, of which there has to be one."""
    if rows.empty:
        raise nothing_to_draw(kind, what)
    return rows


def nothing_to_draw(kind: str, what: str) -> UserError:
    """The error of a figure without rows."""
    return UserError(
        f"figures: {kind}: found no rows for {what}, expected at least one; where no problem has a trial of every algorithm, set "
        "missing: failure for the measure, else check the study's measures and variants."
    )
