"""Who leads by what: for every criterion the algorithms that come first, and how far ahead they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.registry.criteria import CRITERIA
from benchmill.tables.fields import heads, numbers, section, words
from benchmill.text import display
from benchmill.text import leaders as leading
from benchmill.text.display import Table
from benchmill.text.frames import frame, records, short_names


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one section per measure, one row per criterion, that which names the leader first."""
    rows = frame(data["leaders"])
    shown = short_names(data, rows["algorithm"], 24) if len(rows) else {}
    fields = (
        words("criterion", lambda row: CRITERIA[row["criterion"]].words, key=True),
        words(
            "first",
            lambda row: _named(row["first"], shown),
            "algorithms that share the first place",
            bold=lambda row: row["headline"],
        ),
        numbers("value", "value", "value of the first"),
        words("interval", _interval, "its interval", align="r"),
        words("next", lambda row: _named(row["next"], shown), "algorithms that share the next place"),
        numbers("value", "next_value", "value of the next", lambda v: display.ABSENT if v is None else display.number(v)),
    )
    sections = []
    for name in dict.fromkeys(rows["measure"].tolist() if len(rows) else []):
        members = rows[rows["measure"] == name]
        first = members.iloc[0]
        criteria = members.astype({"criterion": str})
        found = [
            _line(criteria[criteria["criterion"] == criterion])
            for criterion in dict.fromkeys(criteria["criterion"])
            if not CRITERIA[criterion].repeats
        ]
        words_of = f"{display.plural(first['n_problems'], 'problem')}, {display.plural(first['n_clusters'], 'cluster')}"
        sections.append(section(f"{display.words(name)} ({words_of})", fields, found))
    return Table(
        name="leaders",
        title="Who leads by what",
        caption=(
            "Who comes first by each criterion, with the value of the first and of the next. The first criterion of a measure is "
            "the one that the study names its leader by. All problems weigh the same and count at each of several targets or "
            "budgets. Intervals: 95 %, whole clusters drawn again; only means over the problems have one. Ties share a place."
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="statistics",
    )


def _line(members: pd.DataFrame) -> dict[str, Any]:
    """The row of one criterion: with the rows of who is first and who comes next."""
    found = records(members.sort_values(["rank", "algorithm"]))
    first, following = ([row for row in found if row["rank"] == rank] for rank in (1, 1 + sum(r["rank"] == 1 for r in found)))
    return {**found[0], "first": first, "next": following, "next_value": following[0]["value"] if following else None}


def _named(rows: list[dict[str, Any]], shown: Mapping[str, str]) -> str:
    return display.listed([shown[row["algorithm"]] for row in rows], limit=3) if rows else display.ABSENT


def _interval(row: Mapping[str, Any]) -> str:
    return display.ABSENT if row["low"] is None else f"{display.number(row['low'])} to {display.number(row['high'])}"


def leader(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Who leads by a measure, in a sentence that names the criterion and those that disagree; nothing where nothing is ranked.

    Parameters
    ----------
    data : mapping
        `leaders`.
    settings : mapping
        `measure` with its `name`.
    """
    rows = frame(data.get("leaders"), settings["measure"]["name"])
    return [leading.sentence(records(rows), short_names(data, rows["algorithm"]))] if len(rows) else []
