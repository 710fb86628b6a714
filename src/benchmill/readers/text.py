"""Text of logs as it comes: any encoding, any line ends, every spelling of a missing value, and possibly a cut end."""

import math
import re
from collections.abc import Iterable

from benchmill.readers.interface import Rule

#: The rule of every format in text; what of a last line can be cut is for the format to say.
CUT_LINE = Rule(
    "refused",
    "The last line of a file has no line end, and nothing in the file shows that what is read of it is complete; it is left "
    "out. If it is complete, end it with a line break.",
    detail="{end!r} is the end of the file",
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

#: How text in UTF-16 begins.
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def is_binary(data: bytes) -> bool:
    """Tell whether data are no text, in UTF-16 either."""
    return b"\0" in data and not data.startswith(UTF_16)


def decoded(data: bytes) -> str:
    """Return text in UTF-8, in UTF-16 with a byte order mark, or (what is neither) in Windows-1252; never fails."""
    if data.startswith(UTF_16):
        return data.decode("utf-16", "replace").lstrip("\ufeff")
    try:
        return data.decode("utf-8").lstrip("\ufeff")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def in_utf_8(data: bytes) -> bytes:
    """Return a text in UTF-16 in UTF-8, and any other one as it is."""
    return decoded(data).encode("utf-8", "replace") if data.startswith(UTF_16) else data


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a text in whatever encoding."""
    return decoded(data).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def number(text: str | None) -> float:
    """Return a number as Python reads it, of plain digits alone; NaN for anything else."""
    try:
        return float(text) if text and text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan


def is_missing(cell: str) -> bool:
    """Tell whether a cell says that there is no value: blank, dashes of any length, `*`, `?`, `NA`, `n/a`, `NaN`, `none`."""
    return _MISSING.fullmatch(cell.strip()) is not None


def ends_open(text: str) -> bool:
    """Tell whether a text stops within a line: its last character is no line break."""
    return text != "" and text[-1] not in "\r\n"


def is_whole(last: str, others: Iterable[str]) -> bool:
    """Tell whether the last cell of a text that `ends_open` is whole, as far as its format and cells like it show."""
    if len(last) > 1 and last[0] == last[-1] and last[0] in "\"'":
        return True
    if (cell := _number_in(last)) is None:
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
    match = _CELL.fullmatch(cell.strip())
    return match if match and (match["whole"] or match["decimals"]) else None
