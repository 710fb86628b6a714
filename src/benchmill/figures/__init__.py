"""What a person sees of a study, drawn: one module a kind of figure; `benchmill.registry.figures` lists them.

A module has `draw(tables, settings)`, which gives a matplotlib figure, and `caption(tables, settings)`,
which says what is shown and by which rules, made from the same tables and settings.

`tables` maps the names of `benchmill.core.schema.TABLES` to Arrow tables of one study; `ingest`, where it is
there, is the list of the study's ingest reports: it names all algorithms, so that each looks the same in every figure, and
counts the trials for the caption. `settings` has, as far as the kind needs it,

`measure`
    settings of the measure, with its `name`;
`profile`
    settings of the profile variant, with its `name`;
`indicators`
    settings of the indicators;
`context`
    `paper` (default), `notebook`, `talk` or `poster`, as in seaborn: how large type and lines are;
`paper`
    `ieee` (default), `acm`, `lncs`, `article` or `thesis`: what the figure is made for;
`width`, `columnwidth`, `textwidth`, `height`
    `column`, `text` or a length; the widths of the document; the height;
`title`
    a line above the figure;
`highlight`, `others`, `colours`, `styles`, `markers`, `labels`
    looks of algorithms (`panels.highlighted`, `benchmill.text.appearance.appearance`).

Adding a kind is one module and one entry in `benchmill.registry.figures`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchmill.core.errors import UserError
from benchmill.figures import frames, style
from benchmill.registry.figures import KINDS
from benchmill.text import display

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KINDS", "caption", "draw"]


def draw(kind: str, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[Figure, str]:
    """Draw a figure of a study and say what it shows.

    Parameters
    ----------
    kind : str
        Key of `KINDS`.
    tables : mapping
        By the names of their schemas, and `ingest`; rows of other measures or variants are passed over.
    settings : mapping
        See above, and the module of the kind.

    Returns
    -------
    figure : matplotlib.figure.Figure
        To be written by `save`.
    caption : str
        Plain Unicode, one paragraph.

    Raises
    ------
    UserError
        There is no such kind, or no row to draw.
    """
    module, drawn = _ready(kind, tables)
    figure = module.draw(drawn, settings)
    if settings.get("title"):
        with style.rc(settings):
            figure.suptitle(style.text(settings["title"]), fontsize=style.points(settings), x=0.01, ha="left")
    return figure, _caption(module, drawn, tables, settings)


def caption(kind: str, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a figure shows, without drawing it; parameters and errors as of `draw`."""
    module, drawn = _ready(kind, tables)
    return _caption(module, drawn, tables, settings)


def _ready(kind: str, tables: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The module of a kind, and the tables as it takes them."""
    if kind not in KINDS:
        raise UserError(f"figures: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    asked = {table.split("/")[0] for table in KINDS[kind].tables}
    drawn = {name: frames.frame(table) if name in asked else table for name, table in tables.items()}
    return KINDS[kind].load(), drawn


def _caption(module: Any, drawn: Mapping[str, Any], tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    measures = settings.get("measures") or ([settings["measure"]] if "measure" in settings else [])
    parts = [module.caption(drawn, settings), display.floored(tables.get("indicators"), measures)]
    return " ".join(part for part in parts if part)
