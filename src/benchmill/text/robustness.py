"""The table `claims` summed up: how far claims hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from benchmill.text.frames import Frame, frame


@dataclass(frozen=True)
class Held:
    """A claim, its sentence, whether it holds by the primary analysis, and its rows.

    `holding`, `failing` and `undecidable` count the other conventions that differ on the data.
    """

    claim: str
    measure: str
    text: str
    holds: bool
    holding: int
    failing: int
    undecidable: int
    rows: Frame

    @property
    def everywhere(self) -> bool:
        """Return True if it holds in every convention that can decide."""
        return self.holds and not self.failing

    @property
    def counted(self) -> int:
        """Return how many other conventions differ on the data."""
        return self.holding + self.failing + self.undecidable


def held(table: pa.Table | None, measure: str | None = None) -> Iterator[Held]:
    """Yield the claims of a study in their order, or those about a measure."""
    yield from held_in(frame(table, measure))


def held_in(rows: Frame) -> Iterator[Held]:
    """Yield the same of rows of the table as a data frame."""
    if not len(rows):
        return
    for claim in rows["claim"].unique():
        own = rows[rows["claim"] == claim]
        first, others = own.iloc[0], own.iloc[1:]
        differing = others[others["same_as"].isna()]
        counts = [int(found.sum()) for found in (differing["outcome"] == "holds", differing["holds"].isna())]
        yield Held(
            str(claim),
            str(first["measure"]),
            str(first["text"]),
            bool(first["outcome"] == "holds"),
            counts[0],
            len(differing) - sum(counts),
            counts[1],
            own,
        )
