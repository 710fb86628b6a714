"""The badge of a study: how far its claims hold, as an SVG that a README can show."""

import unicodedata

import pyarrow as pa

from benchmill.core import shown
from benchmill.text import display, prose
from benchmill.text.claims import held

#: Grounds: white letters on all of them have a contrast of at least 4.5.
_ALWAYS, _HOLDS, _FAILS, _LEFT = "#1a7f37", "#0969a8", "#a33a2a", "#555555"
_LONGEST = 40
_PADDING, _LETTER = 6, 6.6


def badge(claims: pa.Table) -> str:
    """Draw the badge of a table `claims`, with the sentence of every claim in its description.

    Its colour says: all hold in all conventions that can decide, all hold by the primary analysis, or one does not.
    """
    claims_held = list(held(claims))
    holding = sum(one.holds for one in claims_held)
    left, right, colour = "claims", f"{display.count(holding)} of {display.count(len(claims_held))} hold", _HOLDS
    if not claims_held:
        right, colour = "nothing is claimed", _LEFT
    elif holding < len(claims_held):
        colour = _FAILS
    elif all(one.everywhere for one in claims_held):
        colour = _ALWAYS
    # counts of several claims are never put together: one may hold everywhere where another hardly does
    if len(claims_held) == 1:
        (one,) = claims_held
        left = display.short(one.claim, _LONGEST)
        share = f"in {display.count(one.holding)} of {display.plural(one.counted, 'convention')}"
        right = f"{'holds' if holding else 'does not hold'}, {share}"
    middle = _width(left)
    return prose.whole(
        __file__,
        left=left,
        right=right,
        colour=colour,
        description=" ".join(one.text for one in claims_held),
        middle=middle,
        width=middle + _width(right),
    )


def _width(text: str) -> float:
    """Return the width of a part: letters of East Asia count twice."""
    letters = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown(text))
    return round(2 * _PADDING + _LETTER * max(letters, 1), 1)
