"""The tables and texts of a competition: the check of an entry, standings, records, states and claims."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from benchmill.competition import options, record
from benchmill.core.schema import Facts
from benchmill.exhibits.tables.fields import Field, alone, columns, value
from benchmill.exhibits.tables.forms import MOST_ROWS
from benchmill.registry.criteria import named
from benchmill.text import prose
from benchmill.text.display import ABSENT, Block, Cell, Column, Table, listed
from benchmill.text.frames import Row

#: JSON schema of `ENTRY.json`, the check of an entry.
CHECK: Row = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

# ---- the check of an entry --------------------------------------------------------------------


def check(result: Facts) -> tuple[str, str, list[Block]]:
    """Say whether it can be taken and whose it is, and return what has to be mended, what it would change, what is noted."""
    breaking, noted = ([one["text"] for one in result["findings"] if bool(one["breaks"]) is breaks] for breaks in (True, False))
    # a comment has the first rows: the one that it is about is among them
    late = [row for row in result["moves"][MOST_ROWS - 1 :] if row["name"] == result["name"]]
    rows = [*late, *(row for row in result["moves"] if row not in late)]
    moves = (alone("moves", columns("moves"), rows),) if rows else ()
    blocks = [Block("To mend", breaking), Block("What it would change", result["account"], moves), Block("Noted", noted)]
    title, introduction = (
        prose.said(__file__, part, result=result, breaking=len(breaking)) for part in ("Title", "Introduction")
    )
    return title, introduction, [block for block in blocks if block.sentences or block.tables]


# ---- the site ---------------------------------------------------------------------------------


def standing(rows: Sequence[Row], pages: Mapping[str, str]) -> Table:
    """Return places and the numbers that they go by; `pages` has by name the page of an entry."""
    criteria = [named(name) for name in (rows[0]["values"] if rows else ())]
    fields = [
        *_linked("standing", pages, lambda row: row["place"] == 1),
        *(value(one.symbol, one.name, "") for one in criteria),
    ]
    criteria_words = "; ".join(f"{one.symbol}: {one.words.removesuffix(f' ({one.symbol})')}" for one in criteria)
    return alone("standing", fields, ({**row["values"], **row} for row in rows), criteria=criteria_words)


def _linked(
    table: str,
    pages: Mapping[str, str],
    bold: Callable[[Row], bool] = lambda row: False,
    of: Mapping[str, Callable[[Row], str]] | None = None,
) -> list[Field]:
    """Return the columns of a table whose first has the names of entries, each with its page if it has one."""
    return [
        Field(Column("entry", "l"), lambda row: Cell(row["name"], best=bold(row), page=pages.get(row["name"], ""))),
        *columns(table, of=of)[1:],
    ]


def _status(row: Row) -> str:
    return prose.said(__file__, "State", row=row)


def index_blocks(state: Facts, rule: str, entries: Iterable[Row], pages: Mapping[str, str], notes: Sequence[str]) -> list[Block]:
    """Return the first page: standing and awards by the declared rule, then all entries."""
    nothing = "Nothing can be ranked yet: that takes two entries with runs on the same problems."
    ranked = (standing(state["standing"], pages),) if state["standing"] else ()
    fields = _linked("entries", pages, of={"authors": lambda row: listed(row["authors"]), "state": _status})
    awards = [f"{options.AWARDS[award['award']]}: {listed(award['names'])}; {award['text']}" for award in state["awards"]]
    return [
        Block("Standing", [*notes, rule if ranked else nothing], ranked),
        *([Block("Awards", awards)] if awards else []),
        # with those that do not compete and those that were withdrawn
        Block("Entries", (), (alone("entries", fields, entries),)),
    ]


def record_blocks(row: Row, report: Facts | None, account: Sequence[str], places: Sequence[Row]) -> list[Block]:
    """Return the record of an entry: its state, its runs, and what was irregular in its logs.

    `report` is None if the logs are not read; `account` says what it changes; `places` are its places in the states.
    """
    blocks = [Block("", [prose.said(__file__, "Record", row=row, state=_status(row))])]
    if report is not None:
        irregular = report["irregularities"]
        summary = prose.said(__file__, "Runs", trials=report["trials"], sha256=report["sha256"])
        repaired = alone("irregularities_of_entry", columns("irregularities_of_entry"), irregular)
        blocks.append(Block("Runs", [summary], (repaired,) if irregular else ()))
        if account:
            blocks.append(Block("What it changes", account))
    return [*blocks, Block("Past states", (), (alone("places", columns("places"), places),))]


def states(rows: Sequence[Row], changes_of: Mapping[int, Sequence[str]]) -> Table:
    """Return all published states, the last one first."""
    forms: dict[str, Callable[[Row], str]] = {
        "first": lambda row: listed([one["name"] for one in row["standing"] if one["place"] == 1]) if row["standing"] else ABSENT,
        "what changed": lambda row: " ".join(changes_of.get(row["number"], ())),
        "SHA-256": lambda row: record.digest(row)[:16],
    }
    return alone("states", columns("states", of=forms), reversed(rows))


def ledger(rows: Sequence[Row], sentences: Sequence[str]) -> Table:
    """Return when each claim held, the last event first."""
    events = zip(reversed(rows), reversed(sentences), strict=True)
    return alone("ledger", columns("ledger"), ({**row, "told": sentence} for row, sentence in events))
