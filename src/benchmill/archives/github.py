"""Tags and commits of repositories on GitHub, as its REST API gives their trees: path, size and digest of every file."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from benchmill.archives.listings import PART, Address, Entry, File, Name, digest, safe_path, size
from benchmill.registry.archives import Archive

ENTRIES = (Archive("github", "a tag or commit of a repository on GitHub", form="github:OWNER/REPOSITORY@TAG/PATH"),)
(_ARCHIVE,) = ENTRIES
_API, _FILES = "api.github.com", "raw.githubusercontent.com"


def parsed(rest: str) -> tuple[str, str, str] | None:
    """Return kind, repository with its tag, and path of what follows `github:`; None if it is none."""
    found = re.fullmatch(rf"({PART}/{PART}@{PART})(?:/(.*))?", rest)
    return (_ARCHIVE.name, found[1], found[2] or "") if found else None


def address(name: Name) -> Address:
    """Return where the tree of a tag is."""
    repository, _, tag = name.archive.partition("@")
    return Address(f"https://{_API}/repos/{repository}/git/trees/{tag}?recursive=1", frozenset([_API, _FILES]))


def entries(name: Name, text: str) -> tuple[Entry, ...]:
    """Return the folders, with all files below them, and the files of a tree that stand as deep as what the name wants."""
    tree = json.loads(text)
    if tree["truncated"]:
        raise ValueError("the tree is too large, and cut")
    repository, _, tag = name.archive.partition("@")
    depth = name.wanted.count("/")
    # by the folders and files that stand as deep as what the name wants
    inner: dict[str, list[File]] = {}
    for item in tree["tree"]:
        path = safe_path(item["path"])
        if item["type"] == "tree" and path.count("/") == depth:
            inner[path] = []
        # links and other repositories are left alone
        elif item["type"] == "blob" and item["mode"] in ("100644", "100755"):
            url = f"https://{_FILES}/{repository}/{tag}/{quote(path)}"
            file = File(path, url, digest("git", item["sha"], 40), size(item["size"]), size(item["size"]))
            if path.count("/") >= depth:
                inner.setdefault("/".join(path.split("/")[: depth + 1]), []).append(file)
    found = []
    for path, files in inner.items():
        if files:
            page = None if files[0].path == path else f"https://github.com/{repository}/tree/{tag}/{quote(path)}/"
            found.append(Entry(name.of(path), path, tuple(files), page=page))
    return tuple(found)
