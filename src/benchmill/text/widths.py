"""The column and the text that a figure or table has to fit into."""

import re
from collections.abc import Mapping
from typing import Any

from benchmill.core import UserError, beside

#: Widths of a column and of the text, and the height of a float that leaves room for its caption, in points of TeX; families of
#: the type that the papers are set in, best first.
PRESETS: dict[str, dict[str, Any]] = beside.toml(__file__)
#: Points of TeX in an inch.
POINTS = 72.27
#: Inches in the units of a length.
_UNITS = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / POINTS, "bp": 1 / 72}


def inches(length: str) -> float:
    """Return a length such as `86mm` in inches, or raise UserError."""
    match = re.fullmatch(r"([0-9]*\.?[0-9]+) *(in|cm|mm|pt|bp)", length)
    if not match or not float(match[1]):
        raise UserError(f"found {length!r}, expected a length such as 86mm or 3.4in (of a width also column or text); give one.")
    return float(match[1]) * _UNITS[match[2]]


def preset(paper: str | Mapping[str, str]) -> dict[str, Any]:
    """Return what is known of a paper, by its class or by what differs from it, or raise UserError."""
    stated = {"class": paper} if isinstance(paper, str) else paper
    name = stated.get("class", "ieee")
    if name not in PRESETS:
        raise UserError(f"appearance.paper: found {name!r}, expected one of {', '.join(PRESETS)}; choose one of these.")
    known = PRESETS[name] | {part: inches(stated[part]) * POINTS for part in ("column", "text") if part in stated}
    if known["column"] > known["text"]:
        raise UserError(
            f"appearance.paper: found a column of {known['column']:.0f}pt in a text of {known['text']:.0f}pt, expected a text at "
            "least as wide; state both."
        )
    return known


def of(paper: str | Mapping[str, str], part: str) -> float:
    """Return the width in inches of the `column` or the `text`, or the `height` of a float."""
    return float(preset(paper)[part]) / POINTS
