"""How far claims hold: the table `claims` summed up, for whatever shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa

from benchmill.text.frames import frame


@dataclass(frozen=True)
class Held:
    """A claim and how far it holds.

    Attributes
    ----------
    claim, measure, text : str
        The claim, the measure that it is about, and the sentence that sums it up.
    holds : bool
        By the primary analysis.
    holding, counted : int
        In how many of so many other conventions it holds, each that differs counted once, without those that cannot decide.
    rows : pandas.DataFrame
        Its rows, the primary analysis first.
    """

    claim: str
    measure: str
    text: str
    holds: bool
    holding: int
    counted: int
    rows: pd.DataFrame

    @property
    def everywhere(self) -> bool:
        """Whether it holds by the primary analysis and in every convention that can decide."""
        return self.holds and self.holding == self.counted


def held(table: pa.Table | None, measure: str | None = None) -> Iterator[Held]:
    """The claims of a study in their order, or those about a measure."""
    yield from held_in(frame(table, measure))


def held_in(rows: pd.DataFrame) -> Iterator[Held]:
    """The same of rows of the table as a data frame."""
    if not len(rows):
        return
    for claim in rows["claim"].unique():
        own = rows[rows["claim"] == claim]
        first, others = own.iloc[0], own.iloc[1:]
        counted = others[others["same_as"].isna() & others["holds"].notna()]
        yield Held(
            str(claim),
            str(first["measure"]),
            str(first["text"]),
            bool(first["outcome"] == "holds"),
            int((counted["outcome"] == "holds").sum()),
            len(counted),
            own,
        )
