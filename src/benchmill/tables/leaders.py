"""Who leads by what: for every criterion the algorithms that come first, and how far ahead they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.registry.criteria import CRITERIA
from benchmill.text import display
from benchmill.text import leaders as leading
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import frame, records, short_names


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one section per measure, one row per criterion, that which names the leader first."""
    rows = frame(data["leaders"])
    shown = short_names(data, rows["algorithm"], 24) if len(rows) else {}
    sections = []
    for name in dict.fromkeys(rows["measure"].tolist() if len(rows) else []):
        members = rows[rows["measure"] == name]
        first = members.iloc[0]
        criteria = members.astype({"criterion": str})
        lines = tuple(
            _line(criteria[criteria["criterion"] == criterion], shown)
            for criterion in dict.fromkeys(criteria["criterion"])
            if not CRITERIA[criterion].repeats
        )
        words = f"{display.plural(first['n_problems'], 'problem')}, {display.plural(first['n_clusters'], 'cluster')}"
        sections.append(Section(f"{display.words(name)} ({words})", lines))
    return Table(
        name="leaders",
        title="Who leads by what",
        caption=(
            "Who comes first by each criterion, with the value of the first and of the next. The first criterion of a measure is "
            "the one that the study names its leader by. All problems weigh the same and count at each of several targets or "
            "budgets. Intervals: 95 %, whole clusters drawn again; only means over the problems have one. Ties share a place."
        ),
        columns=(
            Column("criterion", "l", key=True),
            Column("first", "l", "algorithms that share the first place"),
            Column("value", "r", "value of the first"),
            Column("interval", "r", "its interval"),
            Column("next", "l", "algorithms that share the next place"),
            Column("value", "r", "value of the next"),
        ),
        sections=tuple(sections),
        place="statistics",
    )


def _line(members: Any, shown: Mapping[str, str]) -> tuple[Cell, ...]:
    """The row of one criterion."""
    found = records(members.sort_values(["rank", "algorithm"]))
    first, following = ([row for row in found if row["rank"] == rank] for rank in (1, 1 + sum(r["rank"] == 1 for r in found)))
    best = found[0]
    ends = display.ABSENT if best["low"] is None else f"{display.number(best['low'])} to {display.number(best['high'])}"
    after = following[0]["value"] if following else None
    return (
        Cell(CRITERIA[best["criterion"]].words),
        Cell(_named(first, shown), best=best["headline"]),
        Cell(display.number(best["value"]), best["value"]),
        Cell(ends),
        Cell(_named(following, shown) if following else display.ABSENT),
        Cell(display.number(after) if following else display.ABSENT, after),
    )


def _named(rows: list[dict[str, Any]], shown: Mapping[str, str]) -> str:
    return display.listed([shown[row["algorithm"]] for row in rows], limit=3)


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
