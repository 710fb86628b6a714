"""The colour, line and marker of each algorithm: the same in every figure, whichever other algorithms come and go.

An algorithm is told from the others three times over: by colour (told apart under the common forms
of colour blindness), by line style and by marker. Neighbours in the order differ in all three, and
colours that share a line style are far apart in lightness, so that a figure can be read in grey.
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
    """How one algorithm is drawn.

    Attributes
    ----------
    colour : str
        `#rrggbb`.
    dashes : tuple of float
        On-off lengths in line widths; empty for a solid line.
    marker : str
        matplotlib's name of the marker.
    filled : bool
        Whether the marker is filled with the colour or with white.
    label : str
        The name as it is shown: visible characters, at most 32, different from all others.
    stands : str
        `plain`; `front`: thick, solid, above the others and before them in the legend; `back`: thin, in its own colour; `faded`:
        a thin grey line without markers, which has no name of its own.
    """

    colour: str
    dashes: tuple[float, ...]
    marker: str
    filled: bool
    label: str
    stands: Literal["plain", "front", "back", "faded"] = "plain"

    @property
    def faded(self) -> bool:
        """Whether the algorithm is one of the grey ones."""
        return self.stands == "faded"

    @property
    def linestyle(self) -> tuple[float, tuple[float, ...] | None]:
        """The dashes as matplotlib takes them."""
        return (0, self.dashes or None)


def faded(look: Look) -> Look:
    """The look of an algorithm that is one of many grey ones."""
    return replace(look, colour=FADED, dashes=(), filled=False, stands="faded")


def in_front(look: Look) -> Look:
    """The look of an algorithm that stands before the others."""
    return replace(look, dashes=(), filled=True, stands="front")


def behind(look: Look) -> Look:
    """The look of an algorithm that stands behind others, and is still told from them."""
    return replace(look, stands="back")


def places(studies: Mapping[str, Iterable[str]], record: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The record of looks with the algorithms that are new in it: by study the place of each algorithm, which makes its look.

    What is in the record stays, also of algorithms and studies that are no longer there. A new algorithm takes the place that it
    has in another study, where that is free, so that it looks the same there; else the first place that is free in all studies
    in which it is new. New algorithms choose in natural order.

    Parameters
    ----------
    studies : mapping of str to iterable of str
        The algorithms of each study, in the order of the configuration.
    record : mapping of str to mapping of str to int
        By study the places given out so far.

    Returns
    -------
    dict
        As `record`; no two algorithms of a study share a place. Without a record it depends on the names alone.
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
    """The look of every algorithm.

    The pairs of colour and line style are different for the first 40 places; those with the marker for the first 520.

    Parameters
    ----------
    algorithms : iterable of str
        All algorithms of a study.
    record : mapping of str to int, optional
        The record of looks of the study (see `places`); algorithms that are not in it take the first free places.
    asked : mapping, optional
        `colours`, `styles`, `markers` and `labels`, each by the name of an algorithm: what a person has chosen. No other
        algorithm changes for it.

    Returns
    -------
    dict
        In natural order of the names.

    Raises
    ------
    UserError
        Something is asked for an algorithm that there is not, or two algorithms are to have one label.
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
