"""Fetching one file: what comes, what is refused, and what is said."""

import hashlib
import socket

import pytest

from benchmill.core import UserError
from benchmill.study.elsewhere import place
from benchmill.workflow.remote import fetch

pytestmark = pytest.mark.remote
CONTENT = bytes(range(256)) * 4000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def plugins():
    """Without the plugins there is nothing to test."""
    pytest.importorskip("snakemake_storage_plugin_http")
    pytest.importorskip("snakemake_storage_plugin_s3")


@pytest.fixture
def logs(folder):
    (folder / "logs.tgz").write_bytes(CONTENT)
    return folder / "logs.tgz"


def left(path):
    """Every file that a download left behind."""
    return [each.name for each in path.parent.rglob("*") if each.is_file()]


def test_a_file_comes_whole(web, logs, tmp_path):
    path = tmp_path / "kept" / "deep" / "logs.tgz"
    assert fetch(f"{web.url}/logs.tgz", path, SHA256.upper(), "Alpha") == SHA256
    assert path.read_bytes() == CONTENT
    assert left(path) == ["logs.tgz"]


def test_without_a_digest_its_digest_is_told(web, logs, tmp_path):
    assert fetch(f"{web.url}/logs.tgz", tmp_path / "kept" / "logs.tgz", None, "Alpha") == SHA256


def refused(url, path, sha256=SHA256):
    """The one sentence that a refused download ends with; it names source and URL, and leaves no file."""
    with pytest.raises(UserError) as caught:
        fetch(url, path, sha256, "Alpha")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("source Alpha: ")
    assert url in message
    assert left(path) == []
    return message


def test_another_file_is_refused(web, logs, tmp_path):
    message = refused(f"{web.url}/logs.tgz", tmp_path / "kept" / "logs.tgz", "0" * 64)
    assert SHA256 in message
    assert "0" * 64 in message


def test_a_file_that_is_not_there(web, logs, tmp_path):
    assert "there is no file" in refused(f"{web.url}/other.tgz", tmp_path / "kept" / "other.tgz")


@pytest.mark.parametrize("sha256", [SHA256, None])
def test_a_connection_that_is_cut(web, logs, tmp_path, sha256):
    path = tmp_path / "kept" / "logs.tgz"
    refused(f"{web.url}/cut/logs.tgz", path, sha256)
    assert fetch(f"{web.url}/logs.tgz", path, sha256, "Alpha") == SHA256


def test_a_server_that_is_busy(web, logs, tmp_path):
    refused(f"{web.url}/busy/logs.tgz", tmp_path / "kept" / "logs.tgz")


def test_no_server(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    assert "refused" in refused(f"http://127.0.0.1:{port}/logs.tgz", tmp_path / "kept" / "logs.tgz")


def test_a_scheme_that_no_plugin_knows(tmp_path):
    assert "pip install" in refused("gopher://somewhere/logs.tgz", tmp_path / "kept" / "logs.tgz")


def test_https_with_a_certificate_that_is_trusted_or_not(folder, logs, certificate, tmp_path, monkeypatch):
    from .conftest import Web

    server = Web(folder, certificate)
    try:
        assert "certificate" in refused(f"{server.url}/logs.tgz", tmp_path / "kept" / "logs.tgz")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))
        assert fetch(f"{server.url}/logs.tgz", tmp_path / "kept" / "logs.tgz", SHA256, "Alpha") == SHA256
    finally:
        server.stop()


def test_s3(s3, tmp_path, monkeypatch):
    settings, client = s3
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    client.create_bucket(Bucket="logs")
    client.put_object(Bucket="logs", Key="2009/logs.tgz", Body=CONTENT)
    path = tmp_path / "kept" / "logs.tgz"
    assert "there is no file" in refused("s3://logs/2009/other.tgz", path)
    assert "there is no file" in refused("s3://nowhere/2009/logs.tgz", path)
    assert SHA256 in refused("s3://logs/2009/logs.tgz", path, "0" * 64)
    assert fetch("s3://logs/2009/logs.tgz", path, SHA256, "Alpha") == SHA256
    assert path.read_bytes() == CONTENT


def test_a_source_is_added_by_its_url(web, folder, tmp_path, monkeypatch, capsys):
    import yaml

    from benchmill import cli
    from tests.test_cli_sources import CONFIG, archive

    (tmp_path / "logs").mkdir()
    archive(tmp_path / "logs" / "walker.tgz", "walker")
    content = archive(folder / "runner.tgz", "runner").read_bytes()
    (tmp_path / "config.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["add", "mine", f"{web.url}/runner.tgz"]) == 0
    assert "1 sources and 1 more (runner)" in capsys.readouterr().out
    entry = yaml.safe_load((tmp_path / "config.yaml").read_text())["studies"]["mine"]["sources"][-1]
    digest = hashlib.sha256(content).hexdigest()
    assert entry == {"path": f"{web.url}/runner.tgz", "format": "coco", "sha256": digest, "size_mb": entry["size_mb"]}
    assert place(entry["path"], digest).read_bytes() == content
    assert cli.main(["add", "mine", f"{web.url}/runner.tgz"]) == 0
    assert "is already in mine" in capsys.readouterr().out
