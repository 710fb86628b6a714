"""The colour, line and marker of each algorithm: the same in every figure of all studies that share algorithms.

An algorithm is told from the others three times over: by colour (told apart under the common forms
of colour blindness), by line style and by marker. Neighbours in the order differ in all three, and
colours that share a line style are far apart in lightness, so that a figure can be read in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from benchmill.core.natural_order import natural_key
from benchmill.text.display import short_names

#: Dark and light take turns. Based on the palettes of Okabe and Ito (2008, "Color Universal Design")
#: and Paul Tol ("Colour Schemes", technical note SRON/EPS/TN/09-002), darkened where a thin line on
#: white paper would be lost.
COLOURS = ("#0072B2", "#E69F00", "#000000", "#009E73", "#882255", "#56B4E9", "#D55E00", "#CC79A7")

#: On-off lengths in line widths; () is a solid line.
DASHES: tuple[tuple[float, ...], ...] = ((), (5, 1.6), (1.2, 1.4), (7, 1.6, 1.2, 1.6), (3, 1.4, 1.2, 1.4, 1.2, 1.4))

#: What is drawn of an algorithm that is not highlighted.
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
    faded : bool
        Whether the algorithm is only there for comparison: a thin grey line without markers.
    """

    colour: str
    dashes: tuple[float, ...]
    marker: str
    filled: bool
    label: str
    faded: bool = False

    @property
    def linestyle(self) -> tuple[float, tuple[float, ...] | None]:
        """The dashes as matplotlib takes them."""
        return (0, self.dashes or None)


def faded(look: Look) -> Look:
    """The look of an algorithm that stands back behind others."""
    return replace(look, colour=FADED, dashes=(), filled=False, faded=True)


def family(studies: Mapping[str, Iterable[str]], name: str) -> list[str]:
    """The algorithms of a study and of all studies connected with it by algorithms of the same name.

    Looks are given out among these, so that an algorithm keeps its look from study to study, and studies that have nothing in
    common do not use up each other's colours.

    Parameters
    ----------
    studies : mapping of str to iterable of str
        The algorithms of each study.
    name : str
        One of the studies.

    Returns
    -------
    list of str
        Without repetition, in natural order.
    """
    sets = {study: set(algorithms) for study, algorithms in studies.items()}
    found = sets.pop(name)
    grown = True
    while grown:
        near = [study for study, algorithms in sets.items() if algorithms & found]
        found = found.union(*(sets.pop(study) for study in near))
        grown = bool(near)
    return sorted(found, key=natural_key)


def appearance(algorithms: Iterable[str]) -> dict[str, Look]:
    """The look of every algorithm.

    Depends on the set of names only, not on their order or number of mentions. The pairs of colour and
    line style are different for the first 40 names; pairs with the marker for the first 520.

    Parameters
    ----------
    algorithms : iterable of str
        All algorithms of the studies (see `family`), so that each looks the same in all figures.

    Returns
    -------
    dict
        In natural order of the names.
    """
    names = sorted(set(algorithms), key=natural_key)
    shown = short_names(names)
    return {
        name: Look(
            colour=COLOURS[i % len(COLOURS)],
            # 8 colours and 5 line styles have no common divisor: 40 different pairs
            dashes=DASHES[i % len(DASHES)],
            marker=MARKERS[i % len(MARKERS)],
            filled=i // len(COLOURS) % 2 == 0,
            label=shown[name],
        )
        for i, name in enumerate(names)
    }


def lightness(colour: str) -> float:
    """CIE L* (0 black to 100 white) of an sRGB colour `#rrggbb`: what is left of it in a grey print."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * y ** (1 / 3) - 16 if y > (6 / 29) ** 3 else y * (29 / 3) ** 3
