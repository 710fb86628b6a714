"""Panels of a page: their arrangement, which algorithms stand out in them, and how these are labelled beside and below them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D

from benchmill.core import UserError, natural_key
from benchmill.core.names import meant
from benchmill.exhibits.figures import style
from benchmill.text import display, prose
from benchmill.text.appearance import Appearance, Pens, faded, in_front

#: The most curves named at their ends; more go into a legend below.
MOST_BESIDE = 16
#: What makes a problem of one dimension.
PROBLEM = ("suite", "problem", "instance")


def arrangement(n: int, look: Appearance, columns: int | None) -> tuple[int, int]:
    """Return rows and columns for `n` panels, filled evenly."""
    most = columns or (2 if style.width_of(look) < 5 else 6 if n > 12 else 4)
    rows = math.ceil(n / most)
    return rows, math.ceil(n / rows)


def spread(figure: Figure, n: int, shape: tuple[int, int], share: str = "") -> list[Axes]:
    """Return the axes of `n` panels of a `shape` (rows, columns); places that are left stay empty.

    Of axes that panels `share` (`x`, `y`) only the outer ones have numbers. Each panel sets its own limits: axes that Matplotlib
    shares ask all others whenever they are asked for theirs.
    """
    axes = list(figure.subplots(*shape, squeeze=False).flat)
    for i, one in enumerate(axes):
        one.tick_params(
            which="both",
            labelbottom=i + shape[1] >= n or "x" not in share,
            labelleft=i % shape[1] == 0 or "y" not in share,
        )
    for one in axes[n:]:
        one.set_axis_off()
    return axes[:n]


def order_of(values: Mapping[str, float]) -> list[str]:
    """Order algorithms by falling values, equal ones in natural order."""
    return sorted(values, key=lambda name: (-values[name], natural_key(name)))


class Legend:
    """Entries of algorithms, those in front first and the grey ones as one, then others: below panels, or in place of one."""

    def __init__(self, pens: Pens, width: float, more: Sequence[Any] = ()) -> None:
        faint = [pen for pen in pens.values() if pen.faded]
        self.pens = sorted((pen for pen in pens.values() if not pen.faded), key=lambda pen: pen.stands != "front")
        self.pens += [replace(faint[0], label=display.plural(len(faint), "other"))] if faint else []
        self.more = list(more)
        self.texts = [pen.label for pen in self.pens] + [str(handle.get_label()) for handle in more]
        n = len(self.texts)
        shapes = [(math.ceil(len(self._in_rows(i)) / i), i) for i in range(2, n + 1) if self._width(i) < width]
        # as few rows as there can be, evenly filled
        self.rows, self.columns = min(shapes, default=(n, 1))

    @property
    def height(self) -> float:
        """Return the inches that it takes below the panels."""
        return self.rows * style.TYPE * 1.45 / 72 + 0.1

    def fits(self, width: float, height: float) -> bool:
        """Return True if it has room in this many inches, as one column."""
        return len(self.texts) * 1.45 * (style.TYPE / 72) < height and self._width(1) < width

    def _width(self, columns: int) -> float:
        """Return the width in inches of a number of columns, each as wide as its longest entry."""
        entries = [str(one.get_label()) for one in self._in_rows(columns)]
        longest = [max(map(len, entries[i::columns])) for i in range(columns)]
        return sum(0.5 * n + 4.6 for n in longest) * style.TYPE / 72

    def _in_rows(self, columns: int) -> list[Any]:
        """Return the entries row by row; those that are of no algorithm begin a row."""
        handles = [
            Line2D([], [], **(style.marker_style(pen) | style.line_style(pen)), label=style.text(pen.label)) for pen in self.pens
        ]
        gap = -len(handles) % columns if self.more and columns < len(self.texts) else 0
        return [*handles, *[Line2D([], [], linestyle="none", label=" ")] * gap, *self.more]

    def handles(self, columns: int) -> list[Any]:
        """Return the entries in an order that reads row by row: Matplotlib fills a legend column by column."""
        rows = self._in_rows(columns)
        return [one for column in range(columns) for one in rows[column::columns]]


def legend_below(figure: Figure, pens: Pens, x: str = "", y: str = "", more: Sequence[Any] = ()) -> None:
    """Draw one legend under all panels, or in the place of one that is not there; and name the axes of all."""
    if y:
        figure.supylabel(style.text(y), fontsize=style.TYPE)
    width, height = figure.get_size_inches()
    legend = Legend(pens, width, more)
    near: style.Drawn = {"columnspacing": 1.2, "handletextpad": 0.5, "borderpad": 0.0, "borderaxespad": 0.2}
    free = [axes for axes in figure.axes if not axes.axison]
    spec = free[0].get_subplotspec() if free else None
    rows, columns = spec.get_gridspec().get_geometry() if spec else (1, 1)
    if spec and legend.rows > 1 and legend.fits(width / columns, 0.75 * height / rows):
        drawn = free[0].legend(handles=legend.handles(1), loc="center left", **near)
        figure.supxlabel(style.text(x), fontsize=style.TYPE)
    else:
        drawn = figure.legend(handles=legend.handles(legend.columns), loc="outside lower center", ncols=legend.columns, **near)
        if x:
            drawn.set_title(style.in_lines(x, width), prop=FontProperties(size=style.TYPE))
    style.stress(drawn.get_texts(), legend.pens)


def shortened(pens: Pens, width: float) -> Pens:
    """Return pens with labels that fit a width in inches."""
    short = display.short_names((pen.label for pen in pens.values()), int(width * 72 / (0.5 * style.TYPE)))
    return {name: replace(pen, label=short[pen.label]) for name, pen in pens.items()}


#: The most algorithms that are named without being asked for.
MOST_NAMED = 16
#: Of more curves than that only the best so many stand out, unless the study says which.
MOST_HIGHLIGHTED = 10
#: The most algorithms that have a row of their own on a page, or a line in a panel of it; of more only the best so many have one.
MOST_ROWS, MOST_LINES, BEST_LINES = 40, 24, 20
#: More bands than this hide each other.
MOST_BANDS = 4


def highlighted(pens: Pens, order: Sequence[str], look: Appearance, leader: str = "") -> Pens:
    """Return the pens of algorithms, best first, with the highlighted ones before the others.

    By default few are all named, and of many all but the best and the `leader`, who may be another by other criteria, are grey.
    """
    asked = look.highlight
    few = len(order) <= MOST_NAMED
    grey = look.others == "grey" or (look.others is None and not few)
    usual = MOST_HIGHLIGHTED if grey and not few else len(order)
    wanted = usual if asked is None else asked
    names = list(order[:wanted] if isinstance(wanted, int) else wanted)
    if asked is None and leader in order[len(names) :]:
        names[-1] = leader
    for name in names:
        if not meant(name, pens):
            raise UserError(
                f"appearance.highlight: found {name!r}, expected algorithms of the study ({display.listed(list(pens), 'or')}); "
                "choose among these."
            )
    chosen = [name for name in order if any(name in meant(one, pens) for one in names)]
    first = chosen if asked is not None else []
    result = {
        name: pen if name in chosen else faded(pen) if grey else replace(pen, stands="back")
        for name, pen in ((name, pens[name]) for name in order)
    }
    solid = {(pen.marker, pen.filled) for name, pen in result.items() if name not in first and not pen.dashes}
    for name in first:
        # not solid beside another solid one of the same marker: in grey they would be one
        mark = (pens[name].marker, pens[name].filled)
        result[name] = in_front(pens[name], solid=mark not in solid)
        solid.add(mark)
    return result


def banded(pens: Pens) -> set[str]:
    """Return the algorithms whose bands can be told apart: all of few, else those highlighted."""
    seen = {name for name, pen in pens.items() if not pen.faded}
    return seen if len(seen) <= MOST_BANDS else {name for name in seen if pens[name].stands == "front"}


def band_words(pens: Pens, words: str, bands: str = "Bands", lines: str = "algorithms") -> str:
    """Return what bands (or whiskers) are, or that there are too many lines to tell them apart."""
    wide = banded(pens)
    shown = [] if len(wide) == len(pens) else [pen.label for name, pen in pens.items() if name in wide]
    return prose.said(__file__, "Bands", wide=wide, shown=shown, words=words, bands=bands, lines=lines)


def with_lines(
    pens: Pens,
    most: int = MOST_LINES,
    best: str = "algorithms of the best mean rank",
    others: tuple[str, str] = ("other counts in the ranks too", "others count in the ranks too"),
) -> tuple[Pens, str]:
    """Return the algorithms that have a line, of too many the best and the highlighted ones; and what is said of the others."""
    room = len(pens) if len(pens) <= most else BEST_LINES
    shown = {name: pen for place, (name, pen) in enumerate(pens.items()) if place < room or pen.stands == "front"}
    facts = {"room": room, "best": best, "more": len(shown) > room, "left": len(pens) - len(shown), "others": others}
    return shown, prose.said(__file__, "With lines", **facts)


def highlight_words(pens: Pens, look: Appearance) -> str:
    """Say which algorithms are drawn before or behind others; empty if none is."""
    before = [pen.label for pen in pens.values() if pen.stands == "front"]
    # the virtual best solver, which has no marker, is none of them
    seen = [pen.label if pen.stands in ("front", "plain") else "" for pen in pens.values() if pen.marker != "None"]
    best = [*seen, ""].index("")
    return prose.said(
        __file__,
        "Highlighted",
        before=before,
        grey=sum(pen.faded for pen in pens.values()),
        named=isinstance(look.highlight, list | tuple),
        best=best,
        further=[label for label in seen[best:] if label],
    )
