"""The record: nothing of it can be changed unseen, and it says which entry ended a claim."""

import xml.etree.ElementTree as ET

import pytest

from benchmill.competition import record
from benchmill.core.errors import UserError


def content(**entries):
    usual = {"version": "", "withdrawn": False}
    return {"entries": {key: {"name": key.upper(), **usual, **more} for key, more in entries.items()}, "standing": []}


def grown(*contents):
    states = []
    for number, one in enumerate(contents, 1):
        states.append(record.followed(states, one, f"2026-01-0{number}"))
    return states


STATES = grown(content(a={}), content(a={}, b={}), content(a={"withdrawn": True}, b={"version": "2"}))


def test_a_chain_of_states():
    record.checked(STATES, "states.jsonl")
    assert [state["number"] for state in STATES] == [1, 2, 3]
    assert STATES[1]["previous"] == record.digest(STATES[0])
    assert record.lines("".join(map(record.line, STATES)), "x") == STATES
    assert record.followed(STATES, content(a={"withdrawn": True}, b={"version": "2"}), "2027-01-01") is None


@pytest.mark.parametrize(
    "changed",
    [
        [{**STATES[0], "date": "2025-01-01"}, *STATES[1:]],
        STATES[1:],
        [STATES[0], STATES[2]],
        [STATES[1], STATES[0], STATES[2]],
        [STATES[0], {**STATES[1], "previous": ""}, STATES[2]],
    ],
)
def test_a_line_that_was_changed_or_taken_out_is_found(changed):
    with pytest.raises(UserError, match=r"states\.jsonl:\d: the state does not follow the one before"):
        record.checked(changed, "states.jsonl")


def test_what_is_no_record():
    with pytest.raises(UserError, match=r"x:2: found no mapping in JSON"):
        record.lines('{"a": 1}\n[1]\n', "x")
    with pytest.raises(UserError, match="is before the last published state"):
        record.followed(STATES, content(), "2025-01-01")


def test_who_came_and_went():
    assert record.altered(None, STATES[0]) == ["A came"]
    assert record.altered(STATES[0], STATES[1]) == ["B came"]
    assert record.altered(STATES[1], STATES[2]) == ["A was withdrawn", "B changed"]
    assert record.altered(STATES[1], STATES[0]) == ["B went"]


def claim(holds, holding=3, counted=5, words="A best"):
    return {"claim": words, "measure": "ert", "holds": holds, "holding": holding, "counted": counted, "text": "…"}


def test_the_ledger_says_which_entry_ended_a_claim():
    ledger = record.ledger_lines([], [claim(True)], STATES[0], ["A came"])
    assert [line["event"] for line in ledger] == ["holds"]
    assert record.ledger_lines(ledger, [claim(True)], STATES[1], ["B came"]) == []
    ledger += record.ledger_lines(ledger, [claim(True, 2)], STATES[1], ["B came"])
    ledger += record.ledger_lines(ledger, [claim(False, 1)], STATES[2], ["C came"])
    ledger += record.ledger_lines(ledger, [claim(True, 1)], STATES[2], ["C went"])
    ledger += record.ledger_lines(ledger, [], STATES[2], ["A was withdrawn"])
    assert [line["event"] for line in ledger] == ["holds", "conventions", "ended", "began", "not claimed"]
    assert record.ledger_lines(ledger, [], STATES[2], []) == []
    again = record.ledger_lines(ledger, [claim(False)], STATES[2], ["D came"])
    assert [line["event"] for line in again] == ["does not hold"]
    assert [record.told(line) for line in ledger] == [
        "“A best” (measure ert) holds, and in 3 of 5 other conventions.",
        "“A best” (measure ert) still holds, and in 2 of 5 other conventions (B came).",
        "“A best” (measure ert) does not hold any more (C came).",
        "“A best” (measure ert) holds from now on, and in 1 of 5 other conventions (C went).",
        "“A best” (measure ert) is not claimed any more (A was withdrawn).",
    ]


def test_the_feed_is_xml_whatever_entries_are_called():
    hostile = '<script>alert(1)</script>]]>&"'
    text = record.feed(hostile, STATES, {1: [hostile]})
    root = ET.fromstring(text)
    atom = "{http://www.w3.org/2005/Atom}"
    assert root.find(f"{atom}title").text == hostile
    entries = root.findall(f"{atom}entry")
    assert [entry.find(f"{atom}title").text for entry in entries] == ["State 3", "State 2", "State 1"]
    assert len({entry.find(f"{atom}id").text for entry in entries}) == 3
    assert entries[-1].find(f"{atom}content").text == hostile
