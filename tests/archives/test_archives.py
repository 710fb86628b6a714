"""What names mean, what archives list, and what comes of a name."""

import json
import re
import runpy
import time
from pathlib import Path

import pytest

import benchmill as bm
from benchmill import archives, cli
from benchmill.archives import coco, listings
from benchmill.archives.listings import is_name, parsed
from benchmill.core import UserError
from benchmill.registry.archives import ARCHIVES

from .conftest import definition, record, tree


@pytest.mark.parametrize(
    "text", ["coco:bbob/2009/X", "zenodo:12/x.tgz", "github:o/r@v1/a", "aslib:MIP-2016@v4", "coco:https://a.org/b#*"]
)
def test_names(text):
    assert is_name(text)
    name = parsed(text)
    assert name.wanted
    assert name.of(name.wanted) == text
    assert parsed(name.of_archive).wanted == ""


@pytest.mark.parametrize("text", ["logs/x.tgz", "C:/x", "coco", "https://a.org/x", "coco://x", "s3://coco:bbob"])
def test_what_is_no_name(text):
    assert not is_name(text)


@pytest.mark.parametrize(
    "text",
    ["coco:", "coco:/x", "coco:../x", "coco:bbob/../../x", "coco:http://a.org/b#x", "coco:https://me:word@a.org/b#x",
     "coco:https://[x/b#a", "zenodo:x", "zenodo:1/../x", "github:o/r/x", "github:o@v/x",
     "aslib:MIP-2016", "aslib:../x@v", "aslib:a/b@v"],
)  # fmt: skip
def test_mistaken_names(text):
    with pytest.raises(UserError) as caught:
        parsed(text)
    assert ARCHIVES[text.partition(":")[0]].form in str(caught.value)
    assert "word" not in str(caught.value)


def test_a_name_of_no_kind_lists_all_forms():
    with pytest.raises(UserError, match=r"coco:SUITE.*zenodo:RECORD.*github:OWNER.*aslib:SCENARIO"):
        parsed("ftp:x")


@pytest.mark.parametrize(
    ("file", "algorithm"),
    [
        ("2009/BIPOP-CMA-ES_hansen_noiseless.tgz", "BIPOP-CMA-ES"),
        ("2013/CMAES_Hutter_hutter_noiseless.tgz", "CMAES_Hutter"),
        ("2015-GECCO/GP1-CMAES_Bajer_2013instances.tgz", "GP1-CMAES_2013instances"),
        ("2018-others/DTS-CMA-ES_005-2pop_v26_1model_Bajer.tgz", "DTS-CMA-ES_005-2pop_v26_1model"),
        ("2019/TPE-hyperopt.tgz", "TPE-hyperopt"),
        ("DE.zip", "DE"),
    ],
)
def test_the_algorithm_that_a_file_of_coco_is_named_after(file, algorithm):
    assert coco.algorithm(file, "bbob") == algorithm
    assert coco.algorithm(file.replace("noiseless", "noisy"), "bbob-noisy") == algorithm


def test_a_suite_is_named_behind_the_author():
    assert coco.algorithm("2016/RM-MEDA_Auger_bbob-biobj.tgz", "bbob-biobj") == "RM-MEDA"
    assert coco.algorithm("2019/V2D_Varelas_largescale.tgz", "bbob-largescale") == "V2D"


def entries(text, name="coco:bbob-x/*"):
    return listings.entries(parsed(name), text)


def test_two_files_of_one_algorithm_in_a_folder_have_names_of_their_own():
    listed = entries(f"[('1/A_x.tgz', '{'a' * 64}', 1), ('1/A_y.tgz', '{'b' * 64}', 1), ('2/A_x.tgz', '{'c' * 64}', 1)]")
    assert [entry.name for entry in listed] == ["coco:bbob-x/1/A_x", "coco:bbob-x/1/A_y", "coco:bbob-x/2/A"]
    assert [entry.algorithm for entry in listed] == ["A_x", "A_y", "A"]


def test_two_archives_of_one_name_keep_their_suffixes():
    listed = entries("[('1/A_x.tgz', None), ('1/A_x.zip', None), ('1/A_y.zip', None)]")
    assert [entry.name for entry in listed] == ["coco:bbob-x/1/A_x.tgz", "coco:bbob-x/1/A_x.zip", "coco:bbob-x/1/A_y"]


def test_a_tree_of_many_folders_is_read_in_one_go():
    blob = {"type": "blob", "mode": "100644", "sha": "0" * 40, "size": 1}
    items = [item for i in range(20_000) for item in ({"path": f"d{i}", "type": "tree"}, {**blob, "path": f"d{i}/x"})]
    begin = time.process_time()
    listed = entries(json.dumps({"tree": items, "truncated": False}), "github:o/r@v/d*")
    assert time.process_time() - begin < 5
    assert (len(listed), listed[7].path, [file.path for file in listed[7].files]) == (20_000, "d7", ["d7/x"])


def test_what_is_known_of_a_file_replaces_no_other_file(server, at):
    record(server, 7, {"a.csv": b"1", "a.csv.json": b"2"})
    paths = [archives.fetch(entry, at) for entry in archives.find("zenodo:7", at)]
    assert [path.read_bytes() for path in paths] == [b"1", b"2"]
    assert {json.loads(path.with_name(f"{path.name}~.json").read_text("utf-8"))["name"] for path in paths} == {
        "zenodo:7/a.csv",
        "zenodo:7/a.csv.json",
    }


def test_lists_of_third_parties_may_lack_sizes_and_digests():
    one, two = entries(f"[('A.tgz', '{'A' * 64}'), ('B.tgz', None, 7)]", "coco:https://a.org/b#x")
    assert (one.files[0].digest.value, one.size) == ("a" * 64, None)
    assert (two.files[0].digest, two.size, two.files[0].largest) == (None, 7000, 7999)
    assert one.files[0].url == "https://a.org/b/A.tgz"
    assert one.name == "coco:https://a.org/b#A"


@pytest.mark.parametrize(
    "text",
    ["", "[", "{}['a']", "5", "[5]", "__import__('os').system('x')", "[('../x.tgz', 'a', 1)]", f"[('/x.tgz', '{'a' * 64}', 1)]",
     f"[('a//x.tgz', '{'a' * 64}', 1)]", r"[('a\\b.tgz', None, 1)]", "[('C:x.tgz', None, 1)]", "[('x.tgz', 'zz', 1)]",
     "[('x.tgz', None, 1), ('x.tgz', None, 2)]", "[" + "('x',)," * 300000 + "]",
     f"[('x.tgz', '{'a' * 64}', -1)]", f"[('x.tgz', '{'a' * 64}', True)]", "[('x\\n.tgz', None, 1)]", "(" * 3000, "<html>"],
)  # fmt: skip
def test_what_is_no_list(text):
    with pytest.raises(UserError, match="is not the list of an archive") as caught:
        entries(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["zenodo:1/x", "github:o/r@v/x", "aslib:x@v"])
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tree": [], "files": []}', "null", "<html>"])
def test_what_is_no_record_or_tree(name, text):
    with pytest.raises(UserError, match="is not the list of an archive"):
        entries(text, name)


def test_a_tree_that_is_cut_is_refused():
    with pytest.raises(UserError, match="too large, and cut"):
        entries('{"tree": [], "truncated": true}', "github:o/r@v/x")


def test_the_package_carries_what_its_script_writes_of_it():
    """Each list is a fixed point of the script, and holds no file twice."""
    written = runpy.run_path(str(Path(__file__).parents[2] / ".ci/archive_sheets.py"))["written"]
    sheets = list((archives.resources.files(archives) / "sheets/coco").iterdir())
    assert "bbob.txt" in [sheet.name for sheet in sheets]
    for sheet in sheets:
        name = f"coco:{sheet.name.removesuffix('.txt')}"
        listed = archives.find(name, archives.Store(archives.Path("/no/such/folder")), ask=False)
        assert written(listed) == sheet.read_text("utf-8")
        assert len({entry.name for entry in listed}) == len({entry.files[0].digest for entry in listed}) == len(listed)


def test_the_lists_know_the_archives_that_are_here():
    import os

    folder = Path(os.environ.get("BENCHMILL_REAL_DATA", "/no/such/folder"), "coco-bbob")
    here = {path.name: path for path in folder.glob("*.tgz")}
    if not here:
        pytest.skip("needs archives of COCO in BENCHMILL_REAL_DATA")
    listed = archives.find("coco:bbob", archives.Store(Path("/no/such/folder")), ask=False)
    known = [entry.files[0] for entry in listed if entry.path.rpartition("/")[2] in here]
    assert len(known) >= 5
    from benchmill.archives.transfer import mismatch

    assert not any(mismatch(here[file.path.rpartition("/")[2]], file) for file in known)


def test_a_suite_that_the_package_does_not_carry_is_listed_by_its_archive(server, at):
    definition(server, "bbob-mini", {"2019/A_x.tgz": b"a" * 5000, "2019/B_y.tgz": b"b" * 999, "2020/A_z.tgz": b"c"})
    with pytest.raises(UserError, match=r"is not fetched while a study is planned.*fetch --list 'coco:bbob-mini'"):
        archives.find("coco:bbob-mini/*", at, ask=False)
    found = archives.find("coco:bbob-mini/2019/*", at)
    assert [entry.name for entry in found] == ["coco:bbob-mini/2019/A", "coco:bbob-mini/2019/B"]
    # from now on it is known, and what an archive adds is not until it is asked again
    definition(server, "bbob-mini", {"2019/A_x.tgz": b"a" * 5000})
    assert len(archives.find("coco:bbob-mini", at, ask=False)) == 3
    assert len(archives.find("coco:bbob-mini", at, again=True)) == 1


def test_a_name_of_nothing_has_a_hint(server, at):
    definition(server, "bbob-mini", {"2019/BIPOP-A_x.tgz": b"a"})
    with pytest.raises(UserError, match=r"did you mean coco:bbob-mini/2019/BIPOP-A\?"):
        archives.find("coco:bbob-mini/2019/bipop", at)
    with pytest.raises(UserError, match=r"fetch --list 'coco:bbob-mini'"):
        archives.find("coco:bbob-mini/2031/*", at)


def test_a_file_of_coco_with_its_record(server, at):
    definition(server, "bbob-mini", {"2019/A_x.tgz": b"a" * 5000})
    (entry,) = archives.find("coco:bbob-mini/2019/A", at)
    path = archives.fetch(entry, at)
    assert path == at.folder / "coco/bbob-mini/2019/A_x.tgz"
    known = json.loads(path.with_name(f"{path.name}~.json").read_text("utf-8"))
    assert known["sha256"] == entry.files[0].digest.value
    assert (known["name"], known["licence"]) == ("coco:bbob-mini/2019/A", None)
    assert known["urls"] == ["https://numbbo.github.io/data-archive/data-archive/bbob-mini/2019/A_x.tgz"]


def test_a_record_of_zenodo_with_licence_and_citation(server, at):
    record(server, 12, {"a b.tgz": b"logs", "read.me": b"x"})
    (entry,) = archives.find("zenodo:12/*.tgz", at)
    path = archives.fetch(entry, at)
    assert path.read_bytes() == b"logs"
    known = json.loads(path.with_name(f"{path.name}~.json").read_text("utf-8"))
    assert known["licence"] == "cc-by-4.0"
    assert known["citation"] == "Doe, J.; Roe, R. (2024) Logs of a walk. Zenodo. https://doi.org/10.5281/zenodo.12"


def test_scenarios_and_folders_of_repositories(server, at):
    runs = {f"{name}/{file}": f"{name} {file}".encode() for name in ("MIP", "TSP") for file in ("algorithm_runs.arff", "cv.arff")}
    tree(server, "coseal/aslib_data", "v4", {**runs, "scripts/x.py": b"print()", "MIP/more/deep.txt": b"deep"})
    assert [entry.name for entry in archives.find("aslib:*@v4", at)] == ["aslib:MIP@v4", "aslib:TSP@v4"]
    (entry,) = archives.find("aslib:MIP@v4", at)
    assert (entry.format, entry.is_folder) == ("aslib", True)
    folder = archives.fetch(entry, at)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == [
        "algorithm_runs.arff",
        "cv.arff",
        "more/deep.txt",
    ]
    (file,) = archives.find("github:coseal/aslib_data@v4/MIP/more/*.txt", at)
    assert archives.fetch(file, at).read_bytes() == b"deep"


def test_a_scenario_as_it_is_published(server, at, tmp_path):
    from benchmill import readers

    columns = "instance_id STRING", "repetition NUMERIC", "algorithm STRING", "PAR10 NUMERIC", "runstatus {ok, timeout}"
    sample = "".join(["@RELATION ALGORITHM_RUNS_X\n", *(f"@ATTRIBUTE {column}\n" for column in columns), "@DATA\nx,1,S,2,ok\n"])
    tree(server, "coseal/aslib_data", "v4", {"X/algorithm_runs.arff": sample.encode(), "X/description.txt": b"scenario_id: X\n"})
    (entry,) = archives.find("aslib:X@v4", at)
    assert readers.sniff(archives.fetch(entry, at)).format == entry.format


def test_where_things_are_kept(monkeypatch, tmp_path):
    for name in ("BENCHMILL_CACHE", "BENCHMILL_MIRROR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert archives.store().folder.is_relative_to(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert archives.store() == archives.Store(tmp_path / "xdg/benchmill")
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("BENCHMILL_MIRROR", "/mirror")
    assert archives.store() == archives.Store(tmp_path / "own", "/mirror")
    assert archives.store("here", "there") == archives.Store(archives.Path("here"), "there")


def test_in_a_notebook(server, at):
    definition(server, "bbob-mini", {"2019/A_x.tgz": b"a" * 5000, "2019/B_y.tgz": b"b" * 999})
    given = {"cache": at.folder, "mirror": server.url}
    folder = at.folder / "coco/bbob-mini/2019"
    assert bm.fetch("coco:bbob-mini/*", **given) == [str(folder / "A_x.tgz"), str(folder / "B_y.tgz")]
    assert bm.fetch("coco:bbob-mini/2019/B", "coco:bbob-mini/*/B", **given) == [str(folder / "B_y.tgz")]
    with pytest.raises(bm.UserError, match="the archive has nothing by that name"):
        bm.fetch("coco:bbob-mini/2019/C", **given)


def test_the_command(server, at, capsys, monkeypatch):
    definition(server, "bbob-mini", {"2019/A_x.tgz": b"a" * 5000, "2019/B_y.tgz": b"b" * 999})
    monkeypatch.setenv("BENCHMILL_CACHE", str(at.folder))
    monkeypatch.setenv("BENCHMILL_MIRROR", server.url)
    assert cli.main(["fetch", "coco:bbob-mini/2019/*", "--list"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"coco:bbob-mini/2019/A +5\.0 kB  licence not stated\n", told)
    assert "2 in all, 5.0 kB" in told
    assert cli.main(["fetch", "coco:bbob-mini/*/A", "coco:bbob-mini/2019/A"]) == 0
    assert capsys.readouterr().out == f"{at.folder}/coco/bbob-mini/2019/A_x.tgz\n"
    assert cli.main(["fetch", "coco:bbob-mini", "--list"]) == 0
    assert "licence not stated  here\n" in capsys.readouterr().out
    assert cli.main(["fetch", "coco:bbob-mini"]) == 2
    assert "write coco:bbob-mini/* for all of it" in capsys.readouterr().err


def test_what_cannot_be_fetched_is_told_and_the_rest_is_kept(server, at, capsys, monkeypatch):
    definition(server, "bbob-mini", {"2019/A_x.tgz": b"a" * 5000, "2019/B_y.tgz": b"b" * 999})
    (server.folder / "numbbo.github.io/data-archive/data-archive/bbob-mini/2019/A_x.tgz").write_bytes(b"c" * 5000)
    monkeypatch.setenv("BENCHMILL_CACHE", str(at.folder))
    monkeypatch.setenv("BENCHMILL_MIRROR", server.url)
    assert cli.main(["fetch", "coco:bbob-mini/*"]) == 2
    told = capsys.readouterr()
    assert "is not the file that the archive states" in told.err
    assert told.out == f"{at.folder}/coco/bbob-mini/2019/B_y.tgz\n"


def test_a_source_is_added_by_its_name(server, at, tmp_path, monkeypatch, capsys):
    import yaml

    from benchmill.study.elsewhere import place
    from tests.test_cli_sources import CONFIG, archive

    (tmp_path / "logs").mkdir()
    archive(tmp_path / "logs" / "walker.tgz", "walker")
    content = archive(tmp_path / "runner.tgz", "runner").read_bytes()
    definition(server, "bbob-mini", {"2019/runner_x.tgz": content})
    (tmp_path / "config.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENCHMILL_CACHE", str(at.folder))
    monkeypatch.setenv("BENCHMILL_MIRROR", server.url)
    assert cli.main(["add", "mine", "coco:bbob-mini/*"]) == 0
    assert "1 sources and 1 more (runner_x)" in capsys.readouterr().out
    entry = yaml.safe_load((tmp_path / "config.yaml").read_text())["studies"]["mine"]["sources"][-1]
    digest = archives.find("coco:bbob-mini/2019/runner", at)[0].files[0].digest.value
    assert entry == {
        "path": "coco:bbob-mini/2019/runner",
        "format": "coco",
        "algorithm": "runner",
        "sha256": digest,
        "size_mb": entry["size_mb"],
    }
    assert place("https://x.org/runner_x.tgz", digest).read_bytes() == content
    assert cli.main(["add", "mine", "coco:bbob-mini/2019/runner"]) == 0
    assert "is already in mine" in capsys.readouterr().out
