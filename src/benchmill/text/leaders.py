"""Who comes first by which criterion, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmill.registry.criteria import CRITERIA
from benchmill.text import display

Row = Mapping[str, Any]


def first(rows: Sequence[Row], criterion: str | None = None) -> list[str]:
    """The algorithms that share the first place by a criterion, by default by the headline; rows of one measure of `leaders`."""
    return [
        row["algorithm"]
        for row in rows
        if row["rank"] == 1 and (row["headline"] if criterion is None else row["criterion"] == criterion)
    ]


def headline(rows: Sequence[Row]) -> str:
    """The criterion that the leader of a measure is named by."""
    return str(next(row["criterion"] for row in rows if row["headline"]))


def sentence(rows: Sequence[Row], shown: Mapping[str, str] | None = None) -> str:
    """Who comes first by the headline, by how much, and who does by criteria that disagree.

    Parameters
    ----------
    rows : sequence of mapping
        Rows of the table `leaders`, of one measure.
    shown : mapping of str to str, optional
        Names as they are shown.
    """
    names, criterion, leading = shown or {}, headline(rows), first(rows)
    own = [row for row in rows if row["criterion"] == criterion]
    if len(leading) == len(own):
        return f"By the {CRITERIA[criterion].words}, no algorithm is ahead of another."
    at = {row["algorithm"]: row for row in own}
    text = f"By the {CRITERIA[criterion].words}, {_named(leading, names)} {'comes' if len(leading) == 1 else 'come'} first "
    text += f"with {_value(at[leading[0]], '95 % interval ')}"
    second = min(row["rank"] for row in own if row["rank"] > 1)
    following = [row["algorithm"] for row in own if row["rank"] == second]
    text += f", before {_named(following, names)} with {_value(at[following[0]])}"
    others: dict[tuple[str, ...], list[str]] = {}
    for name in dict.fromkeys(row["criterion"] for row in rows):
        # what another criterion says too, or only breaks its ties
        if CRITERIA[name].repeats or CRITERIA[name].ranks:
            continue
        leads = first(rows, name)
        if not set(leads) & set(leading):
            others.setdefault(tuple(leads), []).append(f"the {CRITERIA[name].words}")
    if not others:
        return f"{text}; no criterion puts another algorithm first."
    told = [
        f"{_named(who, names)} {'comes' if len(who) == 1 else 'come'} first by {display.listed(by)}" for who, by in others.items()
    ]
    return f"{text}; but the criteria disagree: {'; '.join(told)}."


def _named(algorithms: Sequence[str], shown: Mapping[str, str]) -> str:
    return display.listed([shown.get(name, name) for name in algorithms], limit=4)


def _value(row: Row, words: str = "") -> str:
    """`2.31 (1.9 to 2.7)`, without the interval where there is none."""
    if row["low"] is None:
        return display.number(row["value"])
    return f"{display.number(row['value'])} ({words}{display.number(row['low'])} to {display.number(row['high'])})"
