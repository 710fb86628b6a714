"""Prose with gaps, which stands in a template beside the module that fills it in.

A line `## heading` begins a part. Its sentences, or paragraphs, stand apart by blank lines; other line ends are blanks.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from benchmill.core import Written, shown
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


def told(module: str, **facts: Any) -> dict[str, list[str]]:
    """Return by heading the sentences of the template beside a module, given its `__file__`; a part without any has none."""
    return {heading: sentences(module, heading, **facts) for heading in _parts(module) if heading}


def sentences(module: str, part: str = "", **facts: Any) -> list[str]:
    """Return the sentences of one part of the template, by default of what stands before the first heading."""
    text = _rendered(module, part, facts)
    return [" ".join(re.split(r" *\n *", one.strip())) for one in re.split(r"\n\s*\n", text) if one.strip()]


def said(module: str, part: str = "", **facts: Any) -> str:
    """Return the same as a paragraph."""
    return " ".join(sentences(module, part, **facts))


def whole(module: str, part: str = "", **facts: Any) -> str:
    """Return a part of the template that is no prose: its line ends and blanks stay."""
    return _rendered(module, part, facts).lstrip("\n")


def filled(text: str, **facts: Any) -> str:
    """Return a text that is no file with its gaps filled in."""
    return _template(text).render(**facts) if "{" in text else text


_template = cache(_ENVIRONMENT.from_string)


def _rendered(module: str, part: str, facts: Written) -> str:
    parts = _parts(module)
    shared = parts[""].make_module(facts)
    return str(shared) + parts[part].render({**facts, **vars(shared)}) if part else str(shared)


@cache
def _parts(module: str) -> dict[str, jinja2.Template]:
    """Return the parts by heading; all know what is set before the first one, which is a part itself."""
    text = Path(module).with_suffix(".j2").read_text("utf-8")
    _, *parts = re.split("^## (.*)$", f"## \n{text}", flags=re.MULTILINE)
    return {heading: _ENVIRONMENT.from_string(text) for heading, text in zip(parts[::2], parts[1::2], strict=True)}
