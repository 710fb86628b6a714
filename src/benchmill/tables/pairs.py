"""The pairs of algorithms that a table shows if there are too many for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmill.core.natural_order import natural_key
from benchmill.tables.fields import Field, Row, lines, spaced
from benchmill.text import display
from benchmill.text.display import Cell, Section
from benchmill.text.frames import Frame, Series, records

#: A section of a table shows all pairs up to this number: those of 14 algorithms.
MOST = 100

#: Of more, it shows so many of those with one algorithm.
NEAREST = 30


def cut(sections: Iterable[Frame]) -> str:
    """Return what a caption says of sections with too many pairs; empty where there are none."""
    words = (
        f"Where a section has more than {MOST} pairs, it shows those of the control, or else of the algorithm that is best over "
        f"all pairs, with the {NEAREST} that come nearest to it; the others are counted."
    )
    return spaced(words if any(len(rows) > MOST for rows in sections) else "")


def section_of_pairs(
    heading: str,
    fields: Sequence[Field],
    rows: Frame,
    effect: Series,
    control: str | None,
    turned: Callable[[Row], Row],
    file: str,
    told: Mapping[str, str],
) -> Section:
    """Return pairs below a heading, those of too many counted in one more row, with `told` below its heads (`{n}` significant).

    `effect` says how much better the first of each pair is; `turned` puts the better one first.
    """
    shown, rest = apart(rows, effect, control)
    found = lines(fields, map(turned, records(shown)))
    if len(rest):
        n = display.count(int(rest["significant"].sum())) if "significant" in rest else ""
        left = (Cell(told.get(field.column.header, display.ABSENT).format(n=n)) for field in fields[2:])
        found.append((Cell(f"{display.count(len(rest))} more pairs"), Cell(f"in {file}"), *left))
    return Section(heading, tuple(found))


def apart(rows: Frame, effect: Series, control: str | None = None) -> tuple[Frame, Frame]:
    """Part the pairs of a section into those shown and the others; none is left out up to `MOST`.

    Shown are the `NEAREST` by `effect` of those with the control, or else with the algorithm of the largest sum.
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


def better_first(row: Mapping[str, Any], effect: float | None) -> tuple[dict[str, Any], int]:
    """Return a pair with the better of the two first, and whether it was turned (-1)."""
    turn = -1 if (effect or 0.0) < 0 else 1
    first, second = (row["algorithm_a"], row["algorithm_b"])[::turn]
    return {**row, "first": first, "second": second}, turn
