"""Figures of a page: what is dropped of an SVG file."""

import re

import pytest

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
