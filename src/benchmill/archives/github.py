"""Tags and commits of GitHub repositories, with trees from its REST API: path, size and digest of every file.

Of the repository of the algorithm selection library each folder with runs is a scenario.
"""

import json
from urllib.parse import quote

from benchmill.archives.listings import PART, Address, Entries, Entry, File, Name, digest, safe_path, size
from benchmill.registry.archives import ARCHIVES, Archive

ENTRIES = (
    Archive(
        "github",
        "a tag or commit of a repository on GitHub",
        form="github:OWNER/REPOSITORY@TAG/PATH",
        patterns=(rf"(?P<archive>{PART}/{PART}@{PART})(?:/(?P<wanted>.*))?",),
    ),
    Archive(
        "aslib",
        "a scenario of the algorithm selection library",
        form="aslib:SCENARIO@TAG",
        patterns=(rf"(?P<wanted>[^@/\s]*)@(?P<archive>{PART})",),
        order="{path}@{archive}",
        format="aslib",
    ),
)
_API, _FILES = "api.github.com", "raw.githubusercontent.com"
#: The repository of the algorithm selection library, and the file that a scenario has.
_SCENARIOS, _RUNS = "coseal/aslib_data", "algorithm_runs.arff"


def _tag(name: Name) -> tuple[str, str]:
    """Return the repository and its tag or commit."""
    repository, _, tag = name.archive.rpartition("@")
    return repository or _SCENARIOS, tag


def address(name: Name) -> Address:
    """Return where the tree of a tag is."""
    repository, tag = _tag(name)
    return Address(f"https://{_API}/repos/{repository}/git/trees/{tag}?recursive=1", frozenset([_API, _FILES]))


def entries(name: Name, text: str) -> Entries:
    """Return the folders, with all files below them, and the files of a tree at the depth of the wanted name."""
    tree = json.loads(text)
    if tree["truncated"]:
        raise ValueError("the tree is too large, and cut")
    repository, tag = _tag(name)
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
    listed = []
    for path, files in inner.items():
        if files and (name.kind == "github" or f"{path}/{_RUNS}" in [file.path for file in files]):
            page = None if files[0].path == path else f"https://github.com/{repository}/tree/{tag}/{quote(path)}/"
            listed.append(Entry(name.of(path), path, tuple(files), ARCHIVES[name.kind].format, page=page))
    return tuple(listed)
