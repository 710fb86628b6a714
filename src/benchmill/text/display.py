"""Plain Unicode for people (`1.23×10⁵`, `τ`): numbers, names cut to length, and tables."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

from benchmill.core import beside, natural_key, shown
from benchmill.registry.inference import COMPARISONS, CORRECTIONS, TESTS
from benchmill.text import labels

ABSENT = "–"
#: Letters of the longest word that TeX is trusted to hyphenate, and where longer ones end.
_LONGEST_WORD = 30
_ENDS = re.compile(r"(?<=[-–—_/:@])(?=\w)|(?<=[a-z])(?=[A-Z])")
#: Where a part of a name ends, behind a separator that is no sign of a number (`x=-1`, `1e-5`); and where its value begins.
_PART = re.compile(r"(?<=[_,;/ ])(?![_,;/ ]|$)|(?<=[^-=_,;/ (]-)(?<!\d[eE]-)(?!$)")
_VALUE = re.compile(rf"{_PART.pattern}|(?<==)")
_SUPERSCRIPT = str.maketrans("-+0123456789", "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Digits that are raised, as plain ones.
PLAIN = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_WORDS = beside.toml(__file__)
_SYMBOLS, _INDEXED, _WRITTEN = (_WORDS[name] for name in ("symbols", "indexed", "written"))
_WHOLE = {**_SYMBOLS, **_INDEXED}
_PIECES = re.compile("(" + "|".join(map(re.escape, _INDEXED)) + "|[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]+|[" + re.escape("".join(_SYMBOLS)) + "])")


@dataclass(frozen=True)
class Cell:
    """The text that is shown, the value by which its column is sorted, and a page that it leads to."""

    text: str
    value: float | None = None
    best: bool = False
    page: str = ""


@dataclass(frozen=True)
class Column:
    """A column; `wrap` columns break their lines, `key` columns are repeated when a table is split."""

    header: str
    align: str = "r"
    meaning: str = ""
    key: bool = False
    wrap: bool = False


@dataclass(frozen=True)
class Section:
    """Rows under a common heading (empty for none)."""

    heading: str
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Table:
    """A table as a person sees it; `name` is the stem of its files, `place` the chapter of the paper and the page."""

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    sections: tuple[Section, ...] = field(default=())
    place: str = "results"

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """Return the rows of all sections."""
        return [row for section in self.sections for row in section.rows]

    @property
    def n_rows(self) -> int:
        """Return their number."""
        return len(self.rows)


@dataclass(frozen=True)
class Block:
    """Sentences under a heading, then tables; a comment folds those of a `folded` one."""

    heading: str
    sentences: Sequence[str]
    tables: Sequence[Table] = ()
    folded: bool = False


@lru_cache(2**16)
def tex(text: str) -> str:
    """Return LaTeX that prints plain text and does nothing else."""
    pieces = []
    for piece in filter(None, _PIECES.split(text)):
        if piece in _WHOLE:
            pieces.append(_WHOLE[piece])
        elif ord(piece[0]) in PLAIN:
            pieces.append(f"$^{{{piece.translate(PLAIN)}}}$")
        else:
            before, after = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
            # a name in a script without glyphs becomes a long chain of code points: let it break
            inner = labels.tex(piece).replace("][U+", r"]\allowbreak{}[U+")
            pieces.append((" " if before else "") + inner + (" " if after and inner else ""))
    # a sign stays on the line of its number, and an equation on one
    return "".join(pieces).replace(r" \%", r"~\%").replace(" = ", "~=~")


def breakable_tex(text: str) -> str:
    """Return the same, in which long words may break: after hyphens and the like, or elsewhere if these are far apart."""
    words = []
    for word in text.split(" "):
        pieces = _ENDS.split(word) if len(word) > 12 else [word]
        if any(len(piece) > _LONGEST_WORD for piece in pieces):
            pieces = [word[i : i + 12] for i in range(0, len(word), 12)]
        words.append(r"\allowbreak{}".join(map(tex, pieces)))
    return " ".join(words).replace(r" \%", r"~\%").replace(" = ", "~=~")


def number(value: float | None, digits: int = 3) -> str:
    """Write a number to `digits` significant digits, as a power of ten where it is longer."""
    if value is None or math.isnan(value):
        return ABSENT
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    # the end of an interval that leaves out 0 by no more than a sign
    if abs(value) < 1e-300:
        return "0"
    sign = "−" if value < 0 else ""
    mantissa, exponent = f"{abs(value):.{digits - 1}e}".split("e")
    power = int(exponent)
    if -3 <= power < digits:
        return f"{sign}{abs(value):.{digits - 1 - power}f}"
    return f"{sign}{mantissa}×10{str(power).translate(_SUPERSCRIPT)}"


def apart(*values: float, limit: float = 1.0) -> list[str]:
    """Write numbers with three digits, or as many more as it takes to see on which side of the limit each lies."""
    digits = next(
        (
            n
            for n in range(3, 7)
            if all(value == limit or float(f"{value:.{n}g}") != limit for value in values if value is not None)
        ),
        7,
    )
    return [number(value, digits) for value in values]


def measured(value: float | None, low: float | None, high: float | None) -> str:
    """Write a number up to the second digit of half its interval's width: `220` for 217 in [180, 950]."""
    if value is None or low is None or high is None or not math.isfinite(value) or not 0 < high - low < math.inf or value == 0:
        return number(value)
    place = math.floor(math.log10((high - low) / 2)) - 1
    rounded = round(value, -place)
    digits = math.floor(math.log10(abs(rounded))) - place + 1 if rounded else 0
    if not 2 <= digits <= 4:
        digits = min(max(digits, 2), 4)
        rounded = float(f"{value:.{digits - 1}e}")
    power = math.floor(math.log10(abs(rounded)))
    if not digits <= power < 4:
        return number(rounded, digits)
    return f"{rounded:.0f}".replace("-", "−")


def count(value: int | float | None) -> str:
    """Write a whole number with its digits in groups of three; an en dash for None."""
    return ABSENT if value is None else f"{int(value):,}".replace(",", "\u202f").replace("-", "−")


def share(value: float | None, places: int = 3, whole: int = 1) -> str:
    """Write a share of a whole to this many places, never rounded up to the whole or down to 0: `>0.999`."""
    if value is None or math.isnan(value):
        return ABSENT
    text = f"{value:.{places}f}"
    if value < whole <= float(text):
        return f">{whole - 10.0**-places:.{places}f}"
    return f"<{10.0**-places:.{places}f}" if value > 0 and float(text) == 0 else text


def measured_share(value: float | None, low: float | None, high: float | None) -> str:
    """Write a share up to the second digit of half its interval's width."""
    if value is None or low is None or high is None or math.isnan(value) or not 0 < high - low < math.inf:
        return share(value)
    return share(value, min(max(1 - math.floor(math.log10((high - low) / 2)), 2), 3))


def p_value(p: float | None) -> str:
    """Write a p value: `<0.001`, or three significant digits below 0.1."""
    if p is None or math.isnan(p):
        return ABSENT
    if p < 0.001:
        return "<0.001"
    if 0.9995 <= p < 1:
        return ">0.999"
    return number(p, 3) if p < 0.1 else f"{p:.3f}"


def p_phrase(p: float | None) -> str:
    """Write a p value as it follows the letter p: `= 0.023`, `< 0.001`."""
    text = p_value(p)
    return f"{text[0]} {text[1:]}" if text[0] in "<>" else f"= {text}"


def target(value: float | None) -> str:
    """Write a target or budget: powers of ten as such (`10⁻⁸`)."""
    if value is None:
        return ABSENT
    if value > 0 and math.isfinite(value):
        power = round(math.log10(value))
        if abs(value / 10.0**power - 1) < 1e-9 and not -3 < power < 4:
            return f"10{str(power).translate(_SUPERSCRIPT)}"
    text = f"{value:.6g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        text = f"{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    return text.replace("-", "−").replace("inf", "∞")


def raised(value: int) -> str:
    """Write a whole number as an exponent: `⁻⁸`."""
    return str(value).translate(_SUPERSCRIPT)


def listed(items: Sequence[str], word: str = "and", limit: int = 12) -> str:
    """Return `a, b and c`, or `a, x; b; and c`; beyond `limit` the rest is counted."""
    shown = [*items][:limit] + [f"{count(len(items) - limit)} more"] * (len(items) > limit)
    if len(shown) > 1 and any(", " in one for one in shown):
        return f"{'; '.join(shown[:-1])}; {word} {shown[-1]}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {word} {shown[-1]}" if shown else "none"


_WRITTEN_PATTERN = re.compile(r"\b(" + "|".join(_WRITTEN) + r")\b")


def words(name: str) -> str:
    """Return a name of the configuration in words: `dolan_more_by_dimension` is `Dolan–Moré by dimension`."""
    return _WRITTEN_PATTERN.sub(lambda m: _WRITTEN[m[1]], name.replace("_", " "))


def capital(text: str) -> str:
    """Return a text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def joined(*sentences: str) -> str:
    """Join sentences that are not empty."""
    return " ".join(filter(None, sentences))


def plural(n: int, word: str, words: str = "") -> str:
    """Return `1 problem`, `2 problems`."""
    return f"{count(n)} {word if n == 1 else words or word + 's'}"


def out_of(n: int, total: int, word: str) -> str:
    """Return `2 of 6 pairs`, `none of 6 pairs`."""
    return f"{count(n) if n else 'none'} of {plural(total, word)}"


def short_names(names: Iterable[str], limit: int = 32) -> dict[str, str]:
    """Cut names to at most `limit` visible characters: by parts that long ones share, else in the middle.

    Parts end at `_ - , ; /` or a space, where these are too long at `=`; the first one stays. Those that look alike get a number.
    """
    texts = {name: shown(name) or "(no name)" for name in names}
    families: dict[str, list[str]] = {}
    for text in sorted({text for text in texts.values() if len(text) > limit}):
        families.setdefault(_PART.split(text)[0], []).append(text)
    # one that begins like no other is compared with one of each
    cut = _without_shared(
        [family[0] for family in families.values() if len(family) == 1], [family[0] for family in families.values()], limit
    )
    for family in (family for family in families.values() if len(family) > 1):
        cut |= _without_shared(family, family, limit)
    taken: dict[str, str] = {}
    for name in sorted(texts, key=lambda n: (len(n) > limit, natural_key(n))):
        text = cut.get(texts[name], texts[name])
        if len(text) > limit:
            text = f"{text[: (limit - 1) * 2 // 3].rstrip()}…{text[-((limit + 1) // 3) :].lstrip()}"
        marked = (f"{text[: limit - len(mark)]}{mark}" for mark in map(" ({})".format, range(2, len(texts) + 1)))
        taken[next(one for one in chain([text], marked) if one not in taken)] = name
    return {name: text for text, name in taken.items()}


def _without_shared(names: Sequence[str], others: Sequence[str], limit: int) -> dict[str, str]:
    """Return names without the last of the parts that all others share: as few as it takes, and as leave the names apart."""
    names_cut: dict[str, str] = {}
    for ends in (_PART, _VALUE) if names and len(others) > 1 else ():
        parts = {name: ends.split(name) for name in others}
        alike = len({*map(len, parts.values())}) == 1
        # each with its place or, of names with other numbers of parts, how often it was there before
        keys = {
            name: [
                (part.rstrip("_-,;/ "), place if alike else own_parts[:place].count(part)) for place, part in enumerate(own_parts)
            ]
            for name, own_parts in parts.items()
        }
        shared = [key for key in keys[names[0]][1:] if all(key in own_parts[1:] for own_parts in keys.values())]
        for kept in reversed(range(len(shared))):
            cut = {name: _without(shared[kept:], parts[name], keys[name]) for name in names}
            names_cut = cut if len({*cut.values()}) == len(names) else names_cut
            if names_cut and all(len(text) <= limit for text in names_cut.values()):
                return names_cut
    return names_cut


def _without(left_out: Sequence[Any], parts: Sequence[str], keys: Sequence[Any]) -> str:
    """Join the parts of a name, but for those whose keys are left out; the first one stays."""
    pieces = ["…" if place and keys[place] in left_out else part for place, part in enumerate(parts)]
    return re.sub("[-_,;/= ]*…+", "…", "".join(pieces))


def short(name: str | None, limit: int = 32) -> str:
    """Cut a name as `short_names` does; an en dash for None."""
    return ABSENT if name is None else short_names([name], limit)[name]


def method_name(method: str) -> str:
    """Return a test that all algorithms are equal as it is written in prose."""
    return TESTS[method].words if method in TESTS else words(method)


def comparison_name(method: str) -> str:
    """Return a comparison of all pairs as it is written in prose."""
    return COMPARISONS[method].words if method in COMPARISONS else words(method)


def correction_words(correction: str) -> str:
    """Return a correction for the number of pairs as it is written in prose."""
    return CORRECTIONS[correction].words if correction in CORRECTIONS else f"correction {correction.replace('_', ' ')}"
