"""Which algorithms stand out in a figure, which have bands and lines, and what its caption says of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmill.core.errors import UserError
from benchmill.text import display
from benchmill.text.appearance import Pen, behind, faded, in_front

#: The most algorithms that are named without being asked for.
MOST_NAMED = 16
#: Of more curves than that only the best so many stand out, unless the study says which.
MOST_HIGHLIGHTED = 10
#: The most algorithms that have a line of their own on a page; of more only the best so many have one.
MOST_LINES, BEST_LINES = 40, 20
#: More bands than this hide each other.
MOST_BANDS = 4


def highlighted(pens: Mapping[str, Pen], order: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Pen]:
    """Return the pens of algorithms, best first, with the highlighted ones before the others.

    `highlight` of the settings has names or a number, `others` is `named` or `grey`; by default few are all named, and of many
    all but the best are grey.
    """
    asked = settings.get("highlight")
    few = len(order) <= MOST_NAMED
    grey = settings.get("others") == "grey" or (settings.get("others") is None and not few)
    wanted = (len(order) if few or not grey else MOST_HIGHLIGHTED) if asked is None else asked
    if isinstance(wanted, int):
        wanted = order[:wanted]
    for name in wanted:
        if name not in pens:
            raise UserError(
                f"appearance.highlight: found {name!r}, expected algorithms of the study ({display.listed(list(pens), 'or')}); "
                "choose among these."
            )
    others = faded if grey else behind
    chosen = [name for name in order if name in wanted]
    first = chosen if asked is not None else []
    found = {name: pens[name] if name in chosen else others(pens[name]) for name in order}
    solid = {(pen.marker, pen.filled) for name, pen in found.items() if name not in first and not pen.dashes}
    for name in first:
        # not solid beside another solid one of the same marker: in grey they would be one
        mark = (pens[name].marker, pens[name].filled)
        found[name] = in_front(pens[name], solid=mark not in solid)
        solid.add(mark)
    return found


def banded(pens: Mapping[str, Pen]) -> set[str]:
    """Return the algorithms whose bands can be told apart: all of few, else those highlighted."""
    seen = {name for name, pen in pens.items() if not pen.faded}
    return seen if len(seen) <= MOST_BANDS else {name for name in seen if pens[name].stands == "front"}


def band_words(pens: Mapping[str, Pen], words: str) -> str:
    """Return what bands are, or that there are too many to be told apart."""
    shown = banded(pens)
    if not shown:
        return "Too many algorithms for bands."
    only = "" if len(shown) == len(pens) else f" of {display.listed([pen.label for name, pen in pens.items() if name in shown])}"
    return f"Bands{only}: {words}"


def with_lines(pens: Mapping[str, Pen]) -> list[str]:
    """Return the algorithms that have a line: of too many the best and the highlighted ones."""
    if len(pens) <= MOST_LINES:
        return list(pens)
    return [name for place, (name, pen) in enumerate(pens.items()) if place < BEST_LINES or pen.stands == "front"]


def line_words(pens: Mapping[str, Pen]) -> str:
    """Say which algorithms have no line; empty where all have one."""
    shown = len(with_lines(pens))
    left = len(pens) - shown
    if not left:
        return ""
    words = f"Shown are the {BEST_LINES} algorithms of the best mean rank{' and those highlighted' * (shown > BEST_LINES)}"
    return f"{words}; the {display.plural(left, 'other counts', 'others count')} in the ranks too."


def highlight_words(pens: Mapping[str, Pen], settings: Mapping[str, Any]) -> str:
    """Say which algorithms stand before or behind others; empty where none does."""
    before = [pen.label for pen in pens.values() if pen.stands == "front"]
    n = sum(pen.faded for pen in pens.values())
    if not n and not before:
        return ""
    if not isinstance(settings.get("highlight"), list | tuple):
        before = [f"the best {display.count(sum(pen.stands in ('front', 'plain') for pen in pens.values()))}"]
    others = f"; thin and grey: {display.plural(n, 'other')}" if n else ""
    return f"Highlighted: {display.listed(before)}{others}."
