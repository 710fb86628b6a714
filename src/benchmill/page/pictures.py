"""Figures as elements of a page: SVG without what a page does not need."""

import re
from functools import partial
from xml.etree import ElementTree

from markupsafe import Markup

from benchmill.core.errors import UserError

_XLINK = "{http://www.w3.org/1999/xlink}"
_DROPPED = ("metadata", "style", "script", "foreignObject")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")

#: What has places in points of a figure (1/72 inch), numbers with more than one decimal, and paths that are straight lines.
_PLACES = {"d", "x", "y", "transform"}
_NUMBER = re.compile(r"-?[0-9]+\.[0-9]{2,}")
_LINES = re.compile(r"[-0-9.\sMLz]+")


def inline_svg(source: str, prefix: str, described_by: str) -> Markup:
    """Return an SVG file as an element of a page, without comments, metadata, style sheets and scripts.

    Ids are numbered after the prefix, so that figures do not borrow each other's glyphs. A text that is not SVG is a UserError.
    """
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise UserError(f"report: a figure is not SVG ({error}); delete it and make it again.") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise UserError(f"report: a figure is not SVG but <{root.tag.rpartition('}')[2]}>; delete it and make it again.")
    _clean(root)
    # straight lines have one decimal, and curves and all other places two
    for element in root.iter():
        for name in _PLACES.intersection(element.keys()):
            value = element.attrib[name]
            digits = 1 if name == "d" and _LINES.fullmatch(value) else 2
            element.set(name, _NUMBER.sub(partial(_rounded, digits), value))
    _number_ids(root, prefix)
    kept = {name: value for name, value in root.attrib.items() if name not in ("version", "width", "height")}
    # what matplotlib says in its style sheet, for this figure alone
    root.attrib = kept | {
        "role": "img",
        "aria-labelledby": described_by,
        "style": "stroke-linejoin:round;stroke-linecap:butt",
    }
    # no attribute can hold a bracket: it is written as a reference
    return Markup(ElementTree.tostring(root, encoding="unicode").replace(" />", "/>"))


def _clean(root: ElementTree.Element) -> None:
    """Drop what is not drawn, or could do something."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in _DROPPED:
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        attributes = {"href" if name == f"{_XLINK}href" else name: value for name, value in element.attrib.items()}
        element.attrib = {
            name: value
            for name, value in attributes.items()
            if not ("}" in name or name.startswith("on") or (name == "href" and not value.startswith("#")))
        }
        element.text = (element.text or "").strip() or None
        element.tail = None


def _rounded(digits: int, match: re.Match[str]) -> str:
    return f"{float(match[0]):.{digits}f}"


def _number_ids(root: ElementTree.Element, prefix: str) -> None:
    """Give whatever is referred to a short unique id, and drop all other ids."""
    used = {value[1:] for element in root.iter() if (value := element.get("href"))}
    used |= {name for element in root.iter() for value in element.attrib.values() for name in _REFERENCE.findall(value)}
    short: dict[str, str] = {}
    for element in root.iter():
        name = element.attrib.pop("id", "")
        if name in used:
            element.set("id", short.setdefault(name, f"{prefix}{len(short)}"))
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "href":
                element.set(name, f"#{short.get(value[1:], prefix)}")
            else:
                element.set(name, _REFERENCE.sub(lambda match: f"url(#{short.get(match[1], prefix)})", value))
