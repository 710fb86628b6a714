"""Figures of a page: what is dropped of an SVG file."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.page import page

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" viewBox="0 0 72 72">'


def inline(content):
    return str(page.inline_svg(f"{HEAD}{content}</svg>", "p-", "caption"))


def test_svg_is_cleaned_and_its_ids_are_its_own():
    found = inline(
        "<!-- --><script>alert(1)</script> --><metadata>x</metadata><style>*{fill:red}</style><script>alert(1)</script>"
        '<defs><path id="a" d="M0 0"/><path id="unused" d="M1 1"/></defs>'
        '<g id="b" clip-path="url(#a)" onclick="x()"><use xlink:href="#a"/><use xlink:href="http://x/"/></g>'
        '<path style="fill: url(#a)" d="M2 2"/>'
    )
    (own,) = re.findall(r' id="(p-\w+)"', found)
    assert f'clip-path="url(#{own})"' in found
    assert f'href="#{own}"' in found
    assert f'style="fill: url(#{own})"' in found
    assert not re.search("script|metadata|<style|onclick|http|alert", found)
    # what is not in the figure is nothing, not something of the page
    assert 'href="#p-"' in inline('<use xlink:href="#main"/>')
    for text in ("<html/>", "no xml"):
        with pytest.raises(UserError, match="not SVG"):
            page.inline_svg(text, "p-", "caption")


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=30))
def test_lines_are_drawn_where_they_were(corners):
    line = "M " + " L ".join(f"{x:.6f} {y:.6f}" for x, y in corners)
    shown = re.search(r' d="([^"]*)"', inline(f'<path d="{line}"/>'))[1]
    assert re.sub("[^MLz ]+", "#", shown) == re.sub("[^MLz ]+", "#", line)
    numbers = np.array(re.sub("[ML]", "", shown).split(), float).reshape(-1, 2)
    assert np.allclose(numbers, corners, atol=0.05 + 1e-6)


def test_curves_places_and_factors_have_two_decimals():
    assert ' d="M 0.12 2 Q 1.35 -1.5 3 0 z"' in inline('<path d="M 0.1234 2 Q 1.3456 -1.5 3 0 z"/>')
    assert ' x="1.23" y="-0.5" transform="translate(1.46 2) scale(0.08 -0.08)"' in inline(
        '<text x="1.2345" y="-0.5" transform="translate(1.4567 2) scale(0.08 -0.08)"/>'
    )
