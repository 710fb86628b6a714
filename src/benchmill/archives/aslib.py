"""Scenarios of the algorithm selection library: folders of a tag of its repository, each with the runs of several solvers."""

from __future__ import annotations

import re
from dataclasses import replace

from benchmill.archives import github
from benchmill.archives.listings import PART, Address, Entry, Name
from benchmill.registry.archives import Archive

ENTRIES = (
    Archive(
        "aslib",
        "a scenario of the algorithm selection library",
        form="aslib:SCENARIO@TAG",
        order="{path}@{archive}",
        format="aslib",
    ),
)
(_ARCHIVE,) = ENTRIES
_REPOSITORY = "coseal/aslib_data"


def parsed(rest: str) -> tuple[str, str, str] | None:
    """Return kind, tag and scenario of what follows `aslib:`; None if it is none."""
    found = re.fullmatch(rf"([^@/\s]*)@({PART})", rest)
    return (_ARCHIVE.name, found[2], found[1]) if found else None


def address(name: Name) -> Address:
    """Return where the tree of a tag is."""
    return github.address(_tree(name))


def entries(name: Name, text: str) -> tuple[Entry, ...]:
    """Return the scenarios of a tag: folders with runs."""
    found = github.entries(_tree(name), text)
    return tuple(
        replace(entry, name=name.of(entry.path), format=_ARCHIVE.format)
        for entry in found
        if any(file.path == f"{entry.path}/algorithm_runs.arff" for file in entry.files)
    )


def _tree(name: Name) -> Name:
    return Name("github", f"{_REPOSITORY}@{name.archive}", name.wanted)
