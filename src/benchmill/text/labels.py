"""Names made safe for TeX, HTML and file names: those from a log are text from a stranger."""

import hashlib
import html as _html
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from benchmill.core import beside, shown, visible

_WRITTEN = re.compile(
    r"(?<=.)(\.(tar|tgz|tbz2?|txz|tzst|zip|csv|tsv|tab|txt|dat|md|jsonl?|ndjson|parquet|pq|arrow|feather|xls[xm]))?"
    r"(\.(gz|bz2|xz|zst))?$",
    re.IGNORECASE,
)
_WORDS = beside.toml(__file__)
_TEX, _ACCENTS = _WORDS["tex"], _WORDS["accents"]

_LONGEST_FILE_NAME = 100


def named(text: str) -> str:
    """Return a name in quotes, for messages."""
    return repr(shown(text))


def line(text: str) -> str:
    """Return a line of a log without such characters; its blanks stay."""
    return visible(text.expandtabs())


def tex(text: str) -> str:
    """Return LaTeX that prints a text and does nothing else; without a glyph, as a letter with accent, ASCII, or code point."""
    return "".join(_tex_character(c) for c in shown(text))


def _tex_character(c: str) -> str:
    if c in _TEX:
        return str(_TEX[c])
    if c.isascii() or (0xA1 <= ord(c) <= 0xFF and c.isalpha()):
        return c
    letter, mark = (parts := unicodedata.normalize("NFD", c))[:1], parts[1:]
    if letter.isascii() and letter.isalpha() and mark in _ACCENTS:
        return f"\\{_ACCENTS[mark]}{{{letter}}}"
    plain = "".join(_TEX.get(p, p) for p in unicodedata.normalize("NFKD", c) if not unicodedata.combining(p))
    return plain if plain.isascii() else f"[U+{ord(c):04X}]"


def html(text: str) -> str:
    """Return HTML that shows a text and does nothing else."""
    return _html.escape(shown(text), quote=True)


#: Punctuation that may mean something within a line; `<`, `&` and `$` as entities, since mathematics and HTML ignore backslashes.
_MARKS = re.compile(r"([\\`*_\[\]|~])")
_ENTITIES = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "&#36;", "@": "&#64;"})


def markdown(text: str) -> str:
    """Return Markdown that shows a text and does nothing else, within a line."""
    return _MARKS.sub(r"\\\1", shown(text)).translate(_ENTITIES).replace("://", "&#58;//")


def figure(text: str) -> str:
    """Return a text for matplotlib, which would read `$…$` as mathematics."""
    return shown(text).replace("$", r"\$")


def with_role(name: str, role: str) -> str:
    """Return the name of a solver, and if it does not compete or is the single best one."""
    words = {"not_competing": " (not competing)", "single_best": " (single best)"}.get(role, "")
    return name if name.endswith(words) else name + words


def stem(name: str) -> str:
    """Return the name of a file without suffixes of formats and packing."""
    return _WRITTEN.sub("", name)


def point(row: Mapping[str, Any]) -> str:
    """Name what rows of a measure are about in one part of a path: stratum, dimension, target and budget, or `all`."""
    written: dict[str, Callable[[Any], str]] = {
        "stratum": lambda stratum: str(stratum).replace(", ", "-").replace(" ", "-"),
        "dimension": "dimension-{}".format,
        "target": lambda target: f"target-{short(target)}",
        "at_budget": lambda budget: f"budget-{short(budget)}",
    }
    return "-".join(form(row[key]) for key, form in written.items() if row.get(key) is not None) or "all"


def short(value: float) -> str:
    """Write six digits where they are all there is, else every digit: different values keep different names."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def statement(*parts: str) -> str:
    """Return the name of a statement or number, a path of safe parts."""
    return "/".join(map(file_name, parts))


@lru_cache(2**16)
def file_name(text: str) -> str:
    """Return a safe file name of at most 100 characters; a digest keeps different texts apart."""
    safe = re.sub(r"[^A-Za-z0-9._+-]+", "_", unicodedata.normalize("NFKC", text)).lstrip(".-_")
    if safe and safe == text and len(safe) <= _LONGEST_FILE_NAME:
        return safe
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe[: _LONGEST_FILE_NAME - 9].rstrip('._-')}_{mark}".lstrip("_")
