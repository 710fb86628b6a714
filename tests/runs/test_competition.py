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
from benchmill.core.errors import UserError
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
      trials: 2
      seeds: [1, 2]
      time_limit: 100
      most_mb: 0.1
      tie_breaks: [average_rank]
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
    """A clone of a server that is a folder, with a branch for each entry."""

    def __init__(self, folder, monkeypatch, capsys):
        self.capsys = capsys
        self.folder = folder / "cup"
        self.git("init", "-q", "--bare", "-b", "main", str(folder / "server.git"), at=folder)
        assert cli.main(["init", "--competition", str(self.folder)]) == 0
        (self.folder / "config.yaml").write_text(CONFIG)
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", str(folder / "server.git"))
        self.commit("The rules")
        self.git("push", "-q", "origin", "main")
        monkeypatch.chdir(self.folder)

    def git(self, *arguments, at=None):
        who = ["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=at or self.folder, check=True, capture_output=True)

    def commit(self, words):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", words)

    def propose(self, key, text, **sheet):
        """A branch with an entry, sent to the server."""
        self.git("checkout", "-q", "-b", key, "main")
        folder = self.folder / "entries" / key
        folder.mkdir(exist_ok=True)
        (folder / "runs.csv").write_text(text)
        said = {"name": key.title(), "authors": ["Ada"], "logs": "runs.csv", **sheet}
        (folder / "entry.yaml").write_text(yaml.safe_dump(said))
        self.commit(f"Entry {key}")

    def run(self, command, *arguments):
        self.capsys.readouterr()
        code = cli.main([command, *map(str, arguments)])
        out, err = self.capsys.readouterr()
        return code, out, err

    def check(self, day="2026-06-01"):
        return self.run("check-entry", "--since", "origin/main", "--date", day, "--output", "checked", "--by", "ada")

    def merge(self, key):
        self.git("push", "-q", "origin", key)
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", "-m", f"Take {key}", key)
        self.git("push", "-q", "origin", "main")

    def drop(self):
        self.git("checkout", "-q", "-f", "main")
        self.git("clean", "-q", "-fd", "entries")

    def publish(self, day):
        code, _, err = self.run("publish", "--date", day)
        assert (code, err) == (0, "")
        return [json.loads(line) for line in (self.folder / "site/states.jsonl").read_text().splitlines()]


HOSTILE = "<script>alert(1)</script>"


@pytest.mark.workflow
def test_the_life_of_a_competition(repository):
    r = repository
    # the first comes, alone
    r.propose("two", logs(2, 2.0))
    code, out, err = r.check()
    assert (code, err) == (0, "")
    assert out.startswith("## Two: it can be taken\n")
    r.merge("two")
    (first,) = r.publish("2026-06-01")
    assert [row["name"] for row in first["standing"]] == ["Two"]

    # the second, with a name that is markup, is as good as any
    r.propose("one", logs(1, 1.0), name="One", newcomer=True, owners=["ada"])
    code, out, err = r.check()
    assert (code, err) == (0, "")
    assert "| One | – | 1 |\n| Two | 1 | 2 |" in out
    r.merge("one")
    (r.folder / "config.yaml").write_text(CONFIG.replace("claims: []", "claims: [One better than Two]"))
    r.commit("What we claim")
    r.git("push", "-q", "origin", "main")
    states = r.publish("2026-06-02")
    assert [(row["name"], row["place"]) for row in states[1]["standing"]] == [("One", 1), ("Two", 2)]
    assert {award["award"]: award["names"] for award in states[1]["awards"]} == {
        "largest_contribution": ["One"],
        "best_newcomer": ["One"],
    }
    assert r.publish("2026-06-09") == states  # nothing has changed, nothing is added

    # hostile ones: a sheet that leads out, a folder that is huge, a name that is taken, runs that are another's
    r.propose("evil", logs(3, 1.0), logs="../../config.yaml")
    code, out, err = r.check()
    assert (code, out) == (2, "")
    assert "evil/entry.yaml: logs: found '../../config.yaml'" in err
    r.drop()
    r.propose("huge", logs(3, 1.0))
    (r.folder / "entries/huge/padding").write_bytes(b"0" * 200_000)
    r.commit("more")
    code, out, _ = r.check()
    assert code == 1
    assert "Its folder has 0.2 MB, expected 0.1 at most" in out
    r.drop()
    r.propose("odd", logs(3, 1.0).replace("ok", "fine", 1))
    code, out, err = r.check()
    assert (code, out) == (2, "")
    assert re.search(r"config.yaml: study 'cup': runs.csv:2: column 'status' is 'fine'; .*joblogs/ingest/cup/odd.log\)\n$", err)
    r.drop()
    r.propose("thief", logs(3, 1.0), name="o n e")
    code, out, err = r.check()
    assert code == 2
    assert "thief and one: the entries are called 'o n e' and 'One', which are the same or nearly so" in err
    r.drop()
    r.propose("meddler", logs(3, 1.0))
    (r.folder / "config.yaml").write_text(CONFIG.replace("trials: 2", "trials: 1"))
    r.commit("more")
    code, out, err = r.check()
    assert code == 2
    assert "config.yaml has changed beside the entry meddler" in err
    r.drop()
    # one that is late, has the runs of another, and lacks some; a late one may be shown out of competition
    lacking = "".join(line for line in logs(1, 1.0).splitlines(keepends=True) if not line.startswith("m7,"))
    r.propose("late", lacking, name=HOSTILE)
    code, out, _ = r.check("2026-07-01")
    assert code == 1
    for told in ("after the deadline 2026-06-30", "There are no runs on m7.", "14 of 14 runs are those of “one”"):
        assert told in out
    assert "<script" not in out
    r.drop()
    r.git("branch", "-D", "late")
    r.propose("late", logs(4, 0.5, failing=[8]), name=HOSTILE, not_competing=True)
    code, out, err = r.check("2026-07-01")
    assert (code, err) == (0, "")
    r.merge("late")
    states = r.publish("2026-07-01")
    assert [row["name"] for row in states[2]["standing"]] == ["One", "Two"]

    # one is withdrawn, and its claim ends
    sheet = r.folder / "entries/one/entry.yaml"
    r.git("checkout", "-q", "-b", "withdraw", "main")
    sheet.write_text(sheet.read_text() + "withdrawn: true\n")
    r.commit("One goes")
    asked = ("check-entry", "--since", "origin/main", "--date", "2026-07-02", "--output", "checked", "--by")
    # its owner may, and nobody else
    assert "or as `owners` of an entry, where eve does not" in r.run(*asked, "eve")[2]
    assert "It cannot be checked" in (r.folder / "checked/error.md").read_text()
    code, out, err = r.run(*asked, "ada")
    assert (code, err) == (0, "")
    assert "entries/one/entry.yaml has changed, as the rules of origin/main let ada do.\n## One: withdrawn" in out
    r.merge("withdraw")
    # two that were both green and clash once both are merged, and one whose logs cannot be reached: the site is published
    for key, sheet in {
        "same": {"name": "Same"},
        "same-too": {"name": "SAME"},
        "far": {"logs": "https://logs.invalid/runs.csv", "sha256": "0" * 64},
    }.items():
        r.propose(key, logs(5, 3.0), **sheet)
        r.merge(key)
    states = r.publish("2026-07-02")
    assert [row["name"] for row in states[3]["standing"]] == ["Two", "Same"]
    aside = {key: row["set_aside"] for key, row in states[3]["entries"].items() if "set_aside" in row}
    assert set(aside) == {"same-too", "far"}
    assert "the entries are called 'SAME' and 'Same'" in aside["same-too"]
    assert "logs.invalid" in aside["far"]
    assert "set aside: " in (r.folder / "site/index.html").read_text()
    code, out, err = r.run("verify-site", "site")
    # the site is in no commit
    assert (code, err) == (1, "")
    assert out.startswith("site: 4 states and ")
    assert "nobody can tell whether all of it was rewritten" in out
    ledger = [json.loads(line) for line in (r.folder / "site/ledger.jsonl").read_text().splitlines()]
    assert [(line["state"], line["event"]) for line in ledger][-1] == (4, "not claimed")
    assert "One was withdrawn" in ledger[-1]["entries"]

    # the site: every entry that ever was has its page, and a name is text
    pages = {path.relative_to(r.folder / "site").as_posix(): path.read_text() for path in (r.folder / "site").rglob("*.html")}
    assert {
        "index.html",
        "states.html",
        "ledger.html",
        "report.html",
        "report/runs.html",
        *(f"entries/{n}.html" for n in ("one", "two", "late", "same", "same-too", "far")),
    } == set(pages)
    assert not any("<script>alert" in text for text in pages.values())
    assert "withdrawn" in pages["entries/one.html"]
    assert "not competing" in pages["entries/late.html"]
    for name, text in pages.items():
        for link in re.findall(r'href="([^"#]+)"', text):
            if name != "report.html" and not link.startswith("http"):
                assert (r.folder / "site" / name).parent.joinpath(link).resolve().exists(), (name, link)
    if shutil.which("chromium"):
        shot = r.folder / "index.png"
        command = [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--screenshot={shot}",
            f"file://{r.folder}/site/index.html",
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        assert shot.stat().st_size > 5000

    # a record that somebody has changed is refused, and stays as it is
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
    assert "0 studies have the key `competition` (none)" in repository.run("publish")[2]


@pytest.mark.parametrize(("key", "name"), [("athief", "Two"), ("other", "tw0"), ("a-2", "tw0")])
def test_who_is_checked_takes_nobodys_name_published_or_not(repository, key, name):
    """Two was taken, and no state has it yet: it is not left aside for one that comes later and before it in the alphabet."""
    repository.propose("two", logs(2, 2.0))
    repository.merge("two")
    repository.propose(key, logs(7, 1.0), name=name)
    code, out, err = repository.check()
    assert (code, out) == (2, "")
    assert f"{key} and two: the entries are called {name!r} and 'Two', which are the same or nearly so" in err


def test_a_folder_is_not_another_in_capitals(repository):
    """Some disks take `Two` for `two`."""
    repository.propose("two", logs(2, 2.0))
    repository.merge("two")
    repository.propose("Two", logs(7, 1.0), name="Other")
    assert repository.check() == (
        2,
        "",
        "benchmill: --since: entries/Two/entry.yaml and entries/two/entry.yaml differ only in how their names are written; "
        "rename the new one.\n",
    )


def test_lists_of_archives_are_asked_for_before_planning(repository, monkeypatch):
    def find(name, at, ask=True):
        raise UserError(f"asked for {name}" if ask else "planned")

    monkeypatch.setattr("benchmill.archives.find", find)
    repository.propose("far", "", logs="zenodo:123/logs.tgz", sha256="0" * 64)
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


def cec_2006():
    """The entrants of CEC 2006: their printed tables, and by hand on how many functions each has the best success performance."""
    table = pd.read_csv(REAL / "cec2006-constrained/fes_to_success.csv", dtype=str)
    texts = {name: rows.to_csv(index=False) for name, rows in table.groupby("algorithm") if name in ("DE", "SaDE", "MDE")}
    mine = table[table["algorithm"].isin(texts) & ~table["problem"].isin(["g20", "g22"])]
    cost = pd.to_numeric(mine["success_performance"], errors="coerce")
    wide = mine.assign(cost=cost).pivot(index="problem", columns="algorithm", values="cost").fillna(np.inf)
    best = wide.eq(wide.min(axis=1), axis=0) & np.isfinite(wide)
    return texts, best.sum(), False


def sat_2020():
    """Solvers of the SAT competition 2020, one table each, of every fifth instance; by hand the mean ranks, unsolved last."""
    table = pd.read_csv(REAL / "sat-competition/sat2020-parallel.csv").iloc[::5]
    names = ["plingeling", "treengeling", "mergesat"]
    cost = table[names].apply(pd.to_numeric, errors="coerce").fillna(np.inf)
    texts = {
        name: pd.DataFrame(
            {
                "model": table["cnf"],
                "seconds": cost[name].clip(upper=5000),
                "status": np.where(np.isfinite(cost[name]), "ok", "out"),
            }
        ).to_csv(index=False)
        for name in names
    }
    return texts, cost.rank(axis=1).mean(), True


@pytest.mark.workflow
@pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA names no folder of real logs")
@pytest.mark.parametrize(
    ("made", "source", "measure", "criterion"),
    [
        (cec_2006, "{format: cec2006}", "{kind: success_performance, exclude: [g20, g22]}", "wins"),
        (
            sat_2020,
            "{format: table, columns: {problem: model, cost: seconds, outcome: status}, "
            "outcomes: {ok: solved, out: time_limit}, time_limit: 5000}",
            "{kind: given}",
            "average_rank",
        ),
    ],
)
def test_competitions_that_were(repository, made, source, measure, criterion):
    """The last entry of a past competition is checked; the places are those that the published tables give by hand."""
    texts, scores, small_is_good = made()
    for key, text in texts.items():
        folder = repository.folder / "entries" / key
        folder.mkdir()
        (folder / "runs.csv").write_text(text)
        (folder / "entry.yaml").write_text(yaml.safe_dump({"name": key, "authors": ["Ada"], "logs": "runs.csv"}))
    (repository.folder / "config.yaml").write_text(REAL_CONFIG.format(source=source, measure=measure, criterion=criterion))
    code, _, err = repository.run("check-entry", key, "--output", "checked")
    assert err == ""
    found = json.loads((repository.folder / f"checked/{key}.json").read_text())
    assert code == any(finding["breaks"] for finding in found["findings"])
    by_hand = scores.rank(method="min", ascending=small_is_good).astype(int)
    assert {move["name"]: move["after"] for move in found["moves"]} == by_hand.to_dict()
    others = scores.drop(key).rank(method="min", ascending=small_is_good)
    assert key in [move["name"] for move in found["moves"] if move["before"] is None]
    assert len(others) == sum(move["before"] is not None for move in found["moves"])


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
