"""The publications that methods, formats and suites come from, as `bibliography.bib` has them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path

from benchmill.core import frozen

#: How texts cite: blanks, and a key in brackets.
CITATION = re.compile(r"\s*\[([a-z]+[0-9]{4}[a-z]*)\]")


@frozen
class Reference:
    """A publication.

    Attributes
    ----------
    kind : str
        The type of a BibTeX entry: `article`, `inproceedings`, `book`, ...
    fields : mapping
        The other fields of BibTeX, in plain Unicode: `journal`, `volume`, `number`, `pages`, `doi`, ...
    """

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    year: int
    fields: Mapping[str, str] = field(default_factory=dict)


def _reference(kind: str, key: str, body: str) -> Reference:
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, re.MULTILINE))
    authors, title, year = (fields.pop(name) for name in ("author", "title", "year"))
    return Reference(key, kind, tuple(authors.split(" and ")), title, int(year), fields)


#: By key.
REFERENCES = {
    entry[1]: _reference(*entry)
    for entry in re.findall(r"(?ms)^@(\w+)\{(\w+),\n(.*?)^\}", Path(__file__).with_suffix(".bib").read_text("utf-8"))
}

#: Of suites of problems, in lower case: the keys of what defines their problems.
SUITES = {
    "bbob": ("hansen2009",),
    "bbob-noisy": ("hansen2009noisy",),
    "bbob-largescale": ("varelas2019",),
    "bbob-mixint": ("tusar2019",),
    "bbob-biobj-mixint": ("tusar2019",),
    "bbob-biobj": ("brockhoff2022",),
    "bbob-biobj-ext": ("brockhoff2022",),
    "bbob-constrained": ("dufosse2022",),
}


def cited(texts: Iterable[str]) -> list[str]:
    """Return the keys of the known references that texts cite, each once, in the order of the bibliography."""
    keys = {key for text in texts for key in CITATION.findall(text)}
    return [key for key in REFERENCES if key in keys]
