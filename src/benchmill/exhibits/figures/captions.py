"""Captions from the templates beside the kinds of figures, and the words that several of them have."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmill.exhibits.figures.panels import band_words
from benchmill.exhibits.figures.sheet import Frame, Sheet
from benchmill.text import display, frames, prose
from benchmill.text.measures import UNKNOWN, Measure


def told(sheet: Sheet, part: str = "", **facts: Any) -> list[str]:
    """Return the sentences of the template beside the module of the kind, or of a part, filled in also by functions below."""
    shared = (algorithms, counted, data_words, frames.only, in_dimension, per_row, span, trial_words)
    known: dict[str, Any] = {function.__name__: function for function in shared}
    known |= {"band_words": partial(band_words, sheet.pens), "sheet": sheet, "rows": sheet.rows}
    return prose.sentences(str(sheet.kind.load().__file__), part, **known, **facts)


def algorithms(sheet: Sheet) -> str:
    """Return `8 algorithms`."""
    return display.plural(sheet.rows["algorithm"].nunique(), "algorithm")


def data_words(sheet: Sheet) -> str:
    """Return `8 algorithms in 4 panels of 24 (evenly chosen)`."""
    alone = len(sheet.parts) == 1 and not sheet.sample_words
    return algorithms(sheet) + ("" if alone else f" in {display.plural(len(sheet.parts), 'panel')}{sheet.sample_words}")


def in_dimension(sheet: Sheet) -> str:
    """Return ` in dimension 5` where one is drawn of several; empty where problems have none."""
    dimension, _ = sheet.single.get("dimension", (None, []))
    return "" if dimension is None else f" in dimension {dimension}"


def span(values: Sequence[Any], form: Any = display.count) -> str:
    """Return `3`, or `3 to 7`, of sorted values."""
    if not values:
        return "no"
    return form(values[0]) if len(values) == 1 else f"{form(values[0])} to {form(values[-1])}"


def counted(values: Sequence[Any], word: str) -> str:
    """Return `1 problem`, or `3 to 7 problems`, of sorted counts."""
    return f"{span(values)} {word if list(values) == [1] else word + 's'}"


def per_row(data: Frame, column: str, word: str) -> str:
    """Return the same of a column of counts."""
    return counted(frames.only(data, column), word)


def trial_words(tables: frames.Data, measure: Measure = UNKNOWN) -> str:
    """Say which trials are missing or left out; empty without any, or without ingest reports."""
    reports = tables.get("ingest") or []
    missing = sum(report["trials"].get("missing") or 0 for report in reports)
    return prose.said(__file__, missing=missing, measure=measure, chosen=reports and (measure.dimensions or measure.exclude))
