"""Several folders, archives and tables that are one source."""

import hashlib

import pytest

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.readers.archive import open_parts, part_names

from .making import block, folder, info, one_sentence, tar, zipped


def campaign(instance, algorithm="Walker"):
    """One function in two variables with one instance."""
    return {
        "W/bbobexp_f1.info": info(1, 2, [f"{instance}:40|-1.0e-08"], algorithm),
        "W/data_f1/bbobexp_f1_DIM2.dat": block(instance, [(1, 30.0), (4, 2.5), (9, 0.0)]),
        "W/data_f1/bbobexp_f1_DIM2.tdat": block(instance, [(1, 30.0), (2, 28.0 - instance), (40, 0.0)]),
    }


def ingest(paths, out, **options):
    out.mkdir(exist_ok=True)
    files = [out / "trials.parquet", out / "traces.parquet", out / "report.json"]
    report = readers.ingest(paths, files, name="w", options=options)
    return report, storage.read(files[0], "trials"), storage.read(files[1], "traces")


def test_parts_of_every_kind_are_read_as_one_and_name_themselves(tmp_path):
    paths = [
        tar(tmp_path / "one.tgz", campaign(1)),
        zipped(tmp_path / "two.zip", campaign(2)),
        folder(tmp_path / "three", campaign(3)),
    ]
    report, trials, traces = ingest(paths, tmp_path / "out")
    assert trials["instance"].to_pylist() == ["1", "2", "3"]
    assert [place.split("/")[0] for place in trials["source"].to_pylist()] == ["one.tgz", "two.zip", "three"]
    assert traces["trial"].to_pylist() == sorted(traces["trial"].to_pylist())
    assert report["instances"] == "1-3"
    assert [(part["path"], part["sha256"]) for part in report["parts"]] == [
        ("one.tgz", hashlib.sha256(paths[0].read_bytes()).hexdigest()),
        ("two.zip", hashlib.sha256(paths[1].read_bytes()).hexdigest()),
        ("three", readers.source_digest(paths[2])),
    ]
    assert report["bytes"] == sum(part["bytes"] for part in report["parts"])
    assert report["path"] == "one.tgz, two.zip, three"
    # as one folder with the same files, but for the names of these
    whole = {f"{number}/{name}": text for number in (1, 2, 3) for name, text in campaign(number).items()}
    one, other, third = ingest([folder(tmp_path / "whole", whole)], tmp_path / "out2")
    assert "parts" not in one
    assert other.drop_columns(["source"]).equals(trials.drop_columns(["source"]))
    assert third.equals(traces)


def test_repetitions_of_an_instance_in_two_parts_are_runs_and_copies_are_told(tmp_path):
    again = campaign(1) | {f"W/data_f1/bbobexp_f1_DIM2.{kind}": block(1, [(1, 31.0), (40, 0.0)]) for kind in ("dat", "tdat")}
    paths = [tar(tmp_path / "a.tgz", campaign(1)), tar(tmp_path / "b.tgz", again)]
    report, trials, _ = ingest(paths, tmp_path / "out")
    assert trials["run"].to_pylist() == [1, 2]
    assert not report["irregularities"]
    paths[1] = tar(tmp_path / "c.tgz", campaign(1))
    report, _, _ = ingest(paths, tmp_path / "out")
    told = {entry["rule"]: entry["file"] for entry in report["irregularities"]}
    assert "same_content" in told
    assert told["same_content"].startswith(("a.tgz/", "c.tgz/"))


def test_irregularities_name_the_part(tmp_path):
    files = {"W/._junk": "x", **campaign(2)}
    report, _, _ = ingest([tar(tmp_path / "a.tgz", campaign(1)), tar(tmp_path / "b.tgz", files)], tmp_path / "out")
    assert [(entry["rule"], entry["file"]) for entry in report["irregularities"]] == [("junk_file", "b.tgz/W/._junk")]


def test_tables_of_one_name_are_told_apart(tmp_path):
    for year, cost in (("2009", 3), ("2010", 4)):
        folder(tmp_path / year, {"times.csv": f"algorithm,problem,instance,cost\nA,p,{year},{cost}\n"})
    paths = [tmp_path / year / "times.csv" for year in ("2009", "2010")]
    report, trials, _ = ingest(paths, tmp_path / "out")
    assert part_names(paths) == ["times.csv", "2/times.csv"]
    assert trials["cost"].to_pylist() == [3, 4]
    assert trials["source"].to_pylist() == ["times.csv:2", "2/times.csv:2"]
    assert [part["path"] for part in report["parts"]] == ["times.csv", "2/times.csv"]


def test_a_rename_sees_the_names_of_all_parts(tmp_path):
    paths = [tar(tmp_path / "a.tgz", campaign(1, "old")), tar(tmp_path / "b.tgz", campaign(2, "new"))]
    report, _, _ = ingest(paths, tmp_path / "out", algorithm={"old": "Walker", "new": "Walker"})
    assert report["algorithms"] == ["Walker"]


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ("table.csv", "its format is 'table', that of "),
        ("a.tgz", "listed twice"),
        ("absent.tgz", "no such file"),
        ("cut.tgz", "cut short"),
    ],
)
def test_what_is_no_part_is_told_and_nothing_is_written(tmp_path, second, told):
    first = tar(tmp_path / "a.tgz", campaign(1))
    (tmp_path / "table.csv").write_text("algorithm,problem,cost\nA,p,3\n")
    (tmp_path / "cut.tgz").write_bytes(first.read_bytes()[:-50])
    with pytest.raises(UserError, match=told) as error:
        ingest([first, tmp_path / second], tmp_path / "out")
    one_sentence(error.value)
    assert not list((tmp_path / "out").iterdir())


def test_a_part_cannot_stand_in_for_the_files_of_another(tmp_path):
    paths = [
        folder(tmp_path / "x", {"t.csv": "algorithm,problem,cost\nA,p,3\n"}) / "t.csv",
        folder(tmp_path / "2", {"t.csv": "algorithm,problem,cost\nA,q,3\n"}),
        folder(tmp_path / "y", {"t.csv": "algorithm,problem,cost\nA,r,3\n"}) / "t.csv",
    ]
    with open_parts(paths) as view:
        assert [member.name for member in view.members] == ["t.csv", "2/t.csv", "3/t.csv"]
    with pytest.raises(UserError, match="two parts of a source have a file of this name"):
        open_parts([paths[0], paths[2], paths[1]])
