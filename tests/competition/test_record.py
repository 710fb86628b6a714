"""The record: nothing of it can be changed unseen, and it says which entry ended a claim."""

import copy
import datetime
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmill import cli
from benchmill.competition import exhibits, options, record
from benchmill.competition import site as competition
from benchmill.core import UserError


def content(**entries):
    usual = {"version": "", "withdrawn": False}
    return {"entries": {key: {"name": key.upper(), **usual, **more} for key, more in entries.items()}, "standing": []}


def grown(*contents):
    states = []
    for number, one in enumerate(contents, 1):
        states.append(record.with_ledger(record.followed(states, one, f"2026-01-0{number}"), []))
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


def published(site):
    """A record of three states and four lines of the ledger, as `publish` writes it."""
    states, ledger = [], []
    claims = [[claim(True)], [claim(True), claim(False, words="B best")], [claim(False, 1)]]
    for number, (one, said) in enumerate(zip((content(a={}), content(a={}, b={}), content(b={})), claims, strict=True), 1):
        new = record.followed(states, {"study": "cup", **one}, f"2026-01-0{number}")
        ledger += record.ledger_lines(ledger, said, new, [])
        states.append(record.with_ledger(new, ledger))
    put(site, states, ledger)
    return states, ledger


def put(site, states, ledger, feed=True):
    site.mkdir(exist_ok=True)
    (site / "states.jsonl").write_text("".join(map(record.line, states)))
    (site / "ledger.jsonl").write_text("".join(map(record.line, ledger)))
    if feed:
        (site / "feed.xml").write_text(record.feed("Cup", states, {}) if states else "")


def rewritten(states, ledger, change):
    """States and ledger of which one was changed, with every digest made anew."""
    states, ledger = copy.deepcopy(states), copy.deepcopy(ledger)
    change(states, ledger)
    for rows in (ledger, states):
        for n, row in enumerate(rows):
            row["previous"] = record.digest(rows[n - 1]) if n else ""
            if rows is states:
                row["ledger"] = record.with_ledger(row, [one for one in ledger if one["state"] <= row["number"]])["ledger"]
    return states, ledger


CHANGES = {
    "the last state": lambda s, e: s[-1].update(standing=[{"name": "eve"}]),
    "the day of the last state": lambda s, e: s[-1].update(date="2026-01-09"),
    "the first state": lambda s, e: s[0].update(standing=[{"name": "eve"}]),
    "a state taken out": lambda s, e: (s.pop(), e.pop(), e.pop()),
    "a state put in": lambda s, e: s.append({**s[-1], "number": 4}),
    "the last line": lambda s, e: e[-1].update(event="holds"),
    "the first line": lambda s, e: e[0].update(text="eve"),
    "a line taken out": lambda s, e: e.pop(),
    "a line put in": lambda s, e: e.append({**e[-1], "claim": "eve best"}),
    "the whole ledger": lambda s, e: e.clear(),
    "everything": lambda s, e: (s.clear(), e.clear()),
}


@pytest.mark.parametrize("digests", [False, True], ids=["as it is", "with its digests"])
@pytest.mark.parametrize("what", CHANGES)
def test_a_record_that_was_changed_stops_the_next_publish(tmp_path, what, digests):
    site = tmp_path / "site"
    states, ledger = published(site)
    assert competition.record_in(site, "cup")[:2] == (states, ledger)
    if digests:
        states, ledger = rewritten(states, ledger, CHANGES[what])
    else:
        CHANGES[what](states, ledger)
    put(site, states, ledger, feed=False)
    with pytest.raises(UserError, match="take the whole folder from an older copy"):
        competition.record_in(site, "cup")
    # one without the feed, or without the record, is none either
    published(site)
    (site / "feed.xml").unlink()
    with pytest.raises(UserError, match="it does not name the 3 states"):
        competition.record_in(site, "cup")


@pytest.mark.parametrize("what", sorted({*CHANGES} - {"a state put in"}))  # that is how the record grows
def test_a_record_that_was_rewritten_as_a_whole_is_told_by_git(tmp_path, what):
    """States, ledger and feed fit each other; what was committed once is not there any more, now or since a later commit."""
    site = tmp_path / "site"

    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@localhost", *arguments], cwd=site, check=True)

    states, ledger = published(site)
    git("init", "-q")
    competition.record_in(site, "cup")
    for name in ("states.jsonl", "ledger.jsonl", "feed.xml"):
        git("add", name)
        git("-c", "commit.gpgsign=false", "commit", "-q", "-m", name)
    assert competition.record_in(site, "cup")[:2] == (states, ledger)
    put(site, *rewritten(states, ledger, CHANGES[what]))
    with pytest.raises(UserError, match=r"(states|ledger)\.jsonl: git has lines of it that are now missing"):
        competition.record_in(site, "cup")
    (site / ".gitattributes").write_text("*.jsonl -diff\n")
    git("add", "-A")
    git("-c", "commit.gpgsign=false", "commit", "-q", "-m", "rewritten")
    with pytest.raises(UserError, match=r"(states|ledger)\.jsonl: git has lines of it that are now missing"):
        competition.record_in(site, "cup")


def test_a_record_of_which_git_knows_no_past_is_not_called_whole(tmp_path, capsys):
    """Without commits, or with the last ones alone, as forges fetch them, a record rewritten as a whole looks as any other."""
    site, clone = tmp_path / "site", tmp_path / "clone"
    states, ledger = published(site)
    assert cli.main(["verify-site", str(site)]) == 1
    assert "so whether all of it was rewritten cannot be checked" in capsys.readouterr().out

    def git(*arguments):
        settings = ("user.name=x", "user.email=x@localhost", "commit.gpgsign=false")
        subprocess.run(["git", *(word for one in settings for word in ("-c", one)), *arguments], cwd=site, check=True)

    git("init", "-q")
    assert cli.main(["verify-site", str(site)]) == 1
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    assert cli.main(["verify-site", str(site)]) == 0
    put(site, *rewritten(states, ledger, CHANGES["the last state"]))
    git("commit", "-q", "-a", "-m", "rewritten")
    git("clone", "-q", "--depth", "1", f"file://{site}", str(clone))
    assert cli.main(["verify-site", str(clone)]) == 2
    assert "git has only its last commits here" in capsys.readouterr().err


def test_who_is_disqualified_is_or_was_an_entry(tmp_path):
    (tmp_path / "entries/b").mkdir(parents=True)
    struck = {"reason": "It was tuned on the instances.", "date": "2026-01-04"}
    of = SimpleNamespace(config="config.yaml", name="cup", study=SimpleNamespace(title="A cup"), folder=tmp_path / "entries",
                         rules=options.Options(embargo_until="2026-01-05"), entries=list)  # fmt: skip
    now = datetime.datetime(2026, 1, 4, tzinfo=datetime.UTC)
    for key, there in (("b", True), ("a", True), ("B", False)):
        published(site := tmp_path / f"site{key}")
        of.rules = replace(of.rules, disqualified={key: struck})
        if there:
            assert competition.publish(of, site, now) is None
        else:
            with pytest.raises(
                UserError, match=r"studies\.cup\.competition\.disqualified: there is no entry 'B'; did you mean 'b'"
            ):
                competition.publish(of, site, now)


def test_the_record_of_another_competition_is_left_alone(tmp_path):
    published(tmp_path / "site")
    with pytest.raises(UserError, match="it is the record of the competition cup, not of other; give another --site"):
        competition.record_in(tmp_path / "site", "other")
    assert competition.record_in(tmp_path / "none", "other") == ([], [], False)


@pytest.mark.parametrize("text", ['{"a":1}\n', '{"a": 1, "a": 1}\n', '{"a": NaN}\n', '{"a": "\\ud800"}\n', "\n", '{"a": 1}\n\n'])
def test_a_line_is_as_it_was_written(text):
    with pytest.raises(UserError, match="found no mapping in JSON as it was written"):
        record.lines(text, "x")


def test_an_entry_whose_logs_cannot_be_read_is_named_by_its_sheet():
    sheet = {"name": "Fast", "authors": ["A"]}
    usual = competition._last((), "fast", {"fast": sheet})
    assert (usual["name"], usual["authors"], usual["withdrawn"]) == ("Fast", ["A"], False)
    # but for what the last state says, and where its sheet cannot be read either
    assert competition._last([{"entries": {"fast": {"name": "Slow"}}}], "fast", {"fast": sheet})["name"] == "Slow"
    (first, *_) = exhibits.record_blocks({**competition._last((), "fast", {}), "set_aside": "log.csv:5: no."}, None, [], [])
    assert first.sentences == ["State: set aside: log.csv:5: no."]
    assert (
        competition._IN_A_RUN.sub("", "config.yaml: study 'cup': log.csv:5: no. (.snakemake/joblogs/a.log)") == "log.csv:5: no."
    )


def test_what_is_new_of_a_published_entry_is_said():
    last = {"name": "Fast", "sha256": "0"}
    assert competition._since(last, 3, "0", [2, 2]) == "Its logs are those of Fast, published in state 3: place 2."
    assert competition._since(last, 3, "1", ["–", 2]) == "It changes Fast, published in state 3: place – → 2."


def test_no_sheet_hides_that_an_entry_is_disqualified():
    """Its authors may withdraw it, or break its sheet; what the organiser said of it stays."""
    struck = SimpleNamespace(rules=options.Options(disqualified={"fast": {"reason": "Copied.", "date": "2026-07-03"}}))
    said = competition._struck(struck, "fast")
    assert (said, competition._struck(struck, "slow")) == ({"disqualified": "Copied. (2026-07-03)"}, {})
    usual = {"name": "Fast", "version": "1", "authors": ["A"], "sha256": "", "not_competing": False, "newcomer": False}
    for more, state in (
        ({"withdrawn": True, **said}, "disqualified: Copied. (2026-07-03)"),
        ({"withdrawn": False, "set_aside": "There is no sheet.", **said}, "disqualified: Copied. (2026-07-03)"),
        ({"withdrawn": True}, "withdrawn"),
        ({"withdrawn": False, "set_aside": "There is no sheet."}, "set aside: There is no sheet"),
    ):
        (first, *_) = exhibits.record_blocks({**usual, **more}, None, [], [])
        assert first.sentences == [f"Version 1. By A. State: {state}."]
    before, after = grown(content(a={}), content(a={"withdrawn": True, "disqualified": "Copied."}))
    assert record.altered(before, after) == ["A was disqualified"]
