"""Objects that figures are drawn of."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from benchmill.core.errors import UserError
from benchmill.notebook.objects import in_own_words, plain
from benchmill.registry.figures import KINDS, Kind
from benchmill.text import display, frames, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Drawn:
    """An object that figures are drawn of."""

    if TYPE_CHECKING:
        # classes have them as attributes, dataclasses as fields
        @property
        def usual(self) -> str:
            """The kind of figure that is drawn unless another is asked for."""

        @property
        def data(self) -> Mapping[str, Any]:
            """Tables, by the names of their schemas, and the reports of the sources."""

        @property
        def settings(self) -> Mapping[str, Any]:
            """As in a configuration."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of figure that there are of it: whose tables are all there, and have rows."""
        found = []
        for name, kind in KINDS.items():
            tables = [self.data.get(table.split("/")[0]) for table in kind.tables]
            if all(table is not None for table in tables) and (not kind.drawn or self.data[kind.drawn].num_rows):
                found.append(name)
        return found

    def _kind(self, name: str) -> Kind:
        if name not in self.kinds:
            if self.kinds:
                raise UserError(f"there is no figure of the kind {name!r} here, expected one of {', '.join(self.kinds)}.")
            raise UserError(f"there is no row to draw a figure of the kind {name!r} from.")
        return KINDS[name]

    def plot(self, ax: Axes | None = None, *, kind: str = "", palette: Any = None, legend: bool = True, **options: Any) -> Axes:
        """Draw one panel into axes, by default of a new figure, in the style that is in force.

        `kind` is one of `kinds`; `palette` is as in seaborn; `options` say which panel (`dimension`, `target`, ...), and are
        keywords of the function in `benchmill.plot`.
        """
        entry = self._kind(kind or self.usual)
        if not entry.drawn:
            raise UserError(f"plot: {entry.name} does not fit one set of axes; draw the whole figure: figure({entry.name!r}).")
        options |= {} if palette is None else {"palette": palette}
        from benchmill.figures import selected

        # of profiles only what they were split by tells the panels apart
        profile = self.settings.get("profile", {"by": ("dimension", "target")})
        keys = [key for key in entry.panel if key not in ("dimension", "target") or key in (profile.get("by") or ())]
        asked = {key: options.pop(key) for key in list(options) if key in keys}
        rows = one_panel(plain(self.data[entry.drawn]), asked, keys)
        with in_own_words():
            of = selected(entry.name, self.data, _several(self.settings)).of
            axes: Axes = entry.load().plot(rows, ax=axes_of(ax), **{**of, **options})
        if legend and axes.get_legend_handles_labels()[1]:
            axes.legend()
        return axes

    def figure(self, kind: str = "", **settings: Any) -> Figure:
        """Draw the figure of a paper, with all panels; settings as in a configuration: `paper`, `width`, `highlight`, ..."""
        from benchmill import figures

        entry = self._kind(kind or self.usual)
        with in_own_words():
            return figures.draw(entry.name, self.data, {**_several(self.settings), **settings})[0]

    def caption_of(self, kind: str = "", **settings: Any) -> str:
        """Return what a figure shows, and by which conventions; parameters as of `figure`."""
        from benchmill import figures

        entry = self._kind(kind or self.usual)
        with in_own_words():
            return figures.caption(entry.name, self.data, {**_several(self.settings), **settings})


def one_panel(data: pd.DataFrame, asked: Mapping[str, Any], keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the one panel that is asked for, or raise UserError."""
    wanted = {key: value for key, value in asked.items() if value is not None}
    try:
        rows = frames.chosen(data, {key: [value] for key, value in wanted.items()})
    except KeyError:
        rows = data.iloc[:0]
    groups = frames.keys_of(rows, keys) if keys else [{}]
    # what is of no target, dimension and so on is asked for by naming none
    exact = [group for group in groups if {key: value for key, value in group.items() if value is not None} == wanted]
    if len(groups) > 1 and len(exact) == 1:
        return frames.rows_of(rows, exact[0])
    if len(groups) != 1:
        found = groups or frames.keys_of(data, keys)
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


def _several(settings: Mapping[str, Any]) -> dict[str, Any]:
    lists = {f"{key}s": [settings[key]] for key in ("measure", "profile") if key in settings}
    return {**lists, **settings}
