"""The page of a comparison of two versions of a solver: one small file that needs nothing else, in the style of the report."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from benchmill import __version__
from benchmill.report.page import environment, style
from benchmill.text.display import Block


def page(title: str, compared: str, blocks: Sequence[Block]) -> str:
    """The page as HTML; it has no script, and its content security policy forbids every request.

    Parameters
    ----------
    title, compared : str
        What was found, and what the two are.
    blocks : sequence of Block
        What is shown, in this order.
    """
    return (
        environment()
        .get_template("versions.html")
        .render(title=title, compared=compared, blocks=blocks, version=__version__, css=Markup(style()))
    )
