"""Deposits: complete, true to RO-Crate, made again with the same bytes elsewhere, and refused where they are not."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from urllib.parse import unquote

import pytest

from benchmill import archives, cli
from benchmill.core import UserError
from benchmill.deposits import deposit, rerun, ro_crate
from benchmill.workflow import remote
from tests.archives.conftest import at, definition, put, server, tree  # noqa: F401
from tests.runs.conftest import Workspace, write_archive

SECTION = """
deposit:
  licence: CC-BY-4.0
  authors:
    - {name: Ada Lovelace, orcid: 0000-0002-1825-0097, affiliation: Analytical Engines}
    - {name: Charles Babbage}
"""
TABLE = """
studies:
  times:
    title: Two solvers
    sources: [{path: "logs/all times.csv", columns: {algorithm: solver}}, sheet.yaml]
    problem_keys: [problem]
    attributes: {problems: beside/sizes.csv}
    measures: {time: {kind: given, aggregate: single}}
    profiles: [{variant: dolan_more, weights: size}]
    figures: []
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of a study: two tables, one of them named in a sheet, and tables beside them."""
    folder = tmp_path / "here"
    for name, text in {
        "study.yaml": TABLE + SECTION,
        "sheet.yaml": "sources: [{path: logs/more.csv, columns: {algorithm: solver}}]\n",
        "logs/all times.csv": "solver,problem,cost\n" + "".join(f"{s},p{p},{s * p + 1}\n" for s in (1, 2) for p in range(4)),
        "logs/more.csv": "solver,problem,cost\n" + "".join(f"3,p{p},{p + 2}\n" for p in range(4)),
        "beside/sizes.csv": "problem,size\n" + "".join(f"p{p},{p}\n" for p in range(4)),
        "notes.txt": "mine",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    return folder


@pytest.fixture
def quick(monkeypatch):
    """In place of the workflow: every result holds its name and what the study is made of."""

    def make(config, folder, cores, *, of_strangers=False):
        studies = deposit.read_studies(
            deposit.content_of(config), [folder], figures_of=deposit.views.figures_of, where="config.yaml"
        )
        content = []
        for study in studies.values():
            for source in study.sources:
                if source.url and not (folder / source.paths[0]).exists():
                    remote.fetch(source.entry["path"], folder / source.paths[0], source.sha256, source.name)
                for path in source.paths:
                    path = folder / path if source.url else path
                    content += [file.read_bytes() for file in ([path] if path.is_file() else sorted(path.rglob("*.*")))]
        results = deposit.results_of(studies)
        (folder / "pens.yaml").touch()
        for name in [*results, *deposit.notes_of(studies, results)]:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{name}\n{hashlib.sha256(b''.join(content)).hexdigest()}\n")

    for module in ("deposit", "rerun"):
        monkeypatch.setattr(f"benchmill.deposits.{module}.make", make)


def pack(to, *more):
    return cli.main(["pack", "--archive", str(to), "--config", "study.yaml", "--cores", "2", *more])


def again(folder, *more):
    return cli.main(["rerun", str(folder), "--cores", "2", *more])


def entities(folder):
    graph = json.loads((folder / ro_crate.NAME).read_text())["@graph"]
    return {one["@id"]: one for one in graph}


def changed(folder, change):
    """Change the manifest of a deposit; what is changed by it stays as the manifest says."""
    found = json.loads((folder / ro_crate.NAME).read_text())
    change({one["@id"]: one for one in found["@graph"]}, found["@graph"])
    (folder / ro_crate.NAME).write_text(json.dumps(found))


@pytest.mark.usefixtures("quick")
def test_it_holds_what_is_needed_and_nothing_else(here, tmp_path, capsys):
    assert pack(tmp_path / "d") == 0
    assert "is written" in capsys.readouterr().out
    held = {path.relative_to(tmp_path / "d").as_posix() for path in (tmp_path / "d").rglob("*") if path.is_file()}
    made_of = {"config.yaml", "sheet.yaml", "logs/all times.csv", "logs/more.csv", "beside/sizes.csv"}
    assert {name for name in held if not name.startswith("results/")} == {
        *made_of,
        *("pens.yaml", "README.md", "requirements.txt", "ro-crate-metadata.json"),
    }
    for name in made_of - {"config.yaml"}:
        assert (tmp_path / "d" / name).read_bytes() == (here / name).read_bytes()
    assert (tmp_path / "d/config.yaml").read_bytes() == (here / "study.yaml").read_bytes()
    assert pack(tmp_path / "again") == 0
    manifests = [(tmp_path / name / ro_crate.NAME).read_bytes() for name in ("d", "again")]
    assert manifests[0] == manifests[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "d", "here"]


@pytest.mark.usefixtures("quick", "here")
def test_the_manifest_has_what_the_specification_demands(tmp_path):
    # RO-Crate 1.2: the metadata descriptor, the properties of the root, data entities; Process Run Crate 0.5: the action
    pack(tmp_path / "d")
    assert json.loads((tmp_path / "d" / ro_crate.NAME).read_text())["@context"][0] == "https://w3id.org/ro/crate/1.2/context"
    found = entities(tmp_path / "d")
    descriptor = found["ro-crate-metadata.json"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.2"}
    root = found[descriptor["about"]["@id"]]
    assert root["@id"] == "./"
    assert root["@type"] == "Dataset"
    assert all(root[name] for name in ("name", "description", "license"))
    assert root["datePublished"] == "2026-01-01"
    assert {"name", "description"} <= set(found[root["license"]["@id"]])
    # what is referred to is there, and all files are parts of the root
    for one in found.values():
        for name, value in one.items():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict) and name != "conformsTo":
                    assert item["@id"] in found, (one["@id"], name)
    files = {name: one for name, one in found.items() if one["@type"] == "File"}
    assert {part["@id"] for part in root["hasPart"]} == set(files)
    for name, one in files.items():
        content = (tmp_path / "d" / unquote(name)).read_bytes()
        assert (one["contentSize"], one["sha256"]) == (str(len(content)), hashlib.sha256(content).hexdigest())
    assert "logs/all%20times.csv" in files
    assert found["https://orcid.org/0000-0002-1825-0097"]["affiliation"] == {"@id": "#at-Analytical%20Engines"}
    assert [found[one["@id"]]["name"] for one in root["author"]] == ["Ada Lovelace", "Charles Babbage"]
    action = found["#run"]
    assert root["mentions"] == {"@id": "#run"}
    assert action["@type"] == "CreateAction"
    assert found[action["instrument"]["@id"]]["@type"] == "SoftwareApplication"
    assert all(found[action["instrument"]["@id"]][name] for name in ("name", "version"))
    assert {"@id": "logs/more.csv"} in action["object"]
    assert {"@id": "results/times/numbers.tex"} in action["result"]
    explains = {"README.md", "requirements.txt", *(name for name in files if "/origins/" in name)}
    assert {one["@id"] for role in ("object", "result") for one in action[role]} == set(files) - explains


@pytest.mark.usefixtures("quick", "here")
def test_made_again_elsewhere(tmp_path, capsys):
    pack(tmp_path / "d")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "d").rglob("*")}
    assert again(tmp_path / "d", "--into", str(tmp_path / "e" / "f")) == 0
    assert re.search(r"^(\d+) of \1 files are the same, byte for byte\.$", capsys.readouterr().out, re.M)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "d").rglob("*")} == before
    assert again(tmp_path / "d", "--into", str(tmp_path / "e")) == 2
    assert "is there already" in capsys.readouterr().err


CUP = """
studies:
  cup:
    competition:
      source: {format: table, columns: {problem: model, cost: seconds}}
      problems: [m1]
      hidden: {file: beside/hidden.txt, sha256: SHA256, until: 2026-01-01}
      deadline: 2026-06-30
    measures: {time: {kind: given}}
    figures: []
"""


@pytest.mark.usefixtures("quick")
def test_a_competition_with_its_sheets_and_hidden_problems(here, tmp_path, capsys):
    (here / "beside/hidden.txt").write_text("m2\n")
    sha256 = hashlib.sha256(b"m2\n").hexdigest()
    (here / "study.yaml").write_text(CUP.replace("SHA256", sha256) + SECTION)
    for key in ("ada", "bob"):
        (here / "entries" / key).mkdir(parents=True)
        (here / "entries" / key / "logs.csv").write_text(f"model,seconds\nm1,{len(key)}\nm2,7\n")
        (here / "entries" / key / "entry.yaml").write_text(f'name: {key}\nversion: "1"\nauthors: [A]\nlogs: logs.csv\n')
    (here / "entries/bob/draft.txt").write_text("mine")
    assert pack(tmp_path / "d") == 0, capsys.readouterr().err
    held = {path.relative_to(tmp_path / "d").as_posix() for path in (tmp_path / "d").rglob("*") if path.is_file()}
    assert {name for name in held if name.startswith(("entries/", "beside/"))} == {
        "beside/hidden.txt",
        *(f"entries/{key}/{name}" for key in ("ada", "bob") for name in ("entry.yaml", "logs.csv")),
    }
    assert again(tmp_path / "d") == 0
    sheet = tmp_path / "d/entries/ada/entry.yaml"
    sheet.write_text(sheet.read_text().replace("name: ada", "name: adb"))
    assert again(tmp_path / "d") == 2
    assert "entries/ada/entry.yaml has sha256" in capsys.readouterr().err


@pytest.mark.usefixtures("quick", "here")
def test_a_file_that_is_not_what_the_manifest_says_is_told(tmp_path, capsys):
    pack(tmp_path / "d")
    for name, message in (
        ("logs/more.csv", r"logs/more\.csv has sha256 [0-9a-f]{64}, expected [0-9a-f]{64}; get the deposit again"),
        ("results/times/numbers.tex", r"results/times/numbers\.tex has sha256"),
        ("beside/sizes.csv", r"beside/sizes\.csv is missing"),
    ):
        path = tmp_path / "d" / name
        content = path.read_bytes()
        if "missing" in message:
            path.unlink()
        else:
            path.write_bytes(content[:-2] + b"9\n")
        assert again(tmp_path / "d") == 2
        assert re.search(message, capsys.readouterr().err)
        path.write_bytes(content)
    assert again(tmp_path / "d") == 0


@pytest.mark.usefixtures("quick", "here")
def test_another_result_is_told_and_why_it_may_be(tmp_path, capsys):
    pack(tmp_path / "d")
    path = tmp_path / "d/results/times/numbers.tex"
    path.write_text(path.read_text() + "changed\n")

    def resealed(by_id, _):
        content = path.read_bytes()
        by_id["results/times/numbers.tex"] |= {
            "sha256": hashlib.sha256(content).hexdigest(),
            "contentSize": str(len(content)),
        }

    changed(tmp_path / "d", resealed)
    assert again(tmp_path / "d") == 1
    out = capsys.readouterr().out
    assert "results/times/numbers.tex differs: from line 3 on" in out
    assert "All versions are those that made it" in out
    changed(tmp_path / "d", lambda by_id, _: by_id["#numpy"].update(version="1.0.0"))
    assert again(tmp_path / "d") == 1
    assert re.search(r"It may differ because other versions made it:\n  numpy 1\.0\.0, here \d", capsys.readouterr().out)


@pytest.mark.usefixtures("quick", "here")
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("named_elsewhere", [None, "object"])
def test_a_result_that_the_manifest_hides_is_told(tmp_path, capsys, kept, named_elsewhere):
    """Changed, and taken out of the manifest: from its files, from its results, or said to be what the study is made of."""
    pack(tmp_path / "d")
    name = "results/times/numbers.tex"
    path = tmp_path / "d" / name
    path.write_text(path.read_text() + "changed\n") if kept else path.unlink()

    def hidden(by_id, graph):
        action = by_id["#run"]
        action["result"].remove({"@id": name})
        if named_elsewhere and kept:
            action[named_elsewhere].append({"@id": name})
            content = path.read_bytes()
            by_id[name] |= {"sha256": hashlib.sha256(content).hexdigest(), "contentSize": str(len(content))}
        else:
            by_id["./"]["hasPart"].remove({"@id": name})
            graph.remove(by_id[name])

    changed(tmp_path / "d", hidden)
    status = again(tmp_path / "d")
    told = "".join(capsys.readouterr())
    if not kept:
        assert status == 1
        assert f"{name} differs: it is made of this study, and the manifest does not list it" in told
        assert "the same, byte for byte." in told
    elif named_elsewhere:
        assert status == 2
        assert f"{name}: the manifest says that the study is made of it, and it is a result" in told
    else:
        assert status == 2
        assert f"{name} is not in the manifest" in told


#: Files that a manifest may list under a role of its own making: what becomes of each.
ADDED = [
    ("scripts/profiles.py", None, "lists it, and the study neither reads nor makes it"),
    ("workflow/Snakefile", "object", "lists it, and the study neither reads nor makes it"),
    ("results/times/old.csv", None, "lists it, and the study neither reads nor makes it"),
    ("paper.pdf", "result", "lists it, and the study neither reads nor makes it"),
    ("README.md", "object", "says that the study is made of it, and it is a result"),
]


@pytest.mark.usefixtures("quick", "here")
def test_a_file_that_nothing_stands_for_is_refused(tmp_path, capsys):
    pack(tmp_path / "d")
    whole = (tmp_path / "d" / ro_crate.NAME).read_bytes()
    for name, role, message in ADDED:
        path = tmp_path / "d" / name
        before = path.read_bytes() if path.exists() else None
        path.parent.mkdir(exist_ok=True)
        path.write_text("A is 10 times as fast")
        resealed(tmp_path / "d", name, role)
        assert again(tmp_path / "d") == 2
        assert f"{name}: the manifest {message}" in capsys.readouterr().err
        path.unlink() if before is None else path.write_bytes(before)
        (tmp_path / "d" / ro_crate.NAME).write_bytes(whole)
    assert again(tmp_path / "d") == 0


def resealed(folder, name, role=None):
    """Let the manifest say that a file is what it is by now, and is one of a role."""

    def change(by_id, graph):
        content = (folder / name).read_bytes()
        seal = {"sha256": hashlib.sha256(content).hexdigest(), "contentSize": str(len(content))}
        if name not in by_id:
            graph.append({"@id": name, "@type": "File", **seal})
            by_id["./"]["hasPart"].append({"@id": name})
        else:
            by_id[name] |= seal
        if role:
            by_id["#run"][role].append({"@id": name})

    changed(folder, change)


@pytest.mark.usefixtures("quick", "here")
@pytest.mark.parametrize("name", ["results/times/origins/ratios/time.json", "README.md", "requirements.txt"])
def test_notes_and_texts_that_are_sealed_anew_are_compared(tmp_path, capsys, name):
    pack(tmp_path / "d")
    path = tmp_path / "d" / name
    path.write_text(path.read_text() + "A is 10 times as fast.\n")
    resealed(tmp_path / "d", name)
    assert again(tmp_path / "d") == 1
    assert f"{name} differs: " in capsys.readouterr().out


@pytest.mark.parametrize("kept", [True, False])
def test_a_paper_is_not_left_out_by_leaving_out_tex(here, tmp_path, quick, monkeypatch, capsys, kept):
    monkeypatch.setattr(deposit.typesetting, "tex_engine_available", lambda: True)
    pack(tmp_path / "d")
    (name,) = (name for name in entities(tmp_path / "d") if name.endswith("paper.pdf"))
    path = tmp_path / "d" / name
    path.write_text("A is 10 times as fast.\n") if kept else path.unlink()

    def hidden(by_id, graph):
        by_id["#run"]["result"].remove({"@id": name})
        if not kept:
            graph.remove(by_id[name])
            by_id["./"]["hasPart"].remove({"@id": name})
        if "#TeX" in by_id:
            graph.remove(by_id["#TeX"])

    changed(tmp_path / "d", hidden)
    if kept:
        resealed(tmp_path / "d", name)
    assert again(tmp_path / "d") == 1
    assert f"{name} differs: {'from line 1 on' if kept else 'it is made of this study'}" in capsys.readouterr().out


@pytest.mark.usefixtures("quick", "here")
def test_code_that_differs_is_told_where_no_result_does(tmp_path, capsys):
    pack(tmp_path / "d")
    changed(tmp_path / "d", lambda by_id, _: by_id["#benchmill"].update(version="0.1 (000000000000)"))
    assert again(tmp_path / "d") == 1
    out = capsys.readouterr().out
    assert "requirements.txt differs: from line 1 on" in out
    assert "  benchmill 0.1 (000000000000), here " in out
    assert "Other versions made it, by its manifest:" in list(rerun.said(rerun.Compared(3, {}, ["numpy 1, here 2"])))


def test_the_digest_of_the_code_is_of_rules_scripts_and_templates_too(tmp_path, monkeypatch):
    monkeypatch.setattr(deposit, "ROOT", tmp_path)
    monkeypatch.setattr(deposit, "_OWN", (tmp_path / "workflow", tmp_path / "package"))
    found = set()
    for name in ("package/a.py", "package/report/page.html", "workflow/rules/a.smk", "scripts/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
        found.add(deposit._code())
    assert len(found) == 4
    (tmp_path / "package/__pycache__").mkdir()
    (tmp_path / "package/__pycache__/a.pyc").touch()
    assert deposit._code() in found


@pytest.mark.usefixtures("quick", "here")
def test_what_only_explains_is_compared_where_it_is_a_result(tmp_path, capsys):
    pack(tmp_path / "d")
    name = "results/times/numbers.tex"
    path = tmp_path / "d" / name
    path.write_text("changed\n")

    def hidden(by_id, _):
        by_id["#run"]["result"].remove({"@id": name})
        by_id[name] |= {"sha256": hashlib.sha256(b"changed\n").hexdigest(), "contentSize": "8"}

    changed(tmp_path / "d", hidden)
    assert again(tmp_path / "d") == 1
    assert f"{name} differs: from line 1 on" in capsys.readouterr().out


@pytest.mark.usefixtures("quick", "here")
@pytest.mark.parametrize("more", ["results/times/more.csv", "logs/.hidden", "a link", "a folder", "nowhere"])
def test_what_the_manifest_does_not_list_is_told(tmp_path, capsys, more):
    pack(tmp_path / "d")
    path = tmp_path / "d" / more
    if "/" in more:
        path.write_text("x")
    else:
        path.symlink_to({"a link": "config.yaml", "a folder": "logs", "nowhere": "gone"}[more])
    assert again(tmp_path / "d") == 2
    assert f"{more} is not in the manifest" in capsys.readouterr().err


def hostile_path(place):
    return lambda by_id, graph: graph.append({**by_id["logs/more.csv"], "@id": place})


HOSTILE = [
    (hostile_path("../outside.csv"), "leads out of the archive"),
    (hostile_path("/etc/passwd"), "leads out of the archive"),
    (hostile_path("logs/%2e%2e/%2e%2e/outside.csv"), "leads out of the archive"),
    (hostile_path(".snakemake/scripts/x.py"), "Snakemake's own"),
    (hostile_path("a%5Cb"), "no name of a file"),
    (hostile_path("logs/%6Dore.csv"), r"it names logs/more\.csv twice"),
    (lambda by_id, graph: by_id["#run"].pop("object"), "not the manifest of a deposit"),
    (lambda by_id, graph: by_id["logs/more.csv"].update(sha256="no"), "no digest"),
    (lambda by_id, graph: graph.append(7), "not the manifest of a deposit"),
    (lambda by_id, graph: graph.remove(by_id["results/times/numbers.tex"]), "numbers.tex' and says nothing of it"),
    (lambda by_id, graph: by_id["#run"]["result"].append({"@id": "results/times/x.csv"}), "x.csv' and says nothing of it"),
    (lambda by_id, graph: graph.append(by_id["logs/more.csv"]), r"it names logs/more\.csv twice"),
]


@pytest.mark.usefixtures("quick", "here")
def test_a_hostile_manifest_is_refused(tmp_path, capsys):
    pack(tmp_path / "d")
    (tmp_path / "outside.csv").write_bytes((tmp_path / "d/logs/more.csv").read_bytes())
    whole = (tmp_path / "d" / ro_crate.NAME).read_bytes()
    for change, message in HOSTILE:
        changed(tmp_path / "d", change)
        assert again(tmp_path / "d") == 2
        assert re.search(message, capsys.readouterr().err)
        (tmp_path / "d" / ro_crate.NAME).write_bytes(whole)


@pytest.mark.usefixtures("quick", "here")
def test_links_and_paths_that_lead_out_of_a_deposit_are_refused(tmp_path, capsys):
    pack(tmp_path / "d")
    (tmp_path / "d/logs").rename(tmp_path / "elsewhere")
    (tmp_path / "d/logs").symlink_to(tmp_path / "elsewhere")
    assert again(tmp_path / "d") == 2
    assert "logs/more.csv is a link, or stands behind one" in capsys.readouterr().err
    (tmp_path / "d/logs").unlink()
    (tmp_path / "elsewhere").rename(tmp_path / "d/logs")
    (tmp_path / "w").mkdir()
    outside = tmp_path / "w/outside.csv"
    outside.write_bytes((tmp_path / "d/logs/more.csv").read_bytes())
    for name in (str(outside), "../outside.csv"):
        config = tmp_path / "d/config.yaml"
        config.write_text(TABLE.replace("sheet.yaml", f"{{path: {name}, columns: {{algorithm: solver}}}}"))

        def resealed(by_id, _, config=config):
            by_id["config.yaml"]["sha256"] = hashlib.sha256(config.read_bytes()).hexdigest()
            by_id["config.yaml"]["contentSize"] = str(config.stat().st_size)

        changed(tmp_path / "d", resealed)
        assert again(tmp_path / "d", "--into", str(tmp_path / "w" / str(len(name)))) == 2
        assert "outside.csv, which is not below its folder" in capsys.readouterr().err


def test_what_stands_elsewhere_cannot_be_packed(here, tmp_path, quick, capsys):
    (tmp_path / "out.csv").write_bytes((here / "logs/more.csv").read_bytes())
    for path in ("../out.csv", str(tmp_path / "out.csv")):
        text = TABLE.replace("sheet.yaml", f"{{path: {path}, columns: {{algorithm: solver}}}}")
        (here / "study.yaml").write_text(text + SECTION)
        assert pack(tmp_path / "d") == 2
        assert re.search(r"out\.csv: is not below the folder of the configuration", capsys.readouterr().err)
    # named by an absolute path it would be found here, and nowhere else
    (here / "study.yaml").write_text(
        TABLE.replace("sheet.yaml", f"{{path: {here}/logs/more.csv, columns: {{algorithm: solver}}}}") + SECTION
    )
    assert pack(tmp_path / "d") == 2
    assert "which is not below its folder; put it (or a link to it) there" in capsys.readouterr().err
    # a link is what the message says will do
    (here / "link.csv").symlink_to(tmp_path / "out.csv")
    (here / "study.yaml").write_text(TABLE.replace("sheet.yaml", "{path: link.csv, columns: {algorithm: solver}}") + SECTION)
    assert pack(tmp_path / "d") == 0
    assert not (tmp_path / "d/link.csv").is_symlink()
    assert again(tmp_path / "d") == 0


def test_what_a_deposit_needs_is_asked_for(here, tmp_path, quick, capsys):
    examples = {"licence": "licence: CC-BY-4.0", "authors": "authors: [{name: Your name}]"}
    for without, message in examples.items():
        (here / "study.yaml").write_text(TABLE + re.sub(rf"  {without}:.*\n(    -.*\n)*", "", SECTION))
        assert pack(tmp_path / "d") == 2
        assert f"found no deposit.{without}, and a deposit needs that; write `deposit: {{{message}}}`" in capsys.readouterr().err
    (here / "study.yaml").write_text(TABLE)
    assert pack(tmp_path / "d") == 2
    assert f"write `deposit: {{{', '.join(examples.values())}}}`" in capsys.readouterr().err
    (here / "study.yaml").write_text(TABLE + SECTION)
    (tmp_path / "d").mkdir()
    (tmp_path / "d/mine").touch()
    assert pack(tmp_path / "d") == 2
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["pack"]) == 2
    assert cli.main(["pack", "times", "--archive", "d"]) == 2
    assert again(tmp_path / "nothing") == 2
    assert "found no ro-crate-metadata.json" in capsys.readouterr().err


def test_without_data(here, tmp_path, quick, capsys):
    assert pack(tmp_path / "d", "--without-data") == 0
    assert "2 files are named with their digests" in capsys.readouterr().out
    assert not (tmp_path / "d/logs").exists()
    said = entities(tmp_path / "d")["#logs/all%20times.csv"]
    assert said["localPath"] == "logs/all%20times.csv"
    assert said["sha256"] == hashlib.sha256((here / "logs/all times.csv").read_bytes()).hexdigest()
    assert again(tmp_path / "d") == 2
    assert re.search(r"it names logs/all times\.csv and does not hold it; .* with --data", capsys.readouterr().err)
    assert again(tmp_path / "d", "--data", str(here)) == 0
    (here / "logs/more.csv").write_text("solver,problem,cost\n3,p0,1\n")
    assert again(tmp_path / "d", "--data", str(here)) == 2
    assert "logs/more.csv has sha256" in capsys.readouterr().err


def test_a_folder_of_logs_is_packed_file_by_file(here, tmp_path, quick, capsys):
    write_archive(tmp_path / "Alpha.tar.xz", "Alpha", 0)
    (here / "raw").mkdir()
    with tarfile.open(tmp_path / "Alpha.tar.xz") as archive:
        archive.extractall(here / "raw", filter="data")
    (here / "study.yaml").write_text("studies: {folder: {sources: raw}}\n" + SECTION)
    assert pack(tmp_path / "d") == 0
    logs = {path.relative_to(here).as_posix() for path in (here / "raw").rglob("*") if path.is_file()}
    assert len(logs) > 1
    assert logs <= set(entities(tmp_path / "d"))
    # a file that the manifest does not name may be a log that was kept out of it
    extra = tmp_path / "d" / f"{min(logs)}.extra"
    extra.write_text("another log")
    assert again(tmp_path / "d", "--into", str(tmp_path / "f")) == 2
    assert f"{extra.relative_to(tmp_path / 'd').as_posix()} is not in the manifest" in capsys.readouterr().err
    extra.unlink()
    assert again(tmp_path / "d", "--into", str(tmp_path / "e")) == 0
    assert {path.relative_to(tmp_path / "e").as_posix() for path in (tmp_path / "e/raw").rglob("*") if path.is_file()} == logs
    (tmp_path / "d" / max(logs)).write_text("another log")
    assert again(tmp_path / "d") == 2
    assert f"{max(logs)} has sha256" in capsys.readouterr().err
    # named and not copied, each file is looked for by itself
    assert pack(tmp_path / "named", "--without-data") == 0
    assert f"{len(logs)} files are named with their digests" in capsys.readouterr().out
    assert again(tmp_path / "named", "--data", str(here)) == 0


def test_data_with_a_name_are_named_and_fetched_again(here, tmp_path, quick, server, monkeypatch, capsys):  # noqa: F811
    files = {}
    for seed, name in enumerate(("Alpha", "Beta")):
        write_archive(tmp_path / "logs" / f"{name}.tar.xz", name, seed)
        files[f"2009/{name}_x_noiseless.tar.xz"] = (tmp_path / "logs" / f"{name}.tar.xz").read_bytes()
    definition(server, "bbob-mini", files)
    monkeypatch.setenv("BENCHMILL_MIRROR", server.url)
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "kept"))
    archives.find("coco:bbob-mini", archives.store())
    (here / "study.yaml").write_text("studies: {named: {sources: 'coco:bbob-mini/2009/*'}}\n" + SECTION)
    assert pack(tmp_path / "d") == 0
    assert not (tmp_path / "d/downloads").exists()
    base = "https://numbbo.github.io/data-archive/data-archive/bbob-mini"
    said = entities(tmp_path / "d")[f"{base}/2009/Alpha_x_noiseless.tar.xz"]
    assert said["name"] == "coco:bbob-mini/2009/Alpha"
    assert said["sha256"] == hashlib.sha256(files["2009/Alpha_x_noiseless.tar.xz"]).hexdigest()
    # on a machine that has nothing of it
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "other"))
    assert again(tmp_path / "d") == 0
    # the archive has more by now
    definition(server, "bbob-mini", {**files, "2009/Gamma_x_noiseless.tar.xz": b"3"})
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "third"))
    capsys.readouterr()
    assert again(tmp_path / "d") == 2
    assert "the archives list other files by now" in capsys.readouterr().err


def test_a_table_that_differs_is_told_by_its_columns(tmp_path, monkeypatch):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"a": [1, 2], "b": [3.0, 4.0]})
    paths = [tmp_path / f"{name}.parquet" for name in ("then", "note", "value", "rows")]
    pq.write_table(table, paths[0])
    pq.write_table(table.replace_schema_metadata({"benchmill": "x"}), paths[1])
    pq.write_table(table.set_column(1, "b", [[3.0, 5.0]]), paths[2])
    pq.write_table(table[:1], paths[3])
    assert "the same numbers" in rerun.difference(paths[0], paths[1])
    assert rerun.difference(paths[0], paths[2]) == "in b (1 of 2 rows, by up to 1, 20 %)"
    assert rerun.difference(paths[0], paths[3]) == "2 rows and 2 columns, here 1 and 2"
    # a few bytes may stand for any number of rows, which are not read where there are not so many here
    monkeypatch.setattr(pq, "read_table", None)
    assert rerun.difference(paths[0], paths[3]) == "2 rows and 2 columns, here 1 and 2"


def test_what_was_not_made_and_what_is_not_listed_differ(tmp_path, monkeypatch):
    for folder in ("then", "now"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text("a")
    digest = deposit.copied(tmp_path / "then/a.txt", None)
    manifest = ro_crate.Manifest(tuple(ro_crate.Piece(name, *digest, ro_crate.RESULT) for name in ("a.txt", "b.txt")), {})
    monkeypatch.setattr(deposit, "results_of", lambda studies: {"a.txt": "", "c.txt": ""})
    monkeypatch.setattr(deposit, "notes_of", lambda studies, results: [])
    assert rerun._compared(tmp_path / "then", tmp_path / "now", manifest, {}) == {
        "a.txt": None,
        "b.txt": "it was not made here",
        "c.txt": "it is made of this study, and the manifest does not list it",
    }


def test_of_a_figure_that_differs_it_is_told_whether_its_data_do():
    tables = ["results/s/ratios/m.parquet", "results/s/ecdf/p.parquet"]
    for how, told in (
        (None, "the data that it shows are the same"),
        ("the same numbers; what the file notes of its origin differs", "the data that it shows are the same"),
        ("in cost (1 of 2 rows)", "it shows results/s/ratios/m.parquet, which differs too"),
    ):
        assert rerun._shown_by(tables, {tables[0]: how, tables[1]: None}) == told


def test_a_manifest_of_many_files_is_read_in_one_go(tmp_path):
    said = {"@type": "File", "contentSize": "1", "sha256": "0" * 64}
    graph = [{"@id": "#run", "@type": "CreateAction", "object": [], "result": []}]
    graph += [{**said, "@id": f"{i}"} for i in range(20_000)] + [{**said, "@id": "%319999"}]
    (tmp_path / ro_crate.NAME).write_text(json.dumps({"@graph": graph}))
    begin = time.process_time()
    with pytest.raises(UserError, match="it names 19999 twice"):
        ro_crate.read(tmp_path)
    assert time.process_time() - begin < 5


@pytest.mark.workflow
def test_a_deposit_gives_the_same_bytes_on_another_path(here, tmp_path):
    # LaTeX has tests of its own
    env = {**os.environ, "PATH": str(Workspace(tmp_path).without_tex()), "PYTHONPATH": os.pathsep.join(sys.path)}

    def benchmill(*arguments):
        command = [sys.executable, "-m", "benchmill", *map(str, arguments)]
        return subprocess.run(command, env=env, cwd=here, capture_output=True, text=True, check=False)

    done = benchmill("pack", "--archive", tmp_path / "d", "--config", "study.yaml", "--cores", "2")
    assert done.returncode == 0, done.stderr
    # what a stranger could put there is not taken for a profile or a module
    profile = tmp_path / "d/profiles/default/config.yaml"
    profile.parent.mkdir(parents=True)
    profile.write_text("dry-run: true\n")
    manifest = (tmp_path / "d" / ro_crate.NAME).read_bytes()
    resealed(tmp_path / "d", "profiles/default/config.yaml", "object")
    done = benchmill("rerun", tmp_path / "d", "--cores", "1")
    assert done.returncode == 2
    assert "the study neither reads nor makes it" in done.stderr
    shutil.rmtree(tmp_path / "d/profiles")
    (tmp_path / "d" / ro_crate.NAME).write_bytes(manifest)
    done = benchmill("rerun", tmp_path / "d", "--cores", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "files are the same, byte for byte." in done.stdout


def test_a_section_that_is_wrong_is_told_with_its_key(here, tmp_path, quick, capsys):
    (here / "study.yaml").write_text(TABLE + SECTION.replace("CC-BY-4.0", "my own words"))
    assert pack(tmp_path / "d") == 2
    assert "deposit.licence" in capsys.readouterr().err
    (here / "list.yaml").write_text("[]")
    with pytest.raises(UserError, match="found no mapping"):
        deposit.content_of(here / "list.yaml")
