"""Prose with gaps, which stands in a template beside the module that fills it in.

A line `## heading` begins a part. Its sentences, or paragraphs, stand apart by blank lines; other line ends are blanks.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from benchmill.text import display, labels


def told(module: str, **facts: Any) -> dict[str, list[str]]:
    """Return by heading the sentences of the template beside a module, given its `__file__`; a part without any has none."""
    _, *parts = re.split(r"^## (.*)$", _template(module).render(**facts), flags=re.MULTILINE)
    sentences = [
        [" ".join(re.split(r" *\n *", one.strip())) for one in re.split(r"\n\s*\n", part.strip())] for part in parts[1::2]
    ]
    return {heading: [one for one in own if one] for heading, own in zip(parts[::2], sentences, strict=True)}


@cache
def _template(module: str) -> jinja2.Template:
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    words = {name: getattr(display, name) for name in ("apart", "count", "listed", "number", "p_value", "plural", "target")}
    environment.globals |= words | {"capital": _capital, "general": "{:g}".format, "shown": labels.shown}
    environment.filters |= {"shown": labels.shown, "target": display.target}
    return environment.from_string(Path(module).with_suffix(".j2").read_text("utf-8"))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
