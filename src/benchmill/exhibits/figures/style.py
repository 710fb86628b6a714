"""Sizes, fonts and files of the figures: the same bytes on every run."""

import io
import textwrap
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib

# found by name when a figure is stored
import matplotlib.backends.backend_pdf
import matplotlib.backends.backend_svg
import numpy as np
import seaborn
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation, blended_transform_factory
from scipy.optimize import isotonic_regression

from benchmill.core import UserError, beside, shown
from benchmill.core.whole_file import whole_file
from benchmill.text import display, labels, widths
from benchmill.text.appearance import USUAL, Appearance, Pen

#: Keywords of Matplotlib.
Drawn = dict[str, Any]

#: What Matplotlib is told; `null` is not in TOML.
_SETTINGS: dict[Any, Any] = {**beside.toml(__file__), "legend.title_fontsize": None}
#: How wide the line of an algorithm is against a plain one (in front it is darker, not wider), how high it and its marker lie,
#: and how much of the colour a bar has.
STANDS = _SETTINGS.pop("stands")
#: Size of all type in print, in points, but for raised digits.
TYPE: float = _SETTINGS["font.size"]
#: Names in crowded rows are written smaller, down to this size; where that is not enough fewer are shown.
SMALLEST = 6.0
#: Inches of the lowest panel in which something can be seen.
_LEAST = 0.5

_DPI = _SETTINGS["figure.dpi"]

#: Formats of every figure; `png` beside them on request.
FORMATS = ("pdf", "svg")

#: They ship with matplotlib, so that figures are the same on every machine: a Times, and a font with more scripts.
_BUNDLED = ("STIXGeneral", "DejaVu Sans")

#: Looks of the figures that are still in use, and the inches that they would be high: ticks and layout are made only when a
#: figure is stored.
_DRAWN_WITH: WeakKeyDictionary[Figure, tuple[Appearance, float]] = WeakKeyDictionary()


def rc(look: Appearance) -> Any:
    """Return the context in which a figure is drawn, whatever matplotlibrc says."""
    theme = {**seaborn.axes_style("ticks"), **seaborn.plotting_context("paper")}
    base: dict[Any, Any] = {
        k: v for k, v in matplotlib.rcParamsDefault.items() if k not in ("backend", "backend_fallback", "interactive", "toolbar")
    }
    return matplotlib.rc_context({**base, **theme, **_SETTINGS, "font.family": fonts(look)})


def fonts(look: Appearance) -> list[str]:
    """Return families of the type, first choice first; `font: paper` puts an installed one of the paper first."""
    bundled = list(_BUNDLED)
    if look.font == "bundled":
        return bundled
    installed = {entry.name for entry in fontManager.ttflist if entry.fname.lower().endswith(".ttf")}
    return [name for name in widths.preset(look.paper)["fonts"] if name in installed][:1] + bundled


def font_files(look: Appearance) -> list[str]:
    """Return the files of the type."""
    return [findfont(name) for name in fonts(look)]


def width_of(look: Appearance, wide: bool = True) -> float:
    """Return the width of a figure in inches, as wide as the text or a column by default."""
    asked = look.width or ("text" if wide else "column")
    return widths.of(look.paper, asked) if asked in ("column", "text") else widths.inches(asked)


def new_figure(look: Appearance, wide: bool, height: float, asked: str | None = None) -> Figure:
    """Return an empty figure, `height` inches high unless a length is `asked` for."""
    usual = min(height, widths.of(look.paper, "height"))
    figure = Figure(figsize=(width_of(look, wide), widths.inches(asked) if asked else usual), layout="constrained")
    _DRAWN_WITH[figure] = look, usual
    FigureCanvasAgg(figure)
    return figure


def blank(look: Appearance, words: str, asked: str | None) -> Figure:
    """Return a figure that says why there is nothing to draw."""
    with rc(look):
        figure = new_figure(look, False, 0.6, asked)
        figure.text(0.5, 0.5, words, ha="center", va="center")
    return figure


def check_height(figure: Figure, kind: str, asked: str) -> None:
    """Raise UserError if the height that is `asked` for leaves no room for panels and for the names of their rows."""
    look, usual = _DRAWN_WITH[figure]
    with rc(look), warnings.catch_warnings(record=True) as none_left:
        warnings.filterwarnings("always", "constrained_layout not applied")
        figure.draw_without_rendering()
    inches = 0.0 if none_left else figure.get_size_inches()[1]
    for axes in (axes for axes in figure.axes if axes.axison):
        height = axes.get_position().height * inches
        names = [label for label in axes.get_yticklabels() if label.get_visible() and label.get_text()]
        names += [label for label in axes.texts if str(label.get_gid()).startswith("name-")]
        if height < _LEAST or len(names) * 0.8 * TYPE > height * 72:
            raise UserError(
                f"figures: {kind}: height: found {asked}, which leaves no room for panels and names; expected more, "
                f"about {2.54 * usual:.0f}cm; leave height out, show less, or write shorter labels."
            )


def save(figure: Figure, stem: str | Path, formats: Iterable[str] = FORMATS) -> list[Path]:
    """Write a figure as `<stem>.<format>`, each file complete or not at all, and return the paths.

    The bytes depend on the figure only: no date, no version of any program, fixed ids, TrueType fonts. A UserError says
    which format there is not.
    """
    metadata: dict[str, dict[str, Any]] = {
        "pdf": {"Creator": "benchmill", "Producer": None, "CreationDate": None},
        "svg": {"Creator": None, "Date": None, "Format": None, "Type": None},
        "png": {"Software": None},
    }
    formats = list(formats)
    if unknown := [kind for kind in formats if kind not in metadata]:
        raise UserError(f"figures: formats: found {unknown[0]!r}, expected pdf, svg or png; choose one of these.")
    paths = [Path(f"{stem}.{kind}") for kind in formats]
    with rc(_DRAWN_WITH.get(figure, (USUAL, 0.0))[0]):
        # placed once: the layout costs as much as all the drawing, and every format shall have the same one
        if engine := figure.get_layout_engine():
            engine.execute(figure)
        figure.set_layout_engine(None)
        # nobody looks for the place of a label that is not there
        for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) if not axis.get_label_text()):
            axis.set_label_coords(0, 0)
        for kind, path in zip(formats, paths, strict=True):
            with whole_file(path) as part:
                figure.savefig(part, format=kind, dpi=_DPI if kind == "png" else 72, metadata=metadata[kind])
    return paths


def png(figure: Figure) -> bytes:
    """Return a figure as PNG."""
    stored = io.BytesIO()
    with rc(_DRAWN_WITH.get(figure, (USUAL, 0.0))[0]):
        figure.savefig(stored, format="png", dpi=_DPI, metadata={"Software": None})
    return stored.getvalue()


@cache
def _glyphs() -> tuple[Any, ...]:
    return tuple(get_font(findfont(FontProperties(family=name))) for name in _BUNDLED)


def text(name: str) -> str:
    """Return a text for a figure: never mathematics, and code points (`[U+1F600]`) for empty boxes.

    A script from right to left begins with a mark (U+200E), so that its parts stand from left to right.
    """
    letters = [
        c if any(font.get_char_index(ord(c)) for font in _glyphs()) else f"[U+{ord(c):04X}]"
        for c in unicodedata.normalize("NFC", shown(name))
    ]
    right = any(unicodedata.bidirectional(c) in ("R", "AL") for c in letters if len(c) == 1)
    return ("\u200e" if right else "") + labels.figure("".join(letters))


def in_lines(words: str, width: float) -> str:
    """Return a heading in lines that fit a width in inches."""
    most = max(8, int(width * 72 / (0.55 * TYPE)))
    # a word that is longer than a line begins one
    whole = textwrap.wrap(words, most, break_on_hyphens=False, break_long_words=False)
    return "\n".join(text(line) for one in whole for line in textwrap.wrap(one, most, break_on_hyphens=False))


def line_style(pen: Pen, width: float | None = None) -> Drawn:
    """Return keywords of the line of an algorithm, in points."""
    wider, height, _, _ = STANDS[pen.stands]
    usual = matplotlib.rcParams["lines.linewidth"] if width is None else width
    return {"color": pen.colour, "linestyle": pen.linestyle, "linewidth": wider * usual, "zorder": height}


def marker_style(pen: Pen, size: float = 4.2) -> Drawn:
    """Return keywords of the marker of an algorithm, edged so that it stays visible on lines."""
    larger = size * (1.25 if pen.marker in "*PX" else 1.0) * {"front": 1.15, "back": 0.9}.get(pen.stands, 1.0)
    return {
        "zorder": STANDS[pen.stands][2],
        "marker": "none" if pen.faded else pen.marker,
        "markersize": larger,
        "markerfacecolor": pen.colour if pen.filled else "white",
        "markeredgecolor": pen.colour,
        "markeredgewidth": 0.7,
    }


def weight(pen: Pen) -> str:
    """Return the weight in which an algorithm is named."""
    return "bold" if pen.stands == "front" else "normal"


def stress(texts: Iterable[Text], pens: Iterable[Pen]) -> None:
    """Write the names of highlighted algorithms in bold."""
    before = {text(pen.label) for pen in pens if pen.stands == "front"}
    for one in texts:
        if one.get_text() in before:
            one.set_fontweight("bold")


def name_rows(axes: Axes, pens: Sequence[Pen]) -> None:
    """Name the rows of a panel, the first on top."""
    axes.set_yticks(range(len(pens)), [text(pen.label) for pen in pens])
    stress(axes.get_yticklabels(), pens)
    axes.set_ylim(len(pens) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


def name_ends(axes: Axes, ends: Sequence[tuple[float, Pen]], look: Appearance, title: str) -> None:
    """Name curves to the right of the axes, next to their `ends` (height, pen), without overlap.

    Below a title stand the heights too; one that several share is written once.
    """
    room = 0.36 * width_of(look) * 72 / (0.5 * TYPE) - 8
    short = display.short_names([pen.label for _, pen in ends], max(8, int(room)))
    height = axes.get_figure().get_size_inches()[1] * 72 * 0.72  # type: ignore[union-attr]
    low, high = axes.get_ylim()
    ranked = sorted(enumerate(ends), key=lambda item: -item[1][0])
    heights = [(y - low) / (high - low) for _, (y, _) in ranked]
    places = spread(heights, min(1.3 * TYPE / height, 1.0 / max(len(ends), 1)), 0.0, 0.97)
    # so many inches to the right of the axes, and a share of their height
    edge: Any = axes.transAxes
    beside = axes.figure.dpi_scale_trans + ScaledTranslation(1, 0, edge)
    anchor: Drawn = {
        "xycoords": (beside, "axes fraction"),
        "va": "center",
        "ha": "left",
        "fontsize": TYPE,
        "annotation_clip": False,
    }
    free: Drawn = {"transform": blended_transform_factory(beside, axes.transAxes), "clip_on": False}
    values = [display.share(y) if title else "" for _, (y, _) in ranked]
    names = 0.36 + (0.5 * max(map(len, values), default=0) + 0.5) * TYPE / 72 if any(values) else 0.34
    for place, y, (i, (_, pen)), value, before in zip(places, heights, ranked, values, ["", *values[:-1]], strict=True):
        axes.plot([0.0, 0.04, 0.14, 0.17], [y, y, place, place], lw=0.5, color=pen.colour, **free)
        axes.plot([0.24], [place], **marker_style(pen, 4.0), **free)
        if value != before:
            axes.annotate(value, (0.34, place), fontweight=weight(pen), **anchor)
        axes.annotate(text(short[pen.label]), (names, place), fontweight=weight(pen), **anchor).set_gid(
            f"name-{axes.figure.axes.index(axes)}-{i}"
        )
    if title:
        top = min(1.06, max(places, default=1.0) + 1.5 * TYPE / height)
        axes.annotate(title, (0.34, top), **{**anchor, "color": "0.35"})


def spread(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Return places at least `step` apart within [low, high], as near as possible to the wanted ones, which must fall.

    Without room the lower end gives way.
    """
    below = step * np.arange(len(wanted))
    tops = isotonic_regression(np.asarray(wanted, float) + below, increasing=False).x if len(wanted) else below
    places: list[float] = (np.minimum(np.maximum(tops, low + below.max(initial=0.0)), high) - below).tolist()
    return places
