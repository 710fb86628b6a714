"""References as texts print them, and as BibTeX."""

import contextlib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from benchmill.core import UserError, shown
from benchmill.registry.bibliography import Reference
from benchmill.text import display, prose

_ENTRY = re.compile(r"@[A-Za-z]+\s*\{\s*([^\s,{}\\%#\"]+)\s*,")
#: BibTeX of text with accents alone: nothing in it is a command of TeX that does more, or stops TeX.
_HARMLESS = re.compile(
    r"@(?!preamble|string|comment)(?:[^@\\^$&_#%~\x00-\x08\x0b-\x1f]|\\[\"'`^~=.&%$#_-]|\\[cvukHrbd](?=[\s{])"
    r"|\\(?:ss|aa|AA|ae|AE|oe|OE|o|O|l|L|i|j)(?=[\s{}\\]))*",
    re.IGNORECASE,
)
#: Characters of a citation that nobody here has read.
_LONGEST = 5000


def plain(reference: Reference) -> str:
    """Return a reference in one line, as a list of references prints it."""
    return prose.said(__file__, reference=reference)


def bibtex(reference: Reference) -> str:
    """Return a reference as an entry of BibTeX, in Latin-1 and the accents of TeX."""
    return entry(
        reference.kind,
        reference.key,
        {
            "author": " and ".join(_last_name_first(author) for author in reference.authors),
            # as it is printed, whatever the style makes of capitals
            "title": f"{{{value(reference.title)}}}",
            "year": str(reference.year),
            **{name: fact if name == "doi" else value(fact) for name, fact in reference.fields.items()},
        },
    )


def value(text: str) -> str:
    """Return plain text as the value of a field: LaTeX whose braces match."""
    tex = display.tex(text).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")
    return tex if "--" in text else tex.replace("{-}", "-")


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return an entry of BibTeX; the values of the fields are LaTeX."""
    return "".join([f"@{kind}{{{key},\n", *(f"  {name} = {{{text}}},\n" for name, text in fields.items()), "}"])


def given(citation: str, key: str) -> dict[str, str]:
    """Return how data are to be cited as BibTeX by key; plain text gets `key`. Raises UserError for faulty BibTeX."""
    if not citation.lstrip().startswith("@"):
        return {key: entry("misc", key, {"key": value(key), "note": value(citation)})}
    entries: dict[str, str] = {}
    for name, text in _entries(citation.strip()):
        if name in entries:
            raise UserError(f"found the key {name!r} twice; give each entry a key of its own.")
        entries[name] = text
    return entries


def of_strangers(citation: str, key: str) -> dict[str, str]:
    """Return the same for an unchecked citation: faulty or dangerous BibTeX becomes plain text."""
    if len(citation) < _LONGEST and _HARMLESS.fullmatch(citation.strip()):
        with contextlib.suppress(UserError):
            return dict(_with_own_key(name, text) for name, text in given(citation, key).items())
    return given(f"Cited as: {shown(citation)[:_LONGEST]}", key)


def _with_own_key(key: str, text: str) -> tuple[str, str]:
    own = f"{key}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    head = re.search(r"\{\s*", text)
    return own, text if head is None else text[: head.end()] + own + text[head.end() + len(key) :]


def merged(files: Iterable[str]) -> str:
    """Return files of references as one. Raises UserError if one key stands for different entries."""
    entries: dict[str, tuple[str, dict[str, None]]] = {}
    for text in files:
        for block in text.strip().split("\n\n"):
            # a remark may have an @ too
            remark = re.findall(r"\A(?:%.*\n)*", block)[0]
            body = block.removeprefix(remark)
            head = _ENTRY.match(body)
            if not head:
                raise UserError(f"found {block[:40]!r}, expected an entry of BibTeX; make references.bib again.")
            kept, remarks = entries.setdefault(head[1], (body, {}))
            if kept != body:
                raise UserError(f"the key {head[1]!r} stands for different entries; give one of them another key.")
            remarks.update(dict.fromkeys(remark.splitlines()))
    return "\n\n".join("\n".join([*remarks, body]) for body, remarks in entries.values()) + "\n"


def _entries(text: str) -> Iterator[tuple[str, str]]:
    while text:
        head = _ENTRY.match(text)
        if not head:
            raise UserError(f"found {text[:40]!r}, expected entries of BibTeX `@type{{key, ...}}`, or plain text.")
        braces = list(re.finditer("[{}]", text))
        depths = accumulate(1 if brace[0] == "{" else -1 for brace in braces)
        end = next((brace.end() for brace, depth in zip(braces, depths, strict=True) if not depth), 0)
        if not end:
            raise UserError(f"the entry {head[1]!r} is not closed; give each opening brace its closing one.")
        yield head[1], "\n".join(line.rstrip() for line in text[:end].splitlines() if line.strip())
        text = text[end:].lstrip()


def _last_name_first(author: str) -> str:
    words = author.split(" ")
    initials = [word for word in words if re.fullmatch(r"\w\.(-\w\.)*", word)]
    return value(f"{' '.join(words[len(initials) :])}, {' '.join(initials)}")
