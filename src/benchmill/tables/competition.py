"""The tables and texts of a competition: the check of an entry, standings, records, states and claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmill.registry.criteria import CRITERIA
from benchmill.tables.fields import Field, Row, numbers, plain, said, words
from benchmill.text.display import Block, Cell, Column, Table, count, listed, plural

#: JSON schema of `ENTRY.json`, the check of an entry.
CHECK: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

Found = Mapping[str, Any]

#: What an award is called.
AWARDS = {
    "largest_contribution": "Largest contribution",
    "biggest_lead": "Biggest lead",
    "best_newcomer": "Best newcomer",
}


# ---- the check of an entry --------------------------------------------------------------------


def check_title(found: Found) -> str:
    """Say whether the entry can be taken."""
    if found["withdrawn"]:
        return f"{found['name']}: withdrawn"
    breaks = sum(finding["breaks"] for finding in found["findings"])
    return f"{found['name']}: {plural(breaks, 'thing')} to mend" if breaks else f"{found['name']}: it can be taken"


def check_said(found: Found) -> str:
    """Say whose entry it is, and what was looked at."""
    version = f" {found['version']}" if found["version"] else ""
    aside = ", not competing" if found["not_competing"] else ""
    logs = found["logs"]
    held = f"{plural(logs['trials'], 'run')} on {plural(logs['problems'], 'problem')}" if logs else "its logs were not read"
    return f"{found['name']}{version} by {listed(found['authors'])}{aside}; {held}; checked on {found['date']}."


def check_blocks(found: Found) -> list[Block]:
    """Return what has to be mended, what the entry would change, and what is only noted."""
    breaking = [finding["text"] for finding in found["findings"] if finding["breaks"]]
    noted = [finding["text"] for finding in found["findings"] if not finding["breaks"]]
    every = [
        Block("To mend", breaking),
        Block("What it would change", found["account"], (moves(found["moves"]),) if found["moves"] else ()),
        Block("Noted", noted),
    ]
    return [block for block in every if block.sentences or block.tables]


def moves(rows: Sequence[Row]) -> Table:
    """Return the places of all without and with an entry."""
    fields = [said("entry", "name"), numbers("without", "before", form=count), numbers("with", "after", form=count)]
    return plain("moves", "Places without and with the entry", "By the rule of the competition.", fields, rows)


# ---- the site ---------------------------------------------------------------------------------


def standing(rows: Sequence[Row], pages: Mapping[str, str]) -> Table:
    """Return places and the numbers that they go by; `pages` has by name the page of an entry."""
    criteria = list(rows[0]["values"]) if rows else []
    fields = [
        _linked("entry", pages, lambda row: row["place"] == 1),
        numbers("place", "place", form=count),
        *(numbers(CRITERIA[name].symbol, name) for name in criteria),
    ]
    caption = "; ".join(f"{CRITERIA[name].symbol}: {CRITERIA[name].words}" for name in criteria)
    return plain("standing", "Standing", f"{caption}.", fields, ({**row["values"], **row} for row in rows))


def awards(given: Sequence[Row]) -> list[str]:
    """Return the awards, a sentence each."""
    return [f"{AWARDS[award['award']]}: {listed(award['names'])}; {award['text']}" for award in given]


def entries(rows: Sequence[Row], pages: Mapping[str, str]) -> Table:
    """Return all entries, with those that do not compete and those that were withdrawn."""
    authors = words("authors", lambda row: listed(row["authors"]), wrap=True)
    fields = [_linked("entry", pages), said("version"), authors, words("state", _status)]
    return plain("entries", "Entries", "Each has a page with its record.", fields, rows)


def _linked(header: str, pages: Mapping[str, str], bold: Callable[[Row], bool] = lambda row: False) -> Field:
    return Field(Column(header, "l"), lambda row: Cell(row["name"], best=bold(row), page=pages[row["name"]]))


def _status(row: Row) -> str:
    if row["withdrawn"]:
        return "withdrawn"
    return "not competing" if row["not_competing"] else "newcomer" if row["newcomer"] else "competing"


def index_blocks(site: Found) -> list[Block]:
    """Return the first page: standing and awards by the declared rule, then all entries."""
    state = site["state"]
    rule = (
        [site["rule"]]
        if state["standing"]
        else ["Nothing can be ranked yet: that takes two entries with runs on the same problems."]
    )
    return [
        Block("Standing", rule, (standing(state["standing"], site["pages"]),) if state["standing"] else ()),
        *([Block("Awards", awards(state["awards"]))] if state["awards"] else []),
        Block("Entries", (), (entries(site["entries"], site["pages"]),)),
    ]


def record_blocks(row: Row, record: Found | None, places: Sequence[tuple[int, str, int | None]]) -> list[Block]:
    """Return the record of an entry: its state, its runs, what was irregular in its logs, and where it leads.

    `row` is the entry in the last state that has it; `record` has `report`, `account` and `leads`, and is None if its logs are
    not read; `places` are number and day of each state that has it, and its place there.
    """
    version = f"Version {row['version']}. " if row["version"] else ""
    blocks = [Block("", [f"{version}By {listed(row['authors'])}. State: {_status(row)}."])]
    if record is not None:
        trials = record["report"]["trials"]
        blocks.append(
            Block(
                "Runs",
                [
                    f"{trials['found']} of {plural(trials['expected'], 'expected run')} are there; {trials['solved']} solved, "
                    f"{trials['failed']} failed, as the logs say. SHA-256 of the logs: {record['report']['sha256']}."
                ],
                (_irregularities(record["report"]["irregularities"]),) if record["report"]["irregularities"] else (),
            )
        )
        if record["account"]:
            blocks.append(Block("What it changes", record["account"]))
        if record["leads"]:
            blocks.append(Block("Where it leads", (), (_leads(record["leads"]),)))
    rows = (dict(zip(("state", "date", "place"), one, strict=True)) for one in places)
    fields = [said("state"), said("date"), numbers("place", "place", form=count)]
    states = plain("places", "Places", "In each published state that has it.", fields, rows)
    return [*blocks, Block("Past states", (), (states,))]


def _irregularities(rows: Sequence[Row]) -> Table:
    caption = "What had to be repaired, refused or noted when the logs were read."
    often = numbers("how often", "count", form=count)
    fields = [said("rule"), said("outcome"), often, said("meaning", wrap=True)]
    return plain("irregularities", "Irregularities", caption, fields, rows)


def _leads(rows: Sequence[Row]) -> Table:
    caption = "Pairs of problem and target (or budget) on which its cost is smaller than that of all others that compete."
    fields = [said("problem", "division"), numbers("leads", "best", form=count), numbers("of", "pairs", form=count)]
    return plain("leads", "Where it leads", caption, fields, rows)


def states(rows: Sequence[Row], told: Mapping[int, Sequence[str]], digests: Mapping[int, str]) -> Table:
    """Return all published states, the last one first."""

    def first(row: Row) -> str:
        return listed([one["name"] for one in row["standing"] if one["place"] == 1]) if row["standing"] else "–"

    caption = "Each state has the digest of the one before it (states.jsonl), so that none can be changed unseen."
    fields = [
        said("state", "number"),
        said("date"),
        words("first", first),
        words("what changed", lambda row: " ".join(told.get(row["number"], ())), wrap=True),
        words("SHA-256", lambda row: digests[row["number"]][:16]),
    ]
    return plain("states", "Published states", caption, fields, reversed(rows))


def ledger(rows: Sequence[Row], told: Sequence[str]) -> Table:
    """Return when each claim held, the last event first."""
    caption = (
        "Each claim is looked at again with every state, by the primary analysis and in all other conventions (docs/claims.md)."
    )
    found = ({**row, "told": sentence} for row, sentence in zip(reversed(rows), reversed(told), strict=True))
    fields = [said("state"), said("date"), said("what happened", "told", wrap=True)]
    return plain("ledger", "Claims over time", caption, fields, found)
