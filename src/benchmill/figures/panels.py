"""Panels: looks, names, arrangement, and the legend below."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.figures import frames, scales, style
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


def looks(
    table: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any], order: Sequence[str] | None = None
) -> dict[str, Look]:
    """Return the looks of all algorithms of the study, or those of an order, `highlighted`."""
    known = [name for report in tables.get("ingest") or [] for name in report["algorithms"]]
    found = appearance([*known, *frames.algorithms(table)], tables.get("looks"), settings)
    return found if order is None else highlighted(found, order, settings)


def banded(looks: Mapping[str, Look]) -> set[str]:
    """Return the algorithms whose bands can be told apart."""
    seen = {name for name, look in looks.items() if not look.faded}
    return seen if len(seen) <= MOST_BANDS else {name for name in seen if looks[name].stands == "front"}


def highlighted(looks: Mapping[str, Look], order: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Look]:
    """Return the looks of algorithms, best first, with the highlighted ones before the others.

    `highlight` of the settings has names or a number, `others` is `named` or `grey`; by default few are all named, and of many
    all but the best are grey.
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
    others = faded if grey else behind
    chosen = [name for name in order if name in wanted]
    first = chosen if asked is not None else ()
    return {n: in_front(looks[n]) if n in first else looks[n] if n in chosen else others(looks[n]) for n in order}


def by_name(looks: Mapping[str, Look], settings: Mapping[str, Any]) -> dict[str, Look]:
    """Return looks as `highlighted` where nobody is best."""
    asked = settings.get("highlight")
    named = {"others": "named", "highlight": asked if isinstance(asked, list | tuple) else None}
    return highlighted(looks, list(looks), named)


def ranked(ranks: pd.DataFrame, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    """Return the looks of algorithms by their average ranks."""
    order = ranks.groupby("algorithm", observed=True)["average_rank"].mean().sort_values(kind="stable").index
    return looks(ranks, tables, settings, list(order))


def with_lines(looks: Mapping[str, Look]) -> list[str]:
    """Return the algorithms that have a line: of too many the best and the highlighted ones."""
    if len(looks) <= MOST_LINES:
        return list(looks)
    return [name for place, (name, look) in enumerate(looks.items()) if place < BEST_LINES or look.stands == "front"]


def line_words(looks: Mapping[str, Look]) -> str:
    """Say which algorithms have no line; empty where all have one."""
    shown = set(with_lines(looks))
    left = len(looks) - len(shown)
    if not left:
        return ""
    more = len(shown) > BEST_LINES
    words = f" Shown are the {BEST_LINES} algorithms of the best mean rank{' and those highlighted' if more else ''}"
    return f"{words}; the {display.plural(left, 'other counts', 'others count')} in the ranks too."


def highlight_words(chosen: Mapping[str, Look], settings: Mapping[str, Any]) -> str:
    """Say which algorithms stand before or behind others; empty where none does."""
    before = [look.label for look in chosen.values() if look.stands == "front"]
    n = sum(look.faded for look in chosen.values())
    if not n and not before:
        return ""
    if not isinstance(settings.get("highlight"), list | tuple):
        before = [f"the best {display.count(sum(look.stands in ('front', 'plain') for look in chosen.values()))}"]
    others = f"; thin and grey: {display.plural(n, 'other')}" if n else ""
    return f"Highlighted: {display.listed(before)}{others}."


def deciding(comparisons: pd.DataFrame, method: str | None = None) -> pd.DataFrame:
    """Return the rows of one comparison, by default the first, with its first correction."""
    for column, wanted in (("method", method), ("correction", None)):
        if not comparisons.empty:
            comparisons = frames.rows_of(comparisons, {column: wanted or comparisons[column].iloc[0]})
    return comparisons


def name_of(group: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return the heading of a panel: `5-D, target 10⁻⁸`."""
    forms: dict[str, Callable[[Any], str]] = {
        "group": lambda value: _short(value, 40),
        "problem": lambda value: _short(value, 24),
        "instance": lambda value: f"instance {_short(value, 12)}",
        "stratum": str,
        "dimension": lambda value: f"{value}-D",
        "target": lambda _: target_title(group, settings),
        "at_budget": lambda value: f"budget {display.target(value)}",
    }
    parts = [form(group[key]) for key, form in forms.items() if group.get(key) is not None]
    return ", ".join(parts or ([_short(group["suite"], 24)] if group.get("suite") is not None else []))


def _short(name: str, most: int) -> str:
    return next(iter(display.short_names([name], most).values()))


def heading(group: Mapping[str, Any], groups: Sequence[Any], settings: Mapping[str, Any]) -> str:
    """Return the name of a panel, else `all problems`; nothing where it is alone."""
    return name_of(group, settings) or ("all problems" if len(groups) > 1 else "")


def rows_of_profiles(table: pd.DataFrame, settings: Mapping[str, Any], kind: str) -> pd.DataFrame:
    """Return the rows of the measures and variants that are asked for."""
    measures = {measure["name"] for measure in settings["measures"]}
    profiles = {variant["name"] for variant in settings["profiles"]}
    rows = table[table["measure"].isin(measures) & table["variant"].isin(profiles)]
    return some(rows, kind, f"any variant of {display.listed(sorted(measures), 'or')}")


def title_of(group: Mapping[str, Any], groups: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]) -> str:
    """Return what tells a panel of profiles from the others: measure, variant, dimension, target."""
    parts = [display.words(group["measure"])] if len({g["measure"] for g in groups}) > 1 else []
    if len({g["variant"] for g in groups}) > 1:
        parts.append(next(variants.title(v) for v in settings["profiles"] if v["name"] == group["variant"]))
    return ", ".join(filter(None, [*parts, name_of(group, settings)])) or heading({}, groups, settings)


def arrangement(n: int, settings: Mapping[str, Any], columns: int | None = None) -> tuple[int, int]:
    """Return rows and columns for `n` panels, filled evenly."""
    most = columns or (2 if style.width_of(settings) < 5 else 4)
    rows = math.ceil(n / most)
    return rows, math.ceil(n / rows)


@dataclass(frozen=True)
class Arranged:
    """Places of the panels of a figure, row by row, and headings of rows and columns."""

    rows: int
    columns: int
    places: tuple[int, ...]
    headings: tuple[tuple[str, ...], tuple[str, ...]] | None = None


#: Keys that rows and columns of panels can be of.
_KEYS = ("suite", "group", "problem", "dimension", "target", "at_budget", "stratum")


def arranged(groups: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], columns: int | None = None) -> Arranged:
    """Arrange panels as a table, the longer key across if it fits, where two keys tell them apart; else row by row."""
    values = {key: list(dict.fromkeys(group.get(key) for group in groups)) for key in _KEYS}
    values = {key: found for key, found in values.items() if len(found) > 1}
    n, most = len(groups), 3 if style.width_of(settings) < 5 else 6
    complete = len(values) == 2 and n == math.prod(len(found) for found in values.values())
    fitting = [key for key in sorted(values, key=lambda key: -len(values[key])) if len(values[key]) <= most]
    if not (complete and fitting):
        return Arranged(*arrangement(n, settings, columns), tuple(range(n)))
    down, across = next(key for key in values if key != fitting[0]), fitting[0]
    rows, heads = (tuple(name_of({key: value}, settings) for value in values[key]) for key in (down, across))
    places = [values[down].index(group.get(down)) * len(heads) + values[across].index(group.get(across)) for group in groups]
    return Arranged(len(rows), len(heads), tuple(places), (rows, heads))


def spread(figure: Figure, n: int, shape: tuple[int, int], **shared: Any) -> list[Axes]:
    """Return the axes of `n` panels of a `shape` (rows, columns); places that are left stay empty."""
    axes = list(figure.subplots(*shape, squeeze=False, **shared).flat)
    for one in axes[n:]:
        one.set_axis_off()
    for one in axes[max(n - shape[1], 0) : n] if shared.get("sharex") else ():
        one.tick_params(labelbottom=True)
    return axes[:n]


def sheet(
    n: int,
    settings: Mapping[str, Any],
    columns: int | None = None,
    *,
    rest: float,
    row: float | Callable[[float], float],
    wide: bool | None = None,
    legend: Mapping[str, Look] | None = None,
    **shared: Any,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with `n` panels, and their axes; to be called within `style.rc`.

    Parameters
    ----------
    rest, row : float
        Inches beside the panels, and of a row, which may depend on the width of a panel.
    wide : bool, optional
        By default where panels stand side by side.
    legend : mapping, optional
        What `legend_below` will show.
    """
    rows, columns = arrangement(n, settings, columns)
    wide = columns > 1 if wide is None else wide
    width = style.width_of(settings, wide)
    tall = row(width / columns) if callable(row) else row
    below = legend_height(len(legend), legend.values(), width, settings) if legend else 0.0
    figure = style.new_figure(settings, wide=wide, height=rest + rows * tall + below)
    return figure, spread(figure, n, (rows, columns), **shared)


def fill(
    axes: Sequence[Axes],
    parts: Sequence[tuple[Mapping[str, Any], pd.DataFrame]],
    settings: Mapping[str, Any],
    draw: Callable[..., Any],
    pad: float | None = 2,
) -> None:
    """Draw each part into its panel by `draw(rows, ax=axes)`, under its heading."""
    for one, (group, rows) in zip(axes, parts, strict=True):
        draw(rows, ax=one)
        bare(one)
        one.set_title(style.text(heading(group, parts, settings)), loc="left", pad=pad)


#: What makes a problem of one dimension.
PROBLEM = ("suite", "problem", "instance")


def page(n: int, settings: Mapping[str, Any], looks: Mapping[str, Look], sharey: bool = True) -> tuple[Figure, list[Axes]]:
    """Return a figure of the text's width with `n` panels and room for a legend."""
    columns = 6 if n > 12 and style.width_of(settings) > 5 else None
    tall = lambda width: max(1.0, 0.72 * width)  # noqa: E731
    return sheet(n, settings, columns, rest=0.4, row=tall, wide=True, legend=looks, sharex=True, sharey=sharey)


def one_of(table: pd.DataFrame, column: str, wanted: Any = None, *, which: int = -1) -> tuple[pd.DataFrame, Any, list[Any]]:
    """Return the rows of one value of a key, by default that at place `which`, the value, and the others."""
    found = [group[column] for group in frames.groups(table, [column])]
    value = wanted if wanted is not None else found[which] if found else None
    return frames.rows_of(table, {column: value}), value, [other for other in found if other != value]


#: Keys and rows of each panel.
Parts = list[tuple[dict[str, Any], pd.DataFrame]]


def chosen(data: pd.DataFrame, keys: Sequence[str], most: int, settings: Mapping[str, Any]) -> tuple[Parts, str]:
    """Return the panels that are shown, and what a caption says behind their number, if not all are.

    Of too many these are the `page` that is asked for (UserError if there is none), or a sample.
    """
    found = frames.parts(data, keys)
    n, page = len(found), settings.get("page")
    if page is None:
        return sample(found, most), f" of {display.count(n)} (evenly chosen)" if n > most else ""
    pages = max(1, math.ceil(n / most))
    if page > pages:
        raise UserError(f"figures: page: found {page}, expected at most {pages} ({n} panels); choose another one.")
    first, last = (page - 1) * most, min(page * most, n)
    which = f" of {display.count(n)} ({display.count(first + 1)} to {display.count(last)} in their order)"
    return found[first:last], which if n > most else ""


def sample(items: Sequence[Any], most: int) -> list[Any]:
    """Return so many of the items, spread evenly."""
    if len(items) <= most:
        return list(items)
    return [items[round(i)] for i in np.linspace(0, len(items) - 1, most)]


def order_of(values: Mapping[str, float]) -> list[str]:
    """Order algorithms by falling values, equal ones in natural order."""
    return sorted(values, key=lambda name: (-values[name], natural_key(name)))


def log_axis(axes: Axes, which: str, low: float, high: float, *, most: int = 5) -> None:
    """Make an axis logarithmic, with powers of ten as ticks, or plain numbers where it has no two."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last > first:
        ticks = [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / most)))]
        axis.set_major_formatter(FuncFormatter(lambda v, _: scales.power(v)))
    else:
        ticks = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
        ticks = ticks or [math.sqrt(low * high)]
        axis.set_major_formatter(FuncFormatter(lambda v, _: display.target(float(f"{v:.3g}"))))
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_formatter(NullFormatter())
    # minor ticks would take most of the time of a page of panels
    axis.set_minor_locator(NullLocator())


def left_out(others: Sequence[Any], word: str, form: Any = display.target) -> str:
    """Say in a caption which values of a key are not drawn; empty without any."""
    return f"Not drawn: {word}{'s' * (len(others) > 1)} {display.listed([form(v) for v in others])}." if others else ""


class Page(NamedTuple):
    """A page of curves: labels of the axes, and above the names; inches beside the panels, and of a row at least.

    `small` is the label of the vertical axes of all panels, where these are small; `begin` is called with the first axes.
    """

    x: str
    y: str
    over: str
    rest: float
    tall: float
    small: str = ""
    begin: Callable[[Axes], Any] = lambda axes: None


def curves_page(
    parts: Sequence[tuple[Mapping[str, Any], pd.DataFrame]],
    titles: Sequence[str],
    looks: Mapping[str, Look],
    ends: Mapping[str, float],
    settings: Mapping[str, Any],
    draw: Callable[..., Any],
    page: Page,
    **shared: Any,
) -> Figure:
    """Draw panels of curves by `draw(axes, group, rows)`: one with names at the ends of its curves, or many with a legend."""
    x, y, over, rest, tall, small, begin = page
    named = {name: f"{display.share(ends[name])}  {look.label}" for name, look in looks.items() if not look.faded}
    width = style.width_of(settings)
    with style.rc(settings):
        if len(parts) == 1 and fit_beside(list(named.values()), settings):
            figure = style.new_figure(settings, wide=True, height=max(2.6, 0.16 * len(named) + 1.0))
            axes = figure.add_subplot()
            begin(axes)
            draw(axes, *parts[0])
            style.direct_labels(axes, [(ends[name], words, looks[name]) for name, words in named.items()], settings, over)
            axes.set_xlabel(x)
            axes.set_title(style.text(titles[0]), loc="left")
            return figure
        where = arranged([group for group, _ in parts], settings, 6 if small and width > 5 else None)
        room = width / where.columns
        legend = legend_height(len(named) + 1, looks.values(), width, settings)
        figure = style.new_figure(settings, wide=True, height=rest + where.rows * max(tall, room * 0.72) + legend)
        grid = spread(figure, len(parts), (where.rows, where.columns), sharey=True, **shared)
        begin(grid[0])
        for place, part, title in zip(where.places, parts, titles, strict=True):
            draw(grid[place], *part)
            grid[place].set(xlabel="", ylabel="" if small or place % where.columns else y)
            if where.headings is None:
                grid[place].set_title(style.in_lines(title, room, settings), loc="left", pad=2 if small else None)
        if where.headings is not None:
            _head(grid, where.headings, settings)
        legend_below(figure, looks, settings, x, small)
    return figure


def _head(axes: Sequence[Axes], headings: tuple[Sequence[str], Sequence[str]], settings: Mapping[str, Any]) -> None:
    rows, columns = headings
    figure: Any = axes[0].figure
    width, height = figure.get_size_inches()
    for one, text in zip(axes[: len(columns)], columns, strict=True):
        one.set_title(style.in_lines(text, width / len(columns), settings), loc="left")
    beside: dict[str, Any] = {"xy": (1.02, 0.5), "xycoords": "axes fraction", "rotation": 270, "va": "center", "ha": "left"}
    for one, text in zip(axes[len(columns) - 1 :: len(columns)], rows, strict=True):
        words = style.in_lines(text, 0.7 * height / len(rows), settings)
        one.annotate(words, fontsize=style.points(settings), annotation_clip=False, **beside)


def legend_below(
    figure: Figure,
    looks: Mapping[str, Look],
    settings: Mapping[str, Any],
    x: str = "",
    y: str = "",
    more: Sequence[Any] = (),
) -> None:
    """Draw one legend under all panels, and what their axes show; faded algorithms share an entry, the last before `more`."""
    if y:
        figure.supylabel(style.text(y), fontsize=style.points(settings))
    faint = [look for look in looks.values() if look.faded]
    order = sorted((look for look in looks.values() if not look.faded), key=lambda look: look.stands != "front")
    order += [replace(faint[0], label=display.plural(len(faint), "other"))] if faint else []
    texts = [look.label for look in order] + [str(handle.get_label()) for handle in more]
    rows = math.ceil(len(texts) / _legend_columns(texts, figure.get_size_inches()[0], settings))
    columns = math.ceil(len(texts) / rows)
    handles = [style.line_handle(look) for look in order]
    if more and rows > 1:
        handles += [Line2D([], [], linestyle="none", label=" ")] * (-len(handles) % columns)
    handles += list(more)
    # Matplotlib fills a legend column by column; this order makes it read row by row
    by_row = [handles[i] for column in range(columns) for i in range(column, len(handles), columns)]
    near: dict[str, Any] = {"columnspacing": 1.2, "handletextpad": 0.5, "borderpad": 0.0, "borderaxespad": 0.2}
    legend = figure.legend(handles=by_row, loc="outside lower center", ncols=columns, **near)
    style.stress(legend.get_texts(), order)
    if x:
        legend.set_title(style.text(x), prop=FontProperties(size=style.points(settings)))


def _legend_columns(texts: Sequence[str], width: float, settings: Mapping[str, Any]) -> int:
    longest = max(map(len, texts), default=1)
    return max(1, min(len(texts), int(width * 72 / (style.points(settings) * (0.5 * longest + 4.6)))))


def legend_height(n: int, looks: Iterable[Look], width: float, settings: Mapping[str, Any]) -> float:
    """Return the height in inches of a legend of `n` entries."""
    longest = max((look.label for look in looks), key=len, default=" ")
    return math.ceil(n / _legend_columns([longest] * n, width, settings)) * style.points(settings) * 1.45 / 72 + 0.1


def named_on_both_sides(looks: Mapping[str, Look], width: float, settings: Mapping[str, Any]) -> dict[str, Look]:
    """Return looks with labels that leave a panel between them nearly half of the width (in inches)."""
    short = display.short_names((look.label for look in looks.values()), int(0.28 * width * 72 / (0.5 * style.points(settings))))
    return {name: replace(look, label=short[look.label]) for name, look in looks.items()}


def fit_beside(names: Sequence[str], settings: Mapping[str, Any]) -> bool:
    """Return True if names of curves can stand at their ends."""
    longest = max((len(name) for name in names), default=0)
    return len(names) <= MOST_DIRECT_LABELS and 0.5 * longest * style.points(settings) < 0.4 * style.width_of(settings) * 72


def bare(axes: Axes) -> None:
    """Take the names of the axes off a panel."""
    axes.set(xlabel="", ylabel="")


def of_measure(tables: Mapping[str, Any], settings: Mapping[str, Any], kind: str, table: str, **where: Any) -> pd.DataFrame:
    """Return the rows of a table that are of the measure of the figure; UserError without one."""
    name = (settings.get("measure") or settings["measures"][0])["name"]
    return some(frames.rows_of(tables[table], {"measure": name, **where}), kind, f"measure {name!r}")


def some(rows: pd.DataFrame, kind: str, what: str) -> pd.DataFrame:
    """Return rows; UserError without one."""
    if rows.empty:
        raise nothing_to_draw(kind, what)
    return rows


def nothing_to_draw(kind: str, what: str) -> UserError:
    """Return the error of a figure without rows."""
    return UserError(
        f"figures: {kind}: found no rows for {what}, expected at least one; where no problem has a trial of every algorithm, set "
        "missing: failure for the measure, else check the study's measures and variants."
    )
