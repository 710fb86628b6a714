"""The badge of a study: how far its claims hold, as an SVG that a README can show."""

import unicodedata

import pyarrow as pa

from benchmill.text import display, labels
from benchmill.text.claims import held

#: Grounds: white letters on all of them have a contrast of at least 4.5.
_ALWAYS, _HOLDS, _FAILS, _LEFT = "#1a7f37", "#0969a8", "#a33a2a", "#555555"
_LONGEST = 40
_HEIGHT, _PADDING, _LETTER = 20, 6, 6.6


def badge(claims: pa.Table) -> str:
    """Draw the badge of a table `claims`, with the sentence of every claim in its description.

    Its colour says: all hold in all conventions that can decide, all hold by the primary analysis, or one does not.
    """
    claims_held = list(held(claims))
    holding = sum(one.holds for one in claims_held)
    left = "claims" if len(claims_held) != 1 else display.short(claims_held[0].claim, _LONGEST)
    if not claims_held:
        right, colour = "nothing is claimed", _LEFT
    else:
        right = f"{display.count(holding)} of {display.count(len(claims_held))} hold"
        # counts of several claims are never put together: one may hold everywhere where another hardly does
        if len(claims_held) == 1:
            share = f"in {display.count(claims_held[0].holding)} of {display.plural(claims_held[0].counted, 'convention')}"
            right = f"{'holds' if holding else 'does not hold'}, {share}"
        colour = _FAILS if holding < len(claims_held) else _ALWAYS if all(one.everywhere for one in claims_held) else _HOLDS
    title = labels.html(f"{left}: {right}")
    description = labels.html(" ".join(one.text for one in claims_held))
    widths = [_width(left), _width(right)]
    total = sum(widths)
    texts = "".join(
        f'<text x="{x:g}" y="14" textLength="{width - 2 * _PADDING:g}" lengthAdjust="spacingAndGlyphs">{labels.html(text)}</text>'
        for x, width, text in ((_PADDING, widths[0], left), (widths[0] + _PADDING, widths[1], right))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total:g}" height="{_HEIGHT}" viewBox="0 0 {total:g} {_HEIGHT}" '
        'role="img" aria-labelledby="t d">\n'
        f'<title id="t">{title}</title>\n<desc id="d">{description}</desc>\n'
        f'<rect width="{widths[0]:g}" height="{_HEIGHT}" fill="{_LEFT}"/>\n'
        f'<rect x="{widths[0]:g}" width="{widths[1]:g}" height="{_HEIGHT}" fill="{colour}"/>\n'
        f'<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">{texts}</g>\n</svg>\n'
    )


def _width(text: str) -> float:
    """Return the width of a part: letters of East Asia count twice."""
    letters = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in labels.shown(text))
    return round(2 * _PADDING + _LETTER * max(letters, 1), 1)
