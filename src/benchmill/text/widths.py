"""What a figure or table has to fit into: the column and the text of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchmill.core.errors import UserError

#: Widths of one column and of the full text, and about the height of the text, in points of TeX: what `\the\columnwidth`,
#: `\the\textwidth` and `\the\textheight` say in IEEEtran (journal), acmart (sigconf), llncs, and article (10pt, two columns).
PRESETS: dict[str, dict[str, float]] = {
    "ieee": {"column": 252.0, "text": 516.0, "height": 696.0},
    "acm": {"column": 241.14749, "text": 506.295, "height": 626.0},
    "lncs": {"column": 347.12354, "text": 347.12354, "height": 549.13828},
    "article": {"column": 229.5, "text": 469.0, "height": 550.0},
    "thesis": {"column": 397.0, "text": 426.0, "height": 650.0},
}
#: Points of TeX in an inch.
POINTS = 72.27
#: Inches in the units of a length.
_UNITS = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / POINTS, "bp": 1 / 72}


def inches(length: str) -> float:
    """Return a length such as `86mm`, `3.4in` or `252.0pt` in inches. Raises UserError if it is none."""
    found = re.fullmatch(r"([0-9]*\.?[0-9]+) *(in|cm|mm|pt|bp)", length)
    if not found or not float(found[1]):
        raise UserError(f"found {length!r}, expected a length such as 86mm or 3.4in (of a width also column or text); give one.")
    return float(found[1]) * _UNITS[found[2]]


def preset(settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the preset of a document, `paper` of the settings. Raises UserError if there is none."""
    name = settings.get("paper") or "ieee"
    if name not in PRESETS:
        raise UserError(f"appearance.paper: found {name!r}, expected one of {', '.join(PRESETS)}; choose one of these.")
    return PRESETS[name]


def of(settings: Mapping[str, Any], part: str) -> float:
    """Return the width in inches of the `column` or the `text`: as measured, else that of the preset."""
    measured = settings.get(f"{part}width")
    return inches(measured) if measured else preset(settings)[part] / POINTS
