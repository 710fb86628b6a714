"""Prose with gaps, which stands in a template beside the module that fills it in.

A line `## heading` begins a part. Its sentences, or paragraphs, stand apart by blank lines; other line ends are blanks.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from benchmill.core import shown
from benchmill.text import display, labels

_ENVIRONMENT = jinja2.Environment(
    trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
)
#: What templates take of `benchmill.text.display`, and what else.
_WORDS = (
    "apart",
    "capital",
    "comparison_name",
    "correction_words",
    "count",
    "listed",
    "number",
    "out_of",
    "p_phrase",
    "p_value",
    "plural",
    "share",
    "short",
    "target",
    "words",
)
_ENVIRONMENT.globals |= {name: getattr(display, name) for name in _WORDS} | {"general": "{:g}".format, "shown": shown}
_ENVIRONMENT.filters |= {name: getattr(labels, name) for name in ("html", "markdown", "named", "shown")}
_ENVIRONMENT.filters |= {"general": "{:g}".format, "target": display.target, "tex": display.tex}
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


def told(module: str, **facts: Any) -> dict[str, list[str]]:
    """Return by heading the sentences of the template beside a module, given its `__file__`; a part without any has none."""
    return {heading: _sentences(part.render(**facts)) for heading, part in _parts(module).items() if heading}


def sentences(module: str, part: str = "", **facts: Any) -> list[str]:
    """Return the sentences of one part of the template, by default of what stands before the first heading."""
    return _sentences(_parts(module)[part].render(**facts))


def said(module: str, part: str = "", **facts: Any) -> str:
    """Return the same as a paragraph."""
    return " ".join(sentences(module, part, **facts))


def _sentences(text: str) -> list[str]:
    return [" ".join(re.split(r" *\n *", one.strip())) for one in re.split(r"\n\s*\n", text) if one.strip()]


def whole(module: str, part: str = "", **facts: Any) -> str:
    """Return a part of the template that is no prose: its line ends and blanks stay."""
    return _parts(module)[part].render(**facts).lstrip("\n")


def filled(text: str, **facts: Any) -> str:
    """Return a text that is no file with its gaps filled in."""
    return _template(text).render(**facts) if "{" in text else text


_template = cache(_ENVIRONMENT.from_string)


@cache
def _parts(module: str) -> dict[str, jinja2.Template]:
    """Return the parts by heading; all know what is set before the first one, which is a part itself."""
    shared, *parts = _HEADING.split(Path(module).with_suffix(".j2").read_text("utf-8"))
    return {
        heading: _ENVIRONMENT.from_string(shared + text)
        for heading, text in [("", ""), *zip(parts[::2], parts[1::2], strict=True)]
    }
