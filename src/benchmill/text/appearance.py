"""The colour, line and marker of each algorithm: the same in every figure, whichever other algorithms come and go.

Neighbours differ in all three, and colours that share a line style in lightness, so that figures can be read in grey.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from benchmill.core import UserError, beside, natural_key
from benchmill.core.options import option, some
from benchmill.text.display import listed, short_names
from benchmill.text.widths import PRESETS

_WORDS = beside.toml(__file__)
PALETTE = _WORDS["colours"]
COLOURS = tuple(PALETTE.values())

#: On-off lengths in line widths; () is a solid line.
STYLES = {name: tuple(lengths) for name, lengths in _WORDS["styles"].items()}
DASHES = tuple(STYLES.values())

#: What is drawn of an algorithm that is not shown for itself.
FADED = "#BBBBBB"

MARKERS = tuple(_WORDS["markers"])

#: A length: a number and its unit.
LENGTH = r"[0-9]*\.?[0-9]+ ?(in|cm|mm|pt|bp)"
_OF_LENGTH = {"description": "A length, such as `252.0pt`.", "type": "string", "pattern": f"^{LENGTH}$"}
_PAPERS = list(PRESETS)


@dataclass(frozen=True, kw_only=True)
class Appearance:
    """How all figures of a study look: the key `appearance` of a configuration."""

    paper: str | Mapping[str, str] = option(
        r"""What the figures are made for, which gives column width, text width and the height of a page: the classes IEEEtran,
        acmart (sigconf), llncs, article (10pt, two columns), or a thesis of one column. Type is 8 pt in all of them. Of another
        document what `\the\columnwidth` and `\the\textwidth` say, and the class that is most like it:
        `{column: 252.0pt, text: 516.0pt, class: ieee}`, each where it differs from `ieee`.""",
        "ieee",
        oneOf=[
            {"type": "string", "enum": _PAPERS},
            {
                "type": "object",
                "additionalProperties": False,
                "minProperties": 1,
                "properties": {"class": {"enum": _PAPERS}, **dict.fromkeys(("column", "text"), _OF_LENGTH)},
            },
        ],
    )
    width: str | None = option(
        """How wide figures are: `column`, `text`, or a length (`86mm`). `null`: as wide as the kind of figure and the number of
        its panels ask for.""",
        None,
        pattern=f"^(column|text|{LENGTH})$",
    )
    font: Literal["bundled", "paper"] = option(
        """`bundled`: a Times that ships with the plotting library, so that the files are the same on every machine. `paper`:
        the typeface of the paper if it is installed as TrueType (Times New Roman or Liberation Serif for `ieee`, Linux
        Libertine for `acm`, CMU Serif for the others), otherwise as `bundled`.""",
        "bundled",
    )
    highlight: int | tuple[str, ...] | None = some(
        """The algorithms that stand out, by name or pattern (`*`, `?`), or the number of the best ones of each figure: their
        lines are darker, solid and above the others, and they come first in legends, in bold.""",
        minimum=1,
        items={"type": "string"},
    )
    others: Literal["named", "grey"] | None = option(
        """How algorithms that are not highlighted look: thin, in their colours and by their names; or grey, without names.
        `null`: named in figures of up to 16 algorithms, grey in those of more, where the best 10 look as usual if none are
        highlighted.""",
        None,
    )
    colours: Mapping[str, str] = option(
        f"""Colours by algorithm: `#rrggbb`, or one of {", ".join(PALETTE)}. Others are assigned once and kept in the record
        of pens, `pens.yaml`.""",
        {},
        additionalProperties={"type": "string", "pattern": f"^(#[0-9A-Fa-f]{{6}}|{'|'.join(PALETTE)})$"},
    )
    styles: Mapping[str, str] = option("Line styles by algorithm.", {}, additionalProperties={"enum": list(STYLES)})
    markers: Mapping[str, str] = option(
        "Markers by algorithm, by their names in Matplotlib.", {}, additionalProperties={"enum": list(MARKERS)}
    )
    labels: Mapping[str, str] = option(
        "Names to show algorithms by in figures and on the page, such as shorter ones.",
        {},
        additionalProperties={"type": "string", "minLength": 1},
    )
    formats: tuple[Literal["png"], ...] = option(
        "Further formats of each figure, beside PDF for papers and SVG for pages.", (), uniqueItems=True
    )


#: How figures look where nothing is said.
USUAL = Appearance()


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


#: How algorithms are drawn, by name.
Pens = dict[str, Pen]


def faded(pen: Pen) -> Pen:
    """Return the pen of one of many grey algorithms."""
    return replace(pen, colour=FADED, dashes=(), filled=False, stands="faded")


def in_front(pen: Pen, solid: bool = True) -> Pen:
    """Return the pen of an algorithm before the others: darker by a quarter."""
    darker = "".join(f"{round(0.75 * int(pen.colour[i : i + 2], 16)):02X}" for i in (1, 3, 5))
    return replace(pen, colour=f"#{darker}", dashes=() if solid else pen.dashes, stands="front")


def places(studies: Mapping[str, Iterable[str]], record: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Return the record of appearance with new algorithms: by study the place of each, which makes its pen.

    What is in the record stays. A new algorithm takes its place in another study if that is free, else the first free one.
    """
    record_of = {study: dict(given) for study, given in record.items()}
    members = {study: set(names) for study, names in studies.items()}
    for name in sorted(set().union(*members.values()), key=natural_key):
        new = [study for study in members if name in members[study] and name not in record_of.get(study, {})]
        if not new:
            continue
        known = [own[name] for study in [*studies, *record_of] if name in (own := record_of.get(study, {}))]
        taken = {study: set(record_of.get(study, {}).values()) for study in new}
        free = next(place for place in count() if not any(place in own for own in taken.values()))
        for study in new:
            record_of.setdefault(study, {})[name] = known[0] if known and known[0] not in taken[study] else free
    return record_of


def appearance(algorithms: Iterable[str], record: Mapping[str, int] | None = None, look: Appearance = USUAL) -> Pens:
    """Return the pen of every algorithm, in natural order; colour and line style differ for the first 40 places.

    Raises UserError for an unknown algorithm or a label twice.
    """
    names = sorted(set(algorithms), key=natural_key)
    given = places({"": names}, {"": record or {}})[""]
    for key in ("colours", "styles", "markers", "labels"):
        for name in getattr(look, key):
            if name not in given:
                raise UserError(
                    f"appearance.{key}: found {name!r}, expected algorithms of the study ({listed(names, 'or')}); choose among "
                    "these."
                )
    called = {name: look.labels.get(name, name) for name in names}
    if twice := [label for label in called.values() if list(called.values()).count(label) > 1]:
        both = [name for name in names if called[name] == twice[0]]
        raise UserError(f"appearance.labels: {listed(both)} are both called {twice[0]!r}; give each a different label.")
    shown = short_names(called.values())
    return {name: _pen(name, given[name], shown[called[name]], look) for name in names}


def _pen(name: str, place: int, label: str, look: Appearance) -> Pen:
    colour = look.colours.get(name, COLOURS[place % len(COLOURS)])
    return Pen(
        colour=PALETTE.get(colour, colour),
        # 8 colours and 5 line styles have no common divisor: 40 different pairs
        dashes=STYLES[look.styles[name]] if name in look.styles else DASHES[place % len(DASHES)],
        marker=look.markers.get(name, MARKERS[place % len(MARKERS)]),
        filled=place // len(COLOURS) % 2 == 0,
        label=label,
    )
