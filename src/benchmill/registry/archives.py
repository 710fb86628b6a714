"""The kinds of public archive that data are named in: the one place that reading names, fetching and pages read them from."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Entry


@dataclass(frozen=True, kw_only=True)
class Archive(Entry):
    """A kind of archive; its name is the word before the colon.

    Attributes
    ----------
    order : str
        How archive and path make a name.
    format : str or None
        Name of the reader, where all that it holds is of one format.
    """

    form: str
    order: str = "{archive}/{path}"
    format: str | None = None


_ALL = (
    Archive(
        "coco",
        "the archive of COCO, suite by suite, and those of others that list their files as it does",
        "benchmill.archives.coco",
        form="coco:SUITE/YEAR/ALGORITHM, or coco:https://HOST/FOLDER#YEAR/ALGORITHM for an archive of somebody else",
        format="coco",
    ),
    Archive("zenodo", "a record of Zenodo", "benchmill.archives.zenodo", form="zenodo:RECORD/FILE"),
    Archive(
        "github",
        "a tag or commit of a repository on GitHub",
        "benchmill.archives.github",
        form="github:OWNER/REPOSITORY@TAG/PATH",
    ),
    Archive(
        "aslib",
        "a scenario of the algorithm selection library",
        "benchmill.archives.aslib",
        form="aslib:SCENARIO@TAG",
        order="{path}@{archive}",
        format="aslib",
    ),
)

ARCHIVES = {archive.name: archive for archive in _ALL}


def of_module(module: str) -> Archive:
    """Return the kind of archive that a module does the work for."""
    return next(archive for archive in _ALL if archive.module == module)
