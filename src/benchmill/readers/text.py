"""Text of logs as it comes: any encoding, any line ends, every spelling of a missing value, and an end that may be cut."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchmill.readers.interface import Rule

#: The rule of every format in text; what of a last line can be cut is for the format to say.
CUT_LINE = Rule(
    "refused",
    "The last line of a file has no line end, and nothing in the file shows that what is read of it is whole; it is left out. If "
    "it is whole, end it with a line break.",
)

#: What files in MATLAB's own formats from 5 on begin with, and what is said of them.
MATLAB = b"MATLAB "
OF_MATLAB = "it is a binary file of MATLAB; write its matrix as text, such as `writematrix(M, 'A_F1_D30.txt')`"

#: Numbers with as many decimals as each other that show a fixed format, if one ends in a zero that nothing else would print.
_FIXED = 3
#: Significant digits beyond which a number in double precision does not change.
_ALL_DIGITS = 15

_CELL = re.compile(
    r"[+-]?(?P<whole>[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?:[eEdD][+-]?(?P<exponent>[0-9]+))?(?P<unit>\s*[^\W\d_]*%?)"
)
_MISSING = re.compile(r"[-\u2010-\u2015\u2212*?.\s]*|n\.?\s*/?\s*a\.?|nan|none|null|missing", re.IGNORECASE)


def decoded(data: bytes) -> str:
    """Text in UTF-8, in UTF-16 with a byte order mark, or (what is neither) in Windows-1252; never fails."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").lstrip("\ufeff")
    try:
        return data.decode("utf-8").lstrip("\ufeff")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value: blank, dashes of any length, `*`, `?`, `NA`, `n/a`, `NaN`, `none`."""
    return _MISSING.fullmatch(cell.strip()) is not None


def ends_open(text: str) -> bool:
    """Whether a text stops within a line: its last character is no line break."""
    return text != "" and text[-1] not in "\r\n"


def is_whole(last: str, others: Iterable[str]) -> bool:
    """Whether the last cell of a text that `ends_open` is whole, as far as its own format and the other cells of its kind show.

    Parameters
    ----------
    last : str
        The cell as it stands; what follows it, if only a blank, would have ended it.
    others : iterable of str
        The cells that were printed in the same way, such as those above it.

    Returns
    -------
    bool
        True for a cell in quotes; a word that occurs before and that no longer word begins with; a number with the unit that
        all others have; a number with an exponent, if all have one of as many digits; a number with two decimals or more, and
        as many as each of at least three others, one of which is filled up with a zero; and a number with 15 significant
        digits, two or more of them before its point, where a cut would change no digit that counts. False for anything else: a
        whole number can always have been longer.
    """
    if len(last) > 1 and last[0] == last[-1] and last[0] in "\"'":
        return True
    cell = _number_in(last)
    if cell is None:
        words = set(others)
        known = any(letter.isalpha() for letter in last) and last in words
        return known and not any(word != last and word.startswith(last) for word in words)
    numbers = [number for number in map(_number_in, others) if number is not None]
    if cell["unit"] or any(number["unit"] for number in numbers):
        return bool(numbers) and all(number["unit"] == cell["unit"] for number in numbers)
    if cell["exponent"]:
        exponents = [number["exponent"] or "" for number in numbers]
        alike = bool(exponents) and {len(exponent) for exponent in exponents} == {len(cell["exponent"])}
        # e-10 can be the beginning of e-101, where the other values are as small.
        return alike and not (10 <= int(cell["exponent"]) <= 30 and max(map(int, exponents)) >= 60)
    decimals = cell["decimals"] or ""
    if any(number["exponent"] for number in numbers):
        return False
    if len(cell["whole"]) > 1 and decimals and len(cell["whole"].lstrip("0") + decimals) >= _ALL_DIGITS:
        return True
    fixed = len(decimals) > 1 and all(len(number["decimals"] or "") == len(decimals) for number in numbers)
    return fixed and len(numbers) >= _FIXED and any(number["decimals"].endswith("0") for number in numbers)


def _number_in(cell: str) -> re.Match[str] | None:
    """The parts of a cell that begins with a number; None for any other one."""
    match = _CELL.fullmatch(cell.strip())
    return match if match and (match["whole"] or match["decimals"]) else None
