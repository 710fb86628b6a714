"""What the tables share: rows as dictionaries, their order, and the words for targets and budgets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.core.natural_order import natural_key
from benchmill.text import display
from benchmill.text.display import Cell


def rows_of(table: pa.Table | None, measure: str | None = None) -> list[dict[str, Any]]:
    """Rows of a table as dictionaries, of one measure where it is given; none for a table that is None."""
    if table is None:
        return []
    if measure is not None:
        table = table.filter(pc.equal(table.column("measure"), measure))
    return schema.rows(table)


def grouped(rows: Iterable[Mapping[str, Any]], keys: Sequence[str]) -> list[tuple[dict[str, Any], list[Mapping[str, Any]]]]:
    """Rows that agree in some keys, in the order of `order`; within a group the order of the rows is kept."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    found = [(dict(zip(keys, values, strict=True)), members) for values, members in groups.items()]
    return sorted(found, key=lambda group: order(group[0]))


def order(group: Mapping[str, Any]) -> list[Any]:
    """Sort key: text in natural order, dimensions and budgets rising, targets falling (easy first), empty first."""
    key: list[Any] = []
    for name, value in group.items():
        if isinstance(value, str):
            key.append((1, 0.0, natural_key(value)))
        elif value is None:
            key.append((0, 0.0, ()))
        else:
            key.append((1, -value if name == "target" else value, ()))
    return key


def at(group: Mapping[str, Any]) -> str:
    """`target 10⁻⁸`, `budget 1000`, `dimension 5, target 1` or `all problems`."""
    parts = []
    if group.get("stratum") is not None:
        parts.append(str(group["stratum"]))
    if group.get("dimension") is not None:
        parts.append(f"dimension {group['dimension']}")
    if group.get("target") is not None:
        parts.append(f"target {display.target(group['target'])}")
    if group.get("at_budget") is not None:
        parts.append(f"budget {display.target(group['at_budget'])}")
    return ", ".join(parts) or "all problems"


def name_cell(name: str | None, shown: Mapping[str, str] | None = None, limit: int = 32) -> Cell:
    """A cell with a name from a log."""
    if name is None:
        return Cell(display.ABSENT)
    return Cell((shown or display.short_names([name], limit))[name])


def best_of(values: Iterable[float | None], smallest: bool = True) -> float | None:
    """The best finite value, unrounded; None where there is none."""
    finite = [v for v in values if v is not None and math.isfinite(v)]
    return (min(finite) if smallest else max(finite)) if finite else None
