"""The figures of a study: one module for each kind; `benchmill.registry.figures` lists them.

A module has `select(sheet)`, which finds rows, panels and pens (`benchmill.exhibits.figures.sheet.Sheet`), `plot`, which draws
one panel into axes, and `caption(sheet)`, which says what is shown and by which rules; and a `GRID` that says how its panels
stand on a page, or `draw(sheet)`, which makes the whole figure. `tables` maps the names of `benchmill.core.schema.TABLES` to
Arrow tables of one study; `ingest`, if it is there, is the list of its ingest reports. `settings` has the options of the module,
those of `benchmill.text.appearance.Appearance`, and what the kind shows of the study: `benchmill.text.settings.Settings`.
"""

from collections.abc import Mapping

from matplotlib.figure import Figure

from benchmill.core import Given, UserError
from benchmill.core.options import known
from benchmill.exhibits.figures import style
from benchmill.exhibits.figures.options import Asked
from benchmill.exhibits.figures.panels import highlight_words
from benchmill.exhibits.figures.sheet import Sheet, lay_out
from benchmill.registry.figures import KINDS
from benchmill.text import display, frames
from benchmill.text.appearance import Appearance
from benchmill.text.measures import FLOORED, floored
from benchmill.text.settings import Settings

__all__ = ["KINDS", "caption", "draw", "selected"]


def columns(kind: str) -> dict[str, list[str] | None]:
    """Return the columns that captions read of tables that the kind does not show."""
    return {} if "indicators" in _asked(kind) else {"indicators": FLOORED}


def draw(kind: str, tables: frames.Data, settings: Given) -> tuple[Figure, str]:
    """Draw a figure of a study and say what it shows.

    Parameters
    ----------
    kind : str
        Key of `KINDS`.
    tables, settings : mapping
        See the package; rows of other measures or variants are passed over.

    Returns
    -------
    figure : matplotlib.figure.Figure
        To be written by `benchmill.exhibits.figures.style.save`.
    caption : str
        Plain Unicode, one paragraph.

    Raises
    ------
    UserError
        There is no such kind, no row to draw, or no room in the height that is asked for.
    """
    sheet = selected(kind, tables, settings)
    module = sheet.kind.load()
    if sheet.nothing:
        figure = style.blank(sheet.look, sheet.nothing, sheet.options.height)
    elif hasattr(module, "draw"):
        figure = module.draw(sheet)
    else:
        figure = lay_out(sheet, module.plot, sheet.grid or module.GRID)
    if sheet.options.height:
        style.check_height(figure, kind, sheet.options.height)
    return figure, display.joined(
        *module.caption(sheet),
        highlight_words(sheet.pens, sheet.look),
        floored(sheet.tables.get("indicators"), sheet.measures),
        sheet.fitted_words,
        _choice_words(sheet.options),
    )


def caption(kind: str, tables: frames.Data, settings: Given) -> str:
    """Say what a figure shows; as `draw`."""
    return draw(kind, tables, settings)[1]


#: Options that a configuration names what is shown by, which settings have for itself.
_SHOWN = {"name", "measures", "variants", "aggregation"}


def selected(kind: str, tables: frames.Data, settings: Given) -> Sheet:
    """Return what a figure shows; as `draw`."""
    if kind not in KINDS:
        raise UserError(f"figures: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    module, asked = KINDS[kind].load(), _asked(kind)
    own = {key: value for key, value in settings.items() if key not in _SHOWN}
    options, special = known(module.Options, own), {**(settings.get("appearance") or {})}
    labels = {**own.get("labels", {}), **special.get("labels", {})}
    look = known(Appearance, {**own, **{key: value for key, value in special.items() if value is not None}, "labels": labels})
    about = Settings.parsed({key: settings[key] for key in settings if key in _SHOWN or key not in vars(options) | vars(look)})
    sheet = Sheet(KINDS[kind], tables, options, look, about)
    # a table without the column is kept by measure
    drawn = {
        name: frames.frame(kept[sheet.measure.name] if isinstance(kept, Mapping) else kept) if name in asked else kept
        for name, kept in tables.items()
    }
    chosen = {**options.chosen, "algorithms": options.algorithms}
    wanted = {frames.CHOSEN[key]: values for key, values in chosen.items() if values}
    for name in [name for name in drawn if name in asked]:
        try:
            drawn[name] = frames.chosen(drawn[name], wanted)
        except KeyError as error:
            column, value = error.args
            key = next(key for key, called in frames.CHOSEN.items() if called == column)
            present = [str(group[column]) for group in frames.keys_of(drawn[name], [column]) if group[column] is not None]
            if not present:
                raise UserError(
                    f"figures: {kind}: {key}: found {value!r}, but what the figure shows is not split by {column}; leave {key} "
                    "out, or show something that is, such as a profile with `by`."
                ) from None
            raise UserError(
                f"figures: {kind}: {key}: found {value!r}, expected some of {display.listed(present)}; choose among these."
            ) from None
    sheet.tables = drawn
    module.select(sheet)
    return sheet


def _asked(kind: str) -> set[str]:
    return {table.split("/")[0] for table in (*KINDS[kind].tables, *KINDS[kind].of_runs)}


def _choice_words(asked: Asked) -> str:
    """Say what was chosen of what there is; empty where nothing was."""
    chosen = frames.chosen_words(asked.chosen)
    words = f"Only {chosen}." if chosen else ""
    if asked.algorithms:
        words += (
            f" Only {display.plural(len(asked.algorithms), 'algorithm')} of the study drawn; "
            "ratios, ranks and tests are among all."
        )
    return words.strip()
