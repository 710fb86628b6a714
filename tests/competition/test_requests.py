"""What a request may change: files added to one new entry, by the rules of the base, and nothing that they do not allow."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmill.competition import requests
from benchmill.core import UserError

CONFIG = """
studies:
  cup:
    competition:
      entries: entries
      deadline: 2027-06-30
      may_change: {entries/rival: [ada], docs: [ada, bob], .: [organiser]}
"""
SHEET = "name: Rival\nauthors: [Ada]\nlogs: runs.csv\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base") / "cup"
    write(folder, "config.yaml", CONFIG)
    write(folder, ".github/workflows/publish.yml", "on: push\n")
    write(folder, "docs/a.md", "a\n")
    write(folder, "entries/README.md", "How to take part\n")
    for key in ("rival", "other"):
        write(folder, f"entries/{key}/entry.yaml", SHEET)
        write(folder, f"entries/{key}/runs.csv", "a,b\n1,2\n")
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


@pytest.fixture
def clone(base, tmp_path):
    folder = tmp_path / "cup"
    shutil.copytree(base, folder, symlinks=True)
    git(folder, "checkout", "-q", "-b", "request")
    return folder


def git(folder, *arguments):
    who = ["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder):
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", "x")


def write(folder, path, text):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)


def enter(folder, key="mine"):
    write(folder, f"entries/{key}/entry.yaml", SHEET.replace("Rival", key))
    write(folder, f"entries/{key}/sub/runs.csv", "a,b\n3,4\n")


def asked(folder, **more):
    return requests.request("main", folder / "config.yaml", **more)


def move(folder, one, other):
    (folder / other).parent.mkdir(parents=True, exist_ok=True)
    (folder / one).rename(folder / other)


def as_link(path, target):
    if path.exists():
        path.unlink()
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)


def as_repository(folder):
    git(folder, "-c", "init.defaultBranch=main", "init", "-q", "entries/mine/inside")
    write(folder, "entries/mine/inside/x", "x")
    commit(folder / "entries/mine/inside")


def test_files_added_to_one_new_entry_are_taken(clone):
    enter(clone)
    commit(clone)
    found = asked(clone)
    assert (found.studies, found.entry, found.allowed) == (("cup",), "mine", ())


#: What a request does beside or instead of its entry; `tests/runs/test_competition.py` plays it.
HOSTILE = {
    "a deleted rival": lambda f: shutil.rmtree(f / "entries/rival"),
    "one file of a rival deleted": lambda f: (f / "entries/rival/runs.csv").unlink(),
    "changed rules": lambda f: write(f, "config.yaml", CONFIG.replace("2027", "2029")),
    "rules that say who may change them": lambda f: write(f, "config.yaml", CONFIG.replace("[organiser]", "[organiser, eve]")),
    "entries elsewhere": lambda f: (
        write(f, "config.yaml", CONFIG.replace("entries: entries", "entries: elsewhere")),
        write(f, ".github/workflows/publish.yml", "on: eve\n"),
        shutil.rmtree(f / "entries/rival"),
    ),
    "no competition any more": lambda f: write(f, "config.yaml", "studies: {}\n"),
    "no rules any more": lambda f: (f / "config.yaml").unlink(),
    "a changed workflow": lambda f: write(f, ".github/workflows/publish.yml", "on: eve\n"),
    "a new workflow": lambda f: write(f, ".github/workflows/more.yml", "on: push\n"),
    "a rival withdrawn": lambda f: write(f, "entries/rival/entry.yaml", f"{SHEET}withdrawn: true\n"),
    "replaced logs": lambda f: write(f, "entries/rival/runs.csv", "a,b\n1,999\n"),
    "a file in a rival's folder": lambda f: write(f, "entries/rival/more.csv", "a,b\n1,999\n"),
    "a rival moved": lambda f: move(f, "entries/rival", "entries/rival2"),
    "a rival swapped": lambda f: (move(f, "entries/rival", "entries/x"), move(f, "entries/other", "entries/rival")),
    "another mode": lambda f: (f / "entries/rival/runs.csv").chmod(0o755),
    "a link in place of the rules": lambda f: as_link(f / "config.yaml", "entries/rival/entry.yaml"),
    "a link in a rival's folder": lambda f: as_link(f / "entries/rival/runs.csv", "../other/runs.csv"),
    "a link in place of a folder": lambda f: (shutil.rmtree(f / "docs"), as_link(f / "docs", "entries")),
    "a file that python would import": lambda f: write(f, "benchmill.py", "boom\n"),
    "results": lambda f: write(f, "results/cup/ratios.parquet", "x"),
    "what is ignored": lambda f: (write(f, ".gitignore", "*\n"), write(f, "x", "x")),
    "modules": lambda f: write(f, ".gitmodules", '[submodule "x"]\n\tpath = docs\n\turl = .\n\tignore = all\n'),
    "attributes": lambda f: write(f, ".gitattributes", "* -diff export-ignore\n"),
    "another case": lambda f: write(f, "CONFIG.yaml", "studies: {}\n"),
    "a folder that is spelt otherwise": lambda f: write(f, "Entries/mine/entry.yaml", SHEET),
    "a file among the entries": lambda f: write(f, "entries/x", "x"),
    "the words for those who take part": lambda f: write(f, "entries/README.md", "x"),
}


@pytest.mark.parametrize("path", ["entries/mine/link", "entries/mine"])
def test_an_entry_has_no_links_and_no_repositories(clone, path):
    enter(clone, "mine" if path.count("/") > 1 else "x")
    as_link(clone / path, "/etc/passwd")
    commit(clone)
    with pytest.raises(UserError, match="is a link or a repository"):
        asked(clone, by="organiser")
    (clone / path).unlink()
    enter(clone)
    as_repository(clone)
    commit(clone)
    with pytest.raises(UserError, match=r"entries/mine/inside is a link or a repository"):
        asked(clone, by="organiser")


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("entries/mine/sub/RUNS.csv", "entries/mine/sub/runs.csv"),
        ("entries/mine/e\u0301", "entries/mine/\u00e9"),
        # of the base: the folder of another entry, a sheet beside that of one's own
        ("entries/Rival/runs2.csv", "entries/rival"),
        ("entries/RIVAL/entry.yaml", "entries/rival"),
    ],
)
def test_names_that_a_disk_takes_for_one(clone, path, other):
    if "mine" in path:
        enter(clone)
        write(clone, other, "y")
    write(clone, path, "x")
    commit(clone)
    with pytest.raises(UserError, match="differ only in how their names are written"):
        asked(clone)


def test_an_owner_brings_no_second_sheet_of_another_case(clone):
    write(clone, "entries/rival/ENTRY.yaml", SHEET)
    commit(clone)
    with pytest.raises(UserError, match=r"entries/rival/ENTRY\.yaml and entries/rival/entry\.yaml differ only"):
        asked(clone, by="ada")


def test_who_sends_a_new_entry_is_one_of_its_owners(clone):
    enter(clone)
    commit(clone)
    assert asked(clone).entry == "mine"
    # with a mark and line ends of another system it is the same sheet
    (clone / "entries/mine/entry.yaml").write_bytes(
        "\ufeffname: Mine\r\nauthors: [A]\r\nlogs: sub\r\nowners: [ada, bob]\r\n".encode()
    )
    commit(clone)
    for by in ("eve", "ADA", None):
        with pytest.raises(UserError, match=r"has the owners ada and bob, and (eve|ADA|nobody that --by names) sends it"):
            asked(clone, by=by)
    for by in ("ada", "bob", "organiser"):
        assert asked(clone, by=by).entry == "mine"


def test_several_entries_and_rules_beside_one_are_sent_by_themselves(clone):
    enter(clone)
    write(clone, "docs/a.md", "b\n")
    commit(clone)
    with pytest.raises(UserError, match=r"docs/a\.md has changed beside the entry mine; an entry is checked by the rules of"):
        asked(clone, by="bob")
    git(clone, "checkout", "-q", "main", "--", "docs")
    enter(clone, "more")
    commit(clone)
    with pytest.raises(UserError, match=r"several entries have changed \(mine and more\)"):
        asked(clone)


@pytest.mark.parametrize(
    ("by", "change", "expected"),
    [
        ("ada", HOSTILE["replaced logs"], ("rival", ["entries/rival/runs.csv has changed"])),
        ("ada", HOSTILE["a rival withdrawn"], ("rival", ["entries/rival/entry.yaml has changed"])),
        (
            "ada",
            HOSTILE["a deleted rival"],
            (None, ["entries/rival/entry.yaml was deleted", "entries/rival/runs.csv was deleted"]),
        ),
        ("bob", lambda f: write(f, "docs/b.md", "b\n"), (None, ["docs/b.md was added"])),
        ("organiser", HOSTILE["changed rules"], (None, ["config.yaml has changed"])),
    ],
)
def test_the_rules_of_the_base_say_who_may_change_what(clone, by, change, expected):
    change(clone)
    commit(clone)
    found = asked(clone, by=by)
    assert (found.entry, list(found.allowed)) == expected
    other = {"ada": "bob", "bob": "eve", "organiser": "ada"}[by]
    with pytest.raises(UserError, match=f"where {other} does not"):
        asked(clone, by=other)
    # a name that begins as that of a folder is no part of it
    write(clone, "docs2/a.md", "x")
    commit(clone)
    if by != "organiser":
        with pytest.raises(UserError, match="docs2"):
            asked(clone, by=by)


def test_what_is_checked_is_what_merging_would_make(clone):
    """The base has gone on: its rules and entries count, those of the branch do not."""
    enter(clone)
    commit(clone)
    git(clone, "checkout", "-q", "main")
    write(clone, "config.yaml", CONFIG.replace("2027", "2026"))
    enter(clone, "later")
    commit(clone)
    git(clone, "checkout", "-q", "request")
    found = asked(clone)
    assert (found.entry, found.allowed) == ("mine", ())
    there = requests.lay_out(found.tree, clone / "config.yaml")
    assert "2026" in (there / "config.yaml").read_text()
    assert {"mine", "later", "rival", "other"} < set(os.listdir(there / "entries"))
    # once more: what has not changed stays as it is, what was changed there is not believed, and what went is gone
    before = (there / "entries/rival/runs.csv").stat().st_mtime_ns
    (there / "config.yaml").write_text("studies: {}\n")
    assert requests.lay_out(git(clone, "rev-parse", "main^{tree}").strip(), clone / "config.yaml") == there
    assert (there / "entries/rival/runs.csv").stat().st_mtime_ns == before
    assert "2026" in (there / "config.yaml").read_text()
    assert not (there / "entries/mine/entry.yaml").exists()
    # what it undoes of the base is a change
    git(clone, "merge", "-q", "-s", "ours", "main")
    with pytest.raises(UserError, match=r"config\.yaml has changed beside the entry"):
        asked(clone)


def test_what_cannot_be_merged_is_not_judged(clone):
    write(clone, "docs/a.md", "one\n")
    commit(clone)
    git(clone, "checkout", "-q", "main")
    write(clone, "docs/a.md", "other\n")
    commit(clone)
    git(clone, "checkout", "-q", "request")
    with pytest.raises(UserError, match="bring the branch up to date"):
        asked(clone, by="organiser")
    with pytest.raises(UserError, match="git does not know what changed since 'nowhere'"):
        requests.request("nowhere", clone / "config.yaml")


TWO = """
studies:
  one: {competition: {entries: entries}}
  two: {competition: {entries: more/entries}}
  none: {sources: x.csv}
"""


def test_two_competitions_in_a_folder_of_a_repository(clone):
    git(clone, "checkout", "-q", "main")
    (clone / "sub").mkdir()
    write(clone, "sub/config.yaml", TWO)
    write(clone, "sub/more/entries/README.md", "x")
    commit(clone)
    git(clone, "checkout", "-q", "-b", "second")
    write(clone, "sub/more/entries/mine/entry.yaml", SHEET)
    commit(clone)
    config = clone / "sub/config.yaml"
    for study in (None, "two"):
        found = requests.request("main", config, study=study)
        assert (found.studies, found.entry) == (("two",), "mine")
    # an entry of the one is no part of the other, and changes above the folder of the configuration are seen
    with pytest.raises(UserError, match=r"sub/more/entries/mine/entry\.yaml was added; an entry is new files"):
        requests.request("main", config, study="one")
    with pytest.raises(UserError, match="there is no competition 'none'; it has one, two"):
        requests.request("main", config, study="none")
    write(clone, ".github/workflows/publish.yml", "on: eve\n")
    commit(clone)
    with pytest.raises(UserError, match=r"\.github/workflows/publish\.yml has changed beside the entry mine"):
        requests.request("main", config)


@pytest.mark.parametrize("text", [CONFIG.replace("entries: entries", "entries: 3"), "studies: {a: {sources: x}}\n", "a: [\n"])
def test_a_base_without_rules_judges_nothing(clone, text):
    git(clone, "checkout", "-q", "main")
    write(clone, "config.yaml", text)
    commit(clone)
    git(clone, "checkout", "-q", "-B", "request")
    with pytest.raises(UserError, match=r"config\.yaml of main: "):
        asked(clone)
    assert Path(clone).is_dir()


def test_owners_in_the_sheet_of_the_base_may_change_their_entry_and_nothing_else(clone):
    git(clone, "checkout", "-q", "main")
    write(clone, "entries/other/entry.yaml", f"{SHEET}owners: [grace, 3]\n")
    commit(clone)
    git(clone, "checkout", "-q", "-B", "request")
    write(clone, "entries/other/runs.csv", "a,b\n1,3\n")
    commit(clone)
    found = asked(clone, by="grace")
    assert (found.studies, found.entry, found.allowed) == (("cup",), "other", ("entries/other/runs.csv has changed",))
    # who makes himself an owner is none yet
    write(clone, "entries/other/entry.yaml", f"{SHEET}owners: [eve]\n")
    commit(clone)
    with pytest.raises(UserError, match="or as `owners` of an entry, where eve does not"):
        asked(clone, by="eve")
    write(clone, "entries/rival/runs.csv", "a,b\n1,9\n")
    commit(clone)
    with pytest.raises(UserError, match=r"entries/rival/runs\.csv has changed"):
        asked(clone, by="grace")


def test_a_request_that_is_not_checked_out_is_judged_as_one_that_is(clone):
    enter(clone)
    commit(clone)
    here = asked(clone)
    git(clone, "update-ref", "refs/request", "HEAD")
    git(clone, "checkout", "-q", "main")
    assert requests.request("HEAD", clone / "config.yaml", head="refs/request") == here
    assert not (clone / "entries/mine").exists()
    with pytest.raises(UserError, match="--request: found '--output=x'"):
        requests.request("HEAD", clone / "config.yaml", head="--output=x")
