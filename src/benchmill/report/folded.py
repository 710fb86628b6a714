"""Carry large tables as data, which the page builds when a reader opens them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmill.report.arrays import Store
from benchmill.text import labels
from benchmill.text.display import Cell, Table

#: Tables with more cells are carried as data; smaller ones stand in the page, for readers without scripts too.
MOST_CELLS = 500


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
    kinds: dict[tuple[str, bool, bool], int] = {}
    kind = [kinds.setdefault((labels.shown(cell.text), cell.best, cell.value is not None), len(kinds)) for cell in cells]
    values = np.array([math.nan if cell.value is None else cell.value for cell in cells], float)
    return {
        "words": [{"text": text, "best": best, "valued": valued} for text, best, valued in kinds],
        "kind": store.counts(np.array(kind, np.int64)),
        **({"value": store.put(values)} if any(cell.value is not None for cell in cells) else {}),
    }
