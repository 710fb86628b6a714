"""What is borrowed from the inside of Matplotlib, in one place: without these names figures are the same, drawn slower."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends import backend_pdf, backend_svg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.lines import Line2D

#: Tables of a font by which a program chooses and moves characters; in a PDF each character has its place.
_SHAPING = ["BASE", "GDEF", "GPOS", "GSUB", "MATH"]


def settled_labels(axes: Axes) -> Iterator[tuple[Any, str, bool]]:
    """What keeps a drawing from placing labels and titles anew that stay where they are.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        After its layout.

    Yields
    ------
    thing, name, value
        An attribute to set while the figure is drawn; none where this version of Matplotlib has no such attribute.
    """
    for axis in (axes.xaxis, axes.yaxis):
        if not axis.label.get_text() and hasattr(axis, "_autolabelpos"):
            yield axis, "_autolabelpos", False
    titles = [axes.title, *(getattr(axes, name, None) for name in ("_left_title", "_right_title"))]
    # of a title that nothing pushed up
    if hasattr(axes, "_autotitlepos") and all(title is not None and title.get_position()[1] == 1.0 for title in titles):
        yield axes, "_autotitlepos", False


@contextmanager
def svg_paths(decimals: int, shorten: Callable[[str], str]) -> Iterator[None]:
    """For as long as it lasts, paths in SVG have so many decimals (of a point), and are stored as `shorten` makes them.

    It gets a line for each command: its letter and its numbers, each with a space behind it.
    """

    def convert(self: Any, path: Any, transform: Any = None, clip: Any = None, simplify: Any = None, sketch: Any = None) -> str:
        page = (0.0, 0.0, self.width, self.height) if clip else None
        letters = [b"M", b"L", b"Q", b"C", b"z"]
        text = to_string(path, transform, page, simplify, sketch, decimals, letters, False)
        return shorten(text.decode("ascii"))

    to_string: Any = getattr(getattr(matplotlib, "_path", None), "convert_to_string", None)
    with ExitStack() as undo:
        if to_string is not None and hasattr(backend_svg.RendererSVG, "_convert_path"):
            _replace(undo, backend_svg.RendererSVG, "_convert_path", convert)
        yield


def dashes(line: Line2D) -> str:
    """The dashes of a line, the same text for the same ones; where Matplotlib does not tell them, no line's are another's."""
    return repr(getattr(line, "_dash_pattern", id(line)))


@contextmanager
def found_once(figure: Figure) -> Iterator[None]:
    """For as long as it lasts, layout and drawings do not find again what they have found.

    The limits of the axes are final, and so are fonts. Ticks, and the room that their labels take, are found once for each size
    of their axes, not for each label and title that is placed beside them. The tables of a font that shape text are not cut to
    the characters that a PDF needs, but left out.
    """
    with ExitStack() as undo:
        for axes in figure.axes:
            if hasattr(axes, "_unstale_viewLim"):
                axes._unstale_viewLim()
                _replace(undo, axes, "_unstale_viewLim", lambda: None)
            for axis in (axes.xaxis, axes.yaxis):
                if hasattr(axis, "_update_ticks") and hasattr(axis, "_get_ticklabel_bboxes"):
                    _find_once(undo, axis)
        if hasattr(fontManager, "_find_fonts_by_props"):
            _replace(undo, fontManager, "_find_fonts_by_props", cache(fontManager._find_fonts_by_props))
        cut = getattr(getattr(backend_pdf, "_backend_pdf_ps", None), "subset", None)
        if cut is not None and hasattr(cut.Options, "_drop_tables_default"):
            _replace(undo, cut.Options, "_drop_tables_default", [*cut.Options._drop_tables_default, *_SHAPING])
        yield


def _find_once(undo: ExitStack, axis: Axis) -> None:
    """Keep the ticks of an axis, and the boxes of their labels, until its axes have another size."""
    inner: Any = axis
    find, measure = inner._update_ticks, inner._get_ticklabel_bboxes
    kept: dict[str, Any] = {}

    def ticks() -> list[Any]:
        size = (axis.axes.bbox.bounds, *axis.get_view_interval())
        if kept.get("size") != size:
            kept.clear()
            kept.update(size=size, ticks=find())
        return list(kept["ticks"])

    def boxes(of: list[Any], renderer: Any) -> Any:
        if kept.get("renderer") is not renderer or kept["ticks"] != of:
            kept.update(renderer=renderer, boxes=measure(of, renderer))
        return kept["boxes"]

    _replace(undo, axis, "_update_ticks", ticks)
    _replace(undo, axis, "_get_ticklabel_bboxes", boxes)


def _replace(undo: ExitStack, thing: Any, name: str, value: Any) -> None:
    """Give a thing an attribute of its own, and note how to take it away again."""
    own = vars(thing).get(name, undo)
    setattr(thing, name, value)
    undo.callback(*((delattr, thing, name) if own is undo else (setattr, thing, name, own)))
