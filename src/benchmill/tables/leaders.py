"""Who leads by each criterion, and how far ahead."""

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
        words_of = display.plural(first["n_problems"], "problem")
        sections.append(section(f"{display.words(name)} ({words_of})", fields, found))
    return Table(
        name="leaders",
        title="Who leads by what",
        caption=(
            "Who comes first by each criterion on these data, with the value of the first and of the next. "
            f"{leading.caution(data.get('verdicts')) or 'Nothing is tested.'} The first criterion of a measure is the one that "
            "the study names its leader by. All problems weigh the same and count at each of several targets or budgets. Ties "
            "share a place."
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="statistics",
    )


def _line(members: pd.DataFrame) -> dict[str, Any]:
    found = records(members.sort_values(["rank", "algorithm"]))
    first, following = ([row for row in found if row["rank"] == rank] for rank in (1, 1 + sum(r["rank"] == 1 for r in found)))
    return {**found[0], "first": first, "next": following, "next_value": following[0]["value"] if following else None}


def _named(rows: list[dict[str, Any]], shown: Mapping[str, str]) -> str:
    return display.listed([shown[row["algorithm"]] for row in rows], limit=3) if rows else display.ABSENT


def leader(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Say who leads by a measure, what is shown of it, and which criteria disagree; empty if nothing is ranked."""
    measure = settings["measure"]["name"]
    rows = frame(data.get("leaders"), measure)
    if not len(rows):
        return []
    shown, found = short_names(data, rows["algorithm"]), records(rows)
    return [leading.sentence(found, leading.of_table(leading.first(found), data.get("verdicts"), measure, shown), shown)]
