"""Entries from strangers: what a sheet may say, and that it leads nowhere."""

import datetime
import hashlib
import os
import socket
from dataclasses import replace
from types import SimpleNamespace

import pytest
import yaml

from benchmill import cli
from benchmill.competition import entries, options, site
from benchmill.core import UserError

SHEET = {"name": "Mine", "authors": ["A"], "logs": "logs.csv"}


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "entries"
    made.mkdir()
    (tmp_path / "secret.csv").write_text("secret")
    return made


def enter(study, name, folders, mistakes):
    entries.enter({}, {name: study}, folders, mistakes)


def put(folder, key="mine", **more):
    (folder / key).mkdir(exist_ok=True)
    (folder / key / "logs.csv").write_text("algorithm,problem,cost\nX,p,1\n")
    said = {name: value for name, value in {**SHEET, **more}.items() if value is not None}
    (folder / key / "entry.yaml").write_text(yaml.safe_dump(said))
    return folder / key


def test_a_sheet_and_its_source(folder):
    put(folder, version=1.0)
    entry = entries.read(folder, "mine")
    assert entry.sheet.version == "1.0"
    assert entry.source(options.Options(source={"format": "table"})) == {
        "format": "table",
        "path": "entries/mine/logs.csv",
        "name": "mine",
        "algorithm": "Mine",
    }


@pytest.mark.parametrize(
    "logs",
    [
        "../../secret.csv",
        "../other/logs.csv",
        "sub/../../x",
        "/etc/passwd",
        "~/x",
        "C:\\x",
        "..\\x",
        "*.csv",
        "l{o}gs.csv",
        ".",
        "file:///etc/passwd",
        "http://example.org/x.csv",
        "ftp://example.org/x.csv",
        "s3://bucket/x.csv",
        "https://user:password@example.org/x.csv",
        "coco:bbob/2009/*",
        "coco:https://[x/a#b",
        "github:o/r",
        "https://[x",
        "https://example.org/",
        "https://example.org:999999/x.csv",
        "logs\u202e.csv",
    ],
)
def test_what_logs_may_not_be(folder, logs):
    put(folder, logs=logs, sha256="0" * 64 if ":/" in logs or logs.startswith(("coco:", "github:")) else None)
    with pytest.raises(UserError, match=r"^entries/mine/entry\.yaml: logs: found "):
        entries.read(folder, "mine")


def test_logs_elsewhere_need_a_digest(folder):
    put(folder, logs="https://example.org/x.csv")
    with pytest.raises(UserError, match="sha256: is missing"):
        entries.read(folder, "mine")
    put(folder, logs="https://example.org/x.csv", sha256="0" * 64)
    source = entries.read(folder, "mine").source(options.Options(most_mb=3))
    assert source == {"path": "https://example.org/x.csv", "sha256": "0" * 64, "name": "mine", "algorithm": "Mine", "most_mb": 3}
    assert "most_mb" not in entries.read(folder, "mine").source(options.Options(inside=True))
    put(folder, sha256="0" * 64)
    with pytest.raises(UserError, match="sha256: it is for logs that stand elsewhere"):
        entries.read(folder, "mine")


def test_links_are_not_followed(folder, tmp_path):
    mine = put(folder)
    (mine / "logs.csv").unlink()
    (mine / "logs.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(UserError, match=r"logs: 'logs\.csv' is a link"):
        entries.read(folder, "mine")
    (mine / "sub").symlink_to(tmp_path)
    put(folder, logs="sub/secret.csv")
    with pytest.raises(UserError, match="logs: 'sub' is a link"):
        entries.read(folder, "mine")
    (folder / "linked").symlink_to(mine)
    with pytest.raises(UserError, match="entries/linked: found no folder"):
        entries.read(folder, "linked")
    (mine / "entry.yaml").unlink()
    (mine / "entry.yaml").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(UserError, match=r"there is no file entry\.yaml"):
        entries.read(folder, "mine")


def test_links_and_sizes_of_a_folder(folder):
    mine = put(folder)
    (mine / "more").mkdir()
    (mine / "more" / "x").write_bytes(b"0" * 1000)
    (mine / "more" / "away").symlink_to("/etc")
    if hasattr(os, "mkfifo"):
        os.mkfifo(mine / "pipe")
    size, odd = entries.size_and_links(entries.read(folder, "mine"))
    assert 1000 < size < 2000
    assert odd == ["more/away", *(["pipe"] if hasattr(os, "mkfifo") else [])]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"name": ""}, "name: is empty"),
        ({"name": None}, "name: is missing"),
        ({"name": "M\u200bine"}, "name: found characters that cannot be seen"),
        ({"name": "x" * 81}, "name: "),
        ({"version": "1\u202e"}, "version: found characters that cannot be seen"),
        ({"authors": ["Ada", "\x1b[2J"]}, "authors: found characters that cannot be seen"),
        ({"authors": []}, "authors: is empty"),
        ({"authors": "Ada"}, "authors: found the text"),
        ({"best_known": "../x"}, "best_known: unknown key"),
        ({"format": "table"}, "format: unknown key"),
        ({"withdrawn": "perhaps"}, "withdrawn: found the text"),
        ({"logs": "none.csv"}, r"logs: there is no file or folder 'none\.csv'"),
        ({"logs": "x" * 300}, "logs: there is no file or folder 'xxx"),
    ],
)
def test_what_a_sheet_may_not_say(folder, more, told):
    put(folder, **more)
    with pytest.raises(UserError, match=told) as caught:
        entries.read(folder, "mine")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["[1, 2]", "name: [", "a: &a [*a]", "x: " + "9" * 9999])
def test_what_is_no_sheet(folder, text):
    mine = put(folder)
    (mine / "entry.yaml").write_text(text)
    with pytest.raises(UserError, match=r"entries/mine/entry\.yaml"):
        entries.read(folder, "mine")
    (mine / "entry.yaml").write_text("# " + "x" * 200_000)
    with pytest.raises(UserError, match="it is larger than"):
        entries.read(folder, "mine")


@pytest.mark.parametrize("names", [["ENTRY.yaml"], ["entry.YAML"], ["entry.yaml", "Entry.yaml"]])
def test_a_sheet_has_one_name_and_no_other(folder, names):
    mine = put(folder)
    (mine / "entry.yaml").unlink()
    for name in names:
        (mine / name).write_text(yaml.safe_dump(SHEET))
    with pytest.raises(UserError, match=r"entries/mine: found (ENTRY\.yaml|entry\.YAML|Entry\.yaml), expected one sheet"):
        entries.read(folder, "mine")


@pytest.mark.parametrize("key", ["-rf", "a b", "x{y}", "x" * 65, "é"])
def test_what_a_folder_may_not_be_called(folder, key):
    put(folder, key)
    with pytest.raises(UserError, match="the name of an entry's folder has at most 64 characters, letters"):
        entries.read(folder, key)


def test_names_that_are_nearly_alike_clash(folder):
    put(folder, "a", name="Fast-Solver")
    put(folder, "b", name="fast solver")
    put(folder, "c", name="Another")
    put(folder, "d", name="\uff21nother")
    found, mistakes = entries.all_of(folder)
    assert [entry.key for entry in found] == ["a", "c"]
    assert [mistake.split(":")[0] for mistake in mistakes.values()] == ["b and a", "d and c"]
    # who was there first keeps the name, and both are shown
    found, mistakes = entries.all_of(folder, first=["b"])
    assert [entry.key for entry in found] == ["b", "c"]
    assert "called 'Fast-Solver' and 'fast solver', which are the same or nearly so;" in mistakes["a"]
    assert (
        "'\uff21nother' and 'Another', which are the same or nearly so (\uff21 is FULLWIDTH LATIN CAPITAL LETTER A)"
        in mistakes["d"]
    )


def test_entries_become_sources_and_those_that_do_not_compete_stand_aside(folder, tmp_path):
    put(folder, "a", name="A")
    put(folder, "b", name="B", not_competing=True)
    put(folder, "c", name="C", withdrawn=True, logs="gone.csv")
    study = {"competition": {"source": {"format": "table"}}, "not_competing": ["R"]}
    mistakes = []
    enter(study, "s", [tmp_path], mistakes)
    assert mistakes == []
    assert [source["name"] for source in study["sources"]] == ["a", "b"]
    assert study["not_competing"] == ["R", "B"]
    put(folder, "d", name="D", logs="../a/logs.csv")
    enter(study, "s", [tmp_path], mistakes)
    assert [m.split(":")[0] for m in mistakes] == ["studies.s.competition.entries"]


def test_no_folder_and_no_entry_yet(folder, tmp_path):
    mistakes = []
    enter({"competition": {"entries": "none"}}, "s", [tmp_path], mistakes)
    enter({"competition": {}}, "s", [tmp_path], mistakes)
    assert len(mistakes) == 2
    assert "there is no folder 'none'" in mistakes[0]
    assert "there is no entry in 'entries' yet" in mistakes[1]
    # what is no mapping is for the schema to say
    enter({"competition": 3}, "s", [tmp_path], mistakes)
    enter({"competition": {"entries": 3}}, "s", [tmp_path], mistakes)
    assert len(mistakes) == 2


@pytest.mark.parametrize("flag", ["withdrawn", "not_competing"])
def test_nothing_is_claimed_of_an_entry_that_left(folder, flag):
    put(folder)
    put(folder, "other", name="Other", **{flag: True})
    stated = ["Mine best", "Mine better than Other", "'Other' best", "Mine better than Misspelt", 3, "no claim at all"]
    study = {"competition": {"entries": folder.name}, "claims": list(stated)}
    mistakes = []
    enter(study, "cup", [folder.parent], mistakes)
    assert mistakes == []
    assert study["claims"] == ["Mine best", "Mine better than Misspelt", 3, "no claim at all"]


INSIDE = """
localhost localhost. x.localhost 127.0.0.1 [::1] [::ffff:127.0.0.1] 10.0.0.7 192.168.1.1 169.254.169.254 [fe80::1] 2130706433
0x7f.1 0177.0.0.1 build-server host.internal printer.local router.lan [64:ff9b::7f00:1] [2002:7f00:1::] build.corp 224.0.0.1
"""


@pytest.mark.parametrize("host", INSIDE.split())
def test_logs_stand_at_no_address_inside(folder, host):
    put(folder, logs=f"https://{host}/logs.csv", sha256="0" * 64)
    with pytest.raises(UserError, match="is an internal address; give one that is publicly reachable"):
        entries.read(folder, "mine")
    put(folder, logs=f"coco:https://{host}/archive#2009/A", sha256="0" * 64)
    with pytest.raises(UserError, match=r"is an internal address|found 'coco:"):
        entries.read(folder, "mine")
    put(folder, logs=f"https://{host}/logs.csv", sha256="0" * 64)
    if "[" not in host:  # which are patterns
        assert entries.read(folder, "mine", inside=True).key == "mine"


def test_the_list_of_an_archive_is_asked_of_no_address_inside(folder, monkeypatch, tmp_path):
    """A name of an archive may mean an address inside."""
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("BENCHMILL_MIRROR", raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("10.0.0.7", 443))])
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("connected"))
    put(folder, logs="coco:https://logs.example.org/archive/A.tgz", sha256="0" * 64)
    told = site.unreadable(folder, options.Options(), ())
    assert told == {
        "mine": "logs.example.org means 10.0.0.7, an internal address, which is not contacted; give one that is publicly "
        "reachable."
    }


def test_addresses_that_everybody_can_reach(folder):
    for host in ("example.org", "8.8.8.8", "logs.example.co"):
        put(folder, logs=f"https://{host}/logs.csv", sha256="0" * 64)
        assert entries.read(folder, "mine").key == "mine"


def test_a_version_is_text_and_a_name_has_one_form(folder):
    put(folder)
    (folder / "mine/entry.yaml").write_text("name: Mu\u0308ller\nauthors: [A]\nlogs: logs.csv\nversion: 1.10\n")
    sheet = entries.read(folder, "mine").sheet
    assert (sheet.name, sheet.version) == ("M\u00fcller", "1.10")


def test_a_sealed_entry_has_come_and_is_read_once_its_logs_are_those_that_were_sealed(folder):
    put(folder, sealed=hashlib.sha256(b"algorithm,problem,cost\nX,p,1\n").hexdigest())
    put(folder, "other", name="Other")
    assert not entries.read(folder, "mine").away
    (folder / "mine/logs.csv").unlink()
    assert entries.read(folder, "mine").away
    study = {"competition": {"entries": folder.name}}
    enter(study, "cup", [folder.parent], [])
    assert [source["name"] for source in study["sources"]] == ["other"]
    (folder / "mine/logs.csv").write_text("algorithm,problem,cost\nX,p,0.5\n")
    with pytest.raises(UserError, match=r"sealed: logs\.csv is not the file that was sealed; its SHA-256 is [0-9a-f]{64}"):
        entries.read(folder, "mine")
    (folder / "mine/logs.csv").unlink()
    (folder / "mine/logs.csv").mkdir()
    (folder / "mine/logs.csv/later.csv").write_text("algorithm,problem,cost\nX,p,0.5\n")
    with pytest.raises(UserError, match=r"sealed: logs\.csv is not the file that was sealed; it is a folder"):
        entries.read(folder, "mine")
    put(folder, "far", name="Far", logs="https://example.org/a.csv", sha256="a" * 64, sealed="b" * 64)
    with pytest.raises(UserError, match="sealed: it is for a file beside the sheet, which comes later; leave it out"):
        entries.read(folder, "far")


def test_of_a_sealed_entry_nothing_but_its_logs_may_come_after_the_deadline(folder):
    of = SimpleNamespace(rules=options.Options(deadline="2027-06-30"))
    later = datetime.datetime(2027, 7, 2, tzinfo=datetime.UTC)

    def entry(**sheet):
        (put(folder, **{"sealed": "a" * 64, **sheet}) / "logs.csv").unlink()
        return entries.read(folder, "mine")

    published = site._of_state(of, entry(), None)

    def late(digest, **sheet):
        return bool(site._late(of, entry(**sheet), digest, published, later))

    assert not late(None)
    assert not late("d" * 64)  # its logs have come
    # another file is sealed, or the sheet says something else
    assert late(None, sealed="b" * 64)
    assert late("d" * 64, newcomer=True)
    assert late(None, name="Another one")


def test_entries_take_part_in_some_tracks_and_are_set_aside_or_disqualified(folder, monkeypatch):
    monkeypatch.setenv(entries.SET_ASIDE, "{}")
    put(folder, "a", name="A", tracks=["main"])
    put(folder, "b", name="B", tracks=["main", "fast"])
    put(folder, "c", name="C")
    put(folder, "d", name="c")  # clashes

    def entered(study, **rules):
        found, mistakes = {"competition": {"entries": folder.name, **rules}}, []
        enter(found, study, [folder.parent], mistakes)
        return [source["name"] for source in found["sources"]], found.get("not_competing", []), len(mistakes)

    assert entered("main") == (["a", "b", "c"], [], 1)
    entries.leave_aside("fast", {"d": "a reason"})
    assert entered("fast") == (["b", "c"], [], 0)
    struck = {"b": {"reason": "It was tuned on the instances.", "date": "2026-07-01"}}
    assert entered("fast", disqualified=struck) == (["b", "c"], ["B"], 0)


def test_tracks_are_competitions_of_the_same_folder(folder, monkeypatch, capsys):
    rules = {"main": "entries", "fast": "./entries", "other": "others"}
    studies = {name: {"competition": {"entries": home}} for name, home in rules.items()}
    (folder.parent / "config.yaml").write_text(yaml.safe_dump({"studies": studies}))
    monkeypatch.chdir(folder.parent)
    put(folder, tracks=["other"])
    put(folder, "theirs", name="Theirs", tracks=["fast"])

    def competition(file, name, cores):
        return SimpleNamespace(name=name, rules=options.Options(entries=rules[name]), folder=folder)

    monkeypatch.setattr(site, "Competition", competition)
    monkeypatch.setenv(entries.SET_ASIDE, "{}")
    assert cli.main(["check-entry", "entries/mine", "--study", "main"]) == 2
    assert "tracks: there is no competition 'other'; expected some of fast and main" in capsys.readouterr().err
    assert cli.main(["check-entry", "entries/theirs", "--study", "main"]) == 0
    assert capsys.readouterr().out == "theirs takes no part in main.\n\n"


def test_who_is_left_aside_is_claimed_nothing_of_and_other_competitions_are_not_planned(folder, monkeypatch):
    """Another competition may have entries that cannot be read, and results under embargo."""
    monkeypatch.setenv(entries.SET_ASIDE, "{}")
    for key, name in {"a": "A", "b": "B", "c": "C", "d": "A"}.items():  # the last one clashes
        put(folder, key, name=name)
    entries.leave_aside("cup", {"b": "its costs are 0", "d": "it clashes"})
    claimed = {"competition": {"entries": folder.name}, "claims": ["A better than B", "A better than C", "A best"]}
    studies = {"cup": claimed, "other": {"competition": {"entries": "none"}}, "beside": {"sources": "x.csv"}}
    mistakes = []
    entries.enter(studies, {name: studies[name] for name in ("cup", "other")}, [folder.parent], mistakes)
    assert mistakes == []
    assert list(studies) == ["cup", "beside"]
    assert studies["cup"]["claims"] == ["A better than C", "A best"]


def test_a_limit_of_the_rules_counts_where_the_study_says_nothing(folder):
    put(folder, "a", name="A")
    for primary, limit in (({}, 60.0), ({"limit": None}, 60.0), ({"limit": 30.0}, 30.0)):
        study = {"primary": primary, "competition": {"entries": folder.name, "time_limit": 60}}
        enter(study, "cup", [folder.parent], [])
        assert study["primary"]["limit"] == limit


def test_hidden_problems_count_once_their_list_is_the_one_that_was_announced(tmp_path):
    listed = "3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b  hidden/m9\nm8\n\nm2\n"
    known = {"file": "hidden.txt", "sha256": hashlib.sha256(listed.encode()).hexdigest().upper(), "until": "2027-06-20"}
    rules = options.Options(problems=("m1", "m2"), hidden=known)
    assert entries.with_shown(rules, [tmp_path]) == rules
    (tmp_path / "hidden.txt").write_text(listed)
    shown = entries.with_shown(rules, [tmp_path])
    assert (shown.hidden, shown.problems) == (None, ("m1", "m2", "hidden/m9", "m8"))
    (tmp_path / "hidden.txt").write_text("m3\n")
    with pytest.raises(UserError, match=r"hidden\.txt: it is not the list of hidden problems that was announced; its SHA-256 is"):
        entries.with_shown(rules, [tmp_path])
    with pytest.raises(UserError, match=r"competition\.hidden: it adds problems to `problems`"):
        entries.with_shown(options.Options(hidden=known), [tmp_path])
    for deadline in ("2027-06-20", "2027-06-20T23:59Z", "2027-05-31"):
        with pytest.raises(UserError, match=r"hidden\.until: 2027-06-20 is not before the deadline 2027-0.*; write"):
            entries.with_shown(replace(rules, deadline=deadline), [tmp_path])
    # the day of each zone says nothing: this deadline is half a day before the end of 20 June in UTC, the other one a day after
    with pytest.raises(UserError, match=r"is not before the deadline 2027-06-21T00:00\+14:00"):
        entries.with_shown(replace(rules, deadline="2027-06-21T00:00+14:00"), [tmp_path])
    early = replace(rules, deadline="2027-06-20T23:59-12:00", hidden={**known, "until": "2027-06-20T00:00Z"})
    assert entries.with_shown(early, [tmp_path / "none"]).hidden
    assert entries.with_shown(replace(rules, deadline="2027-06-21"), [tmp_path / "none"]).hidden
    assert entries.with_shown(options.Options(), [tmp_path]) == options.Options()


@pytest.mark.parametrize(
    ("bad", "published", "most"),
    [
        ({"c"}, "ab", 6),
        ({"c"}, "", 7),
        ({"a", "f"}, "", 12),
        ({"b", "e"}, "abcdef", 12),
        # these cannot be read together, and who came later is named
        ({"be"}, "ae", 8),
        ({"be"}, "ab", 8),
        (set("abcdef"), "", 13),
    ],
)
def test_who_stops_the_results_is_named_in_few_tries(folder, monkeypatch, bad, published, most):
    monkeypatch.setenv(entries.SET_ASIDE, "{}")
    tries = []

    class Made:
        def __init__(self, config, name, cores):
            self.config, self.name, self.cores = config, name, cores

        def entries(self):
            return [SimpleNamespace(key=key, away=False) for key in "abcdef" if key not in entries.left_aside().get("cup", {})]

        def run(self, results):
            assert results == ["leaders"]
            there = {one.key for one in self.entries()}
            tries.append(there)
            if any(set(one) <= there for one in bad):
                raise site.NotMade(f"{sorted(there)}", results)

    monkeypatch.setattr(site, "Competition", Made)
    found = site.stopping(Made("config.yaml", "cup", 1), site.NotMade("all", ["leaders"]), published, None)
    if bad == set("abcdef"):
        assert found == {}  # it is nobody's fault
    else:
        late = {"ae": {"b"}, "ab": {"e"}}[published] if bad == {"be"} else bad
        assert set(found) == late
        assert all(told.startswith("[") for told in found.values())
    assert len(tries) <= most
