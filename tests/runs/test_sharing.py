"""Sharing: a store of parsed logs between studies, and the Snakefile that the workflow catalogue finds."""

from types import SimpleNamespace

import pytest

from benchmill.workflow.job import job

from .conftest import PROJECT, make_workspace, write_archive, write_logs

pytestmark = pytest.mark.workflow
INGESTED = [f"results/small/ingest/{name}.json" for name in ("Alpha", "Beta", "Gamma")]


def test_an_archive_is_parsed_once_for_all_who_share_a_store(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    first, second = make_workspace(tmp_path / "first"), make_workspace(tmp_path / "second")
    # another study, another place, and a changed algorithm
    second.config.write_text(second.config.read_text().replace("sources: logs/", "sources: entries/"))
    (second.folder / "logs").rename(second.folder / "entries")
    (second.folder / "entries" / "Beta.tar.xz").unlink()
    write_archive(second.folder / "entries" / "Beta.tar.xz", "Beta", 99)
    write_logs(second.folder / "entries" / "Folder.tar.xz", "Folder", 7)
    shared = {"env": {"SNAKEMAKE_OUTPUT_CACHE": str(store)}}
    run = first.run("--cache", "--", *INGESTED, **shared)
    assert run.code == 0, run.output
    held = set(store.iterdir())
    assert len(held) == 15  # four files of each source, and the note of what they were made from
    run = second.run("--cache", "--", *INGESTED, "results/small/ingest/Folder.json", **shared)
    assert run.code == 0, run.output
    # Beta is another algorithm here, the folder is not kept in the store; Alpha and Gamma came out of it
    assert len(set(store.iterdir()) - held) == 5
    assert not second.path("small/trials/Folder.parquet").is_symlink()
    for name in ("Alpha", "Gamma"):
        assert second.path(f"small/traces/{name}.parquet").resolve() in held
    alone = make_workspace(tmp_path / "alone")
    assert alone.run("--", *INGESTED).code == 0
    assert first.contents() == alone.contents()
    for path in ("small/trials/Alpha.parquet", "small/traces/Gamma.parquet", "small/ingest/Alpha.json"):
        assert second.path(path).read_bytes() == alone.path(path).read_bytes()
    assert second.path("small/trials/Beta.parquet").read_bytes() != alone.path("small/trials/Beta.parquet").read_bytes()


def test_two_who_start_on_one_empty_store_do_not_stop_each_other(tmp_path):
    """Both read the logs and put them into the store, one after the other, while jobs of the first read from it already."""
    store = tmp_path / "store"
    store.mkdir()
    two = [make_workspace(tmp_path / name) for name in ("first", "second")]
    shared = {"env": {"SNAKEMAKE_OUTPUT_CACHE": str(store)}}
    wanted = [f"results/small/costs/ert/{name}.parquet" for name in ("Alpha", "Beta", "Gamma")]
    runs = [workspace.start("--cache", "--", *wanted, **shared) for workspace in two]
    told = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], told
    assert two[0].contents() == two[1].contents()
    assert two[0].run("--cache", "--", *wanted, **shared).jobs == []

    # what the store holds is cut: a message names the file there, and without both all is well
    held = two[0].path("small/trials/Beta.parquet").resolve()
    held.write_bytes(held.read_bytes()[:100])
    third = make_workspace(tmp_path / "third")
    failed = third.start("--cache", "--", *wanted, **shared)
    assert f"delete it and {held}, which it is a link to, and make it again" in failed.communicate()[0]
    held.unlink()
    third.path("small/trials/Beta.parquet").unlink()
    third.run("--cache", "--", *wanted, **shared)
    assert third.contents() == two[1].contents()


@pytest.mark.parametrize(("folder", "fails"), [("store", False), ("elsewhere", True)])
def test_what_is_put_into_the_store_again_has_not_changed(tmp_path, monkeypatch, folder, fails):
    monkeypatch.setenv("SNAKEMAKE_OUTPUT_CACHE", str(tmp_path / "store"))
    (tmp_path / folder).mkdir()
    held = tmp_path / folder / "0123_trials.parquet"
    held.write_text("rows")
    (tmp_path / "trials.parquet").symlink_to(held)
    paths = {"input": [str(tmp_path / "trials.parquet")], "output": ["x"], "log": [str(tmp_path / "log")]}
    snakemake = SimpleNamespace(**paths, params={}, wildcards={})

    def read():
        with job(snakemake):
            (tmp_path / "new").write_text("rows")
            (tmp_path / "new").rename(held)

    if fails:
        with pytest.raises(SystemExit):
            read()
        assert "changed while it was read" in (tmp_path / "log").read_text()
    else:
        read()
        assert (tmp_path / "log").read_text() == ""


def test_equal_logs_under_other_names_are_not_mixed_up(tmp_path):
    """The name of a source and of its file are in the results, so the store keeps them apart."""
    store = tmp_path / "store"
    store.mkdir()
    shared = {"env": {"SNAKEMAKE_OUTPUT_CACHE": str(store)}}
    first, second = make_workspace(tmp_path / "first"), make_workspace(tmp_path / "second")
    (second.folder / "logs" / "Alpha.tar.xz").rename(second.folder / "logs" / "Other.tar.xz")
    assert first.run("--cache", "--", INGESTED[0], **shared).code == 0
    run = second.run("--cache", "--", "results/small/ingest/Other.json", **shared)
    assert run.code == 0, run.output
    assert len(list(store.iterdir())) == 10
    assert '"source": "Other"' in second.path("small/ingest/Other.json").read_text()


def test_the_catalogues_snakefile_makes_everything_too(empty):
    run = empty.run("-s", PROJECT / "workflow/Snakefile", "-n", "--quiet", "rules")
    assert run.code == 0, run.output
    assert "paper" in run.output
    assert "everything" in run.output
