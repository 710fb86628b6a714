"""Carry large tables as data, which the page builds when a reader opens them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmill.report.arrays import Store
from benchmill.text import display, labels
from benchmill.text.display import Cell, Table

#: Tables with more cells are carried as data; smaller ones stand in the page, for readers without scripts too.
MOST_CELLS = 500

#: How values are written; the page has the same (`NOTATIONS` in folded.js).
_NOTATIONS: dict[str, Callable[[float], str]] = {
    "number": display.number,
    "number4": lambda value: display.number(value, 4),
    "share": display.share,
    "p": display.p_value,
    "count": lambda value: labels.shown(display.count(value)) if math.isfinite(value) else "",
}


def folded(table: Table) -> str:
    """Pack a table into a block: its words, columns and sections, and by column the kinds of cells and their values."""
    rows = [row for section in table.sections for row in section.rows]
    store = Store()
    content = {
        "title": labels.shown(table.title),
        "caption": labels.shown(table.caption),
        "columns": [
            {"header": labels.shown(c.header), "align": c.align, "meaning": labels.shown(c.meaning), "wrap": c.wrap}
            for c in table.columns
        ],
        "sections": [{"heading": labels.shown(section.heading), "rows": len(section.rows)} for section in table.sections],
        "cells": [_column([row[place] for row in rows], store) for place in range(len(table.columns))],
    }
    return store.packed(content)


def _column(cells: Sequence[Cell], store: Store) -> dict[str, Any]:
    cells = [Cell(labels.shown(cell.text), cell.value, cell.best) for cell in cells]
    notation = max(_NOTATIONS, key=lambda name: sum(_follows(cell, name) for cell in cells[:200]))
    kinds: dict[tuple[str, bool, bool, bool], int] = {}
    kind = []
    for cell in cells:
        written = _follows(cell, notation)
        text = cell.text[len(_NOTATIONS[notation](cell.value)) :] if written and cell.value is not None else cell.text
        kind.append(kinds.setdefault((text, not written, cell.best, cell.value is not None), len(kinds)))
    values = np.array([math.nan if cell.value is None else cell.value for cell in cells], float)
    return {
        "notation": notation,
        "words": [{"text": text, "bare": bare, "best": best, "valued": valued} for text, bare, best, valued in kinds],
        "kind": store.counts(np.array(kind, np.int64)),
        **({"value": store.put(values)} if any(cell.value is not None for cell in cells) else {}),
    }


def _follows(cell: Cell, notation: str) -> bool:
    """Return True if the text of a cell begins with its value so written."""
    if cell.value is None or math.isnan(cell.value):
        return False
    written = _NOTATIONS[notation](cell.value)
    return bool(written) and cell.text.startswith(written)
