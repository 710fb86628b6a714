"""Figures as elements of a page: SVG without what a page does not need, in a fraction of the bytes and elements."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from markupsafe import Markup

from benchmill.core.errors import UserError

_XLINK = "{http://www.w3.org/1999/xlink}"
_DROPPED = ("metadata", "style", "script", "foreignObject")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_MOVED = re.compile(r"translate\((\S+?)(?:[ ,]+(\S+?))?\)")
_OF_CURVES = re.compile(r"[-MLHVz0-9.e\s]+")
#: An opacity of a group is that of all its elements drawn together, not of each.
_OPACITY = re.compile(r"(?<![-\w])opacity")


def inline_svg(source: str, prefix: str, described_by: str) -> Markup:
    """An SVG file as an element of a page.

    Comments, metadata, style sheets and scripts are dropped, and groups that say nothing. Ids that nothing refers to are
    dropped too; the others are numbered after the prefix, so that figures do not borrow each other's glyphs. Neighbours of one
    style share it, and long curves are written short (`short_path`).

    Raises
    ------
    UserError
        The text is not SVG.
    """
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise UserError(f"report: a figure is not SVG ({error}); delete it and make it again.") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise UserError(f"report: a figure is not SVG but <{root.tag.rpartition('}')[2]}>; delete it and make it again.")
    _clean(root)
    _number_ids(root, prefix)
    _gather(root)
    root.attrib.pop("version", None)
    width = root.attrib.pop("width", "")
    root.attrib.pop("height", None)
    root.set("role", "img")
    root.set("aria-labelledby", described_by)
    # what matplotlib says in its style sheet, for this figure alone
    root.set("style", f"stroke-linejoin:round;stroke-linecap:butt;max-width:{_pixels(width)}px")
    # no attribute can hold a bracket: it is written as a reference
    return Markup(ElementTree.tostring(root, encoding="unicode").replace(" />", "/>"))


def _clean(root: Element) -> None:
    """Drop what is not drawn, or could do something; write every attribute short."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in _DROPPED:
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        attributes = {"href" if name == f"{_XLINK}href" else name: value for name, value in element.attrib.items()}
        element.attrib.clear()
        for name, value in attributes.items():
            if "}" in name or name.startswith("on") or (name == "href" and not value.startswith("#")):
                continue
            if name == "d":
                value = short_path(value)
            elif name == "style":
                value = re.sub(r"([:;])\s+", r"\1", value)
            elif name == "transform":
                value = _MOVED.sub(lambda found: f"translate({_hundredths(found[1])} {_hundredths(found[2] or '0')})", value)
            element.set(name, value)
        moved = _MOVED.fullmatch(element.get("transform", ""))
        if element.tag == "use" and moved and not {"x", "y", "clip-path"} & set(element.attrib):
            # the same by definition, where no clip path refers to the place before
            del element.attrib["transform"]
            for name, value in zip("xy", moved.groups("0"), strict=True):
                if float(value):
                    element.set(name, _tenths(round(float(value) * 10)))
        element.text = element.text.strip() or None if element.text else None
        element.tail = None


def _number_ids(root: Element, prefix: str) -> None:
    """Give what is referred to a short id of its own, and drop all other ids."""
    used = {value[1:] for element in root.iter() if (value := element.get("href"))}
    used |= {name for element in root.iter() for value in element.attrib.values() for name in _REFERENCE.findall(value)}
    ids = [name for element in root.iter() if (name := element.get("id"))]
    short = {name: f"{prefix}{number}" for number, name in enumerate(dict.fromkeys(name for name in ids if name in used))}
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name == "id":
                element.attrib.pop("id")
                if value in short:
                    element.set("id", short[value])
            elif name == "href":
                element.set("href", f"#{short.get(value[1:], prefix)}")
            elif "url(#" in value:
                element.set(name, _REFERENCE.sub(lambda found: f"url(#{short.get(found[1], prefix)})", value))


def _gather(parent: Element) -> None:
    """Put the elements of groups without attributes in the place of the group, and neighbours of one style into a group."""
    for child in parent:
        _gather(child)
    flat = [one for child in parent for one in (child if child.tag == "g" and not child.attrib else (child,))]
    del parent[:]
    for shared, elements in groupby(flat, _shareable):
        members = list(elements)
        if not shared or len(members) < 2:
            parent.extend(members)
            continue
        group = ElementTree.SubElement(parent, "g", dict(shared))
        for element in members:
            for name, _ in shared:
                del element.attrib[name]
        group.extend(members)


def _shareable(element: Element) -> tuple[tuple[str, str], ...]:
    """The attributes that a group can say for an element."""
    style = element.get("style", "")
    if element.tag not in ("path", "use") or "id" in element.attrib or _OPACITY.search(style):
        return ()
    # a clip path is in the coordinates of the element, after its transform
    moved = "transform" in element.attrib or element.tag == "use"
    names: Iterable[str] = ("style",) if moved else ("clip-path", "style")
    if moved and "clip-path" in element.attrib:
        return ()
    return tuple((name, element.attrib[name]) for name in names if name in element.attrib)


def short_path(path: str) -> str:
    """A long path of straight lines in a fraction of the bytes: on a grid of a tenth of a point, in relative steps.

    Curves of a large study would otherwise make most of the page. Points that fall together, and steps in the same direction
    along an axis, become one; no point moves by more than half the grid. Other paths, and short ones, are left alone.
    """
    if len(path) < 100 or not _OF_CURVES.fullmatch(path):
        return path
    first, *pieces = (piece.strip() for piece in path.split("M"))
    if first or any("z" in piece[:-1] for piece in pieces):
        return path
    return "".join(map(_short_piece, pieces))


def _short_piece(piece: str) -> str:
    """A polyline, as it stands after `M`, in relative steps."""
    end = "z" if piece.endswith("z") else ""
    # a step along an axis names one coordinate, that of a step to the side the second here; the other one is as before
    text = piece.removesuffix("z").replace("L", " ").replace("V", " nan ").replace("H", " inf ")
    numbers = np.array([float(number) for number in text.split()]).reshape(-1, 2)
    aside = np.isinf(numbers[:, 0])
    numbers[aside] = np.column_stack((numbers[aside, 1], np.full(aside.sum(), np.nan)))
    known = np.where(np.isnan(numbers), 0, np.arange(len(numbers))[:, None])
    numbers = np.take_along_axis(numbers, np.maximum.accumulate(known, axis=0), axis=0)
    points = np.rint(numbers * 10).astype(int)
    moves = np.diff(points, axis=0)
    moves = moves[moves.any(axis=1)]
    # steps along one axis in one direction are summed where they follow each other
    along = np.where(moves[:, 1] == 0, np.sign(moves[:, 0]), np.where(moves[:, 0] == 0, 2 * np.sign(moves[:, 1]), 0))
    first = np.append(True, (along[1:] != along[:-1]) | (along[1:] == 0))[: len(moves)]
    moves = np.add.reduceat(moves, np.flatnonzero(first), axis=0) if len(moves) else moves
    parts = [
        f"h{_tenths(x)}" if y == 0 else f"v{_tenths(y)}" if x == 0 else f"l{_tenths(x)}{' ' * (y > 0)}{_tenths(y)}"
        for x, y in moves.tolist()
    ]
    return f"M{_tenths(points[0, 0])} {_tenths(points[0, 1])}{''.join(parts)}{end}"


def _hundredths(number: str) -> str:
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


@lru_cache(2**14)
def _tenths(n: int) -> str:
    """`n` tenths, without a zero that is not needed: -.5, 12, 3.1."""
    whole, rest = divmod(abs(int(n)), 10)
    text = (str(whole) if whole or not rest else "") + (f".{rest}" if rest else "")
    return f"-{text}" if n < 0 else text


def _pixels(width: str) -> int:
    found = re.match(r"([0-9.]+)pt", width)
    return round(float(found.group(1)) * 1.9) if found else 1000
