"""Figures of a page: what is dropped of an SVG file."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core.errors import UserError
from benchmill.report import pictures

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" viewBox="0 0 72 72">'


def inline(content):
    return str(pictures.inline_svg(f"{HEAD}{content}</svg>", "p-", "caption"))


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
            pictures.inline_svg(text, "p-", "caption")


def points(path):
    """The corners of a path of M, L, H, V and z."""
    x = y = 0.0
    for command, rest in re.findall(r"([MLHV])([-\d. ]*)", path):
        numbers = [float(one) for one in rest.split()]
        x, y = (numbers[0], y) if command == "H" else (x, numbers[0]) if command == "V" else numbers
        yield x, y


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=30))
def test_lines_are_drawn_within_half_a_grid_of_where_they_were(corners):
    line = "M " + " L ".join(f"{x:.6f} {y:.6f}" for x, y in corners)
    shown = list(points(re.search(r' d="([^"]*)"', inline(f'<path d="{line}"/>'))[1]))
    rounded = [tuple(pictures._GRID * round(v / pictures._GRID) for v in corner) for corner in corners]
    assert np.allclose(rounded, corners, atol=pictures._GRID / 2 + 1e-6)
    # every corner is one that is shown, or lies between two of them
    near = 0.51 * pictures._GRID
    for x, y in rounded:
        assert any(
            min(a, c) - near <= x <= max(a, c) + near and min(b, d) - near <= y <= max(b, d) + near
            for (a, b), (c, d) in zip(shown, [*shown[1:], shown[-1]], strict=True)
        )
    assert np.allclose([shown[0], shown[-1]], [rounded[0], rounded[-1]], atol=1e-2)


def test_steps_keep_their_corners_alone():
    assert ' d="M0 0H3V1.5z"' in inline('<path d="M 0 0 L 1.2 0.01 L 3 0 L 3 0.6 L 3 1.5 L 3.01 1.49 z"/>')
