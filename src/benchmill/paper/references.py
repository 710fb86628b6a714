"""Collect what a published study has to cite: methods, formats, suites and data, as BibTeX."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from benchmill import __version__
from benchmill.core import Given
from benchmill.exhibits.sentences.methods import Settings, methods
from benchmill.registry import formats
from benchmill.registry.bibliography import REFERENCES, SUITES, cited
from benchmill.registry.entry import Entry
from benchmill.registry.indicators import INDICATORS
from benchmill.registry.inference import COMPARISONS, chosen
from benchmill.text import display
from benchmill.text.bibliography import bibtex, entry, given, merged, of_strangers, value
from benchmill.text.labels import file_name

#: What a URL keeps inside `\\url{}`: all but braces, blanks and backslashes.
_URL = ":/?#[]@!$&'()*+,;=%~"

#: What benchmill is called where it is cited.
TITLE = "benchmill: from raw solver logs to the figures, tables and verdicts of a benchmarking paper"


def used(config: Given, reports: Sequence[Given], indicators: Iterable[str]) -> dict[str, list[str]]:
    """Return what each reference is cited for in a study, by its key, in the order of the bibliography.

    `reports` are those of ingest, `indicators` names of those that it makes.
    """
    study = Settings.parsed(config)
    entries: list[Entry] = [
        *(profile.entry for profile in study.profiles),
        *(measure.kind for measure in study.measures.values()),
        *(INDICATORS[name] for name in indicators),
    ]
    if study.inference.methods:
        # each comparison may have a correction of its own
        own = all(COMPARISONS[name].correction for name in study.inference.comparisons or ())
        entries += chosen(vars(replace(study.inference, corrections=()) if own else study.inference))
    entries += [formats.FORMATS[report["format"]] for report in reports]
    # the first words of each are enough to know it by
    named = [
        *((re.split("[,;:]", one.words)[0], one.references) for one in entries),
        *((f"the suite {suite}", SUITES.get(suite.lower(), ())) for report in reports for suite in report["suites"]),
    ]
    beside = [(heading, cited([text])) for heading, text in methods(config)]
    uses = {key: list(dict.fromkeys(words for words, keys in named if key in keys)) for key in REFERENCES}
    headings = {key: [heading for heading, keys in beside if key in keys] for key in REFERENCES}
    return {key: uses[key] or headings[key] for key in REFERENCES if uses[key] or headings[key]}


def bibliography(
    study: str,
    config: Given,
    reports: Sequence[Given],
    indicators: Iterable[str],
    sources: Mapping[str, Mapping[str, str | None]],
) -> str:
    """Return the file `references.bib` of a study, each entry below a comment that says what it is cited for.

    `sources` has the `citation` and `url` of a source by its name; a citation that is no BibTeX is a UserError.
    """
    own = {"author": "{The benchmill authors}", "title": f"{{{TITLE}}}", "note": f"Version {__version__}"}
    blocks = [
        _block(["what made the figures, tables and numbers"], entry("misc", "benchmill", own)),
        *(_block(purposes, bibtex(REFERENCES[key])) for key, purposes in used(config, reports, indicators).items()),
    ]
    for report in reports:
        data = _of_data(f"{file_name(study)}_{report['source']}", sources.get(report["source"], {}), report)
        blocks += [_block([f"data: {report['source']}"], text) for text in data.values()]
        for one in report.get("made_of", ()):
            # no name of a source has a colon
            key = f"{file_name(study)}_{report['source']}:{file_name(one['name'])}"
            # what a background says may be a stranger's
            data = _of_data(key, one, {"source": one["name"], "suites": report["suites"], **one}, of_strangers)
            blocks += [_block([f"data: {one['name']} in {report['source']}"], text) for text in data.values()]
    return merged(blocks)


def _block(purposes: Iterable[str], text: str) -> str:
    return "".join(f"% {purpose}\n" for purpose in purposes) + text


def _of_data(
    key: str, source: Mapping[str, str | None], report: Given, as_bibtex: Callable[[str, str], dict[str, str]] = given
) -> dict[str, str]:
    """Return how a source asks to be cited, or where it was fetched from."""
    if citation := source.get("citation"):
        return as_bibtex(citation, key)
    url = source.get("url")
    if not url:
        return {}
    what = f"Data of {display.listed(report['algorithms'])} on {display.listed(report['suites'])}"
    fields = {
        "key": value(report["source"]),
        "title": f"{{{value(what)}}}",
        "howpublished": rf"\url{{{quote(url, safe=_URL)}}}",
        "note": f"SHA-256 {value(report['sha256'])}",
    }
    return {key: entry("misc", key, fields)}
