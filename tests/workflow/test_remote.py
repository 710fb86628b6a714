"""Names of downloads, and files that are verified where they are; what a server does is in tests/remote."""

import hashlib
import os
from pathlib import Path

import pytest
import yaml

from benchmill import readers
from benchmill.core.errors import UserError
from benchmill.workflow.remote import is_url, place, verify
from benchmill.workflow.study import read_studies


@pytest.mark.parametrize("path", ["https://a.org/x.tgz", "s3://bucket/x.tgz", "HTTP://a.org/x"])
def test_urls(path):
    assert is_url(path)


@pytest.mark.parametrize("path", ["logs/x.tgz", "/x", "C:/x", "a:b", "//a/b", "logs/a://b"])
def test_paths(path):
    assert not is_url(path)


def test_a_file_with_a_digest_is_kept_by_it():
    sha256 = "ABCDEF0123456789" * 4
    assert str(place("https://a.org/one/x.tgz?v=2", sha256)) == "downloads/abcdef0123456789/x.tgz"
    assert place("s3://bucket/two/x.tgz", sha256) == place("https://a.org/one/x.tgz", sha256)


def test_a_file_without_one_is_kept_by_its_address():
    assert str(place("https://a.org/one/x.tgz")) == "downloads/a.org/one/x.tgz"
    assert place("https://a.org/x.tgz?v=1") != place("https://a.org/x.tgz?v=2")
    assert "secret" not in str(place("https://me:secret@a.org/x.tgz"))


@pytest.mark.parametrize("url", ["https://a.org/../../etc/x.tgz", "https://a.org/%2e%2e/%2e%2e/x.tgz", "https://../x.tgz"])
def test_no_address_leads_out_of_the_folder(url):
    path = place(url)
    assert path.parts[0] == "downloads"
    assert ".." not in path.parts


@pytest.mark.parametrize("url", ["https://a.org", "https://a.org/", "https://a.org/..", "s3://bucket"])
def test_a_url_that_names_no_file(url):
    with pytest.raises(UserError, match="names no file"):
        place(url)


def test_another_file_in_its_place(tmp_path):
    path = tmp_path / "x.tgz"
    path.write_bytes(b"logs")
    verify(path, hashlib.sha256(b"logs").hexdigest(), "Alpha")
    verify(path, None, "Alpha")
    with pytest.raises(UserError, match=r"^source Alpha: .*x\.tgz is not the file that is meant"):
        verify(path, "0" * 64, "Alpha")


SHEETS = sorted((Path(__file__).parents[2] / "studies/coco-archive").glob("*.yaml"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_of_the_public_archive_makes_a_study(sheet, tmp_path, monkeypatch):
    """It can be planned without a network, and no two sources are taken for one."""
    monkeypatch.chdir(tmp_path)
    study = read_studies(
        {"studies": {"mine": {"sources": str(sheet)}}},
        [tmp_path],
        look=readers.sniff,
        options_of=lambda format: readers.options_schema(format)["properties"],
        figures_of=lambda study: study.settings["figures"],
    )["mine"]
    listed = sheet.read_text("utf-8").count("\n- path: ")
    assert len(study.sources) == listed > 0
    for values in zip(*((s.name, s.url, s.sha256, s.paths, s.options["algorithm"]) for s in study.sources), strict=True):
        assert len(set(values)) == listed


@pytest.mark.skipif("BENCHMILL_REAL_DATA" not in os.environ, reason="needs archives of COCO in BENCHMILL_REAL_DATA")
def test_the_sheets_know_the_archives_that_are_here():
    listed = {entry["path"].rpartition("/")[2]: entry for sheet in SHEETS for entry in yaml.safe_load(sheet.read_text("utf-8"))}
    here = [path for path in Path(os.environ["BENCHMILL_REAL_DATA"], "coco-bbob").glob("*.tgz") if path.name in listed]
    for path in here:
        verify(path, listed[path.name]["sha256"], path.name)
        assert round(path.stat().st_size / 1e6, 2) == pytest.approx(listed[path.name]["size_mb"], rel=0.01)
