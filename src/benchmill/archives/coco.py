"""Archives that list their files as COCO's does: `coco_archive_definition.txt`, a list in Python's notation."""

import ast
import re
from collections import Counter
from urllib.parse import quote, urlsplit

from benchmill.archives.listings import PART, Address, Entries, Entry, File, Name, beside, digest, safe_path, size, without_suffix
from benchmill.registry.archives import ARCHIVES, Archive

#: COCO's own, whose suites are archives.
BASE = "https://numbbo.github.io/data-archive/data-archive"

ENTRIES = (
    Archive(
        "coco",
        "the archive of COCO, suite by suite, and those of others that list their files as it does",
        form="coco:SUITE/YEAR/ALGORITHM, or coco:https://HOST/FOLDER#YEAR/ALGORITHM for someone else's archive",
        patterns=(
            r"(?P<archive>https://[^\s/@:\[\]#]+(?:/[^\s?\[\]#]*?)??)/*(?:#(?P<wanted>(?s:.*)))?",
            rf"(?!(?s:.*)://)(?P<archive>{PART})(?:/(?P<wanted>(?s:.*)))?",
        ),
        format="coco",
    ),
)

#: Characters that a list may have: Python takes 160 bytes of memory for each.
_LONGEST = 2_000_000

#: Characters that stand as they are in addresses of files.
_PLAIN = "/+"


def address(name: Name) -> Address:
    """Return where the list of an archive is."""
    base = name.archive if "://" in name.archive else f"{BASE}/{name.archive}"
    return Address(f"{base}/coco_archive_definition.txt", frozenset([urlsplit(base).hostname or ""]))


def entries(name: Name, text: str) -> Entries:
    """Return what a list says; the algorithm of an entry is unique in its folder."""
    if len(text) > _LONGEST:
        raise ValueError(f"{len(text)} characters, where that of COCO has 30000")
    base = address(name).url.rpartition("/")[0]
    suite = name.archive.rpartition("/")[2]
    files = []
    for path, *more in ast.literal_eval(text.strip()):
        if path == "_url_":
            continue
        thousands = more[1] if len(more) > 1 else None
        bounds = (None, None) if thousands is None else (1000 * size(thousands), 1000 * size(thousands) + 999)
        stated = digest("sha256", more[0], 64) if more and more[0] is not None else None
        files.append(File(safe_path(path), f"{base}/{quote(path, safe=_PLAIN)}", stated, *bounds))
    names = [(beside(file.path, algorithm(file.path, suite)), without_suffix(file.path)) for file in files]
    often = Counter(name for both in names for name in set(both))
    listed = []
    for file, both in zip(files, names, strict=True):
        own = next((one for one in both if often[one] == 1), file.path)
        listed.append(Entry(name.of(own), file.path, (file,), ARCHIVES[name.kind].format, own.rpartition("/")[2]))
    return tuple(listed)


def algorithm(path: str, suite: str) -> str:
    """Return the algorithm that a file is named after: what precedes the author and the suite.

    A part with digits behind the author says how these runs differ from others of the algorithm, and is kept.
    """
    parts = without_suffix(path.rpartition("/")[2]).split("_")
    if len(parts) > 1 and parts[-1] in ("noiseless", "noisy", suite, suite.removeprefix("bbob-")):
        parts.pop()
    if authors := [number for number, part in enumerate(parts) if number and not re.search("[0-9]", part)]:
        del parts[authors[-1]]
    return "_".join(parts)
