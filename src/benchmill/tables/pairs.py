"""The pairs of algorithms that a table shows if there are too many for a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmill.core.natural_order import natural_key
from benchmill.tables.fields import Field
from benchmill.text import display
from benchmill.text.display import Cell

#: A section of a table shows all pairs up to this number: those of 14 algorithms.
MOST = 100

#: Of more, it shows so many of those with one algorithm.
NEAREST = 30

#: What a caption says of it.
WORDS = (
    f"Where a section has more than {MOST} pairs, it shows those of the control, or else of the algorithm that is best over all "
    f"pairs, with the {NEAREST} that come nearest to it; the others are counted."
)


def more(rest: pd.DataFrame, fields: Sequence[Field], file: str, told: Mapping[str, str]) -> list[tuple[Cell, ...]]:
    """Return the row that counts the pairs not shown and says where they are; none where all are shown."""
    left = [Cell(told.get(field.column.header, display.ABSENT)) for field in fields[2:]]
    return [(Cell(f"{display.count(len(rest))} more pairs"), Cell(f"in {file}"), *left)] if len(rest) else []


def apart(rows: pd.DataFrame, effect: pd.Series, control: str | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Part the pairs of a section into those shown and the others, in the order of `rows`; none is left out up to `MOST`.

    Shown are the `NEAREST` by `effect` (how much better the first is) of those with the control, or else with the algorithm of
    the largest sum of effects.
    """
    if len(rows) <= MOST:
        return rows, rows.iloc[:0]
    first, second = (rows[column].astype(str) for column in ("algorithm_a", "algorithm_b"))
    known = effect.fillna(0.0)
    total = known.groupby(first).sum().sub(known.groupby(second).sum(), fill_value=0.0)
    total = total.loc[sorted(total.index, key=natural_key)]
    center = control if control in total.index else str(total.idxmax())
    own = np.flatnonzero((first == center) | (second == center))
    near = own[np.argsort(known.abs().to_numpy()[own], kind="stable")[:NEAREST]]
    chosen = np.isin(np.arange(len(rows)), near)
    return rows[chosen], rows[~chosen]
