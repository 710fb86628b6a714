"""Keep the record of a competition: its published states, and when each claim held. Lines are only appended, never changed.

Each line has the digest of the line before, each state that of the last line of the ledger, and the feed names all states by
their digests: what was changed or taken out is found, the last lines included.
"""

import hashlib
import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmill.core.errors import UserError
from benchmill.text import prose
from benchmill.text.display import plural

State = Mapping[str, Any]

#: What of a state says when it was published, and after what.
_OF_LINE = ("number", "date", "previous", "ledger")
_OLDER = "take the whole folder from an older copy of the site."


def lines(text: str, where: str) -> list[dict[str, Any]]:
    """Read the entries of a file of JSON lines; an invalid line is a UserError."""
    entries = []
    for number, written in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        try:
            entry = json.loads(written)
            same = isinstance(entry, dict) and line(entry) == f"{written}\n"
        except ValueError:
            same = False
        if not same:
            raise UserError(f"{where}:{number}: found no mapping in JSON as it was written; {_OLDER}")
        entries.append(entry)
    return entries


def line(entry: Mapping[str, Any]) -> str:
    """Write an entry as a line; equal entries are equal lines."""
    return json.dumps(entry, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def digest(entry: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the line of an entry."""
    return hashlib.sha256(line(entry).encode()).hexdigest()


def checked(states: Sequence[State], where: str) -> None:
    """Raise UserError if a state was changed, taken out or put elsewhere."""
    _chained(states, where, "state")
    for number, state in enumerate(states, 1):
        if state.get("number") != number:
            raise UserError(f"{where}:{number}: the state has not the number {number}, so a line was changed; {_OLDER}")


def _chained(rows: Sequence[State], where: str, what: str) -> None:
    for number, (row, previous) in enumerate(zip(rows, ["", *map(digest, rows)], strict=False), 1):
        if row.get("previous") != previous:
            raise UserError(
                f"{where}:{number}: the {what} does not follow the one before, so a line was changed or is missing; {_OLDER}"
            )


def ledger_checked(ledger: Sequence[State], states: Sequence[State], where: str) -> None:
    """Raise UserError unless each line follows the one before, and each state has the digest of the last line of its time."""
    _chained(ledger, where, "line")
    numbers = [one.get("state") for one in ledger]
    if numbers != sorted(n for n in numbers if isinstance(n, int) and 0 < n <= len(states)):
        raise UserError(f"{where}: its lines are not those of the published states, one after the other; {_OLDER}")
    for state in states:
        known = [one for one in ledger if one["state"] <= state["number"]]
        if state.get("ledger") != (digest(known[-1]) if known else ""):
            raise UserError(f"{where}: it is not the ledger that state {state['number']} was published with; {_OLDER}")


def feed_checked(feed: str, states: Sequence[State], where: str) -> None:
    """Raise UserError unless the published feed names just these states."""
    if re.findall(r"<id>([^<]*)</id>", feed) != ([] if not states else [_named(states[0]), *map(_named, reversed(states))]):
        raise UserError(
            f"{where}: it does not name the {plural(len(states), 'state')} of states.jsonl, so one was changed; {_OLDER}"
        )


def _named(state: State) -> str:
    """Return the name of a state in the feed."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest(state))}"


def with_ledger(state: State, ledger: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the state with the digest of the last line of the ledger that is published with it."""
    return {**state, "ledger": digest(ledger[-1]) if ledger else ""}


def followed(states: Sequence[State], content: Mapping[str, Any], day: str) -> dict[str, Any] | None:
    """Return the state that follows with this content, or None where the last one has the same."""
    if states and {key: value for key, value in states[-1].items() if key not in _OF_LINE} == dict(content):
        return None
    if states and day < states[-1]["date"]:
        raise UserError(f"--date: {day} is before the last published state ({states[-1]['date']}); give a later day.")
    return {"number": len(states) + 1, "date": day, "previous": digest(states[-1]) if states else "", **content}


def altered(before: State | None, after: State) -> list[str]:
    """Tell the entries that came, changed or went between two states."""
    old, new = ({} if state is None else state["entries"] for state in (before, after))

    def called(key: str) -> str:
        return str((new.get(key) or old[key])["name"])

    changes = [f"{called(key)} came" for key in new if key not in old and not new[key]["withdrawn"]]
    for key in new:
        if key in old and new[key] != old[key]:
            turned = {word: new[key].get(word) and not old[key].get(word) for word in ("disqualified", "withdrawn", "set_aside")}
            words = next((word.replace("_", " ") for word, so in turned.items() if so), "")
            changes.append(f"{called(key)} {f'was {words}' if words else 'changed'}")
    return [*changes, *(f"{called(key)} went" for key in old if key not in new)]


def ledger_lines(
    ledger: Sequence[Mapping[str, Any]], claims: Iterable[Mapping[str, Any]], state: State, entries: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the lines that follow the ledger.

    What a state, with `entries` that changed in words, changes in the claims of a study.

    There is one for each claim that is new, not made any more, or holds otherwise or in other conventions than before. Its
    `event` is `holds`, `does not hold`, `ended` (it held before), `began` (it did not), `conventions` or `not claimed`.
    """
    last = {(entry["claim"], entry["measure"]): entry for entry in ledger}
    now = {(claim["claim"], claim["measure"]): claim for claim in claims}
    shared = {"state": state["number"], "date": state["date"], "entries": list(entries)}
    following = []
    for key, claim in now.items():
        old = last.get(key)
        if old is None or old["event"] == "not claimed":
            event = "holds" if claim["holds"] else "does not hold"
        elif old["holds"] != claim["holds"]:
            event = "began" if claim["holds"] else "ended"
        elif (old["holding"], old["counted"]) != (claim["holding"], claim["counted"]):
            event = "conventions"
        else:
            continue
        following.append({**shared, "event": event, **claim})
    gone = {"event": "not claimed", "holds": False, "holding": 0, "counted": 0, "text": ""}
    following += [
        {**shared, "claim": old["claim"], "measure": old["measure"], **gone}
        for key, old in last.items()
        if key not in now and old["event"] != "not claimed"
    ]
    whole = [dict(one) for one in ledger]
    for one in following:
        whole.append({**one, "previous": digest(whole[-1]) if whole else ""})
    return whole[len(ledger) :]


def told(entry: Mapping[str, Any]) -> str:
    """Tell a line of the ledger in a sentence."""
    return prose.said(__file__, "Ledger", entry=entry)


def feed(title: str, states: Sequence[State], sentences: Mapping[int, Sequence[str]]) -> str:
    """Return all states as an Atom feed, the last one first, with the sentences on each by its number."""
    return prose.whole(__file__, "Feed", title=title, states=states, named=_named, sentences=sentences)
