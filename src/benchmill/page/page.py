"""The HTML page of all studies: one file that needs nothing else, not even a network."""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import jinja2
import pyarrow as pa
from markupsafe import Markup, escape

from benchmill import __version__
from benchmill.core import UserError, shown
from benchmill.exhibits.sentences.methods import reading
from benchmill.exhibits.sentences.statements import Study, statements
from benchmill.exhibits.tables.fields import alone, columns
from benchmill.page import arrays, explorer
from benchmill.registry.bibliography import CITATION, REFERENCES, cited
from benchmill.registry.figures import KINDS
from benchmill.text import bibliography, display, frames, labels
from benchmill.text.display import Block, Cell, Column, Table

_TEMPLATES = Path(__file__).parent / "templates"
_SCRIPT = _TEMPLATES / "script"
_IMPORT = re.compile(r'^import (?:\{ [^}]* \} from )?"\./([a-z]+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?=const |let |function |async function )", re.M)
#: What of a figure does not become an element of the page; its references.
_XLINK = "{http://www.w3.org/1999/xlink}href"
_DROPPED = ("metadata", "style", "script", "foreignObject")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")

#: What has places in points of a figure (1/72 inch), numbers with more than one decimal, and paths that are straight lines.
_PLACES = {"d", "x", "y", "transform"}
_NUMBER = re.compile(r"-?[0-9]+\.[0-9]{2,}")
_LINES = re.compile(r"[-0-9.\sMLz]+")

#: What the file beside the page does: it sends the block that is asked for to the page in which it stands as a frame.
_SENDS = 'parent.postMessage(document.getElementById(location.hash.slice(1))?.textContent ?? "", "*");'


#: Letters of a figure that stands in the page as it is; larger ones are packed, and drawn when the page is there.
MOST_LETTERS = 40_000


class Pages(NamedTuple):
    """The report, and the file beside it with the runs of studies that are too large for it."""

    report: str
    runs: str


def pages(studies: Sequence[Study]) -> Pages:
    """Return the page as HTML, in which texts from logs are shown and do nothing else.

    A content security policy forbids every request and every script but its own. A study with more runs than a page carries has
    them in a file beside it, a frame without rights, whose policy forbids all but to send what it holds.

    Parameters
    ----------
    studies : sequence of mapping
        `name`, `title`, `config` (every default filled in), `groups`, `methods` (headings and paragraphs), `tables`, `figures`
        (`name`, `kind`, `caption` and the text `svg`), `verdicts` (paragraphs by measure), `reports` (of ingest), `runs` and
        `summaries` (sentences by measure), `sentences`, `primary`, `held`, `numbers`, `pens`, `data` (see
        `benchmill.page.explorer.payload`) and `evidence` (see `benchmill.page.runs.evidence`).
    """
    shared = environment()
    keys = cited(text for study in studies for _, text in study["methods"])
    shared.filters["prose"] = partial(_prose, keys=keys)
    code = script()
    titles = Counter(study["title"] or study["name"] for study in studies)
    shown = [_study(study, number) for number, study in enumerate(studies, 1)]
    for study in shown:
        # two studies of one title are told apart by their names
        study["title"] += f" ({study['name']})" if titles[study["title"]] > 1 else ""
    explored = [study for study in shown if study["explorable"]]
    beside, of_runs = dict[str, str](), dict[str, str]()
    blocks = {
        f"{item['id']}-data": arrays.folded(item["table"])
        for study in shown
        for place in study["tables"].values()
        for item in place
        if item["large"]
    }
    for figure in (one for study in shown for one in study["figures"] if len(one["svg"]) > MOST_LETTERS):
        blocks[f"{figure['id']}-svg"] = arrays.Store().packed(figure["svg"])
        figure["svg"] = ""
    if explored:
        for study in explored:
            about, *parts = study["evidence"]["runs"] or [None, "", "", ""]
            packed = zip(("runs", "lines", "trajectories"), parts, strict=True)
            of_runs |= {f"{study['id']}-{part}": block for part, block in packed if block}
            if about and "beside" in about:
                beside[f"{study['id']}-runs"] = of_runs.pop(f"{study['id']}-runs")
        of_why = {f"{study['id']}-why": study["evidence"]["why"] for study in explored if study["evidence"]["why"]}
        blocks = {"explore-data": explorer.payload(studies), **of_runs, **of_why, **blocks}
    report = shared.get_template("page.html").render(
        studies=shown,
        references={key: bibliography.plain(REFERENCES[key]) for key in keys},
        version=__version__,
        css=Markup(style()),
        script=Markup(code),
        explored=explored[0]["id"] if explored else None,
        blocks={place: Markup(packed) for place, packed in blocks.items()},
        first_of={packed: place for place, packed in reversed(blocks.items())},
        script_digest=_digest(code),
        framed=bool(beside),
    )
    return Pages(
        report,
        shared.get_template("runs.html").render(
            blocks={place: Markup(packed) for place, packed in beside.items()},
            script=Markup(_SENDS),
            script_digest=_digest(_SENDS),
        ),
    )


def _digest(code: str) -> str:
    """Return the digest of a script as a policy names it."""
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def environment() -> jinja2.Environment:
    """Return the templates of pages."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters |= {"text": text, "plain": shown, "cells": _cells, "words": display.words}
    return made


def style() -> str:
    """Return the style sheet of pages."""
    return (_TEMPLATES / "page.css").read_text(encoding="utf-8")


def small(title: str, compared: str, blocks: Sequence[Block], links: Sequence[tuple[str, str]] = ()) -> str:
    """Return a page in the style of the report, as HTML without scripts and requests.

    It has the `title` of what was `compared`, blocks, and links (address, words).
    """
    return (
        environment()
        .get_template("versions.html")
        .render(title=title, compared=compared, blocks=blocks, links=links, version=__version__, css=Markup(style()))
    )


def script() -> str:
    """Return the page's script: modules in one scope, each after all that it imports from.

    Raises graphlib.CycleError if modules import each other in a circle.
    """
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(_SCRIPT.glob("*.js"))}
    ordered = TopologicalSorter({name: sorted(_IMPORT.findall(text)) for name, text in texts.items()}).static_order()
    return '"use strict";\n' + "".join(_EXPORT.sub("", _IMPORT.sub("", texts[name])) for name in ordered)


def text(value: Any) -> Markup:
    """Return any text as HTML that shows it and does nothing else; indices of symbols are lowered or raised."""
    return Markup(_text(str(value)))


@lru_cache(2**16)
def _text(value: str) -> str:
    html = labels.html(value).replace("τ_max", "τ<sub>max</sub>").replace("τ*", "τ<sup>*</sup>")
    return re.sub(r"\d[\d.]* %", r'<span class="together">\g<0></span>', html)


def _prose(value: str, keys: Sequence[str]) -> Markup:
    """Write text with `[key]` of references as links to their numbers."""
    parts = []
    for i, piece in enumerate(CITATION.split(value)):
        if i % 2 and piece in keys:
            parts.append(Markup(' <a class="cite" href="#ref-{0}">[{1}]</a>').format(piece, keys.index(piece) + 1))
        elif i % 2:
            parts.append(escape(f" [{piece}]"))
        else:
            # `shown` would take the blank between a citation and the next sentence away
            parts.append(Markup(" " if piece[:1] == " " else "") + text(piece))
    return Markup("").join(parts)


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> Markup:
    """Write the cells of a row, the first its head: a large study has a million, too many for a template."""
    cells = []
    for place, (cell, column) in enumerate(zip(row, columns, strict=True)):
        tag, scope = ("td", "") if place else ("th", ' scope="row"')
        kind = f"{column.align}{' wrap' if column.wrap else ''}{' best' if cell.best else ''}"
        value, shown = "", _text(cell.text)
        if cell.page:
            shown = f'<a href="{labels.html(cell.page)}">{shown}</a>'
        if cell.value is None:
            shown = f"<bdi>{shown}</bdi>"
        else:
            # as JavaScript reads it, exactly; empty for NaN
            key = repr(float(cell.value)).replace("inf", "Infinity").replace("nan", "")
            value = f' data-v="{key}"'
        cells.append(f'<{tag}{scope} class="{kind}"{value}>{shown}</{tag}>')
    return Markup("".join(cells))


def _study(study: Study, number: int) -> arrays.Packed:
    numbers = alone("numbers", columns("numbers"), study["numbers"])
    tables: Sequence[Table] = [*study["tables"], *([numbers] if numbers.n_rows else [])]
    prefix = f"s{number}"
    return {
        **study,
        "id": prefix,
        "title": study["title"] or study["name"],
        "methods": [*study["methods"], *reading(study["figures"])],
        "figures": [
            {
                **figure,
                "id": f"{prefix}-figure-{i}",
                "svg": inline_svg(figure["svg"], f"{prefix}f{i}-", f"{prefix}-figure-{i}-caption"),
            }
            for i, figure in enumerate(study["figures"], 1)
        ],
        "tables": {
            place: [
                {
                    "id": f"{prefix}-{labels.file_name(t.name)}",
                    "table": t,
                    "long": t.n_rows > 30,
                    "large": t.n_rows * len(t.columns) > arrays.MOST_CELLS,
                }
                for t in tables
                if t.place == place
            ]
            for place in ("first", "data", "results", "statistics", "appendix")
        },
        "error": (study["primary"] or {}).get("error", ""),
        "card": _card(study, prefix),
        "tested": [kind.name for kind in KINDS.values() if kind.shows == "tests"],
        "explorable": bool(study["data"]),
    }


def _card(study: Study, prefix: str) -> arrays.Packed:
    """Return what is seen first: the answer, the ranking, and what both rest on."""
    sentences, named = statements(study), study["sentences"]
    texts = {kind: [one.text for one in sentences if one.kind == kind] for kind in ("claim", "runs", "pairs", "data")}
    answer = [named[name] for name in ("headline", "caveat", "fragility") if named[name]]
    called = {name: one.get("label") or display.words(name) for name, one in (study["config"].get("measures") or {}).items()}
    leaders = {one.measure or "": one.text for one in reversed(sentences) if one.kind == "leader"}
    return {
        "answer": answer or texts["pairs"] or ["This study tests no difference between algorithms."],
        "more": max(0, len(texts["claim"]) - 1 - len(study["held"])),
        **texts,
        "held": study["held"],
        "leaders": [(called.get(measure, measure), text) for measure, text in reversed(leaders.items())],
        "ranking": _ranking(study["data"].get("rank_sets"), f"{prefix}-ranking", called),
    }


def _ranking(rank_sets: pa.Table | None, name: str, called: Mapping[str, str]) -> arrays.Packed | None:
    """Return the simultaneous intervals of ranks by the primary analysis, the best first; None without any."""
    if rank_sets is None or not rank_sets.num_rows:
        return None
    rows = frames.frame(rank_sets).sort_values(["net_share", "rank_low"], ascending=[False, True], kind="stable")
    names, measure = rows["algorithm"].astype(str), str(rows["measure"].iloc[0])
    shown = names.map(display.short_names(names, 22))
    place = rows["net_share"].rank(ascending=False, method="min").astype(int)
    return {
        "id": name,
        "rows": rows.assign(name=names, shown=shown, place=place).to_dict("records"),
        "unit": 100 / len(rows),
        "measure": called.get(measure, measure),
        "alpha": rows["alpha"].iloc[0],
    }


def inline_svg(source: str, prefix: str, described_by: str) -> Markup:
    """Return an SVG file as an element of a page, without comments, metadata, style sheets and scripts.

    Ids are numbered after the prefix, so that figures do not borrow each other's glyphs. A text that is not SVG is a UserError.
    """
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise UserError(f"report: a figure is not SVG ({error}); delete it and make it again.") from None
    if _local(root) != "svg":
        raise UserError(f"report: a figure is not SVG but <{_local(root)}>; delete it and make it again.")
    # what is not drawn, or could do something, goes
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child) in _DROPPED:
                parent.remove(child)
    for element in root.iter():
        element.tag, element.text, element.tail = _local(element), (element.text or "").strip() or None, None
        attributes = {"href" if name == _XLINK else name: value for name, value in element.attrib.items()}
        element.attrib = {
            name: _rounded(name, value)
            for name, value in attributes.items()
            if not ("}" in name or name.startswith("on") or (name == "href" and not value.startswith("#")))
        }
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


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _rounded(name: str, value: str) -> str:
    """Write places with two decimals, and those of straight lines with one."""
    if name not in _PLACES:
        return value
    form = ".1f" if name == "d" and _LINES.fullmatch(value) else ".2f"
    return _NUMBER.sub(lambda match: format(float(match[0]), form), value)


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
