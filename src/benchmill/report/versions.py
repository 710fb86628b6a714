"""Small pages that need nothing else, in the style of the report: a comparison of two versions, and those of a competition."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from benchmill import __version__
from benchmill.report.page import environment, style
from benchmill.text.display import Block


def page(title: str, compared: str, blocks: Sequence[Block], links: Sequence[tuple[str, str]] = ()) -> str:
    """The page as HTML; it has no script, and its content security policy forbids every request.

    Parameters
    ----------
    title, compared : str
        What was found, and of what.
    blocks : sequence of Block
        What is shown, in this order.
    links : sequence of (str, str)
        Other pages of the same site: address and words.
    """
    return (
        environment()
        .get_template("versions.html")
        .render(title=title, compared=compared, blocks=blocks, links=links, version=__version__, css=Markup(style()))
    )
