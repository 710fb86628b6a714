"""Keep the record of a competition: its published states, and when each claim held. Lines are only appended, never changed.

Each line has the digest of the line before, each state that of the last line of the ledger, and the feed names all states by
their digests: what was changed or taken out is found, the last lines included.
"""

import hashlib
import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence

from benchmill.core import UserError
from benchmill.core.schema import Facts, Row
from benchmill.text import prose
from benchmill.text.display import plural

#: What of a state says when it was published, and after what.
_OF_LINE = ("number", "date", "previous", "ledger")
_OLDER = "take the whole folder from an older copy of the site."


def lines(text: str, where: str) -> list[Row]:
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


def line(entry: Facts) -> str:
    """Write an entry as a line; equal entries are equal lines."""
    return json.dumps(entry, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def digest(entry: Facts) -> str:
    """Return the SHA-256 of the line of an entry."""
    return hashlib.sha256(line(entry).encode()).hexdigest()


def checked(states: Sequence[Facts], where: str) -> None:
    """Raise UserError if a state was changed, taken out or put elsewhere."""
    _chained(states, where, "state")
    for number, state in enumerate(states, 1):
        if state.get("number") != number:
            raise UserError(f"{where}:{number}: the state has not the number {number}, so a line was changed; {_OLDER}")


def _chained(rows: Sequence[Facts], where: str, what: str) -> None:
    for number, (row, previous) in enumerate(zip(rows, ["", *map(digest, rows)], strict=False), 1):
        if row.get("previous") != previous:
            raise UserError(
                f"{where}:{number}: the {what} does not follow the one before, so a line was changed or is missing; {_OLDER}"
            )


def ledger_checked(ledger: Sequence[Facts], states: Sequence[Facts], where: str) -> None:
    """Raise UserError unless each line follows the one before, and each state has the digest of the last line of its time."""
    _chained(ledger, where, "line")
    numbers = [one.get("state") for one in ledger]
    if numbers != sorted(n for n in numbers if isinstance(n, int) and 0 < n <= len(states)):
        raise UserError(f"{where}: its lines are not those of the published states, one after the other; {_OLDER}")
    for state in states:
        known = [one for one in ledger if one["state"] <= state["number"]]
        if state.get("ledger") != (digest(known[-1]) if known else ""):
            raise UserError(f"{where}: it is not the ledger that state {state['number']} was published with; {_OLDER}")


def feed_checked(feed: str, states: Sequence[Facts], where: str) -> None:
    """Raise UserError unless the published feed names just these states."""
    if re.findall(r"<id>([^<]*)</id>", feed) != ([] if not states else [_named(states[0]), *map(_named, reversed(states))]):
        raise UserError(
            f"{where}: it does not name the {plural(len(states), 'state')} of states.jsonl, so one was changed; {_OLDER}"
        )


def _named(state: Facts) -> str:
    """Return the name of a state in the feed."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest(state))}"


def with_ledger(state: Facts, ledger: Sequence[Facts]) -> Row:
    """Return the state with the digest of the last line of the ledger that is published with it."""
    return {**state, "ledger": digest(ledger[-1]) if ledger else ""}


def followed(states: Sequence[Facts], content: Facts, day: str) -> Row | None:
    """Return the state that follows with this content, or None where the last one has the same."""
    if states and {key: value for key, value in states[-1].items() if key not in _OF_LINE} == dict(content):
        return None
    if states and day < states[-1]["date"]:
        raise UserError(f"--date: {day} is before the last published state ({states[-1]['date']}); give a later day.")
    return {"number": len(states) + 1, "date": day, "previous": digest(states[-1]) if states else "", **content}


def altered(before: Facts | None, after: Facts) -> list[str]:
    """Tell the entries that came, changed or went between two states."""
    old, new = {} if before is None else before["entries"], after["entries"]
    changes = [f"{one['name']} came" for key, one in new.items() if key not in old and not one["withdrawn"]]
    for key, one in new.items():
        was = old.get(key, one)
        if one != was:
            turned = (word for word in ("disqualified", "withdrawn", "set_aside") if one.get(word) and not was.get(word))
            words = next(turned, "").replace("_", " ")
            changes.append(f"{one['name']} {f'was {words}' if words else 'changed'}")
    return [*changes, *(f"{one['name']} went" for key, one in old.items() if key not in new)]


def ledger_lines(ledger: Sequence[Facts], claims: Iterable[Facts], state: Facts, entries: Sequence[str]) -> list[Row]:
    """Return the lines that follow the ledger.

    What a state, with `entries` that changed in words, changes in the claims of a study.

    There is one for each claim that is new, not made any more, or holds otherwise or in other conventions than before. Its
    `event` is `holds`, `does not hold`, `ended` (it held before), `began` (it did not), `conventions` or `not claimed`.
    """
    last, now = ({(one["claim"], one["measure"]): one for one in some} for some in (ledger, claims))
    whole = list(ledger)
    for key in dict.fromkeys([*now, *last]):
        old, new = last.get(key, _GONE), now.get(key, _GONE)
        if _is_made(old) != _is_made(new):
            event = "not claimed" if _is_made(old) else "holds" if new["holds"] else "does not hold"
        elif old["holds"] != new["holds"]:
            event = "began" if new["holds"] else "ended"
        elif (old["holding"], old["counted"]) != (new["holding"], new["counted"]):
            event = "conventions"
        else:
            continue
        published = {"state": state["number"], "date": state["date"], "entries": list(entries), "event": event}
        following = {"claim": key[0], "measure": key[1], "previous": digest(whole[-1]) if whole else ""}
        whole.append({**new, **published, **following})
    return [dict(one) for one in whole[len(ledger) :]]


#: What the ledger says of a claim that is not made, or not any more.
_GONE: Facts = {"event": "not claimed", "holds": False, "holding": 0, "counted": 0, "text": ""}


def _is_made(claim: Facts) -> bool:
    return claim.get("event") != "not claimed"


def told(entry: Facts) -> str:
    """Tell a line of the ledger in a sentence."""
    return prose.said(__file__, "Ledger", entry=entry)


def feed(title: str, states: Sequence[Facts], sentences: Mapping[int, Sequence[str]]) -> str:
    """Return all states as an Atom feed, the last one first, with the sentences on each by its number."""
    return prose.whole(__file__, "Feed", title=title, states=states, named=_named, sentences=sentences)
