"""Sources that are elsewhere: what a URL or a name in an archive stands for, and where its file is kept."""

import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from benchmill import archives
from benchmill.archives.listings import Entry, is_name
from benchmill.core import UserError, Written

#: Below the folder where the workflow runs; beside `results/`, because results can be made again without a network.
FOLDER = "downloads"


def is_far(path: str) -> bool:
    """Return True if a source is named by URL, or by its name in an archive, and not by path."""
    return is_name(path) or re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def entries(name: str) -> list[tuple[Written, str]]:
    """Return what a name in an archive stands for: entries of sources, each with the address of its file.

    Raises
    ------
    UserError
        The list of the archive is not here, or there is nothing of that name.
    """
    return [_as_source(entry) for entry in archives.find(name, archives.store(), ask=False)]


def _as_source(entry: Entry) -> tuple[Written, str]:
    stated = None if entry.is_folder else entry.files[0].digest
    of_entry = {
        "path": entry.name,
        "format": entry.format,
        "algorithm": entry.algorithm,
        "sha256": stated.value if stated and stated.kind == "sha256" else None,
        "size_mb": (entry.size or 0) / 1e6 or None,
        "citation": entry.citation,
    }
    known = {key: value for key, value in of_entry.items() if value is not None}
    return known, str(entry.page if entry.is_folder else entry.files[0].url)


def place(url: str, sha256: str | None = None) -> Path:
    """Return where a download is kept, from the folder where the workflow runs.

    Raises
    ------
    UserError
        The URL names no file.
    """
    parts = urlsplit(url)
    path = PurePosixPath(unquote(parts.path))
    names = [_safe(part) for part in (parts.netloc.rpartition("@")[2], *path.parts) if part != "/"]
    names[-1] += ".tar" if parts.path.endswith("/") else ""
    if len(names) < 2 or not path.name or set(path.name) == {"."}:
        raise UserError(f"{url}: it names no file, expected the URL of one archive or table.")
    if sha256:
        return Path(FOLDER, sha256[:16].lower(), names[-1])
    if parts.query:
        names.insert(-1, _safe(parts.query))
    return Path(FOLDER, *names)


def _safe(part: str) -> str:
    name = re.sub(r"[^A-Za-z0-9._+=-]", "_", part)
    return name if name.strip(".") else "_"
