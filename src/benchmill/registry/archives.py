"""The kinds of public archive that data are named in."""

from benchmill.registry.entry import Entry, Names, Registry, record


@record
class Archive(Entry):
    """A kind of archive; its name is the word before the colon.

    Attributes
    ----------
    patterns : tuple of str
        What stands behind the colon: regular expressions with the groups `archive` and `wanted`.
    order : str
        How archive and path make a name.
    format : str or None
        Name of the reader, where all that it holds is of one format.
    """

    form: str
    patterns: Names
    order: str = "{archive}/{path}"
    format: str | None = None


ARCHIVES = Registry(
    Archive,
    "benchmill.archives",
    "benchmill.archives.coco",
    "benchmill.archives.zenodo",
    "benchmill.archives.github",
)
