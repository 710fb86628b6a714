"""Files over HTTPS or from a mirror, which arrive complete and as stated or not at all."""

import contextlib
import hashlib
import http.client
import io
import ipaddress
import os
import socket
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from benchmill import __version__
from benchmill.archives.listings import Digest, File
from benchmill.core import UserError
from benchmill.core.whole_file import cannot_write

#: How often a file is asked for before its transfer is given up.
ATTEMPTS = 5

_SILENCE = 60.0

#: Bytes of a file whose size nobody states: as many as an archive may unpack to.
_MOST = 64 * 2**30
_PIECE = 2**16

#: No host of that name, or one that is not who it says: asking again changes nothing.
_NEVER = (socket.gaierror, ssl.SSLCertVerificationError)

#: Answers after which a server may be asked again.
_LATER = (429, 500, 502, 503, 504)

Progress = Callable[[int, int], None]


#: Domains of no public name, as far as they are known.
_INSIDE = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "test", "invalid")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_outside(host: str) -> bool:
    """Return True if a host is publicly reachable: a global address, or a name below a domain that is not an internal one.

    An address in IPv6 that stands for one in IPv4 (mapped, 6to4, Teredo, NAT64) is as that one.
    """
    try:
        address = ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        domain = host.rstrip(".").rpartition(".")
        return bool(domain[0]) and domain[2][:1].isalpha() and domain[2].lower() not in _INSIDE
    if isinstance(address, ipaddress.IPv6Address):
        within = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
        stands_for = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ()), within]
    else:
        stands_for = []
    return all(one.is_global and not one.is_multicast for one in (address, *filter(None, stands_for)))


@contextlib.contextmanager
def only_outside(asked: bool = True) -> Iterator[None]:
    """Let this process connect to no address inside, as long as it lasts, if that is asked.

    What a name means is held against that where it is resolved to be connected to, so that redirections, other forms of an
    address and names that mean something else the next time are held too. A proxy inside cannot be passed: what is behind it is
    not seen here.
    """
    resolve = socket.getaddrinfo

    def resolved(host: Any, *arguments: Any, **more: Any) -> Any:
        addresses = resolve(host, *arguments, **more)
        if inside := next((one[4][0] for one in addresses if not is_outside(str(one[4][0]))), None):
            name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
            raise UserError(
                f"{name} means {inside}, an internal address, which is not contacted; give one that is publicly reachable."
            )
        return addresses

    socket.getaddrinfo = resolved if asked else resolve
    try:
        yield
    finally:
        socket.getaddrinfo = resolve


@dataclass(frozen=True)
class Route:
    """Where files may come from.

    Attributes
    ----------
    mirror : str or None
        A folder, or the beginning of a URL (`file`, `http` or `https`), below which the files stand by host and path:
        `MIRROR/zenodo.org/records/…`. With one no other host is asked.
    """

    hosts: frozenset[str]
    mirror: str | None = None

    def begin(self, url: str) -> str:
        """Return the address that a URL is fetched from: a path with `file://`, or one that a server is asked for."""
        parts = urlsplit(url)
        if self.mirror is None:
            self._check(url)
            return url
        mirror = urlsplit(self.mirror)
        if mirror.username or mirror.password:
            raise UserError(f"the mirror {shown(self.mirror)} has credentials in it, which logs would repeat; leave them out.")
        below = f"{parts.hostname}{parts.path}"
        if mirror.scheme in ("http", "https"):
            return f"{self.mirror.rstrip('/')}/{below}"
        folder = Path(unquote(mirror.path) if mirror.scheme == "file" else self.mirror).expanduser()
        if mirror.scheme not in ("", "file"):
            raise UserError(f"the mirror {self.mirror!r} is no folder and no URL of file, http or https; give one of these.")
        if not folder.is_dir():
            raise UserError(f"the mirror {self.mirror!r} is no folder; give one that has a folder for each host.")
        path = Path(os.path.realpath(folder / unquote(below)))
        if not path.is_relative_to(os.path.realpath(folder)):
            raise UserError(f"{shown(url)}: it leads out of the mirror {self.mirror!r}; such a file is not fetched.")
        return f"file://{quote(str(path))}"

    def redirected(self, begun: str, to: str) -> None:
        """Check where a server sends on."""
        if self.mirror is None:
            self._check(to)
        elif urlsplit(to)[:2] != urlsplit(begun)[:2]:
            raise UserError(f"{shown(begun)}: the mirror redirects to {shown(to)}; only the mirror itself may be asked.")

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "https" or parts.hostname not in self.hosts or parts.username or parts.port not in (None, 443):
            raise UserError(
                f"{shown(url)}: only {' and '.join(sorted(self.hosts))} may be asked for this archive, over https; "
                "fetch the file yourself if you trust that address, and give its path."
            )


def shown(url: str) -> str:
    """Return a URL for messages: without credentials, and without what follows its path, which may be a key."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def text(url: str, route: Route, most: int, wait: Callable[[float], object] = time.sleep) -> str:
    """Return a short text."""
    taken = io.BytesIO()
    _transfer(url, route, taken, most, None, wait)
    try:
        return taken.getvalue().decode("utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{shown(url)}: it is no text; look at the address.") from None


def download(
    file: File,
    path: Path,
    route: Route,
    lock: Path,
    progress: Progress | None = None,
    wait: Callable[[float], object] = time.sleep,
) -> None:
    """Fetch a file, check it, and put it where it belongs; a file that is there and is the right one stays.

    Parameters
    ----------
    wait : callable, optional
        Waits for so many seconds.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with _locked(lock):
            if path.is_file() and not mismatch(path, file):
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as taken:
                _transfer(file.url, route, taken, file.largest or _MOST, progress, wait)
            if how := mismatch(part, file):
                part.unlink()
                raise UserError(
                    f"{shown(file.url)}: it is not the file that the archive states ({how}), and is not kept; run again, "
                    "and if that does not help tell the maintainers of the archive."
                )
            os.replace(part, path)
    except OSError as error:
        raise cannot_write(path, error) or UserError(f"{path}: cannot be written ({error}); look at the folder.") from None


def mismatch(path: Path, file: File) -> str | None:
    """Return how a file differs from what the archive states, if it does."""
    size = path.stat().st_size
    if (file.smallest is not None and size < file.smallest) or (file.largest is not None and size > file.largest):
        exact = f"{file.smallest}" if file.smallest == file.largest else f"{file.smallest} to {file.largest}"
        return f"{size} bytes, expected {exact}"
    if file.digest is None:
        return None
    digest = digest_of(path, file.digest.kind)
    return None if digest == file.digest else f"{digest.kind} {digest.value}, expected {file.digest.value}"


def digest_of(path: Path, kind: str) -> Digest:
    """Return the digest of a file: `sha256`, `md5`, or `git`, the SHA-1 of its length and content as git takes it."""
    head = b"blob %d\0" % path.stat().st_size if kind == "git" else b""
    total = hashlib.new("sha1" if kind == "git" else kind, head, usedforsecurity=False)
    with path.open("rb") as content:
        hashlib.file_digest(content, lambda: total)
    return Digest(kind, total.hexdigest())


@contextlib.contextmanager
def _locked(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("ab") as held:
        if sys.platform == "win32":
            import msvcrt

            # it gives up after ten seconds
            while True:
                with contextlib.suppress(OSError):
                    msvcrt.locking(held.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX)
        yield


class _Later(Exception):
    """The reason why a server may be asked again."""


def _transfer(
    url: str, route: Route, taken: IO[bytes], most: int, progress: Progress | None, wait: Callable[[float], object]
) -> None:
    where = route.begin(url)
    for attempt in range(1, ATTEMPTS + 1):
        taken.seek(0)
        taken.truncate()
        try:
            with _opened(where, route) as answer:
                _take(answer, taken, most, url, progress)
            return
        except (_Later, http.client.HTTPException, OSError, ValueError) as error:
            if isinstance(error, OSError) and cannot_write("", error):
                raise
            if attempt == ATTEMPTS or isinstance(error, ValueError) or isinstance(getattr(error, "reason", None), _NEVER):
                reason = " ".join(str(getattr(error, "reason", None) or error).split())[:200] or type(error).__name__
                raise UserError(f"{shown(where)}: could not be fetched ({reason}); run again.") from None
            wait(2.0 ** (attempt - 1))


@contextlib.contextmanager
def _opened(where: str, route: Route) -> Iterator[Any]:
    if where.startswith("file://"):
        path = Path(unquote(urlsplit(where).path))
        # a pipe would keep its reader waiting
        if not path.is_file():
            raise UserError(f"{where}: the mirror has no such file; put it there.")
        with path.open("rb") as file:
            yield file
        return
    headers = {"User-Agent": f"benchmill/{__version__}", "Accept-Encoding": "identity"}
    try:
        with _opener(where, route).open(urllib.request.Request(where, headers=headers), timeout=_SILENCE) as answer:
            yield answer
    except urllib.error.HTTPError as error:
        with error:
            if error.code in _LATER:
                raise _Later(f"the server answers {error.code}") from None
            what = "there is no such file" if error.code in (404, 410) else f"the server answers {error.code}"
            raise UserError(f"{shown(where)}: {what}; look at the name, and at the page of the archive.") from None


def _opener(begun: str, route: Route) -> urllib.request.OpenerDirector:
    class Redirects(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, request: Any, file: Any, code: int, reason: str, headers: Any, to: str) -> Any:
            route.redirected(begun, urljoin(request.full_url, to))
            return super().redirect_request(request, file, code, reason, headers, to)

        def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
            try:
                return super().http_error_302(req, fp, code, msg, headers)
            # also where what it sends on to is no address
            except (UserError, ValueError):
                fp.close()
                raise

        http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    return urllib.request.build_opener(Redirects)


def _take(answer: Any, taken: IO[bytes], most: int, url: str, progress: Progress | None) -> None:
    # http.client has read it: None if it is no number; a file has none
    stated = getattr(answer, "length", None)
    while piece := answer.read(_PIECE):
        taken.write(piece)
        if taken.tell() > most:
            taken.seek(0)
            taken.truncate()
            raise UserError(f"{shown(url)}: it sends more than the {most} bytes allowed; it is not kept.")
        if progress:
            progress(taken.tell(), stated or (0 if most == _MOST else most))
    if stated is not None and taken.tell() < stated:
        raise _Later(f"it was cut off, {taken.tell()} of {stated} bytes came")
