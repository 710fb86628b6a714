"""What of an object is drawn: one panel into the caller's axes, or the whole figure of a paper."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from benchmill.core.errors import UserError
from benchmill.notebook.objects import in_own_words, plain
from benchmill.registry.figures import KINDS
from benchmill.text import display, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Drawn:
    """What figures are drawn of."""

    #: The kind of figure that is drawn unless another is asked for.
    usual: ClassVar[str]

    if TYPE_CHECKING:
        # dataclasses have them as fields
        @property
        def data(self) -> Mapping[str, Any]:
            """Tables, by the names of their schemas, and the reports of the sources."""

        @property
        def settings(self) -> Mapping[str, Any]:
            """As in a configuration."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of figure that there are of it."""
        return kinds_of(self.data)

    def plot(self, ax: Axes | None = None, *, kind: str = "", palette: Any = None, legend: bool = True, **options: Any) -> Axes:
        """Draw one panel into axes, by default of a new figure, in the style that is in force.

        Parameters
        ----------
        kind : str, optional
            One of `kinds`; by default `usual`.
        palette : optional
            Name of a palette, list of colours, or colours by algorithm, as in seaborn; by default benchmill's.
        **options
            Which panel, where there are several: `dimension`, `target`, ...; and keywords of the function in `benchmill.plot`.
        """
        options |= {} if palette is None else {"palette": palette}
        return panel(kind or self.usual, self.data, self.settings, ax, legend=legend, **options)

    def figure(self, kind: str = "", **settings: Any) -> Figure:
        """Draw the figure of a paper, with all panels, in a style that does not depend on rcParams.

        `settings` are as in a configuration: `paper`, `width`, `highlight`, `axis`, `method`, ...
        """
        return figure(kind or self.usual, self.data, self.settings, **settings)

    def caption_of(self, kind: str = "", **settings: Any) -> str:
        """Return what a figure shows, and by which conventions; parameters as of `figure`."""
        return caption(kind or self.usual, self.data, self.settings, **settings)


def kinds_of(data: Mapping[str, Any], attributed: bool = False) -> list[str]:
    """Return the kinds of figure whose tables are all there, and have rows; of attributes only if asked."""
    found = []
    for name, kind in KINDS.items():
        tables = [data.get(table.split("/")[0]) for table in kind.tables]
        if kind.attributed and not attributed:
            continue
        if all(table is not None for table in tables) and (not kind.drawn or data[kind.drawn].num_rows):
            found.append(name)
    return found


def panel(
    kind: str, data: Mapping[str, Any], settings: Mapping[str, Any], ax: Axes | None, *, legend: bool, **options: Any
) -> Axes:
    """Draw one panel of a kind of figure; see `Drawn.plot`."""
    _check(kind, data)
    entry = KINDS[kind]
    if not entry.drawn:
        raise UserError(f"plot: {kind} does not fit one set of axes; draw the whole figure: figure({kind!r}).")
    module = entry.load()
    keys = _panel_keys(kind, settings)
    asked = {key: options.pop(key) for key in list(options) if key in keys}
    rows = one_panel(plain(data[entry.drawn]), asked, keys)
    frames = {name: plain(data[name]) for name in (table.split("/")[0] for table in entry.tables)}
    beside = module.beside(frames, settings) if hasattr(module, "beside") else {}
    with in_own_words():
        axes: Axes = module.plot(rows, ax=axes_of(ax), **{**beside, **options})
    if legend and axes.get_legend_handles_labels()[1]:
        axes.legend()
    return axes


def figure(kind: str, data: Mapping[str, Any], settings: Mapping[str, Any], **more: Any) -> Figure:
    """Draw the whole figure of a kind; see `Drawn.figure`."""
    from benchmill import figures

    _check(kind, data)
    with in_own_words():
        return figures.draw(kind, data, {**_several(settings), **more})[0]


def caption(kind: str, data: Mapping[str, Any], settings: Mapping[str, Any], **more: Any) -> str:
    """Return what the whole figure of a kind shows."""
    from benchmill import figures

    _check(kind, data)
    with in_own_words():
        return figures.caption(kind, data, {**_several(settings), **more})


def one_panel(data: pd.DataFrame, asked: Mapping[str, Any], keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the one panel that is asked for by `keys`. Raises UserError if there are several, or none."""
    from benchmill.figures import frames

    wanted = {key: value for key, value in asked.items() if value is not None}
    try:
        rows = frames.chosen(data, {key: [value] for key, value in wanted.items()})
    except KeyError:
        rows = data.iloc[:0]
    groups = frames.groups(rows, keys) if keys else [{}]
    # what is of no target, dimension and so on is asked for by naming none
    exact = [group for group in groups if {key: value for key, value in group.items() if value is not None} == wanted]
    if len(groups) > 1 and len(exact) == 1:
        return frames.rows_of(rows, exact[0])
    if len(groups) != 1:
        found = groups or frames.groups(data, keys)
        listed = display.listed([str({key: value for key, value in group.items() if value is not None}) for group in found])
        raise UserError(
            f"plot: {len(groups)} panels are like {wanted}, expected one of {listed}; say which ({'=, '.join(keys)}=), or draw "
            "all (figure())."
        )
    return rows


def axes_of(ax: Axes | None) -> Axes:
    """Return the axes that were given, or those of a new figure."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def image(drawn: Figure, words: str) -> str:
    """Return a figure as an element `img`."""
    from benchmill.figures import style

    return embedded(style.png(drawn), "png", words, f"max-width: {drawn.get_size_inches()[0] * 96:.0f}px; width: 100%")


def embedded(content: bytes, kind: str, words: str, look: str = "max-width: 100%") -> str:
    """Return a picture as an element `img`, in which nothing is executed."""
    data = base64.b64encode(content).decode()
    return f'<img alt="{labels.html(words)}" style="{look}" src="data:image/{kind};base64,{data}">\n'


def _check(kind: str, data: Mapping[str, Any]) -> None:
    if kind not in kinds_of(data, attributed=True):
        if known := kinds_of(data):
            raise UserError(f"there is no figure of the kind {kind!r} here, expected one of {', '.join(known)}.")
        raise UserError(f"there is no row to draw a figure of the kind {kind!r} from.")


def _several(settings: Mapping[str, Any]) -> dict[str, Any]:
    lists = {f"{key}s": [settings[key]] for key in ("measure", "profile") if key in settings}
    return {**lists, **settings}


def _panel_keys(kind: str, settings: Mapping[str, Any]) -> list[str]:
    split = ("dimension", "target") if "profile" in settings else ()
    by = (settings["profile"].get("by") or []) if "profile" in settings else []
    return [key for key in KINDS[kind].panel if key not in split or key in by]
