"""A server that fails in the ways that servers fail, and lists as archives write them."""

import hashlib
import http.server
import json
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from benchmill import archives
from benchmill.archives.listings import Digest, File
from benchmill.archives.transfer import Route

HOST = "archive.example.org"


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves a folder; `server.faults` names by path what goes wrong, once for each name in its list."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append(path)
        faults = self.server.faults.get(path, [])
        fault = faults.pop(0) if faults else None
        file = self.server.folder / path.lstrip("/")
        if isinstance(fault, dict):
            self.answer(fault["status"], b"", fault.get("headers", {}))
        elif not file.is_file():
            self.answer(404, b"", {})
        else:
            self.answer(200, file.read_bytes(), {}, cut=fault == "cut")

    def answer(self, status, content, headers, cut=False):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
        self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path):
    """A web server that stands for all hosts: `url`, `folder`, `faults`, and what it was `asked`."""
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.folder, made.faults, made.asked = tmp_path / "served", {}, []
    made.folder.mkdir()
    made.url = f"http://127.0.0.1:{made.server_port}"
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def route(server):
    """The way to the server."""
    return Route(frozenset([HOST]), server.url)


@pytest.fixture
def at(server, tmp_path):
    """A store that is filled from the server."""
    return archives.Store(tmp_path / "kept", server.url)


def put(server, path, content, host=HOST):
    """Put a file on the server; how an archive states it."""
    where = server.folder / host / path
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_bytes(content)
    return File(path, f"https://{host}/{path}", sha256(content), len(content), len(content))


def sha256(content):
    return Digest("sha256", hashlib.sha256(content).hexdigest())


def definition(server, suite, files):
    """Put a suite of COCO's archive on the server, and its list as COCO writes it."""
    base = f"data-archive/data-archive/{suite}"
    rows = []
    for path, content in files.items():
        put(server, f"{base}/{path}", content, "numbbo.github.io")
        rows.append(f"('{path}', '{sha256(content).value}', {len(content) // 1000})")
    text = "[('_url_', 'https://numbbo.github.io/data-archive'),\n" + ", \n".join(rows) + "]"
    put(server, f"{base}/coco_archive_definition.txt", text.encode(), "numbbo.github.io")


def record(server, number, files):
    """Put a record of Zenodo on the server, and what its API says of it."""
    listed = []
    for key, content in files.items():
        put(server, f"records/{number}/files/{key}", content, "zenodo.org")
        listed.append({"key": key, "size": len(content), "checksum": f"md5:{hashlib.md5(content).hexdigest()}"})
    metadata = {
        "title": "Logs of\na walk",
        "creators": [{"name": "Doe, J."}, {"name": "Roe, R."}],
        "license": {"id": "cc-by-4.0"},
        "publication_date": "2024-05-01",
        "doi": f"10.5281/zenodo.{number}",
    }
    put(server, f"api/records/{number}", json.dumps({"files": listed, "metadata": metadata}).encode(), "zenodo.org")


def tree(server, repository, tag, files):
    """Put a tag of a repository on the server, and its tree."""
    listed = [
        {"path": str(path), "type": "tree", "mode": "040000", "sha": "0" * 40}
        for path in sorted({parent for path in files for parent in Path(path).parents} - {Path()})
    ]
    for path, content in files.items():
        put(server, f"{repository}/{tag}/{path}", content, "raw.githubusercontent.com")
        sha = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        listed.append({"path": path, "type": "blob", "mode": "100644", "sha": sha, "size": len(content)})
    listed.append({"path": "link", "type": "blob", "mode": "120000", "sha": "0" * 40, "size": 3})
    put(
        server, f"repos/{repository}/git/trees/{tag}", json.dumps({"tree": listed, "truncated": False}).encode(), "api.github.com"
    )
