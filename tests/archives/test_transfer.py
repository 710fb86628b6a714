"""One file: it comes again where it was cut, comes from nowhere else, and is there as stated or not at all."""

import dataclasses
import multiprocessing
import os
import re
import signal
import time

import pytest

from benchmill.archives.listings import Digest
from benchmill.archives.transfer import Route, digest_of, download, shown, text
from benchmill.core import UserError

from .conftest import HOST, put

CONTENT = bytes(range(256)) * 4000


def taken(file, path, route, **more):
    waits = []
    download(file, path, route, path.parent / "lock", wait=waits.append, **more)
    assert path.read_bytes() == CONTENT
    return waits


def refused(file, path, route):
    with pytest.raises(UserError) as caught:
        download(file, path, route, path.parent / "lock", wait=lambda seconds: None)
    assert "\n" not in str(caught.value)
    assert not path.exists()
    return str(caught.value)


@pytest.fixture
def file(server):
    stated = put(server, "a b/logs+1.tgz", CONTENT)
    return dataclasses.replace(stated, url=f"https://{HOST}/a%20b/logs+1.tgz")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kept" / "logs.tgz"


def test_a_file_comes_once(server, file, path, route):
    assert taken(file, path, route) == []
    assert taken(file, path, route) == []
    assert server.asked == [f"/{HOST}/a b/logs+1.tgz"]
    assert not path.with_name("logs.tgz.part").exists()


def test_it_comes_again_where_it_was_cut(server, file, path, route):
    server.faults[f"/{HOST}/a b/logs+1.tgz"] = ["cut", {"status": 503}]
    assert taken(file, path, route) == [1.0, 2.0]
    assert len(server.asked) == 3


def test_what_a_killed_process_has_left_is_not_mixed_with_it(server, file, path, route):
    path.parent.mkdir()
    path.with_name("logs.tgz.part").write_bytes(CONTENT[:5] + b"x" * len(CONTENT))
    taken(file, path, route)


def test_a_connection_that_is_always_cut(server, file, path, route):
    server.faults[f"/{HOST}/a b/logs+1.tgz"] = ["cut"] * 5
    assert "was cut off" in refused(file, path, route)


@pytest.mark.parametrize("kind", ["sha256", "md5", "git"])
def test_another_file_is_refused(file, path, route, tmp_path, kind):
    (tmp_path / "copy").write_bytes(CONTENT)
    right = digest_of(tmp_path / "copy", kind)
    taken(dataclasses.replace(file, digest=right), path, route)
    path.unlink()
    wrong = Digest(kind, right.value[::-1])
    message = refused(dataclasses.replace(file, digest=wrong), path, route)
    assert right.value in message
    assert wrong.value in message
    assert not path.with_name("logs.tgz.part").exists()


def test_the_digest_of_git(tmp_path):
    """`printf 'hello\\n' | git hash-object --stdin`, as the documentation of git prints it for this content."""
    (tmp_path / "hello").write_bytes(b"hello\n")
    assert digest_of(tmp_path / "hello", "git").value == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_a_file_of_another_size_is_refused(file, path, route):
    assert "bytes" in refused(dataclasses.replace(file, digest=None, smallest=len(CONTENT) + 1, largest=None), path, route)
    message = refused(dataclasses.replace(file, largest=1000), path, route)
    assert "it sends more than the 1000 bytes" in message


def test_a_changed_file_is_fetched_anew(server, file, path, route):
    path.parent.mkdir()
    path.write_bytes(b"changed")
    taken(file, path, route)


def test_no_such_file(server, file, path, route):
    gone = dataclasses.replace(file, url=f"https://{HOST}/other")
    assert "there is no such file" in refused(gone, path, route)
    assert len(server.asked) == 1


def test_a_header_without_end(server, file, path, route):
    server.faults[f"/{HOST}/a b/logs+1.tgz"] = [{"status": 200, "headers": {"X": "x" * 70000}}] * 5
    assert "could not be fetched" in refused(file, path, route)


@pytest.mark.parametrize(
    ("status", "headers", "says"),
    [
        (429, {"Retry-After": "²"}, "answers 429"),
        (302, {"Location": "http://["}, "could not be fetched"),
        (302, {"Location": "//127.0.0.1:999999/x"}, "only the mirror itself may be asked"),
        (302, {"Location": f"/{HOST}/a%20b/logs+1.tgz"}, "infinite loop|answers 302"),
        (200, {"Content-Length": "9" * 5000}, "not the file|could not be fetched"),
    ],
)
def test_a_server_that_answers_nonsense(server, file, path, route, status, headers, says):
    server.faults[f"/{HOST}/a b/logs+1.tgz"] = [{"status": status, "headers": headers}] * 20
    assert re.search(says, refused(file, path, route))
    assert not path.with_name("logs.tgz.part").exists() or not path.with_name("logs.tgz.part").stat().st_size


def test_a_file_of_no_stated_size_has_an_end(server, file, path, route, monkeypatch):
    monkeypatch.setattr("benchmill.archives.transfer._MOST", 1000)
    assert "it sends more than the 1000 bytes" in refused(dataclasses.replace(file, smallest=None, largest=None), path, route)


def test_a_pipe_in_a_mirror_keeps_nobody_waiting(server, path):
    pipe = put(server, "x", b"")
    (server.folder / HOST / "x").unlink()
    os.mkfifo(server.folder / HOST / "x")
    assert "the mirror has no such file" in refused(pipe, path, Route(frozenset(), str(server.folder)))


def test_a_redirection_stays_where_it_is_allowed(server, file, path, route):
    moved = dataclasses.replace(file, url=f"https://{HOST}/moved")
    at = f"/{HOST}/moved"
    server.faults[at] = [{"status": 302, "headers": {"Location": f"/{HOST}/a%20b/logs+1.tgz"}}]
    taken(moved, path, route)
    path.unlink()
    server.faults[at] = [{"status": 302, "headers": {"Location": "http://127.0.0.1:1/x?token=secret"}}]
    message = refused(moved, path, route)
    assert "redirects to http://127.0.0.1:1/x" in message
    assert "secret" not in message
    server.faults[at] = [{"status": 302, "headers": {"Location": "file:///etc/passwd"}}]
    refused(moved, path, route)


@pytest.mark.parametrize(
    "to",
    ["http://archive.example.org/x", "https://other.example.org/x", "https://archive.example.org:8443/x",
     "https://me:word@archive.example.org/x", "ftp://archive.example.org/x"],
)  # fmt: skip
def test_only_hosts_of_the_archive_are_asked_and_only_over_https(to, path, file):
    route = Route(frozenset([HOST]))
    message = refused(dataclasses.replace(file, url=to), path, route)
    assert f"only {HOST} may be asked" in message
    assert "word" not in message
    with pytest.raises(UserError, match="may be asked"):
        route.redirected(f"https://{HOST}/a", to)
    route.redirected(f"https://{HOST}/a", f"https://{HOST}/b")


def test_a_folder_as_mirror(server, file, path):
    for mirror in (str(server.folder), f"file://{server.folder}"):
        taken(file, path, Route(frozenset(), mirror))
        path.unlink()
    assert server.asked == []
    route = Route(frozenset(), str(server.folder))
    assert "the mirror has no such file" in refused(dataclasses.replace(file, url=f"https://{HOST}/other"), path, route)
    (server.folder.parent / "secret").write_bytes(CONTENT)
    for out in ("../../secret", "%2e%2e/%2e%2e/secret"):
        refused(dataclasses.replace(file, url=f"https://{HOST}/{out}"), path, route)
    (server.folder / HOST / "link").symlink_to("/etc/hostname")
    assert "leads out" in refused(dataclasses.replace(file, url=f"https://{HOST}/link"), path, route)
    path.parent.mkdir(exist_ok=True)
    path.with_name("logs.tgz.part").write_bytes(CONTENT[:1000])
    taken(file, path, route)


@pytest.mark.parametrize("mirror", ["https://me:word@mirror.example.org", "s3://mirror", "/no/such/folder"])
def test_what_is_no_mirror(mirror, file, path):
    message = refused(file, path, Route(frozenset(), mirror))
    assert "mirror" in message
    assert "word" not in message


def test_a_text(server, route):
    put(server, "list.txt", "größer".encode())
    put(server, "list.bin", b"\xff\xfe\x00")
    assert text(f"https://{HOST}/list.txt", route, 100) == "größer"
    with pytest.raises(UserError, match="it sends more than"):
        text(f"https://{HOST}/list.txt", route, 5)
    with pytest.raises(UserError, match="no text"):
        text(f"https://{HOST}/list.bin", route, 100)


def test_addresses_are_shown_without_credentials_and_keys():
    assert shown("https://me:word@a.org:80/x?key=1#f") == "https://a.org:80/x"


def _child(file, path, route, started):
    started.set()
    download(file, path, route, path.parent / "lock")


def test_two_processes_fetch_a_file_once(server, file, path, route):
    begin = multiprocessing.get_context("fork")
    started = begin.Event()
    children = [begin.Process(target=_child, args=(file, path, route, started)) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0, 0]
    assert path.read_bytes() == CONTENT
    assert len(server.asked) == 1


def _slow(file, path, route, started):
    def stop(done, total):
        started.set()
        time.sleep(60)

    download(file, path, route, path.parent / "lock", progress=stop)


def test_a_killed_process_holds_no_lock(server, file, path, route):
    begin = multiprocessing.get_context("fork")
    started = begin.Event()
    child = begin.Process(target=_slow, args=(file, path, route, started))
    child.start()
    assert started.wait(30)
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert not path.exists()
    taken(file, path, route)
