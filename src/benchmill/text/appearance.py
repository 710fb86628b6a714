"""The colour, line and marker of each algorithm: the same in every figure, whichever other algorithms come and go.

Algorithms are told apart by colour, line style and marker at once; neighbours differ in all three, and colours that share a line
style are far apart in lightness, so that a figure can be read in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.text.display import listed, short_names

#: Dark and light take turns. Based on the palettes of Okabe and Ito (2008, "Color Universal Design")
#: and Paul Tol ("Colour Schemes", technical note SRON/EPS/TN/09-002), darkened where a thin line on
#: white paper would be lost.
PALETTE = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "black": "#000000",
    "green": "#009E73",
    "wine": "#882255",
    "sky": "#56B4E9",
    "vermilion": "#D55E00",
    "pink": "#CC79A7",
}
COLOURS = tuple(PALETTE.values())

#: On-off lengths in line widths; () is a solid line.
STYLES: dict[str, tuple[float, ...]] = {
    "solid": (),
    "dashed": (5, 1.6),
    "dotted": (1.2, 1.4),
    "dash-dot": (7, 1.6, 1.2, 1.6),
    "dash-dot-dot": (3, 1.4, 1.2, 1.4, 1.2, 1.4),
}
DASHES = tuple(STYLES.values())

#: What is drawn of an algorithm that is not shown for itself.
FADED = "#BBBBBB"

MARKERS = ("o", "s", "^", "D", "v", "X", "P", "<", "*", ">", "h", "p", "d")


@dataclass(frozen=True)
class Look:
    """How one algorithm is drawn: `#rrggbb`, on-off lengths of its line, matplotlib's marker, and its name as it is shown.

    `stands` is `plain`; `front`: thick, solid, first in the legend; `back`: thin, in its own colour; or `faded`: thin, grey,
    unnamed.
    """

    colour: str
    dashes: tuple[float, ...]
    marker: str
    filled: bool
    label: str
    stands: Literal["plain", "front", "back", "faded"] = "plain"

    @property
    def faded(self) -> bool:
        """Return True if the algorithm is one of the grey ones."""
        return self.stands == "faded"

    @property
    def linestyle(self) -> tuple[float, tuple[float, ...] | None]:
        """Return the dashes as matplotlib takes them."""
        return (0, self.dashes or None)


def faded(look: Look) -> Look:
    """Return the look of one of many grey algorithms."""
    return replace(look, colour=FADED, dashes=(), filled=False, stands="faded")


def in_front(look: Look) -> Look:
    """Return the look of an algorithm before the others."""
    return replace(look, dashes=(), filled=True, stands="front")


def behind(look: Look) -> Look:
    """Return the look of an algorithm behind others, and still told from them."""
    return replace(look, stands="back")


def places(studies: Mapping[str, Iterable[str]], record: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Return the record of looks with the algorithms that are new in it: by study the place of each, which makes its look.

    What is in the record stays. In natural order, a new algorithm takes its place in another study where that is free, else the
    first place free in all studies in which it is new. No two algorithms of a study share a place.
    """
    found = {study: dict(given) for study, given in record.items()}
    members = {study: set(names) for study, names in studies.items()}
    for name in sorted(set().union(*members.values()), key=natural_key):
        new = [study for study in members if name in members[study] and name not in found.get(study, {})]
        if not new:
            continue
        known = [own[name] for study in [*studies, *found] if name in (own := found.get(study, {}))]
        taken = {study: set(found.get(study, {}).values()) for study in new}
        free = next(place for place in count() if not any(place in own for own in taken.values()))
        for study in new:
            found.setdefault(study, {})[name] = known[0] if known and known[0] not in taken[study] else free
    return found


def appearance(
    algorithms: Iterable[str], record: Mapping[str, int] | None = None, asked: Mapping[str, Any] | None = None
) -> dict[str, Look]:
    """Return the look of every algorithm, in natural order.

    Colour and line style differ for the first 40 places, with the marker for 520. Algorithms not in the `record` take the first
    free places; `asked` has `colours`, `styles`, `markers` and `labels` by algorithm, and changes no other one.

    Raises UserError if an algorithm is not there or two are to have one label.
    """
    names = sorted(set(algorithms), key=natural_key)
    given = places({"": names}, {"": record or {}})[""]
    chosen = {key: (asked or {}).get(key) or {} for key in ("colours", "styles", "markers", "labels")}
    for key, wanted in chosen.items():
        for name in wanted:
            if name not in given:
                raise UserError(
                    f"appearance.{key}: found {name!r}, expected algorithms of the study ({listed(names, 'or')}); choose among "
                    "these."
                )
    called = {name: str(chosen["labels"].get(name, name)) for name in names}
    twice = [label for label in called.values() if list(called.values()).count(label) > 1]
    if twice:
        both = [name for name in names if called[name] == twice[0]]
        raise UserError(f"appearance.labels: {listed(both)} are both called {twice[0]!r}; give each a label of its own.")
    shown = short_names(called.values())
    return {
        name: _look(given[name], shown[called[name]], {k: wanted.get(name) for k, wanted in chosen.items()}) for name in names
    }


def _look(place: int, label: str, asked: Mapping[str, Any]) -> Look:
    colour = asked["colours"] or COLOURS[place % len(COLOURS)]
    return Look(
        colour=PALETTE.get(colour, colour),
        # 8 colours and 5 line styles have no common divisor: 40 different pairs
        dashes=STYLES[asked["styles"]] if asked["styles"] else DASHES[place % len(DASHES)],
        marker=asked["markers"] or MARKERS[place % len(MARKERS)],
        filled=place // len(COLOURS) % 2 == 0,
        label=label,
    )
