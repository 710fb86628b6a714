"""Files that strangers name: nothing inside is asked, whatever its address is called, and no more is taken than they may have."""

import http.client
import socket
import urllib.request

import pytest

from benchmill import archives
from benchmill.archives.transfer import is_outside, only_outside
from benchmill.core import UserError
from benchmill.workflow import borrowed, remote
from tests.archives.conftest import definition, server  # noqa: F401


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0"])
def test_nothing_inside_is_connected_to_by_any_form_of_its_address(server, host):  # noqa: F811
    (server.folder / "x").write_text("secret")
    url = f"http://{host}:{server.server_port}/x"
    assert urllib.request.urlopen(url).read() == b"secret"
    with only_outside(), pytest.raises(UserError, match=r"means 127\.0\.0\.1, an internal address|means 0\.0\.0\.0|means ::1"):
        urllib.request.urlopen(url)
    assert len(server.asked) == 1
    assert urllib.request.urlopen(url).read() == b"secret"


def test_names_and_redirections_are_held_where_they_are_resolved(monkeypatch):
    said = {"logs.example.org": "93.184.215.14", "inside.example.org": "10.0.0.7", "mapped.example.org": "::ffff:10.0.0.7"}
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_, **__: [(2, 1, 6, "", (said[host], 443))])
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("connected"))
    for name in ("inside.example.org", "mapped.example.org"):
        with only_outside(), pytest.raises(UserError, match=f"{name} means "):
            http.client.HTTPSConnection(name).connect()
    with only_outside():
        assert socket.getaddrinfo("logs.example.org", 443)
    with only_outside(False):
        assert socket.getaddrinfo("inside.example.org", 443)


@pytest.mark.parametrize(
    ("host", "outside"),
    [("8.8.8.8", True), ("2606:4700::1111", True), ("64:ff9b::808:808", True), ("64:ff9b::a00:1", False), ("2002:a00:1::", False),
     ("fe80::1%eth0", False), ("224.0.0.1", False), ("logs.example.org", True), ("LOCALHOST", False), ("a.Local", False)],
)  # fmt: skip
def test_addresses(host, outside):
    assert is_outside(host) is outside


class Stored:
    """What a storage plugin gives of a file: its size, as the server states it, and its content."""

    def __init__(self, path, stated, content):
        self.path, self.stated, self.content = path, stated, content

    def exists(self):
        return True

    def size(self):
        return self.stated

    def retrieve_object(self):
        assert self.content is not None
        self.path.write_bytes(self.content)


@pytest.mark.parametrize(("stated", "content"), [(2_000_000, None), (0, b"0" * 2_000_000)])
def test_a_file_that_is_larger_than_it_may_be_is_not_kept(tmp_path, monkeypatch, stated, content):
    monkeypatch.setattr(borrowed, "stored", lambda url, path: Stored(path, stated, content))
    with pytest.raises(UserError, match=r"source far: https://example\.org/x has 2 MB, expected 1 at most"):
        remote.fetch("https://example.org/x", tmp_path / "x", None, "far", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_an_archive_is_no_larger_either(tmp_path, monkeypatch, server):  # noqa: F811
    definition(server, "bbob-mini", {"2009/A_x_noiseless.tgz": b"0" * 2_000_000})
    monkeypatch.setenv("BENCHMILL_MIRROR", server.url)
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "kept"))
    archives.find("coco:bbob-mini", archives.store())
    with pytest.raises(UserError, match="source far: coco:bbob-mini/2009/A has 2 MB, expected 1 at most"):
        remote.fetch("coco:bbob-mini/2009/A", tmp_path / "x", None, "far", 1)
    assert remote.fetch("coco:bbob-mini/2009/A", tmp_path / "x", None, "far", 3)
