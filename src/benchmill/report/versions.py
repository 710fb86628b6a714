"""Small pages in the style of the report: a comparison of two versions, and those of a competition."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from benchmill import __version__
from benchmill.report.page import environment, style
from benchmill.text.display import Block


def page(title: str, compared: str, blocks: Sequence[Block], links: Sequence[tuple[str, str]] = ()) -> str:
    """Return a page as HTML without scripts and requests: `title` of what was `compared`, blocks, and links (address, words)."""
    return (
        environment()
        .get_template("versions.html")
        .render(title=title, compared=compared, blocks=blocks, links=links, version=__version__, css=Markup(style()))
    )
