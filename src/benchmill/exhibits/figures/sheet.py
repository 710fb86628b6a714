"""One figure of a study: what it shows, found once for the drawing and its caption, and how its panels are laid out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from benchmill.core import UserError
from benchmill.exhibits.figures import options, panels, style
from benchmill.registry.figures import Kind
from benchmill.text import display, frames, prose, widths
from benchmill.text.appearance import Appearance, appearance
from benchmill.text.appearance import Pens as Pens
from benchmill.text.measures import UNKNOWN, Measure
from benchmill.text.settings import Settings
from benchmill.text.variants import Profile

#: Rows of a table.
Frame: TypeAlias = pd.DataFrame
#: Keys and rows of each panel.
Parts = list[tuple[dict[str, Any], Frame]]

#: Letters of the names in a heading, by their keys.
_ROOM = {"suite": 24, "group": 40, "problem": 24, "instance": 12}

#: How many times as many rows of panels as have their full height may share a page.
_CROWDED = 1.15

OptionsT = TypeVar("OptionsT")


@dataclass(eq=False)
class Sheet:
    """A figure that is asked for, and what the `select` of its kind finds to show.

    Attributes
    ----------
    tables : mapping
        The tables of the kind as DataFrames; what captions say besides, as it comes.
    options : options.Asked
        What is asked of it: the options of the kind.
    look : Appearance
        How it looks.
    about : Settings
        What it is of.
    rows : pandas.DataFrame
        All rows that are shown.
    parts : list of (keys, rows)
        Those of each panel.
    sample_words : str
        What a caption says behind the number of panels, if not all are shown.
    fitted_words : str
        What it says where more panels are shown than fit a page.
    pens : dict of str to Pen
        The algorithms, best first.
    keywords : dict
        Keywords of the function `plot` of the kind that follow from the study.
    shared : dict
        Further ones that panels of a page have in common.
    other_entries : list
        Entries of the legend that are of no algorithm.
    grid : Grid, optional
        How panels stand on a page, where that is not always the `GRID` of the kind.
    nothing : str
        Why there is nothing to draw, where that is no mistake.
    single : dict
        By key of which one value is drawn this value, and the others.
    short_names : dict
        By key the names in headings as they are shown: cut together, so that no two become the same.
    """

    kind: Kind
    tables: frames.Data
    options: options.Asked
    look: Appearance
    about: Settings
    rows: Frame = field(default_factory=pd.DataFrame)
    parts: Parts = field(default_factory=list)
    sample_words: str = ""
    fitted_words: str = ""
    pens: Pens = field(default_factory=dict)
    keywords: style.Drawn = field(default_factory=dict)
    shared: style.Drawn = field(default_factory=dict)
    other_entries: list[Any] = field(default_factory=list)
    grid: "Grid | None" = None
    nothing: str = ""
    single: dict[str, tuple[Any, list[Any]]] = field(default_factory=dict)
    short_names: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def measures(self) -> Sequence[Measure]:
        """Return the measures."""
        return self.about.measures

    @property
    def measure(self) -> Measure:
        """Return the measure, the first of several."""
        return self.about.measure

    @property
    def variants(self) -> Sequence[Profile]:
        """Return the profiles."""
        return self.about.profiles

    @property
    def cell(self) -> str:
        """Return what counts once in a panel of profiles: a problem, or a pair of it and one of several targets or budgets."""
        return "problem" if any("target" in one.by for one in self.variants) else self.measure.cell

    def own(self, kind: type[OptionsT]) -> OptionsT:
        """Return what is asked of the figure, as the options of its kind."""
        assert isinstance(self.options, kind)
        return self.options

    def table(self, name: str = "", what: str = "", **where: Any) -> Frame:
        """Return rows of a table, by default of the one that the kind draws, of the measure; UserError without one."""
        return self.some(self.found(name or self.kind.drawn, **where), what or f"measure {self.measure.name!r}")

    def found(self, name: str, **where: Any) -> Frame:
        """Return the same, empty where there are none or the table is not there."""
        data = self.tables.get(name)
        if data is None:
            return pd.DataFrame()
        of_measure = {"measure": self.measure.name} if self.kind.measures != 0 and "measure" in data else {}
        return frames.rows_of(data, of_measure | where)

    def of_profiles(self, table: str = "profile_measures") -> Frame:
        """Return the rows of the measures and variants that are asked for, both in that order."""
        rows = self.tables[table]
        names = {"measure": [one.name for one in self.measures], "variant": [one.name for one in self.variants]}
        rows = self.some(
            rows[rows["measure"].isin(names["measure"]) & rows["variant"].isin(names["variant"])],
            f"any variant of {display.listed(sorted(names['measure']), 'or')}",
        )
        return rows.assign(
            **{key: pd.Categorical(rows[key].astype(str), categories, ordered=True) for key, categories in names.items()}
        )

    def some(self, rows: Frame, what: str) -> Frame:
        """Return rows; UserError without one."""
        if rows.empty:
            raise nothing_to_draw(self.kind.name, what)
        return rows

    def take(self, rows: Frame, keys: Sequence[str] | None = None, most: int = 10_000) -> None:
        """Show rows, a panel for each value of the keys, by default those of the kind; of too many a page, or a sample."""
        keys = self.kind.panel if keys is None else keys
        self.rows, parts = rows, frames.groups(rows, keys) if keys else [({}, rows)]
        self.short_names = {
            key: display.short_names(rows[key].dropna().astype(str).unique(), room) for key, room in _ROOM.items() if key in rows
        }
        n, page = len(parts), getattr(self.options, "page", None)
        pages = max(1, -(-n // most))
        if page is None:
            chosen, how = [round(i) for i in np.linspace(0, n - 1, min(n, most))], "evenly chosen"
        elif page > pages:
            raise UserError(
                f"figures: {self.kind.name}: page: found {page}, expected at most {pages} ({n} panels of these data); choose "
                "another one."
            )
        else:
            chosen = [*range((page - 1) * most, min(page * most, n))]
            how = f"{display.count(chosen[0] + 1)} to {display.count(chosen[-1] + 1)} in their order"
        self.parts = [parts[i] for i in chosen]
        self.sample_words = f" of {display.count(n)} ({how})" if n > most else ""

    def take_one(self, rows: Frame, key: str, which: int = -1) -> Frame:
        """Return the rows of one value of a key, by default that at the last place."""
        values = [group[key] for group in frames.keys_of(rows, [key])]
        value = values[which]
        self.single[key] = value, [other for other in values if other != value]
        return frames.rows_of(rows, {key: value})

    def not_drawn(self) -> str:
        """Say in a caption what is left out of keys of which one value is drawn; empty where nothing is."""
        left_out = frames.chosen_words({f"{key.removeprefix('at_')}s": others for key, (_, others) in self.single.items()})
        return f"Not drawn: {left_out}." if left_out else ""

    def known(self, names: Iterable[str] = ()) -> Pens:
        """Return the pens of all algorithms of the study, by name."""
        return appearance(
            [*frames.algorithms(self.tables), *(list(names) or frames.names(self.rows))], self.tables.get("pens"), self.look
        )

    def order(self, order: Iterable[str], look: Appearance | None = None, leader: str = "") -> None:
        """Take algorithms, best first, with their pens; those that stand out by a `look` of their own, and the leader."""
        names = list(order)
        self.pens = panels.highlighted(self.known(names), names, look or self.look, leader)

    def order_by(self, values: pd.Series) -> None:
        """Take algorithms by falling values."""
        self.order(panels.order_of(values.to_dict()))

    def cut(self, kept: Sequence[str] = ()) -> None:
        """Give, of more algorithms than have room for a row each, the best ones a row; keep the pens of some others."""
        shown, self.fitted_words = panels.with_lines(
            self.pens, panels.MOST_ROWS, "best algorithms", ("other is not drawn", "others are not drawn")
        )
        self.pens = shown | {name: self.pens[name] for name in kept}
        self.parts = [(group, rows[rows["algorithm"].isin(list(shown))]) for group, rows in self.parts]

    def told(self, part: str = "", **facts: Any) -> list[str]:
        """Return the sentences of the template beside the module of the kind, or of a part, filled in also by functions below."""
        shared = (counted, frames.only, per_row, span, trial_words)
        known: style.Drawn = {function.__name__: function for function in shared}
        known |= {"band_words": partial(panels.band_words, self.pens), "sheet": self, "rows": self.rows}
        return prose.sentences(str(self.kind.load().__file__), part, **known, **facts)

    @property
    def algorithms(self) -> str:
        """Return `8 algorithms`."""
        return display.plural(self.rows["algorithm"].nunique(), "algorithm")

    @property
    def in_panels(self) -> str:
        """Return ` in 4 panels of 24 (evenly chosen)`; empty where there is but one."""
        n = len(self.parts)
        return f" in {display.plural(n, 'panel')}{self.sample_words}" if n > 1 or self.sample_words else ""

    @property
    def in_dimension(self) -> str:
        """Return ` in dimension 5` where one is drawn of several; empty where problems have none."""
        dimension, _ = self.single.get("dimension", (None, []))
        return "" if dimension is None else f" in dimension {dimension}"

    def heading(self, group: frames.Row) -> str:
        """Return its `title`, or what tells a panel from the others, else `all problems`; nothing where it is alone."""
        if "title" in group:
            return str(group["title"])
        several = {key for key in ("suite", "measure", "variant") if len({other.get(key) for other, _ in self.parts}) > 1}
        words = [self.about.called(group["measure"])] if "measure" in several else []
        if "variant" in several:
            words.append(next(one.called for one in self.variants if one.name == group["variant"]))
        named = {
            key: self.short_names[key].get(value, value) if key in self.short_names else value for key, value in group.items()
        }
        suite = named.get("suite") if len(self.parts) > 1 else None
        own = ", ".join(filter(None, [*words, frames.heading(named, *self.measures)])) or suite
        if "suite" in several and own != suite:
            return f"{suite}: {own}"
        return own or ("all problems" if len(self.parts) > 1 else "")


def nothing_to_draw(kind: str, what: str) -> UserError:
    """Return the error of a figure without rows."""
    return UserError(
        f"figures: {kind}: found no rows for {what}, expected at least one; where no problem has a trial of every algorithm, set "
        "missing: failure for the measure; with one algorithm there is nothing to compare; else check the "
        "study's measures and variants."
    )


class Grid(NamedTuple):
    """Layout of the panels of a kind on a page.

    `rest` are inches beside the rows of panels, `row` those of a row, by the sheet and the width of a panel. `across` are panels
    side by side, over the width of the text and of a column; `share` names the axes that they have in common. Without `legend`
    algorithms are named in the panels. `x` and `y` name the axes of all, those of the legend if there is one; panels that are not
    `bare` name their own. Headings stand `pad` points above. A panel that is alone has the algorithms at the `ends` of its curves
    below the head `over`, if these are given, and they are few.
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
    over: str = ""
    pad: float = 2.0
    ends: Mapping[str, float] | None = None


def rows_of_names(sheet: Sheet, more: float = 0.42) -> float:
    """Return the inches of a panel with a row for each algorithm."""
    return 0.155 * len(sheet.pens) + more


def lay_out(sheet: Sheet, plot: Callable[..., Any], grid: Grid, pens: Pens | None = None) -> Figure:
    """Draw each panel by `plot`, under its heading; name the axes and the algorithms once for all, by default by their pens.

    Of more rows of panels than a page has room for, some are drawn, evenly chosen.
    """
    look, n, pens = sheet.look, len(sheet.parts), pens or sheet.pens
    shown = {name: pen for name, pen in pens.items() if not pen.faded}
    beside = grid.ends is not None and n == 1 and len(shown) <= panels.MOST_BESIDE
    with style.rc(look):
        rows, columns = panels.arrangement(n, look, grid.across and grid.across[style.width_of(look) < 5])
        wide = columns > 1 if grid.wide is None else grid.wide
        width = style.width_of(look, wide)
        most = int(_CROWDED * (widths.of(look.paper, "height") - grid.rest) / grid.row(sheet, width / columns))
        if rows > max(most, 1) and not sheet.options.height:
            kept = {round(i) for i in np.linspace(0, rows - 1, max(most, 1))}
            sheet.parts, rows = [part for i, part in enumerate(sheet.parts) if i // columns in kept], len(kept)
            sheet.fitted_words = display.joined(
                sheet.fitted_words, f"{display.count(len(sheet.parts))} of {display.count(n)} panels are drawn, evenly chosen."
            )
        headings = [style.in_lines(sheet.heading(group), width / columns) for group, _ in sheet.parts]
        row = grid.row(sheet, width / columns) + 1.2 * style.TYPE / 72 * max(heading.count("\n") for heading in headings)
        named = pens if grid.legend and not beside else {}
        below = panels.Legend(named, width, sheet.other_entries).height if named or sheet.other_entries else 0.0
        height = max(grid.rest + rows * row + below, max(2.6, 0.16 * len(shown) + 1.0) if beside else 0.0)
        figure = style.new_figure(look, wide, height, sheet.options.height)
        axes = panels.spread(figure, len(sheet.parts), (rows, columns), grid.share)
        for one, heading, (_, part) in zip(axes, headings, sheet.parts, strict=True):
            plot(part, palette=pens, ax=one, **sheet.keywords, **sheet.shared)
            if grid.bare and not beside:
                one.set(xlabel="", ylabel="")
            # a line above bare panels has nothing to avoid, and nothing is looked for whenever they are drawn
            one.set_title(heading, loc="left", pad=grid.pad, y=1.0 if grid.bare and "\n" not in heading else None)
        if beside and grid.ends is not None:
            style.name_ends(axes[0], [(grid.ends[name], pen) for name, pen in shown.items()], look, grid.over)
            if grid.x:
                axes[0].set_xlabel(grid.x)
        elif named or sheet.other_entries:
            panels.legend_below(figure, named, grid.x, grid.y, sheet.other_entries)
        elif grid.x:
            figure.supxlabel(style.text(grid.x), fontsize=style.TYPE)
    return figure


def span(values: Sequence[Any], form: Any = display.count) -> str:
    """Return `3`, or `3 to 7`, of sorted values."""
    if not values:
        return "no"
    return form(values[0]) if len(values) == 1 else f"{form(values[0])} to {form(values[-1])}"


def counted(values: Sequence[Any], word: str) -> str:
    """Return `1 problem`, or `3 to 7 problems`, of sorted counts."""
    return f"{span(values)} {word if list(values) == [1] else word + 's'}"


def per_row(data: Frame, column: str, word: str) -> str:
    """Return the same of a column of counts."""
    return counted(frames.only(data, column), word)


def trial_words(tables: frames.Data, measure: Measure = UNKNOWN) -> str:
    """Say which trials are missing or left out; empty without any, or without ingest reports."""
    reports = tables.get("ingest") or []
    missing = sum(report["trials"].get("missing") or 0 for report in reports)
    return prose.said(__file__, missing=missing, measure=measure, chosen=reports and (measure.dimensions or measure.exclude))
