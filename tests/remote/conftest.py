"""Servers on this machine: a plain web server, the same with a certificate, and one that speaks S3."""

import http.server
import os
import ssl
import threading
from pathlib import Path

import pytest


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; a path that begins with /cut/ loses its connection halfway, /busy/ is refused."""

    def send_head(self):
        self.server.asked.append((self.command, self.path))
        if self.path.startswith("/busy/"):
            self.send_error(503)
            return None
        self.cut = self.path.startswith("/cut/")
        self.path = self.path.removeprefix("/cut")
        return super().send_head()

    def copyfile(self, source, outputfile):
        data = source.read()
        outputfile.write(data[: len(data) // 2] if self.cut else data)

    def log_message(self, *_):
        pass


class Web:
    """A web server for a folder."""

    def __init__(self, folder, certificate=None):
        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), lambda *arguments: Handler(*arguments, directory=str(folder))
        )
        self.server.asked = []
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            scheme = "https"
        self.url = (
            f"{scheme}://localhost:{self.server.server_port}"
            if certificate
            else f"{scheme}://127.0.0.1:{self.server.server_port}"
        )
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def fetched(self):
        """Paths that were fetched, each as often as it was."""
        return [path for verb, path in self.server.asked if verb == "GET"]

    def stop(self):
        """Stop it; the port is closed then."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def folder(tmp_path):
    """What the servers serve."""
    path = tmp_path / "served"
    path.mkdir()
    return path


@pytest.fixture
def web(folder):
    """A plain web server."""
    server = Web(folder)
    yield server
    if server.thread.is_alive():
        server.stop()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A certificate for localhost that nobody but these tests trusts, and its key."""
    import datetime

    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    place = tmp_path_factory.mktemp("certificate")
    (place / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (place / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return place / "certificate.pem", place / "key.pem"


@pytest.fixture(scope="session")
def s3():
    """A server that speaks S3: its address, and a client of it."""
    server_module = pytest.importorskip("moto.server")
    import boto3

    server = server_module.ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    settings = {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test")
    yield settings, client
    server.stop()


def keys(client, bucket):
    """Names of the objects in a bucket."""
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    return sorted(entry["Key"] for page in pages for entry in page.get("Contents", []))


def trusting(certificate):
    """Environment of a process that trusts the certificate of the tests."""
    return {"REQUESTS_CA_BUNDLE": str(Path(certificate[0]))}
