"""Names of data in public archives, such as `coco:bbob/2009/BIPOP-CMA-ES`: which archive, and what of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmill.core.errors import UserError
from benchmill.registry.archives import ARCHIVES

#: A part of a name that stands for a suite, a repository, a tag.
PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"


@dataclass(frozen=True)
class Name:
    """A name taken apart."""

    kind: str
    archive: str
    wanted: str

    @property
    def module(self) -> Any:
        """The module of its kind."""
        return ARCHIVES[self.kind].load()

    @property
    def of_archive(self) -> str:
        """The name of the archive alone."""
        return self.of("").rstrip("/#")

    def of(self, path: str) -> str:
        """Return the name of what stands in the archive under a path."""
        order = "{archive}#{path}" if "://" in self.archive else ARCHIVES[self.kind].order
        return f"{self.kind}:{order.format(archive=self.archive, path=path)}"


def is_name(text: str) -> bool:
    """Tell whether a text names data in an archive, and no path or URL."""
    kind, colon, rest = text.partition(":")
    return bool(colon) and not rest.startswith("//") and kind in ARCHIVES


def parsed(text: str) -> Name:
    """Take a name apart."""
    kind, _, rest = text.partition(":")
    if not is_name(text):
        forms = "; ".join(archive.form for archive in ARCHIVES.values())
        raise UserError(f"{text}: it names no data in an archive; expected one of {forms}.")
    found = ARCHIVES[kind].load().parsed(rest)
    if found is None:
        # what stands before an @ could be a password
        raise UserError(
            f"{kind}:{rest.rpartition('@')[2]}: it is not the name of data in an archive; expected {ARCHIVES[kind].form}."
        )
    name = Name(*found)
    if ".." in name.wanted.split("/"):
        raise UserError(f"{text}: it leads out of the archive; expected {ARCHIVES[kind].form}.")
    return name
