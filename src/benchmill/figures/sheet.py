"""One figure of a study: what it shows, found once for the drawing and its caption, and how its panels stand on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.core.errors import UserError
from benchmill.figures import panels, style
from benchmill.figures.pens import highlighted
from benchmill.registry.figures import Kind
from benchmill.text import display, frames, variants
from benchmill.text.appearance import Pen, appearance
from benchmill.text.frames import at

#: Keys and rows of each panel.
Parts = list[tuple[dict[str, Any], pd.DataFrame]]


@dataclass(eq=False)
class Sheet:
    """A figure that is asked for, and what the `select` of its kind finds to show.

    Attributes
    ----------
    tables : mapping
        The tables of the kind as DataFrames; what captions say besides, as it comes.
    settings : mapping
        See `benchmill.figures`.
    rows : pandas.DataFrame
        All rows that are shown.
    parts : list of (keys, rows)
        Those of each panel.
    which : str
        What a caption says behind the number of panels, if not all are shown.
    pens : dict of str to Pen
        The algorithms, best first.
    of : dict
        Keywords of the function `plot` of the kind that follow from the study.
    shared : dict
        Further ones that panels of a page have in common.
    more : list
        Entries of the legend that are of no algorithm.
    """

    kind: Kind
    tables: Mapping[str, Any]
    settings: Mapping[str, Any]
    rows: pd.DataFrame = field(default_factory=pd.DataFrame)
    parts: Parts = field(default_factory=list)
    which: str = ""
    pens: dict[str, Pen] = field(default_factory=dict)
    of: dict[str, Any] = field(default_factory=dict)
    shared: dict[str, Any] = field(default_factory=dict)
    more: list[Any] = field(default_factory=list)

    @property
    def measure(self) -> Mapping[str, Any]:
        """Return the settings of the measure, the first of several."""
        found: Mapping[str, Any] = self.settings.get("measure") or self.settings["measures"][0]
        return found

    def table(self, name: str = "", what: str = "", **where: Any) -> pd.DataFrame:
        """Return rows of a table, by default of the one that the kind draws, of the measure; UserError without one."""
        data = self.tables[name or self.kind.drawn]
        if self.kind.measures != 0:
            where = {"measure": self.measure["name"], **where} if "measure" in data else where
            what = what or f"measure {self.measure['name']!r}"
        return self.some(frames.rows_of(data, where), what)

    def of_profiles(self) -> pd.DataFrame:
        """Return the rows of `profile_measures` of the measures and variants that are asked for."""
        table = self.tables["profile_measures"]
        names = {key: [one["name"] for one in self.settings[key]] for key in ("measures", "profiles")}
        rows = table[table["measure"].isin(names["measures"]) & table["variant"].isin(names["profiles"])]
        return self.some(rows, f"any variant of {display.listed(sorted(names['measures']), 'or')}")

    def some(self, rows: pd.DataFrame, what: str) -> pd.DataFrame:
        """Return rows; UserError without one."""
        if rows.empty:
            raise nothing_to_draw(self.kind.name, what)
        return rows

    def take(self, rows: pd.DataFrame, keys: Sequence[str] | None = None, most: int = 10_000) -> None:
        """Show rows, a panel for each value of the keys, by default those of the kind; of too many a page, or a sample."""
        keys = self.kind.panel if keys is None else keys
        self.rows, found = rows, frames.groups(rows, keys) if keys else [({}, rows)]
        n, page = len(found), self.settings.get("page")
        if page is None:
            self.parts, self.which = panels.sample(found, most), f" of {display.count(n)} (evenly chosen)" if n > most else ""
            return
        pages = max(1, -(-n // most))
        if page > pages:
            raise UserError(f"figures: page: found {page}, expected at most {pages} ({n} panels); choose another one.")
        first, last = (page - 1) * most, min(page * most, n)
        self.parts = found[first:last]
        self.which = f" of {display.count(n)} ({display.count(first + 1)} to {display.count(last)} in their order)" * (n > most)

    def take_one(self, rows: pd.DataFrame, key: str, which: int = -1) -> tuple[pd.DataFrame, Any, list[Any]]:
        """Return the rows of one value of a key, by default that at place `which`, the value, and the others."""
        found = [group[key] for group in frames.keys_of(rows, [key])]
        value = found[which] if found else None
        return frames.rows_of(rows, {key: value}), value, [other for other in found if other != value]

    def known(self, names: Iterable[str] = ()) -> dict[str, Pen]:
        """Return the pens of all algorithms of the study, by name."""
        reported = [name for report in self.tables.get("ingest") or [] for name in report["algorithms"]]
        names = list(names) or frames.names(self.rows)
        return appearance([*reported, *names], self.tables.get("looks"), self.settings)

    def order(self, order: Iterable[str], **settings: Any) -> None:
        """Take algorithms, best first, with their pens."""
        names = list(order)
        self.pens = highlighted(self.known(names), names, {**self.settings, **settings})

    def order_by(self, values: Mapping[str, float]) -> None:
        """Take algorithms by falling values."""
        self.order(panels.order_of(values))

    def heading(self, group: Mapping[str, Any]) -> str:
        """Return what tells a panel from the others, else `all problems`; nothing where it is alone."""
        several = {key for key in ("measure", "variant") if len({other.get(key) for other, _ in self.parts}) > 1}
        words = [display.words(group["measure"])] if "measure" in several else []
        if "variant" in several:
            words.append(next(variants.title(v) for v in self.settings["profiles"] if v["name"] == group["variant"]))
        own = at(group, self.settings, heading=True)
        return ", ".join(filter(None, [*words, own])) or ("all problems" if len(self.parts) > 1 else "")


def nothing_to_draw(kind: str, what: str) -> UserError:
    """Return the error of a figure without rows."""
    return UserError(
        f"figures: {kind}: found no rows for {what}, expected at least one; where no problem has a trial of every algorithm, set "
        "missing: failure for the measure, else check the study's measures and variants."
    )


class Grid(NamedTuple):
    """How the panels of a kind stand on a page.

    `rest` are inches beside the rows of panels, `row` those of a row, by the sheet and the width of a panel. `across` are panels
    side by side, over the width of the text and of a column; `share` names the axes that they have in common. Without `legend`
    algorithms are named in the panels. `x` and `y` name the axes of all, those of the legend if there is one; panels that are not
    `bare` name their own.
    """

    rest: float
    row: Callable[[Sheet, float], float]
    across: tuple[int, int] | None = None
    wide: bool | None = None
    share: str = ""
    legend: bool = False
    x: str = ""
    y: str = ""
    bare: bool = True


def rows_of_names(sheet: Sheet, more: float = 0.42) -> float:
    """Return the inches of a panel with a row for each algorithm."""
    return 0.155 * len(sheet.pens) + more


def lay_out(sheet: Sheet, plot: Callable[..., Any], grid: Grid) -> Figure:
    """Draw each panel by `plot`, under its heading; name the axes and the algorithms once for all."""
    settings, n = sheet.settings, len(sheet.parts)
    with style.rc(settings):
        across = grid.across and grid.across[style.width_of(settings) < 5]
        rows, columns = panels.arrangement(n, settings, across)
        wide = columns > 1 if grid.wide is None else grid.wide
        width = style.width_of(settings, wide)
        below = panels.legend_height(sheet.pens, width, sheet.more) if grid.legend else 0.0
        height = grid.rest + rows * grid.row(sheet, width / columns) + below
        figure = style.new_figure(settings, wide=wide, height=height)
        axes = panels.spread(figure, n, (rows, columns), **{f"share{one}": True for one in grid.share})
        for one, (group, part) in zip(axes, sheet.parts, strict=True):
            plot(part, palette=sheet.pens, ax=one, **sheet.of, **sheet.shared)
            if grid.bare:
                one.set(xlabel="", ylabel="")
            one.set_title(style.text(sheet.heading(group)), loc="left", pad=2)
        if grid.legend:
            panels.legend_below(figure, sheet.pens, grid.x, grid.y, sheet.more)
        elif grid.x:
            figure.supxlabel(style.text(grid.x), fontsize=style.TYPE)
    return figure


class Page(NamedTuple):
    """A page of curves: labels of the axes, and above the names; inches beside the panels, and of a row at least.

    `once` panels have one label of their vertical axes; `begin` is called with the first axes.
    """

    x: str
    y: str
    over: str
    rest: float
    tall: float
    once: bool = False
    begin: Callable[[Axes], Any] = lambda axes: None


def curves_page(
    sheet: Sheet,
    parts: Parts,
    titles: Sequence[str],
    ends: Mapping[str, float],
    draw: Callable[..., Any],
    page: Page,
    **shared: Any,
) -> Figure:
    """Draw panels of curves by `draw(axes, group, rows)`: one with names at the ends of its curves, or many with a legend."""
    settings, pens = sheet.settings, sheet.pens
    shown = {name: pen for name, pen in pens.items() if not pen.faded}
    width = style.width_of(settings)
    with style.rc(settings):
        if len(parts) == 1 and len(shown) <= panels.MOST_BESIDE:
            figure = style.new_figure(settings, wide=True, height=max(2.6, 0.16 * len(shown) + 1.0))
            axes = figure.add_subplot()
            page.begin(axes)
            draw(axes, *parts[0])
            panels.name_ends(axes, {name: (ends[name], pen) for name, pen in shown.items()}, settings, page.over)
            axes.set_xlabel(page.x)
            axes.set_title(style.text(titles[0]), loc="left")
            return figure
        where = panels.arranged([group for group, _ in parts], settings)
        room = width / where.columns
        legend = panels.legend_height(pens, width, sheet.more)
        figure = style.new_figure(settings, wide=True, height=page.rest + where.rows * max(page.tall, room * 0.72) + legend)
        grid = panels.spread(figure, len(parts), (where.rows, where.columns), sharey=True, **shared)
        page.begin(grid[0])
        for place, part, title in zip(where.places, parts, titles, strict=True):
            draw(grid[place], *part)
            grid[place].set(xlabel="", ylabel="" if page.once or place % where.columns else page.y)
            if where.headings is None:
                grid[place].set_title(style.in_lines(title, room), loc="left", pad=2 if page.once else None)
        if where.headings is not None:
            panels.head(grid, where.headings)
        panels.legend_below(figure, pens, page.x, page.y if page.once else "", sheet.more)
    return figure
