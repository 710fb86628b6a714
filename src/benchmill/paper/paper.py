"""The source of the LaTeX paper of all studies."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from benchmill import __version__
from benchmill.core import UserError
from benchmill.exhibits.sentences.methods import reading
from benchmill.exhibits.sentences.statements import Study, statements
from benchmill.registry.bibliography import CITATION, REFERENCES, cited
from benchmill.registry.figures import KINDS
from benchmill.text import bibliography, display, labels, limits
from benchmill.text.frames import Row


def render(
    studies: Sequence[Study],
    template: str | Path,
    title: str | None = None,
    reproduction: display.Table | None = None,
) -> str:
    """Return a document of all studies as LaTeX source, to be stored beside their folders, whose tables and figures it names.

    Parameters
    ----------
    studies : sequence of mapping
        As of `benchmill.page.page.pages`, with the `file` of each figure, relative to the study's folder, in place of its
        SVG, and `long` (names of tables that are too long for a float).
    template : path
        Jinja2 template with the delimiters `<< >>`, `<% %>` and `<# #>`; what it includes is looked for beside it.
    reproduction : Table, optional
        Published numbers beside the recomputed ones, as written to `results/reproduction.tex`.

    Raises
    ------
    UserError
        The template cannot be read or is wrong; names file and line.
    """
    parts = [_study(study, alone=len(studies) == 1) for study in studies]
    shown = [figure for part in parts for figure in (*part["main"]["figures"], *part["main"]["tested"])]
    # paragraphs on methods that do not speak of one study alone, with the studies that they hold for (none: all)
    shared: dict[tuple[str, str], list[str]] = {}
    for study in studies:
        for heading, text in [*study["methods"], ("Errors", _error(study) if len(studies) > 1 else "")]:
            if heading not in _OWN and text:
                shared.setdefault((heading, text), []).append(study["name"])
    headings = list(dict.fromkeys(heading for heading, _ in shared))
    common = [
        {"heading": heading, "text": text, "studies": names if len(names) < len(studies) else []}
        for (heading, text), names in sorted(shared.items(), key=lambda item: headings.index(item[0][0]))
    ]
    return _rendered(
        template,
        title=title or (parts[0]["title"] if len(studies) == 1 else f"Results of {len(studies)} studies"),
        studies=parts,
        common=[*common, *({"heading": heading, "text": text, "studies": []} for heading, text in reading(shown))],
        further=reading(figure for part in parts for figure in part["further"]["figures"]),
        references={
            key: display.tex(bibliography.plain(REFERENCES[key]))
            for key in cited(text for study in studies for _, text in study["methods"])
        },
        version=__version__,
        reproduction=reproduction,
    )


def section(study: Study, template: str | Path) -> str:
    """Return a study as a section of an author's own article, LaTeX to be stored in its folder; see `render`."""
    return _rendered(template, study=_study(study))


def markdown(study: Study, template: str | Path, tables: Mapping[str, str]) -> str:
    """Return a study as a chapter in Markdown for pandoc; `tables` has the rows of each table by its name. See `render`."""
    return _rendered(template, study=_study(study), tables=tables)


def texts(study: Study, template: str | Path) -> str:
    r"""Return the sentences and captions of a study under names for an author's own article, `results/<study>/texts.tex`.

    An article writes `\caption{\benchmill{study/figures/main/caption}}`; the file lists the names. See `render`.
    """
    figures = study["figures"]
    paragraphs = {
        "abstract": display.breakable_tex(_abstract(study, True)),
        **{
            f"claims/{measure}": r"\par ".join(display.breakable_tex(text) for text in texts_of)
            for measure, texts_of in study["verdicts"].items()
        },
        **{f"figures/{figure['name']}/caption": display.breakable_tex(figure["caption"]) for figure in figures},
        **{f"tables/{table.name}/caption": display.breakable_tex(table.caption) for table in study["tables"]},
        **{
            f"methods/{heading.lower().replace(' ', '_')}": _prose(text)
            for heading, text in [*study["methods"], *reading(figures)]
        },
    }
    named = {f"{study['name']}/{name}": " ".join(text.split()) for name, text in paragraphs.items()}
    return _rendered(template, study=study, texts=named)


def _rendered(path: str | Path, **values: Any) -> str:
    template = Path(path)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template.parent),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
    environment.filters |= {
        "tex": lambda text: display.tex(str(text)),
        "heading": lambda text: rf"\texorpdfstring{{\raggedright {display.breakable_tex(text)}}}{{{display.tex(text)}}}",
        "sentences": display.breakable_tex,
        "prose": _prose,
        "untold": _untold,
        "md": labels.markdown,
        "cited": _cited_markdown,
        "key": labels.file_name,
        "words": display.words,
    }
    try:
        return environment.get_template(template.name).render(values)
    except (OSError, UnicodeDecodeError, jinja2.TemplateNotFound) as error:
        raise UserError(f"{template}: cannot be read ({error}); give the template of the paper.") from None
    except jinja2.TemplateSyntaxError as error:
        name = error.name or template.name
        raise UserError(f"{name}, line {error.lineno}: {error.message}; correct the template.") from None
    except jinja2.UndefinedError as error:
        raise UserError(f"{template.name}: {error.message}; correct the template.") from None


def _study(study: Study, *, alone: bool = True) -> dict[str, Any]:
    long = set(study["long"])
    # the settings are a file of their own, with the same keys as the configuration; a page after page of them helps nobody
    shown = [
        {
            **{key: getattr(t, key) for key in ("name", "title", "caption", "place")},
            "long": t.name in long,
            "empty": not t.n_rows,
            "rows": t.n_rows if t.n_rows > _MOST_ROWS else 0,
        }
        for t in study["tables"]
        # what is asked for is for papers of one's own
        if t.name != "settings" and t.place != "asked"
    ]
    figures = [one for one in study["figures"] if one["name"] not in study["repeated"]]
    shown_first = _first(figures, (study["primary"] or {}).get("measure"))
    main, tested = ([f for f in shown_first if (KINDS[f["kind"]].shows == "tests") == tests] for tests in (False, True))
    profiles = {figure["name"] for figure in main}
    main_tables = [t for t in shown if t["name"] in profiles and t["place"] in ("first", "results")]
    measured = [t for t in main_tables if not t["long"] and not t["empty"]]
    return {
        "name": study["name"],
        "title": study["title"] or study["name"],
        "abstract": _abstract(study, alone),
        "findings": study["sentences"]["findings"],
        "error": _error(study) if alone else "",
        "data": " ".join(_data(study)),
        "methods": [(heading, text) for heading, text in study["methods"] if heading in _OWN],
        "own_methods": [*study["methods"], *reading(main + tested)],
        "main": {"figures": main, "tested": tested, "results": measured},
        "further": {
            "figures": [figure for figure in figures if figure not in main + tested],
            "tables": [t for t in shown if t not in measured],
        },
    }


def _abstract(study: Study, alone: bool) -> str:
    """Return the headline, after the caveat where it is doubtful; of a study that is `alone` also what data it has."""
    headline, caveat = study["sentences"]["headline"], study["sentences"]["caveat"]
    first = " ".join(text for _, text in study["sentences"]["findings"][:1])
    answer = [caveat if first.startswith(caveat) else "", headline] if headline else [first]
    return display.joined(*answer, *(_data(study)[:1] if alone else []))


def _error(study: Study) -> str:
    return str((study["primary"] or {}).get("error", ""))


def _untold(caption: str, findings: Sequence[tuple[str, str]]) -> str:
    """Leave out of a caption that budgets or limits differ, where the answers of the study say on how many problems."""
    caveat = limits.caveats(caption)
    return caption.removeprefix(caveat) if " ".join(caveat.split(" ")[:8]) in " ".join(text for _, text in findings) else caption


def _data(study: Study) -> list[str]:
    return [one.text for one in statements(study) if one.kind == "data"]


def _first(figures: Sequence[Row], primary: str | None) -> list[Row]:
    """Return one figure of each kind, of the primary measure if there is one; of distributions that over most problems."""
    of_kind: dict[str, Row] = {}
    for figure in figures:
        kind = figure["kind"]
        first = kind not in of_kind or (of_kind[kind].get("measure") != primary and figure.get("measure") == primary)
        if first or KINDS[kind].each == "aggregation":
            of_kind[kind] = figure
    kinds = sorted((kind for kind in KINDS.values() if kind.main), key=lambda kind: kind.shows != "runs")
    # tests of one cost a problem say less than curves, and a panel for each target takes a page
    telling = [kind for kind in kinds if kind.name in of_kind and (kind.shows != "tests" or kind.replicated)]
    return [of_kind[kind.name] for kind in telling or kinds if kind.name in of_kind]


#: Rows of a table that the supplement prints; of larger ones it names the file.
_MOST_ROWS = 40

#: Between two citations of one place.
_NEIGHBOURS = re.compile(r"(?<=[a-z0-9])\}~\\cite\{")

#: Headings of paragraphs that are of one study alone.
_OWN = ("Measures", "Profiles")


def _cited_markdown(text: str) -> str:
    # pieces of a sentence keep the blank that they begin with
    return "".join(
        f" [@{piece}]" if i % 2 and piece in REFERENCES else " " * piece[:1].isspace() + labels.markdown(piece)
        for i, piece in enumerate(CITATION.split(text))
    )


def _prose(text: str) -> str:
    """Write plain Unicode as LaTeX, with `[key]` of references as citations."""
    pieces = CITATION.split(text)
    written = "".join(
        rf"~\cite{{{piece}}}" if i % 2 and piece in REFERENCES else display.tex(piece) for i, piece in enumerate(pieces)
    )
    return _NEIGHBOURS.sub(",", written)
