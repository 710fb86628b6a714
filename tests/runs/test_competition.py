"""The whole life of a competition in a repository: entries that come, are refused, late, withdrawn; and the site."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from benchmill import cli
from benchmill.competition import entries
from benchmill.core import UserError
from tests.competition.test_requests import HOSTILE, as_link, as_repository, write
from tests.runs.conftest import PROJECT

CONFIG = """
studies:
  cup:
    title: A cup
    competition:
      source:
        format: table
        columns: {problem: model, cost: seconds, outcome: status, run: seed, seed: seed}
        outcomes: {ok: solved, timeout: time_limit}
        time_limit: 100
      deadline: 2026-06-30
      problems: [m1, m2, m3, m4, m5, m6, m7, m8]
      # of the line m8
      hidden: {file: hidden.txt, sha256: 3f4c362d41356e39dcfb53ad0a9e4f552b818f8bf00d6025e29fe66375e69e08, until: 2026-06-20}
      trials: 2
      seeds: [1, 2]
      time_limit: 100
      most_mb: 0.1
      tie_breaks: [auc]
    measures: {time: {kind: given, missing: common}}
    primary: {measure: time}
    profiles: [dolan_more]
    claims: []
    figures: []
"""


def logs(seed, factor, *, failing=()):
    """A table of runs on eight models with two seeds."""
    rng = np.random.default_rng(seed)
    rows = ["model,seconds,status,seed"]
    for model in range(1, 9):
        for run in (1, 2):
            failed = model in failing
            seconds = 100 if failed else round(float(factor * model * rng.lognormal(0, 0.1)), 3)
            rows.append(f"m{model},{seconds},{'timeout' if failed else 'ok'},{run}")
    return "\n".join(rows) + "\n"


@pytest.fixture
def repository(tmp_path, monkeypatch, capsys, copied_snakemake):
    monkeypatch.setenv("PYTHONPATH", str(PROJECT / "src"))
    monkeypatch.setenv(entries.SET_ASIDE, "{}")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return Repository(tmp_path, monkeypatch, capsys)


class Repository:
    """A server that is a folder, with the clones of the organiser, of those who take part, and of the site's branch."""

    def __init__(self, folder, monkeypatch, capsys):
        self.capsys = capsys
        self.folder, self.theirs, self.pages = (folder / name for name in ("cup", "theirs", "pages"))
        server = str(folder / "server.git")
        self.git("init", "-q", "--bare", "-b", "main", server, at=folder)
        assert cli.main(["init", "--competition", str(self.folder)]) == 0
        (self.folder / "config.yaml").write_text(CONFIG)
        write(self.folder, "docs/a.md", "How we came to this\n")
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", server)
        self.commit("The rules")
        for clone in (self.theirs, self.pages):
            self.git("clone", "-q", server, str(clone), at=folder)
        self.git("checkout", "-q", "--orphan", "pages", at=self.pages)
        self.git("rm", "-rfq", ".", at=self.pages)
        monkeypatch.chdir(self.folder)

    def git(self, *arguments, at=None):
        who = ["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false", "-c", "core.fsync=none"]
        subprocess.run(["git", *who, *arguments], cwd=at or self.folder, check=True, capture_output=True)

    def commit(self, words):
        """What the organiser changes."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", words)
        self.git("push", "-q", "origin", "main")

    def propose(self, key, text, change=lambda folder: None, **sheet):
        """A request that adds an entry, and changes what else is said."""
        self.request(lambda folder: (write_entry(folder, key, text, **sheet), change(folder)))

    def request(self, change):
        """What somebody changes, sent to the server as a request."""
        self.git("fetch", "-q", "origin", "main", at=self.theirs)
        self.git("checkout", "-q", "-f", "--detach", "FETCH_HEAD", at=self.theirs)
        self.git("clean", "-ffdxq", at=self.theirs)
        change(self.theirs)
        self.git("add", "-A", "-f", at=self.theirs)
        self.git("commit", "-q", "-m", "What we send", at=self.theirs)
        self.git("push", "-q", "-f", "origin", "HEAD:refs/pull/7/head", at=self.theirs)

    def run(self, command, *arguments):
        self.capsys.readouterr()
        code = cli.main([command, *map(str, arguments)])
        out, err = self.capsys.readouterr()
        return code, out, err

    def check(self, day="2026-06-01", by="ada"):
        self.git("fetch", "-q", "origin", "+refs/pull/7/head:refs/request")
        of = ("--since", "HEAD", "--request", "refs/request", "--by", by)
        return self.run("check-entry", *of, "--date", day, "--output", "checked")

    def merge(self):
        self.git("fetch", "-q", "origin", "+refs/pull/7/head:refs/request")
        self.git("merge", "-q", "--no-ff", "-m", "Take it", "refs/request")
        self.git("push", "-q", "origin", "main")

    def publish(self, day):
        code, _, err = self.run("publish", "--date", day)
        assert (code, err) == (0, "")
        shutil.copytree(self.folder / "site", self.pages, dirs_exist_ok=True)
        self.git("add", "-A", at=self.pages)
        self.git("commit", "-q", "--allow-empty", "-m", day, at=self.pages)
        self.git("push", "-q", "origin", "pages", at=self.pages)
        return [json.loads(line) for line in (self.folder / "site/states.jsonl").read_text().splitlines()]


def write_entry(folder, key, text, **sheet):
    said = {"name": key.title(), "authors": ["Ada"], "logs": "runs.csv", **sheet}
    write(folder, f"entries/{key}/runs.csv", text)
    write(folder, f"entries/{key}/entry.yaml", yaml.safe_dump(said, allow_unicode=True))


NAMED = "which are the same or nearly so"
ELSEWHERE = {"sha256": "0" * 64}
HOLD, ANOTHER_CASE = "an entry is new files in one new folder", "differ only in how their names are written"
MARKUP = "<script>alert(1)</script>"
LACKING = "".join(line for line in logs(1, 1.0).splitlines(keepends=True) if not line.startswith("m7,"))

#: What a hostile contestant sends as an entry: its folder, its runs, its sheet, what else it changes; the exit code, and words
#: of the refusal. `rival` (One) and `other` (Two) are there.
MOVES = {
    "logs of a rival": ("evil", {"logs": "../rival/runs.csv"}, None, 2, "logs: found '../rival/runs.csv'"),
    "a file of the machine": ("evil", {"logs": "/etc/passwd"}, None, 2, "logs: found '/etc/passwd'"),
    "this machine": ("evil", {"logs": "https://127.0.0.1/a.csv", **ELSEWHERE}, None, 2, "is an internal address"),
    "its metadata": ("evil", {"logs": "https://169.254.169.254/a.csv", **ELSEWHERE}, None, 2, "is an internal address"),
    "a file without digest": ("evil", {"logs": "https://example.org/a.csv"}, None, 2, "sha256: is missing"),
    "another format": ("evil", {"format": "coco"}, None, 2, "entry.yaml: format: unknown key"),
    "another time limit": ("evil", {"time_limit": 9}, None, 2, "entry.yaml: time_limit: unknown key"),
    "other logs than were sealed": ("evil", {"sealed": "0" * 64}, None, 2, "runs.csv is not the file that was sealed"),
    "the name of a rival": ("evil", {"name": "o n e"}, None, 2, NAMED),
    "the same, first in the alphabet": ("a", {"name": "Two"}, None, 2, NAMED),
    "a name with a digit for a letter": ("evil", {"name": "tw0"}, None, 2, NAMED),
    "a name in Cyrillic": ("evil", {"name": "\u041ene"}, None, 2, "is CYRILLIC CAPITAL LETTER O"),
    "a name with what cannot be seen": ("evil", {"name": "On\u200be"}, None, 2, "characters that cannot be seen"),
    "an entry in the name of others": ("evil", {"owners": ["grace"]}, None, 2, "the owners grace, and eve sends it"),
    "a rival's folder in capitals": ("Rival", {"name": "Evil"}, None, 2, ANOTHER_CASE),
    "a folder that is an option": ("-rf", {}, None, 2, "has at most 64 characters, letters, digits"),
    "a second sheet": ("evil", {}, lambda f: write(f, "entries/evil/ENTRY.yaml", "name: x\n"), 2, ANOTHER_CASE),
    "a sheet without end": ("evil", {}, lambda f: write(f, "entries/evil/entry.yaml", "a: &a [*a]\n"), 2, "evil/entry.yaml"),
    "a link": ("evil", {}, lambda f: as_link(f / "entries/evil/link", "/etc/passwd"), 2, "link is a link or a repository"),
    "another repository": ("mine", {}, as_repository, 2, "mine/inside is a link or a repository"),
    "two entries at once": ("evil", {}, lambda f: write_entry(f, "evil2", ""), 2, "several entries have changed"),
    "a folder without end": ("evil", {}, lambda f: write(f, "entries/evil/x", "0" * 200_000), 1, "Its folder has 0.2 MB"),
}  # fmt: skip

#: What it sends as runs: these, and the sheet; on which day; the exit code, and all that the refusal says.
RUNS = {
    "a word for success of its own": (
        logs(3, 1.0).replace("ok", "fine", 1),
        2,
        [r"config.yaml: study 'cup': runs.csv:2: column 'status' is 'fine'; .*joblogs/ingest/cup/evil.log\)\n$"],
    ),
    "a cost of 0": (re.sub("m1,[0-9.]*", "m1,0", logs(3, 1.0)), 2, ["the cost of 'Evil' on problem m1 is 0"]),
    "runs of a rival, not all, and too late": (
        LACKING,
        1,
        ["after the deadline 2026-06-30", "There are no runs on m7.", "14 of 14 runs are those of “One \\(rival\\)”"],
    ),
    "all times of a rival divided by three, and more": (
        re.sub(r"(m\d),([0-9.]+)", lambda m: f"{m[1]},{float(m[2]) / 3:.6f}", logs(1, 1.0)).replace("m8,", "m9,") + "m1,5,ok,3\n",
        1,
        [
            r"There are no runs on m8. There are runs on problems that the rules do not name \(m9\)",
            "Expected just the seeds 1 and 2, each once, found others, one again, or none stated, on m1",
            "costs are 0.333 times as large as those of “One \\(rival\\)”, all by the same factor",
        ],
    ),
}


@pytest.mark.workflow
def test_the_game(repository):
    """An organiser, two who take part, a hostile one, and a reader, from the rules to a record that somebody has changed."""
    r = repository
    # the first comes, alone
    r.propose("other", logs(2, 2.0), name="Two")
    code, out, err = r.check()
    assert (code, err) == (0, "")
    assert out.startswith("## Two: it can be taken\n")
    r.merge()
    (first,) = r.publish("2026-06-01")
    assert [row["name"] for row in first["standing"]] == ["Two"]

    # the second is taken, and a claim is made
    r.propose("rival", logs(1, 1.0), name="One", newcomer=True, owners=["ada"])
    code, out, err = r.check()
    assert (code, err) == (0, "")
    assert "| One | – | 1 |\n| Two | 1 | 2 |" in out
    r.merge()
    (r.folder / "config.yaml").write_text(CONFIG.replace("claims: []", "claims: [One better than Two]"))
    r.commit("What we claim")
    states = r.publish("2026-06-02")
    assert [(row["name"], row["place"]) for row in states[1]["standing"]] == [("One", 1), ("Two", 2)]
    assert {award["award"]: award["names"] for award in states[1]["awards"]} == {
        "largest_contribution": ["One"],
        "best_newcomer": ["One"],
    }
    # hidden problems are known by the digest of their list, and count once it is there
    told = "More problems count once they are shown on 2026-06-20; their list has SHA-256 3f4c"
    assert told in (r.folder / "site/index.html").read_text()
    assert r.run("publish", "--date", "2026-06-21")[::2] == (
        2,
        "benchmill: hidden.txt: the list of hidden problems was to be published by 2026-06-20; put it there.\n",
    )
    (r.folder / "hidden.txt").write_text("m8\n")
    r.commit("What was hidden")
    assert r.publish("2026-06-09") == states  # nothing has changed, nothing is added
    index = (r.folder / "site/index.html").read_text()
    assert told not in index
    # nor is the rule another one when the state is read again
    assert "By the area under the profile over log τ, measure time, ties broken by the area under the profile over τ" in index

    # a hostile one moves: what it changes beside or instead of an entry, what it calls an entry, and its runs
    assert len(HOSTILE) + len(MOVES) + len(RUNS) >= 50
    for n, (what, change) in enumerate(HOSTILE.items()):
        r.request(change)
        code, out, err = r.check(by=("eve", "", "ADA", "organiser")[n % 4])
        assert (code, out) == (2, ""), what
        assert re.search(r"^benchmill: --since: .*(was|has|is a link).*`may_change` of the rules of the base", err), (what, err)
        r.propose("mine", logs(3, 1.0), change)
        code, out, err = r.check(by="eve")
        assert (code, out) == (2, ""), what
        assert re.search(r"^benchmill: --since: .*(was|has|is a link).*where eve does not", err), (what, err)
    for what, (key, sheet, change, expected, words) in MOVES.items():
        r.propose(key, logs(3, 1.0), change or (lambda folder: None), **sheet)
        code, out, err = r.check(by="eve")
        assert code == expected, (what, out, err)
        assert re.search(words, out + err), (what, out, err)
        # what is told is of this check, not of one before
        told = r.folder / "checked/error.md"
        assert told.read_text().startswith("## It cannot be checked") if code == 2 else not told.exists(), what
    for what, (runs, expected, words) in RUNS.items():
        r.propose("evil", runs, name=MARKUP if expected == 1 else "Evil")
        code, out, err = r.check("2026-07-01", by="eve")
        assert code == expected, (what, out, err)
        assert not [told for told in words if not re.search(told, out + err)], (what, out, err)
        assert "<script" not in out

    # a late one, with a name that is markup, is as good as any out of competition
    r.propose("late", logs(4, 0.5, failing=[8]), name=MARKUP, not_competing=True)
    code, out, err = r.check("2026-07-01")
    assert (code, err) == (0, "")
    r.merge()
    # one is withdrawn, by its owner and nobody else, and its claim ends
    r.request(lambda f: write(f, "entries/rival/entry.yaml", f"{(f / 'entries/rival/entry.yaml').read_text()}withdrawn: true\n"))
    assert "or as `owners` of an entry, where eve does not" in r.check("2026-07-02", "eve")[2]
    code, out, err = r.check("2026-07-02", "ada")
    assert (code, err) == (0, "")
    assert "entries/rival/entry.yaml has changed, as the rules of HEAD let ada do.\n## One: withdrawn" in out
    r.merge()
    # two that were both green and clash once both are merged, and one whose logs cannot be reached: the site is published
    for key, sheet in {
        "same": {"name": "Same"},
        "same-too": {"name": "SAME"},
        "far": {"logs": "https://logs.invalid/runs.csv", **ELSEWHERE},
    }.items():
        r.propose(key, logs(5, 3.0), **sheet)
        r.merge()
    states = r.publish("2026-07-02")
    assert [row["name"] for row in states[2]["standing"]] == ["Two", "Same"]
    aside = {key: row["set_aside"] for key, row in states[2]["entries"].items() if "set_aside" in row}
    assert set(aside) == {"same-too", "far"}
    assert "the entries are called 'SAME' and 'Same'" in aside["same-too"]
    assert "logs.invalid" in aside["far"]
    assert "set aside: " in (r.folder / "site/index.html").read_text()
    ledger = [json.loads(line) for line in (r.folder / "site/ledger.jsonl").read_text().splitlines()]
    assert [(line["state"], line["event"]) for line in ledger][-1] == (3, "not claimed")
    assert "One was withdrawn" in ledger[-1]["entries"]

    # a reader verifies the record in a clone of the site's branch; of a folder that is in no commit nobody knows the past
    reader = r.folder.with_name("reader")
    r.git("clone", "-q", "-b", "pages", str(r.folder.with_name("server.git")), str(reader))
    code, out, err = r.run("verify-site", reader)
    assert (code, err) == (0, "")
    assert out.startswith(f"{reader}: 3 states and 2 lines of the ledger are whole, the last ")
    code, out, err = r.run("verify-site", "site")
    assert (code, err) == (1, "")
    assert "whether all of it was rewritten cannot be checked" in out
    # the site: every entry that ever was has its page, and a name is text
    pages = {path.relative_to(r.folder / "site").as_posix(): path.read_text() for path in (r.folder / "site").rglob("*.html")}
    assert {
        "index.html",
        "states.html",
        "ledger.html",
        "report.html",
        "report/runs.html",
        *(f"entries/{n}.html" for n in ("rival", "other", "late", "same", "same-too", "far")),
    } == set(pages)
    assert not any("<script>alert" in text for text in pages.values())
    assert "withdrawn" in pages["entries/rival.html"]
    assert "not competing" in pages["entries/late.html"]
    for name, text in pages.items():
        for link in re.findall(r'href="([^"#]+)"', text):
            if name != "report.html" and not link.startswith("http"):
                assert (r.folder / "site" / name).parent.joinpath(link).resolve().exists(), (name, link)

    # of who is disqualified nothing is said that those who compete would lose
    struck = "disqualified: {other: {reason: copied, date: 2026-07-02}}\n      tie_breaks:"
    (r.folder / "config.yaml").write_text(CONFIG.replace("tie_breaks:", struck))
    code, out, err = r.run("check-entry", "other", "--date", "2026-06-29")
    assert (code, err) == (0, "")
    assert "It was disqualified on 2026-07-02: copied" in out
    assert "It has no runs on" not in out
    (r.folder / "config.yaml").write_text(CONFIG)

    # a record that somebody has changed is refused, and stays as it is; the reader sees it, and a line that a commit took away
    file = r.folder / "site/states.jsonl"
    file.write_text(file.read_text().replace('"place": 2', '"place": 1'))
    changed = file.read_text()
    code, _, err = r.run("publish", "--date", "2026-07-03")
    assert code == 2
    assert "states.jsonl:3: the state does not follow the one before" in err
    assert r.run("verify-site", "site")[::2] == (2, err)
    assert file.read_text() == changed


def test_what_must_be_said(repository):
    assert repository.run("check-entry")[2].startswith("benchmill: check-entry: no entry is named")
    for command in (["check-entry", "one"], ["publish"]):
        told = repository.run(*command)[2]
        assert "config.yaml has one mistake:" in told
        assert "there is no entry in 'entries' yet" in told
    assert repository.run("publish", "--date", "tomorrow")[2] == (
        "benchmill: --date: found 'tomorrow', expected a day such as 2026-06-30, or a time with its zone.\n"
    )
    assert "there is no published state to be verified" in repository.run("verify-site", "site")[2]
    assert repository.run("check-entry", "--since=--output=x")[0] == 2
    assert "git does not know what changed" in repository.run("check-entry", "--since", "nowhere")[2]
    assert repository.run("check-entry", "--since", "origin/main")[1] == "No entry has changed.\n"
    (repository.folder / "config.yaml").write_text("studies: {a: {sources: x}}")
    assert "no study has the key `competition`" in repository.run("publish")[2]


def test_lists_of_archives_are_asked_for_before_planning(repository, monkeypatch):
    def find(name, at, ask=True):
        raise UserError(f"asked for {name}" if ask else "planned")

    monkeypatch.setattr("benchmill.archives.find", find)
    write_entry(repository.folder, "far", "", logs="zenodo:123/logs.tgz", sha256="0" * 64)
    assert repository.run("check-entry", "far") == (2, "", "benchmill: asked for zenodo:123/logs.tgz\n")


REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
REAL_CONFIG = """
studies:
  cup:
    competition: {{source: {source}, allowed: [running_minimum]}}
    measures: {{m: {measure}}}
    primary: {{criterion: {criterion}}}
    figures: []
"""


@pytest.mark.workflow
@pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA names no folder of real logs")
def test_an_entry_of_a_competition_that_was(repository):
    """The last of three entrants of CEC 2006 is checked; its places are those that the printed tables give by hand.

    Counted is on how many functions each has the best success performance.
    """
    table = pd.read_csv(REAL / "cec2006-constrained/fes_to_success.csv", dtype=str)
    names = ["DE", "MDE", "SaDE"]
    for key in names:
        write_entry(repository.folder, key, table[table["algorithm"] == key].to_csv(index=False), name=key)
    source, measure = "{format: cec2006}", "{kind: success_performance, exclude: [g20, g22]}"
    (repository.folder / "config.yaml").write_text(REAL_CONFIG.format(source=source, measure=measure, criterion="wins"))
    code, _, err = repository.run("check-entry", "SaDE", "--output", "checked")
    assert err == ""
    found = json.loads((repository.folder / "checked/SaDE.json").read_text())
    assert code == any(finding["breaks"] for finding in found["findings"])
    mine = table[table["algorithm"].isin(names) & ~table["problem"].isin(["g20", "g22"])]
    cost = pd.to_numeric(mine["success_performance"], errors="coerce")
    wide = mine.assign(cost=cost).pivot(index="problem", columns="algorithm", values="cost").fillna(np.inf)
    scores = (wide.eq(wide.min(axis=1), axis=0) & np.isfinite(wide)).sum()
    for column, of in (("after", scores), ("before", scores.drop("SaDE"))):
        places = {move["name"]: move[column] for move in found["moves"] if move[column] is not None}
        assert places == of.rank(method="min", ascending=False).astype(int).to_dict()


@pytest.mark.workflow
@pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA names no folder of real logs")
def test_archives_of_bbob_2009_and_later(repository):
    """Archives as their authors sent them, of two functions; what one has that is odd is told, and is for the rules to allow."""
    archives = {"direct": "DIRECT_posik_noiseless.data-only.tgz", "shade": "R-SHADE-10e2_Tanabe.tgz"}
    for key, file in archives.items():
        folder = repository.folder / "entries" / key
        folder.mkdir()
        shutil.copyfile(REAL / "coco-bbob" / file, folder / "logs.tgz")
        (folder / "entry.yaml").write_text(yaml.safe_dump({"name": key, "authors": ["Ada"], "logs": "logs.tgz"}))
    source = "{format: coco, where: {problem: [f1, f8], dimension: [2, 5]}}"
    measure = "{kind: fixed_target, targets: [10, 1.0e-3]}"
    (repository.folder / "config.yaml").write_text(REAL_CONFIG.format(source=source, measure=measure, criterion="auc_log"))
    code, out, err = repository.run("check-entry", "direct")
    assert (code, err) == (0, "")
    assert "on 2 problems" in out
    assert re.search(r"\| direct \| – \| [12] \|", out)
