"""Find names that differ for a computer but not for a reader: forms of a letter, letters of another script, invisible ones.

A name is compared in its composed form (`normal`). Two that still differ, and look the same, are nobody's intention: whoever
reads them asks.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

#: Letters and signs that look like those of the Latin alphabet, and these below them.
_PAIRS = (
    # Cyrillic
    ("АВЕЗКМНОРСТУХЅІЈԚԜҮѴԌЬӀаеорсухѕіјԛԝһԁӏгпүѵбзк", "ABE3KMHOPCTYXSIJQWYVGbIaeopcyxsijqwhdlrnyv63k"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϜοναιρυκγηϲϳ", "ABEZHIKMNOPTYXCFovaipukyncj"),
    # Armenian, Cherokee
    ("օսոհցզՏՕԼᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏚᏙᏞᏟᏢᏦᏴ", "ounhgqSOLDRTAJEWMHGZSVLCPKB"),
    # other Latin letters
    ("ıɑɡɩɪʟʀʏᴀᴄᴅᴇᴊᴋᴍɴᴏᴘᴛᴜᴠᴡᴢꜱʙʜǀ", "iagiILRYAcDEJKMNoPTuvwzsBHl"),
    # signs
    ("‐‑‒–—−﹘⁃‘’ʹʼ′⁄∕∶", "--------'''''//:"),
)  # fmt: skip
_ALIKE = {ord(other): plain for others, plains in _PAIRS for other, plain in zip(others, plains, strict=True)}

#: Characters of no width that are no format characters.
_UNSEEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
#: How Unicode calls the decomposition of a letter into one that it is a form of, and looks like.
_FORMS = ("<font>", "<wide>", "<narrow>", "<noBreak>", "<compat>", "<isolated>", "<initial>", "<medial>", "<final>")


@lru_cache(maxsize=65536)
def wildcards(pattern: str) -> re.Pattern[str]:
    """Return an expression for the names that a pattern with `*` and `?` fits, with a group for each; brackets are their own."""
    return re.compile("".join({"*": "(.*)", "?": "(.)"}.get(one, re.escape(one)) for one in pattern), re.DOTALL)


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether a name is one of some names and patterns with `*` and `?`."""
    return any(name == one or wildcards(one).fullmatch(name) for one in patterns)


def meant(name: str, there: Collection[str]) -> list[str]:
    """Return the names that one stands for: itself, or those that it matches as a pattern."""
    return [name] if name in there else [one for one in there if fits(one, [name])]


@lru_cache(maxsize=65536)
def normal(name: str) -> str:
    """Return a name in the composed form of Unicode (NFC)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


@lru_cache(maxsize=65536)
def skeleton(name: str) -> str:
    """Return what is left of a name for the eye: Latin letters for those that look like them, plain blanks, nothing unseen.

    Case counts.
    """
    if name.isascii() and name.isprintable():
        return " ".join(name.split())
    plain = name if name.isascii() else "".join(map(_seen, unicodedata.normalize("NFD", name)))
    return unicodedata.normalize("NFC", " ".join("".join(c for c in plain if c.isprintable() or c.isspace()).split()))


def _seen(c: str) -> str:
    # a character of Braille without dots shows as a blank
    if c == "\u2800" or c.isspace():
        return " "
    if ord(c) in _UNSEEN or unicodedata.category(c) in ("Cf", "Cc"):
        return ""
    if ord(c) in _ALIKE:
        return _ALIKE[ord(c)]
    form, *parts = unicodedata.decomposition(c).split() or [""]
    return "".join(_seen(chr(int(part, 16))) for part in parts) if form in _FORMS else c


def lookalikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of different names that look the same, each with the one that comes first."""
    first: dict[str, str] = {}
    return [(one, name) for name in dict.fromkeys(names) if (one := first.setdefault(skeleton(name), name)) != name]


def held_twice(held: Sequence[Iterable[str]]) -> list[tuple[int, int, str, str]]:
    """Return where a name that a source holds is held by an earlier one, or looks like it.

    The numbers of both sources, and what each calls it.
    """
    first: dict[str, tuple[int, str]] = {}
    clashes = []
    for number, names in enumerate(held):
        for name in names:
            other, called = first.setdefault(skeleton(name), (number, name))
            if other != number:
                clashes.append((other, number, called, name))
    return clashes
