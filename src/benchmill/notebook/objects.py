"""The common parts of all objects of a notebook."""

from __future__ import annotations

import base64
import copy
import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, cast, dataclass_transform

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core import Given, UserError, Written
from benchmill.core.options import properties
from benchmill.exhibits.tables import build, forms, latex
from benchmill.notebook.arguments import fitting, looked_at
from benchmill.registry.figures import KINDS, Kind
from benchmill.text import appearance, claims, display, frames, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The most names of a legend inside the axes; a column of one beside them has 24.
_INSIDE = 12


@dataclass_transform(frozen_default=True, eq_default=False)
class Shown(ABC):
    """An object of a notebook: a dataclass of data that do not change, and how they are shown."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False, repr=False)(cls)

    @property
    @abstractmethod
    def table(self) -> display.Table:
        """The object as a table of a paper."""

    @property
    def caption(self) -> str:
        """The caption of the table."""
        return self.table.caption

    def to_latex(self) -> str:
        """Return the table as LaTeX, for `booktabs`."""
        return latex.render(self.table)

    def to_markdown(self) -> str:
        """Return the table as Markdown, with its title and caption."""
        return forms.markdown(self.table)

    def to_html(self) -> str:
        """Return the table as HTML."""
        return forms.html(self.table)

    def __repr__(self) -> str:
        return forms.terminal(self.table)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __eq__(self, other: object) -> bool:
        return _same(self, other) if type(other) is type(self) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Result(Shown):
    """A result for one measure: `data` has tables by name and `ingest`, `settings` what they were made with."""

    #: The kind of table that is shown of it.
    kind_of_table: ClassVar[str]

    _data: frames.Data
    _settings: Given

    def __post_init__(self) -> None:
        object.__setattr__(self, "_data", {name: in_order(table, self._data.get("ingest")) for name, table in self._data.items()})

    @property
    def table(self) -> display.Table:
        """The object as a table of a paper."""
        return build(self.kind_of_table, self._data, of_exhibits(self._settings))

    @property
    def data(self) -> frames.Data:
        """The tables by name, and the reports of the sources; they cannot be replaced."""
        return MappingProxyType(self._data)

    @property
    def settings(self) -> Written:
        """All settings, defaults too: a copy."""
        return own(self._settings)


class Drawn:
    """An object that figures are drawn of."""

    if TYPE_CHECKING:
        # classes have them as attributes, dataclasses as fields
        @property
        def usual(self) -> str:
            """The kind of figure that is drawn unless another is asked for."""

        @property
        def data(self) -> frames.Data:
            """Tables, by the names of their schemas, and the reports of the sources."""

        @property
        def settings(self) -> Given:
            """Settings of its figures, as in a configuration."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of figure that there are of it: whose tables are all there, and have rows."""
        there = {name for name, table in self.data.items() if table is not None}
        return [
            name
            for name, kind in KINDS.items()
            if {table.split("/")[0] for table in kind.tables} <= there and (not kind.drawn or self.data[kind.drawn].num_rows)
        ]

    def _kind(self, name: str) -> Kind:
        if not self.kinds:
            raise UserError(f"there is no row to draw a figure of the kind {name!r} from.")
        return KINDS[claims.known(name, self.kinds, "kind of figure", "plot")]

    @looked_at
    def plot(self, ax: Axes | None = None, *, kind: str = "", palette: Any = None, legend: bool = True, **options: Any) -> Axes:
        """Draw one panel into axes, by default of a new figure, in the style that is in force.

        `kind` is one of `kinds`; `palette` is as in seaborn; `options` say which panel (`dimension`, `target`, ...), and are
        keywords of the function in `benchmill.plot`.
        """
        entry = self._kind(kind or self.usual)
        if not entry.drawn:
            raise UserError(f"plot: {entry.name} does not fit one set of axes; draw the whole figure: figure({entry.name!r}).")
        options |= {} if palette is None else {"palette": palette}
        from matplotlib import pyplot

        from benchmill.exhibits.figures import selected

        # of profiles only what they were split by tells the panels apart
        profile = self.settings.get("profile", {"by": ("dimension", "target")})
        keys = [key for key in entry.panel if key not in ("dimension", "target") or key in (profile.get("by") or ())]
        asked, drawing = {key: options.pop(key) for key in list(options) if key in keys}, entry.load().plot
        for key in options:
            claims.known(
                key,
                [*keys, *inspect.signature(drawing).parameters],
                "keyword",
                f"plot: what is drawn is not split by {key}" if key in entry.panel else "plot",
            )
        keywords = selected(entry.name, self.data, of_exhibits(self.settings)).keywords
        axes: Axes = drawing(
            one_panel(plain(self.data[entry.drawn]), asked, keys),
            ax=pyplot.subplots(layout="constrained")[1] if ax is None else ax,
            **{**keywords, **options},
        )
        if legend and (named := len(axes.get_legend_handles_labels()[1])):
            # many, and those of bars, would cover what is drawn
            beside = {"loc": "upper left", "bbox_to_anchor": (1, 1), "ncols": 1 + named // 24} if named > _INSIDE else {}
            axes.legend(**({"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 3} if axes.containers else beside))
        return axes

    @looked_at
    def figure(self, kind: str = "", **settings: Any) -> Figure:
        """Draw the figure of a paper, with all panels; settings as in a configuration: `paper`, `width`, `highlight`, ..."""
        from benchmill.exhibits.figures import draw

        entry = self._kind(kind or self.usual)
        fitting(settings, {**properties(appearance.Appearance), **properties(entry.load().Options)}, "figure")
        return draw(entry.name, self.data, {**of_exhibits(self.settings), **settings})[0]

    @looked_at
    def caption_of(self, kind: str = "", **settings: Any) -> str:
        """Return what a figure shows, and by which conventions; parameters as of `figure`."""
        from benchmill.exhibits import figures

        return figures.caption(self._kind(kind or self.usual).name, self.data, {**of_exhibits(self.settings), **settings})


def one_panel(data: pd.DataFrame, asked: Given, keys: Sequence[str]) -> pd.DataFrame:
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
        panels = groups or frames.keys_of(data, keys)
        listed = display.listed([str({key: value for key, value in group.items() if value is not None}) for group in panels])
        raise UserError(
            f"plot: {len(groups)} panels are like {wanted}, expected one of {listed}; say which ({'=, '.join(keys)}=), or draw "
            "all (figure())."
        )
    return rows


def image(drawn: Figure, words: str) -> str:
    """Return a figure as an element `img`."""
    from benchmill.exhibits.figures import style

    look = f"max-width: {drawn.get_size_inches()[0] * 96:.0f}px; width: 100%"
    data = base64.b64encode(style.png(drawn)).decode()
    return f'<img alt="{labels.html(words)}" style="{look}" src="data:image/png;base64,{data}">\n'


def of_exhibits(settings: Given) -> Written:
    """Return the settings that exhibits know about a study; the others say how its numbers were made."""
    return {key: value for key, value in settings.items() if key not in ("inference", "alpha")}


def _same(one: Any, other: Any) -> bool:
    """Compare two values, an undefined number being equal to another."""
    match one, other:
        case pa.Table(), pa.Table():
            # a chunk or a dictionary of its own makes no difference
            return bool(one.schema.equals(other.schema) and plain(one).equals(plain(other)))
        case Mapping(), Mapping():
            return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
        case list() | tuple(), list() | tuple():
            return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
        case np.ndarray(), np.ndarray():
            return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        case partial(), partial():
            return one.func == other.func and _same(one.args, other.args)
        case _ if is_dataclass(one) and type(one) is type(other):
            return all(_same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return bool(one == other)


#: A table of benchmill as a DataFrame: text is categorical in natural order.
plain = frames.frame


def in_order(table: Any, reports: Iterable[Given] | None) -> Any:
    """Return a table that says in which order its sources have ordered categories, for `frame`; anything else as it is."""
    order = {key: "\n".join(words) for report in reports or () for key, words in report.get("order", {}).items()}
    return table.replace_schema_metadata(order) if order and isinstance(table, pa.Table) else table


def frame_of(name: str, words: str, of_measure: bool = False) -> pd.DataFrame:
    """Return a property: a table of an object as a DataFrame."""

    def get(self: Result) -> pd.DataFrame:
        return plain(self.data.get(name), self.settings["measure"]["name"] if of_measure else None)

    return cast(Any, property(get, doc=words))


def own(settings: Given) -> Written:
    """Return settings that can be changed without changing those of an object."""
    return copy.deepcopy(dict(settings))


def names(value: str | Sequence[str]) -> list[str]:
    """Return one name or several as a list."""
    return [value] if isinstance(value, str) else list(value)
