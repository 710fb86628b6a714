"""Names of downloads, and files that are verified where they are; what a server does is in tests/remote."""

import hashlib

import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.study.elsewhere import is_far, place
from benchmill.study.study import read_studies
from benchmill.workflow.remote import verify


@pytest.mark.parametrize("path", ["https://a.org/x.tgz", "s3://bucket/x.tgz", "HTTP://a.org/x", "coco:bbob/2009/x", "zenodo:1/x"])
def test_urls(path):
    assert is_far(path)


@pytest.mark.parametrize("path", ["logs/x.tgz", "/x", "C:/x", "a:b", "//a/b", "logs/a://b"])
def test_paths(path):
    assert not is_far(path)


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
    found = hashlib.sha256(b"logs").hexdigest()
    verify(path, found, "Alpha", found)
    verify(path, None, "Alpha", found)
    with pytest.raises(UserError, match=r"^source Alpha: .*x\.tgz is not the file that is meant"):
        verify(path, "0" * 64, "Alpha", found)


def study_of(sources, folder):
    return read_studies(
        {"studies": {"mine": {"sources": sources}}},
        [folder],
        look=readers.sniff,
        options_of=lambda format: readers.options_schema(format)["properties"],
        figures_of=lambda study: study.settings["figures"],
    )["mine"]


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A user who has fetched nothing."""
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_year_of_the_public_archive_makes_a_study(alone):
    """It can be planned without a network, and no two sources are taken for one."""
    study = study_of("coco:bbob/2009/*", alone)
    assert len(study.sources) == 31
    for values in zip(*((s.name, s.url, s.sha256, s.paths, s.options["algorithm"]) for s in study.sources), strict=True):
        assert len(set(values)) == 31
    source = study.source("BIPOP-CMA-ES_hansen_noiseless")
    assert source.url == "https://numbbo.github.io/data-archive/data-archive/bbob/2009/BIPOP-CMA-ES_hansen_noiseless.tgz"
    assert (source.format, source.size_mb, source.shown) == ("coco", 16.476, "coco:bbob/2009/BIPOP-CMA-ES")


def test_what_an_entry_says_goes_before_what_the_archive_says(alone):
    entry = {"path": "coco:bbob/2009/BIPOP-CMA-ES", "algorithm": "Mine", "name": "own", "sha256": "a" * 64}
    (source,) = study_of([entry], alone).sources
    assert (source.name, source.options, source.sha256) == ("own", {"algorithm": "Mine"}, "a" * 64)


def test_what_an_entry_names_by_itself_is_not_taken_a_second_time(alone):
    own = {"path": "coco:bbob/2009/BIPOP-CMA-ES_hansen_noiseless.tgz", "algorithm": "Mine"}
    study = study_of(["coco:bbob/2009/*", own], alone)
    assert len(study.sources) == 31
    assert [source.options["algorithm"] for source in study.sources if "BIPOP" in source.name] == ["Mine"]


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        ("coco:bbob/2009/BIPOP", r"sources\[1\]\.path: coco:bbob/2009/BIPOP: .*did you mean coco:bbob/2009/BIPOP-CMA-ES\?"),
        ("coco:bbob-noisy/*", r"benchmill fetch --list 'coco:bbob-noisy'"),
        ([{"parts": ["coco:bbob/2009/*"]}], "found the name 'coco:bbob/2009/\\*', expected a path"),
        ([{"path": "coco:bbob/2009/*", "name": "x"}], "would name 31 sources"),
    ],
)
def test_mistakes_in_names(alone, sources, told):
    with pytest.raises(UserError, match=told):
        study_of(sources, alone)
