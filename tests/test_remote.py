"""Names of downloads, and files that are verified where they are; what a server does is in tests/remote."""

import hashlib

import pytest

from benchmill.errors import UserError
from benchmill.remote import is_url, place, verify


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
