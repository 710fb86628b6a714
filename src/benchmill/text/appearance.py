"""The colour, line and marker of each algorithm: the same in every figure, whichever other algorithms come and go.

Neighbours differ in all three, and colours that share a line style in lightness, so that figures can be read in grey.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

from benchmill.core import beside
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.text.display import listed, short_names

_WORDS = beside.toml(__file__)
PALETTE: dict[str, str] = _WORDS["colours"]
COLOURS = tuple(PALETTE.values())

#: On-off lengths in line widths; () is a solid line.
STYLES: dict[str, tuple[float, ...]] = {name: tuple(lengths) for name, lengths in _WORDS["styles"].items()}
DASHES = tuple(STYLES.values())

#: What is drawn of an algorithm that is not shown for itself.
FADED = "#BBBBBB"

MARKERS: tuple[str, ...] = tuple(_WORDS["markers"])


@dataclass(frozen=True)
class Pen:
    """Colour, dashes and marker of an algorithm, which `stands` before others (`front`), behind (`back`) or grey (`faded`)."""

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


def faded(pen: Pen) -> Pen:
    """Return the pen of one of many grey algorithms."""
    return replace(pen, colour=FADED, dashes=(), filled=False, stands="faded")


def in_front(pen: Pen, solid: bool = True) -> Pen:
    """Return the pen of an algorithm before the others: darker by a quarter."""
    darker = "".join(f"{round(0.75 * int(pen.colour[i : i + 2], 16)):02X}" for i in (1, 3, 5))
    return replace(pen, colour=f"#{darker}", dashes=() if solid else pen.dashes, stands="front")


def behind(pen: Pen) -> Pen:
    """Return the pen of an algorithm behind others, and still told from them."""
    return replace(pen, stands="back")


def places(studies: Mapping[str, Iterable[str]], record: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Return the record of appearance with new algorithms: by study the place of each, which makes its pen.

    What is in the record stays. A new algorithm takes its place in another study if that is free, else the first free one.
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
) -> dict[str, Pen]:
    """Return the pen of every algorithm, in natural order; colour and line style differ for the first 40 places.

    `asked` has `colours`, `styles`, `markers` and `labels` by algorithm. Raises UserError for an unknown algorithm or a label
    twice.
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
    if twice := [label for label in called.values() if list(called.values()).count(label) > 1]:
        both = [name for name in names if called[name] == twice[0]]
        raise UserError(f"appearance.labels: {listed(both)} are both called {twice[0]!r}; give each a label of its own.")
    shown = short_names(called.values())
    return {name: _pen(given[name], shown[called[name]], {k: wanted.get(name) for k, wanted in chosen.items()}) for name in names}


def _pen(place: int, label: str, asked: Mapping[str, Any]) -> Pen:
    colour = asked["colours"] or COLOURS[place % len(COLOURS)]
    return Pen(
        colour=PALETTE.get(colour, colour),
        # 8 colours and 5 line styles have no common divisor: 40 different pairs
        dashes=STYLES[asked["styles"]] if asked["styles"] else DASHES[place % len(DASHES)],
        marker=asked["markers"] or MARKERS[place % len(MARKERS)],
        filled=place // len(COLOURS) % 2 == 0,
        label=label,
    )
