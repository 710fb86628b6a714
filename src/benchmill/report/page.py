"""The HTML page of all studies: one file that needs nothing else, not even a network."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jinja2
import numpy as np
from markupsafe import Markup, escape

from benchmill import __version__
from benchmill.core.errors import UserError
from benchmill.registry.bibliography import CITATION, REFERENCES, cited
from benchmill.registry.figures import KINDS
from benchmill.report import explorer, folded, runs
from benchmill.report.methods import methods
from benchmill.report.script import script
from benchmill.report.statements import statements
from benchmill.text import bibliography, display, labels
from benchmill.text.display import Cell, Column, Table
from benchmill.text.robustness import held

_TEMPLATES = Path(__file__).parent / "templates"
_POLYLINE = re.compile(r"M[-0-9.eE\s]+(?:L[-0-9.eE\s]+)+")
_XLINK = "{http://www.w3.org/1999/xlink}"


def render(studies: Sequence[Mapping[str, Any]], title: str = "Benchmark report") -> str:
    """The page as HTML.

    All texts from logs are shown and do nothing else; a content security policy in the page forbids every
    request and every script but its own.

    Parameters
    ----------
    studies : sequence of mapping
        For each study: `name`, `title`, `config` (every default filled in), `tables` (of
        `benchmill.text.display.Table`), `figures` (mappings with `name`, `kind`, `caption` and `svg`, the text of the SVG file),
        `verdicts` (measure to list of paragraphs), `reports` (ingest reports); optionally `runs` and `summaries` (measure to list
        of sentences), `numbers` (objects with `key`, `text` and `meaning`) and `data`, the tables that make the study explorable
        (see `benchmill.report.explorer.payload`), and `listed`, its runs (see `benchmill.report.runs.listed`).
    title : str
        Heading of the page.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["text"] = text
    environment.filters["plain"] = labels.shown
    keys = cited(text for study in studies for _, text in methods(study["config"]))
    environment.filters["prose"] = partial(_prose, keys=keys)
    environment.filters["cells"] = _cells
    environment.filters["words"] = display.words
    css = (_TEMPLATES / "page.css").read_text(encoding="utf-8")
    code = script()
    shown = [_study(study, number) for number, study in enumerate(studies, 1)]
    items = [item for study in shown for place in study["tables"].values() for item in place]
    explored = [study for study in shown if study["explorable"]]
    blocks = {f"{item['id']}-data": folded.folded(item["table"]) for item in items if item["large"]}
    if explored:
        listed = {study["name"]: runs.listed(study, explorer.algorithms(study)) for study in studies if study.get("data")}
        stated = {name: found.stated for name, found in listed.items() if found}
        of_runs = {
            f"{study['id']}-{part}": packed
            for study in explored
            for part, packed in zip(("runs", "lines"), (listed[study["name"]] or ("", "", ""))[1:], strict=True)
            if packed
        }
        blocks = {"explore-data": explorer.payload(studies, stated), **of_runs, **blocks}
    return environment.get_template("page.html").render(
        title=title,
        studies=shown,
        references={key: bibliography.plain(REFERENCES[key]) for key in keys},
        version=__version__,
        css=Markup(css),
        script=Markup(code),
        explored=explored[0]["id"] if explored else None,
        blocks={place: Markup(packed) for place, packed in blocks.items()},
        script_digest=base64.b64encode(hashlib.sha256(code.encode()).digest()).decode(),
    )


def text(value: Any) -> Markup:
    """Any text as HTML that shows it and does nothing else; the indices of this project's symbols are lowered or raised."""
    return Markup(_text(str(value)))


@lru_cache(2**16)
def _text(value: str) -> str:
    return labels.html(value).replace("τ_max", "τ<sub>max</sub>").replace("τ*", "τ<sup>*</sup>")


def _prose(value: str, keys: Sequence[str]) -> Markup:
    """Text with `[key]` of references as links to their numbers."""
    pieces = CITATION.split(value)
    parts = []
    for i, piece in enumerate(pieces):
        if i % 2 and piece in keys:
            parts.append(Markup(' <a class="cite" href="#ref-{0}">[{1}]</a>').format(piece, keys.index(piece) + 1))
        elif i % 2:
            parts.append(escape(f" [{piece}]"))
        else:
            # `shown` would take the blank between a citation and the next sentence away
            parts.append(Markup(" " if piece[:1] == " " else "") + text(piece))
    return Markup("").join(parts)


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> Markup:
    """The cells of a row of a table, of which the first is its head: a large study has a million, too many for a template."""
    found = []
    for place, (cell, column) in enumerate(zip(row, columns, strict=True)):
        tag, scope = ("td", "") if place else ("th", ' scope="row"')
        kind = f"{column.align}{' wrap' if column.wrap else ''}{' best' if cell.best else ''}"
        shown = _text(cell.text)
        value, shown = ("", f"<bdi>{shown}</bdi>") if cell.value is None else (f' data-v="{_sort_key(cell.value)}"', shown)
        found.append(f'<{tag}{scope} class="{kind}"{value}>{shown}</{tag}>')
    return Markup("".join(found))


def _sort_key(value: float) -> str:
    """The value a column is sorted by, exactly, as JavaScript reads it; empty for NaN."""
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(float(value))


def _study(study: Mapping[str, Any], number: int) -> dict[str, Any]:
    tables: Sequence[Table] = study["tables"]
    reports = study.get("reports") or []
    prefix = f"s{number}"
    return {
        "id": prefix,
        "name": study["name"],
        "title": study.get("title") or study["name"],
        "facts": _facts(reports),
        "methods": methods(study["config"]),
        "figures": [
            {
                **figure,
                "id": f"{prefix}-figure-{i}",
                "svg": inline_svg(figure["svg"], f"{prefix}f{i}-", f"{prefix}-figure-{i}-caption"),
            }
            for i, figure in enumerate(study.get("figures") or [], 1)
        ],
        "tables": {
            place: [
                {"id": f"{prefix}-{labels.file_name(t.name)}", "table": t, "long": t.n_rows > 30, "large": folded.is_large(t)}
                for t in tables
                if t.place == place
            ]
            for place in ("first", "data", "results", "statistics", "appendix")
        },
        "verdicts": dict(study.get("verdicts") or {}),
        "summaries": dict(study.get("summaries") or {}),
        "card": _card(study),
        "tested": [kind.name for kind in KINDS.values() if kind.shows == "tests"],
        "explorable": bool(study.get("data")),
        "numbers": list(study.get("numbers") or []),
    }


def _card(study: Mapping[str, Any]) -> dict[str, Any]:
    """What a reader sees first: one statement, how far claims hold, who leads by each measure, and the state of the data."""
    found = statements(study)
    of_claims = [one.text for one in held((study.get("data") or {}).get("claims"))]
    claims = [one for one in found if one.kind == "claim"]
    leaders = {one.measure: one for one in reversed(found) if one.kind == "leader"}
    return {
        "claim": claims[0] if claims else None,
        "more": len(claims) - 1 - len(of_claims),
        "held": of_claims,
        "runs": [one for one in found if one.kind == "runs"],
        "leaders": [one for one in found if one is leaders.get(one.measure)],
        "data": [one for one in found if one.kind == "data"],
    }


def _facts(reports: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    if not reports:
        return []
    totals = {key: [report["trials"].get(key) for report in reports] for key in ("found", "expected", "missing", "ill_finalised")}
    facts = [
        ("sources", display.count(len(reports))),
        ("algorithms", display.count(len({name for report in reports for name in report["algorithms"]}))),
        ("problems", display.count(len({(s, p) for r in reports for s in r["suites"] or [None] for p in r["problems"]}))),
    ]
    names = {
        "found": "trials found",
        "expected": "trials expected",
        "missing": "trials missing",
        "ill_finalised": "ill-finalised",
    }
    for key, name in names.items():
        known = [n for n in totals[key] if n is not None]
        if len(known) == len(reports):
            facts.append((name, display.count(sum(known))))
    return facts


def inline_svg(source: str, prefix: str, described_by: str) -> Markup:
    """An SVG file as an element of a page.

    Comments, metadata, style sheets and scripts are dropped; all ids get the prefix, so that figures do not
    borrow each other's glyphs. Long curves are written short (`short_path`).

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
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in ("metadata", "style", "script", "foreignObject"):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        attributes = dict(element.attrib)
        element.attrib.clear()
        for name, value in attributes.items():
            if name == "id":
                value = prefix + value
            elif name == f"{_XLINK}href":
                name = "href"
            if name == "href":
                if not value.startswith("#"):
                    continue
                value = f"#{prefix}{value[1:]}"
            elif name == "d":
                value = short_path(value)
            elif "url(#" in value:
                value = value.replace("url(#", f"url(#{prefix}")
            if "}" not in name and not name.startswith("on"):
                element.set(name, value)
        if element.text and not element.text.strip():
            element.text = None
        if element.tail and not element.tail.strip():
            element.tail = "\n"
    root.attrib.pop("version", None)
    width = root.attrib.pop("width", "")
    root.attrib.pop("height", None)
    root.set("role", "img")
    root.set("aria-labelledby", described_by)
    # what matplotlib says in its style sheet, for this figure alone
    root.set("style", f"stroke-linejoin:round;stroke-linecap:butt;max-width:{_pixels(width)}px")
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def short_path(path: str) -> str:
    """A long polyline in a fraction of the bytes: on a grid of a tenth of a point, in relative steps.

    Curves of a large study would otherwise make most of the page. Points that fall together, and steps in the same direction
    along an axis, become one; no point moves by more than half the grid. Other paths, and short ones, are left alone.
    """
    if len(path) < 500 or not _POLYLINE.fullmatch(path):
        return path
    numbers = np.array(path.replace("M", " ").replace("L", " ").split(), float)
    points = np.rint(numbers.reshape(-1, 2) * 10).astype(int)
    moves = np.diff(points, axis=0)
    moves = moves[moves.any(axis=1)]
    # steps along one axis in one direction are summed where they follow each other
    along = np.where(moves[:, 1] == 0, np.sign(moves[:, 0]), np.where(moves[:, 0] == 0, 2 * np.sign(moves[:, 1]), 0))
    first = np.append(True, (along[1:] != along[:-1]) | (along[1:] == 0))[: len(moves)]
    moves = np.add.reduceat(moves, np.flatnonzero(first), axis=0) if len(moves) else moves
    parts = [
        f"h{_tenths(x)}" if y == 0 else f"v{_tenths(y)}" if x == 0 else f"l{_tenths(x)} {_tenths(y)}" for x, y in moves.tolist()
    ]
    return f"M{_tenths(points[0, 0])} {_tenths(points[0, 1])}{''.join(parts)}"


def _tenths(n: int) -> str:
    """`n` tenths, without a zero that is not needed: -.5, 12, 3.1."""
    whole, rest = divmod(abs(int(n)), 10)
    text = (str(whole) if whole or not rest else "") + (f".{rest}" if rest else "")
    return f"-{text}" if n < 0 else text


def _pixels(width: str) -> int:
    found = re.match(r"([0-9.]+)pt", width)
    return round(float(found.group(1)) * 1.9) if found else 1000
