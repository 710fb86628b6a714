"""The figures of a study: one module for each kind; `benchmill.registry.figures` lists them.

A module has `draw(tables, settings)`, which gives a matplotlib figure, and `caption(tables, settings)`,
which says what is shown and by which rules, made from the same tables and settings.

`tables` maps the names of `benchmill.core.schema.TABLES` to Arrow tables of one study; `ingest`, where it is
there, is the list of the study's ingest reports: it names all algorithms, so that each looks the same in every figure, and
counts the trials for the caption. Which tables a kind needs stands in its entry of the registry. `settings` has what the class
`Options` of the module declares and, as far as the kind needs it,

`measure`, `measures`
    settings of the measure, with its `name`; a list of such, also where there is one;
`profile`, `profiles`
    settings of the profile variant, with its `name`; a list of such;
`indicators`, `attainment`
    settings of the indicators; of the curves of attainment;
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
from benchmill.figures import captions, frames, style
from benchmill.registry.figures import KINDS
from benchmill.text import display

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KINDS", "caption", "draw"]


def columns(kind: str) -> dict[str, list[str] | None]:
    """Of tables that a kind has for the words of its caption alone, the columns that these are made of."""
    return {} if "indicators" in _asked(kind) else {"indicators": display.FLOORED}


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
        There is no such kind, no row to draw, or no room in the height that is asked for.
    """
    module, drawn = _ready(kind, tables, settings)
    figure = module.draw(drawn, settings)
    if settings.get("title"):
        with style.rc(settings):
            figure.suptitle(style.text(settings["title"]), fontsize=style.points(settings), x=0.01, ha="left")
    if settings.get("height"):
        style.check_height(figure, kind)
    return figure, _caption(module, drawn, tables, settings)


def caption(kind: str, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a figure shows, without drawing it; parameters and errors as of `draw`."""
    module, drawn = _ready(kind, tables, settings)
    return _caption(module, drawn, tables, settings)


#: Keys of a figure by which rows are chosen, and the columns that they choose in.
_CHOSEN = {
    "dimensions": "dimension",
    "targets": "target",
    "budgets": "at_budget",
    "groups": "group",
    "algorithms": "algorithm",
}


def _ready(kind: str, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The module of a kind, and the tables as it takes them: the rows that the settings choose."""
    if kind not in KINDS:
        raise UserError(f"figures: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    asked = _asked(kind)
    drawn = {name: frames.frame(table) if name in asked else table for name, table in tables.items()}
    module = KINDS[kind].load()
    wanted = {column: settings[key] for key, column in _CHOSEN.items() if settings.get(key)}
    for name in [name for name in drawn if name in asked]:
        try:
            drawn[name] = frames.chosen(drawn[name], wanted)
        except KeyError as error:
            raise _not_there(kind, drawn[name], *error.args) from None
    return module, drawn


def _asked(kind: str) -> set[str]:
    """The tables that a kind shows."""
    return {table.split("/")[0] for table in (*KINDS[kind].tables, *KINDS[kind].of_runs)}


def _not_there(kind: str, data: Any, column: str, value: Any) -> UserError:
    """The error of a value that is asked for and that no row has."""
    key = next(key for key, name in _CHOSEN.items() if name == column)
    found = [str(group[column]) for group in frames.groups(data, [column]) if group[column] is not None]
    if not found:
        return UserError(
            f"figures: {kind}: {key}: found {value!r}, but what the figure shows is not kept apart by {column}; leave {key} out, "
            "or show something that is, such as a profile with `by`."
        )
    return UserError(f"figures: {kind}: {key}: found {value!r}, expected some of {display.listed(found)}; choose among these.")


def _caption(module: Any, drawn: Mapping[str, Any], tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    measures = settings.get("measures") or ([settings["measure"]] if "measure" in settings else [])
    parts = [module.caption(drawn, settings), display.floored(tables.get("indicators"), measures), _choice_words(settings)]
    return captions.joined(*parts)


def _choice_words(settings: Mapping[str, Any]) -> str:
    """The sentence about what was chosen of what there is; empty where nothing was."""
    said = []
    for key in ("dimensions", "targets", "budgets", "groups"):
        if settings.get(key):
            form = display.target if key in ("targets", "budgets") else str
            word = key if len(settings[key]) > 1 else key.removesuffix("s")
            said.append(f"{word} {display.listed([form(value) for value in settings[key]])}")
    words = f"Only {'; '.join(said)}." if said else ""
    if settings.get("algorithms"):
        n = len(settings["algorithms"])
        words += f" Only {display.plural(n, 'algorithm')} of the study drawn; ratios, ranks and tests are among all."
    return words.strip()
