"""What the figures share about panels: choosing rows, naming, arranging, and the legend below."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D

from benchmill.core.errors import UserError
from benchmill.figures import frames, style
from benchmill.text import display, variants
from benchmill.text.appearance import Look, appearance, faded

#: The most curves named at their ends; more go into a legend below.
MOST_DIRECT_LABELS = 16
#: Of more curves than that only the best so many stand out, unless the study says which.
MOST_HIGHLIGHTED = 10


def looks(table: pd.DataFrame, tables: Mapping[str, Any]) -> dict[str, Look]:
    """The look of every algorithm: among those of `family`, where it is given (see `appearance.family`), else of the reports."""
    known = tables.get("family") or [name for report in tables.get("ingest") or [] for name in report["algorithms"]]
    return appearance([*known, *frames.algorithms(table)])


def highlighted(looks: Mapping[str, Look], order: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Look]:
    """The looks of the algorithms of a figure, of which those that are not highlighted are faded.

    Parameters
    ----------
    looks : mapping
        Of every algorithm, as by `looks`.
    order : sequence of str
        The algorithms of the figure, best first.
    settings : mapping
        `highlight`: names, or the number of the best; by default all up to `MOST_DIRECT_LABELS`, else the best
        `MOST_HIGHLIGHTED`.

    Returns
    -------
    dict
        In the given order; the highlighted ones have the looks that they have everywhere.

    Raises
    ------
    UserError
        A name to highlight is of no algorithm of the study.
    """
    wanted = settings.get("highlight")
    if wanted is None:
        wanted = len(order) if len(order) <= MOST_DIRECT_LABELS else MOST_HIGHLIGHTED
    if isinstance(wanted, int):
        wanted = order[:wanted]
    for name in wanted:
        if name not in looks:
            raise UserError(
                f"appearance.highlight: found {name!r}, expected algorithms of the study ({display.listed(list(looks), 'or')}); "
                "choose among these."
            )
    return {name: looks[name] if name in wanted else faded(looks[name]) for name in order}


def highlight_words(chosen: Mapping[str, Look], settings: Mapping[str, Any]) -> str:
    """The sentence of a caption about algorithms that are faded; empty where none is."""
    n = sum(look.faded for look in chosen.values())
    if not n:
        return ""
    which = "as named in the study" if isinstance(settings.get("highlight"), list | tuple) else "those that end best"
    return f"Highlighted: {display.plural(len(chosen) - n, 'algorithm')}, {which}; thin and grey: {display.plural(n, 'other')}."


def deciding(comparisons: pd.DataFrame, method: str | None = None) -> pd.DataFrame:
    """The rows of one comparison of all pairs: of the first method of the study unless told, with its first correction."""
    for column, wanted in (("method", method), ("correction", None)):
        if not comparisons.empty:
            comparisons = frames.rows_of(comparisons, {column: wanted or comparisons[column].iloc[0]})
    return comparisons


def compared(tables: Mapping[str, Any], settings: Mapping[str, Any], kind: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of `ranks` and of `comparisons` (see `deciding`) of the measure that a figure of this kind shows.

    Raises
    ------
    UserError
        There are none.
    """
    name = settings["measures"][0]["name"]
    ranks = frames.rows_of(tables["ranks"], {"measure": name})
    pairs = deciding(frames.rows_of(tables["comparisons"], {"measure": name}), settings.get("method"))
    if ranks.empty or pairs.empty:
        raise nothing_to_draw(kind, f"measure {name!r}")
    return ranks, pairs


def name_of(group: Mapping[str, Any]) -> str:
    """Heading of a panel: `5-D, target 10⁻⁸`."""
    parts = []
    if group.get("group") is not None:
        parts.append(next(iter(display.short_names([group["group"]], 40).values())))
    if group.get("problem") is not None:
        parts.append(next(iter(display.short_names([group["problem"]], 24).values())))
    if group.get("instance") is not None:
        parts.append(f"instance {next(iter(display.short_names([group['instance']], 12).values()))}")
    if group.get("stratum") is not None:
        parts.append(str(group["stratum"]))
    if group.get("dimension") is not None:
        parts.append(f"{group['dimension']}-D")
    if group.get("target") is not None:
        parts.append(f"target {display.target(group['target'])}")
    if group.get("at_budget") is not None:
        parts.append(f"budget {display.target(group['at_budget'])}")
    if not parts and group.get("suite") is not None:
        parts.append(next(iter(display.short_names([group["suite"]], 24).values())))
    return ", ".join(parts)


def heading(group: Mapping[str, Any], groups: Sequence[Any]) -> str:
    """What tells a panel from the others (see `name_of`): `all problems` without a name, nothing where the panel is alone."""
    return name_of(group) or ("all problems" if len(groups) > 1 else "")


def rows_of_profiles(table: pd.DataFrame, settings: Mapping[str, Any], kind: str) -> pd.DataFrame:
    """Rows of the measures and variants that a figure is asked to show."""
    measures = {measure["name"] for measure in settings["measures"]}
    profiles = {variant["name"] for variant in settings["profiles"]}
    rows = table[table["measure"].isin(measures) & table["variant"].isin(profiles)]
    if rows.empty:
        raise nothing_to_draw(kind, f"any variant of {display.listed(sorted(measures), 'or')}")
    return rows


def title_of(group: Mapping[str, Any], groups: list[dict[str, Any]], settings: Mapping[str, Any]) -> str:
    """What tells a panel from the others: measure, variant, dimension, target."""
    parts = [display.words(group["measure"])] if len({g["measure"] for g in groups}) > 1 else []
    if len({g["variant"] for g in groups}) > 1:
        parts.append(next(variants.title(v) for v in settings["profiles"] if v["name"] == group["variant"]))
    if name_of(group):
        parts.append(name_of(group))
    return ", ".join(parts) or heading({}, groups)


def arrangement(n: int, settings: Mapping[str, Any], columns: int | None = None) -> tuple[int, int]:
    """Rows and columns for `n` panels: as many as fit the text width, filled evenly."""
    most = columns or (2 if style.PRESETS[settings.get("width") or "ieee"]["text"] < 5 else 4)
    rows = math.ceil(n / most)
    return rows, math.ceil(n / rows)


def legend_below(
    figure: Figure, order: Sequence[Look], settings: Mapping[str, Any], axis_label: str = "", more: Sequence[Any] = ()
) -> None:
    """One legend under all panels, in the given order, as wide as the figure allows; above it the label of the panels' axis.

    Faded algorithms share one entry, the last but for the handles `more`.
    """
    order = [look for look in order if not look.faded] + _others(order)
    texts = [look.label for look in order] + [str(handle.get_label()) for handle in more]
    size = style.points(settings) - 1
    longest = max((len(t) for t in texts), default=1)
    columns = max(1, min(len(texts), int(figure.get_size_inches()[0] * 72 / (size * (0.5 * longest + 4.6)))))
    rows = math.ceil(len(texts) / columns)
    columns = math.ceil(len(texts) / rows)
    handles = [style.line_handle(look) for look in order]
    if more and rows > 1:
        handles += [Line2D([], [], linestyle="none", label=" ")] * (-len(handles) % columns)
    handles += list(more)
    near: dict[str, Any] = {"columnspacing": 1.2, "handletextpad": 0.5, "borderpad": 0.0, "borderaxespad": 0.2}
    legend = figure.legend(handles=_by_row(handles, columns), loc="outside lower center", ncols=columns, **near)
    if axis_label:
        legend.set_title(axis_label, prop=FontProperties(size=style.points(settings)))


def legend_height(n: int, longest: int, width: float, settings: Mapping[str, Any]) -> float:
    """Height in inches that `legend_below` takes."""
    size = style.points(settings) - 1
    columns = max(1, min(n, int(width * 72 / (size * (0.5 * longest + 4.6)))))
    return math.ceil(n / columns) * size * 1.45 / 72 + 0.1


def _others(order: Sequence[Look]) -> list[Look]:
    """The entry of all faded algorithms together."""
    faint = [look for look in order if look.faded]
    return [replace(faint[0], label=display.plural(len(faint), "other"))] if faint else []


def _by_row(handles: list[Any], columns: int) -> list[Any]:
    """Matplotlib fills a legend column by column; this order makes it read row by row."""
    return [handles[i] for column in range(columns) for i in range(column, len(handles), columns)]


def nothing_to_draw(kind: str, what: str) -> UserError:
    """The error of a figure without rows."""
    return UserError(
        f"figures: {kind}: found no rows for {what}, expected at least one; where no problem has a trial of every algorithm, set "
        "missing: failure for the measure, else check the study's measures and variants."
    )
