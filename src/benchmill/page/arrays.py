"""Pack data, large tables among them, into blocks of the page: one JSON text and arrays of numbers.

A block is an element `<script type="application/octet-stream" id="...">`. Its text is base 85 (Python's, with a comma for `<`)
of gzip of the length of the JSON text in bytes (uint32), that text, filled up with blanks to a multiple of 8 bytes, and the
arrays as planes of bytes (the first bytes of all numbers, then the second ones, which packs better), little-endian. The text is
`{"content": ..., "arrays": [[kind, length], ...]}`, a kind `d` (float64), `i` (int32), `h` (uint16), `b` (uint8) or `s` (shares
of 1 with four digits: uint16 of ten-thousandths, 65535 for NaN). `blocks.js` opens it.
"""

import base64
import gzip
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmill.core import shown
from benchmill.text import display

#: What the script of the page reads.
Packed = dict[str, Any]

_TYPES = {"d": "<f8", "i": "<i4", "h": "<u2", "b": "|u1", "s": "<u2"}

#: Tables with more cells are carried as data; smaller ones stand in the page, for readers without scripts too.
MOST_CELLS = 500


class Store:
    """The arrays of a block, each once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, bytes], int] = {}

    def put(self, values: npt.ArrayLike, kind: str = "d") -> int:
        """Return the number of the array under which the page finds it; equal arrays have one."""
        planes = np.ascontiguousarray(values, _TYPES[kind]).reshape(-1, 1).view(np.uint8).T.tobytes()
        return self._places.setdefault((kind, planes), len(self._places))

    def counts(self, values: npt.NDArray[np.int64]) -> int:
        """Put numbers from 0 into as few bytes as hold them all."""
        most = values.max(initial=0)
        return self.put(values, "b" if most < 2**8 else "h" if most < 2**16 else "i")

    def shares(self, values: pd.Series) -> int:
        """Put shares of 1 that are drawn, and have no more digits than that takes."""
        return self.put(np.where(values.isna(), 65535, (values.fillna(0.0) * 10_000).round()), "s")

    def packed(self, content: Any) -> str:
        """Return the text of the block; `content` is JSON without infinities and NaN."""
        sizes = [[kind, len(planes) // np.dtype(_TYPES[kind]).itemsize] for kind, planes in self._places]
        text = json.dumps({"content": content, "arrays": sizes}, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
        text += " " * (-(len(text) + 4) % 8)
        block = b"".join([np.array(len(text), "<u4").tobytes(), text.encode("ascii"), *(planes for _, planes in self._places)])
        # the last hundredth of the size would take three times as long as all of it, of a thousand algorithms six times
        return base64.b85encode(gzip.compress(block, 6, mtime=0)).decode("ascii").replace("<", ",")


def folded(table: display.Table) -> str:
    """Pack a table into a block: its words, columns and sections, and by column the kinds of cells and their values."""
    store = Store()
    content = {
        "title": shown(table.title),
        "caption": shown(table.caption),
        "columns": [
            {"header": shown(c.header), "align": c.align, "meaning": shown(c.meaning), "wrap": c.wrap} for c in table.columns
        ],
        "sections": [{"heading": shown(section.heading), "rows": len(section.rows)} for section in table.sections],
        "cells": [_column([row[place] for row in table.rows], store) for place in range(len(table.columns))],
    }
    return store.packed(content)


def _column(cells: Sequence[display.Cell], store: Store) -> Packed:
    kinds: dict[tuple[str, bool, bool], int] = {}
    kind = [kinds.setdefault((shown(cell.text), cell.best, cell.value is not None), len(kinds)) for cell in cells]
    values = np.array([math.nan if cell.value is None else cell.value for cell in cells], float)
    return {
        "words": [{"text": text, "best": best, "valued": valued} for text, best, valued in kinds],
        "kind": store.counts(np.array(kind, np.int64)),
        **({"value": store.put(values)} if any(cell.value is not None for cell in cells) else {}),
    }
