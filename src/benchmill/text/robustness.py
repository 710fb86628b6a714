"""How far claims hold: the table `claims` summed up, for whatever shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import pandas as pd
import pyarrow as pa

from benchmill.text import display
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


def told(claims: Iterable[Held]) -> list[str]:
    """The claims in sentences: one each, but one for all of a headline that put an algorithm before several others alike."""
    found: list[str] = []
    for _, group in groupby(claims, key=_alike):
        own = list(group)
        found.append(own[0].text if len(own) == 1 else _together(own))
    return found


def _alike(one: Held) -> tuple[object, ...]:
    """What claims have in common that one sentence can tell; claims that a study states are told one by one."""
    first = one.rows.iloc[0]
    if first["stated"] or not one.holds or pd.isna(first["other"]) or pd.isna(first["p_adjusted"]):
        return (one.claim,)
    return (first["algorithm"], one.measure, first["kind"], first["criterion"])


def _together(claims: Sequence[Held]) -> str:
    """Claims that all hold by the primary analysis, of one algorithm over several others by the same criterion."""
    first = claims[0].rows.iloc[0]
    primary = pd.DataFrame([one.rows.iloc[0] for one in claims])
    others = display.listed([str(name) for name in primary["other"]])
    low, high = (display.number(float(primary["effect"].agg(end))) for end in ("min", "max"))
    effects = low if low == high else f"{low} to {high}"
    rows = pd.concat([one.rows.iloc[1:] for one in claims])
    counted = rows[rows["same_as"].isna() & rows["holds"].notna()]
    failing = counted[~counted["holds"].astype(bool)]
    holding = f"{display.count(len(counted) - len(failing))} of {display.plural(len(counted), 'case')}"
    text = (
        f"Claims “{first['algorithm']} better than {others}” (made from the headline, after the data were seen), measure "
        f"{display.words(claims[0].measure)}: all hold by the primary analysis ({first['criterion']} {effects}, adjusted p "
        f"{display.p_phrase(float(primary['p_adjusted'].max()))}), and in {holding} under other conventions"
    )
    counts = failing["convention"].astype(str).value_counts()
    named = [f"“{words}” ({display.plural(int(n), 'claim')})" for words, n in counts.items()]
    return f"{text}; not under {display.listed(named, limit=4)}." if named else f"{text}."


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
